//! What a network's fit is asked to be.

use crate::engine::in_precision;
use crate::fault::{Fault, at};
use crate::rows::Rows;
use crate::text::{general, real};
use lcc_core::activation::Activation;
use lcc_core::estimator::BnnMethod;
use lcc_core::network::Output;

/// 0, or `None`, where the core is to choose, until [`settle`](Self::settle).
#[derive(Clone, Debug)]
pub struct Settings {
    /// What the fit is.
    pub method: BnnMethod,
    /// The layers, as given: A,B,...
    pub layers: String,
    /// And their units.
    pub widths: [u32; 4],
    /// Members of the core's options, as given: NAME=VALUE,...
    pub members: Option<String>,
    /// Steps of a trajectory.
    pub leapfrogs: u32,
    /// Steps of the optimisation.
    pub start: u32,
    /// Steps of an ascent.
    pub ascent: u32,
    /// Rows of a step of the start; 0: all.
    pub batch: u32,
    /// Classes, or components of a mixture.
    pub categories: u32,
    /// Whether the last column is an exposure.
    pub exposure: bool,
    /// Of a Gaussian about a mode the networks of its draws, not the one linearised there.
    pub sampled: bool,
    /// The probability that a unit is left out.
    pub dropout: f64,
    /// What y is.
    pub output: Output,
    /// The activation.
    pub activation: Activation,
    /// Chains.
    pub chains: u32,
    /// Trajectories before draws count.
    pub warmup: Option<u32>,
    /// Draws of each chain.
    pub draws: u32,
    /// Draws that each keeps.
    pub keep: u32,
    /// Names the random numbers.
    pub seed: u64,
    /// Threads that were asked for.
    pub threads: Option<u32>,
    /// Threads where nobody asked.
    pub free_threads: u32,
    /// Double precision.
    pub double: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            method: BnnMethod::Hmc,
            layers: "20".into(),
            widths: [20, 0, 0, 0],
            members: None,
            leapfrogs: 0,
            start: 0,
            ascent: 0,
            batch: 0,
            categories: 0,
            exposure: false,
            sampled: false,
            dropout: 0.0,
            output: Output::StudentT,
            activation: Activation::Tanh,
            chains: 0,
            warmup: None,
            draws: 0,
            keep: 0,
            seed: 1,
            threads: None,
            free_threads: 1,
            double: false,
        }
    }
}

impl Settings {
    /// Widths of up to four layers; 0 alone is none.
    pub fn set_layers(&mut self, given: &str) -> Result<(), Fault> {
        const WIDEST: f64 = 1e6;
        let wrong =
            |what: &str| Err(Fault::usage(format!("--layers takes {what}, not \"{given}\"")));
        let mut widths = [0; 4];
        for (k, text) in given.split(',').enumerate() {
            let Some(width) = widths.get_mut(k) else { return wrong("four layers at most") };
            let own = real(text).filter(|v| (0.0..=WIDEST).contains(v) && v.floor() == *v);
            match own.filter(|v| *v >= 1.0 || given == "0") {
                Some(value) => *width = value as u32,
                None => return wrong("up to four numbers of units, as 20 or 50,50, or 0"),
            }
        }
        (self.layers, self.widths) = (given.into(), widths);
        Ok(())
    }

    /// Whether the model is of the network linearised at the mode.
    pub fn linearises(&self) -> bool {
        let spreads = matches!(self.method, BnnMethod::Laplace | BnnMethod::LaplaceDiagonal);
        !self.sampled && self.widths[0] > 0 && spreads
    }

    /// Fills in what was left to the core, for these rows.
    pub fn settle(&mut self, rows: &Rows) -> Result<(), Fault> {
        in_precision!(self.double, T => {
            let options = self.options::<T>()?;
            if options.keep > options.draws {
                let (keep, draws) = (options.keep, options.draws);
                return Err(Fault::usage(format!("--keep {keep} is more than --draws {draws}")));
            }
            options.check().map_err(at("the network"))?;
            self.chains = options.chains_for(rows.n, rows.d);
            self.start = options.start_steps;
            self.leapfrogs = options.leapfrogs;
            self.ascent = options.ascent_steps;
            self.warmup = Some(options.warmup);
            self.draws = options.draws;
            self.keep = options.keep;
        });
        Ok(())
    }

    /// Everything that decides the draws, one line each: a checkpoint belongs to these. The rows count too.
    pub(super) fn describe(&self, rows: &Rows) -> String {
        let members = self.members.as_ref().map_or(String::new(), |m| format!("network {m}\n"));
        format!(
            "command fit\nmethod {}\nprecision {}\nrows {} of {}, {:016x}\nlayers {}\nactivation {}\noutput {}\n\
             categories {}\nexposure {}\nchains {}\nstart {}\nbatch {}\nascent {}\ndropout {}\nwarmup {}\ndraws {}\n\
             keep {}\nleapfrogs {}\nseed {}\n{members}",
            self.method.name(),
            if self.double { "f64" } else { "f32" },
            rows.n,
            rows.d,
            rows.checksum(),
            self.layers,
            self.activation.name(),
            self.output.name(),
            self.categories,
            u8::from(self.exposure),
            self.chains,
            self.start,
            self.batch,
            self.ascent,
            general(self.dropout, 17),
            self.warmup.unwrap_or(0),
            self.draws,
            self.keep,
            self.leapfrogs,
            self.seed,
        )
    }
}
