//! `lcc convert`: JSON is enough to predict by hand, ONNX is a graph that gives the posterior mean.

mod common;
use common::{Folder, table};
use serde_json::Value;
use std::collections::HashMap;
use std::fmt::Write as _;

const SMALL: &str = "--chains 8 --start 60 --warmup 2 --draws 3 --leapfrogs 8 --quiet";

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("a list").iter().map(|v| v.as_f64().expect("a number")).collect()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("no number: {value}"))
}

/// (2/sqrt(pi)) exp(-x^2) sum of 2^n x^(2n+1) / (2n+1)!!
fn erf(x: f64) -> f64 {
    let (mut sum, mut term, mut n) = (0.0, x, 0.0);
    while term != 0.0 && sum + term != sum {
        sum += term;
        n += 1.0;
        term *= 2.0 * x * x / (2.0 * n + 1.0);
    }
    std::f64::consts::FRAC_2_SQRT_PI * (-x * x).exp() * sum
}

fn psi(name: &str, z: f64) -> f64 {
    match name {
        "tanh" => z.tanh(),
        "logistic" => 1.0 / (1.0 + (-z).exp()),
        "softplus" => z.exp().ln_1p(),
        "squared_relu" => z.max(0.0).powi(2) / 2.0,
        "erf" => erf(z),
        "sine" => z.sin(),
        "gaussian_bump" => (-z * z / 2.0).exp(),
        "gelu" => z * 0.5 * (1.0 + erf(z * std::f64::consts::FRAC_1_SQRT_2)),
        "silu" => z / (1.0 + (-z).exp()),
        "arctan" => z.atan(),
        "relu" => z.max(0.0),
        _ => panic!("{name}"),
    }
}

/// base + W a, W row by row; no W, nothing more.
fn affine(base: &[f64], weights: &[f64], a: &[f64]) -> Vec<f64> {
    let rows = weights.chunks(a.len()).chain(std::iter::repeat(&[][..]));
    base.iter()
        .zip(rows)
        .map(|(b, w)| b + w.iter().zip(a).map(|(w, a)| w * a).sum::<f64>())
        .collect()
}

fn softmax(o: &[f64]) -> Vec<f64> {
    let sum: f64 = o.iter().map(|o| o.exp()).sum();
    o.iter().map(|o| o.exp() / sum).collect()
}

/// One row of the table as the JSON says that its columns are: by the names of the header.
fn encode(model: &Value, cells: &HashMap<&str, &str>) -> Vec<f64> {
    let inputs = model["inputs"].as_array().expect("inputs");
    let one = |input: &Value| {
        let cell = cells[input["name"].as_str().expect("a name")];
        match (input["is"].as_str().expect("what"), cell) {
            (_, "") => number(&input["missing"]),
            ("1 where it is this word, else 0", _) => f64::from(cell == input["word"]),
            ("1 where it is missing, else 0", _) => 0.0,
            _ => cell.parse().expect("a number"),
        }
    };
    inputs.iter().map(one).collect()
}

