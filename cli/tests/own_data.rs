//! Data as people have them, and models that know their columns.

mod common;
use common::{Folder, parse_csv, table};
use lcc_tests::tools::by_turns;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

const SMALL: &str =
    "--method network --neurons 3 --chains 2 --warmup 60 --draws 40 --keep 10 --quiet";

/// The same numbers in the clothes of spreadsheets: what `lcc` makes of them, and says of it.
#[test]
fn delimiters_and_decimal_commas_are_guessed_and_said() {
    let folder = Folder::new("delimiters");
    let plain = table(40);
    let semicolons = plain.replace(',', ";");
    let tabs = plain.replace(',', "\t");
    let commas = semicolons.replace('.', ",");
    let mut models = Vec::new();
    for (text, flags, said) in [
        (plain.clone(), "", ""),
        (plain.clone(), "--delimiter comma", ""),
        (semicolons.clone(), "", "separated by semicolons (--delimiter decides)"),
        (semicolons.clone(), "--delimiter ;", ""),
        (format!("\u{feff}sep=;\r\n{}", semicolons.replace('\n', "\r\n")), "", ""),
        (tabs.clone(), "", "separated by tabs"),
        (tabs.replace('\t', " \t "), "--delimiter tab", ""),
        (commas.clone(), "", "separated by semicolons, and \""),
        (tabs.replace('.', ","), "", "separated by tabs, and \""),
        (commas.lines().map(|l| format!("\"{}\"\n", l.replace(';', "\";\""))).collect(), "", "\""),
        (plain.replace('\n', "\r"), "", ""),
    ] {
        folder.write("d.csv", text);
        let run = folder.lcc(&format!("fit --data d.csv --model m.lcc {flags} {SMALL}")).expect(0);
        let spoken = run.err.lines().filter(|l| l.contains("separated by")).collect::<String>();
        assert!(spoken.contains(said) && spoken.is_empty() == said.is_empty(), "{said}: {spoken}");
        models.push(folder.bytes("m.lcc"));
    }
    assert!(models.iter().all(|model| model == &models[0]));
    // Headers in which the other delimiter stands, and an empty last cell.
    folder.write("d.csv", "Weight, kg;y;more\n1,5;2,5;\n2;3;2\n2,5;4,5;1\n4;4,5;\n");
    folder.lcc(&format!("fit --data d.csv --missing mean --json r.json {SMALL}")).expect(0);
    assert_eq!((&folder.json("r.json")["n"], &folder.json("r.json")["d"]), (&4.into(), &3.into()));
}

