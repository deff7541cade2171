//! Methods on the coupling variable and rows that are let in one by one, beside the library.

mod common;
use common::{Folder, parse_csv, table};
use lcc_model::lcc_core::activation::Activation;
use lcc_model::lcc_core::coupling::Sides;
use lcc_model::lcc_core::data::{Dataset, Inputs};
use lcc_model::lcc_core::likelihood::Signs;
use lcc_model::lcc_core::prior::Prior;
use lcc_model::lcc_core::problem::Problem;
use lcc_model::lcc_core::sampler::{Column, Method, Progress, Sampler, SamplerOptions};
use lcc_model::lcc_core::simd::Isa;
use lcc_model::lcc_core::smc::{Ladder, SmcOptions};
use lcc_model::lcc_core::theory::regret;
use lcc_tests::posteriors::{Aligned, particles};

/// The rows of [`table`], two inputs and the target.
fn rows() -> (Vec<f64>, Vec<f64>) {
    let (_, rows) = parse_csv(&table(40));
    (rows.iter().flat_map(|r| [r[0], r[1]]).collect(), rows.iter().map(|r| r[2]).collect())
}

fn with_data(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("d.csv", table(40));
    folder
}

/// Every flag of the methods on xi reaches the sampler: the means are the library's, to the last bit.
#[test]
fn methods_on_xi_are_those_of_the_library() {
    let folder = with_data("xi_flags");
    let (x, y) = rows();
    let data = Dataset::new(Inputs::row_major(&x, 40, 2).expect("inputs"), &y).expect("data");
    let prior = Prior::Gaussian { sd: 1.5 };
    let problem = Problem::greedy(data, Activation::Tanh, prior, 0.3).expect("a posterior");
    let usual =
        SamplerOptions { chains: 4, warmup: 30, draws: 60, stored: 60, ..Default::default() };
    let coupled = |method: Method| SamplerOptions { method: method.into(), ..usual };
    let langevin = coupled(Method::XiLangevin);
    let cases = [
        ("gibbs --inner 3", SamplerOptions { inner: 3, ..coupled(Method::CoupledGibbs) }),
        (
            "xi-langevin --langevin-step .1 --inner 2",
            SamplerOptions { langevin_step: 0.1, inner: 2, ..langevin },
        ),
        (
            "xi-langevin --fresh --burn-in 4 --coupling two-sided",
            SamplerOptions {
                fresh: true.into(),
                burn_in: 4,
                coupling: Sides::TwoSided.into(),
                ..langevin
            },
        ),
        ("xi-langevin --fresh", SamplerOptions { fresh: true.into(), ..langevin }),
        (
            "xi-mala --langevin-step .8 --inner 3",
            SamplerOptions { langevin_step: 0.8, inner: 3, ..coupled(Method::XiMala) },
        ),
        (
            "langevin --langevin-step .4",
            SamplerOptions { langevin_step: 0.4, ..coupled(Method::Langevin) },
        ),
        (
            "reverse-diffusion --levels 3 --diffusion-time .5",
            SamplerOptions { levels: 3, diffusion_time: 0.5, ..coupled(Method::ReverseDiffusion) },
        ),
    ];
    let mut seen = Vec::new();
    for (flags, options) in cases {
        folder.lcc(&format!(
            "sample --data d.csv --alpha .3 --scale 1.5 --chains 4 --warmup 30 --draws 60 --sampler \
             {flags} --json r.json --draws-csv c --quiet"
        ))
        .expect(0);
        let mut memory = Aligned::new(Sampler::size(&options, &problem).expect("size"));
        let mut own =
            Sampler::init(memory.bytes(), &options, Isa::detect(), &problem).expect("init");
        assert_eq!(own.step(&problem, u64::MAX), Ok(Progress::Done));
        for chain in 0..4 {
            let (names, printed) = parse_csv(&folder.text(&format!("c_{}.csv", chain + 1)));
            let first = names.iter().position(|n| n == "w.1").expect("w.1");
            for j in 0..2 {
                let draws = own.draws(Column::Weight(j)).expect("draws");
                for (t, row) in printed.iter().enumerate() {
                    assert_eq!(row[first + j], draws.at(chain, t), "{flags}, {chain} {t} {j}");
                }
            }
        }
        seen.push(folder.bytes("c_1.csv"));
    }
    // And they are not the same.
    for (k, own) in seen.iter().enumerate() {
        assert!(!seen[..k].contains(own), "{k}");
    }
}

#[test]
fn flags_of_other_samplers_are_refused() {
    let folder = with_data("xi_refused");
    for (flags, part) in [
        ("--inner 3", "--inner is not of auto, but of gibbs, xi-langevin, "),
        ("--sampler hmc --langevin-step .1", "not of hmc, but of xi-langevin, langevin, xi-mala"),
        ("--sampler gibbs --fresh", "not of gibbs, but of xi-langevin, "),
        ("--sampler xi-langevin --burn-in 3", "--fresh"),
        ("--sampler xi-mala --coupling none", "works on a coupling"),
        ("--sampler xi-langevin --levels 3", "not of xi-langevin, but of reverse-diffusion"),
        ("--sampler smc --diffusion-time 1", "not of smc, but of reverse-diffusion"),
        ("--sampler xi-langevin --langevin-step 2.1", "between 0 and 2"),
        ("--sampler xi-langevin --langevin-step 0", "between 0 and 2"),
        ("--sampler reverse-diffusion --diffusion-time 5", "between 0 and 4"),
        ("--sampler reverse-diffusion --levels 0", "from 1 to"),
        ("--sampler gibbs --inner 0", "from 1 to"),
    ] {
        folder.lcc(&format!("sample --data d.csv {flags}")).fails(2, &[part]);
    }
}

