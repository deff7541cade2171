//! The priors as maps from N(0, I), and posteriors in latent coordinates.

use lcc_core::density::{Density, Extent};
use lcc_core::lifted::{Lifted, LiftedError};
use lcc_core::likelihood::Likelihood;
use lcc_core::prior::{Prior, PriorError};
use lcc_core::random::{Purpose, Stream};
use lcc_core::scalar::Real;
use lcc_core::simd::{AnyLanes, Isa, Lanes, Portable};
use lcc_tests::tools::runs;
use lcc_tests::{number, numbers, reference};

fn streams<const N: usize>(seed: u64) -> [Stream; N] {
    std::array::from_fn(|k| Stream::new(seed, k as u64, Purpose::Predictive))
}

/// `blocks` blocks of prior draws of one vector, handed to `see` lane by lane.
fn draws<T: Real>(prior: Prior<T>, d: usize, blocks: usize, mut see: impl FnMut(&[f64])) {
    let mut streams = streams::<8>(11 + d as u64);
    let mut g = vec![[T::ZERO; 8]; prior.latent_dim(d)];
    let mut w = vec![[T::ZERO; 8]; d];
    let mut scratch = vec![[T::ZERO; 8]; prior.scratch(d)];
    let mut one = vec![0.0; d];
    for _ in 0..blocks {
        prior.draw(Portable, d, &mut streams, &mut g, &mut w, &mut scratch);
        for lane in 0..8 {
            for (o, w) in one.iter_mut().zip(&w) {
                *o = w[lane].to_f64();
            }
            see(&one);
        }
    }
}

/// Mean and standard error of a statistic, against its exact value: |z| below 4.5.
struct Check {
    name: String,
    exact: f64,
    sum: f64,
    squares: f64,
    count: f64,
}

impl Check {
    fn new(name: String, exact: f64) -> Self {
        Self { name, exact, sum: 0.0, squares: 0.0, count: 0.0 }
    }
    fn add(&mut self, x: f64) {
        let x = x - self.exact;
        self.sum += x;
        self.squares += x * x;
        self.count += 1.0;
    }
    fn verify(&self) {
        let mean = self.sum / self.count;
        let sd = (self.squares / self.count - mean * mean).sqrt();
        let z = mean / (sd / self.count.sqrt());
        assert!(
            z.abs() < 4.5,
            "{}: z = {z:.2}, mean {} against {}",
            self.name,
            mean + self.exact,
            self.exact
        );
    }
}

fn l1_moments<T: Real>(bits: u32) {
    let table = reference("l1_ball_moments.json");
    let radius = 1.5;
    let mut seen = 0;
    for row in table["table"].as_array().unwrap() {
        let d = row["d"].as_u64().unwrap() as usize;
        if d > 10 {
            continue;
        }
        seen += 1;
        let name = |what: &str| format!("f{bits}, d = {d}, {what}");
        let r2: f64 = radius * radius;
        let var = number(&row["exact_var_wj"]) * r2;
        assert!((var - 2.0 * r2 / ((d + 1) as f64 * (d + 2) as f64)).abs() < 1e-14);
        let mean_abs = number(&row["mean_abs_wj"]) * radius;
        let mut checks = vec![
            Check::new(name("E w_1"), 0.0),
            Check::new(name("E w_d^2"), var),
            Check::new(name("E |w_1|"), mean_abs),
            Check::new(name("E w_1^4"), number(&row["E_wj4"]) * r2 * r2),
            Check::new(name("E (|w|_1 / R)"), d as f64 / (d + 1) as f64),
        ];
        if d > 1 {
            checks.push(Check::new(name("E w_1 w_d"), 0.0));
            checks.push(Check::new(name("E w_1^2 w_d^2"), number(&row["E_wj2_wk2"]) * r2 * r2));
        }
        let mut largest: f64 = 0.0;
        let blocks = runs(40_000, 125_000);
        draws::<T>(Prior::l1_ball(T::lit(radius)).unwrap(), d, blocks, |w| {
            let (first, last) = (w[0], w[d - 1]);
            let norm: f64 = w.iter().map(|w| w.abs()).sum();
            largest = largest.max(norm);
            let of = [
                first,
                last * last,
                first.abs(),
                first.powi(4),
                norm / radius,
                first * last,
                first * first * last * last,
            ];
            for (check, x) in checks.iter_mut().zip(of) {
                check.add(x);
            }
        });
        checks.iter().for_each(Check::verify);
        assert!(largest <= radius * (1.0 + d as f64 * T::EPSILON.to_f64()));
    }
    assert!(seen >= 4);
}

