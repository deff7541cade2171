//! Sealed copies of states.
//!
//! Every object of LCC keeps its state in one block of the caller's memory, without pointers. A
//! checkpoint is a copy of that block behind a head that says what it is and whether it is whole.
//! Restored, it goes on with the bits that running on would have given. The copy holds numbers in
//! the byte order of the machine that made it and is for machines of that order only.
//!
//! The head, 48 bytes, little-endian: magic `LCCSTATE`; u32 format; u32 version of the state's
//! layout; u32 kind; u32 precision in bits; u32 0x01020304 in the machine's own byte order; u32
//! CRC-32 (ISO-HDLC) of everything else, head and state; u64 length of the state; u64 zero.
//!
//! ```
//! use lcc_core::checkpoint::{CheckpointError, Kind, checkpoint, restore, sealed_size};
//!
//! let state = [7_u8; 32];
//! let mut sealed = vec![0; sealed_size(state.len()).unwrap()];
//! checkpoint(&state, Kind::Sampler, 64, &mut sealed)?;
//! let mut memory = [0; 32];
//! restore(&sealed, Kind::Sampler, 64, &mut memory)?;
//! assert_eq!(memory, state);
//!
//! sealed[60] ^= 1; // a bit that flipped in flash
//! assert_eq!(restore(&sealed, Kind::Sampler, 64, &mut memory), Err(CheckpointError::Corrupt));
//! # Ok::<(), CheckpointError>(())
//! ```

use crate::checksum::crc32;
use crate::error::{errors, refuse};
use crate::plain::codes;

/// The bytes of the head.
pub const HEAD: usize = 48;

/// The format of the head.
pub const FORMAT: u32 = 1;

/// The layout of the states of this build, 1 up to version 0.2.0. States of another number are refused.
pub const STATE_VERSION: u32 = 3;

const MAGIC: [u8; 8] = *b"LCCSTATE";
const ORDER: u32 = 0x0102_0304;

codes! {
    /// What a state belongs to.
    pub enum Kind {
        /// [`crate::sampler::Sampler`].
        Sampler = 1,
        /// An estimator that fits level by level.
        GreedyBayes = 2,
        /// The regressor.
        Network = 3,
        /// [`crate::smc::Smc`].
        Smc = 4,
        /// [`crate::tempering::Tempering`].
        Tempering = 5,
        /// [`crate::auto::Auto`].
        Auto = 6,
        /// [`crate::estimator::prequential::Prequential`].
        Prequential = 7,
        /// [`crate::estimator::relaxed::RelaxedGreedy`].
        Relaxed = 8,
        /// [`crate::stream::StreamLearner`].
        Stream = 9,
        /// [`crate::stream::Window`].
        Window = 10,
        /// [`crate::estimator::bnn::Bnn`].
        Bnn = 11,
        /// [`crate::warmup::Warmup`].
        Warmup = 12,
        /// [`crate::estimator::vae::Vae`].
        Vae = 13,
    }
}

errors! {
    /// Why a state was not sealed or not restored. Nothing has been written.
    pub enum CheckpointError {
        TooSmall = "the memory is too small",
        Truncated = "the checkpoint is truncated",
        NotACheckpoint = "this is not a checkpoint",
        OtherVersion = "the checkpoint was made by another version of LCC",
        ByteOrder = "the checkpoint was made on a machine of the other byte order",
        OtherKind = "the checkpoint is that of another kind of object",
        OtherPrecision = "the checkpoint is of the other precision",
        Corrupt = "the checkpoint is corrupt",
    }
}

/// The bytes that a state of `length` bytes takes when sealed; `None` if that overflows.
pub const fn sealed_size(length: usize) -> Option<usize> {
    length.checked_add(HEAD)
}

/// Seals a copy of a state: head and state are written to the front of `out`. Returns the bytes
/// written, [`sealed_size`] of the state's.
pub fn checkpoint(
    state: &[u8],
    kind: Kind,
    bits: u32,
    out: &mut [u8],
) -> Result<usize, CheckpointError> {
    let size = sealed_size(state.len()).ok_or(CheckpointError::TooSmall)?;
    let out = out.get_mut(..size).ok_or(CheckpointError::TooSmall)?;
    let (head, body) = out.split_at_mut_checked(HEAD).ok_or(CheckpointError::TooSmall)?;
    let head: &mut [u8; HEAD] = head.try_into().map_err(|_| CheckpointError::TooSmall)?;
    body.iter_mut().zip(state).for_each(|(b, s)| *b = *s);
    let mut fields = Head {
        format: FORMAT,
        version: STATE_VERSION,
        kind: kind as u32,
        bits,
        order: ORDER,
        crc: 0,
        length: state.len() as u64,
    };
    fields.crc = fields.checksum(state);
    *head = fields.bytes();
    Ok(size)
}

