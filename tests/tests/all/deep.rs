//! [B]'s joint posterior with several hidden layers: its density, its coupling by layers, and the samplers
//! that take it, coupled Gibbs over the layers among them, against the definition and against quadrature.

use lcc_core::activation::Activation;
use lcc_core::auto::{Auto, AutoOptions, Progress as Chosen, Verdict};
use lcc_core::coupling::rho::{self, RhoError};
use lcc_core::coupling::{Conditional, Coupling, Sides};
use lcc_core::data::{Dataset, Inputs};
use lcc_core::density::{Density, Extent};
use lcc_core::kernel::hmc::{self, State, Trajectory, Work, work_len};
use lcc_core::lifted::Lifted;
use lcc_core::likelihood::{Joint, Signs};
use lcc_core::network::{Deep, DeepPosterior, FirstLayer};
use lcc_core::posterior::{Drawn, Image};
use lcc_core::predict::NetworkPredictor;
use lcc_core::prior::Prior;
use lcc_core::problem::{Problem as Posterior, ProblemError};
use lcc_core::random::{Purpose, Stream};
use lcc_core::sampler::{Method, Progress, Reference, Sampler, SamplerError, SamplerOptions};
use lcc_core::simd::{AnyLanes, Isa, Lanes, usual_lanes};
use lcc_core::smc::{Column, Smc, SmcOptions};
use lcc_core::theory::variation;
use lcc_tests::numeric::{largest_eigenvalue, mean_and_error, normal, streams};
use lcc_tests::posteriors::{Aligned, sample};
use lcc_tests::problem::{Problem, at, finite_hessian};
use lcc_tests::quadrature::prior_rule;
use lcc_tests::tools::runs;

fn deep<'a>(data: Dataset<'a, f64>, widths: [u32; 4], activation: Activation) -> Deep<'a, f64> {
    Deep { data, activation, widths, outer: 1.7, beta: 0.8, signs: Signs::Alternating }
}

/// The definition, layer by layer.
fn output(deep: &Deep<'_, f64>, w: &[f64], x: &[f64]) -> f64 {
    let (mut below, mut rest) = (x.to_vec(), w);
    for units in deep.widths.into_iter().take_while(|w| *w > 0) {
        let (own, above) = rest.split_at(units as usize * below.len());
        let sums = own.chunks(below.len()).map(|w| w.iter().zip(&below).map(|(w, a)| w * a).sum());
        below = sums.map(|z: f64| deep.activation.jet(z)[0]).collect();
        rest = above;
    }
    let each = deep.outer / below.len() as f64;
    below.iter().enumerate().map(|(m, a)| deep.signs.sign::<f64>(m) * each * a).sum()
}

fn log_likelihood(deep: &Deep<'_, f64>, w: &[f64]) -> f64 {
    let (inputs, d) = (deep.data.inputs, deep.data.d());
    let square = |(i, y): (usize, &f64)| {
        let x: Vec<f64> = (0..d).map(|j| inputs.at(i, j)).collect();
        (y - output(deep, w, &x)).powi(2)
    };
    -0.5 * deep.beta * deep.data.y().iter().enumerate().map(square).sum::<f64>()
}

/// Depths 1 to 4, rows that fill no last group.
const SHAPES: [[u32; 4]; 5] =
    [[3, 0, 0, 0], [2, 3, 0, 0], [4, 2, 3, 0], [2, 2, 1, 2], [1, 1, 0, 5]];

#[test]
fn the_value_is_the_definition_and_the_gradient_its_slope() {
    for activation in [Activation::Tanh, Activation::Softplus, Activation::Relu] {
        for widths in SHAPES {
            let problem = Problem::new(3, 11, 3);
            let deep = deep(problem.data(), widths, activation);
            let mut stream = Stream::new(4, 0, Purpose::Start);
            let w: Vec<f64> = (0..deep.dim()).map(|_| 0.6 * normal(&mut stream)).collect();
            let (value, gradient) = at(&deep, &w);
            let exact = log_likelihood(&deep, &w);
            assert!((value - exact).abs() < 1e-13 * exact.abs(), "{widths:?} {value} {exact}");
            let h = 1e-5;
            for j in 0..w.len() {
                let moved = |by: f64| {
                    let mut w = w.clone();
                    w[j] += by;
                    log_likelihood(&deep, &w)
                };
                let slope = (moved(h) - moved(-h)) / (2.0 * h);
                let what = format!("{activation:?} {widths:?} {j}: {slope} {}", gradient[j]);
                assert!((slope - gradient[j]).abs() < 1e-7 * (1.0 + slope.abs()), "{what}");
            }
            // The first layer given the others: the same value, and its part of the gradient.
            let layer = deep.architecture().layer(0).unwrap();
            let (own, above) = w.split_at(layer.units * layer.inputs);
            let (same, part) = at(&FirstLayer::new(deep, above), own);
            assert_eq!((same, &part[..]), (value, &gradient[..own.len()]), "{widths:?}");
            // Its latent coordinates.
            for prior in [Prior::l1_ball(1.3).unwrap(), Prior::gaussian(0.7).unwrap()] {
                latent_gradient(&DeepPosterior::new(deep, prior).unwrap());
            }
        }
    }
}

