//! Prequential Greedy Bayes, whatever its precision.

codes! {
    i32 LCC_AVERAGING_PRINTED = 0, "The mean of f_i over i = 1, ..., n: the posteriors before each row, as printed in the paper.";
    i32 LCC_AVERAGING_INCLUSIVE = 1, "Over i = 1, ..., n + 1: the posteriors given all rows too.";
    i32 LCC_AVERAGING_LAST = 2, "i = n + 1 alone: the posteriors given all rows, which is what predicts the next one.";
}
