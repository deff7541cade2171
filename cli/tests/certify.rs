//! Certificates on the command line: every one with its fields, the verdict, the same bytes.

mod common;
use common::{Folder, table, without_seconds};
use serde_json::Value;

/// Inputs within 1 and residuals of a size to be set.
fn residuals(rows: u32, size: f64) -> String {
    let whole = table(rows);
    let mut lines = whole.lines();
    let mut csv = format!("{}\n", lines.next().expect("a header"));
    for line in lines {
        let cells: Vec<f64> = line.split(',').map(|c| c.parse().expect("a number")).collect();
        csv.push_str(&format!("{},{},{:.6}\n", cells[0], cells[1], (cells[2] - 10.0) * size));
    }
    csv
}

fn find<'a>(json: &'a Value, name: &str) -> &'a Value {
    let list = json["certificates"].as_array().expect("a list");
    list.iter().find(|c| c["name"] == name).unwrap_or_else(|| panic!("{name} in {json}"))
}

#[test]
fn json_holds_every_certificate() {
    let folder = Folder::new("certify_fields");
    folder.write("d.csv", residuals(30, 0.1));
    for (flags, names) in [
        ("--scale 0.3", "lemma-2 rho-two-sided rho-one-sided lemma-3 largest-eigenvalue"),
        (
            "--prior l1 --scale 0.5",
            "own-curvature trace columns lemma-4-published lemma-4-corrected matrix-two-sided \
             matrix-one-sided remark-1 slides-greedy-published slides-greedy-corrected hoelder \
             largest-eigenvalue",
        ),
        (
            "--posterior joint --neurons 2 --prior l1 --scale 0.5",
            "own-curvature trace columns matrix-two-sided matrix-one-sided joint-hessian \
             joint-hessian-sharper bakry-emery largest-eigenvalue",
        ),
        (
            "--posterior joint --neurons 2 --scale 0.5 --reduced",
            "rho-two-sided rho-one-sided lemma-3 largest-eigenvalue",
        ),
    ] {
        let run = folder.lcc(&format!(
            "certify --data d.csv {flags} --probes 3 --inner 100 --draws 50 --json r.json --quiet"
        ));
        let run = run.expect(0);
        let json = folder.json("r.json");
        let list = json["certificates"].as_array().expect("a list");
        let found: Vec<&str> = list.iter().filter_map(|c| c["name"].as_str()).collect();
        assert_eq!(found.join(" "), names, "{flags}");
        for c in list {
            assert!(c["equation"].as_str().is_some_and(|e| !e.is_empty()), "{c}");
            assert!(c["status"].is_string() && c["assumption"].is_string(), "{c}");
            assert!(c["threshold"].is_number(), "{c}");
            let applies = c["status"] != "not-applicable";
            assert_eq!(c["value"].is_number(), applies, "{c}");
            if let (Some(value), Some(margin)) = (c["value"].as_f64(), c["margin"].as_f64()) {
                let threshold = c["threshold"].as_f64().expect("a number");
                assert!((threshold - value - margin).abs() <= 1e-12 * (1.0 + value.abs()), "{c}");
            }
            // The table on standard output has it too.
            assert!(run.out.contains(c["name"].as_str().expect("a name")), "{}", run.out);
            assert!(run.out.contains(c["status"].as_str().expect("a status")), "{}", run.out);
        }
        assert_eq!(json["probes"], 3);
        let visited = json["visited"].as_u64().expect("a count");
        assert!((3..=48).contains(&visited), "{json}");
        let own = find(&json, "largest-eigenvalue");
        assert!(own["mcse"].as_f64().is_some_and(|e| e >= 0.0), "{own}");
        // The verdict in words, there and here.
        let verdict = json["verdict"].as_str().expect("a verdict");
        let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat(&run.out).contains(&flat(verdict)), "{}", run.out);
        assert!(verdict.contains("visited xi"), "{verdict}");
    }
}

#[test]
fn verdicts_follow_the_posterior() {
    let folder = Folder::new("certify_verdicts");
    folder.write("small.csv", residuals(30, 0.05));
    folder.write("large.csv", residuals(30, 2.0));
    let with = |probes: u32, flags: &str| {
        folder
            .lcc(&format!(
                "certify --probes {probes} --inner 200 --draws 50 {flags} --json r.json --quiet"
            ))
            .expect(0);
        folder.json("r.json")
    };
    let certify = |flags: &str| with(2, flags);
    let json = certify("--data small.csv --scale 0.3");
    assert_eq!(json["conclusion"], "already-log-concave");
    assert_eq!(find(&json, "lemma-2")["status"], "already-log-concave");
    assert!(json["verdict"].as_str().is_some_and(|v| v.contains("Sample w directly")));
    // The same posterior on the ball: no prior curvature helps, and what is proved is of xi.
    let json = certify("--data small.csv --prior l1 --scale 0.5");
    assert_eq!(json["conclusion"], "proved");
    assert_eq!(find(&json, "columns")["status"], "proved");
    assert_eq!(find(&json, "lemma-4-published")["status"], "published-false");
    // Strong and wide: nothing is certified, whatever the estimates say.
    let json = certify("--data large.csv --scale 3 --alpha 2");
    let conclusion = json["conclusion"].as_str().expect("a conclusion");
    assert!(["unknown", "empirical", "not-log-concave"].contains(&conclusion), "{json}");
    assert_eq!(find(&json, "lemma-2")["status"], "not-satisfied");
    // Without probes nothing is estimated.
    let json = with(0, "--data large.csv --scale 3");
    assert_eq!((&json["probes"], &json["conclusion"]), (&Value::from(0), &Value::from("unknown")));
    // No coupling.
    let json = certify("--data small.csv --posterior joint --activation softplus");
    let verdict = json["verdict"].as_str().expect("a verdict");
    assert!(verdict.starts_with("There is no coupling"), "{verdict}");
}

