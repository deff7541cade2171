//! Calibration of split HMC and of coupled Gibbs on the greedy posterior.
//!
//! Its tilt exp(alpha sum r_i psi_i), psi_i = psi(x_i.w), is no normalised likelihood of r, but it is
//! the conditional law of a joint one. Draw w ~ p0(w) exp(alpha^2 sum psi_i^2 / 2) and then
//! r_i ~ N(alpha psi_i, 1): the joint density is
//! p0(w) exp(alpha^2 sum psi_i^2 / 2 - sum (r_i - alpha psi_i)^2 / 2) = p0(w) exp(alpha sum r_i psi_i)
//! exp(-sum r_i^2 / 2), so that w | r is the greedy posterior. w is drawn by rejection: psi is bounded.
//!
//! Coupled Gibbs has detailed balance as split HMC has: p(w) times the density of a move to w' is the
//! integral of p(xi) p(w | xi) K_xi(w, w'), which is symmetric where K_xi has detailed balance.

use lcc_core::activation::Activation;
use lcc_core::coupling::rho::{self, Range};
use lcc_core::coupling::{Channel, Conditional, Coupling, Sides, Triangular, factor_len};
use lcc_core::data::{Dataset, Inputs};
use lcc_core::density::Density;
use lcc_core::kernel::hmc::{self, State, Trajectory, Work, work_len};
use lcc_core::lifted::Lifted;
use lcc_core::prior::Prior;
use lcc_core::problem::Problem;
use lcc_core::random::{Purpose, Stream};
use lcc_core::simd::{Isa, Lanes, Portable};
use lcc_tests::calibration::{LANES, Ranks, replicates};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kernel {
    SplitHmc,
    /// xi of n coordinates or of d, and how many inner transitions.
    Gibbs {
        sides: Sides,
        rows: bool,
        inner: usize,
    },
    /// Wrong: xi = A w.
    GibbsWithoutNoise,
    /// Wrong: alpha is 1.3 times what it is.
    LargerAlpha,
    /// Wrong: xi is a fifth smaller than it is drawn.
    GibbsOfSmallerXi,
}

use Kernel::*;

#[derive(Clone, Copy)]
struct Case {
    what: &'static str,
    activation: Activation,
    prior: Prior<f64>,
    alpha: f64,
    n: usize,
    d: usize,
    /// Steps of a trajectory are uniform between these, in radians.
    steps: (f64, f64),
}

/// The numbers of a case in one precision.
struct Numbers<T> {
    case: Case,
    x: Vec<T>,
    prior: Prior<T>,
    names: Vec<String>,
}

impl<T: Lanes<8>> Numbers<T> {
    fn new(case: Case) -> Self {
        let mut stream = Stream::new(21, 0, Purpose::Start);
        let x = (0..case.n * case.d).map(|_| stream.normal()).collect();
        let prior = match case.prior {
            Prior::Gaussian { sd } => Prior::Gaussian { sd: T::lit(sd) },
            Prior::L1Ball { radius } => Prior::L1Ball { radius: T::lit(radius) },
        };
        let names = ["psi(x_1)", "psi(x_q)", "w_1", "w_d", "norm", "tilt", "log density"];
        Self { case, x, prior, names: names.map(String::from).to_vec() }
    }

    fn psi(&self, x: &[f64], w: &[f64]) -> f64 {
        let z: f64 = x.iter().zip(w).map(|(x, w)| x * w).sum();
        let [psi, _, _] = self.case.activation.jet(z);
        psi
    }

    fn rows(&self) -> impl Iterator<Item = Vec<f64>> {
        self.x.chunks(self.case.d).map(|x| x.iter().map(|x| x.to_f64()).collect())
    }

    fn weights(&self, g: &[T]) -> Vec<f64> {
        let d = self.case.d;
        let g: Vec<[T; 1]> = g.iter().map(|g| [*g]).collect();
        let mut w = vec![[T::ZERO]; d];
        let mut scratch = vec![[T::ZERO]; self.prior.scratch(d)];
        self.prior.map(Portable, d, &g, &mut w, &mut scratch);
        w.iter().map(|w| w[0].to_f64()).collect()
    }

