//! Short fits before the fit, to all rows but those of a fold in turn: what they tell of the others decides what the noise
//! of a real number is like, and the [temperature](BnnOptions::temperature) of classes.
//!
//! Every host goes the same way: [`folds`](BnnOptions::folds) deals the rows; for each candidate and each fold a network
//! by [`pilot`](BnnOptions::pilot) learns from the rows of the other folds, and its log scores of the fold's rows are
//! written down; [`choose`](BnnOptions::choose) reads them. Of classes there is one candidate, and their probabilities are
//! written down.

use super::method::BnnMethod;
use super::options::BnnOptions;
use crate::data::Dataset;
use crate::network::{Output, Scales};
use crate::posterior::moments;
use crate::predict::{self, PredictError};
use crate::random::{Purpose, Stream};
use crate::remarks::{copied, often_target};
use crate::scalar::Real;
use crate::simd::usual_lanes;
use crate::special::scalar::ln;
use crate::sum::Sum;

/// What a row is dealt to that takes no part.
pub const NO_FOLD: u32 = u32::MAX;
/// What a real number may be, the simplest first; what a positive one may be, and one that is often 0: each log-normal, or
/// Gamma where amounts come close to 0.
const REAL: &[Output] = &[Output::StudentT, Output::MeanVariance, Output::Mixture];
const POSITIVE: [&[Output]; 2] = [
    &[Output::StudentT, Output::LogNormal, Output::MeanVariance, Output::Mixture],
    &[Output::StudentT, Output::Gamma, Output::MeanVariance, Output::Mixture],
];
const OFTEN_ZERO: [&[Output]; 2] = [&[Output::HurdleLogNormal], &[Output::HurdleGamma]];
/// What whole numbers from 0 on may be, and few values of them.
const COUNTED: [&[Output]; 2] = [
    &[Output::StudentT, Output::NegativeBinomial, Output::MeanVariance, Output::Mixture],
    &[Output::StudentT, Output::NegativeBinomial],
];
/// Which of four is the law of amounts, or counts.
const OF_AMOUNTS: usize = 1;
/// The largest mean, and the largest of them, of whole numbers that are tried as counts: larger ones are as well told by a density.
const COUNTS: [f64; 2] = [100.0, 1e6];
/// Inputs from which on scales that are known are tried beside one for each. What many inputs tell together, as the channels of
/// a spectrum do, is told by weights that are large in all of them, and short chains do not come so far with a scale for each.
const MANY: usize = 32;
/// Of `OFTEN_ZERO` one row of so many at least is 0, and so many are positive, unlike the first. Of so many values a target has
/// no density.
const ZEROS: usize = 5;
const BEYOND: usize = 10;
/// Chains, of real numbers and of classes, and trajectories of their warm-up, at most. Candidates need to be ranked, not
/// sampled; but few chains are surer of a class than many, and of those the temperature is to be.
const CHAINS: [u32; 2] = [8, 24];
const WARMUP: u32 = 16;
const DRAWS: u32 = 6;
/// The least steps of a start and of a trajectory: shorter chains tell candidates apart by how far each has come.
const LEAST: [u32; 2] = [300, 60];
/// Standard errors by which a candidate must be ahead of a simpler one, and nats a row: any, log-normal or Gamma, and the last
/// of more than two, a mixture.
const SURE: f64 = 2.0;
const LEAD: [f64; 3] = [0.05, 0.1, 0.25];
/// Nats a row by which the first may be ahead of a constant mean where a law of amounts is considered: of numbers that are told
/// closer than a fifth of their sd, half of the rows and short chains tell how far each mean has come, not the noise.
const CLOSE: f64 = 1.5;
/// The skewness of the logarithms below which amounts are Gamma, which has -.5 at the shape 4 and -1.1 at 1: a normal law as wide as
/// logarithms that come close to 0 reaches as far above, and its means are far beyond all of them. Chosen on every other one of 27
/// tables, where it lost .02 nats a row to the better of the two, and judged on the rest: .02.
const SKEWED: f64 = -0.5;
/// Folds of few real numbers, and of others.
const FOLDS: [u32; 2] = [4, 2];
/// ln(2 pi e) / 2.
const HALF_LN_2_PI_E: f64 = 1.418_938_533_204_672_7;
/// Rows from which on half of them teach enough, rows below which nothing is told, and the most that take part.
const HALVED: usize = 200;
const FEWEST: usize = 40;
const MOST: usize = 1000;
/// The mean weight from which on rows stand for several.
const SEVERAL: f64 = 1.5;

