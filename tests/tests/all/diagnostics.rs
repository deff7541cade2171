//! Diagnostics against ArviZ on the same draws (`reference/diagnostics.json`, made by
//! `diagnostics.py` beside it), and the streaming ones against the stored.

use lcc_core::diagnostics::{
    self as diag, Draws, DrawsError, Moment, Summary, e_bfmi, mean, rhat_from_moments, scratch_len,
    tail_shape, update, variance,
};
use lcc_core::random::{Purpose, Stream};
use lcc_core::simd::AnyLanes;
use lcc_tests::{number, numbers};
use serde_json::Value;

fn file() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/reference/diagnostics.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The generator of `diagnostics.py`.
struct Lcg(u64);

impl Lcg {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 11) as f64 + 0.5) * 2f64.powi(-53)
    }
    fn noise(&mut self) -> f64 {
        let u = self.uniform() + self.uniform();
        let u = u + self.uniform();
        let u = u + self.uniform();
        u - 2.0
    }
}

/// The draws of a case, chain after chain.
fn make(case: &Value) -> Vec<f64> {
    let get = |k: &str| case[k].as_f64().unwrap();
    let (a, shift, scale, offset) = (get("a"), get("shift"), get("scale"), get("offset"));
    let mut g = Lcg(case["seed"].as_u64().unwrap());
    let mut out = Vec::new();
    for c in 0..case["chains"].as_u64().unwrap() {
        let mut x = 0.0;
        for t in 0..case["draws"].as_u64().unwrap() {
            match case["kind"].as_str().unwrap() {
                "ar1" => {
                    let e = g.noise();
                    x = if t == 0 { e } else { a * x + e };
                }
                "ratio" => {
                    let top = g.uniform() - 0.5;
                    x = top / g.uniform();
                }
                "discrete" => x = (5.0 * g.uniform()).floor(),
                "sticky" => {
                    let (u, e) = (g.uniform(), g.noise());
                    if t == 0 || u > a {
                        x = e;
                    }
                }
                "constant" => x = 3.0,
                "constant_chains" => x = c as f64,
                "trend" => x = t as f64 + a * g.noise(),
                "one_odd" => x = if c == 0 && t == 0 { 1.0 } else { 3.0 },
                "nan" => x = if c == 0 && t == 2 { f64::NAN } else { g.noise() },
                other => panic!("{other}"),
            }
            out.push((x + shift * c as f64) * scale + offset);
        }
    }
    out
}

/// |ours - theirs| in units of |theirs|, NaN and infinities being equal to themselves.
fn distance(ours: f64, theirs: f64) -> f64 {
    if ours.is_nan() && theirs.is_nan() || ours == theirs {
        return 0.0;
    }
    let d = (ours - theirs).abs() / theirs.abs().max(f64::MIN_POSITIVE);
    if d.is_nan() { f64::INFINITY } else { d }
}

/// Every value of a case: (name, ours, ArviZ's).
fn compare<T: AnyLanes>(case: &Value, x: &[T], p: &[f64], key: &str) -> Vec<(String, f64, f64)> {
    let chains = case["chains"].as_u64().unwrap() as usize;
    let draws = case["draws"].as_u64().unwrap() as usize;
    let view = Draws::chain_major(x, chains, draws).unwrap();
    let mut scratch = vec![T::NAN; scratch_len(chains, draws).unwrap()];
    let s = &mut scratch[..];
    let theirs = &case[key];
    let mut out = Vec::new();
    let mut push = |name: &str, ours: T, theirs: &Value| {
        out.push((name.to_string(), ours.to_f64(), number(theirs)));
    };
    let all: Summary<T> = diag::summary(&view, s).unwrap();
    push("mean", all.mean, &theirs["mean"]);
    push("sd", all.sd, &theirs["sd"]);
    push("median", all.median, &theirs["median"]);
    push("rhat", diag::rhat(&view, s).unwrap(), &theirs["rhat"]);
    push("ess_bulk", diag::ess_bulk(&view, s).unwrap(), &theirs["ess_bulk"]);
    push("ess_tail", diag::ess_tail(&view, s).unwrap(), &theirs["ess_tail"]);
    push("ess_mean", diag::ess_mean(&view, s).unwrap(), &theirs["ess_mean"]);
    push("ess_sd", diag::ess_sd(&view, s).unwrap(), &theirs["ess_sd"]);
    push("mcse_mean", diag::mcse_mean(&view, s).unwrap(), &theirs["mcse_mean"]);
    push("mcse_sd", diag::mcse_sd(&view, s).unwrap(), &theirs["mcse_sd"]);
    for (k, p) in p.iter().enumerate() {
        let p = T::lit(*p);
        let name = format!("quantile {p:?}");
        push(&name, diag::quantile(&view, p, s).unwrap(), &theirs["quantile"][k]);
        let name = format!("ess_quantile {p:?}");
        push(&name, diag::ess_quantile(&view, p, s).unwrap(), &theirs["ess_quantile"][k]);
    }
    for c in 0..chains {
        push("bfmi", e_bfmi(&view, c), &theirs["bfmi"][c]);
    }
    out
}

