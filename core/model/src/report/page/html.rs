//! A page for people: HTML in one file, without scripts, without anything from elsewhere.

use super::{STYLE, escaped};

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