    /// The latent coordinates of w, and r.
    fn draw(&self, stream: &mut Stream) -> (Vec<T>, Vec<T>) {
        let Case { alpha, n, activation, .. } = self.case;
        let bound = activation.bounds::<f64>().value;
        loop {
            let g: Vec<T> =
                (0..self.prior.latent_dim(self.case.d)).map(|_| stream.normal()).collect();
            let w = self.weights(&g);
            let psi: Vec<f64> = self.rows().map(|x| self.psi(&x, &w)).collect();
            let squares: f64 = psi.iter().map(|p| p * p).sum();
            let least = 0.5 * alpha * alpha * (n as f64 * bound * bound - squares);
            assert!(least > -1e-9, "psi exceeds its bound");
            let u: f64 = stream.uniform();
            if u < (-least).exp() {
                let r = psi.iter().map(|p| T::lit(alpha * p + stream.normal::<f64>())).collect();
                return (g, r);
            }
        }
    }

    fn statistics(&self, g: &[T], r: &[T]) -> Vec<f64> {
        let w = self.weights(g);
        let query: Vec<f64> = (0..self.case.d).map(|j| 1.0 - 0.7 * j as f64).collect();
        let tilt: f64 = self.rows().zip(r).map(|(x, r)| r.to_f64() * self.psi(&x, &w)).sum();
        let tilt = self.case.alpha * tilt;
        let (norm, log_prior) = match self.case.prior {
            Prior::Gaussian { sd } => {
                let squares: f64 = w.iter().map(|w| w * w).sum();
                (squares, -0.5 * squares / (sd * sd))
            }
            Prior::L1Ball { .. } => (w.iter().map(|w| w.abs()).sum(), 0.0),
        };
        let first = self.rows().next().unwrap();
        let psi = [self.psi(&first, &w), self.psi(&query, &w)];
        vec![psi[0], psi[1], w[0], w[self.case.d - 1], norm, tilt, tilt + log_prior]
    }
}

/// Eight chains.
struct Chains<'a, T> {
    isa: Isa,
    kernel: [Stream; 8],
    auxiliary: [Stream; 8],
    design: &'a mut Stream,
    steps: (f64, f64),
    short: T,
    g: Vec<[T; 8]>,
    accepted: &'a mut (f64, f64),
}

