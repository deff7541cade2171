//! The law of y given the network's outputs: one file an output family.
//!
//! A family says how many outputs it takes, how many coordinates of its own it has (the logarithm of a
//! precision, say), and, row by row and lane by lane, ln p(y | outputs) with its derivatives. Values are
//! normalised densities, so that an evidence means the same for all.
//!
//! To add one: its file here, with the functions of [`Law`]; its line in [`Output`] and in `each!`; its
//! predictive law in [`crate::predict`]; its test.

mod bernoulli;
mod gaussian;
mod student_t;

use crate::plain::codes;
use crate::scalar::Real;
use crate::simd::{Simd, Vector};

/// Rows taken at once, as everywhere ([`crate::likelihood`]).
pub(crate) const GROUP: usize = 4;
/// One quantity at the rows of a group.
pub(crate) type AtGroup<T, const N: usize> = [[T; N]; GROUP];

codes! {
    /// What y is, given the network's outputs o.
    pub enum Output: Output {
        /// y = o + sigma t_nu.
        StudentT = 0 "student-t",
        /// y ~ N(o, sigma^2).
        Gaussian = 1 "gaussian",
        /// y in {0, 1}, P(1) = 1 / (1 + exp(-o)).
        Bernoulli = 4 "bernoulli",
    }
}

/// An output family with what it is told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Family<T> {
    /// Which.
    pub output: Output,
    /// Classes, or components of a mixture, where the family has them.
    pub categories: u32,
    /// The known sd of the noise; 0 where it has a coordinate, ln beta = -2 ln sigma.
    pub noise: T,
    /// The prior of an unknown beta is Gamma with this shape ...
    pub noise_shape: T,
    /// ... and this rate.
    pub noise_rate: T,
}

/// One family: everything that the network and its posterior ask of it. `ready` is what
/// [`prepare`](Self::prepare) wrote. What is not given is that of a family without own coordinates.
#[allow(unused_variables)]
pub(crate) trait Law<T: Real>: Copy {
    /// Outputs of the network.
    fn outputs(self, family: &Family<T>) -> usize;
    /// Whether y is a value that the family can give.
    fn possible(self, family: &Family<T>, y: T) -> bool;
    /// ln p(y | o) at row r of a group, `at` = (y, r), without what [`normaliser`](Self::normaliser) adds; the outputs
    /// `o[k][r]` become its derivatives, and those by the own coordinates are added to `own`.
    fn row<const N: usize, S: Simd<T, N>>(
        self,
        s: S,
        family: &Family<T>,
        ready: &[[T; N]],
        at: (T, usize),
        o: &mut [AtGroup<T, N>],
        own: &mut [[T; N]],
    ) -> S::V;
    /// The outputs of row r become the square roots of their expected information, sqrt(I_kk).
    fn information<const N: usize, S: Simd<T, N>>(
        self,
        s: S,
        family: &Family<T>,
        ready: &[[T; N]],
        r: usize,
        o: &mut [AtGroup<T, N>],
    );

    /// Mean and variance of y at row r of a group, `at` = (y, r); of a class, of whether it is y.
    fn moments<const N: usize, S: Simd<T, N>>(
        self,
        s: S,
        family: &Family<T>,
        ready: &[[T; N]],
        at: (T, usize),
        o: &[AtGroup<T, N>],
    ) -> [S::V; 2];

