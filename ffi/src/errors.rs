//! The core's errors as statuses.

use crate::status::lcc_status::{self, *};
use lcc_core::auto::AutoError;
use lcc_core::certificate::{CertificateError, ProbeError};
use lcc_core::checkpoint::CheckpointError;
use lcc_core::coupling::{CouplingError, RhoError};
use lcc_core::data::DataError;
use lcc_core::diagnostics::DrawsError;
use lcc_core::estimator::prequential::PrequentialError;
use lcc_core::estimator::relaxed::RelaxedError;
use lcc_core::estimator::{GreedyError, OptionsError, RegressorError};
use lcc_core::posterior::{ImageError, StandardiseError, StoreError};
use lcc_core::predict::PredictError;
use lcc_core::prior::PriorError;
use lcc_core::problem::ProblemError;
use lcc_core::sampler::SamplerError;
use lcc_core::smc::SmcError;
use lcc_core::stream::{StreamError, WindowError};
use lcc_core::tempering::TemperingError;
use lcc_core::workspace::WorkspaceError;

impl From<DataError> for lcc_status {
    fn from(e: DataError) -> Self {
        match e {
            DataError::Empty => LCC_ERROR_EMPTY,
            DataError::Overflow | DataError::TooShort => LCC_ERROR_OVERFLOW,
            DataError::NotFiniteX { .. } => LCC_ERROR_NOT_FINITE_X,
            DataError::NotFiniteY { .. } => LCC_ERROR_NOT_FINITE_Y,
        }
    }
}

impl From<WorkspaceError> for lcc_status {
    fn from(e: WorkspaceError) -> Self {
        match e {
            WorkspaceError::Overflow => LCC_ERROR_OVERFLOW,
            WorkspaceError::TooSmall => LCC_ERROR_MEMORY_SIZE,
            WorkspaceError::Misaligned => LCC_ERROR_MEMORY_ALIGN,
        }
    }
}

impl From<PriorError> for lcc_status {
    fn from(_: PriorError) -> Self {
        LCC_ERROR_SCALE
    }
}

impl From<ProblemError> for lcc_status {
    fn from(e: ProblemError) -> Self {
        match e {
            ProblemError::Alpha => LCC_ERROR_ALPHA,
            ProblemError::Beta => LCC_ERROR_BETA,
            ProblemError::Outer => LCC_ERROR_OUTER,
            ProblemError::Quadratic => LCC_ERROR_QUADRATIC,
            ProblemError::Neurons => LCC_ERROR_NEURONS,
            ProblemError::Dimension => LCC_ERROR_DIMENSION,
            ProblemError::Prior(e) => e.into(),
            ProblemError::Improper => LCC_ERROR_IMPROPER,
            ProblemError::ScratchTooShort => LCC_ERROR_MEMORY_SIZE,
        }
    }
}

impl From<SamplerError> for lcc_status {
    fn from(e: SamplerError) -> Self {
        match e {
            SamplerError::Chains => LCC_ERROR_CHAINS,
            SamplerError::Pairs => LCC_ERROR_PAIRS,
            SamplerError::Reference => LCC_ERROR_REFERENCE,
            SamplerError::NoPilot => LCC_ERROR_NO_PILOT,
            SamplerError::OtherPilot => LCC_ERROR_DATA_CHANGED,
            SamplerError::Lanes => LCC_ERROR_LANES,
            SamplerError::Draws => LCC_ERROR_DRAWS,
            SamplerError::Stored => LCC_ERROR_STORED,
            SamplerError::TargetAccept => LCC_ERROR_TARGET_ACCEPT,
            SamplerError::Leapfrogs => LCC_ERROR_STEPS,
            SamplerError::TotalTime
            | SamplerError::Jitter
            | SamplerError::LangevinStep
            | SamplerError::DiffusionTime => LCC_ERROR_STEP_SIZE,
            SamplerError::Levels => LCC_ERROR_LEVELS,
            SamplerError::Reduced => LCC_ERROR_REDUCED,
            SamplerError::Inner => LCC_ERROR_INNER,
            SamplerError::InnerMethod => LCC_ERROR_INNER_METHOD,
            SamplerError::NeedsBall => LCC_ERROR_NEEDS_BALL,
            SamplerError::NoCoupling => LCC_ERROR_NO_COUPLING,
            SamplerError::Signed => LCC_ERROR_SIGNED,
            SamplerError::NoGradient => LCC_ERROR_NO_GRADIENT,
            SamplerError::Problem(e) => e.into(),
            SamplerError::Memory(e) => e.into(),
            SamplerError::NotASampler => LCC_ERROR_HANDLE,
            SamplerError::OtherProblem => LCC_ERROR_DATA_CHANGED,
            SamplerError::Start => LCC_ERROR_START,
            SamplerError::Parts => LCC_ERROR_PARTS,
        }
    }
}

