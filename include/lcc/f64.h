/* The manual of what is in double precision. Part of <lcc.h>, made with it: do not edit. */
#ifndef LCC_F64_H
#define LCC_F64_H

#include "../lcc.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ==== Activations ===================================================================================== */

/** psi(z), psi'(z) and psi''(z), by the arithmetic of the samplers: the same bits on every machine.
 *  psi and psi' of NaN are NaN; psi'' of squared ReLU at 0 is 0, and of ReLU everywhere.
 *
 *  @param activation  an LCC_ACTIVATION_ code
 *  @param z           where
 *  @param jet         out: three values
 *  @return LCC_ERROR_ACTIVATION */
int32_t lcc_activation_jet_f64(int32_t activation, double z, double *jet);

/* ==== Data ============================================================================================ */

/** Rows x_i in R^d with a target (or a residual) y_i each, where they lie: nothing is copied.
 *  x_ij = x[i * row_stride + j * column_stride], strides in elements: row-major C arrays have
 *  strides (d, 1), column-major Julia or Fortran arrays (1, n). All values must be finite. */
typedef struct {
    const double *x; /**< The inputs. */
    const double *y; /**< The targets, n of them; may be NULL where a function only reads rows. */
    size_t n; /**< Rows, at least 1. */
    size_t d; /**< Columns, at least 1. */
    size_t row_stride; /**< Elements from one row to the next. */
    size_t column_stride; /**< Elements from one column to the next. */
} lcc_data_f64;

/** Something remarkable of rows: lcc_data_remarks_f64. */
typedef struct {
    int32_t remark; /**< A Remark's code. */
    uint32_t column; /**< The column of X, from 0, or d for the target; 0 where the remark is not of one. */
    uint64_t rows; /**< The rows it is about. */
    /** A value of theirs: the farthest, the repeated one, the first. Of Wide the inputs, of Constant the
     *  number of such columns, of which this is the first, of Totals the row, from 0. */
    double value;
} lcc_remark_f64;

/** Checks data as every function does, and says where they are bad. Reads x and (unless NULL) y
 *  once.
 *
 *  @param row     out: on LCC_ERROR_NOT_FINITE_X or _Y the row (from 0) of the first bad value; may be NULL
 *  @param column  out: on LCC_ERROR_NOT_FINITE_X its column (from 0); may be NULL */
int32_t lcc_data_check_f64(const lcc_data_f64 *data, size_t *row, size_t *column);

/** What a person should know of rows before a network learns from them: what it takes at its word, and is wrong about
 *  without a warning. lcc_remark_message has a sentence for each. Two sorts a column.
 *
 *  @param real     1: y is a real number; then it is looked at too, as column d; 0: a class or a count, or has a
 *                  hurdle for the number that many are; 2: a count, and the last column is its exposure
 *  @param scratch  2 n numbers
 *  @param out      out: the first `len` of them
 *  @param found    out: how many there are
 *  @return LCC_ERROR_SWITCH if real is none of these, LCC_ERROR_CAPACITY of less scratch */
int32_t lcc_data_remarks_f64(const lcc_data_f64 *data, uint32_t real, double *scratch, size_t scratch_len,
                             lcc_remark_f64 *out, size_t len, size_t *found);

/* ==== What a Bayesian network is ====================================================================== */

/** What a Bayesian network is asked to be and to do. The defaults need no tuning. */
typedef struct {
    uint32_t struct_size; /**< The bytes of this struct, as the defaults have it. */
    /** An LCC_INFERENCE_ code: what the fit is. Default: chains of Hamiltonian Monte Carlo. */
    int32_t method;
    /** Units of the hidden layers, from the inputs on; the first 0 ends them, and 4 zeros make a
     *  generalised linear model. Default { 20, 0, 0, 0 }. */
    uint32_t widths[4];
    int32_t activation; /**< An LCC_ACTIVATION_ code. Default: tanh. */
    /** An LCC_OUTPUT_ code: what y is. Default: student-t; lcc_bnn_pilot_f64 is for choosing the noise of
     *  numbers. */
    int32_t output;
    /** Classes of softmax and ordinal outputs, at least 2, or components of a mixture, 1 to 16. Default 2. */
    uint32_t categories;
    uint32_t reference; /**< 1: softmax with the first class as reference, whose output is 0. Default 0. */
    /** 1: the last column of X is each row's exposure (positive: time, area, people at risk), no input;
     *  its logarithm is added to the output. For counts. Default 0. */
    uint32_t exposure;
    /** 1: inputs also act on the outputs directly (always so without hidden layers). Default 1. */
    uint32_t linear;
    /** An LCC_SCALES_ code: which scales the prior has. Default: one for each input; of an ensemble of
     *  classes that means known ones, the outputs' ten times outer_scale. */
    int32_t scales;
    /** 1: standardise the inputs, and a target that is a real number (a copy of the data is kept in the
     *  memory). Columns that look like one unit (all start at the same least value and half of them or
     *  more end at the same largest: pixels, marks of one scale, indicators) share the root mean square of
     *  their sds. 2: of another input with long tails (a fourth central moment above 6 sd^4: incomes,
     *  counts, a code for missing) the network sees .765 asinh((x - c) / u), c the median and u half the
     *  distance of the quartiles: a line between these, beyond them a logarithm; not where a line in x
     *  tells the target better, by itself or, of numbers, beside lines in all others: then all rows are
     *  within five of its units. 0: the data are in units where the prior makes sense and are read in
     *  place. Default 2. */
    uint32_t standardise;
    /** Chains. Default 0: by the work at hand, see lcc_bnn_chains_f64. Where a mode is sought each is a
     *  start of its own, and the best one's is taken. */
    uint32_t chains;
    /** Chains that advance in lock-step: 1 or 8. Changes speed and memory, never a number. Default 8 where
     *  the CPU has wide instructions, else 1. */
    uint32_t lanes;
    /** Optimisation steps (Adam, or see rate) of each chain's start. An ensemble's members are where they
     *  end, and predict numbers better after 3000. Default 1000; of chains where y is a class, where batch
     *  is not named either, as many twentieths of these as there are rows outside the most frequent class
     *  for each input, 2 to 20. */
    uint32_t start_steps;
    /** Steps of each chain's ascent to a mode at most: quasi-Newton after the optimisation, or scoring
     *  (iteratively reweighted least squares) from 0, without it, where there is no hidden layer. Of a fit
     *  by the evidence lower bound, of swag and of sgd its steps, all of them. Default 0: 3000, of such a
     *  fit 5000. */
    uint32_t ascent_steps;
    /** Trajectories of each chain before its draws count. Before each of the first nine tenths the mass is
     *  renewed; these are taken wherever they end and keep most of their momenta, which carries a chain
     *  from its start. The others and the draws are Hamiltonian Monte Carlo under the last mass, exact.
     *  Default 40. */
    uint32_t warmup;
    /** Trajectories of each chain that count, at least 1; of a Gaussian approximation its draws. A point
     *  has one. Default 6. */
    uint32_t draws;
    uint32_t keep; /**< Draws that each chain keeps for the model, evenly spread: 1 to draws. Default 3. */
    /** Leapfrog steps of a trajectory, at least 1; of the methods from tempered on its steps. Default 60. */
    uint32_t leapfrogs;
    /** 1: a chain is left out of the model if its log likelihood of the training data is not finite, or
     *  worse by more than drop_below than that of a model without inputs, unless all are. That model is
     *  N(0, 1) for a standardised target and equal chances for classes. Counts, a known noise, real
     *  numbers with standardise 0, and the methods from tempered to penalty have none: there a chain must
     *  only be finite. Methods that take the best chain ignore it. Outside the exact posterior. Default 1. */
    uint32_t drop;
    /** Training rows whose predictions are recorded at every draw, for diagnostics. Default 20. */
    uint32_t trace_rows;
    /** 1: plain loops, but AVX2 or NEON for 8 lanes. Changes speed, never a number. Default 0. */
    uint32_t portable;
    /** The number of the first chain: chain k is chain first_chain + k of an object from 0 on, to the bit.
     *  For chains dealt to threads, processes or machines: lcc_bnn_join_f64. Default 0. */
    uint32_t first_chain;
    /** Rows of each step of the start: a minibatch without replacement, the same of all chains, its
     *  likelihood times rows / batch; at most the rows. Of a fit by the evidence lower bound also of its
     *  steps; backprop takes the parts of a random partition, each epoch another. Of the methods from
     *  tempered on the rows of each chain's own minibatches, drawn anew at each step; a start takes them
     *  as of all methods. Swag has such too, and needs fewer than all rows: there is no other noise.
     *  Default 0: all of them, of swag and sgd 32, or half of fewer than 64. Of chains of Hamiltonian
     *  Monte Carlo with hidden layers, of 1000 rows or more, a quarter of the rows, at least 250 and at
     *  most 500, and four times start_steps; of classes 500 and twice. */
    uint32_t batch;
    /** variational-low-rank: columns beside the diagonal, 1 to 64; swag: 2 to 64, and at most half of its
     *  steps. Default 4. */
    uint32_t rank;
    /** Fits by the evidence lower bound: pairs e, -e of lists of normals for each gradient. 0: none, bound
     *  and gradient are integrals; of variational and variational-full, without hidden layers, of one
     *  output, all scales and the noise known. Default 4. */
    uint32_t pairs;
    /** backprop: 1: part i of the M of an epoch weighs the divergence by 2^(M-i)/(2^M - 1) in place of
     *  1/M. Default 0. */
    uint32_t halving;
    /** batched, penalty: minibatches of each step, at least 1; 2 where penalty is to estimate from them.
     *  Default 16. */
    uint32_t minibatches;
    /** An LCC_PENALTY_ code: penalty's. Default: the series. Controlled, with a batch of some of the rows:
     *  the start ends by scoring over all rows, at the mode where there is no hidden layer; after it no
     *  step goes over all of them, and the log likelihood of a draw is told by a minibatch times rows /
     *  batch. Wants double precision. */
    int32_t penalty;
    /** tempered, batched, penalty: 1: Barker's acceptance 1/(1 + e^x) in the place of min(1, e^-x).
     *  Default 0. */
    uint32_t barker;
    /** Of the methods from tempered on: 1: likelihoods of minibatches times rows / batch, hence T = 1.
     *  Default 0. */
    uint32_t full;
    /** An LCC_OPTIMISER_ code: how map and maximum-likelihood seek the mode. sgd: ascent_steps steps of
     *  stochastic gradient ascent from a random point (without hidden layers from 0), step t from 0 on
     *  rate / (n (delay + t)^decay) times the gradient by batch of the n rows, by the weights or, of a
     *  prior narrower than 1, in its sds. rate 0: the first step is half the reciprocal of the trace of
     *  the curvature where it is taken, and where the ascent runs away it begins anew with a quarter.
     *  decay 0: 3/4. Scales and noise that are learnt are updated in between, as they are without; the
     *  steps begin anew after each. Default: ascent. */
    int32_t optimiser;
    /** sgd: 1: the mode is the average of the later half of the points (Polyak and Juditsky 1992), 0: the
     *  last one. Default 1. */
    uint32_t average;
    uint64_t seed; /**< Names the random numbers. Default 1. */
    /** Nats a row: how much worse than a model without inputs a chain may be, see drop. Default 1. */
    double drop_below;
    double target_accept; /**< The acceptance that the step size is adapted to, inside (0, 1). Default .8. */
    /** The step size of a trajectory is uniform within this share of the adapted one, in [0, 1). Default
     *  .3. */
    double jitter;
    double first_step; /**< The step size before adaptation. Default .2. */
    /** The known sd of the noise, in the units of the standardised target; 0: sampled. Default 0. */
    double noise;
    /** The known degrees of freedom of student-t noise, at least 1; 0: sampled by bnn, 30 of other
     *  methods. Default 0. */
    double tail;
    double noise_shape; /**< Prior: the noise's precision is Gamma with this shape ... Default .5. */
    /** ... and this rate. Default 0: 5e-5 + .03 min(3, d/n)^3 for n rows of d inputs. With more inputs
     *  than rows a network fits them all, and without it the noise would be taken for none. */
    double noise_rate;
    /** Mean-variance and mixture: the least sd of the noise, in the units of the standardised target,
     *  without which their likelihood has no bound. Default 1e-3. */
    double floor;
    double size; /**< Negative binomial: the known size r, variance m + m^2 / r; 0: sampled. Default 0. */
    /** Prior: median of the scales of the first layer's weights (or the scale, where known). Default 0: 1,
     *  but where each input has its own scale min(1, max(1, n / 100) / d) for n rows of d inputs.
     *  Half-Cauchy scales sum to some d times their median, so that with few rows an input matters only if
     *  the data say so. */
    double input_scale;
    double bias_scale; /**< Prior: the same of every layer's biases. 0: none. Default 1. */
    /** Prior: the same of the weights between hidden layers, times 1/sqrt(units below). Default 1. */
    double hidden_scale;
    /** Prior: the same of the outputs' weights, times 1/sqrt(units below). Default 1;
     *  lcc_bnn_options_for_f64 has 10 for chains where y is a class. */
    double outer_scale;
    double linear_scale; /**< Prior: the same of the direct part. Default 1. */
    double intercept_sd; /**< Prior: the sd of the outputs' intercepts. Default 10. */
    /** Dropout: the probability that a hidden unit is left out, inside (0, 1). Default .1. */
    double dropout;
    /** backprop: the share, inside (0, 1), of the first part of the prior of each weight's z, N(0,
     *  wide^2), of which the other is N(0, narrow^2). 0: the prior is N(0, 1) as of all methods. Default
     *  0. */
    double mixture;
    double wide; /**< backprop: the sd of the mixture's first part. Default 1. */
    double narrow; /**< backprop: the sd of its second. Default e^-6. */
    /** Fits by the evidence lower bound: weights whose |mean| is below so many of their sds are 0 in the
     *  draws of the model. Default 0: none. */
    double prune;
    /** Starts: 0: Adam. Else gradient ascent: step t of n rows adds rate / (n (delay + t)) times the
     *  gradient of the log density, and the average of the second half of the steps is where the start
     *  ends (Robbins and Monro 1951; Polyak and Juditsky 1992). Default 0. */
    double rate;
    double delay; /**< The delay of that, of sgd and of decay, positive. Default 100. */
    /** Of the methods from tempered on: the step e, of walks z + e N(0, I), of sgld z + e grad + sqrt(2 e)
     *  N(0, I), z the coordinates in which the weights' prior is N(0, I). 0: steps are in sds of a
     *  diagonal Gaussian where the start ended, and the warm-up, a walk on the tempered posterior by all
     *  rows, finds e for an acceptance of .234; sgld then has e^2/2 of that for one of .8. Controlled
     *  penalties have z0 + sqrt(1 - e^2) (z - z0) + e N(0, Q^-1) with e at most 1, z0 the mode and Q the
     *  curvature there; 0: the same search, by minibatches. Of swag the step e of z + e grad; 0: in sds of
     *  such a Gaussian e is the smaller of 2 batch/rows and .1/coordinates. Default 0. */
    double step;
    /** sgld: draws have the steps e (1 + t/delay)^-decay, with 1/2 < decay <= 1, and stand at equal
     *  distances of their sum: each weighs what its steps do. 0: all are e. The same exponent of the
     *  optimiser sgd. Default 0. */
    double decay;
} lcc_bnn_options_f64;

/** Writes the defaults. */
int32_t lcc_bnn_options_default_f64(lcc_bnn_options_f64 *options);

/** Writes the defaults that suit a method and an output, with hidden layers (1) or without (0): units, activation,
 *  scales, draws and steps, alike in every host. LCC_INFERENCE_CHAINS has those of lcc_bnn_options_default_f64.
 *
 *  @param method  an LCC_INFERENCE_ code
 *  @param output  an LCC_OUTPUT_ code
 *  @return LCC_ERROR_METHOD, LCC_ERROR_OUTPUT: codes that are none; LCC_ERROR_SWITCH (hidden) */
int32_t lcc_bnn_options_for_f64(int32_t method, int32_t output, int32_t hidden, lcc_bnn_options_f64 *options);

/* ==== Problems: what is sampled ======================================================================= */

/** log p(x) of your own, up to a constant: writes it to logp and, unless grad is NULL, its gradient to
 *  grad (n values). Returns 0, or anything else where x is outside the support; so is what it writes NaN for. Called for one chain at a
 *  time, from the thread that calls the sampler; x, grad and logp are valid during the call only. The same
 *  x must give the same bits wherever resumed or repeated runs are to agree: compile it with
 *  -ffp-contract=off. */
typedef int (*lcc_density_f64)(size_t n, const double *x, double *grad, double *logp, void *ctx);

/** The same of `lanes` points at once, 1 or 8, for densities that are faster so: coordinate i of point k is
 *  x[i * lanes + k], as is its derivative in grad (NULL or n * lanes values), and logp holds `lanes` values, -INFINITY or
 *  NaN outside the support. Each point must have the bits that it has alone. Returns 0, or anything else where all are
 *  outside the support. */
typedef int (*lcc_densities_f64)(size_t n, size_t lanes, const double *x, double *grad, double *logp, void *ctx);

/** A posterior to sample. Its data are handed in beside it.
 *
 *  Greedy: p(w) ~ exp(alpha sum_i y_i psi(x_i.w)) p0(w), w in R^d, the y_i being residuals.
 *  Joint:  p(w_1..w_M) ~ exp(-(beta/2) sum_i (y_i - (outer/M) sum_m s_m psi(x_i.w_m))^2) prod p0(w_m).
 *  p0 is N(0, scale^2 I), or uniform on the l1 ball of radius scale.
 *  User:   p(x) by the callback, x in R^dim; no data (NULL), no prior. Chains start from N(0, scale^2 I),
 *  which is also what split HMC solves exactly and what independence Metropolis proposes: make scale
 *  about as large as the law is wide.
 *  Network: every parameter of a network of any depth and output under its prior. w are coordinates, N(0, 1)
 *  each under the law that chains start from: one for each parameter in units of its scale, and behind them, in
 *  units of their priors, the logarithms of the sampled scales and of the family's own (the noise's precision, r); lcc_read_model_f64
 *  makes networks of them. Its evidence is that of y.
 *  Layers: the joint posterior of several hidden layers, f = (outer/M) sum_m s_m psi(w_m . psi(... psi(W_1 x))), every row of
 *  every layer under p0. w are coordinates, N(0, 1) each under the prior; lcc_read_model_f64 makes networks of them. Under the
 *  l1 prior LCC_METHOD_GIBBS goes layer by layer, chain by chain whatever lanes are asked for. */
typedef struct {
    uint32_t struct_size; /**< sizeof(lcc_problem_f64), set by lcc_problem_default_f64. */
    int32_t posterior; /**< LCC_POSTERIOR_GREEDY, _JOINT, _USER, _NETWORK or _LAYERS. Default: greedy. */
    int32_t activation; /**< An LCC_ACTIVATION_ code. Default: tanh. */
    int32_t prior; /**< LCC_PRIOR_GAUSSIAN or LCC_PRIOR_L1_BALL. Default: Gaussian. */
    /** Joint, layers: LCC_SIGNS_ALTERNATING (+ - + - ...) or LCC_SIGNS_POSITIVE. Default: alternating. */
    int32_t signs;
    uint32_t neurons; /**< Joint: the neurons M, at least 1. Default 8. */
    double scale; /**< The prior's sd, or the radius of the l1 ball: positive. Default 1. */
    double alpha; /**< Greedy: alpha, positive. Default 1/sqrt(n). */
    double outer; /**< Joint, layers: the outer weight V, positive. Default 4. */
    double beta; /**< Joint, layers: the noise's precision beta, positive. Default 1. */
    lcc_density_f64 density; /**< User: the log density. Default NULL. */
    /** User: the same of several points at once, instead or beside it: then asked wherever there are
     *  several. Default NULL. */
    lcc_densities_f64 densities;
    void *context; /**< User: handed to the density. Default NULL. */
    size_t dim; /**< User: the coordinates of x, at least 1. Default 0. */
    /** User: 1 where the density writes gradients; 0 where it does not (grad is then always NULL), and
     *  random walk and independence are the methods. Default 1. */
    uint32_t gradient;
    uint32_t reserved; /**< Must be 0. */
    /** Network: its layers, activation, output, noise and prior, as lcc_bnn_options_f64 has them;
     *  student-t needs a known tail. The data are taken as they are: standardise, and what is about
     *  chains, mean nothing here. Layers: its widths are theirs; no other member is read. Default NULL. */
    const lcc_bnn_options_f64 *network;
    /** User: the frame x = m + L w in which it is sampled, N(m, LL') taking the place of N(0, scale^2 I):
     *  m, then L row by row (lcc_warmup_frame_f64), dim + dim (dim + 1)/2 numbers; L's diagonal is
     *  positive. Draws are of x. Not for lcc_auto_f64, which finds its own. Default NULL: none. */
    const double *frame;
    /** User: points x at which chains, and ascents of a warm-up (lcc_auto_f64's too), begin, one after
     *  another, dim numbers each: chain 0 at the first. Those beyond them begin about the points in turn,
     *  at draws of N(x, scale^2 I), or in a frame N(x, LL'), and so does an ascent whose point is outside
     *  the support. Read when they begin, and not by particles and tempered chains. Default NULL: draws
     *  about 0, or the frame's mean. */
    const double *start;
    size_t starts; /**< User: how many points. Default 0. */
} lcc_problem_f64;

