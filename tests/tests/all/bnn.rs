//! The Bayesian network as an object: its memory, its budget, resuming, lanes, joining, the point; and its law
//! where that is known.

use lcc_core::checkpoint::{self, Kind};
use lcc_core::data::{DataError, Dataset, Inputs};
use lcc_core::estimator::bnn::{BnnOptionsError, Compiled, Status};
use lcc_core::estimator::{Bnn, BnnError, BnnMethod, BnnOptions};
use lcc_core::network::{Output, Scales};
use lcc_core::posterior::Image;
use lcc_core::random::{Purpose, Stream};
use lcc_core::scalar::Real;
use lcc_core::simd::{Isa, has_lanes};
use lcc_core::workspace::WorkspaceError;
use lcc_tests::posteriors::Aligned;

const ROWS: usize = 19;

/// Two inputs, the second positive, and a target that an output can have.
fn table<T: Real>(output: Output) -> (Vec<T>, Vec<T>) {
    let mut stream = Stream::new(3, 0, Purpose::Predictive);
    let x: Vec<f64> = (0..2 * ROWS)
        .map(|_| stream.normal::<f64>())
        .collect::<Vec<_>>()
        .chunks(2)
        .flat_map(|r| [r[0], 0.5 + r[1].abs()])
        .collect();
    let y = x.chunks(2).map(|row| match output as i32 {
        0..=3 => (2.0 * row[0]).sin() + row[1] + 0.1 * stream.normal::<f64>(),
        4 => (row[0] > 0.2) as i32 as f64,
        5 | 8 => ((row[0] > 0.2) as i32 + (row[1] > 1.0) as i32) as f64,
        9 => (2.0 * row[0]).sin().exp() * row[1],
        10 if row[0] < 0.0 => 0.0,
        10 => row[0] * row[1],
        _ => (row[1] * 3.0).floor(),
    });
    let y = y.map(T::lit).collect();
    (x.into_iter().map(T::lit).collect(), y)
}

pub(crate) fn data<'a, T: Real>((x, y): &'a (Vec<T>, Vec<T>)) -> Dataset<'a, T> {
    Dataset::new(Inputs::row_major(x, y.len(), x.len() / y.len()).unwrap(), y).unwrap()
}

/// A run of a moment.
fn short<T: Real>(output: Output) -> BnnOptions<T> {
    BnnOptions {
        widths: [3, 2, 0, 0],
        output: output.into(),
        categories: 3,
        chains: 7,
        lanes: 1,
        start_steps: 12,
        warmup: 4,
        draws: 5,
        keep: 2,
        leapfrogs: 4,
        trace_rows: 3,
        ..BnnOptions::default()
    }
}

fn memory<T: Compiled>(options: &BnnOptions<T>, data: &Dataset<'_, T>) -> Aligned {
    Aligned::new(Bnn::size(options, data.n(), data.d()).unwrap())
}

/// Brought to its end.
pub(crate) fn run<'m, T: Compiled>(
    memory: &'m mut Aligned,
    options: &BnnOptions<T>,
    data: &Dataset<'_, T>,
) -> Bnn<'m, T> {
    run_by(memory, options, data, u64::MAX)
}

/// The same by steps of a budget.
fn run_by<'m, T: Compiled>(
    memory: &'m mut Aligned,
    options: &BnnOptions<T>,
    data: &Dataset<'_, T>,
    budget: u64,
) -> Bnn<'m, T> {
    *memory = self::memory(options, data);
    let mut network = Bnn::init(memory.bytes(), options, Isa::detect(), data).unwrap();
    while network.step(data, budget).unwrap() == Status::Running {}
    network
}

pub(crate) fn image<T: Compiled>(network: &Bnn<'_, T>, point: bool) -> Vec<u8> {
    let mut bytes = vec![0; network.model_size().unwrap()];
    let length = match point {
        true => network.write_point(&mut bytes),
        false => network.write_model(&mut bytes),
    };
    bytes.truncate(length.unwrap());
    Image::open(&bytes).unwrap();
    bytes
}

