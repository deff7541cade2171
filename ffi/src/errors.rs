//! The core's errors as statuses.

use crate::status::lcc_status::{self, *};
use lcc_core::auto::AutoError;
use lcc_core::certificate::CertificateError;
use lcc_core::checkpoint::CheckpointError;
use lcc_core::coupling::{CouplingError, RhoError};
use lcc_core::data::DataError;
use lcc_core::diagnostics::DrawsError;
use lcc_core::estimator::bnn::{BnnError, BnnOptionsError};
use lcc_core::estimator::prequential::PrequentialError;
use lcc_core::estimator::relaxed::RelaxedError;
use lcc_core::estimator::vae::VaeError;
use lcc_core::estimator::{ConjugateError, GreedyError, OptionsError, RegressorError};
use lcc_core::plain::CodeError;
use lcc_core::posterior::{ImageError, StandardiseError, StoreError};
use lcc_core::predict::PredictError;
use lcc_core::prior::PriorError;
use lcc_core::problem::ProblemError;
use lcc_core::sampler::{Progress, SamplerError};
use lcc_core::smc::SmcError;
use lcc_core::stream::{StreamError, WindowError};
use lcc_core::tempering::TemperingError;
use lcc_core::transform::TransformError;
use lcc_core::warmup::WarmupError;
use lcc_core::workspace::WorkspaceError;

/// The status of each variant of an error, or of what a step came to. Those in brackets hold the errors of others, with their own statuses.
macro_rules! statuses {
    ($($error:ident {
        $($($variant:ident)|+ => $status:ident,)* $([$($other:ident)+])? $(_ => $rest:ident)?
    })+) => {
        $(impl From<$error> for lcc_status {
            fn from(e: $error) -> Self {
                match e {
                    $($($error::$variant { .. })|+ => $status,)*
                    $($($error::$other(e) => e.into(),)+)?
                    $(_ => $rest,)?
                }
            }
        })+
    };
}

