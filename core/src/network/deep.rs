//! \[B\]'s joint posterior with more than one hidden layer: every inner row on the l1 ball, outer weights
//! fixed.
//!
//! f(x) = (V/M) sum_m s_m psi(w_m . psi(... psi(W_1 x))), no biases, and exp(-(beta/2) sum_i (y_i - f_i)^2)
//! against a prior under which every row of every W_l is uniform on the l1 ball of a radius R (\[B\] states
//! it for one layer, L = 1; M = h_L). With R <= 1 the path weights of a last unit sum to at most 1, so V
//! bounds the network's variation, and where |psi(z)| <= |z| and |x_j| <= 1 all activations lie in [-1, 1].
//!
//! The weights w are those of W_1, row by row, then of W_2, and so on. With L = 1 everything here gives the
//! bits of [`Joint`] under [`Lifted`](crate::lifted::Lifted).

use super::architecture::{Architecture, DEEPEST, Layer};
use super::output::{Family, GROUP, Output};
use super::pass::{Backward, Forward, Pass, Scratch, load};
use crate::activation::Activation;
use crate::data::{Dataset, Inputs};
use crate::density::{Density, Extent};
use crate::dispatch::dispatched;
use crate::error::refuse;
use crate::lifted::pull_back;
use crate::likelihood::{Joint, Likelihood, Signs, rows};
use crate::pieces::{cut, pieces};
use crate::prior::Prior;
use crate::prior::map_on;
use crate::problem::ProblemError;
use crate::scalar::Real;
use crate::simd::{Isa, Lanes, Portable, Vector, blocks};
use crate::sum::Sum;
use core::mem::{swap, take};

/// -(beta/2) sum_i (y_i - f_i)^2 over the inner weights of all layers.
///
/// One evaluation costs n (4 P + 11 units) flops a chain and an activation for each unit and row.
#[derive(Clone, Copy, Debug)]
pub struct Deep<'a, T> {
    /// The rows with their targets.
    pub data: Dataset<'a, T>,
    /// psi.
    pub activation: Activation,
    /// h_1, ..., h_L; the first 0 ends them.
    pub widths: [u32; DEEPEST],
    /// V, the sum of the |outer weights|.
    pub outer: T,
    /// beta.
    pub beta: T,
    /// s_m.
    pub signs: Signs,
}

impl<'a, T: Real> Deep<'a, T> {
    /// The same if there is a layer and its numbers are in their ranges: as
    /// [`Problem::joint`](crate::problem::Problem::joint) refuses.
    pub fn checked(self) -> Result<Self, ProblemError> {
        let positive = |x: T| x > T::ZERO && x.is_finite();
        let fits = self.architecture().dim().checked_mul(64).is_some();
        refuse(self.architecture().depth() == 0 || !fits, ProblemError::Neurons)?;
        refuse(!positive(self.outer), ProblemError::Outer)?;
        refuse(!positive(self.beta), ProblemError::Beta)?;
        Ok(self)
    }

    /// The network, whose biases, intercept and direct part are 0 and whose outer weights are fixed.
    #[inline(always)]
    pub fn architecture(&self) -> Architecture {
        let (inputs, widths) = (self.data.d(), self.widths);
        Architecture { inputs, widths, outputs: 1, linear: false }
    }

    /// Its layers, and where the weights of each begin in w.
    #[inline(always)]
    pub fn layers(&self) -> impl Iterator<Item = (usize, Layer)> + Clone + use<T> {
        let mut at = 0_usize;
        self.architecture().layers().map(move |layer| {
            let start = at;
            at = at.saturating_add(layer.units.saturating_mul(layer.inputs));
            (start, layer)
        })
    }

    /// s_m V/M for every unit of the last layer.
    fn outer_weights(&self) -> impl Iterator<Item = T> + use<T> {
        let (units, signs) = (self.architecture().last(), self.signs);
        let each = self.outer / T::of_usize(units);
        (0..units).map(move |m| if signs.negative(m) { -each } else { each })
    }

    /// The parameters in the order of [`Architecture`] from w, written over `out`
    /// ([`Architecture::dim`] blocks): what predicts, and what has path weights.
    pub fn parameters<const N: usize>(&self, w: &[[T; N]], out: &mut [[T; N]]) {
        rows::clear(out);
        for (start, layer) in self.layers() {
            let own = out.get_mut(layer.weights_at..layer.biases_at).unwrap_or(&mut []);
            own.iter_mut().zip(w.get(start..).unwrap_or(&[])).for_each(|(o, w)| *o = *w);
        }
        let outer = out.get_mut(self.architecture().outer_at()..).unwrap_or(&mut []);
        outer.iter_mut().zip(self.outer_weights()).for_each(|(o, c)| *o = [c; N]);
    }

