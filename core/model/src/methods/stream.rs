//! Following a stream row by row from a fitted model: each is predicted, then learnt from.

use crate::engine::{Copied, Memory, Number, in_precision, written};
use crate::fault::{Fault, at};
use crate::predict::{Predictions, predict};
use crate::rows::Rows;
use crate::saved::image;
use crate::score::{Evaluation, evaluate};
use crate::watch::Watch;
use lcc_core::simd::Isa;
use lcc_core::stream::{StreamLearner, StreamOptions};
use web_time::Instant;

const DOING: &str = "the stream";

/// How it is followed.
#[derive(Clone, Copy, Debug)]
pub struct StreamSettings {
    /// What a row counts for after the next.
    pub forgetting: f64,
    /// At most so many of the model's draws.
    pub draws: u32,
    /// Of the model that is left.
    pub seed: u64,
}

impl Default for StreamSettings {
    fn default() -> Self {
        let o = StreamOptions::<f64>::default();
        Self { forgetting: o.forgetting, draws: o.draws, seed: 1 }
    }
}

/// What it came to.
#[derive(Clone, Debug, Default)]
pub struct Followed {
    /// Of each row, before its target was known.
    pub before: Predictions,
    /// Scores of those; no CRPS.
    pub scores: Evaluation,
    /// Of the model as it was fitted, on the same rows.
    pub frozen: Evaluation,
    /// Draws that learn.
    pub draws: usize,
    /// Bytes of the learner.
    pub state: usize,
    /// Of the rows, predictions included.
    pub seconds: f64,
    /// As it is after the last row.
    pub model: Vec<u8>,
    /// Whether it was stopped.
    pub interrupted: bool,
}

/// Predicts each row, then learns from it where it has a target; first from those that trained.
pub fn follow(
    s: &StreamSettings,
    model: &[u8],
    trained: &Rows,
    rows: &Rows,
    level: f64,
    watch: &dyn Watch,
) -> Result<Followed, Fault> {
    let double = image(model)?.precision() == 64;
    let mut run =
        in_precision!(double, T => follow_in::<T>(s, model, trained, rows, level, watch)?);
    let known = rows.known(run.before.n);
    if !known.is_empty() {
        let seen = rows.some(&known);
        run.scores = evaluate(&run.before.some(&known), seen.targets());
        run.frozen = evaluate(&predict(model, &seen, level)?, seen.targets());
    }
    Ok(run)
}

fn follow_in<T: Number>(
    s: &StreamSettings,
    model: &[u8],
    trained: &Rows,
    rows: &Rows,
    level: f64,
    watch: &dyn Watch,
) -> Result<Followed, Fault> {
    let image = image(model)?;
    let options = StreamOptions::<T> {
        forgetting: T::lit(s.forgetting),
        noise_forgetting: T::lit(s.forgetting),
        draws: s.draws,
        ..StreamOptions::default()
    };
    let size = StreamLearner::size(&options, &image).map_err(at(DOING))?;
    let mut memory = Memory::new(size);
    let made = StreamLearner::init(memory.bytes(), &options, Isa::detect(), &image);
    let mut learner = made.map_err(at(DOING))?;
    // What the training rows say of the heads, in place of a prior about the draws that is wide enough for any drift.
    let own = Copied::<T>::of(trained);
    for i in 0..trained.n {
        learner.observe(own.row(i), own.y()[i]).map_err(at(DOING))?;
    }
    let own = Copied::<T>::of(rows);
    let before = Predictions { digits: T::DIGITS, level, ..Predictions::default() };
    let mut run = Followed { before, state: size, ..Followed::default() };
    let began = Instant::now();
    for i in 0..rows.n {
        if watch.stopped() {
            run.interrupted = true;
            break;
        }
        let refuse = |e| at(&format!("{DOING}, row {}", rows.origin[i] + 1))(e);
        let said = learner.predict(own.row(i), T::lit(level)).map_err(refuse)?;
        let y = own.y()[i];
        let open = rows.targets()[i].is_nan();
        let score = (!open).then(|| learner.observe(own.row(i), y).map_err(refuse)).transpose()?;
        let p = &mut run.before;
        p.mean.push(said.mean.to_f64());
        p.sd.push(said.sd.to_f64());
        p.lower.push(said.lower.to_f64());
        p.upper.push(said.upper.to_f64());
        p.log_density.push(score.map_or(f64::NAN, |score| score.log_density.to_f64()));
        p.n += 1;
        watch.progress((i + 1) as f64 / rows.n as f64, "stream");
    }
    run.seconds = began.elapsed().as_secs_f64();
    run.draws = learner.draws();
    let (bytes, values) = learner.model_size().map_err(at(DOING))?;
    let mut scratch = vec![T::ZERO; values];
    let seed = Some(s.seed);
    run.model = written(Ok(bytes), |image| learner.write_model(seed, image, &mut scratch))?;
    Ok(run)
}
