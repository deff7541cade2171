//! What a variational auto-encoder is asked to be.

use crate::activation::Activation;
use crate::data::DataError;
use crate::error::{errors, refuse};
use crate::network::{AutoEncoder, DEEPEST, Observed};
use crate::plain::{Code, CodeError, Plain, below, plain};
use crate::scalar::Real;
use crate::workspace::WorkspaceError;

errors! {
    /// Why a variational auto-encoder was refused.
    pub enum VaeError {
        Layers = "the latent coordinates or the widths are out of range",
        Noise = "the noise must be finite, not negative, and 0 where the output is not Gaussian",
        Batch = "a minibatch has more rows than the data",
        Steps = "there must be at least one step",
        Rate = "the rate must be positive and finite",
        Value = "a value is below 0 or above the largest, where the output is Bernoulli",
        Largest = "the largest value must be positive and finite",
        Constant = "every column is constant",
        NotAVae = "the memory holds no auto-encoder of this kind and precision",
        OtherData = "the data are not those that it was made for",
        Diverged = "the bound is not finite at the parameters",
        Columns = "the rows have another number of columns",
        Draws = "a bound with its error needs two draws a row or more",
        TooShort = "a buffer is too short",
    }
    from {
        Code(CodeError),
        Memory(WorkspaceError),
        Data(DataError),
    }
}

plain! {
    /// What an auto-encoder is asked to be, and how it is fitted.
    #[repr(C)]
    pub struct VaeOptions<T> {
        /// The bytes of this struct, as the defaults have it.
        pub struct_size: u32 = size_of::<Self>() as u32,
        /// An LCC_VAE_ output. Default: Gaussian.
        pub observed: Code<Observed> = Observed::Gaussian.into(),
        /// An LCC_ACTIVATION_ code. Default: tanh.
        pub activation: Code<Activation> = Activation::Tanh.into(),
        /// Latent coordinates k, 1 to 4096. Default 2.
        pub latent: u32 = 2,
        /// Units of the encoder's hidden layers, from the rows on, the decoder's being the same backwards; the first 0
        /// ends them. Without any it is probabilistic PCA. Default 32, 0.
        pub widths: [u32; 4] = [32, 0, 0, 0],
        /// Steps, at least 1. Default 5000.
        pub steps: u32 = 5000,
        /// Rows of each step, drawn with replacement, at most those of the data; 0, or as many as there are: all of
        /// them, in their order. Default 0.
        pub batch: u32 = 0,
        /// Names the random numbers. Default 1.
        pub seed: u64 = 1,
        /// The rate of the first half of the steps, positive. Default 0.005.
        pub rate: T = T::lit(0.005),
        /// Gaussian: the sd of the noise, in the units of the data; 0: it is learnt. Default 0.
        pub noise: T = T::ZERO,
        /// Bernoulli: the largest value of the rows, by which they are divided: they are in \[0, largest\]. Positive.
        /// Default 1.
        pub largest: T = T::ONE,
    }
}

impl<T: Real> VaeOptions<T> {
    /// The first option out of its range.
    pub fn check(&self) -> Result<(), VaeError> {
        use VaeError as E;
        self.known()?;
        refuse(self.latent == 0 || self.latent > 4096, E::Layers)?;
        let AutoEncoder { encoder, decoder, .. } = self.nets(1, T::ONE);
        refuse(!encoder.valid() || !decoder.valid(), E::Layers)?;
        refuse(self.steps == 0, E::Steps)?;
        refuse(!below(self.rate, T::INFINITY), E::Rate)?;
        refuse(!below(self.largest, T::INFINITY), E::Largest)?;
        let given = self.observed == Observed::Gaussian && below(self.noise, T::INFINITY);
        refuse(self.noise != T::ZERO && !given, E::Noise)
    }

    /// The networks of rows of so many columns, the unit of which is so many of the data's.
    pub(super) fn nets(&self, columns: usize, unit: T) -> AutoEncoder<T> {
        const { assert!(DEEPEST == 4) };
        let size = (columns, self.latent as usize);
        let (activation, observed) = (self.activation.value(), self.observed.value());
        AutoEncoder::new(size, self.widths, activation, observed, self.noise / unit)
    }
}
