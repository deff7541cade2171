//! Certificates

use crate::certificate::lcc_probe_options;
use crate::f64::data::lcc_data_f64;
use crate::f64::problem::{self, lcc_problem_f64};
use crate::prelude::*;
use crate::problem::prior;
use crate::text;
use core::ffi::c_char;
use lcc_core::certificate::{
    CAPACITY, Certificate, Certificates, Estimate, Kind, Probes, Status, formulas, probe,
    probe_size,
};
use lcc_core::coupling::RhoError;
use lcc_core::problem::Problem;

/// A condition under which p(xi), or p(w) itself, is log-concave, and what it says.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct lcc_certificate_f64 {
    /// An LCC_CERTIFICATE_ code.
    pub kind: i32,
    /// An LCC_CERTIFIED_ code.
    pub status: i32,
    /// What must be below the threshold, or at most it; NaN where it does not apply.
    pub value: f64,
    /// The threshold.
    pub threshold: f64,
    /// The Monte Carlo standard error of an estimate, else 0.
    pub error: f64,
}

/// All certificates of a posterior: entries[0] to entries[count - 1]. Copy it as you like.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct lcc_certificates_f64 {
    /// sizeof(lcc_certificates_f64), set by lcc_certificates_evaluate_f64.
    pub struct_size: u32,
    /// Entries.
    pub count: u32,
    /// An LCC_CONCLUSION_ code: the strongest thing that they allow to be said.
    pub conclusion: i32,
    /// Visited xi.
    pub probes: u32,
    /// The posterior's prior.
    pub prior: i32,
    /// LCC_OK, or why the posterior has no coupling.
    pub coupling: i32,
    /// The prior's scale.
    pub scale: f64,
    /// By what the xi with the largest eigenvalue was chosen; for lcc_certificates_probe_f64.
    pub selection: f64,
    /// Names the problem and its data.
    pub fingerprint: u64,
    /// The certificates.
    pub entries: [lcc_certificate_f64; 16],
}

const EMPTY: lcc_certificate_f64 =
    lcc_certificate_f64 { kind: 0, status: 0, value: 0.0, threshold: 0.0, error: 0.0 };

/// As C keeps them.
fn pack(
    all: &Certificates<f64>,
    problem: &Problem<'_, f64>,
    selection: f64,
) -> lcc_certificates_f64 {
    let mut entries = [EMPTY; CAPACITY];
    for (slot, c) in entries.iter_mut().zip(all.iter()) {
        *slot = lcc_certificate_f64 {
            kind: c.kind as i32,
            status: c.status as i32,
            value: c.value,
            threshold: c.threshold,
            error: c.error,
        };
    }
    let (kind, scale) = problem.prior().kind();
    lcc_certificates_f64 {
        struct_size: size_of::<lcc_certificates_f64>() as u32,
        count: all.len() as u32,
        conclusion: all.conclusion() as i32,
        probes: all.probes(),
        prior: kind as i32,
        coupling: all.coupling_error().map_or(LCC_OK, Into::into) as i32,
        scale,
        selection,
        fingerprint: problem.fingerprint(),
        entries,
    }
}

/// As the core has them; LCC_ERROR_HANDLE if no function of ours has written them.
fn unpack(c: &lcc_certificates_f64) -> Result<Certificates<f64>, lcc_status> {
    let prior = prior(c.prior, c.scale).ok_or(LCC_ERROR_HANDLE)?;
    let own = c.entries.get(..c.count as usize).ok_or(LCC_ERROR_HANDLE)?;
    let known = |e: &lcc_certificate_f64| {
        Some(Certificate {
            kind: Kind::from_code(e.kind)?,
            value: e.value,
            threshold: e.threshold,
            error: e.error,
            status: Status::from_code(e.status)?,
        })
    };
    raw::refuse(own.iter().any(|e| known(e).is_none()), LCC_ERROR_HANDLE)?;
    let coupled = match c.coupling {
        code if code == LCC_OK as i32 => None,
        code if code == LCC_ERROR_NO_COUPLING as i32 => Some(RhoError::Unbounded),
        _ => Some(RhoError::Scale),
    };
    Ok(Certificates::assemble(prior, coupled, c.probes, own.iter().filter_map(known)))
}

