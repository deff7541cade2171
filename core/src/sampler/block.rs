//! One block of chains at work: what every method is handed.

use super::layout::{Parts, STREAMS, SUMMARY, SUMS, Shape, load_streams, store_streams};
use super::record::accumulate;
use super::{Method, Reference};
use crate::coupling::{self, Channel, Conditional, Triangular};
use crate::density::{Density, Extent};
use crate::kernel::adapt::{FIELDS, StepSize};
use crate::kernel::ball::hit_and_run::Direction;
use crate::kernel::ball::{self, Body};
use crate::kernel::hmc::{self, Flow, Outcome, State, Trajectory, Work};
use crate::kernel::metropolis::{self, Proposal};
use crate::lifted::Lifted;
use crate::likelihood::PiecewiseQuadratic;
use crate::object::record::write;
use crate::pieces::pieces;
use crate::prior::Prior;
use crate::problem::Problem;
use crate::random::{Stream, normals_on};
use crate::reference::{Affine, Mixture, Whitened, affine_len, correct};
use crate::scalar::Real;
use crate::simd::{Isa, Lanes, part};

/// The streams of a chain, in the order they are stored.
pub(super) const START: usize = 0;
pub(super) const KERNEL: usize = 1;
pub(super) const AUXILIARY: usize = 2;

/// The blocks of w, and the rest of the scratch.
type Split<'s, T, const N: usize> = (&'s mut [[T; N]], &'s mut [[T; N]]);

/// A law of w as [`Block::transition`] takes it.
pub(super) struct Law<'a, T, const N: usize> {
    /// In the coordinates of the reference.
    latent: Whitened<'a, T, N>,
    /// As a likelihood of w, for the kernels on the l1 ball.
    likelihood: &'a dyn PiecewiseQuadratic<T, N>,
}

impl<'a, T: Lanes<N>, const N: usize> Law<'a, T, N> {
    /// A density of latent coordinates: no kernel on the l1 ball asks for the likelihood.
    pub(super) fn new(
        density: &'a dyn Density<T, N>,
        likelihood: &'a dyn PiecewiseQuadratic<T, N>,
    ) -> Self {
        Self { latent: Whitened::new(density, None), likelihood }
    }
}

/// What all blocks share.
#[derive(Clone, Copy)]
pub(super) struct Shared<'b, 'd, T> {
    pub isa: Isa,
    pub shape: &'b Shape<T>,
    pub problem: &'b Problem<'d, T>,
    /// That of the coupling.
    factor: &'b [T],
    /// The coordinates of the fitted reference, and its clusters.
    map: Option<Affine<'b, T>>,
    mixture: Option<Mixture<'b, T>>,
}

impl<T: Real> Shared<'_, '_, T> {
    /// w of chains: the first M d blocks of the scratch, and the rest of it.
    pub(super) fn weights<'w, const N: usize>(
        &self,
        position: &[[T; N]],
        work: &'w mut [[T; N]],
    ) -> Option<Split<'w, T, N>>
    where
        T: Lanes<N>,
    {
        let (w, mut rest) = work.split_at_mut_checked(self.shape.problem.dim())?;
        if self.shape.options.kernel().needs_ball() {
            w.iter_mut().zip(position).for_each(|(w, own)| *w = *own);
            return Some((w, rest));
        }
        let mut g = position;
        if let Some(map) = self.map {
            let (own, left) = rest.split_at_mut_checked(self.shape.problem.latent)?;
            map.apply(self.isa, g, own);
            (g, rest) = (own, left);
        }
        self.problem.density()?.to_weights(self.isa, g, w, rest).then_some((w, rest))
    }
}

/// N chains at work.
pub(super) struct Block<'b, 'd, T, const N: usize> {
    pub shared: Shared<'b, 'd, T>,
    /// Iterations finished, warm-up included.
    pub iteration: u32,
    /// The unit within the iteration.
    pub unit: u32,
    pub streams: [[Stream; N]; STREAMS],
    /// The step size; over layers, of each layer.
    pub steps: &'b mut [[[T; N]; FIELDS]],
    pub state: State<'b, T, N>,
    /// The auxiliary variable, and the mean of w given it.
    pub xi: &'b mut [[T; N]],
    pub mean: &'b mut [[T; N]],
    /// What the adjusted Langevin keeps.
    pub kept: &'b mut [[T; N]],
    /// Sum of acceptance, last energy, whether any diverged.
    pub summary: &'b mut [[T; N]; SUMMARY],
    pub work: &'b mut [[T; N]],
    /// Evaluations of the density by the transitions of this unit: of the first chain, and the most that
    /// the block has made.
    pub evaluations: [u32; 2],
    /// The strength of the channel: 1, but on the way of a reverse diffusion.
    pub strength: T,
}

