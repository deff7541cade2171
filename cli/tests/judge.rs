//! Fits judged on held-out rows, beside baselines, with standard errors.

mod common;
use common::{Folder, parse_csv, table, without_seconds};
use serde_json::Value;
use std::fmt::Write as _;

const SMALL: &str =
    "--method network --neurons 3 --chains 2 --warmup 40 --draws 20 --keep 5 --quiet";

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

fn near(ours: f64, exact: f64) {
    assert!((ours - exact).abs() < 2e-5 * (1.0 + exact.abs()), "{ours} for {exact}");
}

/// The mean and its standard error.
fn mean(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
    (mean, (squares / (n - 1.0) / n).sqrt())
}

/// A share of the rows, in their order; scores, errors and baselines against what the predictions say.
#[test]
fn a_share_tests_beside_baselines() {
    let folder = Folder::new("share");
    folder.write("d.csv", table(100));
    let fit = format!("fit --data d.csv --test-share .3 --predictions p.csv --json r.json {SMALL}");
    let run = folder.lcc(&fit).expect(0);
    let json = folder.json("r.json");
    let (_, told) = parse_csv(&folder.text("p.csv"));
    assert_eq!((&json["n"], told.len()), (&70.into(), 30));
    let (_, all) = parse_csv(&folder.text("d.csv"));
    let tests: Vec<usize> = told.iter().map(|row| row[5] as usize - 1).collect();
    assert!(tests.windows(2).all(|w| w[0] < w[1]));
    for (row, &at) in told.iter().zip(&tests) {
        assert!((row[4] - all[at][2]).abs() < 1e-5);
    }
    let squares: Vec<f64> = told.iter().map(|r| (r[0] - r[4]).powi(2)).collect();
    let (square, error) = mean(&squares);
    near(number(&json["test"]["rmse_error"]), error / (2.0 * square.sqrt()));

    // By the normal equations of an intercept and two inputs.
    let train: Vec<&Vec<f64>> =
        all.iter().enumerate().filter(|(i, _)| !tests.contains(i)).map(|(_, r)| r).collect();
    let n = train.len() as f64;
    let centre = [0, 1, 2].map(|k| train.iter().map(|r| r[k]).sum::<f64>() / n);
    let moment = |i: usize, j: usize| -> f64 {
        train.iter().map(|r| (r[i] - centre[i]) * (r[j] - centre[j])).sum()
    };
    let det = moment(0, 0) * moment(1, 1) - moment(0, 1).powi(2);
    let slope = [
        (moment(0, 2) * moment(1, 1) - moment(1, 2) * moment(0, 1)) / det,
        (moment(1, 2) * moment(0, 0) - moment(0, 2) * moment(0, 1)) / det,
    ];
    let line =
        |r: &[f64]| centre[2] + slope[0] * (r[0] - centre[0]) + slope[1] * (r[1] - centre[1]);
    let s2 = train.iter().map(|r| (r[2] - line(r)).powi(2)).sum::<f64>() / (n - 3.0);
    let gaussian =
        |miss: f64, v: f64| -0.5 * (miss * miss / v + (2.0 * std::f64::consts::PI * v).ln());
    let (mut by_mean, mut by_line, mut density) =
        (Vec::new(), Vec::new(), [Vec::new(), Vec::new()]);
    for &at in &tests {
        let r = &all[at];
        let z = [r[0] - centre[0], r[1] - centre[1]];
        let out = (z[0] * z[0] * moment(1, 1) - 2.0 * z[0] * z[1] * moment(0, 1)
            + z[1] * z[1] * moment(0, 0))
            / det;
        by_mean.push((r[2] - centre[2]).powi(2));
        by_line.push((r[2] - line(r)).powi(2));
        density[0].push(gaussian(r[2] - centre[2], moment(2, 2) / (n - 1.0) * (1.0 + 1.0 / n)));
        density[1].push(gaussian(r[2] - line(r), s2 * (1.0 + 1.0 / n + out)));
    }
    for (k, (name, squares)) in [("mean", by_mean), ("linear", by_line)].iter().enumerate() {
        let said = &json["baselines"][k];
        assert_eq!(said["name"], *name);
        let (square, error) = mean(squares);
        near(number(&said["rmse"]), square.sqrt());
        near(number(&said["rmse_error"]), error / (2.0 * square.sqrt()));
        let (log, error) = mean(&density[k]);
        near(number(&said["log_likelihood"]), log);
        near(number(&said["log_likelihood_error"]), error);
    }
    assert!(number(&json["test"]["rmse"]) < number(&json["baselines"][1]["rmse"]), "{json}");
    assert!(run.out.contains("baselines   the mean of the target: RMSE"), "{}", run.out);

    // By the seed, and the same again.
    let report = without_seconds(&folder.text("r.json"));
    folder.lcc(&fit).expect(0);
    assert_eq!(without_seconds(&folder.text("r.json")), report);
    folder.lcc(&format!("{fit} --seed 2")).expect(0);
    let (_, other) = parse_csv(&folder.text("p.csv"));
    assert_ne!(
        other.iter().map(|r| r[5]).collect::<Vec<_>>(),
        told.iter().map(|r| r[5]).collect::<Vec<_>>()
    );
}

