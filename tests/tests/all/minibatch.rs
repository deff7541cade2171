//! Minibatches: which rows they have, and the gradients that they give.

use crate::bnn_exact::generalised;
use lcc_core::data::{Dataset, Inputs};
use lcc_core::density::Density;
use lcc_core::estimator::bnn::{BnnOptionsError, Status};
use lcc_core::estimator::{Bnn, BnnError, BnnMethod, BnnOptions};
use lcc_core::minibatch::{self, WORDS};
use lcc_core::network::Output;
use lcc_core::posterior::Image;
use lcc_core::random::{Purpose, Stream};
use lcc_core::scalar::Real;
use lcc_core::simd::{Isa, has_lanes};
use lcc_tests::posteriors::Aligned;
use lcc_tests::{numbers, reference};

fn list(n: usize, seed: u64) -> Vec<u32> {
    let mut list = vec![0; minibatch::len(n).unwrap()];
    minibatch::begin(&mut list, seed, 0);
    list
}

/// Every ordered pair of 5 rows is as likely as every other, given the minibatch before too.
#[test]
fn minibatches_are_samples_without_replacement() {
    let mut list = list(5, 3);
    let (mut counts, mut again) = ([0.0; 25], 0.0);
    let draws = 40_000;
    let mut before = vec![];
    for _ in 0..draws {
        let rows = minibatch::draw(&mut list, 2).to_vec();
        counts[(rows[0] * 5 + rows[1]) as usize] += 1.0;
        again += before.contains(&rows[0]) as i32 as f64;
        before = rows;
    }
    let p = 1.0 / 20.0;
    let se = (draws as f64 * p * (1.0 - p)).sqrt();
    for (k, count) in counts.iter().enumerate() {
        if k % 6 == 0 {
            assert_eq!(*count, 0.0);
        } else {
            assert!((count - draws as f64 * p).abs() < 4.0 * se, "{k}: {count}");
        }
    }
    // The first row is one of the two before with probability 2/5.
    let z = (again - 0.4 * draws as f64) / (draws as f64 * 0.24).sqrt();
    assert!(z.abs() < 4.0, "{z}");
    // More than there are: all.
    assert_eq!(minibatch::draw(&mut list, 9).len(), 5);
    assert!(
        minibatch::draw(&mut [], 9).is_empty() && minibatch::part(&mut [0; 4], 0, 0).is_empty()
    );
    assert_eq!(minibatch::len(usize::MAX), None);
}

/// The words of a stream become rows as the module says.
#[test]
fn the_order_of_draws_is_the_stated_one() {
    let n = 7_u64;
    let mut list = list(n as usize, 11);
    let mut stream = Stream::new(11, 0, Purpose::Rows);
    let mut order: Vec<u32> = (0..n as u32).collect();
    for batch in [3, 7, 1] {
        for k in 0..batch {
            // No word of these few is one of the 2^32 mod m that are drawn again.
            let left = n - k;
            order.swap(k as usize, (k + ((stream.word() as u64 * left) >> 32)) as usize);
        }
        assert_eq!(minibatch::draw(&mut list, batch as usize), &order[..batch as usize]);
    }
    assert_eq!(list[..WORDS], stream.words());
    assert_eq!(stream.below(0), 0);
}

/// An epoch has each row once, in an order that the next has not.
#[test]
fn epochs_are_partitions() {
    let mut list = list(23, 1);
    let mut epochs = vec![];
    for _ in 0..2 {
        let rows: Vec<u32> =
            (0..6).flat_map(|i| minibatch::part(&mut list, 4, i).to_vec()).collect();
        let mut sorted = rows.clone();
        sorted.sort();
        assert_eq!(sorted, (0..23).collect::<Vec<u32>>());
        epochs.push(rows);
    }
    assert_ne!(epochs[0], epochs[1]);
    assert!(minibatch::part(&mut list, 4, 6).is_empty());
}

fn table(n: usize) -> (Vec<f64>, Vec<f64>) {
    let mut stream = Stream::new(5, 0, Purpose::Predictive);
    let x: Vec<f64> = (0..2 * n).map(|_| stream.normal()).collect();
    let y = x.chunks(2).map(|r| (2.0 * r[0]).sin() + r[1] + 0.2 * stream.normal::<f64>()).collect();
    (x, y)
}

fn options(method: BnnMethod) -> BnnOptions<f64> {
    BnnOptions {
        method: method.into(),
        widths: [4, 0, 0, 0],
        chains: 3,
        lanes: 1,
        start_steps: 60,
        warmup: 3,
        leapfrogs: 4,
        draws: 2,
        keep: 2,
        ..BnnOptions::default()
    }
}

