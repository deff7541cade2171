//! The draws of a handle: of a sampler, particles, tempered chains, or the sampler that chooses

use crate::f64::data::{inputs, lcc_data_f64};
use crate::f64::draws::lcc_draws_f64;
use crate::f64::problem::{self, lcc_problem_f64};
use crate::model;
use crate::prelude::*;
use crate::recorded::{self, Recorded};
use core::ffi::{c_int, c_void};
use lcc_core::column::Column;
use lcc_core::posterior::Drawn;
use lcc_core::problem::Problem;
use lcc_core::scalar::Real;

/// Quantities of a draw x (n values): writes `count` of them. Returns 0, or anything else where they are undefined: all
/// are NaN then.
pub type lcc_quantities_f64 = Option<
    unsafe extern "C" fn(
        n: usize,
        x: *const f64,
        count: usize,
        values: *mut f64,
        ctx: *mut c_void,
    ) -> c_int,
>;

/// # Safety
/// A handle that nobody writes during `'a`.
unsafe fn recorded<'a>(handle: *const c_void) -> Result<Recorded<'a, f64>, lcc_status> {
    // SAFETY: the caller's promise.
    let block = unsafe { handle::any(handle.cast())? };
    raw::refuse(block.bits != <f64 as Real>::BITS, LCC_ERROR_HANDLE)?;
    let (note, object) = block.split()?;
    Recorded::new(&note.record, object)
}

/// # Safety
/// The same.
unsafe fn column(handle: *const c_void, column: Column) -> Result<lcc_draws_f64, lcc_status> {
    // SAFETY: the caller's promise.
    let recorded = unsafe { recorded(handle)? };
    Ok(lcc_draws_f64 {
        data: recorded.column(column)?.as_ptr(),
        chains: recorded.chains,
        draws: recorded.draws,
        chain_stride: 1,
        draw_stride: recorded.columns.wrapping_mul(recorded.chains),
    })
}

/// What network draws are of.
fn drawn<'a>(
    problem: &Problem<'a, f64>,
    recorded: &Recorded<'_, f64>,
) -> Result<Drawn<'a, f64>, lcc_status> {
    let drawn = Drawn::of(problem.likelihood()).ok_or(LCC_ERROR_POSTERIOR)?;
    raw::refuse(recorded.dim != drawn.dim(), LCC_ERROR_INPUTS)?;
    raw::refuse(recorded.draws == 0, LCC_ERROR_NOT_DONE)?;
    recorded.check(problem.fingerprint(), false)?;
    Ok(drawn)
}

