//! The prequential learner as an object: the same bits by any lanes, instructions and budget, copies, and what it refuses.

use crate::prequential::{finish, learner, stream};
use lcc_core::activation::Activation;
use lcc_core::checkpoint::{HEAD, Kind, checkpoint, restore, sealed_size};
use lcc_core::data::{DataError, Dataset, Inputs};
use lcc_core::estimator::Status;
use lcc_core::estimator::greedy_bayes::Form;
use lcc_core::estimator::prequential::{
    Averaging, Compiled, Prequential, PrequentialError, PrequentialOptions,
};
use lcc_core::prior::Prior;
use lcc_core::problem::ProblemError;
use lcc_core::simd::Isa;
use lcc_core::smc::SmcError;
use lcc_core::workspace::WorkspaceError;
use lcc_tests::posteriors::Aligned;

/// The state after some rows.
fn state<T: Compiled>(
    options: &PrequentialOptions<T>,
    isa: Isa,
    budget: u64,
) -> (Vec<u64>, Vec<u8>) {
    let (n, d) = (30, 3);
    let (x, y) = stream(n, d);
    let x: Vec<T> = x.iter().map(|x| T::lit(*x)).collect();
    let mut memory = Aligned::new(Prequential::size(options, n, d).unwrap());
    let mut run = Prequential::init(memory.bytes(), options, isa, n, d, None).unwrap();
    for (x, y) in x.chunks(d).zip(&y) {
        run.observe(x, T::lit(*y)).unwrap();
        while run.step(budget).unwrap() == Status::Running {}
    }
    let mut scratch = vec![T::ZERO; run.model_scratch()];
    let mut numbers = vec![run.losses().log.to_f64().to_bits(), run.progress().visits];
    for k in 0..options.levels as usize {
        let own = run.expectation(k, &[T::HALF; 3], &mut scratch).unwrap();
        numbers.push(own.to_f64().to_bits());
        numbers.push(run.level_report(k).unwrap().log_evidence.to_f64().to_bits());
    }
    let mut bytes = vec![0; run.model_size().unwrap()];
    let length = run.write_model(Averaging::Inclusive, &mut bytes, &mut scratch).unwrap();
    bytes.truncate(length);
    (numbers, bytes)
}

fn same_bits<T: Compiled>() {
    for (signed, prior) in
        [(false, Prior::Gaussian { sd: T::ONE }), (true, Prior::L1Ball { radius: T::lit(3.0) })]
    {
        let options = PrequentialOptions {
            levels: 3,
            particles: 32,
            keep: 7,
            either_sign: signed.into(),
            ..PrequentialOptions::default().with_prior(prior)
        };
        let first = state(&options, Isa::Portable, u64::MAX);
        for isa in Isa::all() {
            for lanes in [1, 8] {
                let options = PrequentialOptions { lanes, ..options };
                assert!(state(&options, isa, u64::MAX) == first, "{isa:?} {lanes}");
            }
        }
        assert!(state(&options, Isa::detect(), 1) == first);
        assert!(state(&options, Isa::detect(), 777) == first);
        let other = PrequentialOptions { seed: 2, ..options };
        assert!(state(&other, Isa::detect(), 777) != first);
    }
}

#[test]
fn neither_lanes_nor_instructions_nor_budgets_change_a_bit() {
    same_bits::<f64>();
    same_bits::<f32>();
}

#[test]
fn a_checkpoint_goes_on_with_the_same_bits() {
    let options = PrequentialOptions::<f64> { levels: 3, particles: 64, ..Default::default() };
    let (n, d) = (20, 3);
    let (x, y) = stream(n, d);
    let mut memory = Aligned::new(0);
    let mut run = learner(&mut memory, &options, n, d);
    for (x, y) in x.chunks(d).zip(&y).take(10) {
        finish(&mut run, x, *y);
    }
    // In the midst of a row.
    run.observe(&x[10 * d..11 * d], y[10]).unwrap();
    assert_eq!(run.step(1).unwrap(), Status::Running);
    assert_eq!(run.observe(&x[..d], 0.0).unwrap_err(), PrequentialError::Busy);
    let mut sealed = vec![0; sealed_size(memory.bytes().len()).unwrap()];
    checkpoint(memory.bytes(), Kind::Prequential, 64, &mut sealed).unwrap();
    let mut other = Aligned::new(memory.bytes().len());
    restore(&sealed, Kind::Prequential, 64, other.bytes()).unwrap();
    assert_eq!(sealed.len(), HEAD + memory.bytes().len());
    let mut results = Vec::new();
    for memory in [&mut memory, &mut other] {
        let mut run = Prequential::<f64>::open(memory.bytes(), Isa::detect()).unwrap();
        while run.step(1000).unwrap() == Status::Running {}
        for (x, y) in x.chunks(d).zip(&y).skip(11) {
            finish(&mut run, x, *y);
        }
        results.push((run.losses().log.to_bits(), run.losses().squared.to_bits()));
    }
    assert_eq!(results[0], results[1]);
    assert!(memory.bytes() == other.bytes());
    assert!(Prequential::<f32>::open(other.bytes(), Isa::detect()).is_err());
    other.bytes()[0] ^= 1;
    assert!(matches!(
        Prequential::<f64>::open(other.bytes(), Isa::detect()),
        Err(PrequentialError::NotALearner)
    ));
}

