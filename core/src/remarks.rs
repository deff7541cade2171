//! What a person should know of the rows before a network learns from them: what it takes at its word, and is wrong about
//! without a warning.

use crate::data::Dataset;
use crate::diagnostics::{median_of_sorted, sort};
use crate::plain::codes;
use crate::scalar::Real;

codes! {
    /// What of the rows is remarkable.
    pub enum Remark {
        /// A column has a few values far from all others: codes for missing cells, or mistakes.
        Far = 0 "has a few values far from all others: are they codes for missing cells, or mistakes?",
        /// The target has one value in many rows, and others in the rest.
        Repeated = 1 "is one number in so many rows, and others in the rest: no density tells both (of 0 among positive numbers a hurdle does); model whether it is that number as classes, and the rest by themselves",
        /// A column is a whole number that grows from row to row: an identifier, or time.
        Counts = 2 "grows by whole numbers from row to row: an identifier teaches nothing, and of time new rows lie outside of the training data",
        /// More inputs than rows.
        Wide = 3 "more inputs than rows: many networks tell these rows alike, and the intervals are wide for it",
        /// Columns have the same value in all rows.
        Constant = 4 "has the same value in all rows, which teaches nothing: leave it out",
        /// A column has a year, a month and a day in eight digits.
        Dates = 5 "looks like dates, as 20240131: as a number a month ends in a jump; days since the first tell more",
        /// A row has the sums of all others.
        Totals = 6 "has the sums of all other rows: is it one of totals? then leave it out",
        /// Rows are few.
        Few = 7 "few rows, which can tell little",
        /// Rows are there more than once.
        Copies = 8 "are copies of others: held-out rows and folds then say too much of new ones; leave copies out, or give weights",
        /// A column is the target in many rows, and not in the others: as a time that is cut off by another.
        Same = 9 "is the target itself in so many rows, and not in the others: no density tells both; leave the column out, or model whether they are equal as classes, and the other rows by themselves",
    }
}

/// One finding.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Found<T> {
    /// A [`Remark`]'s code.
    pub remark: i32,
    /// The column of X, from 0, or d for the target; 0 where the remark is not of one.
    pub column: u32,
    /// The rows it is about.
    pub rows: u64,
    /// A value of theirs: the farthest, the repeated one, the first. Of `Wide` the inputs, of `Constant` the number of such
    /// columns, of which this is the first, of `Totals` the row, from 0.
    pub value: T,
}

/// Robust sds from the median beyond which values are far, if all others are nearer than a tenth as far, and the share of the
/// rows that they are at most.
const FAR: f64 = 20.0;
const GAP: f64 = 10.0;
const SHARE: usize = 20;
/// Its multiples have fractions that are nowhere near alike.
const GOLDEN: f64 = 0.618_033_988_749_894_9;
/// The sd of a normal law in units of its median absolute deviation.
const ROBUST: f64 = 1.482_602_218_505_602;
/// The share of the rows that have a repeated target, of how many values at least, and rows below which nothing is said.
const REPEATED: f64 = 0.3;
const DISTINCT: usize = 10;
const FEWEST: usize = 20;
/// Of up to so many values, the share of one of them.
const MOSTLY: f64 = 0.6;
/// One row in so many is a copy of another.
const COPIED: usize = 5;
/// The share of the rows in which a column is the target.
const SAME: f64 = 0.1;
/// Two targets that are equal up to so many times as often as any two are may be so by chance.
const LUCKY: f64 = 4.0;
/// And of classes, counts and few values, which are equal by chance: the share of equal targets where inputs are.
const UNLIKE: f64 = 0.98;
/// Differences of an input and the target that are counted, and the share of the rows without one, 1 in so many, that another has on
/// a grid.
const TRIED: usize = 16;
const FREQUENT: usize = 8;
/// Rows of which twins are sought.
const SOUGHT: usize = 64;
/// Rows below which that is said.
const FEW: usize = 10;

