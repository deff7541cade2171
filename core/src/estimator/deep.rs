//! A Gibbs sampler over the layers of \[B\]'s joint posterior with several ([`crate::network::deep`]), layer
//! by layer through log-concave conditionals where there is a coupling.
//!
//! An iteration goes from the first layer to the last. Given all other layers a layer is the first of a
//! network whose inputs are the activations below it, and its weights W have
//!
//! log p(W | rest) = sum_rows log p0(row) - (beta/2) sum_i (y_i - f(W a_i))^2 + const.
//!
//! *The last layer*: \[B\]'s joint posterior of one layer with inputs a_i, so [`rho::joint`] makes log p(W |
//! xi) concave. *The one below it*: [`rho::below`]. Both are a coupling xi_ik = sqrt(rho_i) a_i.w_k + Z of
//! every unit k ([`crate::coupling`]), drawn given W; W is then moved by `inner` transitions of split HMC
//! that leave p(W | xi, rest) invariant. *Deeper layers* have no coupling here: the same transitions leave
//! p(W | rest) itself invariant. Every step leaves the posterior invariant, so their sequence does, for any
//! number of inner transitions and any step size. Why the conditionals are concave: [`crate::docs::deep`].
//!
//! One chain, one lane: each chain has activations, hence a coupling, of its own. What was drawn depends on
//! (seed, chain) alone.

use crate::coupling::rho::{self, JointScale, Range, RhoError};
use crate::coupling::{Channel, Conditional, Coupling, Sides, Triangular, factor_len};
use crate::data::{Dataset, Inputs};
use crate::density::{Density, Extent};
use crate::error::{errors, refuse};
use crate::kernel::adapt::{FIELDS, StepSize, Target as Aim};
use crate::kernel::hmc::{self, Flow, State, Trajectory, Work, work_len};
use crate::lifted::Lifted;
use crate::network::{DEEPEST, Deep, DeepPosterior, FirstLayer, Layer};
use crate::pieces::{cut, pieces, pieces_mut, total};
use crate::plain::plain;
use crate::prior::Prior;
use crate::prior::map_on;
use crate::problem::ProblemError;
use crate::random::{Purpose, Stream, normals_on};
use crate::scalar::Real;
use crate::simd::{Isa, Lanes, Portable, blocks_mut};
use core::mem::{swap, take};

errors! {
    /// Why the sampler was refused, or stopped.
    pub enum DeepError {
        Inner = "an iteration needs at least one inner transition and one leapfrog",
        TooShort = "a buffer is shorter than its size function says",
        Start = "the density is not finite at the starting point",
    }
    from {
        Problem(ProblemError),
        Rho(RhoError),
    }
}

plain! {
    /// How the layers are moved.
    pub struct DeepOptions {
        /// Transitions of a layer in an iteration.
        pub inner: u32 = 4,
        /// Gradients in a transition.
        pub leapfrogs: u32 = 4,
        /// Iterations that adapt the step sizes, and are discarded.
        pub warmup: u32 = 200,
        /// Names the random numbers.
        pub seed: u64 = 1,
    }
}

/// One chain, in the caller's memory.
#[derive(Debug)]
pub struct DeepGibbs<'a, T> {
    isa: Isa,
    posterior: DeepPosterior<'a, T>,
    options: DeepOptions,
    iteration: u32,
    /// The transitions', and that of xi.
    streams: [Stream; 2],
    steps: [[[T; 1]; FIELDS]; DEEPEST],
    parts: Parts<'a, T>,
}

/// The memory by use; all but the first two mean nothing between iterations.
#[derive(Debug)]
struct Parts<'a, T> {
    /// g, and its image w.
    latent: &'a mut [[T; 1]],
    weights: &'a mut [[T; 1]],
    gradient: &'a mut [[T; 1]],
    /// The activations under a layer and above it, row by row.
    below: &'a mut [[T; 1]],
    above: &'a mut [[T; 1]],
    rho: &'a mut [[T; 1]],
    factor: &'a mut [[T; 1]],
    row: &'a mut [[T; 1]],
    xi: &'a mut [[T; 1]],
    work: &'a mut [[T; 1]],
}

