//! Calibration of the regressor's kernels: every conditional draw by itself, the trajectory by itself,
//! and the whole transition, on small networks whose parameters and targets are drawn from the joint
//! law (no standardisation, start search or dropping of chains: those are heuristics outside it). The
//! same ranks then have to find kernels that are wrong on purpose.

use lcc_core::activation::Activation;
use lcc_core::data::{Dataset, Inputs};
use lcc_core::estimator::model::{Model, Scratch, coordinates};
use lcc_core::estimator::transition::trajectory;
use lcc_core::estimator::{Chains, Hyper, NetworkPrior, draw_prior, gibbs, transition};
use lcc_core::kernel::hmc::{Flow, Metric, Trajectory as Path};
use lcc_core::likelihood::NetworkShape;
use lcc_core::linalg;
use lcc_core::random::{Purpose, Stream};
use lcc_core::simd::{Isa, Lanes, Portable};
use lcc_tests::calibration::{LANES, Ranks, replicates};

/// What a kernel is made of. The last five are wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Move {
    Transition,
    Trajectory,
    Head,
    Tail,
    Precision,
    Scales,
    /// A trajectory whose end is always taken.
    TakeAlways,
    /// The head from a beta a fifth too large.
    HeadOfLargerBeta,
    /// lambda given nu, then nu without lambda: each right, together not.
    LambdaBeforeNu,
    /// beta from a gamma law whose shape is 1/2 too large.
    PrecisionHalfMore,
    /// s from its law given w, but z kept instead of w.
    ScalesKeepingZ,
}

use Move::*;

/// The reverse of [`Transition`].
const BACKWARDS: &[Move] = &[Scales, Precision, Tail, Head, Trajectory];

/// The model, the design and how the chains move.
struct Case<T> {
    what: &'static str,
    shape: NetworkShape,
    activation: Activation,
    prior: NetworkPrior<T>,
    gaussian: bool,
    dense: bool,
    /// Steps of a trajectory are log-uniform between these.
    steps: (f64, f64),
    n: usize,
}

const QUERIES: [[f64; 2]; 2] = [[0.3, -0.5], [-1.4, 0.8]];

impl<T: Lanes<8>> Case<T> {
    fn default_prior(what: &'static str) -> Self {
        Self {
            what,
            shape: NetworkShape { inputs: 2, neurons: 2 },
            activation: Activation::Tanh,
            prior: NetworkPrior::default(),
            gaussian: false,
            dense: false,
            steps: (0.002, 0.3),
            n: 8,
        }
    }

    /// Milder tails, under which trajectories are mostly accepted.
    fn mild_prior(what: &'static str) -> Self {
        let prior = NetworkPrior {
            input_scale: T::lit(0.7),
            outer_scale: T::lit(1.2),
            linear_scale: T::lit(0.5),
            intercept_sd: T::lit(1.5),
            noise_shape: T::lit(3.0),
            noise_rate: T::ONE,
        };
        Self { prior, steps: (0.03, 0.5), ..Self::default_prior(what) }
    }

    fn names(&self) -> Vec<String> {
        let mut names = vec!["beta", "tau_v", "tau_c", "s_1", "s_2", "s_0", "z_11", "w_11", "b_1"];
        names.extend(["v_1", "b0", "c_1", "f(x_1)", "f(x_q1)", "f(x_q2)", "log p(y)"]);
        if !self.gaussian {
            names.extend(["nu", "lambda_1", "squares", "log p(lambda)"]);
        }
        names.into_iter().map(String::from).collect()
    }

    fn output(&self, state: &[f64], x: &[f64]) -> f64 {
        let NetworkShape { inputs: d, neurons } = self.shape;
        let scale = |j: usize| state[self.shape.dim() + j].exp();
        let mut f = state[self.shape.intercept_at()];
        for j in 0..d {
            f += state[self.shape.linear_at() + j] * x[j];
        }
        for m in 0..neurons {
            let mut u = scale(d) * state[self.shape.biases_at() + m];
            for j in 0..d {
                u += scale(j) * state[m * d + j] * x[j];
            }
            let [psi, _, _] = self.activation.jet(u);
            f += state[self.shape.outer_at() + m] * psi;
        }
        f
    }

