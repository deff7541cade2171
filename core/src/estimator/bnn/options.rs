//! What a user may choose, with the defaults.

use super::method::{BnnMethod, Optimiser};
use crate::activation::Activation;
use crate::data::Dataset;
use crate::error::{errors, refuse};
use crate::kernel::penalty::Penalty;
use crate::network::{Architecture, Family, FreeNetwork, Output, Scales, WeightPrior};
use crate::plain::{Code, CodeError, Plain, Switch, below, plain};
use crate::scalar::Real;
use crate::simd::{has_lanes, usual_lanes};

plain! {
    /// What a Bayesian network is asked to be and to do. The defaults need no tuning: y is a real number, one
    /// hidden layer of 20 units, many short chains.
    #[repr(C)]
    pub struct BnnOptions<T> {
        /// The bytes of this struct, as the defaults have it.
        pub struct_size: u32 = size_of::<Self>() as u32,
        /// An LCC_INFERENCE_ code: what the fit is. Default: chains of Hamiltonian Monte Carlo.
        pub method: Code<BnnMethod> = BnnMethod::Hmc.into(),
        /// Units of the hidden layers, from the inputs on; the first 0 ends them, and 4 zeros make a
        /// generalised linear model. Default { 20, 0, 0, 0 }.
        pub widths: [u32; 4] = [20, 0, 0, 0],
        /// An LCC_ACTIVATION_ code. Default: tanh.
        pub activation: Code<Activation> = Activation::Tanh.into(),
        /// An LCC_OUTPUT_ code: what y is. Default: student-t; lcc_bnn_pilot_f64 is for choosing the noise of numbers.
        pub output: Code<Output> = Output::StudentT.into(),
        /// Classes of softmax and ordinal outputs, at least 2, or components of a mixture, 1 to 16. Default 2.
        pub categories: u32 = 2,
        /// 1: softmax with the first class as reference, whose output is 0. Default 0.
        pub reference: Switch = false.into(),
        /// 1: the last column of X is each row's exposure (positive: time, area, people at risk), no input; its
        /// logarithm is added to the output. For counts. Default 0.
        pub exposure: Switch = false.into(),
        /// 1: inputs also act on the outputs directly (always so without hidden layers). Default 1.
        pub linear: Switch = true.into(),
        /// An LCC_SCALES_ code: which scales the prior has. Default: one for each input; of an ensemble of classes that
        /// means known ones, the outputs' ten times outer_scale.
        pub scales: Code<Scales> = Scales::Inputs.into(),
        /// 1: standardise the inputs, and a target that is a real number (a copy of the data is kept in the
        /// memory). Columns that look like one unit (all start at the same least value and half of them or more end
        /// at the same largest: pixels, marks of one scale, indicators) share the root mean square of their sds. 2: of
        /// another input with long tails (a fourth central moment above 6 sd^4: incomes, counts, a code for missing)
        /// the network sees .765 asinh((x - c) / u), c the median and u half the distance of the quartiles: a line
        /// between these, beyond them a logarithm; not where a line in x tells the target better, by itself or, of numbers,
        /// beside lines in all others: then all rows are within five of its units. 0: the data are in units where the prior
        /// makes sense and are read in place. Default 2.
        pub standardise: u32 = 2,
        /// Chains. Default 0: by the work at hand, see lcc_bnn_chains_f64. Where a mode is sought each is a start of
        /// its own, and the best one's is taken.
        pub chains: u32 = 0,
        /// Chains that advance in lock-step: 1 or 8. Changes speed and memory, never a number.
        /// Default 8 where the CPU has wide instructions, else 1.
        pub lanes: u32 = usual_lanes(),
        /// Optimisation steps (Adam, or see rate) of each chain's start. An ensemble's members are where they end, and
        /// predict numbers better after 3000. Default 1000; of chains where y is a class, where batch is not named either, as many
        /// twentieths of these as there are rows outside the most frequent class for each input, 2 to 20.
        pub start_steps: u32 = 1000,
        /// Steps of each chain's ascent to a mode at most: quasi-Newton after the optimisation, or
        /// scoring (iteratively reweighted least squares) from 0, without it, where there is no hidden layer.
        /// Of a fit by the evidence lower bound, of swag and of sgd its steps, all of them. Default 0: 3000, of such a fit
        /// 5000.
        pub ascent_steps: u32 = 0,
        /// Trajectories of each chain before its draws count. Before each of the first nine tenths the mass is renewed; these
        /// are taken wherever they end and keep most of their momenta, which carries a chain from its start. The others
        /// and the draws are Hamiltonian Monte Carlo under the last mass, exact. Default 40.
        pub warmup: u32 = 40,
        /// Trajectories of each chain that count, at least 1; of a Gaussian approximation its draws. A point has one.
        /// Default 6.
        pub draws: u32 = 6,
        /// Draws that each chain keeps for the model, evenly spread: 1 to draws. Default 3.
        pub keep: u32 = 3,
        /// Leapfrog steps of a trajectory, at least 1; of the methods from tempered on its steps. Default 60.
        pub leapfrogs: u32 = 60,
        /// 1: a chain is left out of the model if its log likelihood of the training data is not finite, or worse by more
        /// than drop_below than that of a model without inputs, unless all are. That model is N(0, 1) for a standardised
        /// target and equal chances for classes. Counts, a known noise, real numbers with standardise 0, and the methods
        /// from tempered to penalty have none: there a chain must only be finite. Methods that take the best chain
        /// ignore it. Outside the exact posterior. Default 1.
        pub drop: Switch = true.into(),
        /// Training rows whose predictions are recorded at every draw, for diagnostics. Default 20.
        pub trace_rows: u32 = 20,
        /// 1: plain loops, but AVX2 or NEON for 8 lanes. Changes speed, never a number. Default 0.
        pub portable: Switch = false.into(),
        /// The number of the first chain: chain k is chain first_chain + k of an object from 0 on, to the bit. For
        /// chains dealt to threads, processes or machines: lcc_bnn_join_f64. Default 0.
        pub first_chain: u32 = 0,
        /// Rows of each step of the start: a minibatch without replacement, the same of all chains, its likelihood
        /// times rows / batch; at most the rows. Of a fit by the evidence lower bound also of its steps; backprop
        /// takes the parts of a random partition, each epoch another. Of the methods from tempered on the rows of each
        /// chain's own minibatches, drawn anew at each step; a start takes them as of all methods. Swag has such too, and
        /// needs fewer than all rows: there is no other noise. Default 0: all of them, of swag and sgd 32, or half of fewer than 64.
        /// Of chains of Hamiltonian Monte Carlo with hidden layers, of 1000 rows or more, a quarter of the rows, at least 250 and
        /// at most 500, and four times start_steps; of classes 500 and twice.
        pub batch: u32 = 0,
        /// variational-low-rank: columns beside the diagonal, 1 to 64; swag: 2 to 64, and at most half of its steps.
        /// Default 4.
        pub rank: u32 = 4,
        /// Fits by the evidence lower bound: pairs e, -e of lists of normals for each gradient. 0: none, bound and
        /// gradient are integrals; of variational and variational-full, without hidden layers, of one output, all
        /// scales and the noise known. Default 4.
        pub pairs: u32 = 4,
        /// backprop: 1: part i of the M of an epoch weighs the divergence by 2^(M-i)/(2^M - 1) in place of 1/M.
        /// Default 0.
        pub halving: Switch = false.into(),
        /// batched, penalty: minibatches of each step, at least 1; 2 where penalty is to estimate from them. Default 16.
        pub minibatches: u32 = 16,
        /// An LCC_PENALTY_ code: penalty's. Default: the series. Controlled, with a batch of some of the rows: the start ends
        /// by scoring over all rows, at the mode where there is no hidden layer; after it no step goes over all of them,
        /// and the log likelihood of a draw is told by a minibatch times rows / batch. Wants double precision.
        pub penalty: Code<Penalty> = Penalty::Series.into(),
        /// tempered, batched, penalty: 1: Barker's acceptance 1/(1 + e^x) in the place of min(1, e^-x). Default 0.
        pub barker: Switch = false.into(),
        /// Of the methods from tempered on: 1: likelihoods of minibatches times rows / batch, hence T = 1. Default 0.
        pub full: Switch = false.into(),
        /// An LCC_OPTIMISER_ code: how map and maximum-likelihood seek the mode. sgd: ascent_steps steps of stochastic
        /// gradient ascent from a random point (without hidden layers from 0), step t from 0 on rate / (n (delay + t)^decay)
        /// times the gradient by `batch` of the n rows, by the weights or, of a prior narrower than 1, in its sds. rate 0: the first step is half the reciprocal of the trace of the
        /// curvature where it is taken, and where the ascent runs away it begins anew with a quarter. decay 0: 3/4. Scales and
        /// noise that are learnt are updated in between, as they are without; the steps begin anew after each. Default: ascent.
        pub optimiser: Code<Optimiser> = Optimiser::Ascent.into(),
        /// sgd: 1: the mode is the average of the later half of the points (Polyak and Juditsky 1992), 0: the last one.
        /// Default 1.
        pub average: Switch = true.into(),
        /// Names the random numbers. Default 1.
        pub seed: u64 = 1,
        /// Nats a row: how much worse than a model without inputs a chain may be, see drop. Default 1.
        pub drop_below: T = T::ONE,
        /// The acceptance that the step size is adapted to, inside (0, 1). Default .8.
        pub target_accept: T = T::lit(0.8),
        /// The step size of a trajectory is uniform within this share of the adapted one, in [0, 1). Default .3.
        pub jitter: T = T::lit(0.3),
        /// The step size before adaptation. Default .2.
        pub first_step: T = T::lit(0.2),
        /// The known sd of the noise, in the units of the standardised target; 0: sampled. Default 0.
        pub noise: T = T::ZERO,
        /// The known degrees of freedom of student-t noise, at least 1; 0: sampled by bnn, 30 of other methods. Default 0.
        pub tail: T = T::ZERO,
        /// Prior: the noise's precision is Gamma with this shape ... Default .5.
        pub noise_shape: T = T::HALF,
        /// ... and this rate. Default 0: 5e-5 + .03 min(3, d/n)^3 for n rows of d inputs. With more inputs than rows a network fits
        /// them all, and without it the noise would be taken for none.
        pub noise_rate: T = T::ZERO,
        /// Mean-variance and mixture: the least sd of the noise, in the units of the standardised target, without
        /// which their likelihood has no bound. Default 1e-3.
        pub floor: T = T::lit(1e-3),
        /// Negative binomial: the known size r, variance m + m^2 / r; 0: sampled. Default 0.
        pub size: T = T::ZERO,
        /// Prior: median of the scales of the first layer's weights (or the scale, where known). Default 0: 1, but where
        /// each input has its own scale min(1, max(1, n / 100) / d) for n rows of d inputs. Half-Cauchy scales sum to
        /// some d times their median, so that with few rows an input matters only if the data say so.
        pub input_scale: T = T::ZERO,
        /// Prior: the same of every layer's biases. 0: none. Default 1.
        pub bias_scale: T = T::ONE,
        /// Prior: the same of the weights between hidden layers, times 1/sqrt(units below). Default 1.
        pub hidden_scale: T = T::ONE,
        /// Prior: the same of the outputs' weights, times 1/sqrt(units below). Default 1; lcc_bnn_options_for_f64 has 10
        /// for chains where y is a class.
        pub outer_scale: T = T::ONE,
        /// Prior: the same of the direct part. Default 1.
        pub linear_scale: T = T::ONE,
        /// Prior: the sd of the outputs' intercepts. Default 10.
        pub intercept_sd: T = T::lit(10.0),
        /// Dropout: the probability that a hidden unit is left out, inside (0, 1). Default .1.
        pub dropout: T = T::lit(0.1),
        /// backprop: the share, inside (0, 1), of the first part of the prior of each weight's z, N(0, wide^2), of
        /// which the other is N(0, narrow^2). 0: the prior is N(0, 1) as of all methods. Default 0.
        pub mixture: T = T::ZERO,
        /// backprop: the sd of the mixture's first part. Default 1.
        pub wide: T = T::ONE,
        /// backprop: the sd of its second. Default e^-6.
        pub narrow: T = T::lit(2.478_752_176_666_358_5e-3),
        /// Fits by the evidence lower bound: weights whose |mean| is below so many of their sds are 0 in the draws
        /// of the model. Default 0: none.
        pub prune: T = T::ZERO,
        /// Starts: 0: Adam. Else gradient ascent: step t of n rows adds rate / (n (delay + t)) times the gradient of
        /// the log density, and the average of the second half of the steps is where the start ends (Robbins and
        /// Monro 1951; Polyak and Juditsky 1992). Default 0.
        pub rate: T = T::ZERO,
        /// The delay of that, of sgd and of decay, positive. Default 100.
        pub delay: T = T::lit(100.0),
        /// Of the methods from tempered on: the step e, of walks z + e N(0, I), of sgld z + e grad + sqrt(2 e) N(0, I),
        /// z the coordinates in which the weights' prior is N(0, I). 0: steps are in sds of a diagonal Gaussian where
        /// the start ended, and the warm-up, a walk on the tempered posterior by all rows, finds e for an acceptance
        /// of .234; sgld then has e^2/2 of that for one of .8. Controlled penalties have z0 + sqrt(1 - e^2) (z - z0) + e N(0, Q^-1)
        /// with e at most 1, z0 the mode and Q the curvature there; 0: the same search, by minibatches. Of swag the step e of z + e grad; 0: in sds of such a Gaussian e is
        /// the smaller of 2 batch/rows and .1/coordinates. Default 0.
        pub step: T = T::ZERO,
        /// sgld: draws have the steps e (1 + t/delay)^-decay, with 1/2 < decay <= 1, and stand at equal distances of
        /// their sum: each weighs what its steps do. 0: all are e. The same exponent of the optimiser sgd. Default 0.
        pub decay: T = T::ZERO,
    }
}

