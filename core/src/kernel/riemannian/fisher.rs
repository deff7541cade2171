//! Logistic and Poisson regression in the metric of their Fisher information: y_i given o_i = x_i.w, w ~ N(0, sd^2 I), and
//! G(w) = sum_i A''(o_i) x_i x_i' + I/sd^2, A the logarithm of the link's normaliser (Girolami and Calderhead 2011, section 7).
//!
//! A round of substitution costs n d^2 flops and more, a gradient n d: where the posterior is near a Gaussian, as it mostly is
//! under such a model, HMC with the metric at one point makes more of both. In the tails the metric changes fast, long steps
//! do not reverse, and chains stick: of 12 rows under sd = 5 chains of 1500 draws with steps of .8 were 9 standard errors off,
//! with steps of .25 right.

use super::{Geometry, SPARE, Work, leap, transition};
use crate::data::Dataset;
use crate::dispatch::dispatched;
use crate::kernel::ball::reflection::Trajectory;
use crate::kernel::hmc::{Outcome, State};
use crate::linalg::{cholesky, lower_len, rows, rows_mut, solve_lower, solve_lower_transposed};
use crate::pieces::cut;
use crate::random::Stream;
use crate::scalar::Real;
use crate::simd::{Isa, Lanes, Simd, Vector};
use crate::special;

/// The posterior of the weights.
#[derive(Clone, Copy, Debug)]
pub struct Regression<'a, T> {
    /// Rows with their targets: 0 and 1, or counts.
    pub data: Dataset<'a, T>,
    /// Poisson with the logarithm as link in the place of Bernoulli with the logit.
    pub counts: bool,
    /// The sd of the prior of each weight, positive.
    pub sd: T,
}

/// The blocks that [`Regression::transition`] works in; `None` on overflow.
pub fn work_len(d: usize) -> Option<usize> {
    d.checked_mul(SPARE.checked_add(5)?)?.checked_add(lower_len(d)?)
}

impl<T: Real> Regression<'_, T> {
    /// x_ij in all lanes.
    #[inline(always)]
    fn x<const N: usize, S: Simd<T, N>>(&self, s: S, i: usize, j: usize) -> S::V {
        s.splat(self.data.inputs.at(i, j))
    }

    #[inline(always)]
    fn output<const N: usize, S: Simd<T, N>>(&self, s: S, i: usize, w: &[[T; N]]) -> S::V {
        let mut sum = s.zero();
        for (j, w) in w.iter().enumerate() {
            sum = sum + self.x(s, i, j) * s.load(w);
        }
        sum
    }

    /// A and its first three derivatives.
    #[inline(always)]
    fn link<const N: usize, S: Simd<T, N>>(&self, s: S, o: S::V) -> [S::V; 4] {
        if self.counts {
            return [special::called::exp(s, o); 4];
        }
        let (soft, p) = special::softplus_and_derivative(s, o);
        let variance = p * (s.one() - p);
        [soft, p, variance, variance * (s.one() - (p + p))]
    }

    /// The factor of G(w), as [`cholesky`] leaves it; ln det G.
    #[inline(always)]
    fn factor<const N: usize, S: Simd<T, N>>(
        &self,
        s: S,
        w: &[[T; N]],
        lower: &mut [[T; N]],
    ) -> S::V {
        let precision = T::ONE / (self.sd * self.sd);
        for row in rows_mut(lower) {
            row.fill([T::ZERO; N]);
            if let Some(diagonal) = row.last_mut() {
                *diagonal = [precision; N];
            }
        }
        for i in 0..self.data.n() {
            let [_, _, weight, _] = self.link(s, self.output(s, i, w));
            for (j, row) in rows_mut(lower).enumerate() {
                let own = weight * self.x(s, i, j);
                for (k, g) in row.iter_mut().enumerate() {
                    *g = (s.load(g) + own * self.x(s, i, k)).array();
                }
            }
        }
        cholesky(s, lower, w.len(), T::ZERO);
        let mut log = s.zero();
        for row in rows(lower) {
            if let Some(inverse) = row.last() {
                let inverse = special::called::ln(s, s.load(inverse));
                log = log - (inverse + inverse);
            }
        }
        log
    }
}

