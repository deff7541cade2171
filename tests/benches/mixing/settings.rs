//! The posteriors: over n, d and M inside and outside of what is certified.

use lcc_core::activation::Activation;
use lcc_core::certificate::formulas;
use lcc_core::coupling::rho::{JointScale, joint_constant};
use lcc_core::likelihood::Signs;
use lcc_core::linalg::lower_len;
use lcc_core::prior::Prior;
use lcc_core::random::{Purpose, Stream};
use lcc_tests::numeric::largest_eigenvalue;
use lcc_tests::posteriors::{Case, Model, Numbers};
use lcc_tests::targets::target;

/// One posterior, its rho and what its certificate says.
pub(crate) struct Setting {
    pub(crate) case: Case,
    pub(crate) numbers: Numbers<f64>,
    /// n numbers, the same for all neurons.
    pub(crate) rho: Vec<f64>,
    /// -Hess log p(xi) >= 1 - q in [MB]'s scaling.
    pub(crate) q: f64,
    /// Whether that is proved, or rests on the domination of covariances.
    pub(crate) proved: bool,
}

impl Setting {
    pub(crate) fn n(&self) -> usize {
        self.case.y.len()
    }

    /// What the table calls it.
    pub(crate) fn name(&self) -> String {
        let Case { d, prior, .. } = &self.case;
        let prior = match prior {
            Prior::Gaussian { sd } => format!("N(0, {}) prior", sd * sd),
            Prior::L1Ball { radius } => format!("l1 ball of radius {radius}"),
        };
        match self.case.model {
            Model::Greedy(alpha) => {
                format!("one neuron, {prior}, n {}, d {d}, alpha {alpha:.3}", self.n())
            }
            Model::Joint(m, ..) => format!("joint, {prior}, n {}, d {d}, M {m}", self.n()),
        }
    }

    /// Numbers of a packed triangle.
    pub(crate) fn triangle(&self) -> usize {
        lower_len(self.case.d).expect("a size")
    }
}

fn case(d: usize, x: Vec<f64>, y: Vec<f64>, prior: Prior<f64>, model: Model) -> Case {
    Case {
        id: String::new(),
        regime: String::new(),
        d,
        x,
        y,
        activation: Activation::Tanh,
        prior,
        model,
        query: Vec::new(),
        query_moments: Vec::new(),
        weight_moments: Vec::new(),
    }
}

/// [B]'s posterior of M neurons: inputs uniform on [-1, 1], targets of a teacher of four neurons in the
/// ball with V = 2 and noise of sd .5; V = 2, beta = 1/5, alternating signs, the one rho = beta c V/M.
fn joint(n: usize, d: usize, neurons: usize, radius: f64) -> Setting {
    let (outer, beta) = (2.0, 0.2);
    let mut stream = Stream::new(17, (n + 1000 * d) as u64, Purpose::Start);
    let x: Vec<f64> = (0..n * d).map(|_| 2.0 * stream.uniform::<f64>() - 1.0).collect();
    // Each of the teacher's neurons looks at two coordinates.
    let teacher = |row: &[f64]| {
        let unit = |k: usize| {
            let (a, b) = (row[(2 * k) % d], row[(2 * k + 1) % d]);
            (radius * (0.6 * a - 0.4 * b)).tanh()
        };
        outer / 4.0 * (unit(0) - unit(1) + unit(2) - unit(3))
    };
    let y: Vec<f64> =
        x.chunks_exact(d).map(|row| teacher(row) + 0.5 * stream.normal::<f64>()).collect();
    let scale = JointScale { beta, outer, neurons, signs: Signs::Alternating };
    let bounds = Activation::Tanh.bounds_within(f64::INFINITY);
    let rho = joint_constant(&scale, &y, &bounds).expect("rho");
    let model = Model::Joint(neurons, outer, beta, Signs::Alternating);
    let case = case(d, x, y, Prior::L1Ball { radius }, model);
    let numbers = Numbers::new(&case);
    let q = formulas::joint(rho, n, d, radius);
    Setting { case, numbers, rho: vec![rho; n], q, proved: false }
}

/// [MB]'s posterior of one neuron with a Gaussian prior, G2's data, its alpha such that Lemma 2's
/// lambda_max(X' diag(rho) X) sd^2 is q. Two modes and a trace of a third at q = 1000.
fn greedy(q: f64) -> Setting {
    let mut case = target("G2");
    let Prior::Gaussian { sd } = case.prior else { panic!("G2 has a Gaussian prior") };
    let c = Activation::Tanh.bounds_within(f64::INFINITY).curvature();
    let d = case.d;
    let largest = |alpha: f64| {
        let mut matrix = vec![0.0; d * d];
        for (row, r) in case.x.chunks_exact(d).zip(&case.y) {
            for j in 0..d {
                for k in 0..d {
                    matrix[j * d + k] += alpha * c * r.abs() * row[j] * row[k];
                }
            }
        }
        formulas::rho(largest_eigenvalue(&matrix, d), sd)
    };
    let alpha = q / largest(1.0);
    let rho = case.y.iter().map(|r| alpha * c * r.abs()).collect();
    case.model = Model::Greedy(alpha);
    let numbers = Numbers::new(&case);
    Setting { case, numbers, rho, q, proved: true }
}

/// All of them.
pub(crate) fn settings() -> Vec<Setting> {
    let mut all = Vec::new();
    let sizes = [(10, 20), (20, 20), (80, 20), (20, 5), (80, 5)];
    sizes.iter().for_each(|(n, d)| all.extend([6, 2].map(|m| joint(*n, *d, m, 1.0))));
    all.extend([(20, 5, 6), (80, 5, 6), (80, 5, 2)].map(|(n, d, m)| joint(n, d, m, 6.0)));
    all.extend([0.25, 0.5, 0.9, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0].map(greedy));
    all
}
