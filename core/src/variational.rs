//! Gaussians that stand in for a posterior: q = N(m, S S'), z = m + S e with e ~ N(0, I), and what maximises the
//! evidence lower bound E_q[log p(y, z) - log q(z)] (Kingma and Welling 2014; Rezende, Mohamed and Wierstra 2014).
//!
//! Three families: S diagonal (mean field, too narrow where the posterior is correlated), S lower triangular with a
//! positive diagonal (all Gaussians), and S S' = D^2 + U U' with U of few columns. Positive numbers are
//! sigma = ln(1 + e^rho).
//!
//! The gradient at one e of log p(y, z(e)) - log q(z(e)) has two forms of the same mean. With G = grad log p(y, z):
//! - *total*: q's part is -sum ln sigma and has no noise; by m it is G, by rho t (e G + 1/sigma), t = 1/(1 + e^-rho)
//!   (what Blundell et al. 2015 print collapses to minus that);
//! - *path*: q held fixed where it is differentiated; G is replaced by G + S'^-1 e, which is 0 at every e where q is
//!   the posterior (Roeder, Wu and Duvenaud 2017): no noise at such an optimum, more far from it.
//!
//! Why: p(z | y) needs log p(y), an integral over all of z; log p(y) is the bound plus KL(q || p(z | y)), so the bound
//! is maximised, a function of finitely many parameters, in place of integrating. What is hard: the variance of the
//! gradients (pairs e, -e and the path form are for that), step sizes (averages over steps that fall), the choice of q
//! (diagonal: sds of each coordinate given the others, 1/sqrt(Lambda_jj) of a Gaussian posterior, and a bound short by
//! (1/2)(sum ln Lambda_jj - ln det Lambda)), and that one Gaussian sees one mode. Where there is a z_n for each row a
//! network in place of N pairs (m_n, sigma_n) gives their q, whose size then does not grow with the rows.

use crate::linalg::lower_len;
use crate::linalg::one::{cholesky, dot, solve_lower, solve_lower_transposed};
use crate::pieces::{cut, pieces, pieces_mut};
use crate::random::Stream;
use crate::scalar::Real;
use crate::special::scalar::{exp, ln, ln_1p, softplus_and_derivative};

/// rho of sigma = 1.
const UNIT: f64 = 0.541_324_854_612_918_1;
/// The sd at which the columns of a low rank begin.
const FIRST: f64 = 0.1;

/// Which Gaussians.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Covariance {
    /// Diagonal.
    MeanField,
    /// Any.
    Full,
    /// A diagonal and so many columns.
    LowRank(usize),
}

/// A family of Gaussians of so many coordinates. Parameters: the means; rho; then of a full covariance the entries
/// below the diagonal of S, row by row, of a low rank the rows of U.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gaussian {
    /// Coordinates.
    pub dim: usize,
    /// Which.
    pub covariance: Covariance,
}

/// One of them, with what its draws share.
#[derive(Clone, Copy, Debug)]
pub struct Law<'a, T> {
    family: Gaussian,
    mean: &'a [T],
    /// sigma, and its derivative by rho.
    sigma: &'a [T],
    slope: &'a [T],
    /// Below the diagonal, or U.
    more: &'a [T],
    /// - sum ln sigma.
    log: T,
}

impl Gaussian {
    /// Columns of U.
    pub fn rank(&self) -> usize {
        if let Covariance::LowRank(rank) = self.covariance { rank } else { 0 }
    }

    /// Parameters; `None` on overflow.
    pub fn len(&self) -> Option<usize> {
        let more = match self.covariance {
            Covariance::Full => lower_len(self.dim)?.checked_sub(self.dim)?,
            _ => self.dim.checked_mul(self.rank())?,
        };
        self.dim.checked_mul(2)?.checked_add(more)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.dim == 0
    }

    /// Normals of a draw; `None` on overflow.
    pub fn normals(&self) -> Option<usize> {
        self.dim.checked_add(self.rank())
    }

    /// Numbers that [`score`](Law::score) works in; `None` on overflow.
    pub fn scratch(&self) -> Option<usize> {
        self.rank().checked_add(lower_len(self.rank())?)
    }

