//! Mean, variance and Monte Carlo error of a quantity of every draw.

use super::held::Open;
use crate::engine::Number;
use lcc_core::diagnostics::{Draws, pair_means, scratch_len, summary};

/// One number of every draw, chain by chain.
pub(super) struct Series<T> {
    pub(super) values: Vec<T>,
    pub(super) chains: usize,
    pub(super) draws: usize,
}

/// What it comes to; NaN where there are too few draws to tell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Summed {
    pub(super) mean: f64,
    pub(super) variance: f64,
    /// The standard error of the mean.
    pub(super) error: f64,
    /// R-hat and the effective sample sizes of bulk and tails, of chains.
    pub(super) agreement: Option<[f64; 3]>,
}

impl<T: Number> Series<T> {
    fn draws(&self) -> Option<Draws<'_, T>> {
        Draws::chain_major(&self.values, self.chains, self.draws).ok()
    }

    fn scratch(&self) -> Vec<T> {
        vec![T::ZERO; scratch_len(self.chains, self.draws).unwrap_or(0).max(2 * self.values.len())]
    }

    /// `pairs`: chains 2 k and 2 k + 1 are antithetic, so that errors come from the means of pairs and agreement from one
    /// chain of each.
    pub(super) fn sum(&self, run: &mut Open<'_, T>, chains: bool, pairs: bool) -> Summed {
        let unknown =
            Summed { mean: f64::NAN, variance: f64::NAN, error: f64::NAN, agreement: None };
        let Some(draws) = self.draws() else { return unknown };
        let mut scratch = self.scratch();
        let average = match run {
            Open::Particles(own) => Some(own.average(&draws, &mut scratch)),
            Open::Chooser(own) => Some(own.average(&draws, &mut scratch)),
            _ => None,
        };
        let mut out = unknown;
        if let Some(average) = average {
            if let Some(a) = average {
                (out.mean, out.variance) = (a.mean.to_f64(), a.variance.to_f64());
                out.error = a.standard_error.to_f64();
            }
        } else if let Ok(s) = summary(&draws, &mut scratch) {
            (out.mean, out.variance) = (s.mean.to_f64(), (s.sd * s.sd).to_f64());
            out.error = s.mcse_mean.to_f64();
            if pairs {
                let mut means = vec![T::ZERO; self.values.len() / 2];
                let own = pair_means(&draws, &mut means).ok();
                let own = own.and_then(|means| summary(&means, &mut scratch).ok());
                out.error = own.map_or(f64::NAN, |s| s.mcse_mean.to_f64());
            }
        }
        if chains {
            let own = if pairs { draws.every(2) } else { Some(draws) };
            let own = own.and_then(|own| summary(&own, &mut scratch).ok());
            out.agreement =
                own.map(|s| [s.rhat.to_f64(), s.ess_bulk.to_f64(), s.ess_tail.to_f64()]);
        }
        out
    }
}
