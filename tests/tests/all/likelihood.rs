//! The kernels against plain loops, in every layout, lane count and instruction set.

use lcc_core::activation::Activation;
use lcc_core::data::{Dataset, Inputs};
use lcc_core::density::Extent;
use lcc_core::likelihood::{
    GreedyTilt, Joint, Likelihood, Network, NetworkShape, Precision, Signs,
};
use lcc_core::simd::{AnyLanes, Isa, Lanes};

/// Numbers in [-1, 1): a linear congruential generator (Knuth's MMIX).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
    /// Exact in both precisions.
    fn list<T: AnyLanes>(&mut self, k: usize) -> Vec<T> {
        (0..k).map(|_| T::lit(self.next() as f32 as f64)).collect()
    }
}

/// Both instruction sets; only one where the machine has no other.
fn isas() -> Vec<Isa> {
    let best = Isa::detect();
    if best.name() == "portable" { vec![best] } else { vec![Isa::Portable, best] }
}

/// The layouts of the same rows: buffer, row stride, column stride.
fn layouts<T: AnyLanes>(rows: &[T], n: usize, d: usize) -> Vec<(Vec<T>, usize, usize)> {
    let put = |len: usize, rs: usize, cs: usize| {
        let mut x = vec![T::lit(9e9); len];
        for i in 0..n {
            for j in 0..d {
                x[i * rs + j * cs] = rows[i * d + j];
            }
        }
        (x, rs, cs)
    };
    vec![
        put(n * d, d, 1),
        put(n * d, 1, n),
        put(n * (d + 3), d + 3, 1),
        put(n * d * 2, 2 * d, 2),
        put(d * (n + 2), 1, n + 2),
    ]
}

/// One problem: its plain value, gradient and (for the network) residuals in f64, and the kernel.
trait Twin<T: AnyLanes> {
    fn dim(&self) -> usize;
    /// Value, gradient, and the sum of the absolute terms of each, which scales its rounding.
    fn plain(&self, w: &[f64]) -> (f64, Vec<f64>, f64, Vec<f64>);
    /// Value then gradient (then residuals) of each lane.
    fn kernel<const N: usize>(&self, isa: Isa, w: &[[T; N]], layout: usize) -> Vec<[T; N]>
    where
        T: Lanes<N>;
}

/// psi, psi', psi'' at a number of the test's own: through libm, not through the kernels.
fn psi(activation: Activation, z: f64) -> (f64, f64) {
    let sigma = |z: f64| 1.0 / (1.0 + (-z).exp());
    let phi = |z: f64| (-0.5 * z * z).exp() / std::f64::consts::TAU.sqrt();
    let cdf = |z: f64| 0.5 * libm::erfc(-z / std::f64::consts::SQRT_2);
    match activation {
        Activation::Tanh => (z.tanh(), z.cosh().powi(-2)),
        Activation::Logistic => (sigma(z), sigma(z) * sigma(-z)),
        Activation::Softplus => (z.max(0.0) + (-z.abs()).exp().ln_1p(), sigma(z)),
        Activation::SquaredRelu => (0.5 * z.max(0.0).powi(2), z.max(0.0)),
        Activation::Erf => (libm::erf(z), std::f64::consts::FRAC_2_SQRT_PI * (-z * z).exp()),
        Activation::Sine => (z.sin(), z.cos()),
        Activation::GaussianBump => ((-0.5 * z * z).exp(), -z * (-0.5 * z * z).exp()),
        Activation::Gelu => (z * cdf(z), cdf(z) + z * phi(z)),
        Activation::Silu => (z * sigma(z), sigma(z) * (1.0 + z * sigma(-z))),
        Activation::Arctan => (z.atan(), 1.0 / (1.0 + z * z)),
        Activation::Relu => (z.max(0.0), f64::from(z > 0.0)),
    }
}

struct Problem<T> {
    n: usize,
    d: usize,
    x: Vec<f64>,
    y: Vec<f64>,
    y_t: Vec<T>,
    layouts: Vec<(Vec<T>, usize, usize)>,
    activation: Activation,
}

