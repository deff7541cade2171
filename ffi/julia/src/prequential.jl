"""
    Prequential

Greedy Bayes row by row: [`prequential`](@ref) makes one. One task at a time may use it. `LogConcaveCoupling.levels(p)` and
`LogConcaveCoupling.expectation(p, level, x)` are of its levels.
"""
struct Prequential{T}
    memory::Block
    handle::Ptr{Cvoid}
end

"""
    prequential(d, rows; units = nothing, precision = Float64, options...) -> Prequential

A learner by Greedy Bayes in its prequential form, with room for so many rows of d inputs: each row is predicted from those
before it. For each, [`predict`](@ref) when the inputs are known, [`observe!`](@ref) when the target is. `units = (X, y)` are data
whose means and sds standardise every row; without, rows are taken as they are. Options are those of the header's
`lcc_prequential_options`: `levels`, `particles`, `form = :tilt`, `prior = :l1_ball`, `alpha`, `beta`, `outer`, ... . As the paper
prints it: `form = :tilt, intercept = 0, outer = 1`, alpha and beta 1/sqrt(rows), and `Model(p; averaging = :printed)`.
"""
function prequential(d::Integer, rows::Integer; units = nothing, precision::Type{T} = Float64, keywords...) where {T}
    asked = Ref(options(out -> ABI.prequential_options_default(T, out), ABI.PrequentialOptions{T}, Keywords(keywords)))
    given = units === nothing ? nothing : check_rows(Rows(T, units...))
    given === nothing || size(given.x, 2) == d || throw(DimensionMismatch("units have $(size(given.x, 2)) inputs in place of $d"))
    memory = block(size_by(bytes -> ABI.prequential_size(T, asked, rows, d, bytes)))
    handle = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve memory given begin
        data = given === nothing ? C_NULL : Ref(given.data)
        check(ABI.prequential_init(T, memory, sizeof(memory), asked, rows, d, data, handle))
    end
    return Prequential{T}(memory, handle[])
end

room_of(p::Prequential{T}) where {T} =
    GC.@preserve p block(size_by(bytes -> ABI.prequential_scratch(T, p.handle, bytes)))

"""
    predict(prequential, x; level = 0.9) -> (location, scale, nu, sd, lower, upper)

Student's law of the target at one row, given the rows so far; learns nothing.
"""
function predict(p::Prequential{T}, x::AbstractVector; level::Real = 0.9) where {T}
    room = room_of(p)
    f = GC.@preserve p struct_by(ABI.Forecast{T}) do out
        ABI.prequential_forecast(T, p.handle, Vector{T}(x), length(x), level, room, sizeof(room), out)
    end
    return (location = f.location, scale = f.scale, nu = f.nu, sd = f.sd, lower = f.lower, upper = f.upper)
end

"""
    observe!(prequential, x, y) -> (log_density, pit, crps)

Learns from a row, and says how its target fared under its prediction.
"""
function observe!(p::Prequential{T}, x::AbstractVector, y::Real) where {T}
    score = GC.@preserve p begin
        check(ABI.prequential_observe(T, p.handle, Vector{T}(x), length(x), y))
        # To the end of the row, so that an interrupt leaves none half learnt.
        check(disable_sigint(() -> ABI.prequential_step(T, p.handle, UInt64(1) << 62)))
        law = struct_by(out -> ABI.prequential_last(T, p.handle, 0.9, out), ABI.Forecast{T})
        struct_by(out -> ABI.forecast_score(T, Ref(law), y, out), ABI.Score{T})
    end
    return (log_density = score.log_density, pit = score.pit, crps = score.crps)
end

"""
    losses(prequential) -> (rows, squared, log)

Of the rows so far, each predicted one step ahead: how many, the sum of squared errors, and of minus log densities in nats.
"""
function losses(p::Prequential{T}) where {T}
    own = GC.@preserve p struct_by(out -> ABI.prequential_losses(T, p.handle, out), ABI.Losses{T})
    return (rows = Int(own.rows), squared = own.squared, log = own.log)
end

"""
    levels(prequential) -> Vector

The levels after the rows so far: `log_evidence`, `ess` (effective particles as a share), `acceptance`, `fit`, `resamplings`.
"""
levels(p::Prequential{T}) where {T} =
    GC.@preserve p levels(k -> out -> ABI.prequential_report(T, p.handle, k, out), ABI.PrequentialLevel{T})

"""
    expectation(prequential, level, x)

E[V s psi(x.w)] at a row under the posterior of a level (from 1) given the rows so far, in the hidden units' units.
"""
function expectation(p::Prequential{T}, level::Integer, x::AbstractVector) where {T}
    room, out = room_of(p), Ref{T}(0)
    GC.@preserve p check(ABI.prequential_expectation(T, p.handle, level - 1, Vector{T}(x), length(x), room, sizeof(room), out))
    return out[]
end

"""
    Model(prequential; averaging = :last)

The rows so far as a model: of the posteriors before each row (`:printed`, the paper's mean), of these and the last
(`:inclusive`), or given all rows (`:last`).
"""
function Model(p::Prequential{T}; averaging = :last) where {T}
    GC.@preserve p begin
        bytes, scratch = sizes_by((model, scratch) -> ABI.prequential_model_size(T, p.handle, model, scratch))
        out, room, written = zeros(UInt8, bytes), block(scratch), Ref{Csize_t}(0)
        check(ABI.prequential_write_model(T, p.handle, code(:averaging, averaging), room, sizeof(room), out, bytes, written))
        return Model(resize!(out, written[]))
    end
end

Base.show(io::IO, p::Prequential{T}) where {T} =
    print(io, "Prequential{", T, "}(", length(levels(p)), " levels, ", losses(p).rows, " rows learnt)")
