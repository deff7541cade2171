//! Fitting, evaluating and predicting.

mod common;
use common::{Folder, parse_csv, table, without_seconds};

const SMALL: &str =
    "--method network --neurons 4 --chains 2 --warmup 60 --draws 60 --keep 10 --quiet";

fn with_data(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("d.csv", table(120));
    let tests: Vec<String> = (0..120).step_by(4).map(|i| i.to_string()).collect();
    let train: Vec<String> = (0..120).filter(|i| i % 4 == 1).map(|i| i.to_string()).collect();
    folder.write(
        "s.json",
        format!(
            "{{\"name\":\"t\",\"splits\":[{{\"test\":[{}],\"train_500\":[{}]}}]}}",
            tests.join(","),
            train.join(",")
        ),
    );
    folder
}

#[test]
fn learns_a_smooth_function_and_reports_every_field() {
    let folder = with_data("learns");
    let run =
        folder.lcc(&format!("fit --data d.csv --split s.json:0 --json r.json {SMALL}")).expect(0);
    assert!(run.out.contains("RMSE"));
    let json = folder.json("r.json");
    assert_eq!(json["method"], "network");
    assert_eq!((json["n"].as_u64(), json["d"].as_u64()), (Some(90), Some(2)));
    let test = &json["test"];
    assert_eq!(test["n"], 30);
    // The target's sd is about 2.5, its noise's .06.
    assert!(test["rmse"].as_f64().expect("a number") < 0.5, "{test}");
    assert!(test["log_likelihood"].as_f64().expect("a number") > -1.0, "{test}");
    let coverage = test["coverage"].as_f64().expect("a number");
    assert!((0.6..=1.0).contains(&coverage), "{test}");
    assert!(test["width"].as_f64().expect("a number") > 0.0);
    let [crps, rmse] = ["crps", "rmse"].map(|s| test[s].as_f64().expect("a number"));
    assert!(crps > 0.0 && crps < rmse, "{test}");
    for field in ["rhat_max", "ess_bulk_min", "acceptance", "seconds"] {
        assert!(json[field].is_f64() || json[field].is_u64(), "{field}: {json}");
    }
    for field in ["gradients", "bytes_workspace", "bytes_model"] {
        assert!(json[field].as_u64().is_some_and(|count| count > 0), "{field}: {json}");
    }
    let parameters = &json["parameters"];
    for (field, value) in
        [("neurons", 4), ("chains", 2), ("warmup", 60), ("draws", 60), ("keep", 10), ("seed", 1)]
    {
        assert_eq!(parameters[field], value, "{field}");
    }
    assert_eq!(parameters["precision"], "f32");
}

#[test]
fn same_flags_same_bytes_and_another_seed_other_bytes() {
    let folder = with_data("same_bytes");
    let all = |tag: &str, more: &str| {
        folder
            .lcc(&format!(
                "fit --data d.csv --split s.json:0 --model {tag}.lcc --c-array {tag}.h --predictions {tag}.csv \
                 --plot {tag}.svg --log-lik {tag}.ll --json {tag}.json {SMALL} {more}"
            ))
            .expect(0);
    };
    for precision in ["f32", "f64"] {
        all("m", &format!("--precision {precision}"));
        let first: Vec<Vec<u8>> =
            ["m.lcc", "m.h", "m.csv", "m.svg", "m.ll"].map(|f| folder.bytes(f)).into();
        let report = without_seconds(&folder.text("m.json"));
        all("m", &format!("--precision {precision}"));
        for (file, bytes) in ["m.lcc", "m.h", "m.csv", "m.svg", "m.ll"].iter().zip(&first) {
            assert_eq!(&folder.bytes(file), bytes, "{file}");
        }
        assert_eq!(without_seconds(&folder.text("m.json")), report);
        all("m", &format!("--precision {precision} --seed 2"));
        assert_ne!(folder.bytes("m.lcc"), first[0]);
    }
}

