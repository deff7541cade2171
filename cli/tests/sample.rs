//! Draws from one posterior: fields, formats, checkpoints.

mod common;
use common::{Folder, parse_csv, table, without_seconds};
use lcc_tests::tools::by_turns;

const SMALL: &str = "--chains 4 --warmup 100 --draws 200 --quiet";

fn with_data(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("d.csv", table(40));
    folder
}

fn numbers(value: &serde_json::Value) -> Vec<f64> {
    value.as_array().expect("an array").iter().map(|v| v.as_f64().expect("a number")).collect()
}

#[test]
fn json_holds_every_field() {
    let folder = with_data("fields");
    for (posterior, dim) in [("greedy", 2), ("joint --neurons 3 --beta .001", 6)] {
        folder
            .lcc(&format!("sample --data d.csv --posterior {posterior} --json r.json {SMALL}"))
            .expect(0);
        let json = folder.json("r.json");
        assert_eq!(json["posterior"], posterior.split(' ').next().expect("a word"));
        assert_eq!(json["sampler"], "split-hmc");
        assert!(json["sampler_reason"].as_str().is_some_and(|s| s.starts_with("Split HMC about")));
        assert_eq!(json["precision"], "f64");
        for (field, value) in [("n", 40), ("d", 2), ("chains", 4), ("draws", 200), ("seed", 1)] {
            assert_eq!(json[field], value, "{field}");
        }
        for field in [
            "seconds_warmup",
            "seconds_sampling",
            "acceptance",
            "rhat_max",
            "ess_bulk_min",
            "ess_tail_min",
        ] {
            assert!(json[field].is_number(), "{field}: {json}");
        }
        assert!(json["gradients"].as_u64().is_some_and(|g| g >= 4 * 300));
        assert_eq!(numbers(&json["expectation"]).len(), 20, "the first 20 rows");
        assert!(numbers(&json["mcse"]).iter().all(|e| *e > 0.0));
        assert_eq!(numbers(&json["mean"]).len(), dim);
        assert!(numbers(&json["variance"]).iter().all(|v| *v > 0.0));
        assert!(json["log_evidence"].is_number());
        let certificate = &json["certificate"];
        for field in ["name", "status", "conclusion", "verdict"] {
            assert!(certificate[field].is_string(), "{certificate}");
        }
        assert!(certificate["value"].is_number() && certificate["threshold"].is_number());
    }
}

/// With a flat tilt the posterior is the prior: mean 0, variance scale^2, and psi(x.w) odd.
#[test]
fn a_vanishing_tilt_leaves_the_prior() {
    let folder = with_data("prior");
    for precision in ["f64", "f32"] {
        folder
            .lcc(&format!(
                "sample --data d.csv --sampler split-hmc --alpha 1e-12 --scale 2 --chains 8 \
                 --warmup 300 --draws 1000 --precision {precision} --json r.json --quiet"
            ))
            .expect(0);
        let json = folder.json("r.json");
        for (m, v) in numbers(&json["mean"]).iter().zip(numbers(&json["variance"])) {
            // 8000 draws, ESS at least some 2000: five standard errors.
            assert!(m.abs() < 5.0 * 2.0 / 2000f64.sqrt(), "{json}");
            assert!((v / 4.0 - 1.0).abs() < 5.0 * (2.0 / 2000f64).sqrt(), "{json}");
        }
        let mcse = numbers(&json["mcse"]);
        for (e, s) in numbers(&json["expectation"]).iter().zip(mcse) {
            assert!(e.abs() < 5.0 * s, "{json}");
        }
    }
}

#[test]
fn same_flags_same_bytes() {
    let folder = with_data("sample_bytes");
    for more in ["", "--posterior joint --neurons 3 --precision f32", "--prior l1 --scale 3"] {
        let run = |json: &str| {
            folder
                .lcc(&format!("sample --data d.csv --draws-csv c --json {json} {SMALL} {more}"))
                .expect(0);
            (folder.bytes("c_1.csv"), folder.bytes("c_4.csv"), without_seconds(&folder.text(json)))
        };
        let first = run("r.json");
        assert_eq!(run("again.json"), first);
        assert_ne!(first.0, first.1, "chains differ");
    }
}