/// Runs `f` on block `index` and stores its streams. `None` where a part is short.
// Compiled once, whatever is done with the block.
#[inline(never)]
pub(super) fn with_block<T: Lanes<N>, const N: usize>(
    isa: Isa,
    shape: &Shape<T>,
    parts: &mut Parts<'_, T>,
    problem: &Problem<'_, T>,
    (index, iteration, unit): (usize, u32, u32),
    f: &mut dyn FnMut(&mut Block<'_, '_, T, N>) -> Option<()>,
) -> Option<()> {
    let purposes = [START, KERNEL, AUXILIARY];
    let streams =
        purposes.map(|p| load_streams(parts.streams, index, p, shape.options.antithetic.on()));
    let latent = shape.problem.latent;
    let state = part(parts.states, index, shape.state())?;
    let (position, state) = state.split_at_mut_checked(latent)?;
    let (gradient, state) = state.split_at_mut_checked(latent)?;
    let auxiliary = part(parts.auxiliary, index, shape.auxiliary())?;
    let (xi, auxiliary) = auxiliary.split_at_mut_checked(shape.xi())?;
    let (mean, auxiliary) = auxiliary.split_at_mut_checked(shape.mean())?;
    let (kept, auxiliary) = auxiliary.split_at_mut_checked(shape.kept())?;
    let mut block = Block {
        shared: Shared {
            isa,
            shape,
            problem,
            factor: parts.factor,
            // There are no numbers where nothing is fitted.
            map: Affine::new(parts.fit, latent),
            mixture: parts.fit.get(affine_len(latent)?..).and_then(|k| Mixture::new(k, latent)),
        },
        iteration,
        unit,
        streams,
        steps: part(parts.steps, index, shape.steps())?.as_chunks_mut().0,
        state: State { position, gradient, value: state.first_mut()? },
        xi,
        mean,
        kept,
        summary: auxiliary.try_into().ok()?,
        work: part(parts.work, 0, shape.work()?)?,
        evaluations: [0; 2],
        strength: T::ONE,
    };
    let result = f(&mut block);
    let streams = block.streams;
    for (purpose, streams) in purposes.into_iter().zip(&streams) {
        store_streams(parts.streams, index, purpose, streams);
    }
    result
}

impl<'b, 'd, T: Lanes<N>, const N: usize> Block<'b, 'd, T, N> {
    /// Calls `f` with the same chains over a block of their coordinates, of a shape, a state and step sizes of
    /// its own.
    pub(super) fn over(
        &mut self,
        shape: &Shape<T>,
        state: State<'_, T, N>,
        steps: &mut [[[T; N]; FIELDS]],
        work: &mut [[T; N]],
        f: &mut dyn FnMut(&mut Block<'_, 'd, T, N>) -> Option<()>,
    ) -> Option<()> {
        let mut part = Block {
            shared: Shared { shape, map: None, mixture: None, ..self.shared },
            iteration: self.iteration,
            unit: self.unit,
            streams: self.streams,
            steps,
            state,
            xi: &mut [],
            mean: &mut [],
            kept: &mut [],
            summary: &mut *self.summary,
            work,
            evaluations: [0; 2],
            strength: T::ONE,
        };
        let done = f(&mut part);
        let (streams, evaluations) = (part.streams, part.evaluations);
        self.streams = streams;
        // The value at the start of the transition, too.
        for (sum, own) in self.evaluations.iter_mut().zip(evaluations) {
            *sum = sum.saturating_add(own).saturating_add(1);
        }
        done
    }

