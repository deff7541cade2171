//! What `lcc fit` takes, and its flags as a request.

use crate::args::{
    Given, choice, command, delimiter, id, interval, json, named, options, seed, unknown,
};
use crate::files::refuse_read;
use crate::terminal::{Done, Stop, free_threads, refuse, usage};
use clap::Command;
use lcc_model::fault::Fault;
use lcc_model::lcc_core::activation::Activation;
use lcc_model::lcc_core::estimator::greedy_bayes::Form;
use lcc_model::lcc_core::estimator::prequential::Averaging;
use lcc_model::lcc_core::estimator::relaxed::RelaxedMethod;
use lcc_model::lcc_core::estimator::{BnnMethod, NetworkOptions};
use lcc_model::lcc_core::prior::PriorKind;
use lcc_model::methods::{Choice, GreedySettings, StreamSettings};
use lcc_model::network::{Settings, widths};
use lcc_model::study::{Held, Method, Others, Request};
use lcc_model::table::lists;
use lcc_model::text::{self, unsigned};

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
    other.ok_or_else(|| text::unknown("--method", name, method_names()))
}

/// Options that are not of all methods.
const BNN: &str = "layers network leapfrogs start ascent dropout batch checkpoint resume output exposure \
                   components no-calibration time sampled";
const LEVELS: &str = "levels scale outer as-printed";
const PARTICLES: &str = "particles prior alpha beta form either-sign choose-levels choose-outer";

/// Flags of members that not every method of the network reads.
const MEMBERS_BY_FLAG: [(&str, &str); 6] = [
    ("ascent", "ascent_steps"),
    ("dropout", "dropout"),
    ("leapfrogs", "leapfrogs"),
    ("warmup", "warmup"),
    ("draws", "draws"),
    ("keep", "keep"),
];

/// Refuses an option of another method, rather than to pass over it.
fn check_methods(given: &Given, name: &str, method: Method, own: BnnMethod) -> Done {
    use Method::{Bnn, Greedy, Network, Prequential, Relaxed};
    let laplace = matches!(own, BnnMethod::Laplace | BnnMethod::LaplaceDiagonal);
    let rules = [
        ("sampled", method == Bnn && laplace),
        (BNN, method == Bnn),
        ("neurons draws-csv", method == Network),
        ("chains warmup draws threads", matches!(method, Bnn | Network)),
        ("activation", method != Network),
        (LEVELS, matches!(method, Greedy | Prequential | Relaxed)),
        (PARTICLES, matches!(method, Greedy | Prequential)),
        ("no-refit holdout", method == Greedy),
        ("averaging", method == Prequential),
        ("update", method == Relaxed),
    ];
    let all = rules.iter().filter(|(_, fits)| !fits).flat_map(|(options, _)| options.split(' '));
    let keep = (method == Relaxed).then_some("keep");
    let unread =
        MEMBERS_BY_FLAG.into_iter().filter(|(_, member)| method == Bnn && !own.reads(member));
    let unread = unread.map(|(flag, _)| flag);
    match all.chain(keep).chain(unread).find(|option| given.has(option)) {
        Some(option) => Err(usage(format!("fit: --{option} is not of --method {name}"))),
        None => Ok(()),
    }
}

fn settings(given: &Given, own: BnnMethod, double: bool) -> Result<Settings, Stop> {
    let mut s = Settings {
        dropout: given.real("dropout"),
        members: given.owned("network"),
        sampled: given.on("sampled"),
        threads: given.count("threads"),
        free_threads: free_threads(),
        double,
        ..Settings::of(own)
    };
    if let Some(layers) = given.owned("layers") {
        s.options.widths = widths(&layers)?;
        s.layers = layers;
    }
    let usual = s.options.activation.value();
    s.options.activation = choice!(given, "activation", Activation, usual)?.into();
    s.options.seed = given.seed();
    for flag in Settings::COUNTS {
        if let Some(n) = given.count(flag) {
            s.give(flag, n);
        }
    }
    Ok(s)
}

fn long(given: &Given) -> NetworkOptions<f64> {
    let mut o = NetworkOptions::<f64>::default();
    o.neurons = given.count("neurons").unwrap_or(o.neurons);
    o.chains = given.count("chains").unwrap_or(o.chains);
    o.warmup = given.count("warmup").unwrap_or(o.warmup);
    o.draws = given.count("draws").unwrap_or(o.draws);
    o.keep = given.count("keep").unwrap_or(o.keep.min(o.draws));
    o
}

