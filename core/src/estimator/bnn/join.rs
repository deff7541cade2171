//! A Bayesian network put together from parts that ran apart.

use super::layout::Shape;
use super::mode::MODE;
use super::{BLOCK, Bnn, BnnError, PASSES, TICK};
use crate::error::refuse;
use crate::object::join::{Chains, copy, span};
use crate::simd::AnyLanes;
use core::borrow::Borrow;
use core::ops::Range;

fn chains<T>(shape: &Shape<T>) -> Chains {
    let o = &shape.options;
    Chains { first: o.first_chain, count: shape.chains, lanes: o.lanes }
}

impl<T: AnyLanes> Bnn<'_, T> {
    /// Takes over the chains of parts and becomes, bit for bit in everything that it reports or goes on to draw, the
    /// network that has run them itself. Which chains the model leaves out is only then decided, from all.
    ///
    /// Parts are networks of the same data and options, `chains`, `first_chain` and `lanes` apart, in the
    /// order of their chains and without a gap, each at its end and none with chains beyond those of the whole. They
    /// begin with its first chain, and then what this network held before does not matter; or with the first that it
    /// has not finished. Where they end before its last chain they end with one of its blocks, and the network goes on
    /// from there, by itself or by more parts. Parts are gone through twice; on an error nothing has changed. Copies,
    /// no flops.
    pub fn join<'p, P, E>(
        &mut self,
        parts: impl Iterator<Item = Result<P, E>> + Clone,
    ) -> Result<(), E>
    where
        T: 'p,
        P: Borrow<Bnn<'p, T>>,
        E: From<BnnError>,
    {
        let own = self.shape;
        let here = chains(&own);
        let span = span(parts.clone(), |part| {
            let part: &Bnn<'p, T> = part.borrow();
            let mut shape = part.shape;
            shape.chains = own.chains;
            let o = &mut shape.options;
            (o.chains, o.first_chain, o.lanes) =
                (own.options.chains, own.options.first_chain, own.options.lanes);
            (o.portable, o.struct_size) = (own.options.portable, own.options.struct_size);
            let done = part.word(BLOCK) >= part.shape.blocks() as u64;
            let inside = chains(&part.shape).end() <= here.end();
            let units = *part.parts.standards == *self.parts.standards;
            (shape == own && units && done && inside).then(|| (chains(&part.shape), 0))
        })?;
        let Some(Range { start, end }) = span else { return Err(BnnError::Parts.into()) };
        let first = here.first as u64;
        let lanes = (here.lanes as u64).max(1);
        let stands = first.saturating_add(self.word(BLOCK).saturating_mul(lanes));
        let (come, rest) = (end.saturating_sub(first), end.saturating_sub(first) % lanes);
        let gap = start > first && start > stands;
        refuse(gap || come == 0 || (end < here.end() && rest > 0), BnnError::Parts)?;
        if start <= first {
            self.forget_point();
        }
        let block = come.div_ceil(lanes);
        // Blocks make as many as each other, in whatever lanes, but for chains that go one at a time, as far as they need.
        let method = own.options.method.value();
        let alike = !(method.climbs() || method.walks());
        let mut passes = if start <= first { 0 } else { self.word(PASSES) };
        for part in parts {
            let part = part?;
            let part: &Bnn<'p, T> = part.borrow();
            let made = part.word(PASSES);
            passes = match alike {
                true => {
                    made.checked_div(part.shape.blocks() as u64).unwrap_or(0).saturating_mul(block)
                }
                false => passes.saturating_add(made),
            };
            self.take(part);
        }
        self.set(TICK, 0);
        self.set(BLOCK, block);
        self.set(PASSES, passes);
        Ok(())
    }

    /// Before there is a point.
    pub(super) fn forget_point(&mut self) {
        self.parts.point.iter_mut().take(1).for_each(|value| *value = -T::INFINITY);
    }

    fn take(&mut self, part: &Bnn<'_, T>) {
        let (here, there) = (chains(&self.shape), chains(&part.shape));
        let shared = here.shared(there);
        let kept = self.kept().saturating_mul(self.shape.draw_len());
        copy(self.parts.kept, 1, part.parts.kept, 1, kept, shared.clone());
        let spreads = self.shape.options.method.value().spreads();
        let tangents = if spreads { kept } else { 0 };
        copy(self.parts.tangents, 1, part.parts.tangents, 1, tangents, shared.clone());
        copy(self.parts.modes, 1, part.parts.modes, 1, MODE, shared.clone());
        let laws = self.coordinates().saturating_mul(2);
        copy(self.parts.laws, 1, part.parts.laws, 1, laws, shared.clone());
        let columns = self.shape.columns();
        let row = |chains: Chains| columns.saturating_mul(chains.count as usize).max(1);
        let to = self.parts.trace.chunks_exact_mut(row(here));
        for (to, from) in to.zip(part.parts.trace.chunks_exact(row(there))) {
            copy(to, 1, from, 1, columns, shared.clone());
        }
        if part.point_value() > self.point_value() {
            self.parts.point.iter_mut().zip(&*part.parts.point).for_each(|(to, from)| *to = *from);
        }
    }
}