    /// Coordinates of its own.
    fn coordinates(self, family: &Family<T>) -> usize {
        0
    }
    /// Numbers of a draw behind the network's parameters, at least as many as own coordinates: see
    /// [`tail`](Self::tail).
    fn tail_len(self, family: &Family<T>) -> usize {
        0
    }
    /// The own coordinates of one chain, in front of `tail`, become the numbers of a draw behind the
    /// network's parameters.
    fn tail(self, family: &Family<T>, nu: T, tail: &mut [T]) {}
    /// Blocks that [`prepare`](Self::prepare) writes.
    fn ready_len(self, family: &Family<T>) -> usize {
        0
    }
    /// What rows need of the own coordinates and of the degrees of freedom, computed once an evaluation.
    #[inline(always)]
    fn prepare<const N: usize, S: Simd<T, N>>(
        self,
        s: S,
        family: &Family<T>,
        own: &[[T; N]],
        nu: &[T; N],
        ready: &mut [[T; N]],
    ) {
    }
    /// The terms of ln p that are the same at each of n rows, all together; adds their derivatives to `own`.
    #[inline(always)]
    fn normaliser<const N: usize, S: Simd<T, N>>(
        self,
        s: S,
        family: &Family<T>,
        ready: &[[T; N]],
        n: T,
        own: &mut [[T; N]],
    ) -> S::V {
        s.zero()
    }
    /// The log prior density of the own coordinates; adds its derivatives to `gradient`.
    #[inline(always)]
    fn prior<const N: usize, S: Simd<T, N>>(
        self,
        s: S,
        family: &Family<T>,
        own: &[[T; N]],
        ready: &[[T; N]],
        gradient: &mut [[T; N]],
    ) -> S::V {
        s.zero()
    }
    /// The expected information of the own coordinates in n rows, and the curvature of their prior.
    #[inline(always)]
    fn own_information<const N: usize, S: Simd<T, N>>(
        self,
        s: S,
        family: &Family<T>,
        ready: &[[T; N]],
        n: T,
        out: &mut [[T; N]],
    ) {
    }
}

/// The expression with `$law` the family's [`Law`].
macro_rules! each {
    ($output:expr, $law:ident => $body:expr) => {
        match $output {
            Output::StudentT => {
                let $law = student_t::StudentT;
                $body
            }
            Output::Gaussian => {
                let $law = gaussian::Gaussian;
                $body
            }
            Output::Bernoulli => {
                let $law = bernoulli::Bernoulli;
                $body
            }
        }
    };
}

impl<T: Real> Family<T> {
    /// The family as it is by default: unknown noise with the prior of the regressor, two classes.
    pub fn of(output: Output) -> Self {
        let (noise_shape, noise_rate) = (T::HALF, T::lit(5e-5));
        Self { output, categories: 2, noise: T::ZERO, noise_shape, noise_rate }
    }

