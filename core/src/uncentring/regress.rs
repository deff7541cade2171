//! The two regressions: of squares of gradients on e, and of gradients on coordinates.

use super::{Child, MANY, TERMS, Term};
use crate::linalg::{lower_len, rotate_in, unpack};
use crate::scalar::Real;
use crate::special::scalar::ln;

/// Columns of the second at most, the gradient among them.
const COLUMNS: usize = 5 + 2 * TERMS;
const TRIANGLE: usize = COLUMNS * (COLUMNS + 1) / 2;

/// Rounds of Fisher scoring.
const SCORING: usize = 12;

/// a and b of E g^2 = a e + b, as of a Gaussian g, and the log likelihood of that.
pub(super) fn squares<T: Real>(g: &[T], e: &[T]) -> (T, T, T) {
    let count = T::of_usize(g.len());
    let mean = |values: &dyn Fn(T, T) -> T| {
        g.iter().zip(e).fold(T::ZERO, |sum, (g, e)| sum + values(*g, *e)) / count
    };
    let square = mean(&|g, _| g * g);
    let (mut a, mut b) = (T::HALF * square / mean(&|_, e| e), T::HALF * square);
    let law = |a: T, b: T, e: T| (a * e + b).max(T::MIN_POSITIVE);
    for _ in 0..SCORING {
        let (mut ee, mut eo, mut oo, mut ge, mut go) =
            (T::ZERO, T::ZERO, T::ZERO, T::ZERO, T::ZERO);
        for (g, e) in g.iter().zip(e) {
            let weight = T::ONE / law(a, b, *e);
            // Relative to the law: neither overflows.
            let (x, one, y) = (*e * weight, weight, *g * weight * *g);
            ee += x * x;
            eo += x * one;
            oo += one * one;
            ge += x * y;
            go += one * y;
        }
        let determinant = ee * oo - eo * eo;
        if !(determinant > T::lit(1e3) * T::EPSILON * (ee * oo)) {
            break;
        }
        a = (ge * oo - go * eo) / determinant;
        b = (go * ee - ge * eo) / determinant;
        if !(b >= T::ZERO) {
            (a, b) = (mean(&|g, e| g / e * g), T::ZERO);
        }
        if !(a >= T::ZERO) {
            (a, b) = (T::ZERO, square);
        }
    }
    let likelihood = mean(&|g, e| {
        let law = law(a, b, e);
        ln(law) + g / law * g
    });
    (a, b, -(T::HALF * likelihood))
}

/// What a regression found.
pub(super) struct Fitted<T> {
    pub child: Child<T>,
    /// The sum of the squares left, of gradients in sds of their law.
    pub left: T,
}

/// Least squares of the gradients `g` of coordinate `x`, in sds `1 / weights`, on x, x e, 1, e, q and q e for each of the
/// `means`, values of [terms](Term).
pub(super) fn gradients<T: Real>(
    x: (&[T], T),
    g: &[T],
    (e, weights): (&[T], &[T]),
    means: &[(Term, &[T], T)],
) -> Option<Fitted<T>> {
    let columns = 5_usize.checked_add(means.len().checked_mul(2)?)?;
    let mut triangle = [T::ZERO; TRIANGLE];
    let triangle = triangle.get_mut(..lower_len(columns)?)?;
    for (t, (((x_t, g), e), w)) in x.0.iter().zip(g).zip(e).zip(weights).enumerate() {
        let own = *w * (*x_t - x.1);
        let mut row = [T::ZERO; COLUMNS];
        let row = row.get_mut(..columns)?;
        let (first, last) = row.split_at_mut_checked(columns.checked_sub(2)?)?;
        // b comes last: its standard error is one number then.
        let mut to = first.iter_mut();
        let all = [own * *e, *w * *e, *w];
        to.by_ref().zip(all).for_each(|(to, x)| *to = x);
        for (term, x, centre) in means {
            let q = *w * term.at(x.get(t).copied().unwrap_or(T::NAN) - *centre);
            to.by_ref().zip([q * *e, q]).for_each(|(to, x)| *to = x);
        }
        last.iter_mut().zip([own, *w * *g]).for_each(|(to, x)| *to = x);
        rotate_in(triangle, row);
    }
    let mut full = [T::ZERO; COLUMNS * COLUMNS];
    let full = full.get_mut(..columns.checked_mul(columns)?)?;
    unpack(triangle, columns, full);
    let entry = |i: usize, j: usize| {
        full.get(i.wrapping_mul(columns).wrapping_add(j)).copied().unwrap_or(T::NAN)
    };
    let unknowns = columns.checked_sub(1)?;
    let left = entry(unknowns, unknowns) * entry(unknowns, unknowns);
    // What is next to nothing beside its column says nothing.
    let weak = |j: usize| {
        let whole = (0..=j).fold(T::ZERO, |sum, i| sum + entry(i, j) * entry(i, j)).sqrt();
        !(entry(j, j).abs() > T::lit(100.0) * T::EPSILON * whole)
    };
    let mut found = [T::ZERO; COLUMNS];
    for j in (0..unknowns).rev() {
        if weak(j) {
            continue;
        }
        let known = (j.wrapping_add(1)..unknowns)
            .zip(found.iter().skip(j.wrapping_add(1)))
            .fold(T::ZERO, |sum, (k, c)| sum + entry(j, k) * *c);
        if let Some(c) = found.get_mut(j) {
            *c = (entry(j, unknowns) - known) / entry(j, j);
        }
    }
    let [a, c, f, slopes @ ..] = found;
    let last = unknowns.checked_sub(1)?;
    let b = found.get(last).copied()?;
    let count = T::of_usize(g.len());
    let error = (left / count).sqrt() / entry(last, last).abs();
    // Without data there is no b, and what is left of f and v is noise.
    let data = -b > T::lit(3.0) * error;
    let only = |x: T| if data { x } else { T::ZERO };
    let mut child = Child {
        prior: -a,
        data: only(-b),
        prior_mean: c,
        data_mean: only(f),
        widths: [(0, T::ZERO); MANY],
        means: [(None, T::ZERO, T::ZERO); TERMS],
        round: 1,
        centre: x.1,
    };
    let pairs = slopes.as_chunks::<2>().0;
    for ((to, [u, v]), (term, ..)) in child.means.iter_mut().zip(pairs).zip(means) {
        *to = (Some(*term), *u, only(*v));
    }
    Some(Fitted { child, left })
}
