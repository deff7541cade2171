//! What is expected under the law: its mass, moments, scores and information; and the priors.

use super::*;
use lcc_tests::quadrature::legendre;

/// What a hurdle is before.
fn zero(row: &Row) -> Option<(f64, f64)> {
    row.family.output.has_hurdle().then_some((ZERO, 1.0))
}

/// Points and weights over y, real or counted.
fn over_y(row: &Row) -> Vec<(f64, f64)> {
    match range(&row.family) {
        Some(n) => (0..n).map(|y| (y as f64, 1.0)).collect(),
        // y = sinh t reaches far enough for the tails of t_3.
        None => zero(row)
            .into_iter()
            .chain(
                (0..120)
                    .flat_map(|j| {
                        legendre(12, -12.0 + 0.2 * f64::from(j), -11.8 + 0.2 * f64::from(j))
                    })
                    .map(|(t, w)| (t.sinh(), w * t.cosh())),
            )
            .collect(),
    }
}

/// Densities integrate to 1; moments, scores and information are those of the density.
#[test]
fn information_and_moments_are_those_of_the_density() {
    for row in rows() {
        let family = &row.family;
        let (outputs, coordinates) = (family.outputs(), family.coordinates());
        let (mut total, mut mean, mut square) = (0.0, 0.0, 0.0);
        let mut scores = vec![[0.0_f64; 2]; outputs + coordinates];
        for (y, weight) in over_y(&row) {
            let jet = core::<f64>(&row, y);
            let p = weight * libm::exp(jet.value);
            total += p;
            // A 0 counts as one of the mean of all logarithms.
            let y = if y == ZERO { 0.0 } else { y };
            mean += p * y;
            square += p * y * y;
            for (sum, g) in scores.iter_mut().zip(jet.by_output.iter().chain(&jet.by_own)) {
                sum[0] += p * g;
                sum[1] += p * g * g;
            }
        }
        near(total, 1.0, 1e-9, &row);
        let mut o: Vec<[[f64; 1]; GROUP]> = row.o.iter().map(|o| [[*o]; GROUP]).collect();
        let is_class =
            matches!(family.output, Output::Bernoulli | Output::Softmax | Output::Ordinal);
        for y in targets(&row) {
            let [m, v] = moments(&row, y, &mut o);
            let p = libm::exp(core::<f64>(&row, y).value);
            let exact = if is_class { [p, p * (1.0 - p)] } else { [mean, square - mean * mean] };
            // The variance of t_3 has a fat tail beyond the rule's end.
            near(m, exact[0], 1e-7, &row);
            near(v, exact[1], if family.output == Output::StudentT { 1e-3 } else { 1e-7 }, &row);
        }
        let own = splat(&row.own);
        let mut ready = vec![[f64::NAN]; family.ready_len()];
        let mut of_own = |n: f64| {
            let mut out = vec![[0.0]; coordinates];
            let (nu, mut o) = ([row.nu], o.clone());
            output::information(
                Isa::Portable,
                family,
                1,
                n,
                &own,
                &nu,
                &mut o,
                &mut out,
                &mut ready,
            );
            (o, out)
        };
        let ((o, one), (_, none)) = (of_own(1.0), of_own(0.0));
        for (k, sum) in scores.iter().enumerate() {
            near(sum[0], 0.0, 1e-6, ("mean score", &row, k));
            let information = match k.checked_sub(outputs) {
                None => {
                    assert_eq!(o[k][1..], [[0.0]; 3]);
                    o[k][0][0].powi(2)
                }
                Some(j) => one[j][0] - none[j][0],
            };
            // That of thresholds is taken at output 0.
            if k >= outputs && family.output == Output::Ordinal && row.o[0] != 0.0 {
                continue;
            }
            let bounds = family.output == Output::Mixture
                || k >= outputs && family.output == Output::NegativeBinomial;
            if bounds {
                assert!(information >= sum[1] - 1e-9, "{information} {} {row:?} {k}", sum[1]);
            } else {
                near(information, sum[1], 1e-6, ("information", &row, k));
            }
        }
    }
}

