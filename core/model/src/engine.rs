//! What stands between tables and the core: numbers of either precision, the memory of an object, the pieces of its work.

use crate::Error;
use crate::fault::{Fault, at};
use crate::rows::Rows;
use lcc_core::certificate::Probing;
use lcc_core::checkpoint::{self, Kind};
use lcc_core::data::{Dataset, Inputs};
use lcc_core::estimator::{self, bnn, greedy_bayes, prequential, relaxed};
use lcc_core::predict::NetworkCompiled;
use lcc_core::{sampler, stream, tempering, warmup};

/// f32 or f64, of which everything is compiled once, with this crate.
pub(crate) trait Number:
    bnn::Compiled
    + estimator::Compiled
    + greedy_bayes::Compiled
    + prequential::Compiled
    + relaxed::Compiled
    + stream::Compiled
    + sampler::Compiled
    + tempering::Compiled
    + warmup::Compiled
    + Probing
    + NetworkCompiled
    + Send
    + Sync
{
    /// Significant digits that bring a number back exactly.
    const DIGITS: usize;
}

impl Number for f32 {
    const DIGITS: usize = 9;
}
impl Number for f64 {
    const DIGITS: usize = 17;
}

/// The same expression in the precision that is wanted.
macro_rules! in_precision {
    ($double:expr, $t:ident => $call:expr) => {
        if $double {
            type $t = f64;
            $call
        } else {
            type $t = f32;
            $call
        }
    };
}
pub(crate) use in_precision;

/// Rows in the precision of an object.
pub(crate) struct Copied<T> {
    x: Vec<T>,
    y: Vec<T>,
    weights: Vec<T>,
    groups: Vec<u32>,
    n: usize,
    d: usize,
}

impl<T: Number> Copied<T> {
    pub(crate) fn of(rows: &Rows) -> Self {
        let narrow = |values: &[f64]| values.iter().map(|v| T::lit(*v)).collect();
        let (weights, groups) = (narrow(&rows.weights), rows.groups.clone());
        Self {
            x: narrow(&rows.x),
            y: narrow(rows.targets()),
            weights,
            groups,
            n: rows.n,
            d: rows.d,
        }
    }
    pub(crate) fn inputs(&self) -> Result<Inputs<'_, T>, Error> {
        Inputs::row_major(&self.x, self.n, self.d).map_err(Error::Data)
    }
    pub(crate) fn data(&self) -> Result<Dataset<'_, T>, Error> {
        let mut data = Dataset::new(self.inputs()?, &self.y).map_err(Error::Data)?;
        if !self.weights.is_empty() {
            data = data.weighted(&self.weights).map_err(Error::Data)?;
        }
        if !self.groups.is_empty() {
            data = data.grouped(&self.groups).map_err(Error::Data)?;
        }
        Ok(data)
    }
    pub(crate) fn row(&self, i: usize) -> &[T] {
        &self.x[i * self.d..(i + 1) * self.d]
    }
    pub(crate) fn y(&self) -> &[T] {
        &self.y
    }
}

/// The memory of an object of the core.
#[derive(Default)]
pub(crate) struct Memory {
    words: Vec<u128>,
    bytes: usize,
}

impl Memory {
    pub(crate) fn new(bytes: usize) -> Self {
        Self { words: vec![0; bytes.div_ceil(16)], bytes }
    }
    /// The same, refused where there is not as much: of sizes that a user may ask for.
    pub(crate) fn try_new(bytes: usize, doing: &str) -> Result<Self, Fault> {
        let mut words: Vec<u128> = Vec::new();
        let room = words.try_reserve_exact(bytes.div_ceil(16));
        let refused =
            |_| Fault::failed(format!("{doing}: not enough memory for a run of {bytes} bytes"));
        room.map_err(refused)?;
        // Pages that are not touched are not taken.
        drop(words);
        Ok(Self::new(bytes))
    }
    pub(crate) fn bytes(&mut self) -> &mut [u8] {
        &mut bytemuck::cast_slice_mut(&mut self.words)[..self.bytes]
    }
    pub(crate) fn seen(&self) -> &[u8] {
        &bytemuck::cast_slice(&self.words)[..self.bytes]
    }
    pub(crate) fn size(&self) -> usize {
        self.bytes
    }

