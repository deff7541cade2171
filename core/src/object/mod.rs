//! What every object in the caller's memory shares.
//!
//! A state is one block without pointers: a head, then the parts, cut by [`Memory`]. The head says what the object is:
//! a magic number, the version of the states, the kind and the precision, the bytes, and the shape, word by
//! word: the options and everything else that the sizes of the parts follow from.

pub(crate) mod join;
pub(crate) mod record;

use crate::checkpoint::{Kind, STATE_VERSION};
use crate::error::refuse;
use crate::plain::Plain;
use crate::scalar::Real;
use crate::workspace::{Carve, Measure, Memory, WorkspaceError};

const MAGIC: u64 = u64::from_le_bytes(*b"LCCOBJCT");

/// Words of the head before those of the shape.
const OWN: usize = 3;

/// What one call of an object's `step` left behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The budget is used up, and there is more to do.
    Running,
    /// Nothing is left to do.
    Done,
}

/// The shape of an object: from it follow the parts, and with them size, making and opening.
pub(crate) trait Object<T: Real>: Plain {
    const KIND: Kind;
    type Parts<'a>;
    type Counts: AsRef<[usize]>;
    type Error: From<WorkspaceError>;
    /// Where memory holds no such object.
    const BROKEN: Self::Error;
    /// The bytes of a value of each part.
    const SIZES: &'static [usize];

    /// Whether it is one that can be made: that of a head may be anything.
    fn possible(&self) -> bool;

    /// The values of each part.
    fn counts(&self) -> Result<Self::Counts, Self::Error>;

    /// The parts after the head, in order.
    fn parts<'a>(&self, memory: &mut Memory<'a>) -> Result<Self::Parts<'a>, Self::Error>;

    /// The bytes of the object.
    fn bytes(&self) -> Result<usize, Self::Error> {
        let mut measure = Measure::new();
        measure.take::<u64>(OWN + Self::WORDS)?;
        for (count, size) in self.counts()?.as_ref().iter().zip(Self::SIZES) {
            measure.add(*count, *size)?;
        }
        Ok(measure.bytes())
    }

    /// Writes the head of an object to the front of a block. The parts are zero.
    fn make<'a>(&self, block: &'a mut [u8]) -> Result<Self::Parts<'a>, Self::Error> {
        let bytes = self.bytes()?;
        let mut memory = Memory::zeroed(block, bytes)?;
        let head = memory.take::<u64>(OWN + Self::WORDS)?;
        let own = [MAGIC, name(Self::KIND, T::BITS), bytes as u64];
        head.iter_mut().zip(own).for_each(|(h, w)| *h = w);
        let (_, words) = head.split_at_mut_checked(OWN).ok_or(Self::BROKEN)?;
        self.write(&mut words.iter_mut());
        self.parts(&mut memory)
    }

    /// The object at the front of a block.
    fn open<'a>(block: &'a mut [u8]) -> Result<(Self, Self::Parts<'a>), Self::Error> {
        let mut memory = Memory::new(block)?;
        let head: &[u64] = memory.take::<u64>(OWN + Self::WORDS)?;
        let (own, words) = head.split_at_checked(OWN).ok_or(Self::BROKEN)?;
        // No combinators: each would hold the shape once more on the stack.
        let Some(shape) = Self::read(&mut words.iter()) else { return Err(Self::BROKEN) };
        refuse(!shape.possible(), Self::BROKEN)?;
        refuse(own != [MAGIC, name(Self::KIND, T::BITS), shape.bytes()? as u64], Self::BROKEN)?;
        let parts = shape.parts(&mut memory)?;
        Ok((shape, parts))
    }
}

/// The bytes of the head of an object of this shape.
pub(crate) const fn head<S: Plain>() -> usize {
    size_of::<u64>() * (OWN + S::WORDS)
}

/// The word that says what a state is.
fn name(kind: Kind, bits: u32) -> u64 {
    (STATE_VERSION as u64) << 32 | (kind as u64) << 16 | bits as u64
}

/// The product of factors of a size.
pub(crate) fn product<const K: usize>(factors: [usize; K]) -> Result<usize, WorkspaceError> {
    let product = factors.into_iter().try_fold(1_usize, usize::checked_mul);
    product.ok_or(WorkspaceError::Overflow)
}

