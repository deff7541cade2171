//! The path weights of a network given as JSON: {"weights": [matrix, ...]}, from the input on, a matrix being a list of rows,
//! the weights of one unit each. A bias is the weight of an input that is always 1.

use crate::fault::Fault;
use crate::table::read_bytes;
use lcc_core::theory::variation::{Layer, paths};
use serde::Deserialize;

const MOST: usize = 32;

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    weights: Vec<Vec<Vec<f64>>>,
}

/// Sums over paths of the products of absolute weights.
#[derive(Clone, Debug)]
pub struct PathSums {
    /// Matrices.
    pub matrices: usize,
    /// Inputs.
    pub inputs: usize,
    /// Units of the last matrix's inputs: the last hidden layer, or the inputs.
    pub last: usize,
    /// Over all paths.
    pub variation: f64,
    /// Over those of each input.
    pub paths: Vec<f64>,
}

/// The units of each layer, from the inputs on.
fn widths(all: &[Vec<Vec<f64>>]) -> Result<Vec<usize>, &'static str> {
    if all.is_empty() {
        return Err("no \"weights\"");
    }
    if all.len() > MOST {
        return Err("more than 32 matrices");
    }
    let mut widths = Vec::new();
    for rows in all {
        let first = rows.first().ok_or("a matrix without rows")?.len();
        let width = widths.last().copied().unwrap_or(first);
        if rows.iter().any(Vec::is_empty) {
            return Err("a row without weights");
        }
        if rows.iter().any(|row| row.len() != width) {
            return Err("a row of another length");
        }
        if widths.is_empty() {
            widths.push(width);
        }
        widths.push(rows.len());
    }
    Ok(widths)
}

impl PathSums {
    /// Of a file.
    pub fn read(path: &str) -> Result<Self, Fault> {
        let refuse = |what: &str| Fault::failed(format!("{path}: {what}"));
        let file: File = serde_json::from_slice(&read_bytes(path)?).map_err(|e| {
            let text = e.to_string();
            let what = text.split(" at line ").next().unwrap_or("");
            refuse(&format!("line {}: {what}", e.line()))
        })?;
        let widths = widths(&file.weights).map_err(refuse)?;
        let flat: Vec<Vec<f64>> = file.weights.iter().map(|rows| rows.concat()).collect();
        let layers: Vec<Layer<'_, f64>> = flat
            .iter()
            .zip(&widths)
            .map(|(weights, inputs)| Layer { weights, inputs: *inputs })
            .collect();
        let widest = widths.iter().copied().max().unwrap_or(1);
        let mut scratch = vec![0.0; 2 * widest];
        let variation = paths(&layers, &mut scratch);
        let variation = variation.ok_or_else(|| refuse("shapes that do not fit together"))?;
        scratch.truncate(widths[0]);
        let (matrices, last) = (layers.len(), widths[layers.len() - 1]);
        Ok(Self { matrices, inputs: widths[0], last, variation, paths: scratch })
    }
}
