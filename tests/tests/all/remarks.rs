//! What is remarkable of rows, and that ordinary rows are not.

use lcc_core::data::{Dataset, Inputs};
use lcc_core::random::{Purpose, Stream};
use lcc_core::remarks::{Found, Remark, remarks};

const N: usize = 60;

/// What is said of columns and a target.
fn said(columns: &[Vec<f64>], y: &[f64], real: bool) -> Vec<(i32, u32, u64, f64)> {
    let x: Vec<f64> = columns.concat();
    let inputs = Inputs::new(&x, y.len(), columns.len(), 1, y.len()).unwrap();
    let (mut scratch, mut out) = (vec![0.0; 2 * y.len()], Vec::new());
    remarks(&Dataset::new(inputs, y).unwrap(), real, false, &mut scratch, |f: Found<f64>| {
        out.push((f.remark, f.column, f.rows, f.value));
    });
    out
}

fn normals(seed: u64, n: usize) -> Vec<f64> {
    let mut stream = Stream::new(seed, 0, Purpose::Predictive);
    (0..n).map(|_| stream.normal()).collect()
}

#[test]
fn codes_for_missing_cells_are_far() {
    let (own, y) = (normals(1, N), normals(2, N));
    let mut coded = normals(3, N);
    coded[7] = -9999.0;
    let far = Remark::Far as i32;
    assert_eq!(said(&[own.clone(), coded.clone()], &y, true), [(far, 1, 1, -9999.0)]);
    // Of a twentieth of the rows, and of more, up to a third, where all are one number: others are a law with two parts.
    (coded[8], coded[9]) = (-9999.0, -9999.0);
    assert_eq!(said(&[own.clone(), coded.clone()], &y, true), [(far, 1, 3, -9999.0)]);
    (coded[10], coded[11], coded[12]) = (-9999.0, -9999.0, -9999.0);
    assert_eq!(said(&[own.clone(), coded.clone()], &y, true), [(far, 1, 6, -9999.0)]);
    (7..13).for_each(|i| coded[i] -= i as f64);
    assert_eq!(said(&[own.clone(), coded.clone()], &y, true), []);
    coded[..21].fill(-9999.0);
    assert_eq!(said(&[own, coded], &y, true), []);
}

#[test]
fn ordinary_columns_are_not_remarkable() {
    let y = normals(2, N);
    for seed in 0..50 {
        let own = normals(seed, N);
        let skewed: Vec<f64> = own.iter().map(|z| (1.5 * z).exp()).collect();
        let heavy: Vec<f64> =
            own.iter().zip(normals(seed + 100, N)).map(|(a, b)| a / (0.3 + b.abs())).collect();
        let rare: Vec<f64> =
            own.iter().enumerate().map(|(i, z)| (i == 30 || *z > 1.7) as u8 as f64).collect();
        // A rare category, in cells without a value its share.
        let known = N - 20;
        let share = rare[20..].iter().sum::<f64>() / known as f64;
        let filled: Vec<f64> = [vec![share; 20], rare[20..].to_vec()].concat();
        let grid: Vec<f64> = (0..N).map(|i| i as f64 / 10.0).collect();
        let steps: Vec<f64> = (0..N).map(|i| (i / 2) as f64).collect();
        assert_eq!(said(&[own, skewed, heavy, rare, filled, grid, steps], &y, true), [], "{seed}");
    }
}

#[test]
fn identifiers_repeated_targets_and_wide_rows_are_told() {
    let own = normals(1, N);
    let ids: Vec<f64> = (0..N).map(|i| (1000 + i + i / 10) as f64).collect();
    assert_eq!(
        said(&[own.clone(), ids.clone()], &own, true),
        [(Remark::Counts as i32, 1, 60, 1000.0)]
    );
    // One column alone is what there is to learn from.
    assert_eq!(said(&[ids], &own, true), []);
    let y: Vec<f64> = own.iter().enumerate().map(|(i, z)| if i < 20 { 0.0 } else { *z }).collect();
    assert_eq!(said(&[normals(4, N)], &y, true), [(Remark::Repeated as i32, 1, 20, 0.0)]);
    assert_eq!(said(&[normals(4, N)], &y, false), []);
    let rounded: Vec<f64> = own.iter().map(|z| z.round()).collect();
    assert_eq!(said(&[normals(4, N)], &rounded, true), []);
    let wide: Vec<Vec<f64>> = (0..11).map(|k| normals(k, 10)).collect();
    assert_eq!(said(&wide, &own[..10], true), [(Remark::Wide as i32, 0, 10, 11.0)]);
    let few = (Remark::Few as i32, 0, 9, 9.0);
    assert_eq!(said(&[normals(4, 9)], &own[..9], true), [few]);
}

