//! The law of y given the network's outputs: one file an output family.
//!
//! A family says how many outputs it takes, how many coordinates of its own it has (the logarithm of a
//! precision, say), and, row by row and lane by lane, ln p(y | outputs) with its derivatives. Values are
//! normalised densities, so that an evidence means the same for all.
//!
//! To add one: its file here, with the functions of `Law`; its line in [`Output`] and in `each!`; its
//! predictive law in [`crate::predict`]; its test.

mod bernoulli;
mod gamma;
mod gaussian;
mod hurdle;
mod mean_variance;
mod mixture;
mod negative_binomial;
mod ordinal;
mod poisson;
mod softmax;
mod student_t;

pub use mixture::COMPONENTS;

use crate::dispatch::dispatched;
use crate::plain::codes;
use crate::scalar::Real;
use crate::simd::{LaneOp, Simd, Vector};
use crate::special;
use core::f64::consts::{FRAC_PI_2, LN_2};

/// Rows taken at once, as everywhere ([`crate::likelihood`]).
pub const GROUP: usize = 4;
/// ln(2 pi) / 2.
pub(super) const HALF_LN_2_PI: f64 = 0.918_938_533_204_672_8;
/// See [`Family::is_located`].
pub(super) const LOCATED: usize = 5;
/// One quantity at the rows of a group.
pub(crate) type AtGroup<T, const N: usize> = [[T; N]; GROUP];

codes! {
    /// What y is, given the network's outputs o.
    pub enum Output: Output {
        /// y = o + sigma t_nu.
        StudentT = 0 "student-t",
        /// y ~ N(o, sigma^2).
        Gaussian = 1 "gaussian",
        /// y ~ N(o_1, exp(o_2) + floor^2).
        MeanVariance = 2 "mean-variance",
        /// y from a mixture of K Gaussians: o are K logits, K means, K log variances, floored as above.
        Mixture = 3 "mixture",
        /// y in {0, 1}, P(1) = 1 / (1 + exp(-o)).
        Bernoulli = 4 "bernoulli",
        /// y in {0, ..., K - 1}, P(k) proportional to exp(o_k).
        Softmax = 5 "softmax",
        /// y = 0, 1, ..., Poisson of mean exp(o).
        Poisson = 6 "poisson",
        /// y = 0, 1, ..., negative binomial of mean m = exp(o) and variance m + m^2/r.
        NegativeBinomial = 7 "negative-binomial",
        /// y in {0, ..., K - 1} in order, P(y <= k) = 1 / (1 + exp(o - t_k)), thresholds t_0 < ... < t_(K-2).
        Ordinal = 8 "ordinal",
        /// y > 0, ln y ~ N(o_1, exp(o_2) + floor^2).
        LogNormal = 9 "log-normal",
        /// y = 0 with probability 1 / (1 + exp(o_1)), else ln y ~ N(o_2, exp(o_3) + floor^2).
        HurdleLogNormal = 10 "hurdle-log-normal",
        /// y > 0, Gamma of mean exp(o_1) and variance exp(2 o_1) (exp(o_2) + floor^2).
        Gamma = 11 "gamma",
        /// y = 0 with probability 1 / (1 + exp(o_1)), else Gamma of mean exp(o_2) and variance exp(2 o_2) (exp(o_3) + floor^2).
        HurdleGamma = 12 "hurdle-gamma",
    }
}

impl Output {
    /// Whether y is a class, 0 or above.
    pub fn is_class(self) -> bool {
        matches!(self, Self::Bernoulli | Self::Softmax | Self::Ordinal)
    }

    /// Whether y is a count, of which an exposure multiplies the mean.
    pub fn is_counts(self) -> bool {
        matches!(self, Self::Poisson | Self::NegativeBinomial)
    }

    /// Whether the network is one of ln y: what it is given is [`seen`](Family::seen).
    pub fn is_log(self) -> bool {
        matches!(self, Self::LogNormal | Self::Gamma) || self.has_hurdle()
    }

    /// Whether y may be 0, with a probability of its own.
    pub fn has_hurdle(self) -> bool {
        matches!(self, Self::HurdleLogNormal | Self::HurdleGamma)
    }

