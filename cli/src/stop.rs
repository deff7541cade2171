//! How a command ends other than well.

use crate::terminal::warn;
use lcc_model::fault::Fault;

/// 1 failed, 2 wrong usage, 130 interrupted.
#[derive(Debug)]
pub(crate) enum Stop {
    /// With sentences.
    Fault(Fault),
    /// What was drawn until then is kept.
    Interrupted,
}

/// Of a command.
pub(crate) type Done = Result<(), Stop>;

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// What failed.
pub(crate) fn failed(text: impl Into<String>) -> Stop {
    Fault::failed(text).into()
}

/// What makes no sense.
pub(crate) fn usage(text: impl Into<String>) -> Stop {
    Fault::usage(text).into()
}

/// Refuses a request to a command where one of these holds: a row each, with what is wrong.
macro_rules! refuse {
    ($command:literal: $($wrong:expr => $what:literal;)+) => {
        $(if $wrong {
            return Err($crate::stop::usage(format!("{}: {}", $command, format_args!($what))));
        })+
    };
}
pub(crate) use refuse;

impl Stop {
    /// Says what there is to say; the exit code.
    pub(crate) fn say(&self) -> u8 {
        match self {
            Self::Interrupted => 130,
            Self::Fault(fault) => {
                fault.said.iter().for_each(|line| warn(line));
                if fault.usage { 2 } else { 1 }
            }
        }
    }
}
