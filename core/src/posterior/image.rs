//! The image of a posterior: bytes that mean the same everywhere.
//!
//! All numbers are little-endian; no alignment is asked for.
//!
//! | offset | bytes | content |
//! |---|---|---|
//! | 0 | 4 | `LCCM` |
//! | 4 | 2 | version, 256 major + minor |
//! | 6 | 2 | length h of this header, at least 64 |
//! | 8 | 1 | precision of the values: 32 or 64 bits |
//! | 9 | 1 | activation code |
//! | 10 | 2 | flags; bit 15: under construction; bit 0: reserved for weights of draws |
//! | 12 | 4 | d, inputs |
//! | 16 | 4 | M, neurons |
//! | 20 | 4 | K, draws |
//! | 24 | 8 | total length, header included |
//! | 32 | 4 | CRC-32 of all bytes but these four |
//! | 36 | h - 36 | reserved, zero |
//! | h | | means (d) and sds (d) of the inputs, mean and sd of the target |
//! | | | K draws of Md + 2M + d + 3 values: w (neuron by neuron), b, v, b0, c, sigma, nu |
//!
//! A reader accepts any minor version of its own major version; additions that change what the rest
//! means set a flag, and unknown flags are refused.

use super::Shape;
use crate::activation::Activation;
use crate::checksum::crc32;
use crate::error::errors;
use crate::scalar::Real;

const MAGIC: [u8; 4] = *b"LCCM";
/// The version that is written: 256 major + minor.
pub const VERSION: u16 = 0x0100;
/// Bytes of the header that is written.
pub const HEADER: usize = 64;
/// Set until the image is sealed.
pub(super) const OPEN: u16 = 1 << 15;
const CRC_AT: usize = 32;

errors! {
    /// Why bytes were refused as an image.
    pub enum ImageError {
        TooShort = "shorter than the header of an image",
        BadMagic = "not a posterior image",
        NewerVersion = "written by a newer version",
        Unsupported = "a precision, activation or flag unknown to this version",
        Unsealed = "the image was not sealed",
        BadShape = "the shape is empty or contradicts the length",
        Truncated = "shorter than its header says",
        Corrupt = "the checksum does not match",
        /// A NaN or infinity, or a scale or nu not positive.
        BadValue = "a value is not finite, or a scale not positive",
    }
}

/// Where everything lies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    pub(super) shape: Shape,
    /// Bytes of one value: 4 or 8.
    pub(super) width: usize,
    /// Offset of the standardisation.
    pub(super) header: usize,
    /// Offset of the first draw.
    pub(super) first: usize,
    /// Bytes of one draw.
    pub(super) stride: usize,
    pub(super) draws: usize,
}

impl Layout {
    pub(super) fn new(shape: Shape, width: usize, header: usize, draws: usize) -> Option<Self> {
        let stride = shape.draw_len()?.checked_mul(width)?;
        let standards = shape.inputs.checked_add(1)?.checked_mul(2)?.checked_mul(width)?;
        let first = header.checked_add(standards)?;
        let layout = Self { shape, width, header, first, stride, draws };
        let fits = |x: usize| u32::try_from(x).is_ok();
        let all = fits(shape.inputs) && fits(shape.neurons) && fits(draws);
        (all && layout.total()? <= isize::MAX as usize).then_some(layout)
    }

    /// The length of the image.
    pub(super) fn total(&self) -> Option<usize> {
        self.draws.checked_mul(self.stride)?.checked_add(self.first)
    }

    /// The bytes of one draw.
    #[inline(always)]
    pub(super) fn range(&self, draw: usize) -> Option<core::ops::Range<usize>> {
        let start = draw.checked_mul(self.stride)?.checked_add(self.first)?;
        (draw < self.draws).then_some(start..start.checked_add(self.stride)?)
    }
}

/// A field of the header.
fn field<const K: usize>(bytes: &[u8], at: usize) -> Option<[u8; K]> {
    bytes.get(at..)?.first_chunk::<K>().copied()
}

