//! The frame of the ABI's functions, which the generator of the headers unfolds likewise.

/// Functions that return a status. Those behind `->` are outputs: pointers after the other arguments, checked before
/// the body, and written with what that comes to. Without them a function returns LCC_OK where its body comes to `()`,
/// else what it comes to. In a body `?` and `return Err` leave with an error, and pointers may be read, since the
/// headers' conventions say what each of them is.
macro_rules! abi {
    ($(
        $(#[$about:meta])*
        fn $name:ident($($argument:ident: $of:ty),* $(,)?) $(-> ($($out:ident: $to:ty),+))? $body:block
    )+) => {
        $($(#[$about])*
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($argument: $of,)* $($($out: *mut $to),+)?) -> i32 {
            // SAFETY: every pointer is NULL, misaligned, or as the headers' conventions ask.
            #[allow(clippy::unit_arg)]
            $crate::raw::call(|| unsafe {
                $($($crate::raw::writable($out)?;)+)?
                $crate::raw::Outputs::write(($($($out,)+)?), $body)
            })
        })+
    };
}

/// Functions of numbers alone: those of the core.
macro_rules! numbers {
    ($(
        $(#[$about:meta])*
        fn $name:ident($($argument:ident: $of:ty),* $(,)?) -> $to:ty = $core:path;
    )+) => {
        $($(#[$about])*
        #[unsafe(no_mangle)]
        pub extern "C" fn $name($($argument: $of),*) -> $to {
            let all = $($crate::abi::Size::at_least_0($argument))&&*;
            if all { $core($($argument),*) } else { <$to>::NAN }
        })+
    };
}

/// A number that is 0 or more.
pub(crate) trait Size {
    fn at_least_0(self) -> bool;
}
macro_rules! sizes {
    ($($own:ty: $number:ident => $is:expr),+) => {
        $(impl Size for $own {
            fn at_least_0(self) -> bool {
                let $number = self;
                $is
            }
        })+
    };
}
sizes! { usize: _size => true, u32: _size => true, f32: x => x >= 0.0, f64: x => x >= 0.0 }

/// Codes of one line each: type, name, value, and what it means.
macro_rules! codes {
    ($($of:ident $name:ident = $value:literal, $about:literal;)+) => {
        $(#[doc = $about] pub const $name: $of = $value;)+
    };
}

/// Types of handles: the core's type, its kind, and the function of [`crate::note`] that says where it is.
macro_rules! handle {
    ($($(#[$about:meta])* struct $name:ident: $core:ident<$real:ty>, $kind:ident, $note:ident;)+) => {
        $($(#[$about])*
        pub struct $name {
            _private: [u8; 0],
        }

        impl $crate::handle::Object for $name {
            const KIND: lcc_core::checkpoint::Kind = lcc_core::checkpoint::Kind::$kind;
            const HEAD: usize = $core::<$real>::HEAD;
            type Real = $real;
            type Core<'a> = $core<'a, $real>;

            fn open<'a>(
                memory: &'a mut [u8],
                isa: lcc_core::simd::Isa,
            ) -> Result<$core<'a, $real>, $crate::status::lcc_status> {
                Ok($core::open(memory, isa)?)
            }

            fn note(core: &mut $core<'_, $real>) -> $crate::handle::Note {
                $crate::note::$note(core)
            }
        })+
    };
}
