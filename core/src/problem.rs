//! What is sampled: a posterior, validated once.
//!
//! ```
//! use lcc_core::activation::Activation;
//! use lcc_core::data::{Dataset, Inputs};
//! use lcc_core::prior::Prior;
//! use lcc_core::problem::{Problem, ProblemError};
//!
//! let data = Dataset::new(Inputs::row_major(&[0.5, -1.0], 2, 1)?, &[1.0, 0.2])?;
//! let prior = Prior::gaussian(1.0)?;
//! let problem = Problem::greedy(data, Activation::Tanh, prior, 0.7)?;
//! // A resumed sampler knows its problem again.
//! let other = Problem::greedy(data, Activation::Tanh, prior, 0.8)?;
//! assert_ne!(problem.fingerprint(), other.fingerprint());
//! let refused = Problem::greedy(data, Activation::Tanh, prior, -0.7);
//! assert_eq!(refused.unwrap_err(), ProblemError::Alpha);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::activation::Activation;
use crate::coupling::rho::{self, JointScale, RhoError};
use crate::coupling::{Coupling, CouplingError, Sides};
use crate::data::Dataset;
use crate::density::Extent;
use crate::error::{errors, refuse};
use crate::lifted::Lifted;
use crate::likelihood::{
    GreedyTilt, Hinges, Joint, Likelihood, LogDensity, PiecewiseQuadratic, Signs, UserDensity,
};
use crate::linalg::one::cholesky;
use crate::linalg::{for_diagonal, lower_len};
use crate::network::{DeepPosterior, FreeNetwork};
use crate::output::Output;
use crate::plain::plain;
use crate::prior::{Prior, PriorError};
use crate::reference::Affine;
use crate::scalar::Real;
use crate::simd::{Isa, Lanes};
use crate::uncentring::Uncentring;
use crate::workspace::WorkspaceError;

errors! {
    /// Why a posterior was refused.
    pub enum ProblemError {
        Alpha = "alpha must be positive and finite",
        Beta = "beta must be positive and finite",
        Outer = "the outer weight must be positive and finite",
        Quadratic = "the factor of the square must be finite and not negative",
        Neurons = "the number of neurons is zero or too large",
        Dimension = "the number of coordinates is zero or too large",
        /// The squared ReLU grows like the Gaussian prior falls, and
        /// lambda_max(sum_i alpha max(r_i, 0) x_i x_i') < 1/sd^2 does not hold.
        Improper = "the posterior may be improper: squared ReLU under a Gaussian prior this wide",
        Layers = "layers, classes or columns of the network are out of range, or an exposure goes without counts",
        Constant = "a constant of the network's prior or noise is out of range",
        Target = "a target is no value that the output can have, or an exposure is not positive",
        Weights = "rows with weights are for networks alone",
        ScratchTooShort = "the scratch is too short",
    }
    from {
        Prior(PriorError),
    }
}

plain! {
    /// What the parts of an object that samples a [`Problem`] follow from.
    pub(crate) struct Sizes {
        /// Rows n, columns d, neurons M, latent coordinates, scratch of the density.
        pub rows: usize,
        pub d: usize,
        pub neurons: usize,
        pub latent: usize,
        pub scratch: usize,
        /// Numbers in which the prior's propriety is checked.
        pub check: usize,
        pub fingerprint: u64,
    }
}

impl Sizes {
    /// M d.
    pub(crate) fn dim(&self) -> usize {
        self.d.saturating_mul(self.neurons)
    }
}