/// Calls `tell` with each finding: the columns in order, then those of all. `real`: whether y is a real number, and has no
/// hurdle; then it is looked at as columns are. `exposed`: the last column is an exposure, and not looked at. `scratch`: twice the
/// rows. Two sorts a column.
pub fn remarks<T: Real>(
    data: &Dataset<'_, T>,
    real: bool,
    exposed: bool,
    scratch: &mut [T],
    mut tell: impl FnMut(Found<T>),
) {
    let (n, d) = (data.n(), data.d());
    let Some((values, spare)) = scratch.split_at_mut_checked(n) else { return };
    let found = |remark: Remark, column: usize, rows: usize, value: T| Found {
        remark: remark as i32,
        column: column as u32,
        rows: rows as u64,
        value,
    };
    let (mut constant, mut constants) = (None, 0_usize);
    let inputs = d.saturating_sub(usize::from(exposed));
    for j in (0..inputs).chain(real.then_some(d)) {
        let at = |i: usize| value(data, i, j);
        values.iter_mut().enumerate().for_each(|(i, v)| *v = at(i));
        if values.iter().all(is_date) {
            tell(found(Remark::Dates, j, n, at(0)));
        } else if j < d && n >= FEWEST && d > 1 && counts(values) {
            tell(found(Remark::Counts, j, n, at(0)));
        }
        sort(values, spare);
        if j < d && values.first() == values.last() {
            (constant, constants) = (constant.or(Some(j)), constants.saturating_add(1));
        }
        let repeated = code(values);
        let centre = median_of_sorted(values);
        let away = |x: T| (x - centre).abs();
        let farthest = [0, n.saturating_sub(1)].into_iter().filter_map(|k| values.get(k).copied());
        let farthest = farthest.fold(centre, |far, x| if away(x) > away(far) { x } else { far });
        values.iter_mut().for_each(|v| *v = away(*v));
        sort(values, spare);
        if let Some((rows, value)) = far(values).map(|rows| (rows, farthest)).or(repeated) {
            tell(found(Remark::Far, j, rows, value));
        }
    }
    if let Some(first) = constant.filter(|_| n > 1) {
        tell(found(Remark::Constant, first, n, T::of_usize(constants)));
    }
    let mut chance = T::lit(UNLIKE);
    if real && n >= FEWEST {
        values.iter_mut().zip(data.y()).for_each(|(v, y)| *v = *y);
        sort(values, spare);
        let (often, rows) = most(values);
        let many = T::of_usize(rows) >= T::lit(REPEATED) * T::of_usize(n);
        let several = distinct(values);
        // Of few values, as marks and small counts have, one that leaves less than half for the others.
        let most = T::of_usize(rows) >= T::lit(MOSTLY) * T::of_usize(n);
        if rows < n && (many && several > DISTINCT || most) {
            tell(found(Remark::Repeated, d, rows, often));
        }
        let alike = pairs(values) / (T::HALF * T::of_usize(n) * T::of_usize(n.saturating_sub(1)));
        for j in (0..inputs).filter(|_| several > DISTINCT) {
            if let Some(rows) = often_target(data, j) {
                tell(found(Remark::Same, j, rows, T::of_usize(rows)));
            }
        }
        if several > DISTINCT {
            chance = T::lit(LUCKY) * alike;
        }
    }
    let copies = if n >= FEWEST { copies(data, chance, values, spare) } else { 0 };
    if copies.saturating_mul(COPIED) >= n {
        tell(found(Remark::Copies, 0, copies, T::of_usize(copies)));
    }
    if let Some(row) = totals(data) {
        tell(found(Remark::Totals, 0, 1, T::of_usize(row)));
    }
    if d > n {
        tell(found(Remark::Wide, 0, n, T::of_usize(d)));
    }
    if n < FEW {
        tell(found(Remark::Few, 0, n, T::of_usize(n)));
    }
}

/// Of a column of X, or of y behind the last.
fn value<T: Real>(data: &Dataset<'_, T>, row: usize, column: usize) -> T {
    match column < data.d() {
        true => data.inputs.at(row, column),
        false => data.y().get(row).copied().unwrap_or(T::ZERO),
    }
}

/// As 20240131; in single precision the last digit is rounded.
fn is_date<T: Real>(x: &T) -> bool {
    let packed = x.to_usize();
    let (year, month, day) = (packed / 10_000, packed / 100 % 100, packed % 100);
    T::of_usize(packed) == *x
        && (1900..2100).contains(&year)
        && (1..=12).contains(&month)
        && day <= 32
}

