//! How sure a classifier is: its largest probabilities on rows and on noise.

use super::{FAINT, INSIDE, OUTSIDE, begin};
use lcc_model::report::page::{BINS, bins, escaped};

const SHEET: f64 = 720.0;
const LEFT: f64 = 84.0;
const RIGHT: f64 = 28.0;
const TOP: f64 = 104.0;
const EACH: f64 = 240.0;
const BETWEEN: f64 = 70.0;
const WIDTH: f64 = SHEET - LEFT - RIGHT;

/// What one fit says: the largest probability at each row, and at each row of noise.
pub(crate) struct Panel<'a> {
    pub(crate) name: &'a str,
    pub(crate) rows: &'a [f64],
    pub(crate) noise: &'a [f64],
}

/// Bars of half a bin, those of noise to the right of those of rows.
fn bars(y: f64, share: &[f64; BINS], most: f64, noise: bool) -> String {
    let bin = WIDTH / BINS as f64;
    let (colour, right) = if noise { (OUTSIDE, 0.5) } else { (INSIDE, 0.08) };
    let mut out = format!("<g fill=\"{colour}\">\n");
    for (k, share) in share.iter().enumerate().filter(|(_, share)| **share > 0.0) {
        let (height, x) = (share / most * EACH, LEFT + bin * (k as f64 + right));
        let (top, width) = (y + EACH - height, 0.42 * bin);
        out += &format!(
            "<rect x=\"{x:.2}\" y=\"{top:.2}\" width=\"{width:.2}\" height=\"{height:.2}\"/>\n"
        );
    }
    out + "</g>\n"
}

fn panel(y: f64, p: &Panel<'_>, least: f64) -> String {
    let (rows, noise) = (bins(p.rows, least), bins(p.noise, least));
    let most = rows.iter().chain(&noise).copied().fold(0.0, f64::max);
    let mut out = format!(
        "<text x=\"{LEFT:.2}\" y=\"{:.2}\" font-size=\"15\" font-weight=\"600\">{}</text>\n{}{}\
         <path d=\"M{LEFT:.2} {y:.2}V{:.2}H{:.2}\" fill=\"none\" stroke=\"#b8c1ca\"/>\n\
         <g font-size=\"13\" fill=\"{FAINT}\">\n",
        y - 8.0,
        escaped(p.name),
        bars(y, &rows, most, false),
        bars(y, &noise, most, true),
        y + EACH,
        LEFT + WIDTH
    );
    for k in (0..=BINS).step_by(4) {
        let share = k as f64 / BINS as f64;
        let (x, below, value) =
            (LEFT + WIDTH * share, y + EACH + 20.0, least + (1.0 - least) * share);
        out += &format!(
            "<text x=\"{x:.2}\" y=\"{below:.2}\" text-anchor=\"middle\">{value:.2}</text>\n"
        );
    }
    for (at, value) in [(EACH, 0.0), (0.0, 100.0 * most)] {
        let (x, y) = (LEFT - 10.0, y + at + 4.5);
        out +=
            &format!("<text x=\"{x:.2}\" y=\"{y:.2}\" text-anchor=\"end\">{value:.0} %</text>\n");
    }
    out + "</g>\n"
}

/// The panels below each other, in bins from 1/classes to 1.
pub(crate) fn histogram(
    title: &str,
    subtitle: &str,
    kind: &str,
    classes: usize,
    panels: &[Panel<'_>],
) -> String {
    let height = TOP + 46.0 + panels.len() as f64 * (EACH + BETWEEN);
    let mut out = begin((SHEET, height, 0.0), LEFT, title, subtitle);
    out += &format!(
        "<g font-size=\"13\"><rect x=\"{LEFT:.2}\" y=\"92\" width=\"12\" height=\"12\" fill=\"{INSIDE}\"/>\
         <text x=\"{:.2}\" y=\"102.5\">{kind} rows</text>\n\
         <rect x=\"{:.2}\" y=\"92\" width=\"12\" height=\"12\" fill=\"{OUTSIDE}\"/>\
         <text x=\"{:.2}\" y=\"102.5\">uniform noise in the range of each column</text></g>\n",
        LEFT + 18.0,
        LEFT + 130.0,
        LEFT + 148.0
    );
    for (k, own) in panels.iter().enumerate() {
        let y = TOP + 46.0 + k as f64 * (EACH + BETWEEN);
        out += &panel(y, own, 1.0 / classes as f64);
    }
    out + &format!(
        "<text x=\"{:.2}\" y=\"{:.2}\" text-anchor=\"middle\" font-size=\"15\">Largest probability</text>\n</svg>\n",
        LEFT + WIDTH / 2.0,
        height - 22.0
    )
}
