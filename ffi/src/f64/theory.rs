//! Theory

use crate::abi::Size;
use crate::prelude::*;
use lcc_core::random::{Purpose, Stream};
use lcc_core::theory::variation::{self, Layer};
use lcc_core::theory::{
    bounds, complexity, diffusion, regret, resolvability, spectral, subnetwork,
};

/// The largest order and degree.
const LARGEST: u32 = 16;

/// Matrices of a network whose paths are summed, at most.
const LAYERS: usize = 32;

numbers! {
    /// V^2/M: the mean squared distance at which an average of M neurons of variation V approximates.
    ///
    /// @param variation  V
    /// @param neurons    M; infinite for 0
    fn lcc_theory_approximation_f64(variation: f64, neurons: usize) -> f64 = bounds::approximation;

    /// V sqrt((log 2d + L)/N): the order of the mean squared risk of learning from N observations.
    ///
    /// @param variation     V
    /// @param layers        L, hidden
    /// @param observations  N
    fn lcc_theory_risk_f64(
        variation: f64, d: usize, layers: u32, observations: usize,
    ) -> f64 = bounds::risk;

    /// V sqrt(2 log 2d + 2 L log 2): the Gaussian complexity of networks of variation V.
    ///
    /// @param variation  V
    /// @param layers     L, hidden
    fn lcc_theory_gaussian_complexity_f64(
        variation: f64, d: usize, layers: u32,
    ) -> f64 = complexity::gaussian_complexity;

    /// ceil(V^2/e^2) log K: nats that cover the convex hull of K points of norm V to distance e.
    ///
    /// @param variation  V
    /// @param points     K
    /// @param distance   e
    fn lcc_theory_covering_hull_f64(
        variation: f64, points: usize, distance: f64,
    ) -> f64 = complexity::covering_hull;

    /// 4 pi log 2 (V/e)^2 (log 2d + L log 2): nats that cover the networks of variation V to distance e.
    ///
    /// @param variation  V
    /// @param layers     L, hidden
    /// @param distance   e
    fn lcc_theory_covering_network_f64(
        variation: f64, d: usize, layers: u32, distance: f64,
    ) -> f64 = complexity::covering_network;

    /// V^2/M + (M log 2d + M L)/N: the mean squared risk of M neurons, in units of the noise variance.
    ///
    /// @param variation     V
    /// @param neurons       M
    /// @param layers        L, hidden
    /// @param observations  N
    fn lcc_theory_risk_of_neurons_f64(
        variation: f64, neurons: usize, d: usize, layers: u32, observations: usize,
    ) -> f64 = bounds::risk_of_neurons;

    /// 2 pi log 2 (C/e)^2: nats that cover a class of Gaussian complexity C to distance e.
    ///
    /// @param complexity  C
    /// @param distance    e
    fn lcc_theory_covering_f64(complexity: f64, distance: f64) -> f64 = complexity::covering;

    /// 16 (C/e)^2: the same as the papers print it.
    ///
    /// @param complexity  C
    /// @param distance    e
    fn lcc_theory_covering_published_f64(
        complexity: f64, distance: f64,
    ) -> f64 = complexity::covering_published;

    /// The least over e of e^2 + nats(e)/N: 4.17 C/sqrt N.
    ///
    /// @param complexity    C
    /// @param observations  N
    fn lcc_theory_least_by_cover_f64(
        complexity: f64, observations: usize,
    ) -> f64 = complexity::least_by_cover;

    /// The same as the papers print it: 8 C/sqrt N.
    ///
    /// @param complexity    C
    /// @param observations  N
    fn lcc_theory_least_by_cover_published_f64(
        complexity: f64, observations: usize,
    ) -> f64 = complexity::least_by_cover_published;

    /// C sqrt(4 pi log 2 beta/N): nats an observation by which the Bayes mixture over a cover exceeds the truth
    /// (Yang and Barron).
    ///
    /// @param complexity    C
    /// @param beta          1/noise variance
    /// @param observations  N
    fn lcc_theory_yang_barron_f64(
        complexity: f64, beta: f64, observations: usize,
    ) -> f64 = complexity::yang_barron;

    /// C sqrt(8 pi log 2 beta/N): bounds the expected Renyi divergence of order 1/2, an observation, of a
    /// two-part code over a cover.
    ///
    /// @param complexity    C
    /// @param beta          1/noise variance
    /// @param observations  N
    fn lcc_theory_renyi_f64(complexity: f64, beta: f64, observations: usize) -> f64 = complexity::renyi;

    /// V sqrt(log d/N): the order of the mean squared regret of predictions one step ahead.
    ///
    /// @param variation     V
    /// @param observations  N
    fn lcc_theory_regret_f64(variation: f64, d: usize, observations: usize) -> f64 = regret::of_variation;

    /// D exp(-t rho/2): relative entropy of the diffusion on xi ~ N(x.w, 1/rho) after time t where
    /// -Hess log p(xi) >= rho/2.
    ///
    /// @param start  D, nats
    /// @param rho    the coupling's
    /// @param time   t
    fn lcc_theory_relative_entropy_f64(
        start: f64, rho: f64, time: f64,
    ) -> f64 = diffusion::relative_entropy;

    /// 2 M/(beta c V): the time in which that falls by a factor e, for xi ~ N(x.w, 1/rho) as the slides have it;
    /// lcc_theory_unit_time_f64 makes 2 of it, what it takes in the samplers' scaling.
    ///
    /// @param beta     of the joint posterior
    /// @param c        max |y_i| + V
    /// @param outer    V
    /// @param neurons  M
    fn lcc_theory_time_scale_f64(
        beta: f64, c: f64, outer: f64, neurons: usize,
    ) -> f64 = diffusion::time_scale;

    /// rho t: time t of the scaling xi ~ N(x.w, 1/rho) in that of the samplers, xi ~ N(sqrt(rho) x.w, 1).
    ///
    /// @param rho   the coupling's
    /// @param time  t
    fn lcc_theory_unit_time_f64(rho: f64, time: f64) -> f64 = diffusion::unit_time;

    /// (2/rho) log(start/end), at least 0: the time that brings it from start to end.
    ///
    /// @param start  nats
    /// @param end    nats
    /// @param rho    the coupling's
    fn lcc_theory_time_for_f64(start: f64, end: f64, rho: f64) -> f64 = diffusion::time_for;

    /// (n/2) (log(2 pi squared/n) + 1): the log loss of n targets under Gaussian noise about predictions of that
    /// cumulative squared loss, of the variance that suits them best.
    ///
    /// @param squared       cumulative squared loss
    /// @param observations  n
    fn lcc_theory_gaussian_log_loss_f64(
        squared: f64, observations: usize,
    ) -> f64 = regret::gaussian_log_loss;

    /// excess + log(1/P0(A)): bounds the regret of the Bayes mixture's log loss against the best network, A
    /// a set of networks whose cumulative loss is within excess of its.
    ///
    /// @param prior_probability  P0(A)
    /// @param excess             nats
    fn lcc_theory_bayes_regret_f64(
        prior_probability: f64, excess: f64,
    ) -> f64 = regret::bayes_regret;

    /// (2/(beta N)) times that: bounds the mean squared regret of predictive means where beta (y - f)^2 <= 1.
    ///
    /// @param prior_probability  P0(A)
    /// @param excess             nats
    /// @param beta               the inverse temperature of the squared loss
    /// @param observations       N
    fn lcc_theory_mean_squared_regret_f64(
        prior_probability: f64, excess: f64, beta: f64, observations: usize,
    ) -> f64 = regret::mean_squared_regret;
}

