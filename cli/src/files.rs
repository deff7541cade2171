//! The files that one command writes: all are written beside their final names first, and take them together at the end, so
//! that a reader sees either the old file or the whole new one, and a run that fails leaves nothing. Devices, pipes and links
//! are written through; permissions are kept.

use crate::args::Given;
use crate::terminal::{self, Done, Stop, failed, usage};
use lcc_model::fault::Fault;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Where one result goes.
enum To {
    /// A file beside the final name.
    Beside(BufWriter<NamedTempFile>),
    /// What is no file, as it comes.
    Through(BufWriter<File>),
    /// A file of no name, which is copied to standard output at the end.
    Standard(BufWriter<File>),
}

/// One result, called by the option that names its file, or by the file.
struct Output {
    name: String,
    given: String,
    path: PathBuf,
    to: To,
    error: Option<io::Error>,
}

/// All results of a command.
pub(crate) struct Outputs {
    all: Vec<Output>,
    inputs: Vec<String>,
}

fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or("").to_string()
}

/// The same file, by whatever names.
fn same(a: &str, b: &str) -> bool {
    a == b || same_file::is_same_file(a, b).unwrap_or(false)
}

/// The folder and the name of a file that may not exist yet, through links.
fn resolved(path: &str) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| {
        let linked = fs::read_link(path).ok();
        let beside = Path::new(path).parent().unwrap_or(Path::new(""));
        linked.map_or(PathBuf::from(path), |target| beside.join(target))
    })
}

/// A file beside the final name, with its permissions; what killed processes left there is removed.
fn beside(path: &Path) -> io::Result<NamedTempFile> {
    let folder = path.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
    let stem = format!("{name}.part-");
    remove_left(folder, &stem);
    let prefix = format!("{stem}{}-", std::process::id());
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // What the system's mask takes off is taken off.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let file = builder.tempfile_in(folder)?;
    if let Ok(old) = fs::metadata(path) {
        file.as_file().set_permissions(old.permissions())?;
    }
    Ok(file)
}

