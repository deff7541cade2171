//! One block of chains at work: what every method is handed.

use super::layout::{Parts, STREAMS, SUMMARY, SUMS, Shape, load_streams, store_streams};
use super::record;
use super::{Method, Reference, SamplerError};
use crate::coupling::{self, Channel, Conditional, Triangular};
use crate::density::{Density, Extent};
use crate::kernel::adapt::{FIELDS, StepSize};
use crate::kernel::ball::hit_and_run::Direction;
use crate::kernel::ball::{self, Body};
use crate::kernel::hmc::{self, Flow, Outcome, State, Trajectory, Work};
use crate::kernel::metropolis::{self, Proposal};
use crate::lifted::Lifted;
use crate::likelihood::PiecewiseQuadratic;
use crate::pieces::{pieces, pieces_mut};
use crate::prior::Prior;
use crate::problem::{Problem, Target};
use crate::random::{Stream, normals_on};
use crate::reference::{Affine, Mixture, Whitened, affine_len, correct};
use crate::simd::{Isa, Lanes, part};

/// The streams of a chain, in the order they are stored.
pub(super) const START: usize = 0;
pub(super) const KERNEL: usize = 1;
pub(super) const AUXILIARY: usize = 2;

/// The posterior in latent coordinates.
type Posterior<'p, 'd, T> = Lifted<'p, T, Target<'d, T>>;

/// The blocks of w, and the rest of the scratch.
type Split<'s, T, const N: usize> = (&'s mut [[T; N]], &'s mut [[T; N]]);

/// A law of w as [`Block::transition`] takes it.
pub(super) struct Law<'a, T, const N: usize> {
    /// In the coordinates of the reference.
    latent: Whitened<'a, T, N>,
    /// As a likelihood of w, for the kernels on the l1 ball.
    likelihood: &'a dyn PiecewiseQuadratic<T, N>,
}

/// N chains and what they share.
pub(super) struct Block<'b, 'd, T, const N: usize> {
    pub isa: Isa,
    pub shape: &'b Shape<T>,
    pub problem: &'b Problem<'d, T>,
    /// Iterations finished, warm-up included.
    pub iteration: u32,
    /// The unit within the iteration.
    pub unit: u32,
    pub streams: [[Stream; N]; STREAMS],
    pub steps: &'b mut [[T; N]; FIELDS],
    pub state: State<'b, T, N>,
    /// The auxiliary variable, and the mean of w given it.
    pub xi: &'b mut [[T; N]],
    pub mean: &'b mut [[T; N]],
    /// Sum of acceptance, last energy, whether any diverged.
    pub summary: &'b mut [[T; N]; SUMMARY],
    pub work: &'b mut [[T; N]],
    /// Evaluations of the density by the transitions of this unit: of the first chain, and the most that
    /// the block has made.
    pub evaluations: [u32; 2],
    /// The strength of the channel: 1, but on the way of a reverse diffusion.
    pub strength: T,
    factor: &'b [T],
    /// The coordinates of the fitted reference, and its clusters.
    map: Option<Affine<'b, T>>,
    mixture: Option<Mixture<'b, T>>,
}

