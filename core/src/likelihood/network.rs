//! The network with biases and a free affine head, and the kernel it shares with the joint
//! posterior of \[B\].

use super::rows::{self, GROUP, Group, Tile};
use crate::activation::Activation;
use crate::data::{Dataset, Inputs};
use crate::dispatch::dispatched;
use crate::pieces::{pieces, pieces_mut};
use crate::scalar::Real;
use crate::simd::{Isa, Lanes, Simd, Vector};
use crate::sum::Sum;

/// The sizes of a network f(x) = b0 + c.x + sum_m v_m psi(b_m + x.w_m), and where its parameters
/// lie in one flat list: w_0, ..., w_{M-1} (d each), then b (M), v (M), b0 (1), c (d).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetworkShape {
    /// Inputs d.
    pub inputs: usize,
    /// Neurons M.
    pub neurons: usize,
}

/// The parameters by name; E is a number or a block of chains.
#[derive(Clone, Copy, Debug)]
pub struct Parts<'a, E> {
    /// w: M times d, neuron by neuron.
    pub weights: &'a [E],
    /// b: M.
    pub biases: &'a [E],
    /// v: M.
    pub outer: &'a [E],
    /// b0.
    pub intercept: &'a E,
    /// c: d.
    pub linear: &'a [E],
}

/// As [`Parts`], to write to.
#[derive(Debug)]
pub struct PartsMut<'a, E> {
    /// w: M times d, neuron by neuron.
    pub weights: &'a mut [E],
    /// b: M.
    pub biases: &'a mut [E],
    /// v: M.
    pub outer: &'a mut [E],
    /// b0.
    pub intercept: &'a mut E,
    /// c: d.
    pub linear: &'a mut [E],
}

impl NetworkShape {
    /// M (d + 2) + d + 1 parameters, or `usize::MAX` if they reach past it.
    #[inline(always)]
    pub fn dim(&self) -> usize {
        self.inputs
            .saturating_add(2)
            .saturating_mul(self.neurons)
            .saturating_add(self.inputs)
            .saturating_add(1)
    }

    /// Where the biases b start.
    #[inline(always)]
    pub fn biases_at(&self) -> usize {
        self.inputs.saturating_mul(self.neurons)
    }

    /// Where the outer weights v start.
    #[inline(always)]
    pub fn outer_at(&self) -> usize {
        self.biases_at().saturating_add(self.neurons)
    }

    /// Where the intercept b0 lies: the head (v, b0, c) is everything from
    /// [`outer_at`](Self::outer_at).
    #[inline(always)]
    pub fn intercept_at(&self) -> usize {
        self.outer_at().saturating_add(self.neurons)
    }

    /// Where the linear part c starts.
    #[inline(always)]
    pub fn linear_at(&self) -> usize {
        self.intercept_at().saturating_add(1)
    }

    /// Where neuron m has value j: its weight of input j; behind these its bias, and its outer weight.
    #[inline(always)]
    pub(crate) fn of_neuron(&self, m: usize, j: usize) -> usize {
        match j.checked_sub(self.inputs) {
            None => m.wrapping_mul(self.inputs).wrapping_add(j),
            Some(list) => {
                self.biases_at().wrapping_add(list.wrapping_mul(self.neurons)).wrapping_add(m)
            }
        }
    }

    /// Names the parts of a list of at least [`dim`](Self::dim) entries; `None` if it is shorter.
    #[inline(always)]
    pub fn split<'a, E>(&self, flat: &'a [E]) -> Option<Parts<'a, E>> {
        let flat = flat.get(..self.dim())?;
        let (weights, rest) = flat.split_at_checked(self.biases_at())?;
        let (biases, rest) = rest.split_at_checked(self.neurons)?;
        let (outer, rest) = rest.split_at_checked(self.neurons)?;
        let (intercept, linear) = rest.split_first()?;
        Some(Parts { weights, biases, outer, intercept, linear })
    }

    /// As [`split`](Self::split), to write to.
    #[inline(always)]
    pub fn split_mut<'a, E>(&self, flat: &'a mut [E]) -> Option<PartsMut<'a, E>> {
        let flat = flat.get_mut(..self.dim())?;
        let (weights, rest) = flat.split_at_mut_checked(self.biases_at())?;
        let (biases, rest) = rest.split_at_mut_checked(self.neurons)?;
        let (outer, rest) = rest.split_at_mut_checked(self.neurons)?;
        let (intercept, linear) = rest.split_first_mut()?;
        Some(PartsMut { weights, biases, outer, intercept, linear })
    }

    /// Scratch of one evaluation or prediction, in blocks `[T; N]`: 4 d + 8 M.
    #[inline(always)]
    pub fn scratch(&self) -> usize {
        scratch(self.inputs, self.neurons)
    }

    /// f(x_i) for each row, written to `out` (n blocks). 2 n (M (d + 1) + d) flops a chain and n M
    /// activations. `false`, with nothing written, if the rows have other than d columns or a buffer
    /// is too short (`theta`: [`dim`](Self::dim), `scratch`: [`scratch`](Self::scratch)).
    pub fn predict<T: Lanes<N>, const N: usize>(
        &self,
        isa: Isa,
        activation: Activation,
        theta: &[[T; N]],
        inputs: &Inputs<'_, T>,
        out: &mut [[T; N]],
        scratch: &mut [[T; N]],
    ) -> bool {
        let (Some(parts), Some(out), Some(scratch)) =
            (self.split(theta), out.get_mut(..inputs.n()), scratch.get_mut(..self.scratch()))
        else {
            return false;
        };
        if inputs.d() != self.inputs {
            return false;
        }
        predict(isa, *inputs, activation, parts, out, scratch)
    }
}