    /// The numbers of a draw of the network, see [`draw`](Self::draw).
    pub fn draw_len(&self) -> usize {
        self.architecture().dim().saturating_add(2)
    }

    /// The network of one chain from w, written over [`draw_len`](Self::draw_len) numbers: its parameters in the
    /// order of [`Architecture`], then the sd beta^(-1/2) and the degrees of freedom of Gaussian noise. `None`
    /// where `out` is short.
    pub fn draw(&self, w: &[[T; 1]], out: &mut [T]) -> Option<()> {
        let (parameters, tail) = out.split_at_mut_checked(self.architecture().dim())?;
        self.parameters(w, parameters.as_chunks_mut::<1>().0);
        let [sd, nu] = tail.first_chunk_mut()?;
        (*sd, *nu) = (T::ONE / self.beta.sqrt(), T::INFINITY);
        Some(())
    }

    /// psi(w_k . a) for every unit k of a layer, over `out`: a are its `inputs` numbers at one row.
    pub(crate) fn activations(
        &self,
        inputs: usize,
        weights: &[T],
        a: impl Fn(usize) -> T,
        out: &mut [[T; 1]],
    ) where
        T: Lanes<1>,
    {
        for ([z], w) in out.iter_mut().zip(pieces(weights, inputs)) {
            *z = w.iter().enumerate().fold(T::ZERO, |sum, (j, w)| sum + *w * a(j));
        }
        self.activation.apply_value(Portable, out);
    }

    /// The network over its rows; the family is not asked.
    fn pass(&self) -> Pass<'a, T> {
        let family = Family::of(Output::Gaussian);
        let (data, architecture, activation) = (self.data, self.architecture(), self.activation);
        Pass { data, rows: None, architecture, activation, family, exposure: false }
    }

    /// The log likelihood at parameters that lie in front of the scratch; their gradient is left behind
    /// them.
    fn evaluate<const N: usize>(&self, isa: Isa, scratch: &mut [[T; N]]) -> [T; N]
    where
        T: Lanes<N>,
    {
        let (pass, dim) = (self.pass(), self.architecture().dim());
        let Some((parameters, rest)) = scratch.split_at_mut_checked(dim) else {
            return [T::NAN; N];
        };
        let Some((gradient, rest)) = rest.split_at_mut_checked(dim) else { return [T::NAN; N] };
        let Some(scratch) = pass.cut(rest) else { return [T::NAN; N] };
        let mut value = squares(isa, &pass, self.beta, parameters, gradient, scratch);
        for v in &mut value {
            *v = -T::HALF * self.beta * *v;
        }
        value
    }
}

/// One layer. With more units than a `u32` counts it has none, which every use refuses.
impl<'a, T: Real> From<Joint<'a, T>> for Deep<'a, T> {
    fn from(joint: Joint<'a, T>) -> Self {
        let Joint { data, activation, neurons, outer, beta, signs } = joint;
        let widths = [u32::try_from(neurons).unwrap_or(0), 0, 0, 0];
        Self { data, activation, widths, outer, beta, signs }
    }
}

impl<T: Real> Extent for Deep<'_, T> {
    fn dim(&self) -> usize {
        let size = |layer: Layer| layer.units.saturating_mul(layer.inputs);
        self.layers().fold(0, |sum, (_, layer)| sum.saturating_add(size(layer)))
    }

    /// The parameters, their gradient, and the [pass](Pass::scratch).
    fn scratch(&self) -> usize {
        self.architecture().dim().saturating_mul(2).saturating_add(self.pass().scratch())
    }

    fn rows(&self) -> usize {
        self.data.n()
    }
}

impl<T: Lanes<N>, const N: usize> Likelihood<T, N> for Deep<'_, T> {
    fn value_and_gradient(
        &self,
        isa: Isa,
        w: &[[T; N]],
        gradient: &mut [[T; N]],
        scratch: &mut [[T; N]],
    ) -> [T; N] {
        let (dim, all) = (self.dim(), self.architecture().dim());
        let (Some(w), Some(gradient), Some(scratch)) =
            (w.get(..dim), gradient.get_mut(..dim), scratch.get_mut(..Extent::scratch(self)))
        else {
            return [T::NAN; N];
        };
        self.parameters(w, scratch.get_mut(..all).unwrap_or(&mut []));
        let value = self.evaluate(isa, scratch);
        let found = scratch.get(all..).unwrap_or(&[]);
        for (start, layer) in self.layers() {
            let own = found.get(layer.weights_at..layer.biases_at).unwrap_or(&[]);
            let out = gradient.get_mut(start..).unwrap_or(&mut []);
            out.iter_mut().zip(own).for_each(|(o, g)| *o = *g);
        }
        value
    }
}