/// Its mean is the expectation of f, its variance that of f over the draws and 1/beta.
#[test]
fn a_joint_posterior_becomes_a_model() {
    let folder = with_data("joint_model");
    for (sampler, draws) in [
        ("gibbs --neurons 3 --prior l1 --scale 3", 800),
        ("split-hmc --neurons 3 --antithetic", 1600),
        ("smc --neurons 3 --particles 64", 64),
        ("tempering --neurons 3 --ladder .1,1", 800),
        ("gibbs --layers 3,2 --prior l1 --threads 2", 800),
        ("auto --layers 3,2", 1600),
    ] {
        let own = "--posterior joint --outer 2 --beta 4 --model m.lcc --json r.json";
        let size = if sampler.starts_with("smc") { "--quiet" } else { SMALL };
        let run = format!("sample --data d.csv {own} --query d.csv --sampler {sampler} {size}");
        folder.lcc(&run).expect(0);
        let sampled = folder.json("r.json");
        folder.lcc("predict --model m.lcc --data d.csv --predictions p.csv --quiet").expect(0);
        folder.lcc("show m.lcc --json s.json").expect(0);
        let shown = folder.json("s.json");
        assert_eq!(shown["draws"], draws, "{sampler}");
        let (names, rows) = parse_csv(&folder.text("p.csv"));
        let [mean, sd] = ["mean", "sd"].map(|own| names.iter().position(|n| n == own).unwrap());
        for (row, expected) in rows.iter().zip(numbers(&sampled["expectation"])) {
            assert!((row[mean] - expected).abs() < 1e-9, "{sampler}: {row:?} {expected}");
            // |f| is at most --outer.
            assert!((0.25..4.25).contains(&row[sd].powi(2)), "{sampler}: {row:?}");
        }
        assert_eq!(rows.len(), 40);
    }
    folder.lcc("sample --data d.csv --model n.lcc").fails(2, &["--model is of --posterior joint"]);
    for (flags, says) in [
        ("sample --layers 3,2", "--layers is of --posterior joint"),
        ("sample --posterior joint --layers 3,2 --neurons 4", "leave --neurons out"),
        ("sample --posterior joint --layers 0", "at least one layer"),
        ("sample --posterior joint --layers 3,2 --sampler gibbs", "on the l1 ball only"),
        ("sample --posterior joint --layers 3,2 --sampler xi-mala", "take --sampler gibbs"),
        ("certify --posterior joint --layers 3,2", "certificates are of one hidden layer"),
    ] {
        let (command, rest) = flags.split_once(' ').unwrap();
        folder.lcc(&format!("{command} --data d.csv {rest}")).fails(2, &[says]);
    }
    assert!(!folder.list().contains(&"n.lcc".to_string()));
}

#[test]
fn draws_are_in_cmdstan_format_and_agree_with_the_report() {
    let folder = with_data("cmdstan");
    folder
        .lcc(&format!("sample --data d.csv --sampler hmc --draws-csv c --json r.json {SMALL}"))
        .expect(0);
    let json = folder.json("r.json");
    assert!(json["log_evidence"].is_null());
    let mut sums = [0.0; 2];
    for chain in 1..=4 {
        let text = folder.text(&format!("c_{chain}.csv"));
        assert!(text.starts_with("# "), "comments first");
        assert!(text.contains("\n# Diagonal elements of inverse mass matrix:\n# 1, 1\n"));
        assert!(text.contains("num_samples = 200") && text.contains(&format!("# id = {chain}")));
        let (names, rows) = parse_csv(&text);
        assert_eq!(
            names,
            "lp__ accept_stat__ stepsize__ n_leapfrog__ divergent__ energy__ w.1 w.2"
                .split(' ')
                .collect::<Vec<_>>()
        );
        assert_eq!(rows.len(), 200);
        for row in &rows {
            assert!((0.0..=1.0).contains(&row[1]) && row[2] > 0.0 && row[3] == 4.0);
            assert!(row[4] == 0.0 || row[4] == 1.0);
            sums[0] += row[6] / 800.0;
            sums[1] += row[7] / 800.0;
        }
    }
    for (sum, mean) in sums.iter().zip(numbers(&json["mean"])) {
        assert!((sum - mean).abs() < 1e-10, "{sum} {mean}");
    }
    assert!(!folder.list().contains(&"c_5.csv".to_string()));
}

