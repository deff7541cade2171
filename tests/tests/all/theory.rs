//! The functions of the theory against closed forms, enumerations and limits.

use lcc_core::activation::Activation;
use lcc_core::network::Architecture;
use lcc_core::random::{Purpose, Stream};
use lcc_core::scalar::Real;
use lcc_core::theory::variation::{self, Layer, PathWeights};
use lcc_core::theory::{
    bounds, complexity, diffusion, regret, resolvability, spectral, subnetwork,
};
use lcc_tests::numeric::{close, normal};
use lcc_tests::{number, numbers, reference};
use serde_json::Value;

fn near(a: f64, b: f64, what: &str) {
    close(&[a], &[b], 1e-13, what);
}

#[test]
fn averages_of_m_neurons_reach_the_approximation_bound() {
    // f = 0 as the mean of +-V psi: the best average of M signs, M even, is exact; M odd leaves V^2/M^2.
    near(bounds::approximation(3.0, 9), 1.0, "V^2/M");
    // Maurey's argument is tight for orthogonal points: V e_j uniform on d axes has the mean V/d (1..1),
    // M draws are V^2 (1/M)(1 - 1/d) away in expectation, to V^2/M as d grows.
    let (v, m): (f64, usize) = (2.0, 5);
    for d in [10.0, 1e3, 1e6] {
        let expected = v * v / m as f64 * (1.0 - 1.0 / d);
        let bound = bounds::approximation(v, m);
        assert!(expected <= bound && bound - expected <= 1.01 * bound / d);
    }
    assert_eq!(bounds::neurons_for(3.0, 1.0), 9);
    assert_eq!(bounds::neurons_for(3.0, 0.99), 10);
    assert_eq!(bounds::neurons_for(0.1, 1.0), 1);
}

#[test]
fn the_risk_bound_and_its_inverse() {
    // d = 4: log 8; with L = 2 and N = 100.
    near(bounds::risk(1.5, 4, 2, 100), 1.5 * ((8.0_f64.ln() + 2.0) / 100.0).sqrt(), "risk");
    let n: f64 = bounds::observations_for(1.5, 4, 2, 0.05);
    let risk: f64 = bounds::risk(1.5, 4, 2, n.ceil() as usize);
    assert!((risk - 0.05).abs() < 1e-4, "{risk}");
}

/// Sums of approximation and cost against their least over a fine grid.
#[test]
fn sums_of_two_terms_are_least_where_they_say() {
    let (v, d, layers, n) = (2.5_f64, 6, 3, 4000);
    let sum = |m: usize| v * v / m as f64 + m as f64 * (12.0_f64.ln() + 3.0) / n as f64;
    let mut least = f64::INFINITY;
    for m in 1..400 {
        near(bounds::risk_of_neurons(v, m, d, layers, n), sum(m), "risk of M neurons");
        least = least.min(sum(m));
    }
    let risk: f64 = bounds::risk(v, d, layers, n);
    assert!(least >= 2.0 * risk && least < 2.0 * risk * 1.001, "{least} {risk}");
    // Over real M, what M neurons miss and log d nats each.
    let grid = |f: &dyn Fn(f64) -> f64| {
        (1..200_000).map(|k| f(k as f64 * 1e-3)).fold(f64::INFINITY, f64::min)
    };
    let exact = grid(&|m| v * v / m + m * 6.0_f64.ln() / n as f64);
    let bound: f64 = regret::of_variation(v, 6, n);
    assert!((exact - 2.0 * bound).abs() < 1e-6 * exact, "{exact} {bound}");
    // A cover's distance and its nats.
    let c: f64 = complexity::gaussian_complexity(v, d, layers);
    type Nats = fn(f64, f64) -> f64;
    type Least = fn(f64, usize) -> f64;
    let cases: [(Nats, Least); 2] = [
        (complexity::covering, complexity::least_by_cover),
        (complexity::covering_published, complexity::least_by_cover_published),
    ];
    let mut previous = 0.0;
    for (nats, least) in cases {
        let exact = grid(&|square| square + nats(c, square.sqrt()) / n as f64);
        let bound = least(c, n);
        assert!((exact - bound).abs() < 1e-5 * exact, "{exact} {bound}");
        assert!(bound > previous);
        previous = bound;
    }
    near(previous, 8.0 * c / (n as f64).sqrt(), "as printed");
    // Noise of precision beta: nats, of a mixture and of a code of twice as many.
    for (beta, code, bound) in [
        (0.7, 1.0, complexity::yang_barron(c, 0.7, n)),
        (2.0, 1.0, complexity::least_by_cover(c, n)),
        (0.7, 2.0, complexity::renyi(c, 0.7, n)),
    ] {
        let sum = |square: f64| {
            beta / 2.0 * square + code * complexity::covering(c, square.sqrt()) / n as f64
        };
        let exact = grid(&sum);
        assert!((exact - bound).abs() < 1e-5 * exact, "{exact} {bound}");
    }
    near(
        complexity::covering(c, 0.3),
        complexity::covering_network(v, d, layers, 0.3),
        "of networks",
    );
}

