//! Metropolis kernels without gradients: a random walk, and independent proposals from the reference.
//!
//! The target is log p(g) = -|g|^2/2 + v(g) (see [`crate::density`]).
//!
//! [`Proposal::RandomWalk`]: g' = g + e z, z ~ N(0, I), taken with probability min(1, p(g')/p(g))
//! (Metropolis et al. 1953). Cost: one value; it needs some dim steps for what a gradient does in one.
//! Best accepted at .234 in many dimensions (Roberts, Gelman, Gilks 1997).
//!
//! [`Proposal::Reference`]: g' ~ N(0, I), which is the prior, taken with probability
//! min(1, exp(v(g') - v(g))) (Hastings 1970). Successive draws are independent as long as proposals are
//! taken: the best there is where the posterior is near its prior, hopeless where it is far.
//!
//! [`Proposal::StudentT`]: g' ~ t with 8 degrees of freedom, location 0 and scale I, taken with
//! probability min(1, p(g') q(g) / (p(g) q(g'))). Where the reference is a fit to the posterior
//! ([`crate::reference`]), a Gaussian's tails are too light: a chain that got far out stays for long.
//! 8 is few enough for that and an even number, so that chi^2 = -2 log(u_1 u_2 u_3 u_4).
//!
//! [`Proposal::Mixture`]: the same from several laws at once ([`crate::reference::Mixture`]): it goes from
//! mode to mode.
//!
//! Order of draws of one transition, from each chain's own stream: dim normals, for Student's t four
//! uniforms, for a mixture one more, a uniform for acceptance.

use super::accept::Accept;
use super::hmc::{Outcome, State, Work};
use crate::density::Density;
use crate::dispatch::dispatched;
use crate::random::{Stream, normals};
use crate::reference::{FREEDOM, Mixture, ratio, student};
use crate::simd::{Isa, Lanes, Vector};
use crate::special;
use crate::sum::Sum;

/// What a transition proposes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Proposal<'m, T, const N: usize> {
    /// A step of this length times N(0, I) from where the chain is.
    RandomWalk([T; N]),
    /// A draw from N(0, I).
    Reference,
    /// A draw from t_8(0, I).
    StudentT,
    /// A draw from a mixture.
    Mixture(Mixture<'m, T>),
}

/// One transition of N chains: one evaluation of the density's value. `state.value` must hold that of
/// its position; `state.gradient` is not used. A buffer that is too short makes every chain stay and
/// report divergence, as does a density that is not a number.
pub fn transition<T: Lanes<N>, const N: usize>(
    isa: Isa,
    density: &dyn Density<T, N>,
    streams: &mut [Stream; N],
    proposal: &Proposal<'_, T, N>,
    state: &mut State<'_, T, N>,
    work: &mut Work<'_, T, N>,
) -> Outcome<T, N> {
    let Work { position, gradient: spare, scratch, .. } = work;
    let from = &*state.position;
    propose(isa, proposal, streams, from, position);
    let value = density.value(isa, position, spare, scratch);
    let gain = match proposal {
        Proposal::Mixture(mixture) => ratio(isa, *mixture, from, position, spare),
        _ => [T::ZERO; N],
    };
    let state = State { gradient: &mut [], ..state.reborrow() };
    decide(isa, streams, state, value, position, proposal, gain)
}

dispatched!(
    fn propose(
        s: S,
        proposal: &Proposal<'_, T, N>,
        streams: &mut [Stream; N],
        from: &[[T; N]],
        to: &mut [[T; N]],
    ) {
        normals(s, streams, to);
        match proposal {
            Proposal::Reference => {}
            Proposal::RandomWalk(step) => {
                let step = s.load(step);
                for (g, to) in from.iter().zip(to) {
                    *to = (s.load(g) + step * s.load(to)).array();
                }
            }
            Proposal::StudentT => {
                student(s, streams, to);
            }
            Proposal::Mixture(mixture) => mixture.draw(s, streams, to),
        }
    }
);

dispatched!(
    fn decide(
        s: S,
        streams: &mut [Stream; N],
        state: State<'_, T, N>,
        value: [T; N],
        position: &[[T; N]],
        proposal: &Proposal<'_, T, N>,
        gain: [T; N],
    ) -> Outcome<T, N> {
        let half = s.splat(T::HALF);
        let (before, after) = (s.load(state.value), s.load(&value));
        // |g'|^2/2 - |g|^2/2 = (g' - g).(g' + g)/2, with compensation.
        let mut change = Sum::new(s.zero());
        let mut norm = s.zero();
        let mut new_norm = s.zero();
        for (g0, g) in state.position.iter().zip(position) {
            let (g0, g) = (s.load(g0), s.load(g));
            norm = norm + g0 * g0;
            new_norm = new_norm + g * g;
            change.add(half * ((g - g0) * (g + g0)));
        }
        let quadratic = change.value();
        let rise = after - before;
        let exponent = match proposal {
            Proposal::RandomWalk(_) => rise - quadratic,
            Proposal::Reference => rise,
            Proposal::Mixture(_) => (rise - quadratic) + s.load(&gain),
            Proposal::StudentT => {
                // log q = -(8 + dim)/2 log(1 + |g|^2/8).
                let half_power = T::HALF * (T::lit(FREEDOM) + T::of_usize(position.len()));
                let share = s.lit(1.0 / FREEDOM);
                let ratio = (s.one() + share * new_norm) / (s.one() + share * norm);
                (rise - quadratic) + s.splat(half_power) * special::called::ln(s, ratio)
            }
        };
        s.outline(Accept {
            streams,
            state,
            position,
            gradient: &[],
            value,
            exponent: exponent.array(),
            range: [-T::INFINITY, T::INFINITY],
            unadjusted: false,
            energy: (half * norm - before).array(),
            change: (quadratic - rise).array(),
        })
    }
);
