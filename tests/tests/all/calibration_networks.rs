//! Simulation-based calibration of whole runs of the Bayesian network, start and warm-up included: parameters
//! from the prior and targets from the law, both written here from the formulas; then eight chains, and the
//! truth's rank among their last draws is uniform (Talts et al. 2018). Every output family, with one hidden
//! layer and with two.
//!
//! Targets are in the units of the prior, never standardised: by their own mean and sd they would not be what
//! the prior speaks of. Inputs are standardised where that leaves targets alone (classes and counts, two
//! layers). Mass and step are fixed behind the warm-up, so that all draws but the last are more warm-up, by the
//! exact kernel. A replicate whose targets reach far is left out: that is decided by y alone, and given y the
//! ranks are uniform whatever y is. What is ranked does not change when units are exchanged or change their
//! signs, nor when components are exchanged.
//!
//! True scales 1.3 times as large as those of the chains are found where scales are known, with any output. The
//! half-Cauchy law says too little of a scale for that; there chains are found that remember their start.

use super::output::{Row, logistic, twin};
use lcc_core::activation::Activation;
use lcc_core::data::{Dataset, Inputs};
use lcc_core::estimator::bnn::{Compiled, Status};
use lcc_core::estimator::{Bnn, BnnOptions};
use lcc_core::network::{Family, Output, Scales};
use lcc_core::random::{Purpose, Stream};
use lcc_core::scalar::Real;
use lcc_core::simd::Isa;
use lcc_tests::calibration::{LANES, Ranks};
use lcc_tests::posteriors::Aligned;
use lcc_tests::tools::{by_turns, runs};
use std::f64::consts::FRAC_PI_2;

const ROWS: usize = 10;
const COLUMNS: usize = 2;
/// Of every family, and where a wrong law is to be found; of one family in the long tier.
const REPLICATES: [u64; 2] = [200, 500];
/// The least p-value that a correct sampler may have. There are some 370 statistics, so that all of them pass with
/// probability .999 (before the seeds were fixed).
const LEAST: f64 = 1e-3 / 308.0;
/// The degrees of freedom that Student-t noise may have, each as probable.
const TAILS: [f64; 6] = [3.0, 4.5, 7.0, 12.0, 30.0, 200.0];
/// No target of a replicate lies farther, and none counts more.
const FARTHEST: f64 = 12.0;
const MOST: f64 = 60.0;
/// The name of the group whose scale is always known.
const INTERCEPTS: &str = "b0";

/// An output family with one hidden layer or two.
#[derive(Clone, Copy)]
struct Design {
    output: Output,
    layers: usize,
    /// Scales, noise, its tail and the size of counts are known, or all are sampled.
    known: bool,
}

impl Design {
    /// Scales of few parameters are left to the trajectories; with one for all inputs and two layers those of
    /// at least four have conditional draws too.
    fn options<T: Real>(&self) -> BnnOptions<T> {
        let Self { output, layers, known } = *self;
        let one = layers == 1;
        let counts = matches!(output, Output::Poisson | Output::NegativeBinomial);
        let head = if counts { 0.5 } else { 1.0 };
        let scales = if one { Scales::Inputs } else { Scales::Layers };
        let given = |x: f64| T::lit(if known { x } else { 0.0 });
        BnnOptions {
            widths: if one { [2, 0, 0, 0] } else { [2, 2, 0, 0] },
            activation: if one { Activation::Tanh } else { Activation::Erf }.into(),
            output: output.into(),
            categories: if output == Output::Mixture { 2 } else { 3 },
            reference: (output == Output::Softmax && !one).into(),
            exposure: (counts && !one).into(),
            linear: one.into(),
            scales: if known { Scales::Known } else { scales }.into(),
            // Of other targets it is the inputs' alone.
            standardise: (!one && !Family::<f64>::of(output).is_real()).into(),
            drop: false.into(),
            chains: LANES as u32,
            start_steps: 50,
            warmup: 50,
            draws: 80,
            // The last.
            keep: 1,
            leapfrogs: 20,
            trace_rows: 0,
            noise: given(0.7),
            tail: given(4.0),
            size: given(2.5),
            noise_shape: T::lit(3.0),
            noise_rate: T::ONE,
            floor: T::lit(0.3),
            input_scale: T::lit(0.8),
            bias_scale: T::lit(0.6),
            hidden_scale: T::lit(0.9),
            outer_scale: T::lit(head),
            linear_scale: T::lit(0.5 * head),
            intercept_sd: T::lit(head),
            ..Default::default()
        }
    }
}

