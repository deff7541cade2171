//! Bayesian neural networks in ten lines: [lcc-core](lcc_core) for programs that have an allocator. [`fit`] learns from
//! rows, [`Model`] predicts. Everything else, with no allocation and in the caller's memory, is in lcc-core; the bytes of
//! a model are those of C, Python, Julia and the command line.
//!
//! ```
//! let x: Vec<f64> = (0..60).map(|i| i as f64 / 10.0).collect();
//! let y: Vec<f64> = x.iter().map(|x| x.sin()).collect();
//! let model = lcc_model::fit(&x, &y, &Default::default())?; // nothing to tune
//! for p in model.predict(&[1.5, 2.5], 0.9)? {
//!     println!("{:.2} in [{:.2}, {:.2}]", p.mean, p.lower, p.upper);
//! }
//! std::fs::write("sine.lcc", model.bytes())?;
//! # assert_eq!(lcc_model::Model::from_bytes(std::fs::read("sine.lcc")?)?.bytes(), model.bytes());
//! # std::fs::remove_file("sine.lcc")?;
//! # assert!((model.predict(&[1.5, 2.5], 0.9)?[0].mean - 1.5_f64.sin()).abs() < 0.05);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Of classes, the output being [`Output::Softmax`] with their number in `categories`, or [`Output::Bernoulli`]:
//!
//! ```
//! use lcc_model::{Method, Options, Output, fit};
//! # let x: Vec<f32> = (0..80).map(|i| i as f32 / 10.0).collect();
//! # let y: Vec<f32> = x.iter().map(|x| (x / 4.0).floor()).collect();
//! let options = Options::of(Method::Hmc, Output::Bernoulli, true);
//! let model = fit(&x, &y, &options)?; // y: 0 and 1; short fits calibrate the probabilities
//! let p = model.probabilities(&[0.5_f32, 7.5])?; // P(0) and P(1) of each row, one after the other
//! assert!(p[1] < 0.5 && p[3] > 0.5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Rows are slices, row after row, [`Inputs`] in any layout, or, with the feature `nalgebra`, its matrices, read where
//! they lie:
#![cfg_attr(feature = "nalgebra", doc = "```")]
#![cfg_attr(not(feature = "nalgebra"), doc = "```ignore")]
//! use lcc_model::{Options, fit_dataset};
//! use nalgebra::{DMatrix, DVector};
//! # use lcc_model::lcc_core::data::Dataset;
//!
//! let x = DMatrix::from_fn(60, 2, |i, j| ((i * (3 + j)) % 17) as f64); // 60 rows of two inputs
//! let y = DVector::from_fn(60, |i, _| x[(i, 0)] - 2.0 * x[(i, 1)]);
//! let model = fit_dataset(&Dataset::try_from((&x, &y))?, &Options::default())?;
//! let told = model.predict(&x, 0.9)?;
//! let means = DVector::from_iterator(60, told.iter().map(|p| p.mean));
//! assert!((means - y).norm() < 1.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

pub mod columns;
pub mod convert;
mod engine;
pub mod fault;
pub mod methods;
pub mod network;
pub mod paths;
pub mod posterior;
pub mod predict;
mod recipe;
pub mod report;
pub mod rows;
pub mod saved;
pub mod score;
pub mod selftest;
pub mod splits;
pub mod study;
pub mod table;
pub mod target;
pub mod text;
pub mod vae;
pub mod watch;

pub use lcc_core;
pub use lcc_core::estimator::bnn::BnnChoice as Choice;
pub use lcc_core::estimator::{BnnMethod as Method, BnnOptions as Options};
pub use lcc_core::network::Output;
pub use lcc_core::predict::{Law, Prediction, Thinned};
pub use recipe::{choose, fit_exactly, temperature};

use core::fmt;
use lcc_core::data::{DataError, Dataset, Inputs};
use lcc_core::estimator::BnnError;
use lcc_core::estimator::bnn::Compiled;
use lcc_core::posterior::{Image, ImageError};
use lcc_core::predict::{NetworkCompiled, NetworkPredictor, PredictError};

/// f32 or f64.
pub trait Real: Compiled + NetworkCompiled {}
impl<T: Compiled + NetworkCompiled> Real for T {}