    /// The Gaussian of these parameters, in a room of 2 dim numbers.
    pub fn law<'a, T: Real>(&self, parameters: &'a [T], room: &'a mut [T]) -> Option<Law<'a, T>> {
        let (mean, rest) = parameters.split_at_checked(self.dim)?;
        let (rho, more) = rest.split_at_checked(self.dim)?;
        let ([sigma, slope], _) = cut(room, [self.dim; 2])?;
        let mut log = T::ZERO;
        for ((sigma, slope), rho) in sigma.iter_mut().zip(&mut *slope).zip(rho) {
            (*sigma, *slope) = softplus_and_derivative(*rho);
            log -= ln(*sigma);
        }
        Some(Law { family: *self, mean, sigma, slope, more, log })
    }

    /// Writes N(0, I) over the parameters. Draws: a normal for each entry of U, which small numbers begin.
    pub fn begin<T: Real>(&self, stream: &mut Stream, parameters: &mut [T]) -> Option<()> {
        parameters.get_mut(..self.len()?)?.fill(T::ZERO);
        let (_, rest) = parameters.split_at_mut_checked(self.dim)?;
        let (rho, more) = rest.split_at_mut_checked(self.dim)?;
        rho.fill(T::lit(UNIT));
        if self.rank() > 0 {
            more.iter_mut().for_each(|u| *u = T::lit(FIRST) * stream.normal());
        }
        Some(())
    }
}

