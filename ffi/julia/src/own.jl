# What densities of one's own need besides a sampler: parameters with constraints, derivatives, leave-one-out.

"""
    Parameters(name => constraint, ...; precision = Float64)

Named parameters with constraints, as Stan defines them. A constraint is a symbol, or a tuple of it and keywords:
`:sigma => :lower` is a number above 0, `:p => (:simplex, (size = 3,))` three shares; `:q => (:interval, (lower = 0,
upper = 5, size = 2))` two numbers. There are `:free`, `:lower`, `:upper`, `:interval`, `:affine` (offset in `lower`,
multiplier in `upper`), `:simplex`, `:ordered`, `:positive_ordered`, `:unit_vector`, `:cholesky_corr` and
`:cholesky_cov` (`size` rows each; matrices row by row), and `count` of them one after another. See
[`constrain`](@ref), [`unconstrain`](@ref), [`DensityProblem`](@ref).
"""
struct Parameters{T}
    raw::Vector{ABI.Parameter{T}}
    names::Vector{Vector{UInt8}}   # what raw points to
    coordinates::Int
    elements::Int
end

function Parameters(list::Pair...; precision::Type{T} = Float64) where {T}
    names = [Vector{UInt8}(string(name) * "\0") for (name, _) in list]
    raw = ABI.Parameter{T}[parameter(T, name, rule) for (name, (_, rule)) in zip(names, list)]
    coordinates, elements = GC.@preserve names sizes_by() do n, k
        ABI.parameters_dims(T, raw, length(raw), n, k)
    end
    return Parameters{T}(raw, names, coordinates, elements)
end

parameter(T, name, rule::Union{Symbol,AbstractString}) = parameter(T, name, (rule, NamedTuple()))
function parameter(::Type{T}, name, (rule, options)::Tuple) where {T}
    known = (:size, :count, :lower, :upper)
    all(key -> key in known, keys(options)) || throw(ArgumentError("a parameter has " * join(known, ", ")))
    constraint = code(:constraint, rule)
    value(key, default) = get(options, key, default)
    return ABI.Parameter{T}(pointer(name), constraint, value(:size, 1), value(:count, 1), value(:lower, 0),
                            value(:upper, constraint == code(:constraint, :upper) ? 0 : 1))
end

Base.show(io::IO, p::Parameters{T}) where {T} =
    print(io, "Parameters(", length(p.raw), ", ", p.coordinates, " coordinates, ", p.elements, " elements, ", T, ")")

fits(x, length, what) =
    Base.length(x) == length || throw(DimensionMismatch("there are $length $what, not $(Base.length(x))"))

"""
    constrain(parameters, x) -> (y, log_jacobian)

The elements of coordinates, and log |det dy/dx|: -Inf where rounding puts them on the edge of their constraint.
"""
function constrain(p::Parameters{T}, x::AbstractVector) where {T}
    fits(x, p.coordinates, "coordinates")
    at, y, log_jacobian = Vector{T}(x), zeros(T, p.elements), Ref{T}(0)
    GC.@preserve p check(ABI.parameters_constrain(T, p.raw, length(p.raw), at, y, length(y), log_jacobian))
    return (y = y, log_jacobian = log_jacobian[])
end

"The gradient by `x` of log p(y) + log |det dy/dx|, from `dy`, that of log p by `y = constrain(parameters, x).y`."
function pull_back(p::Parameters{T}, x::AbstractVector, y::AbstractVector, dy::AbstractVector) where {T}
    fits(x, p.coordinates, "coordinates")
    foreach(v -> fits(v, p.elements, "elements"), (y, dy))
    dx = zeros(T, p.coordinates)
    GC.@preserve p check(ABI.parameters_pull_back(T, p.raw, length(p.raw), Vector{T}(x), Vector{T}(y), Vector{T}(dy), dx,
                                                  length(dx)))
    return dx
end

"""
    unconstrain(parameters, y) -> x

The coordinates of elements that satisfy their constraints.
"""
function unconstrain(p::Parameters{T}, y::AbstractVector) where {T}
    fits(y, p.elements, "elements")
    x = zeros(T, p.coordinates)
    GC.@preserve p check(ABI.parameters_unconstrain(T, p.raw, length(p.raw), Vector{T}(y), x, length(x)))
    return x
end

"The name of every element: `sigma`, `theta[2]`, `L[2,1]`."
element_names(p::Parameters{T}) where {T} = GC.@preserve p [
    text_by((text, bytes, length) -> ABI.parameters_name(T, p.raw, Base.length(p.raw), k - 1, text, bytes, length), 256)
    for k in 1:p.elements]

"ForwardDiff where it is loaded."
function forward_diff()
    for (id, loaded) in Base.loaded_modules
        id.name == "ForwardDiff" && return loaded
    end
    throw(ArgumentError("gradient = :forwarddiff needs ForwardDiff: `using ForwardDiff` first"))
end

"f(x, gradient) of an f(x), by ForwardDiff."
function differentiated(f)
    ForwardDiff = forward_diff()
    return function (x, gradient)
        ForwardDiff.gradient!(gradient, f, x)
        return f(x)
    end