/// Removes files of that stem whose process is no more.
fn remove_left(folder: &Path, stem: &str) {
    if !Path::new("/proc/self").exists() {
        return;
    }
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let process = name.strip_prefix(stem).and_then(|rest| rest.split('-').next());
        let dead = |p: &str| {
            !p.is_empty()
                && p.bytes().all(|c| c.is_ascii_digit())
                && !Path::new("/proc").join(p).exists()
        };
        if process.is_some_and(dead) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn cannot(path: &str, error: &io::Error) -> Stop {
    failed(format!("{path}: cannot be written: {}", reason(error)))
}

fn writing(path: &str, error: &io::Error) -> Fault {
    Fault::failed(format!("{path}: writing failed: {}", reason(error)))
}

/// The end of the name of a chain's draws.
pub(crate) fn chain_name(chain: usize) -> String {
    format!("_{}.csv", chain + 1)
}

/// That a file that is to be written is none of those that are read.
pub(crate) fn refuse_read<S: AsRef<str>>(path: &str, inputs: &[S]) -> Done {
    match inputs.iter().any(|input| same(input.as_ref(), path)) {
        true => Err(usage(format!("{path}: is read by this command and will not be overwritten"))),
        false => Ok(()),
    }
}

impl Outputs {
    /// Of a command that reads these files.
    pub(crate) fn beside<'a>(inputs: impl IntoIterator<Item = &'a str>) -> Self {
        Self { all: Vec::new(), inputs: inputs.into_iter().map(str::to_string).collect() }
    }

    /// Whether that result is asked for.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.all.iter().any(|own| own.name == name)
    }

    /// Whether no result goes to standard output, which then has it alone.
    pub(crate) fn is_free(&self) -> bool {
        !self.all.iter().any(|own| matches!(own.to, To::Standard(_)))
    }

    /// Opens the files of those of these options that are given.
    pub(crate) fn open(&mut self, given: &Given, options: &str) -> Done {
        let mut own = options.split(' ').filter_map(|option| Some((option, given.text(option)?)));
        own.try_for_each(|(option, path)| self.add(option, path))
    }

    /// Opens a file for each of so many chains, [`chain_name`], where they are asked for.
    pub(crate) fn open_chains(&mut self, given: &Given, chains: u32) -> Done {
        let Some(prefix) = given.text("draws-csv") else { return Ok(()) };
        (0..chains as usize)
            .try_for_each(|k| self.add(&chain_name(k), &(prefix.to_string() + &chain_name(k))))
    }

    /// Opens a file for writing, or takes standard output for "-".
    pub(crate) fn add(&mut self, name: &str, given: &str) -> Done {
        let (name, path) = (name.to_string(), resolved(given));
        if given == "-" {
            if !self.is_free() {
                return Err(usage("two results cannot both go to standard output (-)"));
            }
            let file = tempfile::tempfile();
            let why = |_| failed("no temporary file can be made: give --predictions FILE");
            let (to, given) =
                (To::Standard(BufWriter::new(file.map_err(why)?)), "standard output".into());
            self.all.push(Output { name, given, path, to, error: None });
            return Ok(());
        }
        if self.all.iter().any(|own| own.given == given || own.path == path) {
            return Err(usage(format!("{given}: two results cannot go to the same file")));
        }
        refuse_read(given, &self.inputs)?;
        let special = fs::metadata(&path).is_ok_and(|m| !m.is_file() && !m.is_dir());
        let to = if special {
            let file = OpenOptions::new().write(true).open(&path);
            To::Through(BufWriter::new(file.map_err(|e| cannot(given, &e))?))
        } else {
            To::Beside(BufWriter::new(beside(&path).map_err(|e| cannot(given, &e))?))
        };
        self.all.push(Output { name, given: given.into(), path, to, error: None });
        Ok(())
    }

    /// Writes a result where it is asked for; what failed is said at the end.
    pub(crate) fn put<B: AsRef<[u8]>>(&mut self, name: &str, bytes: impl FnOnce() -> B) {
        if self.has(name) {
            self.write(name, bytes().as_ref());
        }
    }

    fn write(&mut self, name: &str, bytes: &[u8]) {
        let own = self.all.iter_mut().find(|own| own.name == name && own.error.is_none());
        let Some(own) = own else { return };
        let done = match &mut own.to {
            To::Beside(file) => file.write_all(bytes),
            To::Through(file) | To::Standard(file) => file.write_all(bytes),
        };
        own.error = done.err();
    }

    /// Gives all files their names. Whether standard output is free for words.
    pub(crate) fn publish(self) -> Result<bool, Stop> {
        let (free, mut ready) = (self.is_free(), Vec::new());
        for mut own in self.all {
            let refuse = |e: &io::Error| Stop::from(writing(&own.given, e));
            if let Some(error) = &own.error {
                return Err(refuse(error));
            }
            let settled = match &mut own.to {
                To::Beside(file) => file.flush().and_then(|()| file.get_ref().as_file().sync_all()),
                To::Through(file) | To::Standard(file) => file.flush(),
            };
            settled.map_err(|e| refuse(&e))?;
            ready.push(own);
        }
        for own in ready {
            match own.to {
                To::Beside(file) => {
                    let file = file.into_inner().map_err(|e| cannot(&own.given, e.error()))?;
                    file.persist(&own.path).map_err(|e| {
                        let why = reason(&e.error);
                        failed(format!("{}: cannot be replaced: {why}", own.given))
                    })?;
                }
                To::Standard(file) => copy(file).map_err(|e| writing(&own.given, &e))?,
                To::Through(_) => {}
            }
        }
        Ok(free)
    }
}

fn copy(file: BufWriter<File>) -> io::Result<()> {
    let mut file = file.into_inner()?;
    file.rewind()?;
    let mut some = [0; 1 << 16];
    loop {
        match file.read(&mut some)? {
            0 => return Ok(()),
            got => terminal::write(&some[..got]),
        }
    }
}

/// Replaces one file by these bytes.
pub(crate) fn replace(given: &str, bytes: &[u8]) -> Result<(), Fault> {
    let path = resolved(given);
    let cannot =
        |e: io::Error| Fault::failed(format!("{given}: cannot be written: {}", reason(&e)));
    let mut file = beside(&path).map_err(cannot)?;
    let done = file.write_all(bytes).and_then(|()| file.as_file().sync_all());
    done.map_err(|e| writing(given, &e))?;
    file.persist(&path)
        .map(|_| ())
        .map_err(|e| Fault::failed(format!("{given}: cannot be replaced: {}", reason(&e.error))))
}
