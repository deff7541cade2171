//! Identities of the coupling: both dimensions, derivatives, draws, bits, refusals.

use lcc_core::activation::Activation;
use lcc_core::coupling::rho::{self, Range};
use lcc_core::coupling::{
    Channel, Conditional, Coupling, CouplingError, Sides, Triangular, factor_len, hessian,
    log_scale, score, to_signal_scale,
};
use lcc_core::data::{Dataset, Inputs};
use lcc_core::density::Extent;
use lcc_core::likelihood::{GreedyTilt, Joint, Likelihood, Signs};
use lcc_core::prior::Prior;
use lcc_core::random::{Purpose, Stream, normals};
use lcc_core::simd::{AnyLanes, Isa, Lanes, Portable};
use lcc_tests::numeric::{blocks1, broadcast, close, factorise, flat1, forward, normal, streams};
use lcc_tests::problem::{Problem, at};
use lcc_tests::quadrature::{moments, prior_rule};

#[test]
fn both_couplings_give_one_conditional_law() {
    // Value differences and gradients, greedy and joint with two classes, full and deficient rank.
    for (n, d, neurons) in [(9, 4, 1), (3, 5, 1), (9, 3, 3), (2, 4, 2)] {
        let problem = Problem::new(n as u64, n, d);
        let signs = Signs::Alternating;
        let classes = if neurons > 1 { 2 } else { 1 };
        let mut stream = Stream::new(8, n as u64, Purpose::Start);
        let rho: Vec<f64> = (0..n * classes)
            .map(|k| if k % 4 == 3 { 0.0 } else { normal(&mut stream).abs() })
            .collect();
        let coupling = Coupling::joint(problem.inputs(), &rho, neurons, signs).unwrap();
        assert_eq!(coupling.classes(), classes);
        let mut memory = Vec::new();
        let triangular = factorise(&coupling, &mut memory);
        // R'R = X' diag(rho) X.
        for class in 0..classes {
            for j in 0..d {
                for k in 0..d {
                    let q: f64 = (0..n)
                        .map(|i| rho[class * n + i] * problem.x[i * d + j] * problem.x[i * d + k])
                        .sum();
                    assert!((triangular.q(class, j, k) - q).abs() < 1e-13 * (1.0 + q.abs()));
                }
            }
        }
        let xi: Vec<f64> = (0..n * neurons).map(|_| normal(&mut stream)).collect();
        // Neuron by neuron: R'v = X'S xi. v is laid out as d rows of M.
        let mut v = vec![0.0; d * neurons];
        let triangle = factor_len(d, 1).unwrap();
        for m in 0..neurons {
            let t: Vec<f64> = (0..d)
                .map(|j| {
                    (0..n)
                        .map(|i| {
                            coupling.rho(i, m).sqrt() * problem.x[i * d + j] * xi[i * neurons + m]
                        })
                        .sum()
                })
                .collect();
            let class = if classes == 2 { m % 2 } else { 0 };
            let own = forward(&triangular.factor()[class * triangle..], d, &t);
            for j in 0..d {
                v[j * neurons + m] = own[j];
            }
        }
        let (beta, outer, activation) = (0.5, 1.5, Activation::Tanh);
        let inner = Joint { data: problem.data(), activation, neurons, outer, beta, signs };
        let a = Conditional::new(&inner, &coupling, &xi).unwrap();
        let b = Conditional::new(&inner, &triangular, &v).unwrap();
        assert_eq!((a.dim(), a.rows(), b.rows()), (d * neurons, 2 * n, n));
        let points = problem.points(Prior::gaussian(1.0).unwrap(), neurons, 6);
        let (first_a, _) = at(&a, &points[0]);
        let (first_b, _) = at(&b, &points[0]);
        for w in &points {
            let ((va, ga), (vb, gb)) = (at(&a, w), at(&b, w));
            close(&[va - first_a], &[vb - first_b], 1e-11, "values");
            close(&ga, &gb, 1e-11, "gradients");
            // The definition, expanded.
            let (inner_value, _) = at(&inner, w);
            let mut value = inner_value;
            for i in 0..n {
                for m in 0..neurons {
                    let u: f64 = (0..d).map(|j| problem.x[i * d + j] * w[m * d + j]).sum();
                    let rho = coupling.rho(i, m);
                    let xi = xi[i * neurons + m];
                    value += rho.sqrt() * xi * u - 0.5 * rho * u * u - 0.5 * xi * xi;
                }
            }
            close(&[va], &[value], 1e-12, "expanded");
            // Its gradient.
            for k in 0..w.len() {
                let mut moved = w.clone();
                moved[k] += 1e-5;
                let (up, _) = at(&a, &moved);
                moved[k] -= 2e-5;
                let (down, _) = at(&a, &moved);
                close(&[(up - down) / 2e-5], &[ga[k]], 1e-7, "slope");
            }
        }
    }
}

