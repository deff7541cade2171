//! `lcc doctor`: whether this machine computes what every other does.

use crate::args::{Given, command};
use crate::out::outln;
use crate::stop::{Done, failed};
use crate::terminal::warn;
use clap::Command;
use lcc_model::selftest::self_test;
use std::time::Instant;

/// It has none.
pub(crate) fn options() -> Command {
    command("doctor", "this CPU, and whether it draws the golden bits", "  lcc doctor\n").long_about(
        "This machine, the instructions that the library uses on it, and a run of every sampler in both precisions against \
         the bits that all machines draw. Exit code 1 where one differs.",
    )
}

/// Runs every sampler.
pub(crate) fn run(_: Given) -> Done {
    let start = Instant::now();
    let version = env!("CARGO_PKG_VERSION");
    outln!("lcc         {version}; library {version}, ABI {}", super::version::ABI);
    outln!("machine     {}-bit", usize::BITS);
    outln!("lanes       {}, blocks of {} chains", super::version::lanes(), super::version::block());
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