/// Why a fit or a prediction was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// The numbers of x are no multiple of the rows.
    Shape,
    /// The rows or targets.
    Data(DataError),
    /// The network's options, or what they make of the data.
    Fit(BnnError),
    /// The bytes are no model.
    Image(ImageError),
    /// The rows to predict.
    Predict(PredictError),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shape => f.write_str("x does not hold as many numbers for each row"),
            Self::Data(e) => e.fmt(f),
            Self::Fit(e) => e.fmt(f),
            Self::Image(e) => e.fmt(f),
            Self::Predict(e) => e.fmt(f),
        }
    }
}

impl core::error::Error for Error {}

/// Learns from n rows of x, one after the other, and n targets y, all in their own units, as `lcc fit` does: short fits choose
/// the noise of numbers ([`choose`]), of which student-t is the default, and calibrate classes ([`temperature`]). The same
/// seed gives the same bytes on every machine. Work and memory are those of [`Bnn`](lcc_core::estimator::Bnn), a seventh more of numbers, and twice
/// the work of classes; [`fit_exactly`] does without.
pub fn fit<T: Real>(x: &[T], y: &[T], options: &Options<T>) -> Result<Model, Error> {
    let d = columns(x.len(), y.len())?;
    let inputs = Inputs::row_major(x, y.len(), d).map_err(Error::Data)?;
    fit_dataset(&Dataset::new(inputs, y).map_err(Error::Data)?, options)
}

/// [`fit`] of data in any layout, with [weights](Dataset::weighted) where they have some.
pub fn fit_dataset<T: Real>(data: &Dataset<'_, T>, options: &Options<T>) -> Result<Model, Error> {
    let open = options.method.value() == Method::Hmc && options.output.value() == Output::StudentT;
    let own = if open { choose(data, options)?.0 } else { *options };
    let model = fit_exactly(data, &own)?;
    match temperature(data, &own)? {
        Some(temperature) => model.tempered(temperature),
        None => Ok(model),
    }
}

/// Draws of a posterior, which predict.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    image: Vec<u8>,
    luck: Option<f64>,
}

impl Model {
    /// A model from its bytes, which are checked: a file of `lcc fit`, say.
    pub fn from_bytes(bytes: impl Into<Vec<u8>>) -> Result<Self, Error> {
        let mut image = bytes.into();
        let own = Image::open(&image).map_err(Error::Image)?.bytes().len();
        image.truncate(own);
        Ok(Self { image, luck: None })
    }

    /// Its bytes, which are the same on every machine.
    pub fn bytes(&self) -> &[u8] {
        &self.image
    }

