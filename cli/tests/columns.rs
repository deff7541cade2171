//! Columns of words and cells without a value: what is made of them, and that the model knows.

mod common;
use common::{Folder, parse_csv};
use std::fmt::Write as _;

const SMALL: &str =
    "--method network --neurons 3 --chains 2 --warmup 60 --draws 40 --keep 10 --quiet";
const COLOURS: [(&str, f64); 3] = [("red", 2.0), ("\"dark, blue\"", -1.0), ("a \"\"b\"\"", 0.5)];

/// `rows` rows: y = 2 a + a value for each colour + 1 for m, and a little noise.
fn table(rows: u32, mut cell: impl FnMut(u32, &str) -> String) -> String {
    let mut state = 7_u32;
    let mut uniform = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(state >> 8) / f64::from(1 << 24)
    };
    let mut csv = String::from("a,colour,sex,y\n");
    for row in 0..rows {
        let a = 2.0 * uniform() - 1.0;
        let (colour, shift) = COLOURS[(3.0 * uniform()) as usize % 3];
        let colour = if colour.contains(' ') && !colour.starts_with('"') {
            format!("\"{colour}\"")
        } else {
            colour.to_string()
        };
        let sex = if uniform() < 0.5 { "m" } else { "f" };
        let y = 2.0 * a + shift + f64::from(u8::from(sex == "m")) + 0.1 * (uniform() - 0.5);
        let a = cell(row, &format!("{a:.5}"));
        let _ = writeln!(csv, "{a},{},{sex},{y:.5}", cell(row + 1000, &colour));
    }
    csv
}

fn whole(_: u32, cell: &str) -> String {
    cell.to_string()
}

