//! One hidden layer by a few long chains, as devices run it.

use crate::engine::{Copied, Memory, Number, Progress, Steps, held, in_precision, written};
use crate::fault::{Fault, at};
use crate::network::{Fit, Pace, Settings, level, threads_for};
use crate::posterior::Drawn;
use crate::rows::Rows;
use crate::watch::Watch;
use lcc_core::data::Dataset;
use lcc_core::diagnostics::Draws;
use lcc_core::estimator::{NetworkOptions, NetworkRegressor, RegressorError, Stage, Status};
use lcc_core::simd::Isa;

const FITTING: &str = "fitting";

held!(NetworkRegressor, NetworkOptions, "the network", own => {
    let (p, chains) = (own.progress(), u64::from(own.options().chains));
    let warming = matches!(p.stage, Stage::Search | Stage::Warmup);
    let gradients = p.passes.saturating_mul(chains);
    Progress { done: p.passes, total: p.passes_in_all, gradients, warming }
});

/// Fits; with the record of the chains where it is asked for. Seed, threads and precision are those of the settings.
pub fn fit_long(
    asked: &NetworkOptions<f64>,
    s: &Settings,
    rows: &Rows,
    traced: bool,
    watch: &dyn Watch,
) -> Result<(Fit, Vec<Drawn>), Fault> {
    in_precision!(s.double, T => fit_in::<T>(asked, s, rows, traced, watch))
}

fn fit_in<T: Number>(
    asked: &NetworkOptions<f64>,
    s: &Settings,
    rows: &Rows,
    traced: bool,
    watch: &dyn Watch,
) -> Result<(Fit, Vec<Drawn>), Fault> {
    let copy = Copied::<T>::of(rows);
    let data = copy.data()?;
    let options = NetworkOptions {
        neurons: asked.neurons,
        chains: asked.chains,
        warmup: asked.warmup,
        draws: asked.draws,
        keep: asked.keep,
        seed: s.options.seed,
        ..NetworkOptions::<T>::default()
    };
    let mut whole = Held::make(&options, data)?;
    let mut fit = Fit { digits: T::DIGITS, ..Fit::default() };
    let mut pace = Pace::new(watch);
    let threads = threads_for(options.chains, options.lanes, s.threads, s.free_threads, watch);
    if threads < 2 {
        pace.drive(&mut whole, |_| Ok(()))?;
    } else {
        let mut blocks = blocks(&options, data)?;
        while !watch.stopped() && pace.step_all(&mut blocks, threads)? {}
        level(&mut blocks, threads)?;
        let parts = blocks.iter_mut().map(Held::open).collect::<Result<Vec<_>, _>>()?;
        let all = parts.iter().map(Ok::<_, RegressorError>);
        whole.open()?.join(all).map_err(at(FITTING))?;
    }
    let at_end = whole.progress()?;
    fit.seconds = pace.seconds;
    (fit.gradients, fit.workspace) = (at_end.gradients, whole.memory.size());
    fit.interrupted = at_end.done < at_end.total;
    let drawn = whole.open()?;
    if drawn.progress().draws == 0 && fit.interrupted {
        return Ok((fit, Vec::new()));
    }
    fit.model = Some(written(drawn.model_size(), |image| drawn.write_model(image))?);
    diagnose(&drawn, &mut fit)?;
    let chains = if traced { record(&drawn)? } else { Vec::new() };
    Ok((fit, chains))
}

/// A regressor for each block of chains.
fn blocks<'d, T: Number>(
    options: &NetworkOptions<T>,
    data: Dataset<'d, T>,
) -> Result<Vec<Held<'d, T>>, Fault> {
    let (all, lanes) = (options.chains, options.lanes);
    let part = |first_chain: u32| {
        let chains = (all - first_chain).min(lanes);
        Held::make(&NetworkOptions { chains, first_chain, ..*options }, data)
    };
    (0..all).step_by(lanes as usize).map(part).collect()
}

fn diagnose<T: Number>(drawn: &NetworkRegressor<'_, T>, fit: &mut Fit) -> Result<(), Fault> {
    let chains = drawn.options().chains as usize;
    let traces = (0..drawn.traced_predictions()).map(|k| drawn.prediction_trace(k));
    fit.mixing(traces, (chains, drawn.options().draws))?;
    let accepted = (0..chains).map(|c| drawn.acceptance(c)).fold(T::ZERO, |sum, a| sum + a);
    fit.acceptance = (accepted / T::of_usize(chains)).to_f64();
    fit.divergences = (0..chains).map(|c| drawn.divergences(c) as u64).sum();
    fit.chains_dropped = (0..chains).filter(|c| drawn.dropped(*c)).count();
    fit.chains_used = chains - fit.chains_dropped;
    Ok(())
}

/// Of each chain, draw by draw, log likelihood, acceptance, divergence and energy, and predictions at some rows.
fn record<T: Number>(drawn: &NetworkRegressor<'_, T>) -> Result<Vec<Drawn>, Fault> {
    let first = [
        drawn.log_likelihood_trace(),
        drawn.acceptance_trace(),
        drawn.divergence_trace(),
        drawn.energy_trace(),
    ];
    let rest = (0..drawn.traced_predictions()).map(|k| drawn.prediction_trace(k));
    let columns = first.into_iter().chain(rest).collect::<Result<Vec<Draws<'_, T>>, _>>();
    let columns = columns.map_err(at("the draws"))?;
    let draws = columns.first().map_or(0, Draws::draws);
    let value = |c, t| columns.iter().map(move |d: &Draws<'_, T>| d.at(c, t).to_f64());
    let chain = |c: usize| Drawn {
        step: Some(drawn.step_size(c).map_or(f64::NAN, |s| s.to_f64())),
        leapfrogs: Some(drawn.options().leapfrogs),
        width: columns.len(),
        values: (0..draws).flat_map(|t| value(c, t)).collect(),
    };
    Ok((0..drawn.options().chains as usize).map(chain).collect())
}
