//! The temperatures between the prior and the posterior, as text.

use crate::fault::Fault;
use crate::text::real;
use lcc_core::smc::{Ladder, SmcOptions};

const MOST: u32 = 1000;

/// A ladder: adaptive, by rows, cooling, even, geometric, or given.
#[derive(Clone, Debug)]
pub struct Temperatures {
    /// How they are found.
    pub kind: Ladder,
    /// How many, at most.
    pub stages: u32,
    /// Adaptive and rows: the share of the particles that a step leaves.
    pub share: f64,
    /// Geometric: the first; cooling: the first sd.
    pub first: f64,
    /// Those given.
    pub given: Vec<f64>,
    /// As it was written.
    pub text: Option<String>,
}

impl Default for Temperatures {
    fn default() -> Self {
        let SmcOptions { share, first, .. } = SmcOptions::<f64>::default();
        let (kind, given, text) = (Ladder::Adaptive, Vec::new(), None);
        Self { kind, stages: MOST, share, first, given, text }
    }
}

/// NAME:NUMBER of a ladder with one number.
fn number(rest: Option<&str>, usual: f64, fits: impl Fn(f64) -> bool) -> Option<f64> {
    match rest {
        None => Some(usual),
        Some(text) => real(text).filter(|v| fits(*v)),
    }
}

fn count(text: &str) -> Option<u32> {
    let whole = |v: &f64| (1.0..=f64::from(MOST)).contains(v) && v.floor() == *v;
    real(text).filter(whole).map(|v| v as u32)
}

/// Increasing in single precision too, and up to 1.
fn list(text: &str) -> Option<Vec<f64>> {
    let given = text.split(',').map(real).collect::<Option<Vec<f64>>>()?;
    let mut last = 0.0_f32;
    let climbs = given.iter().all(|t| {
        let more = *t as f32 > last;
        last = *t as f32;
        more
    });
    (climbs && given.len() <= MOST as usize && given.last() == Some(&1.0)).then_some(given)
}

impl Temperatures {
    fn read(text: &str) -> Option<Self> {
        let mut own = Self { text: Some(text.into()), ..Self::default() };
        let (name, rest) = match text.split_once(':') {
            Some((name, rest)) => (name, Some(rest)),
            None => (text, None),
        };
        let share = |v: f64| v > 0.0 && v < 1.0;
        match (name, rest) {
            ("adaptive", _) => own.share = number(rest, own.share, share)?,
            ("rows", _) => {
                (own.kind, own.share) = (Ladder::Rows, number(rest, own.share, share)?);
            }
            ("cooling", _) => {
                let first = number(rest, own.first, |v| v > 0.0 && v <= 1.0)?;
                (own.kind, own.first) = (Ladder::Cooling, first);
            }
            ("even", Some(rest)) => (own.kind, own.stages) = (Ladder::Even, count(rest)?),
            ("geometric", Some(rest)) => {
                let (stages, first) = rest.split_once(':')?;
                (own.kind, own.stages) = (Ladder::Geometric, count(stages)?);
                own.first = real(first).filter(|v| share(*v))?;
            }
            _ => {
                own.given = list(text)?;
                (own.kind, own.stages) = (Ladder::Given, own.given.len() as u32);
            }
        }
        Some(own)
    }

    /// adaptive\[:SHARE\], rows\[:SHARE\], cooling\[:SD\], even:K, geometric:K:FIRST, or temperatures separated by commas.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        if text.len() > 2000 {
            return Err(Fault::usage("--ladder: longer than 2000 characters"));
        }
        Self::read(text).ok_or_else(|| {
            Fault::usage(format!(
                "--ladder: \"{text}\" is none of adaptive, adaptive:SHARE, rows, rows:SHARE, even:K, geometric:K:FIRST \
                 with at most {MOST} temperatures, and no increasing list of temperatures above 0 that ends in 1"
            ))
        })
    }
}