/** Writes the defaults: a greedy posterior with tanh under N(0, I), alpha = 1/sqrt(n).
 *
 *  @param n  the rows of the data that will go with it, at least 1 */
int32_t lcc_problem_default_f64(lcc_problem_f64 *problem, size_t n);

/** The coordinates of w: d (greedy), M d (joint; w_1 first), dim (user), or those of a network or of its layers. */
int32_t lcc_problem_dim_f64(const lcc_problem_f64 *problem, const lcc_data_f64 *data, size_t *dim);

/** The bytes of scratch that lcc_problem_log_density_f64 needs. */
int32_t lcc_problem_scratch_f64(const lcc_problem_f64 *problem, const lcc_data_f64 *data, size_t *bytes);

/** log p(w) up to the posterior's own constant (the prior is normalised) and its gradient: what the
 *  samplers see, and a density for any other program. 4 n dim flops and n activations (n M for the
 *  joint posterior). Outside the l1 ball the density is -infinity and the gradient that of the
 *  likelihood alone.
 *
 *  @param w         dim values
 *  @param scratch   lcc_problem_scratch_f64 bytes
 *  @param gradient  out: dim values */
int32_t lcc_problem_log_density_f64(const lcc_problem_f64 *problem, const lcc_data_f64 *data, const double *w,
                                    uint8_t *scratch, size_t bytes, double *log_density, double *gradient);

/** The bytes of scratch that lcc_problem_draw_prior_f64 needs. */
int32_t lcc_problem_prior_scratch_f64(const lcc_problem_f64 *problem, const lcc_data_f64 *data,
                                      size_t *bytes);

/** Independent draws of w from the prior p0: out[k * dim + j] is coordinate j of draw k. One seed names
 *  one sequence, so that more draws begin with the same ones.
 *
 *  @param data     its data, for their columns
 *  @param draws    how many, at least 1
 *  @param scratch  lcc_problem_prior_scratch_f64 bytes
 *  @param out      out: draws * dim values
 *  @return LCC_ERROR_DRAWS */
int32_t lcc_problem_draw_prior_f64(const lcc_problem_f64 *problem, const lcc_data_f64 *data, uint64_t seed,
                                   size_t draws, uint8_t *scratch, size_t bytes, double *out, size_t len);

/* ==== Draws and their diagnostics ===================================================================== */

/** The draws of one scalar quantity, where they lie: draw t of chain c is
 *  data[c * chain_stride + t * draw_stride]. */
typedef struct {
    const double *data; /**< The first draw of the first chain. */
    size_t chains; /**< Chains. */
    size_t draws; /**< Draws of each chain. */
    size_t chain_stride; /**< Elements from one chain to the next. */
    size_t draw_stride; /**< Elements from one draw to the next. */
} lcc_draws_f64;

/** What the draws of one quantity say, with every definition as in ArviZ (rank-normalised split
 *  R-hat, bulk and tail effective sample size: Vehtari et al. 2021). NaN where a value is undefined:
 *  fewer than 4 draws a chain, or draws that are not finite. */
typedef struct {
    double mean; /**< The mean of all draws. */
    double sd; /**< Their standard deviation. */
    double q5; /**< 5 % quantile. */
    double median; /**< Median. */
    double q95; /**< 95 % quantile. */
    /** The Monte Carlo standard error of the mean (ArviZ's name; lcc_average_f64.standard_error of
     *  particles). */
    double mcse_mean;
    double mcse_sd; /**< The Monte Carlo standard error of the standard deviation. */
    double ess_bulk; /**< The effective sample size of the bulk. */
    double ess_tail; /**< The effective sample size of the tails. */
    double rhat; /**< R-hat: above 1.01 the chains do not agree. */
} lcc_summary_f64;

/** The bytes of scratch that lcc_draws_summarise_f64 and lcc_draws_quantile_f64 need.
 *
 *  @param draws  draws of each chain */
int32_t lcc_draws_scratch_f64(size_t chains, size_t draws, size_t *bytes);

/** Summarises the draws of one quantity. Sorts: about S log S comparisons for S draws in all, and S
 *  multiply-adds for each lag until the autocorrelation is gone.
 *
 *  @param scratch  lcc_draws_scratch_f64 bytes, aligned as the draws */
int32_t lcc_draws_summarise_f64(const lcc_draws_f64 *draws, uint8_t *scratch, size_t bytes,
                                lcc_summary_f64 *summary);

/** A quantile of all draws, and the effective sample size of its estimate.
 *
 *  @param p        a probability inside (0, 1)
 *  @param scratch  lcc_draws_scratch_f64 bytes, aligned as the draws
 *  @param ess      out: NaN as in a summary
 *  @return as lcc_draws_summarise_f64; LCC_ERROR_PROBABILITY */
int32_t lcc_draws_quantile_f64(const lcc_draws_f64 *draws, double p, uint8_t *scratch, size_t bytes,
                               double *quantile, double *ess);

/** The shape k of the heavier tail of all draws, of a generalised Pareto law at either end. From 1/2 on the law has no
 *  variance, from 1 on no mean; where it is too heavy, above .7 by more than its standard error and 10 sds long, the mean
 *  and sd are led by a few draws, and mcse_mean says nothing: take quantiles.
 *
 *  @param scratch  lcc_draws_scratch_f64 bytes, aligned as the draws
 *  @param k        out: NaN of fewer than 25 draws, or of ends that are one value
 *  @param heavy    out: 1 where it is too heavy, else 0 */
int32_t lcc_draws_tail_f64(const lcc_draws_f64 *draws, uint8_t *scratch, size_t bytes, double *k,
                           int32_t *heavy);

/** E-BFMI of one chain from its energies (Betancourt 2016): below .3 the momenta hardly move the
 *  energy.
 *
 *  @param energy  the energies of every chain
 *  @param e_bfmi  out: NaN for fewer than two draws or a constant chain */
int32_t lcc_draws_e_bfmi_f64(const lcc_draws_f64 *energy, size_t chain, double *e_bfmi);

/** The means of pairs of chains, draw by draw, chain by chain: of antithetic pairs, the draws whose
 *  mcse_mean is the standard error of the mean of all draws.
 *
 *  @param draws   2 k chains; a last one without a partner is left out
 *  @param means   out: a view of values, k chains
 *  @param values  out: k * draws values
 *  @return LCC_ERROR_EMPTY (fewer than two chains) */
int32_t lcc_draws_pair_means_f64(const lcc_draws_f64 *draws, lcc_draws_f64 *means, double *values,
                                 size_t capacity);

/* ==== Leave-one-out =================================================================================== */

/** What the draws say of one row. NaN where a log likelihood is not finite. */
typedef struct {
    double elpd; /**< log p(y_i | y without i), estimated. */
    double mcse; /**< Its Monte Carlo standard error; holds while k is below the limit. */
    /** Pareto k of its weights: above the limit this row moves the posterior too much for elpd to be
     *  relied on. */
    double k;
    /** log p(y_i | y): in sample. lpd - elpd is what the row adds to the effective number of parameters. */
    double lpd;
    /** The variance of its log likelihood: WAIC's number of parameters. WAIC's elpd is lpd - p_waic. */
    double p_waic;
} lcc_loo_row_f64;

/** All rows together: sums, each with its standard error over rows. */
typedef struct {
    size_t rows; /**< Rows. */
    size_t bad; /**< Rows with k above the limit, or without a number. */
    double k_limit; /**< The limit of k for so many draws: min(1 - 1/log10 S, .7). */
    double k_max; /**< The largest k. */
    double elpd; /**< The expected log predictive density of rows like these: larger is better. */
    double elpd_error; /**< Its standard error. */
    /** The Monte Carlo part of it, of the draws alone, as if those of rows were independent: what draws
     *  err at like rows alike makes it larger. */
    double mcse;
    double p; /**< The effective number of parameters. */
    double p_error; /**< Its standard error. */
    double elpd_waic; /**< WAIC's estimate of elpd. */
    double elpd_waic_error; /**< Its standard error. */
    double p_waic; /**< WAIC's number of parameters. */
    double p_waic_error; /**< Its standard error. */
} lcc_loo_f64;

/** Leave-one-out predictive densities by Pareto-smoothed importance sampling (Vehtari, Simpson, Gelman, Yao and Gabry
 *  2024), and WAIC, from the log likelihood of each row under each draw: of a density of one's own as the caller
 *  computed it, of a network from lcc_model_log_likelihood_f64. The relative effective size of the draws is that of
 *  the likelihood over its chains; of fewer than 4 draws a chain as of independent ones. A sort a row, and some 30
 *  logarithms for each of its min(S/5, 3 sqrt S) largest weights.
 *
 *  @param log_likelihood  that of the first row
 *  @param rows            at least 1
 *  @param row_stride      elements from one row to the next
 *  @param scratch         lcc_draws_scratch_f64 bytes, aligned as the draws
 *  @param out             out: one a row */
int32_t lcc_loo_estimate_f64(const lcc_draws_f64 *log_likelihood, size_t rows, size_t row_stride,
                             uint8_t *scratch, size_t bytes, lcc_loo_row_f64 *out, size_t len,
                             lcc_loo_f64 *report);

/** By how much the expected log predictive density of model a is larger than that of b, from the same rows in the
 *  same order, and the standard error of that: |difference| below some 4, or below twice its error, decides nothing.
 *
 *  @param rows            of each
 *  @param standard_error  out: NaN of one row */
int32_t lcc_loo_compare_f64(const lcc_loo_row_f64 *a, const lcc_loo_row_f64 *b, size_t rows,
                            double *difference, double *standard_error);

/* ==== Parameters with constraints ===================================================================== */

/** A parameter of a density of one's own: a scalar, vector or matrix under a constraint, or several one after another.
 *  A list of them maps coordinates x in R^n, where samplers live, to the elements y, parameter after parameter;
 *  matrices row by row. The definitions are Stan's (Reference Manual, "Constraint Transforms"). */
typedef struct {
    const char *name; /**< Its name, for lcc_parameters_name_f64; may be NULL. */
    int32_t constraint; /**< An LCC_CONSTRAINT_ code. */
    /** K: elements of a vector, rows of a matrix; of free, bounded and affine ones that many scalars. */
    uint32_t size;
    size_t count; /**< How many of these, one after another: 1 of a lone one. */
    double lower; /**< The lower bound; affine: the offset. */
    double upper; /**< The upper bound; affine: the multiplier, positive. */
} lcc_parameter_f64;

/** The coordinates of x and the elements of y.
 *
 *  @return LCC_ERROR_CONSTRAINT, as all that follow */
int32_t lcc_parameters_dims_f64(const lcc_parameter_f64 *parameters, size_t count, size_t *coordinates,
                                size_t *elements);

/** y of x, and log |det dy/dx|: what to add to log p(y) for a density of x. It is -infinity, and p(y) is not to be
 *  asked for, where y overflows or rounding puts it on the edge of its constraint (exp(-800) is 0). Some 30 flops an
 *  element.
 *
 *  @param x    as many coordinates as there are
 *  @param y    out: the elements
 *  @param len  the elements that fit there */
int32_t lcc_parameters_constrain_f64(const lcc_parameter_f64 *parameters, size_t count, const double *x,
                                     double *y, size_t len, double *log_jacobian);

/** The gradient by x of log p(y(x)) + log |det dy/dx|.
 *
 *  @param x    as many coordinates as there are
 *  @param y    what lcc_parameters_constrain_f64 made of x
 *  @param dy   the gradient of log p by y, each element by itself
 *  @param dx   out: the gradient by x
 *  @param len  the coordinates that fit there */
int32_t lcc_parameters_pull_back_f64(const lcc_parameter_f64 *parameters, size_t count, const double *x,
                                     const double *y, const double *dy, double *dx, size_t len);

/** x of y: where chains are to start. Sums and norms of y may be off by the root of epsilon; of a unit vector
 *  x is y.
 *
 *  @param y    as many elements as there are
 *  @param x    out: the coordinates
 *  @param len  the coordinates that fit there
 *  @return LCC_ERROR_SUPPORT where y does not satisfy its constraints */
int32_t lcc_parameters_unconstrain_f64(const lcc_parameter_f64 *parameters, size_t count, const double *y,
                                       double *x, size_t len);

/** The name of an element of y, zero-terminated, indices from 1: sigma, theta[2], L[2,1]; of several theta[3,2],
 *  element 2 of the third.
 *
 *  @param text    out: the name; nothing where it does not fit
 *  @param length  out: its bytes without the zero */
int32_t lcc_parameters_name_f64(const lcc_parameter_f64 *parameters, size_t count, size_t element, char *text,
                                size_t bytes, size_t *length);

/* ==== Gradients of one's own ========================================================================== */

/** What a density of one's own was seen to do at some points. */
typedef struct {
    size_t points; /**< Points. */
    size_t outside; /**< Points outside the support, or with a value or a gradient that is no number. */
    size_t first_outside; /**< The first of them; points where there is none. */
    size_t unequal; /**< Points at which the value beside a gradient was not the value alone, bit for bit. */
    /** Coordinates, over all points, at which the gradient is wrong: relative above the cube root of
     *  epsilon. */
    size_t wrong;
    /** Coordinates, over all points, next to which there was no support to take differences in. */
    size_t unchecked;
    size_t point; /**< The point of what follows, that with the largest relative. */
    size_t coordinate; /**< The coordinate there. */
    double gradient; /**< What the density wrote. */
    double difference; /**< The finite difference. */
    double error; /**< How far that may be off. */
    /** By how much more they differ than that, over the larger of the two: 1 where one is missing, 2 where
     *  the sign is wrong. */
    double relative;
} lcc_gradient_check_f64;

/** Compares the gradient that a density of one's own writes with finite differences, of steps by the precision and
 *  extrapolated, at points given or drawn from N(0, scale^2 I): `wrong` is 0 and `outside` too where all is well.
 *  Looks as well whether the value is the same without a gradient. At most 18 calls a coordinate and point.
 *
 *  @param x        points times dim values, or NULL: drawn
 *  @param points   at least 1
 *  @param scratch  lcc_problem_scratch_f64 bytes
 *  @return LCC_ERROR_POSTERIOR where it is none of one's own, LCC_ERROR_NO_GRADIENT, LCC_ERROR_NOT_FINITE_VALUE (x) */
int32_t lcc_density_check_f64(const lcc_problem_f64 *problem, const double *x, size_t points, uint64_t seed,
                              uint8_t *scratch, size_t bytes, lcc_gradient_check_f64 *check);

/* ==== The draws of a handle =========================================================================== */

/** Quantities of a draw x (n values): writes `count` of them. Returns 0, or anything else where they are undefined: all
 *  are NaN then. */
typedef int (*lcc_quantities_f64)(size_t n, const double *x, size_t count, double *values, void *ctx);

/** The stored draws of one coordinate of w so far: a view into the handle's memory, valid until the next
 *  step. Of lcc_tempering_f64 those at temperature 1. Particles are equally weighted, each a chain of one draw:
 *  lcc_smc_average_f64 and lcc_auto_average_f64 have their mean with its error; lcc_draws_summarise_f64 would take
 *  them as independent, and finds one draw a chain too few. In lcc_auto_f64 chains 2 k and 2 k + 1 are antithetic
 *  pairs, which before the run is over may yet be given up for others.
 *
 *  @param handle      of lcc_sampler_f64, lcc_smc_f64, lcc_tempering_f64 or lcc_auto_f64
 *  @param coordinate  below lcc_problem_dim_f64 (neuron m's coordinate j is m * d + j)
 *  @return LCC_ERROR_NOT_DONE */
int32_t lcc_read_draws_f64(const void *handle, size_t coordinate, lcc_draws_f64 *draws);

/** What is recorded beside each stored draw: a view as lcc_read_draws_f64 gives.
 *
 *  @param trace  LCC_TRACE_LOG_DENSITY; of particles and tempered chains LCC_TRACE_LOG_LIKELIHOOD, of
 *                others LCC_TRACE_ACCEPT, _ENERGY and _DIVERGENT
 *  @return LCC_ERROR_NOT_DONE */
int32_t lcc_read_trace_f64(const void *handle, int32_t trace, lcc_draws_f64 *draws);

/** The network's output at one row for every stored draw: psi(x_q.w) (greedy) or f(x_q; W) (joint).
 *  Its expectation is what the papers ask for, and its R-hat what to look at: weights may be
 *  permuted from draw to draw, outputs may not.
 *
 *  @param problem  that which the handle was made with
 *  @param queries  rows with the inputs of the data; y may be NULL
 *  @param out      out: draw t of chain c at out[c * draws + t], draws being those stored so far
 *  @param len      the values at out, at least chains * draws
 *  @param draws    out: a view of them, ready for lcc_draws_summarise_f64 or an average
 *  @return LCC_ERROR_NOT_DONE; LCC_ERROR_DATA_CHANGED (the draws are of another problem) */
int32_t lcc_read_output_f64(const void *handle, const lcc_problem_f64 *problem, const lcc_data_f64 *queries,
                            size_t row, double *out, size_t len, lcc_draws_f64 *draws);

/** Generated quantities: what a function makes of every draw stored so far, during a run or after it; of constrained
 *  parameters it begins with lcc_parameters_constrain_f64. A call a draw.
 *
 *  @param count   quantities of a draw, at least 1
 *  @param x       scratch: as many values as a draw has coordinates
 *  @param dim     the values at x
 *  @param values  out: quantity k of draw t of chain c at values[(c * draws + t) * count + k], draws being those stored
 *                 so far
 *  @param len     the values at values, at least chains * draws * count
 *  @param first   out: a view of quantity 0, ready for lcc_draws_summarise_f64 or an average: data + k is that of
 *                 quantity k
 *  @return LCC_ERROR_NOT_DONE */
int32_t lcc_read_quantities_f64(const void *handle, lcc_quantities_f64 quantities, void *context,
                                size_t count, double *x, size_t dim, double *values, size_t len,
                                lcc_draws_f64 *first);

/** The bytes of scratch that lcc_read_model_f64 needs, and of the model of the draws stored so far.
 *
 *  @param problem  a posterior of LCC_POSTERIOR_NETWORK, LCC_POSTERIOR_JOINT or LCC_POSTERIOR_LAYERS
 *  @return LCC_ERROR_NOT_DONE, LCC_ERROR_POSTERIOR, LCC_ERROR_INPUTS (another number of coordinates), LCC_ERROR_DATA_CHANGED
 *          (the draws are of another problem or other data) */
int32_t lcc_read_model_size_f64(const void *handle, const lcc_problem_f64 *problem, const lcc_data_f64 *data,
                                size_t *bytes, size_t *model);

/** Writes the draws of a network stored so far as a model (a posterior image), chain by chain: what predicts. The noise of a
 *  joint posterior is Gaussian of the sd beta^(-1/2).
 *
 *  @param scratch  as many bytes as lcc_read_model_size_f64 says
 *  @param model    out: as many bytes as it says, of any alignment
 *  @return as lcc_read_model_size_f64; LCC_ERROR_IMAGE_VALUE (a draw is not finite) */
int32_t lcc_read_model_f64(const void *handle, const lcc_problem_f64 *problem, const lcc_data_f64 *data,
                           uint8_t *scratch, size_t bytes, uint8_t *model, size_t capacity, size_t *written);

/* ==== Samplers ======================================================================================== */

/** A sampler of a posterior, in the caller's memory. */
typedef struct lcc_sampler_f64 lcc_sampler_f64;

