//! Errors, each a table of sentences.

/// An enum of errors: what each says, which is its documentation too, and the errors of others that it takes in.
/// Those after `from` convert by themselves.
macro_rules! errors {
    (
        $(#[$meta:meta])*
        pub enum $name:ident {
            $($(#[$doc:meta])* $variant:ident = $text:literal,)*
        }
        $(from { $($(#[$other_doc:meta])* $other:ident($error:ty),)+ })?
        $(also { $($(#[$also_doc:meta])* $also:ident($also_error:ty),)+ })?
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $(#[doc = concat!("It says: ", $text, ".")] $(#[$doc])* $variant,)*
            $($(#[doc = concat!("A [`", stringify!($error), "`].")] $(#[$other_doc])* $other($error),)+)?
            $($(#[doc = concat!("A [`", stringify!($also_error), "`].")] $(#[$also_doc])* $also($also_error),)+)?
        }

        impl core::fmt::Display for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                match self {
                    $(Self::$variant => f.write_str($text),)*
                    $($(Self::$other(e) => e.fmt(f),)+)?
                    $($(Self::$also(e) => e.fmt(f),)+)?
                }
            }
        }

        impl core::error::Error for $name {}

        $($(impl From<$error> for $name {
            fn from(e: $error) -> Self {
                Self::$other(e)
            }
        })+)?
    };
}
pub(crate) use errors;

/// An error where something is so.
pub(crate) fn refuse<E>(so: bool, error: E) -> Result<(), E> {
    if so { Err(error) } else { Ok(()) }
}
