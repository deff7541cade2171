//! The page of `lcc report`: well-formed, without scripts or links, its numbers those that `lcc predict` tells.

mod common;
use common::{Folder, parse_csv, table};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

const SMALL: &str =
    "--method network --neurons 3 --chains 2 --warmup 60 --draws 40 --keep 10 --quiet";

/// Every tag closed in its order, attributes quoted, ids once, text escaped; nothing that runs or is fetched.
fn well_formed(page: &str) {
    let mut rest = page.strip_prefix("<!DOCTYPE html>").expect("a document type");
    let (mut open, mut ids): (Vec<String>, _) = (Vec::new(), BTreeSet::new());
    while let Some(at) = rest.find('<') {
        let (text, tag) = rest.split_at(at);
        assert!(open.last().is_some_and(|t| t == "style") || !text.contains('>'), "{text}");
        for (i, _) in text.match_indices('&') {
            let name = text[i + 1..].split(';').next().expect("an end");
            assert!(["amp", "lt", "gt", "quot"].contains(&name), "{name}");
        }
        let end = tag.find('>').expect("the tag ends");
        let inner = &tag[1..end];
        rest = &tag[end + 1..];
        if let Some(name) = inner.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "closed in its order");
            continue;
        }
        let name = inner.split([' ', '/']).next().expect("a name");
        assert!(!["script", "link", "img", "iframe", "object"].contains(&name), "{name}");
        assert_eq!(inner.matches('"').count() % 2, 0, "{inner}");
        for (i, part) in inner.split('"').enumerate() {
            assert!(i % 2 == 1 || !part.contains(" on"), "{inner}");
        }
        if let Some(id) = inner.split(" id=\"").nth(1) {
            assert!(ids.insert(id.split('"').next().expect("its end").to_string()), "{id} twice");
        }
        if name == "svg" {
            assert!(inner.contains("role=\"img\" aria-label=\"") && rest.starts_with("<title>"));
        }
        if !inner.ends_with('/') {
            open.push(name.to_string());
        }
    }
    assert!(open.is_empty() && rest.trim().is_empty(), "{open:?}");
    for word in ["http:", "https:", "//", "url(", "@import", "src=", "href=", "nan", "inf "] {
        assert!(!page.contains(word), "{word}");
    }
}

/// The cells of the table's row that begins so.
fn row<'a>(page: &'a str, first: &str) -> Vec<&'a str> {
    let start = format!("<tr><td>{first}</td>");
    let at = page.find(&start).unwrap_or_else(|| panic!("no row {first}"));
    let line = page[at..].lines().next().expect("a line");
    line.split("<td").skip(2).map(|c| c.split(['>', '<']).nth(1).expect("a cell")).collect()
}

fn number(cell: &str) -> f64 {
    let word = cell.split(' ').next().expect("a word");
    word.parse().unwrap_or_else(|e| panic!("{cell}: {e}"))
}

/// Four digits of it.
fn near(cell: &str, exact: f64) {
    assert!((number(cell) - exact).abs() <= 6e-4 * exact.abs().max(1e-3), "{cell} for {exact}");
}

fn points(page: &str) -> usize {
    page.matches("h0\"/>").count()
}

