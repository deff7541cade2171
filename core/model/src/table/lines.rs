//! Text cut into lines and cells. A line ends with CR, LF or both; one that ends in quotes goes on.

use crate::text::real;

/// What cells may be separated by, the likeliest first.
pub(super) const DELIMITERS: [u8; 4] = *b",;\t|";

/// What a cell ends with: a delimiter, a line or the text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Cell,
    Line,
    Text,
}

/// Where a cell lies, and what comes behind it.
struct Cut {
    start: usize,
    end: usize,
    next: usize,
    by: End,
}

/// Bytes of blanks that are no delimiter; byte-order marks too, which joined files have in their middle.
fn blanks(text: &[u8], between: u8) -> usize {
    let mut at = 0;
    loop {
        at += match text.get(at..).unwrap_or(&[]) {
            [b' ', ..] => 1,
            [b'\t', ..] if between != b'\t' => 1,
            [0xef, 0xbb, 0xbf, ..] => 3,
            _ => return at,
        }
    }
}

/// The first byte from there on that is one of some.
fn find(text: &[u8], from: usize, is: impl Fn(u8) -> bool) -> Option<usize> {
    text[from..].iter().position(|c| is(*c)).map(|k| from + k)
}

/// The first cell, which may stand in double quotes ("" inside is one quote). `None` where the quotes are not closed or text
/// follows them.
fn cut(text: &[u8], between: u8) -> Option<Cut> {
    let mut start = blanks(text, between);
    let (mut at, end);
    if text.get(start) == Some(&b'"') {
        start += 1;
        at = find(text, start, |c| c == b'"')?;
        while text.get(at + 1) == Some(&b'"') {
            at = find(text, at + 2, |c| c == b'"')?;
        }
        end = at;
        at += 1;
        at += blanks(&text[at..], between);
    } else {
        at = find(text, start, |c| c == between || c == b'\n' || c == b'\r').unwrap_or(text.len());
        let blank = |c: &u8| *c == b' ' || (*c == b'\t' && between != b'\t');
        end = start + text[start..at].iter().rposition(|c| !blank(c)).map_or(0, |k| k + 1);
    }
    let by = match text.get(at) {
        None => End::Text,
        Some(c) if *c == between => {
            at += 1;
            End::Cell
        }
        Some(b'\n' | b'\r') => {
            at = find(text, at, |c| c != b'\r').unwrap_or(text.len());
            let whole = at < text.len();
            at += usize::from(text.get(at) == Some(&b'\n'));
            if whole { End::Line } else { End::Text }
        }
        Some(_) => return None,
    };
    Some(Cut { start, end, next: at, by })
}

/// Cuts the next cell off into `out`.
pub(super) fn next_cell(rest: &mut &str, between: u8, out: &mut String) -> Option<End> {
    let Cut { start, end, next, by } = cut(rest.as_bytes(), between)?;
    let text = rest.get(start..end)?;
    if rest[..start].ends_with('"') {
        *out += &text.replace("\"\"", "\"");
    } else {
        *out += text;
    }
    *rest = rest.get(next..)?;
    Some(by)
}

/// The bytes of a first line that is blank.
pub(super) fn blank_line(text: &[u8], between: u8) -> Option<usize> {
    let own = cut(text, between).filter(|own| own.by == End::Line && own.start == own.end)?;
    (!text[..own.start].contains(&b'"')).then_some(own.next)
}

/// The first row: its cells, its bytes, and whether all of it is there.
pub(super) fn row(text: &[u8], between: u8) -> (usize, usize, bool) {
    let (mut cells, mut at) = (1, 0);
    while let Some(own) = cut(&text[at..], between) {
        at += own.next;
        match own.by {
            End::Cell => cells += 1,
            by => return (cells, at, by == End::Line),
        }
    }
    (cells, text.len(), false)
}

/// The end of the last row that is surely one, and all there. What may be none waits for what comes.
pub(super) fn last_row(text: &[u8], head: &Head) -> Option<usize> {
    let names = text.get(head.start..head.rows)?;
    let (mut at, mut last) = (head.rows, None);
    loop {
        let (_, length, whole) = row(text.get(at..)?, head.between);
        if !whole {
            return last;
        }
        let own = &text[at..at + length];
        at += length;
        if own != names && own[0] != b'#' && !own.iter().all(|c| is_empty(*c)) {
            last = Some(at);
        }
    }
}

/// What a row without a value is made of: spreadsheets write such rows below a table.
pub(super) fn is_empty(c: u8) -> bool {
    c.is_ascii_whitespace() || DELIMITERS.contains(&c)
}