/// Twelve files that are no tables of numbers: each refused where it is wrong, with what to do.
#[test]
fn ill_formed_tables_are_refused_in_words() {
    let folder = Folder::new("ill_formed");
    for (text, flags, parts) in [
        (
            "a;y\n1,5;2\n1.5;3\n",
            "",
            &["\"1,5\" in row 1, column 1 (a) has a decimal comma, \"1.5\" in row 2"][..],
        ),
        ("a,y\n1,5,2,5\n", "", &["row 1 (line 2) has 4 cells", "separated by semicolons or tabs"]),
        ("a;y\n1.23,5;2\n1.23,6;3\n2,0;1\n", "", &["column 1 (a): \"1.23,5\" is not a number"]),
        (
            "when,y\n2024-01-31,1\n2024-02-01,2\n",
            "",
            &["row 1 (line 2), column 1 (when): \"2024-01-31\" is a date", "days since the first"],
        ),
        ("a,at,y\n1,31.1.2024 08:30,1\n2,1.2.2024 9:00,2\n", "", &["column 2 (at)", "is a date"]),
        ("a,at,y\n1,08:30:15,1\n2,09:00:00,2\n", "", &["column 2 (at)", "is a date"]),
        ("a,y\n1,1/31/24\n2,2/1/24\n", "--output regression", &["column 2 (y)", "is a date"]),
        (",a,y\n0,1,2\n0,2,3\n", "", &["column 1 has no name: give it one"]),
        ("a,y\n1,2\n\u{0}3,4\n", "", &["is not a text file: line 3 has a NUL byte"]),
        ("sep=;\na;y\n1;x\n2;3\n", "--output regression", &["row 1 (line 3), column 2 (y): \"x\""]),
        ("a\tb\ty\n1\t\t2\n2\t3\t4\n", "", &["row 1 (line 2), column 2 (b): is empty"]),
        ("a,b,y\n1,\"2\"3,4\n", "", &["row 1 (line 2), column 2: the quotes do not match"]),
        ("a,y\n1,2\n", "--drop b", &["no column called \"b\" (--drop)"]),
        ("a,y\n1,2\n", "--only a,b", &["no column called \"b\" (--only)"]),
        ("a,y\n1,2\n", "--drop a", &["no inputs beside the target"]),
    ] {
        folder.write("d.csv", text);
        let method = if flags.contains("--output") { "--quiet" } else { SMALL };
        folder
            .lcc(&format!("fit --data d.csv --model m.lcc {flags} {method}"))
            .fails(1, parts)
            .fails(1, &["lcc: d.csv: "]);
        assert_eq!(folder.list(), ["d.csv"]);
    }
    // Years from and to are words, where they cannot be months.
    let years = ["1960-64", "1965-69", "2009-10", "1970-74"];
    let rows = (0..24).map(|i| format!("{},{i},{}\n", years[i % 4], i * i % 7)).collect::<String>();
    folder.write("d.csv", format!("when,a,y\n{rows}"));
    folder.lcc("fit --data d.csv --method map --layers 2 --ascent 20").expect(0);
    folder.write("d.csv", b"\xff\xfea\0,\0y\0\n\0");
    folder.lcc("fit --data d.csv").fails(1, &["is in UTF-16, and read as such", "no rows below"]);
    for (flags, part) in [
        ("--delimiter pipe", "--delimiter takes comma, semicolon, tab or bar"),
        ("--drop a --only b", "either --drop or --only"),
        ("--drop y", "names the target"),
    ] {
        folder.write("d.csv", "a,b,y\n1,2,3\n");
        folder.lcc(&format!("fit --data d.csv {flags}")).fails(2, &[part]);
    }
}

#[test]
fn an_input_with_a_long_tail_is_shown_as_what_it_enters() {
    let folder = Folder::new("long_tail");
    let row = |i: i32| format!("{},{},{}\n", f64::from(i % 17).exp2(), i % 5, i % 17 + i % 3);
    folder.write("d.csv", "a,b,y\n".to_string() + &(0..60).map(row).collect::<String>());
    folder
        .lcc(
            "fit --data d.csv --output student-t --method map --layers 2 --ascent 20 --model m.lcc",
        )
        .expect(0);
    let shown = folder.lcc("show m.lcc").expect(0).out;
    let line = |name: &str| {
        shown.lines().find(|l| l.split_whitespace().any(|w| w == name)).expect("a line")
    };
    assert!(line("a").contains("1 to 65536, as asinh((x - "), "{shown}");
    assert!(line("b").ends_with("0 to 4"), "{shown}");
}

#[test]
fn columns_are_left_out_by_name() {
    let folder = Folder::new("drop");
    let plain = table(40);
    folder.write("d.csv", &plain);
    folder.lcc(&format!("fit --data d.csv --model plain.lcc {SMALL}")).expect(0);
    let mut more = String::from("id,a,when,b,y,note\n");
    for (i, line) in plain.lines().skip(1).enumerate() {
        let cells: Vec<&str> = line.split(',').collect();
        let _ = writeln!(
            more,
            "{i},{},2024-01-{},{},{},x{i}",
            cells[0],
            i % 28 + 1,
            cells[1],
            cells[2]
        );
    }
    folder.write("more.csv", &more);
    for flags in ["--drop id,when,note", "--only a,b"] {
        folder
            .lcc(&format!("fit --data more.csv --test d.csv --model m.lcc {flags} {SMALL}"))
            .expect(0);
        assert_eq!(folder.bytes("m.lcc"), folder.bytes("plain.lcc"));
    }
    // Columns keep the numbers that they have in the file.
    folder.write("bad.csv", "id,a,b,y\n1,2,x,4\n2,3,4,5\n");
    folder
        .lcc(&format!("fit --data bad.csv --drop id {SMALL}"))
        .fails(1, &["row 1 (line 2), column 3 (b): \"x\" is not a number"]);
    // The model takes what it knows, and says what it left.
    let run = folder.lcc("predict --model m.lcc --data more.csv --predictions p.csv").expect(0);
    assert!(
        run.err
            .contains("3 columns are no inputs of the model, left out: \"id\", \"when\", \"note\"")
    );
}

