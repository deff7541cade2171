//! What goes wrong outside: the process is killed, the disk is full, a reader leaves. Results are whole or
//! not there, and every refusal is one sentence.
#![cfg(unix)]

mod common;
use common::{Folder, Run, table, without_seconds};
use lcc_tests::tools::{run, runs};
use std::fs;
use std::process::Command;
use std::time::Instant;

const SMALL: &str =
    "--method network --neurons 3 --chains 2 --warmup 60 --draws 40 --keep 10 --quiet";

/// The program under a shell's limits and redirections.
fn shell(folder: &Folder, script: &str) -> Run {
    let script = script.replace("lcc ", &format!("{} ", env!("CARGO_BIN_EXE_lcc")));
    Run::from(
        Command::new("sh").arg("-c").arg(script).current_dir(folder.path()).output().expect("sh"),
    )
}

/// One sentence on standard error, which says so.
fn one_sentence(run: Run, code: i32, part: &str) {
    let run = run.expect(code);
    assert!(run.err.contains(part), "\"{part}\" is not in: {}", run.err);
    assert_eq!(run.err.lines().count(), 1, "{}", run.err);
}

/// SIGKILL at many moments of a run that writes checkpoints, now and then to the end from what is found there: the bytes
/// of a run that was never stopped. A checkpoint that was written by half would be refused for its checksum.
fn killed_and_resumed(name: &str, arguments: &str, results: &[&str], times: u32) {
    let folder = Folder::new(&format!("killed_{name}"));
    folder.write("d.csv", table(400));
    let result = |more: &str| {
        let run = folder.lcc(&format!("{arguments} --quiet {more}")).expect(0);
        let all = results.iter().map(|name| match name.ends_with(".json") {
            true => without_seconds(&folder.text(name)).into_bytes(),
            false => folder.bytes(name),
        });
        let all: Vec<Vec<u8>> = all.collect();
        results.iter().for_each(|name| folder.remove(name));
        (all, run.err)
    };
    let begun = Instant::now();
    let whole = result("");
    let length = begun.elapsed();
    let mut state = 12345_u32;
    let (mut killed, mut taken_up) = (0, 0);
    for k in 0..times {
        let resume = if folder.has("s") { "--resume" } else { "" };
        taken_up += u32::from(folder.has("s"));
        let mut child = folder.start(&format!("{arguments} --quiet --checkpoint s {resume}"));
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        std::thread::sleep(length.mul_f64(f64::from(state >> 8) / f64::from(1 << 24)));
        child.kill().expect("it was not waited for");
        let code = child.wait().expect("it ends").code();
        assert!(code.is_none() || code == Some(0), "{name}, {k}: {code:?}");
        killed += u32::from(code.is_none());
        if code == Some(0) || k % 4 == 3 {
            let resume = if folder.has("s") { "--resume" } else { "" };
            assert!(
                result(&format!("--checkpoint s {resume}")) == whole,
                "{name}: differs after kill {k}"
            );
            folder.list().iter().filter(|n| *n != "d.csv").for_each(|n| folder.remove(n));
        }
    }
    println!(
        "{name}: {killed} of {times} killed midway in {length:?}, {taken_up} begun from a checkpoint"
    );
    // How many there are is the machine's affair: of many some.
    assert!(killed > 0 && (taken_up > 0 || times < 10), "{name}: {killed}, {taken_up} of {times}");
}

#[test]
fn killed_runs_are_taken_up_to_the_bit() {
    let (chains, times) = (["o_1.csv", "o_2.csv", "o.json"], runs(4, 50));
    killed_and_resumed(
        "chains",
        "sample --data d.csv --alpha .05 --chains 2 --warmup 100 --draws 6000 --draws-csv o --json o.json",
        &chains,
        times,
    );
    killed_and_resumed(
        "tempering",
        "sample --data d.csv --sampler tempering --alpha .01 --chains 2 --warmup 100 --draws 3000 \
         --ladder .05,.2,.5,1 --draws-csv o --json o.json",
        &chains,
        times,
    );
    killed_and_resumed(
        "smc",
        "sample --data d.csv --sampler smc --alpha .02 --particles 20000 --draws-csv o --json o.json",
        &["o_1.csv", "o.json"],
        times,
    );
    killed_and_resumed(
        "fit",
        "fit --data d.csv --method bnn --layers 4 --chains 24 --start 300 --warmup 10 --draws 4 --model o",
        &["o"],
        times,
    );
}

