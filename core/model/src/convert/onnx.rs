//! The posterior mean as a graph of ONNX (opset 13), in the wire format of protocol buffers, which is written here by hand:
//! a message is its fields, each a varint of 8 times its number plus its type, then a varint (type 0), or a length and so
//! many bytes (type 2). The field numbers are those of onnx.proto.
//!
//! All draws are evaluated at once: the rows X (N x d) times W (K x d x M), for K draws, are K x N x M.

use super::{Layer, Parts};
use crate::fault::Fault;
use lcc_core::activation::Activation;
use lcc_core::network::Output;
use lcc_core::posterior::{BENT_UNIT, line_until};
use lcc_core::predict::{MOST_OF_MEAN, ROUNDS};

const OPSET: u64 = 13;
/// Types of the numbers of a tensor.
const FLOAT: u64 = 1;
const INT64: u64 = 7;
const DOUBLE: u64 = 11;
/// Types of an attribute.
const INT: u64 = 2;
const INTS: u64 = 7;

#[derive(Default)]
struct Message(Vec<u8>);

impl Message {
    fn varint(&mut self, mut value: u64) {
        while value > 127 {
            self.0.push(value as u8 | 128);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    fn number(&mut self, field: u64, value: u64) {
        self.varint(field << 3);
        self.varint(value);
    }

    fn bytes(&mut self, field: u64, bytes: &[u8]) {
        self.varint(field << 3 | 2);
        self.varint(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    fn text(&mut self, field: u64, text: &str) {
        self.bytes(field, text.as_bytes());
    }

    /// A message inside.
    fn message(&mut self, field: u64, build: impl FnOnce(&mut Self)) {
        let mut own = Self::default();
        build(&mut own);
        self.bytes(field, &own.0);
    }
}

/// The graph, and the value that its last node gave.
struct Graph {
    to: Message,
    precision: u32,
    count: usize,
    last: String,
}

impl Graph {
    fn tensor(&mut self, name: &str, dims: &[usize], kind: u64, raw: &[u8]) {
        self.to.message(5, |own| {
            dims.iter().for_each(|d| own.number(1, *d as u64));
            own.number(2, kind);
            own.text(8, name);
            own.bytes(9, raw);
        });
    }

    fn kind(&self) -> u64 {
        if self.precision == 32 { FLOAT } else { DOUBLE }
    }

    /// A constant of these dimensions.
    fn constant(&mut self, name: &str, dims: &[usize], values: &[f64]) {
        let raw: Vec<u8> = match self.precision {
            32 => values.iter().flat_map(|v| (*v as f32).to_le_bytes()).collect(),
            _ => values.iter().flat_map(|v| v.to_le_bytes()).collect(),
        };
        self.tensor(name, dims, self.kind(), &raw);
    }

    /// A node named `result`, or by its number, with an attribute where it has one.
    fn named(&mut self, kind: &str, from: &[&str], axis: Option<u64>, result: Option<&str>) {
        let numbered = || format!("v{}", self.count + 1);
        let name = result.map_or_else(numbered, str::to_string);
        self.count += usize::from(result.is_none());
        let attribute = |to: &mut Message, name: &str, field, value, kind| {
            to.message(5, |own| {
                own.text(1, name);
                own.number(field, value);
                own.number(20, kind);
            });
        };
        self.to.message(1, |own| {
            from.iter().for_each(|from| own.text(1, from));
            own.text(2, &name);
            own.text(4, kind);
            match axis {
                Some(axis) if kind == "ReduceMean" => {
                    attribute(own, "axes", 8, axis, INTS);
                    attribute(own, "keepdims", 3, 0, INT);
                }
                Some(axis) => attribute(own, "axis", 3, axis, INT),
                None => {}
            }
        });
        self.last = name;
    }

    fn node(&mut self, kind: &str, from: &[&str]) {
        self.named(kind, from, None, None);
    }

    /// Of the last value.
    fn then(&mut self, kind: &str) {
        let last = self.last.clone();
        self.node(kind, &[&last]);
    }

    /// Of the last value, along or over an axis.
    fn along(&mut self, kind: &str, axis: u64) {
        let last = self.last.clone();
        self.named(kind, &[&last], Some(axis), None);
    }

    /// Of the last value and a number.
    fn with(&mut self, kind: &str, value: f64) {
        self.count += 1;
        let (name, last) = (format!("number{}", self.count), self.last.clone());
        self.constant(&name, &[], &[value]);
        self.node(kind, &[&last, &name]);
    }

    /// Of the last value and another.
    fn and(&mut self, kind: &str, other: &str) {
        let last = self.last.clone();
        self.node(kind, &[&last, other]);
    }

    /// The last value and another side by side.
    fn beside(&mut self, other: &str, axis: u64) {
        let last = self.last.clone();
        self.named("Concat", &[&last, other], Some(axis), None);
    }

    /// Columns of a value along its last axis; their number kept even where it is one.
    fn columns(&mut self, name: &str, from: &str, axis: u64, columns: std::ops::Range<usize>) {
        let raw: Vec<u8> = columns.clone().flat_map(|c| (c as i64).to_le_bytes()).collect();
        self.tensor(name, &[columns.len()], INT64, &raw);
        self.named("Gather", &[from, name], Some(axis), None);
    }

    /// Of the last value, as sign(x) ln(|x| + sqrt(x^2 + 1)): not every runtime has Asinh of doubles.
    fn asinh(&mut self) {
        let own = self.last.clone();
        self.then("Sign");
        let sign = self.last.clone();
        self.node("Abs", &[&own]);
        // Whose square has a number in single precision.
        self.with("Min", 1e18);
        let size = self.last.clone();
        self.and("Mul", &size);
        self.with("Add", 1.0);
        self.then("Sqrt");
        self.and("Add", &size);
        self.then("Log");
        self.and("Mul", &sign);
    }

    /// psi of the last value.
    fn activate(&mut self, activation: Activation) {
        let z = self.last.clone();
        match activation {
            Activation::Tanh => self.then("Tanh"),
            Activation::Logistic => self.then("Sigmoid"),
            Activation::Softplus => self.then("Softplus"),
            Activation::Erf => self.then("Erf"),
            Activation::Sine => self.then("Sin"),
            Activation::Arctan => self.then("Atan"),
            Activation::Relu => self.then("Relu"),
            Activation::SquaredRelu => {
                self.then("Relu");
                let own = self.last.clone();
                self.and("Mul", &own);
                self.with("Mul", 0.5);
            }
            Activation::GaussianBump => {
                self.and("Mul", &z);
                self.with("Mul", -0.5);
                self.then("Exp");
            }
            Activation::Gelu => {
                self.with("Mul", 0.5_f64.sqrt());
                self.then("Erf");
                self.with("Add", 1.0);
                self.with("Mul", 0.5);
                let own = self.last.clone();
                self.node("Mul", &[&z, &own]);
            }
            Activation::Silu => {
                self.then("Sigmoid");
                let own = self.last.clone();
                self.node("Mul", &[&z, &own]);
            }
        }
    }

    /// The weights from `at` on of every draw, as K x below x units, transposed from units x below.
    fn weights(&mut self, name: &str, p: &Parts, Layer { at, units, below }: Layer) {
        let mut values = Vec::with_capacity(p.draws.len() * units * below);
        for draw in &p.draws {
            for i in 0..below {
                values.extend((0..units).map(|j| draw[at + j * below + i]));
            }
        }
        self.constant(name, &[p.draws.len(), below, units], &values);
    }

    /// The standardised rows "inputs".
    fn units(&mut self, p: &Parts) {
        let sds = &p.sd[..p.inputs];
        let size: Vec<f64> = sds.iter().map(|sd| sd.abs()).collect();
        self.constant("sds", &[p.inputs], &size);
        self.and("Sub", "means");
        self.and("Div", "sds");
        let away = self.last.clone();
        // What is beyond the line goes by asinh, which is 0 of all that is not.
        let most: Vec<f64> = sds.iter().zip(&p.mean).map(|(sd, m)| line_until(*m, *sd)).collect();
        self.constant("most", &[p.inputs], &most);
        self.constant("least", &[p.inputs], &most.iter().map(|most| -most).collect::<Vec<_>>());
        self.and("Min", "most");
        self.and("Max", "least");
        let near = self.last.clone();
        self.node("Sub", &[&away, &near]);
        self.asinh();
        let beyond = self.last.clone();
        if sds.iter().all(|sd| *sd > 0.0) {
            return self.named("Add", &[&near, &beyond], None, Some("inputs"));
        }
        self.node("Add", &[&near, &beyond]);
        // A line in some columns, asinh in the others: the sum of both, of which each column has one.
        let line: Vec<f64> = sds.iter().map(|sd| f64::from(*sd > 0.0)).collect();
        let bent: Vec<f64> = line.iter().map(|line| BENT_UNIT * (1.0 - line)).collect();
        self.constant("line", &[p.inputs], &line);
        self.constant("bent", &[p.inputs], &bent);
        self.and("Mul", "line");
        let line = self.last.clone();
        self.last = away;
        self.asinh();
        self.and("Mul", "bent");
        let curve = self.last.clone();
        self.named("Add", &[&line, &curve], None, Some("inputs"));
    }

    /// The outputs of all draws at the standardised rows "inputs".
    fn network(&mut self, p: &Parts) {
        self.last = "inputs".into();
        let mut bias = String::new();
        let mut end = 0;
        for l in 0..=p.depth {
            let layer = p.layer(l);
            let name = format!("weights{}", l + 1);
            bias = format!("biases{}", l + 1);
            if layer.below > 0 {
                self.weights(&name, p, layer);
                self.and("MatMul", &name);
            }
            self.weights(&bias, p, Layer { at: layer.biases(), units: layer.units, below: 1 });
            end = layer.end();
            if layer.below > 0 {
                self.and("Add", &bias);
            }
            if l < p.depth {
                self.activate(p.shape.activation);
            }
        }
        if p.direct() > 0 {
            let sum = if p.depth > 0 { self.last.clone() } else { bias };
            self.weights("direct", p, Layer { at: end, units: p.outputs, below: p.inputs });
            self.node("MatMul", &["inputs", "direct"]);
            self.and("Add", &sum);
        }
    }

    /// The mean of y over draws, from the outputs: "mean", N x 1, or "probabilities", N x classes.
    fn mean(&mut self, p: &Parts) {
        let (output, last) = (p.shape.output, self.last.clone());
        match output {
            Output::MeanVariance => self.columns("first", &last, 2, 0..1),
            Output::Bernoulli => self.then("Sigmoid"),
            Output::Softmax => {
                if p.shape.reference {
                    self.columns("first", &last, 2, 0..1);
                    self.constant("zero", &[], &[0.0]);
                    self.and("Mul", "zero");
                    self.beside(&last, 2);
                }
                self.along("Softmax", 2);
            }
            Output::Poisson | Output::NegativeBinomial => {
                self.then("Exp");
                let rates = self.last.clone();
                // No rate counts for more than so many times the mean, as in the library. Of few draws none is.
                for _ in 0..if p.draws.len() > MOST_OF_MEAN as usize { ROUNDS } else { 0 } {
                    self.along("ReduceMean", 0);
                    self.with("Mul", MOST_OF_MEAN);
                    self.and("Min", &rates);
                }
            }
            _ => {}
        }
        self.along("ReduceMean", 0);
        if output == Output::Bernoulli {
            // Of two classes both.
            let second = self.last.clone();
            self.with("Mul", -1.0);
            self.with("Add", 1.0);
            self.beside(&second, 1);
        }
        if p.shape.exposure {
            let rate = self.last.clone();
            self.columns("exposure", "x", 1, p.inputs..p.inputs + 1);
            self.and("Mul", &rate);
        }
        let (mean, sd) = (p.mean[p.shape.inputs()], p.sd[p.shape.inputs()]);
        if !p.shape.is_class() {
            self.with("Mul", sd);
            self.with("Add", mean);
            let last = self.last.clone();
            self.named("Identity", &[&last], None, Some("mean"));
            return;
        }
        // P^(1/t), divided by its sum.
        self.then("Log");
        self.with("Mul", 1.0 / sd);
        let last = self.last.clone();
        self.named("Softmax", &[&last], Some(1), Some("probabilities"));
    }

    /// Rows of so many numbers, as an input or output of the graph.
    fn value(&mut self, field: u64, name: &str, count: usize) {
        let kind = self.kind();
        self.to.message(field, |own| {
            own.text(1, name);
            own.message(2, |own| {
                own.message(1, |tensor| {
                    tensor.number(1, kind);
                    tensor.message(2, |shape| {
                        shape.message(1, |rows| rows.text(2, "rows"));
                        shape.message(1, |cells| cells.number(1, count as u64));
                    });
                });
            });
        });
    }
}

pub(super) fn write(p: &Parts) -> Result<Vec<u8>, Fault> {
    let (shape, path) = (p.shape, &p.path);
    if matches!(shape.output, Output::Mixture | Output::Ordinal) || shape.output.is_log() {
        return Err(Fault::failed(format!(
            "{path}: the mean of --output {} is not written as ONNX: --to json has all that it is made of",
            shape.output.name()
        )));
    }
    let mut g =
        Graph { to: Message::default(), precision: p.precision, count: 0, last: String::new() };
    g.columns("columns", "x", 1, 0..p.inputs);
    g.constant("means", &[p.inputs], &p.mean[..p.inputs]);
    g.units(p);
    g.network(p);
    g.mean(p);
    g.to.text(2, "lcc");
    let names: Vec<String> = (0..shape.inputs()).map(|k| p.name(k)).collect();
    let names = names.join("; ");
    g.to.text(10, &format!("The mean of the posterior predictive law. Columns of x: {names}"));
    g.value(11, "x", shape.inputs());
    let (last, classes) = (g.last.clone(), shape.classes());
    g.value(12, &last, classes.max(1));
    let mut model = Message::default();
    model.number(1, 7);
    model.text(2, "lcc");
    model.text(3, env!("CARGO_PKG_VERSION"));
    model.bytes(7, &g.to.0);
    model.message(8, |opset| opset.number(2, OPSET));
    Ok(model.0)
}
