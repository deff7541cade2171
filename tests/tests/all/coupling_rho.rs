//! rho: large enough, no larger than needed, and refused where there is none.

use lcc_core::activation::{Activation, Bounds};
use lcc_core::coupling::rho::{self, JointScale, Range};
use lcc_core::coupling::{Channel, Conditional, Coupling, RhoError, Sides};
use lcc_core::data::{Dataset, Inputs};
use lcc_core::likelihood::{GreedyTilt, Joint, Likelihood, Signs};
use lcc_core::prior::Prior;
use lcc_core::random::{Purpose, Stream};
use lcc_tests::numeric::{factorise, largest_eigenvalue, normal};
use lcc_tests::problem::{Problem, finite_hessian};

/// Those with a bound on their curvature.
fn bent() -> impl Iterator<Item = Activation> {
    Activation::ALL.into_iter().filter(|a| !a.has_kink())
}

const SIDES: [Sides; 2] = [Sides::TwoSided, Sides::OneSided];

/// The largest eigenvalue over the points, without the coupling and with it.
fn curvature<L: Likelihood<f64, 1>, C: Channel<f64>>(
    inner: &L,
    channel: &C,
    points: &[Vec<f64>],
) -> (f64, f64) {
    let mut stream = Stream::new(3, 0, Purpose::Gibbs);
    let xi: Vec<f64> = (0..channel.len()).map(|_| 2.0 * normal(&mut stream)).collect();
    let conditional = Conditional::new(inner, channel, &xi).unwrap();
    let mut largest = (f64::NEG_INFINITY, f64::NEG_INFINITY);
    for w in points {
        let bare = largest_eigenvalue(&finite_hessian(inner, w), w.len());
        let coupled = largest_eigenvalue(&finite_hessian(&conditional, w), w.len());
        largest = (largest.0.max(bare), largest.1.max(coupled));
    }
    largest
}

#[test]
fn the_greedy_conditional_is_log_concave() {
    for activation in bent() {
        for prior in [Prior::gaussian(1.5).unwrap(), Prior::l1_ball(1.0).unwrap()] {
            let problem = Problem::new(activation as u64, 5, 2);
            let (inputs, alpha) = (problem.inputs(), 0.8);
            let tilt = GreedyTilt::new(problem.data(), alpha, activation);
            let points = problem.points(prior, 1, 60);
            for sides in SIDES {
                let mut rho = vec![0.0; 5];
                let range = Range::reachable(activation, prior, inputs);
                rho::greedy(sides, alpha, &problem.y, range, &mut rho).unwrap();
                let coupling = Coupling::greedy(inputs, &rho).unwrap();
                let mut memory = Vec::new();
                let triangular = factorise(&coupling, &mut memory);
                let (bare, coupled) = curvature(&tilt, &coupling, &points);
                let (_, also) = curvature(&tilt, &triangular, &points);
                let what = format!("{activation:?} {prior:?} {sides:?}");
                assert!(bare > 0.05, "{what}: nothing to couple, {bare}");
                assert!(coupled < 1e-8 && also < 1e-8, "{what}: {coupled} {also}");
            }
        }
    }
}

#[test]
fn the_greedy_rho_is_the_least() {
    // One row, one column: the conditional's curvature must reach 0 within the reach, for either
    // sign of the residual (unless no help is needed).
    let prior = Prior::l1_ball(1.4).unwrap();
    let points: Vec<Vec<f64>> = (0..=2000).map(|k| vec![1.4 * (k as f64 / 1000.0 - 1.0)]).collect();
    for activation in bent() {
        for residual in [0.9, -0.9] {
            for alpha in [1.3, -1.3] {
                let y = [residual];
                let inputs = Inputs::row_major(&[1.0_f64], 1, 1).unwrap();
                let tilt = GreedyTilt::new(Dataset::new(inputs, &y).unwrap(), alpha, activation);
                let mut rho = [0.0];
                let range = Range::reachable(activation, prior, inputs);
                rho::greedy(Sides::OneSided, alpha, &y, range, &mut rho).unwrap();
                let coupling = Coupling::greedy(inputs, &rho).unwrap();
                let (bare, coupled) = curvature(&tilt, &coupling, &points);
                let what = format!("{activation:?} {residual} {alpha}: {bare} {coupled}");
                assert!(coupled < 1e-8, "{what}");
                if bare > 1e-6 {
                    assert!(coupled > -2e-3, "{what}");
                    assert!((rho[0] - bare).abs() < 2e-3, "{what}");
                } else {
                    assert_eq!(rho[0], 0.0, "{what}");
                }
            }
        }
    }
}

