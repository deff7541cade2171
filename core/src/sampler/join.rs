//! A sampler put together from parts that ran apart.

use super::layout::{STREAMS, SUMS, Shape};
use super::{Sampler, SamplerError};
use crate::object::join::{Chains, copy, covers};
use crate::object::record::{BLOCK, EVALUATIONS, ITERATION, UNIT};
use crate::simd::AnyLanes;
use core::borrow::Borrow;

fn chains<T>(shape: &Shape<T>) -> Chains {
    let o = &shape.options;
    Chains { first: o.first_chain, count: o.chains, lanes: o.lanes }
}

impl<T: AnyLanes> Sampler<'_, T> {
    /// Takes over the chains of parts and becomes, bit for bit in everything that it reports or goes on
    /// to draw, the sampler that would have run them all.
    ///
    /// Parts are samplers of the same problem and options, `chains`,
    /// [`first_chain`](super::SamplerOptions::first_chain) and `lanes` apart, in the order of their chains
    /// and without a gap. All stand at the end of the same iteration: at their end, or where steps of a
    /// budget of 1, which never go past one, have brought them. What this sampler held before does not
    /// matter, so a part may as well be made from a whole, to go on with its share of the chains. Parts
    /// are gone through twice; on an error nothing has changed. Copies, no flops.
    pub fn join<'p, P, E>(
        &mut self,
        parts: impl Iterator<Item = Result<P, E>> + Clone,
    ) -> Result<(), E>
    where
        T: 'p,
        P: Borrow<Sampler<'p, T>>,
        E: From<SamplerError>,
    {
        let own = self.shape.options;
        let whole = covers(chains(&self.shape), parts.clone(), |part| {
            let part: &Sampler<'p, T> = part.borrow();
            let mut shape = part.shape;
            let o = &mut shape.options;
            (o.chains, o.first_chain, o.lanes) = (own.chains, own.first_chain, own.lanes);
            (o.portable, o.struct_size) = (own.portable, own.struct_size);
            let same = shape == self.shape && *part.parts.fit == *self.parts.fit;
            let between = part.word(BLOCK) == 0 && part.word(UNIT) == 0;
            (same && between).then(|| (chains(&part.shape), part.word(ITERATION)))
        })?;
        if !whole {
            return Err(SamplerError::Parts.into());
        }
        for part in parts {
            self.take(part?.borrow());
        }
        Ok(())
    }

    fn take(&mut self, part: &Sampler<'_, T>) {
        let (here, there) = (chains(&self.shape), chains(&part.shape));
        let (to, from) = (&mut self.parts, &part.parts);
        let lanes = (here.lanes as usize, there.lanes as usize);
        let shape = &self.shape;
        let run = here.run(there);
        copy(to.streams, 1, from.streams, 1, STREAMS * 4, run.clone());
        for (to, from, fields) in [
            (&mut *to.steps, &*from.steps, shape.steps()),
            (to.states, from.states, shape.state()),
            (to.auxiliary, from.auxiliary, shape.auxiliary()),
            (to.sums, from.sums, SUMS.saturating_mul(shape.columns())),
        ] {
            copy(to, lanes.0, from, lanes.1, fields, run.clone());
        }
        // One row of the record has a value of each chain, without the surplus.
        let rows = (shape.options.stored as usize).saturating_mul(shape.columns());
        let counts = (here.count as usize, there.count as usize);
        copy(to.record, counts.0, from.record, counts.1, rows, here.shared(there));
        let [iteration, evaluations] = [ITERATION, EVALUATIONS].map(|k| part.word(k));
        self.set(ITERATION, iteration);
        self.set(BLOCK, 0);
        self.set(UNIT, 0);
        // Those of the first chain are counted.
        if here.first == there.first {
            self.set(EVALUATIONS, evaluations);
        }
    }
}
