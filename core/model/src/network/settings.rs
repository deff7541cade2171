//! What a network's fit is asked to be, and the core's options that it comes to.

use crate::engine::{Number, in_precision};
use crate::fault::{Fault, at};
use crate::rows::Rows;
use crate::text::{general, real};
use lcc_core::activation::Activation;
use lcc_core::estimator::{BnnMethod, BnnOptions};
use lcc_core::kernel::penalty::Penalty;
use lcc_core::network::{Output, Scales};

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

impl Settings {
    /// The options.
    pub(super) fn options<T: Number>(&self) -> Result<BnnOptions<T>, Fault> {
        let mut o = BnnOptions::<T>::of(self.method, self.output, self.widths[0] > 0);
        let or = |own: u32, usual: u32| if own == 0 { usual } else { own };
        o.widths = self.widths;
        o.activation = self.activation.into();
        o.categories = or(self.categories, o.categories);
        o.exposure = self.exposure.into();
        o.chains = self.chains;
        o.start_steps = or(self.start, o.start_steps);
        o.batch = self.batch;
        o.warmup = self.warmup.unwrap_or(o.warmup);
        o.ascent_steps = or(self.ascent, o.ascent_steps);
        o.dropout = if self.dropout > 0.0 { T::lit(self.dropout) } else { o.dropout };
        if self.draws > 0 {
            let all = o.keep == o.draws || o.keep > self.draws;
            o.keep = if all { self.draws } else { o.keep };
            o.draws = self.draws;
        }
        o.keep = or(self.keep, o.keep);
        o.leapfrogs = or(self.leapfrogs, o.leapfrogs);
        o.seed = self.seed;
        for member in self.members.iter().flat_map(|m| m.split(',')) {
            let known = member.split_once('=').and_then(|(name, value)| set(&mut o, name, value));
            if known.is_none() {
                return Err(Fault::usage(format!(
                    "--network takes NAME=VALUE,... of lcc_bnn_options, as tail=4,input_scale=.5, not \"{member}\""
                )));
            }
        }
        Ok(o)
    }
}

/// Sets the member of that name; `None` where there is none, or the value is not one of its kind.
fn set<T: Number>(o: &mut BnnOptions<T>, name: &str, text: &str) -> Option<()> {
    if let Some(own) = Scales::from_name(text).filter(|_| name == "scales") {
        o.scales = own.into();
        return Some(());
    }
    let value = real(text).filter(|v| v.is_finite())?;
    let whole = |most: f64| {
        let fits = value >= 0.0 && value <= most && value.floor() == value;
        fits.then_some(value as u32)
    };
    let switch = || whole(1.0).map(|v| (v == 1).into());
    macro_rules! reals {
        ($($member:ident)+) => {
            match name {
                $(stringify!($member) => o.$member = T::lit(value),)+
                "linear" => o.linear = switch()?,
                "standardise" => o.standardise = switch()?,
                "reference" => o.reference = switch()?,
                "drop" => o.drop = switch()?,
                "halving" => o.halving = switch()?,
                "barker" => o.barker = switch()?,
                "full" => o.full = switch()?,
                "scales" => o.scales = Scales::from_code(whole(9.0)? as i32)?.into(),
                "penalty" => o.penalty = Penalty::from_code(whole(9.0)? as i32)?.into(),
                "rank" => o.rank = whole(64.0)?,
                "pairs" => o.pairs = whole(9999.0)?,
                "minibatches" => o.minibatches = whole(9999.0)?,
                _ => return None,
            }
        };
    }
    reals! {
        drop_below target_accept jitter first_step noise tail noise_shape noise_rate floor size input_scale
        bias_scale hidden_scale outer_scale linear_scale intercept_sd mixture wide narrow prune rate delay step decay
    }
    Some(())
}
