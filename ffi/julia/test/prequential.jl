# Greedy Bayes row by row and on all rows, as printed, against quadrature: the mean of 12 seeds within five standard errors.
Base.include(@__MODULE__, joinpath(@__DIR__, "json.jl"))

values = joinpath(get(ENV, "LCC_SHARED", joinpath(@__DIR__, "..", "..", "..", "tests")), "reference", "greedy_bayes.json")
matrix(rows) = Float64[rows[i][j] for i in eachindex(rows), j in eachindex(rows[1])]
vector(values) = Float64[v for v in values]
function agrees(found, exact)
    mean = sum(found) / size(found, 1)
    error = sqrt.(sum(f -> (f .- mean) .^ 2, found) / (size(found, 1) - 1) / size(found, 1))
    return all(abs.(mean .- exact) .< 5 .* error .+ 1e-3) && maximum(error) < 0.02
end

if isfile(values)
    for case in JSON.parse(read(values, String))["cases"]
        X, y, query, K = matrix(case["X"]), vector(case["y"]), matrix(case["query"]), case["K"]
        kind, scale = case["prior"]["kind"] == "l1" ? (:l1_ball, case["prior"]["radius"]) : (:gaussian, case["prior"]["sigma0"])
        printed = (form = :tilt, intercept = 0, outer = 1, alpha = case["alpha"], beta = case["beta"], levels = K,
                   particles = 512, keep = 512, prior = kind, scale = scale, activation = case["activation"])
        online, batch = Vector{Float64}[], Vector{Float64}[]
        at(model) = vec(sum(regression_draws(model, query); dims = 2)) ./ 512
        for seed in 1:12
            p = prequential(size(X, 2), size(X, 1); seed = seed, printed...)
            scores = [observe!(p, X[i, :], y[i]) for i in eachindex(y)]
            @test losses(p).rows == case["n"] && losses(p).log ≈ -sum(s.log_density for s in scores)
            push!(online, at(Model(p; averaging = :printed)))
            push!(batch, at(fit(X, y; estimator = :greedy, standardise = 0, follow = 0, refit = 0, holdout = 0, seed = seed,
                                printed...)))
            seed == 1 && @test abs(LCC.levels(p)[1].log_evidence - case["batch"]["levels"][1]["log_Z"]) < 1
            seed == 1 && @test abs(LCC.expectation(p, 1, query[1, :]) - case["batch"]["levels"][1]["E_p_k_psi_xq"][1]) < 0.2
        end
        @test agrees(online, vector(case["online"]["f_hat_K_xq"]))
        @test agrees(batch, vector(case["batch"]["f_hat_K_xq"]))
    end
else
    @info "skipped: the exact values are not here (tests/reference of the checkout, or LCC_SHARED)"
end

Random.seed!(7)
let X = randn(40, 2), p = prequential(2, 40; units = (X, X[:, 1]), levels = 3, particles = 64, precision = Float32)
    for i in 1:40
        law = predict(p, X[i, :])
        score = observe!(p, X[i, :], X[i, 1])
        @test law.lower < law.location < law.upper && score.crps isa Float32
        i % 10 == 0 && GC.gc()
    end
    @test occursin("3 levels, 40 rows learnt", sprint(show, p)) && length(LCC.levels(p)) == 3
    @test_throws LCCError observe!(p, X[1, :], 0.0)                  # no room
    @test_throws LCCError predict(p, [1.0])
    @test_throws ArgumentError Model(p; averaging = :other)
    @test_throws ArgumentError prequential(2, 5; levles = 3)
    @test_throws DimensionMismatch prequential(3, 5; units = (X, X[:, 1]))
end
