//! Many independent chains of (w, xi), eight in lock-step.

use crate::exact::{Exact, Statistic};
use crate::settings::Setting;
use lcc_core::coupling::{Channel, Conditional, Triangular, score};
use lcc_core::density::Extent;
use lcc_core::kernel::hmc::{self, Flow, State, Trajectory, Work, work_len};
use lcc_core::lifted::Lifted;
use lcc_core::likelihood::Signs;
use lcc_core::prior::Prior;
use lcc_core::problem::Problem;
use lcc_core::random::{Purpose, Stream};
use lcc_core::simd::Isa;

/// A sampler of xi.
#[derive(Clone, Copy)]
pub(crate) enum Way {
    /// xi + (h/2)(A E[w | xi] - xi) + sqrt(h) N(0, I), E over `inner` warm transitions.
    Langevin { h: f64, inner: u32 },
    /// w | xi by `inner` transitions, then xi | w.
    Gibbs { inner: u32 },
}

/// Leapfrogs of an inner transition, and inner transitions before the first step at a given xi.
const LEAPFROGS: u32 = 3;
const BURN_IN: u32 = 30;

/// Eight chains.
struct Block {
    g: Vec<[f64; 8]>,
    xi: Vec<[f64; 8]>,
    kernel: [Stream; 8],
    noise: [Stream; 8],
}

/// Room for one block at work.
struct Room {
    gradient: Vec<[f64; 8]>,
    work: Vec<[f64; 8]>,
    w: Vec<[f64; 8]>,
    map: Vec<[f64; 8]>,
    mean: Vec<[f64; 8]>,
    score: Vec<[f64; 8]>,
}

/// What all chains share.
struct Shared<'a> {
    isa: Isa,
    setting: &'a Setting,
    factor: &'a [f64],
    way: Way,
    step: f64,
}

impl Shared<'_> {
    fn channel(&self, problem: &Problem<'_, f64>) -> Triangular<'_, f64> {
        let (d, neurons) = (problem.d(), problem.neurons());
        Triangular::from_factor(d, neurons, Signs::Positive, 1, self.factor).expect("a channel")
    }

    fn room(&self, problem: &Problem<'_, f64>) -> Room {
        let density = problem.density().expect("a density");
        let zeros = |n: usize| vec![[0.0; 8]; n];
        Room {
            gradient: zeros(density.dim()),
            work: zeros(work_len(density.dim(), density.scratch()).expect("a size")),
            w: zeros(problem.dim()),
            map: zeros(density.map_scratch()),
            mean: zeros(problem.dim()),
            score: zeros(problem.dim()),
        }
    }

    /// `count` transitions of w | xi; the mean of w over them is left in the room, w in its `w`.
    /// Returns the mean probability of acceptance.
    fn inner(&self, problem: &Problem<'_, f64>, b: &mut Block, room: &mut Room, count: u32) -> f64 {
        let channel = self.channel(problem);
        let given = Conditional::new(problem.likelihood(), &channel, b.xi.as_flattened());
        let given = given.expect("a conditional");
        let prior = problem.prior();
        let density =
            Lifted::new(&given, prior, problem.d(), problem.neurons()).expect("a density");
        let short = if matches!(prior, Prior::L1Ball { .. }) { 0.125 } else { 0.0 };
        let trajectory = Trajectory {
            flow: Flow::Split,
            unadjusted: false,
            step: [self.step; 8],
            steps: LEAPFROGS,
            jitter: 0.2,
            short,
        };
        let mut value = [0.0; 8];
        let mut state =
            State { position: &mut b.g, gradient: &mut room.gradient, value: &mut value };
        let mut work = Work::new(&mut room.work, density.dim()).expect("room");
        hmc::evaluate(self.isa, &density, &mut state, work.scratch());
        room.mean.fill([0.0; 8]);
        let mut accepted = 0.0;
        for _ in 0..count {
            let (isa, streams) = (self.isa, &mut b.kernel);
            let out = hmc::transition(isa, &density, streams, &trajectory, &mut state, &mut work);
            accepted += out.acceptance.iter().sum::<f64>() / (8.0 * f64::from(count));
            assert!(density.to_weights(self.isa, state.position, &mut room.w, &mut room.map));
            for (mean, w) in room.mean.iter_mut().zip(&room.w) {
                (0..8).for_each(|k| mean[k] += w[k] / f64::from(count));
            }
        }
        accepted
    }

    /// One step of eight chains.
    fn step(&self, problem: &Problem<'_, f64>, b: &mut Block, room: &mut Room) {
        let channel = self.channel(problem);
        match self.way {
            Way::Langevin { h, inner } => {
                self.inner(problem, b, room, inner);
                score(self.isa, &channel, &b.xi, &room.mean, &mut room.score).expect("a score");
                for (xi, score) in b.xi.iter_mut().zip(&room.score) {
                    for (k, stream) in b.noise.iter_mut().enumerate() {
                        xi[k] += h / 2.0 * score[k] + h.sqrt() * stream.normal::<f64>();
                    }
                }
            }
            Way::Gibbs { inner } => {
                self.inner(problem, b, room, inner);
                channel.draw(self.isa, &mut b.noise, &room.w, &mut b.xi).expect("xi");
            }
        }
    }
}

