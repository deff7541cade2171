//! What greedy least squares reports, and the model that it leaves.

use super::RelaxedGreedy;
use super::layout::REPORT;
use super::options::{RelaxedError, RelaxedMethod};
use crate::pieces::nth;
use crate::posterior::{OneLayer, Standardiser, Store};
use crate::prior::Prior;
use crate::simd::AnyLanes;
use crate::theory;

/// The fit after one level, in the neurons' units.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RelaxedLevel<T> {
    /// The mean squared error |y - f|^2/n over the training rows.
    pub error: T,
    /// V^2 B^2/k, B = sup |psi| where x.w can be: what some average of k = 1, 2, ... neurons comes to
    /// within of the best function of the hull. Infinite where psi has no bound.
    pub bound: T,
    /// Frank-Wolfe: the duality gap before this level, at least the excess over the best of the hull as
    /// far as the neuron found is the best of the dictionary. NaN for the other methods.
    pub gap: T,
    /// V times the sum of the neurons' absolute factors: at most V in the hull.
    pub variation: T,
}

impl<T: AnyLanes> RelaxedGreedy<'_, T> {
    /// Level k = 0, 1, ... of those that are there; `None` beyond. Reads the inputs once.
    pub fn level_report(&self, k: usize) -> Option<RelaxedLevel<T>> {
        if k >= self.levels() {
            return None;
        }
        let o = &self.shape.options;
        let [error, gap, variation] = *nth(self.parts.report, REPORT, k) else {
            return None;
        };
        let reach = Prior::L1Ball { radius: o.radius }.reach(self.largest_input());
        let size = o.activation.value().bounds_within(reach).value;
        let bound = theory::bounds::approximation(o.outer * size, k.saturating_add(1));
        Some(RelaxedLevel { error, bound, gap, variation })
    }

    /// f at the training rows, in their order, in the neurons' units.
    pub fn fit(&self) -> &[T] {
        self.parts.fit
    }

    /// The factors of the neurons V psi(x.w_k) in f, so far.
    pub fn coefficients(&self) -> &[T] {
        self.parts.coefficients.get(..self.levels()).unwrap_or(&[])
    }

    /// w_k: the inputs', then that of the ones; empty for levels that are not there.
    pub fn weights(&self, k: usize) -> &[T] {
        if k < self.levels() { nth(self.parts.weights, self.shape.columns(), k) } else { &[] }
    }

    /// The units of the neurons.
    pub fn standardiser(&self) -> Result<Standardiser<'_, T>, RelaxedError> {
        Ok(Standardiser::load(self.parts.standards, self.shape.d)?)
    }

    fn image_shape(&self, levels: usize) -> OneLayer {
        let activation = self.shape.options.activation.value();
        OneLayer { inputs: self.shape.d, neurons: levels, activation }
    }

    /// The numbers of scratch of [`write_model`](Self::write_model).
    pub fn model_scratch(&self) -> usize {
        self.image_shape(self.shape.levels()).draw_len().unwrap_or(usize::MAX)
    }

    /// The bytes that [`write_model`](Self::write_model) needs at most.
    pub fn model_size(&self) -> Result<usize, RelaxedError> {
        Ok(self.image_shape(self.shape.levels()).size::<T>(1)?)
    }

    /// Writes the fit so far as a [`Image`](crate::posterior::Image) of one draw to the front of `bytes`, and returns
    /// its length: a network of the neurons so far, with Gaussian noise of the training error
    /// (n / (n - k) of its square for the orthogonal method).
    pub fn write_model(&self, bytes: &mut [u8], scratch: &mut [T]) -> Result<usize, RelaxedError> {
        let (o, used) = (&self.shape.options, self.levels());
        let last = used.checked_sub(1).and_then(|k| self.level_report(k));
        let error = last.ok_or(RelaxedError::NotDone)?.error;
        let free = match o.method.value() {
            RelaxedMethod::Orthogonal => self.shape.n.saturating_sub(used).max(1),
            _ => self.shape.n,
        };
        let noise = error * (T::of_usize(self.shape.n) / T::of_usize(free));
        let mut store = Store::one_layer(bytes, self.image_shape(used), &self.standardiser()?)?;
        store.push_neurons(
            &|k, j| self.weights(k).get(j).copied().unwrap_or(T::ZERO),
            &|k| self.coefficients().get(k).map_or(T::ZERO, |c| *c * o.outer),
            T::ZERO,
            [noise.max(T::MIN_POSITIVE).sqrt(), T::INFINITY],
            scratch,
        )?;
        Ok(store.seal().ok_or(RelaxedError::NotDone)?.len())
    }
}
