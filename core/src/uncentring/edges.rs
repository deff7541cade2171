//! Coordinates one by one: edges of the support that are coordinate planes, and long tails. Beyond one edge x is that and exp(y),
//! between two a logistic function of y: in y there is nothing to run into. Exact wherever the edges are, as long as no mass lies
//! beyond them. Of a coordinate with tails as of a power x is a hyperbolic sine of y, in which they are exponential.

use super::FIELDS;
use crate::pieces::nth_mut;
use crate::scalar::Real;
use crate::special::scalar::{exp, ln};

/// Numbers of a coordinate's edges: a bit for the one below and one for the one above, and where they are; or a bit for tails, and
/// their centre and scale.
pub(super) const EDGES: usize = 3;
const BELOW: usize = 1;
const ABOVE: usize = 2;
const TAILS: usize = 4;

/// What a coordinate is stretched for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Edges<T> {
    Below(T),
    Above(T),
    Between(T, T),
    /// Centre and scale.
    Tails(T, T),
}

/// x, dx/dy, log dx/dy, and the derivative of that.
pub(super) struct Stretched<T> {
    pub x: T,
    pub slope: T,
    pub log: T,
    pub growth: T,
}

/// Notes that the support of coordinate `j` ends at `at`: the least value, or the largest if `above`.
pub fn add_edge<T: Real>(map: &mut [T], j: usize, above: bool, at: T) {
    if let Some([bits, low, high]) = nth_mut(map, FIELDS, j).first_chunk_mut() {
        let (bit, to) = if above { (ABOVE, high) } else { (BELOW, low) };
        *bits = T::of_usize(bits.to_usize() | bit);
        *to = at;
    }
}

/// Notes that coordinate `j` has tails as of a power, about a centre, from `scale` on.
pub fn add_tails<T: Real>(map: &mut [T], j: usize, centre: T, scale: T) {
    if let Some(own) = nth_mut(map, FIELDS, j).first_chunk_mut() {
        *own = [T::of_usize(TAILS), centre, scale];
    }
}

impl<T: Real> Edges<T> {
    /// `None` where there are none.
    pub(super) fn read(numbers: &[T]) -> Option<Self> {
        let [bits, low, high] = *numbers.first_chunk::<EDGES>()?;
        match bits.to_usize() {
            BELOW => Some(Self::Below(low)),
            ABOVE => Some(Self::Above(high)),
            TAILS => Some(Self::Tails(low, high)),
            0 => None,
            _ => Some(Self::Between(low, high)),
        }
    }

    pub(super) fn leave(&self, y: T) -> Stretched<T> {
        match *self {
            Self::Between(low, high) => {
                // e^-|y| does not overflow.
                let small = exp(-y.abs());
                let near = T::ONE / (T::ONE + small);
                let far = small * near;
                let (width, below) = (high - low, y < T::ZERO);
                // From the nearer edge: the distance to it keeps its digits.
                let x = if below { low + width * far } else { high - width * far };
                let log = ln(width) - y.abs() + (ln(near) + ln(near));
                let growth = if below { near - far } else { far - near };
                Stretched { x, slope: width * (near * far), log, growth }
            }
            Self::Below(low) => {
                let slope = exp(y);
                Stretched { x: low + slope, slope, log: y, growth: T::ONE }
            }
            Self::Above(high) => {
                let slope = exp(-y);
                Stretched { x: high - slope, slope, log: -y, growth: -T::ONE }
            }
            Self::Tails(centre, scale) => {
                let (up, down) = (exp(y), exp(-y));
                let (sinh, cosh) = (T::HALF * (up - down), T::HALF * (up + down));
                let small = exp(-(y.abs() + y.abs()));
                let log = ln(scale) + y.abs() + ln(T::HALF * (T::ONE + small));
                let growth = (T::ONE - small) / (T::ONE + small);
                let growth = if y < T::ZERO { -growth } else { growth };
                Stretched { x: centre + scale * sinh, slope: scale * cosh, log, growth }
            }
        }
    }

    /// NaN outside.
    pub(super) fn enter(&self, x: T) -> T {
        match *self {
            Self::Between(low, high) => ln(x - low) - ln(high - x),
            Self::Below(low) => ln(x - low),
            Self::Above(high) => -ln(high - x),
            Self::Tails(centre, scale) => {
                let z = (x - centre) / scale;
                let size = z.abs();
                // Squares of what is large overflow.
                let far = if size > T::ONE {
                    ln(size) + ln(T::ONE + (T::ONE + (T::ONE / size) * (T::ONE / size)).sqrt())
                } else {
                    ln(size + (size * size + T::ONE).sqrt())
                };
                if z < T::ZERO { -far } else { far }
            }
        }
    }
}