/// Runs `f` on block `index` and stores its streams.
pub(super) fn with_block<T: Lanes<N>, const N: usize, R>(
    isa: Isa,
    shape: &Shape<T>,
    parts: &mut Parts<'_, T>,
    problem: &Problem<'_, T>,
    (index, iteration, unit): (usize, u32, u32),
    f: impl FnOnce(&mut Block<'_, '_, T, N>) -> Result<R, SamplerError>,
) -> Result<R, SamplerError> {
    let broken = SamplerError::NotASampler;
    let purposes = [START, KERNEL, AUXILIARY];
    let streams =
        purposes.map(|p| load_streams(parts.streams, index, p, shape.options.antithetic.on()));
    let state = part(parts.states, index, shape.state()).ok_or(broken)?;
    let (position, state) = state.split_at_mut_checked(shape.problem.latent).ok_or(broken)?;
    let (gradient, state) = state.split_at_mut_checked(shape.problem.latent).ok_or(broken)?;
    let auxiliary = part(parts.auxiliary, index, shape.auxiliary()).ok_or(broken)?;
    let (xi, auxiliary) = auxiliary.split_at_mut_checked(shape.xi()).ok_or(broken)?;
    let (mean, auxiliary) = auxiliary.split_at_mut_checked(shape.mean()).ok_or(broken)?;
    let work = shape.work().ok_or(broken)?;
    let mut block = Block {
        isa,
        shape,
        problem,
        iteration,
        unit,
        streams,
        steps: fixed(part(parts.steps, index, FIELDS)).ok_or(broken)?,
        state: State { position, gradient, value: state.first_mut().ok_or(broken)? },
        xi,
        mean,
        summary: fixed(Some(auxiliary)).ok_or(broken)?,
        work: part(parts.work, 0, work).ok_or(broken)?,
        evaluations: [0; 2],
        strength: T::ONE,
        factor: parts.factor,
        map: match shape.options.reference.value() {
            Reference::Prior => None,
            _ => Some(Affine::new(parts.fit, shape.problem.latent).ok_or(broken)?),
        },
        mixture: match shape.options.reference.value() {
            Reference::Mixture => {
                let rest = affine_len(shape.problem.latent).and_then(|k| parts.fit.get(k..));
                Some(Mixture::new(rest.ok_or(broken)?, shape.problem.latent).ok_or(broken)?)
            }
            _ => None,
        },
    };
    let result = f(&mut block);
    let streams = block.streams;
    for (purpose, streams) in purposes.into_iter().zip(&streams) {
        store_streams(parts.streams, index, purpose, streams);
    }
    result
}

/// A slice of a length known to the compiler.
fn fixed<P, const K: usize>(slice: Option<&mut [P]>) -> Option<&mut [P; K]> {
    slice.and_then(|s| s.try_into().ok())
}

impl<'b, 'd, T: Lanes<N>, const N: usize> Block<'b, 'd, T, N> {
    /// Whether step sizes still adapt.
    pub(super) fn warming_up(&self) -> bool {
        self.iteration < self.shape.options.warmup
    }

    fn posterior(&self) -> Result<Posterior<'b, 'd, T>, SamplerError> {
        self.problem.density().ok_or(SamplerError::OtherProblem)
    }

