//! `lcc vae`: coordinates of rows by a variational auto-encoder; where rows are, what coordinates show, draws.

mod fit;

use crate::args::{Given, command, count, seed, text};
use crate::draw::{Tile, tiles};
use crate::files::Outputs;
use crate::terminal::{Done, Person, Stop, usage};
use clap::{Arg, Command};
use lcc_model::fault::Fault;
use lcc_model::rows::Rows;
use lcc_model::table::read_bytes;
use lcc_model::text::general;
use lcc_model::vae::AutoEncoder;
use lcc_model::watch::Watch;

const DIGITS: usize = 17;
const EXAMPLES: &str = "  \
lcc vae fit --data digits.csv --image 8x8 --model d.vae --plot p
  lcc vae encode --model d.vae --data digits.csv --out z.csv
";

fn model() -> Arg {
    text("model", "M.vae", "the auto-encoder")
}

fn target() -> Arg {
    text("target", "NAME", "a column that is left out where there is one [y]")
}

fn out() -> Arg {
    text("out", "FILE.csv", "the result (- for standard output)")
}

/// Its kinds, each with its options.
pub(crate) fn options() -> Command {
    let all = [
        fit::options(),
        command(
            "encode",
            "means z1, ... and sds sd1, ... of z given rows",
            "  lcc vae encode --model M.vae --data D.csv --out Z.csv\n",
        )
        .args([model(), text("data", "D.csv", "the rows"), out(), target()]),
        command(
            "decode",
            "mean of a row given the columns z1, ..., zk",
            "  lcc vae decode --model M.vae --data Z.csv --out Y.csv\n",
        )
        .args([model(), text("data", "Z.csv", "the coordinates"), out(), target()]),
        command(
            "sample",
            "draws of z and rows, noise included",
            "  lcc vae sample --model M.vae --count N --out Y.csv\n",
        )
        .args([
            model(),
            count("count", "N", "how many [100]", (1, 1_000_000_000)),
            seed(),
            out(),
        ]),
    ];
    command("vae", "coordinates of rows by a variational auto-encoder", EXAMPLES)
        .subcommands(all)
        .disable_help_subcommand(true)
        .allow_external_subcommands(true)
        .long_about(
            "A fit learns k coordinates of rows, and what rows are given them. It maximises a lower bound of ln p(rows), which \
             it reports with its Monte Carlo error: no posterior of the parameters. With Gaussian output the bound is of a log \
             density and stands beside the exact one of probabilistic PCA with as many coordinates. With Bernoulli output it \
             is of another measure (of grey values a score, no density), and stands beside the same fit without hidden \
             layers.",
        )
}

/// Rows of numbers, without the target where there is one.
fn rows(given: &Given, path: &str, like: Option<&Rows>, watch: &dyn Watch) -> Result<Rows, Fault> {
    let rows = Rows::read(path, None, given.text("target").unwrap_or("y"), false, watch)?;
    like.map_or(Ok(()), |other| rows.check_like(other))?;
    Ok(rows)
}

/// A header of two kinds of columns, and lines of two lists of so many numbers a row.
fn lists(all: [(&str, usize, &[f64]); 2]) -> String {
    let names = |(name, width, _): (&str, usize, &[f64])| {
        (1..=width).map(|j| format!("{name}{j}")).collect::<Vec<_>>()
    };
    let mut out = all.map(names).concat().join(",") + "\n";
    let n = all.iter().map(|(_, width, list)| list.len() / (*width).max(1)).max().unwrap_or(0);
    for i in 0..n {
        let cells = all.iter().flat_map(|(_, width, list)| &list[i * width..(i + 1) * width]);
        out += &cells.map(|v| general(*v, DIGITS)).collect::<Vec<_>>().join(",");
        out.push('\n');
    }
    out
}

