//! Few rows by default. Which chains a model leaves out: none for fitting the training rows less closely than another, where
//! the closest overfit; those without a number, and those far worse than a model without inputs. And more inputs than rows.

use crate::bnn::run;
use lcc_core::data::{Dataset, Inputs};
use lcc_core::diagnostics::Draws;
use lcc_core::estimator::{Bnn, BnnMethod, BnnOptions, NetworkOptions, NetworkRegressor, Status};
use lcc_core::network::Output;
use lcc_core::posterior::Image;
use lcc_core::predict::NetworkPredictor;
use lcc_core::random::{Purpose, Stream};
use lcc_core::simd::Isa;
use lcc_tests::posteriors::Aligned;
use lcc_tests::tools::runs;

const ROWS: usize = 30;
const CHAINS: usize = 6;
const KEPT: usize = 2;

/// Three inputs, and a target that has nothing to do with them.
fn noise(output: Output) -> (Vec<f64>, Vec<f64>) {
    let mut stream = Stream::new(3, 0, Purpose::Predictive);
    let x = (0..3 * ROWS).map(|_| stream.normal()).collect();
    let y = (0..ROWS).map(|k| match output as i32 {
        0..=3 => 5.0 + 2.0 * stream.normal::<f64>(),
        9 | 11 => (0.1 * stream.normal::<f64>()).exp(),
        4 => (k % 2) as f64,
        _ => (k % 3) as f64,
    });
    (x, y.collect())
}

fn data<'a>((x, y): &'a (Vec<f64>, Vec<f64>)) -> Dataset<'a, f64> {
    Dataset::new(Inputs::row_major(x, ROWS, 3).unwrap(), y).unwrap()
}

/// The chains, of rows whose noise some fit and some do not: a distance of one nat to the best would leave most out.
#[test]
fn few_rows_leave_no_chain_out() {
    let table = noise(Output::StudentT);
    let data = data(&table);
    // A prior by which chains overfit.
    let wide = BnnOptions { input_scale: 1.0, noise_rate: 5e-5, ..BnnOptions::default() };
    let options = BnnOptions { chains: 16, ..wide };
    let mut memory = Aligned::new(0);
    let network = run(&mut memory, &options, &data);
    let all: Vec<f64> = (0..16).map(|c| network.mean_log_likelihood(c)).collect();
    let best = all.iter().fold(f64::MIN, |best, x| best.max(*x));
    let far = all.iter().filter(|x| **x < best - 1.0).count();
    assert!(far >= 8, "nothing overfits: {all:?}");
    assert_eq!(network.chains_dropped(), 0, "{all:?}");
}

/// What the log likelihoods of the draws are to become: `values`, one a chain.
fn changes(trace: &Draws<'_, f64>, values: &[f64; CHAINS]) -> Vec<([u8; 8], f64)> {
    let of = |c: usize| (0..trace.draws()).map(move |t| (trace.at(c, t).to_ne_bytes(), values[c]));
    (0..CHAINS).flat_map(of).collect()
}

/// In the state's memory.
fn change(memory: &mut Aligned, changes: &[([u8; 8], f64)]) {
    for word in memory.bytes().chunks_exact_mut(8) {
        if let Some((_, value)) = changes.iter().find(|(old, _)| word == old) {
            word.copy_from_slice(&value.to_ne_bytes());
        }
    }
}

/// Log likelihoods of all rows: of a chain 1.5 nats a row worse than the constant, one a little worse, one that overfits, one
/// without a number and two about the constant; then all far below it. Different, for they are found by their bits.
fn cases(constant: f64) -> [[f64; CHAINS]; 2] {
    let n = ROWS as f64;
    let away = [-1.5, -0.5, 6.0, f64::NAN, -0.1, 0.1];
    [away.map(|a| n * (constant + a)), [2.5, 2.0, 2.1, 2.2, 2.3, 2.4].map(|a| n * (constant - a))]
}

fn dropped(output: Output, options: &BnnOptions<f64>, constant: f64) -> [Vec<usize>; 2] {
    let table = noise(output);
    let data = data(&table);
    let isa = Isa::detect();
    let mut memory = Aligned::new(0);
    run(&mut memory, options, &data);
    cases(constant).map(|values| {
        let network = Bnn::<f64>::open(memory.bytes(), isa).unwrap();
        let changes = changes(&network.log_likelihood_trace().unwrap(), &values);
        change(&mut memory, &changes);
        let network = Bnn::<f64>::open(memory.bytes(), isa).unwrap();
        let out: Vec<usize> = (0..CHAINS).filter(|c| network.dropped(*c)).collect();
        assert_eq!(network.chains_dropped(), out.len());
        let mut model = vec![0; network.model_size().unwrap()];
        let length = network.write_model(&mut model).unwrap();
        assert_eq!(Image::open(&model[..length]).unwrap().draws(), (CHAINS - out.len()) * KEPT);
        out
    })
}

fn short(output: Output) -> BnnOptions<f64> {
    BnnOptions {
        widths: [3, 0, 0, 0],
        output: output.into(),
        categories: 3,
        chains: CHAINS as u32,
        lanes: 1,
        start_steps: 9,
        warmup: 2,
        draws: 3,
        keep: KEPT as u32,
        leapfrogs: 3,
        ..BnnOptions::default()
    }
}

