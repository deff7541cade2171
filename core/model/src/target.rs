//! What the target is: real numbers, classes or counts, and the output of the network that goes with it. As the user says;
//! else guessed from the values, which is said together with how to change it.

use crate::columns::Columns;
use crate::fault::Fault;
use crate::rows::{Picked, Rows};
use crate::table::{is_missing, is_numeric};
use crate::text::real;
use lcc_core::network::Output;

/// Classes that are numbers are no more than these.
const MOST_GUESSED: usize = 20;

/// What a target is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// A real number.
    #[default]
    Numbers,
    /// One of some classes.
    Classes,
    /// A count.
    Counts,
}

/// A target and the output for it.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// What it is.
    pub kind: Kind,
    /// The output; of classes that were not named, of two until their number is known.
    pub output: Output,
    named: bool,
    guessed: bool,
    /// Real numbers whose noise is for short fits to choose.
    pub open: bool,
    /// Nats by which they prefer the output to student-t on held-out rows; 0: they do not.
    pub ahead: f64,
    /// The standard error of that.
    pub error: f64,
    /// Whether they prefer known scales to one for each of many inputs.
    pub known: bool,
    /// Real numbers that are whole and not below 0: they might be counts or classes.
    whole: bool,
}

impl Default for Target {
    fn default() -> Self {
        Self {
            kind: Kind::Numbers,
            output: Output::StudentT,
            named: true,
            guessed: false,
            open: false,
            ahead: 0.0,
            error: 0.0,
            known: false,
            whole: false,
        }
    }
}

/// The values of a target.
struct Facts {
    numbers: usize,
    words: usize,
    /// Up to one more than [`MOST_GUESSED`], and how often each is there.
    values: Vec<(f64, usize)>,
    /// All are, and none is below 0.
    whole: bool,
}

impl Facts {
    fn of(from: &Picked, column: usize) -> Self {
        let mut f = Self { numbers: 0, words: 0, values: Vec::new(), whole: true };
        for (_, cell) in from.cells(column).filter(|(_, cell)| !is_missing(cell)) {
            let Some(value) = real(cell) else {
                f.words += usize::from(!is_numeric(cell));
                continue;
            };
            f.numbers += 1;
            f.whole &= value >= 0.0 && value.floor() == value;
            let known = f.values.iter().position(|(own, _)| *own == value);
            match known {
                Some(k) => f.values[k].1 += 1,
                None if f.values.len() <= MOST_GUESSED => f.values.push((value, 1)),
                None => {}
            }
        }
        f
    }

    /// Whether whole numbers are surely names: 0 or 1 and on without a gap, each at least half as frequent as the average,
    /// and five times. Counts have rare values at their end, measurements gaps.
    fn number_classes(&self) -> bool {
        let distinct = self.values.len();
        if !self.whole || distinct > MOST_GUESSED {
            return false;
        }
        let common = |count: usize| count >= 5 && 2 * count * distinct >= self.numbers;
        let least = self.values.iter().fold(f64::INFINITY, |least, (v, _)| least.min(*v));
        let most = self.values.iter().fold(-f64::INFINITY, |most, (v, _)| most.max(*v));
        self.values.iter().all(|(_, count)| common(*count))
            && least <= 1.0
            && most - least == distinct as f64 - 1.0
    }

    fn guess(&self, exposed: bool) -> Kind {
        // Words among numbers are refused later, by name.
        let two = self.words == 0 && (self.values.len() == 2 || self.number_classes());
        match (exposed, self.numbers, self.words) {
            (true, ..) => Kind::Counts,
            (_, 0, 0) => Kind::Numbers,
            (_, 0, _) => Kind::Classes,
            _ if two => Kind::Classes,
            _ => Kind::Numbers,
        }
    }
}

/// That every y of rows is what an output can be.
pub(crate) fn check(output: Output, rows: &Rows) -> Result<(), Fault> {
    let wrong = |y: f64| match output {
        Output::Poisson | Output::NegativeBinomial if y < 0.0 || y.floor() != y => {
            Some("is no count: counts are whole numbers from 0")
        }
        Output::LogNormal if !(y > 0.0) => Some(
            "is not above 0, as log-normal numbers are (0 among them: --output hurdle-log-normal)",
        ),
        Output::Gamma if !(y > 0.0) => {
            Some("is not above 0, as gamma numbers are (0 among them: --output hurdle-gamma)")
        }
        own if own.has_hurdle() && y < 0.0 => {
            Some("is below 0, which no log-normal or gamma number is")
        }
        _ => None,
    };
    let Some(target) = rows.target else { return Ok(()) };
    let mut all = rows.targets().iter().enumerate().filter(|(_, y)| !y.is_nan());
    let found = all.find_map(|(i, y)| Some((i, wrong(*y)?)));
    found.map_or(Ok(()), |(i, what)| Err(rows.table.refuse(rows.origin[i], target, what)))
}

/// The names of outputs, and what stands for whichever suits.
pub(crate) fn output_names() -> impl Iterator<Item = &'static str> {
    Output::ALL.into_iter().map(Output::name).chain(["regression", "classes", "counts"])
}

