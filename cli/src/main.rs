//! The command line of LCC: options, files and words around the library `lcc-model`.

mod args;
mod commands;
mod draw;
mod files;
mod json;
mod tables;
mod terminal;

use std::process::ExitCode;

fn main() -> ExitCode {
    terminal::writes_fail_softly();
    let code = match commands::run(
        std::env::args_os().skip(1).map(|a| a.to_string_lossy().into_owned()).collect(),
    ) {
        Ok(()) => 0,
        Err(stop) => stop.say(),
    };
    terminal::end(code)
}
