//! Conjugate Gaussian regression against exact values, and the identities that it must satisfy.

use lcc_core::data::{Dataset, Inputs};
use lcc_core::estimator::{Conjugate, ConjugateError};
use lcc_core::random::{Purpose, Stream};
use lcc_core::scalar::Real;
use lcc_tests::numeric::{close, mean_and_error, normal};
use lcc_tests::{matrix, number, numbers, reference};
use serde_json::Value;

struct Case<T> {
    n: usize,
    d: usize,
    noise: T,
    scale: T,
    x: Vec<T>,
    y: Vec<T>,
}

impl<T: Real> Case<T> {
    fn new(case: &Value) -> Self {
        let list = |v: Vec<f64>| v.into_iter().map(T::lit).collect::<Vec<T>>();
        Self {
            n: case["n"].as_u64().unwrap() as usize,
            d: case["d"].as_u64().unwrap() as usize,
            noise: T::lit(number(&case["noise_variance"]).sqrt()),
            scale: T::lit(number(&case["prior_variance"]).sqrt()),
            x: list(matrix(&case["X"])),
            y: list(numbers(&case["y"])),
        }
    }

    fn memory(&self) -> Vec<T> {
        vec![T::NAN; Conjugate::<T>::values(self.d).unwrap()]
    }

    /// Rows `from..to`, in C's order or column by column.
    fn part(&self, from: usize, to: usize, by_column: bool) -> Vec<T> {
        let row = |i: usize| &self.x[i * self.d..][..self.d];
        if by_column {
            (0..self.d).flat_map(|j| (from..to).map(move |i| row(i)[j])).collect()
        } else {
            (from..to).flat_map(row).copied().collect()
        }
    }

    fn fit<'m>(&self, cuts: &[usize], by_column: bool, memory: &'m mut [T]) -> Conjugate<'m, T> {
        let mut fit = Conjugate::new(self.d, self.noise, self.scale, memory).unwrap();
        for ends in cuts.windows(2) {
            let (from, to) = (ends[0], ends[1]);
            let x = self.part(from, to, by_column);
            let strides = if by_column { (1, to - from) } else { (self.d, 1) };
            let inputs = Inputs::new(&x, to - from, self.d, strides.0, strides.1).unwrap();
            fit.add(&Dataset::new(inputs, &self.y[from..to]).unwrap()).unwrap();
        }
        fit
    }
}

fn table<T: Real>(room: f64) {
    let file = reference("linear_regression.json");
    let cases = file["cases"].as_array().unwrap();
    assert!(cases.len() >= 4);
    for value in cases {
        let case = Case::<T>::new(value);
        let what = format!("n = {}, d = {}, {} bits", case.n, case.d, T::BITS);
        let mut memory = case.memory();
        let fit = case.fit(&[0, case.n], false, &mut memory);
        assert_eq!((fit.d(), fit.rows()), (case.d, case.n));
        let f64s = |v: &[T]| v.iter().map(|v| v.to_f64()).collect::<Vec<f64>>();
        let mut mean = vec![T::NAN; case.d];
        fit.mean(&mut mean).unwrap();
        close(&f64s(&mean), &numbers(&value["posterior_mean"]), room, &what);
        let unit = |j: usize| (0..case.d).map(|k| T::of_usize((j == k) as usize)).collect();
        let mut covariance = Vec::new();
        for j in 0..case.d {
            for k in 0..case.d {
                let (mut a, mut b): (Vec<T>, Vec<T>) = (unit(j), unit(k));
                covariance.push(fit.covariance(&mut a, &mut b).unwrap());
            }
        }
        close(&f64s(&covariance), &matrix(&value["posterior_cov"]), room, &what);
        close(&[fit.log_evidence().to_f64()], &[number(&value["log_evidence"])], room, &what);
        let queries = value["query"].as_array().unwrap();
        let mut found = [Vec::new(), Vec::new(), Vec::new()];
        for query in queries {
            let mut x: Vec<T> = numbers(query).into_iter().map(T::lit).collect();
            let (mean, variance) = fit.predict(&mut x).unwrap();
            found[0].push(mean);
            found[1].push(variance);
            found[2].push(variance + case.noise * case.noise);
        }
        let names = ["predictive_mean", "predictive_variance_of_f", "predictive_variance_of_y"];
        for (found, name) in found.iter().zip(names) {
            close(&f64s(found), &numbers(&value[name]), room, name);
        }
        // [K]'s identity, and E L from the moments themselves.
        let identity = fit.entropy() - fit.log_evidence();
        close(&[fit.expected_loss().to_f64()], &[identity.to_f64()], room, "E L");
        close(&[fit.expected_loss().to_f64()], &[expected_loss(&case, value)], room, &what);
    }
}

