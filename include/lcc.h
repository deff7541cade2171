/*
 * LCC: log-concave coupling. Samples the posteriors of single-hidden-layer neural networks and
 * predicts with them. Generated from the Rust sources of the C ABI: do not edit.
 *
 * CONVENTIONS
 *
 * Names       lcc_<type>_<verb>, and _f32 or _f64 for what depends on the precision. Both precisions
 *             are in one library; functions ending in _f32 compute in float alone.
 * Arguments   First the handle or the object acted on, then what it is made from, a length after its
 *             array, outputs last. Nothing is both input and output, except where it says so.
 * Status      Fallible functions return int32_t: 0 (LCC_OK) done, positive an outcome (LCC_RUNNING,
 *             LCC_DONE), negative an error. lcc_status_message() has a sentence for each. Outputs
 *             are written only on success.
 * Memory      The library never allocates. An object lives in one block of the caller's:
 *             lcc_<type>_size_*() says how many bytes, lcc_<type>_init_*() builds it there. The block
 *             must be aligned to 16 bytes, as malloc's are. It holds no pointers: it may be copied
 *             or moved byte by byte, and the copy used as a handle. Nothing needs to be freed.
 * Data        X and y stay the caller's and are handed in at each call, in any layout (strides).
 *             Handles remember shape and a hash of their data and refuse others.
 * Stepping    lcc_<type>_step_*(handle, ..., budget) works until the budget is used up and returns
 *             LCC_RUNNING or LCC_DONE. The unit of the budget is one row of data visited by one chain.
 *             A call may overshoot by one transition of one block of chains. However the work is cut into
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
#define LCC_VERSION "0.1.0"
#define LCC_VERSION_MAJOR 0
#define LCC_VERSION_MINOR 1
#define LCC_VERSION_PATCH 0
/** major * 1000000 + minor * 1000 + patch */
#define LCC_VERSION_NUMBER 1000

#ifdef __cplusplus
extern "C" {
#endif

/* ================================================================================================
 * Versions and capabilities
 * ================================================================================================ */

/**
 * The ABI that this header describes.
 */
#define LCC_ABI_VERSION 1

/**
 * Bit of `lcc_capabilities`: the functions ending in _f32 are there.
 */
#define LCC_CAPABILITY_F32 1

/**
 * Bit of `lcc_capabilities`: the functions ending in _f64 are there.
 */
#define LCC_CAPABILITY_F64 2

/**
 * Bit of `lcc_capabilities`: this CPU runs blocks of chains with AVX2 (never with other results).
 */
#define LCC_CAPABILITY_AVX2 4

/**
 * Bit of `lcc_capabilities`: and with AVX-512 where that is faster.
 */
#define LCC_CAPABILITY_AVX512 8

/**
 * Bit of `lcc_capabilities`: options may ask for 8 lanes. A build for microcontrollers leaves them
 * out: its options default to 1 lane, with the same numbers.
 */
#define LCC_CAPABILITY_LANES 16

/**
 * The library's version, e.g. "0.1.0": `LCC_VERSION` of the header that it was built with.
 * Static storage. Thread-safe.
 */
const char *lcc_version(void);

/**
 * The library's version as a number, major * 1000000 + minor * 1000 + patch: compare with
 * `LCC_VERSION_NUMBER` to see whether header and library belong together.
 */
uint32_t lcc_version_number(void);

/**
 * The ABI's number: it changes when a struct, a signature or the meaning of a value does. A caller
 * whose `LCC_ABI_VERSION` differs must not use the library.
 */
uint32_t lcc_abi_version(void);

/**
 * What this library can do on this CPU: a sum of `LCC_CAPABILITY_` bits. Thread-safe.
 */
uint64_t lcc_capabilities(void);

/**
 * Where a struct's members lie in this library: for hosts that mirror its structs in place of reading
 * this header, to be asked once at load. Thread-safe.
 *
 * @param name    of a struct, e.g. "lcc_data_f64", zero-terminated
 * @param member  of its member, e.g. "row_stride"; NULL: the struct itself
 * @param offset  out: the member's, in bytes; 0 for the struct itself
 * @param bytes   out: the size of the member or of the struct
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_MISALIGNED, LCC_ERROR_NAME
 */
int32_t lcc_layout(const char *name,
                   const char *member,
                   size_t *offset,
                   size_t *bytes);

/* ================================================================================================
 * Statuses
 * ================================================================================================ */

/**
 * What a function returns, as an int32_t: 0 done, positive an outcome, negative an error.
 */
enum lcc_status {
    /**
     * Done.
     */
    LCC_OK = 0,
    /**
     * The budget is used up and there is more to do: call again.
     */
    LCC_RUNNING = 1,
    /**
     * There is nothing more to do.
     */
    LCC_DONE = 2,
    /**
     * A pointer that must not be NULL is.
     */
    LCC_ERROR_NULL = -1,
    /**
     * A pointer is not aligned for its type.
     */
    LCC_ERROR_MISALIGNED = -2,
    /**
     * struct_size is smaller than the struct that this library knows: was it set by the default function?
     */
    LCC_ERROR_STRUCT_SIZE = -3,
    /**
     * The data have no rows or no columns.
     */
    LCC_ERROR_EMPTY = -4,
    /**
     * A size does not fit in the address space.
     */
    LCC_ERROR_OVERFLOW = -5,
    /**
     * X holds a NaN or an infinity.
     */
    LCC_ERROR_NOT_FINITE_X = -6,
    /**
     * y holds a NaN or an infinity.
     */
    LCC_ERROR_NOT_FINITE_Y = -7,
    /**
     * An output array is too short.
     */
    LCC_ERROR_CAPACITY = -8,
    /**
     * The memory is smaller than its size query says.
     */
    LCC_ERROR_MEMORY_SIZE = -9,
    /**
     * The memory is not aligned to 16 bytes.
     */
    LCC_ERROR_MEMORY_ALIGN = -10,
    /**
     * The memory holds no object of this type and precision.
     */
    LCC_ERROR_HANDLE = -11,
    /**
     * The data or the problem are not those that the object was made with.
     */
    LCC_ERROR_DATA_CHANGED = -12,
    /**
     * The object has not drawn enough for this yet.
     */
    LCC_ERROR_NOT_DONE = -13,
    /**
     * The name is not known.
     */
    LCC_ERROR_NAME = -14,
    /**
     * An index is out of range.
     */
    LCC_ERROR_INDEX = -15,
    /**
     * A value given is NaN or infinite.
     */
    LCC_ERROR_NOT_FINITE_VALUE = -16,
    /**
     * All targets are equal: there is nothing to learn.
     */
    LCC_ERROR_CONSTANT_TARGET = -17,
    /**
     * The posterior is neither greedy nor joint.
     */
    LCC_ERROR_POSTERIOR = -20,
    /**
     * The activation is not one of the ten.
     */
    LCC_ERROR_ACTIVATION = -21,
    /**
     * The prior is neither Gaussian nor the l1 ball.
     */
    LCC_ERROR_PRIOR = -22,
    /**
     * The prior's scale must be positive and finite.
     */
    LCC_ERROR_SCALE = -23,
    /**
     * alpha must be finite and not negative.
     */
    LCC_ERROR_ALPHA = -24,
    /**
     * beta must be positive and finite.
     */
    LCC_ERROR_BETA = -25,
    /**
     * The outer weight must be positive and finite.
     */
    LCC_ERROR_OUTER = -26,
    /**
     * The number of neurons must be at least 1, and the network must fit in memory.
     */
    LCC_ERROR_NEURONS = -27,
    /**
     * The signs are neither alternating nor positive.
     */
    LCC_ERROR_SIGNS = -28,
    /**
     * The posterior is improper: this activation outgrows the Gaussian prior. Lower alpha or the scale.
     */
    LCC_ERROR_IMPROPER = -29,
    /**
     * There is no coupling: the residual has no bound under this activation and prior.
     */
    LCC_ERROR_NO_COUPLING = -30,
    /**
     * The sampling method is not known.
     */
    LCC_ERROR_METHOD = -31,
    /**
     * The coupling is neither one-sided nor two-sided.
     */
    LCC_ERROR_COUPLING = -32,
    /**
     * The number of chains must be at least 1.
     */
    LCC_ERROR_CHAINS = -33,
    /**
     * Lanes must be 1 or 8.
     */
    LCC_ERROR_LANES = -34,
    /**
     * The number of draws must be at least 1.
     */
    LCC_ERROR_DRAWS = -35,
    /**
     * More draws are to be stored than drawn.
     */
    LCC_ERROR_STORED = -36,
    /**
     * The draws kept per chain must be at least 1 and at most the draws.
     */
    LCC_ERROR_KEEP = -37,
    /**
     * The leapfrog steps must be at least 1.
     */
    LCC_ERROR_STEPS = -38,
    /**
     * The inner transitions must be at least 1.
     */
    LCC_ERROR_INNER = -39,
    /**
     * The target acceptance must lie strictly between 0 and 1.
     */
    LCC_ERROR_TARGET_ACCEPT = -40,
    /**
     * A step size or integration time must be positive and finite.
     */
    LCC_ERROR_STEP_SIZE = -41,
    /**
     * A switch must be 0 or 1.
     */
    LCC_ERROR_SWITCH = -42,
    /**
     * A prior's hyper-parameter is out of its range.
     */
    LCC_ERROR_HYPERPARAMETER = -43,
    /**
     * A probability must lie strictly between 0 and 1.
     */
    LCC_ERROR_PROBABILITY = -44,
    /**
     * At least four draws per chain are needed.
     */
    LCC_ERROR_TOO_FEW = -45,
    /**
     * The mass matrix is neither dense nor diagonal.
     */
    LCC_ERROR_MASS = -46,
    /**
     * The density is not finite where a chain starts, or no particle starts in its support.
     */
    LCC_ERROR_START = -47,
    /**
     * A start needs at least one optimisation step.
     */
    LCC_ERROR_STARTS = -48,
    /**
     * The image or checkpoint is shorter than its header says.
     */
    LCC_ERROR_IMAGE_TRUNCATED = -60,
    /**
     * These bytes are no image or checkpoint of LCC.
     */
    LCC_ERROR_IMAGE_MAGIC = -61,
    /**
     * The image or checkpoint was written by a newer version of LCC.
     */
    LCC_ERROR_IMAGE_NEWER = -62,
    /**
     * The image or checkpoint is damaged: its checksum does not match.
     */
    LCC_ERROR_IMAGE_CORRUPT = -63,
    /**
     * The checkpoint is of another kind of object or of the other precision, or from a machine of other byte order.
     */
    LCC_ERROR_IMAGE_KIND = -64,
    /**
     * The image describes an impossible or a different shape.
     */
    LCC_ERROR_IMAGE_SHAPE = -65,
    /**
     * The rows have another number of columns than the model has inputs.
     */
    LCC_ERROR_INPUTS = -66,
    /**
     * The image holds a value that is not finite or out of its range.
     */
    LCC_ERROR_IMAGE_VALUE = -67,
    /**
     * The method needs a gradient, and the density of your own computes none.
     */
    LCC_ERROR_NO_GRADIENT = -68,
    /**
     * A density of your own has no coordinates, or too many.
     */
    LCC_ERROR_DIMENSION = -69,
    /**
     * Antithetic pairs of an odd number of chains, or too few of them.
     */
    LCC_ERROR_PAIRS = -70,
    /**
     * The reference is not known, or is one of another method.
     */
    LCC_ERROR_REFERENCE = -71,
    /**
     * A fitted reference needs a pilot.
     */
    LCC_ERROR_NO_PILOT = -72,
    /**
     * The particles must be two or more and a multiple of the lanes.
     */
    LCC_ERROR_PARTICLES = -73,
    /**
     * The ladder is not known, or a number that it is made from is out of its range.
     */
    LCC_ERROR_LADDER = -74,
    /**
     * Temperatures must be as many as said and increase from above 0 to 1.
     */
    LCC_ERROR_TEMPERATURES = -75,
    /**
     * There must be at least one transition between temperatures or swaps, and not too many in all.
     */
    LCC_ERROR_MOVES = -76,
    /**
     * An adaptive ladder needs more temperatures than there is room for.
     */
    LCC_ERROR_STAGES = -77,
    /**
     * A reverse diffusion has no levels, or too many.
     */
    LCC_ERROR_LEVELS = -78,
    /**
     * The reduced coupling needs a Gaussian prior.
     */
    LCC_ERROR_REDUCED = -79,
    /**
     * The inner method is not known, is coupled itself, or biased.
     */
    LCC_ERROR_INNER_METHOD = -80,
    /**
     * The method works on the l1 ball, and the prior is another.
     */
    LCC_ERROR_NEEDS_BALL = -81,
    /**
     * A neuron whose sign is summed out has no coupling.
     */
    LCC_ERROR_SIGNED = -82,
    /**
     * The factor of the square must be finite and not negative.
     */
    LCC_ERROR_QUADRATIC = -83,
    /**
     * beta must lie in (0, 1].
     */
    LCC_ERROR_SHARE = -84,
    /**
     * The share of the rows held out must lie in [0, 1/2] and leave rows on both sides.
     */
    LCC_ERROR_HOLDOUT = -85,
    /**
     * The ridge must be finite and not negative.
     */
    LCC_ERROR_RIDGE = -86,
    /**
     * The form of the greedy posterior is not known.
     */
    LCC_ERROR_FORM = -87,
    /**
     * A forgetting must lie in (0, 1].
     */
    LCC_ERROR_FORGETTING = -88,
    /**
     * The share of effective particles must lie in (0, 1).
     */
    LCC_ERROR_ESS = -89,
    /**
     * The noise must be positive and finite.
     */
    LCC_ERROR_NOISE = -90,
    /**
     * The averaging is not known.
     */
    LCC_ERROR_AVERAGING = -91,
    /**
     * The parts to join are of another run, leave chains out or stand at different iterations.
     */
    LCC_ERROR_PARTS = -92,
};

/**
 * A sentence for any status, "not a status of LCC" for other numbers. Static storage, never NULL.
 * Thread-safe.
 *
 * @param status  what a function returned
 */
const char *lcc_status_message(int32_t status);

/* ================================================================================================
 * Names and activations
 * ================================================================================================ */

/**
 * tanh(z)
 */
#define LCC_ACTIVATION_TANH 0

/**
 * 1 / (1 + exp(-z))
 */
#define LCC_ACTIVATION_LOGISTIC 1

/**
 * log(1 + exp(z))
 */
#define LCC_ACTIVATION_SOFTPLUS 2

/**
 * max(z, 0)^2 / 2
 */
#define LCC_ACTIVATION_SQUARED_RELU 3

/**
 * erf(z)
 */
#define LCC_ACTIVATION_ERF 4

/**
 * sin(z)
 */
#define LCC_ACTIVATION_SINE 5

/**
 * exp(-z^2 / 2)
 */
#define LCC_ACTIVATION_GAUSSIAN_BUMP 6

/**
 * z Phi(z), Phi the standard normal distribution function
 */
#define LCC_ACTIVATION_GELU 7

/**
 * z / (1 + exp(-z))
 */
#define LCC_ACTIVATION_SILU 8

/**
 * arctan(z)
 */
#define LCC_ACTIVATION_ARCTAN 9

/**
 * HMC with exact rotations under the Gaussian reference.
 */
#define LCC_METHOD_SPLIT_HMC 0

/**
 * xi given w, then w given xi: exact, and log-concave inside.
 */
#define LCC_METHOD_GIBBS 1

/**
 * Langevin on the score of p(xi) with an inner chain: biased in its step and inner length.
 */
#define LCC_METHOD_XI_LANGEVIN 2

/**
 * HMC by leapfrog steps of the whole log density: exact; split HMC is mostly the better.
 */
#define LCC_METHOD_HMC 3

/**
 * Metropolis-adjusted Langevin, HMC of one step adapted to acceptance .574: exact, a cheap iteration.
 */
#define LCC_METHOD_MALA 4

/**
 * Unadjusted Langevin: biased in its step.
 */
#define LCC_METHOD_LANGEVIN 5

/**
 * Random-walk Metropolis, adapted to acceptance .234: exact, no gradients, slow in many dimensions.
 */
#define LCC_METHOD_RANDOM_WALK 6

/**
 * Metropolis with proposals from the prior: exact, no gradients, for posteriors close to the prior.
 */
#define LCC_METHOD_INDEPENDENCE 7

/**
 * From noise to data along the laws of the noised xi: biased in its levels and inner length.
 */
#define LCC_METHOD_REVERSE_DIFFUSION 8

/**
 * Random lines through w in the l1 ball, needing the l1 prior as all below: exact, no gradients, no step
 * size; exact draws along lines for squared ReLU.
 */
#define LCC_METHOD_HIT_AND_RUN 9

/**
 * The same along the coordinates, all of them in an iteration.
 */
#define LCC_METHOD_COORDINATE_HIT_AND_RUN 10

/**
 * Metropolis with uniform steps in a Euclidean ball: exact, no gradients, for comparisons.
 */
#define LCC_METHOD_BALL_WALK 11

/**
 * Metropolis with Gaussian steps in the metric of a barrier: exact, no gradients, for densities that
 * fill the l1 ball.
 */
#define LCC_METHOD_DIKIN 12

/**
 * Metropolis-adjusted Langevin in the dual coordinates of the same barrier: exact.
 */
#define LCC_METHOD_MIRROR_LANGEVIN 13

/**
 * HMC with reflection at the facets of the l1 ball: exact.
 */
#define LCC_METHOD_REFLECTION 14

/**
 * The prior.
 */
#define LCC_REFERENCE_PRIOR 0

/**
 * A Gaussian fitted to a pilot, of SMC to its own particles: for posteriors far from the prior.
 */
#define LCC_REFERENCE_GAUSSIAN 1

/**
 * Student's t with 8 degrees of freedom about the same fit: independence Metropolis only.
 */
#define LCC_REFERENCE_STUDENT_T 2

/**
 * A mixture of Student's t fitted to clusters of a pilot, which goes from mode to mode: independence
 * Metropolis only.
 */
#define LCC_REFERENCE_MIXTURE 3

/**
 * The code of an activation's name: tanh logistic softplus squared_relu erf sine gaussian_bump gelu
 * silu arctan.
 *
 * @param name        zero-terminated
 * @param activation  out: an LCC_ACTIVATION_ code
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_NAME
 */
int32_t lcc_activation_from_name(const char *name, int32_t *activation);

/**
 * The name of an activation; NULL past the last, so that a loop from 0 lists them.
 *
 * @param activation  an LCC_ACTIVATION_ code
 */
const char *lcc_activation_name(int32_t activation);

/**
 * The code of a sampling method's name: split-hmc gibbs xi-langevin hmc mala langevin random-walk
 * independence reverse-diffusion hit-and-run coordinate-hit-and-run ball-walk dikin mirror-langevin
 * reflection.
 *
 * @param name    zero-terminated
 * @param method  out: an LCC_METHOD_ code
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_NAME
 */
int32_t lcc_method_from_name(const char *name, int32_t *method);

/**
 * The name of a sampling method; NULL past the last, so that a loop from 0 lists them.
 *
 * @param method  an LCC_METHOD_ code
 */
const char *lcc_method_name(int32_t method);

/**
 * psi(z), psi'(z) and psi''(z), by the arithmetic of the samplers: the same bits on every machine.
 * psi and psi' of NaN are NaN; psi'' of squared ReLU at 0 is 0.
 *
 * @param activation  an LCC_ACTIVATION_ code
 * @param z           where
 * @param jet         out: three values
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_MISALIGNED, LCC_ERROR_ACTIVATION
 */
int32_t lcc_activation_jet_f64(int32_t activation, double z, double *jet);

/**
 * psi(z), psi'(z) and psi''(z), by the arithmetic of the samplers: the same bits on every machine.
 * psi and psi' of NaN are NaN; psi'' of squared ReLU at 0 is 0.
 *
 * @param activation  an LCC_ACTIVATION_ code
 * @param z           where
 * @param jet         out: three values
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_MISALIGNED, LCC_ERROR_ACTIVATION
 */
int32_t lcc_activation_jet_f32(int32_t activation, float z, float *jet);

/* ================================================================================================
 * Data
 * ================================================================================================ */

/**
 * Rows x_i in R^d with a target (or a residual) y_i each, where they lie: nothing is copied.
 * x_ij = x[i * row_stride + j * column_stride], strides in elements: row-major C arrays have
 * strides (d, 1), column-major Julia or Fortran arrays (1, n). All values must be finite.
 */
typedef struct {
    /**
     * The inputs.
     */
    const double *x;
    /**
     * The targets, n of them; may be NULL where a function only reads rows.
     */
    const double *y;
    /**
     * Rows, at least 1.
     */
    size_t n;
    /**
     * Columns, at least 1.
     */
    size_t d;
    /**
     * Elements from one row to the next.
     */
    size_t row_stride;
    /**
     * Elements from one column to the next.
     */
    size_t column_stride;
} lcc_data_f64;

/**
 * Rows x_i in R^d with a target (or a residual) y_i each, where they lie: nothing is copied.
 * x_ij = x[i * row_stride + j * column_stride], strides in elements: row-major C arrays have
 * strides (d, 1), column-major Julia or Fortran arrays (1, n). All values must be finite.
 */
typedef struct {
    /**
     * The inputs.
     */
    const float *x;
    /**
     * The targets, n of them; may be NULL where a function only reads rows.
     */
    const float *y;
    /**
     * Rows, at least 1.
     */
    size_t n;
    /**
     * Columns, at least 1.
     */
    size_t d;
    /**
     * Elements from one row to the next.
     */
    size_t row_stride;
    /**
     * Elements from one column to the next.
     */
    size_t column_stride;
} lcc_data_f32;

/**
 * Checks data as every function does, and says where they are bad. Reads x and (unless NULL) y
 * once.
 *
 * @param data    the data
 * @param row     out: on LCC_ERROR_NOT_FINITE_X or _Y the row (from 0) of the first bad value;
 *                may be NULL
 * @param column  out: on LCC_ERROR_NOT_FINITE_X its column (from 0); may be NULL
 * @return LCC_OK, LCC_ERROR_NULL, _MISALIGNED, _EMPTY, _OVERFLOW, _NOT_FINITE_X, _NOT_FINITE_Y
 */
int32_t lcc_data_check_f64(const lcc_data_f64 *data, size_t *row, size_t *column);

/**
 * Checks data as every function does, and says where they are bad. Reads x and (unless NULL) y
 * once.
 *
 * @param data    the data
 * @param row     out: on LCC_ERROR_NOT_FINITE_X or _Y the row (from 0) of the first bad value;
 *                may be NULL
 * @param column  out: on LCC_ERROR_NOT_FINITE_X its column (from 0); may be NULL
 * @return LCC_OK, LCC_ERROR_NULL, _MISALIGNED, _EMPTY, _OVERFLOW, _NOT_FINITE_X, _NOT_FINITE_Y
 */
int32_t lcc_data_check_f32(const lcc_data_f32 *data, size_t *row, size_t *column);

/* ================================================================================================
 * Problems: what is sampled
 * ================================================================================================ */

/**
 * One neuron against residuals.
 */
#define LCC_POSTERIOR_GREEDY 0

/**
 * M neurons with fixed outer weights.
 */
#define LCC_POSTERIOR_JOINT 1

/**
 * A density of your own, by callback.
 */
#define LCC_POSTERIOR_USER 2

/**
 * N(0, scale^2 I).
 */
#define LCC_PRIOR_GAUSSIAN 0

/**
 * Uniform on {|w|_1 <= scale}.
 */
#define LCC_PRIOR_L1_BALL 1

/**
 * s_m = +1, -1, +1, ...
 */
#define LCC_SIGNS_ALTERNATING 0

/**
 * s_m = +1.
 */
#define LCC_SIGNS_POSITIVE 1

/**
 * log p(x) of your own, up to a constant: writes it to logp and, unless grad is NULL, its gradient to
 * grad (n values). Returns 0, or anything else where x is outside the support. Called for one chain at a
 * time, from the thread that calls the sampler; x, grad and logp are valid during the call only. The same
 * x must give the same bits wherever resumed or repeated runs are to agree: compile it with
 * -ffp-contract=off.
 */
typedef int (*lcc_density_f64)(size_t n, const double *x, double *grad, double *logp, void *ctx);

/**
 * A posterior to sample. Its data are handed in beside it.
 *
 * Greedy: p(w) ~ exp(alpha sum_i y_i psi(x_i.w)) p0(w), w in R^d, the y_i being residuals.
 * Joint:  p(w_1..w_M) ~ exp(-(beta/2) sum_i (y_i - (outer/M) sum_m s_m psi(x_i.w_m))^2) prod p0(w_m).
 * p0 is N(0, scale^2 I), or uniform on the l1 ball of radius scale.
 * User:   p(x) by the callback, x in R^dim; no data (NULL), no prior. Chains start from N(0, scale^2 I),
 * which is also what split HMC solves exactly and what independence Metropolis proposes: make scale
 * about as large as the law is wide.
 */
typedef struct {
    /**
     * sizeof(lcc_problem_f64), set by lcc_problem_default_f64.
     */
    uint32_t struct_size;
    /**
     * LCC_POSTERIOR_GREEDY, LCC_POSTERIOR_JOINT or LCC_POSTERIOR_USER. Default: greedy.
     */
    int32_t posterior;
    /**
     * An LCC_ACTIVATION_ code. Default: tanh.
     */
    int32_t activation;
    /**
     * LCC_PRIOR_GAUSSIAN or LCC_PRIOR_L1_BALL. Default: Gaussian.
     */
    int32_t prior;
    /**
     * Joint: LCC_SIGNS_ALTERNATING (+ - + - ...) or LCC_SIGNS_POSITIVE. Default: alternating.
     */
    int32_t signs;
    /**
     * Joint: the neurons M, at least 1. Default 8.
     */
    uint32_t neurons;
    /**
     * The prior's sd, or the radius of the l1 ball: positive. Default 1.
     */
    double scale;
    /**
     * Greedy: alpha, positive. Default 1/sqrt(n).
     */
    double alpha;
    /**
     * Joint: the outer weight V, positive. Default 4.
     */
    double outer;
    /**
     * Joint: the noise's precision beta, positive. Default 1.
     */
    double beta;
    /**
     * User: the log density. Default NULL.
     */
    lcc_density_f64 density;
    /**
     * User: handed to the density. Default NULL.
     */
    void *context;
    /**
     * User: the coordinates of x, at least 1. Default 0.
     */
    size_t dim;
    /**
     * User: 1 where the density writes gradients; 0 where it does not (grad is then always NULL), and
     * random walk and independence are the methods. Default 1.
     */
    uint32_t gradient;
    /**
     * Must be 0.
     */
    uint32_t reserved;
} lcc_problem_f64;

/**
 * log p(x) of your own, up to a constant: writes it to logp and, unless grad is NULL, its gradient to
 * grad (n values). Returns 0, or anything else where x is outside the support. Called for one chain at a
 * time, from the thread that calls the sampler; x, grad and logp are valid during the call only. The same
 * x must give the same bits wherever resumed or repeated runs are to agree: compile it with
 * -ffp-contract=off.
 */
typedef int (*lcc_density_f32)(size_t n, const float *x, float *grad, float *logp, void *ctx);

/**
 * A posterior to sample. Its data are handed in beside it.
 *
 * Greedy: p(w) ~ exp(alpha sum_i y_i psi(x_i.w)) p0(w), w in R^d, the y_i being residuals.
 * Joint:  p(w_1..w_M) ~ exp(-(beta/2) sum_i (y_i - (outer/M) sum_m s_m psi(x_i.w_m))^2) prod p0(w_m).
 * p0 is N(0, scale^2 I), or uniform on the l1 ball of radius scale.
 * User:   p(x) by the callback, x in R^dim; no data (NULL), no prior. Chains start from N(0, scale^2 I),
 * which is also what split HMC solves exactly and what independence Metropolis proposes: make scale
 * about as large as the law is wide.
 */
typedef struct {
    /**
     * sizeof(lcc_problem_f32), set by lcc_problem_default_f32.
     */
    uint32_t struct_size;
    /**
     * LCC_POSTERIOR_GREEDY, LCC_POSTERIOR_JOINT or LCC_POSTERIOR_USER. Default: greedy.
     */
    int32_t posterior;
    /**
     * An LCC_ACTIVATION_ code. Default: tanh.
     */
    int32_t activation;
    /**
     * LCC_PRIOR_GAUSSIAN or LCC_PRIOR_L1_BALL. Default: Gaussian.
     */
    int32_t prior;
    /**
     * Joint: LCC_SIGNS_ALTERNATING (+ - + - ...) or LCC_SIGNS_POSITIVE. Default: alternating.
     */
    int32_t signs;
    /**
     * Joint: the neurons M, at least 1. Default 8.
     */
    uint32_t neurons;
    /**
     * The prior's sd, or the radius of the l1 ball: positive. Default 1.
     */
    float scale;
    /**
     * Greedy: alpha, positive. Default 1/sqrt(n).
     */
    float alpha;
    /**
     * Joint: the outer weight V, positive. Default 4.
     */
    float outer;
    /**
     * Joint: the noise's precision beta, positive. Default 1.
     */
    float beta;
    /**
     * User: the log density. Default NULL.
     */
    lcc_density_f32 density;
    /**
     * User: handed to the density. Default NULL.
     */
    void *context;
    /**
     * User: the coordinates of x, at least 1. Default 0.
     */
    size_t dim;
    /**
     * User: 1 where the density writes gradients; 0 where it does not (grad is then always NULL), and
     * random walk and independence are the methods. Default 1.
     */
    uint32_t gradient;
    /**
     * Must be 0.
     */
    uint32_t reserved;
} lcc_problem_f32;

/**
 * Writes the defaults: a greedy posterior with tanh under N(0, I), alpha = 1/sqrt(n).
 *
 * @param problem  out
 * @param n        the rows of the data that will go with it, at least 1
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_EMPTY
 */
int32_t lcc_problem_default_f64(lcc_problem_f64 *problem, size_t n);

/**
 * The coordinates of w: d (greedy), M d (joint; w_1 first) or dim (user).
 *
 * @param problem  the posterior
 * @param data     its data
 * @param dim      out
 * @return LCC_OK, or what is wrong with problem or data
 */
int32_t lcc_problem_dim_f64(const lcc_problem_f64 *problem, const lcc_data_f64 *data, size_t *dim);

/**
 * The bytes of scratch that lcc_problem_log_density_f64 needs.
 *
 * @param problem  the posterior
 * @param data     its data
 * @param bytes    out
 * @return LCC_OK, LCC_ERROR_OVERFLOW, or what is wrong with problem or data
 */
int32_t lcc_problem_scratch_f64(const lcc_problem_f64 *problem,
                                const lcc_data_f64 *data,
                                size_t *bytes);

/**
 * log p(w) up to the posterior's own constant (the prior is normalised) and its gradient: what the
 * samplers see, and a density for any other program. 4 n dim flops and n activations (n M for the
 * joint posterior). Outside the l1 ball the density is -infinity and the gradient that of the
 * likelihood alone.
 *
 * @param problem      the posterior
 * @param data         its data
 * @param w            dim values
 * @param scratch      lcc_problem_scratch_f64 bytes, aligned to 16
 * @param bytes        the bytes at scratch
 * @param log_density  out
 * @param gradient     out: dim values
 * @return LCC_OK, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN, or what is wrong with problem or data
 */
int32_t lcc_problem_log_density_f64(const lcc_problem_f64 *problem,
                                    const lcc_data_f64 *data,
                                    const double *w,
                                    uint8_t *scratch,
                                    size_t bytes,
                                    double *log_density,
                                    double *gradient);

/**
 * The bytes of scratch that lcc_problem_draw_prior_f64 needs.
 *
 * @param problem  the posterior
 * @param data     its data
 * @param bytes    out
 * @return LCC_OK, LCC_ERROR_OVERFLOW, or what is wrong with problem or data
 */
int32_t lcc_problem_prior_scratch_f64(const lcc_problem_f64 *problem,
                                      const lcc_data_f64 *data,
                                      size_t *bytes);

/**
 * Independent draws of w from the prior p0: out[k * dim + j] is coordinate j of draw k. One seed names
 * one sequence, so that more draws begin with the same ones.
 *
 * @param problem  the posterior
 * @param data     its data, for their columns
 * @param seed     names the random numbers
 * @param draws    how many, at least 1
 * @param scratch  lcc_problem_prior_scratch_f64 bytes, aligned to 16
 * @param bytes    the bytes at scratch
 * @param out      out: draws * dim values
 * @param len      the values that fit at out
 * @return LCC_OK, LCC_ERROR_DRAWS, LCC_ERROR_CAPACITY, LCC_ERROR_OVERFLOW, LCC_ERROR_MEMORY_SIZE,
 *         LCC_ERROR_MEMORY_ALIGN, or what is wrong with problem or data
 */
int32_t lcc_problem_draw_prior_f64(const lcc_problem_f64 *problem,
                                   const lcc_data_f64 *data,
                                   uint64_t seed,
                                   size_t draws,
                                   uint8_t *scratch,
                                   size_t bytes,
                                   double *out,
                                   size_t len);

/**
 * Writes the defaults: a greedy posterior with tanh under N(0, I), alpha = 1/sqrt(n).
 *
 * @param problem  out
 * @param n        the rows of the data that will go with it, at least 1
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_EMPTY
 */
int32_t lcc_problem_default_f32(lcc_problem_f32 *problem, size_t n);

/**
 * The coordinates of w: d (greedy), M d (joint; w_1 first) or dim (user).
 *
 * @param problem  the posterior
 * @param data     its data
 * @param dim      out
 * @return LCC_OK, or what is wrong with problem or data
 */
int32_t lcc_problem_dim_f32(const lcc_problem_f32 *problem, const lcc_data_f32 *data, size_t *dim);

/**
 * The bytes of scratch that lcc_problem_log_density_f32 needs.
 *
 * @param problem  the posterior
 * @param data     its data
 * @param bytes    out
 * @return LCC_OK, LCC_ERROR_OVERFLOW, or what is wrong with problem or data
 */
int32_t lcc_problem_scratch_f32(const lcc_problem_f32 *problem,
                                const lcc_data_f32 *data,
                                size_t *bytes);

/**
 * log p(w) up to the posterior's own constant (the prior is normalised) and its gradient: what the
 * samplers see, and a density for any other program. 4 n dim flops and n activations (n M for the
 * joint posterior). Outside the l1 ball the density is -infinity and the gradient that of the
 * likelihood alone.
 *
 * @param problem      the posterior
 * @param data         its data
 * @param w            dim values
 * @param scratch      lcc_problem_scratch_f32 bytes, aligned to 16
 * @param bytes        the bytes at scratch
 * @param log_density  out
 * @param gradient     out: dim values
 * @return LCC_OK, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN, or what is wrong with problem or data
 */
int32_t lcc_problem_log_density_f32(const lcc_problem_f32 *problem,
                                    const lcc_data_f32 *data,
                                    const float *w,
                                    uint8_t *scratch,
                                    size_t bytes,
                                    float *log_density,
                                    float *gradient);

/**
 * The bytes of scratch that lcc_problem_draw_prior_f32 needs.
 *
 * @param problem  the posterior
 * @param data     its data
 * @param bytes    out
 * @return LCC_OK, LCC_ERROR_OVERFLOW, or what is wrong with problem or data
 */
int32_t lcc_problem_prior_scratch_f32(const lcc_problem_f32 *problem,
                                      const lcc_data_f32 *data,
                                      size_t *bytes);

/**
 * Independent draws of w from the prior p0: out[k * dim + j] is coordinate j of draw k. One seed names
 * one sequence, so that more draws begin with the same ones.
 *
 * @param problem  the posterior
 * @param data     its data, for their columns
 * @param seed     names the random numbers
 * @param draws    how many, at least 1
 * @param scratch  lcc_problem_prior_scratch_f32 bytes, aligned to 16
 * @param bytes    the bytes at scratch
 * @param out      out: draws * dim values
 * @param len      the values that fit at out
 * @return LCC_OK, LCC_ERROR_DRAWS, LCC_ERROR_CAPACITY, LCC_ERROR_OVERFLOW, LCC_ERROR_MEMORY_SIZE,
 *         LCC_ERROR_MEMORY_ALIGN, or what is wrong with problem or data
 */
int32_t lcc_problem_draw_prior_f32(const lcc_problem_f32 *problem,
                                   const lcc_data_f32 *data,
                                   uint64_t seed,
                                   size_t draws,
                                   uint8_t *scratch,
                                   size_t bytes,
                                   float *out,
                                   size_t len);

/* ================================================================================================
 * Draws and their diagnostics
 * ================================================================================================ */

/**
 * The draws of one scalar quantity, where they lie: draw t of chain c is
 * data[c * chain_stride + t * draw_stride].
 */
typedef struct {
    /**
     * The first draw of the first chain.
     */
    const double *data;
    /**
     * Chains.
     */
    size_t chains;
    /**
     * Draws of each chain.
     */
    size_t draws;
    /**
     * Elements from one chain to the next.
     */
    size_t chain_stride;
    /**
     * Elements from one draw to the next.
     */
    size_t draw_stride;
} lcc_draws_f64;

/**
 * What the draws of one quantity say, with every definition as in ArviZ (rank-normalised split
 * R-hat, bulk and tail effective sample size: Vehtari et al. 2021). NaN where a value is undefined:
 * fewer than 4 draws a chain, or draws that are not finite.
 */
typedef struct {
    /**
     * The mean of all draws.
     */
    double mean;
    /**
     * Their standard deviation.
     */
    double sd;
    /**
     * 5 % quantile.
     */
    double q5;
    /**
     * Median.
     */
    double median;
    /**
     * 95 % quantile.
     */
    double q95;
    /**
     * The Monte Carlo standard error of the mean.
     */
    double mcse_mean;
    /**
     * The Monte Carlo standard error of the standard deviation.
     */
    double mcse_sd;
    /**
     * The effective sample size of the bulk.
     */
    double ess_bulk;
    /**
     * The effective sample size of the tails.
     */
    double ess_tail;
    /**
     * R-hat: above 1.01 the chains do not agree.
     */
    double rhat;
} lcc_summary_f64;

/**
 * The draws of one scalar quantity, where they lie: draw t of chain c is
 * data[c * chain_stride + t * draw_stride].
 */
typedef struct {
    /**
     * The first draw of the first chain.
     */
    const float *data;
    /**
     * Chains.
     */
    size_t chains;
    /**
     * Draws of each chain.
     */
    size_t draws;
    /**
     * Elements from one chain to the next.
     */
    size_t chain_stride;
    /**
     * Elements from one draw to the next.
     */
    size_t draw_stride;
} lcc_draws_f32;

/**
 * What the draws of one quantity say, with every definition as in ArviZ (rank-normalised split
 * R-hat, bulk and tail effective sample size: Vehtari et al. 2021). NaN where a value is undefined:
 * fewer than 4 draws a chain, or draws that are not finite.
 */
typedef struct {
    /**
     * The mean of all draws.
     */
    float mean;
    /**
     * Their standard deviation.
     */
    float sd;
    /**
     * 5 % quantile.
     */
    float q5;
    /**
     * Median.
     */
    float median;
    /**
     * 95 % quantile.
     */
    float q95;
    /**
     * The Monte Carlo standard error of the mean.
     */
    float mcse_mean;
    /**
     * The Monte Carlo standard error of the standard deviation.
     */
    float mcse_sd;
    /**
     * The effective sample size of the bulk.
     */
    float ess_bulk;
    /**
     * The effective sample size of the tails.
     */
    float ess_tail;
    /**
     * R-hat: above 1.01 the chains do not agree.
     */
    float rhat;
} lcc_summary_f32;

/**
 * The bytes of scratch that lcc_draws_summarise_f64 and lcc_draws_quantile_f64 need.
 *
 * @param chains  chains
 * @param draws   draws of each chain
 * @param bytes   out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_OVERFLOW
 */
int32_t lcc_draws_scratch_f64(size_t chains, size_t draws, size_t *bytes);

/**
 * Summarises the draws of one quantity. Sorts: about S log S comparisons for S draws in all, and S
 * multiply-adds for each lag until the autocorrelation is gone.
 *
 * @param draws    the draws
 * @param scratch  lcc_draws_scratch_f64 bytes, aligned for double
 * @param bytes    the bytes at scratch
 * @param summary  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_EMPTY, LCC_ERROR_OVERFLOW, LCC_ERROR_MISALIGNED,
 *         LCC_ERROR_MEMORY_SIZE
 */
int32_t lcc_draws_summarise_f64(const lcc_draws_f64 *draws,
                                uint8_t *scratch,
                                size_t bytes,
                                lcc_summary_f64 *summary);

/**
 * A quantile of all draws, and the effective sample size of its estimate.
 *
 * @param draws     the draws
 * @param p         a probability inside (0, 1)
 * @param scratch   lcc_draws_scratch_f64 bytes, aligned for double
 * @param bytes     the bytes at scratch
 * @param quantile  out
 * @param ess       out: NaN as in a summary
 * @return as lcc_draws_summarise_f64; LCC_ERROR_PROBABILITY
 */
int32_t lcc_draws_quantile_f64(const lcc_draws_f64 *draws,
                               double p,
                               uint8_t *scratch,
                               size_t bytes,
                               double *quantile,
                               double *ess);

/**
 * E-BFMI of one chain from its energies (Betancourt 2016): below .3 the momenta hardly move the
 * energy.
 *
 * @param energy  the energies of every chain
 * @param chain   which chain
 * @param e_bfmi  out: NaN for fewer than two draws or a constant chain
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_EMPTY, LCC_ERROR_OVERFLOW, LCC_ERROR_INDEX
 */
int32_t lcc_draws_e_bfmi_f64(const lcc_draws_f64 *energy, size_t chain, double *e_bfmi);

/**
 * The means of pairs of chains, draw by draw, chain by chain: of antithetic pairs, the draws whose
 * mcse_mean is the standard error of the mean of all draws.
 *
 * @param draws     2 k chains; a last one without a partner is left out
 * @param means     out: a view of values, k chains
 * @param values    out: k * draws values
 * @param capacity  the values there is room for
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_EMPTY (fewer than two chains), LCC_ERROR_OVERFLOW,
 *         LCC_ERROR_CAPACITY
 */
int32_t lcc_draws_pair_means_f64(const lcc_draws_f64 *draws,
                                 lcc_draws_f64 *means,
                                 double *values,
                                 size_t capacity);

/**
 * The bytes of scratch that lcc_draws_summarise_f32 and lcc_draws_quantile_f32 need.
 *
 * @param chains  chains
 * @param draws   draws of each chain
 * @param bytes   out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_OVERFLOW
 */
int32_t lcc_draws_scratch_f32(size_t chains, size_t draws, size_t *bytes);

/**
 * Summarises the draws of one quantity. Sorts: about S log S comparisons for S draws in all, and S
 * multiply-adds for each lag until the autocorrelation is gone.
 *
 * @param draws    the draws
 * @param scratch  lcc_draws_scratch_f32 bytes, aligned for float
 * @param bytes    the bytes at scratch
 * @param summary  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_EMPTY, LCC_ERROR_OVERFLOW, LCC_ERROR_MISALIGNED,
 *         LCC_ERROR_MEMORY_SIZE
 */
int32_t lcc_draws_summarise_f32(const lcc_draws_f32 *draws,
                                uint8_t *scratch,
                                size_t bytes,
                                lcc_summary_f32 *summary);

/**
 * A quantile of all draws, and the effective sample size of its estimate.
 *
 * @param draws     the draws
 * @param p         a probability inside (0, 1)
 * @param scratch   lcc_draws_scratch_f32 bytes, aligned for float
 * @param bytes     the bytes at scratch
 * @param quantile  out
 * @param ess       out: NaN as in a summary
 * @return as lcc_draws_summarise_f32; LCC_ERROR_PROBABILITY
 */
int32_t lcc_draws_quantile_f32(const lcc_draws_f32 *draws,
                               float p,
                               uint8_t *scratch,
                               size_t bytes,
                               float *quantile,
                               float *ess);

/**
 * E-BFMI of one chain from its energies (Betancourt 2016): below .3 the momenta hardly move the
 * energy.
 *
 * @param energy  the energies of every chain
 * @param chain   which chain
 * @param e_bfmi  out: NaN for fewer than two draws or a constant chain
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_EMPTY, LCC_ERROR_OVERFLOW, LCC_ERROR_INDEX
 */
int32_t lcc_draws_e_bfmi_f32(const lcc_draws_f32 *energy, size_t chain, float *e_bfmi);

/**
 * The means of pairs of chains, draw by draw, chain by chain: of antithetic pairs, the draws whose
 * mcse_mean is the standard error of the mean of all draws.
 *
 * @param draws     2 k chains; a last one without a partner is left out
 * @param means     out: a view of values, k chains
 * @param values    out: k * draws values
 * @param capacity  the values there is room for
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_EMPTY (fewer than two chains), LCC_ERROR_OVERFLOW,
 *         LCC_ERROR_CAPACITY
 */
int32_t lcc_draws_pair_means_f32(const lcc_draws_f32 *draws,
                                 lcc_draws_f32 *means,
                                 float *values,
                                 size_t capacity);

/* ================================================================================================
 * Samplers
 * ================================================================================================ */

/**
 * rho by the sign of the residual: never larger than the two-sided, zero where no help is needed.
 */
#define LCC_COUPLING_ONE_SIDED 0

/**
 * rho = alpha sup|psi''| |r_i|, as printed in the papers.
 */
#define LCC_COUPLING_TWO_SIDED 1

/**
 * Log density of the draw: likelihood and normalised prior, the posterior's constant left out.
 */
#define LCC_TRACE_LOG_DENSITY 0

/**
 * The mean probability of acceptance of the iteration's transitions.
 */
#define LCC_TRACE_ACCEPT 1

/**
 * The energy of the iteration's last transition.
 */
#define LCC_TRACE_ENERGY 2

/**
 * 1 where a transition of the iteration diverged, else 0.
 */
#define LCC_TRACE_DIVERGENT 3

/**
 * A sampler of a posterior, in the caller's memory.
 */
typedef struct lcc_sampler_f32 lcc_sampler_f32;

/**
 * A sampler of a posterior, in the caller's memory.
 */
typedef struct lcc_sampler_f64 lcc_sampler_f64;

/**
 * What a sampler is asked to do.
 */
typedef struct {
    /**
     * The bytes of this struct, as the defaults have it.
     */
    uint32_t struct_size;
    /**
     * An LCC_METHOD_ code. Default: split-HMC.
     */
    int32_t method;
    /**
     * Methods on xi: LCC_COUPLING_ONE_SIDED or LCC_COUPLING_TWO_SIDED. Default: one-sided.
     */
    int32_t coupling;
    /**
     * Methods on xi: 1 couples only by the precision that the Gaussian prior's own curvature does not
     * give. Refused under the l1 prior. Default 0.
     */
    uint32_t reduced;
    /**
     * An LCC_REFERENCE_ code: what split HMC solves exactly, independence proposes from, and the steps
     * of the others are scaled by. A fitted one needs lcc_sampler_init_from_smc_f64. Default: the
     * prior.
     */
    int32_t reference;
    /**
     * 1 runs chains 2 k and 2 k + 1 on the same random numbers, normals negated. Each is as exact as
     * alone; take R-hat and ESS from one chain of each pair (double chain_stride, halve chains),
     * standard errors from the means of pairs (lcc_draws_pair_means_f64). Needs an even number of chains. Default 0.
     */
    uint32_t antithetic;
    /**
     * Chains, at least 1. Default 8.
     */
    uint32_t chains;
    /**
     * Chains that advance in lock-step: 1 or 8. Changes speed and memory, never a number.
     * Default 8.
     */
    uint32_t lanes;
    /**
     * Iterations of each chain that adapt its step size and are discarded. Default 1000.
     */
    uint32_t warmup;
    /**
     * Iterations of each chain that count, at least 1. Default 1000.
     */
    uint32_t draws;
    /**
     * How many of them are stored, evenly spread; 0 keeps moments only. Default 1000.
     */
    uint32_t stored;
    /**
     * Split HMC, HMC and reflection: evaluations of the gradient in one transition, at least 1. Default 4.
     */
    uint32_t leapfrogs;
    /**
     * Methods on xi: inner transitions for each xi, at least 1. Default 1.
     */
    uint32_t inner;
    /**
     * Langevin on xi, reverse diffusion: 1 starts every inner chain afresh from the prior, 0 where the
     * last one ended. Default 0.
     */
    uint32_t fresh;
    /**
     * The same: transitions of a fresh inner chain before those that are averaged. Default 10.
     */
    uint32_t burn_in;
    /**
     * Reverse diffusion: steps from tau* to 0, at least 1. Default 8.
     */
    uint32_t levels;
    /**
     * 1 does without the CPU's wide instructions. Changes speed, never a number. Default 0.
     */
    uint32_t portable;
    /**
     * Methods on xi: the kernel of w given xi, the LCC_METHOD_ code of an exact method that is not on xi
     * itself. Default: split HMC.
     */
    int32_t inner_method;
    /**
     * The number of the first chain: chain k is chain first_chain + k of an object from 0 on, to the bit. For
     * chains dealt to threads, processes or machines: lcc_sampler_join_f64. Even in
     * antithetic pairs. Default 0.
     */
    uint32_t first_chain;
    /**
     * Must be 0.
     */
    uint32_t reserved;
    /**
     * Names the random numbers. Default 1.
     */
    uint64_t seed;
    /**
     * Split HMC and HMC: the mean probability of acceptance that the step size is adapted to, inside
     * (0, 1). Default .85.
     */
    double target_accept;
    /**
     * The longest transition, in radians of the rotation under the reference (reflection: in prior sds of
     * a coordinate); in (0, 3].
     * Default 1.6.
     */
    double total_time;
    /**
     * Each transition scales its step by a uniform factor in 1 +- jitter; in [0, 1). Default .2.
     */
    double jitter;
    /**
     * Langevin: the step h, in (0, 2]. Default .25.
     */
    double langevin_step;
    /**
     * Reverse diffusion: tau*, in (0, 4]; it ends at a coupling e^(2 tau*) times as precise as that at
     * which it begins. Default .7.
     */
    double diffusion_time;
} lcc_sampler_options_f64;

/**
 * Where an object is.
 */
typedef struct {
    /**
     * Units of work done ...
     */
    uint64_t done;
    /**
     * ... of this many.
     */
    uint64_t total;
    /**
     * Draws that every chain has made.
     */
    uint64_t draws;
    /**
     * Evaluations of the gradient so far, summed over chains.
     */
    uint64_t gradients;
    /**
     * 1 before the first draw: starting and adapting.
     */
    uint32_t warming;
    /**
     * Must be ignored.
     */
    uint32_t reserved;
} lcc_progress;

/**
 * What a sampler is asked to do.
 */
typedef struct {
    /**
     * The bytes of this struct, as the defaults have it.
     */
    uint32_t struct_size;
    /**
     * An LCC_METHOD_ code. Default: split-HMC.
     */
    int32_t method;
    /**
     * Methods on xi: LCC_COUPLING_ONE_SIDED or LCC_COUPLING_TWO_SIDED. Default: one-sided.
     */
    int32_t coupling;
    /**
     * Methods on xi: 1 couples only by the precision that the Gaussian prior's own curvature does not
     * give. Refused under the l1 prior. Default 0.
     */
    uint32_t reduced;
    /**
     * An LCC_REFERENCE_ code: what split HMC solves exactly, independence proposes from, and the steps
     * of the others are scaled by. A fitted one needs lcc_sampler_init_from_smc_f32. Default: the
     * prior.
     */
    int32_t reference;
    /**
     * 1 runs chains 2 k and 2 k + 1 on the same random numbers, normals negated. Each is as exact as
     * alone; take R-hat and ESS from one chain of each pair (double chain_stride, halve chains),
     * standard errors from the means of pairs (lcc_draws_pair_means_f32). Needs an even number of chains. Default 0.
     */
    uint32_t antithetic;
    /**
     * Chains, at least 1. Default 8.
     */
    uint32_t chains;
    /**
     * Chains that advance in lock-step: 1 or 8. Changes speed and memory, never a number.
     * Default 8.
     */
    uint32_t lanes;
    /**
     * Iterations of each chain that adapt its step size and are discarded. Default 1000.
     */
    uint32_t warmup;
    /**
     * Iterations of each chain that count, at least 1. Default 1000.
     */
    uint32_t draws;
    /**
     * How many of them are stored, evenly spread; 0 keeps moments only. Default 1000.
     */
    uint32_t stored;
    /**
     * Split HMC, HMC and reflection: evaluations of the gradient in one transition, at least 1. Default 4.
     */
    uint32_t leapfrogs;
    /**
     * Methods on xi: inner transitions for each xi, at least 1. Default 1.
     */
    uint32_t inner;
    /**
     * Langevin on xi, reverse diffusion: 1 starts every inner chain afresh from the prior, 0 where the
     * last one ended. Default 0.
     */
    uint32_t fresh;
    /**
     * The same: transitions of a fresh inner chain before those that are averaged. Default 10.
     */
    uint32_t burn_in;
    /**
     * Reverse diffusion: steps from tau* to 0, at least 1. Default 8.
     */
    uint32_t levels;
    /**
     * 1 does without the CPU's wide instructions. Changes speed, never a number. Default 0.
     */
    uint32_t portable;
    /**
     * Methods on xi: the kernel of w given xi, the LCC_METHOD_ code of an exact method that is not on xi
     * itself. Default: split HMC.
     */
    int32_t inner_method;
    /**
     * The number of the first chain: chain k is chain first_chain + k of an object from 0 on, to the bit. For
     * chains dealt to threads, processes or machines: lcc_sampler_join_f32. Even in
     * antithetic pairs. Default 0.
     */
    uint32_t first_chain;
    /**
     * Must be 0.
     */
    uint32_t reserved;
    /**
     * Names the random numbers. Default 1.
     */
    uint64_t seed;
    /**
     * Split HMC and HMC: the mean probability of acceptance that the step size is adapted to, inside
     * (0, 1). Default .85.
     */
    float target_accept;
    /**
     * The longest transition, in radians of the rotation under the reference (reflection: in prior sds of
     * a coordinate); in (0, 3].
     * Default 1.6.
     */
    float total_time;
    /**
     * Each transition scales its step by a uniform factor in 1 +- jitter; in [0, 1). Default .2.
     */
    float jitter;
    /**
     * Langevin: the step h, in (0, 2]. Default .25.
     */
    float langevin_step;
    /**
     * Reverse diffusion: tau*, in (0, 4]; it ends at a coupling e^(2 tau*) times as precise as that at
     * which it begins. Default .7.
     */
    float diffusion_time;
} lcc_sampler_options_f32;

/**
 * Writes the defaults.
 *
 * @param options  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_MISALIGNED
 */
int32_t lcc_sampler_options_default_f64(lcc_sampler_options_f64 *options);

/**
 * The bytes that a sampler takes, at an address that is a multiple of 16.
 *
 * @param options  what to do
 * @param problem  what to sample
 * @param data     its data
 * @param bytes    out
 * @return LCC_OK, LCC_ERROR_OVERFLOW, LCC_ERROR_NO_COUPLING, or what is wrong with an argument
 */
int32_t lcc_sampler_size_f64(const lcc_sampler_options_f64 *options,
                             const lcc_problem_f64 *problem,
                             const lcc_data_f64 *data,
                             size_t *bytes);

/**
 * Builds a sampler at the start of a block of memory. Reads the data, and for a coupled method forms
 * rho and its d x d factor (3 n d^2 flops). Chains start at draws from the prior in the first step.
 *
 * @param memory   lcc_sampler_size_f64 bytes, aligned to 16
 * @param bytes    the bytes at memory
 * @param options  what to do
 * @param problem  what to sample
 * @param data     its data
 * @param sampler  out: the handle, which is memory itself
 * @return LCC_OK, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN, LCC_ERROR_IMPROPER,
 *         LCC_ERROR_NO_COUPLING, LCC_ERROR_REDUCED, LCC_ERROR_NO_GRADIENT, LCC_ERROR_NO_PILOT,
 *         LCC_ERROR_NEEDS_BALL, or what is wrong with an argument
 */
int32_t lcc_sampler_init_f64(uint8_t *memory,
                             size_t bytes,
                             const lcc_sampler_options_f64 *options,
                             const lcc_problem_f64 *problem,
                             const lcc_data_f64 *data,
                             lcc_sampler_f64 **sampler);

/**
 * Works until the budget is used up, or to the end. A unit of work (one transition of a block of
 * chains) is never split: a call overshoots by less than (leapfrogs + 1) * n * lanes
 * (hit-and-run: 65 * n * lanes for each of its lines, mostly 10). Each call also
 * reads the data once to know them again, so give it many times n.
 *
 * @param sampler  the handle
 * @param problem  what it was made with
 * @param data     its data, unchanged
 * @param budget   rows of data times chains to visit; any positive budget advances
 * @return LCC_RUNNING, LCC_DONE, LCC_ERROR_HANDLE, LCC_ERROR_DATA_CHANGED,
 *         LCC_ERROR_NOT_FINITE_VALUE (the density is not finite at a start), or what is wrong with an argument
 */
int32_t lcc_sampler_step_f64(lcc_sampler_f64 *sampler,
                             const lcc_problem_f64 *problem,
                             const lcc_data_f64 *data,
                             uint64_t budget);

/**
 * Where a sampler is. A unit of its work is one iteration of every chain.
 *
 * @param sampler   the handle
 * @param progress  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE
 */
int32_t lcc_sampler_progress_f64(const lcc_sampler_f64 *sampler, lcc_progress *progress);

/**
 * The stored draws of one coordinate of w so far: a view into the sampler's memory, valid until the
 * next step.
 *
 * @param sampler     the handle
 * @param coordinate  below lcc_problem_dim_f64 (neuron m's coordinate j is m * d + j)
 * @param draws       out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX, LCC_ERROR_NOT_DONE
 */
int32_t lcc_sampler_draws_f64(const lcc_sampler_f64 *sampler,
                              size_t coordinate,
                              lcc_draws_f64 *draws);

/**
 * What is recorded beside each stored draw: a view as lcc_sampler_draws_f64 gives.
 *
 * @param sampler  the handle
 * @param trace    an LCC_TRACE_ code
 * @param draws    out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX, LCC_ERROR_NOT_DONE
 */
int32_t lcc_sampler_trace_f64(const lcc_sampler_f64 *sampler, int32_t trace, lcc_draws_f64 *draws);

/**
 * Mean and variance of each coordinate of w over all draws of one chain so far, stored or not.
 *
 * @param sampler   the handle
 * @param chain     which
 * @param mean      out: dim values
 * @param variance  out: dim values (denominator draws - 1; NaN below two draws)
 * @param dim       lcc_problem_dim_f64
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX, LCC_ERROR_CAPACITY
 */
int32_t lcc_sampler_moments_f64(const lcc_sampler_f64 *sampler,
                                size_t chain,
                                double *mean,
                                double *variance,
                                size_t dim);

/**
 * R-hat of one coordinate from the means and variances of the chains, over every draw so far, stored
 * or not (Gelman and Rubin 1992: not split, not rank-normalised; blind to a drift that all chains
 * share). The check that is left where there is no memory for draws.
 *
 * @param sampler     the handle
 * @param coordinate  of w
 * @param rhat        out: NaN for one chain
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX, LCC_ERROR_NOT_DONE before the
 *         second draw
 */
int32_t lcc_sampler_rhat_f64(const lcc_sampler_f64 *sampler,
                             size_t coordinate,
                             double *rhat);

/**
 * The step size of one chain, in radians of the rotation under the reference.
 *
 * @param sampler    the handle
 * @param chain      which
 * @param step_size  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX
 */
int32_t lcc_sampler_step_size_f64(const lcc_sampler_f64 *sampler, size_t chain, double *step_size);

/**
 * The network's output at one row for every stored draw: psi(x_q.w) (greedy) or f(x_q; W) (joint).
 * Its expectation is what the papers ask for, and its R-hat what to look at: weights may be
 * permuted from draw to draw, outputs may not.
 *
 * @param sampler  the handle
 * @param problem  what it was made with
 * @param queries  rows with the inputs of the data; y may be NULL
 * @param row      which of them
 * @param out      out: draw t of chain c at out[c * draws + t], draws being those stored so far
 * @param len      the values at out, at least chains * draws
 * @param draws    out: a view of them, ready for lcc_draws_summarise_f64
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX, LCC_ERROR_INPUTS,
 *         LCC_ERROR_CAPACITY, LCC_ERROR_NOT_DONE, or what is wrong with an argument
 */
int32_t lcc_sampler_output_f64(const lcc_sampler_f64 *sampler,
                               const lcc_problem_f64 *problem,
                               const lcc_data_f64 *queries,
                               size_t row,
                               double *out,
                               size_t len,
                               lcc_draws_f64 *draws);

/**
 * Puts chains together that ran apart, in threads, processes or machines: takes over the chains of parts
 * and becomes, in everything that it reports or goes on to draw, bit for bit the sampler that would have run
 * them all.
 *
 * Parts are handles of the same data and options, chains, first_chain, lanes and portable apart, in the
 * order of their chains and without a gap. All stand at the same place, between iterations of all chains: at their
 * end, or where steps of a budget of 1, which never go past one, have brought them. What the sampler
 * held before does not matter: a part may as well be made from a whole, to go on with its share. Parts from other
 * processes come as checkpoints. Copies, no flops.
 *
 * @param sampler   the handle: made as if to run all chains
 * @param parts    handles, none of them this one; unchanged
 * @param count    how many
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_PARTS
 */
int32_t lcc_sampler_join_f64(lcc_sampler_f64 *sampler,
                             const lcc_sampler_f64 *const *parts,
                             size_t count);

/**
 * The bytes of a checkpoint.
 *
 * @param sampler  the handle
 * @param bytes    out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE
 */
int32_t lcc_sampler_checkpoint_size_f64(const lcc_sampler_f64 *sampler, size_t *bytes);

/**
 * Seals a copy of a sampler, to be restored on any machine of the same byte order. Going on from
 * it gives the bits that running on would have given.
 *
 * @param sampler     the handle
 * @param checkpoint  out: lcc_sampler_checkpoint_size_f64 bytes, of any alignment
 * @param bytes       the bytes at checkpoint
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_MEMORY_SIZE
 */
int32_t lcc_sampler_checkpoint_f64(const lcc_sampler_f64 *sampler,
                                   uint8_t *checkpoint,
                                   size_t bytes);

/**
 * Builds a sampler from a checkpoint, in as much memory as the one that was sealed.
 *
 * @param memory            aligned to 16
 * @param bytes             the bytes at memory
 * @param checkpoint        what lcc_sampler_checkpoint_f64 wrote
 * @param checkpoint_bytes  its bytes
 * @param sampler           out: the handle
 * @return LCC_OK, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN, LCC_ERROR_IMAGE_TRUNCATED, _MAGIC,
 *         _NEWER, _CORRUPT, _KIND
 */
int32_t lcc_sampler_restore_f64(uint8_t *memory,
                                size_t bytes,
                                const uint8_t *checkpoint,
                                size_t checkpoint_bytes,
                                lcc_sampler_f64 **sampler);

/**
 * Writes the defaults.
 *
 * @param options  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_MISALIGNED
 */
int32_t lcc_sampler_options_default_f32(lcc_sampler_options_f32 *options);

/**
 * The bytes that a sampler takes, at an address that is a multiple of 16.
 *
 * @param options  what to do
 * @param problem  what to sample
 * @param data     its data
 * @param bytes    out
 * @return LCC_OK, LCC_ERROR_OVERFLOW, LCC_ERROR_NO_COUPLING, or what is wrong with an argument
 */
int32_t lcc_sampler_size_f32(const lcc_sampler_options_f32 *options,
                             const lcc_problem_f32 *problem,
                             const lcc_data_f32 *data,
                             size_t *bytes);

/**
 * Builds a sampler at the start of a block of memory. Reads the data, and for a coupled method forms
 * rho and its d x d factor (3 n d^2 flops). Chains start at draws from the prior in the first step.
 *
 * @param memory   lcc_sampler_size_f32 bytes, aligned to 16
 * @param bytes    the bytes at memory
 * @param options  what to do
 * @param problem  what to sample
 * @param data     its data
 * @param sampler  out: the handle, which is memory itself
 * @return LCC_OK, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN, LCC_ERROR_IMPROPER,
 *         LCC_ERROR_NO_COUPLING, LCC_ERROR_REDUCED, LCC_ERROR_NO_GRADIENT, LCC_ERROR_NO_PILOT,
 *         LCC_ERROR_NEEDS_BALL, or what is wrong with an argument
 */
int32_t lcc_sampler_init_f32(uint8_t *memory,
                             size_t bytes,
                             const lcc_sampler_options_f32 *options,
                             const lcc_problem_f32 *problem,
                             const lcc_data_f32 *data,
                             lcc_sampler_f32 **sampler);

/**
 * Works until the budget is used up, or to the end. A unit of work (one transition of a block of
 * chains) is never split: a call overshoots by less than (leapfrogs + 1) * n * lanes
 * (hit-and-run: 65 * n * lanes for each of its lines, mostly 10). Each call also
 * reads the data once to know them again, so give it many times n.
 *
 * @param sampler  the handle
 * @param problem  what it was made with
 * @param data     its data, unchanged
 * @param budget   rows of data times chains to visit; any positive budget advances
 * @return LCC_RUNNING, LCC_DONE, LCC_ERROR_HANDLE, LCC_ERROR_DATA_CHANGED,
 *         LCC_ERROR_NOT_FINITE_VALUE (the density is not finite at a start), or what is wrong with an argument
 */
int32_t lcc_sampler_step_f32(lcc_sampler_f32 *sampler,
                             const lcc_problem_f32 *problem,
                             const lcc_data_f32 *data,
                             uint64_t budget);

/**
 * Where a sampler is. A unit of its work is one iteration of every chain.
 *
 * @param sampler   the handle
 * @param progress  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE
 */
int32_t lcc_sampler_progress_f32(const lcc_sampler_f32 *sampler, lcc_progress *progress);

/**
 * The stored draws of one coordinate of w so far: a view into the sampler's memory, valid until the
 * next step.
 *
 * @param sampler     the handle
 * @param coordinate  below lcc_problem_dim_f32 (neuron m's coordinate j is m * d + j)
 * @param draws       out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX, LCC_ERROR_NOT_DONE
 */
int32_t lcc_sampler_draws_f32(const lcc_sampler_f32 *sampler,
                              size_t coordinate,
                              lcc_draws_f32 *draws);

/**
 * What is recorded beside each stored draw: a view as lcc_sampler_draws_f32 gives.
 *
 * @param sampler  the handle
 * @param trace    an LCC_TRACE_ code
 * @param draws    out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX, LCC_ERROR_NOT_DONE
 */
int32_t lcc_sampler_trace_f32(const lcc_sampler_f32 *sampler, int32_t trace, lcc_draws_f32 *draws);

/**
 * Mean and variance of each coordinate of w over all draws of one chain so far, stored or not.
 *
 * @param sampler   the handle
 * @param chain     which
 * @param mean      out: dim values
 * @param variance  out: dim values (denominator draws - 1; NaN below two draws)
 * @param dim       lcc_problem_dim_f32
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX, LCC_ERROR_CAPACITY
 */
int32_t lcc_sampler_moments_f32(const lcc_sampler_f32 *sampler,
                                size_t chain,
                                float *mean,
                                float *variance,
                                size_t dim);

/**
 * R-hat of one coordinate from the means and variances of the chains, over every draw so far, stored
 * or not (Gelman and Rubin 1992: not split, not rank-normalised; blind to a drift that all chains
 * share). The check that is left where there is no memory for draws.
 *
 * @param sampler     the handle
 * @param coordinate  of w
 * @param rhat        out: NaN for one chain
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX, LCC_ERROR_NOT_DONE before the
 *         second draw
 */
int32_t lcc_sampler_rhat_f32(const lcc_sampler_f32 *sampler,
                             size_t coordinate,
                             float *rhat);

/**
 * The step size of one chain, in radians of the rotation under the reference.
 *
 * @param sampler    the handle
 * @param chain      which
 * @param step_size  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX
 */
int32_t lcc_sampler_step_size_f32(const lcc_sampler_f32 *sampler, size_t chain, float *step_size);

/**
 * The network's output at one row for every stored draw: psi(x_q.w) (greedy) or f(x_q; W) (joint).
 * Its expectation is what the papers ask for, and its R-hat what to look at: weights may be
 * permuted from draw to draw, outputs may not.
 *
 * @param sampler  the handle
 * @param problem  what it was made with
 * @param queries  rows with the inputs of the data; y may be NULL
 * @param row      which of them
 * @param out      out: draw t of chain c at out[c * draws + t], draws being those stored so far
 * @param len      the values at out, at least chains * draws
 * @param draws    out: a view of them, ready for lcc_draws_summarise_f32
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX, LCC_ERROR_INPUTS,
 *         LCC_ERROR_CAPACITY, LCC_ERROR_NOT_DONE, or what is wrong with an argument
 */
int32_t lcc_sampler_output_f32(const lcc_sampler_f32 *sampler,
                               const lcc_problem_f32 *problem,
                               const lcc_data_f32 *queries,
                               size_t row,
                               float *out,
                               size_t len,
                               lcc_draws_f32 *draws);

/**
 * Puts chains together that ran apart, in threads, processes or machines: takes over the chains of parts
 * and becomes, in everything that it reports or goes on to draw, bit for bit the sampler that would have run
 * them all.
 *
 * Parts are handles of the same data and options, chains, first_chain, lanes and portable apart, in the
 * order of their chains and without a gap. All stand at the same place, between iterations of all chains: at their
 * end, or where steps of a budget of 1, which never go past one, have brought them. What the sampler
 * held before does not matter: a part may as well be made from a whole, to go on with its share. Parts from other
 * processes come as checkpoints. Copies, no flops.
 *
 * @param sampler   the handle: made as if to run all chains
 * @param parts    handles, none of them this one; unchanged
 * @param count    how many
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_PARTS
 */
int32_t lcc_sampler_join_f32(lcc_sampler_f32 *sampler,
                             const lcc_sampler_f32 *const *parts,
                             size_t count);

/**
 * The bytes of a checkpoint.
 *
 * @param sampler  the handle
 * @param bytes    out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE
 */
int32_t lcc_sampler_checkpoint_size_f32(const lcc_sampler_f32 *sampler, size_t *bytes);

/**
 * Seals a copy of a sampler, to be restored on any machine of the same byte order. Going on from
 * it gives the bits that running on would have given.
 *
 * @param sampler     the handle
 * @param checkpoint  out: lcc_sampler_checkpoint_size_f32 bytes, of any alignment
 * @param bytes       the bytes at checkpoint
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_MEMORY_SIZE
 */
int32_t lcc_sampler_checkpoint_f32(const lcc_sampler_f32 *sampler,
                                   uint8_t *checkpoint,
                                   size_t bytes);

/**
 * Builds a sampler from a checkpoint, in as much memory as the one that was sealed.
 *
 * @param memory            aligned to 16
 * @param bytes             the bytes at memory
 * @param checkpoint        what lcc_sampler_checkpoint_f32 wrote
 * @param checkpoint_bytes  its bytes
 * @param sampler           out: the handle
 * @return LCC_OK, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN, LCC_ERROR_IMAGE_TRUNCATED, _MAGIC,
 *         _NEWER, _CORRUPT, _KIND
 */
int32_t lcc_sampler_restore_f32(uint8_t *memory,
                                size_t bytes,
                                const uint8_t *checkpoint,
                                size_t checkpoint_bytes,
                                lcc_sampler_f32 **sampler);

/* ================================================================================================
 * Sequential Monte Carlo
 * ================================================================================================ */

/**
 * Each temperature as large as leaves the share asked for of the particles: the least work. Its
 * estimate of the evidence has a bias of order 1/particles.
 */
#define LCC_LADDER_ADAPTIVE 0

/**
 * 1/K, 2/K, ..., 1.
 */
#define LCC_LADDER_EVEN 1

/**
 * From the first temperature to 1 by equal factors.
 */
#define LCC_LADDER_GEOMETRIC 2

/**
 * Temperatures of your own, to lcc_smc_init_given_f64 or _f32.
 */
#define LCC_LADDER_GIVEN 3

/**
 * The log likelihood of the draw: particles and tempered chains, which else record the log density alone.
 */
#define LCC_TRACE_LOG_LIKELIHOOD 4

/**
 * Particles that climb from the prior to the posterior, in the caller's memory.
 */
typedef struct lcc_smc_f32 lcc_smc_f32;

/**
 * Particles that climb from the prior to the posterior, in the caller's memory.
 */
typedef struct lcc_smc_f64 lcc_smc_f64;

/**
 * What a run of sequential Monte Carlo is asked to do.
 */
typedef struct {
    /**
     * The bytes of this struct, as the defaults have it.
     */
    uint32_t struct_size;
    /**
     * An LCC_LADDER_ code. Default: adaptive.
     */
    int32_t ladder;
    /**
     * Particles, at least 2 and a multiple of the lanes. Default 1024.
     */
    uint32_t particles;
    /**
     * Particles that advance in lock-step: 1 or 8. Changes speed and memory, never a number.
     * Default 8.
     */
    uint32_t lanes;
    /**
     * Temperatures, at least 1; of an adaptive ladder the most there is room for. Default 100.
     */
    uint32_t stages;
    /**
     * Transitions of every particle at each temperature, at least 1. Default 2.
     */
    uint32_t moves;
    /**
     * Evaluations of the gradient in one transition, at least 1. Default 2: more, shorter transitions adapt
     * sooner, and what a particle does not travel resampling makes up for.
     */
    uint32_t leapfrogs;
    /**
     * 1 adapts the step size to target_accept, 0 leaves it at total_time / leapfrogs; 0, about the prior
     * and on a ladder that is not adaptive, makes the estimate of the evidence unbiased: adaptation leaves a
     * bias of order 1/particles. Default 1.
     */
    uint32_t adapt;
    /**
     * 1 does without the CPU's wide instructions; in Rust, init takes the instruction set. Changes speed,
     * never a number. Default 0.
     */
    uint32_t portable;
    /**
     * An LCC_REFERENCE_ code: what the transitions solve exactly. The Gaussian is fitted once a temperature, to
     * the resampled particles that are then moved, and serves all of them: about a posterior far from the
     * prior steps are longer, at N dim^2 flops a temperature and 2 dim^2 an evaluation more. With leapfrogs 1
     * it gave 1.6 times the effective draws a second on a near-Gaussian greedy posterior of 10 inputs, and up
     * to 20 times the effective draws where coordinates are tied; near the prior, under the l1 prior and with
     * several modes the prior was as good or better. That the fit depends on the particles it moves leaves a
     * bias of order 1/particles in the evidence and in the means, as adaptation does, even on a fixed ladder.
     * For an evidence without bias and particles about a fit, make two runs: a fitted one, then one about the
     * prior on its temperatures, given, with adapt 0. A fit is as narrow as its particles: where a ladder takes
     * steps that leave only a few of them, the prior is the safer reference. The other references are
     * refused. Default: the prior.
     */
    int32_t reference;
    /**
     * Names the random numbers. Default 1.
     */
    uint64_t seed;
    /**
     * Adaptive ladder: the share of the particles that a step may leave, inside (0, 1). Default .5.
     */
    double share;
    /**
     * Geometric ladder: the first temperature, in (0, 1]. Default .01.
     */
    double first;
    /**
     * The mean probability of acceptance that the step size is adapted to, inside (0, 1).
     * Default .85.
     */
    double target_accept;
    /**
     * The first and longest transition, in radians of the reference's rotation: the step starts at
     * total_time / leapfrogs and is never longer. In (0, 3]. Default 1.6.
     */
    double total_time;
    /**
     * Each transition scales its step by a uniform factor in 1 +- jitter; in [0, 1). Default .2.
     */
    double jitter;
} lcc_smc_options_f64;

/**
 * Where a run is.
 */
typedef struct {
    /**
     * Evaluations of the gradient so far, summed over particles.
     */
    uint64_t gradients;
    /**
     * Temperatures done with.
     */
    uint32_t stages;
    /**
     * 1 once the particles are draws from the posterior.
     */
    uint32_t done;
    /**
     * The last temperature that particles were resampled at, 0 before the first, 1 at the end.
     */
    double temperature;
} lcc_climb_f64;

/**
 * What a run of sequential Monte Carlo is asked to do.
 */
typedef struct {
    /**
     * The bytes of this struct, as the defaults have it.
     */
    uint32_t struct_size;
    /**
     * An LCC_LADDER_ code. Default: adaptive.
     */
    int32_t ladder;
    /**
     * Particles, at least 2 and a multiple of the lanes. Default 1024.
     */
    uint32_t particles;
    /**
     * Particles that advance in lock-step: 1 or 8. Changes speed and memory, never a number.
     * Default 8.
     */
    uint32_t lanes;
    /**
     * Temperatures, at least 1; of an adaptive ladder the most there is room for. Default 100.
     */
    uint32_t stages;
    /**
     * Transitions of every particle at each temperature, at least 1. Default 2.
     */
    uint32_t moves;
    /**
     * Evaluations of the gradient in one transition, at least 1. Default 2: more, shorter transitions adapt
     * sooner, and what a particle does not travel resampling makes up for.
     */
    uint32_t leapfrogs;
    /**
     * 1 adapts the step size to target_accept, 0 leaves it at total_time / leapfrogs; 0, about the prior
     * and on a ladder that is not adaptive, makes the estimate of the evidence unbiased: adaptation leaves a
     * bias of order 1/particles. Default 1.
     */
    uint32_t adapt;
    /**
     * 1 does without the CPU's wide instructions; in Rust, init takes the instruction set. Changes speed,
     * never a number. Default 0.
     */
    uint32_t portable;
    /**
     * An LCC_REFERENCE_ code: what the transitions solve exactly. The Gaussian is fitted once a temperature, to
     * the resampled particles that are then moved, and serves all of them: about a posterior far from the
     * prior steps are longer, at N dim^2 flops a temperature and 2 dim^2 an evaluation more. With leapfrogs 1
     * it gave 1.6 times the effective draws a second on a near-Gaussian greedy posterior of 10 inputs, and up
     * to 20 times the effective draws where coordinates are tied; near the prior, under the l1 prior and with
     * several modes the prior was as good or better. That the fit depends on the particles it moves leaves a
     * bias of order 1/particles in the evidence and in the means, as adaptation does, even on a fixed ladder.
     * For an evidence without bias and particles about a fit, make two runs: a fitted one, then one about the
     * prior on its temperatures, given, with adapt 0. A fit is as narrow as its particles: where a ladder takes
     * steps that leave only a few of them, the prior is the safer reference. The other references are
     * refused. Default: the prior.
     */
    int32_t reference;
    /**
     * Names the random numbers. Default 1.
     */
    uint64_t seed;
    /**
     * Adaptive ladder: the share of the particles that a step may leave, inside (0, 1). Default .5.
     */
    float share;
    /**
     * Geometric ladder: the first temperature, in (0, 1]. Default .01.
     */
    float first;
    /**
     * The mean probability of acceptance that the step size is adapted to, inside (0, 1).
     * Default .85.
     */
    float target_accept;
    /**
     * The first and longest transition, in radians of the reference's rotation: the step starts at
     * total_time / leapfrogs and is never longer. In (0, 3]. Default 1.6.
     */
    float total_time;
    /**
     * Each transition scales its step by a uniform factor in 1 +- jitter; in [0, 1). Default .2.
     */
    float jitter;
} lcc_smc_options_f32;

/**
 * Where a run is.
 */
typedef struct {
    /**
     * Evaluations of the gradient so far, summed over particles.
     */
    uint64_t gradients;
    /**
     * Temperatures done with.
     */
    uint32_t stages;
    /**
     * 1 once the particles are draws from the posterior.
     */
    uint32_t done;
    /**
     * The last temperature that particles were resampled at, 0 before the first, 1 at the end.
     */
    float temperature;
} lcc_climb_f32;

/**
 * The evidence: the integral of the likelihood over the normalised prior.
 */
typedef struct {
    /**
     * Draws from the prior that have descendants among the particles. With a handful left the errors
     * say little: more particles, or more temperatures.
     */
    uint64_t families;
    /**
     * Its logarithm.
     */
    double log;
    /**
     * The standard error of that, from the same run, by families (Chan and Lai 2013).
     */
    double standard_error;
} lcc_evidence_f64;

/**
 * One temperature.
 */
typedef struct {
    /**
     * lambda.
     */
    double temperature;
    /**
     * The effective sample size of the weights that led here, as a share of the particles.
     */
    double ess;
    /**
     * The mean probability of acceptance of the transitions made here.
     */
    double acceptance;
    /**
     * The step size of the last of them, in radians of the reference's rotation.
     */
    double step;
} lcc_stage_f64;

/**
 * A mean over the particles.
 */
typedef struct {
    /**
     * The mean.
     */
    double mean;
    /**
     * The variance of the quantity.
     */
    double variance;
    /**
     * The standard error of the mean. Particles that descend from one draw from the prior count as
     * dependent, so it is high rather than low.
     */
    double standard_error;
} lcc_average_f64;

/**
 * The evidence: the integral of the likelihood over the normalised prior.
 */
typedef struct {
    /**
     * Draws from the prior that have descendants among the particles. With a handful left the errors
     * say little: more particles, or more temperatures.
     */
    uint64_t families;
    /**
     * Its logarithm.
     */
    float log;
    /**
     * The standard error of that, from the same run, by families (Chan and Lai 2013).
     */
    float standard_error;
} lcc_evidence_f32;

/**
 * One temperature.
 */
typedef struct {
    /**
     * lambda.
     */
    float temperature;
    /**
     * The effective sample size of the weights that led here, as a share of the particles.
     */
    float ess;
    /**
     * The mean probability of acceptance of the transitions made here.
     */
    float acceptance;
    /**
     * The step size of the last of them, in radians of the reference's rotation.
     */
    float step;
} lcc_stage_f32;

/**
 * A mean over the particles.
 */
typedef struct {
    /**
     * The mean.
     */
    float mean;
    /**
     * The variance of the quantity.
     */
    float variance;
    /**
     * The standard error of the mean. Particles that descend from one draw from the prior count as
     * dependent, so it is high rather than low.
     */
    float standard_error;
} lcc_average_f32;

/**
 * Writes the defaults.
 *
 * @param options  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_MISALIGNED
 */
int32_t lcc_smc_options_default_f64(lcc_smc_options_f64 *options);

/**
 * The bytes that a run takes, at an address that is a multiple of 16.
 *
 * @param options  what to do
 * @param problem  what to sample
 * @param data     its data
 * @param bytes    out
 * @return LCC_OK, LCC_ERROR_OVERFLOW, LCC_ERROR_NO_GRADIENT, or what is wrong with an argument
 */
int32_t lcc_smc_size_f64(const lcc_smc_options_f64 *options,
                         const lcc_problem_f64 *problem,
                         const lcc_data_f64 *data,
                         size_t *bytes);

/**
 * Builds a run at the start of a block of memory. Particles are drawn from the prior in the first
 * step.
 *
 * @param memory   lcc_smc_size_f64 bytes, aligned to 16
 * @param bytes    the bytes at memory
 * @param options  what to do; a ladder that is given needs lcc_smc_init_given_f64
 * @param problem  what to sample
 * @param data     its data
 * @param smc      out: the handle, which is memory itself
 * @return LCC_OK, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN, LCC_ERROR_IMPROPER,
 *         LCC_ERROR_TEMPERATURES, LCC_ERROR_NO_GRADIENT, or what is wrong with an argument
 */
int32_t lcc_smc_init_f64(uint8_t *memory,
                         size_t bytes,
                         const lcc_smc_options_f64 *options,
                         const lcc_problem_f64 *problem,
                         const lcc_data_f64 *data,
                         lcc_smc_f64 **smc);

/**
 * As lcc_smc_init_f64, on temperatures of your own: options.ladder is LCC_LADDER_GIVEN and
 * options.stages their number. They are copied.
 *
 * @param memory        lcc_smc_size_f64 bytes, aligned to 16
 * @param bytes         the bytes at memory
 * @param options       what to do
 * @param temperatures  increasing, above 0, the last one 1
 * @param count         how many
 * @param problem       what to sample
 * @param data          its data
 * @param smc           out: the handle, which is memory itself
 * @return as lcc_smc_init_f64
 */
int32_t lcc_smc_init_given_f64(uint8_t *memory,
                               size_t bytes,
                               const lcc_smc_options_f64 *options,
                               const double *temperatures,
                               size_t count,
                               const lcc_problem_f64 *problem,
                               const lcc_data_f64 *data,
                               lcc_smc_f64 **smc);

/**
 * Works until the budget is used up, or to the end. A unit of work (one transition of a block of
 * particles, or a resampling of all) is never split. Each call also reads the data once to know them
 * again, so give it many times n.
 *
 * @param smc      the handle
 * @param problem  what it was made with
 * @param data     its data, unchanged
 * @param budget   rows of data times particles to visit; any positive budget advances
 * @return LCC_RUNNING, LCC_DONE, LCC_ERROR_HANDLE, LCC_ERROR_DATA_CHANGED, LCC_ERROR_START (the
 *         likelihood is not finite at a draw from the prior, or none lies in its support),
 *         LCC_ERROR_STAGES, or what is wrong with an argument
 */
int32_t lcc_smc_step_f64(lcc_smc_f64 *smc,
                         const lcc_problem_f64 *problem,
                         const lcc_data_f64 *data,
                         uint64_t budget);

/**
 * Where a run is.
 *
 * @param smc    the handle
 * @param climb  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE
 */
int32_t lcc_smc_progress_f64(const lcc_smc_f64 *smc, lcc_climb_f64 *climb);

/**
 * The bytes of a checkpoint.
 *
 * @param smc    the handle
 * @param bytes  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE
 */
int32_t lcc_smc_checkpoint_size_f64(const lcc_smc_f64 *smc, size_t *bytes);

/**
 * Seals a copy of a run, as lcc_sampler_checkpoint_f64 does of a sampler.
 *
 * @param smc         the handle
 * @param checkpoint  out: lcc_smc_checkpoint_size_f64 bytes, of any alignment
 * @param bytes       the bytes at checkpoint
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_MEMORY_SIZE
 */
int32_t lcc_smc_checkpoint_f64(const lcc_smc_f64 *smc, uint8_t *checkpoint, size_t bytes);

/**
 * Builds a run from a checkpoint, in as much memory as the one that was sealed.
 *
 * @param memory            aligned to 16
 * @param bytes             the bytes at memory
 * @param checkpoint        what lcc_smc_checkpoint_f64 wrote
 * @param checkpoint_bytes  its bytes
 * @param smc               out: the handle
 * @return LCC_OK, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN, LCC_ERROR_IMAGE_TRUNCATED, _MAGIC,
 *         _NEWER, _CORRUPT, _KIND
 */
int32_t lcc_smc_restore_f64(uint8_t *memory,
                            size_t bytes,
                            const uint8_t *checkpoint,
                            size_t checkpoint_bytes,
                            lcc_smc_f64 **smc);

/**
 * Writes the defaults.
 *
 * @param options  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_MISALIGNED
 */
int32_t lcc_smc_options_default_f32(lcc_smc_options_f32 *options);

/**
 * The bytes that a run takes, at an address that is a multiple of 16.
 *
 * @param options  what to do
 * @param problem  what to sample
 * @param data     its data
 * @param bytes    out
 * @return LCC_OK, LCC_ERROR_OVERFLOW, LCC_ERROR_NO_GRADIENT, or what is wrong with an argument
 */
int32_t lcc_smc_size_f32(const lcc_smc_options_f32 *options,
                         const lcc_problem_f32 *problem,
                         const lcc_data_f32 *data,
                         size_t *bytes);

/**
 * Builds a run at the start of a block of memory. Particles are drawn from the prior in the first
 * step.
 *
 * @param memory   lcc_smc_size_f32 bytes, aligned to 16
 * @param bytes    the bytes at memory
 * @param options  what to do; a ladder that is given needs lcc_smc_init_given_f32
 * @param problem  what to sample
 * @param data     its data
 * @param smc      out: the handle, which is memory itself
 * @return LCC_OK, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN, LCC_ERROR_IMPROPER,
 *         LCC_ERROR_TEMPERATURES, LCC_ERROR_NO_GRADIENT, or what is wrong with an argument
 */
int32_t lcc_smc_init_f32(uint8_t *memory,
                         size_t bytes,
                         const lcc_smc_options_f32 *options,
                         const lcc_problem_f32 *problem,
                         const lcc_data_f32 *data,
                         lcc_smc_f32 **smc);

/**
 * As lcc_smc_init_f32, on temperatures of your own: options.ladder is LCC_LADDER_GIVEN and
 * options.stages their number. They are copied.
 *
 * @param memory        lcc_smc_size_f32 bytes, aligned to 16
 * @param bytes         the bytes at memory
 * @param options       what to do
 * @param temperatures  increasing, above 0, the last one 1
 * @param count         how many
 * @param problem       what to sample
 * @param data          its data
 * @param smc           out: the handle, which is memory itself
 * @return as lcc_smc_init_f32
 */
int32_t lcc_smc_init_given_f32(uint8_t *memory,
                               size_t bytes,
                               const lcc_smc_options_f32 *options,
                               const float *temperatures,
                               size_t count,
                               const lcc_problem_f32 *problem,
                               const lcc_data_f32 *data,
                               lcc_smc_f32 **smc);

/**
 * Works until the budget is used up, or to the end. A unit of work (one transition of a block of
 * particles, or a resampling of all) is never split. Each call also reads the data once to know them
 * again, so give it many times n.
 *
 * @param smc      the handle
 * @param problem  what it was made with
 * @param data     its data, unchanged
 * @param budget   rows of data times particles to visit; any positive budget advances
 * @return LCC_RUNNING, LCC_DONE, LCC_ERROR_HANDLE, LCC_ERROR_DATA_CHANGED, LCC_ERROR_START (the
 *         likelihood is not finite at a draw from the prior, or none lies in its support),
 *         LCC_ERROR_STAGES, or what is wrong with an argument
 */
int32_t lcc_smc_step_f32(lcc_smc_f32 *smc,
                         const lcc_problem_f32 *problem,
                         const lcc_data_f32 *data,
                         uint64_t budget);

/**
 * Where a run is.
 *
 * @param smc    the handle
 * @param climb  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE
 */
int32_t lcc_smc_progress_f32(const lcc_smc_f32 *smc, lcc_climb_f32 *climb);

/**
 * The bytes of a checkpoint.
 *
 * @param smc    the handle
 * @param bytes  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE
 */
int32_t lcc_smc_checkpoint_size_f32(const lcc_smc_f32 *smc, size_t *bytes);

/**
 * Seals a copy of a run, as lcc_sampler_checkpoint_f32 does of a sampler.
 *
 * @param smc         the handle
 * @param checkpoint  out: lcc_smc_checkpoint_size_f32 bytes, of any alignment
 * @param bytes       the bytes at checkpoint
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_MEMORY_SIZE
 */
int32_t lcc_smc_checkpoint_f32(const lcc_smc_f32 *smc, uint8_t *checkpoint, size_t bytes);

/**
 * Builds a run from a checkpoint, in as much memory as the one that was sealed.
 *
 * @param memory            aligned to 16
 * @param bytes             the bytes at memory
 * @param checkpoint        what lcc_smc_checkpoint_f32 wrote
 * @param checkpoint_bytes  its bytes
 * @param smc               out: the handle
 * @return LCC_OK, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN, LCC_ERROR_IMAGE_TRUNCATED, _MAGIC,
 *         _NEWER, _CORRUPT, _KIND
 */
int32_t lcc_smc_restore_f32(uint8_t *memory,
                            size_t bytes,
                            const uint8_t *checkpoint,
                            size_t checkpoint_bytes,
                            lcc_smc_f32 **smc);

/**
 * The evidence.
 *
 * @param smc       the handle
 * @param evidence  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_NOT_DONE before the last temperature
 */
int32_t lcc_smc_evidence_f64(const lcc_smc_f64 *smc, lcc_evidence_f64 *evidence);

/**
 * One of the temperatures done with.
 *
 * @param smc    the handle
 * @param index  from 0
 * @param stage  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX
 */
int32_t lcc_smc_stage_f64(const lcc_smc_f64 *smc, size_t index, lcc_stage_f64 *stage);

/**
 * The particles' values of one coordinate of w, equally weighted: a view into the run's memory, in
 * which each particle is a chain of one draw. lcc_smc_average_f64 has their mean with its error;
 * lcc_draws_summarise_f64 would take them as independent, and finds one draw a chain too few.
 *
 * @param smc         the handle
 * @param coordinate  below lcc_problem_dim_f64 (neuron m's coordinate j is m * d + j)
 * @param draws       out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX, LCC_ERROR_NOT_DONE
 */
int32_t lcc_smc_draws_f64(const lcc_smc_f64 *smc, size_t coordinate, lcc_draws_f64 *draws);

/**
 * What is recorded beside each particle: a view as lcc_smc_draws_f64 gives.
 *
 * @param smc    the handle
 * @param trace  LCC_TRACE_LOG_DENSITY or LCC_TRACE_LOG_LIKELIHOOD
 * @param draws  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX, LCC_ERROR_NOT_DONE
 */
int32_t lcc_smc_trace_f64(const lcc_smc_f64 *smc, int32_t trace, lcc_draws_f64 *draws);

/**
 * The network's output at one row for every particle: psi(x_q.w) (greedy) or f(x_q; W) (joint).
 *
 * @param smc      the handle
 * @param problem  what it was made with
 * @param queries  rows with the inputs of the data; y may be NULL
 * @param row      which of them
 * @param out      out: one value a particle
 * @param len      the values at out, at least the particles
 * @param draws    out: a view of them, ready for lcc_smc_average_f64
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX, LCC_ERROR_INPUTS,
 *         LCC_ERROR_CAPACITY, LCC_ERROR_NOT_DONE, or what is wrong with an argument
 */
int32_t lcc_smc_output_f64(const lcc_smc_f64 *smc,
                           const lcc_problem_f64 *problem,
                           const lcc_data_f64 *queries,
                           size_t row,
                           double *out,
                           size_t len,
                           lcc_draws_f64 *draws);

/**
 * The mean of a quantity over the particles, with its error.
 *
 * @param smc      the handle
 * @param values   one a particle, as lcc_smc_draws_f64 or lcc_smc_output_f64 view them
 * @param scratch  as many values as there are particles
 * @param len      the values at scratch
 * @param average  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_NOT_DONE, LCC_ERROR_MEMORY_SIZE,
 *         LCC_ERROR_PARTICLES (the values are of others), or what is wrong with an argument
 */
int32_t lcc_smc_average_f64(const lcc_smc_f64 *smc,
                            const lcc_draws_f64 *values,
                            double *scratch,
                            size_t len,
                            lcc_average_f64 *average);

/**
 * For each particle, the draw from the prior, from 0, that it descends from.
 *
 * @param smc      the handle
 * @param origins  out: one a particle
 * @param len      the values at origins
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_CAPACITY
 */
int32_t lcc_smc_origins_f64(const lcc_smc_f64 *smc, uint32_t *origins, size_t len);

/**
 * As lcc_sampler_init_f64, with chains that start at particles of a finished run, and with a
 * reference fitted to them where the options ask for one. The run's memory may go afterwards. Such
 * chains need a warm-up for their step sizes only.
 *
 * @param memory   lcc_sampler_size_f64 bytes, aligned to 16
 * @param bytes    the bytes at memory
 * @param options  what to do
 * @param problem  what to sample: what the run was made with
 * @param data     its data
 * @param smc      the run
 * @param sampler  out: the handle, which is memory itself
 * @return as lcc_sampler_init_f64; LCC_ERROR_NOT_DONE (the run), LCC_ERROR_DATA_CHANGED (it was
 *         made with another problem or other data)
 */
int32_t lcc_sampler_init_from_smc_f64(uint8_t *memory,
                                      size_t bytes,
                                      const lcc_sampler_options_f64 *options,
                                      const lcc_problem_f64 *problem,
                                      const lcc_data_f64 *data,
                                      const lcc_smc_f64 *smc,
                                      lcc_sampler_f64 **sampler);

/**
 * The evidence.
 *
 * @param smc       the handle
 * @param evidence  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_NOT_DONE before the last temperature
 */
int32_t lcc_smc_evidence_f32(const lcc_smc_f32 *smc, lcc_evidence_f32 *evidence);

/**
 * One of the temperatures done with.
 *
 * @param smc    the handle
 * @param index  from 0
 * @param stage  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX
 */
int32_t lcc_smc_stage_f32(const lcc_smc_f32 *smc, size_t index, lcc_stage_f32 *stage);

/**
 * The particles' values of one coordinate of w, equally weighted: a view into the run's memory, in
 * which each particle is a chain of one draw. lcc_smc_average_f32 has their mean with its error;
 * lcc_draws_summarise_f32 would take them as independent, and finds one draw a chain too few.
 *
 * @param smc         the handle
 * @param coordinate  below lcc_problem_dim_f32 (neuron m's coordinate j is m * d + j)
 * @param draws       out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX, LCC_ERROR_NOT_DONE
 */
int32_t lcc_smc_draws_f32(const lcc_smc_f32 *smc, size_t coordinate, lcc_draws_f32 *draws);

/**
 * What is recorded beside each particle: a view as lcc_smc_draws_f32 gives.
 *
 * @param smc    the handle
 * @param trace  LCC_TRACE_LOG_DENSITY or LCC_TRACE_LOG_LIKELIHOOD
 * @param draws  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX, LCC_ERROR_NOT_DONE
 */
int32_t lcc_smc_trace_f32(const lcc_smc_f32 *smc, int32_t trace, lcc_draws_f32 *draws);

/**
 * The network's output at one row for every particle: psi(x_q.w) (greedy) or f(x_q; W) (joint).
 *
 * @param smc      the handle
 * @param problem  what it was made with
 * @param queries  rows with the inputs of the data; y may be NULL
 * @param row      which of them
 * @param out      out: one value a particle
 * @param len      the values at out, at least the particles
 * @param draws    out: a view of them, ready for lcc_smc_average_f32
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX, LCC_ERROR_INPUTS,
 *         LCC_ERROR_CAPACITY, LCC_ERROR_NOT_DONE, or what is wrong with an argument
 */
int32_t lcc_smc_output_f32(const lcc_smc_f32 *smc,
                           const lcc_problem_f32 *problem,
                           const lcc_data_f32 *queries,
                           size_t row,
                           float *out,
                           size_t len,
                           lcc_draws_f32 *draws);

/**
 * The mean of a quantity over the particles, with its error.
 *
 * @param smc      the handle
 * @param values   one a particle, as lcc_smc_draws_f32 or lcc_smc_output_f32 view them
 * @param scratch  as many values as there are particles
 * @param len      the values at scratch
 * @param average  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_NOT_DONE, LCC_ERROR_MEMORY_SIZE,
 *         LCC_ERROR_PARTICLES (the values are of others), or what is wrong with an argument
 */
int32_t lcc_smc_average_f32(const lcc_smc_f32 *smc,
                            const lcc_draws_f32 *values,
                            float *scratch,
                            size_t len,
                            lcc_average_f32 *average);

/**
 * For each particle, the draw from the prior, from 0, that it descends from.
 *
 * @param smc      the handle
 * @param origins  out: one a particle
 * @param len      the values at origins
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_CAPACITY
 */
int32_t lcc_smc_origins_f32(const lcc_smc_f32 *smc, uint32_t *origins, size_t len);

/**
 * As lcc_sampler_init_f32, with chains that start at particles of a finished run, and with a
 * reference fitted to them where the options ask for one. The run's memory may go afterwards. Such
 * chains need a warm-up for their step sizes only.
 *
 * @param memory   lcc_sampler_size_f32 bytes, aligned to 16
 * @param bytes    the bytes at memory
 * @param options  what to do
 * @param problem  what to sample: what the run was made with
 * @param data     its data
 * @param smc      the run
 * @param sampler  out: the handle, which is memory itself
 * @return as lcc_sampler_init_f32; LCC_ERROR_NOT_DONE (the run), LCC_ERROR_DATA_CHANGED (it was
 *         made with another problem or other data)
 */
int32_t lcc_sampler_init_from_smc_f32(uint8_t *memory,
                                      size_t bytes,
                                      const lcc_sampler_options_f32 *options,
                                      const lcc_problem_f32 *problem,
                                      const lcc_data_f32 *data,
                                      const lcc_smc_f32 *smc,
                                      lcc_sampler_f32 **sampler);

/* ================================================================================================
 * Parallel tempering
 * ================================================================================================ */

/**
 * Chains of replicas between the prior and the posterior, in the caller's memory.
 */
typedef struct lcc_tempering_f32 lcc_tempering_f32;

/**
 * Chains of replicas between the prior and the posterior, in the caller's memory.
 */
typedef struct lcc_tempering_f64 lcc_tempering_f64;

/**
 * What parallel tempering is asked to do.
 */
typedef struct {
    /**
     * The bytes of this struct, as the defaults have it.
     */
    uint32_t struct_size;
    /**
     * Chains, at least 1: ladders that run independently of one another. Default 8.
     */
    uint32_t chains;
    /**
     * Chains that advance in lock-step: 1 or 8. Changes speed and memory, never a number.
     * Default 8.
     */
    uint32_t lanes;
    /**
     * Temperatures of a chain, at least 1; the prior stands below them besides. Default 5.
     */
    uint32_t temperatures;
    /**
     * Transitions of every replica between swaps, at least 1. Default 1.
     */
    uint32_t moves;
    /**
     * Iterations that adapt step sizes and are discarded. Default 500.
     */
    uint32_t warmup;
    /**
     * Iterations that count, at least 1. Default 1000.
     */
    uint32_t draws;
    /**
     * How many of them are stored, evenly spread. Default 1000.
     */
    uint32_t stored;
    /**
     * Evaluations of the gradient in one transition, at least 1. Default 3.
     */
    uint32_t leapfrogs;
    /**
     * 1 does without the CPU's wide instructions. Changes speed, never a number. Default 0.
     */
    uint32_t portable;
    /**
     * Names the random numbers. Default 1.
     */
    uint64_t seed;
    /**
     * The mean probability of acceptance that step sizes are adapted to, inside (0, 1). Default .85.
     */
    double target_accept;
    /**
     * The longest transition, in radians of the prior's rotation; in (0, 3]. Default 1.6.
     */
    double total_time;
    /**
     * Each transition scales its step by a uniform factor in 1 +- jitter; in [0, 1). Default .2.
     */
    double jitter;
} lcc_tempering_options_f64;

/**
 * One temperature of one chain, over the draws so far.
 */
typedef struct {
    /**
     * lambda.
     */
    double temperature;
    /**
     * The mean probability of acceptance of the transitions; NaN before there are any.
     */
    double acceptance;
    /**
     * The mean probability of a swap with the rung below; NaN before any was proposed.
     */
    double swap;
    /**
     * The step size, in radians of the prior's rotation.
     */
    double step;
} lcc_rung_f64;

/**
 * What parallel tempering is asked to do.
 */
typedef struct {
    /**
     * The bytes of this struct, as the defaults have it.
     */
    uint32_t struct_size;
    /**
     * Chains, at least 1: ladders that run independently of one another. Default 8.
     */
    uint32_t chains;
    /**
     * Chains that advance in lock-step: 1 or 8. Changes speed and memory, never a number.
     * Default 8.
     */
    uint32_t lanes;
    /**
     * Temperatures of a chain, at least 1; the prior stands below them besides. Default 5.
     */
    uint32_t temperatures;
    /**
     * Transitions of every replica between swaps, at least 1. Default 1.
     */
    uint32_t moves;
    /**
     * Iterations that adapt step sizes and are discarded. Default 500.
     */
    uint32_t warmup;
    /**
     * Iterations that count, at least 1. Default 1000.
     */
    uint32_t draws;
    /**
     * How many of them are stored, evenly spread. Default 1000.
     */
    uint32_t stored;
    /**
     * Evaluations of the gradient in one transition, at least 1. Default 3.
     */
    uint32_t leapfrogs;
    /**
     * 1 does without the CPU's wide instructions. Changes speed, never a number. Default 0.
     */
    uint32_t portable;
    /**
     * Names the random numbers. Default 1.
     */
    uint64_t seed;
    /**
     * The mean probability of acceptance that step sizes are adapted to, inside (0, 1). Default .85.
     */
    float target_accept;
    /**
     * The longest transition, in radians of the prior's rotation; in (0, 3]. Default 1.6.
     */
    float total_time;
    /**
     * Each transition scales its step by a uniform factor in 1 +- jitter; in [0, 1). Default .2.
     */
    float jitter;
} lcc_tempering_options_f32;

/**
 * One temperature of one chain, over the draws so far.
 */
typedef struct {
    /**
     * lambda.
     */
    float temperature;
    /**
     * The mean probability of acceptance of the transitions; NaN before there are any.
     */
    float acceptance;
    /**
     * The mean probability of a swap with the rung below; NaN before any was proposed.
     */
    float swap;
    /**
     * The step size, in radians of the prior's rotation.
     */
    float step;
} lcc_rung_f32;

/**
 * Writes the defaults.
 *
 * @param options  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_MISALIGNED
 */
int32_t lcc_tempering_options_default_f64(lcc_tempering_options_f64 *options);

/**
 * The bytes that tempering takes, at an address that is a multiple of 16.
 *
 * @param options  what to do
 * @param problem  what to sample
 * @param data     its data
 * @param bytes    out
 * @return LCC_OK, LCC_ERROR_OVERFLOW, LCC_ERROR_NO_GRADIENT, or what is wrong with an argument
 */
int32_t lcc_tempering_size_f64(const lcc_tempering_options_f64 *options,
                               const lcc_problem_f64 *problem,
                               const lcc_data_f64 *data,
                               size_t *bytes);

/**
 * Builds the chains at the start of a block of memory. Replicas start at draws from the prior in the
 * first step. Temperatures at which SMC keeps half of its particles serve well (lcc_smc_stage_f64).
 *
 * @param memory        lcc_tempering_size_f64 bytes, aligned to 16
 * @param bytes         the bytes at memory
 * @param options       what to do
 * @param temperatures  increasing, above 0, the last one 1; they are copied
 * @param count         how many: options.temperatures
 * @param problem       what to sample
 * @param data          its data
 * @param tempering     out: the handle, which is memory itself
 * @return LCC_OK, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN, LCC_ERROR_IMPROPER,
 *         LCC_ERROR_TEMPERATURES, LCC_ERROR_NO_GRADIENT, or what is wrong with an argument
 */
int32_t lcc_tempering_init_f64(uint8_t *memory,
                               size_t bytes,
                               const lcc_tempering_options_f64 *options,
                               const double *temperatures,
                               size_t count,
                               const lcc_problem_f64 *problem,
                               const lcc_data_f64 *data,
                               lcc_tempering_f64 **tempering);

/**
 * Works until the budget is used up, or to the end. A unit of work (one rung of a block of chains) is
 * never split. Each call also reads the data once to know them again, so give it many times n.
 *
 * @param tempering  the handle
 * @param problem    what it was made with
 * @param data       its data, unchanged
 * @param budget     rows of data times chains to visit; any positive budget advances
 * @return LCC_RUNNING, LCC_DONE, LCC_ERROR_HANDLE, LCC_ERROR_DATA_CHANGED, LCC_ERROR_START (the
 *         likelihood is not finite at a draw from the prior), or what is wrong with an argument
 */
int32_t lcc_tempering_step_f64(lcc_tempering_f64 *tempering,
                               const lcc_problem_f64 *problem,
                               const lcc_data_f64 *data,
                               uint64_t budget);

/**
 * Where the chains are. A unit of their work is one iteration of every chain.
 *
 * @param tempering  the handle
 * @param progress   out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE
 */
int32_t lcc_tempering_progress_f64(const lcc_tempering_f64 *tempering, lcc_progress *progress);

/**
 * The stored draws of one coordinate of w at temperature 1 so far: a view into the memory, valid until
 * the next step.
 *
 * @param tempering   the handle
 * @param coordinate  below lcc_problem_dim_f64 (neuron m's coordinate j is m * d + j)
 * @param draws       out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX, LCC_ERROR_NOT_DONE
 */
int32_t lcc_tempering_draws_f64(const lcc_tempering_f64 *tempering,
                                size_t coordinate,
                                lcc_draws_f64 *draws);

/**
 * What is recorded beside each stored draw: a view as lcc_tempering_draws_f64 gives.
 *
 * @param tempering  the handle
 * @param trace      LCC_TRACE_LOG_DENSITY or LCC_TRACE_LOG_LIKELIHOOD
 * @param draws      out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX, LCC_ERROR_NOT_DONE
 */
int32_t lcc_tempering_trace_f64(const lcc_tempering_f64 *tempering,
                                int32_t trace,
                                lcc_draws_f64 *draws);

/**
 * The network's output at one row for every stored draw: psi(x_q.w) (greedy) or f(x_q; W) (joint).
 *
 * @param tempering  the handle
 * @param problem    what it was made with
 * @param queries    rows with the inputs of the data; y may be NULL
 * @param row        which of them
 * @param out        out: draw t of chain c at out[c * draws + t], draws being those stored so far
 * @param len        the values at out, at least chains * draws
 * @param draws      out: a view of them, ready for lcc_draws_summarise_f64
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX, LCC_ERROR_INPUTS,
 *         LCC_ERROR_CAPACITY, LCC_ERROR_NOT_DONE, or what is wrong with an argument
 */
int32_t lcc_tempering_output_f64(const lcc_tempering_f64 *tempering,
                                 const lcc_problem_f64 *problem,
                                 const lcc_data_f64 *queries,
                                 size_t row,
                                 double *out,
                                 size_t len,
                                 lcc_draws_f64 *draws);

/**
 * One temperature of one chain.
 *
 * @param tempering  the handle
 * @param chain      which
 * @param index      from 0, the lowest above the prior
 * @param rung       out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX
 */
int32_t lcc_tempering_rung_f64(const lcc_tempering_f64 *tempering,
                               size_t chain,
                               size_t index,
                               lcc_rung_f64 *rung);

/**
 * The log evidence by stepping stones, from the draws of one chain so far. Chains are independent:
 * their scatter is its error.
 *
 * @param tempering     the handle
 * @param chain         which
 * @param log_evidence  out: log of the integral of the likelihood over the normalised prior
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX, LCC_ERROR_NOT_DONE before the
 *         first draw
 */
int32_t lcc_tempering_log_evidence_f64(const lcc_tempering_f64 *tempering,
                                       size_t chain,
                                       double *log_evidence);

/**
 * How often, among its draws, a chain has received at temperature 1 a replica that had been drawn from
 * the prior: between such arrivals it forgets all.
 *
 * @param tempering  the handle
 * @param chain      which
 * @param restarts   out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX
 */
int32_t lcc_tempering_restarts_f64(const lcc_tempering_f64 *tempering,
                                   size_t chain,
                                   uint32_t *restarts);

/**
 * The bytes of a checkpoint.
 *
 * @param tempering  the handle
 * @param bytes      out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE
 */
int32_t lcc_tempering_checkpoint_size_f64(const lcc_tempering_f64 *tempering, size_t *bytes);

/**
 * Seals a copy of the chains, as lcc_sampler_checkpoint_f64 does of a sampler.
 *
 * @param tempering   the handle
 * @param checkpoint  out: lcc_tempering_checkpoint_size_f64 bytes, of any alignment
 * @param bytes       the bytes at checkpoint
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_MEMORY_SIZE
 */
int32_t lcc_tempering_checkpoint_f64(const lcc_tempering_f64 *tempering,
                                     uint8_t *checkpoint,
                                     size_t bytes);

/**
 * Builds the chains from a checkpoint, in as much memory as those that were sealed.
 *
 * @param memory            aligned to 16
 * @param bytes             the bytes at memory
 * @param checkpoint        what lcc_tempering_checkpoint_f64 wrote
 * @param checkpoint_bytes  its bytes
 * @param tempering         out: the handle
 * @return LCC_OK, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN, LCC_ERROR_IMAGE_TRUNCATED, _MAGIC,
 *         _NEWER, _CORRUPT, _KIND
 */
int32_t lcc_tempering_restore_f64(uint8_t *memory,
                                  size_t bytes,
                                  const uint8_t *checkpoint,
                                  size_t checkpoint_bytes,
                                  lcc_tempering_f64 **tempering);

/**
 * Writes the defaults.
 *
 * @param options  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_MISALIGNED
 */
int32_t lcc_tempering_options_default_f32(lcc_tempering_options_f32 *options);

/**
 * The bytes that tempering takes, at an address that is a multiple of 16.
 *
 * @param options  what to do
 * @param problem  what to sample
 * @param data     its data
 * @param bytes    out
 * @return LCC_OK, LCC_ERROR_OVERFLOW, LCC_ERROR_NO_GRADIENT, or what is wrong with an argument
 */
int32_t lcc_tempering_size_f32(const lcc_tempering_options_f32 *options,
                               const lcc_problem_f32 *problem,
                               const lcc_data_f32 *data,
                               size_t *bytes);

/**
 * Builds the chains at the start of a block of memory. Replicas start at draws from the prior in the
 * first step. Temperatures at which SMC keeps half of its particles serve well (lcc_smc_stage_f32).
 *
 * @param memory        lcc_tempering_size_f32 bytes, aligned to 16
 * @param bytes         the bytes at memory
 * @param options       what to do
 * @param temperatures  increasing, above 0, the last one 1; they are copied
 * @param count         how many: options.temperatures
 * @param problem       what to sample
 * @param data          its data
 * @param tempering     out: the handle, which is memory itself
 * @return LCC_OK, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN, LCC_ERROR_IMPROPER,
 *         LCC_ERROR_TEMPERATURES, LCC_ERROR_NO_GRADIENT, or what is wrong with an argument
 */
int32_t lcc_tempering_init_f32(uint8_t *memory,
                               size_t bytes,
                               const lcc_tempering_options_f32 *options,
                               const float *temperatures,
                               size_t count,
                               const lcc_problem_f32 *problem,
                               const lcc_data_f32 *data,
                               lcc_tempering_f32 **tempering);

/**
 * Works until the budget is used up, or to the end. A unit of work (one rung of a block of chains) is
 * never split. Each call also reads the data once to know them again, so give it many times n.
 *
 * @param tempering  the handle
 * @param problem    what it was made with
 * @param data       its data, unchanged
 * @param budget     rows of data times chains to visit; any positive budget advances
 * @return LCC_RUNNING, LCC_DONE, LCC_ERROR_HANDLE, LCC_ERROR_DATA_CHANGED, LCC_ERROR_START (the
 *         likelihood is not finite at a draw from the prior), or what is wrong with an argument
 */
int32_t lcc_tempering_step_f32(lcc_tempering_f32 *tempering,
                               const lcc_problem_f32 *problem,
                               const lcc_data_f32 *data,
                               uint64_t budget);

/**
 * Where the chains are. A unit of their work is one iteration of every chain.
 *
 * @param tempering  the handle
 * @param progress   out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE
 */
int32_t lcc_tempering_progress_f32(const lcc_tempering_f32 *tempering, lcc_progress *progress);

/**
 * The stored draws of one coordinate of w at temperature 1 so far: a view into the memory, valid until
 * the next step.
 *
 * @param tempering   the handle
 * @param coordinate  below lcc_problem_dim_f32 (neuron m's coordinate j is m * d + j)
 * @param draws       out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX, LCC_ERROR_NOT_DONE
 */
int32_t lcc_tempering_draws_f32(const lcc_tempering_f32 *tempering,
                                size_t coordinate,
                                lcc_draws_f32 *draws);

/**
 * What is recorded beside each stored draw: a view as lcc_tempering_draws_f32 gives.
 *
 * @param tempering  the handle
 * @param trace      LCC_TRACE_LOG_DENSITY or LCC_TRACE_LOG_LIKELIHOOD
 * @param draws      out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX, LCC_ERROR_NOT_DONE
 */
int32_t lcc_tempering_trace_f32(const lcc_tempering_f32 *tempering,
                                int32_t trace,
                                lcc_draws_f32 *draws);

/**
 * The network's output at one row for every stored draw: psi(x_q.w) (greedy) or f(x_q; W) (joint).
 *
 * @param tempering  the handle
 * @param problem    what it was made with
 * @param queries    rows with the inputs of the data; y may be NULL
 * @param row        which of them
 * @param out        out: draw t of chain c at out[c * draws + t], draws being those stored so far
 * @param len        the values at out, at least chains * draws
 * @param draws      out: a view of them, ready for lcc_draws_summarise_f32
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX, LCC_ERROR_INPUTS,
 *         LCC_ERROR_CAPACITY, LCC_ERROR_NOT_DONE, or what is wrong with an argument
 */
int32_t lcc_tempering_output_f32(const lcc_tempering_f32 *tempering,
                                 const lcc_problem_f32 *problem,
                                 const lcc_data_f32 *queries,
                                 size_t row,
                                 float *out,
                                 size_t len,
                                 lcc_draws_f32 *draws);

/**
 * One temperature of one chain.
 *
 * @param tempering  the handle
 * @param chain      which
 * @param index      from 0, the lowest above the prior
 * @param rung       out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX
 */
int32_t lcc_tempering_rung_f32(const lcc_tempering_f32 *tempering,
                               size_t chain,
                               size_t index,
                               lcc_rung_f32 *rung);

/**
 * The log evidence by stepping stones, from the draws of one chain so far. Chains are independent:
 * their scatter is its error.
 *
 * @param tempering     the handle
 * @param chain         which
 * @param log_evidence  out: log of the integral of the likelihood over the normalised prior
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX, LCC_ERROR_NOT_DONE before the
 *         first draw
 */
int32_t lcc_tempering_log_evidence_f32(const lcc_tempering_f32 *tempering,
                                       size_t chain,
                                       float *log_evidence);

/**
 * How often, among its draws, a chain has received at temperature 1 a replica that had been drawn from
 * the prior: between such arrivals it forgets all.
 *
 * @param tempering  the handle
 * @param chain      which
 * @param restarts   out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX
 */
int32_t lcc_tempering_restarts_f32(const lcc_tempering_f32 *tempering,
                                   size_t chain,
                                   uint32_t *restarts);

/**
 * The bytes of a checkpoint.
 *
 * @param tempering  the handle
 * @param bytes      out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE
 */
int32_t lcc_tempering_checkpoint_size_f32(const lcc_tempering_f32 *tempering, size_t *bytes);

/**
 * Seals a copy of the chains, as lcc_sampler_checkpoint_f32 does of a sampler.
 *
 * @param tempering   the handle
 * @param checkpoint  out: lcc_tempering_checkpoint_size_f32 bytes, of any alignment
 * @param bytes       the bytes at checkpoint
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_MEMORY_SIZE
 */
int32_t lcc_tempering_checkpoint_f32(const lcc_tempering_f32 *tempering,
                                     uint8_t *checkpoint,
                                     size_t bytes);

/**
 * Builds the chains from a checkpoint, in as much memory as those that were sealed.
 *
 * @param memory            aligned to 16
 * @param bytes             the bytes at memory
 * @param checkpoint        what lcc_tempering_checkpoint_f32 wrote
 * @param checkpoint_bytes  its bytes
 * @param tempering         out: the handle
 * @return LCC_OK, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN, LCC_ERROR_IMAGE_TRUNCATED, _MAGIC,
 *         _NEWER, _CORRUPT, _KIND
 */
int32_t lcc_tempering_restore_f32(uint8_t *memory,
                                  size_t bytes,
                                  const uint8_t *checkpoint,
                                  size_t checkpoint_bytes,
                                  lcc_tempering_f32 **tempering);

/* ================================================================================================
 * The sampler that chooses for itself
 * ================================================================================================ */

/**
 * Nothing has been chosen yet.
 */
#define LCC_CHOICE_UNDECIDED 0

/**
 * Split HMC about the prior, in antithetic pairs.
 */
#define LCC_CHOICE_SPLIT_PRIOR 1

/**
 * Split HMC about a Gaussian fitted to the pilot, in antithetic pairs.
 */
#define LCC_CHOICE_SPLIT_FITTED 2

/**
 * Random-walk Metropolis, in antithetic pairs: the density has no gradient.
 */
#define LCC_CHOICE_RANDOM_WALK 3

/**
 * Sequential Monte Carlo, after chains that disagreed.
 */
#define LCC_CHOICE_PARTICLES 4

/**
 * Independence Metropolis from a mixture, in antithetic pairs, after chains that disagreed.
 */
#define LCC_CHOICE_MIXTURE 5

/**
 * The run is not over.
 */
#define LCC_VERDICT_OPEN 0

/**
 * The chains agree with one another and with the pilot.
 */
#define LCC_VERDICT_MIXED 1

/**
 * The chains did not, and two independent runs of particles do.
 */
#define LCC_VERDICT_MODES 2

/**
 * Nothing mixes: the draws are not to be trusted.
 */
#define LCC_VERDICT_UNRELIABLE 3

/**
 * A pilot of particles, and what it leads to, in the caller's memory.
 */
typedef struct lcc_auto_f32 lcc_auto_f32;

/**
 * A pilot of particles, and what it leads to, in the caller's memory.
 */
typedef struct lcc_auto_f64 lcc_auto_f64;

/**
 * What a run is asked to do.
 */
typedef struct {
    /**
     * The bytes of this struct, as the defaults have it.
     */
    uint32_t struct_size;
    /**
     * Chains, even (they run in antithetic pairs) and at least 4. Default 16.
     */
    uint32_t chains;
    /**
     * Chains or particles that advance in lock-step: 1 or 8. Changes speed and memory, never a
     * number. Default 8.
     */
    uint32_t lanes;
    /**
     * Particles of the pilot, a multiple of the lanes and at least 64; four times as many where the
     * posterior is near its prior (two or three temperatures). A mode in which no particle stands is not
     * seen. Default 512.
     */
    uint32_t pilot;
    /**
     * Iterations in which each chain adapts its step size, on from the pilot. Default 100.
     */
    uint32_t warmup;
    /**
     * Iterations of each chain that count, at least 8; they are stored. Default 1000. Where sequential
     * Monte Carlo takes over, it has as many particles as there would have been draws.
     */
    uint32_t draws;
    /**
     * 1 does without the CPU's wide instructions. Changes speed, never a number. Default 0.
     */
    uint32_t portable;
    /**
     * Must be 0.
     */
    uint32_t reserved;
    /**
     * Names the random numbers. Default 1.
     */
    uint64_t seed;
} lcc_auto_options_f64;

/**
 * What a run found, chose, and thinks of it.
 */
typedef struct {
    /**
     * An LCC_CHOICE_ code.
     */
    uint32_t choice;
    /**
     * An LCC_VERDICT_ code.
     */
    uint32_t verdict;
    /**
     * Temperatures between the prior and the posterior; 0 without a pilot.
     */
    uint32_t stages;
    /**
     * Particles of the pilot far outside the range of all chains, at most over the functionals.
     */
    uint32_t strays;
    /**
     * Particles of the largest run.
     */
    uint32_t particles;
    /**
     * Must be ignored.
     */
    uint32_t reserved;
    /**
     * Draws of the prior that these descend from.
     */
    uint64_t families;
    /**
     * The effective sample size of the prior's draws as a share; NaN where one step from the prior to
     * the posterior was too far (below a half).
     */
    double overlap;
    /**
     * The largest split R-hat of the chains; NaN before they are done.
     */
    double rhat;
    /**
     * The largest ratio of the pilot's spread to that within a chain; NaN before that.
     */
    double spread;
    /**
     * The largest difference between two runs of particles, in standard errors; NaN without a second.
     */
    double disagreement;
    /**
     * The logarithm of the evidence, by the largest run of particles; NaN without one.
     */
    double log_evidence;
    /**
     * Its standard error.
     */
    double log_evidence_error;
} lcc_choice_f64;

/**
 * What a run is asked to do.
 */
typedef struct {
    /**
     * The bytes of this struct, as the defaults have it.
     */
    uint32_t struct_size;
    /**
     * Chains, even (they run in antithetic pairs) and at least 4. Default 16.
     */
    uint32_t chains;
    /**
     * Chains or particles that advance in lock-step: 1 or 8. Changes speed and memory, never a
     * number. Default 8.
     */
    uint32_t lanes;
    /**
     * Particles of the pilot, a multiple of the lanes and at least 64; four times as many where the
     * posterior is near its prior (two or three temperatures). A mode in which no particle stands is not
     * seen. Default 512.
     */
    uint32_t pilot;
    /**
     * Iterations in which each chain adapts its step size, on from the pilot. Default 100.
     */
    uint32_t warmup;
    /**
     * Iterations of each chain that count, at least 8; they are stored. Default 1000. Where sequential
     * Monte Carlo takes over, it has as many particles as there would have been draws.
     */
    uint32_t draws;
    /**
     * 1 does without the CPU's wide instructions. Changes speed, never a number. Default 0.
     */
    uint32_t portable;
    /**
     * Must be 0.
     */
    uint32_t reserved;
    /**
     * Names the random numbers. Default 1.
     */
    uint64_t seed;
} lcc_auto_options_f32;

/**
 * What a run found, chose, and thinks of it.
 */
typedef struct {
    /**
     * An LCC_CHOICE_ code.
     */
    uint32_t choice;
    /**
     * An LCC_VERDICT_ code.
     */
    uint32_t verdict;
    /**
     * Temperatures between the prior and the posterior; 0 without a pilot.
     */
    uint32_t stages;
    /**
     * Particles of the pilot far outside the range of all chains, at most over the functionals.
     */
    uint32_t strays;
    /**
     * Particles of the largest run.
     */
    uint32_t particles;
    /**
     * Must be ignored.
     */
    uint32_t reserved;
    /**
     * Draws of the prior that these descend from.
     */
    uint64_t families;
    /**
     * The effective sample size of the prior's draws as a share; NaN where one step from the prior to
     * the posterior was too far (below a half).
     */
    float overlap;
    /**
     * The largest split R-hat of the chains; NaN before they are done.
     */
    float rhat;
    /**
     * The largest ratio of the pilot's spread to that within a chain; NaN before that.
     */
    float spread;
    /**
     * The largest difference between two runs of particles, in standard errors; NaN without a second.
     */
    float disagreement;
    /**
     * The logarithm of the evidence, by the largest run of particles; NaN without one.
     */
    float log_evidence;
    /**
     * Its standard error.
     */
    float log_evidence_error;
} lcc_choice_f32;

/**
 * Writes the defaults.
 *
 * @param options  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_MISALIGNED
 */
int32_t lcc_auto_options_default_f64(lcc_auto_options_f64 *options);

/**
 * The bytes that a run takes, at an address that is a multiple of 16.
 *
 * @param options  what to do
 * @param problem  what to sample
 * @param data     its data
 * @param bytes    out
 * @return LCC_OK, LCC_ERROR_OVERFLOW, or what is wrong with an argument
 */
int32_t lcc_auto_size_f64(const lcc_auto_options_f64 *options,
                          const lcc_problem_f64 *problem,
                          const lcc_data_f64 *data,
                          size_t *bytes);

/**
 * Builds a run at the start of a block of memory. Reads the data.
 *
 * @param memory   lcc_auto_size_f64 bytes, aligned to 16
 * @param bytes    the bytes at memory
 * @param options  what to do
 * @param problem  what to sample
 * @param data     its data
 * @param run      out: the handle, which is memory itself
 * @return LCC_OK, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN, LCC_ERROR_IMPROPER, or what is wrong
 *         with an argument
 */
int32_t lcc_auto_init_f64(uint8_t *memory,
                          size_t bytes,
                          const lcc_auto_options_f64 *options,
                          const lcc_problem_f64 *problem,
                          const lcc_data_f64 *data,
                          lcc_auto_f64 **run);

/**
 * Works until the budget is used up, or to the end. A unit of work is never split, and a change of
 * phase (at most four in a run) begins the budget anew. Each call also reads the data once to know
 * them again, so give it many times n.
 *
 * @param run      the handle
 * @param problem  what it was made with
 * @param data     its data, unchanged
 * @param budget   rows of data times chains to visit; any positive budget advances
 * @return LCC_RUNNING, LCC_DONE, LCC_ERROR_HANDLE, LCC_ERROR_DATA_CHANGED, LCC_ERROR_START,
 *         LCC_ERROR_STAGES (more than 100 temperatures away from the prior), or what is wrong with an
 *         argument
 */
int32_t lcc_auto_step_f64(lcc_auto_f64 *run,
                          const lcc_problem_f64 *problem,
                          const lcc_data_f64 *data,
                          uint64_t budget);

/**
 * Where a run is. A unit is a thousandth of the way, roughly: a change of mind makes it jump, and chains
 * that are given up take their draws with them.
 *
 * @param run       the handle
 * @param progress  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE
 */
int32_t lcc_auto_progress_f64(const lcc_auto_f64 *run,
                              lcc_progress *progress);

/**
 * What was found and chosen so far.
 *
 * @param run     the handle
 * @param report  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE
 */
int32_t lcc_auto_report_f64(const lcc_auto_f64 *run, lcc_choice_f64 *report);

/**
 * The report in one sentence: what was chosen, why, and a warning where the draws are not to be
 * trusted.
 *
 * @param run     the handle
 * @param text    out: zero-terminated; 512 bytes are enough
 * @param bytes   the bytes at text
 * @param length  out: its length without the zero
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_CAPACITY
 */
int32_t lcc_auto_explain_f64(const lcc_auto_f64 *run, char *text, size_t bytes, size_t *length);

/**
 * The draws of one coordinate of w so far: a view into the run's memory, valid until the next step.
 * Chains 2 k and 2 k + 1 are antithetic pairs; after LCC_CHOICE_PARTICLES each particle is a chain of one
 * draw. lcc_auto_average_f64 has their mean with its error. Before the run is over the chains may yet be
 * given up for others.
 *
 * @param run         the handle
 * @param coordinate  below lcc_problem_dim_f64 (neuron m's coordinate j is m * d + j)
 * @param draws       out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX, LCC_ERROR_NOT_DONE
 */
int32_t lcc_auto_draws_f64(const lcc_auto_f64 *run,
                           size_t coordinate,
                           lcc_draws_f64 *draws);

/**
 * What is recorded beside each draw: a view as lcc_auto_draws_f64 gives.
 *
 * @param run    the handle
 * @param trace  an LCC_TRACE_ code; LCC_TRACE_LOG_LIKELIHOOD of particles, ACCEPT, ENERGY and DIVERGENT
 *               of chains
 * @param draws  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX, LCC_ERROR_NOT_DONE
 */
int32_t lcc_auto_trace_f64(const lcc_auto_f64 *run,
                           int32_t trace,
                           lcc_draws_f64 *draws);

/**
 * The network's output at one row for every draw: psi(x_q.w) (greedy) or f(x_q; W) (joint).
 *
 * @param run      the handle
 * @param problem  what it was made with
 * @param queries  rows with the inputs of the data; y may be NULL
 * @param row      which of them
 * @param out      out: draw t of chain c at out[c * draws + t]
 * @param len      the values at out, at least chains * draws
 * @param draws    out: a view of them, ready for lcc_auto_average_f64
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX, LCC_ERROR_INPUTS,
 *         LCC_ERROR_CAPACITY, LCC_ERROR_NOT_DONE, or what is wrong with an argument
 */
int32_t lcc_auto_output_f64(const lcc_auto_f64 *run,
                            const lcc_problem_f64 *problem,
                            const lcc_data_f64 *queries,
                            size_t row,
                            double *out,
                            size_t len,
                            lcc_draws_f64 *draws);

/**
 * The mean of a quantity over the draws, with its error: from the means of antithetic pairs, or from
 * the families of particles.
 *
 * @param run      the handle
 * @param values   one a draw, as lcc_auto_draws_f64 or lcc_auto_output_f64 view them
 * @param scratch  twice as many values as there are draws in all
 * @param len      the values at scratch
 * @param average  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_NOT_DONE, LCC_ERROR_MEMORY_SIZE (or the
 *         values are of other draws), or what is wrong with an argument
 */
int32_t lcc_auto_average_f64(const lcc_auto_f64 *run,
                             const lcc_draws_f64 *values,
                             double *scratch,
                             size_t len,
                             lcc_average_f64 *average);

/**
 * The step size that a chain has adapted to.
 *
 * @param run    the handle
 * @param chain  below the options' chains
 * @param step   out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX, LCC_ERROR_NOT_DONE (or particles
 *         took over)
 */
int32_t lcc_auto_step_size_f64(const lcc_auto_f64 *run,
                               size_t chain,
                               double *step);

/**
 * The bytes of a checkpoint.
 *
 * @param run    the handle
 * @param bytes  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE
 */
int32_t lcc_auto_checkpoint_size_f64(const lcc_auto_f64 *run, size_t *bytes);

/**
 * Seals a copy of a run, as lcc_sampler_checkpoint_f64 does of a sampler.
 *
 * @param run         the handle
 * @param checkpoint  out: lcc_auto_checkpoint_size_f64 bytes, of any alignment
 * @param bytes       the bytes at checkpoint
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_MEMORY_SIZE
 */
int32_t lcc_auto_checkpoint_f64(const lcc_auto_f64 *run, uint8_t *checkpoint, size_t bytes);

/**
 * Builds a run from a checkpoint, in as much memory as the one that was sealed.
 *
 * @param memory            aligned to 16
 * @param bytes             the bytes at memory
 * @param checkpoint        what lcc_auto_checkpoint_f64 wrote
 * @param checkpoint_bytes  its bytes
 * @param run               out: the handle
 * @return LCC_OK, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN, LCC_ERROR_IMAGE_TRUNCATED, _MAGIC,
 *         _NEWER, _CORRUPT, _KIND
 */
int32_t lcc_auto_restore_f64(uint8_t *memory,
                             size_t bytes,
                             const uint8_t *checkpoint,
                             size_t checkpoint_bytes,
                             lcc_auto_f64 **run);

/**
 * Writes the defaults.
 *
 * @param options  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_MISALIGNED
 */
int32_t lcc_auto_options_default_f32(lcc_auto_options_f32 *options);

/**
 * The bytes that a run takes, at an address that is a multiple of 16.
 *
 * @param options  what to do
 * @param problem  what to sample
 * @param data     its data
 * @param bytes    out
 * @return LCC_OK, LCC_ERROR_OVERFLOW, or what is wrong with an argument
 */
int32_t lcc_auto_size_f32(const lcc_auto_options_f32 *options,
                          const lcc_problem_f32 *problem,
                          const lcc_data_f32 *data,
                          size_t *bytes);

/**
 * Builds a run at the start of a block of memory. Reads the data.
 *
 * @param memory   lcc_auto_size_f32 bytes, aligned to 16
 * @param bytes    the bytes at memory
 * @param options  what to do
 * @param problem  what to sample
 * @param data     its data
 * @param run      out: the handle, which is memory itself
 * @return LCC_OK, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN, LCC_ERROR_IMPROPER, or what is wrong
 *         with an argument
 */
int32_t lcc_auto_init_f32(uint8_t *memory,
                          size_t bytes,
                          const lcc_auto_options_f32 *options,
                          const lcc_problem_f32 *problem,
                          const lcc_data_f32 *data,
                          lcc_auto_f32 **run);

/**
 * Works until the budget is used up, or to the end. A unit of work is never split, and a change of
 * phase (at most four in a run) begins the budget anew. Each call also reads the data once to know
 * them again, so give it many times n.
 *
 * @param run      the handle
 * @param problem  what it was made with
 * @param data     its data, unchanged
 * @param budget   rows of data times chains to visit; any positive budget advances
 * @return LCC_RUNNING, LCC_DONE, LCC_ERROR_HANDLE, LCC_ERROR_DATA_CHANGED, LCC_ERROR_START,
 *         LCC_ERROR_STAGES (more than 100 temperatures away from the prior), or what is wrong with an
 *         argument
 */
int32_t lcc_auto_step_f32(lcc_auto_f32 *run,
                          const lcc_problem_f32 *problem,
                          const lcc_data_f32 *data,
                          uint64_t budget);

/**
 * Where a run is. A unit is a thousandth of the way, roughly: a change of mind makes it jump, and chains
 * that are given up take their draws with them.
 *
 * @param run       the handle
 * @param progress  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE
 */
int32_t lcc_auto_progress_f32(const lcc_auto_f32 *run,
                              lcc_progress *progress);

/**
 * What was found and chosen so far.
 *
 * @param run     the handle
 * @param report  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE
 */
int32_t lcc_auto_report_f32(const lcc_auto_f32 *run, lcc_choice_f32 *report);

/**
 * The report in one sentence: what was chosen, why, and a warning where the draws are not to be
 * trusted.
 *
 * @param run     the handle
 * @param text    out: zero-terminated; 512 bytes are enough
 * @param bytes   the bytes at text
 * @param length  out: its length without the zero
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_CAPACITY
 */
int32_t lcc_auto_explain_f32(const lcc_auto_f32 *run, char *text, size_t bytes, size_t *length);

/**
 * The draws of one coordinate of w so far: a view into the run's memory, valid until the next step.
 * Chains 2 k and 2 k + 1 are antithetic pairs; after LCC_CHOICE_PARTICLES each particle is a chain of one
 * draw. lcc_auto_average_f32 has their mean with its error. Before the run is over the chains may yet be
 * given up for others.
 *
 * @param run         the handle
 * @param coordinate  below lcc_problem_dim_f32 (neuron m's coordinate j is m * d + j)
 * @param draws       out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX, LCC_ERROR_NOT_DONE
 */
int32_t lcc_auto_draws_f32(const lcc_auto_f32 *run,
                           size_t coordinate,
                           lcc_draws_f32 *draws);

/**
 * What is recorded beside each draw: a view as lcc_auto_draws_f32 gives.
 *
 * @param run    the handle
 * @param trace  an LCC_TRACE_ code; LCC_TRACE_LOG_LIKELIHOOD of particles, ACCEPT, ENERGY and DIVERGENT
 *               of chains
 * @param draws  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX, LCC_ERROR_NOT_DONE
 */
int32_t lcc_auto_trace_f32(const lcc_auto_f32 *run,
                           int32_t trace,
                           lcc_draws_f32 *draws);

/**
 * The network's output at one row for every draw: psi(x_q.w) (greedy) or f(x_q; W) (joint).
 *
 * @param run      the handle
 * @param problem  what it was made with
 * @param queries  rows with the inputs of the data; y may be NULL
 * @param row      which of them
 * @param out      out: draw t of chain c at out[c * draws + t]
 * @param len      the values at out, at least chains * draws
 * @param draws    out: a view of them, ready for lcc_auto_average_f32
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX, LCC_ERROR_INPUTS,
 *         LCC_ERROR_CAPACITY, LCC_ERROR_NOT_DONE, or what is wrong with an argument
 */
int32_t lcc_auto_output_f32(const lcc_auto_f32 *run,
                            const lcc_problem_f32 *problem,
                            const lcc_data_f32 *queries,
                            size_t row,
                            float *out,
                            size_t len,
                            lcc_draws_f32 *draws);

/**
 * The mean of a quantity over the draws, with its error: from the means of antithetic pairs, or from
 * the families of particles.
 *
 * @param run      the handle
 * @param values   one a draw, as lcc_auto_draws_f32 or lcc_auto_output_f32 view them
 * @param scratch  twice as many values as there are draws in all
 * @param len      the values at scratch
 * @param average  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_NOT_DONE, LCC_ERROR_MEMORY_SIZE (or the
 *         values are of other draws), or what is wrong with an argument
 */
int32_t lcc_auto_average_f32(const lcc_auto_f32 *run,
                             const lcc_draws_f32 *values,
                             float *scratch,
                             size_t len,
                             lcc_average_f32 *average);

/**
 * The step size that a chain has adapted to.
 *
 * @param run    the handle
 * @param chain  below the options' chains
 * @param step   out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX, LCC_ERROR_NOT_DONE (or particles
 *         took over)
 */
int32_t lcc_auto_step_size_f32(const lcc_auto_f32 *run,
                               size_t chain,
                               float *step);

/**
 * The bytes of a checkpoint.
 *
 * @param run    the handle
 * @param bytes  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE
 */
int32_t lcc_auto_checkpoint_size_f32(const lcc_auto_f32 *run, size_t *bytes);

/**
 * Seals a copy of a run, as lcc_sampler_checkpoint_f32 does of a sampler.
 *
 * @param run         the handle
 * @param checkpoint  out: lcc_auto_checkpoint_size_f32 bytes, of any alignment
 * @param bytes       the bytes at checkpoint
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_MEMORY_SIZE
 */
int32_t lcc_auto_checkpoint_f32(const lcc_auto_f32 *run, uint8_t *checkpoint, size_t bytes);

/**
 * Builds a run from a checkpoint, in as much memory as the one that was sealed.
 *
 * @param memory            aligned to 16
 * @param bytes             the bytes at memory
 * @param checkpoint        what lcc_auto_checkpoint_f32 wrote
 * @param checkpoint_bytes  its bytes
 * @param run               out: the handle
 * @return LCC_OK, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN, LCC_ERROR_IMAGE_TRUNCATED, _MAGIC,
 *         _NEWER, _CORRUPT, _KIND
 */
int32_t lcc_auto_restore_f32(uint8_t *memory,
                             size_t bytes,
                             const uint8_t *checkpoint,
                             size_t checkpoint_bytes,
                             lcc_auto_f32 **run);

/* ================================================================================================
 * The coupling
 * ================================================================================================ */

/**
 * rho_i of the coupling xi_i = sqrt(rho_i) x_i.w + N(0, 1), large enough that w given xi is
 * log-concave: over what x.w can reach under the prior. n values, or for a joint posterior with one-sided
 * coupling and signs of both kinds 2 n: first for the neurons with s_m = +1, then for the others.
 *
 * @param problem   the posterior
 * @param data      its data
 * @param coupling  an LCC_COUPLING_ code
 * @param rho       out
 * @param len       the values that fit at rho: 2 n always suffice
 * @param count     out: the values written
 * @return LCC_OK, LCC_ERROR_COUPLING, LCC_ERROR_CAPACITY, LCC_ERROR_NO_COUPLING, or what is wrong with
 *         problem or data
 */
int32_t lcc_coupling_rho_f64(const lcc_problem_f64 *problem,
                             const lcc_data_f64 *data,
                             int32_t coupling,
                             double *rho,
                             size_t len,
                             size_t *count);

/**
 * A draw of xi given w: xi_(i,m) at xi[i * M + m] (M = 1 for a greedy posterior).
 *
 * @param problem    the posterior
 * @param data       its data
 * @param rho        from lcc_coupling_rho_f64
 * @param rho_count  its values
 * @param w          dim values
 * @param seed       names the random numbers
 * @param xi         out: n M values
 * @param len        the values that fit at xi
 * @return LCC_OK, LCC_ERROR_CAPACITY, LCC_ERROR_NOT_FINITE_VALUE (rho), or what is wrong with problem or data
 */
int32_t lcc_coupling_draw_f64(const lcc_problem_f64 *problem,
                              const lcc_data_f64 *data,
                              const double *rho,
                              size_t rho_count,
                              const double *w,
                              uint64_t seed,
                              double *xi,
                              size_t len);

/**
 * log p(w | xi) up to a constant that depends on xi alone, and its gradient: concave in w for every xi.
 *
 * @param problem      the posterior
 * @param data         its data
 * @param rho          from lcc_coupling_rho_f64
 * @param rho_count    its values
 * @param xi           n M values
 * @param w            dim values
 * @param scratch      lcc_problem_scratch_f64 bytes, aligned to 16
 * @param bytes        the bytes at scratch
 * @param log_density  out
 * @param gradient     out: dim values
 * @return LCC_OK, LCC_ERROR_NOT_FINITE_VALUE (rho), LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN, or
 *         what is wrong with problem or data
 */
int32_t lcc_coupling_log_density_f64(const lcc_problem_f64 *problem,
                                     const lcc_data_f64 *data,
                                     const double *rho,
                                     size_t rho_count,
                                     const double *xi,
                                     const double *w,
                                     uint8_t *scratch,
                                     size_t bytes,
                                     double *log_density,
                                     double *gradient);

/**
 * The score of the marginal, grad log p(xi) = -xi + S X E[w | xi], from the conditional mean.
 *
 * @param problem    the posterior
 * @param data       its data
 * @param rho        from lcc_coupling_rho_f64
 * @param rho_count  its values
 * @param xi         n M values
 * @param mean       E[w | xi]: dim values
 * @param score      out: n M values
 * @param len        the values that fit at score
 * @return LCC_OK, LCC_ERROR_CAPACITY, LCC_ERROR_NOT_FINITE_VALUE (rho), or what is wrong with problem or data
 */
int32_t lcc_coupling_score_f64(const lcc_problem_f64 *problem,
                               const lcc_data_f64 *data,
                               const double *rho,
                               size_t rho_count,
                               const double *xi,
                               const double *mean,
                               double *score,
                               size_t len);

/**
 * The Hessian of log p(xi), -I + S X Cov[w | xi] X' S, from the conditional covariance: where its
 * largest eigenvalue is negative, p(xi) is log-concave there.
 *
 * @param problem     the posterior
 * @param data        its data
 * @param rho         from lcc_coupling_rho_f64
 * @param rho_count   its values
 * @param covariance  Cov[w | xi]: dim x dim values, row by row
 * @param scratch     dim values
 * @param hessian     out: (n M) x (n M) values, row by row
 * @param len         the values that fit at hessian
 * @return LCC_OK, LCC_ERROR_CAPACITY, LCC_ERROR_OVERFLOW, LCC_ERROR_NOT_FINITE_VALUE (rho), or what is
 *         wrong with problem or data
 */
int32_t lcc_coupling_hessian_f64(const lcc_problem_f64 *problem,
                                 const lcc_data_f64 *data,
                                 const double *rho,
                                 size_t rho_count,
                                 const double *covariance,
                                 double *scratch,
                                 double *hessian,
                                 size_t len);

/**
 * rho_i of the coupling xi_i = sqrt(rho_i) x_i.w + N(0, 1), large enough that w given xi is
 * log-concave: over what x.w can reach under the prior. n values, or for a joint posterior with one-sided
 * coupling and signs of both kinds 2 n: first for the neurons with s_m = +1, then for the others.
 *
 * @param problem   the posterior
 * @param data      its data
 * @param coupling  an LCC_COUPLING_ code
 * @param rho       out
 * @param len       the values that fit at rho: 2 n always suffice
 * @param count     out: the values written
 * @return LCC_OK, LCC_ERROR_COUPLING, LCC_ERROR_CAPACITY, LCC_ERROR_NO_COUPLING, or what is wrong with
 *         problem or data
 */
int32_t lcc_coupling_rho_f32(const lcc_problem_f32 *problem,
                             const lcc_data_f32 *data,
                             int32_t coupling,
                             float *rho,
                             size_t len,
                             size_t *count);

/**
 * A draw of xi given w: xi_(i,m) at xi[i * M + m] (M = 1 for a greedy posterior).
 *
 * @param problem    the posterior
 * @param data       its data
 * @param rho        from lcc_coupling_rho_f32
 * @param rho_count  its values
 * @param w          dim values
 * @param seed       names the random numbers
 * @param xi         out: n M values
 * @param len        the values that fit at xi
 * @return LCC_OK, LCC_ERROR_CAPACITY, LCC_ERROR_NOT_FINITE_VALUE (rho), or what is wrong with problem or data
 */
int32_t lcc_coupling_draw_f32(const lcc_problem_f32 *problem,
                              const lcc_data_f32 *data,
                              const float *rho,
                              size_t rho_count,
                              const float *w,
                              uint64_t seed,
                              float *xi,
                              size_t len);

/**
 * log p(w | xi) up to a constant that depends on xi alone, and its gradient: concave in w for every xi.
 *
 * @param problem      the posterior
 * @param data         its data
 * @param rho          from lcc_coupling_rho_f32
 * @param rho_count    its values
 * @param xi           n M values
 * @param w            dim values
 * @param scratch      lcc_problem_scratch_f32 bytes, aligned to 16
 * @param bytes        the bytes at scratch
 * @param log_density  out
 * @param gradient     out: dim values
 * @return LCC_OK, LCC_ERROR_NOT_FINITE_VALUE (rho), LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN, or
 *         what is wrong with problem or data
 */
int32_t lcc_coupling_log_density_f32(const lcc_problem_f32 *problem,
                                     const lcc_data_f32 *data,
                                     const float *rho,
                                     size_t rho_count,
                                     const float *xi,
                                     const float *w,
                                     uint8_t *scratch,
                                     size_t bytes,
                                     float *log_density,
                                     float *gradient);

/**
 * The score of the marginal, grad log p(xi) = -xi + S X E[w | xi], from the conditional mean.
 *
 * @param problem    the posterior
 * @param data       its data
 * @param rho        from lcc_coupling_rho_f32
 * @param rho_count  its values
 * @param xi         n M values
 * @param mean       E[w | xi]: dim values
 * @param score      out: n M values
 * @param len        the values that fit at score
 * @return LCC_OK, LCC_ERROR_CAPACITY, LCC_ERROR_NOT_FINITE_VALUE (rho), or what is wrong with problem or data
 */
int32_t lcc_coupling_score_f32(const lcc_problem_f32 *problem,
                               const lcc_data_f32 *data,
                               const float *rho,
                               size_t rho_count,
                               const float *xi,
                               const float *mean,
                               float *score,
                               size_t len);

/**
 * The Hessian of log p(xi), -I + S X Cov[w | xi] X' S, from the conditional covariance: where its
 * largest eigenvalue is negative, p(xi) is log-concave there.
 *
 * @param problem     the posterior
 * @param data        its data
 * @param rho         from lcc_coupling_rho_f32
 * @param rho_count   its values
 * @param covariance  Cov[w | xi]: dim x dim values, row by row
 * @param scratch     dim values
 * @param hessian     out: (n M) x (n M) values, row by row
 * @param len         the values that fit at hessian
 * @return LCC_OK, LCC_ERROR_CAPACITY, LCC_ERROR_OVERFLOW, LCC_ERROR_NOT_FINITE_VALUE (rho), or what is
 *         wrong with problem or data
 */
int32_t lcc_coupling_hessian_f32(const lcc_problem_f32 *problem,
                                 const lcc_data_f32 *data,
                                 const float *rho,
                                 size_t rho_count,
                                 const float *covariance,
                                 float *scratch,
                                 float *hessian,
                                 size_t len);

/* ================================================================================================
 * Certificates: is p(xi) log-concave?
 * ================================================================================================ */

/**
 * Lemma 2 as printed: p(w) itself is log-concave.
 */
#define LCC_CERTIFICATE_LEMMA_2 0

/**
 * Lemma 2 with the two-sided rho_i.
 */
#define LCC_CERTIFICATE_RHO_TWO_SIDED 1

/**
 * Lemma 2 with the one-sided rho_i.
 */
#define LCC_CERTIFICATE_RHO_ONE_SIDED 2

/**
 * The Hessian of log p(w) bounded over the l1 ball.
 */
#define LCC_CERTIFICATE_OWN_CURVATURE 3

/**
 * The trace bound on the l1 ball, proved.
 */
#define LCC_CERTIFICATE_TRACE 4

/**
 * The same by columns of X, proved.
 */
#define LCC_CERTIFICATE_COLUMNS 5

/**
 * Lemma 4 as printed: false.
 */
#define LCC_CERTIFICATE_LEMMA_4_PUBLISHED 6

/**
 * Lemma 4 corrected: conditional.
 */
#define LCC_CERTIFICATE_LEMMA_4 7

/**
 * The same with the two-sided matrix.
 */
#define LCC_CERTIFICATE_MATRIX_TWO_SIDED 8

/**
 * The same with the one-sided matrix.
 */
#define LCC_CERTIFICATE_MATRIX_ONE_SIDED 9

/**
 * Remark 1.
 */
#define LCC_CERTIFICATE_REMARK_1 10

/**
 * The slides' greedy condition as printed: false.
 */
#define LCC_CERTIFICATE_SLIDES_PUBLISHED 11

/**
 * The same corrected: conditional.
 */
#define LCC_CERTIFICATE_SLIDES 12

/**
 * The slides' bound on the Hessian of the joint log p(xi): conditional.
 */
#define LCC_CERTIFICATE_JOINT_HESSIAN 13

/**
 * The same with nothing dropped.
 */
#define LCC_CERTIFICATE_JOINT_HESSIAN_SHARPER 14

/**
 * Half the curvature, the rate of the diffusion: conditional.
 */
#define LCC_CERTIFICATE_BAKRY_EMERY 15

/**
 * The bound of Lemma 3, estimated at the visited xi.
 */
#define LCC_CERTIFICATE_LEMMA_3 16

/**
 * The largest eigenvalue of S X Cov[w | xi] X' S, estimated at the visited xi.
 */
#define LCC_CERTIFICATE_EIGENVALUE 17

/**
 * Proved: p(w) itself is log-concave, and so is p(xi).
 */
#define LCC_CERTIFIED_ALREADY_LOG_CONCAVE 0

/**
 * Proved: p(xi) is log-concave.
 */
#define LCC_CERTIFIED_PROVED 1

/**
 * p(xi) is log-concave under an assumption that is not proved.
 */
#define LCC_CERTIFIED_CONDITIONAL 2

/**
 * An estimate at the visited xi agrees with log-concavity by more than three standard errors.
 */
#define LCC_CERTIFIED_EMPIRICAL 3

/**
 * An estimate refutes log-concavity by more than three standard errors.
 */
#define LCC_CERTIFIED_NOT_LOG_CONCAVE 4

/**
 * The condition is sufficient and does not hold: nothing follows.
 */
#define LCC_CERTIFIED_NOT_SATISFIED 5

/**
 * An estimate is too close to its threshold.
 */
#define LCC_CERTIFIED_INCONCLUSIVE 6

/**
 * The statement as published is false, whether or not its condition holds.
 */
#define LCC_CERTIFIED_PUBLISHED_FALSE 7

/**
 * The argument is about another prior, activation or range.
 */
#define LCC_CERTIFIED_NOT_APPLICABLE 8

/**
 * p(w) is log-concave, proved: sample w directly.
 */
#define LCC_CONCLUSION_ALREADY_LOG_CONCAVE 0

/**
 * p(xi) is log-concave, proved: use the coupling.
 */
#define LCC_CONCLUSION_PROVED 1

/**
 * p(xi) is log-concave under an assumption: use the coupling, and check.
 */
#define LCC_CONCLUSION_CONDITIONAL 2

/**
 * Only estimates speak for it: use the coupling, and check against SMC.
 */
#define LCC_CONCLUSION_EMPIRICAL 3

/**
 * p(xi) is not log-concave: use SMC or tempering.
 */
#define LCC_CONCLUSION_NOT_LOG_CONCAVE 4

/**
 * Nothing is known: use SMC or lcc_auto_init_f64 or _f32.
 */
#define LCC_CONCLUSION_UNKNOWN 5

/**
 * The name of a certificate.
 */
#define LCC_DESCRIBE_NAME 0

/**
 * The condition that it evaluates, with its source.
 */
#define LCC_DESCRIBE_EQUATION 1

/**
 * What it assumes beside the condition; empty if nothing.
 */
#define LCC_DESCRIBE_ASSUMPTION 2

/**
 * The name of a status, by an LCC_CERTIFIED_ code in place of the certificate's.
 */
#define LCC_DESCRIBE_STATUS 3

/**
 * How the xi of a posterior are visited.
 */
typedef struct {
    /**
     * sizeof(lcc_probe_options), set by lcc_probe_options_default.
     */
    uint32_t struct_size;
    /**
     * LCC_COUPLING_ONE_SIDED or LCC_COUPLING_TWO_SIDED. Default: one-sided.
     */
    int32_t coupling;
    /**
     * 1 for the reduced coupling: Gaussian prior only. Default 0.
     */
    uint32_t reduced;
    /**
     * Draws of each inner chain at which the bound of Lemma 3 is averaged; 0 leaves it out. Default 16.
     */
    uint32_t lemma3;
    /**
     * Transitions of the 8 inner chains that adapt and are discarded. Default 200.
     */
    uint32_t warmup;
    /**
     * Transitions of each that count, at least 4. Default 250.
     */
    uint32_t draws;
    /**
     * Gradients in one transition, at least 1. Default 4.
     */
    uint32_t leapfrogs;
    /**
     * 1 does without the CPU's wide instructions. Changes speed, never a number. Default 0.
     */
    uint32_t portable;
    /**
     * Names the random numbers. Default 1.
     */
    uint64_t seed;
} lcc_probe_options;

/**
 * A condition under which p(xi), or p(w) itself, is log-concave, and what it says.
 */
typedef struct {
    /**
     * An LCC_CERTIFICATE_ code.
     */
    int32_t kind;
    /**
     * An LCC_CERTIFIED_ code.
     */
    int32_t status;
    /**
     * What must be below the threshold, or at most it; NaN where it does not apply.
     */
    double value;
    /**
     * The threshold.
     */
    double threshold;
    /**
     * The Monte Carlo standard error of an estimate, else 0.
     */
    double error;
} lcc_certificate_f64;

/**
 * All certificates of a posterior: entries[0] to entries[count - 1]. Copy it as you like.
 */
typedef struct {
    /**
     * sizeof(lcc_certificates_f64), set by lcc_certificates_evaluate_f64.
     */
    uint32_t struct_size;
    /**
     * Entries.
     */
    uint32_t count;
    /**
     * An LCC_CONCLUSION_ code: the strongest thing that they allow to be said.
     */
    int32_t conclusion;
    /**
     * Visited xi.
     */
    uint32_t probes;
    /**
     * The posterior's prior.
     */
    int32_t prior;
    /**
     * LCC_OK, or why the posterior has no coupling.
     */
    int32_t coupling;
    /**
     * The prior's scale.
     */
    double scale;
    /**
     * By what the xi with the largest eigenvalue was chosen; for lcc_certificates_probe_f64.
     */
    double selection;
    /**
     * Names the problem and its data.
     */
    uint64_t fingerprint;
    /**
     * The certificates.
     */
    lcc_certificate_f64 entries[16];
} lcc_certificates_f64;

/**
 * A condition under which p(xi), or p(w) itself, is log-concave, and what it says.
 */
typedef struct {
    /**
     * An LCC_CERTIFICATE_ code.
     */
    int32_t kind;
    /**
     * An LCC_CERTIFIED_ code.
     */
    int32_t status;
    /**
     * What must be below the threshold, or at most it; NaN where it does not apply.
     */
    float value;
    /**
     * The threshold.
     */
    float threshold;
    /**
     * The Monte Carlo standard error of an estimate, else 0.
     */
    float error;
} lcc_certificate_f32;

/**
 * All certificates of a posterior: entries[0] to entries[count - 1]. Copy it as you like.
 */
typedef struct {
    /**
     * sizeof(lcc_certificates_f32), set by lcc_certificates_evaluate_f32.
     */
    uint32_t struct_size;
    /**
     * Entries.
     */
    uint32_t count;
    /**
     * An LCC_CONCLUSION_ code: the strongest thing that they allow to be said.
     */
    int32_t conclusion;
    /**
     * Visited xi.
     */
    uint32_t probes;
    /**
     * The posterior's prior.
     */
    int32_t prior;
    /**
     * LCC_OK, or why the posterior has no coupling.
     */
    int32_t coupling;
    /**
     * The prior's scale.
     */
    float scale;
    /**
     * By what the xi with the largest eigenvalue was chosen; for lcc_certificates_probe_f32.
     */
    float selection;
    /**
     * Names the problem and its data.
     */
    uint64_t fingerprint;
    /**
     * The certificates.
     */
    lcc_certificate_f32 entries[16];
} lcc_certificates_f32;

/**
 * Writes the defaults.
 *
 * @param options  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_MISALIGNED
 */
int32_t lcc_probe_options_default(lcc_probe_options *options);

/**
 * Words about a certificate or a status.
 *
 * @param kind    an LCC_CERTIFICATE_ code (LCC_DESCRIBE_STATUS: an LCC_CERTIFIED_ code)
 * @param what    an LCC_DESCRIBE_ code
 * @param text    out: zero-terminated; 256 bytes are enough
 * @param bytes   the bytes at text
 * @param length  out: its length without the zero
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_INDEX (no such code), LCC_ERROR_CAPACITY
 */
int32_t lcc_certificate_describe(int32_t kind,
                                 int32_t what,
                                 char *text,
                                 size_t bytes,
                                 size_t *length);

/**
 * The bytes of scratch of lcc_certificates_evaluate_f64, aligned to 16.
 *
 * @param problem  the posterior
 * @param data     its data
 * @param bytes    out
 * @return LCC_OK, LCC_ERROR_OVERFLOW, or what is wrong with problem or data
 */
int32_t lcc_certificates_scratch_f64(const lcc_problem_f64 *problem,
                                     const lcc_data_f64 *data,
                                     size_t *bytes);

/**
 * Every certificate that needs no draws: about 9 n d^2 + 90 m^2 d flops, m = min(n, d) (joint: up to 12
 * and 120).
 *
 * @param problem       the posterior: greedy or joint
 * @param data          its data
 * @param scratch       lcc_certificates_scratch_f64 bytes, aligned to 16
 * @param bytes         the bytes at scratch
 * @param certificates  out
 * @return LCC_OK, LCC_ERROR_POSTERIOR (a density of your own has none), LCC_ERROR_MEMORY_SIZE,
 *         LCC_ERROR_MEMORY_ALIGN, LCC_ERROR_NOT_FINITE_VALUE (the numbers overflow), or what is wrong
 *         with problem or data
 */
int32_t lcc_certificates_evaluate_f64(const lcc_problem_f64 *problem,
                                      const lcc_data_f64 *data,
                                      uint8_t *scratch,
                                      size_t bytes,
                                      lcc_certificates_f64 *certificates);

/**
 * The bytes of scratch of lcc_certificates_probe_f64, aligned to 16.
 *
 * @param problem  the posterior
 * @param data     its data
 * @param options  how xi is visited
 * @param bytes    out
 * @return LCC_OK, LCC_ERROR_OVERFLOW, LCC_ERROR_POSTERIOR, or what is wrong with an argument
 */
int32_t lcc_certificates_probe_scratch_f64(const lcc_problem_f64 *problem,
                                           const lcc_data_f64 *data,
                                           const lcc_probe_options *options,
                                           size_t *bytes);

/**
 * Visits one xi more: draws it given w, a draw of the posterior, lets 8 chains sample w given xi, and
 * estimates the largest eigenvalue of S X Cov[w | xi] X' S (below 1 everywhere: p(xi) is log-concave) and,
 * under a Gaussian prior, the bound of Lemma 3. Keeps the worst of the xi visited so far, chosen by other
 * draws than those it is judged by. One call is one unit of work: 8 (warmup + draws) leapfrogs n
 * row-gradient visits, and some linear algebra of order (M d)^3.
 *
 * @param certificates  from lcc_certificates_evaluate_f64, changed
 * @param problem       the posterior
 * @param data          its data
 * @param options       how xi is visited
 * @param w             dim values
 * @param which         numbers the xi of one seed
 * @param scratch       lcc_certificates_probe_scratch_f64 bytes, aligned to 16
 * @param bytes         the bytes at scratch
 * @return LCC_OK, LCC_ERROR_HANDLE, LCC_ERROR_DATA_CHANGED, LCC_ERROR_NO_COUPLING, LCC_ERROR_REDUCED,
 *         LCC_ERROR_NOT_FINITE_VALUE (w, or what came of it), LCC_ERROR_MEMORY_SIZE,
 *         LCC_ERROR_MEMORY_ALIGN, or what is wrong with an argument
 */
int32_t lcc_certificates_probe_f64(lcc_certificates_f64 *certificates,
                                   const lcc_problem_f64 *problem,
                                   const lcc_data_f64 *data,
                                   const lcc_probe_options *options,
                                   const double *w,
                                   uint32_t which,
                                   uint8_t *scratch,
                                   size_t bytes);

/**
 * The verdict in one paragraph: what is proved, what is conditional on what, what is only empirical, and
 * what to do.
 *
 * @param certificates  from lcc_certificates_evaluate_f64
 * @param text          out: zero-terminated; 2048 bytes are enough
 * @param bytes         the bytes at text
 * @param length        out: its length without the zero
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_STRUCT_SIZE, LCC_ERROR_HANDLE, LCC_ERROR_CAPACITY
 */
int32_t lcc_certificates_explain_f64(const lcc_certificates_f64 *certificates,
                                     char *text,
                                     size_t bytes,
                                     size_t *length);

/**
 * The bytes of scratch of lcc_certificates_evaluate_f32, aligned to 16.
 *
 * @param problem  the posterior
 * @param data     its data
 * @param bytes    out
 * @return LCC_OK, LCC_ERROR_OVERFLOW, or what is wrong with problem or data
 */
int32_t lcc_certificates_scratch_f32(const lcc_problem_f32 *problem,
                                     const lcc_data_f32 *data,
                                     size_t *bytes);

/**
 * Every certificate that needs no draws: about 9 n d^2 + 90 m^2 d flops, m = min(n, d) (joint: up to 12
 * and 120).
 *
 * @param problem       the posterior: greedy or joint
 * @param data          its data
 * @param scratch       lcc_certificates_scratch_f32 bytes, aligned to 16
 * @param bytes         the bytes at scratch
 * @param certificates  out
 * @return LCC_OK, LCC_ERROR_POSTERIOR (a density of your own has none), LCC_ERROR_MEMORY_SIZE,
 *         LCC_ERROR_MEMORY_ALIGN, LCC_ERROR_NOT_FINITE_VALUE (the numbers overflow), or what is wrong
 *         with problem or data
 */
int32_t lcc_certificates_evaluate_f32(const lcc_problem_f32 *problem,
                                      const lcc_data_f32 *data,
                                      uint8_t *scratch,
                                      size_t bytes,
                                      lcc_certificates_f32 *certificates);

/**
 * The bytes of scratch of lcc_certificates_probe_f32, aligned to 16.
 *
 * @param problem  the posterior
 * @param data     its data
 * @param options  how xi is visited
 * @param bytes    out
 * @return LCC_OK, LCC_ERROR_OVERFLOW, LCC_ERROR_POSTERIOR, or what is wrong with an argument
 */
int32_t lcc_certificates_probe_scratch_f32(const lcc_problem_f32 *problem,
                                           const lcc_data_f32 *data,
                                           const lcc_probe_options *options,
                                           size_t *bytes);

/**
 * Visits one xi more: draws it given w, a draw of the posterior, lets 8 chains sample w given xi, and
 * estimates the largest eigenvalue of S X Cov[w | xi] X' S (below 1 everywhere: p(xi) is log-concave) and,
 * under a Gaussian prior, the bound of Lemma 3. Keeps the worst of the xi visited so far, chosen by other
 * draws than those it is judged by. One call is one unit of work: 8 (warmup + draws) leapfrogs n
 * row-gradient visits, and some linear algebra of order (M d)^3.
 *
 * @param certificates  from lcc_certificates_evaluate_f32, changed
 * @param problem       the posterior
 * @param data          its data
 * @param options       how xi is visited
 * @param w             dim values
 * @param which         numbers the xi of one seed
 * @param scratch       lcc_certificates_probe_scratch_f32 bytes, aligned to 16
 * @param bytes         the bytes at scratch
 * @return LCC_OK, LCC_ERROR_HANDLE, LCC_ERROR_DATA_CHANGED, LCC_ERROR_NO_COUPLING, LCC_ERROR_REDUCED,
 *         LCC_ERROR_NOT_FINITE_VALUE (w, or what came of it), LCC_ERROR_MEMORY_SIZE,
 *         LCC_ERROR_MEMORY_ALIGN, or what is wrong with an argument
 */
int32_t lcc_certificates_probe_f32(lcc_certificates_f32 *certificates,
                                   const lcc_problem_f32 *problem,
                                   const lcc_data_f32 *data,
                                   const lcc_probe_options *options,
                                   const float *w,
                                   uint32_t which,
                                   uint8_t *scratch,
                                   size_t bytes);

/**
 * The verdict in one paragraph: what is proved, what is conditional on what, what is only empirical, and
 * what to do.
 *
 * @param certificates  from lcc_certificates_evaluate_f32
 * @param text          out: zero-terminated; 2048 bytes are enough
 * @param bytes         the bytes at text
 * @param length        out: its length without the zero
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_STRUCT_SIZE, LCC_ERROR_HANDLE, LCC_ERROR_CAPACITY
 */
int32_t lcc_certificates_explain_f32(const lcc_certificates_f32 *certificates,
                                     char *text,
                                     size_t bytes,
                                     size_t *length);

/* ================================================================================================
 * Quantities of the theory
 * ================================================================================================ */

/**
 * V^2/M: the mean squared distance at which an average of M neurons of variation V approximates.
 *
 * @param variation  V
 * @param neurons    M; infinite for 0
 */
double lcc_theory_approximation_f64(double variation, size_t neurons);

/**
 * V sqrt((log 2d + L)/N): the order of the mean squared risk of learning from N observations.
 *
 * @param variation     V
 * @param d             inputs
 * @param layers        L, hidden
 * @param observations  N
 */
double lcc_theory_risk_f64(double variation, size_t d, uint32_t layers, size_t observations);

/**
 * V sqrt(2 log 2d + 2 L log 2): the Gaussian complexity of networks of variation V.
 *
 * @param variation  V
 * @param d          inputs
 * @param layers     L, hidden
 */
double lcc_theory_gaussian_complexity_f64(double variation, size_t d, uint32_t layers);

/**
 * ceil(V^2/e^2) log K: nats that cover the convex hull of K points of norm V to distance e.
 *
 * @param variation  V
 * @param points     K
 * @param distance   e
 */
double lcc_theory_covering_hull_f64(double variation, size_t points, double distance);

/**
 * 4 pi log 2 (V/e)^2 (log 2d + L log 2): nats that cover the networks of variation V to distance e.
 *
 * @param variation  V
 * @param d          inputs
 * @param layers     L, hidden
 * @param distance   e
 */
double lcc_theory_covering_network_f64(double variation,
                                       size_t d,
                                       uint32_t layers,
                                       double distance);

/**
 * D exp(-t rho/2): relative entropy of the diffusion on xi after time t where -Hess log p(xi) >= rho/2.
 *
 * @param start  D, nats
 * @param rho    the coupling's
 * @param time   t
 */
double lcc_theory_relative_entropy_f64(double start,
                                       double rho,
                                       double time);

/**
 * 2 M/(beta c V): the time in which that falls by a factor e.
 *
 * @param beta     of the joint posterior
 * @param c        max |y_i| + V
 * @param outer    V
 * @param neurons  M
 */
double lcc_theory_time_scale_f64(double beta, double c, double outer, size_t neurons);

/**
 * (2/rho) log(start/end), at least 0: the time that brings it from start to end.
 *
 * @param start  nats
 * @param end    nats
 * @param rho    the coupling's
 */
double lcc_theory_time_for_f64(double start, double end, double rho);

/**
 * (n/2) (log(2 pi squared/n) + 1): the log loss of n targets under Gaussian noise about predictions of that
 * cumulative squared loss, of the variance that suits them best.
 *
 * @param squared       cumulative squared loss
 * @param observations  n
 */
double lcc_theory_gaussian_log_loss_f64(double squared,
                                        size_t observations);

/**
 * excess + log(1/P0(A)): bounds the regret of the Bayes mixture's log loss against the best network, A
 * a set of networks whose cumulative loss is within excess of its.
 *
 * @param prior_probability  P0(A)
 * @param excess             nats
 */
double lcc_theory_bayes_regret_f64(double prior_probability,
                                   double excess);

/**
 * (2/(beta N)) times that: bounds the mean squared regret of predictive means where beta (y - f)^2 <= 1.
 *
 * @param prior_probability  P0(A)
 * @param excess             nats
 * @param beta               the inverse temperature of the squared loss
 * @param observations       N
 */
double lcc_theory_mean_squared_regret_f64(double prior_probability,
                                          double excess,
                                          double beta,
                                          size_t observations);

/**
 * The posterior probabilities of models of equal prior probability, from their log evidences (or minus
 * their description lengths in nats) in place. NaN counts as impossible.
 *
 * @param log_evidence  in and out
 * @param models        how many
 * @param best          out: the likeliest
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_NOT_FINITE_VALUE where none is finite
 */
int32_t lcc_theory_model_probabilities_f64(double *log_evidence,
                                           size_t models,
                                           size_t *best);

/**
 * The index of resolvability over M = 1..most: the least V^2/M + M nats/(beta N), and its M.
 *
 * @param variation     V
 * @param nats          description length of one neuron
 * @param beta          1/noise variance
 * @param observations  N
 * @param most          at least 1
 * @param neurons       out: M
 * @param bound         out: the index
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_NEURONS
 */
int32_t lcc_theory_resolvability_f64(double variation,
                                     double nats,
                                     double beta,
                                     size_t observations,
                                     size_t most,
                                     size_t *neurons,
                                     double *bound);

/**
 * sum_k |a_k| |w_k|_1^order: the spectral norm of sum_k a_k cos(w_k.x + b_k).
 *
 * @param amplitudes   count values
 * @param frequencies  count times d values, w_k one after another
 * @param count        terms
 * @param d            inputs
 * @param order        1 for sigmoids, 2 ramps, 3 squared ramps; at most 16
 * @param norm         out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_MISALIGNED, LCC_ERROR_OVERFLOW, LCC_ERROR_INDEX (order)
 */
int32_t lcc_theory_spectral_norm_f64(const double *amplitudes,
                                     const double *frequencies,
                                     size_t count,
                                     size_t d,
                                     uint32_t order,
                                     double *norm);

/**
 * sum_m |c_m| |w_m|_1^degree: the variation of a network of one hidden layer.
 *
 * @param outer      c_m: neurons values
 * @param inner      w_m one after another: neurons times d values
 * @param neurons    M
 * @param d          inputs
 * @param degree     0 where |psi| <= 1, 1 ramps and Lipschitz psi, 2 squared ramps; at most 16
 * @param variation  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_MISALIGNED, LCC_ERROR_OVERFLOW, LCC_ERROR_INDEX (degree)
 */
int32_t lcc_theory_variation_f64(const double *outer,
                                 const double *inner,
                                 size_t neurons,
                                 size_t d,
                                 uint32_t degree,
                                 double *variation);

/**
 * V_L: the sum over all paths from an input to an output of the product of the |weights| on it.
 *
 * @param weights    layers pointers, from the input on: widths[k + 1] rows of widths[k] values
 * @param widths     layers + 1 counts, none 0
 * @param layers     matrices, 1 to 32
 * @param scratch    twice the largest width; the paths from each input are left in front
 * @param len        the values at scratch
 * @param variation  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_MISALIGNED, LCC_ERROR_OVERFLOW, LCC_ERROR_INDEX (layers),
 *         LCC_ERROR_EMPTY (a width), LCC_ERROR_MEMORY_SIZE
 */
int32_t lcc_theory_paths_f64(const double *const *weights,
                             const size_t *widths,
                             size_t layers,
                             double *scratch,
                             size_t len,
                             double *variation);

/**
 * V^2/M: the mean squared distance at which an average of M neurons of variation V approximates.
 *
 * @param variation  V
 * @param neurons    M; infinite for 0
 */
float lcc_theory_approximation_f32(float variation, size_t neurons);

/**
 * V sqrt((log 2d + L)/N): the order of the mean squared risk of learning from N observations.
 *
 * @param variation     V
 * @param d             inputs
 * @param layers        L, hidden
 * @param observations  N
 */
float lcc_theory_risk_f32(float variation, size_t d, uint32_t layers, size_t observations);

/**
 * V sqrt(2 log 2d + 2 L log 2): the Gaussian complexity of networks of variation V.
 *
 * @param variation  V
 * @param d          inputs
 * @param layers     L, hidden
 */
float lcc_theory_gaussian_complexity_f32(float variation, size_t d, uint32_t layers);

/**
 * ceil(V^2/e^2) log K: nats that cover the convex hull of K points of norm V to distance e.
 *
 * @param variation  V
 * @param points     K
 * @param distance   e
 */
float lcc_theory_covering_hull_f32(float variation, size_t points, float distance);

/**
 * 4 pi log 2 (V/e)^2 (log 2d + L log 2): nats that cover the networks of variation V to distance e.
 *
 * @param variation  V
 * @param d          inputs
 * @param layers     L, hidden
 * @param distance   e
 */
float lcc_theory_covering_network_f32(float variation, size_t d, uint32_t layers, float distance);

/**
 * D exp(-t rho/2): relative entropy of the diffusion on xi after time t where -Hess log p(xi) >= rho/2.
 *
 * @param start  D, nats
 * @param rho    the coupling's
 * @param time   t
 */
float lcc_theory_relative_entropy_f32(float start,
                                      float rho,
                                      float time);

/**
 * 2 M/(beta c V): the time in which that falls by a factor e.
 *
 * @param beta     of the joint posterior
 * @param c        max |y_i| + V
 * @param outer    V
 * @param neurons  M
 */
float lcc_theory_time_scale_f32(float beta, float c, float outer, size_t neurons);

/**
 * (2/rho) log(start/end), at least 0: the time that brings it from start to end.
 *
 * @param start  nats
 * @param end    nats
 * @param rho    the coupling's
 */
float lcc_theory_time_for_f32(float start, float end, float rho);

/**
 * (n/2) (log(2 pi squared/n) + 1): the log loss of n targets under Gaussian noise about predictions of that
 * cumulative squared loss, of the variance that suits them best.
 *
 * @param squared       cumulative squared loss
 * @param observations  n
 */
float lcc_theory_gaussian_log_loss_f32(float squared,
                                       size_t observations);

/**
 * excess + log(1/P0(A)): bounds the regret of the Bayes mixture's log loss against the best network, A
 * a set of networks whose cumulative loss is within excess of its.
 *
 * @param prior_probability  P0(A)
 * @param excess             nats
 */
float lcc_theory_bayes_regret_f32(float prior_probability,
                                  float excess);

/**
 * (2/(beta N)) times that: bounds the mean squared regret of predictive means where beta (y - f)^2 <= 1.
 *
 * @param prior_probability  P0(A)
 * @param excess             nats
 * @param beta               the inverse temperature of the squared loss
 * @param observations       N
 */
float lcc_theory_mean_squared_regret_f32(float prior_probability,
                                         float excess,
                                         float beta,
                                         size_t observations);

/**
 * The posterior probabilities of models of equal prior probability, from their log evidences (or minus
 * their description lengths in nats) in place. NaN counts as impossible.
 *
 * @param log_evidence  in and out
 * @param models        how many
 * @param best          out: the likeliest
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_NOT_FINITE_VALUE where none is finite
 */
int32_t lcc_theory_model_probabilities_f32(float *log_evidence,
                                           size_t models,
                                           size_t *best);

/**
 * The index of resolvability over M = 1..most: the least V^2/M + M nats/(beta N), and its M.
 *
 * @param variation     V
 * @param nats          description length of one neuron
 * @param beta          1/noise variance
 * @param observations  N
 * @param most          at least 1
 * @param neurons       out: M
 * @param bound         out: the index
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_NEURONS
 */
int32_t lcc_theory_resolvability_f32(float variation,
                                     float nats,
                                     float beta,
                                     size_t observations,
                                     size_t most,
                                     size_t *neurons,
                                     float *bound);

/**
 * sum_k |a_k| |w_k|_1^order: the spectral norm of sum_k a_k cos(w_k.x + b_k).
 *
 * @param amplitudes   count values
 * @param frequencies  count times d values, w_k one after another
 * @param count        terms
 * @param d            inputs
 * @param order        1 for sigmoids, 2 ramps, 3 squared ramps; at most 16
 * @param norm         out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_MISALIGNED, LCC_ERROR_OVERFLOW, LCC_ERROR_INDEX (order)
 */
int32_t lcc_theory_spectral_norm_f32(const float *amplitudes,
                                     const float *frequencies,
                                     size_t count,
                                     size_t d,
                                     uint32_t order,
                                     float *norm);

/**
 * sum_m |c_m| |w_m|_1^degree: the variation of a network of one hidden layer.
 *
 * @param outer      c_m: neurons values
 * @param inner      w_m one after another: neurons times d values
 * @param neurons    M
 * @param d          inputs
 * @param degree     0 where |psi| <= 1, 1 ramps and Lipschitz psi, 2 squared ramps; at most 16
 * @param variation  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_MISALIGNED, LCC_ERROR_OVERFLOW, LCC_ERROR_INDEX (degree)
 */
int32_t lcc_theory_variation_f32(const float *outer,
                                 const float *inner,
                                 size_t neurons,
                                 size_t d,
                                 uint32_t degree,
                                 float *variation);

/**
 * V_L: the sum over all paths from an input to an output of the product of the |weights| on it.
 *
 * @param weights    layers pointers, from the input on: widths[k + 1] rows of widths[k] values
 * @param widths     layers + 1 counts, none 0
 * @param layers     matrices, 1 to 32
 * @param scratch    twice the largest width; the paths from each input are left in front
 * @param len        the values at scratch
 * @param variation  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_MISALIGNED, LCC_ERROR_OVERFLOW, LCC_ERROR_INDEX (layers),
 *         LCC_ERROR_EMPTY (a width), LCC_ERROR_MEMORY_SIZE
 */
int32_t lcc_theory_paths_f32(const float *const *weights,
                             const size_t *widths,
                             size_t layers,
                             float *scratch,
                             size_t len,
                             float *variation);

/* ================================================================================================
 * The network regressor
 * ================================================================================================ */

/**
 * A full mass matrix a chain.
 */
#define LCC_MASS_DENSE 0

/**
 * Its diagonal only: for microcontrollers and very wide inputs.
 */
#define LCC_MASS_DIAGONAL 1

/**
 * The log likelihood of the training data, in standardised units.
 */
#define LCC_NETWORK_TRACE_LOG_LIKELIHOOD 0

/**
 * The probability of acceptance.
 */
#define LCC_NETWORK_TRACE_ACCEPT 1

/**
 * 1 where the trajectory diverged, else 0.
 */
#define LCC_NETWORK_TRACE_DIVERGENT 2

/**
 * The energy at the start of the trajectory.
 */
#define LCC_NETWORK_TRACE_ENERGY 3

/**
 * f at a traced training row, in standardised units.
 */
#define LCC_NETWORK_TRACE_PREDICTION 4

/**
 * A regressor, in the caller's memory.
 *
 * On standardised inputs and target, f(x) = b0 + c.x + sum_m v_m psi(b_m + x.w_m), and y is f plus
 * Student-t noise. Weights have hierarchical priors: a scale for each input (automatic relevance),
 * for the outer weights and for the linear part, all sampled, as are the noise's scale and its tail.
 * Chains start from the best of some optimised points, are sampled by Hamiltonian Monte Carlo with
 * Gibbs draws between, and are kept as an ensemble.
 */
typedef struct lcc_network_f32 lcc_network_f32;

/**
 * A regressor, in the caller's memory.
 *
 * On standardised inputs and target, f(x) = b0 + c.x + sum_m v_m psi(b_m + x.w_m), and y is f plus
 * Student-t noise. Weights have hierarchical priors: a scale for each input (automatic relevance),
 * for the outer weights and for the linear part, all sampled, as are the noise's scale and its tail.
 * Chains start from the best of some optimised points, are sampled by Hamiltonian Monte Carlo with
 * Gibbs draws between, and are kept as an ensemble.
 */
typedef struct lcc_network_f64 lcc_network_f64;

/**
 * What a regressor is asked to do. The defaults need no tuning.
 */
typedef struct {
    /**
     * The bytes of this struct, as the defaults have it.
     */
    uint32_t struct_size;
    /**
     * Neurons M, at least 1. Default 20: more where time allows.
     */
    uint32_t neurons;
    /**
     * Chains, at least 1. Default 4. More chains help more than longer ones.
     */
    uint32_t chains;
    /**
     * Chains that advance in lock-step: 1 or 8. Changes speed and memory, never a number.
     * Default 8 where the CPU has wide instructions, else 1.
     */
    uint32_t lanes;
    /**
     * Iterations of each chain before its draws count. Default 500.
     */
    uint32_t warmup;
    /**
     * Iterations of each chain that count, at least 1. Default 500.
     */
    uint32_t draws;
    /**
     * Draws that each chain keeps for the model, evenly spread: 1 to draws. Default 25.
     */
    uint32_t keep;
    /**
     * An LCC_ACTIVATION_ code. Default: tanh.
     */
    int32_t activation;
    /**
     * 1: Gaussian noise; 0: Student-t with sampled tail. Default 0.
     */
    uint32_t gaussian;
    /**
     * 1: standardise inputs and target (a copy of the data is kept in the memory); 0: the data are
     * in units where the prior makes sense and are read in place. Default 1.
     */
    uint32_t standardise;
    /**
     * Random starts, each optimised, of which the best is taken; 0 starts at random. A heuristic
     * outside the exact posterior. Default 3.
     */
    uint32_t starts;
    /**
     * Optimisation steps of each start. Default 1000.
     */
    uint32_t start_steps;
    /**
     * 1: leave chains out of the model whose log likelihood falls short of the best chain's by more than
     * drop_below. A heuristic outside the exact posterior. Default 1.
     */
    uint32_t drop;
    /**
     * Leapfrog steps of a trajectory, at least 1. Default 24.
     */
    uint32_t leapfrogs;
    /**
     * The same in the first half of the warm-up. Default 12.
     */
    uint32_t early_leapfrogs;
    /**
     * LCC_MASS_DENSE or LCC_MASS_DIAGONAL. Default: dense.
     */
    int32_t mass;
    /**
     * How often the warm-up refreshes the mass matrix.
     */
    uint32_t mass_updates;
    /**
     * Training rows whose predictions are recorded at every draw, for diagnostics. Default 20.
     */
    uint32_t trace_rows;
    /**
     * 1 does without the CPU's wide instructions. Changes speed, never a number. Default 0.
     */
    uint32_t portable;
    /**
     * The number of the first chain: chain k is chain first_chain + k of an object from 0 on, to the bit. For
     * chains dealt to threads, processes or machines: lcc_network_join_f64. 0 where chains start from a model. Default 0.
     */
    uint32_t first_chain;
    /**
     * Names the random numbers. Default 1.
     */
    uint64_t seed;
    /**
     * Nats per row. Default 1.
     */
    double drop_below;
    /**
     * The acceptance that the step size is adapted to, inside (0, 1). Default .9.
     */
    double target_accept;
    /**
     * The step size of a trajectory is uniform within this share of the adapted one, in [0, 1).
     * Default .3.
     */
    double jitter;
    /**
     * The step size before adaptation.
     */
    double first_step;
    /**
     * The largest step size.
     */
    double largest_step;
    /**
     * Prior: the scales of inputs and biases are half-Cauchy with this median. Default 1.
     */
    double input_scale;
    /**
     * Prior: the sd of the outer weights is half-Cauchy with median this / sqrt(M). Default 1.
     */
    double outer_scale;
    /**
     * Prior: the sd of the linear part is half-Cauchy with this median. Default 1.
     */
    double linear_scale;
    /**
     * Prior: the sd of the intercept. Default 10.
     */
    double intercept_sd;
    /**
     * Prior: the noise's precision is Gamma with this shape ... Default .5.
     */
    double noise_shape;
    /**
     * ... and this rate. Default 5e-5.
     */
    double noise_rate;
} lcc_network_options_f64;

/**
 * What a regressor is asked to do. The defaults need no tuning.
 */
typedef struct {
    /**
     * The bytes of this struct, as the defaults have it.
     */
    uint32_t struct_size;
    /**
     * Neurons M, at least 1. Default 20: more where time allows.
     */
    uint32_t neurons;
    /**
     * Chains, at least 1. Default 4. More chains help more than longer ones.
     */
    uint32_t chains;
    /**
     * Chains that advance in lock-step: 1 or 8. Changes speed and memory, never a number.
     * Default 8 where the CPU has wide instructions, else 1.
     */
    uint32_t lanes;
    /**
     * Iterations of each chain before its draws count. Default 500.
     */
    uint32_t warmup;
    /**
     * Iterations of each chain that count, at least 1. Default 500.
     */
    uint32_t draws;
    /**
     * Draws that each chain keeps for the model, evenly spread: 1 to draws. Default 25.
     */
    uint32_t keep;
    /**
     * An LCC_ACTIVATION_ code. Default: tanh.
     */
    int32_t activation;
    /**
     * 1: Gaussian noise; 0: Student-t with sampled tail. Default 0.
     */
    uint32_t gaussian;
    /**
     * 1: standardise inputs and target (a copy of the data is kept in the memory); 0: the data are
     * in units where the prior makes sense and are read in place. Default 1.
     */
    uint32_t standardise;
    /**
     * Random starts, each optimised, of which the best is taken; 0 starts at random. A heuristic
     * outside the exact posterior. Default 3.
     */
    uint32_t starts;
    /**
     * Optimisation steps of each start. Default 1000.
     */
    uint32_t start_steps;
    /**
     * 1: leave chains out of the model whose log likelihood falls short of the best chain's by more than
     * drop_below. A heuristic outside the exact posterior. Default 1.
     */
    uint32_t drop;
    /**
     * Leapfrog steps of a trajectory, at least 1. Default 24.
     */
    uint32_t leapfrogs;
    /**
     * The same in the first half of the warm-up. Default 12.
     */
    uint32_t early_leapfrogs;
    /**
     * LCC_MASS_DENSE or LCC_MASS_DIAGONAL. Default: dense.
     */
    int32_t mass;
    /**
     * How often the warm-up refreshes the mass matrix.
     */
    uint32_t mass_updates;
    /**
     * Training rows whose predictions are recorded at every draw, for diagnostics. Default 20.
     */
    uint32_t trace_rows;
    /**
     * 1 does without the CPU's wide instructions. Changes speed, never a number. Default 0.
     */
    uint32_t portable;
    /**
     * The number of the first chain: chain k is chain first_chain + k of an object from 0 on, to the bit. For
     * chains dealt to threads, processes or machines: lcc_network_join_f32. 0 where chains start from a model. Default 0.
     */
    uint32_t first_chain;
    /**
     * Names the random numbers. Default 1.
     */
    uint64_t seed;
    /**
     * Nats per row. Default 1.
     */
    float drop_below;
    /**
     * The acceptance that the step size is adapted to, inside (0, 1). Default .9.
     */
    float target_accept;
    /**
     * The step size of a trajectory is uniform within this share of the adapted one, in [0, 1).
     * Default .3.
     */
    float jitter;
    /**
     * The step size before adaptation.
     */
    float first_step;
    /**
     * The largest step size.
     */
    float largest_step;
    /**
     * Prior: the scales of inputs and biases are half-Cauchy with this median. Default 1.
     */
    float input_scale;
    /**
     * Prior: the sd of the outer weights is half-Cauchy with median this / sqrt(M). Default 1.
     */
    float outer_scale;
    /**
     * Prior: the sd of the linear part is half-Cauchy with this median. Default 1.
     */
    float linear_scale;
    /**
     * Prior: the sd of the intercept. Default 10.
     */
    float intercept_sd;
    /**
     * Prior: the noise's precision is Gamma with this shape ... Default .5.
     */
    float noise_shape;
    /**
     * ... and this rate. Default 5e-5.
     */
    float noise_rate;
} lcc_network_options_f32;

/**
 * What the chains say about themselves. Predictions are judged, not weights: neurons may be permuted.
 */
typedef struct {
    /**
     * The largest R-hat of the predictions at the traced training rows. Above 1.01 the chains sit in
     * different modes: the model is their ensemble, and that is no convergence.
     */
    double rhat_max;
    /**
     * The smallest bulk effective sample size of them.
     */
    double ess_bulk_min;
    /**
     * The smallest tail effective sample size of them.
     */
    double ess_tail_min;
    /**
     * The mean probability of acceptance.
     */
    double acceptance;
    /**
     * The smallest E-BFMI of a chain: below .3 is bad.
     */
    double e_bfmi_min;
    /**
     * Transitions of the draws that diverged.
     */
    uint64_t divergences;
    /**
     * Passes over the data, summed over chains.
     */
    uint64_t gradients;
    /**
     * Chains in the model.
     */
    uint32_t chains_used;
    /**
     * Chains left out of it.
     */
    uint32_t chains_dropped;
} lcc_network_diagnosis_f64;

/**
 * One chain of a regressor, by its draws so far.
 */
typedef struct {
    /**
     * The mean log likelihood of a training row, in standardised units: what chains are dropped by.
     */
    double log_likelihood;
    /**
     * The mean probability of acceptance.
     */
    double acceptance;
    /**
     * E-BFMI: below .3 is bad.
     */
    double e_bfmi;
    /**
     * Transitions of the draws that diverged.
     */
    uint64_t divergences;
    /**
     * 1: left out of the model; 0: in it.
     */
    uint32_t dropped;
    /**
     * Must be ignored.
     */
    uint32_t reserved;
} lcc_network_chain_f64;

/**
 * What the chains say about themselves. Predictions are judged, not weights: neurons may be permuted.
 */
typedef struct {
    /**
     * The largest R-hat of the predictions at the traced training rows. Above 1.01 the chains sit in
     * different modes: the model is their ensemble, and that is no convergence.
     */
    float rhat_max;
    /**
     * The smallest bulk effective sample size of them.
     */
    float ess_bulk_min;
    /**
     * The smallest tail effective sample size of them.
     */
    float ess_tail_min;
    /**
     * The mean probability of acceptance.
     */
    float acceptance;
    /**
     * The smallest E-BFMI of a chain: below .3 is bad.
     */
    float e_bfmi_min;
    /**
     * Transitions of the draws that diverged.
     */
    uint64_t divergences;
    /**
     * Passes over the data, summed over chains.
     */
    uint64_t gradients;
    /**
     * Chains in the model.
     */
    uint32_t chains_used;
    /**
     * Chains left out of it.
     */
    uint32_t chains_dropped;
} lcc_network_diagnosis_f32;

/**
 * One chain of a regressor, by its draws so far.
 */
typedef struct {
    /**
     * The mean log likelihood of a training row, in standardised units: what chains are dropped by.
     */
    float log_likelihood;
    /**
     * The mean probability of acceptance.
     */
    float acceptance;
    /**
     * E-BFMI: below .3 is bad.
     */
    float e_bfmi;
    /**
     * Transitions of the draws that diverged.
     */
    uint64_t divergences;
    /**
     * 1: left out of the model; 0: in it.
     */
    uint32_t dropped;
    /**
     * Must be ignored.
     */
    uint32_t reserved;
} lcc_network_chain_f32;

/**
 * Writes the defaults.
 *
 * @param options  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_MISALIGNED
 */
int32_t lcc_network_options_default_f64(lcc_network_options_f64 *options);

/**
 * The bytes that a regressor takes, at an address that is a multiple of 16.
 *
 * @param options  what to do
 * @param n        rows
 * @param d        columns
 * @param bytes    out
 * @return LCC_OK, LCC_ERROR_EMPTY, LCC_ERROR_OVERFLOW, or what is wrong with an option
 */
int32_t lcc_network_size_f64(const lcc_network_options_f64 *options,
                             size_t n,
                             size_t d,
                             size_t *bytes);

/**
 * Builds a regressor at the start of a block of memory. Reads the data.
 *
 * @param memory   lcc_network_size_f64 bytes, aligned to 16
 * @param bytes    the bytes at memory
 * @param options  what to do
 * @param data     rows and targets, in their own units
 * @param network  out: the handle, which is memory itself
 * @return LCC_OK, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN, LCC_ERROR_CONSTANT_TARGET, or what is
 *         wrong with an argument
 */
int32_t lcc_network_init_f64(uint8_t *memory,
                             size_t bytes,
                             const lcc_network_options_f64 *options,
                             const lcc_data_f64 *data,
                             lcc_network_f64 **network);

/**
 * As lcc_network_init_f64, but the chains start from draws of a model, evenly spread, and the data are
 * put in the model's units: no search, whatever starts says. For data that have changed a little: a
 * window of the last rows, refitted from the last model with some tens of iterations of warm-up.
 *
 * @param memory       lcc_network_size_f64 bytes, aligned to 16
 * @param bytes        the bytes at memory
 * @param options      what to do, with the model's neurons and activation, and standardise 1
 * @param data         rows and targets, in their own units
 * @param model        the model, of either precision; not needed afterwards
 * @param model_bytes  the bytes at model
 * @param network      out: the handle, which is memory itself
 * @return as lcc_network_init_f64; LCC_ERROR_IMAGE_SHAPE where the model does not fit data and options
 */
int32_t lcc_network_init_from_f64(uint8_t *memory,
                                  size_t bytes,
                                  const lcc_network_options_f64 *options,
                                  const lcc_data_f64 *data,
                                  const uint8_t *model,
                                  size_t model_bytes,
                                  lcc_network_f64 **network);

/**
 * Works until the budget is used up, or to the end. A unit of work (one optimisation step or one
 * transition of a block of chains) is never split: a call overshoots by less than
 * (leapfrogs + 4) * n * lanes. Each call also reads the data once to know them again, so give it many
 * times n. One visit costs about 4 M (d + 2) flops and M activations.
 *
 * @param network  the handle
 * @param data     its data, unchanged
 * @param budget   rows of data times chains to visit; any positive budget advances
 * @return LCC_RUNNING, LCC_DONE, LCC_ERROR_HANDLE, LCC_ERROR_DATA_CHANGED, or what is wrong with the data
 */
int32_t lcc_network_step_f64(lcc_network_f64 *network,
                             const lcc_data_f64 *data,
                             uint64_t budget);

/**
 * Where a regressor is. A unit of its work is one pass of every chain over the data.
 *
 * @param network   the handle
 * @param progress  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE
 */
int32_t lcc_network_progress_f64(const lcc_network_f64 *network, lcc_progress *progress);

/**
 * The bytes of the model at most: chains * keep draws of M (d + 2) + d + 3 values, and a head.
 *
 * @param network  the handle
 * @param bytes    out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_OVERFLOW
 */
int32_t lcc_network_model_size_f64(const lcc_network_f64 *network, size_t *bytes);

/**
 * Writes the model (a posterior image): the draws kept so far by the chains in use, with the units of
 * the data. It may be asked for as soon as there is a draw, and again later.
 *
 * @param network  the handle
 * @param model    out: lcc_network_model_size_f64 bytes, of any alignment
 * @param bytes    the bytes at model
 * @param written  out: the model's own length
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_NOT_DONE, LCC_ERROR_MEMORY_SIZE
 */
int32_t lcc_network_write_model_f64(const lcc_network_f64 *network,
                                    uint8_t *model,
                                    size_t bytes,
                                    size_t *written);

/**
 * The bytes that lcc_network_write_prior_f64 needs.
 *
 * @param network  the handle
 * @param draws    draws from the prior, at least 1
 * @param model    out: bytes of the model
 * @param scratch  out: bytes of scratch
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_DRAWS, LCC_ERROR_OVERFLOW,
 *         LCC_ERROR_MEMORY_SIZE where no model is that large
 */
int32_t lcc_network_prior_size_f64(const lcc_network_f64 *network,
                                   size_t draws,
                                   size_t *model,
                                   size_t *scratch);

/**
 * Writes a model of draws from the prior, in the units of the data: what the regressor believes of y
 * before it learns. Every lcc_model_ function reads it, so predictions and draws from it are those of
 * the prior predictive law. May be asked for as soon as there is a handle.
 *
 * @param network        the handle
 * @param seed           names the random numbers
 * @param draws          draws from the prior, at least 1
 * @param scratch        bytes as lcc_network_prior_size_f64 says, aligned to 16
 * @param scratch_bytes  the bytes at scratch
 * @param model          out: bytes as lcc_network_prior_size_f64 says, of any alignment
 * @param bytes          the bytes at model
 * @param written        out: the model's own length
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_DRAWS, LCC_ERROR_OVERFLOW,
 *         LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN
 */
int32_t lcc_network_write_prior_f64(const lcc_network_f64 *network,
                                    uint64_t seed,
                                    size_t draws,
                                    uint8_t *scratch,
                                    size_t scratch_bytes,
                                    uint8_t *model,
                                    size_t bytes,
                                    size_t *written);

/**
 * The step size of one chain's trajectories, in units of its mass matrix; the one adapted to once the
 * warm-up is over.
 *
 * @param network    the handle
 * @param chain      which
 * @param step_size  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX
 */
int32_t lcc_network_step_size_f64(const lcc_network_f64 *network,
                                  size_t chain,
                                  double *step_size);

/**
 * Puts chains together that ran apart, in threads, processes or machines: takes over the chains of parts
 * and becomes, in everything that it reports or goes on to draw, bit for bit the network that would have run
 * them all.
 *
 * Parts are handles of the same data and options, chains, first_chain, lanes and portable apart, in the
 * order of their chains and without a gap. All stand at the same place, between search steps or iterations of all chains: at their
 * end, or where steps of a budget of 1, which never go past one, have brought them. What the network
 * held before does not matter: a part may as well be made from a whole, to go on with its share. Parts from other
 * processes come as checkpoints. Copies, no flops.
 *
 * @param network   the handle: made as if to run all chains
 * @param parts    handles, none of them this one; unchanged
 * @param count    how many
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_PARTS
 */
int32_t lcc_network_join_f64(lcc_network_f64 *network,
                             const lcc_network_f64 *const *parts,
                             size_t count);

/**
 * The bytes of a checkpoint.
 *
 * @param network  the handle
 * @param bytes    out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE
 */
int32_t lcc_network_checkpoint_size_f64(const lcc_network_f64 *network, size_t *bytes);

/**
 * Seals a copy of a regressor, to be restored on any machine of the same byte order. Going on from
 * it gives the bits that running on would have given.
 *
 * @param network     the handle
 * @param checkpoint  out: lcc_network_checkpoint_size_f64 bytes, of any alignment
 * @param bytes       the bytes at checkpoint
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_MEMORY_SIZE
 */
int32_t lcc_network_checkpoint_f64(const lcc_network_f64 *network,
                                   uint8_t *checkpoint,
                                   size_t bytes);

/**
 * Builds a regressor from a checkpoint, in as much memory as the one that was sealed.
 *
 * @param memory            aligned to 16
 * @param bytes             the bytes at memory
 * @param checkpoint        what lcc_network_checkpoint_f64 wrote
 * @param checkpoint_bytes  its bytes
 * @param network           out: the handle
 * @return LCC_OK, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN, LCC_ERROR_IMAGE_TRUNCATED, _MAGIC,
 *         _NEWER, _CORRUPT, _KIND
 */
int32_t lcc_network_restore_f64(uint8_t *memory,
                                size_t bytes,
                                const uint8_t *checkpoint,
                                size_t checkpoint_bytes,
                                lcc_network_f64 **network);

/**
 * Writes the defaults.
 *
 * @param options  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_MISALIGNED
 */
int32_t lcc_network_options_default_f32(lcc_network_options_f32 *options);

/**
 * The bytes that a regressor takes, at an address that is a multiple of 16.
 *
 * @param options  what to do
 * @param n        rows
 * @param d        columns
 * @param bytes    out
 * @return LCC_OK, LCC_ERROR_EMPTY, LCC_ERROR_OVERFLOW, or what is wrong with an option
 */
int32_t lcc_network_size_f32(const lcc_network_options_f32 *options,
                             size_t n,
                             size_t d,
                             size_t *bytes);

/**
 * Builds a regressor at the start of a block of memory. Reads the data.
 *
 * @param memory   lcc_network_size_f32 bytes, aligned to 16
 * @param bytes    the bytes at memory
 * @param options  what to do
 * @param data     rows and targets, in their own units
 * @param network  out: the handle, which is memory itself
 * @return LCC_OK, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN, LCC_ERROR_CONSTANT_TARGET, or what is
 *         wrong with an argument
 */
int32_t lcc_network_init_f32(uint8_t *memory,
                             size_t bytes,
                             const lcc_network_options_f32 *options,
                             const lcc_data_f32 *data,
                             lcc_network_f32 **network);

/**
 * As lcc_network_init_f32, but the chains start from draws of a model, evenly spread, and the data are
 * put in the model's units: no search, whatever starts says. For data that have changed a little: a
 * window of the last rows, refitted from the last model with some tens of iterations of warm-up.
 *
 * @param memory       lcc_network_size_f32 bytes, aligned to 16
 * @param bytes        the bytes at memory
 * @param options      what to do, with the model's neurons and activation, and standardise 1
 * @param data         rows and targets, in their own units
 * @param model        the model, of either precision; not needed afterwards
 * @param model_bytes  the bytes at model
 * @param network      out: the handle, which is memory itself
 * @return as lcc_network_init_f32; LCC_ERROR_IMAGE_SHAPE where the model does not fit data and options
 */
int32_t lcc_network_init_from_f32(uint8_t *memory,
                                  size_t bytes,
                                  const lcc_network_options_f32 *options,
                                  const lcc_data_f32 *data,
                                  const uint8_t *model,
                                  size_t model_bytes,
                                  lcc_network_f32 **network);

/**
 * Works until the budget is used up, or to the end. A unit of work (one optimisation step or one
 * transition of a block of chains) is never split: a call overshoots by less than
 * (leapfrogs + 4) * n * lanes. Each call also reads the data once to know them again, so give it many
 * times n. One visit costs about 4 M (d + 2) flops and M activations.
 *
 * @param network  the handle
 * @param data     its data, unchanged
 * @param budget   rows of data times chains to visit; any positive budget advances
 * @return LCC_RUNNING, LCC_DONE, LCC_ERROR_HANDLE, LCC_ERROR_DATA_CHANGED, or what is wrong with the data
 */
int32_t lcc_network_step_f32(lcc_network_f32 *network,
                             const lcc_data_f32 *data,
                             uint64_t budget);

/**
 * Where a regressor is. A unit of its work is one pass of every chain over the data.
 *
 * @param network   the handle
 * @param progress  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE
 */
int32_t lcc_network_progress_f32(const lcc_network_f32 *network, lcc_progress *progress);

/**
 * The bytes of the model at most: chains * keep draws of M (d + 2) + d + 3 values, and a head.
 *
 * @param network  the handle
 * @param bytes    out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_OVERFLOW
 */
int32_t lcc_network_model_size_f32(const lcc_network_f32 *network, size_t *bytes);

/**
 * Writes the model (a posterior image): the draws kept so far by the chains in use, with the units of
 * the data. It may be asked for as soon as there is a draw, and again later.
 *
 * @param network  the handle
 * @param model    out: lcc_network_model_size_f32 bytes, of any alignment
 * @param bytes    the bytes at model
 * @param written  out: the model's own length
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_NOT_DONE, LCC_ERROR_MEMORY_SIZE
 */
int32_t lcc_network_write_model_f32(const lcc_network_f32 *network,
                                    uint8_t *model,
                                    size_t bytes,
                                    size_t *written);

/**
 * The bytes that lcc_network_write_prior_f32 needs.
 *
 * @param network  the handle
 * @param draws    draws from the prior, at least 1
 * @param model    out: bytes of the model
 * @param scratch  out: bytes of scratch
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_DRAWS, LCC_ERROR_OVERFLOW,
 *         LCC_ERROR_MEMORY_SIZE where no model is that large
 */
int32_t lcc_network_prior_size_f32(const lcc_network_f32 *network,
                                   size_t draws,
                                   size_t *model,
                                   size_t *scratch);

/**
 * Writes a model of draws from the prior, in the units of the data: what the regressor believes of y
 * before it learns. Every lcc_model_ function reads it, so predictions and draws from it are those of
 * the prior predictive law. May be asked for as soon as there is a handle.
 *
 * @param network        the handle
 * @param seed           names the random numbers
 * @param draws          draws from the prior, at least 1
 * @param scratch        bytes as lcc_network_prior_size_f32 says, aligned to 16
 * @param scratch_bytes  the bytes at scratch
 * @param model          out: bytes as lcc_network_prior_size_f32 says, of any alignment
 * @param bytes          the bytes at model
 * @param written        out: the model's own length
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_DRAWS, LCC_ERROR_OVERFLOW,
 *         LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN
 */
int32_t lcc_network_write_prior_f32(const lcc_network_f32 *network,
                                    uint64_t seed,
                                    size_t draws,
                                    uint8_t *scratch,
                                    size_t scratch_bytes,
                                    uint8_t *model,
                                    size_t bytes,
                                    size_t *written);

/**
 * The step size of one chain's trajectories, in units of its mass matrix; the one adapted to once the
 * warm-up is over.
 *
 * @param network    the handle
 * @param chain      which
 * @param step_size  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX
 */
int32_t lcc_network_step_size_f32(const lcc_network_f32 *network,
                                  size_t chain,
                                  float *step_size);

/**
 * Puts chains together that ran apart, in threads, processes or machines: takes over the chains of parts
 * and becomes, in everything that it reports or goes on to draw, bit for bit the network that would have run
 * them all.
 *
 * Parts are handles of the same data and options, chains, first_chain, lanes and portable apart, in the
 * order of their chains and without a gap. All stand at the same place, between search steps or iterations of all chains: at their
 * end, or where steps of a budget of 1, which never go past one, have brought them. What the network
 * held before does not matter: a part may as well be made from a whole, to go on with its share. Parts from other
 * processes come as checkpoints. Copies, no flops.
 *
 * @param network   the handle: made as if to run all chains
 * @param parts    handles, none of them this one; unchanged
 * @param count    how many
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_PARTS
 */
int32_t lcc_network_join_f32(lcc_network_f32 *network,
                             const lcc_network_f32 *const *parts,
                             size_t count);

/**
 * The bytes of a checkpoint.
 *
 * @param network  the handle
 * @param bytes    out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE
 */
int32_t lcc_network_checkpoint_size_f32(const lcc_network_f32 *network, size_t *bytes);

/**
 * Seals a copy of a regressor, to be restored on any machine of the same byte order. Going on from
 * it gives the bits that running on would have given.
 *
 * @param network     the handle
 * @param checkpoint  out: lcc_network_checkpoint_size_f32 bytes, of any alignment
 * @param bytes       the bytes at checkpoint
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_MEMORY_SIZE
 */
int32_t lcc_network_checkpoint_f32(const lcc_network_f32 *network,
                                   uint8_t *checkpoint,
                                   size_t bytes);

/**
 * Builds a regressor from a checkpoint, in as much memory as the one that was sealed.
 *
 * @param memory            aligned to 16
 * @param bytes             the bytes at memory
 * @param checkpoint        what lcc_network_checkpoint_f32 wrote
 * @param checkpoint_bytes  its bytes
 * @param network           out: the handle
 * @return LCC_OK, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN, LCC_ERROR_IMAGE_TRUNCATED, _MAGIC,
 *         _NEWER, _CORRUPT, _KIND
 */
int32_t lcc_network_restore_f32(uint8_t *memory,
                                size_t bytes,
                                const uint8_t *checkpoint,
                                size_t checkpoint_bytes,
                                lcc_network_f32 **network);

/**
 * The bytes of scratch that lcc_network_diagnose_f64 needs.
 *
 * @param network  the handle
 * @param bytes    out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_OVERFLOW
 */
int32_t lcc_network_diagnose_scratch_f64(const lcc_network_f64 *network, size_t *bytes);

/**
 * What the chains say about themselves, by the draws made so far.
 *
 * @param network  the handle
 * @param scratch  lcc_network_diagnose_scratch_f64 bytes, aligned to 16
 * @param bytes    the bytes at scratch
 * @param diagnosis   out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_NOT_DONE, LCC_ERROR_MEMORY_SIZE,
 *         LCC_ERROR_MEMORY_ALIGN
 */
int32_t lcc_network_diagnose_f64(const lcc_network_f64 *network,
                                 uint8_t *scratch,
                                 size_t bytes,
                                 lcc_network_diagnosis_f64 *diagnosis);

/**
 * What one chain has done: which of them was left out of the model, and why.
 *
 * @param network  the handle
 * @param chain    which
 * @param out      out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX, LCC_ERROR_NOT_DONE
 */
int32_t lcc_network_diagnose_chain_f64(const lcc_network_f64 *network,
                                       size_t chain,
                                       lcc_network_chain_f64 *out);

/**
 * One recorded quantity at every draw so far, a view into the regressor's memory, valid until the
 * next step.
 *
 * @param network   the handle
 * @param quantity  an LCC_NETWORK_TRACE_ code
 * @param index     for LCC_NETWORK_TRACE_PREDICTION: which of the traced training rows, else 0
 * @param draws     out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX, LCC_ERROR_NOT_DONE
 */
int32_t lcc_network_trace_f64(const lcc_network_f64 *network,
                              int32_t quantity,
                              size_t index,
                              lcc_draws_f64 *draws);

/**
 * The bytes of scratch that lcc_network_diagnose_f32 needs.
 *
 * @param network  the handle
 * @param bytes    out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_OVERFLOW
 */
int32_t lcc_network_diagnose_scratch_f32(const lcc_network_f32 *network, size_t *bytes);

/**
 * What the chains say about themselves, by the draws made so far.
 *
 * @param network  the handle
 * @param scratch  lcc_network_diagnose_scratch_f32 bytes, aligned to 16
 * @param bytes    the bytes at scratch
 * @param diagnosis   out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_NOT_DONE, LCC_ERROR_MEMORY_SIZE,
 *         LCC_ERROR_MEMORY_ALIGN
 */
int32_t lcc_network_diagnose_f32(const lcc_network_f32 *network,
                                 uint8_t *scratch,
                                 size_t bytes,
                                 lcc_network_diagnosis_f32 *diagnosis);

/**
 * What one chain has done: which of them was left out of the model, and why.
 *
 * @param network  the handle
 * @param chain    which
 * @param out      out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX, LCC_ERROR_NOT_DONE
 */
int32_t lcc_network_diagnose_chain_f32(const lcc_network_f32 *network,
                                       size_t chain,
                                       lcc_network_chain_f32 *out);

/**
 * One recorded quantity at every draw so far, a view into the regressor's memory, valid until the
 * next step.
 *
 * @param network   the handle
 * @param quantity  an LCC_NETWORK_TRACE_ code
 * @param index     for LCC_NETWORK_TRACE_PREDICTION: which of the traced training rows, else 0
 * @param draws     out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX, LCC_ERROR_NOT_DONE
 */
int32_t lcc_network_trace_f32(const lcc_network_f32 *network,
                              int32_t quantity,
                              size_t index,
                              lcc_draws_f32 *draws);

/* ================================================================================================
 * Greedy Bayes
 * ================================================================================================ */

/**
 * The tilt alone, linear in the neuron.
 */
#define LCC_GREEDY_TILT 0

/**
 * The square of the loss too.
 */
#define LCC_GREEDY_QUADRATIC 1

/**
 * A fit by batch Greedy Bayes, in the caller's memory.
 *
 * Levels k = 1, ..., K: residuals r = y - (1 - beta) f_{k-1}; particles from the posterior of one neuron
 * of the dictionary +-V psi given all of them, p(w) ~ exp(alpha V sum_i r_i psi(x_i.w)) p0(w), by
 * sequential Monte Carlo; f_k = (1 - beta) f_{k-1} + beta E[V s psi(x.w)]. The particles of all levels
 * make the model. The algorithm of the papers; as a regressor lcc_network predicts better.
 */
typedef struct lcc_greedy_f32 lcc_greedy_f32;

/**
 * A fit by batch Greedy Bayes, in the caller's memory.
 *
 * Levels k = 1, ..., K: residuals r = y - (1 - beta) f_{k-1}; particles from the posterior of one neuron
 * of the dictionary +-V psi given all of them, p(w) ~ exp(alpha V sum_i r_i psi(x_i.w)) p0(w), by
 * sequential Monte Carlo; f_k = (1 - beta) f_{k-1} + beta E[V s psi(x.w)]. The particles of all levels
 * make the model. The algorithm of the papers; as a regressor lcc_network predicts better.
 */
typedef struct lcc_greedy_f64 lcc_greedy_f64;

/**
 * What a fit is asked to do. The defaults are a regressor's, for data that are standardised.
 */
typedef struct {
    /**
     * The bytes of this struct, as the defaults have it.
     */
    uint32_t struct_size;
    /**
     * An LCC_ACTIVATION_ code. Default: tanh.
     */
    int32_t activation;
    /**
     * LCC_PRIOR_GAUSSIAN or LCC_PRIOR_L1_BALL. Default: Gaussian.
     */
    int32_t prior;
    /**
     * LCC_GREEDY_TILT or LCC_GREEDY_QUADRATIC. Default: quadratic.
     */
    int32_t form;
    /**
     * Levels K, 1 to 65535. Default 60.
     */
    uint32_t levels;
    /**
     * Particles of each level, at least 2 and a multiple of lanes. Default 256.
     */
    uint32_t particles;
    /**
     * Transitions of every particle at each temperature, at least 1. Default 2.
     */
    uint32_t moves;
    /**
     * Particles that advance in lock-step: 1 or 8. Changes speed, never a number. Default 8.
     */
    uint32_t lanes;
    /**
     * 1: a neuron may enter with either sign, which is summed out. Default 0.
     */
    uint32_t either_sign;
    /**
     * 1: standardise inputs and target. Default 1.
     */
    uint32_t standardise;
    /**
     * 1: add a column of ones, so that neurons have a bias. Default 1.
     */
    uint32_t intercept;
    /**
     * 1: weight the levels' means anew, by ridge regression. Default 1.
     */
    uint32_t refit;
    /**
     * Draws in the model, 1 to particles. Default 64.
     */
    uint32_t keep;
    /**
     * 1: a level's alpha is alpha times the mean square of y over that of y - f before it (at most 10^4
     * times), so that the noise assumed falls with the noise left. Default 1.
     */
    uint32_t follow;
    /**
     * 1 does without the CPU's wide instructions. Changes speed, never a number. Default 0.
     */
    uint32_t portable;
    /**
     * Must be 0.
     */
    uint32_t reserved;
    /**
     * Names the random numbers. Default 1.
     */
    uint64_t seed;
    /**
     * The prior's sd, or the radius of the l1 ball: positive. Default 1.
     */
    double scale;
    /**
     * V, positive. Default 3.
     */
    double outer;
    /**
     * alpha, positive; alpha/beta is the precision of the noise assumed. Default 1.
     */
    double alpha;
    /**
     * The share that each level takes of the fit, in (0, 1]. Default .05.
     */
    double beta;
    /**
     * The ridge's penalty as a share of the mean variance of the levels' means, not negative. Default
     * .001.
     */
    double ridge;
    /**
     * The share of the rows held out to choose the number of levels and the noise by, in [0, .5].
     * Default .2.
     */
    double holdout;
} lcc_greedy_options_f64;

/**
 * One level of a fit, in the neurons' units.
 */
typedef struct {
    /**
     * The log evidence of its posterior ...
     */
    double log_evidence;
    /**
     * ... and its standard error.
     */
    double evidence_error;
    /**
     * The mean acceptance at the last temperature.
     */
    double acceptance;
    /**
     * Its alpha.
     */
    double alpha;
    /**
     * The root mean square of y - f after it, over the rows that it saw ...
     */
    double rmse;
    /**
     * ... and over those held out; NaN without.
     */
    double rmse_held_out;
    /**
     * The weight of its mean in the result; 0 before the end, and where it is not used.
     */
    double coefficient;
    /**
     * Draws of the prior that its particles descend from.
     */
    uint32_t families;
    /**
     * Temperatures.
     */
    uint32_t stages;
} lcc_greedy_level_f64;

/**
 * What a fit is asked to do. The defaults are a regressor's, for data that are standardised.
 */
typedef struct {
    /**
     * The bytes of this struct, as the defaults have it.
     */
    uint32_t struct_size;
    /**
     * An LCC_ACTIVATION_ code. Default: tanh.
     */
    int32_t activation;
    /**
     * LCC_PRIOR_GAUSSIAN or LCC_PRIOR_L1_BALL. Default: Gaussian.
     */
    int32_t prior;
    /**
     * LCC_GREEDY_TILT or LCC_GREEDY_QUADRATIC. Default: quadratic.
     */
    int32_t form;
    /**
     * Levels K, 1 to 65535. Default 60.
     */
    uint32_t levels;
    /**
     * Particles of each level, at least 2 and a multiple of lanes. Default 256.
     */
    uint32_t particles;
    /**
     * Transitions of every particle at each temperature, at least 1. Default 2.
     */
    uint32_t moves;
    /**
     * Particles that advance in lock-step: 1 or 8. Changes speed, never a number. Default 8.
     */
    uint32_t lanes;
    /**
     * 1: a neuron may enter with either sign, which is summed out. Default 0.
     */
    uint32_t either_sign;
    /**
     * 1: standardise inputs and target. Default 1.
     */
    uint32_t standardise;
    /**
     * 1: add a column of ones, so that neurons have a bias. Default 1.
     */
    uint32_t intercept;
    /**
     * 1: weight the levels' means anew, by ridge regression. Default 1.
     */
    uint32_t refit;
    /**
     * Draws in the model, 1 to particles. Default 64.
     */
    uint32_t keep;
    /**
     * 1: a level's alpha is alpha times the mean square of y over that of y - f before it (at most 10^4
     * times), so that the noise assumed falls with the noise left. Default 1.
     */
    uint32_t follow;
    /**
     * 1 does without the CPU's wide instructions. Changes speed, never a number. Default 0.
     */
    uint32_t portable;
    /**
     * Must be 0.
     */
    uint32_t reserved;
    /**
     * Names the random numbers. Default 1.
     */
    uint64_t seed;
    /**
     * The prior's sd, or the radius of the l1 ball: positive. Default 1.
     */
    float scale;
    /**
     * V, positive. Default 3.
     */
    float outer;
    /**
     * alpha, positive; alpha/beta is the precision of the noise assumed. Default 1.
     */
    float alpha;
    /**
     * The share that each level takes of the fit, in (0, 1]. Default .05.
     */
    float beta;
    /**
     * The ridge's penalty as a share of the mean variance of the levels' means, not negative. Default
     * .001.
     */
    float ridge;
    /**
     * The share of the rows held out to choose the number of levels and the noise by, in [0, .5].
     * Default .2.
     */
    float holdout;
} lcc_greedy_options_f32;

/**
 * One level of a fit, in the neurons' units.
 */
typedef struct {
    /**
     * The log evidence of its posterior ...
     */
    float log_evidence;
    /**
     * ... and its standard error.
     */
    float evidence_error;
    /**
     * The mean acceptance at the last temperature.
     */
    float acceptance;
    /**
     * Its alpha.
     */
    float alpha;
    /**
     * The root mean square of y - f after it, over the rows that it saw ...
     */
    float rmse;
    /**
     * ... and over those held out; NaN without.
     */
    float rmse_held_out;
    /**
     * The weight of its mean in the result; 0 before the end, and where it is not used.
     */
    float coefficient;
    /**
     * Draws of the prior that its particles descend from.
     */
    uint32_t families;
    /**
     * Temperatures.
     */
    uint32_t stages;
} lcc_greedy_level_f32;

/**
 * Writes the defaults.
 *
 * @param options  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_MISALIGNED
 */
int32_t lcc_greedy_options_default_f64(lcc_greedy_options_f64 *options);

/**
 * The bytes that a fit takes, at an address that is a multiple of 16.
 *
 * @param options  what to do
 * @param n        rows
 * @param d        columns
 * @param bytes    out
 * @return LCC_OK, LCC_ERROR_EMPTY, LCC_ERROR_OVERFLOW, or what is wrong with an option
 */
int32_t lcc_greedy_size_f64(const lcc_greedy_options_f64 *options,
                            size_t n,
                            size_t d,
                            size_t *bytes);

/**
 * Builds a fit at the start of a block of memory. Reads the data and keeps a copy in its own units.
 *
 * @param memory   lcc_greedy_size_f64 bytes, aligned to 16
 * @param bytes    the bytes at memory
 * @param options  what to do
 * @param data     rows and targets, in their own units
 * @param greedy   out: the handle, which is memory itself
 * @return LCC_OK, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN, LCC_ERROR_CONSTANT_TARGET, or what is
 *         wrong with an argument
 */
int32_t lcc_greedy_init_f64(uint8_t *memory,
                            size_t bytes,
                            const lcc_greedy_options_f64 *options,
                            const lcc_data_f64 *data,
                            lcc_greedy_f64 **greedy);

/**
 * Works until the budget is used up, or to the end. A unit of work (one transition of a block of
 * particles, the outputs of all particles at 64 rows, the choice of the levels at the end) is never
 * split. Each call also reads the data once to know them again, so give it many times n.
 *
 * @param greedy  the handle
 * @param data    its data, unchanged
 * @param budget  rows of data times particles to visit; any positive budget advances
 * @return LCC_RUNNING, LCC_DONE, LCC_ERROR_HANDLE, LCC_ERROR_DATA_CHANGED, LCC_ERROR_IMPROPER,
 *         LCC_ERROR_STAGES, or what is wrong with the data
 */
int32_t lcc_greedy_step_f64(lcc_greedy_f64 *greedy, const lcc_data_f64 *data, uint64_t budget);

/**
 * Where a fit is. A unit of its work is a level.
 *
 * @param greedy    the handle
 * @param progress  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE
 */
int32_t lcc_greedy_progress_f64(const lcc_greedy_f64 *greedy, lcc_progress *progress);

/**
 * A level that is done with.
 *
 * @param greedy  the handle
 * @param index   of the level, from 0
 * @param level   out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX
 */
int32_t lcc_greedy_report_f64(const lcc_greedy_f64 *greedy,
                              size_t index,
                              lcc_greedy_level_f64 *level);

/**
 * What a fit came to: the levels used, the first so many, and the sd of the noise in standardised units.
 *
 * @param greedy  the handle
 * @param levels  out
 * @param noise   out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_NOT_DONE
 */
int32_t lcc_greedy_result_f64(const lcc_greedy_f64 *greedy,
                              uint32_t *levels,
                              double *noise);

/**
 * The bytes of the model at most, keep draws of K (d + 2) + d + 3 values and a head, and those of the
 * scratch in which it is written.
 *
 * @param greedy   the handle
 * @param model    out: bytes of the model
 * @param scratch  out: bytes of scratch
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_OVERFLOW
 */
int32_t lcc_greedy_model_size_f64(const lcc_greedy_f64 *greedy,
                                  size_t *model,
                                  size_t *scratch);

/**
 * Writes the model: an image that every lcc_model_ function reads. A draw holds one particle of every
 * level used; the mean over the draws is the fit.
 *
 * @param greedy         the handle
 * @param scratch        bytes as lcc_greedy_model_size_f64 says, aligned to 16
 * @param scratch_bytes  the bytes at scratch
 * @param model          out: bytes as lcc_greedy_model_size_f64 says, of any alignment
 * @param bytes          the bytes at model
 * @param written        out: the model's own length
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_NOT_DONE, LCC_ERROR_MEMORY_SIZE,
 *         LCC_ERROR_MEMORY_ALIGN
 */
int32_t lcc_greedy_write_model_f64(const lcc_greedy_f64 *greedy,
                                   uint8_t *scratch,
                                   size_t scratch_bytes,
                                   uint8_t *model,
                                   size_t bytes,
                                   size_t *written);

/**
 * The bytes of a checkpoint.
 *
 * @param greedy  the handle
 * @param bytes   out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE
 */
int32_t lcc_greedy_checkpoint_size_f64(const lcc_greedy_f64 *greedy, size_t *bytes);

/**
 * Seals a copy of a fit, to be restored on any machine of the same byte order. Going on from it gives
 * the bits that running on would have given.
 *
 * @param greedy      the handle
 * @param checkpoint  out: lcc_greedy_checkpoint_size_f64 bytes, of any alignment
 * @param bytes       the bytes at checkpoint
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_MEMORY_SIZE
 */
int32_t lcc_greedy_checkpoint_f64(const lcc_greedy_f64 *greedy,
                                  uint8_t *checkpoint,
                                  size_t bytes);

/**
 * Builds a fit from a checkpoint, in as much memory as the one that was sealed.
 *
 * @param memory            aligned to 16
 * @param bytes             the bytes at memory
 * @param checkpoint        what lcc_greedy_checkpoint_f64 wrote
 * @param checkpoint_bytes  its bytes
 * @param greedy            out: the handle
 * @return LCC_OK, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN, LCC_ERROR_IMAGE_TRUNCATED, _MAGIC,
 *         _NEWER, _CORRUPT, _KIND
 */
int32_t lcc_greedy_restore_f64(uint8_t *memory,
                               size_t bytes,
                               const uint8_t *checkpoint,
                               size_t checkpoint_bytes,
                               lcc_greedy_f64 **greedy);

/**
 * Writes the defaults.
 *
 * @param options  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_MISALIGNED
 */
int32_t lcc_greedy_options_default_f32(lcc_greedy_options_f32 *options);

/**
 * The bytes that a fit takes, at an address that is a multiple of 16.
 *
 * @param options  what to do
 * @param n        rows
 * @param d        columns
 * @param bytes    out
 * @return LCC_OK, LCC_ERROR_EMPTY, LCC_ERROR_OVERFLOW, or what is wrong with an option
 */
int32_t lcc_greedy_size_f32(const lcc_greedy_options_f32 *options,
                            size_t n,
                            size_t d,
                            size_t *bytes);

/**
 * Builds a fit at the start of a block of memory. Reads the data and keeps a copy in its own units.
 *
 * @param memory   lcc_greedy_size_f32 bytes, aligned to 16
 * @param bytes    the bytes at memory
 * @param options  what to do
 * @param data     rows and targets, in their own units
 * @param greedy   out: the handle, which is memory itself
 * @return LCC_OK, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN, LCC_ERROR_CONSTANT_TARGET, or what is
 *         wrong with an argument
 */
int32_t lcc_greedy_init_f32(uint8_t *memory,
                            size_t bytes,
                            const lcc_greedy_options_f32 *options,
                            const lcc_data_f32 *data,
                            lcc_greedy_f32 **greedy);

/**
 * Works until the budget is used up, or to the end. A unit of work (one transition of a block of
 * particles, the outputs of all particles at 64 rows, the choice of the levels at the end) is never
 * split. Each call also reads the data once to know them again, so give it many times n.
 *
 * @param greedy  the handle
 * @param data    its data, unchanged
 * @param budget  rows of data times particles to visit; any positive budget advances
 * @return LCC_RUNNING, LCC_DONE, LCC_ERROR_HANDLE, LCC_ERROR_DATA_CHANGED, LCC_ERROR_IMPROPER,
 *         LCC_ERROR_STAGES, or what is wrong with the data
 */
int32_t lcc_greedy_step_f32(lcc_greedy_f32 *greedy, const lcc_data_f32 *data, uint64_t budget);

/**
 * Where a fit is. A unit of its work is a level.
 *
 * @param greedy    the handle
 * @param progress  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE
 */
int32_t lcc_greedy_progress_f32(const lcc_greedy_f32 *greedy, lcc_progress *progress);

/**
 * A level that is done with.
 *
 * @param greedy  the handle
 * @param index   of the level, from 0
 * @param level   out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX
 */
int32_t lcc_greedy_report_f32(const lcc_greedy_f32 *greedy,
                              size_t index,
                              lcc_greedy_level_f32 *level);

/**
 * What a fit came to: the levels used, the first so many, and the sd of the noise in standardised units.
 *
 * @param greedy  the handle
 * @param levels  out
 * @param noise   out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_NOT_DONE
 */
int32_t lcc_greedy_result_f32(const lcc_greedy_f32 *greedy,
                              uint32_t *levels,
                              float *noise);

/**
 * The bytes of the model at most, keep draws of K (d + 2) + d + 3 values and a head, and those of the
 * scratch in which it is written.
 *
 * @param greedy   the handle
 * @param model    out: bytes of the model
 * @param scratch  out: bytes of scratch
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_OVERFLOW
 */
int32_t lcc_greedy_model_size_f32(const lcc_greedy_f32 *greedy,
                                  size_t *model,
                                  size_t *scratch);

/**
 * Writes the model: an image that every lcc_model_ function reads. A draw holds one particle of every
 * level used; the mean over the draws is the fit.
 *
 * @param greedy         the handle
 * @param scratch        bytes as lcc_greedy_model_size_f32 says, aligned to 16
 * @param scratch_bytes  the bytes at scratch
 * @param model          out: bytes as lcc_greedy_model_size_f32 says, of any alignment
 * @param bytes          the bytes at model
 * @param written        out: the model's own length
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_NOT_DONE, LCC_ERROR_MEMORY_SIZE,
 *         LCC_ERROR_MEMORY_ALIGN
 */
int32_t lcc_greedy_write_model_f32(const lcc_greedy_f32 *greedy,
                                   uint8_t *scratch,
                                   size_t scratch_bytes,
                                   uint8_t *model,
                                   size_t bytes,
                                   size_t *written);

/**
 * The bytes of a checkpoint.
 *
 * @param greedy  the handle
 * @param bytes   out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE
 */
int32_t lcc_greedy_checkpoint_size_f32(const lcc_greedy_f32 *greedy, size_t *bytes);

/**
 * Seals a copy of a fit, to be restored on any machine of the same byte order. Going on from it gives
 * the bits that running on would have given.
 *
 * @param greedy      the handle
 * @param checkpoint  out: lcc_greedy_checkpoint_size_f32 bytes, of any alignment
 * @param bytes       the bytes at checkpoint
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_MEMORY_SIZE
 */
int32_t lcc_greedy_checkpoint_f32(const lcc_greedy_f32 *greedy,
                                  uint8_t *checkpoint,
                                  size_t bytes);

/**
 * Builds a fit from a checkpoint, in as much memory as the one that was sealed.
 *
 * @param memory            aligned to 16
 * @param bytes             the bytes at memory
 * @param checkpoint        what lcc_greedy_checkpoint_f32 wrote
 * @param checkpoint_bytes  its bytes
 * @param greedy            out: the handle
 * @return LCC_OK, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN, LCC_ERROR_IMAGE_TRUNCATED, _MAGIC,
 *         _NEWER, _CORRUPT, _KIND
 */
int32_t lcc_greedy_restore_f32(uint8_t *memory,
                               size_t bytes,
                               const uint8_t *checkpoint,
                               size_t checkpoint_bytes,
                               lcc_greedy_f32 **greedy);

/* ================================================================================================
 * Greedy least squares
 * ================================================================================================ */

/**
 * Relaxed greedy (Jones, Barron).
 */
#define LCC_RELAXED_GREEDY 0

/**
 * Frank-Wolfe.
 */
#define LCC_RELAXED_FRANK_WOLFE 1

/**
 * Orthogonal matching pursuit.
 */
#define LCC_RELAXED_ORTHOGONAL 2

/**
 * A fit by greedy least squares over the dictionary {+-V psi(x.w): |w|_1 <= radius}, in the caller's
 * memory: relaxed greedy, Frank-Wolfe or orthogonal matching pursuit. Each level seeks one neuron by
 * projected gradient ascent from several starts, and takes it into the fit.
 */
typedef struct lcc_relaxed_f32 lcc_relaxed_f32;

/**
 * A fit by greedy least squares over the dictionary {+-V psi(x.w): |w|_1 <= radius}, in the caller's
 * memory: relaxed greedy, Frank-Wolfe or orthogonal matching pursuit. Each level seeks one neuron by
 * projected gradient ascent from several starts, and takes it into the fit.
 */
typedef struct lcc_relaxed_f64 lcc_relaxed_f64;

/**
 * What a fit is asked to do.
 */
typedef struct {
    /**
     * The bytes of this struct, as the defaults have it.
     */
    uint32_t struct_size;
    /**
     * An LCC_RELAXED_ method. Default: relaxed greedy.
     */
    int32_t method;
    /**
     * An LCC_ACTIVATION_ code. Default: tanh.
     */
    int32_t activation;
    /**
     * Levels K, 1 to 4096. Default 40.
     */
    uint32_t levels;
    /**
     * Starts of the search for each neuron, a multiple of lanes. Default 16.
     */
    uint32_t starts;
    /**
     * Steps of ascent from each start, at least 1. Default 60.
     */
    uint32_t steps;
    /**
     * Starts that advance in lock-step: 1 or 8. Changes speed, never a number. Default 8.
     */
    uint32_t lanes;
    /**
     * 1: standardise inputs and target. Default 1.
     */
    uint32_t standardise;
    /**
     * 1: add a column of ones, so that neurons have a bias. Default 1.
     */
    uint32_t intercept;
    /**
     * 1 does without the CPU's wide instructions. Changes speed, never a number. Default 0.
     */
    uint32_t portable;
    /**
     * Names the random numbers. Default 1.
     */
    uint64_t seed;
    /**
     * V, positive. Default 5.
     */
    double outer;
    /**
     * The radius of the l1 ball, positive. Default 5.
     */
    double radius;
} lcc_relaxed_options_f64;

/**
 * A fit after one level, in the neurons' units.
 */
typedef struct {
    /**
     * The mean squared error over the training rows.
     */
    double error;
    /**
     * V^2 sup psi^2 / k: what some average of k neurons comes to within of the best of the hull.
     */
    double bound;
    /**
     * Frank-Wolfe: the duality gap before this level, at least the excess over the best of the hull as
     * far as the neuron found is the best of the dictionary. NaN for the other methods.
     */
    double gap;
    /**
     * V times the sum of the neurons' absolute factors: at most V in the hull.
     */
    double variation;
} lcc_relaxed_level_f64;

/**
 * What a fit is asked to do.
 */
typedef struct {
    /**
     * The bytes of this struct, as the defaults have it.
     */
    uint32_t struct_size;
    /**
     * An LCC_RELAXED_ method. Default: relaxed greedy.
     */
    int32_t method;
    /**
     * An LCC_ACTIVATION_ code. Default: tanh.
     */
    int32_t activation;
    /**
     * Levels K, 1 to 4096. Default 40.
     */
    uint32_t levels;
    /**
     * Starts of the search for each neuron, a multiple of lanes. Default 16.
     */
    uint32_t starts;
    /**
     * Steps of ascent from each start, at least 1. Default 60.
     */
    uint32_t steps;
    /**
     * Starts that advance in lock-step: 1 or 8. Changes speed, never a number. Default 8.
     */
    uint32_t lanes;
    /**
     * 1: standardise inputs and target. Default 1.
     */
    uint32_t standardise;
    /**
     * 1: add a column of ones, so that neurons have a bias. Default 1.
     */
    uint32_t intercept;
    /**
     * 1 does without the CPU's wide instructions. Changes speed, never a number. Default 0.
     */
    uint32_t portable;
    /**
     * Names the random numbers. Default 1.
     */
    uint64_t seed;
    /**
     * V, positive. Default 5.
     */
    float outer;
    /**
     * The radius of the l1 ball, positive. Default 5.
     */
    float radius;
} lcc_relaxed_options_f32;

/**
 * A fit after one level, in the neurons' units.
 */
typedef struct {
    /**
     * The mean squared error over the training rows.
     */
    float error;
    /**
     * V^2 sup psi^2 / k: what some average of k neurons comes to within of the best of the hull.
     */
    float bound;
    /**
     * Frank-Wolfe: the duality gap before this level, at least the excess over the best of the hull as
     * far as the neuron found is the best of the dictionary. NaN for the other methods.
     */
    float gap;
    /**
     * V times the sum of the neurons' absolute factors: at most V in the hull.
     */
    float variation;
} lcc_relaxed_level_f32;

/**
 * Writes the defaults.
 *
 * @param options  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_MISALIGNED
 */
int32_t lcc_relaxed_options_default_f64(lcc_relaxed_options_f64 *options);

/**
 * The bytes that a fit takes, at an address that is a multiple of 16.
 *
 * @param options  what to do
 * @param n        rows
 * @param d        columns
 * @param bytes    out
 * @return LCC_OK, LCC_ERROR_EMPTY, LCC_ERROR_OVERFLOW, or what is wrong with an option
 */
int32_t lcc_relaxed_size_f64(const lcc_relaxed_options_f64 *options,
                             size_t n,
                             size_t d,
                             size_t *bytes);

/**
 * Builds a fit at the start of a block of memory. Reads the data and keeps a copy in its own units.
 *
 * @param memory   lcc_relaxed_size_f64 bytes, aligned to 16
 * @param bytes    the bytes at memory
 * @param options  what to do
 * @param data     rows and targets, in their own units
 * @param relaxed  out: the handle, which is memory itself
 * @return LCC_OK, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN, LCC_ERROR_CONSTANT_TARGET, or what is
 *         wrong with an argument
 */
int32_t lcc_relaxed_init_f64(uint8_t *memory,
                             size_t bytes,
                             const lcc_relaxed_options_f64 *options,
                             const lcc_data_f64 *data,
                             lcc_relaxed_f64 **relaxed);

/**
 * Works until the budget is used up, or to the end. A unit of work (one step of a block of starts, or
 * the end of a level) is never split. Each call also reads the data once to know them again, so give it many times n.
 *
 * @param relaxed the handle
 * @param data    its data, unchanged
 * @param budget  rows of data times starts to visit; any positive budget advances
 * @return LCC_RUNNING, LCC_DONE, LCC_ERROR_HANDLE, LCC_ERROR_DATA_CHANGED, or what is wrong with the data
 */
int32_t lcc_relaxed_step_f64(lcc_relaxed_f64 *relaxed,
                             const lcc_data_f64 *data,
                             uint64_t budget);

/**
 * Where a fit is. A unit of its work is a level.
 *
 * @param relaxed   the handle
 * @param progress  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE
 */
int32_t lcc_relaxed_progress_f64(const lcc_relaxed_f64 *relaxed, lcc_progress *progress);

/**
 * The fit after a level.
 *
 * @param relaxed the handle
 * @param index   of the level, from 0
 * @param level   out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX
 */
int32_t lcc_relaxed_report_f64(const lcc_relaxed_f64 *relaxed,
                               size_t index,
                               lcc_relaxed_level_f64 *level);

/**
 * The bytes of the model at most, one draw of K (d + 2) + d + 3 values and a head, and those of the
 * scratch in which it is written.
 *
 * @param relaxed  the handle
 * @param model    out: bytes of the model
 * @param scratch  out: bytes of scratch
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_OVERFLOW
 */
int32_t lcc_relaxed_model_size_f64(const lcc_relaxed_f64 *relaxed, size_t *model, size_t *scratch);

/**
 * Writes the model: an image of one draw that every lcc_model_ function reads, with the training error
 * as its noise. It may be asked for as soon as there is a level, and again later.
 *
 * @param relaxed        the handle
 * @param scratch        bytes as lcc_relaxed_model_size_f64 says, aligned to 16
 * @param scratch_bytes  the bytes at scratch
 * @param model          out: bytes as lcc_relaxed_model_size_f64 says, of any alignment
 * @param bytes          the bytes at model
 * @param written        out: the model's own length
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_NOT_DONE, LCC_ERROR_MEMORY_SIZE,
 *         LCC_ERROR_MEMORY_ALIGN
 */
int32_t lcc_relaxed_write_model_f64(const lcc_relaxed_f64 *relaxed,
                                    uint8_t *scratch,
                                    size_t scratch_bytes,
                                    uint8_t *model,
                                    size_t bytes,
                                    size_t *written);

/**
 * The bytes of a checkpoint.
 *
 * @param relaxed the handle
 * @param bytes   out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE
 */
int32_t lcc_relaxed_checkpoint_size_f64(const lcc_relaxed_f64 *relaxed, size_t *bytes);

/**
 * Seals a copy of a fit, to be restored on any machine of the same byte order. Going on from it gives
 * the bits that running on would have given.
 *
 * @param relaxed     the handle
 * @param checkpoint  out: lcc_relaxed_checkpoint_size_f64 bytes, of any alignment
 * @param bytes       the bytes at checkpoint
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_MEMORY_SIZE
 */
int32_t lcc_relaxed_checkpoint_f64(const lcc_relaxed_f64 *relaxed,
                                   uint8_t *checkpoint,
                                   size_t bytes);

/**
 * Builds a fit from a checkpoint, in as much memory as the one that was sealed.
 *
 * @param memory            aligned to 16
 * @param bytes             the bytes at memory
 * @param checkpoint        what lcc_relaxed_checkpoint_f64 wrote
 * @param checkpoint_bytes  its bytes
 * @param relaxed           out: the handle
 * @return LCC_OK, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN, LCC_ERROR_IMAGE_TRUNCATED, _MAGIC,
 *         _NEWER, _CORRUPT, _KIND
 */
int32_t lcc_relaxed_restore_f64(uint8_t *memory,
                                size_t bytes,
                                const uint8_t *checkpoint,
                                size_t checkpoint_bytes,
                                lcc_relaxed_f64 **relaxed);

/**
 * Writes the defaults.
 *
 * @param options  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_MISALIGNED
 */
int32_t lcc_relaxed_options_default_f32(lcc_relaxed_options_f32 *options);

/**
 * The bytes that a fit takes, at an address that is a multiple of 16.
 *
 * @param options  what to do
 * @param n        rows
 * @param d        columns
 * @param bytes    out
 * @return LCC_OK, LCC_ERROR_EMPTY, LCC_ERROR_OVERFLOW, or what is wrong with an option
 */
int32_t lcc_relaxed_size_f32(const lcc_relaxed_options_f32 *options,
                             size_t n,
                             size_t d,
                             size_t *bytes);

/**
 * Builds a fit at the start of a block of memory. Reads the data and keeps a copy in its own units.
 *
 * @param memory   lcc_relaxed_size_f32 bytes, aligned to 16
 * @param bytes    the bytes at memory
 * @param options  what to do
 * @param data     rows and targets, in their own units
 * @param relaxed  out: the handle, which is memory itself
 * @return LCC_OK, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN, LCC_ERROR_CONSTANT_TARGET, or what is
 *         wrong with an argument
 */
int32_t lcc_relaxed_init_f32(uint8_t *memory,
                             size_t bytes,
                             const lcc_relaxed_options_f32 *options,
                             const lcc_data_f32 *data,
                             lcc_relaxed_f32 **relaxed);

/**
 * Works until the budget is used up, or to the end. A unit of work (one step of a block of starts, or
 * the end of a level) is never split. Each call also reads the data once to know them again, so give it many times n.
 *
 * @param relaxed the handle
 * @param data    its data, unchanged
 * @param budget  rows of data times starts to visit; any positive budget advances
 * @return LCC_RUNNING, LCC_DONE, LCC_ERROR_HANDLE, LCC_ERROR_DATA_CHANGED, or what is wrong with the data
 */
int32_t lcc_relaxed_step_f32(lcc_relaxed_f32 *relaxed,
                             const lcc_data_f32 *data,
                             uint64_t budget);

/**
 * Where a fit is. A unit of its work is a level.
 *
 * @param relaxed   the handle
 * @param progress  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE
 */
int32_t lcc_relaxed_progress_f32(const lcc_relaxed_f32 *relaxed, lcc_progress *progress);

/**
 * The fit after a level.
 *
 * @param relaxed the handle
 * @param index   of the level, from 0
 * @param level   out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX
 */
int32_t lcc_relaxed_report_f32(const lcc_relaxed_f32 *relaxed,
                               size_t index,
                               lcc_relaxed_level_f32 *level);

/**
 * The bytes of the model at most, one draw of K (d + 2) + d + 3 values and a head, and those of the
 * scratch in which it is written.
 *
 * @param relaxed  the handle
 * @param model    out: bytes of the model
 * @param scratch  out: bytes of scratch
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_OVERFLOW
 */
int32_t lcc_relaxed_model_size_f32(const lcc_relaxed_f32 *relaxed, size_t *model, size_t *scratch);

/**
 * Writes the model: an image of one draw that every lcc_model_ function reads, with the training error
 * as its noise. It may be asked for as soon as there is a level, and again later.
 *
 * @param relaxed        the handle
 * @param scratch        bytes as lcc_relaxed_model_size_f32 says, aligned to 16
 * @param scratch_bytes  the bytes at scratch
 * @param model          out: bytes as lcc_relaxed_model_size_f32 says, of any alignment
 * @param bytes          the bytes at model
 * @param written        out: the model's own length
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_NOT_DONE, LCC_ERROR_MEMORY_SIZE,
 *         LCC_ERROR_MEMORY_ALIGN
 */
int32_t lcc_relaxed_write_model_f32(const lcc_relaxed_f32 *relaxed,
                                    uint8_t *scratch,
                                    size_t scratch_bytes,
                                    uint8_t *model,
                                    size_t bytes,
                                    size_t *written);

/**
 * The bytes of a checkpoint.
 *
 * @param relaxed the handle
 * @param bytes   out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE
 */
int32_t lcc_relaxed_checkpoint_size_f32(const lcc_relaxed_f32 *relaxed, size_t *bytes);

/**
 * Seals a copy of a fit, to be restored on any machine of the same byte order. Going on from it gives
 * the bits that running on would have given.
 *
 * @param relaxed     the handle
 * @param checkpoint  out: lcc_relaxed_checkpoint_size_f32 bytes, of any alignment
 * @param bytes       the bytes at checkpoint
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_MEMORY_SIZE
 */
int32_t lcc_relaxed_checkpoint_f32(const lcc_relaxed_f32 *relaxed,
                                   uint8_t *checkpoint,
                                   size_t bytes);

/**
 * Builds a fit from a checkpoint, in as much memory as the one that was sealed.
 *
 * @param memory            aligned to 16
 * @param bytes             the bytes at memory
 * @param checkpoint        what lcc_relaxed_checkpoint_f32 wrote
 * @param checkpoint_bytes  its bytes
 * @param relaxed           out: the handle
 * @return LCC_OK, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN, LCC_ERROR_IMAGE_TRUNCATED, _MAGIC,
 *         _NEWER, _CORRUPT, _KIND
 */
int32_t lcc_relaxed_restore_f32(uint8_t *memory,
                                size_t bytes,
                                const uint8_t *checkpoint,
                                size_t checkpoint_bytes,
                                lcc_relaxed_f32 **relaxed);

/* ================================================================================================
 * Models and predictions
 * ================================================================================================ */

/**
 * What a model is.
 */
typedef struct {
    /**
     * The model's own length, which may be less than the bytes given.
     */
    uint64_t bytes;
    /**
     * Inputs d.
     */
    uint32_t inputs;
    /**
     * Neurons M.
     */
    uint32_t neurons;
    /**
     * Posterior draws K.
     */
    uint32_t draws;
    /**
     * Precision of the stored values: 32 or 64.
     */
    uint32_t precision;
    /**
     * An LCC_ACTIVATION_ code.
     */
    int32_t activation;
    /**
     * Must be ignored.
     */
    uint32_t reserved;
} lcc_model_info;

/**
 * The predictive law of one row in four numbers, in the target's units.
 */
typedef struct {
    /**
     * The mean.
     */
    double mean;
    /**
     * The standard deviation, noise included.
     */
    double sd;
    /**
     * The lower end of the central interval.
     */
    double lower;
    /**
     * Its upper end.
     */
    double upper;
} lcc_prediction_f64;

/**
 * How one target fared under the predictive law of its row.
 */
typedef struct {
    /**
     * Log density of the predictive mixture at the target: larger is better.
     */
    double log_density;
    /**
     * Probability integral transform: P(Y <= y). Uniform over rows if the predictions are calibrated.
     */
    double pit;
    /**
     * Continuous ranked probability score, in the target's units: smaller is better.
     */
    double crps;
} lcc_score_f64;

/**
 * The scores of a whole test set.
 */
typedef struct {
    /**
     * Root mean square error of the predictive means.
     */
    double rmse;
    /**
     * Mean log density of the predictive mixture at the targets.
     */
    double log_likelihood;
    /**
     * The fraction of targets inside their central interval.
     */
    double coverage;
    /**
     * Mean width of the intervals.
     */
    double width;
    /**
     * Mean continuous ranked probability score; NaN where it was not asked for.
     */
    double crps;
} lcc_evaluation_f64;

/**
 * The predictive law of one row in four numbers, in the target's units.
 */
typedef struct {
    /**
     * The mean.
     */
    float mean;
    /**
     * The standard deviation, noise included.
     */
    float sd;
    /**
     * The lower end of the central interval.
     */
    float lower;
    /**
     * Its upper end.
     */
    float upper;
} lcc_prediction_f32;

/**
 * How one target fared under the predictive law of its row.
 */
typedef struct {
    /**
     * Log density of the predictive mixture at the target: larger is better.
     */
    float log_density;
    /**
     * Probability integral transform: P(Y <= y). Uniform over rows if the predictions are calibrated.
     */
    float pit;
    /**
     * Continuous ranked probability score, in the target's units: smaller is better.
     */
    float crps;
} lcc_score_f32;

/**
 * The scores of a whole test set.
 */
typedef struct {
    /**
     * Root mean square error of the predictive means.
     */
    float rmse;
    /**
     * Mean log density of the predictive mixture at the targets.
     */
    float log_likelihood;
    /**
     * The fraction of targets inside their central interval.
     */
    float coverage;
    /**
     * Mean width of the intervals.
     */
    float width;
    /**
     * Mean continuous ranked probability score; NaN where it was not asked for.
     */
    float crps;
} lcc_evaluation_f32;

/**
 * Verifies a model: a posterior image, which is read where it lies, in flash too, at any alignment, by
 * code of either precision, on machines of either byte order. Reads every byte: the checksum, and
 * that every value is in its range. The other functions check the head and the bounds only, so verify
 * a model once when it arrives.
 *
 * @param model  the image; bytes beyond its own length are ignored
 * @param bytes  the bytes at model
 * @param info   out: what it is; may be NULL
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_IMAGE_TRUNCATED, _MAGIC, _NEWER, _CORRUPT, _SHAPE, _VALUE
 */
int32_t lcc_model_check(const uint8_t *model,
                        size_t bytes,
                        lcc_model_info *info);

/**
 * The bytes of scratch that the functions below need, at an address that is a multiple of 16. Grows
 * with the draws and the inputs, not with the rows.
 *
 * @param model    the model
 * @param bytes    the bytes at model
 * @param scratch  out: bytes
 * @return LCC_OK, LCC_ERROR_OVERFLOW, or what is wrong with the model
 */
int32_t lcc_model_scratch_f64(const uint8_t *model, size_t bytes, size_t *scratch);

/**
 * Mean, standard deviation and central interval at each row. About 2 K M (d + 1) flops and K M
 * activations a row, and some tens of evaluations of K Student-t tails for the interval.
 *
 * @param model          the model
 * @param bytes          the bytes at model
 * @param rows           inputs in the units of the training data; y may be NULL
 * @param level          the probability of the interval, e.g. .9
 * @param scratch        lcc_model_scratch_f64 bytes, aligned to 16
 * @param scratch_bytes  the bytes at scratch
 * @param out            out: one prediction a row
 * @param len            the predictions that fit at out, at least n
 * @return LCC_OK, LCC_ERROR_INPUTS, LCC_ERROR_PROBABILITY, LCC_ERROR_CAPACITY, LCC_ERROR_MEMORY_SIZE,
 *         LCC_ERROR_MEMORY_ALIGN, or what is wrong with model or rows
 */
int32_t lcc_model_predict_f64(const uint8_t *model,
                              size_t bytes,
                              const lcc_data_f64 *rows,
                              double level,
                              uint8_t *scratch,
                              size_t scratch_bytes,
                              lcc_prediction_f64 *out,
                              size_t len);

/**
 * Quantiles of the predictive law at each row: out[i * levels + k] is the p[k]-quantile at row i.
 *
 * @param model          the model
 * @param bytes          the bytes at model
 * @param rows           inputs; y may be NULL
 * @param p              probabilities inside (0, 1)
 * @param levels         how many
 * @param scratch        lcc_model_scratch_f64 bytes, aligned to 16
 * @param scratch_bytes  the bytes at scratch
 * @param out            out: n * levels values
 * @param len            the values that fit at out
 * @return as lcc_model_predict_f64
 */
int32_t lcc_model_quantile_f64(const uint8_t *model,
                               size_t bytes,
                               const lcc_data_f64 *rows,
                               const double *p,
                               size_t levels,
                               uint8_t *scratch,
                               size_t scratch_bytes,
                               double *out,
                               size_t len);

/**
 * Scores of each row's target. CRPS takes some ten times as long as a prediction.
 *
 * @param model          the model
 * @param bytes          the bytes at model
 * @param rows           inputs and targets
 * @param scratch        lcc_model_scratch_f64 bytes, aligned to 16
 * @param scratch_bytes  the bytes at scratch
 * @param out            out: one score a row
 * @param len            the scores that fit at out, at least n
 * @return as lcc_model_predict_f64
 */
int32_t lcc_model_score_f64(const uint8_t *model,
                            size_t bytes,
                            const lcc_data_f64 *rows,
                            uint8_t *scratch,
                            size_t scratch_bytes,
                            lcc_score_f64 *out,
                            size_t len);

/**
 * The scores of a whole test set, by compensated sums over its rows in order.
 *
 * @param model          the model
 * @param bytes          the bytes at model
 * @param rows           inputs and targets
 * @param level          the probability of the intervals
 * @param crps           1: the CRPS too, which takes some ten times as long as the rest; 0: without
 * @param scratch        lcc_model_scratch_f64 bytes, aligned to 16
 * @param scratch_bytes  the bytes at scratch
 * @param evaluation     out
 * @return as lcc_model_predict_f64; LCC_ERROR_SWITCH if crps is neither 0 nor 1
 */
int32_t lcc_model_evaluate_f64(const uint8_t *model,
                               size_t bytes,
                               const lcc_data_f64 *rows,
                               double level,
                               uint32_t crps,
                               uint8_t *scratch,
                               size_t scratch_bytes,
                               lcc_evaluation_f64 *evaluation);

/**
 * The log density of each target under each draw, out[i * K + k] for row i and draw k: the input of
 * leave-one-out estimates (PSIS-LOO).
 *
 * @param model          the model
 * @param bytes          the bytes at model
 * @param rows           inputs and targets
 * @param scratch        lcc_model_scratch_f64 bytes, aligned to 16
 * @param scratch_bytes  the bytes at scratch
 * @param out            out: n * K values
 * @param len            the values that fit at out
 * @return as lcc_model_predict_f64
 */
int32_t lcc_model_log_likelihood_f64(const uint8_t *model,
                                     size_t bytes,
                                     const lcc_data_f64 *rows,
                                     uint8_t *scratch,
                                     size_t scratch_bytes,
                                     double *out,
                                     size_t len);

/**
 * f(x) of each draw without its noise, in the target's units: out[i * K + k] for row i and draw k.
 * Their spread is what is not known of the regression function; a band of it, a difference between
 * two rows or a probability of one being above another are read off them.
 *
 * @param model          the model
 * @param bytes          the bytes at model
 * @param rows           inputs; y may be NULL
 * @param scratch        lcc_model_scratch_f64 bytes, aligned to 16
 * @param scratch_bytes  the bytes at scratch
 * @param out            out: n * K values
 * @param len            the values that fit at out
 * @return as lcc_model_predict_f64
 */
int32_t lcc_model_function_f64(const uint8_t *model,
                               size_t bytes,
                               const lcc_data_f64 *rows,
                               uint8_t *scratch,
                               size_t scratch_bytes,
                               double *out,
                               size_t len);

/**
 * Draws of y from the posterior predictive law: out[i * each + k] is draw k at row i.
 *
 * @param model          the model
 * @param bytes          the bytes at model
 * @param rows           inputs; y may be NULL
 * @param seed           names the random numbers
 * @param each           draws for each row, at least 1
 * @param scratch        lcc_model_scratch_f64 bytes, aligned to 16
 * @param scratch_bytes  the bytes at scratch
 * @param out            out: n * each values
 * @param len            the values that fit at out
 * @return as lcc_model_predict_f64; LCC_ERROR_DRAWS if each is 0
 */
int32_t lcc_model_draw_f64(const uint8_t *model,
                           size_t bytes,
                           const lcc_data_f64 *rows,
                           uint64_t seed,
                           size_t each,
                           uint8_t *scratch,
                           size_t scratch_bytes,
                           double *out,
                           size_t len);

/**
 * The parameters of one draw in standardised units: w (M d, neuron by neuron), b (M), v (M), b0, c (d),
 * sigma, nu (infinite for Gaussian noise).
 *
 * @param model  the model
 * @param bytes  the bytes at model
 * @param draw   which, below K
 * @param out    out: M (d + 2) + d + 3 values
 * @param len    the values that fit at out
 * @return LCC_OK, LCC_ERROR_INDEX, LCC_ERROR_CAPACITY, or what is wrong with the model
 */
int32_t lcc_model_parameters_f64(const uint8_t *model,
                                 size_t bytes,
                                 size_t draw,
                                 double *out,
                                 size_t len);

/**
 * The units of a model: what lcc_model_parameters_f64 calls standardised is (x - mean) / sd, for each
 * input and for the target.
 *
 * @param model  the model
 * @param bytes  the bytes at model
 * @param mean   out: d + 1 values, the inputs' first, then the target's
 * @param sd     out: d + 1 values, likewise
 * @param len    the values that fit at mean, and at sd
 * @return LCC_OK, LCC_ERROR_CAPACITY, or what is wrong with the model
 */
int32_t lcc_model_units_f64(const uint8_t *model,
                            size_t bytes,
                            double *mean,
                            double *sd,
                            size_t len);

/**
 * The bytes of scratch that the functions below need, at an address that is a multiple of 16. Grows
 * with the draws and the inputs, not with the rows.
 *
 * @param model    the model
 * @param bytes    the bytes at model
 * @param scratch  out: bytes
 * @return LCC_OK, LCC_ERROR_OVERFLOW, or what is wrong with the model
 */
int32_t lcc_model_scratch_f32(const uint8_t *model, size_t bytes, size_t *scratch);

/**
 * Mean, standard deviation and central interval at each row. About 2 K M (d + 1) flops and K M
 * activations a row, and some tens of evaluations of K Student-t tails for the interval.
 *
 * @param model          the model
 * @param bytes          the bytes at model
 * @param rows           inputs in the units of the training data; y may be NULL
 * @param level          the probability of the interval, e.g. .9
 * @param scratch        lcc_model_scratch_f32 bytes, aligned to 16
 * @param scratch_bytes  the bytes at scratch
 * @param out            out: one prediction a row
 * @param len            the predictions that fit at out, at least n
 * @return LCC_OK, LCC_ERROR_INPUTS, LCC_ERROR_PROBABILITY, LCC_ERROR_CAPACITY, LCC_ERROR_MEMORY_SIZE,
 *         LCC_ERROR_MEMORY_ALIGN, or what is wrong with model or rows
 */
int32_t lcc_model_predict_f32(const uint8_t *model,
                              size_t bytes,
                              const lcc_data_f32 *rows,
                              float level,
                              uint8_t *scratch,
                              size_t scratch_bytes,
                              lcc_prediction_f32 *out,
                              size_t len);

/**
 * Quantiles of the predictive law at each row: out[i * levels + k] is the p[k]-quantile at row i.
 *
 * @param model          the model
 * @param bytes          the bytes at model
 * @param rows           inputs; y may be NULL
 * @param p              probabilities inside (0, 1)
 * @param levels         how many
 * @param scratch        lcc_model_scratch_f32 bytes, aligned to 16
 * @param scratch_bytes  the bytes at scratch
 * @param out            out: n * levels values
 * @param len            the values that fit at out
 * @return as lcc_model_predict_f32
 */
int32_t lcc_model_quantile_f32(const uint8_t *model,
                               size_t bytes,
                               const lcc_data_f32 *rows,
                               const float *p,
                               size_t levels,
                               uint8_t *scratch,
                               size_t scratch_bytes,
                               float *out,
                               size_t len);

/**
 * Scores of each row's target. CRPS takes some ten times as long as a prediction.
 *
 * @param model          the model
 * @param bytes          the bytes at model
 * @param rows           inputs and targets
 * @param scratch        lcc_model_scratch_f32 bytes, aligned to 16
 * @param scratch_bytes  the bytes at scratch
 * @param out            out: one score a row
 * @param len            the scores that fit at out, at least n
 * @return as lcc_model_predict_f32
 */
int32_t lcc_model_score_f32(const uint8_t *model,
                            size_t bytes,
                            const lcc_data_f32 *rows,
                            uint8_t *scratch,
                            size_t scratch_bytes,
                            lcc_score_f32 *out,
                            size_t len);

/**
 * The scores of a whole test set, by compensated sums over its rows in order.
 *
 * @param model          the model
 * @param bytes          the bytes at model
 * @param rows           inputs and targets
 * @param level          the probability of the intervals
 * @param crps           1: the CRPS too, which takes some ten times as long as the rest; 0: without
 * @param scratch        lcc_model_scratch_f32 bytes, aligned to 16
 * @param scratch_bytes  the bytes at scratch
 * @param evaluation     out
 * @return as lcc_model_predict_f32; LCC_ERROR_SWITCH if crps is neither 0 nor 1
 */
int32_t lcc_model_evaluate_f32(const uint8_t *model,
                               size_t bytes,
                               const lcc_data_f32 *rows,
                               float level,
                               uint32_t crps,
                               uint8_t *scratch,
                               size_t scratch_bytes,
                               lcc_evaluation_f32 *evaluation);

/**
 * The log density of each target under each draw, out[i * K + k] for row i and draw k: the input of
 * leave-one-out estimates (PSIS-LOO).
 *
 * @param model          the model
 * @param bytes          the bytes at model
 * @param rows           inputs and targets
 * @param scratch        lcc_model_scratch_f32 bytes, aligned to 16
 * @param scratch_bytes  the bytes at scratch
 * @param out            out: n * K values
 * @param len            the values that fit at out
 * @return as lcc_model_predict_f32
 */
int32_t lcc_model_log_likelihood_f32(const uint8_t *model,
                                     size_t bytes,
                                     const lcc_data_f32 *rows,
                                     uint8_t *scratch,
                                     size_t scratch_bytes,
                                     float *out,
                                     size_t len);

/**
 * f(x) of each draw without its noise, in the target's units: out[i * K + k] for row i and draw k.
 * Their spread is what is not known of the regression function; a band of it, a difference between
 * two rows or a probability of one being above another are read off them.
 *
 * @param model          the model
 * @param bytes          the bytes at model
 * @param rows           inputs; y may be NULL
 * @param scratch        lcc_model_scratch_f32 bytes, aligned to 16
 * @param scratch_bytes  the bytes at scratch
 * @param out            out: n * K values
 * @param len            the values that fit at out
 * @return as lcc_model_predict_f32
 */
int32_t lcc_model_function_f32(const uint8_t *model,
                               size_t bytes,
                               const lcc_data_f32 *rows,
                               uint8_t *scratch,
                               size_t scratch_bytes,
                               float *out,
                               size_t len);

/**
 * Draws of y from the posterior predictive law: out[i * each + k] is draw k at row i.
 *
 * @param model          the model
 * @param bytes          the bytes at model
 * @param rows           inputs; y may be NULL
 * @param seed           names the random numbers
 * @param each           draws for each row, at least 1
 * @param scratch        lcc_model_scratch_f32 bytes, aligned to 16
 * @param scratch_bytes  the bytes at scratch
 * @param out            out: n * each values
 * @param len            the values that fit at out
 * @return as lcc_model_predict_f32; LCC_ERROR_DRAWS if each is 0
 */
int32_t lcc_model_draw_f32(const uint8_t *model,
                           size_t bytes,
                           const lcc_data_f32 *rows,
                           uint64_t seed,
                           size_t each,
                           uint8_t *scratch,
                           size_t scratch_bytes,
                           float *out,
                           size_t len);

/**
 * The parameters of one draw in standardised units: w (M d, neuron by neuron), b (M), v (M), b0, c (d),
 * sigma, nu (infinite for Gaussian noise).
 *
 * @param model  the model
 * @param bytes  the bytes at model
 * @param draw   which, below K
 * @param out    out: M (d + 2) + d + 3 values
 * @param len    the values that fit at out
 * @return LCC_OK, LCC_ERROR_INDEX, LCC_ERROR_CAPACITY, or what is wrong with the model
 */
int32_t lcc_model_parameters_f32(const uint8_t *model,
                                 size_t bytes,
                                 size_t draw,
                                 float *out,
                                 size_t len);

/**
 * The units of a model: what lcc_model_parameters_f32 calls standardised is (x - mean) / sd, for each
 * input and for the target.
 *
 * @param model  the model
 * @param bytes  the bytes at model
 * @param mean   out: d + 1 values, the inputs' first, then the target's
 * @param sd     out: d + 1 values, likewise
 * @param len    the values that fit at mean, and at sd
 * @return LCC_OK, LCC_ERROR_CAPACITY, or what is wrong with the model
 */
int32_t lcc_model_units_f32(const uint8_t *model,
                            size_t bytes,
                            float *mean,
                            float *sd,
                            size_t len);

/* ================================================================================================
 * Learning from a stream
 * ================================================================================================ */

/**
 * A model that goes on learning, row by row, where the data drift; in the caller's memory.
 *
 * Every draw keeps its hidden layer and learns its head (outer weights, intercept, linear part) by
 * Bayesian recursive least squares with forgetting, and its noise by a Gamma with forgetting. What is
 * forgotten leaks back towards the model as it was fitted, so that nothing grows without bound however
 * little the rows say. Covariances are kept factored (Bierman): single precision bears any number of
 * rows. Usual order, for each row: lcc_stream_predict_f32 when the inputs are known,
 * lcc_stream_observe_f32 when the target is.
 */
typedef struct lcc_stream_f32 lcc_stream_f32;

/**
 * A model that goes on learning, row by row, where the data drift; in the caller's memory.
 *
 * Every draw keeps its hidden layer and learns its head (outer weights, intercept, linear part) by
 * Bayesian recursive least squares with forgetting, and its noise by a Gamma with forgetting. What is
 * forgotten leaks back towards the model as it was fitted, so that nothing grows without bound however
 * little the rows say. Covariances are kept factored (Bierman): single precision bears any number of
 * rows. Usual order, for each row: lcc_stream_predict_f64 when the inputs are known,
 * lcc_stream_observe_f64 when the target is.
 */
typedef struct lcc_stream_f64 lcc_stream_f64;

/**
 * The last rows of a stream, in the caller's memory: appended until it is full, then the oldest is
 * replaced.
 */
typedef struct lcc_window_f32 lcc_window_f32;

/**
 * The last rows of a stream, in the caller's memory: appended until it is full, then the oldest is
 * replaced.
 */
typedef struct lcc_window_f64 lcc_window_f64;

/**
 * How a stream is learnt from. Sds are those of the head in standardised units.
 */
typedef struct {
    /**
     * The bytes of this struct, as the defaults have it.
     */
    uint32_t struct_size;
    /**
     * Draws to learn with, at least 1: at most so many, evenly spread over those of the model.
     * Default 64; 8 to 16 on a microcontroller.
     */
    uint32_t draws;
    /**
     * Draws that are updated together: 1 or 8. Changes speed and memory, never a number. Default 8; 1
     * on a microcontroller.
     */
    uint32_t lanes;
    /**
     * 1: draws are weighted by how well they have predicted; 0: equally. Default 1.
     */
    uint32_t weighted;
    /**
     * 1 does without the CPU's wide instructions. Changes speed, never a number. Default 0.
     */
    uint32_t portable;
    /**
     * Must be 0.
     */
    uint32_t reserved;
    /**
     * What a row counts for after the next, in (0, 1]: the head remembers about 1 / (1 - forgetting)
     * rows. 1: all count the same. Default .98.
     */
    double forgetting;
    /**
     * The same of the noise. Default .98.
     */
    double noise_forgetting;
    /**
     * What a row counts for in the weights after the next, in [0, 1]. Default .9.
     */
    double weight_forgetting;
    /**
     * The rows that the noise as it was fitted counts for. Default 10.
     */
    double noise_rows;
    /**
     * The sd of the outer weights about those fitted: the prior that the head leaks back to.
     * Default 1.
     */
    double outer_sd;
    /**
     * The same of the intercept. Default 1.
     */
    double intercept_sd;
    /**
     * The same of the linear part. Default .3.
     */
    double linear_sd;
} lcc_stream_options_f64;

/**
 * How a target fared under the prediction of its row, made before.
 */
typedef struct {
    /**
     * Log density of the predictive mixture at the target: larger is better.
     */
    double log_density;
    /**
     * Probability integral transform: P(Y <= y). Uniform over rows if the predictions are calibrated.
     */
    double pit;
} lcc_stream_score_f64;

/**
 * What a stream learner is.
 */
typedef struct {
    /**
     * Rows learnt.
     */
    uint64_t rows;
    /**
     * Inputs d.
     */
    uint32_t inputs;
    /**
     * Neurons M.
     */
    uint32_t neurons;
    /**
     * Draws that learn.
     */
    uint32_t draws;
    /**
     * 1 where the draws are weighted.
     */
    uint32_t weighted;
} lcc_stream_info;

/**
 * How a stream is learnt from. Sds are those of the head in standardised units.
 */
typedef struct {
    /**
     * The bytes of this struct, as the defaults have it.
     */
    uint32_t struct_size;
    /**
     * Draws to learn with, at least 1: at most so many, evenly spread over those of the model.
     * Default 64; 8 to 16 on a microcontroller.
     */
    uint32_t draws;
    /**
     * Draws that are updated together: 1 or 8. Changes speed and memory, never a number. Default 8; 1
     * on a microcontroller.
     */
    uint32_t lanes;
    /**
     * 1: draws are weighted by how well they have predicted; 0: equally. Default 1.
     */
    uint32_t weighted;
    /**
     * 1 does without the CPU's wide instructions. Changes speed, never a number. Default 0.
     */
    uint32_t portable;
    /**
     * Must be 0.
     */
    uint32_t reserved;
    /**
     * What a row counts for after the next, in (0, 1]: the head remembers about 1 / (1 - forgetting)
     * rows. 1: all count the same. Default .98.
     */
    float forgetting;
    /**
     * The same of the noise. Default .98.
     */
    float noise_forgetting;
    /**
     * What a row counts for in the weights after the next, in [0, 1]. Default .9.
     */
    float weight_forgetting;
    /**
     * The rows that the noise as it was fitted counts for. Default 10.
     */
    float noise_rows;
    /**
     * The sd of the outer weights about those fitted: the prior that the head leaks back to.
     * Default 1.
     */
    float outer_sd;
    /**
     * The same of the intercept. Default 1.
     */
    float intercept_sd;
    /**
     * The same of the linear part. Default .3.
     */
    float linear_sd;
} lcc_stream_options_f32;

/**
 * How a target fared under the prediction of its row, made before.
 */
typedef struct {
    /**
     * Log density of the predictive mixture at the target: larger is better.
     */
    float log_density;
    /**
     * Probability integral transform: P(Y <= y). Uniform over rows if the predictions are calibrated.
     */
    float pit;
} lcc_stream_score_f32;

/**
 * Writes the defaults.
 *
 * @param options  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_MISALIGNED
 */
int32_t lcc_stream_options_default_f64(lcc_stream_options_f64 *options);

/**
 * The bytes that a learner takes, at an address that is a multiple of 16: the same on every machine.
 * About K (M (d + 1) + P (P + 7) / 2 + 11) values, P = M + d + 1, K rounded up to the lanes.
 *
 * @param options      how to learn
 * @param model        the model
 * @param model_bytes  the bytes at model
 * @param bytes        out
 * @return LCC_OK, LCC_ERROR_OVERFLOW, or what is wrong with an option or the model
 */
int32_t lcc_stream_size_f64(const lcc_stream_options_f64 *options,
                            const uint8_t *model,
                            size_t model_bytes,
                            size_t *bytes);

/**
 * Builds a learner at the start of a block of memory. The model is copied: it is not needed afterwards.
 *
 * @param memory       lcc_stream_size_f64 bytes, aligned to 16
 * @param bytes        the bytes at memory
 * @param options      how to learn
 * @param model        the model, of either precision
 * @param model_bytes  the bytes at model
 * @param stream       out: the handle, which is memory itself
 * @return LCC_OK, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN, or what is wrong with an argument
 */
int32_t lcc_stream_init_f64(uint8_t *memory,
                            size_t bytes,
                            const lcc_stream_options_f64 *options,
                            const uint8_t *model,
                            size_t model_bytes,
                            lcc_stream_f64 **stream);

/**
 * Predicts a row before its target is known; learns nothing. About 2 M (d + 1) + 2 P^2 flops and M
 * activations a draw, and some tens of evaluations of Student-t tails for the interval.
 *
 * @param stream      the handle
 * @param row         d inputs, one after another, in their own units
 * @param d           how many
 * @param level       the probability of the interval, e.g. .9
 * @param prediction  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INPUTS, LCC_ERROR_PROBABILITY,
 *         LCC_ERROR_NOT_FINITE_X where an input is not finite or beyond 1e9 sds
 */
int32_t lcc_stream_predict_f64(lcc_stream_f64 *stream,
                               const double *row,
                               size_t d,
                               double level,
                               lcc_prediction_f64 *prediction);

/**
 * Learns from a row, and says how its target fared under the prediction before. About
 * 2 M (d + 1) + 6 P^2 flops and M activations a draw. A row that is refused changes nothing.
 *
 * @param stream  the handle
 * @param row     d inputs, one after another, in their own units
 * @param d       how many
 * @param y       the target
 * @param score   out; NULL saves the time that it takes
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INPUTS, LCC_ERROR_NOT_FINITE_X or _Y where
 *         a number is not finite or beyond 1e9 sds
 */
int32_t lcc_stream_observe_f64(lcc_stream_f64 *stream,
                               const double *row,
                               size_t d,
                               double y,
                               lcc_stream_score_f64 *score);

/**
 * What a learner is, and how many rows it has learnt.
 *
 * @param stream  the handle
 * @param info    out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE
 */
int32_t lcc_stream_read_info_f64(const lcc_stream_f64 *stream, lcc_stream_info *info);

/**
 * The weight of each draw; they add up to 1.
 *
 * @param stream  the handle
 * @param out     out: one weight a draw
 * @param len     the values that fit at out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_CAPACITY
 */
int32_t lcc_stream_weights_f64(const lcc_stream_f64 *stream, double *out, size_t len);

/**
 * The bytes of the model, K draws of M (d + 2) + d + 3 values and a head, and those of the scratch in
 * which it is written.
 *
 * @param stream   the handle
 * @param model    out: bytes of the model
 * @param scratch  out: bytes of scratch
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_OVERFLOW
 */
int32_t lcc_stream_model_size_f64(const lcc_stream_f64 *stream,
                                  size_t *model,
                                  size_t *scratch);

/**
 * Writes the model as it is now, which every lcc_model_ function reads. Weighted draws are resampled, so
 * that those of the model weigh the same.
 *
 * @param stream         the handle
 * @param spread         1: each head and noise is drawn from its law, so that the model knows what is not
 *                       known of them; 0: their means, best where the mean is what is wanted
 * @param seed           names the random numbers
 * @param scratch        bytes as lcc_stream_model_size_f64 says, aligned to 16
 * @param scratch_bytes  the bytes at scratch
 * @param model          out: bytes as lcc_stream_model_size_f64 says, of any alignment
 * @param bytes          the bytes at model
 * @param written        out: the model's own length
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_SWITCH, LCC_ERROR_MEMORY_SIZE,
 *         LCC_ERROR_MEMORY_ALIGN
 */
int32_t lcc_stream_write_model_f64(const lcc_stream_f64 *stream,
                                   uint32_t spread,
                                   uint64_t seed,
                                   uint8_t *scratch,
                                   size_t scratch_bytes,
                                   uint8_t *model,
                                   size_t bytes,
                                   size_t *written);

/**
 * The bytes of a checkpoint.
 *
 * @param stream  the handle
 * @param bytes   out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE
 */
int32_t lcc_stream_checkpoint_size_f64(const lcc_stream_f64 *stream, size_t *bytes);

/**
 * Seals a copy of a learner, to be restored on any machine of the same byte order. Going on from it gives
 * the bits that running on would have given.
 *
 * @param stream      the handle
 * @param checkpoint  out: lcc_stream_checkpoint_size_f64 bytes, of any alignment
 * @param bytes       the bytes at checkpoint
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_MEMORY_SIZE
 */
int32_t lcc_stream_checkpoint_f64(const lcc_stream_f64 *stream,
                                  uint8_t *checkpoint,
                                  size_t bytes);

/**
 * Builds a learner from a checkpoint, in as much memory as the one that was sealed.
 *
 * @param memory            aligned to 16
 * @param bytes             the bytes at memory
 * @param checkpoint        what lcc_stream_checkpoint_f64 wrote
 * @param checkpoint_bytes  its bytes
 * @param stream            out: the handle
 * @return LCC_OK, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN, LCC_ERROR_IMAGE_TRUNCATED, _MAGIC,
 *         _NEWER, _CORRUPT, _KIND
 */
int32_t lcc_stream_restore_f64(uint8_t *memory,
                               size_t bytes,
                               const uint8_t *checkpoint,
                               size_t checkpoint_bytes,
                               lcc_stream_f64 **stream);

/**
 * The bytes that a window takes, at an address that is a multiple of 16.
 *
 * @param capacity  rows
 * @param d         columns
 * @param bytes     out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_EMPTY, LCC_ERROR_OVERFLOW
 */
int32_t lcc_window_size_f64(size_t capacity, size_t d, size_t *bytes);

/**
 * Builds an empty window at the start of a block of memory.
 *
 * @param memory    lcc_window_size_f64 bytes, aligned to 16
 * @param bytes     the bytes at memory
 * @param capacity  rows
 * @param d         columns
 * @param window    out: the handle, which is memory itself
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_EMPTY, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN
 */
int32_t lcc_window_init_f64(uint8_t *memory,
                            size_t bytes,
                            size_t capacity,
                            size_t d,
                            lcc_window_f64 **window);

/**
 * Appends a row, or replaces the oldest where the window is full. A row that is refused changes nothing.
 *
 * @param window  the handle
 * @param row     d inputs, one after another
 * @param d       how many
 * @param y       the target
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INPUTS, LCC_ERROR_NOT_FINITE_X or _Y
 */
int32_t lcc_window_push_f64(lcc_window_f64 *window,
                            const double *row,
                            size_t d,
                            double y);

/**
 * The rows that are there, in no particular order, where they lie: valid until the next push.
 *
 * @param window  the handle
 * @param data    out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_EMPTY before the first row
 */
int32_t lcc_window_data_f64(const lcc_window_f64 *window, lcc_data_f64 *data);

/**
 * Writes the defaults.
 *
 * @param options  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_MISALIGNED
 */
int32_t lcc_stream_options_default_f32(lcc_stream_options_f32 *options);

/**
 * The bytes that a learner takes, at an address that is a multiple of 16: the same on every machine.
 * About K (M (d + 1) + P (P + 7) / 2 + 11) values, P = M + d + 1, K rounded up to the lanes.
 *
 * @param options      how to learn
 * @param model        the model
 * @param model_bytes  the bytes at model
 * @param bytes        out
 * @return LCC_OK, LCC_ERROR_OVERFLOW, or what is wrong with an option or the model
 */
int32_t lcc_stream_size_f32(const lcc_stream_options_f32 *options,
                            const uint8_t *model,
                            size_t model_bytes,
                            size_t *bytes);

/**
 * Builds a learner at the start of a block of memory. The model is copied: it is not needed afterwards.
 *
 * @param memory       lcc_stream_size_f32 bytes, aligned to 16
 * @param bytes        the bytes at memory
 * @param options      how to learn
 * @param model        the model, of either precision
 * @param model_bytes  the bytes at model
 * @param stream       out: the handle, which is memory itself
 * @return LCC_OK, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN, or what is wrong with an argument
 */
int32_t lcc_stream_init_f32(uint8_t *memory,
                            size_t bytes,
                            const lcc_stream_options_f32 *options,
                            const uint8_t *model,
                            size_t model_bytes,
                            lcc_stream_f32 **stream);

/**
 * Predicts a row before its target is known; learns nothing. About 2 M (d + 1) + 2 P^2 flops and M
 * activations a draw, and some tens of evaluations of Student-t tails for the interval.
 *
 * @param stream      the handle
 * @param row         d inputs, one after another, in their own units
 * @param d           how many
 * @param level       the probability of the interval, e.g. .9
 * @param prediction  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INPUTS, LCC_ERROR_PROBABILITY,
 *         LCC_ERROR_NOT_FINITE_X where an input is not finite or beyond 1e9 sds
 */
int32_t lcc_stream_predict_f32(lcc_stream_f32 *stream,
                               const float *row,
                               size_t d,
                               float level,
                               lcc_prediction_f32 *prediction);

/**
 * Learns from a row, and says how its target fared under the prediction before. About
 * 2 M (d + 1) + 6 P^2 flops and M activations a draw. A row that is refused changes nothing.
 *
 * @param stream  the handle
 * @param row     d inputs, one after another, in their own units
 * @param d       how many
 * @param y       the target
 * @param score   out; NULL saves the time that it takes
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INPUTS, LCC_ERROR_NOT_FINITE_X or _Y where
 *         a number is not finite or beyond 1e9 sds
 */
int32_t lcc_stream_observe_f32(lcc_stream_f32 *stream,
                               const float *row,
                               size_t d,
                               float y,
                               lcc_stream_score_f32 *score);

/**
 * What a learner is, and how many rows it has learnt.
 *
 * @param stream  the handle
 * @param info    out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE
 */
int32_t lcc_stream_read_info_f32(const lcc_stream_f32 *stream, lcc_stream_info *info);

/**
 * The weight of each draw; they add up to 1.
 *
 * @param stream  the handle
 * @param out     out: one weight a draw
 * @param len     the values that fit at out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_CAPACITY
 */
int32_t lcc_stream_weights_f32(const lcc_stream_f32 *stream, float *out, size_t len);

/**
 * The bytes of the model, K draws of M (d + 2) + d + 3 values and a head, and those of the scratch in
 * which it is written.
 *
 * @param stream   the handle
 * @param model    out: bytes of the model
 * @param scratch  out: bytes of scratch
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_OVERFLOW
 */
int32_t lcc_stream_model_size_f32(const lcc_stream_f32 *stream,
                                  size_t *model,
                                  size_t *scratch);

/**
 * Writes the model as it is now, which every lcc_model_ function reads. Weighted draws are resampled, so
 * that those of the model weigh the same.
 *
 * @param stream         the handle
 * @param spread         1: each head and noise is drawn from its law, so that the model knows what is not
 *                       known of them; 0: their means, best where the mean is what is wanted
 * @param seed           names the random numbers
 * @param scratch        bytes as lcc_stream_model_size_f32 says, aligned to 16
 * @param scratch_bytes  the bytes at scratch
 * @param model          out: bytes as lcc_stream_model_size_f32 says, of any alignment
 * @param bytes          the bytes at model
 * @param written        out: the model's own length
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_SWITCH, LCC_ERROR_MEMORY_SIZE,
 *         LCC_ERROR_MEMORY_ALIGN
 */
int32_t lcc_stream_write_model_f32(const lcc_stream_f32 *stream,
                                   uint32_t spread,
                                   uint64_t seed,
                                   uint8_t *scratch,
                                   size_t scratch_bytes,
                                   uint8_t *model,
                                   size_t bytes,
                                   size_t *written);

/**
 * The bytes of a checkpoint.
 *
 * @param stream  the handle
 * @param bytes   out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE
 */
int32_t lcc_stream_checkpoint_size_f32(const lcc_stream_f32 *stream, size_t *bytes);

/**
 * Seals a copy of a learner, to be restored on any machine of the same byte order. Going on from it gives
 * the bits that running on would have given.
 *
 * @param stream      the handle
 * @param checkpoint  out: lcc_stream_checkpoint_size_f32 bytes, of any alignment
 * @param bytes       the bytes at checkpoint
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_MEMORY_SIZE
 */
int32_t lcc_stream_checkpoint_f32(const lcc_stream_f32 *stream,
                                  uint8_t *checkpoint,
                                  size_t bytes);

/**
 * Builds a learner from a checkpoint, in as much memory as the one that was sealed.
 *
 * @param memory            aligned to 16
 * @param bytes             the bytes at memory
 * @param checkpoint        what lcc_stream_checkpoint_f32 wrote
 * @param checkpoint_bytes  its bytes
 * @param stream            out: the handle
 * @return LCC_OK, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN, LCC_ERROR_IMAGE_TRUNCATED, _MAGIC,
 *         _NEWER, _CORRUPT, _KIND
 */
int32_t lcc_stream_restore_f32(uint8_t *memory,
                               size_t bytes,
                               const uint8_t *checkpoint,
                               size_t checkpoint_bytes,
                               lcc_stream_f32 **stream);

/**
 * The bytes that a window takes, at an address that is a multiple of 16.
 *
 * @param capacity  rows
 * @param d         columns
 * @param bytes     out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_EMPTY, LCC_ERROR_OVERFLOW
 */
int32_t lcc_window_size_f32(size_t capacity, size_t d, size_t *bytes);

/**
 * Builds an empty window at the start of a block of memory.
 *
 * @param memory    lcc_window_size_f32 bytes, aligned to 16
 * @param bytes     the bytes at memory
 * @param capacity  rows
 * @param d         columns
 * @param window    out: the handle, which is memory itself
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_EMPTY, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN
 */
int32_t lcc_window_init_f32(uint8_t *memory,
                            size_t bytes,
                            size_t capacity,
                            size_t d,
                            lcc_window_f32 **window);

/**
 * Appends a row, or replaces the oldest where the window is full. A row that is refused changes nothing.
 *
 * @param window  the handle
 * @param row     d inputs, one after another
 * @param d       how many
 * @param y       the target
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INPUTS, LCC_ERROR_NOT_FINITE_X or _Y
 */
int32_t lcc_window_push_f32(lcc_window_f32 *window,
                            const float *row,
                            size_t d,
                            float y);

/**
 * The rows that are there, in no particular order, where they lie: valid until the next push.
 *
 * @param window  the handle
 * @param data    out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_EMPTY before the first row
 */
int32_t lcc_window_data_f32(const lcc_window_f32 *window, lcc_data_f32 *data);

/* ================================================================================================
 * Prequential Greedy Bayes
 * ================================================================================================ */

/**
 * The mean of f_i over i = 1, ..., n: the posteriors before each row, as printed in the paper.
 */
#define LCC_AVERAGING_PRINTED 0

/**
 * Over i = 1, ..., n + 1: the posteriors given all rows too.
 */
#define LCC_AVERAGING_INCLUSIVE 1

/**
 * i = n + 1 alone: the posteriors given all rows, which is what foretells the next one.
 */
#define LCC_AVERAGING_LAST 2

/**
 * A learner by prequential Greedy Bayes, in the caller's memory: row by row, each foretold before it is
 * seen.
 *
 * Level k after i - 1 rows: p(w) ~ exp(alpha V sum_{j<i} r_{j,k-1} psi(x_j.w)) p0(w), f_{i,k} = (1 -
 * beta) f_{i,k-1} + beta E[V psi(x.w)], r_{i,k} = y_i - (1 - beta) f_{i,k}(x_i). Particles of every level
 * are weighted by each row, and resampled and moved where the weights leave too few: all n K posteriors
 * for the price of a few K. f_{i,K}(x_i) foretells y_i, in a Student-t law that learns its scale from the
 * errors. The online form of the papers; as a regressor lcc_network predicts better.
 */
typedef struct lcc_prequential_f32 lcc_prequential_f32;

/**
 * A learner by prequential Greedy Bayes, in the caller's memory: row by row, each foretold before it is
 * seen.
 *
 * Level k after i - 1 rows: p(w) ~ exp(alpha V sum_{j<i} r_{j,k-1} psi(x_j.w)) p0(w), f_{i,k} = (1 -
 * beta) f_{i,k-1} + beta E[V psi(x.w)], r_{i,k} = y_i - (1 - beta) f_{i,k}(x_i). Particles of every level
 * are weighted by each row, and resampled and moved where the weights leave too few: all n K posteriors
 * for the price of a few K. f_{i,K}(x_i) foretells y_i, in a Student-t law that learns its scale from the
 * errors. The online form of the papers; as a regressor lcc_network predicts better.
 */
typedef struct lcc_prequential_f64 lcc_prequential_f64;

/**
 * The law of a target given the rows before it: Student-t, in the target's units.
 */
typedef struct {
    /**
     * The location, f(x).
     */
    double location;
    /**
     * The scale.
     */
    double scale;
    /**
     * The degrees of freedom.
     */
    double nu;
    /**
     * The standard deviation.
     */
    double sd;
    /**
     * The lower end of the central interval.
     */
    double lower;
    /**
     * The upper end.
     */
    double upper;
} lcc_forecast_f64;

/**
 * The law of a target given the rows before it: Student-t, in the target's units.
 */
typedef struct {
    /**
     * The location, f(x).
     */
    float location;
    /**
     * The scale.
     */
    float scale;
    /**
     * The degrees of freedom.
     */
    float nu;
    /**
     * The standard deviation.
     */
    float sd;
    /**
     * The lower end of the central interval.
     */
    float lower;
    /**
     * The upper end.
     */
    float upper;
} lcc_forecast_f32;

/**
 * What a learner is asked to do. The defaults are a regressor's, for data that are standardised.
 */
typedef struct {
    /**
     * The bytes of this struct, as the defaults have it.
     */
    uint32_t struct_size;
    /**
     * An LCC_ACTIVATION_ code. Default: tanh.
     */
    int32_t activation;
    /**
     * LCC_PRIOR_GAUSSIAN or LCC_PRIOR_L1_BALL. Default: Gaussian.
     */
    int32_t prior;
    /**
     * LCC_GREEDY_TILT or LCC_GREEDY_QUADRATIC. Default: quadratic.
     */
    int32_t form;
    /**
     * Levels K, 1 to 65535. Default 16.
     */
    uint32_t levels;
    /**
     * Particles of each level, at least 2 and a multiple of lanes. Default 256.
     */
    uint32_t particles;
    /**
     * Transitions of every particle each time that they are resampled, at least 1. Default 2.
     */
    uint32_t moves;
    /**
     * Particles that advance in lock-step: 1 or 8. Changes speed, never a number. Default 8.
     */
    uint32_t lanes;
    /**
     * 1: a neuron may enter with either sign, which is summed out. Default 0.
     */
    uint32_t either_sign;
    /**
     * 1: add a column of ones, so that neurons have a bias. Default 1.
     */
    uint32_t intercept;
    /**
     * Draws in the model, 1 to particles. Default 64.
     */
    uint32_t keep;
    /**
     * 1 does without the CPU's wide instructions. Changes speed, never a number. Default 0.
     */
    uint32_t portable;
    /**
     * Names the random numbers. Default 1.
     */
    uint64_t seed;
    /**
     * The prior's sd, or the radius of the l1 ball: positive. Default 1.
     */
    double scale;
    /**
     * V, positive. Default 3.
     */
    double outer;
    /**
     * alpha, positive. Default .3.
     */
    double alpha;
    /**
     * The share that each level takes of the fit, in (0, 1]. Default .1.
     */
    double beta;
    /**
     * The effective particles, as a share of all, below which they are resampled and moved; in (0, 1).
     * Default .5.
     */
    double ess;
    /**
     * A guess of the sd of the errors, in the neurons' units, worth four rows. Positive. Default 1.
     */
    double noise;
} lcc_prequential_options_f64;

/**
 * The losses of the forecasts so far, each made before its row was seen.
 */
typedef struct {
    /**
     * Rows.
     */
    uint64_t rows;
    /**
     * The sum of (y - f(x))^2, in the target's units.
     */
    double squared;
    /**
     * The sum of minus log densities, in nats: the description length of the targets.
     */
    double log;
} lcc_losses_f64;

/**
 * One level, after the rows so far.
 */
typedef struct {
    /**
     * The log evidence of its posterior, log E_p0 exp(alpha V sum r psi).
     */
    double log_evidence;
    /**
     * The effective particles as a share of all.
     */
    double ess;
    /**
     * The mean acceptance when they last moved; NaN before.
     */
    double acceptance;
    /**
     * f_k at the last row, in the neurons' units.
     */
    double fit;
    /**
     * Times that they were resampled and moved.
     */
    uint64_t resamplings;
} lcc_prequential_level_f64;

/**
 * What a learner is asked to do. The defaults are a regressor's, for data that are standardised.
 */
typedef struct {
    /**
     * The bytes of this struct, as the defaults have it.
     */
    uint32_t struct_size;
    /**
     * An LCC_ACTIVATION_ code. Default: tanh.
     */
    int32_t activation;
    /**
     * LCC_PRIOR_GAUSSIAN or LCC_PRIOR_L1_BALL. Default: Gaussian.
     */
    int32_t prior;
    /**
     * LCC_GREEDY_TILT or LCC_GREEDY_QUADRATIC. Default: quadratic.
     */
    int32_t form;
    /**
     * Levels K, 1 to 65535. Default 16.
     */
    uint32_t levels;
    /**
     * Particles of each level, at least 2 and a multiple of lanes. Default 256.
     */
    uint32_t particles;
    /**
     * Transitions of every particle each time that they are resampled, at least 1. Default 2.
     */
    uint32_t moves;
    /**
     * Particles that advance in lock-step: 1 or 8. Changes speed, never a number. Default 8.
     */
    uint32_t lanes;
    /**
     * 1: a neuron may enter with either sign, which is summed out. Default 0.
     */
    uint32_t either_sign;
    /**
     * 1: add a column of ones, so that neurons have a bias. Default 1.
     */
    uint32_t intercept;
    /**
     * Draws in the model, 1 to particles. Default 64.
     */
    uint32_t keep;
    /**
     * 1 does without the CPU's wide instructions. Changes speed, never a number. Default 0.
     */
    uint32_t portable;
    /**
     * Names the random numbers. Default 1.
     */
    uint64_t seed;
    /**
     * The prior's sd, or the radius of the l1 ball: positive. Default 1.
     */
    float scale;
    /**
     * V, positive. Default 3.
     */
    float outer;
    /**
     * alpha, positive. Default .3.
     */
    float alpha;
    /**
     * The share that each level takes of the fit, in (0, 1]. Default .1.
     */
    float beta;
    /**
     * The effective particles, as a share of all, below which they are resampled and moved; in (0, 1).
     * Default .5.
     */
    float ess;
    /**
     * A guess of the sd of the errors, in the neurons' units, worth four rows. Positive. Default 1.
     */
    float noise;
} lcc_prequential_options_f32;

/**
 * The losses of the forecasts so far, each made before its row was seen.
 */
typedef struct {
    /**
     * Rows.
     */
    uint64_t rows;
    /**
     * The sum of (y - f(x))^2, in the target's units.
     */
    float squared;
    /**
     * The sum of minus log densities, in nats: the description length of the targets.
     */
    float log;
} lcc_losses_f32;

/**
 * One level, after the rows so far.
 */
typedef struct {
    /**
     * The log evidence of its posterior, log E_p0 exp(alpha V sum r psi).
     */
    float log_evidence;
    /**
     * The effective particles as a share of all.
     */
    float ess;
    /**
     * The mean acceptance when they last moved; NaN before.
     */
    float acceptance;
    /**
     * f_k at the last row, in the neurons' units.
     */
    float fit;
    /**
     * Times that they were resampled and moved.
     */
    uint64_t resamplings;
} lcc_prequential_level_f32;

/**
 * How a target fared under a forecast: log density, probability integral transform, continuous ranked
 * probability score.
 *
 * @param forecast  what lcc_prequential_forecast_f64 or lcc_prequential_last_f64 wrote
 * @param y         the target
 * @param score     out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_NOT_FINITE_Y, LCC_ERROR_NOT_FINITE_VALUE where it is no
 *         forecast
 */
int32_t lcc_forecast_score_f64(const lcc_forecast_f64 *forecast,
                               double y,
                               lcc_score_f64 *score);

/**
 * How a target fared under a forecast: log density, probability integral transform, continuous ranked
 * probability score.
 *
 * @param forecast  what lcc_prequential_forecast_f32 or lcc_prequential_last_f32 wrote
 * @param y         the target
 * @param score     out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_NOT_FINITE_Y, LCC_ERROR_NOT_FINITE_VALUE where it is no
 *         forecast
 */
int32_t lcc_forecast_score_f32(const lcc_forecast_f32 *forecast,
                               float y,
                               lcc_score_f32 *score);

/**
 * Writes the defaults.
 *
 * @param options  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_MISALIGNED
 */
int32_t lcc_prequential_options_default_f64(lcc_prequential_options_f64 *options);

/**
 * The bytes that a learner takes, at an address that is a multiple of 16.
 *
 * @param options  what to do
 * @param rows     rows that there is to be room for
 * @param d        columns
 * @param bytes    out
 * @return LCC_OK, LCC_ERROR_EMPTY, LCC_ERROR_OVERFLOW, or what is wrong with an option
 */
int32_t lcc_prequential_size_f64(const lcc_prequential_options_f64 *options,
                                 size_t rows,
                                 size_t d,
                                 size_t *bytes);

/**
 * Builds a learner that has seen no row, at the start of a block of memory.
 *
 * @param memory       lcc_prequential_size_f64 bytes, aligned to 16
 * @param bytes        the bytes at memory
 * @param options      what to do
 * @param rows         rows that there is to be room for
 * @param d            columns
 * @param units        data of d columns, whose means and sds standardise every row; NULL takes rows as
 *                     they are
 * @param prequential  out: the handle, which is memory itself
 * @return LCC_OK, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN, LCC_ERROR_CONSTANT_TARGET,
 *         LCC_ERROR_INPUTS, or what is wrong with an argument
 */
int32_t lcc_prequential_init_f64(uint8_t *memory,
                                 size_t bytes,
                                 const lcc_prequential_options_f64 *options,
                                 size_t rows,
                                 size_t d,
                                 const lcc_data_f64 *units,
                                 lcc_prequential_f64 **prequential);

/**
 * The bytes of the scratch of a row.
 *
 * @param prequential  the handle
 * @param bytes        out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE
 */
int32_t lcc_prequential_scratch_f64(const lcc_prequential_f64 *prequential, size_t *bytes);

/**
 * The law of the target at a row given those before it. K N (2 d + 12) flops and 2 K N activations.
 *
 * @param prequential    the handle
 * @param x              the inputs, in raw units
 * @param d              as many as the learner has
 * @param level          the probability of the interval, e.g. .9
 * @param scratch        lcc_prequential_scratch_f64 bytes, aligned to 16
 * @param scratch_bytes  the bytes at scratch
 * @param forecast       out
 * @return LCC_OK, LCC_ERROR_INPUTS, LCC_ERROR_NOT_FINITE_X, LCC_ERROR_PROBABILITY, LCC_ERROR_NOT_DONE
 *         while a row is being learnt, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN
 */
int32_t lcc_prequential_forecast_f64(const lcc_prequential_f64 *prequential,
                                     const double *x,
                                     size_t d,
                                     double level,
                                     uint8_t *scratch,
                                     size_t scratch_bytes,
                                     lcc_forecast_f64 *forecast);

/**
 * Takes a row; lcc_prequential_step_f64 then does the work. A row that is refused leaves the learner as it
 * was.
 *
 * @param prequential  the handle
 * @param x            the inputs, in raw units
 * @param d            as many as the learner has
 * @param y            the target
 * @return LCC_OK, LCC_ERROR_INPUTS, LCC_ERROR_NOT_FINITE_X, LCC_ERROR_NOT_FINITE_Y, LCC_ERROR_CAPACITY
 *         where there is no room for it, LCC_ERROR_NOT_DONE while the row before is being learnt
 */
int32_t lcc_prequential_observe_f64(lcc_prequential_f64 *prequential,
                                    const double *x,
                                    size_t d,
                                    double y);

/**
 * Works until the budget is used up, or to the end of the row. A unit of work (one transition of a block
 * of particles, the outputs or the resampling of a level's particles) is never split.
 *
 * @param prequential  the handle
 * @param budget       rows of data times particles to visit; any positive budget advances
 * @return LCC_RUNNING, LCC_DONE, LCC_ERROR_HANDLE, LCC_ERROR_IMPROPER, LCC_ERROR_STAGES
 */
int32_t lcc_prequential_step_f64(lcc_prequential_f64 *prequential,
                                 uint64_t budget);

/**
 * The law that foretold the last row.
 *
 * @param prequential  the handle
 * @param level        the probability of the interval
 * @param forecast     out
 * @return LCC_OK, LCC_ERROR_PROBABILITY, LCC_ERROR_NOT_DONE before the first row
 */
int32_t lcc_prequential_last_f64(const lcc_prequential_f64 *prequential,
                                 double level,
                                 lcc_forecast_f64 *forecast);

/**
 * The losses so far.
 *
 * @param prequential  the handle
 * @param losses       out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE
 */
int32_t lcc_prequential_losses_f64(const lcc_prequential_f64 *prequential, lcc_losses_f64 *losses);

/**
 * Where a learner is: rows done with, of those that there is room for; gradients counts row visits, and
 * warming is 1 while a row is being learnt.
 *
 * @param prequential  the handle
 * @param progress     out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE
 */
int32_t lcc_prequential_progress_f64(const lcc_prequential_f64 *prequential,
                                     lcc_progress *progress);

/**
 * A level, after the rows so far. Reads the weights of its particles.
 *
 * @param prequential  the handle
 * @param index        of the level, from 0
 * @param level        out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX
 */
int32_t lcc_prequential_report_f64(const lcc_prequential_f64 *prequential,
                                   size_t index,
                                   lcc_prequential_level_f64 *level);

/**
 * E[V s psi(x.w)] under the posterior of a level given the rows so far, in the neurons' units.
 *
 * @param prequential    the handle
 * @param index          of the level, from 0
 * @param x              the inputs, in raw units
 * @param d              as many as the learner has
 * @param scratch        lcc_prequential_scratch_f64 bytes, aligned to 16
 * @param scratch_bytes  the bytes at scratch
 * @param mean           out
 * @return LCC_OK, LCC_ERROR_INDEX, LCC_ERROR_INPUTS, LCC_ERROR_NOT_FINITE_X, LCC_ERROR_NOT_DONE,
 *         LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN
 */
int32_t lcc_prequential_expectation_f64(const lcc_prequential_f64 *prequential,
                                        size_t index,
                                        const double *x,
                                        size_t d,
                                        uint8_t *scratch,
                                        size_t scratch_bytes,
                                        double *mean);

/**
 * The bytes of the model, keep draws of K (d + 2) + d + 3 values and a head, and those of the scratch in
 * which it is written.
 *
 * @param prequential   the handle
 * @param model        out: bytes of the model
 * @param scratch      out: bytes of scratch
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_OVERFLOW
 */
int32_t lcc_prequential_model_size_f64(const lcc_prequential_f64 *prequential,
                                       size_t *model,
                                       size_t *scratch);

/**
 * Writes the model: an image that every lcc_model_ function reads. A draw holds one particle of every level
 * at one time i; the mean over the draws is the mean of f_i over the times asked for.
 *
 * @param prequential         the handle
 * @param averaging      an LCC_AVERAGING_ code
 * @param scratch        bytes as lcc_prequential_model_size_f64 says, aligned to 16
 * @param scratch_bytes  the bytes at scratch
 * @param model          out: bytes as lcc_prequential_model_size_f64 says, of any alignment
 * @param bytes          the bytes at model
 * @param written        out: the model's own length
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_AVERAGING, LCC_ERROR_NOT_DONE,
 *         LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN
 */
int32_t lcc_prequential_write_model_f64(const lcc_prequential_f64 *prequential,
                                        int32_t averaging,
                                        uint8_t *scratch,
                                        size_t scratch_bytes,
                                        uint8_t *model,
                                        size_t bytes,
                                        size_t *written);

/**
 * The bytes of a checkpoint.
 *
 * @param prequential  the handle
 * @param bytes        out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE
 */
int32_t lcc_prequential_checkpoint_size_f64(const lcc_prequential_f64 *prequential, size_t *bytes);

/**
 * Seals a copy of a learner, to be restored on any machine of the same byte order. Going on from it gives
 * the bits that running on would have given.
 *
 * @param prequential      the handle
 * @param checkpoint   out: lcc_prequential_checkpoint_size_f64 bytes, of any alignment
 * @param bytes        the bytes at checkpoint
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_MEMORY_SIZE
 */
int32_t lcc_prequential_checkpoint_f64(const lcc_prequential_f64 *prequential,
                                       uint8_t *checkpoint,
                                       size_t bytes);

/**
 * Builds a learner from a checkpoint, in as much memory as the one that was sealed.
 *
 * @param memory            aligned to 16
 * @param bytes             the bytes at memory
 * @param checkpoint        what lcc_prequential_checkpoint_f64 wrote
 * @param checkpoint_bytes  its bytes
 * @param prequential            out: the handle
 * @return LCC_OK, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN, LCC_ERROR_IMAGE_TRUNCATED, _MAGIC,
 *         _NEWER, _CORRUPT, _KIND
 */
int32_t lcc_prequential_restore_f64(uint8_t *memory,
                                    size_t bytes,
                                    const uint8_t *checkpoint,
                                    size_t checkpoint_bytes,
                                    lcc_prequential_f64 **prequential);

/**
 * Writes the defaults.
 *
 * @param options  out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_MISALIGNED
 */
int32_t lcc_prequential_options_default_f32(lcc_prequential_options_f32 *options);

/**
 * The bytes that a learner takes, at an address that is a multiple of 16.
 *
 * @param options  what to do
 * @param rows     rows that there is to be room for
 * @param d        columns
 * @param bytes    out
 * @return LCC_OK, LCC_ERROR_EMPTY, LCC_ERROR_OVERFLOW, or what is wrong with an option
 */
int32_t lcc_prequential_size_f32(const lcc_prequential_options_f32 *options,
                                 size_t rows,
                                 size_t d,
                                 size_t *bytes);

/**
 * Builds a learner that has seen no row, at the start of a block of memory.
 *
 * @param memory       lcc_prequential_size_f32 bytes, aligned to 16
 * @param bytes        the bytes at memory
 * @param options      what to do
 * @param rows         rows that there is to be room for
 * @param d            columns
 * @param units        data of d columns, whose means and sds standardise every row; NULL takes rows as
 *                     they are
 * @param prequential  out: the handle, which is memory itself
 * @return LCC_OK, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN, LCC_ERROR_CONSTANT_TARGET,
 *         LCC_ERROR_INPUTS, or what is wrong with an argument
 */
int32_t lcc_prequential_init_f32(uint8_t *memory,
                                 size_t bytes,
                                 const lcc_prequential_options_f32 *options,
                                 size_t rows,
                                 size_t d,
                                 const lcc_data_f32 *units,
                                 lcc_prequential_f32 **prequential);

/**
 * The bytes of the scratch of a row.
 *
 * @param prequential  the handle
 * @param bytes        out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE
 */
int32_t lcc_prequential_scratch_f32(const lcc_prequential_f32 *prequential, size_t *bytes);

/**
 * The law of the target at a row given those before it. K N (2 d + 12) flops and 2 K N activations.
 *
 * @param prequential    the handle
 * @param x              the inputs, in raw units
 * @param d              as many as the learner has
 * @param level          the probability of the interval, e.g. .9
 * @param scratch        lcc_prequential_scratch_f32 bytes, aligned to 16
 * @param scratch_bytes  the bytes at scratch
 * @param forecast       out
 * @return LCC_OK, LCC_ERROR_INPUTS, LCC_ERROR_NOT_FINITE_X, LCC_ERROR_PROBABILITY, LCC_ERROR_NOT_DONE
 *         while a row is being learnt, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN
 */
int32_t lcc_prequential_forecast_f32(const lcc_prequential_f32 *prequential,
                                     const float *x,
                                     size_t d,
                                     float level,
                                     uint8_t *scratch,
                                     size_t scratch_bytes,
                                     lcc_forecast_f32 *forecast);

/**
 * Takes a row; lcc_prequential_step_f32 then does the work. A row that is refused leaves the learner as it
 * was.
 *
 * @param prequential  the handle
 * @param x            the inputs, in raw units
 * @param d            as many as the learner has
 * @param y            the target
 * @return LCC_OK, LCC_ERROR_INPUTS, LCC_ERROR_NOT_FINITE_X, LCC_ERROR_NOT_FINITE_Y, LCC_ERROR_CAPACITY
 *         where there is no room for it, LCC_ERROR_NOT_DONE while the row before is being learnt
 */
int32_t lcc_prequential_observe_f32(lcc_prequential_f32 *prequential,
                                    const float *x,
                                    size_t d,
                                    float y);

/**
 * Works until the budget is used up, or to the end of the row. A unit of work (one transition of a block
 * of particles, the outputs or the resampling of a level's particles) is never split.
 *
 * @param prequential  the handle
 * @param budget       rows of data times particles to visit; any positive budget advances
 * @return LCC_RUNNING, LCC_DONE, LCC_ERROR_HANDLE, LCC_ERROR_IMPROPER, LCC_ERROR_STAGES
 */
int32_t lcc_prequential_step_f32(lcc_prequential_f32 *prequential,
                                 uint64_t budget);

/**
 * The law that foretold the last row.
 *
 * @param prequential  the handle
 * @param level        the probability of the interval
 * @param forecast     out
 * @return LCC_OK, LCC_ERROR_PROBABILITY, LCC_ERROR_NOT_DONE before the first row
 */
int32_t lcc_prequential_last_f32(const lcc_prequential_f32 *prequential,
                                 float level,
                                 lcc_forecast_f32 *forecast);

/**
 * The losses so far.
 *
 * @param prequential  the handle
 * @param losses       out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE
 */
int32_t lcc_prequential_losses_f32(const lcc_prequential_f32 *prequential, lcc_losses_f32 *losses);

/**
 * Where a learner is: rows done with, of those that there is room for; gradients counts row visits, and
 * warming is 1 while a row is being learnt.
 *
 * @param prequential  the handle
 * @param progress     out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE
 */
int32_t lcc_prequential_progress_f32(const lcc_prequential_f32 *prequential,
                                     lcc_progress *progress);

/**
 * A level, after the rows so far. Reads the weights of its particles.
 *
 * @param prequential  the handle
 * @param index        of the level, from 0
 * @param level        out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX
 */
int32_t lcc_prequential_report_f32(const lcc_prequential_f32 *prequential,
                                   size_t index,
                                   lcc_prequential_level_f32 *level);

/**
 * E[V s psi(x.w)] under the posterior of a level given the rows so far, in the neurons' units.
 *
 * @param prequential    the handle
 * @param index          of the level, from 0
 * @param x              the inputs, in raw units
 * @param d              as many as the learner has
 * @param scratch        lcc_prequential_scratch_f32 bytes, aligned to 16
 * @param scratch_bytes  the bytes at scratch
 * @param mean           out
 * @return LCC_OK, LCC_ERROR_INDEX, LCC_ERROR_INPUTS, LCC_ERROR_NOT_FINITE_X, LCC_ERROR_NOT_DONE,
 *         LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN
 */
int32_t lcc_prequential_expectation_f32(const lcc_prequential_f32 *prequential,
                                        size_t index,
                                        const float *x,
                                        size_t d,
                                        uint8_t *scratch,
                                        size_t scratch_bytes,
                                        float *mean);

/**
 * The bytes of the model, keep draws of K (d + 2) + d + 3 values and a head, and those of the scratch in
 * which it is written.
 *
 * @param prequential   the handle
 * @param model        out: bytes of the model
 * @param scratch      out: bytes of scratch
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_OVERFLOW
 */
int32_t lcc_prequential_model_size_f32(const lcc_prequential_f32 *prequential,
                                       size_t *model,
                                       size_t *scratch);

/**
 * Writes the model: an image that every lcc_model_ function reads. A draw holds one particle of every level
 * at one time i; the mean over the draws is the mean of f_i over the times asked for.
 *
 * @param prequential         the handle
 * @param averaging      an LCC_AVERAGING_ code
 * @param scratch        bytes as lcc_prequential_model_size_f32 says, aligned to 16
 * @param scratch_bytes  the bytes at scratch
 * @param model          out: bytes as lcc_prequential_model_size_f32 says, of any alignment
 * @param bytes          the bytes at model
 * @param written        out: the model's own length
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_AVERAGING, LCC_ERROR_NOT_DONE,
 *         LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN
 */
int32_t lcc_prequential_write_model_f32(const lcc_prequential_f32 *prequential,
                                        int32_t averaging,
                                        uint8_t *scratch,
                                        size_t scratch_bytes,
                                        uint8_t *model,
                                        size_t bytes,
                                        size_t *written);

/**
 * The bytes of a checkpoint.
 *
 * @param prequential  the handle
 * @param bytes        out
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE
 */
int32_t lcc_prequential_checkpoint_size_f32(const lcc_prequential_f32 *prequential, size_t *bytes);

/**
 * Seals a copy of a learner, to be restored on any machine of the same byte order. Going on from it gives
 * the bits that running on would have given.
 *
 * @param prequential      the handle
 * @param checkpoint   out: lcc_prequential_checkpoint_size_f32 bytes, of any alignment
 * @param bytes        the bytes at checkpoint
 * @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_MEMORY_SIZE
 */
int32_t lcc_prequential_checkpoint_f32(const lcc_prequential_f32 *prequential,
                                       uint8_t *checkpoint,
                                       size_t bytes);

/**
 * Builds a learner from a checkpoint, in as much memory as the one that was sealed.
 *
 * @param memory            aligned to 16
 * @param bytes             the bytes at memory
 * @param checkpoint        what lcc_prequential_checkpoint_f32 wrote
 * @param checkpoint_bytes  its bytes
 * @param prequential            out: the handle
 * @return LCC_OK, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN, LCC_ERROR_IMAGE_TRUNCATED, _MAGIC,
 *         _NEWER, _CORRUPT, _KIND
 */
int32_t lcc_prequential_restore_f32(uint8_t *memory,
                                    size_t bytes,
                                    const uint8_t *checkpoint,
                                    size_t checkpoint_bytes,
                                    lcc_prequential_f32 **prequential);

#ifdef __cplusplus
}
#endif

/* The layout that the library was built with, where pointers have 64 bits. */
#if defined(__cplusplus)
#define LCC_ASSERT_(what) static_assert(what, #what)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define LCC_ASSERT_(what) _Static_assert(what, #what)
#endif
#if defined(LCC_ASSERT_) && UINTPTR_MAX == 0xffffffffffffffff
LCC_ASSERT_(sizeof(lcc_progress) == 40);
LCC_ASSERT_(offsetof(lcc_progress, done) == 0);
LCC_ASSERT_(offsetof(lcc_progress, total) == 8);
LCC_ASSERT_(offsetof(lcc_progress, draws) == 16);
LCC_ASSERT_(offsetof(lcc_progress, gradients) == 24);
LCC_ASSERT_(offsetof(lcc_progress, warming) == 32);
LCC_ASSERT_(offsetof(lcc_progress, reserved) == 36);
LCC_ASSERT_(sizeof(lcc_probe_options) == 40);
LCC_ASSERT_(offsetof(lcc_probe_options, struct_size) == 0);
LCC_ASSERT_(offsetof(lcc_probe_options, coupling) == 4);
LCC_ASSERT_(offsetof(lcc_probe_options, reduced) == 8);
LCC_ASSERT_(offsetof(lcc_probe_options, lemma3) == 12);
LCC_ASSERT_(offsetof(lcc_probe_options, warmup) == 16);
LCC_ASSERT_(offsetof(lcc_probe_options, draws) == 20);
LCC_ASSERT_(offsetof(lcc_probe_options, leapfrogs) == 24);
LCC_ASSERT_(offsetof(lcc_probe_options, portable) == 28);
LCC_ASSERT_(offsetof(lcc_probe_options, seed) == 32);
LCC_ASSERT_(sizeof(lcc_model_info) == 32);
LCC_ASSERT_(offsetof(lcc_model_info, bytes) == 0);
LCC_ASSERT_(offsetof(lcc_model_info, inputs) == 8);
LCC_ASSERT_(offsetof(lcc_model_info, neurons) == 12);
LCC_ASSERT_(offsetof(lcc_model_info, draws) == 16);
LCC_ASSERT_(offsetof(lcc_model_info, precision) == 20);
LCC_ASSERT_(offsetof(lcc_model_info, activation) == 24);
LCC_ASSERT_(offsetof(lcc_model_info, reserved) == 28);
LCC_ASSERT_(sizeof(lcc_stream_info) == 24);
LCC_ASSERT_(offsetof(lcc_stream_info, rows) == 0);
LCC_ASSERT_(offsetof(lcc_stream_info, inputs) == 8);
LCC_ASSERT_(offsetof(lcc_stream_info, neurons) == 12);
LCC_ASSERT_(offsetof(lcc_stream_info, draws) == 16);
LCC_ASSERT_(offsetof(lcc_stream_info, weighted) == 20);
LCC_ASSERT_(sizeof(lcc_data_f64) == 48);
LCC_ASSERT_(offsetof(lcc_data_f64, x) == 0);
LCC_ASSERT_(offsetof(lcc_data_f64, y) == 8);
LCC_ASSERT_(offsetof(lcc_data_f64, n) == 16);
LCC_ASSERT_(offsetof(lcc_data_f64, d) == 24);
LCC_ASSERT_(offsetof(lcc_data_f64, row_stride) == 32);
LCC_ASSERT_(offsetof(lcc_data_f64, column_stride) == 40);
LCC_ASSERT_(sizeof(lcc_problem_f64) == 88);
LCC_ASSERT_(offsetof(lcc_problem_f64, struct_size) == 0);
LCC_ASSERT_(offsetof(lcc_problem_f64, posterior) == 4);
LCC_ASSERT_(offsetof(lcc_problem_f64, activation) == 8);
LCC_ASSERT_(offsetof(lcc_problem_f64, prior) == 12);
LCC_ASSERT_(offsetof(lcc_problem_f64, signs) == 16);
LCC_ASSERT_(offsetof(lcc_problem_f64, neurons) == 20);
LCC_ASSERT_(offsetof(lcc_problem_f64, scale) == 24);
LCC_ASSERT_(offsetof(lcc_problem_f64, alpha) == 32);
LCC_ASSERT_(offsetof(lcc_problem_f64, outer) == 40);
LCC_ASSERT_(offsetof(lcc_problem_f64, beta) == 48);
LCC_ASSERT_(offsetof(lcc_problem_f64, density) == 56);
LCC_ASSERT_(offsetof(lcc_problem_f64, context) == 64);
LCC_ASSERT_(offsetof(lcc_problem_f64, dim) == 72);
LCC_ASSERT_(offsetof(lcc_problem_f64, gradient) == 80);
LCC_ASSERT_(offsetof(lcc_problem_f64, reserved) == 84);
LCC_ASSERT_(sizeof(lcc_draws_f64) == 40);
LCC_ASSERT_(offsetof(lcc_draws_f64, data) == 0);
LCC_ASSERT_(offsetof(lcc_draws_f64, chains) == 8);
LCC_ASSERT_(offsetof(lcc_draws_f64, draws) == 16);
LCC_ASSERT_(offsetof(lcc_draws_f64, chain_stride) == 24);
LCC_ASSERT_(offsetof(lcc_draws_f64, draw_stride) == 32);
LCC_ASSERT_(sizeof(lcc_summary_f64) == 80);
LCC_ASSERT_(offsetof(lcc_summary_f64, mean) == 0);
LCC_ASSERT_(offsetof(lcc_summary_f64, sd) == 8);
LCC_ASSERT_(offsetof(lcc_summary_f64, q5) == 16);
LCC_ASSERT_(offsetof(lcc_summary_f64, median) == 24);
LCC_ASSERT_(offsetof(lcc_summary_f64, q95) == 32);
LCC_ASSERT_(offsetof(lcc_summary_f64, mcse_mean) == 40);
LCC_ASSERT_(offsetof(lcc_summary_f64, mcse_sd) == 48);
LCC_ASSERT_(offsetof(lcc_summary_f64, ess_bulk) == 56);
LCC_ASSERT_(offsetof(lcc_summary_f64, ess_tail) == 64);
LCC_ASSERT_(offsetof(lcc_summary_f64, rhat) == 72);
LCC_ASSERT_(sizeof(lcc_sampler_options_f64) == 128);
LCC_ASSERT_(offsetof(lcc_sampler_options_f64, struct_size) == 0);
LCC_ASSERT_(offsetof(lcc_sampler_options_f64, method) == 4);
LCC_ASSERT_(offsetof(lcc_sampler_options_f64, coupling) == 8);
LCC_ASSERT_(offsetof(lcc_sampler_options_f64, reduced) == 12);
LCC_ASSERT_(offsetof(lcc_sampler_options_f64, reference) == 16);
LCC_ASSERT_(offsetof(lcc_sampler_options_f64, antithetic) == 20);
LCC_ASSERT_(offsetof(lcc_sampler_options_f64, chains) == 24);
LCC_ASSERT_(offsetof(lcc_sampler_options_f64, lanes) == 28);
LCC_ASSERT_(offsetof(lcc_sampler_options_f64, warmup) == 32);
LCC_ASSERT_(offsetof(lcc_sampler_options_f64, draws) == 36);
LCC_ASSERT_(offsetof(lcc_sampler_options_f64, stored) == 40);
LCC_ASSERT_(offsetof(lcc_sampler_options_f64, leapfrogs) == 44);
LCC_ASSERT_(offsetof(lcc_sampler_options_f64, inner) == 48);
LCC_ASSERT_(offsetof(lcc_sampler_options_f64, fresh) == 52);
LCC_ASSERT_(offsetof(lcc_sampler_options_f64, burn_in) == 56);
LCC_ASSERT_(offsetof(lcc_sampler_options_f64, levels) == 60);
LCC_ASSERT_(offsetof(lcc_sampler_options_f64, portable) == 64);
LCC_ASSERT_(offsetof(lcc_sampler_options_f64, inner_method) == 68);
LCC_ASSERT_(offsetof(lcc_sampler_options_f64, first_chain) == 72);
LCC_ASSERT_(offsetof(lcc_sampler_options_f64, reserved) == 76);
LCC_ASSERT_(offsetof(lcc_sampler_options_f64, seed) == 80);
LCC_ASSERT_(offsetof(lcc_sampler_options_f64, target_accept) == 88);
LCC_ASSERT_(offsetof(lcc_sampler_options_f64, total_time) == 96);
LCC_ASSERT_(offsetof(lcc_sampler_options_f64, jitter) == 104);
LCC_ASSERT_(offsetof(lcc_sampler_options_f64, langevin_step) == 112);
LCC_ASSERT_(offsetof(lcc_sampler_options_f64, diffusion_time) == 120);
LCC_ASSERT_(sizeof(lcc_smc_options_f64) == 88);
LCC_ASSERT_(offsetof(lcc_smc_options_f64, struct_size) == 0);
LCC_ASSERT_(offsetof(lcc_smc_options_f64, ladder) == 4);
LCC_ASSERT_(offsetof(lcc_smc_options_f64, particles) == 8);
LCC_ASSERT_(offsetof(lcc_smc_options_f64, lanes) == 12);
LCC_ASSERT_(offsetof(lcc_smc_options_f64, stages) == 16);
LCC_ASSERT_(offsetof(lcc_smc_options_f64, moves) == 20);
LCC_ASSERT_(offsetof(lcc_smc_options_f64, leapfrogs) == 24);
LCC_ASSERT_(offsetof(lcc_smc_options_f64, adapt) == 28);
LCC_ASSERT_(offsetof(lcc_smc_options_f64, portable) == 32);
LCC_ASSERT_(offsetof(lcc_smc_options_f64, reference) == 36);
LCC_ASSERT_(offsetof(lcc_smc_options_f64, seed) == 40);
LCC_ASSERT_(offsetof(lcc_smc_options_f64, share) == 48);
LCC_ASSERT_(offsetof(lcc_smc_options_f64, first) == 56);
LCC_ASSERT_(offsetof(lcc_smc_options_f64, target_accept) == 64);
LCC_ASSERT_(offsetof(lcc_smc_options_f64, total_time) == 72);
LCC_ASSERT_(offsetof(lcc_smc_options_f64, jitter) == 80);
LCC_ASSERT_(sizeof(lcc_climb_f64) == 24);
LCC_ASSERT_(offsetof(lcc_climb_f64, gradients) == 0);
LCC_ASSERT_(offsetof(lcc_climb_f64, stages) == 8);
LCC_ASSERT_(offsetof(lcc_climb_f64, done) == 12);
LCC_ASSERT_(offsetof(lcc_climb_f64, temperature) == 16);
LCC_ASSERT_(sizeof(lcc_evidence_f64) == 24);
LCC_ASSERT_(offsetof(lcc_evidence_f64, families) == 0);
LCC_ASSERT_(offsetof(lcc_evidence_f64, log) == 8);
LCC_ASSERT_(offsetof(lcc_evidence_f64, standard_error) == 16);
LCC_ASSERT_(sizeof(lcc_stage_f64) == 32);
LCC_ASSERT_(offsetof(lcc_stage_f64, temperature) == 0);
LCC_ASSERT_(offsetof(lcc_stage_f64, ess) == 8);
LCC_ASSERT_(offsetof(lcc_stage_f64, acceptance) == 16);
LCC_ASSERT_(offsetof(lcc_stage_f64, step) == 24);
LCC_ASSERT_(sizeof(lcc_average_f64) == 24);
LCC_ASSERT_(offsetof(lcc_average_f64, mean) == 0);
LCC_ASSERT_(offsetof(lcc_average_f64, variance) == 8);
LCC_ASSERT_(offsetof(lcc_average_f64, standard_error) == 16);
LCC_ASSERT_(sizeof(lcc_tempering_options_f64) == 72);
LCC_ASSERT_(offsetof(lcc_tempering_options_f64, struct_size) == 0);
LCC_ASSERT_(offsetof(lcc_tempering_options_f64, chains) == 4);
LCC_ASSERT_(offsetof(lcc_tempering_options_f64, lanes) == 8);
LCC_ASSERT_(offsetof(lcc_tempering_options_f64, temperatures) == 12);
LCC_ASSERT_(offsetof(lcc_tempering_options_f64, moves) == 16);
LCC_ASSERT_(offsetof(lcc_tempering_options_f64, warmup) == 20);
LCC_ASSERT_(offsetof(lcc_tempering_options_f64, draws) == 24);
LCC_ASSERT_(offsetof(lcc_tempering_options_f64, stored) == 28);
LCC_ASSERT_(offsetof(lcc_tempering_options_f64, leapfrogs) == 32);
LCC_ASSERT_(offsetof(lcc_tempering_options_f64, portable) == 36);
LCC_ASSERT_(offsetof(lcc_tempering_options_f64, seed) == 40);
LCC_ASSERT_(offsetof(lcc_tempering_options_f64, target_accept) == 48);
LCC_ASSERT_(offsetof(lcc_tempering_options_f64, total_time) == 56);
LCC_ASSERT_(offsetof(lcc_tempering_options_f64, jitter) == 64);
LCC_ASSERT_(sizeof(lcc_rung_f64) == 32);
LCC_ASSERT_(offsetof(lcc_rung_f64, temperature) == 0);
LCC_ASSERT_(offsetof(lcc_rung_f64, acceptance) == 8);
LCC_ASSERT_(offsetof(lcc_rung_f64, swap) == 16);
LCC_ASSERT_(offsetof(lcc_rung_f64, step) == 24);
LCC_ASSERT_(sizeof(lcc_auto_options_f64) == 40);
LCC_ASSERT_(offsetof(lcc_auto_options_f64, struct_size) == 0);
LCC_ASSERT_(offsetof(lcc_auto_options_f64, chains) == 4);
LCC_ASSERT_(offsetof(lcc_auto_options_f64, lanes) == 8);
LCC_ASSERT_(offsetof(lcc_auto_options_f64, pilot) == 12);
LCC_ASSERT_(offsetof(lcc_auto_options_f64, warmup) == 16);
LCC_ASSERT_(offsetof(lcc_auto_options_f64, draws) == 20);
LCC_ASSERT_(offsetof(lcc_auto_options_f64, portable) == 24);
LCC_ASSERT_(offsetof(lcc_auto_options_f64, reserved) == 28);
LCC_ASSERT_(offsetof(lcc_auto_options_f64, seed) == 32);
LCC_ASSERT_(sizeof(lcc_choice_f64) == 80);
LCC_ASSERT_(offsetof(lcc_choice_f64, choice) == 0);
LCC_ASSERT_(offsetof(lcc_choice_f64, verdict) == 4);
LCC_ASSERT_(offsetof(lcc_choice_f64, stages) == 8);
LCC_ASSERT_(offsetof(lcc_choice_f64, strays) == 12);
LCC_ASSERT_(offsetof(lcc_choice_f64, particles) == 16);
LCC_ASSERT_(offsetof(lcc_choice_f64, reserved) == 20);
LCC_ASSERT_(offsetof(lcc_choice_f64, families) == 24);
LCC_ASSERT_(offsetof(lcc_choice_f64, overlap) == 32);
LCC_ASSERT_(offsetof(lcc_choice_f64, rhat) == 40);
LCC_ASSERT_(offsetof(lcc_choice_f64, spread) == 48);
LCC_ASSERT_(offsetof(lcc_choice_f64, disagreement) == 56);
LCC_ASSERT_(offsetof(lcc_choice_f64, log_evidence) == 64);
LCC_ASSERT_(offsetof(lcc_choice_f64, log_evidence_error) == 72);
LCC_ASSERT_(sizeof(lcc_certificate_f64) == 32);
LCC_ASSERT_(offsetof(lcc_certificate_f64, kind) == 0);
LCC_ASSERT_(offsetof(lcc_certificate_f64, status) == 4);
LCC_ASSERT_(offsetof(lcc_certificate_f64, value) == 8);
LCC_ASSERT_(offsetof(lcc_certificate_f64, threshold) == 16);
LCC_ASSERT_(offsetof(lcc_certificate_f64, error) == 24);
LCC_ASSERT_(sizeof(lcc_certificates_f64) == 560);
LCC_ASSERT_(offsetof(lcc_certificates_f64, struct_size) == 0);
LCC_ASSERT_(offsetof(lcc_certificates_f64, count) == 4);
LCC_ASSERT_(offsetof(lcc_certificates_f64, conclusion) == 8);
LCC_ASSERT_(offsetof(lcc_certificates_f64, probes) == 12);
LCC_ASSERT_(offsetof(lcc_certificates_f64, prior) == 16);
LCC_ASSERT_(offsetof(lcc_certificates_f64, coupling) == 20);
LCC_ASSERT_(offsetof(lcc_certificates_f64, scale) == 24);
LCC_ASSERT_(offsetof(lcc_certificates_f64, selection) == 32);
LCC_ASSERT_(offsetof(lcc_certificates_f64, fingerprint) == 40);
LCC_ASSERT_(offsetof(lcc_certificates_f64, entries) == 48);
LCC_ASSERT_(sizeof(lcc_network_options_f64) == 176);
LCC_ASSERT_(offsetof(lcc_network_options_f64, struct_size) == 0);
LCC_ASSERT_(offsetof(lcc_network_options_f64, neurons) == 4);
LCC_ASSERT_(offsetof(lcc_network_options_f64, chains) == 8);
LCC_ASSERT_(offsetof(lcc_network_options_f64, lanes) == 12);
LCC_ASSERT_(offsetof(lcc_network_options_f64, warmup) == 16);
LCC_ASSERT_(offsetof(lcc_network_options_f64, draws) == 20);
LCC_ASSERT_(offsetof(lcc_network_options_f64, keep) == 24);
LCC_ASSERT_(offsetof(lcc_network_options_f64, activation) == 28);
LCC_ASSERT_(offsetof(lcc_network_options_f64, gaussian) == 32);
LCC_ASSERT_(offsetof(lcc_network_options_f64, standardise) == 36);
LCC_ASSERT_(offsetof(lcc_network_options_f64, starts) == 40);
LCC_ASSERT_(offsetof(lcc_network_options_f64, start_steps) == 44);
LCC_ASSERT_(offsetof(lcc_network_options_f64, drop) == 48);
LCC_ASSERT_(offsetof(lcc_network_options_f64, leapfrogs) == 52);
LCC_ASSERT_(offsetof(lcc_network_options_f64, early_leapfrogs) == 56);
LCC_ASSERT_(offsetof(lcc_network_options_f64, mass) == 60);
LCC_ASSERT_(offsetof(lcc_network_options_f64, mass_updates) == 64);
LCC_ASSERT_(offsetof(lcc_network_options_f64, trace_rows) == 68);
LCC_ASSERT_(offsetof(lcc_network_options_f64, portable) == 72);
LCC_ASSERT_(offsetof(lcc_network_options_f64, first_chain) == 76);
LCC_ASSERT_(offsetof(lcc_network_options_f64, seed) == 80);
LCC_ASSERT_(offsetof(lcc_network_options_f64, drop_below) == 88);
LCC_ASSERT_(offsetof(lcc_network_options_f64, target_accept) == 96);
LCC_ASSERT_(offsetof(lcc_network_options_f64, jitter) == 104);
LCC_ASSERT_(offsetof(lcc_network_options_f64, first_step) == 112);
LCC_ASSERT_(offsetof(lcc_network_options_f64, largest_step) == 120);
LCC_ASSERT_(offsetof(lcc_network_options_f64, input_scale) == 128);
LCC_ASSERT_(offsetof(lcc_network_options_f64, outer_scale) == 136);
LCC_ASSERT_(offsetof(lcc_network_options_f64, linear_scale) == 144);
LCC_ASSERT_(offsetof(lcc_network_options_f64, intercept_sd) == 152);
LCC_ASSERT_(offsetof(lcc_network_options_f64, noise_shape) == 160);
LCC_ASSERT_(offsetof(lcc_network_options_f64, noise_rate) == 168);
LCC_ASSERT_(sizeof(lcc_network_diagnosis_f64) == 64);
LCC_ASSERT_(offsetof(lcc_network_diagnosis_f64, rhat_max) == 0);
LCC_ASSERT_(offsetof(lcc_network_diagnosis_f64, ess_bulk_min) == 8);
LCC_ASSERT_(offsetof(lcc_network_diagnosis_f64, ess_tail_min) == 16);
LCC_ASSERT_(offsetof(lcc_network_diagnosis_f64, acceptance) == 24);
LCC_ASSERT_(offsetof(lcc_network_diagnosis_f64, e_bfmi_min) == 32);
LCC_ASSERT_(offsetof(lcc_network_diagnosis_f64, divergences) == 40);
LCC_ASSERT_(offsetof(lcc_network_diagnosis_f64, gradients) == 48);
LCC_ASSERT_(offsetof(lcc_network_diagnosis_f64, chains_used) == 56);
LCC_ASSERT_(offsetof(lcc_network_diagnosis_f64, chains_dropped) == 60);
LCC_ASSERT_(sizeof(lcc_network_chain_f64) == 40);
LCC_ASSERT_(offsetof(lcc_network_chain_f64, log_likelihood) == 0);
LCC_ASSERT_(offsetof(lcc_network_chain_f64, acceptance) == 8);
LCC_ASSERT_(offsetof(lcc_network_chain_f64, e_bfmi) == 16);
LCC_ASSERT_(offsetof(lcc_network_chain_f64, divergences) == 24);
LCC_ASSERT_(offsetof(lcc_network_chain_f64, dropped) == 32);
LCC_ASSERT_(offsetof(lcc_network_chain_f64, reserved) == 36);
LCC_ASSERT_(sizeof(lcc_greedy_options_f64) == 120);
LCC_ASSERT_(offsetof(lcc_greedy_options_f64, struct_size) == 0);
LCC_ASSERT_(offsetof(lcc_greedy_options_f64, activation) == 4);
LCC_ASSERT_(offsetof(lcc_greedy_options_f64, prior) == 8);
LCC_ASSERT_(offsetof(lcc_greedy_options_f64, form) == 12);
LCC_ASSERT_(offsetof(lcc_greedy_options_f64, levels) == 16);
LCC_ASSERT_(offsetof(lcc_greedy_options_f64, particles) == 20);
LCC_ASSERT_(offsetof(lcc_greedy_options_f64, moves) == 24);
LCC_ASSERT_(offsetof(lcc_greedy_options_f64, lanes) == 28);
LCC_ASSERT_(offsetof(lcc_greedy_options_f64, either_sign) == 32);
LCC_ASSERT_(offsetof(lcc_greedy_options_f64, standardise) == 36);
LCC_ASSERT_(offsetof(lcc_greedy_options_f64, intercept) == 40);
LCC_ASSERT_(offsetof(lcc_greedy_options_f64, refit) == 44);
LCC_ASSERT_(offsetof(lcc_greedy_options_f64, keep) == 48);
LCC_ASSERT_(offsetof(lcc_greedy_options_f64, follow) == 52);
LCC_ASSERT_(offsetof(lcc_greedy_options_f64, portable) == 56);
LCC_ASSERT_(offsetof(lcc_greedy_options_f64, reserved) == 60);
LCC_ASSERT_(offsetof(lcc_greedy_options_f64, seed) == 64);
LCC_ASSERT_(offsetof(lcc_greedy_options_f64, scale) == 72);
LCC_ASSERT_(offsetof(lcc_greedy_options_f64, outer) == 80);
LCC_ASSERT_(offsetof(lcc_greedy_options_f64, alpha) == 88);
LCC_ASSERT_(offsetof(lcc_greedy_options_f64, beta) == 96);
LCC_ASSERT_(offsetof(lcc_greedy_options_f64, ridge) == 104);
LCC_ASSERT_(offsetof(lcc_greedy_options_f64, holdout) == 112);
LCC_ASSERT_(sizeof(lcc_greedy_level_f64) == 64);
LCC_ASSERT_(offsetof(lcc_greedy_level_f64, log_evidence) == 0);
LCC_ASSERT_(offsetof(lcc_greedy_level_f64, evidence_error) == 8);
LCC_ASSERT_(offsetof(lcc_greedy_level_f64, acceptance) == 16);
LCC_ASSERT_(offsetof(lcc_greedy_level_f64, alpha) == 24);
LCC_ASSERT_(offsetof(lcc_greedy_level_f64, rmse) == 32);
LCC_ASSERT_(offsetof(lcc_greedy_level_f64, rmse_held_out) == 40);
LCC_ASSERT_(offsetof(lcc_greedy_level_f64, coefficient) == 48);
LCC_ASSERT_(offsetof(lcc_greedy_level_f64, families) == 56);
LCC_ASSERT_(offsetof(lcc_greedy_level_f64, stages) == 60);
LCC_ASSERT_(sizeof(lcc_relaxed_options_f64) == 64);
LCC_ASSERT_(offsetof(lcc_relaxed_options_f64, struct_size) == 0);
LCC_ASSERT_(offsetof(lcc_relaxed_options_f64, method) == 4);
LCC_ASSERT_(offsetof(lcc_relaxed_options_f64, activation) == 8);
LCC_ASSERT_(offsetof(lcc_relaxed_options_f64, levels) == 12);
LCC_ASSERT_(offsetof(lcc_relaxed_options_f64, starts) == 16);
LCC_ASSERT_(offsetof(lcc_relaxed_options_f64, steps) == 20);
LCC_ASSERT_(offsetof(lcc_relaxed_options_f64, lanes) == 24);
LCC_ASSERT_(offsetof(lcc_relaxed_options_f64, standardise) == 28);
LCC_ASSERT_(offsetof(lcc_relaxed_options_f64, intercept) == 32);
LCC_ASSERT_(offsetof(lcc_relaxed_options_f64, portable) == 36);
LCC_ASSERT_(offsetof(lcc_relaxed_options_f64, seed) == 40);
LCC_ASSERT_(offsetof(lcc_relaxed_options_f64, outer) == 48);
LCC_ASSERT_(offsetof(lcc_relaxed_options_f64, radius) == 56);
LCC_ASSERT_(sizeof(lcc_relaxed_level_f64) == 32);
LCC_ASSERT_(offsetof(lcc_relaxed_level_f64, error) == 0);
LCC_ASSERT_(offsetof(lcc_relaxed_level_f64, bound) == 8);
LCC_ASSERT_(offsetof(lcc_relaxed_level_f64, gap) == 16);
LCC_ASSERT_(offsetof(lcc_relaxed_level_f64, variation) == 24);
LCC_ASSERT_(sizeof(lcc_prediction_f64) == 32);
LCC_ASSERT_(offsetof(lcc_prediction_f64, mean) == 0);
LCC_ASSERT_(offsetof(lcc_prediction_f64, sd) == 8);
LCC_ASSERT_(offsetof(lcc_prediction_f64, lower) == 16);
LCC_ASSERT_(offsetof(lcc_prediction_f64, upper) == 24);
LCC_ASSERT_(sizeof(lcc_score_f64) == 24);
LCC_ASSERT_(offsetof(lcc_score_f64, log_density) == 0);
LCC_ASSERT_(offsetof(lcc_score_f64, pit) == 8);
LCC_ASSERT_(offsetof(lcc_score_f64, crps) == 16);
LCC_ASSERT_(sizeof(lcc_evaluation_f64) == 40);
LCC_ASSERT_(offsetof(lcc_evaluation_f64, rmse) == 0);
LCC_ASSERT_(offsetof(lcc_evaluation_f64, log_likelihood) == 8);
LCC_ASSERT_(offsetof(lcc_evaluation_f64, coverage) == 16);
LCC_ASSERT_(offsetof(lcc_evaluation_f64, width) == 24);
LCC_ASSERT_(offsetof(lcc_evaluation_f64, crps) == 32);
LCC_ASSERT_(sizeof(lcc_stream_options_f64) == 80);
LCC_ASSERT_(offsetof(lcc_stream_options_f64, struct_size) == 0);
LCC_ASSERT_(offsetof(lcc_stream_options_f64, draws) == 4);
LCC_ASSERT_(offsetof(lcc_stream_options_f64, lanes) == 8);
LCC_ASSERT_(offsetof(lcc_stream_options_f64, weighted) == 12);
LCC_ASSERT_(offsetof(lcc_stream_options_f64, portable) == 16);
LCC_ASSERT_(offsetof(lcc_stream_options_f64, reserved) == 20);
LCC_ASSERT_(offsetof(lcc_stream_options_f64, forgetting) == 24);
LCC_ASSERT_(offsetof(lcc_stream_options_f64, noise_forgetting) == 32);
LCC_ASSERT_(offsetof(lcc_stream_options_f64, weight_forgetting) == 40);
LCC_ASSERT_(offsetof(lcc_stream_options_f64, noise_rows) == 48);
LCC_ASSERT_(offsetof(lcc_stream_options_f64, outer_sd) == 56);
LCC_ASSERT_(offsetof(lcc_stream_options_f64, intercept_sd) == 64);
LCC_ASSERT_(offsetof(lcc_stream_options_f64, linear_sd) == 72);
LCC_ASSERT_(sizeof(lcc_stream_score_f64) == 16);
LCC_ASSERT_(offsetof(lcc_stream_score_f64, log_density) == 0);
LCC_ASSERT_(offsetof(lcc_stream_score_f64, pit) == 8);
LCC_ASSERT_(sizeof(lcc_prequential_options_f64) == 104);
LCC_ASSERT_(offsetof(lcc_prequential_options_f64, struct_size) == 0);
LCC_ASSERT_(offsetof(lcc_prequential_options_f64, activation) == 4);
LCC_ASSERT_(offsetof(lcc_prequential_options_f64, prior) == 8);
LCC_ASSERT_(offsetof(lcc_prequential_options_f64, form) == 12);
LCC_ASSERT_(offsetof(lcc_prequential_options_f64, levels) == 16);
LCC_ASSERT_(offsetof(lcc_prequential_options_f64, particles) == 20);
LCC_ASSERT_(offsetof(lcc_prequential_options_f64, moves) == 24);
LCC_ASSERT_(offsetof(lcc_prequential_options_f64, lanes) == 28);
LCC_ASSERT_(offsetof(lcc_prequential_options_f64, either_sign) == 32);
LCC_ASSERT_(offsetof(lcc_prequential_options_f64, intercept) == 36);
LCC_ASSERT_(offsetof(lcc_prequential_options_f64, keep) == 40);
LCC_ASSERT_(offsetof(lcc_prequential_options_f64, portable) == 44);
LCC_ASSERT_(offsetof(lcc_prequential_options_f64, seed) == 48);
LCC_ASSERT_(offsetof(lcc_prequential_options_f64, scale) == 56);
LCC_ASSERT_(offsetof(lcc_prequential_options_f64, outer) == 64);
LCC_ASSERT_(offsetof(lcc_prequential_options_f64, alpha) == 72);
LCC_ASSERT_(offsetof(lcc_prequential_options_f64, beta) == 80);
LCC_ASSERT_(offsetof(lcc_prequential_options_f64, ess) == 88);
LCC_ASSERT_(offsetof(lcc_prequential_options_f64, noise) == 96);
LCC_ASSERT_(sizeof(lcc_forecast_f64) == 48);
LCC_ASSERT_(offsetof(lcc_forecast_f64, location) == 0);
LCC_ASSERT_(offsetof(lcc_forecast_f64, scale) == 8);
LCC_ASSERT_(offsetof(lcc_forecast_f64, nu) == 16);
LCC_ASSERT_(offsetof(lcc_forecast_f64, sd) == 24);
LCC_ASSERT_(offsetof(lcc_forecast_f64, lower) == 32);
LCC_ASSERT_(offsetof(lcc_forecast_f64, upper) == 40);
LCC_ASSERT_(sizeof(lcc_losses_f64) == 24);
LCC_ASSERT_(offsetof(lcc_losses_f64, rows) == 0);
LCC_ASSERT_(offsetof(lcc_losses_f64, squared) == 8);
LCC_ASSERT_(offsetof(lcc_losses_f64, log) == 16);
LCC_ASSERT_(sizeof(lcc_prequential_level_f64) == 40);
LCC_ASSERT_(offsetof(lcc_prequential_level_f64, log_evidence) == 0);
LCC_ASSERT_(offsetof(lcc_prequential_level_f64, ess) == 8);
LCC_ASSERT_(offsetof(lcc_prequential_level_f64, acceptance) == 16);
LCC_ASSERT_(offsetof(lcc_prequential_level_f64, fit) == 24);
LCC_ASSERT_(offsetof(lcc_prequential_level_f64, resamplings) == 32);
LCC_ASSERT_(sizeof(lcc_data_f32) == 48);
LCC_ASSERT_(offsetof(lcc_data_f32, x) == 0);
LCC_ASSERT_(offsetof(lcc_data_f32, y) == 8);
LCC_ASSERT_(offsetof(lcc_data_f32, n) == 16);
LCC_ASSERT_(offsetof(lcc_data_f32, d) == 24);
LCC_ASSERT_(offsetof(lcc_data_f32, row_stride) == 32);
LCC_ASSERT_(offsetof(lcc_data_f32, column_stride) == 40);
LCC_ASSERT_(sizeof(lcc_problem_f32) == 72);
LCC_ASSERT_(offsetof(lcc_problem_f32, struct_size) == 0);
LCC_ASSERT_(offsetof(lcc_problem_f32, posterior) == 4);
LCC_ASSERT_(offsetof(lcc_problem_f32, activation) == 8);
LCC_ASSERT_(offsetof(lcc_problem_f32, prior) == 12);
LCC_ASSERT_(offsetof(lcc_problem_f32, signs) == 16);
LCC_ASSERT_(offsetof(lcc_problem_f32, neurons) == 20);
LCC_ASSERT_(offsetof(lcc_problem_f32, scale) == 24);
LCC_ASSERT_(offsetof(lcc_problem_f32, alpha) == 28);
LCC_ASSERT_(offsetof(lcc_problem_f32, outer) == 32);
LCC_ASSERT_(offsetof(lcc_problem_f32, beta) == 36);
LCC_ASSERT_(offsetof(lcc_problem_f32, density) == 40);
LCC_ASSERT_(offsetof(lcc_problem_f32, context) == 48);
LCC_ASSERT_(offsetof(lcc_problem_f32, dim) == 56);
LCC_ASSERT_(offsetof(lcc_problem_f32, gradient) == 64);
LCC_ASSERT_(offsetof(lcc_problem_f32, reserved) == 68);
LCC_ASSERT_(sizeof(lcc_draws_f32) == 40);
LCC_ASSERT_(offsetof(lcc_draws_f32, data) == 0);
LCC_ASSERT_(offsetof(lcc_draws_f32, chains) == 8);
LCC_ASSERT_(offsetof(lcc_draws_f32, draws) == 16);
LCC_ASSERT_(offsetof(lcc_draws_f32, chain_stride) == 24);
LCC_ASSERT_(offsetof(lcc_draws_f32, draw_stride) == 32);
LCC_ASSERT_(sizeof(lcc_summary_f32) == 40);
LCC_ASSERT_(offsetof(lcc_summary_f32, mean) == 0);
LCC_ASSERT_(offsetof(lcc_summary_f32, sd) == 4);
LCC_ASSERT_(offsetof(lcc_summary_f32, q5) == 8);
LCC_ASSERT_(offsetof(lcc_summary_f32, median) == 12);
LCC_ASSERT_(offsetof(lcc_summary_f32, q95) == 16);
LCC_ASSERT_(offsetof(lcc_summary_f32, mcse_mean) == 20);
LCC_ASSERT_(offsetof(lcc_summary_f32, mcse_sd) == 24);
LCC_ASSERT_(offsetof(lcc_summary_f32, ess_bulk) == 28);
LCC_ASSERT_(offsetof(lcc_summary_f32, ess_tail) == 32);
LCC_ASSERT_(offsetof(lcc_summary_f32, rhat) == 36);
LCC_ASSERT_(sizeof(lcc_sampler_options_f32) == 112);
LCC_ASSERT_(offsetof(lcc_sampler_options_f32, struct_size) == 0);
LCC_ASSERT_(offsetof(lcc_sampler_options_f32, method) == 4);
LCC_ASSERT_(offsetof(lcc_sampler_options_f32, coupling) == 8);
LCC_ASSERT_(offsetof(lcc_sampler_options_f32, reduced) == 12);
LCC_ASSERT_(offsetof(lcc_sampler_options_f32, reference) == 16);
LCC_ASSERT_(offsetof(lcc_sampler_options_f32, antithetic) == 20);
LCC_ASSERT_(offsetof(lcc_sampler_options_f32, chains) == 24);
LCC_ASSERT_(offsetof(lcc_sampler_options_f32, lanes) == 28);
LCC_ASSERT_(offsetof(lcc_sampler_options_f32, warmup) == 32);
LCC_ASSERT_(offsetof(lcc_sampler_options_f32, draws) == 36);
LCC_ASSERT_(offsetof(lcc_sampler_options_f32, stored) == 40);
LCC_ASSERT_(offsetof(lcc_sampler_options_f32, leapfrogs) == 44);
LCC_ASSERT_(offsetof(lcc_sampler_options_f32, inner) == 48);
LCC_ASSERT_(offsetof(lcc_sampler_options_f32, fresh) == 52);
LCC_ASSERT_(offsetof(lcc_sampler_options_f32, burn_in) == 56);
LCC_ASSERT_(offsetof(lcc_sampler_options_f32, levels) == 60);
LCC_ASSERT_(offsetof(lcc_sampler_options_f32, portable) == 64);
LCC_ASSERT_(offsetof(lcc_sampler_options_f32, inner_method) == 68);
LCC_ASSERT_(offsetof(lcc_sampler_options_f32, first_chain) == 72);
LCC_ASSERT_(offsetof(lcc_sampler_options_f32, reserved) == 76);
LCC_ASSERT_(offsetof(lcc_sampler_options_f32, seed) == 80);
LCC_ASSERT_(offsetof(lcc_sampler_options_f32, target_accept) == 88);
LCC_ASSERT_(offsetof(lcc_sampler_options_f32, total_time) == 92);
LCC_ASSERT_(offsetof(lcc_sampler_options_f32, jitter) == 96);
LCC_ASSERT_(offsetof(lcc_sampler_options_f32, langevin_step) == 100);
LCC_ASSERT_(offsetof(lcc_sampler_options_f32, diffusion_time) == 104);
LCC_ASSERT_(sizeof(lcc_smc_options_f32) == 72);
LCC_ASSERT_(offsetof(lcc_smc_options_f32, struct_size) == 0);
LCC_ASSERT_(offsetof(lcc_smc_options_f32, ladder) == 4);
LCC_ASSERT_(offsetof(lcc_smc_options_f32, particles) == 8);
LCC_ASSERT_(offsetof(lcc_smc_options_f32, lanes) == 12);
LCC_ASSERT_(offsetof(lcc_smc_options_f32, stages) == 16);
LCC_ASSERT_(offsetof(lcc_smc_options_f32, moves) == 20);
LCC_ASSERT_(offsetof(lcc_smc_options_f32, leapfrogs) == 24);
LCC_ASSERT_(offsetof(lcc_smc_options_f32, adapt) == 28);
LCC_ASSERT_(offsetof(lcc_smc_options_f32, portable) == 32);
LCC_ASSERT_(offsetof(lcc_smc_options_f32, reference) == 36);
LCC_ASSERT_(offsetof(lcc_smc_options_f32, seed) == 40);
LCC_ASSERT_(offsetof(lcc_smc_options_f32, share) == 48);
LCC_ASSERT_(offsetof(lcc_smc_options_f32, first) == 52);
LCC_ASSERT_(offsetof(lcc_smc_options_f32, target_accept) == 56);
LCC_ASSERT_(offsetof(lcc_smc_options_f32, total_time) == 60);
LCC_ASSERT_(offsetof(lcc_smc_options_f32, jitter) == 64);
LCC_ASSERT_(sizeof(lcc_climb_f32) == 24);
LCC_ASSERT_(offsetof(lcc_climb_f32, gradients) == 0);
LCC_ASSERT_(offsetof(lcc_climb_f32, stages) == 8);
LCC_ASSERT_(offsetof(lcc_climb_f32, done) == 12);
LCC_ASSERT_(offsetof(lcc_climb_f32, temperature) == 16);
LCC_ASSERT_(sizeof(lcc_evidence_f32) == 16);
LCC_ASSERT_(offsetof(lcc_evidence_f32, families) == 0);
LCC_ASSERT_(offsetof(lcc_evidence_f32, log) == 8);
LCC_ASSERT_(offsetof(lcc_evidence_f32, standard_error) == 12);
LCC_ASSERT_(sizeof(lcc_stage_f32) == 16);
LCC_ASSERT_(offsetof(lcc_stage_f32, temperature) == 0);
LCC_ASSERT_(offsetof(lcc_stage_f32, ess) == 4);
LCC_ASSERT_(offsetof(lcc_stage_f32, acceptance) == 8);
LCC_ASSERT_(offsetof(lcc_stage_f32, step) == 12);
LCC_ASSERT_(sizeof(lcc_average_f32) == 12);
LCC_ASSERT_(offsetof(lcc_average_f32, mean) == 0);
LCC_ASSERT_(offsetof(lcc_average_f32, variance) == 4);
LCC_ASSERT_(offsetof(lcc_average_f32, standard_error) == 8);
LCC_ASSERT_(sizeof(lcc_tempering_options_f32) == 64);
LCC_ASSERT_(offsetof(lcc_tempering_options_f32, struct_size) == 0);
LCC_ASSERT_(offsetof(lcc_tempering_options_f32, chains) == 4);
LCC_ASSERT_(offsetof(lcc_tempering_options_f32, lanes) == 8);
LCC_ASSERT_(offsetof(lcc_tempering_options_f32, temperatures) == 12);
LCC_ASSERT_(offsetof(lcc_tempering_options_f32, moves) == 16);
LCC_ASSERT_(offsetof(lcc_tempering_options_f32, warmup) == 20);
LCC_ASSERT_(offsetof(lcc_tempering_options_f32, draws) == 24);
LCC_ASSERT_(offsetof(lcc_tempering_options_f32, stored) == 28);
LCC_ASSERT_(offsetof(lcc_tempering_options_f32, leapfrogs) == 32);
LCC_ASSERT_(offsetof(lcc_tempering_options_f32, portable) == 36);
LCC_ASSERT_(offsetof(lcc_tempering_options_f32, seed) == 40);
LCC_ASSERT_(offsetof(lcc_tempering_options_f32, target_accept) == 48);
LCC_ASSERT_(offsetof(lcc_tempering_options_f32, total_time) == 52);
LCC_ASSERT_(offsetof(lcc_tempering_options_f32, jitter) == 56);
LCC_ASSERT_(sizeof(lcc_rung_f32) == 16);
LCC_ASSERT_(offsetof(lcc_rung_f32, temperature) == 0);
LCC_ASSERT_(offsetof(lcc_rung_f32, acceptance) == 4);
LCC_ASSERT_(offsetof(lcc_rung_f32, swap) == 8);
LCC_ASSERT_(offsetof(lcc_rung_f32, step) == 12);
LCC_ASSERT_(sizeof(lcc_auto_options_f32) == 40);
LCC_ASSERT_(offsetof(lcc_auto_options_f32, struct_size) == 0);
LCC_ASSERT_(offsetof(lcc_auto_options_f32, chains) == 4);
LCC_ASSERT_(offsetof(lcc_auto_options_f32, lanes) == 8);
LCC_ASSERT_(offsetof(lcc_auto_options_f32, pilot) == 12);
LCC_ASSERT_(offsetof(lcc_auto_options_f32, warmup) == 16);
LCC_ASSERT_(offsetof(lcc_auto_options_f32, draws) == 20);
LCC_ASSERT_(offsetof(lcc_auto_options_f32, portable) == 24);
LCC_ASSERT_(offsetof(lcc_auto_options_f32, reserved) == 28);
LCC_ASSERT_(offsetof(lcc_auto_options_f32, seed) == 32);
LCC_ASSERT_(sizeof(lcc_choice_f32) == 56);
LCC_ASSERT_(offsetof(lcc_choice_f32, choice) == 0);
LCC_ASSERT_(offsetof(lcc_choice_f32, verdict) == 4);
LCC_ASSERT_(offsetof(lcc_choice_f32, stages) == 8);
LCC_ASSERT_(offsetof(lcc_choice_f32, strays) == 12);
LCC_ASSERT_(offsetof(lcc_choice_f32, particles) == 16);
LCC_ASSERT_(offsetof(lcc_choice_f32, reserved) == 20);
LCC_ASSERT_(offsetof(lcc_choice_f32, families) == 24);
LCC_ASSERT_(offsetof(lcc_choice_f32, overlap) == 32);
LCC_ASSERT_(offsetof(lcc_choice_f32, rhat) == 36);
LCC_ASSERT_(offsetof(lcc_choice_f32, spread) == 40);
LCC_ASSERT_(offsetof(lcc_choice_f32, disagreement) == 44);
LCC_ASSERT_(offsetof(lcc_choice_f32, log_evidence) == 48);
LCC_ASSERT_(offsetof(lcc_choice_f32, log_evidence_error) == 52);
LCC_ASSERT_(sizeof(lcc_certificate_f32) == 20);
LCC_ASSERT_(offsetof(lcc_certificate_f32, kind) == 0);
LCC_ASSERT_(offsetof(lcc_certificate_f32, status) == 4);
LCC_ASSERT_(offsetof(lcc_certificate_f32, value) == 8);
LCC_ASSERT_(offsetof(lcc_certificate_f32, threshold) == 12);
LCC_ASSERT_(offsetof(lcc_certificate_f32, error) == 16);
LCC_ASSERT_(sizeof(lcc_certificates_f32) == 360);
LCC_ASSERT_(offsetof(lcc_certificates_f32, struct_size) == 0);
LCC_ASSERT_(offsetof(lcc_certificates_f32, count) == 4);
LCC_ASSERT_(offsetof(lcc_certificates_f32, conclusion) == 8);
LCC_ASSERT_(offsetof(lcc_certificates_f32, probes) == 12);
LCC_ASSERT_(offsetof(lcc_certificates_f32, prior) == 16);
LCC_ASSERT_(offsetof(lcc_certificates_f32, coupling) == 20);
LCC_ASSERT_(offsetof(lcc_certificates_f32, scale) == 24);
LCC_ASSERT_(offsetof(lcc_certificates_f32, selection) == 28);
LCC_ASSERT_(offsetof(lcc_certificates_f32, fingerprint) == 32);
LCC_ASSERT_(offsetof(lcc_certificates_f32, entries) == 40);
LCC_ASSERT_(sizeof(lcc_network_options_f32) == 136);
LCC_ASSERT_(offsetof(lcc_network_options_f32, struct_size) == 0);
LCC_ASSERT_(offsetof(lcc_network_options_f32, neurons) == 4);
LCC_ASSERT_(offsetof(lcc_network_options_f32, chains) == 8);
LCC_ASSERT_(offsetof(lcc_network_options_f32, lanes) == 12);
LCC_ASSERT_(offsetof(lcc_network_options_f32, warmup) == 16);
LCC_ASSERT_(offsetof(lcc_network_options_f32, draws) == 20);
LCC_ASSERT_(offsetof(lcc_network_options_f32, keep) == 24);
LCC_ASSERT_(offsetof(lcc_network_options_f32, activation) == 28);
LCC_ASSERT_(offsetof(lcc_network_options_f32, gaussian) == 32);
LCC_ASSERT_(offsetof(lcc_network_options_f32, standardise) == 36);
LCC_ASSERT_(offsetof(lcc_network_options_f32, starts) == 40);
LCC_ASSERT_(offsetof(lcc_network_options_f32, start_steps) == 44);
LCC_ASSERT_(offsetof(lcc_network_options_f32, drop) == 48);
LCC_ASSERT_(offsetof(lcc_network_options_f32, leapfrogs) == 52);
LCC_ASSERT_(offsetof(lcc_network_options_f32, early_leapfrogs) == 56);
LCC_ASSERT_(offsetof(lcc_network_options_f32, mass) == 60);
LCC_ASSERT_(offsetof(lcc_network_options_f32, mass_updates) == 64);
LCC_ASSERT_(offsetof(lcc_network_options_f32, trace_rows) == 68);
LCC_ASSERT_(offsetof(lcc_network_options_f32, portable) == 72);
LCC_ASSERT_(offsetof(lcc_network_options_f32, first_chain) == 76);
LCC_ASSERT_(offsetof(lcc_network_options_f32, seed) == 80);
LCC_ASSERT_(offsetof(lcc_network_options_f32, drop_below) == 88);
LCC_ASSERT_(offsetof(lcc_network_options_f32, target_accept) == 92);
LCC_ASSERT_(offsetof(lcc_network_options_f32, jitter) == 96);
LCC_ASSERT_(offsetof(lcc_network_options_f32, first_step) == 100);
LCC_ASSERT_(offsetof(lcc_network_options_f32, largest_step) == 104);
LCC_ASSERT_(offsetof(lcc_network_options_f32, input_scale) == 108);
LCC_ASSERT_(offsetof(lcc_network_options_f32, outer_scale) == 112);
LCC_ASSERT_(offsetof(lcc_network_options_f32, linear_scale) == 116);
LCC_ASSERT_(offsetof(lcc_network_options_f32, intercept_sd) == 120);
LCC_ASSERT_(offsetof(lcc_network_options_f32, noise_shape) == 124);
LCC_ASSERT_(offsetof(lcc_network_options_f32, noise_rate) == 128);
LCC_ASSERT_(sizeof(lcc_network_diagnosis_f32) == 48);
LCC_ASSERT_(offsetof(lcc_network_diagnosis_f32, rhat_max) == 0);
LCC_ASSERT_(offsetof(lcc_network_diagnosis_f32, ess_bulk_min) == 4);
LCC_ASSERT_(offsetof(lcc_network_diagnosis_f32, ess_tail_min) == 8);
LCC_ASSERT_(offsetof(lcc_network_diagnosis_f32, acceptance) == 12);
LCC_ASSERT_(offsetof(lcc_network_diagnosis_f32, e_bfmi_min) == 16);
LCC_ASSERT_(offsetof(lcc_network_diagnosis_f32, divergences) == 24);
LCC_ASSERT_(offsetof(lcc_network_diagnosis_f32, gradients) == 32);
LCC_ASSERT_(offsetof(lcc_network_diagnosis_f32, chains_used) == 40);
LCC_ASSERT_(offsetof(lcc_network_diagnosis_f32, chains_dropped) == 44);
LCC_ASSERT_(sizeof(lcc_network_chain_f32) == 32);
LCC_ASSERT_(offsetof(lcc_network_chain_f32, log_likelihood) == 0);
LCC_ASSERT_(offsetof(lcc_network_chain_f32, acceptance) == 4);
LCC_ASSERT_(offsetof(lcc_network_chain_f32, e_bfmi) == 8);
LCC_ASSERT_(offsetof(lcc_network_chain_f32, divergences) == 16);
LCC_ASSERT_(offsetof(lcc_network_chain_f32, dropped) == 24);
LCC_ASSERT_(offsetof(lcc_network_chain_f32, reserved) == 28);
LCC_ASSERT_(sizeof(lcc_greedy_options_f32) == 96);
LCC_ASSERT_(offsetof(lcc_greedy_options_f32, struct_size) == 0);
LCC_ASSERT_(offsetof(lcc_greedy_options_f32, activation) == 4);
LCC_ASSERT_(offsetof(lcc_greedy_options_f32, prior) == 8);
LCC_ASSERT_(offsetof(lcc_greedy_options_f32, form) == 12);
LCC_ASSERT_(offsetof(lcc_greedy_options_f32, levels) == 16);
LCC_ASSERT_(offsetof(lcc_greedy_options_f32, particles) == 20);
LCC_ASSERT_(offsetof(lcc_greedy_options_f32, moves) == 24);
LCC_ASSERT_(offsetof(lcc_greedy_options_f32, lanes) == 28);
LCC_ASSERT_(offsetof(lcc_greedy_options_f32, either_sign) == 32);
LCC_ASSERT_(offsetof(lcc_greedy_options_f32, standardise) == 36);
LCC_ASSERT_(offsetof(lcc_greedy_options_f32, intercept) == 40);
LCC_ASSERT_(offsetof(lcc_greedy_options_f32, refit) == 44);
LCC_ASSERT_(offsetof(lcc_greedy_options_f32, keep) == 48);
LCC_ASSERT_(offsetof(lcc_greedy_options_f32, follow) == 52);
LCC_ASSERT_(offsetof(lcc_greedy_options_f32, portable) == 56);
LCC_ASSERT_(offsetof(lcc_greedy_options_f32, reserved) == 60);
LCC_ASSERT_(offsetof(lcc_greedy_options_f32, seed) == 64);
LCC_ASSERT_(offsetof(lcc_greedy_options_f32, scale) == 72);
LCC_ASSERT_(offsetof(lcc_greedy_options_f32, outer) == 76);
LCC_ASSERT_(offsetof(lcc_greedy_options_f32, alpha) == 80);
LCC_ASSERT_(offsetof(lcc_greedy_options_f32, beta) == 84);
LCC_ASSERT_(offsetof(lcc_greedy_options_f32, ridge) == 88);
LCC_ASSERT_(offsetof(lcc_greedy_options_f32, holdout) == 92);
LCC_ASSERT_(sizeof(lcc_greedy_level_f32) == 36);
LCC_ASSERT_(offsetof(lcc_greedy_level_f32, log_evidence) == 0);
LCC_ASSERT_(offsetof(lcc_greedy_level_f32, evidence_error) == 4);
LCC_ASSERT_(offsetof(lcc_greedy_level_f32, acceptance) == 8);
LCC_ASSERT_(offsetof(lcc_greedy_level_f32, alpha) == 12);
LCC_ASSERT_(offsetof(lcc_greedy_level_f32, rmse) == 16);
LCC_ASSERT_(offsetof(lcc_greedy_level_f32, rmse_held_out) == 20);
LCC_ASSERT_(offsetof(lcc_greedy_level_f32, coefficient) == 24);
LCC_ASSERT_(offsetof(lcc_greedy_level_f32, families) == 28);
LCC_ASSERT_(offsetof(lcc_greedy_level_f32, stages) == 32);
LCC_ASSERT_(sizeof(lcc_relaxed_options_f32) == 56);
LCC_ASSERT_(offsetof(lcc_relaxed_options_f32, struct_size) == 0);
LCC_ASSERT_(offsetof(lcc_relaxed_options_f32, method) == 4);
LCC_ASSERT_(offsetof(lcc_relaxed_options_f32, activation) == 8);
LCC_ASSERT_(offsetof(lcc_relaxed_options_f32, levels) == 12);
LCC_ASSERT_(offsetof(lcc_relaxed_options_f32, starts) == 16);
LCC_ASSERT_(offsetof(lcc_relaxed_options_f32, steps) == 20);
LCC_ASSERT_(offsetof(lcc_relaxed_options_f32, lanes) == 24);
LCC_ASSERT_(offsetof(lcc_relaxed_options_f32, standardise) == 28);
LCC_ASSERT_(offsetof(lcc_relaxed_options_f32, intercept) == 32);
LCC_ASSERT_(offsetof(lcc_relaxed_options_f32, portable) == 36);
LCC_ASSERT_(offsetof(lcc_relaxed_options_f32, seed) == 40);
LCC_ASSERT_(offsetof(lcc_relaxed_options_f32, outer) == 48);
LCC_ASSERT_(offsetof(lcc_relaxed_options_f32, radius) == 52);
LCC_ASSERT_(sizeof(lcc_relaxed_level_f32) == 16);
LCC_ASSERT_(offsetof(lcc_relaxed_level_f32, error) == 0);
LCC_ASSERT_(offsetof(lcc_relaxed_level_f32, bound) == 4);
LCC_ASSERT_(offsetof(lcc_relaxed_level_f32, gap) == 8);
LCC_ASSERT_(offsetof(lcc_relaxed_level_f32, variation) == 12);
LCC_ASSERT_(sizeof(lcc_prediction_f32) == 16);
LCC_ASSERT_(offsetof(lcc_prediction_f32, mean) == 0);
LCC_ASSERT_(offsetof(lcc_prediction_f32, sd) == 4);
LCC_ASSERT_(offsetof(lcc_prediction_f32, lower) == 8);
LCC_ASSERT_(offsetof(lcc_prediction_f32, upper) == 12);
LCC_ASSERT_(sizeof(lcc_score_f32) == 12);
LCC_ASSERT_(offsetof(lcc_score_f32, log_density) == 0);
LCC_ASSERT_(offsetof(lcc_score_f32, pit) == 4);
LCC_ASSERT_(offsetof(lcc_score_f32, crps) == 8);
LCC_ASSERT_(sizeof(lcc_evaluation_f32) == 20);
LCC_ASSERT_(offsetof(lcc_evaluation_f32, rmse) == 0);
LCC_ASSERT_(offsetof(lcc_evaluation_f32, log_likelihood) == 4);
LCC_ASSERT_(offsetof(lcc_evaluation_f32, coverage) == 8);
LCC_ASSERT_(offsetof(lcc_evaluation_f32, width) == 12);
LCC_ASSERT_(offsetof(lcc_evaluation_f32, crps) == 16);
LCC_ASSERT_(sizeof(lcc_stream_options_f32) == 52);
LCC_ASSERT_(offsetof(lcc_stream_options_f32, struct_size) == 0);
LCC_ASSERT_(offsetof(lcc_stream_options_f32, draws) == 4);
LCC_ASSERT_(offsetof(lcc_stream_options_f32, lanes) == 8);
LCC_ASSERT_(offsetof(lcc_stream_options_f32, weighted) == 12);
LCC_ASSERT_(offsetof(lcc_stream_options_f32, portable) == 16);
LCC_ASSERT_(offsetof(lcc_stream_options_f32, reserved) == 20);
LCC_ASSERT_(offsetof(lcc_stream_options_f32, forgetting) == 24);
LCC_ASSERT_(offsetof(lcc_stream_options_f32, noise_forgetting) == 28);
LCC_ASSERT_(offsetof(lcc_stream_options_f32, weight_forgetting) == 32);
LCC_ASSERT_(offsetof(lcc_stream_options_f32, noise_rows) == 36);
LCC_ASSERT_(offsetof(lcc_stream_options_f32, outer_sd) == 40);
LCC_ASSERT_(offsetof(lcc_stream_options_f32, intercept_sd) == 44);
LCC_ASSERT_(offsetof(lcc_stream_options_f32, linear_sd) == 48);
LCC_ASSERT_(sizeof(lcc_stream_score_f32) == 8);
LCC_ASSERT_(offsetof(lcc_stream_score_f32, log_density) == 0);
LCC_ASSERT_(offsetof(lcc_stream_score_f32, pit) == 4);
LCC_ASSERT_(sizeof(lcc_prequential_options_f32) == 80);
LCC_ASSERT_(offsetof(lcc_prequential_options_f32, struct_size) == 0);
LCC_ASSERT_(offsetof(lcc_prequential_options_f32, activation) == 4);
LCC_ASSERT_(offsetof(lcc_prequential_options_f32, prior) == 8);
LCC_ASSERT_(offsetof(lcc_prequential_options_f32, form) == 12);
LCC_ASSERT_(offsetof(lcc_prequential_options_f32, levels) == 16);
LCC_ASSERT_(offsetof(lcc_prequential_options_f32, particles) == 20);
LCC_ASSERT_(offsetof(lcc_prequential_options_f32, moves) == 24);
LCC_ASSERT_(offsetof(lcc_prequential_options_f32, lanes) == 28);
LCC_ASSERT_(offsetof(lcc_prequential_options_f32, either_sign) == 32);
LCC_ASSERT_(offsetof(lcc_prequential_options_f32, intercept) == 36);
LCC_ASSERT_(offsetof(lcc_prequential_options_f32, keep) == 40);
LCC_ASSERT_(offsetof(lcc_prequential_options_f32, portable) == 44);
LCC_ASSERT_(offsetof(lcc_prequential_options_f32, seed) == 48);
LCC_ASSERT_(offsetof(lcc_prequential_options_f32, scale) == 56);
LCC_ASSERT_(offsetof(lcc_prequential_options_f32, outer) == 60);
LCC_ASSERT_(offsetof(lcc_prequential_options_f32, alpha) == 64);
LCC_ASSERT_(offsetof(lcc_prequential_options_f32, beta) == 68);
LCC_ASSERT_(offsetof(lcc_prequential_options_f32, ess) == 72);
LCC_ASSERT_(offsetof(lcc_prequential_options_f32, noise) == 76);
LCC_ASSERT_(sizeof(lcc_forecast_f32) == 24);
LCC_ASSERT_(offsetof(lcc_forecast_f32, location) == 0);
LCC_ASSERT_(offsetof(lcc_forecast_f32, scale) == 4);
LCC_ASSERT_(offsetof(lcc_forecast_f32, nu) == 8);
LCC_ASSERT_(offsetof(lcc_forecast_f32, sd) == 12);
LCC_ASSERT_(offsetof(lcc_forecast_f32, lower) == 16);
LCC_ASSERT_(offsetof(lcc_forecast_f32, upper) == 20);
LCC_ASSERT_(sizeof(lcc_losses_f32) == 16);
LCC_ASSERT_(offsetof(lcc_losses_f32, rows) == 0);
LCC_ASSERT_(offsetof(lcc_losses_f32, squared) == 8);
LCC_ASSERT_(offsetof(lcc_losses_f32, log) == 12);
LCC_ASSERT_(sizeof(lcc_prequential_level_f32) == 24);
LCC_ASSERT_(offsetof(lcc_prequential_level_f32, log_evidence) == 0);
LCC_ASSERT_(offsetof(lcc_prequential_level_f32, ess) == 4);
LCC_ASSERT_(offsetof(lcc_prequential_level_f32, acceptance) == 8);
LCC_ASSERT_(offsetof(lcc_prequential_level_f32, fit) == 12);
LCC_ASSERT_(offsetof(lcc_prequential_level_f32, resamplings) == 16);
#endif

#endif /* LCC_H */
