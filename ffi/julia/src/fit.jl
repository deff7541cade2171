# What a way of fitting is made of in the ABI. Those that need scratch to write their model say so.
struct Fitter
    options::Type
    defaults::Function
    size::Function
    init::Function
    step::Function
    model_size::Function
    write_model::Function
    scratch::Bool
end

"The model of a Gaussian about a mode is that of the network linearised there."
function write_bnn_model(T, arguments...)
    status = ABI.bnn_write_linearised(T, arguments...)
    return get(ABI.STATUSES, status, :unknown) === :LCC_ERROR_METHOD ? ABI.bnn_write_model(T, arguments...) : status
end

const FITTERS = Dict(
    :network => Fitter(ABI.NetworkOptions, ABI.network_options_default, ABI.network_size, ABI.network_init,
                       ABI.network_step, ABI.network_model_size, ABI.network_write_model, false),
    :bnn => Fitter(ABI.BnnOptions, ABI.bnn_options_default, ABI.bnn_size, ABI.bnn_init,
                   ABI.bnn_step, ABI.bnn_model_size, write_bnn_model, false),
    :greedy => Fitter(ABI.GreedyOptions, ABI.greedy_options_default, ABI.greedy_size, ABI.greedy_init,
                      ABI.greedy_step, ABI.greedy_model_size, ABI.greedy_write_model, true),
    :relaxed => Fitter(ABI.RelaxedOptions, ABI.relaxed_options_default, ABI.relaxed_size, ABI.relaxed_init,
                       ABI.relaxed_step, ABI.relaxed_model_size, ABI.relaxed_write_model, true))

"How a fit by the network regressor went."
struct NetworkReport{T}
    rows::Int
    diagnosis::ABI.NetworkDiagnosis{T}
    warnings::Vector{String}
end

"""
How a fit of a Bayesian network of any depth went, and the point fit beside it: the best end of an optimisation. `modes`, of methods that
climb to a mode or fit, chain by chain: `log_evidence`, Laplace's or the bound of it, and more.
"""
struct BnnReport{T}
    rows::Int
    diagnosis::ABI.BnnDiagnosis{T}
    point::Model
    modes::Vector{ABI.BnnMode{T}}
    warnings::Vector{String}
end

"How a fit by levels went."
struct LevelReport{L}
    rows::Int
    levels::Vector{L}
    warnings::Vector{String}
end

