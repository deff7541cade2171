//! The frame of the ABI's functions, which the generator of the headers unfolds likewise.

/// Functions that return a status: LCC_OK where the body comes to `()`, else what it comes to. In a body `?` and
/// `return Err` leave with an error, and pointers may be read, since the headers' conventions say what each of them is.
macro_rules! abi {
    ($($(#[$about:meta])* fn $name:ident($($argument:ident: $of:ty),* $(,)?) $body:block)+) => {
        $($(#[$about])*
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($argument: $of),*) -> i32 {
            // SAFETY: every pointer is NULL, misaligned, or as the headers' conventions ask.
            #[allow(clippy::useless_conversion, clippy::unit_arg)]
            $crate::raw::call(|| unsafe { Ok($crate::status::lcc_status::from($body)) })
        })+
    };
}

/// Codes of one line each: type, name, value, and what it means.
macro_rules! codes {
    ($($of:ident $name:ident = $value:literal, $about:literal;)+) => {
        $(#[doc = $about] pub const $name: $of = $value;)+
    };
}
