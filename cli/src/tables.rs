//! Predictions as CSV, draws as CmdStan writes them, a model as C source.

use lcc_model::columns::Column;
use lcc_model::posterior::Drawn;
use lcc_model::predict::Predictions;
use lcc_model::rows::Rows;
use lcc_model::text::general;
use std::fmt::Write;

/// A cell, in quotes where it needs them.
fn cell(before: &str, text: &str) -> String {
    if text.contains([',', '"', '\r', '\n']) || text.trim() != text {
        format!("\"{before}{}\"", text.replace('"', "\"\""))
    } else {
        format!("{before}{text}")
    }
}

fn level(before: &str, target: Option<&Column>, c: usize) -> String {
    match target.and_then(|t| t.levels.get(c)) {
        Some(level) => cell(before, level),
        None => format!("{before}{c}"),
    }
}

/// The rows of predictions, and before the first rows of a file the header. What identifies a row is first; what ends them
/// all is the row of the file, from 1, and, where known, how many inputs are outside of the training data. Of the first
/// `all` rows of the table those that are not predicted have a line too, so that lines are rows. Rows behind those that
/// an interrupted run came to have none.
pub(crate) fn predictions(
    p: &Predictions,
    target: Option<&Column>,
    rows: &Rows,
    all: usize,
) -> String {
    let mut out = String::new();
    let known = rows.y.is_some();
    if rows.table.before == 0 {
        rows.table.ids.iter().for_each(|name| out += &(cell("", name) + ","));
        if p.classes > 0 {
            out.push_str("class");
            (0..p.classes).for_each(|c| out += &format!(",{}", level("p_", target, c)));
            out.push_str(",entropy,mutual_information");
        } else {
            out.push_str("mean,sd,lower,upper");
        }
        out.push_str(if known { ",y" } else { "" });
        p.more_names.iter().for_each(|name| out += &format!(",{name}"));
        out.push_str(",row");
        out.push_str(if rows.outside.is_some() { ",extrapolates\n" } else { "\n" });
    }
    let number = |value: f64| general(value, p.digits);
    let own = rows.origin.iter().copied().enumerate().take(p.n).map(|(i, row)| (row, Ok(i)));
    let every = (0..all).map(|row| (row, rows.origin.binary_search(&row)));
    for (row, place) in every.chain(own.filter(|_| all == 0)) {
        let mut cells: Vec<_> = rows.table.identity(row).map(|text| cell("", text)).collect();
        let Ok(i) = place else {
            let width = if p.classes > 0 { p.classes + 3 } else { 4 };
            cells.resize(cells.len() + width, String::new());
            let y = rows.target.filter(|_| known).map(|k| cell("", rows.table.cell(row, k)));
            cells.extend(y);
            cells.resize(cells.len() + p.more_names.len(), String::new());
            cells.push((rows.table.before + row + 1).to_string());
            cells.extend(rows.outside.as_ref().map(|_| String::new()));
            out += &(cells.join(",") + "\n");
            continue;
        };
        let y = rows.y.as_ref().map(|y| y[i]);
        let open = y.filter(|y| y.is_nan()).map(|_| String::new());
        if p.classes > 0 {
            let row = p.row(i);
            let top = (1..p.classes).fold(0, |top, c| if row[c] > row[top] { c } else { top });
            cells.push(level("", target, top));
            cells.extend(row.iter().chain([&p.entropy[i], &p.mutual[i]]).map(|v| number(*v)));
            cells.extend(open.or(y.map(|y| level("", target, y as usize))));
        } else {
            let own = [p.mean[i], p.sd[i], p.lower[i], p.upper[i]];
            cells.extend(own.into_iter().map(number).chain(open.or(y.map(number))));
            let width = p.more_names.len();
            cells.extend(p.more.iter().skip(i * width).take(width).map(|v| number(*v)));
        }
        cells.push((rows.table.before + row + 1).to_string());
        cells.extend(rows.outside.as_ref().map(|outside| outside[i].to_string()));
        out += &cells.join(",");
        out.push('\n');
    }
    out
}

/// The log density of each measured value under each draw: one line a draw.
pub(crate) fn log_likelihood(values: &[f64], digits: usize, rows: usize) -> String {
    let draws = values.len() / rows.max(1);
    let header: Vec<String> = (1..=rows).map(|i| format!("log_lik.{i}")).collect();
    let mut out = header.join(",") + "\n";
    for draw in 0..draws {
        let cells = (0..rows).map(|row| general(values[row * draws + draw], digits));
        out += &cells.collect::<Vec<_>>().join(",");
        out.push('\n');
    }
    out
}

