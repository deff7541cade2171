//! Hostile bytes: tables, JSON, columns, models and checkpoints, changed at random from inputs that are kept (`hostile/`:
//! lines of a name, or -, and the bytes in hexadecimal; the first say how to read the rest). No panic, no hang, every
//! refusal a sentence; and whatever is read is the same when it is read otherwise.
//!
//! `LCC_LONG=1` gives each kind a hundred times as many inputs, which begin elsewhere by `LCC_TURN`.

mod common;
use common::{Folder, table};
use lcc_model::columns::{Columns, Missing, Outside, Targets, Unknown, Wish};
use lcc_model::fault::Fault;
use lcc_model::lcc_core::checksum::crc32;
use lcc_model::lcc_core::posterior::Image;
use lcc_model::lcc_core::random::Stream;
use lcc_model::paths::PathSums;
use lcc_model::predict::predict;
use lcc_model::rows::Picked;
use lcc_model::saved::{Asked, Saved, attach};
use lcc_model::splits;
use lcc_model::table::{Blocks, Reading, parse};
use lcc_model::text::checksum;
use lcc_model::watch::Silent;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Changes bytes, and tells what it made if that ends a test.
struct Mutator {
    stream: Stream,
    seeds: Vec<Vec<u8>>,
    words: &'static [&'static [u8]],
    made: Vec<u8>,
    since: Instant,
}

impl Drop for Mutator {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let bytes: String = self.made.iter().map(|b| format!("{b:02x}")).collect();
            eprintln!("this input, which hostile/ may keep: {bytes}");
        }
    }
}

impl Mutator {
    fn of(seeds: Vec<Vec<u8>>, words: &'static [&'static [u8]]) -> Self {
        let number = |name: &str| std::env::var(name).ok().and_then(|n| n.parse().ok());
        let turn = if lcc_tests::tools::long() { number("LCC_TURN").unwrap_or(1) } else { 0 };
        let stream = Stream::from_words([turn, 1, 2, 3]);
        Self { stream, seeds, words, made: Vec::new(), since: Instant::now() }
    }

    /// The inputs that are kept of a kind.
    fn kept(kind: &str, words: &'static [&'static [u8]]) -> Self {
        let path = format!("{}/tests/hostile/{kind}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).expect("the inputs");
        let byte = |pair: &[u8]| {
            let digits = std::str::from_utf8(pair).expect("ASCII");
            u8::from_str_radix(digits, 16).expect("hexadecimal")
        };
        let bytes = |line: &str| {
            let (_, digits) = line.split_once(' ').expect("a name and bytes");
            digits.as_bytes().chunks(2).map(byte).collect()
        };
        Self::of(text.lines().map(bytes).collect(), words)
    }

    fn below(&mut self, n: usize) -> usize {
        self.stream.below(n.max(1) as u32) as usize
    }

    /// Part of the bytes.
    fn range(&mut self, n: usize) -> std::ops::Range<usize> {
        let (from, most) = (self.below(n + 1), if self.below(4) == 0 { n } else { 8 });
        from..(from + self.below(most.min(n - from) + 1))
    }

    /// The next input: each that is kept, then others.
    fn next(&mut self, k: usize) -> &[u8] {
        // More than the sanitizers' thirty seconds are a hang on any machine.
        let took = self.since.elapsed();
        assert!(took < Duration::from_secs(30), "one input took {took:?}");
        let mut bytes = self.seeds[k % self.seeds.len()].clone();
        let changes = if k < self.seeds.len() { 0 } else { 1 + self.below(4) };
        for _ in 0..changes {
            let range = self.range(bytes.len());
            match self.below(6) {
                0 => drop(bytes.drain(range)),
                1 => {
                    let copy = bytes[range.clone()].to_vec();
                    bytes.splice(range.end..range.end, copy);
                }
                2 => {
                    let word = self.words[self.below(self.words.len())];
                    bytes.splice(range, word.iter().copied());
                }
                3 => {
                    let other = self.below(self.seeds.len());
                    let part = self.range(self.seeds[other].len());
                    bytes.splice(range, self.seeds[other][part].to_vec());
                }
                _ if bytes.is_empty() => {}
                _ => {
                    let at = self.below(bytes.len());
                    bytes[at] = self.stream.word() as u8;
                }
            }
        }
        self.made = bytes;
        self.since = Instant::now();
        &self.made
    }
}

