"""
    Theory

What the papers bound, as numbers: `Theory.risk(3, 9, 1, 500)` is `lcc_theory_risk_f64`, whose manual in
`include/lcc/f64.h` says what they are. Those of plain numbers take the header's arguments in its order:
`approximation`, `risk`, `risk_of_neurons`, `gaussian_complexity`, `covering_hull`, `covering_network`, `covering`,
`covering_published`, `least_by_cover`, `least_by_cover_published`, `yang_barron`, `renyi`, `regret`, `relative_entropy`,
`time_scale`, `unit_time`, `time_for`, `gaussian_log_loss`, `bayes_regret`, `mean_squared_regret`. Matrices have a row for
each unit or frequency.
"""
module Theory

using ..LogConcaveCoupling: ABI, check

for name in (:approximation, :risk, :risk_of_neurons, :gaussian_complexity, :covering_hull, :covering_network, :covering,
             :covering_published, :least_by_cover, :least_by_cover_published, :yang_barron, :renyi, :regret,
             :relative_entropy, :time_scale, :unit_time, :time_for, :gaussian_log_loss, :bayes_regret,
             :mean_squared_regret)
    @eval function $name(numbers::Real...)
        value = ABI.$(Symbol("theory_", name))(Float64, numbers...)
        isnan(value) && throw(DomainError(numbers, "numbers are 0 or more, probabilities at most 1"))
        return value
    end
end

"The number that a function writes behind its other arguments."
function number(f, arguments...; out = Float64)
    value = Ref{out}()
    check(f(Float64, arguments..., value))
    return value[]
end

"Row after row, as C has them."
rows(matrix::AbstractMatrix) = convert(Matrix{Float64}, permutedims(matrix))

list(values::AbstractVector) = convert(Vector{Float64}, values)

same(a, b) = a == b || throw(DimensionMismatch("$a weights for $b units"))

"The posterior probabilities of models of equal prior probability, from their log evidences in nats."
function model_probabilities(log_evidence::AbstractVector)
    p = collect(Float64, log_evidence)
    bad = findfirst(x -> isnan(x) || x == Inf, p)
    bad === nothing || throw(DomainError(p[bad], "log evidence $bad is no number"))
    number(ABI.theory_model_probabilities, p, length(p); out = Csize_t)
    return p
end

"`(neurons, bound)`: M of 1 to `most`, and the index of resolvability that it attains, V^2/M + M nats/(beta N)."
function resolvability(variation, nats, beta, observations, most)
    neurons = Ref{Csize_t}()
    bound = number(ABI.theory_resolvability, variation, nats, beta, observations, most, neurons)
    return (neurons = Int(neurons[]), bound = bound)
end

"sum_k |a_k| |w_k|_1^order of sum_k a_k cos(w_k.x + b_k)."
function spectral_norm(amplitudes::AbstractVector, frequencies::AbstractMatrix, order)
    same(length(amplitudes), size(frequencies, 1))
    return number(ABI.theory_spectral_norm, list(amplitudes), rows(frequencies), size(frequencies)..., order)
end

"sum_m |c_m| |w_m|_1^degree of a network of one hidden layer."
function variation(outer::AbstractVector, inner::AbstractMatrix, degree)
    same(length(outer), size(inner, 1))
    return number(ABI.theory_variation, list(outer), rows(inner), size(inner)..., degree)
end

"So many of a network's last hidden units, drawn to stand for all (Maurey): the outer weights of that network."
function subnetwork(outer::AbstractVector, neurons; seed = 1, which = 0)
    sparse = Vector{Float64}(undef, length(outer))
    number(ABI.theory_subnetwork, list(outer), length(outer), neurons, seed, which, sparse)
    return sparse
end

"E|f - f_M|^2 of such subnetworks exactly, from the units' `values`, a row for each observation."
function subnetwork_error(outer::AbstractVector, values::AbstractMatrix, neurons)
    same(length(outer), size(values, 2))
    return number(ABI.theory_subnetwork_error, list(outer), length(outer), rows(values), size(values, 1), neurons)
end

"V_L: the sum over all paths of the products of their |weights|, of a matrix for each layer."
function paths(weights::AbstractVector{<:AbstractMatrix})
    all(size(a, 1) == size(b, 2) for (a, b) in zip(weights, weights[2:end])) ||
        throw(DimensionMismatch("layers of sizes $(size.(weights))"))
    layers = rows.(weights)
    widths = isempty(layers) ? Csize_t[0] : Csize_t[size(layers[1], 1); size.(layers, 2)]
    scratch = Vector{Float64}(undef, 2 * maximum(widths))
    GC.@preserve layers begin
        return number(ABI.theory_paths, pointer.(layers), widths, length(layers), scratch, length(scratch))
    end
end

"log E_0 exp(s g_xi(w)) from g_xi at draws of the prior."
gamma_xi(values::AbstractVector, s) = number(ABI.gamma_xi, list(values), length(values), s)

"Hoelder's bound of Var[v.w | xi] of an order above 1; `moment`: E_0 (v.w)^(2 order); `values` as for `gamma_xi`."
hoelder(moment, order, values::AbstractVector) = number(ABI.hoelder, moment, order, list(values), length(values))

"`(bound, order)`: the least of Hoelder's bounds on the l1 ball, and its order, 1 where there is none."
function hoelder_least(lambda_max, b2, d, radius)
    bound = Ref{Float64}()
    order = number(ABI.hoelder_least, lambda_max, b2, d, radius, bound; out = UInt32)
    return (bound = bound[], order = Int(order))
end

end
