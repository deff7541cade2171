//! One fit by the method of a request, and the method evaluated on held-out rows: by folds, or by the one split that the
//! request says.

use super::note::{kept, note_lines, remarks};
use super::{Learned, Method, Request, Sources};
use crate::fault::Fault;
use crate::methods::{Ahead, Followed, Last};
use crate::network::{Checkpoint, Clock, Fit, calibrate, choose_output, fit, pilot_share};
use crate::posterior::Drawn;
use crate::predict::predict;
use crate::rows::Picked;
use crate::saved::attach;
use crate::score::{Judgement, Summary};
use crate::splits;
use crate::splits::order;
use crate::target::{Kind, Target};
use crate::watch::{Part, Watch};
use lcc_core::estimator::BnnMethod;
use web_time::Instant;

/// Everything that a run came to.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The model, and how it was made. With its columns, once the run is over.
    pub fit: Fit,
    /// The model without them, as small as it may be.
    pub plain: Vec<u8>,
    /// Of greedy least squares.
    pub last: Option<Last>,
    /// Of the prequential form.
    pub ahead: Option<Ahead>,
    /// Of long chains, where it was asked for.
    pub chains: Vec<Drawn>,
    /// Rows that were followed.
    pub followed: Option<Followed>,
    /// Whether that was stopped.
    pub stream_stopped: bool,
    /// By folds.
    pub crossed: Judgement,
    /// After fewer training rows.
    pub curve: Option<Curve>,
}

impl Learned {
    /// Finds and says what a person should know of the training rows, once the target is settled.
    pub fn remark(&mut self, watch: &dyn Watch) -> Result<(), Fault> {
        // A target that is often 0 is no heap of one number where a hurdle takes it for what it is.
        let target = &self.target;
        let dense = target.kind == Kind::Numbers
            && !target.output.has_hurdle()
            && !target.output.is_counts();
        let how = (dense, self.columns.exposure);
        self.remarks = remarks(&self.train, how, false, watch)?;
        if let Some(stream) = &self.stream {
            remarks(&stream.some(&stream.known(stream.n)), how, true, watch)?;
        }
        Ok(())
    }
}

impl Request {
    /// Settles what the method leaves to the core and to the training rows: the noise of numbers, by short fits, where
    /// nobody said. Whether it was stopped.
    pub fn settle(&mut self, l: &mut Learned, watch: &dyn Watch) -> Result<bool, Fault> {
        if self.method != Method::Bnn {
            return Ok(false);
        }
        let open =
            self.settings.method() == BnnMethod::Hmc && l.target.open && self.stream.is_none();
        if open && choose_output(&mut self.settings, &l.train, &mut l.target, watch)? {
            return Ok(true);
        }
        self.settings.settle(&l.train)?;
        Ok(false)
    }

    /// Fits the training rows; the model is `None` where the run was stopped too early.
    pub fn run(
        &mut self,
        l: &Learned,
        seconds: Option<f64>,
        saving: Option<&mut Checkpoint>,
        watch: &dyn Watch,
    ) -> Result<Outcome, Fault> {
        let mut out = Outcome::default();
        let train = &l.train;
        match self.method {
            Method::Bnn => {
                let calibrates = l.target.kind == Kind::Classes && !self.no_calibration;
                let share = if calibrates { pilot_share(&self.settings) } else { 1.0 };
                let later = if calibrates { 2.0 } else { 0.0 };
                let clock = seconds.map(|s| Clock::new(s, later, self.whole));
                let (first, rest) = (Part::of(watch, 0.0, share), Part::of(watch, share, 1.0));
                let mut own = self.settings.clone();
                out.fit = fit(&mut own, train, clock, saving, &first)?;
                self.settings = own;
                if calibrates {
                    calibrate(&self.settings, train, &mut out.fit, &rest)?;
                }
            }
            _ => out = (self.other()?.fit)(self, l, watch)?,
        }
        Ok(out)
    }
}