    /// y | state: a normal of precision beta lambda_i around f(x_i).
    fn targets(&self, x: &[f64], state: &[f64], stream: &mut Stream) -> Vec<f64> {
        let p = coordinates(self.shape.inputs, self.shape.neurons);
        let rows = x.chunks(self.shape.inputs).zip(&state[p + 4..]);
        rows.map(|(x, lambda)| {
            let noise: f64 = stream.normal();
            self.output(state, x) + noise / (state[p] * lambda).sqrt()
        })
        .collect()
    }

    /// The statistics of [`names`](Self::names).
    fn statistics(&self, x: &[f64], y: &[f64], state: &[f64]) -> Vec<f64> {
        let shape = &self.shape;
        let p = coordinates(shape.inputs, shape.neurons);
        let (beta, nu) = (state[p], state[p + 3]);
        let logs = &state[shape.dim()..p];
        let mut log_likelihood = 0.0;
        let (mut squares, mut log_lambda) = (0.0, 0.0);
        for ((x, y), lambda) in x.chunks(shape.inputs).zip(y).zip(&state[p + 4..]) {
            let r = y - self.output(state, x);
            squares += beta * lambda * r * r;
            log_lambda += 0.5 * nu * (0.5 * nu).ln() - libm::lgamma(0.5 * nu)
                + (0.5 * nu - 1.0) * lambda.ln()
                - 0.5 * nu * lambda;
            log_likelihood += 0.5 * beta.ln()
                - if self.gaussian {
                    0.5 * beta * r * r
                } else {
                    0.5 * (nu + 1.0) * (beta * r * r / nu).ln_1p() + 0.5 * nu.ln()
                        - libm::lgamma(0.5 * (nu + 1.0))
                        + libm::lgamma(0.5 * nu)
                };
        }
        let mut all = vec![beta, state[p + 1], state[p + 2], logs[0], logs[1], logs[2]];
        all.extend([state[0], state[0] * logs[0].exp(), state[shape.biases_at()] * logs[2].exp()]);
        all.extend([shape.outer_at(), shape.intercept_at(), shape.linear_at()].map(|k| state[k]));
        all.push(self.output(state, &x[..shape.inputs]));
        all.extend(QUERIES.iter().map(|x| self.output(state, x)));
        all.push(log_likelihood);
        if !self.gaussian {
            all.extend([nu, state[p + 4], squares, log_lambda]);
        }
        all
    }

    /// A state from the prior.
    fn draw(&self, stream: &mut Stream) -> (Vec<T>, Vec<f64>) {
        let p = coordinates(self.shape.inputs, self.shape.neurons);
        let mut state = vec![T::ZERO; p + 4 + self.n];
        assert!(draw_prior(&self.shape, &self.prior, self.gaussian, stream, &mut state));
        let wide = state.iter().map(|x| x.to_f64()).collect();
        (state, wide)
    }

    /// A factor of a mass matrix that is anything but the right one: where the trajectory's own
    /// invariance has to hold.
    fn factor(&self) -> Vec<[T; 8]> {
        let p = coordinates(self.shape.inputs, self.shape.neurons);
        let scale = |j: usize| 0.7 + 0.15 * (j % 5) as f64;
        if !self.dense {
            return (0..p).map(|j| [T::lit(scale(j)); 8]).collect();
        }
        let entries = (0..p).flat_map(|i| {
            (0..=i).map(move |j| {
                let correlation = 0.6_f64.powi((i - j) as i32);
                [T::lit(correlation / (scale(i) * scale(j))); 8]
            })
        });
        let mut lower: Vec<[T; 8]> = entries.collect();
        linalg::cholesky(Portable, &mut lower, p, T::ZERO);
        lower
    }
}

/// Chains, and all that moves them.
struct Bench<'a, 'b, T> {
    case: &'a Case<T>,
    isa: Isa,
    model: &'a Model<'b, T>,
    metric: Metric<'a, T, 8>,
    /// Draws the steps.
    design: &'a mut Stream,
    /// Sum of probabilities, and trajectories.
    accepted: &'a mut (f64, f64),
}