#[test]
fn numbers_are_those_of_predict_and_the_page_is_its_bytes() {
    let folder = Folder::new("report_numbers");
    folder.write("d.csv", table(150));
    folder
        .lcc(&format!("fit --data d.csv --model m.lcc --json f.json --log-lik l.csv {SMALL}"))
        .expect(0);
    let report = "report --model m.lcc --data d.csv";
    let run = folder.lcc(&format!("{report} -o r.html")).expect(0);
    assert_eq!((run.out.as_str(), run.err.as_str()), ("", ""));
    let page = folder.text("r.html");
    well_formed(&page);
    assert_eq!(folder.lcc(&format!("{report} -o -")).expect(0).out, page);

    folder.lcc("predict --model m.lcc --data d.csv --json p.json --predictions p.csv").expect(0);
    let test = &folder.json("p.json")["test"];
    let told = |name: &str| test[name].as_f64().expect("a number");
    near(row(&page, "Typical error (RMSE)")[0], told("rmse"));
    near(row(&page, "Mean log density")[0], told("log_likelihood"));
    near(row(&page, "Mean CRPS")[0], told("crps"));
    near(row(&page, "Mean width of the intervals")[0], told("width"));
    let held = row(&page, "Inside their intervals")[0];
    assert!((number(held) - 100.0 * told("coverage")).abs() < 0.051, "{held}");
    // The same intervals by quantiles, in double: a row at the edge may fall to the other side.
    for level in ["50", "80", "90", "95", "99"] {
        folder
            .lcc(&format!(
                "predict --model m.lcc --data d.csv --interval .{level} --json i.json --predictions i.csv"
            ))
            .expect(0);
        let test = &folder.json("i.json")["test"];
        let cells = row(&page, &format!("{level} %"));
        let coverage = 100.0 * test["coverage"].as_f64().expect("a number");
        assert!((number(cells[0]) - coverage).abs() < 0.7 + 0.051, "{level}: {cells:?}");
        near(cells[2], test["width"].as_f64().expect("a number"));
        if level != "80" {
            continue;
        }
        // The last two of twenty bars are the rows above the interval.
        let figure = page.split("<title>How often each twentieth").nth(1).expect("the figure");
        let bars: Vec<f64> = figure
            .split("</svg>")
            .next()
            .expect("its end")
            .split("<rect class=\"b\"")
            .skip(1)
            .map(|r| {
                number(
                    r.split("height=\"")
                        .nth(1)
                        .expect("a height")
                        .split('"')
                        .next()
                        .expect("its end"),
                )
            })
            .collect();
        let (_, rows) = parse_csv(&folder.text("i.csv"));
        let above = rows.iter().filter(|r| r[4] > r[3]).count() as f64 / rows.len() as f64;
        let drawn = (bars[18] + bars[19]) / bars.iter().sum::<f64>();
        assert!(bars.len() == 20 && (drawn - above).abs() < 0.007 + 0.002, "{drawn} for {above}");
    }

    // The first outlier is a row of the file, predicted as predict does.
    let (_, rows) = parse_csv(&folder.text("p.csv"));
    let at = page.find("The rows it predicts worst").expect("the section");
    let first = page[at..].split("<tr><td>").nth(1).expect("a row");
    let cells: Vec<&str> =
        first.split("<td>").map(|c| c.split('<').next().expect("text")).collect();
    let it = &rows[number(cells[0]) as usize - 1];
    near(cells[1], it[4]);
    near(cells[2], it[0]);
    assert!((number(cells[4]) - (it[4] - it[0]) / it[1]).abs() < 0.051);
    let z = |r: &Vec<f64>| ((r[4] - r[0]) / r[1]).abs();
    assert!(z(it) > 0.8 * rows.iter().map(z).fold(0.0, f64::max));

    // Two marks a row, one measured, one missed; and one a draw, at the rank of its log density.
    assert_eq!(points(&page), 300 + 20);
    let (_, draws) = parse_csv(&folder.text("l.csv"));
    let sums: Vec<f64> = draws.iter().map(|row| row.iter().sum()).collect();
    let ranks =
        page.split("The draws of each chain by their ranks</title>").nth(1).expect("a figure");
    let drawn: Vec<f64> = ranks
        .split("<path d=\"M")
        .skip(1)
        .take(20)
        .map(|p| number(p.split_once(' ').expect("two").1.split('h').next().expect("its end")))
        .collect();
    for (sum, y) in sums.iter().zip(drawn) {
        let rank = (sums.iter().filter(|s| *s < sum).count() as f64 + 0.5) / 20.0;
        assert!((y - (158.0 - 150.0 * rank)).abs() < 0.06, "{y} for {rank}");
    }

    // What the fit was, and that these rows trained it; others did not.
    assert!(page.contains("These are the training rows"));
    folder.write("other.csv", table(149));
    folder.lcc("report --model m.lcc --data other.csv -o other.html").expect(0);
    assert!(!folder.text("other.html").contains("These are the rows"));
    assert!(row(&page, "Method")[0].contains("3 neurons, 2 chains of 60 + 40 draws, f32, seed 1"));
    assert!(row(&page, "Chains")[0].starts_with("2 used, 0 dropped"));
    let rhat = folder.json("f.json")["rhat_max"].as_f64().expect("a number");
    assert!((number(row(&page, "R-hat")[0]) - rhat).abs() < 0.0051);

    // Bars as long as the median of an input's weights over draws.
    folder.lcc("convert m.lcc --to json -o w.json").expect(0);
    let networks = folder.json("w.json");
    let weight = |input: usize| {
        let mut all: Vec<f64> = networks["draws"]
            .as_array()
            .expect("draws")
            .iter()
            .map(|d| {
                let w = d["layers"][0]["weights"].as_array().expect("weights");
                let own = w.iter().skip(input).step_by(2).map(|x| x.as_f64().expect("a number"));
                (own.map(|x| x * x).sum::<f64>() / 3.0).sqrt()
            })
            .collect();
        all.sort_by(f64::total_cmp);
        all[all.len() / 2]
    };
    let figure = page.split("The weights of each input").nth(2).expect("the figure");
    let bars: Vec<f64> = figure
        .split("<rect class=\"b\"")
        .skip(1)
        .take(2)
        .map(|r| {
            number(r.split("width=\"").nth(1).expect("a width").split('"').next().expect("its end"))
        })
        .collect();
    let a_first = page.find("a and b move").or(page.find("<p>a moves")).is_some();
    let (first, second) = if a_first { (0, 1) } else { (1, 0) };
    let ratio = weight(second) / weight(first);
    assert!((bars[1] / bars[0] - ratio).abs() < 0.01 * ratio + 0.002, "{bars:?} for {ratio}");
    // `a` moves the target by more than `b`.
    assert!(page.contains("a and b move it most") || page.contains("<p>a moves it most"));
    assert!(page.contains("prefers-color-scheme:dark") && page.contains("@media print"));
}

