//! The algorithms and the bounds of the papers from the command line, beside the library and closed forms.

mod common;
use common::{Folder, parse_csv, table};
use lcc_core::activation::Activation;
use lcc_core::coupling::Sides;
use lcc_core::data::{Dataset, Inputs};
use lcc_core::estimator::prequential::Averaging;
use lcc_core::estimator::relaxed::{RelaxedGreedy, RelaxedMethod, RelaxedOptions};
use lcc_core::estimator::{GreedyBayes, GreedyOptions, Prequential, PrequentialOptions, Status};
use lcc_core::likelihood::Signs;
use lcc_core::prior::Prior;
use lcc_core::problem::Problem;
use lcc_core::sampler::{Column, Method, Progress, Sampler, SamplerOptions};
use lcc_core::simd::Isa;
use lcc_core::smc::{Ladder, SmcOptions};
use lcc_core::theory::{bounds, complexity, regret};
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
        ("--inner 3", "of gibbs, xi-langevin, xi-mala and reverse-diffusion, not of auto"),
        ("--sampler hmc --langevin-step .1", "of xi-langevin, xi-mala and langevin, not of hmc"),
        ("--sampler gibbs --fresh", "of xi-langevin, xi-mala and reverse-diffusion, not of gibbs"),
        ("--sampler xi-langevin --burn-in 3", "--fresh"),
        ("--sampler xi-mala --coupling none", "works on a coupling"),
        ("--sampler xi-langevin --levels 3", "of reverse-diffusion, not of xi-langevin"),
        ("--sampler smc --diffusion-time 1", "of reverse-diffusion, not of smc"),
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

fn greedy(options: &GreedyOptions<f64>, data: &Dataset<'_, f64>) -> Vec<u8> {
    let mut memory = Aligned::new(GreedyBayes::size(options, 40, 2).expect("size"));
    let mut fit = GreedyBayes::init(memory.bytes(), options, Isa::detect(), data).expect("init");
    while fit.step(data, 1 << 24).expect("a step") == Status::Running {}
    let mut model = vec![0; fit.model_size().expect("size")];
    let length = fit.write_model(&mut model, &mut vec![0.0; 10_000]).expect("a model");
    model.truncate(length);
    model
}

fn prequential(options: &PrequentialOptions<f64>, data: &Dataset<'_, f64>) -> Vec<u8> {
    let mut memory = Aligned::new(Prequential::size(options, 40, 2).expect("size"));
    let mut fit =
        Prequential::init(memory.bytes(), options, Isa::detect(), 40, 2, None).expect("init");
    for i in 0..40 {
        let row = [data.inputs.at(i, 0), data.inputs.at(i, 1)];
        fit.observe(&row, data.y()[i]).expect("a row");
        while fit.step(1 << 24).expect("a step") == Status::Running {}
    }
    let mut model = vec![0; fit.model_size().expect("size")];
    let mut scratch = vec![0.0; 10_000];
    let length = fit.write_model(Averaging::Printed, &mut model, &mut scratch).expect("a model");
    model.truncate(length);
    model
}

/// The model of a C array, which knows nothing of columns.
fn bare(folder: &Folder) -> Vec<u8> {
    let source = folder.text("m.h");
    let body = source.split(['{', '}']).nth(1).expect("braces");
    let bytes = body.split(',').map(str::trim).filter(|byte| !byte.is_empty());
    bytes.map(|byte| byte.parse().expect("a byte")).collect()
}

/// As printed: the models are those of the library's `papers` options, byte by byte.
#[test]
fn as_printed_is_the_algorithm_of_the_papers() {
    let folder = with_data("as_printed");
    let (x, y) = rows();
    let data = Dataset::new(Inputs::row_major(&x, 40, 2).expect("inputs"), &y).expect("data");
    let model = |flags: &str| {
        folder
            .lcc(&format!(
                "fit --data d.csv --as-printed --precision f64 --c-array m.h --json r.json --quiet \
                 {flags}"
            ))
            .expect(0);
        bare(&folder)
    };
    let ball = Prior::L1Ball { radius: 2.0 };
    let own = model("--method greedy --levels 5 --prior l1 --scale 2");
    assert!(own == greedy(&GreedyOptions::papers(40, 5, ball), &data), "greedy");
    let parameters = &folder.json("r.json")["parameters"];
    let root = 1.0 / 40_f64.sqrt();
    for (name, value) in [("alpha", root), ("beta", root), ("outer", 1.0), ("holdout", 0.0)] {
        assert_eq!(parameters[name], value, "{name}");
    }
    assert_eq!(parameters["form"], "tilt");
    let own = model(
        "--method greedy --levels 5 --prior l1 --scale 2 --outer 1.5 --alpha .5 --form quadratic",
    );
    let printed = GreedyOptions::papers(40, 5, ball);
    let form = GreedyOptions::<f64>::default().form;
    let other = GreedyOptions { outer: 1.5, alpha: 0.5, form, ..printed };
    assert!(own == greedy(&other, &data), "what is given goes before what is printed");
    let gaussian = Prior::Gaussian { sd: 1.0 };
    let own = model("--method prequential --levels 3");
    let printed = PrequentialOptions::papers(40, 3, gaussian);
    assert!(own == prequential(&printed, &data), "prequential");
    folder
        .lcc("fit --data d.csv --method greedy --as-printed --holdout .1")
        .fails(2, &["holds no rows out"]);
    folder.lcc("fit --data d.csv --as-printed").fails(2, &["not of --method bnn"]);
}

