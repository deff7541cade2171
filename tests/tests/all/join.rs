//! Chains that ran apart, joined: the bits of one object, whatever the parts, their lanes and where they stood.

use lcc_core::activation::Activation;
use lcc_core::data::{Dataset, Inputs};
use lcc_core::estimator::{self, NetworkOptions, NetworkRegressor, RegressorError};
use lcc_core::prior::Prior;
use lcc_core::problem::Problem;
use lcc_core::sampler::{Compiled, Method, Sampler, SamplerError, SamplerOptions};
use lcc_core::simd::Isa;
use lcc_tests::posteriors::Aligned;

const ROWS: usize = 13;

/// Numbers without pattern in [-1, 1].
fn numbers(count: usize) -> Vec<f64> {
    let mut state = 12345_u64;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 40) as f64 / (1_u64 << 23) as f64 - 1.0
    };
    (0..count).map(|_| next()).collect()
}

fn data(values: &[f64]) -> Dataset<'_, f64> {
    let (x, y) = values.split_at(2 * ROWS);
    Dataset::new(Inputs::row_major(x, ROWS, 2).unwrap(), y).unwrap()
}

/// (first chain, chains, lanes) of 7 chains, cut in three ways.
const CUTS: [&[(u32, u32, u32)]; 3] =
    [&[(0, 7, 1)], &[(0, 4, 8), (4, 3, 1)], &[(0, 2, 1), (2, 2, 8), (4, 3, 1)]];

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|x| x.to_bits()).collect()
}

/// Draws, step sizes and evaluations.
fn outcome<T>(s: &Sampler<'_, T>) -> (Vec<u64>, u64)
where
    T: Compiled + Into<f64>,
{
    let mut all: Vec<f64> = s.record().iter().map(|x| (*x).into()).collect();
    all.extend((0..s.options().chains as usize).map(|c| s.step_size(c).unwrap().into()));
    (bits(&all), s.evaluations())
}

/// Parts brought to the end of iteration `at`.
fn parts<'m>(
    memory: &'m mut [Aligned],
    cut: &[(u32, u32, u32)],
    options: &SamplerOptions<f64>,
    problem: &Problem<'_, f64>,
    at: u32,
) -> Vec<Sampler<'m, f64>> {
    cut.iter()
        .zip(memory)
        .map(|(&(first_chain, chains, lanes), memory)| {
            let own = SamplerOptions { first_chain, chains, lanes, ..*options };
            *memory = Aligned::new(Sampler::size(&own, problem).unwrap());
            let mut part = Sampler::init(memory.bytes(), &own, Isa::detect(), problem).unwrap();
            while part.position().iterations < at {
                part.step(problem, 1).unwrap();
            }
            part
        })
        .collect()
}

fn given<P>(parts: &[P]) -> impl Iterator<Item = Result<&P, SamplerError>> + Clone {
    parts.iter().map(Ok)
}

fn empty(count: usize) -> Vec<Aligned> {
    (0..count).map(|_| Aligned::new(0)).collect()
}

