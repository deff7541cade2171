//! The reduced coupling: its eigen-decomposition, the positive part it must be, and the concavity that
//! it must leave.

use lcc_core::activation::Activation;
use lcc_core::coupling::{
    Conditional, Coupling, CouplingError, Sides, Triangular, factor_len, reduced_scratch,
};
use lcc_core::likelihood::Signs;
use lcc_core::linalg::orthogonalise_rows;
use lcc_core::prior::Prior;
use lcc_core::random::{Purpose, Stream};
use lcc_core::sampler::{Method, Sampler, SamplerError, SamplerOptions};
use lcc_core::scalar::Real;
use lcc_tests::numeric::{factorise, largest_eigenvalue, normal};
use lcc_tests::posteriors::{Case, Model, Numbers, greedy_cases};
use lcc_tests::problem::{Problem, at};

/// a'b for square matrices, row by row.
fn gram<T: Real>(a: &[T], d: usize) -> Vec<f64> {
    let entry = |i: usize, j: usize| {
        (0..d).map(|k| a[k * d + i].to_f64() * a[k * d + j].to_f64()).sum::<f64>()
    };
    (0..d * d).map(|k| entry(k / d, k % d)).collect()
}

/// Random rows of rank `rank`, column j scaled by 10^(-j/2), none above 1.
fn rows(d: usize, rank: usize, seed: u64) -> Vec<f64> {
    let mut stream = Stream::new(seed, d as u64, Purpose::Start);
    let mut out = vec![0.0; d * d];
    for k in 0..d * rank {
        out[k] = normal(&mut stream) / 5.0 * 10.0_f64.powf(-((k % d) as f64) / 2.0);
    }
    out
}

fn orthogonal<T: Real>(d: usize, rank: usize) {
    let start: Vec<T> = rows(d, rank, 3).iter().map(|x| T::lit(*x)).collect();
    let mut got = start.clone();
    assert!(orthogonalise_rows(&mut got, d));
    let epsilon = T::EPSILON.to_f64() * 8.0 * d as f64;
    let (before, after) = (gram(&start, d), gram(&got, d));
    for i in 0..d {
        for j in 0..d {
            let size = (before[i * d + i] * before[j * d + j]).sqrt();
            let miss = (before[i * d + j] - after[i * d + j]).abs();
            assert!(miss <= 4.0 * epsilon * size + epsilon * 1e-3, "{d}: R'R moved by {miss}");
        }
    }
    let dot = |i: usize, j: usize| {
        (0..d).map(|k| got[i * d + k].to_f64() * got[j * d + k].to_f64()).sum::<f64>()
    };
    let mut zero = 0;
    for i in 0..d {
        zero += (dot(i, i) < (epsilon * epsilon) * dot(0, 0).max(1.0)) as usize;
        for j in 0..i {
            let cosine = dot(i, j) / (dot(i, i) * dot(j, j)).sqrt();
            let tiny = dot(i, i).min(dot(j, j)) < T::MIN_POSITIVE.to_f64() / T::EPSILON.to_f64();
            assert!(tiny || cosine.abs() <= epsilon, "rows {i}, {j} of {d}: cosine {cosine}");
        }
    }
    assert!(zero >= d - rank, "rank {rank} of {d}: {zero} rows vanish");
}

#[test]
fn rows_are_made_orthogonal() {
    for (d, rank) in [(1, 1), (2, 2), (5, 5), (5, 3), (12, 12), (30, 30), (30, 7)] {
        orthogonal::<f64>(d, rank);
        orthogonal::<f32>(d, rank);
    }
    // Singular values known to the last digits: a rotation of diag(1, 1e-12) from the left.
    let (c, s) = (0.6_f64, 0.8_f64);
    let mut turned: [f64; 4] = [c, -s * 1e-12, s, c * 1e-12];
    assert!(orthogonalise_rows(&mut turned, 2));
    let mut norms = [turned[0].hypot(turned[1]), turned[2].hypot(turned[3])];
    norms.sort_by(f64::total_cmp);
    assert!((norms[0] / 1e-12 - 1.0).abs() < 1e-14 && (norms[1] - 1.0).abs() < 1e-15);
    assert!(!orthogonalise_rows(&mut [1.0, f64::NAN, 1.0, 2.0], 2));
    assert!(orthogonalise_rows::<f64>(&mut [], 0));
}

