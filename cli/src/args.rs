//! Options of the form `--name value` or `--name=value`, and what is wrong with them in sentences.

use crate::terminal::{Stop, usage};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, ArgMatches, Command};
use lcc_model::fault::Fault;
use lcc_model::text::{choose, real as number, short, unsigned};
use std::error::Error;

/// A command with its examples.
pub(crate) fn command(name: &'static str, about: &'static str, examples: &str) -> Command {
    Command::new(name)
        .about(about)
        .disable_version_flag(true)
        .after_help(format!("Examples:\n{examples}"))
        .args_override_self(false)
}

fn valued(name: &'static str, value: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).value_name(value).help(help).allow_hyphen_values(true)
}

/// Any text but none.
pub(crate) fn text(name: &'static str, value: &'static str, help: &'static str) -> Arg {
    valued(name, value, help).value_parser(move |given: &str| match given {
        "" => Err(format!("--{name} needs a value")),
        given => Ok(given.to_string()),
    })
}

/// A whole number within a range.
pub(crate) fn count(
    name: &'static str,
    value: &'static str,
    help: &'static str,
    (low, high): (u32, u32),
) -> Arg {
    valued(name, value, help).value_parser(move |given: &str| {
        let own = unsigned(given).and_then(|n| u32::try_from(n).ok());
        own.filter(|n| (low..=high).contains(n)).ok_or_else(|| {
            format!("--{name} takes a whole number from {low} to {high}, not \"{given}\"")
        })
    })
}

/// Any whole number of 64 bits.
pub(crate) fn seed() -> Arg {
    valued("seed", "S", "names the random numbers [1]").value_parser(|given: &str| {
        let what = || format!("--seed takes a whole number below 2^64, not \"{given}\"");
        unsigned(given).ok_or_else(what)
    })
}

/// A finite number between two others, without them.
pub(crate) fn real(
    name: &'static str,
    value: &'static str,
    help: &'static str,
    (low, high): (f64, f64),
) -> Arg {
    valued(name, value, help).value_parser(move |given: &str| {
        let own = number(given).filter(|v| *v > low && *v < high);
        own.ok_or_else(|| match high.is_finite() {
            true => {
                let (low, high) = (short(low), short(high));
                format!("--{name} takes a number between {low} and {high}, not \"{given}\"")
            }
            false => {
                format!("--{name} takes a finite number above {}, not \"{given}\"", short(low))
            }
        })
    })
}

/// A time in seconds.
pub(crate) fn time(name: &'static str, help: &'static str) -> Arg {
    valued(name, "T", help).value_parser(move |given: &str| {
        let units = [('s', 1.0), ('m', 60.0), ('h', 3600.0)];
        let with_unit = |(unit, seconds)| Some((given.strip_suffix(unit)?, seconds));
        let (digits, seconds) = units.into_iter().find_map(with_unit).unwrap_or((given, 1.0));
        let own = number(digits).filter(|v| *v > 0.0 && *v < 1e9);
        own.map(|v| v * seconds).ok_or_else(|| {
            format!("--{name} takes a time, as 30s, 2m, 1h or 90 (seconds), not \"{given}\"")
        })
    })
}

/// Given or not.
pub(crate) fn switch(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).help(help).action(ArgAction::SetTrue)
}

/// A word without dashes.
pub(crate) fn word(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).value_name(name).help(help)
}

/// A list of options, a row each: its kind with the range of its values, its name, what stands for a value, and the help.
/// A row that begins with + is an option that is made elsewhere.
macro_rules! options {
    (@ [$($all:expr,)*]) => { vec![$($all),*] };
    (@ [$($all:expr,)*] + $own:expr; $($rest:tt)*) => {
        $crate::args::options!(@ [$($all,)* $own,] $($rest)*)
    };
    (
        @ [$($all:expr,)*]
        $kind:ident $(($($range:tt)*))? $name:literal $($value:literal)?: $help:expr; $($rest:tt)*
    ) => {
        $crate::args::options!(
            @ [$($all,)* $crate::args::$kind($name, $($value,)? $help $(, ($($range)*))?),] $($rest)*
        )
    };
    ($($rows:tt)*) => { $crate::args::options!(@ [] $($rows)*) };
}
pub(crate) use options;

/// The options that many commands have.
pub(crate) fn json() -> Arg {
    text("json", "FILE", "one JSON object (- for standard output, and nothing else)")
}

/// See [`json`].
pub(crate) fn delimiter() -> Arg {
    text("delimiter", "NAME", "comma, semicolon, tab or bar [guessed, and said]")
}

