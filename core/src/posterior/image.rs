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
//! | h | | means (d) and sds (d) of the columns, an sd negative where the column is bent; mean and sd of the target, floor of the noise where the family has one, w* where linearised |
//! | | | K draws: the network's parameters in the order of `Architecture`, then the family's |
//! | | a | the attachment: bytes of whoever wrote the image |
//!
//! Without a description the network has one hidden layer, a linear part and Student-t noise: a draw is
//! Md + 2M + d + 3 values, w (neuron by neuron), b, v, b0, c, sigma, nu. Else, since minor version 1:
//!
//! | offset | bytes | content |
//! |---|---|---|
//! | 36 | 1 | output code |
//! | 37 | 1 | bit 0: linear part; bit 1: class 0 of the softmax is the reference; bit 2: exposure; bit 3: linearised |
//! | 38 | 2 | categories |
//! | 40 | 12 | units of the hidden layers 2 to 4; 0 from the first that is not there |
//! | 52 | 4 | a, bytes of the attachment |
//! | 56 | 8 | reserved, zero |
//!
//! An exposure, and a target that is a count, have mean 0 and sd 1; a class has mean 0, and for the sd the temperature
//! of its probabilities. Mean-variance and mixture have a
//! floor of the noise, in standardised units, not negative.
//!
//! Linearised: the outputs of a draw w are f(w*) + J (w - w*), w* the network's parameters behind the units.
//!
//! Bent columns ([`Standardiser`](super::Standardiser)) came after the first readers, which refuse them for the sd that is not
//! positive.
//!
//! A reader accepts any minor version of its own major version; additions that change what the rest
//! means set a flag, and unknown flags are refused.

use super::header::{self, DESCRIPTION_AT, Layout, OPEN};
use super::values::{Kind, increasing, noise_is_valid, order, read, valid};
use super::{Shape, StoreError, Tail};
use crate::activation::Activation;
use crate::error::errors;
use crate::scalar::Real;

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
        if !header::is_whole(image.bytes) {
            return Err(ImageError::Corrupt);
        }
        let fine = image.values_are_valid() && (!ANY || image.description_holds());
        if fine { Ok(image) } else { Err(ImageError::BadValue) }
    }

    fn headed<const ANY: bool>(bytes: &'a [u8]) -> Result<Self, ImageError> {
        let (layout, flags, total) = header::parse::<ANY>(bytes)?;
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
            let kind = match k.checked_sub(d) {
                Some(j) if j < d => Kind::NotZero,
                Some(j) if j == d.saturating_add(1) => Kind::Positive,
                _ => Kind::Finite,
            };
            valid(v, kind)
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
        let before = self.sd_y_at().checked_mul(self.layout.width);
        let at = before.and_then(|at| at.checked_add(self.layout.header));
        let place = at.and_then(|at| copy.get_mut(at..)?.get_mut(..self.layout.width));
        let place = place.ok_or(StoreError::TooSmall)?;
        place.iter_mut().zip(bytes).for_each(|(b, x)| *b = *x);
        header::write_crc(copy);
        Ok(copy.len())
    }

    /// Writes the image of those draws alone that are to be kept, in their order, to the front of `out`, and returns the
    /// length. [`StoreError::NoDraw`] where there is none, [`StoreError::TooSmall`] without room.
    pub fn keep(&self, keep: &dyn Fn(usize) -> bool, out: &mut [u8]) -> Result<usize, StoreError> {
        let small = StoreError::TooSmall;
        let kept = || (0..self.draws()).filter(|k| keep(*k));
        let layout = self.layout.holding(kept().count()).ok_or(small)?;
        if layout.draws == 0 {
            return Err(StoreError::NoDraw);
        }
        let total = layout.total().ok_or(small)?;
        let out = out.get_mut(..total).ok_or(small)?;
        let head = self.bytes.get(..layout.first).ok_or(small)?;
        let draws = kept().flat_map(|k| self.draw(k));
        let all = head.iter().chain(draws).chain(self.attachment());
        out.iter_mut().zip(all).for_each(|(o, b)| *o = *b);
        header::sealed(out, &layout);
        Ok(total)
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
            header::write_description(out, &self.shape(), attached);
        } else if let Some(reserved) = out.get_mut(DESCRIPTION_AT..layout.header) {
            reserved.fill(0);
        }
        header::sealed(out, &layout);
        Ok(out)
    }

    /// What every draw has in common.
    pub fn shape(&self) -> Shape {
        let Layout { inputs, neurons, activation, .. } = self.layout;
        if !self.layout.described {
            return Shape::one_layer(inputs, neurons, activation);
        }
        let told = header::described(self.bytes, &self.layout);
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
    /// The least sd of the noise of outputs that have a variance at each row, in standardised units; 0 of the others.
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
        self.bytes_of(draw, from, count).chunks_exact(self.layout.width.max(1)).map(read)
    }

    /// Their bytes.
    #[inline(always)]
    fn bytes_of(&self, draw: usize, from: usize, count: usize) -> &'a [u8] {
        let width = self.layout.width.max(1);
        let start = from.saturating_mul(width);
        let end = start.saturating_add(count.saturating_mul(width));
        self.draw(draw).get(start..end).unwrap_or(&[])
    }

    /// Reads as many numbers of one draw from `from` on as there are places; none where they are not all there.
    #[inline(always)]
    pub(crate) fn copy<T: Real>(&self, draw: usize, from: usize, places: &mut [T]) {
        let bytes = self.bytes_of(draw, from, places.len());
        // Of a length that the compiler knows: `part` divides by it.
        if self.layout.width == 4 {
            places.iter_mut().zip(bytes.as_chunks::<4>().0).for_each(|(place, x)| *place = read(x));
        } else {
            places.iter_mut().zip(bytes.as_chunks::<8>().0).for_each(|(place, x)| *place = read(x));
        }
    }

    /// Values `from` to `from + count` of the point about which the network is linearised; none where they are not
    /// all there.
    #[inline(always)]
    pub(crate) fn point<T: Real>(
        &self,
        shape: &Shape,
        from: usize,
        count: usize,
    ) -> impl Iterator<Item = T> + use<'a, T> {
        let Layout { inputs, width, header, first, .. } = self.layout;
        let width = width.max(1);
        let units =
            inputs.saturating_add(1).saturating_mul(2).saturating_add(shape.has_floor() as usize);
        let start = units.saturating_add(from).saturating_mul(width);
        let end = start.saturating_add(count.saturating_mul(width));
        let standards = self.bytes.get(header..first).unwrap_or(&[]);
        // Zipped with another of its kind it would divide by the width anew, which might be 0 for all that the compiler
        // knows there: not so behind `take`.
        standards.get(start..end).unwrap_or(&[]).chunks_exact(width).map(read).take(count)
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
    /// The standard deviation of input j; negative where it is bent, see [`Standardiser`](super::Standardiser).
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
        self.standard(self.sd_y_at())
    }
    fn sd_y_at(&self) -> usize {
        self.layout.inputs.saturating_mul(2).saturating_add(1)
    }
}
