//! Options and sizes as plain data: structs written once, as Rust reads them, as C lays them out, and as words in
//! the head of a state.
//!
//! ```
//! use lcc_core::plain::Plain;
//! use lcc_core::smc::{Ladder, SmcOptions};
//!
//! let options = SmcOptions::<f32> { ladder: Ladder::Even.into(), adapt: false.into(), ..Default::default() };
//! assert_eq!(options.ladder, Ladder::Even);
//! let member = SmcOptions::<f32>::MEMBERS.iter().find(|m| m.name == "seed").unwrap();
//! assert_eq!((member.offset, member.bytes), (40, 8));
//! ```

use crate::error::errors;
use crate::scalar::Real;
use core::fmt;
use core::marker::PhantomData;

/// A value that is a known number of 64-bit words.
pub trait Plain: Copy + fmt::Debug {
    /// How many.
    const WORDS: usize;
    /// The members of a struct, in order.
    const MEMBERS: &'static [Member] = &[];
    /// Writes the words.
    fn write(&self, words: &mut core::slice::IterMut<'_, u64>);
    /// Reads what was written; `None` if no value was.
    fn read(words: &mut core::slice::Iter<'_, u64>) -> Option<Self>;
    /// Whether the words are equal.
    fn same(&self, other: &Self) -> bool;
    /// The first code that names nothing.
    fn known(&self) -> Result<(), CodeError> {
        Ok(())
    }
}

/// One member of a struct.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    /// Its name.
    pub name: &'static str,
    /// Bytes before it.
    pub offset: usize,
    /// Its size in bytes.
    pub bytes: usize,
}

/// A value of one word: how it becomes that and what it was.
macro_rules! word {
    ($([$($generic:tt)*] $t:ty: $x:ident => $to:expr, $w:ident => $of:expr
        $(, $y:ident => $known:expr)?;)*) => {
        $(impl $($generic)* $crate::plain::Plain for $t {
            const WORDS: usize = 1;
            #[inline]
            fn write(&self, words: &mut core::slice::IterMut<'_, u64>) {
                let $x = *self;
                if let Some(word) = words.next() {
                    *word = $to;
                }
            }
            #[inline]
            fn read(words: &mut core::slice::Iter<'_, u64>) -> Option<Self> {
                let $w = *words.next()?;
                $of
            }
            #[inline]
            fn same(&self, other: &Self) -> bool {
                let word = |$x: Self| -> u64 { $to };
                word(*self) == word(*other)
            }
            $(fn known(&self) -> Result<(), CodeError> {
                let $y = *self;
                $known
            })?
        })*
    };
}
pub(crate) use word;

word! {
    [] u32: x => x as u64, w => u32::try_from(w).ok();
    [] u64: x => x, w => Some(w);
    [] usize: x => x as u64, w => usize::try_from(w).ok();
    [] bool: x => x as u64, w => match w { 0 => Some(false), 1 => Some(true), _ => None };
    [] f32: x => x.to_bits() as u64, w => u32::try_from(w).ok().map(f32::from_bits);
    [] f64: x => x.to_bits(), w => Some(f64::from_bits(w));
    [] Switch: x => x.0 as u64, w => u32::try_from(w).ok().map(Self),
        x => if x.0 > 1 { Err(CodeError::Switch) } else { Ok(()) };
    [] Reserved: x => x.0 as u64, w => u32::try_from(w).ok().map(Self),
        x => if x.0 > 0 { Err(CodeError::Switch) } else { Ok(()) };
    [<E: Coded>] Code<E>: x => x.code as u32 as u64,
        w => u32::try_from(w).ok().map(|w| Self { code: w as i32, choices: PhantomData }),
        x => x.get().map(|_| ()).ok_or(E::UNKNOWN);
}

impl<const K: usize> Plain for [u32; K] {
    const WORDS: usize = K;
    fn write(&self, words: &mut core::slice::IterMut<'_, u64>) {
        self.iter().for_each(|x| x.write(words));
    }
    fn read(words: &mut core::slice::Iter<'_, u64>) -> Option<Self> {
        let mut out = [0; K];
        for x in &mut out {
            *x = Plain::read(words)?;
        }
        Some(out)
    }
    fn same(&self, other: &Self) -> bool {
        self == other
    }
}

/// A yes or no in options: 1 or 0, and checked with them.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub struct Switch(u32);

impl Switch {
    /// Whether it is 1.
    pub fn on(self) -> bool {
        self.0 == 1
    }
}

impl From<bool> for Switch {
    fn from(on: bool) -> Self {
        Self(on as u32)
    }
}

impl fmt::Debug for Switch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Room in options: 0, and checked with them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub struct Reserved(u32);

/// A choice in options: its code, checked with them.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub struct Code<E> {
    code: i32,
    choices: PhantomData<E>,
}

impl<E: Coded> Code<E> {
    /// The choice; `None` where the code names none.
    pub fn get(self) -> Option<E> {
        E::from_code(self.code)
    }

    /// The choice of options that were checked: the first where the code names none.
    pub fn value(self) -> E {
        self.get().unwrap_or(E::FIRST)
    }
}

impl<E: Coded> From<E> for Code<E> {
    fn from(choice: E) -> Self {
        Self { code: choice.code(), choices: PhantomData }
    }
}

impl<E: Coded> PartialEq<E> for Code<E> {
    fn eq(&self, choice: &E) -> bool {
        self.code == choice.code()
    }
}

impl<E: Coded> fmt::Debug for Code<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.get() {
            Some(choice) => choice.fmt(f),
            None => self.code.fmt(f),
        }
    }
}