/** What a sampler is asked to do. */
typedef struct {
    uint32_t struct_size; /**< The bytes of this struct, as the defaults have it. */
    int32_t method; /**< An LCC_METHOD_ code. Default: split-HMC. */
    /** Methods on xi: LCC_COUPLING_ONE_SIDED or LCC_COUPLING_TWO_SIDED. Default: one-sided. */
    int32_t coupling;
    /** Methods on xi: 1 couples only by the precision that the Gaussian prior's own curvature does not
     *  give. Refused under the l1 prior. Default 0. */
    uint32_t reduced;
    /** An LCC_REFERENCE_ code: what split HMC solves exactly, independence proposes from, and the steps of
     *  the others are scaled by. A fitted one needs lcc_sampler_init_from_smc_f64. Default: the prior. */
    int32_t reference;
    /** 1 runs chains 2 k and 2 k + 1 on the same random numbers, normals negated. Each is as exact as
     *  alone; take R-hat and ESS from one chain of each pair (double chain_stride, halve chains), standard
     *  errors from the means of pairs (lcc_draws_pair_means_f64). Needs an even number of chains. Default
     *  0. */
    uint32_t antithetic;
    uint32_t chains; /**< Chains, at least 1. Default 8. */
    /** Chains that advance in lock-step: 1 or 8. Changes speed and memory, never a number. Default 8. */
    uint32_t lanes;
    /** Iterations of each chain that adapt its step size and are discarded. Default 1000. */
    uint32_t warmup;
    uint32_t draws; /**< Iterations of each chain that count, at least 1. Default 1000. */
    uint32_t stored; /**< How many of them are stored, evenly spread; 0 keeps moments only. Default 1000. */
    /** Split HMC, HMC, reflection and Riemannian HMC: evaluations of the gradient in one transition, at
     *  least 1. Default 4. */
    uint32_t leapfrogs;
    /** Methods on xi: inner transitions for each xi, at least 1. Adjusted Langevin: for the mean and again
     *  for the ratio, at xi and at the proposal; 1 counts as 2, the fewest that tell a variance. Default
     *  1. */
    uint32_t inner;
    /** Langevin on xi, reverse diffusion: 1 starts every inner chain afresh from the prior, 0 where the
     *  last one ended. Default 0. */
    uint32_t fresh;
    /** The same: transitions of a fresh inner chain before those that are averaged. Default 10. */
    uint32_t burn_in;
    uint32_t levels; /**< Reverse diffusion: steps from tau* to 0, at least 1. Default 8. */
    /** 1: plain loops, but AVX2 or NEON for 8 lanes. Changes speed, never a number. Default 0. */
    uint32_t portable;
    /** Methods on xi: the kernel of w given xi, the LCC_METHOD_ code of an exact method that is not on xi
     *  itself. Default: split HMC. */
    int32_t inner_method;
    /** The number of the first chain: chain k is chain first_chain + k of an object from 0 on, to the bit.
     *  For chains dealt to threads, processes or machines: lcc_sampler_join_f64. Even in antithetic pairs.
     *  Default 0. */
    uint32_t first_chain;
    /** 1: the step size is not adapted but total_time all along, divided by leapfrogs where the method
     *  takes several; the warm-up only lets chains forget their starts. With jitter 0 MALA and the random
     *  walk are then those of a fixed eta: a step e is eta = e^2/2 of MALA, and the walk's sd. Default 0. */
    uint32_t fixed;
    uint64_t seed; /**< Names the random numbers. Default 1. */
    /** Split HMC and HMC: the mean probability of acceptance that the step size is adapted to, inside (0,
     *  1). Default .85. */
    double target_accept;
    /** The longest transition, in radians of the rotation under the reference (reflection: in prior sds of
     *  a coordinate; Riemannian: in its metric); in (0, 3]. Default 1.6. */
    double total_time;
    /** Each transition scales its step by a uniform factor in 1 +- jitter; in [0, 1). Default .2. */
    double jitter;
    /** Split HMC, HMC and MALA: the share of transitions whose steps are shorter instead, by the cube of a
     *  uniform number, so that some fit wherever a chain may be; in [0, 1). 0: 1/8 on the l1 ball, else
     *  none. Default 0. */
    double short_steps;
    double langevin_step; /**< Langevin: the step h, in (0, 2]. Default .25. */
    /** Reverse diffusion: tau*, in (0, 4]; it ends at a coupling e^(2 tau*) times as precise as that at
     *  which it begins. Default .7. */
    double diffusion_time;
} lcc_sampler_options_f64;

/** Writes the defaults. */
int32_t lcc_sampler_options_default_f64(lcc_sampler_options_f64 *options);

/** The bytes that a sampler takes.
 *
 *  @return LCC_ERROR_NO_COUPLING */
int32_t lcc_sampler_size_f64(const lcc_sampler_options_f64 *options, const lcc_problem_f64 *problem,
                             const lcc_data_f64 *data, size_t *bytes);

/** Builds a sampler at the start of a block of memory. Reads the data, and for a coupled method forms
 *  rho and its d x d factor (3 n d^2 flops). Chains start at draws from the prior in the first step.
 *
 *  @return LCC_ERROR_IMPROPER, LCC_ERROR_NO_COUPLING, LCC_ERROR_REDUCED, LCC_ERROR_NO_GRADIENT,
 *          LCC_ERROR_NO_PILOT, LCC_ERROR_NEEDS_BALL */
int32_t lcc_sampler_init_f64(uint8_t *memory, size_t bytes, const lcc_sampler_options_f64 *options,
                             const lcc_problem_f64 *problem, const lcc_data_f64 *data,
                             lcc_sampler_f64 **sampler);

/** Works until the budget is used up, or to the end. A unit of work (one transition of a block of
 *  chains) is never split: a call overshoots by less than (leapfrogs + 1) * n * lanes
 *  (hit-and-run: 65 * n * lanes for each of its lines, mostly 10).
 *
 *  @return LCC_ERROR_START (the density is not finite at a start, a point that one's own function was asked for in
 *          this call) */
int32_t lcc_sampler_step_f64(lcc_sampler_f64 *sampler, const lcc_problem_f64 *problem,
                             const lcc_data_f64 *data, uint64_t budget);

/** Mean and variance of each coordinate of w over all draws of one chain so far, stored or not.
 *
 *  @param mean      out: dim values
 *  @param variance  out: dim values (denominator draws - 1; NaN below two draws)
 *  @param dim       lcc_problem_dim_f64 */
int32_t lcc_sampler_moments_f64(const lcc_sampler_f64 *sampler, size_t chain, double *mean, double *variance,
                                size_t dim);

/** R-hat of one coordinate from the means and variances of the chains, over every draw so far, stored
 *  or not (Gelman and Rubin 1992: not split, not rank-normalised; blind to a drift that all chains
 *  share). The check that is left where there is no memory for draws.
 *
 *  @param rhat  out: NaN for one chain
 *  @return LCC_ERROR_NOT_DONE before the second draw */
int32_t lcc_sampler_rhat_f64(const lcc_sampler_f64 *sampler, size_t coordinate, double *rhat);

/** The step size of one chain, in radians of the rotation under the reference. */
int32_t lcc_sampler_step_size_f64(const lcc_sampler_f64 *sampler, size_t chain, double *step_size);

/** Puts chains together that ran apart, in threads, processes or machines: takes over the chains of parts
 *  and becomes, in everything that it reports or goes on to draw, bit for bit the sampler that would have run
 *  them all.
 *
 *  Parts are handles of the same data and options, chains, first_chain, lanes and portable apart, in the
 *  order of their chains and without a gap. All stand at the same place, between iterations of all chains: at their
 *  end, or where steps of a budget of 1, which never go past one, have brought them. What the sampler
 *  held before does not matter: a part may as well be made from a whole, to go on with its share. Parts from other
 *  processes come as checkpoints. Copies, no flops.
 *
 *  @param sampler  the handle: made as if to run all chains
 *  @param parts    handles, none of them this one; unchanged
 *  @return LCC_ERROR_PARTS */
int32_t lcc_sampler_join_f64(lcc_sampler_f64 *sampler, const lcc_sampler_f64 *const *parts, size_t count);

/* ==== Sequential Monte Carlo ========================================================================== */

/** Particles that climb from the prior to the posterior, in the caller's memory. */
typedef struct lcc_smc_f64 lcc_smc_f64;

/** What a run of sequential Monte Carlo is asked to do. */
typedef struct {
    uint32_t struct_size; /**< The bytes of this struct, as the defaults have it. */
    int32_t ladder; /**< An LCC_LADDER_ code. Default: adaptive. */
    uint32_t particles; /**< Particles, at least 2 and a multiple of the lanes. Default 1024. */
    /** Particles that advance in lock-step: 1 or 8. Changes speed and memory, never a number. Default 8. */
    uint32_t lanes;
    /** Temperatures, at least 1; of an adaptive ladder the most there is room for. Default 100. */
    uint32_t stages;
    uint32_t moves; /**< Transitions of every particle at each temperature, at least 1. Default 2. */
    /** Evaluations of the gradient in one transition, at least 1. Default 2: more, shorter transitions
     *  adapt sooner, and what a particle does not travel resampling makes up for. */
    uint32_t leapfrogs;
    /** 1 adapts the step size to target_accept, 0 leaves it at total_time / leapfrogs; 0, about the prior
     *  and on a ladder that is not adaptive, makes the estimate of the evidence unbiased: adaptation
     *  leaves a bias of order 1/particles. Of cooling an adapted step starts at first times that. Default
     *  1. */
    uint32_t adapt;
    /** 1: plain loops, but AVX2 or NEON for 8 lanes. Changes speed, never a number. Default 0. */
    uint32_t portable;
    /** An LCC_REFERENCE_ code: what the transitions solve exactly. The Gaussian is fitted once a
     *  temperature, to the resampled particles that are then moved, and serves all of them: about a
     *  posterior far from the prior steps are longer, at N dim^2 flops a temperature and 2 dim^2 an
     *  evaluation more. With leapfrogs 1 it gave 1.6 times the effective draws a second on a near-Gaussian
     *  greedy posterior of 10 inputs, and up to 20 times the effective draws where coordinates are tied;
     *  near the prior, under the l1 prior and with several modes the prior was as good or better. That the
     *  fit depends on the particles it moves leaves a bias of order 1/particles in the evidence and in the
     *  means, as adaptation does, even on a fixed ladder. For an evidence without bias and particles about
     *  a fit, make two runs: a fitted one, then one about the prior on its temperatures, given, with adapt
     *  0. A fit is as narrow as its particles: where a ladder takes steps that leave only a few of them,
     *  the prior is the safer reference. The other references are refused. Default: the prior. */
    int32_t reference;
    uint64_t seed; /**< Names the random numbers. Default 1. */
    /** Adaptive ladder, rows and cooling: the share of the particles that a step may leave, inside (0, 1).
     *  Default .5. */
    double share;
    /** Geometric ladder: the first temperature; cooling: the first sd, in units of the prior's sd or
     *  radius. In (0, 1]; cooling: at least 3e-8 in double, 7e-4 in single precision. Default .01. */
    double first;
    /** The mean probability of acceptance that the step size is adapted to, inside (0, 1). Default .85. */
    double target_accept;
    /** The first and longest transition, in radians of the reference's rotation: the step starts at
     *  total_time / leapfrogs and is never longer. In (0, 3]. Default 1.6. */
    double total_time;
    /** Each transition scales its step by a uniform factor in 1 +- jitter; in [0, 1). Default .2. */
    double jitter;
} lcc_smc_options_f64;

/** Where a run is. */
typedef struct {
    uint64_t gradients; /**< Evaluations of the gradient so far, summed over particles. */
    uint32_t stages; /**< Temperatures done with. */
    uint32_t done; /**< 1 once the particles are draws from the posterior. */
    /** The last temperature that particles were resampled at, 0 before the first, 1 at the end. */
    double temperature;
} lcc_climb_f64;

/** The evidence: the integral of the likelihood over the normalised prior. */
typedef struct {
    /** Draws from the prior that have descendants among the particles. With a handful left the errors say
     *  little: more particles, or more temperatures. */
    uint64_t families;
    double log; /**< Its logarithm. */
    /** The standard error of that, from the same run: the root of the sum over families of (share of the
     *  weights - 1/N)^2, a family being the particles that descend from one draw of the prior (Chan and
     *  Lai 2013). High rather than low under systematic resampling, by at most 1/(4 N) in the variance a
     *  temperature. */
    double standard_error;
} lcc_evidence_f64;

/** One temperature. */
typedef struct {
    double temperature; /**< lambda. */
    double ess; /**< The effective sample size of the weights that led here, as a share of the particles. */
    double acceptance; /**< The mean probability of acceptance of the transitions made here. */
    double step; /**< The step size of the last of them, in radians of the reference's rotation. */
} lcc_stage_f64;

/** What a row was predicted to be. */
typedef struct {
    /** The log of the mean likelihood of the row under the posterior given the rows before it. Their sum
     *  over the rows is the log evidence; of a joint posterior, whose likelihood lacks it, (1/2)
     *  log(beta/(2 pi)) more is the log predictive density of the target. */
    double log_likelihood;
    double mean; /**< E f(x), or E psi(x.w), under the same posterior: the prediction of the row. */
} lcc_predicted_f64;

/** A mean over the particles. */
typedef struct {
    double mean; /**< The mean. */
    double variance; /**< The variance of the quantity, with denominator N - 1. */
    /** The standard error of the mean: the root of the sum over families of (sum over the family (value -
     *  mean) / N)^2. Particles that descend from one draw from the prior count as dependent, so it is high
     *  rather than low; infinite where all are of one family. */
    double standard_error;
} lcc_average_f64;

/** Writes the defaults. */
int32_t lcc_smc_options_default_f64(lcc_smc_options_f64 *options);

/** The bytes that a run takes.
 *
 *  @return LCC_ERROR_NO_GRADIENT */
int32_t lcc_smc_size_f64(const lcc_smc_options_f64 *options, const lcc_problem_f64 *problem,
                         const lcc_data_f64 *data, size_t *bytes);

/** Builds a run at the start of a block of memory. Particles are drawn from the prior in the first
 *  step.
 *
 *  @param options  what to do; a ladder that is given needs lcc_smc_init_given_f64
 *  @return LCC_ERROR_IMPROPER, LCC_ERROR_TEMPERATURES, LCC_ERROR_NO_GRADIENT */
int32_t lcc_smc_init_f64(uint8_t *memory, size_t bytes, const lcc_smc_options_f64 *options,
                         const lcc_problem_f64 *problem, const lcc_data_f64 *data, lcc_smc_f64 **smc);

/** As lcc_smc_init_f64, on temperatures of your own: options.ladder is LCC_LADDER_GIVEN and
 *  options.stages their number. They are copied.
 *
 *  @param temperatures  increasing, above 0, the last one 1
 *  @return as lcc_smc_init_f64 */
int32_t lcc_smc_init_given_f64(uint8_t *memory, size_t bytes, const lcc_smc_options_f64 *options,
                               const double *temperatures, size_t count, const lcc_problem_f64 *problem,
                               const lcc_data_f64 *data, lcc_smc_f64 **smc);

/** Works until the budget is used up, or to the end. A unit of work (one transition of a block of
 *  particles, or a resampling of all) is never split.
 *
 *  @return LCC_ERROR_START (the likelihood is not finite at a draw from the prior, or none lies in its
 *          support), LCC_ERROR_STAGES */
int32_t lcc_smc_step_f64(lcc_smc_f64 *smc, const lcc_problem_f64 *problem, const lcc_data_f64 *data,
                         uint64_t budget);

/** Where a run is: lcc_read_progress, and the temperature. */
int32_t lcc_smc_climb_f64(const lcc_smc_f64 *smc, lcc_climb_f64 *climb);

/** The evidence.
 *
 *  @return LCC_ERROR_NOT_DONE before the last temperature */
int32_t lcc_smc_evidence_f64(const lcc_smc_f64 *smc, lcc_evidence_f64 *evidence);

/** One of the temperatures done with. */
int32_t lcc_smc_stage_f64(const lcc_smc_f64 *smc, size_t index, lcc_stage_f64 *stage);

/** A row of LCC_LADDER_ROWS, once it has been let in.
 *
 *  @param row  from 0
 *  @return LCC_ERROR_INDEX before, and of other ladders */
int32_t lcc_smc_predicted_f64(const lcc_smc_f64 *smc, size_t row, lcc_predicted_f64 *predicted);

/** The mean of a quantity over the particles, with its error.
 *
 *  @param values   one a particle, as lcc_read_draws_f64 or lcc_read_output_f64 view them
 *  @param scratch  as many values as there are particles
 *  @return LCC_ERROR_NOT_DONE, LCC_ERROR_PARTICLES (the values are of others) */
int32_t lcc_smc_average_f64(const lcc_smc_f64 *smc, const lcc_draws_f64 *values, double *scratch, size_t len,
                            lcc_average_f64 *average);

/** For each particle, the draw from the prior, from 0, that it descends from.
 *
 *  @param origins  out: one a particle */
int32_t lcc_smc_origins_f64(const lcc_smc_f64 *smc, uint32_t *origins, size_t len);

/** As lcc_sampler_init_f64, with chains that start at particles of a finished run, and with a
 *  reference fitted to them where the options ask for one. The run's memory may go afterwards. Such
 *  chains need a warm-up for their step sizes only.
 *
 *  @return as lcc_sampler_init_f64; LCC_ERROR_NOT_DONE (the run), LCC_ERROR_DATA_CHANGED (it was made with
 *          another problem or other data) */
int32_t lcc_sampler_init_from_smc_f64(uint8_t *memory, size_t bytes, const lcc_sampler_options_f64 *options,
                                      const lcc_problem_f64 *problem, const lcc_data_f64 *data,
                                      const lcc_smc_f64 *smc, lcc_sampler_f64 **sampler);

/* ==== Parallel tempering ============================================================================== */

/** Chains of replicas between the prior and the posterior, in the caller's memory. */
typedef struct lcc_tempering_f64 lcc_tempering_f64;

/** What parallel tempering is asked to do. */
typedef struct {
    uint32_t struct_size; /**< The bytes of this struct, as the defaults have it. */
    uint32_t chains; /**< Chains, at least 1: ladders that run independently of one another. Default 8. */
    /** Chains that advance in lock-step: 1 or 8. Changes speed and memory, never a number. Default 8. */
    uint32_t lanes;
    /** Temperatures of a chain, at least 1; the prior stands below them besides. Default 5. */
    uint32_t temperatures;
    uint32_t moves; /**< Transitions of every replica between swaps, at least 1. Default 1. */
    uint32_t warmup; /**< Iterations that adapt step sizes and are discarded. Default 500. */
    uint32_t draws; /**< Iterations that count, at least 1. Default 1000. */
    uint32_t stored; /**< How many of them are stored, evenly spread. Default 1000. */
    uint32_t leapfrogs; /**< Evaluations of the gradient in one transition, at least 1. Default 3. */
    /** 1: plain loops, but AVX2 or NEON for 8 lanes. Changes speed, never a number. Default 0. */
    uint32_t portable;
    uint64_t seed; /**< Names the random numbers. Default 1. */
    /** The mean probability of acceptance that step sizes are adapted to, inside (0, 1). Default .85. */
    double target_accept;
    /** The longest transition, in radians of the prior's rotation; in (0, 3]. Default 1.6. */
    double total_time;
    /** Each transition scales its step by a uniform factor in 1 +- jitter; in [0, 1). Default .2. */
    double jitter;
} lcc_tempering_options_f64;

/** One temperature of one chain, over the draws so far. */
typedef struct {
    double temperature; /**< lambda. */
    /** The mean probability of acceptance of the transitions; NaN before there are any. */
    double acceptance;
    double swap; /**< The mean probability of a swap with the rung below; NaN before any was proposed. */
    double step; /**< The step size, in radians of the prior's rotation. */
} lcc_rung_f64;

/** Writes the defaults. */
int32_t lcc_tempering_options_default_f64(lcc_tempering_options_f64 *options);

/** The bytes that tempering takes.
 *
 *  @return LCC_ERROR_NO_GRADIENT */
int32_t lcc_tempering_size_f64(const lcc_tempering_options_f64 *options, const lcc_problem_f64 *problem,
                               const lcc_data_f64 *data, size_t *bytes);

/** Builds the chains at the start of a block of memory. Replicas start at draws from the prior in the
 *  first step. Temperatures at which SMC keeps half of its particles serve well (lcc_smc_stage_f64).
 *
 *  @param temperatures  increasing, above 0, the last one 1; they are copied
 *  @return LCC_ERROR_IMPROPER, LCC_ERROR_TEMPERATURES, LCC_ERROR_NO_GRADIENT */
int32_t lcc_tempering_init_f64(uint8_t *memory, size_t bytes, const lcc_tempering_options_f64 *options,
                               const double *temperatures, size_t count, const lcc_problem_f64 *problem,
                               const lcc_data_f64 *data, lcc_tempering_f64 **tempering);

/** Works until the budget is used up, or to the end. A unit of work (one rung of a block of chains) is
 *  never split.
 *
 *  @return LCC_ERROR_START (the likelihood is not finite at a draw from the prior) */
int32_t lcc_tempering_step_f64(lcc_tempering_f64 *tempering, const lcc_problem_f64 *problem,
                               const lcc_data_f64 *data, uint64_t budget);

/** One temperature of one chain.
 *
 *  @param index  from 0, the lowest above the prior */
int32_t lcc_tempering_rung_f64(const lcc_tempering_f64 *tempering, size_t chain, size_t index,
                               lcc_rung_f64 *rung);

/** The log evidence by stepping stones, from the draws of one chain so far. Chains are independent:
 *  their scatter is its error.
 *
 *  @param log_evidence  out: log of the integral of the likelihood over the normalised prior
 *  @return LCC_ERROR_NOT_DONE before the first draw */
int32_t lcc_tempering_log_evidence_f64(const lcc_tempering_f64 *tempering, size_t chain,
                                       double *log_evidence);

/** How often, among its draws, a chain has received at temperature 1 a replica that had been drawn from
 *  the prior: between such arrivals it forgets all. */
int32_t lcc_tempering_restarts_f64(const lcc_tempering_f64 *tempering, size_t chain, uint32_t *restarts);

/* ==== Where and how wide a density of one's own is ==================================================== */