impl<T: Lanes<8>> Bench<'_, '_, T> {
    fn apply(
        &mut self,
        which: Move,
        chains: &mut Chains<'_, T, 8>,
        scratch: &mut Scratch<'_, T, 8>,
    ) {
        let (isa, model) = (self.isa, self.model);
        let (low, high) = self.case.steps;
        // Each chain its own: chains that share a step are not exchangeable with the one they came from.
        let step = std::array::from_fn(|_| {
            let u: f64 = self.design.uniform();
            T::lit(low * (high / low).powf(u))
        });
        let run = Path {
            flow: Flow::Mass(self.metric),
            unadjusted: false,
            step,
            steps: 4,
            jitter: T::lit(0.3),
            short: T::lit(0.2),
        };
        match which {
            Transition => {
                let outcome = transition(isa, model, chains, &run, scratch);
                self.count(&outcome.acceptance);
            }
            Trajectory => {
                let outcome = trajectory(isa, model, chains, &run, scratch);
                self.count(&outcome.acceptance);
            }
            Head => gibbs::head(isa, model, chains, scratch),
            Tail => {
                gibbs::refresh(isa, model, chains, scratch);
                gibbs::tail(isa, model, chains, scratch);
            }
            Precision => {
                gibbs::refresh(isa, model, chains, scratch);
                gibbs::precision(isa, model, chains, scratch);
            }
            Scales => gibbs::scales(isa, model, chains),
            TakeAlways => self.take_always(chains, &run),
            HeadOfLargerBeta => {
                let beta = chains.hyper.beta;
                chains.hyper.beta = beta.map(|b| b * T::lit(1.2));
                gibbs::head(isa, model, chains, scratch);
                chains.hyper.beta = beta;
            }
            LambdaBeforeNu => {
                for (lane, i, r) in self.residuals(chains) {
                    let (nu, beta) = (chains.hyper.nu[lane], chains.hyper.beta[lane]);
                    let draw = chains.gibbs[lane].gamma(T::HALF * (nu + T::ONE));
                    chains.weights[i][lane] = draw / (T::HALF * (nu + beta * (r * r)));
                }
                let lambda = chains.weights.to_vec();
                self.apply(Tail, chains, scratch);
                chains.weights.copy_from_slice(&lambda);
            }
            PrecisionHalfMore => {
                let mut rate = [self.case.prior.noise_rate; 8];
                for (lane, i, r) in self.residuals(chains) {
                    rate[lane] += T::HALF * chains.weights[i][lane] * (r * r);
                }
                let n = T::of_usize(self.case.n);
                let shape = self.case.prior.noise_shape + T::HALF * (n + T::ONE);
                for lane in 0..8 {
                    chains.hyper.beta[lane] = chains.gibbs[lane].gamma(shape) / rate[lane];
                }
            }
            ScalesKeepingZ => {
                let z = chains.theta[..self.case.shape.outer_at()].to_vec();
                gibbs::scales(isa, model, chains);
                chains.theta[..z.len()].copy_from_slice(&z);
            }
        }
    }

    fn count(&mut self, probability: &[T; 8]) {
        let (sum, count) = &mut *self.accepted;
        *sum += probability.iter().map(|p| p.to_f64()).sum::<f64>();
        *count += 8.0;
    }

    /// (lane, row, residual).
    fn residuals(&self, chains: &Chains<'_, T, 8>) -> Vec<(usize, usize, T)> {
        let mut all = Vec::new();
        for lane in 0..8 {
            let state: Vec<f64> = chains.theta.iter().map(|x| x[lane].to_f64()).collect();
            for (i, y) in self.model.data.y().iter().enumerate() {
                let x: Vec<f64> =
                    (0..2).map(|j| self.model.data.inputs.at(i, j).to_f64()).collect();
                all.push((lane, i, *y - T::lit(self.case.output(&state, &x))));
            }
        }
        all
    }

    /// Leapfrog with unit mass, its end taken unless it is not a number.
    fn take_always(&self, chains: &mut Chains<'_, T, 8>, run: &Path<'_, T, 8>) {
        let p = chains.theta.len();
        let zeros = |k: usize| vec![[T::ZERO; 8]; k];
        let (mut gradient, mut parameters) = (zeros(p), zeros(p));
        let mut scratch = zeros(self.case.shape.scratch());
        let mut position = chains.theta.to_vec();
        let mut momentum = zeros(p);
        for p in momentum.iter_mut() {
            for (p, stream) in p.iter_mut().zip(&mut chains.kernel) {
                *p = stream.normal();
            }
        }
        for step in 0..=run.steps {
            let _ = self.model.potential(
                self.isa,
                &chains.hyper,
                Some(&*chains.weights),
                &position,
                &mut gradient,
                &mut parameters,
                &mut scratch,
            );
            let ends = step == 0 || step == run.steps;
            let share = if ends { T::HALF } else { T::ONE };
            for ((x, p), g) in position.iter_mut().zip(&mut momentum).zip(&gradient) {
                for lane in 0..8 {
                    p[lane] -= share * run.step[lane] * g[lane];
                    if step < run.steps {
                        x[lane] += run.step[lane] * p[lane];
                    }
                }
            }
        }
        for lane in 0..8 {
            // A divergence to where nothing can be computed any more is left out.
            if position.iter().all(|x| x[lane].abs() < T::lit(50.0)) {
                for (to, from) in chains.theta.iter_mut().zip(&position) {
                    to[lane] = from[lane];
                }
            }
        }
    }
}