#[test]
fn a_saved_model_predicts_what_the_fit_predicted() {
    let folder = with_data("round_trip");
    for precision in ["f32", "f64"] {
        folder
            .lcc(&format!(
                "fit --data d.csv --test d.csv --model m.lcc --predictions p.csv --interval 0.8 --precision {precision} {SMALL}"
            ))
            .expect(0);
        folder
            .lcc("predict --model m.lcc --data d.csv --predictions again.csv --interval=0.8 --json p.json")
            .expect(0);
        assert_eq!(folder.bytes("again.csv"), folder.bytes("p.csv"));
        assert_eq!(folder.json("p.json")["test"]["n"], 120);
        let to_stdout = folder.lcc("predict --model m.lcc --data d.csv --interval 0.8").expect(0);
        assert_eq!(to_stdout.out, folder.text("p.csv"));

        let (names, rows) = parse_csv(&folder.text("p.csv"));
        assert_eq!(names, ["mean", "sd", "lower", "upper", "y", "row", "extrapolates"]);
        assert_eq!(rows.len(), 120);
        for row in &rows {
            assert!(row[1] > 0.0 && row[2] < row[0] && row[0] < row[3], "{row:?}");
        }
    }
}

#[test]
fn rows_without_a_target_are_predicted_without_y() {
    let folder = with_data("no_target");
    folder.lcc(&format!("fit --data d.csv --model m.lcc {SMALL}")).expect(0);
    folder.write("x.csv", "a,b\n0.1,0.2\n-0.5,0\n");
    let run = folder.lcc("predict --model m.lcc --data x.csv").expect(0);
    let (names, rows) = parse_csv(&run.out);
    assert_eq!(names, ["mean", "sd", "lower", "upper", "row", "extrapolates"]);
    assert_eq!(rows.len(), 2);
    folder.write("x.csv", "a\n0.1\n");
    folder
        .lcc("predict --model m.lcc --data x.csv --predictions q.csv")
        .fails(1, &["x.csv: no column called \"b\", which is an input of the model"]);
    let mut broken = folder.bytes("m.lcc");
    let last = broken.len() - 1;
    broken[last] ^= 1;
    folder.write("broken.lcc", &broken);
    folder.write("x.csv", "a,b\n0.1,0.2\n");
    folder
        .lcc("predict --model broken.lcc --data x.csv --predictions q.csv")
        .fails(1, &["broken.lcc: "]);
    folder.write("short.lcc", &broken[..last / 2]);
    folder
        .lcc("predict --model short.lcc --data x.csv --predictions q.csv")
        .fails(1, &["short.lcc: "]);
    assert!(!folder.list().contains(&"q.csv".to_string()));
}

/// The C array is a model without the names of its columns, as all once were: rows are taken in their order.
#[test]
fn the_c_array_holds_the_model() {
    let folder = with_data("c_array");
    folder.lcc(&format!("fit --data d.csv --model m.lcc --c-array my-model.h {SMALL}")).expect(0);
    let source = folder.text("my-model.h");
    let body = source.split('{').nth(1).and_then(|s| s.split('}').next()).expect("braces");
    let bytes: Vec<u8> = body
        .split(',')
        .map(str::trim)
        .filter(|s| !s.is_empty())
        .map(|s| s.parse().expect("a byte"))
        .collect();
    assert!(source.contains(&format!("static const unsigned char my_model[{}] = {{", bytes.len())));
    assert!(bytes.len() + 40 < folder.bytes("m.lcc").len(), "the names of a, b and y, and ranges");
    folder.write("bare.lcc", &bytes);
    folder.write("x.csv", "a,b\n0.1,0.2\n-0.5,0\n");
    folder.write("swapped.csv", "b,a\n0.2,0.1\n0,-0.5\n");
    let told = |model: &str, data: &str| {
        let run = folder.lcc(&format!("predict --model {model} --data {data}")).expect(0);
        assert_eq!(run.err.contains("taken in their order"), model == "bare.lcc", "{}", run.err);
        parse_csv(&run.out)
    };
    let (names, by_order) = told("bare.lcc", "x.csv");
    assert_eq!(names, ["mean", "sd", "lower", "upper", "row"]);
    let (_, by_name) = told("m.lcc", "x.csv");
    assert!(by_order.iter().zip(&by_name).all(|(a, b)| a[..5] == b[..5]));
    assert_eq!(told("m.lcc", "swapped.csv").1, by_name);
    assert_ne!(told("bare.lcc", "swapped.csv").1, by_order);
}

