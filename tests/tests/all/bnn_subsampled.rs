//! Chains of part of the rows, against `subsampled.json` and what follows in closed form.

use super::bnn::run;
use super::penalty::list;
use lcc_core::data::{Dataset, Inputs};
use lcc_core::estimator::bnn::{BnnOptionsError, Compiled, Status};
use lcc_core::estimator::{Bnn, BnnError, BnnMethod, BnnOptions};
use lcc_core::kernel::penalty::Penalty;
use lcc_core::network::Output;
use lcc_core::simd::Isa;
use lcc_tests::numeric::mean_and_error;
use lcc_tests::posteriors::Aligned;
use lcc_tests::subsampled::{BATCH, Mean, ROWS, SD, batched_ratio, chain_means, penalised_ratio};
use lcc_tests::tools::{by_turns, runs, thinned};
use lcc_tests::{matrix, number, numbers, reference};

/// How far means over chains are from what is exact, in errors by the spread of the chains.
fn check(what: &str, means: &[Vec<f64>], exact: &[f64]) -> Vec<f64> {
    let mut out = vec![];
    for (j, exact) in exact.iter().enumerate() {
        let own: Vec<f64> = means.iter().map(|m| m[j]).collect();
        let (mean, error) = mean_and_error(&own);
        println!("{what} {j}: {mean:.5} +- {error:.5}, exact {exact:.5}");
        assert!(
            (mean - exact).abs() < 4.0 * error + 1e-12,
            "{what} {j}: {mean} +- {error}, not {exact}"
        );
        out.push(mean);
    }
    out
}

/// The four laws in the case whose tempered one is N(., 1/(1/s^2 + b)).
#[test]
fn walks_have_the_stationary_laws_of_theory() {
    let case = Mean::of_quantiles();
    let lambda = 1.0 / (SD * SD) + BATCH as f64;
    let mean = case.y.iter().sum::<f64>() / ROWS as f64 * BATCH as f64 / lambda;
    let own = |options: BnnOptions<f64>, what: &str, ratio: f64| {
        let moments = |w: &[f64]| vec![w[0], (w[0] - mean) * (w[0] - mean) * lambda];
        let means = chain_means(&options, &case.data(), moments);
        check(what, &means, &[mean, ratio]);
    };
    own(Mean::options(BnnMethod::Tempered), "tempered", 1.0);
    own(
        BnnOptions { barker: true.into(), step: 0.0, ..Mean::options(BnnMethod::Tempered) },
        "tempered, Barker, step found",
        1.0,
    );
    for (m, ratio) in [(1, 1.454), (4, 1.133)] {
        let exact = batched_ratio(m);
        assert!((exact - ratio).abs() < 2e-3, "{m}: {exact}");
        let options = BnnOptions { minibatches: m, ..Mean::options(BnnMethod::Batched) };
        own(options, &format!("batched {m}"), exact);
    }
    let rules_of = [(4, Penalty::Series), (8, Penalty::Estimated), (16, Penalty::Series)];
    for (m, rule) in by_turns(rules_of, 3, 0) {
        let exact = penalised_ratio(rule, m);
        assert!((exact - 1.0).abs() < 0.01, "{m}: {exact}");
        let options = BnnOptions {
            minibatches: m,
            penalty: rule.into(),
            ..Mean::options(BnnMethod::Penalty)
        };
        own(options, &format!("penalty {m}"), exact);
    }
    for barker in [false, true] {
        let options = BnnOptions {
            minibatches: 1,
            penalty: Penalty::Known.into(),
            barker: barker.into(),
            ..Mean::options(BnnMethod::Penalty)
        };
        own(options, "penalty, known variance", 1.0);
    }
}