/// By differences of the density's own value.
fn latent_gradient(posterior: &DeepPosterior<'_, f64>) {
    let mut stream = Stream::new(6, 0, Purpose::Start);
    let g: Vec<[f64; 1]> = (0..posterior.dim()).map(|_| [normal(&mut stream)]).collect();
    let mut scratch = vec![[0.0]; posterior.scratch()];
    let mut of = |g: &[[f64; 1]]| {
        let mut gradient = vec![[f64::NAN]; g.len()];
        let isa = Isa::detect();
        let [value] = posterior.value_and_gradient(isa, g, &mut gradient, &mut scratch);
        (value, gradient)
    };
    let (value, gradient) = of(&g);
    let mut w = vec![[0.0]; posterior.likelihood().dim()];
    let mut maps = vec![[0.0]; posterior.map_scratch()];
    assert!(posterior.to_weights(Isa::detect(), &g, &mut w, &mut maps));
    assert_eq!(value, at(posterior.likelihood(), w.as_flattened()).0);
    let h = 1e-6;
    for j in 0..g.len() {
        let mut moved = |by: f64| {
            let mut g = g.clone();
            g[j][0] += by;
            of(&g).0
        };
        let slope = (moved(h) - moved(-h)) / (2.0 * h);
        assert!((slope - gradient[j][0]).abs() < 1e-6 * (1.0 + slope.abs()), "{j}");
    }
}

/// One layer is [B]'s joint posterior: values, gradients and a chain of HMC, to the last bit.
fn one_layer<T: Lanes<N>, const N: usize>(isa: Isa) {
    let problem = Problem::new(8, 13, 3);
    let list = |v: &[f64]| v.iter().map(|v| T::lit(*v)).collect::<Vec<T>>();
    let (x, y) = (list(&problem.x), list(&problem.y));
    let data = Dataset::new(Inputs::row_major(&x, 13, 3).unwrap(), &y).unwrap();
    let (activation, signs) = (Activation::Tanh, Signs::Alternating);
    let (outer, beta) = (T::lit(1.7), T::lit(0.8));
    let joint = Joint { data, activation, neurons: 5, outer, beta, signs };
    let deep = Deep { data, activation, widths: [5, 0, 0, 0], outer, beta, signs };
    for prior in [Prior::L1Ball { radius: T::ONE }, Prior::Gaussian { sd: T::lit(0.9) }] {
        let lifted = Lifted::new(&joint, prior, 3, 5).unwrap();
        let posterior = DeepPosterior::new(deep, prior).unwrap();
        assert_eq!(lifted.dim(), posterior.dim());
        let run = |density: &dyn Density<T, N>| {
            let dim = density.dim();
            let mut streams = std::array::from_fn(|k| Stream::new(2, k as u64, Purpose::Kernel));
            let mut start = Stream::new(9, 0, Purpose::Start);
            let mut position: Vec<[T; N]> =
                (0..dim).map(|_| std::array::from_fn(|_| start.normal())).collect();
            let (mut gradient, mut value) = (vec![[T::ZERO; N]; dim], [T::ZERO; N]);
            let mut memory = vec![[T::ZERO; N]; work_len(dim, density.scratch()).unwrap()];
            let mut work = Work::new(&mut memory, dim).unwrap();
            let mut state =
                State { position: &mut position, gradient: &mut gradient, value: &mut value };
            hmc::evaluate(isa, density, &mut state, work.scratch());
            let mut seen = vec![(*state.value, state.gradient.to_vec())];
            for _ in 0..20 {
                let trajectory = Trajectory::split([T::lit(0.3); N], 3);
                let (streams, work) = (&mut streams, &mut work);
                hmc::transition(isa, density, streams, &trajectory, &mut state, work);
                seen.push((*state.value, state.gradient.to_vec()));
            }
            seen
        };
        assert_eq!(run(&lifted), run(&posterior));
    }
}