    /// Calls `f` with the posterior itself, in the coordinates of the reference.
    pub(super) fn on_posterior<R>(
        &mut self,
        f: impl FnOnce(&mut Self, &Law<'_, T, N>) -> Result<R, SamplerError>,
    ) -> Result<R, SamplerError> {
        let posterior = self.posterior()?;
        let latent = Whitened::new(&posterior, self.map);
        f(self, &Law { latent, likelihood: posterior.likelihood() })
    }

    /// The body of the kernels that work on w itself; `None` of the others.
    fn body(&self) -> Option<Body<T>> {
        match self.problem.prior() {
            Prior::L1Ball { radius } if self.shape.options.kernel().needs_ball() => {
                Body::new(radius, self.shape.problem.d, self.shape.problem.neurons)
            }
            _ => None,
        }
    }

    /// A draw from the reference: without a fit, from the prior. On the l1 ball its image w.
    pub(super) fn draw_latent(&mut self) -> Result<(), SamplerError> {
        let broken = SamplerError::NotASampler;
        let [start, _, _] = &mut self.streams;
        if !self.shape.options.kernel().needs_ball() {
            normals_on(self.isa, start, self.state.position);
            return Ok(());
        }
        let posterior = self.problem.density().ok_or(SamplerError::OtherProblem)?;
        let (g, rest) = self.work.split_at_mut_checked(posterior.dim()).ok_or(broken)?;
        normals_on(self.isa, start, g);
        if posterior.to_weights(self.isa, g, self.state.position, rest) {
            Ok(())
        } else {
            Err(broken)
        }
    }

    /// Where a chain starts: a draw from the prior, unless a pilot has put it somewhere.
    pub(super) fn start(&mut self) -> Result<(), SamplerError> {
        if !self.shape.piloted {
            self.draw_latent()?;
        }
        self.on_posterior(|block, density| block.evaluate(density))?;
        self.check_start()
    }

    /// Evaluates a density at the chains' positions: after a start and whenever it has changed.
    pub(super) fn evaluate(&mut self, law: &Law<'_, T, N>) -> Result<(), SamplerError> {
        if let Some(body) = self.body() {
            self.on_body(law.likelihood, body)?.evaluate();
            return Ok(());
        }
        let mut work =
            Work::new(self.work, self.shape.problem.latent).ok_or(SamplerError::NotASampler)?;
        hmc::evaluate(self.isa, &law.latent, &mut self.state, work.scratch());
        Ok(())
    }

    /// One transition of a density, with its adaptation: transition `count` = 1, 2, ... of the
    /// warm-up. Adds its outcome to the summary, of `of` transitions.
    pub(super) fn transition(
        &mut self,
        law: &Law<'_, T, N>,
        count: u32,
        of: u32,
    ) -> Result<(), SamplerError> {
        let options = &self.shape.options;
        let kernel = options.kernel();
        self.evaluations = [options.evaluations(); 2];
        let outcome = match self.body() {
            Some(body) => self.on_ball(law.likelihood, body)?,
            None => self.on_latent(&law.latent)?,
        };
        if self.warming_up() && kernel != Method::Langevin {
            let target = options.adaptation();
            StepSize::Dual(self.steps).update(self.isa, target, count, &outcome.acceptance);
        }
        self.summarise(&outcome, of);
        Ok(())
    }

    /// The chains as the kernels on the l1 ball take them.
    fn on_body<'c>(
        &'c mut self,
        density: &'c dyn PiecewiseQuadratic<T, N>,
        body: Body<T>,
    ) -> Result<ball::Chains<'c, T, N>, SamplerError> {
        let problem = &self.shape.problem;
        let work = ball::Work::new(self.work, problem.latent, problem.scratch)
            .ok_or(SamplerError::NotASampler)?;
        let [_, streams, _] = &mut self.streams;
        Ok(ball::Chains {
            isa: self.isa,
            density,
            body,
            streams,
            state: self.state.reborrow(),
            work,
        })
    }

    /// One transition of a kernel on the l1 ball.
    fn on_ball(
        &mut self,
        density: &dyn PiecewiseQuadratic<T, N>,
        body: Body<T>,
    ) -> Result<Outcome<T, N>, SamplerError> {
        let options = &self.shape.options;
        let (method, steps, jitter) = (options.kernel(), options.leapfrogs, options.jitter);
        let step = StepSize::Dual(self.steps).step(self.isa);
        let mut chains = self.on_body(density, body)?;
        let direction = match method {
            Method::BallWalk => return Ok(chains.walk(step)),
            Method::Dikin => return Ok(chains.dikin(step)),
            Method::MirrorLangevin => return Ok(chains.mirror(step)),
            Method::Reflection => {
                return Ok(chains.reflect(&ball::reflection::Trajectory { step, steps, jitter }));
            }
            Method::CoordinateHitAndRun => Direction::Coordinates,
            _ => Direction::Random,
        };
        let run = chains.hit_and_run(direction);
        let most = run.evaluations.iter().copied().max();
        self.evaluations = [run.evaluations.first().copied().unwrap_or(0), most.unwrap_or(0)];
        Ok(run.outcome)
    }

    /// One transition of a kernel in latent coordinates.
    fn on_latent(&mut self, density: &dyn Density<T, N>) -> Result<Outcome<T, N>, SamplerError> {
        let options = &self.shape.options;
        let step = StepSize::Dual(self.steps).step(self.isa);
        let mut work =
            Work::new(self.work, self.shape.problem.latent).ok_or(SamplerError::NotASampler)?;
        let [_, kernel, _] = &mut self.streams;
        let walk = match options.kernel() {
            Method::RandomWalk => Some(Proposal::RandomWalk(step)),
            Method::Independence if self.mixture.is_some() => self.mixture.map(Proposal::Mixture),
            Method::Independence if options.reference == Reference::StudentT => {
                Some(Proposal::StudentT)
            }
            Method::Independence => Some(Proposal::Reference),
            _ => None,
        };
        let state = &mut self.state;
        Ok(if let Some(proposal) = walk {
            metropolis::transition(self.isa, density, kernel, &proposal, state, &mut work)
        } else {
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
                short: if unadjusted { T::ZERO } else { self.problem.prior().short_share() },
            };
            hmc::transition(self.isa, density, kernel, &trajectory, state, &mut work)
        })
    }

    fn summarise(&mut self, outcome: &Outcome<T, N>, of: u32) {
        let share = T::ONE / T::of_u32(of.max(1));
        let [acceptance, energy, divergent] = &mut *self.summary;
        for (sum, a) in acceptance.iter_mut().zip(outcome.acceptance) {
            *sum += share * a;
        }
        *energy = outcome.energy;
        for (flag, d) in divergent.iter_mut().zip(outcome.divergent) {
            *flag = if d { T::ONE } else { *flag };
        }
    }

    /// Before any transition: the longest step.
    pub(super) fn reset(&mut self) {
        StepSize::Dual(self.steps).reset(self.isa, self.shape.options.adaptation().cap);
    }

    /// Ends the warm-up of the step sizes.
    pub(super) fn freeze(&mut self) {
        let options = &self.shape.options;
        if options.kernel() != Method::Langevin {
            StepSize::Dual(self.steps).freeze(self.isa, options.adaptation());
        }
    }

    /// The channel of the coupling.
    pub(super) fn channel(&self) -> Result<Triangular<'b, T>, SamplerError> {
        let shape = self.shape;
        let signs = self.problem.signs();
        Triangular::from_factor(
            shape.problem.d,
            shape.problem.neurons,
            signs,
            shape.classes,
            self.factor,
        )
        .map(|channel| channel.scaled(self.strength))
        .map_err(|_| SamplerError::NotASampler)
    }

    /// Calls `f` with the posterior given xi, in the coordinates of the reference.
    pub(super) fn conditional<R>(
        &mut self,
        f: impl FnOnce(&mut Self, &Law<'_, T, N>) -> Result<R, SamplerError>,
    ) -> Result<R, SamplerError> {
        let broken = SamplerError::NotASampler;
        let channel = self.channel()?;
        // xi is lent to the density while the block works, and put back.
        let xi = core::mem::take(&mut self.xi);
        let problem = self.problem;
        let given = Conditional::new(problem.likelihood(), &channel, xi.as_flattened())
            .map_err(|_| broken)
            .and_then(|given| {
                let density = Lifted::new(&given, problem.prior(), problem.d(), problem.neurons())
                    .map_err(|_| broken)?;
                let latent = Whitened::new(&density, self.map);
                f(self, &Law { latent, likelihood: &given })
            });
        self.xi = xi;
        given
    }

    /// w of the chains' positions: the first M d blocks of the scratch, and the rest of it.
    pub(super) fn weights(&mut self) -> Result<Split<'_, T, N>, SamplerError> {
        let broken = SamplerError::NotASampler;
        let posterior = self.posterior()?;
        let (w, mut rest) =
            self.work.split_at_mut_checked(self.shape.problem.dim()).ok_or(broken)?;
        if self.shape.options.kernel().needs_ball() {
            w.iter_mut().zip(&*self.state.position).for_each(|(w, own)| *w = *own);
            return Ok((w, rest));
        }
        let mut g = &*self.state.position;
        if let Some(map) = self.map {
            let (own, left) = rest.split_at_mut_checked(self.shape.problem.latent).ok_or(broken)?;
            map.apply(self.isa, g, own);
            (g, rest) = (own, left);
        }
        if posterior.to_weights(self.isa, g, w, rest) { Ok((w, rest)) } else { Err(broken) }
    }

    /// Adds a share of w of the chains' positions to the mean of w given xi.
    pub(super) fn average(&mut self, share: T) -> Result<(), SamplerError> {
        let mean = core::mem::take(&mut self.mean);
        let added = self.weights().map(|(w, _)| {
            for (mean, w) in mean.iter_mut().zip(w) {
                mean.iter_mut().zip(w).for_each(|(m, w)| *m += share * *w);
            }
        });
        self.mean = mean;
        added
    }

    /// The score A E[w | xi] - xi of log p(xi), from the mean of w given xi, and as many normals of the
    /// stream of the auxiliary variable, handed to `f` with xi.
    pub(super) fn move_xi(&mut self, f: impl Fn(&mut T, T, T)) -> Result<(), SamplerError> {
        let broken = SamplerError::NotASampler;
        let channel = self.channel()?;
        let dim = self.shape.problem.dim();
        let (score, rest) = self.work.split_at_mut_checked(dim).ok_or(broken)?;
        let noise = rest.get_mut(..dim).ok_or(broken)?;
        coupling::score(self.isa, &channel, self.xi, self.mean, score).map_err(|_| broken)?;
        let [_, _, streams] = &mut self.streams;
        normals_on(self.isa, streams, noise);
        for ((xi, score), z) in self.xi.iter_mut().zip(&*score).zip(&*noise) {
            for ((xi, score), z) in xi.iter_mut().zip(score).zip(z) {
                f(xi, *score, *z);
            }
        }
        Ok(())
    }

    /// xi | w of the chains' positions.
    pub(super) fn draw_xi(&mut self) -> Result<(), SamplerError> {
        let channel = self.channel()?;
        let isa = self.isa;
        let xi = core::mem::take(&mut self.xi);
        let [_, _, mut streams] = self.streams;
        let drawn = self.weights().and_then(|(w, _)| {
            channel.draw(isa, &mut streams, w, xi).map_err(|_| SamplerError::NotASampler)
        });
        self.xi = xi;
        let [_, _, own] = &mut self.streams;
        *own = streams;
        drawn
    }

    /// Whether every value is finite: asked once, at the start.
    pub(super) fn check_start(&self) -> Result<(), SamplerError> {
        if self.state.value.iter().all(|v| v.is_finite()) {
            Ok(())
        } else {
            Err(SamplerError::Start)
        }
    }

    /// log p(y | w) - |xi - A w|^2/2 is the value of the conditional: this adds the square back, and
    /// takes away what a fitted reference added.
    fn log_likelihood(&mut self) -> Result<[T; N], SamplerError> {
        let mut value = *self.state.value;
        if let Some(map) = self.map {
            let g =
                self.work.get_mut(..self.shape.problem.latent).ok_or(SamplerError::NotASampler)?;
            map.apply(self.isa, self.state.position, g);
            value = correct(self.isa, g, self.state.position, value);
        }
        if self.shape.classes == 0 {
            return Ok(value);
        }
        let channel = self.channel()?;
        let xi = core::mem::take(&mut self.xi);
        let drawn = self.weights().map(|(w, _)| {
            let d = channel.d().max(1);
            for (i, xi) in pieces(xi, channel.neurons()).enumerate() {
                for (m, (xi, w)) in xi.iter().zip(pieces(w, d)).enumerate() {
                    let (weight, first, entries) = channel.row(i, m);
                    let mut left = *xi;
                    for (w, a) in w.iter().skip(first).zip(entries) {
                        for (l, w) in left.iter_mut().zip(w) {
                            *l -= weight * a * *w;
                        }
                    }
                    for (v, l) in value.iter_mut().zip(left) {
                        *v += T::HALF * l * l;
                    }
                }
            }
        });
        self.xi = xi;
        drawn.map(|()| value)
    }

    /// Takes the chains' positions as the draws of this iteration: into the moments, and into row
    /// `row` of the record if there is one.
    pub(super) fn record(
        &mut self,
        sums: &mut [[T; N]],
        first: bool,
        row: Option<&mut [T]>,
        index: usize,
    ) -> Result<(), SamplerError> {
        let likelihood = self.log_likelihood()?;
        let (isa, shape, prior) = (self.isa, self.shape, self.problem.prior());
        let summary = *self.summary;
        let (w, _) = self.weights()?;
        let mut log_density = prior.log_density_on(isa, shape.problem.d, w);
        log_density.iter_mut().zip(likelihood).for_each(|(l, v)| *l += v);
        let [acceptance, energy, divergent] = summary;
        let extra = [log_density, acceptance, energy, divergent];
        let draws = || w.iter().chain(&extra);
        for (sums, draw) in sums.as_chunks_mut::<SUMS>().0.iter_mut().zip(draws()) {
            record::accumulate(sums, first, draw);
        }
        if let Some(row) = row {
            let chains = shape.chains().max(1);
            let own = index.wrapping_mul(N)..chains.min(index.wrapping_add(1).wrapping_mul(N));
            for (column, draw) in pieces_mut(row, chains).zip(draws()) {
                if let Some(column) = column.get_mut(own.clone()) {
                    column.iter_mut().zip(draw).for_each(|(c, x)| *c = *x);
                }
            }
        }
        Ok(())
    }

    /// Forgets what the transitions of the last iteration did.
    pub(super) fn clear_summary(&mut self) {
        *self.summary = [[T::ZERO; N]; SUMMARY];
    }
}
