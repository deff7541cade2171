//! Writes `include/lcc.h`, `include/lcc/f64.h` and `include/lcc/f32.h` from the sources of the C ABI.
//!
//! ```text
//! cargo run -p lcc-header            # writes
//! cargo run -p lcc-header -- check   # exits 1 where a file is stale
//! cargo run -p lcc-header -- abi     # prints the ABI: a release keeps it in tests/golden/abi.txt
//! ```

fn main() {
    let wanted = std::env::args().nth(1);
    if wanted.as_deref() == Some("abi") {
        print!("{}", lcc_header::abi());
        return;
    }
    let check = wanted.as_deref() == Some("check");
    let mut stale = Vec::new();
    for (path, text) in lcc_header::generate() {
        if std::fs::read_to_string(&path).is_ok_and(|old| old == text) {
            continue;
        }
        if !check {
            std::fs::create_dir_all(path.parent().expect("a file has a folder")).expect("folder");
            std::fs::write(&path, text).expect("writable source tree");
        }
        stale.push(path.display().to_string());
    }
    for path in &stale {
        println!("{} {path}", if check { "stale:" } else { "wrote" });
    }
    if check && !stale.is_empty() {
        std::process::exit(1);
    }
}