/// A network, its output and its prior, as the options have them.
struct Truth {
    options: BnnOptions<f64>,
    /// 1, or wrong: by how much the true scales are larger than those that the chains believe in.
    excess: f64,
}

impl Truth {
    fn family(&self) -> Family<f64> {
        self.options.family()
    }
    fn known(&self) -> bool {
        self.options.scales.value() == Scales::Known
    }
    /// Inputs of the network.
    fn inputs(&self) -> usize {
        COLUMNS - self.options.exposure.on() as usize
    }
    fn widths(&self) -> impl Iterator<Item = usize> {
        self.options.widths.into_iter().map(|w| w as usize).take_while(|w| *w > 0)
    }
    fn psi(&self, z: f64) -> f64 {
        if self.options.activation.value() == Activation::Tanh { z.tanh() } else { libm::erf(z) }
    }

    /// The parameters' groups in their order.
    fn groups(&self) -> Vec<Group> {
        let (o, k) = (&self.options, self.family().outputs());
        let mut groups = vec![];
        let mut below = self.inputs();
        for (l, units) in self.widths().enumerate() {
            let first = l == 0;
            let scale = if first { o.input_scale } else { o.hidden_scale / (below as f64).sqrt() };
            let by_column = first && o.scales.value() == Scales::Inputs;
            let names = if first { ("W", "b") } else { ("W_2", "b_2") };
            groups.push(Group { rows: units, columns: below, scale, by_column, name: names.0 });
            let (scale, by_column) = (o.bias_scale, false);
            groups.push(Group { rows: 1, columns: units, scale, by_column, name: names.1 });
            below = units;
        }
        let by_column = false;
        let scale = o.outer_scale / (below as f64).sqrt();
        groups.push(Group { rows: k, columns: below, scale, by_column, name: "V" });
        let (columns, scale) = (k, o.intercept_sd);
        groups.push(Group { rows: 1, columns, scale, by_column, name: INTERCEPTS });
        if o.linear.on() {
            let (columns, scale) = (self.inputs(), o.linear_scale);
            groups.push(Group { rows: k, columns, scale, by_column, name: "c" });
        }
        groups
    }

    /// Parameters from the prior, then what the family adds to a draw.
    fn draw(&self, stream: &mut Stream) -> Vec<f64> {
        let mut draw = vec![];
        for group in self.groups() {
            let known = group.name == INTERCEPTS || self.known();
            let excess = if group.name == INTERCEPTS { 1.0 } else { self.excess };
            let mut scale = || {
                // |Cauchy|.
                let s = if known { 1.0 } else { (FRAC_PI_2 * stream.uniform::<f64>()).tan() };
                excess * group.scale * s
            };
            let scales: Vec<f64> = if group.by_column {
                (0..group.columns).map(|_| scale()).collect()
            } else {
                vec![scale(); group.columns]
            };
            let all = (0..group.rows).flat_map(|_| &scales);
            draw.extend(all.map(|s| s * stream.normal::<f64>()));
        }
        let o = &self.options;
        match o.output.value() {
            output @ (Output::StudentT | Output::Gaussian) => {
                let beta = stream.gamma::<f64>(o.noise_shape) / o.noise_rate;
                draw.push(if o.noise > 0.0 { o.noise } else { 1.0 / beta.sqrt() });
                let tail = TAILS[(stream.uniform::<f64>() * 6.0) as usize];
                let tail = if o.tail > 0.0 { o.tail } else { tail };
                draw.push(if output == Output::StudentT { tail } else { f64::INFINITY });
            }
            Output::NegativeBinomial => {
                // tau = 1/sqrt(r) is half-Cauchy times exp(-tau^2/18): what is refused is drawn again.
                let tau = loop {
                    let own = (FRAC_PI_2 * stream.uniform::<f64>()).tan();
                    if stream.uniform::<f64>() < (-own * own / 18.0).exp() {
                        break own;
                    }
                };
                let size = tau.powi(-2);
                draw.push(if o.size > 0.0 { o.size } else { size });
            }
            Output::Ordinal => {
                // Probabilities uniform on the simplex at output 0; thresholds are their logits.
                let parts: Vec<f64> = (0..3).map(|_| stream.exponential()).collect();
                draw.push((parts[0] / (parts[1] + parts[2])).ln());
                draw.push(((parts[0] + parts[1]) / parts[2]).ln());
            }
            _ => {}
        }
        draw
    }