#[test]
fn queries_are_the_first_rows_unless_given() {
    let folder = with_data("queries");
    let first: String = table(40).lines().take(21).map(|line| format!("{line}\n")).collect();
    folder.write("q.csv", first);
    folder.lcc(&format!("sample --data d.csv --json r.json {SMALL}")).expect(0);
    folder.lcc(&format!("sample --data d.csv --query q.csv --json q.json {SMALL}")).expect(0);
    assert_eq!(folder.json("q.json")["expectation"], folder.json("r.json")["expectation"]);
    folder.write("q.csv", "a,b\n0,0\n");
    folder.lcc(&format!("sample --data d.csv --query q.csv --json q.json {SMALL}")).expect(0);
    assert_eq!(numbers(&folder.json("q.json")["expectation"]), [0.0], "tanh(0)");
}

#[test]
fn chains_that_disagree_are_reported() {
    let folder = with_data("disagree");
    let run = folder
        .lcc("sample --data d.csv --chains 4 --warmup 0 --draws 6 --quiet --json r.json")
        .expect(0);
    assert_eq!(folder.json("r.json")["sampler"], "split-hmc");
    assert!(run.err.contains("auto judges chains"), "{}", run.err);
    let rhat = folder.json("r.json")["rhat_max"].as_f64().expect("a number");
    assert!(rhat > 1.05, "six draws without warm-up: {rhat}");
    assert!(run.err.contains("the chains disagree: R-hat"), "{}", run.err);
}

#[test]
fn a_finished_checkpoint_gives_the_results_again() {
    let folder = with_data("finished");
    folder
        .lcc(&format!("sample --data d.csv --draws-csv a --checkpoint s --json a.json {SMALL}"))
        .expect(0);
    folder
        .lcc(&format!(
            "sample --data d.csv --draws-csv b --checkpoint s --resume --json b.json {SMALL}"
        ))
        .expect(0);
    assert_eq!(folder.bytes("a_3.csv"), folder.bytes("b_3.csv"));
    assert_eq!(without_seconds(&folder.text("a.json")), without_seconds(&folder.text("b.json")));
    folder
        .lcc(&format!("sample --data d.csv --checkpoint s --resume --seed 2 {SMALL}"))
        .fails(1, &["s: belongs to a run with other settings", "seed 1", "seed 2"]);
    folder.write("d.csv", table(40).replacen("10.", "11.", 1));
    folder
        .lcc(&format!("sample --data d.csv --checkpoint s --resume {SMALL}"))
        .fails(1, &["lcc: "]);
}

