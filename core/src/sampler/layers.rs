//! Coupled Gibbs over several hidden layers: each layer through a conditional law that is log-concave where there
//! is a coupling.
//!
//! A sweep goes from the first layer to the last. Given all other layers a layer is the first of a network whose
//! inputs are the activations below it, and its weights W have
//!
//! log p(W | rest) = sum_rows log p0(row) - (beta/2) sum_i (y_i - f(W a_i))^2 + const.
//!
//! *The last layer*: \[B\]'s joint posterior of one layer with inputs a_i, so [`rho::joint`] makes log p(W | xi)
//! concave. *The one below it*: [`rho::below`]. Both are a coupling xi_ik = sqrt(rho_i) a_i.w_k + Z of every unit
//! k ([`crate::coupling`]), drawn given W; W is then moved by a transition that leaves p(W | xi, rest) invariant.
//! *Deeper layers* have no coupling here: the same transition leaves p(W | rest) itself invariant. So each sweep
//! leaves the posterior invariant, for any step sizes. Why the conditionals are concave: [`crate::docs::deep`].
//!
//! Each chain has activations, hence a coupling, of its own: one lane. A layer has a step size of its own.

use super::block::{AUXILIARY, Block, Law};
use super::layout::Shape;
use crate::coupling::rho::{self, JointScale, Range};
use crate::coupling::{Channel, Conditional, Coupling, Sides, Triangular, factor_len};
use crate::data::{Dataset, Inputs};
use crate::density::{Density, Extent};
use crate::kernel::hmc::{State, work_len};
use crate::lifted::Lifted;
use crate::network::{Deep, DeepPosterior, FirstLayer, Layer};
use crate::pieces::{cut, pieces_mut, total};
use crate::prior::{Prior, map_on};
use crate::problem::Target;
use crate::scalar::Real;
use crate::simd::Lanes;
use core::mem::{swap, take};

/// What a sweep works in: it means nothing between sweeps.
struct Room<'w, T> {
    /// The weights of all layers.
    weights: &'w mut [[T; 1]],
    /// The activations under a layer and above it, row by row.
    below: &'w mut [[T; 1]],
    above: &'w mut [[T; 1]],
    rho: &'w mut [[T; 1]],
    factor: &'w mut [[T; 1]],
    row: &'w mut [[T; 1]],
    xi: &'w mut [[T; 1]],
    work: &'w mut [[T; 1]],
}

/// Its sizes.
fn sizes<T: Real>(posterior: &DeepPosterior<'_, T>) -> Option<[usize; 8]> {
    let deep = posterior.likelihood();
    let (weights, n) = (deep.dim(), deep.data.n());
    let widest = deep.layers().fold(1, |most, (_, layer)| most.max(layer.units));
    let longest = deep.layers().fold(1, |most, (_, layer)| most.max(layer.inputs));
    let activations = n.checked_mul(widest)?;
    // No layer's density takes more than the whole, with its weights once more.
    let work = work_len(posterior.dim(), posterior.scratch().checked_add(weights)?)?;
    let (factor, rho) = (factor_len(longest, 2)?, n.checked_mul(2)?);
    Some([weights, activations, activations, rho, factor, longest, weights, work])
}

/// The numbers of scratch of a sweep; `None` if that overflows.
pub(super) fn scratch<T: Real>(posterior: &DeepPosterior<'_, T>) -> Option<usize> {
    total(sizes(posterior)?)
}

/// One unit of an iteration: every layer in turn by one transition, given the others. The chain's value and
/// gradient are those of the last layer's law afterwards.
pub(super) fn sweep<T: Lanes<1>>(block: &mut Block<'_, '_, T, 1>) -> Option<()> {
    let problem = block.shared.problem;
    let Target::Deep(posterior) = problem.likelihood() else { return None };
    // Lent to the layers, and put back.
    let work = take(&mut block.work);
    let done = over(block, posterior, work);
    block.work = work;
    done
}

fn over<T: Lanes<1>>(
    block: &mut Block<'_, '_, T, 1>,
    posterior: &DeepPosterior<'_, T>,
    work: &mut [[T; 1]],
) -> Option<()> {
    let (parts, _) = cut(work, sizes(posterior)?)?;
    let [weights, below, above, rho, factor, row, xi, work] = parts;
    let mut room = Room { weights, below, above, rho, factor, row, xi, work };
    let isa = block.shared.isa;
    posterior.to_weights(isa, block.state.position, room.weights, room.work).then_some(())?;
    let deep = *posterior.likelihood();
    let n = deep.data.n();
    let mut latent_at = 0_usize;
    for (l, (start, layer)) in deep.layers().enumerate() {
        let (below, above) = (take(&mut room.below), take(&mut room.above));
        let inputs = match l {
            0 => deep.data.inputs,
            _ => Inputs::row_major(below.as_flattened(), n, layer.inputs).ok()?,
        };
        let data = Dataset::new(inputs, deep.data.y()).ok()?;
        let mut left = deep.widths.into_iter().skip(l);
        let widths = deep.widths.map(|_| left.next().unwrap_or(0));
        let rest = Deep { data, widths, ..deep };
        let latent = posterior.prior().latent_dim(layer.inputs).checked_mul(layer.units)?;
        let own = Own { l, start, latent: latent_at..latent_at.checked_add(latent)?, layer };
        step(block, posterior.prior(), &own, rest, &mut room)?;
        let weights = room.weights.get(start..)?.as_flattened();
        for (i, above) in pieces_mut(above, layer.units).take(n).enumerate() {
            deep.activations(layer.inputs, weights, |j| inputs.at(i, j), above);
        }
        (room.below, room.above) = (below, above);
        swap(&mut room.below, &mut room.above);
        latent_at = own.latent.end;
    }
    Some(())
}