    /// Whether its law reads the member of a fit's options that has this name. Members that no list has are of all outputs.
    pub fn reads(self, member: &str) -> bool {
        let of_one_sd = matches!(self, Self::StudentT | Self::Gaussian);
        match member {
            "tail" => matches!(self, Self::StudentT),
            "noise" | "noise_shape" | "noise_rate" => of_one_sd,
            "floor" => matches!(self, Self::MeanVariance | Self::Mixture) || self.is_log(),
            "size" => matches!(self, Self::NegativeBinomial),
            "categories" => matches!(self, Self::Mixture | Self::Softmax | Self::Ordinal),
            "reference" => matches!(self, Self::Softmax),
            "exposure" => self.is_counts(),
            _ => true,
        }
    }

    /// Whether an amount is a Gamma number.
    pub fn is_gamma(self) -> bool {
        matches!(self, Self::Gamma | Self::HurdleGamma)
    }
}

/// An output family with what it is told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Family<T> {
    /// Which.
    pub output: Output,
    /// Classes (at least 2), or components of a mixture (1 to [`COMPONENTS`]).
    pub categories: u32,
    /// Softmax: whether the output of class 0 is fixed at 0, and K - 1 outputs are the network's.
    pub reference: bool,
    /// The known sd of the noise; 0 where it has a coordinate, ln beta = -2 ln sigma.
    pub noise: T,
    /// The prior of an unknown beta is Gamma with this shape ...
    pub noise_shape: T,
    /// ... and this rate.
    pub noise_rate: T,
    /// Mean-variance, mixture and those of ln y: the least sd, in units of y as the network sees it; 0 for none, and then
    /// the likelihood has no bound.
    pub floor: T,
    /// Negative binomial: the known size r; 0 where it has a coordinate, ln r.
    pub size: T,
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

    /// Mean and variance of y at row r of a group, `at` = (y, r); of the indicator of class y where y is a
    /// class.
    fn moments<const N: usize, S: Simd<T, N>>(
        self,
        s: S,
        family: &Family<T>,
        ready: &[[T; N]],
        at: (T, usize),
        o: &[AtGroup<T, N>],
    ) -> [S::V; 2];

    /// Whether the fields that are its own have values that it can have.
    fn valid(self, family: &Family<T>) -> bool {
        true
    }
    /// Coordinates of its own.
    fn coordinates(self, family: &Family<T>) -> usize {
        0
    }
    /// About the mean and the sd of each of them under the prior.
    fn extent(self, family: &Family<T>) -> [T; 2] {
        [T::ZERO, T::lit(FRAC_PI_2)]
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
        each!($output, $law => $body;
            StudentT = student_t,
            Gaussian = gaussian,
            MeanVariance = mean_variance,
            Mixture = mixture,
            Bernoulli = bernoulli,
            Softmax = softmax,
            Poisson = poisson,
            NegativeBinomial = negative_binomial,
            Ordinal = ordinal,
            LogNormal = mean_variance,
            HurdleLogNormal = hurdle,
            Gamma = gamma,
            HurdleGamma = hurdle,
        )
    };
    ($output:expr, $law:ident => $body:expr; $($name:ident = $file:ident,)*) => {
        match $output {
            $(Output::$name => {
                let $law = $file::$name;
                $body
            })*
        }
    };
}

impl<T: Real> Family<T> {
    /// The family as it is by default: unknown noise with the prior of the regressor, two classes or
    /// components, symmetric, sd of at least a thousandth, unknown size.
    pub fn of(output: Output) -> Self {
        let (noise_shape, noise_rate) = (T::HALF, T::lit(5e-5));
        let (noise, size, floor) = (T::ZERO, T::ZERO, T::lit(1e-3));
        let (categories, reference) = (2, false);
        Self { output, categories, reference, noise, noise_shape, noise_rate, floor, size }
    }

