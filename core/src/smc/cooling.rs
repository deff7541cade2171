//! The ladder of Gaussian cooling (Cousins and Vempala 2018, \[MB\]'s reference for sampling convex bodies).
//!
//! Particles start at w ~ N(0, s^2 I), which is prior and likelihood times exp(-|w|^2/(2 s^2)) but for the weight
//! likelihood(w) p0(w) exp(-|w|^2/(2 s^2))/N(w; 0, s^2 I), 0 outside the ball. That step is lambda = 0; from there
//! the Gaussian is widened to precision (1 - lambda)/s^2, by weights exp(step |w|^2/(2 s^2)).
//!
//! Under N(0, 1/p) a weight that takes p to q has a k-th moment only where k (p - q) < p. In few dimensions half of the
//! particles may be left of a weight without a variance, and the evidence is low; so no step takes more than a
//! quarter of p, with which three moments are finite, whatever the share that a step may leave.
//!
//! On the ball w of the start is taken up to the latent coordinates by a draw of those given w: the sum of d + 1
//! exponentials is independent of the direction that it stretches.

use super::block::{Block, own_seed};
use super::options::SmcOptions;
use crate::density::Extent;
use crate::likelihood::Likelihood;
use crate::pieces::{pieces, pieces_mut};
use crate::prior::Prior;
use crate::problem::Target;
use crate::random::{Purpose, Stream, normals_on};
use crate::scalar::Real;
use crate::simd::{Isa, Lanes, Portable, Simd, Vector};
use crate::special::laplace_from_normal;
use crate::special::scalar::{ln, ln_1p};

/// The likelihood of a problem times exp(-precision |w|^2/2).
pub(super) struct Cooled<'a, 'd, T> {
    pub likelihood: &'a Target<'d, T>,
    pub precision: T,
}

impl<T: Real> Extent for Cooled<'_, '_, T> {
    fn dim(&self) -> usize {
        self.likelihood.dim()
    }

    fn scratch(&self) -> usize {
        self.likelihood.scratch()
    }

    fn rows(&self) -> usize {
        self.likelihood.rows()
    }
}

impl<T: Lanes<N>, const N: usize> Likelihood<T, N> for Cooled<'_, '_, T> {
    fn value_and_gradient(
        &self,
        isa: Isa,
        w: &[[T; N]],
        gradient: &mut [[T; N]],
        scratch: &mut [[T; N]],
    ) -> [T; N] {
        let mut value = self.likelihood.value_and_gradient(isa, w, gradient, scratch);
        let half = half_squares(self.precision, w);
        value.iter_mut().zip(half).for_each(|(v, half)| *v -= half);
        for (gradient, w) in gradient.iter_mut().zip(w) {
            gradient.iter_mut().zip(w).for_each(|(g, w)| *g -= self.precision * *w);
        }
        value
    }
}

/// precision |w|^2/2.
fn half_squares<T: Real, const N: usize>(precision: T, w: &[[T; N]]) -> [T; N] {
    let mut squares = [T::ZERO; N];
    for w in w {
        squares.iter_mut().zip(w).for_each(|(sum, w)| *sum += *w * *w);
    }
    squares.map(|sum| T::HALF * precision * sum)
}

impl<T: Real> SmcOptions<T> {
    /// 1/s^2 of the first Gaussian.
    pub(super) fn precision(&self, prior: Prior<T>) -> T {
        let (_, scale) = prior.kind();
        let sd = self.first * scale;
        T::ONE / (sd * sd)
    }

    /// The farthest that a step goes from lambda: three quarters of the precision of the Gaussian are left, and of
    /// the prior's (that of its radius on the ball).
    pub(super) fn widest(&self, lambda: T) -> T {
        let quarter = (T::ONE - lambda + self.first * self.first) / T::lit(4.0);
        (lambda + quarter).min(T::ONE)
    }
}