#[test]
fn greedy_least_squares_is_that_of_the_library() {
    let folder = with_data("relaxed");
    let (x, y) = rows();
    let data = Dataset::new(Inputs::row_major(&x, 40, 2).expect("inputs"), &y).expect("data");
    for (update, method) in [
        ("relaxed", RelaxedMethod::Relaxed),
        ("frank-wolfe", RelaxedMethod::FrankWolfe),
        ("orthogonal", RelaxedMethod::Orthogonal),
    ] {
        for printed in [false, true] {
            let as_printed = if printed { "--as-printed" } else { "" };
            folder
                .lcc(&format!(
                    "fit --data d.csv --method relaxed --update {update} --levels 6 --outer 2 --scale 3 \
                     --precision f64 --c-array m.h --json r.json --quiet {as_printed}"
                ))
                .expect(0);
            let options = RelaxedOptions {
                method: method.into(),
                levels: 6,
                outer: 2.0,
                radius: 3.0,
                standardise: (!printed).into(),
                intercept: (!printed).into(),
                ..Default::default()
            };
            let mut memory = Aligned::new(RelaxedGreedy::size(&options, 40, 2).expect("size"));
            let mut fit =
                RelaxedGreedy::init(memory.bytes(), &options, Isa::detect(), &data).expect("init");
            while fit.step(&data, 1 << 24).expect("a step") == Status::Running {}
            let mut model = vec![0; fit.model_size().expect("size")];
            let length = fit.write_model(&mut model, &mut vec![0.0; 10_000]).expect("a model");
            assert!(bare(&folder) == model[..length], "{update} {as_printed}");
            let json = folder.json("r.json");
            let last = fit.level_report(5).expect("a level");
            assert_eq!(json["relaxed"]["error"], last.error);
            assert_eq!(json["relaxed"]["bound"], last.bound);
            assert_eq!(json["relaxed"]["variation"], last.variation);
            assert_eq!(json["relaxed"]["gap"].as_f64().is_some(), update == "frank-wolfe");
            assert_eq!(json["levels_used"], 6);
        }
    }
    for (flags, part) in [
        ("--method relaxed --keep 3", "not of --method relaxed"),
        ("--method relaxed --alpha 1", "not of --method relaxed"),
        ("--method greedy --update relaxed", "not of --method greedy"),
        ("--method relaxed --update jones", "this build has no \"jones\""),
    ] {
        folder.lcc(&format!("fit --data d.csv {flags}")).fails(2, &[part]);
    }
}