/// Reads the header; the layout, the flags and the total length that it states.
pub(super) fn parse(bytes: &[u8]) -> Result<(Layout, u16, usize), ImageError> {
    use ImageError::*;
    let u16_at = |at| field::<2>(bytes, at).map(u16::from_le_bytes).ok_or(TooShort);
    let u32_at = |at| field::<4>(bytes, at).map(u32::from_le_bytes).ok_or(TooShort);
    if bytes.first_chunk::<4>().ok_or(TooShort)? != &MAGIC {
        return Err(BadMagic);
    }
    match u16_at(4)? >> 8 {
        major if major > VERSION >> 8 => return Err(NewerVersion),
        major if major < VERSION >> 8 => return Err(Unsupported),
        _ => {}
    }
    if bytes.len() < HEADER {
        return Err(TooShort);
    }
    let header = u16_at(6)? as usize;
    let [precision, code] = field::<2>(bytes, 8).ok_or(TooShort)?;
    let flags = u16_at(10)?;
    let width = match precision {
        32 => 4,
        64 => 8,
        _ => return Err(Unsupported),
    };
    let activation = Activation::from_code(code as i32).ok_or(Unsupported)?;
    if flags & !OPEN != 0 {
        return Err(Unsupported);
    }
    let index = |k: u32| usize::try_from(k).map_err(|_| BadShape);
    let shape = Shape { inputs: index(u32_at(12)?)?, neurons: index(u32_at(16)?)?, activation };
    let draws = index(u32_at(20)?)?;
    let total = u64::from_le_bytes(field::<8>(bytes, 24).ok_or(TooShort)?);
    let total = usize::try_from(total).map_err(|_| BadShape)?;
    let layout = Layout::new(shape, width, header, draws).ok_or(BadShape)?;
    if header < HEADER { Err(BadShape) } else { Ok((layout, flags, total)) }
}

/// Writes the fields up to the CRC into a header.
pub(super) fn write_header(bytes: &mut [u8], layout: &Layout, flags: u16, total: usize) {
    let [v0, v1] = VERSION.to_le_bytes();
    let [h0, h1] = (HEADER as u16).to_le_bytes();
    let [f0, f1] = flags.to_le_bytes();
    let precision = if layout.width == 4 { 32 } else { 64 };
    let code = layout.shape.activation as u8;
    let count = |k: usize| (k as u32).to_le_bytes();
    let fields = MAGIC
        .into_iter()
        .chain([v0, v1, h0, h1, precision, code, f0, f1])
        .chain(count(layout.shape.inputs))
        .chain(count(layout.shape.neurons))
        .chain(count(layout.draws))
        .chain((total as u64).to_le_bytes());
    bytes.iter_mut().zip(fields).for_each(|(b, x)| *b = x);
}

/// Seals: writes the CRC of the first `total` bytes.
pub(super) fn write_crc(bytes: &mut [u8]) {
    let crc = checksum(bytes).unwrap_or(0).to_le_bytes();
    bytes.iter_mut().skip(CRC_AT).zip(crc).for_each(|(b, x)| *b = x);
}

fn checksum(bytes: &[u8]) -> Option<u32> {
    let (before, rest) = bytes.split_at_checked(CRC_AT)?;
    Some(crc32(&[before, rest.get(4..)?]))
}

/// The bytes that an image of up to `capacity` draws takes in the precision T.
/// [`ImageError::BadShape`] if the shape or the capacity is empty or the length overflows.
pub fn image_size<T: Real>(shape: Shape, capacity: usize) -> Result<usize, ImageError> {
    Layout::new(shape, T::BYTES, HEADER, capacity)
        .filter(|_| capacity > 0)
        .and_then(|l| l.total())
        .ok_or(ImageError::BadShape)
}

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
enum Kind {
    Finite,
    Positive,
    PositiveOrInfinite,
}

/// Whether the value is what it must be, told from its bits.
fn valid(bytes: &[u8], kind: Kind) -> bool {
    let (bits, infinity, sign) = if let Ok(b) = <[u8; 4]>::try_from(bytes) {
        (u32::from_le_bytes(b) as u64, 0x7F80_0000, 1 << 31)
    } else if let Ok(b) = <[u8; 8]>::try_from(bytes) {
        (u64::from_le_bytes(b), 0x7FF0_0000_0000_0000, 1 << 63)
    } else {
        return false;
    };
    match kind {
        Kind::Finite => bits & !sign < infinity,
        Kind::Positive => bits > 0 && bits < infinity,
        Kind::PositiveOrInfinite => bits > 0 && bits <= infinity,
    }
}

/// A posterior, read where it lies.
#[derive(Clone, Copy, Debug)]
pub struct Image<'a> {
    bytes: &'a [u8],
    layout: Layout,
}

impl<'a> Image<'a> {
    /// Checks the bytes and reads them in place; bytes beyond the image's own length are ignored, so
    /// that a whole flash sector may be passed. Any bytes are safe to open. Reads all of them twice:
    /// the checksum (8 steps a byte) and the range of every value.
    pub fn open(bytes: &'a [u8]) -> Result<Self, ImageError> {
        let image = Self::open_unverified(bytes)?;
        let stored = field::<4>(image.bytes, CRC_AT).map(u32::from_le_bytes);
        if stored.is_none() || checksum(image.bytes) != stored {
            return Err(ImageError::Corrupt);
        }
        if image.values_are_valid() { Ok(image) } else { Err(ImageError::BadValue) }
    }

