//! The two papers, walked through: which function computes which equation, and what is wrong in print.
//!
//! \[MB\] is C. McDonald and A. R. Barron, "Log-Concave Coupling for Sampling Neural Net Posteriors"
//! (ISIT 2024); \[B\] is Barron's talk of the same title (IMS-NUS, May 2024). This module has no code.
//! Its examples are tests: each computes a number that the page states, with the functions that the page
//! names.
//!
//! - [`idea`]: what log-concave coupling is, from nothing, in one dimension;
//! - [`papers`]: \[MB\], equation by equation;
//! - [`slides`]: \[B\], topic by topic;
//! - [`errata`]: every statement of either that is false, trivial or incomplete: as printed, what is
//!   wrong, the corrected form, and a number that shows it;
//! - [`notation`]: which symbol is which name, and where the sources clash;
//! - [`choosing`]: which posterior, sampler and certificate, when.
//!
//! An equation is cited by its number where the number is certain, else by its section, lemma or, in
//! \[B\], which numbers nothing, by its topic. Reference values (exact integrals by quadrature, closed
//! forms) are quoted with about ten digits; the tests of the repository hold the code to all of them.

pub mod choosing;
pub mod errata;
pub mod idea;
pub mod notation;
pub mod papers;
pub mod slides;
