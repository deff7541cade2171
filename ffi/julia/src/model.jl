"""
    Model

A fitted posterior: draws of a network, of any depth and output, with the units of its data, as bytes that every LCC reads, in C and on a
microcontroller too. [`fit`](@ref) makes one; `write("model.lcc", model)` and `read("model.lcc", Model)` keep it;
`Model(bytes)` verifies bytes from elsewhere. `model.info` says what it is, `model.report` how its fit went (`nothing`
after reading). May be used by several threads at a time.
"""
struct Model
    bytes::Vector{UInt8}
    info::ABI.ModelInfo
    report::Any
end

function Model(bytes::AbstractVector{UInt8}, report = nothing)
    image = Vector{UInt8}(bytes)
    info = struct_by(out -> ABI.model_check(image, length(image), out), ABI.ModelInfo)
    resize!(image, info.bytes)
    return Model(image, info, report)
end

Base.write(io::IO, model::Model) = write(io, model.bytes)
Base.read(io::IO, ::Type{Model}) = Model(read(io))
Base.:(==)(a::Model, b::Model) = a.bytes == b.bytes
Base.hash(model::Model, h::UInt) = hash(model.bytes, h)

"""
    units(model) -> (mean, sd)

The units of the inputs (first) and of the target (last): a model works on (x - mean) / sd.
"""
function units(model::Model, ::Type{T} = Float64) where {T}
    mean, sd = zeros(T, model.info.inputs + 1), zeros(T, model.info.inputs + 1)
    check(ABI.model_units(T, model.bytes, length(model.bytes), mean, sd, length(mean)))
    return (mean = mean, sd = sd)
end

"""
    parameters(model, draw) -> NamedTuple

One draw (from 1) in the model's units: `w` (M x d), `b`, `v` (M), `b0`, `c` (d), `sigma` and `nu`, infinite where the
noise is Gaussian: f(x) = b0 + c.x + sum_m v_m psi(b_m + x.w_m). Of other networks than those of one hidden layer with
such noise, `values`, in the order that the header says of `lcc_model_parameters_f64`.
"""
function parameters(model::Model, draw::Integer, ::Type{T} = Float64) where {T}
    info = model.info
    all = zeros(T, info.values)
    check(ABI.model_parameters(T, model.bytes, length(model.bytes), draw - 1, all, length(all)))
    has_noise(info) && info.linear == 1 && info.widths[1] > 0 && info.widths[2] == 0 || return (values = all,)
    d, M = Int(info.inputs), Int(info.neurons)
    w = permutedims(reshape(all[1:M*d], d, M))
    at = M * d
    return (w = w, b = all[at+1:at+M], v = all[at+M+1:at+2M], b0 = all[at+2M+1], c = all[at+2M+2:at+2M+d+1],
            sigma = all[end-1], nu = all[end])
end

"""
    noise(model)

The scale of the noise in the target's units, averaged over the draws, of outputs with the same noise everywhere.
"""
function noise(model::Model)
    has_noise(model.info) || throw(ArgumentError("the noise of this model's output is not one number"))
    draws, all = Int(model.info.draws), zeros(model.info.values)
    sum_of_all = sum(1:draws) do k
        check(ABI.model_parameters(Float64, model.bytes, length(model.bytes), k - 1, all, length(all)))
        all[end-1]
    end
    return sum_of_all / draws * last(units(model).sd)
end

has_noise(info) = name_of(:output, info.output) in (:student_t, :gaussian)
has_classes(info) = name_of(:output, info.output) in (:bernoulli, :softmax, :ordinal)

"The layers as text: 20, or 20-10, or none."
layers(info) = join(filter(width -> width > 0, collect(info.widths)), "-")

Base.show(io::IO, model::Model) =
    print(io, "Model(", model.info.inputs, " inputs, ", model.info.widths[1] == 0 ? "no" : layers(model.info),
          " neurons, ", model.info.draws, " draws)")

function Base.show(io::IO, ::MIME"text/plain", model::Model)
    info = model.info
    print(io, "Model of ", info.inputs, info.inputs == 1 ? " input, " : " inputs, ")
    info.widths[1] > 0 && print(io, layers(info), " ", name_of(:activation, info.activation), " neurons, ")
    has_noise(info) || print(io, replace(string(name_of(:output, info.output)), '_' => '-'), " output, ")
    print(io, info.draws,
          info.draws == 1 ? " draw (Float" : " posterior draws (Float", info.precision,
          ", ", info.bytes, " bytes)")
    has_noise(info) && @printf(io, "\n  noise      %.4g in the target's units", noise(model))
    model.report === nothing || show_report(io, model.report)
end