/// The mean over the parts of an epoch of their value and gradient, likelihoods times n/b, is that of all rows.
#[test]
fn minibatches_are_unbiased() {
    let (x, y) = table(24);
    let data = Dataset::new(Inputs::row_major(&x, 24, 2).unwrap(), &y).unwrap();
    let free = options(BnnMethod::Map).network(data);
    let mut posterior = free.posterior::<1>();
    posterior.nu = [5.0];
    posterior.whole = true;
    let p = posterior.places().dim;
    let mut stream = Stream::new(1, 0, Purpose::Start);
    let g: Vec<[f64; 1]> = (0..p).map(|_| [stream.normal()]).collect();
    let mut scratch = vec![[0.0]; 10_000];
    let mut all = vec![[0.0]; p];
    let [value] = posterior.value_and_gradient(Isa::detect(), &g, &mut all, &mut scratch);
    let mut list = list(24, 1);
    let (mut sum, mut sums) = (0.0, vec![0.0; p]);
    for i in 0..4 {
        let rows = minibatch::part(&mut list, 6, i).to_vec();
        let mut own = posterior;
        own.pass.rows = Some(&rows);
        own.weight = 4.0;
        let mut gradient = vec![[0.0]; p];
        sum += own.value_and_gradient(Isa::detect(), &g, &mut gradient, &mut scratch)[0] / 4.0;
        sums.iter_mut().zip(&gradient).for_each(|(s, g)| *s += g[0] / 4.0);
    }
    assert!((sum - value).abs() < 1e-12 * value.abs(), "{sum}, not {value}");
    for (sum, [all]) in sums.iter().zip(&all) {
        assert!((sum - all).abs() < 1e-11 * (1.0 + all.abs()), "{sum}, not {all}");
    }
}

fn model(options: &BnnOptions<f64>, data: &Dataset<'_, f64>, budget: u64) -> Vec<u8> {
    image(options, data, budget, |network, bytes| network.write_model(bytes))
}

/// The model, or the point where the best start ended.
fn image(
    options: &BnnOptions<f64>,
    data: &Dataset<'_, f64>,
    budget: u64,
    write: for<'m, 'b> fn(&Bnn<'m, f64>, &'b mut [u8]) -> Result<usize, BnnError>,
) -> Vec<u8> {
    let mut memory = Aligned::new(Bnn::size(options, data.n(), data.d()).unwrap());
    Bnn::init(memory.bytes(), options, Isa::detect(), data).unwrap();
    // As from a checkpoint before every step.
    while Bnn::<f64>::open(memory.bytes(), Isa::detect()).unwrap().step(data, budget).unwrap()
        == Status::Running
    {}
    let network = Bnn::<f64>::open(memory.bytes(), Isa::detect()).unwrap();
    let mut bytes = vec![0; network.model_size().unwrap()];
    let length = write(&network, &mut bytes).unwrap();
    bytes.truncate(length);
    bytes
}

/// Starts on minibatches: the same bits by any budget and with any lanes; other bits than without; those of more rows
/// than there are refused.
#[test]
fn starts_take_minibatches() {
    let (x, y) = table(50);
    let data = Dataset::new(Inputs::row_major(&x, 50, 2).unwrap(), &y).unwrap();
    for method in [BnnMethod::Hmc, BnnMethod::Map, BnnMethod::Ensemble, BnnMethod::Dropout] {
        let own = BnnOptions { batch: 7, ..options(method) };
        let bytes = model(&own, &data, 1);
        assert!(bytes == model(&own, &data, 1000), "{method:?}");
        assert!(bytes != model(&options(method), &data, 1000), "{method:?}");
        if has_lanes(8) && method != BnnMethod::Map {
            assert!(model(&BnnOptions { lanes: 8, ..own }, &data, 1000) == bytes, "{method:?}");
        }
        let refused = BnnOptions { batch: 51, ..own };
        let error = BnnError::Options(BnnOptionsError::Batch);
        assert_eq!(Bnn::size(&refused, 50, 2), Err(error));
        assert!(Bnn::size(&refused, 51, 2).is_ok());
    }
}

