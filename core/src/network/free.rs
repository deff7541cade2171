//! The posterior of a network as a [`Problem`](crate::problem::Problem) has it.

use super::architecture::Architecture;
use super::output::{Family, Output};
use super::pass::{Pass, Point};
use super::posterior::Posterior;
use super::prior::WeightPrior;
use crate::activation::Activation;
use crate::data::Dataset;
use crate::density::{Density, Extent};
use crate::dispatch::dispatched;
use crate::error::refuse;
use crate::likelihood::Likelihood;
use crate::problem::ProblemError;
use crate::scalar::{Real, pair};
use crate::simd::{Isa, Lanes, Vector};
use crate::special;

/// A network with every parameter free: the density of [`Posterior`] relative to N(0, I), of whose exponential
/// the mean under N(0, I) is the evidence. Its coordinates z are those of the posterior, but that those behind
/// the parameters' are m + s z, with about the mean and the sd of their priors: what starts from N(0, I), and the
/// temperatures that begin there, find the posterior where the prior has it.
#[derive(Clone, Copy, Debug)]
pub struct FreeNetwork<'a, T> {
    /// The rows with their targets. Where `exposure`, their last column is no input of the layers.
    pub data: Dataset<'a, T>,
    /// The layers.
    pub architecture: Architecture,
    /// psi.
    pub activation: Activation,
    /// What y is given the outputs.
    pub family: Family<T>,
    /// Whether the last column holds each row's exposure.
    pub exposure: bool,
    /// The prior of the parameters.
    pub prior: WeightPrior<T>,
    /// The degrees of freedom of Student-t noise, at least 1; others have none.
    pub nu: T,
}

impl<'a, T: Real> FreeNetwork<'a, T> {
    /// The same, if layers, family, prior, targets and exposures are such as they can be. Reads y and the
    /// exposures once.
    pub fn checked(self) -> Result<Self, ProblemError> {
        use ProblemError as E;
        let Self { data, architecture, family, .. } = self;
        let counts = family.output.is_counts();
        let columns = architecture.inputs.checked_add(self.exposure as usize);
        let heavy = family.output == Output::StudentT;
        let tail = !heavy || (self.nu >= T::ONE && self.nu.is_finite());
        refuse(!(self.prior.valid() && family.constants_valid() && tail), E::Constant)?;
        let sound = architecture.valid() && family.valid() && (counts || !self.exposure);
        refuse(!sound || family.categories > u16::MAX as u32, E::Layers)?;
        refuse(architecture.outputs != family.outputs(), E::Layers)?;
        refuse(architecture.inputs == 0 || columns != Some(data.d()), E::Layers)?;
        // What drivers take of it is a few times as much for each lane.
        let size = self.dim().checked_mul(64).and(self.scratch().checked_mul(64));
        refuse(size.is_none(), E::Layers)?;
        refuse(!data.y().iter().all(|y| family.possible(*y)), E::Target)?;
        let exposures = self.exposure.then_some(0..data.n()).into_iter().flatten();
        let exposed = |i| data.inputs.at(i, architecture.inputs) > T::ZERO;
        refuse(!exposures.into_iter().all(exposed), E::Target)?;
        Ok(self)
    }

    /// From z to the coordinates of the posterior.
    fn place<const N: usize>(&self, isa: Isa, g: &mut [[T; N]])
    where
        T: Lanes<N>,
    {
        let places = self.posterior::<1>().places();
        let Some((g, own)) = g.split_at_mut_checked(places.own) else { return };
        stretch(isa, pair::<T>(SCALES), g.get_mut(places.scales..).unwrap_or_default());
        stretch(isa, self.family.extent(), own);
    }