/// Rows x units of work that all chains together are given where their number is not: see
/// [`BnnOptions::chains_for`].
const WORK: f64 = 5.5e7;
/// Chains at least and at most, and what their number is rounded up to a multiple of.
const FEWEST: u32 = 24;
const MOST: u32 = 288;
const ROUNDED: u32 = 16;
/// Chains of an ensemble, and of ascents.
const MEMBERS: u32 = 24;
const ASCENTS: u32 = 4;
/// Units of an ensemble's members and of one mode; steps of a member of numbers; draws of a law that is fitted.
const MEMBER: u32 = 16;
const MODE: u32 = 40;
const FARTHER: u32 = 3000;
const LAWS: u32 = 100;
/// Warm-up of a walk, and steps of one of its draws.
const WALK: (u32, u32) = (25, 240);
/// Rows of a minibatch of SWAG and of the optimiser sgd.
const BATCH: usize = 32;
/// Rows of a minibatch of a chain's start, at least and at most, where there are so many rows; how many of its steps are
/// taken in place of one by all rows, of numbers and counts and of classes, whose chains grow too sure.
const STARTS: [usize; 2] = [250, 500];
const MANY: usize = 1000;
const OFTEN: [u32; 2] = [4, 2];
/// Steps of an ascent, and of a fit by the evidence lower bound; the most columns.
const STEPS: [u32; 2] = [3000, 5000];
/// Rows outside the most frequent class, for each input: the least they count as, and from where on a start has all of its steps.
const EVENTS: [u32; 2] = [2, 20];
/// The scale of the outputs' weights where y is a class: of chains outer_scale, of an ensemble's members in units of it.
const SURE: f64 = 10.0;
const COLUMNS: u32 = 64;
/// Whether the other methods are in this build.
pub(super) const MODES: bool = cfg!(feature = "modes");

