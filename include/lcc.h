/*
 * LCC: log-concave coupling. Samples the posteriors of neural networks and
 * predicts with them. Generated from the Rust sources of the C ABI: do not edit.
 *
 * Here are the conventions and what has no precision; <lcc/f64.h> is the manual of the rest; <lcc/f32.h> has the
 * same in single precision. Including this file includes them.
 *
 * CONVENTIONS
 *
 * Names       lcc_<type>_<verb>, and _f32 or _f64 for what depends on the precision. Both precisions
 *             are in one library; functions ending in _f32 compute in float alone.
 * Arguments   First the handle or the object acted on, then what it is made from, a length after its
 *             array, outputs last. Nothing is both input and output, except where it says so.
 *             What is said of an argument is its shape, unit, range and scratch; the rest goes without: options
 *             and problem say what to do and what to sample, data are the ones that the handle was made with,
 *             indices count from 0, the length behind an array is what there is or is room for, seed names the
 *             random numbers, scratch in bytes is aligned to 16, an output is not NULL.
 * Status      Fallible functions return int32_t: 0 (LCC_OK) done, positive an outcome (LCC_RUNNING,
 *             LCC_DONE), negative an error. lcc_status_message() has a sentence for each. Outputs
 *             are written only on success. @return names what is peculiar to a function; any returns as well what is
 *             wrong with its arguments: LCC_ERROR_NULL, _MISALIGNED, _STRUCT_SIZE, _HANDLE, _OVERFLOW, _EMPTY,
 *             _NOT_FINITE_X, _NOT_FINITE_Y, _INPUTS, _INDEX, _CAPACITY (an output array is too short), _MEMORY_SIZE
 *             and _MEMORY_ALIGN (memory or scratch), _DATA_CHANGED, and one for each field of options and problem.
 * Memory      The library never allocates. An object lives in one block of the caller's:
 *             lcc_<type>_size_*() says how many bytes, lcc_<type>_init_*() builds it there. The block
 *             must be aligned to 16 bytes, as malloc's are. It holds no pointers: it may be copied
 *             or moved byte by byte, and the copy used as a handle. Nothing needs to be freed.
 * Models      What is fitted writes its model, which every lcc_model_ function reads, into
 *             lcc_<type>_model_size_*() bytes of any alignment, and says how many it took.
 * Data        X and y stay the caller's and are handed in at each call, in any layout (strides).
 *             Handles remember shape and a hash of their data and refuse others.
 * Objects     lcc_sampler_*, lcc_smc_*, lcc_tempering_*, lcc_auto_*, lcc_network_*, lcc_greedy_*, lcc_relaxed_*,
 *             lcc_prequential_*, lcc_stream_*, lcc_window_*, lcc_vae_*: each has its own size, init and step (or observe,
 *             push). Whatever the type, lcc_read_progress() says where it is, lcc_checkpoint() seals it,
 *             lcc_restore() makes a handle of that, of which lcc_read_type() is the type; of the first four
 *             lcc_read_draws_*(), lcc_read_trace_*() and lcc_read_output_*() view what they have drawn. A handle
 *             of another type or precision than a function is of is refused: LCC_ERROR_HANDLE.
 * Stepping    lcc_<type>_step_*(handle, ..., budget) works until the budget is used up and returns
 *             LCC_RUNNING or LCC_DONE. The unit of the budget is one row of data visited by one chain (particle,
 *             start), of a log density of your own one evaluation; any positive budget advances.
 *             A call may overshoot by one transition of one block of chains. Each call that is handed the data
 *             also reads them once to know them again, so give it many times n. However the work is cut into
 *             steps, the results are the same bits. To cancel, stop calling.
 * Bits        The same seed gives the same bits on every machine, for every lane count, SIMD
 *             instruction set and build. The default floating-point environment is required (round
 *             to nearest, no flushing to zero).
 * Structs     Options start with struct_size, set by lcc_<type>_default_*(), which writes real default
 *             values: zero is a value, and mostly an invalid one. A library accepts structs at least as
 *             long as it knows.
 * Threads     No globals, environment, clock, I/O or errno, except that the CPU's instruction sets are looked
 *             up once. Through a pointer to const, calls may run at the same time; otherwise a
 *             handle belongs to one call at a time; distinct handles are independent. Every function is
 *             reentrant, needs no critical section, and may be called from an interrupt that does not share
 *             its handle.
 * Strings     Static, zero-terminated UTF-8, never NULL unless a function says so.
 */
#ifndef LCC_H
#define LCC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** This header's version. */
#define LCC_VERSION "0.2.0"
#define LCC_VERSION_MAJOR 0
#define LCC_VERSION_MINOR 2
#define LCC_VERSION_PATCH 0
#define LCC_VERSION_NUMBER 2000 /**< major * 1000000 + minor * 1000 + patch */

