//! Tables as spreadsheets, data frames and people leave them: read for what they are and that is said, or refused with what
//! to do.

mod common;
use common::{Folder, Run, parse_csv};
use std::fmt::Write as _;

const SMALL: &str = "--method map --layers 0 --output gaussian --quiet";

/// Rows of y = 2 a - b and a little more, the second input as `cell` writes it.
fn rows(n: u32, mut line: impl FnMut(u32, f64, f64, f64) -> String) -> String {
    let mut state = 3_u32;
    let mut uniform = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(state >> 8) / f64::from(1 << 24) - 0.5
    };
    let mut out = String::new();
    for i in 0..n {
        let (a, b) = (4.0 * uniform(), 4.0 * uniform());
        let _ = writeln!(out, "{}", line(i, a, b, 2.0 * a - b + 0.2 * uniform()));
    }
    out
}

fn plain(n: u32) -> String {
    rows(n, |_, a, b, y| format!("{a:.4},{b:.4},{y:.4}"))
}

struct Case(Folder);

impl Case {
    fn fit(&self, text: impl AsRef<[u8]>, more: &str) -> Run {
        self.0.write("d.csv", text);
        self.0.lcc(&format!("fit --data d.csv --model m.lcc --json r.json {SMALL} {more}"))
    }
    /// The table is read, `said` is said, and the fit is that of the clean one.
    fn reads(&self, text: impl AsRef<[u8]>, said: &[&str]) {
        let run = self.fit(text, "").expect(0);
        for part in said {
            assert!(run.err.contains(part), "{part}: {}", run.err);
        }
        assert_eq!(run.err.lines().count(), said.len(), "no more is said than that: {}", run.err);
        self.0.lcc("predict --model m.lcc --data clean.csv --predictions p.csv").expect(0);
        let (_, own) = parse_csv(&self.0.text("p.csv"));
        let (_, clean) = parse_csv(&self.0.text("clean_p.csv"));
        for (own, clean) in own.iter().zip(&clean) {
            assert!((own[0] - clean[0]).abs() < 1e-4, "{own:?} {clean:?}");
        }
    }
}

/// A folder with the clean table, and what is predicted by a fit to it.
fn case(name: &str) -> Case {
    let case = Case(Folder::new(name));
    let clean = format!("a,b,y\n{}", plain(60));
    assert_eq!(case.fit(&clean, "").expect(0).err, "");
    case.0.write("clean.csv", clean);
    case.0.lcc("predict --model m.lcc --data clean.csv --predictions clean_p.csv").expect(0);
    case
}

#[test]
fn what_spreadsheets_and_data_frames_add_is_left_out() {
    let case = case("dirty_frames");
    case.reads(format!("a,b,y\n{}\n\n  \n,,\n,,\n", plain(60)), &[]);
    let padded = rows(60, |_, a, b, y| format!("{a:.4},{b:.4},{y:.4},,"));
    let empty = ["column 4 has no name and is empty", "column 5 has no name and is empty"];
    case.reads(format!("a,b,y,,\n{padded}"), &empty);
    for first in [0, 1, 100] {
        let numbered = rows(60, |i, a, b, y| format!("{},{a:.4},{b:.4},{y:.4}", i + first));
        case.reads(format!(",a,b,y\n{numbered}"), &["column 1 has no name and numbers the rows"]);
    }
    // Of rows of which some were left out, and others moved.
    let moved = rows(60, |i, a, b, y| format!("{},{a:.4},{b:.4},{y:.4}", 7 * i % 191));
    case.reads(format!(",a,b,y\n{moved}"), &["column 1 has no name and numbers the rows"]);
    let other = rows(60, |i, a, b, y| format!("{},{a:.4},{b:.4},{y:.4}", i % 3));
    case.fit(format!(",a,b,y\n{other}"), "").fails(1, &["column 1 has no name: give it one"]);
    case.reads(format!("\u{feff}\"a \",\" b\", \"y\"\r\n{}", plain(60)), &[]);
}

