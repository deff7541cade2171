//! The Hessian of log p(w | xi) at one w.

use super::CertificateError;
use crate::activation::Activation;
use crate::coupling::{Channel, RhoError};
use crate::error::refuse;
use crate::likelihood::{Joint, Signs};
use crate::linalg::{for_diagonal, lower_len, one::dot};
use crate::pieces::{pieces, pieces_mut};
use crate::prior::Prior;
use crate::problem::{Problem, Target};
use crate::scalar::Real;
use core::mem::take;

/// The numbers of scratch that [`precision`] takes: M d + 3 M. `None` if that overflows.
pub fn precision_scratch(dim: usize, neurons: usize) -> Option<usize> {
    dim.checked_add(neurons.checked_mul(3)?)
}

/// -Hess log p(w | xi), which is the same for every xi: A'A less the Hessian of log p(w); without a
/// channel, -Hess log p(w). The packed lower triangle of order M d (row by row, M d (M d + 1)/2 numbers
/// of one lane) into `lower`. Greedy: 2 n d^2 flops; joint: n (M d)^2. The kink of the squared ReLU has
/// curvature 0; [`RhoError::Kink`] of the ReLU. Of the uniform prior on the ball nothing is added.
pub fn precision<T: Real, C: Channel<T>>(
    problem: &Problem<'_, T>,
    channel: Option<&C>,
    w: &[T],
    lower: &mut [[T; 1]],
    scratch: &mut [T],
) -> Result<(), CertificateError> {
    let short = CertificateError::TooShort;
    refuse(problem.has_kink(), RhoError::Kink)?;
    let (d, dim) = (problem.d(), problem.dim());
    let size = lower_len(dim).ok_or(CertificateError::Overflow)?;
    let lower = lower.get_mut(..size).ok_or(short)?;
    let w = w.get(..dim).ok_or(short)?;
    let size = precision_scratch(dim, problem.neurons()).ok_or(CertificateError::Overflow)?;
    let scratch = scratch.get_mut(..size).ok_or(short)?;
    let (row, jets) = scratch.split_at_mut_checked(dim).ok_or(short)?;
    lower.fill([T::ZERO]);
    match problem.likelihood() {
        Target::User(_) | Target::Network(_) | Target::Deep(_) => {
            return Err(CertificateError::UserDensity);
        }
        Target::Greedy(tilt) if tilt.signed => return Err(CertificateError::Form),
        Target::Greedy(tilt) => {
            let inputs = tilt.data.inputs;
            for (i, r) in tilt.data.y().iter().enumerate() {
                inputs.copy_row(i, row);
                let [value, slope, curve] = tilt.activation.jet(dot(row, w));
                let mut weight = -(tilt.alpha * *r * curve);
                if tilt.quadratic != T::ZERO {
                    weight += tilt.quadratic * (slope * slope + value * curve);
                }
                rank_one(lower, 0, row, weight);
            }
        }
        Target::Joint(joint) => of_joint(joint, w, lower, row, jets),
    }
    if let Some(channel) = channel {
        for i in 0..channel.observations() {
            for m in 0..channel.neurons() {
                let (weight, first, entries) = channel.row(i, m);
                let Some(row) = row.get_mut(..d) else { return Err(short) };
                row.fill(T::ZERO);
                row.iter_mut().skip(first).zip(entries).for_each(|(r, a)| *r = a);
                rank_one(lower, m.saturating_mul(d), row, weight * weight);
            }
        }
    }
    if let Prior::Gaussian { sd } = problem.prior() {
        for_diagonal(lower, dim, |[diagonal], _| *diagonal += T::ONE / (sd * sd));
    }
    Ok(())
}

/// -(beta/2) sum_i e_i^2: minus its Hessian is beta (V/M)^2 v_i v_i' less the blocks
/// beta (V/M) s_m e_i psi''(u_im) x_i x_i', v_i = (s_m psi'(u_im) x_i)_m.
fn of_joint<T: Real>(
    joint: &Joint<'_, T>,
    w: &[T],
    lower: &mut [[T; 1]],
    row: &mut [T],
    jets: &mut [T],
) {
    let inputs = joint.data.inputs;
    let (d, factor) = (joint.data.d(), joint.outer / T::of_usize(joint.neurons));
    for (i, y) in joint.data.y().iter().enumerate() {
        let Some(x) = row.get_mut(..d) else { return };
        inputs.copy_row(i, x);
        let f = fill_jets(joint.activation, joint.signs, x, w, jets);
        let residual = *y - factor * f;
        for (m, jet) in pieces(jets, 3).enumerate() {
            let curve = jet.last().copied().unwrap_or(T::ZERO);
            let weight = -(joint.beta * factor * residual * curve);
            let Some(x) = row.get(..d) else { return };
            rank_one(lower, m.saturating_mul(d), x, weight);
        }
        for (jet, v) in pieces(jets, 3).zip(pieces_mut(row, d)) {
            let slope = jet.get(1).copied().unwrap_or(T::ZERO);
            for (j, v) in v.iter_mut().enumerate() {
                *v = slope * inputs.at(i, j);
            }
        }
        rank_one(lower, 0, row, joint.beta * factor * factor);
    }
}

/// s_m psi, s_m psi' and s_m psi'' at every x.w_m; returns the sum of the first.
fn fill_jets<T: Real>(activation: Activation, signs: Signs, x: &[T], w: &[T], jets: &mut [T]) -> T {
    let mut sum = T::ZERO;
    for (m, (jet, w)) in pieces_mut(jets, 3).zip(pieces(w, x.len())).enumerate() {
        let sign: T = signs.sign(m);
        let all = activation.jet(dot(x, w));
        jet.iter_mut().zip(all).for_each(|(j, a)| *j = sign * a);
        sum += jet.first().copied().unwrap_or(T::ZERO);
    }
    sum
}

/// The block of `lower` that starts at row and column `first` gets weight v v'.
fn rank_one<T: Real>(lower: &mut [[T; 1]], first: usize, v: &[T], weight: T) {
    let skipped = lower_len(first).unwrap_or(usize::MAX);
    let Some(mut rest) = lower.get_mut(skipped..) else { return };
    for (i, vi) in v.iter().enumerate() {
        let length = first.saturating_add(i).saturating_add(1);
        let Some((row, below)) = take(&mut rest).split_at_mut_checked(length) else { return };
        rest = below;
        let scaled = weight * *vi;
        for ([a], vj) in row.iter_mut().skip(first).zip(v) {
            *a += scaled * *vj;
        }
    }
}