/// One observation repeated, in one dimension: two modes, seen at the xi between them.
#[test]
fn two_modes_are_refuted() {
    let folder = Folder::new("certify_modes");
    let csv: String = (0..20).map(|_| "1,-1\n").collect();
    folder.write("d.csv", format!("a,y\n{csv}"));
    // exp(-3 bump(w)) under N(0, 1): a dent at 0 deeper than the prior's curvature.
    folder
        .lcc(
            "certify --data d.csv --activation gaussian_bump --alpha 0.15 --probes 24 --inner 500 \
             --json r.json --quiet",
        )
        .expect(0);
    let json = folder.json("r.json");
    assert_eq!(json["conclusion"], "not-log-concave", "{json}");
    let own = find(&json, "largest-eigenvalue");
    assert_eq!(own["status"], "not-log-concave");
    assert!(own["value"].as_f64() > Some(1.0), "{own}");
    assert!(json["verdict"].as_str().is_some_and(|v| v.contains("tempering")), "{json}");
}

/// Posteriors that draws of xi do not refute: the eigenvalue is above 1 in the valley between their modes, or
/// where no draw is; and one that has no integral, refused as by whatever samples.
#[test]
fn valleys_are_found_and_the_improper_is_refused() {
    let folder = Folder::new("certify_valleys");
    for (r, flags) in [
        (-4.0, "--activation gaussian_bump --alpha 1 --scale 2"),
        (-8.0, "--activation gaussian_bump --alpha 1 --scale 2"),
        (3.0, "--activation tanh --alpha 2 --scale 3"),
    ] {
        folder.write("d.csv", format!("a,y\n1,{r}\n"));
        for precision in ["f64", "f32"] {
            folder
                .lcc(&format!(
                    "certify --data d.csv {flags} --precision {precision} --probes 2 \
                     --json r.json --quiet"
                ))
                .expect(0);
            let json = folder.json("r.json");
            assert_eq!(json["conclusion"], "not-log-concave", "{r} {json}");
        }
    }
    folder.write("d.csv", "a,y\n1,1\n");
    let flags = "--data d.csv --activation squared_relu --alpha 1 --scale 1 --json r.json --quiet";
    let run = folder.lcc(&format!("certify {flags}"));
    assert!(run.err.contains("may be improper"), "{}", run.err);
    assert_ne!(run.code, 0);
}

#[test]
fn same_flags_same_bytes_and_either_precision() {
    let folder = Folder::new("certify_bytes");
    folder.write("d.csv", residuals(30, 0.3));
    let flags = "certify --data d.csv --probes 3 --inner 100 --draws 50 --quiet";
    for sampler in ["auto", "gibbs", "split-hmc --reduced"] {
        for file in ["a.json", "b.json"] {
            folder.lcc(&format!("{flags} --sampler {sampler} --json {file}")).expect(0);
        }
        let (a, b) = (folder.text("a.json"), folder.text("b.json"));
        assert_eq!(without_seconds(&a), without_seconds(&b), "{sampler}");
    }
    folder.lcc(&format!("{flags} --json wide.json")).expect(0);
    folder.lcc(&format!("{flags} --precision f32 --json narrow.json")).expect(0);
    let (wide, narrow) = (folder.json("wide.json"), folder.json("narrow.json"));
    for name in ["lemma-2", "rho-two-sided", "rho-one-sided"] {
        let value = |json: &Value| find(json, name)["value"].as_f64().expect("a number");
        assert!((value(&narrow) / value(&wide) - 1.0).abs() < 1e-5, "{name}");
        assert_eq!(find(&narrow, name)["status"], find(&wide, name)["status"]);
    }
    // JSON alone on standard output.
    let run = folder.lcc(&format!("{flags} --json -")).expect(0);
    let json: Value = serde_json::from_str(&run.out).expect("JSON and nothing else");
    assert_eq!(json["certificates"].as_array().map(Vec::len), Some(5));
}