/// See [`json`].
pub(crate) fn unknown() -> Arg {
    text(
        "unknown",
        "refuse|mean",
        "categories not seen in training: refused, or the average [refuse]",
    )
}

/// See [`json`].
pub(crate) fn id() -> Arg {
    text(
        "id",
        "A,B,...",
        "columns that identify rows: they are no inputs, and stand first in the predictions, as the file has them",
    )
    .value_parser(|given: &str| {
        const TAKEN: [&str; 10] = [
            "mean", "sd", "lower", "upper", "y", "row", "extrapolates", "class", "entropy",
            "mutual_information",
        ];
        match given.split(',').find(|name| name.is_empty() || TAKEN.contains(name)) {
            Some("") => Err("--id needs names of columns, as device,serial".to_string()),
            Some(name) => Err(format!(
                "--id: the predictions have a column \"{name}\" of their own: rename that of the data"
            )),
            None => Ok(given.to_string()),
        }
    })
}

/// See [`json`].
pub(crate) fn interval() -> Arg {
    real("interval", "P", "probability of the intervals [.9]", (0.0, 1.0))
}

/// What was given.
pub(crate) struct Given(pub(crate) ArgMatches);

impl Given {
    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.value_source(name) == Some(clap::parser::ValueSource::CommandLine)
    }
    pub(crate) fn on(&self, name: &str) -> bool {
        self.0.get_flag(name)
    }
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.0.get_one::<String>(name).map(String::as_str)
    }
    pub(crate) fn owned(&self, name: &str) -> Option<String> {
        self.text(name).map(str::to_string)
    }
    pub(crate) fn count(&self, name: &str) -> Option<u32> {
        self.0.get_one::<u32>(name).copied()
    }
    pub(crate) fn real(&self, name: &str) -> Option<f64> {
        self.0.get_one::<f64>(name).copied()
    }
    pub(crate) fn seed(&self) -> u64 {
        self.0.get_one::<u64>("seed").copied().unwrap_or(1)
    }
}

/// What an option with names stands for; `usual` where it is not given.
pub(crate) fn named<T: Copy>(
    given: &Given,
    option: &str,
    all: &[(&'static str, T)],
    usual: T,
) -> Result<T, Fault> {
    let choice = |name| choose(&format!("--{option}"), name, all);
    given.text(option).map_or(Ok(usual), choice)
}

/// [`named`], of all choices of a kind.
macro_rules! choice {
    ($given:expr, $option:literal, $kind:ident, $usual:expr) => {
        $crate::args::named($given, $option, &$kind::ALL.map(|own| (own.name(), own)), $usual)
    };
}
pub(crate) use choice;

/// The sentence of what is wrong.
pub(crate) fn explained(command: &str, error: &clap::Error) -> Stop {
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.clone(),
        Some(ContextValue::Strings(all)) => all.first().cloned().unwrap_or_default(),
        _ => String::new(),
    };
    let given = context(ContextKind::InvalidArg);
    let option = given.split([' ', '=']).next().unwrap_or("").to_string();
    usage(match error.kind() {
        ErrorKind::UnknownArgument if given.starts_with('-') && given.len() > 1 => {
            let near = context(ContextKind::SuggestedArg);
            let near = near.split([' ', '=']).next().unwrap_or("");
            let near =
                if near.is_empty() { String::new() } else { format!("; is \"{near}\" meant?") };
            format!("{command}: no option \"{given}\"{near} (lcc {command} --help lists them)")
        }
        ErrorKind::UnknownArgument => {
            let file = std::path::Path::new(&given).is_file();
            let near = if file { format!("; is --data {given} meant?") } else { String::new() };
            format!(
                "{command}: unexpected \"{given}\"{near} (lcc {command} --help lists the options)"
            )
        }
        ErrorKind::ArgumentConflict => format!("{command}: {option} is given twice"),
        ErrorKind::TooManyValues => format!("{command}: {option} takes no value"),
        ErrorKind::ValueValidation => {
            format!("{command}: {}", error.source().map(|e| e.to_string()).unwrap_or_default())
        }
        ErrorKind::InvalidValue => match error.get(ContextKind::ValidValue) {
            Some(ContextValue::Strings(all)) if !all.is_empty() => {
                format!("{command}: {option} is one of {}", all.join(", "))
            }
            _ => format!("{command}: {option} needs a value"),
        },
        _ => error.to_string().trim().trim_start_matches("error: ").to_string(),
    })
}