#[test]
fn numbers_of_other_places_are_read() {
    let case = case("dirty_numbers");
    let comma = |v: f64| format!("{v:.4}").replace('.', ",");
    let decimals = rows(60, |_, a, b, y| [a, b, y].map(comma).join(";"));
    let said = "cells are separated by semicolons, and \"";
    case.reads(format!("a;b;y\n{decimals}"), &[said]);
    // A thousand more, with a point between thousands: the intercept takes it up.
    let both = rows(60, |_, a, b, y| {
        let ten_thousandths = (12_000.0 + b) * 1e4;
        let (whole, rest) = ((ten_thousandths / 1e4) as i64, ten_thousandths as i64 % 10_000);
        format!("{};{}.{:03},{rest:04};{}", comma(a), whole / 1000, whole % 1000, comma(y))
    });
    let run = case.fit(format!("a;b;y\n{both}"), "").expect(0);
    assert!(run.err.contains("\" is read as 1"), "{}", run.err);
    assert!(run.out.contains("60 rows of 2 inputs"), "{}", run.out);
    case.0.write("q.csv", "a;b;y\n0;12.001,5;1\n0;11.998,5;1\n");
    let run = case.0.lcc("predict --model m.lcc --data q.csv").expect(0);
    let (_, p) = parse_csv(&run.out);
    assert!((p[0][0] + 1.5).abs() < 0.2 && (p[1][0] - 1.5).abs() < 0.2, "{p:?}");
    // Marks beside decimal commas.
    let owing = |open, close| {
        move |v: f64| {
            if v < 0.0 {
                format!("{open}{v:.4}{close}").replace('-', "")
            } else {
                format!("{v:.4}")
            }
        }
    };
    let writings: [&dyn Fn(f64) -> String; 4] =
        [&owing("(", ")"), &owing("", "\u{2212}"), &|v| format!("{v:.4} %"), &|v| {
            format!("\u{20ac} {v:.4}")
        }];
    for write in writings {
        let swapped = |v: f64| write(v).replace('.', ",");
        let own = rows(60, |_, a, b, y| format!("{};{};{}", comma(a), swapped(b), comma(y)));
        let said = ["is read as", "column 2 (b): \""];
        case.reads(format!("a;b;y\n{own}"), &said);
    }
    let quoted = rows(60, |_, a, b, y| [a, b, y].map(|v| format!("\"{}\"", comma(v))).join(","));
    case.reads(format!("a,b,y\n{quoted}"), &["cells are separated by commas, and \""]);
    // Of columns in thousandths, whose digits are grouped.
    for (group, line) in [('.', ';'), (',', ';'), (' ', ','), ('\'', ',')] {
        let own = rows(60, |_, a, b, y| {
            let digits = format!("{:07}", (1e6 * (b + 4.0)) as i64);
            let b = format!("{}{group}{}{group}{}", &digits[..1], &digits[1..4], &digits[4..]);
            format!("{a:.4}{line}{b}{line}{y:.4}")
        });
        let run = case.fit(format!("a{line}b{line}y\n{own}"), "").expect(0);
        assert!(
            run.err.contains("column 2 (b): \"") && run.out.contains("of 2 inputs"),
            "{}",
            run.err
        );
    }
    let money = rows(60, |_, a, b, y| format!("{a:.4},$ {b:.4},{y:.4}"));
    case.reads(format!("a,b,y\n{money}"), &["\" is read as "]);
    for (open, close) in [("'", "'"), ("\u{201c}", "\u{201d}"), ("=\"", "\"")] {
        let quoted = rows(60, |_, a, b, y| format!("{a:.4},{open}{b:.4}{close},{y:.4}"));
        case.reads(format!("a,b,y\n{quoted}"), &["\" is read as "]);
    }
    let owed = rows(60, |_, a, b, y| match b < 0.0 {
        true => format!("{a:.4},({:.4}),{y:.4}", -b),
        false => format!("{a:.4},{b:.4},{y:.4}"),
    });
    case.reads(format!("a,b,y\n{owed}"), &["\" is read as -"]);
}