/// What `lcc help convert` says: the mean of y, or the probabilities of its classes.
fn predict(model: &Value, x: &[f64]) -> Vec<f64> {
    let (output, name) = (model["output"].as_str().expect("text"), model["activation"].as_str());
    let inputs = model["inputs"].as_array().expect("inputs");
    let network: Vec<f64> = inputs
        .iter()
        .zip(x)
        .filter(|(i, _)| i["is"] != "exposure")
        .map(|(i, x)| {
            let z = (x - number(&i["mean"])) / number(&i["sd"]);
            let line = i.get("line").map_or(f64::INFINITY, number);
            let far = (line + (z.abs() - line).asinh()).copysign(z);
            let z = if z.abs() > line { far } else { z };
            i.get("bent").map_or(z, |unit| number(unit) * z.asinh())
        })
        .collect();
    let exposed = inputs.last().expect("an input")["is"] == "exposure";
    let exposure = if exposed { x[x.len() - 1] } else { 1.0 };
    let draws = model["draws"].as_array().expect("draws");
    let mut mean = Vec::new();
    for draw in draws {
        let mut a = network.clone();
        for layer in draw["layers"].as_array().expect("layers") {
            let z = affine(&numbers(&layer["biases"]), &numbers(&layer["weights"]), &a);
            a = z.iter().map(|z| psi(name.expect("text"), *z)).collect();
        }
        let o = affine(&numbers(&draw["intercepts"]), &numbers(&draw["weights"]), &a);
        let o = affine(&o, &numbers(&draw["direct"]), &network);
        let target = &model["target"];
        let scaled = |o: f64| number(&target["mean"]) + number(&target["sd"]) * o;
        let own = match output {
            "student-t" | "gaussian" | "mean-variance" => vec![scaled(o[0])],
            "mixture" => {
                let parts = o.len() / 3;
                let shares = softmax(&o[..parts]);
                vec![scaled(shares.iter().zip(&o[parts..]).map(|(p, m)| p * m).sum())]
            }
            "poisson" | "negative-binomial" => vec![o[0].exp() * exposure],
            "bernoulli" => softmax(&[0.0, o[0]]),
            "softmax" if model["reference"] == 1 => softmax(&[&[0.0], &o[..]].concat()),
            "softmax" => softmax(&o),
            "ordinal" => {
                let below = |t: &f64| 1.0 / (1.0 + (o[0] - t).exp());
                let mut to: Vec<f64> = numbers(&draw["thresholds"]).iter().map(below).collect();
                to.push(1.0);
                let from = |k: usize| if k == 0 { 0.0 } else { to[k - 1] };
                (0..to.len()).map(|k| to[k] - from(k)).collect()
            }
            _ => panic!("{output}"),
        };
        mean.resize(own.len(), 0.0);
        mean.iter_mut().zip(own).for_each(|(m, own)| *m += own / draws.len() as f64);
    }
    let power = 1.0 / number(&model["temperature"]);
    if mean.len() == 1 {
        mean
    } else {
        softmax(&mean.iter().map(|p| p.ln() * power).collect::<Vec<_>>())
    }
}

/// A field of a message of protocol buffers.
enum Field<'a> {
    Number(u64),
    Bytes(&'a [u8]),
}

fn varint(bytes: &mut &[u8]) -> u64 {
    let (mut value, mut shift) = (0, 0);
    loop {
        let byte = bytes[0];
        *bytes = &bytes[1..];
        value |= u64::from(byte & 127) << shift;
        shift += 7;
        if byte < 128 {
            return value;
        }
    }
}

fn fields(mut bytes: &[u8]) -> Vec<(u64, Field<'_>)> {
    let mut all = Vec::new();
    while !bytes.is_empty() {
        let key = varint(&mut bytes);
        let number = varint(&mut bytes);
        match key & 7 {
            0 => all.push((key >> 3, Field::Number(number))),
            2 => {
                let (own, rest) = bytes.split_at(number as usize);
                all.push((key >> 3, Field::Bytes(own)));
                bytes = rest;
            }
            kind => panic!("a field of type {kind}"),
        }
    }
    all
}

fn parts<'a>(bytes: &'a [u8], field: u64) -> Vec<&'a [u8]> {
    let own = |(k, f): (u64, Field<'a>)| match f {
        Field::Bytes(b) if k == field => Some(b),
        _ => None,
    };
    fields(bytes).into_iter().filter_map(own).collect()
}

fn counts(bytes: &[u8], field: u64) -> Vec<u64> {
    let own = |(k, f): (u64, Field<'_>)| match f {
        Field::Number(n) if k == field => Some(n),
        _ => None,
    };
    fields(bytes).into_iter().filter_map(own).collect()
}

