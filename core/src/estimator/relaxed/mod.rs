//! Greedy least squares over the dictionary {+-V psi(x.w): |w|_1 <= R}: relaxed greedy (Jones 1992,
//! Barron 1993), Frank-Wolfe and orthogonal matching pursuit, as one object over the caller's memory.
//!
//! ```text
//! let bytes = RelaxedGreedy::size(&options, n, d)?;
//! let mut fit = RelaxedGreedy::init(memory, &options, isa, &data)?;
//! while fit.step(&data, 10_000_000)? == Status::Running {}
//! let level = fit.level_report(39);        // training error, the bound V^2/k, the duality gap
//! ```
//!
//! The minimiser in place of the mean of Greedy Bayes ([`GreedyBayes`](super::GreedyBayes)). Level k
//! seeks one neuron g = s V psi(x.w):
//! - relaxed: the least |y - (1 - b) f - b g|^2 at b = 2/(k + 1), that is the largest
//!   b V |sum r psi| - (b^2 V^2/2) sum psi^2, r = y - (1 - b) f;
//! - Frank-Wolfe and orthogonal: the largest V |sum r psi|, r = y - f.
//!
//! The search is not convex. It is projected gradient ascent from [`starts`](RelaxedOptions::starts)
//! draws from the uniform law on the ball, a fixed number of [`steps`](RelaxedOptions::steps) of each
//! (normalised, their length adapted start by start), all starts in lock-step: `starts (steps + 1)`
//! passes over the data a level. The best of them is taken; no certificate says that it is the best of
//! all, and the bounds hold as far as it is.
//!
//! Bounds, for searches that find the best: with f* any function of the dictionary's convex hull and
//! B = sup |psi|, |y - f_k|^2/n <= |y - f*|^2/n + 4 V^2 B^2/k by the relaxed and the orthogonal method
//! (Barron, Cohen, Dahmen, DeVore 2008), + 16 V^2 B^2/(k + 2) by Frank-Wolfe (Jaggi 2013); some average of
//! k neurons is within [`bound`](RelaxedLevel::bound) = V^2 B^2/k of f*
//! ([`crate::theory::bounds::approximation`]). Frank-Wolfe also reports its duality gap,
//! |y - f|^2/n - |y - f*|^2/n <= gap.

mod ascent;
mod object;
mod options;
mod report;

pub use object::{Compiled, RelaxedGreedy};
pub use options::{RelaxedError, RelaxedMethod, RelaxedOptions};
pub use report::RelaxedLevel;
