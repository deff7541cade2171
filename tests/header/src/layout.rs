//! Layout asserts for the header: sizes and offsets as Rust has them on a 64-bit target.

/// The text of the asserts.
pub fn asserts() -> String {
    String::new()
}
