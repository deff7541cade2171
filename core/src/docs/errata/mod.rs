//! What is false, trivial or incomplete in the papers, each with a number.
//!
//! Each entry says what is printed, what is wrong, the corrected form, and the functions that compute
//! both; its example is a test. None of them touches the idea of the papers, that p(w | xi) is
//! log-concave for every xi and gives the score of xi. Most concern the claims of *when* p(xi) is
//! log-concave, on which no sampler here relies.
//!
//! | where | what | the number | page |
//! |---|---|---|---|
//! | \[MB\] Lemma 2 | where it holds, p(w) is log-concave already | the true limit of p(xi) is 1.2 to 2.04 times that of p(w) | [`gaussian`] |
//! | \[MB\] Lemma 2 | at equality there may be no posterior: squared ReLU | Z = 7.57 at .995 of the threshold, infinite at it | [`gaussian`] |
//! | \[MB\] Lemma 3, (20) | an n x n matrix of rank d is not definite | 3 of 5 eigenvalues are 0 | [`gaussian`] |
//! | \[MB\] proof of Lemma 4 | variance of w_j on the l1 ball | d = 1: 1/12 printed, 1/3 true | [`ball`] |
//! | \[MB\] Lemma 4 | false for d >= 4 | d = 10: 1.5 where it must be below 1 | [`ball`] |
//! | \[MB\] (27) | false as stated | .1698 > 1/6 | [`ball`] |
//! | \[MB\] (29) | wrong exponents | 2.006 printed as a bound of 3 | [`ball`] |
//! | \[MB\] Remark 1 | given without proof | | [`ball`] |
//! | \[MB\] (33) | never uses observation n | y_n + 5 changes it by 0 | [`greedy`] |
//! | \[B\] greedy coupling | its exponent drops the beta of rho = c lambda beta | beta = 4: 3.1 where 7.6 is needed | [`greedy`] |
//! | \[B\] greedy condition | 4 B^5/d should be 16 B^5/d | .784 printed, 3.137 true | [`talk`] |
//! | \[B\] greedy condition | no k exists for small B | B = .1: .00004 printed as a bound of .0333 | [`talk`] |
//! | \[B\] Stirling's formula | not an upper bound for small k | d = 10, k = 1: .0054 for .0152 | [`talk`] |
//! | \[B\] joint coupling | needs a bounded residual | softplus under a Gaussian prior has none | [`talk`] |

pub mod ball;
pub mod gaussian;
pub mod greedy;
pub mod talk;