/// Everything that a network at its end tells, in bits.
fn told<T: Compiled + Into<f64>>(network: &Bnn<'_, T>) -> (Vec<u8>, Vec<u8>, Vec<u64>, [u64; 4]) {
    let mut numbers: Vec<T> = Vec::new();
    let mut scratch = vec![T::ZERO; 2 * network.traced_predictions()];
    let luck = network.luck(&mut scratch);
    numbers.extend([luck.rms, luck.median]);
    let predictions = (0..network.traced_predictions()).map(|k| network.prediction_trace(k));
    let traces = [
        network.log_likelihood_trace(),
        network.acceptance_trace(),
        network.divergence_trace(),
        network.energy_trace(),
    ];
    for trace in traces.into_iter().chain(predictions) {
        let trace = trace.unwrap();
        let draws = trace.draws();
        numbers.extend((0..trace.chains()).flat_map(|c| (0..draws).map(move |t| trace.at(c, t))));
    }
    let bits = numbers.into_iter().map(|x| x.into().to_bits()).collect();
    let counts = [
        network.gradients(),
        network.divergences(),
        network.chains_dropped() as u64,
        network.finished() as u64,
    ];
    (image(network, false), image(network, true), bits, counts)
}

/// Lanes, budgets, precisions, copies in the middle: the same bits.
fn same_bits<T: Compiled + Into<f64>>() {
    for output in Output::ALL {
        let table = table::<T>(output);
        let data = data(&table);
        let options = short::<T>(output);
        let mut own = Aligned::new(0);
        let whole = told(&run(&mut own, &options, &data));
        let start = u64::from(options.start_for(&data));
        assert!(whole.3[0] >= 7 * (start + 9 * 5));
        if has_lanes(8) {
            let wide = BnnOptions { lanes: 8, ..options };
            let network = run_by(&mut own, &wide, &data, 1000);
            let (model, point, bits, counts) = told(&network);
            assert!((&model, &bits, &counts) == (&whole.0, &whole.2, &whole.3), "{output:?}");
            assert!(point == whole.1, "{output:?}: the point");
        }
        // In steps of one unit, moved and sealed on the way.
        let mut here = memory(&options, &data);
        Bnn::init(here.bytes(), &options, Isa::detect(), &data).unwrap();
        let mut steps = 0_u64;
        loop {
            let mut network = Bnn::<T>::open(here.bytes(), Isa::detect()).unwrap();
            assert_eq!(network.units(), (steps, 7 * (start + 9)));
            let status = network.step(&data, 1).unwrap();
            steps += 1;
            if status == Status::Done {
                break;
            }
            if steps.is_multiple_of(17) {
                let size = checkpoint::sealed_size(here.bytes().len()).unwrap();
                let mut sealed = vec![0; size];
                checkpoint::checkpoint(here.bytes(), Kind::Bnn, T::BITS, &mut sealed).unwrap();
                here = memory(&options, &data);
                checkpoint::restore(&sealed, Kind::Bnn, T::BITS, here.bytes()).unwrap();
            }
        }
        let network = Bnn::<T>::open(here.bytes(), Isa::Portable).unwrap();
        assert!(told(&network) == whole, "{output:?}: unit by unit");
    }
}

#[test]
fn no_lanes_budget_or_copy_changes_a_bit_f64() {
    same_bits::<f64>();
}

#[test]
fn no_lanes_budget_or_copy_changes_a_bit_f32() {
    same_bits::<f32>();
}

#[test]
fn size_is_what_init_takes() {
    let table = table::<f64>(Output::StudentT);
    let data = data(&table);
    for widths in [[0; 4], [4, 0, 0, 0], [2, 3, 2, 4]] {
        for standardise in [false, true] {
            let standardise = standardise.into();
            let options = BnnOptions { widths, standardise, ..short(Output::StudentT) };
            let size = Bnn::size(&options, ROWS, 2).unwrap();
            let mut small = Aligned::new(size - 1);
            let refused = Bnn::init(small.bytes(), &options, Isa::detect(), &data);
            let error = refused.err();
            assert_eq!(error, Some(BnnError::Workspace(WorkspaceError::TooSmall)));
            let mut fits = Aligned::new(size);
            Bnn::init(fits.bytes(), &options, Isa::detect(), &data).unwrap();
            assert_eq!(
                Bnn::<f32>::open(fits.bytes(), Isa::detect()).err(),
                Some(BnnError::NotANetwork)
            );
            let mut empty = Aligned::new(size);
            assert_eq!(
                Bnn::<f64>::open(empty.bytes(), Isa::detect()).err(),
                Some(BnnError::NotANetwork)
            );
        }
    }
    // The number of chains where none is asked for: by the work, in sixteens.
    let open = BnnOptions { chains: 0, ..short::<f64>(Output::StudentT) };
    let row = 2 * 22 + 22 * 5;
    for n in [1, 1000, 10_000, 100_000, usize::MAX] {
        let asked = (5.5e7 / (row as f64 * n as f64) / 16.0).ceil() * 16.0;
        assert_eq!(open.chains_for(n, 2) as f64, asked.clamp(24.0, 288.0), "{n}");
    }
    assert_eq!(Bnn::size(&open, usize::MAX, 2), Err(WorkspaceError::Overflow.into()));
    assert_eq!(Bnn::size(&open, 9, usize::MAX), Err(WorkspaceError::Overflow.into()));
    assert_eq!(Bnn::size(&open, 0, 2), Err(BnnError::Data(DataError::Empty)));
}