/// E max_j |g_j| of d normals: int_0^inf (1 - erf(t/sqrt 2)^d) dt.
fn largest_of_normals(d: i32) -> f64 {
    let h = 1e-3;
    (0..12_000).map(|k| 1.0 - libm::erf((k as f64 + 0.5) * h / 2.0_f64.sqrt()).powi(d)).sum::<f64>()
        * h
}

#[test]
fn gaussian_complexity_bounds_the_linear_class_and_is_sharp() {
    // |w|_1 <= V over x = the axes scaled to |x_ij| <= 1, N = 1 each: E sup = V E max |g_j|.
    let mut ratio = 0.0;
    for d in [1, 3, 10, 100, 10_000, 10_000_000] {
        let (exact, bound) =
            (largest_of_normals(d), complexity::gaussian_complexity(1.0, d as usize, 0));
        assert!(exact < bound, "d = {d}: {exact} against {bound}");
        assert!(exact / bound > ratio, "d = {d}");
        ratio = exact / bound;
    }
    assert!(ratio > 0.9, "{ratio}");
    // A layer more is a factor 2 inside the logarithm: as many as 2^L times the inputs.
    near(
        complexity::gaussian_complexity(2.0, 3, 4),
        complexity::gaussian_complexity(2.0, 3 * 16, 0),
        "layers",
    );
}

#[test]
fn covering_bounds_hold_where_covers_can_be_counted() {
    // The hull of +-V is an interval: ceil(V/e) balls of radius e.
    for distance in [0.9, 0.5, 0.21, 0.1, 0.01] {
        let exact = (1.0_f64 / distance).ceil().ln();
        assert!(exact <= complexity::covering_hull(1.0, 2, distance));
        assert!(exact <= complexity::covering_network(1.0, 1, 0, distance));
    }
    // The hull of +-V e_j in d dimensions: 2 d corners, further than e apart, need 2 d balls of radius
    // e < V/sqrt 2.
    for d in [2_usize, 10, 1000] {
        let exact = (2.0 * d as f64).ln();
        assert!(exact <= complexity::covering_hull(1.0, 2 * d, 0.7));
        assert!(exact <= complexity::covering_network(1.0, d, 0, 0.7));
    }
    // One draw is enough at distance V.
    near(complexity::covering_hull(2.0, 7, 2.0), 7.0_f64.ln(), "one draw");
    // 4 pi log 2 (V/e)^2 (log 2d + L log 2).
    let expected =
        4.0 * std::f64::consts::PI * 2.0_f64.ln() * 9.0 * (10.0_f64.ln() + 3.0 * 2.0_f64.ln());
    near(complexity::covering_network(1.5, 5, 3, 0.5), expected, "network");
}

