//! Functions over lanes, compiled once for each instruction set.

/// A function of N lanes: where its body has the token `s` of an instruction set, its callers give an
/// [`Isa`](crate::simd::Isa). Its references are of the lifetime `'a`; T, N and S are as everywhere.
macro_rules! dispatched {
    (@output) => { () };
    (@output $out:ty) => { $out };
    (
        $(#[$meta:meta])*
        $vis:vis fn $name:ident $(<$($other:ident: $bound:path),+>)? (
            $s:ident: S,
            $($arg:ident: $ty:ty),+ $(,)?
        ) $(-> $out:ty)? $body:block
    ) => {
        $(#[$meta])*
        #[inline(always)]
        $vis fn $name<'a, T, $($($other: $bound,)+)? const N: usize>(
            isa: $crate::simd::Isa,
            $($arg: $ty),+
        ) $(-> $out)?
        where
            T: $crate::simd::Lanes<N>,
        {
            struct Op<'a, T: $crate::scalar::Real, $($($other: $bound,)+)? const N: usize> {
                $($arg: $ty,)+
                of: core::marker::PhantomData<(&'a T, $($(fn($other),)+)?)>,
            }
            impl<'a, T, $($($other: $bound,)+)? const N: usize> $crate::simd::LaneOp<T, N>
                for Op<'a, T, $($($other,)+)? N>
            where
                T: $crate::scalar::Real,
            {
                type Output = $crate::dispatch::dispatched!(@output $($out)?);
                #[inline(always)]
                fn run<S: $crate::simd::Simd<T, N>>(self, $s: S) -> Self::Output {
                    let Self { $($arg,)+ of: _ } = self;
                    $body
                }
            }
            T::dispatch(isa, Op { $($arg,)+ of: core::marker::PhantomData })
        }
    };
}
pub(crate) use dispatched;