/// With the likelihood of minibatches times n/b the law is the posterior; and where chi^2 then is far above M/4 it is not,
/// which the mean of chi^2 says.
#[test]
fn full_likelihoods_have_the_posterior_where_chi_squared_is_small() {
    let case = Mean::of_quantiles();
    let lambda = 1.0 / (SD * SD) + ROWS as f64;
    let mean = case.y.iter().sum::<f64>() / lambda;
    let moments = |w: &[f64]| vec![w[0], (w[0] - mean) * (w[0] - mean) * lambda];
    // chi^2 is 64^2/16 (1 - 1/4)/M of the square of a step of about .1.
    let own = |method: BnnMethod, minibatches, step: f64| BnnOptions {
        full: true.into(),
        minibatches,
        step: step / SD,
        ..Mean::options(method)
    };
    let means = chain_means(&own(BnnMethod::Tempered, 1, 0.3), &case.data(), moments);
    check("tempered, full", &means, &[mean, 1.0]);
    let small = own(BnnMethod::Penalty, 16, 0.1);
    check("penalty, full", &chain_means(&small, &case.data(), moments), &[mean, 1.0]);
    let variance = |options: &BnnOptions<f64>| {
        let mut memory = Aligned::new(0);
        let network = run(&mut memory, options, &case.data());
        let of = |c| network.changes(c).unwrap();
        assert!((0..32).all(|c| of(c).temperature == 1.0 && of(c).step == options.step));
        (0..32).map(|c| of(c).variance).sum::<f64>() / 32.0
    };
    // 192 E(step^2)/16.
    let found = variance(&small);
    assert!((found / (192.0 * 0.01 / 16.0) - 1.0).abs() < 0.02, "{found}");
    assert!(variance(&own(BnnMethod::Penalty, 2, 0.3)) > 1.0);
}

/// With control variates: of a Gaussian likelihood nothing is left to be noisy, and draws are independent; of classes what is
/// left is of third order; of Student-t noise, whose Gauss-Newton matrix is not the curvature, of second. The law is exact in
/// all three, at either temperature, by quadrature.
#[test]
fn control_variates_leave_the_law_and_little_noise() {
    use Output::{Bernoulli, Gaussian, StudentT};
    let x: Vec<f64> = (0..48).map(|i| (1.7 * i as f64).sin() + 0.4).collect();
    let numbers: Vec<f64> = (0..48).map(|i| 0.8 * x[i] + 0.5 * (5.3 * i as f64).cos()).collect();
    let classes: Vec<f64> = numbers.iter().map(|y| f64::from(u8::from(*y > 0.1))).collect();
    let log = |output: Output, w: f64, x: f64, y: f64| match output {
        Bernoulli => y * w * x - (w * x).exp().ln_1p(),
        Gaussian => -0.5 * ((y - w * x) / 0.5).powi(2),
        _ => -2.0 * (((y - w * x) / 0.5).powi(2) / 3.0).ln_1p(),
    };
    for (output, full, most) in [
        (Gaussian, true, 1e-20),
        (Bernoulli, true, 0.01),
        (Bernoulli, false, 0.01),
        (StudentT, true, 0.5),
        (StudentT, false, 0.5),
    ] {
        let y = if output == Bernoulli { &classes } else { &numbers };
        let data = Dataset::new(Inputs::row_major(&x, 48, 1).unwrap(), y).unwrap();
        let options = BnnOptions {
            output: output.into(),
            noise: 0.5,
            tail: if output == StudentT { 3.0 } else { 0.0 },
            penalty: Penalty::Controlled.into(),
            full: full.into(),
            batch: 12,
            step: 0.0,
            leapfrogs: 2,
            ..Mean::options(BnnMethod::Penalty)
        };
        let power = if full { 1.0 } else { 0.25 };
        let mut sums = [0.0; 3];
        // Of classes the law reaches beyond 5.
        for k in 0..9000 {
            let w = 0.002 * k as f64 - 3.0;
            let rows = x.iter().zip(y).map(|(x, y)| log(output, w, *x, *y)).sum::<f64>();
            let p = (power * rows - 0.5 * (w / SD).powi(2)).exp();
            sums = [sums[0] + p, sums[1] + p * w, sums[2] + p * w * w];
        }
        let mean = sums[1] / sums[0];
        let exact = [mean, sums[2] / sums[0] - mean * mean];
        let means = chain_means(&options, &data, |w| vec![w[0], (w[0] - mean) * (w[0] - mean)]);
        check(&format!("controlled {output:?}, {full}"), &means, &exact);
        let mut memory = Aligned::new(0);
        let network = run(&mut memory, &options, &data);
        let of = |c| network.changes(c).unwrap();
        let found = (0..32).map(|c| of(c).variance).sum::<f64>() / 32.0;
        println!("variance of changes {found}, step {}", of(0).step);
        assert!(found < most && of(0).step == 1.0, "{found}");
        // Without, by minibatches of as many rows, far more than a penalty may have.
        let plain = BnnOptions { penalty: Penalty::Series.into(), step: 1.0, ..options };
        let network = run(&mut memory, &plain, &data);
        let noise = (0..32).map(|c| network.changes(c).unwrap().variance).sum::<f64>() / 32.0;
        assert!(noise > 20.0 * found, "{noise} {found}");
    }
}