/// encode, decode and sample: two lists of numbers a row.
fn using(what: &str, given: &Given) -> Done {
    let missing = |option: &str| usage(format!("vae {what}: --{option} is missing"));
    let path = given.text("model").ok_or_else(|| missing("model"))?;
    let to = given.text("out").ok_or_else(|| missing("out"))?;
    let data = if what == "sample" { None } else { given.text("data") };
    if data.is_none() && what != "sample" {
        return Err(missing("data"));
    }
    let mut files = Outputs::beside(data.into_iter().chain([path]));
    let person = Person::new(true);
    let mut own = AutoEncoder::from_bytes(path, &read_bytes(path)?)?;
    let shape = own.shape()?;
    let (k, columns) = (shape.latent, shape.columns);
    let text = if let Some(data) = data {
        let rows = rows(given, data, None, &person)?;
        if what == "encode" {
            let [means, sds] = own.encode(&rows.x, rows.d, data)?;
            lists([("z", k, &means), ("sd", k, &sds)])
        } else {
            // Where rows were encoded, their sds stand behind the coordinates.
            let own_columns = if rows.d == 2 * k { k } else { rows.d };
            let codes = rows.x.chunks_exact(rows.d).flat_map(|row| &row[..own_columns]);
            let codes: Vec<f64> = codes.copied().collect();
            lists([("z", 0, &[]), ("y", columns, &own.decode(&codes, own_columns, data)?)])
        }
    } else {
        let count = given.count("count").unwrap_or(100) as usize;
        let [z, y] = own.sample(count, given.seed())?;
        lists([("z", k, &z), ("y", columns, &y)])
    };
    files.add("out", to)?;
    files.put("out", || text);
    files.publish().map(drop)
}

/// Runs one of its kinds.
pub(crate) fn run(given: Given) -> Done {
    let own = given.0.subcommand().map(|(name, own)| (name.to_string(), Given(own.clone())));
    match own {
        Some((name, own)) if name == "fit" => fit::run(own),
        Some((name, own)) if ["encode", "decode", "sample"].contains(&name.as_str()) => {
            using(&name, &own)
        }
        _ => Err(Stop::from(Fault::usage("vae: fit, encode, decode or sample (lcc vae --help)"))),
    }
}

const ACROSS: usize = 10;
const TILES: usize = 100;

/// The quantiles .05, .15, ..., .95 of N(0, 1).
const QUANTILES: [f64; ACROSS] = [
    -1.6448536269514722,
    -1.0364333894937896,
    -0.6744897501960817,
    -0.3853204664075676,
    -0.1256613468550740,
    0.1256613468550740,
    0.3853204664075676,
    0.6744897501960817,
    1.0364333894937896,
    1.6448536269514722,
];

/// Endings of names, and figures.
fn figures(
    own: &mut AutoEncoder,
    rows: &Rows,
    tile: &Tile,
    seed: u64,
) -> Result<Vec<(&'static str, String)>, Fault> {
    let (k, d, decoding) = (own.shape()?.latent, rows.d, "decoding");
    let draw = |words: (&str, &str), values: &[f64]| tiles(words, tile, ACROSS, values);
    let mut out = Vec::new();
    if k == 2 {
        let grid =
            (0..TILES).flat_map(|i| [QUANTILES[i % ACROSS], QUANTILES[ACROSS - 1 - i / ACROSS]]);
        let values = own.decode(&grid.collect::<Vec<_>>(), k, decoding)?;
        let words = (
            "Decoded coordinates",
            "mean of a row given z: quantiles .05, .15, ..., .95 of z1 across, of z2 upward",
        );
        out.push(("-grid.svg", draw(words, &values)));
    }
    let first = &rows.x[..rows.n.min(TILES / 2) * d];
    let [means, _] = own.encode(first, d, "encoding")?;
    let decoded = own.decode(&means, k, decoding)?;
    let mut shown = Vec::new();
    // Whole lines, or one that is not.
    for (line, its) in first.chunks(ACROSS * d).zip(decoded.chunks(ACROSS * d)) {
        if line.len() < ACROSS * d && !shown.is_empty() {
            break;
        }
        shown.extend(line.iter().chain(its));
    }
    let words = (
        "Rows and their reconstructions",
        "every other line: the mean of a row given the mean of its coordinates",
    );
    out.push(("-rows.svg", draw(words, &shown)));
    let [z, _] = own.sample(TILES, seed)?;
    let values = own.decode(&z, k, decoding)?;
    out.push(("-draws.svg", draw(("Draws", "mean of a row given a draw of z ~ N(0, I)"), &values)));
    Ok(out)
}
