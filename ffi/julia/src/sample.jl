"""
What the draws of one quantity say: `mean` and its Monte Carlo standard error `mcse`, `sd`, `q5`, `median`, `q95`,
effective sample sizes `ess_bulk` and `ess_tail`, and `rhat`; NaN where a definition asks for more draws. Of particles,
`ess_bulk` is the variance over that of the mean.
"""
struct Expectation{T}
    mean::T
    mcse::T
    sd::T
    q5::T
    median::T
    q95::T
    ess_bulk::T
    ess_tail::T
    rhat::T
end

function Expectation(run::Run, draws::Matrix)
    mcse, looked_at = error_and_chains(run, draws)
    particles = looked_at === nothing
    is_heavy(particles ? permutedims(draws) : draws) && (mcse = oftype(mcse, NaN))
    if particles
        all = summarise(permutedims(draws))
        return Expectation(all.mean, mcse, all.sd, all.q5, all.median, all.q95, (all.sd / mcse)^2, oftype(mcse, NaN),
                           oftype(mcse, NaN))
    end
    all, some = summarise(draws), summarise(looked_at)
    return Expectation(all.mean, mcse, all.sd, all.q5, all.median, all.q95, some.ess_bulk, some.ess_tail, some.rhat)
end

Base.show(io::IO, e::Expectation) = @printf(io, "%.5g ± %.2g (sd %.4g)", e.mean, e.mcse, e.sd)

"""
    Sample

Draws of a posterior. `s.draws[t, j, c]` is coordinate j of draw t of chain c (the order of MCMCChains.jl); `s.w` holds
an expectation for each coordinate and `s.outputs` one for each row of `queries`, each with `mean`, `mcse`, `sd`,
quantiles, `ess_bulk`, `ess_tail`, `rhat` (`mcse` is NaN where a tail is so heavy that a few draws lead the mean); `s.quantities` has the same of generated quantities by name. `s.sampler` names the sampler, `s.report` is what `:auto` says of its choice;
`s.model` is the [`Model`](@ref) of the draws of a [`NetworkProblem`](@ref) or a [`JointProblem`](@ref), chain by chain, else `nothing`.
"""
struct Sample{T}
    draws::Array{T,3}
    w::Vector{Expectation{T}}
    outputs::Vector{Expectation{T}}
    quantities::NamedTuple
    sampler::Symbol
    report::String
    log_evidence::Union{Nothing,T}
    model::Union{Nothing,Model}
end