/// Checks every value of every case; returns how many there were and the largest distance.
fn check<T: AnyLanes>(key: &str, tolerance: f64, of: impl Fn(f64) -> T) -> (usize, f64) {
    let file = file();
    let p = numbers(&file["probabilities"]);
    let (mut seen, mut largest) = (0, 0f64);
    for case in file["cases"].as_array().unwrap() {
        let draws = make(case);
        for (x, theirs) in draws.iter().zip(numbers(&case["first"])) {
            assert!(distance(*x, theirs) < 1e-15, "{}: draws differ", case["name"]);
        }
        assert!(distance(draws[draws.len() - 1], number(&case["last"])) < 1e-15);
        let draws: Vec<T> = draws.into_iter().map(&of).collect();
        for (name, ours, theirs) in compare(case, &draws, &p, key) {
            if case["kind"] == "nan" && name.starts_with("quantile") {
                // SciPy sorts NaN last and goes on.
                assert!(ours.is_nan());
                continue;
            }
            let d = distance(ours, theirs);
            assert!(d <= tolerance, "{}: {name} is {ours}, ArviZ says {theirs}", case["name"]);
            largest = largest.max(d);
            seen += 1;
        }
    }
    (seen, largest)
}

#[test]
fn agrees_with_arviz_in_double_precision() {
    let (seen, largest) = check("f64", 1e-10, |x| x);
    println!("{seen} values, largest relative difference {largest:e}");
    assert!(seen > 1000);
}

/// ArviZ computes in double precision from the same single-precision draws.
#[test]
fn agrees_with_arviz_in_single_precision() {
    let (seen, largest) = check("f32", 3e-4, |x| x as f32);
    println!("{seen} values, largest relative difference {largest:e}");
    assert!(seen > 1000);
}

/// Chains of x_t = a x_(t-1) + e_t from equilibrium, nearly; e_t has variance 1/3.
fn ar1(g: &mut Lcg, chains: usize, draws: usize, a: f64) -> Vec<f64> {
    let mut out = Vec::new();
    for _ in 0..chains {
        let mut x = 0.0;
        for _ in 0..50 {
            x = a * x + g.noise();
        }
        for _ in 0..draws {
            x = a * x + g.noise();
            out.push(x);
        }
    }
    out
}

fn bits<T: AnyLanes>(s: &Summary<T>) -> Vec<u64> {
    let all = [
        s.mean,
        s.sd,
        s.q5,
        s.median,
        s.q95,
        s.mcse_mean,
        s.mcse_sd,
        s.ess_mean,
        s.ess_bulk,
        s.ess_tail,
        s.rhat,
    ];
    all.iter().map(|x| x.to_f64().to_bits()).collect()
}