/// A layer, and where it is.
struct Own {
    l: usize,
    /// Where its weights begin.
    start: usize,
    /// Its coordinates.
    latent: core::ops::Range<usize>,
    layer: Layer,
}

/// Moves a layer, the first of `deep`, by its conditional.
fn step<T: Lanes<1>>(
    block: &mut Block<'_, '_, T, 1>,
    prior: Prior<T>,
    own: &Own,
    deep: Deep<'_, T>,
    room: &mut Room<'_, T>,
) -> Option<()> {
    let isa = block.shared.isa;
    let sides = block.shared.shape.options.coupling.value();
    let Room { weights, rho, factor, row, xi, work, .. } = room;
    let (d, units) = (own.layer.inputs, own.layer.units);
    let count = d.checked_mul(units)?;
    let (w, above) = weights.get_mut(own.start..)?.split_at_mut_checked(count)?;
    let first = FirstLayer::new(deep, above.as_flattened());
    match coupled(&deep, prior, sides, rho.as_flattened_mut())? {
        Some(rho) => {
            let coupling = Coupling::joint(deep.data.inputs, rho, units, deep.signs).ok()?;
            let (factor, row) = (factor.as_flattened_mut(), row.as_flattened_mut());
            let channel = Triangular::factorise(&coupling, factor, row).ok()?;
            let xi = xi.get_mut(..count)?;
            channel.draw(isa, block.streams.get_mut(AUXILIARY)?, w, xi).ok()?;
            let given = Conditional::new(&first, &channel, xi.as_flattened()).ok()?;
            transition(block, prior, own, &Lifted::new(&given, prior, d, units).ok()?, work)?;
        }
        None => transition(block, prior, own, &Lifted::new(&first, prior, d, units).ok()?, work)?,
    }
    let scratch = work.get_mut(..prior.scratch(d).checked_mul(units)?)?;
    map_on(isa, prior, d, block.state.position.get(own.latent.clone())?, w, scratch);
    Some(())
}

/// One transition of a layer's law, over the layer's coordinates and with its step size.
fn transition<T: Lanes<1>>(
    block: &mut Block<'_, '_, T, 1>,
    prior: Prior<T>,
    own: &Own,
    density: &dyn Density<T, 1>,
    work: &mut [[T; 1]],
) -> Option<()> {
    let shared = block.shared;
    let options = &shared.shape.options;
    let units = options.units();
    let before = block.iteration.saturating_mul(units).saturating_add(block.unit);
    let of = units.saturating_mul(u32::try_from(shared.shape.layers).ok()?);
    let mut shape: Shape<T> = *shared.shape;
    shape.problem.latent = density.dim();
    if options.adapts() && options.short_steps == T::ZERO {
        shape.options.short_steps = prior.short_share();
    }
    // Lent to the layer, and put back.
    let (position, gradient) = (take(&mut block.state.position), take(&mut block.state.gradient));
    let steps = take(&mut block.steps);
    let mut value = [T::ZERO];
    let part = (position.get_mut(own.latent.clone()), gradient.get_mut(own.latent.clone()));
    let done = match (part, steps.get_mut(own.l..)) {
        ((Some(position), Some(gradient)), Some(steps)) => {
            let state = State { position, gradient, value: &mut value };
            block.over(&shape, state, steps, work, &mut |part| {
                let law = Law::new(density, shared.problem.likelihood());
                part.evaluate(&law)?;
                part.transition(&law, before.saturating_add(1), of)
            })
        }
        _ => None,
    };
    (block.state.position, block.state.gradient) = (position, gradient);
    block.steps = steps;
    done
}

/// rho of the first layer of `deep`: n numbers, or 2 n, or none where it has no coupling. `None` where it cannot
/// be formed.
fn coupled<'r, T: Real>(
    deep: &Deep<'_, T>,
    prior: Prior<T>,
    sides: Sides,
    rho: &'r mut [T],
) -> Option<Option<&'r [T]>> {
    let Prior::L1Ball { radius } = prior else { return None };
    let Deep { data, activation, outer, beta, signs, .. } = *deep;
    let (architecture, inputs) = (deep.architecture(), data.inputs);
    let reach = |i: usize| {
        let largest = |most: T, j: usize| most.max(inputs.at(i, j).abs());
        prior.reach((0..inputs.d()).fold(T::ZERO, largest))
    };
    let scale = JointScale { beta, outer, neurons: architecture.last(), signs };
    let depth = architecture.depth();
    let classes = if depth == 1 { scale.classes(sides) } else { 1 };
    let own = rho.get_mut(..data.n().checked_mul(classes)?)?;
    match depth {
        1 => {
            let range = |i: usize| Range::of(activation, reach(i));
            rho::joint(sides, &scale, data.y(), range, own).ok()?;
        }
        2 => rho::below((beta, outer), activation, radius, data.y(), reach, own).ok()?,
        _ => return Some(None),
    }
    Some(Some(own))
}