    /// Calls `f` with the posterior itself, in the coordinates of the reference.
    pub(super) fn on_posterior(
        &mut self,
        f: &mut dyn FnMut(&mut Self, &Law<'_, T, N>) -> Option<()>,
    ) -> Option<()> {
        let posterior = self.shared.problem.density()?;
        let latent = Whitened::new(&posterior, self.shared.map);
        f(self, &Law { latent, likelihood: posterior.likelihood() })
    }

    /// Calls `f` with the posterior given xi, in the coordinates of the reference.
    pub(super) fn conditional(
        &mut self,
        f: &mut dyn FnMut(&mut Self, &Law<'_, T, N>) -> Option<()>,
    ) -> Option<()> {
        let channel = self.channel()?;
        // xi is lent to the density while the block works, and put back.
        let xi = core::mem::take(&mut self.xi);
        let Shared { problem, map, .. } = self.shared;
        let given = Conditional::new(problem.likelihood(), &channel, xi.as_flattened()).ok();
        let done = given.and_then(|given| {
            let (prior, d, neurons) = (problem.prior(), problem.d(), problem.neurons());
            let density = Lifted::new(&given, prior, d, neurons).ok()?;
            f(self, &Law { latent: Whitened::new(&density, map), likelihood: &given })
        });
        self.xi = xi;
        done
    }

    /// The body of the kernels that work on w itself; `None` of the others.
    fn body(&self) -> Option<Body<T>> {
        let Shared { shape, problem, .. } = self.shared;
        match problem.prior() {
            Prior::L1Ball { radius } if shape.options.kernel().needs_ball() => {
                Body::new(radius, shape.problem.d, shape.problem.neurons)
            }
            _ => None,
        }
    }

    /// A draw from the reference: without a fit, from the prior. On the l1 ball its image w.
    pub(super) fn draw_latent(&mut self) -> Option<()> {
        let Shared { isa, shape, problem, .. } = self.shared;
        let [streams, _, _] = &mut self.streams;
        if !shape.options.kernel().needs_ball() {
            normals_on(isa, streams, self.state.position);
            return Some(());
        }
        let posterior = problem.density()?;
        let (g, rest) = self.work.split_at_mut_checked(posterior.dim())?;
        normals_on(isa, streams, g);
        posterior.to_weights(isa, g, self.state.position, rest).then_some(())
    }

    /// Where the chains from the first on start, with the longest step: at a draw from the prior, unless the user or a
    /// pilot has put them somewhere. Returns whether every value is finite: asked once, here.
    pub(super) fn start(&mut self, first: u64) -> Option<bool> {
        let Shared { isa, shape, problem, .. } = self.shared;
        for steps in &mut *self.steps {
            StepSize::Dual(steps).reset(isa, shape.options.adaptation().cap);
        }
        if !shape.piloted {
            self.draw_latent()?;
            if let Some(user) = problem.own().filter(|user| !user.starts.is_empty()) {
                let room = self.work.as_flattened_mut().get_mut(..user.dim.checked_mul(2)?)?;
                user.place(first, self.state.position, room);
            }
        }
        self.on_posterior(&mut |block, law| block.evaluate(law))?;
        // Lanes past the last chain hold places that no draw is of.
        let own = first.saturating_sub(shape.options.first_chain as u64);
        let chains = (shape.options.chains as u64).saturating_sub(own) as usize;
        Some(self.state.value.iter().take(chains).all(|v| v.is_finite()))
    }

    /// Evaluates a density at the chains' positions: after a start and whenever it has changed.
    pub(super) fn evaluate(&mut self, law: &Law<'_, T, N>) -> Option<()> {
        if let Some(body) = self.body() {
            self.on_body(law.likelihood, body)?.evaluate();
            return Some(());
        }
        let Shared { isa, shape, .. } = self.shared;
        let mut work = Work::new(self.work, shape.problem.latent)?;
        hmc::evaluate(isa, &law.latent, &mut self.state, work.scratch());
        Some(())
    }

    /// One transition of a density, with its adaptation: transition `count` = 1, 2, ... of the
    /// warm-up. Adds its outcome to the summary, of `of` transitions.
    pub(super) fn transition(&mut self, law: &Law<'_, T, N>, count: u32, of: u32) -> Option<()> {
        let Shared { isa, shape, .. } = self.shared;
        let options = &shape.options;
        self.evaluations = [options.evaluations(); 2];
        let outcome = match self.body() {
            Some(body) => self.on_ball(law.likelihood, body)?,
            None => self.on_latent(&law.latent)?,
        };
        if self.iteration < options.warmup && options.adapts() {
            let target = options.adaptation();
            StepSize::Dual(self.steps.first_mut()?).update(isa, target, count, &outcome.acceptance);
        }
        let share = T::ONE / T::of_u32(of.max(1));
        let [acceptance, energy, divergent] = &mut *self.summary;
        acceptance.iter_mut().zip(outcome.acceptance).for_each(|(sum, a)| *sum += share * a);
        *energy = outcome.energy;
        for (flag, d) in divergent.iter_mut().zip(outcome.divergent) {
            *flag = if d { T::ONE } else { *flag };
        }
        Some(())
    }

    /// The chains as the kernels on the l1 ball take them.
    fn on_body<'c>(
        &'c mut self,
        density: &'c dyn PiecewiseQuadratic<T, N>,
        body: Body<T>,
    ) -> Option<ball::Chains<'c, T, N>> {
        let Shared { isa, shape, .. } = self.shared;
        let work = ball::Work::new(self.work, shape.problem.latent, shape.problem.scratch)?;
        let [_, streams, _] = &mut self.streams;
        Some(ball::Chains { isa, density, body, streams, state: self.state.reborrow(), work })
    }

