//! The quantities of the theory are those of the core.

mod common;
use common::Folder;
use lcc_model::lcc_core::theory::{bounds, complexity, regret};

/// Closed forms, and the functions of the core, of numbers given on the command line.
#[test]
fn bounds_are_those_of_the_theory() {
    let folder = Folder::new("theory");
    folder
        .lcc(
            "theory --variation 2.5 --inputs 6 --layers 3 --rows 400 --neurons 20 --beta .5 --distance .3 \
             --json t.json",
        )
        .expect(0);
    let json = folder.json("t.json");
    let near = |key: &str, value: f64| {
        let own = json[key].as_f64().unwrap_or_else(|| panic!("{key}: {json}"));
        assert!((own - value).abs() <= 1e-14 * value, "{key}: {own} {value}");
    };
    let c = 2.5 * (2.0 * 12_f64.ln() + 6.0 * 2_f64.ln()).sqrt();
    let sharp = std::f64::consts::TAU * 2_f64.ln();
    near("approximation", 2.5 * 2.5 / 20.0);
    near("risk_of_neurons", 2.5 * 2.5 / 20.0 + 20.0 * (12_f64.ln() + 3.0) / 400.0);
    near("risk", 2.5 * ((12_f64.ln() + 3.0) / 400.0).sqrt());
    near("gaussian_complexity", c);
    near("covering_published", 16.0 * c * c / 0.09);
    near("covering", sharp * c * c / 0.09);
    near("least_by_cover_published", 8.0 * c / 20.0);
    near("least_by_cover", 2.0 * sharp.sqrt() * c / 20.0);
    near("yang_barron", c * (sharp / 400.0).sqrt());
    near("renyi", c * (2.0 * sharp / 400.0).sqrt());
    near("regret", 2.5 * (6_f64.ln() / 400.0).sqrt());
    near("risk", bounds::risk(2.5, 6, 3, 400));
    near("least_by_cover", complexity::least_by_cover(c, 400));
    near("regret", regret::of_variation(2.5, 6, 400));
    assert!(json["network"].is_null());
    // Not given: one layer, V = 1, the M that suits N best, the distance where the sum is least.
    folder.lcc("theory --inputs 6 --rows 400 --json t.json").expect(0);
    let json = folder.json("t.json");
    let number = |key: &str| json[key].as_f64().unwrap_or_else(|| panic!("{key}: {json}"));
    let nats = 12_f64.ln() + 1.0;
    let sum = |m: f64| 1.0 / m + m * nats / 400.0;
    let best = number("neurons");
    assert!(sum(best) <= sum(best - 1.0) && sum(best) <= sum(best + 1.0));
    let e = number("distance");
    let at_least = e * e + number("covering") / 400.0;
    assert!((at_least / number("least_by_cover") - 1.0).abs() < 1e-14);
    assert_eq!((number("variation"), number("layers"), number("beta")), (1.0, 1.0, 1.0));
    // What a person reads has the same numbers.
    let shown = folder.lcc("theory --inputs 6 --rows 400").expect(0).out;
    assert!(shown.contains("as printed") && shown.contains("least_by_cover_published"), "{shown}");
}

/// V_L of a network by enumeration of its paths, and what it gives V, d, L and M.
#[test]
fn a_network_has_the_variation_of_its_paths() {
    let folder = Folder::new("theory_network");
    folder.write(
        "w.json",
        "{\"note\": [1, \"x\"], \"weights\": [[[1, -2, 0.5], [0.25, 1e0, -1]], [[3, -1], [0, 2], [-0.5, 4]],\n \
         [[1, -2, 0.5]]]}",
    );
    folder.lcc("theory --network w.json --rows 100 --json t.json").expect(0);
    let json = folder.json("t.json");
    let (a, b, c): ([[f64; 3]; 2], [[f64; 2]; 3], [f64; 3]) = (
        [[1.0, -2.0, 0.5], [0.25, 1.0, -1.0]],
        [[3.0, -1.0], [0.0, 2.0], [-0.5, 4.0]],
        [1.0, -2.0, 0.5],
    );
    let mut paths = [0.0; 3];
    for (k, c) in c.iter().enumerate() {
        for m in 0..2 {
            for (path, a) in paths.iter_mut().zip(a[m]) {
                *path += (a * b[k][m] * c).abs();
            }
        }
    }
    let total: f64 = paths.iter().sum();
    let own: Vec<f64> = json["network"]["paths"]
        .as_array()
        .expect("paths")
        .iter()
        .map(|p| p.as_f64().expect("a number"))
        .collect();
    assert_eq!(own, paths);
    for (key, value) in [("variation", total), ("inputs", 3.0), ("layers", 2.0), ("neurons", 3.0)] {
        assert_eq!(json[key].as_f64(), Some(value), "{key}: {json}");
    }
    assert_eq!(json["network"]["variation"], total);
    for (text, part) in [
        ("{}", "no \"weights\""),
        ("{\"weights\": []}", "no \"weights\""),
        ("{\"weights\": [[]]}", "a matrix without rows"),
        ("{\"weights\": [[[]]]}", "a row without weights"),
        ("{\"weights\": [[[1, 2], [1]]]}", "a row of another length"),
        ("{\"weights\": [[[1, 2]], [[1, 2]]]}", "a row of another length"),
        ("{\"weights\": [[[1, \"2\"]]]}", "line 1"),
        ("{\"weights\": [[[1e999]]]}", "out of range"),
        ("{\"weights\": [[[1]]], \"weights\": [[[1]]]}", "duplicate field"),
    ] {
        folder.write("b.json", text);
        folder.lcc("theory --network b.json --rows 9").fails(1, &["b.json", part]);
    }
    folder.lcc("theory --network none.json --rows 9").fails(1, &["none.json"]);
    for (flags, part) in [
        ("--inputs 3", "--rows is missing"),
        ("--rows 3", "either --inputs or --network"),
        ("--rows 0 --inputs 3", "from 1 to"),
        ("--rows 3 --inputs 3 --beta 0", "above 0"),
        ("--rows 3 --inputs 3 --data d.csv", "no option"),
    ] {
        folder.lcc(&format!("theory {flags}")).fails(2, &[part]);
    }
}