fn text(bytes: &[u8], field: u64) -> String {
    String::from_utf8(parts(bytes, field)[0].to_vec()).expect("UTF-8")
}

#[derive(Clone)]
struct Tensor {
    dims: Vec<usize>,
    data: Vec<f64>,
}

impl Tensor {
    fn map(&self, f: impl Fn(f64) -> f64) -> Self {
        Self { dims: self.dims.clone(), data: self.data.iter().map(|x| f(*x)).collect() }
    }

    fn read(bytes: &[u8]) -> Self {
        let raw = parts(bytes, 9)[0];
        let kind = counts(bytes, 2)[0];
        let data = match kind {
            1 => {
                raw.chunks(4).map(|b| f32::from_le_bytes(b.try_into().expect("4")).into()).collect()
            }
            7 => {
                raw.chunks(8).map(|b| i64::from_le_bytes(b.try_into().expect("8")) as f64).collect()
            }
            _ => raw.chunks(8).map(|b| f64::from_le_bytes(b.try_into().expect("8"))).collect(),
        };
        Self { dims: counts(bytes, 1).iter().map(|d| *d as usize).collect(), data }
    }

    /// The entry at a place of a shape that this one's is broadcast to.
    fn at(&self, place: &[usize]) -> f64 {
        let skip = place.len() - self.dims.len();
        let step = |at, (d, p): (&usize, &usize)| at * d + if *d == 1 { 0 } else { *p };
        self.data[self.dims.iter().zip(&place[skip..]).fold(0, step)]
    }
}

/// Every place of a shape, in order.
fn places(dims: &[usize]) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for d in dims {
        all = all.iter().flat_map(|p| (0..*d).map(move |k| [&p[..], &[k]].concat())).collect();
    }
    all
}

fn broadcast(a: &Tensor, b: &Tensor, f: impl Fn(f64, f64) -> f64) -> Tensor {
    let n = a.dims.len().max(b.dims.len());
    let dim = |t: &Tensor, k: usize| (k + t.dims.len()).checked_sub(n).map_or(1, |k| t.dims[k]);
    let dims: Vec<usize> = (0..n).map(|k| dim(a, k).max(dim(b, k))).collect();
    let data = places(&dims).iter().map(|p| f(a.at(p), b.at(p))).collect();
    Tensor { dims, data }
}

fn matmul(a: &Tensor, b: &Tensor) -> Tensor {
    let (rows, inner) = (a.dims[a.dims.len() - 2], a.dims[a.dims.len() - 1]);
    let dims = vec![b.dims[0], rows, b.dims[2]];
    assert_eq!((b.dims.len(), b.dims[1]), (3, inner));
    let one = |p: &Vec<usize>| {
        (0..inner)
            .map(|j| a.at(&[p[0], p[1], j][3 - a.dims.len()..]) * b.at(&[p[0], j, p[2]]))
            .sum()
    };
    let data = places(&dims).iter().map(one).collect();
    Tensor { dims, data }
}

