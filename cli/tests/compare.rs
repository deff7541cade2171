//! Methods on the same rows: one table.

mod common;
use common::{Folder, table, without_seconds};
use serde_json::Value;
use std::fmt::Write as _;

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

const QUICK: &str = "--layers 3 --chains 2 --start 60 --quiet";

#[test]
fn methods_tell_the_same_rows() {
    let folder = Folder::new("compare");
    folder.write("d.csv", table(80));
    let how = format!("compare --data d.csv --methods bnn,map,ensemble --test-share .3 {QUICK}");
    let run = folder.lcc(&format!("{how} --json r.json --plot p.svg")).expect(0);
    let json = folder.json("r.json");
    assert_eq!(json["n"], 24);
    let lines = json["methods"].as_array().expect("a list");
    let names: Vec<&str> = lines.iter().map(|l| l["name"].as_str().expect("a name")).collect();
    assert_eq!(names, ["bnn", "map", "ensemble", "the mean of the target", "linear regression"]);
    // The scores are those of a fit by that method on these rows.
    for (k, method) in names[..3].iter().enumerate() {
        folder
            .lcc(&format!(
                "fit --data d.csv --method {method} --test-share .3 --json f.json {QUICK}"
            ))
            .expect(0);
        let fit = folder.json("f.json");
        for key in ["rmse", "log_likelihood", "rmse_error", "coverage"] {
            let (ours, its) = (number(&lines[k][key]), number(&fit["test"][key]));
            assert!(
                (ours - its).abs() < 2e-5 * (1.0 + its.abs()),
                "{method} {key}: {ours} for {its}"
            );
        }
        assert!(number(&lines[k]["luck"]) > 0.0, "{json}");
        assert!(run.out.contains(&format!("\n{method} ")), "{}", run.out);
    }
    for (k, baseline) in [(3, 0), (4, 1)] {
        let fit = &folder.json("f.json")["baselines"][baseline];
        assert_eq!(lines[k]["rmse"], fit["rmse"]);
        assert_eq!(lines[k]["log_likelihood_error"], fit["log_likelihood_error"]);
        assert_eq!((&lines[k]["kind"], &lines[k]["luck"]), (&"baseline".into(), &Value::Null));
    }
    // Behind the best: none of them ahead, the best by nothing.
    let best = lines.iter().map(|l| number(&l["log_likelihood"])).fold(f64::MIN, f64::max);
    for line in lines {
        let behind = best - number(&line["log_likelihood"]);
        assert!((number(&line["behind"]) - behind).abs() < 1e-4 * (1.0 + behind), "{json}");
        assert_eq!(behind > 0.0, number(&line["behind_error"]) > 0.0, "{json}");
    }
    // Of two methods that tell the same rows the difference is surer than either score.
    assert!(number(&lines[3]["behind"]) > 4.0 * number(&lines[3]["behind_error"]), "{json}");

    let svg = folder.text("p.svg");
    assert!(svg.starts_with("<?xml") && svg.ends_with("</svg>\n"));
    assert_eq!(svg.matches("<circle").count(), 2 * 5);
    assert!(!svg.contains("nan") && !svg.contains("inf") && !svg.contains("href"));
    // The same again.
    let report = without_seconds(&folder.text("r.json"));
    let again = folder.lcc(&format!("{how} --json -")).expect(0);
    assert_eq!(without_seconds(&again.out), report.trim_end());
}

#[test]
fn classes_are_compared_by_folds() {
    let folder = Folder::new("compare_classes");
    let mut csv = String::from("a,kind\n");
    let mut state = 5_u32;
    for row in 0..60 {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let noise = f64::from(state >> 8) / f64::from(1 << 24) - 0.5;
        let _ = writeln!(
            csv,
            "{},{}",
            f64::from(row % 3) + 1.5 * noise,
            ["x", "y", "z"][row as usize % 3]
        );
    }
    folder.write("c.csv", csv);
    let run = folder
        .lcc(&format!(
            "compare --data c.csv --target kind --methods=bnn,ensemble --cv 3 --no-calibration --json r.json {QUICK}"
        ))
        .expect(0);
    let json = folder.json("r.json");
    assert_eq!(json["n"], 60);
    let lines = json["methods"].as_array().expect("a list");
    assert_eq!(lines.len(), 3);
    assert!(number(&lines[0]["accuracy"]) > number(&lines[2]["accuracy"]) + 0.3, "{json}");
    assert!(number(&lines[1]["calibration_error"]) > 0.0, "{json}");
    assert!(run.out.contains("the shares of the classes"), "{}", run.out);
}

/// A panel a method; those of more inputs, and of classes, are not drawn.
#[test]
fn curves_are_drawn_of_one_input() {
    let folder = Folder::new("compare_curves");
    folder.write("d.csv", table(30));
    let mut one = String::from("x,y\n");
    for k in 0..24 {
        let x = f64::from(k) / 8.0 - 1.5;
        let _ = writeln!(one, "{x},{}", x * x + 0.01 * f64::from(k % 5));
    }
    folder.write("o.csv", one);
    folder
        .lcc(&format!(
            "compare --data o.csv --methods map,ensemble,laplace --cv 3 --curves c.svg {QUICK}"
        ))
        .expect(0);
    let svg = folder.text("c.svg");
    assert!(svg.starts_with("<?xml") && svg.ends_with("</svg>\n"));
    // Of each the rows, a band, a line.
    assert_eq!(svg.matches("<circle").count(), 3 * 24);
    assert_eq!(svg.matches("fill-opacity=\".18\"").count(), 3);
    assert!(svg.contains(">laplace</tspan>"));
    // Each beside the first.
    assert_eq!(svg.matches("mean sd ").count(), 3);
    assert_eq!(svg.matches(" times the first<").count(), 2);
    assert!(!svg.contains("nan") && !svg.contains("inf") && !svg.contains("href"));
    folder
        .lcc(&format!("compare --data d.csv --methods map --curves e.svg {QUICK}"))
        .fails(2, &["--curves is of one input"]);
    assert!(!folder.list().contains(&"e.svg".to_string()));
}

#[test]
fn what_cannot_be_compared_is_refused_at_once() {
    let folder = Folder::new("compare_refuses");
    folder.write("d.csv", table(30));
    for (arguments, code, part) in [
        ("compare", 2, "--data is missing"),
        ("compare --data d.csv --methods bnn,nonsense", 2, "this build has no \"nonsense\""),
        ("compare --data d.csv --methods", 2, "--methods needs a value"),
        ("compare --data d.csv --methods=", 2, "--methods needs a value"),
        ("compare --data d.csv --methods bnn,map --warmup 3", 2, "--warmup is not of --method map"),
        ("compare --data d.csv --model m.lcc", 2, "writes no models"),
        ("compare --data d.csv --test d.csv", 2, "takes its tests from --data"),
        ("compare --data d.csv --cv 2 --checkpoint c", 2, "writes no models"),
        ("compare --data d.csv --plot d.csv", 2, "will not be overwritten"),
        ("compare --data absent.csv", 1, "absent.csv: cannot be read"),
    ] {
        folder.lcc(arguments).fails(code, &[part]);
        assert_eq!(folder.list(), ["d.csv"]);
    }
}