#[test]
fn one_layer_has_the_bits_of_the_joint_posterior() {
    fn all<T: AnyLanes>() {
        for isa in Isa::all() {
            one_layer::<T, 1>(isa);
            one_layer::<T, 8>(isa);
        }
    }
    all::<f64>();
    all::<f32>();
}

/// Whatever the instruction set and the lanes beside it.
#[test]
fn bits_are_the_same_in_every_lane() {
    let problem = Problem::new(5, 10, 2);
    let posterior = DeepPosterior::new(
        deep(problem.data(), [3, 2, 2, 0], Activation::Gelu),
        Prior::l1_ball(1.0).unwrap(),
    )
    .unwrap();
    let mut streams = streams::<8>(3);
    let g: Vec<[f64; 8]> =
        (0..posterior.dim()).map(|_| streams.each_mut().map(|s| s.normal())).collect();
    for isa in Isa::all() {
        let mut gradient = vec![[0.0; 8]; g.len()];
        let mut scratch = vec![[0.0; 8]; posterior.scratch()];
        let values = posterior.value_and_gradient(isa, &g, &mut gradient, &mut scratch);
        for lane in 0..8 {
            let own: Vec<[f64; 1]> = g.iter().map(|g| [g[lane]]).collect();
            let mut by_own = vec![[0.0]; g.len()];
            let mut scratch = vec![[0.0]; posterior.scratch()];
            let [value] =
                posterior.value_and_gradient(Isa::Portable, &own, &mut by_own, &mut scratch);
            assert_eq!(value, values[lane]);
            assert!(by_own.iter().zip(&gradient).all(|(a, b)| a[0] == b[lane]));
        }
    }
}

/// Rows of norm at most 1 and outer weights of sum V: the network's path weights are within V.
#[test]
fn v_bounds_the_path_weights() {
    let problem = Problem::new(5, 4, 3);
    for widths in SHAPES {
        let deep = deep(problem.data(), widths, Activation::Tanh);
        let posterior = DeepPosterior::new(deep, Prior::l1_ball(1.0).unwrap()).unwrap();
        let architecture = deep.architecture();
        let (mut stream, mut most) = (Stream::new(1, 0, Purpose::Start), 0.0_f64);
        for _ in 0..200 {
            let g: Vec<[f64; 1]> = (0..posterior.dim()).map(|_| [normal(&mut stream)]).collect();
            let mut w = vec![[0.0]; deep.dim()];
            let mut maps = vec![[0.0]; posterior.map_scratch()];
            assert!(posterior.to_weights(Isa::detect(), &g, &mut w, &mut maps));
            let mut parameters = vec![[f64::NAN]; architecture.dim()];
            deep.parameters(&w, &mut parameters);
            let mut scratch = vec![0.0; variation::network_scratch(&architecture)];
            let found =
                variation::network(&architecture, parameters.as_flattened(), &mut scratch).unwrap();
            assert_eq!(found.with_biases, found.inputs);
            most = most.max(found.inputs);
        }
        assert!(most <= deep.outer * (1.0 + 1e-14) && most > 0.1 * deep.outer, "{most}");
    }
}

/// Given xi the layer below the last is log-concave, which it is not by itself; and rho is at most the
/// simple bound.
#[test]
fn the_layer_below_the_last_is_concave_given_xi() {
    for activation in Activation::ALL.into_iter().filter(|a| !a.has_kink()) {
        let problem = Problem::new(20 + activation as u64, 5, 2);
        for (radius, widths) in [(1.0, [2, 3, 0, 0]), (1.6, [3, 1, 0, 0])] {
            let prior = Prior::l1_ball(radius).unwrap();
            let deep = Deep { beta: 2.0, ..deep(problem.data(), widths, activation) };
            let (inputs, units) = (problem.inputs(), widths[0] as usize);
            let largest = |i: usize| inputs.at(i, 0).abs().max(inputs.at(i, 1).abs());
            let reach = |i: usize| prior.reach(largest(i));
            let scales = (deep.beta, deep.outer);
            let mut rho = vec![f64::NAN; 5];
            rho::below(scales, activation, radius, &problem.y, reach, &mut rho).unwrap();
            let line = activation.bounds::<f64>();
            if radius == 1.0 && line.value <= 1.0 {
                let (c1, c2) = (line.slope, line.curvature());
                for (rho, y) in rho.iter().zip(&problem.y) {
                    let simple =
                        deep.beta * deep.outer * (y.abs() + deep.outer) * c2 * (c1 * c1 + c1);
                    assert!(
                        *rho <= simple * (1.0 + 1e-14) && *rho > 0.05 * simple,
                        "{activation:?}"
                    );
                }
            }
            let coupling = Coupling::joint(inputs, &rho, units, Signs::Positive).unwrap();
            let own = problem.points(prior, units, 40);
            let above: Vec<Vec<f64>> = {
                let rows = Problem { n: 1, d: units, x: vec![0.0; units], y: vec![0.0] };
                rows.points(prior, widths[1] as usize, 40)
            };
            let (mut bare, mut coupled) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
            for (w, above) in own.iter().zip(&above) {
                let first = FirstLayer::new(deep, above);
                let xi = vec![0.3; 5 * units];
                let given = Conditional::new(&first, &coupling, &xi).unwrap();
                bare = bare.max(largest_eigenvalue(&finite_hessian(&first, w), w.len()));
                coupled = coupled.max(largest_eigenvalue(&finite_hessian(&given, w), w.len()));
            }
            assert!(bare > 0.02, "{activation:?}: nothing to couple, {bare}");
            assert!(coupled < 1e-7, "{activation:?} {widths:?}: {bare} {coupled}");
        }
    }
}