/// What stands for no value among numbers is none, and is a category among words.
#[test]
fn missing_values_have_many_names() {
    let case = case("dirty_missing");
    for name in [
        "#N/A", "N/A", "n/a", "<NA>", "#DIV/0!", "#VALUE!", "-", ".", "None", "missing", "N.A.",
        "\\N", "1.#IND", "#NV", "#WERT!",
    ] {
        let gaps = rows(60, |i, a, b, y| match i % 9 {
            5 => format!("{a:.4},{name},{y:.4}"),
            _ => format!("{a:.4},{b:.4},{y:.4}"),
        });
        let text = format!("a,b,y\n{gaps}");
        let hint = "--missing mean or --missing drop takes such rows";
        case.fit(&text, "").fails(1, &["row 6 (line 7), column 2 (b)", hint]);
        let run = case.fit(&text, "--missing drop").expect(0);
        assert!(run.err.contains("7 of 60 rows miss cells"), "{name}: {}", run.err);
    }
    let words =
        rows(60, |i, a, _, y| format!("{a:.4},{},{y:.4}", ["None", "some", "-"][i as usize % 3]));
    case.fit(format!("a,b,y\n{words}"), "").expect(0);
    assert_eq!(case.0.json("r.json")["d"], 4);
}

/// Lines that are no rows, and rows of several lines: messages have the lines of the file.
#[test]
fn what_stands_between_rows_is_left_out_and_said() {
    let case = case("dirty_lines");
    let (clean, ten, rest) =
        (plain(60), 10, "no row (blank, a comment or the header again), left out");
    let lines: Vec<&str> = clean.lines().collect();
    let (head, tail) = (lines[..ten].join("\n"), lines[ten..].join("\n"));
    let said = |first: u32, more: &str| format!("line {first} is {rest}{more}\n");
    for (text, said) in [
        (format!("# by X, of Y, in Z\n\na,b,y\n{clean}"), said(1, ", and so is 1 more")),
        (format!("# a,b,y\n{clean}"), String::new()),
        (format!("a,b,y\n\n{head}\n# moved\n{tail}\n\n"), said(2, ", and so is 1 more")),
        (format!("a,b,y\n{head}\n\u{feff}a,b,y\n{tail}"), said(12, "")),
        (format!("a,b,y\n{}", clean.replace('\n', ",,\n")), String::new()),
        (format!("SEP=|\na|b|y\n{}", clean.replace(',', "|")), String::new()),
        (format!("\"sep=;\"\r\na;b;y\r\n{}", clean.replace(',', ";")), String::new()),
        (
            format!("a,b,y,\n{}", clean.replacen('\n', ",\n", 9)),
            "column 4 has no name and is empty".into(),
        ),
        (format!("a,b,y\r{}\n{tail}", head.replace('\n', "\r")), String::new()),
    ] {
        let said: Vec<_> = said.lines().collect();
        case.reads(text, &said);
    }
    case.reads(format!("a|b|y\n{}", clean.replace(',', "|")), &["cells are separated by bars"]);
    let utf16 =
        format!("a,b,y\n{clean}").encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
    case.reads(utf16, &["is in UTF-16"]);
    let notes = rows(60, |i, a, b, y| format!("\"x\n{}\",{a:.4},{b:.4},{y:.4}", i % 2));
    let run = case.fit(format!("\"the\nnote\",a,b,y\n{notes}"), "").expect(0);
    assert!(
        run.err.contains("row 1 (line 3) has a line break in a cell, and so have 59 more"),
        "{}",
        run.err
    );
    assert_eq!(case.0.json("r.json")["d"], 3);
    case.fit(format!("note,a,b,y\n{notes}\n\n\"z\",0,x,1\n"), "")
        .fails(1, &["row 61 (line 124), column 3 (b): \"x\" is not a number"]);
}

#[test]
fn copies_of_columns_are_left_out() {
    let case = case("dirty_copies");
    let copied = rows(60, |_, a, b, y| format!("{a:.4},{b:.4},{a:.4},{y:.4}"));
    case.reads(
        format!("a,b,a,y\n{copied}"),
        &["columns 1 and 3 are both called \"a\" and hold the same"],
    );
    let other = rows(60, |i, a, b, y| format!("{i},{a:.4},{b:.4},{i}{i},{y:.4}"));
    case.fit(format!("c,a,b,c,y\n{other}"), "")
        .fails(1, &["columns 1 and 4 are both called \"c\": rename"]);
    assert_eq!(case.fit(format!("c,a,b,c,y\n{other}"), "--drop c").expect(0).err, "");
}

