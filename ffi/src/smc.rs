//! Sequential Monte Carlo, whatever its precision.

use crate::status::lcc_status;
use lcc_core::scalar::Real;
use lcc_core::smc::Ladder;

/// Each temperature as large as leaves the share asked for of the particles: the least work. Its
/// estimate of the evidence has a bias of order 1/particles.
pub const LCC_LADDER_ADAPTIVE: i32 = 0;
/// 1/K, 2/K, ..., 1.
pub const LCC_LADDER_EVEN: i32 = 1;
/// From the first temperature to 1 by equal factors.
pub const LCC_LADDER_GEOMETRIC: i32 = 2;
/// Temperatures of your own, to lcc_smc_init_given_f64 or _f32.
pub const LCC_LADDER_GIVEN: i32 = 3;

pub(crate) fn ladder<T: Real>(
    code: i32,
    stages: u32,
    share: T,
    first: T,
) -> Result<Ladder<T>, lcc_status> {
    match code {
        LCC_LADDER_ADAPTIVE => Ok(Ladder::Adaptive { ess: share, most: stages }),
        LCC_LADDER_EVEN => Ok(Ladder::Even { stages }),
        LCC_LADDER_GEOMETRIC => Ok(Ladder::Geometric { stages, first }),
        LCC_LADDER_GIVEN => Ok(Ladder::Given { stages }),
        _ => Err(lcc_status::LCC_ERROR_LADDER),
    }
}