/// A posterior small enough to be integrated.
struct Small {
    widths: [u32; 4],
    activation: Activation,
    signs: Signs,
    x: Vec<f64>,
    y: Vec<f64>,
}

impl Small {
    fn all() -> Vec<Self> {
        let x = vec![-1.0, -0.4, 0.3, 0.8, 1.0];
        let of = |widths, activation, signs, y: [f64; 5]| Self {
            widths,
            activation,
            signs,
            x: x.clone(),
            y: y.to_vec(),
        };
        let (up, alternating) = (Signs::Positive, Signs::Alternating);
        let rise = [-0.9, -0.5, 0.2, 0.9, 0.7];
        vec![
            of([1, 1, 0, 0], Activation::Tanh, up, rise),
            of([2, 1, 0, 0], Activation::Tanh, up, rise),
            of([2, 1, 0, 0], Activation::Softplus, up, [0.3, 0.9, 1.6, 1.9, 2.3]),
            of([1, 2, 0, 0], Activation::Sine, alternating, rise),
            of([1, 1, 1, 0], Activation::Arctan, up, rise),
        ]
    }

    fn posterior(&self) -> DeepPosterior<'_, f64> {
        let data = Dataset::new(Inputs::row_major(&self.x, 5, 1).unwrap(), &self.y).unwrap();
        let Self { widths, activation, signs, .. } = *self;
        let deep = Deep { data, activation, widths, outer: 1.6, beta: 2.0, signs };
        DeepPosterior::new(deep, Prior::l1_ball(1.0).unwrap()).unwrap()
    }

    /// The outputs at two points and their squares, the weights and their squares.
    fn functionals(&self, deep: &Deep<'_, f64>, w: &[f64]) -> Vec<f64> {
        let f = [-0.6, 0.9].map(|x| output(deep, w, &[x]));
        let all = || f.iter().chain(w).copied();
        all().chain(all().map(|v| v * v)).collect()
    }

    /// The log evidence relative to the prior, and the expectations: a tensor grid over the rows, each
    /// with a rule of its own on the interval or the square.
    fn exact(&self, order: usize) -> (f64, Vec<f64>) {
        let posterior = self.posterior();
        let deep = posterior.likelihood();
        let mut rules = Vec::new();
        for layer in deep.architecture().layers() {
            let x = vec![1.0; layer.inputs];
            let inputs = Inputs::row_major(&x, 1, layer.inputs).unwrap();
            let rule = prior_rule(posterior.prior(), &inputs, order, false);
            rules.extend((0..layer.units).map(|_| rule.clone()));
        }
        let mut sums = Vec::new();
        let mut mass = 0.0;
        let mut w = Vec::new();
        fn walk(
            rules: &[Vec<(Vec<f64>, f64)>],
            weight: f64,
            w: &mut Vec<f64>,
            f: &mut dyn FnMut(&[f64], f64),
        ) {
            let Some((first, rest)) = rules.split_first() else { return f(w, weight) };
            for (row, p) in first {
                let before = w.len();
                w.extend(row);
                walk(rest, weight * p, w, f);
                w.truncate(before);
            }
        }
        walk(&rules, 1.0, &mut w, &mut |w, p| {
            let p = p * log_likelihood(deep, w).exp();
            let values = self.functionals(deep, w);
            sums.resize(values.len(), 0.0);
            mass += p;
            sums.iter_mut().zip(values).for_each(|(s, v)| *s += p * v);
        });
        sums.iter_mut().for_each(|s| *s /= mass);
        (mass.ln(), sums)
    }
}