/// What would be taken at its word, and wrong without a warning.
#[test]
fn what_looks_like_a_mistake_is_said() {
    let case = case("dirty_doubts");
    let says = |text: String, more: &str, part: &str| {
        let run = case.fit(text, more).expect(0);
        assert!(run.err.contains(part), "{part}: {}", run.err);
    };
    let with = |cell: &dyn Fn(u32, f64) -> String| {
        rows(60, |i, a, b, y| format!("{a:.4},{},{y:.4}", cell(i, b)))
    };
    let code = with(&|i, b| if i % 5 == 2 { "-9999".into() } else { format!("{b:.4}") });
    says(format!("a,b,y\n{code}"), "", "column b has a few values far from all others");
    let target =
        rows(60, |i, a, b, y| format!("{a:.4},{b:.4},{}", if i % 9 == 2 { -999.0 } else { y }));
    says(format!("a,b,y\n{target}"), "", "column y has a few values far from all others");
    let cases = with(&|i, _| ["Red", "blue", "red", "green"][i as usize % 4].into());
    says(format!("a,b,y\n{cases}"), "", "\"Red\" and \"red\" are two categories");
    let totals = format!("{}1,Total,2\n", with(&|i, _| ["p", "q"][i as usize % 2].into()));
    says(
        format!("a,b,y\n{totals}"),
        "",
        "row 61 (line 62), column 2 (b): \"Total\" in the last row",
    );
    let packed = with(&|i, _| format!("202301{:02}", i % 28 + 1));
    says(format!("a,b,y\n{packed}"), "", "column b looks like dates");
    let zip = with(&|i, _| format!("0{}", 1000 + 7 * (i % 11)));
    says(format!("a,b,y\n{zip}"), "", "has numbers that begin with 0");
    says(
        format!("a,b,y\n{}", with(&|_, _| "7".into())),
        "",
        "column b has the same value in all rows, which teaches nothing: leave it out (--drop b)",
    );
    let long = with(&|i, _| format!("{}", 123_456_789_012_345_678_u64 + 7 * u64::from(i)));
    says(format!("a,b,y\n{long}"), "", "has numbers that have more than 15 digits");
    let commas = with(&|i, _| format!("\"{},123\"", i % 3));
    says(
        format!("a,b,y\n{commas}"),
        "",
        "column 2 (b): is read as categories, because \"0,123\" has a comma",
    );
    let units = format!("a,b,y\n{}", with(&|i, _| format!("{}cwt", i % 3)));
    says(
        units.clone(),
        "",
        "column 2 (b): is read as categories, because \"0cwt\" has text behind",
    );
    assert_eq!(case.fit(units, "--categorical b").expect(0).err, "");
    let ordinals = with(&|i, _| ["1st class", "2nd class"][i as usize % 2].into());
    assert_eq!(case.fit(format!("a,b,y\n{ordinals}"), "").expect(0).err, "");
    let points = rows(60, |i, a, _, _| format!("{:.0};{}.{:03};1.{:03}", 4.0 * a, i % 7 + 1, i, i));
    says(format!("a;b;y\n{points}"), "", "where points divide thousands, take them out");
    let (mut sums, positive) =
        ([0.0; 3], rows(60, |_, a, b, y| format!("{:.4},{:.4},{:.4}", a + 3.0, b + 3.0, y + 9.0)));
    for line in positive.lines() {
        sums.iter_mut()
            .zip(line.split(','))
            .for_each(|(sum, cell)| *sum += cell.parse::<f64>().expect("a number"));
    }
    let [a, b, y] = sums;
    says(
        format!("a,b,y\n{positive}{a:.3},{b:.3},{y:.3}\n"),
        "",
        "row 61 (line 62) has the sums of all other rows",
    );
    says("a,y\n1,2\n2,3\n3,5\n".into(), "", "there are few rows, which can tell little (3)");
    // Blanks around a category are none of it, in quotes or not.
    let blanks = with(&|i, _| ["red", " red ", "\"red \"", "blue"][i as usize % 4].into());
    assert_eq!(case.fit(format!("a,b,y\n{blanks}"), "").expect(0).err, "");
    assert_eq!(case.0.json("r.json")["d"], 2);
    // Months, and a category called total among others, are nothing to be said.
    let months = with(&|i, _| format!("{:02}", i % 12 + 1));
    assert_eq!(case.fit(format!("a,b,y\n{months}"), "").expect(0).err, "");
    let marks = with(&|i, _| ["Mark 4", "Mark 5"][i as usize % 2].into());
    assert_eq!(case.fit(format!("a,b,y\n{marks}"), "").expect(0).err, "");
    let word = with(&|i, _| ["part", "total"][i as usize % 2].into());
    assert_eq!(case.fit(format!("a,b,y\n{word}"), "").expect(0).err, "");
}