impl<T: Real> Law<'_, T> {
    /// z = m + S e, written over `z`.
    pub fn draw(&self, normals: &[T], z: &mut [T]) -> Option<()> {
        let (own, factors) = normals.split_at_checked(self.family.dim)?;
        for (((z, m), sigma), e) in z.iter_mut().zip(self.mean).zip(self.sigma).zip(own) {
            *z = *m + *sigma * *e;
        }
        match self.family.covariance {
            Covariance::MeanField => {}
            Covariance::Full => {
                for (z, row) in z.iter_mut().zip(below(self.more, self.family.dim)) {
                    *z += dot(row, own);
                }
            }
            Covariance::LowRank(rank) => {
                for (z, row) in z.iter_mut().zip(pieces(self.more, rank)) {
                    *z += dot(row, factors);
                }
            }
        }
        Some(())
    }

    /// S'x, written over `normals`: what x.z takes of each of them.
    pub fn project(&self, x: &[T], normals: &mut [T]) -> Option<()> {
        let (own, factors) = normals.split_at_mut_checked(self.family.dim)?;
        for ((e, sigma), x) in own.iter_mut().zip(self.sigma).zip(x) {
            *e = *sigma * *x;
        }
        factors.fill(T::ZERO);
        match self.family.covariance {
            Covariance::MeanField => {}
            Covariance::Full => {
                for (row, x) in below(self.more, self.family.dim).zip(x) {
                    own.iter_mut().zip(row).for_each(|(e, s)| *e += *s * *x);
                }
            }
            Covariance::LowRank(rank) => {
                for (row, x) in pieces(self.more, rank).zip(x) {
                    factors.iter_mut().zip(row).for_each(|(e, u)| *e += *u * *x);
                }
            }
        }
        Some(())
    }

    /// m.
    pub fn mean(&self) -> &[T] {
        self.mean
    }

    /// The standard deviations of the coordinates, written over `out`.
    pub fn sds(&self, out: &mut [T]) -> Option<()> {
        out.iter_mut().zip(self.sigma).for_each(|(out, sigma)| *out = *sigma);
        match self.family.covariance {
            Covariance::MeanField => {}
            Covariance::Full => {
                for (out, row) in out.iter_mut().zip(below(self.more, self.family.dim)) {
                    *out = (*out * *out + dot(row, row)).sqrt();
                }
            }
            Covariance::LowRank(rank) => {
                for (out, row) in out.iter_mut().zip(pieces(self.more, rank)) {
                    *out = (*out * *out + dot(row, row)).sqrt();
                }
            }
        }
        Some(())
    }

    /// -grad log q(z) = (S S')^-1 (z - m) of the z of these normals, written over `out`; returns log q(z) without
    /// its -(dim/2) log 2 pi. dim^2 flops of a full covariance, dim rank^2 of a low rank, else dim.
    pub fn score(&self, normals: &[T], out: &mut [T], scratch: &mut [T]) -> Option<T> {
        let (own, factors) = normals.split_at_checked(self.family.dim)?;
        let out = out.get_mut(..self.family.dim)?;
        let (full, mut log) = (self.family.covariance == Covariance::Full, self.log);
        for ((out, sigma), e) in out.iter_mut().zip(self.sigma).zip(own) {
            *out = if full { *e } else { *e / *sigma };
        }
        match self.family.covariance {
            Covariance::MeanField => {}
            Covariance::Full => {
                // S's = e, from the last coordinate down.
                let mut more = self.more;
                for i in (0..self.family.dim).rev() {
                    let (above, row) = more.split_at_checked(more.len().checked_sub(i)?)?;
                    more = above;
                    let (known, rest) = out.split_at_mut_checked(i)?;
                    let s = rest.first_mut()?;
                    *s = *s / *self.sigma.get(i)?;
                    known.iter_mut().zip(row).for_each(|(k, l)| *k -= *l * *s);
                }
            }
            Covariance::LowRank(rank) => {
                // (D^2 + UU')^-1 d = D^-2 (d - U M^-1 U'D^-2 d), M = I + U'D^-2 U, d = D e + U f.
                let ([x, m], _) = cut(scratch, [rank, lower_len(rank)?])?;
                m.fill(T::ZERO);
                x.fill(T::ZERO);
                let mut quadratic = T::ZERO;
                for (((out, sigma), row), e) in
                    out.iter_mut().zip(self.sigma).zip(pieces(self.more, rank)).zip(own)
                {
                    let sigma = *sigma;
                    // d / sigma, and the row of D^-1 U.
                    let d = *e + dot(row, factors) / sigma;
                    quadratic += d * d;
                    *out = d / sigma;
                    let mut m = m.iter_mut();
                    for (j, (u, x)) in row.iter().zip(&mut *x).enumerate() {
                        let u = *u / sigma;
                        *x += u * d;
                        for (v, m) in row.iter().take(j.saturating_add(1)).zip(&mut m) {
                            *m += u * (*v / sigma);
                        }
                    }
                }
                crate::linalg::for_diagonal(m, rank, |m, _| *m += T::ONE);
                let blocks = m.as_chunks_mut::<1>().0;
                cholesky(blocks, rank, T::ZERO);
                solve_lower(blocks, x.as_chunks_mut::<1>().0);
                quadratic -= dot(x, x);
                solve_lower_transposed(blocks, x.as_chunks_mut::<1>().0);
                crate::linalg::for_diagonal(m, rank, |inverse, _| log += ln(*inverse));
                for ((out, sigma), row) in
                    out.iter_mut().zip(self.sigma).zip(pieces(self.more, rank))
                {
                    *out -= dot(row, x) / (*sigma * *sigma);
                }
                return Some(log - T::HALF * quadratic);
            }
        }
        Some(log - T::HALF * dot(own, own))
    }

    /// Adds `weight` times the gradient by the parameters of a function with the gradient `slope` at the z of these
    /// normals.
    pub fn pull_back(
        &self,
        normals: &[T],
        slope: &[T],
        weight: T,
        gradient: &mut [T],
    ) -> Option<()> {
        let (own, factors) = normals.split_at_checked(self.family.dim)?;
        let (by_mean, rest) = gradient.split_at_mut_checked(self.family.dim)?;
        let (by_rho, by_more) = rest.split_at_mut_checked(self.family.dim)?;
        let places = by_mean.iter_mut().zip(by_rho).zip(self.slope);
        for (((m, r), by), (e, v)) in places.zip(own.iter().zip(slope)) {
            *m += weight * *v;
            *r += weight * (*v * *e * *by);
        }
        match self.family.covariance {
            Covariance::MeanField => {}
            Covariance::Full => {
                let mut rest = by_more;
                for (i, v) in slope.iter().enumerate() {
                    let (row, others) = rest.split_at_mut_checked(i)?;
                    rest = others;
                    row.iter_mut().zip(own).for_each(|(g, e)| *g += weight * *v * *e);
                }
            }
            Covariance::LowRank(rank) => {
                for (row, v) in pieces_mut(by_more, rank).zip(slope) {
                    row.iter_mut().zip(factors).for_each(|(g, f)| *g += weight * *v * *f);
                }
            }
        }
        Some(())
    }

    /// Adds `weight` times the gradient of -E|c + u w|^2/2, w ~ q: of what a prior N(0, I) of c + u w has in the bound.
    pub fn add_prior(&self, [c, u]: [&[T]; 2], weight: T, gradient: &mut [T]) -> Option<()> {
        let (by_mean, rest) = gradient.split_at_mut_checked(self.family.dim)?;
        let (by_rho, by_more) = rest.split_at_mut_checked(self.family.dim)?;
        for (((g, m), c), u) in by_mean.iter_mut().zip(self.mean).zip(c).zip(u) {
            *g -= weight * *u * (*c + *u * *m);
        }
        for ((g, (sigma, slope)), u) in
            by_rho.iter_mut().zip(self.sigma.iter().zip(self.slope)).zip(u)
        {
            *g -= weight * *u * *u * (*sigma * *slope);
        }
        let Gaussian { covariance, .. } = self.family;
        let columns = |i| if covariance == Covariance::Full { i } else { self.family.rank() };
        let (mut by_more, mut more) = (by_more, self.more);
        for (i, u) in u.iter().enumerate() {
            let (row, rest) = by_more.split_at_mut_checked(columns(i))?;
            let (own, others) = more.split_at_checked(columns(i))?;
            row.iter_mut().zip(own).for_each(|(g, s)| *g -= weight * *u * *u * *s);
            (by_more, more) = (rest, others);
        }
        Some(())
    }

    /// Adds `weight` times the gradient of sum ln sigma: of the entropy of q, but of a low rank.
    pub fn add_entropy(&self, weight: T, gradient: &mut [T]) -> Option<()> {
        let by_rho = gradient.get_mut(self.family.dim..)?.iter_mut();
        for ((g, sigma), slope) in by_rho.zip(self.sigma).zip(self.slope) {
            *g += weight * (*slope / *sigma);
        }
        Some(())
    }
}