impl<T: Real> BnnOptions<T> {
    /// Whether the model of a fit is to be that of [`write_linearised`](super::Bnn::write_linearised): of a Gaussian about the mode
    /// of hidden layers, whose draws' own networks predict worse.
    pub fn linearises(&self) -> bool {
        let spreads =
            matches!(self.method.value(), BnnMethod::Laplace | BnnMethod::LaplaceDiagonal);
        spreads && !self.is_linear()
    }

    /// The defaults that suit a method and an output, with `hidden` layers or without: what every host begins with. They
    /// are those of [`default`](Self::default) but for
    ///
    /// - walks: 25 draws of 240 steps before those that count;
    /// - draws: 1 of a point, 100 of a law that is fitted, all kept;
    /// - chains where y is a class: outer_scale 10, for logits reach farther than standardised numbers;
    /// - an ensemble: 16 units a member, for joint modes fit more closely than draws do; 3000 steps where y is no class;
    /// - one mode: 40 units of ReLU with a scale a layer, of which it predicts best;
    /// - the maximum of the likelihood: no hidden layer.
    ///
    /// They were chosen on the sets of `tests/results/compare.md`, that of classes as `tests/results/regression.md` says.
    pub fn of(method: BnnMethod, output: Output, hidden: bool) -> Self {
        let mut out = Self { method: method.into(), output: output.into(), ..Self::default() };
        if method != BnnMethod::Hmc && !method.walks() {
            out.draws = if method.is_point() { 1 } else { LAWS };
            out.keep = out.draws;
        }
        if method.climbs() || method.walks() {
            out.lanes = 1;
        }
        if method.walks() {
            (out.warmup, out.leapfrogs) = WALK;
        }
        let units = match method {
            BnnMethod::Ensemble => MEMBER,
            BnnMethod::Map => MODE,
            BnnMethod::MaximumLikelihood => 0,
            _ => out.widths[0],
        };
        out.widths[0] = if hidden { units } else { 0 };
        if method == BnnMethod::Map && hidden {
            out.activation = Activation::Relu.into();
            out.scales = Scales::Layers.into();
        }
        // A multiple added to all outputs changes no probability: without a prior nothing else decides it.
        out.reference =
            (method == BnnMethod::MaximumLikelihood && output == Output::Softmax).into();
        if method == BnnMethod::Ensemble && !output.is_class() {
            out.start_steps = FARTHER;
        }
        if method == BnnMethod::Hmc && output.is_class() {
            out.outer_scale = T::lit(SURE);
        }
        out
    }

