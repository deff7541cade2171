# One run of a sampler, of the sampler that chooses for itself, or of sequential Monte Carlo: the same steps to the
# end, and draws, outputs and means with their errors after it.

# What a sampler is made of in the ABI.
struct Engine
    options::Type
    defaults::Function
    size::Function
    init::Function
    step::Function
    progress::Function
end

const CHAINS = Engine(ABI.SamplerOptions, ABI.sampler_options_default, ABI.sampler_size, ABI.sampler_init,
                      ABI.sampler_step, (T, at) -> share_of(at))
const AUTO = Engine(ABI.AutoOptions, ABI.auto_options_default, ABI.auto_size, ABI.auto_init, ABI.auto_step,
                    (T, at) -> share_of(at))
const PARTICLES = Engine(ABI.SmcOptions, ABI.smc_options_default, ABI.smc_size, ABI.smc_init, ABI.smc_step,
                         (T, at) -> Float64(struct_by(out -> ABI.smc_climb(T, at, out), ABI.Climb{T}).temperature))

# Tempered chains, on temperatures that increase to 1.
tempered(ladder) = Engine(ABI.TemperingOptions, ABI.tempering_options_default, ABI.tempering_size,
                          (T, memory, bytes, asked, raw, data, handle) -> ABI.tempering_init(T, memory, bytes, asked, ladder,
                                                                                          length(ladder), raw, data, handle),
                          ABI.tempering_step, (T, at) -> share_of(at))

"The temperatures at which a short run of particles stops."
function ladder_of(problem::Problem{T}, keywords) where {T}
    run = run_sampler(PARTICLES, problem, keywords, nothing)
    stages = GC.@preserve run struct_by(out -> ABI.smc_climb(T, run.handle, out), ABI.Climb{T}).stages
    return T[GC.@preserve run struct_by(out -> ABI.smc_stage(T, run.handle, k, out), ABI.Stage{T}).temperature for k in 0:stages-1]
end

"A run that is over: its engine, handle, options, and the block that it lives in."
struct Run{T,O}
    engine::Engine
    problem::Problem{T}
    asked::O
    memory::Block
    handle::Ptr{Cvoid}
end

function run_sampler(engine::Engine, problem::Problem{T}, keywords, progress, timeout = nothing) where {T}
    asked = options(out -> engine.defaults(T, out), engine.options{T}, keywords)
    if hasfield(typeof(asked), :stored) && !haskey(keywords, :stored)
        asked = replaced(asked, Keywords(:stored => asked.draws))
    end
    handle = Ref{Ptr{Cvoid}}(C_NULL)
    return with_pointers(problem) do raw, data
        memory = block(size_by(bytes -> engine.size(T, Ref(asked), raw, data, bytes)))
        GC.@preserve memory begin
            check(problem, engine.init(T, memory, sizeof(memory), Ref(asked), raw, data, handle))
            at = handle[]
            ends = timeout === nothing ? Inf : time() + timeout
            function report()
                progress === nothing || progress(engine.progress(T, at))
                if time() >= ends
                    check(problem, ABI.auto_stop(T, at))
                    ends = Inf
                end
            end
            function step(budget)
                return check(problem, engine.step(T, at, raw, data, budget))
            end
            run_to_end(step, first_budget(problem), report)
            return Run(engine, problem, asked, memory, at)
        end
    end
end

# The unit is a row visited by a chain; a density of one's own counts as one row, and may be slow.
first_budget(p::Problem) = p.rows === nothing ? UInt64(64) : UInt64(64 * size(p.rows.x, 1))

"Draws of a view, one column for each chain."
function matrix(view::ABI.Draws{T}) where {T}
    out = Matrix{T}(undef, view.draws, view.chains)
    for c in 1:view.chains, t in 1:view.draws
        out[t, c] = unsafe_load(view.data, (c - 1) * view.chain_stride + (t - 1) * view.draw_stride + 1)
    end
    return out
end

