//! `lcc vae fit`: the fit, and what stands beside its bound.

use super::{DIGITS, figures, model, rows, target};
use crate::args::{Given, choice, command, json, options, seed};
use crate::commands::fit::reference;
use crate::commands::problem::ABOVE;
use crate::draw::Tile;
use crate::files::Outputs;
use crate::json::{Json, members};
use crate::terminal::{Done, Person, Stop, out, outln, refuse, usage};
use clap::Command;
use lcc_model::lcc_core::activation::Activation;
use lcc_model::lcc_core::estimator::{VaeBound, VaeOptions};
use lcc_model::lcc_core::network::Observed;
use lcc_model::network::widths;
use lcc_model::rows::Rows;
use lcc_model::splits;
use lcc_model::text::{fixed, general, real as number};
use lcc_model::vae::{AutoEncoder, Pca, Shape, pca};
use lcc_model::watch::Watch;
use std::time::Instant;

/// Rows with more columns have no PCA beside them: it takes their cube.
const MOST_COLUMNS: usize = 1000;
const COUNT: (u32, u32) = (1, u32::MAX - 1);

/// Its options.
pub(super) fn options() -> Command {
    let examples = "  lcc vae fit --data digits.csv --image 8x8 --model d.vae --plot p\n";
    command("fit", "learns k coordinates of rows, and what rows are given them", examples)
        .args(options! {
            text "data" "D.csv": "the rows";
            + target();
            count(1, 4096) "latent" "K": "coordinates, z ~ N(0, I) [2]";
            text "layers" "A,B,...": "hidden layers of the encoder, the decoder's being the same backwards; \
                0: none, which is probabilistic PCA [32]";
            text "output" "gaussian|bernoulli": "numbers with noise of one sd, or shares of a largest value \
                [gaussian]";
            text "activation" "NAME": "see lcc --version [tanh]";
            real(ABOVE) "largest" "B": "bernoulli: of the rows, as 16 of grey values [1]";
            real(ABOVE) "noise" "S": "gaussian: the sd of the noise [learnt]";
            count(COUNT) "steps" "N": "steps of Adam [5000]";
            count(0, COUNT.1) "batch" "B": "rows of a step, drawn at random; 0: all [0]";
            real(ABOVE) "rate" "R": "of the first half of the steps, then falling to 0 [0.005]";
            + seed();
            text "test" "T.csv": "held-out rows";
            text "split" "FILE:K": "or which rows are held out";
            count(2, 1_000_000) "draws" "N": "of z, for the bound of each row [100]";
            + model();
            text "plot" "PREFIX": "PREFIX-grid.svg (two coordinates), -rows.svg, -draws.svg";
            text "image" "WxH": "the plots show rows as pictures [a line]";
            + json();
        })
}

/// All that is asked.
pub(super) struct Asked<'a> {
    pub(super) given: &'a Given,
    options: VaeOptions<f64>,
    draws: u32,
    /// Width and height.
    image: Option<(usize, usize)>,
}

fn image(given: &Given) -> Result<Option<(usize, usize)>, Stop> {
    let Some(text) = given.text("image") else { return Ok(None) };
    let side = |text: &str| number(text).filter(|v| (1.0..=4096.0).contains(v)).map(|v| v as usize);
    let own = text.split_once('x').and_then(|(w, h)| Some((side(w)?, side(h)?)));
    let wrong = || usage(format!("vae: --image takes width and height, as 8x8, not \"{text}\""));
    own.ok_or_else(wrong).map(Some)
}

