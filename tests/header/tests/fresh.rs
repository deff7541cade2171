//! The generated files are those that would be generated now.

#[test]
fn header_and_twins_are_fresh() {
    for (path, text) in lcc_header::generate() {
        let old = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(old == text, "{} is stale: run `cargo run -p lcc-header`", path.display());
    }
}

/// The table behind `lcc_layout` and the asserts is written by hand: its members are checked by the compiler, that
/// no struct is missing here.
#[test]
fn every_struct_has_a_layout() {
    let header = include_str!("../../../include/lcc.h");
    let structs: Vec<&str> =
        header.lines().filter_map(|line| line.strip_prefix("} ")?.strip_suffix(';')).collect();
    assert!(structs.len() > 60, "{} structs", structs.len());
    for name in structs {
        assert!(header.contains(&format!("sizeof({name}) == ")), "{name} is missing in layouts.rs");
    }
}
