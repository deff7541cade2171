//! Categories by their texts.

use super::Column;
use crate::text::{general, real};
use std::borrow::Cow;
use std::cmp::Ordering;

/// A category's text: of numbers one form, so that 1 and 1.0 are the same; of more digits than a double holds, as it stands,
/// for it is an identifier.
pub(super) fn level_of(cell: &str) -> Cow<'_, str> {
    let digits = cell.bytes().filter(u8::is_ascii_digit).count();
    match real(cell) {
        Some(value) if digits <= 15 => Cow::Owned(general(value + 0.0, 15)),
        _ => Cow::Borrowed(cell),
    }
}

/// The order of categories: numbers by value, then words by their bytes.
pub fn level_order(a: &str, b: &str) -> Ordering {
    match (real(a), real(b)) {
        (Some(x), Some(y)) if x != y => x.total_cmp(&y),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        _ => a.cmp(b),
    }
}

impl Column {
    /// Whether its categories have an order of their own.
    pub(super) fn has_order(&self) -> bool {
        !self.levels.is_sorted_by(|a, b| level_order(a, b).is_lt())
    }

    /// Which class a text is.
    pub(super) fn class_of(&self, text: &str) -> Option<usize> {
        let text = level_of(text);
        self.levels.iter().position(|level| *level == text)
    }

    /// Where a category of an input is, or would be.
    pub(super) fn find(&self, text: &str) -> Result<usize, usize> {
        self.levels.binary_search_by(|level| level_order(level, text))
    }
}
