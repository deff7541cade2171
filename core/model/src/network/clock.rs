//! A fit in the time that there is: chains are added, block by block, until there is no time for more; and where one block
//! alone takes too long, its start and trajectories are shortened.

use super::pace::Units;
use crate::engine::Progress;
use web_time::{Duration, Instant};

/// The time there is.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    /// When it ends.
    pub until: Instant,
    /// What follows the chains, in times of a block.
    pub later: f64,
    /// Trajectories and starts are not to be shortened for it.
    pub whole: bool,
}

impl Clock {
    /// So many seconds from now on.
    pub fn new(seconds: f64, later: f64, whole: bool) -> Self {
        Self { until: Instant::now() + Duration::from_secs_f64(seconds.max(0.0)), later, whole }
    }

    /// Whether there is time for another round as long as the last.
    pub(super) fn allows(&self, took: f64) -> bool {
        let more = Duration::from_secs_f64(took * (self.later + 1.0));
        Instant::now() + more <= self.until
    }
}

/// What the beginning of a block says of how long it takes. What the block would take is known from what follows the start,
/// of which a pass may take less, unless a quarter would be too long.
pub(super) struct Measured {
    began: Instant,
    left: f64,
    /// When what follows the start began, and after so many units.
    started: f64,
    from: u64,
    done: bool,
}

impl Measured {
    /// `done`: nothing is to be shortened.
    pub(super) fn new(clock: Option<&Clock>, done: bool) -> Self {
        let began = Instant::now();
        let left = clock.map_or(0.0, |c| c.until.saturating_duration_since(began).as_secs_f64());
        Self { began, left, started: 0.0, from: 0, done }
    }

    /// The share to which the work is to be shortened, if it is to begin again.
    pub(super) fn shorten(&mut self, clock: &Clock, units: &Units, at: &Progress) -> Option<f64> {
        const LEAST: f64 = 0.1;
        const LOOK: f64 = 0.08;
        if self.done {
            return None;
        }
        let took = self.began.elapsed().as_secs_f64();
        let whole = took * units.work(at.total) / units.work(at.done);
        let whole = if at.done <= units.quick
            && took > LOOK * self.left
            && 0.25 * whole * (clock.later + 1.0) > self.left
        {
            whole
        } else if at.done > units.quick && self.from == 0 {
            (self.from, self.started) = (at.done, took);
            return None;
        } else if at.done > self.from && self.from > 0 && took > LOOK * self.left {
            let share = (at.total - self.from) as f64 / (at.done - self.from) as f64;
            self.started + (took - self.started) * share
        } else {
            return None;
        };
        self.done = true;
        let left = clock.until.saturating_duration_since(Instant::now()).as_secs_f64();
        let share = left / (whole * (clock.later + 1.0));
        (share < 1.0).then_some((0.9 * share).max(LEAST))
    }
}
