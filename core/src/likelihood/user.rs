//! A log density of the user's own as a tilt of a Gaussian reference.

use super::Likelihood;
use crate::density::Extent;
use crate::pieces::{cut, nth};
use crate::reference::Affine;
use crate::scalar::Real;
use crate::simd::{Isa, Lanes};
use crate::special;
use crate::uncentring::Uncentring;
use core::fmt;

/// A log density on R^dim that the user computes.
pub trait LogDensity<T> {
    /// log p(x) up to a constant, and its gradient where it is asked for (as long as x; only where
    /// [`UserDensity::gradient`] says so). `None`, -infinity or NaN: x is outside the support, and a chain
    /// does not go there. The same x must give the same bits.
    fn evaluate(&self, x: &[T], gradient: Option<&mut [T]>) -> Option<T>;

    /// The same of several points at once, for densities that are faster so: coordinate i of point k is
    /// `x[i * values.len() + k]`, as is its derivative in `gradient`; `values` gets log p, -infinity or NaN
    /// outside the support. Each point must have the bits that it has alone. Returns whether it did; false, as by default, has
    /// [`evaluate`](Self::evaluate) asked point by point.
    fn evaluate_many(&self, _x: &[T], _gradient: Option<&mut [T]>, _values: &mut [T]) -> bool {
        false
    }
}

/// log p(x) relative to N(0, scale^2 I): what is added to that prior's log density to give log p. It
/// becomes the reference of split HMC, the proposal of independence Metropolis, and the law of the
/// starting points; no draw's law depends on it. In a [`frame`](Self::frame) x = m + L w the reference is
/// that of w, so that x has N(m, scale^2 L L').
///
/// One evaluation costs one call a chain, and 6 dim flops (2 dim^2 more in a frame).
#[derive(Clone, Copy)]
pub struct UserDensity<'a, T> {
    /// The density.
    pub density: &'a dyn LogDensity<T>,
    /// Its coordinates.
    pub dim: usize,
    /// The sd of the reference.
    pub scale: T,
    /// Whether it computes gradients. Where it does not, they are 0 here.
    pub gradient: bool,
    /// The coordinates w in which it is sampled; `None`: x itself.
    pub frame: Option<Affine<'a, T>>,
    /// log det L of the frame, 0 without one: asked for at every evaluation.
    pub volume: T,
    /// From what the density and the frame call x to what the user does; `None`: the same.
    pub uncentring: Option<Uncentring<'a, T>>,
    /// Points x one after another, at which chains and ascents begin; none: at draws of the reference.
    pub starts: &'a [T],
}

impl<T: fmt::Debug> fmt::Debug for UserDensity<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { dim, scale, gradient, frame, volume, .. } = self;
        f.debug_struct("UserDensity")
            .field("dim", dim)
            .field("scale", scale)
            .field("gradient", gradient)
            .field("frame", frame)
            .field("volume", volume)
            .finish_non_exhaustive()
    }
}

impl<'a, T: Real> UserDensity<'a, T> {
    /// The point that belongs to a chain or an ascent, and whether it begins right there, as the first do, or about
    /// it, as those beyond the points. `None` without points.
    pub(crate) fn start(&self, index: u64) -> Option<(&'a [T], bool)> {
        let count = self.starts.len().checked_div(self.dim)? as u64;
        let own = usize::try_from(index.checked_rem(count)?).ok()?;
        Some((nth(self.starts, self.dim, own), index < count))
    }

    /// From draws of the latent reference N(0, I) to where the chains from the first on begin, if points say so.
    /// `room` holds x and w.
    pub(crate) fn place<const N: usize>(&self, first: u64, z: &mut [[T; N]], room: &mut [T]) {
        let Some(([x, w], _)) = cut(room, [self.dim; 2]) else { return };
        for lane in 0..N {
            let Some((point, exact)) = self.start(first.wrapping_add(lane as u64)) else { return };
            x.iter_mut().zip(point).for_each(|(x, p)| *x = *p);
            self.enter(x, w);
            for (z, w) in z.iter_mut().filter_map(|z| z.get_mut(lane)).zip(&*w) {
                let about = if exact { T::ZERO } else { *z };
                *z = about + *w / self.scale;
            }
        }
    }

    /// From a point as the user has it to w. `x` ends as the density has it.
    pub(crate) fn enter(&self, x: &mut [T], w: &mut [T]) {
        if let Some(map) = self.uncentring {
            map.enter(x);
        }
        match self.frame {
            Some(frame) => frame.solve(x, w),
            None => w.iter_mut().zip(x).for_each(|(w, x)| *w = *x),
        }
    }