statuses! {
    Progress { Running => LCC_RUNNING, Done => LCC_DONE, }
    CodeError {
        Switch => LCC_ERROR_SWITCH, Ladder => LCC_ERROR_LADDER, Method => LCC_ERROR_METHOD,
        Coupling => LCC_ERROR_COUPLING, Reference => LCC_ERROR_REFERENCE, Activation => LCC_ERROR_ACTIVATION,
        Prior => LCC_ERROR_PRIOR, Form => LCC_ERROR_FORM, Mass => LCC_ERROR_MASS, Averaging => LCC_ERROR_AVERAGING,
        Output => LCC_ERROR_OUTPUT, Scales => LCC_ERROR_SCALES, Penalty => LCC_ERROR_PENALTY,
        Optimiser => LCC_ERROR_OPTIMISER,
    }
    DataError {
        Empty => LCC_ERROR_EMPTY, Overflow | TooShort => LCC_ERROR_OVERFLOW, NotFiniteX => LCC_ERROR_NOT_FINITE_X,
        NotFiniteY => LCC_ERROR_NOT_FINITE_Y, Weight | Weights | Weighted => LCC_ERROR_WEIGHTS,
        Group => LCC_ERROR_INDEX,
    }
    WorkspaceError {
        Overflow => LCC_ERROR_OVERFLOW, TooSmall => LCC_ERROR_MEMORY_SIZE, Misaligned => LCC_ERROR_MEMORY_ALIGN,
    }
    PriorError { _ => LCC_ERROR_SCALE }
    ProblemError {
        Alpha => LCC_ERROR_ALPHA, Beta => LCC_ERROR_BETA, Outer => LCC_ERROR_OUTER,
        Quadratic => LCC_ERROR_QUADRATIC, Neurons => LCC_ERROR_NEURONS, Dimension => LCC_ERROR_DIMENSION,
        Improper => LCC_ERROR_IMPROPER, Layers => LCC_ERROR_LAYERS, Constant => LCC_ERROR_HYPERPARAMETER,
        Target => LCC_ERROR_TARGET, Weights => LCC_ERROR_WEIGHTS, ScratchTooShort => LCC_ERROR_MEMORY_SIZE, [Prior]
    }
    SamplerError {
        Chains => LCC_ERROR_CHAINS, Pairs => LCC_ERROR_PAIRS, Reference => LCC_ERROR_REFERENCE,
        NoPilot => LCC_ERROR_NO_PILOT, OtherPilot => LCC_ERROR_DATA_CHANGED, Lanes => LCC_ERROR_LANES,
        Draws => LCC_ERROR_DRAWS, Stored => LCC_ERROR_STORED, TargetAccept => LCC_ERROR_TARGET_ACCEPT,
        Leapfrogs => LCC_ERROR_STEPS, TotalTime | Jitter | ShortSteps | LangevinStep | DiffusionTime => LCC_ERROR_STEP_SIZE,
        Levels => LCC_ERROR_LEVELS, Reduced => LCC_ERROR_REDUCED, Inner => LCC_ERROR_INNER,
        InnerMethod => LCC_ERROR_INNER_METHOD, NeedsBall => LCC_ERROR_NEEDS_BALL,
        NoCoupling => LCC_ERROR_NO_COUPLING, Kink => LCC_ERROR_KINK, Signed => LCC_ERROR_SIGNED, NoGradient => LCC_ERROR_NO_GRADIENT,
        NotASampler => LCC_ERROR_HANDLE, OtherProblem => LCC_ERROR_DATA_CHANGED, Start => LCC_ERROR_START,
        Parts => LCC_ERROR_PARTS, [Code Problem Memory]
    }
    SmcError {
        Particles => LCC_ERROR_PARTICLES, Lanes => LCC_ERROR_LANES, Ladder => LCC_ERROR_LADDER,
        Temperatures => LCC_ERROR_TEMPERATURES, Moves => LCC_ERROR_MOVES, TargetAccept => LCC_ERROR_TARGET_ACCEPT,
        Leapfrogs => LCC_ERROR_STEPS, TotalTime | Jitter => LCC_ERROR_STEP_SIZE, Reference => LCC_ERROR_REFERENCE,
        Stages => LCC_ERROR_STAGES, Rows => LCC_ERROR_POSTERIOR, First => LCC_ERROR_LADDER, NoGradient => LCC_ERROR_NO_GRADIENT, NotAnSmc => LCC_ERROR_HANDLE,
        OtherProblem => LCC_ERROR_DATA_CHANGED, Start => LCC_ERROR_START, [Code Problem Memory]
    }
    TemperingError {
        Chains => LCC_ERROR_CHAINS, Lanes => LCC_ERROR_LANES, Temperatures => LCC_ERROR_TEMPERATURES,
        Draws => LCC_ERROR_DRAWS, Stored => LCC_ERROR_STORED, Moves => LCC_ERROR_MOVES,
        TargetAccept => LCC_ERROR_TARGET_ACCEPT, Leapfrogs => LCC_ERROR_STEPS,
        TotalTime | Jitter => LCC_ERROR_STEP_SIZE, NoGradient => LCC_ERROR_NO_GRADIENT,
        NotATempering => LCC_ERROR_HANDLE, OtherProblem => LCC_ERROR_DATA_CHANGED, Start => LCC_ERROR_START,
        [Code Problem Memory]
    }
    AutoError {
        Chains => LCC_ERROR_PAIRS, Lanes => LCC_ERROR_LANES, Pilot => LCC_ERROR_PARTICLES, Draws => LCC_ERROR_DRAWS,
        NotAnAuto => LCC_ERROR_HANDLE, OtherProblem => LCC_ERROR_DATA_CHANGED, Gradients => LCC_ERROR_STOPPED, WrongGradient => LCC_ERROR_GRADIENT, Improper => LCC_ERROR_IMPROPER,
        [Code Memory Smc Sampler Warmup]
    }
    WarmupError {
        Ascents => LCC_ERROR_STARTS, Chains => LCC_ERROR_CHAINS, Rounds => LCC_ERROR_MOVES,
        Leapfrogs => LCC_ERROR_STEPS, NotUser => LCC_ERROR_POSTERIOR, NoGradient => LCC_ERROR_NO_GRADIENT,
        NotAWarmup => LCC_ERROR_HANDLE, OtherProblem => LCC_ERROR_DATA_CHANGED, Start => LCC_ERROR_START,
        [Code Problem Memory]
    }
    CheckpointError {
        TooSmall => LCC_ERROR_MEMORY_SIZE, Truncated => LCC_ERROR_IMAGE_TRUNCATED,
        NotACheckpoint => LCC_ERROR_IMAGE_MAGIC, OtherVersion => LCC_ERROR_IMAGE_NEWER,
        ByteOrder | OtherKind | OtherPrecision => LCC_ERROR_IMAGE_KIND, Corrupt => LCC_ERROR_IMAGE_CORRUPT,
    }
    DrawsError {
        Empty => LCC_ERROR_EMPTY, Overflow | TooShort => LCC_ERROR_OVERFLOW,
        ScratchTooShort => LCC_ERROR_MEMORY_SIZE,
    }
    TransformError {
        Size | Bounds => LCC_ERROR_CONSTRAINT, Length => LCC_ERROR_CAPACITY, Support => LCC_ERROR_SUPPORT,
    }
    OptionsError {
        Neurons => LCC_ERROR_NEURONS, Chains => LCC_ERROR_CHAINS, Lanes => LCC_ERROR_LANES,
        Draws => LCC_ERROR_DRAWS, Keep => LCC_ERROR_KEEP, Starts => LCC_ERROR_STARTS, Leapfrogs => LCC_ERROR_STEPS,
        TargetAccept => LCC_ERROR_TARGET_ACCEPT, StepSize => LCC_ERROR_STEP_SIZE, Drop => LCC_ERROR_HYPERPARAMETER, Prior => LCC_ERROR_HYPERPARAMETER, [Code]
    }
    ConjugateError {
        Noise => LCC_ERROR_NOISE, Scale => LCC_ERROR_SCALE, Inputs => LCC_ERROR_INPUTS, TooShort => LCC_ERROR_MEMORY_SIZE,
        Weights => LCC_ERROR_WEIGHTS, Other => LCC_ERROR_HANDLE, Changed => LCC_ERROR_DATA_CHANGED,
        NotFinite => LCC_ERROR_NOT_FINITE_VALUE, Overflow => LCC_ERROR_OVERFLOW,
    }
    StandardiseError {
        ConstantTarget => LCC_ERROR_CONSTANT_TARGET, _ => LCC_ERROR_OVERFLOW
    }
    StoreError {
        TooSmall | Full => LCC_ERROR_MEMORY_SIZE, Inputs | Length => LCC_ERROR_INPUTS,
        NotAStore => LCC_ERROR_HANDLE, NoDraw => LCC_ERROR_INDEX, Value | Units => LCC_ERROR_IMAGE_VALUE,
    }
    RegressorError {
        NotARegressor => LCC_ERROR_HANDLE, OtherData => LCC_ERROR_DATA_CHANGED, Image => LCC_ERROR_IMAGE_SHAPE,
        NoDraws => LCC_ERROR_NOT_DONE, Parts => LCC_ERROR_PARTS, [Options Workspace Standardise Data Store]
    }
    ImageError {
        TooShort | Truncated => LCC_ERROR_IMAGE_TRUNCATED, BadMagic => LCC_ERROR_IMAGE_MAGIC,
        NewerVersion | Unsupported => LCC_ERROR_IMAGE_NEWER, BadShape | Unsealed => LCC_ERROR_IMAGE_SHAPE,
        Corrupt => LCC_ERROR_IMAGE_CORRUPT, BadValue => LCC_ERROR_IMAGE_VALUE,
    }
    PredictError {
        Inputs => LCC_ERROR_INPUTS, TooShort => LCC_ERROR_MEMORY_SIZE, NotFinite | Reach => LCC_ERROR_NOT_FINITE_X,
        Level => LCC_ERROR_PROBABILITY, OutOfRange => LCC_ERROR_IMAGE_VALUE, Network => LCC_ERROR_OUTPUT,
        Exposure | Target => LCC_ERROR_TARGET, Draws => LCC_ERROR_DRAWS, Probability => LCC_ERROR_PROBABILITY,
    }
    RhoError {
        Shape => LCC_ERROR_CAPACITY, Scale => LCC_ERROR_NOT_FINITE_VALUE, Signed => LCC_ERROR_SIGNED,
        Unbounded | NotUnit => LCC_ERROR_NO_COUPLING, Kink => LCC_ERROR_KINK,
    }
    CouplingError {
        Shape => LCC_ERROR_CAPACITY, Rho => LCC_ERROR_NOT_FINITE_VALUE, Overflow => LCC_ERROR_OVERFLOW,
        Prior => LCC_ERROR_REDUCED,
    }
    CertificateError {
        TooShort => LCC_ERROR_MEMORY_SIZE, Overflow => LCC_ERROR_OVERFLOW, NotFinite => LCC_ERROR_NOT_FINITE_VALUE,
        TooFew => LCC_ERROR_TOO_FEW, Draws => LCC_ERROR_DRAWS, Leapfrogs | Ascent => LCC_ERROR_STEPS,
        NeedsGaussian => LCC_ERROR_REDUCED, UserDensity => LCC_ERROR_POSTERIOR, Form => LCC_ERROR_FORM,
        [Rho Coupling Code Memory Problem]
    }
    PrequentialError {
        Levels => LCC_ERROR_LEVELS, Alpha => LCC_ERROR_ALPHA, Beta => LCC_ERROR_SHARE, Outer => LCC_ERROR_OUTER,
        Ess => LCC_ERROR_ESS, Noise => LCC_ERROR_NOISE, Keep => LCC_ERROR_KEEP, NotALearner => LCC_ERROR_HANDLE,
        Full => LCC_ERROR_CAPACITY, Busy => LCC_ERROR_NOT_DONE, Bridges => LCC_ERROR_STAGES,
        Target => LCC_ERROR_NOT_FINITE_Y, TooShort => LCC_ERROR_MEMORY_SIZE, [Code Smc Problem Memory Standardise Data Store]
    }
    GreedyError {
        Levels => LCC_ERROR_LEVELS, Alpha => LCC_ERROR_ALPHA, Beta => LCC_ERROR_SHARE, Outer => LCC_ERROR_OUTER,
        Ridge => LCC_ERROR_RIDGE, Holdout => LCC_ERROR_HOLDOUT, Keep => LCC_ERROR_KEEP,
        NotAnEstimator => LCC_ERROR_HANDLE, OtherData => LCC_ERROR_DATA_CHANGED, NotDone => LCC_ERROR_NOT_DONE,
        [Code Smc Problem Memory Standardise Data Store]
    }
    BnnOptionsError {
        Layers => LCC_ERROR_LAYERS, Chains => LCC_ERROR_CHAINS, Lanes => LCC_ERROR_LANES, Draws => LCC_ERROR_DRAWS,
        Keep => LCC_ERROR_KEEP, Leapfrogs => LCC_ERROR_STEPS, TargetAccept => LCC_ERROR_TARGET_ACCEPT, StepSize => LCC_ERROR_STEP_SIZE,
        Drop | Prior => LCC_ERROR_HYPERPARAMETER, Pairs => LCC_ERROR_RANK, Minibatches => LCC_ERROR_PENALTY,
        Batch => LCC_ERROR_BATCH, Dropout => LCC_ERROR_PROBABILITY, Optimiser => LCC_ERROR_OPTIMISER, [Code]
    }
    BnnError {
        NotANetwork => LCC_ERROR_HANDLE, OtherData => LCC_ERROR_DATA_CHANGED, Target => LCC_ERROR_TARGET,
        Start => LCC_ERROR_START, Diverged => LCC_ERROR_DIVERGED, Separable => LCC_ERROR_SEPARABLE,
        Singular => LCC_ERROR_SINGULAR, NoDraws => LCC_ERROR_NOT_DONE, Parts => LCC_ERROR_PARTS, [Options Workspace Standardise Data Store]
    }
    StreamError {
        Forgetting => LCC_ERROR_FORGETTING, Sd | NoiseRows => LCC_ERROR_HYPERPARAMETER, Draws => LCC_ERROR_DRAWS,
        Lanes => LCC_ERROR_LANES, NotALearner => LCC_ERROR_HANDLE, Image => LCC_ERROR_IMAGE_VALUE,
        Network => LCC_ERROR_STREAM_MODEL, Inputs => LCC_ERROR_INPUTS, Input => LCC_ERROR_NOT_FINITE_X, Target => LCC_ERROR_NOT_FINITE_Y,
        Level => LCC_ERROR_PROBABILITY, TooShort => LCC_ERROR_MEMORY_SIZE, [Code Memory Store]
    }
    WindowError {
        Empty => LCC_ERROR_EMPTY, NotAWindow => LCC_ERROR_HANDLE, Columns => LCC_ERROR_INPUTS,
        Input => LCC_ERROR_NOT_FINITE_X, Target => LCC_ERROR_NOT_FINITE_Y, [Memory]
    }
    VaeError {
        Layers => LCC_ERROR_LAYERS, Noise => LCC_ERROR_NOISE, Batch => LCC_ERROR_BATCH, Steps => LCC_ERROR_STEPS,
        Rate => LCC_ERROR_STEP_SIZE, Largest => LCC_ERROR_SCALE, Value => LCC_ERROR_TARGET, Constant => LCC_ERROR_CONSTANT_TARGET,
        NotAVae => LCC_ERROR_HANDLE, OtherData => LCC_ERROR_DATA_CHANGED, Diverged => LCC_ERROR_START,
        Columns => LCC_ERROR_INPUTS, Draws => LCC_ERROR_DRAWS, TooShort => LCC_ERROR_MEMORY_SIZE, [Code Memory Data]
    }
    RelaxedError {
        Levels => LCC_ERROR_LEVELS, Outer => LCC_ERROR_OUTER, Radius => LCC_ERROR_SCALE,
        Starts | Steps => LCC_ERROR_STARTS, Lanes => LCC_ERROR_LANES, NotAFit => LCC_ERROR_HANDLE,
        OtherData => LCC_ERROR_DATA_CHANGED, NotDone => LCC_ERROR_NOT_DONE, [Code Memory Standardise Data Store]
    }
}