impl<'a> Asked<'a> {
    fn read(given: &'a Given) -> Result<Self, Stop> {
        let usual = VaeOptions::<f64>::default();
        let activation = choice!(given, "activation", Activation, usual.activation.value())?;
        let image = image(given)?;
        let observed = match given.text("output").unwrap_or("gaussian") {
            "gaussian" => Observed::Gaussian,
            "bernoulli" => Observed::Bernoulli,
            other => {
                return Err(usage(format!(
                    "vae: --output is gaussian or bernoulli, not \"{other}\""
                )));
            }
        };
        let options = VaeOptions {
            observed: observed.into(),
            activation: activation.into(),
            latent: given.count("latent").unwrap_or(usual.latent),
            widths: widths(given.text("layers").unwrap_or("32"))?,
            steps: given.count("steps").unwrap_or(usual.steps),
            batch: given.count("batch").unwrap_or(usual.batch),
            seed: given.seed(),
            rate: given.real("rate").unwrap_or(usual.rate),
            noise: given.real("noise").unwrap_or(usual.noise),
            largest: given.real("largest").unwrap_or(usual.largest),
            ..usual
        };
        refuse! { "vae": given.has("test") && given.has("split") => "either --test or --split"; }
        Ok(Self { given, options, draws: given.count("draws").unwrap_or(100), image })
    }

    fn is_gaussian(&self) -> bool {
        self.options.observed == Observed::Gaussian
    }

    /// How a row is shown.
    fn tile(&self, train: &Rows) -> Result<Tile, Stop> {
        let (width, height) = self.image.unwrap_or((train.d, 1));
        if width * height != train.d {
            let text = self.given.text("image").unwrap_or("");
            return Err(usage(format!("vae: --image {text} does not have {} pixels", train.d)));
        }
        let low = train.x.iter().copied().fold(f64::INFINITY, f64::min);
        let high = train.x.iter().copied().fold(-f64::INFINITY, f64::max);
        Ok(Tile { width, height, low, high })
    }
}

/// The bounds of training and held-out rows.
struct Bounds {
    train: VaeBound<f64>,
    test: Option<VaeBound<f64>>,
}

/// What a fit came to, and what stands beside it.
struct Came {
    shape: Shape,
    bounds: Bounds,
    pca: Option<Pca>,
    linear: Option<Bounds>,
    seconds: f64,
}

fn bounds(
    asked: &Asked<'_>,
    own: &mut AutoEncoder,
    train: &Rows,
    test: Option<&Rows>,
) -> Result<Bounds, Stop> {
    let mut of = |rows| own.bound(rows, asked.draws, asked.options.seed);
    Ok(Bounds { train: of(train)?, test: test.map(of).transpose()? })
}

/// The same fit without hidden layers, where there is nothing exact to compare with.
fn linear(
    asked: &Asked<'_>,
    train: &Rows,
    test: Option<&Rows>,
    watch: &dyn Watch,
) -> Result<Option<Bounds>, Stop> {
    if asked.is_gaussian() || asked.options.widths[0] == 0 {
        return Ok(None);
    }
    let options = VaeOptions { widths: [0; 4], ..asked.options };
    let own = AutoEncoder::fit(&options, train, watch)?;
    let mut own = own.ok_or(Stop::Interrupted)?;
    bounds(asked, &mut own, train, test).map(Some)
}

fn write_bound(json: &mut Json, key: &str, b: &VaeBound<f64>) {
    json.object(key, |json| members!(json, b => bound error kl));
}

fn write(asked: &Asked<'_>, r: &Came, train: &Rows, test: Option<&Rows>) -> Vec<u8> {
    let mut json = Json::new(DIGITS);
    json.put("output", asked.given.text("output").unwrap_or("gaussian"));
    json.put("n", train.n);
    json.put("columns", train.d);
    members!(json, r.shape => latent parameters noise);
    write_bound(&mut json, "train", &r.bounds.train);
    if let (Some(bound), Some(test)) = (&r.bounds.test, test) {
        json.put("n_test", test.n);
        write_bound(&mut json, "test", bound);
    }
    if let Some(pca) = &r.pca {
        json.object("pca", |json| members!(json, pca => train test noise));
    }
    if let Some(linear) = &r.linear {
        write_bound(&mut json, "linear_train", &linear.train);
        linear.test.iter().for_each(|test| write_bound(&mut json, "linear_test", test));
    }
    json.put("seconds", r.seconds);
    json.end()
}