#[test]
fn the_rate_bounds_an_ornstein_uhlenbeck_process() {
    // p = N(0, 1/k), k = rho/2: d xi = -(k/2) xi dt + dB from N(m, 1/k) has D(t) = (k/2) m^2 e^(-k t).
    let (rho, m) = (1.4, 2.0_f64);
    let k = rho / 2.0;
    let start = 0.5 * k * m * m;
    for t in [0.0, 0.3, 2.0, 10.0] {
        let exact = 0.5 * k * m * m * (-k * t).exp();
        near(diffusion::relative_entropy(start, rho, t), exact, "attained");
        // A start that differs in its variance falls faster.
        let v = |t: f64| 1.0 / k + (3.0 / k - 1.0 / k) * (-k * t).exp();
        let entropy = |t: f64| 0.5 * (k * v(t) - 1.0 - (k * v(t)).ln());
        assert!(entropy(t) <= diffusion::relative_entropy(entropy(0.0), rho, t) * (1.0 + 1e-12));
    }
    let scale = diffusion::time_scale(0.5, 3.0, 2.0, 6);
    near(scale, 4.0, "2 M/(beta c V)");
    // The same process with noise of variance 1, sqrt(rho) xi, has curvature k/rho in time rho t, whatever rho.
    let unit = diffusion::unit_time(rho, 3.0);
    near((-(k / rho) * unit).exp(), (-k * 3.0).exp(), "two scalings");
    near(diffusion::unit_time(2.0 / scale, scale), 2.0, "one e-fold");
    near(diffusion::time_for(std::f64::consts::E, 1.0, 2.0 / scale), scale, "one e-fold");
    near(diffusion::time_for(0.5, 1.0, 2.0), 0.0, "already there");
    near(diffusion::total_variation(8.0), 1.0, "at most 1");
    // N(m, 1) against N(0, 1): |P - Q| = erf(m/sqrt 8), below Pinsker's m/2.
    for m in [0.1_f64, 0.5, 1.0] {
        let exact = libm::erf(m / 8.0_f64.sqrt());
        let bound = diffusion::total_variation(0.5 * m * m);
        assert!(exact <= bound && bound < 1.4 * exact, "{m}");
    }
    // Noise that halves the signal: e^(2 tau) = 1 + 1/rho.
    near((2.0 * diffusion::reverse_start(0.25_f64)).exp(), 5.0, "tau*");
}

#[test]
fn losses_and_regret() {
    near(regret::squared_loss(&[1.0, 2.0, 3.0], &[0.0, 2.0, 5.0]), 5.0, "squares");
    near(regret::log_loss(&[-1.0, 0.25, -0.5]), 1.25, "logs");
    // Three errors of 2 under N(0, 4): each 1/2 + log(2 sqrt(2 pi)).
    let each = 0.5 + (2.0 * (2.0 * std::f64::consts::PI).sqrt()).ln();
    near(regret::gaussian_log_loss(12.0, 3), 3.0 * each, "noise in hindsight");
    near(regret::regret(7.5, 4.25), 3.25, "regret");
    // Laplace's rule on k ones of n, uniform prior on p: the mixture's loss is log((n + 1) C(n, k)), and
    // the bound holds for every interval about k/n.
    let (n, k) = (20.0, 6.0);
    let mixture = (n + 1.0_f64).ln() + libm::lgamma(n + 1.0)
        - libm::lgamma(k + 1.0)
        - libm::lgamma(n - k + 1.0);
    let loss = |p: f64| -k * p.ln() - (n - k) * (1.0 - p).ln();
    let best = loss(k / n);
    for width in [0.02, 0.1, 0.2] {
        let excess = loss(k / n + width).max(loss(k / n - width)) - best;
        let bound = regret::bayes_regret(2.0 * width, excess);
        assert!(regret::regret(mixture, best) <= bound, "{width}");
    }
    near(
        regret::mean_squared_regret(0.25, 0.5, 2.0, 10),
        (0.5 + 4.0_f64.ln()) / 10.0,
        "mean squared",
    );
}

