//! Figures as SVG: self-contained, no scripts, no external resources.

mod agreement;
mod curves;
mod histogram;
mod scores;
mod tiles;

pub(crate) use agreement::{Words, agreement};
pub(crate) use curves::{Curve, curves};
pub(crate) use histogram::{Panel, histogram};
pub(crate) use lcc_model::report::page::{DIGIT, escaped, longest, ticks, ticks_across};
pub(crate) use scores::{Line, scores};
pub(crate) use tiles::{Tile, tiles};

/// Okabe and Ito's blue and vermilion, distinguished with any colour vision; and ink.
pub(crate) const INSIDE: &str = "#0072b2";
pub(crate) const OUTSIDE: &str = "#d55e00";
pub(crate) const INK: &str = "#1f2933";
pub(crate) const FAINT: &str = "#6b7785";
pub(crate) const GRID: &str = "#e6eaee";

/// The sheet and its headings; `more` is what it has left of 0, for numbers that are long.
pub(crate) fn begin(
    (width, height, more): (f64, f64, f64),
    left: f64,
    title: &str,
    subtitle: &str,
) -> String {
    let left_of = if more > 0.0 { format!(" x=\"-{more:.0}\"") } else { String::new() };
    let (title, subtitle, width) = (escaped(title), escaped(subtitle), width + more);
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" \
         height=\"{height:.0}\" viewBox=\"{:.0} 0 {width:.0} {height:.0}\" font-family=\"'Helvetica Neue', Helvetica, \
         Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif\" fill=\"{INK}\">\n<title>{title}</title>\n\
         <rect{left_of} width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         <text x=\"{left:.2}\" y=\"44\" font-size=\"20\" font-weight=\"600\">{title}</text>\n\
         <text x=\"{left:.2}\" y=\"72\" font-size=\"15\" fill=\"{FAINT}\">{subtitle}</text>\n",
        0.0 - more
    )
}