#[test]
fn the_joint_conditional_is_log_concave() {
    let mut helped = 0;
    for activation in bent() {
        for (neurons, signs) in
            [(1, Signs::Positive), (2, Signs::Positive), (3, Signs::Alternating)]
        {
            for prior in [Prior::gaussian(1.5).unwrap(), Prior::l1_ball(1.5).unwrap()] {
                let problem = Problem::new(40 + activation as u64, 4, 2);
                let (beta, outer) = (0.7, 2.0);
                let scale = JointScale { beta, outer, neurons, signs };
                let inner = Joint { data: problem.data(), activation, neurons, outer, beta, signs };
                let points = problem.points(prior, neurons, 60);
                let mut previous = [f64::INFINITY; 8];
                for sides in SIDES {
                    let what = format!("{activation:?} M = {neurons} {prior:?} {sides:?}");
                    let mut rho = vec![0.0; 4 * scale.classes(sides)];
                    let range = Range::reachable(activation, prior, problem.inputs());
                    match rho::joint(sides, &scale, &problem.y, range, &mut rho) {
                        Ok(()) => {}
                        Err(e) => {
                            assert_eq!(e, RhoError::Unbounded, "{what}");
                            assert!(matches!(prior, Prior::Gaussian { .. }), "{what}");
                            assert_eq!(activation.bounds::<f64>().value, f64::INFINITY, "{what}");
                            continue;
                        }
                    }
                    // One-sided is never larger.
                    for (k, rho) in rho.iter().enumerate() {
                        assert!(*rho <= previous[k % 4] * (1.0 + 1e-14), "{what}");
                    }
                    previous[..4].copy_from_slice(&rho[..4]);
                    let coupling = Coupling::joint(problem.inputs(), &rho, neurons, signs).unwrap();
                    let mut memory = Vec::new();
                    let triangular = factorise(&coupling, &mut memory);
                    let (bare, coupled) = curvature(&inner, &coupling, &points);
                    let (_, also) = curvature(&inner, &triangular, &points);
                    assert!(coupled < 1e-8 && also < 1e-8, "{what}: {bare} {coupled} {also}");
                    helped += (bare > 0.05) as usize;
                }
            }
        }
    }
    assert!(helped > 60, "{helped}");
}

#[test]
fn the_joint_rho_is_the_least_for_free_neighbours() {
    // Many neurons: all but the first can hold f at either end of its range, so the bound on the
    // first neuron's curvature is reached, up to the share of its own 1/M.
    let (neurons, beta, outer, radius) = (40, 1.0, 3.0, 2.0);
    let prior = Prior::l1_ball(radius).unwrap();
    let inputs = Inputs::row_major(&[1.0_f64], 1, 1).unwrap();
    for activation in [Activation::Tanh, Activation::Softplus, Activation::GaussianBump] {
        for (signs, y) in [(Signs::Positive, 0.4), (Signs::Alternating, -0.4)] {
            let scale = JointScale { beta, outer, neurons, signs };
            let mut rho = vec![0.0; scale.classes(Sides::OneSided)];
            let range = Range::reachable(activation, prior, inputs);
            rho::joint(Sides::OneSided, &scale, &[y], range, &mut rho).unwrap();
            let jet = |z: f64| activation.jet::<f64>(z);
            let grid: Vec<f64> = (0..=4000).map(|k| radius * (k as f64 / 2000.0 - 1.0)).collect();
            let low = grid.iter().map(|z| jet(*z)[0]).fold(f64::INFINITY, f64::min);
            let high = grid.iter().map(|z| jet(*z)[0]).fold(f64::NEG_INFINITY, f64::max);
            let ends: [f64; 2] = match signs {
                Signs::Positive => [outer * low, outer * high],
                Signs::Alternating => [outer * (low - high) / 2.0, outer * (high - low) / 2.0],
            };
            for (class, rho) in rho.iter().enumerate() {
                let s = if class == 1 { -1.0 } else { 1.0 };
                let mut sup: f64 = 0.0;
                for z in &grid {
                    for f in ends {
                        sup = sup.max(beta * outer / neurons as f64 * s * (y - f) * jet(*z)[2]);
                    }
                }
                assert!((sup - rho).abs() < 1e-4 * sup, "{activation:?} {signs:?}: {sup} {rho}");
            }
        }
    }
}