    /// The state of the object in it, sealed.
    pub(crate) fn sealed<T: Number>(&self, kind: Kind) -> Result<Vec<u8>, Fault> {
        let size = checkpoint::sealed_size(self.bytes);
        let mut state = vec![0; size.ok_or_else(|| Fault::failed("the run is too large"))?];
        checkpoint::checkpoint(self.seen(), kind, T::BITS, &mut state)
            .map_err(at("the checkpoint"))?;
        Ok(state)
    }

    /// Takes over what was sealed, if that was made with the same options of as many rows: as the first `head` bytes say.
    pub(crate) fn resume<T: Number>(
        &mut self,
        kind: Kind,
        head: usize,
        path: &str,
        sealed: &[u8],
    ) -> Result<(), Fault> {
        let own = checkpoint::unseal(sealed).map_err(at(path))?;
        let alike = (own.kind, own.bits) == (kind, T::BITS)
            && own.state.len() == self.bytes
            && own.state.get(..head) == self.seen().get(..head);
        if !alike {
            return Err(Fault::failed(format!(
                "{path}: the run in it has other options or other data: give those of that run, or run without --resume"
            )));
        }
        self.bytes().copy_from_slice(own.state);
        Ok(())
    }
}

/// That a restored run is somewhere on its way.
pub(crate) fn check_units(path: &str, done: u64, total: u64) -> Result<(), Fault> {
    if total == 0 || done > total {
        return Err(Fault::failed(format!(
            "{path}: is damaged, at {done} of {total} units of work: run without --resume"
        )));
    }
    Ok(())
}

/// Where an object is.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Progress {
    /// Units of work done ...
    pub(crate) done: u64,
    /// ... of so many.
    pub(crate) total: u64,
    pub(crate) gradients: u64,
    pub(crate) warming: bool,
}

/// An object that works in steps.
pub(crate) trait Steps: Send {
    /// Works until a budget of row visits is used up. Whether there is more to do.
    fn step(&mut self, budget: u64) -> Result<bool, Fault>;
    /// Where it is.
    fn progress(&mut self) -> Result<Progress, Fault>;
}

/// Defines `Held`: an object of the core in memory of its own, over its rows, what it is called, and where it is.
macro_rules! held {
    ($object:ident, $options:ident, $doing:expr, $own:ident => $progress:expr) => {
        struct Held<'d, T> {
            memory: Memory,
            data: Dataset<'d, T>,
        }

        impl<'d, T: Number> Held<'d, T> {
            fn make(options: &$options<T>, data: Dataset<'d, T>) -> Result<Self, Fault> {
                let size = $object::size(options, data.n(), data.d()).map_err(at($doing))?;
                let mut memory = Memory::try_new(size, $doing)?;
                $object::init(memory.bytes(), options, Isa::detect(), &data).map_err(at($doing))?;
                Ok(Self { memory, data })
            }
            fn open(&mut self) -> Result<$object<'_, T>, Fault> {
                $object::open(self.memory.bytes(), Isa::detect()).map_err(at($doing))
            }
        }

        impl<T: Number> Steps for Held<'_, T> {
            fn step(&mut self, budget: u64) -> Result<bool, Fault> {
                let data = self.data;
                let status = self.open()?.step(&data, budget).map_err(at("fitting"))?;
                Ok(status == Status::Running)
            }
            fn progress(&mut self) -> Result<Progress, Fault> {
                let $own = self.open()?;
                Ok($progress)
            }
        }
    };
}
pub(crate) use held;

/// An image that a size query and a writer make: the bytes that were written.
pub(crate) fn written<E: std::fmt::Display>(
    size: Result<usize, E>,
    write: impl FnOnce(&mut [u8]) -> Result<usize, E>,
) -> Result<Vec<u8>, Fault> {
    let mut image = vec![0; size.map_err(at("the model"))?];
    let length = write(&mut image).map_err(at("the model"))?;
    image.truncate(length);
    Ok(image)
}
