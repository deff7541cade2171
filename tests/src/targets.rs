//! The six target posteriors G1-G5 and J1 on which samplers are compared, as [`Case`]s without exact
//! values: the functionals are psi(x_q.w), or f(x_q), at the first 20 rows.

use crate::posteriors::{Case, Model};
use crate::shared;
use lcc_core::activation::Activation;
use lcc_core::likelihood::Signs;
use lcc_core::prior::Prior;
use serde_json::Value;
use std::path::PathBuf;

/// The names.
pub const NAMES: [&str; 6] = ["G1", "G2", "G3", "G4", "G5", "J1"];

/// Rows at which functionals are compared.
pub const QUERIES: usize = 20;

/// The folder of the targets and of the rivals' scripts.
pub fn peers() -> PathBuf {
    shared().join("peers")
}

/// One target.
pub fn target(name: &str) -> Case {
    let specs = std::fs::read_to_string(peers().join("targets.json")).expect("targets.json");
    let specs: Value = serde_json::from_str(&specs).expect("targets.json");
    let spec = &specs[name];
    let text = std::fs::read_to_string(peers().join(format!("data/{name}.csv"))).expect("data");
    let (mut x, mut y) = (Vec::new(), Vec::new());
    for line in text.lines().skip(1) {
        let mut row: Vec<f64> = line.split(',').map(|v| v.parse().expect("a number")).collect();
        y.extend(row.pop());
        x.append(&mut row);
    }
    let d = x.len() / y.len();
    let field = |key: &str| spec[key].as_f64();
    let model = match field("M") {
        Some(m) => {
            let (outer, beta) = (field("V").expect("V"), field("beta").expect("beta"));
            Model::Joint(m as usize, outer, beta, Signs::Alternating)
        }
        None => Model::Greedy(field("alpha").expect("alpha")),
    };
    Case {
        id: name.into(),
        regime: "target".into(),
        d,
        query: x[..QUERIES * d].to_vec(),
        x,
        y,
        activation: Activation::from_name(spec["activation"].as_str().expect("activation"))
            .expect("a known activation"),
        prior: match field("radius") {
            Some(radius) => Prior::L1Ball { radius },
            None => Prior::Gaussian { sd: field("sigma0").expect("sigma0") },
        },
        model,
        query_moments: Vec::new(),
        weight_moments: Vec::new(),
    }
}