/// Every expectation within 5 standard errors of replicates, and their root mean square near 1.
fn compare(what: &str, replicates: &[Vec<f64>], exact: &[f64], all: &mut Vec<f64>) {
    for (e, exact) in exact.iter().enumerate() {
        let values: Vec<f64> = replicates.iter().map(|r| r[e]).collect();
        let (mean, error) = mean_and_error(&values);
        let z = (mean - exact) / error;
        assert!(z.abs() < 5.0, "{what} expectation {e}: {mean} against {exact}, z = {z}");
        assert!(error < 0.04, "{what} expectation {e}: error {error}");
        all.push(z);
    }
}

fn near_one(what: &str, z: &[f64]) {
    let rms = (z.iter().map(|z| z * z).sum::<f64>() / z.len() as f64).sqrt();
    let worst = z.iter().fold(0.0_f64, |most, z| most.max(z.abs()));
    println!("{what}: rms z {rms:.3} over {}, largest {worst:.2}", z.len());
    // Those of one posterior hang together: as of some 15 that do not, four sds of that.
    assert!((0.4..1.75).contains(&rms), "{what}: {rms}");
}

/// w of a draw g.
fn weights(posterior: &DeepPosterior<'_, f64>, g: impl Fn(usize) -> f64) -> Vec<f64> {
    let g: Vec<[f64; 1]> = (0..posterior.dim()).map(|j| [g(j)]).collect();
    let mut w = vec![[0.0]; posterior.likelihood().dim()];
    let mut maps = vec![[0.0]; posterior.map_scratch()];
    assert!(posterior.to_weights(Isa::detect(), &g, &mut w, &mut maps));
    w.as_flattened().to_vec()
}

fn gibbs() -> SamplerOptions<f64> {
    SamplerOptions { method: Method::CoupledGibbs.into(), ..Default::default() }
}

/// With few transitions and with many, and by other kernels of the layers.
#[test]
fn gibbs_over_layers_has_the_exact_expectations() {
    let (chains, draws) = (runs(32, 50), runs(800, 2000));
    let mut z = Vec::new();
    for (k, small) in Small::all().iter().enumerate() {
        let (_, exact) = small.exact(10);
        let posterior = small.posterior();
        let problem = Posterior::deep(posterior).unwrap();
        let options = SamplerOptions {
            chains,
            warmup: 100,
            draws,
            stored: draws,
            inner: 1 + 3 * (k as u32 % 2),
            coupling: [Sides::OneSided, Sides::TwoSided][k / 2 % 2].into(),
            inner_method: [Method::SplitHmc, Method::Hmc][k / 3].into(),
            seed: 50 + k as u64,
            ..gibbs()
        };
        sample(&options, &problem, |sampler| {
            let columns: Vec<_> =
                (0..problem.dim()).map(|j| sampler.draws(Column::Weight(j)).unwrap()).collect();
            let density = sampler.draws(Column::LogDensity).unwrap();
            let mut scratch = vec![[0.0]; posterior.scratch()];
            let mut replicates = Vec::new();
            let mut acceptance = 0.0;
            for chain in 0..chains as usize {
                let mut sums = vec![0.0; exact.len()];
                for t in 0..draws as usize {
                    let w = weights(&posterior, |j| columns[j].at(chain, t));
                    let values = small.functionals(posterior.likelihood(), &w);
                    sums.iter_mut().zip(values).for_each(|(s, v)| *s += v / f64::from(draws));
                }
                replicates.push(sums);
                acceptance += sampler.moments(chain, Column::Acceptance).unwrap().mean;
                // What is recorded beside a draw is its own.
                let g: Vec<[f64; 1]> = columns.iter().map(|c| [c.at(chain, 7)]).collect();
                let mut gradient = vec![[0.0]; g.len()];
                let isa = Isa::detect();
                let [value] = posterior.value_and_gradient(isa, &g, &mut gradient, &mut scratch);
                let [prior] = problem.prior().log_density_on(isa, g.len(), &g);
                let own = value + prior;
                assert!((density.at(chain, 7) - own).abs() < 1e-12);
                assert!(sampler.step_size(chain).unwrap() > 0.0);
            }
            assert!(acceptance > 0.6 * f64::from(chains), "{acceptance}");
            let each = small.widths.iter().take_while(|w| **w > 0).count() as u64;
            let made = u64::from((100 + draws) * options.inner) * each * 5;
            assert_eq!(sampler.evaluations(), made + u64::from(100 + draws) + 1);
            let name = format!("{:?} {:?}", small.widths, small.activation);
            compare(&name, &replicates, &exact, &mut z);
        });
    }
    near_one("Gibbs over layers", &z);
}

