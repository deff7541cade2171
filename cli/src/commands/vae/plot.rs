//! The figures of `lcc vae fit`: decoded coordinates, reconstructions, draws.

use crate::draw::{Tile, tiles};
use lcc_model::fault::Fault;
use lcc_model::rows::Rows;
use lcc_model::vae::AutoEncoder;

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
pub(super) fn all(
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
