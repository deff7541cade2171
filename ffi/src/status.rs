//! Statuses

use core::ffi::c_char;

/// The enum, and its values with their sentences.
macro_rules! table {
    ($($name:ident = $value:literal, $sentence:literal;)+) => {
        /// What a function returns, as an int32_t: 0 done, positive an outcome, negative an error.
        #[repr(i32)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum lcc_status {
            $(#[doc = $sentence] $name = $value,)+
        }

        /// The sentence of a status, zero-terminated.
        const fn sentence(status: i32) -> &'static str {
            match status {
                $($value => concat!($sentence, "\0"),)+
                _ => "Not a status of LCC.\0",
            }
        }
    };
}

table! {
    LCC_OK = 0, "Done.";
    LCC_RUNNING = 1, "The budget is used up and there is more to do: call again.";
    LCC_DONE = 2, "There is nothing more to do.";
    LCC_ERROR_NULL = -1, "A pointer that must not be NULL is.";
    LCC_ERROR_MISALIGNED = -2, "A pointer is not aligned for its type.";
    LCC_ERROR_STRUCT_SIZE = -3, "struct_size is smaller than the struct that this library knows: was it set by the default function?";
    LCC_ERROR_EMPTY = -4, "The data have no rows or no columns, or a list has no entries.";
    LCC_ERROR_OVERFLOW = -5, "A size does not fit in the address space, or the mean or the spread of a column or target not in this precision.";
    LCC_ERROR_NOT_FINITE_X = -6, "X holds a NaN, an infinity or a number so large that its prediction is none.";
    LCC_ERROR_NOT_FINITE_Y = -7, "y holds a NaN or an infinity; or a learner row by row is given a target too far out, beyond 1e9 sds (lcc_stream_) or 1e7 units (lcc_prequential_).";
    LCC_ERROR_CAPACITY = -8, "An output array is too short.";
    LCC_ERROR_MEMORY_SIZE = -9, "The memory is smaller than its size query says.";
    LCC_ERROR_MEMORY_ALIGN = -10, "The memory is not aligned to 16 bytes.";
    LCC_ERROR_HANDLE = -11, "The memory holds no object of this type and precision.";
    LCC_ERROR_DATA_CHANGED = -12, "The data or the problem are not those that the object was made with.";
    LCC_ERROR_NOT_DONE = -13, "The object has not drawn enough for this yet.";
    LCC_ERROR_NAME = -14, "The name is not known.";
    LCC_ERROR_INDEX = -15, "An index is out of range.";
    LCC_ERROR_NOT_FINITE_VALUE = -16, "A value given is NaN or infinite.";
    LCC_ERROR_CONSTANT_TARGET = -17, "All targets are equal: there is nothing to learn.";
    LCC_ERROR_POSTERIOR = -20, "The posterior is not known, or not one that this function serves.";
    LCC_ERROR_ACTIVATION = -21, "The activation is not one of the eleven.";
    LCC_ERROR_PRIOR = -22, "The prior is neither Gaussian nor the l1 ball.";
    LCC_ERROR_SCALE = -23, "A scale of the prior, a radius or a largest value must be positive and finite.";
    LCC_ERROR_ALPHA = -24, "alpha must be finite and not negative.";
    LCC_ERROR_BETA = -25, "beta must be positive and finite.";
    LCC_ERROR_OUTER = -26, "The outer weight must be positive and finite.";
    LCC_ERROR_NEURONS = -27, "The number of neurons must be at least 1, and the network must fit in memory.";
    LCC_ERROR_SIGNS = -28, "The signs are neither alternating nor positive.";
    LCC_ERROR_IMPROPER = -29, "The posterior may be improper: this activation outgrows the Gaussian prior (lower alpha or the scale), or a density of your own rises without end along a coordinate, as the negative of a log density does.";
    LCC_ERROR_NO_COUPLING = -30, "There is no coupling: the residual has no bound under this activation and prior. Several layers have one by coupled Gibbs on the l1 ball alone.";
    LCC_ERROR_METHOD = -31, "The sampling method is not known.";
    LCC_ERROR_COUPLING = -32, "The coupling is neither one-sided nor two-sided.";
    LCC_ERROR_CHAINS = -33, "The number of chains must be at least 1 (4 of a warm-up), and with the first one not too large.";
    LCC_ERROR_LANES = -34, "Lanes must be 1 or 8, and 8 take AVX2 or NEON.";
    LCC_ERROR_DRAWS = -35, "The number of draws must be at least 1 (8 of auto), and in thinning no more than there are.";
    LCC_ERROR_STORED = -36, "More draws are to be stored than drawn.";
    LCC_ERROR_KEEP = -37, "The draws kept per chain must be at least 1 and at most the draws.";
    LCC_ERROR_STEPS = -38, "The steps, of leapfrog or of an ascent, must be at least 1.";
    LCC_ERROR_INNER = -39, "The inner transitions must be at least 1.";
    LCC_ERROR_TARGET_ACCEPT = -40, "The target acceptance must lie strictly between 0 and 1.";
    LCC_ERROR_STEP_SIZE = -41, "A step size, its jitter or fall, an integration time or a share of short steps is out of its range.";
    LCC_ERROR_SWITCH = -42, "A switch must be 0 or 1 (standardise: 0 to 2).";
    LCC_ERROR_HYPERPARAMETER = -43, "A prior's hyper-parameter is out of its range.";
    LCC_ERROR_PROBABILITY = -44, "A probability must lie strictly between 0 and 1; those of classes in [0, 1], with a sum of 1.";
    LCC_ERROR_TOO_FEW = -45, "At least four draws per chain are needed.";
    LCC_ERROR_MASS = -46, "The mass matrix is neither dense nor diagonal.";
    LCC_ERROR_START = -47, "The density or its gradient is not finite at a chain's starting point.";
    LCC_ERROR_STARTS = -48, "Starts need at least one step of optimisation, and to be a multiple of the lanes.";
    LCC_ERROR_KINK = -49, "The activation has a kink: its curvature has no bound, and there is no coupling and no certificate.";
    LCC_ERROR_CONSTRAINT = -50, "A parameter's constraint is not known, its size zero or too large, or its bounds are impossible.";
    LCC_ERROR_SUPPORT = -51, "A value does not satisfy the constraint of its parameter.";
    LCC_ERROR_IMAGE_TRUNCATED = -60, "The image or checkpoint is shorter than its header says.";
    LCC_ERROR_IMAGE_MAGIC = -61, "These bytes are no image or checkpoint of LCC.";
    LCC_ERROR_IMAGE_NEWER = -62, "The image or checkpoint was written by a newer version of LCC, or is of a model that this build is without.";
    LCC_ERROR_IMAGE_CORRUPT = -63, "The image or checkpoint is damaged: its checksum does not match.";
    LCC_ERROR_IMAGE_KIND = -64, "The checkpoint is of another kind of object or of the other precision, or from a machine of other byte order.";
    LCC_ERROR_IMAGE_SHAPE = -65, "The image describes an impossible or a different shape.";
    LCC_ERROR_INPUTS = -66, "The rows have another number of columns than the model has inputs.";
    LCC_ERROR_IMAGE_VALUE = -67, "The image holds a value that is not finite or out of its range.";
    LCC_ERROR_NO_GRADIENT = -68, "The method needs a gradient, and the density of your own computes none.";
    LCC_ERROR_DIMENSION = -69, "A density of your own has no coordinates, or too many.";
    LCC_ERROR_PAIRS = -70, "Antithetic pairs need an even number of chains; lcc_auto needs four or more.";
    LCC_ERROR_REFERENCE = -71, "The reference is not known, or not one of this method: Student's t is of independence alone, methods on the l1 ball or over layers have none but the prior, SMC has the prior or a Gaussian.";
    LCC_ERROR_NO_PILOT = -72, "A fitted reference needs a pilot to be fitted to.";
    LCC_ERROR_PARTICLES = -73, "The particles must be two or more and a multiple of the lanes.";
    LCC_ERROR_LADDER = -74, "The ladder is not known, or a number that it is made from is out of its range; or the first Gaussian of a cooling is too wide for the likelihood.";
    LCC_ERROR_TEMPERATURES = -75, "Temperatures must be as many as said and increase from above 0 to 1.";
    LCC_ERROR_MOVES = -76, "The number of transitions between temperatures or swaps is zero or too large.";
    LCC_ERROR_STAGES = -77, "The adaptive ladder needs more temperatures than there is room for: the scales of the parameters are far apart, or the density is improper.";
    LCC_ERROR_LEVELS = -78, "The number of levels is zero or too large.";
    LCC_ERROR_REDUCED = -79, "The reduced coupling needs a Gaussian prior.";
    LCC_ERROR_INNER_METHOD = -80, "The inner method must be known, exact, and not coupled itself.";
    LCC_ERROR_NEEDS_BALL = -81, "The method works on the l1 ball: it needs the l1 prior.";
    LCC_ERROR_SIGNED = -82, "A neuron whose sign is summed out has no coupling.";
    LCC_ERROR_QUADRATIC = -83, "The factor of the square must be finite and not negative.";
    LCC_ERROR_SHARE = -84, "The share that each level takes of the fit must lie in (0, 1].";
    LCC_ERROR_HOLDOUT = -85, "The share of the rows held out must lie in [0, 1/2] and leave rows on both sides.";
    LCC_ERROR_RIDGE = -86, "The ridge must be finite and not negative.";
    LCC_ERROR_FORM = -87, "The form of the greedy posterior is neither the tilt nor the quadratic.";
    LCC_ERROR_FORGETTING = -88, "A forgetting must lie in (0, 1].";
    LCC_ERROR_ESS = -89, "The share of effective particles must lie strictly between 0 and 1.";
    LCC_ERROR_NOISE = -90, "The noise must be positive and finite.";
    LCC_ERROR_AVERAGING = -91, "The averaging is neither printed, inclusive nor last.";
    LCC_ERROR_PARTS = -92, "The parts to join are of another run, leave chains out or stand at different iterations.";
    LCC_ERROR_OUTPUT = -93, "The output is not known, or not what this function serves.";
    LCC_ERROR_SCALES = -94, "The scales of the prior are not known.";
    LCC_ERROR_TARGET = -95, "A target is no value that the output can have: a class, a count (whole, below 2^24 in single precision, 2^53 in double), a positive number (log-normal, gamma; with a hurdle 0 too); or an exposure is not positive.";
    LCC_ERROR_LAYERS = -96, "The layers, classes or columns of the network are out of range, or an exposure is of no count.";
    LCC_ERROR_SEPARABLE = -97, "The likelihood has no maximum: a combination of the inputs separates classes, or zeros from counts, or counts spread no more than Poisson's.";
    LCC_ERROR_SINGULAR = -98, "The curvature is not positive definite: data and prior leave a direction open (without a prior, fewer rows than weights), or the ascent ended before a mode.";
    LCC_ERROR_BATCH = -99, "A minibatch has more rows than the data, or this library has no minibatches.";
    LCC_ERROR_RANK = -100, "Each gradient needs a pair of normals or more, and a low rank 1 to 64 columns.";
    LCC_ERROR_PENALTY = -101, "The penalty is not known, there is no minibatch, or one alone is to tell its variance.";
    LCC_ERROR_STREAM_MODEL = -102, "A stream follows models of one hidden layer, with inputs on the output directly, and Student-t or Gaussian noise.";
    LCC_ERROR_STOPPED = -103, "The run was stopped, or took all the gradients that it may, before there were draws.";
    LCC_ERROR_GRADIENT = -104, "The gradient of the density of your own is not its derivative: lcc_auto_report and lcc_density_check say where.";
    LCC_ERROR_OPTIMISER = -105, "The optimiser is not known, or sgd for another method than map and maximum-likelihood.";
    LCC_ERROR_DIVERGED = -106, "Stochastic gradients ran away: take a smaller step size (rate, step), or a larger delay.";
    LCC_ERROR_WEIGHTS = -107, "A weight is negative or not finite, or their sum is zero or out of range.";
    LCC_ERROR_OVERLAP = -108, "What is written overlaps what it is made from: they must lie apart.";
}

impl From<()> for lcc_status {
    fn from((): ()) -> Self {
        Self::LCC_OK
    }
}

/// A sentence for any status, "not a status of LCC" for other numbers. Static storage, never NULL.
/// Thread-safe.
#[unsafe(no_mangle)]
pub extern "C" fn lcc_status_message(status: i32) -> *const c_char {
    sentence(status).as_ptr().cast()
}
