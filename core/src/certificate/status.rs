//! What a certificate says.

use crate::plain::codes;
use crate::scalar::Real;

/// Standard errors between an estimate and its threshold before anything is concluded from it.
pub const ERRORS: f64 = 3.0;

codes! {
    /// What is known after a certificate has been evaluated. "Log-concave" is said of p(xi), but for the
    /// first.
    pub enum Status {
        /// Proved: p(w) itself is log-concave, and so p(xi) is, for every coupling (Prekopa). The coupling is
        /// not needed.
        AlreadyLogConcave = 0 "already-log-concave",
        /// Proved, without assumptions beside the data and the model.
        Proved = 1 "proved",
        /// The condition holds, and implies log-concavity under an assumption that is not proved.
        Conditional = 2 "conditional",
        /// An estimate satisfies its condition by more than [`ERRORS`] standard errors, at every xi that was
        /// visited: no proof for any other.
        Empirical = 3 "empirical",
        /// An estimate contradicts log-concavity by more than [`ERRORS`] standard errors: p(xi) is not
        /// log-concave.
        NotLogConcave = 4 "not-log-concave",
        /// The condition is sufficient and does not hold: nothing follows.
        NotSatisfied = 5 "not-satisfied",
        /// An estimate is too close to its threshold to tell, at some visited xi.
        Inconclusive = 6 "inconclusive",
        /// As published the statement is false: nothing follows, whether or not its condition holds.
        PublishedFalse = 7 "published-false",
        /// The argument is about another prior, activation or range.
        NotApplicable = 8 "not-applicable",
    }
}

impl Status {
    /// `then` where the condition holds, else [`NotSatisfied`](Self::NotSatisfied).
    pub(super) fn provided(condition: bool, then: Self) -> Self {
        if condition { then } else { Self::NotSatisfied }
    }

    /// Of an estimate of what must be below `threshold`. `above` is what one far above it means.
    pub(super) fn estimated<T: Real>(value: T, error: T, threshold: T, above: Self) -> Self {
        let margin = T::lit(ERRORS) * error;
        if !(margin >= T::ZERO && value.is_finite()) {
            Self::Inconclusive
        } else if value + margin < threshold {
            Self::Empirical
        } else if value - margin > threshold {
            above
        } else {
            Self::Inconclusive
        }
    }
}