/// A step of half an sd after row 300 of 450 is told with its place, and its chance is that of a permutation test.
#[test]
fn drift_is_told_with_its_place() {
    let folder = Folder::new("report_drift");
    folder.write("d.csv", table(450));
    folder.lcc(&format!("fit --data d.csv --model m.lcc {SMALL}")).expect(0);
    let page = |file: &str| {
        folder.lcc(&format!("report --model m.lcc --data {file} -o r.html")).expect(0);
        let page = folder.text("r.html");
        well_formed(&page);
        let at = page.find("In the order of the rows").expect("the section");
        page[at..].split("<p>").nth(2).expect("a sentence").to_string()
    };
    folder.lcc("predict --model m.lcc --data d.csv --predictions p.csv").expect(0);
    let (_, rows) = parse_csv(&folder.text("p.csv"));
    let z: Vec<f64> = rows.iter().map(|r| (r[4] - r[0]) / r[1]).collect();
    let furthest = |z: &[f64]| {
        let mean = z.iter().sum::<f64>() / z.len() as f64;
        let sums = z.iter().scan(0.0, |sum, z| {
            *sum += z - mean;
            Some(f64::abs(*sum))
        });
        sums.fold(0.0, f64::max)
    };
    let (told, mut state) = (furthest(&z), 1_u64);
    let mut shuffled = z.clone();
    let beyond = (0..4000)
        .filter(|_| {
            for i in (1..shuffled.len()).rev() {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                shuffled.swap(i, (state >> 33) as usize % (i + 1));
            }
            furthest(&shuffled) >= told
        })
        .count() as f64
        / 4000.0;
    let said = page("d.csv");
    let chance = said.split(" of a hundred").next().expect("a number").rsplit(' ').next();
    let chance: f64 = chance.expect("a number").parse().expect("a number");
    // Of a few hundred rows the limit law is within some hundredths.
    assert!(
        said.starts_with("No drift is seen") && (0.01 * chance - beyond).abs() < 0.04,
        "{said} {beyond}"
    );

    let text = folder.text("d.csv");
    let moved: Vec<String> = text
        .lines()
        .enumerate()
        .map(|(i, line)| {
            let (inputs, y) = line.rsplit_once(',').expect("cells");
            if i <= 300 {
                line.into()
            } else {
                format!("{inputs},{}", y.parse::<f64>().expect("a number") + 0.5 * rows[i - 1][1])
            }
        })
        .collect();
    folder.write("moved.csv", moved.join("\n"));
    let said = page("moved.csv");
    assert!(said.starts_with("They drift"), "{said}");
    let turn: usize = said
        .split("up to row ")
        .nth(1)
        .expect("a row")
        .split(' ')
        .next()
        .expect("a row")
        .parse()
        .expect("a row");
    assert!(turn.abs_diff(300) < 30, "{said}");
}