/// The value of a graph's output at rows: its type, too.
fn evaluate(model: &[u8], rows: &Tensor) -> (u64, Tensor) {
    assert_eq!((counts(model, 1)[0], counts(parts(model, 8)[0], 2)[0]), (7, 13));
    let graph = parts(model, 7)[0];
    let mut values: HashMap<String, Tensor> =
        parts(graph, 5).iter().map(|t| (text(t, 8), Tensor::read(t))).collect();
    values.insert("x".into(), rows.clone());
    for node in parts(graph, 1) {
        let given: Vec<Tensor> = parts(node, 1)
            .iter()
            .map(|n| values[std::str::from_utf8(n).expect("UTF-8")].clone())
            .collect();
        let axis = parts(node, 5)
            .iter()
            .find(|a| ["axis", "axes"].contains(&text(a, 1).as_str()))
            .map(|a| [counts(a, 3), counts(a, 8)].concat()[0] as usize);
        let a = &given[0];
        let value = match text(node, 4).as_str() {
            "MatMul" => matmul(a, &given[1]),
            "Add" => broadcast(a, &given[1], |a, b| a + b),
            "Sub" => broadcast(a, &given[1], |a, b| a - b),
            "Mul" => broadcast(a, &given[1], |a, b| a * b),
            "Div" => broadcast(a, &given[1], |a, b| a / b),
            "Min" => broadcast(a, &given[1], f64::min),
            "Max" => broadcast(a, &given[1], f64::max),
            "Tanh" => a.map(f64::tanh),
            "Sign" => a.map(f64::signum),
            "Abs" => a.map(f64::abs),
            "Sqrt" => a.map(f64::sqrt),
            "Sigmoid" => a.map(|z| psi("logistic", z)),
            "Softplus" => a.map(|z| psi("softplus", z)),
            "Erf" => a.map(erf),
            "Sin" => a.map(f64::sin),
            "Atan" => a.map(f64::atan),
            "Relu" => a.map(|z| z.max(0.0)),
            "Exp" => a.map(f64::exp),
            "Log" => a.map(f64::ln),
            "Identity" => a.clone(),
            "Gather" => {
                let axis = axis.expect("an axis");
                let mut dims = a.dims.clone();
                dims[axis] = given[1].data.len();
                let one = |p: &Vec<usize>| {
                    let mut p = p.clone();
                    p[axis] = given[1].data[p[axis]] as usize;
                    a.at(&p)
                };
                let data = places(&dims).iter().map(one).collect();
                Tensor { dims, data }
            }
            "Concat" => {
                let axis = axis.expect("an axis");
                let first = a.dims[axis];
                let mut dims = a.dims.clone();
                dims[axis] += given[1].dims[axis];
                let one = |p: &Vec<usize>| {
                    let mut own = p.clone();
                    own[axis] = p[axis] % first.max(1);
                    if p[axis] < first {
                        return a.at(&own);
                    }
                    own[axis] = p[axis] - first;
                    given[1].at(&own)
                };
                let data = places(&dims).iter().map(one).collect();
                Tensor { dims, data }
            }
            "Softmax" => {
                let axis = axis.expect("an axis");
                let one = |p: &Vec<usize>| {
                    let other = |k: usize| [&p[..axis], &[k], &p[axis + 1..]].concat();
                    a.at(p).exp() / (0..a.dims[axis]).map(|k| a.at(&other(k)).exp()).sum::<f64>()
                };
                let data = places(&a.dims).iter().map(one).collect();
                Tensor { dims: a.dims.clone(), data }
            }
            "ReduceMean" => {
                assert_eq!(axis, Some(0));
                let dims = a.dims[1..].to_vec();
                let one = |p: &Vec<usize>| {
                    let sum: f64 = (0..a.dims[0]).map(|k| a.at(&[&[k], &p[..]].concat())).sum();
                    sum / a.dims[0] as f64
                };
                let data = places(&dims).iter().map(one).collect();
                Tensor { dims, data }
            }
            other => panic!("{other}"),
        };
        values.insert(text(node, 2), value);
    }
    let out = parts(graph, 12)[0];
    let kind = parts(parts(out, 2)[0], 1)[0];
    (counts(kind, 1)[0], values[&text(out, 1)].clone())
}

/// Fits, converts, and holds both forms against `lcc predict`: within so much of it.
fn hold(folder: &Folder, data: &str, flags: &str, graph: bool) {
    hold_at(folder, data, data, flags, graph);
}

