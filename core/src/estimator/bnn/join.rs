//! A Bayesian network put together from parts that ran apart.

use super::layout::Shape;
use super::{BLOCK, Bnn, BnnError, DIVERGENT, PASSES, TICK};
use crate::error::refuse;
use crate::object::join::{Chains, copy, covers};
use crate::simd::AnyLanes;
use core::borrow::Borrow;

fn chains<T>(shape: &Shape<T>) -> Chains {
    let o = &shape.options;
    Chains { first: o.first_chain, count: shape.chains, lanes: o.lanes }
}

impl<T: AnyLanes> Bnn<'_, T> {
    /// Takes over the chains of parts and becomes, bit for bit in everything that it reports, the network
    /// that would have run them all. Which chains the model leaves out is only then decided, from all.
    ///
    /// Parts are networks of the same data and options, `chains`, `first_chain` and `lanes` apart, in the
    /// order of their chains and without a gap, each at its end. What this network held before does not
    /// matter. Parts are gone through twice; on an error nothing has changed. Copies, no flops.
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
        let whole = covers(chains(&own), parts.clone(), |part| {
            let part: &Bnn<'p, T> = part.borrow();
            let mut shape = part.shape;
            shape.chains = own.chains;
            let o = &mut shape.options;
            (o.chains, o.first_chain, o.lanes) =
                (own.options.chains, own.options.first_chain, own.options.lanes);
            (o.portable, o.struct_size) = (own.options.portable, own.options.struct_size);
            let done = part.word(BLOCK) >= part.shape.blocks() as u64;
            let units = *part.parts.standards == *self.parts.standards;
            (shape == own && units && done).then(|| (chains(&part.shape), 0))
        })?;
        refuse(!whole, BnnError::Parts)?;
        let (mut passes, mut divergent) = (0_u64, 0_u64);
        for part in parts {
            let part = part?;
            let part: &Bnn<'p, T> = part.borrow();
            passes = passes.saturating_add(part.word(PASSES));
            divergent = divergent.saturating_add(part.word(DIVERGENT));
            self.take(part);
        }
        self.set(TICK, 0);
        self.set(BLOCK, self.shape.blocks() as u64);
        self.set(PASSES, passes);
        self.set(DIVERGENT, divergent);
        Ok(())
    }

    fn take(&mut self, part: &Bnn<'_, T>) {
        let (here, there) = (chains(&self.shape), chains(&part.shape));
        let shared = here.shared(there);
        let kept = self.kept().saturating_mul(self.shape.draw_len());
        copy(self.parts.kept, 1, part.parts.kept, 1, kept, shared.clone());
        let columns = self.shape.columns();
        let row = |chains: Chains| columns.saturating_mul(chains.count as usize).max(1);
        let to = self.parts.trace.chunks_exact_mut(row(here));
        for (to, from) in to.zip(part.parts.trace.chunks_exact(row(there))) {
            copy(to, 1, from, 1, columns, shared.clone());
        }
    }
}