#[test]
fn what_has_no_coupling_says_so() {
    let problem = Problem::new(1, 3, 2);
    let range = |activation| move |_: usize| Range::<f64>::of(activation, f64::INFINITY);
    let of = |sides, activation, signs, beta| {
        let scale = JointScale { beta, outer: 2.0, neurons: 2, signs };
        let mut rho = vec![-1.0; 3 * scale.classes(sides)];
        rho::joint(sides, &scale, &problem.y, range(activation), &mut rho).map(|()| rho)
    };
    for activation in bent() {
        let bounded = activation.bounds::<f64>().value.is_finite();
        for signs in [Signs::Positive, Signs::Alternating] {
            let two = of(Sides::TwoSided, activation, signs, 1.0);
            let one = of(Sides::OneSided, activation, signs, 1.0);
            assert_eq!(two.is_ok(), bounded, "{activation:?}");
            // Convex, bounded below and all signs alike: only the bounded side of the residual asks.
            let convex = matches!(activation, Activation::Softplus | Activation::SquaredRelu);
            assert_eq!(
                one.is_ok(),
                bounded || (convex && signs == Signs::Positive),
                "{activation:?}"
            );
            for result in [two, one] {
                assert!(result.is_ok() || result == Err(RhoError::Unbounded));
            }
        }
    }
    for signs in [Signs::Positive, Signs::Alternating] {
        for sides in SIDES {
            assert_eq!(of(sides, Activation::Relu, signs, 1.0), Err(RhoError::Kink));
        }
    }
    for beta in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let refused = of(Sides::TwoSided, Activation::Tanh, Signs::Positive, beta);
        assert_eq!(refused, Err(RhoError::Scale));
    }
    let none = JointScale { beta: 1.0, outer: 1.0, neurons: 0, signs: Signs::Positive };
    let tanh = Activation::Tanh;
    assert_eq!(
        rho::joint(Sides::TwoSided, &none, &problem.y, range(tanh), &mut [0.0; 3]),
        Err(RhoError::Scale)
    );
    let scale = JointScale { neurons: 2, ..none };
    assert_eq!(
        rho::joint(Sides::TwoSided, &scale, &problem.y, range(tanh), &mut [0.0; 2]),
        Err(RhoError::Shape)
    );
    assert_eq!(
        rho::joint_constant(&scale, &problem.y, &Activation::Arctan.bounds()),
        Err(RhoError::NotUnit)
    );
    assert_eq!(
        rho::greedy(Sides::TwoSided, f64::INFINITY, &problem.y, range(tanh), &mut [0.0; 3]),
        Err(RhoError::Scale)
    );
    // Bounds of a kink: infinite on one side, harmless on the other.
    let kink = Bounds { plus: f64::INFINITY, minus: 0.0, slope: 1.0, value: f64::INFINITY };
    let bent = |_| Range { bounds: kink, low: 0.0, high: f64::INFINITY };
    let mut own = [f64::NAN];
    assert_eq!(rho::greedy(Sides::OneSided, 1.0, &[-2.0], bent, &mut own), Ok(()));
    assert_eq!(own, [0.0]);
    let refused = rho::greedy(Sides::OneSided, 1.0, &[2.0], bent, &mut own);
    assert_eq!(refused, Err(RhoError::Kink));
    // What is no residual needs no coupling, whatever the curvature.
    own = [f64::NAN];
    assert_eq!(rho::greedy(Sides::TwoSided, 1.0, &[0.0], bent, &mut own), Ok(()));
    assert_eq!(own, [0.0]);
}

#[test]
fn ranges_hold_the_activation() {
    for activation in Activation::ALL {
        for reach in [0.3, 1.0, 2.7, 9.0] {
            let range = Range::<f64>::of(activation, reach);
            let line = Range::<f64>::of(activation, f64::INFINITY);
            assert!(range.low >= line.low && range.high <= line.high, "{activation:?}");
            let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
            for k in -1000..=1000 {
                let [value, _, _] = activation.jet(reach * f64::from(k) / 1000.0);
                (low, high) = (low.min(value), high.max(value));
            }
            assert!(low >= range.low - 1e-15 && high <= range.high + 1e-15, "{activation:?}");
            assert!((high - range.high).abs() < 1e-5, "{activation:?}");
        }
    }
}