/// How many inputs of a kind are tried.
fn inputs(quick: usize) -> std::ops::Range<usize> {
    0..lcc_tests::tools::runs(quick, 100 * quick)
}

/// A refusal is sentences.
fn sentences(fault: &Fault) {
    assert!(!fault.said.is_empty() && !fault.said.iter().any(String::is_empty), "{fault:?}");
}

/// What was done, if it was not refused.
fn done<T>(result: Result<T, Fault>) -> Option<T> {
    result.inspect_err(sentences).ok()
}

const CELLS: &[&[u8]] = &[
    b",",
    b";",
    b"\t",
    b"\n",
    b"\r\n",
    b"\"",
    b"\"\"",
    b"NA",
    b"?",
    b"1e999",
    b"-0",
    b"1,5",
    b"1.234,5",
    b"$1",
    b"9 %",
    b"0x1p3",
    b"2024-05-06",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\xc2\xa0",
    b"\xe9",
    b"\xf0\x9f\x98\x80",
    b"sep=;\n",
    b"\"p\nq\"",
    b"|",
    b"#",
    b"\r",
    b"\x00",
    b"\x1b[2J",
    b"123456789012345678",
    b"nan",
    b"inf",
    b"y",
    b"a",
];

#[test]
fn tables() {
    let folder = Folder::new("hostile_tables");
    let path = folder.path().join("t.csv");
    let mut mutator = Mutator::kept("csv", CELLS);
    // Most that are kept are refused.
    let whole = [
        "a,b,y\n1,north,1.5\n2,south,-2\n3,west,1e3\n",
        "a;y\n1,5;2\n?;3\n2,25;4\n",
        "# by X\n\na|b|y\n1|\"p\nq\"|2\n\n2|\"r\"|3|\na|b|y\n# and\n3|\"p\nq\"|5\n",
    ];
    let whole = whole.map(|text| [b"\0\0".as_slice(), text.as_bytes()].concat());
    let copies = 3 * mutator.seeds.len();
    mutator.seeds.extend(whole.into_iter().cycle().take(copies));
    let names = [None, Some("a"), Some("b,y"), Some("y")];
    let mut read = 0;
    for k in inputs(4000) {
        let input = mutator.next(k);
        let byte = |k: usize| usize::from(*input.get(k).unwrap_or(&0));
        let (how, more, bytes) = (byte(0), byte(1), &input[input.len().min(2)..]);
        let how = Reading {
            delimiter: (how & 3 == 3).then_some("semicolon"),
            drop: names[how >> 2 & 3],
            only: names[how >> 4 & 3],
            id: names[more >> 4 & 3],
            group: names[more >> 7 & 1],
            beside: &["y"],
            absent: how >> 6 & 1 == 1,
        };
        let whole = done(parse("t.csv", bytes, &how, &Silent));
        if k % 8 == 0 {
            std::fs::write(&path, bytes).expect("the folder can be written");
            let blocks = Blocks::open(path.to_str().expect("UTF-8")).expect("the file is there");
            in_blocks(blocks, &how, 1 + more, whole.as_ref());
        }
        let Some(table) = whole.map(Arc::new) else { continue };
        let (target, rows) = (table.column("y"), Picked::all(&table));
        let wish = Wish {
            categorical: names[more & 3],
            exposure: names[more >> 2 & 1],
            weights: names[more >> 7],
            classes: more >> 3 & 1 == 1,
            order: names[more >> 5 & 3],
            ordinal: more >> 6 & 1 == 1,
            missing_mean: more >> 4 & 1 == 1,
        };
        let Some(columns) = done(Columns::learn(&rows, target, &wish)) else { continue };
        let unknown = if more >> 6 & 1 == 1 { Unknown::Mean } else { Unknown::Refuse };
        let how = (unknown, Missing::Refuse);
        let told = columns.encode(&rows, "y", Targets::AllOrNone, how, &Silent);
        let Some(encoded) = done(told) else { continue };
        assert!(encoded.x.iter().all(|x| x.is_finite()));
        Outside::default().add(&columns, &encoded);
        read += 1;
    }
    assert!(read > 300, "{read} were read: too few to try what comes after");
}