/** Ascents, and chains that start from them, in the caller's memory. */
typedef struct lcc_warmup_f64 lcc_warmup_f64;

/** What a warm-up is asked to do. */
typedef struct {
    uint32_t struct_size; /**< The bytes of this struct, as the defaults have it. */
    /** Ascents, each from a draw of N(0, scale^2 I), or where no points to begin at are given every other
     *  one from one ten or thirty times as wide, in opposite pairs. Default 8. */
    uint32_t ascents;
    uint32_t ascent_steps; /**< Steps of one ascent at most. Default 500. */
    uint32_t chains; /**< Chains that then move, at least 4. Default 32. */
    /** Rounds of the chains at most, twice as many where their steps stay short; after each one the frame
     *  is fitted anew. Default 6. */
    uint32_t rounds;
    uint32_t leapfrogs; /**< Steps of a trajectory of the first round. Default 2. */
    uint64_t seed; /**< Names the random numbers. Default 1. */
} lcc_warmup_options_f64;

/** Writes the defaults. */
int32_t lcc_warmup_options_default_f64(lcc_warmup_options_f64 *options);

/** The bytes that a warm-up takes.
 *
 *  @param problem  of LCC_POSTERIOR_USER, with a gradient and without a frame
 *  @return LCC_ERROR_POSTERIOR, LCC_ERROR_NO_GRADIENT */
int32_t lcc_warmup_size_f64(const lcc_warmup_options_f64 *options, const lcc_problem_f64 *problem,
                            size_t *bytes);

/** Builds a warm-up at the start of a block of memory: ascents from draws of N(0, scale^2 I), each to the
 *  Gaussian along its path with the best evidence bound; then chains of split HMC, about a Gaussian that is
 *  fitted to their draws round after round.
 *
 *  @return LCC_ERROR_POSTERIOR, LCC_ERROR_NO_GRADIENT */
int32_t lcc_warmup_init_f64(uint8_t *memory, size_t bytes, const lcc_warmup_options_f64 *options,
                            const lcc_problem_f64 *problem, lcc_warmup_f64 **warmup);

/** Works until the budget, in evaluations of the density, is used up, or to the end.
 *
 *  @return LCC_ERROR_START (density or gradient are finite nowhere that it was begun) */
int32_t lcc_warmup_step_f64(lcc_warmup_f64 *warmup, const lcc_problem_f64 *problem, uint64_t budget);

/** The frame: the posterior's mean and the Cholesky factor of its covariance, as far as the warm-up knows.
 *  As lcc_problem_f64's frame it is what chains, particles and temperatures sample about; widen the factor by
 *  half where tails matter. These numbers and the leapfrogs are all that is wanted of a warm-up later: keep them, or
 *  lcc_checkpoint() of it, and samplers of other runs begin with them.
 *
 *  @param frame  out: dim + dim (dim + 1)/2 numbers: the mean, then the factor row by row, 1, 2, 3, ... of
 *                each row
 *  @return LCC_ERROR_NOT_DONE */
int32_t lcc_warmup_frame_f64(const lcc_warmup_f64 *warmup, double *frame, size_t len);

/** The steps of a trajectory that gets somewhere in the frame, 4 to 128: for lcc_sampler_options_f64's
 *  leapfrogs. Many where the posterior is far from its Gaussian.
 *
 *  @return LCC_ERROR_NOT_DONE */
int32_t lcc_warmup_leapfrogs_f64(const lcc_warmup_f64 *warmup, uint32_t *leapfrogs);

/* ==== The sampler that chooses for itself ============================================================= */

/** A pilot of particles, and what it leads to, in the caller's memory. */
typedef struct lcc_auto_f64 lcc_auto_f64;

/** What a run is asked to do. */
typedef struct {
    uint32_t struct_size; /**< The bytes of this struct, as the defaults have it. */
    uint32_t chains; /**< Chains, even (they run in antithetic pairs) and at least 4. Default 16. */
    /** Chains or particles that advance in lock-step: 1 or 8. Changes speed and memory, never a number.
     *  Default 8. */
    uint32_t lanes;
    /** Particles of the pilot, a multiple of the lanes and at least 64; four times as many where the
     *  posterior is near its prior (two or three temperatures). A mode in which no particle stands is not
     *  seen. Default 512. */
    uint32_t pilot;
    /** Iterations in which each chain adapts its step size, on from the pilot. Default 100. */
    uint32_t warmup;
    /** Iterations of each chain that count, at least 8; they are stored. Default 1000. Where sequential
     *  Monte Carlo takes over, it has as many particles as there would have been draws. */
    uint32_t draws;
    /** 1: plain loops, but AVX2 or NEON for 8 lanes. Changes speed, never a number. Default 0. */
    uint32_t portable;
    /** Effective draws, in bulk and in tail, that each functional by which chains are judged is to have (a
     *  coordinate of a density of the user's own; one chain of each pair counts): chains that have them
     *  and agree end, after draws each at the latest. For up to 2000 a pilot is not made again, chains
     *  adapt for two fifths of warmup, and where particles take over they are four pilots at most. 0:
     *  chains make all draws. Default 0. */
    uint32_t ess;
    uint64_t seed; /**< Names the random numbers. Default 1. */
    /** Evaluations of the likelihood or density, over all chains and particles, that a run does not
     *  exceed; once a third is used up nothing is begun anew, and up to 200000 all is as with a small ess.
     *  0: as many as it takes. Default 0. */
    uint64_t max_gradients;
} lcc_auto_options_f64;

/** What a run found, chose, and thinks of it. */
typedef struct {
    uint32_t choice; /**< An LCC_CHOICE_ code. */
    uint32_t verdict; /**< An LCC_VERDICT_ code. */
    uint32_t stages; /**< Temperatures between the prior and the posterior; 0 without a pilot. */
    /** Particles of the pilot far outside the range of all chains, at most over the functionals. */
    uint32_t strays;
    uint32_t particles; /**< Particles of the largest run. */
    /** Of a density of your own where the draws are not to be trusted: the coordinate (from 0) that the
     *  gradients at the draws contradict, or else that of the largest R-hat; UINT32_MAX: none. */
    uint32_t coordinate;
    /** Coordinates of a density of your own that were un-centred: given others they are Gaussian or near
     *  it. */
    uint32_t uncentred;
    uint32_t cause; /**< An LCC_CAUSE_ code: why the draws are not to be trusted. */
    uint64_t families; /**< Draws of the prior that these descend from. */
    /** The effective sample size of the prior's draws as a share; NaN where one step from the prior to the
     *  posterior was too far (below a half). */
    double overlap;
    double rhat; /**< The largest split R-hat of the chains; NaN before they are done. */
    double spread; /**< The largest ratio of the pilot's spread to that within a chain; NaN before that. */
    /** The largest difference between two runs of particles, in standard errors; NaN without a second. */
    double disagreement;
    /** By how many of its sds the gradients say that the mean of a coordinate is off, at most; NaN but for
     *  a density of your own, once it is done. */
    double shift;
    double stretch; /**< By what share they say that a variance is off, at most. */
    /** The least effective sample size of the functionals, in bulk and in tail, of one chain of each pair;
     *  NaN where none was asked for (`ess` of the options), or before it is known. */
    double effective;
    /** The logarithm of the evidence, by the largest run of particles; NaN without one. */
    double log_evidence;
    double log_evidence_error; /**< Its standard error. */
} lcc_choice_f64;

/** Writes the defaults. */
int32_t lcc_auto_options_default_f64(lcc_auto_options_f64 *options);

/** The bytes that a run takes. */
int32_t lcc_auto_size_f64(const lcc_auto_options_f64 *options, const lcc_problem_f64 *problem,
                          const lcc_data_f64 *data, size_t *bytes);

/** Builds a run at the start of a block of memory. Reads the data.
 *
 *  @return LCC_ERROR_IMPROPER */
int32_t lcc_auto_init_f64(uint8_t *memory, size_t bytes, const lcc_auto_options_f64 *options,
                          const lcc_problem_f64 *problem, const lcc_data_f64 *data, lcc_auto_f64 **run);

/** Works until the budget is used up, or to the end. A unit of work is never split, and a change of
 *  phase (at most four in a run) begins the budget anew.
 *
 *  @return LCC_ERROR_START, LCC_ERROR_STAGES (more than 100 temperatures away from the prior), LCC_ERROR_STOPPED (no
 *          gradients are left, and there are no draws), LCC_ERROR_GRADIENT (of a density of your own, by differences, where
 *          nothing can be sampled with it), LCC_ERROR_IMPROPER (it rises without end along a coordinate) */
int32_t lcc_auto_step_f64(lcc_auto_f64 *run, const lcc_problem_f64 *problem, const lcc_data_f64 *data,
                          uint64_t budget);

/** Ends the run as soon as it may: once all particles or chains have made the transition at hand, the next steps judge and check
 *  the draws that there are, at 256 gradients more at most. Before there are eight of each chain they return LCC_ERROR_STOPPED. */
int32_t lcc_auto_stop_f64(lcc_auto_f64 *run);

/** What was found and chosen so far. */
int32_t lcc_auto_report_f64(const lcc_auto_f64 *run, lcc_choice_f64 *report);

/** The report in one sentence: what was chosen, why, and a warning where the draws are not to be
 *  trusted.
 *
 *  @param text  out: zero-terminated; 512 bytes are enough */
int32_t lcc_auto_explain_f64(const lcc_auto_f64 *run, char *text, size_t bytes, size_t *length);

/** The mean of a quantity over the draws, with its error: from the means of antithetic pairs, or from
 *  the families of particles.
 *
 *  @param values   one a draw, as lcc_read_draws_f64 or lcc_read_output_f64 view them
 *  @param scratch  twice as many values as there are draws in all
 *  @return LCC_ERROR_NOT_DONE, LCC_ERROR_MEMORY_SIZE (or the values are of other draws) */
int32_t lcc_auto_average_f64(const lcc_auto_f64 *run, const lcc_draws_f64 *values, double *scratch,
                             size_t len, lcc_average_f64 *average);

/** The step size that a chain has adapted to.
 *
 *  @param chain  below the options' chains
 *  @return LCC_ERROR_NOT_DONE (or particles took over) */
int32_t lcc_auto_step_size_f64(const lcc_auto_f64 *run, size_t chain, double *step);

/* ==== The coupling ==================================================================================== */

/** rho_i of the coupling xi_i = sqrt(rho_i) x_i.w + N(0, 1), large enough that w given xi is
 *  log-concave: over what x.w can reach under the prior. n values, or for a joint posterior with one-sided
 *  coupling and signs of both kinds 2 n: first for the neurons with s_m = +1, then for the others.
 *
 *  @param coupling  an LCC_COUPLING_ code
 *  @param len       the values that fit at rho: 2 n always suffice
 *  @param count     out: the values written
 *  @return LCC_ERROR_COUPLING, LCC_ERROR_NO_COUPLING */
int32_t lcc_coupling_rho_f64(const lcc_problem_f64 *problem, const lcc_data_f64 *data, int32_t coupling,
                             double *rho, size_t len, size_t *count);

/** A draw of xi given w: xi_(i,m) at xi[i * M + m] (M = 1 for a greedy posterior).
 *
 *  @param rho  from lcc_coupling_rho_f64
 *  @param w    dim values
 *  @param xi   out: n M values
 *  @return LCC_ERROR_NOT_FINITE_VALUE (rho) */
int32_t lcc_coupling_draw_f64(const lcc_problem_f64 *problem, const lcc_data_f64 *data, const double *rho,
                              size_t rho_count, const double *w, uint64_t seed, double *xi, size_t len);

/** log p(w | xi) up to a constant that depends on xi alone, and its gradient: concave in w for every xi. The
 *  posterior's log density less |xi - S X w|^2/2, S = diag(sqrt(rho)). A NaN in xi or w comes out as NaN.
 *
 *  @param rho       from lcc_coupling_rho_f64
 *  @param xi        n M values
 *  @param w         dim values
 *  @param scratch   lcc_problem_scratch_f64 bytes
 *  @param gradient  out: dim values
 *  @return LCC_ERROR_CAPACITY (rho), LCC_ERROR_NOT_FINITE_VALUE (rho) */
int32_t lcc_coupling_log_density_f64(const lcc_problem_f64 *problem, const lcc_data_f64 *data,
                                     const double *rho, size_t rho_count, const double *xi, const double *w,
                                     uint8_t *scratch, size_t bytes, double *log_density, double *gradient);

/** The score of the marginal, grad log p(xi) = -xi + S X E[w | xi], from the conditional mean.
 *
 *  @param rho    from lcc_coupling_rho_f64
 *  @param xi     n M values
 *  @param mean   E[w | xi]: dim values
 *  @param score  out: n M values
 *  @return LCC_ERROR_NOT_FINITE_VALUE (rho) */
int32_t lcc_coupling_score_f64(const lcc_problem_f64 *problem, const lcc_data_f64 *data, const double *rho,
                               size_t rho_count, const double *xi, const double *mean, double *score,
                               size_t len);

/** The Hessian of log p(xi), -I + S X Cov[w | xi] X' S, from the conditional covariance: where its
 *  largest eigenvalue is negative, p(xi) is log-concave there.
 *
 *  @param rho         from lcc_coupling_rho_f64
 *  @param covariance  Cov[w | xi]: dim x dim values, row by row
 *  @param scratch     dim values
 *  @param hessian     out: (n M) x (n M) values, row by row
 *  @return LCC_ERROR_NOT_FINITE_VALUE (rho) */
int32_t lcc_coupling_hessian_f64(const lcc_problem_f64 *problem, const lcc_data_f64 *data, const double *rho,
                                 size_t rho_count, const double *covariance, double *scratch, double *hessian,
                                 size_t len);

/* ==== Certificates: is p(xi) log-concave? ============================================================= */

/** A condition under which p(xi), or p(w) itself, is log-concave, and what it says. */
typedef struct {
    int32_t kind; /**< An LCC_CERTIFICATE_ code. */
    int32_t status; /**< An LCC_CERTIFIED_ code. */
    double value; /**< What must be below the threshold, or at most it; NaN where it does not apply. */
    double threshold; /**< The threshold. */
    double error; /**< The Monte Carlo standard error of an estimate, else 0. */
} lcc_certificate_f64;

/** All certificates of a posterior: entries[0] to entries[count - 1]. Copy it as you like. */
typedef struct {
    uint32_t struct_size; /**< sizeof(lcc_certificates_f64), set by lcc_certificates_evaluate_f64. */
    uint32_t count; /**< Entries. */
    int32_t conclusion; /**< An LCC_CONCLUSION_ code: the strongest thing that they allow to be said. */
    uint32_t probes; /**< Visited xi. */
    int32_t prior; /**< The posterior's prior. */
    int32_t coupling; /**< LCC_OK, or why the posterior has no coupling. */
    double scale; /**< The prior's scale. */
    /** By what the xi with the largest eigenvalue was chosen; for lcc_certificates_probe_f64. */
    double selection;
    uint64_t fingerprint; /**< Names the problem and its data. */
    lcc_certificate_f64 entries[16]; /**< The certificates. */
} lcc_certificates_f64;

/** The bytes of scratch of lcc_certificates_evaluate_f64. */
int32_t lcc_certificates_scratch_f64(const lcc_problem_f64 *problem, const lcc_data_f64 *data, size_t *bytes);

/** Every certificate that needs no draws: about 9 n d^2 + 90 m^2 d flops, m = min(n, d) (joint: up to 12
 *  and 120).
 *
 *  @param scratch  lcc_certificates_scratch_f64 bytes
 *  @return LCC_ERROR_POSTERIOR (a density of your own has none), LCC_ERROR_IMPROPER, LCC_ERROR_NOT_FINITE_VALUE
 *          (the numbers overflow) */
int32_t lcc_certificates_evaluate_f64(const lcc_problem_f64 *problem, const lcc_data_f64 *data,
                                      uint8_t *scratch, size_t bytes, lcc_certificates_f64 *certificates);

/** The bytes of scratch of lcc_certificates_probe_f64.
 *
 *  @return LCC_ERROR_POSTERIOR */
int32_t lcc_certificates_probe_scratch_f64(const lcc_problem_f64 *problem, const lcc_data_f64 *data,
                                           const lcc_probe_options *options, size_t *bytes);

/** Looks for a xi at which p(xi) is not log-concave: visits one drawn given w, a draw of the posterior; the
 *  origin, where `which` is 0; the worst on the line through w and another draw, where a valley between modes
 *  is; and up to `ascent` more, each a step up from there. At each 8 chains sample w given xi, from which the
 *  largest eigenvalue of S X Cov[w | xi] X' S (below 1 everywhere: p(xi) is log-concave) is estimated and,
 *  under a Gaussian prior, the bound of Lemma 3. Keeps the worst of the xi visited so far, chosen by other
 *  draws than those it is judged by. One call is one unit of work: for each xi 8 (warmup + draws) leapfrogs n
 *  row-gradient visits and some linear algebra of order (M d)^3, and 1000 n for the lines.
 *
 *  @param certificates  from lcc_certificates_evaluate_f64, changed
 *  @param w             dim values
 *  @param other         dim values, best of another chain; or NULL for the line through w and the origin
 *  @param which         numbers the calls of one seed
 *  @param scratch       lcc_certificates_probe_scratch_f64 bytes
 *  @return LCC_ERROR_NO_COUPLING, LCC_ERROR_REDUCED, LCC_ERROR_IMPROPER, LCC_ERROR_NOT_FINITE_VALUE (w, or
 *          what came of it) */
int32_t lcc_certificates_probe_f64(lcc_certificates_f64 *certificates, const lcc_problem_f64 *problem,
                                   const lcc_data_f64 *data, const lcc_probe_options *options,
                                   const double *w, const double *other, uint32_t which, uint8_t *scratch,
                                   size_t bytes);

/** Gamma_xi(s) = log E_0 exp(s g_xi(w)), g_xi the exponent of p(w | xi) relative to the prior, from its values at
 *  points of equal weight under the prior: draws of it (lcc_problem_draw_prior_f64), or a quadrature.
 *
 *  @param values  g_xi at the points: count values
 *  @param gamma   out: nats
 *  @return LCC_ERROR_EMPTY (no points) */
int32_t lcc_gamma_xi_f64(const double *values, size_t count, double s, double *gamma);

/** Hoelder's bound of Var[v.w | xi]: the root of order l of E_0 (v.w)^(2 l), times
 *  exp(((l - 1)/l) Gamma_xi(l/(l - 1)) - Gamma_xi(1)).
 *
 *  @param moment  E_0 (v.w)^(2 l)
 *  @param order   l, above 1
 *  @param values  as above
 *  @param bound   out
 *  @return LCC_ERROR_INDEX (order), LCC_ERROR_EMPTY (no points) */
int32_t lcc_hoelder_f64(double moment, double order, const double *values, size_t count, double *bound);

/** What LCC_CERTIFICATE_HOELDER compares with 1, of any numbers, and the order at which it is least: Hoelder's
 *  bound with the exact moments of the l1 ball, for xi in a set of high probability. Order 1 where there is none.
 *
 *  @param lambda_max  the largest eigenvalue of X' diag(rho) X
 *  @param b2          half of what |g_xi| is bounded by: alpha n |r|_inf (sup|psi'| + sup|psi''|)/2 in the papers
 *  @param radius      of the ball
 *  @param bound       out: of S X Cov[w | xi] X' S
 *  @param order       out: the integer l */
int32_t lcc_hoelder_least_f64(double lambda_max, double b2, size_t d, double radius, double *bound,
                              uint32_t *order);

/** The verdict in one paragraph: what is proved, what is conditional on what, what is only empirical, and
 *  what to do.
 *
 *  @param certificates  from lcc_certificates_evaluate_f64
 *  @param text          out: zero-terminated; 2048 bytes are enough */
int32_t lcc_certificates_explain_f64(const lcc_certificates_f64 *certificates, char *text, size_t bytes,
                                     size_t *length);

/* ==== Quantities of the theory: NaN of numbers below 0 ================================================ */

/** V^2/M: the mean squared distance at which an average of M neurons of variation V approximates.
 *
 *  @param variation  V
 *  @param neurons    M; infinite for 0 */
double lcc_theory_approximation_f64(double variation, size_t neurons);

/** V sqrt((log 2d + L)/N): the order of the mean squared risk of learning from N observations.
 *
 *  @param variation     V
 *  @param layers        L, hidden
 *  @param observations  N */
double lcc_theory_risk_f64(double variation, size_t d, uint32_t layers, size_t observations);

/** V sqrt(2 log 2d + 2 L log 2): the Gaussian complexity of networks of variation V.
 *
 *  @param variation  V
 *  @param layers     L, hidden */
double lcc_theory_gaussian_complexity_f64(double variation, size_t d, uint32_t layers);

/** ceil(V^2/e^2) log K: nats that cover the convex hull of K points of norm V to distance e.
 *
 *  @param variation  V
 *  @param points     K
 *  @param distance   e */
double lcc_theory_covering_hull_f64(double variation, size_t points, double distance);

/** 4 pi log 2 (V/e)^2 (log 2d + L log 2): nats that cover the networks of variation V to distance e.
 *
 *  @param variation  V
 *  @param layers     L, hidden
 *  @param distance   e */