dispatched! {
    hot:
    /// sum_i (y_i - f_i)^2, and the gradient of -(beta/2) times it.
    fn squares(
        s: S, pass: &Pass<'_, T>, beta: T, parameters: &[[T; N]], gradient: &mut [[T; N]],
        scratch: Scratch<'_, T, N>,
    ) -> [T; N] {
        let Scratch { tile, values, slopes, outputs, .. } = scratch;
        rows::clear(gradient);
        let beta = s.splat(beta);
        let mut sum = Sum::new(s.zero());
        let (n, net) = (pass.count(), &pass.stack());
        for first in (0..n).step_by(GROUP) {
            let targets = pass.load(first, tile);
            let y = targets.get(..n.wrapping_sub(first).min(GROUP)).unwrap_or(&[]);
            let (values, slopes, outputs) = (&mut *values, &mut *slopes, &mut *outputs);
            s.outline(Forward { net, parameters, tile, values, slopes, outputs });
            if let Some(f) = outputs.first_mut() {
                // Rows that only fill up weigh nothing.
                let (mut a, mut squares) = (load(s, f), [s.zero(); GROUP]);
                for ((a, square), y) in a.iter_mut().zip(&mut squares).zip(y) {
                    let r = s.splat(*y) - *a;
                    *square = r * r;
                    *a = beta * r;
                }
                a.iter_mut().skip(y.len()).for_each(|a| *a = s.zero());
                sum.add(rows::tree(squares));
                rows::store(f, a);
            }
            s.outline(Backward { net, parameters, tile, values, slopes, outputs, gradient });
        }
        sum.value().array()
    }
}

/// The same over the first layer's weights, those above it being given: a block of a Gibbs sampler.
#[derive(Clone, Copy, Debug)]
pub struct FirstLayer<'a, T> {
    deep: Deep<'a, T>,
    above: &'a [T],
}

impl<'a, T: Real> FirstLayer<'a, T> {
    /// `above`: the weights of W_2, W_3, ..., flat, lane-major in the lane count of the call.
    pub fn new(deep: Deep<'a, T>, above: &'a [T]) -> Self {
        Self { deep, above }
    }
}

impl<T: Real> Extent for FirstLayer<'_, T> {
    fn dim(&self) -> usize {
        let first = self.deep.architecture().layer(0);
        first.map_or(0, |layer| layer.units.saturating_mul(layer.inputs))
    }

    /// All weights, and the network's.
    fn scratch(&self) -> usize {
        self.deep.dim().saturating_add(Extent::scratch(&self.deep))
    }

    fn rows(&self) -> usize {
        self.deep.rows()
    }
}

impl<T: Lanes<N>, const N: usize> Likelihood<T, N> for FirstLayer<'_, T> {
    fn value_and_gradient(
        &self,
        isa: Isa,
        w: &[[T; N]],
        gradient: &mut [[T; N]],
        scratch: &mut [[T; N]],
    ) -> [T; N] {
        let (deep, dim, all) = (&self.deep, self.dim(), self.deep.architecture().dim());
        let (Some(w), Some(gradient), Some((whole, scratch)), Some(above)) = (
            w.get(..dim),
            gradient.get_mut(..dim),
            scratch.split_at_mut_checked(deep.dim()),
            blocks::<T, N>(self.above),
        ) else {
            return [T::NAN; N];
        };
        whole.iter_mut().zip(w.iter().chain(above)).for_each(|(x, w)| *x = *w);
        let Some(scratch) = scratch.get_mut(..Extent::scratch(deep)) else { return [T::NAN; N] };
        deep.parameters(whole, scratch.get_mut(..all).unwrap_or(&mut []));
        let value = deep.evaluate(isa, scratch);
        // Of the first layer: the weights lie in front.
        let found = scratch.get(all..).unwrap_or(&[]);
        gradient.iter_mut().zip(found).for_each(|(o, g)| *o = *g);
        value
    }
}

/// The posterior in latent coordinates: the prior's map row by row, rows of different lengths in
/// different layers.
#[derive(Clone, Copy, Debug)]
pub struct DeepPosterior<'a, T> {
    likelihood: Deep<'a, T>,
    prior: Prior<T>,
}

