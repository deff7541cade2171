//! Leave-one-out at the command line: by its own log likelihoods, and which of two models is the better.

mod common;
use common::{Folder, parse_csv, table};

const SMALL: &str =
    "--chains 8 --warmup 15 --draws 20 --start 200 --leapfrogs 40 --keep 16 --quiet";

#[test]
fn tells_a_good_model_from_a_bad_one_and_agrees_with_the_log_likelihoods() {
    let folder = Folder::new("loo");
    folder.write("d.csv", table(60));
    for (name, layers, precision) in [("a", "6", "f32"), ("b", "0", "f64")] {
        let flags =
            format!("--layers {layers} --precision {precision} --log-lik {name}.csv {SMALL}");
        folder.lcc(&format!("fit --data d.csv --model {name}.lcc {flags}")).expect(0);
    }
    let flags = "loo --model a.lcc --than b.lcc --data d.csv";
    let said = folder.lcc(&format!("{flags} --rows r.csv --json j.json")).expect(0);
    assert!(said.out.contains("elpd of a.lcc less that of b.lcc"), "{}", said.out);
    let json = folder.json("j.json");
    let number = |v: &serde_json::Value| v.as_f64().expect("a number");
    let models = json["models"].as_array().expect("a list");
    assert_eq!((json["n"].as_u64(), models.len()), (Some(60), 2));
    // A line does not follow the tanh: by far more than the error of the difference.
    let (difference, error) = (number(&json["difference"]), number(&json["difference_error"]));
    assert!(difference > 3.0 * error && error > 0.0, "{json}");
    assert!((difference - number(&models[0]["elpd"]) + number(&models[1]["elpd"])).abs() < 1e-3);
    // lpd is the log of the mean likelihood over the draws; elpd is below, by the effective parameters.
    let (_, draws) = parse_csv(&folder.text("a.csv"));
    let (names, rows) = parse_csv(&folder.text("r.csv"));
    assert_eq!(names, ["elpd", "mcse", "k", "lpd", "p_waic"]);
    assert_eq!(
        (rows.len(), draws.len() as u64),
        (60, models[0]["draws"].as_u64().expect("a count"))
    );
    for (i, row) in rows.iter().enumerate() {
        let mean = draws.iter().map(|draw| draw[i].exp()).sum::<f64>() / draws.len() as f64;
        assert!((row[3] - mean.ln()).abs() < 1e-4, "{i}: {} {}", row[3], mean.ln());
        assert!(row[0] < row[3] && row[4] > 0.0, "{i}: {row:?}");
    }
    let sum: f64 = rows.iter().map(|row| row[0]).sum();
    assert!((sum - number(&models[0]["elpd"])).abs() < 1e-3);
    let bad = rows.iter().filter(|row| row[2] > number(&models[0]["k_limit"])).count();
    assert_eq!(models[0]["bad"].as_u64(), Some(bad as u64));
    // The same bytes again, alone on standard output.
    let again = folder.lcc(&format!("{flags} --json -")).expect(0);
    assert_eq!(again.out, folder.text("j.json"));
    let alone = folder.lcc("loo --model a.lcc --data d.csv --json -").expect(0);
    assert!(
        !alone.out.contains("difference") && !alone.err.contains("do not trust"),
        "{}",
        alone.err
    );
    // Rows of others, and weights, are said.
    folder.write("o.csv", table(40));
    let other = folder.lcc("loo --model a.lcc --data o.csv").expect(0);
    assert!(
        other.err.contains("a.lcc: was fitted to other rows than those of o.csv"),
        "{}",
        other.err
    );
    let weighted: String = table(60)
        .lines()
        .enumerate()
        .fold(String::new(), |all, (i, line)| all + line + if i == 0 { ",w\n" } else { ",2\n" });
    folder.write("w.csv", weighted);
    let run = folder.lcc(&format!("fit --data w.csv --weights w --model w.lcc {SMALL}")).expect(0);
    assert_eq!(run.err, "");
    let run = folder.lcc("loo --model w.lcc --data w.csv").expect(0);
    assert!(run.err.contains("was fitted to rows with weights"), "{}", run.err);
}

#[test]
fn refuses_what_it_cannot_use() {
    let folder = Folder::new("loo_refuses");
    folder.write("d.csv", table(40));
    folder.write("x.csv", "a,b\n1,2\n");
    folder.write("narrow.csv", "a,c,y\n1,2,3\n");
    folder.lcc(&format!("fit --data d.csv --model a.lcc {SMALL}")).expect(0);
    folder.lcc("loo --data d.csv").fails(2, &["--model is missing"]);
    folder.lcc("loo --model a.lcc").fails(2, &["--data is missing"]);
    folder.lcc("loo --model a.lcc --data x.csv").fails(1, &["x.csv"]);
    folder.lcc("loo --model a.lcc --data narrow.csv").fails(1, &["narrow.csv", "\"b\""]);
    folder.lcc("loo --model d.csv --data d.csv").fails(1, &["d.csv"]);
    folder.lcc("loo --model a.lcc --than none.lcc --data d.csv").fails(1, &["none.lcc"]);
    folder.lcc("loo --model a.lcc --data d.csv --rows d.csv").fails(2, &["d.csv"]);
}
