//! The commands: what each is called, what it takes, and what it does.

mod about;
mod certify;
mod compare;
mod convert;
mod demo;
mod fit;
mod loo;
mod predict;
mod problem;
mod report;
mod sample;
mod show;
mod theory;
mod vae;

use crate::args::{Given, explained};
use crate::terminal::{Done, out, usage};
use clap::Command;
use clap::error::ErrorKind;
use lcc_model::table::similar;

/// One command.
struct Entry {
    name: &'static str,
    options: fn() -> Command,
    run: fn(Given) -> Done,
}

const ALL: [Entry; 15] = [
    Entry { name: "demo", options: demo::options, run: demo::run },
    Entry { name: "fit", options: fit::options, run: fit::run },
    Entry { name: "compare", options: compare::options, run: compare::run },
    Entry { name: "predict", options: predict::options, run: predict::run },
    Entry { name: "loo", options: loo::options, run: loo::run },
    Entry { name: "report", options: report::options, run: report::run },
    Entry { name: "show", options: show::options, run: show::run },
    Entry { name: "convert", options: convert::options, run: convert::run },
    Entry { name: "sample", options: sample::options, run: sample::run },
    Entry { name: "certify", options: certify::options, run: certify::run },
    Entry { name: "theory", options: theory::options, run: theory::run },
    Entry { name: "vae", options: vae::options, run: vae::run },
    Entry { name: "doctor", options: about::doctor, run: about::run_doctor },
    Entry { name: "completions", options: about::completions, run: about::run_completions },
    Entry { name: "manual", options: about::manual, run: about::run_manual },
];

const ABOUT: &str = "samples posteriors of neural networks and predicts with them";

const DATA: &str = "\
Data: CSV, one header row (- for standard input); cells separated by commas, semicolons, tabs or bars; decimal \
commas beside all but commas. The target is the column y (or --target NAME), all other columns are inputs: numbers, \
for lcc fit words too.\n\n\
Exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted. Ctrl-C or SIGTERM stops at the next step; what was \
drawn so far is kept. Same flags and seed: same bytes, on any machine (timings apart). No output is coloured.";

/// All of it, as the manual and the shells see it.
fn whole() -> Command {
    let all = ALL.iter().map(|entry| (entry.options)());
    Command::new("lcc").about(ABOUT).after_help(DATA).disable_help_subcommand(true).subcommands(all)
}

/// Runs the command that the arguments name.
pub(crate) fn run(mut arguments: Vec<String>) -> Done {
    // "help fit" is "fit --help".
    if arguments.len() == 2 && arguments[0] == "help" {
        arguments = vec![arguments.remove(1), "--help".into()];
    }
    let name = arguments.first().map_or("demo", String::as_str);
    match name {
        "--version" | "-V" => return about::run_version(),
        "--help" | "-h" | "help" => {
            out!("{}", whole().render_help());
            return Ok(());
        }
        _ => {}
    }
    let Some(entry) = ALL.iter().find(|entry| entry.name == name) else {
        let near = similar(name, ALL.iter().map(|entry| entry.name));
        let near = near.map_or(String::new(), |near| format!("; is \"{near}\" meant?"));
        return Err(usage(format!("no command \"{name}\"{near} (lcc --help lists them)")));
    };
    let options = (entry.options)().bin_name(format!("lcc {name}"));
    if arguments.len() == 2 && arguments[1] == "--list-options" {
        for own in options.get_arguments().filter(|a| !a.is_hide_set()) {
            match (own.get_long(), own.get_short()) {
                (Some(long), _) => out!("--{long}\n"),
                (None, Some(short)) => out!("-{short}\n"),
                _ => {}
            }
        }
        return Ok(());
    }
    match options.try_get_matches_from(&arguments) {
        Ok(given) => (entry.run)(Given(given)),
        Err(error) if error.kind() == ErrorKind::DisplayHelp => {
            out!("{}", error.render());
            Ok(())
        }
        Err(error) => Err(explained(name, &error)),
    }
}
