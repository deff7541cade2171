//! What is noted of each kind of object, whatever its precision.

use crate::handle::{Note, Record};
use crate::object::lcc_progress;
use lcc_core::auto::Auto;
use lcc_core::estimator::greedy_bayes::GreedyBayes;
use lcc_core::estimator::prequential::Prequential;
use lcc_core::estimator::relaxed::RelaxedGreedy;
use lcc_core::estimator::{Bnn, NetworkRegressor, Stage, Vae};
use lcc_core::predict;
use lcc_core::sampler::{Position, Sampler};
use lcc_core::simd::AnyLanes;
use lcc_core::smc::Smc;
use lcc_core::stream::StreamLearner;
use lcc_core::tempering::Tempering;
use lcc_core::warmup::Warmup;

/// Draws of w with so many traces, of the problem of a fingerprint.
fn record<T>(
    values: &[T],
    draws: usize,
    chains: u32,
    [dim, traces]: [usize; 2],
    fingerprint: u64,
) -> Record {
    Record {
        at: if draws == 0 { 0 } else { values.as_ptr().addr() as u64 },
        draws: draws as u64,
        dim: dim as u64,
        fingerprint,
        chains,
        traces: traces as u32,
    }
}

/// Of an object that records no draws of w.
fn plain(progress: lcc_progress) -> Note {
    Note {
        progress,
        record: Record { at: 0, draws: 0, dim: 0, fingerprint: 0, chains: 0, traces: 0 },
    }
}

/// Where chains are that have evaluated so many gradients together.
fn of_chains(p: Position, gradients: u64) -> lcc_progress {
    lcc_progress {
        done: p.iterations as u64,
        total: p.total as u64,
        draws: p.draws as u64,
        gradients,
        warming: p.warming_up() as u32,
        reserved: 0,
    }
}

pub(crate) fn sampler<T: AnyLanes>(run: &Sampler<'_, T>) -> Note {
    let (p, chains) = (run.position(), run.options().chains);
    Note {
        progress: of_chains(p, run.evaluations().saturating_mul(chains.into())),
        record: record(run.record(), p.stored, chains, [run.dim(), 4], run.fingerprint()),
    }
}

pub(crate) fn smc<T: AnyLanes>(run: &Smc<'_, T>) -> Note {
    let (p, o) = (run.position(), run.options());
    // No more than there is room for, whatever a state that was restored says.
    let total = if p.done { p.stages.min(o.stages) } else { o.stages };
    Note {
        progress: lcc_progress {
            done: p.stages as u64,
            total: total as u64,
            draws: p.done as u64,
            gradients: run.evaluations().saturating_mul(o.particles.into()),
            warming: !p.done as u32,
            reserved: 0,
        },
        record: record(
            run.record(),
            p.done as usize,
            o.particles,
            [run.dim(), 2],
            run.fingerprint(),
        ),
    }
}

pub(crate) fn tempering<T: AnyLanes>(run: &Tempering<'_, T>) -> Note {
    let (p, chains) = (run.position(), run.options().chains);
    Note {
        progress: of_chains(p, run.evaluations().saturating_mul(chains.into())),
        record: record(run.record(), p.stored, chains, [run.dim(), 2], run.fingerprint()),
    }
}

pub(crate) fn warmup<T: AnyLanes>(run: &Warmup<'_, T>) -> Note {
    plain(lcc_progress {
        done: run.thousandths(),
        total: 1000,
        draws: 0,
        gradients: run.evaluations(),
        warming: 1,
        reserved: 0,
    })
}

pub(crate) fn auto<T: AnyLanes>(run: &mut Auto<'_, T>) -> Note {
    let (p, shape) = (run.position(), run.recorded());
    let draws = shape.as_ref().map_or(0, |r| r.draws as u64);
    let progress = lcc_progress {
        done: p.thousandths,
        total: 1000,
        draws,
        gradients: p.evaluations,
        warming: (p.thousandths < 100) as u32,
        reserved: 0,
    };
    let Some(shape) = shape else {
        // Draws there will be, but of how many columns is not known yet.
        let mut note = plain(progress);
        note.record.traces = 1;
        return note;
    };
    let traces = shape.columns.saturating_sub(shape.dim);
    let (of, chains) = ([shape.dim, traces], shape.chains as u32);
    let record = record(run.record(), shape.draws, chains, of, shape.fingerprint);
    Note { progress, record }
}

pub(crate) fn network<T: AnyLanes>(network: &NetworkRegressor<'_, T>) -> Note {
    let p = network.progress();
    plain(lcc_progress {
        done: p.passes,
        total: p.passes_in_all,
        draws: p.draws as u64,
        gradients: p.passes.saturating_mul(network.options().chains as u64),
        warming: matches!(p.stage, Stage::Search | Stage::Warmup) as u32,
        reserved: 0,
    })
}

/// A unit of the work is a step of the start or a trajectory of one block of chains.
pub(crate) fn bnn<T: AnyLanes>(network: &Bnn<'_, T>) -> Note {
    let ((done, total), some) = (network.units(), network.finished() > 0);
    plain(lcc_progress {
        done,
        total,
        draws: if some { network.options().draws as u64 } else { 0 },
        gradients: network.gradients(),
        warming: !some as u32,
        reserved: 0,
    })
}

pub(crate) fn greedy<T: AnyLanes>(fit: &GreedyBayes<'_, T>) -> Note {
    let p = fit.progress();
    plain(lcc_progress {
        done: p.levels as u64,
        total: p.of as u64,
        draws: if p.done { fit.options().keep as u64 } else { 0 },
        gradients: p.evaluations.saturating_mul(fit.options().particles as u64),
        warming: 0,
        reserved: 0,
    })
}

pub(crate) fn relaxed<T: AnyLanes>(fit: &RelaxedGreedy<'_, T>) -> Note {
    let (options, levels) = (fit.options(), fit.levels() as u64);
    let passes = (options.steps as u64).saturating_add(1).saturating_mul(options.starts as u64);
    plain(lcc_progress {
        done: levels,
        total: options.levels as u64,
        draws: (levels > 0) as u64,
        gradients: levels.saturating_mul(passes),
        warming: 0,
        reserved: 0,
    })
}

/// A unit of the work is a step of the fit; there is something to ask of it at once.
pub(crate) fn vae<T: AnyLanes>(fit: &Vae<'_, T>) -> Note {
    let (done, total) = fit.steps();
    plain(lcc_progress { done, total, draws: 0, gradients: done, warming: 0, reserved: 0 })
}

/// A unit of the work is a row; gradients are row visits.
pub(crate) fn prequential<T: predict::Compiled>(learner: &Prequential<'_, T>) -> Note {
    let p = learner.progress();
    plain(lcc_progress {
        done: p.rows,
        total: p.of,
        draws: learner.options().keep as u64,
        gradients: p.visits,
        warming: !p.idle as u32,
        reserved: 0,
    })
}

pub(crate) fn stream<T: AnyLanes>(learner: &StreamLearner<'_, T>) -> Note {
    rows(learner.rows())
}

/// Of an object that counts rows, as many as come.
pub(crate) fn rows(rows: u64) -> Note {
    plain(lcc_progress { done: rows, total: 0, draws: 0, gradients: 0, warming: 0, reserved: 0 })
}
