//! The header of an image, read and written, and where everything behind it lies: [`image`](super::image) has the
//! format.

use super::shape::OneLayer;
use super::{ImageError, Shape};
use crate::activation::Activation;
use crate::checksum::crc32;
use crate::network::{Architecture, Output};

const MAGIC: [u8; 4] = *b"LCCM";
/// The version that is written without a description: 256 major + minor. With one the minor is 1 more.
pub const VERSION: u16 = 0x0100;
/// Bytes of the header that is written.
pub const HEADER: usize = 64;
/// Set until the image is sealed.
pub(super) const OPEN: u16 = 1 << 15;
/// Set where the header has a description.
const DESCRIBED: u16 = 1 << 1;
const CRC_AT: usize = 32;
pub(super) const DESCRIPTION_AT: usize = 36;

/// Where everything lies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    /// d, the columns of a row.
    pub(super) inputs: usize,
    /// M, units of the first hidden layer.
    pub(super) neurons: usize,
    pub(super) activation: Activation,
    /// Whether the header has a description.
    pub(super) described: bool,
    /// Whether it is what an image without one is: one hidden layer, Student-t noise.
    pub(super) one_layer: bool,
    /// Bytes of one value: 4 or 8.
    pub(super) width: usize,
    /// Offset of the standardisation.
    pub(super) header: usize,
    /// Offset of the first draw.
    pub(super) first: usize,
    /// Bytes of one draw.
    pub(super) stride: usize,
    pub(super) draws: usize,
    /// Bytes of the attachment.
    pub(super) attached: usize,
}

/// Values of the standardisation, and of the point of a linearised network.
fn standards(shape: &Shape) -> Option<usize> {
    let units = shape.inputs().checked_add(1)?.checked_mul(2)?;
    units.checked_add(shape.has_floor() as usize)?.checked_add(shape.point_len())
}

impl Layout {
    pub(super) fn new(shape: &Shape, width: usize) -> Option<Self> {
        let [neurons, ..] = shape.architecture.widths;
        let one_layer = shape.is_one_layer();
        let empty = Self {
            inputs: shape.inputs(),
            neurons: neurons as usize,
            activation: shape.activation,
            described: !one_layer,
            one_layer,
            width,
            header: HEADER,
            first: 0,
            stride: 0,
            draws: 0,
            attached: 0,
        };
        empty.sized(shape.draw_len()?, standards(shape)?)
    }

    /// Of networks that need no description.
    pub(super) fn one_layer(shape: &OneLayer, width: usize) -> Option<Self> {
        let (draw, standards) = one_layer(shape.inputs, shape.neurons)?;
        let OneLayer { inputs, neurons, activation } = *shape;
        let empty = Self {
            inputs,
            neurons,
            activation,
            described: false,
            one_layer: true,
            width,
            header: HEADER,
            first: 0,
            stride: 0,
            draws: 0,
            attached: 0,
        };
        empty.sized(draw, standards)
    }

    /// With the offsets that follow from the values of a draw and of the standardisation.
    #[inline(always)]
    fn sized(self, draw: usize, standards: usize) -> Option<Self> {
        let stride = draw.checked_mul(self.width)?;
        let first = self.header.checked_add(standards.checked_mul(self.width)?)?;
        let layout = Self { first, stride, ..self };
        let fits = |x: usize| u32::try_from(x).is_ok();
        let all = fits(self.inputs) && fits(self.neurons) && fits(self.draws);
        (all && layout.total()? <= isize::MAX as usize).then_some(layout)
    }

    /// The same with so many draws, if they can be.
    pub(super) fn holding(self, draws: usize) -> Option<Self> {
        let layout = Self { draws, ..self };
        let fits = u32::try_from(draws).is_ok() && layout.total()? <= isize::MAX as usize;
        fits.then_some(layout)
    }

    /// Values of one draw.
    pub(super) fn draw_len(&self) -> usize {
        self.stride.checked_div(self.width).unwrap_or(0)
    }