abi! {
    /// The stored draws of one coordinate of w so far: a view into the handle's memory, valid until the next
    /// step. Of lcc_tempering_f64 those at temperature 1. Particles are equally weighted, each a chain of one draw:
    /// lcc_smc_average_f64 and lcc_auto_average_f64 have their mean with its error; lcc_draws_summarise_f64 would take
    /// them as independent, and finds one draw a chain too few. In lcc_auto_f64 chains 2 k and 2 k + 1 are antithetic
    /// pairs, which before the run is over may yet be given up for others.
    ///
    /// @param handle      of lcc_sampler_f64, lcc_smc_f64, lcc_tempering_f64 or lcc_auto_f64
    /// @param coordinate  below lcc_problem_dim_f64 (neuron m's coordinate j is m * d + j)
    /// @return LCC_ERROR_NOT_DONE
    fn lcc_read_draws_f64(handle: *const c_void, coordinate: usize, draws: *mut lcc_draws_f64) {
        raw::write(draws, column(handle, Column::Weight(coordinate))?)?;
    }

    /// What is recorded beside each stored draw: a view as lcc_read_draws_f64 gives.
    ///
    /// @param trace  LCC_TRACE_LOG_DENSITY; of particles and tempered chains LCC_TRACE_LOG_LIKELIHOOD, of
    ///               others LCC_TRACE_ACCEPT, _ENERGY and _DIVERGENT
    /// @return LCC_ERROR_NOT_DONE
    fn lcc_read_trace_f64(handle: *const c_void, trace: i32, draws: *mut lcc_draws_f64) {
        raw::write(draws, column(handle, recorded::trace(trace)?)?)?;
    }

    /// The network's output at one row for every stored draw: psi(x_q.w) (greedy) or f(x_q; W) (joint).
    /// Its expectation is what the papers ask for, and its R-hat what to look at: weights may be
    /// permuted from draw to draw, outputs may not.
    ///
    /// @param problem  that which the handle was made with
    /// @param queries  rows with the inputs of the data; y may be NULL
    /// @param out      out: draw t of chain c at out[c * draws + t], draws being those stored so far
    /// @param len      the values at out, at least chains * draws
    /// @param draws    out: a view of them, ready for lcc_draws_summarise_f64 or an average
    /// @return LCC_ERROR_NOT_DONE; LCC_ERROR_DATA_CHANGED (the draws are of another problem)
    fn lcc_read_output_f64(
        handle: *const c_void, problem: *const lcc_problem_f64, queries: *const lcc_data_f64,
        row: usize, out: *mut f64, len: usize,
    ) -> (draws: lcc_draws_f64) {
        let (recorded, p) = (recorded(handle)?, raw::sized(problem)?);
        let (rows, queries) = (queries, inputs(queries)?);
        let output = p.output()?;
        let (chains, draws) = (recorded.chains, recorded.draws);
        raw::refuse(draws == 0, LCC_ERROR_NOT_DONE)?;
        // Targets are none of the problem's parameters: any number is one.
        let rows = raw::reference(rows)?;
        let row_as_data = lcc_data_f64 { n: 1, y: rows.x, ..*rows };
        recorded.check(problem::read(problem, &raw const row_as_data)?.fingerprint(), true)?;
        raw::refuse(recorded.dim != output.dim(queries.d()), LCC_ERROR_INPUTS)?;
        raw::refuse(row >= queries.n(), LCC_ERROR_INDEX)?;
        let needed = draws.checked_mul(chains).ok_or(LCC_ERROR_CAPACITY)?;
        let out = raw::array(out, len, needed)?;
        for (out, w) in out.iter_mut().zip(recorded.weights()?) {
            *out = output.at(&queries, row, |j| w.at(j));
        }
        lcc_draws_f64 { data: out.as_ptr(), chains, draws, chain_stride: draws, draw_stride: 1 }
    }

    /// Generated quantities: what a function makes of every draw stored so far, during a run or after it; of constrained
    /// parameters it begins with lcc_parameters_constrain_f64. A call a draw.
    ///
    /// @param count   quantities of a draw, at least 1
    /// @param x       scratch: as many values as a draw has coordinates
    /// @param dim     the values at x
    /// @param values  out: quantity k of draw t of chain c at values[(c * draws + t) * count + k], draws being those stored
    ///                so far
    /// @param len     the values at values, at least chains * draws * count
    /// @param first   out: a view of quantity 0, ready for lcc_draws_summarise_f64 or an average: data + k is that of
    ///                quantity k
    /// @return LCC_ERROR_NOT_DONE
    fn lcc_read_quantities_f64(
        handle: *const c_void, quantities: lcc_quantities_f64, context: *mut c_void, count: usize,
        x: *mut f64, dim: usize, values: *mut f64, len: usize,
    ) -> (first: lcc_draws_f64) {
        let (recorded, quantities) = (recorded(handle)?, quantities.ok_or(LCC_ERROR_NULL)?);
        raw::refuse(count == 0, LCC_ERROR_EMPTY)?;
        let (chains, draws) = (recorded.chains, recorded.draws);
        raw::refuse(draws == 0, LCC_ERROR_NOT_DONE)?;
        let x = raw::array(x, dim, recorded.dim)?;
        let draw_stride = count;
        let chain_stride = raw::times(draws, count)?;
        let values = raw::array(values, len, raw::times(chains, chain_stride)?)?;
        for (values, w) in values.chunks_exact_mut(count).zip(recorded.weights()?) {
            x.iter_mut().enumerate().for_each(|(j, x)| *x = w.at(j));
            if quantities(x.len(), x.as_ptr(), count, values.as_mut_ptr(), context) != 0 {
                values.fill(f64::NAN);
            }
        }
        lcc_draws_f64 { data: values.as_ptr(), chains, draws, chain_stride, draw_stride }
    }

    /// The bytes of scratch that lcc_read_model_f64 needs, and of the model of the draws stored so far.
    ///
    /// @param problem  a posterior of LCC_POSTERIOR_NETWORK, LCC_POSTERIOR_JOINT or LCC_POSTERIOR_LAYERS
    /// @return LCC_ERROR_NOT_DONE, LCC_ERROR_POSTERIOR, LCC_ERROR_INPUTS (another number of coordinates), LCC_ERROR_DATA_CHANGED
    ///         (the draws are of another problem or other data)
    fn lcc_read_model_size_f64(
        handle: *const c_void, problem: *const lcc_problem_f64, data: *const lcc_data_f64,
    ) -> (bytes: usize, model: usize) {
        let (recorded, problem) = (recorded(handle)?, problem::read(problem, data)?);
        let drawn = drawn(&problem, &recorded)?;
        let draws = raw::times(recorded.draws, recorded.chains)?;
        (raw::scratch_size::<f64, _>(drawn.scratch())?, drawn.image_size(draws)?)
    }

    /// Writes the draws of a network stored so far as a model (a posterior image), chain by chain: what predicts. The noise of a
    /// joint posterior is Gaussian of the sd beta^(-1/2).
    ///
    /// @param scratch  as many bytes as lcc_read_model_size_f64 says
    /// @param model    out: as many bytes as it says, of any alignment
    /// @return as lcc_read_model_size_f64; LCC_ERROR_IMAGE_VALUE (a draw is not finite)
    fn lcc_read_model_f64(
        handle: *const c_void, problem: *const lcc_problem_f64, data: *const lcc_data_f64,
        scratch: *mut u8, bytes: usize, model: *mut u8, capacity: usize,
    ) -> (written: usize) {
        let (recorded, problem) = (recorded(handle)?, problem::read(problem, data)?);
        let drawn = drawn(&problem, &recorded)?;
        let draws = raw::times(recorded.draws, recorded.chains)?;
        let [work, draw, units] = raw::scratch(scratch, bytes, drawn.scratch())?;
        let mut store = drawn.store(model::room(model, capacity, drawn.image_size(draws)?)?, units)?;
        for w in recorded.weights()? {
            let made = drawn.draw(|j| w.at(j), work.as_chunks_mut().0, draw);
            made.ok_or(LCC_ERROR_MEMORY_SIZE)?;
            store.push(draw)?;
        }
        store.seal().ok_or(LCC_ERROR_NOT_DONE)?.len()
    }
}
