//! The Bayesian network of many short chains: numbers, classes and counts; threads, checkpoints.

mod common;
use common::{Folder, parse_csv, table, without_seconds};
use lcc_tests::tools::by_turns;
use std::fmt::Write as _;

const SMALL: &str = "--layers 4 --chains 8 --start 100 --warmup 2 --draws 4 --leapfrogs 6 --quiet";

/// Points of a grid, and what becomes of each.
fn grid(header: &str, y: impl Fn(f64, f64) -> String) -> String {
    let mut text = format!("{header}\n");
    for i in 0..12 {
        for j in 0..10 {
            let (a, b) = (f64::from(i) / 4.0 - 1.4, f64::from(j) / 3.0 + 0.2);
            writeln!(text, "{a},{b},{}", y(a, b)).expect("text");
        }
    }
    text
}

fn number(value: &serde_json::Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("no number: {value}"))
}

#[test]
fn numbers_are_learnt_and_the_luck_is_told() {
    let folder = Folder::new("bnn_numbers");
    folder.write("d.csv", table(120));
    for (precision, layers) in [("f32", "4"), ("f64", "3,2"), ("f32", "0")] {
        let run = folder
            .lcc(&format!(
                "fit --data d.csv --test d.csv --model m.lcc --predictions p.csv --json r.json --log-lik l.csv \
                 --plot p.svg --precision {precision} {} --layers {layers}",
                SMALL.replace("--layers 4", "")
            ))
            .expect(0);
        assert!(run.out.contains("another seed would move a prediction by"), "{}", run.out);
        assert!(run.out.contains("y: numbers, by student-t"), "{}", run.out);
        let json = folder.json("r.json");
        assert_eq!(json["method"], "bnn");
        assert_eq!(json["parameters"]["output"], "student-t");
        assert_eq!(json["parameters"]["layers"], layers);
        assert_eq!(
            json["chains_used"].as_u64().zip(json["chains_dropped"].as_u64()).map(|(a, b)| a + b),
            Some(8)
        );
        assert!(json["divergences"].is_u64());
        for key in
            ["luck", "luck_median", "luck_test", "luck_test_median", "rhat_max", "acceptance"]
        {
            assert!(number(&json[key]) > 0.0, "{key}: {json}");
        }
        // The target's sd is about 2.5.
        assert!(number(&json["test"]["rmse"]) < 2.4, "{json}");
        assert!(number(&json["test"]["log_likelihood"]).is_finite());
        folder.lcc("predict --model m.lcc --data d.csv --predictions q.csv").expect(0);
        assert_eq!(folder.bytes("p.csv"), folder.bytes("q.csv"));
        assert_eq!(
            parse_csv(&folder.text("p.csv")).0,
            ["mean", "sd", "lower", "upper", "y", "row", "extrapolates"]
        );
        assert!(!folder.text("p.svg").contains("nan"));
    }
}

/// What a run tells of other seeds, at the test rows, over what other seeds do there: `moved` takes from a row of the
/// predictions what is predicted and its variance.
fn told_luck_over_luck(folder: &Folder, flags: &str, moved: impl Fn(&[f64]) -> (f64, f64)) -> f64 {
    const SEEDS: u32 = 32;
    let (mut told, mut means, mut variance) = (0.0, Vec::new(), 0.0);
    for seed in 1..=SEEDS {
        folder
            .lcc(&format!(
                "fit --data d.csv --test t.csv --predictions p.csv --json r.json --keep 2 --seed {seed} {SMALL} {flags}"
            ))
            .expect(0);
        told += number(&folder.json("r.json")["luck_test"]) / f64::from(SEEDS);
        let (_, rows) = parse_csv(&folder.text("p.csv"));
        let (mean, own): (Vec<f64>, Vec<f64>) = rows.iter().map(|r| moved(r)).unzip();
        variance += own.iter().sum::<f64>() / f64::from(SEEDS);
        means.push(mean);
    }
    let mut between = 0.0;
    for i in 0..means[0].len() {
        let own = || means.iter().map(|m| m[i]);
        let centre = own().sum::<f64>() / f64::from(SEEDS);
        between += own().map(|m| (m - centre).powi(2)).sum::<f64>() / f64::from(SEEDS - 1);
    }
    told / (between / variance).sqrt()
}

