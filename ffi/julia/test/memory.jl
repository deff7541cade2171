# The garbage collector runs inside callbacks, between steps and beside other threads, and moves no bit.
density(x, grad) = (grad .= .-x; -sum(abs2, x) / 2)
function littering(x, grad)
    rand() < 0.02 && GC.gc(false)
    junk = [randn(50) for _ in 1:5]
    return density(x, grad) + 0 * sum(first, junk)
end
quiet = sample(DensityProblem(density, 3; gradient = true); sampler = :hmc, warmup = 50, draws = 50)
GC.gc()
noisy = sample(DensityProblem(littering, 3; gradient = true); sampler = :hmc, warmup = 50, draws = 50,
               progress = _ -> GC.gc())
@test noisy.draws == quiet.draws

# X, y and the options are rooted by nothing but the call.
make() = (x = [sin(3.0i * j) for i in 1:60, j in 1:3]; (x, x[:, 1] .- x[:, 3]))
first_fit = fit(make()...; neurons = 3, warmup = 50, draws = 50)
for _ in 1:3
    @test fit(make()...; neurons = 3, warmup = 50, draws = 50, progress = _ -> (GC.gc(); randn(10^5))) == first_fit
end
kept = [fit(make()...; neurons = 3, warmup = 50, draws = 50) for _ in 1:4]
GC.gc()
@test all(==(first_fit), kept)

# Distinct runs on distinct threads (as many as Julia was started with): the same bits.
models = Vector{Any}(nothing, 4)
@info "threads of Julia: $(Threads.nthreads())"
Threads.@threads for k in 1:4
    models[k] = fit(make()...; neurons = 3, warmup = 50, draws = 50)
end
@test all(==(first_fit), models)