/// What chooses for itself, and f of its draws by both ways to it.
#[test]
fn the_choice_has_the_exact_expectations() {
    let small = &Small::all()[2];
    let (_, exact) = small.exact(10);
    let posterior = small.posterior();
    let problem = Posterior::deep(posterior).unwrap();
    let x = [-0.6, 0.9];
    let inputs = Inputs::row_major(&x, 2, 1).unwrap();
    let (mut replicates, mut z) = (Vec::new(), Vec::new());
    for seed in 0..24 {
        let options = AutoOptions { chains: 8, draws: 500, seed, ..Default::default() };
        let mut memory = Aligned::new(Auto::<f64>::size(&options, &problem).unwrap());
        let mut auto = Auto::init(memory.bytes(), &options, Isa::detect(), &problem).unwrap();
        assert_eq!(auto.step(&problem, u64::MAX), Ok(Chosen::Done));
        assert_ne!(auto.report().verdict, Verdict::Unreliable);
        let shape = auto.recorded().unwrap();
        let (record, of) = (auto.record(), Drawn::of(problem.likelihood()).unwrap());
        let mut sums = vec![0.0; exact.len()];
        let mut work = vec![[f64::NAN]; posterior.function_scratch()];
        let rows = record.chunks_exact(shape.columns * shape.chains);
        let count = (rows.len() * shape.chains) as f64;
        for (row, chain) in rows.flat_map(|row| (0..shape.chains).map(move |c| (row, c))) {
            let g = |j: usize| row[j * shape.chains + chain];
            let w = weights(&posterior, g);
            let values = small.functionals(posterior.likelihood(), &w);
            for (i, f) in values.iter().take(2).enumerate() {
                let own = posterior.function(&inputs, i, g, &mut work);
                assert!((own - f).abs() < 1e-14, "{own} {f}");
            }
            sums.iter_mut().zip(values).for_each(|(s, v)| *s += v / count);
        }
        if seed == 0 {
            predicts(&of, &mut auto, &inputs, &sums);
        }
        replicates.push(sums);
    }
    // Of one case the expectations go together: no root mean square of theirs is near 1.
    compare("auto", &replicates, &exact, &mut z);
    println!("auto: {z:.2?}");
}

/// The image of the draws predicts the mean of f, and noise of the sd beta^(-1/2).
fn predicts(of: &Drawn<'_, f64>, auto: &mut Auto<'_, f64>, inputs: &Inputs<'_, f64>, mean: &[f64]) {
    let shape = auto.recorded().unwrap();
    let draws = auto.record().len() / (shape.columns * shape.chains);
    let [work, draw, units] = of.scratch();
    let mut work = vec![[f64::NAN]; work];
    let [mut draw, mut units] = [draw, units].map(|len| vec![f64::NAN; len]);
    let mut bytes = vec![0; of.image_size(draws * shape.chains).unwrap()];
    let mut store = of.store(&mut bytes, &mut units).unwrap();
    for row in auto.record().chunks_exact(shape.columns * shape.chains) {
        for chain in 0..shape.chains {
            of.draw(|j| row[j * shape.chains + chain], &mut work, &mut draw).unwrap();
            store.push(&draw).unwrap();
        }
    }
    let image = Image::open(store.seal().unwrap()).unwrap();
    let mut buffer = vec![0.0; NetworkPredictor::<f64>::buffer_len(&image)];
    let predictor = NetworkPredictor::new(Isa::detect(), image, &mut buffer).unwrap();
    let mut scratch = vec![0.0; predictor.rows_scratch()];
    let mut rows = 0;
    predictor
        .for_each_row(inputs, &mut scratch, |i, law| {
            let squares = mean[mean.len() / 2 + i];
            let sd = (0.5 + squares - mean[i] * mean[i]).sqrt();
            let own = law.prediction(0.9);
            assert!((own.mean - mean[i]).abs() < 1e-10, "{} {}", own.mean, mean[i]);
            assert!((own.sd - sd).abs() < 1e-10, "{} {sd}", own.sd);
            rows += 1;
        })
        .unwrap();
    assert_eq!(rows, 2);
}

