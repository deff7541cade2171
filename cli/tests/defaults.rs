//! Defaults that work, names that options take, and starts that run away.

mod common;
use common::Folder;
use std::fmt::Write as _;

/// Uniform numbers, the same every time.
fn uniform(state: &mut u32) -> f64 {
    *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    f64::from(*state >> 8) / f64::from(1 << 24)
}

/// Three classes that overlap.
fn classes() -> String {
    let (mut state, mut csv) = (5, String::from("a,kind\n"));
    for _ in 0..90 {
        let a = uniform(&mut state);
        let kind = ["p", "q", "r"][((a + uniform(&mut state)) * 1.5) as usize % 3];
        let _ = writeln!(csv, "{a:.5},{kind}");
    }
    csv
}

/// Counts of about 50, as many above as below.
fn counts() -> String {
    let (mut state, mut csv) = (5, String::from("a,y\n"));
    for _ in 0..100 {
        let a = uniform(&mut state);
        let _ = writeln!(csv, "{a:.5},{:.0}", 40.0 + 20.0 * a + 14.0 * (uniform(&mut state) - 0.5));
    }
    csv
}

/// Without a prior a number added to all outputs changes nothing: a class is the reference, or none.
#[test]
fn classes_have_a_largest_likelihood() {
    let folder = Folder::new("likelihood_classes");
    folder.write("d.csv", classes());
    let fit = "fit --data d.csv --target kind --method maximum-likelihood --quiet --no-calibration";
    folder.lcc(&format!("{fit} --predictions p.csv")).expect(0);
    folder.lcc(&format!("{fit} --predictions n.csv --network reference=1")).expect(0);
    assert_eq!(folder.bytes("p.csv"), folder.bytes("n.csv"));
    // With intercepts the mean probability of a class is its share, at the maximum and nowhere else.
    let (header, rows) = {
        let text = folder.text("p.csv");
        let mut lines = text.lines().map(|l| l.split(',').map(String::from).collect::<Vec<_>>());
        (lines.next().expect("a header"), lines.collect::<Vec<_>>())
    };
    for class in ["p", "q", "r"] {
        let at = |name: &str| header.iter().position(|own| own == name).expect("a column");
        let n = rows.len() as f64;
        let said = |row: &Vec<String>| row[at(&format!("p_{class}"))].parse::<f64>().expect("p");
        let mean: f64 = rows.iter().map(said).sum::<f64>() / n;
        let share = rows.iter().filter(|row| row[at("y")] == class).count() as f64 / n;
        assert!((mean - share).abs() < 1e-6, "{class}: {mean} {share}");
    }
    // Without one the number is open, and the probabilities are the same.
    folder.lcc(&format!("{fit} --predictions o.csv --network reference=0")).expect(0);
    let numbers = |file: &str| -> Vec<f64> {
        folder.text(file).split([',', '\n']).filter_map(|cell| cell.parse().ok()).collect()
    };
    let (here, there) = (numbers("p.csv"), numbers("o.csv"));
    assert_eq!(here.len(), there.len());
    assert!(here.iter().zip(&there).all(|(a, b)| (a - b).abs() < 1e-6));
}

#[test]
fn scales_have_names() {
    let folder = Folder::new("scales");
    folder.write("d.csv", common::table(40));
    let fit = "fit --data d.csv --method map --layers 2 --quiet --network";
    for (name, code) in [("inputs", 0), ("layers", 1), ("known", 2)] {
        folder.lcc(&format!("{fit} scales={name} --c-array m.h")).expect(0);
        folder.lcc(&format!("{fit} scales={code} --c-array n.h")).expect(0);
        let numbers = |file: &str| folder.text(file).split_once('{').map(|(_, b)| b.to_string());
        assert_eq!(numbers("m.h"), numbers("n.h"));
    }
    folder.lcc(&format!("{fit} scales=unknown")).fails(2, &["not \"scales=unknown\""]);
    folder.lcc(&format!("{fit} tail=known")).fails(2, &["not \"tail=known\""]);
}

/// Stochastic gradients alone: near the mode by steps of the core's own; an error that names the step, where one's own are
/// too long.
#[test]
fn modes_by_stochastic_gradients() {
    let folder = Folder::new("descent");
    folder.write("d.csv", counts());
    for method in ["map", "maximum-likelihood"] {
        let fit = format!(
            "fit --data d.csv --output poisson --layers 0 --method {method} --quiet --json r.json"
        );
        folder.lcc(&fit).expect(0);
        let reached = folder.json("r.json")["log_joint"].as_f64().expect("a number");
        folder.lcc(&format!("{fit} --network optimiser=sgd --batch 10")).expect(0);
        let json = folder.json("r.json");
        let (joint, steps) = (json["log_joint"].as_f64(), json["ascent_steps"].as_f64());
        assert!((joint.expect("a number") - reached).abs() < 0.5, "{joint:?} {reached}");
        assert_eq!(steps, Some(5000.0));
        for network in ["rate=30", "rate=1e6,average=0", "rate=1,delay=1"] {
            let run = folder.lcc(&format!("{fit} --network optimiser=sgd,{network} --model m.lcc"));
            run.fails(1, &["ran away: take a smaller step size (rate, step)"]);
            assert!(!folder.has("m.lcc"));
        }
    }
    let wrong = |args: &str| folder.lcc(&format!("fit --data d.csv --quiet {args}"));
    wrong("--method map --network optimiser=adam").fails(2, &["not \"optimiser=adam\""]);
    wrong("--method map --network optimiser=2").fails(2, &["not \"optimiser=2\""]);
    let other = "--network optimiser is not of --method laplace";
    wrong("--method laplace --network optimiser=sgd").fails(2, &[other]);
}

/// Gradient ascent by steps that are too long ends somewhere finite where all counts are 0.
#[test]
fn starts_that_run_away_are_refused() {
    let folder = Folder::new("runaway");
    folder.write("d.csv", counts());
    for method in ["map", "ensemble", "dropout", "bnn --chains 8"] {
        let fit = format!("fit --data d.csv --output poisson --method {method} --quiet");
        for rate in ["1", "30", "1e4"] {
            let run = folder.lcc(&format!("{fit} --network rate={rate} --model m.lcc"));
            run.fails(1, &["lower than it began: take a smaller rate"]);
            assert!(!folder.has("m.lcc"));
        }
        folder.lcc(&format!("{fit} --network rate=.02 --json r.json --test d.csv")).expect(0);
        let rmse = folder.json("r.json")["test"]["rmse"].as_f64().expect("a number");
        assert!(rmse < 12.0, "{method}: {rmse}");
    }
}