/// Normal changes have neither skewness nor kurtosis, those by a far outlier have.
#[test]
fn changes_that_are_not_normal_are_reported() {
    let mut case = Mean::of_quantiles();
    let shape = |case: &Mean, minibatches| {
        let mut memory = Aligned::new(0);
        let options = BnnOptions { minibatches, batch: 4, ..Mean::options(BnnMethod::Penalty) };
        let network = run(&mut memory, &options, &case.data());
        let list = |of: fn(&lcc_core::estimator::bnn::BnnChanges<f64>) -> f64| {
            let own: Vec<f64> = (0..32).map(|c| of(&network.changes(c).unwrap())).collect();
            mean_and_error(&own)
        };
        assert_eq!(network.changes(0).unwrap().temperature, 16.0);
        [list(|c| c.skewness), list(|c| c.kurtosis)]
    };
    let [skewness, kurtosis] = shape(&case, 16);
    println!("{skewness:?} {kurtosis:?}");
    // Sums without replacement of a symmetric list: nearly none. The sign is that of the mean of the same changes,
    // whose covariance with their third moment is the fourth cumulant over their number (Fisher): of normal means the
    // skewness is then up to sqrt(2/pi) of the kurtosis over the root of the number.
    let signed = (2.0 / std::f64::consts::PI).sqrt() * kurtosis.0.abs() / 4.0;
    assert!(kurtosis.0.abs() < 0.2);
    assert!(skewness.0.abs() < signed + 4.0 * skewness.1, "{skewness:?} {signed}");
    let [skewness, kurtosis] = shape(&case, 3);
    assert!(skewness.0.abs() < 4.0 * skewness.1 && kurtosis.0.is_nan());
    case.y[5] = 12.0;
    let [_, kurtosis] = shape(&case, 16);
    println!("{kurtosis:?}");
    // In one of sixteen minibatches, six of their sds away.
    assert!(kurtosis.0 > 1.0, "{kurtosis:?}");
    assert!(shape(&case, 2)[0].0.is_nan());
}

/// SGLD's stationary mean and covariance: of all rows, of minibatches of one row and of several without replacement.
#[test]
fn langevin_steps_have_the_moments_of_linear_algebra() {
    for (k, case) in list(&reference("subsampled.json"), "sgld").iter().enumerate() {
        let (x, y) = (matrix(&case["X"]), numbers(&case["y"]));
        let (n, d) = (y.len(), number(&case["d"]) as usize);
        let data = Dataset::new(Inputs::row_major(&x, n, d).unwrap(), &y).unwrap();
        let sd = number(&case["sigma0"]);
        for (_, of) in thinned(list(case, "runs"), k as u64) {
            let b = number(&of["b"]) as u32;
            if of["scheme"] == "with replacement" && b > 1 {
                continue;
            }
            // The step h/2 in units of theta.
            let options = BnnOptions {
                linear_scale: sd,
                noise: number(&case["noise_sd"]),
                full: true.into(),
                batch: if b as usize == n { 0 } else { b },
                step: 0.5 * number(&of["h"]) / (sd * sd),
                warmup: 40,
                leapfrogs: 10,
                ..Mean::options(BnnMethod::Sgld)
            };
            let (mean, covariance) =
                (numbers(&of["stationary_mean"]), matrix(&of["stationary_cov"]));
            let mut exact = mean.clone();
            exact.extend(&covariance);
            let moments = |w: &[f64]| {
                let from: Vec<f64> = w.iter().zip(&mean).map(|(w, m)| w - m).collect();
                let products = from.iter().flat_map(|a| from.iter().map(move |b| a * b));
                w.iter().copied().chain(products).collect()
            };
            check(case["id"].as_str().unwrap(), &chain_means(&options, &data, moments), &exact);
        }
    }
}