/// A matrix is the difference of two positive semidefinite ones with product zero in one way only.
#[test]
fn it_is_the_positive_part() {
    for (n, d, neurons, sd) in
        [(9, 4, 1, 0.4), (9, 4, 1, 10.0), (3, 5, 1, 1.0), (9, 3, 3, 0.5), (20, 6, 2, 0.2)]
    {
        let problem = Problem::new(n as u64, n, d);
        let classes = if neurons > 1 { 2 } else { 1 };
        let mut stream = Stream::new(8, n as u64, Purpose::Start);
        let rho: Vec<f64> = (0..n * classes)
            .map(|k| if k % 4 == 3 { 0.0 } else { normal(&mut stream).abs() })
            .collect();
        let coupling =
            Coupling::joint(problem.inputs(), &rho, neurons, Signs::Alternating).unwrap();
        let mut memory = Vec::new();
        let full = factorise(&coupling, &mut memory);
        let mut factor = vec![0.0; factor_len(d, classes).unwrap()];
        let mut scratch = vec![f64::NAN; reduced_scratch(d).unwrap()];
        let reduced =
            Triangular::factorise_reduced(&coupling, sd, &mut factor, &mut scratch).unwrap();
        for class in 0..classes {
            let matrix = |f: &dyn Fn(usize, usize) -> f64| -> Vec<f64> {
                (0..d * d).map(|k| f(k / d, k % d)).collect()
            };
            let part = matrix(&|i, j| reduced.q(class, i, j));
            let rest = matrix(&|i, j| {
                let own = if i == j { 1.0 / (sd * sd) } else { 0.0 };
                reduced.q(class, i, j) - full.q(class, i, j) + own
            });
            let size = part.iter().chain(&rest).fold(1.0, |m: f64, x| m.max(x.abs()));
            // Q' of the factor is positive semidefinite by its form; the rest must be.
            let negated: Vec<f64> = rest.iter().map(|x| -x).collect();
            assert!(largest_eigenvalue(&negated, d) < 1e-12 * size);
            for i in 0..d {
                for j in 0..d {
                    let product: f64 = (0..d).map(|k| part[i * d + k] * rest[k * d + j]).sum();
                    assert!(product.abs() < 1e-12 * size * size, "{product}");
                }
            }
        }
    }
}

/// The largest eigenvalue of the Hessian of log p(w) or log p(w | xi) at w, by differences of the
/// gradient.
fn curvature(gradient: impl Fn(&[f64]) -> Vec<f64>, w: &[f64], sd: f64) -> f64 {
    const STEP: f64 = 1e-5;
    let dim = w.len();
    let mut hessian = vec![0.0; dim * dim];
    for j in 0..dim {
        let moved = |by: f64| {
            let mut w = w.to_vec();
            w[j] += by;
            gradient(&w)
        };
        let (up, down) = (moved(STEP), moved(-STEP));
        for k in 0..dim {
            hessian[j * dim + k] += (up[k] - down[k]) / (4.0 * STEP);
            hessian[k * dim + j] += (up[k] - down[k]) / (4.0 * STEP);
        }
        hessian[j * dim + j] -= 1.0 / (sd * sd);
    }
    largest_eigenvalue(&hessian, dim)
}