double lcc_theory_covering_network_f64(double variation, size_t d, uint32_t layers, double distance);

/** V^2/M + (M log 2d + M L)/N: the mean squared risk of M neurons, in units of the noise variance.
 *
 *  @param variation     V
 *  @param neurons       M
 *  @param layers        L, hidden
 *  @param observations  N */
double lcc_theory_risk_of_neurons_f64(double variation, size_t neurons, size_t d, uint32_t layers,
                                      size_t observations);

/** 2 pi log 2 (C/e)^2: nats that cover a class of Gaussian complexity C to distance e.
 *
 *  @param complexity  C
 *  @param distance    e */
double lcc_theory_covering_f64(double complexity, double distance);

/** 16 (C/e)^2: the same as the papers print it.
 *
 *  @param complexity  C
 *  @param distance    e */
double lcc_theory_covering_published_f64(double complexity, double distance);

/** The least over e of e^2 + nats(e)/N: 4.17 C/sqrt N.
 *
 *  @param complexity    C
 *  @param observations  N */
double lcc_theory_least_by_cover_f64(double complexity, size_t observations);

/** The same as the papers print it: 8 C/sqrt N.
 *
 *  @param complexity    C
 *  @param observations  N */
double lcc_theory_least_by_cover_published_f64(double complexity, size_t observations);

/** C sqrt(4 pi log 2 beta/N): nats an observation by which the Bayes mixture over a cover exceeds the truth
 *  (Yang and Barron).
 *
 *  @param complexity    C
 *  @param beta          1/noise variance
 *  @param observations  N */
double lcc_theory_yang_barron_f64(double complexity, double beta, size_t observations);

/** C sqrt(8 pi log 2 beta/N): bounds the expected Renyi divergence of order 1/2, an observation, of a
 *  two-part code over a cover.
 *
 *  @param complexity    C
 *  @param beta          1/noise variance
 *  @param observations  N */
double lcc_theory_renyi_f64(double complexity, double beta, size_t observations);

/** V sqrt(log d/N): the order of the mean squared regret of predictions one step ahead.
 *
 *  @param variation     V
 *  @param observations  N */
double lcc_theory_regret_f64(double variation, size_t d, size_t observations);

/** D exp(-t rho/2): relative entropy of the diffusion on xi ~ N(x.w, 1/rho) after time t where
 *  -Hess log p(xi) >= rho/2.
 *
 *  @param start  D, nats
 *  @param rho    the coupling's
 *  @param time   t */
double lcc_theory_relative_entropy_f64(double start, double rho, double time);

/** 2 M/(beta c V): the time in which that falls by a factor e, for xi ~ N(x.w, 1/rho) as the slides have it;
 *  lcc_theory_unit_time_f64 makes 2 of it, what it takes in the samplers' scaling.
 *
 *  @param beta     of the joint posterior
 *  @param c        max |y_i| + V
 *  @param outer    V
 *  @param neurons  M */
double lcc_theory_time_scale_f64(double beta, double c, double outer, size_t neurons);

/** rho t: time t of the scaling xi ~ N(x.w, 1/rho) in that of the samplers, xi ~ N(sqrt(rho) x.w, 1).
 *
 *  @param rho   the coupling's
 *  @param time  t */
double lcc_theory_unit_time_f64(double rho, double time);

/** (2/rho) log(start/end), at least 0: the time that brings it from start to end.
 *
 *  @param start  nats
 *  @param end    nats
 *  @param rho    the coupling's */
double lcc_theory_time_for_f64(double start, double end, double rho);

/** (n/2) (log(2 pi squared/n) + 1): the log loss of n targets under Gaussian noise about predictions of that
 *  cumulative squared loss, of the variance that suits them best.
 *
 *  @param squared       cumulative squared loss
 *  @param observations  n */
double lcc_theory_gaussian_log_loss_f64(double squared, size_t observations);

/** excess + log(1/P0(A)): bounds the regret of the Bayes mixture's log loss against the best network, A
 *  a set of networks whose cumulative loss is within excess of its.
 *
 *  @param prior_probability  P0(A)
 *  @param excess             nats */
double lcc_theory_bayes_regret_f64(double prior_probability, double excess);

/** (2/(beta N)) times that: bounds the mean squared regret of predictive means where beta (y - f)^2 <= 1.
 *
 *  @param prior_probability  P0(A)
 *  @param excess             nats
 *  @param beta               the inverse temperature of the squared loss
 *  @param observations       N */
double lcc_theory_mean_squared_regret_f64(double prior_probability, double excess, double beta,
                                          size_t observations);

/** The posterior probabilities of models of equal prior probability, from their log evidences (or minus
 *  their description lengths in nats) in place. NaN and -infinity count as impossible.
 *
 *  @param log_evidence  in and out
 *  @param best          out: the likeliest
 *  @return LCC_ERROR_NOT_FINITE_VALUE where none is finite, or one is +infinity; unchanged then */
int32_t lcc_theory_model_probabilities_f64(double *log_evidence, size_t models, size_t *best);

/** The index of resolvability over M = 1..most: the least V^2/M + M nats/(beta N), and its M.
 *
 *  @param variation     V
 *  @param nats          description length of one neuron
 *  @param beta          1/noise variance
 *  @param observations  N
 *  @param most          at least 1
 *  @param neurons       out: M
 *  @param bound         out: the index
 *  @return LCC_ERROR_NEURONS, LCC_ERROR_NOT_FINITE_VALUE: NaN, or below 0 */
int32_t lcc_theory_resolvability_f64(double variation, double nats, double beta, size_t observations,
                                     size_t most, size_t *neurons, double *bound);

/** sum_k |a_k| |w_k|_1^order: the spectral norm of sum_k a_k cos(w_k.x + b_k).
 *
 *  @param amplitudes   count values
 *  @param frequencies  count times d values, w_k one after another
 *  @param order        1 for sigmoids, 2 ramps, 3 squared ramps; at most 16
 *  @return LCC_ERROR_INDEX (order) */
int32_t lcc_theory_spectral_norm_f64(const double *amplitudes, const double *frequencies, size_t count,
                                     size_t d, uint32_t order, double *norm);

/** sum_m |c_m| |w_m|_1^degree: the variation of a network of one hidden layer.
 *
 *  @param outer    c_m: neurons values
 *  @param inner    w_m one after another: neurons times d values
 *  @param neurons  M
 *  @param degree   0 where |psi| <= 1, 1 ramps and Lipschitz psi, 2 squared ramps; at most 16
 *  @return LCC_ERROR_INDEX (degree) */
int32_t lcc_theory_variation_f64(const double *outer, const double *inner, size_t neurons, size_t d,
                                 uint32_t degree, double *variation);

/** Draws M of a network's last hidden units in proportion to their outer weights, to stand for all (Maurey):
 *  f_M = sum_j sparse_j g_j has E f_M = f and the mean square error of lcc_theory_subnetwork_error_f64.
 *
 *  @param outer      c_j: units values
 *  @param neurons    M
 *  @param seed       names the random numbers
 *  @param which      numbers the subnetworks of one seed
 *  @param sparse     out: units values, sign(c_j) V/M times the number of times that unit j was drawn
 *  @param variation  out: V = sum |c_j|
 *  @return LCC_ERROR_NEURONS (M is 0), LCC_ERROR_NOT_FINITE_VALUE (V is 0 or not finite) */
int32_t lcc_theory_subnetwork_f64(const double *outer, size_t units, size_t neurons, uint64_t seed,
                                  uint64_t which, double *sparse, double *variation);

/** E|f - f_M|^2 = (V sum_j |c_j| |g_j|^2 - |f|^2)/M exactly, |.|^2 the mean over rows.
 *
 *  @param outer    c_j: units values
 *  @param values   g_j at each row: rows times units values, row after row
 *  @param neurons  M
 *  @param error    out
 *  @return LCC_ERROR_NEURONS (M is 0), LCC_ERROR_EMPTY (no row or unit) */
int32_t lcc_theory_subnetwork_error_f64(const double *outer, size_t units, const double *values, size_t rows,
                                        size_t neurons, double *error);

/** V_L: the sum over all paths from an input to an output of the product of the |weights| on it.
 *
 *  @param weights  layers pointers, from the input on: widths[k + 1] rows of widths[k] values
 *  @param widths   layers + 1 counts, none 0
 *  @param layers   matrices, 1 to 32
 *  @param scratch  twice the largest width; the paths from each input are left in front
 *  @return LCC_ERROR_INDEX (layers), LCC_ERROR_EMPTY (a width) */
int32_t lcc_theory_paths_f64(const double *const *weights, const size_t *widths, size_t layers,
                             double *scratch, size_t len, double *variation);

/* ==== Gaussian regression in closed form ============================================================== */

/** The values of the array that holds a regression on d columns: (d + 1) (d + 4) / 2, whatever the rows. It knows its
 *  d and its noise, with 2 columns its scale and with 3 its rows (up to 2^24): a function that is given others returns
 *  LCC_ERROR_HANDLE (d, or nothing was started there) or LCC_ERROR_DATA_CHANGED. Below 3 columns nobody checks the rows
 *  that lcc_conjugate_evidence_f64 is given, and with 1 the scale.
 *
 *  @return LCC_ERROR_OVERFLOW */
int32_t lcc_conjugate_values_f64(size_t d, size_t *values);

/** Starts y_i = x_i.w + N(0, noise^2), w ~ N(0, scale^2 I), in an array of lcc_conjugate_values_f64 values. An
 *  intercept is a column of ones.
 *
 *  @param noise  sd of the noise, in units of y
 *  @param scale  sd of every weight
 *  @return LCC_ERROR_NOISE, LCC_ERROR_SCALE, LCC_ERROR_INPUTS (d = 0), LCC_ERROR_OVERFLOW */
int32_t lcc_conjugate_start_f64(size_t d, double noise, double scale, double *state, size_t len);

/** Takes rows in; they need not be kept. 3 d^2 flops each, by Givens rotations.
 *
 *  @param noise  as at the start
 *  @return LCC_ERROR_NOISE, LCC_ERROR_NOT_FINITE_VALUE (the square of a value in units of the noise); the state is
 *          unchanged then */
int32_t lcc_conjugate_add_f64(const lcc_data_f64 *data, double noise, double *state, size_t len);

/** The posterior mean of the weights, which is their mode.
 *
 *  @param mean  out: d values
 *  @return LCC_ERROR_NOT_FINITE_VALUE (a value of the mean: they are written all the same) */
int32_t lcc_conjugate_mean_f64(size_t d, double *state, size_t len, double *mean);

/** The law of f(x) = x.w: normal. That of a new y has noise^2 more variance.
 *
 *  @param x         d values, used up
 *  @param mean      out: of f
 *  @param variance  out: of f
 *  @return LCC_ERROR_NOT_FINITE_X, LCC_ERROR_NOT_FINITE_VALUE (of mean or variance) */
int32_t lcc_conjugate_predict_f64(size_t d, double *state, size_t len, double *x, double *mean,
                                  double *variance);

/** log p(y) of the rows taken in, and the entropy H of the posterior. The mean of -log p(y, w) over the
 *  posterior is H - log p(y).
 *
 *  @param rows     how many they were
 *  @param noise    as at the start
 *  @param scale    as at the start
 *  @param log_evidence  out: nats
 *  @param entropy  out: nats
 *  @return LCC_ERROR_NOISE, LCC_ERROR_SCALE, LCC_ERROR_NOT_FINITE_VALUE (of one of them) */
int32_t lcc_conjugate_evidence_f64(size_t d, size_t rows, double noise, double scale, double *state,
                                   size_t len, double *log_evidence, double *entropy);

/* ==== The network regressor =========================================================================== */

/** A regressor, in the caller's memory.
 *
 *  On standardised inputs and target, f(x) = b0 + c.x + sum_m v_m psi(b_m + x.w_m), and y is f plus
 *  Student-t noise. Weights have hierarchical priors: a scale for each input (automatic relevance),
 *  for the outer weights and for the linear part, all sampled, as are the noise's scale and its tail.
 *  Chains start from the best of some optimised points, are sampled by Hamiltonian Monte Carlo with
 *  Gibbs draws between, and are kept as an ensemble. */
typedef struct lcc_network_f64 lcc_network_f64;

/** What a regressor is asked to do. The defaults need no tuning. */
typedef struct {
    uint32_t struct_size; /**< The bytes of this struct, as the defaults have it. */
    uint32_t neurons; /**< Neurons M, at least 1. Default 20: more where time allows. */
    uint32_t chains; /**< Chains, at least 1. Default 4. More chains help more than longer ones. */
    /** Chains that advance in lock-step: 1 or 8. Changes speed and memory, never a number. Default 8 where
     *  the CPU has wide instructions, else 1. */
    uint32_t lanes;
    uint32_t warmup; /**< Iterations of each chain before its draws count. Default 500. */
    uint32_t draws; /**< Iterations of each chain that count, at least 1. Default 500. */
    uint32_t keep; /**< Draws that each chain keeps for the model, evenly spread: 1 to draws. Default 25. */
    int32_t activation; /**< An LCC_ACTIVATION_ code. Default: tanh. */
    uint32_t gaussian; /**< 1: Gaussian noise; 0: Student-t with sampled tail. Default 0. */
    /** 1: standardise inputs and target (a copy of the data is kept in the memory); 0: the data are in
     *  units where the prior makes sense and are read in place. Default 1. */
    uint32_t standardise;
    /** Random starts, each optimised, of which the best is taken; 0 starts at random. A heuristic outside
     *  the exact posterior. Default 3. */
    uint32_t starts;
    uint32_t start_steps; /**< Optimisation steps of each start. Default 1000. */
    /** 1: a chain is left out of the model if its log likelihood of the training data is not finite, or
     *  worse by more than drop_below than that of a model without inputs, N(0, 1) for the standardised
     *  target, unless all are. With standardise 0 it must only be finite. Outside the exact posterior.
     *  Default 1. */
    uint32_t drop;
    uint32_t leapfrogs; /**< Leapfrog steps of a trajectory, at least 1. Default 24. */
    uint32_t early_leapfrogs; /**< The same in the first half of the warm-up. Default 12. */
    int32_t mass; /**< LCC_MASS_DENSE or LCC_MASS_DIAGONAL. Default: dense. */
    uint32_t mass_updates; /**< How often the warm-up refreshes the mass matrix. */
    /** Training rows whose predictions are recorded at every draw, for diagnostics. Default 20. */
    uint32_t trace_rows;
    /** 1: plain loops, but AVX2 or NEON for 8 lanes. Changes speed, never a number. Default 0. */
    uint32_t portable;
    /** The number of the first chain: chain k is chain first_chain + k of an object from 0 on, to the bit.
     *  For chains dealt to threads, processes or machines: lcc_network_join_f64. 0 where chains start from
     *  a model. Default 0. */
    uint32_t first_chain;
    uint64_t seed; /**< Names the random numbers. Default 1. */
    /** Nats a row: how much worse than a model without inputs a chain may be, see drop. Default 1. */
    double drop_below;
    double target_accept; /**< The acceptance that the step size is adapted to, inside (0, 1). Default .9. */
    /** The step size of a trajectory is uniform within this share of the adapted one, in [0, 1); one
     *  trajectory in eight takes a shorter one. Default .3. */
    double jitter;
    double first_step; /**< The step size before adaptation. */
    double largest_step; /**< The largest step size. */
    /** Prior: the scales of inputs and biases are half-Cauchy with this median. Default 1. */
    double input_scale;
    /** Prior: the sd of the outer weights is half-Cauchy with median this / sqrt(M). Default 1. */
    double outer_scale;
    double linear_scale; /**< Prior: the sd of the linear part is half-Cauchy with this median. Default 1. */
    double intercept_sd; /**< Prior: the sd of the intercept. Default 10. */
    double noise_shape; /**< Prior: the noise's precision is Gamma with this shape ... Default .5. */
    double noise_rate; /**< ... and this rate. Default 5e-5. */
} lcc_network_options_f64;

/** What the chains say about themselves. Predictions are judged, not weights: neurons may be permuted. */
typedef struct {
    /** The largest R-hat of the predictions at the traced training rows. Above 1.01 the chains sit in
     *  different modes: the model is their ensemble, and that is no convergence. */
    double rhat_max;
    double ess_bulk_min; /**< The smallest bulk effective sample size of them. */
    double ess_tail_min; /**< The smallest tail effective sample size of them. */
    double acceptance; /**< The mean probability of acceptance. */
    double e_bfmi_min; /**< The smallest E-BFMI of a chain: below .3 is bad. */
    uint64_t divergences; /**< Transitions of the draws that diverged. */
    uint64_t gradients; /**< Passes over the data, summed over chains. */
    uint32_t chains_used; /**< Chains in the model. */
    uint32_t chains_dropped; /**< Chains left out of it. */
} lcc_network_diagnosis_f64;

/** One chain of a regressor, by its draws so far. */
typedef struct {
    /** The mean log likelihood of a training row, in standardised units: what chains are dropped by. */
    double log_likelihood;
    double acceptance; /**< The mean probability of acceptance. */
    double e_bfmi; /**< E-BFMI: below .3 is bad. */
    uint64_t divergences; /**< Transitions of the draws that diverged. */
    uint32_t dropped; /**< 1: left out of the model; 0: in it. */
    uint32_t reserved; /**< Must be ignored. */
} lcc_network_chain_f64;

/** Writes the defaults. */
int32_t lcc_network_options_default_f64(lcc_network_options_f64 *options);

/** The bytes that a regressor takes. */
int32_t lcc_network_size_f64(const lcc_network_options_f64 *options, size_t n, size_t d, size_t *bytes);

/** Builds a regressor at the start of a block of memory. Reads the data.
 *
 *  @return LCC_ERROR_CONSTANT_TARGET */
int32_t lcc_network_init_f64(uint8_t *memory, size_t bytes, const lcc_network_options_f64 *options,
                             const lcc_data_f64 *data, lcc_network_f64 **network);

/** As lcc_network_init_f64, but the chains start from draws of a model, evenly spread, and the data are
 *  put in the model's units: no search, whatever starts says. For data that have changed a little: a
 *  window of the last rows, refitted from the last model with some tens of iterations of warm-up.
 *
 *  @param options  what to do, with the model's neurons and activation, and standardise 1
 *  @param model    the model, of either precision; not needed afterwards
 *  @return as lcc_network_init_f64; LCC_ERROR_IMAGE_SHAPE where the model does not fit data and options */
int32_t lcc_network_init_from_f64(uint8_t *memory, size_t bytes, const lcc_network_options_f64 *options,
                                  const lcc_data_f64 *data, const uint8_t *model, size_t model_bytes,
                                  lcc_network_f64 **network);

/** Works until the budget is used up, or to the end. A unit of work (one optimisation step or one
 *  transition of a block of chains) is never split: a call overshoots by less than
 *  (leapfrogs + 4) * n * lanes. One visit costs about 4 M (d + 2) flops and M activations. */
int32_t lcc_network_step_f64(lcc_network_f64 *network, const lcc_data_f64 *data, uint64_t budget);

/** The bytes of the model at most: chains * keep draws of M (d + 2) + d + 3 values, and a head. */
int32_t lcc_network_model_size_f64(const lcc_network_f64 *network, size_t *bytes);

/** Writes the model (a posterior image): the draws kept so far by the chains in use, with the units of
 *  the data. It may be asked for as soon as there is a draw, and again later.
 *
 *  @param model  out: lcc_network_model_size_f64 bytes, of any alignment
 *  @return LCC_ERROR_NOT_DONE */
int32_t lcc_network_write_model_f64(const lcc_network_f64 *network, uint8_t *model, size_t bytes,
                                    size_t *written);

/** The bytes that lcc_network_write_prior_f64 needs.
 *
 *  @param draws  draws from the prior, at least 1
 *  @return LCC_ERROR_DRAWS, LCC_ERROR_MEMORY_SIZE where no model is that large */
int32_t lcc_network_prior_size_f64(const lcc_network_f64 *network, size_t draws, size_t *model,
                                   size_t *scratch);

/** Writes a model of draws from the prior, in the units of the data: what the regressor believes of y
 *  before it learns. Every lcc_model_ function reads it, so predictions and draws from it are those of
 *  the prior predictive law. May be asked for as soon as there is a handle.
 *
 *  @param draws    draws from the prior, at least 1
 *  @param scratch  bytes as lcc_network_prior_size_f64 says
 *  @param model    out: bytes as lcc_network_prior_size_f64 says, of any alignment
 *  @return LCC_ERROR_DRAWS */
int32_t lcc_network_write_prior_f64(const lcc_network_f64 *network, uint64_t seed, size_t draws,
                                    uint8_t *scratch, size_t scratch_bytes, uint8_t *model, size_t bytes,
                                    size_t *written);

/** The step size of one chain's trajectories, in units of its mass matrix; the one adapted to once the
 *  warm-up is over. */
int32_t lcc_network_step_size_f64(const lcc_network_f64 *network, size_t chain, double *step_size);