/// Every row is told once by each repeat, by fits that did not see it; the model is that of all rows.
#[test]
fn folds_judge_and_all_rows_train() {
    let folder = Folder::new("folds");
    folder.write("d.csv", table(60));
    folder.lcc(&format!("fit --data d.csv --model all.lcc {SMALL}")).expect(0);
    let run = folder
        .lcc(&format!("fit --data d.csv --cv 3 --repeats 2 --model m.lcc --json r.json {SMALL}"))
        .expect(0);
    assert_eq!(folder.bytes("m.lcc"), folder.bytes("all.lcc"));
    assert!(run.out.contains("folds       2 x 3, 60 rows: RMSE"), "{}", run.out);
    let json = folder.json("r.json");
    let told = "not of folds that were held out";
    let run = folder.lcc(&format!("fit --data d.csv --cv 3 --predictions p.csv {SMALL}")).expect(0);
    assert!(run.err.contains(told), "{}", run.err);
    let run = folder.lcc(&format!("fit --data d.csv --predictions p.csv {SMALL}")).expect(0);
    assert!(!run.err.contains(told), "{}", run.err);
    let cv = &json["cv"];
    assert_eq!((&cv["folds"], &cv["repeats"], &cv["n"]), (&3.into(), &2.into(), &60.into()));
    assert!(json["test"].is_null() && json["n"] == 60);
    let linear = &json["baselines"][1];
    assert!(number(&cv["rmse"]) < number(&linear["rmse"]), "{json}");
    assert!(number(&cv["rmse_error"]) > 0.0 && number(&cv["coverage"]) > 0.5, "{json}");

    // As many folds as rows: the mean of the others misses by n / (n - 1) times what the mean of all does.
    folder.write("few.csv", "x,y\n1,2\n2,3\n3,7\n4,5\n5,11\n6,8\n");
    folder.lcc(&format!("fit --data few.csv --cv 6 --json r.json {SMALL}")).expect(0);
    let y = [2.0, 3.0, 7.0, 5.0, 11.0, 8.0];
    let squares: Vec<f64> = y.iter().map(|y| ((y - 6.0) * 6.0 / 5.0_f64).powi(2)).collect();
    near(number(&folder.json("r.json")["baselines"][0]["rmse"]), mean(&squares).0.sqrt());
    for (flags, code, part) in [
        ("--cv 7", 1, "7 folds of 6 rows"),
        ("--cv 1", 2, "from 2 to"),
        ("--cv 2 --test-share .5", 2, "either --test"),
        ("--repeats 2", 2, "--repeats needs --cv"),
        ("--test-share 1", 2, "between 0 and 1"),
        ("--test-share .01", 1, "too few to train and to test"),
    ] {
        folder.lcc(&format!("fit --data few.csv {flags} {SMALL}")).fails(code, &[part]);
    }
}