    /// The outputs at x.
    fn outputs(&self, draw: &[f64], x: &[f64]) -> Vec<f64> {
        let mut rest = draw;
        let mut take = |count: usize| {
            let (own, behind) = rest.split_at(count);
            rest = behind;
            own
        };
        let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
        let mut below = x.to_vec();
        for units in self.widths() {
            let (w, b) = (take(units * below.len()), take(units));
            let rows = w.chunks(below.len()).zip(b);
            below = rows.map(|(w, b)| self.psi(dot(w, &below) + b)).collect();
        }
        let k = self.family().outputs();
        let (v, b0) = (take(k * below.len()), take(k));
        let mut out: Vec<f64> =
            v.chunks(below.len()).zip(b0).map(|(v, b0)| dot(v, &below) + b0).collect();
        if self.options.linear.on() {
            let c = take(k * x.len());
            out.iter_mut().zip(c.chunks(x.len())).for_each(|(out, c)| *out += dot(c, x));
        }
        out
    }

    /// The outputs at a row of the data, that of counts with the logarithm of the exposure.
    fn at_row(&self, draw: &[f64], row: &[f64]) -> Vec<f64> {
        let (x, exposure) = row.split_at(self.inputs());
        let mut o = self.outputs(draw, x);
        exposure.iter().for_each(|e| o[0] += e.ln());
        o
    }

    /// y given the outputs; `None` where it is beyond what a replicate may have.
    fn target(&self, draw: &[f64], o: &[f64], stream: &mut Stream) -> Option<f64> {
        let floor = self.options.floor;
        let sd = |log: f64| (log.exp() + floor * floor).sqrt();
        let mut categorical = |weights: &[f64]| {
            let mut rest = stream.uniform::<f64>() * weights.iter().sum::<f64>();
            let here = |w: &f64| {
                rest -= w;
                rest < 0.0
            };
            weights.iter().position(here).unwrap_or(weights.len() - 1)
        };
        let output = self.options.output.value();
        let y = match output {
            Output::StudentT | Output::Gaussian => {
                let [.., sigma, nu] = *draw else { panic!("no noise") };
                // Chi-square over its degrees of freedom.
                let w =
                    if nu < f64::INFINITY { stream.gamma::<f64>(nu / 2.0) * 2.0 / nu } else { 1.0 };
                o[0] + sigma * stream.normal::<f64>() / w.sqrt()
            }
            Output::MeanVariance => o[0] + sd(o[1]) * stream.normal::<f64>(),
            Output::LogNormal => (o[0] + sd(o[1]) * stream.normal::<f64>()).exp(),
            Output::HurdleLogNormal => match categorical(&[logistic(-o[0]), logistic(o[0])]) {
                0 => 0.0,
                _ => (o[1] + sd(o[2]) * stream.normal::<f64>()).exp(),
            },
            // An amount that rounds to 0 is none, and lies too far.
            Output::Gamma => (o[0].exp() * of_mean_one(sd(o[1]), stream)).max(f64::MIN_POSITIVE),
            Output::HurdleGamma => match categorical(&[logistic(-o[0]), logistic(o[0])]) {
                0 => 0.0,
                _ => (o[1].exp() * of_mean_one(sd(o[2]), stream)).max(f64::MIN_POSITIVE),
            },
            Output::Mixture => {
                let k = categorical(&weights(&o[..2]));
                o[2 + k] + sd(o[4 + k]) * stream.normal::<f64>()
            }
            Output::Bernoulli => categorical(&[logistic(-o[0]), logistic(o[0])]) as f64,
            Output::Softmax => categorical(&weights(&self.logits(o))) as f64,
            Output::Ordinal => {
                let [.., low, high] = *draw else { panic!("no thresholds") };
                let (low, high) = (logistic(low - o[0]), logistic(high - o[0]));
                categorical(&[low, high - low, 1.0 - high]) as f64
            }
            Output::Poisson | Output::NegativeBinomial => {
                let mut rate = o[0].exp();
                if let (Output::NegativeBinomial, [.., r]) = (output, draw) {
                    rate *= stream.gamma(*r) / r;
                }
                // Events until time `rate`.
                let (mut count, mut time) = (0.0, stream.exponential::<f64>());
                while time <= rate && count <= MOST {
                    (count, time) = (count + 1.0, time + stream.exponential::<f64>());
                }
                count
            }
        };
        let most = if self.family().is_real() { FARTHEST } else { MOST };
        let far = if output.is_log() && y > 0.0 { y.ln() } else { y };
        (far.abs() <= most).then_some(y)
    }

