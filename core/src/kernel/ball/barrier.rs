//! A self-concordant barrier of the solid l1 ball, at O(d) cost.
//!
//! The ball has 2^d facets, but is the shadow of {|w_j| <= u_j, sum_j u_j <= R}, which has 2 d + 1. The
//! logarithmic barrier of that polytope minimised over u,
//! phi(w) = min_u -sum_j log(u_j^2 - w_j^2) - log(R - sum_j u_j),
//! is a self-concordant barrier of the ball with parameter 2 d + 1 (Nesterov and Nemirovskii 1994,
//! "Interior-point polynomial algorithms in convex programming", section 5.1.4: partial minimisation
//! keeps self-concordance). With the slack s = R - sum_j u_j the minimum has u_j = s + sqrt(s^2 + w_j^2),
//! and s is the root of (d + 1) s + sum_j sqrt(s^2 + w_j^2) = R. Then
//!
//! - grad_j = w_j / (u_j s);
//! - the Hessian is D + gamma v v', D_j = 2/(u_j^2 + w_j^2), v_j = 2 u_j w_j/(u_j^2 + w_j^2),
//!   1/gamma = s^2 (1 + sum_j 2 u_j^2/(u_j^2 + w_j^2)): the Schur complement of u;
//! - the map w -> grad is inverted by w_j = 1/(sigma - y_j) - 1/(sigma + y_j), sigma = 1/s the root of
//!   1/sigma + sum_j [1/(sigma - y_j) + 1/(sigma + y_j)] = R above max_j |y_j|.
//!
//! With r_j = sqrt(s^2 + w_j^2) = u_j - s all of it is short: D_j = 1/(r_j u_j), v_j = w_j/r_j, 1/gamma = E = s^2 K with
//! K = d + 1 + sum_j s/r_j = -(w_j/r_j)/(ds/dw_j), and M = E + v'D^-1 v = R s + |w|^2. Near a facet p is of the order of 1/s
//! along v, where p'H^-1 p is of order 1 and H^-1 p of order s: to subtract the term of rank one at once would lose the
//! places of 1/s^2, all that single precision has at s = 3e-4 R. So it is taken off in two halves,
//! H^-1 = (I - tau v v'D^-1)' D^-1 (I - tau v v'D^-1) with tau = 1/(M + sqrt(E M)), which lose those of 1/s as w itself does. With
//! t = p - tau B v, B = v'D^-1 p = sum_j w_j u_j p_j, and V = H^-1 p,
//!
//! - V_j = r_j u_j t_j - tau (v'D^-1 t) w_j u_j, and v'V = B E/M;
//! - ln det H + p'H^-1 p = -sum_j ln(r_j u_j) + ln M - ln E + sum_j r_j u_j t_j^2;
//! - its derivatives are those of ln det H and of -V'H V at a fixed V, by w_j at a fixed s and by s times ds/dw_j.

use super::{norm, same};
use crate::scalar::Real;
use crate::simd::{LaneOp, Simd, Vector};
use crate::special;

/// More steps than either Newton iteration takes: both are monotone and quadratic in the end.
const ROUNDS: usize = 64;

/// The slack s at w, at least that of a point one rounding away from the facet. Newton's method from
/// s = (R - |w|_1)/(d + 1), downward: the slope varies by less than a factor 2, so 4 to 6 steps of
/// d square roots.
#[inline(always)]
fn slack<T: Real, const N: usize, S: Simd<T, N>>(s: S, radius: S::V, w: &[[T; N]]) -> S::V {
    let gap = (radius - norm(s, w)).max(radius * s.splat(T::EPSILON));
    let lead = s.splat(T::of_usize(w.len().saturating_add(1)));
    let mut slack = gap / lead;
    for _ in 0..ROUNDS {
        // sqrt(s^2 + w^2) - |w|, without the cancellation.
        let (mut value, mut slope) = (lead * slack - gap, lead);
        for w in w {
            let w = s.load(w);
            let root = (slack * slack + w * w).sqrt();
            value = value + slack * slack / (root + w.abs());
            slope = slope + slack / root;
        }
        let next = (slack - value / slope).select(s.zero().lt(value), slack).min(slack);
        let resting = same(&next.array(), &slack.array());
        slack = next;
        if resting {
            break;
        }
    }
    slack
}

