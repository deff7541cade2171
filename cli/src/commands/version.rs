//! What this build has.

use crate::out::outln;
use crate::stop::Done;
use lcc_model::lcc_core::activation::Activation;
use lcc_model::lcc_core::sampler::{Method, SamplerOptions};
use lcc_model::lcc_core::simd::Isa;

/// The ABI of the library of the same version.
pub(crate) const ABI: u32 = 1;

/// The instructions that chains run on.
pub(crate) fn lanes() -> &'static str {
    match Isa::detect().name() {
        "avx512" => "avx2 avx512",
        name => name,
    }
}

/// Chains that advance in lock-step by default.
pub(crate) fn block() -> u32 {
    SamplerOptions::<f64>::default().lanes
}

/// Prints it.
pub(crate) fn run() -> Done {
    let version = env!("CARGO_PKG_VERSION");
    let lanes = lanes();
    let samplers: Vec<&str> = Method::ALL.iter().map(|m| m.name()).collect();
    let activations: Vec<&str> = Activation::ALL.iter().map(|a| a.name()).collect();
    let methods: Vec<&str> = super::fit::method_names().collect();
    outln!("lcc {version}\nlibrary {version}\nABI {ABI}\nprecisions f32 f64\nlanes {lanes}");
    outln!("samplers auto {} smc tempering", samplers.join(" "));
    outln!("methods {}\nactivations {}", methods.join(" "), activations.join(" "));
    Ok(())
}