    /// Those of all classes.
    fn logits(&self, o: &[f64]) -> Vec<f64> {
        let first = self.options.reference.on().then_some(0.0);
        first.into_iter().chain(o.iter().copied()).collect()
    }

    /// ln p of the targets, and functions of the outputs at new points, of the family's own numbers and of the
    /// sizes of parameters.
    fn statistics(&self, x: &[f64], y: &[f64], draw: &[f64]) -> Vec<(String, f64)> {
        let mut all: Vec<(String, f64)> = vec![];
        let mut add = |name: &str, value: f64| all.push((name.into(), value));
        let family = self.family();
        let output = self.options.output.value();
        let (mut own, mut nu) = (vec![], 1.0);
        match (output, draw) {
            (Output::StudentT | Output::Gaussian, [.., sigma, tail]) => {
                (own, nu) = (vec![-2.0 * sigma.ln()], *tail);
                if !self.known() {
                    add("sigma", *sigma);
                }
                if !self.known() && output == Output::StudentT {
                    add("nu", *tail);
                }
            }
            (Output::NegativeBinomial, [.., r]) => {
                own = vec![r.ln()];
                if !self.known() {
                    add("r", *r);
                }
            }
            (Output::Ordinal, [.., low, high]) => {
                own = vec![*low, (high - low).ln()];
                add("t_0", *low);
                add("t_1 - t_0", high - low);
            }
            _ => {}
        }
        let rows = x.chunks(COLUMNS).zip(y);
        let likelihood = rows.map(|(row, y)| {
            let y = family.seen(*y, |y| y);
            twin(&Row { family, own: own.clone(), nu, o: self.at_row(draw, row) }, y)
        });
        add("log p(y)", likelihood.sum());
        for (q, at) in [[0.3, -0.5], [-1.4, 0.8]].iter().enumerate() {
            let o = self.outputs(draw, &at[..self.inputs()]);
            let mut add = |name: &str, value: f64| add(&format!("{name}(q_{})", q + 1), value);
            match output {
                Output::HurdleLogNormal | Output::HurdleGamma => {
                    add("log odds", o[0]);
                    add("mean", o[1]);
                    add("log variance", o[2]);
                }
                Output::MeanVariance | Output::LogNormal | Output::Gamma => {
                    add("mean", o[0]);
                    add("log variance", o[1]);
                }
                Output::Mixture => {
                    let w = weights(&o[..2]);
                    let share = w[1] / (w[0] + w[1]);
                    let variance = [o[4], o[5]].map(|log| log.exp() + family.floor.powi(2));
                    let between = share * (1.0 - share) * (o[3] - o[2]).powi(2);
                    add("mean", o[2] + share * (o[3] - o[2]));
                    add("variance", variance[0] + share * (variance[1] - variance[0]) + between);
                    let below = |k: usize| 0.5 * libm::erfc(o[2 + k] / (2.0 * variance[k]).sqrt());
                    add("P(y < 0)", below(0) + share * (below(1) - below(0)));
                }
                Output::Softmax => {
                    let w = weights(&self.logits(&o));
                    add("p_0", w[0] / (w[1] + w[2]));
                    add("p_2", w[2] / (w[0] + w[1]));
                }
                Output::Ordinal => add("p_0", own[0] - o[0]),
                _ => add("f", o[0]),
            }
        }
        let (mut at, mut sum) = (0, 0.0);
        for Group { rows, columns, by_column, name, .. } in self.groups() {
            let members = &draw[at..at + rows * columns];
            let squares = |j: usize| members.chunks(columns).map(|row| row[j].powi(2)).sum::<f64>();
            let squares: Vec<f64> = (0..columns).map(squares).collect();
            let own = if by_column { squares } else { vec![squares.iter().sum()] };
            for (j, size) in own.into_iter().enumerate() {
                let of = if by_column { format!(" of x_{}", j + 1) } else { String::new() };
                add(&format!("|{name}|{of}"), size);
                if name != INTERCEPTS {
                    sum += size.ln();
                }
            }
            at += rows * columns;
        }
        add("all sizes", sum);
        all
    }
}