    /// Whether y is a real number on a scale of its own, which standardising may change.
    pub fn is_real(&self) -> bool {
        matches!(self.output, Output::StudentT | Output::Gaussian)
    }
    /// Outputs of the network.
    pub fn outputs(&self) -> usize {
        each!(self.output, law => law.outputs(self))
    }
    /// Coordinates of its own, behind those of the network.
    pub fn coordinates(&self) -> usize {
        each!(self.output, law => law.coordinates(self))
    }
    /// Numbers of a draw behind the network's parameters.
    pub fn tail_len(&self) -> usize {
        each!(self.output, law => law.tail_len(self))
    }
    /// Whether y is a value that the family can give.
    pub fn possible(&self, y: T) -> bool {
        each!(self.output, law => law.possible(self, y))
    }
    /// The own coordinates of one chain, in front of `tail`, become the numbers of a draw behind the
    /// network's parameters.
    pub fn tail(&self, nu: T, tail: &mut [T]) {
        each!(self.output, law => law.tail(self, nu, tail));
    }
    #[inline(always)]
    pub(crate) fn moments<const N: usize, S: Simd<T, N>>(
        &self,
        s: S,
        ready: &[[T; N]],
        at: (T, usize),
        o: &[AtGroup<T, N>],
    ) -> [S::V; 2] {
        each!(self.output, law => law.moments(s, self, ready, at, o))
    }
    pub(crate) fn ready_len(&self) -> usize {
        each!(self.output, law => law.ready_len(self))
    }
    #[inline(always)]
    pub(crate) fn prepare<const N: usize, S: Simd<T, N>>(
        &self,
        s: S,
        own: &[[T; N]],
        nu: &[T; N],
        ready: &mut [[T; N]],
    ) {
        each!(self.output, law => law.prepare(s, self, own, nu, ready));
    }
    /// ln p of a group of up to four rows. Their outputs become derivatives, 0 where there is no row.
    #[inline(always)]
    pub(crate) fn group<const N: usize, S: Simd<T, N>>(
        &self,
        s: S,
        ready: &[[T; N]],
        y: &[T],
        o: &mut [AtGroup<T, N>],
        own: &mut [[T; N]],
    ) -> S::V {
        let mut terms = [s.zero(); GROUP];
        each!(self.output, law => {
            for ((r, y), term) in y.iter().enumerate().zip(&mut terms) {
                *term = law.row(s, self, ready, (*y, r), o, own);
            }
        });
        blank(o, y.len());
        let [a, b, c, d] = terms;
        (a + b) + (c + d)
    }
    #[inline(always)]
    pub(crate) fn information<const N: usize, S: Simd<T, N>>(
        &self,
        s: S,
        ready: &[[T; N]],
        rows: usize,
        o: &mut [AtGroup<T, N>],
    ) {
        each!(self.output, law => {
            for r in 0..rows.min(GROUP) {
                law.information(s, self, ready, r, o);
            }
        });
        blank(o, rows);
    }
    #[inline(always)]
    pub(crate) fn normaliser<const N: usize, S: Simd<T, N>>(
        &self,
        s: S,
        ready: &[[T; N]],
        n: T,
        own: &mut [[T; N]],
    ) -> S::V {
        each!(self.output, law => law.normaliser(s, self, ready, n, own))
    }
    #[inline(always)]
    pub(crate) fn own_information<const N: usize, S: Simd<T, N>>(
        &self,
        s: S,
        ready: &[[T; N]],
        n: T,
        out: &mut [[T; N]],
    ) {
        each!(self.output, law => law.own_information(s, self, ready, n, out));
    }
    #[inline(always)]
    pub(crate) fn prior<const N: usize, S: Simd<T, N>>(
        &self,
        s: S,
        own: &[[T; N]],
        ready: &[[T; N]],
        gradient: &mut [[T; N]],
    ) -> S::V {
        each!(self.output, law => law.prior(s, self, own, ready, gradient))
    }
}

/// 0 at the rows of a group that are not there.
#[inline(always)]
fn blank<T: Real, const N: usize>(o: &mut [AtGroup<T, N>], rows: usize) {
    for o in o {
        o.iter_mut().skip(rows).for_each(|o| *o = [T::ZERO; N]);
    }
}

/// `o[k][r]`.
#[inline(always)]
pub(crate) fn get<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    o: &[AtGroup<T, N>],
    k: usize,
    r: usize,
) -> S::V {
    o.get(k).and_then(|o| o.get(r)).map_or(s.zero(), |o| s.load(o))
}

/// `o[k][r]` becomes x.
#[inline(always)]
pub(crate) fn set<T: Real, const N: usize, V: Vector<T, N>>(
    o: &mut [AtGroup<T, N>],
    k: usize,
    r: usize,
    x: V,
) {
    if let Some(o) = o.get_mut(k).and_then(|o| o.get_mut(r)) {
        *o = x.array();
    }
}

/// Block k; 0 past the end.
#[inline(always)]
pub(crate) fn at<T: Real, const N: usize, S: Simd<T, N>>(s: S, list: &[[T; N]], k: usize) -> S::V {
    list.get(k).map_or(s.zero(), |x| s.load(x))
}

/// Block k += x, if it is there.
#[inline(always)]
pub(crate) fn add<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    list: &mut [[T; N]],
    k: usize,
    x: S::V,
) {
    if let Some(o) = list.get_mut(k) {
        *o = (s.load(o) + x).array();
    }
}

/// Block k becomes x, if it is there.
#[inline(always)]
pub(crate) fn put<T: Real, const N: usize, V: Vector<T, N>>(list: &mut [[T; N]], k: usize, x: V) {
    if let Some(o) = list.get_mut(k) {
        *o = x.array();
    }
}