/// Which candidate the held-out rows speak for.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct BnnChoice<T> {
    /// Its number, 0 for the first.
    pub candidate: u32,
    /// The folds' rows that were scored.
    pub rows: u32,
    /// By how many nats it tells all of these rows better than the first candidate; 0 where a score of the first is not
    /// finite.
    pub ahead: T,
    /// The standard error of that; of the first candidate, or where a score of the first is not finite, 0.
    pub error: T,
}

impl<T: Real> BnnOptions<T> {
    /// The options of the short fits of candidate k: of student-t noise that is learnt these are student-t,
    /// where every y is positive log-normal, or where their logarithms have a tail to the left Gamma, mean-variance, and a mixture of
    /// as many components as there are categories; of whole numbers from 0 on, with a mean of 100 at most, negative binomial in place of
    /// log-normal; a hurdle, log-normal or Gamma likewise, alone where no y is negative and a fifth or more is 0, which no density has a number for; of targets that are an
    /// input in many rows or have ten values at most, which no density is the better for (but counts), and of everything else
    /// itself alone, and of chains that are shorter still. Classes by another method than chains are told by that method as
    /// it is. Where there is a choice, and 32 inputs or more have scales, all
    /// of them once more with scales that are known. `None` past the last.
    pub fn pilot(&self, data: &Dataset<'_, T>, k: usize) -> Option<Self> {
        let own = self.output.value();
        if own.is_class() && self.method != BnnMethod::Hmc {
            return (k == 0).then_some(*self);
        }
        let [start, leapfrogs] = LEAST;
        let long = self.start_steps >= start && self.leapfrogs >= leapfrogs;
        let long = self.method != BnnMethod::Hmc || (long && self.warmup >= WARMUP);
        let learnt = self.noise == T::ZERO && self.tail == T::ZERO;
        let open = own == Output::StudentT && learnt;
        let candidates = match candidates(data.y()) {
            all if open && all.len() > 1 && singular(data) => &[own],
            all if open && (long || all.len() == 1) => all,
            _ => &[own],
        };
        let sampled = self.scales == Scales::Inputs && !self.is_linear();
        let both = candidates.len() > 1 && sampled && data.d() >= MANY;
        let (scales, k) = match k.checked_sub(candidates.len()) {
            Some(k) if both => (Scales::Known.into(), k),
            _ => (self.scales, k),
        };
        let output = *candidates.get(k)?;
        let draws = if self.method == BnnMethod::Hmc { self.draws.min(DRAWS) } else { DRAWS };
        let [few, many] = CHAINS;
        let most = if own.is_class() { many } else { few };
        let chains = if self.chains == 0 { most } else { self.chains.min(most) };
        Some(Self {
            method: BnnMethod::Hmc.into(),
            output: output.into(),
            scales,
            lanes: usual_lanes(),
            warmup: self.warmup.min(WARMUP),
            keep: draws,
            trace_rows: 0,
            first_chain: 0,
            batch: 0,
            chains,
            draws,
            ..*self
        })
    }