/// Ctrl-C in the middle, then on from the checkpoint: the bytes of one run without a pause.
#[cfg(unix)]
fn interrupt_and_resume(name: &str, sampler: &str, chains: usize) {
    let folder = with_data(&format!("interrupted_{name}"));
    folder.write("big.csv", table(4000));
    let flags = format!("sample --data big.csv {sampler} --quiet");
    let run = folder.interrupt(&format!("{flags} --draws-csv part --json part.json"));
    assert!(run.err.contains("stopped"), "{}", run.err);

    let rest = "--checkpoint s --resume --draws-csv resumed --json resumed.json";
    folder.lcc(&format!("{flags} {rest}")).expect(0);
    folder.lcc(&format!("{flags} --draws-csv whole --json whole.json")).expect(0);
    for chain in 1..=chains {
        let whole = folder.text(&format!("whole_{chain}.csv"));
        assert_eq!(folder.text(&format!("resumed_{chain}.csv")), whole);
        if folder.list().contains(&"part.json".to_string()) {
            // What was kept on Ctrl-C is the beginning of the whole.
            let (_, part) = parse_csv(&folder.text(&format!("part_{chain}.csv")));
            let (_, whole) = parse_csv(&whole);
            assert_eq!(part, whole[..part.len()]);
        }
    }
    assert_eq!(
        without_seconds(&folder.text("resumed.json")),
        without_seconds(&folder.text("whole.json"))
    );
}

#[cfg(unix)]
#[test]
fn interrupted_and_resumed_is_as_if_never_interrupted() {
    let tempering = "--sampler tempering --chains 4 --warmup 100 --draws 5000 --alpha 1e-3 --ladder .05,.2,.5,1";
    let all = [
        ("chains", "--chains 4 --warmup 100 --draws 4000", 4),
        ("smc", "--sampler smc --particles 20000 --alpha 1e-3", 1),
        ("tempering", tempering, 4),
    ];
    for (name, flags, files) in by_turns(all, 3, 0) {
        interrupt_and_resume(name, flags, files);
    }
}

/// What smc and tempering report beyond what chains do, and their draws as CSV.
#[test]
fn particles_and_tempered_chains_report_the_evidence() {
    let folder = with_data("ladders");
    for (sampler, chains, draws) in [
        ("smc --particles 300", 1, 300),
        ("smc --particles 300 --reference gaussian", 1, 300),
        ("smc --particles 33 --ladder even:5 --posterior joint --neurons 3 --moves 1", 1, 33),
        ("tempering --chains 3 --warmup 50 --draws 100", 3, 100),
        ("tempering --chains 3 --warmup 50 --draws 100 --ladder .01,.1,1 --precision f32", 3, 100),
    ] {
        let own = if sampler.contains("joint") { "--beta .01" } else { "--alpha .02" };
        let flags = format!("sample --data d.csv {own} --sampler {sampler} --quiet");
        let run = |tag: &str, more: &str| {
            folder
                .lcc(&format!("{flags} --draws-csv {tag} --json {tag}.json --checkpoint s {more}"))
                .expect(0);
            let csv: Vec<String> =
                (1..=chains).map(|c| folder.text(&format!("{tag}_{c}.csv"))).collect();
            (csv, without_seconds(&folder.text(&format!("{tag}.json"))))
        };
        let first = run("a", "");
        assert_eq!(run("b", ""), first, "{sampler}: same flags, same bytes");
        assert_eq!(run("c", "--resume"), first, "{sampler}: a finished checkpoint, the same again");
        let json = folder.json("a.json");
        let name = sampler.split(' ').next().expect("a word");
        assert_eq!(json["sampler"], name);
        assert_eq!((&json["chains"], &json["draws"]), (&chains.into(), &draws.into()));
        let ladder = numbers(&json["ladder"]);
        assert!(ladder.is_sorted() && ladder.last() == Some(&1.0), "{ladder:?}");
        if sampler.contains("even:5") {
            assert_eq!(ladder, [1.0 / 5.0, 2.0 / 5.0, 3.0 / 5.0, 4.0 / 5.0, 1.0]);
        }
        let numeric =
            |field: &str| json[field].as_f64().unwrap_or_else(|| panic!("{field}: {json}"));
        assert!(numeric("log_evidence").is_finite());
        assert!(numeric("log_evidence_standard_error") > 0.0);
        assert!((0.2..=1.0).contains(&numeric("acceptance")));
        if name == "smc" {
            assert!(numeric("families") >= 2.0 && json["rhat_max"].is_null());
        } else {
            assert!(numeric("restarts_min") >= 1.0 && (0.0..=1.0).contains(&numeric("swap_min")));
            assert!(numeric("rhat_max") > 0.9);
        }
        let mut sum = 0.0;
        for text in &first.0 {
            let (names, rows) = parse_csv(text);
            assert_eq!(names[..4], ["lp__", "log_likelihood__", "w.1", "w.2"]);
            assert_eq!(rows.len(), draws);
            sum += rows.iter().map(|row| row[2]).sum::<f64>() / (draws * chains) as f64;
        }
        let mean = numbers(&json["mean"])[0];
        assert!((sum - mean).abs() < 1e-5 * (1.0 + mean.abs()), "{sampler}: {sum} {mean}");
    }
}