#[test]
fn a_model_alone_tells_its_inputs() {
    let folder = Folder::new("report_alone");
    folder.write("d.csv", table(80).replace("a,b,y", "<a> & \"b\",kind,y"));
    folder.lcc(&format!("fit --data d.csv --model m.lcc {SMALL}")).expect(0);
    folder.lcc("report --model m.lcc -o alone.html").expect(0);
    let page = folder.text("alone.html");
    well_formed(&page);
    assert!(page.contains("how well is not known here"));
    assert!(page.contains("&lt;a&gt; &amp; &quot;b&quot;"));
    assert!(!page.contains("Calibration"));
    assert_eq!(page.matches("aria-label=\"What the model expects along").count(), 2);
    assert_eq!(row(&page, "kind")[0], "number");
    assert_eq!(row(&page, "Draws in the model")[0], "20");
    // Inputs without the target judge nothing, and move as the rows do.
    let lines: Vec<String> = folder
        .text("d.csv")
        .lines()
        .map(|l| l.rsplit_once(',').expect("a target").0.to_string())
        .collect();
    folder.write("x.csv", lines.join("\n"));
    folder.lcc("report --model m.lcc --data x.csv -o x.html").expect(0);
    let page = folder.text("x.html");
    well_formed(&page);
    assert!(page.contains("how well is not known here") && page.contains("Partial dependence"));
}