/// The same at every call by which a checkpoint comes to the disk, one after the other: halfway through each write, and
/// before it is settled.
#[cfg(target_os = "linux")]
#[test]
fn killed_at_every_step_of_a_checkpoint() {
    let folder = Folder::new("killed_steps");
    folder.write("d.csv", table(400));
    let shim = folder.path().join("shim.so");
    run(Command::new("cc")
        .args(["-shared", "-fPIC", "-o"])
        .arg(&shim)
        .args([concat!(env!("CARGO_MANIFEST_DIR"), "/tests/faults.c"), "-ldl"]));
    let flags = "sample --data d.csv --alpha .05 --chains 2 --warmup 50 --draws 1500 --quiet --checkpoint s";
    folder.lcc(&format!("{flags} --draws-csv whole")).expect(0);
    let whole = folder.bytes("whole_1.csv");
    folder.remove("s");
    let mut found = [0, 0];
    // A checkpoint takes 2 calls.
    for k in 1..=runs(8, 20) {
        let resume = if folder.has("s") { "--resume" } else { "" };
        let mut child = folder.command(&format!("{flags} {resume}"));
        child.env("LD_PRELOAD", &shim).env("KILL_AT", k.to_string());
        let status = child.status().expect("it starts");
        if status.success() {
            assert!(k > 4, "{k}: was not killed");
        } else {
            assert_eq!(std::os::unix::process::ExitStatusExt::signal(&status), Some(9), "{k}");
        }
        found[usize::from(folder.has("s"))] += 1;
        if folder.has("s") {
            folder.lcc(&format!("{flags} --resume --draws-csv b")).expect(0);
            assert!(folder.bytes("b_1.csv") == whole, "after call {k}");
            folder.remove("s");
        }
    }
    // Before the first takes its name there is none.
    assert!(found[0] >= 2 && found[1] >= 4, "{found:?}");
}

/// A process killed while it replaces a file: the old one whole, or the new one.
#[test]
fn a_killed_prediction_leaves_the_old_file_or_the_new_one() {
    let folder = Folder::new("killed_predict");
    folder.write("d.csv", table(60));
    folder.write("many.csv", table(3000));
    folder.lcc(&format!("fit --data d.csv --model m {SMALL}")).expect(0);
    let predict = "predict --model m --data many.csv --predictions p.csv";
    let begun = Instant::now();
    folder.lcc(predict).expect(0);
    let (length, new) = (begun.elapsed(), folder.bytes("p.csv"));
    let mut found = [0, 0];
    let times = runs(6, 50);
    for k in 0..times {
        folder.write("p.csv", "old");
        let mut child = folder.start(predict);
        // From the middle on, where the file is written.
        std::thread::sleep(length.mul_f64(0.2 + 0.9 * f64::from(k) / f64::from(times)));
        child.kill().expect("it was not waited for");
        let _ = child.wait().expect("it ends");
        let now = folder.bytes("p.csv");
        assert!(now == b"old" || now == new, "kill {k}: {} bytes", now.len());
        found[usize::from(now == new)] += 1;
    }
    println!("{found:?}: old files, new files");
    assert!(found[0] > 0, "no process was killed before its end");
}

/// What a killed process of the same number left (as in containers, where numbers come again) is in nobody's way.
#[test]
fn what_the_dead_left_is_in_nobodys_way() {
    let folder = Folder::new("stale");
    folder.write("d.csv", table(40));
    let lines = "echo left > m.part-$$; exec lcc fit --data d.csv --model m ";
    shell(&folder, &format!("{lines}{SMALL}")).expect(0);
    assert_eq!(folder.list().iter().filter(|name| name.contains(".part-")).count(), 1);
    assert!(folder.bytes("m").starts_with(b"LCCM"));
}

