"""
    Coupling(problem; sides = :one_sided)

The coupling xi_i = sqrt(rho_i) x_i.w + N(0, 1) of each row (and hidden unit) of a [`GreedyProblem`](@ref) or
[`JointProblem`](@ref), with rho so large that w given xi is log-concave: `sides` is `:one_sided` (rho by the sign of the
residual) or `:two_sided` (as the papers print it). `c.rho` is a number for each row; of a one-sided coupling of a joint
problem with signs of both kinds those for +, then those for -.

xi is a vector of n, of a joint problem a matrix of n rows and M columns; w is a vector, one hidden unit after another.
[`simulate`](@ref) draws xi given w, [`sample`](@ref) w given xi; [`log_density`](@ref), [`score`](@ref) and
`LogConcaveCoupling.hessian` are those of the papers.
"""
struct Coupling{T,P<:Problem{T}}
    problem::P
    rho::Vector{T}
end

function Coupling(problem::Problem{T}; sides = :one_sided) where {T}
    problem.rows === nothing && throw(ArgumentError("a density of your own has no coupling"))
    rho, count = zeros(T, 2 * size(problem.rows.x, 1)), Ref{Csize_t}(0)
    with_pointers(problem) do p, data
        check(ABI.coupling_rho(T, p, data, code(:coupling, sides), rho, length(rho), count))
    end
    return Coupling{T,typeof(problem)}(problem, resize!(rho, count[]))
end

units_of(c::Coupling) = name_of(:posterior, c.problem.raw.posterior) === :joint ? Int(c.problem.raw.neurons) : 1
size_of(c::Coupling) = size(c.problem.rows.x, 1) * units_of(c)

"xi as the library has it, the units of a row beside each other; and back."
function flat(c::Coupling{T}, xi::AbstractVecOrMat) where {T}
    n, units = size(c.problem.rows.x, 1), units_of(c)
    size(xi) == (n, units) || units == 1 && size(xi) == (n,) ||
        throw(DimensionMismatch("xi has the size $(size(xi)) in place of $((n, units))"))
    return vec(Matrix{T}(permutedims(reshape(xi, n, units))))
end
shaped(c::Coupling, xi) = name_of(:posterior, c.problem.raw.posterior) === :joint ?
                          permutedims(reshape(xi, units_of(c), :)) : xi

function weights(c::Coupling{T}, w::AbstractVector) where {T}
    dim = dimension(c.problem)
    length(w) == dim || throw(DimensionMismatch("w has $(length(w)) values and the posterior $dim coordinates"))
    return Vector{T}(w)
end

"""
    simulate(coupling, w; seed = 1)

A draw of xi given w.
"""
function simulate(c::Coupling{T}, w::AbstractVector; seed::Integer = 1) where {T}
    own, xi = weights(c, w), zeros(T, size_of(c))
    with_pointers(c.problem) do p, data
        check(ABI.coupling_draw(T, p, data, c.rho, length(c.rho), own, seed, xi, length(xi)))
    end
    return shaped(c, xi)
end

"log p(w | xi) with its gradient, in arrays that are there."
function conditional!(c::Coupling{T}, xi::Vector{T}, w::Vector{T}, gradient::Vector{T}, room) where {T}
    value = Ref{T}(0)
    with_pointers(c.problem) do p, data
        check(ABI.coupling_log_density(T, p, data, c.rho, length(c.rho), xi, w, room, sizeof(room), value, gradient))
    end
    return value[]
end

room_of(c::Coupling{T}) where {T} = with_pointers(c.problem) do p, data
    block(size_by(bytes -> ABI.problem_scratch(T, p, data, bytes)))
end

"""
    log_density(coupling, w, xi) -> (value, gradient)

log p(w | xi) up to a constant that depends on xi, concave in w, and its gradient.
"""
function log_density(c::Coupling{T}, w::AbstractVector, xi::AbstractVecOrMat) where {T}
    gradient = zeros(T, dimension(c.problem))
    return (value = conditional!(c, flat(c, xi), weights(c, w), gradient, room_of(c)), gradient = gradient)
end

"""
    sample(coupling, xi; sampler, options...) -> Sample

Draws of w given xi: E[w | xi] is `[e.mean for e in s.w]`. `sampler` is as for a [`DensityProblem`](@ref): by default `:auto`
under a Gaussian prior, on the l1 ball `:random_walk`, every tenth of 10,000 draws a chain.
"""
function sample(c::Coupling{T}, xi::AbstractVecOrMat; sampler = nothing, options...) where {T}
    own, room, raw = flat(c, xi), room_of(c), c.problem.raw
    starts = prior_draws(c.problem, 16)
    law = DensityProblem((w, gradient) -> conditional!(c, own, w, gradient, room), size(starts, 1); gradient = true,
                         scale = raw.scale, start = starts, precision = T)
    sampler === nothing || return sample(law; sampler = sampler, options...)
    name_of(:prior, raw.prior) === :l1_ball || return sample(law; options...)
    return sample(law; sampler = :random_walk, draws = 10_000, stored = 1000, options...)
end

"Independent draws of w from the prior, in the columns of a matrix."
function prior_draws(problem::Problem{T}, draws; seed::Integer = 1) where {T}
    out = zeros(T, dimension(problem), draws)
    with_pointers(problem) do p, data
        room = block(size_by(bytes -> ABI.problem_prior_scratch(T, p, data, bytes)))
        check(ABI.problem_draw_prior(T, p, data, seed, draws, room, sizeof(room), out, length(out)))
    end
    return out
end

"""
    score(coupling, xi, mean = nothing)

grad log p(xi) = -xi + S X E[w | xi], S = diag(sqrt(rho)), from the conditional mean; without it from draws.
"""
function score(c::Coupling{T}, xi::AbstractVecOrMat, mean = nothing) where {T}
    own, out = flat(c, xi), zeros(T, size_of(c))
    w = weights(c, mean === nothing ? [e.mean for e in sample(c, xi).w] : mean)
    with_pointers(c.problem) do p, data
        check(ABI.coupling_score(T, p, data, c.rho, length(c.rho), own, w, out, length(out)))
    end
    return shaped(c, out)
end

"""
    hessian(coupling, covariance) -> Matrix

The Hessian of log p(xi), -I + S X Cov[w | xi] X' S, from the conditional covariance, the hidden units of a row beside each
other: p(xi) is log-concave where its largest eigenvalue is negative everywhere.
"""
function hessian(c::Coupling{T}, covariance::AbstractMatrix) where {T}
    dim, count = dimension(c.problem), size_of(c)
    size(covariance) == (dim, dim) || throw(DimensionMismatch("the covariance is $(size(covariance)) in place of $((dim, dim))"))
    out = zeros(T, count, count)
    with_pointers(c.problem) do p, data
        check(ABI.coupling_hessian(T, p, data, c.rho, length(c.rho), Matrix{T}(covariance), zeros(T, dim), out, length(out)))
    end
    return out
end

Base.show(io::IO, c::Coupling) = print(io, "Coupling(", size_of(c), " coordinates of xi, of ", c.problem, ")")
