"""
    Predictions

The predictive law at each row: `p.mean`, `p.sd` (noise included), `p.lower` and `p.upper`, the ends of the central
interval of probability `p.level`. A vector of named tuples, so that `DataFrame(p)` and every other table takes it.
"""
struct Predictions{T} <: AbstractVector{NamedTuple{(:mean, :sd, :lower, :upper),NTuple{4,T}}}
    mean::Vector{T}
    sd::Vector{T}
    lower::Vector{T}
    upper::Vector{T}
    level::Float64
end

Base.size(p::Predictions) = size(p.mean)
Base.@propagate_inbounds Base.getindex(p::Predictions, i::Int) =
    (mean = p.mean[i], sd = p.sd[i], lower = p.lower[i], upper = p.upper[i])

Predictions(rows::Vector{ABI.Prediction{T}}, level) where {T} =
    Predictions{T}([r.mean for r in rows], [r.sd for r in rows], [r.lower for r in rows], [r.upper for r in rows],
                   level)

Base.show(io::IO, p::Predictions) = print(io, "Predictions(", length(p), " rows, level ", p.level, ")")

function Base.show(io::IO, ::MIME"text/plain", p::Predictions)
    print(io, length(p), " predictions with central ", round(100 * p.level; digits = 3), " % intervals")
    @printf(io, "\n  %12s %12s %12s %12s", "mean", "sd", "lower", "upper")
    shown = length(p) <= 12 ? (1:length(p)) : 1:10
    for i in shown
        @printf(io, "\n  %12.5g %12.5g %12.5g %12.5g", p.mean[i], p.sd[i], p.lower[i], p.upper[i])
    end
    length(shown) == length(p) || print(io, "\n  ... ", length(p) - length(shown), " more")
end

"Calls `f(T, image, bytes, data, scratch, scratch_bytes)` on checked rows."
function on_rows(f, model::Model, X, y = nothing)
    rows = check_rows(Rows(y === nothing ? precision_of(X) : precision_of(X, y), X, y))
    return on_rows(f, model, rows)
end

function on_rows(f, model::Model, rows::Rows{T}) where {T}
    image = model.bytes
    scratch = block(size_by(bytes -> ABI.model_scratch(T, image, length(image), bytes)))
    return GC.@preserve rows f(T, image, length(image), Ref(rows.data), scratch, sizeof(scratch))
end

"""
    predict(model, X; level = 0.9) -> Predictions

The predictive law at each row of `X`, in `Float32` if `X` is, else in `Float64`, whatever the model was fitted in. Of a table
the columns are found by name. Where the target is a class: [`classes`](@ref).
"""
function predict(model::Model, X::AbstractMatrix; level::Real = 0.9)
    has_classes(model.info) && return classes(model, X)
    return on_rows(model, X) do T, image, bytes, data, scratch, room
        out = Vector{ABI.Prediction{T}}(undef, size(X, 1))
        check(ABI.model_predict(T, image, bytes, data, level, scratch, room, out, length(out)))
        return Predictions(out, Float64(level))
    end
end

"""
    quantiles(model, X, p) -> Matrix

The quantiles `p` (a vector of probabilities) of the predictive law: one row for each row of `X`.
"""
function quantiles(model::Model, X::AbstractMatrix, p::AbstractVector{<:Real})
    return on_rows(model, X) do T, image, bytes, data, scratch, room
        levels, out = Vector{T}(p), zeros(T, length(p), size(X, 1))
        check(ABI.model_quantile(T, image, bytes, data, levels, length(levels), scratch, room, out, length(out)))
        return permutedims(out)
    end
end

"""
    evaluate(model, X, y; level = 0.9, crps = false) -> NamedTuple

Scores of a test set: `rmse`, mean `log_likelihood`, `coverage` and mean `width` of the intervals, and mean `crps`,
which takes ten times as long as the rest. Of classes `accuracy`, `log_likelihood`, `brier`, `ranked`, `calibration`,
`coverage` and mean `set_size` of the sets of classes, `entropy` and `mutual_information`.
"""
function evaluate(model::Model, X::AbstractMatrix, y::AbstractVector; level::Real = 0.9, crps::Bool = false)
    return on_rows(model, X, y) do T, image, bytes, data, scratch, room
        if has_classes(model.info)
            c = struct_by(ABI.ClassEvaluation{T}) do out
                ABI.model_evaluate_classes(T, image, bytes, data, level, scratch, room, out)
            end
            return NamedTuple{fieldnames(typeof(c))}(ntuple(k -> getfield(c, k), fieldcount(typeof(c))))
        end
        e = struct_by(ABI.Evaluation{T}) do out
            ABI.model_evaluate(T, image, bytes, data, level, crps, scratch, room, out)
        end
        return (rmse = e.rmse, log_likelihood = e.log_likelihood, coverage = e.coverage, width = e.width, crps = e.crps)
    end