/// Its sizes.
fn sizes<T: Real>(posterior: &DeepPosterior<'_, T>) -> Option<[usize; 10]> {
    let deep = posterior.likelihood();
    let (latent, weights, n) = (posterior.dim(), deep.dim(), deep.data.n());
    let widest = deep.layers().fold(1, |most, (_, layer)| most.max(layer.units));
    let longest = deep.layers().fold(1, |most, (_, layer)| most.max(layer.inputs));
    let activations = n.checked_mul(widest)?;
    // No layer's density takes more than the whole, with its weights once more.
    let work = work_len(latent, Extent::scratch(posterior).checked_add(weights)?)?;
    let factor = factor_len(longest, 2)?;
    let rho = n.checked_mul(2)?;
    Some([latent, weights, latent, activations, activations, rho, factor, longest, weights, work])
}

impl<'a, T: Lanes<1>> DeepGibbs<'a, T> {
    /// The numbers of memory of a chain; `None` if that overflows.
    pub fn values(posterior: &DeepPosterior<'_, T>) -> Option<usize> {
        total(sizes(posterior)?)
    }

    /// A chain of its number, at a draw of the prior. Every row lies on an l1 ball:
    /// [`RhoError::Unbounded`] of another prior, [`RhoError::Kink`] of the ReLU.
    pub fn new(
        isa: Isa,
        posterior: DeepPosterior<'a, T>,
        options: DeepOptions,
        chain: u64,
        memory: &'a mut [T],
    ) -> Result<Self, DeepError> {
        refuse(options.inner == 0 || options.leapfrogs == 0, DeepError::Inner)?;
        let unbounded = !matches!(posterior.prior(), Prior::L1Ball { .. });
        refuse(unbounded, RhoError::Unbounded)?;
        refuse(posterior.likelihood().activation.has_kink(), RhoError::Kink)?;
        let sizes = sizes(&posterior).ok_or(DeepError::TooShort)?;
        let memory = blocks_mut::<T, 1>(memory).ok_or(DeepError::TooShort)?;
        let (parts, _) = cut(memory, sizes).ok_or(DeepError::TooShort)?;
        let [latent, weights, gradient, below, above, rho, factor, row, xi, work] = parts;
        let stream = |purpose| Stream::new(options.seed, chain, purpose);
        normals_on(isa, &mut [stream(Purpose::Start)], latent);
        let mapped = posterior.to_weights(isa, latent, weights, work);
        refuse(!mapped, DeepError::TooShort)?;
        let mut steps = [[[T::ZERO; 1]; FIELDS]; DEEPEST];
        for steps in &mut steps {
            StepSize::Dual(steps).reset(isa, aim::<T>(&options).cap);
        }
        let parts = Parts { latent, weights, gradient, below, above, rho, factor, row, xi, work };
        let streams = [stream(Purpose::Kernel), stream(Purpose::Gibbs)];
        Ok(Self { isa, posterior, options, iteration: 0, streams, steps, parts })
    }

    /// w of the iteration just made: the weights of all layers, in the order of [`Deep`].
    pub fn weights(&self) -> &[T] {
        self.parts.weights.as_flattened()
    }

    /// Iterations made.
    pub fn iteration(&self) -> u32 {
        self.iteration
    }

    /// The step sizes of the layers' transitions.
    pub fn steps(&self) -> [T; DEEPEST] {
        self.steps.map(|[[step], _, _]| step)
    }