/// Gradient ascent by a Robbins-Monro schedule, its second half averaged, comes to the modes of generalised linear models:
/// by all rows but for what the schedule leaves, by one row at a time within some 3 / sqrt(10^4) posterior sds.
#[test]
fn robbins_monro_comes_to_the_mode() {
    let exact = reference("glm_posteriors.json")["cases"].as_array().unwrap().clone();
    for (case, exact) in generalised().iter().zip(exact) {
        let outputs = [Output::Gaussian, Output::Bernoulli];
        if !outputs.contains(&case.options.output.value()) || case.name.contains("separable") {
            continue;
        }
        let (mode, sd) = (numbers(&exact["laplace"]["map"]), numbers(&exact["posterior"]["sd"]));
        for (batch, allowed) in [(0, 0.05), (1, 0.25)] {
            let options = BnnOptions {
                chains: 1,
                lanes: 1,
                warmup: 0,
                draws: 1,
                keep: 1,
                leapfrogs: 1,
                start_steps: 20_000,
                rate: 8.0,
                batch,
                ..case.options
            };
            let write = |network: &Bnn<'_, f64>, bytes: &mut [u8]| network.write_point(bytes);
            let bytes = image(&options, &case.data(), 1_000_000, write);
            let image = Image::open(&bytes).unwrap();
            let w: Vec<f64> = image.values(0).skip(1).take(mode.len()).collect();
            for k in 0..mode.len() {
                let off = (w[k] - mode[k]).abs() / sd[k];
                println!("{} {batch} {k}: {off}", case.name);
                assert!(off < allowed, "{} {batch} {k}: {off}", case.name);
            }
        }
    }
}

/// Chains of many rows start by minibatches unless the caller says otherwise; what is decided stays.
#[test]
fn starts_of_many_rows() {
    let plain = BnnOptions::<f64>::default();
    for (n, batch, steps) in
        [(999, 0, 1000), (1000, 250, 4000), (1600, 400, 4000), (usize::MAX, 500, 4000)]
    {
        let own = plain.decided(n, 3);
        assert_eq!((own.batch, own.start_steps), (batch, steps), "{n}");
        assert_eq!(own.decided(n, 3), own, "{n}");
        let classes = BnnOptions { output: Output::Softmax.into(), ..plain }.decided(n, 3);
        let wanted = if n < 1000 { (0, 1000) } else { (500, 2000) };
        assert_eq!((classes.batch, classes.start_steps), wanted, "{n}");
    }
    let linear = BnnOptions { widths: [0; 4], ..plain };
    let ascent = BnnOptions { rate: 1.0, ..plain };
    let modes = BnnOptions { method: BnnMethod::Map.into(), ..plain };
    let whole = BnnOptions { batch: 5000, ..plain };
    for options in [linear, ascent, modes, whole] {
        let own = options.decided(5000, 3);
        assert_eq!((own.batch, own.start_steps), (options.batch, options.start_steps));
    }
}

/// A start on few rows outside the most frequent class for each input is shorter, in either precision; weights count rows.
#[test]
fn starts_of_few_events() {
    fn steps<T: Real>(rare: usize, weights: Option<T>, options: &BnnOptions<T>) -> u32 {
        let (n, d) = (600, 5);
        let x: Vec<T> = (0..n * d).map(T::of_usize).collect();
        let y: Vec<T> = (0..n).map(|i| T::of_usize((i < rare) as usize)).collect();
        let weights = weights.map(|weight| vec![weight; n]);
        let plain = Dataset::new(Inputs::row_major(&x, n, d).unwrap(), &y).unwrap();
        let data = weights.as_ref().map_or(plain, |own| plain.weighted(own).unwrap());
        options.start_for(&data)
    }
    fn check<T: Real>() {
        for output in [Output::Bernoulli, Output::Softmax, Output::Ordinal] {
            let own = BnnOptions::<T>::of(BnnMethod::Hmc, output, true);
            for (rare, wanted) in
                [(1, 100), (10, 100), (20, 200), (99, 990), (100, 1000), (300, 1000), (580, 200)]
            {
                assert_eq!(steps(rare, None, &own), wanted, "{output:?} {rare}");
            }
            assert_eq!(steps(20, Some(T::lit(2.0)), &own), 400);
            // What is asked for in so many words, and what has no such start.
            assert_eq!(steps(1, None, &BnnOptions { batch: 600, ..own }), 1000);
            assert_eq!(steps(1, None, &BnnOptions { rate: T::ONE, ..own }), 1000);
        }
        for method in [BnnMethod::Ensemble, BnnMethod::Map] {
            assert_eq!(steps(1, None, &BnnOptions::<T>::of(method, Output::Bernoulli, true)), 1000);
        }
        assert_eq!(steps(1, None, &BnnOptions::<T>::default()), 1000);
    }
    check::<f32>();
    check::<f64>();
}