/// Every reference posterior under a Gaussian prior, and a network of them.
fn gaussian_cases() -> Vec<(Case, f64)> {
    let mut cases: Vec<(Case, f64)> = [1, 2, 3]
        .into_iter()
        .flat_map(greedy_cases)
        .filter_map(|case| match case.prior {
            Prior::Gaussian { sd } => Some((case, sd)),
            Prior::L1Ball { .. } => None,
        })
        .collect();
    let (mut network, sd) = cases
        .iter()
        .find(|(case, _)| case.d == 2 && case.activation == Activation::Tanh)
        .cloned()
        .expect("tanh");
    network.model = Model::Joint(3, 4.0, 2.0, Signs::Alternating);
    cases.push((network, sd));
    cases
}

#[test]
fn the_conditional_law_is_log_concave() {
    let (mut needed, mut saved, mut count) = (0, 0, 0);
    for (case, sd) in gaussian_cases() {
        let numbers = Numbers::<f64>::new(&case);
        let problem = numbers.problem();
        let (d, neurons, n) = (problem.d(), problem.neurons(), case.y.len());
        for sides in [Sides::OneSided, Sides::TwoSided] {
            let mut rho = vec![0.0; n * problem.rho_classes(sides)];
            problem.rho(sides, &mut rho).unwrap();
            let coupling = problem.coupling(&rho).unwrap();
            let mut factor = vec![0.0; factor_len(d, coupling.classes()).unwrap()];
            let mut scratch = vec![0.0; reduced_scratch(d).unwrap()];
            let channel =
                Triangular::factorise_reduced(&coupling, sd, &mut factor, &mut scratch).unwrap();
            let xi = vec![0.3; d * neurons];
            let given = Conditional::new(problem.likelihood(), &channel, &xi).unwrap();
            let mut memory = Vec::new();
            let full = factorise(&coupling, &mut memory);
            let trace = |c: &Triangular<'_, f64>| (0..d).map(|j| c.q(0, j, j)).sum::<f64>();
            saved += (trace(&channel) < 0.9 * trace(&full)) as usize;
            let mut stream = Stream::new(5, 0, Purpose::Start);
            let mut alone = f64::NEG_INFINITY;
            for _ in 0..40 {
                let w: Vec<f64> =
                    (0..d * neurons).map(|_| 1.5 * sd * normal(&mut stream)).collect();
                let top = curvature(|w| at(&given, w).1, &w, sd);
                let tolerance = 1e-6 * (1.0 + trace(&full));
                assert!(top < tolerance, "{} {sides:?}: {top} at {w:?}", case.id);
                alone = alone.max(curvature(|w| at(problem.likelihood(), w).1, &w, sd));
            }
            needed += (alone > 1e-3) as usize;
            count += 1;
        }
    }
    println!("{count} couplings: {needed} needed, {saved} reduced by a tenth or more");
    assert!(needed > 10 && saved > 10);
}

#[test]
fn only_under_a_gaussian_prior() {
    let mut seen = [false; 2];
    for case in greedy_cases(2) {
        let numbers = Numbers::<f64>::new(&case);
        let problem = numbers.problem();
        for method in Method::ALL {
            let options = SamplerOptions::<f64> {
                method: method.into(),
                reduced: true.into(),
                ..SamplerOptions::default()
            };
            let gaussian = matches!(case.prior, Prior::Gaussian { .. });
            if method.needs_ball() && gaussian {
                continue;
            }
            let refused = method.is_coupled() && !gaussian;
            seen[refused as usize] = true;
            let size = Sampler::size(&options, &problem);
            assert_eq!(size.err(), refused.then_some(SamplerError::Reduced));
        }
    }
    assert_eq!(seen, [true; 2]);
    let problem = Problem::new(1, 3, 2);
    let coupling = Coupling::greedy(problem.inputs(), &[1.0; 3]).unwrap();
    for sd in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let made = Triangular::factorise_reduced(&coupling, sd, &mut [0.0; 3], &mut [0.0; 4]).err();
        assert_eq!(made, Some(CouplingError::Prior));
    }
    let short = Triangular::factorise_reduced(&coupling, 1.0, &mut [0.0; 3], &mut [0.0; 3]).err();
    assert_eq!(short, Some(CouplingError::Shape));
}