/// Particles have its expectations and its evidence.
#[test]
fn sequential_monte_carlo_has_the_exact_expectations() {
    let mut z = Vec::new();
    for small in Small::all().iter().step_by(2) {
        let (log_evidence, exact) = small.exact(10);
        let posterior = small.posterior();
        let deep = posterior.likelihood();
        let dim = posterior.dim();
        let problem = Posterior::deep(posterior).unwrap();
        let (mut replicates, mut logs) = (Vec::new(), Vec::new());
        for seed in 0..24 {
            let options =
                SmcOptions::<f64> { seed: 1 + seed, particles: 512, ..Default::default() };
            let mut memory = Aligned::new(Smc::size(&options, &problem).unwrap());
            let mut smc = Smc::init(memory.bytes(), &options, Isa::detect(), &problem).unwrap();
            smc.step(&problem, u64::MAX).unwrap();
            let columns: Vec<&[f64]> =
                (0..dim).map(|j| smc.column(Column::Weight(j)).unwrap()).collect();
            let mut sums = vec![0.0; exact.len()];
            for i in 0..512 {
                let g: Vec<[f64; 1]> = columns.iter().map(|c| [c[i]]).collect();
                let mut w = vec![[0.0]; deep.dim()];
                let mut maps = vec![[0.0]; posterior.map_scratch()];
                assert!(posterior.to_weights(Isa::detect(), &g, &mut w, &mut maps));
                let values = small.functionals(deep, w.as_flattened());
                sums.iter_mut().zip(values).for_each(|(s, v)| *s += v / 512.0);
            }
            replicates.push(sums);
            logs.push(smc.evidence().unwrap().log);
        }
        compare(&format!("SMC {:?}", small.widths), &replicates, &exact, &mut z);
        let (mean, error) = mean_and_error(&logs);
        let room = 0.02 + 4.0 * error;
        assert!((mean - log_evidence).abs() < room, "{mean} {error} against {log_evidence}");
    }
    near_one("SMC", &z);
}

/// The grid has converged.
#[test]
fn the_quadrature_is_exact() {
    for small in Small::all() {
        let ((log, exact), (coarse, rough)) = (small.exact(10), small.exact(8));
        assert!((log - coarse).abs() < 1e-5, "{log} {coarse}");
        assert!(exact.iter().zip(&rough).all(|(a, b)| (a - b).abs() < 1e-5));
    }
}

/// Nor of the lanes asked for, the memory's content or the budget; and chains may run apart.
#[test]
fn gibbs_is_a_function_of_seed_and_chain() {
    let small = &Small::all()[1];
    let problem = Posterior::deep(small.posterior()).unwrap();
    let of = |seed, first_chain, chains, lanes, fill, budget| {
        let options = SamplerOptions {
            warmup: 5,
            draws: 15,
            stored: 15,
            inner: 2,
            seed,
            first_chain,
            chains,
            lanes,
            ..gibbs()
        };
        let mut memory = Aligned::new(Sampler::size(&options, &problem).unwrap());
        memory.bytes().fill(fill);
        let isa = Isa::detect();
        let mut sampler = Sampler::init(memory.bytes(), &options, isa, &problem).unwrap();
        assert_eq!(sampler.options().lanes, 1);
        while sampler.step(&problem, budget).unwrap() == Progress::Running {}
        let columns: Vec<_> =
            (0..problem.dim()).map(|j| sampler.draws(Column::Weight(j)).unwrap()).collect();
        let last = |c: usize| columns.iter().map(|all| all.at(c, 14)).collect::<Vec<_>>();
        (0..chains as usize).map(last).collect::<Vec<_>>()
    };
    let all = of(1, 0, 3, 1, 0, u64::MAX);
    // NaN in every number.
    assert_eq!(all, of(1, 0, 3, 1, 0xFF, 1));
    assert_eq!(all, of(1, 0, 3, usual_lanes(), 0, 100));
    assert_eq!(all[2..], of(1, 2, 1, 1, 0, u64::MAX));
    assert!(all[0] != all[1] && all[0] != of(2, 0, 1, 1, 0, u64::MAX)[0]);
}

