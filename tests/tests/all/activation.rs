//! Activations against the table of exact values.

use lcc_core::activation::{Activation, Bounds};
use lcc_core::scalar::Real;
use lcc_core::simd::{AnyLanes, Isa, LaneOp, Lanes, Simd, Vector};
use lcc_tests::{number, numbers, reference};

/// Those of the table: all but the ReLU, which is its own definition.
fn tabled() -> impl Iterator<Item = Activation> {
    Activation::ALL.into_iter().filter(|a| !a.has_kink())
}

#[test]
fn names_and_codes() {
    let table = reference("activations.json");
    let names = table["activations"].as_object().unwrap();
    assert_eq!(names.len(), tabled().count());
    assert_eq!(names.len() + 1, Activation::ALL.len());
    assert!(tabled().all(|activation| names.contains_key(activation.name())));
    assert_eq!((Activation::Relu as i32, Activation::Relu.name()), (10, "relu"));
    for (code, activation) in Activation::ALL.into_iter().enumerate() {
        assert_eq!(activation as usize, code);
        assert_eq!(Activation::from_code(code as i32), Some(activation));
        assert_eq!(Activation::from_name(activation.name()), Some(activation));
    }
    assert_eq!(Activation::from_code(-1), None);
    assert_eq!(Activation::from_code(11), None);
    assert_eq!(Activation::from_name("Tanh"), None);
    assert_eq!(Activation::from_name(""), None);
}

/// psi, psi' and psi'' at every point of the table: psi and psi' to a few units in the last place
/// even in the tails, except that near a zero of sin, of cos and of the derivatives of GELU and
/// SiLU, and for every psi'', units are those of .05.
fn points<T: AnyLanes>() {
    let table = reference("activations.json");
    for activation in tabled() {
        let rows = &table["activations"][activation.name()];
        let z = numbers(&rows["z"]);
        let mut worst = [0.0_f64; 3];
        let tiny = T::MIN_POSITIVE.to_f64() / T::EPSILON.to_f64();
        let crosses = matches!(activation, Activation::Gelu | Activation::Silu);
        let floors = match activation {
            Activation::Sine => [0.05; 3],
            _ if crosses => [tiny, 0.05, 0.05],
            _ => [tiny, tiny, 0.05],
        };
        for (k, z) in z.iter().enumerate() {
            let at = T::lit(*z);
            let jet = activation.jet(at);
            // The table's point, rounded to this precision, moves a value along its slope; the third
            // derivative is nowhere above 4.
            let moved = at.to_f64() - z;
            let [p, q, c] = ["psi", "psi1", "psi2"].map(|name| number(&rows[name][k]));
            let exact = [p + moved * q, q + moved * c, c];
            for order in 0..3 {
                let scale = T::EPSILON.to_f64() * exact[order].abs().max(floors[order]);
                let slack = if order == 2 { 4.0 * moved.abs() / scale } else { 0.0 };
                let off = (jet[order].to_f64() - exact[order]).abs() / scale;
                worst[order] = worst[order].max(off - slack);
            }
        }
        println!("{} {} {worst:.1?}", activation.name(), T::BITS);
        assert!(worst[0] < 8.0 && worst[1] < 8.0 && worst[2] < 16.0, "{activation:?} {worst:?}");
    }
}

#[test]
fn points_f64() {
    points::<f64>();
}

#[test]
fn points_f32() {
    points::<f32>();
}

fn close<T: Real>(a: T, exact: f64, room: f64, what: &str) {
    let a = a.to_f64();
    if exact.is_infinite() {
        assert_eq!(a, exact, "{what}");
    } else {
        assert!((a - exact).abs() <= room * exact.abs().max(1e-2), "{what}: {a} against {exact}");
    }
}

fn bounds<T: AnyLanes>() {
    let table = reference("activations.json");
    let eps = T::EPSILON.to_f64();
    for activation in tabled() {
        let name = activation.name();
        let rows = &table["activations"][name];
        let check = |b: Bounds<T>, exact: &serde_json::Value, room: f64| {
            close(b.plus, number(&exact["sup_psi2"]), room, name);
            close(b.minus, number(&exact["sup_neg_psi2"]), room, name);
            close(b.curvature(), number(&exact["sup_abs_psi2"]), room, name);
            close(b.slope, number(&exact["sup_abs_psi1"]), room, name);
            if let Some(value) = exact.get("sup_abs_psi") {
                close(b.value, number(value), room, name);
            }
        };
        check(activation.bounds(), &rows["bounds"], 2.0 * eps);
        check(activation.bounds_within(T::INFINITY), &rows["bounds"], 2.0 * eps);
        // These were read off a grid of two million points.
        let within = &rows["bounds_on_interval"];
        check(activation.bounds_within(T::ONE), &within["abs_z_le_1"], (16.0 * eps).max(4e-10));
        check(
            activation.bounds_within(T::lit(3.0)),
            &within["abs_z_le_3"],
            (16.0 * eps).max(4e-10),
        );
    }
}

#[test]
fn bounds_of_the_table() {
    bounds::<f64>();
    bounds::<f32>();
}

