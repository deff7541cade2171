//! The data sets, their fixed splits, and aligned memory for objects under test.

use crate::{json, read};

/// A data set: inputs row by row, the target last in the file.
#[derive(Clone, Debug)]
pub struct Table {
    /// d.
    pub inputs: usize,
    /// n rows of d numbers.
    pub x: Vec<f64>,
    /// n targets.
    pub y: Vec<f64>,
    name: String,
}

/// A training and a test set.
#[derive(Clone, Debug)]
pub struct Split {
    /// d.
    pub inputs: usize,
    /// Rows to fit.
    pub train_x: Vec<f64>,
    /// Their targets.
    pub train_y: Vec<f64>,
    /// Rows to predict.
    pub test_x: Vec<f64>,
    /// Their targets.
    pub test_y: Vec<f64>,
}

impl Table {
    /// Reads `data/NAME.csv`.
    pub fn read(name: &str) -> Self {
        let text = read(&format!("data/{name}.csv"));
        let mut lines = text.lines();
        let inputs = lines.next().map_or(0, |h| h.split(',').count() - 1);
        let (mut x, mut y) = (Vec::new(), Vec::new());
        for line in lines.filter(|l| !l.is_empty()) {
            let row: Vec<f64> = line
                .split(',')
                .map(|v| v.trim().parse().unwrap_or_else(|e| panic!("{name}: {v}: {e}")))
                .collect();
            assert_eq!(row.len(), inputs + 1, "{name}");
            x.extend_from_slice(&row[..inputs]);
            y.push(row[inputs]);
        }
        Self { inputs, x, y, name: name.into() }
    }

    /// Split k of `data/splits/NAME.json`; `small` takes the 500-row training subset where there is one.
    pub fn split(&self, k: usize, small: bool) -> Split {
        let split = &json(&format!("data/splits/{}.json", self.name))["splits"][k];
        let rows = |key: &str| -> Option<Vec<usize>> {
            let list = split[key].as_array()?;
            Some(list.iter().filter_map(|v| v.as_u64()).map(|v| v as usize).collect())
        };
        let test = rows("test").expect("test rows");
        let all = || (0..self.y.len()).filter(|i| !test.contains(i)).collect();
        let train: Vec<usize> = if small { rows("train_500").unwrap_or_else(all) } else { all() };
        let d = self.inputs;
        let pick = |rows: &[usize]| -> (Vec<f64>, Vec<f64>) {
            let x = rows.iter().flat_map(|i| self.x[i * d..(i + 1) * d].iter().copied()).collect();
            (x, rows.iter().map(|i| self.y[*i]).collect())
        };
        let ((train_x, train_y), (test_x, test_y)) = (pick(&train), pick(&test));
        Split { inputs: d, train_x, train_y, test_x, test_y }
    }
}

/// A block of bytes aligned to 16.
#[derive(Debug)]
pub struct Memory {
    bytes: Vec<u8>,
    start: usize,
    length: usize,
}

impl Memory {
    /// As many bytes, filled with a pattern that no object should rely on.
    pub fn new(length: usize) -> Self {
        let bytes = vec![0xA5; length + 16];
        let start = bytes.as_ptr().align_offset(16);
        Self { bytes, start, length }
    }
    /// The bytes.
    pub fn bytes(&mut self) -> &mut [u8] {
        &mut self.bytes[self.start..][..self.length]
    }
}
