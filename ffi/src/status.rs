//! Statuses

use core::ffi::c_char;

/// What a function returns, as an int32_t: 0 done, positive an outcome, negative an error.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum lcc_status {
    /// Done.
    LCC_OK = 0,
    /// The budget is used up and there is more to do: call again.
    LCC_RUNNING = 1,
    /// There is nothing more to do.
    LCC_DONE = 2,
    /// A pointer that must not be NULL is.
    LCC_ERROR_NULL = -1,
    /// A pointer is not aligned for its type.
    LCC_ERROR_MISALIGNED = -2,
    /// struct_size is smaller than the struct that this library knows: was it set by the default function?
    LCC_ERROR_STRUCT_SIZE = -3,
    /// The data have no rows or no columns.
    LCC_ERROR_EMPTY = -4,
    /// A size does not fit in the address space.
    LCC_ERROR_OVERFLOW = -5,
    /// X holds a NaN or an infinity.
    LCC_ERROR_NOT_FINITE_X = -6,
    /// y holds a NaN or an infinity.
    LCC_ERROR_NOT_FINITE_Y = -7,
    /// An output array is too short.
    LCC_ERROR_CAPACITY = -8,
    /// The memory is smaller than its size query says.
    LCC_ERROR_MEMORY_SIZE = -9,
    /// The memory is not aligned to 16 bytes.
    LCC_ERROR_MEMORY_ALIGN = -10,
    /// The memory holds no object of this type and precision.
    LCC_ERROR_HANDLE = -11,
    /// The data or the problem are not those that the object was made with.
    LCC_ERROR_DATA_CHANGED = -12,
    /// The object has not drawn enough for this yet.
    LCC_ERROR_NOT_DONE = -13,
    /// The name is not known.
    LCC_ERROR_NAME = -14,
    /// An index is out of range.
    LCC_ERROR_INDEX = -15,
    /// A value given is NaN or infinite.
    LCC_ERROR_NOT_FINITE_VALUE = -16,
    /// All targets are equal: there is nothing to learn.
    LCC_ERROR_CONSTANT_TARGET = -17,
    /// The posterior is neither greedy nor joint.
    LCC_ERROR_POSTERIOR = -20,
    /// The activation is not one of the ten.
    LCC_ERROR_ACTIVATION = -21,
    /// The prior is neither Gaussian nor the l1 ball.
    LCC_ERROR_PRIOR = -22,
    /// The prior's scale must be positive and finite.
    LCC_ERROR_SCALE = -23,
    /// alpha must be finite and not negative.
    LCC_ERROR_ALPHA = -24,
    /// beta must be positive and finite.
    LCC_ERROR_BETA = -25,
    /// The outer weight must be positive and finite.
    LCC_ERROR_OUTER = -26,
    /// The number of neurons must be at least 1, and the network must fit in memory.
    LCC_ERROR_NEURONS = -27,
    /// The signs are neither alternating nor positive.
    LCC_ERROR_SIGNS = -28,
    /// The posterior is improper: this activation outgrows the Gaussian prior. Lower alpha or the scale.
    LCC_ERROR_IMPROPER = -29,
    /// There is no coupling: the residual has no bound under this activation and prior.
    LCC_ERROR_NO_COUPLING = -30,
    /// The sampling method is not known.
    LCC_ERROR_METHOD = -31,
    /// The coupling is neither one-sided nor two-sided.
    LCC_ERROR_COUPLING = -32,
    /// The number of chains must be at least 1.
    LCC_ERROR_CHAINS = -33,
    /// Lanes must be 1 or 8.
    LCC_ERROR_LANES = -34,
    /// The number of draws must be at least 1.
    LCC_ERROR_DRAWS = -35,
    /// More draws are to be stored than drawn.
    LCC_ERROR_STORED = -36,
    /// The draws kept per chain must be at least 1 and at most the draws.
    LCC_ERROR_KEEP = -37,
    /// The leapfrog steps must be at least 1.
    LCC_ERROR_STEPS = -38,
    /// The inner transitions must be at least 1.
    LCC_ERROR_INNER = -39,
    /// The target acceptance must lie strictly between 0 and 1.
    LCC_ERROR_TARGET_ACCEPT = -40,
    /// A step size or integration time must be positive and finite.
    LCC_ERROR_STEP_SIZE = -41,
    /// A switch must be 0 or 1.
    LCC_ERROR_SWITCH = -42,
    /// A prior's hyper-parameter is out of its range.
    LCC_ERROR_HYPERPARAMETER = -43,
    /// A probability must lie strictly between 0 and 1.
    LCC_ERROR_PROBABILITY = -44,
    /// At least four draws per chain are needed.
    LCC_ERROR_TOO_FEW = -45,
    /// The mass matrix is neither dense nor diagonal.
    LCC_ERROR_MASS = -46,
    /// The density is not finite where a chain starts, or no particle starts in its support.
    LCC_ERROR_START = -47,
    /// A start needs at least one optimisation step.
    LCC_ERROR_STARTS = -48,
    /// The image or checkpoint is shorter than its header says.
    LCC_ERROR_IMAGE_TRUNCATED = -60,
    /// These bytes are no image or checkpoint of LCC.
    LCC_ERROR_IMAGE_MAGIC = -61,
    /// The image or checkpoint was written by a newer version of LCC.
    LCC_ERROR_IMAGE_NEWER = -62,
    /// The image or checkpoint is damaged: its checksum does not match.
    LCC_ERROR_IMAGE_CORRUPT = -63,
    /// The checkpoint is of another kind of object or of the other precision, or from a machine of other byte order.
    LCC_ERROR_IMAGE_KIND = -64,
    /// The image describes an impossible or a different shape.
    LCC_ERROR_IMAGE_SHAPE = -65,
    /// The rows have another number of columns than the model has inputs.
    LCC_ERROR_INPUTS = -66,
    /// The image holds a value that is not finite or out of its range.
    LCC_ERROR_IMAGE_VALUE = -67,
    /// The method needs a gradient, and the density of your own computes none.
    LCC_ERROR_NO_GRADIENT = -68,
    /// A density of your own has no coordinates, or too many.
    LCC_ERROR_DIMENSION = -69,
    /// Antithetic pairs of an odd number of chains, or too few of them.
    LCC_ERROR_PAIRS = -70,
    /// The reference is not known, or is one of another method.
    LCC_ERROR_REFERENCE = -71,
    /// A fitted reference needs a pilot.
    LCC_ERROR_NO_PILOT = -72,
    /// The particles must be two or more and a multiple of the lanes.
    LCC_ERROR_PARTICLES = -73,
    /// The ladder is not known, or a number that it is made from is out of its range.
    LCC_ERROR_LADDER = -74,
    /// Temperatures must be as many as said and increase from above 0 to 1.
    LCC_ERROR_TEMPERATURES = -75,
    /// There must be at least one transition between temperatures or swaps, and not too many in all.
    LCC_ERROR_MOVES = -76,
    /// An adaptive ladder needs more temperatures than there is room for.
    LCC_ERROR_STAGES = -77,
    /// A reverse diffusion has no levels, or too many.
    LCC_ERROR_LEVELS = -78,
    /// The reduced coupling needs a Gaussian prior.
    LCC_ERROR_REDUCED = -79,
    /// The inner method is not known, is coupled itself, or biased.
    LCC_ERROR_INNER_METHOD = -80,
    /// The method works on the l1 ball, and the prior is another.
    LCC_ERROR_NEEDS_BALL = -81,
    /// A neuron whose sign is summed out has no coupling.
    LCC_ERROR_SIGNED = -82,
    /// The factor of the square must be finite and not negative.
    LCC_ERROR_QUADRATIC = -83,
    /// beta must lie in (0, 1].
    LCC_ERROR_SHARE = -84,
    /// The share of the rows held out must lie in [0, 1/2] and leave rows on both sides.
    LCC_ERROR_HOLDOUT = -85,
    /// The ridge must be finite and not negative.
    LCC_ERROR_RIDGE = -86,
    /// The form of the greedy posterior is not known.
    LCC_ERROR_FORM = -87,
    /// A forgetting must lie in (0, 1].
    LCC_ERROR_FORGETTING = -88,
    /// The share of effective particles must lie in (0, 1).
    LCC_ERROR_ESS = -89,
    /// The noise must be positive and finite.
    LCC_ERROR_NOISE = -90,
    /// The averaging is not known.
    LCC_ERROR_AVERAGING = -91,
    /// The parts to join are of another run, leave chains out or stand at different iterations.
    LCC_ERROR_PARTS = -92,
}

