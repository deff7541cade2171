//! Checkpoints that were edited, put together from two or forged: refused in one sentence before a size of theirs is used,
//! or without effect. Where the checksum is made good what lies behind it is reached.

mod common;
use common::{Folder, Run, table};
use lcc::f64::data::lcc_data_f64;
use lcc::f64::problem::{lcc_problem_default_f64, lcc_problem_f64};
use lcc::f64::sampler::*;
use lcc::object::{lcc_checkpoint, lcc_checkpoint_size};
use lcc_core::checkpoint::{checkpoint, unseal};
use lcc_core::estimator::Bnn;
use lcc_core::sampler::{Sampler, SamplerOptions};
use std::mem::zeroed;

const OTHER: &str = "the run in it has other options or other data";
const CHANGED: &str = "its checksum does not match";

/// Words of a state before the object: what is noted of it, first units done and units in all.
const NOTE: usize = 10;

/// The settings of a checkpoint with the empty line, and the sealed state.
fn read(folder: &Folder, name: &str) -> (String, Vec<u8>) {
    let bytes = folder.bytes(name);
    let at = bytes.windows(8).position(|w| w == b"LCCSTATE").expect("a state");
    let head = String::from_utf8(bytes[..at].to_vec()).expect("text");
    let (first, settings) =
        head.split_at(head.match_indices('\n').nth(1).expect("two lines").0 + 1);
    assert!(first.starts_with("lcc checkpoint 2\nchecksum "), "{first}");
    (settings.into(), bytes[at..].to_vec())
}

