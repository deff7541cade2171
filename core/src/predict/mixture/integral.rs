//! Integrals over a law.

use super::Place;
use crate::scalar::Real;
use crate::special;
use crate::sum::Sum;

/// The integral over x of a term that falls with both tails of the law at x, on the right from `beyond` past the components on.
///
/// By the trapezoidal rule in x = centre + S sinh(pi/2 sinh t) (Takahasi and Mori 1974), as [`Mixture::crps`](super::Mixture::crps)
/// says.
pub(in crate::predict) fn integral<T: Real>(
    place: &Place<T>,
    beyond: T,
    term: &dyn Fn(T) -> T,
) -> T {
    let Place { centre, spread, finest, noise, furthest, .. } = *place;
    let unit = noise.max(spread.sqrt());
    // x = centre + unit sinh(q sinh t) with q = pi/2. How far the integrand is analytic beside the real line: the
    // nearest pole belongs to the narrowest and furthest component.
    let quarter = T::lit(core::f64::consts::FRAC_PI_2);
    let one = T::ONE;
    let away = furthest / unit;
    let at = special::scalar::ln(away + (one + away * away).sqrt()) / quarter;
    let slope = quarter * ((one + away * away) * (one + at * at)).sqrt();
    let strip = T::lit(1.7) * (finest / unit) / slope;
    let fine = (T::lit(0.0375) * strip.min(one)).max(T::lit(0.005));
    let limits = if T::BITS == 32 { [1e-7, 1e-4, 4.0] } else { [1e-10, 1e-7, 6.0] };
    let [enough, settled, last] = limits.map(T::lit);
    let mut sum = Sum::ZERO;
    let mut add = |t: T| {
        let inner = sinh(t);
        let sinh = sinh(quarter * inner);
        let slope = quarter * ((one + sinh * sinh) * (one + inner * inner)).sqrt();
        let x = unit * sinh;
        let term = term(centre + x) * slope;
        sum.add(term);
        (x, term, sum.value())
    };
    add(T::ZERO);
    // A component that is narrow, among many, hardly counts: from a step so many times as wide, by halves.
    let mut halvings = (0..5).take_while(|k| fine * T::of_u32(2 << k) <= T::lit(0.3)).count();
    let mut h = fine * T::of_u32(1 << halvings);
    let (mut step, mut before) = (1, None);
    loop {
        let mut total = T::ZERO;
        for k in (1..1000_u32).step_by(step) {
            let t = h * T::of_u32(k);
            if t > last {
                break;
            }
            let (x, right, _) = add(t);
            let (_, left, sum) = add(-t);
            total = sum;
            // Past every component only the tails are left, which fall geometrically.
            if right.max(left) <= enough * h * total && x > furthest + beyond {
                break;
            }
        }
        let value = total * h * unit;
        let close = before.is_some_and(|before: T| (value - before).abs() <= settled * value);
        if halvings == 0 || close {
            return value;
        }
        (halvings, step, before) = (halvings.saturating_sub(1), 2, Some(value));
        h = h * T::HALF;
    }
}

/// sinh t.
fn sinh<T: Real>(t: T) -> T {
    let e = special::scalar::exp_m1(t.abs());
    (T::HALF * (e + e / (e + T::ONE))).copysign(t)
}