#[test]
fn score_and_hessian_in_d_dimensions_are_derivatives() {
    let problem = Problem::new(6, 4, 2);
    let (activation, alpha) = (Activation::Erf, 0.9);
    let tilt = GreedyTilt::new(problem.data(), alpha, activation);
    let prior = Prior::l1_ball(2.0).unwrap();
    let mut rho = vec![0.0; 4];
    let range = Range::reachable(activation, prior, problem.inputs());
    rho::greedy(Sides::OneSided, alpha, &problem.y, range, &mut rho).unwrap();
    let coupling = Coupling::greedy(problem.inputs(), &rho).unwrap();
    let mut memory = Vec::new();
    let channel = factorise(&coupling, &mut memory);
    let rule = prior_rule(prior, &problem.inputs(), 20, false);
    let point = |v: &[f64]| {
        let flat = broadcast(v);
        moments(&Conditional::new(&tilt, &channel, &flat).unwrap(), &rule)
    };
    let score_at = |v: &[f64]| {
        let mut out = vec![[0.0]; 2];
        score(Isa::detect(), &channel, &blocks1(v), &blocks1(&point(v).mean), &mut out).unwrap();
        flat1(&out)
    };
    let v = [0.7, -1.1];
    let mut h = [0.0; 4];
    hessian(&channel, &point(&v).covariance, &mut h, &mut [0.0; 2]).unwrap();
    let own = score_at(&v);
    for k in 0..2 {
        let (mut up, mut down) = (v, v);
        up[k] += 1e-4;
        down[k] -= 1e-4;
        let slope = (point(&up).log_integral - point(&down).log_integral) / 2e-4;
        close(&[own[k]], &[slope], 1e-7, "score");
        let (a, b) = (score_at(&up), score_at(&down));
        for l in 0..2 {
            close(&[h[k * 2 + l]], &[(a[l] - b[l]) / 2e-4], 1e-7, "Hessian");
        }
    }
}