#[test]
fn summary_is_the_functions_of_its_names() {
    for (chains, draws) in [(4, 100), (3, 51), (1, 30)] {
        let x = ar1(&mut Lcg(5), chains, draws, 0.4);
        let view = Draws::chain_major(&x, chains, draws).unwrap();
        let s = &mut vec![0.0; view.scratch_len()][..];
        let all = diag::summary(&view, s).unwrap();
        let same = [
            (all.mcse_mean, diag::mcse_mean(&view, s)),
            (all.mcse_sd, diag::mcse_sd(&view, s)),
            (all.ess_mean, diag::ess_mean(&view, s)),
            (all.ess_bulk, diag::ess_bulk(&view, s)),
            (all.ess_tail, diag::ess_tail(&view, s)),
            (all.q5, diag::quantile(&view, 0.05, s)),
            (all.q95, diag::quantile(&view, 0.95, s)),
            (all.rhat, diag::rhat(&view, s)),
        ];
        for (a, b) in same {
            assert_eq!(a.to_bits(), b.unwrap().to_bits());
        }
        assert_eq!(all.rhat.is_nan(), chains == 1);
    }
}

#[test]
fn layout_does_not_matter() {
    let (chains, draws, others) = (4, 75, 3);
    let x = ar1(&mut Lcg(6), chains, draws, 0.7);
    let plain = Draws::chain_major(&x, chains, draws).unwrap();
    let s = &mut vec![0.0; plain.scratch_len()][..];
    let want = bits(&diag::summary(&plain, s).unwrap());
    // Draw by draw, `others` quantities each, the chains side by side; ours is the second quantity.
    let mut stored = vec![f64::NAN; draws * others * chains];
    for c in 0..chains {
        for t in 0..draws {
            stored[(t * others + 1) * chains + c] = x[c * draws + t];
        }
    }
    let view = Draws::new(&stored, chains, draws, chains, 1, others * chains).unwrap();
    assert_eq!(bits(&diag::summary(&view, s).unwrap()), want);
    assert_eq!((view.chains(), view.draws(), view.size()), (chains, draws, chains * draws));
    assert_eq!(view.at(2, 7), x[2 * draws + 7]);
}

#[test]
fn bad_views_are_refused() {
    let x = [1.0f64; 12];
    let new = |chains, draws, offset, cs, ds| {
        Draws::new(&x, chains, draws, offset, cs, ds).map(|d| d.size())
    };
    assert_eq!(new(0, 4, 0, 4, 1), Err(DrawsError::Empty));
    assert_eq!(new(3, 0, 0, 4, 1), Err(DrawsError::Empty));
    assert_eq!(new(3, 4, 0, 4, 1), Ok(12));
    assert_eq!(new(3, 4, 1, 4, 1), Err(DrawsError::TooShort));
    assert_eq!(new(3, 5, 0, 4, 1), Err(DrawsError::TooShort));
    assert_eq!(new(3, 4, usize::MAX, 4, 1), Err(DrawsError::Overflow));
    assert_eq!(new(3, 4, 0, usize::MAX, 1), Err(DrawsError::Overflow));
    assert_eq!(new(3, 4, 0, usize::MAX / 2, 2), Err(DrawsError::Overflow));
    assert_eq!(new(usize::MAX, 1, 0, 0, 0), Err(DrawsError::Overflow));
    assert_eq!(scratch_len(usize::MAX / 3, 2), None);
    assert_eq!(scratch_len(3, 4), Some(24));

    let view = Draws::chain_major(&x, 3, 4).unwrap();
    let s = &mut [0.0; 23][..];
    let short = DrawsError::ScratchTooShort;
    assert_eq!(diag::summary(&view, s), Err(short));
    for f in [diag::rhat, diag::ess_bulk, diag::ess_tail, diag::ess_mean, diag::ess_sd] {
        assert_eq!(f(&view, s), Err(short));
    }
    for f in [diag::mcse_mean, diag::mcse_sd] {
        assert_eq!(f(&view, s), Err(short));
    }
    assert_eq!(diag::quantile(&view, 0.5, s), Err(short));
    assert_eq!(diag::ess_quantile(&view, 0.5, s), Err(short));
}

#[test]
fn probabilities_out_of_range_are_not_numbers() {
    let x = ar1(&mut Lcg(8), 2, 20, 0.0);
    let view = Draws::chain_major(&x, 2, 20).unwrap();
    let s = &mut vec![0.0; view.scratch_len()][..];
    for p in [-0.1, 1.1, f64::NAN] {
        assert!(diag::quantile(&view, p, s).unwrap().is_nan());
        assert!(diag::ess_quantile(&view, p, s).unwrap().is_nan());
    }
    let mut sorted = x.clone();
    sorted.sort_by(f64::total_cmp);
    assert_eq!(diag::quantile(&view, 0.0, s), Ok(sorted[0]));
    assert_eq!(diag::quantile(&view, 1.0, s), Ok(sorted[39]));
}