#[test]
fn a_row_far_out_keeps_the_others() {
    let case = case("dirty_far");
    let table = rows(60, |_, a, b, y| format!("{a:.4},{b:.4},{:.4}", y.exp()));
    case.0.write("far.csv", "a,b,y\n0,0,1\n1e30,-1e25,2\n.5,.5,2\n");
    case.0.write("d.csv", format!("a,b,y\n{table}"));
    let fit = "fit --data d.csv --model m.lcc --output log-normal --precision f32 --chains 8 --draws 2 --start 50 \
               --test far.csv";
    case.0.lcc(fit).expect(0);
    let run = case.0.lcc("predict --model m.lcc --data far.csv --predictions p.csv").expect(0);
    assert!(run.err.contains("1 of 3 rows lie outside the training data"), "{}", run.err);
    let (_, told) = parse_csv(&case.0.text("p.csv"));
    assert!(told.len() == 3 && told.iter().flatten().all(|x| x.is_finite()), "{told:?}");
    assert!(told[2][0] < 10.0 && told[1][0] > 1e4, "{told:?}");
}

#[test]
fn what_cannot_be_read_is_refused_with_what_to_do() {
    let case = case("dirty_refused");
    let ten = plain(10);
    let month = rows(40, |i, a, _, y| format!("{} Jan 2023,{a:.4},{y:.4}", i % 28 + 1));
    for (text, parts) in [
        (format!("By X\na,b,y\n{ten}"), &["the header has 1 (a title or comment above"][..]),
        (format!("Sales,,\na,b,y\n{ten}"), &["header row (a title or comment above"]),
        (ten.clone(), &["no column called \"y\"", "is the row of names missing?"]),
        ("a,y\n1,7\n2,7\n3,7\n".into(), &["column 2 (y): all training rows have the value 7"]),
        ("a,y\n1,2\n".into(), &["column 2 (y): all training rows have the value 2"]),
        (format!("a,a,y\n{ten}"), &["columns 1 and 2 are both called \"a\": rename one"]),
        (
            format!("a,b,y\nm,kg,\n{ten}"),
            &["row 1 (line 2) has words, the rows below have numbers"],
        ),
        (
            format!("a,b,y\n1,2\n{ten}1,\n"),
            &["row 1 (line 2) has 2 cells", "row 12 (line 13) has 2 cells"],
        ),
        (
            format!("a,b\n{ten}"),
            &["row 1 (line 2) has 3 cells", "first column missing", "9 more rows"],
        ),
        (
            format!("a,b,y\n{ten}Total,,5\n"),
            &["row 11 (line 12), column 1 (a): \"Total\" stands among numbers"],
        ),
        (
            "a,b,y\n1,,2\n2,,4\n3,,5\n".into(),
            &["column 2 (b) has no values: leave it out (--drop \"b\")"],
        ),
        (
            format!("a,b,y\n{ten}1,5%,2\n"),
            &["\"5%\" is written otherwise than other numbers of its column"],
        ),
        (
            format!("a,b,y\n{ten}1,<.1,2\n1,<.1,2"),
            &["\"<.1\" is a limit, which is no number, and 1 more"],
        ),
        (format!("a,b,y\n{ten}1,2,\"5 mm\"\n"), &["\"5 mm\" has text behind its number"]),
        (
            format!("a,b,y\n{ten}1,273b,2\n"),
            &["name of the column (--categorical takes all as words)"],
        ),
        ("{\"a\": 1}".into(), &["is JSON"]),
        ("\"a,y\"\n\"1,2\"\n".into(), &["whole lines stand in quotes"]),
        (format!("when,a,y\n{month}"), &["column 1 (when): \"1 Jan 2023\" is a date"]),
    ] {
        case.fit(text, "").fails(1, parts);
    }
}