"""
    fit(X, y; estimator = :bnn, weights = nothing, seed = 1, from = nothing, precision = nothing, threads = Threads.nthreads(),
        progress = nothing, options...) -> Model

Fits a Bayesian neural network to rows of `X` (n x d) and targets `y` (n), in their own units.
`X` is read where it lies, whatever its strides, if it has the precision of the fit.

`estimator` is `:bnn`, as `lcc fit` has it (up to four hidden layers or none, by many short chains; `y` may be a class
from 0 on or a count too: `widths = (20, 10)`, `output = :softmax`; without `output` numbers, whose noise short fits choose:
student-t, log-normal or gamma, negative binomial of whole numbers, mean-variance or mixture, or a hurdle for zeros; the probabilities of classes are calibrated by short
fits), `:network` (the regressor of a microcontroller: one hidden layer, a few long chains, Student-t noise; where `neurons` or
`from` are given), `:greedy` (batch Greedy Bayes, the algorithm of the papers) or `:relaxed` (greedy least squares, one draw).
Options are those of the header's `lcc_network_options`,
`lcc_bnn_options`, `lcc_greedy_options` or `lcc_relaxed_options`, by the same names: `neurons`, `chains`, `warmup`,
`draws`, `keep`, `activation = :tanh`, ... . `from`, a model of as many
neurons, is where the chains of `:network` start in place of a search: for data that have changed a little.
`weights`, one number for each row, 0 or more (of `:bnn`): a row of weight 2 counts as if it were there twice, one of weight 0
not at all. Weights that sum to 1 make one row of all: divide by their mean those whose scale says nothing.
`groups`, one value for each row (of `:bnn`), as the person or the device that it is of: the short fits hold out all rows of a
group together. Give them where rows to predict will be of new persons.
`precision` of `:bnn` and `:network` is `Float32`, `Float64`, or by the rule of `lcc fit`: single, but double where single
precision would round values by more than a thousandth of their spread, and for methods that climb to a mode or fit a distribution.
Predictions have the element type of the rows that are predicted. The other estimators, and chains that start `from` a model, compute in
that of `X` and `y`.
Chains of `:bnn` and `:network` are dealt to `threads`, by default to all that Julia was started with (`julia -t auto`): the same
seed gives the same bytes for every number of them.
`progress` is called between steps of some milliseconds with the share that is done, from one thread at a time; what it throws, or
Ctrl-C, ends the fit. `model.report.warnings` are sentences about the rows, as codes for missing values or a column that counts them, and about
chains of `:network` that sit in different modes; each is given by `@warn` too.

```julia
model = fit(X, y; widths = 20, seed = 7)
p = predict(model, Xnew; level = 0.9)   # p.mean, p.sd, p.lower, p.upper
```
"""
function fit(X::AbstractMatrix, y::AbstractVector; estimator = nothing, weights = nothing, groups = nothing, from = nothing,
             precision = nothing, threads = Threads.nthreads(), progress = nothing, options...)
    usual = from === nothing && !haskey(options, :neurons) ? :bnn : :network
    known = Symbol(something(estimator, usual))
    haskey(FITTERS, known) ||
        throw(ArgumentError("estimator \"$estimator\" is not one of " * join(sort!(collect(keys(FITTERS))), ", ")))
    from === nothing || known === :network || throw(ArgumentError("only :network starts from a model"))
    threads isa Integer && threads >= 1 || throw(ArgumentError("threads is a number from 1 on, not $threads"))
    T = precision_of(X, y)
    if groups !== nothing
        known === :bnn || throw(ArgumentError("groups are of :bnn, not of :$known"))
        check_groups(groups, size(X, 1))
    end
    if weights !== nothing
        known === :bnn || throw(ArgumentError("weights are of :bnn, not of :$known"))
        which = weighted_rows(weights, size(X, 1))
        X, y, weights = X[which, :], y[which], weights[which]
        groups = groups === nothing ? nothing : groups[which]
    end
    rows = check_rows(Rows(T, X, y, weights, groups))
    if known in (:bnn, :network) && from === nothing
        rows = in_precision(rows, precision, known === :bnn ? Keywords(options) : Keywords())
    elseif precision !== nothing
        throw(ArgumentError("precision is of :bnn and :network; :$known computes in that of X and y"))
    end
    return fit(FITTERS[known], rows, from, Int(threads), progress, Keywords(options))
end

"Rows in single or double precision."
function in_precision(rows::Rows{T}, precision, keywords) where {T}
    precision in (nothing, Float32, Float64) || throw(ArgumentError("precision is Float32 or Float64, not $precision"))
    made, column, bits = Ref(made_of(FITTERS[:bnn], T, keywords)), Ref{Csize_t}(0), Ref{UInt32}(0)
    GC.@preserve rows check(ABI.bnn_precision(T, made, Ref(rows.data), column, bits))
    P = something(precision, bits[] == 64 ? Float64 : Float32)
    if precision === Float32 && column[] <= size(rows.x, 2)
        lost = column[] == size(rows.x, 2) ? "y" : "column $(column[] + 1)"
        @warn "single precision does not hold what the values of $lost differ by: leave precision out"
    end
    return P === T ? rows : Rows(P, rows.x, rows.y, rows.weights, rows.groups)
end

"The options that keywords ask for; of a network what suits its method and output, changed by them."
function made_of(fitter, T, keywords)
    asked = options(out -> fitter.defaults(T, out), fitter.options{T}, keywords)
    asked isa ABI.BnnOptions || return asked
    suits(out) = ABI.bnn_options_for(T, asked.method, asked.output, Cint(asked.widths[1] > 0), out)
    return options(suits, fitter.options{T}, kept(suits, fitter.options{T}, keywords))
end

function fit(fitter::Fitter, rows::Rows{T}, from, threads, progress, keywords) where {T}
    asked = made_of(fitter, T, keywords)
    opens = !haskey(keywords, :output)
    if asked isa ABI.BnnOptions
        opens = opens && asked.method == ABI.CODES[:inference][:chains]
        check_read(ABI.inference_reads, ABI.inference_name, "method", asked.method, keywords)
        opens || check_read(ABI.output_reads, ABI.output_name, "output", asked.output, keywords)
    end
    if asked isa ABI.BnnOptions && opens
        asked = chosen(rows, asked, haskey(keywords, :scales), threads)
    end
    found = remarks(rows, is_real(asked), is_exposed(asked))
    total, n = rows.weights === nothing ? Inf : sum(rows.weights), length(rows.y)
    total < FEW <= n && push!(found, @sprintf("the weights sum to %g: %d rows count as so few; where their scale says nothing, divide them by their mean", total, n))
    model = fitted(fitter, rows, from, threads, progress, asked, found)
    model.report isa NetworkReport && mixed!(found, model.report.diagnosis.rhat_max)
    foreach(sentence -> @warn(sentence), found)
    return asked isa ABI.BnnOptions && has_classes(model.info) ? calibrated(rows, asked, model, threads) : model
