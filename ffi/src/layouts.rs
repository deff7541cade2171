//! The layout of every public struct, for hosts that mirror them and for the test of the headers.

/// One struct.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// Its name.
    pub name: &'static str,
    /// Its size in bytes.
    pub bytes: usize,
    /// Its members in order.
    pub members: &'static [Member],
}

/// One member of a struct.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    /// Its name.
    pub name: &'static str,
    /// Bytes before it.
    pub offset: usize,
    /// Its size in bytes.
    pub bytes: usize,
}

/// The size of what a projection leads to.
pub(crate) const fn size_of_member<S, M>(_: fn(&S) -> &M) -> usize {
    size_of::<M>()
}

/// The layouts of structs that are given with all of their members: one left out does not compile.
macro_rules! layouts {
    ($($($path:ident)::+ { $($member:ident),* $(,)? }),* $(,)?) => {
        &[$({
            use $($path)::+ as Struct;
            const _: fn(&Struct) = |Struct { $($member: _),* }| {};
            Layout {
                name: crate::layouts::last(&[$(stringify!($path)),+]),
                bytes: size_of::<Struct>(),
                members: &[$(crate::layouts::Member {
                    name: stringify!($member),
                    offset: core::mem::offset_of!(Struct, $member),
                    bytes: crate::layouts::size_of_member(|s: &Struct| &s.$member),
                }),*],
            }
        }),*]
    };
}
pub(crate) use layouts;

/// The last part of a path: the struct's own name.
pub(crate) const fn last(path: &[&'static str]) -> &'static str {
    match path {
        [.., name] => name,
        [] => "",
    }
}

/// Every struct without a precision.
pub static LAYOUTS: &[Layout] = layouts![
    crate::object::lcc_progress { done, total, draws, gradients, warming, reserved },
    crate::certificate::lcc_probe_options {
        struct_size,
        coupling,
        reduced,
        lemma3,
        warmup,
        draws,
        leapfrogs,
        portable,
        seed
    },
    crate::model::lcc_model_info { bytes, inputs, neurons, draws, precision, activation, reserved },
    crate::stream::lcc_stream_info { rows, inputs, neurons, draws, weighted },
];

/// Every struct of the header.
pub fn all() -> impl Iterator<Item = &'static Layout> {
    LAYOUTS.iter().chain(crate::f64::layouts::LAYOUTS).chain(crate::f32::layouts::LAYOUTS)
}