/** Puts chains together that ran apart, as lcc_sampler_join_f64 does those of a sampler: bit for bit the network
 *  that would have run them all. All parts stand between search steps or iterations of all chains.
 *
 *  @param network  the handle: made as if to run all chains
 *  @param parts    handles, none of them this one; unchanged
 *  @return LCC_ERROR_PARTS */
int32_t lcc_network_join_f64(lcc_network_f64 *network, const lcc_network_f64 *const *parts, size_t count);

/** The bytes of scratch that lcc_network_diagnose_f64 needs. */
int32_t lcc_network_diagnose_scratch_f64(const lcc_network_f64 *network, size_t *bytes);

/** What the chains say about themselves, by the draws made so far.
 *
 *  @param scratch  lcc_network_diagnose_scratch_f64 bytes
 *  @return LCC_ERROR_NOT_DONE */
int32_t lcc_network_diagnose_f64(const lcc_network_f64 *network, uint8_t *scratch, size_t bytes,
                                 lcc_network_diagnosis_f64 *diagnosis);

/** What one chain has done: which of them was left out of the model, and why.
 *
 *  @return LCC_ERROR_NOT_DONE */
int32_t lcc_network_diagnose_chain_f64(const lcc_network_f64 *network, size_t chain,
                                       lcc_network_chain_f64 *out);

/** One recorded quantity at every draw so far, a view into the regressor's memory, valid until the
 *  next step.
 *
 *  @param quantity  an LCC_NETWORK_TRACE_ code
 *  @param index     for LCC_NETWORK_TRACE_PREDICTION: which of the traced training rows, else 0
 *  @return LCC_ERROR_NOT_DONE */
int32_t lcc_network_trace_f64(const lcc_network_f64 *network, int32_t quantity, size_t index,
                              lcc_draws_f64 *draws);

/* ==== The Bayesian network ============================================================================ */

/** A Bayesian network, in the caller's memory: up to four hidden layers or none, and y a real number, a
 *  class or a count.
 *
 *  Many short chains, one block of lanes after the other in the same memory: a start by optimisation
 *  (Adam), a short warm-up, a few long trajectories of Hamiltonian Monte Carlo, of which some draws are
 *  kept. No chain moves between the modes of such a posterior; what a prediction owes to the seed falls
 *  with the number of chains. Scales of the weights and the noise are sampled. */
typedef struct lcc_bnn_f64 lcc_bnn_f64;

/** Which candidate the held-out rows speak for: lcc_bnn_choose_f64. */
typedef struct {
    uint32_t candidate; /**< Its number, 0 for the first. */
    uint32_t rows; /**< The folds' rows that were scored. */
    /** By how many nats it tells all of these rows better than the first candidate; 0 where a score of the
     *  first is not finite. */
    double ahead;
    /** The standard error of that; of the first candidate, or where a score of the first is not finite, 0. */
    double error;
} lcc_bnn_choice_f64;

/** What the chains that are at their end say about themselves. Predictions are judged, not weights. */
typedef struct {
    /** The largest R-hat of the predictions at the traced training rows. Above 1.01 the chains sit in
     *  different modes: the model is their ensemble, and luck_rms is what to look at. NaN below four
     *  draws. */
    double rhat_max;
    double ess_bulk_min; /**< The smallest bulk effective sample size of them. NaN below four draws. */
    double acceptance; /**< The mean probability of acceptance. */
    /** What another seed would change in the predictions at the traced rows, in units of their predictive
     *  sd: root mean square. NaN below two chains in the model. */
    double luck_rms;
    double luck_median; /**< The same, the median over the rows. */
    uint64_t divergences; /**< Draws from trajectories that diverged. */
    uint64_t gradients; /**< Evaluations of the gradient, summed over chains. */
    uint64_t coordinates; /**< Coordinates that are sampled: parameters, scales, noise. */
    uint32_t chains_used; /**< Chains in the model. */
    uint32_t chains_dropped; /**< Chains left out of it. */
} lcc_bnn_diagnosis_f64;

/** What an ascent came to. */
typedef struct {
    /** log p(y, z) at the mode, of the coordinates z in which the weights' prior is N(0, I), y in its own
     *  units; of a maximum of the likelihood log p(y). Where scales or the noise are learnt it is less by
     *  about half of the logarithm of det H, which their evidence has too: what the ascents climb, and are
     *  chosen by. */
    double log_joint;
    /** Laplace's log evidence log p(y, z) + (dim/2) log 2 pi - (1/2) log det H; NaN where H is not of all
     *  coordinates. */
    double log_evidence;
    /** g'H^-1 g before the last step: the square of the distance to the mode in posterior sds, as H then
     *  was. Above 1e-3 the ascent has not reached it. */
    double distance_squared;
    double steps; /**< Steps of the ascent. */
    double error; /**< The Monte Carlo standard error of log_evidence: 0, but of a bound. */
} lcc_bnn_mode_f64;

/** What a chain of part of the rows aimed at, and how noisy its changes of the loss were. */
typedef struct {
    double temperature; /**< T: the law is prior times likelihood^(1/T). */
    double step; /**< The step of the draws, of sgld the first. */
    /** The mean over the steps of the variance of the mean change of the loss: penalty's chi^2, or what it
     *  is known to be. Where it is above 1, or estimated and above a quarter of the minibatches, penalties
     *  are wrong. NaN where one minibatch does not tell, or where no minibatch is compared. */
    double variance;
    /** The mean over the steps of the skewness of the changes, times the sign of their mean; 0 of normal
     *  ones, which penalties are for. NaN of fewer than three minibatches. */
    double skewness;
    /** The mean over the steps of their excess kurtosis; 0 of normal ones. NaN of fewer than four. */
    double kurtosis;
} lcc_bnn_changes_f64;

/** The chains that a network has on n rows of d columns: as the options say, or where those say 0, as
 *  many as make chains * n * (2 P + 22 units) = 5.5e7 for P parameters, in sixteens, from 24 to 288. To be
 *  asked where chains are dealt out: each part has to be told its own. */
int32_t lcc_bnn_chains_f64(const lcc_bnn_options_f64 *options, size_t n, size_t d, uint32_t *chains);

/** The bytes that a network takes: some 9 P + 8 units values a lane for P coordinates, every kept draw,
 *  and the standardised data. */
int32_t lcc_bnn_size_f64(const lcc_bnn_options_f64 *options, size_t n, size_t d, size_t *bytes);

/** Builds a network at the start of a block of memory. Reads the data.
 *
 *  @return LCC_ERROR_TARGET where a target is no value that the output can have or an exposure is not
 *          positive, LCC_ERROR_CONSTANT_TARGET */
int32_t lcc_bnn_init_f64(uint8_t *memory, size_t bytes, const lcc_bnn_options_f64 *options,
                         const lcc_data_f64 *data, lcc_bnn_f64 **network);

/** The same of rows with weights, by which the log likelihood of each is multiplied: a row of weight 2 counts as if it were
 *  there twice, one of weight 0 not at all. Means and sds of the data are weighted too; priors, chains and minibatches that
 *  depend on the number of rows take it as it is.
 *
 *  @param weights  n of them, 0 or more and not all 0; NULL: each row counts once
 *  @return also LCC_ERROR_WEIGHTS */
int32_t lcc_bnn_init_weighted_f64(uint8_t *memory, size_t bytes, const lcc_bnn_options_f64 *options,
                                  const lcc_data_f64 *data, const double *weights, lcc_bnn_f64 **network);

/** The precision that a fit wants, and has by `lcc fit`: 64 bits where its method climbs to a mode or fits a distribution, or
 *  where 32 would round the values of a column by more than a thousandth of their spread, or a count is 2^24 or more.
 *
 *  @param column  out: the first such column of X, d for the target; SIZE_MAX where there is none. May be NULL
 *  @param bits    out: 32 or 64 */
int32_t lcc_bnn_precision_f64(const lcc_bnn_options_f64 *options, const lcc_data_f64 *data, size_t *column,
                              uint32_t *bits);

/** Deals rows into folds for short fits before the fit: at random by the seed and evenly along their order, of classes
 *  each class by itself. 2 folds, or 4 of fewer than 200 real numbers, of which at most 1000 take part; 0 of fewer than
 *  40 rows, which tell nothing, and where the rows of all folds but one have one target.
 *
 *  @param dealt  out: each row's fold, from 0, or LCC_NO_FOLD where it takes no part
 *  @param len    at least the rows of the data
 *  @return LCC_ERROR_CAPACITY */
int32_t lcc_bnn_folds_f64(const lcc_bnn_options_f64 *options, const lcc_data_f64 *data, uint32_t *dealt,
                          size_t len, uint32_t *folds);

/** The same of rows in groups, as those of one person: the rows of a group are in one fold, of which there are 0 where there are
 *  fewer than 4 groups, and 2 of fewer than 8.
 *
 *  @param groups  n of them, numbered from 0 in the order of their first rows; NULL: each row is one
 *  @return also LCC_ERROR_INDEX for groups that are numbered otherwise */
int32_t lcc_bnn_folds_grouped_f64(const lcc_bnn_options_f64 *options, const lcc_data_f64 *data,
                                  const uint32_t *groups, uint32_t *dealt, size_t len, uint32_t *folds);

/** The same of rows with weights, as lcc_bnn_init_weighted_f64 has them: rows of weight 0 take no part, and where rows stand for
 *  several, by weights of 1.5 and more on average, there are 0 folds, for what such a row says is not told by others.
 *
 *  @param weights  n of them; NULL: all are 1
 *  @param groups   as before, or NULL
 *  @return also LCC_ERROR_WEIGHTS */
int32_t lcc_bnn_folds_weighted_f64(const lcc_bnn_options_f64 *options, const lcc_data_f64 *data,
                                   const double *weights, const uint32_t *groups, uint32_t *dealt, size_t len,
                                   uint32_t *folds);

/** The options of short fits, of at most 8 chains, of classes 24. Where y is a real number with student-t noise that is learnt,
 *  the candidates are student-t, log-normal where every y is positive (gamma where the logarithms have a skewness below -.5), or negative binomial where all are whole,
 *  0 is among them and their mean is 100 at most, mean-variance and last a mixture of `categories`:
 *  fit each to the rows of all folds but one, write down the log_density of lcc_model_score_f64 of the rows of that, and ask
 *  lcc_bnn_choose_f64. With 32 inputs or more that have scales each stands there once more, with scales that are known: of the
 *  one that is chosen take output and scales. Where no y is negative and a fifth or more is 0, the only candidate is hurdle-log-normal or hurdle-gamma likewise, and
 *  nothing to choose. Every other output has itself alone, and so have shorter chains (leapfrogs below 60, a start below
 *  300 steps, a warm-up below 10), which would tell candidates apart by how far each has come. Of classes the
 *  probabilities of the folds' rows are what lcc_bnn_temperature_f64 is for.
 *
 *  @param candidate  from 0
 *  @param pilot      out: the options
 *  @return LCC_ERROR_INDEX past the last candidate */
int32_t lcc_bnn_pilot_f64(const lcc_bnn_options_f64 *options, const lcc_data_f64 *data, size_t candidate,
                          lcc_bnn_options_f64 *pilot);

/** Each candidate takes the place of the one chosen before it where the log scores put it ahead by more than two standard
 *  errors of the difference and .05 nats a row, of another output log-normal, gamma or negative binomial by .1, the last of more than two by .25. These are considered only where
 *  student-t is no more than 1.5 nats a row ahead of the better law without inputs, Gaussian or log-normal. One with a score that is not
 *  finite (a row that it could not tell) is out; where all are, the choice is the first.
 *
 *  @param y           the targets of the rows
 *  @param rows        at least 2
 *  @param scores      candidates * rows log scores, candidate after candidate, of each the same rows in the order of y
 *  @param candidates  at least 1 */
int32_t lcc_bnn_choose_f64(const double *y, size_t rows, const double *scores, size_t candidates,
                           lcc_bnn_choice_f64 *choice);

/** The temperature for lcc_model_temper of a model of all rows, by predictions of the folds: that by lcc_temperature_f64, above 1
 *  its square root, as those come from half of the rows, and by how much they are too sure falls as one over the rows.
 *
 *  @param probabilities  rows * classes values in [0, 1], row after row: lcc_model_classes_f64
 *  @param classes        at least 2
 *  @param targets        rows classes
 *  @return LCC_ERROR_EMPTY, LCC_ERROR_OVERFLOW, LCC_ERROR_TARGET, LCC_ERROR_PROBABILITY */
int32_t lcc_bnn_temperature_f64(const double *probabilities, size_t rows, size_t classes,
                                const double *targets, double *temperature);

/** Works until the budget is used up, or to the end. The budget is in row visits, rows times lanes for
 *  each pass of a block over the data. A unit of work (one optimisation step or one trajectory of a block
 *  of chains) is never split: a call overshoots by less than (leapfrogs + 5) * n * lanes. A visit costs
 *  about 4 P flops and one activation for each unit. Of other methods than chains a unit is a step of the start
 *  or of the ascent, or a draw, of tempered, batched, sgld and penalty `leapfrogs` steps; those with a curvature H
 *  take n (P^2 + 4 P) flops an output and P^3/3.
 *
 *  @return LCC_ERROR_SEPARABLE, LCC_ERROR_SINGULAR, LCC_ERROR_START, LCC_ERROR_DIVERGED: of the methods that climb */
int32_t lcc_bnn_step_f64(lcc_bnn_f64 *network, const lcc_data_f64 *data, uint64_t budget);

/** The same of a network made by lcc_bnn_init_weighted_f64, with its weights. */
int32_t lcc_bnn_step_weighted_f64(lcc_bnn_f64 *network, const lcc_data_f64 *data, const double *weights,
                                  uint64_t budget);

/** Puts chains together that ran apart, as lcc_sampler_join_f64 does those of a sampler: bit for bit the
 *  network that has run them itself. Which chains its model leaves out is then decided from all of
 *  them. All parts are at their end, and none has chains beyond those of the whole. They begin with its first chain,
 *  or with the first that it has not finished (of a block at work all of it counts as not finished); where they end
 *  before its last they end with a block of its lanes, and it goes on from there, by lcc_bnn_step_f64 or by more parts.
 *
 *  @param network  the handle: made as if to run all chains
 *  @param parts    handles, none of them this one; unchanged
 *  @return LCC_ERROR_PARTS */
int32_t lcc_bnn_join_f64(lcc_bnn_f64 *network, const lcc_bnn_f64 *const *parts, size_t count);

/** The bytes of the model at most: chains * keep draws, and a head. */
int32_t lcc_bnn_model_size_f64(const lcc_bnn_f64 *network, size_t *bytes);

/** Writes the model (a posterior image): the kept draws of the chains that are at their end and in use,
 *  with the units of the data. It may be asked for as soon as there is one such chain, and again later. Of laplace and
 *  laplace-diagonal with hidden layers lcc_bnn_write_linearised_f64 writes the better one.
 *
 *  @param model  out: lcc_bnn_model_size_f64 bytes, of any alignment
 *  @return LCC_ERROR_NOT_DONE */
int32_t lcc_bnn_write_model_f64(const lcc_bnn_f64 *network, uint8_t *model, size_t bytes, size_t *written);

/** lcc_bnn_write_model_f64 of laplace and laplace-diagonal with hidden layers, of the network linearised at the mode: the
 *  outputs of a draw are f(z*) + J (z - z*), z* the mode and J the derivative there, in the coordinates in which the
 *  Gaussian is. Draws far from the mode then predict no worse than the Gaussian is. It is the model that the command line and
 *  the other hosts take. A prediction costs about three times as much. What cannot evaluate such a model refuses
 *  it: libraries before it, those for microcontrollers, and all that take one hidden layer only.
 *
 *  @param model  out: lcc_bnn_model_size_f64 bytes, of any alignment
 *  @return LCC_ERROR_NOT_DONE, LCC_ERROR_METHOD of others, whose model is lcc_bnn_write_model_f64's */
int32_t lcc_bnn_write_linearised_f64(const lcc_bnn_f64 *network, uint8_t *model, size_t bytes,
                                     size_t *written);

/** Writes the end point of the start (Adam) of the chain for which the log density of the posterior was
 *  largest, as a model of one draw: what a point fit of the same network would predict, to be held
 *  against the posterior. Of student-t noise nu, where it is sampled, is still that of the start, 30.
 *
 *  @param model  out: lcc_bnn_model_size_f64 bytes, of any alignment
 *  @return LCC_ERROR_NOT_DONE before the first start is over */
int32_t lcc_bnn_write_point_f64(const lcc_bnn_f64 *network, uint8_t *model, size_t bytes, size_t *written);

/** The bytes of scratch that lcc_bnn_diagnose_f64 needs. */
int32_t lcc_bnn_diagnose_scratch_f64(const lcc_bnn_f64 *network, size_t *bytes);

/** What the chains that are at their end say about themselves.
 *
 *  @param scratch  lcc_bnn_diagnose_scratch_f64 bytes
 *  @return LCC_ERROR_NOT_DONE */
int32_t lcc_bnn_diagnose_f64(const lcc_bnn_f64 *network, uint8_t *scratch, size_t bytes,
                             lcc_bnn_diagnosis_f64 *diagnosis);

/** The means and the sds of the Gaussian that a chain at its end fitted by the evidence lower bound, of the
 *  diagnosis' coordinates: those of the weights first, in which their prior is N(0, 1). |mean| / sd is the
 *  signal-to-noise ratio of a weight.
 *
 *  @param mean   out: as many numbers as coordinates
 *  @param sd     out: as many
 *  @param count  the numbers that each has room for
 *  @return LCC_ERROR_METHOD of other methods, LCC_ERROR_NOT_DONE, LCC_ERROR_INDEX, LCC_ERROR_CAPACITY */
int32_t lcc_bnn_law_f64(const lcc_bnn_f64 *network, size_t chain, double *mean, double *sd, size_t count);

/** What the ascent of a chain that is at its end came to, and Laplace's evidence; or the bound of the evidence of
 *  a fit and its error: of the methods that climb or fit.
 *
 *  @return LCC_ERROR_METHOD of others, LCC_ERROR_NOT_DONE, LCC_ERROR_INDEX */
int32_t lcc_bnn_report_f64(const lcc_bnn_f64 *network, size_t chain, lcc_bnn_mode_f64 *mode);

/** At what temperature and by which step a chain that is at its end drew, and the variance and the shape of its changes
 *  of the loss: of tempered, batched, sgld and penalty. Of many chains a mean over them says more.
 *
 *  @return LCC_ERROR_METHOD of others, LCC_ERROR_NOT_DONE, LCC_ERROR_INDEX */
int32_t lcc_bnn_noise_f64(const lcc_bnn_f64 *network, size_t chain, lcc_bnn_changes_f64 *changes);

/** One recorded quantity at every draw of the chains that are at their end, a view into the network's
 *  memory, valid until the next step.
 *
 *  @param quantity  an LCC_BNN_TRACE_ code
 *  @param index     for LCC_BNN_TRACE_PREDICTION: which of the traced training rows, else 0
 *  @return LCC_ERROR_NOT_DONE */
int32_t lcc_bnn_trace_f64(const lcc_bnn_f64 *network, int32_t quantity, size_t index, lcc_draws_f64 *draws);

/* ==== Greedy Bayes ==================================================================================== */

/** A fit by batch Greedy Bayes, in the caller's memory.
 *
 *  Levels k = 1, ..., K: residuals r = y - (1 - beta) f_{k-1}; particles from the posterior of one neuron
 *  of the dictionary +-V psi given all of them, p(w) ~ exp(alpha V sum_i r_i psi(x_i.w)) p0(w), by
 *  sequential Monte Carlo; f_k = (1 - beta) f_{k-1} + beta E[V s psi(x.w)]. The particles of all levels
 *  make the model. The algorithm of the papers; as a regressor lcc_network predicts better. */
typedef struct lcc_greedy_f64 lcc_greedy_f64;