#[test]
fn resolvability_is_the_least_sum() {
    let (distances, nats) = ([1.0, 0.4, 0.3, f64::NAN], [0.0, 10.0, 40.0, 1.0]);
    let (k, value) = resolvability::index(&distances, &nats, 1.0, 100).unwrap();
    assert_eq!(k, 1);
    near(value, 0.5, "index");
    assert_eq!(resolvability::index(&distances, &nats, 1.0, 10_000).unwrap().0, 2);
    assert_eq!(resolvability::index(&distances, &nats, 1.0, 10).unwrap().0, 0);
    assert!(resolvability::index::<f64>(&[], &[], 1.0, 10).is_none());
    // Against every M.
    for (v, nats, n) in [(3.0, 5.0, 1000), (0.2, 5.0, 50), (1.0, 0.5, 10_000), (7.0, 2.0, 30)] {
        for most in [1, 4, 500] {
            let bound = |m: usize| v * v / m as f64 + m as f64 * nats / (2.0 * n as f64);
            let (m, value) = resolvability::neurons(v, nats, 2.0, n, most).unwrap();
            let least = (1..=most).map(bound).fold(f64::INFINITY, f64::min);
            near(value, least, "least");
            near(bound(m), least, "its M");
            assert!(value >= 2.0 * v * (nats / (2.0 * n as f64)).sqrt() * (1.0 - 1e-12));
        }
    }
    assert!(resolvability::neurons(1.0, 1.0, 1.0, 10, 0).is_none());
    // m signed steps along d axes or none: (2 d + 1)^m sequences.
    near(resolvability::grid_nats(3, 4), 2401.0_f64.ln(), "grid");
    let mut models = [-1000.0, -1001.0, f64::NAN, -1000.0 + 3.0_f64.ln()];
    assert_eq!(resolvability::model_probabilities(&mut models), Some(3));
    let sum = 4.0 + (-1.0_f64).exp();
    close(&models, &[1.0 / sum, (-1.0_f64).exp() / sum, 0.0, 3.0 / sum], 1e-12, "models");
    assert_eq!(resolvability::model_probabilities(&mut [f64::NAN]), None);
}

#[test]
fn spectral_norms() {
    // 2 cos(3 x_1 - x_2) - cos(x_2/2): 2 * 4 + .5, of order 2: 2 * 16 + .25.
    let (a, w) = ([2.0, -1.0], [3.0, -1.0, 0.0, 0.5]);
    near(spectral::of_cosines(&a, &w, 2, 1), 8.5, "order 1");
    near(spectral::of_cosines(&a, &w, 2, 2), 32.25, "order 2");
    near(spectral::of_cosines(&a, &w, 2, 0), 3.0, "order 0");
    // The bump's by quadrature, d = 1: int |w| h phi(w h) dw.
    let width = 0.7;
    let h = 1e-3;
    let integral: f64 = (0..40_000)
        .map(|k| {
            let w = (k as f64 + 0.5) * h;
            2.0 * w * width * (-0.5 * (w * width).powi(2)).exp()
        })
        .sum::<f64>()
        * h
        / (2.0 * std::f64::consts::PI).sqrt();
    assert!((spectral::of_bump(1, width) - integral).abs() < 1e-6);
    near(spectral::of_bump(3, width), 3.0 * spectral::of_bump(1, width), "products");
    // The variation bounds that of a monotone function's steps: total variation of sin(a x) on [-1, 1],
    // a <= pi/2, is 2 sin a <= 2 C = 2 a, and equal to first order.
    for a in [0.01_f64, 0.5, 1.5] {
        let bound = spectral::variation_of_sigmoids(spectral::of_cosines(&[1.0], &[a], 1, 1));
        assert!(2.0 * a.sin() <= bound);
        assert!(a > 0.1 || bound - 2.0 * a.sin() < 1e-5);
    }
}

#[test]
fn variations_of_networks() {
    near(variation::outer(&[1.0, -2.0, 0.5]), 3.5, "outer");
    let inner = [1.0, -1.0, 0.5, 0.25, 0.0, 0.0];
    near(variation::single_layer(&[2.0, -4.0, 9.0], &inner, 2, 1), 7.0, "degree 1");
    near(variation::single_layer(&[2.0, -4.0, 9.0], &inner, 2, 2), 8.0 + 2.25, "degree 2");
}