/// The log likelihood of a [`Problem`].
#[derive(Clone, Copy, Debug)]
pub enum Target<'a, T> {
    /// One neuron against residuals.
    Greedy(GreedyTilt<'a, T>),
    /// M neurons with fixed outer weights.
    Joint(Joint<'a, T>),
    /// A density of the user's own.
    User(UserDensity<'a, T>),
    /// A network with every parameter free.
    Network(FreeNetwork<'a, T>),
    /// Several hidden layers with fixed outer weights.
    Deep(DeepPosterior<'a, T>),
}

impl<'a, T: Real> Target<'a, T> {
    /// The likelihood as what it takes.
    fn extent(&self) -> &dyn Extent {
        match self {
            Self::Greedy(l) => l,
            Self::Joint(l) => l,
            Self::User(l) => l,
            Self::Network(l) => l,
            Self::Deep(l) => l,
        }
    }

    /// The likelihood itself.
    fn lanes<const N: usize>(&self) -> &(dyn PiecewiseQuadratic<T, N> + 'a)
    where
        T: Lanes<N>,
    {
        match self {
            Self::Greedy(l) => l,
            Self::Joint(l) => l,
            Self::User(l) => l,
            Self::Network(l) => l,
            Self::Deep(l) => l,
        }
    }

    /// Those along a line, where they are known ([`PiecewiseQuadratic`]).
    pub fn hinges(&self) -> Option<Hinges<'a, T>> {
        match self {
            Self::Greedy(l) => l.hinges(),
            _ => None,
        }
    }
}

impl<T: Real> Extent for Target<'_, T> {
    fn dim(&self) -> usize {
        self.extent().dim()
    }

    fn scratch(&self) -> usize {
        self.extent().scratch()
    }

    fn rows(&self) -> usize {
        self.extent().rows()
    }
}

impl<T: Lanes<N>, const N: usize> Likelihood<T, N> for Target<'_, T> {
    fn value_and_gradient(
        &self,
        isa: Isa,
        w: &[[T; N]],
        gradient: &mut [[T; N]],
        scratch: &mut [[T; N]],
    ) -> [T; N] {
        self.lanes().value_and_gradient(isa, w, gradient, scratch)
    }

    fn value(
        &self,
        isa: Isa,
        w: &[[T; N]],
        spare: &mut [[T; N]],
        scratch: &mut [[T; N]],
    ) -> [T; N] {
        self.lanes().value(isa, w, spare, scratch)
    }
}

impl<T: Lanes<N>, const N: usize> PiecewiseQuadratic<T, N> for Target<'_, T> {
    fn hinges(&self) -> Option<Hinges<'_, T>> {
        self.hinges()
    }

    fn restrict(
        &self,
        isa: Isa,
        w: &[[T; N]],
        u: &[[T; N]],
        x: &mut [[T; N]],
        z: &mut [[T; N]],
    ) -> [[T; N]; 2] {
        self.lanes().restrict(isa, w, u, x, z)
    }
}

/// A posterior: a likelihood and the prior of each weight vector. `Copy`; borrows the data.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a, T> {
    likelihood: Target<'a, T>,
    prior: Prior<T>,
}

impl<'a, T: Real> Problem<'a, T> {
    /// The greedy posterior exp(alpha sum_i r_i psi(x_i.w)) p0(w), the residuals r_i being the
    /// targets of `data` (\[MB\] (2)). Squared ReLU under a Gaussian prior needs
    /// [`check_proper`](Self::check_proper) besides.
    pub fn greedy(
        data: Dataset<'a, T>,
        activation: Activation,
        prior: Prior<T>,
        alpha: T,
    ) -> Result<Self, ProblemError> {
        refuse(!positive(alpha), ProblemError::Alpha)?;
        data.unweighted().map_err(|_| ProblemError::Weights)?;
        let prior = prior.checked()?;
        Ok(Self { likelihood: Target::Greedy(GreedyTilt::new(data, alpha, activation)), prior })
    }

    /// The greedy posterior of a tilt with all that it may have: the square of \[B\], and a sign of
    /// the neuron that is summed out ([`GreedyTilt`]). With a sign there is no coupling
    /// ([`RhoError::Signed`]): take what samples w itself.
    pub fn greedy_tilt(tilt: GreedyTilt<'a, T>, prior: Prior<T>) -> Result<Self, ProblemError> {
        refuse(!positive(tilt.alpha), ProblemError::Alpha)?;
        tilt.data.unweighted().map_err(|_| ProblemError::Weights)?;
        if !(tilt.quadratic >= T::ZERO && tilt.quadratic.is_finite()) {
            return Err(ProblemError::Quadratic);
        }
        let prior = prior.checked()?;
        Ok(Self { likelihood: Target::Greedy(tilt), prior })
    }

