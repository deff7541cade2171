//! The draws of a [`FreeNetwork`] as an image: its data are in the units of its prior.

use super::{Shape, Standardiser, Store, StoreError};
use crate::network::FreeNetwork;
use crate::scalar::Real;

impl<T: Real> FreeNetwork<'_, T> {
    fn image_shape(&self) -> Shape {
        Shape::of(self.architecture, self.activation, &self.family, self.exposure)
    }

    /// The bytes that an image of so many draws takes.
    pub fn image_size(&self, draws: usize) -> Result<usize, StoreError> {
        self.image_shape().size::<T>(draws)
    }

    /// An empty store in [`image_size`](Self::image_size) bytes, for what [`draw`](Self::draw) writes. `units`:
    /// scratch of two numbers a column.
    pub fn store<'b>(
        &self,
        bytes: &'b mut [u8],
        units: &mut [T],
    ) -> Result<Store<'b, T>, StoreError> {
        let shape = self.image_shape();
        let units = Standardiser::identity(self.data.d(), units).map_err(|_| StoreError::Units)?;
        let floor = if shape.has_floor() { self.family.floor } else { T::ZERO };
        Store::with_floor(bytes, shape, &units, floor)
    }
}
