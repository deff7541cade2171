"""
The C ABI as `include/lcc.h` has it: structs, constants and functions, for whatever the rest of the package leaves out.

`ABI.network_size(Float64, options, n, d, bytes)` is `lcc_network_size_f64(&options, n, d, &bytes)`, arguments being
`Ref`s and arrays, which Julia keeps alive during the call; what a struct's pointers lead to must be kept alive by
`GC.@preserve`. The header is the manual.
"""
module ABI

using ..Library: symbol

"A function of both precisions."
macro twins(name, ret, types)
    twin(T, suffix) = function_of(name, Symbol("lcc_", name, suffix), eval(T), ret, types, (T,))
    return esc(Expr(:block, twin(:Float64, "_f64"), twin(:Float32, "_f32")))
end

"A function without a precision."
macro plain(name, ret, types)
    return esc(function_of(name, Symbol("lcc_", name), Nothing, ret, types, ()))
end

function function_of(name, c, T, ret, types, precision)
    put(e) = e === :T ? nameof(T) : e isa Expr ? Expr(e.head, map(put, e.args)...) : e
    arguments = [Symbol(:argument, k) for k in eachindex(types.args)]
    head = Expr(:call, name, (:(::Type{$P}) for P in precision)..., arguments...)
    return :($head = ccall(symbol($(QuoteNode(c))), $(put(ret)), $(put(types)), $(arguments...)))
end

include("abi/constants.jl")
include("abi/structs.jl")
include("abi/functions.jl")

end
