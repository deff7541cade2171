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