#[test]
fn joined_chains_are_those_of_one_sampler_and_go_on_as_they_would() {
    let values = numbers(3 * ROWS);
    let priors = [Prior::Gaussian { sd: 1.5 }, Prior::L1Ball { radius: 2.0 }];
    for (method, prior) in [
        (Method::SplitHmc, priors[0]),
        (Method::CoupledGibbs, priors[0]),
        (Method::XiLangevin, priors[1]),
        (Method::XiMala, priors[1]),
        // Chains cost different numbers of evaluations.
        (Method::HitAndRun, priors[1]),
    ] {
        let problem = Problem::greedy(data(&values), Activation::Tanh, prior, 0.8).unwrap();
        let options = SamplerOptions {
            method: method.into(),
            chains: 7,
            lanes: 8,
            warmup: 10,
            draws: 12,
            stored: 5,
            inner: 2,
            ..Default::default()
        };
        let mut memory = empty(1);
        let [whole] = &parts(&mut memory, &[(0, 7, 8)], &options, &problem, 22)[..] else {
            unreachable!()
        };
        let whole = outcome(whole);
        for (cut, at) in CUTS.into_iter().flat_map(|cut| [(cut, 0), (cut, 4), (cut, 15), (cut, 22)])
        {
            let (mut memory, mut own) = (empty(3), empty(1));
            let parts = parts(&mut memory, cut, &options, &problem, at);
            // What the sampler held before does not matter.
            let mut joined = self::parts(&mut own, &[(0, 7, 8)], &options, &problem, 3);
            joined[0].join(given(&parts)).unwrap();
            assert_eq!(joined[0].position().iterations, at);
            while joined[0].position().iterations < 22 {
                joined[0].step(&problem, 1000).unwrap();
            }
            assert_eq!(outcome(&joined[0]), whole, "{method:?} {cut:?} from {at}");
            // And cut again: a part takes its share of a whole.
            let mut back = empty(1);
            let mut back = self::parts(&mut back, &[(2, 3, 8)], &options, &problem, 0);
            back[0].join(given(&joined)).unwrap();
            assert_eq!(back[0].step_size(1), joined[0].step_size(3));
        }
    }
}

#[test]
fn joined_pairs_are_those_of_one_sampler() {
    let values = numbers(3 * ROWS);
    let prior = Prior::Gaussian { sd: 1.5 };
    let problem = Problem::greedy(data(&values), Activation::Tanh, prior, 0.8).unwrap();
    let options = SamplerOptions {
        antithetic: true.into(),
        chains: 10,
        lanes: 8,
        warmup: 5,
        draws: 5,
        stored: 5,
        ..Default::default()
    };
    let (mut memory, mut own) = (empty(1), empty(1));
    let whole = outcome(&parts(&mut memory, &[(0, 10, 8)], &options, &problem, 10)[0]);
    let mut joined = parts(&mut own, &[(0, 10, 8)], &options, &problem, 0);
    for cut in [&[(0, 2, 8), (2, 8, 8)][..], &[(0, 6, 8), (6, 4, 8)]] {
        let mut memory = empty(2);
        let parts = parts(&mut memory, cut, &options, &problem, 10);
        joined[0].join(given(&parts)).unwrap();
        assert_eq!(outcome(&joined[0]), whole, "{cut:?}");
    }
}

#[test]
fn parts_that_do_not_fit_are_refused() {
    let values = numbers(3 * ROWS);
    let prior = Prior::Gaussian { sd: 1.5 };
    let problem = Problem::greedy(data(&values), Activation::Tanh, prior, 0.8).unwrap();
    let options =
        SamplerOptions { chains: 7, warmup: 3, draws: 4, stored: 4, ..Default::default() };
    let check =
        |cut: &[(u32, u32, u32)], options: &SamplerOptions<f64>, at: [u32; 2], more: u64| {
            let (mut first, mut rest, mut own) = (empty(1), empty(3), empty(1));
            let mut all = parts(&mut first, &cut[..1], options, &problem, at[0]);
            all.extend(parts(&mut rest, &cut[1..], options, &problem, at[1]));
            for _ in 0..more {
                all[0].step(&problem, 1).unwrap();
            }
            let whole = SamplerOptions { chains: 7, stored: 4, ..Default::default() };
            let whole = SamplerOptions { warmup: 3, draws: 4, ..whole };
            let mut joined = parts(&mut own, &[(0, 7, 8)], &whole, &problem, 0);
            let result = joined[0].join(given(&all));
            assert!(result.is_ok() || joined[0].position().iterations == 0, "nothing has changed");
            result
        };
    let cut = [(0, 4, 8), (4, 3, 8)];
    assert_eq!(check(&cut, &options, [2, 2], 0), Ok(()));
    let refused = Err(SamplerError::Parts);
    assert_eq!(check(&cut, &options, [3, 2], 0), refused, "different iterations");
    assert_eq!(check(&cut[..1], &options, [2, 2], 0), refused, "chains left out");
    assert_eq!(check(&[(1, 4, 8), (5, 3, 8)], &options, [2, 2], 0), refused, "the first");
    assert_eq!(check(&[(0, 3, 8), (4, 3, 8)], &options, [2, 2], 0), refused, "a gap");
    assert_eq!(check(&[(4, 3, 8), (0, 4, 8)], &options, [2, 2], 0), refused, "another order");
    let other = SamplerOptions { seed: 2, ..options };
    assert_eq!(check(&cut, &other, [2, 2], 0), refused, "another seed");
    // Two blocks of one lane each: after one more step the first is ahead of the second.
    assert_eq!(check(&[(0, 2, 1), (2, 5, 8)], &options, [2, 2], 1), refused, "in an iteration");
    let end = SamplerOptions { first_chain: u32::MAX - 9, chains: 7, ..options };
    assert_eq!(Sampler::size(&end, &problem), Err(SamplerError::Chains));
    let odd = SamplerOptions { first_chain: 1, chains: 2, antithetic: true.into(), ..options };
    assert_eq!(Sampler::size(&odd, &problem), Err(SamplerError::Pairs));
}

