//! What a terminal is offered: `show`, `doctor`, completions and the manual.

mod common;
use common::{Folder, table};
use std::fs;
use std::path::Path;
use std::process::Command;

const COMMANDS: [&str; 15] = [
    "demo",
    "fit",
    "compare",
    "predict",
    "loo",
    "report",
    "sample",
    "certify",
    "theory",
    "vae",
    "show",
    "convert",
    "doctor",
    "completions",
    "manual",
];

#[test]
fn show_tells_what_a_model_holds() {
    let folder = Folder::new("show");
    let kinds = table(60).replace("a,b,y", "\"a \"\"b\"\"\",years,y");
    folder.write("d.csv", kinds);
    let fit = "fit --data d.csv --layers 3,2 --chains 2 --warmup 2 --draws 3 --start 30 \
               --leapfrogs 10 --quiet --model m.lcc";
    folder.lcc(fit).expect(0);
    let run = folder.lcc("show m.lcc --json s.json").expect(0);
    let json = folder.json("s.json");
    let bytes = folder.bytes("m.lcc");
    let hash = bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x100_0000_01b3));
    assert_eq!(json["bytes"], bytes.len());
    assert_eq!(json["checksum"], format!("{hash:016x}"));
    assert!(run.out.contains(&format!("FNV-1a {hash:016x}")), "{}", run.out);
    assert_eq!((&json["kind"], &json["output"]), (&"numbers".into(), &"student-t".into()));
    assert_eq!((&json["layers"], &json["precision"]), (&"3, 2".into(), &32.into()));
    assert_eq!(json["columns"][0]["name"], "a \"b\"");
    // Of each input what the data have.
    let (_, rows) = common::parse_csv(&folder.text("d.csv"));
    let least = rows.iter().map(|r| r[1]).fold(f64::INFINITY, f64::min);
    assert_eq!(json["columns"][1]["least"], least);
    // And of the fit what decides its bytes.
    let method = json["fit"]["method"].as_str().expect("a method");
    assert_eq!(method, "bnn: layers of 3,2; 2 chains of 2 + 3 draws, f32, seed 1");
    assert_eq!(json["fit"]["options"], "--chains 2 --start 30 --leapfrogs 10");
    assert!(run.out.contains("\ntrained on  60 rows of 2 inputs, checksum "), "{}", run.out);
    assert_eq!(folder.lcc("show m.lcc --json -").expect(0).out, folder.text("s.json"));

    folder.write("noise.lcc", "these bytes are not a model");
    folder.lcc("show").fails(2, &["a model is missing"]);
    folder.lcc("show m.lcc x").fails(2, &["unexpected \"x\""]);
    folder.lcc("show noise.lcc").fails(1, &["noise.lcc: "]);
    folder.lcc("show absent.lcc").fails(1, &["cannot be read"]);
    folder.lcc("show m.lcc --json m.lcc").fails(2, &["will not be overwritten"]);
}

/// The bits that `doctor` expects are those that the tests hold every machine to.
#[test]
fn doctor_draws_the_golden_bits() {
    let run = Folder::new("doctor").lcc("doctor").expect(0);
    assert_eq!(run.err, "");
    Folder::new("doctor").lcc("doctor x").fails(2, &["unexpected \"x\""]);
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let golden = fs::read_to_string(here.join("../tests/golden/bits.txt")).expect("the bits");
    let source =
        fs::read_to_string(here.join("../core/model/src/selftest.rs")).expect("the source");
    let own: Vec<String> = source
        .lines()
        .filter_map(|l| l.trim().strip_prefix("[0x"))
        .map(|l| l.trim_end_matches("],").replace("0x", "").replace('_', ""))
        .collect();
    assert_eq!(own.len(), 18);
    assert!(run.out.contains("self-test   36 of 36 runs draw the golden bits"), "{}", run.out);
    for bits in own.iter().flat_map(|l| l.split(", ")) {
        assert!(golden.contains(bits), "{bits}");
    }
}

