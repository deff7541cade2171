//! Standard output: what cannot be written is found out at the end, and a reader that left, as `head` does, had what it
//! wanted.

use crate::terminal::warn;
use std::fmt;
use std::io::{self, BufWriter, ErrorKind, Stdout, Write};
use std::process::ExitCode;
use std::sync::{Mutex, MutexGuard};

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
    ($($part:tt)*) => { $crate::out::print(format_args!("{}\n", format_args!($($part)*))) };
}
/// As `print!`.
macro_rules! out {
    ($($part:tt)*) => { $crate::out::print(format_args!($($part)*)) };
}
pub(crate) use {out, outln};