/** What a fit is asked to do. The defaults are a regressor's, for data that are standardised. */
typedef struct {
    uint32_t struct_size; /**< The bytes of this struct, as the defaults have it. */
    int32_t activation; /**< An LCC_ACTIVATION_ code. Default: tanh. */
    int32_t prior; /**< LCC_PRIOR_GAUSSIAN or LCC_PRIOR_L1_BALL. Default: Gaussian. */
    int32_t form; /**< LCC_GREEDY_TILT or LCC_GREEDY_QUADRATIC. Default: quadratic. */
    uint32_t levels; /**< Levels K, 1 to 65535. Default 60. */
    uint32_t particles; /**< Particles of each level, at least 2 and a multiple of lanes. Default 256. */
    uint32_t moves; /**< Transitions of every particle at each temperature, at least 1. Default 2. */
    /** Particles that advance in lock-step: 1 or 8. Changes speed, never a number. Default 8. */
    uint32_t lanes;
    uint32_t either_sign; /**< 1: a neuron may enter with either sign, which is summed out. Default 0. */
    uint32_t standardise; /**< 1: standardise inputs and target. Default 1. */
    uint32_t intercept; /**< 1: add a column of ones, so that neurons have a bias. Default 1. */
    uint32_t refit; /**< 1: weight the levels' means anew, by ridge regression. Default 1. */
    uint32_t keep; /**< Draws in the model, 1 to particles. Default 64. */
    /** 1: a level's alpha is alpha times the mean square of y over that of y - f before it (at most 10^4
     *  times), so that the noise assumed falls with the noise left. Default 1. */
    uint32_t follow;
    /** 1: plain loops, but AVX2 or NEON for 8 lanes. Changes speed, never a number. Default 0. */
    uint32_t portable;
    uint32_t reserved; /**< Must be 0. */
    uint64_t seed; /**< Names the random numbers. Default 1. */
    double scale; /**< The prior's sd, or the radius of the l1 ball: positive. Default 1. */
    double outer; /**< V, positive. Default 3. */
    double alpha; /**< alpha, positive; alpha/beta is the precision of the noise assumed. Default 1. */
    double beta; /**< The share that each level takes of the fit, in (0, 1]. Default .05. */
    /** The ridge's penalty as a share of the mean variance of the levels' means, not negative. Default
     *  .001. */
    double ridge;
    /** The share of the rows held out to choose the number of levels and the noise by, in [0, .5]. Default
     *  .2. */
    double holdout;
} lcc_greedy_options_f64;

/** One level of a fit, in the neurons' units. */
typedef struct {
    double log_evidence; /**< The log evidence of its posterior ... */
    double evidence_error; /**< ... and its standard error. */
    double acceptance; /**< The mean acceptance at the last temperature. */
    double alpha; /**< Its alpha. */
    double rmse; /**< The root mean square of y - f after it, over the rows that it saw ... */
    double rmse_held_out; /**< ... and over those held out; NaN without. */
    /** The weight of its mean in the result; 0 before the end, and where it is not used. */
    double coefficient;
    uint32_t families; /**< Draws of the prior that its particles descend from. */
    uint32_t stages; /**< Temperatures. */
} lcc_greedy_level_f64;

/** Writes the defaults. */
int32_t lcc_greedy_options_default_f64(lcc_greedy_options_f64 *options);

/** The bytes that a fit takes. */
int32_t lcc_greedy_size_f64(const lcc_greedy_options_f64 *options, size_t n, size_t d, size_t *bytes);

/** Builds a fit at the start of a block of memory. Reads the data and keeps a copy in its own units.
 *
 *  @return LCC_ERROR_CONSTANT_TARGET */
int32_t lcc_greedy_init_f64(uint8_t *memory, size_t bytes, const lcc_greedy_options_f64 *options,
                            const lcc_data_f64 *data, lcc_greedy_f64 **greedy);

/** Works until the budget is used up, or to the end. A unit of work (one transition of a block of
 *  particles, the outputs of all particles at 64 rows, the choice of the levels at the end) is never
 *  split.
 *
 *  @return LCC_ERROR_IMPROPER, LCC_ERROR_STAGES */
int32_t lcc_greedy_step_f64(lcc_greedy_f64 *greedy, const lcc_data_f64 *data, uint64_t budget);

/** A level that is done with. */
int32_t lcc_greedy_report_f64(const lcc_greedy_f64 *greedy, size_t index, lcc_greedy_level_f64 *level);

/** What a fit came to: the levels used, the first so many, and the sd of the noise in standardised units.
 *
 *  @return LCC_ERROR_NOT_DONE */
int32_t lcc_greedy_result_f64(const lcc_greedy_f64 *greedy, uint32_t *levels, double *noise);

/** The bytes of the model at most, keep draws of K (d + 2) + d + 3 values and a head, and those of the
 *  scratch in which it is written. */
int32_t lcc_greedy_model_size_f64(const lcc_greedy_f64 *greedy, size_t *model, size_t *scratch);

/** Writes the model: an image that every lcc_model_ function reads. A draw holds one particle of every
 *  level used; the mean over the draws is the fit.
 *
 *  @return LCC_ERROR_NOT_DONE */
int32_t lcc_greedy_write_model_f64(const lcc_greedy_f64 *greedy, uint8_t *scratch, size_t scratch_bytes,
                                   uint8_t *model, size_t bytes, size_t *written);

/* ==== Greedy least squares ============================================================================ */

/** A fit by greedy least squares over the dictionary {+-V psi(x.w): |w|_1 <= radius}, in the caller's
 *  memory: relaxed greedy, Frank-Wolfe or orthogonal matching pursuit. Each level seeks one neuron by
 *  projected gradient ascent from several starts, and takes it into the fit. */
typedef struct lcc_relaxed_f64 lcc_relaxed_f64;

/** What a fit is asked to do. */
typedef struct {
    uint32_t struct_size; /**< The bytes of this struct, as the defaults have it. */
    int32_t method; /**< An LCC_RELAXED_ method. Default: relaxed greedy. */
    int32_t activation; /**< An LCC_ACTIVATION_ code. Default: tanh. */
    uint32_t levels; /**< Levels K, 1 to 4096. Default 40. */
    uint32_t starts; /**< Starts of the search for each neuron, a multiple of lanes. Default 16. */
    uint32_t steps; /**< Steps of ascent from each start, at least 1. Default 60. */
    /** Starts that advance in lock-step: 1 or 8. Changes speed, never a number. Default 8. */
    uint32_t lanes;
    uint32_t standardise; /**< 1: standardise inputs and target. Default 1. */
    uint32_t intercept; /**< 1: add a column of ones, so that neurons have a bias. Default 1. */
    /** 1: plain loops, but AVX2 or NEON for 8 lanes. Changes speed, never a number. Default 0. */
    uint32_t portable;
    uint64_t seed; /**< Names the random numbers. Default 1. */
    double outer; /**< V, positive. Default 5. */
    double radius; /**< The radius of the l1 ball, positive. Default 5. */
} lcc_relaxed_options_f64;

/** A fit after one level, in the neurons' units. */
typedef struct {
    double error; /**< The mean squared error |y - f|^2/n over the training rows. */
    /** V^2 B^2/k, B = sup |psi| where x.w can be: what some average of k = 1, 2, ... neurons comes to
     *  within of the best function of the hull. Infinite where psi has no bound. */
    double bound;
    /** Frank-Wolfe: the duality gap before this level, at least the excess over the best of the hull as
     *  far as the neuron found is the best of the dictionary. NaN for the other methods. */
    double gap;
    double variation; /**< V times the sum of the neurons' absolute factors: at most V in the hull. */
} lcc_relaxed_level_f64;

/** Writes the defaults. */
int32_t lcc_relaxed_options_default_f64(lcc_relaxed_options_f64 *options);

/** The bytes that a fit takes. */
int32_t lcc_relaxed_size_f64(const lcc_relaxed_options_f64 *options, size_t n, size_t d, size_t *bytes);

/** Builds a fit at the start of a block of memory. Reads the data and keeps a copy in its own units.
 *
 *  @return LCC_ERROR_CONSTANT_TARGET */
int32_t lcc_relaxed_init_f64(uint8_t *memory, size_t bytes, const lcc_relaxed_options_f64 *options,
                             const lcc_data_f64 *data, lcc_relaxed_f64 **relaxed);

/** Works until the budget is used up, or to the end. A unit of work (one step of a block of starts, or
 *  the end of a level) is never split. */
int32_t lcc_relaxed_step_f64(lcc_relaxed_f64 *relaxed, const lcc_data_f64 *data, uint64_t budget);

/** The fit after a level. */
int32_t lcc_relaxed_report_f64(const lcc_relaxed_f64 *relaxed, size_t index, lcc_relaxed_level_f64 *level);

/** The bytes of the model at most, one draw of K (d + 2) + d + 3 values and a head, and those of the
 *  scratch in which it is written. */
int32_t lcc_relaxed_model_size_f64(const lcc_relaxed_f64 *relaxed, size_t *model, size_t *scratch);

/** Writes the model: an image of one draw that every lcc_model_ function reads, with the training error
 *  as its noise. It may be asked for as soon as there is a level, and again later.
 *
 *  @return LCC_ERROR_NOT_DONE */
int32_t lcc_relaxed_write_model_f64(const lcc_relaxed_f64 *relaxed, uint8_t *scratch, size_t scratch_bytes,
                                    uint8_t *model, size_t bytes, size_t *written);

/* ==== The variational auto-encoder ==================================================================== */

/** A variational auto-encoder (Kingma and Welling 2014) in the caller's memory: rows y in R^d have k coordinates
 *  z ~ N(0, I); a decoder network says what y is given z, an encoder network the mean and the sd of z given y. Both
 *  are fitted by the evidence lower bound with one draw of z a row, minibatches and Adam, the parameters averaged
 *  over the last quarter of the steps: a local maximum of a lower bound, no posterior of the parameters. Without
 *  hidden layers it is probabilistic PCA.
 *
 *  The handle is the model: lcc_checkpoint() of it is what is stored, lcc_restore() what reads it, and it holds no
 *  row of the data. */
typedef struct lcc_vae_f64 lcc_vae_f64;

/** What an auto-encoder is asked to be, and how it is fitted. */
typedef struct {
    uint32_t struct_size; /**< The bytes of this struct, as the defaults have it. */
    int32_t observed; /**< An LCC_VAE_ output. Default: Gaussian. */
    int32_t activation; /**< An LCC_ACTIVATION_ code. Default: tanh. */
    uint32_t latent; /**< Latent coordinates k, 1 to 4096. Default 2. */
    /** Units of the encoder's hidden layers, from the rows on, the decoder's being the same backwards; the
     *  first 0 ends them. Without any it is probabilistic PCA. Default 32, 0. */
    uint32_t widths[4];
    uint32_t steps; /**< Steps, at least 1. Default 5000. */
    /** Rows of each step, drawn with replacement, at most those of the data; 0, or as many as there are:
     *  all of them, in their order. Default 0. */
    uint32_t batch;
    uint64_t seed; /**< Names the random numbers. Default 1. */
    double rate; /**< The rate of the first half of the steps, positive. Default 0.005. */
    double noise; /**< Gaussian: the sd of the noise, in the units of the data; 0: it is learnt. Default 0. */
    /** Bernoulli: the largest value of the rows, by which they are divided: they are in \[0, largest\].
     *  Positive. Default 1. */
    double largest;
} lcc_vae_options_f64;

/** What an auto-encoder is. */
typedef struct {
    uint64_t columns; /**< Columns d of the rows. */
    uint64_t latent; /**< Coordinates k of z. */
    uint64_t parameters; /**< Parameters of both networks. */
    uint64_t scratch; /**< The bytes of scratch of every function that asks for some, aligned to 16. */
    int32_t observed; /**< An LCC_VAE_ output. */
    uint32_t reserved; /**< Must be ignored. */
    /** The sd of the noise in the data's units, learnt or given; 0 where the output is Bernoulli. */
    double noise;
} lcc_vae_shape_f64;

/** The bound of ln p(y), a row, in the data's units: of a Gaussian output a log density, of a Bernoulli one the logarithm
 *  of a probability where y is 0 or the largest value, and of values between them a score that is no density. The two are
 *  not comparable. */
typedef struct {
    double bound; /**< The mean over the rows. */
    /** Its Monte Carlo standard error, of the draws at these rows. Not that of the choice of the rows. */
    double error;
    double kl; /**< The mean over the rows of the KL divergence, which the bound has subtracted. */
} lcc_vae_bound_f64;

/** Writes the defaults. */
int32_t lcc_vae_options_default_f64(lcc_vae_options_f64 *options);

/** The bytes that an auto-encoder of n rows of d columns takes: 5 numbers a parameter and some. */
int32_t lcc_vae_size_f64(const lcc_vae_options_f64 *options, size_t n, size_t d, size_t *bytes);

/** Builds an auto-encoder at the start of a block of memory. Reads x, not y, which may be NULL.
 *
 *  @return LCC_ERROR_CONSTANT_TARGET where every column is constant, LCC_ERROR_TARGET where a value is below 0
 *          or above the largest and the output Bernoulli, LCC_ERROR_BATCH */
int32_t lcc_vae_init_f64(uint8_t *memory, size_t bytes, const lcc_vae_options_f64 *options,
                         const lcc_data_f64 *data, lcc_vae_f64 **vae);

/** Works until the budget of row visits is used up, or to the end. A step of the fit, `batch` visits, is never split.
 *
 *  @return LCC_ERROR_START where the bound is no number any more: the rate is too large */
int32_t lcc_vae_step_f64(lcc_vae_f64 *vae, const lcc_data_f64 *data, uint64_t budget);

/** What it is; at any time, as are all that follow. */
int32_t lcc_vae_shape_of_f64(const lcc_vae_f64 *vae, lcc_vae_shape_f64 *shape);

/** Writes the mean and the sd of z given each row: n k values each, row by row.
 *
 *  @param values  room of means and of sds, each */
int32_t lcc_vae_encode_f64(const lcc_vae_f64 *vae, const lcc_data_f64 *data, double *means, double *sds,
                           size_t values, uint8_t *scratch, size_t scratch_bytes);

/** Writes the mean of y given each z: n d values, row by row.
 *
 *  @param data  n rows of k coordinates, as x; y is not read */
int32_t lcc_vae_decode_f64(const lcc_vae_f64 *vae, const lcc_data_f64 *data, double *out, size_t values,
                           uint8_t *scratch, size_t scratch_bytes);

/** Writes n draws of (z, y), noise included: n k values and n d, row by row. The means of y at these z are
 *  lcc_vae_decode_f64's.
 *
 *  @param z_values  room of z
 *  @param y_values  room of y */
int32_t lcc_vae_sample_f64(const lcc_vae_f64 *vae, size_t n, uint64_t seed, double *z, size_t z_values,
                           double *y, size_t y_values, uint8_t *scratch, size_t scratch_bytes);

/** The bound of ln p(y), a row, at rows, by so many draws of z a row, two or more.
 *
 *  @return LCC_ERROR_DRAWS, LCC_ERROR_TARGET */
int32_t lcc_vae_bound_of_f64(const lcc_vae_f64 *vae, const lcc_data_f64 *data, uint32_t draws, uint64_t seed,
                             uint8_t *scratch, size_t scratch_bytes, lcc_vae_bound_f64 *bound);

/* ==== Models and predictions ========================================================================== */

/** The predictive law of one row in four numbers, in the target's units. */
typedef struct {
    double mean; /**< E y (NaN where a draw has nu <= 1). */
    /** The standard deviation of y, noise included (infinite where a draw has nu <= 2). That of the draws:
     *  where ln variance is an output (mean-variance, mixture) of sampled scales, the law itself has no
     *  variance, and a few draws decide the number; the interval is what to go by. */
    double sd;
    double lower; /**< The lower end of the central interval. */
    double upper; /**< Its upper end. */
} lcc_prediction_f64;

/** How one target fared under the predictive law of its row. */
typedef struct {
    /** Log density of the predictive mixture at the target, of counts and classes the log probability:
     *  larger is better. */
    double log_density;
    /** Probability integral transform: P(Y <= y). Uniform over rows if the predictions are calibrated; of
     *  counts and classes P(Y <= y) - u exp(log_density) is, with a u that is. */
    double pit;
    /** Continuous ranked probability score, in the target's units: smaller is better. NaN of classes. */
    double crps;
} lcc_score_f64;

/** The scores of a whole test set. */
typedef struct {
    double rmse; /**< Root mean square error of the predictive means. */
    double log_likelihood; /**< Mean log density of the predictive mixture at the targets. */
    double coverage; /**< The fraction of targets inside their central interval. */
    double width; /**< Mean width of the intervals. */
    double crps; /**< Mean continuous ranked probability score; NaN where it was not asked for. */
} lcc_evaluation_f64;

/** What the uncertainty of y at one row is made of; the squares add up to that of lcc_prediction_f64.sd. Of classes
 *  that of the code. */
typedef struct {
    double aleatoric; /**< The sd that would stay if the network were known: noise. */
    double epistemic; /**< The sd of what the network says: more data make it smaller. */
} lcc_spread_f64;

/** What the probabilities of the classes at one row say. Logarithms are natural. */
typedef struct {
    double entropy; /**< The entropy of the class. */
    /** The mutual information of class and draw: the part of the entropy that more data make smaller. */
    double mutual_information;
    double top; /**< The largest probability. */
} lcc_class_facts_f64;

/** The scores of the classes of a whole test set. */
typedef struct {
    double accuracy; /**< The fraction of rows whose class has the largest probability. */
    double log_likelihood; /**< Log probability of the class. */
    /** Brier score: the sum over classes of the squared distance of probability and indicator, in [0, 2]. */
    double brier;
    double ranked; /**< Ranked probability score, in the order of the classes: for ordinal outputs. */
    /** Calibration error: how far the top probability is from how often the top class is right, in 15 bins
     *  of it. */
    double calibration;
    double coverage; /**< The fraction of rows whose class lies in the prediction set of the level. */
    double set_size; /**< Classes in the prediction sets. */
    double entropy; /**< Entropy of the predictive probabilities. */
    /** Mutual information of class and draw: the part of the entropy that more data could remove. */
    double mutual_information;
} lcc_class_evaluation_f64;

/** What thinning changes (lcc_model_thin_f64): differences between the probabilities that the thin model predicts and
 *  those of the whole one. */
typedef struct {
    double rms; /**< Root mean square. */
    double largest; /**< The largest. */
} lcc_thinned_f64;

/** The bytes of scratch that the functions below need. Grows with the draws and the inputs, not with the
 *  rows. Rows are inputs in the units of the training data; where their targets are not scored y may be NULL. */
int32_t lcc_model_scratch_f64(const uint8_t *model, size_t bytes, size_t *scratch);

/** Mean, standard deviation and central interval at each row. Of classes those of the code: of a Bernoulli
 *  output the mean is P(1); lcc_model_classes_f64 has the probabilities. Intervals of counts and codes run from
 *  one to the other, both inside. About 2 K M (d + 1) flops and K M
 *  activations a row, and some tens of evaluations of K Student-t tails for the interval.
 *
 *  @param level  the probability of the interval, e.g. .9
 *  @param out    out: one prediction a row
 *  @return LCC_ERROR_PROBABILITY */
int32_t lcc_model_predict_f64(const uint8_t *model, size_t bytes, const lcc_data_f64 *rows, double level,
                              uint8_t *scratch, size_t scratch_bytes, lcc_prediction_f64 *out, size_t len);

/** The temperature for lcc_model_temper under which the probabilities of held-out rows score best, by a model
 *  that is as the one to be calibrated; of folds lcc_bnn_temperature_f64. Clean labels ask for less than 1, noise that the
 *  model does not know for more; few rows move it little from 1 (Guo et al. 2017, with a prior).
 *
 *  @param probabilities  rows * classes values in [0, 1], row after row, of which each sums to 1 within .05:
 *                        lcc_model_classes_f64
 *  @param classes        at least 2
 *  @param targets        rows classes
 *  @return LCC_ERROR_EMPTY, LCC_ERROR_OVERFLOW, LCC_ERROR_TARGET, LCC_ERROR_PROBABILITY */
int32_t lcc_temperature_f64(const double *probabilities, size_t rows, size_t classes, const double *targets,
                            double *temperature);

/** Quantiles of the predictive law at each row: out[i * levels + k] is the p[k]-quantile at row i.
 *
 *  @param p    probabilities inside (0, 1)
 *  @param out  out: n * levels values
 *  @return LCC_ERROR_PROBABILITY, LCC_ERROR_EMPTY (no levels) */
int32_t lcc_model_quantile_f64(const uint8_t *model, size_t bytes, const lcc_data_f64 *rows, const double *p,
                               size_t levels, uint8_t *scratch, size_t scratch_bytes, double *out,
                               size_t len);

/** Scores of each row's target. CRPS takes some ten times as long as a prediction.
 *
 *  @param out  out: one score a row */
int32_t lcc_model_score_f64(const uint8_t *model, size_t bytes, const lcc_data_f64 *rows, uint8_t *scratch,
                            size_t scratch_bytes, lcc_score_f64 *out, size_t len);

/** The scores of a whole test set, by compensated sums over its rows in order.
 *
 *  @param level  the probability of the intervals
 *  @param crps   1: the CRPS too, which takes some ten times as long as the rest; 0: without
 *  @return LCC_ERROR_PROBABILITY, LCC_ERROR_SWITCH if crps is neither 0 nor 1, LCC_ERROR_OUTPUT where y is a
 *          class, LCC_ERROR_TARGET where a target is no value of the output */
int32_t lcc_model_evaluate_f64(const uint8_t *model, size_t bytes, const lcc_data_f64 *rows, double level,
                               uint32_t crps, uint8_t *scratch, size_t scratch_bytes,
                               lcc_evaluation_f64 *evaluation);

/** The log density of each target under each draw, out[i * K + k] for row i and draw k: the input of
 *  leave-one-out estimates (PSIS-LOO). Of classes before the temperature, which is that of their average.
 *
 *  @param out  out: n * K values */
int32_t lcc_model_log_likelihood_f64(const uint8_t *model, size_t bytes, const lcc_data_f64 *rows,
                                     uint8_t *scratch, size_t scratch_bytes, double *out, size_t len);

