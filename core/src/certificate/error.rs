//! Why a certificate could not be evaluated.

use crate::coupling::{CouplingError, RhoError};
use core::fmt;

/// Why a certificate could not be evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CertificateError {
    /// A buffer is shorter than its size function says.
    TooShort,
    /// A size does not fit in `usize`.
    Overflow,
    /// The numbers overflow the precision.
    NotFinite,
    /// There are too few draws, or none in one half of them.
    TooFew,
    /// The posterior has no coupling: why not.
    Rho(RhoError),
    /// The coupling was refused.
    Coupling(CouplingError),
    /// The bound is for a Gaussian prior.
    NeedsGaussian,
    /// A density of the user's own has no certificates, nor has a network of free parameters.
    UserDensity,
    /// The certificates are of the tilt alone: no square, no sign summed out.
    Form,
    /// The warm-up or the draws of the inner chains are out of range.
    Options,
}

impl fmt::Display for CertificateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TooShort => "a buffer is shorter than its size function says",
            Self::Overflow => "a size does not fit in memory",
            Self::NotFinite => "the numbers overflow the precision",
            Self::TooFew => "there are too few draws",
            Self::Rho(e) => return e.fmt(f),
            Self::Coupling(e) => return e.fmt(f),
            Self::NeedsGaussian => "the bound is for a Gaussian prior",
            Self::UserDensity => "only greedy and joint posteriors have certificates",
            Self::Form => "the certificates are of the tilt alone",
            Self::Options => "the inner chains need draws, and not too many",
        })
    }
}

impl core::error::Error for CertificateError {}

impl From<RhoError> for CertificateError {
    fn from(e: RhoError) -> Self {
        Self::Rho(e)
    }
}

impl From<CouplingError> for CertificateError {
    fn from(e: CouplingError) -> Self {
        Self::Coupling(e)
    }
}