/// Rows of a group train or test as a whole: the mean of the others is that of other groups.
#[test]
fn groups_are_held_out_as_a_whole() {
    let folder = Folder::new("groups");
    let y = [2.0, 3.0, 7.0, 5.0, 11.0, 8.0];
    let lines = y.iter().zip(["p,1", "q,1", "p,2", "p,1", "q,1", "p,2"]).enumerate();
    let lines = lines.map(|(i, (y, own))| format!("{i},{own},{y}\n"));
    let csv = format!("x,site,person,y\n{}", lines.collect::<String>());
    folder.write("few.csv", &csv);
    let of = "fit --data few.csv --group site,person";
    folder.lcc(&format!("{of} --cv 3 --json r.json --model m.lcc {SMALL}")).expect(0);
    let others = [29.0, 22.0, 21.0].map(|sum| sum / 4.0);
    let errors = y.iter().zip([0, 1, 2, 0, 1, 2]).map(|(y, group)| y - others[group]);
    let squares: Vec<f64> = errors.map(|e| e * e).collect();
    near(number(&folder.json("r.json")["baselines"][0]["rmse"]), mean(&squares).0.sqrt());
    let show = folder.lcc("show m.lcc").expect(0).out;
    assert!(show.contains("3 by site,person, each held out as a whole"), "{show}");
    // Half of the rows: one or two groups of two.
    for seed in 1..6 {
        let run = format!(
            "{of} --test-share .5 --seed {seed} --id site,person --predictions p.csv {SMALL}"
        );
        folder.lcc(&run).expect(0);
        let text = folder.text("p.csv");
        let ids = text.lines().skip(1).map(|line| line.split(',').take(2).collect::<Vec<_>>());
        let ids: Vec<_> = ids.collect();
        assert!(ids.len() == 2 || ids.len() == 4, "{text}");
        assert!(ids.iter().all(|id| ids.iter().filter(|own| *own == id).count() == 2), "{text}");
    }
    let by_id = "fit --data few.csv --id site,person --cv 2";
    let said = "6 rows are of 3 different site,person: where new rows will be of others, --group site,person holds";
    let run = folder.lcc(&format!("{by_id} {SMALL}")).expect(0);
    assert!(run.err.contains(said), "{}", run.err);
    let run = folder.lcc(&format!("{by_id} --group site {SMALL}")).expect(0);
    assert!(!run.err.contains("are of"), "{}", run.err);
    folder.write("gap.csv", csv.replace("q,1,3", ",1,3"));
    for (data, flags, code, part) in [
        ("few.csv", "--group site,person --cv 4", 1, "4 folds of 3 groups"),
        ("few.csv", "--group sit", 1, "no column called \"sit\" (--group); is \"site\" meant?"),
        ("few.csv", "--group y", 2, "--group names the target"),
        (
            "gap.csv",
            "--group site",
            1,
            "row 2 (line 3), column 2 (site): is missing: each row is of a group",
        ),
    ] {
        folder.lcc(&format!("fit --data {data} {flags} {SMALL}")).fails(code, &[part]);
    }
}

#[test]
fn classes_are_dealt_alike_and_their_shares_are_the_baseline() {
    let folder = Folder::new("class_folds");
    let mut csv = String::from("a,b,kind\n");
    let mut state = 5_u32;
    for row in 0..40 {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let noise = f64::from(state >> 8) / f64::from(1 << 24) - 0.5;
        // Words that stand in one row alone are the average to fits that have not seen them.
        let kind = if row % 4 == 0 { "rare" } else { "common" };
        let _ = writeln!(
            csv,
            "{},w{},{kind}",
            f64::from(u8::from(row % 4 == 0)) + noise,
            row.min(12) / 4
        );
    }
    folder.write("c.csv", csv);
    let quick = "--layers 2 --chains 2 --warmup 4 --draws 4 --start 50 --no-calibration --quiet";
    let run = folder
        .lcc(&format!("fit --data c.csv --target kind --test-share .2 --json r.json {quick}"))
        .expect(0);
    let json = folder.json("r.json");
    assert_eq!((&json["n"], &json["test"]["n"]), (&32.into(), &8.into()));
    // Two of eight are of the class of a quarter, in both parts.
    let shares = &json["baselines"][0];
    near(number(&shares["accuracy"]), 0.75);
    near(number(&shares["log_likelihood"]), 0.75 * 0.75_f64.ln() + 0.25 * 0.25_f64.ln());
    assert!(run.out.contains("standard errors: accuracy"), "{}", run.out);
    folder.lcc(&format!("fit --data c.csv --target kind --cv 4 --json r.json {quick}")).expect(0);
    let json = folder.json("r.json");
    near(number(&json["baselines"][0]["accuracy"]), 0.75);
    let accuracy = number(&json["cv"]["accuracy"]);
    near(number(&json["cv"]["accuracy_error"]), (accuracy * (1.0 - accuracy) / 39.0).sqrt());
}

