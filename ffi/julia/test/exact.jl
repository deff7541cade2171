# Posteriors with exact values (quadrature), in units of the Monte Carlo standard error.
Base.include(@__MODULE__, joinpath(@__DIR__, "json.jl"))

values = joinpath(get(ENV, "LCC_SHARED", joinpath(@__DIR__, "..", "..", "..", "tests")), "reference")
reference(name) = JSON.parse(read(joinpath(values, name), String))
matrix(rows) = Float64[rows[i][j] for i in eachindex(rows), j in eachindex(rows[1])]
vector(values) = Float64[v for v in values]

"The problem of a reference case."
function problem_of(case, T = Float64)
    prior = case["prior"]
    kind = prior["kind"] == "l1" ? :l1_ball : :gaussian
    scale = prior["kind"] == "l1" ? prior["radius"] : prior["sigma0"]
    return GreedyProblem(T.(matrix(case["X"])), T.(vector(case["r"])); prior = kind, scale = scale,
                         alpha = case["alpha"], activation = case["activation"])
end

"Standard errors off."
z(e, exact) = abs(e.mean - exact) / e.mcse

if isdir(values)
    cases = reference("greedy_posterior_d2.json")["cases"]
    for case in cases
        case["regime"] in ("weak", "strong") || continue
        problem, exact = problem_of(case), case["result"]
        for (T, sampler, seed) in ((Float64, :auto, 3), (Float64, :split_hmc, 4), (Float32, :auto, 5))
            queries = T.(matrix(case["query"]))
            s = sample(problem_of(case, T); sampler = sampler, queries = queries, seed = seed)
            for j in 1:2
                @test z(s.w[j], exact["mean"][j]) < 5
            end
            for q in eachindex(s.outputs)
                @test z(s.outputs[q], exact["E_psi_query"][q]) < 5
            end
            @test all(e -> e.rhat < 1.02, s.w)
            @test all(j -> isapprox(s.w[j].sd^2, exact["cov"][j][j]; rtol = 0.1), 1:2)
        end
    end
    @test count(case -> case["regime"] in ("weak", "strong"), cases) >= 2

    # Two modes: R-hat of short chains may not see them, the sampler that chooses for itself must find both weights.
    for case in filter(c -> c["regime"] == "bimodal", cases)
        s = sample(problem_of(case); seed = 2, sampler = :smc, particles = 4096, queries = matrix(case["query"]))
        @test z(s.w[1], case["result"]["mean"][1]) < 5
        swapped = sample(problem_of(case); sampler = :tempering, seed = 2, queries = matrix(case["query"]))
        @test all(j -> z(swapped.w[j], case["result"]["mean"][j]) < 5, 1:2) && all(e -> e.rhat < 1.02, swapped.w)
        @test abs(swapped.log_evidence - case["result"]["log_Z"]) < 0.2
        @test abs(s.log_evidence - case["result"]["log_Z"]) < 0.2
        @test occursin("log evidence", shown(s))
    end
else
    @info "skipped: the exact values are not here (tests/reference of the checkout, or LCC_SHARED)"
end

# Antithetic pairs: one law, and errors from the means of pairs.
let X = [1.0 0.5; -0.3 1.0; 0.2 -0.7], r = [0.4, -0.2, 0.1]
    plain = sample(X, r; alpha = 1, sampler = :split_hmc, seed = 1)
    pairs = sample(X, r; alpha = 1, sampler = :split_hmc, seed = 2, antithetic = true)
    for j in 1:2
        @test abs(plain.w[j].mean - pairs.w[j].mean) < 5 * hypot(plain.w[j].mcse, pairs.w[j].mcse)
        @test pairs.w[j].mcse < plain.w[j].mcse
    end
    @test sample(X, r; alpha = 1, sampler = "split-hmc", seed = 1).draws == plain.draws
end