/// The values of scratch of the certificates that need no draws.
fn scratch_of(problem: &Problem<'_, f64>) -> Result<[usize; 1], lcc_status> {
    Ok([Certificates::scratch(problem).ok_or(LCC_ERROR_OVERFLOW)?])
}

abi! {
    /// The bytes of scratch of lcc_certificates_evaluate_f64.
    fn lcc_certificates_scratch_f64(
        problem: *const lcc_problem_f64, data: *const lcc_data_f64,
    ) -> (bytes: usize) {
        raw::scratch_size::<f64, _>(scratch_of(&problem::read(problem, data)?)?)?
    }

    /// Every certificate that needs no draws: about 9 n d^2 + 90 m^2 d flops, m = min(n, d) (joint: up to 12
    /// and 120).
    ///
    /// @param scratch  lcc_certificates_scratch_f64 bytes
    /// @return LCC_ERROR_POSTERIOR (a density of your own has none), LCC_ERROR_IMPROPER, LCC_ERROR_NOT_FINITE_VALUE
    ///         (the numbers overflow)
    fn lcc_certificates_evaluate_f64(
        problem: *const lcc_problem_f64, data: *const lcc_data_f64, scratch: *mut u8, bytes: usize,
    ) -> (certificates: lcc_certificates_f64) {
        let problem = problem::read(problem, data)?;
        let [scratch] = raw::scratch(scratch, bytes, scratch_of(&problem)?)?;
        pack(&Certificates::of(&problem, scratch)?, &problem, 0.0)
    }

    /// The bytes of scratch of lcc_certificates_probe_f64.
    ///
    /// @return LCC_ERROR_POSTERIOR
    fn lcc_certificates_probe_scratch_f64(
        problem: *const lcc_problem_f64, data: *const lcc_data_f64,
        options: *const lcc_probe_options,
    ) -> (bytes: usize) {
        let (problem, options) = (problem::read(problem, data)?, raw::sized(options)?);
        raw::refuse(problem.data().is_none(), LCC_ERROR_POSTERIOR)?;
        probe_size(&problem, &options)?
    }

    /// Looks for a xi at which p(xi) is not log-concave: visits one drawn given w, a draw of the posterior; the
    /// origin, where `which` is 0; the worst on the line through w and another draw, where a valley between modes
    /// is; and up to `ascent` more, each a step up from there. At each 8 chains sample w given xi, from which the
    /// largest eigenvalue of S X Cov[w | xi] X' S (below 1 everywhere: p(xi) is log-concave) is estimated and,
    /// under a Gaussian prior, the bound of Lemma 3. Keeps the worst of the xi visited so far, chosen by other
    /// draws than those it is judged by. One call is one unit of work: for each xi 8 (warmup + draws) leapfrogs n
    /// row-gradient visits and some linear algebra of order (M d)^3, and 1000 n for the lines.
    ///
    /// @param certificates  from lcc_certificates_evaluate_f64, changed
    /// @param w             dim values
    /// @param other         dim values, best of another chain; or NULL for the line through w and the origin
    /// @param which         numbers the calls of one seed
    /// @param scratch       lcc_certificates_probe_scratch_f64 bytes
    /// @return LCC_ERROR_NO_COUPLING, LCC_ERROR_REDUCED, LCC_ERROR_IMPROPER, LCC_ERROR_NOT_FINITE_VALUE (w, or
    ///         what came of it)
    fn lcc_certificates_probe_f64(
        certificates: *mut lcc_certificates_f64, problem: *const lcc_problem_f64,
        data: *const lcc_data_f64, options: *const lcc_probe_options, w: *const f64, other: *const f64,
        which: u32, scratch: *mut u8, bytes: usize,
    ) {
        let (own, problem, options) =
            (raw::sized(certificates)?, problem::read(problem, data)?, raw::sized(options)?);
        let all = unpack(&own)?;
        raw::refuse(problem.fingerprint() != own.fingerprint, LCC_ERROR_DATA_CHANGED)?;
        let (w, scratch) = (raw::slice(w, problem.dim())?, raw::slice_mut(scratch, bytes)?);
        let other = if other.is_null() { None } else { Some(raw::slice(other, problem.dim())?) };
        let mut given = w.iter().chain(other.unwrap_or(&[]));
        raw::refuse(given.any(|w| !w.is_finite()), LCC_ERROR_NOT_FINITE_VALUE)?;
        let estimate = |kind: Kind| {
            let c = all.find(kind)?;
            Some(Estimate { value: c.value, error: c.error, selection: c.value })
        };
        let before = all.find(Kind::Eigenvalue).map(|c| Probes {
            count: own.probes,
            eigenvalue: Estimate { value: c.value, error: c.error, selection: own.selection },
            agree: c.status == Status::Empirical,
            lemma3: estimate(Kind::Lemma3),
        });
        let isa = handle::isa(options.portable.on());
        let found = probe(isa, &problem, &options, w, other, which, scratch)?;
        let probes = before.map_or(found, |before| before.with(&found));
        let packed = pack(&all.with_probes(&probes), &problem, probes.eigenvalue.selection);
        raw::write(certificates, packed)?;
    }

    /// Gamma_xi(s) = log E_0 exp(s g_xi(w)), g_xi the exponent of p(w | xi) relative to the prior, from its values at
    /// points of equal weight under the prior: draws of it (lcc_problem_draw_prior_f64), or a quadrature.
    ///
    /// @param values  g_xi at the points: count values
    /// @param gamma   out: nats
    /// @return LCC_ERROR_EMPTY (no points)
    fn lcc_gamma_xi_f64(values: *const f64, count: usize, s: f64) -> (gamma: f64) {
        raw::refuse(count == 0, LCC_ERROR_EMPTY)?;
        formulas::cumulant(raw::slice(values, count)?, s)
    }

    /// Hoelder's bound of Var[v.w | xi]: the root of order l of E_0 (v.w)^(2 l), times
    /// exp(((l - 1)/l) Gamma_xi(l/(l - 1)) - Gamma_xi(1)).
    ///
    /// @param moment  E_0 (v.w)^(2 l)
    /// @param order   l, above 1
    /// @param values  as above
    /// @param bound   out
    /// @return LCC_ERROR_INDEX (order), LCC_ERROR_EMPTY (no points)
    fn lcc_hoelder_f64(
        moment: f64, order: f64, values: *const f64, count: usize,
    ) -> (bound: f64) {
        raw::refuse(!(order > 1.0), LCC_ERROR_INDEX)?;
        raw::refuse(count == 0, LCC_ERROR_EMPTY)?;
        formulas::hoelder_given(moment, order, raw::slice(values, count)?)
    }

    /// What LCC_CERTIFICATE_HOELDER compares with 1, of any numbers, and the order at which it is least: Hoelder's
    /// bound with the exact moments of the l1 ball, for xi in a set of high probability. Order 1 where there is none.
    ///
    /// @param lambda_max  the largest eigenvalue of X' diag(rho) X
    /// @param b2          half of what |g_xi| is bounded by: alpha n |r|_inf (sup|psi'| + sup|psi''|)/2 in the papers
    /// @param radius      of the ball
    /// @param bound       out: of S X Cov[w | xi] X' S
    /// @param order       out: the integer l
    fn lcc_hoelder_least_f64(
        lambda_max: f64, b2: f64, d: usize, radius: f64,
    ) -> (bound: f64, order: u32) {
        formulas::hoelder_least(lambda_max, b2, d, radius)
    }

    /// The verdict in one paragraph: what is proved, what is conditional on what, what is only empirical, and
    /// what to do.
    ///
    /// @param certificates  from lcc_certificates_evaluate_f64
    /// @param text          out: zero-terminated; 2048 bytes are enough
    fn lcc_certificates_explain_f64(
        certificates: *const lcc_certificates_f64, text: *mut c_char, bytes: usize,
    ) -> (length: usize) {
        text::write(&unpack(&raw::sized(certificates)?)?, text, bytes)?
    }
}
