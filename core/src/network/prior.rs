//! The prior of a network's parameters: groups of them that share a scale.
//!
//! Parameter k of group g is unit_g s_g z_k with z_k ~ N(0, 1), and s_g is a known number or half-Cauchy:
//! s_g = median_g e^l, where the coordinate l has the density 2 / (pi (e^l + e^-l)).

use super::architecture::Architecture;
use crate::plain::{codes, plain};
use crate::scalar::Real;

codes! {
    /// Which scales the prior has, and which of them are sampled.
    pub enum Scales: Scales {
        /// One for each input (automatic relevance determination, Neal 1996), one for each layer above, one
        /// for the biases of each, one for the outputs and one for the direct part: half-Cauchy.
        Inputs = 0 "inputs",
        /// The same with one for all inputs.
        Layers = 1 "layers",
        /// One a layer, known: the medians are standard deviations.
        Known = 2 "known",
    }
}

plain! {
    /// The scales' medians, or the scales themselves where they are known. A median of 0 keeps its
    /// parameters at 0.
    pub struct WeightPrior<T> {
        /// Which scales there are.
        pub scales: Scales,
        /// Of the first layer's weights.
        pub input: T,
        /// Of every layer's biases.
        pub bias: T,
        /// Of the weights between hidden layers, times 1/sqrt(units below).
        pub hidden: T,
        /// Of the output's weights, times 1/sqrt(units below).
        pub outer: T,
        /// Of the direct part.
        pub linear: T,
        /// The sd of the outputs' intercepts, always known.
        pub intercept: T,
    }
}

/// Parameters that share a scale: `count` of them, every `stride`-th from `first` on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Group<T> {
    /// The first parameter.
    pub first: usize,
    /// From one to the next.
    pub stride: usize,
    /// How many there are.
    pub count: usize,
    /// The known scale, or the median of the sampled one, with its unit.
    pub scale: T,
    /// Which of the sampled scales it is, from 0.
    pub sampled: Option<usize>,
}

impl<T> Group<T> {
    /// Its members in a flat list.
    #[inline(always)]
    pub(crate) fn members<'a, E>(&self, flat: &'a [E]) -> impl Iterator<Item = &'a E> {
        flat.get(self.first..).unwrap_or(&[]).iter().step_by(self.stride.max(1)).take(self.count)
    }

    /// The same, to write to.
    #[inline(always)]
    pub(crate) fn members_mut<'a, E>(&self, flat: &'a mut [E]) -> impl Iterator<Item = &'a mut E> {
        let own = flat.get_mut(self.first..).unwrap_or(&mut []);
        own.iter_mut().step_by(self.stride.max(1)).take(self.count)
    }
}

impl<T: Real> WeightPrior<T> {
    /// Groups of the first layer's weights, and of no hidden layer none.
    fn first_groups(&self, architecture: &Architecture) -> usize {
        match (architecture.depth(), self.scales) {
            (0, _) => 0,
            (_, Scales::Inputs) => architecture.inputs,
            _ => 1,
        }
    }

    /// The groups in their order: those of the first layer's weights (input by input), its biases, then of
    /// every further layer the weights and the biases, the outputs' weights, the direct part, and the
    /// intercepts.
    pub fn groups<'a>(&'a self, architecture: &'a Architecture) -> Groups<'a, T> {
        Groups { prior: self, architecture, at: 0, sampled: 0 }
    }

    /// Group `at` of those that any network may have: its first parameter, stride, count, scale, and whether that may
    /// be sampled. `None` past the last; the count is 0 of one that this network has not.
    fn group(&self, a: &Architecture, at: usize) -> Option<(usize, usize, usize, T, bool)> {
        let learnt = self.scales != Scales::Known;
        let ones = self.first_groups(a);
        let Some(above) = at.checked_sub(ones) else {
            let layer = a.layer(0)?;
            return Some(if self.scales == Scales::Inputs {
                (at, layer.inputs, layer.units, self.input, learnt)
            } else {
                (at, 1, layer.units.saturating_mul(layer.inputs), self.input, learnt)
            });
        };
        // The biases of the first layer; the weights and the biases of the second; ...
        let Some(head) = above.checked_sub(a.depth().saturating_mul(2).saturating_sub(1)) else {
            let layer = a.layer(above.div_ceil(2))?;
            return Some(if above & 1 == 0 {
                (layer.biases_at, 1, layer.units, self.bias, learnt)
            } else {
                let unit = self.hidden / T::of_usize(layer.inputs.max(1)).sqrt();
                let all = layer.units.saturating_mul(layer.inputs);
                (layer.weights_at, 1, all, unit, learnt)
            });
        };
        match head {
            0 => {
                let last = a.last();
                let unit = self.outer / T::of_usize(last.max(1)).sqrt();
                Some((a.outer_at(), 1, a.outputs.saturating_mul(last), unit, learnt))
            }
            1 => {
                let count = a.dim().saturating_sub(a.linear_at());
                Some((a.linear_at(), 1, count, self.linear, learnt))
            }
            2 => Some((a.intercepts_at(), 1, a.outputs, self.intercept, false)),
            _ => None,
        }
    }

    /// Whether every scale is finite and not negative.
    pub fn valid(&self) -> bool {
        let Self { scales: _, input, bias, hidden, outer, linear, intercept } = *self;
        let all = [input, bias, hidden, outer, linear, intercept];
        all.into_iter().all(|x| x >= T::ZERO && x.is_finite())
    }

    /// How many scales are sampled. At a stroke, however many inputs there are: size queries may be of any.
    pub fn sampled(&self, architecture: &Architecture) -> usize {
        let ones = self.first_groups(architecture);
        let alike = self.group(architecture, 0).filter(|_| ones > 0);
        let own = alike
            .is_some_and(|(_, _, count, scale, learnt)| count > 0 && learnt && scale > T::ZERO);
        let rest = Groups { at: ones, ..self.groups(architecture) };
        let above = rest.filter(|group| group.sampled.is_some()).count();
        above.saturating_add(if own { ones } else { 0 })
    }
}

/// See [`WeightPrior::groups`].
#[derive(Clone, Copy, Debug)]
pub struct Groups<'a, T> {
    prior: &'a WeightPrior<T>,
    architecture: &'a Architecture,
    /// Of those that any network may have.
    at: usize,
    sampled: usize,
}

impl<T: Real> Iterator for Groups<'_, T> {
    type Item = Group<T>;

    // Compiled once: much code, and little work beside that on the members.
    #[inline(never)]
    fn next(&mut self) -> Option<Group<T>> {
        loop {
            let (first, stride, count, scale, learnt) =
                self.prior.group(self.architecture, self.at)?;
            self.at = self.at.saturating_add(1);
            if count == 0 {
                continue;
            }
            let own = (learnt && scale > T::ZERO).then_some(self.sampled);
            self.sampled = self.sampled.saturating_add(own.is_some() as usize);
            return Some(Group { first, stride, count, scale, sampled: own });
        }
    }
}
