//! The memory of a stream learner: its parts, in order, and the numbers that their sizes follow from.

use super::options::StreamOptions;
use crate::activation::Activation;
use crate::likelihood::NetworkShape;
use crate::linalg::lower_len;
use crate::scalar::Real;
use crate::workspace::{Carve, WorkspaceError};

/// Words of the head.
pub(super) const HEAD: usize = 16;
/// Options that are not integers, and what follows from them.
pub(super) const SETTINGS: usize = 8;
/// Rows learnt, and the coordinate that leaks next.
pub(super) const CURSOR: usize = 2;
/// a of the noise, the same at the start, and the share that leaks.
pub(super) const COMMON: usize = 3;

const MAGIC: u64 = 0x4C43_4353_5452_0001;

/// Everything that the sizes of the parts follow from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shape<T> {
    pub options: StreamOptions<T>,
    pub inputs: usize,
    pub neurons: usize,
    /// Those that learn.
    pub draws: usize,
    pub activation: Activation,
}

impl<T: Real> Shape<T> {
    pub(super) fn network(&self) -> NetworkShape {
        NetworkShape { inputs: self.inputs, neurons: self.neurons }
    }
    /// P: v, b0, c.
    pub(super) fn order(&self) -> usize {
        self.neurons.saturating_add(self.inputs).saturating_add(1)
    }
    /// w and b.
    pub(super) fn hidden(&self) -> usize {
        self.network().outer_at()
    }
    pub(super) fn lanes(&self) -> usize {
        self.options.lanes as usize
    }
    pub(super) fn blocks(&self) -> usize {
        self.draws.div_ceil(self.lanes().max(1))
    }
    /// The prior variance of coordinate j of the head, over that of the noise as it was fitted.
    pub(super) fn variance(&self, j: usize) -> T {
        let o = &self.options;
        let sd = match j.cmp(&self.neurons) {
            core::cmp::Ordering::Less => o.outer_sd,
            core::cmp::Ordering::Equal => o.intercept_sd,
            core::cmp::Ordering::Greater => o.linear_sd,
        };
        sd * sd
    }

    pub(super) fn write(&self, head: &mut [u64], bytes: usize) {
        let words = [
            MAGIC,
            (crate::checkpoint::STATE_VERSION as u64) << 32 | T::BITS as u64,
            bytes as u64,
            self.inputs as u64,
            self.neurons as u64,
            self.draws as u64,
            self.activation as i32 as u64,
            self.options.draws as u64,
            self.options.lanes as u64,
            self.options.weighted as u64,
        ];
        head.fill(0);
        head.iter_mut().zip(words).for_each(|(h, w)| *h = w);
    }

    pub(super) fn settings(&self) -> [T; SETTINGS] {
        let o = &self.options;
        [
            o.forgetting,
            o.noise_forgetting,
            o.noise_rows,
            o.outer_sd,
            o.intercept_sd,
            o.linear_sd,
            o.weight_forgetting,
            T::ZERO,
        ]
    }

    /// The shape that a head describes and the bytes of the object; `None` if it is none of this version
    /// and precision.
    pub(super) fn read(head: &[u64; HEAD], settings: &[T; SETTINGS]) -> Option<(Self, usize)> {
        let [magic, version, bytes, inputs, neurons, draws, activation, rest @ ..] = *head;
        let [most, lanes, weighted, ..] = rest;
        let expected = (crate::checkpoint::STATE_VERSION as u64) << 32 | T::BITS as u64;
        if magic != MAGIC || version != expected {
            return None;
        }
        let size = |x: u64| usize::try_from(x).ok();
        let count = |x: u64| u32::try_from(x).ok();
        let [
            forgetting,
            noise_forgetting,
            noise_rows,
            outer_sd,
            intercept_sd,
            linear_sd,
            rest @ ..,
        ] = *settings;
        let [weight_forgetting, _] = rest;
        let options = StreamOptions {
            forgetting,
            noise_forgetting,
            noise_rows,
            outer_sd,
            intercept_sd,
            linear_sd,
            weighted: weighted == 1,
            weight_forgetting,
            draws: count(most)?,
            lanes: count(lanes)?,
        };
        options.check().ok()?;
        let activation = Activation::from_code(i32::try_from(activation).ok()?)?;
        let (inputs, neurons, draws) = (size(inputs)?, size(neurons)?, size(draws)?);
        if inputs == 0 || neurons == 0 || draws == 0 || weighted > 1 {
            return None;
        }
        Some((Self { options, inputs, neurons, draws, activation }, size(bytes)?))
    }
}

