//! Quantiles of a law by its tails.

use super::{Place, Tails};
use crate::scalar::Real;
use crate::special;

/// The point with probability p, at most about 1/2, below it (or above).
///
/// Newton's method on the logarithm of the tail, which is nearly linear far out, started where normal locations
/// beside one Student-t would have it; a step that leaves the bracket found so far is replaced by bisection. Ends when
/// the bracket, a step or, by its square in smallest scales, the next is within 2 epsilon of |x| or of the smallest
/// scale: usually 2 or 3 evaluations of the tails, at most 400.
pub(in crate::predict) fn quantile<T: Real>(
    place: &Place<T>,
    tails: &dyn Fn(T) -> Tails<T>,
    p: T,
    upper: bool,
) -> T {
    let (zero, one) = (T::ZERO, T::ONE);
    if !(p > zero && p < one) {
        let end = if upper { T::INFINITY } else { -T::INFINITY };
        let inner = if p == one { -end } else { T::NAN };
        return if p == zero { end } else { inner };
    }
    let Place { centre, spread, finest, noise, heavy, .. } = *place;
    let unit = spread.sqrt() + noise;
    let side = if upper { -one } else { one };
    let z = special::scalar::normal_quantile(p);
    // The quantile of t to its first order in 1/nu (Abramowitz and Stegun 26.7.5).
    let own = noise * z * (one + heavy * T::lit(0.25) * (z * z + one));
    let mut x = centre + side * (spread * z * z + own * own).sqrt().copysign(z);
    // In the direction of a growing tail probability, `low` has too little and `high` too much.
    let (mut low, mut high) = (None::<T>, None::<T>);
    let mut reach = unit * T::lit(4.0);
    for _ in 0..400 {
        let at = tails(x);
        let tail = if upper { at.upper } else { at.lower };
        if tail == p {
            return x;
        }
        if tail < p {
            low = Some(x);
        } else {
            high = Some(x);
        }
        let newton = if tail > zero && at.density > zero {
            let log = special::scalar::ln(p / tail);
            side * log * (tail / at.density)
        } else {
            T::NAN
        };
        let tolerance = T::lit(2.0) * T::EPSILON * x.abs().max(finest);
        let after = newton.abs() * (newton.abs() / finest).min(T::ONE);
        if after <= tolerance {
            return x + newton;
        }
        let next = x + newton;
        let inside = |a: T, b: T| (next > a && next < b) || (next > b && next < a);
        x = match (low, high) {
            (Some(a), Some(b)) => {
                if (a - b).abs() <= tolerance {
                    return a + (b - a) * T::HALF;
                }
                if inside(a, b) { next } else { a + (b - a) * T::HALF }
            }
            // No bracket yet: no step further than the reach, which doubles.
            _ => {
                let outward = if tail < p { side } else { -side };
                let step = if newton.is_finite() { newton.abs().min(reach) } else { reach };
                reach = reach + reach;
                x + outward * step
            }
        };
        if !x.is_finite() {
            return x;
        }
    }
    x
}