/// A checkpoint with a good checksum.
fn write(folder: &Folder, name: &str, settings: &str, state: &[u8]) {
    let rest = [settings.as_bytes(), state].concat();
    let fnv = |sum: u64, byte: &u8| (sum ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
    let sum = rest.iter().fold(0xcbf2_9ce4_8422_2325, fnv);
    let head = format!("lcc checkpoint 2\nchecksum {sum:016x}\n");
    folder.write(name, [head.as_bytes(), &rest].concat());
}

/// The state with another word, sealed.
fn forged(sealed: &[u8], word: usize, value: u64) -> Vec<u8> {
    let was = unseal(sealed).expect("whole");
    let mut state = was.state.to_vec();
    state[8 * word..8 * word + 8].copy_from_slice(&value.to_ne_bytes());
    let mut out = vec![0; sealed.len()];
    checkpoint(&state, was.kind, was.bits, &mut out).expect("sealed");
    out
}

fn refused(run: Run, part: &str) {
    let run = run.fails(1, &["lcc: t: ", part, "without --resume"]);
    assert_eq!(run.err.lines().count(), 1, "{}", run.err);
}

#[test]
fn settings_that_were_edited_are_refused() {
    let folder = Folder::new("resume_edited");
    folder.write("d.csv", table(40));
    let run = |flags: &str| {
        folder.lcc(&format!(
            "sample --data d.csv --sampler split-hmc --antithetic --warmup 10 --quiet {flags}"
        ))
    };
    run("--chains 4 --draws 500 --checkpoint s").expect(0);
    let (settings, state) = read(&folder, "s");
    let edited = settings.replace("pairs 4", "pairs 2").replace("draws 500", "draws 1100");
    assert_ne!(edited, settings);
    let resumed = "--chains 2 --draws 1100 --draws-csv o --checkpoint t --resume";
    write(&folder, "t", &edited, &state);
    refused(run(resumed), OTHER);
    let whole = folder.bytes("s");
    let text = [&whole[..43], edited.as_bytes(), &state].concat();
    folder.write("t", text);
    refused(run(resumed), CHANGED);
    for length in [17, 30, 43, 60, whole.len() - 1] {
        folder.write("t", &whole[..length]);
        refused(run(resumed), CHANGED);
    }
    folder.write("t", [b"lcc checkpoint 1\n", &whole[43..]].concat());
    refused(run(resumed), "another version of lcc");
    folder.write("t", &whole[..16]);
    run(resumed).fails(1, &["t: is not a checkpoint"]);
}

/// The settings of one run and the state of another that takes as many bytes and as much work.
#[test]
fn the_state_of_another_run_is_refused() {
    let folder = Folder::new("resume_other");
    folder.write("d.csv", table(40));
    for flags in [
        "sample --sampler split-hmc --chains 2 --warmup 5 --draws 9",
        "sample --sampler independence --reference gaussian --chains 2 --warmup 5 --draws 9",
        "sample --sampler smc --particles 32 --precision f32",
        "sample --sampler tempering --ladder .1,1 --chains 2 --warmup 5 --draws 9",
        "sample --sampler auto --chains 2 --warmup 5 --draws 9",
        "fit --layers 2 --chains 8 --start 5 --warmup 2 --draws 2 --leapfrogs 2",
        "fit --layers 2 --chains 2 --method laplace --precision f64",
    ] {
        let run = |more: &str| folder.lcc(&format!("{flags} --data d.csv --quiet {more}"));
        run("--checkpoint s").expect(0);
        run("--checkpoint t --seed 2").expect(0);
        let (settings, state) = read(&folder, "s");
        write(&folder, "t", &settings, &read(&folder, "t").1);
        refused(run("--checkpoint t --resume"), OTHER);
        write(&folder, "t", &settings, &state);
        run("--checkpoint t --resume").expect(0);
    }
}

/// A sampler of the library that stores fewer draws than the command line's.
#[test]
fn a_state_that_stores_fewer_draws_is_refused() {
    let folder = Folder::new("resume_stored");
    folder.write("d.csv", table(40));
    let flags = "sample --data d.csv --sampler split-hmc --chains 2 --warmup 5 --draws 50 --quiet";
    folder.lcc(&format!("{flags} --checkpoint s")).expect(0);
    let (_, rows) = common::parse_csv(&table(40));
    let x: Vec<f64> = rows.iter().flat_map(|row| [row[0], row[1]]).collect();
    let y: Vec<f64> = rows.iter().map(|row| row[2]).collect();
    let data =
        lcc_data_f64 { x: x.as_ptr(), y: y.as_ptr(), n: 40, d: 2, row_stride: 2, column_stride: 1 };
    for (draws, stored) in [(50, 10), (50, 49), (5000, 10)] {
        let options = SamplerOptions::<f64> {
            chains: 2,
            warmup: 5,
            draws,
            stored,
            ..SamplerOptions::default()
        };
        // SAFETY: pointers to what is declared here, and plain data.
        let sealed = unsafe {
            let mut problem: lcc_problem_f64 = zeroed();
            let (mut bytes, mut handle) = (0, std::ptr::null_mut());
            assert_eq!(lcc_problem_default_f64(&mut problem, 40), 0);
            assert_eq!(lcc_sampler_size_f64(&options, &problem, &data, &mut bytes), 0);
            let mut memory = vec![0_u128; bytes / 16 + 1];
            let at = memory.as_mut_ptr().cast();
            assert_eq!(lcc_sampler_init_f64(at, bytes, &options, &problem, &data, &mut handle), 0);
            while lcc_sampler_step_f64(handle, &problem, &data, 1 << 20) == 1 {}
            let mut length = 0;
            assert_eq!(lcc_checkpoint_size(handle.cast(), &mut length), 0);
            let mut sealed = vec![0; length];
            assert_eq!(lcc_checkpoint(handle.cast(), sealed.as_mut_ptr(), length), 0);
            sealed
        };
        write(&folder, "t", &read(&folder, "s").0, &sealed);
        refused(folder.lcc(&format!("{flags} --checkpoint t --resume --draws-csv o")), OTHER);
    }
}

/// What is noted of a run is not believed: only where the run itself says that it is, and that within its end.
#[test]
fn forged_progress_is_made_good_or_refused() {
    let folder = Folder::new("resume_forged");
    folder.write("d.csv", table(40));
    let fit = "fit --data d.csv --layers 2 --chains 16 --start 5 --warmup 2 --draws 2 --leapfrogs 2 --quiet";
    folder.lcc(&format!("{fit} --checkpoint s --model whole")).expect(0);
    let (settings, state) = read(&folder, "s");
    let resumed = |threads: u32| {
        folder.lcc(&format!("{fit} --checkpoint t --resume --threads {threads} --model m"))
    };
    for (word, value) in [(1, 0), (1, 1), (0, u64::MAX), (1, u64::MAX)] {
        for threads in [1, 2] {
            write(&folder, "t", &settings, &forged(&state, word, value));
            resumed(threads).expect(0);
            assert!(folder.bytes("m") == folder.bytes("whole"), "{word}: {value}");
        }
    }
    // The block at work, behind the unit of it.
    write(&folder, "t", &settings, &forged(&state, NOTE + Bnn::<f32>::HEAD / 8 + 1, 7));
    refused(resumed(2), "is damaged, at ");

    let chains = "sample --data d.csv --sampler split-hmc --chains 2 --warmup 5 --draws 9 --quiet";
    folder.lcc(&format!("{chains} --checkpoint s")).expect(0);
    let (settings, state) = read(&folder, "s");
    for iteration in [15, 14 + (1 << 16)] {
        let state = forged(&state, NOTE + Sampler::<f64>::HEAD / 8, iteration);
        write(&folder, "t", &settings, &state);
        refused(
            folder.lcc(&format!("{chains} --checkpoint t --resume --draws-csv o")),
            &format!("is damaged, at {iteration} of 14 units"),
        );
    }
}