#[test]
fn the_l1_map_has_the_uniform_law_in_double_precision() {
    l1_moments::<f64>(64);
}

#[test]
fn the_l1_map_has_the_uniform_law_in_single_precision() {
    l1_moments::<f32>(32);
}

#[test]
fn linear_functionals_of_the_l1_law() {
    let table = reference("l1_ball_moments.json");
    for row in table["linear_functionals"].as_array().unwrap() {
        let v = numbers(&row["v"]);
        if v.len() > 12 {
            continue;
        }
        let exact = numbers(&row["E_v_dot_w_2k"]);
        let powers = numbers(&row["k"]);
        let mut checks: Vec<_> = powers
            .iter()
            .zip(&exact)
            .take(3)
            .map(|(k, e)| Check::new(format!("d = {}, E (v.w)^(2*{k})", v.len()), *e))
            .collect();
        draws::<f64>(Prior::l1_ball(1.0).unwrap(), v.len(), 50_000, |w| {
            let dot: f64 = v.iter().zip(w).map(|(v, w)| v * w).sum();
            for (check, k) in checks.iter_mut().zip(&powers) {
                check.add(dot.powi(2 * *k as i32));
            }
        });
        checks.iter().for_each(Check::verify);
    }
}

#[test]
fn the_gaussian_map_scales() {
    let mut checks = [
        Check::new("E w_1".into(), 0.0),
        Check::new("E w_2^2".into(), 6.25),
        Check::new("E w_1 w_2".into(), 0.0),
        Check::new("E w_1^4".into(), 3.0 * 6.25 * 6.25),
    ];
    draws::<f64>(Prior::gaussian(2.5).unwrap(), 2, 50_000, |w| {
        for (check, x) in checks.iter_mut().zip([w[0], w[1] * w[1], w[0] * w[1], w[0].powi(4)]) {
            check.add(x);
        }
    });
    checks.iter().for_each(Check::verify);
}

#[test]
fn scales_must_be_positive_and_finite() {
    for bad in [0.0, -1.0, f64::INFINITY, f64::NAN] {
        assert_eq!(Prior::gaussian(bad), Err(PriorError::Sd));
        assert_eq!(Prior::l1_ball(bad), Err(PriorError::Radius));
    }
    assert_eq!(Prior::gaussian(2.0).unwrap().latent_dim(3), 3);
    assert_eq!(Prior::l1_ball(2.0).unwrap().latent_dim(3), 4);
    assert_eq!(Prior::l1_ball(2.0).unwrap().reach(1.5), 3.0);
    assert_eq!(Prior::gaussian(2.0).unwrap().reach(1.5), f64::INFINITY);
}

/// sum_k (a_k w_k - (k + 1) w_k^2 / 2 + w_k^3 / 5): a smooth function of w with a gradient.
#[derive(Debug)]
struct Cubic<T>(Vec<T>);

impl<T> Extent for Cubic<T> {
    fn dim(&self) -> usize {
        self.0.len()
    }
    fn scratch(&self) -> usize {
        2
    }
    fn rows(&self) -> usize {
        7
    }
}

