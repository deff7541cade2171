//! Lines cut into cells.

/// A blank that is no delimiter; CR too, of which some programs write several.
fn is_blank(c: char, between: u8) -> bool {
    c == ' ' || c == '\r' || (c == '\t' && between != b'\t')
}

/// Cuts the next line off, without its end.
pub(super) fn next_line<'a>(rest: &mut Option<&'a str>) -> Option<&'a str> {
    let text = rest.filter(|text| !text.is_empty())?;
    let (line, more) = match text.split_once('\n') {
        Some((line, more)) => (line, Some(more)),
        None => (text, None),
    };
    *rest = more;
    Some(line.strip_suffix('\r').unwrap_or(line))
}

/// Cuts the next cell off into `out`, which may stand in double quotes ("" inside is one quote). `None` where the quotes
/// are not closed or text follows them.
pub(super) fn next_cell(rest: &mut Option<&str>, between: u8, out: &mut String) -> Option<()> {
    let delimiter = between as char;
    let line = rest.unwrap_or("").trim_start_matches(|c| is_blank(c, between));
    let Some(mut quoted) = line.strip_prefix('"') else {
        let (cell, more) = match line.split_once(delimiter) {
            Some((cell, more)) => (cell, Some(more)),
            None => (line, None),
        };
        *rest = more;
        out.push_str(cell.trim_end_matches(|c| is_blank(c, between)));
        return Some(());
    };
    loop {
        let (part, more) = quoted.split_once('"')?;
        out.push_str(part);
        match more.strip_prefix('"') {
            Some(inside) => {
                out.push('"');
                quoted = inside;
            }
            None => {
                let after = more.trim_start_matches(|c| is_blank(c, between));
                *rest = after.strip_prefix(delimiter);
                return (rest.is_some() || after.is_empty()).then_some(());
            }
        }
    }
}

/// The cells of the first line of a text; what stands in quotes does not divide.
fn cells_of(text: &str, between: u8) -> usize {
    let mut quoted = false;
    let line = text.bytes().take_while(|c| *c != b'\n');
    1 + line.fold(0, |count, c| {
        quoted ^= c == b'"';
        count + usize::from(!quoted && c == between)
    })
}

/// The delimiter under which the header and the first row have as many cells, more than one; else a comma.
pub(super) fn guess_delimiter(header: &str, first_row: Option<&str>) -> u8 {
    let all = [b',', b';', b'\t'];
    let fits = |d: &u8| {
        let cells = cells_of(header, *d);
        cells > 1 && first_row.is_none_or(|row| cells_of(row, *d) == cells)
    };
    let some = |d: &u8| cells_of(header, *d) > 1;
    all.iter().copied().find(fits).or(all.iter().copied().find(some)).unwrap_or(b',')
}

/// Another delimiter that the header seems to have, which is none of ours.
pub(super) fn foreign_delimiter(header: &str) -> Option<&'static str> {
    if cells_of(header, b'|') > 1 {
        return Some("vertical bars");
    }
    (header.split_whitespace().count() > 1).then_some("blanks")
}

/// The delimiter of that name.
pub(super) fn delimiter_of(name: &str) -> Option<u8> {
    match name {
        "comma" | "," => Some(b','),
        "semicolon" | ";" => Some(b';'),
        "tab" | "\t" | "\\t" => Some(b'\t'),
        _ => None,
    }
}