#[test]
fn draws_have_their_moments() {
    // t = R' xi given w is N(Q w, Q), neuron by neuron, and xi of the n-dimensional coupling has
    // mean sqrt(rho) x.w and variance 1.
    let (n, d, neurons) = (6, 3, 2);
    let problem = Problem::new(21, n, d);
    let rho: Vec<f64> = (0..2 * n).map(|k| 0.3 * (k % 5) as f64).collect();
    let coupling = Coupling::joint(problem.inputs(), &rho, neurons, Signs::Alternating).unwrap();
    let mut memory = Vec::new();
    let channel = factorise(&coupling, &mut memory);
    let w: Vec<f64> = problem.points(Prior::gaussian(1.0).unwrap(), neurons, 1).remove(0);
    let blocks: Vec<[f64; 8]> = w.iter().map(|w| [*w; 8]).collect();
    let mut streams = streams::<8>(4);
    let mut v = vec![[0.0; 8]; channel.len()];
    let mut xi = vec![[0.0; 8]; coupling.len()];
    let repeats = 25_000;
    let count = (8 * repeats) as f64;
    let signal: Vec<f64> = (0..n * neurons)
        .map(|k| {
            let (i, m) = (k / neurons, k % neurons);
            let u: f64 = (0..d).map(|j| problem.x[i * d + j] * w[m * d + j]).sum();
            coupling.rho(i, m).sqrt() * u
        })
        .collect();
    let q = |m: usize, j: usize, k: usize| channel.q(m % 2, j, k);
    let triangle = factor_len(d, 1).unwrap();
    let size = d * neurons;
    let (mut sums, mut squares) = (vec![0.0; size], vec![0.0; size * size]);
    let (mut xi_sums, mut xi_squares) = (vec![0.0; n * neurons], vec![0.0; n * neurons]);
    for _ in 0..repeats {
        channel.draw(Isa::detect(), &mut streams, &blocks, &mut v).unwrap();
        coupling.draw(Isa::detect(), &mut streams, &blocks, &mut xi).unwrap();
        for lane in 0..8 {
            let mut t = vec![0.0; size];
            for m in 0..neurons {
                let r = &channel.factor()[(m % 2) * triangle..];
                let mut row = 0;
                for i in 0..d {
                    for k in i..d {
                        t[m * d + k] += r[row] * v[i * neurons + m][lane];
                        row += 1;
                    }
                }
                for j in 0..d {
                    t[m * d + j] -= (0..d).map(|k| q(m, j, k) * w[m * d + k]).sum::<f64>();
                }
            }
            for j in 0..size {
                sums[j] += t[j];
                for k in 0..size {
                    squares[j * size + k] += t[j] * t[k];
                }
            }
            for k in 0..n * neurons {
                let z = xi[k][lane] - signal[k];
                xi_sums[k] += z;
                xi_squares[k] += z * z;
            }
        }
    }
    for j in 0..size {
        let (mj, jj) = (j / d, j % d);
        let var = q(mj, jj, jj);
        let z = sums[j] / (var * count).sqrt();
        assert!(z.abs() < 4.5, "mean of t_{j}: z = {z}");
        for k in 0..size {
            let (mk, kk) = (k / d, k % d);
            let exact = if mj == mk { q(mj, jj, kk) } else { 0.0 };
            // Var(t_j t_k) = Q_jj Q_kk + Q_jk^2.
            let se = ((var * q(mk, kk, kk) + exact * exact) / count).sqrt();
            let z = (squares[j * size + k] / count - exact) / se;
            assert!(z.abs() < 4.5, "covariance of t_{j}, t_{k}: z = {z}");
        }
    }
    for k in 0..n * neurons {
        let z = xi_sums[k] / count.sqrt();
        assert!(z.abs() < 4.5, "mean of xi_{k}: z = {z}");
        let z = (xi_squares[k] / count - 1.0) / (2.0 / count).sqrt();
        assert!(z.abs() < 4.5, "variance of xi_{k}: z = {z}");
    }
}

#[test]
fn the_order_of_draws_is_one_normal_a_block() {
    let problem = Problem::new(2, 5, 3);
    let rho = [0.4, 0.0, 1.0, 2.0, 0.1];
    let coupling = Coupling::greedy(problem.inputs(), &rho).unwrap();
    let mut own = streams::<8>(9);
    let mut same = own;
    let mut xi = vec![[0.0; 8]; 5];
    coupling.draw(Isa::detect(), &mut own, &[[0.0; 8]; 3], &mut xi).unwrap();
    let mut z = vec![[0.0; 8]; 5];
    normals(Portable, &mut same, &mut z);
    assert_eq!(xi, z);
    assert_eq!(own, same);
}