/// How a file begins.
#[derive(Clone, Copy, Default)]
pub(super) struct Head {
    /// Where the names are,
    pub(super) start: usize,
    /// in which line, from 1,
    pub(super) line: usize,
    /// where the rows begin, and where the first of them ends.
    pub(super) rows: usize,
    pub(super) first: usize,
    /// Blank lines and comments above.
    pub(super) above: usize,
    /// The delimiter.
    pub(super) between: u8,
    /// Nothing names it.
    pub(super) guessed: bool,
    pub(super) cells: usize,
    /// The first row has as many cells.
    pub(super) fits: bool,
    /// That row is all there.
    pub(super) whole: bool,
}

impl Head {
    /// A first line may name the delimiter, as spreadsheets write; comments above the names begin with #, and the last of
    /// them has the names if the line below has numbers. `None` where the first row is not all there yet.
    pub(super) fn of(text: &[u8], named: Option<u8>, ended: bool) -> Option<Self> {
        let line = |at: usize| row(&text[at..], 0).1;
        let (mut at, mut own, mut comment) = (0, Self { line: 1, ..Self::default() }, None);
        let first = text[blanks(text, 0)..line(0)].trim_ascii();
        let inside = first.strip_prefix(b"\"").and_then(|inside| inside.strip_suffix(b"\""));
        let mut named = named;
        if let [b's' | b'S', b'e' | b'E', b'p' | b'P', b'=', by] = inside.unwrap_or(first) {
            named = named.or(Some(*by));
            (at, own.line) = (line(0), 2);
        }
        at += blanks(&text[at..], b'\t');
        loop {
            if text.get(at) == Some(&b'#') {
                comment = Some(at + 1);
                at += line(at);
            } else if let Some(blank) = blank_line(&text[at..], 0) {
                at += blank;
            } else {
                break;
            }
            own = Self { line: own.line + 1, above: own.above + 1, ..own };
        }
        own.guessed = named.is_none();
        let head = own.under(text, at, named)?;
        // What numpy.savetxt writes.
        let noted = comment.and_then(|start| own.under(text, start, Some(head.between)));
        let noted = noted.filter(|noted| noted.rows == at && noted.cells == head.cells);
        let above = noted.filter(|own| own.cells > 1 && has_number(&text[at..], head.between));
        let head = above.map_or(head, |n| Self { line: n.line - 1, above: n.above - 1, ..n });
        (head.whole || ended).then_some(head)
    }

    /// The same with the names there, and the delimiter under which they and the first row have as many cells.
    pub(super) fn under(self, text: &[u8], start: usize, named: Option<u8>) -> Option<Self> {
        let one = |between: u8| {
            let (cells, length, _) = row(&text[start..], between);
            let mut first = start + length;
            while let Some(blank) = blank_line(&text[first..], between) {
                first += blank;
            }
            let (its, more, whole) = row(&text[first..], between);
            let fits = cells == its || first == text.len();
            Self {
                start,
                rows: start + length,
                first: first + more,
                between,
                cells,
                fits,
                whole,
                ..self
            }
        };
        let all: Vec<_> = DELIMITERS.into_iter().map(one).collect();
        let best = all.iter().find(|own| own.cells > 1 && own.fits);
        let best = best.or(all.iter().find(|own| own.cells > 1)).or(all.first()).copied();
        let whole = all.iter().all(|own| own.whole);
        named.map(one).or(best.map(|own| Self { whole, ..own }))
    }
}

/// Whether the first row has a cell that is a number.
fn has_number(text: &[u8], between: u8) -> bool {
    let mut at = 0;
    while let Some(own) = cut(&text[at..], between) {
        let cell = std::str::from_utf8(&text[at + own.start..at + own.end]);
        if cell.is_ok_and(|cell| real(cell).is_some()) {
            return true;
        }
        at += own.next;
        if own.by != End::Cell {
            break;
        }
    }
    false
}

/// Another delimiter that the header seems to have, which is none of ours.
pub(super) fn foreign_delimiter(header: &str) -> Option<&'static str> {
    if row(header.as_bytes(), b':').0 > 1 {
        return Some("colons");
    }
    (header.split_whitespace().count() > 1).then_some("blanks")
}

/// The delimiter of that name.
pub(super) fn delimiter_of(name: &str) -> Option<u8> {
    match name {
        "comma" | "," => Some(b','),
        "semicolon" | ";" => Some(b';'),
        "tab" | "\t" | "\\t" => Some(b'\t'),
        "bar" | "|" => Some(b'|'),
        _ => None,
    }
}