/// The parts. Blocks of draws follow one another; in each, values are lane-major.
#[derive(Debug)]
pub(super) struct Parts<'a, T> {
    /// [`Shape`].
    pub head: &'a mut [u64],
    pub settings: &'a mut [T],
    pub cursor: &'a mut [u64],
    pub common: &'a mut [T],
    /// Means and sds of the inputs, mean and sd of the target.
    pub standards: &'a mut [T],
    /// w and b.
    pub hidden: &'a mut [T],
    /// (v, b0, c): now, and as it was fitted.
    pub mean: &'a mut [T],
    pub home: &'a mut [T],
    /// V of each draw ([`super::factor`]).
    pub factor: &'a mut [T],
    /// b of the noise: now, and at the start; the degrees of freedom.
    pub rate: &'a mut [T],
    pub rate_home: &'a mut [T],
    pub nu: &'a mut [T],
    /// The logarithms of the weights up to a constant, and the weights.
    pub log_weight: &'a mut [T],
    pub weight: &'a mut [T],
    /// The law of the last row, by [`super::head::Evaluate`].
    pub projected: &'a mut [T],
    pub centre: &'a mut [T],
    pub excess: &'a mut [T],
    pub location: &'a mut [T],
    pub scale: &'a mut [T],
    pub freedom: &'a mut [T],
    pub log_norm: &'a mut [T],
    /// Working memory.
    pub row: &'a mut [T],
    pub work: &'a mut [T],
    pub logs: &'a mut [T],
}

/// The head and the settings alone: what the rest follows from.
pub(super) fn carve_head<'a, T: Real, C: Carve<'a>>(
    c: &mut C,
) -> Result<(&'a mut [u64], &'a mut [T]), WorkspaceError> {
    Ok((c.take::<u64>(HEAD)?, c.take::<T>(SETTINGS)?))
}

/// All parts.
pub(super) fn carve<'a, T: Real, C: Carve<'a>>(
    c: &mut C,
    shape: &Shape<T>,
) -> Result<Parts<'a, T>, WorkspaceError> {
    let overflow = WorkspaceError::Overflow;
    let product = |a: usize, b: usize| a.checked_mul(b).ok_or(overflow);
    let order = shape.order();
    let all = product(shape.blocks(), shape.lanes())?;
    let (head, settings) = carve_head(c)?;
    let packed = lower_len(order).ok_or(overflow)?;
    let heads = product(all, order)?;
    Ok(Parts {
        head,
        settings,
        cursor: c.take(CURSOR)?,
        common: c.take(COMMON)?,
        standards: c.take(product(shape.inputs.checked_add(1).ok_or(overflow)?, 2)?)?,
        hidden: c.take(product(all, shape.hidden())?)?,
        mean: c.take(heads)?,
        home: c.take(heads)?,
        factor: c.take(product(all, packed)?)?,
        rate: c.take(all)?,
        rate_home: c.take(all)?,
        nu: c.take(all)?,
        log_weight: c.take(all)?,
        weight: c.take(all)?,
        projected: c.take(heads)?,
        centre: c.take(all)?,
        excess: c.take(all)?,
        location: c.take(all)?,
        scale: c.take(all)?,
        freedom: c.take(all)?,
        log_norm: c.take(all)?,
        row: c.take(shape.inputs)?,
        work: c.take(product(shape.lanes(), order)?)?,
        logs: c.take(all)?,
    })
}