#[test]
fn joined_parts_are_the_whole() {
    type Cut<'c> = &'c [(u32, u32, u32)];
    let cuts: [Cut<'_>; 4] = [
        &[(0, 7, 1)],
        &[(0, 4, 8), (4, 3, 1)],
        &[(0, 2, 1), (2, 2, 8), (4, 3, 1)],
        // Chains that two parts ran.
        &[(0, 5, 1), (2, 5, 1)],
    ];
    for output in [Output::StudentT, Output::Softmax, Output::NegativeBinomial] {
        let table = table::<f64>(output);
        let data = data(&table);
        let options = short::<f64>(output);
        let mut own = Aligned::new(0);
        let whole = told(&run(&mut own, &options, &data));
        for cut in cuts {
            let mut places: Vec<Aligned> = cut.iter().map(|_| Aligned::new(0)).collect();
            let parts: Vec<_> = places
                .iter_mut()
                .zip(cut)
                .map(|(memory, &(first_chain, chains, lanes))| {
                    let lanes = if has_lanes(lanes) { lanes } else { 1 };
                    run_by(
                        memory,
                        &BnnOptions { first_chain, chains, lanes, ..options },
                        &data,
                        5000,
                    )
                })
                .collect();
            let mut memory = self::memory(&options, &data);
            let mut joined = Bnn::init(memory.bytes(), &options, Isa::detect(), &data).unwrap();
            joined.step(&data, 1000).unwrap();
            joined.join(parts.iter().map(Ok::<_, BnnError>)).unwrap();
            assert!(told(&joined) == whole, "{output:?} {cut:?}");
            assert_eq!(joined.step(&data, 1000), Ok(Status::Done));
            let mut fresh = self::memory(&options, &data);
            let mut fresh = Bnn::init(fresh.bytes(), &options, Isa::detect(), &data).unwrap();
            let missing = fresh.join(parts[1..].iter().map(Ok::<_, BnnError>));
            assert_eq!(missing, Err(BnnError::Parts));
            assert_eq!(fresh.units().0, 0, "nothing has changed");
        }
    }
}

/// Whatever it has done itself, and wherever it stands in a block.
#[test]
fn a_network_goes_on_where_parts_end_and_parts_where_it_stands() {
    let table = table::<f64>(Output::NegativeBinomial);
    let data = data(&table);
    for lanes in [1, 8] {
        let options = BnnOptions { lanes, chains: 11, ..short::<f64>(Output::NegativeBinomial) };
        if !has_lanes(lanes) {
            continue;
        }
        let mut own = Aligned::new(0);
        let whole = told(&run(&mut own, &options, &data));
        for budget in [0, 1000, 30_000, 60_000] {
            let mut memory = self::memory(&options, &data);
            let mut joined = Bnn::init(memory.bytes(), &options, Isa::detect(), &data).unwrap();
            let _ = joined.step(&data, budget).unwrap();
            let stands = joined.finished() as u32;
            let cuts = [(stands, 2), (stands, 8), (stands + 8, 1), (stands + 8, 3)];
            for (first_chain, chains) in cuts {
                let mut place = Aligned::new(0);
                let part = BnnOptions { first_chain, chains, lanes: 1, ..options };
                let part = run_by(&mut place, &part, &data, 5000);
                let end = first_chain + chains;
                let (gap, beyond) = (first_chain > joined.finished() as u32, end > 11);
                let inside = end % lanes > 0 && end < 11;
                let refused = gap || beyond || inside;
                let result = joined.join([Ok::<_, BnnError>(&part)].into_iter());
                assert_eq!(result.is_err(), refused, "{lanes} {budget} {first_chain} {chains}");
            }
            while joined.step(&data, 7777).unwrap() == Status::Running {}
            assert!(told(&joined) == whole, "{lanes} lanes, {budget}");
        }
    }
}

