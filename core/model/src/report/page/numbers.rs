//! Numbers and counts: predicted against measured, and calibration.

use super::html::{Chart, Page, number};
use crate::report::{BINS, Calibration, Report};
use crate::text::short;

const MOST_MARKS: usize = 1200;

pub(super) fn write(r: &Report, page: &mut Page) -> super::Done {
    page.section("How well it predicts", Some(super::trained(r)));
    write_scores(r, page);
    page.figures(|page| {
        draw_scatter(r, page);
        draw_residuals(r, page);
    });
    if let Some(own) = r.calibration()? {
        write_calibration(r, &own, page);
    }
    Ok(())
}

fn write_scores(r: &Report, page: &mut Page) {
    let (e, n, sd) = (&r.scores, r.p.n as f64, super::target_sd(r));
    let fourths = r.targets().iter().zip(&r.p.mean).fold(0.0, |sum, (y, mean)| {
        let square = (y - mean) * (y - mean);
        sum + (square - e.rmse * e.rmse) * (square - e.rmse * e.rmse)
    });
    let error = if e.rmse > 0.0 { fourths.sqrt() / n / (2.0 * e.rmse) } else { 0.0 };
    page.facts(|page| {
        page.fact("Typical error (RMSE)", &format!("{} \u{b1} {}", number(e.rmse), number(error)));
        page.fact("Typical error of their mean", &number(sd));
        if let Some(linear) = r.linear_error() {
            let said = format!("{}, each row predicted by the others", number(linear));
            page.fact("Typical error of linear regression", &said);
        }
        if sd > 0.0 {
            let share = 100.0 * (1.0 - e.rmse * e.rmse / (sd * sd));
            page.fact("Share of the variance explained", &format!("{share:.1} %"));
        }
        page.fact("Mean log density", &number(e.log_likelihood));
        page.fact("Mean CRPS", &number(e.crps));
        let (held, promised) = (100.0 * e.coverage, short(100.0 * r.p.level));
        let said = format!("{held:.1} % of the rows, promised {promised} %");
        page.fact("Inside their intervals", &said);
        page.fact("Mean width of the intervals", &number(e.width));
    });
}

/// The rows that are drawn, and whether each is outside of its interval.
fn marks(r: &Report) -> Vec<(usize, bool)> {
    let step = (r.p.n as f64 / MOST_MARKS as f64).max(1.0);
    let (mut next, mut all) = (0.0, Vec::new());
    for (i, y) in r.targets().iter().enumerate() {
        if i as f64 >= next {
            next += step;
            all.push((i, !(*y >= r.p.lower[i] && *y <= r.p.upper[i])));
        }
    }
    all
}

/// Points inside their interval, then those that are not, which lie on top.
fn draw_points(r: &Report, chart: &mut Chart, at: impl Fn(usize) -> (f64, f64)) {
    let all = marks(r);
    for (kind, outside) in [("p", false), ("p2", true)] {
        chart.points(kind, all.iter().filter(|(_, out)| *out == outside).map(|(i, _)| at(*i)));
    }
}

fn ends<'a>(all: impl IntoIterator<Item = &'a f64>, start: (f64, f64)) -> (f64, f64) {
    all.into_iter().fold(start, |(low, high), v| (low.min(*v), high.max(*v)))
}

const NONE: (f64, f64) = (f64::INFINITY, f64::NEG_INFINITY);

fn draw_scatter(r: &Report, page: &mut Page) {
    let (y, mean, target) = (r.targets(), &r.p.mean, &r.columns.target.name);
    let (low, high) = ends(y.iter().chain(mean), NONE);
    let mut c = Chart::new(284.0, "Predicted against measured values");
    c.range(0, low, high, 0.03);
    c.range(1, low, high, 0.03);
    c.axes(&format!("Measured {target}"), &format!("Predicted {target}"));
    let interval = |(i, _): (usize, bool)| (y[i], (r.p.lower[i], r.p.upper[i]));
    c.uprights("v", marks(r).into_iter().map(interval));
    draw_points(r, &mut c, |i| (y[i], mean[i]));
    c.segment("d", (c.low[0], c.low[1]), (c.high[0], c.high[1]));
    let some = match r.p.n > MOST_MARKS {
        true => format!(" Every row is counted, {MOST_MARKS} spread over them are drawn."),
        false => String::new(),
    };
    let level = short(100.0 * r.p.level);
    let caption = format!(
        "<span class=\"key\"></span>predicted, with its {level} % interval<span class=\"key k2\"></span>measured outside it; dashed \
         where both are equal.{some}"
    );
    page.figure_with(&c.end(), &caption);
}