/// A file in blocks of some bytes has the rows that it has as a whole, or is refused as that is.
fn in_blocks(
    mut blocks: Blocks,
    how: &Reading<'_>,
    bytes: usize,
    whole: Option<&lcc_model::table::Table>,
) {
    let mut rows = 0;
    let ended = blocks.has(how, "y").and_then(|_| {
        while let Some(some) = blocks.next(how, bytes, &Silent)? {
            if let Some(whole) = whole {
                assert_eq!((some.before, &some.names), (rows, &whole.names));
                for i in 0..some.rows() {
                    for j in 0..some.names.len() {
                        assert_eq!(some.cell(i, j), whole.cell(rows + i, j));
                    }
                }
            }
            rows += some.rows();
        }
        Ok(())
    });
    assert_eq!(done(ended).is_some(), whole.is_some());
    assert!(whole.is_none_or(|whole| whole.rows() == rows));
}

const JSON: &[&[u8]] = &[
    b"{",
    b"}",
    b"[",
    b"]",
    b":",
    b",",
    b"\"",
    b"null",
    b"1e999",
    b"-1",
    b"99999999999999999999",
    b"\"splits\"",
    b"\"test\"",
    b"\"weights\"",
    b"[[[1]]]",
    b"[[[",
    b"\\ud800",
    b"\xff",
    b" ",
];

#[test]
fn splits_of_rows() {
    let mut mutator = Mutator::kept("splits", JSON);
    for k in inputs(4000) {
        let input = mutator.next(k);
        let how = usize::from(*input.first().unwrap_or(&0));
        let bytes = &input[input.len().min(1)..];
        let (n, subset) = (1 + (how >> 2 & 15), how >> 6 & 1 == 1);
        if let Some((train, test)) = done(splits::parse("s.json", bytes, how & 3, n, subset)) {
            assert!(!train.is_empty() && !test.is_empty());
            assert!(train.iter().chain(&test).all(|row| *row < n));
        }
    }
}

#[test]
fn weights_of_networks() {
    let folder = Folder::new("hostile_weights");
    let path = folder.path().join("n.json");
    let mut mutator = Mutator::kept("paths", JSON);
    for k in inputs(1000) {
        std::fs::write(&path, mutator.next(k)).expect("the folder can be written");
        done(PathSums::read(path.to_str().expect("UTF-8")));
    }
}

/// Models of numbers with words among the inputs, of classes, and of one hidden layer.
fn models() -> (Folder, Vec<Vec<u8>>) {
    let folder = Folder::new("hostile_models");
    let mut mixed = "a,kind,y\n".to_string();
    let mut classes = "a,b,y\n".to_string();
    for i in 0..40 {
        let (a, kind) = (i * 7 % 11, ["north", "south", "west"][i % 3]);
        mixed += &format!("{a},{kind},{}.5\n", i * 3 % 7);
        classes += &format!("{a},{},{}\n", i * 5 % 13, ["no", "yes"][a / 6]);
    }
    folder.write("mixed.csv", mixed);
    folder.write("classes.csv", classes);
    folder.write("plain.csv", table(40));
    let small = "--layers 2 --chains 8 --start 10 --warmup 2 --draws 2 --leapfrogs 3 --quiet";
    folder.lcc(&format!("fit --data mixed.csv {small} --model mixed.lcc")).expect(0);
    folder.lcc(&format!("fit --data classes.csv {small} --model classes.lcc")).expect(0);
    let long = "--method network --neurons 2 --warmup 20 --draws 20 --keep 4 --quiet";
    folder.lcc(&format!("fit --data plain.csv {long} --model plain.lcc")).expect(0);
    let names = ["mixed.lcc", "classes.lcc", "plain.lcc"];
    let models = names.map(|name| folder.bytes(name)).to_vec();
    (folder, models)
}

/// Makes length and checksum good, so that what lies behind them is reached.
fn seal(bytes: &mut [u8]) {
    let length = (bytes.len() as u64).to_le_bytes();
    if bytes.len() > 36 {
        bytes[24..32].copy_from_slice(&length);
        let sum = crc32(&[&bytes[..32], &bytes[36..]]).to_le_bytes();
        bytes[32..36].copy_from_slice(&sum);
    }
}

const BYTES: &[&[u8]] = &[
    &[0],
    &[0xff],
    &[0x80],
    &[0; 8],
    &[0xff; 8],
    &[1, 0, 0, 0],
    &[0, 0, 0xc0, 0x7f],
    &[0, 0, 0x80, 0x7f],
];