#[test]
fn a_model_knows_its_columns_and_where_they_have_been() {
    let folder = Folder::new("knows");
    folder.write("d.csv", table(60).replacen("a,b,y", "a,b,depth", 1));
    folder.lcc(&format!("fit --data d.csv --target depth --model m.lcc {SMALL}")).expect(0);
    let (_, own) = parse_csv(&folder.lcc("predict --model m.lcc --data d.csv").expect(0).out);
    // The target is known by its name, and no row that trained is outside.
    assert!(
        own.iter().enumerate().all(|(i, r)| r.len() == 7 && r[5] == (i + 1) as f64 && r[6] == 0.0)
    );
    let rows = |order: [usize; 3], header: &str| {
        let mut out = format!("{header}\n");
        for line in folder.text("d.csv").lines().skip(1) {
            let cells: Vec<&str> = line.split(',').collect();
            let _ = writeln!(out, "{}", order.map(|k| cells[k]).join(","));
        }
        out
    };
    folder.write("x.csv", rows([1, 2, 0], "b,depth,a"));
    assert_eq!(parse_csv(&folder.lcc("predict --model m.lcc --data x.csv").expect(0).out).1, own);
    folder.write("x.csv", "depth,c\n1,2\n");
    folder
        .lcc("predict --model m.lcc --data x.csv")
        .fails(1, &["no column called \"a\", \"b\", which are inputs of the model"]);
    folder.write("x.csv", "a,b\n0,0\n3,0\n-5,9\n0,1e3\n");
    let run =
        folder.lcc("predict --model m.lcc --data x.csv --predictions p.csv --json -").expect(0);
    let counts: Vec<f64> = parse_csv(&folder.text("p.csv")).1.iter().map(|r| r[5]).collect();
    assert_eq!(counts, [0.0, 1.0, 2.0, 1.0]);
    assert!(
        run.err.contains("3 of 4 rows lie outside the training data, most often in \"a\" (2 rows")
    );
    assert!(run.out.contains("\"extrapolated_rows\": 3"), "{}", run.out);
}

#[cfg(unix)]
#[test]
fn standard_input_and_output_are_called_by_a_dash() {
    use std::io::{Read as _, Write as _};
    let folder = Folder::new("dash");
    folder.write("d.csv", table(60));
    folder.lcc(&format!("fit --data d.csv --model m.lcc {SMALL}")).expect(0);
    let expected = folder.lcc("predict --model m.lcc --data d.csv").expect(0).out;
    let piped = |input: &str, arguments: &str| {
        let mut child = folder.start_with_input(arguments);
        child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("written");
        common::Run::from(child.wait_with_output().expect("lcc ends"))
    };
    let run =
        piped(&folder.text("d.csv"), "predict --model m.lcc --data - --predictions -").expect(0);
    assert_eq!(run.out, expected);
    let run = piped(&table(60), &format!("fit --data - --predictions - {SMALL}")).expect(0);
    assert!(run.out.starts_with("mean,sd,lower,upper,y,row,extrapolates\n"), "{}", run.out);
    piped("a,y\n1,x\n2,3\n", &format!("fit --data - {SMALL}"))
        .fails(1, &["standard input: row 1 (line 2), column 2 (y): \"x\" is not a number"]);
    folder
        .lcc(&format!("fit --data d.csv --predictions - --json - {SMALL}"))
        .fails(2, &["two results cannot both go to standard output"]);

    // A reader that leaves early, as `head` does, is no failure.
    let mut child = folder.start(&format!("fit --data d.csv --json - {SMALL}"));
    let mut some = [0; 1];
    child.stdout.take().expect("a pipe").read_exact(&mut some).expect("a byte");
    let run = common::Run::from(child.wait_with_output().expect("lcc ends"));
    assert_eq!((run.code, run.err.contains("cannot be written")), (0, false), "{}", run.err);
    let mut child = folder.start("help fit");
    drop(child.stdout.take());
    let run = common::Run::from(child.wait_with_output().expect("lcc ends"));
    assert_eq!((run.code, run.err.as_str()), (0, ""));
}

