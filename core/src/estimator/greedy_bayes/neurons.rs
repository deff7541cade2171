//! What both forms of Greedy Bayes are told of a level: its neurons and their posterior.

/// The functions of options that have the members activation, prior, scale, form, either_sign, intercept, levels,
/// particles, moves, lanes, keep, seed, outer, alpha and beta.
macro_rules! neurons {
    (
        $options:ident, $error:ident;
        papers { $($paper:ident: $its:expr,)* }
        smc |$own:ident| { $($member:ident: $value:expr,)+ }
    ) => {
        impl<T: Real> $options<T> {
            /// The algorithm of \[MB\] for n rows: V = 1, alpha = beta = 1/sqrt n, the tilt alone, data as they
            /// are, all K levels at their shares, and every particle in the model.
            pub fn papers(n: usize, levels: u32, prior: Prior<T>) -> Self {
                let root = T::ONE / T::of_usize(n.max(1)).sqrt();
                Self {
                    outer: T::ONE,
                    alpha: root,
                    beta: root,
                    levels,
                    form: Form::Tilt.into(),
                    intercept: false.into(),
                    keep: 256,
                    $($paper: $its,)*
                    ..Self::default()
                }
                .with_prior(prior)
            }

            /// The prior of each neuron's w.
            pub fn prior(&self) -> Prior<T> {
                Prior::of(self.prior.value(), self.scale)
            }

            /// The same with another.
            pub fn with_prior(self, prior: Prior<T>) -> Self {
                let (kind, scale) = prior.kind();
                Self { prior: kind.into(), scale, ..self }
            }

            /// The columns of the inputs as the neurons see them.
            pub fn columns(&self, d: usize) -> usize {
                d.saturating_add(self.intercept.on() as usize)
            }

            /// The factor of the square at a level of this alpha: alpha beta V^2, or 0.
            pub fn quadratic(&self, alpha: T) -> T {
                match self.form.value() {
                    Form::Tilt => T::ZERO,
                    Form::Quadratic => alpha * self.beta * self.outer * self.outer,
                }
            }

            /// The posterior of a neuron given the residuals that its level sees.
            pub(super) fn problem<'a>(
                &self,
                data: Dataset<'a, T>,
                alpha: T,
            ) -> Result<Problem<'a, T>, ProblemError> {
                let (quadratic, signed) = (self.quadratic(alpha), self.either_sign.on());
                let tilt = GreedyTilt::new(data, alpha * self.outer, self.activation.value());
                Problem::greedy_tilt(GreedyTilt { quadratic, signed, ..tilt }, self.prior())
            }

            /// The particles of level k = 0, 1, ...: another seed for each.
            pub fn smc(&self, level: u32) -> SmcOptions<T> {
                let $own = self;
                SmcOptions {
                    particles: self.particles,
                    lanes: self.lanes,
                    moves: self.moves,
                    seed: self.seed.wrapping_add((level as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)),
                    $($member: $value,)+
                    ..SmcOptions::default()
                }
            }

            /// The first of these members out of its range, alpha being multiplied by as much as `most`.
            fn check_neurons(&self, most: T) -> Result<(), $error> {
                use $error as E;
                self.known()?;
                let positive = |x: T| below(x, T::INFINITY);
                refuse(self.levels == 0 || self.levels > 65535, E::Levels)?;
                refuse(!positive(self.outer), E::Outer)?;
                refuse(!(positive(self.alpha) && positive(self.alpha * self.outer * most)), E::Alpha)?;
                refuse(!within(self.beta, T::ONE), E::Beta)?;
                refuse(!(self.quadratic(self.alpha) * most).is_finite(), E::Outer)?;
                refuse(self.keep == 0 || self.keep > self.particles, E::Keep)?;
                self.prior().checked().map_err(ProblemError::from)?;
                Ok(self.smc(0).check()?)
            }
        }
    };
}
pub(in crate::estimator) use neurons;