#[test]
fn a_constant_dates_and_a_row_of_sums_are_told() {
    let (own, y) = (normals(1, N), normals(2, N));
    let constant = Remark::Constant as i32;
    assert_eq!(said(&[own.clone(), vec![3.0; N]], &y, true), [(constant, 1, 60, 1.0)]);
    // As an exposure it is none of the inputs.
    let (x, mut out) = ([own.clone(), vec![3.0; N]].concat(), Vec::new());
    let inputs = Inputs::new(&x, N, 2, 1, N).unwrap();
    let data = Dataset::new(inputs, &y).unwrap();
    remarks(&data, false, true, &mut vec![0.0; 2 * N], |f: Found<f64>| out.push(f));
    assert_eq!(out, []);
    // Of pixels, say, many are: the first stands for all.
    let several = [vec![0.0; N], own.clone(), vec![3.0; N]];
    assert_eq!(said(&several, &y, false), [(constant, 0, 60, 2.0)]);
    let dates: Vec<f64> = (0..N).map(|i| (20_230_101 + i % 28 + i % 12 * 100) as f64).collect();
    let told = (Remark::Dates as i32, 0, 60, 20_230_101.0);
    assert_eq!(said(&[dates.clone(), own.clone()], &y, true), [told]);
    assert_eq!(
        said(std::slice::from_ref(&own), &dates, true),
        [(Remark::Dates as i32, 1, 60, 20_230_101.0)]
    );
    assert_eq!(said(std::slice::from_ref(&own), &dates, false), []);
    let prices: Vec<f64> = dates.iter().enumerate().map(|(i, d)| d + (13 * i) as f64).collect();
    assert_eq!(said(&[prices, own.clone()], &y, true), []);
    // A row of sums, wherever it stands; a column of 0 and 1 is a category, of which there is no sum.
    let mut columns: Vec<Vec<f64>> = vec![
        own.iter().map(|z| z + 3.0).collect(),
        y.iter().map(|z| (*z > 0.0) as u8 as f64).collect(),
    ];
    let mut target: Vec<f64> = normals(3, N).iter().map(|z| z + 9.0).collect();
    columns[0][17] = columns[0].iter().sum::<f64>() - columns[0][17];
    target[17] = target.iter().sum::<f64>() - target[17];
    let far = |column| (Remark::Far as i32, column, 1);
    let found = said(&columns, &target, true);
    assert_eq!(found.last(), Some(&(Remark::Totals as i32, 0, 1, 17.0)));
    let others: Vec<_> = found[..found.len() - 1].iter().map(|f| (f.0, f.1, f.2)).collect();
    assert_eq!(others, [far(0), far(2)]);
    target[17] *= 1.01;
    assert!(said(&columns, &target, true).iter().all(|f| f.0 != Remark::Totals as i32));
}

#[test]
fn heaps_of_few_values_and_copies_are_told() {
    let (own, other) = (normals(1, N), normals(2, N));
    // Most rows are 0 and others 1 or 2; marks of which none is in most rows.
    let few: Vec<f64> =
        (0..N).map(|i| if i % 10 == 3 { 1.0 + (i % 20 / 10) as f64 } else { 0.0 }).collect();
    assert_eq!(
        said(std::slice::from_ref(&own), &few, true),
        [(Remark::Repeated as i32, 1, 54, 0.0)]
    );
    let marks: Vec<f64> = (0..N).map(|i| (i % 9 / 2) as f64).collect();
    assert_eq!(said(std::slice::from_ref(&own), &marks, true), []);
    let twice = |all: &[f64]| [&all[..N / 2], &all[..N / 2]].concat();
    let columns = [twice(&own), twice(&other)];
    let y: Vec<f64> = twice(&normals(3, N));
    assert_eq!(said(&columns, &y, true), [(Remark::Copies as i32, 0, 30, 30.0)]);
    // Of classes where each has the class of its twin; beside a column that differs, or with few columns of few values, they are none.
    let halves: Vec<f64> = (0..N).map(|i| f64::from(i % (N / 2) > 11)).collect();
    assert_eq!(said(&columns, &halves, false), [(Remark::Copies as i32, 0, 30, 30.0)]);
    let mixed: Vec<f64> = (0..N).map(|i| f64::from(i % 7 > 3)).collect();
    assert_eq!(said(&columns, &mixed, false), []);
    assert_eq!(said(&[twice(&own), other], &y, true), []);
}

#[test]
fn a_column_that_is_often_the_target_is_told_and_chance_is_not() {
    // A time that another cuts off in a third of the rows.
    let (own, other) = (normals(1, N), normals(2, N));
    let cut: Vec<f64> =
        (0..N).map(|i| other[i] + if i % 3 == 0 { 0.0 } else { 1.0 + own[i].abs() }).collect();
    let columns = [own.clone(), cut];
    assert_eq!(said(&columns, &other, true), [(Remark::Same as i32, 1, 20, 20.0)]);
    assert_eq!(said(&columns, &other, false), []);
    // In all rows it is what tells the target.
    assert_eq!(said(&[own.clone(), other.clone()], &other, true), []);
    // Two scores that are rounded to fifties.
    let score = |z: &f64| 500.0 + 50.0 * (2.0 * z).round();
    let y: Vec<f64> = other.iter().map(score).collect();
    let near: Vec<f64> = (0..N).map(|i| score(&(other[i] + 0.3 * own[i]))).collect();
    assert!((0..N).filter(|i| near[*i] == y[*i]).count() > N / 2);
    assert_eq!(said(&[own.clone(), near], &y, true), []);
    // Whole numbers up to 11 are one by chance in a twelfth of the rows; so are rows of such.
    let whole = |seed: usize| (0..N).map(|i| (i * seed % 61 % 12) as f64).collect::<Vec<_>>();
    assert_eq!(said(&[own, whole(17)], &whole(23), true), []);
    let two = |step: usize| (0..N).map(|i| (i / step % 2) as f64).collect::<Vec<_>>();
    let y: Vec<f64> = (0..N).map(|i| (i * i % 13 + i % 2) as f64).collect();
    assert_eq!(said(&[two(1), two(2)], &y, true), []);
}

#[test]
fn dates_in_single_precision_are_dates() {
    let dates: Vec<f32> = (0..N).map(|i| (20_240_101 + i % 31) as f32).collect();
    let y: Vec<f32> = normals(1, N).iter().map(|z| *z as f32).collect();
    let inputs = Inputs::new(&dates, N, 1, 1, N).unwrap();
    let (mut scratch, mut out) = (vec![0.0; 2 * N], Vec::new());
    remarks(&Dataset::new(inputs, &y).unwrap(), true, false, &mut scratch, |f| out.push(f.remark));
    assert_eq!(out, [Remark::Dates as i32]);
}