"""
    sample(problem; sampler = :auto, queries = nothing, quantities = nothing, seed = 1, progress = nothing, timeout = nothing,
           options...) -> Sample
    sample(X, residuals; alpha, prior, scale, activation, sampler = :auto, ...) -> Sample

Draws from a [`GreedyProblem`](@ref) (of which the second form is short for), [`JointProblem`](@ref),
[`NetworkProblem`](@ref) or [`DensityProblem`](@ref).

`sampler` is `:auto`, which runs a pilot and chooses; `:smc`, sequential Monte Carlo from the prior; `:tempering`, on
`temperatures` that increase to 1, by default those of a short run of `particles` (256); or a method:
`:split_hmc`, `:gibbs` (coupled: xi | w, then w | xi), `:hmc`, `:mala`, `:random_walk`, `:independence`,
`:hit_and_run`, ... (`keys(LogConcaveCoupling.ABI.CODES[:method])`). Options are those of the header's
`lcc_auto_options`, `lcc_smc_options`, `lcc_tempering_options` or `lcc_sampler_options` by the same names: `chains`, `warmup`, `draws`,
`particles`, `leapfrogs`, `antithetic`, ... . At each row of the matrix `queries` the expectation of the network's
output is taken. `quantities` is a function of a draw, a vector, that returns a named tuple of numbers or arrays, whose
expectations are taken: `x -> (ratio = x[1] / x[2],)`. `progress` is called between steps of some milliseconds with the share that is done; what it throws, or
Ctrl-C, ends the run.

`:auto` ends when every coordinate (or functional that it judges by) has `ess` effective draws and the chains agree; by default
after all `draws`. `max_gradients` is the most evaluations that it makes, `timeout` the seconds after which it ends with the draws
that there are; the report says what was reached.
"""
function sample(problem::Problem{T}; sampler = :auto, queries = nothing, quantities = nothing, progress = nothing,
                timeout = nothing, options...) where {T}
    name = Symbol(replace(string(sampler), '-' => '_'))
    keywords = Keywords(options)
    timeout === nothing || name === :auto || throw(ArgumentError("a timeout is for sampler = :auto"))
    if name === :auto
        run = run_sampler(AUTO, problem, keywords, progress, timeout)
        report, choice = GC.@preserve run begin
            text_by((text, bytes, length) -> ABI.auto_explain(T, run.handle, text, bytes, length), 512),
            struct_by(out -> ABI.auto_report(T, run.handle, out), ABI.Choice{T})
        end
        evidence = isnan(choice.log_evidence) ? nothing : choice.log_evidence
        name_of(:verdict, Int(choice.verdict)) === :unreliable && @warn report
    elseif name === :smc
        run = run_sampler(PARTICLES, problem, keywords, progress)
        own = GC.@preserve run struct_by(out -> ABI.smc_evidence(T, run.handle, out), ABI.Evidence{T})
        few = own.families < ANCESTORS
        report = few ? "Particles descend from $(own.families) draws of the prior, too few to trust them." : ""
        few && @warn report
        evidence = own.log
    elseif name === :tempering
        particles = pop!(keywords, :particles, 256)
        short = Keywords(:particles => particles, :seed => get(keywords, :seed, 1), :lanes => particles % 8 == 0 ? 8 : 1)
        given = pop!(keywords, :temperatures, nothing)
        ladder = given === nothing ? ladder_of(problem, short) : convert(Vector{T}, given)
        run = run_sampler(tempered(ladder), problem, merge(keywords, Keywords(:temperatures => length(ladder))), progress)
        logs = map(0:run.asked.chains-1) do k   # its chains are independent
            log = Ref{T}(0)
            GC.@preserve run check(ABI.tempering_log_evidence(T, run.handle, k, log))
            log[]
        end
        report, evidence = "", sum(logs) / length(logs)
    else
        method = code(:method, name)
        check_read(ABI.method_reads, ABI.method_name, "sampler", method, keywords)
        run = run_sampler(CHAINS, problem, merge(keywords, Keywords(:method => method)), progress)
        law = unsafe_string(ABI.method_law(method))
        report, evidence = law == "the posterior" ? "" : "The draws' law is $law.", nothing
        startswith(law, "the posterior") || @warn report
    end
    made = Sample(run, queries, quantities, name, report, evidence)
    name in (:auto, :smc) || said_of_chains(made, problem)
    return made
end

# Above it chains disagree; and draws of the prior that particles descend from, below which they are not to be trusted.
const AGREES, ANCESTORS = 1.05, 10

"Warns where chains disagree. Hidden units may change places: the weights of several have no R-hat to speak of."
function said_of_chains(s::Sample, problem)
    several = problem.raw.posterior in code.(:posterior, (:network, :joint, :layers))
    larger(rhat, e) = isnan(e.rhat) ? rhat : max(rhat, Float64(e.rhat))
    rhat = foldl(larger, several ? s.outputs : vcat(s.w, s.outputs); init = -Inf)
    rhat > AGREES && @warn @sprintf("the chains disagree (R-hat %.3f, above %.2f): do not trust these draws; auto, smc and tempering cross between modes", rhat, AGREES)
    return nothing
end

const POSTERIOR_OPTIONS = (:alpha, :prior, :scale, :activation)