#[test]
fn what_is_refused() {
    let problem = Problem::new(1, 4, 2);
    let ball = Prior::l1_ball(1.0).unwrap();
    let sound = deep(problem.data(), [2, 1, 0, 0], Activation::Tanh);
    let of = |deep| DeepPosterior::new(deep, ball).map(|_| ());
    assert_eq!(of(sound), Ok(()));
    assert_eq!(of(Deep { widths: [0, 1, 0, 0], ..sound }), Err(ProblemError::Neurons));
    assert_eq!(of(Deep { widths: [u32::MAX; 4], ..sound }), Err(ProblemError::Neurons));
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(of(Deep { outer: bad, ..sound }), Err(ProblemError::Outer));
        assert_eq!(of(Deep { beta: bad, ..sound }), Err(ProblemError::Beta));
        let refused =
            rho::below((bad, 1.0), Activation::Tanh, 1.0, &problem.y, |_| 1.0, &mut [0.0; 4]);
        assert_eq!(refused, Err(RhoError::Scale));
    }
    let below = |activation, rho: &mut [f64]| {
        rho::below((1.0, 1.0), activation, 1.0, &problem.y, |_| 1.0, rho)
    };
    assert_eq!(below(Activation::Tanh, &mut [0.0; 3]), Err(RhoError::Shape));
    assert_eq!(below(Activation::Relu, &mut [0.0; 4]), Err(RhoError::Kink));
    let refused = |deep, prior, options: SamplerOptions<f64>| {
        let problem = Posterior::deep(DeepPosterior::new(deep, prior).unwrap()).unwrap();
        Sampler::size(&options, &problem).err()
    };
    use SamplerError as E;
    let (plain, gaussian) = (gibbs(), Prior::gaussian(1.0).unwrap());
    assert_eq!(refused(sound, ball, plain), None);
    let relu = Deep { activation: Activation::Relu, ..sound };
    assert_eq!(refused(relu, ball, plain), Some(E::Kink));
    assert_eq!(refused(sound, gaussian, plain), Some(E::NoCoupling));
    // Which others take.
    let hmc = SamplerOptions { method: Method::SplitHmc.into(), ..plain };
    assert_eq!((refused(relu, ball, hmc), refused(sound, gaussian, hmc)), (None, None));
    for method in Method::ALL {
        let own = SamplerOptions { method: method.into(), ..plain };
        let why = match method {
            Method::CoupledGibbs => None,
            _ if method.is_coupled() => Some(E::NoCoupling),
            _ if method.needs_ball() => Some(E::NeedsBall),
            _ => None,
        };
        assert_eq!(refused(sound, ball, own), why, "{method:?}");
    }
    let inner = SamplerOptions { inner_method: Method::HitAndRun.into(), ..plain };
    assert_eq!(refused(sound, ball, inner), Some(E::NeedsBall));
    let reduced = SamplerOptions { reduced: true.into(), ..plain };
    assert_eq!(refused(sound, ball, reduced), Some(E::Reduced));
    let fitted = SamplerOptions { reference: Reference::Gaussian.into(), ..plain };
    assert_eq!(refused(sound, ball, fitted), Some(E::Reference));
    let ones = [1.0; 4];
    let data = problem.data().weighted(&ones).unwrap();
    let weighted = DeepPosterior::new(Deep { data, ..sound }, ball).unwrap();
    assert_eq!(Posterior::deep(weighted).err(), Some(ProblemError::Weights));
    let holes = Deep { widths: [2, 0, 1, 0], ..sound };
    let holes = DeepPosterior::new(holes, ball).unwrap();
    assert_eq!(Posterior::deep(holes).err(), Some(ProblemError::Layers));
    // Every part of a posterior tells it from others.
    let of = |deep, prior| {
        Posterior::deep(DeepPosterior::new(deep, prior).unwrap()).unwrap().fingerprint()
    };
    let others = [
        of(Deep { widths: [2, 2, 0, 0], ..sound }, ball),
        of(Deep { beta: 0.9, ..sound }, ball),
        of(Deep { outer: 1.8, ..sound }, ball),
        of(Deep { signs: Signs::Positive, ..sound }, ball),
        of(relu, ball),
        of(sound, Prior::l1_ball(1.1).unwrap()),
        of(sound, gaussian),
    ];
    assert!(!others.contains(&of(sound, ball)));
    let posterior = DeepPosterior::new(sound, ball).unwrap();
    let g = vec![[0.1]; posterior.dim()];
    let mut gradient = vec![[7.0]; posterior.dim()];
    let mut scratch = vec![[0.0]; posterior.scratch() - 1];
    let [value] = posterior.value_and_gradient(Isa::detect(), &g, &mut gradient, &mut scratch);
    assert!(value.is_nan());
    assert!(gradient.iter().all(|g| g[0] == 7.0));
}