abi! {
    /// The posterior probabilities of models of equal prior probability, from their log evidences (or minus
    /// their description lengths in nats) in place. NaN and -infinity count as impossible.
    ///
    /// @param log_evidence  in and out
    /// @param best          out: the likeliest
    /// @return LCC_ERROR_NOT_FINITE_VALUE where none is finite, or one is +infinity; unchanged then
    fn lcc_theory_model_probabilities_f64(
        log_evidence: *mut f64, models: usize,
    ) -> (best: usize) {
        let log_evidence = raw::slice_mut(log_evidence, models)?;
        resolvability::model_probabilities(log_evidence).ok_or(LCC_ERROR_NOT_FINITE_VALUE)?
    }

    /// The index of resolvability over M = 1..most: the least V^2/M + M nats/(beta N), and its M.
    ///
    /// @param variation     V
    /// @param nats          description length of one neuron
    /// @param beta          1/noise variance
    /// @param observations  N
    /// @param most          at least 1
    /// @param neurons       out: M
    /// @param bound         out: the index
    /// @return LCC_ERROR_NEURONS, LCC_ERROR_NOT_FINITE_VALUE: NaN, or below 0
    fn lcc_theory_resolvability_f64(
        variation: f64, nats: f64, beta: f64, observations: usize, most: usize,
    ) -> (neurons: usize, bound: f64) {
        let sizes = [variation, nats, beta].into_iter().all(Size::at_least_0);
        raw::refuse(!sizes, LCC_ERROR_NOT_FINITE_VALUE)?;
        let best = resolvability::neurons(variation, nats, beta, observations, most);
        best.ok_or(LCC_ERROR_NEURONS)?
    }

    /// sum_k |a_k| |w_k|_1^order: the spectral norm of sum_k a_k cos(w_k.x + b_k).
    ///
    /// @param amplitudes   count values
    /// @param frequencies  count times d values, w_k one after another
    /// @param order        1 for sigmoids, 2 ramps, 3 squared ramps; at most 16
    /// @return LCC_ERROR_INDEX (order)
    fn lcc_theory_spectral_norm_f64(
        amplitudes: *const f64, frequencies: *const f64, count: usize, d: usize, order: u32,
    ) -> (norm: f64) {
        raw::refuse(order > LARGEST, LCC_ERROR_INDEX)?;
        let size = raw::times(count, d)?;
        spectral::of_cosines(raw::slice(amplitudes, count)?, raw::slice(frequencies, size)?, d, order)
    }

    /// sum_m |c_m| |w_m|_1^degree: the variation of a network of one hidden layer.
    ///
    /// @param outer    c_m: neurons values
    /// @param inner    w_m one after another: neurons times d values
    /// @param neurons  M
    /// @param degree   0 where |psi| <= 1, 1 ramps and Lipschitz psi, 2 squared ramps; at most 16
    /// @return LCC_ERROR_INDEX (degree)
    fn lcc_theory_variation_f64(
        outer: *const f64, inner: *const f64, neurons: usize, d: usize, degree: u32,
    ) -> (variation: f64) {
        raw::refuse(degree > LARGEST, LCC_ERROR_INDEX)?;
        let (c, w) = (raw::slice(outer, neurons)?, raw::times(neurons, d)?);
        variation::single_layer(c, raw::slice(inner, w)?, d, degree)
    }

    /// Draws M of a network's last hidden units in proportion to their outer weights, to stand for all (Maurey):
    /// f_M = sum_j sparse_j g_j has E f_M = f and the mean square error of lcc_theory_subnetwork_error_f64.
    ///
    /// @param outer      c_j: units values
    /// @param neurons    M
    /// @param seed       names the random numbers
    /// @param which      numbers the subnetworks of one seed
    /// @param sparse     out: units values, sign(c_j) V/M times the number of times that unit j was drawn
    /// @param variation  out: V = sum |c_j|
    /// @return LCC_ERROR_NEURONS (M is 0), LCC_ERROR_NOT_FINITE_VALUE (V is 0 or not finite)
    fn lcc_theory_subnetwork_f64(
        outer: *const f64, units: usize, neurons: usize, seed: u64, which: u64, sparse: *mut f64,
    ) -> (variation: f64) {
        let (outer, sparse) = (raw::slice(outer, units)?, raw::slice_mut(sparse, units)?);
        raw::refuse(neurons == 0, LCC_ERROR_NEURONS)?;
        let mut stream = Stream::new(seed, which, Purpose::Predictive);
        subnetwork::draw(outer, neurons, &mut stream, sparse).ok_or(LCC_ERROR_NOT_FINITE_VALUE)?
    }

    /// E|f - f_M|^2 = (V sum_j |c_j| |g_j|^2 - |f|^2)/M exactly, |.|^2 the mean over rows.
    ///
    /// @param outer    c_j: units values
    /// @param values   g_j at each row: rows times units values, row after row
    /// @param neurons  M
    /// @param error    out
    /// @return LCC_ERROR_NEURONS (M is 0), LCC_ERROR_EMPTY (no row or unit)
    fn lcc_theory_subnetwork_error_f64(
        outer: *const f64, units: usize, values: *const f64, rows: usize, neurons: usize,
    ) -> (error: f64) {
        let outer = raw::slice(outer, units)?;
        let values = raw::slice(values, raw::times(units, rows)?)?;
        raw::refuse(neurons == 0, LCC_ERROR_NEURONS)?;
        raw::refuse(units == 0 || rows == 0, LCC_ERROR_EMPTY)?;
        subnetwork::expected_error(outer, values, neurons)
    }

    /// V_L: the sum over all paths from an input to an output of the product of the |weights| on it.
    ///
    /// @param weights  layers pointers, from the input on: widths[k + 1] rows of widths[k] values
    /// @param widths   layers + 1 counts, none 0
    /// @param layers   matrices, 1 to 32
    /// @param scratch  twice the largest width; the paths from each input are left in front
    /// @return LCC_ERROR_INDEX (layers), LCC_ERROR_EMPTY (a width)
    fn lcc_theory_paths_f64(
        weights: *const *const f64, widths: *const usize, layers: usize, scratch: *mut f64,
        len: usize,
    ) -> (variation: f64) {
        raw::refuse(layers == 0, LCC_ERROR_INDEX)?;
        let mut all = [Layer::<f64> { weights: &[], inputs: 0 }; LAYERS];
        let used = all.get_mut(..layers).ok_or(LCC_ERROR_INDEX)?;
        let (weights, widths, scratch) = (
            raw::slice(weights, layers)?,
            raw::slice(widths, layers.saturating_add(1))?,
            raw::slice_mut(scratch, len)?,
        );
        for ((layer, weights), widths) in used.iter_mut().zip(weights).zip(widths.windows(2)) {
            let [inputs, outputs] = *widths else { return Err(LCC_ERROR_INDEX) };
            raw::refuse(inputs == 0 || outputs == 0, LCC_ERROR_EMPTY)?;
            let size = raw::times(inputs, outputs)?;
            *layer = Layer { weights: raw::slice(*weights, size)?, inputs };
        }
        variation::paths(used, scratch).ok_or(LCC_ERROR_MEMORY_SIZE)?
    }
}