/// Every option that a command takes stands in its help.
#[test]
fn options_are_listed_from_the_table_that_parses_and_stand_in_the_help() {
    let folder = Folder::new("listed");
    for command in [
        "demo", "fit", "predict", "loo", "report", "sample", "certify", "theory", "show", "convert",
    ] {
        let run = folder.lcc(&format!("{command} --list-options")).expect(0);
        let help = folder.lcc(&format!("{command} --help")).out;
        assert!(run.out.lines().count() > 0 && run.err.is_empty(), "{command}");
        for option in run.out.lines() {
            assert!(option.starts_with('-') && help.contains(option), "{command}: {option}");
        }
    }
    assert!(folder.lcc("fit --list-options").out.lines().any(|l| l == "--test-share"));
    folder.lcc("fit --list-options --quiet").fails(2, &["no option \"--list-options\""]);
}

#[test]
fn shells_complete_commands_and_options() {
    let folder = Folder::new("completions");
    for shell in ["bash", "zsh", "fish"] {
        let script = folder.lcc(&format!("completions {shell}")).expect(0).out;
        for command in COMMANDS {
            assert!(script.contains(command), "{shell}: {script}");
        }
        folder.write(shell, &script);
    }
    folder.lcc("completions").fails(2, &["bash, zsh or fish"]);
    folder.lcc("completions tcsh").fails(2, &["one of bash, zsh, fish"]);
    let complete = |words: &str, at: u32| {
        let program = env!("CARGO_BIN_EXE_lcc");
        let script = format!(
            "source ./bash; COMP_WORDS=('{program}' {words}); COMP_CWORD={at}; _lcc '{program}' \"${{COMP_WORDS[COMP_CWORD]}}\" \"${{COMP_WORDS[COMP_CWORD-1]}}\"; echo \"${{COMPREPLY[*]}}\""
        );
        let mut bash = Command::new("bash");
        // Only what it writes counts: some shells have no programmable completion.
        let run = bash.args(["-c", &script]).current_dir(folder.path()).output().ok()?;
        run.status.success().then(|| String::from_utf8(run.stdout).expect("UTF-8"))
    };
    if complete("''", 1).is_none() {
        println!("SKIPPED: no bash that completes");
        return;
    }
    assert_eq!(complete("re", 1).as_deref(), Some("report\n"));
    assert_eq!(complete("completions f", 2).as_deref(), Some("fish\n"));
    assert_eq!(complete("fit --test", 2).as_deref(), Some("--test --test-share\n"));
    assert_eq!(complete("fit --data x", 3).as_deref(), Some("\n"));
}

/// Every command shows how it is called, by options that are taken: what is missing is the files alone.
#[test]
fn examples_are_commands() {
    let folder = Folder::new("examples_of_help");
    let listed = folder.lcc("--help").expect(0).out;
    for command in COMMANDS {
        let help = folder.lcc(&format!("{command} --help")).expect(0).out;
        let examples: Vec<&str> =
            help.split("\nExamples:\n").nth(1).expect("some").lines().collect();
        assert!(!examples.is_empty() && listed.contains(command), "{command}");
        for example in examples {
            let words = example.strip_prefix("  lcc ").unwrap_or_else(|| panic!("{example}"));
            let run = folder.lcc(match command {
                "demo" => "demo --out results --seed 2 --neurons 2 --chains 2 --warmup 9 --draws 9 --keep 3 --quiet",
                _ => words.split(" >").next().expect("a command"),
            });
            let reads = words.contains(".csv") || words.contains(".lcc");
            let run = run.expect(i32::from(reads));
            assert!(!reads || run.err.contains("cannot be read"), "{example}: {}", run.err);
        }
    }
}

#[test]
fn the_manual_is_roff_of_every_help() {
    let folder = Folder::new("manual");
    let manual = folder.lcc("manual").expect(0).out;
    folder.lcc("manual x").fails(2, &["unexpected \"x\""]);
    for command in COMMANDS {
        let heading = format!("\n.SH LCC {}\n", command.to_uppercase());
        let at = manual.find(&heading).expect("its section");
        let section = &manual[at + 1..];
        for option in folder.lcc(&format!("{command} --list-options")).out.lines() {
            assert!(section.contains(&option.replace('-', "\\-")), "{command}: {option}");
        }
    }
    for code in ["0", "1", "2", "130"] {
        assert!(manual.contains(&format!(".TP\n.B {code}\n")), "{code}");
    }
}
