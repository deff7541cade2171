//! A mixture fitted to a cloud: clusters by k-means, a Gaussian for each.

use crate::cloud::{Cloud, factorise, shrink};
use crate::linalg::for_diagonal;
use crate::random::Stream;
use crate::reference::{Affine, COMPONENTS, component_len, mixture_len};
use crate::scalar::Real;
use crate::simd::{Portable, Simd, Vector};
use crate::special;

/// Rounds of Lloyd's algorithm.
const ROUNDS: usize = 12;
/// The weight of the component that stands behind the clusters.
const BEHIND: f64 = 0.1;

/// The numbers of a component while clusters are sought: its mean so far, the sum of its points, their
/// number.
fn parts<T>(component: &mut [T], dim: usize) -> Option<(&mut T, &mut T, &mut [T], &mut [T])> {
    let ([share, log_weight], rest) = component.split_first_chunk_mut::<2>()?;
    let (mean, factor) = rest.split_at_mut_checked(dim)?;
    Some((share, log_weight, mean, factor))
}

impl<T: Real> Cloud<'_, T> {
    /// Fits the numbers of a [`Mixture`](crate::reference::Mixture) in the coordinates of `map`, a fit
    /// of the whole cloud: k-means from k-means++ starts (Arthur and Vassilvitskii 2007; its random
    /// numbers from `stream`), then mean, covariance with shrunk correlations
    /// ([`fit`](Self::fit)) and share of each cluster, .9 of the weight in all. A mode may well be cut
    /// into several clusters; the mixture knows it none the worse. `z` is scratch of 2 dim numbers.
    /// 12 N K dim flops and 14 N dim^2. `false` if a slice is too short.
    pub fn fit_mixture(
        &self,
        map: &Affine<'_, T>,
        stream: &mut Stream,
        out: &mut [T],
        z: &mut [T],
    ) -> bool {
        let dim = self.dim();
        let Some(((g, z), length)) = z.split_at_mut_checked(dim).zip(component_len(dim)) else {
            return false;
        };
        let out = mixture_len(dim).and_then(|k| out.get_mut(..k));
        let (Some(z), Some(out)) = (z.get_mut(..dim), out) else { return false };
        let length = length.max(1);
        let mut whiten = |i: usize, z: &mut [T]| {
            g.iter_mut().enumerate().for_each(|(j, g)| *g = self.at(i, j));
            map.solve(g, z);
        };
        out.fill(T::ZERO);
        let Some((clusters, behind)) = out.split_at_mut_checked(length.saturating_mul(COMPONENTS))
        else {
            return false;
        };

        // Starts: each next one a point with probability as the square of its distance.
        for k in 0..COMPONENTS {
            let total = if k == 0 {
                T::of_usize(self.points())
            } else {
                (0..self.points()).fold(T::ZERO, |sum, i| {
                    whiten(i, z);
                    sum + nearest(clusters, length, dim, k, z).1
                })
            };
            let mut left = stream.uniform::<T>() * total;
            for i in 0..self.points() {
                whiten(i, z);
                left -= if k == 0 { T::ONE } else { nearest(clusters, length, dim, k, z).1 };
                if left <= T::ZERO || i.saturating_add(1) == self.points() {
                    break;
                }
            }
            if let Some((_, _, mean, _)) =
                clusters.chunks_exact_mut(length).nth(k).and_then(|c| parts(c, dim))
            {
                mean.iter_mut().zip(&*z).for_each(|(m, z)| *m = *z);
            }
        }
        for _ in 0..ROUNDS {
            for component in clusters.chunks_exact_mut(length) {
                let Some((share, _, _, sums)) = parts(component, dim) else { return false };
                *share = T::ZERO;
                sums.fill(T::ZERO);
            }
            for i in 0..self.points() {
                whiten(i, z);
                let (k, _) = nearest(clusters, length, dim, COMPONENTS, z);
                let own = clusters.chunks_exact_mut(length).nth(k);
                let Some((share, _, _, sums)) = own.and_then(|c| parts(c, dim)) else {
                    return false;
                };
                *share += T::ONE;
                sums.iter_mut().zip(&*z).for_each(|(s, z)| *s += *z);
            }
            for component in clusters.chunks_exact_mut(length) {
                let Some((share, _, mean, sums)) = parts(component, dim) else { return false };
                if *share > T::ZERO {
                    mean.iter_mut().zip(&*sums).for_each(|(m, s)| *m = *s / *share);
                }
            }
        }

        // Covariances, about the means of the last round but with its points.
        for component in clusters.chunks_exact_mut(length) {
            let Some((share, _, _, factor)) = parts(component, dim) else { return false };
            *share = T::ZERO;
            factor.fill(T::ZERO);
        }
        for i in 0..self.points() {
            whiten(i, z);
            let (k, _) = nearest(clusters, length, dim, COMPONENTS, z);
            let own = clusters.chunks_exact_mut(length).nth(k);
            let Some((share, _, mean, factor)) = own.and_then(|c| parts(c, dim)) else {
                return false;
            };
            *share += T::ONE;
            let mut entries = factor.iter_mut();
            for (j, (x, m)) in z.iter().zip(&*mean).enumerate() {
                let d = *x - *m;
                let row = z.iter().zip(&*mean).take(j.saturating_add(1));
                for ((y, n), entry) in row.zip(&mut entries) {
                    *entry += d * (*y - *n);
                }
            }
        }
        let mut so_far = T::ZERO;
        for component in clusters.chunks_exact_mut(length) {
            let Some((share, log_weight, mean, factor)) = parts(component, dim) else {
                return false;
            };
            let count = *share;
            let divisor = (count - T::ONE).max(T::ONE);
            factor.iter_mut().for_each(|c| *c = *c / divisor);
            shrink(factor, dim, count.to_usize(), &mut *mean);
            factorise(factor, dim);
            let weight = T::lit(1.0 - BEHIND) * count / T::of_usize(self.points());
            so_far += weight;
            *share = so_far;
            // An empty cluster is never drawn, and counts for nothing.
            *log_weight = log(weight.max(T::MIN_POSITIVE)) - log_determinant(factor, dim);
        }
        let Some((share, log_weight, _, factor)) = parts(behind, dim) else { return false };
        *share = T::ONE;
        *log_weight = log(T::lit(BEHIND));
        for_diagonal(factor, dim, |x, _| *x = T::ONE);
        true
    }
}

/// The cluster among the first `count` whose mean is nearest to z, and the squared distance.
fn nearest<T: Real>(
    clusters: &[T],
    length: usize,
    dim: usize,
    count: usize,
    z: &[T],
) -> (usize, T) {
    let mut best = (0, T::INFINITY);
    for (k, component) in clusters.chunks_exact(length.max(1)).take(count).enumerate() {
        let mean = component.get(2..).unwrap_or_default().iter().take(dim);
        let distance = mean.zip(z).fold(T::ZERO, |sum, (m, z)| {
            let d = *z - *m;
            sum + d * d
        });
        if distance < best.1 {
            best = (k, distance);
        }
    }
    best
}

fn log<T: Real>(x: T) -> T {
    let [y] = special::ln(Portable, Portable.load(&[x])).array();
    y
}

fn log_determinant<T: Real>(factor: &mut [T], dim: usize) -> T {
    let mut sum = T::ZERO;
    for_diagonal(factor, dim, |x, _| sum += log(*x));
    sum
}
