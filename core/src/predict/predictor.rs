//! Any network's image, made ready to predict.

use super::classes::Classes;
use super::forward::{self, Compiled};
use super::law::Law;
use super::mixture::log_normalisers;
use super::network::PredictError;
use crate::data::Inputs;
use crate::error::refuse;
use crate::pieces::pieces_mut;
use crate::posterior::{Image, Shape, Tail};
use crate::scalar::Real;
use crate::simd::{Isa, WIDEST, usual_lanes};
use crate::special;

/// An image of any network made ready to predict: what of its laws does not depend on the row lies in a buffer of
/// the caller. Where it has one hidden layer and Student-t noise the numbers are, to the last bit, those of
/// [`Predictor`](super::Predictor), which is smaller.
#[derive(Clone, Copy, Debug)]
pub struct NetworkPredictor<'a, T> {
    pub(super) isa: Isa,
    pub(super) image: Image<'a>,
    pub(super) shape: Shape,
    /// Scales, nus and their constants; nus and constants; r of each draw; thresholds.
    pub(super) own: &'a [T],
}

/// Rows that go through the networks together, at most.
const ROWS: usize = WIDEST as usize;
/// Fewer go one by one: faster than a block that they do not fill.
const FEW: usize = if ROWS > 1 { 4 } else { 0 };

/// Numbers of scratch: a row's outputs and its law, its inputs and its hidden units.
#[derive(Clone, Copy)]
struct Needs {
    outputs: usize,
    law: usize,
    inputs: usize,
    work: usize,
}

impl Needs {
    fn of(shape: &Shape, draws: usize) -> Self {
        let outputs = draws.saturating_mul(shape.architecture.outputs);
        Self {
            outputs,
            law: law_len(shape, draws),
            inputs: shape.inputs(),
            work: forward::work_len(shape),
        }
    }

    /// Of so many rows, of which one at a time has a law.
    fn total(&self, rows: usize) -> usize {
        let each = self.outputs.saturating_add(self.inputs).saturating_add(self.work);
        each.saturating_mul(rows).saturating_add(self.law)
    }
}

/// The numbers that hold the law of a row.
fn law_len(shape: &Shape, draws: usize) -> usize {
    let each = match shape.output as i32 {
        0 | 1 => 1,
        2 | 9 => 2,
        11 => 3,
        3 => shape.components().saturating_mul(3),
        6 | 7 => 2,
        10 => 5,
        12 => 6,
        _ => return draws.saturating_add(2).saturating_mul(shape.classes()),
    };
    draws.saturating_mul(each)
}

impl<'a, T: Compiled> NetworkPredictor<'a, T> {
    /// The numbers that [`new`](Self::new) needs: at most 3 a component of the law or C - 1 a draw.
    pub fn buffer_len(image: &Image<'_>) -> usize {
        let shape = image.shape();
        let each = match shape.output as i32 {
            0 | 1 => 3,
            2 | 3 | 9..=12 => shape.components().saturating_mul(2),
            _ if shape.tail() == Tail::Size => 2,
            _ => shape.tail_len(),
        };
        image.draws().saturating_mul(each)
    }