    /// The output family.
    pub fn family(&self) -> Family<T> {
        Family {
            categories: self.categories,
            noise: self.noise,
            noise_shape: self.noise_shape,
            noise_rate: self.noise_rate,
            reference: self.reference.on(),
            floor: self.floor,
            size: self.size,
            output: self.output.value(),
        }
    }

    /// The posterior of data in the units where the prior makes sense, with the known tail.
    pub fn network<'a>(&self, data: Dataset<'a, T>) -> FreeNetwork<'a, T> {
        let own = self.decided(data.n(), data.d());
        FreeNetwork {
            data,
            architecture: self.architecture(data.d()),
            activation: self.activation.value(),
            family: own.family(),
            exposure: self.exposure.on(),
            prior: own.prior(),
            nu: self.tail,
        }
    }

    /// The layers over d columns.
    pub fn architecture(&self, d: usize) -> Architecture {
        Architecture {
            inputs: d.saturating_sub(self.exposure.on() as usize),
            widths: self.widths,
            outputs: self.family().outputs(),
            linear: self.linear.on(),
        }
    }

    /// The same with the prior that is left to the data, see input_scale and noise_rate, for n rows of d columns. Both rules
    /// were chosen on 30 to 120 rows of concrete, diabetes and airfoil and on 200 rows of 500 inputs, so that 500 rows lose
    /// nothing, and judged on energy, gas_turbine_nox and yacht.
    pub fn decided(&self, n: usize, d: usize) -> Self {
        let (rows, columns) =
            (T::of_usize(n.max(1)), T::of_usize(self.architecture(d).inputs.max(1)));
        let mut out = *self;
        if self.input_scale == T::ZERO {
            let own = (rows * T::lit(0.01)).max(T::ONE) / columns;
            out.input_scale = if self.scales == Scales::Inputs { own.min(T::ONE) } else { T::ONE };
        }
        if self.noise_rate == T::ZERO {
            let share = (columns / rows).min(T::lit(3.0));
            out.noise_rate = T::lit(5e-5) + T::lit(0.03) * (share * share * share);
        }
        if MODES && self.starts_freely() && n >= MANY {
            let [least, most] = STARTS;
            let [often, of_classes] = OFTEN;
            let often = if self.output.value().is_class() { of_classes } else { often };
            out.batch = (n / often as usize).clamp(least, most) as u32;
            out.start_steps = self.start_steps.saturating_mul(often);
        }
        out
    }

    /// Whether chains start by Adam, on rows and for steps that are left to the data.
    fn starts_freely(&self) -> bool {
        let adam = self.method == BnnMethod::Hmc && self.rate == T::ZERO && !self.is_linear();
        adam && self.batch == 0
    }

    /// Steps of the start of each chain on these data. Where rows outside the most frequent class are few for each input (the
    /// events per variable of Peduzzi and others 1996) a start of 1000 steps ends where hardly any row is in doubt, so far
    /// from the posterior that short chains do not find back: `tests/results/regression.md`. A pass over the rows a class.
    pub fn start_for(&self, data: &Dataset<'_, T>) -> u32 {
        if !(self.starts_freely() && self.output.value().is_class()) {
            return self.start_steps;
        }
        let (mut total, mut most) = (T::ZERO, T::ZERO);
        for class in 0..self.classes() {
            let own = data.targets().filter(|(y, _)| *y == T::of_u32(class));
            let rows = own.fold(T::ZERO, |sum, (_, weight)| sum + weight);
            (total, most) = (total + rows, most.max(rows));
        }
        let inputs = T::of_usize(self.architecture(data.d()).inputs.max(1));
        let [least, all] = EVENTS.map(T::of_u32);
        let events = ((total - most) / inputs).max(least).min(all);
        (T::of_u32(self.start_steps) * events / all + T::HALF).to_usize() as u32
    }

    /// Classes of y, 1 of what is none.
    pub(super) fn classes(&self) -> u32 {
        match self.output.value() {
            Output::Bernoulli => 2,
            own if own.is_class() => self.categories,
            _ => 1,
        }
    }

    /// The prior of the parameters, once [`decided`](Self::decided); for a maximum of the likelihood, which has none, what
    /// says that each parameter that may differ from 0 is its own coordinate.
    pub fn prior(&self) -> WeightPrior<T> {
        if self.method == BnnMethod::MaximumLikelihood {
            let [input, bias, hidden, outer] = [T::ONE; 4];
            let own = |scale: T| if scale > T::ZERO { T::ONE } else { T::ZERO };
            let (linear, intercept) = (own(self.linear_scale), own(self.intercept_sd));
            let scales = Scales::Known;
            return WeightPrior { scales, input, bias, hidden, outer, linear, intercept };
        }
        WeightPrior {
            scales: self.scales.value(),
            input: self.input_scale,
            bias: self.bias_scale,
            hidden: self.hidden_scale,
            outer: self.outer_scale,
            linear: self.linear_scale,
            intercept: self.intercept_sd,
        }
    }

    /// The same, with what the method leaves no choice in: a point is one draw, an ascent has one lane, and none
    /// starts by optimisation where there is no hidden layer.
    pub(super) fn settled(&self, n: usize, d: usize) -> Self {
        let (mut out, method) = (*self, self.method.value());
        let sure = method == BnnMethod::Ensemble && self.output.value().is_class();
        if sure && self.scales == Scales::Inputs {
            // At joint modes scales grow until a member is sure of every class, and its mistakes too.
            out.scales = Scales::Known.into();
            out.outer_scale = T::lit(SURE) * self.outer_scale;
        }
        out = out.decided(n, d);
        if method.climbs() {
            if self.ascent_steps == 0 {
                let [ascent, fit] = STEPS;
                out.ascent_steps = if method.fits() || self.descends() { fit } else { ascent };
            }
            (out.lanes, out.warmup) = (1, out.ascent_steps);
            let direct = self.descends() || self.is_linear() && !method.fits();
            out.start_steps = if direct { 0 } else { self.start_steps };
        } else if method.walks() {
            // Each has minibatches of its own.
            out.lanes = 1;
        } else if method != BnnMethod::Hmc {
            out.warmup = 0;
        }
        if method.is_point() {
            (out.draws, out.keep) = (1, 1);
        }
        if (method == BnnMethod::Swag || self.descends()) && out.batch == 0 {
            out.batch = if n < BATCH.saturating_mul(2) { n / 2 } else { BATCH } as u32;
        }
        out
    }

    /// Whether the mode is sought by stochastic gradients.
    pub(super) fn descends(&self) -> bool {
        self.optimiser == Optimiser::Sgd
    }

    /// Whether the rows are copied, in other units.
    pub(super) fn has_own_data(&self) -> bool {
        self.standardise > 0 || self.output.value().is_log()
    }

    /// Whether it is a generalised linear model.
    pub(super) fn is_linear(&self) -> bool {
        matches!(self.widths, [0, ..])
    }

    /// The chains for n rows of d columns: as the options say, or where they do not, as many as make
    /// chains n (2 P + 22 units) = 5.5e7 for P parameters, in sixteens, from 24 to 288. Of an ensemble 24, of
    /// dropout 1; of ascents 4, and 1 where there is no hidden layer.
    pub fn chains_for(&self, n: usize, d: usize) -> u32 {
        if self.chains > 0 {
            return self.chains;
        }
        match self.method.value() {
            BnnMethod::Hmc => {}
            method if method.walks() => {}
            BnnMethod::Ensemble => return MEMBERS,
            BnnMethod::Dropout => return 1,
            _ => return if self.is_linear() { 1 } else { ASCENTS },
        }
        let architecture = self.architecture(d);
        let (dim, units) = (architecture.dim() as u64, architecture.hidden() as u64);
        let row = dim.saturating_mul(2).saturating_add(units.saturating_mul(22));
        let work = row.saturating_mul(n as u64).max(1);
        let chains = (WORK as u64).div_ceil(work).div_ceil(ROUNDED as u64);
        (chains.saturating_mul(ROUNDED as u64) as u32).clamp(FEWEST, MOST)
    }

    /// Whether the bound of a fit is a sum of integrals over a line: of each row one number counts, and it is linear in
    /// the coordinates.
    fn has_integrals(&self) -> bool {
        let (family, method) = (self.family(), self.method.value());
        let tail = family.output != Output::StudentT || self.tail > T::ZERO;
        let one = family.outputs() == 1 && family.coordinates() == 0 && tail;
        let law = matches!(method, BnnMethod::Variational | BnnMethod::VariationalFull);
        law && one && self.is_linear() && self.scales == Scales::Known
    }

    /// Every value within its range.
    pub fn check(&self) -> Result<(), BnnOptionsError> {
        use BnnOptionsError as E;
        self.known()?;
        let architecture = self.architecture(1);
        refuse(!architecture.valid(), E::Layers)?;
        let counts = self.output.value().is_counts();
        refuse(self.exposure.on() && !counts, E::Layers)?;
        let last = self.first_chain.checked_add(self.chains.max(MOST));
        refuse(last.is_none(), E::Chains)?;
        refuse(!has_lanes(self.lanes), E::Lanes)?;
        refuse(self.draws == 0, E::Draws)?;
        refuse(self.keep == 0 || self.keep > self.draws, E::Keep)?;
        refuse(self.leapfrogs == 0, E::Leapfrogs)?;
        let method = self.method.value();
        refuse(!MODES && method != BnnMethod::Hmc, E::Code(CodeError::Method))?;
        refuse(!MODES && self.batch > 0, E::Batch)?;
        let rank = method != BnnMethod::VariationalLowRank || (1..=COLUMNS).contains(&self.rank);
        refuse(!rank || self.pairs == 0 && !self.has_integrals(), E::Pairs)?;
        let [_, fit] = STEPS;
        let steps = if self.ascent_steps == 0 { fit } else { self.ascent_steps };
        refuse(self.descends() && !method.seeks(), E::Optimiser)?;
        let iterates = (2..=COLUMNS.min(steps / 2)).contains(&self.rank);
        refuse(method == BnnMethod::Swag && !iterates, E::Pairs)?;
        let estimated = method == BnnMethod::Penalty && self.penalty != Penalty::Known;
        refuse(self.minibatches < 1 + estimated as u32, E::Minibatches)?;
        let falls = self.decay == T::ZERO || (self.decay > T::HALF && self.decay <= T::ONE);
        let steps = self.step == T::ZERO || below(self.step, T::INFINITY);
        refuse(!(falls && steps), E::StepSize)?;
        let rates = self.rate == T::ZERO || below(self.rate, T::INFINITY);
        refuse(!(rates && below(self.delay, T::INFINITY)), E::StepSize)?;
        let mixed = self.mixture == T::ZERO || below(self.mixture, T::ONE);
        refuse(!mixed, E::Dropout)?;
        let scale = |sd: T| below(sd, T::INFINITY);
        refuse(!(scale(self.wide) && scale(self.narrow) && self.prune >= T::ZERO), E::Prior)?;
        let likelihood = method == BnnMethod::MaximumLikelihood;
        refuse(likelihood && architecture.depth() > 0, E::Layers)?;
        refuse(method == BnnMethod::Dropout && architecture.depth() == 0, E::Layers)?;
        refuse(!below(self.dropout, T::ONE), E::Dropout)?;
        let jitter = self.jitter >= T::ZERO && self.jitter < T::ONE;
        let step = below(self.first_step, T::INFINITY);
        refuse(!below(self.target_accept, T::ONE), E::TargetAccept)?;
        refuse(!(jitter && step), E::StepSize)?;
        refuse(!(self.drop_below >= T::ZERO), E::Drop)?;
        refuse(!(self.tail == T::ZERO || self.tail >= T::ONE), E::Prior)?;
        let own = self.decided(1, 1);
        refuse(!(own.family().constants_valid() && own.prior().valid()), E::Prior)?;
        refuse(self.standardise > 2, CodeError::Switch)?;
        // What is left to be out of range: classes, components.
        refuse(self.categories > u16::MAX as u32 || !own.family().valid(), E::Layers)
    }
}