impl<'a, T: Real> DeepPosterior<'a, T> {
    /// Every row of every layer under `prior`: \[B\]'s is the l1 ball of radius 1.
    pub fn new(likelihood: Deep<'a, T>, prior: Prior<T>) -> Result<Self, ProblemError> {
        Ok(Self { likelihood: likelihood.checked()?, prior: prior.checked()? })
    }

    /// The log likelihood of w.
    pub fn likelihood(&self) -> &Deep<'a, T> {
        &self.likelihood
    }

    /// The prior of each row.
    pub fn prior(&self) -> Prior<T> {
        self.prior
    }

    /// Scratch of [`to_weights`](Self::to_weights), in blocks.
    pub fn map_scratch(&self) -> usize {
        self.count(|layer| self.prior.scratch(layer.inputs))
    }

    fn count(&self, of_row: impl Fn(&Layer) -> usize) -> usize {
        self.likelihood.layers().fold(0, |sum, (_, layer)| {
            sum.saturating_add(of_row(&layer).saturating_mul(layer.units))
        })
    }

    /// w from g: [`dim`](Extent::dim) blocks to those of the [likelihood](Self::likelihood). With
    /// fewer, nothing is written and `false` returned.
    pub fn to_weights<const N: usize>(
        &self,
        isa: Isa,
        g: &[[T; N]],
        w: &mut [[T; N]],
        scratch: &mut [[T; N]],
    ) -> bool
    where
        T: Lanes<N>,
    {
        let (Some(mut g), Some(mut w), Some(mut scratch)) = (
            g.get(..self.dim()),
            w.get_mut(..self.likelihood.dim()),
            scratch.get_mut(..self.map_scratch()),
        ) else {
            return false;
        };
        for (_, layer) in self.likelihood.layers() {
            let d = layer.inputs;
            let own = self.part(&layer);
            let (Some((own_g, g_rest)), Some((own_w, w_rest)), Some((own_scratch, scratch_rest))) = (
                g.split_at_checked(own.latent),
                take(&mut w).split_at_mut_checked(own.weights),
                take(&mut scratch).split_at_mut_checked(own.scratch),
            ) else {
                return false;
            };
            map_on(isa, self.prior, d, own_g, own_w, own_scratch);
            (g, w, scratch) = (g_rest, w_rest, scratch_rest);
        }
        true
    }

    /// Units of its widest layer.
    fn widest(&self) -> usize {
        self.likelihood.layers().fold(0, |most, (_, layer)| most.max(layer.units))
    }

    /// Scratch of [`function`](Self::function), in blocks.
    pub fn function_scratch(&self) -> usize {
        let units = self.widest().saturating_mul(2);
        let weights = self.likelihood.dim().saturating_add(self.map_scratch());
        self.dim().saturating_add(weights).saturating_add(units)
    }

    /// The weights of one chain at the coordinates g, and what is left of the work.
    fn at<'w>(
        &self,
        g: impl Fn(usize) -> T,
        work: &'w mut [[T; 1]],
    ) -> Option<(&'w [[T; 1]], &'w mut [[T; 1]])>
    where
        T: Lanes<1>,
    {
        let sizes = [self.dim(), self.likelihood.dim(), self.map_scratch()];
        let ([own, w, maps], rest) = cut(work, sizes)?;
        own.iter_mut().enumerate().for_each(|(k, own)| *own = [g(k)]);
        self.to_weights(Isa::Portable, own, w, maps).then_some((&*w, rest))
    }

    /// f at a row of `inputs` given the coordinates g. `work`: [`function_scratch`](Self::function_scratch)
    /// blocks; NaN with fewer.
    pub fn function(
        &self,
        inputs: &Inputs<'_, T>,
        row: usize,
        g: impl Fn(usize) -> T,
        work: &mut [[T; 1]],
    ) -> T
    where
        T: Lanes<1>,
    {
        let Some((w, rest)) = self.at(g, work) else { return T::NAN };
        let widest = self.widest();
        let Some(([mut above, mut below], _)) = cut(rest, [widest, widest]) else { return T::NAN };
        let deep = &self.likelihood;
        for (l, (start, layer)) in deep.layers().enumerate() {
            let (own, w) = (above.get_mut(..layer.units), w.get(start..));
            let (own, w) = (own.unwrap_or(&mut []), w.unwrap_or(&[]));
            let at = |j: usize| match l {
                0 => inputs.at(row, j),
                _ => below.get(j).map_or(T::ZERO, |[a]| *a),
            };
            deep.activations(layer.inputs, w.as_flattened(), at, own);
            swap(&mut above, &mut below);
        }
        let terms = deep.outer_weights().zip(&*below);
        terms.fold(T::ZERO, |sum, (c, [a])| sum + c * *a)
    }

    /// Blocks of work of [`draw`](Self::draw).
    pub fn draw_scratch(&self) -> usize {
        let weights = self.likelihood.dim().saturating_add(self.map_scratch());
        self.dim().saturating_add(weights)
    }

    /// The network at the coordinates g: [`Deep::draw`] of its weights.
    pub fn draw(&self, g: impl Fn(usize) -> T, work: &mut [[T; 1]], out: &mut [T]) -> Option<()>
    where
        T: Lanes<1>,
    {
        self.likelihood.draw(self.at(g, work)?.0, out)
    }

    /// Blocks of a layer.
    fn part(&self, layer: &Layer) -> Part {
        let of = |row: usize| row.saturating_mul(layer.units);
        let d = layer.inputs;
        Part {
            weights: of(d),
            latent: of(self.prior.latent_dim(d)),
            scratch: of(self.prior.scratch(d)),
        }
    }

    /// The gradient by g, over `gradient`, from that by w after [`to_weights`](Self::to_weights).
    fn pull_back<const N: usize>(
        &self,
        isa: Isa,
        mut g: &[[T; N]],
        (mut w, mut gradient_w): (&[[T; N]], &[[T; N]]),
        mut scratch: &[[T; N]],
        mut gradient: &mut [[T; N]],
    ) -> Option<()>
    where
        T: Lanes<N>,
    {
        for (_, layer) in self.likelihood.layers() {
            let own = self.part(&layer);
            let (own_g, g_rest) = g.split_at_checked(own.latent)?;
            let (own_w, w_rest) = w.split_at_checked(own.weights)?;
            let (by_w, by_w_rest) = gradient_w.split_at_checked(own.weights)?;
            let (own_scratch, scratch_rest) = scratch.split_at_checked(own.scratch)?;
            let (out, out_rest) = take(&mut gradient).split_at_mut_checked(own.latent)?;
            pull_back(isa, self.prior, layer.inputs, own_g, own_w, by_w, own_scratch, out);
            (g, w, gradient_w, scratch) = (g_rest, w_rest, by_w_rest, scratch_rest);
            gradient = out_rest;
        }
        Some(())
    }
}

