//! Values of an image: read in either precision, and told from their bits whether they are what they must be.

use crate::scalar::Real;

/// Rounds the bits of a double to those of a single, to nearest, ties to even: in integers, so that
/// a single-precision program needs no double-precision arithmetic.
#[cold]
#[inline(never)]
fn narrow(bits: u64) -> u32 {
    let sign = ((bits >> 32) as u32) & 0x8000_0000;
    let exponent = ((bits >> 52) & 0x7FF) as i32;
    let mantissa = bits & 0x000F_FFFF_FFFF_FFFF;
    let round = |x: u64, shift: u32| -> u32 {
        let kept = x >> shift;
        let (lost, half) = (x & ((1 << shift) - 1), 1 << (shift - 1));
        (kept + (lost > half || (lost == half && kept & 1 == 1)) as u64) as u32
    };
    match exponent - 1023 + 127 {
        1920 => sign | 0x7F80_0000 | (((mantissa != 0) as u32) << 22),
        e if e >= 255 => sign | 0x7F80_0000,
        // A carry out of the mantissa is the next exponent.
        e if e >= 1 => sign | round(((e as u64) << 52) | mantissa, 29),
        e if e >= -23 => sign | round((1 << 52) | mantissa, (30 - e) as u32),
        _ => sign,
    }
}

/// A value of 4 or 8 bytes in the precision T: exact in the same or a wider one, else rounded to
/// nearest (infinite beyond the range of `f32`).
#[cfg_attr(feature = "wide", inline(always))]
#[cfg_attr(not(feature = "wide"), inline(never))]
pub(super) fn read<T: Real>(bytes: &[u8]) -> T {
    if bytes.len() == T::BYTES {
        return T::from_le(bytes).unwrap_or(T::NAN);
    }
    if T::BYTES == 4 {
        let bits = bytes.try_into().map(u64::from_le_bytes);
        bits.ok().and_then(|b| T::from_le(&narrow(b).to_le_bytes())).unwrap_or(T::NAN)
    } else {
        let single = bytes.try_into().map(f32::from_le_bytes);
        single.ok().and_then(|x| T::from_le(&f64::from(x).to_le_bytes())).unwrap_or(T::NAN)
    }
}

/// What a value must be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Finite,
    NotZero,
    Positive,
    PositiveOrInfinite,
}

/// The bits of a value, those of infinity, and the sign.
fn bits(bytes: &[u8]) -> Option<[u64; 3]> {
    if let Ok(b) = <[u8; 4]>::try_from(bytes) {
        Some([u32::from_le_bytes(b) as u64, 0x7F80_0000, 1 << 31])
    } else if let Ok(b) = <[u8; 8]>::try_from(bytes) {
        Some([u64::from_le_bytes(b), 0x7FF0_0000_0000_0000, 1 << 63])
    } else {
        None
    }
}

/// Whether the value is what it must be, told from its bits.
pub(super) fn valid(bytes: &[u8], kind: Kind) -> bool {
    let Some([bits, infinity, sign]) = bits(bytes) else { return false };
    match kind {
        Kind::Finite => bits & !sign < infinity,
        Kind::NotZero => bits & !sign > 0 && bits & !sign < infinity,
        Kind::Positive => bits > 0 && bits < infinity,
        Kind::PositiveOrInfinite => bits > 0 && bits <= infinity,
    }
}

/// A number that grows with a finite value, told from its bits; the two zeros are one.
pub(super) fn order(bytes: &[u8]) -> i64 {
    let Some([bits, _, sign]) = bits(bytes) else { return 0 };
    let size = (bits & !sign) as i64;
    if bits & sign == 0 { size } else { size.wrapping_neg() }
}

/// Whether the values increase.
pub(super) fn increasing<'b>(values: impl Iterator<Item = &'b [u8]>) -> bool {
    let mut last = None;
    for value in values {
        let own = order(value);
        if last.is_some_and(|last| last >= own) {
            return false;
        }
        last = Some(own);
    }
    true
}

/// Whether the last two values are sigma and nu.
pub(super) fn noise_is_valid(values: &mut core::slice::ChunksExact<'_, u8>) -> bool {
    let nu = values.next_back().is_some_and(|v| valid(v, Kind::PositiveOrInfinite));
    nu && values.next_back().is_some_and(|v| valid(v, Kind::Positive))
}