    /// Where the attachment starts.
    pub(super) fn end(&self) -> Option<usize> {
        self.draws.checked_mul(self.stride)?.checked_add(self.first)
    }

    /// The length of the image.
    pub(super) fn total(&self) -> Option<usize> {
        self.end()?.checked_add(self.attached)
    }

    /// The bytes of one draw.
    #[inline(always)]
    pub(super) fn range(&self, draw: usize) -> Option<core::ops::Range<usize>> {
        let start = draw.checked_mul(self.stride)?.checked_add(self.first)?;
        (draw < self.draws).then_some(start..start.checked_add(self.stride)?)
    }
}

/// A field of the header.
fn field<const K: usize>(bytes: &[u8], at: usize) -> Option<[u8; K]> {
    bytes.get(at..)?.first_chunk::<K>().copied()
}

/// The shape that the description of a header tells, and the bytes of the attachment.
pub(super) fn described(bytes: &[u8], layout: &Layout) -> Result<(Shape, usize), ImageError> {
    use ImageError::*;
    let [output, bits] = field::<2>(bytes, DESCRIPTION_AT).ok_or(TooShort)?;
    let categories = field::<2>(bytes, 38).map(u16::from_le_bytes).ok_or(TooShort)?;
    let u32_at = |at| field::<4>(bytes, at).map(u32::from_le_bytes).ok_or(TooShort);
    let output = Output::from_code(output as i32).ok_or(Unsupported)?;
    // A library for microcontrollers does not evaluate linearised networks.
    let known = if cfg!(feature = "modes") { 15 } else { 7 };
    if bits > known {
        return Err(Unsupported);
    }
    let [linear, reference, exposure, linearised] = [1, 2, 4, 8].map(|bit| bits & bit != 0);
    let inputs = layout.inputs.checked_sub(exposure as usize).ok_or(BadShape)?;
    let neurons = u32::try_from(layout.neurons).map_err(|_| BadShape)?;
    let widths = [neurons, u32_at(40)?, u32_at(44)?, u32_at(48)?];
    let activation = layout.activation;
    let mut shape = Shape {
        architecture: Architecture { inputs, widths, outputs: 0, linear },
        activation,
        output,
        categories,
        reference,
        exposure,
        linearised,
    };
    shape.architecture.outputs = shape.outputs().ok_or(BadShape)?;
    Ok((shape, usize::try_from(u32_at(52)?).map_err(|_| BadShape)?))
}

/// Reads the header; the layout, the flags and the total length that it states. Unless it is to read `ANY`
/// network, those with a description are refused, and nothing that reads it is linked.
pub(super) fn parse<const ANY: bool>(bytes: &[u8]) -> Result<(Layout, u16, usize), ImageError> {
    use ImageError::*;
    let u16_at = |at| field::<2>(bytes, at).map(u16::from_le_bytes).ok_or(TooShort);
    let u32_at = |at| field::<4>(bytes, at).map(u32::from_le_bytes).ok_or(TooShort);
    if bytes.first_chunk::<4>().ok_or(TooShort)? != &MAGIC {
        return Err(BadMagic);
    }
    match u16_at(4)? >> 8 {
        major if major > VERSION >> 8 => return Err(NewerVersion),
        major if major < VERSION >> 8 => return Err(Unsupported),
        _ => {}
    }
    if bytes.len() < HEADER {
        return Err(TooShort);
    }
    let header = u16_at(6)? as usize;
    let [precision, code] = field::<2>(bytes, 8).ok_or(TooShort)?;
    let flags = u16_at(10)?;
    let width = match precision {
        32 => 4,
        64 => 8,
        _ => return Err(Unsupported),
    };
    let activation = Activation::from_code(code as i32).ok_or(Unsupported)?;
    if flags & !(OPEN | if ANY { DESCRIBED } else { 0 }) != 0 {
        return Err(Unsupported);
    }
    let index = |k: u32| usize::try_from(k).map_err(|_| BadShape);
    let (inputs, neurons) = (index(u32_at(12)?)?, index(u32_at(16)?)?);
    let draws = index(u32_at(20)?)?;
    let total = u64::from_le_bytes(field::<8>(bytes, 24).ok_or(TooShort)?);
    let total = usize::try_from(total).map_err(|_| BadShape)?;
    let mut layout = Layout {
        inputs,
        neurons,
        activation,
        described: ANY && flags & DESCRIBED != 0,
        one_layer: true,
        width,
        header,
        first: 0,
        stride: 0,
        draws,
        attached: 0,
    };
    let sizes = if layout.described {
        let (shape, attached) = described(bytes, &layout)?;
        (layout.attached, layout.one_layer) = (attached, shape.is_one_layer());
        shape.draw_len().zip(standards(&shape))
    } else {
        one_layer(inputs, neurons)
    };
    let layout = sizes.and_then(|(draw, own)| layout.sized(draw, own)).ok_or(BadShape)?;
    if header < HEADER { Err(BadShape) } else { Ok((layout, flags, total)) }
}