/// Between neighbouring order statistics lies the quantile between their places: the draws are in
/// order, for every length, with ties and infinities among them.
#[test]
fn quantiles_lie_between_order_statistics() {
    let mut g = Lcg(15);
    for n in 2..260 {
        let mut x: Vec<f64> = (0..n).map(|_| (40.0 * g.noise()).round()).collect();
        if n % 7 == 0 {
            (x[n / 2], x[n - 1]) = (f64::NEG_INFINITY, f64::INFINITY);
        }
        let view = Draws::chain_major(&x, 1, n).unwrap();
        let s = &mut vec![0.0; view.scratch_len()][..];
        let mut sorted = x.clone();
        sorted.sort_by(f64::total_cmp);
        for (k, pair) in sorted.windows(2).enumerate() {
            let q = diag::quantile(&view, (k as f64 + 0.5) / (n as f64 - 1.0), s).unwrap();
            let room = 1e-12 * pair[0].abs();
            assert!(q >= pair[0] - room && q <= pair[1] + room, "{n} {k}: {q} of {pair:?}");
        }
    }
}

#[test]
fn infinite_draws_have_ranks() {
    let mut x = ar1(&mut Lcg(9), 4, 100, 0.2);
    let summary = |x: &[f64]| {
        let view = Draws::chain_major(x, 4, 100).unwrap();
        diag::summary(&view, &mut vec![0.0; view.scratch_len()]).unwrap()
    };
    let top = x.iter().cloned().fold(f64::MIN, f64::max);
    let at = x.iter().position(|v| *v == top).unwrap();
    let finite = summary(&x);
    x[at] = f64::INFINITY;
    let infinite = summary(&x);
    assert_eq!(finite.ess_bulk.to_bits(), infinite.ess_bulk.to_bits());
    assert_eq!(finite.ess_tail.to_bits(), infinite.ess_tail.to_bits());
    assert!(infinite.rhat.is_finite() && infinite.ess_mean.is_nan() && infinite.mcse_sd.is_nan());
}

/// The bulk ESS sees ranks only, R-hat and every ESS no power of two of the scale, in either
/// precision.
#[test]
fn scale_does_not_matter() {
    let x = ar1(&mut Lcg(10), 4, 150, 0.5);
    let x32: Vec<f32> = x.iter().map(|x| *x as f32).collect();
    fn scaled<T: AnyLanes>(x: &[T], scale: T) -> [u64; 4] {
        let x: Vec<T> = x.iter().map(|x| *x * scale).collect();
        let view = Draws::chain_major(&x, 4, 150).unwrap();
        let s = diag::summary(&view, &mut vec![T::ZERO; view.scratch_len()]).unwrap();
        [s.rhat, s.ess_bulk, s.ess_tail, s.ess_mean].map(|x| x.to_f64().to_bits())
    }
    assert_eq!(scaled(&x, 2f64.powi(-40)), scaled(&x, 1.0));
    assert_eq!(scaled(&x, 2f64.powi(900)), scaled(&x, 1.0));
    assert_eq!(scaled(&x32, 2f32.powi(-40)), scaled(&x32, 1.0));
    assert_eq!(scaled(&x32, 2f32.powi(120)), scaled(&x32, 1.0));
    let exp: Vec<f64> = x.iter().map(|x| x.exp()).collect();
    let [_, bulk, ..] = scaled(&x, 1.0);
    let [_, bulk_of_exp, ..] = scaled(&exp, 1.0);
    assert_eq!(bulk, bulk_of_exp);
}

