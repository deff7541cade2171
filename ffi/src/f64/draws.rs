//! Draws

use crate::prelude::*;
use lcc_core::diagnostics::{self, Draws};

/// The draws of one scalar quantity, where they lie: draw t of chain c is
/// data[c * chain_stride + t * draw_stride].
#[repr(C)]
#[derive(Clone, Copy)]
pub struct lcc_draws_f64 {
    /// The first draw of the first chain.
    pub data: *const f64,
    /// Chains.
    pub chains: usize,
    /// Draws of each chain.
    pub draws: usize,
    /// Elements from one chain to the next.
    pub chain_stride: usize,
    /// Elements from one draw to the next.
    pub draw_stride: usize,
}

impl lcc_draws_f64 {
    pub(crate) fn of(draws: &Draws<'_, f64>) -> Self {
        let (data, chain_stride, draw_stride) = draws.parts();
        Self {
            data: data.as_ptr(),
            chains: draws.chains(),
            draws: draws.draws(),
            chain_stride,
            draw_stride,
        }
    }

    /// # Safety
    /// The data span what the strides say, unwritten during `'a`.
    pub(crate) unsafe fn view<'a>(&self) -> Result<Draws<'a, f64>, lcc_status> {
        let Self { data, chains, draws, chain_stride, draw_stride } = *self;
        let span = raw::span(chains, draws, chain_stride, draw_stride)?;
        // SAFETY: the caller's promise.
        let data = unsafe { raw::slice(data, span)? };
        Ok(Draws::new(data, chains, draws, 0, chain_stride, draw_stride)?)
    }
}

/// # Safety
/// NULL, or draws as the header asks, unwritten during `'a`.
pub(crate) unsafe fn view<'a>(draws: *const lcc_draws_f64) -> Result<Draws<'a, f64>, lcc_status> {
    // SAFETY: the caller's promise.
    unsafe { raw::reference(draws)?.view() }
}

/// What the draws of one quantity say, with every definition as in ArviZ (rank-normalised split
/// R-hat, bulk and tail effective sample size: Vehtari et al. 2021). NaN where a value is undefined:
/// fewer than 4 draws a chain, or draws that are not finite.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct lcc_summary_f64 {
    /// The mean of all draws.
    pub mean: f64,
    /// Their standard deviation.
    pub sd: f64,
    /// 5 % quantile.
    pub q5: f64,
    /// Median.
    pub median: f64,
    /// 95 % quantile.
    pub q95: f64,
    /// The Monte Carlo standard error of the mean (ArviZ's name; lcc_average_f64.standard_error of particles).
    pub mcse_mean: f64,
    /// The Monte Carlo standard error of the standard deviation.
    pub mcse_sd: f64,
    /// The effective sample size of the bulk.
    pub ess_bulk: f64,
    /// The effective sample size of the tails.
    pub ess_tail: f64,
    /// R-hat: above 1.01 the chains do not agree.
    pub rhat: f64,
}