impl<T: Lanes<8>> Chains<'_, T> {
    /// Transitions of one density.
    fn transitions(&mut self, density: &dyn Density<T, 8>, count: usize) {
        let (dim, scratch) = (density.dim(), density.scratch());
        let mut memory = vec![[T::ZERO; 8]; work_len(dim, scratch).unwrap()];
        let mut work = Work::new(&mut memory, dim).unwrap();
        let mut gradient = vec![[T::ZERO; 8]; dim];
        let mut value = [T::ZERO; 8];
        let mut state = State { position: &mut self.g, gradient: &mut gradient, value: &mut value };
        hmc::evaluate(self.isa, density, &mut state, work.scratch());
        for _ in 0..count {
            // Each chain its own: chains that share a step are not exchangeable.
            let step = std::array::from_fn(|_| {
                let u: f64 = self.design.uniform();
                T::lit(self.steps.0 + (self.steps.1 - self.steps.0) * u)
            });
            let path =
                Trajectory { jitter: T::lit(0.2), short: self.short, ..Trajectory::split(step, 3) };
            let streams = &mut self.kernel;
            let outcome = hmc::transition(self.isa, density, streams, &path, &mut state, &mut work);
            self.accepted.0 += outcome.acceptance.iter().map(|a| a.to_f64()).sum::<f64>();
            self.accepted.1 += 8.0;
        }
    }

    fn gibbs(
        &mut self,
        problem: &Problem<'_, T>,
        channel: &impl Channel<T>,
        (which, rounds, inner): (Kernel, usize, usize),
    ) {
        let posterior = problem.density().unwrap();
        let mut w = vec![[T::ZERO; 8]; problem.dim()];
        let mut scratch = vec![[T::ZERO; 8]; posterior.map_scratch()];
        let mut xi = vec![[T::ZERO; 8]; channel.len()];
        for _ in 0..rounds {
            assert!(posterior.to_weights(self.isa, &self.g, &mut w, &mut scratch));
            channel.draw(self.isa, &mut self.auxiliary, &w, &mut xi).unwrap();
            if which == GibbsOfSmallerXi {
                xi.as_flattened_mut().iter_mut().for_each(|xi| *xi = *xi * T::lit(0.8));
            }
            if which == GibbsWithoutNoise {
                for (i, xi) in xi.iter_mut().enumerate() {
                    let (weight, first, entries) = channel.row(i, 0);
                    *xi = [T::ZERO; 8];
                    for (a, w) in entries.zip(&w[first..]) {
                        xi.iter_mut().zip(w).for_each(|(xi, w)| *xi += weight * a * *w);
                    }
                }
            }
            let given = Conditional::new(problem.likelihood(), channel, xi.as_flattened()).unwrap();
            let given = Lifted::new(&given, problem.prior(), problem.d(), 1).unwrap();
            self.transitions(&given, inner);
        }
    }

    fn run(&mut self, which: Kernel, problem: &Problem<'_, T>, rounds: usize) {
        match which {
            SplitHmc | LargerAlpha => {
                self.transitions(&problem.density().unwrap(), rounds);
            }
            Gibbs { .. } | GibbsWithoutNoise | GibbsOfSmallerXi => {
                let (sides, rows, inner) = match which {
                    Gibbs { sides, rows, inner } => (sides, rows, inner),
                    _ => (Sides::OneSided, false, 1),
                };
                let data = problem.data().unwrap();
                let (n, d) = (data.n(), data.d());
                let lcc_core::problem::Target::Greedy(tilt) = *problem.likelihood() else {
                    panic!("not greedy")
                };
                let range = Range::reachable(tilt.activation, problem.prior(), data.inputs);
                let mut rho = vec![T::ZERO; n];
                rho::greedy(sides, tilt.alpha, data.y(), range, &mut rho).unwrap();
                let coupling = Coupling::greedy(data.inputs, &rho).unwrap();
                let how = (which, rounds, inner);
                if rows {
                    self.gibbs(problem, &coupling, how);
                } else {
                    let mut factor = vec![T::ZERO; factor_len(d, 1).unwrap()];
                    let mut scratch = vec![T::ZERO; d];
                    let channel =
                        Triangular::factorise(&coupling, &mut factor, &mut scratch).unwrap();
                    self.gibbs(problem, &channel, how);
                }
            }
        }
    }
}

