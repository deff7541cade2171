//! Round numbers along an axis, in the shortest form that tells them apart, and no more of them than there is room for.

/// The width of a digit to the size of its letters, at most in the fonts of most systems.
pub const DIGIT: f64 = 0.6;
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
pub fn ticks(low: f64, high: f64, most: f64) -> Vec<(f64, String)> {
    let (step, first) = steps(low, high, most);
    let all = (0..MOST).map(|k| first + k as f64 * step);
    let all = all.take_while(|value| *value <= high + 1e-9 * step);
    let values: Vec<f64> = all.map(|v| if v.abs() < 1e-9 * step { 0.0 } else { v }).collect();
    let texts = texts(&values, step);
    values.into_iter().zip(texts).collect()
}

/// The same of an axis across that is `width` long: as many as stand side by side in letters of that size.
pub fn ticks_across(
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
pub fn longest(own: &[(f64, String)], size: f64) -> f64 {
    DIGIT * size * own.iter().map(|(_, text)| text.len()).max().unwrap_or(0) as f64
}
