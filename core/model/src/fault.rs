//! Why something was refused, in sentences for people: what is wrong, where, and what mends it.

use crate::Error;
use std::fmt;

/// One or more complaints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Whether the request itself makes no sense, rather than that it failed.
    pub usage: bool,
    /// The sentences.
    pub said: Vec<String>,
}

impl Fault {
    /// What failed.
    pub fn failed(text: impl Into<String>) -> Self {
        Self { usage: false, said: vec![text.into()] }
    }

    /// A request that makes no sense.
    pub fn usage(text: impl Into<String>) -> Self {
        Self { usage: true, said: vec![text.into()] }
    }

    /// All complaints in one, unless there are none.
    pub fn all(complaints: Vec<Self>) -> Result<(), Self> {
        let mut complaints = complaints.into_iter();
        match complaints.next() {
            None => Ok(()),
            Some(first) => Err(complaints.fold(first, |mut all, one| {
                all.usage &= one.usage;
                all.said.extend(one.said);
                all
            })),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.said.join("\n"))
    }
}

impl std::error::Error for Fault {}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        match error {
            Error::Data(own) => at("the rows")(own),
            own => Self::failed(own.to_string()),
        }
    }
}

/// What failed while doing something: for `map_err`.
pub(crate) fn at<E: fmt::Display>(doing: &str) -> impl Fn(E) -> Fault + '_ {
    move |error| Fault::failed(format!("{doing}: {error}"))
}
