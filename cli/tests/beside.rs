//! What stands beside predictions: identifiers as the file has them, and rows that cannot be predicted or scored.

mod common;
use common::Folder;

const SMALL: &str = "--method map --layers 0 --quiet";

/// y = a exactly, rows named by 20 digits and by a name with quotes and a comma.
fn named(rows: u32) -> String {
    let mut csv = String::from("serial,\"name, full\",a,y\n");
    for i in 0..rows {
        let a = f64::from(i % 7) + 0.1 * f64::from(i);
        csv += &format!("0012345678901234567{i:02},\"O\"\"Neil, {i}\",{a},{a}\n");
    }
    csv
}

#[test]
fn identifiers_stand_beside_predictions_and_are_no_inputs() {
    let folder = Folder::new("identifiers");
    folder.write("d.csv", named(40));
    let id = |names: &str| {
        let mut command = folder.command(&format!("fit --data d.csv --model m.lcc {SMALL}"));
        command.args(["--predictions", "p.csv", "--json", "r.json", "--id", names]);
        common::Run::from(command.output().expect("lcc runs"))
    };
    // Names may hold commas, as the cells do.
    id("serial,name, full").expect(0);
    assert_eq!(folder.json("r.json")["d"], 1);
    let text = folder.text("p.csv");
    let mut lines = text.lines();
    let head = "serial,\"name, full\",mean,sd,lower,upper,y,row,extrapolates";
    assert_eq!(lines.next(), Some(head));
    for (i, line) in lines.enumerate() {
        let own = format!("0012345678901234567{i:02},\"O\"\"Neil, {i}\",");
        assert!(line.starts_with(&own) && line.ends_with(&format!(",{},0", i + 1)), "{line}");
    }
    // Without them the same numbers; in predict an input of the model may be named too, and stays one.
    let plain = folder.lcc("predict --model m.lcc --data d.csv").expect(0).out;
    let beside = folder.lcc("predict --model m.lcc --data d.csv --id serial,a").expect(0).out;
    for (plain, beside) in plain.lines().zip(beside.lines()).skip(1) {
        assert_eq!(beside.splitn(3, ',').nth(2), Some(plain));
    }
    // Neither a decimal comma nor a thousands separator is read into an identifier.
    folder.write("e.csv", "no;price;a\n1,5;1.234;2,5\n0,10;1.5;3\n");
    let run = folder.lcc("predict --model m.lcc --data e.csv --id no,price").expect(0);
    let starts: Vec<&str> = run.out.lines().map(|line| &line[..line.len().min(12)]).collect();
    assert!(starts[1].starts_with("\"1,5\",1.234,") && starts[2].starts_with("\"0,10\",1.5,"));

    id("seral").fails(1, &["no column called \"seral\" (--id); is \"serial\" meant?"]);
    id("row").fails(2, &["--id: the predictions have a column \"row\" of their own"]);
    id("").fails(2, &["--id needs names of columns"]);
    let run = folder.lcc(&format!("fit --data d.csv {SMALL}"));
    run.fails(1, &["(name, full): 40 different words", "--id keeps it beside predictions"]);
}

/// A table of any length is read in blocks: identifiers of later rows are theirs.
#[test]
fn identifiers_of_later_blocks() {
    let folder = Folder::new("identifiers_blocks");
    folder.write("d.csv", named(40));
    folder.lcc(&format!("fit --data d.csv --only a --model m.lcc {SMALL}")).expect(0);
    let rows: String = (0..40_000).map(|i| format!("n{i},{}\n", i % 7)).collect();
    folder.write("long.csv", format!("id,a\n{rows}"));
    let run = folder.lcc("predict --model m.lcc --data long.csv --id id").expect(0);
    let mut count = 0;
    for (i, line) in run.out.lines().skip(1).enumerate() {
        assert!(line.starts_with(&format!("n{i},")), "{line}");
        assert!(line.contains(&format!(",{},", i + 1)), "{line}");
        count += 1;
    }
    assert_eq!(count, 40_000);
}

/// As many predictions as rows: whoever puts them side by side must not be a row off.
#[test]
fn rows_without_inputs_have_empty_predictions_where_that_is_asked_for() {
    let folder = Folder::new("gaps");
    folder.write("d.csv", named(40));
    folder.lcc(&format!("fit --data d.csv --only a --model m.lcc {SMALL}")).expect(0);
    folder.write("g.csv", "a,y\n1,1\n,2\n3,\nNA,\n4,4\n");
    let predict = "predict --model m.lcc --data g.csv --missing";
    let hint = "lcc predict --missing drop leaves the prediction empty";
    folder.lcc(&format!("{predict} refuse")).fails(1, &["row 2 (line 3), column 1 (a)", hint]);
    let run = folder.lcc(&format!("{predict} drop --quantiles .5 --json r.json")).expect(0);
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(lines[0], "mean,sd,lower,upper,y,q_.5,row,extrapolates");
    assert_eq!([lines[2], lines[4]], [",,,,2,,2,", ",,,,,,4,"]);
    let cells: Vec<&str> = lines[3].split(',').collect();
    let mean: f64 = cells[0].parse().expect("a number");
    assert!((mean - 3.0).abs() < 0.1 && cells[4].is_empty() && cells[6] == "3", "{}", lines[3]);
    for what in ["2 of 5 rows miss an input", "1 of 5 rows have no target"] {
        assert!(run.err.contains(what), "{}", run.err);
    }
    let json = folder.json("r.json");
    assert_eq!([&json["n"], &json["empty_rows"], &json["test"]["n"]], [3, 2, 2]);
    // The scores are those of the rows that have both.
    folder.write("w.csv", "a,y\n1,1\n4,4\n");
    folder.lcc("predict --model m.lcc --data w.csv --json w.json").expect(0);
    assert_eq!(folder.json("w.json")["test"], json["test"]);
    let run = folder.lcc(&format!("{predict} mean")).expect(0);
    assert_eq!(run.out.lines().filter(|line| line.starts_with(',')).count(), 0);
}