    /// Deals the rows into folds, at random by the seed and evenly along their order, of classes each class by itself:
    /// `dealt`, one number a row, gets their folds, from 0, or [`NO_FOLD`]. The number of folds: 2, or 4 of fewer than 200
    /// numbers, of which at most 1000 take part; 0 of fewer than 40 rows, which tell nothing,
    /// where the rows of all folds but one have one target, where rows are copies of others, which would be in both parts, and of
    /// classes by maximum likelihood; and where rows stand for several, by [weights](Dataset::weighted) of 1.5 and more on average: what
    /// such a row says is not told by others. Of [groups](Dataset::grouped) each is dealt as its first row, and all its rows go with
    /// that: 0 folds of fewer than 4 groups, 2 of fewer than 8.
    /// As many passes as there are classes, without scratch.
    pub fn folds(&self, data: &Dataset<'_, T>, dealt: &mut [u32]) -> u32 {
        let (n, groups) = (data.n(), data.groups());
        let output = self.output.value();
        dealt.fill(NO_FOLD);
        let plain = output.is_class() && self.method == BnnMethod::MaximumLikelihood;
        let several = data.total() > T::lit(SEVERAL) * T::of_usize(n);
        if n < FEWEST || dealt.len() < n || plain || several {
            return 0;
        }
        if groups.is_empty() && copied(data) {
            return 0;
        }
        let classes = self.classes();
        // What is dealt as one: a row, or a group, whose number is its place among the groups.
        let unit = |row: usize| groups.get(row).map_or(row, |group| *group as usize);
        let first = |next: &mut usize, row: usize| {
            let is = unit(row) == *next;
            *next = next.saturating_add(usize::from(is));
            is
        };
        let firsts = || {
            let mut next = 0;
            let all = data.y().iter().enumerate();
            all.filter_map(move |(row, y)| first(&mut next, row).then_some(*y))
        };
        let units = firsts().count();
        let [few, many] = FOLDS;
        let (folds, wanted) = if output.is_class() {
            (many, units)
        } else {
            let share = units.saturating_mul(MOST).div_ceil(n.max(FEWEST));
            (if n < HALVED { few } else { many }, units.min(share))
        };
        let folds = if units < 2 * few as usize { many } else { folds };
        if units < 2 * many as usize {
            return 0;
        }
        let mut stream = Stream::new(self.seed, 0, Purpose::Rows);
        // A sample without replacement, in order (Fan, Muller and Rezucha 1962).
        let mut left = wanted;
        for (k, fold) in dealt.iter_mut().take(units).enumerate() {
            let rest = units.saturating_sub(k);
            if left == rest || (stream.below(rest as u32) as usize) < left {
                *fold = 0;
                left = left.saturating_sub(1);
            }
        }
        let mut order = [0; FOLDS[0] as usize];
        let order = order.get_mut(..folds as usize).unwrap_or(&mut []);
        order.iter_mut().zip(0..).for_each(|(o, k)| *o = k);
        for class in 0..classes {
            let is_of = |y: T| classes == 1 || y == T::of_u32(class);
            let own = dealt.iter_mut().zip(firsts());
            let own = own.filter(|(fold, y)| **fold != NO_FOLD && is_of(*y));
            for (k, (fold, _)) in own.enumerate() {
                let place = k % order.len().max(1);
                if place == 0 {
                    shuffle(order, &mut stream);
                }
                *fold = order.get(place).copied().unwrap_or(0);
            }
        }
        // From the last row on: no group's number is larger than a row's.
        for row in (0..n).rev().filter(|_| !groups.is_empty()) {
            let of_unit = dealt.get(unit(row)).copied().unwrap_or(NO_FOLD);
            dealt.iter_mut().skip(row).take(1).for_each(|own| *own = of_unit);
        }
        // A row of weight 0 is as none.
        let counts = |row: usize| data.weights().get(row).is_none_or(|w| *w > T::ZERO);
        dealt
            .iter_mut()
            .enumerate()
            .filter(|(row, _)| !counts(*row))
            .for_each(|(_, f)| *f = NO_FOLD);
        let teaches = |fold: u32| {
            let mut own = dealt.iter().zip(data.y()).filter(|(f, _)| **f != fold && **f != NO_FOLD);
            let first = own.next().map(|(_, y)| *y);
            own.any(|(_, y)| Some(*y) != first)
        };
        if (0..folds).all(teaches) { folds } else { 0 }
    }