    /// Whether its fields have values that they can have.
    pub fn valid(&self) -> bool {
        each!(self.output, law => law.valid(self))
    }
    /// Whether its constants are in their ranges, those that the output does not ask for among them.
    pub fn constants_valid(&self) -> bool {
        let known = |x: T| x >= T::ZERO && x.is_finite();
        let positive =
            [self.noise_shape, self.noise_rate].into_iter().all(|x| x > T::ZERO && known(x));
        positive && [self.noise, self.floor, self.size].into_iter().all(known)
    }
    /// Whether y is a real number on a scale of its own, which standardising may change.
    pub fn is_real(&self) -> bool {
        matches!(
            self.output,
            Output::StudentT | Output::Gaussian | Output::MeanVariance | Output::Mixture
        ) || self.output.is_log()
    }
    /// What the densities of this module are of, given y and its affine map to other units: that of ln y where the network is
    /// one of it, the least number for y = 0, else that of y.
    pub fn seen(&self, y: T, target: impl Fn(T) -> T) -> T {
        match self.output.is_log() {
            true if y > T::ZERO => target(special::scalar::ln(y)),
            true => -T::MAX,
            false => target(y),
        }
    }
    /// Whether y - o is all that the density of y knows of both; then [`ready_len`](Self::ready_len) is at most [`LOCATED`].
    pub(super) fn is_located(&self) -> bool {
        matches!(self.output, Output::StudentT | Output::Gaussian)
    }
    /// The log likelihood of a row by a model without inputs: of real numbers, where they are standardised, the
    /// Gaussian of mean 0 and sd 1, of classes equal chances. `None` of counts, of a hurdle, of Gamma numbers, of targets in other units, and where
    /// the noise is known.
    pub fn constant(&self, standardised: bool) -> Option<T> {
        match self.output {
            own if own.is_counts() || own.has_hurdle() || own.is_gamma() => None,
            Output::Bernoulli => Some(-T::lit(LN_2)),
            Output::Softmax | Output::Ordinal => {
                Some(-special::scalar::ln(T::of_u32(self.categories)))
            }
            _ if !standardised || self.noise > T::ZERO => None,
            _ => Some(-T::lit(HALF_LN_2_PI + 0.5)),
        }
    }
    /// Outputs of the network.
    pub fn outputs(&self) -> usize {
        each!(self.output, law => law.outputs(self))
    }
    /// Coordinates of its own, behind those of the network.
    pub fn coordinates(&self) -> usize {
        each!(self.output, law => law.coordinates(self))
    }
    /// About the mean and the sd of each of them under the prior.
    pub fn extent(&self) -> [T; 2] {
        each!(self.output, law => law.extent(self))
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
    /// Blocks of scratch: what rows need of the own coordinates, computed once an evaluation.
    pub fn ready_len(&self) -> usize {
        each!(self.output, law => law.ready_len(self))
    }
    // Once an evaluation, and much code.
    #[inline(never)]
    pub(crate) fn prepare<const N: usize, S: Simd<T, N>>(
        &self,
        s: S,
        own: &[[T; N]],
        nu: &[T; N],
        ready: &mut [[T; N]],
    ) {
        let family = self;
        each!(self.output, law => s.outline(Prepare { law, family, own, nu, ready }));
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
        let [a, b, c, d] = self.rows(s, ready, (y, 0), o, own);
        blank(o, y.len());
        (s.load(&a) + s.load(&b)) + (s.load(&c) + s.load(&d))
    }
    /// ln p at each row from the first of the group on.
    #[inline(always)]
    fn rows<const N: usize, S: Simd<T, N>>(
        &self,
        s: S,
        ready: &[[T; N]],
        rows: (&[T], usize),
        o: &mut [AtGroup<T, N>],
        own: &mut [[T; N]],
    ) -> AtGroup<T, N> {
        let family = self;
        each!(self.output, law => s.outline(Rows { law, family, ready, rows, o, own }))
    }
    /// As [`group`](Self::group), each row as often as its weight says where there are weights. `by_row`: a block for each own
    /// coordinate.
    #[inline(always)]
    pub(crate) fn weighted_group<const N: usize, S: Simd<T, N>>(
        &self,
        s: S,
        ready: &[[T; N]],
        (y, weights): (&[T], &[T]),
        o: &mut [AtGroup<T, N>],
        own: &mut [[T; N]],
        by_row: &mut [[T; N]],
    ) -> S::V {
        let mut sums = [[T::ZERO; N]; GROUP];
        let each = if weights.is_empty() { GROUP } else { 1 };
        for (k, rows) in y.chunks(each).enumerate() {
            let weight = weights.get(k);
            by_row.iter_mut().for_each(|x| *x = [T::ZERO; N]);
            let to = if weight.is_some() { &mut *by_row } else { &mut *own };
            let terms = self.rows(s, ready, (rows, k), o, to);
            let Some(weight) = weight.copied() else {
                sums = terms;
                break;
            };
            // 0 times a density of 0 is no number, and such a row is as none.
            let (w, counts) = (s.splat(weight), weight > T::ZERO);
            let weigh = |x: &mut [T; N]| {
                *x = if counts { (w * s.load(x)).array() } else { [T::ZERO; N] };
            };
            by_row.iter_mut().for_each(weigh);
            for (own, x) in own.iter_mut().zip(&*by_row) {
                *own = (s.load(own) + s.load(x)).array();
            }
            o.iter_mut().filter_map(|o| o.get_mut(k)).for_each(weigh);
            let [mut term, ..] = terms;
            weigh(&mut term);
            sums.iter_mut().skip(k).take(1).for_each(|sum| *sum = term);
        }
        blank(o, y.len());
        let [a, b, c, d] = sums;
        (s.load(&a) + s.load(&b)) + (s.load(&c) + s.load(&d))
    }
    #[inline(always)]
    pub(crate) fn information<const N: usize, S: Simd<T, N>>(
        &self,
        s: S,
        ready: &[[T; N]],
        rows: usize,
        o: &mut [AtGroup<T, N>],
    ) {
        let family = self;
        each!(self.output, law => s.outline(Information { law, family, ready, rows, o }));
    }
    #[inline(always)]
    pub(crate) fn moments<const N: usize, S: Simd<T, N>>(
        &self,
        s: S,
        ready: &[[T; N]],
        at: (T, usize),
        o: &[AtGroup<T, N>],
    ) -> [S::V; 2] {
        let family = self;
        let [mean, variance] =
            each!(self.output, law => s.outline(Moments { law, family, ready, at, o }));
        [s.load(&mean), s.load(&variance)]
    }
    #[inline(always)]
    pub(crate) fn normaliser<const N: usize, S: Simd<T, N>>(
        &self,
        s: S,
        ready: &[[T; N]],
        n: T,
        own: &mut [[T; N]],
    ) -> S::V {
        let family = self;
        s.load(&each!(self.output, law => s.outline(Normaliser { law, family, ready, n, own })))
    }
    #[inline(never)]
    pub(crate) fn own_information<const N: usize, S: Simd<T, N>>(
        &self,
        s: S,
        ready: &[[T; N]],
        n: T,
        out: &mut [[T; N]],
    ) {
        let family = self;
        each!(self.output, law => s.outline(OwnInformation { law, family, ready, n, out }));
    }
    #[inline(always)]
    pub(crate) fn prior<const N: usize, S: Simd<T, N>>(
        &self,
        s: S,
        own: &[[T; N]],
        ready: &[[T; N]],
        gradient: &mut [[T; N]],
    ) -> S::V {
        let family = self;
        s.load(&each!(self.output, law => s.outline(Prior { law, family, own, ready, gradient })))
    }
}

dispatched! {
    /// ln p(y | outputs) of up to four rows together, a normalised density, one lane a chain: as the network
    /// takes it. The outputs `o[k][r]` (output k at row r) become its derivatives, those by the own
    /// coordinates are added to `by_own`. `own` are the coordinates, `nu` the degrees of freedom of a
    /// Student-t; `ready` is scratch of [`Family::ready_len`] blocks.
    pub fn log_density(
        s: S, family: &Family<T>, y: &[T], own: &[[T; N]], nu: &[T; N],
        o: &mut [[[T; N]; GROUP]], by_own: &mut [[T; N]], ready: &mut [[T; N]],
    ) -> [T; N] {
        let y = y.get(..y.len().min(GROUP)).unwrap_or(&[]);
        family.prepare(s, own, nu, ready);
        let rows = family.group(s, ready, y, o, by_own);
        (rows + family.normaliser(s, ready, T::of_usize(y.len()), by_own)).array()
    }

    /// The square roots of the expected information of each output, written over the outputs of `rows` rows;
    /// that of the own coordinates in n rows, with the curvature of their prior, over `by_own`. A mixture's
    /// is its upper bound, a negative binomial's of ln r that of rows of large mean. The rest as in
    /// [`log_density`].
    pub fn information(
        s: S, family: &Family<T>, rows: usize, n: T, own: &[[T; N]], nu: &[T; N],
        o: &mut [[[T; N]; GROUP]], by_own: &mut [[T; N]], ready: &mut [[T; N]],
    ) {
        family.prepare(s, own, nu, ready);
        family.information(s, ready, rows, o);
        family.own_information(s, ready, n, by_own);
    }

    /// Mean and variance of y given the outputs at row r; of the indicator of class y where y is a class. The
    /// rest as in [`log_density`].
    pub fn moments(
        s: S, family: &Family<T>, y: T, r: usize, own: &[[T; N]], nu: &[T; N],
        o: &[[[T; N]; GROUP]], ready: &mut [[T; N]],
    ) -> [[T; N]; 2] {
        family.prepare(s, own, nu, ready);
        let [mean, variance] = family.moments(s, ready, (y, r), o);
        [mean.array(), variance.array()]
    }

    /// The log prior density of the own coordinates; adds its derivatives to `by_own`. The rest as in
    /// [`log_density`].
    pub fn log_prior(
        s: S, family: &Family<T>, own: &[[T; N]], nu: &[T; N], by_own: &mut [[T; N]],
        ready: &mut [[T; N]],
    ) -> [T; N] {
        family.prepare(s, own, nu, ready);
        family.prior(s, own, ready, by_own).array()
    }
}

/// Whether y is a count that no rounding can have made of another: an integer from 0 to below 2^24 (`f32`)
/// or 2^53 (`f64`).
fn whole<T: Real>(y: T) -> bool {
    y >= T::ZERO && y * T::EPSILON < T::lit(2.0) && y.floor() == y
}

/// Above this exponents are cut off, for finite values and derivatives of worthless outputs.
#[inline(always)]
fn furthest<T: Real>() -> T {
    T::lit(if T::BITS == 32 { 70.0 } else { 690.0 })
}

/// Functions of a [`Law`], each compiled apart for each family: none carries the frame of all.
macro_rules! outlined {
    ($(
        $(#[$meta:meta])*
        $name:ident { $($arg:ident: $ty:ty),+ } -> $out:ty = |$s:ident, $law:ident| $body:expr;
    )+) => {$(
        $(#[$meta])*
        struct $name<'s, L, T, const N: usize> {
            law: L,
            $($arg: $ty),+
        }
        impl<L: Law<T>, T: Real, const N: usize> LaneOp<T, N> for $name<'_, L, T, N> {
            type Output = $out;
            #[inline(always)]
            fn run<S: Simd<T, N>>(self, $s: S) -> $out {
                let Self { law: $law, $($arg),+ } = self;
                $body
            }
        }
    )+};
}

outlined! {
    Prepare {
        family: &'s Family<T>, own: &'s [[T; N]], nu: &'s [T; N], ready: &'s mut [[T; N]]
    } -> () = |s, law| law.prepare(s, family, own, nu, ready);
    /// ln p at each row.
    Rows {
        family: &'s Family<T>, ready: &'s [[T; N]], rows: (&'s [T], usize), o: &'s mut [AtGroup<T, N>],
        own: &'s mut [[T; N]]
    } -> AtGroup<T, N> = |s, law| {
        let (y, first) = rows;
        let mut terms = [[T::ZERO; N]; GROUP];
        for ((r, y), term) in (first..).zip(y).zip(&mut terms) {
            *term = law.row(s, family, ready, (*y, r), o, own).array();
        }
        terms
    };
    Information {
        family: &'s Family<T>, ready: &'s [[T; N]], rows: usize, o: &'s mut [AtGroup<T, N>]
    } -> () = |s, law| {
        for r in 0..rows.min(GROUP) {
            law.information(s, family, ready, r, o);
        }
        blank(o, rows);
    };
    Moments {
        family: &'s Family<T>, ready: &'s [[T; N]], at: (T, usize), o: &'s [AtGroup<T, N>]
    } -> [[T; N]; 2] = |s, law| {
        let [mean, variance] = law.moments(s, family, ready, at, o);
        [mean.array(), variance.array()]
    };
    Normaliser {
        family: &'s Family<T>, ready: &'s [[T; N]], n: T, own: &'s mut [[T; N]]
    } -> [T; N] = |s, law| law.normaliser(s, family, ready, n, own).array();
    OwnInformation {
        family: &'s Family<T>, ready: &'s [[T; N]], n: T, out: &'s mut [[T; N]]
    } -> () = |s, law| law.own_information(s, family, ready, n, out);
    Prior {
        family: &'s Family<T>, own: &'s [[T; N]], ready: &'s [[T; N]], gradient: &'s mut [[T; N]]
    } -> [T; N] = |s, law| law.prior(s, family, own, ready, gradient).array();
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
