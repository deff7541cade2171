//! A file that holds the state of a run, and the settings it belongs to: a first line, a line with the checksum of all that
//! follows it, the settings as `name value` lines, an empty line, the state.

use crate::fault::Fault;
use crate::table::read_bytes;
use crate::text::checksum;
use crate::watch::Watch;
use web_time::Instant;

const FIRST: &str = "lcc checkpoint 3\n";
/// Between two of them: the first comes soon, so that short runs have one.
const LEAST_PAUSE: f64 = 0.02;
const MOST_PAUSE: f64 = 2.0;

/// Where it is, and how it is written.
pub struct Checkpoint {
    /// The file.
    pub path: String,
    /// Begin with what it holds.
    pub resume: bool,
    /// Replaces the file by these bytes.
    pub write: Box<dyn Fn(&[u8]) -> Result<(), Fault>>,
    /// What decides the draws.
    pub(crate) settings: String,
    saved: Instant,
    pause: f64,
    failed: bool,
}

impl Checkpoint {
    /// Of that file.
    pub fn new(path: &str, resume: bool, write: Box<dyn Fn(&[u8]) -> Result<(), Fault>>) -> Self {
        let path = path.to_string();
        let (settings, saved) = (String::new(), Instant::now());
        Self { path, resume, write, settings, saved, pause: 0.0, failed: false }
    }

    /// Whether it is time to save again.
    pub(crate) fn is_due(&self) -> bool {
        self.saved.elapsed().as_secs_f64() >= self.pause
    }

    /// Replaces the file, where there is one and it is time to.
    pub(crate) fn save_due(
        own: Option<&mut Self>,
        state: impl FnOnce() -> Result<Vec<u8>, Fault>,
        watch: &dyn Watch,
    ) -> Result<(), Fault> {
        if let Some(own) = own.filter(|own| own.is_due()) {
            own.save(&state()?, watch);
        }
        Ok(())
    }

    /// Replaces the file. A file that cannot be written is said once, and the run goes on.
    pub(crate) fn save(&mut self, state: &[u8], watch: &dyn Watch) {
        let settings = self.settings.as_bytes();
        let sum = checksum([settings, b"\n", state]);
        let head = format!("{FIRST}checksum {sum:016x}\n");
        let whole = [head.as_bytes(), settings, b"\n", state].concat();
        self.pause = (2.0 * self.pause).clamp(LEAST_PAUSE, MOST_PAUSE);
        match (self.write)(&whole) {
            Ok(()) => self.failed = false,
            Err(_) if self.failed => {}
            Err(fault) => {
                self.failed = true;
                watch.say(&format!("{fault}; the run goes on without a checkpoint"));
            }
        }
        self.saved = Instant::now();
    }

    /// The state that was saved.
    pub(crate) fn load(&self) -> Result<Vec<u8>, Fault> {
        let bytes = read_bytes(&self.path)?;
        let refuse = |what: &str| Err(Fault::failed(format!("{}: {what}", self.path)));
        // Up to the version.
        let (name, version) = FIRST.as_bytes().split_at(FIRST.len() - 2);
        let Some(rest) = bytes.strip_prefix(name).filter(|rest| rest.len() >= 2) else {
            return refuse("is not a checkpoint of this program");
        };
        let Some(rest) = rest.strip_prefix(version) else {
            return refuse(
                "is a checkpoint of another version of lcc: go on with that version, or run without --resume",
            );
        };
        let sum = rest.get(..26).unwrap_or(&[]);
        let body = rest.get(26..).unwrap_or(&[]);
        if sum != format!("checksum {:016x}\n", checksum([body])).as_bytes() {
            return refuse(
                "its checksum does not match, so it was changed or damaged: take an unchanged copy, or run without \
                 --resume",
            );
        }
        let own =
            body.strip_prefix(self.settings.as_bytes()).and_then(|rest| rest.strip_prefix(b"\n"));
        match own {
            Some(state) => Ok(state.to_vec()),
            None => Err(self.explain(body)),
        }
    }

    /// Which setting differs first.
    fn explain(&self, theirs: &[u8]) -> Fault {
        let mut lines = theirs.split(|c| *c == b'\n').map(String::from_utf8_lossy);
        let other = format!("{}: belongs to a run with other settings", self.path);
        for own in self.settings.lines() {
            let there = lines.next().unwrap_or_default();
            if there != own {
                return Fault::failed(format!("{other}: \"{there}\" there, \"{own}\" here"));
            }
        }
        Fault::failed(other)
    }
}
