//! Checkpoints that were edited, put together from two or forged: refused in one sentence before a size of theirs is used,
//! or without effect. Where the checksum is made good what lies behind it is reached.

mod common;
use common::{Folder, Run, parse_csv, table};
use lcc_model::lcc_core::activation::Activation;
use lcc_model::lcc_core::checkpoint::{checkpoint, sealed_size, unseal};
use lcc_model::lcc_core::data::{Dataset, Inputs};
use lcc_model::lcc_core::estimator::Bnn;
use lcc_model::lcc_core::prior::Prior;
use lcc_model::lcc_core::problem::Problem;
use lcc_model::lcc_core::sampler::{Progress, Sampler, SamplerOptions};
use lcc_model::lcc_core::simd::Isa;
use lcc_tests::posteriors::Aligned;

const OTHER: &str = "the run in it has other options or other data";
const CHANGED: &str = "its checksum does not match";

/// The settings of a checkpoint with the empty line, and the sealed state.
fn read(folder: &Folder, name: &str) -> (String, Vec<u8>) {
    let bytes = folder.bytes(name);
    let at = bytes.windows(8).position(|w| w == b"LCCSTATE").expect("a state");
    let head = String::from_utf8(bytes[..at].to_vec()).expect("text");
    let (first, settings) =
        head.split_at(head.match_indices('\n').nth(1).expect("two lines").0 + 1);
    assert!(first.starts_with("lcc checkpoint 3\nchecksum "), "{first}");
    (settings.into(), bytes[at..].to_vec())
}

