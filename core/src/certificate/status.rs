//! What a certificate says.

use crate::scalar::Real;

/// Standard errors between an estimate and its threshold before anything is concluded from it.
pub const ERRORS: f64 = 3.0;

/// What is known after a certificate has been evaluated. "Log-concave" is said of p(xi), but for the
/// first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Status {
    /// Proved: p(w) itself is log-concave, and so p(xi) is, for every coupling (Prekopa). The coupling is
    /// not needed.
    AlreadyLogConcave = 0,
    /// Proved, without assumptions beside the data and the model.
    Proved = 1,
    /// The condition holds, and implies log-concavity under an assumption that is not proved.
    Conditional = 2,
    /// An estimate satisfies its condition by more than [`ERRORS`] standard errors, at the xi that were
    /// visited: no proof for any other.
    Empirical = 3,
    /// An estimate contradicts log-concavity by more than [`ERRORS`] standard errors: p(xi) is not
    /// log-concave.
    NotLogConcave = 4,
    /// The condition is sufficient and does not hold: nothing follows.
    NotSatisfied = 5,
    /// An estimate is too close to its threshold to tell.
    Inconclusive = 6,
    /// As published the statement is false: nothing follows, whether or not its condition holds.
    PublishedFalse = 7,
    /// The argument is about another prior, activation or range.
    NotApplicable = 8,
}

impl Status {
    /// Every status, in the order of the codes.
    pub const ALL: [Self; 9] = [
        Self::AlreadyLogConcave,
        Self::Proved,
        Self::Conditional,
        Self::Empirical,
        Self::NotLogConcave,
        Self::NotSatisfied,
        Self::Inconclusive,
        Self::PublishedFalse,
        Self::NotApplicable,
    ];

    /// The status of a code; `None` if there is none.
    pub fn from_code(code: i32) -> Option<Self> {
        Self::ALL.into_iter().find(|s| *s as i32 == code)
    }

    /// The name in reports: `"already-log-concave"`, `"proved"`, `"conditional"`, `"empirical"`,
    /// `"not-log-concave"`, `"not-satisfied"`, `"inconclusive"`, `"published-false"` or
    /// `"not-applicable"`.
    pub fn name(self) -> &'static str {
        match self {
            Self::AlreadyLogConcave => "already-log-concave",
            Self::Proved => "proved",
            Self::Conditional => "conditional",
            Self::Empirical => "empirical",
            Self::NotLogConcave => "not-log-concave",
            Self::NotSatisfied => "not-satisfied",
            Self::Inconclusive => "inconclusive",
            Self::PublishedFalse => "published-false",
            Self::NotApplicable => "not-applicable",
        }
    }

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
