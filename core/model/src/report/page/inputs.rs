//! What the model makes of its inputs.

use super::html::{Chart, Page, number};
use crate::columns::Column;
use crate::report::{Report, Weight};
use crate::score::{Effect, Surface};

const MOST_BARS: usize = 16;
const SHADES: usize = 9;
const LINES: [&str; 4] = ["l", "l2", "l3", "l4"];
const BANDS: [&str; 4] = ["n", "n2", "n3", "n4"];
const KEYS: [&str; 4] = ["key", "key k2", "key k3", "key k4"];

pub(super) fn write(r: &Report, page: &mut Page) -> super::Done {
    let known = !r.relevance.moves.is_empty();
    page.section(if known { "Which inputs matter" } else { "What the inputs do" }, None);
    let weights = r.weights(MOST_BARS)?;
    page.figures(|page| {
        if known {
            draw_relevance(r, page);
        }
        draw_weights(r, &weights, page);
    });
    let shown: Vec<usize> = r.order[..r.shown].to_vec();
    let own = shown.iter().map(|k| &r.effects[*k]);
    let ends = own.flat_map(|e| e.low.iter().zip(&e.high));
    let none = (f64::INFINITY, f64::NEG_INFINITY);
    let (low, high) = ends.fold(none, |(l, h), (low, high)| (l.min(*low), h.max(*high)));
    if !(low <= high) {
        return Ok(());
    }
    write_words(r, page);
    page.figures(|page| {
        for input in shown.into_iter().filter(|k| !r.effects[*k].at.is_empty()) {
            draw_effect(r, input, (low, high), page);
        }
    });
    if let Some(f) = r.surface.as_ref().filter(|f| f.at.iter().all(|at| at.len() > 1)) {
        page.figures(|page| {
            draw_surface(r, f, &f.mean, "The two that matter most, together", page);
            let what = "How unsure of that: the sd of the posterior's functions";
            draw_surface(r, f, &f.sd, what, page);
        });
    }
    Ok(())
}

/// A figure of bars, an input each, the one that matters most on top.
fn inputs(r: &Report, said: &str, most: f64, across: &str) -> Chart {
    let count = r.order.len().min(MOST_BARS);
    let mut c = Chart::new(18.0 * count as f64, said);
    c.range(0, 0.0, if most > 0.0 { 1.05 * most } else { 1.0 }, 0.0);
    c.range(1, 0.0, count as f64, 0.0);
    c.words[1] = true;
    c.room(100.0);
    c.axes(across, "");
    for (k, input) in r.order[..count].iter().enumerate() {
        c.name(1, (count - k) as f64 - 0.5, &r.columns.inputs[*input].name, 0.0);
    }
    c
}

/// A bar from 0, and the range of it.
fn bar(c: &mut Chart, y: f64, to: f64, range: (f64, f64)) {
    c.bar("b", (0.0, to), (y - 0.32, y + 0.32));
    c.segment("i", (range.0, y), (range.1, y));
}

fn draw_relevance(r: &Report, page: &mut Page) {
    let count = r.order.len().min(MOST_BARS);
    let (moves, errors) = (&r.relevance.moves, &r.relevance.errors);
    let ends =
        (0..count).chain(r.order[..count].iter().copied()).map(|k| moves[k] + 2.0 * errors[k]);
    let most = ends.fold(0.0, f64::max);
    let unit =
        if r.relevance.classes { "Probability moved" } else { "Moved, in sds of the target" };
    let mut c = inputs(r, "How far each input moves the predictions", most, unit);
    for (k, i) in r.order[..count].iter().enumerate() {
        let (own, error) = (moves[*i], errors[*i]);
        let ends = (own - 2.0 * error, own + 2.0 * error);
        bar(&mut c, (count - k) as f64 - 0.5, own, ends);
    }
    let some = if count < r.order.len() { " The first sixteen." } else { "" };
    page.figure(
        &c.end(),
        &format!(
            "Permutation importance: the root mean square by which predictions move when the values of an input are \
             distributed over other rows, and two standard errors.{some}"
        ),
    );
}

fn draw_weights(r: &Report, all: &[Weight], page: &mut Page) {
    let most = all.iter().fold(0.0, |most: f64, w| most.max(w.high));
    let middle = all.iter().fold(0.0, |most: f64, w| most.max(w.middle));
    // A unit that is a step may have any weight: what goes beyond is drawn at the edge.
    let most = most.min(3.0 * middle);
    let said = "The weights of each input into the first layer";
    let mut c = inputs(r, said, most, "Weights, root mean square");
    for (k, w) in all.iter().enumerate() {
        bar(&mut c, (all.len() - k) as f64 - 0.5, w.middle, (w.low, w.high));
    }
    page.figure(
        &c.end(),
        "Relevance in the network: the size of an input's weights, inputs in standard deviations; the median of its \
         posterior and 90 %, as far as they go here. Large weights that move little stand for what other inputs say too.",
    );
}