impl From<SmcError> for lcc_status {
    fn from(e: SmcError) -> Self {
        match e {
            SmcError::Particles => LCC_ERROR_PARTICLES,
            SmcError::Lanes => LCC_ERROR_LANES,
            SmcError::Ladder => LCC_ERROR_LADDER,
            SmcError::Temperatures => LCC_ERROR_TEMPERATURES,
            SmcError::Moves => LCC_ERROR_MOVES,
            SmcError::TargetAccept => LCC_ERROR_TARGET_ACCEPT,
            SmcError::Leapfrogs => LCC_ERROR_STEPS,
            SmcError::TotalTime | SmcError::Jitter => LCC_ERROR_STEP_SIZE,
            SmcError::Reference => LCC_ERROR_REFERENCE,
            SmcError::Stages => LCC_ERROR_STAGES,
            SmcError::NoGradient => LCC_ERROR_NO_GRADIENT,
            SmcError::Problem(e) => e.into(),
            SmcError::Memory(e) => e.into(),
            SmcError::NotAnSmc => LCC_ERROR_HANDLE,
            SmcError::OtherProblem => LCC_ERROR_DATA_CHANGED,
            SmcError::Start => LCC_ERROR_START,
        }
    }
}

impl From<TemperingError> for lcc_status {
    fn from(e: TemperingError) -> Self {
        match e {
            TemperingError::Chains => LCC_ERROR_CHAINS,
            TemperingError::Lanes => LCC_ERROR_LANES,
            TemperingError::Temperatures => LCC_ERROR_TEMPERATURES,
            TemperingError::Draws => LCC_ERROR_DRAWS,
            TemperingError::Stored => LCC_ERROR_STORED,
            TemperingError::Moves => LCC_ERROR_MOVES,
            TemperingError::TargetAccept => LCC_ERROR_TARGET_ACCEPT,
            TemperingError::Leapfrogs => LCC_ERROR_STEPS,
            TemperingError::TotalTime | TemperingError::Jitter => LCC_ERROR_STEP_SIZE,
            TemperingError::NoGradient => LCC_ERROR_NO_GRADIENT,
            TemperingError::Problem(e) => e.into(),
            TemperingError::Memory(e) => e.into(),
            TemperingError::NotATempering => LCC_ERROR_HANDLE,
            TemperingError::OtherProblem => LCC_ERROR_DATA_CHANGED,
            TemperingError::Start => LCC_ERROR_START,
        }
    }
}

impl From<AutoError> for lcc_status {
    fn from(e: AutoError) -> Self {
        match e {
            AutoError::Chains => LCC_ERROR_PAIRS,
            AutoError::Lanes => LCC_ERROR_LANES,
            AutoError::Pilot => LCC_ERROR_PARTICLES,
            AutoError::Draws => LCC_ERROR_DRAWS,
            AutoError::Memory(e) => e.into(),
            AutoError::NotAnAuto => LCC_ERROR_HANDLE,
            AutoError::OtherProblem => LCC_ERROR_DATA_CHANGED,
            AutoError::Smc(e) => e.into(),
            AutoError::Sampler(e) => e.into(),
        }
    }
}

