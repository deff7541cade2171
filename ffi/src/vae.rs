//! The variational auto-encoder, whatever its precision.

codes! {
    i32 LCC_VAE_GAUSSIAN = 0, "Rows are normal about the decoder's outputs, with one sd for all columns.";
    i32 LCC_VAE_BERNOULLI = 1, "Rows are in [0, largest], the decoder's outputs being log odds of their share of it.";
}
