//! What a model says of the fit that made it, all of it a function of the data and of what decides the draws; and what a
//! person should know of the training rows before a network takes them at their word.

use super::{Method, Request};
use crate::engine::Copied;
use crate::fault::Fault;
use crate::methods::GreedySettings;
use crate::network::Fit;
use crate::rows::Rows;
use crate::text::{general, short};
use crate::watch::Watch;
use lcc_core::remarks::{Found, Remark as Kind};

/// The method with its sizes, precision and seed.
pub fn note_method(r: &Request) -> String {
    let (s, o, l, name) = (&r.settings, &r.settings.options, &r.long, &r.method_name);
    let GreedySettings { levels, particles, update, .. } = &r.greedy;
    let text = match r.method {
        Method::Bnn if !s.method().samples() => {
            format!(
                "{name}: layers of {}; {} starts, {} draws of each",
                s.layers, o.chains, o.draws
            )
        }
        Method::Bnn => {
            let (layers, chains, warmup, draws) = (&s.layers, o.chains, o.warmup, o.draws);
            format!("{name}: layers of {layers}; {chains} chains of {warmup} + {draws} draws")
        }
        Method::Network => format!(
            "{name}: {} neurons, {} chains of {} + {} draws",
            l.neurons, l.chains, l.warmup, l.draws
        ),
        Method::Relaxed => format!("relaxed ({}): {levels} levels", update.name()),
        _ => format!("{name}: {levels} levels of {particles} particles"),
    };
    format!("{text}, {}, seed {}", r.precision(), r.seed())
}

/// The options that the size of the work, or the clock, has settled: with them the bytes are the same.
pub fn note_options(r: &Request) -> String {
    let o = &r.settings.options;
    let leapfrogs = match o.method.value().samples() {
        true => format!(" --leapfrogs {}", o.leapfrogs),
        false => String::new(),
    };
    format!("--chains {} --start {}{leapfrogs}", o.chains, o.start_steps)
}

/// Draws of each chain, side by side in the model; 0 where its draws are not of chains.
pub(super) fn kept(r: &Request, fit: &Fit) -> u32 {
    match r.method {
        _ if fit.interrupted => 0,
        Method::Network => r.long.keep.min(r.long.draws),
        Method::Bnn if r.settings.method().samples() => r.settings.options.keep,
        _ => 0,
    }
}

/// The rows that a model is of.
pub(crate) fn note_rows(train: &Rows) -> String {
    format!("{} rows of {} inputs, checksum {:016x}", train.n, train.d, train.checksum())
}

/// The largest R-hat of its chains.
pub(crate) fn note_rhat(rhat: f64) -> String {
    match rhat.is_finite() {
        true => format!("{rhat:.2} at most, of predictions"),
        false => "without bound: a prediction differs between chains and not within them".into(),
    }
}

/// Lines of what, a tab and a value.
pub fn note_lines(r: &Request, fit: &Fit, train: &Rows) -> String {
    let mut text = String::new();
    let mut line = |what: &str, value: String| text += &format!("{what}\t{value}\n");
    line("method", note_method(r));
    if r.is_bnn() {
        line("options", note_options(r));
        if let Some(members) = &r.settings.members {
            line("members", format!("--network {members}"));
        }
    }
    if fit.interrupted {
        line("stopped", "early: what was drawn until then".into());
    }
    line("trained on", note_rows(train));
    if let Some(name) = &r.weights {
        let total: f64 = train.weights.iter().sum();
        line("weights", format!("column {name}, {} in all", general(total, 6)));
    }
    if let Some(name) = &r.group {
        let count = train.groups.iter().max().map_or(0, |last| last + 1);
        line("groups", format!("{count} by {name}, each held out as a whole"));
    }
    if kept(r, fit) > 0 {
        let (used, dropped) = (fit.chains_used, fit.chains_dropped);
        let (accepted, divergent) = (fit.acceptance, fit.divergences);
        line(
            "chains",
            format!(
                "{used} used, {dropped} dropped, acceptance {accepted:.3}, {divergent} divergent draws"
            ),
        );
        if r.is_bnn() && !fit.luck.is_nan() {
            let [rms, median] = [fit.luck, fit.luck_median].map(|l| general(100.0 * l, 2));
            let what = "another seed would move a prediction by";
            line("luck", format!("{what} {rms} % of its uncertainty (median {median} %)"));
        }
        if !fit.rhat_max.is_nan() {
            line("R-hat", note_rhat(fit.rhat_max));
        }
    }
    if fit.gradients > 0 {
        line("gradients", fit.gradients.to_string());
    }
    line("fitted by", format!("lcc {}", env!("CARGO_PKG_VERSION")));
    text
}

const MOST: usize = 16;

/// One finding.
#[derive(Clone, Debug)]
pub struct Remark {
    /// The column that it is about.
    pub column: Option<String>,
    /// A value of it.
    pub value: f64,
    /// Rows that it is about.
    pub rows: u64,
    /// The sentence.
    pub said: &'static str,
}

/// Finds and says them; of rows that only follow those that trained, values that may be codes alone.
pub(super) fn remarks(
    train: &Rows,
    (real, exposed): (bool, bool),
    follows: bool,
    watch: &dyn Watch,
) -> Result<Vec<Remark>, Fault> {
    let copy = Copied::<f64>::of(train);
    let data = copy.data()?;
    let (mut scratch, mut all) = (vec![0.0; 2 * train.n], Vec::new());
    let tell = |found: Found<f64>| {
        // Where a cell that is there says one thing only, that it is missing says the other.
        let source = |behind: usize| train.source.get(found.column as usize + behind);
        let told = |kind: &Kind| {
            *kind == Kind::Constant && source(1).is_some_and(|next| Some(next) == source(0))
        };
        let wanted =
            |kind: &Kind| all.len() < MOST && (!follows || *kind == Kind::Far) && !told(kind);
        let Some(kind) = Kind::from_code(found.remark).filter(wanted) else { return };
        let (n, rows, value, said) = (train.n, found.rows, short(found.value), kind.name());
        let column = match kind {
            Kind::Wide | Kind::Few | Kind::Totals | Kind::Copies => None,
            _ => train.source.get(found.column as usize).copied().or(train.target),
        };
        let column = column.map(|c| train.table.names[c].clone());
        let name = column.as_deref().unwrap_or("");
        watch.say(&match kind {
            Kind::Wide => format!("there are {said} ({}, {n})", train.d),
            Kind::Few => format!("there are {said} ({n})"),
            Kind::Copies => format!("{rows} of {n} rows {said}"),
            Kind::Totals => {
                let row = train.origin.get(found.value as usize).copied().unwrap_or(0);
                format!("{} {said}", train.table.at_row(row))
            }
            Kind::Dates => format!("column {name} {said}"),
            Kind::Constant if found.value > 1.0 => {
                format!("column {name} {said}, and {} more such columns", found.value - 1.0)
            }
            Kind::Constant => format!("column {name} {said} (--drop {name})"),
            Kind::Same => format!("column {name} {said} ({rows} of {n})"),
            Kind::Repeated => format!("{name} {said} ({value} in {rows} of {n})"),
            Kind::Counts => format!("column {name} {said} (--drop {name})"),
            Kind::Far => {
                let of = if follows { format!("{}: ", train.table.path) } else { String::new() };
                format!("{of}column {name} {said} ({rows} of {n} rows, {value} the farthest)")
            }
        });
        all.push(Remark { column, value: found.value, rows, said });
    };
    lcc_core::remarks::remarks(&data, real, exposed, &mut scratch, tell);
    Ok(all)
}