impl Target {
    /// What `given` names: an output, or regression, classes or counts; guessed where there is none, from rows that have
    /// their target in this column: classes where it holds words, exactly two values, or whole numbers 0 or 1 to K, K at
    /// most 20, each of them common; counts where there is an exposure; else real numbers.
    pub fn choose(
        given: Option<&str>,
        exposure: Option<&str>,
        from: &Picked,
        column: usize,
    ) -> Result<Self, Fault> {
        let facts = Facts::of(from, column);
        let name = given.unwrap_or(match facts.guess(exposure.is_some()) {
            Kind::Numbers => "regression",
            Kind::Classes => "classes",
            Kind::Counts => "counts",
        });
        let known = Output::from_name(name);
        let (kind, output) = match (known, name) {
            (_, "regression") => (Kind::Numbers, Output::StudentT),
            (_, "classes") => (Kind::Classes, Output::Bernoulli),
            (_, "counts") => (Kind::Counts, Output::NegativeBinomial),
            (Some(own @ (Output::Poisson | Output::NegativeBinomial)), _) => (Kind::Counts, own),
            (Some(own), _) if own.is_class() => (Kind::Classes, own),
            (Some(own), _) => (Kind::Numbers, own),
            (None, _) => return Err(crate::text::unknown("--output", name, output_names())),
        };
        if exposure.is_some() && kind != Kind::Counts {
            let what = format!("fit: --exposure is for counts, not for --output {name}");
            return Err(Fault::usage(what));
        }
        Ok(Self {
            kind,
            output,
            named: known.is_some(),
            guessed: given.is_none(),
            open: name == "regression",
            whole: facts.whole && facts.words == 0,
            ..Self::default()
        })
    }

    /// Settles the output of classes, once their number is known.
    pub(crate) fn settle(&mut self, columns: &Columns) -> Result<(), Fault> {
        let classes = columns.target.levels.len();
        if self.kind != Kind::Classes {
            return Ok(());
        }
        if !self.named {
            self.output = if classes == 2 { Output::Bernoulli } else { Output::Softmax };
        }
        if self.output == Output::Bernoulli && classes != 2 {
            let name = &columns.target.name;
            return Err(Fault::failed(format!(
                "the target \"{name}\" has {classes} classes, bernoulli takes two (--output classes)"
            )));
        }
        Ok(())
    }

    /// That every y is what the output can be.
    pub(crate) fn check(&self, rows: &Rows) -> Result<(), Fault> {
        check(self.output, rows)
    }

    /// One line: what y is taken for, and where that was guessed, how to say otherwise.
    pub fn describe(&self, columns: &Columns) -> String {
        let (t, output) = (&columns.target, self.output.name());
        let other = match self.kind {
            _ if !self.guessed => "",
            Kind::Classes if t.levels.first().is_some_and(|l| real(l).is_none()) => "",
            Kind::Classes => " (--output regression: numbers)",
            Kind::Counts => " (--output poisson: without overdispersion)",
            Kind::Numbers if self.whole => " (--output counts or classes, if they are such)",
            Kind::Numbers => "",
        };
        let counts = self.output.is_counts();
        let such = self.guessed && self.kind == Kind::Numbers && self.whole && !counts;
        let whole = if such { "; counts or classes, if they are such" } else { "" };
        let shown = crate::table::shown;
        match (self.kind, t.levels.as_slice()) {
            (Kind::Classes, [first, .., last]) => {
                let to = if t.levels.len() == 2 { "and" } else { "to" };
                let count = t.levels.len();
                let (first, last) = (shown(first), shown(last));
                format!("{}: {count} classes, {first} {to} {last}, by {output}{other}", t.name)
            }
            _ if self.ahead > 0.0 => {
                let why = match self.output {
                    Output::StudentT => "the many inputs tell it together",
                    Output::Mixture => "several normal distributions fit them better",
                    Output::LogNormal | Output::Gamma | Output::NegativeBinomial => {
                        "the noise grows with the number"
                    }
                    _ => "the noise differs from row to row",
                };
                let known = if self.known { ", and known scales" } else { "" };
                let without = match self.output {
                    Output::StudentT => "learnt scales on held-out rows (--network scales=inputs",
                    _ => "student-t on held-out rows (--output student-t",
                };
                let numbers = if counts { "counts" } else { "numbers" };
                format!(
                    "{}: {numbers}, by {output}{known}: {why}, {:.0} +- {:.0} nats\n            ahead of {without}: without{whole})",
                    t.name, self.ahead, self.error
                )
            }
            _ if self.open && self.output.has_hurdle() => format!(
                "{}: numbers, many of them 0, by {output}: whether it is 0, and how large it is else\n            \
                 (--output student-t: without{whole})",
                t.name
            ),
            (Kind::Counts, _) => format!("{}: counts, by {output}{other}", t.name),
            _ => format!("{}: numbers, by {output}{other}", t.name),
        }
    }
}