#[test]
fn classes_have_their_confusion_and_counts_their_law() {
    let folder = Folder::new("report_kinds");
    let (mut classes, mut counts) = (String::from("a,b,y\n"), String::from("a,years,y\n"));
    for line in table(160).lines().skip(1) {
        let v: Vec<f64> = line.split(',').map(|c| c.parse().expect("a number")).collect();
        let word = if v[2] > 11.0 {
            "high"
        } else if v[2] > 9.5 {
            "middle"
        } else {
            "low"
        };
        let _ = writeln!(classes, "{},{},{word}", v[0], v[1]);
        let count = (2.0 + v[0] + 2.0 * v[1].abs()).floor();
        let _ = writeln!(counts, "{},{:.3},{count}", v[0], 1.0 + v[1].abs());
    }
    folder.write("c.csv", &classes);
    folder.write("n.csv", &counts);
    let few = "--layers 4 --chains 2 --warmup 3 --draws 4 --start 150 --leapfrogs 20 --quiet";
    folder.lcc(&format!("fit --data c.csv --no-calibration --model c.lcc {few}")).expect(0);
    folder.lcc("report --model c.lcc --data c.csv -o c.html").expect(0);
    let page = folder.text("c.html");
    well_formed(&page);
    folder.lcc("predict --model c.lcc --data c.csv --json c.json --predictions c.csv.p").expect(0);
    let test = &folder.json("c.json")["test"];
    near(row(&page, "Log loss")[0], test["log_loss"].as_f64().expect("a number"));
    near(row(&page, "Brier score")[0], test["brier"].as_f64().expect("a number"));
    let right = row(&page, "Right")[0];
    let accuracy = test["accuracy"].as_f64().expect("a number");
    assert!((number(right) - 100.0 * accuracy).abs() < 0.0051, "{right}");
    // The confusion is that of the predictions, class by class.
    let named: Vec<(String, String)> = folder
        .text("c.csv.p")
        .lines()
        .skip(1)
        .map(|l| l.split(',').collect::<Vec<_>>())
        .map(|c| (c[6].to_string(), c[0].to_string()))
        .collect();
    let words = ["high", "low", "middle"];
    for is in words {
        let counted = words.map(|s| named.iter().filter(|n| n.0 == is && n.1 == s).count());
        let said = row(&page, is).into_iter().map(|c| c.parse().unwrap_or(0));
        assert_eq!(said.collect::<Vec<usize>>(), counted, "{is}");
    }
    assert!(page.contains("uniform noise in the range"));

    folder.lcc(&format!("fit --data n.csv --exposure years --model n.lcc {few}")).expect(0);
    folder.lcc("report --model n.lcc --data n.csv -o n.html").expect(0);
    let page = folder.text("n.html");
    well_formed(&page);
    folder.lcc("predict --model n.lcc --data n.csv --json n.json").expect(0);
    let test = &folder.json("n.json")["test"];
    near(row(&page, "Typical error (RMSE)")[0], test["rmse"].as_f64().expect("a number"));
    assert_eq!(row(&page, "years")[0], "exposure");
}

#[test]
fn the_turbine_fits_in_400_kilobytes() {
    let folder = Folder::new("report_size");
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../c_examples/data/gas_turbine_nox.csv");
    let text = fs::read_to_string(data).expect("the data");
    // Twice the rows, of which not all are drawn.
    let body = text.split_once('\n').expect("a header").1;
    folder.write("d.csv", format!("{text}{body}"));
    folder.lcc(&format!("fit --data d.csv --model m.lcc {SMALL}")).expect(0);
    folder.lcc("report --model m.lcc --data d.csv -o r.html").expect(0);
    let page = folder.text("r.html");
    well_formed(&page);
    assert!(page.len() < 400_000, "{} bytes", page.len());
    assert!(page.contains("1200 spread over them are drawn") && points(&page) == 2420);
}

#[test]
fn what_cannot_be_reported_is_said() {
    let folder = Folder::new("report_refusals");
    folder.write("d.csv", table(60));
    folder.lcc(&format!("fit --data d.csv --model m.lcc {SMALL}")).expect(0);
    folder.write("noise.lcc", "these bytes are not a model");
    folder.write("b.csv", "b,y\n1,2\n");
    let whole = folder.bytes("m.lcc");
    folder.write("cut.lcc", &whole[..whole.len() - 9]);
    for (arguments, code, part) in [
        ("report", 2, "--model is missing"),
        ("report --model m.lcc -o", 2, "-o needs a value"),
        ("report --model m.lcc -x r.html", 2, "no option \"-x\""),
        ("report --model m.lcc --interval 1", 2, "between 0 and 1"),
        ("report --model m.lcc --unknown guess", 2, "refuse mean"),
        ("report --model absent.lcc", 1, "absent.lcc: cannot be read"),
        ("report --model noise.lcc", 1, "noise.lcc: "),
        ("report --model cut.lcc", 1, "cut.lcc: "),
        ("report --model m.lcc --data absent.csv", 1, "absent.csv: cannot be read"),
        ("report --model m.lcc --data b.csv", 1, "no column called \"a\""),
        ("report --model m.lcc --data d.csv -o d.csv", 2, "will not be overwritten"),
        ("report --model m.lcc -o m.lcc", 2, "will not be overwritten"),
        ("report --model m.lcc -o absent/r.html", 1, "absent/r.html: cannot be written"),
    ] {
        folder.lcc(arguments).fails(code, &["lcc: ", part]);
    }
    assert_eq!(folder.list(), ["b.csv", "cut.lcc", "d.csv", "m.lcc", "noise.lcc"]);
}

