//! The greedy likelihood with its square and with its sign summed out: value, gradient, coupling.

use lcc_core::activation::Activation;
use lcc_core::certificate::{
    CertificateError, Certificates, ProbeOptions, precision, precision_scratch, probe, probe_size,
};
use lcc_core::coupling::rho::{self, JointScale, Range};
use lcc_core::coupling::{Conditional, Coupling, RhoError, Sides};
use lcc_core::data::{Dataset, Inputs};
use lcc_core::density::Extent;
use lcc_core::likelihood::{GreedyTilt, Likelihood, Signs};
use lcc_core::prior::Prior;
use lcc_core::problem::{Problem as Posterior, ProblemError};
use lcc_core::sampler::{Method, Sampler, SamplerError, SamplerOptions};
use lcc_core::simd::Isa;
use lcc_tests::numeric::largest_eigenvalue;
use lcc_tests::problem::{Problem, at, finite_hessian};

const ALPHA: f64 = 0.7;
const SQUARE: f64 = 0.45;
const FORMS: [(f64, bool); 4] = [(0.0, false), (0.0, true), (SQUARE, false), (SQUARE, true)];

fn tilt(
    data: Dataset<'_, f64>,
    activation: Activation,
    (quadratic, signed): (f64, bool),
) -> GreedyTilt<'_, f64> {
    GreedyTilt { quadratic, signed, ..GreedyTilt::new(data, ALPHA, activation) }
}

/// The definition.
fn expected(problem: &Problem, activation: Activation, form: (f64, bool), w: &[f64]) -> f64 {
    let psi = |i: usize| {
        let u: f64 = (0..problem.d).map(|j| problem.x[i * problem.d + j] * w[j]).sum();
        let [psi, _, _] = activation.jet(u);
        psi
    };
    let linear: f64 = (0..problem.n).map(|i| ALPHA * problem.y[i] * psi(i)).sum();
    let square: f64 = (0..problem.n).map(|i| psi(i) * psi(i)).sum();
    let (quadratic, signed) = form;
    (if signed { linear.cosh().ln() } else { linear }) - quadratic / 2.0 * square
}

#[test]
fn values_are_the_definition_and_gradients_their_slopes() {
    for activation in Activation::ALL {
        // Rows that fill no last group.
        let problem = Problem::new(activation as u64, 13, 3);
        let points = problem.points(Prior::gaussian(1.2).unwrap(), 1, 6);
        for form in FORMS {
            let tilt = tilt(problem.data(), activation, form);
            for w in &points {
                let (value, gradient) = at(&tilt, w);
                let exact = expected(&problem, activation, form, w);
                assert!((value - exact).abs() < 1e-12 * exact.abs().max(1.0), "{form:?}");
                for (j, g) in gradient.iter().enumerate() {
                    let h = 1e-5;
                    let shifted = |by: f64| {
                        let mut w = w.clone();
                        w[j] += by;
                        expected(&problem, activation, form, &w)
                    };
                    let slope = (shifted(h) - shifted(-h)) / (2.0 * h);
                    assert!((g - slope).abs() < 1e-7 * (1.0 + g.abs()), "{form:?}: {g} {slope}");
                }
            }
        }
    }
}

#[test]
fn layout_lanes_and_instruction_set_change_no_bit() {
    let problem = Problem::new(5, 23, 3);
    let columns: Vec<f64> = (0..3)
        .flat_map(|j| (0..23).map(move |i| (i, j)))
        .map(|(i, j)| problem.x[i * 3 + j])
        .collect();
    let turned = Inputs::new(&columns, 23, 3, 1, 23).unwrap();
    let turned = Dataset::new(turned, &problem.y).unwrap();
    let points = problem.points(Prior::gaussian(1.0).unwrap(), 1, 8);
    for form in FORMS {
        let (own, other) =
            (tilt(problem.data(), Activation::Gelu, form), tilt(turned, Activation::Gelu, form));
        let straight: Vec<_> = points.iter().map(|w| at(&own, w)).collect();
        for (w, straight) in points.iter().zip(&straight) {
            assert_eq!(&at(&other, w), straight);
        }
        let w: Vec<[f64; 8]> = (0..3).map(|j| std::array::from_fn(|k| points[k][j])).collect();
        for isa in Isa::all() {
            for tilt in [&own, &other] {
                let mut gradient = vec![[0.0; 8]; 3];
                let mut scratch = vec![[0.0; 8]; tilt.scratch()];
                let value = tilt.value_and_gradient(isa, &w, &mut gradient, &mut scratch);
                for (k, (v, g)) in straight.iter().enumerate() {
                    assert_eq!(value[k], *v, "{form:?} {isa:?}");
                    assert!((0..3).all(|j| gradient[j][k] == g[j]), "{form:?} {isa:?}");
                }
            }
        }
    }
}