/// What is said of a run in comments, as far as readers of CmdStan's files use them.
pub(crate) struct CmdStan<'a> {
    pub(crate) model: &'a str,
    pub(crate) algorithm: &'a str,
    pub(crate) chains: usize,
    pub(crate) warmup: u32,
    pub(crate) seed: u64,
    pub(crate) digits: usize,
    /// Lines about the columns of chains, and what those behind the first are called.
    pub(crate) about: &'a str,
    pub(crate) rest: &'a str,
    /// Whether masses are 1.
    pub(crate) unit_masses: bool,
}

/// One chain: log density, of chains acceptance, divergence and energy, of others the log likelihood, and the rest.
pub(crate) fn chain(run: &CmdStan<'_>, k: usize, drawn: &Drawn) -> String {
    let CmdStan { model, algorithm, chains, warmup, seed, about, .. } = run;
    let (id, engaged, draws) =
        (k + 1, u8::from(*warmup > 0), drawn.values.len() / drawn.width.max(1));
    let number = |v: f64| general(v, run.digits);
    let own = drawn.width - if drawn.step.is_some() { 4 } else { 2 };
    let names: String = (1..=own).map(|j| format!(",{}.{j}", run.rest)).collect();
    let mut out = format!(
        "# model = {model}\n# method = sample (Default)\n#   sample\n#     num_samples = {draws}\n\
         #     num_warmup = {warmup}\n#     save_warmup = 0 (Default)\n#     thin = 1 (Default)\n#     adapt\n\
         #       engaged = {engaged}\n#     algorithm = {algorithm}\n#     num_chains = {chains}\n# id = {id}\n\
         # random\n#   seed = {seed}\n"
    );
    let Some(step) = drawn.step.map(number) else {
        out += &format!("lp__,log_likelihood__{names}\n");
        for draw in drawn.values.chunks_exact(drawn.width) {
            out += &(draw.iter().map(|v| number(*v)).collect::<Vec<_>>().join(",") + "\n");
        }
        return out;
    };
    let (moves, named) =
        drawn.leapfrogs.map_or_else(Default::default, |n| (format!("{n},"), ",n_leapfrog__"));
    let _ = write!(
        out,
        "{about}lp__,accept_stat__,stepsize__{named},divergent__,energy__{names}\n\
         # Adaptation terminated\n# Step size = {step}\n"
    );
    if run.unit_masses {
        let masses = vec!["1"; own].join(", ");
        let _ = writeln!(out, "# Diagonal elements of inverse mass matrix:\n# {masses}");
    }
    for draw in drawn.values.chunks_exact(drawn.width) {
        let [lp, accept, divergent, energy, ref rest @ ..] = *draw else { continue };
        let divergent = u8::from(divergent > 0.0);
        let (lp, accept, energy) = (number(lp), number(accept), number(energy));
        let _ = write!(out, "{lp},{accept},{step},{moves}{divergent},{energy}");
        rest.iter().for_each(|v| out += &format!(",{}", number(*v)));
        out.push('\n');
    }
    out
}

/// Of C and C++: no array has such a name.
const KEYWORDS: &str = "alignas alignof and and_eq asm auto bitand bitor bool break case catch char class compl concept const \
    consteval constexpr constinit const_cast continue co_await co_return co_yield decltype default delete do double \
    dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable namespace new \
    noexcept not not_eq nullptr operator or or_eq private protected public register reinterpret_cast requires restrict \
    return short signed sizeof static static_assert static_cast struct switch template this thread_local throw true try \
    typedef typeid typename typeof union unsigned using virtual void volatile wchar_t while xor xor_eq";

/// A header that defines `static const unsigned char NAME[]`, NAME and the include guard being made from the file's name,
/// with m_ before it where it begins with no letter or is a keyword.
pub(crate) fn c_array(path: &str, bytes: &[u8]) -> String {
    let own = path.rsplit(['/', '\\']).next().unwrap_or("");
    let stem = own.split('.').next().unwrap_or("");
    let letters = own.starts_with(|c: char| c.is_ascii_alphabetic());
    let free = letters && !KEYWORDS.split(' ').any(|keyword| keyword == stem);
    let prefix = if free { "" } else { "m_" };
    let letter = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let name: String = prefix.chars().chain(stem.chars().map(letter)).take(63).collect();
    let length = bytes.len();
    let mut out = format!(
        "/* A model written by lcc fit: {length} bytes, read where they lie by lcc_model_*. */\n\
         #ifndef LCC_MODEL_{name}\n#define LCC_MODEL_{name}\n\nstatic const unsigned char {name}[{length}] = {{"
    );
    for (i, byte) in bytes.iter().enumerate() {
        let _ = write!(out, "{}{byte},", if i % 16 == 0 { "\n    " } else { " " });
    }
    out + "\n};\n\n#endif\n"
}
