//! The flags of `lcc fit` as a request.

use crate::args::{Given, choice, named};
use crate::files::refuse_read;
use crate::terminal::{Done, Stop, free_threads, refuse, usage};
use lcc_model::fault::Fault;
use lcc_model::lcc_core::activation::Activation;
use lcc_model::lcc_core::estimator::greedy_bayes::Form;
use lcc_model::lcc_core::estimator::prequential::Averaging;
use lcc_model::lcc_core::estimator::relaxed::RelaxedMethod;
use lcc_model::lcc_core::estimator::{BnnMethod, BnnOptions};
use lcc_model::lcc_core::network::Output;
use lcc_model::lcc_core::prior::PriorKind;
use lcc_model::methods::{Choice, GreedySettings, LongSettings, StreamSettings};
use lcc_model::network::{Settings, widths};
use lcc_model::study::{Held, Method, Request};
use lcc_model::table::lists;
use lcc_model::text::unknown;
use lcc_model::text::unsigned;
use std::time::Instant;

/// What is asked of the study, and of the command beside it.
pub(crate) struct Asked {
    pub(crate) request: Request,
    pub(crate) quiet: bool,
    pub(crate) checkpoint: Option<String>,
    pub(crate) resume: bool,
}

const OTHERS: [(&str, Method); 4] = [
    ("network", Method::Network),
    ("greedy", Method::Greedy),
    ("prequential", Method::Prequential),
    ("relaxed", Method::Relaxed),
];

/// Every method of `lcc fit`: bnn, those that are not of its network, and those that are.
pub(crate) fn method_names() -> impl Iterator<Item = &'static str> {
    let own = BnnMethod::ALL.into_iter().map(BnnMethod::name);
    let others = OTHERS.into_iter().map(|(name, _)| name);
    own.clone().take(1).chain(others).chain(own.skip(1))
}

fn method_of(name: &str) -> Result<(Method, BnnMethod), Fault> {
    if let Some(own) = BnnMethod::from_name(name) {
        return Ok((Method::Bnn, own));
    }
    let other = OTHERS.into_iter().find(|(own, _)| *own == name);
    let other = other.map(|(_, method)| (method, BnnMethod::Hmc));
    other.ok_or_else(|| unknown("--method", name, method_names()))
}

/// Options that are not of all methods.
const BNN: [&str; 15] = [
    "layers",
    "network",
    "leapfrogs",
    "start",
    "ascent",
    "dropout",
    "batch",
    "checkpoint",
    "resume",
    "output",
    "exposure",
    "components",
    "no-calibration",
    "time",
    "sampled",
];
const LEVELS: [&str; 4] = ["levels", "scale", "outer", "as-printed"];
const PARTICLES: [&str; 8] =
    ["particles", "prior", "alpha", "beta", "form", "either-sign", "choose-levels", "choose-outer"];

/// Refuses an option of another method, rather than to pass over it.
fn check_methods(given: &Given, name: &str, method: Method, own: BnnMethod) -> Done {
    use Method::{Bnn, Greedy, Network, Prequential, Relaxed};
    let chains = method == Bnn && !own.walks() && own != BnnMethod::Hmc;
    let points = method == Bnn && own.is_point();
    let laplace = matches!(own, BnnMethod::Laplace | BnnMethod::LaplaceDiagonal);
    let climbs = method == Bnn && own.climbs();
    let rules: [(&[&str], bool); 14] = [
        (&["sampled"], method == Bnn && laplace),
        (&["ascent"], climbs),
        (&["dropout"], method == Bnn && own == BnnMethod::Dropout),
        (&["leapfrogs", "warmup"], !chains),
        (&["draws", "keep"], !points),
        (&BNN, method == Bnn),
        (&["neurons", "draws-csv"], method == Network),
        (&["chains", "warmup", "draws", "threads"], matches!(method, Bnn | Network)),
        (&["activation"], method != Network),
        (&LEVELS, matches!(method, Greedy | Prequential | Relaxed)),
        (&PARTICLES, matches!(method, Greedy | Prequential)),
        (&["no-refit", "holdout"], method == Greedy),
        (&["averaging"], method == Prequential),
        (&["update"], method == Relaxed),
    ];
    let all = rules.iter().filter(|(_, fits)| !fits).flat_map(|(options, _)| options.iter());
    let keep = (method == Relaxed).then_some(&"keep");
    match all.chain(keep).find(|option| given.has(option)) {
        Some(option) => Err(usage(format!("fit: --{option} is not of --method {name}"))),
        None => Ok(()),
    }
}

