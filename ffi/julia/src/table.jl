# Rows as people have them: a matrix, a vector (one column), or a table, known by what it can do. The names of a table go
# with the model, in the bytes that lcc reads (core/model/src/columns/bytes.rs), and are looked up when it predicts.

const Numbers = AbstractVector{<:Union{Missing,Real}}

"Names and columns of rows that are named tuples, or of whatever has columns as properties."
function columns_of(rows::AbstractVector{<:NamedTuple})
    names = collect(fieldnames(eltype(rows)))
    return (string.(names), [[row[name] for row in rows] for name in names])
end

function columns_of(table)
    names = collect(propertynames(table))
    columns = [getproperty(table, name) for name in names]
    !isempty(names) && all(c -> c isa AbstractVector, columns) && length(unique(length.(columns))) == 1 ||
        throw(ArgumentError("$(typeof(table)) is neither a matrix, a vector of numbers nor a table of columns"))
    return (string.(names), columns)
end

"The matrix of columns of numbers."
function joined(names, columns)
    for (name, column) in zip(names, columns)
        column isa Numbers ||
            throw(ArgumentError("column $name holds $(eltype(column)), and a network takes numbers: of words make columns " *
                                "of 0 and 1, one for each"))
    end
    return reshape(reduce(hcat, columns), :, length(columns))
end

"The matrix of rows, and the names of its columns where they have some."
named_matrix(X::AbstractMatrix) = (X, nothing)
named_matrix(X::Numbers) = (reshape(X, :, 1), nothing)
function named_matrix(table)
    names, columns = columns_of(table)
    return (joined(names, columns), names)
end

"The matrix of rows for a model: of a table its columns by name, in the model's order, extra ones left out."
matrix_for(model, X::Union{AbstractMatrix,Numbers}) = first(named_matrix(X))
function matrix_for(model, table)
    names, columns = columns_of(table)
    known = column_names(model)
    known === nothing && return joined(names, columns)
    lacking = setdiff(known, names)
    isempty(lacking) || throw(ArgumentError("the model was fitted to columns that are not there: " * join(lacking, ", ")))
    return joined(known, [columns[findfirst(==(name), names)] for name in known])
end

"Refuses a missing value, with its place."
function refuse_missing(what, values)
    place = Missing <: eltype(values) ? findfirst(ismissing, values) : nothing
    place === nothing && return
    at = place isa CartesianIndex ? "row $(place[1]), column $(place[2])" : "row $place"
    throw(ArgumentError("$what has a missing value: $at; leave the row out, or put a value in its place"))
end

"The bytes by which a model knows its columns: numbers, with their means and ranges."
function attachment(names, X, target, y, exposed = false)
    io = IOBuffer()
    put(value) = write(io, htol(value))
    function put_column(name, values)
        put(UInt16(sizeof(name)))
        write(io, name)
        put(UInt8(0)), put(UInt16(0))
        foreach(f -> put(Float64(f(values))), (v -> sum(v) / length(v), minimum, maximum))
    end
    put(UInt16(2)), put(UInt16(exposed)), put(UInt32(length(names)))
    foreach((name, k) -> put_column(name, view(X, :, k)), names, axes(X, 2))
    put_column(target, y)
    return take!(io)
end

"The model with the names of its columns."
function named(model::Model, names, X, target, y, exposed)
    bytes = attachment(names, X, target, y, exposed)
    out, written = zeros(UInt8, length(model.bytes) + length(bytes)), Ref{Csize_t}(0)
    check(ABI.model_attach(model.bytes, length(model.bytes), bytes, length(bytes), out, length(out), written))
    return Model(resize!(out, written[]), model.report)
end

"""
    column_names(model) -> Vector{String}, or nothing

The columns that a model was fitted to, in its order, where it was fitted to a table, here or by `lcc fit`. A model of `lcc
fit` with columns of words or with missing values is refused: `lcc predict` knows what became of them.
"""
function column_names(model::Model)
    length = Int(model.info.attachment)
    length == 0 && return nothing
    io = IOBuffer(model.bytes[end-length+1:end])
    take(T) = ltoh(read(io, T))
    version, _, count = take(UInt16), take(UInt16), take(UInt32)
    version in 1:4 || throw(ArgumentError("the model's columns were written by a newer LCC"))
    return map(1:count) do _
        name = String(read(io, take(UInt16)))
        take(UInt8) == 0 && take(UInt16) == 0 ||
            throw(ArgumentError("column $name of the model holds words or missing values: predict with lcc predict"))
        skip(io, version == 1 ? 8 : 24)
        name
    end
end

fit(X, y::AbstractVector; options...) = fit_named(named_matrix(X)..., "y", y; options...)
function fit(table, target::Union{Symbol,AbstractString}; options...)
    names, columns = columns_of(table)
    at = findfirst(==(string(target)), names)
    at === nothing && throw(ArgumentError("there is no column $target"))
    rest = setdiff(eachindex(names), at)
    return fit_named(joined(names[rest], columns[rest]), names[rest], names[at], columns[at]; options...)
end
fit(::Type{Model}, X, y; options...) = fit(X, y; options...)

function fit_named(X, names, target, y; options...)
    model = fit(X, y; options...)
    return names === nothing ? model : named(model, names, X, target, y, get(options, :exposure, 0) == 1)
end

thin(model::Model, draws::Integer, table) = thin(model, draws, matrix_for(model, table))

for f in (:predict, :quantiles, :evaluate, :simulate, :regression_draws, :classes, :spread, :loo)
    @eval $f(model::Model, X, rest...; options...) = $f(model, matrix_for(model, X), rest...; options...)
end