    /// The first column that single precision would round too much ([`Dataset::rounded`]), d for the target: counts from 2^24 on are
    /// among those.
    pub fn rounded(&self, data: &Dataset<'_, T>) -> Option<usize> {
        let large = |y: &T| *y >= T::exp2i(T::lit(24.0));
        let counts = self.output.value().is_counts() && data.y().iter().any(large);
        data.rounded().or(counts.then_some(data.d()))
    }

    /// Reads the log scores of the dealt rows, candidate after candidate, of each in the order of their targets y. Each takes
    /// the place of the one chosen before it where it is ahead of that by more than two standard errors of their difference
    /// over the rows, and by .05 nats a row; of another output log-normal, Gamma or negative binomial by .1, the last of more than two, a mixture, by .25:
    /// chains as short as these overfit, and tell such differences larger than long ones do. Such a law is considered only where student-t is no
    /// more than 1.5 nats a row ahead of the better law without inputs, Gaussian or log-normal. A candidate with a score that
    /// is not finite is out, and takes no other's place; where all are, the choice is the first.
    pub fn choose(y: &[T], scores: &[T]) -> BnnChoice<T> {
        let rows = y.len();
        let list = |k: usize| scores.chunks_exact(rows.max(1)).nth(k).unwrap_or(&[]);
        let sound = |k: usize| list(k).iter().all(|s| s.is_finite());
        let count = scores.len().checked_div(rows).unwrap_or(0);
        // Once, or twice.
        let [four, few, real] = [POSITIVE[0], COUNTED[1], REAL].map(|all| all.len());
        let few_counts = has_few_values(y) && may_be_counts(y);
        let outputs = match count {
            _ if (count == few || count == 2 * few) && few_counts => few,
            _ if count == four || count == 2 * four => four,
            _ if count == 2 * real => real,
            _ => count,
        };
        let positive = outputs == four || few_counts && outputs == few;
        let of = |k: usize| k.checked_rem(outputs).unwrap_or(0);
        let log = |k: usize| positive && of(k) == OF_AMOUNTS;
        let near = T::lit(CLOSE) + if positive { constant(y) } else { T::ZERO };
        let close = Sum::of(list(0).iter().map(|s| *s - near)) > T::ZERO;
        let mut chosen = 0;
        for k in (1..count).filter(|k| !(close && log(*k))) {
            let (ahead, error) = difference(list(k), list(chosen));
            let [any, for_log, last] = LEAD;
            let least = match of(k) {
                own if own == of(chosen) => any,
                own if own > 1 && own == outputs.saturating_sub(1) => last,
                _ if log(k) => for_log,
                _ => any,
            };
            let least = T::lit(least) * T::of_usize(rows);
            if sound(k) && (!sound(chosen) || ahead > least.max(T::lit(SURE) * error)) {
                chosen = k;
            }
        }
        // One that is chosen is sound, unless none is.
        let (ahead, error) =
            if sound(0) { difference(list(chosen), list(0)) } else { (T::ZERO, T::ZERO) };
        BnnChoice { candidate: chosen as u32, rows: rows as u32, ahead, error }
    }

    /// The temperature of a model of all rows, by the probabilities of the dealt ones: [the one](predict::temperature) under
    /// which these score best, above 1 its square root. They are of fits to half of the rows, and by how much those are too
    /// sure falls as one over the rows; that a mean over networks is too cautious hardly hangs on them. Measured in
    /// `tests/results/regression.md`. Errors as there.
    pub fn temperature(
        probabilities: &[T],
        targets: &[T],
        classes: usize,
    ) -> Result<T, PredictError> {
        let own = predict::temperature(probabilities, targets, classes)?;
        Ok(own.min(own.sqrt()))
    }
}

/// Whether an input is the target itself in many rows, as a time that another cuts off: the law that is narrowest there has the
/// highest score, and in the other rows it may be as wide as it likes.
fn singular<T: Real>(data: &Dataset<'_, T>) -> bool {
    (0..data.d()).any(|j| often_target(data, j).is_some())
}