/// Without the number of chains in it it would be 2.8 times as much.
#[test]
fn the_luck_of_test_rows_is_that_of_other_seeds() {
    let folder = Folder::new("bnn_luck");
    folder.write("d.csv", table(120));
    // Beyond the data as well, where chains differ most.
    let line = |i: u32| format!("{},{},{}\n", f64::from(i) / 75.0 - 2.0, f64::from(i % 5) - 2.0, i);
    let header = table(1).lines().next().expect("a header").to_string();
    assert_eq!(header.split(',').count(), 3);
    folder.write("t.csv", header + "\n" + &(0..300).map(line).collect::<String>());
    let ratio = told_luck_over_luck(&folder, "", |row| (row[0], row[1] * row[1]));
    assert!((0.8..1.25).contains(&ratio), "{ratio}");
}

/// The same of the probability of a class, whose training rows the network is sure of. (What the temperature of a
/// calibration adds, all chains share.)
#[test]
fn the_luck_of_classes_is_that_of_other_seeds() {
    let folder = Folder::new("bnn_luck_classes");
    let rows = |n: u32, reach: f64| {
        let line = |i: u32| {
            let x = reach * (f64::from(i % 17) / 8.0 - 1.0);
            let z = reach * (f64::from(i % 13) / 6.0 - 1.0);
            format!("{x},{z},{}\n", u8::from(x * x + z > 0.4))
        };
        "x,z,y\n".to_string() + &(0..n).map(line).collect::<String>()
    };
    folder.write("d.csv", rows(120, 1.0));
    folder.write("t.csv", rows(221, 1.7));
    let ratio = told_luck_over_luck(&folder, "--no-calibration", |row| (row[2], row[1] * row[2]));
    assert!((0.8..1.25).contains(&ratio), "{ratio}");
}

#[test]
fn classes_are_told_apart_and_scored() {
    let folder = Folder::new("bnn_classes");
    let three = grid("a,b,y", |a, b| {
        ["\"low, or so\"", "mid", "top"][usize::from(a + b > 1.0) + usize::from(a + b > 2.5)].into()
    });
    folder.write("d.csv", &three);
    for (precision, also) in [("f32", ""), ("f64", ""), ("f32", "--no-calibration")] {
        let run = folder
            .lcc(&format!(
                "fit --data d.csv --test d.csv --model m.lcc --predictions p.csv --json r.json --precision {precision} {also} {SMALL}"
            ))
            .expect(0);
        assert!(run.out.contains("3 classes") && run.out.contains("by softmax"), "{}", run.out);
        assert!(run.out.contains("accuracy") && run.out.contains("AUROC"), "{}", run.out);
        let json = folder.json("r.json");
        let test = &json["test"];
        // By held-out rows, on which clear borders are told too cautiously.
        let calibrated = also.is_empty();
        assert_eq!(json["temperature"].is_number(), calibrated, "{json}");
        assert_eq!(run.out.contains("calibration temperature"), calibrated, "{}", run.out);
        if calibrated {
            assert!((0.01..1.0).contains(&number(&json["temperature"])), "{json}");
        }
        // What always names the largest class is right for less than half.
        assert!(number(&test["accuracy"]) > 0.75, "{json}");
        assert!((number(&test["log_loss"]) + number(&test["log_likelihood"])).abs() < 1e-12);
        let text = folder.text("p.csv");
        let mut lines = text.lines();
        assert_eq!(
            lines.next(),
            Some(
                "class,\"p_low, or so\",p_mid,p_top,entropy,mutual_information,y,row,extrapolates"
            )
        );
        // The scores are those of the probabilities in the file.
        let (mut right, mut loss, mut rows) = (0, 0.0, 0);
        for line in lines {
            let line = line.replace("\"low, or so\"", "low");
            let cells: Vec<&str> = line.split(',').collect();
            let p: Vec<f64> = cells[1..4].iter().map(|c| c.parse().expect("a number")).collect();
            assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-6, "{line}");
            let entropy: f64 = p.iter().filter(|p| **p > 0.0).map(|p| -p * p.ln()).sum();
            let said: f64 = cells[4].parse().expect("a number");
            let mutual: f64 = cells[5].parse().expect("a number");
            // The information is of the posterior itself, whatever the temperature.
            let most = if calibrated { 3.0_f64.ln() } else { said + 1e-6 };
            assert!((entropy - said).abs() < 1e-4 && (0.0..=most).contains(&mutual), "{line}");
            let names = ["low", "mid", "top"];
            let top = (0..3).max_by(|i, j| p[*i].total_cmp(&p[*j])).expect("one");
            assert_eq!(cells[0], names[top]);
            right += i32::from(cells[0] == cells[6]);
            loss -= p[names.iter().position(|n| *n == cells[6]).expect("a class")].ln();
            rows += 1;
        }
        assert_eq!(rows, 120);
        assert!((f64::from(right) / 120.0 - number(&test["accuracy"])).abs() < 1e-6);
        assert!((loss / 120.0 - number(&test["log_loss"])).abs() < 1e-4);
        assert_eq!(test["noise"]["n"], 120);
        for key in ["auroc_entropy", "auroc_mutual_information"] {
            assert!((0.0..=1.0).contains(&number(&test["noise"][key])), "{json}");
        }
        folder
            .lcc("predict --model m.lcc --data d.csv --predictions q.csv --json q.json")
            .expect(0);
        assert_eq!(folder.bytes("p.csv"), folder.bytes("q.csv"));
        assert_eq!(folder.json("q.json")["test"]["accuracy"], test["accuracy"]);
    }
    // Two classes, as numbers, guessed; and as numbers after all where the user says so.
    folder.write("two.csv", grid("a,b,y", |a, _| format!("{}", u8::from(a > 0.1))));
    let run = folder.lcc(&format!("fit --data two.csv --test two.csv {SMALL}")).expect(0);
    assert!(
        run.out.contains("2 classes, 0 and 1, by bernoulli (--output regression"),
        "{}",
        run.out
    );
    let run = folder.lcc(&format!("fit --data two.csv --output gaussian {SMALL}")).expect(0);
    assert!(run.out.contains("numbers, by gaussian"), "{}", run.out);
    // A class that no row had that trained.
    folder.write("t.csv", three.replace("mid", "middle"));
    folder.lcc(&format!("fit --data d.csv --test t.csv {SMALL}")).fails(1, &["t.csv", "middle"]);
}