    /// The joint posterior exp(-(beta/2) sum_i (y_i - (V/M) sum_m s_m psi(x_i.w_m))^2) prod p0(w_m)
    /// of M = `neurons` >= 1 vectors, V = `outer` (\[B\]).
    pub fn joint(
        data: Dataset<'a, T>,
        activation: Activation,
        prior: Prior<T>,
        neurons: usize,
        outer: T,
        beta: T,
        signs: Signs,
    ) -> Result<Self, ProblemError> {
        if neurons == 0 || data.d().saturating_add(1).checked_mul(neurons).is_none() {
            return Err(ProblemError::Neurons);
        }
        refuse(!positive(outer), ProblemError::Outer)?;
        refuse(!positive(beta), ProblemError::Beta)?;
        data.unweighted().map_err(|_| ProblemError::Weights)?;
        let prior = prior.checked()?;
        let joint = Joint { data, activation, neurons, outer, beta, signs };
        Ok(Self { likelihood: Target::Joint(joint), prior })
    }

    /// A density of the user's own on R^dim, with N(0, scale^2 I) as its reference: where chains start,
    /// and what split HMC solves exactly. `gradient`: whether the density computes gradients.
    pub fn user(
        density: &'a dyn LogDensity<T>,
        dim: usize,
        scale: T,
        gradient: bool,
    ) -> Result<Self, ProblemError> {
        refuse(dim == 0 || dim.checked_mul(32).is_none(), ProblemError::Dimension)?;
        let prior = Prior::gaussian(scale)?;
        let (frame, volume, uncentring, starts) = (None, T::ZERO, None, &[][..]);
        let user = UserDensity { density, dim, scale, gradient, frame, volume, uncentring, starts };
        let likelihood = Target::User(user);
        Ok(Self { likelihood, prior })
    }

    /// A user's density with N(m, LL') as its reference, in the coordinates w of the frame x = m + L w: what
    /// [`Warmup`](crate::warmup::Warmup) finds. Draws are of x. Any other posterior keeps its prior.
    #[must_use]
    pub fn about(&self, frame: Affine<'a, T>) -> Self {
        match self.likelihood {
            Target::User(user) => {
                let volume = frame.log_volume();
                let user = UserDensity { scale: T::ONE, frame: Some(frame), volume, ..user };
                Self { likelihood: Target::User(user), prior: Prior::Gaussian { sd: T::ONE } }
            }
            _ => *self,
        }
    }

    /// A user's density changed so; any other posterior as it was.
    fn changed(&self, change: impl FnOnce(UserDensity<'a, T>) -> UserDensity<'a, T>) -> Self {
        match self.likelihood {
            Target::User(user) => Self { likelihood: Target::User(change(user)), ..*self },
            _ => *self,
        }
    }

    /// A user's density whose chains, and ascents of a warm-up, begin at points of R^dim, one after another: the
    /// first at the first, and those beyond them at draws of the reference about the points in turn. Read when they
    /// begin, and never again. Any other posterior is as it was.
    #[must_use]
    pub fn starting(&self, starts: &'a [T]) -> Self {
        self.changed(|user| UserDensity { starts, ..user })
    }

    /// A user's density in the coordinates of a map: `density` is the user's there. Draws and starts are as the user has them.
    #[must_use]
    pub(crate) fn uncentred(&self, density: &'a dyn LogDensity<T>, map: Uncentring<'a, T>) -> Self {
        self.changed(|user| UserDensity { density, uncentring: Some(map), ..user })
    }

    /// The same without a frame.
    #[must_use]
    pub fn unframed(&self) -> Self {
        self.changed(|user| UserDensity { frame: None, volume: T::ZERO, ..user })
    }

    /// The density that the user brought.
    pub fn own(&self) -> Option<UserDensity<'a, T>> {
        match self.likelihood {
            Target::User(user) => Some(user),
            _ => None,
        }
    }