/// Parameters, row by row, with one scale or with one a column: known, or the median.
struct Group {
    rows: usize,
    columns: usize,
    scale: f64,
    by_column: bool,
    name: &'static str,
}

/// Proportional to e^o.
/// A Gamma number of mean 1 and this coefficient of variation.
fn of_mean_one(variation: f64, stream: &mut Stream) -> f64 {
    let shape = variation.powi(-2);
    stream.gamma::<f64>(shape) / shape
}

fn weights(o: &[f64]) -> Vec<f64> {
    let top = o.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    o.iter().map(|o| (o - top).exp()).collect()
}

/// Column j with mean 0 and sd 1.
fn standardise(x: &mut [f64], j: usize) {
    let column = |x: &[f64]| x.iter().skip(j).step_by(COLUMNS).copied().collect::<Vec<_>>();
    let mean = column(x).iter().sum::<f64>() / ROWS as f64;
    let variance = column(x).iter().map(|x| (x - mean).powi(2)).sum::<f64>() / ROWS as f64;
    let own = x.iter_mut().skip(j).step_by(COLUMNS);
    own.for_each(|x| *x = (*x - mean) / variance.sqrt());
}

/// Ranks of truths whose scales are `excess` times those that the chains believe in.
fn run<T: Compiled>(design: Design, excess: f64, replicates: u64) -> Ranks {
    let Design { output, layers, known } = design;
    let seed = 100 + output as u64 * 4 + layers as u64 * 2 + known as u64;
    let truth = Truth { options: design.options(), excess };
    let wide = |v: &[T]| -> Vec<f64> { v.iter().map(|x| x.to_f64()).collect() };
    let mut stream = Stream::new(51, 0, Purpose::Start);
    let mut x: Vec<T> = (0..ROWS * COLUMNS).map(|_| stream.normal()).collect();
    if truth.options.exposure.on() {
        x.iter_mut().skip(1).step_by(COLUMNS).for_each(|e| *e = T::HALF + e.abs());
    }
    let mut wide_x = wide(&x);
    if truth.options.standardise > 0 {
        (0..truth.inputs()).for_each(|j| standardise(&mut wide_x, j));
    }
    let (mut ranks, mut memory): (Option<Ranks>, Option<Aligned>) = (None, None);
    let (mut done, mut drawn) = (0, 0);
    while done < replicates {
        let mut stream = Stream::new(seed, drawn, Purpose::Predictive);
        drawn += 1;
        let draw = truth.draw(&mut stream);
        let targets = wide_x
            .chunks(COLUMNS)
            .map(|row| truth.target(&draw, &truth.at_row(&draw, row), &mut stream).map(T::lit));
        let Some(y) = targets.collect::<Option<Vec<T>>>() else { continue };
        done += 1;
        let options = BnnOptions { seed: 1_000_000 * seed + drawn, ..design.options::<T>() };
        let data = Dataset::new(Inputs::row_major(&x, ROWS, COLUMNS).unwrap(), &y).unwrap();
        let size = || Bnn::<T>::size(&options, ROWS, COLUMNS).unwrap();
        let bytes = memory.get_or_insert_with(|| Aligned::new(size())).bytes();
        let mut network = Bnn::init(bytes, &options, Isa::detect(), &data).unwrap();
        assert_eq!(network.step(&data, u64::MAX), Ok(Status::Done));
        let wide_y = wide(&y);
        let of = |draw: &[f64]| truth.statistics(&wide_x, &wide_y, draw);
        let values = |all: Vec<(String, f64)>| all.into_iter().map(|(_, value)| value).collect();
        let draws: Vec<Vec<f64>> =
            (0..LANES).map(|c| values(of(&wide(network.kept_draw(c, 0).unwrap())))).collect();
        let (names, one): (Vec<String>, Vec<f64>) = of(&draw).into_iter().unzip();
        let ranks = ranks.get_or_insert_with(|| {
            let scales = if known { ", known scales" } else { "" };
            let wrong = if excess > 1.0 { "WRONG scales, " } else { "" };
            let what = format!("f{} {wrong}{}, layers: {layers}{scales}", T::BITS, output.name());
            Ranks::new(&what, &names, 0.0)
        });
        ranks.add(&one, &draws);
    }
    ranks.expect("a replicate")
}

