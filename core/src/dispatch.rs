//! Functions over lanes, compiled once for each instruction set.

/// Functions of N lanes: where the body has the token `s` of an instruction set, callers give an
/// [`Isa`](crate::simd::Isa). T, N and S are as everywhere, and a lifetime that has to be named is `'a`. Each is a
/// [`LaneOp`](crate::simd::LaneOp) of its arguments.
macro_rules! dispatched {
    ($(
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
                #[inline(always)]
                fn run<S: $crate::simd::Simd<T, N>>(self, $s: S) -> Self::Output {
                    let Self(($($arg,)+), _) = self;
                    $body
                }
            }
            T::dispatch(isa, Op(($($arg,)+), core::marker::PhantomData::<($($($other,)+)?)>))
        }
    )+};
}
pub(crate) use dispatched;
