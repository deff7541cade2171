//! `lcc compare`: methods on the same rows, one table.

use super::fit::{self, Asked};
use crate::args::{Given, command, text};
use crate::draw::{Curve, Line, curves, scores};
use crate::files::Outputs;
use crate::json::{Json, members};
use crate::terminal::{Done, Person, Stop, out, outln, refuse, usage};
use clap::Command;
use lcc_model::lcc_core::estimator::BnnMethod;
use lcc_model::predict::predict;
use lcc_model::rows::Rows;
use lcc_model::score::{Judgement, Summary};
use lcc_model::study::{Held, Learned, Request, Sources, cross};
use lcc_model::target::Kind;
use lcc_model::text::{general, short};
use lcc_model::watch::{Silent, Watch};

const MOST_METHODS: usize = 24;
const DIGITS: usize = 6;
/// Points of a curve, the most rows drawn, and how far it goes beyond the range of the input.
const GRID: usize = 161;
const POINTS: usize = 1000;
const MARGIN: f64 = 0.15;
/// What a fit writes, and what does not go with several.
const NOT_OURS: &str = "method model c-array predictions draws-csv log-lik stream stream-model test checkpoint \
                        resume time learning-curve plot";

/// Its options: its own, and those of a fit.
pub(crate) fn options() -> Command {
    let examples = "  lcc compare --data train.csv --methods bnn,map,ensemble --plot methods.svg\n";
    let fit = fit::options();
    let own = ["json", "plot"];
    let shared = fit.get_arguments().filter(|a| !own.contains(&a.get_id().as_str())).cloned();
    let hidden = |id: &str| NOT_OURS.split(' ').any(|own| own == id);
    let shared = shared.map(|a| {
        let hide = hidden(a.get_id().as_str());
        a.hide(hide)
    });
    command("compare", "methods on the same rows, one table", examples)
        .arg(text("methods", "A,B,...", "of lcc fit; each predicts the same rows [bnn,map,ensemble]"))
        .arg(text("plot", "P.svg", "scores with their standard errors"))
        .arg(text("curves", "C.svg", "of one input: a panel a method, fitted to the training rows, of its predictive mean and 2 sd on either side"))
        .arg(crate::args::json())
        .args(shared)
        .long_about(
            "Rows are those of --test-share P, --split S.json:K or --cv K [share .25]; the options are those of lcc fit that \
             all these methods have. The log score is the mean log predictive density (of classes log probability) of \
             held-out rows, larger is better; behind is how far it is behind the best, with the standard error of that \
             difference over rows: some two of them decide. Luck is the seed sensitivity, by a second fit: predictions in \
             percent of their uncertainty, probabilities of classes in percent.",
        )
}

/// One method, by the first seed and, for the luck, by a second.
struct Contender {
    name: String,
    first: Judgement,
    second: Judgement,
    curve: Option<Curve>,
}

/// A line of the table: a method or a baseline.
struct Compared {
    name: String,
    baseline: bool,
    scores: Summary,
    behind: (f64, f64),
    /// Share of intervals that cover; of classes, the calibration error.
    spread: f64,
    seconds: f64,
    luck: f64,
}

/// The flags of a fit by this method, which writes nothing.
fn asked_of(given: &Given, name: &str) -> Result<Asked, Stop> {
    if NOT_OURS.split(' ').any(|option| option != "plot" && given.has(option)) {
        return Err(usage(
            "compare: writes no models, predictions, draws or checkpoints, takes its tests from --data, and no --time or \
             --learning-curve; methods are those of --methods",
        ));
    }
    let mut asked = Asked::of(given, name)?;
    if matches!(asked.request.held, Held::None) && asked.request.folds == 0 {
        asked.request.held = Held::Share(0.25);
    }
    Ok(asked)
}

/// What a method fitted to all training rows predicts over the range of its input. `None` where it was stopped.
fn curve_of(
    request: &Request,
    l: &Learned,
    name: &str,
    watch: &dyn Watch,
) -> Result<Option<Curve>, Stop> {
    let classes = l.target.kind == Kind::Classes;
    let train = &l.train;
    if train.d != 1 || classes {
        let (d, also) = (train.d, if classes { ", and classes" } else { "" });
        return Err(usage(format!(
            "compare: --curves is of one input and a target that is a number: here are {d} inputs{also}; --only takes one"
        )));
    }
    let ends =
        train.x.iter().fold((f64::INFINITY, -f64::INFINITY), |(l, h), x| (l.min(*x), h.max(*x)));
    let share = |i: usize| (1.0 + 2.0 * MARGIN) * i as f64 / (GRID - 1) as f64 - MARGIN;
    let grid: Vec<f64> = (0..GRID).map(|i| ends.0 + share(i) * (ends.1 - ends.0)).collect();
    let out = request.clone().run(l, None, None, watch)?;
    let Some(model) = out.fit.model.filter(|_| !out.fit.interrupted) else { return Ok(None) };
    let some = train.spread(POINTS);
    let rows = Rows { n: GRID, x: grid.clone(), y: None, origin: vec![0; GRID], ..some.clone() };
    let p = predict(&model, &rows, request.interval)?;
    Ok(Some(Curve { name: name.into(), rows: some, grid, p }))
}