/// The barrier at one point of one ball.
#[derive(Clone, Copy)]
pub(super) struct Metric<V> {
    slack: V,
    pub(super) gamma: V,
    /// The root of 1 + gamma v' D^-1 v.
    pub(super) root: V,
    /// The logarithm of the Hessian's determinant.
    pub(super) log_det: V,
}

/// What the barrier says of one coordinate: gradient, D_j, v_j.
#[derive(Clone, Copy)]
pub(super) struct Axis<V> {
    pub(super) gradient: V,
    pub(super) stiffness: V,
    pub(super) slope: V,
}

/// The barrier at w: d logarithms and about 8 square roots a coordinate.
#[inline(always)]
pub(super) fn metric<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    radius: S::V,
    w: &[[T; N]],
) -> Metric<S::V> {
    let [slack, gamma, root, log_det] = s.outline(Barrier { radius: radius.array(), w });
    Metric {
        slack: s.load(&slack),
        gamma: s.load(&gamma),
        root: s.load(&root),
        log_det: s.load(&log_det),
    }
}

/// [`metric`], compiled once for all who ask: slack, gamma, root and the logarithm.
struct Barrier<'a, T, const N: usize> {
    radius: [T; N],
    w: &'a [[T; N]],
}

impl<T: Real, const N: usize> LaneOp<T, N> for Barrier<'_, T, N> {
    type Output = [[T; N]; 4];

    #[inline(always)]
    fn run<S: Simd<T, N>>(self, s: S) -> [[T; N]; 4] {
        let slack = slack(s, s.load(&self.radius), self.w);
        let two = s.lit(2.0);
        let (mut shares, mut square, mut log_det) = (s.one(), s.zero(), s.zero());
        for w in self.w {
            let w = s.load(w);
            let u = slack + (slack * slack + w * w).sqrt();
            let sum = u * u + w * w;
            shares = shares + two * (u * u) / sum;
            let slope = two * u * w / sum;
            square = square + slope * slope * (sum * s.lit(0.5));
            log_det = log_det - special::called::ln(s, sum * s.lit(0.5));
        }
        let gamma = s.one() / (slack * slack * shares);
        let growth = s.one() + gamma * square;
        log_det = log_det + special::called::ln(s, growth);
        [slack.array(), gamma.array(), growth.sqrt().array(), log_det.array()]
    }
}

/// The coordinate w_j of the point that the metric is of.
#[inline(always)]
pub(super) fn axis<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    metric: &Metric<S::V>,
    w: S::V,
) -> Axis<S::V> {
    let slack = metric.slack;
    let u = slack + (slack * slack + w * w).sqrt();
    let sum = u * u + w * w;
    Axis { gradient: w / (u * slack), stiffness: s.lit(2.0) / sum, slope: s.lit(2.0) * u * w / sum }
}

/// Turns z into B z with B B' = H^-1, B = D^-1/2 (I - tau q q'), q = D^-1/2 v; or else into C z with
/// C C' = H, C = D^1/2 (I + tau q q'). Returns z.z.
#[inline(always)]
pub(super) fn spread<const INVERSE: bool, T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    metric: &Metric<S::V>,
    w: &[[T; N]],
    z: &mut [[T; N]],
) -> S::V {
    let (dot, squares) = along(s, metric, w, z);
    let next = metric.root + s.one();
    let tau = metric.gamma / if INVERSE { metric.root * next } else { next };
    for (w, z) in w.iter().zip(z) {
        let axis = axis(s, metric, s.load(w));
        let root = axis.stiffness.sqrt();
        let (own, part) = (s.load(z), tau * dot * (axis.slope / root));
        let turned = if INVERSE { (own - part) / root } else { (own + part) * root };
        *z = turned.array();
    }
    squares
}

