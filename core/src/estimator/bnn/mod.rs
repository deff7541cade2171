//! The posterior of a network of any depth and any output, by many short chains.
//!
//! One block of chains after the other in the same memory: a start by Adam, a short warm-up that renews a
//! diagonal mass matrix again and again, a few long trajectories that count, of which some draws are kept.
//! No chain moves between the modes of such a posterior in any budget, so a prediction's dependence on the
//! seed falls with the number of chains only: they are made as many, and each as short, as the work allows.
//!
//! Given the start, trajectories and conditional draws leave the exact posterior invariant. The start, the
//! length of the warm-up and the equal weights of the chains are heuristics: modes count by how often chains
//! fall into them. See [`Bnn::luck`] for what the number of chains leaves to chance. It does not tell what their
//! shortness costs: means from chains ten times as long are .02 to .3 predictive sd away, more than another seed moves
//! them, and predictions of the default are the wider (tests/results/distance.md).
//!
//! That is the first [method](BnnMethod). The others find modes, and Gaussians about them, in the same memory, steps
//! and model; each says in a line what law it aims at ([`BnnMethod::law`]).

mod beside;
mod controlled;
mod dropout;
mod evidence;
mod expectation;
mod join;
mod layout;
mod method;
mod mode;
mod options;
mod pilot;
mod report;
mod subsampled;
mod unit;
mod variational;

pub use crate::object::Progress as Status;
pub use method::{BnnMethod, Optimiser};
pub use options::{BnnOptions, BnnOptionsError};
pub use pilot::{BnnChoice, NO_FOLD};
pub use report::{BnnChanges, BnnMode, Luck};

use crate::data::{DataError, Dataset};
use crate::error::{errors, refuse};
use crate::network::{Family, Output};
use crate::object::{Object, compiled, object};
use crate::posterior::{
    StandardiseError, Standardiser, StoreError, bend, bend_beside, share_scale,
};
use crate::scalar::Real;
use crate::simd::{AnyLanes, Isa, Lanes, by_lanes};
use crate::special::scalar::{exp, ln};
use crate::sum::Sum;
use crate::workspace::WorkspaceError;
use layout::{CURSOR, Parts, Shape};

/// Words of the cursor.
const TICK: usize = 0;
const BLOCK: usize = 1;
const PASSES: usize = 2;
const _: () = assert!(PASSES < CURSOR);

errors! {
    /// Why a Bayesian network refused.
    pub enum BnnError {
        NotANetwork = "the memory holds no Bayesian network of this version and precision",
        OtherData = "the data are not those that the network was made for",
        Target = "a target is no value that the output can have (a count: whole, below 2^24 in single precision, 2^53 in double), or an exposure is not positive",
        NoDraws = "no draw has been kept yet",
        Parts = "the parts are not of this network, leave chains out, or are not at their end",
        Start = "a start ended where the density is not finite or, by rate, lower than it began: take a smaller rate",
        Diverged = "stochastic gradients ran away: take a smaller step size (rate, step), or a larger delay",
        Separable = "the likelihood has no maximum: a combination of the inputs separates classes or zeros from the rest, or counts spread no more than Poisson's (--output poisson)",
        Singular = "the curvature is not positive definite: data and prior leave a direction open (without a prior, fewer rows than weights), or the ascent ended before a mode",
    }
    from {
        Options(BnnOptionsError),
        Workspace(WorkspaceError),
        Standardise(StandardiseError),
        Store(StoreError),
    }
    also {
        Data(DataError),
    }
}

object! {
    /// Samples the posterior of a network. See [`BnnOptions`] and the module.
    ///
    /// [`size`](Self::size), [`init`](Self::init), then [`step`](Self::step) until
    /// [`Status::Done`], then [`write_model`](Self::write_model). The whole state lies in the caller's
    /// memory, without pointers: a copy of it, [`open`](Self::open)ed, goes on with the same bits.
    pub struct Bnn {
        shape: Shape<T>, options: BnnOptions<T>, error: BnnError
    }
}

compiled! {
    Bnn: AnyLanes;
    fn work(mut self, data: &Dataset<'_, Self>, budget: u64) -> Result<Status, BnnError>;
}

/// ln of the product over the rows of dy/dy', y' being what the network is given: by how much less a log density is in the
/// units of y. 0 of what is no real number.
fn log_units<T: Real>(family: &Family<T>, units: &Standardiser<'_, T>, data: &Dataset<'_, T>) -> T {
    let sd = ln(units.sd_y());
    if !family.is_real() {
        return T::ZERO;
    }
    if !family.output.is_log() {
        return data.total() * sd;
    }
    let rows = data.targets().filter(|(y, _)| *y > T::ZERO);
    Sum::of(rows.map(|(y, w)| w * (sd + family.seen(y, |log| log))))
}

impl<T: Compiled> Bnn<'_, T> {
    /// Works until `budget` row visits (rows times lanes, one for each pass of a block over the
    /// data) are used up or everything is done. The data are those of [`init`](Self::init). At least
    /// one unit of work (a step of the start or a trajectory of one block of chains) is done unless the
    /// budget is 0, so the overshoot is at most one trajectory: rows * lanes * (leapfrogs + 5).
    /// Any split of a budget gives the same bits.
    pub fn step(&mut self, data: &Dataset<'_, T>, budget: u64) -> Result<Status, BnnError> {
        let Shape { n, d, fingerprint, .. } = self.shape;
        refuse(!data.is(n, d, fingerprint), BnnError::OtherData)?;
        T::work(self, data, budget)
    }
}