/// That a network that learns from `data` says of the rows of `at` what its JSON and its graph do.
fn hold_at(folder: &Folder, data: &str, at: &str, flags: &str, graph: bool) {
    folder.lcc(&format!("fit --data {data} {SMALL} {flags} --model m.lcc --c-array n.h")).expect(0);
    let predict_rows = format!("predict --model m.lcc --data {at} --predictions p.csv --quiet");
    folder.lcc(&predict_rows).expect(0);
    folder.lcc("convert m.lcc --to json -o m.json").expect(0);
    let model = folder.json("m.json");
    let (table, said) = (folder.text(at), folder.text("p.csv"));
    let header: Vec<&str> = table.lines().next().expect("a header").split(',').collect();
    let names: Vec<&str> = said.lines().next().expect("a header").split(',').collect();
    let tolerance = if flags.contains("f64") { 1e-9 } else { 2e-4 };
    let mut rows = Vec::new();
    let mut expected = Vec::new();
    for (line, told) in table.lines().zip(said.lines()).skip(1) {
        let cells = header.iter().copied().zip(line.split(',')).collect();
        let x = encode(&model, &cells);
        let is_ours = |n: &str| n == "mean" || n.starts_with("p_");
        let told: Vec<f64> = told
            .split(',')
            .zip(&names)
            .filter(|(_, n)| is_ours(n))
            .map(|(v, _)| v.parse().expect("a number"))
            .collect();
        for (own, told) in predict(&model, &x).iter().zip(&told) {
            assert!((own - told).abs() <= tolerance * told.abs(), "{flags}: {own} for {told}");
        }
        rows.extend(x);
        expected.extend(told);
    }
    if !graph {
        let output = model["output"].as_str().expect("text");
        let refused = folder.lcc("convert m.lcc --to onnx -o refused.onnx");
        refused.fails(1, &[&format!("the mean of --output {output} is not written as ONNX")]);
        assert!(!folder.has("refused.onnx"));
        return;
    }
    folder.lcc("convert m.lcc --to onnx -o m.onnx").expect(0);
    let count = table.lines().count() - 1;
    let rows = Tensor { dims: vec![count, rows.len() / count], data: rows };
    let (kind, value) = evaluate(&folder.bytes("m.onnx"), &rows);
    assert_eq!(kind, if flags.contains("f64") { 11 } else { 1 });
    assert_eq!(value.dims, [count, expected.len() / count]);
    for (own, told) in value.data.iter().zip(&expected) {
        assert!((own - told).abs() <= tolerance * told.abs(), "{flags}: {own} for {told}");
    }
}

#[test]
fn numbers_by_hand_and_by_graph_are_those_of_predict() {
    let folder = Folder::new("convert_numbers");
    folder.write("d.csv", table(24));
    for activation in [
        "tanh",
        "logistic",
        "softplus",
        "squared_relu",
        "erf",
        "sine",
        "gaussian_bump",
        "gelu",
        "silu",
        "arctan",
        "relu",
    ] {
        hold(
            &folder,
            "d.csv",
            &format!("--precision f64 --layers 4 --activation {activation}"),
            true,
        );
    }
    for flags in [
        "--layers 4",
        "--layers 4,3,2 --precision f64",
        "--layers 0 --precision f64",
        "--layers 3 --network linear=0 --precision f64",
        "--layers 3 --output mean-variance --precision f64",
        "--layers 3 --output gaussian --precision f64",
    ] {
        hold(&folder, "d.csv", flags, true);
    }
    hold(&folder, "d.csv", "--layers 3 --output mixture --precision f64", false);
    // Inputs with long tails are bent: the first of three, and none when asked.
    let mut tails = String::from("a,b,c,y\n");
    for i in 0..40 {
        let (t, b, c) = (f64::from(i) / 5.0, f64::from(i * 7 % 40), f64::from(i * 11 % 40));
        writeln!(tails, "{},{b},{c},{}", t.exp(), t + b / 40.0 + c * c / 900.0).expect("text");
    }
    folder.write("t.csv", tails);
    // Far from all of these a line goes on as a logarithm, unless it is of raw units.
    folder.write("far.csv", "a,b,c,y\n2,1e6,20,0\n1e5,-1e3,2e3,0\n3,700,0,0\n");
    hold_at(
        &folder,
        "t.csv",
        "far.csv",
        "--layers 3 --precision f64 --network standardise=0",
        true,
    );
    for (more, bent) in [("", [true, false, false]), ("--network standardise=1", [false; 3])] {
        hold_at(&folder, "t.csv", "far.csv", &format!("--layers 3 --precision f64 {more}"), true);
        let model = folder.json("m.json");
        let said = [0, 1, 2].map(|k| model["inputs"][k].get("bent").is_some());
        assert_eq!(said, bent, "{more}");
    }
}