/// Choices that have codes.
pub trait Coded: Copy + fmt::Debug + 'static {
    /// The choice of the code 0.
    const FIRST: Self;
    /// What a code that names none is.
    const UNKNOWN: CodeError;
    /// Its code.
    fn code(self) -> i32;
    /// The choice of a code; `None` if there is none.
    fn from_code(code: i32) -> Option<Self>;
}

errors! {
    /// A code in options that names nothing.
    pub enum CodeError {
        Switch = "a switch must be 0 or 1 (standardise of a Bayesian network also 2)",
        Ladder = "the ladder of temperatures is not known",
        Method = "the sampling method is not known",
        Coupling = "the coupling is neither one-sided nor two-sided",
        Reference = "the reference is not known",
        Activation = "the activation is not known",
        Prior = "the prior is not known",
        Form = "the form of the greedy posterior is neither the tilt nor the quadratic",
        Mass = "the mass matrix is neither dense nor diagonal",
        Output = "the output is not known",
        Scales = "the scales of the prior are not known",
        Averaging = "the averaging is neither printed, inclusive nor last",
        Penalty = "the penalty of noise is not known",
        Optimiser = "the optimiser is not known",
    }
}

/// An enum with codes and, where they are given, names; of choices in options, what a code that names none is.
macro_rules! codes {
    (@names $name:ident) => {};
    (@names $name:ident $($variant:ident $text:literal)+) => {
        impl $name {
            /// The name on the command line.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $text),+
                }
            }

            /// The name as C has it: with a zero at its end.
            pub const fn c_name(self) -> &'static str {
                match self {
                    $(Self::$variant => concat!($text, "\0")),+
                }
            }

            /// The choice of a name; `None` if there is none.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|choice| choice.name() == name)
            }
        }
    };
    (
        $(#[$meta:meta])*
        pub enum $name:ident $(: $unknown:ident)? {
            $($(#[$doc:meta])* $variant:ident = $code:literal $($text:literal)?,)+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(i32)]
        pub enum $name {
            $($(#[$doc])* $(#[doc = concat!("\n\nIts name: `\"", $text, "\"`.")])? $variant = $code,)+
        }

        impl $name {
            /// All of them, in the order of the codes.
            pub const ALL: [Self; [$($code),+].len()] = [$(Self::$variant),+];

            /// The choice of a code; `None` if there is none.
            pub fn from_code(code: i32) -> Option<Self> {
                match code {
                    $($code => Some(Self::$variant),)+
                    _ => None,
                }
            }
        }

        $(impl $crate::plain::Coded for $name {
            const FIRST: Self = {
                let [first, ..] = Self::ALL;
                first
            };
            const UNKNOWN: $crate::plain::CodeError = $crate::plain::CodeError::$unknown;
            fn code(self) -> i32 {
                self as i32
            }
            fn from_code(code: i32) -> Option<Self> {
                Self::from_code(code)
            }
        })?

        $crate::plain::word! {
            [] $name: x => x as i32 as u32 as u64,
                w => i32::try_from(w).ok().and_then(Self::from_code);
        }

        $crate::plain::codes!(@names $name $($($variant $text)?)+);
    };
}
pub(crate) use codes;

/// A struct of plain members, which is plain itself. Options are `#[repr(C)]`: the struct is C's, in the order in
/// which it is written here, and each member says its default.
macro_rules! plain {
    (@default $name:ident [$($t:ident)?] $($field:ident = $default:expr,)+) => {
        impl $(<$t: $crate::scalar::Real>)? Default for $name $(<$t>)? {
            fn default() -> Self {
                Self { $($field: $default),+ }
            }
        }
    };
    (@default $name:ident [$($t:ident)?] $($field:ident,)+) => {};
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident $(<$t:ident>)? {
            $($(#[$member:meta])* $mvis:vis $field:ident: $ty:ty $(= $default:expr)?,)+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug)]
        $vis struct $name $(<$t>)? {
            $($(#[$member])* $mvis $field: $ty,)+
        }

        impl $(<$t: $crate::scalar::Real>)? $crate::plain::Plain for $name $(<$t>)? {
            const WORDS: usize = 0 $(+ <$ty as $crate::plain::Plain>::WORDS)+;
            const MEMBERS: &'static [$crate::plain::Member] = &[$($crate::plain::Member {
                name: stringify!($field),
                offset: core::mem::offset_of!(Self, $field),
                bytes: size_of::<$ty>(),
            }),+];
            fn write(&self, words: &mut core::slice::IterMut<'_, u64>) {
                $(self.$field.write(words);)+
            }
            fn read(words: &mut core::slice::Iter<'_, u64>) -> Option<Self> {
                Some(Self { $($field: $crate::plain::Plain::read(words)?),+ })
            }
            fn same(&self, other: &Self) -> bool {
                true $(&& self.$field.same(&other.$field))+
            }
            fn known(&self) -> Result<(), $crate::plain::CodeError> {
                $(self.$field.known()?;)+
                Ok(())
            }
        }

        impl $(<$t: $crate::scalar::Real>)? PartialEq for $name $(<$t>)? {
            fn eq(&self, other: &Self) -> bool {
                $crate::plain::Plain::same(self, other)
            }
        }

        $crate::plain::plain!(@default $name [$($t)?] $($field $(= $default)?,)+);
    };
}
pub(crate) use plain;

/// Whether 0 < x < limit.
pub(crate) fn below<T: Real>(x: T, limit: T) -> bool {
    x > T::ZERO && x < limit
}

/// Whether 0 < x <= limit.
pub(crate) fn within<T: Real>(x: T, limit: T) -> bool {
    x > T::ZERO && x <= limit
}