/// E of -log p(y, w) = (n/2) log 2 pi noise^2 + |y - X w|^2/(2 noise^2) + the same of the prior, from the
/// exact mean and covariance of w.
fn expected_loss<T: Real>(case: &Case<T>, value: &Value) -> f64 {
    let (noise, prior) = (number(&value["noise_variance"]), number(&value["prior_variance"]));
    let (mean, covariance) = (numbers(&value["posterior_mean"]), matrix(&value["posterior_cov"]));
    let (x, y, d) = (matrix(&value["X"]), numbers(&value["y"]), case.d);
    // E (a.w - b)^2.
    let square = |a: &[f64], b: f64| {
        let at: f64 = a.iter().zip(&mean).map(|(a, m)| a * m).sum();
        let spread: f64 = (0..d * d).map(|k| a[k / d] * covariance[k] * a[k % d]).sum();
        (at - b) * (at - b) + spread
    };
    let fit: f64 = x.chunks(d).zip(&y).map(|(x, y)| square(x, *y)).sum();
    let unit = |j: usize| (0..d).map(|k| f64::from(u8::from(j == k))).collect::<Vec<f64>>();
    let size: f64 = (0..d).map(|j| square(&unit(j), 0.0)).sum();
    let tau = std::f64::consts::TAU;
    0.5 * (case.n as f64 * (tau * noise).ln()
        + fit / noise
        + d as f64 * (tau * prior).ln()
        + size / prior)
}

#[test]
fn the_table_in_double_precision() {
    table::<f64>(2e-14);
}

#[test]
fn the_table_in_single_precision() {
    table::<f32>(4e-6);
}

/// Any layout, and in as many calls as one likes, from memory that was put away: the same bits. The
/// evidence is the product of one-step predictions.
#[test]
fn rows_may_come_one_by_one_in_any_layout() {
    let file = reference("linear_regression.json");
    for value in file["cases"].as_array().unwrap() {
        let case = Case::<f64>::new(value);
        let (mut one, mut other) = (case.memory(), case.memory());
        let whole = case.fit(&[0, case.n], false, &mut one);
        for by_column in [false, true] {
            for cuts in [vec![0, case.n], vec![0, 1, case.n], (0..=case.n).collect()] {
                let fit = case.fit(&cuts, by_column, &mut other);
                assert_eq!(fit.factor(), whole.factor());
                assert_eq!(fit.log_evidence(), whole.log_evidence());
            }
        }
        // Row by row, resumed each time.
        let mut chain = 0.0;
        Conjugate::new(case.d, case.noise, case.scale, &mut other).unwrap();
        for i in 0..case.n {
            let mut fit = Conjugate::resume(case.d, i, case.noise, case.scale, &mut other).unwrap();
            let x = case.part(i, i + 1, false);
            let (mean, variance) = fit.predict(&mut x.clone()).unwrap();
            let variance = variance + case.noise * case.noise;
            let z = (case.y[i] - mean).powi(2) / variance;
            chain -= 0.5 * ((std::f64::consts::TAU * variance).ln() + z);
            let inputs = Inputs::row_major(&x, 1, case.d).unwrap();
            fit.add(&Dataset::new(inputs, &case.y[i..=i]).unwrap()).unwrap();
            close(&[fit.log_evidence()], &[chain], 1e-13, "chain rule");
        }
        let fit = Conjugate::resume(case.d, case.n, case.noise, case.scale, &mut other).unwrap();
        assert_eq!(fit.factor(), whole.factor());
    }
}