end

"""
    thin(model, draws, X = nothing) -> (model, rms, largest)

The model of so many of its draws, which predicts in less time and memory: those that together predict most nearly as all do
at the rows of `X`, of which 256 are used; without `X`, at random rows by the model's means and sds. `rms` and
`largest` are the differences of its probabilities from those of all draws.
"""
function thin(model::Model, draws::Integer, X::Union{AbstractMatrix,Nothing} = nothing)
    T = model.info.precision == 32 ? Float32 : Float64
    rows = X === nothing ? nothing : check_rows(Rows(T, X))
    image, length_of, lost = model.bytes, Ref{Csize_t}(), Ref{ABI.Thinned{T}}()
    scratch = block(size_by(bytes -> ABI.model_thin_scratch(T, image, length(image), bytes)))
    out = similar(image)
    GC.@preserve rows begin
        data = rows === nothing ? C_NULL : Ref(rows.data)
        check(ABI.model_thin(T, image, length(image), draws, data, scratch, sizeof(scratch), out, length(out), length_of, lost))
    end
    return (model = Model(resize!(out, length_of[])), rms = lost[].rms, largest = lost[].largest)
end

"""
    simulate(model, X; draws = 100, seed = 1) -> Matrix

Draws of the target from the predictive law: `draws` columns for each row of `X`.
"""
function simulate(model::Model, X::AbstractMatrix; draws::Integer = 100, seed::Integer = 1)
    return on_rows(model, X) do T, image, bytes, data, scratch, room
        out = zeros(T, draws, size(X, 1))
        check(ABI.model_draw(T, image, bytes, data, seed, draws, scratch, room, out, length(out)))
        return permutedims(out)
    end
end

"""
    regression_draws(model, X) -> Matrix

f(x) of each posterior draw (a column) at each row of `X`, without noise: what is not known of the regression function.
"""
function regression_draws(model::Model, X::AbstractMatrix)
    return on_rows(model, X) do T, image, bytes, data, scratch, room
        out = zeros(T, model.info.draws, size(X, 1))
        check(ABI.model_function(T, image, bytes, data, scratch, room, out, length(out)))
        return permutedims(out)
    end
end

"""
    classes(model, X) -> NamedTuple

Of a model whose target is a class: `probabilities`, one row for each row of `X` and a column for each class from 0 on,
averaged over the draws; and of each row `class`, the most probable, `entropy`, `mutual_information` (the part of the entropy that more data make
smaller) and `top`, the largest probability.
"""
function classes(model::Model, X::AbstractMatrix)
    return on_rows(model, X) do T, image, bytes, data, scratch, room
        out = zeros(T, max(Int(model.info.categories), 1), size(X, 1))
        facts = Vector{ABI.ClassFacts{T}}(undef, size(X, 1))
        check(ABI.model_classes(T, image, bytes, data, scratch, room, out, length(out), facts, length(facts)))
        return (class = [argmax(view(out, :, i)) - 1 for i in axes(out, 2)], probabilities = permutedims(out), entropy = [f.entropy for f in facts],
                mutual_information = [f.mutual_information for f in facts], top = [f.top for f in facts])
    end
end

"""
    spread(model, X) -> NamedTuple

What the standard deviation at each row of `X` is made of: `aleatoric`, noise, and `epistemic`, which more data make
smaller. Their squares add up to that of `predict(model, X).sd`.
"""
function spread(model::Model, X::AbstractMatrix)
    return on_rows(model, X) do T, image, bytes, data, scratch, room
        out = Vector{ABI.Spread{T}}(undef, size(X, 1))
        check(ABI.model_spread(T, image, bytes, data, scratch, room, out, length(out)))
        return (aleatoric = [s.aleatoric for s in out], epistemic = [s.epistemic for s in out])
    end
end