#[test]
fn lanes_instruction_sets_and_layouts_give_the_same_bits() {
    fn check<T: AnyLanes>() {
        let (n, d, neurons) = (7, 3, 2);
        let problem = Problem::new(31, n, d);
        let x: Vec<T> = problem.x.iter().map(|x| T::lit(*x)).collect();
        let columns: Vec<T> = (0..n * d).map(|k| T::lit(problem.x[(k % n) * d + k / n])).collect();
        let y: Vec<T> = problem.y.iter().map(|y| T::lit(*y)).collect();
        let rho: Vec<T> = (0..2 * n).map(|k| T::lit(0.2 * (k % 6) as f64)).collect();
        let signs = Signs::Alternating;
        let row_major = Inputs::row_major(&x, n, d).unwrap();
        let column_major = Inputs::new(&columns, n, d, 1, n).unwrap();
        let w: Vec<[T; 8]> = (0..d * neurons)
            .map(|k| std::array::from_fn(|lane| T::lit(0.31 * k as f64 - 0.17 * lane as f64)))
            .collect();

        /// Draw, conditional and score for the lanes from `first` on.
        fn run<T: Lanes<N>, C: Channel<T>, const N: usize>(
            isa: Isa,
            channel: &C,
            inner: &impl Likelihood<T, N>,
            w: &[[T; 8]],
            first: usize,
        ) -> Vec<[T; N]> {
            let lanes = |x: &[T; 8]| -> [T; N] { std::array::from_fn(|k| x[first + k]) };
            let w: Vec<[T; N]> = w.iter().map(lanes).collect();
            let mut streams: [Stream; N] =
                std::array::from_fn(|k| Stream::new(1, (first + k) as u64, Purpose::Gibbs));
            let mut xi = vec![[T::ZERO; N]; channel.len()];
            channel.draw(isa, &mut streams, &w, &mut xi).unwrap();
            let conditional = Conditional::new(inner, channel, xi.as_flattened()).unwrap();
            let mut gradient = vec![[T::NAN; N]; w.len()];
            let mut scratch = vec![[T::NAN; N]; conditional.scratch()];
            let value = conditional.value_and_gradient(isa, &w, &mut gradient, &mut scratch);
            let mut out = vec![[T::NAN; N]; channel.len()];
            score(isa, channel, &xi, &gradient, &mut out).unwrap();
            assert!(value[0].is_finite());
            [xi, gradient, out, vec![value]].concat()
        }

        let mut all = Vec::new();
        for inputs in [row_major, column_major] {
            let data = Dataset::new(inputs, &y).unwrap();
            let (beta, outer) = (T::lit(0.6), T::lit(1.5));
            let activation = Activation::Tanh;
            let inner = Joint { data, activation, neurons, outer, beta, signs };
            let coupling = Coupling::joint(inputs, &rho, neurons, signs).unwrap();
            let mut factor = vec![T::NAN; factor_len(d, 2).unwrap()];
            let triangular =
                Triangular::factorise(&coupling, &mut factor, &mut vec![T::NAN; d]).unwrap();
            let a = run::<T, _, 8>(Isa::Portable, &coupling, &inner, &w, 0);
            let b = run::<T, _, 8>(Isa::Portable, &triangular, &inner, &w, 0);
            assert_eq!(a, run::<T, _, 8>(Isa::detect(), &coupling, &inner, &w, 0));
            assert_eq!(b, run::<T, _, 8>(Isa::detect(), &triangular, &inner, &w, 0));
            for first in 0..8 {
                let one = run::<T, _, 1>(Isa::detect(), &coupling, &inner, &w, first);
                assert!(one.iter().zip(&a).all(|(one, a)| one[0] == a[first]));
                let one = run::<T, _, 1>(Isa::detect(), &triangular, &inner, &w, first);
                assert!(one.iter().zip(&b).all(|(one, b)| one[0] == b[first]));
            }
            all.push((a, b));
        }
        assert_eq!(all[0], all[1]);
    }
    check::<f32>();
    check::<f64>();
}

#[test]
fn the_factor_is_accurate_in_single_precision() {
    // Columns of very different size and nearly collinear: normal equations in f32 would lose R_33.
    let (n, d) = (200, 3);
    let mut stream = Stream::new(12, 0, Purpose::Start);
    let mut x = Vec::new();
    for _ in 0..n {
        let (a, b, c) = (normal(&mut stream), normal(&mut stream), normal(&mut stream));
        x.extend([1e3 * a, a + 1e-3 * b, 1e-2 * a + 1e-6 * c]);
    }
    let narrow: Vec<f32> = x.iter().map(|x| *x as f32).collect();
    let wide: Vec<f64> = narrow.iter().map(|x| f64::from(*x)).collect();
    let rho = vec![1.0_f64; n];
    let rho32 = vec![1.0_f32; n];
    let a = Coupling::greedy(Inputs::row_major(&wide, n, d).unwrap(), &rho).unwrap();
    let b = Coupling::greedy(Inputs::row_major(&narrow, n, d).unwrap(), &rho32).unwrap();
    let (mut fa, mut fb) = ([0.0_f64; 6], [0.0_f32; 6]);
    Triangular::factorise(&a, &mut fa, &mut [0.0; 3]).unwrap();
    Triangular::factorise(&b, &mut fb, &mut [0.0; 3]).unwrap();
    // Each entry to a few hundred ulp of its column, and the pivots to two digits.
    let columns = [fa[0], fa[1].hypot(fa[3]), fa[2].hypot(fa[4]).hypot(fa[5])];
    for (k, column) in [0, 1, 2, 1, 2, 2].into_iter().enumerate() {
        let error = (fa[k] - f64::from(fb[k])).abs();
        assert!(error < 3e-5 * columns[column], "{k}: {} {}", fa[k], fb[k]);
    }
    for k in [0, 3, 5] {
        assert!((fa[k] - f64::from(fb[k])).abs() < 2e-2 * fa[k], "{k}: {} {}", fa[k], fb[k]);
    }
}