/// A narrow intercept under a wide prior: columns of a condition number of 10^7 keep half their digits
/// in double precision, which R'R in place of R would lose.
#[test]
fn nearly_collinear_columns_keep_their_digits() {
    let n = 40;
    let step = 1e-7;
    // x and x + step u, u alternating: w_1 + w_2 and w_2 step are what the data know.
    let x: Vec<f64> = (0..n)
        .flat_map(|i| {
            let (x, u) = (i as f64 / 8.0 - 2.0, if i % 2 == 0 { 1.0 } else { -1.0 });
            [x, x + step * u]
        })
        .collect();
    let y: Vec<f64> = x.chunks(2).map(|x| 3.0 * x[0] - 2.0 * x[1]).collect();
    let data = Dataset::new(Inputs::row_major(&x, n, 2).unwrap(), &y).unwrap();
    let mut memory = vec![0.0; Conjugate::<f64>::values(2).unwrap()];
    let mut fit = Conjugate::new(2, 1e-9, 1e3, &mut memory).unwrap();
    fit.add(&data).unwrap();
    let mut mean = [0.0; 2];
    fit.mean(&mut mean).unwrap();
    close(&mean, &[3.0, -2.0], 1e-6, "the weights");
}

/// Draws from standard normals have the posterior's mean and covariance, and the mean loss over them is
/// -log p(y) + H.
#[test]
fn draws_have_the_law() {
    let file = reference("linear_regression.json");
    let value = &file["cases"][1];
    let case = Case::<f64>::new(value);
    let mut memory = case.memory();
    let fit = case.fit(&[0, case.n], false, &mut memory);
    let (mean, covariance) = (numbers(&value["posterior_mean"]), matrix(&value["posterior_cov"]));
    let mut stream = Stream::new(5, 0, Purpose::Predictive);
    let tau = std::f64::consts::TAU;
    let (mut products, mut losses) = (vec![Vec::new(); case.d * case.d], Vec::new());
    for _ in 0..20_000 {
        let mut w: Vec<f64> = (0..case.d).map(|_| normal(&mut stream)).collect();
        fit.draw(&mut w).unwrap();
        for (k, products) in products.iter_mut().enumerate() {
            let (i, j) = (k / case.d, k % case.d);
            products.push((w[i] - mean[i]) * (w[j] - mean[j]));
        }
        let term = |e: f64, sd: f64| 0.5 * (e / sd).powi(2) + sd.ln() + 0.5 * tau.ln();
        let f = |x: &[f64]| x.iter().zip(&w).map(|(x, w)| x * w).sum::<f64>();
        let data = case.x.chunks(case.d).zip(&case.y).map(|(x, y)| term(y - f(x), case.noise));
        losses.push(data.chain(w.iter().map(|w| term(*w, case.scale))).sum::<f64>());
    }
    for (products, exact) in products.iter().zip(&covariance) {
        let (found, error) = mean_and_error(products);
        assert!((found - exact).abs() < 4.5 * error, "{found} against {exact}, error {error}");
    }
    let (found, error) = mean_and_error(&losses);
    let exact = fit.entropy() - fit.log_evidence();
    assert!((found - exact).abs() < 4.5 * error, "{found} against {exact}, error {error}");
}

#[test]
fn what_is_refused() {
    let mut memory = [7.0; 9];
    assert_eq!(Conjugate::<f64>::values(2), Some(9));
    assert_eq!(Conjugate::<f64>::values(usize::MAX), None);
    let refused = |d, noise, scale, memory: &mut [f64]| {
        Conjugate::new(d, noise, scale, memory).expect_err("it is refused")
    };
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(refused(2, bad, 1.0, &mut memory), ConjugateError::Noise);
        assert_eq!(refused(2, 1.0, bad, &mut memory), ConjugateError::Scale);
    }
    assert_eq!(refused(0, 1.0, 1.0, &mut memory), ConjugateError::Inputs);
    assert_eq!(refused(usize::MAX, 1.0, 1.0, &mut memory), ConjugateError::Overflow);
    assert_eq!(refused(2, 1.0, 1.0, &mut memory[..8]), ConjugateError::TooShort);
    assert_eq!(memory, [7.0; 9]);
    let mut fit = Conjugate::new(2, 1.0, 2.0, &mut memory).unwrap();
    let data = Dataset::new(Inputs::row_major(&[1.0], 1, 1).unwrap(), &[1.0]).unwrap();
    assert_eq!(fit.add(&data), Err(ConjugateError::Inputs));
    assert_eq!(fit.mean(&mut [0.0]), Err(ConjugateError::TooShort));
    assert_eq!(fit.predict(&mut [0.0]), Err(ConjugateError::TooShort));
    // Without rows: the prior, of which nothing is known to be wrong.
    assert_eq!(fit.log_evidence(), 0.0);
    assert_eq!(fit.predict(&mut [1.0, 1.0]), Ok((0.0, 8.0)));
}
