//! What the tests of LCC share: the reference values and small statistics.
//!
//! The exact values (quadrature, closed forms) and the data sets live in a folder `shared` beside
//! the checkout, or where the environment variable `LCC_SHARED` points.

pub mod bias;
pub mod bits;
pub mod calibration;
pub mod datasets;
pub mod modes;
pub mod numeric;
pub mod posteriors;
pub mod problem;
pub mod quadrature;
pub mod targets;
pub mod tools;

use serde_json::Value;
use std::path::PathBuf;

/// The folder that holds `reference/` and `data/`.
pub fn shared() -> PathBuf {
    std::env::var_os("LCC_SHARED")
        .map(PathBuf::from)
        .unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared"))
}

/// One file of exact values, e.g. `reference("activations.json")`.
pub fn reference(name: &str) -> Value {
    let path = shared().join("reference").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// A number, or the strings "inf" and "-inf" or a decimal in a string.
pub fn number(v: &Value) -> f64 {
    match v {
        Value::String(s) => s.parse().unwrap_or_else(|e| panic!("{s}: {e}")),
        v => v.as_f64().unwrap_or_else(|| panic!("{v} is no number")),
    }
}

/// A list of numbers.
pub fn numbers(v: &Value) -> Vec<f64> {
    v.as_array().unwrap_or_else(|| panic!("{v} is no list")).iter().map(number).collect()
}

/// A list of lists of numbers, flattened row by row.
pub fn matrix(v: &Value) -> Vec<f64> {
    v.as_array().unwrap_or_else(|| panic!("{v} is no list")).iter().flat_map(numbers).collect()
}
