//! Commands, options and exit codes.

mod common;
use common::{Folder, table};

#[test]
fn version_lists_what_is_compiled_in() {
    let run = Folder::new("version").lcc("--version").expect(0);
    let line = |start: &str| {
        run.out
            .lines()
            .find(|line| line.starts_with(start))
            .unwrap_or_else(|| panic!("no {start} in {}", run.out))
            .to_string()
    };
    assert_eq!(line("lcc "), concat!("lcc ", env!("CARGO_PKG_VERSION")));
    assert_eq!(line("library "), concat!("library ", env!("CARGO_PKG_VERSION")));
    assert_eq!(line("ABI "), "ABI 1");
    assert_eq!(line("precisions"), "precisions f32 f64");
    assert!(line("samplers").contains(" split-hmc"));
    assert!(line("samplers").ends_with(" smc tempering"));
    let methods = line("methods");
    let named = Folder::new("methods").lcc("fit --data d.csv --method none").expect(2).err;
    let names = named.split("it has:").nth(1).expect("the names").trim();
    assert_eq!(methods, format!("methods {names}"));
    assert!(names.starts_with("bnn network greedy prequential") && names.ends_with("swag"));
    assert!(line("activations").ends_with("silu arctan relu"));
    assert_eq!(run.err, "");
}

#[test]
fn help_goes_to_standard_output() {
    let folder = Folder::new("help");
    for arguments in
        ["--help", "fit --help", "predict -h", "loo -h", "show -h", "completions -h", "manual -h"]
    {
        let run = folder.lcc(arguments).expect(0);
        assert!(run.out.contains("lcc"), "{arguments}");
        assert_eq!(run.err, "", "{arguments}");
    }
    let fit = folder.lcc("fit --help").out;
    assert_eq!(folder.lcc("help fit").out, fit);
    folder.lcc("help nonsense").fails(2, &["no command \"nonsense\""]);
    for option in ["--test", "--split", "--train-500", "--keep", "--c-array", "--log-lik"] {
        assert!(fit.contains(option), "{option}");
    }
}

#[test]
fn wrong_usage_exits_2_and_says_what_is_wrong() {
    let folder = Folder::new("wrong_usage");
    folder.write("d.csv", table(30));
    for (arguments, part) in [
        ("nonsense", "no command \"nonsense\""),
        ("fit", "--data is missing"),
        ("predict --data d.csv", "--model is missing"),
        ("predict --model m.lcc", "--data is missing"),
        ("fit d.csv", "unexpected \"d.csv\""),
        ("fit --data d.csv --colour red", "no option \"--colour\""),
        ("fit --data", "--data needs a value"),
        ("fit --data d.csv --data d.csv", "given twice"),
        ("fit --data d.csv --quiet=yes", "takes no value"),
        ("fit --data d.csv --neurons 0", "from 1 to"),
        ("fit --data d.csv --neurons -3", "whole number"),
        ("fit --data d.csv --neurons 3.5", "whole number"),
        ("fit --data d.csv --seed -1", "whole number below 2^64"),
        ("fit --data d.csv --seed 18446744073709551616", "below 2^64"),
        ("fit --data d.csv --interval 1", "between 0 and 1"),
        ("fit --data d.csv --interval nan", "between 0 and 1"),
        ("fit --data d.csv --keep 9 --draws 8", "more than --draws"),
        ("fit --data d.csv --train-500", "--train-500 needs --split"),
        ("fit --data d.csv --split s.json", "FILE.json:K"),
        ("fit --data d.csv --split s.json:x", "FILE.json:K"),
        ("fit --data d.csv --split s.json:0 --test d.csv", "either"),
        ("fit --data d.csv --method bagging", "this build has no \"bagging\""),
        ("fit --data d.csv --precision f16", "this build has no \"f16\""),
        ("fit --data d.csv --model d.csv", "will not be overwritten"),
        ("fit --data d.csv --model r --predictions r", "same file"),
    ] {
        folder.lcc(arguments).fails(2, &["lcc: ", part]);
    }
    assert_eq!(folder.list(), ["d.csv"], "nothing is written on failure");
    assert_eq!(folder.text("d.csv"), table(30));
}

#[test]
fn files_that_cannot_be_used_exit_1() {
    let folder = Folder::new("cannot");
    folder.write("d.csv", table(30));
    folder.write("noise.lcc", "these bytes are not a model");
    folder.lcc("fit --data absent.csv").fails(1, &["absent.csv: cannot be read"]);
    folder
        .lcc("fit --data d.csv --model absent/m.lcc")
        .fails(1, &["absent/m.lcc: cannot be written"]);
    folder.lcc("predict --model noise.lcc --data d.csv").fails(1, &["noise.lcc: "]);
    folder
        .lcc("fit --data d.csv --checkpoint absent.state --resume --quiet")
        .fails(1, &["absent.state: cannot be read"]);
    folder
        .lcc("fit --data d.csv --checkpoint noise.lcc --resume --quiet")
        .fails(1, &["noise.lcc: is not a checkpoint"]);
    assert_eq!(folder.list(), ["d.csv", "noise.lcc"]);
}