impl From<CheckpointError> for lcc_status {
    fn from(e: CheckpointError) -> Self {
        match e {
            CheckpointError::TooSmall => LCC_ERROR_MEMORY_SIZE,
            CheckpointError::Truncated => LCC_ERROR_IMAGE_TRUNCATED,
            CheckpointError::NotACheckpoint => LCC_ERROR_IMAGE_MAGIC,
            CheckpointError::OtherVersion => LCC_ERROR_IMAGE_NEWER,
            CheckpointError::ByteOrder
            | CheckpointError::OtherKind
            | CheckpointError::OtherPrecision => LCC_ERROR_IMAGE_KIND,
            CheckpointError::Corrupt => LCC_ERROR_IMAGE_CORRUPT,
        }
    }
}

impl From<DrawsError> for lcc_status {
    fn from(e: DrawsError) -> Self {
        match e {
            DrawsError::Empty => LCC_ERROR_EMPTY,
            DrawsError::Overflow | DrawsError::TooShort => LCC_ERROR_OVERFLOW,
            DrawsError::ScratchTooShort => LCC_ERROR_MEMORY_SIZE,
        }
    }
}

impl From<OptionsError> for lcc_status {
    fn from(e: OptionsError) -> Self {
        match e {
            OptionsError::Neurons => LCC_ERROR_NEURONS,
            OptionsError::Chains => LCC_ERROR_CHAINS,
            OptionsError::Lanes => LCC_ERROR_LANES,
            OptionsError::Draws => LCC_ERROR_DRAWS,
            OptionsError::Keep => LCC_ERROR_KEEP,
            OptionsError::Starts => LCC_ERROR_STARTS,
            OptionsError::Leapfrogs => LCC_ERROR_STEPS,
            OptionsError::StepSize => LCC_ERROR_STEP_SIZE,
            OptionsError::Drop => LCC_ERROR_HYPERPARAMETER,
            OptionsError::Prior => LCC_ERROR_HYPERPARAMETER,
        }
    }
}

impl From<StandardiseError> for lcc_status {
    fn from(e: StandardiseError) -> Self {
        match e {
            StandardiseError::ConstantTarget => LCC_ERROR_CONSTANT_TARGET,
            _ => LCC_ERROR_OVERFLOW,
        }
    }
}

impl From<StoreError> for lcc_status {
    fn from(e: StoreError) -> Self {
        match e {
            StoreError::TooSmall | StoreError::Full => LCC_ERROR_MEMORY_SIZE,
            StoreError::Inputs | StoreError::Length => LCC_ERROR_INPUTS,
            StoreError::NotAStore => LCC_ERROR_HANDLE,
            StoreError::NoDraw => LCC_ERROR_INDEX,
            StoreError::Value => LCC_ERROR_IMAGE_VALUE,
        }
    }
}

impl From<RegressorError> for lcc_status {
    fn from(e: RegressorError) -> Self {
        match e {
            RegressorError::Options(e) => e.into(),
            RegressorError::Workspace(e) => e.into(),
            RegressorError::Standardise(e) => e.into(),
            RegressorError::Data(e) => e.into(),
            RegressorError::NotARegressor => LCC_ERROR_HANDLE,
            RegressorError::OtherData => LCC_ERROR_DATA_CHANGED,
            RegressorError::Image => LCC_ERROR_IMAGE_SHAPE,
            RegressorError::NoDraws => LCC_ERROR_NOT_DONE,
            RegressorError::Store(e) => e.into(),
            RegressorError::Parts => LCC_ERROR_PARTS,
        }
    }
}