use lcc_status::*;

impl From<()> for lcc_status {
    fn from((): ()) -> Self {
        LCC_OK
    }
}

/// Every status, in the order of their numbers.
const ALL: &[lcc_status] = &[
    LCC_OK,
    LCC_RUNNING,
    LCC_DONE,
    LCC_ERROR_NULL,
    LCC_ERROR_MISALIGNED,
    LCC_ERROR_STRUCT_SIZE,
    LCC_ERROR_EMPTY,
    LCC_ERROR_OVERFLOW,
    LCC_ERROR_NOT_FINITE_X,
    LCC_ERROR_NOT_FINITE_Y,
    LCC_ERROR_CAPACITY,
    LCC_ERROR_MEMORY_SIZE,
    LCC_ERROR_MEMORY_ALIGN,
    LCC_ERROR_HANDLE,
    LCC_ERROR_DATA_CHANGED,
    LCC_ERROR_NOT_DONE,
    LCC_ERROR_NAME,
    LCC_ERROR_INDEX,
    LCC_ERROR_NOT_FINITE_VALUE,
    LCC_ERROR_CONSTANT_TARGET,
    LCC_ERROR_POSTERIOR,
    LCC_ERROR_ACTIVATION,
    LCC_ERROR_PRIOR,
    LCC_ERROR_SCALE,
    LCC_ERROR_ALPHA,
    LCC_ERROR_BETA,
    LCC_ERROR_OUTER,
    LCC_ERROR_NEURONS,
    LCC_ERROR_SIGNS,
    LCC_ERROR_IMPROPER,
    LCC_ERROR_NO_COUPLING,
    LCC_ERROR_METHOD,
    LCC_ERROR_COUPLING,
    LCC_ERROR_CHAINS,
    LCC_ERROR_LANES,
    LCC_ERROR_DRAWS,
    LCC_ERROR_STORED,
    LCC_ERROR_KEEP,
    LCC_ERROR_STEPS,
    LCC_ERROR_INNER,
    LCC_ERROR_TARGET_ACCEPT,
    LCC_ERROR_STEP_SIZE,
    LCC_ERROR_SWITCH,
    LCC_ERROR_HYPERPARAMETER,
    LCC_ERROR_PROBABILITY,
    LCC_ERROR_TOO_FEW,
    LCC_ERROR_MASS,
    LCC_ERROR_START,
    LCC_ERROR_STARTS,
    LCC_ERROR_IMAGE_TRUNCATED,
    LCC_ERROR_IMAGE_MAGIC,
    LCC_ERROR_IMAGE_NEWER,
    LCC_ERROR_IMAGE_CORRUPT,
    LCC_ERROR_IMAGE_KIND,
    LCC_ERROR_IMAGE_SHAPE,
    LCC_ERROR_INPUTS,
    LCC_ERROR_IMAGE_VALUE,
    LCC_ERROR_NO_GRADIENT,
    LCC_ERROR_DIMENSION,
    LCC_ERROR_PAIRS,
    LCC_ERROR_REFERENCE,
    LCC_ERROR_NO_PILOT,
    LCC_ERROR_PARTICLES,
    LCC_ERROR_LADDER,
    LCC_ERROR_TEMPERATURES,
    LCC_ERROR_MOVES,
    LCC_ERROR_STAGES,
    LCC_ERROR_LEVELS,
    LCC_ERROR_REDUCED,
    LCC_ERROR_INNER_METHOD,
    LCC_ERROR_NEEDS_BALL,
    LCC_ERROR_SIGNED,
    LCC_ERROR_QUADRATIC,
    LCC_ERROR_SHARE,
    LCC_ERROR_HOLDOUT,
    LCC_ERROR_RIDGE,
    LCC_ERROR_FORM,
    LCC_ERROR_FORGETTING,
    LCC_ERROR_ESS,
    LCC_ERROR_NOISE,
    LCC_ERROR_AVERAGING,
    LCC_ERROR_PARTS,
];

