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
fn what_threads_are_not_of_is_refused() {
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
