//! Makes the page: the module for wasm32-unknown-unknown with simd128, what binds it to JavaScript, and all of it in one file
//! that asks for nothing from elsewhere.
//!
//!     cargo run -p lcc-page --features build [FOLDER]        FOLDER/index.html [target/page]

#![forbid(unsafe_code)]

use base64::{Engine, engine::general_purpose::STANDARD};
use flate2::{Compression, write::GzEncoder};
use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use wasm_bindgen_cli_support::Bindgen;

const TARGET: &str = "wasm32-unknown-unknown";

fn main() -> Result<(), Box<dyn Error>> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let target = here.join("../../target");
    let folder = std::env::args().nth(1).map_or(target.join("page"), PathBuf::from);
    let built = Command::new(env!("CARGO"))
        .current_dir(here)
        .args("build --lib --locked --profile page --target".split(' '))
        .args([Path::new(TARGET), Path::new("--target-dir"), &target])
        .args(if cfg!(feature = "bits") { &["--features", "bits"][..] } else { &[] })
        // Whatever else cargo was told: the module is the same.
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .env("RUSTFLAGS", "-C target-feature=+simd128")
        .status()?;
    if !built.success() {
        return Err(format!("the module is not built (rustup target add {TARGET})").into());
    }
    let own = target.join(TARGET).join("page");
    let (module, bound) = (own.join("lcc_page.wasm"), own.join("bound"));
    let mut bind = Bindgen::new();
    bind.input_path(module).no_modules(true)?.typescript(false);
    bind.remove_name_section(true).remove_producers_section(true).generate(&bound)?;
    let wasm = std::fs::read(bound.join("lcc_page_bg.wasm"))?;
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(&wasm)?;
    let packed = packed.finish()?;
    let glue = std::fs::read_to_string(bound.join("lcc_page.js"))?;
    let part = |name: &str| std::fs::read_to_string(here.join("web").join(name));
    let mut page = part("index.html")?;
    for (mark, text) in [
        ("STYLE", part("../../../core/model/src/report/page/style.css")? + &part("style.css")?),
        ("WORKER", glue + &part("worker.js")?),
        ("MODULE", STANDARD.encode(&packed)),
        ("SCRIPT", part("page.js")?),
        ("SIZE", packed.len().div_ceil(1000).to_string()),
        ("VERSION", env!("CARGO_PKG_VERSION").to_string()),
    ] {
        page = page.replace(&format!("{{{{{mark}}}}}"), &text);
    }
    std::fs::create_dir_all(&folder)?;
    let to = folder.join("index.html");
    std::fs::write(&to, &page)?;
    let kb = |bytes: usize| bytes.div_ceil(1000);
    println!(
        "{}: {} kB; the module {} kB, {} kB as gzip has it",
        to.display(),
        kb(page.len()),
        kb(wasm.len()),
        kb(packed.len())
    );
    Ok(())
}