/// Evaluates one method by two seeds on the rows of all. `None` where it was stopped.
fn evaluate(
    mut request: Request,
    sources: &Sources,
    name: &str,
    (draws, first): (bool, bool),
    watch: &dyn Watch,
) -> Result<Option<Contender>, Stop> {
    let seed = request.seed();
    let whole = Sources { tests: None, ..sources.clone() };
    // The rows are those of all methods: what there is to say of them is said once.
    let said: &dyn Watch = if first { watch } else { &Silent };
    let mut learned = whole.learn(&mut request, None, said)?;
    if request.settle(&mut learned, watch)? {
        return Ok(None);
    }
    learned.remark(said)?;
    let mut curve = None;
    if draws {
        curve = curve_of(&request, &learned, name, watch)?;
        if curve.is_none() {
            return Ok(None);
        }
    }
    let mut own = Contender {
        name: name.into(),
        first: Judgement::keeping(),
        second: Judgement::keeping(),
        curve,
    };
    if cross(&request, seed, sources, &learned.target, &mut own.first, watch)? {
        return Ok(None);
    }
    let other = request.seed().wrapping_add(1);
    request.settings.options.seed = other;
    request.greedy.seed = other;
    let stopped = cross(&request, seed, sources, &learned.target, &mut own.second, watch)?;
    Ok((!stopped).then_some(own))
}

/// Methods, then the baselines, which are the same for all.
fn tabulate(all: &[Contender]) -> Vec<Compared> {
    let classes = all[0].first.classes;
    let names: Vec<&str> = all[0].first.baselines().map(|(_, said, _)| said).collect();
    let methods = all.iter().map(|c| (&c.first, 0, c.name.as_str(), c.first.luck(&c.second)));
    let baselines = names.iter().enumerate();
    let baselines = baselines.map(|(k, name)| (&all[0].first, k + 1, *name, f64::NAN));
    let sheets: Vec<_> = methods.chain(baselines).collect();
    let log = |k: usize| sheets[k].0.summary(sheets[k].1).mean[1];
    let best = (1..sheets.len()).fold(0, |best, k| if log(k) > log(best) { k } else { best });
    let line = |(j, sheet, name, luck): &(&Judgement, usize, &str, f64)| {
        let scores = j.summary(*sheet);
        Compared {
            name: (*name).to_string(),
            baseline: *sheet > 0,
            scores,
            behind: j.behind(*sheet, sheets[best].0, sheets[best].1),
            spread: if classes { j.of_parts().0 } else { scores.mean[3] },
            seconds: j.seconds,
            luck: *luck,
        }
    };
    sheets.iter().map(line).collect()
}

/// RMSE or accuracy, with its standard error.
fn second(s: &Summary, classes: bool) -> (f64, f64) {
    if classes { (s.mean[0], s.error[0]) } else { (s.rmse, s.rmse_error) }
}

/// The scores, the rest, or both in one.
fn print_part(lines: &[Compared], classes: bool, level: f64, first: bool, rest: bool) {
    let two = |v: f64| general(v, 2);
    let spread =
        if classes { "calibration".into() } else { format!("{} % hold", short(100.0 * level)) };
    out!("{:<26}", "method");
    if first {
        out!(" {:<20} {:<20}", "log score", "behind");
    }
    if rest {
        let name = if classes { "accuracy" } else { "RMSE" };
        out!(" {name:<22} {spread:<11} {:>8} {:>8}", "seconds", "luck");
    }
    outln!("");
    for l in lines {
        out!("{:<26}", l.name);
        if first {
            let (s, (behind, error)) = (&l.scores, l.behind);
            let (log, own) = (s.mean[1], two(s.error[1]));
            out!(" {log:8.4} +- {own:<8} {behind:8.4} +- {:<8}", two(error));
        }
        if rest {
            let (value, error) = second(&l.scores, classes);
            out!(" {:>9} +- {:<9}", general(value, 5), two(error));
            if !l.baseline {
                let spread = match classes {
                    true => format!("{:.3}", l.spread),
                    false => general(100.0 * l.spread, 3),
                };
                out!(" {spread:<11} {:8.1} {:>6} %", l.seconds, two(100.0 * l.luck));
            }
        }
        outln!("");
    }
}