#[test]
fn bad_input_is_refused_by_name_and_changes_nothing() {
    let good =
        PrequentialOptions::<f64> { levels: 2, particles: 16, keep: 4, ..Default::default() };
    let nan = f64::NAN;
    use PrequentialError as E;
    for (options, error) in [
        (PrequentialOptions { levels: 0, ..good }, E::Levels),
        (PrequentialOptions { levels: 65536, ..good }, E::Levels),
        (PrequentialOptions { alpha: 0.0, ..good }, E::Alpha),
        (PrequentialOptions { alpha: nan, ..good }, E::Alpha),
        (PrequentialOptions { beta: 0.0, ..good }, E::Beta),
        (PrequentialOptions { beta: 1.5, ..good }, E::Beta),
        (PrequentialOptions { outer: -1.0, ..good }, E::Outer),
        (PrequentialOptions { outer: 1e200, ..good }, E::Outer),
        (PrequentialOptions { ess: 1.0, ..good }, E::Ess),
        (PrequentialOptions { noise: 0.0, ..good }, E::Noise),
        (PrequentialOptions { noise: 1e-200, ..good }, E::Noise),
        (PrequentialOptions { keep: 0, ..good }, E::Keep),
        (PrequentialOptions { keep: 17, ..good }, E::Keep),
        (PrequentialOptions { moves: 0, ..good }, E::Smc(SmcError::Moves)),
        (PrequentialOptions { lanes: 3, ..good }, E::Smc(SmcError::Lanes)),
        (PrequentialOptions { particles: 12, ..good }, E::Smc(SmcError::Particles)),
    ] {
        assert_eq!(Prequential::size(&options, 10, 2).unwrap_err(), error);
    }
    assert!(matches!(
        Prequential::size(&PrequentialOptions { scale: -1.0, ..good }, 10, 2),
        Err(E::Problem(ProblemError::Prior(_)))
    ));
    assert_eq!(Prequential::size(&good, 0, 2).unwrap_err(), E::Data(DataError::Empty));
    assert_eq!(Prequential::size(&good, 2, 0).unwrap_err(), E::Data(DataError::Empty));
    assert_eq!(
        Prequential::size(&good, 1 << 31, 1 << 60).unwrap_err(),
        E::Memory(WorkspaceError::Overflow)
    );

    let bytes = Prequential::size(&good, 2, 2).unwrap();
    let mut memory = Aligned::new(bytes + 16);
    let isa = Isa::detect();
    let short = &mut memory.bytes()[..bytes - 1];
    assert_eq!(
        Prequential::init(short, &good, isa, 2, 2, None).unwrap_err(),
        E::Memory(WorkspaceError::TooSmall)
    );
    assert_eq!(
        Prequential::init(&mut memory.bytes()[8..], &good, isa, 2, 2, None).unwrap_err(),
        E::Memory(WorkspaceError::Misaligned)
    );
    let constant = Dataset::new(Inputs::row_major(&[1.0, 2.0, 3.0, 4.0], 2, 2).unwrap(), &[1.0; 2]);
    assert!(matches!(
        Prequential::init(memory.bytes(), &good, isa, 2, 2, Some(&constant.unwrap())),
        Err(E::Standardise(_))
    ));

    let mut run = Prequential::init(memory.bytes(), &good, isa, 2, 2, None).unwrap();
    let not_finite = |row, column| E::Data(DataError::NotFiniteX { row, column });
    assert_eq!(run.observe(&[1.0, nan], 0.0).unwrap_err(), not_finite(0, 1));
    for far in [f64::INFINITY, nan, -1e12] {
        assert_eq!(run.observe(&[1.0, 2.0], far).unwrap_err(), E::Target);
    }
    assert_eq!(run.observe(&[1.0], 0.0).unwrap_err(), E::Data(DataError::TooShort));
    let mut scratch = vec![0.0; run.row_scratch()];
    assert_eq!(run.forecast(&[nan, 0.0], &mut scratch).unwrap_err(), not_finite(0, 0));
    assert_eq!(run.forecast(&[0.0, 0.0], &mut []).unwrap_err(), E::TooShort);
    assert_eq!(run.step(1).unwrap(), Status::Done);
    assert_eq!(run.rows(), 0);
    assert_eq!(run.last_forecast(), None);
    finish(&mut run, &[1.0, 2.0], 0.5);
    finish(&mut run, &[2.0, 1.0], 0.25);
    assert_eq!(run.observe(&[1.0, 2.0], 0.0).unwrap_err(), E::Full);
    let mut small = vec![0; run.model_size().unwrap() - 1];
    let mut scratch = vec![0.0; run.model_scratch()];
    assert!(run.write_model(Averaging::Last, &mut small, &mut scratch).is_err());
    assert_eq!(
        run.write_model(Averaging::Last, &mut small, &mut scratch[1..]).unwrap_err(),
        E::TooShort
    );

    // Squared ReLU under a wide Gaussian prior: improper as soon as a residual is large.
    let wide = PrequentialOptions {
        activation: Activation::SquaredRelu.into(),
        form: Form::Tilt.into(),
        intercept: false.into(),
        ..good
    };
    let mut memory = Aligned::new(0);
    let mut run = learner(&mut memory, &wide, 3, 2);
    run.observe(&[1.0, 1.0], 10.0).unwrap();
    let mut last = run.step(u64::MAX);
    assert_eq!(last.unwrap_err(), E::Problem(ProblemError::Improper));
    last = run.step(u64::MAX);
    assert!(last.is_err(), "the row stays refused");
}