fn settings(given: &Given, own: BnnMethod, double: bool) -> Result<Settings, Stop> {
    let mut options = BnnOptions::<f64>::of(own, Output::StudentT, true);
    let layers = given.owned("layers").unwrap_or_else(|| options.widths[0].to_string());
    options.widths = widths(&layers)?;
    options.activation =
        choice!(given, "activation", Activation, options.activation.value())?.into();
    options.seed = given.seed();
    let mut s = Settings {
        options,
        layers,
        dropout: given.real("dropout"),
        members: given.owned("network"),
        sampled: given.on("sampled"),
        threads: given.count("threads"),
        free_threads: free_threads(),
        double,
        ..Settings::default()
    };
    for flag in Settings::COUNTS {
        if let Some(n) = given.count(flag) {
            s.give(flag, n);
        }
    }
    Ok(s)
}

fn long(given: &Given, s: &Settings) -> LongSettings {
    let draws = given.count("draws").unwrap_or(500);
    LongSettings {
        neurons: given.count("neurons").unwrap_or(20),
        chains: given.count("chains").unwrap_or(4),
        warmup: given.count("warmup").unwrap_or(500),
        draws,
        keep: given.count("keep").unwrap_or(25.min(draws)),
        seed: s.options.seed,
        threads: s.threads,
        free_threads: s.free_threads,
        double: s.double,
    }
}

/// What the papers print stands where no flag says otherwise; their alpha and beta are known with the rows.
fn greedy(
    given: &Given,
    method: Method,
    double: bool,
) -> Result<(GreedySettings, Averaging), Stop> {
    let printed = given.on("as-printed") && method != Method::Relaxed;
    if printed && given.has("holdout") {
        return Err(usage("fit: --as-printed holds no rows out: no --holdout"));
    }
    let usual = GreedySettings::default();
    let (form, averaged) = match printed {
        true => (Form::Tilt, Averaging::Printed),
        false => (Form::Quadratic, Averaging::Last),
    };
    let mut g = GreedySettings {
        levels: given.count("levels").unwrap_or(0),
        particles: given.count("particles").unwrap_or(usual.particles),
        seed: given.seed(),
        activation: choice!(given, "activation", Activation, usual.activation)?,
        prior: choice!(given, "prior", PriorKind, usual.prior)?,
        scale: given.real("scale").unwrap_or(0.0),
        form: choice!(given, "form", Form, form)?,
        outer: given.real("outer").unwrap_or(if printed { 1.0 } else { 0.0 }),
        alpha: given.real("alpha").unwrap_or(0.0),
        beta: given.real("beta").unwrap_or(0.0),
        holdout: if printed { 0.0 } else { given.real("holdout").unwrap_or(usual.holdout) },
        either_sign: given.on("either-sign"),
        no_refit: printed || given.on("no-refit"),
        as_printed: given.on("as-printed"),
        update: choice!(given, "update", RelaxedMethod, usual.update)?,
        double,
        ..usual
    };
    let averaging = choice!(given, "averaging", Averaging, averaged)?;
    match method {
        Method::Relaxed => {
            g.keep = 1;
            g.complete_relaxed();
        }
        Method::Greedy | Method::Prequential => {
            if !g.particles.is_multiple_of(8) {
                return Err(usage("fit: --particles must be a multiple of 8"));
            }
            let most = if g.particles < 64 || g.as_printed { g.particles } else { 64 };
            g.keep = given.count("keep").unwrap_or(most);
            if g.keep > g.particles {
                let (keep, particles) = (g.keep, g.particles);
                let what = format!("fit: --keep {keep} is more than --particles {particles}");
                return Err(usage(what));
            }
            g.complete(method == Method::Prequential);
        }
        _ => {}
    }
    Ok((g, averaging))
}

/// "FILE:K", split at its last colon.
pub(crate) fn reference(text: &str) -> Result<(String, usize), Stop> {
    let own = text.rsplit_once(':').filter(|(file, _)| !file.is_empty());
    let own = own.and_then(|(file, k)| Some((file.to_string(), unsigned(k)? as usize)));
    own.ok_or_else(|| usage(format!("--split takes FILE.json:K with K from 0, not \"{text}\"")))
}

impl Asked {
    /// The flags as given, and defaults where not.
    pub(crate) fn read(given: &Given) -> Result<Self, Stop> {
        Self::of(given, given.text("method").unwrap_or("bnn"))
    }