fn calibrated(output: Output) {
    let [usual, most] = REPLICATES;
    // Of one family as many as find what is wrong by little.
    let replicates = runs(usual, if output == Output::Gaussian { most } else { usual });
    let design = |layers, known| Design { output, layers, known };
    for turn in by_turns(0..3, 3, output as usize) {
        let ranks = match turn {
            0 => run::<f32>(design(1, false), 1.0, replicates),
            1 => run::<f64>(design(2, false), 1.0, replicates),
            _ => run::<f32>(design(2, true), 1.0, replicates),
        };
        ranks.check_above(LEAST);
    }
}

#[test]
fn student_t() {
    calibrated(Output::StudentT);
}

#[test]
fn gaussian() {
    calibrated(Output::Gaussian);
}

#[test]
fn mean_variance() {
    calibrated(Output::MeanVariance);
}

#[test]
fn log_normal() {
    calibrated(Output::LogNormal);
}

#[test]
fn hurdle_log_normal() {
    calibrated(Output::HurdleLogNormal);
}

#[test]
fn gamma() {
    calibrated(Output::Gamma);
}

#[test]
fn hurdle_gamma() {
    calibrated(Output::HurdleGamma);
}

#[test]
fn mixture() {
    calibrated(Output::Mixture);
}

#[test]
fn bernoulli() {
    calibrated(Output::Bernoulli);
}

#[test]
fn softmax() {
    calibrated(Output::Softmax);
}

#[test]
fn poisson() {
    calibrated(Output::Poisson);
}

#[test]
fn negative_binomial() {
    calibrated(Output::NegativeBinomial);
}

#[test]
fn ordinal() {
    calibrated(Output::Ordinal);
}

/// Chains that believe in scales of which the true ones are 1.3 times as large.
fn scales_are_found(output: Output) {
    run::<f32>(Design { output, layers: 2, known: true }, 1.3, REPLICATES[0]).check_detected();
}

#[test]
#[ignore = "long: a test of the tests"]
fn other_scales_are_found() {
    Output::ALL.iter().for_each(|output| scales_are_found(*output));
}