end

function fitted(fitter::Fitter, rows::Rows, from, threads, progress, made, found = String[])
    whole = Chains(fitter, rows, from, made)
    parts = from === nothing ? parts_of(whole, threads) : typeof(whole)[]
    if length(parts) < 2
        run(whole, () -> progress === nothing || progress(share_of(whole.handle)))
    else
        run_apart(parts, progress)
        join!(whole, parts)
    end
    return GC.@preserve whole model_of(whole, found)
end

"With as many draws kept as there are, where all are kept and another number of draws is asked for."
function kept(suits, type, keywords)
    haskey(keywords, :draws) && !haskey(keywords, :keep) || return keywords
    usual, draws = options(suits, type, Keywords()), keywords[:draws]
    return merge(keywords, Keywords(:keep => usual.keep == usual.draws ? draws : min(usual.keep, draws)))
end

"The fold of each row, the number of folds, and the options of the short fits to all rows but those of one."
function pilots_of(rows::Rows{T}, made::ABI.BnnOptions{T}) where {T}
    asked, dealt, folds = Ref(made), Vector{UInt32}(undef, size(rows.x, 1)), Ref{UInt32}(0)
    weights, groups = something(rows.weights, C_NULL), something(rows.groups, C_NULL)
    GC.@preserve rows check(ABI.bnn_folds_weighted(T, asked, Ref(rows.data), weights, groups, dealt, length(dealt), folds))
    pilots, out = ABI.BnnOptions{T}[], Ref{ABI.BnnOptions{T}}()
    while (GC.@preserve rows ABI.bnn_pilot(T, asked, Ref(rows.data), length(pilots), out)) == 0
        push!(pilots, out[])
    end
    return dealt, folds[], pilots
end

"Calls `told(model, held)` with the model of each short fit and where the rows of its fold are."
function by_folds(told, rows::Rows, dealt, folds, pilot, threads)
    function without(fold)
        rest = findall(f -> f != fold - 1 && f < folds, dealt)
        return fitted(FITTERS[:bnn], some_of(rows, rest), nothing, 1, nothing, pilot)
    end
    models = threads > 1 ? apart(without, Int(folds)) : map(without, 1:folds)
    foreach((model, fold) -> told(model, findall(==(fold - 1), dealt)), models, 1:folds)
end

"The options with the output and the scales that held-out rows speak for, by short fits: see the header's `lcc_bnn_pilot_f64`.
Scales that are `named` stay."
function chosen(rows::Rows{T}, made::ABI.BnnOptions{T}, named, threads) where {T}
    dealt, folds, pilots = pilots_of(rows, made)
    named && filter!(pilot -> pilot.scales == made.scales, pilots)
    length(pilots) == 1 && return replaced(made, Keywords(:output => only(pilots).output))
    folds == 0 && return made
    scores = fill(T(NaN), length(dealt), length(pilots))
    for (k, pilot) in pairs(pilots)
        by_folds(rows, dealt, folds, pilot, threads) do model, held
            found = log_scores(model, rows.x[held, :], rows.y[held])
            found === nothing || (scores[held, k] = found)
        end
    end
    y, part = rows.y[dealt.<folds], scores[dealt.<folds, :]
    choice = struct_by(ABI.BnnChoice{T}) do out
        ABI.bnn_choose(T, y, length(y), part, length(pilots), out)
    end
    own = pilots[choice.candidate+1]
    return replaced(made, Keywords(:output => own.output, :scales => own.scales))
end

"The model of classes at the temperature that held-out rows ask for; as it is where rows are too few."
function calibrated(rows::Rows, made, model, threads)
    dealt, folds, pilots = pilots_of(rows, made)
    folds == 0 && return model
    count = Int(model.info.categories)
    told = zeros(Float64, count, length(dealt))
    by_folds(rows, dealt, folds, first(pilots), threads) do own, held
        told[:, held] = permutedims(classes(own, rows.x[held, :]).probabilities)
    end
    y = Vector{Float64}(rows.y)
    temperature = struct_by(out -> ABI.bnn_temperature(Float64, told, length(y), count, y, out), Float64)
    image, written = zeros(UInt8, length(model.bytes)), Ref{Csize_t}(0)
    check(ABI.model_temper(model.bytes, length(model.bytes), temperature, image, length(image), written))
    return Model(resize!(image, written[]), model.report)
