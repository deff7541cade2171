//! What a model is made of: the weights of every draw, and what the columns of its inputs are.

mod onnx;

use crate::columns::{Column, Columns};
use crate::fault::Fault;
use crate::saved::Saved;
use lcc_core::network::Output;
use lcc_core::posterior::Shape;

/// A model taken apart.
#[derive(Clone, Debug)]
pub struct Parts {
    /// The file.
    pub path: String,
    /// Its network and output.
    pub shape: Shape,
    /// 32 or 64.
    pub precision: u32,
    /// What the table's columns are, where the model knows it.
    pub columns: Option<Columns>,
    /// Columns of a row that the network sees: all but the exposure.
    pub inputs: usize,
    /// Hidden layers.
    pub depth: usize,
    /// Outputs of the network.
    pub outputs: usize,
    /// Of each column of a row, then of the target.
    pub mean: Vec<f64>,
    /// The same.
    pub sd: Vec<f64>,
    /// Of the noise, in sds of the target, where its output has one; else 0.
    pub floor: f64,
    /// The values of each draw.
    pub draws: Vec<Vec<f64>>,
}

/// Where the weights of a layer, units x below and row by row, stand among the values; its biases follow them.
#[derive(Clone, Copy, Debug)]
pub struct Layer {
    /// The first weight.
    pub at: usize,
    /// Units.
    pub units: usize,
    /// What each of them adds up.
    pub below: usize,
}

impl Layer {
    /// The first bias.
    pub fn biases(&self) -> usize {
        self.at + self.units * self.below
    }

    /// What follows the layer.
    pub fn end(&self) -> usize {
        self.biases() + self.units
    }
}

/// A column of the network's inputs.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// The column of the table, where the model knows it.
    pub column: Option<&'a Column>,
    /// Of words the category it is 1 for.
    pub word: Option<&'a str>,
    /// Whether it is 1 for a missing value.
    pub missing: bool,
    /// What stands in it where the value is missing.
    pub fill: f64,
}

impl Parts {
    /// Of a model.
    pub fn of(model: Saved) -> Result<Self, Fault> {
        let image = model.image()?;
        let (shape, d) = (image.shape(), image.inputs());
        let units = |of_input: &dyn Fn(usize) -> f64, of_target: f64| {
            (0..d).map(of_input).chain([of_target]).collect()
        };
        let architecture = shape.architecture;
        Ok(Self {
            shape,
            precision: image.precision(),
            inputs: d - usize::from(shape.exposure),
            depth: architecture.widths.iter().take_while(|w| **w > 0).count(),
            outputs: architecture.outputs,
            mean: units(&|j| image.mean_x(j), image.mean_y()),
            sd: units(&|j| image.sd_x(j), image.sd_y()),
            floor: image.floor(),
            draws: (0..image.draws()).map(|k| image.values::<f64>(k).collect()).collect(),
            path: model.path,
            columns: model.columns,
        })
    }

    /// A hidden layer, counted from 0, or for `depth` the outputs. Without hidden layers the outputs have direct weights
    /// alone.
    pub fn layer(&self, l: usize) -> Layer {
        let widths = self.shape.architecture.widths;
        let units = |l: usize| if l < self.depth { widths[l] as usize } else { self.outputs };
        let below = |l: usize| match l {
            0 if self.depth == 0 => 0,
            0 => self.inputs,
            l => units(l - 1),
        };
        let at = (0..l).map(|k| units(k) * (below(k) + 1)).sum();
        Layer { at, units: units(l), below: below(l) }
    }

    /// Columns that go to the outputs directly.
    pub fn direct(&self) -> usize {
        if self.shape.architecture.linear || self.depth == 0 { self.inputs } else { 0 }
    }

    /// Values of a draw behind its weights: of noise, or the thresholds of an ordinal output.
    pub fn tail(&self) -> usize {
        match self.shape.output {
            Output::StudentT | Output::Gaussian => 2,
            Output::NegativeBinomial => 1,
            Output::Ordinal => usize::from(self.shape.categories) - 1,
            _ => 0,
        }
    }

    /// What column k of a row is.
    pub fn input(&self, k: usize) -> Input<'_> {
        let unknown = Input { column: None, word: None, missing: false, fill: 0.0 };
        let Some(columns) = &self.columns else { return unknown };
        let Some(input) = (0..columns.inputs.len()).rfind(|input| columns.place(*input) <= k)
        else {
            return unknown;
        };
        let (c, which) = (&columns.inputs[input], k - columns.place(input));
        if which + 1 == c.width() && c.indicator {
            return Input { column: Some(c), missing: true, fill: 1.0, ..unknown };
        }
        let level = if c.levels.len() == 2 { 1 } else { which };
        let fill = c.fill.get(level).copied().unwrap_or(c.fill[0]);
        Input {
            column: Some(c),
            word: c.levels.get(level).map(String::as_str),
            missing: false,
            fill,
        }
    }

    /// What column k of a row is, in words.
    pub fn name(&self, k: usize) -> String {
        let Input { column, word, missing, .. } = self.input(k);
        match (column, word) {
            (None, _) => format!("x{}", k + 1),
            (Some(c), Some(word)) => format!("{} = {word}", c.name),
            (Some(c), None) if missing => format!("{} is missing", c.name),
            (Some(c), None) => c.name.clone(),
        }
    }

    /// The posterior mean as a graph of ONNX (opset 13).
    pub fn to_onnx(&self) -> Result<Vec<u8>, Fault> {
        onnx::write(self)
    }
}
