//! The object: its memory, predictions, and learning row by row.

use super::head::{Evaluate, Forget, Learn};
use super::layout::{COORDINATE, Parts, ROWS, Shape};
use super::{StreamError, StreamLearner, StreamOptions};
use crate::error::refuse;
use crate::linalg::lower_len;
use crate::object::{Object, compiled};
use crate::pieces::pieces_mut;
use crate::posterior::{Image, Standardiser};
use crate::predict::{self, Mixture, Prediction, log_normalisers};
use crate::simd::{Isa, Lanes, part};
use crate::special;
use crate::sum::Sum;

/// The furthest that inputs and targets may lie from their means, in sds of the training data.
const FURTHEST: f64 = 1e9;
/// What the noise as it was fitted counts for in the long run, of what it counts for at first.
const HOME: f64 = 1.0 / 3.0;
/// The least sd of the noise that a draw starts with, in sds of the target.
const LEAST_NOISE: f64 = 1e-6;

/// How a target fared under the prediction of its row.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StreamScore<T> {
    /// Log density of the predictive mixture at the target: larger is better.
    pub log_density: T,
    /// Probability integral transform: P(Y <= y). Uniform over rows if the predictions are calibrated.
    pub pit: T,
}

compiled! {
    StreamLearner: predict::Compiled;
    fn evaluate(mut self) -> Option<()> => evaluate_blocks;
    fn teach(mut self, y: Self) -> Option<()> => learn_blocks;
}

impl<T: Compiled> StreamLearner<'_, T> {
    /// The predictive law of a row in raw units, before its target is known: 2 M (d + 1) + 2 P^2 flops and
    /// M activations a draw. The law lies in the learner's memory.
    pub fn law(&mut self, row: &[T]) -> Result<Mixture<'_, T>, StreamError> {
        self.standardise(row)?;
        T::evaluate(self).ok_or(StreamError::NotALearner)?;
        self.mixture()
    }

    /// Mean, sd and the central interval of the given level at a row in raw units:
    /// [`law`](Self::law), and some tens of evaluations of Student-t tails a draw.
    pub fn predict(&mut self, row: &[T], level: T) -> Result<Prediction<T>, StreamError> {
        refuse(!(level > T::ZERO && level < T::ONE), StreamError::Level)?;
        Ok(self.law(row)?.prediction(level))
    }

    /// Learns from a row in raw units and says how its target fared under the prediction before:
    /// [`learn`](Self::learn), and the density and the tails of one mixture.
    pub fn observe(&mut self, row: &[T], y: T) -> Result<StreamScore<T>, StreamError> {
        let scaled = self.target(y)?;
        let law = self.law(row)?;
        let score = StreamScore { log_density: law.log_density(y), pit: law.cdf(y) };
        self.update(y, scaled)?;
        Ok(score)
    }

    /// Learns from a row in raw units: about 2 M (d + 1) + 6 P^2 flops, 2 P divisions and M activations a
    /// draw, P = M + d + 1. A row that is refused changes nothing.
    pub fn learn(&mut self, row: &[T], y: T) -> Result<(), StreamError> {
        let scaled = self.target(y)?;
        self.law(row)?;
        self.update(y, scaled)
    }

    fn update(&mut self, y: T, scaled: T) -> Result<(), StreamError> {
        if self.shape.options.weighted.on() {
            self.weigh(y)?;
        }
        T::teach(self, scaled).ok_or(StreamError::NotALearner)?;
        self.advance().ok_or(StreamError::NotALearner)
    }
}

impl<'a, T: predict::Compiled> StreamLearner<'a, T> {
    /// The bytes of memory for an image, to be aligned to [`ALIGN`](crate::workspace::ALIGN).
    pub fn size(options: &StreamOptions<T>, image: &Image<'_>) -> Result<usize, StreamError> {
        Self::shape_of(options, image)?.bytes()
    }

