//! Figures as SVG: self-contained, no scripts, no external resources.

mod agreement;
mod curves;
mod histogram;
mod scores;
mod tiles;

pub(crate) use agreement::{Words, agreement};
pub(crate) use curves::{Curve, curves};
pub(crate) use histogram::{Panel, bins, histogram};
pub(crate) use scores::{Line, scores};
pub(crate) use tiles::{Tile, tiles};

/// Okabe and Ito's blue and vermilion, distinguished with any colour vision; and ink.
pub(crate) const INSIDE: &str = "#0072b2";
pub(crate) const OUTSIDE: &str = "#d55e00";
pub(crate) const INK: &str = "#1f2933";
pub(crate) const FAINT: &str = "#6b7785";
pub(crate) const GRID: &str = "#e6eaee";

/// A text in SVG or HTML, or in an attribute of either.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// Ticks at multiples of 1, 2 or 5 times a power of ten: the step that gives at most `most` of them over [low, high], and
/// the smallest tick not below low.
pub(crate) fn ticks(low: f64, high: f64, most: f64) -> (f64, f64) {
    let least = (high - low) / most;
    let power = 10.0_f64.powf(least.log10().floor());
    let nice = [1.0, 2.0, 5.0, 10.0].map(|n| n * power);
    let step = nice.into_iter().find(|s| *s >= least * (1.0 - 1e-9)).unwrap_or(10.0 * power);
    (step, (low / step - 1e-9).ceil() * step)
}

/// The sheet and its headings.
pub(crate) fn begin(width: f64, height: f64, left: f64, title: &str, subtitle: &str) -> String {
    let (title, subtitle) = (escaped(title), escaped(subtitle));
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" \
         height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"'Helvetica Neue', Helvetica, \
         Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif\" fill=\"{INK}\">\n<title>{title}</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         <text x=\"{left:.2}\" y=\"44\" font-size=\"20\" font-weight=\"600\">{title}</text>\n\
         <text x=\"{left:.2}\" y=\"72\" font-size=\"15\" fill=\"{FAINT}\">{subtitle}</text>\n"
    )
}