/// SGLD by minibatches in the case above, whose stationary variance is (1 + e g/2)/(lambda (1 - e lambda/2)), g the variance
/// of the gradient; and by steps that fall, whose moments at each step follow from those before: draws at equal distances of
/// the sum of the steps have the averages weighted by the steps.
#[test]
fn langevin_draws_weigh_what_their_steps_do() {
    let case = Mean::of_quantiles();
    let lambda = 1.0 / (SD * SD) + BATCH as f64;
    let noise = BATCH as f64 * (1.0 - BATCH as f64 / ROWS as f64);
    let centre = case.y.iter().sum::<f64>() / ROWS as f64 * BATCH as f64 / lambda;
    let e = 0.02;
    let moments = |w: &[f64]| vec![w[0], (w[0] - centre) * (w[0] - centre)];
    let options = BnnOptions { step: e / (SD * SD), ..Mean::options(BnnMethod::Sgld) };
    let exact = (1.0 + e * noise / 2.0) / (lambda * (1.0 - e * lambda / 2.0));
    check("fixed", &chain_means(&options, &case.data(), moments), &[centre, exact]);

    for (decay, delay) in [(0.55, 20.0), (1.0, 50.0)] {
        // From 0, where a chain without a start begins.
        let (steps, draws) = (1200, 300);
        let options = BnnOptions {
            chains: runs(100, 1000),
            warmup: 0,
            leapfrogs: steps / draws,
            draws,
            keep: draws,
            step: 0.06 / (SD * SD),
            decay,
            delay,
            ..options
        };
        let (mut mean, mut second, mut sums) = (-centre, centre * centre, [0.0; 3]);
        for t in 0..steps {
            let e = 0.06 * (1.0 + t as f64 / delay).powf(-decay);
            let shrink = 1.0 - e * lambda;
            mean *= shrink;
            second = shrink * shrink * second + e * e * noise + 2.0 * e;
            sums = [sums[0] + e, sums[1] + e * mean, sums[2] + e * second];
        }
        let exact = [centre + sums[1] / sums[0], sums[2] / sums[0]];
        let means = chain_means(&options, &case.data(), moments);
        let found: Vec<(f64, f64)> = (0..2)
            .map(|j| mean_and_error(&means.iter().map(|m| m[j]).collect::<Vec<_>>()))
            .collect();
        println!("decay {decay}: {found:?}, exact {exact:?}");
        for ((found, error), exact) in found.iter().zip(exact) {
            // A draw stands at the end of its share of the sum.
            assert!((found - exact).abs() < 4.0 * error + 0.01 * exact, "{found} {error} {exact}");
        }
    }
}

/// Tempered posteriors of the table, with steps that the warm-up finds.
#[test]
fn tempered_walks_have_the_moments_of_the_table() {
    for case in list(&reference("subsampled.json"), "tempered") {
        let (x, y) = (matrix(&case["X"]), numbers(&case["y"]));
        let (n, d) = (y.len(), number(&case["d"]) as usize);
        let data = Dataset::new(Inputs::row_major(&x, n, d).unwrap(), &y).unwrap();
        let of = list(case, "temperatures").iter().find(|of| number(&of["T"]) == 2.0).unwrap();
        let law = &of["likelihood_tempered"];
        let gaussian = case["family"] == "gaussian";
        let options = BnnOptions {
            output: if gaussian { Output::Gaussian } else { Output::Bernoulli }.into(),
            noise: case.get("noise_sd").map_or(1.0, number),
            linear_scale: number(&case["sigma0"]),
            batch: n as u32 / 2,
            step: 0.0,
            warmup: 30,
            leapfrogs: 10,
            ..Mean::options(BnnMethod::Tempered)
        };
        let mean = numbers(&law["mean"]);
        let mut exact = mean.clone();
        exact.extend(matrix(&law["cov"]));
        let moments = |w: &[f64]| {
            let from: Vec<f64> = w.iter().zip(&mean).map(|(w, m)| w - m).collect();
            let products = from.iter().flat_map(|a| from.iter().map(move |b| a * b));
            w.iter().copied().chain(products).collect()
        };
        check(case["id"].as_str().unwrap(), &chain_means(&options, &data, moments), &exact);
    }
}

/// A network with everything that is sampled, y ~ t.
fn network(method: BnnMethod) -> (Vec<f64>, Vec<f64>, BnnOptions<f64>) {
    let (x, y): (Vec<f64>, Vec<f64>) =
        (0..30).map(|i| (i as f64 / 30.0, (i as f64 / 5.0).sin())).unzip();
    let options = BnnOptions {
        method: method.into(),
        widths: [3, 0, 0, 0],
        chains: 5,
        start_steps: 30,
        warmup: 3,
        leapfrogs: 6,
        draws: 4,
        keep: 2,
        batch: 7,
        minibatches: 3,
        trace_rows: 3,
        ..BnnOptions::default()
    };
    (x, y, options)
}

