"""
Rows with or without targets, where they lie. Matrices with strides (columns of Julia's own, views, permuted
dimensions, transposes) are read in place in any order; others, and other element types, are copied once.
"""
struct Rows{T,A<:AbstractMatrix,B<:Union{Nothing,AbstractVector}}
    data::ABI.Data{T}
    x::A
    y::B
    weights::Union{Nothing,Vector{T}}
    groups::Union{Nothing,Vector{UInt32}}
end

"`Float32` where all are, else `Float64`."
precision_of(arrays...) = all(a -> eltype(a) === Float32, arrays) ? Float32 : Float64

"Whether the library can read an array of T where it lies."
in_place(::Type{T}, a) where {T} = false
in_place(::Type{T}, a::StridedArray{T}) where {T} = all(s -> s >= 0, strides(a))
in_place(::Type{T}, a::PermutedDimsArray{T}) where {T} = in_place(T, parent(a))

"The parent of a transpose of real numbers, nothing for other matrices; without a dependency on LinearAlgebra."
function transposed(X)
    nameof(typeof(X)) in (:Transpose, :Adjoint) && parent(X) isa AbstractMatrix && return parent(X)
    return nothing
end

function Rows(::Type{T}, X::AbstractMatrix, y::Union{Nothing,AbstractVector} = nothing, weights = nothing,
              groups = nothing) where {T}
    y === nothing || length(y) == size(X, 1) ||
        throw(DimensionMismatch("X has $(size(X, 1)) rows and y has $(length(y)) values"))
    refuse_missing("X", X)
    y === nothing || refuse_missing("y", y)
    turned = transposed(X)
    x = turned === nothing ? X : PermutedDimsArray(turned, (2, 1))
    x = in_place(T, x) ? x : convert(Matrix{T}, X)
    target = y === nothing ? nothing : in_place(T, y) && stride(y, 1) == 1 ? y : convert(Vector{T}, y)
    # Pointers are kept valid by `x` and `y` beside them: whoever hands `data` to the library preserves the Rows.
    at = target === nothing ? Ptr{T}(C_NULL) : pointer(target)
    data = ABI.Data{T}(pointer(x), at, size(x, 1), size(x, 2), strides(x)...)
    weights = weights === nothing ? nothing : convert(Vector{T}, weights)
    return Rows{T,typeof(x),typeof(target)}(data, x, target, weights, numbered(groups))
end

"Some of the rows."
some_of(rows::Rows{T}, which) where {T} =
    Rows(T, rows.x[which, :], rows.y[which], rows.weights === nothing ? nothing : rows.weights[which])

"Groups by numbers, from 0 in the order of their first rows."
function numbered(groups)
    groups === nothing && return nothing
    known = Dict{Any,UInt32}()
    return UInt32[get!(known, group, length(known)) for group in groups]
end

"Refuses groups that are not one for each row."
function check_groups(groups, n)
    length(groups) == n || throw(DimensionMismatch("there are $n rows and $(length(groups)) groups"))
    bad = findfirst(g -> ismissing(g) || g != g, groups)
    bad === nothing || throw(ArgumentError("group $bad is missing: each row is of a group"))
end

"Which rows have a weight; refuses what is no weight."
function weighted_rows(weights, n)
    length(weights) == n || throw(DimensionMismatch("there are $n rows and $(length(weights)) weights"))
    refuse_missing("weights", weights)
    bad = findfirst(w -> !(0 <= w < Inf), weights)
    bad === nothing || throw(ArgumentError("weight $bad is $(weights[bad]): a weight is 0 or more"))
    which = findall(>(0), weights)
    isempty(which) && throw(ArgumentError("the weights of all rows are 0"))
    return which
end

"Refuses what the library would refuse, and says where a value is NaN or infinite."
function check_rows(rows::Rows{T}) where {T}
    row, column = Ref{Csize_t}(0), Ref{Csize_t}(0)
    status = GC.@preserve rows ABI.data_check(T, Ref(rows.data), row, column)
    status < 0 || return rows
    name = get(ABI.STATUSES, status, :unknown)
    place = name === :LCC_ERROR_NOT_FINITE_X ? " Row $(row[] + 1), column $(column[] + 1)." :
            name === :LCC_ERROR_NOT_FINITE_Y ? " Row $(row[] + 1)." : ""
    throw(LCCError(status, place))
end