impl<T: AnyLanes> Problem<T> {
    fn new(seed: u64, n: usize, d: usize, activation: Activation) -> Self {
        let mut numbers = Numbers(seed);
        let x_t: Vec<T> = numbers.list(n * d);
        let y_t: Vec<T> = numbers.list(n);
        let f64s = |v: &[T]| v.iter().map(|v| v.to_f64()).collect::<Vec<_>>();
        Self { n, d, x: f64s(&x_t), y: f64s(&y_t), layouts: layouts(&x_t, n, d), y_t, activation }
    }
    fn data(&self, layout: usize) -> Dataset<'_, T> {
        let (x, rs, cs) = &self.layouts[layout];
        Dataset::new(Inputs::new(x, self.n, self.d, *rs, *cs).unwrap(), &self.y_t).unwrap()
    }
    fn row(&self, i: usize) -> &[f64] {
        &self.x[i * self.d..][..self.d]
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Runs an ordinary likelihood, with a dirty gradient and scratch.
fn ordinary<T: Lanes<N>, const N: usize>(
    likelihood: &dyn Likelihood<T, N>,
    isa: Isa,
    w: &[[T; N]],
) -> Vec<[T; N]> {
    let mut gradient = vec![[T::NAN; N]; likelihood.dim()];
    let mut scratch = vec![[T::NAN; N]; likelihood.scratch()];
    let value = likelihood.value_and_gradient(isa, w, &mut gradient, &mut scratch);
    gradient.insert(0, value);
    gradient
}

struct GreedyTwin<T>(Problem<T>);

const ALPHA: f64 = 0.75;

impl<T: AnyLanes> Twin<T> for GreedyTwin<T> {
    fn dim(&self) -> usize {
        self.0.d
    }
    fn plain(&self, w: &[f64]) -> (f64, Vec<f64>, f64, Vec<f64>) {
        let p = &self.0;
        let (mut value, mut size) = (0.0, 0.0);
        let (mut gradient, mut sizes) = (vec![0.0; p.d], vec![0.0; p.d]);
        for i in 0..p.n {
            let (v, s) = psi(p.activation, dot(p.row(i), w));
            value += ALPHA * p.y[i] * v;
            size += (ALPHA * p.y[i]).abs() * (v.abs() + s.abs());
            for j in 0..p.d {
                gradient[j] += ALPHA * p.y[i] * s * p.row(i)[j];
                sizes[j] += (ALPHA * p.y[i] * p.row(i)[j]).abs() * (1.0 + s.abs());
            }
        }
        (value, gradient, size, sizes)
    }
    fn kernel<const N: usize>(&self, isa: Isa, w: &[[T; N]], layout: usize) -> Vec<[T; N]>
    where
        T: Lanes<N>,
    {
        let tilt = GreedyTilt::new(self.0.data(layout), T::lit(ALPHA), self.0.activation);
        assert_eq!(tilt.rows(), self.0.n);
        ordinary(&tilt, isa, w)
    }
}

struct JointTwin<T>(Problem<T>, usize, Signs);

const BETA: f64 = 1.5;
const OUTER: f64 = 2.25;

impl<T: AnyLanes> Twin<T> for JointTwin<T> {
    fn dim(&self) -> usize {
        self.0.d * self.1
    }
    fn plain(&self, w: &[f64]) -> (f64, Vec<f64>, f64, Vec<f64>) {
        let Self(p, neurons, signs) = self;
        let v = |m: usize| {
            let negative = *signs == Signs::Alternating && m % 2 == 1;
            if negative { -OUTER / *neurons as f64 } else { OUTER / *neurons as f64 }
        };
        let (mut value, mut size) = (0.0, 0.0);
        let (mut gradient, mut sizes) = (vec![0.0; w.len()], vec![0.0; w.len()]);
        for i in 0..p.n {
            let jets: Vec<_> = w.chunks(p.d).map(|w| psi(p.activation, dot(p.row(i), w))).collect();
            let f: f64 = jets.iter().enumerate().map(|(m, jet)| v(m) * jet.0).sum();
            let r = p.y[i] - f;
            let spread = p.y[i].abs()
                + jets
                    .iter()
                    .enumerate()
                    .map(|(m, j)| (v(m) * (j.0.abs() + j.1.abs())).abs())
                    .sum::<f64>();
            value -= 0.5 * BETA * r * r;
            size += BETA * spread * spread;
            for m in 0..*neurons {
                for j in 0..p.d {
                    gradient[m * p.d + j] += BETA * r * v(m) * jets[m].1 * p.row(i)[j];
                    sizes[m * p.d + j] +=
                        (BETA * spread * v(m) * (1.0 + jets[m].1.abs()) * p.row(i)[j]).abs();
                }
            }
        }
        (value, gradient, size, sizes)
    }
    fn kernel<const N: usize>(&self, isa: Isa, w: &[[T; N]], layout: usize) -> Vec<[T; N]>
    where
        T: Lanes<N>,
    {
        let joint = Joint {
            data: self.0.data(layout),
            activation: self.0.activation,
            neurons: self.1,
            outer: T::lit(OUTER),
            beta: T::lit(BETA),
            signs: self.2,
        };
        assert_eq!(joint.rows(), self.0.n);
        ordinary(&joint, isa, w)
    }
}

/// The network; with or without weights lambda_i (the same in every lane here).
struct NetworkTwin<T>(Problem<T>, usize, Option<Vec<T>>);

impl<T: AnyLanes> Twin<T> for NetworkTwin<T> {
    fn dim(&self) -> usize {
        NetworkShape { inputs: self.0.d, neurons: self.1 }.dim()
    }
    fn plain(&self, theta: &[f64]) -> (f64, Vec<f64>, f64, Vec<f64>) {
        let Self(p, neurons, lambda) = self;
        let (d, m) = (p.d, *neurons);
        assert_eq!(theta.len(), m * d + 2 * m + 1 + d);
        let (w, b, v) = (&theta[..m * d], &theta[m * d..][..m], &theta[m * d + m..][..m]);
        let (b0, c) = (theta[m * d + 2 * m], &theta[m * d + 2 * m + 1..]);
        let (mut value, mut size) = (0.0, 0.0);
        let (mut g, mut sizes) = (vec![0.0; theta.len()], vec![0.0; theta.len()]);
        for i in 0..p.n {
            let x = p.row(i);
            let jets: Vec<_> =
                (0..m).map(|k| psi(p.activation, b[k] + dot(x, &w[k * d..][..d]))).collect();
            let f = b0 + dot(x, c) + (0..m).map(|k| v[k] * jets[k].0).sum::<f64>();
            let r = p.y[i] - f;
            let spread = p.y[i].abs()
                + b0.abs()
                + (0..d).map(|j| (x[j] * c[j]).abs()).sum::<f64>()
                + (0..m).map(|k| (v[k] * (jets[k].0.abs() + jets[k].1.abs())).abs()).sum::<f64>();
            let precision = BETA * lambda.as_ref().map_or(1.0, |l| l[i].to_f64());
            value -= 0.5 * precision * r * r;
            size += precision.abs() * spread * spread;
            let mut add = |k: usize, by: f64, by_size: f64| {
                g[k] += precision * r * by;
                sizes[k] += precision.abs() * spread * (by.abs() + by_size);
            };
            for k in 0..m {
                for j in 0..d {
                    add(k * d + j, v[k] * jets[k].1 * x[j], v[k].abs() * x[j].abs());
                }
                add(m * d + k, v[k] * jets[k].1, v[k].abs());
                add(m * d + m + k, jets[k].0, 1.0);
            }
            add(m * d + 2 * m, 1.0, 0.0);
            for j in 0..d {
                add(m * d + 2 * m + 1 + j, x[j], 0.0);
            }
        }
        (value, g, size, sizes)
    }
    fn kernel<const N: usize>(&self, isa: Isa, w: &[[T; N]], layout: usize) -> Vec<[T; N]>
    where
        T: Lanes<N>,
    {
        let Self(p, neurons, lambda) = self;
        let network = Network { data: p.data(layout), activation: p.activation, neurons: *neurons };
        let shape = network.shape();
        let lambda: Option<Vec<[T; N]>> =
            lambda.as_ref().map(|l| l.iter().map(|l| [*l; N]).collect());
        let precision = Precision { beta: [T::lit(BETA); N], weights: lambda.as_deref() };
        let mut gradient = vec![[T::NAN; N]; shape.dim()];
        let mut residuals = vec![[T::NAN; N]; p.n];
        let mut scratch = vec![[T::NAN; N]; shape.scratch()];
        let fit =
            network.evaluate(isa, w, &precision, &mut gradient, Some(&mut residuals), &mut scratch);
        // Predictions and residuals are the same numbers, with or without the rest.
        let mut f = vec![[T::NAN; N]; p.n];
        let data = p.data(layout);
        assert!(shape.predict(isa, p.activation, w, &data.inputs, &mut f, &mut scratch));
        for ((f, r), y) in f.iter().zip(&residuals).zip(&p.y_t) {
            for (f, r) in f.iter().zip(r) {
                assert_eq!(*y - *f, *r);
            }
        }
        let mut again = vec![[T::NAN; N]; shape.dim()];
        let bare = network.evaluate(isa, w, &precision, &mut again, None, &mut scratch);
        assert_eq!(again, gradient);
        assert_eq!(bare.weighted_squares, fit.weighted_squares);
        for (l, s) in fit.log_likelihood.iter().zip(fit.weighted_squares) {
            assert_eq!(*l, -T::HALF * T::lit(BETA) * s);
        }
        // Compensated: single precision rounds each term and the sum, and no more.
        let mut sums = [0.0; N];
        for (i, r) in residuals.iter().enumerate() {
            for (lane, (sum, r)) in sums.iter_mut().zip(r).enumerate() {
                let l = lambda.as_ref().map_or(1.0, |l| l[i][lane].to_f64());
                *sum += l * r.to_f64().powi(2);
            }
        }
        for (a, b) in sums.iter().zip(fit.weighted_squares) {
            let room = if T::BITS == 32 { 2.0 } else { p.n as f64 };
            assert!((a - b.to_f64()).abs() <= room * T::EPSILON.to_f64() * a.abs());
        }
        gradient.insert(0, fit.log_likelihood);
        gradient
    }
}

fn bits<T: AnyLanes>(v: &[T]) -> Vec<f64> {
    v.iter().map(|x| x.to_f64()).collect()
}

/// Lane by lane, all the numbers a kernel gave.
fn lanes<T: AnyLanes, const N: usize>(out: &[[T; N]]) -> Vec<Vec<f64>> {
    (0..N).map(|l| out.iter().map(|o| o[l].to_f64()).collect()).collect()
}

/// Eight chains: the same bits in every lane count, instruction set and layout; close to the plain
/// twin.
fn check<T: AnyLanes>(twin: &impl Twin<T>, what: &str) {
    let dim = twin.dim();
    let mut numbers = Numbers(77);
    let chains: Vec<Vec<T>> = (0..8).map(|_| numbers.list(dim)).collect();
    let block = |l: usize, k: usize| chains[l][k];
    let w8: Vec<[T; 8]> = (0..dim).map(|k| std::array::from_fn(|l| block(l, k))).collect();
    let golden = lanes(&twin.kernel(Isa::Portable, &w8, 0));
    for isa in isas() {
        for layout in 0..5 {
            assert_eq!(lanes(&twin.kernel(isa, &w8, layout)), golden, "{what} {isa:?} {layout}");
        }
        for l in 0..8 {
            let w1: Vec<[T; 1]> = (0..dim).map(|k| [block(l, k)]).collect();
            assert_eq!(lanes(&twin.kernel(isa, &w1, l % 5))[0], golden[l], "{what} {isa:?}");
        }
    }
    // A dot product of d terms and a sum of n: far more room than the errors take, far less than a
    // missing term.
    let room = 64.0 * T::EPSILON.to_f64();
    for (chain, golden) in chains.iter().zip(&golden) {
        let (value, gradient, size, sizes) = twin.plain(&bits(chain));
        assert!(
            (value - golden[0]).abs() <= room * size,
            "{what}: {value} against {}, room {}",
            golden[0],
            room * size
        );
        for ((a, b), size) in gradient.iter().zip(&golden[1..]).zip(sizes) {
            assert!((a - b).abs() <= room * size, "{what}: {a} against {b}, room {}", room * size);
        }
    }
}

fn check_both(n: usize, d: usize, activation: Activation) {
    let what = format!("n {n} d {d} {}", activation.name());
    let seed = (n * 100 + d) as u64;
    fn all<T: AnyLanes>(seed: u64, n: usize, d: usize, activation: Activation, what: &str) {
        let problem = || Problem::<T>::new(seed, n, d, activation);
        check(&GreedyTwin(problem()), &format!("greedy {what}"));
        let m = 1 + n % 4;
        check(&JointTwin(problem(), m, Signs::Alternating), &format!("joint {what}"));
        check(&JointTwin(problem(), m, Signs::Positive), &format!("joint {what}"));
        let lambda = Numbers(3).list::<T>(n).into_iter().map(|l| l + T::lit(1.5)).collect();
        check(&NetworkTwin(problem(), m, Some(lambda)), &format!("network {what}"));
        check(&NetworkTwin(problem(), m - 1, None), &format!("network {what}"));
    }
    all::<f32>(seed, n, d, activation, &what);
    all::<f64>(seed, n, d, activation, &what);
}

#[test]
fn every_number_of_rows() {
    for n in 1..=60 {
        check_both(n, 3, Activation::Tanh);
    }
    check_both(442, 5, Activation::SquaredRelu);
}

#[test]
fn every_number_of_columns() {
    for d in 1..=20 {
        check_both(19, d, Activation::Tanh);
    }
}

#[test]
fn every_activation() {
    for activation in Activation::ALL {
        check_both(23, 4, activation);
    }
}

/// Central differences of the kernel's own value.
fn differences(twin: &impl Twin<f64>, what: &str) {
    let mut numbers = Numbers(5);
    let w: Vec<[f64; 1]> = (0..twin.dim()).map(|_| [numbers.next()]).collect();
    let isa = Isa::detect();
    let gradient = twin.kernel(isa, &w, 0);
    let h = 1e-5;
    for k in 0..twin.dim() {
        let value = |step: f64| {
            let mut w = w.clone();
            w[k][0] += step;
            twin.kernel(isa, &w, 0)[0][0]
        };
        let slope = (value(h) - value(-h)) / (2.0 * h);
        let exact = gradient[k + 1][0];
        assert!((slope - exact).abs() < 2e-8 * (1.0 + exact.abs()), "{what}: {slope} {exact}");
    }
}

#[test]
fn gradients_are_differences() {
    for activation in Activation::ALL {
        let problem = || Problem::<f64>::new(9, 30, 3, activation);
        differences(&GreedyTwin(problem()), activation.name());
        differences(&JointTwin(problem(), 3, Signs::Alternating), activation.name());
        let lambda = (0..30).map(|i| 0.5 + i as f64 / 30.0).collect();
        differences(&NetworkTwin(problem(), 3, Some(lambda)), activation.name());
    }
}

/// Each lane has its own precision and weights.
#[test]
fn precision_is_by_lane() {
    let problem = Problem::<f64>::new(4, 13, 2, Activation::Tanh);
    let network = Network { data: problem.data(0), activation: problem.activation, neurons: 3 };
    let shape = network.shape();
    let mut numbers = Numbers(8);
    let chain: Vec<f64> = (0..shape.dim()).map(|_| numbers.next()).collect();
    let theta: Vec<[f64; 8]> = chain.iter().map(|x| [*x; 8]).collect();
    let lambda: Vec<[f64; 8]> =
        (0..13).map(|i| [1.0, 1.0, 2.0 + i as f64, 0.0, 1.0, 1.0, 1.0, 1.0]).collect();
    let precision =
        Precision { beta: [1.0, 2.0, 1.0, 5.0, 1.0, 1.0, 1.0, 4.0], weights: Some(&lambda) };
    let mut gradient = vec![[0.0; 8]; shape.dim()];
    let mut residuals = vec![[0.0; 8]; 13];
    let mut scratch = vec![[0.0; 8]; shape.scratch()];
    let isa = Isa::detect();
    let fit = network.evaluate(
        isa,
        &theta,
        &precision,
        &mut gradient,
        Some(&mut residuals),
        &mut scratch,
    );
    assert_eq!(fit.weighted_squares[0], fit.weighted_squares[1]);
    assert_eq!(2.0 * fit.log_likelihood[0], fit.log_likelihood[1]);
    assert_eq!(4.0 * fit.log_likelihood[0], fit.log_likelihood[7]);
    assert_eq!(fit.log_likelihood[3], 0.0);
    for (r, g) in residuals.iter().zip(&gradient) {
        assert!(r.iter().all(|x| *x == r[0]));
        assert_eq!(2.0 * g[0], g[1]);
        assert_eq!(g[3], 0.0);
    }
    // Lane 2 alone, its weights in the first lane.
    let lambda: Vec<[f64; 1]> = (0..13).map(|i| [2.0 + i as f64]).collect();
    let precision = Precision { beta: [1.0], weights: Some(&lambda) };
    let theta: Vec<[f64; 1]> = chain.iter().map(|x| [*x]).collect();
    let mut alone = vec![[0.0]; shape.dim()];
    let mut scratch = vec![[0.0]; shape.scratch()];
    let one = network.evaluate(isa, &theta, &precision, &mut alone, None, &mut scratch);
    assert_eq!(one.weighted_squares[0], fit.weighted_squares[2]);
    assert!(alone.iter().zip(&gradient).all(|(a, g)| a[0] == g[2]));
}

/// Too little room: NaN, and nothing written.
#[test]
fn short_buffers() {
    let problem = Problem::<f64>::new(4, 13, 2, Activation::Tanh);
    let isa = Isa::detect();
    let joint = Joint {
        data: problem.data(1),
        activation: problem.activation,
        neurons: 3,
        outer: 1.0,
        beta: 1.0,
        signs: Signs::Alternating,
    };
    let tilt = GreedyTilt::new(problem.data(1), 1.0, problem.activation);
    fn short(likelihood: &dyn Likelihood<f64, 8>, isa: Isa) {
        let (d, k) = (likelihood.dim(), likelihood.scratch());
        assert!(k > 0);
        for (w, g, s) in [(d - 1, d, k), (d, d - 1, k), (d, d, k - 1)] {
            let w = vec![[0.5; 8]; w];
            let mut gradient = vec![[7.0; 8]; g];
            let value =
                likelihood.value_and_gradient(isa, &w, &mut gradient, &mut vec![[7.0; 8]; s]);
            assert!(value.iter().all(|v| v.is_nan()));
            assert!(gradient.iter().all(|g| *g == [7.0; 8]));
        }
    }
    short(&joint, isa);
    short(&tilt, isa);

    let network = Network { data: problem.data(0), activation: problem.activation, neurons: 3 };
    let shape = network.shape();
    let (p, k) = (shape.dim(), shape.scratch());
    for (w, g, s, r, l) in [
        (p - 1, p, k, 13, 13),
        (p, p - 1, k, 13, 13),
        (p, p, k - 1, 13, 13),
        (p, p, k, 12, 13),
        (p, p, k, 13, 12),
    ] {
        let mut gradient = vec![[7.0; 8]; g];
        let mut residuals = vec![[7.0; 8]; r];
        let lambda = vec![[1.0; 8]; l];
        let fit = network.evaluate(
            isa,
            &vec![[0.5; 8]; w],
            &Precision { beta: [1.0; 8], weights: Some(&lambda) },
            &mut gradient,
            Some(&mut residuals),
            &mut vec![[7.0; 8]; s],
        );
        assert!(fit.log_likelihood.iter().all(|v| v.is_nan()));
        assert!(gradient.iter().chain(&residuals).all(|g| *g == [7.0; 8]));
    }
    let mut f = vec![[7.0; 8]; 12];
    let inputs = problem.data(0).inputs;
    let theta = vec![[0.5; 8]; p];
    let mut scratch = vec![[0.0; 8]; k];
    assert!(!shape.predict(isa, problem.activation, &theta, &inputs, &mut f, &mut scratch));
    assert!(f.iter().all(|f| *f == [7.0; 8]));
}

/// The named parts lie where the offsets say and cover the list.
#[test]
fn parts_of_the_parameters() {
    let shape = NetworkShape { inputs: 3, neurons: 2 };
    let mut flat: Vec<usize> = (0..shape.dim()).collect();
    let parts = shape.split(&flat).unwrap();
    assert_eq!(parts.weights, [0, 1, 2, 3, 4, 5]);
    assert_eq!(parts.biases, [shape.biases_at(), 7]);
    assert_eq!(parts.outer, [shape.outer_at(), 9]);
    assert_eq!(*parts.intercept, shape.intercept_at());
    assert_eq!(parts.linear, [shape.linear_at(), 12, 13]);
    assert_eq!(shape.dim(), 14);
    *shape.split_mut(&mut flat).unwrap().intercept = 100;
    assert_eq!(flat[10], 100);
    assert!(shape.split(&flat[..13]).is_none());
    let vast = NetworkShape { inputs: usize::MAX, neurons: 3 };
    assert_eq!(vast.dim(), usize::MAX);
    assert!(vast.split(&flat).is_none());
}