/// q.z and z.z.
#[inline(always)]
fn along<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    metric: &Metric<S::V>,
    w: &[[T; N]],
    z: &[[T; N]],
) -> (S::V, S::V) {
    let (mut dot, mut squares) = (s.zero(), s.zero());
    for (w, z) in w.iter().zip(z) {
        let axis = axis(s, metric, s.load(w));
        let z = s.load(z);
        dot = dot + z * (axis.slope / axis.stiffness.sqrt());
        squares = squares + z * z;
    }
    (dot, squares)
}

/// Sums over coordinates from which x'H x follows.
#[derive(Clone, Copy)]
pub(super) struct Form<V> {
    diagonal: V,
    along: V,
}

impl<V: Copy + core::ops::Add<Output = V> + core::ops::Sub<Output = V>> Form<V>
where
    V: core::ops::Mul<Output = V> + core::ops::Div<Output = V>,
{
    pub(super) fn new(zero: V) -> Self {
        Self { diagonal: zero, along: zero }
    }

    /// Adds coordinate x_j of x'H x.
    #[inline(always)]
    pub(super) fn add(&mut self, axis: &Axis<V>, x: V) {
        self.diagonal = self.diagonal + axis.stiffness * x * x;
        self.along = self.along + axis.slope * x;
    }

    /// x'H x.
    #[inline(always)]
    pub(super) fn value(self, metric: &Metric<V>) -> V {
        self.diagonal + metric.gamma * self.along * self.along
    }
}

/// Coordinate x_j of D^-1/2 x, and that of q.
#[inline(always)]
pub(super) fn whitened<T: Real, const N: usize, V: Vector<T, N>>(axis: &Axis<V>, x: V) -> (V, V) {
    let root = axis.stiffness.sqrt();
    (x / root, axis.slope / root)
}

/// Turns y = grad phi(w) into w.
///
/// With G(sigma) the sum in the equation, 1/G is concave and increasing above the largest pole, so
/// Newton's method for 1/G = 1/R from below comes up monotonically; it starts from the larger of two
/// lower bounds, that of the largest pole alone and that of the mean of the poles, which is 0.
#[inline(always)]
pub(super) fn invert<T: Real, const N: usize, S: Simd<T, N>>(s: S, radius: S::V, y: &mut [[T; N]]) {
    let (mut top, one) = (s.zero(), s.one());
    for y in y.iter() {
        top = top.max(s.load(y).abs());
    }
    let poles = s.splat(T::of_usize(y.len().saturating_mul(2).saturating_add(1)));
    // sigma less its largest pole, so that their difference is known to the last place.
    let mut above = (one / radius).max(poles / radius - top);
    for _ in 0..ROUNDS {
        let sigma = top + above;
        let inverse = one / sigma;
        let (mut sum, mut squares) = (inverse, inverse * inverse);
        for y in y.iter() {
            let y = s.load(y).abs();
            let (near, far) = (one / (above + (top - y)), one / (sigma + y));
            sum = sum + (near + far);
            squares = squares + (near * near + far * far);
        }
        let next = above + sum * (sum / radius - one) / squares;
        let next = next.select(radius.lt(sum), above).max(above);
        let resting = same(&next.array(), &above.array());
        above = next;
        if resting {
            break;
        }
    }
    let sigma = top + above;
    for y in y {
        let x = s.load(y);
        let a = x.abs();
        *y = ((x + x) / ((above + (top - a)) * (sigma + a))).array();
    }
}

/// Sums of one ball with momenta p.
#[derive(Clone, Copy)]
struct Sums<V> {
    slack: V,
    /// K, 1/gamma and M.
    lead: V,
    inner: V,
    square: V,
    /// B.
    along: V,
    /// tau.
    turn: V,
}

#[inline(always)]
fn sums<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    radius: S::V,
    w: &[[T; N]],
    p: &[[T; N]],
) -> Sums<S::V> {
    let slack = slack(s, radius, w);
    let mut lead = s.splat(T::of_usize(w.len().saturating_add(1)));
    let (mut square, mut along) = (radius * slack, s.zero());
    for (w, p) in w.iter().zip(p) {
        let (w, p) = (s.load(w), s.load(p));
        let r = (slack * slack + w * w).sqrt();
        lead = lead + slack / r;
        square = square + w * w;
        along = along + w * (slack + r) * p;
    }
    let inner = slack * slack * lead;
    let turn = s.one() / (square + (square * inner).sqrt());
    Sums { slack, lead, inner, square, along, turn }
}