    /// Reads what every draw says of the noise. The image may hold either precision.
    pub fn new(isa: Isa, image: Image<'a>, buffer: &'a mut [T]) -> Result<Self, PredictError> {
        let (shape, draws) = (image.shape(), image.draws());
        let own = buffer.get_mut(..Self::buffer_len(&image)).ok_or(PredictError::TooShort)?;
        let network = shape.architecture.dim();
        match shape.tail() {
            Tail::Noise => {
                let (scale, rest) =
                    own.split_at_mut_checked(draws).ok_or(PredictError::TooShort)?;
                let (nu, log_norm) =
                    rest.split_at_mut_checked(draws).ok_or(PredictError::TooShort)?;
                for (k, (scale, nu)) in scale.iter_mut().zip(nu.iter_mut()).enumerate() {
                    let mut values = image.part::<T>(k, network, 2);
                    *scale = image.sd_y::<T>() * values.next().unwrap_or(T::NAN);
                    *nu = values.next().unwrap_or(T::NAN);
                    if !(*scale > T::ZERO && scale.is_finite() && *nu > T::ZERO) {
                        return Err(PredictError::OutOfRange);
                    }
                }
                log_normalisers(nu, log_norm);
            }
            // Normal components.
            Tail::None => {
                let half = own.len() / 2;
                let (nu, log_norm) =
                    own.split_at_mut_checked(half).ok_or(PredictError::TooShort)?;
                nu.fill(T::INFINITY);
                log_normalisers(nu, log_norm);
            }
            Tail::Size => {
                let (size, rest) = own.split_at_mut_checked(draws).ok_or(PredictError::TooShort)?;
                for (k, (size, rest)) in size.iter_mut().zip(rest).enumerate() {
                    *size = image.part::<T>(k, network, 1).next().unwrap_or(T::NAN);
                    if !(*size > T::ZERO && size.is_finite()) {
                        return Err(PredictError::OutOfRange);
                    }
                    *rest = special::scalar::binet(*size);
                }
            }
            Tail::Thresholds => {
                let each = shape.tail_len();
                let values = (0..draws).flat_map(|k| image.part::<T>(k, network, each));
                own.iter_mut().zip(values).for_each(|(o, v)| *o = v);
                if !own.iter().all(|v| v.is_finite()) {
                    return Err(PredictError::OutOfRange);
                }
            }
        }
        Ok(Self { isa, image, shape, own })
    }