/// A C array knows no columns: the rows' own names do, or numbers.
#[test]
fn a_model_without_names_has_a_page_and_regression_stands_beside() {
    let folder = Folder::new("report_unnamed");
    folder.write("d.csv", table(100));
    folder.lcc(&format!("fit --data d.csv --model m.lcc --c-array m.h {SMALL}")).expect(0);
    let array = folder.text("m.h");
    let numbers = array.split('{').nth(1).expect("an array").split('}').next().expect("its end");
    let bytes: Vec<u8> = numbers.split(',').filter_map(|b| b.trim().parse().ok()).collect();
    folder.write("bare.lcc", bytes);
    folder.lcc("report --model m.lcc --data d.csv -o named.html").expect(0);
    folder.lcc("report --model bare.lcc --data d.csv -o bare.html").expect(0);
    let (named, bare) = (folder.text("named.html"), folder.text("bare.html"));
    // The same but for the path, and for what the fit noted: of the rows, the chains, its options.
    let known: BTreeSet<&str> = named.lines().collect();
    let differ: Vec<&str> = bare.lines().filter(|l| !known.contains(l)).collect();
    assert!(differ.len() == 3 && differ[1].starts_with("<p>If some of these rows"), "{differ:?}");
    assert!(differ[0].contains("bare.lcc") && differ[2].contains("bare.lcc"), "{differ:?}");
    assert!(named.contains("The draws of each chain") && !bare.contains("The draws of each chain"));
    folder.lcc("report --model bare.lcc -o alone.html").expect(0);
    let alone = folder.text("alone.html");
    well_formed(&alone);
    assert!(alone.contains("x1") && alone.contains("x2"));
    folder.write("three.csv", "a,b,c,y\n1,2,3,4\n");
    let report = "report --model bare.lcc --data three.csv -o x.html";
    folder.lcc(report).fails(1, &["three.csv: has 3 inputs, the model was fitted to 2"]);

    // An intercept and two slopes by the normal equations, once without each row.
    let (_, rows) = parse_csv(&folder.text("d.csv"));
    let mut squares = 0.0;
    for fold in 0..100 {
        let train: Vec<_> = rows.iter().enumerate().filter(|(i, _)| *i != fold).collect();
        let centre =
            [0, 1, 2].map(|k| train.iter().map(|(_, r)| r[k]).sum::<f64>() / train.len() as f64);
        let moment = |i: usize, j: usize| -> f64 {
            train.iter().map(|(_, r)| (r[i] - centre[i]) * (r[j] - centre[j])).sum()
        };
        let det = moment(0, 0) * moment(1, 1) - moment(0, 1).powi(2);
        let a = (moment(0, 2) * moment(1, 1) - moment(1, 2) * moment(0, 1)) / det;
        let b = (moment(1, 2) * moment(0, 0) - moment(0, 2) * moment(0, 1)) / det;
        let own = &rows[fold];
        squares +=
            (own[2] - centre[2] - a * (own[0] - centre[0]) - b * (own[1] - centre[1])).powi(2);
    }
    let told = row(&named, "Typical error of linear regression")[0];
    near(&told.replace(',', ""), (squares / 100.0).sqrt());
}

/// What a number on an axis says.
fn said(text: &str) -> f64 {
    let (digits, unit) = match text.strip_suffix(['k', 'M']) {
        Some(own) => (own, if text.ends_with('k') { 1e3 } else { 1e6 }),
        None => (text, 1.0),
    };
    unit * digits.parse::<f64>().unwrap_or_else(|_| panic!("no number: {text}"))
}