#[test]
fn counts_have_an_exposure() {
    let folder = Folder::new("bnn_counts");
    let text = grid("a,time,y", |a, t| format!("{}", (t * (a + 1.5).exp()).round()));
    folder.write("d.csv", &text);
    for output in ["counts", "poisson"] {
        folder
            .lcc(&format!(
                "fit --data d.csv --test d.csv --exposure time --output {output} --model m.lcc --predictions p.csv \
                 --json r.json {SMALL}"
            ))
            .expect(0);
        let json = folder.json("r.json");
        // Its sd is about 11.
        assert!(number(&json["test"]["rmse"]) < 3.0, "{json}");
        folder.lcc("predict --model m.lcc --data d.csv --predictions q.csv").expect(0);
        assert_eq!(folder.bytes("p.csv"), folder.bytes("q.csv"));
    }
    let run = folder.lcc(&format!("fit --data d.csv --exposure time {SMALL}")).expect(0);
    assert!(run.out.contains("counts, by negative-binomial"), "{}", run.out);
    folder
        .lcc(&format!("fit --data d.csv --exposure a {SMALL}"))
        .fails(1, &["d.csv: row 1", "is no exposure"]);
    let large = grid("a,time,y", |a, t| format!("{}", (3e7 * t * (a + 1.5).exp()).round()));
    folder.write("large.csv", large);
    let run = folder.lcc(&format!("fit --data large.csv --exposure time {SMALL}")).expect(0);
    assert!(
        run.err.contains("(y): single precision does not hold") && run.out.contains("f64"),
        "{}",
        run.err
    );
    // An input has a mean in its place, an exposure has none.
    folder.write("gap.csv", "a,time\n,1\n0,\n");
    folder
        .lcc("predict --model m.lcc --data gap.csv --missing mean")
        .fails(1, &["gap.csv: row 2", "column 2 (time)", "an exposure has no mean that would do"]);
    folder.write("real.csv", table(40));
    folder.lcc(&format!("fit --data real.csv --output poisson {SMALL}")).fails(1, &["is no count"]);
}

/// Without what depends on the clock, and the memory: each thread has some of its own.
fn without_room(json: &str) -> String {
    let mut json = without_seconds(json);
    let at = json.find("\"bytes_workspace\"").expect("a key");
    let end = at + json[at..].find('\n').expect("a line");
    json.replace_range(at..end, "");
    json
}

