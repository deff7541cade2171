//! What a network's fit is asked to be, and the core's options that it comes to.

use crate::engine::{Number, in_precision};
use crate::fault::{Fault, at};
use crate::rows::Rows;
use crate::text::{general, real};
use lcc_core::estimator::bnn::Optimiser;
use lcc_core::estimator::{BnnMethod, BnnOptions};
use lcc_core::kernel::penalty::Penalty;
use lcc_core::network::{Output, Scales};

/// Options, what was said of them, and what a fit is run on.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Method, layers, activation, output and seed; all else once it is settled.
    pub options: BnnOptions<f64>,
    /// The layers, as given: A,B,...
    pub layers: String,
    /// The probability that a unit is left out, where it is given.
    pub dropout: Option<f64>,
    /// Numbers of members that are given, by their flags.
    pub counts: Vec<(&'static str, u32)>,
    /// Members of the core's options, as given: NAME=VALUE,...
    pub members: Option<String>,
    /// Of a Gaussian about a mode the networks of its draws, not the one linearised there.
    pub sampled: bool,
    /// Threads that were asked for.
    pub threads: Option<u32>,
    /// Threads where nobody asked.
    pub free_threads: u32,
    /// Double precision.
    pub double: bool,
}

/// Widths of up to four layers, as A,B,...; 0 alone is none.
pub fn widths(given: &str) -> Result<[u32; 4], Fault> {
    const WIDEST: f64 = 1e6;
    let wrong = |what: &str| Err(Fault::usage(format!("--layers takes {what}, not \"{given}\"")));
    let mut widths = [0; 4];
    for (k, text) in given.split(',').enumerate() {
        let Some(width) = widths.get_mut(k) else { return wrong("four layers at most") };
        let own = real(text).filter(|v| (0.0..=WIDEST).contains(v) && v.floor() == *v);
        match own.filter(|v| *v >= 1.0 || given == "0") {
            Some(value) => *width = value as u32,
            None => return wrong("up to four numbers of units, as 20 or 50,50, or 0"),
        }
    }
    Ok(widths)
}

/// The member that a flag gives.
fn count<'a, T>(o: &'a mut BnnOptions<T>, flag: &str) -> &'a mut u32 {
    match flag {
        "chains" => &mut o.chains,
        "warmup" => &mut o.warmup,
        "draws" => &mut o.draws,
        "keep" => &mut o.keep,
        "start" => &mut o.start_steps,
        "leapfrogs" => &mut o.leapfrogs,
        "batch" => &mut o.batch,
        "ascent" => &mut o.ascent_steps,
        _ => &mut o.categories,
    }
}