/// The commands of the front page, and of the page of all commands, with less work.
#[test]
fn the_commands_of_the_pages_do_what_they_say() {
    let folder = Folder::new("readme");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = |name: &str| fs::read_to_string(root.join(name)).expect("a page");
    let (readme, commands) = (page("README.md"), page("docs/command_line.md"));
    // Five commands from a clone to one's own prediction; the build is that of these tests, `lcc` alone `demo.rs`.
    let begin = [
        "cargo build --release ",
        "export PATH=\"$PWD/target/release:",
        "lcc ",
        "lcc fit ",
        "lcc predict ",
    ];
    let lines: Vec<_> = readme.lines().collect();
    let path = |five: &[&str]| five.iter().zip(begin).all(|(line, start)| line.starts_with(start));
    assert!(lines.windows(begin.len()).any(path), "the way in");
    folder.write("train.csv", table(50));
    folder.write("new.csv", "b,a\n0.1,0.2\n0.3,-0.2\n");
    let mut export = String::from("id;date;a;b;price\n");
    for (i, line) in table(50).lines().skip(1).enumerate() {
        let _ = writeln!(export, "{i};2024-01-01;{}", line.replace(',', ";").replace('.', ","));
    }
    folder.write("export.csv", export);
    for (start, said, written) in [
        ("fit --data train.csv --model sensor.lcc", "fitted      50 rows", "sensor.lcc"),
        ("predict --model sensor.lcc", "mean,sd,lower,upper,row,extrapolates", ""),
        ("report --model sensor.lcc", "", "r.html"),
        ("show sensor.lcc", "predicts    y: numbers", ""),
        ("fit --data train.csv --cv 5", "folds       1 x 5, 50 rows", ""),
        ("fit --data export.csv --target price --drop id,date", "test        10 rows", ""),
        ("compare --data train.csv", "linear regression", "p.svg"),
    ] {
        let line =
            commands.lines().find_map(|l| l.strip_prefix("lcc ").filter(|l| l.starts_with(start)));
        let command =
            line.and_then(|l| l.split('#').next()).unwrap_or_else(|| panic!("no {start}"));
        let fits = ["fit", "compare"].iter().any(|c| start.starts_with(c));
        let less = if fits { "--layers 2 --chains 2 --start 40" } else { "" };
        let run = folder.lcc(&format!("{command} {less}")).expect(0);
        assert!(run.out.contains(said), "{command}: {}", run.out);
        assert!(written.is_empty() || folder.list().contains(&written.to_string()), "{command}");
    }
}

/// What single precision would round away is fitted in double, and said.
/// Quantiles are the ends of intervals, draws those of the row whatever stands beside it.
#[test]
fn predictions_have_quantiles_and_draws_on_request() {
    let folder = Folder::new("further");
    folder.write("d.csv", table(120));
    folder.lcc(&format!("fit --data d.csv --model m.lcc {SMALL}")).expect(0);
    let options = "--quantiles .05,.5,.95 --draws 400";
    folder
        .lcc(&format!("predict --model m.lcc --data d.csv --predictions p.csv {options}"))
        .expect(0);
    let (names, rows) = parse_csv(&folder.text("p.csv"));
    assert_eq!(names[4..9], ["y", "q_.05", "q_.5", "q_.95", "draw_1"]);
    assert_eq!((names.len(), names[408].as_str()), (410, "row"));
    for r in &rows {
        let (mean, sd) = (r[0], r[1]);
        assert!((r[5] - r[2]).abs() < 1e-4 * sd && (r[7] - r[3]).abs() < 1e-4 * sd, "{r:?}");
        assert!((r[6] - mean).abs() < sd);
        let drawn = r[8..408].iter().sum::<f64>() / 400.0;
        assert!((drawn - mean).abs() < 5.0 * sd / 20.0, "{drawn} for {mean}");
    }
    assert!(rows[0][8] != rows[1][8]);
    // Half of the rows, without the target: the same numbers; another seed others.
    let cut: String = folder
        .text("d.csv")
        .lines()
        .take(61)
        .map(|l| l.rsplit_once(',').expect("a target").0.to_string() + "\n")
        .collect();
    folder.write("x.csv", cut);
    let told = |seed: &str| {
        let run =
            folder.lcc(&format!("predict --model m.lcc --data x.csv {options} {seed}")).expect(0);
        parse_csv(&run.out).1
    };
    for (a, b) in told("").iter().zip(&rows) {
        assert_eq!(a[4..407], b[5..408]);
    }
    assert!(told("--seed 2")[0][7] != rows[0][8]);
    for wrong in ["--quantiles 0", "--quantiles .5,", "--quantiles half", "--draws 0"] {
        folder.lcc(&format!("predict --model m.lcc --data x.csv {wrong}")).fails(2, &["--"]);
    }
    folder.write(
        "c.csv",
        table(60)
            .lines()
            .map(|l| {
                let (x, y) = l.rsplit_once(',').expect("a target");
                let class = if y.starts_with("1") { "high" } else { "low" };
                format!("{x},{}\n", if y == "y" { "y" } else { class })
            })
            .collect::<String>(),
    );
    let few = "--layers 2 --chains 2 --warmup 2 --draws 3 --start 30 --leapfrogs 9 --no-calibration --quiet";
    folder.lcc(&format!("fit --data c.csv --model c.lcc {few}")).expect(0);
    folder.lcc("predict --model c.lcc --data c.csv --draws 3").fails(2, &["are of numbers"]);
}

