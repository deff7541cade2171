//! The marginal law of xi: score and Hessian of log p(xi) from moments of w | xi, and \[B\]'s scaling.

use super::{Channel, Coupling, CouplingError, signals};
use crate::dispatch::dispatched;
use crate::error::refuse;
use crate::pieces::{pieces, pieces_mut};
use crate::scalar::Real;
use crate::simd::{Isa, Lanes, Vector};
use crate::special;

/// grad log p(xi) = -xi + A E[w | xi] (\[MB\] (13)), chain by chain. `mean` holds
/// [`Channel::weights`] blocks, `xi` and `out` [`Channel::len`]. 2 flops for each entry of A.
pub fn score<T: Lanes<N>, C: Channel<T>, const N: usize>(
    isa: Isa,
    channel: &C,
    xi: &[[T; N]],
    mean: &[[T; N]],
    out: &mut [[T; N]],
) -> Result<(), CouplingError> {
    let (xi, mean, out) = checked(channel, xi, mean, out)?;
    for (out, xi) in out.iter_mut().zip(xi) {
        *out = *xi;
    }
    subtract_from_signals(isa, channel, mean, out);
    Ok(())
}

/// xi, E w and what is written.
type Slices<'a, T, const N: usize> = (&'a [[T; N]], &'a [[T; N]], &'a mut [[T; N]]);

/// Slices of the right lengths.
fn checked<'a, T: Real, C: Channel<T>, const N: usize>(
    channel: &C,
    xi: &'a [[T; N]],
    mean: &'a [[T; N]],
    out: &'a mut [[T; N]],
) -> Result<Slices<'a, T, N>, CouplingError> {
    let xi = xi.get(..channel.len()).ok_or(CouplingError::Shape)?;
    let mean = mean.get(..channel.weights()).ok_or(CouplingError::Shape)?;
    let out = out.get_mut(..channel.len()).ok_or(CouplingError::Shape)?;
    Ok((xi, mean, out))
}

dispatched!(
    /// A mean - out, written over out.
    fn subtract_from_signals<C: Channel<T>>(
        s: S,
        channel: &C,
        mean: &[[T; N]],
        out: &mut [[T; N]],
    ) {
        signals(s, channel, mean, out, |signal, out| *out = (signal - s.load(out)).array());
    }
);

/// The Hessian -I + A Cov[w | xi] A' of log p(xi) (\[MB\] (14)) of one chain, k x k with
/// k = [`Channel::len`], row by row into `out`. `covariance` is (M d) x (M d), row by row, over the
/// stacked (w_1, ..., w_M); `scratch` holds M d numbers. 2 k (M d^2 + k d) flops.
pub fn hessian<T: Real, C: Channel<T>>(
    channel: &C,
    covariance: &[T],
    out: &mut [T],
    scratch: &mut [T],
) -> Result<(), CouplingError> {
    let (k, dim) = (channel.len(), channel.weights());
    let square = |k: usize| k.checked_mul(k).ok_or(CouplingError::Shape);
    let covariance = covariance.get(..square(dim)?).ok_or(CouplingError::Shape)?;
    let out = out.get_mut(..square(k)?).ok_or(CouplingError::Shape)?;
    let scratch = scratch.get_mut(..dim).ok_or(CouplingError::Shape)?;
    let (d, neurons) = (channel.d(), channel.neurons());
    let mut rows = pieces_mut(out, k).enumerate();
    for i in 0..channel.observations() {
        for (m, own) in pieces(covariance, d.saturating_mul(dim)).enumerate() {
            // scratch = Cov[w, w_m] a_im: a sum of rows of the symmetric covariance.
            scratch.iter_mut().for_each(|v| *v = T::ZERO);
            let (weight, first, entries) = channel.row(i, m);
            for (row, x) in pieces(own, dim).skip(first).zip(entries) {
                let x = weight * x;
                for (v, c) in scratch.iter_mut().zip(row) {
                    *v += x * *c;
                }
            }
            let Some((number, row)) = rows.next() else { return Ok(()) };
            for (l, out) in pieces_mut(row, neurons).enumerate() {
                for (p, (out, v)) in out.iter_mut().zip(pieces(scratch, d)).enumerate() {
                    let (weight, first, entries) = channel.row(l, p);
                    let mut sum = T::ZERO;
                    for (v, x) in v.iter().skip(first).zip(entries) {
                        sum += *v * x;
                    }
                    *out = weight * sum;
                }
            }
            if let Some(diagonal) = row.get_mut(number) {
                *diagonal -= T::ONE;
            }
        }
    }
    Ok(())
}