/// The layout of an object: its parts in the order in which they lie in memory, each with its type and the number
/// of its values. What is inside `with` is computed for those numbers.
macro_rules! parts {
    (
        $(#[$meta:meta])*
        $vis:vis struct Parts of $shape:ident: $of:ty as $kind:ident;
        broken: $error:ident::$broken:ident;
        possible: $possible:expr;
        with { $($setup:tt)* }
        $($(#[$doc:meta])* $part:ident: [$item:ty] = $count:expr,)+
    ) => {
        $(#[$meta])*
        #[derive(Debug)]
        $vis struct Parts<'a, T> {
            $($(#[$doc])* $vis $part: &'a mut [$item],)+
        }

        impl<T: $crate::scalar::Real> $crate::object::Object<T> for $of {
            const KIND: $crate::checkpoint::Kind = $crate::checkpoint::Kind::$kind;
            type Parts<'a> = Parts<'a, T>;
            type Error = $error;
            const BROKEN: $error = $error::$broken;
            type Counts = [usize; [$(stringify!($part)),+].len()];
            const SIZES: &'static [usize] = &[$(size_of::<$item>()),+];

            fn possible(&self) -> bool {
                let $shape = self;
                $possible
            }

            fn counts(&self) -> Result<Self::Counts, $error> {
                let $shape = self;
                $($setup)*
                Ok([$($count),+])
            }

            fn parts<'a>(
                &self,
                memory: &mut $crate::workspace::Memory<'a>,
            ) -> Result<Parts<'a, T>, $error> {
                let [$($part),+] = $crate::object::Object::<T>::counts(self)?;
                let parts = Parts { $($part: memory.part($part)),+ };
                memory.whole()?;
                Ok(parts)
            }
        }
    };
}
pub(crate) use parts;

/// The struct of an object over the caller's memory, and what each has: its options, and the words of its cursor,
/// which say where it is. The shape is called `Shape`, the parts `Parts`.
macro_rules! object {
    (
        $(#[$meta:meta])*
        pub struct $object:ident { shape: $shape:ty, options: $options:ty, error: $error:ty }
    ) => {
        $(#[$meta])*
        #[derive(Debug)]
        pub struct $object<'a, T> {
            isa: Isa,
            shape: $shape,
            parts: Parts<'a, T>,
        }

        impl<'a, T: Real> $object<'a, T> {
            /// The bytes at the front of its memory that say what it was made as: kind, options, sizes, and of what.
            pub const HEAD: usize = $crate::object::head::<$shape>();

            /// Takes up what [`init`](Self::init) made in this memory or in one that was copied or restored into it.
            pub fn open(memory: &'a mut [u8], isa: Isa) -> Result<Self, $error> {
                let (shape, parts) = Object::<T>::open(memory)?;
                Ok(Self { isa, shape, parts })
            }

            /// The options it was made with.
            pub fn options(&self) -> &$options {
                &self.shape.options
            }

            fn word(&self, which: usize) -> u64 {
                self.parts.cursor.get(which).copied().unwrap_or(u64::MAX)
            }

            fn set(&mut self, which: usize, value: u64) {
                if let Some(word) = self.parts.cursor.get_mut(which) {
                    *word = value;
                }
            }
        }
    };
}
pub(crate) use object;

/// The trait of the precisions in which an object's work is compiled: once, with this crate, and not again with
/// each that uses it. `=> run` is what has the lanes as a constant: `run::<N>`.
macro_rules! compiled {
    ($object:ident: $base:path;
        $(fn $work:ident($($own:ident)+ $(, $arg:ident: $ty:ty)*) -> $out:ty $(=> $run:ident)?;)+) => {
        /// A precision in which this object is compiled: `f32` and `f64`. The work of a step is compiled once, with
        /// this crate, and not again with each that uses it.
        pub trait Compiled: $base {
            $(
                #[doc(hidden)]
                fn $work(own: $crate::object::compiled!(@own $object, $($own)+), $($arg: $ty),*) -> $out;
            )+
        }
        $crate::object::compiled!(@for f32 $object $($work [$($own)+] [$($arg: $ty),*] $out $(=> $run)?;)+);
        $crate::object::compiled!(@for f64 $object $($work [$($own)+] [$($arg: $ty),*] $out $(=> $run)?;)+);
    };
    (@own $object:ident, mut self) => { &mut $object<'_, Self> };
    (@own $object:ident, self) => { &$object<'_, Self> };
    (@for $t:ident $object:ident
        $($work:ident [$($own:ident)+] [$($arg:ident: $ty:ty),*] $out:ty $(=> $run:ident)?;)+) => {
        impl Compiled for $t {
            $(fn $work(own: $crate::object::compiled!(@own $object, $($own)+), $($arg: $ty),*) -> $out {
                $crate::object::compiled!(@call own $work $($arg)* $(=> $run)?)
            })+
        }
    };
    (@call $own:ident $work:ident $($arg:ident)*) => { $own.$work($($arg),*) };
    (@call $own:ident $work:ident $($arg:ident)* => $run:ident) => {
        $crate::simd::by_lanes!($own.shape.options.lanes, N => $own.$run::<N>($($arg),*))
    };
}
pub(crate) use compiled;
