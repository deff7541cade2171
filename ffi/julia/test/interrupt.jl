# Ctrl-C ends a run between two steps, as an InterruptException that can be caught.
program = """
    using LogConcaveCoupling
    ccall(:jl_exit_on_sigint, Cvoid, (Cint,), 0)
    ready = Ref(false)
    X, y = randn(200, 3), randn(200)
    try
        fit(X, y; neurons = 20, draws = 10^6, progress = _ -> ready[] || (ready[] = true; println("running"); flush(stdout)))
    catch e
        println(e isa InterruptException ? "interrupted" : "other")
    end
    println(predict(fit(X, y; neurons = 2, chains = 1, warmup = 5, draws = 5, keep = 5), X) isa Predictions)
    """
project = normpath(joinpath(@__DIR__, ".."))
process = open(`$(Base.julia_cmd()) --project=$project -e $program`)
@test readline(process) == "running"
sleep(0.5)
kill(process, Base.SIGINT)
waited = @elapsed answer = readline(process)
@test answer == "interrupted"
@test waited < 5
@test readline(process) == "true"
wait(process)
@test success(process)
