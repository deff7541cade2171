//! What this build has; `lcc doctor`: whether this machine computes what every other does; what a shell completes, and the
//! manual page.

use crate::args::{Given, command, word};
use crate::terminal::{self, Done, failed, outln, usage, warn};
use clap::Command;
use clap_complete::Shell;
use lcc_model::lcc_core::activation::Activation;
use lcc_model::lcc_core::sampler::{Method, SamplerOptions};
use lcc_model::lcc_core::simd::Isa;
use lcc_model::selftest::self_test;
use std::str::FromStr;
use std::time::Instant;

/// The ABI of the library of the same version.
const ABI: u32 = 1;

/// The instructions that chains run on.
fn lanes() -> &'static str {
    match Isa::detect().name() {
        "avx512" => "avx2 avx512",
        name => name,
    }
}

/// Chains that advance in lock-step by default.
fn block() -> u32 {
    SamplerOptions::<f64>::default().lanes
}

/// Prints it.
pub(crate) fn run_version() -> Done {
    let version = env!("CARGO_PKG_VERSION");
    let lanes = lanes();
    let samplers: Vec<&str> = Method::ALL.iter().map(|m| m.name()).collect();
    let activations: Vec<&str> = Activation::ALL.iter().map(|a| a.name()).collect();
    let methods: Vec<&str> = super::fit::method_names().collect();
    outln!("lcc {version}\nlibrary {version}\nABI {ABI}\nprecisions f32 f64\nlanes {lanes}");
    outln!("samplers auto {} smc tempering", samplers.join(" "));
    outln!("methods {}\nactivations {}", methods.join(" "), activations.join(" "));
    Ok(())
}

/// It has none.
pub(crate) fn doctor() -> Command {
    command("doctor", "this CPU, and whether it draws the golden bits", "  lcc doctor\n").long_about(
        "This machine, the instructions that the library uses on it, and a run of every sampler in both precisions against \
         the bits that all machines draw. Exit code 1 where one differs.",
    )
}

/// Runs every sampler.
pub(crate) fn run_doctor(_: Given) -> Done {
    let start = Instant::now();
    let version = env!("CARGO_PKG_VERSION");
    outln!("lcc         {version}; library {version}, ABI {}", ABI);
    outln!("machine     {}-bit", usize::BITS);
    outln!("lanes       {}, blocks of {} chains", lanes(), block());
    outln!("precisions  f32 f64");
    let all = self_test()?;
    let (mut wrong, runs) = (0, all.len());
    for own in all.iter().filter(|own| own.drawn != own.golden) {
        wrong += 1;
        let (method, bits, drawn, golden) = (own.method, own.bits, own.drawn, own.golden);
        warn(&format!("{method} in {bits} bits draws {drawn:016x}, not {golden:016x}"));
    }
    let seconds = start.elapsed().as_secs_f64();
    outln!("self-test   {} of {runs} runs draw the golden bits ({seconds:.1} s)", runs - wrong);
    if wrong > 0 {
        return Err(failed(
            "this machine or this build computes other numbers than every other: its results cannot be compared with theirs",
        ));
    }
    Ok(())
}

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
    terminal::write(&script);
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
    let unwritten = |_| failed("the manual cannot be written");
    clap_mangen::Man::new(whole.clone()).render(&mut page).map_err(unwritten)?;
    for own in whole.get_subcommands() {
        let name = own.get_name().to_string();
        page.extend(format!(".SH LCC {}\n", name.to_uppercase()).bytes());
        let man = clap_mangen::Man::new(own.clone().bin_name(format!("lcc {name}")));
        man.render_synopsis_section(&mut page).map_err(unwritten)?;
        man.render_options_section(&mut page).map_err(unwritten)?;
        man.render_extra_section(&mut page).map_err(unwritten)?;
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
    terminal::write(&page);
    Ok(())
}