/// R-hat of the gas turbine as the page of commands has it, a row of its table for each set of flags.
#[test]
fn what_the_page_of_commands_says_of_r_hat() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../c_examples"));
    let page = fs::read_to_string(root.join("../docs/command_line.md")).expect("the page");
    let rows: Vec<(&str, &str)> = page
        .lines()
        .skip_while(|line| !line.starts_with("| flags | R-hat |"))
        .skip(2)
        .map_while(|line| line.strip_prefix("| ")?.strip_suffix(" |")?.split_once(" | "))
        .collect();
    assert_eq!(rows.len(), 6, "{rows:?}");
    let long = std::env::var_os("LCC_LONG").is_some();
    let rows = rows.into_iter().filter(|(flags, _)| long || !flags.contains("times as long"));
    let folder = Folder::new("readme_rhat");
    for (flags, promised) in by_turns(rows, 5, 1) {
        let options = flags.split('`').nth(1).unwrap_or("");
        let data = root.join("data/gas_turbine_nox.csv");
        let fit = "--chains 16 --threads 1 --quiet --json f.json";
        folder.lcc(&format!("fit --data {} {fit} {options}", data.display())).expect(0);
        let rhat = folder.json("f.json")["rhat_max"].as_f64().expect("a number");
        assert_eq!(format!("{rhat:.2}"), promised, "{flags}");
    }
}

#[test]
fn columns_that_single_precision_would_round_away_are_kept() {
    let folder = Folder::new("precision");
    let mut state = 3_u32;
    let mut uniform = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(state >> 8) / f64::from(1 << 24)
    };
    let mut files = [(); 4].map(|()| String::from("x,y\n"));
    for _ in 0..120 {
        let z = 2.0 * uniform() - 1.0;
        let y = (3.0 * z).sin() + 0.1 * (uniform() - 0.5);
        let shifted = 1.0 + 1e-12 * z;
        let seconds = 1_700_000_000.0 + 150.0 * z;
        let _ = writeln!(files[0], "{z:.12},{y}");
        let _ = writeln!(files[1], "{shifted:.17},{y}");
        let _ = writeln!(files[2], "{seconds:.9},{y}");
        let _ = writeln!(files[3], "{z:.12},{:.9}", 1e9 + y);
    }
    let rmse = |text: &str, flags: &str| {
        folder.write("d.csv", text);
        let run = folder
            .lcc(&format!(
                "fit --data d.csv --test d.csv --model m.lcc --json r.json {flags} {SMALL}"
            ))
            .expect(0);
        let json = folder.json("r.json");
        let precision = json["parameters"]["precision"].as_str().expect("a name").to_string();
        (json["test"]["rmse"].as_f64().expect("a number"), precision, run.err)
    };
    let (usual, precision, said) = rmse(&files[0], "");
    assert!(precision == "f32" && !said.contains("single") && usual < 0.3, "{usual} {said}");
    for (k, column) in [(1, "column 1 (x)"), (2, "column 1 (x)"), (3, "column 2 (y)")] {
        let (ours, precision, said) = rmse(&files[k], "");
        assert_eq!(precision, "f64");
        assert!(said.contains(column) && said.contains("the fit is in double"), "{said}");
        // The sd of y is .7.
        assert!(ours < 1.2 * usual, "{ours} for {usual}");
        if k == 3 {
            let how = format!("fit --data d.csv --precision f32 {SMALL}");
            folder.lcc(&how).fails(1, &["leave --precision f32 out", "the target is constant"]);
            continue;
        }
        let (single, precision, said) = rmse(&files[k], "--precision f32");
        assert!(precision == "f32" && said.contains("leave --precision f32 out"), "{said}");
        assert!(single > 1.5 * usual, "{single}: what the doubling is for");
    }
    // Years and pressures lose nothing.
    let mut years = String::from("x,y\n");
    for i in 0..60 {
        let _ = writeln!(years, "{},{}.5", 1990 + i, i * i % 17);
    }
    let (_, precision, said) = rmse(&years, "");
    assert!(precision == "f32" && !said.contains("single precision"), "{said}");
}