impl lcc_status {
    /// The sentence of a status, zero-terminated.
    const fn sentence(self) -> &'static str {
        match self {
            LCC_OK => "Done.\0",
            LCC_RUNNING => "The budget is used up and there is more to do: call again.\0",
            LCC_DONE => "There is nothing more to do.\0",
            LCC_ERROR_NULL => "A pointer that must not be NULL is.\0",
            LCC_ERROR_MISALIGNED => "A pointer is not aligned for its type.\0",
            LCC_ERROR_STRUCT_SIZE => {
                "struct_size is smaller than the struct that this library knows: was it set by the default function?\0"
            }
            LCC_ERROR_EMPTY => "The data have no rows or no columns.\0",
            LCC_ERROR_OVERFLOW => "A size does not fit in the address space.\0",
            LCC_ERROR_NOT_FINITE_X => "X holds a NaN or an infinity.\0",
            LCC_ERROR_NOT_FINITE_Y => "y holds a NaN or an infinity.\0",
            LCC_ERROR_CAPACITY => "An output array is too short.\0",
            LCC_ERROR_MEMORY_SIZE => "The memory is smaller than its size query says.\0",
            LCC_ERROR_MEMORY_ALIGN => "The memory is not aligned to 16 bytes.\0",
            LCC_ERROR_HANDLE => "The memory holds no object of this type and precision.\0",
            LCC_ERROR_DATA_CHANGED => {
                "The data or the problem are not those that the object was made with.\0"
            }
            LCC_ERROR_NOT_DONE => "The object has not drawn enough for this yet.\0",
            LCC_ERROR_NAME => "The name is not known.\0",
            LCC_ERROR_INDEX => "An index is out of range.\0",
            LCC_ERROR_NOT_FINITE_VALUE => "A value given is NaN or infinite.\0",
            LCC_ERROR_CONSTANT_TARGET => "All targets are equal: there is nothing to learn.\0",
            LCC_ERROR_POSTERIOR => "The posterior is neither greedy nor joint.\0",
            LCC_ERROR_ACTIVATION => "The activation is not one of the ten.\0",
            LCC_ERROR_PRIOR => "The prior is neither Gaussian nor the l1 ball.\0",
            LCC_ERROR_SCALE => "The prior's scale must be positive and finite.\0",
            LCC_ERROR_ALPHA => "alpha must be finite and not negative.\0",
            LCC_ERROR_BETA => "beta must be positive and finite.\0",
            LCC_ERROR_OUTER => "The outer weight must be positive and finite.\0",
            LCC_ERROR_NEURONS => {
                "The number of neurons must be at least 1, and the network must fit in memory.\0"
            }
            LCC_ERROR_SIGNS => "The signs are neither alternating nor positive.\0",
            LCC_ERROR_IMPROPER => {
                "The posterior is improper: this activation outgrows the Gaussian prior. Lower alpha or the scale.\0"
            }
            LCC_ERROR_NO_COUPLING => {
                "There is no coupling: the residual has no bound under this activation and prior.\0"
            }
            LCC_ERROR_METHOD => "The sampling method is not known.\0",
            LCC_ERROR_COUPLING => "The coupling is neither one-sided nor two-sided.\0",
            LCC_ERROR_CHAINS => "The number of chains must be at least 1.\0",
            LCC_ERROR_LANES => "Lanes must be 1 or 8.\0",
            LCC_ERROR_DRAWS => "The number of draws must be at least 1.\0",
            LCC_ERROR_STORED => "More draws are to be stored than drawn.\0",
            LCC_ERROR_KEEP => {
                "The draws kept per chain must be at least 1 and at most the draws.\0"
            }
            LCC_ERROR_STEPS => "The leapfrog steps must be at least 1.\0",
            LCC_ERROR_INNER => "The inner transitions must be at least 1.\0",
            LCC_ERROR_TARGET_ACCEPT => "The target acceptance must lie strictly between 0 and 1.\0",
            LCC_ERROR_STEP_SIZE => "A step size or integration time must be positive and finite.\0",
            LCC_ERROR_SWITCH => "A switch must be 0 or 1.\0",
            LCC_ERROR_HYPERPARAMETER => "A prior's hyper-parameter is out of its range.\0",
            LCC_ERROR_PROBABILITY => "A probability must lie strictly between 0 and 1.\0",
            LCC_ERROR_TOO_FEW => "At least four draws per chain are needed.\0",
            LCC_ERROR_MASS => "The mass matrix is neither dense nor diagonal.\0",
            LCC_ERROR_START => "The density is not finite at a chain's starting point.\0",
            LCC_ERROR_STARTS => {
                "Starts need at least one step of optimisation, and to be a multiple of the lanes.\0"
            }
            LCC_ERROR_IMAGE_TRUNCATED => {
                "The image or checkpoint is shorter than its header says.\0"
            }
            LCC_ERROR_IMAGE_MAGIC => "These bytes are no image or checkpoint of LCC.\0",
            LCC_ERROR_IMAGE_NEWER => {
                "The image or checkpoint was written by a newer version of LCC.\0"
            }
            LCC_ERROR_IMAGE_CORRUPT => {
                "The image or checkpoint is damaged: its checksum does not match.\0"
            }
            LCC_ERROR_IMAGE_KIND => {
                "The checkpoint is of another kind of object or of the other precision, or from a machine of other byte order.\0"
            }
            LCC_ERROR_IMAGE_SHAPE => "The image describes an impossible or a different shape.\0",
            LCC_ERROR_INPUTS => {
                "The rows have another number of columns than the model has inputs.\0"
            }
            LCC_ERROR_IMAGE_VALUE => {
                "The image holds a value that is not finite or out of its range.\0"
            }
            LCC_ERROR_NO_GRADIENT => {
                "The method needs a gradient, and the density of your own computes none.\0"
            }
            LCC_ERROR_DIMENSION => "A density of your own has no coordinates, or too many.\0",
            LCC_ERROR_PAIRS => {
                "Antithetic pairs need an even number of chains; lcc_auto needs four or more.\0"
            }
            LCC_ERROR_REFERENCE => {
                "The reference is not known, or not one of this method: Student's t is of independence alone, \
                 methods on the l1 ball have none but the prior, SMC has the prior or a Gaussian.\0"
            }
            LCC_ERROR_NO_PILOT => "A fitted reference needs a pilot to be fitted to.\0",
            LCC_ERROR_PARTICLES => {
                "The particles must be two or more and a multiple of the lanes.\0"
            }
            LCC_ERROR_LADDER => {
                "The ladder is not known, or a number that it is made from is out of its range.\0"
            }
            LCC_ERROR_TEMPERATURES => {
                "Temperatures must be as many as said and increase from above 0 to 1.\0"
            }
            LCC_ERROR_MOVES => {
                "The number of transitions between temperatures or swaps is zero or too large.\0"
            }
            LCC_ERROR_STAGES => {
                "The adaptive ladder needs more temperatures than there is room for.\0"
            }
            LCC_ERROR_LEVELS => "The number of levels is zero or too large.\0",
            LCC_ERROR_REDUCED => "The reduced coupling needs a Gaussian prior.\0",
            LCC_ERROR_INNER_METHOD => {
                "The inner method must be known, exact, and not coupled itself.\0"
            }
            LCC_ERROR_NEEDS_BALL => "The method works on the l1 ball: it needs the l1 prior.\0",
            LCC_ERROR_SIGNED => "A neuron whose sign is summed out has no coupling.\0",
            LCC_ERROR_QUADRATIC => "The factor of the square must be finite and not negative.\0",
            LCC_ERROR_SHARE => "The share that each level takes of the fit must lie in (0, 1].\0",
            LCC_ERROR_HOLDOUT => {
                "The share of the rows held out must lie in [0, 1/2] and leave rows on both sides.\0"
            }
            LCC_ERROR_RIDGE => "The ridge must be finite and not negative.\0",
            LCC_ERROR_FORM => {
                "The form of the greedy posterior is neither the tilt nor the quadratic.\0"
            }
            LCC_ERROR_FORGETTING => "A forgetting must lie in (0, 1].\0",
            LCC_ERROR_ESS => {
                "The share of effective particles must lie strictly between 0 and 1.\0"
            }
            LCC_ERROR_NOISE => "The noise must be positive and finite.\0",
            LCC_ERROR_AVERAGING => "The averaging is neither printed, inclusive nor last.\0",
            LCC_ERROR_PARTS => {
                "The parts to join are of another run, leave chains out or stand at different iterations.\0"
            }
        }
    }
}

/// A sentence for any status, "not a status of LCC" for other numbers. Static storage, never NULL.
/// Thread-safe.
#[unsafe(no_mangle)]
pub extern "C" fn lcc_status_message(status: i32) -> *const c_char {
    let known = ALL.iter().find(|&&s| s as i32 == status);
    known.map_or("Not a status of LCC.\0", |s| s.sentence()).as_ptr().cast()
}
