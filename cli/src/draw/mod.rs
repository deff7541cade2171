//! Figures as SVG: self-contained, no scripts, no external resources; and round numbers along an axis, in the shortest form
//! that tells them apart, no more of them than there is room for.

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

/// The width of a digit to the size of its letters, at most in the fonts of most systems.
pub(crate) const DIGIT: f64 = 0.6;
/// Between two numbers side by side.
const GAP: f64 = 6.0;
const MOST: usize = 32;

/// Multiples of 1, 2 or 5 times a power of ten: the step that gives at most `most` of them over [low, high], and the
/// smallest not below low.
fn steps(low: f64, high: f64, most: f64) -> (f64, f64) {
    let least = (high - low) / most;
    let power = 10.0_f64.powf(least.log10().floor());
    let nice = [1.0, 2.0, 5.0, 10.0].map(|n| n * power);
    let step = nice.into_iter().find(|s| *s >= least * (1.0 - 1e-9)).unwrap_or(10.0 * power);
    (step, (low / step - 1e-9).ceil() * step)
}

/// The place of the first digit.
fn power(value: f64) -> i32 {
    (value.abs().log10() + 1e-9).floor() as i32
}

/// In units of 10^`unit`, with the digits that a step of 10^`step` needs.
fn in_units(value: f64, unit: i32, step: i32, sign: &str) -> String {
    let decimals = usize::try_from(unit - step).unwrap_or(0);
    format!("{:.decimals$}{sign}", value / 10.0_f64.powi(unit))
}

/// As 1.5e-7.
fn as_power(value: f64, step: i32) -> String {
    let digits = usize::try_from(power(value) - step).unwrap_or(0).min(15);
    let text = format!("{value:.digits$e}");
    match text.split_once('e') {
        Some((own, power)) if own.contains('.') => {
            format!("{}e{power}", own.trim_end_matches('0').trim_end_matches('.'))
        }
        _ => text,
    }
}

/// All of an axis in one form: plain, in thousands, in millions or as powers, whichever is shortest.
fn texts(values: &[f64], step: f64) -> Vec<String> {
    let (most, place) = (values.iter().fold(0.0, |most: f64, v| most.max(v.abs())), power(step));
    let one = |value: f64, form: u32| match form {
        1.. if value == 0.0 => "0".to_string(),
        0 => in_units(value, 0, place, ""),
        1 => in_units(value, 3, place, "k"),
        2 => in_units(value, 6, place, "M"),
        _ => as_power(value, place),
    };
    // What reads at a glance stands as it is.
    let (plain, large) = (most < 99_999.5 && place >= -4, (99_999.5..1e9).contains(&most));
    let fits = |form: &u32| match form {
        0 => place > -10,
        1 | 2 => large,
        _ => !plain && !large,
    };
    let all = (0..4).filter(fits).map(|form| values.iter().map(|v| one(*v, form)).collect());
    let length = |own: &Vec<String>| own.iter().map(String::len).max();
    all.min_by_key(length).unwrap_or_default()
}

/// Where the numbers of an axis stand, and what they are.
pub(crate) fn ticks(low: f64, high: f64, most: f64) -> Vec<(f64, String)> {
    let (step, first) = steps(low, high, most);
    let all = (0..MOST).map(|k| first + k as f64 * step);
    let all = all.take_while(|value| *value <= high + 1e-9 * step);
    let values: Vec<f64> = all.map(|v| if v.abs() < 1e-9 * step { 0.0 } else { v }).collect();
    let texts = texts(&values, step);
    values.into_iter().zip(texts).collect()
}

/// The same of an axis across that is `width` long: as many as stand side by side in letters of that size.
pub(crate) fn ticks_across(
    (low, high): (f64, f64),
    most: f64,
    width: f64,
    size: f64,
) -> Vec<(f64, String)> {
    let apart = |own: &[(f64, String)]| {
        let share = |k: usize| (own[k + 1].0 - own[k].0) / (high - low) * width;
        let needs = |k: usize| 0.5 * DIGIT * size * (own[k].1.len() + own[k + 1].1.len()) as f64;
        (1..own.len()).all(|k| share(k - 1) >= needs(k - 1) + GAP)
    };
    let mut count = most;
    loop {
        let own = ticks(low, high, count);
        if apart(&own) || own.len() < 2 || count <= 1.0 {
            return own;
        }
        count -= 1.0;
    }
}

/// The pixels of the longest.
pub(crate) fn longest(own: &[(f64, String)], size: f64) -> f64 {
    DIGIT * size * own.iter().map(|(_, text)| text.len()).max().unwrap_or(0) as f64
}
