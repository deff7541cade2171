//! `lcc vae`: coordinates of rows by a variational auto-encoder; where rows are, what coordinates show, draws.

mod fit;
mod plot;

use crate::args::{Given, command, count, seed, text};
use crate::files::Outputs;
use crate::stop::{Done, Stop, usage};
use crate::terminal::Person;
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