    fn shape_of(options: &StreamOptions<T>, image: &Image<'_>) -> Result<Shape<T>, StreamError> {
        options.check()?;
        let own = image.shape();
        let neurons = own.neurons().ok_or(StreamError::Network)?;
        Ok(Shape {
            options: *options,
            inputs: own.inputs(),
            neurons,
            draws: image.draws().min(options.draws as usize),
            activation: own.activation,
        })
    }

    /// A learner at its beginning, in the front of `memory`. The image is copied: nothing of it is needed
    /// afterwards. `isa` changes speed, never a number.
    pub fn init(
        memory: &'a mut [u8],
        options: &StreamOptions<T>,
        isa: Isa,
        image: &Image<'_>,
    ) -> Result<Self, StreamError> {
        let shape = Self::shape_of(options, image)?;
        let parts = shape.make(&mut *memory)?;
        let made = StreamLearner { parts, shape, isa }.fill(image);
        if made.is_err() {
            // What was refused half-way opens as nothing.
            memory.fill(0);
        }
        made?;
        Self::open(memory, isa)
    }

    /// Copies the image and sets every head, covariance and noise to its start.
    fn fill(&mut self, image: &Image<'_>) -> Result<(), StreamError> {
        let shape = self.shape;
        let broken = StreamError::Image;
        let p = &mut self.parts;
        let d = shape.inputs;
        for (k, to) in p.standards.iter_mut().enumerate() {
            *to = match k.checked_sub(d) {
                None => image.mean_x(k),
                Some(j) if j < d => image.sd_x(j),
                Some(j) if j == d => image.mean_y(),
                Some(_) => image.sd_y(),
            };
        }
        let units = Standardiser::load(p.standards, d).map_err(|_| broken)?;
        // Targets that this precision holds to an eighth of an sd and less say nothing.
        refuse(units.mean_y().abs() * T::EPSILON > T::lit(0.125) * units.sd_y(), broken)?;
        let o = &shape.options;
        let (order, hidden, lanes) = (shape.order(), shape.hidden(), shape.lanes());
        let noise_shape = o.noise_rows * T::HALF;
        let mut kept = T::ONE;
        for _ in 0..order {
            kept = kept * o.forgetting;
        }
        p.common
            .iter_mut()
            .zip([noise_shape, T::lit(HOME) * noise_shape, T::ONE - kept])
            .for_each(|(c, x)| *c = x);
        p.weight.fill(T::ONE);
        let packed = lower_len(order).ok_or(broken)?;
        let all = shape.blocks().saturating_mul(lanes);
        for k in 0..all {
            // Lanes past the last draw repeat it.
            let own = k.min(shape.draws.saturating_sub(1)) as u64;
            let source = own.saturating_mul(image.draws() as u64);
            let source = source.checked_div(shape.draws as u64).unwrap_or(0) as usize;
            let mut values = image.values::<T>(source);
            let network = hidden.saturating_add(order);
            refuse(!values.clone().take(network).all(|v| v.is_finite()), broken)?;
            let (b, lane) =
                (k.checked_div(lanes).ok_or(broken)?, k.checked_rem(lanes).ok_or(broken)?);
            let lists = [(&mut *p.hidden, 0, hidden), (&mut *p.mean, hidden, order)];
            for (list, first, length) in lists {
                let size = length.checked_mul(lanes).ok_or(broken)?;
                let block = pieces_mut(list, size).nth(b).ok_or(broken)?;
                for (cell, value) in pieces_mut(block, lanes).zip(values.clone().skip(first)) {
                    *cell.get_mut(lane).ok_or(broken)? = value;
                }
            }
            let nu = values.next_back().unwrap_or(T::NAN);
            let sigma = values.next_back().unwrap_or(T::NAN);
            refuse(!(nu >= T::HALF && sigma > T::ZERO && sigma.is_finite()), broken)?;
            let sigma = sigma.max(T::lit(LEAST_NOISE));
            let variance = sigma * sigma;
            let rate = noise_shape * variance;
            let start = variance.is_finite() && rate > T::ZERO && rate.is_finite();
            refuse(!start, broken)?;
            let home = T::lit(HOME) * rate;
            for (list, value) in [(&mut *p.rate, rate), (&mut *p.rate_home, home), (&mut *p.nu, nu)]
            {
                *list.get_mut(k).ok_or(broken)? = value;
            }
            let size = packed.checked_mul(lanes).ok_or(broken)?;
            let block = pieces_mut(p.factor, size).nth(b).ok_or(broken)?;
            let mut cells = pieces_mut(block, lanes);
            for j in 0..order {
                let cell = cells.nth(j).ok_or(broken)?;
                *cell.get_mut(lane).ok_or(broken)? = shape.variance(j) / variance;
            }
        }
        p.home.iter_mut().zip(p.mean.iter()).for_each(|(h, m)| *h = *m);
        self.tails();
        Ok(())
    }