/// Ranks of the parameters among draws of the posterior reached from them (backwards to a hub, then
/// forwards in every lane), and of the state of the first lane among fresh draws from the joint law.
fn run<T: Lanes<8>>(
    case: &Case<T>,
    (forwards, backwards): (&[Move], &[Move]),
    rounds: usize,
    replicates: u64,
) -> [Ranks; 2] {
    let names = case.names();
    let name = |how: &str| format!("f{} {}, {how}", T::BITS, case.what);
    // Draws that differ by the rounding of w = s z, which the scales leave as it was, are ties.
    let tolerance = 256.0 * T::EPSILON.to_f64();
    let mut given = Ranks::new(&name("given y"), &names, tolerance);
    let mut fresh = Ranks::new(&name("against the prior"), &names, tolerance);
    let (n, d) = (case.n, case.shape.inputs);
    let mut design = Stream::new(11, 0, Purpose::Start);
    let x: Vec<T> = (0..n * d).map(|_| design.normal()).collect();
    let wide: Vec<f64> = x.iter().map(|x| x.to_f64()).collect();
    let p = coordinates(d, case.shape.neurons);
    let factor = case.factor();
    let metric = if case.dense { Metric::Dense(&factor) } else { Metric::Diagonal(&factor) };
    let scratch_len = Model::<T>::scratch_len(n, d, case.shape.neurons).unwrap();
    let mut memory = vec![[T::ZERO; 8]; scratch_len];
    let (mut theta, mut weights) = (vec![[T::ZERO; 8]; p], vec![[T::ONE; 8]; n]);
    let mut accepted = (0.0, 0.0);
    for replicate in 0..replicates {
        let mut stream = Stream::new(12, replicate, Purpose::Predictive);
        let (start, wide_start) = case.draw(&mut stream);
        let y: Vec<T> =
            case.targets(&wide, &wide_start, &mut stream).into_iter().map(T::lit).collect();
        let wide_y: Vec<f64> = y.iter().map(|y| y.to_f64()).collect();
        let data = Dataset::new(Inputs::row_major(&x, n, d).unwrap(), &y).unwrap();
        let model = Model {
            data,
            activation: case.activation,
            neurons: case.shape.neurons,
            gaussian: case.gaussian,
            prior: case.prior,
        };
        let streams = |purpose| {
            std::array::from_fn(|lane| {
                Stream::new(13, replicate * LANES as u64 + lane as u64, purpose)
            })
        };
        let mut chains = Chains {
            theta: &mut theta,
            weights: &mut weights,
            hyper: Hyper::start(case.shape.neurons, case.gaussian),
            kernel: streams(Purpose::Kernel),
            gibbs: streams(Purpose::Gibbs),
        };
        let mut scratch = model.scratch(&mut memory).unwrap();
        let mut bench = Bench {
            case,
            isa: Isa::detect(),
            model: &model,
            metric,
            design: &mut design,
            accepted: &mut accepted,
        };
        let mut hub = start;
        for moves in [backwards, forwards] {
            for lane in 0..LANES {
                assert!(chains.set_state(lane, &hub));
            }
            for _ in 0..rounds {
                for which in moves {
                    bench.apply(*which, &mut chains, &mut scratch);
                }
            }
            assert!(chains.get_state(0, &mut hub));
        }
        let ends: Vec<Vec<f64>> = (0..LANES)
            .map(|lane| {
                assert!(chains.get_state(lane, &mut hub));
                let end: Vec<f64> = hub.iter().map(|x| x.to_f64()).collect();
                case.statistics(&wide, &wide_y, &end)
            })
            .collect();
        given.add(&case.statistics(&wide, &wide_y, &wide_start), &ends);
        let others: Vec<Vec<f64>> = (0..LANES)
            .map(|_| {
                let (_, state) = case.draw(&mut stream);
                let y = case.targets(&wide, &state, &mut stream);
                case.statistics(&wide, &y, &state)
            })
            .collect();
        fresh.add(&ends[0], &others);
    }
    let (sum, count) = accepted;
    if count > 0.0 {
        let mean = sum / count;
        println!("{:58} mean acceptance {mean:.2}", name(""));
        // Otherwise the trajectory is hardly tested.
        assert!(mean > 0.1 && mean < 0.97, "acceptance {mean}");
    }
    [given, fresh]
}