/// The numbers along the axes of a figure: where each stands, across and down, how it is anchored and what it is.
fn numbers(svg: &str) -> Vec<(f64, f64, String, String)> {
    let texts = svg.split("<text ").skip(1).filter(|own| !own.starts_with("transform"));
    let attribute = |own: &str, name: &str| {
        let from = own.split(&format!("{name}=\"")).nth(1)?;
        from.split('"').next().map(String::from)
    };
    let each = texts.filter_map(|own| {
        let text = own.split(['>', '<']).nth(1)?.to_string();
        text.contains(|c: char| c.is_ascii_digit()).then_some(())?;
        let at = |name| attribute(own, name)?.parse::<f64>().ok();
        let anchor = attribute(own, "text-anchor").or(attribute(own, "class"))?;
        Some((at("x")?, at("y")?, anchor, text))
    });
    each.collect()
}

/// Numbers of an axis across are on a straight line, tell each other apart, and leave room for letters of that width.
fn axis_across(svg: &str, letter: f64) {
    let all = numbers(svg);
    let below = all.iter().filter(|(.., anchor, _)| anchor.starts_with('m')).map(|own| own.1);
    let line = below.fold(0.0, f64::max);
    let own: Vec<_> = all.iter().filter(|own| (own.1 - line).abs() < 0.01).collect();
    assert!(!own.is_empty(), "{svg}");
    let middle: Vec<_> = own.iter().filter(|own| own.2.starts_with('m')).collect();
    let value = |k: usize| said(&middle[k].3);
    for k in 1..own.len() {
        let half = |k: usize| 0.5 * letter * own[k].3.len() as f64;
        let starts = own[k].0 - half(k) * if own[k].2.starts_with('m') { 1.0 } else { 2.0 };
        assert!(own[k - 1].0 + half(k - 1) <= starts, "{} runs into {}", own[k - 1].3, own[k].3);
        assert_ne!(own[k - 1].3, own[k].3);
    }
    for k in 2..middle.len() {
        let slope = |k: usize| (value(k) - value(k - 1)) / (middle[k].0 - middle[k - 1].0);
        assert!((slope(k) / slope(1) - 1.0).abs() < 0.02, "{} is not where it stands", middle[k].3);
    }
}

#[test]
fn numbers_of_any_size_fit_on_the_axes() {
    let folder = Folder::new("axes");
    for (k, (from, width)) in [
        (0.0, 1e-7),
        (0.0, 99_999.0),
        (0.0, 6e5),
        (0.0, 1e9),
        (-2.5e6, 2.5e6),
        (-1e9, 3e9),
        (1950.0, 70.0),
        (1.7e9, 3600.0),
        (1e5, 0.01),
        (-1e-12, 1e-3),
    ]
    .into_iter()
    .enumerate()
    {
        let rows: String = (0..40)
            .map(|i| {
                let share = f64::from(i * 7 % 40) / 40.0;
                format!("{},{}\n", from + width * share, from + width * share * share)
            })
            .collect();
        folder.write("d.csv", format!("a,y\n{rows}"));
        let flags = "--method map --layers 0 --output student-t --quiet";
        folder.lcc(&format!("fit --data d.csv --model m.lcc --plot p.svg {flags}")).expect(0);
        folder.lcc("report --model m.lcc --data d.csv -o r.html").expect(0);
        axis_across(&folder.text("p.svg"), 7.3);
        let page = folder.text("r.html");
        for figure in page.split("<svg ").skip(1) {
            let figure = figure.split("</svg>").next().expect("an end");
            assert!(!figure.contains('\u{2026}'), "{k}: cut: {figure}");
            for (.., text) in numbers(figure).iter().filter(|own| own.2 == "e") {
                said(text);
                assert!(text.len() <= 10, "{k}: {text}");
            }
            if !figure.contains("in the order of") && !figure.contains("input") {
                axis_across(figure, 6.2);
            }
        }
    }
    let page = folder.lcc("compare --data d.csv --methods map --layers 0 --curves c.svg --only a");
    page.expect(0);
    assert!(numbers(&folder.text("c.svg")).len() > 4);
}