impl<T: Real, const N: usize> Geometry<T, N> for Regression<'_, T> {
    #[inline(always)]
    fn draw<S: Simd<T, N>>(self, s: S, w: &[[T; N]], z: &mut [[T; N]], room: &mut [[T; N]]) {
        let d = w.len();
        let Some(([lower], _)) = cut(room, [lower_len(d).unwrap_or(0)]) else { return };
        self.factor(s, w, lower);
        // L z, from its last entry on: each needs those before it.
        for (i, row) in (0..d).rev().filter_map(|i| Some((i, rows(lower).nth(i)?))) {
            let Some((before, [own, ..])) = z.split_at_mut_checked(i) else { return };
            let Some((inverse, left)) = row.split_last() else { return };
            let mut sum = s.load(own) / s.load(inverse);
            for (l, z) in left.iter().zip(before) {
                sum = sum + s.load(l) * s.load(z);
            }
            *own = sum.array();
        }
    }
    #[inline(always)]
    fn energy<S: Simd<T, N>>(self, s: S, w: &[[T; N]], p: &[[T; N]], room: &mut [[T; N]]) -> S::V {
        let d = w.len();
        let Some(([lower, u], _)) = cut(room, [lower_len(d).unwrap_or(0), d]) else {
            return s.splat(T::NAN);
        };
        let mut sum = self.factor(s, w, lower);
        u.iter_mut().zip(p).for_each(|(u, p)| *u = *p);
        solve_lower(s, lower, u);
        for u in u.iter() {
            sum = sum + s.load(u) * s.load(u);
        }
        s.splat(T::HALF) * sum
    }
    #[inline(always)]
    fn velocity<S: Simd<T, N>>(
        self,
        s: S,
        w: &[[T; N]],
        p: &[[T; N]],
        out: &mut [[T; N]],
        room: &mut [[T; N]],
    ) {
        let Some(lower) = lower_len(w.len()).and_then(|k| room.get_mut(..k)) else { return };
        self.factor(s, w, lower);
        out.iter_mut().zip(p).for_each(|(u, p)| *u = *p);
        solve_lower(s, lower, out);
        solve_lower_transposed(s, lower, out);
    }
    // (1/2) sum_i A'''(o_i) (x_i'G^-1 x_i - (x_i.u)^2) x_i, u = G^-1 p.
    #[inline(always)]
    fn force<S: Simd<T, N>>(
        self,
        s: S,
        w: &[[T; N]],
        p: &[[T; N]],
        out: &mut [[T; N]],
        room: &mut [[T; N]],
    ) {
        let d = w.len();
        let Some(([lower, u, column], _)) = cut(room, [lower_len(d).unwrap_or(0), d, d]) else {
            return;
        };
        // Leaves the factor in its room.
        self.velocity(s, w, p, u, lower);
        out.fill([T::ZERO; N]);
        for i in 0..self.data.n() {
            let [.., third] = self.link(s, self.output(s, i, w));
            for (j, c) in column.iter_mut().enumerate() {
                *c = self.x(s, i, j).array();
            }
            solve_lower(s, lower, column);
            let along = self.output(s, i, u);
            let mut square = -(along * along);
            for c in column.iter() {
                square = square + s.load(c) * s.load(c);
            }
            let weight = s.splat(T::HALF) * third * square;
            for (j, out) in out.iter_mut().enumerate() {
                *out = (s.load(out) + weight * self.x(s, i, j)).array();
            }
        }
    }
    #[inline(always)]
    fn contains<S: Simd<T, N>>(self, s: S, _: &[[T; N]]) -> S::V {
        s.one()
    }
    #[inline(always)]
    fn part(self, dim: usize) -> usize {
        dim
    }
    // Weights are not known to more digits than they have.
    #[inline(always)]
    fn length<S: Simd<T, N>>(self, s: S, w: &[[T; N]]) -> S::V {
        let mut size = s.zero();
        for w in w {
            size = size + s.load(w).abs();
        }
        size
    }
}