impl<T: Real, const N: usize> Likelihood<T, N> for Cubic<T> {
    fn value_and_gradient(
        &self,
        _: Isa,
        w: &[[T; N]],
        gradient: &mut [[T; N]],
        scratch: &mut [[T; N]],
    ) -> [T; N] {
        assert!(scratch.len() >= 2);
        let mut value = [T::ZERO; N];
        for (k, ((a, w), g)) in self.0.iter().zip(w).zip(gradient).enumerate() {
            let c = T::of_usize(k + 1);
            for lane in 0..N {
                let w = w[lane];
                value[lane] += *a * w - T::HALF * c * w * w + w * w * w * T::lit(0.2);
                g[lane] = *a - c * w + T::lit(0.6) * w * w;
            }
        }
        value
    }
}

fn cubic<T: Real>(dim: usize) -> Cubic<T> {
    Cubic((0..dim).map(|k| T::lit(1.3 - 0.7 * k as f64)).collect())
}

/// Latent points of N chains: normals, and some near and far.
fn latents<T: Real, const N: usize>(dim: usize) -> Vec<[T; N]> {
    (0..dim)
        .map(|k| {
            std::array::from_fn(|lane| {
                let noise: f64 = Stream::new(5, lane as u64, Purpose::Start).normal();
                let z = 0.3 * noise + ((k * 7 + lane * 3) % 11) as f64 * 0.37 - 1.9;
                T::lit(z * if lane % 3 == 2 { 3.0 } else { 1.0 })
            })
        })
        .collect()
}

fn evaluate<T: Lanes<N>, const N: usize>(
    density: &dyn Density<T, N>,
    isa: Isa,
    g: &[[T; N]],
) -> ([T; N], Vec<[T; N]>) {
    let mut gradient = vec![[T::NAN; N]; density.dim()];
    let mut scratch = vec![[T::NAN; N]; density.scratch()];
    let value = density.value_and_gradient(isa, g, &mut gradient, &mut scratch);
    (value, gradient)
}

#[test]
fn pull_back_is_the_derivative_of_the_map() {
    for (d, neurons) in [(1, 1), (3, 1), (2, 3), (9, 2)] {
        for prior in [Prior::gaussian(1.7).unwrap(), Prior::l1_ball(2.5).unwrap()] {
            let likelihood = cubic::<f64>(d * neurons);
            let target = Lifted::new(&likelihood, prior, d, neurons).unwrap();
            let mut g = latents::<f64, 8>(target.dim());
            let (value, gradient) = evaluate(&target, Isa::detect(), &g);
            assert!(value.iter().all(|v| v.is_finite()));
            let h = 1e-5;
            for k in 0..g.len() {
                let at = g[k];
                g[k] = at.map(|x| x + h);
                let (up, _) = evaluate(&target, Isa::detect(), &g);
                g[k] = at.map(|x| x - h);
                let (down, _) = evaluate(&target, Isa::detect(), &g);
                g[k] = at;
                for lane in 0..8 {
                    let slope = (up[lane] - down[lane]) / (2.0 * h);
                    let error = (slope - gradient[k][lane]).abs();
                    assert!(
                        error < 3e-9 * (1.0 + value[lane].abs()),
                        "{prior:?} d = {d}: {error:e}"
                    );
                }
            }
        }
    }
}

#[test]
fn single_precision_follows_double() {
    for (d, neurons) in [(1, 1), (3, 2), (40, 1)] {
        for (wide, narrow) in [
            (Prior::gaussian(1.75).unwrap(), Prior::gaussian(1.75_f32).unwrap()),
            (Prior::l1_ball(2.5).unwrap(), Prior::l1_ball(2.5_f32).unwrap()),
        ] {
            let (exact, rough) = (cubic::<f64>(d * neurons), cubic::<f32>(d * neurons));
            let a = Lifted::new(&exact, wide, d, neurons).unwrap();
            let b = Lifted::new(&rough, narrow, d, neurons).unwrap();
            let g = latents::<f32, 8>(b.dim());
            let doubled: Vec<[f64; 8]> = g.iter().map(|g| g.map(f64::from)).collect();
            let (va, ga) = evaluate(&a, Isa::detect(), &doubled);
            let (vb, gb) = evaluate(&b, Isa::detect(), &g);
            let size = ga.iter().flatten().fold(1.0_f64, |m, g| m.max(g.abs()));
            for lane in 0..8 {
                assert!(
                    (va[lane] - f64::from(vb[lane])).abs()
                        < 2e-5 * (1.0 + va[lane].abs()) * (d as f64).sqrt()
                );
                for (a, b) in ga.iter().zip(&gb) {
                    assert!((a[lane] - f64::from(b[lane])).abs() < 2e-5 * size);
                }
            }
        }
    }
}

