//! Sequential Monte Carlo, whatever its precision.

codes! {
    i32 LCC_LADDER_ADAPTIVE = 0, "Each temperature as large as leaves the share asked for of the particles: the least work. Its estimate of the evidence has a bias of order 1/particles.";
    i32 LCC_LADDER_EVEN = 1, "1/K, 2/K, ..., 1.";
    i32 LCC_LADDER_GEOMETRIC = 2, "From the first temperature to 1 by equal factors.";
    i32 LCC_LADDER_GIVEN = 3, "Temperatures of your own, to lcc_smc_init_given_f64 or _f32.";
    i32 LCC_LADDER_ROWS = 4, "Observation by observation, each predicted from those before it; of a greedy or a joint posterior. Particles are resampled and moved whenever fewer than the share asked for are left.";
    i32 LCC_LADDER_COOLING = 5, "Gaussian cooling: a narrow Gaussian about w = 0 times the posterior, widened; of a greedy or a joint posterior.";
}
