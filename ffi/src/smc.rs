//! Sequential Monte Carlo, whatever its precision.

/// Each temperature as large as leaves the share asked for of the particles: the least work. Its
/// estimate of the evidence has a bias of order 1/particles.
pub const LCC_LADDER_ADAPTIVE: i32 = 0;
/// 1/K, 2/K, ..., 1.
pub const LCC_LADDER_EVEN: i32 = 1;
/// From the first temperature to 1 by equal factors.
pub const LCC_LADDER_GEOMETRIC: i32 = 2;
/// Temperatures of your own, to lcc_smc_init_given_f64 or _f32.
pub const LCC_LADDER_GIVEN: i32 = 3;
