//! The Bayesian network, whatever its precision.

codes! {
    i32 LCC_BNN_TRACE_LOG_LIKELIHOOD = 0, "The log likelihood of the training data, in standardised units.";
    i32 LCC_BNN_TRACE_ACCEPT = 1, "The probability of acceptance.";
    i32 LCC_BNN_TRACE_DIVERGENT = 2, "1 where the trajectory diverged, else 0.";
    i32 LCC_BNN_TRACE_ENERGY = 3, "The energy at the start of the trajectory.";
    i32 LCC_BNN_TRACE_PREDICTION = 4, "E(y) at a traced training row, in standardised units; of classes the probability of the one observed there.";
}