function sample(X::AbstractMatrix, residuals::AbstractVector; keywords...)
    mine = filter(pair -> first(pair) in POSTERIOR_OPTIONS, Keywords(keywords))
    rest = filter(pair -> !(first(pair) in POSTERIOR_OPTIONS), Keywords(keywords))
    return sample(GreedyProblem(X, residuals; mine...); rest...)
end

function Sample(run::Run{T}, queries, quantities, name, report, evidence) where {T}
    each = [coordinate_draws(run, j) for j in 1:dimension(run.problem)]
    length, chains = size(first(each))
    draws = Array{T}(undef, length, size(each, 1), chains)
    for (j, one) in enumerate(each)
        draws[:, j, :] = one
    end
    outputs, model = Expectation{T}[], drawn_model(run)
    if queries !== nothing && run.problem isa OfNetwork
        for one in eachrow(regression_draws(model, convert(Matrix{T}, queries)))
            push!(outputs, Expectation(run, reshape(Vector{T}(one), length, chains)))
        end
    elseif queries !== nothing
        run.problem.rows === nothing && throw(ArgumentError("a density of one's own has no outputs at rows"))
        rows = check_rows(Rows(T, queries))
        for i in 1:size(queries, 1)
            push!(outputs, Expectation(run, output_draws(run, rows, i, chains, length)))
        end
    end
    w, made = [Expectation(run, one) for one in each], generated(run, quantities, draws)
    return Sample{T}(draws, w, outputs, made, name, report * heavy(w, made), evidence, model)
end

"A sentence on those whose mean a few draws lead, or none."
function heavy(w, quantities)
    led(e) = isnan(e.mcse) && isfinite(e.mean)
    names = ["w[$j]" for j in eachindex(w) if led(w[j])]
    append!(names, [string(name) for (name, value) in pairs(quantities) if any(led, value isa Expectation ? (value,) : value)])
    isempty(names) && return ""
    return " A tail of " * join(names, ", ") * " is so heavy that a few draws lead the mean and the sd, which have no error: take quantiles, or the logarithm."
end

"Expectations of what a function makes of every draw, by name."
function generated(run::Run{T}, f, draws) where {T}
    f === nothing && return NamedTuple()
    made = [f(draws[t, :, c]) for t in axes(draws, 1), c in axes(draws, 3)]
    of(name, place...) = Expectation(run, T[one[name][place...] for one in made])
    both = map(keys(made[1])) do name
        value = made[1][name]
        name => value isa Number ? of(name) : map(place -> of(name, place), CartesianIndices(value))
    end
    return (; both...)
end

Base.show(io::IO, s::Sample) =
    print(io, "Sample(", s.sampler, ", ", size(s.draws, 1), " draws of ", size(s.draws, 3), " chains, ",
          size(s.draws, 2), " coordinates)")

function Base.show(io::IO, ::MIME"text/plain", s::Sample)
    length, dim, chains = size(s.draws)
    print(io, "Sample by ", s.sampler, ": ", chains, length == 1 ? " particles" : " chains of $length draws", ", ", dim,
          dim == 1 ? " coordinate" : " coordinates")
    isempty(s.report) || print(io, "\n  ", s.report)
    s.log_evidence === nothing || @printf(io, "\n  log evidence %.5g", s.log_evidence)
    @printf(io, "\n  %8s %12s %10s %10s %10s %8s %8s", "", "mean", "mcse", "sd", "ESS bulk", "tail", "R-hat")
    first_of(letter, all) = [letter * "[$k]" => all[k] for k in 1:min(10, size(all, 1))]
    for (name, e) in vcat(first_of("w", s.w), first_of("f", s.outputs))
        @printf(io, "\n  %8s %12.5g %10.2g %10.4g %10.0f %8.0f %8.3f", name, e.mean, e.mcse, e.sd, e.ess_bulk,
                e.ess_tail, e.rhat)
    end
    left = max(dim - 10, 0) + max(size(s.outputs, 1) - 10, 0)
    left == 0 || print(io, "\n  ... ", left, " more")
end
