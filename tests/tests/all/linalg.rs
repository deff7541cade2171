//! Lane-wise linear algebra against that of nalgebra, one system a lane.

use lcc_core::linalg::{self, ROWS};
use lcc_core::random::{Purpose, Stream};
use lcc_core::scalar::Real;
use lcc_core::simd::{Isa, LaneOp, Lanes, Simd, Vector};
use nalgebra::{DMatrix, DVector};

/// Standard normals, one stream a lane: the same whatever N is.
fn normals<T: Real, const N: usize>(seed: u64, count: usize) -> Vec<[T; N]> {
    let mut streams: Vec<Stream> =
        (0..N).map(|k| Stream::new(seed, k as u64, Purpose::Start)).collect();
    (0..count).map(|_| std::array::from_fn(|k| streams[k].normal())).collect()
}

struct Run<F>(F);
trait Work<T: Real, const N: usize> {
    type Out;
    fn work<S: Simd<T, N>>(self, s: S) -> Self::Out;
}
impl<T: Real, const N: usize, W: Work<T, N>> LaneOp<T, N> for Run<W> {
    type Output = W::Out;
    #[inline(always)]
    fn run<S: Simd<T, N>>(self, s: S) -> W::Out {
        self.0.work(s)
    }
}

/// Everything, on random systems: A = sum of outer products + I, its factor, both solves, the QR of
/// the same rows and its solve.
struct All<'a, T, const N: usize> {
    p: usize,
    rows: &'a [[T; N]],
    x: &'a [[T; N]],
}

struct Results<T, const N: usize> {
    a: Vec<[T; N]>,
    l: Vec<[T; N]>,
    lower: Vec<[T; N]>,
    transposed: Vec<[T; N]>,
    r: Vec<[T; N]>,
    solution: Vec<[T; N]>,
    norm: [T; N],
    raised: [T; N],
}

impl<T: Real, const N: usize> Work<T, N> for All<'_, T, N> {
    type Out = Results<T, N>;
    fn work<S: Simd<T, N>>(self, s: S) -> Results<T, N> {
        let Self { p, rows, x } = self;
        let q = p + 1;
        let n = rows.len() / q;
        let mut a = vec![[T::ZERO; N]; linalg::lower_len(p).unwrap()];
        let mut k = 0;
        for i in 0..p {
            k += i;
            a[k + i] = [T::ONE; N];
        }
        for first in (0..n).step_by(4) {
            let vectors: Vec<[[T; N]; 4]> =
                (0..p).map(|j| std::array::from_fn(|r| rows[(first + r) * q + j])).collect();
            linalg::rank_four(s, &mut a, &vectors);
        }
        let mut l = a.clone();
        let raised = linalg::cholesky(s, &mut l, p, T::ZERO);
        let (mut lower, mut transposed) = (x.to_vec(), x.to_vec());
        linalg::solve_lower(s, &l, &mut lower);
        linalg::solve_lower_transposed(s, &l, &mut transposed);

        let mut r = vec![[T::ZERO; N]; linalg::upper_len(p).unwrap()];
        let mut k = 0;
        for j in 0..p {
            r[k] = [T::ONE; N];
            k += q - j;
        }
        for first in (0..n).step_by(ROWS) {
            let mut columns: Vec<[[T; N]; ROWS]> = (0..q)
                .map(|j| {
                    std::array::from_fn(|r| {
                        if first + r < n { rows[(first + r) * q + j] } else { [T::ZERO; N] }
                    })
                })
                .collect();
            linalg::append_rows(s, &mut r, &mut columns);
        }
        let mut solution = vec![[T::ZERO; N]; p];
        linalg::solve_upper(s, &r, &mut solution);
        let norm = linalg::squared_norm(s, x).array();
        Results { a, l, lower, transposed, r, solution, norm, raised }
    }
}

fn all<T: Lanes<N>, const N: usize>(isa: Isa, p: usize, n: usize) -> Results<T, N> {
    let rows = normals::<T, N>(7, n * (p + 1));
    let x = normals::<T, N>(8, p);
    T::dispatch(isa, Run(All { p, rows: &rows, x: &x }))
}

fn close(a: f64, b: f64, scale: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance * scale.max(1.0), "{a} against {b}");
}

/// Nalgebra in double precision.
fn check<T: Lanes<N>, const N: usize>(p: usize, n: usize, tolerance: f64) {
    let got = all::<T, N>(Isa::detect(), p, n);
    let rows = normals::<T, N>(7, n * (p + 1));
    let x = normals::<T, N>(8, p);
    for lane in 0..N {
        let rows = DMatrix::from_fn(n, p + 1, |i, j| rows[i * (p + 1) + j][lane].to_f64());
        let (left, right) = (rows.columns(0, p), rows.column(p));
        let a = left.tr_mul(&left) + DMatrix::identity(p, p);
        let factor = a.clone().cholesky().expect("a positive matrix");
        let (l, b) = (factor.l(), factor.solve(&left.tr_mul(&right)));
        let x = DVector::from_fn(p, |i, _| x[i][lane].to_f64());
        let lower = l.solve_lower_triangular(&x).expect("a solution");
        let transposed = l.tr_solve_lower_triangular(&x).expect("a solution");

        let at = |v: &[[T; N]], k: usize| v[k][lane].to_f64();
        let wide = tolerance * 10.0;
        let mut upper = (0..).map(|k| at(&got.r, k));
        for i in 0..p {
            for j in 0..=i {
                let k = i * (i + 1) / 2 + j;
                let own = if i == j { 1.0 / at(&got.l, k) } else { at(&got.l, k) };
                close(at(&got.a, k), a[(i, j)], n as f64, tolerance);
                close(own, l[(i, j)], l[(i, i)], wide);
            }
            close(at(&got.lower, i), lower[i], 1.0, wide);
            close(at(&got.transposed, i), transposed[i], 1.0, wide);
            close(at(&got.solution, i), b[i], 1.0, wide);
            // R = L', and behind each row its right-hand side.
            (i..p).for_each(|j| close(upper.next().unwrap(), l[(j, i)], l[(i, i)], wide));
            upper.next();
        }
        close(got.norm[lane].to_f64(), x.norm_squared(), x.norm_squared(), tolerance);
        assert_eq!(got.raised[lane].to_f64(), 0.0);
    }
}