#[test]
fn path_weights_are_those_of_all_paths() {
    let mut stream = Stream::new(2, 0, Purpose::Start);
    for widths in [vec![3, 1], vec![3, 4, 1], vec![2, 3, 4, 2], vec![2, 2, 2, 2, 3]] {
        let weights: Vec<Vec<f64>> = widths
            .windows(2)
            .map(|w| (0..w[0] * w[1]).map(|_| normal(&mut stream)).collect())
            .collect();
        let layers: Vec<Layer<'_, f64>> = weights
            .iter()
            .zip(&widths)
            .map(|(weights, inputs)| Layer { weights, inputs: *inputs })
            .collect();
        // Path by path, from each input.
        fn walk(layers: &[Layer<'_, f64>], unit: usize, product: f64) -> f64 {
            let Some((first, rest)) = layers.split_first() else { return product };
            first
                .weights
                .chunks(first.inputs)
                .enumerate()
                .map(|(k, row)| walk(rest, k, product * row[unit].abs()))
                .sum()
        }
        let each: Vec<f64> = (0..widths[0]).map(|j| walk(&layers, j, 1.0)).collect();
        let widest = *widths.iter().max().unwrap();
        let mut scratch = vec![f64::NAN; 2 * widest];
        let total = variation::paths(&layers, &mut scratch).unwrap();
        near(total, each.iter().sum(), "paths");
        close(&scratch[..widths[0]], &each, 1e-13, "of each input");
        assert!(variation::paths(&layers, &mut scratch[..1]).is_none());
    }
    // One hidden layer with one output is the variation of degree 1.
    let (inner, outer) = ([1.0, -2.0, 0.5, 0.25], [3.0, -1.0]);
    let layers = [Layer { weights: &inner, inputs: 2 }, Layer { weights: &outer, inputs: 2 }];
    let total = variation::paths(&layers, &mut [0.0; 4]).unwrap();
    near(total, variation::single_layer(&outer, &inner, 2, 1), "one layer");
    let wrong = [Layer { weights: &inner, inputs: 2 }, Layer { weights: &inner, inputs: 4 }];
    assert!(variation::paths(&wrong, &mut [0.0; 8]).is_none());
    let wrong = [Layer { weights: &inner, inputs: 4 }, Layer { weights: &outer, inputs: 2 }];
    assert!(variation::paths(&wrong, &mut [0.0; 8]).is_none());
    assert!(variation::paths::<f64>(&[], &mut [0.0; 8]).is_none());
}

/// The network of a case of the table, and its parameters in the order of the library: the table has no
/// biases where there are none.
fn tabled<T: Real>(case: &Value) -> (Architecture, Vec<T>) {
    let sizes: Vec<usize> = numbers(&case["sizes"]).iter().map(|s| *s as usize).collect();
    let (inputs, outputs) = (sizes[0], *sizes.last().unwrap());
    let mut widths = [0; 4];
    widths.iter_mut().zip(&sizes[1..sizes.len() - 1]).for_each(|(w, s)| *w = *s as u32);
    let architecture = Architecture { inputs, widths, outputs, linear: false };
    let mut given = numbers(&case["theta"]).into_iter();
    let mut parameters = Vec::new();
    for pair in sizes.windows(2) {
        parameters.extend(given.by_ref().take(pair[0] * pair[1]));
        let biases = case["biases"].as_bool().unwrap();
        parameters.extend((0..pair[1]).map(|_| if biases { given.next().unwrap() } else { 0.0 }));
    }
    assert!(given.next().is_none());
    assert_eq!(parameters.len(), architecture.dim());
    (architecture, parameters.into_iter().map(T::lit).collect())
}

fn path_table<T: Real>() {
    let file = reference("deep_posteriors.json");
    let cases = file["path_variation"].as_array().unwrap();
    let room = 8.0 * T::EPSILON.to_f64();
    for case in cases {
        let (architecture, parameters) = tabled::<T>(case);
        let mut scratch = vec![T::NAN; variation::network_scratch(&architecture)];
        let found = variation::network(&architecture, &parameters, &mut scratch).unwrap();
        let what = format!("{} {}", case["sizes"], T::BITS);
        let check = |found: T, exact: f64| {
            assert!((found.to_f64() - exact).abs() <= room * exact, "{what}: {found:?} {exact}");
        };
        check(found.inputs, number(&case["V_input_to_output"]));
        check(found.hidden, number(&case["V_hidden_to_output"]));
        check(found.with_biases, number(&case["V_with_biases_as_constant_inputs"]));
        let each = numbers(&case["V_by_input"]);
        assert_eq!(each.len(), architecture.inputs);
        each.iter().zip(&scratch).for_each(|(exact, found)| check(*found, *exact));
        let few = variation::network(&architecture, &parameters[1..], &mut scratch);
        assert_eq!(few, None);
        let (_, short) = scratch.split_at_mut(2);
        assert_eq!(variation::network(&architecture, &parameters, short), None);
    }
    assert!(cases.len() >= 5);
}

#[test]
fn path_weights_of_the_table() {
    path_table::<f64>();
    path_table::<f32>();
}

/// Scaling a ramp's inputs up and its outputs down leaves the function and the paths from the inputs and
/// the biases, not those from the first layer.
#[test]
fn path_weights_of_a_rescaled_network_of_ramps() {
    let mut stream = Stream::new(3, 0, Purpose::Start);
    let architecture = Architecture { inputs: 3, widths: [4, 3, 2, 0], outputs: 2, linear: true };
    let mut parameters: Vec<f64> = (0..architecture.dim()).map(|_| normal(&mut stream)).collect();
    let x = [0.3, -1.1, 0.8];
    let output = |theta: &[f64]| -> Vec<f64> {
        let mut below = x.to_vec();
        for layer in architecture.layers() {
            let rows = theta[layer.weights_at..layer.biases_at].chunks(layer.inputs);
            let biases = &theta[layer.biases_at..];
            let sums = rows.zip(biases).map(|(w, b)| b + dot(w, &below));
            below = sums.map(|z| Activation::Relu.jet(z)[0]).collect();
        }
        let head = architecture.head(theta).unwrap();
        let outputs = head.outer.chunks(below.len()).zip(head.linear.chunks(x.len()));
        outputs.zip(head.intercepts).map(|((v, c), b)| b + dot(v, &below) + dot(c, &x)).collect()
    };
    let paths = |theta: &[f64]| {
        let mut scratch = vec![0.0; variation::network_scratch(&architecture)];
        let found = variation::network(&architecture, theta, &mut scratch).unwrap();
        (found, scratch[..3].to_vec())
    };
    let ((before, each), f) = (paths(&parameters), output(&parameters));
    assert!(f.iter().all(|f| f.abs() > 1e-3));
    for l in 0..3 {
        let layer = architecture.layer(l).unwrap();
        // The weights above: of the next layer, or of the outputs.
        let above = architecture.layer(l + 1).map_or(architecture.outer_at(), |a| a.weights_at);
        let rows = architecture.layer(l + 1).map_or(2, |a| a.units);
        for k in 0..layer.units {
            let by = (0.5 + 0.4 * normal(&mut stream)).exp();
            let own = layer.weights_at + k * layer.inputs;
            parameters[own..own + layer.inputs].iter_mut().for_each(|w| *w *= by);
            parameters[layer.biases_at + k] *= by;
            (0..rows).for_each(|r| parameters[above + r * layer.units + k] /= by);
        }
    }
    let (after, each_after) = paths(&parameters);
    close(&output(&parameters), &f, 1e-12, "the function");
    near(after.inputs, before.inputs, "V");
    near(after.with_biases, before.with_biases, "V with biases");
    close(&each_after, &each, 1e-13, "by input");
    assert!((after.hidden - before.hidden).abs() > 0.05 * before.hidden);
    // No hidden layer: the linear weights are the paths.
    let plain = Architecture { inputs: 2, widths: [0; 4], outputs: 1, linear: false };
    let found = variation::network(&plain, &[7.0, 1.0, -2.0], &mut [0.0; 4]);
    assert_eq!(found, Some(PathWeights { inputs: 3.0, hidden: 0.0, with_biases: 10.0 }));
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Draws of subnetworks miss f by as much as the formula says on average, and by no more than V^2/M.
#[test]
fn subnetworks_are_as_far_as_they_should_be() {
    let mut stream = Stream::new(11, 0, Purpose::Predictive);
    let (units, rows) = (7, 12);
    // Values of bounded units, and one unit that is never drawn.
    let outer: Vec<f64> =
        (0..units).map(|j| if j == 3 { 0.0 } else { normal(&mut stream) }).collect();
    let values: Vec<f64> = (0..units * rows).map(|_| normal(&mut stream).tanh()).collect();
    let v = variation::outer(&outer);
    let at = |c: &[f64], row: &[f64]| dot(c, row);
    let squared = |c: &[f64]| -> f64 {
        let each = values.chunks(units).map(|row| (at(c, row) - at(&outer, row)).powi(2));
        each.sum::<f64>() / rows as f64
    };
    // As printed.
    let norm =
        |j: usize| values.chunks(units).map(|row| row[j] * row[j]).sum::<f64>() / rows as f64;
    let of_f = values.chunks(units).map(|row| at(&outer, row).powi(2)).sum::<f64>() / rows as f64;
    let sum: f64 = (0..units).map(|j| outer[j].abs() * norm(j)).sum();
    for neurons in [1, 4, 50] {
        let exact = subnetwork::expected_error(&outer, &values, neurons);
        near(exact, (v * sum - of_f) / neurons as f64, "the formula");
        assert!(exact <= bounds::approximation(v, neurons));
        let draws = 4000;
        let (mut mean, mut square, mut total) = (0.0, 0.0, vec![0.0; units]);
        for _ in 0..draws {
            let mut sparse = vec![f64::NAN; units];
            near(subnetwork::draw(&outer, neurons, &mut stream, &mut sparse).unwrap(), v, "V");
            near(variation::outer(&sparse), v, "V of the subnetwork");
            assert!(sparse[3] == 0.0 && sparse.iter().filter(|c| **c != 0.0).count() <= neurons);
            assert!(sparse.iter().zip(&outer).all(|(s, c)| s * c >= 0.0));
            let e = squared(&sparse);
            (mean, square) = (mean + e, square + e * e);
            total.iter_mut().zip(&sparse).for_each(|(t, s)| *t += s);
        }
        let n = f64::from(draws);
        let (mean, sd) = (mean / n, (square / n - (mean / n).powi(2)).sqrt());
        let z = (mean - exact) / (sd / n.sqrt());
        println!("M = {neurons}: {mean} against {exact}, z = {z:.2}");
        assert!(z.abs() < 4.0, "M = {neurons}: {mean} against {exact}, z = {z}");
        // E f_M = f: the count of unit j is binomial.
        for (t, c) in total.iter().zip(&outer) {
            let p = c.abs() / v;
            let sd = v * (p * (1.0 - p) / (n * neurons as f64)).sqrt();
            assert!((t / n - c).abs() <= 4.0 * sd, "M = {neurons}: {} against {c}", t / n);
        }
    }
}

#[test]
fn subnetworks_of_nothing() {
    let mut stream = Stream::new(1, 0, Purpose::Predictive);
    let words = stream.words();
    let mut sparse = [7.0; 2];
    for (outer, neurons) in [([0.0, 0.0], 3), ([1.0, 1.0], 0), ([1.0, f64::NAN], 3)] {
        assert_eq!(subnetwork::draw(&outer, neurons, &mut stream, &mut sparse), None);
    }
    assert_eq!(subnetwork::draw(&[1.0, 2.0, 3.0], 4, &mut stream, &mut sparse), None);
    assert_eq!((sparse, stream.words()), ([7.0; 2], words));
    assert_eq!(subnetwork::expected_error(&[0.0, 0.0], &[1.0, 2.0], 3), 0.0);
    assert_eq!(subnetwork::expected_error(&[1.0, 2.0], &[], 3), 0.0);
    // One unit is its own subnetwork.
    assert_eq!(subnetwork::expected_error(&[-2.0], &[0.3, 0.7, -0.1], 5), 0.0);
    assert_eq!(subnetwork::draw(&[-2.0], 5, &mut stream, &mut sparse[..1]), Some(2.0));
    assert_eq!(sparse, [-2.0, 7.0]);
}
