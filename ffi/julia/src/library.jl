"The shared library: where it is, and its symbols."
module Library

import Libdl

const HANDLE = Ref{Ptr{Cvoid}}(C_NULL)
const PATH = Ref("")

# ELF, and Mach-O in either order; Windows libraries begin with MZ.
const MAGICS = (b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe", b"MZ")

"Whether a file is a shared object. Loading anything else crashes some versions of Julia in place of failing."
function is_shared_object(path)
    isfile(path) || return false
    head = open(io -> read(io, 4), path)
    return any(magic -> length(head) >= length(magic) && head[1:length(magic)] == magic, MAGICS)
end

"Loads `ENV[\"LCC_LIBRARY\"]`, a path; or else the library that a release packs with this; or liblcc from where the system keeps libraries."
function load()
    given = get(ENV, "LCC_LIBRARY", "")
    packed = joinpath(@__DIR__, "..", "lib", string(Sys.ARCH), "liblcc.so")
    if isempty(given) && isfile(packed)
        found = packed
    elseif isempty(given)
        found = Libdl.find_library(["liblcc", "liblcc.so.0.2"])
        isempty(found) && error("LogConcaveCoupling: no liblcc on the system's library path; install LCC, or set " *
                                "ENV[\"LCC_LIBRARY\"] to the full path of liblcc before loading the package")
    else
        found = abspath(given)
        is_shared_object(found) ||
            error("LogConcaveCoupling: ENV[\"LCC_LIBRARY\"] is \"$given\", which is not a shared library")
    end
    HANDLE[] = Libdl.dlopen(found)
    PATH[] = Libdl.dlpath(HANDLE[])
    return nothing
end

"The address of a function of the library."
function symbol(name::Symbol)
    address = Libdl.dlsym(HANDLE[], name; throw_error = false)
    address === nothing &&
        error("LogConcaveCoupling: $(PATH[]) has no $name: it belongs to another version of LCC than this package")
    return address
end

end
