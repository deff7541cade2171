//! Certificates, whatever their precision.

use crate::prelude::*;
use crate::text;
use core::ffi::c_char;
use lcc_core::certificate::{Kind, ProbeOptions, Status};

codes! {
    i32 LCC_CERTIFICATE_LEMMA_2 = 0, "Lemma 2 as printed: p(w) itself is log-concave.";
    i32 LCC_CERTIFICATE_RHO_TWO_SIDED = 1, "Lemma 2 with the two-sided rho_i.";
    i32 LCC_CERTIFICATE_RHO_ONE_SIDED = 2, "Lemma 2 with the one-sided rho_i.";
    i32 LCC_CERTIFICATE_OWN_CURVATURE = 3, "The Hessian of log p(w) bounded over the l1 ball.";
    i32 LCC_CERTIFICATE_TRACE = 4, "The trace bound on the l1 ball, proved.";
    i32 LCC_CERTIFICATE_COLUMNS = 5, "The same by columns of X, proved.";
    i32 LCC_CERTIFICATE_LEMMA_4_PUBLISHED = 6, "Lemma 4 as printed: false.";
    i32 LCC_CERTIFICATE_LEMMA_4 = 7, "Lemma 4 corrected: conditional.";
    i32 LCC_CERTIFICATE_MATRIX_TWO_SIDED = 8, "The same with the two-sided matrix.";
    i32 LCC_CERTIFICATE_MATRIX_ONE_SIDED = 9, "The same with the one-sided matrix.";
    i32 LCC_CERTIFICATE_REMARK_1 = 10, "Remark 1.";
    i32 LCC_CERTIFICATE_SLIDES_PUBLISHED = 11, "The slides' greedy condition as printed: false.";
    i32 LCC_CERTIFICATE_SLIDES = 12, "The same corrected: conditional.";
    i32 LCC_CERTIFICATE_JOINT_HESSIAN = 13, "The slides' bound on the Hessian of the joint log p(xi): conditional.";
    i32 LCC_CERTIFICATE_JOINT_HESSIAN_SHARPER = 14, "The same with nothing dropped.";
    i32 LCC_CERTIFICATE_BAKRY_EMERY = 15, "Half the curvature, the rate of the diffusion: conditional.";
    i32 LCC_CERTIFICATE_LEMMA_3 = 16, "The bound of Lemma 3, estimated at the visited xi.";
    i32 LCC_CERTIFICATE_EIGENVALUE = 17, "The largest eigenvalue of S X Cov[w | xi] X' S, estimated at the visited xi.";
    i32 LCC_CERTIFICATE_HOELDER = 18, "The slides' bound of the best order, with exact moments: conditional.";
    i32 LCC_CERTIFIED_ALREADY_LOG_CONCAVE = 0, "Proved: p(w) itself is log-concave, and so is p(xi).";
    i32 LCC_CERTIFIED_PROVED = 1, "Proved: p(xi) is log-concave.";
    i32 LCC_CERTIFIED_CONDITIONAL = 2, "p(xi) is log-concave under an assumption that is not proved.";
    i32 LCC_CERTIFIED_EMPIRICAL = 3, "Estimates at all visited xi agree with log-concavity by more than three standard errors.";
    i32 LCC_CERTIFIED_NOT_LOG_CONCAVE = 4, "An estimate refutes log-concavity by more than three standard errors.";
    i32 LCC_CERTIFIED_NOT_SATISFIED = 5, "The condition is sufficient and does not hold: nothing follows.";
    i32 LCC_CERTIFIED_INCONCLUSIVE = 6, "An estimate is too close to its threshold, at some visited xi.";
    i32 LCC_CERTIFIED_PUBLISHED_FALSE = 7, "The statement as published is false, whether or not its condition holds.";
    i32 LCC_CERTIFIED_NOT_APPLICABLE = 8, "The argument is about another prior, activation or range.";
    i32 LCC_CONCLUSION_ALREADY_LOG_CONCAVE = 0, "p(w) is log-concave, proved: sample w directly.";
    i32 LCC_CONCLUSION_PROVED = 1, "p(xi) is log-concave, proved: use the coupling.";
    i32 LCC_CONCLUSION_CONDITIONAL = 2, "p(xi) is log-concave under an assumption: use the coupling, and check.";
    i32 LCC_CONCLUSION_EMPIRICAL = 3, "Only estimates speak for it: use the coupling, and check against SMC.";
    i32 LCC_CONCLUSION_NOT_LOG_CONCAVE = 4, "p(xi) is not log-concave: use SMC or tempering.";
    i32 LCC_CONCLUSION_UNKNOWN = 5, "Nothing is known: use SMC or lcc_auto_init_f64 or _f32.";
    i32 LCC_DESCRIBE_NAME = 0, "The name of a certificate.";
    i32 LCC_DESCRIBE_EQUATION = 1, "The condition that it evaluates, with its source.";
    i32 LCC_DESCRIBE_ASSUMPTION = 2, "What it assumes beside the condition; empty if nothing.";
    i32 LCC_DESCRIBE_STATUS = 3, "The name of a status, by an LCC_CERTIFIED_ code in place of the certificate's.";
}

/// How the xi of a posterior are visited.
pub type lcc_probe_options = ProbeOptions;

abi! {
    /// Writes the defaults.
    fn lcc_probe_options_default() -> (options: lcc_probe_options) {
        ProbeOptions::default()
    }

    /// Words about a certificate or a status.
    ///
    /// @param kind  an LCC_CERTIFICATE_ code (LCC_DESCRIBE_STATUS: an LCC_CERTIFIED_ code)
    /// @param what  an LCC_DESCRIBE_ code
    /// @param text  out: zero-terminated; 256 bytes are enough
    /// @return LCC_ERROR_INDEX (no such code)
    fn lcc_certificate_describe(
        kind: i32, what: i32, text: *mut c_char, bytes: usize,
    ) -> (length: usize) {
        let words = match what {
            LCC_DESCRIBE_NAME => Kind::from_code(kind).map(Kind::name),
            LCC_DESCRIBE_EQUATION => Kind::from_code(kind).map(Kind::equation),
            LCC_DESCRIBE_ASSUMPTION => Kind::from_code(kind).map(Kind::assumption),
            LCC_DESCRIBE_STATUS => Status::from_code(kind).map(Status::name),
            _ => None,
        };
        text::write(&words.ok_or(LCC_ERROR_INDEX)?, text, bytes)?
    }
}