    /// One iteration: `inner` times `leapfrogs` gradients of every layer, each over the layers from it on,
    /// and for the coupled ones the factor of n rows. Returns the mean probability of acceptance.
    pub fn step(&mut self) -> Result<T, DeepError> {
        let deep = *self.posterior.likelihood();
        let (depth, n) = (deep.architecture().depth(), deep.data.n());
        let (mut latent_at, mut sum) = (0_usize, T::ZERO);
        for (l, (start, layer)) in deep.layers().enumerate() {
            let below = take(&mut self.parts.below);
            let above = take(&mut self.parts.above);
            let inputs = match l {
                0 => Ok(deep.data.inputs),
                _ => Inputs::row_major(below.as_flattened(), n, layer.inputs),
            };
            let data = inputs.and_then(|inputs| Dataset::new(inputs, deep.data.y()));
            let mut left = deep.widths.into_iter().skip(l);
            let widths = deep.widths.map(|_| left.next().unwrap_or(0));
            let made = match data {
                Ok(data) => self.layer(l, (start, latent_at), layer, Deep { data, widths, ..deep }),
                Err(_) => Err(DeepError::Start),
            };
            if let (Ok(data), true) = (data, l.saturating_add(1) < depth) {
                let weights = self.parts.weights.get(start..).unwrap_or(&[]).as_flattened();
                activations(&deep, &data.inputs, &layer, weights, &mut *above);
            }
            (self.parts.below, self.parts.above) = (below, above);
            swap(&mut self.parts.below, &mut self.parts.above);
            sum += made?;
            let row = self.posterior.prior().latent_dim(layer.inputs);
            latent_at = latent_at.saturating_add(row.saturating_mul(layer.units));
        }
        self.iteration = self.iteration.saturating_add(1);
        if self.iteration == self.options.warmup {
            for steps in self.steps.iter_mut().take(depth) {
                StepSize::Dual(steps).freeze(self.isa, aim(&self.options));
            }
        }
        Ok(sum / T::of_usize(depth))
    }

    /// Moves layer l, the first of `deep`, by its conditional.
    fn layer(
        &mut self,
        l: usize,
        (start, latent_at): (usize, usize),
        layer: Layer,
        deep: Deep<'_, T>,
    ) -> Result<T, DeepError> {
        let (isa, prior) = (self.isa, self.posterior.prior());
        let Parts { latent, weights, gradient, rho, factor, row, xi, work, .. } = &mut self.parts;
        let (d, units) = (layer.inputs, layer.units);
        let count = d.saturating_mul(units);
        let dim = prior.latent_dim(d).saturating_mul(units);
        let short = DeepError::TooShort;
        let (own, above) =
            weights.get_mut(start..).and_then(|w| w.split_at_mut_checked(count)).ok_or(short)?;
        let latent = latent.get_mut(latent_at..).and_then(|g| g.get_mut(..dim)).ok_or(short)?;
        let gradient = gradient.get_mut(..dim).ok_or(short)?;
        let first = FirstLayer::new(deep, above.as_flattened());
        let [kernel, auxiliary] = &mut self.streams;
        let steps = self.steps.get_mut(l).ok_or(short)?;
        let mut value = [T::ZERO];
        let mut chain = Chain {
            isa,
            options: &self.options,
            iteration: self.iteration,
            short: prior.short_share(),
            stream: kernel,
            steps,
            state: State { position: &mut *latent, gradient, value: &mut value },
        };
        let lifted = |_| short;
        let found = match coupled(&deep, prior, rho.as_flattened_mut())? {
            Some(rho) => {
                let signs = deep.signs;
                let coupling = Coupling::joint(deep.data.inputs, rho, units, signs);
                let coupling = coupling.map_err(|_| RhoError::Scale)?;
                let (factor, row) = (factor.as_flattened_mut(), row.as_flattened_mut());
                let channel = Triangular::factorise(&coupling, factor, row);
                let channel = channel.map_err(|_| RhoError::Scale)?;
                let xi = xi.get_mut(..count).ok_or(short)?;
                let stream = core::slice::from_mut(auxiliary).first_chunk_mut().ok_or(short)?;
                channel.draw(isa, stream, own, xi).map_err(|_| short)?;
                let given = Conditional::new(&first, &channel, xi.as_flattened());
                let given = given.map_err(|_| short)?;
                let density = Lifted::new(&given, prior, d, units).map_err(lifted)?;
                chain.run(&density, work)?
            }
            None => chain.run(&Lifted::new(&first, prior, d, units).map_err(lifted)?, work)?,
        };
        let scratch = work.get_mut(..prior.scratch(d).saturating_mul(units)).ok_or(short)?;
        map_on(isa, prior, d, latent, own, scratch);
        Ok(found)
    }
}