#[test]
fn without_tests_the_fit_says_what_it_is_worth() {
    let folder = Folder::new("fitted");
    folder.write("d.csv", table(40));
    let run = folder.lcc(&format!("fit --data d.csv --json r.json {SMALL}")).expect(0);
    assert!(run.out.contains("fitted      40 rows: RMSE"), "{}", run.out);
    assert!(run.out.contains("these rows trained"), "{}", run.out);
    assert!(folder.json("r.json")["test"].is_null());
}

/// What y depends on moves predictions by as much; what it does not, hardly; words as one input.
#[test]
fn the_inputs_that_matter_are_told() {
    let folder = Folder::new("inputs_matter");
    let mut csv = String::from("idle,w,a,y\n");
    let mut state = 9_u32;
    let mut uniform = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(state >> 8) / f64::from(1 << 24)
    };
    for row in 0..150 {
        let (idle, a) = (uniform(), 2.0 * uniform() - 1.0);
        let w = row % 3;
        let _ = writeln!(csv, "{idle},w{w},{a},{}", 3.0 * a + 0.5 * f64::from(w) + 0.1 * uniform());
    }
    folder.write("d.csv", csv);
    let run = folder
        .lcc("fit --data d.csv --json r.json --layers 4 --chains 4 --warmup 10 --draws 6 --quiet")
        .expect(0);
    let json = folder.json("r.json");
    let told: Vec<(&str, f64)> = json["inputs"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|i| (i["name"].as_str().expect("a name"), number(&i["moves"])))
        .collect();
    assert_eq!(told.iter().map(|t| t.0).collect::<Vec<_>>(), ["a", "w", "idle"]);
    // The difference of two draws of a term has sqrt 2 times its sd: of 3 a 1.73, of w / 2 .41; y has 1.78.
    assert!((told[0].1 - 1.38).abs() < 0.2, "{told:?}");
    assert!((told[1].1 - 0.32).abs() < 0.1 && told[2].1 < 0.08, "{told:?}");
    assert!(run.out.contains("in sds of the target, by:\n            a 1."), "{}", run.out);
}