fn draw_residuals(r: &Report, page: &mut Page) {
    let (y, mean) = (r.targets(), &r.p.mean);
    let missed: Vec<f64> = y.iter().zip(mean).map(|(y, mean)| y - mean).collect();
    let ((left, right), (low, high)) = (ends(mean, NONE), ends(&missed, (0.0, 0.0)));
    let mut c = Chart::new(284.0, "What the predictions miss, against the predictions");
    c.range(0, left, right, 0.03);
    c.range(1, low, high, 0.05);
    c.axes("Predicted", "Measured less predicted");
    draw_points(r, &mut c, |i| (mean[i], missed[i]));
    c.segment("d", (c.low[0], 0.0), (c.high[0], 0.0));
    page.figure(
        &c.end(),
        "A cloud without a trend about 0 is what a good fit leaves. A bend is a shape that it has missed; a fan, noise that \
         grows.",
    );
}

fn draw_shares(own: &Calibration, page: &mut Page) {
    let bins = BINS as f64;
    let apart = 1.96 * (0.05 * 0.95 / own.n as f64).sqrt() * bins;
    let most = own.shares.iter().fold(1.5, |most: f64, share| most.max(1.05 * bins * share));
    let mut c =
        Chart::new(190.0, "How often each twentieth of the predictive distribution came true");
    c.range(0, 0.0, 1.0, 0.0);
    c.range(1, 0.0, most, 0.0);
    c.axes("Place in the predictive distribution (PIT)", "Rows, to those expected");
    c.bar("n3", (0.0, 1.0), ((1.0 - apart).max(0.0), 1.0 + apart));
    for (k, share) in own.shares.iter().enumerate() {
        let k = k as f64;
        c.bar("b", (k / bins + 0.004, (k + 1.0) / bins - 0.004), (0.0, bins * share));
    }
    c.segment("d", (0.0, 1.0), (1.0, 1.0));
    page.figure(
        &c.end(),
        "Even is calibrated: 19 of 20 bars then end in the grey band. High ends: too sure. A hill: too cautious. A slope: \
         too low or too high.",
    );
}

fn draw_reliability(own: &Calibration, page: &mut Page) {
    let p: Vec<f64> = (0..=BINS).map(|k| k as f64 / BINS as f64).collect();
    let apart = |p: &f64| 1.96 * (p * (1.0 - p) / own.n as f64).sqrt();
    let low: Vec<f64> = p.iter().map(|p| (p - apart(p)).max(0.0)).collect();
    let high: Vec<f64> = p.iter().map(|p| (p + apart(p)).min(1.0)).collect();
    let mut got = vec![0.0];
    for share in own.shares {
        got.push(got[got.len() - 1] + share);
    }
    let mut c = Chart::new(190.0, "Promised probability against the share of rows that kept it");
    c.range(0, 0.0, 1.0, 0.0);
    c.range(1, 0.0, 1.0, 0.0);
    c.axes("Promised probability of being below", "Share of rows below");
    c.band("n3", &p, &low, &high);
    c.segment("d", (0.0, 0.0), (1.0, 1.0));
    c.line("l", &p, &got);
    let caption = "On the diagonal is calibrated; the grey band holds 19 of 20 points by chance.";
    page.figure(&c.end(), caption);
}

fn write_calibration(r: &Report, own: &Calibration, page: &mut Page) {
    page.section(
        "Calibration",
        Some(
            "Whether the model knows how sure it may be: what it gives a probability of 90 % should come true in nine of ten \
             rows.",
        ),
    );
    page.figures(|page| {
        draw_shares(own, page);
        draw_reliability(own, page);
    });
    page.table(&["Promised", "Held", "Standard error", "Mean width"], |page| {
        for i in &own.intervals {
            let error = 100.0 * (i.level * (1.0 - i.level) / own.n as f64).sqrt();
            page.row(&[
                format!("{} %", short(100.0 * i.level)),
                format!("{:.1} %", 100.0 * i.held),
                format!("{error:.1} %"),
                number(i.width),
            ]);
        }
    });
    if own.n < r.p.n {
        page.note(&format!("By {} rows spread over all {}.", own.n, r.p.n));
    }
}
