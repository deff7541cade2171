//! The bytes of a file as text: UTF-8, UTF-16 by its byte-order mark, else Latin-1 as Windows has it.

use crate::fault::Fault;
use crate::watch::Watch;
use encoding_rs::{UTF_16BE, UTF_16LE, WINDOWS_1252};
use std::borrow::Cow;

/// Whether the file begins as UTF-16 does.
pub(super) fn is_utf16(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff])
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
        let (order, own) =
            if bytes[0] == 0xff { (UTF_16LE, "UTF-16") } else { (UTF_16BE, "UTF-16") };
        let (text, broken) = order.decode_with_bom_removal(bytes);
        if broken {
            return Err(Fault::failed(format!(
                "{path}: is in UTF-16 and damaged: save it as UTF-8"
            )));
        }
        say(own);
        return without_zeros(path, text);
    }
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    if bytes.contains(&0) {
        return Err(Fault::failed(format!("{path}: is not a text file")));
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(Cow::Borrowed(text)),
        Err(_) => {
            say("no UTF-8 but Latin-1 (Windows-1252)");
            Ok(WINDOWS_1252.decode_without_bom_handling(bytes).0)
        }
    }
}

fn without_zeros<'a>(path: &str, text: Cow<'a, str>) -> Result<Cow<'a, str>, Fault> {
    if text.contains('\0') {
        return Err(Fault::failed(format!("{path}: is not a text file")));
    }
    Ok(text)
}