#[test]
fn words_classes_and_counts_are_too() {
    let folder = Folder::new("convert_words");
    let mut files = [(); 4].map(|()| String::from("shade,size,kind,e,y\n"));
    for i in 0..60_u32 {
        let (a, b) = (f64::from(i * 7 % 60) / 20.0 - 1.5, f64::from(i * 11 % 60) / 30.0);
        let shade = ["red", "green", "blue"][i as usize % 3];
        let size = if i % 9 == 4 { String::new() } else { format!("{a}") };
        let kind = if i % 2 == 0 { "old" } else { "new" };
        let noise = f64::from(i * 13 % 10) / 20.0;
        let level = (a + b + noise + 1.0).clamp(0.0, 2.9) as u32;
        for (k, y) in [
            format!("{}", 5.0 + a * b + noise),
            ["low", "middle", "top"][level as usize].into(),
            if a + noise > 0.2 { "yes" } else { "no" }.into(),
            format!("{}", (level * 2 + i % 3) / 2),
        ]
        .iter()
        .enumerate()
        {
            writeln!(files[k], "{shade},{size},{kind},{},{y}", 1.0 + b).expect("text");
        }
    }
    for (name, text) in ["n.csv", "c.csv", "b.csv", "k.csv"].iter().zip(files) {
        folder.write(name, text);
    }
    let f64s = "--missing mean --precision f64 --layers 3";
    hold(&folder, "n.csv", f64s, true);
    for more in ["", "--no-calibration", "--network reference=1"] {
        hold(&folder, "c.csv", &format!("{f64s} {more}"), true);
        hold(
            &folder,
            "b.csv",
            &format!("{f64s} {more}").replace("--network reference=1", ""),
            true,
        );
    }
    hold(&folder, "c.csv", &format!("{f64s} --output ordinal --order low,middle,top"), false);
    hold(&folder, "k.csv", &format!("{f64s} --exposure e"), true);
    hold(&folder, "k.csv", &format!("{f64s} --output negative-binomial"), true);
}

#[test]
fn c_is_what_fit_writes_and_nonsense_is_refused() {
    let folder = Folder::new("convert_c");
    folder.write("d.csv", table(30));
    folder.lcc(&format!("fit --data d.csv {SMALL} --model m.lcc --c-array a.h")).expect(0);
    folder.lcc("convert m.lcc --to c -o a.c").expect(0);
    assert_eq!(folder.text("a.c"), folder.text("a.h"));
    folder.lcc("convert m.lcc --to c -o int.h").expect(0);
    assert!(folder.text("int.h").contains("static const unsigned char m_int["), "no keyword");
    let shown = folder.lcc("convert m.lcc --to json -o -").expect(0).out;
    folder.lcc("convert m.lcc --to json -o m.json").expect(0);
    assert_eq!(shown, folder.text("m.json"));
    folder.write("noise.lcc", "these bytes are not a model");
    folder.lcc("convert --to c -o x").fails(2, &["a model is missing"]);
    folder.lcc("convert m.lcc -o x").fails(2, &["--to is missing"]);
    folder.lcc("convert m.lcc --to c").fails(2, &["-o is missing"]);
    folder.lcc("convert m.lcc --to pmml -o x").fails(2, &["--to", "pmml"]);
    folder.lcc("convert m.lcc --to json -o m.lcc").fails(2, &["will not be overwritten"]);
    folder.lcc("convert noise.lcc --to json -o x").fails(1, &["noise.lcc: "]);
    folder.lcc("fit --data d.csv --method laplace --layers 2 --draws 5 --model l.lcc").expect(0);
    let said = ["l.lcc: its draws are of a network that is linearised", "--sampled"];
    folder.lcc("convert l.lcc --to json -o x").fails(1, &said);
    folder.lcc("convert l.lcc --to onnx -o x").fails(1, &said);
    folder.lcc("convert l.lcc --to c -o l.c").expect(0);
    folder.lcc("convert l.lcc --draws 3 -o t.lcc").expect(0);
    assert!(folder.lcc("show t.lcc").expect(0).out.contains("3, of the network linearised"));
    assert!(folder.lcc("show l.lcc").expect(0).out.contains("of the network linearised"));
    assert!(!folder.has("x"));
}

