//! The draws of a [`Problem`](crate::problem::Problem) whose posterior is that of a network, as an image: its data are in the
//! units of its prior.

use super::{Shape, Standardiser, Store, StoreError};
use crate::density::Extent;
use crate::network::{Deep, DeepPosterior, Family, FreeNetwork, Output};
use crate::problem::Target;
use crate::scalar::Real;
use crate::simd::Lanes;

/// What a draw is a network of.
#[derive(Clone, Copy, Debug)]
pub enum Drawn<'a, T> {
    /// Every parameter is drawn, and the noise with them.
    Free(FreeNetwork<'a, T>),
    /// The weights of \[B\]'s joint posterior: the outer ones are s_m V/M, there are no biases, and exp(-(beta/2) (y - f)^2) is
    /// Gaussian noise of the sd beta^(-1/2).
    Joint(Deep<'a, T>),
    /// The same of several layers, whose draws are the coordinates g.
    Deep(DeepPosterior<'a, T>),
}

impl<'a, T: Real> Drawn<'a, T> {
    /// `None` of a single neuron against residuals, and of a density of the user's own: they predict nothing.
    pub fn of(target: &Target<'a, T>) -> Option<Self> {
        match target {
            Target::Network(network) => Some(Self::Free(*network)),
            Target::Joint(joint) => Some(Self::Joint((*joint).into())),
            Target::Deep(deep) => Some(Self::Deep(*deep)),
            Target::Greedy(_) | Target::User(_) => None,
        }
    }

    /// The coordinates of a draw.
    pub fn dim(&self) -> usize {
        match self {
            Self::Free(network) => network.dim(),
            Self::Joint(deep) => Extent::dim(deep),
            Self::Deep(deep) => deep.dim(),
        }
    }

    fn shape(&self) -> Shape {
        match self {
            Self::Free(n) => Shape::of(n.architecture, n.activation, &n.family, n.exposure),
            Self::Joint(deep) => of_layers(deep),
            Self::Deep(deep) => of_layers(deep.likelihood()),
        }
    }

    /// The bytes that an image of so many draws takes.
    pub fn image_size(&self, draws: usize) -> Result<usize, StoreError> {
        self.shape().size::<T>(draws)
    }

    /// The numbers of scratch: blocks of [`draw`](Self::draw), its result, the units of [`store`](Self::store).
    pub fn scratch(&self) -> [usize; 3] {
        let (work, draw, columns) = match self {
            Self::Free(n) => {
                let work = n.dim().saturating_add(n.architecture.dim());
                (work, n.draw_len(), n.data.d())
            }
            Self::Joint(deep) => (Extent::dim(deep), deep.draw_len(), deep.data.d()),
            Self::Deep(deep) => {
                let own = deep.likelihood();
                (deep.draw_scratch(), own.draw_len(), own.data.d())
            }
        };
        [work, draw, columns.saturating_mul(2)]
    }

    /// An empty store in [`image_size`](Self::image_size) bytes, for what [`draw`](Self::draw) writes.
    pub fn store<'b>(
        &self,
        bytes: &'b mut [u8],
        units: &mut [T],
    ) -> Result<Store<'b, T>, StoreError> {
        let (shape, columns) = (self.shape(), units.len() / 2);
        let units = Standardiser::identity(columns, units).map_err(|_| StoreError::Units)?;
        let floor = match self {
            Self::Free(network) if shape.has_floor() => network.family.floor,
            _ => T::ZERO,
        };
        Store::with_floor(bytes, shape, &units, floor)
    }

    /// The draw of the network at coordinates, written over `out`: its parameters in the order of
    /// [`Architecture`](crate::network::Architecture), then the numbers of its family. `None` where a buffer is short.
    pub fn draw(&self, at: impl Fn(usize) -> T, work: &mut [[T; 1]], out: &mut [T]) -> Option<()>
    where
        T: Lanes<1>,
    {
        match self {
            Self::Free(network) => network.draw(at, work, out),
            Self::Deep(deep) => deep.draw(at, work, out),
            Self::Joint(deep) => {
                let w = work.get_mut(..Extent::dim(deep))?;
                w.iter_mut().enumerate().for_each(|(k, w)| *w = [at(k)]);
                deep.draw(w, out)
            }
        }
    }
}

/// Gaussian noise, no exposures.
fn of_layers<T: Real>(deep: &Deep<'_, T>) -> Shape {
    Shape::of(deep.architecture(), deep.activation, &Family::<T>::of(Output::Gaussian), false)
}
