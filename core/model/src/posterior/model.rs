//! The draws of a joint posterior as a model with its columns.

use super::run::Run;
use crate::columns::{Columns, Wish};
use crate::engine::Number;
use crate::fault::{Fault, at};
use crate::rows::{Picked, Rows};
use crate::saved::attach;
use crate::study::{note_rhat, note_rows};
use lcc_core::posterior::Drawn;

/// Of the greedy posterior.
pub(super) fn alone() -> Fault {
    Fault::usage(
        "--model is of --posterior joint: one hidden unit against residuals predicts nothing",
    )
}

impl<T: Number> Run<'_, '_, T> {
    /// The networks of all draws, chain by chain, on the columns of these rows.
    pub(super) fn model(&mut self, rows: &Rows) -> Result<Vec<u8>, Fault> {
        let mut columns = Columns::learn(&Picked::all(&rows.table), rows.target, &Wish::default())?;
        columns.note = Some(self.note(rows));
        // Of antithetic pairs the draws of two chains go together.
        let chains = !self.pairs && !self.is_particles();
        columns.kept = if chains { self.out.draws as u32 } else { 0 };
        attach(&self.image()?, &columns)
    }

    fn image(&mut self) -> Result<Vec<u8>, Fault> {
        let problem = self.about.problem()?;
        let of = Drawn::of(problem.likelihood()).ok_or_else(alone)?;
        let [work, draw, units] = of.scratch();
        let mut work = vec![[T::ZERO]; work];
        let [mut draw, mut units] = [draw, units].map(|len| vec![T::ZERO; len]);
        self.whole.with_record(|r| {
            let size = of.image_size(r.chains * r.draws).map_err(at("the model"))?;
            let mut bytes = vec![0; size];
            let mut store = of.store(&mut bytes, &mut units).map_err(at("the model"))?;
            for (chain, t) in (0..r.chains).flat_map(|c| (0..r.draws).map(move |t| (c, t))) {
                of.draw(|j| r.at(j, chain, t), &mut work, &mut draw);
                store.push(&draw).map_err(at("the model"))?;
            }
            let length = store.seal().map_or(0, |image| image.len());
            bytes.truncate(length);
            Ok(bytes)
        })
    }

    /// How it came about: lines of what, a tab and a value.
    fn note(&self, rows: &Rows) -> String {
        let (s, out) = (self.s, &self.out);
        let c = &s.chains;
        let made = match self.is_particles() {
            true => format!("{} particles", out.draws),
            false => format!("{} chains of {} + {} draws", out.chains, c.warmup, out.draws),
        };
        let (units, sampler) = (s.posterior.units(), out.sampler);
        let (precision, seed) = (c.precision(), c.seed);
        let mut text = format!(
            "method\tjoint posterior of {units} units by {sampler}: {made}, {precision}, seed {seed}\n\
             trained on\t{}\n",
            note_rows(rows)
        );
        if !out.rhat_max.is_nan() {
            text += &format!("R-hat\t{}\n", note_rhat(out.rhat_max));
        }
        text + &format!("fitted by\tlcc {}\n", env!("CARGO_PKG_VERSION"))
    }
}
