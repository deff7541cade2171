//! Chains that start from a pilot.

use super::block::START;
use super::layout::{Parts, STREAMS, Shape};
use super::{Reference, SamplerError};
use crate::cloud::Cloud;
use crate::error::refuse;
use crate::prior::map_on;
use crate::problem::Problem;
use crate::random::{Purpose, Stream};
use crate::reference::{Affine, affine_len};
use crate::simd::{Isa, Lanes, blocks, blocks_mut};

/// Fits the reference, draws a point of the pilot for each chain (one uniform of its stream of starts;
/// both chains of an antithetic pair start from one point), and puts the chain there; on the l1 ball, at
/// the point's image w.
pub(super) fn settle<T: Lanes<1>>(
    parts: &mut Parts<'_, T>,
    shape: &Shape<T>,
    problem: &Problem<'_, T>,
    pilot: &Cloud<'_, T>,
) -> Result<(), SamplerError> {
    let broken = SamplerError::NotASampler;
    let (prior, d) = (problem.prior(), shape.problem.d);
    let on_ball = shape.options.kernel().needs_ball();
    refuse(!parts.fit.is_empty() && !pilot.fit(parts.fit), broken)?;
    if shape.options.reference == Reference::Mixture {
        let split =
            affine_len(shape.problem.latent).and_then(|k| parts.fit.split_at_mut_checked(k));
        let (whole, clusters) = split.ok_or(broken)?;
        let map = Affine::new(whole, shape.problem.latent).ok_or(broken)?;
        let mut stream = Stream::new(shape.options.seed, u64::MAX, Purpose::Start);
        refuse(!pilot.fit_mixture(&map, &mut stream, clusters, parts.work), broken)?;
    }
    let map = Affine::new(parts.fit, shape.problem.latent);
    let lanes = shape.lanes().max(1);
    let (g, rest) = parts.work.split_at_mut_checked(pilot.dim()).ok_or(broken)?;
    let (z, rest) = rest.split_at_mut_checked(shape.problem.latent).ok_or(broken)?;
    let (words, _) = parts.streams.as_chunks_mut::<4>();
    for (chain, streams) in words.chunks_exact_mut(STREAMS).enumerate() {
        let words = streams.get_mut(START).ok_or(broken)?;
        let mut stream = Stream::from_words(*words);
        let at = stream.uniform::<T>() * T::of_usize(pilot.points());
        *words = stream.words();
        let point = at.floor().to_usize().min(pilot.points().saturating_sub(1));
        g.iter_mut().enumerate().for_each(|(j, g)| *g = pilot.at(point, j));
        if on_ball {
            let (g, z) = (blocks(g).ok_or(broken)?, blocks_mut(z).ok_or(broken)?);
            let scratch = blocks_mut(&mut *rest).ok_or(broken)?;
            map_on::<T, 1>(Isa::Portable, prior, d, g, z, scratch);
        } else {
            match map {
                Some(map) if !parts.fit.is_empty() => map.solve(g, z),
                _ => z.iter_mut().zip(&*g).for_each(|(z, g)| *z = *g),
            }
        }
        let block = (chain / lanes).wrapping_mul(shape.state());
        for (j, z) in z.iter().enumerate() {
            let at = block.wrapping_add(j).wrapping_mul(lanes).wrapping_add(chain % lanes);
            if let Some(x) = parts.states.get_mut(at) {
                *x = *z;
            }
        }
    }
    Ok(())
}
