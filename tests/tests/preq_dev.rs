#[path = "all/prequential.rs"]
mod prequential;
