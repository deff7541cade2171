//! The files of `tests/data/targets`, and the inputs that are drawn anew.

use lcc_tests::targets::{NAMES, QUERIES, target};

#[test]
fn targets_have_their_rows() {
    let shapes = [(50, 100), (100, 2), (442, 10), (442, 10), (5000, 50), (40, 3)];
    for (name, (rows, d)) in NAMES.into_iter().zip(shapes) {
        let case = target(name);
        assert_eq!((case.y.len(), case.x.len(), case.d), (rows, rows * d, d), "{name}");
        assert_eq!(case.query.len(), QUERIES * d);
    }
}

/// As NumPy drew them: the corners of the file that they are not stored in.
#[test]
fn inputs_of_g5_are_those_of_numpy() {
    let case = target("G5");
    assert_eq!(case.x[..2], [-0.132_355_707_861_035_57, 0.449_450_733_882_335_92]);
    assert_eq!(case.x[4999 * 50 + 48..], [-0.270_818_502_769_699_43, 0.136_940_003_714_287_16]);
    assert_eq!(case.y[4999], -1.445_853_365_148_629_6);
}
