//! The sampler that chooses for itself, whatever its precision.

codes! {
    u32 LCC_CHOICE_UNDECIDED = 0, "Nothing has been chosen yet.";
    u32 LCC_CHOICE_SPLIT_PRIOR = 1, "Split HMC about the prior, in antithetic pairs.";
    u32 LCC_CHOICE_SPLIT_FITTED = 2, "Split HMC about a Gaussian fitted to the pilot, in antithetic pairs.";
    u32 LCC_CHOICE_RANDOM_WALK = 3, "Random-walk Metropolis, in antithetic pairs: the density has no gradient.";
    u32 LCC_CHOICE_PARTICLES = 4, "Sequential Monte Carlo, after chains that disagreed.";
    u32 LCC_CHOICE_MIXTURE = 5, "Independence Metropolis from a mixture, in antithetic pairs, after chains that disagreed.";
    u32 LCC_CHOICE_PATIENT = 6, "Split HMC with many short steps, after chains that disagreed where nothing showed modes.";
    u32 LCC_CHOICE_REFLECTION = 7, "HMC that reflects at the facets of the l1 ball, in antithetic pairs.";
    u32 LCC_CHOICE_CAREFUL = 8, "Split HMC with two dozen short steps: what is tried before many.";
    u32 LCC_VERDICT_OPEN = 0, "The run is not over.";
    u32 LCC_VERDICT_MIXED = 1, "The chains agree with one another and with the pilot.";
    u32 LCC_VERDICT_MODES = 2, "The chains did not, and two independent runs of particles do.";
    u32 LCC_VERDICT_UNRELIABLE = 3, "Nothing mixes: the draws are not to be trusted.";
}
