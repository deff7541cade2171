//! The model in the firmware's flash: the one that `lcc fit` makes today, and draws enough.

mod common;
use common::Folder;
use std::fs;
use std::path::Path;

/// Data rows of the demonstration, chosen by their number.
fn rows(keep: impl Fn(usize) -> bool) -> String {
    let csv = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/gas_turbine_nox.csv");
    let text = fs::read_to_string(csv).expect("the data");
    let mut lines = text.lines();
    let mut out = format!("{}\n", lines.next().expect("a header"));
    for (_, line) in lines.enumerate().filter(|(i, _)| keep(*i)) {
        out.push_str(line);
        out.push('\n');
    }
    out
}

#[test]
fn the_model_in_flash_is_fresh_and_loses_nothing_to_all_draws() {
    let folder = Folder::new("firmware");
    folder.write("model.csv", rows(|i| i % 5 == 0));
    folder.write("test.csv", rows(|i| i % 10 == 3));
    let fit = "fit --data model.csv --test test.csv --neurons 8 --quiet";
    folder.lcc(&format!("{fit} --keep 8 --c-array model.h --json few.json")).expect(0);
    folder.lcc(&format!("{fit} --keep 500 --json all.json")).expect(0);
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("firmware/model.h");
    assert_eq!(
        folder.text("model.h"),
        fs::read_to_string(committed).expect("model.h"),
        "c_examples/firmware/README.md says how to make model.h anew"
    );
    // 32 draws of 2000.
    let rmse = |name: &str| folder.json(name)["test"]["rmse"].as_f64().expect("a number");
    let ratio = rmse("few.json") / rmse("all.json");
    assert!(ratio < 1.02, "RMSE {ratio} times that of all draws");
}
