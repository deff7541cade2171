//! A page for people: HTML in one file, without scripts, without anything from elsewhere; and the figures in it, in the units
//! of the data, which look as the style sheet has it, by class.

use super::{DIGIT, STYLE, escaped, longest, ticks, ticks_across};
use std::fmt::Write as _;

/// A page by its body.
pub(super) fn whole(title: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>{}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n",
        escaped(title)
    )
}

/// A body that is being written.
#[derive(Default)]
pub(super) struct Page(pub(super) String);

impl Page {
    pub(super) fn raw(&mut self, html: &str) {
        self.0 += html;
    }

    pub(super) fn say(&mut self, text: &str) {
        self.0 += &escaped(text);
    }

    /// A paragraph.
    pub(super) fn paragraph(&mut self, text: &str) {
        self.0 += &format!("<p>{}</p>\n", escaped(text));
    }

    /// A paragraph that is less important.
    pub(super) fn note(&mut self, text: &str) {
        self.0 += &format!("<p class=\"note\">{}</p>\n", escaped(text));
    }

    /// A heading, and a paragraph below it.
    pub(super) fn section(&mut self, heading: &str, intro: Option<&str>) {
        self.0 += &format!("<h2>{}</h2>\n", escaped(heading));
        if let Some(intro) = intro {
            self.paragraph(intro);
        }
    }

    /// Figures side by side where there is room.
    pub(super) fn figures(&mut self, own: impl FnOnce(&mut Self)) {
        self.raw("<div class=\"figures\">\n");
        own(self);
        self.raw("</div>\n");
    }

    /// A figure and its caption.
    pub(super) fn figure(&mut self, svg: &str, caption: &str) {
        self.figure_with(svg, &escaped(caption));
    }

    /// With a caption in HTML, none where it is empty.
    pub(super) fn figure_with(&mut self, svg: &str, caption: &str) {
        self.0 += &match caption {
            "" => format!("<figure>\n{svg}</figure>\n"),
            _ => format!("<figure>\n{svg}<figcaption>{caption}</figcaption></figure>\n"),
        };
    }

    /// A table by its headings; the first column is text, the others are numbers.
    pub(super) fn table(&mut self, headings: &[&str], rows: impl FnOnce(&mut Self)) {
        let cells: String = headings.iter().map(|h| format!("<th>{}</th>", escaped(h))).collect();
        self.0 +=
            &format!("<div class=\"wide\"><table>\n<thead><tr>{cells}</tr></thead>\n<tbody>\n");
        rows(self);
        self.raw("</tbody></table></div>\n");
    }

    /// A table of facts.
    pub(super) fn facts(&mut self, rows: impl FnOnce(&mut Self)) {
        self.raw("<div class=\"wide\"><table class=\"facts\">\n<tbody>\n");
        rows(self);
        self.raw("</tbody></table></div>\n");
    }

    pub(super) fn row(&mut self, cells: &[String]) {
        let cells: String = cells.iter().map(|c| format!("<td>{}</td>", escaped(c))).collect();
        self.0 += &format!("<tr>{cells}</tr>\n");
    }

    /// What, and a value.
    pub(super) fn fact(&mut self, what: &str, value: &str) {
        self.row(&[what.into(), value.into()]);
    }
}

/// A number to four digits, whole ones to all, without an exponent where that is short.
pub(super) fn number(value: f64) -> String {
    const DIGITS: i32 = 4;
    let size = value.abs();
    if !value.is_finite() {
        return crate::text::general(value, 3);
    }
    let before = if size > 0.0 { size.log10().floor() as i32 + 1 } else { 1 };
    if value == value.floor() && before <= 7 {
        format!("{value:.0}")
    } else if size != 0.0 && !(-3..=9).contains(&before) {
        crate::text::general(value, 3)
    } else {
        format!("{value:.*}", (DIGITS - before).max(0) as usize)
    }
}

