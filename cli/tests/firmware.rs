//! The models in the firmware's flash: those that `lcc fit` makes today, and draws enough.

mod common;
use common::Folder;
use std::fs;
use std::path::Path;

/// Data rows of the demonstration, chosen by their number.
fn rows(keep: impl Fn(usize) -> bool) -> String {
    let csv = Path::new(env!("CARGO_MANIFEST_DIR")).join("../c_examples/data/gas_turbine_nox.csv");
    let text = fs::read_to_string(csv).expect("the data");
    let mut lines = text.lines();
    let mut out = format!("{}\n", lines.next().expect("a header"));
    for (_, line) in lines.enumerate().filter(|(i, _)| keep(*i)) {
        out.push_str(line);
        out.push('\n');
    }
    out
}

/// A file of the firmware.
fn committed(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../c_examples/firmware").join(name);
    fs::read_to_string(path).expect(name)
}

const HOW: &str = "c_examples/firmware/README.md says how to make it anew";

#[test]
fn the_model_that_drifts_is_fresh() {
    let folder = Folder::new("firmware_drift");
    folder.write("all.csv", rows(|_| true));
    folder
        .lcc("fit --data all.csv --method network --neurons 10 --keep 4 --quiet --c-array drift_model.h")
        .expect(0);
    assert_eq!(folder.text("drift_model.h"), committed("drift_model.h"), "{HOW}");
}

#[test]
fn the_model_in_flash_is_fresh_and_loses_nothing_to_all_draws() {
    let folder = Folder::new("firmware");
    folder.write("model.csv", rows(|i| i % 5 == 0));
    folder.write("test.csv", rows(|i| i % 10 == 3));
    let fit = "fit --data model.csv --test test.csv --method network --neurons 8 --quiet";
    folder.lcc(&format!("{fit} --keep 8 --c-array model.h --json few.json")).expect(0);
    folder.lcc(&format!("{fit} --keep 500 --json all.json")).expect(0);
    assert_eq!(folder.text("model.h"), committed("model.h"), "{HOW}");
    // 32 draws of 2000.
    let rmse = |name: &str| folder.json(name)["test"]["rmse"].as_f64().expect("a number");
    let ratio = rmse("few.json") / rmse("all.json");
    assert!(ratio < 1.02, "RMSE {ratio} times that of all draws");
}
