//! The work of a network's fit.

use super::clock::Measured;
use super::pace::Units;
use super::{Checkpoint, Clock, Fit, Pace, Settings, threads_for};
use crate::engine::{
    Copied, Memory, Number, Progress, Steps, check_units, held, in_precision, written,
};
use crate::fault::{Fault, at};
use crate::rows::Rows;
use crate::watch::Watch;
use lcc_core::checkpoint::Kind;
use lcc_core::data::Dataset;
use lcc_core::estimator::bnn::Status;
use lcc_core::estimator::{Bnn, BnnError, BnnOptions};
use lcc_core::kernel::penalty::Penalty;
use lcc_core::simd::Isa;
use web_time::Instant;

const FITTING: &str = "fitting";

held!(Bnn, BnnOptions, "the network", own => {
    let (done, total) = own.units();
    let (gradients, warming) = (own.gradients(), own.finished() == 0);
    Progress { done, total, gradients, warming }
});

impl<T: Number> Held<'_, T> {
    fn sealed(&self) -> Result<Vec<u8>, Fault> {
        self.memory.sealed::<T>(Kind::Bnn)
    }

    /// Goes on from what was sealed.
    fn resume(&mut self, path: &str, sealed: &[u8]) -> Result<(), Fault> {
        self.memory.resume::<T>(Kind::Bnn, Bnn::<T>::HEAD, path, sealed)?;
        self.step(0)?;
        let Progress { done, total, .. } = self.progress()?;
        check_units(path, done, total)
    }
}

struct Run<'a, 'd, T> {
    settings: &'a Settings,
    options: &'a mut BnnOptions<T>,
    /// That its few chains are no work for all threads is no news.
    short: bool,
    data: Dataset<'d, T>,
    clock: Option<Clock>,
    saving: Option<&'a mut Checkpoint>,
    watch: &'a dyn Watch,
    whole: Option<Held<'d, T>>,
    blocks: Vec<Held<'d, T>>,
}

/// Fits the network of settled settings. By the clock it leaves the numbers of chains, steps and leapfrogs in the settings
/// that give the same bits without it.
pub fn fit(
    settings: &mut Settings,
    rows: &Rows,
    clock: Option<Clock>,
    mut saving: Option<&mut Checkpoint>,
    watch: &dyn Watch,
) -> Result<Fit, Fault> {
    if let Some(own) = saving.as_deref_mut() {
        own.settings = settings.describe(rows);
    }
    in_precision!(settings.double, T => {
        let (copy, mut o) = (Copied::<T>::of(rows), settings.options::<T>()?);
        let fit = run(settings, &mut o, copy.data()?, false, (clock, saving), watch)?;
        if clock.is_some() {
            settings.give("chains", o.chains);
            settings.give("start", o.start_steps);
            settings.give("leapfrogs", o.leapfrogs);
        }
        Ok(fit)
    })
}

/// Fits by options that are complete; of the settings threads and the kind of model count.
pub(super) fn run<T: Number>(
    settings: &Settings,
    options: &mut BnnOptions<T>,
    data: Dataset<'_, T>,
    short: bool,
    (clock, saving): (Option<Clock>, Option<&mut Checkpoint>),
    watch: &dyn Watch,
) -> Result<Fit, Fault> {
    let (whole, blocks) = (None, Vec::new());
    Run { settings, options, short, data, clock, saving, watch, whole, blocks }.fit()
}

/// What a unit of work of a block takes: a step of the start is one pass over its rows, a trajectory many over all.
fn units<T: Number>(options: &BnnOptions<T>, data: &Dataset<'_, T>) -> Units {
    let (start_steps, n) = (options.start_for(data), data.n());
    let options = BnnOptions { start_steps, ..*options }.decided(n, data.d());
    if !options.method.value().samples() {
        return Units::default();
    }
    let rows = if options.batch == 0 { n as f64 } else { f64::from(options.batch) };
    let [start, warmup, draws] =
        [options.start_steps, options.warmup, options.draws].map(u64::from);
    let slow = f64::from(options.leapfrogs) * n as f64 / rows;
    Units { cycle: start + warmup + draws, quick: start, slow }
}

impl<'a, 'd, T: Number> Run<'a, 'd, T> {
    fn fit(mut self) -> Result<Fit, Fault> {
        let mut fit = Fit { digits: T::DIGITS, ..Fit::default() };
        self.advance(&mut fit)?;
        let (settings, options, mut whole) = (self.settings, self.options, self.whole);
        let Some(held) = whole.as_mut() else { return Ok(fit) };
        let drawn = held.open()?;
        if drawn.finished() == 0 && fit.interrupted {
            return Ok(fit);
        }
        fit.model = Some(written(drawn.model_size(), |image| {
            match !settings.sampled && drawn.linearises() {
                true => drawn.write_linearised(image),
                false => drawn.write_model(image),
            }
        })?);
        fit.point = Some(written(drawn.model_size(), |image| drawn.write_point(image))?);
        diagnose(&drawn, &mut fit)?;
        let method = options.method.value();
        if method.climbs() {
            note_mode(&drawn, method.fits(), &mut fit);
        }
        if method.walks() {
            note_changes(&drawn, options, &mut fit);
        }
        Ok(fit)
    }

