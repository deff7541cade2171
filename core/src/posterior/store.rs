//! Draws, collected in the image that will be read.

use super::header::{self, Layout, OPEN};
use super::image::Image;
use super::shape::OneLayer;
use super::{Shape, Standardiser, Tail};
use crate::error::errors;
use crate::pieces::pieces_mut;
use crate::scalar::Real;
use core::marker::PhantomData;

errors! {
    /// Why a store refused.
    pub enum StoreError {
        TooSmall = "the memory holds no draw of this shape",
        Inputs = "the standardisation has another number of inputs",
        Units = "an exposure and a target that is not real have mean 0 and sd 1, and the floor of the noise is not negative",
        NotAStore = "the memory holds no unsealed image of this precision",
        Full = "the store is full",
        NoDraw = "there is no such draw",
        Length = "a draw of the wrong length",
        Value = "a value of the draw is out of range",
    }
}

/// An [`Image`] under construction in the caller's memory: [`new`](Self::new), [`push`](Self::push)
/// draws up to the capacity, [`seal`](Self::seal). The memory holds the whole state:
/// [`resume`](Self::resume) takes it up again, also after it was moved.
///
/// A store that is not for `ANY` network holds those of one hidden layer without a description, and links nothing
/// that the others need.
#[derive(Debug)]
pub struct Store<'a, T, const ANY: bool = true> {
    bytes: &'a mut [u8],
    layout: Layout,
    precision: PhantomData<T>,
}

impl<'a, T: Real> Store<'a, T> {
    /// An empty store. `bytes` holds at least [`image_size`](super::image_size) of the capacity, at
    /// any alignment; with more, the capacity is what fits. The standardisation has the
    /// [`inputs`](Shape::inputs) of the shape, the exposure among them.
    pub fn new(
        bytes: &'a mut [u8],
        shape: Shape,
        standardiser: &Standardiser<'_, T>,
    ) -> Result<Self, StoreError> {
        Self::with_floor(bytes, shape, standardiser, T::ZERO)
    }

    /// [`new`](Self::new), with the least sd of the noise of outputs with a variance at each row, in standardised
    /// units: sd^2 = exp(o) + floor^2.
    pub fn with_floor(
        bytes: &'a mut [u8],
        shape: Shape,
        standardiser: &Standardiser<'_, T>,
        floor: T,
    ) -> Result<Self, StoreError> {
        Self::with_point(bytes, shape, standardiser, floor, &[])
    }

    /// [`with_floor`](Self::with_floor), with the parameters about which a [linearised](Shape::linearised) network is:
    /// those of its architecture, and none of others, or [`StoreError::Length`].
    pub fn with_point(
        bytes: &'a mut [u8],
        shape: Shape,
        standardiser: &Standardiser<'_, T>,
        floor: T,
        point: &[T],
    ) -> Result<Self, StoreError> {
        let layout = Layout::new(&shape, T::BYTES).ok_or(StoreError::TooSmall)?;
        if point.len() != shape.point_len() {
            return Err(StoreError::Length);
        }
        if !point.iter().all(|w| w.is_finite()) {
            return Err(StoreError::Value);
        }
        if standardiser.inputs() != layout.inputs {
            return Err(StoreError::Inputs);
        }
        let is_unit = |mean: T, sd: T| mean == T::ZERO && sd == T::ONE;
        let last = standardiser.means().last().zip(standardiser.sds().last());
        let exposure = !shape.exposure || last.is_some_and(|(m, s)| is_unit(*m, *s));
        let target = shape.is_real() || is_unit(standardiser.mean_y(), standardiser.sd_y());
        let floor_is_fine = floor >= T::ZERO && floor.is_finite();
        if !(exposure && target && floor_is_fine && (shape.has_floor() || floor == T::ZERO)) {
            return Err(StoreError::Units);
        }
        let floor = shape.has_floor().then_some(floor);
        let store = Self::begun(bytes, layout, standardiser, floor.iter().chain(point).copied())?;
        if layout.described {
            header::write_description(store.bytes, &shape, 0);
        }
        Ok(store)
    }