/// (ln det H + p'H^-1 p)/2.
#[inline(always)]
pub(super) fn energy<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    radius: S::V,
    w: &[[T; N]],
    p: &[[T; N]],
) -> S::V {
    let Sums { slack, inner, square, along, turn, .. } = sums(s, radius, w, p);
    let mut sum = special::called::ln(s, square) - special::called::ln(s, inner);
    for (w, p) in w.iter().zip(p) {
        let (w, p) = (s.load(w), s.load(p));
        let r = (slack * slack + w * w).sqrt();
        let (stretch, t) = (r * (slack + r), p - turn * along * (w / r));
        sum = sum + (stretch * t * t - special::called::ln(s, stretch));
    }
    s.splat(T::HALF) * sum
}

/// Writes H^-1 p.
#[inline(always)]
pub(super) fn velocity<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    radius: S::V,
    w: &[[T; N]],
    p: &[[T; N]],
    out: &mut [[T; N]],
) {
    pass(s, &sums(s, radius, w, p), w, p, out);
}

#[inline(always)]
fn pass<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    sums: &Sums<S::V>,
    w: &[[T; N]],
    p: &[[T; N]],
    out: &mut [[T; N]],
) {
    let Sums { slack, along, turn, .. } = *sums;
    let mut dot = s.zero();
    for ((w, p), out) in w.iter().zip(p).zip(out.iter_mut()) {
        let (w, p) = (s.load(w), s.load(p));
        let r = (slack * slack + w * w).sqrt();
        let t = p - turn * along * (w / r);
        dot = dot + w * (slack + r) * t;
        *out = t.array();
    }
    for (w, out) in w.iter().zip(out) {
        let (w, t) = (s.load(w), s.load(out));
        let r = (slack * slack + w * w).sqrt();
        *out = ((slack + r) * (r * t - turn * dot * w)).array();
    }
}

/// Writes the gradient by w of [`energy`].
#[inline(always)]
pub(super) fn force<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    radius: S::V,
    w: &[[T; N]],
    p: &[[T; N]],
    out: &mut [[T; N]],
) {
    let here = sums(s, radius, w, p);
    pass(s, &here, w, p, out);
    let Sums { slack, lead, square, along, .. } = here;
    let (share, half, one) = (along / square, s.splat(T::HALF), s.one());
    let two = one + one;
    // By s: of ln det H, and of u'Hu.
    let (mut logs, mut form) = (radius / square - two / slack, s.zero());
    let (mut bent, mut kept) = (s.zero(), s.zero());
    for (w, out) in w.iter().zip(out.iter_mut()) {
        let (w, v) = (s.load(w), s.load(out));
        let r = (slack * slack + w * w).sqrt();
        let (u, unit) = (slack + r, one / r);
        let (cube, part) = (unit * unit * unit, slack * unit);
        logs = logs - unit * (part + one);
        bent = bent + w * w * cube;
        kept = kept + part * (two + w * w * unit * unit);
        form = form + v * cube * (v + two * share * slack * w);
        let stiff = unit * unit * (one / (u * u)) * (u * unit + one);
        let own = w * (v * v * stiff - share * share * slack * slack * slack * cube)
            - two * share * slack * slack * cube * v;
        let log = w * (two / square - unit * (unit + one / u) + part * unit * unit / lead);
        *out = (half * (own + log)).array();
    }
    let count = s.splat(T::of_usize(w.len().saturating_add(1)));
    form = form + share * share * slack * (two * count + kept);
    let by_slack = half * (logs - bent / lead + form) / lead;
    for (w, out) in w.iter().zip(out) {
        let w = s.load(w);
        let r = (slack * slack + w * w).sqrt();
        *out = (s.load(out) - by_slack * (w / r)).array();
    }
}
