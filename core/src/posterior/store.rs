//! Draws, collected in the image that will be read.

use super::image::{self, HEADER, Image, Layout, OPEN};
use super::{Shape, Standardiser};
use crate::error::errors;
use crate::scalar::Real;
use core::marker::PhantomData;

errors! {
    /// Why a store refused.
    pub enum StoreError {
        TooSmall = "the memory holds no draw of this shape",
        Inputs = "the standardisation has another number of inputs",
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
#[derive(Debug)]
pub struct Store<'a, T> {
    bytes: &'a mut [u8],
    layout: Layout,
    precision: PhantomData<T>,
}

impl<'a, T: Real> Store<'a, T> {
    /// An empty store. `bytes` holds at least [`image_size`](super::image_size) of the capacity, at
    /// any alignment; with more, the capacity is what fits.
    pub fn new(
        bytes: &'a mut [u8],
        shape: Shape,
        standardiser: &Standardiser<'_, T>,
    ) -> Result<Self, StoreError> {
        let layout = Layout::new(shape, T::BYTES, HEADER, 0).ok_or(StoreError::TooSmall)?;
        if standardiser.inputs() != shape.inputs {
            return Err(StoreError::Inputs);
        }
        let mut store = Self { bytes, layout, precision: PhantomData };
        if store.capacity() == 0 {
            return Err(StoreError::TooSmall);
        }
        if let Some(head) = store.bytes.get_mut(..layout.header) {
            head.fill(0);
        }
        store.write_header();
        let standards = standardiser
            .means()
            .iter()
            .chain(standardiser.sds())
            .copied()
            .chain([standardiser.mean_y(), standardiser.sd_y()]);
        if let Some(place) = store.bytes.get_mut(layout.header..layout.first) {
            place.chunks_exact_mut(T::BYTES).zip(standards).for_each(|(b, x)| {
                x.write_le(b);
            });
        }
        Ok(store)
    }

    /// A store that was begun in this memory and not sealed, with the draws it has. The same length
    /// gives the same capacity.
    pub fn resume(bytes: &'a mut [u8]) -> Result<Self, StoreError> {
        let (layout, flags, _) = image::parse(bytes).map_err(|_| StoreError::NotAStore)?;
        let fits = layout.total().is_some_and(|t| t <= bytes.len());
        if flags & OPEN == 0 || layout.width != T::BYTES || !fits {
            return Err(StoreError::NotAStore);
        }
        Ok(Self { bytes, layout, precision: PhantomData })
    }

    fn write_header(&mut self) {
        let total = self.layout.total().unwrap_or(0);
        image::write_header(self.bytes, &self.layout, OPEN, total);
    }

    /// How many draws fit.
    pub fn capacity(&self) -> usize {
        let room = self.bytes.len().saturating_sub(self.layout.first);
        room.checked_div(self.layout.stride).unwrap_or(0).min(u32::MAX as usize)
    }
    /// How many draws there are.
    pub fn draws(&self) -> usize {
        self.layout.draws
    }
    /// What every draw has in common.
    pub fn shape(&self) -> Shape {
        self.layout.shape
    }
    /// The draws so far, to predict with.
    pub fn image(&self) -> Image<'_> {
        Image::unchecked(self.bytes, self.layout)
    }

    /// Adds a draw: its values in the order of [`Shape::draw_len`]. A draw that is refused leaves
    /// the store as it was.
    pub fn push(&mut self, values: &[T]) -> Result<(), StoreError> {
        if self.layout.draws >= self.capacity() {
            return Err(StoreError::Full);
        }
        let grown = Layout { draws: self.layout.draws.saturating_add(1), ..self.layout };
        Self::write(self.bytes, &grown, self.layout.draws, values)?;
        self.layout = grown;
        self.write_header();
        Ok(())
    }

    /// Adds a draw of neurons alone, without a linear part: w(k, j) is the weight of neuron k at input j, and
    /// its bias at j = d. `noise` is sigma and nu; `scratch` holds a draw.
    pub(crate) fn push_neurons(
        &mut self,
        w: impl Fn(usize, usize) -> T,
        outer: impl Fn(usize) -> T,
        intercept: T,
        noise: [T; 2],
        scratch: &mut [T],
    ) -> Result<(), StoreError> {
        let Shape { inputs, neurons, .. } = self.layout.shape;
        let length = self.layout.shape.draw_len().ok_or(StoreError::Length)?;
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

    /// Overwrites draw k: for reservoirs of a long chain and for draws that follow a drift. A draw
    /// that is refused leaves the store as it was.
    pub fn replace(&mut self, k: usize, values: &[T]) -> Result<(), StoreError> {
        Self::write(self.bytes, &self.layout, k, values)
    }

    fn write(bytes: &mut [u8], layout: &Layout, k: usize, values: &[T]) -> Result<(), StoreError> {
        let place = layout.range(k).and_then(|r| bytes.get_mut(r)).ok_or(StoreError::NoDraw)?;
        if layout.shape.draw_len() != Some(values.len()) {
            return Err(StoreError::Length);
        }
        let Some((&[sigma, nu], rest)) = values.split_last_chunk::<2>().map(|(r, l)| (l, r)) else {
            return Err(StoreError::Length);
        };
        let scales = sigma > T::ZERO && sigma.is_finite() && nu > T::ZERO;
        if !scales || !rest.iter().all(|v| v.is_finite()) {
            return Err(StoreError::Value);
        }
        place.chunks_exact_mut(T::BYTES).zip(values).for_each(|(b, x)| {
            x.write_le(b);
        });
        Ok(())
    }

    /// Ends the construction: writes count, length and checksum, and returns the image, at the
    /// front of the memory. `None` with no draws.
    pub fn seal(self) -> Option<&'a [u8]> {
        let Self { bytes, layout, .. } = self;
        let total = layout.total().filter(|_| layout.draws > 0)?;
        let bytes = bytes.get_mut(..total)?;
        image::write_header(bytes, &layout, 0, total);
        image::write_crc(bytes);
        Some(bytes)
    }
}
