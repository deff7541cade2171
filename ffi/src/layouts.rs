//! The layout of every public struct, for hosts that mirror them and for the test of the headers.

use lcc_core::plain::{Member, Plain};

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

impl Layout {
    /// Of a struct of the core, without padding between its members.
    pub(crate) const fn of<P: Plain>(name: &'static str) -> Self {
        let members = P::MEMBERS;
        let (mut end, mut rest) = (0, members);
        while let [member, next @ ..] = rest {
            assert!(member.offset == end, "padding between members");
            end += member.bytes;
            rest = next;
        }
        Self { name, bytes: size_of::<P>(), members }
    }
}

/// The size of what a projection leads to.
pub(crate) const fn size_of_member<S, M>(_: fn(&S) -> &M) -> usize {
    size_of::<M>()
}

/// The layouts of structs: of the core's by their names, of others with all of their members, of which one left
/// out does not compile.
macro_rules! layouts {
    ($($($path:ident)::+ $({ $($member:ident)+ })?;)+) => {
        &[$(layouts!(@ [$($path)::+] $({ $($member)+ })?)),+]
    };
    (@ [$($path:ident)::+]) => {
        Layout::of::<$($path)::+>(crate::layouts::last(&[$(stringify!($path)),+]))
    };
    (@ [$($path:ident)::+] { $($member:ident)+ }) => {
        {
            use $($path)::+ as Struct;
            const _: fn(&Struct) = |Struct { $($member: _),* }| {};
            Layout {
                name: crate::layouts::last(&[$(stringify!($path)),+]),
                bytes: size_of::<Struct>(),
                members: &[$(lcc_core::plain::Member {
                    name: stringify!($member),
                    offset: core::mem::offset_of!(Struct, $member),
                    bytes: crate::layouts::size_of_member(|s: &Struct| &s.$member),
                }),*],
            }
        }
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
    crate::object::lcc_progress { done total draws gradients warming reserved };
    crate::certificate::lcc_probe_options;
    crate::model::lcc_model_info {
        bytes attachment inputs neurons draws precision activation output categories reference exposure linear
        linearised widths values temperature reserved
    };
    crate::stream::lcc_stream_info { rows inputs neurons draws weighted };
];

/// Every struct of the header.
pub fn all() -> impl Iterator<Item = &'static Layout> {
    LAYOUTS.iter().chain(crate::f64::layouts::LAYOUTS).chain(crate::f32::layouts::LAYOUTS)
}