    /// The threads that are asked for.
    fn threads(&self, chains: u32, lanes: u32) -> Option<u32> {
        self.settings.threads.map(|n| if self.short { n.min(chains.div_ceil(lanes)) } else { n })
    }

    /// Runs the chains, of the network of all or in rounds of blocks. A run that is stopped leaves those at their end.
    fn advance(&mut self, fit: &mut Fit) -> Result<(), Fault> {
        let options = *self.options;
        let mut pace = Pace::new(self.watch);
        pace.units = units(&options, &self.data);
        if let Some(clock) = self.clock {
            pace.until = Some(clock.until);
            self.rounds(0, &mut pace)?;
        } else {
            let mut whole = Held::make(&options, self.data)?;
            if let Some(saving) = self.saving.as_deref().filter(|own| own.resume) {
                whole.resume(&saving.path, &saving.load()?)?;
            }
            let (chains, lanes) = (options.chains, options.lanes);
            let (asked, free) = (self.threads(chains, lanes), self.settings.free_threads);
            if threads_for(chains, lanes, asked, free, self.watch) < 2 {
                let (saving, watch) = (&mut self.saving, self.watch);
                pace.drive(&mut whole, |held| {
                    Checkpoint::save_due(saving.as_deref_mut(), || held.sealed(), watch)
                })?;
                self.whole = Some(whole);
            } else {
                // A block at work in a checkpoint begins again.
                pace.at = whole.progress()?;
                let blocks = u64::from(chains.div_ceil(lanes));
                let first = (pace.at.done / (pace.at.total / blocks)) as u32 * lanes;
                self.whole = Some(whole);
                if first < chains {
                    self.rounds(first, &mut pace)?;
                }
            }
        }
        let mut bytes = self.blocks.iter().map(|b| b.memory.size()).sum();
        let stopped = self.clock.is_some() && self.watch.stopped();
        match &mut self.whole {
            None => fit.interrupted = true,
            Some(whole) => {
                pace.at = whole.progress()?;
                bytes += whole.memory.size();
                fit.interrupted = stopped || pace.at.done < pace.at.total;
                if let Some(saving) = self.saving.as_deref_mut() {
                    saving.save(&whole.sealed()?, self.watch);
                }
            }
        }
        (fit.seconds, fit.gradients, fit.workspace) = (pace.seconds, pace.at.gradients, bytes);
        Ok(())
    }

    /// Chains round after round, each a block for each thread: all of them, or by the clock until there is no time for
    /// another round; how many these are is left in the settings.
    fn rounds(&mut self, mut first: u32, pace: &mut Pace<'a>) -> Result<(), Fault> {
        let chains = if self.clock.is_some() { 1 << 20 } else { self.options.chains };
        let lanes = self.options.lanes;
        let (asked, free) = (self.threads(chains, lanes), self.settings.free_threads);
        let threads = match self.clock {
            Some(_) => asked.unwrap_or(free).max(1) as usize,
            None => asked.unwrap_or(free).min(chains.div_ceil(lanes)) as usize,
        };
        loop {
            let began = Instant::now();
            let done = self.round(first, chains, threads, pace)?;
            if done {
                self.gather(first)?;
                first += (threads as u32 * lanes).min(chains - first);
                if let Some(whole) = &self.whole {
                    let saving = self.saving.as_deref_mut();
                    Checkpoint::save_due(saving, || whole.sealed(), self.watch)?;
                }
            }
            let took = began.elapsed().as_secs_f64();
            let time = self.clock.is_none_or(|clock| clock.allows(took));
            if !done || first >= chains || self.watch.stopped() || !time {
                break;
            }
        }
        if let Some(clock) = self.clock {
            self.options.chains = if first == 0 { lanes } else { first };
            let least = first <= lanes * threads as u32;
            if least && Instant::now() > clock.until && !self.watch.stopped() {
                self.watch.say(&format!(
                    "--time is too short for the least work, a block of {} chains: it is done all the same",
                    lanes * threads as u32
                ));
            }
        }
        Ok(())
    }

