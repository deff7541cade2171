//! The papers' algorithms over the same splits: batch and prequential Greedy Bayes by their defaults.

use super::{cpu_seconds, numbers, scores};
use lcc_core::data::{Dataset, Inputs};
use lcc_core::estimator::prequential::{self, Averaging, Prequential, PrequentialOptions};
use lcc_core::estimator::{GreedyBayes, GreedyOptions, Status, greedy_bayes};
use lcc_core::predict;
use lcc_core::predict::Evaluation;
use lcc_core::simd::Isa;
use lcc_tests::datasets::{Memory, Split, Table};

/// RMSE, mean log density, coverage and seconds.
type Row = [f64; 4];

fn row<T: lcc_core::scalar::Real>(e: Evaluation<T>, seconds: f64) -> Row {
    [e.rmse.to_f64(), e.log_likelihood.to_f64(), e.coverage.to_f64(), seconds]
}

fn batch<T: greedy_bayes::Compiled + predict::Compiled>(
    options: &GreedyOptions<T>,
    split: &Split,
) -> Row {
    let d = split.inputs;
    let (x, y) = (numbers::<T>(&split.train_x), numbers::<T>(&split.train_y));
    let data = Dataset::new(Inputs::row_major(&x, y.len(), d).unwrap(), &y).unwrap();
    let mut memory = Memory::new(GreedyBayes::size(options, y.len(), d).unwrap());
    let start = cpu_seconds();
    let mut fit = GreedyBayes::init(memory.bytes(), options, Isa::detect(), &data).unwrap();
    while fit.step(&data, u64::MAX).unwrap() != Status::Done {}
    let seconds = cpu_seconds() - start;
    let mut model = vec![0; fit.model_size().unwrap()];
    let mut scratch = vec![T::ZERO; fit.model_scratch()];
    let length = fit.write_model(&mut model, &mut scratch).unwrap();
    row(scores::<T>(&model[..length], split), seconds)
}

/// The model given all rows, and the forecasts of each of them.
fn online<T: prequential::Compiled>(
    options: &PrequentialOptions<T>,
    split: &Split,
) -> (Row, [f64; 2]) {
    let d = split.inputs;
    let (x, y) = (numbers::<T>(&split.train_x), numbers::<T>(&split.train_y));
    let data = Dataset::new(Inputs::row_major(&x, y.len(), d).unwrap(), &y).unwrap();
    let mut memory = Memory::new(Prequential::size(options, y.len(), d).unwrap());
    let start = cpu_seconds();
    let isa = Isa::detect();
    let mut learner =
        Prequential::init(memory.bytes(), options, isa, y.len(), d, Some(&data)).unwrap();
    for (x, y) in x.chunks(d).zip(&y) {
        learner.observe(x, *y).unwrap();
        while learner.step(u64::MAX).unwrap() != Status::Done {}
    }
    let seconds = cpu_seconds() - start;
    let mut model = vec![0; learner.model_size().unwrap()];
    let mut scratch = vec![T::ZERO; learner.model_scratch()];
    let length = learner.write_model(Averaging::Last, &mut model, &mut scratch).unwrap();
    let losses = learner.losses();
    let rows = losses.rows as f64;
    let ahead = [(losses.squared.to_f64() / rows).sqrt(), -losses.log.to_f64() / rows];
    (row(scores::<T>(&model[..length], split), seconds), ahead)
}

/// One line of the table.
pub(super) fn line<T: greedy_bayes::Compiled + prequential::Compiled>(
    set: &str,
    table: &Table,
    splits: usize,
    small: bool,
    values: &[(String, f64)],
) {
    let mut greedy = GreedyOptions::<T>::default();
    let mut learner = PrequentialOptions::<T>::default();
    for (name, x) in values {
        match name.as_str() {
            "levels" => (greedy.levels, learner.levels) = (*x as u32, *x as u32),
            "particles" => (greedy.particles, learner.particles) = (*x as u32, *x as u32),
            "outer" => (greedy.outer, learner.outer) = (T::lit(*x), T::lit(*x)),
            "alpha" => (greedy.alpha, learner.alpha) = (T::lit(*x), T::lit(*x)),
            "beta" => (greedy.beta, learner.beta) = (T::lit(*x), T::lit(*x)),
            "scale" => {
                (greedy.scale, learner.scale) = (T::lit(*x), T::lit(*x));
            }
            "splits" => {}
            _ => panic!("unknown option {name}"),
        }
    }
    let only = values.iter().any(|(name, _)| name != "splits");
    let (mut a, mut b, mut c) = ([0.0; 4], [0.0; 4], [0.0; 2]);
    for k in 0..splits {
        let split = table.split(k, small);
        if !only {
            let own = batch(&greedy, &split);
            a.iter_mut().zip(own).for_each(|(a, x)| *a += x / splits as f64);
        }
        let (own, ahead) = online(&learner, &split);
        b.iter_mut().zip(own).for_each(|(b, x)| *b += x / splits as f64);
        c.iter_mut().zip(ahead).for_each(|(c, x)| *c += x / splits as f64);
    }
    let [[rmse, ll, cover, seconds], [rmse_b, ll_b, cover_b, seconds_b]] = [a, b];
    let [rmse_c, ll_c] = c;
    println!(
        "| {set} | {rmse:.3} | {ll:.3} | {cover:.3} | {seconds:.2} | {rmse_b:.3} | {ll_b:.3} | \
         {cover_b:.3} | {seconds_b:.2} | {rmse_c:.3} | {ll_c:.3} |"
    );
}