#[test]
fn of_every_output_what_is_far_worse_than_the_constant_is_left_out() {
    let normal = -0.5 * (1.0 + (2.0 * std::f64::consts::PI).ln());
    for output in Output::ALL {
        let (constant, knows) = match output {
            Output::Bernoulli => (0.5_f64.ln(), true),
            Output::Softmax | Output::Ordinal => ((1.0 / 3.0_f64).ln(), true),
            own if own.is_counts() || own.has_hurdle() || own.is_gamma() => (-2.0, false),
            _ => (normal, true),
        };
        let options = short(output);
        let [one, all] = dropped(output, &options, constant);
        assert_eq!(one, if knows { vec![0, 3] } else { vec![3] }, "{output:?}");
        assert_eq!(all, [0_usize; 0], "{output:?}: no chain is better");
        let off = BnnOptions { drop: false.into(), ..options };
        assert_eq!(
            dropped(output, &off, constant),
            [const { Vec::<usize>::new() }; 2],
            "{output:?}"
        );
        let near = BnnOptions { drop_below: 0.25, ..options };
        let [one, _] = dropped(output, &near, constant);
        assert_eq!(one, if knows { vec![0, 1, 3] } else { vec![3] }, "{output:?}: nearer");
        // Where the constant is not known, or no measure.
        let real = matches!(output as i32, 0..=3 | 9);
        let raw = BnnOptions { standardise: false.into(), ..options };
        let [one, _] = dropped(output, &raw, constant);
        assert_eq!(one, if knows && !real { vec![0, 3] } else { vec![3] }, "{output:?}: raw");
    }
    let student = Output::StudentT;
    let known = BnnOptions { noise: 0.1, ..short(student) };
    assert_eq!(dropped(student, &known, normal)[0], [3], "known noise");
    let tempered = BnnOptions { method: BnnMethod::Tempered.into(), batch: 10, ..short(student) };
    assert_eq!(dropped(student, &tempered, normal)[0], [3], "tempered");
}

#[test]
fn so_does_the_regressor() {
    let table = noise(Output::StudentT);
    let data = data(&table);
    let isa = Isa::detect();
    let normal = -0.5 * (1.0 + (2.0 * std::f64::consts::PI).ln());
    for standardise in [true, false] {
        let options = NetworkOptions {
            neurons: 2,
            chains: CHAINS as u32,
            lanes: 1,
            warmup: 3,
            draws: 4,
            keep: KEPT as u32,
            starts: 0,
            standardise: standardise.into(),
            ..NetworkOptions::default()
        };
        let mut memory = Aligned::new(NetworkRegressor::size(&options, ROWS, 3).unwrap());
        let mut regressor = NetworkRegressor::init(memory.bytes(), &options, isa, &data).unwrap();
        while regressor.step(&data, u64::MAX).unwrap() == Status::Running {}
        let [one, all] = cases(normal).map(|values| {
            let regressor = NetworkRegressor::<f64>::open(memory.bytes(), isa).unwrap();
            let changes = changes(&regressor.log_likelihood_trace().unwrap(), &values);
            change(&mut memory, &changes);
            let regressor = NetworkRegressor::<f64>::open(memory.bytes(), isa).unwrap();
            (0..CHAINS).filter(|c| regressor.dropped(*c)).collect::<Vec<usize>>()
        });
        assert_eq!(one, if standardise { vec![0, 3] } else { vec![3] });
        assert_eq!(all, [0_usize; 0]);
    }
}

/// With twice as many inputs as rows, two of which count, 90 % intervals hold new rows: by the prior's rules for them, without
/// which chains fit every row, noise and all.
#[test]
fn more_inputs_than_rows_leave_intervals_that_hold() {
    const INPUTS: usize = 80;
    let mut stream = Stream::new(8, 0, Purpose::Predictive);
    let mut table = |rows: usize| -> (Vec<f64>, Vec<f64>) {
        let x: Vec<f64> = (0..rows * INPUTS).map(|_| stream.normal()).collect();
        let y = x.chunks(INPUTS).map(|x| 2.0 * x[0] - x[1] + stream.normal::<f64>()).collect();
        (x, y)
    };
    let ((x, y), (u, v)) = (table(40), table(runs(200, 1000)));
    let data = Dataset::new(Inputs::row_major(&x, y.len(), INPUTS).unwrap(), &y).unwrap();
    let coverage = |options: BnnOptions<f64>| {
        let mut memory = Aligned::new(0);
        let network = run(&mut memory, &options, &data);
        let mut model = vec![0; network.model_size().unwrap()];
        let length = network.write_model(&mut model).unwrap();
        let image = Image::open(&model[..length]).unwrap();
        let mut own = vec![0.0; NetworkPredictor::<f64>::buffer_len(&image)];
        let predictor = NetworkPredictor::new(Isa::detect(), image, &mut own).unwrap();
        let mut scratch = vec![0.0; predictor.row_scratch()];
        let held = u.chunks(INPUTS).zip(&v).filter(|(u, v)| {
            let p = predictor.law(u, &mut scratch).unwrap().prediction(0.9);
            p.lower <= **v && **v <= p.upper
        });
        held.count() as f64 / v.len() as f64
    };
    let short = BnnOptions { chains: 8, leapfrogs: 120, ..BnnOptions::default() };
    let ruled = coverage(short);
    let flat = coverage(BnnOptions { input_scale: 1.0, noise_rate: 5e-5, ..short });
    println!("{ruled}, {flat} without the rules");
    assert!((0.84..0.99).contains(&ruled) && flat < 0.7, "{ruled} {flat}");
}