/// Methods that are compared see the same rows: what is doubtful of them is said, and once.
#[test]
fn comparing_says_it_once() {
    let case = case("dirty_compare");
    let code = rows(60, |i, a, b, y| match i % 5 {
        2 => format!("{a:.4},-9999,{y:.4},Red"),
        _ => format!("{a:.4},{b:.4},{y:.4},{}", ["red", "blue"][i as usize % 2]),
    });
    case.0.write("d.csv", format!("a,b,y,kind\n{code}"));
    let run = case.0.lcc("compare --data d.csv --methods map,laplace --layers 0").expect(0);
    for part in ["column b has a few values far", "\"Red\" and \"red\" are two categories"] {
        assert_eq!(run.err.matches(part).count(), 1, "{}", run.err);
    }
}

/// Words do not say their order; a class that the other folds do not have says what to do.
#[test]
fn classes_have_the_order_that_is_given_and_are_in_every_fold() {
    let case = case("dirty_classes");
    let fit = |text: &str, more: &str| {
        case.0.write("d.csv", text);
        let small = "--chains 8 --warmup 15 --draws 4 --start 200 --leapfrogs 30 --layers 4 --no-calibration --quiet";
        case.0.lcc(&format!("fit --data d.csv --model m.lcc {small} {more}"))
    };
    let sizes = |y: f64| ["low", "middle", "top"][((y + 6.0) / 4.0).clamp(0.0, 2.0) as usize];
    let table = format!("a,b,y\n{}", rows(60, |_, a, b, y| format!("{a:.4},{b:.4},{}", sizes(y))));
    let needs =
        "needs the order of the classes, from the lowest on: --order \"low,middle,top\", say";
    fit(&table, "--output ordinal").fails(1, &["column 3 (y)", needs]);
    for (order, wrong) in [
        ("low,top", "the class \"middle\" is not in --order"),
        ("low,middle,top,huge", "--order names \"huge\", of which no row is"),
        ("low,low,middle,top", "--order names a class twice"),
    ] {
        fit(&table, &format!("--output ordinal --order {order}")).fails(1, &[wrong]);
    }
    fit(&table, "--output student-t --order low,top").fails(2, &["--order is of classes"]);
    fit(&table, "--output ordinal --order top,middle,low").expect(0);
    let down = case.0.lcc("predict --model m.lcc --data d.csv").expect(0);
    assert!(down.out.starts_with("class,p_top,p_middle,p_low,"), "{}", &down.out[..80]);
    fit(&table, "--output ordinal --order low,middle,top").expect(0);
    let up = case.0.lcc("predict --model m.lcc --data d.csv").expect(0);
    assert!(up.out.starts_with("class,p_low,p_middle,p_top,"), "{}", &up.out[..80]);
    let right = up.out.lines().skip(1).zip(table.lines().skip(1));
    let right = right.filter(|(p, row)| p.split(',').next() == row.rsplit(',').next()).count();
    assert!(right > 45, "{right}");
    let rare = format!("{table}0.1,0.2,huge\n");
    case.0.write("x.csv", &rare);
    let run = case.0.lcc("predict --model m.lcc --data x.csv --predictions p.csv").expect(0);
    let open = "1 of 61 rows have no target, or a class that was not learnt";
    assert!(run.err.contains(open) && run.out.starts_with("60 rows: accuracy"), "{}", run.err);
    assert_eq!(case.0.text("p.csv").lines().count(), 62);
    // A word that one fold alone has is not learnt by the others, whose column then has one word.
    let once = |i: u32| if i == 7 { "yes" } else { "no" };
    let word = rows(60, |i, a, b, y| format!("{a:.4},{b:.4},{},{}", once(i), sizes(y)));
    fit(&format!("a,b,k,y\n{word}"), "--cv 5").expect(0);
    // A word that is there or missing is one column of one word, and read back.
    let some = |i: u32| if i.is_multiple_of(3) { "" } else { "yes" };
    let word = rows(60, |i, a, b, y| format!("{a:.4},{b:.4},{},{}", some(i), sizes(y)));
    fit(&format!("a,b,k,y\n{word}"), "--missing mean").expect(0);
    case.0.lcc("predict --model m.lcc --data d.csv").expect(0);
    fit(&rare, "--cv 5")
        .fails(1, &["\"huge\" is not among", "the rows of the other folds have none"]);
}
