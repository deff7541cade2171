//! The six target posteriors G1-G5 and J1 on which samplers are compared, as [`Case`]s without exact
//! values: the functionals are psi(x_q.w), or f(x_q), at the first 20 rows.

use crate::posteriors::{Case, Model};
use crate::{json, read};
use lcc_core::activation::Activation;
use lcc_core::likelihood::Signs;
use lcc_core::prior::Prior;

/// The names.
pub const NAMES: [&str; 6] = ["G1", "G2", "G3", "G4", "G5", "J1"];

/// Rows at which functionals are compared.
pub const QUERIES: usize = 20;

/// The 5000 x 50 inputs of G5, uniform on [-1, 1]: the generator (PCG64) from the state in which NumPy's
/// `default_rng(20261120)` drew them, in place of 5 MB of digits.
fn inputs_of_g5() -> Vec<f64> {
    let mut state = 0x5ddf_46d0_5d4e_166b_caa2_e2f4_4228_94ee_u128;
    let mut uniform = || {
        state = state.wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645);
        state = state.wrapping_add(0xe43c_c889_46f4_97f9_1ba3_6bc1_9a0b_1fe3);
        let word = ((state >> 64) as u64 ^ state as u64).rotate_right((state >> 122) as u32);
        2.0 * ((word >> 11) as f64 * 2f64.powi(-53)) - 1.0
    };
    (0..5000 * 50).map(|_| uniform()).collect()
}

/// One target.
pub fn target(name: &str) -> Case {
    let spec = &json("data/targets/targets.json")[name];
    let text = read(&format!("data/targets/{}.csv", spec["rows"].as_str().unwrap_or(name)));
    let (mut x, mut y) = (Vec::new(), Vec::new());
    for line in text.lines().skip(1) {
        let mut row: Vec<f64> = line.split(',').map(|v| v.parse().expect("a number")).collect();
        y.extend(row.pop());
        x.append(&mut row);
    }
    if name == "G5" {
        x = inputs_of_g5();
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