impl<'a, T: AnyLanes> Bnn<'a, T> {
    /// The bytes of memory for n rows of d columns, to be aligned to [`crate::workspace::ALIGN`]. For P
    /// coordinates some 9 P + 8 units values a lane, and every kept draw.
    pub fn size(options: &BnnOptions<T>, n: usize, d: usize) -> Result<usize, BnnError> {
        Shape::new(options, n, d, (0, T::ONE))?.bytes()
    }

    /// A network at its beginning, in the front of `memory`. `isa` changes speed, never a number.
    pub fn init(
        memory: &'a mut [u8],
        options: &BnnOptions<T>,
        isa: Isa,
        data: &Dataset<'_, T>,
    ) -> Result<Self, BnnError> {
        let own = BnnOptions { start_steps: options.start_for(data), ..*options };
        let shape = Shape::new(&own, data.n(), data.d(), (data.fingerprint(), data.total()))?;
        let (family, inputs) = (options.family(), shape.architecture().inputs);
        refuse(!data.y().iter().all(|y| family.possible(*y)), BnnError::Target)?;
        let exposures = (0..data.n()).map(|i| data.inputs.at(i, inputs));
        let exposed = options.exposure.on();
        refuse(exposed && !exposures.into_iter().all(|e| e > T::ZERO), BnnError::Target)?;
        // Before anything is written. Logarithms are all one where what they are of is.
        let copied = (options.standardise > 0).then_some(data);
        let target = if family.is_real() { (data.y(), data.weights()) } else { (&[][..], &[][..]) };
        match family.output.is_log() {
            false => Standardiser::check(copied, target)?,
            true => {
                let mut some = data.targets().filter(|(y, w)| *y > T::ZERO && *w > T::ZERO);
                let first = some.next().map(|(y, _)| y);
                let constant = some.all(|(y, _)| Some(y) == first);
                refuse(constant && copied.is_some(), StandardiseError::ConstantTarget)?;
            }
        }
        let parts = shape.make(memory)?;
        let mut this = Self { parts, shape, isa };
        this.forget_point();
        this.standardise(data)?;
        Ok(this)
    }

    fn standardise(&mut self, data: &Dataset<'_, T>) -> Result<(), BnnError> {
        let (d, inputs) = (self.shape.d, self.shape.architecture().inputs);
        let o = &self.shape.options;
        let Parts { standards, x, y, .. } = &mut self.parts;
        let family = o.family();
        let copied = (o.standardise > 0).then_some(data);
        // Logarithms and their weights wait where the standardised rows will be.
        let logs = data.targets().filter(|(y, _)| family.output.is_log() && *y > T::ZERO);
        let to = y.iter_mut().zip(x.iter_mut()).zip(logs);
        let seen = |y| family.seen(y, |log| log);
        let logs = to.map(|((log, to), (y, w))| (*log, *to) = (seen(y), w)).count();
        let target = match family.output.is_log() {
            true if logs == 0 && copied.is_some() => {
                return Err(StandardiseError::ConstantTarget.into());
            }
            true => (y.get(..logs).unwrap_or(&[]), x.get(..logs).unwrap_or(&[])),
            false if family.is_real() => (data.y(), data.weights()),
            false => (&[][..], &[][..]),
        };
        Standardiser::store_some(d, copied, inputs, target, standards)?;
        if let (true, true, [.., mean, sd, _]) =
            (family.output.is_gamma(), copied.is_some(), &mut *standards)
        {
            // The shape is no power of y: other units of it, but not of its logarithm.
            let (logs, weights) = target;
            let centre = *mean;
            let at = |k: usize| weights.get(k).copied().unwrap_or(T::ONE);
            let whole = Sum::of((0..logs.len()).map(at));
            let each = logs.iter().enumerate();
            let mass = Sum::of(each.map(|(k, log)| at(k) * exp(*log - centre)));
            (*mean, *sd) = (centre + ln(mass / whole), T::ONE);
        }
        let sds = standards.get_mut(d..d.saturating_add(inputs)).filter(|_| copied.is_some());
        let own = sds.is_some_and(|sds| !share_scale(&data.inputs, sds));
        let bends = own && o.standardise > 1;
        let mut lost = self.in_units(data)?;
        if bends && self.bend(data) {
            lost = self.in_units(data)?;
        }
        self.parts.standards.last_mut().into_iter().for_each(|to| *to = lost);
        Ok(())
    }

