//! The table and the figure.

use crate::{NEAR, Row, SWEEPS, Seen, TIME};
use lcc_core::theory::diffusion;
use std::fmt::Write as _;

/// A bound on the diffusion's mixing time: that at which relative entropy is at most 2 NEAR^2, so that
/// total variation is at most NEAR.
fn bound(row: &Row) -> Option<f64> {
    let rate = 1.0 - row.setting.q;
    (rate > 0.0).then(|| diffusion::time_for(row.entropy, 2.0 * NEAR * NEAR, 2.0 * rate))
}

/// A bound on the diffusion's integrated autocorrelation time, of every function of xi.
fn memory_bound(q: f64) -> Option<f64> {
    (q < 1.0).then_some(4.0 / (1.0 - q))
}

fn number(x: Option<f64>, none: &str) -> String {
    x.map_or(none.into(), |x| format!("{x:.1}"))
}

fn seen(s: &Seen, longest: f64) -> String {
    let memory = s
        .memory
        .map_or("-".into(), |m| format!("{}{:.1}", if m.whole { "" } else { "> " }, m.time));
    let mixed = number(s.mixed, &format!("**not in {longest}**"));
    format!("{:.2} | {:.2} | {mixed} | {memory}", s.start, s.end)
}

/// One line of the table.
pub(crate) fn line(row: &Row) -> String {
    let Row { setting, langevin, gibbs, .. } = row;
    let status = match (setting.q, setting.proved) {
        (1.0.., _) => "outside",
        (_, true) => "proved",
        (_, false) => "conditional",
    };
    format!(
        "| {} | {:.2} | {status} | {} | {} | {} | {} |",
        setting.name(),
        setting.q,
        number(bound(row), "none"),
        number(memory_bound(setting.q), "none"),
        seen(langevin, TIME),
        seen(gibbs, SWEEPS as f64),
    )
}

/// The whole file.
pub(crate) fn table(rows: &[Row], chains: usize) -> String {
    let mut text = include_str!("head.md")
        .replace("{chains}", &chains.to_string())
        .replace("{noise}", &format!("{:.3}", 1.95 / (chains as f64).sqrt()));
    rows.iter().for_each(|row| writeln!(text, "{}", line(row)).expect("text"));
    text
}

/// Where the panels are: left edge, and what is drawn.
struct Panel<'a> {
    left: f64,
    title: &'a str,
    unit: &'a str,
    top: f64,
    langevin: fn(&Row) -> Option<f64>,
    gibbs: fn(&Row) -> Option<f64>,
}

const WIDTH: f64 = 360.0;
const HEIGHT: f64 = 260.0;
const BASE: f64 = 310.0;

fn across(q: f64) -> f64 {
    WIDTH * (q / 0.02).log10() / (2e4_f64).log10()
}

fn up(t: f64, top: f64) -> f64 {
    BASE - HEIGHT * (t.max(0.2) / 0.2).log10() / (top / 0.2_f64).log10()
}

/// Two panels over q: mixing time and integrated autocorrelation time.
pub(crate) fn figure(rows: &[Row]) -> String {
    let mut svg = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 900 400\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"900\" height=\"400\" fill=\"white\"/>\n",
    );
    let panels = [
        Panel {
            left: 60.0,
            title: "Mixing time of xi from N(0, I)",
            unit: "time (Langevin), iterations (Gibbs)",
            top: 200.0,
            langevin: |r| r.langevin.mixed,
            gibbs: |r| r.gibbs.mixed,
        },
        Panel {
            left: 510.0,
            title: "Integrated autocorrelation time at stationarity",
            unit: "time (Langevin), iterations (Gibbs)",
            top: 200.0,
            langevin: |r| r.langevin.memory.filter(|m| m.whole).map(|m| m.time),
            gibbs: |r| r.gibbs.memory.filter(|m| m.whole).map(|m| m.time),
        },
    ];
    for (k, panel) in panels.iter().enumerate() {
        draw(&mut svg, panel, rows, k == 1);
    }
    svg.push_str(
        "<text x=\"60\" y=\"375\"><tspan fill=\"#1b6ca8\">&#9679; Langevin on xi</tspan>   <tspan \
         fill=\"#c8553d\">&#9632; coupled Gibbs</tspan>   <tspan fill=\"#555\">&#8722; the theory's bound for the \
         diffusion, q &lt; 1</tspan>   at the top, open: not within the run</text>\n</svg>\n",
    );
    svg
}

fn draw(svg: &mut String, panel: &Panel<'_>, rows: &[Row], memory: bool) {
    let Panel { left, title, unit, top, .. } = *panel;
    let mut add = |text: String| {
        svg.push_str(&text);
        svg.push('\n');
    };
    let (right, high) = (left + WIDTH, BASE - HEIGHT);
    add(format!("<text x=\"{left}\" y=\"20\" font-weight=\"bold\">{title}</text>"));
    add(format!("<text x=\"{left}\" y=\"36\" fill=\"#555\">{unit}</text>"));
    let certified = left + across(1.0) - left - across(0.02);
    add(format!(
        "<rect x=\"{left}\" y=\"{high}\" width=\"{certified:.1}\" height=\"{HEIGHT}\" fill=\"#eef5ee\"/>"
    ));
    for t in [0.2, 1.0, 10.0, 100.0] {
        let y = up(t, top);
        add(format!("<path d=\"M{left} {y:.1}H{right}\" stroke=\"#ddd\"/>"));
        add(format!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{t}</text>",
            left - 5.0,
            y + 4.0
        ));
    }
    for q in [0.1, 1.0, 10.0, 100.0] {
        let x = left + across(q);
        add(format!("<path d=\"M{x:.1} {BASE}v5\" stroke=\"black\"/>"));
        add(format!("<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{q}</text>", BASE + 18.0));
    }
    add(format!(
        "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">q: certified below 1</text>",
        left + WIDTH / 2.0,
        BASE + 36.0
    ));
    for row in rows {
        let q = row.setting.q;
        let x = left + across(q);
        if let Some(b) = if memory { memory_bound(q) } else { bound(row) } {
            let y = up(b.min(top), top);
            add(format!(
                "<path d=\"M{:.1} {y:.1}h14\" stroke=\"#555\" stroke-width=\"2\"/>",
                x - 7.0
            ));
        }
        let (y, fill) = match (panel.langevin)(row) {
            Some(t) => (up(t, top), "#1b6ca8"),
            None => (high, "none"),
        };
        add(format!(
            "<circle cx=\"{:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{fill}\" stroke=\"#1b6ca8\"/>",
            x - 3.0
        ));
        let (y, fill) = match (panel.gibbs)(row) {
            Some(t) => (up(t, top), "#c8553d"),
            None => (high, "none"),
        };
        add(format!(
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"7\" height=\"7\" fill=\"{fill}\" stroke=\"#c8553d\"/>",
            x,
            y - 3.5
        ));
    }
}
