//! Layout asserts for the header: sizes and offsets as Rust has them, on targets with 64-bit pointers.

use std::fmt::Write;

/// The text of the asserts.
pub(crate) fn asserts() -> String {
    let mut out = String::from(
        "/* The layout that the library was built with, where pointers have 64 bits. */\n\
         #if defined(__cplusplus)\n#define LCC_ASSERT_(what) static_assert(what, #what)\n\
         #elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L\n\
         #define LCC_ASSERT_(what) _Static_assert(what, #what)\n\
         #endif\n#if defined(LCC_ASSERT_) && UINTPTR_MAX == 0xffffffffffffffff\n",
    );
    for layout in lcc::layouts::all() {
        let name = layout.name;
        writeln!(out, "LCC_ASSERT_(sizeof({name}) == {});", layout.bytes).expect("string");
        for member in layout.members {
            let (field, offset) = (member.name, member.offset);
            writeln!(out, "LCC_ASSERT_(offsetof({name}, {field}) == {offset});").expect("string");
        }
    }
    out.push_str("#endif\n");
    out
}
