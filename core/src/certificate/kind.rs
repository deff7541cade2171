//! The certificates by name, with the statement each evaluates and what it assumes.

use crate::plain::codes;

/// Each kind: its code, its name, and the condition with its source.
macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident = $code:literal $name:literal: $equation:literal;)+) => {
        codes! {
            /// A condition under which p(xi), or p(w) itself, is log-concave. Q is X' diag(rho) X, for a joint
            /// posterior that of the class of neurons where the value is largest; B is alpha c n |r|_inf, c =
            /// sup |psi''| over the line, or n max rho_i where a greedy posterior keeps the square; R the radius
            /// of the l1 ball and sd the Gaussian prior's.
            pub enum Kind {
                $($(#[$doc])* #[doc = concat!("\n\n`", $equation, "`")] $kind = $code $name,)+
            }
        }

        impl Kind {
            /// The condition, with its source.
            pub fn equation(self) -> &'static str {
                match self {
                    $(Self::$kind => $equation,)+
                }
            }
        }
    };
}

kinds! {
    /// \[MB\] Lemma 2.
    Lemma2 = 0 "lemma-2":
        "alpha c |r|_inf lambda_max(X'X) sd^2 <= 1 [MB, Lemma 2]";
    /// Lemma 2 with the rho_i of the two-sided coupling in place of their bound.
    RhoTwoSided = 1 "rho-two-sided":
        "lambda_max(Q) sd^2 <= 1, two-sided rho [MB, Lemma 2 before its bound]";
    /// Lemma 2 with the rho_i of the one-sided coupling.
    RhoOneSided = 2 "rho-one-sided":
        "lambda_max(Q) sd^2 <= 1, one-sided rho";
    /// The Hessian of log p(w) bounded over what x.w can reach on the l1 ball.
    OwnCurvature = 3 "own-curvature":
        "lambda_max(X' diag(h) X) <= 0, h_i = sup of the curvature of term i on the ball";
    /// The trace bound on the l1 ball.
    Trace = 4 "trace":
        "R^2 max|x_ij|^2 sum rho_i < 1 (greedy: alpha c |r|_1 R^2 max|x_ij|^2)";
    /// The same by columns of X, one-sided: never larger.
    Columns = 5 "columns":
        "R^2 max_j Q_jj < 1, summed over neurons, one-sided rho";
    /// \[MB\] Lemma 4 as printed.
    Lemma4Published = 6 "lemma-4-published":
        "B < d [MB, Lemma 4 as printed]";
    /// Lemma 4 with the right variance of the prior.
    Lemma4 = 7 "lemma-4-corrected":
        "2 d B R^2 max(1, |x_ij|^2)/((d + 1)(d + 2)) < 1 [MB, Lemma 4, corrected]";
    /// The same before (max rho) lambda_max(X'X) and |x_ij| <= 1 are put in, two-sided rho.
    MatrixTwoSided = 8 "matrix-two-sided":
        "2 R^2 lambda_max(Q)/((d + 1)(d + 2)) < 1, two-sided rho";
    /// The same with the one-sided rho.
    MatrixOneSided = 9 "matrix-one-sided":
        "2 R^2 lambda_max(Q)/((d + 1)(d + 2)) < 1, one-sided rho";
    /// \[MB\] Remark 1.
    Remark1 = 10 "remark-1":
        "20 B^2/d < 1 [MB, Remark 1]";
    /// \[B\]'s condition for the greedy posterior as printed.
    SlidesPublished = 11 "slides-greedy-published":
        "4 B^5/d < 1, B = alpha n |r|_inf, |psi'| and |psi''| <= 1 [B as printed]";
    /// The same with the constant that its own factors give, and for any psi.
    Slides = 12 "slides-greedy-corrected":
        "16 B1 B2^4/d < 1, B1 = alpha n |r|_inf c, B2 = alpha n |r|_inf (sup|psi'| + c)/2 >= 1 \
         [B with its own factors]";
    /// \[B\]'s bound on the Hessian of the joint log p(xi).
    JointHessian = 13 "joint-hessian":
        "2 beta c V n R^2/(M (d + 2)) < 1, c = max|y_i| + V [B]";
    /// The same with d/(d + 1), which \[B\] drops.
    JointHessianSharper = 14 "joint-hessian-sharper":
        "2 beta c V n d R^2/(M (d + 1)(d + 2)) < 1, c = max|y_i| + V [B, sharper]";
    /// The same bound at half the curvature: the rate of the diffusion.
    BakryEmery = 15 "bakry-emery":
        "2 beta c V n R^2/(M (d + 2)) <= 1/2: the Hessian is at least rho/2 [B]";
    /// \[MB\] (25), estimated from draws of w | xi.
    Lemma3 = 16 "lemma-3":
        "lambda_max(A E[(I/sd^2 - Hess g)^-1 | xi] A') < 1 [MB (25)]";
    /// The largest eigenvalue of S X Cov\[w | xi\] X' S, estimated from draws of w | xi.
    Eigenvalue = 17 "largest-eigenvalue":
        "lambda_max(A Cov[w | xi] A') < 1, A'A = Q [MB (14)]";
    /// \[B\]'s bound by Hoelder's inequality, of the best order and with exact moments.
    Hoelder = 18 "hoelder":
        "min over l of lambda_max(Q) R^2 (E w_1^(2 l))^(1/l) exp(2 B2^2/(l - 1)) < 1, B2 as there, one-sided rho \
         [MB (29), B]";
}

impl Kind {
    /// What the condition needs beside itself to imply that p(xi) is log-concave; empty where it implies
    /// it alone.
    pub fn assumption(self) -> &'static str {
        match self {
            Self::Lemma4
            | Self::MatrixTwoSided
            | Self::MatrixOneSided
            | Self::JointHessian
            | Self::JointHessianSharper
            | Self::BakryEmery => {
                "that Cov[w | xi] is dominated by the prior's covariance in the directions of the rows \
                 of X ([MB] (27)), which is false as a general statement; no counterexample to this \
                 condition is known"
            }
            Self::Remark1 => {
                "a proof, of which [MB] gives none, and of xi in a set of high probability only; it implies \
                 the corrected Lemma 4"
            }
            Self::Slides => {
                "[B]'s use of Stirling's formula, which is false for small k, and that xi lies in the set of \
                 high probability where its bound exp(4 B2^2/k) holds"
            }
            Self::Hoelder => {
                "that xi is sqrt(rho) x.w of a w in the ball, or so near to it that the exponent of p(w | xi) \
                 stays within 2 B2: a set of high probability"
            }
            Self::Lemma4Published | Self::SlidesPublished => {
                "nothing would help: it is false as printed"
            }
            Self::Lemma3 | Self::Eigenvalue => "that the visited xi stand for all",
            _ => "",
        }
    }
}
