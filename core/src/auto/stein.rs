//! What the gradients at the draws say of them: Stein's identities.
//!
//! For draws of p, E[d_i log p] = 0 and E[(x_i - m_i) d_i log p] = -1, coordinate by coordinate (partial
//! integration; p falls to 0 at the ends). Of a Gaussian the first sum is by how many of its variances the
//! mean of the draws is off, the second the ratio of the variances. Two runs that are wrong alike, in
//! a funnel whose neck neither entered, agree with each other; they do not agree with the gradient.

use crate::pieces::cut;
use crate::scalar::{Real, pair};

/// Sums for each coordinate of the frame, in which they hardly depend on each other, and room: w, its gradient
/// g, spare, and the sums of w, w^2, g, g^2, w g, (w g)^2.
pub(super) const VECTORS: usize = 9;
/// Draws looked at, at most.
pub(super) const DRAWS: usize = 4096;
/// By how many of its sds a mean, and by what share a variance, may be off; standard errors beside.
const SHIFT: f64 = 0.15;
const STRETCH: f64 = 0.3;
const ERRORS: f64 = 4.0;

/// What a mean and a variance may be off by, errors included, where nothing else vouches for the draws.
const CONFIRMED: [f64; 2] = [0.3, 0.6];

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Finding<T> {
    /// The largest shift of a mean in sds, and the largest stretch of a variance.
    pub shift: T,
    pub stretch: T,
    /// The coordinate that is off by more than may be, by the most.
    pub coordinate: Option<usize>,
    /// Whether no coordinate can be far off: in a funnel the gradients say next to nothing.
    pub confirmed: bool,
}

/// Takes in the draw and the gradient that stand at the front of the room.
pub(super) fn add<T: Real>(room: &mut [T], dim: usize) -> Option<()> {
    let ([w, g, _, c1, c2, g1, g2, m1, m2], _) = cut(room, [dim; VECTORS])?;
    let sums = c1.iter_mut().zip(c2).zip(g1).zip(g2).zip(m1).zip(m2);
    for ((((((c1, c2), g1), g2), m1), m2), (c, g)) in sums.zip(w.iter().zip(g)) {
        let c = *c;
        *c1 += c;
        *c2 += c * c;
        *g1 += *g;
        *g2 += *g * *g;
        *m1 += c * *g;
        *m2 += (c * *g) * (c * *g);
    }
    Some(())
}

/// The finding of `count` draws.
pub(super) fn finding<T: Real>(room: &mut [T], dim: usize, count: usize) -> Option<Finding<T>> {
    let ([_, _, _, c1, c2, g1, g2, m1, m2], _) = cut(room, [dim; VECTORS])?;
    let n = T::of_usize(count);
    let mut found = Finding { shift: T::ZERO, stretch: T::ZERO, coordinate: None, confirmed: true };
    let mut worst = T::ONE;
    let sums = c1.iter().zip(c2).zip(g1).zip(g2).zip(m1).zip(m2);
    for (i, (((((c1, c2), g1), g2), m1), m2)) in sums.enumerate() {
        let [c, g, m] = [c1, g1, m1].map(|x| *x / n);
        let sd = (*c2 / n - c * c).max(T::ZERO).sqrt();
        let error = |square: T, mean: T| ((square / n - mean * mean).max(T::ZERO) / n).sqrt();
        let shift = g.abs() * sd;
        let stretch = (T::ONE + m - c * g).abs();
        let four = T::lit(ERRORS);
        let (noise, blur) = (four * sd * error(*g2, g), four * error(*m2, m));
        let shifted = shift / (T::lit(SHIFT) + noise);
        let stretched = stretch / (T::lit(STRETCH) + blur);
        let [far, wide] = pair::<T>(CONFIRMED);
        found.confirmed &= shift + noise <= far && stretch + blur <= wide;
        found.shift = found.shift.max(shift);
        found.stretch = found.stretch.max(stretch);
        // What is no number is off, too.
        let off = shifted.max(stretched);
        let sound = shifted <= T::ONE && stretched <= T::ONE;
        if !sound && !(off <= worst) {
            worst = off;
            found.coordinate = Some(i);
        }
    }
    Some(found)
}