#[test]
fn models_and_their_columns() {
    let (_folder, models) = models();
    let bare: Vec<Vec<u8>> = models
        .iter()
        .map(|m| Saved::from_bytes("m", m.clone()).and_then(|s| s.bare()).expect("a model"))
        .collect();
    let row = b"a,b,kind,y\n1,2,north,1.5\n9,4,west,2.5\n";
    let mut open = 0;
    let mut try_model = |bytes: Vec<u8>| {
        let Some(saved) = done(Saved::from_bytes("m.lcc", bytes)) else { return };
        open += 1;
        let table = parse("r.csv", row, &Reading::default(), &Silent).expect("a table");
        let asked = Asked { data: "r.csv", unknown: Unknown::Mean, ..Asked::default() };
        let rows = saved.encode(&asked, table, &mut Outside::default(), &Silent);
        if let Some(rows) = done(rows) {
            done(predict(&saved.bytes, &rows, 0.9));
        }
        if let Some(columns) = &saved.columns {
            let again =
                done(attach(&saved.bytes, columns)).map(|bytes| Saved::from_bytes("again", bytes));
            assert!(again.as_ref().is_none_or(Result::is_ok), "{columns:?}: {again:?}");
        }
    };
    let mut mutator = Mutator::of(models, BYTES);
    for k in inputs(1500) {
        let mut bytes = mutator.next(k).to_vec();
        seal(&mut bytes);
        try_model(bytes);
    }
    let mut mutator = Mutator::kept("columns", BYTES);
    for k in inputs(1500) {
        let own = mutator.next(k);
        let image = Image::open(&bare[k % bare.len()]).expect("a model");
        let mut both = vec![0; bare[k % bare.len()].len() + own.len()];
        if let Ok(length) = image.attach(own, &mut both) {
            both.truncate(length);
            try_model(both);
        }
    }
    assert!(open > 200, "{open} were read: too few to try what comes after");
}

/// The program itself: exit status 0, 1 or 2, of a refusal sentences and no file, and nothing that steers a terminal.
#[test]
fn whole_commands() {
    let (folder, models) = models();
    let mut runs = Vec::new();
    for (k, data) in [(0, "mixed.csv"), (1, "classes.csv"), (2, "plain.csv")] {
        runs.push((
            models[k].clone(),
            format!("predict --model h --data {data} --predictions out"),
        ));
    }
    runs.push((models[0].clone(), "report --model h --data mixed.csv -o out".into()));
    runs.push((models[2].clone(), "convert h --to json -o out".into()));
    runs.push((models[1].clone(), "show h".into()));
    let table = folder.bytes("mixed.csv");
    runs.push((table, "fit --data h --method map --layers 2 --quiet --model out".into()));
    let sample = "sample --data plain.csv --chains 2 --warmup 10 --draws 20 --quiet";
    folder.lcc(&format!("{sample} --checkpoint s")).expect(0);
    let state = folder.bytes("s");
    runs.push((state, format!("{sample} --checkpoint h --resume --json out")));
    let seeds = runs.iter().map(|run| run.0.clone()).collect();
    let mut mutator = Mutator::of(seeds, BYTES);
    for k in inputs(64) {
        let which = k % runs.len();
        let mut bytes = mutator.next(k).to_vec();
        // A model's checksum, or a checkpoint's.
        if which < 6 {
            seal(&mut bytes);
        } else if let Some(body) = bytes.get(43..).filter(|_| runs[which].1.contains("--resume")) {
            let sum = format!("{:016x}", checksum([body]));
            bytes[26..42].copy_from_slice(sum.as_bytes());
        }
        folder.write("h", &bytes);
        let run = folder.lcc(&runs[which].1);
        let said = run.err.trim();
        assert!(
            run.code <= 2 && !said.contains("panicked"),
            "{}: {} {said}",
            runs[which].1,
            run.code
        );
        assert!(!said.chars().any(|c| c.is_control() && c != '\n'), "{said:?}");
        let refused = !said.is_empty() && !folder.has("out");
        assert!(run.code == 0 || refused, "{}: {said}", runs[which].1);
        if folder.has("out") {
            folder.remove("out");
        }
    }
}