    /// A store that was begun in this memory and not sealed, with the draws it has. The same length
    /// gives the same capacity.
    pub fn resume(bytes: &'a mut [u8]) -> Result<Self, StoreError> {
        let (layout, flags, _) = header::parse::<true>(bytes).map_err(|_| StoreError::NotAStore)?;
        let fits = layout.total().is_some_and(|t| t <= bytes.len());
        if flags & OPEN == 0 || layout.width != T::BYTES || !fits {
            return Err(StoreError::NotAStore);
        }
        Ok(Self { bytes, layout, precision: PhantomData })
    }

    /// What every draw has in common.
    pub fn shape(&self) -> Shape {
        self.image().shape()
    }

    /// Ends the construction: writes count, length and checksum, and returns the image, at the
    /// front of the memory. `None` with no draws.
    pub fn seal(self) -> Option<&'a [u8]> {
        self.seal_with(&[]).ok()
    }

    /// [`seal`](Self::seal), with bytes of the caller's behind the draws
    /// ([`Image::attachment`]): how raw columns were encoded, say. The memory must have room for them beside the
    /// draws; [`StoreError::NoDraw`] with no draws, [`StoreError::TooSmall`] without that room.
    pub fn seal_with(mut self, attachment: &[u8]) -> Result<&'a [u8], StoreError> {
        if self.layout.draws == 0 {
            return Err(StoreError::NoDraw);
        }
        let small = StoreError::TooSmall;
        let shape = self.shape();
        let attached = u32::try_from(attachment.len()).map_err(|_| small)?;
        self.layout.attached = attachment.len();
        self.layout.described |= attached > 0;
        let (layout, bytes) = (self.layout, self.bytes);
        let total = layout.total().ok_or(small)?;
        let bytes = bytes.get_mut(..total).ok_or(small)?;
        let place = layout.end().and_then(|end| bytes.get_mut(end..)).ok_or(small)?;
        place.iter_mut().zip(attachment).for_each(|(b, x)| *b = *x);
        if layout.described {
            header::write_description(bytes, &shape, attached);
        }
        header::sealed(bytes, &layout);
        Ok(bytes)
    }
}

impl<'a, T: Real> Store<'a, T, false> {
    /// An empty store of networks of one hidden layer.
    pub(crate) fn one_layer(
        bytes: &'a mut [u8],
        shape: OneLayer,
        standardiser: &Standardiser<'_, T>,
    ) -> Result<Self, StoreError> {
        let layout = Layout::one_layer(&shape, T::BYTES).ok_or(StoreError::TooSmall)?;
        if standardiser.inputs() != layout.inputs {
            return Err(StoreError::Inputs);
        }
        Self::begun(bytes, layout, standardiser, core::iter::empty())
    }

    /// Adds a draw of neurons alone, without a linear part: w(k, j) is the weight of neuron k at input j, and
    /// its bias at j = d. `noise` is sigma and nu; `scratch` holds a draw.
    pub(crate) fn push_neurons(
        &mut self,
        w: &dyn Fn(usize, usize) -> T,
        outer: &dyn Fn(usize) -> T,
        intercept: T,
        noise: [T; 2],
        scratch: &mut [T],
    ) -> Result<(), StoreError> {
        let Layout { inputs, neurons, .. } = self.layout;
        let length = self.layout.draw_len();
        let values = scratch.get_mut(..length).ok_or(StoreError::TooSmall)?;
        let weights = (0..neurons).flat_map(|k| (0..inputs).map(move |j| (k, j)));
        let draw = weights
            .chain((0..neurons).map(|k| (k, inputs)))
            .map(|(k, j)| w(k, j))
            .chain((0..neurons).map(outer))
            .chain([intercept])
            .chain(core::iter::repeat_n(T::ZERO, inputs))
            .chain(noise);
        values.iter_mut().zip(draw).for_each(|(v, x)| *v = x);
        self.push(values)
    }

    /// As [`Store::seal`] of any network.
    pub(crate) fn seal(self) -> Option<&'a [u8]> {
        let (layout, bytes) = (self.layout, self.bytes);
        let bytes = bytes.get_mut(..layout.total().filter(|_| layout.draws > 0)?)?;
        header::sealed(bytes, &layout);
        Some(bytes)
    }
}

