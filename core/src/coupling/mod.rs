//! Log-concave coupling: an auxiliary variable xi beside the weights w, such that w | xi is
//! log-concave although w alone is not (\[MB\] section II, \[B\]).
//!
//! xi = A w + Z, Z ~ N(0, I), neuron by neuron. The reverse conditional is
//! log p(w | xi) = log p(w) - |xi - A w|^2 / 2 + const: its Hessian is that of log p(w) less A'A, and
//! [`rho`] makes A'A large enough. Two choices of A, the same conditional law of w:
//! - [`Coupling`]: A = S X, S = diag(sqrt rho_i): one xi for each observation (\[MB\] (4));
//! - [`Triangular`]: A = R, the d x d triangular factor of S X (R'R = X' diag(rho) X = Q): d numbers in
//!   place of n. t = X'S xi of the papers, t | w ~ N(Q w, Q), is R' xi: where Q is singular t lies in
//!   its range, and xi has a density on all of R^d all the same. Under a Gaussian prior the part of Q
//!   that the prior's own curvature does not cover is enough: [`Triangular::factorise_reduced`].
//!
//! Both are a [`Channel`], for which everything else is written once: drawing xi | w
//! ([`Channel::draw`]), the law of w | xi as a likelihood ([`Conditional`]), and score and Hessian of
//! log p(xi) ([`score`], [`hessian`]). The square is kept whole (not expanded into
//! xi'A w - |A w|^2/2) because it stays of the size of d where the two terms cancel.
//!
//! From nothing, with an example: [`crate::docs::idea`].
//!
//! xi has one row for each row of A and in it one block for each neuron: block (i, m) is number
//! i M + m.
//!
//! ```
//! use lcc_core::coupling::{Coupling, score};
//! use lcc_core::data::Inputs;
//! use lcc_core::simd::Isa;
//!
//! // One row x = 2 with rho = 1/4, at xi = 1, where E[w | xi] = .7.
//! let coupling = Coupling::greedy(Inputs::row_major(&[2.0], 1, 1)?, &[0.25])?;
//! let mut out = [[0.0_f64]];
//! score(Isa::Portable, &coupling, &[[1.0]], &[[0.7]], &mut out)?;
//! assert!((out[0][0] - (-1.0 + 0.5 * 2.0 * 0.7)).abs() < 1e-15);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod conditional;
mod marginal;
mod reduced;
pub mod rho;
mod triangular;
mod xi;

pub use conditional::Conditional;
pub use marginal::{from_signal_scale, hessian, log_scale, score, signal_score, to_signal_scale};
pub use reduced::reduced_scratch;
pub use rho::{RhoError, Sides};
pub use triangular::{Triangular, factor_len};
pub use xi::Coupling;

use crate::dispatch::dispatched;
use crate::error::errors;
use crate::pieces::{pieces, pieces_mut};
use crate::random::{Stream, normals};
use crate::scalar::Real;
use crate::simd::{Isa, Lanes, Simd, Vector};

errors! {
    /// Why a coupling could not be formed or used.
    pub enum CouplingError {
        Shape = "a buffer is too short for the coupling's dimensions",
        Rho = "rho must be non-negative and finite",
        Overflow = "the coupling's precision matrix overflows",
        Prior = "the reduced coupling needs a Gaussian prior of positive finite sd",
    }
}

/// A linear Gaussian channel xi = A_m w_m + Z for each of M neurons, w_m in R^d.
pub trait Channel<T: Real> {
    /// Coordinates of one w_m.
    fn d(&self) -> usize;

    /// M.
    fn neurons(&self) -> usize;

    /// Rows of A_m, the same for every neuron.
    fn observations(&self) -> usize;

    /// Rows of data that one pass reads: n, or 0 where A does not lie in the data.
    fn data_rows(&self) -> usize;

    /// Row i of A_m: a factor, the first column that is not zero by construction, and the entries
    /// from there on to be multiplied by the factor.
    fn row(&self, i: usize, m: usize) -> (T, usize, impl Iterator<Item = T>);

    /// Blocks of w: M d.
    #[inline(always)]
    fn weights(&self) -> usize {
        self.d().saturating_mul(self.neurons())
    }

    /// Blocks of xi: the rows of A times M.
    #[inline(always)]
    fn len(&self) -> usize {
        self.observations().saturating_mul(self.neurons())
    }

    /// Never: a channel has at least one row and one neuron.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A draw of xi | w: [`len`](Self::len) normals in the order of the blocks, each lane from its own
    /// stream, and A w added. `w` holds [`weights`](Self::weights) blocks. 2 flops for each entry of A.
    fn draw<const N: usize>(
        &self,
        isa: Isa,
        streams: &mut [Stream; N],
        w: &[[T; N]],
        xi: &mut [[T; N]],
    ) -> Result<(), CouplingError>
    where
        Self: Sized,
        T: Lanes<N>,
    {
        let w = w.get(..self.weights()).ok_or(CouplingError::Shape)?;
        let xi = xi.get_mut(..self.len()).ok_or(CouplingError::Shape)?;
        draw(isa, self, streams, w, xi);
        Ok(())
    }
}

/// A w, block by block, handed to `use_it` with the block of `out` that it belongs to.
#[inline(always)]
pub(crate) fn signals<T: Real, const N: usize, S: Simd<T, N>, C: Channel<T>>(
    s: S,
    channel: &C,
    w: &[[T; N]],
    out: &mut [[T; N]],
    use_it: impl Fn(S::V, &mut [T; N]),
) {
    let d = channel.d();
    for (i, out) in pieces_mut(out, channel.neurons()).enumerate() {
        for (m, (out, w)) in out.iter_mut().zip(pieces(w, d)).enumerate() {
            let (weight, first, entries) = channel.row(i, m);
            use_it(s.splat(weight) * dot(s, w.iter().skip(first), entries), out);
        }
    }
}

/// sum_j a_j w_j, from the first term on.
#[inline(always)]
fn dot<'a, T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    w: impl Iterator<Item = &'a [T; N]>,
    entries: impl Iterator<Item = T>,
) -> S::V {
    let mut sum = s.zero();
    for (w, a) in w.zip(entries) {
        sum = sum + s.splat(a) * s.load(w);
    }
    sum
}

dispatched!(
    /// [`Channel::draw`] as work to dispatch.
    fn draw<C: Channel<T>>(
        s: S,
        channel: &C,
        streams: &mut [Stream; N],
        w: &[[T; N]],
        xi: &mut [[T; N]],
    ) {
        normals(s, streams, xi);
        signals(s, channel, w, xi, |signal, xi| *xi = (s.load(xi) + signal).array());
    }
);