/// Scratch of the kernel: a tile of four rows, psi and psi' of every neuron there.
pub(super) fn scratch(d: usize, neurons: usize) -> usize {
    d.saturating_mul(GROUP).saturating_add(neurons.saturating_mul(2 * GROUP))
}

/// The precision of the observations: observation i of a chain has variance 1 / (beta lambda_i).
#[derive(Clone, Copy, Debug)]
pub struct Precision<'a, T, const N: usize> {
    /// beta, one for each chain.
    pub beta: [T; N],
    /// lambda_i, n blocks; 1 if absent.
    pub weights: Option<&'a [[T; N]]>,
}

/// What one evaluation gives beside the gradient.
#[derive(Clone, Copy, Debug)]
pub struct NetworkFit<T, const N: usize> {
    /// -(beta / 2) sum_i lambda_i r_i^2, without the normalising constant.
    pub log_likelihood: [T; N],
    /// sum_i lambda_i r_i^2, r_i = y_i - f(x_i).
    pub weighted_squares: [T; N],
}

/// The Gaussian log likelihood of the network f(x) = b0 + c.x + sum_m v_m psi(b_m + x.w_m).
///
/// One evaluation costs n M (4 d + 11) + 4 n d flops a chain and n M activations; the order of the
/// sums is that of `likelihood::rows`, and f adds its terms as b0, then c.x from column 0 upward,
/// then the neurons in order.
#[derive(Clone, Copy, Debug)]
pub struct Network<'a, T> {
    /// The rows with their targets.
    pub data: Dataset<'a, T>,
    /// psi.
    pub activation: Activation,
    /// Neurons M.
    pub neurons: usize,
}

impl<T: Real> Network<'_, T> {
    /// The sizes and the layout of the parameters.
    #[inline(always)]
    pub fn shape(&self) -> NetworkShape {
        NetworkShape { inputs: self.data.d(), neurons: self.neurons }
    }

    /// The log likelihood at `theta`, its gradient (written over `gradient`, in the layout of
    /// `theta`) and, if wanted, the residuals r_i (n blocks). `theta` and `gradient` hold
    /// [`NetworkShape::dim`] blocks, `scratch` [`NetworkShape::scratch`], the weights n; with fewer,
    /// NaN is returned and nothing is written.
    pub fn evaluate<const N: usize>(
        &self,
        isa: Isa,
        theta: &[[T; N]],
        precision: &Precision<'_, T, N>,
        gradient: &mut [[T; N]],
        residuals: Option<&mut [[T; N]]>,
        scratch: &mut [[T; N]],
    ) -> NetworkFit<T, N>
    where
        T: Lanes<N>,
    {
        let shape = self.shape();
        let n = self.data.n();
        let none = NetworkFit { log_likelihood: [T::NAN; N], weighted_squares: [T::NAN; N] };
        let lambda = precision.weights.unwrap_or(&[]);
        if precision.weights.is_some() && lambda.len() < n {
            return none;
        }
        let residuals = match residuals {
            Some(r) if r.len() < n => return none,
            Some(r) => r,
            None => &mut [],
        };
        let (Some(parts), Some(scratch)) = (shape.split(theta), scratch.get_mut(..shape.scratch()))
        else {
            return none;
        };
        let Some(mut out) = shape.split_mut(gradient) else { return none };
        let gradient = core::mem::take(&mut out.weights);
        let task = Task {
            data: self.data,
            activation: self.activation,
            weights: parts.weights,
            gradient,
            beta: precision.beta,
            lambda,
            residuals,
            scratch,
        };
        let weighted_squares = task.run(isa, FreeHead { parts, out });
        let mut log_likelihood = weighted_squares;
        for (l, beta) in log_likelihood.iter_mut().zip(precision.beta) {
            *l = -T::HALF * beta * *l;
        }
        NetworkFit { log_likelihood, weighted_squares }
    }
}

