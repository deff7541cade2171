//! A regressor put together from parts that ran apart.

use super::layout::{SCALARS, STREAMS, Shape};
use super::{BLOCK, NetworkRegressor, RegressorError, TICK};
use crate::error::refuse;
use crate::object::join::{Chains, copy, covers};
use crate::simd::AnyLanes;
use core::borrow::Borrow;

fn chains<T>(shape: &Shape<T>) -> Chains {
    let o = &shape.options;
    Chains { first: o.first_chain, count: o.chains, lanes: o.lanes }
}

impl<T: AnyLanes> NetworkRegressor<'_, T> {
    /// Takes over the chains of parts and becomes, bit for bit in everything that it reports or goes on
    /// to draw, the regressor that would have run them all. Chains share nothing while they run: which of
    /// them the model leaves out is only then decided, from all.
    ///
    /// Parts are regressors of the same data and options, `chains`,
    /// [`first_chain`](crate::estimator::NetworkOptions::first_chain) and `lanes` apart, in the order of their chains
    /// and without a gap. All stand at the end of the same unit of all chains (a search step or an
    /// iteration): at their end, or where steps of a budget of 1, which never go past one, have brought
    /// them. What this regressor held before does not matter, so a part may as well be made from a
    /// whole. Parts are gone through twice; on an error nothing has changed. Copies, no flops.
    pub fn join<'p, P, E>(
        &mut self,
        parts: impl Iterator<Item = Result<P, E>> + Clone,
    ) -> Result<(), E>
    where
        T: 'p,
        P: Borrow<NetworkRegressor<'p, T>>,
        E: From<RegressorError>,
    {
        let own = self.shape.options;
        let whole = covers(chains(&self.shape), parts.clone(), |part| {
            let part: &NetworkRegressor<'p, T> = part.borrow();
            let mut shape = part.shape;
            let o = &mut shape.options;
            (o.chains, o.first_chain, o.lanes) = (own.chains, own.first_chain, own.lanes);
            (o.portable, o.struct_size) = (own.portable, own.struct_size);
            let units = *part.parts.standards == *self.parts.standards;
            let same = shape == self.shape && units && part.word(BLOCK) == 0;
            same.then(|| (chains(&part.shape), part.word(TICK)))
        })?;
        refuse(!whole, RegressorError::Parts)?;
        for part in parts {
            self.take(part?.borrow());
        }
        Ok(())
    }

    fn take(&mut self, part: &NetworkRegressor<'_, T>) {
        let (here, there) = (chains(&self.shape), chains(&part.shape));
        let (to, from) = (&mut self.parts, &part.parts);
        let lanes = (here.lanes as usize, there.lanes as usize);
        let shape = &self.shape;
        let (p, mass) = (shape.coordinates(), shape.mass().unwrap_or(0));
        let run = here.run(there);
        copy(to.streams, 1, from.streams, 1, STREAMS * 4, run.clone());
        for (to, from, fields) in [
            (&mut *to.scalars, &*from.scalars, SCALARS),
            (to.theta, from.theta, p),
            (to.best, from.best, p),
            (to.weights, from.weights, shape.n),
            (to.average, from.average, mass),
            (to.factor, from.factor, mass),
        ] {
            copy(to, lanes.0, from, lanes.1, fields, run.clone());
        }
        // What is recorded is without the surplus lanes.
        let shared = here.shared(there);
        let kept = (shape.options.keep as usize).saturating_mul(shape.draw_len());
        copy(to.kept, 1, from.kept, 1, kept, shared.clone());
        let columns = shape.columns();
        let row = |chains: Chains| columns.saturating_mul(chains.count as usize).max(1);
        let draws = to.trace.chunks_exact_mut(row(here)).zip(from.trace.chunks_exact(row(there)));
        for (to, from) in draws {
            copy(to, 1, from, 1, columns, shared.clone());
        }
        to.cursor.iter_mut().zip(&*from.cursor).for_each(|(to, from)| *to = *from);
    }
}
