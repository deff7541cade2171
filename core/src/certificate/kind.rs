//! The certificates by name, with the statement each evaluates and what it assumes.

/// A condition under which p(xi), or p(w) itself, is log-concave. Q is X' diag(rho) X, for a joint
/// posterior that of the class of neurons where the value is largest; B is alpha c n |r|_inf, c =
/// sup |psi''| over the line; R the radius of the l1 ball and sd the Gaussian prior's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Kind {
    /// \[MB\] Lemma 2.
    Lemma2 = 0,
    /// Lemma 2 with the rho_i of the two-sided coupling in place of their bound.
    RhoTwoSided = 1,
    /// Lemma 2 with the rho_i of the one-sided coupling.
    RhoOneSided = 2,
    /// The Hessian of log p(w) bounded over what x.w can reach on the l1 ball.
    OwnCurvature = 3,
    /// The trace bound on the l1 ball.
    Trace = 4,
    /// The same by columns of X, one-sided: never larger.
    Columns = 5,
    /// \[MB\] Lemma 4 as printed.
    Lemma4Published = 6,
    /// Lemma 4 with the right variance of the prior.
    Lemma4 = 7,
    /// The same before (max rho) lambda_max(X'X) and |x_ij| <= 1 are put in, two-sided rho.
    MatrixTwoSided = 8,
    /// The same with the one-sided rho.
    MatrixOneSided = 9,
    /// \[MB\] Remark 1.
    Remark1 = 10,
    /// \[B\]'s condition for the greedy posterior as printed.
    SlidesPublished = 11,
    /// The same with the constant that its own factors give.
    Slides = 12,
    /// \[B\]'s bound on the Hessian of the joint log p(xi).
    JointHessian = 13,
    /// The same with d/(d + 1), which \[B\] drops.
    JointHessianSharper = 14,
    /// The same bound at half the curvature: the rate of the diffusion.
    BakryEmery = 15,
    /// \[MB\] (25), estimated from draws of w | xi.
    Lemma3 = 16,
    /// The largest eigenvalue of S X Cov\[w | xi\] X' S, estimated from draws of w | xi.
    Eigenvalue = 17,
}

impl Kind {
    /// Every kind, in the order of the codes.
    pub const ALL: [Self; 18] = [
        Self::Lemma2,
        Self::RhoTwoSided,
        Self::RhoOneSided,
        Self::OwnCurvature,
        Self::Trace,
        Self::Columns,
        Self::Lemma4Published,
        Self::Lemma4,
        Self::MatrixTwoSided,
        Self::MatrixOneSided,
        Self::Remark1,
        Self::SlidesPublished,
        Self::Slides,
        Self::JointHessian,
        Self::JointHessianSharper,
        Self::BakryEmery,
        Self::Lemma3,
        Self::Eigenvalue,
    ];

    /// The kind of a code; `None` if there is none.
    pub fn from_code(code: i32) -> Option<Self> {
        Self::ALL.into_iter().find(|k| *k as i32 == code)
    }

    /// The name in reports, in lower case with hyphens.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lemma2 => "lemma-2",
            Self::RhoTwoSided => "rho-two-sided",
            Self::RhoOneSided => "rho-one-sided",
            Self::OwnCurvature => "own-curvature",
            Self::Trace => "trace",
            Self::Columns => "columns",
            Self::Lemma4Published => "lemma-4-published",
            Self::Lemma4 => "lemma-4-corrected",
            Self::MatrixTwoSided => "matrix-two-sided",
            Self::MatrixOneSided => "matrix-one-sided",
            Self::Remark1 => "remark-1",
            Self::SlidesPublished => "slides-greedy-published",
            Self::Slides => "slides-greedy-corrected",
            Self::JointHessian => "joint-hessian",
            Self::JointHessianSharper => "joint-hessian-sharper",
            Self::BakryEmery => "bakry-emery",
            Self::Lemma3 => "lemma-3",
            Self::Eigenvalue => "largest-eigenvalue",
        }
    }

    /// The condition, with its source.
    pub fn equation(self) -> &'static str {
        match self {
            Self::Lemma2 => "alpha c |r|_inf lambda_max(X'X) sd^2 <= 1 [MB, Lemma 2]",
            Self::RhoTwoSided => {
                "lambda_max(Q) sd^2 <= 1, two-sided rho [MB, Lemma 2 before its bound]"
            }
            Self::RhoOneSided => "lambda_max(Q) sd^2 <= 1, one-sided rho",
            Self::OwnCurvature => {
                "lambda_max(X' diag(h) X) <= 0, h_i = sup of the curvature of term i on the ball"
            }
            Self::Trace => "R^2 max|x_ij|^2 sum rho_i < 1 (greedy: alpha c |r|_1 R^2 max|x_ij|^2)",
            Self::Columns => "R^2 max_j Q_jj < 1, summed over neurons, one-sided rho",
            Self::Lemma4Published => "B < d [MB, Lemma 4 as printed]",
            Self::Lemma4 => {
                "2 d B R^2 max(1, |x_ij|^2)/((d + 1)(d + 2)) < 1 [MB, Lemma 4, corrected]"
            }
            Self::MatrixTwoSided => "2 R^2 lambda_max(Q)/((d + 1)(d + 2)) < 1, two-sided rho",
            Self::MatrixOneSided => "2 R^2 lambda_max(Q)/((d + 1)(d + 2)) < 1, one-sided rho",
            Self::Remark1 => "20 B^2/d < 1 [MB, Remark 1]",
            Self::SlidesPublished => "4 B^5/d < 1 [B as printed]",
            Self::Slides => "16 B^5/d < 1, k = 2 B^2 >= 1 [B with its own factors]",
            Self::JointHessian => "2 beta c V n R^2/(M (d + 2)) < 1, c = max|y_i| + V [B]",
            Self::JointHessianSharper => {
                "2 beta c V n d R^2/(M (d + 1)(d + 2)) < 1, c = max|y_i| + V [B, sharper]"
            }
            Self::BakryEmery => {
                "2 beta c V n R^2/(M (d + 2)) <= 1/2: the Hessian is at least rho/2 [B]"
            }
            Self::Lemma3 => "lambda_max(A E[(I/sd^2 - Hess g)^-1 | xi] A') < 1 [MB (25)]",
            Self::Eigenvalue => "lambda_max(A Cov[w | xi] A') < 1, A'A = Q [MB (14)]",
        }
    }

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
            Self::Remark1 => "a proof, of which [MB] gives none; it implies the corrected Lemma 4",
            Self::Slides => {
                "[B]'s bound exp(4 B^2/k) and its use of Stirling's formula, which is false for small k"
            }
            Self::Lemma4Published | Self::SlidesPublished => {
                "nothing would help: it is false as printed"
            }
            Self::Lemma3 | Self::Eigenvalue => "that the visited xi stand for all",
            _ => "",
        }
    }
}