    /// As [`open`](Self::open), reading the header only: for an image that was verified when it
    /// arrived. Any bytes are safe to open; damaged values give wrong numbers, not errors.
    pub fn open_unverified(bytes: &'a [u8]) -> Result<Self, ImageError> {
        let (layout, flags, total) = parse(bytes)?;
        if flags & OPEN != 0 {
            return Err(ImageError::Unsealed);
        }
        if layout.draws == 0 || layout.total() != Some(total) {
            return Err(ImageError::BadShape);
        }
        let bytes = bytes.get(..total).ok_or(ImageError::Truncated)?;
        Ok(Self { bytes, layout })
    }

    /// What a store holds, sealed or not.
    pub(super) fn unchecked(bytes: &'a [u8], layout: Layout) -> Self {
        Self { bytes, layout }
    }

    fn values_are_valid(&self) -> bool {
        let Layout { width, header, first, shape, draws, .. } = self.layout;
        // Never zero; said so that no panic path is left.
        let width = width.max(1);
        let Some(standards) = self.bytes.get(header..first) else { return false };
        let d = shape.inputs;
        let standards = standards.chunks_exact(width).enumerate().all(|(k, v)| {
            let is_sd = (d..d.saturating_mul(2)).contains(&k) || k > d.saturating_mul(2);
            valid(v, if is_sd { Kind::Positive } else { Kind::Finite })
        });
        standards
            && (0..draws).all(|k| {
                let mut values = self.draw(k).chunks_exact(width);
                let nu = values.next_back().is_some_and(|v| valid(v, Kind::PositiveOrInfinite));
                let sigma = values.next_back().is_some_and(|v| valid(v, Kind::Positive));
                nu && sigma && values.all(|v| valid(v, Kind::Finite))
            })
    }

    /// What every draw has in common.
    pub fn shape(&self) -> Shape {
        self.layout.shape
    }
    /// K, the draws.
    #[inline(always)]
    pub fn draws(&self) -> usize {
        self.layout.draws
    }
    /// The precision of the stored values: 32 or 64 bits.
    pub fn precision(&self) -> u32 {
        if self.layout.width == 4 { 32 } else { 64 }
    }
    /// The image itself, without what lay behind it.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The bytes of one draw; empty out of range.
    #[inline(always)]
    pub(crate) fn draw(&self, draw: usize) -> &'a [u8] {
        self.layout.range(draw).and_then(|r| self.bytes.get(r)).unwrap_or(&[])
    }

    /// The values of one draw, in the order of [`Shape::draw_len`]; none out of range. A value
    /// stored in the other precision is rounded to nearest.
    #[inline(always)]
    pub fn values<T: Real>(
        &self,
        draw: usize,
    ) -> impl DoubleEndedIterator<Item = T> + ExactSizeIterator + Clone + use<'a, T> {
        self.draw(draw).chunks_exact(self.layout.width.max(1)).map(read)
    }

    /// Values `from` to `from + count` of one draw; none where they are not all there.
    #[inline(always)]
    pub(crate) fn part<T: Real>(
        &self,
        draw: usize,
        from: usize,
        count: usize,
    ) -> impl Iterator<Item = T> + use<'a, T> {
        let width = self.layout.width.max(1);
        let start = from.saturating_mul(width);
        let end = start.saturating_add(count.saturating_mul(width));
        self.draw(draw).get(start..end).unwrap_or(&[]).chunks_exact(width).map(read)
    }

    /// Value k of the standardisation: means (d), sds (d), mean and sd of the target.
    #[inline(never)]
    fn standard<T: Real>(&self, k: usize) -> T {
        let Layout { width, header, first, .. } = self.layout;
        let standards = self.bytes.get(header..first).unwrap_or(&[]);
        standards.chunks_exact(width.max(1)).nth(k).map_or(T::NAN, read)
    }
    /// The mean of input j.
    #[inline(always)]
    pub fn mean_x<T: Real>(&self, j: usize) -> T {
        self.standard(j)
    }
    /// The standard deviation of input j.
    #[inline(always)]
    pub fn sd_x<T: Real>(&self, j: usize) -> T {
        self.standard(j.saturating_add(self.layout.shape.inputs))
    }
    /// The mean of the target.
    pub fn mean_y<T: Real>(&self) -> T {
        self.standard(self.layout.shape.inputs.saturating_mul(2))
    }
    /// The standard deviation of the target.
    pub fn sd_y<T: Real>(&self) -> T {
        self.standard(self.layout.shape.inputs.saturating_mul(2).saturating_add(1))
    }
}