dispatched! {
    fn value_and_gradient(
        s: S, model: &Regression<'_, T>, w: &[[T; N]], gradient: &mut [[T; N]],
    ) -> [T; N] {
        let precision = s.splat(T::ONE / (model.sd * model.sd));
        let mut value = s.zero();
        for (w, g) in w.iter().zip(gradient.iter_mut()) {
            let w = s.load(w);
            value = value - s.splat(T::HALF) * precision * w * w;
            *g = (-(precision * w)).array();
        }
        for (i, y) in model.data.y().iter().enumerate() {
            let (o, y) = (model.output(s, i, w), s.splat(*y));
            let [normaliser, mean, ..] = model.link(s, o);
            value = value + (y * o - normaliser);
            for (j, g) in gradient.iter_mut().enumerate() {
                *g = (s.load(g) + (y - mean) * model.x(s, i, j)).array();
            }
        }
        value.array()
    }
}

impl<T: Real> Regression<'_, T> {
    /// log p(y, w), without what does not depend on w, and its gradient, written over `gradient`.
    pub fn evaluate<const N: usize>(
        &self,
        isa: Isa,
        w: &[[T; N]],
        gradient: &mut [[T; N]],
    ) -> [T; N]
    where
        T: Lanes<N>,
    {
        value_and_gradient(isa, self, w, gradient)
    }

    /// One transition of Riemannian HMC, `steps` gradients; the step in posterior sds. The state holds value and gradient
    /// ([`evaluate`](Self::evaluate)); `work`: [`work_len`] blocks, with fewer every chain stays and tells divergence.
    pub fn transition<const N: usize>(
        &self,
        isa: Isa,
        streams: &mut [Stream; N],
        trajectory: &Trajectory<T, N>,
        state: State<'_, T, N>,
        work: &mut [[T; N]],
    ) -> Outcome<T, N>
    where
        T: Lanes<N>,
    {
        let d = state.position.len();
        let lists = cut(work, [d, d, d, d.saturating_mul(SPARE)]);
        let Some(([position, momentum, gradient, spare], room)) = lists else {
            return Outcome {
                acceptance: [T::ZERO; N],
                accepted: [false; N],
                divergent: [true; N],
                energy: [T::NAN; N],
            };
        };
        let lent = Work { position, momentum, gradient, spare, room };
        let mut density = |w: &[[T; N]], g: &mut [[T; N]]| value_and_gradient(isa, self, w, g);
        transition(isa, *self, streams, trajectory, state, lent, &mut density)
    }

    /// `count` steps of length `step` from the weights `w` and their momenta `p`, which become their end; 1 in the lanes where
    /// each of them could be solved and undone, else 0. `work` as above; 0 with fewer blocks.
    pub fn leap<const N: usize>(
        &self,
        isa: Isa,
        (step, count): ([T; N], u32),
        [w, p]: [&mut [[T; N]]; 2],
        work: &mut [[T; N]],
    ) -> [T; N]
    where
        T: Lanes<N>,
    {
        let d = w.len();
        let lists = cut(work, [d, d.saturating_mul(SPARE)]);
        let Some(([gradient, spare], room)) = lists else { return [T::ZERO; N] };
        let lent = Work { position: w, momentum: p, gradient, spare, room };
        let mut density = |w: &[[T; N]], g: &mut [[T; N]]| value_and_gradient(isa, self, w, g);
        let half = step.map(|e| T::HALF * e);
        leap(isa, *self, (half, count), lent, &mut density)
    }
}
