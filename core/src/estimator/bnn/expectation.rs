//! The evidence lower bound of a generalised linear model without a draw.
//!
//! Of a row the likelihood needs o = x.z alone, which under q = N(m, SS') is N(a, v), a = x.m and v = |S'x|^2: one
//! integral over a normal u a row, E l(a + sqrt(v) u), whatever the coordinates. The gradient is by Stein's identity
//! E[l'] x by m and E[l''] x (S'x)' by S, E[l''] = E[l' u] / sqrt(v). The prior is the same of P further rows, the
//! coordinates, with l(o) = -o^2/2, in closed form.

use crate::dispatch::dispatched;
use crate::linalg::one::dot;
use crate::network::{Family, GROUP, Posterior};
use crate::simd::{Isa, Lanes, Vector, blocks, blocks_mut};
use crate::special;
use crate::special::scalar::ln;
use crate::variational::Law;

/// Points of an integral at least, half a unit apart about 0: the trapezoidal rule converges exponentially there, and the
/// tails beyond hold 1e-14. A pole of l at a distance p (pi, of a logistic) leaves e^(-2 pi p / (h sqrt(v))) at a
/// spacing h, which is halved until that is 1e-13, [`FINEST`] times at most.
pub(super) const NODES: usize = 32;
const WIDEST: f64 = 0.66;
const FINEST: usize = 5;
/// 1 / sqrt(2 pi).
const DENSITY: f64 = 0.398_942_280_401_432_7;

dispatched! {
    /// E l, E l' and E l'' at N(a, sd^2).
    fn of_row(
        s: S, family: &Family<T>, nu: &[T; N], ready: &mut [[T; N]], y: T, at: [T; 2],
    ) -> [[T; N]; 3] {
        family.prepare(s, &[], nu, ready);
        let [a, sd] = at;
        let [mut value, mut first, mut second] = [s.zero(); 3];
        let (mut h, mut count) = (T::HALF, NODES);
        for _ in 0..FINEST {
            if sd * h > T::lit(WIDEST) {
                (h, count) = (T::HALF * h, count.saturating_mul(2));
            }
        }
        for k in 0..count {
            let u = h * (T::of_usize(k) - T::HALF * T::of_usize(count.saturating_sub(1)));
            let weight = s.splat(h * T::lit(DENSITY)) * special::exp(s, s.splat(-T::HALF * u * u));
            let mut o = [[[a + sd * u; N]; GROUP]];
            let l = family.group(s, ready, &[y], &mut o, &mut []);
            let [[slope, ..]] = &o;
            let slope = weight * s.load(slope);
            value = value + weight * l;
            first = first + slope;
            second = second + s.splat(u) * slope;
        }
        let value = value + family.normaliser(s, ready, T::ONE, &mut []);
        let second = if sd > T::ZERO { second / s.splat(sd) } else { s.zero() };
        [value.array(), first.array(), second.array()]
    }
}

/// Where a law stands: itself in sds, the centre and the sds of the coordinates.
pub(super) struct Place<'a, T> {
    pub(super) law: Law<'a, T>,
    pub(super) centre: &'a [T],
    pub(super) unit: &'a [T],
}

/// E log p(y, z) + (P/2) log 2 pi under a Gaussian law of P coordinates; its gradient is added to `gradient`. Room: a
/// list of normals, and twice P numbers. n + P times 32 likelihoods and 10 P flops, of a full covariance 2 P^2.
pub(super) fn expectation<T: Lanes<1>>(
    isa: Isa,
    posterior: &Posterior<'_, T, 1>,
    Place { law, centre, unit }: Place<'_, T>,
    gradient: &mut [T],
    [normals, jacobian, scale]: [&mut [T]; 3],
    scratch: &mut [T],
) -> Option<T> {
    let (p, pass) = (centre.len(), &posterior.pass);
    let ready = blocks_mut::<T, 1>(scratch)?.get_mut(..pass.family.ready_len())?;
    jacobian.fill(T::ONE);
    posterior.parameters(isa, blocks::<T, 1>(jacobian)?, blocks_mut::<T, 1>(scale)?);
    let mut sum = T::ZERO;
    for i in 0..p.checked_add(pass.count())? {
        let row = i
            .checked_sub(p)
            .map(|r| pass.rows.and_then(|rows| rows.get(r)).map_or(r, |row| *row as usize));
        let mut a = T::ZERO;
        let places = jacobian.iter_mut().zip(centre.iter().zip(unit)).enumerate();
        for ((k, (j, (c, s))), by) in places.zip(&*scale) {
            let x = match row {
                Some(row) if k > 0 => *by * pass.data.inputs.at(row, k - 1),
                Some(_) => *by,
                None if k == i => T::ONE,
                None => T::ZERO,
            };
            a += x * *c;
            *j = x * *s;
        }
        a += dot(jacobian, law.mean());
        law.project(jacobian, normals)?;
        let variance = dot(normals, normals);
        let [value, first, second] = if let Some(row) = row {
            if pass.exposure {
                a += ln(pass.data.inputs.at(row, p - 1));
            }
            let y = *pass.data.y().get(row)?;
            let family = &pass.family;
            let at = [a, variance.sqrt()];
            let weight = pass.data.weights().get(row).copied().unwrap_or(T::ONE);
            let weight = posterior.weight * weight;
            of_row(isa, family, &posterior.nu, ready, y, at).map(|[x]| weight * x)
        } else {
            [-T::HALF * (a * a + variance), -a, -T::ONE]
        };
        sum += value;
        // What pulls S back adds to the mean, at these normals.
        gradient.iter_mut().zip(&*jacobian).for_each(|(g, j)| *g += (first - second) * *j);
        law.pull_back(normals, jacobian, second, gradient)?;
    }
    Some(sum)
}