impl Settings {
    /// The flags whose numbers are members of the options.
    pub const COUNTS: [&'static str; 8] =
        ["chains", "warmup", "draws", "keep", "start", "leapfrogs", "batch", "ascent"];

    /// Those of a method where nobody says otherwise.
    pub fn of(method: BnnMethod) -> Self {
        let options = BnnOptions::<f64>::of(method, Output::StudentT, true);
        Self {
            layers: options.widths[0].to_string(),
            options,
            dropout: None,
            counts: Vec::new(),
            members: None,
            sampled: false,
            threads: None,
            free_threads: 1,
            // A curvature needs digits.
            double: method.climbs(),
        }
    }

    /// Gives such a number; the core chooses those that are not given.
    pub fn give(&mut self, flag: &'static str, n: u32) {
        *count(&mut self.options, flag) = n;
        self.counts.retain(|(own, _)| *own != flag);
        self.counts.push((flag, n));
    }

    /// Whether a member says which scales there are.
    pub(super) fn names_scales(&self) -> bool {
        self.members.iter().any(|m| m.split(',').any(|m| m.starts_with("scales=")))
    }

    /// Takes the known scales that short fits chose, as if they were named.
    pub(super) fn take_known_scales(&mut self) {
        let begin = self.members.take().map_or(String::new(), |m| m + ",");
        self.members = Some(begin + "scales=known");
    }

    /// What the fit is.
    pub fn method(&self) -> BnnMethod {
        self.options.method.value()
    }

    /// Whether the model is of the network linearised at the mode.
    pub fn linearises(&self) -> bool {
        !self.sampled && self.options.linearises()
    }

    /// Refuses members that the method or the output, which short fits may be about to choose, does not read.
    pub(crate) fn check_members(&self, open: bool) -> Result<(), Fault> {
        self.options::<f64>()?;
        let (method, output) = (self.method(), self.options.output.value());
        for member in self.members.iter().flat_map(|m| m.split(',')) {
            let (name, _) = member.split_once('=').unwrap_or_default();
            let other = match (method.reads(name), open || output.reads(name)) {
                (false, _) => format!("method {}", method.name()),
                (_, false) => format!("output {}", output.name()),
                _ => continue,
            };
            return Err(Fault::usage(format!("--network {name} is not of --{other}")));
        }
        Ok(())
    }

    /// Fills in what was left to the core, for these rows.
    pub fn settle(&mut self, rows: &Rows) -> Result<(), Fault> {
        let chains = in_precision!(self.double, T => {
            let options = self.options::<T>()?;
            let (keep, draws) = (options.keep, options.draws);
            if keep > draws {
                return Err(Fault::usage(format!("--keep {keep} is more than --draws {draws}")));
            }
            options.check().map_err(at("the network"))?;
            options.chains_for(rows.n, rows.d)
        });
        self.options = self.options()?;
        self.give("chains", chains);
        Ok(())
    }

    /// Everything that decides the draws, one line each: a checkpoint belongs to these. The rows count too.
    pub(super) fn describe(&self, rows: &Rows) -> String {
        let members = self.members.as_ref().map_or(String::new(), |m| format!("network {m}\n"));
        let (o, classes) =
            (&self.options, self.counts.iter().find(|(own, _)| *own == "categories"));
        format!(
            "command fit\nmethod {}\nprecision {}\nrows {} of {}, {:016x}\nlayers {}\nactivation {}\noutput {}\n\
             categories {}\nexposure {}\nchains {}\nstart {}\nbatch {}\nascent {}\ndropout {}\nwarmup {}\ndraws {}\n\
             keep {}\nleapfrogs {}\nseed {}\n{members}",
            self.method().name(),
            if self.double { "f64" } else { "f32" },
            rows.n,
            rows.d,
            rows.checksum(),
            self.layers,
            o.activation.value().name(),
            o.output.value().name(),
            classes.map_or(0, |(_, n)| *n),
            u8::from(o.exposure.on()),
            o.chains,
            o.start_steps,
            o.batch,
            o.ascent_steps,
            general(self.dropout.unwrap_or(0.0), 17),
            o.warmup,
            o.draws,
            o.keep,
            o.leapfrogs,
            o.seed,
        )
    }

    /// The options.
    pub(super) fn options<T: Number>(&self) -> Result<BnnOptions<T>, Fault> {
        let own = &self.options;
        let mut o = BnnOptions::<T>::of(self.method(), own.output.value(), own.widths[0] > 0);
        (o.widths, o.activation, o.exposure, o.seed) =
            (own.widths, own.activation, own.exposure, own.seed);
        o.dropout = self.dropout.map_or(o.dropout, T::lit);
        let every = o.keep == o.draws;
        self.counts.iter().for_each(|(flag, n)| *count(&mut o, flag) = *n);
        let kept = self.counts.iter().any(|(flag, _)| *flag == "keep");
        if !kept && (every || o.keep > o.draws) {
            o.keep = o.draws;
        }
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
    if let Some(own) = Optimiser::from_name(text).filter(|_| name == "optimiser") {
        o.optimiser = own.into();
        return Some(());
    }
    if let Some(own) = Penalty::from_name(text).filter(|_| name == "penalty") {
        o.penalty = own.into();
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
                "standardise" => o.standardise = whole(2.0)?,
                "reference" => o.reference = switch()?,
                "drop" => o.drop = switch()?,
                "halving" => o.halving = switch()?,
                "barker" => o.barker = switch()?,
                "full" => o.full = switch()?,
                "scales" => o.scales = Scales::from_code(whole(9.0)? as i32)?.into(),
                "penalty" => o.penalty = Penalty::from_code(whole(9.0)? as i32)?.into(),
                "optimiser" => o.optimiser = Optimiser::from_code(whole(9.0)? as i32)?.into(),
                "average" => o.average = switch()?,
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