/// In how many rows input j is the target, where that is in many, not in all, not of one value again and again, and no chance: of
/// pairs of rows some way apart few have one target, and no other difference of the two is nearly as frequent, as on a grid that both
/// are rounded to. Such a target has no density given its inputs.
pub(crate) fn often_target<T: Real>(data: &Dataset<'_, T>, j: usize) -> Option<usize> {
    let (n, y) = (data.n(), data.y());
    let (mut rows, mut unlike, mut last) = (0_usize, 0_usize, None);
    for (_, y) in y.iter().enumerate().filter(|(i, y)| data.inputs.at(*i, j) == **y) {
        rows = rows.saturating_add(1);
        unlike = unlike.saturating_add(usize::from(last != Some(*y)));
        last = Some(*y);
    }
    if rows >= n || unlike <= DISTINCT || T::of_usize(unlike) < T::lit(SAME) * T::of_usize(n) {
        return None;
    }
    let alike = |step: usize| {
        let after = y.iter().cycle().skip(step.max(1));
        T::of_usize(y.iter().zip(after).filter(|(a, b)| a == b).count())
    };
    let by_chance = alike(1) + alike(n / 3) + alike(n / 2);
    let apart = |i: usize| data.inputs.at(i, j) - value(data, i, data.d());
    let others = (0..n).map(apart).filter(|apart| *apart != T::ZERO).take(TRIED);
    let often = |other: T| (0..n).filter(|i| apart(*i) == other).count();
    let grid = others.map(often).max().unwrap_or(0).saturating_mul(FREQUENT) >= rows;
    (!grid && T::of_usize(unlike) >= T::lit(LUCKY / 3.0) * by_chance).then_some(rows)
}

/// The row that has the sums of all others in each column and y, but in those of 0 and 1, which may be categories.
fn totals<T: Real>(data: &Dataset<'_, T>) -> Option<usize> {
    let (n, d) = (data.n(), data.d());
    if n <= 3 {
        return None;
    }
    let column = |j: usize| (0..n).map(move |i| value(data, i, j));
    let is_sum = |row: usize, j: usize| {
        let (mut sum, mut size, mut most) = (T::ZERO, T::ZERO, T::ZERO);
        for x in column(j).enumerate().filter(|(i, _)| *i != row).map(|(_, x)| x) {
            (sum, size, most) = (sum + x, size + x.abs(), most.max(x.abs()));
        }
        let total = value(data, row, j);
        total.abs() > most && (sum - total).abs() < T::lit(1e-4) * size
    };
    // The one row that can be it is the largest of y.
    let of_y = column(d).enumerate().fold((0, T::ZERO), |best, (i, y)| match y.abs() > best.1 {
        true => (i, y.abs()),
        false => best,
    });
    let is_number = |j: &usize| column(*j).any(|x| x != T::ZERO && x != T::ONE);
    let mut numbers = (0..d).filter(is_number).peekable();
    let any = numbers.peek().is_some();
    (any && is_sum(of_y.0, d) && numbers.all(|j| is_sum(of_y.0, j))).then_some(of_y.0)
}

/// Rows that are as others before them, y included: those of the same weighted sum of their values, which others have by chance
/// only. None where columns have few values: of the pairs of rows with equal inputs no larger share has equal targets than by
/// `chance`.
fn copies<T: Real>(data: &Dataset<'_, T>, chance: T, sums: &mut [T], spare: &mut [T]) -> usize {
    let mut sort_sums = |columns: usize| {
        sums.fill(T::ZERO);
        for j in 0..columns {
            let all = (0..data.n()).map(|i| value(data, i, j));
            let most = all.clone().fold(T::ZERO, |most, x| most.max(x.abs()));
            let turns = T::of_usize(j) * T::lit(GOLDEN);
            let weight = (T::HALF + (turns - turns.floor())) / most.max(T::MIN_POSITIVE);
            sums.iter_mut().zip(all).for_each(|(sum, x)| *sum += weight * x);
        }
        sort(sums, spare);
        pairs(sums)
    };
    let of_inputs = sort_sums(data.d());
    let of_all = sort_sums(data.d().saturating_add(1));
    if of_all <= chance * of_inputs {
        return 0;
    }
    sums.iter().zip(sums.iter().skip(1)).filter(|(a, b)| a == b).count()
}