/// Blocks that a layer takes of w, of g and of the map's scratch.
struct Part {
    weights: usize,
    latent: usize,
    scratch: usize,
}

impl<T: Real> Extent for DeepPosterior<'_, T> {
    fn dim(&self) -> usize {
        self.count(|layer| self.prior.latent_dim(layer.inputs))
    }

    /// w, its gradient, the map's and the likelihood's.
    fn scratch(&self) -> usize {
        let maps = self.map_scratch().saturating_add(Extent::scratch(&self.likelihood));
        self.likelihood.dim().saturating_mul(2).saturating_add(maps)
    }

    fn rows(&self) -> usize {
        self.likelihood.rows()
    }
}

impl<T: Lanes<N>, const N: usize> Density<T, N> for DeepPosterior<'_, T> {
    fn value_and_gradient(
        &self,
        isa: Isa,
        g: &[[T; N]],
        gradient: &mut [[T; N]],
        scratch: &mut [[T; N]],
    ) -> [T; N] {
        let (dim, weights) = (Extent::dim(self), self.likelihood.dim());
        let (Some(g), Some(gradient), Some(scratch)) =
            (g.get(..dim), gradient.get_mut(..dim), scratch.get_mut(..Extent::scratch(self)))
        else {
            return [T::NAN; N];
        };
        let sizes = [weights, weights, self.map_scratch()];
        let Some(([w, gradient_w, maps], rest)) = cut(scratch, sizes) else {
            return [T::NAN; N];
        };
        if !self.to_weights(isa, g, w, maps) {
            return [T::NAN; N];
        }
        let value = Likelihood::value_and_gradient(&self.likelihood, isa, w, gradient_w, rest);
        match self.pull_back(isa, g, (w, gradient_w), maps, gradient) {
            Some(()) => value,
            None => [T::NAN; N],
        }
    }
}

/// As a [`Problem`](crate::problem::Problem) has it: w is g, under the prior N(0, I).
impl<T: Lanes<N>, const N: usize> Likelihood<T, N> for DeepPosterior<'_, T> {
    fn value_and_gradient(
        &self,
        isa: Isa,
        g: &[[T; N]],
        gradient: &mut [[T; N]],
        scratch: &mut [[T; N]],
    ) -> [T; N] {
        Density::value_and_gradient(self, isa, g, gradient, scratch)
    }
}