/// Values of a draw and of the standardisation of an image without a description.
pub(super) fn one_layer(inputs: usize, neurons: usize) -> Option<(usize, usize)> {
    if inputs == 0 || neurons == 0 {
        return None;
    }
    let network = neurons.checked_mul(inputs.checked_add(2)?)?.checked_add(inputs)?;
    Some((network.checked_add(3)?, inputs.checked_add(1)?.checked_mul(2)?))
}

/// Writes the fields up to the CRC into a header.
pub(super) fn write_header(bytes: &mut [u8], layout: &Layout, flags: u16, total: usize) {
    let own = layout.described as u16;
    let [v0, v1] = (VERSION + own).to_le_bytes();
    let [h0, h1] = (layout.header as u16).to_le_bytes();
    let [f0, f1] = (flags | (own * DESCRIBED)).to_le_bytes();
    let precision = if layout.width == 4 { 32 } else { 64 };
    let code = layout.activation as u8;
    let count = |k: usize| (k as u32).to_le_bytes();
    let fields = MAGIC
        .into_iter()
        .chain([v0, v1, h0, h1, precision, code, f0, f1])
        .chain(count(layout.inputs))
        .chain(count(layout.neurons))
        .chain(count(layout.draws))
        .chain((total as u64).to_le_bytes());
    bytes.iter_mut().zip(fields).for_each(|(b, x)| *b = x);
}

/// Writes the description of a shape, with the bytes of the attachment.
pub(super) fn write_description(bytes: &mut [u8], shape: &Shape, attached: u32) {
    let bits = [shape.architecture.linear, shape.reference, shape.exposure, shape.linearised];
    let bits = bits.into_iter().rev().fold(0, |all, bit| all << 1 | bit as u8);
    let [_, widths @ ..] = shape.architecture.widths;
    let fields = [shape.output as i32 as u8, bits]
        .into_iter()
        .chain(shape.categories.to_le_bytes())
        .chain(widths.into_iter().flat_map(u32::to_le_bytes))
        .chain(attached.to_le_bytes());
    bytes.iter_mut().skip(DESCRIPTION_AT).zip(fields).for_each(|(b, x)| *b = x);
}

/// Seals the bytes of an image: its header, and the CRC of all of them.
pub(super) fn sealed(bytes: &mut [u8], layout: &Layout) {
    write_header(bytes, layout, 0, bytes.len());
    write_crc(bytes);
}

pub(super) fn write_crc(bytes: &mut [u8]) {
    let crc = checksum(bytes).unwrap_or(0).to_le_bytes();
    bytes.iter_mut().skip(CRC_AT).zip(crc).for_each(|(b, x)| *b = x);
}

fn checksum(bytes: &[u8]) -> Option<u32> {
    let (before, rest) = bytes.split_at_checked(CRC_AT)?;
    Some(crc32(&[before, rest.get(4..)?]))
}

/// Whether the bytes have the checksum that stands in them.
pub(super) fn is_whole(bytes: &[u8]) -> bool {
    let stored = field::<4>(bytes, CRC_AT).map(u32::from_le_bytes);
    stored.is_some() && checksum(bytes) == stored
}