end

"""
    DensityProblem(f, parameters; gradient = false, scale = 1, start = nothing)

The same of a density of [`Parameters`](@ref): `f(y)` or, with `gradient = true`, `f(y, dy)` is of their elements; the
Jacobian comes with them. Draws are of the coordinates, and so is `start`: [`constrain`](@ref) makes elements of them,
of every draw by `quantities` of [`sample`](@ref), and [`unconstrain`](@ref) the opposite.
"""
function DensityProblem(f, p::Parameters{T}; gradient = false, scale::Real = 1, start = nothing) where {T}
    gradient === :forwarddiff && return DensityProblem(differentiated(f), p; gradient = true, scale = scale, start = start)
    of_coordinates = if gradient
        function (x, dx)
            y, log_jacobian = constrain(p, x)
            isfinite(log_jacobian) || return log_jacobian
            dy = zeros(T, length(y))
            value = f(y, dy)
            dx .= pull_back(p, x, y, dy)
            return value + log_jacobian
        end
    else
        function (x)
            y, log_jacobian = constrain(p, x)
            return isfinite(log_jacobian) ? f(y) + log_jacobian : log_jacobian
        end
    end
    return DensityProblem(of_coordinates, p.coordinates; gradient = gradient, scale = scale, start = start, precision = T)
end

"""
    check_gradient(problem; x = nothing, points = 10, seed = 1)

Compares the gradient that a density of one's own writes with finite differences, at `x` or at points drawn from
N(0, scale^2 I). `wrong` and `outside` are 0 where all is well; `coordinate` (from 0), `gradient` and `difference` are of
the worst.
"""
function check_gradient(p::Problem{T}; x = nothing, points::Integer = 10, seed::Integer = 1) where {T}
    at = x === nothing ? Ptr{T}(C_NULL) : Vector{T}(x)
    x === nothing || fits(x, dimension(p), "coordinates")
    return with_pointers(p) do problem, data
        room = block(size_by(bytes -> ABI.problem_scratch(T, problem, data, bytes)))
        out = Ref{ABI.GradientCheck{T}}()
        check(p, ABI.density_check(T, problem, at, x === nothing ? points : 1, seed, room, sizeof(room), out))
        out[]
    end
end

"""
    Loo

What leaving rows out comes to: `total` (`elpd`, `elpd_error`, `p`, `k_max`, `k_limit`, `bad`, `elpd_waic`, ...) and, for
each of the `rows`, `elpd`, `mcse`, `k`, `lpd` and `p_waic`. `compare(a, b)` is how much better a is.
"""
struct Loo{T}
    rows::Vector{ABI.LooRow{T}}
    total::ABI.Loo{T}
end

"""
    loo(log_likelihood) -> Loo
    loo(model, X, y) -> Loo

Leave-one-out predictive densities by Pareto-smoothed importance sampling, and WAIC: of `log_likelihood[t, i]` or
`[t, c, i]` for draw t of chain c and row i, or of a model and the training rows. Where a row's `k` is above
`total.k_limit` its `elpd` is not to be relied on.
"""
function loo(log_likelihood::AbstractArray{<:Real,3})
    T = precision_of(log_likelihood)
    values = convert(Array{T,3}, log_likelihood)
    draws, chains, n = size(values)
    rows, total = Vector{ABI.LooRow{T}}(undef, n), Ref{ABI.Loo{T}}()
    room = block(size_by(bytes -> ABI.draws_scratch(T, chains, draws, bytes)))
    GC.@preserve values begin
        first = Ref(ABI.Draws{T}(pointer(values), chains, draws, draws, 1))
        check(ABI.loo_estimate(T, first, n, draws * chains, room, sizeof(room), rows, n, total))
    end
    return Loo{T}(rows, total[])
end

loo(log_likelihood::AbstractMatrix) = loo(reshape(log_likelihood, size(log_likelihood, 1), 1, size(log_likelihood, 2)))

function loo(model::Model, X::AbstractMatrix, y::AbstractVector)
    values = on_rows(model, X, y) do T, image, bytes, data, scratch, room
        out = zeros(T, model.info.draws, size(X, 1))
        check(ABI.model_log_likelihood(T, image, bytes, data, scratch, room, out, length(out)))
        out
    end
    return loo(values)
end

"By how much the `elpd` of `a` is larger than that of `b`, from the same rows, and the standard error of that."
function compare(a::Loo{T}, b::Loo{T}) where {T}
    fits(a.rows, length(b.rows), "rows")
    difference, standard_error = Ref{T}(0), Ref{T}(0)
    check(ABI.loo_compare(T, a.rows, b.rows, length(a.rows), difference, standard_error))
    return (difference = difference[], standard_error = standard_error[])
end

Base.show(io::IO, l::Loo) = @printf(io, "elpd %.2f ± %.2f, %.2f effective parameters, largest Pareto k %.2f (%d of %d above %.2f)",
                                    l.total.elpd, l.total.elpd_error, l.total.p, l.total.k_max, l.total.bad, l.total.rows,
                                    l.total.k_limit)
