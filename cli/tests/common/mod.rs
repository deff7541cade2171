//! Runs the built program in a folder of its own.
#![allow(dead_code, unreachable_pub)] // each test file uses its part

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

/// An empty folder, removed and made anew for each test.
pub struct Folder(PathBuf);

/// What a run of the program gave.
pub struct Run {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Folder {
    pub fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("the folder can be made");
        Self(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    /// A folder inside, as it is.
    pub fn open(&self, name: &str) -> Self {
        Self(self.0.join(name))
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.0.join(name), text).expect("the file can be written");
    }

    pub fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.0.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    pub fn text(&self, name: &str) -> String {
        String::from_utf8(self.bytes(name)).expect("UTF-8")
    }

    pub fn json(&self, name: &str) -> serde_json::Value {
        serde_json::from_slice(&self.bytes(name)).expect("JSON")
    }

    pub fn has(&self, name: &str) -> bool {
        self.0.join(name).exists()
    }

    pub fn remove(&self, name: &str) {
        fs::remove_file(self.0.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    }

    /// The names of all files, sorted.
    pub fn list(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(&self.0)
            .expect("the folder is there")
            .map(|e| e.expect("an entry").file_name().into_string().expect("UTF-8"))
            .collect();
        names.sort();
        names
    }

    /// What runs `lcc` with arguments separated by blanks.
    pub fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lcc"));
        command.args(arguments.split_whitespace()).current_dir(&self.0);
        command
    }

    /// Runs `lcc` with arguments separated by blanks.
    pub fn lcc(&self, arguments: &str) -> Run {
        Run::from(self.command(arguments).output().expect("lcc runs"))
    }

    /// The same with a pipe to its standard input.
    pub fn start_with_input(&self, arguments: &str) -> Child {
        self.command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("lcc starts")
    }

    /// Starts `lcc` without waiting for it.
    pub fn start(&self, arguments: &str) -> Child {
        self.command(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("lcc starts")
    }

    /// A run that gets a signal so much later.
    #[cfg(unix)]
    pub fn signalled(&self, arguments: &str, signal: &str, milliseconds: u64) -> Run {
        let child = self.start(arguments);
        std::thread::sleep(std::time::Duration::from_millis(milliseconds));
        let sent = Command::new("kill")
            .args([signal, &child.id().to_string()])
            .status()
            .expect("kill runs");
        assert!(sent.success(), "kill knows the process until it was waited for");
        Run::from(child.wait_with_output().expect("lcc ends"))
    }

    /// What Ctrl-C leaves of a run that saves its state in `s`: on a machine on which the run is over before the
    /// signal, once more with half the time.
    #[cfg(unix)]
    pub fn interrupt(&self, arguments: &str) -> Run {
        for milliseconds in [400, 200, 100, 50, 25, 12, 6] {
            let run = self.signalled(&format!("{arguments} --checkpoint s"), "-INT", milliseconds);
            if run.code != 0 {
                return run.expect(130);
            }
            for file in self.list().into_iter().filter(|name| name == "s") {
                self.remove(&file);
            }
        }
        panic!("every run was over too soon");
    }
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().expect("not killed by a signal"),
            out: String::from_utf8(output.stdout).expect("UTF-8"),
            err: String::from_utf8(output.stderr).expect("UTF-8"),
        }
    }
}

impl Run {
    /// Checks the exit code, showing the messages otherwise.
    pub fn expect(self, code: i32) -> Self {
        assert_eq!(self.code, code, "out: {}\nerr: {}", self.out, self.err);
        self
    }

    /// Checks the exit code and that the error message holds every one of `parts`.
    pub fn fails(self, code: i32, parts: &[&str]) -> Self {
        let run = self.expect(code);
        for part in parts {
            assert!(run.err.contains(part), "\"{part}\" is not in: {}", run.err);
        }
        assert_eq!(run.out, "", "nothing goes to standard output on failure");
        run
    }
}

/// A table of `rows` rows with two inputs and a smooth target with a little noise.
pub fn table(rows: u32) -> String {
    let mut state = 12345_u32;
    let mut uniform = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(state >> 8) / f64::from(1 << 24)
    };
    let mut csv = String::from("a,b,y\n");
    for _ in 0..rows {
        let (a, b) = (2.0 * uniform() - 1.0, 2.0 * uniform() - 1.0);
        let y = 10.0 + 3.0 * (2.0 * a).tanh() - b + 0.2 * (uniform() - 0.5);
        let _ = writeln!(csv, "{a:.6},{b:.6},{y:.6}");
    }
    csv
}

/// The data rows of a numeric CSV, comments left out, and its header.
pub fn parse_csv(text: &str) -> (Vec<String>, Vec<Vec<f64>>) {
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let header = lines.next().expect("a header");
    let names = header.split(',').map(String::from).collect();
    let rows = lines
        .map(|line| {
            line.split(',')
                .map(|cell| cell.parse().unwrap_or_else(|e| panic!("{cell}: {e}")))
                .collect()
        })
        .collect();
    (names, rows)
}

/// The JSON without its timings, which differ from run to run.
pub fn without_seconds(text: &str) -> String {
    text.lines().filter(|line| !line.contains("\"seconds")).collect::<Vec<_>>().join("\n")
}