#[test]
fn wrong_shapes_and_values_are_refused() {
    let problem = Problem::new(1, 3, 2);
    let inputs = problem.inputs();
    let refused = |rho: &[f64]| Coupling::greedy(inputs, rho).err();
    assert_eq!(refused(&[1.0, 1.0]), Some(CouplingError::Shape));
    assert_eq!(refused(&[1.0, -1e-9, 1.0]), Some(CouplingError::Rho));
    assert_eq!(refused(&[1.0, f64::NAN, 1.0]), Some(CouplingError::Rho));
    assert_eq!(refused(&[1.0, f64::INFINITY, 1.0]), Some(CouplingError::Rho));
    let rho = [1.0, 0.0, 1.0];
    assert!(Coupling::joint(inputs, &rho, 0, Signs::Positive).is_err());
    assert!(Coupling::joint(inputs, &rho, usize::MAX, Signs::Positive).is_err());
    let coupling = Coupling::greedy(inputs, &rho).unwrap();
    let (mut two, mut three) = ([0.0; 2], [0.0; 3]);
    let short = Triangular::factorise(&coupling, &mut two, &mut [0.0; 2]);
    assert_eq!(short.err(), Some(CouplingError::Shape));
    let huge = [f64::MAX; 6];
    let wild = Coupling::greedy(Inputs::row_major(&huge, 3, 2).unwrap(), &[1e300; 3]).unwrap();
    let over = Triangular::factorise(&wild, &mut three, &mut [0.0; 2]);
    assert_eq!(over.err(), Some(CouplingError::Overflow));
    let mut xi = [[3.0]; 3];
    assert_eq!(to_signal_scale(&coupling, &mut xi), Err(CouplingError::Rho));
    assert_eq!(xi, [[3.0]; 3]);
    assert_eq!(log_scale(&coupling), f64::NEG_INFINITY);

    let tilt = GreedyTilt::new(problem.data(), 1.0, Activation::Tanh);
    assert!(Conditional::new(&tilt, &coupling, &[0.0; 2]).is_err());
    // Flat for one lane count, asked with another: NaN, nothing read beyond.
    let xi = [0.5; 3];
    let conditional = Conditional::new(&tilt, &coupling, &xi).unwrap();
    let mut gradient = [[7.0; 8]; 2];
    let mut scratch = vec![[0.0; 8]; conditional.scratch()];
    let value =
        conditional.value_and_gradient(Isa::detect(), &[[0.1; 8]; 2], &mut gradient, &mut scratch);
    assert!(value[0].is_nan());
    assert_eq!(gradient, [[7.0; 8]; 2]);
    let mut streams = streams::<1>(1);
    let w = [[0.1]; 2];
    let drawn = coupling.draw(Isa::detect(), &mut streams, &w, &mut [[0.0]; 2]);
    assert_eq!(drawn, Err(CouplingError::Shape));
    let scored = score(Isa::detect(), &coupling, &[[0.0]; 3], &w[..1], &mut [[0.0]; 3]);
    assert_eq!(scored, Err(CouplingError::Shape));
    assert!(hessian(&coupling, &[0.0; 3], &mut [0.0; 9], &mut [0.0; 2]).is_err());
}