fn write_words(r: &Report, page: &mut Page) {
    page.raw("<p>");
    page.say(&match &r.rows {
        Some(_) => format!(
            "Partial dependence: what the model expects where one input is set to a value and the others stay as they are in \
             {} rows, on average; ticks below are the deciles of the input there.",
            r.some.n
        ),
        None => "What the model expects along one input, over the range of the training data, the others at their means."
            .to_string(),
    });
    page.say(" Bands hold 90 % of the posterior's functions, without the noise of a single row.");
    match r.curves {
        _ if !r.classes => {}
        1 => page.say(&format!(" Shown is the probability of \"{}\".", r.class(1))),
        _ => {
            page.say(" Shown are the probabilities of the classes");
            for (k, key) in KEYS.iter().enumerate().take(r.curves) {
                page.raw(&format!("<span class=\"{key}\"></span>"));
                page.say(&r.class(k));
            }
            page.say(".");
        }
    }
    if r.shown < r.order.len() {
        page.say(&format!(" The {} inputs that move it most.", r.shown));
    }
    page.raw("</p>\n");
}

/// The axis of an input: its numbers, or its words.
fn axis(c: &mut Chart, axis: usize, input: &Column, at: &[f64]) {
    c.words[axis] = input.is_words();
    match at {
        _ if input.is_words() => c.range(axis, -0.5, at.len() as f64 - 0.5, 0.0),
        [first, .., last] => c.range(axis, *first, *last, 0.0),
        _ => {}
    }
}

fn name_levels(c: &mut Chart, axis: usize, input: &Column, count: usize) {
    let room = c.width / count as f64;
    for (k, level) in input.levels.iter().enumerate().take(count) {
        c.name(axis, k as f64, level, room);
    }
}

fn draw_effect(r: &Report, input: usize, (low, high): (f64, f64), page: &mut Page) {
    let (own, e): (&Column, &Effect) = (&r.columns.inputs[input], &r.effects[input]);
    let (n, words) = (e.at.len(), own.is_words());
    let mut c = Chart::new(150.0, &format!("What the model expects along {}", own.name));
    axis(&mut c, 0, own, &e.at);
    c.range(1, low, high, 0.04);
    c.axes(&own.name, if r.classes { "Probability" } else { &r.columns.target.name });
    name_levels(&mut c, 0, own, n);
    let curves = e.mean.chunks_exact(n).zip(e.low.chunks_exact(n).zip(e.high.chunks_exact(n)));
    for (k, (mean, (least, most))) in curves.enumerate() {
        if !words {
            c.band(BANDS[k], &e.at, least, most);
            c.line(LINES[k], &e.at, mean);
            continue;
        }
        for i in 0..n {
            let x = e.at[i] + 0.08 * (k as f64 - 0.5 * (r.curves - 1) as f64);
            c.segment(LINES[k], (x, least[i]), (x, most[i]));
            c.segment(LINES[k], (x - 0.04, mean[i]), (x + 0.04, mean[i]));
        }
    }
    if !words && r.rows.is_some() {
        let (bottom, top) = (c.low[1], c.low[1] + 0.03 * (c.high[1] - c.low[1]));
        e.deciles.iter().for_each(|x| c.segment("r", (*x, bottom), (*x, top)));
    }
    page.figure(&c.end(), "");
}

/// Values in shades from faint to full, equal neighbours in one piece.
fn draw_surface(r: &Report, f: &Surface, value: &[f64], what: &str, page: &mut Page) {
    let (across, up) = (f.at[0].len(), f.at[1].len());
    let inputs = [0, 1].map(|k| &r.columns.inputs[r.order[k]]);
    let ends = value.iter().fold((value[0], value[0]), |(l, h), v| (l.min(*v), h.max(*v)));
    let mut c = Chart::new(230.0, what);
    for (k, input) in inputs.iter().enumerate() {
        axis(&mut c, k, input, &f.at[k]);
    }
    c.room(if c.words[1] { 50.0 } else { 0.0 });
    c.axes(&inputs[0].name, &inputs[1].name);
    for (k, input) in inputs.iter().enumerate() {
        name_levels(&mut c, k, input, f.at[k].len());
    }
    c.range(0, -0.5, across as f64 - 0.5, 0.0);
    c.range(1, -0.5, up as f64 - 0.5, 0.0);
    let place = |v: f64| (v - ends.0) / (ends.1 - ends.0).max(1e-300) * SHADES as f64;
    let shade_of = |v: f64| (place(v) as usize).min(SHADES - 1);
    for shade in 0..SHADES {
        let opacity = 0.06 + 0.94 * shade as f64 / (SHADES - 1) as f64;
        let mut path = format!("<path class=\"b\" fill-opacity=\"{opacity:.2}\" d=\"");
        for (i, row) in value.chunks_exact(across).enumerate() {
            let mut j = 0;
            while j < across {
                let first = j;
                while j < across && shade_of(row[j]) == shade {
                    j += 1;
                }
                if j > first {
                    let (left, right) = (c.x(first as f64 - 0.5), c.x(j as f64 - 0.5));
                    let (y, to) = (c.y(i as f64 + 0.5), c.y(i as f64 - 0.5));
                    path += &format!("M{left:.1} {y:.1}H{right:.1}V{to:.1}H{left:.1}Z");
                }
                j += 1;
            }
        }
        c.svg += &(path + "\"/>\n");
    }
    let (low, high) = (number(ends.0), number(ends.1));
    let name = match r.classes {
        true => r.class(usize::from(r.curves == 1)),
        false => r.columns.target.name.clone(),
    };
    page.figure(&c.end(), &format!("{what}: {name}, from {low} (faint) to {high} (full)."));
}
