//! Functions over lanes, compiled once for each instruction set.

use crate::scalar::Real;

/// What a function returns whose lanes no register holds ([`Simd::HERE`](crate::simd::Simd::HERE)): numbers that are NaN.
pub(crate) trait Blank {
    const BLANK: Self;
}

impl Blank for () {
    const BLANK: Self = ();
}

impl Blank for bool {
    const BLANK: Self = false;
}

impl<T: Real> Blank for T {
    const BLANK: Self = T::NAN;
}

impl<A: Blank, const N: usize> Blank for [A; N] {
    const BLANK: Self = [A::BLANK; N];
}

/// [`Blank`] of a struct, field by field.
macro_rules! blank {
    ($name:ident<T $(, $n:ident)?> { $($field:ident),+ }) => {
        impl<T: $crate::scalar::Real $(, const $n: usize)?> $crate::dispatch::Blank for $name<T $(, $n)?> {
            const BLANK: Self = Self { $($field: $crate::dispatch::Blank::BLANK),+ };
        }
    };
}
pub(crate) use blank;

/// Functions of N lanes: where the body has the token `s` of an instruction set, callers give an
/// [`Isa`](crate::simd::Isa). T, N and S are as everywhere, and a lifetime that has to be named is `'a`. Each is a
/// [`LaneOp`](crate::simd::LaneOp) of its arguments. `dispatched!(hot: ...)` are [hot](crate::simd::LaneOp::HOT).
macro_rules! dispatched {
    (hot: $($functions:tt)+) => {
        $crate::dispatch::dispatched!(@ true $($functions)+);
    };
    (@ $hot:literal $(
        $(#[$meta:meta])*
        $vis:vis fn $name:ident $(<$($other:ident: $bound:path),+>)? (
            $s:ident: S,
            $($arg:ident: $ty:ty),+ $(,)?
        ) $(-> $out:ty)? $body:block
    )+) => {$(
        $(#[$meta])*
        #[inline(always)]
        $vis fn $name<'a, T, $($($other: $bound,)+)? const N: usize>(
            isa: $crate::simd::Isa,
            $($arg: $ty),+
        ) $(-> $out)?
        where
            T: $crate::simd::Lanes<N>,
        {
            struct Op<A, B>(A, core::marker::PhantomData<B>);
            #[allow(unused_parens)]
            impl<'a, T, $($($other: $bound,)+)? const N: usize> $crate::simd::LaneOp<T, N>
                for Op<($($ty,)+), ($($($other,)+)?)>
            where
                T: $crate::scalar::Real,
            {
                type Output = ($($out)?);
                const HOT: bool = $hot;
                #[inline(always)]
                fn run<S: $crate::simd::Simd<T, N>>(self, $s: S) -> Self::Output {
                    if !S::HERE {
                        return $crate::dispatch::Blank::BLANK;
                    }
                    let Self(($($arg,)+), _) = self;
                    $body
                }
            }
            T::dispatch(isa, Op(($($arg,)+), core::marker::PhantomData::<($($($other,)+)?)>))
        }
    )+};
    ($($functions:tt)+) => {
        $crate::dispatch::dispatched!(@ false $($functions)+);
    };
}
pub(crate) use dispatched;
