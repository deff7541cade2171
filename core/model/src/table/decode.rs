//! The bytes of a file as text: UTF-8, UTF-16 by its byte-order mark, else Latin-1 as Windows has it.

use crate::fault::Fault;
use crate::watch::Watch;
use encoding_rs::{UTF_16BE, UTF_16LE, WINDOWS_1252};
use std::borrow::Cow;

/// Whether the file begins as UTF-16 does, with a byte-order mark or two characters of ASCII.
pub(super) fn is_utf16(bytes: &[u8]) -> bool {
    let zero = |k: usize| bytes.get(k) == Some(&0);
    bytes.starts_with(&[0xff, 0xfe])
        || bytes.starts_with(&[0xfe, 0xff])
        || (zero(0) != zero(1) && zero(0) == zero(2) && zero(1) == zero(3))
}

/// What is no table of text, and what to do.
fn refuse_other(path: &str, bytes: &[u8]) -> Result<(), Fault> {
    let begins = |with: &str| {
        let own = bytes.trim_ascii_start();
        own.get(..with.len()).is_some_and(|own| own.eq_ignore_ascii_case(with.as_bytes()))
    };
    let zero = bytes.iter().position(|c| *c == 0);
    let what = match bytes {
        [b'P', b'K', 3, 4, ..] => {
            "is a spreadsheet (.xlsx, .ods) or another zip archive: save the sheet as CSV".into()
        }
        [0x1f, 0x8b, ..] => "is compressed: unpack it (gunzip)".into(),
        _ if ["<html", "<!doctype", "<?xml", "<table"].into_iter().any(begins) => {
            "is HTML or XML: save the table as CSV".into()
        }
        _ if ["{\"", "[{", "[["].into_iter().any(begins) => "is JSON: save the table as CSV".into(),
        _ => match zero {
            None => return Ok(()),
            Some(at) => {
                let line = 1 + bytes[..at].iter().filter(|c| **c == b'\n').count();
                format!("is not a text file: line {line} has a NUL byte (save it as CSV in UTF-8)")
            }
        },
    };
    Err(Fault::failed(format!("{path}: {what}")))
}

/// The text, without a byte-order mark. What is converted is said, unless these are later rows of a file.
pub(super) fn decode<'a>(
    path: &str,
    bytes: &'a [u8],
    later: bool,
    watch: &dyn Watch,
) -> Result<Cow<'a, str>, Fault> {
    let say = |what: &str| {
        if !later {
            watch.say(&format!("{path}: is in {what}, and read as such"));
        }
    };
    if is_utf16(bytes) {
        let (order, own) = if bytes[0] == 0xff || bytes[1] == 0 {
            (UTF_16LE, "UTF-16")
        } else {
            (UTF_16BE, "UTF-16")
        };
        let (text, broken) = order.decode_with_bom_removal(bytes);
        if broken {
            return Err(Fault::failed(format!(
                "{path}: is in UTF-16 and damaged: save it as UTF-8"
            )));
        }
        say(own);
        return refuse_other(path, text.as_bytes()).map(|()| text);
    }
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    refuse_other(path, bytes)?;
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(Cow::Borrowed(text)),
        Err(_) => {
            say("no UTF-8 but Latin-1 (Windows-1252)");
            Ok(WINDOWS_1252.decode_without_bom_handling(bytes).0)
        }
    }
}