/// Whether rows are [copies](Remark::Copies) of others, by some of them, without scratch.
pub(crate) fn copied<T: Real>(data: &Dataset<'_, T>) -> bool {
    let (n, d) = (data.n(), data.d());
    let (mut twins, mut alike) = (0_usize, 0_usize);
    let sought = n.min(SOUGHT);
    for k in 0..sought {
        let row = k.saturating_mul(n).checked_div(sought).unwrap_or(0);
        let equal =
            |i: &usize| *i != row && (0..d).all(|j| value(data, *i, j) == value(data, row, j));
        let (mut same, mut all) = (0_usize, 0_usize);
        for i in (0..n).filter(equal) {
            all = all.saturating_add(1);
            same = same.saturating_add(usize::from(value(data, i, d) == value(data, row, d)));
        }
        alike = alike.saturating_add(usize::from(all > 0));
        twins = twins.saturating_add(usize::from(all > 0 && same == all));
    }
    // Of each twin one is the copy.
    twins.saturating_mul(COPIED) >= sought.saturating_mul(2)
        && T::of_usize(twins) >= T::lit(UNLIKE) * T::of_usize(alike)
}

/// How many pairs of sorted values are equal.
fn pairs<T: Real>(sorted: &[T]) -> T {
    let (mut run, mut all) = (T::ZERO, T::ZERO);
    for (a, b) in sorted.iter().zip(sorted.iter().skip(1)) {
        run = if a == b { run + T::ONE } else { T::ZERO };
        all += run;
    }
    all
}

/// How many of the sorted distances are far from all others.
fn far<T: Real>(distances: &[T]) -> Option<usize> {
    let limit = T::lit(FAR * ROBUST) * median_of_sorted(distances);
    let pairs = distances.windows(2).rev().zip(1..=distances.len() / SHARE);
    let gap = |(pair, _): &(&[T], usize)| match pair {
        [near, far] => *far > limit && *far > T::lit(GAP) * *near,
        _ => false,
    };
    pairs.filter(|_| limit > T::ZERO).find(gap).map(|(_, rows)| rows)
}

/// Of sorted values one that is repeated at an end, in up to a third of the rows and far from all others: as -9999. How
/// often it is there.
fn code<T: Real>(sorted: &[T]) -> Option<(usize, T)> {
    let (low, high) = (*sorted.first()?, *sorted.last()?);
    if filled(sorted, low, high) {
        return None;
    }
    for end in [low, high] {
        let rows = sorted.iter().filter(|x| **x == end).count();
        let rest = || sorted.iter().filter(|x| **x != end);
        let (Some(first), Some(last)) = (rest().next(), rest().next_back()) else { continue };
        let near = *last - *first;
        let away = if end < *first { *first - end } else { end - *last };
        let few = rows > 1 && rows <= sorted.len() / 3;
        if few && near > T::ZERO && away > T::lit(GAP) * near {
            return Some((rows, end));
        }
    }
    None
}

/// Whether they are two values, and where cells were missing the mean of the others: a category, say.
fn filled<T: Real>(sorted: &[T], low: T, high: T) -> bool {
    let count = |end: T| T::of_usize(sorted.iter().filter(|x| **x == end).count());
    let (lows, highs) = (count(low), count(high));
    let mean = (low * lows + high * highs) / (lows + highs);
    let near = |x: &T| *x == low || *x == high || (*x - mean).abs() <= T::lit(1e-4) * (high - low);
    sorted.iter().all(near)
}

/// Whether whole numbers grow from row to row, and with few gaps.
fn counts<T: Real>(values: &[T]) -> bool {
    let whole = |x: &T| x.abs() < T::lit(1e15) && T::of_usize(x.abs().to_usize()) == x.abs();
    let grow = values.iter().zip(values.iter().skip(1)).all(|(a, b)| *a < *b);
    let span = match values {
        [first, .., last] => *last - *first,
        _ => T::INFINITY,
    };
    grow && span < T::lit(2.0) * T::of_usize(values.len()) && values.iter().all(whole)
}

/// The most frequent of sorted values, and how often it is there. (`chunk_by` has a panic path.)
fn most<T: Real>(sorted: &[T]) -> (T, usize) {
    let (mut best, mut own) = ((T::ZERO, 0_usize), (T::ZERO, 0_usize));
    for x in sorted {
        let rows = if own.0 == *x { own.1.saturating_add(1) } else { 1 };
        own = (*x, rows);
        if rows > best.1 {
            best = own;
        }
    }
    best
}

fn distinct<T: Real>(sorted: &[T]) -> usize {
    let steps = sorted.iter().zip(sorted.iter().skip(1)).filter(|(a, b)| a != b);
    steps.count().saturating_add(usize::from(!sorted.is_empty()))
}
