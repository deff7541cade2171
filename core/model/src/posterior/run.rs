//! The work of a run: on one thread or several, with checkpoints.

use super::held::{Held, Open};
use super::model::alone;
use super::sampled::Sampled;
use super::settings::About;
use super::settings::{Form, SampleSettings, Sampler, Wanted};
use crate::engine::{Copied, Number, Steps, in_precision};
use crate::fault::{Fault, at};
use crate::network::{Checkpoint, Pace, least, level, threads_for};
use crate::rows::Rows;
use crate::watch::Watch;
use lcc_core::cloud::Cloud;
use lcc_core::sampler::{Reference, SamplerError, SamplerOptions};

const BLOCKS: &str = "the blocks of chains";

/// A run: what samples, and while several threads run chains the blocks of them.
pub(super) struct Run<'a, 'd, T> {
    pub(super) s: &'a SampleSettings,
    pub(super) about: About<'d, T>,
    pub(super) whole: Held<'d, T>,
    blocks: Vec<Held<'d, T>>,
    threads: usize,
    /// Chains 2 k and 2 k + 1 are antithetic.
    pub(super) pairs: bool,
    pub(super) resumed: Option<String>,
    watch: &'a dyn Watch,
    pub(super) out: Sampled,
}

/// Draws. `None` where the run was stopped before it had any.
pub fn sample(
    s: &SampleSettings,
    rows: &Rows,
    queries: &Rows,
    wanted: Wanted,
    mut saving: Option<&mut Checkpoint>,
    watch: &dyn Watch,
) -> Result<Option<Sampled>, Fault> {
    if wanted.model && s.posterior.form != Form::Joint {
        return Err(alone());
    }
    if let Some(own) = saving.as_deref_mut() {
        own.settings = s.describe(rows);
    }
    in_precision!(s.chains.double, T => {
        let (copy, asked) = (Copied::<T>::of(rows), Copied::<T>::of(queries));
        let about = About { posterior: s.posterior, data: copy.data()? };
        let Some(mut run) = open(s, about, saving.as_deref(), watch)? else { return Ok(None) };
        run.advance(saving)?;
        if run.out.draws == 0 && run.out.interrupted {
            watch.say("stopped during warm-up: there are no draws to report");
            return Ok(None);
        }
        run.report(&asked.inputs()?, wanted)?;
        run.out.compare_online(&s.posterior, s.chains.seed, rows)?;
        if wanted.model {
            run.out.model = Some(run.model(rows)?);
        }
        Ok(Some(run.out))
    })
}

/// A short run of particles from beginning to end; `None` where it was stopped.
fn pilot<'d, T: Number>(
    s: &SampleSettings,
    about: About<'d, T>,
    out: &mut Sampled,
    watch: &dyn Watch,
) -> Result<Option<Held<'d, T>>, Fault> {
    let mut pilot = Held::particles(about, &s.smc_options(), &[])?;
    pilot.doing = "smc";
    let mut pace = Pace::new(watch);
    let done = pace.drive(&mut pilot, |_| Ok(()))?;
    (out.seconds_warmup, out.gradients) = (pace.seconds, pace.at.gradients);
    if !done {
        watch.say("stopped during the short run of smc: there are no draws to report");
    }
    Ok(done.then_some(pilot))
}

/// The temperatures of tempering: those given, or those at which a short run of particles stops.
fn temperatures<T: Number>(
    s: &SampleSettings,
    about: About<'_, T>,
    out: &mut Sampled,
    watch: &dyn Watch,
) -> Result<Option<Vec<T>>, Fault> {
    let given: Vec<T> = s.ladder.given.iter().map(|t| T::lit(*t)).collect();
    if !given.is_empty() {
        return Ok(Some(given));
    }
    let Some(mut pilot) = pilot(s, about, out, watch)? else { return Ok(None) };
    let Open::Particles(own) = pilot.open()? else { return Ok(None) };
    let stages = own.position().stages as usize;
    Ok(Some((0..stages).map_while(|k| own.stage(k)).map(|stage| stage.temperature).collect()))
}

