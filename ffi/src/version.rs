//! Versions and capabilities.

use core::ffi::c_char;
use lcc_core::simd::{Isa, has_lanes};

/// The library's version, e.g. "1.2.3": `LCC_VERSION` of the header that it was built with.
/// Static storage. Thread-safe.
#[unsafe(no_mangle)]
pub extern "C" fn lcc_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// The library's version as a number, major * 1000000 + minor * 1000 + patch: compare with
/// `LCC_VERSION_NUMBER` to see whether header and library belong together.
#[unsafe(no_mangle)]
pub extern "C" fn lcc_version_number() -> u32 {
    const fn number(digits: &str) -> u32 {
        let mut bytes = digits.as_bytes();
        let mut value = 0;
        while let [digit, rest @ ..] = bytes {
            value = 10 * value + (*digit - b'0') as u32;
            bytes = rest;
        }
        value
    }
    const {
        number(env!("CARGO_PKG_VERSION_MAJOR")) * 1_000_000
            + number(env!("CARGO_PKG_VERSION_MINOR")) * 1_000
            + number(env!("CARGO_PKG_VERSION_PATCH"))
    }
}

/// The ABI's number: it changes when a struct, a signature or the meaning of a value does. A caller
/// whose `LCC_ABI_VERSION` differs must not use the library.
#[unsafe(no_mangle)]
pub extern "C" fn lcc_abi_version() -> u32 {
    LCC_ABI_VERSION
}

codes! {
    u32 LCC_ABI_VERSION = 1, "The ABI that this header describes.";
    u64 LCC_CAPABILITY_F32 = 1, "Bit of `lcc_capabilities`: the functions ending in _f32 are there.";
    u64 LCC_CAPABILITY_F64 = 2, "Bit of `lcc_capabilities`: the functions ending in _f64 are there.";
    u64 LCC_CAPABILITY_AVX2 = 4, "Bit of `lcc_capabilities`: this CPU runs blocks of chains with AVX2 (never with other results).";
    u64 LCC_CAPABILITY_AVX512 = 8, "Bit of `lcc_capabilities`: and with AVX-512 where that is faster.";
    u64 LCC_CAPABILITY_LANES = 16, "Bit of `lcc_capabilities`: options may ask for 8 lanes. A CPU without registers for them (AVX2, NEON) has none of them, nor a build for microcontrollers: options default to 1 lane there, with the same numbers.";
    u64 LCC_CAPABILITY_NETWORKS = 32, "Bit of `lcc_capabilities`: lcc_model_ functions read models of any depth and output; without, those that predict numbers read models of one hidden layer and Student-t noise alone, as in a build for microcontrollers.";
}

/// What this library can do on this CPU: a sum of `LCC_CAPABILITY_` bits. Thread-safe.
#[unsafe(no_mangle)]
pub extern "C" fn lcc_capabilities() -> u64 {
    let simd = match Isa::detect().name() {
        "avx2" => LCC_CAPABILITY_AVX2,
        "avx512" => LCC_CAPABILITY_AVX2 | LCC_CAPABILITY_AVX512,
        _ => 0,
    };
    let lanes = if has_lanes(8) { LCC_CAPABILITY_LANES } else { 0 };
    let networks = if cfg!(feature = "networks") { LCC_CAPABILITY_NETWORKS } else { 0 };
    LCC_CAPABILITY_F32 | LCC_CAPABILITY_F64 | simd | lanes | networks
}