#[test]
fn agrees_with_nalgebra() {
    for (p, n) in [(1, 4), (2, 8), (5, 12), (13, 44), (30, 100)] {
        check::<f64, 8>(p, n, 1e-13);
        check::<f32, 8>(p, n, 2e-6);
        check::<f64, 1>(p, n, 1e-13);
    }
}

#[test]
fn lanes_and_instruction_sets_give_the_same_bits() {
    let bits = |v: &[f32]| v.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    fn lane<const N: usize>(v: &[[f32; N]], k: usize) -> Vec<f32> {
        v.iter().map(|x| x[k]).collect()
    }
    for isa in [Isa::Portable, Isa::detect()] {
        let (one, eight) = (all::<f32, 1>(isa, 11, 32), all::<f32, 8>(isa, 11, 32));
        let best = all::<f32, 8>(Isa::detect(), 11, 32);
        for (a, b, c) in [
            (&one.l, &eight.l, &best.l),
            (&one.r, &eight.r, &best.r),
            (&one.solution, &eight.solution, &best.solution),
            (&one.transposed, &eight.transposed, &best.transposed),
        ] {
            assert_eq!(bits(&lane(a, 0)), bits(&lane(b, 0)));
            for k in 0..8 {
                assert_eq!(bits(&lane(b, k)), bits(&lane(c, k)));
            }
        }
    }
}

/// Cholesky of an indefinite matrix: pivots are raised, counted, and the factor stays finite.
struct Indefinite;
impl Work<f64, 8> for Indefinite {
    type Out = ([f64; 8], Vec<[f64; 8]>);
    fn work<S: Simd<f64, 8>>(self, s: S) -> Self::Out {
        let mut l = vec![[1.0; 8], [2.0, 2.0, 0.5, 1.0, 0.5, 0.5, 2.0, 1.0], [1.0; 8]];
        (linalg::cholesky(s, &mut l, 2, 0.25), l)
    }
}

#[test]
fn indefinite_matrices_are_raised() {
    let (raised, l) = f64::dispatch(Isa::detect(), Run(Indefinite));
    assert_eq!(raised, [1.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0]);
    // The raised pivot is a quarter of the diagonal: its root's reciprocal is 2.
    let kept = 1.0 / 0.75_f64.sqrt();
    assert_eq!(l[2], [2.0, 2.0, kept, 2.0, kept, kept, 2.0, 2.0]);
}

#[test]
fn qr_keeps_what_single_precision_normal_equations_lose() {
    // Two columns that differ by 1e-4: the condition number squared is beyond single precision.
    struct Nearly<'a>(&'a [[f32; 8]]);
    impl Work<f32, 8> for Nearly<'_> {
        type Out = Vec<[f32; 8]>;
        fn work<S: Simd<f32, 8>>(self, s: S) -> Self::Out {
            let mut r = vec![[1e-3; 8], [0.0; 8], [0.0; 8], [1e-3; 8], [0.0; 8]];
            for eight in self.0.chunks(16) {
                let column = |f: &dyn Fn(f32, f32) -> f32| {
                    std::array::from_fn(|k| {
                        std::array::from_fn(|lane| f(eight[2 * k][lane], eight[2 * k + 1][lane]))
                    })
                };
                // y = 3 a - 2 (a + 1e-3 b).
                let mut columns = [
                    column(&|a, _| a),
                    column(&|a, b| a + 1e-3 * b),
                    column(&|a, b| 3.0 * a - 2.0 * (a + 1e-3 * b)),
                ];
                linalg::append_rows(s, &mut r, &mut columns);
            }
            let mut x = vec![[0.0; 8]; 2];
            linalg::solve_upper(s, &r, &mut x);
            x
        }
    }
    let rows = normals::<f32, 8>(3, 2 * 256);
    let x = f32::dispatch(Isa::detect(), Run(Nearly(&rows)));
    for lane in 0..8 {
        assert!((x[0][lane] - 3.0).abs() < 0.03, "{:?}", x);
        assert!((x[1][lane] + 2.0).abs() < 0.03, "{:?}", x);
    }
}

#[test]
fn lengths_do_not_overflow() {
    assert_eq!(linalg::lower_len(4), Some(10));
    assert_eq!(linalg::lower_len(5), Some(15));
    assert_eq!(linalg::upper_len(4), Some(14));
    assert_eq!(linalg::lower_len(0), Some(0));
    assert_eq!(linalg::lower_len(usize::MAX), None);
    assert_eq!(linalg::upper_len(usize::MAX / 2), None);
}
