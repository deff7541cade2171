//! The path weights of a model, as it is or as `lcc convert --to json` writes it, or of a network given as JSON: {"weights":
//! [matrix, ...]}, from the input on, a matrix being a list of rows, the weights of one unit each. A bias is the weight of an
//! input that is always 1.

use crate::convert::Parts;
use crate::fault::Fault;
use crate::table::read_bytes;
use lcc_core::network::Architecture;
use lcc_core::theory::variation::{Layer, network, network_scratch, paths};
use serde::Deserialize;

const MOST: usize = 32;

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    weights: Vec<Vec<Vec<f64>>>,
    // Of a model, as it is converted.
    #[serde(default)]
    inputs: Vec<Input>,
    #[serde(default)]
    outputs: usize,
    #[serde(default)]
    draws: Vec<Draw>,
}

#[derive(Deserialize)]
struct Input {
    is: String,
}

#[derive(Deserialize)]
struct Draw {
    layers: Vec<Biased>,
    weights: Vec<f64>,
    intercepts: Vec<f64>,
    direct: Vec<f64>,
}

#[derive(Deserialize)]
struct Biased {
    weights: Vec<f64>,
    biases: Vec<f64>,
}

impl File {
    /// The sums of a converted model; `None` where its shapes do not fit together.
    fn model(&self) -> Option<PathSums> {
        let (first, mut widths) = (self.draws.first()?, [0; 4]);
        for (l, layer) in first.layers.iter().enumerate() {
            *widths.get_mut(l)? = layer.biases.len() as u32;
        }
        let inputs = self.inputs.iter().filter(|own| own.is != "exposure").count();
        let linear = !first.direct.is_empty() && !first.layers.is_empty();
        let architecture = Architecture { inputs, widths, outputs: self.outputs, linear };
        let flat = self.draws.iter().map(|draw| {
            let layers = draw.layers.iter().flat_map(|own| [&own.weights, &own.biases]);
            let rest = [&draw.weights, &draw.intercepts, &draw.direct];
            layers.chain(rest).flatten().copied().collect()
        });
        let flat: Vec<Vec<f64>> = flat.collect();
        let fits = flat.iter().all(|draw| draw.len() == architecture.dim());
        fits.then(|| PathSums::of_draws(&architecture, &flat))?
    }
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
        return Err("no \"weights\", and no \"draws\" of lcc convert --to json");
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
    /// The means over the draws of a network: the mean of its draws has no larger variation. The last path is that of the
    /// biases.
    fn of_draws(architecture: &Architecture, draws: &[Vec<f64>]) -> Option<Self> {
        let inputs = architecture.inputs;
        let mut scratch = vec![0.0; network_scratch(architecture)];
        let mut paths = vec![0.0; inputs + 1];
        for draw in draws {
            let own = network(architecture, draw, &mut scratch)?;
            let all = scratch[..inputs].iter().copied().chain([own.with_biases - own.inputs]);
            paths.iter_mut().zip(all).for_each(|(sum, own)| *sum += own / draws.len() as f64);
        }
        Some(Self {
            matrices: architecture.depth() + 1,
            inputs: inputs + 1,
            last: if architecture.depth() > 0 { architecture.last() } else { inputs },
            variation: paths.iter().sum(),
            paths,
        })
    }

    /// Of a model: its inputs and its target are standardised.
    pub fn of(model: &Parts) -> Result<Self, Fault> {
        let what = || Fault::failed(format!("{}: shapes that do not fit together", model.path));
        Self::of_draws(&model.shape.architecture, &model.draws).ok_or_else(what)
    }

    /// Of a file.
    pub fn read(path: &str) -> Result<Self, Fault> {
        let refuse = |what: &str| Fault::failed(format!("{path}: {what}"));
        let file: File = serde_json::from_slice(&read_bytes(path)?).map_err(|e| {
            let text = e.to_string();
            let what = text.split(" at line ").next().unwrap_or("");
            refuse(&format!("line {}: {what}", e.line()))
        })?;
        if !file.draws.is_empty() {
            return file.model().ok_or_else(|| refuse("shapes that do not fit together"));
        }
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
