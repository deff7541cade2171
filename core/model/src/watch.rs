//! Who watches a long work: hears remarks and progress, and may stop it.

/// All have a default, which is silence.
pub trait Watch: Sync {
    /// A remark for people, which is no reason to stop.
    fn say(&self, text: &str) {
        let _ = text;
    }

    /// The share of the work that is done, and what is going on.
    fn progress(&self, share: f64, what: &str) {
        let _ = (share, what);
    }

    /// Whether the work is to end as soon as it can.
    fn stopped(&self) -> bool {
        false
    }
}

/// Nobody.
pub struct Silent;

impl Watch for Silent {}

/// A part of a work, from a share on: its own progress counts from 0 to 1.
pub(crate) struct Part<'a> {
    whole: &'a dyn Watch,
    from: f64,
    width: f64,
}

impl<'a> Part<'a> {
    /// From share to share of the whole.
    pub(crate) fn of(whole: &'a dyn Watch, from: f64, to: f64) -> Self {
        Self { whole, from, width: to - from }
    }
}

impl Watch for Part<'_> {
    fn say(&self, text: &str) {
        self.whole.say(text);
    }
    fn progress(&self, share: f64, what: &str) {
        self.whole.progress(self.from + self.width * share.min(1.0), what);
    }
    fn stopped(&self) -> bool {
        self.whole.stopped()
    }
}