errors! {
    /// Which option is out of range.
    pub enum BnnOptionsError {
        Layers = "a width follows a 0, there are too few or too many classes or parameters, an exposure without counts, a maximum of the likelihood of hidden layers, or dropout without any",
        Chains = "the number of chains is too large",
        Batch = "a minibatch of more rows than there are, or of swag all rows",
        Lanes = "the number of lanes is not 1 or 8, or is 8 on a CPU without AVX2 or NEON",
        Draws = "the number of draws is zero",
        Keep = "the draws kept are not between 1 and all of them",
        Leapfrogs = "a trajectory without leapfrog steps",
        Pairs = "a gradient without normals where it is no integral, or a low rank that is none or above 64, of swag 1 or more than half of its steps",
        Dropout = "the probability that a unit is left out, or the share of a mixture, does not lie between 0 and 1",
        TargetAccept = "the target acceptance does not lie between 0 and 1",
        StepSize = "jitter, a step size or how it falls is out of range",
        Optimiser = "stochastic gradient ascent is of map and maximum-likelihood: of the start of others take rate",
        Minibatches = "no minibatch, or one whose variance is to be estimated",
        Drop = "the distance at which chains are dropped is negative",
        Prior = "a constant of the prior or of the noise is out of range",
    }
    from {
        Code(CodeError),
    }
}