impl From<ImageError> for lcc_status {
    fn from(e: ImageError) -> Self {
        match e {
            ImageError::TooShort | ImageError::Truncated => LCC_ERROR_IMAGE_TRUNCATED,
            ImageError::BadMagic => LCC_ERROR_IMAGE_MAGIC,
            ImageError::NewerVersion | ImageError::Unsupported => LCC_ERROR_IMAGE_NEWER,
            ImageError::BadShape | ImageError::Unsealed => LCC_ERROR_IMAGE_SHAPE,
            ImageError::Corrupt => LCC_ERROR_IMAGE_CORRUPT,
            ImageError::BadValue => LCC_ERROR_IMAGE_VALUE,
        }
    }
}

impl From<PredictError> for lcc_status {
    fn from(e: PredictError) -> Self {
        match e {
            PredictError::Inputs => LCC_ERROR_INPUTS,
            PredictError::TooShort => LCC_ERROR_MEMORY_SIZE,
            PredictError::NotFinite => LCC_ERROR_NOT_FINITE_X,
            PredictError::Level => LCC_ERROR_PROBABILITY,
            PredictError::OutOfRange => LCC_ERROR_IMAGE_VALUE,
        }
    }
}

impl From<RhoError> for lcc_status {
    fn from(e: RhoError) -> Self {
        match e {
            RhoError::Shape => LCC_ERROR_CAPACITY,
            RhoError::Scale => LCC_ERROR_NOT_FINITE_VALUE,
            RhoError::Signed => LCC_ERROR_SIGNED,
            RhoError::Unbounded | RhoError::NotUnit => LCC_ERROR_NO_COUPLING,
        }
    }
}

impl From<CouplingError> for lcc_status {
    fn from(e: CouplingError) -> Self {
        match e {
            CouplingError::Shape => LCC_ERROR_CAPACITY,
            CouplingError::Rho => LCC_ERROR_NOT_FINITE_VALUE,
            CouplingError::Overflow => LCC_ERROR_OVERFLOW,
            CouplingError::Prior => LCC_ERROR_REDUCED,
        }
    }
}

impl From<CertificateError> for lcc_status {
    fn from(e: CertificateError) -> Self {
        match e {
            CertificateError::TooShort => LCC_ERROR_MEMORY_SIZE,
            CertificateError::Overflow => LCC_ERROR_OVERFLOW,
            CertificateError::NotFinite => LCC_ERROR_NOT_FINITE_VALUE,
            CertificateError::TooFew | CertificateError::Options => LCC_ERROR_TOO_FEW,
            CertificateError::Rho(e) => e.into(),
            CertificateError::Coupling(e) => e.into(),
            CertificateError::NeedsGaussian => LCC_ERROR_REDUCED,
            CertificateError::UserDensity => LCC_ERROR_POSTERIOR,
            CertificateError::Form => LCC_ERROR_FORM,
        }
    }
}

impl From<ProbeError> for lcc_status {
    fn from(e: ProbeError) -> Self {
        match e {
            ProbeError::Certificate(e) => e.into(),
            ProbeError::Memory(e) => e.into(),
        }
    }
}

impl From<PrequentialError> for lcc_status {
    fn from(e: PrequentialError) -> Self {
        match e {
            PrequentialError::Levels => LCC_ERROR_LEVELS,
            PrequentialError::Alpha => LCC_ERROR_ALPHA,
            PrequentialError::Beta => LCC_ERROR_SHARE,
            PrequentialError::Outer => LCC_ERROR_OUTER,
            PrequentialError::Ess => LCC_ERROR_ESS,
            PrequentialError::Noise => LCC_ERROR_NOISE,
            PrequentialError::Keep => LCC_ERROR_KEEP,
            PrequentialError::Smc(e) => e.into(),
            PrequentialError::Problem(e) => e.into(),
            PrequentialError::Memory(e) => e.into(),
            PrequentialError::Standardise(e) => e.into(),
            PrequentialError::Data(e) => e.into(),
            PrequentialError::NotALearner => LCC_ERROR_HANDLE,
            PrequentialError::Full => LCC_ERROR_CAPACITY,
            PrequentialError::Busy => LCC_ERROR_NOT_DONE,
            PrequentialError::Bridges => LCC_ERROR_STAGES,
            PrequentialError::TooShort => LCC_ERROR_MEMORY_SIZE,
            PrequentialError::Store(e) => e.into(),
        }
    }
}