fn calibrated<T: Lanes<8>>(
    case: &Case<T>,
    moves: (&[Move], &[Move]),
    rounds: usize,
    replicates: u64,
) {
    run(case, moves, rounds, replicates).iter().for_each(Ranks::check);
}

/// A block with detailed balance.
fn block<T: Lanes<8>>(case: &Case<T>, which: Move, rounds: usize, replicates: u64) {
    calibrated(case, (&[which], &[which]), rounds, replicates);
}

fn blocks<T: Lanes<8>>(case: impl Fn(&'static str) -> Case<T>) {
    block(&case("head"), Head, 1, replicates(4000));
    block(&case("nu and lambda"), Tail, 1, replicates(4000));
    block(&case("beta"), Precision, 1, replicates(4000));
    block(&case("scales"), Scales, 2, replicates(4000));
    block(&case("trajectory"), Trajectory, 4, replicates(4000));
    block(&Case { dense: true, ..case("trajectory, dense mass") }, Trajectory, 4, replicates(4000));
    let gaussian = |what| Case { gaussian: true, ..case(what) };
    block(&gaussian("head, Gaussian noise"), Head, 1, replicates(4000));
    block(&gaussian("beta, Gaussian noise"), Precision, 1, replicates(4000));
    block(&gaussian("trajectory, Gaussian noise"), Trajectory, 4, replicates(4000));
}

#[test]
fn blocks_of_the_transition_f64() {
    blocks::<f64>(Case::mild_prior);
}

#[test]
fn blocks_of_the_transition_f32() {
    blocks::<f32>(Case::mild_prior);
}

#[test]
fn blocks_of_the_transition_default_prior() {
    blocks::<f64>(Case::default_prior);
}

fn whole<T: Lanes<8>>(replicates: u64) {
    let moves = (&[Transition][..], BACKWARDS);
    let three = NetworkShape { inputs: 2, neurons: 3 };
    calibrated(&Case::<T>::default_prior("default prior"), moves, 5, replicates);
    let case =
        Case { gaussian: true, dense: true, ..Case::<T>::default_prior("default prior, Gaussian") };
    calibrated(&case, moves, 5, replicates);
    let case = Case { dense: true, ..Case::<T>::mild_prior("mild prior") };
    calibrated(&case, moves, 5, replicates);
    let case = Case {
        gaussian: true,
        shape: three,
        activation: Activation::SquaredRelu,
        n: 11,
        ..Case::<T>::mild_prior("mild prior, Gaussian, squared ReLU, M = 3")
    };
    calibrated(&case, moves, 5, replicates);
}

#[test]
fn whole_transition_f64() {
    whole::<f64>(replicates(4000));
}

#[test]
fn whole_transition_f32() {
    whole::<f32>(replicates(4000));
}

/// The ranks find kernels that leave another law invariant, with as many replicates.
#[test]
#[ignore = "long: what the ranks can find, with all replicates"]
fn wrong_kernels_are_found() {
    let wrong: [(&'static str, [Move; 5]); 5] = [
        ("WRONG every trajectory taken", [TakeAlways, Head, Tail, Precision, Scales]),
        ("WRONG head of 1.2 beta", [Trajectory, HeadOfLargerBeta, Tail, Precision, Scales]),
        ("WRONG lambda before nu", [Trajectory, Head, LambdaBeforeNu, Precision, Scales]),
        ("WRONG shape of beta + 1/2", [Trajectory, Head, Tail, PrecisionHalfMore, Scales]),
        ("WRONG scales with z held", [Trajectory, Head, Tail, Precision, ScalesKeepingZ]),
    ];
    for (what, moves) in wrong {
        let backwards: Vec<Move> = moves.iter().rev().copied().collect();
        let [given, fresh] = run(&Case::<f64>::mild_prior(what), (&moves, &backwards), 5, 4000);
        given.check_detected();
        fresh.report(false);
    }
}
