//! What a fit of a file is asked.

use super::Others;
use crate::columns::{Missing, Unknown};
use crate::methods::{Choice, GreedySettings, LongSettings, StreamSettings};
use crate::network::Settings;
use lcc_core::estimator::BnnMethod;
use lcc_core::estimator::prequential::Averaging;
use web_time::Instant;

/// The method, of which [`Settings::method`] says more where it is the network's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The network of any depth and output.
    Bnn,
    /// One layer by a few long chains.
    Network,
    /// Greedy Bayes.
    Greedy,
    /// Its online form.
    Prequential,
    /// Greedy least squares.
    Relaxed,
}

/// Which rows are held out.
#[derive(Clone, Debug, Default)]
pub enum Held {
    /// None.
    #[default]
    None,
    /// Those of a file.
    File(String),
    /// Those of a split in a file, and whether its subset of training rows is taken.
    Split(String, usize, bool),
    /// A share by the seed.
    Share(f64),
}

/// All of it.
#[derive(Clone, Debug)]
pub struct Request {
    /// The file of the rows.
    pub data: String,
    /// The target's column.
    pub target: String,
    /// Test rows.
    pub held: Held,
    /// Folds of cross-validation; 0: none.
    pub folds: usize,
    /// How often, by other folds.
    pub repeats: usize,
    /// The share of the training rows that train.
    pub trained_share: f64,
    /// Whether scores after fewer training rows are asked for.
    pub curve: bool,
    /// Rows to follow one by one.
    pub stream: Option<String>,
    /// How.
    pub following: StreamSettings,
    /// Columns of words.
    pub categorical: Option<String>,
    /// The exposure's column.
    pub exposure: Option<String>,
    /// What y is.
    pub output: Option<String>,
    /// Components of a mixture; 0: not given.
    pub components: u32,
    /// Between cells.
    pub delimiter: Option<String>,
    /// Columns left out.
    pub drop: Option<String>,
    /// Columns that stay.
    pub only: Option<String>,
    /// Columns that identify rows.
    pub id: Option<String>,
    /// Of missing values.
    pub missing: Missing,
    /// Of unknown categories.
    pub unknown: Unknown,
    /// Seconds.
    pub time: Option<f64>,
    /// When it began.
    pub began: Instant,
    /// Whether trajectories and starts are not to be shortened.
    pub whole: bool,
    /// Whether the precision was asked for.
    pub precision_given: bool,
    /// The probability of the intervals.
    pub interval: f64,
    /// No temperature for classes.
    pub no_calibration: bool,
    /// The method's name.
    pub method_name: String,
    /// And the method.
    pub method: Method,
    /// Of the network.
    pub settings: Settings,
    /// Of few long chains.
    pub long: LongSettings,
    /// Of greedy methods.
    pub greedy: GreedySettings,
    /// Levels and V to choose from.
    pub choice: Choice,
    /// Of the prequential form.
    pub averaging: Averaging,
    /// The record of the chains is asked for.
    pub traced: bool,
    /// What runs other methods than the network's, and streams: [`Others::ALL`].
    pub others: Option<Others>,
}

impl Request {
    /// A fit of the column y of a file by a method of the network, where nobody says otherwise.
    pub fn of(data: &str, method: BnnMethod) -> Self {
        Self {
            data: data.into(),
            target: "y".into(),
            held: Held::None,
            folds: 0,
            repeats: 1,
            trained_share: 1.0,
            curve: false,
            stream: None,
            following: StreamSettings::default(),
            categorical: None,
            exposure: None,
            output: None,
            components: 0,
            delimiter: None,
            drop: None,
            only: None,
            id: None,
            missing: Missing::Refuse,
            unknown: Unknown::Refuse,
            time: None,
            began: Instant::now(),
            whole: false,
            precision_given: false,
            interval: 0.9,
            no_calibration: false,
            method_name: method.name().into(),
            method: Method::Bnn,
            settings: Settings::of(method),
            long: LongSettings::default(),
            greedy: GreedySettings::default(),
            choice: Choice::default(),
            averaging: Averaging::Last,
            traced: false,
            others: None,
        }
    }

    /// In which precision.
    pub fn is_double(&self) -> bool {
        match self.method {
            Method::Bnn => self.settings.double,
            Method::Network => self.long.double,
            _ => self.greedy.double,
        }
    }

    /// The name of that.
    pub fn precision(&self) -> &'static str {
        if self.is_double() { "f64" } else { "f32" }
    }

    /// In double precision, where single would lose data and nobody asked for it.
    pub(super) fn set_double(&mut self) {
        (self.settings.double, self.long.double, self.greedy.double) = (true, true, true);
    }

    /// Names the random numbers.
    pub fn seed(&self) -> u64 {
        self.settings.seed
    }
}
