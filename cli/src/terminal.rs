//! The person at the terminal: messages, a bar that shows progress, Ctrl-C; standard output, what cannot be written there
//! being found out at the end, and a reader that left, as `head` does, having had what it wanted; how a command ends.

use lcc_model::fault::Fault;
use lcc_model::watch::Watch;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::fmt;
use std::io::{self, BufWriter, ErrorKind, IsTerminal, Stdout, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// Prints "lcc: ..." on standard error. What a file's names hold cannot steer the terminal.
pub(crate) fn warn(text: &str) {
    flush();
    let text: String =
        text.chars().map(|c| if c.is_control() && c != '\n' { '\u{fffd}' } else { c }).collect();
    let _ = writeln!(io::stderr(), "lcc: {text}");
}

/// What cannot be written is an error of the stream and does not end the program.
pub(crate) fn writes_fail_softly() {
    #[cfg(unix)]
    let _ = flag::register(signal_hook::consts::SIGXFSZ, Arc::new(AtomicBool::new(false)));
}

/// Threads where nobody said: on a terminal, whose person waits, as many as run at once, elsewhere 1.
pub(crate) fn free_threads() -> u32 {
    let here = std::thread::available_parallelism().map_or(1, |n| n.get());
    if io::stderr().is_terminal() { here.min(1024) as u32 } else { 1 }
}

/// The person at the terminal.
pub(crate) struct Person {
    stopped: Arc<AtomicBool>,
    bar: Option<Mutex<Bar>>,
}

struct Bar {
    started: Instant,
    last: Option<Instant>,
}

/// Columns of the bar at most, and what stands beside it.
const WIDTH: usize = 32;
const BESIDE: usize = 44;

impl Person {
    /// With a bar on standard error, where that is a terminal and nobody asked for quiet.
    pub(crate) fn new(quiet: bool) -> Self {
        let shown = !quiet && io::stderr().is_terminal();
        let bar = shown.then(|| Mutex::new(Bar { started: Instant::now(), last: None }));
        Self { stopped: Arc::new(AtomicBool::new(false)), bar }
    }

    /// From here on Ctrl-C and SIGTERM stop the work at its next step; a second one ends the program.
    pub(crate) fn catch_interrupts(&self) {
        for signal in [SIGINT, SIGTERM] {
            let _ = flag::register_conditional_default(signal, self.stopped.clone());
            let _ = flag::register(signal, self.stopped.clone());
        }
    }

    /// Removes the bar.
    pub(crate) fn clear(&self) {
        let Some(bar) = &self.bar else { return };
        let Ok(mut bar) = bar.lock() else { return };
        if bar.last.take().is_some() {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

impl Watch for Person {
    fn say(&self, text: &str) {
        self.clear();
        text.lines().for_each(warn);
    }

    fn progress(&self, share: f64, what: &str) {
        let Some(bar) = &self.bar else { return };
        let Ok(mut bar) = bar.lock() else { return };
        let soon = bar.last.is_some_and(|last| last.elapsed() < Duration::from_millis(100));
        if soon && share < 1.0 {
            return;
        }
        bar.last = Some(Instant::now());
        let columns = terminal_size::terminal_size_of(io::stderr());
        let columns = columns.map_or(WIDTH + BESIDE, |(width, _)| usize::from(width.0));
        let width = WIDTH.min(columns.saturating_sub(BESIDE));
        let (share, now) = (share.clamp(0.0, 1.0), bar.started.elapsed().as_secs_f64());
        let filled = (share * width as f64) as usize;
        let tip = if filled < width { ">" } else { "" };
        let body = format!("{}{tip}", "=".repeat(filled));
        let left = if share < 1.0 && (share > 0.05 || (now > 2.0 && share > 0.002)) {
            format!(", {:.0} s left", now * (1.0 - share) / share)
        } else {
            String::new()
        };
        let percent = (100.0 * share) as u32;
        let _ = write!(
            io::stderr(),
            "\r  {what:<9} [{body:<width$}] {percent:3} %  {now:.1} s{left}\x1b[K"
        );
        let _ = io::stderr().flush();
    }

    fn stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }
}

impl Drop for Person {
    fn drop(&mut self) {
        self.clear();
    }
}

struct Output {
    to: Option<BufWriter<Stdout>>,
    error: Option<ErrorKind>,
}

static OUTPUT: Mutex<Output> = Mutex::new(Output { to: None, error: None });

fn output() -> MutexGuard<'static, Output> {
    OUTPUT.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl Output {
    fn write(&mut self, call: impl FnOnce(&mut BufWriter<Stdout>) -> io::Result<()>) {
        let to = self.to.get_or_insert_with(|| BufWriter::new(io::stdout()));
        if let Err(error) = call(to) {
            self.error.get_or_insert(error.kind());
        }
    }
}

/// Writes text.
pub(crate) fn print(text: fmt::Arguments<'_>) {
    output().write(|to| to.write_fmt(text));
}

/// Writes bytes.
pub(crate) fn write(bytes: &[u8]) {
    output().write(|to| to.write_all(bytes));
}

/// What was written goes out before a message does.
pub(crate) fn flush() {
    output().write(|to| to.flush());
}

/// The exit code of the program.
pub(crate) fn end(code: u8) -> ExitCode {
    flush();
    match output().error {
        Some(kind) if code == 0 && kind != ErrorKind::BrokenPipe => {}
        _ => return ExitCode::from(code),
    }
    warn("standard output cannot be written");
    ExitCode::FAILURE
}

/// As `println!`.
macro_rules! outln {
    ($($part:tt)*) => { $crate::terminal::print(format_args!("{}\n", format_args!($($part)*))) };
}
/// As `print!`.
macro_rules! out {
    ($($part:tt)*) => { $crate::terminal::print(format_args!($($part)*)) };
}
pub(crate) use {out, outln};

/// 1 failed, 2 wrong usage, 130 interrupted.
#[derive(Debug)]
pub(crate) enum Stop {
    /// With sentences.
    Fault(Fault),
    /// What was drawn until then is kept.
    Interrupted,
}

/// Of a command.
pub(crate) type Done = Result<(), Stop>;

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// What failed.
pub(crate) fn failed(text: impl Into<String>) -> Stop {
    Fault::failed(text).into()
}

/// What makes no sense.
pub(crate) fn usage(text: impl Into<String>) -> Stop {
    Fault::usage(text).into()
}

/// Refuses a request to a command where one of these holds: a row each, with what is wrong.
macro_rules! refuse {
    ($command:literal: $($wrong:expr => $what:literal;)+) => {
        $(if $wrong {
            return Err($crate::terminal::usage(format!("{}: {}", $command, format_args!($what))));
        })+
    };
}
pub(crate) use refuse;

impl Stop {
    /// Says what there is to say; the exit code.
    pub(crate) fn say(&self) -> u8 {
        match self {
            Self::Interrupted => 130,
            Self::Fault(fault) => {
                fault.said.iter().for_each(|line| warn(line));
                if fault.usage { 2 } else { 1 }
            }
        }
    }
}