#[test]
fn short_scratch_gives_nan() {
    let problem = Problem::new(5, 7, 2);
    let tilt = tilt(problem.data(), Activation::Tanh, (SQUARE, true));
    let mut scratch = vec![[0.0]; tilt.scratch() - 1];
    let [value] =
        tilt.value_and_gradient(Isa::detect(), &[[0.1], [0.2]], &mut [[0.0]; 2], &mut scratch);
    assert!(value.is_nan());
}

#[test]
fn the_conditional_with_the_square_is_log_concave() {
    for activation in Activation::ALL.into_iter().filter(|a| !a.has_kink()) {
        for prior in [Prior::gaussian(1.5).unwrap(), Prior::l1_ball(1.0).unwrap()] {
            for sides in [Sides::TwoSided, Sides::OneSided] {
                let problem = Problem::new(30 + activation as u64, 5, 2);
                let likelihood = tilt(problem.data(), activation, (SQUARE, false));
                let posterior = Posterior::greedy_tilt(likelihood, prior).unwrap();
                let mut rho = vec![0.0; 5];
                let made = posterior.rho(sides, &mut rho);
                let bounded = activation.bounds_within::<f64>(prior.reach(1.0)).value.is_finite();
                if !bounded && (sides == Sides::TwoSided || activation != Activation::SquaredRelu) {
                    // SiLU, GELU and softplus bend both ways or without bound.
                    let convex = activation == Activation::Softplus && sides == Sides::OneSided;
                    assert!(convex || made == Err(RhoError::Unbounded), "{activation:?} {sides:?}");
                    if !convex {
                        continue;
                    }
                }
                made.unwrap();
                let coupling = Coupling::greedy(problem.inputs(), &rho).unwrap();
                let xi = vec![0.3; 5];
                let conditional = Conditional::new(&likelihood, &coupling, &xi).unwrap();
                let mut bare = f64::NEG_INFINITY;
                for w in problem.points(prior, 1, 60) {
                    bare = bare.max(largest_eigenvalue(&finite_hessian(&likelihood, &w), 2));
                    let most = largest_eigenvalue(&finite_hessian(&conditional, &w), 2);
                    assert!(most < 1e-8, "{activation:?} {prior:?} {sides:?}: {most}");
                }
                assert!(bare > 0.02, "{activation:?} {prior:?}: nothing to couple, {bare}");
            }
        }
    }
}