impl<'a, T: Real, const ANY: bool> Store<'a, T, ANY> {
    /// Header and standardisation of no draws, with what else lies there.
    fn begun(
        bytes: &'a mut [u8],
        layout: Layout,
        standardiser: &Standardiser<'_, T>,
        more: impl Iterator<Item = T>,
    ) -> Result<Self, StoreError> {
        let mut store = Self { bytes, layout, precision: PhantomData };
        if store.capacity() == 0 {
            return Err(StoreError::TooSmall);
        }
        if let Some(head) = store.bytes.get_mut(..layout.header) {
            head.fill(0);
        }
        store.write_header();
        let target = [standardiser.mean_y(), standardiser.sd_y()];
        let inputs = standardiser.means().iter().chain(standardiser.sds()).copied();
        let standards = inputs.chain(target).chain(more);
        if let Some(place) = store.bytes.get_mut(layout.header..layout.first) {
            for (b, x) in pieces_mut(place, T::BYTES).zip(standards) {
                x.write_le(b);
            }
        }
        Ok(store)
    }

    fn write_header(&mut self) {
        let total = self.layout.total().unwrap_or(0);
        header::write_header(self.bytes, &self.layout, OPEN, total);
    }

    /// How many draws fit.
    pub fn capacity(&self) -> usize {
        let room = self.bytes.len().saturating_sub(self.layout.first);
        room.checked_div(self.layout.stride).unwrap_or(0).min(u32::MAX as usize)
    }
    /// The draws so far, to predict with.
    pub fn image(&self) -> Image<'_> {
        Image::unchecked(self.bytes, self.layout)
    }
    /// How many draws there are.
    pub fn draws(&self) -> usize {
        self.layout.draws
    }

    /// Adds a draw: its values in the order of [`Shape::draw_len`]. A draw that is refused leaves
    /// the store as it was.
    pub fn push(&mut self, values: &[T]) -> Result<(), StoreError> {
        if self.layout.draws >= self.capacity() {
            return Err(StoreError::Full);
        }
        let grown = Layout { draws: self.layout.draws.saturating_add(1), ..self.layout };
        self.write(&grown, self.layout.draws, values)?;
        self.layout = grown;
        self.write_header();
        Ok(())
    }

    /// Overwrites draw k: for reservoirs of a long chain and for draws that follow a drift. A draw
    /// that is refused leaves the store as it was.
    pub fn replace(&mut self, k: usize, values: &[T]) -> Result<(), StoreError> {
        let layout = self.layout;
        self.write(&layout, k, values)
    }

    fn write(&mut self, layout: &Layout, k: usize, values: &[T]) -> Result<(), StoreError> {
        let room = layout.range(k).filter(|r| r.end <= self.bytes.len());
        let room = room.ok_or(StoreError::NoDraw)?;
        if layout.draw_len() != values.len() {
            return Err(StoreError::Length);
        }
        let any = ANY && layout.described;
        let (tail, own) = if any { self.image().shape().ending() } else { (Tail::Noise, 2) };
        let split = values.len().checked_sub(own).and_then(|at| values.split_at_checked(at));
        let (network, own) = split.ok_or(StoreError::Length)?;
        let positive = |x: &T| *x > T::ZERO && x.is_finite();
        let fine = match (tail, own) {
            (Tail::None, []) => true,
            (Tail::Noise, [sigma, nu]) => positive(sigma) && *nu > T::ZERO,
            (Tail::Size, [r]) => positive(r),
            (Tail::Thresholds, all) => {
                let steps = all.iter().zip(all.iter().skip(1));
                all.iter().all(|t| t.is_finite()) && steps.into_iter().all(|(a, b)| a < b)
            }
            _ => false,
        };
        if !fine || !network.iter().all(|v| v.is_finite()) {
            return Err(StoreError::Value);
        }
        let place = self.bytes.get_mut(room).ok_or(StoreError::NoDraw)?;
        place.chunks_exact_mut(T::BYTES).zip(values).for_each(|(b, x)| {
            x.write_le(b);
        });
        Ok(())
    }
}