/// rho of the first layer of `deep` where it has a coupling: n numbers, or 2 n.
fn coupled<'r, T: Real>(
    deep: &Deep<'_, T>,
    prior: Prior<T>,
    rho: &'r mut [T],
) -> Result<Option<&'r [T]>, DeepError> {
    let Prior::L1Ball { radius } = prior else { return Ok(None) };
    let Deep { data, activation, outer, beta, signs, .. } = *deep;
    let (architecture, inputs) = (deep.architecture(), data.inputs);
    let reach = |i: usize| {
        let largest = |most: T, j: usize| most.max(inputs.at(i, j).abs());
        prior.reach((0..inputs.d()).fold(T::ZERO, largest))
    };
    let classes = match architecture.depth() {
        1 => {
            let scale = JointScale { beta, outer, neurons: architecture.last(), signs };
            let classes = scale.classes(Sides::OneSided);
            let own = data.n().checked_mul(classes).and_then(|k| rho.get_mut(..k));
            let own = own.ok_or(DeepError::TooShort)?;
            let range = |i: usize| Range::of(activation, reach(i));
            rho::joint(Sides::OneSided, &scale, data.y(), range, own)?;
            classes
        }
        2 => {
            rho::below((beta, outer), activation, radius, data.y(), reach, rho)?;
            1
        }
        _ => return Ok(None),
    };
    let rho: &'r [T] = rho;
    Ok(data.n().checked_mul(classes).and_then(|k| rho.get(..k)))
}

/// psi(W a_i) of a layer's units, row after row.
fn activations<T: Real>(
    deep: &Deep<'_, T>,
    inputs: &Inputs<'_, T>,
    layer: &Layer,
    weights: &[T],
    out: &mut [[T; 1]],
) {
    for (i, out) in pieces_mut(out, layer.units).take(inputs.n()).enumerate() {
        for ([z], w) in out.iter_mut().zip(pieces(weights, layer.inputs)) {
            let product = |sum: T, (j, w): (usize, &T)| sum + *w * inputs.at(i, j);
            *z = w.iter().enumerate().fold(T::ZERO, product);
        }
        deep.activation.apply_value(Portable, out);
    }
}

fn aim<T: Real>(options: &DeepOptions) -> Aim<T> {
    Aim { acceptance: T::lit(0.85), cap: T::lit(1.6) / T::of_u32(options.leapfrogs.max(1)) }
}

/// A layer's chain at one iteration.
struct Chain<'c, T> {
    isa: Isa,
    options: &'c DeepOptions,
    iteration: u32,
    short: T,
    stream: &'c mut Stream,
    steps: &'c mut [[T; 1]; FIELDS],
    state: State<'c, T, 1>,
}

impl<T: Lanes<1>> Chain<'_, T> {
    /// The inner transitions of a density; the mean probability of acceptance.
    fn run(&mut self, density: &dyn Density<T, 1>, work: &mut [[T; 1]]) -> Result<T, DeepError> {
        let (isa, options) = (self.isa, self.options);
        let mut work = Work::new(work, density.dim()).ok_or(DeepError::TooShort)?;
        hmc::evaluate(isa, density, &mut self.state, work.scratch());
        refuse(!self.state.value.iter().all(|v| v.is_finite()), DeepError::Start)?;
        let mut steps = StepSize::Dual(self.steps);
        let mut sum = T::ZERO;
        for k in 0..options.inner {
            let trajectory = Trajectory {
                flow: Flow::Split,
                unadjusted: false,
                step: steps.step(isa),
                steps: options.leapfrogs,
                jitter: T::lit(0.2),
                short: self.short,
            };
            let mut streams = [*self.stream];
            let outcome = hmc::transition(
                isa,
                density,
                &mut streams,
                &trajectory,
                &mut self.state,
                &mut work,
            );
            [*self.stream] = streams;
            let [acceptance] = outcome.acceptance;
            sum += acceptance;
            if self.iteration < options.warmup {
                let before = self.iteration.saturating_mul(options.inner).saturating_add(k);
                let count = before.saturating_add(1);
                steps.update(isa, aim(options), count, &outcome.acceptance);
            }
        }
        Ok(sum / T::of_u32(options.inner))
    }
}
