//! What a shell completes, and the manual page.

use crate::args::{Given, command, word};
use crate::out;
use crate::stop::{Done, usage};
use clap::Command;
use clap_complete::Shell;
use std::str::FromStr;

const SHELLS: [&str; 3] = ["bash", "zsh", "fish"];

/// `lcc completions`
pub(crate) fn completions() -> Command {
    let examples = "  lcc completions bash > ~/.local/share/bash-completion/completions/lcc\n";
    command("completions", "what the shell reads to complete commands and options", examples)
        .arg(word("SHELL", "bash, zsh or fish").value_parser(SHELLS))
}

/// Prints them.
pub(crate) fn run_completions(given: Given) -> Done {
    let shell = given.text("SHELL").and_then(|s| Shell::from_str(s).ok());
    let shell = shell.ok_or_else(|| usage("completions: of bash, zsh or fish"))?;
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut super::whole(), "lcc", &mut script);
    out::write(&script);
    Ok(())
}

/// `lcc manual`
pub(crate) fn manual() -> Command {
    let examples = "  lcc manual > ~/.local/share/man/man1/lcc.1\n";
    command("manual", "all of this as a manual page, in roff", examples)
}

/// Prints it: the program, then each command.
pub(crate) fn run_manual(_: Given) -> Done {
    let mut page = Vec::new();
    let whole = super::whole().version(env!("CARGO_PKG_VERSION"));
    let failed = |_| crate::stop::failed("the manual cannot be written");
    clap_mangen::Man::new(whole.clone()).render(&mut page).map_err(failed)?;
    for own in whole.get_subcommands() {
        let name = own.get_name().to_string();
        page.extend(format!(".SH LCC {}\n", name.to_uppercase()).bytes());
        let man = clap_mangen::Man::new(own.clone().bin_name(format!("lcc {name}")));
        man.render_synopsis_section(&mut page).map_err(failed)?;
        man.render_options_section(&mut page).map_err(failed)?;
        man.render_extra_section(&mut page).map_err(failed)?;
    }
    let codes = [
        ("0", "done"),
        ("1", "failed; the message names the file, row and column where there is one"),
        ("2", "wrong usage"),
        ("130", "interrupted; what was drawn so far is kept"),
    ];
    page.extend(b".SH EXIT STATUS\n");
    for (code, what) in codes {
        page.extend(format!(".TP\n.B {code}\n{what}\n").bytes());
    }
    out::write(&page);
    Ok(())
}