/// V of a fitted model is the sum over the paths of its draws, enumerated; its JSON has the same.
#[test]
fn a_model_has_the_variation_of_its_draws() {
    let folder = Folder::new("theory_model");
    folder.write("d.csv", common::table(40));
    for (layers, more) in [("3,2", ""), ("3", " --network linear=0"), ("0", "")] {
        let fit = format!("fit --data d.csv --method ensemble --chains 8 --layers {layers}{more}");
        folder.lcc(&format!("{fit} --model m.lcc --start 50 --quiet")).expect(0);
        folder.lcc("convert m.lcc --to json -o m.json").expect(0);
        folder.lcc("theory --model m.lcc --rows 40 --json t.json").expect(0);
        folder.lcc("theory --network m.json --rows 40 --json u.json").expect(0);
        let (model, own) = (folder.json("m.json"), folder.json("t.json"));
        let list = |value: &serde_json::Value| -> Vec<f64> {
            let all = value.as_array().expect("a list").iter();
            all.map(|v| v.as_f64().expect("a number").abs()).collect()
        };
        let (mut total, mut count) = (0.0, 0.0);
        for draw in model["draws"].as_array().expect("draws") {
            // What each input, and then an input that is always 1, sends on: up the layers.
            let mut sent = vec![vec![1.0, 0.0, 0.0], vec![0.0, 1.0, 0.0]];
            let up = |sent: &[Vec<f64>], weights: &[f64], biases: &[f64]| -> Vec<Vec<f64>> {
                let rows = biases.iter().zip(weights.chunks(sent.len().max(1)));
                let unit = |(bias, row): (&f64, &[f64])| {
                    let path = |k: usize| row.iter().zip(sent).map(|(w, s)| w * s[k]).sum::<f64>();
                    vec![path(0), path(1), path(2) + bias]
                };
                if sent.is_empty() {
                    return biases.iter().map(|bias| vec![0.0, 0.0, *bias]).collect();
                }
                rows.map(unit).collect()
            };
            let direct = list(&draw["direct"]);
            let layers = draw["layers"].as_array().expect("layers");
            for layer in layers {
                sent = up(&sent, &list(&layer["weights"]), &list(&layer["biases"]));
            }
            if layers.is_empty() {
                sent.clear();
            }
            let last = up(&sent, &list(&draw["weights"]), &list(&draw["intercepts"]));
            total += last.iter().flatten().sum::<f64>() + direct.iter().sum::<f64>();
            count += 1.0;
        }
        let value = |json: &serde_json::Value| json["variation"].as_f64().expect("a number");
        assert!((value(&own) / (total / count) - 1.0).abs() < 1e-6, "{own} {}", total / count);
        assert!((value(&own) / value(&folder.json("u.json")) - 1.0).abs() < 1e-6);
        assert_eq!(
            (&own["inputs"], own["network"]["paths"].as_array().map(Vec::len)),
            (&3.into(), Some(3))
        );
    }
    folder.lcc("theory --model m.lcc --network m.json --rows 9").fails(2, &["either --network"]);
    let cut = folder.text("m.json").replacen("\"intercepts\": [", "\"intercepts\": [1, ", 1);
    folder.write("m.json", cut);
    folder.lcc("theory --network m.json --rows 9").fails(1, &["m.json: shapes that do not fit"]);
}
