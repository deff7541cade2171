//! The generated files are those that would be generated now.

#[test]
fn header_and_twins_are_fresh() {
    for (path, text) in lcc_header::generate() {
        let old = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(old == text, "{} is stale: run `cargo run -p lcc-header`", path.display());
    }
}
