//! Log scores, and RMSE or accuracy, each with its standard error: of methods, or of more and more training rows.

use super::{DIGIT, FAINT, GRID, INSIDE, begin, escaped, ticks_across};
use lcc_model::score::Summary;

const WIDTH: f64 = 860.0;
const LEFT: f64 = 170.0;
const TOP: f64 = 132.0;
const STEP: f64 = 32.0;
const PANEL: f64 = 300.0;
const GAP: f64 = 50.0;
const SIZE: f64 = 12.0;

/// A line of the figure.
pub(crate) struct Line {
    pub(crate) name: String,
    pub(crate) baseline: bool,
    pub(crate) scores: Summary,
}

fn range(values: &[(f64, f64)]) -> (f64, f64) {
    let known = values.iter().filter(|(value, _)| value.is_finite());
    let ends = known.map(|(value, error)| {
        let error = if error.is_finite() { *error } else { 0.0 };
        (value - error, value + error)
    });
    let all = ends.fold((f64::INFINITY, -f64::INFINITY), |(l, h), (a, b)| (l.min(a), h.max(b)));
    let (low, high) = if all.0 <= all.1 { all } else { (0.0, 0.0) };
    let air = if high > low { 0.06 * (high - low) } else { 1.0 };
    (low - air, high + air)
}

fn panel(title: &str, left: f64, lines: &[Line], values: &[(f64, f64)]) -> String {
    let (low, high) = range(values);
    let across = |value: f64| left + (value - low) / (high - low) * PANEL;
    let bottom = TOP + STEP * lines.len() as f64;
    let mut out = format!(
        "<text x=\"{left:.2}\" y=\"{:.2}\" font-size=\"14\" font-weight=\"600\">{title}</text>\n",
        TOP - 22.0
    );
    for (tick, said) in ticks_across((low, high), 5.0, PANEL, SIZE) {
        let (x, top, below) = (across(tick), TOP - 8.0, bottom + 20.0);
        out += &format!(
            "<path d=\"M{x:.2} {top:.2}V{bottom:.2}\" stroke=\"{GRID}\"/>\n<text x=\"{x:.2}\" y=\"{below:.2}\" \
             font-size=\"{SIZE}\" fill=\"{FAINT}\" text-anchor=\"middle\">{said}</text>\n"
        );
    }
    for (k, (value, error)) in values.iter().enumerate().filter(|(_, (v, _))| v.is_finite()) {
        let y = TOP + STEP * (k as f64 + 0.5);
        let colour = if lines[k].baseline { FAINT } else { INSIDE };
        if error.is_finite() {
            let (from, to) = (across(value - error), across(value + error));
            out += &format!(
                "<path d=\"M{from:.2} {y:.2}H{to:.2}\" stroke=\"{colour}\" stroke-width=\"2\"/>\n"
            );
        }
        let x = across(*value);
        out += &format!("<circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"5\" fill=\"{colour}\"/>\n");
    }
    out
}

/// The figure; `what` says what the lines are of the target.
pub(crate) fn scores(target: &str, what: &str, classes: bool, lines: &[Line]) -> String {
    let height = TOP + STEP * lines.len() as f64 + 48.0;
    let subtitle = "held-out rows; bars are one standard error over rows";
    // Room for the longest name beside the panels.
    let longest = lines.iter().map(|line| line.name.chars().count()).max().unwrap_or(0);
    let more = (DIGIT * 14.0 * longest as f64 + 20.0 - LEFT).max(0.0).ceil();
    let sheet = (WIDTH, height, more);
    let mut out = begin(sheet, 28.0 - more, &format!("{target}: {what}"), subtitle);
    for (k, line) in lines.iter().enumerate() {
        let (x, y) = (LEFT - 16.0, TOP + STEP * (k as f64 + 0.5) + 5.0);
        out += &format!(
            "<text x=\"{x:.2}\" y=\"{y:.2}\" font-size=\"14\" text-anchor=\"end\">{}</text>\n",
            escaped(&line.name)
        );
    }
    let all = || lines.iter().map(|line| &line.scores);
    let logs: Vec<_> = all().map(|s| (s.mean[1], s.error[1])).collect();
    let others: Vec<_> = all()
        .map(|s| if classes { (s.mean[0], s.error[0]) } else { (s.rmse, s.rmse_error) })
        .collect();
    let other = if classes { "accuracy, larger is better" } else { "RMSE, smaller is better" };
    out += &panel("log score, larger is better", LEFT, lines, &logs);
    out += &panel(other, LEFT + PANEL + GAP, lines, &others);
    out + "</svg>\n"
}