    /// log p in w less the log density of the reference, where x has log p and its gradient; the gradient likewise.
    fn tilt(&self, w: &[T], log_p: T, gradient: Option<&mut [T]>) -> T {
        let mut value = log_p;
        let mut gradient = gradient;
        if let Some(frame) = self.frame {
            if let Some(gradient) = gradient.as_deref_mut() {
                frame.pull_back(gradient);
            }
            value += self.volume;
        }
        let precision = T::ONE / (self.scale * self.scale);
        let mut squares = T::ZERO;
        for w in w {
            squares += *w * *w;
        }
        if let Some(gradient) = gradient {
            for (g, w) in gradient.iter_mut().zip(w) {
                *g += precision * *w;
            }
        }
        let log_scale = special::scalar::ln(self.scale);
        // log sqrt(2 pi).
        let constant = T::of_usize(self.dim) * (log_scale + T::lit(0.918_938_533_204_672_7));
        value + (T::HALF * precision * squares + constant)
    }

    /// All lanes, through one lane's w and gradient and all of x in the scratch.
    fn lanes<const N: usize>(
        &self,
        w: &[[T; N]],
        mut gradient: Option<&mut [[T; N]]>,
        scratch: &mut [[T; N]],
    ) -> [T; N] {
        let mut values = [T::NAN; N];
        let Some(([x], spare)) = cut(scratch, [self.dim]) else { return values };
        let Some(([one, own], _)) = cut(spare.as_flattened_mut(), [self.dim; 2]) else {
            return values;
        };
        let x: &[[T; N]] = match self.frame {
            None => w,
            Some(frame) => {
                for lane in 0..N {
                    get(w, lane, one);
                    frame.point(one, own);
                    put(own, lane, x);
                }
                x
            }
        };
        let mut asked = gradient.as_deref_mut().filter(|_| self.gradient);
        let flat = asked.as_deref_mut().map(<[[T; N]]>::as_flattened_mut);
        let known = N > 1 && self.density.evaluate_many(x.as_flattened(), flat, &mut values);
        for (lane, value) in values.iter_mut().enumerate() {
            own.fill(T::ZERO);
            let log_p = if known {
                if let Some(gradient) = asked.as_deref() {
                    get(gradient, lane, own);
                }
                Some(*value)
            } else {
                get(x, lane, one);
                self.density.evaluate(one, asked.is_some().then_some(&mut *own))
            };
            // NaN, as logarithms of negative numbers have it, is no larger than anything.
            *value = match log_p.filter(|log_p| *log_p > -T::INFINITY) {
                None => {
                    own.fill(T::ZERO);
                    -T::INFINITY
                }
                Some(log_p) => {
                    get(w, lane, one);
                    self.tilt(one, log_p, asked.is_some().then_some(&mut *own))
                }
            };
            if let Some(gradient) = asked.as_deref_mut() {
                put(own, lane, gradient);
            }
        }
        if let Some(gradient) = gradient.filter(|_| !self.gradient) {
            gradient.fill([T::ZERO; N]);
        }
        values
    }
}

/// One lane of some blocks.
fn get<T: Copy, const N: usize>(blocks: &[[T; N]], lane: usize, one: &mut [T]) {
    for (one, block) in one.iter_mut().zip(blocks) {
        if let Some(value) = block.get(lane) {
            *one = *value;
        }
    }
}

fn put<T: Copy, const N: usize>(one: &[T], lane: usize, blocks: &mut [[T; N]]) {
    for (one, block) in one.iter().zip(blocks) {
        if let Some(value) = block.get_mut(lane) {
            *value = *one;
        }
    }
}

impl<T: Real> Extent for UserDensity<'_, T> {
    fn dim(&self) -> usize {
        self.dim
    }

    /// x, and w and the gradient of one chain at a time.
    fn scratch(&self) -> usize {
        self.dim.saturating_mul(3)
    }

    /// A call counts as one.
    fn rows(&self) -> usize {
        1
    }
}

impl<T: Lanes<N>, const N: usize> Likelihood<T, N> for UserDensity<'_, T> {
    fn value_and_gradient(
        &self,
        _: Isa,
        w: &[[T; N]],
        gradient: &mut [[T; N]],
        scratch: &mut [[T; N]],
    ) -> [T; N] {
        let (Some(w), Some(gradient)) = (w.get(..self.dim), gradient.get_mut(..self.dim)) else {
            return [T::NAN; N];
        };
        self.lanes(w, Some(gradient), scratch)
    }

    fn value(&self, _: Isa, w: &[[T; N]], _: &mut [[T; N]], scratch: &mut [[T; N]]) -> [T; N] {
        let Some(w) = w.get(..self.dim) else { return [T::NAN; N] };
        self.lanes(w, None, scratch)
    }
}