#[test]
fn joined_regressors_write_the_model_of_one() {
    let values = numbers(3 * ROWS);
    let data = data(&values);
    let options = NetworkOptions {
        neurons: 2,
        chains: 7,
        lanes: 1,
        warmup: 8,
        draws: 6,
        keep: 3,
        start_steps: 10,
        leapfrogs: 3,
        early_leapfrogs: 2,
        ..NetworkOptions::default()
    };
    type Network<'a> = NetworkRegressor<'a, f64>;
    // Units of work of every block.
    let run = |memory: &mut Aligned, cut: (u32, u32, u32), units: u32| {
        let (first_chain, chains, lanes) = cut;
        let own = NetworkOptions { first_chain, chains, lanes, ..options };
        *memory = Aligned::new(Network::size(&own, ROWS, 2).unwrap());
        let mut network = Network::init(memory.bytes(), &own, Isa::detect(), &data).unwrap();
        for _ in 0..units * chains.div_ceil(lanes) {
            network.step(&data, 1).unwrap();
        }
    };
    let finish = |memory: &mut Aligned| {
        let mut network = Network::open(memory.bytes(), Isa::detect()).unwrap();
        while network.step(&data, 1000).unwrap() == estimator::Status::Running {}
        let mut model = vec![0; network.model_size().unwrap()];
        let length = network.write_model(&mut model).unwrap();
        model.truncate(length);
        let steps: Vec<_> = (0..7).map(|c| network.step_size(c).unwrap()).collect();
        assert!(network.step_size(7).is_none());
        let traces: Vec<_> = (0..7)
            .map(|c| (network.mean_log_likelihood(c).to_bits(), network.acceptance(c).to_bits()))
            .collect();
        (model, bits(&steps), traces, network.progress())
    };
    let mut whole = Aligned::new(0);
    run(&mut whole, (0, 7, 1), 0);
    let whole = finish(&mut whole);
    for (cut, units) in CUTS.into_iter().flat_map(|cut| [(cut, 7), (cut, 33), (cut, 40), (cut, 44)])
    {
        let mut memory = empty(cut.len());
        for (memory, cut) in memory.iter_mut().zip(cut) {
            run(memory, *cut, units);
        }
        let mut joined = Aligned::new(0);
        run(&mut joined, (0, 7, 8), 1);
        let parts: Vec<Network<'_>> =
            memory.iter_mut().map(|m| Network::open(m.bytes(), Isa::detect()).unwrap()).collect();
        {
            let mut network = Network::open(joined.bytes(), Isa::detect()).unwrap();
            network.join(parts.iter().map(Ok::<_, RegressorError>)).unwrap();
            let missing = network.join(parts[1..].iter().map(Ok::<_, RegressorError>));
            assert_eq!(missing, Err(RegressorError::Parts));
        }
        assert!(finish(&mut joined) == whole, "{cut:?} after {units} units");
    }
}