    /// The image.
    pub fn image(&self) -> Image<'a> {
        self.image
    }

    /// Its shape.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The numbers of scratch that one row needs.
    pub fn row_scratch(&self) -> usize {
        Needs::of(&self.shape, self.image.draws()).total(1)
    }

    /// The numbers of scratch that walking over many rows needs.
    pub fn rows_scratch(&self) -> usize {
        Self::rows_scratch_len(&self.image)
    }

    /// [`rows_scratch`](Self::rows_scratch) of an image, before there is a predictor.
    pub fn rows_scratch_len(image: &Image<'_>) -> usize {
        Needs::of(&image.shape(), image.draws()).total(ROWS)
    }

    /// The law of y at one row in raw units, the exposure its last column where there is one. `scratch`:
    /// [`row_scratch`](Self::row_scratch) numbers, which hold the law. About 2 flops a weight and draw, and an
    /// activation a unit.
    pub fn law<'b>(&self, row: &[T], scratch: &'b mut [T]) -> Result<Law<'b, T>, PredictError>
    where
        'a: 'b,
    {
        if row.len() != self.shape.inputs() {
            return Err(PredictError::Inputs);
        }
        if !row.iter().all(|x| x.is_finite()) {
            return Err(PredictError::NotFinite);
        }
        let short = PredictError::TooShort;
        let needs = Needs::of(&self.shape, self.image.draws());
        let (out, rest) = scratch.split_at_mut_checked(needs.outputs).ok_or(short)?;
        let (law, rest) = rest.split_at_mut_checked(needs.law).ok_or(short)?;
        let (x, work) = rest.split_at_mut_checked(needs.inputs).ok_or(short)?;
        let work = work.get_mut(..needs.work).ok_or(short)?;
        x.iter_mut().zip(row).for_each(|(x, v)| *x = *v);
        T::evaluate_at(self, 1, x, work, out);
        self.read(self.outputs(out, (1, 0)), self.exposure(row.last().copied())?, law)
    }

    /// All draws' outputs at one lane of blocks.
    fn outputs<'b>(&self, all: &'b [T], (lanes, lane): (usize, usize)) -> Outputs<'b, T> {
        Outputs { all, each: self.shape.architecture.outputs, lanes, lane }
    }

    /// The exposure that the last column is; 1 without one.
    fn exposure(&self, last: Option<T>) -> Result<T, PredictError> {
        if !self.shape.exposure {
            return Ok(T::ONE);
        }
        last.filter(|e| *e > T::ZERO && e.is_finite()).ok_or(PredictError::Exposure)
    }

    /// Calls `use_it(row, law)` for every row in turn, a few rows at a time through the networks. `scratch`:
    /// [`rows_scratch`](Self::rows_scratch) numbers.
    pub fn for_each_row(
        &self,
        inputs: &Inputs<'_, T>,
        scratch: &mut [T],
        mut use_it: impl FnMut(usize, Law<'_, T>),
    ) -> Result<(), PredictError> {
        self.walk(inputs, scratch, &mut |row, o, exposure, room| {
            use_it(row, self.read(o, exposure?, room)?);
            Ok(())
        })
    }

    /// [`for_each_row`](Self::for_each_row) of an output that is a class, which links no other law;
    /// [`PredictError::Network`] of others.
    pub fn for_each_class(
        &self,
        inputs: &Inputs<'_, T>,
        scratch: &mut [T],
        mut use_it: impl FnMut(usize, Classes<'_, T>),
    ) -> Result<(), PredictError> {
        if !self.shape.is_class() {
            return Err(PredictError::Network);
        }
        self.walk(inputs, scratch, &mut |row, o, _, room| {
            let law = self.classed(o, room).ok_or(PredictError::TooShort)?;
            refuse(!law.within_reach(), PredictError::Reach)?;
            use_it(row, law);
            Ok(())
        })
    }

    /// Calls `each` with every row, its outputs, its exposure and room for a law.
    fn walk(
        &self,
        inputs: &Inputs<'_, T>,
        scratch: &mut [T],
        each: &mut dyn FnMut(
            usize,
            Outputs<'_, T>,
            Result<T, PredictError>,
            &mut [T],
        ) -> Result<(), PredictError>,
    ) -> Result<(), PredictError> {
        let d = self.shape.inputs();
        if inputs.d() != d {
            return Err(PredictError::Inputs);
        }
        let usual = usual_lanes() as usize;
        let short = PredictError::TooShort;
        let needs = Needs::of(&self.shape, self.image.draws());
        let (out, rest) =
            scratch.split_at_mut_checked(needs.outputs.saturating_mul(usual)).ok_or(short)?;
        let (law, rest) = rest.split_at_mut_checked(needs.law).ok_or(short)?;
        let (x, rest) =
            rest.split_at_mut_checked(needs.inputs.saturating_mul(usual)).ok_or(short)?;
        let work = rest.get_mut(..needs.work.saturating_mul(usual)).ok_or(short)?;
        let exposure = |row| self.exposure(Some(inputs.at(row, d.saturating_sub(1))));
        let mut first = 0_usize;
        while first < inputs.n() {
            let left = inputs.n().saturating_sub(first);
            let lanes = if left < FEW { 1 } else { usual };
            for (j, x) in pieces_mut(x, lanes).enumerate().take(d) {
                for (lane, x) in x.iter_mut().enumerate() {
                    // Past the last row: zeros, never used.
                    let row = first.saturating_add(lane);
                    *x = if row < inputs.n() { inputs.at(row, j) } else { T::ZERO };
                }
            }
            T::evaluate_at(self, lanes, x, work, out);
            for lane in 0..lanes.min(left) {
                let row = first.saturating_add(lane);
                each(row, self.outputs(out, (lanes, lane)), exposure(row), law)?;
            }
            first = first.saturating_add(lanes);
        }
        Ok(())
    }
}

/// Output k of a draw at one lane of blocks of `lanes`.
#[derive(Clone, Copy)]
pub(super) struct Outputs<'a, T> {
    pub(super) all: &'a [T],
    pub(super) each: usize,
    pub(super) lanes: usize,
    pub(super) lane: usize,
}

impl<T: Real> Outputs<'_, T> {
    /// NaN where there is none.
    pub(super) fn at(&self, draw: usize, k: usize) -> T {
        let block = draw.saturating_mul(self.each).saturating_add(k);
        let at = block.saturating_mul(self.lanes).saturating_add(self.lane);
        self.all.get(at).copied().unwrap_or(T::NAN)
    }
}
