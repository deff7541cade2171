//! Functions over lanes, compiled once for each instruction set.

/// A function of N lanes of T: where its body has the token `s` of an instruction set S, its callers give an
/// [`Isa`](crate::simd::Isa). It is a [`LaneOp`](crate::simd::LaneOp) of its arguments.
macro_rules! dispatched {
    (
        $(#[$meta:meta])*
        $vis:vis fn $name:ident $(<$($other:ident: $bound:path),+>)? (
            $s:ident: S,
            $($arg:ident: $ty:ty),+ $(,)?
        ) $(-> $out:ty)? $body:block
    ) => {
        $(#[$meta])*
        #[inline(always)]
        $vis fn $name<T: $crate::simd::Lanes<N>, $($($other: $bound,)+)? const N: usize>(
            isa: $crate::simd::Isa,
            $($arg: $ty),+
        ) $(-> $out)? {
            struct Op<A>(A);
            #[allow(unused_parens)]
            impl<T: $crate::scalar::Real, $($($other: $bound,)+)? const N: usize>
                $crate::simd::LaneOp<T, N> for Op<($($ty,)+)>
            {
                type Output = ($($out)?);
                #[inline(always)]
                fn run<S: $crate::simd::Simd<T, N>>(self, $s: S) -> Self::Output {
                    let Op(($($arg,)+)) = self;
                    $body
                }
            }
            T::dispatch(isa, Op(($($arg,)+)))
        }
    };
}
pub(crate) use dispatched;