#[test]
fn log_likelihood_is_draws_by_training_rows() {
    let folder = with_data("log_lik");
    folder
        .lcc(&format!(
            "fit --data d.csv --split s.json:0 --train-500 --log-lik l.csv --json r.json {SMALL}"
        ))
        .expect(0);
    let (names, rows) = parse_csv(&folder.text("l.csv"));
    assert_eq!(folder.json("r.json")["n"], 30, "train_500 lists 30 rows");
    assert_eq!(names.len(), 30);
    assert_eq!(names[29], "log_lik.30");
    assert!(!rows.is_empty() && rows.len() <= 2 * 10, "{}", rows.len());
    assert!(rows.iter().flatten().all(|l| l.is_finite() && *l < 10.0));
}

#[test]
fn the_plot_is_well_formed_and_counts_its_points() {
    let folder = with_data("plot");
    folder.lcc(&format!("fit --data d.csv --split s.json:0 --plot p.svg {SMALL}")).expect(0);
    let svg = folder.text("p.svg");
    assert!(svg.starts_with("<?xml") && svg.ends_with("</svg>\n"));
    // One for each test row and two in the legend.
    assert_eq!(svg.matches("<circle").count(), 30 + 2);
    assert!(!svg.contains("nan") && !svg.contains("inf\""));
    assert!(!svg.contains("href"), "no external resources");
}

#[test]
fn json_on_standard_output_stands_alone() {
    let folder = with_data("stdout");
    let run = folder.lcc(&format!("fit --data d.csv --json - {SMALL}")).expect(0);
    let json: serde_json::Value = serde_json::from_str(&run.out).expect("nothing but JSON");
    assert!(json["test"].is_null(), "no test rows were given");
    assert_eq!(json["n"], 120);
}

#[test]
fn draws_are_in_cmdstan_format() {
    let folder = with_data("fit_draws");
    folder.lcc(&format!("fit --data d.csv --draws-csv c {SMALL}")).expect(0);
    for chain in 1..=2 {
        let text = folder.text(&format!("c_{chain}.csv"));
        assert!(text.contains("num_samples = 60") && text.contains(&format!("# id = {chain}")));
        let (names, rows) = parse_csv(&text);
        assert_eq!(names[..3], ["lp__", "accept_stat__", "stepsize__"]);
        assert_eq!(names[3..7], ["n_leapfrog__", "divergent__", "energy__", "f.1"]);
        assert_eq!(rows.len(), 60);
        let step = rows[0][2];
        assert!(text.contains("\n# Adaptation terminated\n# Step size = ") && step > 0.0);
        for row in rows {
            assert!((0.0..=1.0).contains(&row[1]) && row[2] == step && row[3] == 24.0);
            assert!(row[4] == 0.0 || row[4] == 1.0);
        }
    }
    folder
        .lcc(&format!("fit --data d.csv --draws-csv absent/c {SMALL}"))
        .fails(1, &["absent/c_1.csv: cannot be written"]);
}

/// Ctrl-C in the warm-up leaves nothing behind, nor does SIGTERM.
#[cfg(unix)]
#[test]
fn interrupted_before_any_draw_nothing_is_written() {
    let folder = with_data("fit_interrupted");
    for signal in ["-INT", "-TERM"] {
        let run = folder.signalled(
            "fit --data d.csv --method network --warmup 1000000 --model m.lcc --json r.json",
            signal,
            300,
        );
        run.fails(130, &["nothing is written"]);
        assert_eq!(folder.list(), ["d.csv", "s.json"]);
    }
}