# Certificates: almost no data proves log-concavity, a strong pull does not; visiting xi adds estimates.
let X = [1.0 0.5; -0.3 1.0; 0.2 -0.7], r = [0.4, -0.2, 0.1]
    weak = certify(GreedyProblem(X, r; alpha = 0.05))
    @test weak.conclusion === :already_log_concave && weak.probes == 0
    strong = GreedyProblem(X, r; alpha = 50, scale = 3)
    @test certify(strong).conclusion in (:unknown, :not_log_concave)
    probed = certify(strong; probes = 3, warmup = 50, draws = 50)
    @test probed.probes >= 3 && length(probed.entries) > length(certify(strong).entries)
    again = certify(strong; probes = 3, warmup = 50, draws = 50,
                    from = sample(strong; chains = 8, warmup = 100, draws = 200))
    @test [e.value for e in again.entries] == [e.value for e in probed.entries]
    @test occursin("eigenvalue", shown(probed))
    @test !isempty(probed.verdict)
end

# A network without hidden layers and with known noise is a linear model: mean, sd at new rows and evidence exactly.
let X = [1.0 0.5; -0.3 1.0; 0.2 -0.7; -1.1 0.4; 0.6 1.3], y = [0.9, -0.2, 0.3, -1.4, 0.5], new = [0.5 -0.5; 2.0 1.0]
    noise, prior = 0.6, [4.0, 1.5^2, 1.5^2]
    problem = NetworkProblem(X, y; widths = 0, noise = noise, scales = :known, linear_scale = 1.5, intercept_sd = 2)
    A, B = hcat(ones(5), X), hcat(ones(2), new)
    covariance = A * (prior .* A') + noise^2 * [Float64(i == j) for i in 1:5, j in 1:5]
    gain = B * (prior .* A') / covariance
    exact, sd = gain * y, sqrt.(sum(B .* (prior .* B')', dims = 2) .- sum(gain .* (B * (prior .* A')), dims = 2))
    @test LCC.dimension(problem) == 3 && occursin("no hidden layer, gaussian output", shown(problem))
    for sampler in (:hmc, :smc)
        s = sample(problem; sampler = sampler, queries = new, seed = 9)
        @test s.model.info.draws == size(s.draws, 1) * size(s.draws, 3)
        for i in 1:2
            @test z(s.outputs[i], exact[i]) < 5
            @test isapprox(s.outputs[i].sd, sd[i]; rtol = 0.1)
        end
        @test predict(s.model, new).mean ≈ [e.mean for e in s.outputs]
    end
    # ln N(y; 0, covariance), by elimination without a library for determinants.
    logdet, rest, residual = 0.0, copy(covariance), copy(y)
    square = 0.0
    for i in 1:5
        logdet += log(rest[i, i])
        square += residual[i]^2 / rest[i, i]
        for j in i+1:5
            factor = rest[j, i] / rest[i, i]
            residual[j] -= factor * residual[i]
            rest[j, :] .-= factor .* rest[i, :]
        end
    end
    evidence = -(5 * log(2pi) + logdet + square) / 2
    @test abs(sample(problem; sampler = :smc, particles = 4096, seed = 3).log_evidence - evidence) < 0.1
    @test_throws LCCError sample(NetworkProblem(X, y; output = :student_t); sampler = :hmc)
    @test eltype(sample(NetworkProblem(Float32.(X), Float32.(y); widths = 2); sampler = :hmc, warmup = 5, draws = 5).draws) === Float32
    joint = sample(JointProblem(X, y; neurons = 3, beta = 4); sampler = :gibbs, queries = new, warmup = 50, draws = 50)
    told = predict(joint.model, new)
    @test told.mean ≈ [e.mean for e in joint.outputs]
    @test told.sd .^ 2 ≈ [1 / 4 + e.sd^2 * 399 / 400 for e in joint.outputs]
    layers = JointProblem(X, y; layers = (3, 2), beta = 4, prior = :l1_ball)
    deep = sample(layers; sampler = :gibbs, queries = new, warmup = 50, draws = 50)
    @test size(deep.draws) == (50, 3 * 3 + 2 * 4, 8)
    @test predict(deep.model, new).mean ≈ [e.mean for e in deep.outputs]
    @test occursin("JointProblem(5 rows of 2, 3-2 tanh, l1_ball prior", sprint(show, layers))
    @test_throws ArgumentError JointProblem(X, y; layers = (3, 2), neurons = 3)
    @test_throws LCCError sample(JointProblem(X, y; layers = (3, 2)); sampler = :gibbs)
    @test sample(GreedyProblem(X, y; alpha = 1); sampler = :hmc, warmup = 5, draws = 5).model === nothing
end