/// What the papers print stands where no flag says otherwise; their alpha and beta are known with the rows.
fn greedy(
    given: &Given,
    method: Method,
    double: bool,
) -> Result<(GreedySettings, Averaging), Stop> {
    let printed = given.on("as-printed") && method != Method::Relaxed;
    refuse! { "fit": printed && given.has("holdout") => "--as-printed holds no rows out: no --holdout"; }
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
            let most = if g.particles < 64 || g.as_printed { g.particles } else { 64 };
            g.keep = given.count("keep").unwrap_or(most);
            let (keep, particles) = (g.keep, g.particles);
            refuse! { "fit":
                !particles.is_multiple_of(8) => "--particles must be a multiple of 8";
                keep > particles => "--keep {keep} is more than --particles {particles}";
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
        let usual = Request::of(given.text("data").unwrap_or_default(), own);
        let precisions = [("f64", true), ("f32", false)];
        let double = named(given, "precision", &precisions, usual.is_double())?;
        let settings = settings(given, own, double)?;
        let (greedy, averaging) = greedy(given, method, double)?;
        let chosen = (given.text("choose-levels"), given.text("choose-outer"));
        let stream = usual.following;
        let request = Request {
            target: given.owned("target").unwrap_or_else(|| usual.target.clone()),
            folds: given.count("cv").unwrap_or(0) as usize,
            repeats: given.count("repeats").unwrap_or(1) as usize,
            curve: given.has("learning-curve"),
            stream: given.owned("stream"),
            following: StreamSettings {
                forgetting: given.real("forgetting").unwrap_or(stream.forgetting),
                draws: given.count("stream-draws").unwrap_or(stream.draws),
                seed: settings.options.seed,
            },
            categorical: given.owned("categorical"),
            exposure: given.owned("exposure"),
            weights: given.owned("weights"),
            output: given.owned("output"),
            order: given.owned("order"),
            components: given.count("components").unwrap_or(0),
            delimiter: given.owned("delimiter"),
            drop: given.owned("drop"),
            only: given.owned("only"),
            id: given.owned("id"),
            group: given.owned("group"),
            missing: super::super::predict::missing_of(given)?,
            unknown: super::super::predict::unknown_of(given)?,
            time: given.real("time"),
            whole: given.has("start") || given.has("leapfrogs"),
            precision_given: given.has("precision"),
            interval: given.real("interval").unwrap_or(usual.interval),
            no_calibration: given.on("no-calibration"),
            method_name: name.into(),
            method,
            long: long(given),
            choice: Choice::parse(chosen.0, chosen.1, &greedy)?,
            settings,
            greedy,
            averaging,
            others: Some(Others::ALL),
            ..usual
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
        lists(r.group.as_deref(), target) => "--group names the target \"{target}\"";
        has("stream-model") && !has("stream") => "--stream-model needs --stream B.csv";
        has("stream-draws") && !has("stream") => "--stream-draws needs --stream B.csv";
        has("forgetting") && !has("stream") => "--forgetting needs --stream B.csv";
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

const EXAMPLES: &str = "  \
lcc fit --data train.csv --model m.lcc
  lcc fit --data export.csv --target price --drop id,date --test-share .2
  lcc fit --data train.csv --id device,serial --predictions p.csv
  lcc fit --data train.csv --cv 5 --time 2m --json fit.json
  lcc fit --data claims.csv --exposure years --layers 0 --predictions -
";

const METHODS: &str = "\
bnn: the posterior of a network by many short chains; network: of one layer by a few long ones, as devices run it; greedy: \
the papers' Greedy Bayes; prequential: its online form, which predicts each row from those before it, in units of all \
rows' means and sds; relaxed: greedy least \
squares, the minimiser in place of the mean; or of bnn's network no chains, but: map, the mode, scales and noise by their \
evidence; maximum-likelihood (no hidden layer); laplace, a Gaussian about the mode; laplace-diagonal; last-layer, the \
output's weights given the rest at the mode; ensemble, ends of several starts; dropout, a network with units left out at \
random; variational, the Gaussian of the largest evidence bound without correlations, variational-full with all, \
variational-low-rank with some; backprop, Bayes by Backprop; or chains of part of the rows, on the posterior tempered at T = \
rows/batch: tempered, by all rows; batched, biased; sgld; penalty; or swag, Gaussians of the iterates of ascents by \
minibatches. Each says what distribution it aims at [bnn]";

const MEMBERS: &str = "\
members of lcc_bnn_options, by the names that lcc/f64.h explains: tail, noise, noise_shape, noise_rate, floor, size, \
input_scale, bias_scale, hidden_scale, outer_scale, linear_scale, intercept_sd, linear, scales (inputs, layers or known), standardise, reference, \
drop, drop_below, target_accept, jitter, first_step; of starts in place of Adam rate, delay; of map and maximum-likelihood \
optimiser (ascent or sgd, steps rate / (n (delay + t)^decay)), average; of variational and backprop \
rank, pairs, mixture, wide, narrow, halving, prune; of tempered, batched, sgld, penalty minibatches, penalty (estimated, series, known or controlled), barker, full, \
step, decay, delay; of swag rank, step";

const COUNT: (u32, u32) = (1, 1_000_000_000);
const ABOVE: (f64, f64) = (0.0, f64::INFINITY);

/// Its options, under headings.
pub(crate) fn options() -> Command {
    command("fit", "fits numbers, classes or counts", EXAMPLES).args(options! {
        text "data" "D.csv": "the rows";
        text "target" "NAME": "the target column [y]";
        text "method" "NAME": METHODS;
        text "output" "NAME": "what y is: regression, classes, counts; or student-t, gaussian, \
            mean-variance, mixture, log-normal, gamma, hurdle-log-normal, hurdle-gamma, bernoulli, \
            softmax, ordinal, poisson, negative-binomial. regression: short fits choose, of whole \
            numbers from 0 on counts too; a hurdle where many are 0, and none negative [guessed, \
            and said, from y]";
        text "order" "A,B,C": "the classes from the lowest to the highest, as --output ordinal needs of words";
        text "exposure" "NAME": "the column of a count's time, area or people at risk";
        text "weights" "NAME": "the column of the rows' weights, no input: a row of weight 2 counts as if it were there twice. Scores \
            of held-out rows count each once";
        count(1, 16) "components" "K": "of a mixture [2]";
        switch "no-calibration": "classes: the exact posterior predictive. Else at a temperature that two \
            halves of the rows ask for, each told by a shorter fit to the other";
        + seed();
        text "precision" "f32|f64": "[f32; f64 of methods that climb to a mode]";
        count(1, 1024) "threads" "N": "by blocks of 8 chains: the same bytes, N + 1 times the memory [all \
            cores on a terminal, or 1]";
        time "time": "as many chains as there is time for: 30s, 2m, 1h, or seconds; of --cv with the folds. \
            What takes longer than T for one block is shortened, in steps and leapfrogs. Says the options \
            that give the same bytes without it";
        switch "quiet": "no progress bar";
    })
    .next_help_heading("bnn, tempered, batched, sgld, penalty; and the methods from map to swag")
    .args(options! {
        text "layers" "A,B,...": "units of up to four hidden layers; 0: none, a linear model [20, map 40, \
            ensemble 16]";
        text "activation" "NAME": "see lcc --version [tanh, map relu]";
        count(1, 4096) "chains" "C": "chains, or starts [by the size of the work; network 4, ensemble 24, \
            dropout 1, others 4, without hidden layers 1]";
        count(0, 1_000_000_000) "warmup" "W": "trajectories before the draws of a chain count [40, chains \
            of part of the rows 25, network 500]";
        count(COUNT) "draws" "N": "draws of each chain [6, network 500], or of the Gaussian [100]";
        count(COUNT) "keep" "K": "draws that a chain keeps in the model [bnn 3, network 25], or in all \
            [others 64]";
        count(COUNT) "start" "S": "steps of a chain's optimisation [1000, of classes down to 100 where \
            few rows for each input are outside the most frequent one; ensemble of numbers 3000]";
        count(1, 1_000_000) "leapfrogs" "L": "steps of a trajectory [60, of chains of part of the \
            rows 240]";
        count(1, 4_000_000_000) "batch" "B": "rows of each step of the optimisation, at random, and of the \
            minibatches of tempered, batched, sgld, penalty, swag [all; bnn with 1000 rows or more a quarter, 250 to 500, four \
            steps for each of --start, of classes 500 and two; swag 32]";
        count(1, 1_000_000) "ascent" "N": "steps of the ascent to a mode at most, or of the fit by the \
            evidence bound, or all of swag [3000; 5000]";
        switch "sampled": "laplace, laplace-diagonal: predictions by the networks of the draws, in place of \
            the one linearised at the mode";
        real(0.0, 1.0) "dropout" "Q": "probability that a hidden unit is left out [.1]";
        text "checkpoint" "FILE": "saves the state while running; with threads, after each block of them";
        switch "resume": "goes on from the checkpoint";
        text "network" "NAME=VALUE,...": MEMBERS;
    })
    .next_help_heading("network")
    .args(options! { count(1, 1_000_000) "neurons" "M": "hidden units [20]"; })
    .next_help_heading("greedy, prequential, relaxed")
    .args(options! {
        count(1, 65535) "levels" "K": "hidden units that are fitted one after another [greedy 60, \
            prequential 16, relaxed 40]";
        count(8, 10_000_000) "particles" "N": "of each level, a multiple of 8 [256]";
        text "prior" "gaussian|l1": "of a hidden unit's weights [gaussian]";
        real(ABOVE) "scale" "S": "its sd, or the radius of the l1 ball [1, relaxed 5]";
        real(ABOVE) "outer" "V": "the dictionary is +-V psi [3, relaxed 5]";
        real(ABOVE) "alpha" "A": "tilt [greedy 1, prequential .3]";
        real(ABOVE) "beta" "B": "share that a level takes of the fit [greedy .05, prequential .1]";
        text "form" "quadratic|tilt": "with the square of the loss, or without [quadratic]";
        switch "as-printed": "as the papers print it: data not standardised, no bias, one alpha, all levels \
            at their shares, V = 1, alpha = beta = 1/sqrt(n), the tilt alone, every particle kept; of these \
            V, alpha, beta, form, keep and averaging (printed) may be given";
        text "update" "NAME": "relaxed: relaxed, frank-wolfe or orthogonal [relaxed]";
        switch "either-sign": "hidden units of either sign, for activations that are not odd";
        text "choose-levels" "K1,K2,...": "takes the levels and V under which the rows, each predicted one \
            step ahead, have the least description length";
        text "choose-outer" "V1,V2,...": "see --choose-levels";
        switch "no-refit": "greedy: levels keep their shares B (1 - B)^(K - k)";
        real(-1.0, 1.0) "holdout" "P": "greedy: share of the rows that choose the levels [.2]";
        text "averaging" "NAME": "prequential, the model: printed, the posteriors before each row; \
            inclusive, that after the last too; last, that alone [last]";
    })
    .next_help_heading("Results")
    .args(options! {
        text "model" "M.lcc": "the model";
        text "c-array" "M.h": "the model as C source";
        text "predictions" "P.csv": "mean,sd,lower,upper,y of the test rows; without, of the training rows \
            (prequential: each one step ahead). For classes: class, p_A,p_B,... of each, \
            entropy,mutual_information,y. Both: row, of its file from 1; extrapolates, how many inputs are \
            outside of the training data";
        text "plot" "P.svg": "the same as a plot; for classes how sure of them on these rows and on noise, \
            of a point fit and of the posterior";
        text "draws-csv" "PREFIX": "network: PREFIX_1.csv, ...: one file a chain, in CmdStan's format";
        text "log-lik" "L.csv": "log density of each training row under each draw kept";
        text "stream" "B.csv": "then, from what the training rows say of the heads, B row by row: predicts \
            it, then learns from it, where it has a target; the predictions and the plot are those, one step ahead";
        text "stream-model" "M.lcc": "the model after the last row (--model: before the first)";
        count(COUNT) "stream-draws" "K": "draws that learn, of those kept [64]";
        real(0.0, 1.000_000_1) "forgetting" "F": "what a row counts for after the next, to 1 [.98]";
        + interval();
        + json();
    })
    .next_help_heading("Data")
    .args(options! {
        text "missing" "refuse|mean|drop": "missing values, which are empty, ?, NA, N/A, NaN, null or an \
            error of a spreadsheet: refused by name; or the mean of their column and 1 in a column of their \
            own; or their rows are left out [refuse]";
        text "categorical" "A,B,...": "columns of words although they hold numbers. A column of words \
            becomes one of 0 and 1 for each category, sorted; one of two categories, one";
        + unknown();
        + delimiter();
        text "drop" "A,B,...": "columns that are left out, or";
        text "only" "A,B,...": "the only ones beside the target";
        + id();
        text "group" "A,B,...": "columns whose cells are the same for all rows of a group, as a person or a device; no inputs. \
            Rows of a group are held out together: by --cv, --test-share and the short fits";
    })
    .next_help_heading("Evaluation on held-out rows")
    .args(options! {
        text "test" "T.csv": "rows to evaluate on, their columns found by name; or";
        real(0.0, 1.0) "test-share" "P": "a share of D, by the seed; of classes each alike; or";
        text "split" "S.json:K": "which rows of D, from 0: \
            {\"splits\":[{\"test\":[0,7],\"train_500\":[1,2]},...]}; K counts from 0";
        switch "train-500": "trains on the split's subset \"train_500\"; or";
        count(2, 1000) "cv" "K": "K folds, each predicted by a fit to the others; then fits all rows";
        count(1, 1000) "repeats" "R": "of --cv: as often, by other folds [1]";
        text "learning-curve" "P.svg": "scores after 1/16, 1/8, ... of the training rows, parts of each \
            other by the seed: a table, of JSON too, and a plot; with one of --cv, --test-share, --split";
    })
}