/// The run at its beginning, or where its checkpoint left it.
fn open<'a, 'd, T: Number>(
    s: &'a SampleSettings,
    about: About<'d, T>,
    saving: Option<&Checkpoint>,
    watch: &'a dyn Watch,
) -> Result<Option<Run<'a, 'd, T>>, Fault> {
    let mut out = Sampled::new(s, T::DIGITS);
    let options = s.sampler_options::<T>();
    let mut about_pilot = None;
    let whole = match s.chains.sampler {
        Sampler::Smc => {
            let given: Vec<T> = s.ladder.given.iter().map(|t| T::lit(*t)).collect();
            Held::particles(about, &s.smc_options(), &given)?
        }
        Sampler::Tempering => {
            let Some(ladder) = temperatures(s, about, &mut out, watch)? else { return Ok(None) };
            Held::tempered(about, &s.tempering_options(ladder.len()), &ladder)?
        }
        Sampler::Auto => Held::chooser(about, &s.chains.chooser(2 * s.chains.chains), "auto")?,
        // A reference is fitted to the particles of a short run, which is made again where a run is resumed: its cost is
        // reported.
        Sampler::Chains(_) if s.reference != Reference::Prior => {
            let Some(mut pilot) = pilot(s, about, &mut out, watch)? else { return Ok(None) };
            let whole = with_cloud(&mut pilot, |cloud| {
                Held::chains(about, &options, Some(cloud), "the sampler")
            })?;
            about_pilot = Some(pilot);
            whole
        }
        Sampler::Chains(_) => Held::chains(about, &options, None, "the sampler")?,
    };
    let (pairs, blocks, threads) = (s.antithetic, Vec::new(), 1);
    let mut run = Run { s, about, whole, blocks, threads, pairs, resumed: None, watch, out };
    if let Some(saving) = saving.filter(|own| own.resume) {
        run.whole.resume(&saving.path, &saving.load()?)?;
        run.resumed = Some(saving.path.clone());
    }
    if let Sampler::Chains(_) = s.chains.sampler {
        match &mut about_pilot {
            Some(pilot) => with_cloud(pilot, |cloud| run.cut(&options, Some(cloud)))?,
            None => run.cut(&options, None)?,
        }
    }
    Ok(Some(run))
}

/// Calls with the particles of a run that is over.
fn with_cloud<T: Number, R>(
    pilot: &mut Held<'_, T>,
    call: impl FnOnce(&Cloud<'_, T>) -> Result<R, Fault>,
) -> Result<R, Fault> {
    let Open::Particles(own) = pilot.open()? else { return Err(Fault::failed("smc")) };
    let cloud = own.cloud().ok_or_else(|| Fault::failed("smc: the particles are not there yet"))?;
    call(&cloud)
}

impl<'d, T: Number> Run<'_, 'd, T> {
    /// Cuts the chains, wherever they stand, into a block for each thread or more.
    fn cut(
        &mut self,
        options: &SamplerOptions<T>,
        cloud: Option<&Cloud<'_, T>>,
    ) -> Result<(), Fault> {
        let (s, lanes) = (self.s, options.lanes);
        let threads = threads_for(options.chains, lanes, s.threads, s.free_threads, self.watch);
        if threads < 2 {
            return Ok(());
        }
        self.threads = threads;
        let mut running = true;
        for first_chain in (0..options.chains).step_by(lanes as usize) {
            let chains = (options.chains - first_chain).min(lanes);
            let own = SamplerOptions { chains, first_chain, ..*options };
            let mut block = Held::chains(self.about, &own, cloud, "a block of chains")?;
            loop {
                let whole = self.whole.as_chains().map_err(at(BLOCKS))?;
                let mut part = block.as_chains().map_err(at(BLOCKS))?;
                match part.join([&whole].into_iter().map(Ok::<_, SamplerError>)) {
                    // A checkpoint may have been taken inside an iteration: on to its end.
                    Err(SamplerError::Parts) if running => running = self.whole.step(1)?,
                    other => break other.map_err(at(BLOCKS))?,
                }
            }
            self.blocks.push(block);
        }
        Ok(())
    }

    /// All chains at the end of one iteration, in the sampler of all.
    fn gather(&mut self) -> Result<(), Fault> {
        if self.blocks.is_empty() {
            return Ok(());
        }
        level(&mut self.blocks, self.threads)?;
        let parts = self.blocks.iter_mut().map(Held::as_chains).collect::<Result<Vec<_>, _>>();
        let parts = parts.map_err(at(BLOCKS))?;
        let mut whole = self.whole.as_chains().map_err(at(BLOCKS))?;
        whole.join(parts.iter().map(Ok::<_, SamplerError>)).map_err(at(BLOCKS))
    }

    /// Works to the end, or until it is stopped.
    fn advance(&mut self, mut saving: Option<&mut Checkpoint>) -> Result<(), Fault> {
        let (mut pace, watch) = (Pace::new(self.watch), self.watch);
        if self.blocks.is_empty() {
            pace.drive(&mut self.whole, |whole| {
                Checkpoint::save_due(saving.as_deref_mut(), || whole.sealed(), watch)
            })?;
        } else {
            pace.at = least(&mut self.blocks)?;
            while !watch.stopped() && pace.step_all(&mut self.blocks, self.threads)? {
                if saving.as_deref().is_some_and(Checkpoint::is_due) && !watch.stopped() {
                    self.gather()?;
                    self.save(saving.as_deref_mut())?;
                }
            }
            self.gather()?;
            self.blocks.clear();
        }
        let at = self.whole.progress()?;
        self.save(saving)?;
        let out = &mut self.out;
        out.seconds_warmup += pace.warmup;
        out.seconds_sampling = pace.seconds - pace.warmup;
        out.gradients += at.gradients;
        out.interrupted = at.done < at.total;
        out.draws = self.whole.made()?;
        Ok(())
    }

    fn save(&self, saving: Option<&mut Checkpoint>) -> Result<(), Fault> {
        if let Some(own) = saving {
            own.save(&self.whole.sealed()?, self.watch);
        }
        Ok(())
    }
}