abi! {
    /// The bytes of scratch that lcc_draws_summarise_f64 and lcc_draws_quantile_f64 need.
    ///
    /// @param draws  draws of each chain
    fn lcc_draws_scratch_f64(chains: usize, draws: usize) -> (bytes: usize) {
        let values = diagnostics::scratch_len(chains, draws).ok_or(LCC_ERROR_OVERFLOW)?;
        raw::times(values, size_of::<f64>())?
    }

    /// Summarises the draws of one quantity. Sorts: about S log S comparisons for S draws in all, and S
    /// multiply-adds for each lag until the autocorrelation is gone.
    ///
    /// @param scratch  lcc_draws_scratch_f64 bytes, aligned as the draws
    fn lcc_draws_summarise_f64(
        draws: *const lcc_draws_f64, scratch: *mut u8, bytes: usize,
    ) -> (summary: lcc_summary_f64) {
        let draws = view(draws)?;
        let scratch = raw::slice_mut(scratch.cast::<f64>(), bytes / size_of::<f64>())?;
        let s = diagnostics::summary(&draws, scratch)?;
        lcc_summary_f64 {
            mean: s.mean,
            sd: s.sd,
            q5: s.q5,
            median: s.median,
            q95: s.q95,
            mcse_mean: s.mcse_mean,
            mcse_sd: s.mcse_sd,
            ess_bulk: s.ess_bulk,
            ess_tail: s.ess_tail,
            rhat: s.rhat,
        }
    }

    /// A quantile of all draws, and the effective sample size of its estimate.
    ///
    /// @param p        a probability inside (0, 1)
    /// @param scratch  lcc_draws_scratch_f64 bytes, aligned as the draws
    /// @param ess      out: NaN as in a summary
    /// @return as lcc_draws_summarise_f64; LCC_ERROR_PROBABILITY
    fn lcc_draws_quantile_f64(
        draws: *const lcc_draws_f64, p: f64, scratch: *mut u8, bytes: usize,
    ) -> (quantile: f64, ess: f64) {
        let (draws, p) = (view(draws)?, raw::probability(p)?);
        let scratch = raw::slice_mut(scratch.cast::<f64>(), bytes / size_of::<f64>())?;
        let quantile = diagnostics::quantile(&draws, p, scratch)?;
        (quantile, diagnostics::ess_quantile(&draws, p, scratch)?)
    }

    /// The shape k of the heavier tail of all draws, of a generalised Pareto law at either end. From 1/2 on the law has no
    /// variance, from 1 on no mean; where it is too heavy, above .7 by more than its standard error and 10 sds long, the mean
    /// and sd are led by a few draws, and mcse_mean says nothing: take quantiles.
    ///
    /// @param scratch  lcc_draws_scratch_f64 bytes, aligned as the draws
    /// @param k        out: NaN of fewer than 25 draws, or of ends that are one value
    /// @param heavy    out: 1 where it is too heavy, else 0
    fn lcc_draws_tail_f64(
        draws: *const lcc_draws_f64, scratch: *mut u8, bytes: usize,
    ) -> (k: f64, heavy: i32) {
        let draws = view(draws)?;
        let scratch = raw::slice_mut(scratch.cast::<f64>(), bytes / size_of::<f64>())?;
        let (k, heavy) = diagnostics::tail_shape(&draws, scratch)?;
        (k, heavy as i32)
    }

    /// E-BFMI of one chain from its energies (Betancourt 2016): below .3 the momenta hardly move the
    /// energy.
    ///
    /// @param energy  the energies of every chain
    /// @param e_bfmi  out: NaN for fewer than two draws or a constant chain
    fn lcc_draws_e_bfmi_f64(energy: *const lcc_draws_f64, chain: usize) -> (e_bfmi: f64) {
        let energy = view(energy)?;
        raw::refuse(chain >= energy.chains(), LCC_ERROR_INDEX)?;
        diagnostics::e_bfmi(&energy, chain)
    }

    /// The means of pairs of chains, draw by draw, chain by chain: of antithetic pairs, the draws whose
    /// mcse_mean is the standard error of the mean of all draws.
    ///
    /// @param draws   2 k chains; a last one without a partner is left out
    /// @param means   out: a view of values, k chains
    /// @param values  out: k * draws values
    /// @return LCC_ERROR_EMPTY (fewer than two chains)
    fn lcc_draws_pair_means_f64(
        draws: *const lcc_draws_f64, means: *mut lcc_draws_f64, values: *mut f64, capacity: usize,
    ) {
        let view = view(draws)?;
        let size = (view.chains() / 2).saturating_mul(view.draws());
        raw::refuse(size == 0, LCC_ERROR_EMPTY)?;
        raw::writable(means)?;
        let pairs = diagnostics::pair_means(&view, raw::array(values, capacity, size)?)?;
        raw::write(means, lcc_draws_f64::of(&pairs))?;
    }
}
