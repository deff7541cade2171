//! Rows shown as pictures, tile by tile.

use super::begin;
use std::fmt::Write;

/// Greys that are distinguished: one path each.
const GREYS: usize = 17;
const EDGE: f64 = 40.0;
const HEAD: f64 = 100.0;
const SIDE: f64 = 800.0;

/// One picture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tile {
    /// Pixels across.
    pub(crate) width: usize,
    /// And down.
    pub(crate) height: usize,
    /// Shown white.
    pub(crate) low: f64,
    /// Shown black.
    pub(crate) high: f64,
}

impl Tile {
    fn grey(&self, value: f64) -> usize {
        let most = (GREYS - 1) as f64;
        let level = ((value - self.low) / (self.high - self.low) * most + 0.5).floor();
        level.clamp(0.0, most) as usize
    }
}

/// Pictures of `values`, `across` of them side by side.
pub(crate) fn tiles(
    (title, subtitle): (&str, &str),
    tile: &Tile,
    across: usize,
    values: &[f64],
) -> String {
    let pixels = tile.width * tile.height;
    let count = values.len() / pixels;
    let pitch = SIDE / across as f64;
    let pixel = pitch * 0.92 / tile.width as f64;
    let step = pixel * tile.height as f64 + pitch * 0.08;
    let down = count.div_ceil(across) as f64;
    let (width, height) = (SIDE + 2.0 * EDGE, HEAD + step * down + EDGE);
    let mut out = begin((width, height, 0.0), EDGE, title, subtitle);
    let place = |k: usize| (EDGE + pitch * (k % across) as f64, HEAD + step * (k / across) as f64);
    out += "<g stroke=\"#d5dbe1\" fill=\"none\">\n";
    let (wide, high) = (pixel * tile.width as f64, pixel * tile.height as f64);
    for (x, y) in (0..count).map(place) {
        let _ = writeln!(
            out,
            "<rect x=\"{x:.2}\" y=\"{y:.2}\" width=\"{wide:.2}\" height=\"{high:.2}\"/>"
        );
    }
    out += "</g>\n<g shape-rendering=\"crispEdges\">\n";
    let mut paths = vec![String::new(); GREYS];
    for (k, value) in values.iter().take(count * pixels).enumerate() {
        let ((left, top), j) = (place(k / pixels), k % pixels);
        let x = left + pixel * (j % tile.width) as f64;
        let y = top + pixel * (j / tile.width) as f64;
        let path = &mut paths[tile.grey(*value)];
        let _ = write!(path, "M{x:.2} {y:.2}h{pixel:.2}v{pixel:.2}h-{pixel:.2}z");
    }
    for (level, path) in paths.iter().enumerate().skip(1) {
        let shade = 255 - 255 * level / (GREYS - 1);
        let _ = writeln!(out, "<path fill=\"#{shade:02x}{shade:02x}{shade:02x}\" d=\"{path}\"/>");
    }
    out + "</g>\n</svg>\n"
}
