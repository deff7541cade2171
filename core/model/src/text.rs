//! Numbers as text and text as numbers, the same on every machine; and options whose value is one of some names.

use crate::fault::Fault;
use crate::table::similar;

/// A finite number with at most so many significant digits, without trailing zeros; of very large and very small ones with
/// an exponent. This is C's `%g`.
pub fn general(value: f64, digits: usize) -> String {
    if !value.is_finite() {
        let sign = if value.is_sign_negative() { "-" } else { "" };
        return format!("{sign}{}", if value.is_nan() { "nan" } else { "inf" });
    }
    let digits = digits.max(1);
    let long = format!("{:.*e}", digits - 1, value);
    let (mantissa, exponent) = long.split_once('e').unwrap_or((&long, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trim = |text: &str| match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => text.to_string(),
    };
    if exponent < -4 || exponent >= digits as i32 {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{}e{sign}{:02}", trim(mantissa), exponent.abs());
    }
    let places = (digits as i32 - 1 - exponent).max(0) as usize;
    trim(&format!("{value:.places$}"))
}

/// [`general`] with six digits.
pub fn short(value: f64) -> String {
    general(value, 6)
}

/// A number with so many decimals, also where it is not finite. This is C's `%f`.
pub fn fixed(value: f64, places: usize) -> String {
    if value.is_finite() { format!("{value:.places$}") } else { general(value, 1) }
}

/// The number where the whole text is one: digits, a sign, a point, an exponent. Named values are none.
pub fn real(text: &str) -> Option<f64> {
    let own = |c: u8| matches!(c, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
    if text.is_empty() || text.len() >= 1 << 16 || !text.bytes().all(own) {
        return None;
    }
    text.parse().ok()
}

/// The number where the whole text is a whole one without a sign.
pub fn unsigned(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit());
    if digits { text.parse().ok() } else { None }
}

/// "s" unless there is one.
pub(crate) fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// FNV-1a of 64 bits over some pieces.
pub fn checksum<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> u64 {
    let mut sum = 0xcbf2_9ce4_8422_2325_u64;
    for byte in pieces.into_iter().flatten() {
        sum = (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    }
    sum
}

/// That there is no such name, and which there are.
pub fn unknown<'a>(option: &str, given: &str, names: impl IntoIterator<Item = &'a str>) -> Fault {
    let names: Vec<&str> = names.into_iter().collect();
    let near = similar(given, names.iter().copied());
    let near = near.map_or(String::new(), |near| format!("; is \"{near}\" meant?"));
    let all = names.join(" ");
    Fault::usage(format!("{option}: this build has no \"{given}\"{near}; it has: {all}"))
}

/// The choice of that name.
pub fn choose<T: Copy>(option: &str, given: &str, all: &[(&'static str, T)]) -> Result<T, Fault> {
    let found = all.iter().find(|(name, _)| *name == given).map(|(_, choice)| *choice);
    found.ok_or_else(|| unknown(option, given, all.iter().map(|(name, _)| *name)))
}
