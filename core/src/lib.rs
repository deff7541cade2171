//! stub
#![no_std]
#![forbid(unsafe_code)]
pub mod scalar;
pub mod simd;