/// Where the bounds are reached: components far apart, and rows of large mean.
#[test]
fn bounds_of_the_information_are_reached() {
    let family = Family { floor: 0.1, ..Family::of(Output::Mixture) };
    let o = vec![0.3, -0.4, -30.0, 30.0, 0.5, -1.0];
    let row = Row { family, own: vec![], nu: 1.0, o };
    let mut o: Vec<[[f64; 1]; GROUP]> = row.o.iter().map(|o| [[*o]; GROUP]).collect();
    let mut ready = vec![[f64::NAN]; family.ready_len()];
    output::information(Isa::Portable, &family, 1, 1.0, &[], &[1.0], &mut o, &mut [], &mut ready);
    let rule = (0..400).flat_map(|j| {
        let start = -40.0 + 0.2 * f64::from(j);
        legendre(12, start, start + 0.2)
    });
    let mut sums = [0.0; 6];
    for (y, weight) in rule {
        let jet = core::<f64>(&row, y);
        let p = weight * libm::exp(jet.value);
        sums.iter_mut().zip(&jet.by_output).for_each(|(sum, g)| *sum += p * g * g);
    }
    for (o, sum) in o.iter().zip(sums) {
        near(o[0][0].powi(2), sum, 1e-9, &row);
    }
    // ln r: r^2 psi'(r) - r, which a mean of e^8 nearly reaches where r is not small.
    for log in [-6.0, -3.0, -1.0, 0.0, 1.0, 3.0, 6.0] {
        let family = Family::of(Output::NegativeBinomial);
        let row = Row { family, own: vec![log], nu: 1.0, o: vec![8.0] };
        let mut out = [[[0.0]], [[0.0]]];
        for (n, out) in out.iter_mut().enumerate() {
            let mut ready = vec![[f64::NAN]; family.ready_len()];
            let (n, own) = (n as f64, [[log]]);
            let isa = Isa::Portable;
            output::information(isa, &family, 0, n, &own, &[1.0], &mut [], out, &mut ready);
        }
        let information = out[1][0][0] - out[0][0][0];
        let (r, far) = (libm::exp(log), libm::exp(log) + 1000.0);
        let trigamma = (0..1000).map(|j| (r + f64::from(j)).powi(-2)).sum::<f64>()
            + 1.0 / far
            + 0.5 / (far * far)
            + 1.0 / (6.0 * far.powi(3));
        let bound = r * r * trigamma - r;
        assert!((information / bound - 1.0).abs() < 0.05, "{log}: {information} {bound}");
        if (0.0..4.0).contains(&log) {
            let most = (libm::exp(8.0) * 30.0) as usize;
            let exact: f64 = (0..most)
                .map(|y| {
                    let jet = core::<f64>(&row, y as f64);
                    libm::exp(jet.value) * jet.by_own[0] * jet.by_own[0]
                })
                .sum();
            println!("ln r = {log}: {information} {bound} {exact}");
            assert!(bound >= exact && exact > 0.97 * bound, "{log} {information} {exact}");
        }
    }
}

fn log_prior(family: &Family<f64>, own: &[f64]) -> (f64, Vec<f64>) {
    let mut by_own = vec![[0.0]; own.len()];
    let mut ready = vec![[f64::NAN]; family.ready_len()];
    let [value] =
        output::log_prior(Isa::Portable, family, &splat(own), &[5.0], &mut by_own, &mut ready);
    (value, by_own.iter().map(|g| g[0]).collect())
}

/// Priors of own coordinates are densities, with their derivatives, and the curvature at their modes is what
/// the information counts for them.
#[test]
fn priors_are_densities() {
    for row in rows() {
        let Row { family, own, .. } = &row;
        let (value, by_own) = log_prior(family, own);
        near(value, prior_twin(family, own), 1e-13, &row);
        if own.is_empty() {
            continue;
        }
        for (k, got) in by_own.iter().enumerate() {
            near(*got, slope(|h| prior_twin(family, &moved(own, k, h))), 1e-9, &row);
        }
        let density = |own: &[f64]| libm::exp(log_prior(family, own).0);
        let total: f64 = match own.len() {
            1 => (0..8000).map(|j| 0.05 * density(&[-200.0 + 0.05 * f64::from(j)])).sum(),
            2 => (0..400)
                .flat_map(|j| (0..240).map(move |k| (f64::from(j), f64::from(k))))
                .map(|(j, k)| 0.04 * density(&[-40.0 + 0.2 * j, -40.0 + 0.2 * k]))
                .sum(),
            _ => 1.0,
        };
        near(total, 1.0, 1e-9, &row);
        if family.output != Output::Ordinal && family.noise_shape != 0.5 {
            continue;
        }
        let mut mode = own.clone();
        for _ in 0..2000 {
            let (_, slopes) = log_prior(family, &mode);
            mode.iter_mut().zip(slopes).for_each(|(x, slope)| *x += 0.4 * slope);
        }
        let mut out = vec![[0.0]; own.len()];
        let mut ready = vec![[f64::NAN]; family.ready_len()];
        let (isa, at) = (Isa::Portable, splat(&mode));
        output::information(isa, family, 0, 0.0, &at, &[5.0], &mut [], &mut out, &mut ready);
        for (k, [curvature]) in out.into_iter().enumerate() {
            let want = -slope(|h| log_prior(family, &moved(&mode, k, h)).1[k]);
            near(curvature, want, 1e-9, &row);
        }
    }
}
