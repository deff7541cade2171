//! A log density of the user's own, one chain at a time, as a tilt of a Gaussian reference.

use super::Likelihood;
use crate::density::Extent;
use crate::pieces::cut;
use crate::reference::Affine;
use crate::scalar::Real;
use crate::simd::{Isa, Lanes};
use crate::special;
use core::fmt;

/// A log density on R^dim that the user computes.
pub trait LogDensity<T> {
    /// log p(x) up to a constant, and its gradient where it is asked for (as long as x; only where
    /// [`UserDensity::gradient`] says so). `None`: x is outside the support, and a chain does not go
    /// there. The same x must give the same bits.
    fn evaluate(&self, x: &[T], gradient: Option<&mut [T]>) -> Option<T>;
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
}

impl<T: fmt::Debug> fmt::Debug for UserDensity<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { density: _, dim, scale, gradient, frame, volume } = self;
        f.debug_struct("UserDensity")
            .field("dim", dim)
            .field("scale", scale)
            .field("gradient", gradient)
            .field("frame", frame)
            .field("volume", volume)
            .finish_non_exhaustive()
    }
}

impl<T: Real> UserDensity<'_, T> {
    /// log p less that of the reference, at w; writes the gradient of it, if one is asked for. `x` is
    /// room for it.
    fn lane(&self, w: &[T], x: &mut [T], mut gradient: Option<&mut [T]>) -> T {
        let at = match self.frame {
            None => w,
            Some(frame) => {
                frame.point(w, x);
                &*x
            }
        };
        let gradient_asked = gradient.as_deref_mut().filter(|_| self.gradient);
        let Some(value) = self.density.evaluate(at, gradient_asked) else { return -T::INFINITY };
        let mut value = value;
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
        if let Some(gradient) = gradient.filter(|_| self.gradient) {
            for (g, w) in gradient.iter_mut().zip(w) {
                *g += precision * *w;
            }
        }
        let log_scale = special::scalar::ln(self.scale);
        // log sqrt(2 pi).
        let constant = T::of_usize(self.dim) * (log_scale + T::lit(0.918_938_533_204_672_7));
        value + (T::HALF * precision * squares + constant)
    }

    /// All lanes, through w, a gradient and x side by side in the scratch.
    fn lanes<const N: usize>(
        &self,
        w: &[[T; N]],
        mut gradient: Option<&mut [[T; N]]>,
        scratch: &mut [[T; N]],
    ) -> [T; N] {
        let mut values = [T::NAN; N];
        let Some(([one, own, x], _)) = cut(scratch.as_flattened_mut(), [self.dim; 3]) else {
            return values;
        };
        for (lane, value) in values.iter_mut().enumerate() {
            for (one, w) in one.iter_mut().zip(w) {
                *one = w.get(lane).copied().unwrap_or(T::NAN);
            }
            own.fill(T::ZERO);
            *value = self.lane(one, x, gradient.is_some().then_some(&mut *own));
            for (g, own) in gradient.iter_mut().flat_map(|g| g.iter_mut()).zip(&*own) {
                if let Some(g) = g.get_mut(lane) {
                    *g = *own;
                }
            }
        }
        values
    }
}

impl<T: Real> Extent for UserDensity<'_, T> {
    fn dim(&self) -> usize {
        self.dim
    }

    /// w, the gradient and x, of one chain at a time.
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
