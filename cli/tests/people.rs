//! Tables as people have them, mistakes at the keyboard, and files that are more than files.

mod common;
use common::{Folder, table};
use std::fmt::Write as _;

const SMALL: &str = "--layers 2 --chains 2 --warmup 2 --draws 3 --start 20 --leapfrogs 4 --quiet";

/// Rows of which one column is written as `cell` has it.
fn with_column(cell: impl Fn(u32) -> String) -> String {
    let mut csv = String::from("a,price,y\n");
    for i in 0..40_u32 {
        let a = f64::from(i * 7 % 40) / 10.0;
        let _ = writeln!(csv, "{a},\"{}\",{}", cell(i), a * 2.0 + f64::from(i * 11 % 13) / 10.0);
    }
    csv
}

#[test]
fn all_complaints_about_a_table_come_at_once() {
    let folder = Folder::new("complaints");
    let mut csv = String::from("a,b,when,y\n");
    for i in 0..30 {
        let b = if i == 7 { String::new() } else { i.to_string() };
        let _ = writeln!(csv, "{},{b},2024-01-{:02},{}", i % 7, i % 28 + 1, i % 5);
    }
    folder.write("d.csv", csv);
    let run = folder.lcc(&format!("fit --data d.csv --target z {SMALL}"));
    assert!(run.err.lines().count() >= 3, "{}", run.err);
    run.fails(1, &["no column called \"z\"", "column 2 (b): is empty", "column 3 (when)"]);
}

#[test]
fn a_mistyped_option_finds_its_neighbour() {
    let folder = Folder::new("mistyped");
    folder.write("d.csv", table(20));
    folder.lcc("fit --data d.csv --targett y").fails(2, &["is \"--target\" meant?"]);
    folder.lcc("fitt --data d.csv").fails(2, &["is \"fit\" meant?"]);
    folder.lcc("fit --data d.csv --method ensembel").fails(2, &["is \"ensemble\" meant?"]);
}

/// The same model as of plain numbers, and a word about it.
#[test]
fn numbers_that_are_written_for_people_are_read_and_said() {
    let folder = Folder::new("written");
    let plain = |i: u32| 1000 + i * 137;
    let grouped = |v: u32| format!("{},{:03}", v / 1000, v % 1000);
    folder.write("plain.csv", with_column(|i| plain(i).to_string()));
    folder.lcc(&format!("fit --data plain.csv --model plain.lcc {SMALL}")).expect(0);
    let show = |model: &str| {
        let text = folder.lcc(&format!("show {model} --json -")).expect(0).out;
        text.lines()
            .filter(|l| !l.contains("checksum") && !l.contains("\"data\""))
            .collect::<String>()
    };
    for (name, cell) in [
        ("grouped", Box::new(move |i| grouped(plain(i))) as Box<dyn Fn(u32) -> String>),
        ("dollars", Box::new(move |i| format!("${}", grouped(plain(i))))),
    ] {
        folder.write("d.csv", with_column(cell));
        let run = folder.lcc(&format!("fit --data d.csv --model d.lcc {SMALL}")).expect(0);
        assert!(run.err.contains("price"), "{name}: {}", run.err);
        assert_eq!(show("d.lcc"), show("plain.lcc"), "{name}");
    }
    // One cell that does not agree: the column is words, or refused; never a wrong number.
    folder.write("d.csv", with_column(|i| if i == 3 { "1,23".into() } else { grouped(plain(i)) }));
    let run = folder.lcc(&format!("fit --data d.csv --model e.lcc {SMALL}"));
    assert!(run.code != 0 || folder.lcc("show e.lcc").out.contains("1,23"), "{}", run.err);
}

#[test]
fn other_encodings_are_read_and_said() {
    let folder = Folder::new("encodings");
    let csv = with_column(|i| if i % 2 == 0 { "süß".into() } else { "herb".into() });
    folder.write("utf8.csv", &csv);
    let latin: Vec<u8> =
        csv.chars().map(|c| u8::try_from(u32::from(c)).expect("Latin-1")).collect();
    let wide: Vec<u8> =
        [0xfeff].into_iter().chain(csv.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    folder.write("latin.csv", latin);
    folder.write("wide.csv", wide);
    folder.lcc(&format!("fit --data utf8.csv --model utf8.lcc {SMALL}")).expect(0);
    for name in ["latin", "wide"] {
        let run =
            folder.lcc(&format!("fit --data {name}.csv --model {name}.lcc {SMALL}")).expect(0);
        assert!(run.err.contains(&format!("{name}.csv")), "{}", run.err);
        assert!(folder.lcc(&format!("show {name}.lcc")).expect(0).out.contains("süß"), "{name}");
    }
}

#[cfg(unix)]
#[test]
fn outputs_go_where_they_point_and_keep_their_permissions() {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::new("outputs");
    folder.write("d.csv", table(20));
    let fit = format!("fit --data d.csv {SMALL}");
    folder.lcc(&format!("{fit} --model m.lcc --json /dev/null")).expect(0);
    assert!(fs::metadata("/dev/null").is_ok_and(|m| !m.is_file()), "still a device");
    // Through a link, which stays one; a file that only its owner reads stays so.
    folder.write("real.json", "old");
    let (real, link) = (folder.path().join("real.json"), folder.path().join("link.json"));
    symlink("real.json", &link).expect("a link");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o600)).expect("permissions");
    folder.lcc(&format!("{fit} --json link.json")).expect(0);
    assert!(fs::symlink_metadata(&link).is_ok_and(|m| m.file_type().is_symlink()));
    assert_eq!(fs::metadata(&real).expect("a file").permissions().mode() & 0o777, 0o600);
    assert!(folder.text("real.json").starts_with('{'));
    // An input by another name is an input.
    symlink("d.csv", folder.path().join("other.csv")).expect("a link");
    fs::hard_link(folder.path().join("d.csv"), folder.path().join("hard.csv")).expect("a link");
    for name in ["other.csv", "hard.csv", "./d.csv"] {
        let run = folder.lcc(&format!("{fit} --json {name}"));
        run.fails(2, &["will not be overwritten"]);
    }
    assert_eq!(folder.text("d.csv"), table(20));
}
