//! What rows and draws say: drift with their order, those predicted worst, and the chains.

use super::html::{Chart, Page, number};
use crate::report::{Drift, Report};

const MOST_OUTLIERS: usize = 10;

pub(super) fn write_drift(r: &Report, page: &mut Page) {
    let Some(found) = r.drift() else { return };
    page.section(
        "In the order of the rows",
        Some(
            "Where rows follow time, a drift of the process or of a sensor shows here; where a file is sorted by a column, it \
             is that column's doing.",
        ),
    );
    page.figures(|page| draw_drift(r, &found, page));
    let Drift { chance, before, after, turn, .. } = found;
    page.paragraph(&if chance < 0.01 {
        let (row, before, after) = (turn + 1, number(before), number(after));
        let cases = if chance < 1e-4 { "less than .01" } else { "less than 1" };
        format!(
            "They drift: up to row {row} the mean is {before}, after it {after}; rows in an order without meaning differ as \
             much in {cases} of a hundred cases."
        )
    } else {
        let seen = if chance < 0.05 { "A drift may be there" } else { "No drift is seen" };
        format!(
            "{seen}: rows in an order without meaning differ as much in {:.0} of a hundred cases.",
            100.0 * chance
        )
    });
}

fn draw_drift(r: &Report, found: &Drift, page: &mut Page) {
    let own = &found.blocks;
    let both = own.mean.iter().zip(&own.bound);
    let most = both.fold(0.0, |most: f64, (mean, bound)| most.max(bound.max(mean.abs())));
    let low: Vec<f64> = own.bound.iter().map(|bound| -bound).collect();
    let mut c = Chart::new(190.0, "What predictions miss, in the order of the rows");
    c.range(0, 1.0, r.p.n as f64, 0.0);
    c.range(1, -most, most, 0.08);
    let up = if r.classes { "Errors beyond those promised" } else { "Mean of z" };
    c.axes("Row, in the order of the file", up);
    c.band("n3", &own.at, &low, &own.bound);
    c.segment("d", (c.low[0], 0.0), (c.high[0], 0.0));
    c.line("l", &own.at, &own.mean);
    let (count, what) = (
        own.at.len(),
        match r.classes {
            true => "of 1 for an error less its promised probability",
            false => "of what is missed, in standard deviations",
        },
    );
    page.figure(
        &c.end(),
        &format!(
            "Means of {count} blocks of rows, {what}; the grey band holds 19 of 20 where nothing changes."
        ),
    );
}

pub(super) fn write_outliers(r: &Report, page: &mut Page) {
    page.section(
        "The rows it predicts worst",
        Some(
            "By the density that the model gave to what was measured; worth a look, for a mistake in the data or for what the \
             model has not seen.",
        ),
    );
    let headings: &[&str] = match r.classes {
        true => &["Row", "Class", "Predicted", "Probability of its class", "Inputs outside"],
        false => {
            &["Row", "Measured", "Predicted", "Interval", "z", "Log density", "Inputs outside"]
        }
    };
    let Some(rows) = &r.rows else { return };
    page.table(headings, |page| {
        for (i, density) in r.outliers(MOST_OUTLIERS) {
            let (y, p) = (r.targets()[i], &r.p);
            let mut cells = vec![(rows.origin[i] + 1).to_string()];
            match r.classes {
                true => {
                    cells.extend([r.class(y as usize), r.class(r.named(i)), number(density.exp())]);
                }
                false => cells.extend([
                    number(y),
                    number(p.mean[i]),
                    format!("{} to {}", number(p.lower[i]), number(p.upper[i])),
                    format!("{:+.1}", (y - p.mean[i]) / p.sd[i]),
                    number(density),
                ]),
            }
            cells.push(rows.outside.as_ref().map_or(0, |own| own[i]).to_string());
            page.row(&cells);
        }
    });
    let z = if r.classes {
        ""
    } else {
        "; z is what the prediction misses, in its standard deviations"
    };
    page.note(&format!(
        "Rows are numbered from 1, the header not counted{z}; inputs outside are those beyond the range of the training \
         data."
    ));
}

pub(super) fn write_draws(r: &Report, page: &mut Page) -> super::Done {
    let own = r.spread()?;
    page.section("What the draws say", None);
    page.facts(|page| {
        page.fact("Draws in the model", &own.draws.to_string());
        if own.draws > 1 {
            let (rows, s) = (own.rows, if own.rows == 1 { "" } else { "s" });
            let said = format!("{}, root mean square over {rows} row{s}", number(own.spread));
            page.fact("Spread of the function over them", &said);
            let said = format!("some {}, by the draws' two halves", number(own.error));
            page.fact("Monte Carlo error of its mean", &said);
        }
        super::write_note(r, page, true);
    });
    page.note(if own.draws > 1 {
        "Halves that differ by much less than the spread come from chains that agree, or from as many modes each."
    } else {
        "One network, so that nothing here says how sure it may be of its function."
    });
    if r.judged {
        draw_ranks(r, page)?;
    }
    Ok(())
}

fn draw_ranks(r: &Report, page: &mut Page) -> super::Done {
    let Some(own) = r.ranks()? else { return Ok(()) };
    let (kept, rows) = (own.kept, own.rows);
    let mut c = Chart::new(150.0, "The draws of each chain by their ranks");
    c.range(0, 0.0, (own.rank.len() / kept + 1) as f64, 0.0);
    c.range(1, 0.0, 1.0, 0.0);
    c.axes("Chain", "Rank of log density");
    c.points("p", own.rank.iter().enumerate().map(|(k, rank)| ((k / kept + 1) as f64, *rank)));
    let caption = format!(
        "The {kept} draws kept of each chain, from the least likely of all to the likeliest, by {rows} rows. Chains that go \
         everywhere fill the height; a chain whose draws stay together sits in a mode of its own, and the model averages over \
         such."
    );
    page.figures(|page| page.figure(&c.end(), &caption));
    Ok(())
}
