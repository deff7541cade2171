//! Predictions with their intervals against measured values.

use super::{FAINT, GRID, INK, INSIDE, OUTSIDE, begin, escaped, longest, ticks_across};
use lcc_model::predict::Predictions;
use lcc_model::text::short;

const SHEET: f64 = 720.0;
const LEFT: f64 = 84.0;
const RIGHT: f64 = 28.0;
const TOP: f64 = 104.0;
const BOTTOM: f64 = 72.0;
const SIDE: f64 = SHEET - LEFT - RIGHT;
/// Of the numbers of the axes.
const SIZE: f64 = 13.0;

/// What stands about it.
pub(crate) struct Words<'a> {
    pub(crate) title: String,
    pub(crate) subtitle: String,
    /// What both axes show.
    pub(crate) quantity: &'a str,
}

struct Axes<'a> {
    p: &'a Predictions,
    measured: &'a [f64],
    low: f64,
    high: f64,
}

impl<'a> Axes<'a> {
    /// The range of measured values, means and intervals with a little air; an interval that reaches far beyond all points
    /// is cut rather than shrink them.
    fn new(p: &'a Predictions, measured: &'a [f64]) -> Self {
        let points = || measured.iter().chain(&p.mean).copied();
        let (mut low, mut high) =
            (points().fold(f64::INFINITY, f64::min), points().fold(-f64::INFINITY, f64::max));
        let least = p.lower.iter().copied().fold(f64::INFINITY, f64::min);
        let most = p.upper.iter().copied().fold(-f64::INFINITY, f64::max);
        if !(high > low) {
            let air = if low.is_finite() && low != 0.0 { low.abs() * 0.1 } else { 1.0 };
            low = if low.is_finite() { low - air } else { 0.0 };
            high = if high.is_finite() { high + air } else { 1.0 };
        }
        let air = high - low;
        let low = low.min(least).max(low - 0.25 * air);
        let high = high.max(most).min(high + 0.25 * air);
        let air = 0.03 * (high - low);
        Self { p, measured, low: low - air, high: high + air }
    }
    fn share(&self, value: f64) -> f64 {
        (value - self.low) / (self.high - self.low) * SIDE
    }
    fn across(&self, value: f64) -> f64 {
        LEFT + self.share(value)
    }
    fn down(&self, value: f64) -> f64 {
        TOP + SIDE - self.share(value)
    }
    fn inside(&self, i: usize) -> bool {
        self.measured[i] >= self.p.lower[i] && self.measured[i] <= self.p.upper[i]
    }

    /// What numbers beside the axis need beyond the usual sheet.
    fn more(&self) -> f64 {
        let own = ticks_across((self.low, self.high), 8.0, SIDE, SIZE);
        (longest(&own, SIZE) + 48.0 - LEFT).max(0.0).ceil()
    }

    fn frame(&self, words: &Words<'_>) -> String {
        let (bottom, right) = (TOP + SIDE, LEFT + SIDE);
        let (below, beside) = (bottom + 20.0, LEFT - 10.0);
        let across = ticks_across((self.low, self.high), 8.0, SIDE, SIZE);
        let mut out = format!("<g font-size=\"{SIZE}\" fill=\"{FAINT}\">\n");
        for (value, text) in &across {
            let (x, y) = (self.across(*value), self.down(*value));
            out += &format!(
                "<path d=\"M{x:.2} {TOP:.2}V{bottom:.2}M{LEFT:.2} {y:.2}H{right:.2}\" stroke=\"{GRID}\" \
                 fill=\"none\"/>\n<text x=\"{x:.2}\" y=\"{below:.2}\" text-anchor=\"middle\">{text}</text>\n\
                 <text x=\"{beside:.2}\" y=\"{:.2}\" text-anchor=\"end\">{text}</text>\n",
                y + 4.5
            );
        }
        let quantity = escaped(words.quantity);
        let (middle, label) = (LEFT + SIDE / 2.0, bottom + 50.0);
        out + &format!(
            "</g>\n<rect x=\"{LEFT:.2}\" y=\"{TOP:.2}\" width=\"{SIDE:.2}\" height=\"{SIDE:.2}\" fill=\"none\" \
             stroke=\"#b8c1ca\"/>\n\
             <text x=\"{middle:.2}\" y=\"{label:.2}\" text-anchor=\"middle\" font-size=\"15\">Measured {quantity}\
             </text>\n<text transform=\"translate({:.2} {:.2}) rotate(-90)\" text-anchor=\"middle\" \
             font-size=\"15\">Predicted {quantity}</text>\n",
            26.0 - self.more(),
            TOP + SIDE / 2.0
        )
    }