/// A checkpoint with a good checksum.
fn write(folder: &Folder, name: &str, settings: &str, state: &[u8]) {
    let rest = [settings.as_bytes(), state].concat();
    let fnv = |sum: u64, byte: &u8| (sum ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
    let sum = rest.iter().fold(0xcbf2_9ce4_8422_2325, fnv);
    let head = format!("lcc checkpoint 3\nchecksum {sum:016x}\n");
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

/// A run of these flags, its settings edited to those of the flags that resume it, or its file cut or of another version.
fn edited_is_refused(name: &str, run: &str, made: &str, resumed: &str, edits: [(&str, &str); 2]) {
    let folder = Folder::new(name);
    folder.write("d.csv", table(40));
    let run = |flags: &str| folder.lcc(&format!("{run} --data d.csv --quiet {flags}"));
    run(&format!("{made} --checkpoint s")).expect(0);
    let (settings, state) = read(&folder, "s");
    let edited = edits.iter().fold(settings.clone(), |text, (was, is)| text.replace(was, is));
    assert_ne!(edited, settings);
    let resumed = &format!("{resumed} --checkpoint t --resume");
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
    for version in [b"lcc checkpoint 1\n", b"lcc checkpoint 2\n"] {
        folder.write("t", [version, &whole[43..]].concat());
        refused(run(resumed), "another version of lcc");
    }
    folder.write("t", &whole[..16]);
    run(resumed).fails(1, &["t: is not a checkpoint"]);
}

#[test]
fn settings_that_were_edited_are_refused() {
    edited_is_refused(
        "resume_edited",
        "fit --layers 2 --warmup 2 --start 30 --leapfrogs 9",
        "--chains 4 --draws 5",
        "--chains 2 --draws 11 --model o",
        [("chains 4", "chains 2"), ("draws 5", "draws 11")],
    );
    edited_is_refused(
        "sample_resume_edited",
        "sample --sampler split-hmc --antithetic --warmup 10",
        "--chains 4 --draws 500",
        "--chains 2 --draws 1100 --draws-csv o",
        [("pairs 4", "pairs 2"), ("draws 500", "draws 1100")],
    );
}

/// The settings of one run and the state of another that takes as many bytes and as much work.
#[test]
fn the_state_of_another_run_is_refused() {
    let folder = Folder::new("resume_other");
    folder.write("d.csv", table(40));
    for flags in [
        "fit --layers 2 --chains 8 --start 5 --warmup 2 --draws 2 --leapfrogs 2",
        "fit --layers 2 --chains 2 --method laplace --precision f64",
        "sample --sampler split-hmc --chains 2 --warmup 5 --draws 9",
        "sample --sampler independence --reference gaussian --chains 2 --warmup 5 --draws 9",
        "sample --sampler smc --particles 32 --precision f32",
        "sample --sampler tempering --ladder .1,1 --chains 2 --warmup 5 --draws 9",
        "sample --sampler auto --chains 2 --warmup 5 --draws 9",
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

/// Where the run is comes from the run itself, and that within its end.
#[test]
fn forged_progress_is_refused() {
    let folder = Folder::new("resume_forged");
    folder.write("d.csv", table(40));
    let fit = "fit --data d.csv --layers 2 --chains 16 --start 5 --warmup 2 --draws 2 --leapfrogs 2 --quiet";
    folder.lcc(&format!("{fit} --checkpoint s --model whole")).expect(0);
    let (settings, state) = read(&folder, "s");
    // The block at work, behind the unit of it.
    let word = Bnn::<f32>::HEAD / 8 + 1;
    write(&folder, "t", &settings, &forged(&state, word, 7));
    for threads in [1, 2] {
        let resumed = format!("{fit} --checkpoint t --resume --threads {threads} --model m");
        refused(folder.lcc(&resumed), "is damaged, at ");
    }
}

/// A sampler of the core that stores fewer draws than the command line's.
#[test]
fn a_state_that_stores_fewer_draws_is_refused() {
    let folder = Folder::new("sample_resume_stored");
    folder.write("d.csv", table(40));
    let flags = "sample --data d.csv --sampler split-hmc --chains 2 --warmup 5 --draws 50 --quiet";
    folder.lcc(&format!("{flags} --checkpoint s")).expect(0);
    let (_, rows) = parse_csv(&table(40));
    let x: Vec<f64> = rows.iter().flat_map(|row| [row[0], row[1]]).collect();
    let y: Vec<f64> = rows.iter().map(|row| row[2]).collect();
    let data = Dataset::new(Inputs::row_major(&x, 40, 2).expect("inputs"), &y).expect("data");
    let (psi, prior) = (Activation::Tanh, Prior::Gaussian { sd: 1.0 });
    let problem = Problem::greedy(data, psi, prior, 1.0 / 40_f64.sqrt()).expect("a posterior");
    for (draws, stored) in [(50, 10), (50, 49), (5000, 10)] {
        let options = SamplerOptions { chains: 2, warmup: 5, draws, stored, ..Default::default() };
        let size = Sampler::size(&options, &problem).expect("size");
        let mut memory = Aligned::new(size);
        let mut own =
            Sampler::init(memory.bytes(), &options, Isa::detect(), &problem).expect("init");
        assert_eq!(own.step(&problem, u64::MAX), Ok(Progress::Done));
        let mut sealed = vec![0; sealed_size(size).expect("a size")];
        let kind = unseal(&read(&folder, "s").1).expect("whole").kind;
        checkpoint(memory.bytes(), kind, 64, &mut sealed).expect("sealed");
        write(&folder, "t", &read(&folder, "s").0, &sealed);
        refused(folder.lcc(&format!("{flags} --checkpoint t --resume --draws-csv o")), OTHER);
    }
}

/// Where the run is comes from the run itself, and that within its end.
#[test]
fn forged_progress_of_samplers_is_refused() {
    let folder = Folder::new("sample_resume_forged");
    folder.write("d.csv", table(40));
    let chains = "sample --data d.csv --sampler split-hmc --chains 2 --warmup 5 --draws 9 --quiet";
    folder.lcc(&format!("{chains} --checkpoint s")).expect(0);
    let (settings, state) = read(&folder, "s");
    for iteration in [15, 14 + (1 << 16)] {
        let state = forged(&state, Sampler::<f64>::HEAD / 8, iteration);
        write(&folder, "t", &settings, &state);
        refused(
            folder.lcc(&format!("{chains} --checkpoint t --resume --draws-csv o")),
            &format!("is damaged, at {iteration} of 14 units"),
        );
    }
}
