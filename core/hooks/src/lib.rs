//! What the firmware around LCC may supply: functions in C that do what portable code does, faster, and
//! to the bit. A crate of its own because `lcc-core` holds no `unsafe`, and declaring a function of C's is
//! that.
//!
//! There is one: the square root. IEEE 754 has it correctly rounded, so the bits stay; `libm` computes it in
//! software where it does not know the CPU's instruction, as on a Cortex-M4F.
#![no_std]

unsafe extern "C" {
    /// `float lcc_hook_sqrtf(float x)`: the square root, correctly rounded, NaN below 0.
    // SAFETY: a function of one number that reads and writes no memory may be called with any argument;
    // that the firmware's is one is the promise of whoever turns the hook on.
    safe fn lcc_hook_sqrtf(x: f32) -> f32;
}

/// The firmware's square root.
#[inline(always)]
pub fn sqrtf(x: f32) -> f32 {
    lcc_hook_sqrtf(x)
}