#[test]
fn any_number_of_threads_writes_the_same_bytes() {
    let folder = Folder::new("bnn_threads");
    folder.write("d.csv", table(40));
    let run = |threads: u32| {
        folder
            .lcc(&format!(
                "fit --data d.csv --model m.lcc --json r.json --threads {threads} {}",
                SMALL.replace("--chains 8", "--chains 21")
            ))
            .expect(0);
        (folder.bytes("m.lcc"), without_room(&folder.text("r.json")))
    };
    let one = run(1);
    assert!(one == run(2) && one == run(3) && one == run(9));
}

#[cfg(unix)]
#[test]
fn interrupted_and_resumed_is_as_if_never_interrupted() {
    let folder = Folder::new("bnn_resume");
    folder.write("d.csv", table(400));
    let flags = "fit --data d.csv --quiet --layers 5 --chains 32 --start 4000 --leapfrogs 20";
    folder.lcc(&format!("{flags} --model whole.lcc --json whole.json")).expect(0);
    // By one thread it stops anywhere, by two after a block of each; either goes on from what the other left.
    for (threads, then) in [(1, 1), (2, 3), (1, 2), (2, 1)] {
        let run = folder.interrupt(&format!("{flags} --model part.lcc --threads {threads}"));
        assert!(run.err.contains("stopped"), "{}", run.err);
        let more = format!(
            "--checkpoint s --resume --threads {then} --model resumed.lcc --json resumed.json"
        );
        folder.lcc(&format!("{flags} {more}")).expect(0);
        assert_eq!(folder.bytes("resumed.lcc"), folder.bytes("whole.lcc"));
        assert_eq!(
            without_room(&folder.text("resumed.json")),
            without_room(&folder.text("whole.json"))
        );
    }
    folder
        .lcc(&format!("{flags} --checkpoint s --resume --seed 2"))
        .fails(1, &["s: belongs to a run with other settings", "seed 1", "seed 2"]);
    folder.write("d.csv", table(400).replacen("10.", "11.", 1));
    folder
        .lcc(&format!("{flags} --checkpoint s --resume"))
        .fails(1, &["s: belongs to a run with other settings"]);
}

#[test]
fn what_cannot_be_meant_is_refused() {
    let folder = Folder::new("bnn_refused");
    folder.write("d.csv", table(30));
    for (flags, part) in [
        ("--layers 5,0", "--layers"),
        ("--layers 1,2,3,4,5", "four layers at most"),
        ("--layers x", "--layers"),
        ("--layers 5,", "--layers"),
        ("--neurons 5", "not of --method bnn"),
        ("--draws-csv c", "not of --method bnn"),
        ("--method network --layers 5", "not of --method network"),
        ("--method greedy --output classes", "not of --method greedy"),
        ("--keep 7", "--keep 7 is more than --draws 6"),
        ("--output words", "this build has no \"words\""),
        ("--output gaussian --components 3", "--output mixture"),
        ("--output gaussian --exposure a", "--exposure is for counts"),
        ("--resume", "--resume needs --checkpoint"),
        ("--checkpoint d.csv", "will not be overwritten"),
    ] {
        folder.lcc(&format!("fit --data d.csv --quiet {flags}")).fails(2, &[part]);
    }
}