/// Ctrl-C among the rows of a stream or of the prequential form: what came before is written.
#[cfg(unix)]
#[test]
fn interrupted_rows_are_those_before() {
    let folder = with_data("rows_interrupted");
    folder.write("long.csv", table(20_000));
    for how in [
        "--data long.csv --method prequential",
        "--data d.csv --method network --warmup 4 --draws 4 --stream long.csv",
    ] {
        let left = [3200, 1600, 800, 400, 200, 100].into_iter().find_map(|milliseconds| {
            let files = "--json r.json --model m.lcc --predictions p.csv --plot p.svg";
            let run = folder.signalled(&format!("fit {how} {files}"), "-INT", milliseconds);
            (run.code != 0).then_some(run)
        });
        let run = left.expect("a run that lasts .1 s").expect(130);
        assert!(!run.err.contains("panicked"), "{}", run.err);
        if folder.list().contains(&"p.csv".to_string()) {
            let rows = folder.text("p.csv").lines().count() - 1;
            assert!(0 < rows && rows < 20_000, "{rows}");
            folder.remove("p.csv");
        }
    }
}

/// Draws fewer than would be kept are all kept, where nobody asked for more.
#[test]
fn few_draws_are_all_kept() {
    let folder = with_data("few_draws");
    for method in ["network", "bnn"] {
        let how = format!("fit --data d.csv --method {method} --chains 2 --warmup 4 --quiet");
        folder.lcc(&format!("{how} --draws 2 --json r.json")).expect(0);
        assert_eq!(folder.json("r.json")["parameters"]["keep"], 2);
        folder.lcc(&format!("{how} --draws 2 --keep 3")).fails(2, &["--keep 3 is more than"]);
    }
}

const GREEDY: &str = "--method greedy --levels 12 --particles 64 --keep 16 --quiet";

#[test]
fn greedy_learns_and_its_model_predicts_the_same() {
    let folder = with_data("greedy");
    for precision in ["f32", "f64"] {
        let run = folder
            .lcc(&format!(
                "fit --data d.csv --split s.json:0 --json r.json --model m.lcc --precision {precision} {GREEDY}"
            ))
            .expect(0);
        assert!(run.out.contains("12 levels of 64 particles") && run.out.contains("RMSE"));
        let json = folder.json("r.json");
        assert_eq!(json["method"], "greedy");
        // The target's sd is about 2.5.
        assert!(json["test"]["rmse"].as_f64().expect("a number") < 1.2, "{json}");
        let coverage = json["test"]["coverage"].as_f64().expect("a number");
        assert!((0.5..=1.0).contains(&coverage), "{json}");
        assert!(json["rhat_max"].is_null() && json["ess_bulk_min"].is_null());
        let used = json["levels_used"].as_u64().expect("a count");
        assert!((1..=12).contains(&used));
        let parameters = &json["parameters"];
        assert_eq!((&parameters["levels"], &parameters["form"]), (&12.into(), &"quadratic".into()));
        assert!(json["gradients"].as_u64().is_some_and(|count| count > 0));

        folder
            .lcc(&format!(
                "fit --data d.csv --test d.csv --model m.lcc --predictions p.csv --precision {precision} {GREEDY}"
            ))
            .expect(0);
        folder.lcc("predict --model m.lcc --data d.csv --predictions again.csv").expect(0);
        assert_eq!(folder.bytes("again.csv"), folder.bytes("p.csv"));
        let first = folder.bytes("m.lcc");
        folder
            .lcc(&format!("fit --data d.csv --model m.lcc --precision {precision} {GREEDY}"))
            .expect(0);
        assert_eq!(folder.bytes("m.lcc"), first, "same flags, same bytes");
        folder
            .lcc(&format!(
                "fit --data d.csv --model m.lcc --seed 2 --precision {precision} {GREEDY}"
            ))
            .expect(0);
        assert_ne!(folder.bytes("m.lcc"), first);
    }
}

