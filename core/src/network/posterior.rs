//! The posterior of a network as a density that every kernel and run samples.
//!
//! Coordinates g: one z a parameter, in the order of [`Architecture`], with reference
//! law N(0, 1), which is also their prior; then the logarithms of the sampled scales, in the order of
//! [`WeightPrior::groups`]; then the coordinates of the output family. Relative to N(0, I),
//!
//! log p(g) + |g|^2/2 + P/2 log 2 pi = ln p(y | x, parameters, own) + sum over the last two lists of
//! [log prior + g^2/2 + log(2 pi)/2],
//!
//! all normalised, so that the mean of its exponential under N(0, I) is the evidence.

use super::architecture::Architecture;
use super::pass::{Pass, Point};
use super::prior::WeightPrior;
use crate::density::{Density, Extent};
use crate::dispatch::dispatched;
use crate::linalg;
use crate::scalar::Real;
use crate::simd::{Isa, Lanes, Vector};
use crate::special;
use crate::sum::Sum;

/// ln(2 pi) / 2 and ln(2 / pi).
const HALF_LN_2_PI: f64 = 0.918_938_533_204_672_8;
const LN_2_OVER_PI: f64 = -0.451_582_705_289_454_86;

/// Likelihood and prior of a network.
#[derive(Clone, Copy, Debug)]
pub struct Posterior<'a, T, const N: usize> {
    /// Rows, layers and output family.
    pub pass: Pass<'a, T>,
    /// The prior of the parameters.
    pub prior: WeightPrior<T>,
    /// The degrees of freedom of the noise where the family has them, one a chain.
    pub nu: [T; N],
    /// Whether -|g|^2/2 is part of the value: log p(g) itself instead of what relates it to N(0, I).
    pub whole: bool,
    /// What the log likelihood is multiplied by in value and gradient: n/b where the rows taken are a minibatch.
    pub weight: T,
}

/// Where the coordinates of a kind begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Places {
    /// The first log scale, after the parameters' coordinates.
    pub scales: usize,
    /// The first coordinate of the output family.
    pub own: usize,
    /// All coordinates.
    pub dim: usize,
}

impl Places {
    /// Of this network and prior.
    pub fn new<T: Real>(pass: &Pass<'_, T>, prior: &WeightPrior<T>) -> Self {
        Self::of(&pass.architecture, prior, pass.family.coordinates())
    }

    /// The same, with so many coordinates of the output family.
    pub fn of<T: Real>(architecture: &Architecture, prior: &WeightPrior<T>, family: usize) -> Self {
        let scales = architecture.dim();
        let own = scales.saturating_add(prior.sampled(architecture));
        Self { scales, own, dim: own.saturating_add(family) }
    }
}

impl<T: Real, const N: usize> Posterior<'_, T, N> {
    /// Where the coordinates lie.
    pub fn places(&self) -> Places {
        Places::new(&self.pass, &self.prior)
    }

    /// The parameters at g, written over `out` ([`Architecture::dim`] blocks).
    pub fn parameters(&self, isa: Isa, g: &[[T; N]], out: &mut [[T; N]])
    where
        T: Lanes<N>,
    {
        lift(isa, &self.pass.architecture, &self.prior, g, out);
    }

    /// The draw that one chain stands at, written over `out`: the network's parameters, then the numbers of
    /// the family. `None` where a list is short.
    pub(crate) fn draw(
        &self,
        parameters: &[[T; N]],
        g: &[[T; N]],
        lane: usize,
        out: &mut [T],
    ) -> Option<()> {
        let places = self.places();
        let (network, tail) = out.split_at_mut_checked(places.scales)?;
        for (out, x) in network.iter_mut().zip(parameters) {
            *out = x.get(lane).copied()?;
        }
        let coordinates = g.get(places.own..)?.iter().filter_map(|x| x.get(lane).copied());
        tail.iter_mut().zip(coordinates).for_each(|(t, x)| *t = x);
        self.pass.family.tail(self.nu.get(lane).copied()?, tail);
        Some(())
    }
}

impl<T: Real, const N: usize> Extent for Posterior<'_, T, N> {
    fn dim(&self) -> usize {
        self.places().dim
    }
    fn scratch(&self) -> usize {
        self.pass.architecture.dim().saturating_add(self.pass.scratch())
    }
    fn rows(&self) -> usize {
        self.pass.count()
    }
}

