//! Options whose value is one of some names.

use crate::fault::Fault;
use crate::table::similar;

/// That there is no such name, and which there are.
pub fn unknown<'a>(option: &str, given: &str, names: impl IntoIterator<Item = &'a str>) -> Fault {
    let names: Vec<&str> = names.into_iter().collect();
    let near = similar(given, names.iter().copied());
    let near = near.map_or(String::new(), |near| format!("; is \"{near}\" meant?"));
    let all = names.join(" ");
    Fault::usage(format!("{option}: this build has no \"{given}\"{near}; it has: {all}"))
}

/// The choice of that name.
pub fn choose<T: Copy>(option: &str, given: &str, all: &[(&'static str, T)]) -> Result<T, Fault> {
    let found = all.iter().find(|(name, _)| *name == given).map(|(_, choice)| *choice);
    found.ok_or_else(|| unknown(option, given, all.iter().map(|(name, _)| *name)))
}
