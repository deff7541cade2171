//! The variational auto-encoder at the command line: fit, encode, decode, sample, the figures, what it refuses.

mod common;
use common::{Folder, parse_csv};
use std::fmt::Write as _;

/// Rows of four columns about a line, in [0, 8], and a label that is left out.
fn table(rows: u32) -> String {
    let mut state = 7_u32;
    let mut uniform = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(state >> 8) / f64::from(1 << 24)
    };
    let mut csv = String::from("a,b,c,d,y\n");
    for i in 0..rows {
        let t = uniform();
        let mut next = |share: f64| (8.0 * (share * 0.9 + 0.1 * uniform())).clamp(0.0, 8.0);
        let (a, b, c, d) = (next(t), next(1.0 - t), next(t), next(0.5));
        writeln!(csv, "{a},{b},{c},{d},{}", i % 3).expect("a string");
    }
    csv
}

const SMALL: &str = "--layers 5 --latent 2 --steps 400 --draws 20 --batch 16";

#[test]
fn fits_encodes_decodes_and_draws() {
    let folder = Folder::new("vae");
    folder.write("d.csv", table(60));
    folder.write("t.csv", table(21));
    let fit = format!("vae fit --data d.csv --test t.csv --model m.vae {SMALL}");
    let said = folder.lcc(&format!("{fit} --plot p --image 2x2")).expect(0).out;
    assert!(said.contains("a lower bound of ln p, a log density"), "{said}");
    assert!(said.contains("PCA") && said.contains("held out"), "{said}");
    for name in ["p-grid.svg", "p-rows.svg", "p-draws.svg"] {
        let svg = folder.text(name);
        assert!(
            svg.starts_with("<?xml") && svg.ends_with("</svg>\n") && svg.contains("<path"),
            "{name}"
        );
    }
    folder.lcc("vae encode --model m.vae --data d.csv --out z.csv").expect(0);
    let (names, z) = parse_csv(&folder.text("z.csv"));
    assert_eq!((names.join(","), z.len()), ("z1,z2,sd1,sd2".into(), 60));
    assert!(z.iter().all(|row| row[2] > 0.0 && row[3] > 0.0));
    folder.lcc("vae decode --model m.vae --data z.csv --out y.csv").expect(0);
    let (names, y) = parse_csv(&folder.text("y.csv"));
    assert_eq!((names.join(","), y.len()), ("y1,y2,y3,y4".into(), 60));
    // Reconstructions are nearer than the mean: the rows lie about a line.
    let (_, rows) = parse_csv(&folder.text("d.csv"));
    let mean = rows.iter().map(|r| r[0]).sum::<f64>() / 60.0;
    let off = |f: &dyn Fn(usize) -> f64| (0..60).map(|i| (rows[i][0] - f(i)).powi(2)).sum::<f64>();
    assert!(off(&|i| y[i][0]) < 0.25 * off(&|_| mean));
    folder.lcc("vae sample --model m.vae --count 7 --seed 3 --out s.csv").expect(0);
    let (names, s) = parse_csv(&folder.text("s.csv"));
    assert_eq!((names.join(","), s.len()), ("z1,z2,y1,y2,y3,y4".into(), 7));
    // The same bytes again.
    let (model, codes) = (folder.bytes("m.vae"), folder.bytes("z.csv"));
    folder.lcc(&fit).expect(0);
    folder.lcc("vae encode --model m.vae --data d.csv --out z.csv").expect(0);
    assert!(folder.bytes("m.vae") == model && folder.bytes("z.csv") == codes);
}

#[test]
fn stands_beside_what_is_linear() {
    let folder = Folder::new("vae_linear");
    folder.write("d.csv", table(60));
    folder.write("split.json", r#"{"splits": [{"test": [0, 7, 9, 30]}]}"#);
    let flags = "vae fit --data d.csv --split split.json:0 --draws 400 --json j.json";
    folder.lcc(&format!("{flags} --layers 0 --latent 1 --steps 6000")).expect(0);
    let number = |v: &serde_json::Value| v.as_f64().expect("a number");
    let json = folder.json("j.json");
    assert_eq!((json["n"].as_u64(), json["n_test"].as_u64()), (Some(56), Some(4)));
    let (bound, pca) = (&json["train"], &json["pca"]);
    let gap = number(&pca["train"]) - number(&bound["bound"]);
    let error = number(&bound["error"]);
    assert!(gap > -4.0 * error && gap < 0.05 + 4.0 * error, "{json}");
    assert!((number(&json["noise"]) / number(&pca["noise"]) - 1.0).abs() < 0.1, "{json}");
    folder.lcc(&format!("{flags} --output bernoulli --largest 8 --layers 4 --steps 300")).expect(0);
    let json = folder.json("j.json");
    assert!(json["pca"].is_null() && number(&json["linear_test"]["bound"]) < 0.0, "{json}");
}

#[test]
fn refuses_what_it_cannot_use() {
    let folder = Folder::new("vae_refuses");
    folder.write("d.csv", table(30));
    folder.write("wide.csv", "a,b,c\n1,2,3\n");
    folder.lcc("vae").fails(2, &["fit, encode, decode or sample"]);
    folder.lcc("vae teach").fails(2, &["fit, encode, decode or sample"]);
    folder.lcc("vae fit").fails(2, &["--data is missing"]);
    folder.lcc("vae fit --data d.csv --model d.csv").fails(2, &["will not be overwritten"]);
    folder.lcc("vae fit --data d.csv --model m --json m").fails(2, &["same file"]);
    folder.lcc("vae fit --data d.csv --output counts").fails(2, &["gaussian or bernoulli"]);
    folder.lcc("vae fit --data d.csv --layers 1,2,3,4,5").fails(2, &["four layers at most"]);
    folder.lcc("vae fit --data d.csv --image 8").fails(2, &["as 8x8"]);
    folder.lcc("vae fit --data d.csv --image 8x8").fails(2, &["does not have 4 pixels"]);
    folder
        .lcc("vae fit --data d.csv --output bernoulli")
        .fails(1, &["a value is below 0 or above the largest"]);
    folder
        .lcc("vae fit --data d.csv --output bernoulli --noise 1 --largest 8")
        .fails(1, &["noise"]);
    folder.lcc("vae encode --data d.csv --out z.csv").fails(2, &["--model is missing"]);
    folder.lcc("vae encode --model no.vae --data d.csv --out z.csv").fails(1, &["no.vae"]);
    folder.lcc(&format!("vae fit --data d.csv --model m.vae {SMALL}")).expect(0);
    folder.lcc("vae encode --model m.vae --data wide.csv --out z.csv").fails(1, &["columns"]);
    // Truncated, damaged, of another kind.
    let model = folder.bytes("m.vae");
    let mut damaged = model.clone();
    damaged[model.len() / 2] ^= 1;
    folder.write("bad.vae", &model[..model.len() - 9]);
    folder.lcc("vae sample --model bad.vae --out s.csv").fails(1, &["bad.vae", "truncated"]);
    folder.write("bad.vae", &damaged);
    folder.lcc("vae sample --model bad.vae --out s.csv").fails(1, &["bad.vae", "corrupt"]);
    folder.write(
        "bad.vae",
        "not a model at all, but a text that is longer than the head of a checkpoint is",
    );
    folder.lcc("vae sample --model bad.vae --out s.csv").fails(1, &["bad.vae"]);
    assert_eq!(folder.list(), ["bad.vae", "d.csv", "m.vae", "wide.csv"]);
}