    /// The coordinates z of one chain, its parameters, what is left of the work.
    fn at<'w>(
        &self,
        posterior: &Posterior<'_, T, 1>,
        z: impl Fn(usize) -> T,
        work: &'w mut [[T; 1]],
    ) -> Option<One<'w, T>>
    where
        T: Lanes<1>,
    {
        let places = posterior.places();
        let (g, work) = work.split_at_mut_checked(places.dim)?;
        let (parameters, work) = work.split_at_mut_checked(places.scales)?;
        g.iter_mut().enumerate().for_each(|(k, g)| *g = [z(k)]);
        self.place(Isa::Portable, g);
        posterior.parameters(Isa::Portable, g, parameters);
        Some((g, parameters, work))
    }

    /// The density of so many chains.
    pub fn posterior<const N: usize>(&self) -> Posterior<'a, T, N> {
        let Self { data, architecture, activation, family, exposure, prior, nu } = *self;
        let pass = Pass { data, rows: None, architecture, activation, family, exposure };
        Posterior { pass, prior, nu: [nu; N], whole: false, weight: T::ONE }
    }

    /// Numbers of a draw of the network itself, see [`draw`](Self::draw).
    pub fn draw_len(&self) -> usize {
        self.architecture.dim().saturating_add(self.family.tail_len())
    }

    /// The draw of the network at the coordinates z: its parameters in the order of [`Architecture`], then the
    /// numbers of its family, written over the [`draw_len`](Self::draw_len) of `out`. `work`: blocks for the
    /// coordinates and the parameters. `None` where either is short.
    pub fn draw(&self, z: impl Fn(usize) -> T, work: &mut [[T; 1]], out: &mut [T]) -> Option<()>
    where
        T: Lanes<1>,
    {
        let posterior = self.posterior::<1>();
        let (g, parameters, _) = self.at(&posterior, z, work)?;
        posterior.draw(parameters, g, 0, out)
    }

    /// E(y) at a row given the coordinates z; of a class, the probability of the one observed there. `work`:
    /// [`Extent::dim`] + [`Extent::scratch`] blocks; NaN with fewer.
    pub fn mean(&self, row: usize, z: impl Fn(usize) -> T, work: &mut [[T; 1]]) -> T
    where
        T: Lanes<1>,
    {
        let posterior = self.posterior::<1>();
        let Some((g, parameters, scratch)) = self.at(&posterior, z, work) else { return T::NAN };
        let own = g.get(posterior.places().own..).unwrap_or(&[]);
        let point = Point { parameters, own, nu: posterior.nu };
        let [[mean], _] = posterior.pass.moments(Isa::Portable, point, row, scratch);
        mean
    }
}

/// The mean and the sd of the logarithm of a half-Cauchy number.
const SCALES: [f64; 2] = [0.0, core::f64::consts::FRAC_PI_2];

/// One chain: its coordinates in the posterior, its parameters, what is left of the work.
type One<'w, T> = (&'w [[T; 1]], &'w [[T; 1]], &'w mut [[T; 1]]);

impl<T: Real> Extent for FreeNetwork<'_, T> {
    fn dim(&self) -> usize {
        self.posterior::<1>().dim()
    }

    /// The coordinates, and the posterior's.
    fn scratch(&self) -> usize {
        self.dim().saturating_add(self.posterior::<1>().scratch())
    }

    fn rows(&self) -> usize {
        self.data.n()
    }
}

impl<T: Lanes<N>, const N: usize> Likelihood<T, N> for FreeNetwork<'_, T> {
    fn value_and_gradient(
        &self,
        isa: Isa,
        w: &[[T; N]],
        gradient: &mut [[T; N]],
        scratch: &mut [[T; N]],
    ) -> [T; N] {
        let posterior = self.posterior::<N>();
        let places = posterior.places();
        let (Some(w), Some((g, scratch))) =
            (w.get(..places.dim), scratch.split_at_mut_checked(places.dim))
        else {
            return [T::NAN; N];
        };
        g.iter_mut().zip(w).for_each(|(g, w)| *g = *w);
        self.place(isa, g);
        let value = posterior.value_and_gradient(isa, g, gradient, scratch);
        let scales = places.scales..places.own;
        let own = places.own..places.dim;
        let value = pull_back(isa, pair::<T>(SCALES), (g, w), gradient, scales, value);
        pull_back(isa, self.family.extent(), (g, w), gradient, own, value)
    }
}

dispatched! {
    /// x <- m + s x.
    fn stretch(s: S, law: [T; 2], list: &mut [[T; N]]) {
        let [mean, sd] = law;
        for x in list {
            *x = (s.splat(mean) + s.splat(sd) * s.load(x)).array();
        }
    }

    /// From the density relative to N(0, 1) of g = m + s z to that of z, of the coordinates in a range.
    fn pull_back(
        s: S, law: [T; 2], at: (&[[T; N]], &[[T; N]]), gradient: &mut [[T; N]],
        range: core::ops::Range<usize>, value: [T; N],
    ) -> [T; N] {
        let ([_, sd], (g, z)) = (law, at);
        let (log, sd, half) = (special::called::ln(s, s.splat(sd)), s.splat(sd), s.splat(T::HALF));
        let mut sum = s.load(&value);
        let lists = (g.get(range.clone()), z.get(range.clone()), gradient.get_mut(range));
        let (Some(g), Some(z), Some(gradient)) = lists else { return [T::NAN; N] };
        for ((g, z), slope) in g.iter().zip(z).zip(gradient) {
            let (g, z) = (s.load(g), s.load(z));
            sum = sum + (log + half * (z * z - g * g));
            *slope = (sd * (s.load(slope) - g) + z).array();
        }
        sum.array()
    }
}
