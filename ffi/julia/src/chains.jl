# The chains of a fit: in memory of their own, all of them or, on threads, parts that are joined.

"Chains that have begun. `handle` points into `memory`."
struct Chains{T,S}
    fitter::Fitter
    rows::Rows{T}
    made::S
    memory::Block
    handle::Ptr{Cvoid}
end

function Chains(fitter::Fitter, rows::Rows{T}, from, made) where {T}
    asked, data, handle = Ref(made), Ref(rows.data), Ref{Ptr{Cvoid}}(C_NULL)
    memory = block(size_by(bytes -> fitter.size(T, asked, size(rows.x)..., bytes)))
    GC.@preserve rows memory begin
        if rows.weights !== nothing
            check(ABI.bnn_init_weighted(T, memory, sizeof(memory), asked, data, rows.weights, handle))
        elseif from === nothing
            check(fitter.init(T, memory, sizeof(memory), asked, data, handle))
        else
            check(ABI.network_init_from(T, memory, sizeof(memory), asked, data, from.bytes, length(from.bytes), handle))
        end
    end
    return Chains(fitter, rows, made, memory, handle[])
end

"To the end."
function run(chains::Chains{T}, report) where {T}
    fitter, rows, handle = chains.fitter, chains.rows, chains.handle
    data = Ref(rows.data)
    step(budget) = rows.weights === nothing ? fitter.step(T, handle, data, budget) :
                   ABI.bnn_step_weighted(T, handle, data, rows.weights, budget)
    GC.@preserve chains run_to_end(step, UInt64(64 * size(rows.x, 1)), report)
    return nothing
end

model_of(chains::Chains{T,S}, found) where {T,S} =
    Model(image(chains.fitter, chains.fitter.write_model, T, chains.handle),
          report_of(S, chains.handle, size(chains.rows.x, 1), found))

# How many there are, of those that can be dealt out.
count_of(::Chains) = 1
count_of(chains::Chains{T,ABI.NetworkOptions{T}}) where {T} = Int(chains.made.chains)
function count_of(chains::Chains{T,ABI.BnnOptions{T}}) where {T}
    out = Ref{UInt32}(0)
    check(ABI.bnn_chains(T, Ref(chains.made), size(chains.rows.x)..., out))
    return Int(out[])
end

"As many parts as there are threads or blocks of chains in lock-step; none where one would do."
function parts_of(whole::Chains, threads)
    chains = count_of(whole)
    lanes = chains > 1 ? Int(whole.made.lanes) : 1
    blocks = cld(chains, lanes)
    parts = min(threads, blocks)
    parts < 2 && return typeof(whole)[]
    ends = [min(div(blocks * k, parts) * lanes, chains) for k in 0:parts]
    return map(1:parts) do k
        own = Keywords(:chains => ends[k+1] - ends[k], :first_chain => whole.made.first_chain + ends[k])
        Chains(whole.fitter, whole.rows, nothing, replaced(whole.made, own))
    end
end

"The chains of all parts, in their order: the bits of one run."
function join!(whole::Chains{T}, parts) where {T}
    handles = [part.handle for part in parts]
    join = whole.made isa ABI.BnnOptions ? ABI.bnn_join : ABI.network_join
    GC.@preserve whole parts check(join(T, whole.handle, handles, length(handles)))
    return whole
end

"Each part on a thread."
function run_apart(parts, progress)
    shares, stop, turn = zeros(length(parts)), Threads.Atomic{Bool}(false), ReentrantLock()
    apart(length(parts), stop) do k
        run(parts[k], function ()
            stop[] && throw(InterruptException())
            shares[k] = share_of(parts[k].handle)
            progress === nothing || lock(() -> progress(sum(shares) / length(shares)), turn)
        end)
    end
    return nothing
end

"`work(1)`, ..., `work(count)` side by side. The first error ends the others, which look at `stop`, and is thrown."
function apart(work, count::Int, stop = Threads.Atomic{Bool}(false))
    results, failure, turn = Vector{Any}(undef, count), Ref{Any}(nothing), ReentrantLock()
    function one(k)
        try
            results[k] = work(k)
        catch error
            # Before the others are stopped, whose interrupts are not the reason.
            lock(() -> failure[] === nothing && (failure[] = error), turn)
            stop[] = true
        end
    end
    tasks = [Threads.@spawn one(k) for k in 1:count]
    try
        foreach(wait, tasks)
    catch
        stop[] = true
        foreach(wait, tasks)
        rethrow()
    end
    failure[] === nothing || throw(failure[])
    return results
end