#[test]
fn parts_that_do_not_fit_are_refused() {
    let table = table::<f64>(Output::Gaussian);
    let data = data(&table);
    let options = short::<f64>(Output::Gaussian);
    let mut place = memory(&options, &data);
    let mut whole = Bnn::init(place.bytes(), &options, Isa::detect(), &data).unwrap();
    let mut refused = |own: BnnOptions<f64>, data: &Dataset<'_, f64>, budget| {
        let mut memory = self::memory(&own, data);
        let mut part = Bnn::init(memory.bytes(), &own, Isa::detect(), data).unwrap();
        let _ = part.step(data, budget).unwrap();
        let joined = whole.join([Ok::<_, BnnError>(&part)].into_iter());
        assert!(joined.is_ok() || whole.units().0 == 0, "nothing has changed");
        joined == Err(BnnError::Parts)
    };
    let all = u64::MAX;
    assert!(refused(BnnOptions { seed: 2, ..options }, &data, all), "another seed");
    assert!(refused(BnnOptions { widths: [3, 3, 0, 0], ..options }, &data, all), "other layers");
    assert!(refused(BnnOptions { first_chain: 1, ..options }, &data, all), "not the first chain");
    assert!(refused(BnnOptions { chains: 8, ..options }, &data, all), "more chains than there are");
    assert!(refused(options, &data, 1000), "not at its end");
    let other = self::table::<f64>(Output::Poisson);
    assert!(refused(options, &self::data(&other), all), "other data");
    assert!(!refused(options, &data, all));
}

#[test]
fn the_point_is_the_best_end_of_a_start_and_no_later_draw_changes_it() {
    let table = table::<f64>(Output::StudentT);
    let data = data(&table);
    let options = short::<f64>(Output::StudentT);
    let mut place = memory(&options, &data);
    let mut network = Bnn::init(place.bytes(), &options, Isa::detect(), &data).unwrap();
    let mut bytes = vec![0; network.model_size().unwrap()];
    let mut points = Vec::new();
    for unit in 1..=7 * 21 {
        network.step(&data, 1).unwrap();
        match network.write_point(&mut bytes) {
            Ok(length) => points.push(bytes[..length].to_vec()),
            Err(error) => {
                assert_eq!(error, BnnError::NoDraws);
                // The 12 steps of a start, and the trajectory that first sees where it ended.
                assert!(unit < 13);
            }
        }
        assert_eq!(network.write_model(&mut bytes).is_err(), unit < 21);
    }
    points.dedup();
    // That of a chain alone, for the chain that was best.
    let of_chain = |first_chain| {
        let own = BnnOptions { first_chain, chains: 1, ..options };
        image(&run(&mut Aligned::new(0), &own, &data), true)
    };
    let alone: Vec<_> = (0..7).map(of_chain).collect();
    assert!(points.len() <= 7 && points.iter().all(|point| alone.contains(point)));
    assert!(points[0] == alone[0]);
    // Starts that go on are better: by the squared residuals of a point of more steps.
    let misfit = |start_steps| {
        let own = BnnOptions { start_steps, ..options };
        let point = image(&run(&mut Aligned::new(0), &own, &data), true);
        let point = Image::open(&point).unwrap();
        assert_eq!(point.draws(), 1);
        point.values::<f64>(0).rev().nth(1).unwrap()
    };
    assert!(misfit(400) < 0.5 * misfit(3), "sigma of the fit");
}