/// From our scaling, xi ~ N(sqrt(rho) x.w, 1), to \[B\]'s, xi ~ N(x.w, 1/rho): divides by sqrt(rho),
/// in place. Refused (nothing written) where some rho is zero.
pub fn to_signal_scale<T: Real, const N: usize>(
    coupling: &Coupling<'_, T>,
    xi: &mut [[T; N]],
) -> Result<(), CouplingError> {
    refuse(coupling_roots(coupling).any(|root| root == T::ZERO), CouplingError::Rho)?;
    scale(coupling, xi, |x, root| x / root)
}

/// From \[B\]'s scaling to ours: multiplies by sqrt(rho), in place.
pub fn from_signal_scale<T: Real, const N: usize>(
    coupling: &Coupling<'_, T>,
    xi: &mut [[T; N]],
) -> Result<(), CouplingError> {
    scale(coupling, xi, |x, root| x * root)
}

/// x <- f(x, sqrt(rho)) for every block of xi.
fn scale<T: Real, const N: usize>(
    coupling: &Coupling<'_, T>,
    xi: &mut [[T; N]],
    f: impl Fn(T, T) -> T,
) -> Result<(), CouplingError> {
    let xi = xi.get_mut(..coupling.len()).ok_or(CouplingError::Shape)?;
    for (xi, root) in xi.iter_mut().zip(coupling_roots(coupling)) {
        xi.iter_mut().for_each(|x| *x = f(*x, root));
    }
    Ok(())
}

/// (1/2) sum log rho over the blocks of xi: log p of \[B\]'s xi is log p of ours plus this. One
/// logarithm a block; -infinity where some rho is zero.
pub fn log_scale<T: Real>(coupling: &Coupling<'_, T>) -> T {
    coupling_roots(coupling).fold(T::ZERO, |sum, root| sum + special::scalar::ln(root))
}

/// The score in \[B\]'s scaling: rho_i (E[x_i.w_m | xi] - xi_im), for `xi` in that scaling; our
/// [`score`] times sqrt(rho). (\[B\] writes the gradient of log 1/p, its negative.) Zero where rho is.
pub fn signal_score<T: Lanes<N>, const N: usize>(
    isa: Isa,
    coupling: &Coupling<'_, T>,
    xi: &[[T; N]],
    mean: &[[T; N]],
    out: &mut [[T; N]],
) -> Result<(), CouplingError> {
    let (xi, mean, out) = checked(coupling, xi, mean, out)?;
    for ((out, xi), root) in out.iter_mut().zip(xi).zip(coupling_roots(coupling)) {
        for (out, xi) in out.iter_mut().zip(xi) {
            *out = *xi * root;
        }
    }
    subtract_from_signals(isa, coupling, mean, &mut *out);
    from_signal_scale(coupling, out)
}

/// sqrt(rho) in the order of the blocks of xi.
fn coupling_roots<T: Real>(coupling: &Coupling<'_, T>) -> impl Iterator<Item = T> {
    let (n, neurons) = (coupling.observations(), coupling.neurons());
    (0..n).flat_map(move |i| (0..neurons).map(move |m| coupling.rho(i, m).sqrt()))
}
