//! Batch Greedy Bayes, whatever its precision.

codes! {
    i32 LCC_GREEDY_TILT = 0, "The tilt alone, linear in the neuron.";
    i32 LCC_GREEDY_QUADRATIC = 1, "The square of the loss too.";
}
