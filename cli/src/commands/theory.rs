//! `lcc theory`: what the papers bound, for V, d, L, N and M that are given or a network's.

use crate::args::{Given, command, json, options};
use crate::files::Outputs;
use crate::json::{Json, members};
use crate::terminal::{Done, Stop, outln, usage};
use clap::Command;
use lcc_model::convert::Parts;
use lcc_model::lcc_core::theory::{bounds, complexity as of, regret, resolvability};
use lcc_model::paths::PathSums;
use lcc_model::saved::Saved;
use lcc_model::text::{general, short};

const ABOVE: (f64, f64) = (0.0, f64::INFINITY);
const MOST: u32 = u32::MAX - 1;

/// Its options.
pub(crate) fn options() -> Command {
    let examples = "  lcc theory --inputs 9 --rows 500 --variation 3\n  \
                    lcc theory --model m.lcc --rows 500\n";
    command("theory", "what the papers bound of networks of variation V", examples)
        .args(options! {
            count(1, MOST) "rows" "N": "observations";
            count(1, MOST) "inputs" "D": "of |x_j| <= 1 [the network's]";
            real(ABOVE) "variation" "V": "[the network's path weights, or 1]";
            count(0, 1_000_000) "layers" "L": "hidden layers [the network's, 1]";
            count(1, MOST) "neurons" "M": "hidden units [the network's last hidden layer, or the best for N \
                rows]";
            real(ABOVE) "beta" "B": "1/noise variance [1]";
            real(ABOVE) "distance" "E": "of the cover [where E^2 + log Cover/N is least]";
            text "network" "W.json": "{\"weights\": [matrix, ...]} from the input on, a matrix being a list \
                of rows, the weights of one unit each; a bias is the weight of an input that is always 1; or \
                what lcc convert --to json writes";
            text "model" "M.lcc": "the network of a model, inputs and target in their sds; V is the mean \
                over its draws, biases are one input more";
            + json();
        })
        .long_about(
            "Bounds and orders of approximation, risk, complexity, covers and regret: as printed, and sharper where a \
             sharper constant is known. V of a network is the sum over its paths of the products of their absolute weights.",
        )
}

/// What the quantities are of.
struct Sizes {
    variation: f64,
    inputs: usize,
    layers: u32,
    rows: usize,
    neurons: usize,
    beta: f64,
}

/// What is not given is the network's, where there is one.
fn complete(given: &Given, network: Option<&PathSums>) -> Result<Sizes, Stop> {
    let size = |name: &str| given.count(name).map(|v| v as usize);
    let rows = size("rows").ok_or_else(|| usage("theory: --rows is missing"))?;
    let inputs = size("inputs").or(network.map(|n| n.inputs));
    let inputs = inputs.ok_or_else(|| usage("theory: either --inputs or --network or --model"))?;
    let variation = given.real("variation").or(network.map(|n| n.variation)).unwrap_or(1.0);
    let hidden = network.map(|n| n.matrices - 1);
    let layers = given.count("layers").or(hidden.map(|l| l as u32)).unwrap_or(1);
    let last = network.filter(|n| n.matrices > 1).map(|n| n.last);
    // The best for learning.
    let nats = (2.0 * inputs as f64).ln() + f64::from(layers);
    let best = || resolvability::neurons(variation, nats, 1.0, rows, u32::MAX as usize);
    let neurons = size("neurons").or(last).or_else(|| best().map(|(m, _)| m)).unwrap_or(1);
    let beta = given.real("beta").unwrap_or(1.0);
    Ok(Sizes { variation, inputs, layers, rows, neurons, beta })
}

/// The key in the JSON, the value, and how it reads; and the distance of the cover.
fn evaluate(s: &Sizes, distance: Option<f64>) -> ([(&'static str, f64, &'static str); 11], f64) {
    let Sizes { variation: v, inputs: d, layers: l, rows: n, neurons: m, beta } = *s;
    let c = of::gaussian_complexity(v, d, l);
    let least = of::least_by_cover(c, n);
    let e = distance.unwrap_or_else(|| (least / 2.0).sqrt());
    let all = [
        ("approximation", bounds::approximation(v, m), "V^2/M"),
        (
            "risk_of_neurons",
            bounds::risk_of_neurons(v, m, d, l, n),
            "V^2/M + (M log 2d + M L)/N, in units of the noise variance",
        ),
        ("risk", bounds::risk(v, d, l, n), "V sqrt((log 2d + L)/N)"),
        ("gaussian_complexity", c, "C = V sqrt(2 log 2d + 2 L log 2)"),
        ("covering_published", of::covering_published(c, e), "16 C^2/e^2 nats, as printed"),
        ("covering", of::covering(c, e), "2 pi log 2 C^2/e^2 nats, sharper"),
        (
            "least_by_cover_published",
            of::least_by_cover_published(c, n),
            "min over e of e^2 + nats/N: 8 C/sqrt N, as printed",
        ),
        ("least_by_cover", least, "the same, sharper: 4.17 C/sqrt N"),
        (
            "yang_barron",
            of::yang_barron(c, beta, n),
            "Yang-Barron: nats a row above the truth, of a mixture over a cover",
        ),
        ("renyi", of::renyi(c, beta, n), "Renyi divergence of order 1/2 a row, of a two-part code"),
        ("regret", regret::of_variation(v, d, n), "V sqrt(log d/N), a row"),
    ];
    (all, e)
}

/// Evaluates all of them.
pub(crate) fn run(given: Given) -> Done {
    let mut files = Outputs::beside(["network", "model"].into_iter().filter_map(|o| given.text(o)));
    let network = match (given.text("network"), given.text("model")) {
        (Some(_), Some(_)) => return Err(usage("theory: either --network or --model")),
        (Some(path), None) => Some(PathSums::read(path)?),
        (None, Some(path)) => Some(PathSums::of(&Parts::of(Saved::open(path)?)?)?),
        (None, None) => None,
    };
    let s = complete(&given, network.as_ref())?;
    let (all, distance) = evaluate(&s, given.real("distance"));
    let sizes = [("inputs", s.inputs), ("layers", s.layers as usize), ("rows", s.rows)];
    files.open(&given, "json")?;
    files.put("json", || {
        let mut json = Json::new(17);
        json.put("variation", s.variation);
        sizes.iter().for_each(|(key, value)| json.put(key, *value));
        json.put("neurons", s.neurons);
        json.put("beta", s.beta);
        json.put("distance", distance);
        all.iter().for_each(|(key, value, _)| json.put(key, *value));
        if let Some(network) = &network {
            json.object("network", |json| {
                members!(json, network => variation paths);
            });
        }
        json.end()
    });
    if !files.publish()? {
        return Ok(());
    }
    let (v, beta, e) = (short(s.variation), short(s.beta), short(distance));
    let [d, l, n] = sizes.map(|(_, value)| value);
    outln!("V {v}, d {d}, L {l}, N {n}, M {}, beta {beta}, e {e}", s.neurons);
    if let Some(network) = &network {
        let (v, matrices) = (short(network.variation), network.matrices);
        outln!("the network's paths weigh {v}: its V, of {matrices} matrices");
    }
    outln!("");
    for (key, value, words) in all {
        outln!("  {key:<26} {:>14}  {words}", general(value, 8));
    }
    Ok(())
}
