//! What a stream learner tells: its draws, and the model that they are now.

use super::layout::ROWS;
use super::{StreamError, StreamLearner};
use crate::linalg::lower_len;
use crate::pieces::pieces;
use crate::posterior::{OneLayer, Standardiser, Store};
use crate::random::{Purpose, Stream};
use crate::simd::AnyLanes;

/// A list of one draw's values among those of its block.
fn lane_of<T: Copy>(block: &[T], lanes: usize, lane: usize) -> impl Iterator<Item = T> + Clone {
    pieces(block, lanes).filter_map(move |cell| cell.get(lane).copied())
}

impl<T: AnyLanes> StreamLearner<'_, T> {
    /// d.
    pub fn inputs(&self) -> usize {
        self.shape.inputs
    }
    /// The draws that learn.
    pub fn draws(&self) -> usize {
        self.shape.draws
    }
    /// P = M + d + 1: the values of a head, in the order v, b0, c.
    pub fn head_len(&self) -> usize {
        self.shape.order()
    }
    /// Rows learnt.
    pub fn rows(&self) -> u64 {
        self.word(ROWS)
    }
    /// K times the weight of each draw; ones where they are equal.
    pub fn weights(&self) -> &[T] {
        self.parts.weight.get(..self.shape.draws).unwrap_or(&[])
    }

    /// One draw's values of a list with `length` values a draw.
    fn own<'s>(
        &'s self,
        list: &'s [T],
        length: usize,
        k: usize,
    ) -> Option<impl Iterator<Item = T> + Clone + use<'s, T>> {
        let lanes = self.shape.lanes();
        let block = pieces(list, length.checked_mul(lanes)?).nth(k.checked_div(lanes)?)?;
        Some(lane_of(block, lanes, k.checked_rem(lanes)?)).filter(|_| k < self.shape.draws)
    }

    /// The mean m of a draw's head (v, b0, c) in standardised units; `None` out of range.
    pub fn head(&self, k: usize) -> Option<impl Iterator<Item = T> + Clone + '_> {
        self.own(self.parts.mean, self.shape.order(), k)
    }

    /// The head as it was fitted.
    pub fn fitted_head(&self, k: usize) -> Option<impl Iterator<Item = T> + Clone + '_> {
        self.own(self.parts.home, self.shape.order(), k)
    }

    /// V of a draw, packed U D U' by columns: column j is u_0j, ..., u_{j-1,j}, d_j.
    pub fn covariance(&self, k: usize) -> Option<impl Iterator<Item = T> + Clone + '_> {
        self.own(self.parts.factor, lower_len(self.shape.order())?, k)
    }

    /// a and b of a draw's noise: the precision of the noise is Gamma(a, rate b), in standardised units.
    pub fn noise(&self, k: usize) -> Option<(T, T)> {
        let rate = self.parts.rate.get(..self.shape.draws)?.get(k)?;
        Some((*self.parts.common.first()?, *rate))
    }

    /// The units of the draws.
    pub fn standardiser(&self) -> Result<Standardiser<'_, T>, StreamError> {
        Standardiser::load(self.parts.standards, self.shape.inputs)
            .map_err(|_| StreamError::NotALearner)
    }

    fn image_shape(&self) -> OneLayer {
        let s = &self.shape;
        OneLayer { inputs: s.inputs, neurons: s.neurons, activation: s.activation }
    }

    /// The bytes that [`write_model`](Self::write_model) needs, and the numbers of its scratch.
    pub fn model_size(&self) -> Result<(usize, usize), StreamError> {
        let shape = self.image_shape();
        let bytes = shape.size::<T>(self.shape.draws).map_err(|_| StreamError::TooShort)?;
        Ok((bytes, shape.draw_len().ok_or(StreamError::TooShort)?))
    }

    /// Writes the draws as they are now, as a [`Image`](crate::posterior::Image) at the front of `bytes`, and returns
    /// its length. Sizes by [`model_size`](Self::model_size).
    ///
    /// Without a seed each has its mean head, the noise sqrt(b/a) and the degrees of freedom of its
    /// predictions: best for the mean, without what is not known of the head. With a seed each has a draw
    /// of (head, noise) from its law N(m, V/beta) Gamma(a, b), and the degrees of freedom that were
    /// fitted. Where draws are weighted, those of the image are taken by systematic resampling, from the
    /// seed (0 if none), so that they weigh the same.
    pub fn write_model(
        &self,
        seed: Option<u64>,
        bytes: &mut [u8],
        scratch: &mut [T],
    ) -> Result<usize, StreamError> {
        let broken = StreamError::NotALearner;
        let draws = self.shape.draws;
        let (_, length) = self.model_size()?;
        let values = scratch.get_mut(..length).ok_or(StreamError::TooShort)?;
        let mut store = Store::one_layer(bytes, self.image_shape(), &self.standardiser()?)?;
        let chooser: T = Stream::new(seed.unwrap_or(0), u64::MAX, Purpose::Predictive).uniform();
        let (mut source, mut passed) = (0_usize, T::ZERO);
        for k in 0..draws {
            if self.shape.options.weighted.on() {
                // The draw in whose share k + u lies.
                let point = T::of_usize(k) + chooser;
                while source.saturating_add(1) < draws {
                    let own = self.weights().get(source).copied().unwrap_or(T::ZERO);
                    if passed + own > point {
                        break;
                    }
                    passed += own;
                    source = source.saturating_add(1);
                }
            } else {
                source = k;
            }
            let hidden = self.own(self.parts.hidden, self.shape.hidden(), source).ok_or(broken)?;
            values.iter_mut().zip(hidden).for_each(|(x, v)| *x = v);
            let [sigma, nu] = values.last_chunk_mut::<2>().ok_or(broken)?;
            let (a, b) = self.noise(source).ok_or(broken)?;
            let mut stream = seed.map(|s| Stream::new(s, k as u64, Purpose::Predictive));
            let tails = if stream.is_some() { &*self.parts.nu } else { &*self.parts.freedom };
            *nu = tails.get(source).copied().ok_or(broken)?;
            *sigma = match &mut stream {
                Some(stream) => (b / stream.gamma(a).max(T::MIN_POSITIVE)).sqrt(),
                None => (b / a).sqrt(),
            };
            let sigma = *sigma;
            let head = values.get_mut(self.shape.hidden()..).ok_or(broken)?;
            for (x, m) in head.iter_mut().zip(self.head(source).ok_or(broken)?) {
                *x = m;
            }
            if let Some(stream) = &mut stream {
                self.spread(source, sigma, stream, head).ok_or(broken)?;
            }
            store.push(values)?;
        }
        Ok(store.seal().ok_or(broken)?.len())
    }

    /// Adds sigma U sqrt(D) z to a head: one normal a coordinate, in order.
    fn spread(&self, k: usize, sigma: T, stream: &mut Stream, head: &mut [T]) -> Option<()> {
        let mut factor = self.covariance(k)?;
        for j in 0..self.shape.order() {
            let column = factor.clone().take(j);
            let variance = factor.nth(j)?;
            let step = sigma * variance.sqrt() * stream.normal::<T>();
            for (x, u) in head.iter_mut().zip(column.chain([T::ONE])) {
                *x += u * step;
            }
        }
        Some(())
    }
}