/// What stands around the neurons: biases, outer weights, an affine part; and where their gradient
/// goes.
pub(super) trait Head<T: Real, const N: usize> {
    /// Forgets the gradient.
    fn clear(&mut self);
    /// The part of f without neurons, for four rows.
    fn start<S: Simd<T, N>>(&self, s: S, rows: impl Group<T>) -> [S::V; GROUP];
    /// b_m and v_m.
    fn neuron<S: Simd<T, N>>(&self, s: S, m: usize) -> (S::V, S::V);
    /// Adds to the gradient by b_m and v_m.
    fn add_neuron<S: Simd<T, N>>(&mut self, s: S, m: usize, bias: S::V, outer: S::V);
    /// Adds to the gradient of the part without neurons.
    fn add_start<S: Simd<T, N>>(&mut self, s: S, rows: impl Group<T>, a: [S::V; GROUP]);
}

/// All free: the parameters, and their gradient.
struct FreeHead<'a, T, const N: usize> {
    parts: Parts<'a, [T; N]>,
    out: PartsMut<'a, [T; N]>,
}

/// The m-th block; zero past the end.
#[inline(always)]
fn at<T: Real, const N: usize, S: Simd<T, N>>(s: S, blocks: &[[T; N]], m: usize) -> S::V {
    blocks.get(m).map_or(s.zero(), |b| s.load(b))
}

#[inline(always)]
fn add_at<T: Real, const N: usize, S: Simd<T, N>>(s: S, out: &mut [[T; N]], m: usize, x: S::V) {
    if let Some(o) = out.get_mut(m) {
        *o = (s.load(o) + x).array();
    }
}

impl<T: Real, const N: usize> Head<T, N> for FreeHead<'_, T, N> {
    #[inline(always)]
    fn clear(&mut self) {
        rows::clear(self.out.biases);
        rows::clear(self.out.outer);
        rows::clear(self.out.linear);
        *self.out.intercept = [T::ZERO; N];
    }
    #[inline(always)]
    fn start<S: Simd<T, N>>(&self, s: S, rows: impl Group<T>) -> [S::V; GROUP] {
        rows::dots(s, self.parts.linear, rows, [s.load(self.parts.intercept); GROUP])
    }
    #[inline(always)]
    fn neuron<S: Simd<T, N>>(&self, s: S, m: usize) -> (S::V, S::V) {
        (at(s, self.parts.biases, m), at(s, self.parts.outer, m))
    }
    #[inline(always)]
    fn add_neuron<S: Simd<T, N>>(&mut self, s: S, m: usize, bias: S::V, outer: S::V) {
        add_at(s, self.out.biases, m, bias);
        add_at(s, self.out.outer, m, outer);
    }
    #[inline(always)]
    fn add_start<S: Simd<T, N>>(&mut self, s: S, rows: impl Group<T>, a: [S::V; GROUP]) {
        rows::accumulate(s, self.out.linear, rows, a);
        *self.out.intercept = (s.load(self.out.intercept) + rows::tree(a)).array();
    }
}

/// What a pass over the data needs besides the head. Lengths are the caller's to check: weights and
/// gradient M d, lambda n or 0, residuals n or 0, scratch as [`scratch`].
pub(super) struct Task<'a, T, const N: usize> {
    pub(super) data: Dataset<'a, T>,
    pub(super) activation: Activation,
    pub(super) weights: &'a [[T; N]],
    pub(super) gradient: &'a mut [[T; N]],
    pub(super) beta: [T; N],
    pub(super) lambda: &'a [[T; N]],
    pub(super) residuals: &'a mut [[T; N]],
    pub(super) scratch: &'a mut [[T; N]],
}

impl<T: Lanes<N>, const N: usize> Task<'_, T, N> {
    /// sum_i lambda_i r_i^2; writes the gradient of -(beta / 2) times it, and the residuals.
    pub(super) fn run(self, isa: Isa, head: impl Head<T, N>) -> [T; N] {
        pass(isa, self, head)
    }
}