/// Scores by how many rows trained: the last of them are the test's own, or those of the folds.
#[test]
fn a_learning_curve_ends_in_the_scores_of_all_rows() {
    let folder = Folder::new("curve");
    folder.write("d.csv", table(200));
    let mut classes = String::from("a,b,c,y\n");
    for (i, line) in table(200).lines().skip(1).enumerate() {
        let class = ["even", "odd", "rare"][if i % 67 == 9 { 2 } else { i % 2 }];
        writeln!(classes, "{line},{class}").expect("text");
    }
    folder.write("c.csv", classes);
    let bnn =
        "--layers 2 --chains 8 --start 50 --warmup 2 --draws 2 --keep 1 --leapfrogs 4 --quiet";
    let curve = "--learning-curve c.svg --json r.json";
    for (data, how, flags, rows) in [
        ("d.csv", "--test-share .2", SMALL, [20, 34, 57, 96, 160]),
        ("d.csv", "--cv 2", SMALL, [10, 18, 32, 57, 100]),
        ("c.csv", "--test-share .2 --no-calibration", bnn, [20, 34, 57, 96, 160]),
    ] {
        let fit = format!("fit --data {data} {how} {curve} {flags}");
        let run = folder.lcc(&fit).expect(0);
        let json = folder.json("r.json");
        let points = json["learning_curve"].as_array().expect("a list");
        let told: Vec<u64> = points.iter().map(|p| p["rows"].as_u64().expect("a count")).collect();
        assert!(told.iter().zip(rows).all(|(t, r)| t.abs_diff(r) <= 2), "{told:?}");
        let last = if how.starts_with("--cv") { &json["cv"] } else { &json["test"] };
        let kind = if data == "c.csv" { "accuracy" } else { "rmse" };
        for name in [kind, &format!("{kind}_error"), "log_likelihood", "log_likelihood_error"] {
            near(number(&points[4][name]), number(&last[name]));
        }
        let svg = folder.text("c.svg");
        for (point, rows) in points.iter().zip(&told) {
            assert!(number(&point["log_likelihood_error"]) > 0.0 && point["n"] == points[0]["n"]);
            assert!(run.out.contains(&format!("{rows:6} rows: ")), "{}", run.out);
            assert!(svg.contains(&format!(">{rows} rows</text>")));
        }
        if data == "d.csv" {
            assert!(number(&points[4]["rmse"]) < number(&points[0]["rmse"]), "{points:?}");
        }
        // The rows are the seed's.
        folder.lcc(&fit).expect(0);
        assert_eq!(folder.json("r.json")["learning_curve"], json["learning_curve"]);
    }
    let fit = format!("fit --data d.csv {curve} {SMALL}");
    folder.lcc(&fit).fails(2, &["--learning-curve needs rows of D that do not train"]);
    let timed = format!("fit --data d.csv --test-share .2 --time 3 {curve} --quiet");
    folder.lcc(&timed).fails(2, &["either --time or --learning-curve"]);
    let compare = "compare --data d.csv --methods map --test-share .2 --learning-curve c.svg";
    folder.lcc(compare).fails(2, &["no --time or --learning-curve"]);
}

/// Numbers of which a half is 0: a hurdle, told; beside a law without inputs, and with what holds of those above 0.
#[test]
fn zeros_among_positive_numbers_get_a_hurdle() {
    let folder = Folder::new("hurdle");
    let rows: Vec<Vec<f64>> = parse_csv(&table(200)).1;
    let y = |k: usize, row: &[f64]| if k.is_multiple_of(2) { 0.0 } else { (0.3 * row[2]).exp() };
    let mut text = "a,b,y\n".to_string();
    for (k, row) in rows.iter().enumerate() {
        let _ = writeln!(text, "{},{},{}", row[0], row[1], y(k, row));
    }
    folder.write("d.csv", &text);
    let short = "--layers 3 --chains 2 --start 20 --warmup 2 --draws 3 --leapfrogs 5 --quiet";
    let fit = format!(
        "fit --data d.csv --test-share .5 --model m.lcc --predictions p.csv --json r.json {short}"
    );
    let run = folder.lcc(&fit).expect(0);
    assert!(run.out.contains("by hurdle-log-normal: whether it is 0"), "{}", run.out);
    assert!(!run.err.contains("one number in so many rows"), "{}", run.err);
    let json = folder.json("r.json");
    let (_, told) = parse_csv(&folder.text("p.csv"));
    assert!(told.iter().all(|row| row[2] >= 0.0));
    let above: Vec<&Vec<f64>> = told.iter().filter(|row| row[4] > 0.0).collect();
    let inside = above.iter().filter(|row| row[2] <= row[4] && row[4] <= row[3]).count();
    let test = &json["test"];
    near(number(&test["coverage_above_zero"]), inside as f64 / above.len() as f64);
    assert!(run.out.contains(&format!("of the {} above 0", above.len())), "{}", run.out);

    // Shares and moments of the training rows.
    let tests: Vec<usize> = told.iter().map(|row| row[5] as usize - 1).collect();
    let of = |k: usize| y(k, &rows[k]);
    let trains: Vec<f64> = (0..200).filter(|k| !tests.contains(k)).map(of).collect();
    let logs: Vec<f64> = trains.iter().filter(|y| **y > 0.0).map(|y| y.ln()).collect();
    let n = logs.len() as f64;
    let centre = logs.iter().sum::<f64>() / n;
    let variance =
        logs.iter().map(|l| (l - centre).powi(2)).sum::<f64>() / (n - 1.0) * (1.0 + 1.0 / n);
    let share = n / trains.len() as f64;
    let score = |y: f64| {
        if y == 0.0 {
            return (1.0 - share).ln();
        }
        let normal = (y.ln() - centre).powi(2) / variance + (std::f64::consts::TAU * variance).ln();
        share.ln() - 0.5 * normal - y.ln()
    };
    let scores: Vec<f64> = tests.iter().map(|k| score(of(*k))).collect();
    let baselines =
        test["baselines"].as_array().or(json["baselines"].as_array()).expect("baselines");
    assert_eq!(baselines.len(), 1);
    near(number(&baselines[0]["log_likelihood"]), mean(&scores).0);

    // As it was asked for.
    let own = folder.lcc(&format!("fit --data d.csv --output student-t {short}")).expect(0);
    assert!(own.out.contains("by student-t") && own.err.contains("one number in so many rows"));
    folder
        .lcc(&format!("fit --data d.csv --output log-normal {short}"))
        .fails(1, &["is not above 0"]);
    folder.write("n.csv", text.replacen(",0\n", ",-1\n", 1));
    folder
        .lcc(&format!("fit --data n.csv --output hurdle-log-normal {short}"))
        .fails(1, &["is below 0"]);
    folder.lcc("convert m.lcc --to onnx -o m.onnx").fails(1, &["hurdle-log-normal"]);
    folder.lcc("convert m.lcc --to json -o m.json").expect(0);
    assert_eq!(folder.json("m.json")["output"], "hurdle-log-normal");
}

