//! The C ABI of LCC. The headers of `include` are generated from these files (`cargo run -p lcc-header`) and are the
//! manual; here are only pointers, lengths and statuses over `lcc-core`.
//!
//! `f64/` is written by hand; `f32` is made from it by `build.rs`.
#![no_std]
#![allow(non_camel_case_types)]
#![allow(rustdoc::broken_intra_doc_links)] // They are the header's text, where x[k] is no link.
#![allow(clippy::missing_safety_doc)] // The header's conventions say what every pointer must be.

#[macro_use]
mod abi;
pub mod auto;
pub mod bnn;
pub mod certificate;
mod errors;
pub mod f32 {
    //! The functions and structs in single precision: the text of `f64`, with `f32` in its place.
    include!(concat!(env!("OUT_DIR"), "/f32.rs"));
}
pub mod f64;
pub mod greedy_bayes;
mod handle;
pub mod layout;
pub mod layouts;
pub mod model;
pub mod names;
pub mod network;
mod note;
pub mod object;
mod predicted;
pub mod prequential;
pub mod problem;
mod raw;
pub mod recorded;
pub mod relaxed;
pub mod sampler;
pub mod smc;
pub mod status;
pub mod stream;
mod text;
pub mod transform;
pub mod vae;
pub mod version;

/// What the files of functions share.
mod prelude {
    pub(crate) use crate::handle::{self, open};
    pub(crate) use crate::raw;
    pub(crate) use crate::status::lcc_status::{self, *};
}

#[cfg(all(feature = "panic-handler", not(feature = "panic-proof"), not(test)))]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {
        core::hint::spin_loop();
    }
}

#[cfg(all(feature = "panic-proof", not(test)))]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    unsafe extern "C" {
        fn lcc_a_panic_is_reachable() -> !;
    }
    // SAFETY: never runs: a build in which it could does not link.
    unsafe { lcc_a_panic_is_reachable() }
}
