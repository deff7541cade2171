//! What samplers record of a draw, column by column.
//!
//! One draw of one chain is a row of columns: w_1, ..., w_{Md}, then what is recorded beside them. Chains
//! record the log density, the mean probability of acceptance of the iteration's transitions, the energy
//! of its last transition, and whether one of them diverged (1 or 0); particles and tempered chains the
//! log density and the log likelihood.
//!
//! ```
//! use lcc_core::column::Column;
//!
//! // Two weights, then the log density, then what is of chains or of particles.
//! assert_eq!(Column::Weight(1).of_chains(2), Some(1));
//! assert_eq!(Column::LogDensity.of_chains(2), Some(2));
//! assert_eq!(Column::LogLikelihood.of_particles(2), Some(3));
//! assert_eq!(Column::LogLikelihood.of_chains(2), None);
//! ```

/// A column of the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// Coordinate j of w (neuron m's coordinate i is m d + i).
    Weight(usize),
    /// Log likelihood plus log prior density of w; the prior normalised, the posterior not.
    LogDensity,
    /// Log likelihood of w; of particles and tempered chains.
    LogLikelihood,
    /// The mean probability of acceptance of the iteration's transitions; of chains.
    Acceptance,
    /// The energy |g|^2/2 + |p|^2/2 - v(g) of the iteration's last transition, in latent
    /// coordinates; of the conditional law where the method is coupled. Of chains.
    Energy,
    /// 1 where a transition of the iteration diverged, else 0; of chains.
    Divergent,
}

impl Column {
    /// Its index in the record of chains where w has `dim` coordinates; `None` if it is not there.
    pub fn of_chains(self, dim: usize) -> Option<usize> {
        match self {
            Self::Weight(j) => Some(j).filter(|j| *j < dim),
            Self::LogDensity => Some(dim),
            Self::Acceptance => dim.checked_add(1),
            Self::Energy => dim.checked_add(2),
            Self::Divergent => dim.checked_add(3),
            Self::LogLikelihood => None,
        }
    }

    /// The same in the record of particles and tempered chains.
    pub fn of_particles(self, dim: usize) -> Option<usize> {
        match self {
            Self::Weight(j) => Some(j).filter(|j| *j < dim),
            Self::LogDensity => Some(dim),
            Self::LogLikelihood => dim.checked_add(1),
            Self::Acceptance | Self::Energy | Self::Divergent => None,
        }
    }
}
