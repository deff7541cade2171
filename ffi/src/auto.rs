//! The sampler that chooses for itself, whatever its precision.

use crate::status::lcc_status;
use core::fmt::{self, Write};

codes! {
    u32 LCC_CHOICE_UNDECIDED = 0, "Nothing has been chosen yet.";
    u32 LCC_CHOICE_SPLIT_PRIOR = 1, "Split HMC about the prior, in antithetic pairs.";
    u32 LCC_CHOICE_SPLIT_FITTED = 2, "Split HMC about a Gaussian fitted to the pilot, in antithetic pairs.";
    u32 LCC_CHOICE_RANDOM_WALK = 3, "Random-walk Metropolis, in antithetic pairs: the density has no gradient.";
    u32 LCC_CHOICE_PARTICLES = 4, "Sequential Monte Carlo, after chains that disagreed.";
    u32 LCC_CHOICE_MIXTURE = 5, "Independence Metropolis from a mixture, in antithetic pairs, after chains that disagreed.";
    u32 LCC_VERDICT_OPEN = 0, "The run is not over.";
    u32 LCC_VERDICT_MIXED = 1, "The chains agree with one another and with the pilot.";
    u32 LCC_VERDICT_MODES = 2, "The chains did not, and two independent runs of particles do.";
    u32 LCC_VERDICT_UNRELIABLE = 3, "Nothing mixes: the draws are not to be trusted.";
}

/// Text into bytes, and the bytes it takes whether or not there is room.
struct Text<'a> {
    out: &'a mut [u8],
    length: usize,
}

impl Write for Text<'_> {
    fn write_str(&mut self, s: &str) -> fmt::Result {
        for byte in s.bytes() {
            if let Some(slot) = self.out.get_mut(self.length) {
                *slot = byte;
            }
            self.length = self.length.saturating_add(1);
        }
        Ok(())
    }
}

fn fill(what: &dyn fmt::Display, out: &mut [u8]) -> Result<usize, lcc_status> {
    let mut text = Text { out, length: 0 };
    write!(text, "{what}\0").map_err(|_| lcc_status::LCC_ERROR_CAPACITY)?;
    Ok(text.length)
}

/// Writes a sentence, zero-terminated, and returns its length without the zero. Where there is no room
/// for all of it, nothing is written.
pub(crate) fn write_text(what: &dyn fmt::Display, out: &mut [u8]) -> Result<usize, lcc_status> {
    if fill(what, &mut [])? > out.len() {
        return Err(lcc_status::LCC_ERROR_CAPACITY);
    }
    Ok(fill(what, out)?.saturating_sub(1))
}
