//! Work in pieces of some 50 ms, so that progress is seen and a stop is heard, on one thread or on several. How a run is cut
//! into pieces changes no bit of it.

use crate::engine::{Progress, Steps};
use crate::fault::Fault;
use crate::text::plural;
use crate::watch::Watch;
use std::thread;
use web_time::Instant;

/// Where units of work take different times: of each `cycle` of them the first `quick` take 1, the rest `slow`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Units {
    pub(super) cycle: u64,
    pub(super) quick: u64,
    pub(super) slow: f64,
}

impl Units {
    /// What so many units take.
    pub(super) fn work(&self, units: u64) -> f64 {
        if self.cycle == 0 {
            return units as f64;
        }
        let (whole, rest) = ((units / self.cycle) as f64, units % self.cycle);
        let quick = rest.min(self.quick);
        let each = self.quick as f64 + self.slow * (self.cycle - self.quick) as f64;
        whole * each + quick as f64 + self.slow * (rest - quick) as f64
    }
}

/// The pieces of a run.
pub(crate) struct Pace<'a> {
    watch: &'a dyn Watch,
    budget: u64,
    /// That the pieces took.
    pub(crate) seconds: f64,
    /// Of them those of pieces that began in the warm-up.
    pub(crate) warmup: f64,
    /// Where the run is.
    pub(crate) at: Progress,
    pub(super) units: Units,
    /// What was done of all before it, and its own share.
    pub(super) window: (f64, f64),
    started: Instant,
    /// Where it ends by the clock.
    pub(super) until: Option<Instant>,
}

impl<'a> Pace<'a> {
    pub(crate) fn new(watch: &'a dyn Watch) -> Self {
        Self {
            watch,
            budget: 1 << 16,
            seconds: 0.0,
            warmup: 0.0,
            at: Progress::default(),
            units: Units::default(),
            window: (0.0, 1.0),
            started: Instant::now(),
            until: None,
        }
    }

    /// One piece of work, of a budget; what it came to, and where the run then is.
    pub(crate) fn piece(
        &mut self,
        work: impl FnOnce(u64) -> Result<(bool, Progress), Fault>,
    ) -> Result<bool, Fault> {
        let began = Instant::now();
        let (running, at) = work(self.budget)?;
        let seconds = began.elapsed().as_secs_f64();
        self.seconds += seconds;
        self.warmup += if self.at.warming { seconds } else { 0.0 };
        self.at = at;
        if seconds < 0.02 && self.budget < u64::MAX / 4 {
            self.budget *= 2;
        } else if seconds > 0.1 && self.budget > 1024 {
            self.budget /= 2;
        }
        self.show();
        Ok(running)
    }

    /// One piece of every block; whether any has more to do.
    pub(crate) fn step_all<S: Steps>(
        &mut self,
        blocks: &mut [S],
        threads: usize,
    ) -> Result<bool, Fault> {
        self.piece(|budget| {
            let running = step_all(blocks, threads, |block| block.step(budget))?;
            Ok((running, least(blocks)?))
        })
    }

    fn show(&self) {
        if let Some(until) = self.until {
            let whole = until.saturating_duration_since(self.started).as_secs_f64();
            self.watch.progress(self.started.elapsed().as_secs_f64() / whole, "fitting");
        } else if self.at.total > 0 {
            let share = self.units.work(self.at.done) / self.units.work(self.at.total);
            let (from, width) = self.window;
            let what = if self.at.warming { "warm-up" } else { "sampling" };
            self.watch.progress(from + width * share, what);
        }
    }

    /// Steps one object until all is done or the run is stopped; after each piece `save`. Whether it is done.
    pub(crate) fn drive<S: Steps>(
        &mut self,
        object: &mut S,
        mut save: impl FnMut(&S) -> Result<(), Fault>,
    ) -> Result<bool, Fault> {
        self.at = object.progress()?;
        while !self.watch.stopped() {
            let running = self.piece(|budget| Ok((object.step(budget)?, object.progress()?)))?;
            if !running {
                return Ok(true);
            }
            if !self.watch.stopped() {
                save(object)?;
            }
        }
        Ok(false)
    }
}

/// Where the block is that is least far.
pub(crate) fn least<S: Steps>(blocks: &mut [S]) -> Result<Progress, Fault> {
    let all = blocks.iter_mut().map(Steps::progress).collect::<Result<Vec<_>, _>>()?;
    Ok(all.into_iter().min_by_key(|p| p.done).unwrap_or_default())
}

/// To the end of the iteration that the block stands in that is furthest: a budget of 1 is one unit, never past that end.
pub(crate) fn level<S: Steps>(blocks: &mut [S], threads: usize) -> Result<(), Fault> {
    let all = blocks.iter_mut().map(Steps::progress).collect::<Result<Vec<_>, _>>()?;
    let level = all.iter().map(|p| p.done).max().unwrap_or(0) + 1;
    step_all(blocks, threads, |block| {
        while block.progress()?.done < level && block.step(1)? {}
        Ok(false)
    })?;
    Ok(())
}

/// Of the threads that were asked for as many as there is work for; says where it is fewer.
pub(crate) fn threads_for(
    chains: u32,
    lanes: u32,
    asked: Option<u32>,
    free: u32,
    watch: &dyn Watch,
) -> usize {
    let (blocks, threads) = (chains.div_ceil(lanes.max(1)), asked.unwrap_or(free).max(1));
    if asked.is_some_and(|asked| asked > blocks) {
        watch.say(&format!(
            "{chains} chains, {lanes} to a thread at least, are work for {blocks} of {threads} thread{}",
            plural(threads as usize)
        ));
    }
    threads.min(blocks) as usize
}

/// One piece of work of every block, thread t having blocks t, t + threads, ...; whether any has more to do.
fn step_all<S: Steps>(
    blocks: &mut [S],
    threads: usize,
    work: impl Fn(&mut S) -> Result<bool, Fault> + Sync,
) -> Result<bool, Fault> {
    let mut shares: Vec<Vec<&mut S>> = (0..threads.max(1)).map(|_| Vec::new()).collect();
    let count = shares.len();
    blocks.iter_mut().enumerate().for_each(|(k, block)| shares[k % count].push(block));
    let of = |share: Vec<&mut S>| {
        share.into_iter().try_fold(false, |running, block| Ok(running | work(block)?))
    };
    if count == 1 {
        return shares.into_iter().try_fold(false, |running, own| Ok(running | of(own)?));
    }
    thread::scope(|scope| {
        let of = &of;
        let own: Vec<_> = shares.into_iter().map(|s| scope.spawn(move || of(s))).collect();
        own.into_iter().try_fold(false, |running, handle| {
            let done = handle.join().unwrap_or_else(|_| Err(Fault::failed("a thread failed")));
            Ok(running | done?)
        })
    })
}