dispatched!(
    hot:
    fn pass<H: Head<T, N>>(s: S, task: Task<'_, T, N>, head: H) -> [T; N] {
        let mut head = head;
        let Task { data, activation, weights, gradient, beta, lambda, residuals, scratch } = task;
        let d = data.d();
        let Some((tile, hidden)) = cut(scratch, d) else { return [T::NAN; N] };
        let Some((values, slopes)) = hidden.split_at_mut_checked(hidden.len() / 2) else {
            return [T::NAN; N];
        };
        rows::clear(gradient);
        head.clear();
        let beta = s.load(&beta);
        let mut sum = Sum::new(s.zero());
        let mut first = 0_usize;
        for y in data.y().chunks(GROUP) {
            data.inputs.interleave(first, tile);
            let rows = Tile(tile);
            project(s, weights, rows, &head, values);
            activation.apply(s, values.as_flattened_mut(), slopes.as_flattened_mut());
            let f = output(s, rows, &head, values);

            // r, then lambda r, then beta lambda r; rows that only fill up weigh nothing.
            let mut a = f;
            let mut squares = f;
            let mut i = first;
            for ((a, square), y) in a.iter_mut().zip(&mut squares).zip(y) {
                let r = s.splat(*y) - *a;
                if let Some(out) = residuals.get_mut(i) {
                    *out = r.array();
                }
                let weighted = lambda.get(i).map_or(r, |l| s.load(l) * r);
                *square = weighted * r;
                *a = beta * weighted;
                i = i.wrapping_add(1);
            }
            for (a, square) in a.iter_mut().zip(&mut squares).skip(y.len()) {
                *a = s.zero();
                *square = s.zero();
            }
            sum.add(rows::tree(squares));

            let neurons = pieces_mut(gradient, d);
            for (m, ((g, value), slope)) in neurons.zip(&*values).zip(&*slopes).enumerate() {
                let (_, outer) = head.neuron(s, m);
                let ([a0, a1, a2, a3], [v0, v1, v2, v3], [s0, s1, s2, s3]) = (a, value, slope);
                let by_outer = [a0 * s.load(v0), a1 * s.load(v1), a2 * s.load(v2), a3 * s.load(v3)];
                let by_sum = [
                    a0 * outer * s.load(s0),
                    a1 * outer * s.load(s1),
                    a2 * outer * s.load(s2),
                    a3 * outer * s.load(s3),
                ];
                head.add_neuron(s, m, rows::tree(by_sum), rows::tree(by_outer));
                rows::accumulate(s, g, rows, by_sum);
            }
            head.add_start(s, rows, a);
            first = first.wrapping_add(GROUP);
        }
        sum.value().array()
    }
);

/// One quantity of one neuron at the rows of a group.
type AtGroup<T, const N: usize> = [[T; N]; GROUP];

/// A tile of four rows, and the rest of the scratch in blocks of four rows.
#[inline(always)]
fn cut<T: Real, const N: usize>(
    scratch: &mut [[T; N]],
    d: usize,
) -> Option<(&mut [[T; GROUP]], &mut [AtGroup<T, N>])> {
    let (tile, hidden) = scratch.split_at_mut_checked(d.checked_mul(GROUP)?)?;
    let (tile, _) = tile.as_flattened_mut().as_chunks_mut::<GROUP>();
    Some((tile.get_mut(..d)?, hidden.as_chunks_mut::<GROUP>().0))
}

/// b_m + x.w_m of every neuron at four rows.
#[inline(always)]
fn project<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    weights: &[[T; N]],
    rows: Tile<'_, T>,
    head: &impl Head<T, N>,
    out: &mut [AtGroup<T, N>],
) {
    let neurons = pieces(weights, rows.0.len());
    for (m, (w, out)) in neurons.zip(out).enumerate() {
        let (bias, _) = head.neuron(s, m);
        rows::store(out, rows::dots(s, w, rows, [bias; GROUP]));
    }
}

/// f at four rows, given psi of every neuron there.
#[inline(always)]
fn output<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    rows: Tile<'_, T>,
    head: &impl Head<T, N>,
    values: &[AtGroup<T, N>],
) -> [S::V; GROUP] {
    let [mut a, mut b, mut c, mut d] = head.start(s, rows);
    for (m, value) in values.iter().enumerate() {
        let (_, outer) = head.neuron(s, m);
        let [v0, v1, v2, v3] = value;
        a = a + outer * s.load(v0);
        b = b + outer * s.load(v1);
        c = c + outer * s.load(v2);
        d = d + outer * s.load(v3);
    }
    [a, b, c, d]
}

dispatched!(
    fn predict(
        s: S,
        inputs: Inputs<'_, T>,
        activation: Activation,
        parts: Parts<'_, [T; N]>,
        out: &mut [[T; N]],
        scratch: &mut [[T; N]],
    ) -> bool {
        let Some((tile, hidden)) = cut(scratch, inputs.d()) else { return false };
        let Some(values) = hidden.get_mut(..parts.outer.len()) else { return false };
        let (weights, biases, outer, linear) = (&mut [], &mut [], &mut [], &mut []);
        let intercept = &mut [T::ZERO; N];
        let head = FreeHead { parts, out: PartsMut { weights, biases, outer, intercept, linear } };
        let mut first = 0_usize;
        for out in out.chunks_mut(GROUP) {
            inputs.interleave(first, tile);
            let rows = Tile(tile);
            project(s, parts.weights, rows, &head, values);
            activation.apply_value(s, values.as_flattened_mut());
            for (out, f) in out.iter_mut().zip(output(s, rows, &head, values)) {
                *out = f.array();
            }
            first = first.wrapping_add(GROUP);
        }
        true
    }
);
