"""
    Stream

A model that goes on learning, row by row, where the data drift. One task at a time may use it.
"""
struct Stream{T}
    memory::Block
    handle::Ptr{Cvoid}
end

"""
    stream(model; precision = Float64, options...) -> Stream

A learner that starts from a model. Usual order, for each row: [`predict`](@ref) when the inputs are known,
[`observe!`](@ref) when the target is. `Model(stream)` is the model as it is then. Options are those of the header's
`lcc_stream_options`: `draws`, `weighted`, `forgetting`, ... . It begins unsure, with a prior wide enough for any drift: observe
the training rows first, and it begins with what they say.
"""
function stream(model::Model; precision::Type{T} = Float64, keywords...) where {T}
    asked = Ref(options(out -> ABI.stream_options_default(T, out), ABI.StreamOptions{T}, Keywords(keywords)))
    image = model.bytes
    memory = block(size_by(bytes -> ABI.stream_size(T, asked, image, length(image), bytes)))
    handle = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve memory check(ABI.stream_init(T, memory, sizeof(memory), asked, image, length(image), handle))
    return Stream{T}(memory, handle[])
end

"""
    observe!(stream, x, y) -> (log_density, pit)

Learns from a row, and says how its target fared under the prediction before: log density, and P(Y <= y).
"""
function observe!(s::Stream{T}, x::AbstractVector, y::Real) where {T}
    score = GC.@preserve s struct_by(ABI.StreamScore{T}) do out
        ABI.stream_observe(T, s.handle, Vector{T}(x), length(x), y, out)
    end
    return (log_density = score.log_density, pit = score.pit)
end

"""
    predict(stream, x; level = 0.9) -> (mean, sd, lower, upper)

The predictive law at one row before its target is known; learns nothing.
"""
function predict(s::Stream{T}, x::AbstractVector; level::Real = 0.9) where {T}
    p = GC.@preserve s struct_by(ABI.Prediction{T}) do out
        ABI.stream_predict(T, s.handle, Vector{T}(x), length(x), level, out)
    end
    return (mean = p.mean, sd = p.sd, lower = p.lower, upper = p.upper)
end

info(s::Stream{T}) where {T} =
    GC.@preserve s struct_by(out -> ABI.stream_read_info(T, s.handle, out), ABI.StreamInfo)

"""
    Model(stream; spread = true, seed = 1)

The model as it is now: with `spread`, each draw's head and noise are drawn from their law; without, their means.
"""
function Model(s::Stream{T}; spread::Bool = true, seed::Integer = 1) where {T}
    GC.@preserve s begin
        bytes, scratch = sizes_by((model, scratch) -> ABI.stream_model_size(T, s.handle, model, scratch))
        out, room, written = zeros(UInt8, bytes), block(scratch), Ref{Csize_t}(0)
        check(ABI.stream_write_model(T, s.handle, spread, seed, room, sizeof(room), out, bytes, written))
        return Model(resize!(out, written[]))
    end
end

Base.show(io::IO, s::Stream{T}) where {T} = (i = info(s); print(io, "Stream{", T, "}(", i.inputs, " inputs, ",
    i.neurons, " neurons, ", i.draws, " draws, ", i.rows, " rows learnt)"))
