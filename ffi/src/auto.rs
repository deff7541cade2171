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
    u32 LCC_CHOICE_CAREFUL = 8, "Split HMC with one or two dozen short steps: what is tried before many.";
    u32 LCC_VERDICT_OPEN = 0, "The run is not over.";
    u32 LCC_VERDICT_MIXED = 1, "The chains agree with one another and with the pilot.";
    u32 LCC_VERDICT_MODES = 2, "The chains did not, and two independent runs of particles do.";
    u32 LCC_VERDICT_UNRELIABLE = 3, "Nothing mixes: the draws are not to be trusted.";
    u32 LCC_CAUSE_NONE = 0, "The draws are to be trusted, or the run is not over.";
    u32 LCC_CAUSE_DISAGREEMENT = 1, "R-hat is too large.";
    u32 LCC_CAUSE_MISSED = 2, "The pilot is wider than the chains are, or particles of it lie far outside of their range.";
    u32 LCC_CAUSE_REFUSED = 3, "Transitions are refused where the chains have come to, as at the mouth of a funnel.";
    u32 LCC_CAUSE_ENERGY = 4, "The energy hardly changes, as in a long tail or the neck of a funnel.";
    u32 LCC_CAUSE_GRADIENTS = 5, "The gradients at the draws contradict them, or do not confirm them.";
    u32 LCC_CAUSE_PARTICLES = 6, "Two runs of particles differ.";
    u32 LCC_CAUSE_FAMILIES = 7, "Particles descend from few draws of the prior.";
    u32 LCC_CAUSE_MODE = 8, "There may be a mode where no draw has been, and no gradients were left to begin anew.";
    u32 LCC_CAUSE_IMPROPER = 9, "The density has no finite mass: along a coordinate, or along rays, it falls too slowly.";
    u32 LCC_CAUSE_EDGE = 10, "The support ends where draws are, at what is no coordinate plane, and gradients cannot confirm them.";
    u32 LCC_CAUSE_WRONG_GRADIENT = 11, "The gradient is not the derivative of the density in `coordinate`, by differences at the start.";
}