/// The log density a row by the better of two laws without inputs, Gaussian and, of positive numbers, log-normal.
fn constant<T: Real>(y: &[T]) -> T {
    let at = |i: usize| y.get(i).copied().unwrap_or(T::ONE);
    let (_, sd) = moments(y.len(), at);
    let (mean_log, sd_log) = moments(y.len(), |i| ln(at(i)));
    let logs = if y.iter().all(|y| *y > T::ZERO) { -mean_log - ln(sd_log) } else { -ln(sd) };
    (-ln(sd)).max(logs) - T::lit(HALF_LN_2_PI_E)
}

/// Whether numbers may be counts: whole ones from 0 on, 0 and more than 1 among them.
fn may_be_counts<T: Real>(y: &[T]) -> bool {
    let [mean, most] = COUNTS.map(T::lit);
    let count = |y: &T| *y >= T::ZERO && *y <= most && y.floor() == *y;
    let several = y.iter().any(|y| *y > T::ONE) && y.contains(&T::ZERO);
    several && y.iter().all(count) && Sum::of(y.iter().copied()) <= mean * T::of_usize(y.len())
}

/// Of the positive numbers among these, by central moments.
fn skewness_of_logs<T: Real>(y: &[T]) -> T {
    let logs = || y.iter().filter(|y| **y > T::ZERO).map(|y| ln(*y));
    let count = T::of_usize(logs().count());
    let mean = Sum::of(logs()) / count;
    let square = Sum::of(logs().map(|log| (log - mean) * (log - mean))) / count;
    let cube = Sum::of(logs().map(|log| (log - mean) * (log - mean) * (log - mean))) / count;
    cube / (square * square.sqrt())
}

/// Whether there are [`BEYOND`] values at most.
fn has_few_values<T: Real>(y: &[T]) -> bool {
    let mut seen = [T::INFINITY; BEYOND];
    y.iter().all(|y| {
        // Those that are there stand before the others.
        let place = seen.iter_mut().find(|own| **own == *y || **own == T::INFINITY);
        place.map(|own| *own = *y).is_some()
    })
}

/// What numbers like these may be.
fn candidates<T: Real>(y: &[T]) -> &'static [Output] {
    let zeros = y.iter().filter(|y| **y == T::ZERO).count();
    let [counts, few_counts] = COUNTED;
    let counted = may_be_counts(y);
    if has_few_values(y) && zeros <= y.len() / 2 {
        return if counted { few_counts } else { &[Output::StudentT] };
    }
    let above = || y.iter().filter(|y| **y > T::ZERO);
    let positive = above().count();
    // 0 and 1 are no hurdle: what lies beyond has to differ.
    let first = above().next();
    let unlike = above().filter(|y| Some(*y) != first).count();
    let not_negative = zeros.saturating_add(positive) == y.len();
    let enough = zeros >= y.len().div_ceil(ZEROS) && unlike >= BEYOND.saturating_sub(1);
    let [log_normal, gamma] = if zeros == 0 { POSITIVE } else { OFTEN_ZERO };
    if not_negative && (zeros == 0 || enough) {
        if skewness_of_logs(y) < T::lit(SKEWED) { gamma } else { log_normal }
    } else if counted {
        counts
    } else {
        REAL
    }
}

/// The sum of a - b over rows, and its standard error.
fn difference<T: Real>(a: &[T], b: &[T]) -> (T, T) {
    let count = T::of_usize(a.len());
    let each = || a.iter().zip(b).map(|(a, b)| *a - *b);
    let sum = Sum::of(each());
    let mean = sum / count;
    let square = Sum::of(each().map(|d| (d - mean) * (d - mean)));
    (sum, (square * count / (count - T::ONE)).sqrt())
}

/// A random order (Fisher and Yates 1938).
fn shuffle(order: &mut [u32], stream: &mut Stream) {
    for k in 1..order.len() {
        let chosen = stream.below(k as u32 + 1) as usize;
        let Some((before, rest)) = order.split_at_mut_checked(k) else { return };
        if let (Some(other), Some(own)) = (before.get_mut(chosen), rest.first_mut()) {
            core::mem::swap(own, other);
        }
    }
}