    /// What it holds.
    pub fn image(&self) -> Result<Image<'_>, Error> {
        Image::open_unverified(&self.image).map_err(Error::Image)
    }

    /// The model with the probabilities of its classes at a temperature, which is positive.
    pub fn tempered(&self, temperature: f64) -> Result<Self, Error> {
        let mut image = vec![0; self.image.len()];
        let tempered = self.image()?.temper(temperature, &mut image);
        let length = tempered.map_err(|_| Error::Predict(PredictError::Network))?;
        image.truncate(length);
        Ok(Self { image, luck: self.luck })
    }

    /// The model of so many of its draws, which predicts in less time and memory, and what is lost. Those are chosen that
    /// together predict most nearly as all do at the rows of x; where x is empty, at rows drawn by the model's means and sds
    /// ([`thin`](NetworkPredictor::thin)).
    pub fn thinned<T: Real>(&self, draws: usize, x: &[T]) -> Result<(Self, Thinned<T>), Error> {
        let image = self.image()?;
        let rows = if x.is_empty() { None } else { Some(x.rows(image.inputs())?) };
        let (image, thinned) =
            predict::fewer(image, draws, rows.as_ref()).map_err(Error::Predict)?;
        Ok((Self { image, luck: None }, thinned))
    }

    /// By how much another seed would change a prediction, in predictive sds (root mean square over some rows that
    /// trained). `None` of a model from bytes, and where there are not two chains to tell.
    pub fn luck(&self) -> Option<f64> {
        self.luck
    }

    /// Of each row of x mean, sd and the central interval of probability `level`. Of classes: of the number of the class.
    pub fn predict<'x, T: Real>(
        &self,
        x: impl AtRows<'x, T>,
        level: T,
    ) -> Result<Vec<Prediction<T>>, Error> {
        if !(level > T::ZERO && level < T::ONE) {
            return Err(Error::Predict(PredictError::Level));
        }
        let mut out = Vec::new();
        self.laws(x, |_, law| out.push(law.prediction(level)))?;
        Ok(out)
    }

    /// The probabilities of the classes at each row of x, row after row.
    pub fn probabilities<'x, T: Real>(&self, x: impl AtRows<'x, T>) -> Result<Vec<T>, Error> {
        let mut out = Vec::new();
        self.with(x, |predictor, rows, scratch| {
            predictor.for_each_class(rows, scratch, |_, classes| {
                out.extend_from_slice(classes.probabilities());
            })
        })?;
        Ok(out)
    }

    /// Calls `use_it(row, law)` with the whole law of the target at each row of x: its densities, quantiles, scores, and
    /// how much of its spread more data would take away.
    pub fn laws<'x, T: Real>(
        &self,
        x: impl AtRows<'x, T>,
        mut use_it: impl FnMut(usize, Law<'_, T>),
    ) -> Result<(), Error> {
        // Compiled once, with that of tables.
        let each: &mut dyn FnMut(usize, Law<'_, T>) = &mut use_it;
        self.with(x, |predictor, rows, scratch| predictor.for_each_row(rows, scratch, each))
    }

    fn with<'x, T: Real>(
        &self,
        x: impl AtRows<'x, T>,
        call: impl FnOnce(
            &NetworkPredictor<'_, T>,
            &Inputs<'_, T>,
            &mut [T],
        ) -> Result<(), PredictError>,
    ) -> Result<(), Error> {
        let image = self.image()?;
        let rows = x.rows(image.inputs())?;
        let told = predict::with(image, |predictor, scratch| call(predictor, &rows, scratch));
        told.map_err(Error::Predict)
    }
}

/// Rows to predict at: numbers row after row, [`Inputs`] in any layout, or a matrix of nalgebra with that feature.
pub trait AtRows<'a, T> {
    /// Rows of d inputs.
    fn rows(self, d: usize) -> Result<Inputs<'a, T>, Error>;
}

impl<'a, T: Real> AtRows<'a, T> for &'a [T] {
    fn rows(self, d: usize) -> Result<Inputs<'a, T>, Error> {
        if !self.len().is_multiple_of(d) {
            return Err(Error::Shape);
        }
        Inputs::row_major(self, self.len() / d, d).map_err(Error::Data)
    }
}

impl<'a, T: Real> AtRows<'a, T> for &'a Vec<T> {
    fn rows(self, d: usize) -> Result<Inputs<'a, T>, Error> {
        self.as_slice().rows(d)
    }
}

impl<'a, T: Real, const N: usize> AtRows<'a, T> for &'a [T; N] {
    fn rows(self, d: usize) -> Result<Inputs<'a, T>, Error> {
        self.as_slice().rows(d)
    }
}

impl<'a, T: Real> AtRows<'a, T> for Inputs<'a, T> {
    fn rows(self, d: usize) -> Result<Inputs<'a, T>, Error> {
        if self.d() == d { Ok(self) } else { Err(Error::Shape) }
    }
}

#[cfg(feature = "nalgebra")]
impl<'a, T, R, C, S> AtRows<'a, T> for &'a nalgebra::Matrix<T, R, C, S>
where
    T: Real,
    R: nalgebra::Dim,
    C: nalgebra::Dim,
    S: nalgebra::RawStorage<T, R, C> + nalgebra::IsContiguous,
{
    fn rows(self, d: usize) -> Result<Inputs<'a, T>, Error> {
        Inputs::try_from(self).map_err(Error::Data)?.rows(d)
    }
}

/// The columns of so many numbers in so many rows.
fn columns(numbers: usize, rows: usize) -> Result<usize, Error> {
    let d = numbers.checked_div(rows).ok_or(Error::Data(DataError::Empty))?;
    if d * rows == numbers { Ok(d) } else { Err(Error::Shape) }
}

/// The README's Rust runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
