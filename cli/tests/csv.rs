//! What is read, and what is refused with the place of the fault.

mod common;
use common::{Folder, table};

/// Small enough to take a moment.
const QUICK: &str = "--method network --neurons 2 --chains 1 --warmup 8 --draws 8 --keep 4 --quiet";

#[test]
fn faulty_tables_are_refused_with_file_row_and_column() {
    let folder = Folder::new("faulty");
    for (text, parts) in [
        ("", &["the file is empty"][..]),
        ("\n\n", &["the file is empty"]),
        ("a,y", &["no rows"]),
        ("a,y\n", &["no rows"]),
        ("a,b\n1,2\n", &["no column called \"y\""]),
        ("y\n1\n", &["no inputs"]),
        ("a,,y\n1,2,3\n", &["column 2 has no name"]),
        ("a,a,y\n1,2,3\n", &["columns 1 and 2 are both called \"a\""]),
        ("\"a,y\n1,2\n", &["quotes do not match"]),
        ("a,y\n1,2\n3\n", &["row 2 (line 3) has 1 cell,", "the header has 2"]),
        ("a,y\n1,2,3\n", &["row 1 (line 2) has 3 cells"]),
        ("a,y\n1,\n", &["row 1 (line 2), column 2 (y): is empty"]),
        ("a,y\n1,2\nx,4\n", &["row 2 (line 3), column 1 (a): \"x\" is not a number"]),
        ("a,y\n0x1p3,4\n", &["column 1 (a): \"0x1p3\" is not a number"]),
        ("a,y\n1;2,4\n", &["column 1 (a): \"1;2\" is not a number"]),
        ("a,y\nNaN,4\n1,2\n", &["column 1 (a): \"NaN\" is not a finite number"]),
        ("a,y\n1,-inf\n", &["column 2 (y): \"-inf\" is not a finite number"]),
        ("a,y\n1,NA\n", &["column 2 (y): \"NA\" is not a finite number"]),
        ("a,y\n1,1e999\n", &["column 2 (y): \"1e999\" is too large"]),
        ("a,y\n1,1e200\n", &["row 1 (line 2), column 2 (y)", "single precision"]),
        ("a,y\n1,2\0\n", &["not a text file"]),
    ] {
        folder.write("d.csv", text);
        let run = folder.lcc(&format!("fit --data d.csv --model m.lcc --json r.json {QUICK}"));
        run.fails(1, &["lcc: d.csv: "]).fails(1, parts);
        assert_eq!(folder.list(), ["d.csv"], "nothing is written for {text:?}");
    }
}

/// The same numbers in other clothes give the same model.
#[test]
fn line_ends_quotes_and_column_order_do_not_matter() {
    let folder = Folder::new("clothes");
    let plain = table(30);
    let moved: String = plain
        .lines()
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            format!("{},{},{}\n", cells[2], cells[0], cells[1])
        })
        .collect();
    let variants = [
        plain.clone(),
        plain.replace('\n', "\r\n"),
        plain.trim_end().to_string(),
        format!("{plain}\n\n"),
        plain.replacen("a,b,y", "\"a\", \"b\" ,\"y\"", 1),
        format!("\u{feff}{plain}"),
        plain.replace(',', " , "),
        moved,
    ];
    let mut models = Vec::new();
    for text in &variants {
        folder.write("d.csv", text);
        folder
            .lcc(&format!("fit --data d.csv --model m.lcc --predictions p.csv {QUICK}"))
            .expect(0);
        models.push(folder.bytes("m.lcc"));
    }
    for (k, model) in models.iter().enumerate() {
        assert_eq!(model, &models[0], "variant {k}");
    }
    let predictions = folder.bytes("p.csv");
    folder.write("d.csv", plain.replacen("a,b,y", "a,b,depth", 1));
    folder.lcc(&format!("fit --data d.csv --target depth --predictions p.csv {QUICK}")).expect(0);
    assert_eq!(folder.bytes("p.csv"), predictions);
}

#[test]
fn test_tables_are_taken_by_name_and_query_tables_have_the_same_inputs() {
    let folder = Folder::new("inputs");
    folder.write("d.csv", table(30));
    folder.write("fewer.csv", "a,y\n1,2\n");
    folder.write("swapped.csv", "b,a,y\n1,2,3\n");
    folder.write("no_target.csv", "a,b\n1,2\n");
    folder
        .lcc(&format!("fit --data d.csv --test fewer.csv {QUICK}"))
        .fails(1, &["fewer.csv: no column called \"b\""]);
    // Whatever their order: the same scores.
    let rows: Vec<String> = table(30)
        .lines()
        .map(|l| l.split(',').collect::<Vec<_>>())
        .map(|c| format!("{},{},{}\n", c[1], c[2], c[0]))
        .collect();
    folder.write("turned.csv", rows.concat());
    for (test, json) in [("d.csv", "a.json"), ("turned.csv", "b.json")] {
        let fit = format!("fit --data d.csv --test {test} --json {json} {QUICK}");
        folder.lcc(&fit).expect(0);
    }
    assert_eq!(folder.json("a.json")["test"], folder.json("b.json")["test"]);
    folder
        .lcc(&format!("fit --data d.csv --test no_target.csv {QUICK}"))
        .fails(1, &["no_target.csv: no column called \"y\""]);
}

#[test]
fn faulty_splits_are_refused() {
    let folder = Folder::new("splits");
    folder.write("d.csv", table(30));
    for (text, k, part) in [
        ("", 0, "line 1: EOF while parsing"),
        ("{\"splits\":[{\"test\":[0,1]}]", 0, "line 1: EOF while parsing"),
        ("{\"splits\":[{\"test\":[0,1]}]}\nx", 0, "line 2: trailing characters"),
        ("{\"splits\":[{\"test\":[0,1]}]}", 1, "no split 1: it holds 1"),
        ("{\"splits\":[{\"train\":[0,1]}]}", 0, "has no \"test\""),
        ("{\"splits\":[{\"test\":[0,30]}]}", 0, "row 30, but the data have 30 rows"),
        ("{\"splits\":[{\"test\":[3,3]}]}", 0, "row 3 is listed twice"),
        ("{\"splits\":[{\"test\":[-1]}]}", 0, "row number from 0"),
        ("{\"splits\":[{\"test\":[0.5]}]}", 0, "row number from 0"),
        ("{\"splits\":[{\"test\":[]}]}", 0, "leaves no row to test"),
    ] {
        folder.write("s.json", text);
        folder
            .lcc(&format!("fit --data d.csv --split s.json:{k} --model m.lcc {QUICK}"))
            .fails(1, &["s.json: ", part]);
    }
    folder.write("s.json", "{\"splits\":[{\"test\":[0,1]}]}");
    folder
        .lcc(&format!("fit --data d.csv --split s.json:0 --train-500 {QUICK}"))
        .fails(1, &["has no \"train_500\""]);
    assert_eq!(folder.list(), ["d.csv", "s.json"]);
}
