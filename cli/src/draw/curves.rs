//! What methods predict over the range of one input and somewhat beyond: a panel a method, the training rows, the predictive
//! mean and a band about it.

use super::{FAINT, GRID, INK, INSIDE, begin, escaped, longest, ticks, ticks_across};
use lcc_model::predict::Predictions;
use lcc_model::rows::Rows;
use lcc_model::text::general;

const ACROSS: usize = 2;
const WIDTH: f64 = 860.0;
const LEFT: f64 = 64.0;
const TOP: f64 = 118.0;
const PANEL: f64 = 360.0;
const HIGH: f64 = 250.0;
const GAP: f64 = 46.0;
const FOOT: f64 = 66.0;
const SDS: f64 = 2.0;
/// Of the numbers of the axes.
const SIZE: f64 = 12.0;

/// One method.
pub(crate) struct Curve {
    pub(crate) name: String,
    /// Some of the training rows.
    pub(crate) rows: Rows,
    pub(crate) grid: Vec<f64>,
    pub(crate) p: Predictions,
}

impl Curve {
    /// Over the range drawn.
    fn mean_sd(&self) -> f64 {
        self.p.sd.iter().fold(0.0, |sum, sd| sum + sd) / self.grid.len() as f64
    }
}

/// The ends of both axes, the same of all panels, and where this one is.
struct Panel {
    low: [f64; 2],
    high: [f64; 2],
    left: f64,
    top: f64,
}

impl Panel {
    /// Of the rows, with half of their range on either side.
    fn new(curve: &Curve) -> Self {
        let y = curve.rows.targets();
        let ends =
            y.iter().fold((f64::INFINITY, -f64::INFINITY), |(l, h), y| (l.min(*y), h.max(*y)));
        let more = if ends.1 > ends.0 { 0.5 * (ends.1 - ends.0) } else { 1.0 };
        let (first, last) = (curve.grid[0], curve.grid[curve.grid.len() - 1]);
        let wide = if last > first { 0.0 } else { 1.0 };
        Self {
            low: [first - wide, ends.0 - more],
            high: [last + wide, ends.1 + more],
            left: 0.0,
            top: 0.0,
        }
    }
    fn across(&self, x: f64) -> f64 {
        self.left + (x - self.low[0]) / (self.high[0] - self.low[0]) * PANEL
    }
    /// What lies outside is drawn at the edge.
    fn down(&self, y: f64) -> f64 {
        let share = (y - self.low[1]) / (self.high[1] - self.low[1]);
        self.top + HIGH - share.clamp(0.0, 1.0) * HIGH
    }

    fn ticks(&self, axis: usize) -> Vec<(f64, String)> {
        let (low, high) = (self.low[axis], self.high[axis]);
        if axis == 0 { ticks_across((low, high), 5.0, PANEL, SIZE) } else { ticks(low, high, 5.0) }
    }

    fn axes(&self) -> String {
        let mut out = String::new();
        for axis in 0..2 {
            for (tick, said) in self.ticks(axis) {
                let (x, y) = (self.across(tick), self.down(tick));
                let (line, x, y, anchor) = if axis == 0 {
                    let line = format!("M{x:.2} {:.2}v{HIGH:.2}", self.top);
                    (line, x, self.top + HIGH + 18.0, "middle")
                } else {
                    let line = format!("M{:.2} {y:.2}h{PANEL:.2}", self.left);
                    (line, self.left - 8.0, y + 4.0, "end")
                };
                out += &format!(
                    "<path d=\"{line}\" stroke=\"{GRID}\"/>\n<text x=\"{x:.2}\" y=\"{y:.2}\" font-size=\"{SIZE}\" \
                     fill=\"{FAINT}\" text-anchor=\"{anchor}\">{said}</text>\n"
                );
            }
        }
        out
    }

    /// `first`: the method that the others are measured by.
    fn draw(&self, curve: &Curve, first: &Curve) -> String {
        let (grid, p) = (&curve.grid, &curve.p);
        let mut said = format!("mean sd {}", general(curve.mean_sd(), 3));
        if curve.name != first.name {
            let share = general(curve.mean_sd() / first.mean_sd(), 3);
            said += &format!(", {share} times the first");
        }
        let at = |i: usize, y: f64| format!("{:.2} {:.2}", self.across(grid[i]), self.down(y));
        let all = 0..grid.len();
        let high: Vec<String> = all.clone().map(|i| at(i, p.mean[i] + SDS * p.sd[i])).collect();
        let low = all.clone().rev().map(|i| at(i, p.mean[i] - SDS * p.sd[i]));
        let band: Vec<String> = high.into_iter().chain(low).collect();
        let line: Vec<String> = all.map(|i| at(i, p.mean[i])).collect();
        let mut out = format!(
            "{}<text x=\"{:.2}\" y=\"{:.2}\" font-size=\"14\"><tspan font-weight=\"600\">{}</tspan>\
             <tspan fill=\"{FAINT}\" dx=\"10\">{}</tspan></text>\n\
             <path fill=\"{INSIDE}\" fill-opacity=\".18\" d=\"M{}Z\"/>\n\
             <path fill=\"none\" stroke=\"{INSIDE}\" stroke-width=\"2\" d=\"M{}\"/>\n\
             <g fill=\"{INK}\" fill-opacity=\".75\">\n",
            self.axes(),
            self.left,
            self.top - 10.0,
            escaped(&curve.name),
            escaped(&said),
            band.join("L"),
            line.join("L")
        );
        for (x, y) in curve.rows.x.iter().zip(curve.rows.targets()) {
            let (x, y) = (self.across(*x), self.down(*y));
            out += &format!("<circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"2.6\"/>\n");
        }
        out + "</g>\n"
    }
}

/// The figure.
pub(crate) fn curves(target: &str, all: &[Curve]) -> String {
    let lines = all.len().div_ceil(ACROSS);
    let height = TOP + lines as f64 * (HIGH + FOOT);
    let subtitle = "training rows; predictive mean and 2 sd on either side";
    let mut panel = Panel::new(&all[0]);
    let more = (longest(&panel.ticks(1), SIZE) + 14.0 - GAP).max(0.0).ceil();
    let sheet = (WIDTH + more, height, more);
    let mut out = begin(sheet, 28.0, &format!("{target}: methods compared"), subtitle);
    for (k, curve) in all.iter().enumerate() {
        panel.left = LEFT + (k % ACROSS) as f64 * (PANEL + GAP + more);
        panel.top = TOP + (k / ACROSS) as f64 * (HIGH + FOOT);
        out += &panel.draw(curve, &all[0]);
    }
    out + "</svg>\n"
}