/// The bytes of the state that a checkpoint holds: the memory [`restore`] needs. Reads the head only.
pub fn state_size(checkpoint: &[u8]) -> Result<usize, CheckpointError> {
    let (head, _) = Head::read(checkpoint)?;
    usize::try_from(head.length).map_err(|_| CheckpointError::TooSmall)
}

/// What a checkpoint holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sealed<'a> {
    /// What the state belongs to.
    pub kind: Kind,
    /// Its precision.
    pub bits: u32,
    /// The state.
    pub state: &'a [u8],
}

/// Verifies a checkpoint, of whatever kind and precision it is.
pub fn unseal(checkpoint: &[u8]) -> Result<Sealed<'_>, CheckpointError> {
    let (head, rest) = Head::read(checkpoint)?;
    let length = usize::try_from(head.length).map_err(|_| CheckpointError::Truncated)?;
    let state = rest.get(..length).ok_or(CheckpointError::Truncated)?;
    refuse(head.checksum(state) != head.crc, CheckpointError::Corrupt)?;
    refuse(head.version != STATE_VERSION, CheckpointError::OtherVersion)?;
    let kind = Kind::from_code(head.kind as i32).ok_or(CheckpointError::OtherKind)?;
    Ok(Sealed { kind, bits: head.bits, state })
}

/// Verifies a checkpoint and writes its state to the front of `memory`. Returns the bytes written.
pub fn restore(
    checkpoint: &[u8],
    kind: Kind,
    bits: u32,
    memory: &mut [u8],
) -> Result<usize, CheckpointError> {
    let sealed = unseal(checkpoint)?;
    refuse(sealed.kind != kind, CheckpointError::OtherKind)?;
    refuse(sealed.bits != bits, CheckpointError::OtherPrecision)?;
    let memory = memory.get_mut(..sealed.state.len()).ok_or(CheckpointError::TooSmall)?;
    memory.iter_mut().zip(sealed.state).for_each(|(m, s)| *m = *s);
    Ok(sealed.state.len())
}

#[derive(Clone, Copy, Debug)]
struct Head {
    format: u32,
    version: u32,
    kind: u32,
    bits: u32,
    order: u32,
    crc: u32,
    length: u64,
}

impl Head {
    fn bytes(&self) -> [u8; HEAD] {
        let mut out = [0; HEAD];
        let fields = [self.format, self.version, self.kind, self.bits]
            .into_iter()
            .flat_map(u32::to_le_bytes)
            .chain(self.order.to_ne_bytes())
            .chain(self.crc.to_le_bytes())
            .chain(self.length.to_le_bytes());
        out.iter_mut().zip(MAGIC.into_iter().chain(fields)).for_each(|(o, b)| *o = b);
        out
    }

    /// The head and what follows it.
    fn read(checkpoint: &[u8]) -> Result<(Self, &[u8]), CheckpointError> {
        let (head, rest) = checkpoint.split_at_checked(HEAD).ok_or(CheckpointError::Truncated)?;
        let mut words = [[0_u8; 4]; HEAD / 4];
        words.as_flattened_mut().iter_mut().zip(head).for_each(|(w, b)| *w = *b);
        let [m0, m1, format, version, kind, bits, order, crc, l0, l1, z0, z1] = words;
        refuse([m0, m1].as_flattened() != MAGIC, CheckpointError::NotACheckpoint)?;
        let head = Self {
            format: u32::from_le_bytes(format),
            version: u32::from_le_bytes(version),
            kind: u32::from_le_bytes(kind),
            bits: u32::from_le_bytes(bits),
            order: u32::from_ne_bytes(order),
            crc: u32::from_le_bytes(crc),
            length: u32::from_le_bytes(l0) as u64 | (u32::from_le_bytes(l1) as u64) << 32,
        };
        refuse(head.format != FORMAT, CheckpointError::OtherVersion)?;
        match head.order {
            ORDER if [z0, z1] != [[0; 4]; 2] => Err(CheckpointError::Corrupt),
            ORDER => Ok((head, rest)),
            swapped if swapped == ORDER.swap_bytes() => Err(CheckpointError::ByteOrder),
            _ => Err(CheckpointError::Corrupt),
        }
    }

    /// Over the head without its checksum, and the state.
    fn checksum(&self, state: &[u8]) -> u32 {
        crc32(&[&Self { crc: 0, ..*self }.bytes(), state])
    }
}