    /// The same by a method that is named elsewhere.
    pub(crate) fn of(given: &Given, name: &str) -> Result<Self, Stop> {
        let (method, own) = method_of(name)?;
        check_methods(given, name, method, own)?;
        // A curvature needs digits.
        let usual = method == Method::Bnn && own.climbs();
        let double = named(given, "precision", &[("f64", true), ("f32", false)], usual)?;
        let settings = settings(given, own, double)?;
        let (greedy, averaging) = greedy(given, method, double)?;
        let chosen = (given.text("choose-levels"), given.text("choose-outer"));
        let stream = StreamSettings::default();
        let request = Request {
            data: given.owned("data").unwrap_or_default(),
            target: given.owned("target").unwrap_or_else(|| "y".into()),
            held: Held::None,
            folds: given.count("cv").unwrap_or(0) as usize,
            repeats: given.count("repeats").unwrap_or(1) as usize,
            trained_share: 1.0,
            curve: given.has("learning-curve"),
            stream: given.owned("stream"),
            following: StreamSettings {
                forgetting: given.real("forgetting").unwrap_or(stream.forgetting),
                draws: given.count("stream-draws").unwrap_or(stream.draws),
                seed: settings.options.seed,
            },
            categorical: given.owned("categorical"),
            exposure: given.owned("exposure"),
            output: given.owned("output"),
            components: given.count("components").unwrap_or(0),
            delimiter: given.owned("delimiter"),
            drop: given.owned("drop"),
            only: given.owned("only"),
            id: given.owned("id"),
            missing: super::super::predict::missing_of(given)?,
            unknown: super::super::predict::unknown_of(given)?,
            time: given.real("time"),
            began: Instant::now(),
            whole: given.has("start") || given.has("leapfrogs"),
            precision_given: given.has("precision"),
            interval: given.real("interval").unwrap_or(0.9),
            no_calibration: given.on("no-calibration"),
            method_name: name.into(),
            method,
            long: long(given, &settings),
            choice: Choice::parse(chosen.0, chosen.1, &greedy)?,
            settings,
            greedy,
            averaging,
            traced: false,
        };
        let mut asked = Self {
            request,
            quiet: given.on("quiet"),
            checkpoint: given.owned("checkpoint"),
            resume: given.on("resume"),
        };
        check(given, &asked)?;
        asked.request.held = held(given)?;
        if let Some(path) = &asked.checkpoint {
            refuse_read(path, &asked.reads())?;
        }
        Ok(asked)
    }

    /// The files that are read.
    pub(crate) fn reads(&self) -> Vec<&str> {
        let held = match &self.request.held {
            Held::File(path) | Held::Split(path, ..) => Some(path.as_str()),
            _ => None,
        };
        let all = [Some(self.request.data.as_str()), held, self.request.stream.as_deref()];
        all.into_iter().flatten().collect()
    }
}

fn held(given: &Given) -> Result<Held, Stop> {
    if let Some(path) = given.owned("test") {
        return Ok(Held::File(path));
    }
    if let Some(text) = given.text("split") {
        let (file, k) = reference(text)?;
        return Ok(Held::Split(file, k, given.on("train-500")));
    }
    Ok(given.real("test-share").map_or(Held::None, Held::Share))
}

/// Flags that do not go together.
fn check(given: &Given, asked: &Asked) -> Done {
    let (r, has) = (&asked.request, |name: &str| given.has(name));
    let held = ["test", "split", "test-share", "cv"].iter().filter(|n| has(n)).count();
    let curved = has("split") || has("test-share") || has("cv");
    let (keep, draws) =
        (given.count("keep").unwrap_or(0), given.count("draws").unwrap_or(u32::MAX));
    let (chains, target) = (matches!(r.method, Method::Bnn | Method::Network), &r.target);
    refuse! { "fit":
        !has("data") => "--data is missing";
        held > 1 => "either --test or --split, --test-share or --cv";
        r.curve && !curved =>
            "--learning-curve needs rows of D that do not train: --cv, --test-share or --split";
        has("time") && has("learning-curve") => "either --time or --learning-curve";
        has("drop") && has("only") => "either --drop or --only";
        has("repeats") && !has("cv") => "--repeats needs --cv K";
        lists(r.drop.as_deref(), target) => "--drop names the target \"{target}\"";
        has("stream-model") && !has("stream") => "--stream-model needs --stream B.csv";
        r.following.forgetting > 1.0 => "--forgetting must lie in (0, 1]";
        given.on("train-500") && !has("split") => "--train-500 needs --split S.json:K";
        asked.resume && asked.checkpoint.is_none() => "--resume needs --checkpoint FILE";
        has("time") && has("chains") => "either --time, which says how many chains there are, or --chains";
        has("time") && has("checkpoint") =>
            "either --time, which says how many chains there are, or --checkpoint";
        chains && keep > draws => "--keep {keep} is more than --draws {draws}";
    }
    Ok(())
}