/// Of an AR(1) process the effective sample size is S (1 - a) / (1 + a); and the error of the mean
/// is what the standard error says. 300 independent runs.
#[test]
fn standard_errors_are_those_of_replicates() {
    let (chains, draws, runs) = (4, 500, 300);
    for a in [0.0, 0.6, -0.4] {
        let mut g = Lcg(77);
        let (mut z2, mut time, mut scratch) = (0.0, 0.0, vec![0.0; 2 * chains * draws]);
        for _ in 0..runs {
            let x = ar1(&mut g, chains, draws, a);
            let view = Draws::chain_major(&x, chains, draws).unwrap();
            let s = diag::summary(&view, &mut scratch).unwrap();
            z2 += (s.mean / s.mcse_mean).powi(2) / runs as f64;
            time += (chains * draws) as f64 / s.ess_mean / runs as f64;
        }
        let exact = (1.0 + a) / (1.0 - a);
        println!("a = {a}: mean z^2 {z2:.3}, mean S / ESS {time:.3}, exact {exact:.3}");
        // z^2 has mean 1 and variance 2: four standard errors. S / ESS has a bias of a few per cent.
        assert!((z2 - 1.0).abs() < 4.0 * (2.0 / runs as f64).sqrt() + 0.03);
        assert!((time / exact - 1.0).abs() < 0.08);
    }
}

/// Mean and variance by two passes in double precision.
fn two_passes(x: &[f64]) -> (f64, f64) {
    let n = x.len() as f64;
    let shift = x[0];
    let mean = x.iter().map(|x| x - shift).sum::<f64>() / n;
    (shift + mean, x.iter().map(|x| (x - shift - mean).powi(2)).sum::<f64>() / (n - 1.0))
}

#[test]
fn streaming_moments_are_the_moments() {
    let mut g = Lcg(11);
    let data: Vec<[f64; 3]> =
        (0..5000).map(|_| [g.noise(), 1e6 + g.noise(), 1e-9 * g.uniform()]).collect();
    for q in 0..3 {
        let (mut count, mut moment) = (0, [0.0; 4]);
        data.iter().for_each(|x| update(&mut count, &mut moment, x[q]));
        assert_eq!(count, 5000);
        let column: Vec<f64> = data.iter().map(|x| x[q]).collect();
        let (m, v) = two_passes(&column);
        assert!((mean(&moment) - m).abs() < 1e-14 * (m.abs() + v.sqrt()), "{q}");
        assert!(distance(variance(count, &moment), v) < 1e-12, "{q}");
        update(&mut count, &mut moment, f64::NAN);
        assert!(mean(&moment).is_nan());
    }
    let (mut count, mut one) = (0, [0.0f64; 4]);
    update(&mut count, &mut one, 4.0);
    assert_eq!((count, mean(&one)), (1, 4.0));
    assert!(variance(1, &one).is_nan());
}

/// Two million draws in single precision, where plain sums stop growing in the last digits.
#[test]
fn single_precision_moments_last() {
    let mut g = Lcg(12);
    let (mut count, mut moment) = (0u64, [0f32; 4]);
    let mut x = Vec::new();
    for _ in 0..2_000_000 {
        let v = (50.0 + g.noise()) as f32;
        update(&mut count, &mut moment, v);
        x.push(v as f64);
    }
    let (m, v) = two_passes(&x);
    let (dm, dv) =
        (distance(mean(&moment) as f64, m), distance(variance(count, &moment) as f64, v));
    println!("relative errors: mean {dm:e}, variance {dv:e}");
    assert!(dm < 1.2e-7 && dv < 1e-6);
}

#[test]
fn rhat_from_moments_is_the_classic_one() {
    let (chains, draws) = (5, 400);
    let mut x = ar1(&mut Lcg(13), chains, draws, 0.3);
    x[..draws].iter_mut().for_each(|x| *x += 0.4);
    let mut sets = Vec::<Moment<f64>>::new();
    let (mut means, mut variances) = (Vec::new(), Vec::new());
    for chain in x.chunks(draws) {
        let (mut count, mut set) = (0, [0.0; 4]);
        chain.iter().for_each(|x| update(&mut count, &mut set, *x));
        sets.push(set);
        let (m, v) = two_passes(chain);
        means.push(m);
        variances.push(v);
    }
    let n = draws as f64;
    let within = variances.iter().sum::<f64>() / chains as f64;
    let exact = ((n - 1.0) / n + two_passes(&means).1 / within).sqrt();
    let ours = rhat_from_moments(draws as u64, &sets);
    assert!(exact > 1.02 && distance(ours, exact) < 1e-13);
    assert!(rhat_from_moments(draws as u64, &sets[..1]).is_nan());
    assert!(rhat_from_moments(1, &sets).is_nan());
}