#[test]
fn data_and_options_that_do_not_fit_are_refused() {
    let start = |options: &BnnOptions<f64>, table: &(Vec<f64>, Vec<f64>)| {
        let data = data(table);
        let mut memory = memory(options, &data);
        Bnn::init(memory.bytes(), options, Isa::detect(), &data).map(|_| ())
    };
    let counts = BnnOptions { exposure: true.into(), ..short(Output::Poisson) };
    let mut exposed = table::<f64>(Output::Poisson);
    assert_eq!(start(&counts, &exposed), Ok(()));
    exposed.0[5] = 0.0;
    assert_eq!(start(&counts, &exposed), Err(BnnError::Target));
    exposed.0[5] = 1.0;
    exposed.1[2] = 1.5;
    assert_eq!(start(&counts, &exposed), Err(BnnError::Target));
    let classes = short::<f64>(Output::Softmax);
    let mut labels = table::<f64>(Output::Softmax);
    labels.1[2] = 3.0;
    assert_eq!(start(&classes, &labels), Err(BnnError::Target));
    let refused = |options: BnnOptions<f64>| options.check().unwrap_err();
    use BnnOptionsError as E;
    assert_eq!(refused(BnnOptions { exposure: true.into(), ..classes }), E::Layers);
    assert_eq!(refused(BnnOptions { categories: 1, ..classes }), E::Layers);
    assert_eq!(refused(BnnOptions { categories: 17, ..short(Output::Mixture) }), E::Layers);
    assert_eq!(refused(BnnOptions { floor: -1.0, ..short(Output::MeanVariance) }), E::Prior);
    assert_eq!(refused(BnnOptions { size: f64::NAN, ..counts }), E::Prior);
    assert_eq!(refused(BnnOptions { widths: [2, 0, 2, 0], ..counts }), E::Layers);
    // A reference class has no output of its own.
    let reference = BnnOptions { reference: true.into(), ..classes };
    assert_eq!(classes.architecture(2).outputs, 3);
    assert_eq!(reference.architecture(2).outputs, 2);
}

/// What suits a method: the defaults for chains, and options that are sound and of the method's kind for all.
#[test]
fn options_suit_their_method() {
    let chains = BnnOptions::<f64>::of(BnnMethod::Hmc, Output::StudentT, true);
    assert_eq!(format!("{chains:?}"), format!("{:?}", BnnOptions::<f64>::default()));
    for code in 0..=BnnMethod::Swag as i32 {
        let method = BnnMethod::from_code(code).expect("a method");
        // Dropout has hidden units to leave out.
        let direct = method == BnnMethod::Dropout;
        for (output, hidden) in
            [(Output::StudentT, true), (Output::Softmax, true), (Output::Poisson, direct)]
        {
            let own = BnnOptions::<f64>::of(method, output, hidden);
            assert_eq!((own.method.value(), own.output.value()), (method, output));
            assert_eq!(own.check(), Ok(()), "{method:?} {output:?}");
            let none = !hidden || method == BnnMethod::MaximumLikelihood;
            assert_eq!(own.widths[0] == 0, none, "{method:?}");
            assert!(own.keep <= own.draws);
        }
    }
    let steps = |output| BnnOptions::<f64>::of(BnnMethod::Ensemble, output, true).start_steps;
    assert_eq!(
        [steps(Output::Gaussian), steps(Output::Poisson), steps(Output::Softmax)],
        [3000, 3000, 1000]
    );
    let scale = |method, output| BnnOptions::<f64>::of(method, output, true).outer_scale;
    assert_eq!([Output::Gaussian, Output::Softmax].map(|o| scale(BnnMethod::Hmc, o)), [1.0, 10.0]);
    assert_eq!(scale(BnnMethod::Ensemble, Output::Softmax), 1.0);
}

/// An exposure means the same whether inputs are standardised or not: rates in proportion.
#[test]
fn exposures_multiply_rates_in_either_units() {
    let (mut x, y) = table::<f64>(Output::Poisson);
    let exposures: Vec<f64> = x.iter().skip(1).step_by(2).copied().collect();
    for standardise in [false, true] {
        let own = BnnOptions {
            widths: [0; 4],
            exposure: true.into(),
            standardise: standardise.into(),
            scales: Scales::Known.into(),
            ..short(Output::Poisson)
        };
        let point = |x: &[f64], own: &BnnOptions<f64>| {
            let table = (x.to_vec(), y.clone());
            let bytes = image(&run(&mut Aligned::new(0), own, &data(&table)), true);
            Image::open(&bytes).unwrap().values::<f64>(0).next().unwrap()
        };
        // An optimum that the prior hardly moves.
        let own = BnnOptions { start_steps: 1500, ..own };
        let once = point(&x, &own);
        x.iter_mut().skip(1).step_by(2).for_each(|e| *e *= 4.0);
        let more = point(&x, &own);
        x.iter_mut().skip(1).step_by(2).zip(&exposures).for_each(|(e, own)| *e = *own);
        assert!((once - more - 4_f64.ln()).abs() < 0.02, "{once} {more}");
    }
}