#[test]
fn greedy_takes_the_options_of_the_papers_and_refuses_others() {
    let folder = with_data("greedy_options");
    folder
        .lcc(&format!(
            "fit --data d.csv --json r.json --form tilt --no-refit --holdout 0 --prior l1 --scale 3 \
             --activation logistic --either-sign --outer 2 --alpha 0.1 --beta 0.1 {GREEDY}"
        ))
        .expect(0);
    let json = folder.json("r.json");
    assert_eq!(json["levels_used"], 12, "all levels where none are held out");
    let parameters = &json["parameters"];
    assert_eq!(parameters["prior"], "l1");
    assert_eq!(parameters["refit"], 0);
    assert_eq!(parameters["activation"], "logistic");
    for (flags, message) in [
        ("--particles 60 --keep 8", "multiple of 8"),
        ("--keep 257", "more than --particles"),
        ("--form cubic", "--form"),
        ("--prior flat", "--prior"),
        ("--draws-csv c", "--draws-csv"),
    ] {
        folder
            .lcc(&format!("fit --data d.csv --method greedy --quiet {flags}"))
            .fails(2, &[message]);
    }
    folder.lcc(&format!("fit --data d.csv --beta 2 {GREEDY}")).fails(1, &["must lie in (0, 1]"]);
}