fn extremes<T: Lanes<8>>() {
    let radius = T::lit(3.0);
    for d in [1, 2, 6] {
        let likelihood = cubic::<T>(d);
        let target = Lifted::new(&likelihood, Prior::l1_ball(radius).unwrap(), d, 1).unwrap();
        let dim = target.dim();
        let tiny = T::MIN_POSITIVE;
        for x in [T::ZERO, tiny, tiny * T::HALF, T::lit(1e-20), T::lit(40.0), T::lit(1e6), T::MAX] {
            // All alike, only the first, all but the last.
            for (first, rest, last) in [(x, x, x), (x, T::ZERO, T::ONE), (-x, x, T::ZERO)] {
                let mut g = vec![[rest; 8]; dim];
                g[0] = [first; 8];
                g[dim - 1] = [last; 8];
                let mut w = vec![[T::NAN; 8]; d];
                let mut scratch = vec![[T::NAN; 8]; target.map_scratch()];
                assert!(target.to_weights(Isa::detect(), &g, &mut w, &mut scratch));
                let norm: f64 = w.iter().map(|w| w[0].to_f64().abs()).sum();
                assert!(
                    norm <= 3.0 * (1.0 + 2.0 * dim as f64 * T::EPSILON.to_f64()),
                    "{x:?} {norm}"
                );
                let (value, gradient) = evaluate(&target, Isa::detect(), &g);
                assert!(value[0].is_finite(), "{x:?} {first:?} {last:?}: {value:?}");
                assert!(gradient.iter().all(|g| g[0].is_finite()), "{x:?}: {gradient:?}");
            }
        }
        let mut g = vec![[T::ONE; 8]; dim];
        g[dim - 1] = [T::NAN; 8];
        let (value, _) = evaluate(&target, Isa::detect(), &g);
        assert!(!value[0].is_finite());
    }
}

#[test]
fn extreme_latents_stay_in_the_ball() {
    extremes::<f32>();
    extremes::<f64>();
}

#[test]
fn lanes_and_instruction_sets_give_the_same_bits() {
    fn check<T: AnyLanes>() {
        let (d, neurons) = (5, 2);
        let likelihood = cubic::<T>(d * neurons);
        for prior in [Prior::gaussian(T::lit(0.7)).unwrap(), Prior::l1_ball(T::lit(1.3)).unwrap()] {
            let target = Lifted::new(&likelihood, prior, d, neurons).unwrap();
            let g = latents::<T, 8>(target.dim());
            let (value, gradient) = evaluate(&target, Isa::Portable, &g);
            let (wide, wide_gradient) = evaluate(&target, Isa::detect(), &g);
            assert_eq!(value.map(Real::to_f64), wide.map(Real::to_f64));
            assert_eq!(gradient, wide_gradient);
            for lane in 0..8 {
                let one: Vec<[T; 1]> = g.iter().map(|g| [g[lane]]).collect();
                let (single, single_gradient) = evaluate(&target, Isa::detect(), &one);
                assert_eq!(single[0], value[lane]);
                assert!(single_gradient.iter().zip(&gradient).all(|(a, b)| a[0] == b[lane]));
            }
        }
    }
    check::<f32>();
    check::<f64>();
}