/// Whole numbers from 0 on are counts where that tells them better, and amounts that come close to 0 are gamma, without being
/// called such.
#[test]
fn counts_and_amounts_are_found_out() {
    let folder = Folder::new("found_out");
    let rows: Vec<Vec<f64>> = parse_csv(&table(160)).1;
    let (mut counts, mut amounts) = ("a,y\n".to_string(), "a,y\n".to_string());
    for (k, row) in rows.iter().enumerate() {
        // Exponential about a mean that grows with a.
        let share = (0.618_033_988_75 * (k + 1) as f64).fract();
        let y = (2.2 + 0.5 * row[0]).exp() * -share.ln();
        let _ = writeln!(counts, "{},{}", row[0], y.floor());
        let _ = writeln!(amounts, "{},{}", row[0], y * y);
    }
    folder.write("counts.csv", &counts);
    folder.write("amounts.csv", &amounts);
    let short = "--layers 3 --chains 8 --start 300 --warmup 16 --draws 4 --leapfrogs 60 --quiet";
    for (data, begin, output) in [
        ("counts", "counts, by negative-binomial", "negative-binomial"),
        ("amounts", "numbers, by gamma", "gamma"),
    ] {
        let fit =
            format!("fit --data {data}.csv --test-share .2 --model m.lcc --json r.json {short}");
        let run = folder.lcc(&fit).expect(0);
        assert!(run.out.contains(&format!("{begin}: the noise grows")), "{}", run.out);
        assert!(!run.out.contains("if they are such") && run.err.is_empty(), "{}", run.err);
        let json = folder.json("r.json");
        assert_eq!(json["parameters"]["output"], output);
        assert!(number(&json["test"]["log_likelihood"]).is_finite());
        folder.lcc("convert m.lcc --to json -o m.json").expect(0);
        assert_eq!(folder.json("m.json")["output"], output);
        folder.lcc(&format!("report --model m.lcc --data {data}.csv -o r.html")).expect(0);
    }
    folder.lcc("convert m.lcc --to onnx -o m.onnx").fails(1, &["gamma"]);
    folder
        .lcc(&format!("fit --data counts.csv --output gamma {short}"))
        .fails(1, &["is not above 0, as gamma numbers are"]);
}