/// A stream whose target has moved by five: the frozen model misses it, the learner follows.
#[test]
fn a_stream_is_predicted_row_by_row_and_learnt_from() {
    let folder = with_data("fit_stream");
    let text = folder.text("d.csv");
    let mut lines = text.lines();
    let header = lines.next().expect("a header");
    let mut moved = format!("{header}\n");
    for _ in 0..3 {
        for line in lines.clone() {
            let (inputs, y) = line.rsplit_once(',').expect("a target");
            let y: f64 = y.trim().parse().expect("a number");
            moved.push_str(&format!("{inputs},{}\n", y + 5.0));
        }
    }
    let rows = moved.lines().count() - 1;
    folder.write("b.csv", moved);
    for (precision, method) in [("f32", SMALL), ("f64", SMALL), ("f32", GREEDY)] {
        let flags = format!("--precision {precision} {method}");
        let run = folder
            .lcc(&format!(
                "fit --data d.csv --stream b.csv --json r.json --model m.lcc --stream-model after.lcc \
                 --predictions p.csv {flags}"
            ))
            .expect(0);
        assert!(run.out.contains("one step ahead") && run.out.contains("frozen"), "{}", run.out);
        let json = folder.json("r.json");
        let number = |value: &serde_json::Value| value.as_f64().expect("a number");
        let stream = &json["stream"];
        assert_eq!(stream["n"], rows);
        assert!(number(&stream["frozen"]["rmse"]) > 4.0, "{json}");
        assert!(number(&stream["rmse"]) < 0.5 * number(&stream["frozen"]["rmse"]), "{json}");
        assert!(number(&stream["coverage"]) > 0.7, "{json}");
        assert!(number(&stream["log_likelihood"]) > number(&stream["frozen"]["log_likelihood"]));
        // One prediction a row; the first is as sure as the model, which the training rows have told the learner.
        let text = folder.text("p.csv");
        let (_, told) = common::parse_csv(&text);
        folder.lcc("predict --model m.lcc --data b.csv --predictions q.csv").expect(0);
        let (_, model) = common::parse_csv(&folder.text("q.csv"));
        let ratio = told[0][1] / model[0][1];
        assert!(0.5 < ratio && ratio < 2.0, "{ratio}: {:?} for {:?}", told[0], model[0]);
        assert_eq!(text.lines().count(), rows + 1);
        assert!(text.starts_with("mean,sd,lower,upper,y,row,extrapolates\n"));
        // The model before knows nothing of it, that after does.
        for (model, lower, upper) in [("m.lcc", 4.0, 100.0), ("after.lcc", 0.0, 3.0)] {
            folder
                .lcc(&format!(
                    "predict --model {model} --data b.csv --json q.json --predictions q.csv"
                ))
                .expect(0);
            let rmse = number(&folder.json("q.json")["test"]["rmse"]);
            assert!(rmse > lower && rmse < upper, "{model}: {rmse}");
        }
        // Same flags, same bytes.
        let (first, after) = (folder.bytes("p.csv"), folder.bytes("after.lcc"));
        folder
            .lcc(&format!(
                "fit --data d.csv --stream b.csv --stream-model after.lcc --predictions p.csv {flags}"
            ))
            .expect(0);
        assert!(folder.bytes("p.csv") == first && folder.bytes("after.lcc") == after);
    }
    // A row without a target is predicted, and nothing is learnt of it.
    let (text, all) = (folder.text("b.csv"), folder.text("p.csv"));
    folder.write(
        "open.csv",
        text.trim_end().rsplit_once(',').expect("a target").0.to_string() + ",\n",
    );
    for missing in ["", "--missing drop"] {
        folder
            .lcc(&format!(
                "fit --data d.csv --stream open.csv --predictions q.csv --plot q.svg --json r.json {missing} \
                 --precision f32 {GREEDY}"
            ))
            .expect(0);
        assert_eq!(folder.json("r.json")["stream"]["n"], rows - 1);
        assert!(!folder.text("q.svg").contains("NaN"));
        let (own, other) = (folder.text("q.csv"), all.trim_end().rsplit_once('\n').expect("rows"));
        let (own, last) = own.trim_end().rsplit_once('\n').expect("rows");
        assert_eq!(own, other.0);
        let cells = |line: &str| line.split(',').map(String::from).collect::<Vec<_>>();
        assert_eq!((&cells(last)[..4], cells(last)[4].as_str()), (&cells(other.1)[..4], ""));
    }
    let none: String = text
        .lines()
        .map(|line| line.rsplit_once(',').expect("a target").0.to_string() + ",\n")
        .collect();
    folder.write("none.csv", none.replacen(",\n", ",y\n", 1));
    folder
        .lcc(&format!("fit --data d.csv --stream none.csv {GREEDY}"))
        .fails(1, &["no row of the stream has a target"]);
    let code = text.replacen(",1", ",-9999.0\n0.1,0.1,1", 1);
    folder.write("code.csv", code);
    let run = folder.lcc(&format!("fit --data d.csv --stream code.csv {GREEDY}")).expect(0);
    assert!(
        run.err.contains("code.csv: column y has a few values far from all others"),
        "{}",
        run.err
    );
    for (flags, message) in [
        ("--stream-model a.lcc", "--stream-model needs --stream"),
        ("--stream-draws 3", "--stream-draws needs --stream"),
        ("--forgetting .9", "--forgetting needs --stream"),
        ("--stream b.csv --forgetting 0", "--forgetting"),
        ("--stream b.csv --forgetting 1.1", "--forgetting"),
        ("--stream b.csv --stream-draws 0", "--stream-draws"),
    ] {
        folder.lcc(&format!("fit --data d.csv {SMALL} {flags}")).fails(2, &[message]);
    }
    folder.lcc(&format!("fit --data d.csv --stream absent.csv {SMALL}")).fails(1, &["absent.csv"]);
    folder
        .lcc(&format!("fit --data d.csv --stream b.csv --predictions b.csv {SMALL}"))
        .fails(2, &["b.csv"]);
}

const PREQUENTIAL: &str = "--method prequential --levels 4 --particles 32 --keep 16 --quiet";