    /// The rows in their units; what a log density loses by these.
    fn in_units(&mut self, data: &Dataset<'_, T>) -> Result<T, BnnError> {
        let (n, d, family) = (self.shape.n, self.shape.d, self.shape.options.family());
        let Parts { standards, x, y, .. } = &mut self.parts;
        let units = Standardiser::load(standards, d)?;
        units.copy(data, 0..n, d, x, y);
        if family.output.is_log() {
            let logs = data.y().iter().map(|y| family.seen(*y, |log| units.target(log)));
            y.iter_mut().zip(logs).for_each(|(to, log)| *to = log);
        }
        Ok(log_units(&family, &units, data))
    }

    /// Other units for inputs with long tails, of those that have a scale of their own; whether there are any. Rows are to be
    /// written again.
    fn bend(&mut self, data: &Dataset<'_, T>) -> bool {
        let (d, inputs) = (self.shape.d, self.shape.architecture().inputs);
        let family = self.shape.options.family();
        let classes = match family.output {
            Output::Softmax => family.categories as usize,
            _ => 0,
        };
        let Parts { standards, x, y, work, .. } = &mut self.parts;
        let (means, sds) = standards.split_at_mut_checked(d).unwrap_or_default();
        // There is room: each input has a weight.
        let (places, _) = work.split_at_mut_checked(inputs).unwrap_or_default();
        places.iter_mut().zip(&*means).for_each(|(to, mean)| *to = *mean);
        let mut any = false;
        for (j, (mean, sd)) in means.iter_mut().zip(sds).take(inputs).enumerate() {
            let all = [*mean, *sd];
            let Some(own) = bend(data, j, all, y, classes) else { continue };
            let bent = matches!(own, [_, width] if width < T::ZERO);
            [*mean, *sd] = match bent && family.is_real() {
                true => bend_beside(data, j, all, own, (places, y), x),
                false => own,
            };
            any = true;
        }
        any
    }

    fn work(&mut self, data: &Dataset<'_, T>, budget: u64) -> Result<Status, BnnError> {
        let o = self.shape.options;
        let per_row = self.shape.lanes() as u64;
        let mut spent = 0_u64;
        loop {
            if self.word(BLOCK) >= self.shape.blocks() as u64 {
                return Ok(Status::Done);
            }
            if spent >= budget {
                return Ok(Status::Running);
            }
            let fitted = if o.method.value().fits() || o.descends() { o.warmup } else { 0 };
            let batched = o.batch > 0 && self.word(TICK) < o.start_steps as u64 + fitted as u64;
            let rows = if batched { o.batch as u64 } else { self.shape.n as u64 };
            let alone = o.method.value().climbs() || o.method.value().walks();
            let passes = if options::MODES && alone {
                self.climb(data)?
            } else {
                by_lanes!(self.shape.lanes(), N => self.unit::<N>(data)?)
            };
            spent = spent.saturating_add(per_row.saturating_mul(rows).saturating_mul(passes));
        }
    }

    /// One unit of the block at work; the passes over the data that it made.
    fn unit<const N: usize>(&mut self, data: &Dataset<'_, T>) -> Result<u64, BnnError>
    where
        T: Lanes<N>,
    {
        let (tick, block) = (self.word(TICK), self.word(BLOCK));
        let Self { isa, shape, parts } = self;
        let passes = unit::run::<T, N>(*isa, shape, parts, data, tick, block as usize)
            .unwrap_or(Err(BnnError::NotANetwork))?;
        self.advance(passes, tick + 1);
        Ok(passes)
    }

    /// One unit of a chain that climbs, or that has minibatches of its own.
    fn climb(&mut self, data: &Dataset<'_, T>) -> Result<u64, BnnError> {
        let (tick, block) = (self.word(TICK), self.word(BLOCK));
        let Self { isa, shape, parts } = self;
        let (passes, next) = mode::run(*isa, shape, parts, data, tick, block as usize)
            .unwrap_or(Err(BnnError::NotANetwork))?;
        self.advance(passes, next);
        Ok(passes)
    }

    fn advance(&mut self, passes: u64, next: u64) {
        let block = self.word(BLOCK);
        let (tick, block) = if next < self.shape.units() { (next, block) } else { (0, block + 1) };
        self.set(TICK, tick);
        self.set(BLOCK, block);
        self.set(PASSES, self.word(PASSES).saturating_add(passes));
    }
}