/// Fits all rows, and folds, and follows the stream. By the clock the fit is first: it tells what chains the folds have
/// time for too. `None` where it was stopped before there was a model.
pub fn fit_and_judge(
    request: &mut Request,
    sources: &Sources,
    learned: &mut Learned,
    saving: Option<&mut Checkpoint>,
    watch: &dyn Watch,
) -> Result<Option<Outcome>, Fault> {
    const CHOICE: f64 = 0.1;
    const REPORT: f64 = 0.05;
    let open = request.method == Method::Bnn && learned.target.open && request.stream.is_none();
    let open = open && request.settings.method() == BnnMethod::Hmc;
    if request.method == Method::Bnn {
        request.settings.check_members(open)?;
    }
    let begins = if open { CHOICE } else { 0.0 };
    if request.settle(learned, &Part::of(watch, 0.0, begins))? {
        return Ok(None);
    }
    learned.remark(watch)?;
    let whole = Part::of(watch, begins, 1.0);
    // In the time of one fit of all rows: each of K folds trains on (K - 1)/K of them.
    let folds = request.folds as f64;
    let fits = if request.folds == 0 { 1.0 } else { (folds - 1.0) * request.repeats as f64 + 1.0 };
    let (mut crossed, mut curved) = (Judgement::default(), None);
    let mut stopped = false;
    let mut timed = None;
    if let Some(time) = request.time {
        let left = (1.0 - REPORT) * time - request.began.elapsed().as_secs_f64();
        let part = Part::of(&whole, 0.0, 1.0 / fits);
        let own = request.run(learned, Some(left.max(0.0) / fits), None, &part)?;
        stopped = own.fit.interrupted;
        timed = Some(own);
    }
    if request.folds > 0 && !stopped {
        let first = if timed.is_some() { 1.0 / fits } else { 0.0 };
        let part = Part::of(&whole, first, first + (fits - 1.0) / fits);
        stopped = cross(request, request.seed(), sources, &learned.target, &mut crossed, &part)?;
    }
    if request.curve && !stopped {
        let own = curve(request, sources, &learned.target, watch)?;
        stopped = own.is_none();
        curved = own;
    }
    if stopped && (request.folds > 0 || request.curve) {
        return Ok(None);
    }
    let mut out = match timed {
        Some(own) => own,
        None => {
            let part = Part::of(&whole, (fits - 1.0) / fits, 1.0);
            request.run(learned, None, saving, &part)?
        }
    };
    (out.crossed, out.curve) = (crossed, curved);
    let Some(model) = out.fit.model.take() else { return Ok(None) };
    if let Some(rows) = learned.stream.as_ref().filter(|_| !out.fit.interrupted) {
        let mut following = request.following;
        following.seed = request.seed();
        let follow = request.other()?.follow;
        let run = follow(&following, &model, &learned.train, rows, request.interval, watch)?;
        out.stream_stopped = run.interrupted;
        out.followed = Some(run).filter(|run| run.before.n > 0);
    }
    let mut columns = learned.columns.clone();
    if let Some(run) = &mut out.followed {
        run.model = attach(&run.model, &columns)?;
    }
    columns.kept = kept(request, &out.fit);
    columns.note = Some(note_lines(request, &out.fit, &learned.train));
    out.fit.model = Some(attach(&model, &columns)?);
    out.plain = model;
    Ok(Some(out))
}

/// Scores after fewer and fewer of the training rows, the last of all of them.
pub(super) const POINTS: usize = 5;

/// Of each point the rows that trained and the scores; the last is filled in with those of the fit.
#[derive(Clone, Debug, Default)]
pub struct Curve {
    /// From the fewest on.
    pub points: Vec<(usize, Summary)>,
}

/// Leaves a share of the training rows: the first of each class, which the classes are known from, then those that come
/// first by the seed, so that smaller shares are parts of larger ones. In the order of the file.
fn thin(trains: &mut Picked, classes: Option<usize>, share: f64, seed: u64) {
    let count = trains.rows.len();
    let due = (share * count as f64).ceil() as usize;
    let mut stays = vec![false; count];
    if let Some(column) = classes {
        let mut seen = std::collections::HashSet::new();
        for (i, row) in trains.rows.iter().enumerate() {
            stays[i] = seen.insert(trains.table.cell(*row, column).to_string());
        }
    }
    let mut kept = stays.iter().filter(|s| **s).count();
    for i in order(seed, count) {
        if kept >= due {
            break;
        }
        kept += usize::from(!stays[i]);
        stays[i] = true;
    }
    let mut stays = stays.into_iter();
    trains.rows.retain(|_| stays.next().unwrap_or(false));
}