/// The rows below the diagonal: 0, 1, 2, ... entries.
fn below<T>(mut list: &[T], dim: usize) -> impl Iterator<Item = &[T]> {
    (0..dim).map_while(move |i| {
        let (row, rest) = list.split_at_checked(i)?;
        list = rest;
        Some(row)
    })
}

/// pi N(0, s1^2) + (1 - pi) N(0, s2^2), the prior of a weight in Bayes by Backprop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScaleMixture<T> {
    /// pi.
    pub share: T,
    /// s1.
    pub wide: T,
    /// s2.
    pub narrow: T,
}

impl<T: Real> ScaleMixture<T> {
    /// Its log density without -(1/2) log 2 pi, by log-sum-exp, and the derivative -w (r/s1^2 + (1 - r)/s2^2), r the
    /// probability that w came from the first.
    pub fn log_density(&self, w: T) -> (T, T) {
        let of = |share: T, sd: T| {
            let u = w / sd;
            ln(share) - ln(sd) - T::HALF * (u * u)
        };
        let (a, b) = (of(self.share, self.wide), of(T::ONE - self.share, self.narrow));
        let r = T::ONE / (T::ONE + exp(b - a));
        let rest = T::ONE / (T::ONE + exp(a - b));
        let value = a.max(b) + ln_1p(exp(-(a - b).abs()));
        (value, -(w / self.wide * r / self.wide + w / self.narrow * rest / self.narrow))
    }
}

/// What minibatch i of M (from 0) weighs of the divergence in an epoch: 2^(M-1-i)/(2^M - 1), or 1/M.
pub fn epoch_weight<T: Real>(i: usize, parts: usize, halving: bool) -> T {
    if !halving {
        return T::ONE / T::of_usize(parts);
    }
    // 2^-(i+1) / (1 - 2^-M).
    let power = |k: usize| {
        let mut out = T::ONE;
        // Beyond 1100 nothing is left in either precision.
        for _ in 0..k.min(1100) {
            out = out * T::HALF;
        }
        out
    };
    power(i.saturating_add(1)) / (T::ONE - power(parts))
}