#[test]
fn fewer_draws_predict_nearly_as_all() {
    let folder = Folder::new("convert_draws");
    folder.write("d.csv", table(40));
    folder.lcc(&format!("fit --data d.csv {SMALL} --model m.lcc")).expect(0);
    let draws = |model: &str| {
        folder.lcc(&format!("show {model} --json s.json")).expect(0);
        folder.json("s.json")["draws"].as_u64().expect("a number")
    };
    let all = draws("m.lcc");
    assert!(all > 8);
    let said = folder.lcc("convert m.lcc --draws 6 --data d.csv -o s.lcc").expect(0).err;
    let begin = format!("m.lcc: 6 of {all} draws kept: predicted probabilities differ by ");
    assert!(said.contains(&begin) && said.contains("at rows of d.csv"), "{said}");
    assert_eq!(draws("s.lcc"), 6);
    // Its columns and the rest stay: it predicts the rows by their names.
    let means = |model: &str| -> Vec<f64> {
        folder.lcc(&format!("predict --model {model} --data d.csv --predictions p.csv")).expect(0);
        let text = folder.text("p.csv");
        let first = |line: &str| line.split(',').next().and_then(|v| v.parse().ok());
        text.lines().skip(1).map(|line| first(line).expect("a number")).collect()
    };
    let (whole, thin) = (means("m.lcc"), means("s.lcc"));
    assert_eq!(whole.len(), thin.len());
    let spread = whole.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
    let away = whole.iter().zip(&thin).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
    assert!(away > 0.0 && away < 0.3 * spread, "{away} of {spread}");
    // Every form takes the same draws; all of them are the model.
    folder.lcc("convert s.lcc --to json -o a.json").expect(0);
    folder.lcc("convert m.lcc --draws 6 --data d.csv --to json -o b.json").expect(0);
    assert_eq!(folder.text("a.json"), folder.text("b.json"));
    let said = folder.lcc(&format!("convert m.lcc --draws {all} -o w.lcc")).expect(0).err;
    assert_eq!(folder.bytes("w.lcc"), folder.bytes("m.lcc"));
    assert!(said.contains("differ by 0 (") && said.contains("at random rows"), "{said}");
    folder.lcc("convert m.lcc --to lcc -o w.lcc").expect(0);
    assert_eq!(folder.bytes("w.lcc"), folder.bytes("m.lcc"));
    folder.lcc("convert m.lcc --draws 0 -o x").fails(2, &["--draws"]);
    let more = format!("--draws {}: m.lcc has {all} draws", all + 1);
    folder.lcc(&format!("convert m.lcc --draws {} -o x", all + 1)).fails(1, &[&more]);
    folder.lcc("convert m.lcc --to json --data d.csv -o x").fails(2, &["--draws is missing"]);
    folder
        .lcc("convert m.lcc --draws 6 --data d.csv -o d.csv")
        .fails(2, &["will not be overwritten"]);
    folder.lcc("convert m.lcc --draws 6 --data none.csv -o x").fails(1, &["none.csv"]);
    assert!(!folder.has("x"));
}