/// A checkpoint belongs to the settings of the method on xi too.
#[test]
fn a_checkpoint_knows_the_step() {
    let folder = with_data("xi_checkpoint");
    let run = |step: &str, more: &str| {
        folder.lcc(&format!(
            "sample --data d.csv --sampler xi-langevin --langevin-step {step} --chains 2 --warmup 9 \
             --draws 20 --checkpoint s --json r.json --quiet {more}"
        ))
    };
    run(".1", "").expect(0);
    run(".1", "--resume").expect(0);
    let other = run(".2", "--resume");
    assert_ne!(other.code, 0, "{}", other.err);
}

/// Online Bayes: the losses of the rows add up to the evidence, and each is that of the library.
#[test]
fn rows_are_predicted_from_those_before_them() {
    let folder = Folder::new("online");
    // Targets that networks of V = 2 reach.
    let (x, y) = rows();
    let y: Vec<f64> = y.iter().map(|y| (y - 10.0) / 4.0).collect();
    let mut csv = String::from("a,b,y\n");
    for (x, y) in x.chunks_exact(2).zip(&y) {
        csv.push_str(&format!("{:?},{:?},{y:?}\n", x[0], x[1]));
    }
    folder.write("d.csv", csv);
    let data = Dataset::new(Inputs::row_major(&x, 40, 2).expect("inputs"), &y).expect("data");
    let prior = Prior::L1Ball { radius: 2.0 };
    let (psi, signs) = (Activation::Tanh, Signs::Alternating);
    let problem = Problem::joint(data, psi, prior, 3, 2.0, 4.0, signs).expect("a posterior");
    let flags = "sample --data d.csv --posterior joint --prior l1 --scale 2 --neurons 3 --outer 2 \
                 --beta 4 --sampler smc --particles 256 --quiet --json r.json";
    folder.lcc(&format!("{flags} --ladder rows:.6")).expect(0);
    let json = folder.json("r.json");
    let online = &json["online"];
    let options = SmcOptions {
        ladder: Ladder::Rows.into(),
        particles: 256,
        share: 0.6,
        stages: 1000,
        ..Default::default()
    };
    let number = |v: &serde_json::Value| v.as_f64().expect("a number");
    particles(&options, &problem, |smc| {
        let (mut log, mut squared) = (0.0, 0.0);
        for (i, y) in y.iter().enumerate() {
            let own = smc.predicted(i).expect("a row");
            // serde_json reads to one unit in the last place.
            for (key, value) in [("log_likelihood", own.log_likelihood), ("mean", own.mean)] {
                let printed = number(&online[key][i]);
                assert!((printed - value).abs() <= 1e-15 * value.abs(), "{key} {i}");
            }
            log -= own.log_likelihood + 0.5 * (4.0 / std::f64::consts::TAU).ln();
            squared += (y - own.mean).powi(2);
        }
        let near = |key: &str, value: f64| {
            let own = number(&online[key]);
            assert!((own - value).abs() < 1e-12 * value.abs().max(1.0), "{key}: {own} {value}");
        };
        near("log_loss", log);
        near("mean_log_loss", log / 40.0);
        near("squared_loss", squared);
        near("regret_order", regret::of_variation(2.0, 2, 40));
        near("mean_squared_regret", (squared - number(&online["best_squared_loss"])) / 40.0);
        let evidence = number(&json["log_evidence"]);
        let constant = 20.0 * (4.0 / std::f64::consts::TAU).ln();
        assert!((log + evidence + constant).abs() < 1e-10, "{log} {evidence}");
    });
    // As by temperatures, within four of the standard errors that both state.
    folder.lcc(flags).expect(0);
    let heat = folder.json("r.json");
    assert!(heat["online"].is_null());
    let error = |j: &serde_json::Value| number(&j["log_evidence_standard_error"]);
    let miss = number(&heat["log_evidence"]) - number(&json["log_evidence"]);
    assert!(miss.abs() < 4.0 * error(&heat).hypot(error(&json)), "{miss}");
    // By cooling too.
    folder
        .lcc(&format!("{flags} --ladder cooling:.1"))
        .fails(1, &["first Gaussian of the cooling"]);
    folder.lcc(&format!("{flags} --ladder cooling:.003")).expect(0);
    let cooled = folder.json("r.json");
    assert_eq!(number(&cooled["ladder"][0]), 0.0);
    let miss = number(&heat["log_evidence"]) - number(&cooled["log_evidence"]);
    assert!(miss.abs() < 4.0 * error(&heat).hypot(error(&cooled)), "{miss}");
    // In words, and of a greedy posterior, which has no targets to miss.
    let shown =
        folder.lcc("sample --data d.csv --sampler smc --ladder rows --particles 64 --quiet");
    assert!(shown.expect(0).out.contains("nats a row"));
    for (more, part) in [
        ("--sampler smc --ladder rows:1", "is none of"),
        ("--sampler smc --ladder rows:x", "is none of"),
        ("--sampler tempering --ladder rows", "--ladder rows is of smc"),
        ("--sampler tempering --ladder cooling:.1", "--ladder cooling is of smc"),
        ("--sampler smc --ladder cooling:2", "is none of"),
        ("--sampler gibbs --ladder rows", "of smc and tempering, not of gibbs"),
    ] {
        folder.lcc(&format!("sample --data d.csv {more}")).fails(2, &[part]);
    }
}