/// Ranks given r, and against fresh draws of (w, r).
fn run<T: Lanes<8>>(case: Case, which: Kernel, rounds: usize, replicates: u64) -> [Ranks; 2] {
    let numbers = Numbers::<T>::new(case);
    let name = |how: &str| format!("f{} {} {which:?}, {how}", T::BITS, case.what);
    let mut given = Ranks::new(&name("given r"), &numbers.names, 0.0);
    let mut fresh = Ranks::new(&name("fresh"), &numbers.names, 0.0);
    let mut design = Stream::new(22, 0, Purpose::Start);
    let mut accepted = (0.0, 0.0);
    for replicate in 0..replicates {
        let mut stream = Stream::new(23, replicate, Purpose::Predictive);
        let (start, r) = numbers.draw(&mut stream);
        let inputs = Inputs::row_major(&numbers.x, case.n, case.d).unwrap();
        let alpha = case.alpha * if which == LargerAlpha { 1.3 } else { 1.0 };
        let problem = Problem::greedy(
            Dataset::new(inputs, &r).unwrap(),
            case.activation,
            numbers.prior,
            T::lit(alpha),
        )
        .unwrap();
        let streams = |purpose| {
            std::array::from_fn(|lane| {
                Stream::new(24, replicate * LANES as u64 + lane as u64, purpose)
            })
        };
        let short = match case.prior {
            Prior::Gaussian { .. } => T::ZERO,
            Prior::L1Ball { .. } => T::lit(0.125),
        };
        let mut chains = Chains {
            isa: Isa::detect(),
            kernel: streams(Purpose::Kernel),
            auxiliary: streams(Purpose::Gibbs),
            design: &mut design,
            steps: case.steps,
            short,
            g: start.iter().map(|g| [*g; 8]).collect(),
            accepted: &mut accepted,
        };
        // Backwards, which is the same, to the hub of the first chain; forwards from there.
        chains.run(which, &problem, rounds);
        chains.g.iter_mut().for_each(|g| *g = [g[0]; 8]);
        chains.run(which, &problem, rounds);
        let ends: Vec<Vec<f64>> = (0..LANES)
            .map(|lane| {
                let g: Vec<T> = chains.g.iter().map(|g| g[lane]).collect();
                numbers.statistics(&g, &r)
            })
            .collect();
        given.add(&numbers.statistics(&start, &r), &ends);
        let others: Vec<Vec<f64>> = (0..LANES)
            .map(|_| {
                let (g, r) = numbers.draw(&mut stream);
                numbers.statistics(&g, &r)
            })
            .collect();
        fresh.add(&ends[0], &others);
    }
    let mean = accepted.0 / accepted.1;
    println!("{:70} mean acceptance {mean:.2}", name(""));
    assert!(mean > 0.1 && mean < 0.97, "acceptance {mean}");
    [given, fresh]
}

const TANH: Case = Case {
    what: "tanh, Gaussian",
    activation: Activation::Tanh,
    prior: Prior::Gaussian { sd: 2.0 },
    alpha: 1.5,
    n: 5,
    d: 2,
    steps: (0.1, 0.9),
};

const SINE: Case = Case {
    what: "sine, l1 ball",
    activation: Activation::Sine,
    prior: Prior::L1Ball { radius: 4.0 },
    alpha: 1.5,
    n: 4,
    d: 3,
    steps: (0.1, 0.9),
};

const ERF: Case = Case { what: "erf, l1 ball", activation: Activation::Erf, d: 2, ..SINE };

const BUMP: Case = Case {
    what: "bump, Gaussian",
    activation: Activation::GaussianBump,
    prior: Prior::Gaussian { sd: 1.5 },
    d: 3,
    steps: (0.05, 0.6),
    ..TANH
};

const REPLICATES: u64 = 4000;

fn calibrated<T: Lanes<8>>(case: Case) {
    let kernels = [
        (SplitHmc, 4),
        (Gibbs { sides: Sides::OneSided, rows: false, inner: 1 }, 4),
        (Gibbs { sides: Sides::TwoSided, rows: false, inner: 2 }, 3),
        (Gibbs { sides: Sides::OneSided, rows: true, inner: 1 }, 4),
    ];
    for (which, rounds) in kernels {
        run::<T>(case, which, rounds, replicates(REPLICATES)).iter().for_each(Ranks::check);
    }
}

#[test]
fn gaussian_prior_f64() {
    calibrated::<f64>(TANH);
}

#[test]
fn gaussian_prior_f32() {
    calibrated::<f32>(BUMP);
}

#[test]
fn l1_ball_f64() {
    calibrated::<f64>(SINE);
}

#[test]
fn l1_ball_f32() {
    calibrated::<f32>(ERF);
}

/// The ranks find kernels that leave another law invariant, with as many replicates.
#[test]
#[ignore = "long: what the ranks can find, with all replicates"]
fn wrong_kernels_are_found() {
    for (which, rounds) in [(GibbsWithoutNoise, 4), (LargerAlpha, 4), (GibbsOfSmallerXi, 4)] {
        for case in [TANH, SINE] {
            let [given, fresh] = run::<f64>(case, which, rounds, REPLICATES);
            given.check_detected();
            fresh.report(false);
        }
    }
}