    /// All points of one kind: those outside come last and lie on top.
    fn points(&self, inside: bool) -> String {
        let (colour, line, fill) =
            if inside { (INSIDE, ".22", ".8") } else { (OUTSIDE, ".5", ".95") };
        let own = || (0..self.p.n).filter(|i| self.inside(*i) == inside);
        let x = |i: usize| self.across(self.measured[i]);
        let mut out =
            format!("<g stroke=\"{colour}\" stroke-width=\"1.1\" stroke-opacity=\"{line}\">\n");
        for i in own() {
            let (lower, upper) = (self.down(self.p.lower[i]), self.down(self.p.upper[i]));
            out += &format!("<path d=\"M{:.2} {lower:.2}V{upper:.2}\"/>\n", x(i));
        }
        out += &format!(
            "</g>\n<g fill=\"{colour}\" fill-opacity=\"{fill}\" stroke=\"#ffffff\" stroke-width=\".6\">\n"
        );
        for i in own() {
            let y = self.down(self.p.mean[i]);
            out += &format!("<circle cx=\"{:.2}\" cy=\"{y:.2}\" r=\"2.7\"/>\n", x(i));
        }
        out + "</g>\n"
    }

    fn legend(&self) -> String {
        let hits = (0..self.p.n).filter(|i| self.inside(*i)).count();
        let (n, level) = (self.p.n, short(100.0 * self.p.level));
        let entry = |y: f64, colour: &str, text: String| {
            let x = LEFT + 20.0;
            format!(
                "<path d=\"M{x:.2} {:.2}v18\" stroke=\"{colour}\" stroke-opacity=\".6\" stroke-width=\"1.4\"/>\
                 <circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"3.6\" fill=\"{colour}\"/>\
                 <text x=\"{:.2}\" y=\"{:.2}\">{text}</text>\n",
                y - 9.0,
                x + 14.0,
                y + 4.5
            )
        };
        let inside = format!("inside its {level} % interval: {hits} of {n}");
        format!(
            "<rect x=\"{:.2}\" y=\"{:.2}\" width=\"262\" height=\"84\" rx=\"4\" fill=\"#ffffff\" \
             fill-opacity=\".88\" stroke=\"{GRID}\"/>\n<g font-size=\"13\" fill=\"{INK}\">\n{}{}\
             <path d=\"M{:.2} {:.2}h18\" stroke=\"{INK}\" stroke-width=\"1.4\" stroke-dasharray=\"5 4\"/>\
             <text x=\"{:.2}\" y=\"{:.2}\">predicted = measured</text>\n</g>\n",
            LEFT + 8.0,
            TOP + 8.0,
            entry(TOP + 26.0, INSIDE, inside),
            entry(TOP + 50.0, OUTSIDE, format!("outside: {} of {n}", n - hits)),
            LEFT + 11.0,
            TOP + 74.0,
            LEFT + 34.0,
            TOP + 78.5
        )
    }
}

/// The figure.
pub(crate) fn agreement(words: &Words<'_>, p: &Predictions, measured: &[f64]) -> String {
    let a = Axes::new(p, measured);
    let head = begin((SHEET, TOP + SIDE + BOTTOM, a.more()), LEFT, &words.title, &words.subtitle);
    format!(
        "{head}<clipPath id=\"frame\"><rect x=\"{LEFT:.2}\" y=\"{TOP:.2}\" width=\"{SIDE:.2}\" height=\"{SIDE:.2}\"/>\
         </clipPath>\n{}<g clip-path=\"url(#frame)\" fill=\"none\">\n{}\
         <path d=\"M{LEFT:.2} {:.2}L{:.2} {TOP:.2}\" stroke=\"{INK}\" stroke-width=\"1.4\" \
         stroke-dasharray=\"5 4\"/>\n{}</g>\n{}</svg>\n",
        a.frame(words),
        a.points(true),
        TOP + SIDE,
        LEFT + SIDE,
        a.points(false),
        a.legend()
    )
}