#ifdef __cplusplus
extern "C" {
#endif

/* ==== Versions and capabilities ======================================================================= */

#define LCC_ABI_VERSION 1 /**< The ABI that this header describes. */
#define LCC_CAPABILITY_F32 1 /**< Bit of `lcc_capabilities`: the functions ending in _f32 are there. */
#define LCC_CAPABILITY_F64 2 /**< Bit of `lcc_capabilities`: the functions ending in _f64 are there. */
/** Bit of `lcc_capabilities`: this CPU runs blocks of chains with AVX2 (never with other results). */
#define LCC_CAPABILITY_AVX2 4
#define LCC_CAPABILITY_AVX512 8 /**< Bit of `lcc_capabilities`: and with AVX-512 where that is faster. */
/** Bit of `lcc_capabilities`: options may ask for 8 lanes. A CPU without registers for them (AVX2, NEON)
 *  has none of them, nor a build for microcontrollers: options default to 1 lane there, with the same
 *  numbers. */
#define LCC_CAPABILITY_LANES 16
/** Bit of `lcc_capabilities`: lcc_model_ functions read models of any depth and output; without, those
 *  that predict numbers read models of one hidden layer and Student-t noise alone, as in a build for
 *  microcontrollers. */
#define LCC_CAPABILITY_NETWORKS 32

/** The library's version, e.g. "1.2.3": `LCC_VERSION` of the header that it was built with.
 *  Static storage. Thread-safe. */
const char *lcc_version(void);

/** The library's version as a number, major * 1000000 + minor * 1000 + patch: compare with
 *  `LCC_VERSION_NUMBER` to see whether header and library belong together. */
uint32_t lcc_version_number(void);

/** The ABI's number: it changes when a struct, a signature or the meaning of a value does. A caller
 *  whose `LCC_ABI_VERSION` differs must not use the library. */
uint32_t lcc_abi_version(void);

/** What this library can do on this CPU: a sum of `LCC_CAPABILITY_` bits. Thread-safe. */
uint64_t lcc_capabilities(void);

/** Where a struct's members lie in this library: for hosts that mirror its structs in place of reading
 *  this header, to be asked once at load. Thread-safe.
 *
 *  @param name    of a struct, e.g. "lcc_data_f64", zero-terminated
 *  @param member  of its member, e.g. "row_stride"; NULL: the struct itself
 *  @param offset  out: the member's, in bytes; 0 for the struct itself
 *  @param bytes   out: the size of the member or of the struct
 *  @return LCC_ERROR_NAME */
int32_t lcc_layout(const char *name, const char *member, size_t *offset, size_t *bytes);

/* ==== Statuses ======================================================================================== */

/** What a function returns, as an int32_t: 0 done, positive an outcome, negative an error. */
enum lcc_status {
    LCC_OK = 0, /**< Done. */
    LCC_RUNNING = 1, /**< The budget is used up and there is more to do: call again. */
    LCC_DONE = 2, /**< There is nothing more to do. */
    LCC_ERROR_NULL = -1, /**< A pointer that must not be NULL is. */
    LCC_ERROR_MISALIGNED = -2, /**< A pointer is not aligned for its type. */
    /** struct_size is smaller than the struct that this library knows: was it set by the default function? */
    LCC_ERROR_STRUCT_SIZE = -3,
    LCC_ERROR_EMPTY = -4, /**< The data have no rows or no columns, or a list has no entries. */
    /** A size does not fit in the address space, or the mean or the spread of a column or target not in
     *  this precision. */
    LCC_ERROR_OVERFLOW = -5,
    /** X holds a NaN, an infinity or a number so large that its prediction is none. */
    LCC_ERROR_NOT_FINITE_X = -6,
    /** y holds a NaN or an infinity; or a learner row by row is given a target too far out, beyond 1e9 sds
     *  (lcc_stream_) or 1e7 units (lcc_prequential_). */
    LCC_ERROR_NOT_FINITE_Y = -7,
    LCC_ERROR_CAPACITY = -8, /**< An output array is too short. */
    LCC_ERROR_MEMORY_SIZE = -9, /**< The memory is smaller than its size query says. */
    LCC_ERROR_MEMORY_ALIGN = -10, /**< The memory is not aligned to 16 bytes. */
    LCC_ERROR_HANDLE = -11, /**< The memory holds no object of this type and precision. */
    LCC_ERROR_DATA_CHANGED = -12, /**< The data or the problem are not those that the object was made with. */
    LCC_ERROR_NOT_DONE = -13, /**< The object has not drawn enough for this yet. */
    LCC_ERROR_NAME = -14, /**< The name is not known. */
    LCC_ERROR_INDEX = -15, /**< An index is out of range. */
    LCC_ERROR_NOT_FINITE_VALUE = -16, /**< A value given is NaN or infinite. */
    LCC_ERROR_CONSTANT_TARGET = -17, /**< All targets are equal: there is nothing to learn. */
    LCC_ERROR_POSTERIOR = -20, /**< The posterior is not known, or not one that this function serves. */
    LCC_ERROR_ACTIVATION = -21, /**< The activation is not one of the eleven. */
    LCC_ERROR_PRIOR = -22, /**< The prior is neither Gaussian nor the l1 ball. */
    /** A scale of the prior, a radius or a largest value must be positive and finite. */
    LCC_ERROR_SCALE = -23,
    LCC_ERROR_ALPHA = -24, /**< alpha must be finite and not negative. */
    LCC_ERROR_BETA = -25, /**< beta must be positive and finite. */
    LCC_ERROR_OUTER = -26, /**< The outer weight must be positive and finite. */
    /** The number of neurons must be at least 1, and the network must fit in memory. */
    LCC_ERROR_NEURONS = -27,
    LCC_ERROR_SIGNS = -28, /**< The signs are neither alternating nor positive. */
    /** The posterior may be improper: this activation outgrows the Gaussian prior (lower alpha or the
     *  scale), or a density of your own rises without end along a coordinate, as the negative of a log
     *  density does. */
    LCC_ERROR_IMPROPER = -29,
    /** There is no coupling: the residual has no bound under this activation and prior. Several layers
     *  have one by coupled Gibbs on the l1 ball alone. */
    LCC_ERROR_NO_COUPLING = -30,
    LCC_ERROR_METHOD = -31, /**< The sampling method is not known. */
    LCC_ERROR_COUPLING = -32, /**< The coupling is neither one-sided nor two-sided. */
    /** The number of chains must be at least 1 (4 of a warm-up), and with the first one not too large. */
    LCC_ERROR_CHAINS = -33,
    LCC_ERROR_LANES = -34, /**< Lanes must be 1 or 8, and 8 take AVX2 or NEON. */
    /** The number of draws must be at least 1 (8 of auto), and in thinning no more than there are. */
    LCC_ERROR_DRAWS = -35,
    LCC_ERROR_STORED = -36, /**< More draws are to be stored than drawn. */
    LCC_ERROR_KEEP = -37, /**< The draws kept per chain must be at least 1 and at most the draws. */
    LCC_ERROR_STEPS = -38, /**< The steps, of leapfrog or of an ascent, must be at least 1. */
    LCC_ERROR_INNER = -39, /**< The inner transitions must be at least 1. */
    LCC_ERROR_TARGET_ACCEPT = -40, /**< The target acceptance must lie strictly between 0 and 1. */
    /** A step size, its jitter or fall, an integration time or a share of short steps is out of its range. */
    LCC_ERROR_STEP_SIZE = -41,
    LCC_ERROR_SWITCH = -42, /**< A switch must be 0 or 1 (standardise: 0 to 2). */
    LCC_ERROR_HYPERPARAMETER = -43, /**< A prior's hyper-parameter is out of its range. */
    /** A probability must lie strictly between 0 and 1; those of classes in [0, 1], with a sum of 1. */
    LCC_ERROR_PROBABILITY = -44,
    LCC_ERROR_TOO_FEW = -45, /**< At least four draws per chain are needed. */
    LCC_ERROR_MASS = -46, /**< The mass matrix is neither dense nor diagonal. */
    LCC_ERROR_START = -47, /**< The density or its gradient is not finite at a chain's starting point. */
    /** Starts need at least one step of optimisation, and to be a multiple of the lanes. */
    LCC_ERROR_STARTS = -48,
    /** The activation has a kink: its curvature has no bound, and there is no coupling and no certificate. */
    LCC_ERROR_KINK = -49,
    /** A parameter's constraint is not known, its size zero or too large, or its bounds are impossible. */
    LCC_ERROR_CONSTRAINT = -50,
    LCC_ERROR_SUPPORT = -51, /**< A value does not satisfy the constraint of its parameter. */
    LCC_ERROR_IMAGE_TRUNCATED = -60, /**< The image or checkpoint is shorter than its header says. */
    LCC_ERROR_IMAGE_MAGIC = -61, /**< These bytes are no image or checkpoint of LCC. */
    /** The image or checkpoint was written by a newer version of LCC, or is of a model that this build is
     *  without. */
    LCC_ERROR_IMAGE_NEWER = -62,
    LCC_ERROR_IMAGE_CORRUPT = -63, /**< The image or checkpoint is damaged: its checksum does not match. */
    /** The checkpoint is of another kind of object or of the other precision, or from a machine of other
     *  byte order. */
    LCC_ERROR_IMAGE_KIND = -64,
    LCC_ERROR_IMAGE_SHAPE = -65, /**< The image describes an impossible or a different shape. */
    LCC_ERROR_INPUTS = -66, /**< The rows have another number of columns than the model has inputs. */
    LCC_ERROR_IMAGE_VALUE = -67, /**< The image holds a value that is not finite or out of its range. */
    /** The method needs a gradient, and the density of your own computes none. */
    LCC_ERROR_NO_GRADIENT = -68,
    LCC_ERROR_DIMENSION = -69, /**< A density of your own has no coordinates, or too many. */
    /** Antithetic pairs need an even number of chains; lcc_auto needs four or more. */
    LCC_ERROR_PAIRS = -70,
    /** The reference is not known, or not one of this method: Student's t is of independence alone,
     *  methods on the l1 ball or over layers have none but the prior, SMC has the prior or a Gaussian. */
    LCC_ERROR_REFERENCE = -71,
    LCC_ERROR_NO_PILOT = -72, /**< A fitted reference needs a pilot to be fitted to. */
    LCC_ERROR_PARTICLES = -73, /**< The particles must be two or more and a multiple of the lanes. */
    /** The ladder is not known, or a number that it is made from is out of its range; or the first
     *  Gaussian of a cooling is too wide for the likelihood. */
    LCC_ERROR_LADDER = -74,
    LCC_ERROR_TEMPERATURES = -75, /**< Temperatures must be as many as said and increase from above 0 to 1. */
    /** The number of transitions between temperatures or swaps is zero or too large. */
    LCC_ERROR_MOVES = -76,
    /** The adaptive ladder needs more temperatures than there is room for: the scales of the parameters
     *  are far apart, or the density is improper. */
    LCC_ERROR_STAGES = -77,
    LCC_ERROR_LEVELS = -78, /**< The number of levels is zero or too large. */
    LCC_ERROR_REDUCED = -79, /**< The reduced coupling needs a Gaussian prior. */
    LCC_ERROR_INNER_METHOD = -80, /**< The inner method must be known, exact, and not coupled itself. */
    LCC_ERROR_NEEDS_BALL = -81, /**< The method works on the l1 ball: it needs the l1 prior. */
    LCC_ERROR_SIGNED = -82, /**< A neuron whose sign is summed out has no coupling. */
    LCC_ERROR_QUADRATIC = -83, /**< The factor of the square must be finite and not negative. */
    LCC_ERROR_SHARE = -84, /**< The share that each level takes of the fit must lie in (0, 1]. */
    /** The share of the rows held out must lie in [0, 1/2] and leave rows on both sides. */
    LCC_ERROR_HOLDOUT = -85,
    LCC_ERROR_RIDGE = -86, /**< The ridge must be finite and not negative. */
    LCC_ERROR_FORM = -87, /**< The form of the greedy posterior is neither the tilt nor the quadratic. */
    LCC_ERROR_FORGETTING = -88, /**< A forgetting must lie in (0, 1]. */
    LCC_ERROR_ESS = -89, /**< The share of effective particles must lie strictly between 0 and 1. */
    LCC_ERROR_NOISE = -90, /**< The noise must be positive and finite. */
    LCC_ERROR_AVERAGING = -91, /**< The averaging is neither printed, inclusive nor last. */
    /** The parts to join are of another run, leave chains out or stand at different iterations. */
    LCC_ERROR_PARTS = -92,
    LCC_ERROR_OUTPUT = -93, /**< The output is not known, or not what this function serves. */
    LCC_ERROR_SCALES = -94, /**< The scales of the prior are not known. */
    /** A target is no value that the output can have: a class, a count (whole, below 2^24 in single
     *  precision, 2^53 in double), a positive number (log-normal, gamma; with a hurdle 0 too); or an
     *  exposure is not positive. */
    LCC_ERROR_TARGET = -95,
    /** The layers, classes or columns of the network are out of range, or an exposure is of no count. */
    LCC_ERROR_LAYERS = -96,
    /** The likelihood has no maximum: a combination of the inputs separates classes, or zeros from counts,
     *  or counts spread no more than Poisson's. */
    LCC_ERROR_SEPARABLE = -97,
    /** The curvature is not positive definite: data and prior leave a direction open (without a prior,
     *  fewer rows than weights), or the ascent ended before a mode. */
    LCC_ERROR_SINGULAR = -98,
    /** A minibatch has more rows than the data, or this library has no minibatches. */
    LCC_ERROR_BATCH = -99,
    /** Each gradient needs a pair of normals or more, and a low rank 1 to 64 columns. */
    LCC_ERROR_RANK = -100,
    /** The penalty is not known, there is no minibatch, or one alone is to tell its variance. */
    LCC_ERROR_PENALTY = -101,
    /** A stream follows models of one hidden layer, with inputs on the output directly, and Student-t or
     *  Gaussian noise. */
    LCC_ERROR_STREAM_MODEL = -102,
    /** The run was stopped, or took all the gradients that it may, before there were draws. */
    LCC_ERROR_STOPPED = -103,
    /** The gradient of the density of your own is not its derivative: lcc_auto_report and
     *  lcc_density_check say where. */
    LCC_ERROR_GRADIENT = -104,
    /** The optimiser is not known, or sgd for another method than map and maximum-likelihood. */
    LCC_ERROR_OPTIMISER = -105,
    /** Stochastic gradients ran away: take a smaller step size (rate, step), or a larger delay. */
    LCC_ERROR_DIVERGED = -106,
    /** A weight is negative or not finite, or their sum is zero or out of range. */
    LCC_ERROR_WEIGHTS = -107,
    LCC_ERROR_OVERLAP = -108, /**< What is written overlaps what it is made from: they must lie apart. */
};

/** A sentence for any status, "not a status of LCC" for other numbers. Static storage, never NULL.
 *  Thread-safe. */
const char *lcc_status_message(int32_t status);

/* ==== Objects: what every handle can do =============================================================== */

/** Where an object is. */
typedef struct {
    uint64_t done; /**< Units of work done ... */
    /** ... of this many; 0 where there is no end, and of an adaptive ladder the most there is room for
     *  until it is climbed. */
    uint64_t total;
    uint64_t draws; /**< Draws that every chain has made, of lcc_bnn every chain that is at its end. */
    uint64_t gradients; /**< Evaluations of the gradient so far, summed over chains. */
    uint32_t warming; /**< 1 before the first draw: starting and adapting. */
    uint32_t reserved; /**< Must be ignored. */
} lcc_progress;

/** The type of a handle, e.g. "lcc_network_f64": of what came from a checkpoint, say. NULL where there is none.
 *  Static storage. */
const char *lcc_read_type(const void *handle);

/** Where an object is. */
int32_t lcc_read_progress(const void *handle, lcc_progress *progress);

/** The bytes of a checkpoint. */
int32_t lcc_checkpoint_size(const void *handle, size_t *bytes);

/** Seals a copy of an object, with a checksum: lcc_restore makes a handle of it, which goes on with the bits
 *  that running on would have given. For this version of LCC and machines of this byte order.
 *
 *  @param checkpoint  out: lcc_checkpoint_size bytes, of any alignment, apart from the handle
 *  @return LCC_ERROR_OVERLAP */
int32_t lcc_checkpoint(const void *handle, uint8_t *checkpoint, size_t bytes);

/** Builds a handle from a checkpoint, in as much memory as the one that was sealed: of the type of that one
 *  (lcc_read_type), so that functions of another type return LCC_ERROR_HANDLE.
 *
 *  @param memory  aligned to 16, apart from the checkpoint; the handle, once this returns LCC_OK
 *  @return LCC_ERROR_IMAGE_TRUNCATED, _MAGIC, _NEWER, _CORRUPT, _KIND (of a machine of the other byte
 *          order), LCC_ERROR_OVERLAP */
int32_t lcc_restore(void *memory, size_t bytes, const uint8_t *checkpoint, size_t length);

/** Goes on from a checkpoint: a handle that an _init_ function made takes over what was sealed, if that was made
 *  with the same options, for as many rows and columns. (lcc_restore takes whatever was sealed: this is for
 *  whoever knows what it should be.) Take a step of budget 0 next: it compares the data, and where the object is
 *  is written down anew, for of a forged checkpoint lcc_read_progress might say anything.
 *
 *  @param handle  not of lcc_restore; on an error unchanged; apart from the checkpoint
 *  @return as lcc_restore; LCC_ERROR_IMAGE_SHAPE (what was sealed was made otherwise) */
int32_t lcc_resume(void *handle, const uint8_t *checkpoint, size_t length);

/* ==== Names =========================================================================================== */

#define LCC_REMARK_FAR 0 /**< A column of X has a few values far from all others. */
#define LCC_REMARK_REPEATED 1 /**< The target is one number in many rows. */
#define LCC_REMARK_COUNTS 2 /**< A column of X grows by whole numbers from row to row. */
#define LCC_REMARK_WIDE 3 /**< There are more inputs than rows. */
#define LCC_REMARK_CONSTANT 4 /**< Columns of X have the same value in all rows. */
#define LCC_REMARK_DATES 5 /**< A column of X has dates of eight digits. */
#define LCC_REMARK_TOTALS 6 /**< A row has the sums of all others. */
#define LCC_REMARK_FEW 7 /**< There are few rows. */
#define LCC_REMARK_COPIES 8 /**< Rows are there more than once. */
#define LCC_REMARK_SAME 9 /**< A column of X is the target in many rows, and not in the others. */
#define LCC_ACTIVATION_TANH 0 /**< tanh(z) */
#define LCC_ACTIVATION_LOGISTIC 1 /**< 1 / (1 + exp(-z)) */
#define LCC_ACTIVATION_SOFTPLUS 2 /**< log(1 + exp(z)) */
/** max(z, 0)^2 / 2; V is half as large where a network is written in max(z, 0)^2 */
#define LCC_ACTIVATION_SQUARED_RELU 3
#define LCC_ACTIVATION_ERF 4 /**< erf(z) */
#define LCC_ACTIVATION_SINE 5 /**< sin(z) */
#define LCC_ACTIVATION_GAUSSIAN_BUMP 6 /**< exp(-z^2 / 2) */
#define LCC_ACTIVATION_GELU 7 /**< z Phi(z), Phi the standard normal distribution function */
#define LCC_ACTIVATION_SILU 8 /**< z / (1 + exp(-z)) */
#define LCC_ACTIVATION_ARCTAN 9 /**< arctan(z) */
/** max(z, 0): no coupling and no certificate, for its curvature has no bound. */
#define LCC_ACTIVATION_RELU 10
#define LCC_METHOD_SPLIT_HMC 0 /**< HMC with exact rotations under the Gaussian reference. */
#define LCC_METHOD_GIBBS 1 /**< xi given w, then w given xi: exact, and log-concave inside. */
/** Langevin on the score of p(xi) with an inner chain: biased in its step and inner length. */
#define LCC_METHOD_XI_LANGEVIN 2
/** HMC by leapfrog steps of the whole log density: exact; split HMC is mostly the better. */
#define LCC_METHOD_HMC 3
/** Metropolis-adjusted Langevin, HMC of one step adapted to acceptance .574: exact, a cheap iteration. */
#define LCC_METHOD_MALA 4
#define LCC_METHOD_LANGEVIN 5 /**< Unadjusted Langevin: biased in its step. */
/** Random-walk Metropolis, adapted to acceptance .234: exact, no gradients, slow in many dimensions. */
#define LCC_METHOD_RANDOM_WALK 6
/** Metropolis with proposals from the prior: exact, no gradients, for posteriors close to the prior. */
#define LCC_METHOD_INDEPENDENCE 7
/** From noise to data along the laws of the noised xi: biased in its levels and inner length. */
#define LCC_METHOD_REVERSE_DIFFUSION 8
/** Random lines through w in the l1 ball, needing the l1 prior as all below: exact, no gradients, no step
 *  size; exact draws along lines for squared ReLU. */
#define LCC_METHOD_HIT_AND_RUN 9
/** The same along the coordinates, all of them in an iteration. */
#define LCC_METHOD_COORDINATE_HIT_AND_RUN 10
/** Metropolis with uniform steps in a Euclidean ball: exact, no gradients, for comparisons. */
#define LCC_METHOD_BALL_WALK 11
/** Metropolis with Gaussian steps in the metric of a barrier: exact, no gradients, for densities that fill
 *  the l1 ball. */
#define LCC_METHOD_DIKIN 12
/** Metropolis-adjusted Langevin in the dual coordinates of the same barrier: exact. */
#define LCC_METHOD_MIRROR_LANGEVIN 13
#define LCC_METHOD_REFLECTION 14 /**< HMC with reflection at the facets of the l1 ball: exact. */
/** Reverse diffusion whose every iteration begins from N(0, I): biased in its start, which no number of
 *  levels or steps mends. */
#define LCC_METHOD_DIFFUSION_FROM_NOISE 15
/** Langevin on the score of p(xi), adjusted by Metropolis' rule with an estimated ratio and a penalty for
 *  its noise: not biased in its step. */
#define LCC_METHOD_XI_MALA 16
/** HMC in the metric of the l1 ball's barrier, its steps checked to be reversible: exact, for comparisons. */
#define LCC_METHOD_RIEMANNIAN 17
#define LCC_OUTPUT_STUDENT_T 0 /**< y = o + sigma t_nu. */
#define LCC_OUTPUT_GAUSSIAN 1 /**< y ~ N(o, sigma^2). */
#define LCC_OUTPUT_MEAN_VARIANCE 2 /**< y ~ N(o1, exp(o2) + floor^2). */
#define LCC_OUTPUT_MIXTURE 3 /**< A mixture of K Gaussians: K logits, K means, K logarithms of variances. */
#define LCC_OUTPUT_BERNOULLI 4 /**< y is 0 or 1, P(1) = 1 / (1 + exp(-o)). */
#define LCC_OUTPUT_SOFTMAX 5 /**< y is a class 0 to K - 1, P(k) ~ exp(o_k). */
#define LCC_OUTPUT_POISSON 6 /**< y is a count of mean exp(o) times exposure. */
#define LCC_OUTPUT_NEGATIVE_BINOMIAL 7 /**< y is a count of the same mean m and of variance m + m^2 / r. */
/** y is a class 0 to K - 1 in order, P(y <= k) = 1 / (1 + exp(o - c_k)), c increasing. */
#define LCC_OUTPUT_ORDINAL 8
#define LCC_OUTPUT_LOG_NORMAL 9 /**< y is a positive number, ln y ~ N(o_0, exp(o_1) + floor^2). */
/** y is 0 with probability 1 / (1 + exp(o_0)), else positive, ln y ~ N(o_1, exp(o_2) + floor^2). */
#define LCC_OUTPUT_HURDLE_LOG_NORMAL 10
/** y is a positive number, Gamma of mean exp(o_0) and squared coefficient of variation exp(o_1) + floor^2. */
#define LCC_OUTPUT_GAMMA 11
/** y is 0 with probability 1 / (1 + exp(o_0)), else such a number by o_1 and o_2. */
#define LCC_OUTPUT_HURDLE_GAMMA 12
/** A scale for each input (automatic relevance), for each layer above and its biases, for the outputs and
 *  the direct part: sampled. */
#define LCC_SCALES_INPUTS 0
#define LCC_SCALES_LAYERS 1 /**< The same with one for all inputs. */
#define LCC_SCALES_KNOWN 2 /**< One a layer, known. */
#define LCC_REFERENCE_PRIOR 0 /**< The prior. */
/** A Gaussian fitted to a pilot, of SMC to its own particles: for posteriors far from the prior. */
#define LCC_REFERENCE_GAUSSIAN 1
/** Student's t with 8 degrees of freedom about the same fit: independence Metropolis only. */
#define LCC_REFERENCE_STUDENT_T 2
/** A mixture of Student's t fitted to clusters of a pilot, which goes from mode to mode: independence
 *  Metropolis only. */
#define LCC_REFERENCE_MIXTURE 3

/** The code of an activation's name: tanh logistic softplus squared_relu erf sine gaussian_bump gelu
 *  silu arctan relu.
 *
 *  @param activation  out: an LCC_ACTIVATION_ code
 *  @return LCC_ERROR_NAME */
int32_t lcc_activation_from_name(const char *name, int32_t *activation);

/** The sentence of a remark (lcc_data_remarks_f64), after the name of its column, of the target, of its row, or "there are";
 *  NULL past the last.
 *
 *  @param remark  an LCC_REMARK_ code */
const char *lcc_remark_message(int32_t remark);

/** The name of an activation; NULL past the last, so that a loop from 0 lists them.
 *
 *  @param activation  an LCC_ACTIVATION_ code */
const char *lcc_activation_name(int32_t activation);

/** The code of a sampling method's name: split-hmc gibbs xi-langevin hmc mala langevin random-walk
 *  independence reverse-diffusion hit-and-run coordinate-hit-and-run ball-walk dikin mirror-langevin
 *  reflection diffusion-from-noise xi-mala riemannian.
 *
 *  @param method  out: an LCC_METHOD_ code
 *  @return LCC_ERROR_NAME */
int32_t lcc_method_from_name(const char *name, int32_t *method);

/** The name of a sampling method; NULL past the last, so that a loop from 0 lists them.
 *
 *  @param method  an LCC_METHOD_ code */
const char *lcc_method_name(int32_t method);

/** What law the draws of a sampling method have, in a line: "the posterior" where that is all. NULL past the last.
 *
 *  @param method  an LCC_METHOD_ code */
const char *lcc_method_law(int32_t method);

/** Whether a sampling method reads the member of lcc_sampler_options_f64 that has this name, as "langevin_step": another
 *  would change nothing, and hosts refuse it.
 *
 *  @param method  an LCC_METHOD_ code
 *  @param member  zero-terminated
 *  @param reads   out: 1 or 0; 1 of a member that no method is peculiar in, and of a name that is none
 *  @return LCC_ERROR_METHOD, LCC_ERROR_NAME: more than 31 bytes */
int32_t lcc_method_reads(int32_t method, const char *member, int32_t *reads);

/** Whether an output reads the member of lcc_bnn_options_f64 that has this name, as "size": see lcc_method_reads.
 *
 *  @param output  an LCC_OUTPUT_ code
 *  @param member  zero-terminated
 *  @param reads   out: 1 or 0
 *  @return LCC_ERROR_OUTPUT, LCC_ERROR_NAME: more than 31 bytes */
int32_t lcc_output_reads(int32_t output, const char *member, int32_t *reads);

/** The name of an output, e.g. "student-t"; NULL where this library has none of that code.
 *
 *  @param output  an LCC_OUTPUT_ code */
const char *lcc_output_name(int32_t output);

/** The name of a prior's scales; NULL past the last, so that a loop from 0 lists them.
 *
 *  @param scales  an LCC_SCALES_ code */
const char *lcc_scales_name(int32_t scales);

/* ==== Problems ======================================================================================== */

#define LCC_POSTERIOR_GREEDY 0 /**< One neuron against residuals. */
/** M neurons with fixed outer weights; with one the slides' greedy posterior, the square of the loss kept. */
#define LCC_POSTERIOR_JOINT 1
#define LCC_POSTERIOR_USER 2 /**< A density of your own, by callback. */
#define LCC_POSTERIOR_NETWORK 3 /**< A network of any depth, output and prior, every parameter free. */
/** Several hidden layers with fixed outer weights: those of network->widths. */
#define LCC_POSTERIOR_LAYERS 4
#define LCC_PRIOR_GAUSSIAN 0 /**< N(0, scale^2 I). */
#define LCC_PRIOR_L1_BALL 1 /**< Uniform on {|w|_1 <= scale}. */
#define LCC_SIGNS_ALTERNATING 0 /**< s_m = +1, -1, +1, ... */
#define LCC_SIGNS_POSITIVE 1 /**< s_m = +1. */

/* ==== Parameters with constraints ===================================================================== */

#define LCC_CONSTRAINT_FREE 0 /**< y = x. */
#define LCC_CONSTRAINT_LOWER 1 /**< y > lower: y = lower + exp(x). */
#define LCC_CONSTRAINT_UPPER 2 /**< y < upper: y = upper - exp(x). */
#define LCC_CONSTRAINT_INTERVAL 3 /**< lower < y < upper: y = lower + (upper - lower) logistic(x). */
#define LCC_CONSTRAINT_AFFINE 4 /**< y = lower + upper x: offset and multiplier. */
#define LCC_CONSTRAINT_SIMPLEX 5 /**< K positive numbers of sum 1, by K - 1 isometric log ratios. */
#define LCC_CONSTRAINT_ORDERED 6 /**< K increasing numbers: y_1 = x_1, y_k = y_(k-1) + exp(x_k). */
/** K increasing positive numbers: y_1 = exp(x_1), then likewise. */
#define LCC_CONSTRAINT_POSITIVE_ORDERED 7
#define LCC_CONSTRAINT_UNIT_VECTOR 8 /**< K numbers of norm 1: y = x/|x|, and -|x|^2/2 for the Jacobian. */
/** The K x K Cholesky factor of a correlation matrix, by partial correlations tanh(x). */
#define LCC_CONSTRAINT_CHOLESKY_CORR 9
/** The K x K Cholesky factor of a covariance matrix: exp(x) on the diagonal. */
#define LCC_CONSTRAINT_CHOLESKY_COV 10

/* ==== Samplers ======================================================================================== */

/** rho by the sign of the residual: never larger than the two-sided, zero where no help is needed. */
#define LCC_COUPLING_ONE_SIDED 0
#define LCC_COUPLING_TWO_SIDED 1 /**< rho = alpha sup|psi''| |r_i|, as printed in the papers. */
/** Log density of the draw: likelihood and normalised prior, the posterior's constant left out. */
#define LCC_TRACE_LOG_DENSITY 0
#define LCC_TRACE_ACCEPT 1 /**< The mean probability of acceptance of the iteration's transitions. */
#define LCC_TRACE_ENERGY 2 /**< The energy of the iteration's last transition. */
#define LCC_TRACE_DIVERGENT 3 /**< 1 where a transition of the iteration diverged, else 0. */

/* ==== Sequential Monte Carlo ========================================================================== */

/** Each temperature as large as leaves the share asked for of the particles: the least work. Its estimate
 *  of the evidence has a bias of order 1/particles. */
#define LCC_LADDER_ADAPTIVE 0
#define LCC_LADDER_EVEN 1 /**< 1/K, 2/K, ..., 1. */
#define LCC_LADDER_GEOMETRIC 2 /**< From the first temperature to 1 by equal factors. */
#define LCC_LADDER_GIVEN 3 /**< Temperatures of your own, to lcc_smc_init_given_f64 or _f32. */
/** Observation by observation, each predicted from those before it; of a greedy or a joint posterior.
 *  Particles are resampled and moved whenever fewer than the share asked for are left. */
#define LCC_LADDER_ROWS 4
/** Gaussian cooling: a narrow Gaussian about w = 0 times the posterior, widened; of a greedy or a joint
 *  posterior. */
#define LCC_LADDER_COOLING 5
/** The log likelihood of the draw: particles and tempered chains, which else record the log density alone. */
#define LCC_TRACE_LOG_LIKELIHOOD 4

/* ==== The sampler that chooses for itself ============================================================= */

#define LCC_CHOICE_UNDECIDED 0 /**< Nothing has been chosen yet. */
#define LCC_CHOICE_SPLIT_PRIOR 1 /**< Split HMC about the prior, in antithetic pairs. */
#define LCC_CHOICE_SPLIT_FITTED 2 /**< Split HMC about a Gaussian fitted to the pilot, in antithetic pairs. */
/** Random-walk Metropolis, in antithetic pairs: the density has no gradient. */
#define LCC_CHOICE_RANDOM_WALK 3
#define LCC_CHOICE_PARTICLES 4 /**< Sequential Monte Carlo, after chains that disagreed. */
/** Independence Metropolis from a mixture, in antithetic pairs, after chains that disagreed. */
#define LCC_CHOICE_MIXTURE 5
/** Split HMC with many short steps, after chains that disagreed where nothing showed modes. */
#define LCC_CHOICE_PATIENT 6
#define LCC_CHOICE_REFLECTION 7 /**< HMC that reflects at the facets of the l1 ball, in antithetic pairs. */
#define LCC_CHOICE_CAREFUL 8 /**< Split HMC with one or two dozen short steps: what is tried before many. */
#define LCC_VERDICT_OPEN 0 /**< The run is not over. */
#define LCC_VERDICT_MIXED 1 /**< The chains agree with one another and with the pilot. */
#define LCC_VERDICT_MODES 2 /**< The chains did not, and two independent runs of particles do. */
#define LCC_VERDICT_UNRELIABLE 3 /**< Nothing mixes: the draws are not to be trusted. */
#define LCC_CAUSE_NONE 0 /**< The draws are to be trusted, or the run is not over. */
#define LCC_CAUSE_DISAGREEMENT 1 /**< R-hat is too large. */
/** The pilot is wider than the chains are, or particles of it lie far outside of their range. */
#define LCC_CAUSE_MISSED 2
/** Transitions are refused where the chains have come to, as at the mouth of a funnel. */
#define LCC_CAUSE_REFUSED 3
#define LCC_CAUSE_ENERGY 4 /**< The energy hardly changes, as in a long tail or the neck of a funnel. */
#define LCC_CAUSE_GRADIENTS 5 /**< The gradients at the draws contradict them, or do not confirm them. */
#define LCC_CAUSE_PARTICLES 6 /**< Two runs of particles differ. */
#define LCC_CAUSE_FAMILIES 7 /**< Particles descend from few draws of the prior. */
/** There may be a mode where no draw has been, and no gradients were left to begin anew. */
#define LCC_CAUSE_MODE 8
/** The density has no finite mass: along a coordinate, or along rays, it falls too slowly. */
#define LCC_CAUSE_IMPROPER 9
/** The support ends where draws are, at what is no coordinate plane, and gradients cannot confirm them. */
#define LCC_CAUSE_EDGE 10
/** The gradient is not the derivative of the density in `coordinate`, by differences at the start. */
#define LCC_CAUSE_WRONG_GRADIENT 11

/* ==== Certificates ==================================================================================== */

#define LCC_CERTIFICATE_LEMMA_2 0 /**< Lemma 2 as printed: p(w) itself is log-concave. */
#define LCC_CERTIFICATE_RHO_TWO_SIDED 1 /**< Lemma 2 with the two-sided rho_i. */
#define LCC_CERTIFICATE_RHO_ONE_SIDED 2 /**< Lemma 2 with the one-sided rho_i. */
#define LCC_CERTIFICATE_OWN_CURVATURE 3 /**< The Hessian of log p(w) bounded over the l1 ball. */
#define LCC_CERTIFICATE_TRACE 4 /**< The trace bound on the l1 ball, proved. */
#define LCC_CERTIFICATE_COLUMNS 5 /**< The same by columns of X, proved. */
#define LCC_CERTIFICATE_LEMMA_4_PUBLISHED 6 /**< Lemma 4 as printed: false. */
#define LCC_CERTIFICATE_LEMMA_4 7 /**< Lemma 4 corrected: conditional. */
#define LCC_CERTIFICATE_MATRIX_TWO_SIDED 8 /**< The same with the two-sided matrix. */
#define LCC_CERTIFICATE_MATRIX_ONE_SIDED 9 /**< The same with the one-sided matrix. */
#define LCC_CERTIFICATE_REMARK_1 10 /**< Remark 1. */
#define LCC_CERTIFICATE_SLIDES_PUBLISHED 11 /**< The slides' greedy condition as printed: false. */
#define LCC_CERTIFICATE_SLIDES 12 /**< The same corrected: conditional. */
/** The slides' bound on the Hessian of the joint log p(xi): conditional. */
#define LCC_CERTIFICATE_JOINT_HESSIAN 13
#define LCC_CERTIFICATE_JOINT_HESSIAN_SHARPER 14 /**< The same with nothing dropped. */
#define LCC_CERTIFICATE_BAKRY_EMERY 15 /**< Half the curvature, the rate of the diffusion: conditional. */
#define LCC_CERTIFICATE_LEMMA_3 16 /**< The bound of Lemma 3, estimated at the visited xi. */
/** The largest eigenvalue of S X Cov[w | xi] X' S, estimated at the visited xi. */
#define LCC_CERTIFICATE_EIGENVALUE 17
/** The slides' bound of the best order, with exact moments: conditional. */
#define LCC_CERTIFICATE_HOELDER 18
#define LCC_CERTIFIED_ALREADY_LOG_CONCAVE 0 /**< Proved: p(w) itself is log-concave, and so is p(xi). */
#define LCC_CERTIFIED_PROVED 1 /**< Proved: p(xi) is log-concave. */
#define LCC_CERTIFIED_CONDITIONAL 2 /**< p(xi) is log-concave under an assumption that is not proved. */
/** Estimates at all visited xi agree with log-concavity by more than three standard errors. */
#define LCC_CERTIFIED_EMPIRICAL 3
/** An estimate refutes log-concavity by more than three standard errors. */
#define LCC_CERTIFIED_NOT_LOG_CONCAVE 4
#define LCC_CERTIFIED_NOT_SATISFIED 5 /**< The condition is sufficient and does not hold: nothing follows. */
#define LCC_CERTIFIED_INCONCLUSIVE 6 /**< An estimate is too close to its threshold, at some visited xi. */
/** The statement as published is false, whether or not its condition holds. */
#define LCC_CERTIFIED_PUBLISHED_FALSE 7
#define LCC_CERTIFIED_NOT_APPLICABLE 8 /**< The argument is about another prior, activation or range. */
#define LCC_CONCLUSION_ALREADY_LOG_CONCAVE 0 /**< p(w) is log-concave, proved: sample w directly. */
#define LCC_CONCLUSION_PROVED 1 /**< p(xi) is log-concave, proved: use the coupling. */
/** p(xi) is log-concave under an assumption: use the coupling, and check. */
#define LCC_CONCLUSION_CONDITIONAL 2
/** Only estimates speak for it: use the coupling, and check against SMC. */
#define LCC_CONCLUSION_EMPIRICAL 3
#define LCC_CONCLUSION_NOT_LOG_CONCAVE 4 /**< p(xi) is not log-concave: use SMC or tempering. */
#define LCC_CONCLUSION_UNKNOWN 5 /**< Nothing is known: use SMC or lcc_auto_init_f64 or _f32. */
#define LCC_DESCRIBE_NAME 0 /**< The name of a certificate. */
#define LCC_DESCRIBE_EQUATION 1 /**< The condition that it evaluates, with its source. */
#define LCC_DESCRIBE_ASSUMPTION 2 /**< What it assumes beside the condition; empty if nothing. */
/** The name of a status, by an LCC_CERTIFIED_ code in place of the certificate's. */
#define LCC_DESCRIBE_STATUS 3

/** How the xi of a posterior are visited. */
typedef struct {
    uint32_t struct_size; /**< The bytes of this struct, as the defaults have it. */
    int32_t coupling; /**< LCC_COUPLING_ONE_SIDED or LCC_COUPLING_TWO_SIDED. Default: one-sided. */
    uint32_t reduced; /**< 1 for the reduced coupling: Gaussian prior only. Default 0. */
    /** Draws of each inner chain at which the bound of Lemma 3 is averaged; 0 leaves it out. Default 16. */
    uint32_t lemma3;
    uint32_t warmup; /**< Transitions of the 8 inner chains that adapt and are discarded. Default 200. */
    uint32_t draws; /**< Transitions of each that count, at least 4. Default 250. */
    uint32_t leapfrogs; /**< Gradients in one transition, at least 1. Default 4. */
    /** Steps, at most 12, by which the largest eigenvalue is climbed, each a visited xi. Default 3. */
    uint32_t ascent;
    /** 1: plain loops, but AVX2 or NEON for 8 lanes. Changes speed, never a number. Default 0. */
    uint32_t portable;
    uint32_t reserved; /**< Must be 0. */
    uint64_t seed; /**< Names the random numbers. Default 1. */
} lcc_probe_options;

/** Writes the defaults. */
int32_t lcc_probe_options_default(lcc_probe_options *options);

/** Words about a certificate or a status.
 *
 *  @param kind  an LCC_CERTIFICATE_ code (LCC_DESCRIBE_STATUS: an LCC_CERTIFIED_ code)
 *  @param what  an LCC_DESCRIBE_ code
 *  @param text  out: zero-terminated; 256 bytes are enough
 *  @return LCC_ERROR_INDEX (no such code) */
int32_t lcc_certificate_describe(int32_t kind, int32_t what, char *text, size_t bytes, size_t *length);

/* ==== The network regressor =========================================================================== */

#define LCC_MASS_DENSE 0 /**< A full mass matrix a chain. */
#define LCC_MASS_DIAGONAL 1 /**< Its diagonal only: for microcontrollers and very wide inputs. */
/** The log likelihood of the training data, in standardised units. */
#define LCC_NETWORK_TRACE_LOG_LIKELIHOOD 0
#define LCC_NETWORK_TRACE_ACCEPT 1 /**< The probability of acceptance. */
#define LCC_NETWORK_TRACE_DIVERGENT 2 /**< 1 where the trajectory diverged, else 0. */
#define LCC_NETWORK_TRACE_ENERGY 3 /**< The energy at the start of the trajectory. */
#define LCC_NETWORK_TRACE_PREDICTION 4 /**< f at a traced training row, in standardised units. */

/* ==== The Bayesian network ============================================================================ */

#define LCC_INFERENCE_CHAINS 0 /**< Draws of the posterior by many short chains. */
/** The weights' mode in the coordinates in which their prior is N(0, I); scales and noise that are learnt
 *  where Laplace's evidence of them is the largest met; the best of the ascents by that. */
#define LCC_INFERENCE_MAP 1
/** The maximum of the likelihood, without hidden layers; LCC_ERROR_SEPARABLE where it has none. */
#define LCC_INFERENCE_MAXIMUM_LIKELIHOOD 2
/** Draws of N(mode, H^-1), H minus the Hessian of the log density at the mode; of hidden layers its
 *  generalised Gauss-Newton part, and then its draws may predict much worse than the mode: it is a
 *  Gaussian in weights, not in predictions. */
#define LCC_INFERENCE_LAPLACE 3
#define LCC_INFERENCE_LAPLACE_DIAGONAL 4 /**< The same of the diagonal of H alone. */
/** Draws of the outputs' weights, intercepts and direct part by the same Gaussian given all else at the
 *  mode. */
#define LCC_INFERENCE_LAST_LAYER 5
#define LCC_INFERENCE_ENSEMBLE 6 /**< Such modes of all chains, LCC_INFERENCE_MAP's, of equal weight. */
/** Networks whose hidden units are left out at random, as they were in each step of the start. */
#define LCC_INFERENCE_DROPOUT 7
/** Draws of the Gaussian without correlations that has the largest evidence lower bound. */
#define LCC_INFERENCE_VARIATIONAL 8
/** The same of all Gaussians: for P coordinates memory and work as P^2. */
#define LCC_INFERENCE_VARIATIONAL_FULL 9
/** The same of a diagonal and `rank` columns times their transpose. */
#define LCC_INFERENCE_VARIATIONAL_LOW_RANK 10
/** Bayes by Backprop: the Gaussian without correlations, with its prior and its minibatches. */
#define LCC_INFERENCE_BACKPROP 11
/** A random walk on the posterior tempered at T = rows / batch, likelihood^(1/T) times prior, by all rows:
 *  the law that the next three aim at. T = 1 with `full`. */
#define LCC_INFERENCE_TEMPERED 12
/** The same walk by changes of the loss from `minibatches`: biased, to show it. */
#define LCC_INFERENCE_BATCHED 13
/** Stochastic gradient Langevin dynamics, a minibatch a step, without rejection: biased by its step. */
#define LCC_INFERENCE_SGLD 14
#define LCC_INFERENCE_PENALTY 15 /**< The batched walk with a penalty for the noise of the change. */
/** SWAG: the Gaussian of the later iterates of gradient ascent by minibatches, a diagonal and `rank`
 *  columns; of several chains the mixture, Multi-SWAG. */
#define LCC_INFERENCE_SWAG 16
/** chi^2/2, chi^2 the variance of the mean change as the minibatches estimate it. */
#define LCC_PENALTY_ESTIMATED 0
/** chi^2/2 + chi^4/(4 (M + 1)) + chi^6/(3 (M + 1)(M + 3)) of M minibatches: nearer to detailed balance. */
#define LCC_PENALTY_SERIES 1
#define LCC_PENALTY_KNOWN 2 /**< Half the variance over all minibatches: each step goes over all rows. */
/** The series, of what minibatches leave of the loss beyond its second order about the mode; proposals
 *  from the Gaussian there. For many rows: no step goes over all of them. */
#define LCC_PENALTY_CONTROLLED 3
/** Adam, then quasi-Newton steps; without hidden layers scoring and Newton's method. */
#define LCC_OPTIMISER_ASCENT 0
#define LCC_OPTIMISER_SGD 1 /**< Stochastic gradient ascent with Robbins-Monro steps, by minibatches. */
#define LCC_NO_FOLD 4294967295 /**< The fold of a row that takes no part. */
#define LCC_BNN_TRACE_LOG_LIKELIHOOD 0 /**< The log likelihood of the training data, in standardised units. */
#define LCC_BNN_TRACE_ACCEPT 1 /**< The probability of acceptance. */
#define LCC_BNN_TRACE_DIVERGENT 2 /**< 1 where the trajectory diverged, else 0. */
#define LCC_BNN_TRACE_ENERGY 3 /**< The energy at the start of the trajectory. */
/** E(y) at a traced training row, in standardised units; of classes the probability of the one observed
 *  there. */
#define LCC_BNN_TRACE_PREDICTION 4

/** The name of a method of lcc_bnn_, e.g. "laplace"; NULL past the last, so that a loop from 0 lists them.
 *
 *  @param method  an LCC_INFERENCE_ code */
const char *lcc_inference_name(int32_t method);

/** Whether a method of lcc_bnn_ reads the member of lcc_bnn_options_f64 that has this name, as "leapfrogs": see
 *  lcc_method_reads.
 *
 *  @param method  an LCC_INFERENCE_ code
 *  @param member  zero-terminated
 *  @param reads   out: 1 or 0
 *  @return LCC_ERROR_METHOD, LCC_ERROR_NAME: more than 31 bytes */
int32_t lcc_inference_reads(int32_t method, const char *member, int32_t *reads);

/** What law the draws of a method aim at, in a line: for whoever reads its results. NULL past the last.
 *
 *  @param method  an LCC_INFERENCE_ code */
const char *lcc_inference_law(int32_t method);

/* ==== Greedy Bayes ==================================================================================== */

#define LCC_GREEDY_TILT 0 /**< The tilt alone, linear in the neuron. */
#define LCC_GREEDY_QUADRATIC 1 /**< The square of the loss too. */

/* ==== Greedy least squares ============================================================================ */

#define LCC_RELAXED_GREEDY 0 /**< Relaxed greedy (Jones, Barron). */
#define LCC_RELAXED_FRANK_WOLFE 1 /**< Frank-Wolfe. */
#define LCC_RELAXED_ORTHOGONAL 2 /**< Orthogonal matching pursuit. */

/* ==== The variational auto-encoder ==================================================================== */

#define LCC_VAE_GAUSSIAN 0 /**< Rows are normal about the decoder's outputs, with one sd for all columns. */
/** Rows are in [0, largest], the decoder's outputs being log odds of their share of it. */
#define LCC_VAE_BERNOULLI 1

/* ==== Models ========================================================================================== */

/** What a model is. */
typedef struct {
    uint64_t bytes; /**< The model's own length, which may be less than the bytes given. */
    /** How many of these bytes, at its end, are an attachment: whatever lcc_model_attach was given. */
    uint64_t attachment;
    uint32_t inputs; /**< The columns d of a row: inputs, and behind them the exposure where there is one. */
    uint32_t neurons; /**< Units M of the first hidden layer. */
    uint32_t draws; /**< Posterior draws K. */
    uint32_t precision; /**< Precision of the stored values: 32 or 64. */
    int32_t activation; /**< An LCC_ACTIVATION_ code. */
    int32_t output; /**< An LCC_OUTPUT_ code. */
    uint32_t categories; /**< Classes of y, or components of a mixture; 0 where y is a number. */
    uint32_t reference; /**< 1: softmax with the first class as reference. */
    uint32_t exposure; /**< 1: the last column of a row is its exposure. */
    uint32_t linear; /**< 1: inputs also act on the outputs directly. */
    /** 1: the outputs of a draw w are f(w*) + J (w - w*), of a network linearised at w*
     *  (lcc_bnn_write_linearised_f64). */
    uint32_t linearised;
    uint32_t widths[4]; /**< Units of the hidden layers; 0 from the first that is not there. */
    uint32_t values; /**< Values of a draw: lcc_model_parameters_f64. */
    /** The temperature of the probabilities of classes, to single precision: lcc_model_temper. 1 where y
     *  is no class. */
    float temperature;
    uint32_t reserved; /**< 0. */
} lcc_model_info;

/** Verifies a model: a posterior image, which is read where it lies, in flash too, at any alignment, by
 *  code of either precision, on machines of either byte order. Reads every byte: the checksum, and
 *  that every value is in its range. The other functions check the head and the bounds only, so verify
 *  a model once when it arrives.
 *
 *  @param model  the image; bytes beyond its own length are ignored
 *  @param info   out: what it is; may be NULL
 *  @return LCC_ERROR_IMAGE_TRUNCATED, _MAGIC, _NEWER, _CORRUPT, _SHAPE, _VALUE */
int32_t lcc_model_check(const uint8_t *model, size_t bytes, lcc_model_info *info);

/** Writes a copy of a model, of any kind, with bytes of yours at its end, under its checksum, in place of those
 *  that it has: how raw columns were encoded, say. They are the last lcc_model_info.attachment bytes of the
 *  model's own. The copy predicts as the model does.
 *
 *  @param attachment  may be NULL where attachment_bytes is 0
 *  @param out         out: bytes + attachment_bytes are enough; apart from the model
 *  @param capacity    the bytes at out
 *  @return LCC_ERROR_MEMORY_SIZE, LCC_ERROR_OVERLAP */
int32_t lcc_model_attach(const uint8_t *model, size_t bytes, const uint8_t *attachment,
                         size_t attachment_bytes, uint8_t *out, size_t capacity, size_t *written);

/** Writes a copy of a model of classes whose probabilities are at a temperature t, in place of that which it has:
 *  P(c) is the mean of the draws' to the power 1/t, divided by the sum over the classes. 1 is the exact posterior
 *  predictive; lcc_temperature_f64 finds the t under which held-out rows score best. The parts of the
 *  uncertainty that speak of the draws stay those of t = 1.
 *
 *  @param temperature  positive
 *  @param out          out: bytes are enough; apart from the model
 *  @param capacity     the bytes at out
 *  @return LCC_ERROR_OUTPUT, LCC_ERROR_NOT_FINITE_VALUE, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_OVERLAP */
int32_t lcc_model_temper(const uint8_t *model, size_t bytes, double temperature, uint8_t *out,
                         size_t capacity, size_t *written);

/* ==== Learning from a stream ========================================================================== */

/** What a stream learner is. */
typedef struct {
    uint64_t rows; /**< Rows learnt. */
    uint32_t inputs; /**< Inputs d. */
    uint32_t neurons; /**< Neurons M. */
    uint32_t draws; /**< Draws that learn. */
    uint32_t weighted; /**< 1 where the draws are weighted. */
} lcc_stream_info;

/* ==== Prequential Greedy Bayes ======================================================================== */

/** The mean of f_i over i = 1, ..., n: the posteriors before each row, as printed in the paper. */
#define LCC_AVERAGING_PRINTED 0
#define LCC_AVERAGING_INCLUSIVE 1 /**< Over i = 1, ..., n + 1: the posteriors given all rows too. */
/** i = n + 1 alone: the posteriors given all rows, which is what predicts the next one. */
#define LCC_AVERAGING_LAST 2

#ifdef __cplusplus
}
#endif

#include "lcc/f64.h"
#include "lcc/f32.h"

#endif /* LCC_H */
