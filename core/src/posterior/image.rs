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
//! | 10 | 2 | flags; bit 15: under construction; bit 1: described; bit 0: reserved for weights of draws |
//! | 12 | 4 | d, the columns of a row: the network's inputs, and the exposure behind them |
//! | 16 | 4 | M, units of the first hidden layer; 0 if there is none |
//! | 20 | 4 | K, draws |
//! | 24 | 8 | total length, header and attachment included |
//! | 32 | 4 | CRC-32 of all bytes but these four |
//! | 36 | h - 36 | the description; reserved, zero, where bit 1 of the flags is not set |
//! | h | | means (d) and sds (d) of the columns, mean and sd of the target, floor of the noise where the family has one |
//! | | | K draws: the network's parameters in the order of `Architecture`, then the family's |
//! | | a | the attachment: bytes of whoever wrote the image |
//!
//! Without a description the network has one hidden layer, a linear part and Student-t noise: a draw is
//! Md + 2M + d + 3 values, w (neuron by neuron), b, v, b0, c, sigma, nu. Else, since minor version 1:
//!
//! | offset | bytes | content |
//! |---|---|---|
//! | 36 | 1 | output code |
//! | 37 | 1 | bit 0: linear part; bit 1: class 0 of the softmax is the reference; bit 2: exposure |
//! | 38 | 2 | categories |
//! | 40 | 12 | units of the hidden layers 2 to 4; 0 from the first that is not there |
//! | 52 | 4 | a, bytes of the attachment |
//! | 56 | 8 | reserved, zero |
//!
//! An exposure, and a target that is a count, have mean 0 and sd 1; a class has mean 0, and for the sd the temperature
//! of its probabilities. Mean-variance and mixture have a
//! floor of the noise, in standardised units, not negative.
//!
//! A reader accepts any minor version of its own major version; additions that change what the rest
//! means set a flag, and unknown flags are refused.

use super::shape::OneLayer;
use super::values::{Kind, increasing, noise_is_valid, order, read, valid};
use super::{Shape, StoreError, Tail};
use crate::activation::Activation;
use crate::checksum::crc32;
use crate::error::errors;
use crate::network::{Architecture, Output};
use crate::scalar::Real;

const MAGIC: [u8; 4] = *b"LCCM";
/// The version that is written without a description: 256 major + minor. With one the minor is 1 more.
pub const VERSION: u16 = 0x0100;
/// Bytes of the header that is written.
pub const HEADER: usize = 64;
/// Set until the image is sealed.
pub(super) const OPEN: u16 = 1 << 15;
/// Set where the header has a description.
const DESCRIBED: u16 = 1 << 1;
const CRC_AT: usize = 32;
const DESCRIPTION_AT: usize = 36;