"The draws of one coordinate (from 1), one column for each chain."
function coordinate_draws(run::Run{T}, j) where {T}
    GC.@preserve run begin
        return matrix(struct_by(out -> ABI.read_draws(T, run.handle, j - 1, out), ABI.Draws{T}))
    end
end

"The network's output at one row (from 1) for every draw, one column for each chain."
function output_draws(run::Run{T}, queries::Rows{T}, i, chains, draws) where {T}
    values, view = zeros(T, chains * draws), Ref{ABI.Draws{T}}()
    with_pointers(run.problem) do raw, _
        GC.@preserve run queries check(ABI.read_output(T, run.handle, raw, Ref(queries.data), i - 1, values,
                                                       length(values), view))
    end
    return reshape(values, draws, chains)
end

"The networks of all draws, chain by chain; nothing of posteriors that are no network's."
function drawn_model(run::Run{T}) where {T}
    run.problem.raw.posterior in code.(:posterior, (:network, :joint, :layers)) || return nothing
    with_pointers(run.problem) do raw, data
        GC.@preserve run begin
            at = run.handle
            bytes, size = sizes_by((bytes, model) -> ABI.read_model_size(T, at, raw, data, bytes, model))
            room, image, written = block(bytes), zeros(UInt8, size), Ref{Csize_t}(0)
            check(ABI.read_model(T, at, raw, data, room, sizeof(room), image, size, written))
            return Model(resize!(image, written[]))
        end
    end
end

"What a function of the library says of the draws of one quantity, a column for each chain."
function of_draws(f, draws::Matrix{T}) where {T}
    chains, length = size(draws, 2), size(draws, 1)
    GC.@preserve draws begin
        view = Ref(ABI.Draws{T}(pointer(draws), chains, length, length, 1))
        room = block(size_by(bytes -> ABI.draws_scratch(T, chains, length, bytes)))
        return f(view, room)
    end
end

"What they say, by ArviZ's definitions."
summarise(draws::Matrix{T}) where {T} = of_draws(draws) do view, room
    struct_by(out -> ABI.draws_summarise(T, view, room, sizeof(room), out), ABI.Summary{T})
end

"Whether a tail is so heavy that a few draws lead the mean."
is_heavy(draws::Matrix{T}) where {T} = of_draws(draws) do view, room
    k = Ref{T}(0)
    struct_by(out -> ABI.draws_tail(T, view, room, sizeof(room), k, out), Int32) == 1
end

# The standard error of the mean of all draws, and the chains that R-hat and ESS are taken from: with antithetic pairs
# the error comes from the means of pairs, and one chain of each pair is looked at; particles are no chains.
error_and_chains(run::Run{T,ABI.SamplerOptions{T}}, draws) where {T} =
    run.asked.antithetic == 1 ? (summarise(pair_means(draws)).mcse_mean, draws[:, 1:2:end]) :
                                (summarise(draws).mcse_mean, draws)
error_and_chains(run::Run{T,ABI.TemperingOptions{T}}, draws) where {T} = (summarise(draws).mcse_mean, draws)
error_and_chains(run::Run{T,ABI.AutoOptions{T}}, draws) where {T} =
    (average(ABI.auto_average, run, draws), size(draws, 1) == 1 ? nothing : draws[:, 1:2:end])
error_and_chains(run::Run{T,ABI.SmcOptions{T}}, draws) where {T} = (average(ABI.smc_average, run, draws), nothing)

pair_means(draws) = (draws[:, 1:2:end-1] .+ draws[:, 2:2:end]) ./ 2

"The standard error of a mean, as the run itself says."
function average(f, run::Run{T}, draws) where {T}
    scratch = zeros(T, 2 * length(draws))
    GC.@preserve run draws begin
        view = Ref(ABI.Draws{T}(pointer(draws), size(draws, 2), size(draws, 1), size(draws, 1), 1))
        return struct_by(out -> f(T, run.handle, view, scratch, length(scratch), out),
                         ABI.Average{T}).standard_error
    end
end
