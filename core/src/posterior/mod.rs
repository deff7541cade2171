//! Posteriors of networks: draws in an image that is written once and read where it lies.
//!
//! The model of one draw, on standardised inputs x' = (x - mean_x) / sd_x (of an input with long tails
//! [`BENT_UNIT`] asinh((x - mean_x) / |sd_x|), which a negative sd_x says; of others x' = +-(10 + asinh(|z| - 10)) where
//! z = (x - mean_x) / sd_x lies [beyond 10](line_until)):
//!
//! f = b0 + c.x' + sum_m v_m psi(b_m + w_m.x'),  y' ~ Student-t_nu(f, scale sigma),
//!
//! and y = mean_y + sd_y y' (nu = infinity is the Gaussian). The standardisation is part of the
//! image, so that whoever predicts passes raw units.
//!
//! [`Store`] builds an [`Image`] in the caller's memory, draw by draw; [`Image`] reads one from any
//! address, flash included.
//!
//! ```
//! use lcc_core::activation::Activation;
//! use lcc_core::posterior::{Image, Shape, Standardiser, Store, image_size};
//!
//! let shape = Shape::one_layer(1, 1, Activation::Tanh);
//! let mut buffer = [0.0_f64; 2];
//! let units = Standardiser::identity(1, &mut buffer)?;
//! let mut bytes = vec![0; image_size::<f64>(shape, 2)?];
//! let mut store = Store::new(&mut bytes, shape, &units)?;
//! // w, b, v, intercept, linear part, sigma, nu: 2 tanh(w x + b) + 1/2, with heavy tails.
//! store.push(&[1.0, 0.0, 2.0, 0.5, 0.0, 0.1, 5.0])?;
//! let image = Image::open(store.seal().unwrap())?;
//! assert_eq!((image.draws(), image.shape()), (1, shape));
//! assert_eq!(image.values::<f32>(0).nth(2), Some(2.0)); // read in either precision
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bend;
mod drawn;
mod header;
mod image;
mod shape;
mod standardise;
mod store;
mod values;

pub use bend::{BENT_UNIT, line_until};
pub(crate) use bend::{bend, bend_beside, in_units};
pub use drawn::Drawn;
pub use header::{HEADER, VERSION};
pub use image::{Image, ImageError, image_size};
pub use shape::Shape;
pub(crate) use shape::{OneLayer, Tail};
pub(crate) use standardise::reach;
pub use standardise::{StandardiseError, Standardiser};
pub(crate) use standardise::{moments, share_scale};
pub use store::{Store, StoreError};
