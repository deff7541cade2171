//! Why a certificate could not be evaluated.

use crate::coupling::{CouplingError, RhoError};
use crate::error::errors;
use crate::plain::CodeError;
use crate::problem::ProblemError;
use crate::workspace::WorkspaceError;

errors! {
    /// Why a certificate could not be evaluated.
    pub enum CertificateError {
        TooShort = "a buffer is shorter than its size function says",
        Overflow = "a size does not fit in memory",
        NotFinite = "the numbers overflow the precision",
        TooFew = "there are too few draws",
        NeedsGaussian = "the bound is for a Gaussian prior",
        UserDensity = "only greedy and joint posteriors have certificates",
        Form = "a neuron whose sign is summed out has no certificates",
        Draws = "the inner chains have too many draws",
        Leapfrogs = "a transition needs at least one gradient",
        Ascent = "an ascent has at most 12 steps",
    }
    from {
        Rho(RhoError),
        Coupling(CouplingError),
        Problem(ProblemError),
        Code(CodeError),
        Memory(WorkspaceError),
    }
}