    /// Standardises a row into the working memory.
    fn standardise(&mut self, row: &[T]) -> Result<(), StreamError> {
        let d = self.shape.inputs;
        refuse(row.len() != d, StreamError::Inputs)?;
        let units =
            Standardiser::load(self.parts.standards, d).map_err(|_| StreamError::NotALearner)?;
        let columns = units.means().iter().zip(units.sds());
        for (j, ((to, x), (mean, sd))) in
            self.parts.row.iter_mut().zip(row).zip(columns).enumerate()
        {
            let near = (*x - *mean).abs() <= T::lit(FURTHEST) * sd.abs();
            refuse(!near, StreamError::Input)?;
            *to = units.input(j, *x);
        }
        Ok(())
    }

    /// A target in standardised units.
    fn target(&self, y: T) -> Result<T, StreamError> {
        let units = Standardiser::load(self.parts.standards, self.shape.inputs)
            .map_err(|_| StreamError::NotALearner)?;
        let scaled = units.target(y);
        if scaled.abs() <= T::lit(FURTHEST) { Ok(scaled) } else { Err(StreamError::Target) }
    }

    /// The law that [`Evaluate`] left.
    fn mixture(&self) -> Result<Mixture<'_, T>, StreamError> {
        let p = &self.parts;
        let broken = StreamError::NotALearner;
        let location = p.location.get(..self.shape.draws).ok_or(broken)?;
        Mixture::new(self.isa, location, p.scale, p.freedom, p.log_norm)
            .and_then(
                |m| if self.shape.options.weighted.on() { m.weighted(p.weight) } else { Some(m) },
            )
            .ok_or(broken)
    }

    /// Degrees of freedom of every draw: 1 / (1/nu + 1/(2 a)).
    fn tails(&mut self) {
        let p = &mut self.parts;
        let shape = p.common.first().copied().unwrap_or(T::ONE);
        for (freedom, nu) in p.freedom.iter_mut().zip(p.nu.iter()) {
            let own = if *nu < T::INFINITY { T::ONE / *nu } else { T::ZERO };
            *freedom = (T::ONE / (own + T::HALF / shape)).max(T::HALF);
        }
        log_normalisers(p.freedom, p.log_norm);
    }

    /// Weighs the draws by their densities at y, in the order of the draws.
    fn weigh(&mut self, y: T) -> Result<(), StreamError> {
        let draws = self.shape.draws;
        let broken = StreamError::NotALearner;
        let mut own = core::mem::take(&mut self.parts.logs);
        let done = self.mixture().map(|m| {
            m.log_densities(y, own.get_mut(..draws).unwrap_or(&mut []));
        });
        core::mem::swap(&mut self.parts.logs, &mut own);
        done?;
        let kept = self.shape.options.weight_forgetting;
        let Parts { log_weight, weight, logs, .. } = &mut self.parts;
        let log_weight = log_weight.get_mut(..draws).ok_or(broken)?;
        let weight = weight.get_mut(..draws).ok_or(broken)?;
        let mut largest = -T::INFINITY;
        for (w, log) in log_weight.iter_mut().zip(logs.iter()) {
            // Far in the tails a density underflows: every draw is then as good as none.
            *w = kept * *w + log.max(T::lit(-1e9));
            largest = largest.max(*w);
        }
        let mut sum = Sum::ZERO;
        for (w, log) in weight.iter_mut().zip(log_weight.iter_mut()) {
            *log -= largest;
            let e = special::scalar::exp(*log);
            *w = e;
            sum.add(e);
        }
        let scale = T::of_usize(draws) / sum.value();
        weight.iter_mut().for_each(|w| *w = *w * scale);
        Ok(())
    }

    /// The noise's count, the coordinate that leaks next, and the rows.
    fn advance(&mut self) -> Option<()> {
        let (order, forgetting) = (self.shape.order() as u64, self.shape.options.noise_forgetting);
        self.set(ROWS, self.rows().saturating_add(1));
        let coordinate = self.word(COORDINATE).saturating_add(1);
        self.set(COORDINATE, if coordinate < order { coordinate } else { 0 });
        let [shape, home, ..] = self.parts.common.first_chunk_mut::<3>()?;
        let next = forgetting * (*shape + T::HALF) + (T::ONE - forgetting) * *home;
        if next != *shape {
            *shape = next;
            self.tails();
        }
        Some(())
    }

    /// The law of a standardised row, left in the parts.
    fn evaluate_blocks<const N: usize>(&mut self) -> Option<()>
    where
        T: Lanes<N>,
    {
        let (isa, shape) = (self.isa, self.shape);
        let (order, packed) = (shape.order(), lower_len(shape.order())?);
        let p = &mut self.parts;
        let units = p.standards.last_chunk::<2>()?;
        for b in 0..shape.blocks() {
            let op = Evaluate {
                activation: shape.activation,
                neurons: shape.neurons,
                x: p.row,
                units: (units[0], units[1]),
                hidden: part::<T, N>(p.hidden, b, shape.hidden())?,
                mean: part::<T, N>(p.mean, b, order)?,
                factor: part::<T, N>(p.factor, b, packed)?,
                shape: *p.common.first()?,
                rate: part::<T, N>(p.rate, b, 1)?.first()?,
                features: part::<T, N>(p.work, 0, order)?,
                projected: part::<T, N>(p.projected, b, order)?,
                centre: part::<T, N>(p.centre, b, 1)?.first_mut()?,
                excess: part::<T, N>(p.excess, b, 1)?.first_mut()?,
                location: part::<T, N>(p.location, b, 1)?.first_mut()?,
                scale: part::<T, N>(p.scale, b, 1)?.first_mut()?,
            };
            <T as Lanes<N>>::dispatch(isa, op);
        }
        Some(())
    }

    /// What the row of the last law teaches, given its standardised target.
    fn learn_blocks<const N: usize>(&mut self, y: T) -> Option<()>
    where
        T: Lanes<N>,
    {
        let (isa, shape) = (self.isa, self.shape);
        let (order, packed) = (shape.order(), lower_len(shape.order())?);
        let coordinate = usize::try_from(self.word(COORDINATE)).ok()?;
        let p = &mut self.parts;
        let [a, a_home, leak] = *p.common.first_chunk::<3>()?;
        let forget = Forget {
            growth: T::ONE / shape.options.forgetting,
            noise: shape.options.noise_forgetting,
            leak,
            coordinate,
            variance: shape.variance(coordinate),
        };
        for b in 0..shape.blocks() {
            let op = Learn {
                y,
                forget,
                mean: part::<T, N>(p.mean, b, order)?,
                home: part::<T, N>(p.home, b, order)?,
                factor: part::<T, N>(p.factor, b, packed)?,
                shape: a,
                rate: part::<T, N>(p.rate, b, 1)?.first_mut()?,
                shape_home: a_home,
                rate_home: part::<T, N>(p.rate_home, b, 1)?.first()?,
                nu: part::<T, N>(p.nu, b, 1)?.first()?,
                projected: part::<T, N>(p.projected, b, order)?,
                centre: part::<T, N>(p.centre, b, 1)?.first()?,
                excess: part::<T, N>(p.excess, b, 1)?.first()?,
                gain: part::<T, N>(p.work, 0, order)?,
            };
            <T as Lanes<N>>::dispatch(isa, op);
        }
        Some(())
    }
}