errors! {
    /// Why bytes were refused as an image.
    pub enum ImageError {
        TooShort = "shorter than the header of an image",
        BadMagic = "not a posterior image",
        NewerVersion = "written by a newer version",
        Unsupported = "a precision, activation, output or flag unknown to this version",
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
    /// d, the columns of a row.
    pub(super) inputs: usize,
    /// M, units of the first hidden layer.
    pub(super) neurons: usize,
    pub(super) activation: Activation,
    /// Whether the header has a description.
    pub(super) described: bool,
    /// Whether it is what an image without one is: one hidden layer, Student-t noise.
    pub(super) one_layer: bool,
    /// Bytes of one value: 4 or 8.
    pub(super) width: usize,
    /// Offset of the standardisation.
    pub(super) header: usize,
    /// Offset of the first draw.
    pub(super) first: usize,
    /// Bytes of one draw.
    pub(super) stride: usize,
    pub(super) draws: usize,
    /// Bytes of the attachment.
    pub(super) attached: usize,
}

/// Values of the standardisation.
fn standards(shape: &Shape) -> Option<usize> {
    shape.inputs().checked_add(1)?.checked_mul(2)?.checked_add(shape.has_floor() as usize)
}

impl Layout {
    pub(super) fn new(shape: &Shape, width: usize) -> Option<Self> {
        let [neurons, ..] = shape.architecture.widths;
        let one_layer = shape.is_one_layer();
        let empty = Self {
            inputs: shape.inputs(),
            neurons: neurons as usize,
            activation: shape.activation,
            described: !one_layer,
            one_layer,
            width,
            header: HEADER,
            first: 0,
            stride: 0,
            draws: 0,
            attached: 0,
        };
        empty.sized(shape.draw_len()?, standards(shape)?)
    }

    /// Of networks that need no description.
    pub(super) fn one_layer(shape: &OneLayer, width: usize) -> Option<Self> {
        let (draw, standards) = one_layer(shape.inputs, shape.neurons)?;
        let OneLayer { inputs, neurons, activation } = *shape;
        let empty = Self {
            inputs,
            neurons,
            activation,
            described: false,
            one_layer: true,
            width,
            header: HEADER,
            first: 0,
            stride: 0,
            draws: 0,
            attached: 0,
        };
        empty.sized(draw, standards)
    }

    /// With the offsets that follow from the values of a draw and of the standardisation.
    #[inline(always)]
    fn sized(self, draw: usize, standards: usize) -> Option<Self> {
        let stride = draw.checked_mul(self.width)?;
        let first = self.header.checked_add(standards.checked_mul(self.width)?)?;
        let layout = Self { first, stride, ..self };
        let fits = |x: usize| u32::try_from(x).is_ok();
        let all = fits(self.inputs) && fits(self.neurons) && fits(self.draws);
        (all && layout.total()? <= isize::MAX as usize).then_some(layout)
    }

    /// The same with so many draws, if they can be.
    pub(super) fn holding(self, draws: usize) -> Option<Self> {
        let layout = Self { draws, ..self };
        let fits = u32::try_from(draws).is_ok() && layout.total()? <= isize::MAX as usize;
        fits.then_some(layout)
    }

    /// Values of one draw.
    pub(super) fn draw_len(&self) -> usize {
        self.stride.checked_div(self.width).unwrap_or(0)
    }

    /// Where the attachment starts.
    pub(super) fn end(&self) -> Option<usize> {
        self.draws.checked_mul(self.stride)?.checked_add(self.first)
    }

    /// The length of the image.
    pub(super) fn total(&self) -> Option<usize> {
        self.end()?.checked_add(self.attached)
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

/// The shape that the description of a header tells, and the bytes of the attachment.
fn described(bytes: &[u8], layout: &Layout) -> Result<(Shape, usize), ImageError> {
    use ImageError::*;
    let [output, bits] = field::<2>(bytes, DESCRIPTION_AT).ok_or(TooShort)?;
    let categories = field::<2>(bytes, 38).map(u16::from_le_bytes).ok_or(TooShort)?;
    let u32_at = |at| field::<4>(bytes, at).map(u32::from_le_bytes).ok_or(TooShort);
    let output = Output::from_code(output as i32).ok_or(Unsupported)?;
    if bits > 7 {
        return Err(Unsupported);
    }
    let [linear, reference, exposure] = [1, 2, 4].map(|bit| bits & bit != 0);
    let inputs = layout.inputs.checked_sub(exposure as usize).ok_or(BadShape)?;
    let neurons = u32::try_from(layout.neurons).map_err(|_| BadShape)?;
    let widths = [neurons, u32_at(40)?, u32_at(44)?, u32_at(48)?];
    let activation = layout.activation;
    let mut shape = Shape {
        architecture: Architecture { inputs, widths, outputs: 0, linear },
        activation,
        output,
        categories,
        reference,
        exposure,
    };
    shape.architecture.outputs = shape.outputs().ok_or(BadShape)?;
    Ok((shape, usize::try_from(u32_at(52)?).map_err(|_| BadShape)?))
}

/// Reads the header; the layout, the flags and the total length that it states. Unless it is to read `ANY`
/// network, those with a description are refused, and nothing that reads it is linked.
pub(super) fn parse<const ANY: bool>(bytes: &[u8]) -> Result<(Layout, u16, usize), ImageError> {
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
    if flags & !(OPEN | if ANY { DESCRIBED } else { 0 }) != 0 {
        return Err(Unsupported);
    }
    let index = |k: u32| usize::try_from(k).map_err(|_| BadShape);
    let (inputs, neurons) = (index(u32_at(12)?)?, index(u32_at(16)?)?);
    let draws = index(u32_at(20)?)?;
    let total = u64::from_le_bytes(field::<8>(bytes, 24).ok_or(TooShort)?);
    let total = usize::try_from(total).map_err(|_| BadShape)?;
    let mut layout = Layout {
        inputs,
        neurons,
        activation,
        described: ANY && flags & DESCRIBED != 0,
        one_layer: true,
        width,
        header,
        first: 0,
        stride: 0,
        draws,
        attached: 0,
    };
    let sizes = if layout.described {
        let (shape, attached) = described(bytes, &layout)?;
        (layout.attached, layout.one_layer) = (attached, shape.is_one_layer());
        shape.draw_len().zip(standards(&shape))
    } else {
        one_layer(inputs, neurons)
    };
    let layout = sizes.and_then(|(draw, own)| layout.sized(draw, own)).ok_or(BadShape)?;
    if header < HEADER { Err(BadShape) } else { Ok((layout, flags, total)) }
}

/// Values of a draw and of the standardisation of an image without a description.
pub(super) fn one_layer(inputs: usize, neurons: usize) -> Option<(usize, usize)> {
    if inputs == 0 || neurons == 0 {
        return None;
    }
    let network = neurons.checked_mul(inputs.checked_add(2)?)?.checked_add(inputs)?;
    Some((network.checked_add(3)?, inputs.checked_add(1)?.checked_mul(2)?))
}

/// Writes the fields up to the CRC into a header.
pub(super) fn write_header(bytes: &mut [u8], layout: &Layout, flags: u16, total: usize) {
    let own = layout.described as u16;
    let [v0, v1] = (VERSION + own).to_le_bytes();
    let [h0, h1] = (layout.header as u16).to_le_bytes();
    let [f0, f1] = (flags | (own * DESCRIBED)).to_le_bytes();
    let precision = if layout.width == 4 { 32 } else { 64 };
    let code = layout.activation as u8;
    let count = |k: usize| (k as u32).to_le_bytes();
    let fields = MAGIC
        .into_iter()
        .chain([v0, v1, h0, h1, precision, code, f0, f1])
        .chain(count(layout.inputs))
        .chain(count(layout.neurons))
        .chain(count(layout.draws))
        .chain((total as u64).to_le_bytes());
    bytes.iter_mut().zip(fields).for_each(|(b, x)| *b = x);
}

/// Writes the description of a shape, with the bytes of the attachment.
pub(super) fn write_description(bytes: &mut [u8], shape: &Shape, attached: u32) {
    let bits = [shape.architecture.linear, shape.reference, shape.exposure];
    let bits = bits.into_iter().rev().fold(0, |all, bit| all << 1 | bit as u8);
    let [_, widths @ ..] = shape.architecture.widths;
    let fields = [shape.output as i32 as u8, bits]
        .into_iter()
        .chain(shape.categories.to_le_bytes())
        .chain(widths.into_iter().flat_map(u32::to_le_bytes))
        .chain(attached.to_le_bytes());
    bytes.iter_mut().skip(DESCRIPTION_AT).zip(fields).for_each(|(b, x)| *b = x);
}

/// Seals the bytes of an image: its header, and the CRC of all of them.
pub(super) fn sealed(bytes: &mut [u8], layout: &Layout) {
    write_header(bytes, layout, 0, bytes.len());
    write_crc(bytes);
}

fn write_crc(bytes: &mut [u8]) {
    let crc = checksum(bytes).unwrap_or(0).to_le_bytes();
    bytes.iter_mut().skip(CRC_AT).zip(crc).for_each(|(b, x)| *b = x);
}

fn checksum(bytes: &[u8]) -> Option<u32> {
    let (before, rest) = bytes.split_at_checked(CRC_AT)?;
    Some(crc32(&[before, rest.get(4..)?]))
}

/// The bytes that an image of up to `capacity` draws takes in the precision T, without an attachment.
/// [`ImageError::BadShape`] if the shape or the capacity is empty or the length overflows.
pub fn image_size<T: Real>(shape: Shape, capacity: usize) -> Result<usize, ImageError> {
    Layout::new(&shape, T::BYTES)
        .and_then(|l| l.holding(capacity))
        .filter(|_| capacity > 0)
        .and_then(|l| l.total())
        .ok_or(ImageError::BadShape)
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
        Self::verified::<true>(bytes)
    }

    /// As [`open`](Self::open), reading the header only: for an image that was verified when it
    /// arrived. Any bytes are safe to open; damaged values give wrong numbers, not errors.
    pub fn open_unverified(bytes: &'a [u8]) -> Result<Self, ImageError> {
        Self::headed::<true>(bytes)
    }

    /// As [`open`](Self::open), but images with a description are [`ImageError::Unsupported`]: a program that
    /// predicts by networks of one hidden layer only links nothing that the others need.
    pub fn open_one_layer(bytes: &'a [u8]) -> Result<Self, ImageError> {
        Self::verified::<false>(bytes)
    }

    /// As [`open_one_layer`](Self::open_one_layer), reading the header only.
    pub fn open_one_layer_unverified(bytes: &'a [u8]) -> Result<Self, ImageError> {
        Self::headed::<false>(bytes)
    }

    fn verified<const ANY: bool>(bytes: &'a [u8]) -> Result<Self, ImageError> {
        let image = Self::headed::<ANY>(bytes)?;
        let stored = field::<4>(image.bytes, CRC_AT).map(u32::from_le_bytes);
        if stored.is_none() || checksum(image.bytes) != stored {
            return Err(ImageError::Corrupt);
        }
        let fine = image.values_are_valid() && (!ANY || image.description_holds());
        if fine { Ok(image) } else { Err(ImageError::BadValue) }
    }

    fn headed<const ANY: bool>(bytes: &'a [u8]) -> Result<Self, ImageError> {
        let (layout, flags, total) = parse::<ANY>(bytes)?;
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

    /// The standardisation and, without a description, the draws.
    fn values_are_valid(&self) -> bool {
        let Layout { width, header, first, inputs: d, draws, .. } = self.layout;
        // Never zero; said so that no panic path is left.
        let width = width.max(1);
        let Some(standards) = self.bytes.get(header..first) else { return false };
        let standards = standards.chunks_exact(width).enumerate().all(|(k, v)| {
            let is_sd =
                (d..d.saturating_mul(2)).contains(&k) || k == d.saturating_mul(2).saturating_add(1);
            valid(v, if is_sd { Kind::Positive } else { Kind::Finite })
        });
        standards
            && (self.layout.described
                || (0..draws).all(|k| {
                    let mut values = self.draw(k).chunks_exact(width);
                    noise_is_valid(&mut values) && values.all(|v| valid(v, Kind::Finite))
                }))
    }

    /// What a description asks of the standardisation and of the draws.
    fn description_holds(&self) -> bool {
        if !self.layout.described {
            return true;
        }
        let (shape, width) = (self.shape(), self.layout.width.max(1));
        // By their bits: a single-precision program computes nothing in double.
        let one = |sd: &[u8]| sd == 1.0_f32.to_le_bytes() || sd == 1.0_f64.to_le_bytes();
        let zero = |mean: &[u8]| mean.iter().all(|byte| *byte == 0);
        let unit = |mean, sd, any: bool| {
            zero(self.standard_bytes(mean)) && (any || one(self.standard_bytes(sd)))
        };
        let d = self.layout.inputs;
        let twice = d.saturating_mul(2);
        let last = d.saturating_sub(1);
        let exposure = !shape.exposure || unit(last, d.saturating_add(last), false);
        let target = shape.is_real() || unit(twice, twice.saturating_add(1), shape.is_class());
        let least = self.standard_bytes(twice.saturating_add(2));
        let floor = !shape.has_floor() || order(least) >= 0;
        let tail = shape.tail();
        exposure
            && target
            && floor
            && (0..self.layout.draws).all(|k| {
                let mut values = self.draw(k).chunks_exact(width);
                let own = match tail {
                    Tail::None => true,
                    Tail::Noise => noise_is_valid(&mut values),
                    Tail::Size => values.next_back().is_some_and(|v| valid(v, Kind::Positive)),
                    Tail::Thresholds => increasing(values.clone().skip(shape.architecture.dim())),
                };
                own && values.all(|v| valid(v, Kind::Finite))
            })
    }

    /// The bytes attached when the image was sealed: the caller's own.
    pub fn attachment(&self) -> &'a [u8] {
        self.layout.end().and_then(|end| self.bytes.get(end..)).unwrap_or(&[])
    }

    /// Writes the image with other bytes attached, in place of those that it has, to the front of `out`, and returns
    /// the length: that of the image without an attachment, and theirs. [`StoreError::TooSmall`] without that room.
    pub fn attach(&self, attachment: &[u8], out: &mut [u8]) -> Result<usize, StoreError> {
        self.copied(attachment, out).map(|copy| copy.len())
    }

    /// Writes the image of a class with another temperature t of its probabilities, finite and positive, to the front
    /// of `out`, and returns the length: P(c) is the mean of the draws' to the power 1/t, divided by the sum over the
    /// classes (Guo et al. 2017, of the mean instead of one network). [`StoreError::Units`] where y is no class or t
    /// not in its range, [`StoreError::TooSmall`] without room.
    pub fn temper(&self, temperature: f64, out: &mut [u8]) -> Result<usize, StoreError> {
        let mut bytes = temperature.to_le_bytes();
        if self.layout.width == 4 {
            let narrow = (temperature as f32).to_le_bytes();
            bytes.iter_mut().zip(narrow).for_each(|(b, x)| *b = x);
        }
        let bytes = bytes.get(..self.layout.width).ok_or(StoreError::TooSmall)?;
        if !(self.shape().is_class() && valid(bytes, Kind::Positive)) {
            return Err(StoreError::Units);
        }
        let copy = self.copied(self.attachment(), out)?;
        let place = self.layout.first.checked_sub(self.layout.width);
        let place = place.and_then(|at| copy.get_mut(at..self.layout.first));
        let place = place.ok_or(StoreError::TooSmall)?;
        place.iter_mut().zip(bytes).for_each(|(b, x)| *b = *x);
        write_crc(copy);
        Ok(copy.len())
    }

    fn copied<'b>(&self, attachment: &[u8], out: &'b mut [u8]) -> Result<&'b mut [u8], StoreError> {
        let small = StoreError::TooSmall;
        let attached = u32::try_from(attachment.len()).map_err(|_| small)?;
        let layout = Layout {
            attached: attachment.len(),
            described: !self.layout.one_layer || attached > 0,
            ..self.layout
        };
        let (end, total) = layout.end().zip(layout.total()).ok_or(small)?;
        let (out, own) = (out.get_mut(..total).ok_or(small)?, self.bytes.get(..end).ok_or(small)?);
        out.iter_mut().zip(own.iter().chain(attachment)).for_each(|(o, b)| *o = *b);
        if layout.described {
            write_description(out, &self.shape(), attached);
        } else if let Some(reserved) = out.get_mut(DESCRIPTION_AT..layout.header) {
            reserved.fill(0);
        }
        sealed(out, &layout);
        Ok(out)
    }

    /// What every draw has in common.
    pub fn shape(&self) -> Shape {
        let Layout { inputs, neurons, activation, .. } = self.layout;
        if !self.layout.described {
            return Shape::one_layer(inputs, neurons, activation);
        }
        let told = described(self.bytes, &self.layout);
        told.map_or(Shape::one_layer(inputs, 0, activation), |(shape, _)| shape)
    }
    /// (d, M, psi) of a network of one hidden layer with Student-t noise.
    #[inline(always)]
    pub(crate) fn one_layer(&self) -> Option<(usize, usize, Activation)> {
        let Layout { inputs, neurons, activation, one_layer, .. } = self.layout;
        one_layer.then_some((inputs, neurons, activation))
    }
    /// The columns of a row: [`Shape::inputs`].
    #[inline(always)]
    pub fn inputs(&self) -> usize {
        self.layout.inputs
    }
    /// Units of the first hidden layer; 0 if there is none.
    pub fn first_width(&self) -> usize {
        self.layout.neurons
    }
    /// psi.
    pub fn activation(&self) -> Activation {
        self.layout.activation
    }
    /// The least sd of the noise of mean-variance and mixture outputs, in standardised units; 0 of the others.
    pub fn floor<T: Real>(&self) -> T {
        let at = self.layout.inputs.saturating_add(1).saturating_mul(2);
        if self.shape().has_floor() { self.standard(at) } else { T::ZERO }
    }
    /// Of a class, the temperature of its probabilities ([`temper`](Self::temper)); 1 of other outputs.
    pub fn temperature<T: Real>(&self) -> T {
        if self.shape().is_class() { self.sd_y() } else { T::ONE }
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
        let bytes = self.standard_bytes(k);
        if bytes.is_empty() { T::NAN } else { read(bytes) }
    }
    /// Its bytes; none where there is no such value.
    fn standard_bytes(&self, k: usize) -> &'a [u8] {
        let Layout { width, header, first, .. } = self.layout;
        let standards = self.bytes.get(header..first).unwrap_or(&[]);
        standards.chunks_exact(width.max(1)).nth(k).unwrap_or(&[])
    }
    /// The mean of input j.
    #[inline(always)]
    pub fn mean_x<T: Real>(&self, j: usize) -> T {
        self.standard(j)
    }
    /// The standard deviation of input j.
    #[inline(always)]
    pub fn sd_x<T: Real>(&self, j: usize) -> T {
        self.standard(j.saturating_add(self.layout.inputs))
    }
    /// The mean of the target.
    pub fn mean_y<T: Real>(&self) -> T {
        self.standard(self.layout.inputs.saturating_mul(2))
    }
    /// The standard deviation of the target.
    pub fn sd_y<T: Real>(&self) -> T {
        self.standard(self.layout.inputs.saturating_mul(2).saturating_add(1))
    }
}
