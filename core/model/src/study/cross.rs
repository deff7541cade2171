//! A method evaluated on held-out rows: by folds, or by the one split that the request says.

use super::{Method, Request, Sources};
use crate::fault::Fault;
use crate::folds;
use crate::predict::predict;
use crate::random::order;
use crate::rows::Picked;
use crate::score::{Judgement, Summary};
use crate::target::{Kind, Target};
use crate::watch::{Part, Watch};
use web_time::Instant;

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
    if request.folds > rows.rows.len() {
        let (path, count) = (&rows.table.path, rows.rows.len());
        return Err(Fault::failed(format!("{path}: {folds} folds of {count} rows")));
    }
    let classes = (target.kind == Kind::Classes).then_some(sources.target);
    let all = (repeats * folds) as f64;
    for r in 0..repeats {
        let own = seed.wrapping_add(0x632b_e59b_d9b4_e019_u64.wrapping_mul(r as u64));
        let order = folds::dealt(rows, classes, own);
        for k in 0..folds {
            let (mut trains, tests) = match request.folds {
                0 => (rows.clone(), sources.tests.clone()),
                _ => {
                    let (trains, tests) = folds::cut(rows, &order, k, folds)?;
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