/// Methods that make no chains: each says what law it aims at, and its model predicts as every model does.
#[test]
fn modes_and_gaussians_say_what_they_aim_at() {
    let folder = Folder::new("bnn_modes");
    folder.write("d.csv", table(80));
    folder.write("c.csv", grid("a,b,y", |a, b| if a + b > 0.9 { "up" } else { "down" }.into()));
    for (method, more, law) in [
        ("map", "--layers 3", "the weights' mode"),
        ("maximum-likelihood", "", "the maximum of the likelihood"),
        ("laplace", "--layers 3 --draws 20", "a Gaussian about one mode"),
        ("laplace", "--layers 3 --draws 20 --sampled", "a Gaussian about one mode"),
        ("laplace-diagonal", "--layers 0", "without correlations"),
        ("last-layer", "--layers 3 --threads 2", "the output layer given all else"),
        (
            "ensemble",
            "--layers 3 --chains 3 --threads 2 --network rate=2 --batch 20",
            "on the way to modes of the posterior",
        ),
        ("dropout", "--layers 3 --dropout .2 --draws 20", "units left out at random"),
        ("variational", "--layers 3 --ascent 200 --batch 20", "without correlations nearest"),
        ("variational-full", "--layers 3 --ascent 200 --threads 2", "by the evidence bound"),
        ("variational-low-rank", "--layers 3 --ascent 200 --network rank=2", "few columns"),
        ("backprop", "--layers 3 --ascent 200 --network mixture=.5,prune=1", "too narrow"),
        ("swag", "--layers 3 --ascent 200 --network rank=2", "iterates of gradient ascent"),
    ] {
        let run = folder
            .lcc(&format!(
                "fit --data d.csv --method {method} {more} --start 100 --model m.lcc --predictions p.csv \
                 --json r.json --quiet"
            ))
            .expect(0);
        assert!(run.out.contains("aims at") && run.out.contains(law), "{}", run.out);
        let modeless = ["ensemble", "dropout"].contains(&method);
        assert!(
            !modeless || (run.out.contains("members") && !run.out.contains("\nmode ")),
            "{}",
            run.out
        );
        let json = folder.json("r.json");
        assert_eq!(json["method"], method);
        assert!(json["law"].as_str().expect("text").contains(law), "{json}");
        if method.starts_with("laplace") {
            assert!(number(&json["log_evidence"]) > number(&json["log_joint"]) - 1000.0, "{json}");
            let said = match (more.contains("--layers 0"), more.contains("--sampled")) {
                (true, _) => "mode",
                (false, true) => "its draws may predict worse",
                (false, false) => "the network linearised at the mode",
            };
            assert!(run.out.contains(said), "{}", run.out);
        }
        folder.lcc("predict --model m.lcc --data d.csv --predictions q.csv").expect(0);
        assert_eq!(folder.bytes("p.csv"), folder.bytes("q.csv"));
        if more.contains("--layers 3") {
            let units = if method == "map" { "relu" } else { "tanh" };
            let shown = folder.lcc("show m.lcc").expect(0);
            assert!(shown.out.contains(&format!("layers of 3; {units}")), "{}", shown.out);
        }
    }
    let run = folder
        .lcc("fit --data c.csv --method laplace --layers 0 --no-calibration --quiet")
        .expect(0);
    assert!(run.out.contains("log evidence"), "{}", run.out);
    folder
        .lcc("fit --data c.csv --method maximum-likelihood --quiet")
        .fails(1, &["the likelihood has no maximum"]);
    let numbers = "(y): its cells are words, and this fit is of numbers (--method bnn has classes";
    folder.lcc("fit --data c.csv --method greedy --quiet").fails(1, &[numbers]);
    for (flags, why) in [
        ("--method map --leapfrogs 3", "--leapfrogs is not of --method map"),
        ("--method laplace --warmup 3", "--warmup is not of --method laplace"),
        ("--method ensemble --draws 3", "--draws is not of --method ensemble"),
        ("--method dropout --ascent 3", "--ascent is not of --method dropout"),
        ("--method last-layer --sampled", "--sampled is not of --method last-layer"),
        ("--method bnn --sampled", "--sampled is not of --method bnn"),
        ("--method map --dropout .2", "--dropout is not of --method map"),
        ("--network rank=65", "NAME=VALUE"),
        ("--batch 4 --method relaxed", "--batch"),
        ("--method bnn --ascent 3", "--ascent is not of --method bnn"),
    ] {
        folder.lcc(&format!("fit --data d.csv {flags}")).fails(2, &[why]);
    }
}