#[test]
fn log_densities_are_normalised() {
    let ball = Prior::l1_ball(1.5).unwrap();
    // 3!/(2 R)^3 and twice.
    let w = [[0.2], [-0.9], [0.1]];
    let exact = (6.0_f64 / 27.0).ln();
    assert!((ball.log_density(Portable, 3, &w)[0] - exact).abs() < 1e-14);
    let two = [[0.2], [-0.9], [0.1], [0.0], [0.0], [1.4]];
    assert!((ball.log_density(Portable, 3, &two)[0] - 2.0 * exact).abs() < 1e-14);
    let outside = [[0.2], [-0.9], [0.1], [0.7], [0.7], [0.2]];
    assert_eq!(ball.log_density(Portable, 3, &outside), [f64::NEG_INFINITY]);

    let normal = Prior::gaussian(2.0).unwrap();
    let exact = -(0.04 + 0.81 + 0.01) / 8.0 - 1.5 * (8.0 * std::f64::consts::PI).ln();
    assert!((normal.log_density(Portable, 3, &w)[0] - exact).abs() < 1e-14);

    // The normaliser in many dimensions, single precision against double.
    let wide = Prior::l1_ball(30.0).unwrap().log_normaliser(4000);
    let stirling = 4000.0_f64 * 4000.0_f64.ln() - 4000.0
        + 0.5 * (8000.0 * std::f64::consts::PI).ln()
        + 1.0 / 48_000.0
        - 4000.0 * 60.0_f64.ln();
    assert!((wide - stirling).abs() < 1e-10 * stirling.abs());
    let narrow = Prior::l1_ball(30.0_f32).unwrap().log_normaliser(4000);
    assert!((f64::from(narrow) - wide).abs() < 3e-7 * wide.abs());
}

#[test]
fn prior_draws_lie_where_the_density_is_positive() {
    let prior = Prior::l1_ball(0.7_f32).unwrap();
    draws::<f32>(prior, 24, 2000, |w| {
        let w: Vec<[f32; 1]> = w.iter().map(|w| [*w as f32]).collect();
        assert!(prior.log_density(Portable, 24, &w)[0].is_finite());
    });
}

#[test]
fn short_buffers_are_refused() {
    let likelihood = cubic::<f64>(6);
    let prior = Prior::l1_ball(1.0).unwrap();
    assert_eq!(Lifted::new(&likelihood, prior, 4, 2).err(), Some(LiftedError::Dimension));
    assert_eq!(Lifted::new(&likelihood, prior, 6, 0).err(), Some(LiftedError::Dimension));
    assert_eq!(Lifted::new(&likelihood, prior, usize::MAX, 2).err(), Some(LiftedError::Dimension));
    let target = Lifted::new(&likelihood, prior, 3, 2).unwrap();
    assert_eq!((target.dim(), target.scratch(), target.rows()), (8, 12 + 8 + 2, 7));
    let g = [[0.5_f64; 8]; 8];
    let mut gradient = [[7.0; 8]; 8];
    let mut scratch = [[7.0; 8]; 21];
    let isa = Isa::detect();
    assert!(target.value_and_gradient(isa, &g, &mut gradient, &mut scratch)[0].is_nan());
    assert_eq!((gradient, scratch), ([[7.0; 8]; 8], [[7.0; 8]; 21]));
    let mut enough = [[7.0; 8]; 22];
    assert!(target.value_and_gradient(isa, &g[..7], &mut gradient, &mut enough)[0].is_nan());
    assert!(target.value_and_gradient(isa, &g, &mut gradient[..7], &mut enough)[0].is_nan());
    assert!(target.value_and_gradient(isa, &g, &mut gradient, &mut enough)[0].is_finite());
    let mut w = [[7.0; 8]; 6];
    assert!(!target.to_weights(isa, &g, &mut w, &mut enough[..7]));
    assert!(target.to_weights(isa, &g, &mut w, &mut enough));
}