#[test]
fn a_full_disk_is_said_and_nothing_is_half_written() {
    let folder = Folder::new("full");
    folder.write("d.csv", table(400));
    folder.lcc(&format!("fit --data d.csv --model m {SMALL}")).expect(0);
    // Files of one block of 512 bytes at most: the limit that a process can set itself.
    for (command, name) in [
        (format!("fit --data d.csv --model o {SMALL}"), "o"),
        (format!("fit --data d.csv --json o {SMALL}"), "o"),
        ("predict --model m --data d.csv --predictions o".into(), "o"),
        ("sample --data d.csv --draws 200 --warmup 5 --quiet --draws-csv o".into(), "o_1.csv"),
    ] {
        let before = folder.list();
        let run = shell(&folder, &format!("ulimit -f 1; exec lcc {command}"));
        one_sentence(run, 1, &format!("lcc: {name}: writing failed: "));
        assert_eq!(folder.list(), before, "{command}");
        // Nor is what was there before.
        folder.write(name, "old");
        shell(&folder, &format!("ulimit -f 1; exec lcc {command}")).expect(1);
        assert_eq!(folder.bytes(name), b"old", "{command}");
        folder.remove(name);
    }
    // A checkpoint that cannot be written is said, and the run goes on.
    folder.write("o", "old");
    let sample = "lcc sample --data d.csv --draws 200 --warmup 5 --quiet --checkpoint o";
    let run = shell(&folder, &format!("ulimit -f 1; exec {sample}"));
    one_sentence(run, 0, "lcc: o: writing failed: ");
    assert_eq!(folder.bytes("o"), b"old");
    if fs::metadata("/dev/full").is_ok() {
        for command in ["predict --model m --data d.csv", "--version", "theory --help"] {
            let run = shell(&folder, &format!("lcc {command} > /dev/full"));
            one_sentence(run, 1, "lcc: standard output cannot be written");
        }
    }
}

#[test]
fn a_reader_that_leaves_had_what_it_wanted() {
    let folder = Folder::new("pipe");
    folder.write("d.csv", table(4000));
    folder.write("small.csv", table(60));
    folder.lcc(&format!("fit --data small.csv --model m {SMALL}")).expect(0);
    let run = shell(&folder, "{ lcc predict --model m --data d.csv; echo $? >&2; } | head -n 1");
    assert!(run.code == 0 && run.err.ends_with("\n0\n"), "{}", run.err);
    assert!(run.out.starts_with("mean,sd"), "{}", run.out);
    let list = folder.list();
    assert!(!list.iter().any(|name| name.contains(".part-")), "{list:?}");
}

#[test]
fn a_folder_that_takes_no_files_is_said_at_once() {
    let folder = Folder::new("no_folder");
    folder.write("d.csv", table(40));
    folder.write("file", "");
    fs::create_dir(folder.path().join("folder")).expect("made");
    // Where root may write everywhere: a folder that is none, one that is not there, a folder in the file's place.
    for (path, why) in [
        ("file/o", "Not a directory"),
        ("nowhere/o", "No such file"),
        ("/proc/o", "No such file"),
        ("folder", "Is a directory"),
    ] {
        let before = folder.list();
        for command in [
            format!("fit --data d.csv {SMALL} --model"),
            format!("fit --data d.csv {SMALL} --json"),
            "sample --data d.csv --draws 20 --warmup 5 --quiet --json".into(),
        ] {
            let run = folder.lcc(&format!("{command} {path}"));
            one_sentence(run, 1, why);
            assert_eq!(folder.list(), before);
        }
        let sample = "sample --data d.csv --draws 200 --warmup 5 --quiet --checkpoint";
        one_sentence(folder.lcc(&format!("{sample} {path}")), 0, why);
    }
    one_sentence(folder.lcc(&format!("fit --data folder {SMALL}")), 1, "Is a directory");
}