/// Chains of part of the rows: their law, its temperature, and the noise of what they compare, with a warning where that is
/// too much.
#[test]
fn chains_of_part_of_the_rows_say_at_what_temperature() {
    let folder = Folder::new("bnn_walks");
    folder.write("d.csv", table(80));
    let usual = "--layers 3 --start 50 --warmup 4 --leapfrogs 20 --chains 4 --threads 2 --quiet --json r.json";
    for (method, more, law, tempered) in [
        ("tempered", "--batch 20", "tempered at T = rows/batch", 4.0),
        ("batched", "--batch 20 --network minibatches=4", "biased by the noise", 4.0),
        ("sgld", "--batch 20 --network decay=.6,delay=50", "biased by the step", 4.0),
        ("penalty", "--batch 20", "exact if changes of the loss are normal", 4.0),
        (
            "penalty",
            "--batch 40 --network full=1,penalty=2,minibatches=1",
            "T = 1 with full = 1",
            1.0,
        ),
    ] {
        let run = folder
            .lcc(&format!("fit --data d.csv --method {method} {more} {usual} --model m.lcc --predictions p.csv"))
            .expect(0);
        assert!(run.out.contains("aims at") && run.out.contains(law), "{}", run.out);
        assert!(run.out.contains(&format!("at T = {tempered}:")), "{}", run.out);
        let biased = ["batched", "sgld"].contains(&method);
        assert_eq!(run.out.contains("biased; by how much"), biased, "{}", run.out);
        let json = folder.json("r.json");
        assert_eq!(number(&json["tempered_at"]), tempered);
        assert!(number(&json["step"]) > 0.0 && number(&json["acceptance"]) > 0.01);
        let compares = ["batched", "penalty"].contains(&method);
        assert_eq!(json["variance_of_change"].is_number(), compares, "{json}");
        folder.lcc("predict --model m.lcc --data d.csv --predictions q.csv").expect(0);
        assert_eq!(folder.bytes("p.csv"), folder.bytes("q.csv"));
    }
    let much = "--batch 4 --network full=1,step=.3,minibatches=2";
    let run = folder.lcc(&format!("fit --data d.csv --method penalty {much} {usual}")).expect(0);
    assert!(run.out.contains("too much: chi^2 above 0.5"), "{}", run.out);
    for (flags, code, why) in [
        ("--method penalty --network minibatches=1", 1, "or one whose variance is to be estimated"),
        ("--method penalty --batch 81", 1, "a minibatch of more rows than there are"),
        ("--method sgld --network decay=.3", 1, "step"),
        ("--method sgld --ascent 3", 2, "--ascent is not of --method sgld"),
        ("--method batched --network full=2", 2, "NAME=VALUE"),
    ] {
        folder.lcc(&format!("fit --data d.csv {flags}")).fails(code, &[why]);
    }
}

/// Members of the library's options by their names: noise that is known is no longer learnt.
#[test]
fn options_of_the_network_are_set_by_name() {
    let folder = Folder::new("bnn_members");
    folder.write("d.csv", common::table(60));
    let quick = "--layers 3 --chains 2 --warmup 6 --draws 4 --start 60 --output gaussian --quiet";
    let width = |flags: &str| {
        folder.lcc(&format!("fit --data d.csv --predictions p.csv {flags} {quick}")).expect(0);
        let rows = parse_csv(&folder.text("p.csv")).1;
        rows.iter().map(|row| row[1]).sum::<f64>() / rows.len() as f64
    };
    let learnt = width("");
    // The target's sd is about 2.3: noise of its whole sd.
    let known = width("--network noise=1,input_scale=.5");
    assert!(known > 2.0 && learnt < 1.0, "{known} {learnt}");
    assert_eq!(width("--network=noise=0"), learnt);
    for wrong in ["noise", "noise=", "noise=x", "nonsense=1", "linear=.5", "noise=1,,tail=4"] {
        folder
            .lcc(&format!("fit --data d.csv --network {wrong} {quick}"))
            .fails(2, &["--network takes NAME=VALUE,... of lcc_bnn_options"]);
    }
    folder
        .lcc(&format!("fit --data d.csv --network noise=-1 {quick}"))
        .fails(1, &["the network: "]);
}