fn number(value: &serde_json::Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

#[test]
fn words_are_learnt_and_known_again() {
    let folder = Folder::new("words");
    folder.write("d.csv", table(150, whole));
    folder
        .lcc(&format!(
            "fit --data d.csv --test d.csv --model m.lcc --predictions p.csv --json r.json {SMALL}"
        ))
        .expect(0);
    let json = folder.json("r.json");
    // a, three colours, one column for sex: the colours' sd is 1.2, so they were used.
    assert_eq!(json["d"], 5);
    assert!(number(&json["test"]["rmse"]) < 0.3, "{json}");
    folder.lcc("predict --model m.lcc --data d.csv --predictions q.csv").expect(0);
    assert_eq!(folder.bytes("q.csv"), folder.bytes("p.csv"));

    // By their names, whatever their order; more than are asked for are left out.
    folder.write("x.csv", "sex,more,colour,a\nm,1,red,0.5\n\"f\",2,\"dark, blue\",-0.5\n");
    let run = folder.lcc("predict --model m.lcc --data x.csv").expect(0);
    let (_, rows) = parse_csv(&run.out);
    assert!((rows[0][0] - 4.0).abs() < 0.5 && (rows[1][0] + 2.0).abs() < 0.5, "{rows:?}");
    assert!(run.err.contains("1 column is no inputs of the model"), "{}", run.err);

    for (text, parts) in [
        (
            "a,colour,sex\n1,red,m\n1,green,m\n",
            &[
                "row 2 (line 3), column 2 (colour): \"green\" is not among",
                "\"a \"b\"\", \"dark, blue\", \"red\"",
            ][..],
        ),
        ("a,colour,sex\n1,,m\n", &["column 2 (colour): is empty, and no training row"]),
        ("a,colour,sex\nx,red,m\n", &["column 1 (a): \"x\" is not a number"]),
        ("a,sex\n1,m\n", &["no column called \"colour\", which is an input"]),
        ("a,colour,sex\n1,\"red,m\n", &["row 1 (line 2), column 2: the quotes do not match"]),
        ("a,colour,sex\n1,red\n", &["row 1 (line 2) has 2 cells, the header has 3"]),
    ] {
        folder.write("x.csv", text);
        folder.lcc("predict --model m.lcc --data x.csv").fails(1, parts);
    }
    // One that is not known, as the average of those that are.
    folder.write("x.csv", "a,colour,sex\n0,green,f\n");
    let run = folder.lcc("predict --model m.lcc --data x.csv --unknown mean").expect(0);
    let mean = parse_csv(&run.out).1[0][0];
    assert!((mean - 0.5).abs() < 1.0, "{mean}");
}

#[test]
fn line_ends_quotes_and_the_order_of_rows_do_not_change_the_columns() {
    let folder = Folder::new("words_clothes");
    let plain = table(60, whole);
    let quoted = plain.replace(",m,", ",\"m\",").replace(",f,", " , \"f\" ,");
    let mut models = Vec::new();
    for text in [plain.clone(), plain.replace('\n', "\r\n"), quoted, format!("\u{feff}{plain}\n")] {
        folder.write("d.csv", text);
        folder.lcc(&format!("fit --data d.csv --model m.lcc {SMALL}")).expect(0);
        models.push(folder.bytes("m.lcc"));
    }
    assert!(models.iter().all(|model| model == &models[0]));
    // Levels are sorted: the first row's colour is no other than the rest.
    let mut lines: Vec<&str> = plain.lines().collect();
    lines[1..].reverse();
    folder.write("d.csv", lines.join("\n"));
    folder.lcc(&format!("fit --data d.csv --model m.lcc {SMALL}")).expect(0);
    let tail = |model: &[u8]| model[model.len() - 500..].to_vec();
    let names = |bytes: &[u8]| String::from_utf8_lossy(bytes).contains("sex");
    assert!(names(&tail(&models[0])) && names(&tail(&folder.bytes("m.lcc"))));
}

#[test]
fn missing_cells_are_refused_or_count_for_the_mean_or_are_left_out() {
    let folder = Folder::new("missing");
    let names = ["", "NA", "nan", "?", "NULL"];
    folder.write(
        "d.csv",
        table(150, |row, cell| match row {
            3 | 17 | 40 | 77 | 140 => names[row as usize % 5].to_string(),
            1050 => String::new(),
            _ => cell.to_string(),
        }),
    );
    folder.write("t.csv", table(30, whole));
    folder.lcc(&format!("fit --data d.csv --model m.lcc {SMALL}")).fails(
        1,
        &[
            "d.csv: row 4 (line 5), column 1 (a): ",
            "--missing mean or --missing drop takes such rows",
        ],
    );
    // Of the columns a, three colours and sex, two missed cells.
    for (rule, n, d) in [("mean", 150, 7), ("drop", 144, 5)] {
        let run = folder
            .lcc(&format!(
                "fit --data d.csv --test t.csv --model {rule}.lcc --json r.json --missing {rule} {SMALL}"
            ))
            .expect(0);
        let json = folder.json("r.json");
        assert_eq!((json["n"].as_u64(), json["d"].as_u64()), (Some(n), Some(d)));
        assert!(number(&json["test"]["rmse"]) < 0.3, "{json}");
        assert_eq!(run.err.contains("6 of 150 rows miss cells"), rule == "drop", "{}", run.err);
    }
    folder.write("x.csv", "a,colour,sex\n?,red,m\n0.1,NA,f\n");
    let run = folder.lcc("predict --model mean.lcc --data x.csv").expect(0);
    // The mean of a is near 0: y = 0 + 2 + 1, and more uncertain than any other.
    let row = &parse_csv(&run.out).1[0];
    assert!((row[0] - 3.0).abs() < 1.5, "{row:?}");
    folder
        .lcc("predict --model drop.lcc --data x.csv")
        .fails(1, &["row 1 (line 2), column 1 (a): \"?\" is a missing value, and no training row"]);
    // A column that missed nothing while it was learnt must not miss anything now.
    folder.write("x.csv", "a,colour,sex\n0.1,red,\n");
    folder
        .lcc("predict --model mean.lcc --data x.csv")
        .fails(1, &["column 3 (sex): is empty, and no training row missed it there"]);
    // Rows to predict may have a target that is not known: all of them, or some.
    folder.write("x.csv", "a,colour,sex,y\n0.1,red,m,\n0.2,red,f,NA\n");
    let run = folder.lcc("predict --model mean.lcc --data x.csv").expect(0);
    assert_eq!(parse_csv(&run.out).0, ["mean", "sd", "lower", "upper", "row", "extrapolates"]);
    folder.write("x.csv", "a,colour,sex,y\n0.1,red,m,1\n0.2,red,f,NA\n");
    let run = folder.lcc("predict --model mean.lcc --data x.csv").expect(0);
    assert!(run.err.contains("1 of 2 rows have no target"), "{}", run.err);
}

#[test]
fn columns_that_cannot_be_meant_are_refused() {
    let folder = Folder::new("odd_columns");
    let each = |cell: &dyn Fn(usize) -> String| -> String {
        (0..60).map(|i| format!("{},{i}\n", cell(i))).collect()
    };
    let many = each(&|i| format!("name{i}"));
    let (codes, units) =
        (each(&|i| format!("{i}{}", ["A", "B"][i % 2])), each(&|i| format!("{i} kg")));
    for (text, flags, parts) in [
        (
            "a,y\n1,1\nx,2\n",
            "",
            &["row 2 (line 3), column 1 (a): \"x\" is not a number, as others"][..],
        ),
        ("a,y\nx,1\nx,2\n", "", &["\"x\" is not a number, and a column of one word"]),
        (&format!("a,y\n{many}"), "", &["column 1 (a): 60 different words in 60 rows"]),
        (&format!("a,y\n{codes}"), "", &["column 1 (a): 60 different words in 60 rows"]),
        (&format!("a,y\n{units}"), "", &["0 kg", "text behind"]),
        ("a,b,y\n1,,1\n2,NA,2\n", "--missing mean", &["column 2 (b) has no values"]),
        ("a,b,y\n1,,1\n2,NA,2\n", "--missing drop", &["d.csv: no row is left"]),
        ("a,y\n1,1\n2,\n", "--missing mean", &["column 2 (y): is empty (--missing drop"]),
        ("a,y\n1,1\n2,5\n", "--categorical a,b", &["no input called \"b\" (--categorical)"]),
        ("a,y\n1,1\n2,5\n", "--categorical y", &["no input called \"y\" (--categorical)"]),
    ] {
        folder.write("d.csv", text);
        folder.lcc(&format!("fit --data d.csv --model m.lcc {SMALL} {flags}")).fails(1, parts);
        assert_eq!(folder.list(), ["d.csv"]);
    }
    folder.write("d.csv", "a,b,y\n1,2,1\n2,2,2\n");
    for flags in ["--missing zero", "--unknown zero"] {
        folder.lcc(&format!("fit --data d.csv {flags}")).fails(2, &["this build has no \"zero\""]);
    }
    // Numbers that are names: 1 and 1.0 are the same one.
    let rows: String =
        (0..60).map(|i| format!("{},{}\n", ["1", "7.0", "1.0", "x"][i % 4], i % 4 % 2)).collect();
    folder.write("d.csv", format!("a,y\n{rows}"));
    folder
        .lcc(&format!("fit --data d.csv --model m.lcc --json r.json --categorical a {SMALL}"))
        .expect(0);
    assert_eq!(folder.json("r.json")["d"], 3);
    folder.write("x.csv", "a\n7\n8\n");
    folder
        .lcc("predict --model m.lcc --data x.csv")
        .fails(1, &["row 2 (line 3), column 1 (a): \"8\" is not among", "\"1\", \"7\", \"x\""]);
}

/// Whatever a model says of its columns, it is read or refused.
#[test]
fn damaged_columns_are_refused() {
    let folder = Folder::new("damaged_columns");
    folder.write("d.csv", table(40, whole));
    folder.lcc(&format!("fit --data d.csv --model m.lcc {SMALL}")).expect(0);
    let model = folder.bytes("m.lcc");
    let from = model.windows(7).rposition(|w| w == b"\x06\0colou").expect("a name");
    for cut in [1, 7, model.len() - from] {
        folder.write("x.lcc", &model[..model.len() - cut]);
        folder.lcc("predict --model x.lcc --data d.csv --predictions q.csv").fails(1, &["x.lcc: "]);
    }
    for (k, byte) in (from..model.len()).step_by(3).zip([0, 1, 0x7f].into_iter().cycle()) {
        let mut broken = model.clone();
        broken[k] = byte;
        folder.write("x.lcc", &broken);
        let run = folder.lcc("predict --model x.lcc --data d.csv --predictions q.csv");
        assert!(run.code == 0 || run.code == 1, "{}", run.err);
    }
}

/// Rows that count as often as their column says.
#[test]
fn weights_are_a_column_of_the_table() {
    let folder = Folder::new("weights");
    let csv = table(60, whole);
    let with = |name: &str, weight: &dyn Fn(usize) -> String| {
        let lines = csv.lines().enumerate();
        let lines = lines.map(|(i, line)| match i {
            0 => format!("w,{line}\n"),
            _ => format!("{},{line}\n", weight(i)),
        });
        folder.write(name, lines.collect::<String>());
    };
    let fit = |args: &str| {
        folder.lcc(&format!(
            "fit {args} --layers 3 --chains 8 --start 50 --warmup 4 --draws 2 --output gaussian --quiet"
        ))
    };
    folder.write("d.csv", &csv);
    with("one.csv", &|_| "1".into());
    fit("--data d.csv --model d.lcc").expect(0);
    fit("--data one.csv --weights w --model one.lcc").expect(0);
    let point = |name: &str| {
        folder.lcc(&format!("predict --model {name} --data d.csv --predictions p.csv")).expect(0);
        folder.bytes("p.csv")
    };
    assert_eq!(point("d.lcc"), point("one.lcc"));

    // One of weight 0 is not there, whatever is in it; the column is no input, and new rows need not have it.
    with("some.csv", &|i| if i % 3 == 0 { "0".into() } else { format!("{}", 1 + i % 2) });
    let kept = csv.lines().enumerate().filter(|(i, _)| *i == 0 || i % 3 != 0);
    let kept = kept.map(|(i, line)| match i {
        0 => format!("{line},w\n"),
        _ => format!("{line},{}\n", 1 + i % 2),
    });
    folder.write("kept.csv", kept.collect::<String>());
    fit("--data some.csv --weights w --model some.lcc --json some.json").expect(0);
    fit("--data kept.csv --weights w --model kept.lcc").expect(0);
    assert_eq!(point("some.lcc"), point("kept.lcc"));
    assert_ne!(point("some.lcc"), point("d.lcc"));
    let (show, json) = (folder.lcc("show some.lcc").expect(0).out, folder.json("some.json"));
    assert!(show.contains("column w, 60 in all"), "{show}");
    assert_eq!(json["n"], 40);

    let refused = |args: &str, name: &str, weight: &dyn Fn(usize) -> String, sentence: &str| {
        with(name, weight);
        let run = fit(args).expect(1);
        assert!(run.err.contains(sentence), "{}", run.err);
    };
    let bad = "--data bad.csv --weights w --model bad.lcc";
    let second = |bad: &'static str| move |i: usize| if i == 2 { bad.into() } else { "1".into() };
    refused(bad, "bad.csv", &second("-1"), "row 2 (line 3), column 1 (w): \"-1\" is no weight");
    refused(
        bad,
        "bad.csv",
        &second("much"),
        "row 2 (line 3), column 1 (w): \"much\" is not a number",
    );
    refused(bad, "bad.csv", &second(""), "row 2 (line 3), column 1 (w): is empty");
    refused(bad, "bad.csv", &|_| "0".into(), "no training row has a weight above 0");
    let run = folder.lcc("fit --data one.csv --weights v").expect(1);
    assert!(run.err.contains("no input called \"v\" (--weights)"), "{}", run.err);
    let run = folder.lcc("fit --data one.csv --weights w --method network").expect(2);
    assert!(run.err.contains("--weights is not for --method network"), "{}", run.err);
}