fn bits<T: Compiled>(network: &Bnn<'_, T>) -> Vec<u64> {
    let mut model = vec![0; network.model_size().unwrap()];
    let length = network.write_model(&mut model).unwrap();
    let mut out: Vec<u64> = model[..length].iter().map(|b| *b as u64).collect();
    for c in 0..network.chains() {
        out.extend((0..network.kept()).flat_map(|k| {
            network
                .kept_draw(c, k)
                .unwrap()
                .iter()
                .map(|x| x.to_f64().to_bits())
                .collect::<Vec<_>>()
        }));
        let told = network.changes(c).unwrap();
        let told = [told.temperature, told.step, told.variance, told.skewness, told.kurtosis];
        out.extend(told.map(|x| x.to_f64().to_bits()));
    }
    out
}

const WALKS: [BnnMethod; 4] =
    [BnnMethod::Tempered, BnnMethod::Batched, BnnMethod::Sgld, BnnMethod::Penalty];

/// Minibatches of all rows are all rows: no noise, the bits of the walk on the posterior, and of Langevin steps those by
/// all rows.
#[test]
fn minibatches_of_all_rows_make_the_walk_itself() {
    let all = |method, change: fn(&mut BnnOptions<f64>)| {
        let (x, y, mut options) = network(method);
        options.batch = 30;
        change(&mut options);
        let data = Dataset::new(Inputs::row_major(&x, 30, 1).unwrap(), &y).unwrap();
        let mut memory = Aligned::new(0);
        let network = run(&mut memory, &options, &data);
        let draws: Vec<Vec<f64>> = (0..5)
            .flat_map(|c| [0, 1].map(|k| network.kept_draw(c, k).unwrap().to_vec()))
            .collect();
        assert!(network.changes(0).unwrap().variance.is_nan());
        draws
    };
    // Its start has minibatches too, in an order of its own.
    let walk = all(BnnMethod::Tempered, |_| {});
    assert_eq!(walk, all(BnnMethod::Batched, |o| o.minibatches = 1));
    assert_eq!(walk, all(BnnMethod::Penalty, |o| o.minibatches = 2));
    assert_eq!(walk, all(BnnMethod::Penalty, |o| o.full = true.into()));
    assert_eq!(walk, all(BnnMethod::Penalty, |o| o.penalty = Penalty::Known.into()));
    assert_ne!(walk, all(BnnMethod::Tempered, |o| o.barker = true.into()));
    // Of what is noisy nothing is left, and proposals are those of the walk.
    assert_eq!(walk, all(BnnMethod::Penalty, |o| o.penalty = Penalty::Controlled.into()));
    let without = |method| {
        let (x, y, mut options) = network(method);
        options.start_steps = 0;
        let data = Dataset::new(Inputs::row_major(&x, 30, 1).unwrap(), &y).unwrap();
        [0, 30].map(|batch| {
            let mut memory = Aligned::new(0);
            bits(&run(&mut memory, &BnnOptions { batch, ..options }, &data))
        })
    };
    for method in WALKS {
        let [none, every] = without(method);
        assert_eq!(none, every, "{method:?}");
    }
}

