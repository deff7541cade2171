# Nanoseconds that a step should take: between steps Julia handles Ctrl-C, other tasks and the garbage collector.
const STEP = 20_000_000

"""
Steps to the end. `step(budget)` is one call into the library, `report()` what the caller wants to hear of it.
However the work is cut, the results are the same bits; so the budget follows the clock.
"""
function run_to_end(step, budget, report)
    while true
        began = time_ns()
        # An interrupt waits for the end of the step: thrown inside the library it would not find its way out.
        status = disable_sigint(() -> step(budget))
        ABI.STATUSES[check(status)] === :LCC_DONE && break
        spent = max(time_ns() - began, 1)
        budget = clamp(UInt64(round(budget * clamp(STEP / spent, 0.5, 2.0))), UInt64(1), UInt64(1) << 48)
        report()
        yield()
    end
    report()
    return nothing
end

"What a progress callback is told: the share that is done, 0 to 1."
function share_of(handle)
    p = struct_by(out -> ABI.read_progress(handle, out), ABI.Progress)
    return p.total == 0 ? 0.0 : min(p.done / p.total, 1.0)
end
