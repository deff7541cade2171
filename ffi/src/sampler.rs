//! Samplers, whatever their precision.

codes! {
    i32 LCC_COUPLING_ONE_SIDED = 0, "rho by the sign of the residual: never larger than the two-sided, zero where no help is needed.";
    i32 LCC_COUPLING_TWO_SIDED = 1, "rho = alpha sup|psi''| |r_i|, as printed in the papers.";
    i32 LCC_TRACE_LOG_DENSITY = 0, "Log density of the draw: likelihood and normalised prior, the posterior's constant left out.";
    i32 LCC_TRACE_ACCEPT = 1, "The mean probability of acceptance of the iteration's transitions.";
    i32 LCC_TRACE_ENERGY = 2, "The energy of the iteration's last transition.";
    i32 LCC_TRACE_DIVERGENT = 3, "1 where a transition of the iteration diverged, else 0.";
}