impl From<GreedyError> for lcc_status {
    fn from(e: GreedyError) -> Self {
        match e {
            GreedyError::Levels => LCC_ERROR_LEVELS,
            GreedyError::Alpha => LCC_ERROR_ALPHA,
            GreedyError::Beta => LCC_ERROR_SHARE,
            GreedyError::Outer => LCC_ERROR_OUTER,
            GreedyError::Ridge => LCC_ERROR_RIDGE,
            GreedyError::Holdout => LCC_ERROR_HOLDOUT,
            GreedyError::Keep => LCC_ERROR_KEEP,
            GreedyError::Smc(e) => e.into(),
            GreedyError::Problem(e) => e.into(),
            GreedyError::Memory(e) => e.into(),
            GreedyError::Standardise(e) => e.into(),
            GreedyError::Data(e) => e.into(),
            GreedyError::NotAnEstimator => LCC_ERROR_HANDLE,
            GreedyError::OtherData => LCC_ERROR_DATA_CHANGED,
            GreedyError::NotDone => LCC_ERROR_NOT_DONE,
            GreedyError::Store(e) => e.into(),
        }
    }
}

impl From<StreamError> for lcc_status {
    fn from(e: StreamError) -> Self {
        match e {
            StreamError::Forgetting => LCC_ERROR_FORGETTING,
            StreamError::Sd | StreamError::NoiseRows => LCC_ERROR_HYPERPARAMETER,
            StreamError::Draws => LCC_ERROR_DRAWS,
            StreamError::Lanes => LCC_ERROR_LANES,
            StreamError::Memory(e) => e.into(),
            StreamError::NotALearner => LCC_ERROR_HANDLE,
            StreamError::Image => LCC_ERROR_IMAGE_VALUE,
            StreamError::Inputs => LCC_ERROR_INPUTS,
            StreamError::Input => LCC_ERROR_NOT_FINITE_X,
            StreamError::Target => LCC_ERROR_NOT_FINITE_Y,
            StreamError::Level => LCC_ERROR_PROBABILITY,
            StreamError::TooShort => LCC_ERROR_MEMORY_SIZE,
            StreamError::Store(e) => e.into(),
        }
    }
}

impl From<WindowError> for lcc_status {
    fn from(e: WindowError) -> Self {
        match e {
            WindowError::Empty => LCC_ERROR_EMPTY,
            WindowError::Memory(e) => e.into(),
            WindowError::NotAWindow => LCC_ERROR_HANDLE,
            WindowError::Columns => LCC_ERROR_INPUTS,
            WindowError::Input => LCC_ERROR_NOT_FINITE_X,
            WindowError::Target => LCC_ERROR_NOT_FINITE_Y,
        }
    }
}

impl From<RelaxedError> for lcc_status {
    fn from(e: RelaxedError) -> Self {
        match e {
            RelaxedError::Levels => LCC_ERROR_LEVELS,
            RelaxedError::Outer => LCC_ERROR_OUTER,
            RelaxedError::Radius => LCC_ERROR_SCALE,
            RelaxedError::Starts | RelaxedError::Steps => LCC_ERROR_STARTS,
            RelaxedError::Lanes => LCC_ERROR_LANES,
            RelaxedError::Memory(e) => e.into(),
            RelaxedError::Standardise(e) => e.into(),
            RelaxedError::Data(e) => e.into(),
            RelaxedError::NotAFit => LCC_ERROR_HANDLE,
            RelaxedError::OtherData => LCC_ERROR_DATA_CHANGED,
            RelaxedError::NotDone => LCC_ERROR_NOT_DONE,
            RelaxedError::Store(e) => e.into(),
        }
    }
}
