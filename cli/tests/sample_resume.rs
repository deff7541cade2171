//! Checkpoints of samplers that were edited, put together from two or forged: refused in one sentence before a size of theirs
//! is used. Threads change no byte, and a run goes on under any number of them.

mod common;
use common::{Folder, Run, parse_csv, table, without_seconds};
use lcc_model::lcc_core::activation::Activation;
use lcc_model::lcc_core::checkpoint::{checkpoint, sealed_size, unseal};
use lcc_model::lcc_core::data::{Dataset, Inputs};
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
    folder.write("t", [b"lcc checkpoint 2\n", &whole[43..]].concat());
    refused(run(resumed), "another version of lcc");
    folder.write("t", &whole[..16]);
    run(resumed).fails(1, &["t: is not a checkpoint"]);
}

/// The settings of one run and the state of another that takes as many bytes and as much work.
#[test]
fn the_state_of_another_run_is_refused() {
    let folder = Folder::new("sample_resume_other");
    folder.write("d.csv", table(40));
    for flags in [
        "--sampler split-hmc --chains 2 --warmup 5 --draws 9",
        "--sampler independence --reference gaussian --chains 2 --warmup 5 --draws 9",
        "--sampler smc --particles 32 --precision f32",
        "--sampler tempering --ladder .1,1 --chains 2 --warmup 5 --draws 9",
        "--sampler auto --chains 2 --warmup 5 --draws 9",
    ] {
        let run = |more: &str| folder.lcc(&format!("sample {flags} --data d.csv --quiet {more}"));
        run("--checkpoint s").expect(0);
        run("--checkpoint t --seed 2").expect(0);
        let (settings, state) = read(&folder, "s");
        write(&folder, "t", &settings, &read(&folder, "t").1);
        refused(run("--checkpoint t --resume"), OTHER);
        write(&folder, "t", &settings, &state);
        run("--checkpoint t --resume").expect(0);
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
fn forged_progress_is_refused() {
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

/// Everything that a run left, its standard output included, without timings and temporary names.
fn results(folder: &Folder, arguments: &str, threads: u32) -> Vec<(String, Vec<u8>)> {
    let before = folder.list();
    let run = folder
        .lcc(&format!("{arguments} --quiet --json o.json --draws-csv c --threads {threads}"))
        .expect(0);
    let report: String = run.out.lines().filter(|l| !l.starts_with("cost")).collect();
    let mut all = vec![("stdout".to_string(), report.into_bytes())];
    for name in folder.list().into_iter().filter(|name| !before.contains(name)) {
        let bytes = if name == "o.json" {
            without_seconds(&folder.text(&name)).into_bytes()
        } else {
            folder.bytes(&name)
        };
        folder.remove(&name);
        all.push((name, bytes));
    }
    all
}

fn same_bytes(name: &str, arguments: &str, files: usize) {
    let folder = Folder::new(name);
    folder.write("d.csv", table(60));
    let one = results(&folder, arguments, 1);
    assert_eq!(one.len(), files, "{:?}", one.iter().map(|(n, _)| n).collect::<Vec<_>>());
    for threads in [2, 3] {
        let many = results(&folder, arguments, threads);
        for (a, b) in one.iter().zip(&many) {
            assert_eq!(a.0, b.0);
            assert!(a.1 == b.1, "{arguments}, {threads} threads: {} differs", a.0);
        }
        assert_eq!(one.len(), many.len());
    }
}

#[test]
fn chains_of_every_kind() {
    for (k, (sampler, chains)) in [
        ("split-hmc --chains 24", 24),
        ("split-hmc --chains 7 --precision f32", 7),
        ("split-hmc --chains 6 --antithetic", 6),
        ("gibbs --chains 13 --coupling two-sided", 13),
        // The lines cost chains different numbers of evaluations.
        ("hit-and-run --chains 12 --prior l1 --scale 2", 12),
        ("independence --chains 12 --reference student-t", 12),
        ("xi-langevin --chains 9 --posterior joint --neurons 2", 9),
        ("mala --chains 9", 9),
    ]
    .into_iter()
    .enumerate()
    {
        let arguments =
            format!("sample --data d.csv --sampler {sampler} --warmup 20 --draws 30 --alpha .05");
        // The draws, the JSON and standard output.
        same_bytes(&format!("threads_sample_{k}"), &arguments, chains + 2);
    }
}

/// Stopped under two threads, taken up by three: the bytes of one thread that was never stopped.
#[cfg(unix)]
#[test]
fn interrupted_and_resumed_by_another_number_of_threads() {
    let folder = Folder::new("threads_resume");
    folder.write("big.csv", table(3000));
    let flags =
        "sample --data big.csv --sampler split-hmc --chains 24 --warmup 60 --draws 1500 --quiet";
    folder.interrupt(&format!("{flags} --threads 2"));
    folder
        .lcc(&format!("{flags} --checkpoint s --resume --threads 3 --draws-csv b --json b.json"))
        .expect(0);
    folder.lcc(&format!("{flags} --draws-csv a --json a.json")).expect(0);
    for chain in 1..=24 {
        let [a, b] = ["a", "b"].map(|tag| folder.bytes(&format!("{tag}_{chain}.csv")));
        assert!(a == b, "chain {chain}");
    }
    assert_eq!(without_seconds(&folder.text("a.json")), without_seconds(&folder.text("b.json")));
}

#[test]
fn what_threads_are_not_of_is_refused() {
    let folder = Folder::new("sample_threads_refused");
    folder.write("d.csv", table(60));
    for sampler in ["auto", "smc", "tempering"] {
        folder
            .lcc(&format!("sample --data d.csv --sampler {sampler} --threads 2"))
            .fails(2, &["--threads is of samplers that run chains apart", sampler]);
    }
    // Fewer blocks of lanes than threads: said, and done.
    let run = folder
        .lcc(
            "sample --data d.csv --sampler split-hmc --chains 4 --draws 10 --warmup 10 --threads 2",
        )
        .expect(0);
    let said = "4 chains, 8 to a thread at least, are work for 1 of 2 threads";
    assert!(run.err.contains(said), "{}", run.err);
}