#[test]
fn energy_fraction_of_an_autoregression() {
    // E-BFMI is 2 (1 - a): its standard error here is about .012.
    let x: Vec<f64> = ar1(&mut Lcg(14), 1, 3000, 0.8).into_iter().map(|x| x + 20.0).collect();
    let stored = e_bfmi(&Draws::chain_major(&x, 1, 3000).unwrap(), 0);
    assert!((stored - 0.4).abs() < 0.05);
    let x: Vec<f32> = x.iter().map(|x| *x as f32).collect();
    let single = e_bfmi(&Draws::chain_major(&x, 1, 3000).unwrap(), 0);
    assert!(distance(single as f64, stored) < 1e-4);
    assert!(e_bfmi(&Draws::chain_major(&[1.0f64], 1, 1).unwrap(), 0).is_nan());
    let x = [1.0f64, 2.0];
    assert!(e_bfmi(&Draws::chain_major(&x, 1, 2).unwrap(), 1).is_nan());
}

/// Of Pareto's law x^(-1/k) the shape is k, drawn to 1/2 as by ten observations; the sign and the other tail do not matter.
#[test]
fn tails_have_the_shape_of_their_law() {
    fn shapes<T: AnyLanes>(draw: impl Fn(&mut Stream) -> f64) -> (f64, f64, usize) {
        let mut stream = Stream::new(7, 0, Purpose::Start);
        let (mut sums, mut heavy) = ([0.0; 2], 0);
        for _ in 0..40 {
            let x: Vec<T> = (0..4000).map(|_| T::lit(draw(&mut stream))).collect();
            let draws = Draws::chain_major(&x, 4, 1000).unwrap();
            let mut scratch = vec![T::ZERO; draws.scratch_len()];
            let (k, above) = tail_shape(&draws, &mut scratch).unwrap();
            let k = k.to_f64();
            sums = [sums[0] + k, sums[1] + k * k];
            heavy += usize::from(above);
        }
        let mean = sums[0] / 40.0;
        (mean, ((sums[1] / 40.0 - mean * mean) / 40.0).sqrt(), heavy)
    }
    let pareto = |k: f64| move |s: &mut Stream| -s.uniform::<f64>().powf(-k);
    for (k, least, most) in [(0.3, 0, 0), (0.9, 10, 36), (1.5, 40, 40)] {
        // 190 of 4000 draws.
        let exact = (190.0 * k + 5.0) / 200.0;
        for (mean, error, heavy) in [shapes::<f64>(pareto(k)), shapes::<f32>(pareto(k))] {
            // The other end is one value's density: its k is -1.
            assert!((mean - exact).abs() < 5.0 * error + 0.01, "{k}: {mean} +- {error}, {exact}");
            assert!((least..=most).contains(&heavy), "{k}: {heavy}");
        }
    }
    // A ratio of normals: k = 1 at both ends, of which the larger counts. A normal number: below 0 but for the prior.
    let (cauchy, error, heavy) = shapes::<f64>(|s| s.normal::<f64>() / s.normal::<f64>());
    assert!((cauchy - 1.05).abs() < 0.03 + 5.0 * error && heavy >= 35, "{cauchy} {heavy}");
    let (normal, _, heavy) = shapes::<f64>(|s| s.normal());
    assert!(normal < 0.15 && heavy == 0, "{normal} {heavy}");
    // Ends that are one value, and few draws, have none.
    for x in [[1.0; 400].as_slice(), &[0.0, 1.0, 2.0, 1e9]] {
        let draws = Draws::chain_major(x, 1, x.len()).unwrap();
        let (k, heavy) = tail_shape(&draws, &mut vec![0f64; draws.scratch_len()]).unwrap();
        assert!(k.is_nan() && !heavy);
    }
}