fn print_bounds(what: &str, b: &Bounds) {
    let one = |b: &VaeBound<f64>| (fixed(b.bound, 4), fixed(b.error, 4), fixed(b.kl, 2));
    let (bound, error, kl) = one(&b.train);
    out!("{what:<12}{bound} +- {error} a row, KL {kl}");
    if let Some((bound, error, kl)) = b.test.as_ref().map(one) {
        out!("; held out {bound} +- {error}, KL {kl}");
    }
    outln!("");
}

fn print(asked: &Asked<'_>, r: &Came, train: &Rows) {
    let (shape, steps) = (&r.shape, asked.options.steps);
    outln!(
        "{} rows of {} columns, {} coordinates, {} parameters, {steps} steps, {:.2} s",
        train.n,
        train.d,
        shape.latent,
        shape.parameters,
        r.seconds
    );
    let density = "a log density";
    let score = "Bernoulli: of grey values a score";
    outln!("a lower bound of ln p, {}", if asked.is_gaussian() { density } else { score });
    print_bounds("bound", &r.bounds);
    if let Some(pca) = &r.pca {
        out!("{:<12}{} a row", "PCA", fixed(pca.train, 4));
        if r.bounds.test.is_some() {
            out!("; held out {}", fixed(pca.test, 4));
        }
        outln!(" (probabilistic, exact), noise {}", general(pca.noise, 4));
    }
    r.linear.iter().for_each(|linear| print_bounds("linear", linear));
    if asked.is_gaussian() {
        outln!("noise       {}", general(shape.noise, 4));
    }
}

/// The rows to fit, and those held out.
fn choose_rows(
    asked: &Asked<'_>,
    data: &str,
    watch: &dyn Watch,
) -> Result<(Rows, Option<Rows>), Stop> {
    let all = rows(asked.given, data, None, watch)?;
    if let Some(path) = asked.given.text("test") {
        let test = rows(asked.given, path, Some(&all), watch)?;
        return Ok((all, Some(test)));
    }
    let Some(text) = asked.given.text("split") else { return Ok((all, None)) };
    let (path, k) = reference(text)?;
    let (train, test) = splits::read(&path, k, all.n, false)?;
    Ok((all.some(&train), Some(all.some(&test))))
}

/// Fits, and writes all results or none.
pub(super) fn run(given: Given) -> Done {
    let mut asked = Asked::read(&given)?;
    let data = given.text("data").ok_or_else(|| usage("vae: --data is missing"))?;
    let split = given.text("split").map(reference).transpose()?;
    let split = split.as_ref().map(|(path, _)| path.as_str());
    let mut files = Outputs::beside(given.text("test").into_iter().chain(split).chain([data]));
    let person = Person::new(true);
    let (train, test) = choose_rows(&asked, data, &person)?;
    person.catch_interrupts();
    let began = Instant::now();
    if asked.options.batch as usize > train.n {
        asked.options.batch = 0;
    }
    let tile = asked.tile(&train)?;
    let own = AutoEncoder::fit(&asked.options, &train, &person)?;
    let mut own = own.ok_or(Stop::Interrupted)?;
    let seconds = began.elapsed().as_secs_f64();
    let latent = asked.options.latent as usize;
    let compares = asked.is_gaussian() && latent < train.d && train.d <= MOST_COLUMNS;
    let r = Came {
        shape: own.shape()?,
        bounds: bounds(&asked, &mut own, &train, test.as_ref())?,
        pca: compares.then(|| pca(&train, test.as_ref(), latent)),
        linear: linear(&asked, &train, test.as_ref(), &person)?,
        seconds,
    };
    if let Some(prefix) = given.text("plot") {
        let shown = test.as_ref().unwrap_or(&train);
        for (name, figure) in figures(&mut own, shown, &tile, given.seed())? {
            files.add(name, &format!("{prefix}{name}"))?;
            files.put(name, || figure);
        }
    }
    files.open(&given, "json model")?;
    files.put("json", || write(&asked, &r, &train, test.as_ref()));
    let model = own.to_bytes()?;
    files.put("model", || model);
    if files.publish()? {
        print(&asked, &r, &train);
    }
    Ok(())
}