/// Without hidden layers, with known noise and scales: the posterior is a Gaussian, known in closed form.
#[test]
fn a_linear_network_has_its_exact_posterior() {
    let (n, noise) = (12, 0.7);
    let mut stream = Stream::new(11, 0, Purpose::Predictive);
    let x: Vec<f64> = (0..n).map(|_| stream.normal()).collect();
    let y: Vec<f64> = x.iter().map(|x| 1.0 - 0.5 * x + noise * stream.normal::<f64>()).collect();
    let options = BnnOptions {
        widths: [0; 4],
        output: Output::Gaussian.into(),
        scales: Scales::Known.into(),
        standardise: false.into(),
        noise,
        linear_scale: 0.8,
        intercept_sd: 2.0,
        chains: 1200,
        lanes: if has_lanes(8) { 8 } else { 1 },
        start_steps: 60,
        warmup: 20,
        draws: 2,
        keep: 1,
        leapfrogs: 12,
        trace_rows: 0,
        drop: false.into(),
        ..BnnOptions::default()
    };
    let table = (x.clone(), y.clone());
    let bytes = image(&run(&mut Aligned::new(0), &options, &data(&table)), false);
    let image = Image::open(&bytes).unwrap();
    assert_eq!(image.draws(), 1200);
    // (b0, c) ~ N(m, A^-1), A = sum z z' / noise^2 + diag(1/2^2, 1/.8^2), z = (1, x).
    let w = 1.0 / (noise * noise);
    let sum = |f: &dyn Fn(f64, f64) -> f64| x.iter().zip(&y).map(|(x, y)| f(*x, *y)).sum::<f64>();
    let a = [w * n as f64 + 0.25, w * sum(&|x, _| x), w * sum(&|x, _| x * x) + 1.0 / 0.64];
    let b = [w * sum(&|_, y| y), w * sum(&|x, y| x * y)];
    let det = a[0] * a[2] - a[1] * a[1];
    let mean = [(a[2] * b[0] - a[1] * b[1]) / det, (a[0] * b[1] - a[1] * b[0]) / det];
    let variance = [a[2] / det, a[0] / det];
    for k in 0..2 {
        let draws: Vec<f64> =
            (0..1200).map(|t| image.values::<f64>(t).nth(k).unwrap() - mean[k]).collect();
        let square = |x: &f64| x * x / variance[k];
        let z = draws.iter().sum::<f64>() / (1200.0 * variance[k]).sqrt();
        let chi = (draws.iter().map(square).sum::<f64>() - 1200.0) / 2400_f64.sqrt();
        assert!(z.abs() < 4.0 && chi.abs() < 4.0, "coordinate {k}: {z} {chi}");
    }
}

/// Columns of one unit by their looks share a scale; others have each its own.
#[test]
fn columns_of_one_unit_share_their_scale() {
    let sds = |columns: [[f64; 4]; 3]| {
        let x: Vec<f64> = (0..4).flat_map(|i| columns.map(|c| c[i])).collect();
        let table = (x, vec![0.1, 0.9, 0.4, 0.2]);
        let data = data(&table);
        let options = BnnOptions { chains: 1, ..short(Output::StudentT) };
        let mut own = memory(&options, &data);
        let network = Bnn::init(own.bytes(), &options, Isa::detect(), &data).unwrap();
        network.standardiser().unwrap().sds().to_vec()
    };
    let (wide, narrow, still) = ([0.0, 0.0, 16.0, 16.0], [0.0, 0.0, 0.0, 4.0], [0.0; 4]);
    // Variances 64, 3 and none.
    let shared = (67.0_f64 / 2.0).sqrt();
    for sd in sds([narrow, wide, still]) {
        assert!((sd - shared).abs() < 1e-14 * shared, "{sd}");
    }
    let apart = sds([narrow, wide.map(|x| x - 1.0), still]);
    assert!((apart[0] - 3.0_f64.sqrt()).abs() < 1e-14 && apart[1] == 8.0, "{apart:?}");
    let uneven = sds([narrow, wide, wide.map(|x| x / 32.0)]);
    assert!(uneven[0] != uneven[1], "{uneven:?}");
}