impl<T: Lanes<N>, const N: usize> Density<T, N> for Posterior<'_, T, N> {
    fn value_and_gradient(
        &self,
        isa: Isa,
        g: &[[T; N]],
        gradient: &mut [[T; N]],
        scratch: &mut [[T; N]],
    ) -> [T; N] {
        let places = self.places();
        let (Some(g), Some(gradient)) = (g.get(..places.dim), gradient.get_mut(..places.dim))
        else {
            return [T::NAN; N];
        };
        let (Some((parameters, scratch)), Some((rest, own))) = (
            scratch.split_at_mut_checked(places.scales),
            gradient.split_at_mut_checked(places.own),
        ) else {
            return [T::NAN; N];
        };
        self.parameters(isa, g, parameters);
        let parameters = &*parameters;
        let coordinates = g.get(places.own..).unwrap_or(&[]);
        let point = Point { parameters, own: coordinates, nu: self.nu };
        let mut value = self.pass.evaluate(isa, point, &mut *rest, &mut *own, scratch);
        if cfg!(feature = "modes") && self.weight != T::ONE {
            let likelihood = rest.iter_mut().take(places.scales).chain(own);
            for list in likelihood.chain([&mut value]) {
                *list = list.map(|x| self.weight * x);
            }
        }
        let (family, nu) = (&self.pass.family, &self.nu);
        let architecture = &self.pass.architecture;
        let value = pull_back(isa, architecture, &self.prior, g, parameters, gradient, value);
        let ready = scratch.get_mut(..family.ready_len()).unwrap_or_default();
        finish(isa, self, family, (g, places), nu, gradient, ready, value)
    }
}

dispatched! {
    fn lift(
        s: S, architecture: &Architecture, prior: &WeightPrior<T>, g: &[[T; N]], out: &mut [[T; N]],
    ) {
        let logs = g.get(architecture.dim()..).unwrap_or(&[]);
        for group in prior.groups(architecture) {
            let mut scale = s.splat(group.scale);
            if let Some(log) = group.sampled.and_then(|k| logs.get(k)) {
                scale = scale * special::called::exp(s, s.load(log));
            }
            for (out, z) in group.members_mut(out).zip(group.members(g)) {
                *out = (scale * s.load(z)).array();
            }
        }
    }

    /// From the gradient by the parameters to that by z and the log scales; adds the scales' prior.
    fn pull_back(
        s: S, architecture: &Architecture, prior: &WeightPrior<T>, g: &[[T; N]],
        parameters: &[[T; N]], gradient: &mut [[T; N]], value: [T; N],
    ) -> [T; N] {
        let Some((gradient, log_gradient)) = gradient.split_at_mut_checked(architecture.dim()) else {
            return [T::NAN; N];
        };
        let logs = g.get(architecture.dim()..).unwrap_or(&[]);
        let mut sum = s.load(&value);
        for group in prior.groups(architecture) {
            let mut scale = s.splat(group.scale);
            let sampled = group.sampled.and_then(|k| Some((logs.get(k)?, log_gradient.get_mut(k)?)));
            if let Some((log, slope)) = sampled {
                let log = s.load(log);
                scale = scale * special::called::exp(s, log);
                let mut by_scale = Sum::new(s.zero());
                for (d, p) in group.members(gradient).zip(group.members(parameters)) {
                    by_scale.add(s.load(d) * s.load(p));
                }
                // l - ln(1 + e^2l) and its derivative -tanh l.
                let twice = log + log;
                let (rest, tail) = special::softplus_and_derivative(s, twice);
                *slope = (by_scale.value() + (s.one() - (tail + tail)) + log).array();
                let half_square = s.splat(T::HALF) * log * log;
                sum = sum + ((log - rest) + (half_square + s.lit(LN_2_OVER_PI + HALF_LN_2_PI)));
            }
            for d in group.members_mut(gradient) {
                *d = (s.load(d) * scale).array();
            }
        }
        sum.array()
    }

    /// The prior of the family's coordinates, and -|g|^2/2 where it is asked for.
    fn finish(
        s: S, posterior: &Posterior<'_, T, N>, family: &super::Family<T>,
        at: (&[[T; N]], Places), nu: &[T; N],
        gradient: &mut [[T; N]], ready: &mut [[T; N]], value: [T; N],
    ) -> [T; N] {
        let (g, places) = at;
        let own = g.get(places.own..).unwrap_or(&[]);
        let slopes = gradient.get_mut(places.own..).unwrap_or_default();
        family.prepare(s, own, nu, ready);
        let mut sum = s.load(&value) + family.prior(s, own, ready, slopes);
        for (x, slope) in own.iter().zip(slopes) {
            let x = s.load(x);
            *slope = (s.load(slope) + x).array();
            sum = sum + (s.splat(T::HALF) * x * x + s.lit(HALF_LN_2_PI));
        }
        if posterior.whole {
            sum = sum - s.splat(T::HALF) * linalg::squared_norm(s, g);
            for (slope, x) in gradient.iter_mut().zip(g) {
                *slope = (s.load(slope) - s.load(x)).array();
            }
        }
        sum.array()
    }
}