    /// One transition of a kernel on the l1 ball.
    fn on_ball(
        &mut self,
        density: &dyn PiecewiseQuadratic<T, N>,
        body: Body<T>,
    ) -> Option<Outcome<T, N>> {
        let Shared { isa, shape, .. } = self.shared;
        let (steps, jitter) = (shape.options.leapfrogs, shape.options.jitter);
        let step = StepSize::Dual(self.steps.first_mut()?).step(isa);
        let mut chains = self.on_body(density, body)?;
        let direction = match shape.options.kernel() {
            Method::BallWalk => return Some(chains.walk(step)),
            Method::Dikin => return Some(chains.dikin(step)),
            Method::MirrorLangevin => return Some(chains.mirror(step)),
            Method::Reflection => {
                return Some(chains.reflect(&ball::reflection::Trajectory { step, steps, jitter }));
            }
            Method::Riemannian => {
                return Some(chains.riemannian(&ball::reflection::Trajectory {
                    step,
                    steps,
                    jitter,
                }));
            }
            Method::CoordinateHitAndRun => Direction::Coordinates,
            _ => Direction::Random,
        };
        let run = chains.hit_and_run(direction);
        let most = run.evaluations.iter().copied().max();
        self.evaluations = [run.evaluations.first().copied().unwrap_or(0), most.unwrap_or(0)];
        Some(run.outcome)
    }

    /// One transition of a kernel in latent coordinates.
    fn on_latent(&mut self, density: &dyn Density<T, N>) -> Option<Outcome<T, N>> {
        let Shared { isa, shape, problem, mixture, .. } = self.shared;
        let options = &shape.options;
        let step = StepSize::Dual(self.steps.first_mut()?).step(isa);
        let mut work = Work::new(self.work, shape.problem.latent)?;
        let ([_, streams, _], state) = (&mut self.streams, &mut self.state);
        let walk = match options.kernel() {
            Method::RandomWalk => Some(Proposal::RandomWalk(step)),
            Method::Independence if mixture.is_some() => mixture.map(Proposal::Mixture),
            Method::Independence if options.reference == Reference::StudentT => {
                Some(Proposal::StudentT)
            }
            Method::Independence => Some(Proposal::Reference),
            _ => None,
        };
        if let Some(proposal) = walk {
            return Some(metropolis::transition(
                isa, density, streams, &proposal, state, &mut work,
            ));
        }
        let unadjusted = options.kernel() == Method::Langevin;
        let flow = match options.kernel() {
            Method::Hmc | Method::Mala | Method::Langevin => Flow::Leapfrog,
            _ => Flow::Split,
        };
        let trajectory = Trajectory {
            flow,
            unadjusted,
            step,
            steps: options.evaluations(),
            jitter: if unadjusted { T::ZERO } else { options.jitter },
            short: if unadjusted {
                T::ZERO
            } else if options.adapts() && options.short_steps == T::ZERO {
                problem.prior().short_share()
            } else {
                options.short_steps
            },
        };
        Some(hmc::transition(isa, density, streams, &trajectory, state, &mut work))
    }

    /// Ends the warm-up of the step sizes.
    pub(super) fn freeze(&mut self) {
        let Shared { isa, shape, .. } = self.shared;
        if shape.options.adapts() {
            for steps in &mut *self.steps {
                StepSize::Dual(steps).freeze(isa, shape.options.adaptation());
            }
        }
    }