#[test]
fn prequential_predicts_each_row_and_reports_its_regret() {
    let folder = with_data("prequential");
    for precision in ["f32", "f64"] {
        let run = folder
            .lcc(&format!(
                "fit --data d.csv --json r.json --model m.lcc --predictions p.csv --precision {precision} \
                 {PREQUENTIAL}"
            ))
            .expect(0);
        assert!(run.out.contains("one ahead") && run.out.contains("in hindsight"), "{}", run.out);
        let json = folder.json("r.json");
        assert_eq!(json["method"], "prequential");
        let own = &json["prequential"];
        let number = |name: &str| own[name].as_f64().expect("a number");
        let n = number("n");
        assert_eq!(own["n"], json["n"]);
        assert!((number("rmse").powi(2) * n / number("squared_loss") - 1.0).abs() < 1e-5);
        assert!((-number("log_likelihood") * n / number("log_loss") - 1.0).abs() < 1e-5);
        let regret = number("squared_loss") - number("best_squared_loss");
        // To the digits that are printed.
        assert!((number("squared_regret") / regret - 1.0).abs() < 1e-7);
        assert!(regret > 0.0 && number("log_regret") > 0.0, "{own}");
        assert!((0.7..=1.0).contains(&number("coverage")), "{own}");
        // The predictions are the forecasts: their errors are the losses.
        let text = String::from_utf8(folder.bytes("p.csv")).expect("text");
        let squared: f64 = text
            .lines()
            .skip(1)
            .map(|line| {
                let cells: Vec<f64> =
                    line.split(',').map(|x| x.parse().expect("a number")).collect();
                (cells[0] - cells[4]).powi(2)
            })
            .sum();
        assert!((squared / number("squared_loss") - 1.0).abs() < 1e-5);
        folder.lcc("predict --model m.lcc --data d.csv --predictions again.csv").expect(0);
        let first = folder.bytes("m.lcc");
        for averaging in ["printed", "inclusive"] {
            folder
                .lcc(&format!(
                    "fit --data d.csv --model m.lcc --averaging {averaging} --precision {precision} \
                     {PREQUENTIAL}"
                ))
                .expect(0);
            assert_ne!(folder.bytes("m.lcc"), first);
        }
    }
}

#[test]
fn levels_and_v_are_chosen_by_description_length() {
    let folder = with_data("choice");
    let run = folder
        .lcc(&format!(
            "fit --data d.csv --json r.json --choose-levels 1,4 --choose-outer 0.1,3 {PREQUENTIAL}"
        ))
        .expect(0);
    assert!(run.out.contains("taken"));
    let json = folder.json("r.json");
    let choice = json["choice"].as_array().expect("a list");
    assert_eq!(choice.len(), 4);
    let nats = |k: usize| choice[k]["description_length"].as_f64().expect("a number");
    let best = (0..4).min_by(|a, b| nats(*a).total_cmp(&nats(*b))).expect("one");
    assert_eq!(json["parameters"]["levels"], choice[best]["levels"]);
    assert_eq!(json["parameters"]["outer"], choice[best]["outer"]);
    // The run itself is that of the best candidate.
    assert!(
        (json["prequential"]["log_loss"].as_f64().expect("a number") - nats(best)).abs() < 1e-9
    );
    assert_eq!(choice[best]["outer"], 3.0, "a V of .1 cannot reach the target");
    let total: f64 = choice.iter().map(|c| c["probability"].as_f64().expect("a number")).sum();
    assert!((total - 1.0).abs() < 1e-9);
    folder.lcc(&format!("fit --data d.csv --json r.json --choose-outer 0.1,3 {GREEDY}")).expect(0);
    assert_eq!(folder.json("r.json")["parameters"]["outer"], 3.0);
    for (flags, message) in [
        ("--choose-levels 1,,2", "--choose-levels"),
        ("--choose-levels 1.5", "whole numbers"),
        ("--choose-outer 0", "--choose-outer"),
        ("--averaging mean", "--averaging"),
        ("--no-refit", "not of --method prequential"),
        ("--holdout=.1", "not of --method prequential"),
        ("--neurons 5", "not of --method prequential"),
    ] {
        folder.lcc(&format!("fit --data d.csv {flags} {PREQUENTIAL}")).fails(2, &[message]);
    }
    folder.lcc("fit --data d.csv --levels 5").fails(2, &["not of --method bnn"]);
}
