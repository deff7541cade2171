//! The regressor, whatever its precision.

codes! {
    i32 LCC_MASS_DENSE = 0, "A full mass matrix a chain.";
    i32 LCC_MASS_DIAGONAL = 1, "Its diagonal only: for microcontrollers and very wide inputs.";
    i32 LCC_NETWORK_TRACE_LOG_LIKELIHOOD = 0, "The log likelihood of the training data, in standardised units.";
    i32 LCC_NETWORK_TRACE_ACCEPT = 1, "The probability of acceptance.";
    i32 LCC_NETWORK_TRACE_DIVERGENT = 2, "1 where the trajectory diverged, else 0.";
    i32 LCC_NETWORK_TRACE_ENERGY = 3, "The energy at the start of the trajectory.";
    i32 LCC_NETWORK_TRACE_PREDICTION = 4, "f at a traced training row, in standardised units.";
}