end

"The log score of each target; nothing where a law is beyond the precision."
function log_scores(model, X, y)
    return on_rows(model, X, y) do T, image, bytes, data, scratch, room
        out = Vector{ABI.Score{T}}(undef, length(y))
        status = ABI.model_score(T, image, bytes, data, scratch, room, out, length(out))
        get(ABI.STATUSES, status, :unknown) === :LCC_ERROR_NOT_FINITE_X && return nothing
        check(status)
        return [s.log_density for s in out]
    end
end

"The model of a finished fit."
function image(fitter, write, T, at)
    bytes, scratch = if fitter.scratch
        sizes_by((model, scratch) -> fitter.model_size(T, at, model, scratch))
    else
        size_by(model -> fitter.model_size(T, at, model)), 0
    end
    out, room, written = zeros(UInt8, bytes), block(scratch), Ref{Csize_t}(0)
    check(fitter.scratch ? write(T, at, room, sizeof(room), out, bytes, written) : write(T, at, out, bytes, written))
    return resize!(out, written[])
end

function report_of(::Type{ABI.NetworkOptions{T}}, at, n, found) where {T}
    room = block(size_by(bytes -> ABI.network_diagnose_scratch(T, at, bytes)))
    return NetworkReport(n, struct_by(out -> ABI.network_diagnose(T, at, room, sizeof(room), out),
                                      ABI.NetworkDiagnosis{T}), found)
end

function report_of(::Type{ABI.BnnOptions{T}}, at, n, found) where {T}
    room = block(size_by(bytes -> ABI.bnn_diagnose_scratch(T, at, bytes)))
    diagnosis = struct_by(out -> ABI.bnn_diagnose(T, at, room, sizeof(room), out), ABI.BnnDiagnosis{T})
    modes = levels(k -> out -> ABI.bnn_report(T, at, k, out), ABI.BnnMode{T})
    return BnnReport(n, diagnosis, Model(image(FITTERS[:bnn], ABI.bnn_write_point, T, at)), modes, found)
end

report_of(::Type{ABI.GreedyOptions{T}}, at, n, found) where {T} =
    LevelReport(n, levels(k -> out -> ABI.greedy_report(T, at, k, out), ABI.GreedyLevel{T}), found)
report_of(::Type{ABI.RelaxedOptions{T}}, at, n, found) where {T} =
    LevelReport(n, levels(k -> out -> ABI.relaxed_report(T, at, k, out), ABI.RelaxedLevel{T}), found)

"The levels of a fit, up to the first that is not there."
function levels(report, ::Type{L}) where {L}
    found, out = L[], Ref{L}()
    while report(length(found))(out) >= 0
        push!(found, out[])
    end
    return found
end

show_chains(io, report) =
    print(io, "\n  fitted to  ", report.rows, " rows by ", report.diagnosis.chains_used, " chains",
          report.diagnosis.chains_dropped == 0 ? "" : " ($(report.diagnosis.chains_dropped) more dropped)")

function show_report(io, report::BnnReport)
    d = report.diagnosis
    show_chains(io, report)
    @printf(io, "\n  luck       %.1f %% of the predictive sd is the seed's", 100 * d.luck_rms)
    @printf(io, "\n  R-hat      %.3f at most, of predictions at training rows", d.rhat_max)
    @printf(io, "\n  acceptance %.2f, %d divergent", d.acceptance, d.divergences)
end

function show_report(io, report::NetworkReport)
    d = report.diagnosis
    show_chains(io, report)
    @printf(io, "\n  R-hat      %.3f at most, of predictions at training rows", d.rhat_max)
    @printf(io, "\n  ESS        %.0f in the bulk, %.0f in the tails, at least", d.ess_bulk_min, d.ess_tail_min)
    @printf(io, "\n  acceptance %.2f, %d divergent, E-BFMI %.2f", d.acceptance, d.divergences, d.e_bfmi_min)
end

function show_report(io, report::LevelReport)
    print(io, "\n  fitted to  ", report.rows, " rows by ", length(report.levels), " levels")
end