    /// The channel of the coupling.
    pub(super) fn channel(&self) -> Option<Triangular<'b, T>> {
        let Shared { shape, problem, factor, .. } = self.shared;
        let (d, neurons) = (shape.problem.d, shape.problem.neurons);
        let whole = Triangular::from_factor(d, neurons, problem.signs(), shape.classes, factor);
        Some(whole.ok()?.scaled(self.strength))
    }

    /// Adds a share of w of the chains' positions to the mean of w given xi.
    pub(super) fn average(&mut self, share: T) -> Option<()> {
        let (w, _) = self.shared.weights(self.state.position, self.work)?;
        for (mean, w) in self.mean.iter_mut().zip(w) {
            mean.iter_mut().zip(w).for_each(|(m, w)| *m += share * *w);
        }
        Some(())
    }

    /// The score A E[w | xi] - xi of log p(xi), from the mean of w given xi, and as many normals of the
    /// stream of the auxiliary variable, handed to `f` with xi.
    pub(super) fn move_xi(&mut self, f: impl Fn(&mut T, T, T)) -> Option<()> {
        let (channel, isa) = (self.channel()?, self.shared.isa);
        let dim = self.shared.shape.problem.dim();
        let (score, rest) = self.work.split_at_mut_checked(dim)?;
        let noise = rest.get_mut(..dim)?;
        coupling::score(isa, &channel, self.xi, self.mean, score).ok()?;
        let [_, _, streams] = &mut self.streams;
        normals_on(isa, streams, noise);
        for ((xi, score), z) in self.xi.iter_mut().zip(&*score).zip(&*noise) {
            for ((xi, score), z) in xi.iter_mut().zip(score).zip(z) {
                f(xi, *score, *z);
            }
        }
        Some(())
    }

    /// xi | w of the chains' positions.
    pub(super) fn draw_xi(&mut self) -> Option<()> {
        let channel = self.channel()?;
        let (w, _) = self.shared.weights(self.state.position, self.work)?;
        let [_, _, streams] = &mut self.streams;
        channel.draw(self.shared.isa, streams, w, self.xi).ok()
    }

    /// xi ~ N(0, I).
    pub(super) fn draw_noise(&mut self) {
        let [_, _, streams] = &mut self.streams;
        normals_on(self.shared.isa, streams, self.xi);
    }

    /// log p(y | w) - |xi - A w|^2/2 is the value of the conditional: this adds the square back, and
    /// takes away what a fitted reference added.
    fn log_likelihood(&mut self) -> Option<[T; N]> {
        let Shared { isa, shape, map, .. } = self.shared;
        let mut value = *self.state.value;
        if let Some(map) = map {
            let g = self.work.get_mut(..shape.problem.latent)?;
            map.apply(isa, self.state.position, g);
            value = correct(isa, g, self.state.position, value);
        }
        if shape.classes == 0 {
            return Some(value);
        }
        let channel = self.channel()?;
        let (w, _) = self.shared.weights(self.state.position, self.work)?;
        let d = channel.d().max(1);
        for (i, xi) in pieces(self.xi, channel.neurons()).enumerate() {
            for (m, (xi, w)) in xi.iter().zip(pieces(w, d)).enumerate() {
                let (weight, first, entries) = channel.row(i, m);
                let mut left = *xi;
                for (w, a) in w.iter().skip(first).zip(entries) {
                    left.iter_mut().zip(w).for_each(|(l, w)| *l -= weight * a * *w);
                }
                value.iter_mut().zip(left).for_each(|(v, l)| *v += T::HALF * l * l);
            }
        }
        Some(value)
    }

    /// Takes the chains' positions as the draws of this iteration: into the moments, and into row
    /// `row` of the record if there is one.
    pub(super) fn record(
        &mut self,
        sums: &mut [[T; N]],
        first: bool,
        row: Option<&mut [T]>,
        index: usize,
    ) -> Option<()> {
        let likelihood = self.log_likelihood()?;
        let Shared { isa, shape, problem, .. } = self.shared;
        let (w, rest) = self.shared.weights(self.state.position, self.work)?;
        let mut log_density = problem.prior().log_density_on(isa, shape.problem.d, w);
        log_density.iter_mut().zip(likelihood).for_each(|(l, v)| *l += v);
        problem.leave_frame(isa, w, &mut log_density, rest)?;
        let draws = || w.iter().chain([&log_density]).chain(&*self.summary);
        for (sums, draw) in sums.as_chunks_mut::<SUMS>().0.iter_mut().zip(draws()) {
            accumulate(sums, first, draw);
        }
        if let Some(row) = row {
            write(row, shape.chains(), index, draws());
        }
        Some(())
    }
}