/// A sheet as wide as a telephone, where nothing is scaled down.
const SHEET: f64 = 340.0;
const LEFT: f64 = 46.0;
const RIGHT: f64 = 10.0;
const TOP: f64 = 8.0;
const BOTTOM: f64 = 40.0;
/// Of the texts, as the style sheet has it, of a letter and of a line.
const SIZE: f64 = 11.0;
const LETTER: f64 = DIGIT * SIZE;
const LINE: f64 = 16.0;

/// The plot area, in pixels, and the ends of the axes: across, up.
pub(super) struct Chart {
    pub(super) svg: String,
    left: f64,
    pub(super) width: f64,
    height: f64,
    pub(super) low: [f64; 2],
    pub(super) high: [f64; 2],
    /// Set before [`axes`](Self::axes): this axis has names in place of numbers.
    pub(super) words: [bool; 2],
}

/// As much of a text as there is room for.
fn fitted(text: &str, room: f64) -> String {
    let most = if room > 2.0 * LETTER { (room / LETTER + 1e-9) as usize } else { 2 };
    if text.chars().count() <= most {
        return escaped(text);
    }
    let some: String = text.chars().take(most - 1).collect();
    escaped(&(some + "\u{2026}"))
}

impl Chart {
    /// Of that height; `said` is what it shows, for whoever does not see it.
    pub(super) fn new(height: f64, said: &str) -> Self {
        let (said, sheet) = (escaped(said), TOP + height + BOTTOM);
        let svg = format!(
            "<svg viewBox=\"0 0 {SHEET:.0} {sheet:.0}\" role=\"img\" aria-label=\"{said}\"><title>{said}</title>\n"
        );
        let (width, ends) = (SHEET - LEFT - RIGHT, [0.0; 2]);
        Self { svg, left: LEFT, width, height, low: ends, high: ends, words: [false; 2] }
    }

    pub(super) fn end(mut self) -> String {
        self.svg += "</svg>\n";
        self.svg
    }

    pub(super) fn x(&self, value: f64) -> f64 {
        self.left + (value - self.low[0]) / (self.high[0] - self.low[0]) * self.width
    }

    pub(super) fn y(&self, value: f64) -> f64 {
        TOP + self.height - (value - self.low[1]) / (self.high[1] - self.low[1]) * self.height
    }

    /// The ends of an axis about these values; of one value, about it.
    pub(super) fn range(&mut self, axis: usize, low: f64, high: f64, air: f64) {
        let more = match () {
            () if high > low => air * (high - low),
            () if low != 0.0 => 0.1 * low.abs(),
            () => 1.0,
        };
        (self.low[axis], self.high[axis]) = (low - more, high + more);
    }

    /// Moves the left end, so that names beside it have so many pixels: before anything is drawn. Numbers have theirs.
    pub(super) fn room(&mut self, pixels: f64) {
        let more = (pixels + LINE + 6.0 - self.left).max(0.0);
        self.left += more;
        self.width -= more;
    }

    /// Across, in so many pixels; upwards, in those at the left.
    pub(super) fn name(&mut self, axis: usize, at: f64, name: &str, room: f64) {
        let x = if axis == 0 { self.x(at) } else { self.left - 6.0 };
        let length = room.min(LETTER * name.len() as f64);
        let end = axis == 1 || x + 0.5 * length > SHEET - 1.0;
        let (class, own) =
            if end { ("e", if axis == 0 { SHEET - 1.0 } else { x }) } else { ("m", x) };
        let y = if axis == 0 { TOP + self.height + 15.0 } else { self.y(at) + 3.5 };
        let text = fitted(name, if axis == 0 { room } else { self.left - LINE - 6.0 });
        let _ =
            writeln!(self.svg, "<text class=\"{class}\" x=\"{own:.1}\" y=\"{y:.1}\">{text}</text>");
    }

    fn ticks(&self, axis: usize) -> Vec<(f64, String)> {
        let (low, high) = (self.low[axis], self.high[axis]);
        match axis {
            0 => ticks_across((low, high), 6.0, self.width, SIZE),
            _ => ticks(low, high, 5.0),
        }
    }