/// Rows of which the target is not known go through in blocks: the same numbers, messages with the file's own rows, and
/// memory that does not grow with the file. (With a target, all rows are held: there are scores.)
#[test]
fn any_number_of_rows_is_predicted_in_the_same_memory() {
    let folder = Folder::new("blocks");
    folder.write("d.csv", table(40));
    folder.lcc(&format!("fit --data d.csv --model m.lcc {SMALL}")).expect(0);
    let rows = 400_000;
    let header = table(1).lines().next().unwrap().to_string();
    let inputs = header.split(',').count() - 1;
    let target = header.split(',').position(|name| name == "y").unwrap();
    let line = |i: usize, y: &str, between: &str| {
        let mut cells: Vec<_> = (0..inputs).map(|k| format!("{}", (7 * i + k) % 10)).collect();
        if !y.is_empty() {
            cells.insert(target, y.into());
        }
        cells.join(between) + "\n"
    };
    let bare = header.split(',').filter(|name| *name != "y").collect::<Vec<_>>().join(",") + "\n";
    let all: String = (0..rows).map(|i| line(i, "", ",")).collect();
    folder.write("x.csv", format!("{bare}{all}\n \n\n"));
    let limit =
        "ulimit -v 50000; exec \"$0\" predict --model m.lcc --data x.csv --predictions p.csv";
    let run = std::process::Command::new("sh")
        .args(["-c", limit, env!("CARGO_BIN_EXE_lcc")])
        .current_dir(std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("blocks"))
        .output()
        .expect("a shell");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let scored: String = (0..10).map(|i| line(i, "0.5", ",")).collect();
    folder.write("scored.csv", format!("{header}\n{scored}"));
    folder.lcc("predict --model m.lcc --data scored.csv --predictions q.csv").expect(0);
    let (p, q) = (folder.text("p.csv"), folder.text("q.csv"));
    assert_eq!(p.lines().count(), rows + 1);
    // Rows repeat after ten.
    let known: Vec<_> = q.lines().map(|q| q.rsplit_once(",0.5,").map_or(q, |(q, _)| q)).collect();
    for (i, p) in p.lines().skip(1).enumerate() {
        let number = format!(",{},", i + 1);
        assert_eq!(p.rsplit_once(&number).unwrap().0, known[1 + i % 10]);
    }
    // What is wrong far behind is told by its place in the file, and nothing is left.
    folder.remove("p.csv");
    folder.write("x.csv", format!("{bare}{all}1\n"));
    let run = folder.lcc("predict --model m.lcc --data x.csv --predictions p.csv").expect(1);
    assert!(run.err.contains(&format!("row {} (line {})", rows + 1, rows + 2)), "{}", run.err);
    assert!(!folder.list().iter().any(|name| name.starts_with("p.csv")));
    // Decimal commas are those of the whole file.
    let all: String = (0..rows).map(|i| line(i, "", ";").replace("3", "3,5")).collect();
    let bare = bare.replace(',', ";");
    let points = vec!["1.5"; inputs].join(";");
    folder.write("x.csv", format!("{bare}{all}{points}\n"));
    let run = folder.lcc("predict --model m.lcc --data x.csv").expect(1);
    assert!(
        run.out.is_empty() && run.err.contains(&format!("\"1.5\" in row {},", rows + 1)),
        "{}",
        run.err
    );
}