    /// The blocks of a round, at their beginning.
    fn deal(&self, first: u32, chains: u32, threads: usize) -> Result<Vec<Held<'d, T>>, Fault> {
        let lanes = self.options.lanes;
        let own = (chains - first).min(threads as u32 * lanes);
        let starts = (0..own).step_by(lanes as usize);
        let block = |start: u32| {
            let chains = (own - start).min(lanes);
            let part = BnnOptions { chains, first_chain: first + start, ..*self.options };
            Held::make(&part, self.data)
        };
        starts.map(block).collect()
    }

    /// One block for each thread, to its end; whether it was reached.
    fn round(
        &mut self,
        first: u32,
        chains: u32,
        threads: usize,
        pace: &mut Pace<'a>,
    ) -> Result<bool, Fault> {
        self.blocks = self.deal(first, chains, threads)?;
        let shortened = self.clock.is_none_or(|clock| clock.whole || first > 0);
        let mut measured = Measured::new(self.clock.as_ref(), shortened);
        let own = (chains - first).min(threads as u32 * self.options.lanes);
        let share = |count: u32| f64::from(count) / f64::from(chains);
        pace.window = (share(first), share(own));
        while !self.watch.stopped() {
            if !pace.step_all(&mut self.blocks, threads)? {
                return Ok(true);
            }
            let Some(clock) = &mut self.clock else { continue };
            if let Some(share) = measured.shorten(clock, &pace.units, &pace.at) {
                let shorter = |steps: u32| (share * f64::from(steps)).ceil() as u32;
                self.options.start_steps = shorter(self.options.start_steps);
                self.options.leapfrogs = shorter(self.options.leapfrogs);
                clock.whole = true;
                pace.units = units(self.options, &self.data);
                self.blocks = self.deal(first, chains, threads)?;
            }
        }
        Ok(false)
    }

    /// The blocks of a round into the network of all, which by the clock grows by them.
    fn gather(&mut self, first: u32) -> Result<(), Fault> {
        let own: u32 = self.blocks.len() as u32;
        let mut before = None;
        let mut whole = match self.clock {
            None => self.whole.take(),
            Some(_) => {
                before = self.whole.take();
                let chains = first + own * self.options.lanes;
                Some(Held::make(&BnnOptions { chains, ..*self.options }, self.data)?)
            }
        };
        if let Some(grown) = &mut whole {
            let parts = before.iter_mut().chain(&mut self.blocks);
            let parts = parts.map(Held::open).collect::<Result<Vec<_>, _>>()?;
            let all = parts.iter().map(Ok::<_, BnnError>);
            grown.open()?.join(all).map_err(at(FITTING))?;
        }
        self.whole = whole;
        Ok(())
    }
}

fn diagnose<T: Number>(drawn: &Bnn<'_, T>, fit: &mut Fit) -> Result<(), Fault> {
    let (finished, rows) = (drawn.finished(), drawn.traced_predictions());
    let traces = (0..rows).map(|k| drawn.prediction_trace(k));
    fit.mixing(traces, (drawn.chains(), drawn.options().draws))?;
    let luck = drawn.luck(&mut vec![T::ZERO; 2 * rows]);
    let accepted = (0..finished).map(|c| drawn.acceptance(c)).fold(T::ZERO, |sum, a| sum + a);
    fit.acceptance = (accepted / T::of_usize(finished)).to_f64();
    (fit.luck, fit.luck_median) = (luck.rms.to_f64(), luck.median.to_f64());
    (fit.divergences, fit.gradients) = (drawn.divergences(), drawn.gradients());
    fit.chains_dropped = drawn.chains_dropped();
    fit.chains_used = finished.saturating_sub(fit.chains_dropped);
    Ok(())
}

/// What the best of the ascents came to.
fn note_mode<T: Number>(drawn: &Bnn<'_, T>, fits: bool, fit: &mut Fit) {
    for (k, mode) in (0..).map_while(|k| drawn.mode(k)).enumerate() {
        // The core takes the best bound, or the highest mode.
        let better = match fits {
            true => mode.log_evidence.to_f64() > fit.log_evidence,
            false => mode.log_joint.to_f64() > fit.log_joint,
        };
        if k == 0 || better {
            fit.log_joint = mode.log_joint.to_f64();
            fit.error = mode.error.to_f64();
            fit.log_evidence = mode.log_evidence.to_f64();
            fit.distance = mode.distance_squared.to_f64().sqrt();
            fit.steps = mode.steps.to_f64();
        }
    }
}

/// Means over the chains, which have one temperature.
fn note_changes<T: Number>(drawn: &Bnn<'_, T>, options: &BnnOptions<T>, fit: &mut Fit) {
    fit.variance_limit = 1.0;
    if options.penalty != Penalty::Known {
        fit.variance_limit = (0.25 * f64::from(options.minibatches)).min(1.0);
    }
    for (k, one) in (0..drawn.chains()).map_while(|k| drawn.changes(k)).enumerate() {
        let count = k as f64 + 1.0;
        let mean = |mean: &mut f64, own: T| *mean += (own.to_f64() - *mean) / count;
        fit.tempered_at = one.temperature.to_f64();
        mean(&mut fit.steps, one.step);
        mean(&mut fit.variance, one.variance);
        mean(&mut fit.skewness, one.skewness);
        mean(&mut fit.kurtosis, one.kurtosis);
    }
}