/// Closed forms, and the functions of the core, of numbers given on the command line.
#[test]
fn bounds_are_those_of_the_theory() {
    let folder = Folder::new("theory");
    folder
        .lcc(
            "theory --variation 2.5 --inputs 6 --layers 3 --rows 400 --neurons 20 --beta .5 --distance .3 \
             --json t.json",
        )
        .expect(0);
    let json = folder.json("t.json");
    let near = |key: &str, value: f64| {
        let own = json[key].as_f64().unwrap_or_else(|| panic!("{key}: {json}"));
        assert!((own - value).abs() <= 1e-14 * value, "{key}: {own} {value}");
    };
    let c = 2.5 * (2.0 * 12_f64.ln() + 6.0 * 2_f64.ln()).sqrt();
    let sharp = std::f64::consts::TAU * 2_f64.ln();
    near("approximation", 2.5 * 2.5 / 20.0);
    near("risk_of_neurons", 2.5 * 2.5 / 20.0 + 20.0 * (12_f64.ln() + 3.0) / 400.0);
    near("risk", 2.5 * ((12_f64.ln() + 3.0) / 400.0).sqrt());
    near("gaussian_complexity", c);
    near("covering_published", 16.0 * c * c / 0.09);
    near("covering", sharp * c * c / 0.09);
    near("least_by_cover_published", 8.0 * c / 20.0);
    near("least_by_cover", 2.0 * sharp.sqrt() * c / 20.0);
    near("yang_barron", c * (sharp / 400.0).sqrt());
    near("renyi", c * (2.0 * sharp / 400.0).sqrt());
    near("regret", 2.5 * (6_f64.ln() / 400.0).sqrt());
    near("risk", bounds::risk(2.5, 6, 3, 400));
    near("least_by_cover", complexity::least_by_cover(c, 400));
    near("regret", regret::of_variation(2.5, 6, 400));
    assert!(json["network"].is_null());
    // Not given: one layer, V = 1, the M that suits N best, the distance where the sum is least.
    folder.lcc("theory --inputs 6 --rows 400 --json t.json").expect(0);
    let json = folder.json("t.json");
    let number = |key: &str| json[key].as_f64().unwrap_or_else(|| panic!("{key}: {json}"));
    let nats = 12_f64.ln() + 1.0;
    let sum = |m: f64| 1.0 / m + m * nats / 400.0;
    let best = number("neurons");
    assert!(sum(best) <= sum(best - 1.0) && sum(best) <= sum(best + 1.0));
    let e = number("distance");
    let at_least = e * e + number("covering") / 400.0;
    assert!((at_least / number("least_by_cover") - 1.0).abs() < 1e-14);
    assert_eq!((number("variation"), number("layers"), number("beta")), (1.0, 1.0, 1.0));
    // What a person reads has the same numbers.
    let shown = folder.lcc("theory --inputs 6 --rows 400").expect(0).out;
    assert!(shown.contains("as printed") && shown.contains("least_by_cover_published"), "{shown}");
}

/// V_L of a network by enumeration of its paths, and what it gives V, d, L and M.
#[test]
fn a_network_has_the_variation_of_its_paths() {
    let folder = Folder::new("theory_network");
    folder.write(
        "w.json",
        "{\"note\": [1, \"x\"], \"weights\": [[[1, -2, 0.5], [0.25, 1e0, -1]], [[3, -1], [0, 2], [-0.5, 4]],\n \
         [[1, -2, 0.5]]]}",
    );
    folder.lcc("theory --network w.json --rows 100 --json t.json").expect(0);
    let json = folder.json("t.json");
    let (a, b, c): ([[f64; 3]; 2], [[f64; 2]; 3], [f64; 3]) = (
        [[1.0, -2.0, 0.5], [0.25, 1.0, -1.0]],
        [[3.0, -1.0], [0.0, 2.0], [-0.5, 4.0]],
        [1.0, -2.0, 0.5],
    );
    let mut paths = [0.0; 3];
    for (k, c) in c.iter().enumerate() {
        for m in 0..2 {
            for (path, a) in paths.iter_mut().zip(a[m]) {
                *path += (a * b[k][m] * c).abs();
            }
        }
    }
    let total: f64 = paths.iter().sum();
    let own: Vec<f64> = json["network"]["paths"]
        .as_array()
        .expect("paths")
        .iter()
        .map(|p| p.as_f64().expect("a number"))
        .collect();
    assert_eq!(own, paths);
    for (key, value) in [("variation", total), ("inputs", 3.0), ("layers", 2.0), ("neurons", 3.0)] {
        assert_eq!(json[key].as_f64(), Some(value), "{key}: {json}");
    }
    assert_eq!(json["network"]["variation"], total);
    for (text, part) in [
        ("{}", "no \"weights\""),
        ("{\"weights\": []}", "no \"weights\""),
        ("{\"weights\": [[]]}", "a matrix without rows"),
        ("{\"weights\": [[[]]]}", "a row without weights"),
        ("{\"weights\": [[[1, 2], [1]]]}", "a row of another length"),
        ("{\"weights\": [[[1, 2]], [[1, 2]]]}", "a row of another length"),
        ("{\"weights\": [[[1, \"2\"]]]}", "line 1"),
        ("{\"weights\": [[[1e999]]]}", "too large"),
        ("{\"weights\": [[[1]]], \"weights\": [[[1]]]}", "there before"),
    ] {
        folder.write("b.json", text);
        folder.lcc("theory --network b.json --rows 9").fails(1, &["b.json", part]);
    }
    folder.lcc("theory --network none.json --rows 9").fails(1, &["none.json"]);
    for (flags, part) in [
        ("--inputs 3", "--rows is missing"),
        ("--rows 3", "either --inputs or --network"),
        ("--rows 0 --inputs 3", "from 1 to"),
        ("--rows 3 --inputs 3 --beta 0", "above 0"),
        ("--rows 3 --inputs 3 --data d.csv", "no option"),
    ] {
        folder.lcc(&format!("theory {flags}")).fails(2, &[part]);
    }
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
    folder.lcc(&format!("{flags} --ladder cooling:.1")).fails(1, &["first Gaussian of a cooling"]);
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
