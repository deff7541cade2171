//! Threads change no byte of any result.

mod common;

use common::{Folder, table, without_seconds};

fn with_data(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("d.csv", table(60));
    folder.write("t.csv", table(20));
    folder
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
    let folder = with_data(name);
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
fn networks() {
    let small = "--method network --neurons 3 --warmup 20 --draws 24 --keep 6";
    let all =
        "--test t.csv --model m.lcc --predictions p.csv --plot p.svg --log-lik l.csv --c-array m.h";
    same_bytes("threads_fit_f32", &format!("fit --data d.csv --chains 9 {small} {all}"), 9 + 7);
    let arguments = format!("fit --data d.csv --chains 12 --precision f64 {small}");
    same_bytes("threads_fit_f64", &arguments, 12 + 2);
}

#[test]
fn methods_that_threads_are_not_of_are_refused() {
    let folder = with_data("threads_refused");
    folder
        .lcc("fit --data d.csv --method greedy --threads 2")
        .fails(2, &["--threads is not of --method greedy"]);
    // Fewer blocks of lanes than threads: said, and done.
    let run = folder
        .lcc(
            "fit --data d.csv --layers 2 --chains 4 --start 9 --leapfrogs 9 --draws 6 --warmup 2 --threads 2",
        )
        .expect(0);
    assert!(
        run.err.contains("4 chains, 8 to a thread at least, are work for 1 of 2 threads"),
        "{}",
        run.err
    );
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
        let alpha = if sampler.contains("joint") { "" } else { "--alpha .05" };
        let arguments =
            format!("sample --data d.csv --sampler {sampler} --warmup 20 --draws 30 {alpha}");
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
fn samplers_that_threads_are_not_of_are_refused() {
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