/// The chains.
pub(crate) struct Ensemble<'a> {
    shared: Shared<'a>,
    blocks: Vec<Block>,
}

impl<'a> Ensemble<'a> {
    /// `count` chains at xi ~ N(0, I), w from the prior and then some transitions given xi. The step size
    /// is the longest of .5, .25, .125, ... at which eight of them are accepted with probability .85.
    pub(crate) fn new(setting: &'a Setting, exact: &'a Exact, way: Way, count: usize) -> Self {
        let problem = setting.numbers.problem();
        let factor = &exact.factor;
        let mut shared = Shared { isa: Isa::detect(), setting, factor, way, step: 0.5 };
        let block = |k: usize| {
            let streams = |purpose| {
                std::array::from_fn(|lane| Stream::new(1, (8 * k + lane) as u64, purpose))
            };
            let mut start: [Stream; 8] = streams(Purpose::Start);
            let mut normals =
                |n| (0..n).map(|_| std::array::from_fn(|l| start[l].normal())).collect::<Vec<_>>();
            Block {
                g: normals(problem.latent_dim()),
                xi: normals(problem.dim()),
                kernel: streams(Purpose::Kernel),
                noise: streams(Purpose::Gibbs),
            }
        };
        let mut room = shared.room(&problem);
        let mut pilot = block(count);
        while shared.inner(&problem, &mut pilot, &mut room, BURN_IN) < 0.85 && shared.step > 1e-3 {
            shared.step /= 2.0;
        }
        let blocks = (0..count.div_ceil(8)).map(block).collect();
        let mut chains = Self { shared, blocks };
        chains.each(|shared, problem, b, room| {
            shared.inner(problem, b, room, BURN_IN);
        });
        chains
    }

    /// The chains in two threads.
    fn each(&mut self, f: impl Fn(&Shared, &Problem<'_, f64>, &mut Block, &mut Room) + Sync) {
        let (shared, half) = (&self.shared, self.blocks.len().div_ceil(2));
        std::thread::scope(|scope| {
            for blocks in self.blocks.chunks_mut(half) {
                let f = &f;
                scope.spawn(move || {
                    let problem = shared.setting.numbers.problem();
                    let mut room = shared.room(&problem);
                    blocks.iter_mut().for_each(|b| f(shared, &problem, b, &mut room));
                });
            }
        });
    }

    /// One step of all.
    pub(crate) fn step(&mut self) {
        self.each(|shared, problem, b, room| shared.step(problem, b, room));
    }

    /// A statistic of every chain.
    pub(crate) fn values(&self, statistic: &Statistic) -> Vec<f64> {
        let mut all = Vec::with_capacity(8 * self.blocks.len());
        for b in &self.blocks {
            let mut sums = [0.0; 8];
            for (u, xi) in statistic.direction.iter().zip(&b.xi) {
                (0..8).for_each(|k| sums[k] += u * xi[k]);
            }
            all.extend(sums);
        }
        all
    }

    /// Puts the chains at draws of w under a Gaussian prior, and xi at draws given them.
    pub(crate) fn place(&mut self, draws: &[Vec<f64>]) {
        let Prior::Gaussian { sd } = self.shared.setting.case.prior else { return };
        let problem = self.shared.setting.numbers.problem();
        let channel = self.shared.channel(&problem);
        for (b, draws) in self.blocks.iter_mut().zip(draws.chunks_exact(8)) {
            for (j, g) in b.g.iter_mut().enumerate() {
                *g = std::array::from_fn(|k| draws[k][j] / sd);
            }
            let w: Vec<[f64; 8]> = b.g.iter().map(|g| g.map(|g| sd * g)).collect();
            channel.draw(self.shared.isa, &mut b.noise, &w, &mut b.xi).expect("xi");
        }
    }
}