fn print_table(lines: &[Compared], classes: bool, level: f64) {
    const WHOLE: u16 = 122;
    let width = terminal_size::terminal_size().map_or(0, |(width, _)| width.0);
    if width == 0 || width >= WHOLE {
        print_part(lines, classes, level, true, true);
    } else {
        print_part(lines, classes, level, true, false);
        print_part(lines, classes, level, false, true);
    }
}

fn write_json(lines: &[Compared], classes: bool, output: Option<&str>) -> Vec<u8> {
    let mut json = Json::new(DIGITS);
    json.put("n", lines[0].scores.n);
    if let Some(output) = output {
        json.put("output", output);
    }
    json.list("methods", lines, |json, l| {
        let (s, name) = (&l.scores, if classes { "accuracy" } else { "rmse" });
        let (value, error) = second(s, classes);
        json.put("name", &l.name);
        json.put("kind", if l.baseline { "baseline" } else { "method" });
        json.put("log_likelihood", s.mean[1]);
        json.put("log_likelihood_error", s.error[1]);
        json.put("behind", l.behind.0);
        json.put("behind_error", l.behind.1);
        json.put(name, value);
        json.put(&format!("{name}_error"), error);
        if !l.baseline {
            let spread = if classes { "calibration_error" } else { "coverage" };
            json.put(spread, l.spread);
            members!(json, l => luck seconds);
        }
    });
    json.end()
}

/// The noise that short fits choose for chains, where they have a choice: what is compared is methods, not noises.
fn chosen(
    all: &[Asked],
    sources: &Sources,
    person: &Person,
) -> Result<Option<(&'static str, String)>, Stop> {
    let mut chains = all.iter().map(|asked| &asked.request);
    let chains = chains.find(|r| r.is_bnn() && r.settings.method() == BnnMethod::Hmc);
    let Some(mut request) = chains.filter(|_| all.len() > 1).cloned() else { return Ok(None) };
    let whole = Sources { tests: None, ..sources.clone() };
    let mut learned = whole.learn(&mut request, None, &Silent)?;
    let open = learned.target.open;
    if !open || request.settle(&mut learned, person)? {
        return Ok(None);
    }
    Ok(Some((learned.target.output.name(), learned.target.describe(&learned.columns))))
}

/// Compares.
pub(crate) fn run(given: Given) -> Done {
    let names: Vec<&str> = given.text("methods").unwrap_or("bnn,map,ensemble").split(',').collect();
    refuse! { "compare": names.len() > MOST_METHODS => "more than {MOST_METHODS} methods"; }
    // All before the first fit, so that what is wrong is found out at once.
    let all = names.iter().map(|name| asked_of(&given, name)).collect::<Result<Vec<_>, _>>()?;
    let last = &all[all.len() - 1];
    let person = Person::new(last.quiet);
    let mut files = Outputs::beside(last.reads());
    files.open(&given, "plot curves json")?;
    let sources = Sources::read(&last.request, &person)?;
    person.catch_interrupts();
    let (level, target) = (last.request.interval, last.request.target.clone());
    let mut done: Vec<Contender> = Vec::new();
    let chosen = chosen(&all, &sources, &person)?;
    let output = chosen.as_ref().map(|(output, _)| *output);
    let mut stopped = false;
    for (asked, name) in all.into_iter().zip(&names) {
        let mut request = asked.request;
        if request.is_bnn() && request.settings.method() != BnnMethod::Hmc && output.is_some() {
            request.output = output.map(str::to_string);
        }
        match evaluate(request, &sources, name, (files.has("curves"), done.is_empty()), &person)? {
            Some(own) => done.push(own),
            None => {
                stopped = true;
                break;
            }
        }
    }
    person.clear();
    if stopped {
        let (count, all) = (done.len(), names.len());
        person.say(&format!("stopped early: {count} of {all} methods were evaluated"));
    }
    if !done.is_empty() {
        let (lines, classes) = (tabulate(&done), done[0].first.classes);
        files.put("plot", || {
            let own = |l: &Compared| Line {
                name: l.name.clone(),
                baseline: l.baseline,
                scores: l.scores,
            };
            scores(&target, "methods compared", classes, &lines.iter().map(own).collect::<Vec<_>>())
        });
        files.put("curves", || {
            let own: Vec<Curve> = done.into_iter().filter_map(|c| c.curve).collect();
            curves(&target, &own)
        });
        files.put("json", || write_json(&lines, classes, output));
        if files.publish()? {
            if let Some((_, described)) = chosen {
                outln!("target      {described}");
            }
            print_table(&lines, classes, level);
        }
    }
    if stopped { Err(Stop::Interrupted) } else { Ok(()) }
}