/// One fit and what it says of the test rows. Whether it was stopped.
fn part(
    request: &Request,
    own: &Sources,
    target: &Target,
    j: &mut Judgement,
    watch: &dyn Watch,
) -> Result<bool, Fault> {
    let began = Instant::now();
    let mut request = Request { stream: None, ..request.clone() };
    // Categories that only test rows have are no reason to stop.
    let learned = own.learn(&mut request, Some(target), watch)?;
    j.trained = learned.train.n;
    let out = request.run(&learned, None, None, watch)?;
    let (Some(model), Some(test)) = (out.fit.model.filter(|_| !out.fit.interrupted), &learned.test)
    else {
        return Ok(true);
    };
    let p = predict(&model, test, request.interval)?;
    j.seconds += began.elapsed().as_secs_f64();
    j.add(&p, &learned.train, test, target, learned.columns.exposure);
    Ok(false)
}

/// Fits each part of the rows and predicts the rest: as many as folds and repeats say, or the one that is held out. The
/// request is that of a fit of all rows, settled; `seed` is that of the folds. Whether it was stopped.
pub fn cross(
    request: &Request,
    seed: u64,
    sources: &Sources,
    target: &Target,
    j: &mut Judgement,
    watch: &dyn Watch,
) -> Result<bool, Fault> {
    let (repeats, folds) = (request.repeats.max(1), request.folds.max(1));
    let rows = &sources.trains;
    let classes = (target.kind == Kind::Classes).then_some(sources.target);
    let all = (repeats * folds) as f64;
    for r in 0..repeats {
        let own = seed.wrapping_add(0x632b_e59b_d9b4_e019_u64.wrapping_mul(r as u64));
        let order = splits::dealt(rows, classes, own);
        if request.folds > order.len() {
            let (path, count) = (&rows.table.path, order.len());
            let what = if request.group.is_some() { "groups" } else { "rows" };
            return Err(Fault::failed(format!("{path}: {folds} folds of {count} {what}")));
        }
        for k in 0..folds {
            let (mut trains, tests) = match request.folds {
                0 => (rows.clone(), sources.tests.clone()),
                _ => {
                    let (trains, tests) = splits::cut(rows, &order, k, folds)?;
                    (trains, Some(tests))
                }
            };
            if request.trained_share < 1.0 {
                thin(&mut trains, classes, request.trained_share, seed);
            }
            let done = (r * folds + k) as f64;
            let watch = Part::of(watch, done / all, (done + 1.0) / all);
            let own = Sources { trains, tests, stream: None, target: sources.target };
            if part(request, &own, target, j, &watch)? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// The scores after fewer training rows, but of all: by folds, or on the test rows. `None` where it was stopped.
pub fn curve(
    request: &Request,
    sources: &Sources,
    target: &Target,
    watch: &dyn Watch,
) -> Result<Option<Curve>, Fault> {
    const FEWEST: f64 = 20.0;
    let mut request = request.clone();
    let count = sources.trains.rows.len() as f64;
    let least = (FEWEST / count).clamp(1.0 / 16.0, 0.5);
    let mut curve = Curve::default();
    for k in 0..POINTS - 1 {
        request.trained_share = least.powf(1.0 - k as f64 / (POINTS - 1) as f64);
        let mut j = Judgement::default();
        if cross(&request, request.seed(), sources, target, &mut j, watch)? {
            return Ok(None);
        }
        curve.points.push((j.trained, j.summary(0)));
    }
    Ok(Some(curve))
}

impl Request {
    /// Whether it is of the network of any depth.
    pub fn is_bnn(&self) -> bool {
        self.method == Method::Bnn
    }
}