    /// The posterior of a network of any depth, output and prior, every parameter free: [`FreeNetwork`]. Its
    /// w are the coordinates z ~ N(0, I), of which [`FreeNetwork::draw`] makes the network. Its value is
    /// normalised, so that the evidence is that of y. It has no coupling and no certificates.
    pub fn network(network: FreeNetwork<'a, T>) -> Result<Self, ProblemError> {
        let likelihood = Target::Network(network.checked()?);
        Ok(Self { likelihood, prior: Prior::gaussian(T::ONE)? })
    }

    /// The joint posterior of several hidden layers ([`crate::docs::deep`]). Its w are the coordinates g ~
    /// N(0, I), of which [`DeepPosterior::to_weights`] makes the weights of all layers. Under the l1 prior the
    /// method `gibbs` couples its layers one after another; other methods on a coupling have none here.
    pub fn deep(posterior: DeepPosterior<'a, T>) -> Result<Self, ProblemError> {
        let deep = posterior.likelihood();
        deep.data.unweighted().map_err(|_| ProblemError::Weights)?;
        refuse(!deep.architecture().valid(), ProblemError::Layers)?;
        Ok(Self { likelihood: Target::Deep(posterior), prior: Prior::gaussian(T::ONE)? })
    }

    /// The log likelihood.
    pub fn likelihood(&self) -> &Target<'a, T> {
        &self.likelihood
    }

    /// The prior of each weight vector.
    pub fn prior(&self) -> Prior<T> {
        self.prior
    }

    /// The data whose rows meet w in x.w; a user's density, a network and several layers keep their own.
    pub fn data(&self) -> Option<Dataset<'a, T>> {
        match self.likelihood {
            Target::Greedy(l) => Some(l.data),
            Target::Joint(l) => Some(l.data),
            Target::User(_) | Target::Network(_) | Target::Deep(_) => None,
        }
    }

    /// The output as a function of the weights; a user's density has none, a network and several layers their
    /// own ([`FreeNetwork::mean`], [`DeepPosterior::function`]).
    pub fn output(&self) -> Option<Output<T>> {
        match self.likelihood {
            Target::Greedy(l) => Some(Output {
                activation: l.activation,
                neurons: 1,
                signs: Signs::Positive,
                factor: T::ONE,
            }),
            Target::Joint(l) => Some(Output {
                activation: l.activation,
                neurons: l.neurons,
                signs: l.signs,
                factor: l.outer / T::of_usize(l.neurons),
            }),
            Target::User(_) | Target::Network(_) | Target::Deep(_) => None,
        }
    }

    /// Whether its density has a gradient.
    pub fn has_gradient(&self) -> bool {
        match self.likelihood {
            Target::User(l) => l.gradient,
            _ => true,
        }
    }

    /// Whether the activation that a coupling would bound the curvature of has a kink.
    pub fn has_kink(&self) -> bool {
        match self.likelihood {
            Target::Deep(l) => l.likelihood().activation.has_kink(),
            _ => self.output().is_some_and(|output| output.activation.has_kink()),
        }
    }

    /// Whether a neuron's sign is summed out.
    pub fn sums_signs(&self) -> bool {
        matches!(self.likelihood, Target::Greedy(GreedyTilt { signed: true, .. }))
    }

    /// M, the weight vectors.
    pub fn neurons(&self) -> usize {
        self.output().map_or(1, |output| output.neurons)
    }

    /// The signs s_m.
    pub fn signs(&self) -> Signs {
        self.output().map_or(Signs::Positive, |output| output.signs)
    }

    // What follows is asked everywhere: functions to call.

    /// d, the coordinates of one weight vector.
    #[inline(never)]
    pub fn d(&self) -> usize {
        self.data().map_or(self.dim(), |data| data.d())
    }

    /// M d, the coordinates of w.
    #[inline(never)]
    pub fn dim(&self) -> usize {
        self.likelihood.dim()
    }

    /// The coordinates of the latent g ~ N(0, I) that the prior maps to w.
    pub fn latent_dim(&self) -> usize {
        self.prior.latent_dim(self.d()).saturating_mul(self.neurons())
    }

    /// The posterior in latent coordinates; `None` never for a constructed problem.
    #[inline(never)]
    pub fn density(&self) -> Option<Lifted<'_, T, Target<'a, T>>> {
        Lifted::new(&self.likelihood, self.prior, self.d(), self.neurons()).ok()
    }

    /// w of positions in latent coordinates, at the front of the scratch, and their log densities, the log
    /// likelihoods being known. `None` where the scratch is short.
    pub(crate) fn draw<'w, const N: usize>(
        &self,
        isa: Isa,
        position: &[[T; N]],
        likelihood: &[T; N],
        work: &'w mut [[T; N]],
    ) -> Option<(&'w [[T; N]], [T; N])>
    where
        T: Lanes<N>,
    {
        let (w, rest) = work.split_at_mut_checked(self.dim())?;
        self.density()?.to_weights(isa, position, w, rest).then_some(())?;
        let mut density = self.prior.log_density_on(isa, self.d(), w);
        density.iter_mut().zip(likelihood).for_each(|(p, l)| *p += *l);
        self.leave_frame(isa, w, &mut density, rest)?;
        Some((w, density))
    }

    /// From the coordinates of a frame, if there is one, to those of the draws: w becomes x = m + L w, and the
    /// log density of w that of x. `None` where the scratch is shorter than w.
    pub(crate) fn leave_frame<const N: usize>(
        &self,
        isa: Isa,
        w: &mut [[T; N]],
        density: &mut [T; N],
        scratch: &mut [[T; N]],
    ) -> Option<()>
    where
        T: Lanes<N>,
    {
        let Some(user) = self.own() else { return Some(()) };
        if let Some(frame) = user.frame {
            let x = scratch.get_mut(..w.len())?;
            frame.apply(isa, w, x);
            w.iter_mut().zip(x).for_each(|(w, x)| *w = *x);
            density.iter_mut().for_each(|p| *p -= user.volume);
        }
        if let Some(map) = user.uncentring {
            for (lane, p) in density.iter_mut().enumerate() {
                *p -= map.leave(w.as_flattened_mut(), N, lane);
            }
        }
        Some(())
    }

    /// What the parts of an object that samples it follow from, where it has that fingerprint.
    pub(crate) fn sizes(&self, fingerprint: u64) -> Result<Sizes, WorkspaceError> {
        let both = self.density().zip(self.proper_scratch());
        let (density, check) = both.ok_or(WorkspaceError::Overflow)?;
        let (latent, scratch) = (density.dim(), density.scratch());
        let (rows, d, neurons) = (density.rows(), self.d(), self.neurons());
        Ok(Sizes { rows, d, neurons, latent, scratch, check, fingerprint })
    }

    /// Classes of rho: 2 where it depends on the sign of the neuron.
    pub fn rho_classes(&self, sides: Sides) -> usize {
        match &self.likelihood {
            Target::Joint(joint) => joint_scale(joint).classes(sides),
            _ => 1,
        }
    }

    /// rho_i of its coupling, n for each class: [`rho::greedy`], [`rho::greedy_quadratic`] or
    /// [`rho::joint`] over what x.w can reach under the prior. `out` holds n times
    /// [`rho_classes`](Self::rho_classes). [`RhoError::Unbounded`] for a user's density, a network and several
    /// layers too (whose couplings depend on w), [`RhoError::Kink`] for the ReLU.
    pub fn rho(&self, sides: Sides, out: &mut [T]) -> Result<(), RhoError> {
        refuse(self.has_kink(), RhoError::Kink)?;
        match &self.likelihood {
            Target::Greedy(tilt) => {
                let inputs = tilt.data.inputs;
                let range = rho::Range::reachable(tilt.activation, self.prior, inputs);
                let (alpha, r) = (tilt.alpha, tilt.data.y());
                refuse(tilt.signed, RhoError::Signed)?;
                if tilt.quadratic == T::ZERO {
                    rho::greedy(sides, alpha, r, range, out)
                } else {
                    rho::greedy_quadratic(sides, alpha, tilt.quadratic, r, range, out)
                }
            }
            Target::Joint(joint) => {
                let inputs = joint.data.inputs;
                let range = rho::Range::reachable(joint.activation, self.prior, inputs);
                rho::joint(sides, &joint_scale(joint), joint.data.y(), range, out)
            }
            Target::User(_) | Target::Network(_) | Target::Deep(_) => Err(RhoError::Unbounded),
        }
    }

    /// Its coupling with one xi for each observation and neuron.
    pub fn coupling<'b>(&self, rho: &'b [T]) -> Result<Coupling<'b, T>, CouplingError>
    where
        'a: 'b,
    {
        match &self.likelihood {
            Target::Greedy(tilt) => Coupling::greedy(tilt.data.inputs, rho),
            Target::Joint(joint) => {
                Coupling::joint(joint.data.inputs, rho, joint.neurons, joint.signs)
            }
            Target::User(_) | Target::Network(_) | Target::Deep(_) => Err(CouplingError::Rho),
        }
    }

    /// Whether the posterior's integral is finite only under a condition on the data: squared ReLU,
    /// Gaussian prior, greedy, no square (with which every term is bounded). Everything else is bounded
    /// by the prior times exp(O(|w|)).
    fn may_be_improper(&self) -> Option<(GreedyTilt<'a, T>, T)> {
        match (self.likelihood, self.prior) {
            (Target::Greedy(l), Prior::Gaussian { sd })
                if l.activation == Activation::SquaredRelu && l.quadratic == T::ZERO =>
            {
                Some((l, sd))
            }
            _ => None,
        }
    }

    /// The numbers of scratch that [`check_proper`](Self::check_proper) needs: d (d + 1)/2 where there is
    /// something to check, else 0. `None` if that overflows.
    pub fn proper_scratch(&self) -> Option<usize> {
        match self.may_be_improper() {
            Some(_) => lower_len(self.d()),
            None => Some(0),
        }
    }

    /// Certifies that the posterior has a finite integral, by a Cholesky factorisation of
    /// I - sd^2 alpha sum_i max(r_i, 0) x_i x_i' (n d^2 + d^3/3 flops) where it is in question.
    /// Sufficient, not necessary: the tilt acts only on one side of each x_i. Where the sign is summed
    /// out, |r_i| in place of max(r_i, 0).
    pub fn check_proper(&self, scratch: &mut [T]) -> Result<(), ProblemError> {
        self.check_proper_at(T::ONE, scratch)
    }

    /// From which temperature of the likelihood on, above 1, it is not certified that the integral is finite; infinite where
    /// that is 5 or more. A dozen times the work of [`check_proper`](Self::check_proper), where there is something to check.
    pub fn proper_until(&self, scratch: &mut [T]) -> T {
        let mut proper = |at: T| self.check_proper_at(at, scratch).is_ok();
        let (mut low, mut high) = (T::ONE, T::lit(5.0));
        if proper(high) {
            return T::INFINITY;
        }
        for _ in 0..12 {
            let middle = (low + high) * T::HALF;
            if proper(middle) {
                low = middle;
            } else {
                high = middle;
            }
        }
        // Where that is hardly above 1 a ladder is to reach 1 all the same.
        if low > T::ONE { low } else { high }
    }

    /// [`check_proper`](Self::check_proper) at a temperature of the likelihood.
    fn check_proper_at(&self, temperature: T, scratch: &mut [T]) -> Result<(), ProblemError> {
        let Some((tilt, sd)) = self.may_be_improper() else { return Ok(()) };
        let (d, inputs) = (self.d(), tilt.data.inputs);
        let lower = self
            .proper_scratch()
            .and_then(|k| scratch.get_mut(..k))
            .ok_or(ProblemError::ScratchTooShort)?;
        lower.fill(T::ZERO);
        for_diagonal(lower, d, |a, _| *a = T::ONE);
        for (i, r) in tilt.data.y().iter().enumerate() {
            let size = if tilt.signed { r.abs() } else { r.max(T::ZERO) };
            let weight = sd * sd * tilt.alpha * temperature * size;
            let mut left = &mut *lower;
            for j in 0..d {
                let Some((row, rest)) = left.split_at_mut_checked(j.saturating_add(1)) else {
                    break;
                };
                left = rest;
                let scaled = weight * inputs.at(i, j);
                for (k, a) in row.iter_mut().enumerate() {
                    *a -= scaled * inputs.at(i, k);
                }
            }
        }
        let raised = cholesky(lower.as_chunks_mut::<1>().0, d, T::ZERO);
        // Below the rounding of the sums the sign of a pivot is not known; nor is a NaN's.
        let least = T::EPSILON * T::of_usize(d.saturating_add(8));
        let mut proper = raised == T::ZERO;
        for_diagonal(lower, d, |inverse, _| proper &= *inverse * *inverse * least < T::ONE);
        if proper { Ok(()) } else { Err(ProblemError::Improper) }
    }

    /// A hash by which a resumed object knows its problem: of every parameter in the upper half, so that it can be compared
    /// where there are other rows, and of the data in the lower one. Reads the data once: n (d + 1) numbers.
    pub fn fingerprint(&self) -> u64 {
        let data = match self.likelihood {
            Target::Network(l) => Some(l.data),
            Target::Deep(l) => Some(l.likelihood().data),
            _ => self.data(),
        };
        let data = data.map_or(0, |data| data.fingerprint());
        let mut hash = 0_u64;
        let mut feed = |words: &[u64]| {
            for word in words {
                hash = (hash ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                hash ^= hash >> 32;
            }
        };
        match self.likelihood {
            Target::Greedy(l) => {
                feed(&[l.activation as u64, 1, bits(l.alpha)]);
                if !l.is_plain() {
                    feed(&[bits(l.quadratic), l.signed as u64]);
                }
            }
            Target::Joint(l) => {
                feed(&[l.activation as u64, 2, l.neurons as u64]);
                feed(&[bits(l.outer), bits(l.beta), l.signs as u64]);
            }
            // Nothing is known of what it computes.
            Target::User(l) => {
                feed(&[3, l.dim as u64, l.gradient as u64]);
                l.frame.iter().flat_map(Affine::numbers).for_each(|x| feed(&[bits(x)]));
                l.uncentring.iter().flat_map(Uncentring::numbers).for_each(|x| feed(&[bits(x)]));
            }
            Target::Network(l) => {
                let (a, f, p) = (l.architecture, l.family, l.prior);
                let [w, x, y, z] = a.widths.map(u64::from);
                feed(&[4, l.activation as u64, w, x, y, z, a.linear as u64, l.exposure as u64]);
                feed(&[f.output as u64, f.categories as u64, f.reference as u64, p.scales as u64]);
                let known = [f.noise, f.noise_shape, f.noise_rate, f.floor, f.size, l.nu];
                feed(&known.map(bits));
                let scales = [p.input, p.bias, p.hidden, p.outer, p.linear, p.intercept];
                feed(&scales.map(bits));
            }
            Target::Deep(l) => {
                let deep = l.likelihood();
                let [w, x, y, z] = deep.widths.map(u64::from);
                feed(&[5, deep.activation as u64, w, x, y, z, deep.signs as u64]);
                feed(&[bits(deep.outer), bits(deep.beta)]);
                feed(&of_prior(l.prior()));
            }
        }
        feed(&of_prior(self.prior));
        hash << 32 | (data ^ data >> 32) & u32::MAX as u64
    }
}

/// The scales of a joint posterior that its coupling depends on.
fn joint_scale<T: Real>(joint: &Joint<'_, T>) -> JointScale<T> {
    let Joint { beta, outer, neurons, signs, .. } = *joint;
    JointScale { beta, outer, neurons, signs }
}

fn positive<T: Real>(x: T) -> bool {
    x > T::ZERO && x.is_finite()
}

/// What a prior is.
fn of_prior<T: Real>(prior: Prior<T>) -> [u64; 2] {
    match prior {
        Prior::Gaussian { sd } => [1, bits(sd)],
        Prior::L1Ball { radius } => [2, bits(radius)],
    }
}

/// The bits of a number, the same on every machine.
fn bits<T: Real>(x: T) -> u64 {
    let mut bytes = [0; 8];
    if let Some(own) = bytes.get_mut(..T::BYTES) {
        x.write_le(own);
    }
    u64::from_le_bytes(bytes)
}