/** f(x) of each draw without its noise, in the target's units: out[i * K + k] for row i and draw k. Of other
 *  outputs than one with noise added, the mean of y: of counts with the exposure, of classes that of the code.
 *  Their spread is what is not known of the regression function; a band of it, a difference between
 *  two rows or a probability of one being above another are read off them.
 *
 *  @param out  out: n * K values */
int32_t lcc_model_function_f64(const uint8_t *model, size_t bytes, const lcc_data_f64 *rows, uint8_t *scratch,
                               size_t scratch_bytes, double *out, size_t len);

/** Draws of y from the posterior predictive law: out[i * each + k] is draw k at row i.
 *
 *  @param each  draws for each row, at least 1
 *  @param out   out: n * each values
 *  @return LCC_ERROR_DRAWS if each is 0 */
int32_t lcc_model_draw_f64(const uint8_t *model, size_t bytes, const lcc_data_f64 *rows, uint64_t seed,
                           size_t each, uint8_t *scratch, size_t scratch_bytes, double *out, size_t len);

/** What the uncertainty at each row is made of.
 *
 *  @param out  out: one a row */
int32_t lcc_model_spread_f64(const uint8_t *model, size_t bytes, const lcc_data_f64 *rows, uint8_t *scratch,
                             size_t scratch_bytes, lcc_spread_f64 *out, size_t len);

/** The probabilities of the classes at each row, averaged over the draws, out[i * C + c] for row i and
 *  class c, and what is to be said of them.
 *
 *  @param out        out: n * C values
 *  @param facts      out: one a row; may be NULL
 *  @param facts_len  as many as fit there
 *  @return LCC_ERROR_OUTPUT where y is no class */
int32_t lcc_model_classes_f64(const uint8_t *model, size_t bytes, const lcc_data_f64 *rows, uint8_t *scratch,
                              size_t scratch_bytes, double *out, size_t len, lcc_class_facts_f64 *facts,
                              size_t facts_len);

/** The scores of the classes of a whole test set, by compensated sums over its rows in order.
 *
 *  @param level  the probability of the sets of classes that coverage and set_size are of
 *  @return LCC_ERROR_PROBABILITY, LCC_ERROR_OUTPUT where y is no class, LCC_ERROR_TARGET where a target is none */
int32_t lcc_model_evaluate_classes_f64(const uint8_t *model, size_t bytes, const lcc_data_f64 *rows,
                                       double level, uint8_t *scratch, size_t scratch_bytes,
                                       lcc_class_evaluation_f64 *evaluation);

/** The bytes of scratch that lcc_model_thin_f64 needs: grows with the square of the draws. */
int32_t lcc_model_thin_scratch_f64(const uint8_t *model, size_t bytes, size_t *scratch);

/** Writes a model of some of the draws, for devices and services where a model of all is too large or too slow: bytes
 *  and time of a prediction fall with the draws. Those draws are chosen whose mean predictive distribution is nearest
 *  to that of all; they keep their order, and an attachment, units and temperature stay.
 *
 *  @param draws     how many, at least 1
 *  @param rows      rows as they will be predicted, of which at most 256 are used, spread at random; y may be NULL.
 *                   NULL: rows are drawn, with inputs independent and normal by the model's means and sds
 *  @param out       out: bytes are enough; apart from the model
 *  @param capacity  the bytes at out
 *  @return LCC_ERROR_DRAWS if draws is 0 or more than the model has, LCC_ERROR_INPUTS, LCC_ERROR_MEMORY_SIZE,
 *          LCC_ERROR_OVERLAP */
int32_t lcc_model_thin_f64(const uint8_t *model, size_t bytes, size_t draws, const lcc_data_f64 *rows,
                           uint8_t *scratch, size_t scratch_bytes, uint8_t *out, size_t capacity,
                           size_t *written, lcc_thinned_f64 *thinned);

/** The parameters of one draw in standardised units. One hidden layer and one output: w (M d, neuron by
 *  neuron), b (M), v (M), b0, c (d), sigma, nu (infinite for Gaussian noise). In general, layer by layer the
 *  weights, unit by unit, and the biases; output by output the weights of the last layer; the intercepts;
 *  output by output the direct part; then what the output has: sigma, nu (student-t, gaussian), r (negative
 *  binomial), thresholds (ordinal). Of a linearised model (lcc_bnn_write_linearised_f64) they are no parameters of a network, but
 *  where its derivative is followed to.
 *
 *  @param draw  which, below K
 *  @param out   out: lcc_model_info.values values */
int32_t lcc_model_parameters_f64(const uint8_t *model, size_t bytes, size_t draw, double *out, size_t len);

/** The units of a model: what lcc_model_parameters_f64 calls standardised is (x - mean) / sd, for each
 *  input and for the target; where sd is negative the input is bent, .76527 asinh((x - mean) / -sd), and where
 *  z = (x - mean) / sd lies beyond 10, as of rows very unlike the training data, it is +-(10 + asinh(|z| - 10)) (unless
 *  mean is 0 and sd 1).
 *
 *  @param mean  out: d + 1 values, the inputs' first, then the target's
 *  @param sd    out: d + 1 values, likewise
 *  @param len   the values that fit at mean, and at sd */
int32_t lcc_model_units_f64(const uint8_t *model, size_t bytes, double *mean, double *sd, size_t len);

/* ==== Learning from a stream ========================================================================== */

/** A model that goes on learning, row by row, where the data drift; in the caller's memory.
 *
 *  Every draw keeps its hidden layer and learns its head (outer weights, intercept, linear part) by
 *  Bayesian recursive least squares with forgetting, and its noise by a Gamma with forgetting. What is
 *  forgotten leaks back towards the model as it was fitted, so that nothing grows without bound however
 *  little the rows say. Covariances are kept factored (Bierman): single precision bears any number of
 *  rows. Usual order, for each row: lcc_stream_predict_f64 when the inputs are known,
 *  lcc_stream_observe_f64 when the target is. It begins with a prior of the heads that is wide enough for any
 *  drift, and so unsure; handed the training rows first, it begins with what they say. */
typedef struct lcc_stream_f64 lcc_stream_f64;

/** The last rows of a stream, in the caller's memory: appended until it is full, then the oldest is
 *  replaced. */
typedef struct lcc_window_f64 lcc_window_f64;

/** How a stream is learnt from. Sds are those of the head in standardised units. */
typedef struct {
    uint32_t struct_size; /**< The bytes of this struct, as the defaults have it. */
    /** Draws to learn with, at least 1: at most so many, evenly spread over those of the model. Default
     *  64; 8 to 16 on a microcontroller. */
    uint32_t draws;
    /** Draws that are updated together: 1 or 8. Changes speed and memory, never a number. Default 8; 1 on
     *  a microcontroller. */
    uint32_t lanes;
    uint32_t weighted; /**< 1: draws are weighted by how well they have predicted; 0: equally. Default 1. */
    /** 1: plain loops, but AVX2 or NEON for 8 lanes. Changes speed, never a number. Default 0. */
    uint32_t portable;
    uint32_t reserved; /**< Must be 0. */
    /** What a row counts for after the next, in (0, 1]: the head remembers about 1 / (1 - forgetting)
     *  rows. 1: all count the same. Default .98. */
    double forgetting;
    double noise_forgetting; /**< The same of the noise. Default .98. */
    /** What a row counts for in the weights after the next, in [0, 1]. Default .9. */
    double weight_forgetting;
    /** The rows that the noise as it was fitted counts for at first, and in the long run a third of them:
     *  with more, noise that has fallen to a tenth is never seen as that. Default 10. */
    double noise_rows;
    /** The sd of the outer weights about those fitted: the prior that the head leaks back to. Default 1. */
    double outer_sd;
    double intercept_sd; /**< The same of the intercept. Default 1. */
    double linear_sd; /**< The same of the linear part. Default .3. */
} lcc_stream_options_f64;

/** How a target fared under the prediction of its row, made before. */
typedef struct {
    double log_density; /**< Log density of the predictive mixture at the target: larger is better. */
    /** Probability integral transform: P(Y <= y). Uniform over rows if the predictions are calibrated. */
    double pit;
} lcc_stream_score_f64;

/** Writes the defaults. */
int32_t lcc_stream_options_default_f64(lcc_stream_options_f64 *options);

/** The bytes that a learner takes: the same on every machine. About
 *  K (M (d + 1) + P (P + 7) / 2 + 11) values, P = M + d + 1, K rounded up to the lanes.
 *
 *  @param model  of one hidden layer, with inputs on the output directly (the defaults) and Student-t or Gaussian noise
 *  @return LCC_ERROR_STREAM_MODEL */
int32_t lcc_stream_size_f64(const lcc_stream_options_f64 *options, const uint8_t *model, size_t model_bytes,
                            size_t *bytes);

/** Builds a learner at the start of a block of memory. The model is copied: it is not needed afterwards.
 *
 *  @param model  the model, of either precision */
int32_t lcc_stream_init_f64(uint8_t *memory, size_t bytes, const lcc_stream_options_f64 *options,
                            const uint8_t *model, size_t model_bytes, lcc_stream_f64 **stream);

/** Predicts a row before its target is known; learns nothing. About 2 M (d + 1) + 2 P^2 flops and M
 *  activations a draw, and some tens of evaluations of Student-t tails for the interval.
 *
 *  @param row    d inputs, one after another, in their own units
 *  @param level  the probability of the interval, e.g. .9
 *  @return LCC_ERROR_PROBABILITY, LCC_ERROR_NOT_FINITE_X where an input is not finite or beyond 1e9 sds */
int32_t lcc_stream_predict_f64(lcc_stream_f64 *stream, const double *row, size_t d, double level,
                               lcc_prediction_f64 *prediction);

/** Learns from a row, and says how its target fared under the prediction before. About
 *  2 M (d + 1) + 6 P^2 flops and M activations a draw. A row that is refused changes nothing.
 *
 *  @param row    d inputs, one after another, in their own units
 *  @param score  out; NULL saves the time that it takes
 *  @return LCC_ERROR_NOT_FINITE_X or _Y where a number is not finite or beyond 1e9 sds */
int32_t lcc_stream_observe_f64(lcc_stream_f64 *stream, const double *row, size_t d, double y,
                               lcc_stream_score_f64 *score);

/** What a learner is, and how many rows it has learnt. */
int32_t lcc_stream_read_info_f64(const lcc_stream_f64 *stream, lcc_stream_info *info);

/** The weight of each draw; they add up to 1.
 *
 *  @param out  out: one weight a draw */
int32_t lcc_stream_weights_f64(const lcc_stream_f64 *stream, double *out, size_t len);

/** The bytes of the model, K draws of M (d + 2) + d + 3 values and a head, and those of the scratch in
 *  which it is written. */
int32_t lcc_stream_model_size_f64(const lcc_stream_f64 *stream, size_t *model, size_t *scratch);

/** Writes the model as it is now, which every lcc_model_ function reads. Weighted draws are resampled, so
 *  that those of the model weigh the same.
 *
 *  @param spread  1: each head and noise is drawn from its law, so that the model knows what is not known
 *                 of them; 0: their means, best where the mean is what is wanted
 *  @return LCC_ERROR_SWITCH */
int32_t lcc_stream_write_model_f64(const lcc_stream_f64 *stream, uint32_t spread, uint64_t seed,
                                   uint8_t *scratch, size_t scratch_bytes, uint8_t *model, size_t bytes,
                                   size_t *written);

/** The bytes that a window takes. */
int32_t lcc_window_size_f64(size_t capacity, size_t d, size_t *bytes);

/** Builds an empty window at the start of a block of memory. */
int32_t lcc_window_init_f64(uint8_t *memory, size_t bytes, size_t capacity, size_t d,
                            lcc_window_f64 **window);

/** Appends a row, or replaces the oldest where the window is full. A row that is refused changes nothing.
 *
 *  @param row  d inputs, one after another */
int32_t lcc_window_push_f64(lcc_window_f64 *window, const double *row, size_t d, double y);

/** The rows that are there, in no particular order, where they lie: valid until the next push.
 *
 *  @return LCC_ERROR_EMPTY before the first row */
int32_t lcc_window_data_f64(const lcc_window_f64 *window, lcc_data_f64 *data);

/* ==== Prequential Greedy Bayes ======================================================================== */

/** A learner by prequential Greedy Bayes, in the caller's memory: row by row, each predicted before it is
 *  seen.
 *
 *  Level k after i - 1 rows: p(w) ~ exp(alpha V sum_{j<i} r_{j,k-1} psi(x_j.w)) p0(w), f_{i,k} = (1 -
 *  beta) f_{i,k-1} + beta E[V psi(x.w)], r_{i,k} = y_i - (1 - beta) f_{i,k}(x_i). Particles of every level
 *  are weighted by each row, and resampled and moved where the weights leave too few: all n K posteriors
 *  for the price of a few K. f_{i,K}(x_i) predicts y_i, in a Student-t law that learns its scale from the
 *  errors. The online form of the papers; as a regressor lcc_network predicts better. */
typedef struct lcc_prequential_f64 lcc_prequential_f64;

/** The law of a target given the rows before it: Student-t, in the target's units. */
typedef struct {
    double location; /**< The location, f(x). */
    double scale; /**< The scale. */
    double nu; /**< The degrees of freedom. */
    double sd; /**< The standard deviation. */
    double lower; /**< The lower end of the central interval. */
    double upper; /**< The upper end. */
} lcc_forecast_f64;

/** What a learner is asked to do. The defaults are a regressor's, for data that are standardised. */
typedef struct {
    uint32_t struct_size; /**< The bytes of this struct, as the defaults have it. */
    int32_t activation; /**< An LCC_ACTIVATION_ code. Default: tanh. */
    int32_t prior; /**< LCC_PRIOR_GAUSSIAN or LCC_PRIOR_L1_BALL. Default: Gaussian. */
    int32_t form; /**< LCC_GREEDY_TILT or LCC_GREEDY_QUADRATIC. Default: quadratic. */
    uint32_t levels; /**< Levels K, 1 to 65535. Default 16. */
    uint32_t particles; /**< Particles of each level, at least 2 and a multiple of lanes. Default 256. */
    /** Transitions of every particle each time that they are resampled, at least 1. Default 2. */
    uint32_t moves;
    /** Particles that advance in lock-step: 1 or 8. Changes speed, never a number. Default 8. */
    uint32_t lanes;
    uint32_t either_sign; /**< 1: a neuron may enter with either sign, which is summed out. Default 0. */
    uint32_t intercept; /**< 1: add a column of ones, so that neurons have a bias. Default 1. */
    uint32_t keep; /**< Draws in the model, 1 to particles. Default 64. */
    /** 1: plain loops, but AVX2 or NEON for 8 lanes. Changes speed, never a number. Default 0. */
    uint32_t portable;
    uint64_t seed; /**< Names the random numbers. Default 1. */
    double scale; /**< The prior's sd, or the radius of the l1 ball: positive. Default 1. */
    double outer; /**< V, positive. Default 3. */
    double alpha; /**< alpha, positive. Default .3. */
    double beta; /**< The share that each level takes of the fit, in (0, 1]. Default .1. */
    /** The effective particles, as a share of all, below which they are resampled and moved; in (0, 1).
     *  Default .5. */
    double ess;
    /** A guess of the sd of the errors, in the neurons' units, worth four rows. Positive. Default 1. */
    double noise;
} lcc_prequential_options_f64;

/** The losses of the forecasts so far, each made before its row was seen. */
typedef struct {
    uint64_t rows; /**< Rows. */
    double squared; /**< The sum of (y_i - f_{i,K}(x_i))^2, in the target's units. */
    /** The sum of minus log densities, in nats: the prequential description length of the targets. */
    double log;
} lcc_losses_f64;

/** One level, after the rows so far. */
typedef struct {
    double log_evidence; /**< The log evidence of its posterior, log E_p0 exp(alpha V sum r psi). */
    double ess; /**< The effective particles as a share of all. */
    double acceptance; /**< The mean acceptance when they last moved; NaN before. */
    double fit; /**< f_k at the last row, in the neurons' units. */
    uint64_t resamplings; /**< Times that they were resampled and moved. */
} lcc_prequential_level_f64;

/** How a target fared under a forecast: log density, probability integral transform, continuous ranked
 *  probability score.
 *
 *  @param forecast  what lcc_prequential_forecast_f64 or lcc_prequential_last_f64 wrote
 *  @return LCC_ERROR_NOT_FINITE_VALUE where it is no forecast */
int32_t lcc_forecast_score_f64(const lcc_forecast_f64 *forecast, double y, lcc_score_f64 *score);

/** Writes the defaults. */
int32_t lcc_prequential_options_default_f64(lcc_prequential_options_f64 *options);

/** The bytes that a learner takes.
 *
 *  @param rows  rows that there is to be room for */
int32_t lcc_prequential_size_f64(const lcc_prequential_options_f64 *options, size_t rows, size_t d,
                                 size_t *bytes);

/** Builds a learner that has seen no row, at the start of a block of memory.
 *
 *  @param rows   rows that there is to be room for
 *  @param units  data of d columns, whose means and sds standardise every row; NULL takes rows as they are
 *  @return LCC_ERROR_CONSTANT_TARGET */
int32_t lcc_prequential_init_f64(uint8_t *memory, size_t bytes, const lcc_prequential_options_f64 *options,
                                 size_t rows, size_t d, const lcc_data_f64 *units,
                                 lcc_prequential_f64 **prequential);

/** The bytes of the scratch of a row. */
int32_t lcc_prequential_scratch_f64(const lcc_prequential_f64 *prequential, size_t *bytes);

/** The law of the target at a row given those before it. K N (2 d + 12) flops and 2 K N activations.
 *
 *  @param x        the inputs, in raw units
 *  @param d        as many as the learner has
 *  @param level    the probability of the interval, e.g. .9
 *  @param scratch  lcc_prequential_scratch_f64 bytes
 *  @return LCC_ERROR_PROBABILITY, LCC_ERROR_NOT_DONE while a row is being learnt */
int32_t lcc_prequential_forecast_f64(const lcc_prequential_f64 *prequential, const double *x, size_t d,
                                     double level, uint8_t *scratch, size_t scratch_bytes,
                                     lcc_forecast_f64 *forecast);

/** Takes a row; lcc_prequential_step_f64 then does the work. A row that is refused leaves the learner as it
 *  was.
 *
 *  @param x  the inputs, in raw units
 *  @param d  as many as the learner has
 *  @return LCC_ERROR_CAPACITY where there is no room for it, LCC_ERROR_NOT_DONE while the row before is
 *          being learnt */
int32_t lcc_prequential_observe_f64(lcc_prequential_f64 *prequential, const double *x, size_t d, double y);

/** Works until the budget is used up, or to the end of the row. A unit of work (one transition of a block
 *  of particles, the outputs or the resampling of a level's particles) is never split.
 *
 *  @return LCC_ERROR_IMPROPER, LCC_ERROR_STAGES */
int32_t lcc_prequential_step_f64(lcc_prequential_f64 *prequential, uint64_t budget);

/** The law that predicted the last row.
 *
 *  @param level  the probability of the interval
 *  @return LCC_ERROR_PROBABILITY, LCC_ERROR_NOT_DONE before the first row */
int32_t lcc_prequential_last_f64(const lcc_prequential_f64 *prequential, double level,
                                 lcc_forecast_f64 *forecast);

/** The losses so far. */
int32_t lcc_prequential_losses_f64(const lcc_prequential_f64 *prequential, lcc_losses_f64 *losses);

/** A level, after the rows so far. Reads the weights of its particles. */
int32_t lcc_prequential_report_f64(const lcc_prequential_f64 *prequential, size_t index,
                                   lcc_prequential_level_f64 *level);

/** E[V s psi(x.w)] under the posterior of a level given the rows so far, in the neurons' units.
 *
 *  @param x        the inputs, in raw units
 *  @param d        as many as the learner has
 *  @param scratch  lcc_prequential_scratch_f64 bytes
 *  @return LCC_ERROR_NOT_DONE */
int32_t lcc_prequential_expectation_f64(const lcc_prequential_f64 *prequential, size_t index, const double *x,
                                        size_t d, uint8_t *scratch, size_t scratch_bytes, double *mean);

/** The bytes of the model, keep draws of K (d + 2) + d + 3 values and a head, and those of the scratch in
 *  which it is written. */
int32_t lcc_prequential_model_size_f64(const lcc_prequential_f64 *prequential, size_t *model,
                                       size_t *scratch);

/** Writes the model: an image that every lcc_model_ function reads. A draw holds one particle of every level
 *  at one time i; the mean over the draws is the mean of f_i over the times asked for.
 *
 *  @param averaging  an LCC_AVERAGING_ code
 *  @return LCC_ERROR_AVERAGING, LCC_ERROR_NOT_DONE */
int32_t lcc_prequential_write_model_f64(const lcc_prequential_f64 *prequential, int32_t averaging,
                                        uint8_t *scratch, size_t scratch_bytes, uint8_t *model, size_t bytes,
                                        size_t *written);

#ifdef __cplusplus
}
#endif

#endif /* LCC_F64_H */