impl<T: Lanes<N>, const N: usize> Block<'_, '_, T, N> {
    /// Draws from the first Gaussian, with their log likelihood; their log weights in place of acceptances.
    /// Returns what [`start`](Self::start) does.
    pub(super) fn start_cooled(&mut self) -> Option<bool> {
        let (problem, options) = (self.problem, self.shape.options);
        let (prior, d, dim) = (problem.prior(), problem.d(), problem.dim());
        let precision = options.precision(prior);
        let seed = own_seed(options.seed);
        let first = self.index.wrapping_mul(N);
        let mut streams: [Stream; N] = core::array::from_fn(|lane| {
            Stream::new(seed, first.wrapping_add(lane) as u64, Purpose::Start)
        });
        let number = T::of_usize(dim);
        // s, and the log of prior times exp(-|w|^2/(2 s^2)) over the law of w, at any w inside.
        let (sd, log) = match prior {
            Prior::Gaussian { sd } => {
                let root = (T::ONE + precision * sd * sd).sqrt();
                (sd / root, -number * ln(root))
            }
            Prior::L1Ball { .. } => {
                let sd = T::ONE / precision.sqrt();
                let neurons = T::of_usize(problem.neurons());
                let gaussian = ln(sd) + T::lit(0.918_938_533_204_672_7);
                (sd, neurons * prior.log_normaliser(d) + number * gaussian)
            }
        };
        let w = self.work.get_mut(..dim)?;
        normals_on(self.isa, &mut streams, w);
        w.as_flattened_mut().iter_mut().for_each(|w| *w = sd * *w);
        let mut weight = [log; N];
        let latent = pieces_mut(self.state.position, prior.latent_dim(d));
        for (g, w) in latent.zip(pieces(w, d)) {
            match prior {
                Prior::Gaussian { sd } => {
                    let pairs = g.as_flattened_mut().iter_mut().zip(w.as_flattened());
                    pairs.for_each(|(g, w)| *g = *w / sd);
                }
                Prior::L1Ball { radius } => {
                    for (lane, (weight, stream)) in weight.iter_mut().zip(&mut streams).enumerate()
                    {
                        let w = w.iter().filter_map(|w| w.get(lane)).map(|w| *w / radius);
                        let g = g.iter_mut().filter_map(|g| g.get_mut(lane));
                        if !raise(w, g, d, stream) {
                            *weight = -T::INFINITY;
                        }
                    }
                }
            }
        }
        self.evaluate()?;
        let value = *self.state.value;
        for ((own, weight), value) in self.acceptance.iter_mut().zip(weight).zip(value) {
            *own = weight + value;
        }
        Some(value.iter().all(|v| *v < T::INFINITY))
    }

    /// What a step weighs by, |w|^2/(2 s^2), in place of acceptances.
    pub(super) fn warm(&mut self) -> Option<()> {
        let precision = self.shape.options.precision(self.problem.prior());
        let value = *self.state.value;
        let (w, _) = self.problem.draw(self.isa, self.state.position, &value, self.work)?;
        *self.acceptance = half_squares(precision, w);
        Some(())
    }
}

/// Latent coordinates g given w in units of the radius, a draw where d > 1. Returns whether w is in the ball; where
/// it is not g is that of a multiple of w.
fn raise<'g, T: Real + 'g>(
    w: impl Iterator<Item = T> + Clone,
    mut g: impl Iterator<Item = &'g mut T>,
    d: usize,
    stream: &mut Stream,
) -> bool {
    let mut norm = T::ZERO;
    w.clone().for_each(|w| norm += w.abs());
    let inside = norm < T::ONE;
    let shrink = if inside { T::ONE } else { T::HALF / norm };
    if d == 1 {
        for (g, w) in g.zip(w) {
            *g = normal_of(-ln_1p(-(shrink * w).abs())).copysign(w);
        }
        return inside;
    }
    let mut sum = T::ZERO;
    (0..=d).for_each(|_| sum += stream.exponential::<T>());
    let positive = stream.uniform::<T>() < T::HALF;
    for w in w {
        if let Some(g) = g.next() {
            *g = normal_of(sum * (shrink * w).abs()).copysign(w);
        }
    }
    if let Some(g) = g.next() {
        let left = normal_of(sum * (T::ONE - shrink * norm));
        *g = if positive { left } else { -left };
    }
    inside
}

/// g >= 0 with -ln erfc(g/sqrt 2) = l: from above by Newton's method, on a convex function.
fn normal_of<T: Real>(l: T) -> T {
    let mut g = (l + l).sqrt().min(l * T::lit(1.253_314_137_315_500_3));
    for _ in 0..8 {
        let (value, slope) = laplace_from_normal(Portable, Portable.load(&[g]));
        let ([value], [slope]) = (value.array(), slope.array());
        g = (g - (value - l) / slope).max(T::ZERO);
    }
    g
}
