"""
A posterior to sample: the header's `lcc_problem` with its data and what it points at, the callback of a density of
one's own or the options of a network.
"""
struct Problem{T,R<:Union{Nothing,Rows{T}},C<:Union{Nothing,Callback,Base.RefValue{ABI.BnnOptions{T}}}}
    raw::ABI.Problem{T}
    rows::R
    beside::C
end

const OfNetwork{T} = Problem{T,<:Rows{T},Base.RefValue{ABI.BnnOptions{T}}}

defaults(::Type{T}, n, keywords) where {T} =
    options(out -> ABI.problem_default(T, out, n), ABI.Problem{T}, keywords)

"A problem with some members that keywords do not reach."
with_members(raw::ABI.Problem{T}, members) where {T} =
    ABI.Problem{T}(Any[get(members, name, getfield(raw, name)) for name in fieldnames(ABI.Problem{T})]...)

"""
    GreedyProblem(X, residuals; alpha = 1/sqrt(n), prior = :gaussian, scale = 1, activation = :tanh)

The posterior of one neuron, p(w) ~ exp(alpha sum_i r_i psi(x_i.w)) p0(w), with p0 Gaussian N(0, scale^2 I) or
`:l1_ball`, uniform on |w|_1 <= scale.
"""
GreedyProblem(X::AbstractMatrix, r::AbstractVector; keywords...) = with_data(:greedy, X, r, Keywords(keywords))

"""
    JointProblem(X, y; neurons = 8, beta = 1, outer = 4, signs = :alternating, prior = :gaussian, scale = 1,
                 activation = :tanh)

The posterior of M neurons with fixed outer weights,
p(w_1..w_M) ~ exp(-(beta/2) sum_i (y_i - (outer/M) sum_m s_m psi(x_i.w_m))^2) prod p0(w_m). The `model` of a
[`sample`](@ref) predicts, with Gaussian noise of the sd beta^(-1/2).

`layers = (4, 3)` are the units of up to four hidden layers in place of `neurons`: every row of every layer has that prior,
and the coordinates are N(0, 1) each under it. With `prior = :l1_ball` the sampler `:gibbs` then goes from layer to layer.
"""
function JointProblem(X::AbstractMatrix, y::AbstractVector; layers = nothing, keywords...)
    layers === nothing && return with_data(:joint, X, y, Keywords(keywords))
    haskey(keywords, :neurons) && throw(ArgumentError("layers has the units of all layers: leave neurons out"))
    return with_network(:layers, X, y, Keywords(:widths => layers), Keywords(keywords))
end

function with_data(posterior, X, y, keywords)
    T = precision_of(X, y)
    rows = check_rows(Rows(T, X, y))
    raw = with_members(defaults(T, size(X, 1), keywords), Keywords(:posterior => code(:posterior, posterior)))
    return Problem{T,typeof(rows),Nothing}(raw, rows, nothing)
end

"""
    NetworkProblem(X, y; widths = 20, output = :gaussian, options...)

The posterior of a network of up to four hidden layers (or none, `widths = 0`), every parameter free. Options are those
of the header's `lcc_bnn_options` that say what a network is and its prior: `activation`, `output`, `noise`, `scales`,
`input_scale`, ... . `X` and `y` are taken as they are: standardise them first. Student-t noise needs a known `tail`.
The coordinates are N(0, 1) each under the law that chains start from, as the header says; [`sample`](@ref) gives the
networks too, as `s.model`.
"""
function NetworkProblem(X::AbstractMatrix, y::AbstractVector; output = :gaussian, keywords...)
    return with_network(:network, X, y, merge(Keywords(keywords), Keywords(:output => output)), Keywords())
end

function with_network(posterior, X, y, chosen, keywords)
    T = precision_of(X, y)
    rows = check_rows(Rows(T, X, y))
    network = Ref(options(out -> ABI.bnn_options_default(T, out), ABI.BnnOptions{T}, chosen))
    mine = Keywords(:posterior => code(:posterior, posterior),
                    :network => Base.unsafe_convert(Ptr{ABI.BnnOptions{T}}, network))
    raw = with_members(defaults(T, size(X, 1), keywords), mine)
    return Problem{T,typeof(rows),typeof(network)}(raw, rows, network)
end