/// The clock decides how many chains there are; what it decided gives the same bytes without it.
#[test]
fn time_is_told_as_options_that_give_the_same_bytes() {
    let folder = Folder::new("bnn_time");
    folder.write("d.csv", table(80));
    let kinds = grid("a,b,y", |a, b| if a * b > 0.1 { "in" } else { "out" }.into());
    folder.write("k.csv", kinds);
    let small = "--layers 3 --warmup 2 --draws 4 --leapfrogs 6 --quiet";
    let all = [
        ("--data d.csv", "1s"),
        ("--data d.csv --cv 3", "2"),
        ("--data k.csv", ".02m"),
        ("--data d.csv --threads 2 --precision f64", "1s"),
    ];
    for (more, time) in by_turns(all, 2, 0) {
        let run = folder
            .lcc(&format!("fit {more} {small} --time {time} --model a.lcc --json a.json"))
            .expect(0);
        let told = folder.json("a.json");
        let options = told["time"]["options"].as_str().expect("text");
        assert!(run.out.contains(&format!("the same bytes without --time: {options}\n")));
        let chains: u32 = options.split(' ').nth(1).expect("chains").parse().expect("a number");
        assert!(chains >= 8 && told["parameters"]["chains"] == chains, "{options}");
        let same = small.replace("--leapfrogs 6 ", "");
        folder.lcc(&format!("fit {more} {same} {options} --model b.lcc --json b.json")).expect(0);
        assert_eq!(folder.bytes("a.lcc"), folder.bytes("b.lcc"), "{options}");
        assert_eq!(told["cv"]["rmse"], folder.json("b.json")["cv"]["rmse"]);
    }
    let fit = "fit --data d.csv --layers 3 --warmup 2 --draws 4 --quiet";
    for nonsense in ["0", "x", "3d", "-1", "1e400", "s", "nan", "1ss", "0x1"] {
        folder.lcc(&format!("{fit} --time {nonsense}")).fails(2, &["takes a time, as 30s, 2m"]);
    }
    folder.lcc(&format!("{fit} --time 3 --chains 8")).fails(2, &["either --time", "--chains"]);
    folder.lcc(&format!("{fit} --time 3 --checkpoint c")).fails(2, &["either --time"]);
    folder.lcc("fit --data d.csv --method greedy --time 3").fails(2, &["is not of --method"]);
    // Too short: the least work is done all the same, a tenth of the steps.
    let run = folder.lcc(&format!("{fit} --time .001 --json a.json")).expect(0);
    assert!(run.err.contains("too short for the least work"), "{}", run.err);
    let told = folder.json("a.json");
    let options = told["time"]["options"].as_str().expect("text");
    assert!(options.ends_with(" --start 100 --leapfrogs 6"), "{options}");
}

/// The same rows, seed and options are the same bytes, whoever fits: with the choice of the noise and the temperature.
#[test]
fn the_library_fits_what_the_command_line_fits() {
    use lcc_model::lcc_core::posterior::Image;
    use lcc_model::{Method, Options, Output, fit};
    let folder = Folder::new("parity");
    let flags = "--layers 3 --chains 8 --start 300 --warmup 10 --draws 4 --leapfrogs 60 --quiet";
    let numbers = |a: f64, b: f64| 0.3 * a + b.sin();
    let cases: [(&str, Output, u32, &dyn Fn(f64, f64) -> f64); 5] = [
        ("", Output::StudentT, 2, &numbers),
        ("", Output::StudentT, 2, &|a, b| (4.0 * numbers(a, b)).exp()),
        ("", Output::StudentT, 2, &|a, b| numbers(a, b).max(0.0)),
        ("--output bernoulli", Output::Bernoulli, 2, &|a, b| f64::from(a * b > 0.1)),
        ("--output softmax", Output::Softmax, 3, &|a, b| (a.abs() + b).round().clamp(0.0, 2.0)),
    ];
    for (k, (output, own, categories, y)) in cases.into_iter().enumerate() {
        folder.write("d.csv", grid("a,b,y", |a, b| y(a, b).to_string()));
        folder.lcc(&format!("fit --data d.csv {flags} {output} --model m.lcc")).expect(0);
        let (_, rows) = parse_csv(&folder.text("d.csv"));
        let column = |j: usize| rows.iter().map(move |row| row[j] as f32);
        let x: Vec<f32> = column(0).zip(column(1)).flat_map(|(a, b)| [a, b]).collect();
        let mut options = Options::<f32> { categories, ..Options::of(Method::Hmc, own, true) };
        options.widths = [3, 0, 0, 0];
        (options.chains, options.start_steps, options.warmup) = (8, 300, 10);
        (options.draws, options.leapfrogs) = (4, 60);
        let model = fit(&x, &column(2).collect::<Vec<_>>(), &options).expect("a fit");
        let theirs = folder.bytes("m.lcc");
        let mut bare = vec![0; theirs.len()];
        let length = Image::open(&theirs).expect("a model").attach(&[], &mut bare).expect("bytes");
        assert_eq!(model.bytes(), &bare[..length], "case {k}");
    }
}
