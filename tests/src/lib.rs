//! What the tests of LCC share: the reference values and small statistics.
//!
//! The exact values (quadrature, closed forms) lie in `reference`, the data sets in `data`. A folder named by
//! the environment variable `LCC_SHARED` goes before both: what is in its `reference` and `data` is read there.

pub mod bias;
pub mod bits;
pub mod calibration;
pub mod datasets;
pub mod modes;
pub mod numeric;
pub mod posteriors;
pub mod problem;
pub mod quadrature;
pub mod subsampled;
pub mod targets;
pub mod tools;

// Its functions are called from C only.
use lcc as _;
use serde_json::Value;
use std::path::PathBuf;

/// The text of a file of exact values or data, e.g. `data/yacht.csv`: of `LCC_SHARED`, else of this package, else
/// of `c_examples`, which has the data of the demonstration.
pub fn read(name: &str) -> String {
    let here = tools::root();
    let shared = std::env::var_os("LCC_SHARED").map(PathBuf::from);
    let folders = shared.into_iter().chain([here.join("tests"), here.join("c_examples")]);
    let path = folders.map(|folder| folder.join(name)).find(|path| path.is_file());
    let path = path.unwrap_or_else(|| panic!("{name} is nowhere"));
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// One file of exact values, e.g. `reference("activations.json")`.
pub fn reference(name: &str) -> Value {
    json(&format!("reference/{name}"))
}

/// A file of JSON.
pub fn json(name: &str) -> Value {
    serde_json::from_str(&read(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
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