/// A handful of particles behind a steep likelihood: one family is left, and that is said.
#[test]
fn particles_of_few_families_are_reported() {
    let folder = with_data("families");
    let run = folder
        .lcc("sample --data d.csv --sampler smc --particles 16 --alpha 5 --quiet --json r.json")
        .expect(0);
    assert!(folder.json("r.json")["families"].as_u64().is_some_and(|f| f < 10));
    assert!(run.err.contains("too few to trust"), "{}", run.err);
}

/// The coupled samplers draw from the same posterior: their expectations agree within their errors.
#[test]
fn coupled_gibbs_agrees_with_split_hmc() {
    let folder = with_data("gibbs");
    // Residuals of either sign: one-sided and two-sided bounds of GELU's curvature differ.
    let (_, rows) = parse_csv(&table(40));
    let residuals: String =
        rows.iter().map(|r| format!("{},{},{}\n", r[0], r[1], r[2] - 10.0)).collect();
    folder.write("r.csv", format!("a,b,y\n{residuals}"));
    let run = |tag: &str, more: &str| {
        folder
            .lcc(&format!(
                "sample --data r.csv --activation gelu --alpha 0.05 --chains 8 --warmup 300 \
                 --draws 2000 --quiet --json {tag}.json {more}"
            ))
            .expect(0);
        let json = folder.json(&format!("{tag}.json"));
        (numbers(&json["expectation"]), numbers(&json["mcse"]), json)
    };
    let direct = run("direct", "--sampler split-hmc --coupling none");
    assert_eq!(direct.2["sampler_reason"], "asked for");
    let mut gibbs = Vec::new();
    for coupling in ["one-sided", "two-sided"] {
        let coupled = run(coupling, &format!("--sampler gibbs --coupling {coupling} --seed 2"));
        assert_eq!(coupled.2["sampler"], "gibbs");
        for k in 0..20 {
            let (a, b) = (direct.0[k], coupled.0[k]);
            let error = 5.0 * direct.1[k].hypot(coupled.1[k]);
            assert!((a - b).abs() < error, "{coupling}, row {k}: {a} {b} +- {error}");
        }
        gibbs.push(coupled.0);
    }
    assert_ne!(gibbs[0], gibbs[1], "the couplings differ");
}

#[test]
fn enough_is_enough() {
    let folder = with_data("enough");
    let run = |more: &str| {
        folder.lcc(&format!("sample --data d.csv --json r.json --quiet {more}")).expect(0);
        folder.json("r.json")
    };
    let mut before = 0;
    for ess in [200, 1000] {
        let json = run(&format!("--ess {ess} --checkpoint c"));
        for field in ["ess_bulk_min", "ess_tail_min"] {
            assert!(json[field].as_f64() >= Some(f64::from(ess)), "{field} {}", json[field]);
        }
        let draws = json["draws"].as_u64().expect("a number");
        assert!(before < draws && draws < 1000, "{draws}");
        before = draws;
        // Nothing is left to do, and nothing lost.
        let again = run(&format!("--ess {ess} --checkpoint c --resume"));
        assert_eq!(again["expectation"], json["expectation"]);
        folder.remove("c");
    }
    folder.lcc("sample --data d.csv --sampler hmc --ess 100").fails(2, &["--ess is of auto"]);
}