/// A budget of one unit or of all, a chain alone or among others, and a memory that was moved: the same bits, in either
/// precision.
#[test]
fn chains_are_their_own_and_resume() {
    fn of<T: Compiled + lcc_core::scalar::Real>(method: BnnMethod, penalty: Penalty) {
        let (x, y, o) = network(method);
        let [x, y] = [x, y].map(|list| list.iter().map(|v| T::lit(*v)).collect::<Vec<T>>());
        let data = Dataset::new(Inputs::row_major(&x, 30, 1).unwrap(), &y).unwrap();
        let options = BnnOptions::<T> {
            method: method.into(),
            widths: o.widths,
            chains: o.chains,
            start_steps: o.start_steps,
            warmup: o.warmup,
            leapfrogs: o.leapfrogs,
            draws: o.draws,
            keep: o.keep,
            batch: o.batch,
            minibatches: o.minibatches,
            trace_rows: o.trace_rows,
            penalty: penalty.into(),
            decay: T::lit(0.6),
            ..BnnOptions::default()
        };
        let mut memory = Aligned::new(0);
        let whole = run(&mut memory, &options, &data);
        let exact = bits(&whole);
        assert!(whole.mode(0).is_none() && whole.changes(5).is_none());
        let (done, all) = whole.passes();
        assert!((done as f64 / all as f64 - 1.0).abs() < 0.1, "{method:?}: {done} of {all}");
        let changes = whole.changes(0).unwrap();
        assert!((changes.temperature - T::lit(30.0 / 7.0)).abs() < T::lit(1e-6));
        assert!(changes.step > T::ZERO);
        assert_eq!(
            changes.variance > T::ZERO,
            matches!(method, BnnMethod::Batched | BnnMethod::Penalty)
        );

        let size = Bnn::size(&options, 30, 1).unwrap();
        let mut bytes = Aligned::new(size);
        Bnn::init(bytes.bytes(), &options, Isa::detect(), &data).unwrap();
        loop {
            let mut moved = Aligned::new(size);
            moved.bytes().copy_from_slice(bytes.bytes());
            bytes = moved;
            let mut network = Bnn::<T>::open(bytes.bytes(), Isa::detect()).unwrap();
            if network.step(&data, 1).unwrap() == Status::Done {
                assert_eq!(bits(&network), exact, "{method:?}");
                break;
            }
        }

        let mut memories = [(0, 2), (2, 3)].map(|(first_chain, chains)| {
            let own = BnnOptions { first_chain, chains, ..options };
            let mut memory = Aligned::new(0);
            run(&mut memory, &own, &data);
            memory
        });
        let mut joined = Aligned::new(size);
        let mut network = Bnn::init(joined.bytes(), &options, Isa::detect(), &data).unwrap();
        let parts: Vec<Bnn<'_, T>> =
            memories.iter_mut().map(|m| Bnn::open(m.bytes(), Isa::detect()).unwrap()).collect();
        network.join(parts.iter().map(Ok::<_, BnnError>)).unwrap();
        assert_eq!(bits(&network), exact, "{method:?}");
    }
    for method in WALKS {
        of::<f64>(method, Penalty::Series);
        of::<f32>(method, Penalty::Series);
    }
    of::<f64>(BnnMethod::Penalty, Penalty::Controlled);
    of::<f32>(BnnMethod::Penalty, Penalty::Controlled);
}

/// A step that is far too long leaves numbers and says that it diverged.
#[test]
fn langevin_steps_that_are_too_long_diverge() {
    let case = Mean::of_quantiles();
    let options = BnnOptions { step: 10.0, ..Mean::options(BnnMethod::Sgld) };
    let mut memory = Aligned::new(0);
    let network = run(&mut memory, &options, &case.data());
    assert!(network.divergences() > 0);
    assert!(network.kept_draw(0, 0).unwrap()[..2].iter().all(|x| x.is_finite()));
}

#[test]
fn what_makes_no_sense_is_refused_by_name() {
    let refused = |method, change: fn(&mut BnnOptions<f64>)| {
        let mut options = Mean::options(method);
        change(&mut options);
        match Bnn::size(&options, ROWS, 1) {
            Err(BnnError::Options(e)) => Some(e),
            _ => None,
        }
    };
    use BnnOptionsError as E;
    for method in WALKS {
        assert_eq!(refused(method, |_| {}), None);
        assert_eq!(refused(method, |o| o.batch = 65), Some(E::Batch));
        assert_eq!(refused(method, |o| o.minibatches = 0), Some(E::Minibatches));
        for decay in [-0.1, 0.5, 1.1, f64::NAN] {
            let options = BnnOptions { decay, ..Mean::options(method) };
            assert!(matches!(options.check(), Err(E::StepSize)), "{decay}");
        }
        for step in [-0.1, f64::INFINITY, f64::NAN] {
            let options = BnnOptions { step, ..Mean::options(method) };
            assert!(matches!(options.check(), Err(E::StepSize)), "{step}");
        }
    }
    assert_eq!(refused(BnnMethod::Penalty, |o| o.minibatches = 1), Some(E::Minibatches));
    assert_eq!(refused(BnnMethod::Batched, |o| o.minibatches = 1), None);
    let known = |o: &mut BnnOptions<f64>| {
        (o.minibatches, o.penalty) = (1, Penalty::Known.into());
    };
    assert_eq!(refused(BnnMethod::Penalty, known), None);
}