/// Within any reach no point exceeds the bounds, and some point comes close.
#[test]
fn bounds_are_suprema() {
    for activation in tabled() {
        for reach in [0.01, 0.3, 0.5, 0.7, 0.9, 1.2, 1.35, 1.5, 1.9, 2.3, 2.5, 3.4, 5.0, 40.0] {
            let b: Bounds<f64> = activation.bounds_within(reach);
            let mut top = [f64::NEG_INFINITY; 4];
            let steps = 20_000;
            for k in -steps..=steps {
                let [value, slope, curve] = activation.jet(reach * f64::from(k) / f64::from(steps));
                for (t, v) in top.iter_mut().zip([curve, -curve, slope.abs(), value.abs()]) {
                    *t = t.max(v);
                }
            }
            for (bound, top) in [b.plus, b.minus, b.slope, b.value].into_iter().zip(top) {
                let what = format!("{} {reach}: {bound} {top}", activation.name());
                assert!(top <= bound + 1e-14, "{what}");
                // |z| <= 40 meets sup |psi'| = 1 of softplus only to the last place.
                let grid = reach / f64::from(steps);
                assert!(bound - top <= grid * grid + 1e-14, "{what}");
            }
        }
    }
}

/// max(z, 0), its slope and no curvature, to the last bit; the curvature's bound is infinite.
fn relu<T: AnyLanes>() {
    let (zero, one, inf) = (T::ZERO, T::ONE, T::INFINITY);
    let tiny = T::MIN_POSITIVE;
    for z in [tiny, T::lit(0.3), one, T::lit(1e30), inf] {
        assert_eq!(Activation::Relu.jet(z), [z, one, zero]);
        assert_eq!(Activation::Relu.jet(-z), [zero; 3]);
    }
    assert_eq!(Activation::Relu.jet(zero), [zero; 3]);
    assert_eq!(Activation::Relu.jet(-zero), [zero; 3]);
    let line = Activation::Relu.bounds::<T>();
    assert_eq!(line, Bounds { plus: inf, minus: zero, slope: one, value: inf });
    assert_eq!(Activation::Relu.bounds_within(inf), line);
    let reach = T::lit(2.5);
    assert_eq!(Activation::Relu.bounds_within(reach), Bounds { value: reach, ..line });
    assert_eq!(line.curvature(), inf);
}

#[test]
fn relu_is_its_definition() {
    relu::<f64>();
    relu::<f32>();
}

#[test]
fn nan_passes() {
    for activation in Activation::ALL {
        assert!(activation.jet(f64::NAN)[..2].iter().all(|v| v.is_nan()), "{activation:?}");
        assert!(activation.jet(f32::NAN)[..2].iter().all(|v| v.is_nan()), "{activation:?}");
    }
}

/// What a kernel computes of a block. (One each: together they would keep the compiler for minutes.)
struct Both<'a, T, const N: usize>(Activation, &'a [[T; N]]);
struct Alone<'a, T, const N: usize>(Activation, &'a [[T; N]]);
struct Curves<'a, T, const N: usize>(Activation, &'a [[T; N]]);

impl<T: Real, const N: usize> LaneOp<T, N> for Both<'_, T, N> {
    type Output = [Vec<[T; N]>; 2];
    #[inline(always)]
    fn run<S: Simd<T, N>>(self, s: S) -> Self::Output {
        let (mut values, mut slopes) = (self.1.to_vec(), vec![[T::NAN; N]; self.1.len()]);
        self.0.apply(s, &mut values, &mut slopes);
        [values, slopes]
    }
}

impl<T: Real, const N: usize> LaneOp<T, N> for Alone<'_, T, N> {
    type Output = Vec<[T; N]>;
    #[inline(always)]
    fn run<S: Simd<T, N>>(self, s: S) -> Self::Output {
        let mut alone = self.1.to_vec();
        self.0.apply_value(s, &mut alone);
        alone
    }
}

impl<T: Real, const N: usize> LaneOp<T, N> for Curves<'_, T, N> {
    type Output = Vec<[T; N]>;
    #[inline(always)]
    fn run<S: Simd<T, N>>(self, s: S) -> Self::Output {
        self.1.iter().map(|z| self.0.second_derivative(s, s.load(z)).array()).collect()
    }
}

/// A block, its value alone, and one number at a time, in every lane count and instruction set.
fn same_bits<T: AnyLanes>() {
    fn lanes<T: Lanes<N>, const N: usize>(isa: Isa, activation: Activation, z: &[T]) -> Vec<T> {
        let (z, _) = z.as_chunks::<N>();
        let [values, slopes] = T::dispatch(isa, Both(activation, z));
        assert_eq!(T::dispatch(isa, Alone(activation, z)), values);
        [values, slopes, T::dispatch(isa, Curves(activation, z))].concat().concat()
    }
    let z: Vec<T> = (0..320).map(|k| T::of_u32(k) * T::lit(0.07) - T::lit(11.0)).collect();
    for activation in Activation::ALL {
        let jets: Vec<_> = z.iter().map(|z| activation.jet(*z)).collect();
        let one: Vec<T> = (0..3).flat_map(|order| jets.iter().map(move |j| j[order])).collect();
        for isa in Isa::all() {
            assert_eq!(lanes::<T, 1>(isa, activation, &z), one);
            assert_eq!(lanes::<T, 8>(isa, activation, &z), one);
        }
    }
}

#[test]
fn same_bits_everywhere() {
    same_bits::<f32>();
    same_bits::<f64>();
}