#[test]
fn rho_is_that_of_a_joint_posterior_of_one_neuron() {
    // (beta, lambda) = (2, .6): alpha = beta lambda, quadratic = beta lambda^2.
    let (beta, lambda) = (2.0, 0.6);
    let y = [1.3, -0.4, 0.0, -2.2];
    let scale = JointScale { beta, outer: lambda, neurons: 1, signs: Signs::Positive };
    for activation in Activation::ALL {
        for sides in [Sides::TwoSided, Sides::OneSided] {
            for reach in [1.5, f64::INFINITY] {
                let range = |_: usize| Range::of(activation, reach);
                let (mut own, mut joint) = ([0.0; 4], [0.0; 4]);
                let (alpha, quadratic) = (beta * lambda, beta * lambda * lambda);
                let made = rho::greedy_quadratic(sides, alpha, quadratic, &y, range, &mut own);
                assert_eq!(
                    made,
                    rho::joint(sides, &scale, &y, range, &mut joint),
                    "{activation:?}"
                );
                if made.is_ok() {
                    for (a, b) in own.iter().zip(&joint) {
                        assert!((a - b).abs() < 1e-14 * (1.0 + b), "{activation:?} {a} {b}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_sign_summed_out_is_refused_by_what_couples() {
    let problem = Problem::new(2, 6, 2);
    let prior = Prior::gaussian(1.0).unwrap();
    let signed = tilt(problem.data(), Activation::Tanh, (0.0, true));
    let posterior = Posterior::greedy_tilt(signed, prior).unwrap();
    assert_eq!(posterior.rho(Sides::OneSided, &mut [0.0; 6]), Err(RhoError::Signed));
    for method in [Method::CoupledGibbs, Method::XiLangevin, Method::ReverseDiffusion] {
        let options = SamplerOptions { method: method.into(), ..Default::default() };
        assert_eq!(Sampler::size(&options, &posterior), Err(SamplerError::Signed));
    }
    assert!(Sampler::size(&SamplerOptions::default(), &posterior).is_ok());
    let bad = GreedyTilt { quadratic: -1.0, ..signed };
    assert_eq!(Posterior::greedy_tilt(bad, prior).err(), Some(ProblemError::Quadratic));
    let bad = GreedyTilt { quadratic: f64::NAN, ..signed };
    assert_eq!(Posterior::greedy_tilt(bad, prior).err(), Some(ProblemError::Quadratic));
}

/// Whatever the form, the prior or the sign of the residuals; what samples w itself takes it.
#[test]
fn a_kink_is_refused_by_what_needs_curvature() {
    let problem = Problem::new(2, 6, 2);
    let (data, relu) = (problem.data(), Activation::Relu);
    for prior in [Prior::gaussian(1.0).unwrap(), Prior::l1_ball(1.0).unwrap()] {
        let greedy = Posterior::greedy(data, relu, prior, ALPHA).unwrap();
        let square = Posterior::greedy_tilt(tilt(data, relu, (SQUARE, false)), prior).unwrap();
        let joint = Posterior::joint(data, relu, prior, 2, 1.0, 1.0, Signs::Positive).unwrap();
        for posterior in [&greedy, &square, &joint] {
            assert!(posterior.has_kink());
            for sides in [Sides::OneSided, Sides::TwoSided] {
                assert_eq!(posterior.rho(sides, &mut [0.0; 6]), Err(RhoError::Kink));
            }
            for method in [Method::CoupledGibbs, Method::XiLangevin, Method::ReverseDiffusion] {
                let options = SamplerOptions { method: method.into(), ..Default::default() };
                assert_eq!(Sampler::size(&options, posterior), Err(SamplerError::Kink));
            }
            assert!(Sampler::size(&SamplerOptions::default(), posterior).is_ok());
        }
        let kink = CertificateError::Rho(RhoError::Kink);
        for posterior in [&greedy, &joint] {
            let mut scratch = vec![0.0; Certificates::scratch(posterior).unwrap()];
            assert_eq!(Certificates::of(posterior, &mut scratch), Err(kink));
            let options = ProbeOptions::default();
            let mut memory = vec![0_u128; probe_size(posterior, &options).unwrap().div_ceil(16)];
            let bytes = bytemuck::cast_slice_mut(&mut memory);
            let w = [0.1; 4];
            assert_eq!(probe(Isa::detect(), posterior, &options, &w, None, 0, bytes), Err(kink));
            let mut scratch = vec![0.0; precision_scratch(posterior.dim(), 2).unwrap()];
            let mut lower = [[0.0]; 10];
            let none = None::<&Coupling<'_, f64>>;
            assert_eq!(precision(posterior, none, &w, &mut lower, &mut scratch), Err(kink));
        }
    }
}

#[test]
fn propriety_counts_both_signs_and_not_the_square() {
    // One row, x = 1: proper for +psi below alpha r sd^2 = 1, and a negative residual always.
    let x = [1.0];
    let inputs = Inputs::row_major(&x, 1, 1).unwrap();
    let prior = Prior::gaussian(2.0).unwrap();
    let check = |r: f64, form| {
        let y = [r];
        let data = Dataset::new(inputs, &y).unwrap();
        let tilt = tilt(data, Activation::SquaredRelu, form);
        let posterior = Posterior::greedy_tilt(tilt, prior).unwrap();
        posterior.check_proper(&mut vec![0.0; posterior.proper_scratch().unwrap()])
    };
    let (little, much) = (0.3, 0.4);
    assert_eq!(check(little, (0.0, false)), Ok(()));
    assert_eq!(check(much, (0.0, false)), Err(ProblemError::Improper));
    assert_eq!(check(-much, (0.0, false)), Ok(()));
    assert_eq!(check(-little, (0.0, true)), Ok(()));
    assert_eq!(check(-much, (0.0, true)), Err(ProblemError::Improper));
    assert_eq!(check(much, (SQUARE, true)), Ok(()));
}

#[test]
fn problems_of_other_forms_are_told_apart() {
    let problem = Problem::new(2, 6, 2);
    let prior = Prior::gaussian(1.0).unwrap();
    let prints: Vec<u64> = FORMS
        .into_iter()
        .map(|form| tilt(problem.data(), Activation::Tanh, form))
        .map(|tilt| Posterior::greedy_tilt(tilt, prior).unwrap().fingerprint())
        .collect();
    let plain = Posterior::greedy(problem.data(), Activation::Tanh, prior, ALPHA).unwrap();
    assert_eq!(prints[0], plain.fingerprint());
    for (k, print) in prints.iter().enumerate() {
        assert!(!prints[..k].contains(print));
    }
}