    /// Grid, numbers at round ticks, and what the axes are; as much of the words as there is room for.
    pub(super) fn axes(&mut self, across: &str, up: &str) {
        // Upwards first: its numbers say how wide the other is.
        for axis in [1, 0] {
            if self.words[axis] {
                continue;
            }
            let ticks = self.ticks(axis);
            if axis == 1 {
                self.room(longest(&ticks, SIZE));
            }
            for (at, text) in ticks {
                let (left, width, height) = (self.left, self.width, self.height);
                let path = match axis {
                    0 => format!("M{:.1} {TOP:.1}v{height:.1}", self.x(at)),
                    _ => format!("M{left:.1} {:.1}h{width:.1}", self.y(at)),
                };
                let _ = write!(self.svg, "<path class=\"g\" d=\"{path}\"/>");
                self.name(axis, at, &text, SHEET);
            }
        }
        let (middle, below) = (self.left + self.width / 2.0, TOP + self.height + 33.0);
        let (across, half) = (fitted(across, self.width + 2.0 * RIGHT), TOP + self.height / 2.0);
        let up = fitted(up, self.height + 2.0 * TOP);
        let _ = write!(
            self.svg,
            "<text class=\"m a\" x=\"{middle:.1}\" y=\"{below:.1}\">{across}</text>\n\
             <text class=\"m a\" transform=\"translate(10 {half:.1}) rotate(-90)\">{up}</text>\n"
        );
    }

    /// What lies outside is drawn at the edge.
    fn inside(&self, x: f64, y: f64) -> (f64, f64) {
        let (x, y) = (self.x(x), self.y(y));
        (x.clamp(self.left, self.left + self.width), y.clamp(TOP, TOP + self.height))
    }

    fn path(&mut self, kind: &str, points: impl Iterator<Item = (f64, f64)>, end: &str) {
        let mut d = String::new();
        for (i, (x, y)) in points.enumerate() {
            let (x, y) = self.inside(x, y);
            let _ = write!(d, "{}{x:.1} {y:.1}", if i == 0 { 'M' } else { 'L' });
        }
        let _ = writeln!(self.svg, "<path class=\"{kind}\" d=\"{d}{end}\"/>");
    }

    pub(super) fn line(&mut self, kind: &str, x: &[f64], y: &[f64]) {
        self.path(kind, x.iter().copied().zip(y.iter().copied()), "");
    }

    pub(super) fn segment(&mut self, kind: &str, from: (f64, f64), to: (f64, f64)) {
        self.path(kind, [from, to].into_iter(), "");
    }

    pub(super) fn band(&mut self, kind: &str, x: &[f64], low: &[f64], high: &[f64]) {
        let up = x.iter().copied().zip(high.iter().copied());
        let down = x.iter().copied().zip(low.iter().copied()).rev();
        self.path(kind, up.chain(down), "Z");
    }

    /// Many upright lines of a class.
    pub(super) fn uprights(&mut self, kind: &str, all: impl Iterator<Item = (f64, (f64, f64))>) {
        let mut d = String::new();
        for (x, (low, high)) in all {
            let ((x, low), (_, high)) = (self.inside(x, low), self.inside(x, high));
            let _ = write!(d, "M{x:.1} {low:.1}V{high:.1}");
        }
        let _ = writeln!(self.svg, "<path class=\"{kind}\" d=\"{d}\"/>");
    }

    /// Many points of a class.
    pub(super) fn points(&mut self, kind: &str, all: impl Iterator<Item = (f64, f64)>) {
        let _ = writeln!(self.svg, "<g class=\"{kind}\">");
        for (x, y) in all {
            let (x, y) = self.inside(x, y);
            let _ = writeln!(self.svg, "<path d=\"M{x:.1} {y:.1}h0\"/>");
        }
        self.svg += "</g>\n";
    }

    pub(super) fn bar(&mut self, kind: &str, x: (f64, f64), y: (f64, f64)) {
        let ((left, bottom), (right, top)) = (self.inside(x.0, y.0), self.inside(x.1, y.1));
        let (width, height) = (right - left, bottom - top);
        let _ = writeln!(
            self.svg,
            "<rect class=\"{kind}\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"/>"
        );
    }
}