"""
    DensityProblem(f, dim; gradient = false, vectorized = false, scale = 1, start = nothing, precision = Float64)

A law on R^dim by its log density up to a constant: `f(x)` returns it, -Inf or NaN outside the support; with
`gradient = true`, `f(x, grad)` also writes its gradient to `grad`; with `gradient = :forwarddiff` it is that of
ForwardDiff, which must be loaded. Both vectors are the package's: copy what is to be
kept. Chains start from N(0, scale^2 I), where the density must be finite; it is also what split HMC solves exactly:
make `scale` about as large as the law is wide. `start` is a point, or a matrix of points in its columns, where chains and
the warm-up of `:auto` begin in place of that. Without a gradient the samplers are `:random_walk` and `:independence`.
What `f` throws stops the sampler and is thrown by [`sample`](@ref). A `vectorized` one has several points, mostly 8, in
the rows of a matrix, returns a vector of values, and writes gradients to the rows of `grad`; a point's must not depend
on the others.

```julia
s = sample(DensityProblem((x, g) -> (g .= .-x; -sum(abs2, x) / 2), 2; gradient = true); sampler = :split_hmc)
```
"""
function DensityProblem(f, dim::Integer; gradient::Union{Bool,Symbol} = false, vectorized::Bool = false,
                        scale::Real = 1, start = nothing, precision::Type{T} = Float64) where {T}
    gradient === :forwarddiff && vectorized && throw(ArgumentError("ForwardDiff's is of one point at a time"))
    gradient === :forwarddiff && return DensityProblem(differentiated(f), dim; gradient = true, scale = scale,
                                                       start = start, precision = precision)
    gradient isa Bool || throw(ArgumentError("gradient is true, false or :forwarddiff"))
    dim >= 1 || throw(ArgumentError("a density needs at least one coordinate"))
    points = start === nothing ? zeros(T, dim, 0) : Matrix{T}(reshape(start, size(start, 1), :))
    size(points, 1) == dim || throw(DimensionMismatch("there are $dim coordinates, not $(size(points, 1))"))
    callback = Callback{T}(f, dim, gradient, vectorized, points)
    of = vectorized ? :densities => c_functions(callback) : :density => c_function(callback)
    raw = defaults(T, 1, Keywords(:scale => scale))
    mine = Keywords(:posterior => code(:posterior, :user), of, :dim => dim,
                    :context => pointer_from_objref(callback), :gradient => gradient,
                    :start => isempty(points) ? Ptr{T}(C_NULL) : pointer(points), :starts => size(points, 2))
    return Problem{T,Nothing,typeof(callback)}(with_members(raw, mine), nothing, callback)
end

"Calls `f(problem, data)` with pointers that are valid meanwhile, and throws what a density threw."
function with_pointers(f, p::Problem)
    data = p.rows === nothing ? C_NULL : Ref(p.rows.data)
    return GC.@preserve p f(Ref(p.raw), data)
end

"A status of a call that may have called a density of one's own."
function check(p::Problem, status::Int32)
    rethrow_from(p.beside)
    return status < 0 ? throw(failure(p.beside, status)) : status
end

"The coordinates of w."
dimension(p::Problem{T}) where {T} =
    with_pointers((problem, data) -> size_by(dim -> ABI.problem_dim(T, problem, data, dim)), p)

"""
    log_density(problem, w) -> (value, gradient)

log p(w) up to the posterior's own constant, and its gradient: what the samplers see.
"""
function log_density(p::Problem{T}, w::AbstractVector) where {T}
    dim = dimension(p)
    length(w) == dim || throw(DimensionMismatch("w has $(length(w)) values and the posterior $dim coordinates"))
    value, gradient, at = Ref{T}(0), zeros(T, dim), Vector{T}(w)
    with_pointers(p) do problem, data
        room = block(size_by(bytes -> ABI.problem_scratch(T, problem, data, bytes)))
        check(p, ABI.problem_log_density(T, problem, data, at, room, sizeof(room), value, gradient))
    end
    return (value = value[], gradient = gradient)
end

function Base.show(io::IO, p::OfNetwork{T}) where {T}
    (n, d), o = size(p.rows.x), p.beside[]
    widths = join(filter(w -> w > 0, collect(o.widths)), "-")
    if name_of(:posterior, p.raw.posterior) === :layers
        return print(io, "JointProblem(", n, " rows of ", d, ", ", widths, " ", name_of(:activation, p.raw.activation), ", ",
                     name_of(:prior, p.raw.prior), " prior of scale ", p.raw.scale, ", beta ", p.raw.beta, ", ", T, ")")
    end
    print(io, "NetworkProblem(", n, " rows of ", d, ", ",
          isempty(widths) ? "no hidden layer" : widths * " " * string(name_of(:activation, o.activation)), ", ",
          name_of(:output, o.output), " output, ", T, ")")
end

function Base.show(io::IO, p::Problem{T}) where {T}
    raw = p.raw
    kind = name_of(:posterior, raw.posterior)
    kind === :user && return print(io, "DensityProblem(", raw.dim, " coordinates, ",
                                   raw.gradient == 1 ? "with" : "without", " gradient, ", T, ")")
    n, d = size(p.rows.x)
    print(io, kind === :greedy ? "GreedyProblem(" : "JointProblem(", n, " rows of ", d, ", ",
          name_of(:activation, raw.activation), ", ", name_of(:prior, raw.prior), " prior of scale ", raw.scale,
          kind === :greedy ? ", alpha $(raw.alpha)" : ", $(raw.neurons) neurons, beta $(raw.beta)", ", ", T, ")")
end
