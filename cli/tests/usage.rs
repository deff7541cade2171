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
    for arguments in ["sample --help", "certify -h"] {
        let run = folder.lcc(arguments).expect(0);
        assert!(run.out.contains("--posterior") && run.err.is_empty(), "{arguments}");
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
        ("certify", "--data is missing"),
        ("certify --data d.csv --sampler smc", "auto or chains"),
        ("certify --data d.csv --chains 3", "even number"),
        ("certify --data d.csv --prior l1 --reduced", "--prior gaussian"),
        ("certify --data d.csv --query d.csv", "no option \"--query\""),
        ("sample", "--data is missing"),
        ("sample --data d.csv --sampler nuts", "it has: auto split-hmc"),
        ("sample --data d.csv --activation ramp", "this build has no \"ramp\"; it has: tanh"),
        ("sample --data d.csv --posterior other", "it has: greedy joint"),
        ("sample --data d.csv --prior laplace", "it has: gaussian l1"),
        ("sample --data d.csv --coupling three-sided", "it has: one-sided two-sided none"),
        ("sample --data d.csv --sampler gibbs --coupling none", "works on a coupling"),
        ("sample --data d.csv --sampler smc --ladder even:0", "--ladder: \"even:0\" is none of"),
        ("sample --data d.csv --sampler smc --ladder even:1001", "is none of"),
        ("sample --data d.csv --sampler smc --ladder even:2.5", "is none of"),
        ("sample --data d.csv --sampler smc --ladder adaptive:1", "is none of"),
        ("sample --data d.csv --sampler smc --ladder adaptive:nan", "is none of"),
        ("sample --data d.csv --sampler smc --ladder geometric:4", "is none of"),
        ("sample --data d.csv --sampler smc --ladder geometric:4:0", "is none of"),
        ("sample --data d.csv --sampler smc --ladder geometric:4:0.1x", "is none of"),
        ("sample --data d.csv --sampler tempering --ladder .1,.5", "ends in 1"),
        ("sample --data d.csv --sampler tempering --ladder .5,.1,1", "increasing"),
        ("sample --data d.csv --sampler tempering --ladder 0,1", "above 0"),
        ("sample --data d.csv --sampler tempering --ladder .5,,1", "is none of"),
        ("sample --data d.csv --sampler tempering --ladder .5,1,", "is none of"),
        ("sample --data d.csv --sampler smc --particles 1", "from 2 to"),
        ("sample --data d.csv --sampler smc --moves 0", "from 1 to"),
        (
            "sample --data d.csv --sampler gibbs --particles 64",
            "of chains with a fitted --reference, not of gibbs",
        ),
        ("sample --data d.csv --ladder even:4", "of smc and tempering"),
        (
            "sample --data d.csv --sampler smc --reference student-t",
            "prior or gaussian, not student-t",
        ),
        ("sample --data d.csv --reference laplace", "it has: prior gaussian student-t mixture"),
        ("sample --data d.csv --antithetic", "are not of auto"),
        ("sample --data d.csv --sampler smc --antithetic", "is of chains, not of smc"),
        ("sample --data d.csv --sampler hmc --particles 64", "of chains with a fitted --reference"),
        (
            "sample --data d.csv --sampler tempering --reference gaussian",
            "--reference and --antithetic are not of tempering",
        ),
        ("sample --data d.csv --posterior joint --signs minus", "it has: alternating positive"),
        ("sample --data d.csv --neurons 3", "--neurons is of --posterior joint"),
        ("certify --data d.csv --posterior joint --alpha 2", "--alpha is of --posterior greedy"),
        ("sample --data d.csv --sampler smc --draws 9", "--particles are the draws"),
        ("fit --data d.csv --network mixture=.5", "--network mixture is not of --method bnn"),
        (
            "fit --data d.csv --output gaussian --network tail=4",
            "--network tail is not of --output gaussian",
        ),
        ("sample --data d.csv --scale 0", "above 0"),
        ("sample --data d.csv --alpha inf", "finite number"),
        ("sample --data d.csv --resume", "--resume needs --checkpoint"),
        ("sample --data d.csv --checkpoint d.csv", "will not be overwritten"),
        ("sample --data d.csv --data d.csv", "given twice"),
        ("sample --data d.csv --samplr hmc", "is \"--sampler\" meant?"),
        ("sample --data d.csv --sampler splithmc", "is \"split-hmc\" meant?"),
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

#[test]
fn files_that_samplers_cannot_use_exit_1() {
    let folder = Folder::new("sample_cannot");
    folder.write("d.csv", table(30));
    folder.write("noise.lcc", "these bytes are no state");
    let run = |more: &str| folder.lcc(&format!("sample --data d.csv --quiet {more}"));
    run("--checkpoint absent.state --resume").fails(1, &["absent.state: cannot be read"]);
    run("--checkpoint noise.lcc --resume").fails(1, &["noise.lcc: is not a checkpoint"]);
    run("--draws-csv absent/c").fails(1, &["absent/c_1.csv: cannot be written"]);
    folder.write("swapped.csv", "b,a\n0,0\n");
    run("--query swapped.csv").fails(1, &["swapped.csv: input 1 is \"b\", in d.csv it is \"a\""]);
    folder.write("wide.csv", "a,b,c\n0,0,0\n");
    run("--query wide.csv").fails(1, &["wide.csv: has 3 inputs, d.csv has 2"]);
    folder.write("large.csv", "a,b,y\n0,1e39,2\n");
    folder
        .lcc("sample --data large.csv --precision f32")
        .fails(1, &["large.csv: row 1", "too large for single precision"]);
    assert_eq!(folder.list(), ["d.csv", "large.csv", "noise.lcc", "swapped.csv", "wide.csv"]);
}

#[test]
fn the_delimiter_of_sample_and_certify_may_be_named() {
    let folder = Folder::new("delimiters");
    folder.write("d.csv", table(30));
    folder.write("s.csv", table(30).replace(',', ";"));
    let small = "--chains 2 --warmup 20 --draws 20 --quiet --json -";
    let sample = format!("sample --sampler hmc {small}");
    let told = folder.lcc(&format!("{sample} --data d.csv")).expect(0).out;
    let named = folder.lcc(&format!("{sample} --data s.csv --delimiter semicolon")).expect(0).out;
    assert_eq!(common::without_seconds(&named), common::without_seconds(&told));
    let asked = format!("{sample} --data s.csv --query s.csv --delimiter semicolon");
    folder.lcc(&asked).expect(0);
    let certify = format!("certify --probes 0 {small}");
    folder.lcc(&format!("{certify} --data s.csv --delimiter semicolon")).expect(0);
    for command in [sample, certify] {
        let run = folder.lcc(&format!("{command} --data s.csv --delimiter tab"));
        run.fails(1, &["no column called \"y\""]);
        folder.lcc(&format!("{command} --data s.csv --delimiter dot")).fails(2, &["dot"]);
    }
}
