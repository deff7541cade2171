# The coupling against its formulas and against quadrature; certificates with the numbers of the command line's page.
Base.include(@__MODULE__, joinpath(@__DIR__, "json.jl"))

tests = get(ENV, "LCC_SHARED", joinpath(@__DIR__, "..", "..", "..", "tests"))
reference(name) = JSON.parse(read(joinpath(tests, "reference", name), String))["cases"]
matrix(rows) = Float64[rows[i][j] for i in eachindex(rows), j in eachindex(rows[1])]
vector(values) = Float64[v for v in values]

function problem_of(case, T = Float64)
    prior = case["prior"]
    kind, scale = prior["kind"] == "l1" ? (:l1_ball, prior["radius"]) : (:gaussian, prior["sigma0"])
    return GreedyProblem(T.(matrix(case["X"])), T.(vector(case["r"])); prior = kind, scale = scale, alpha = case["alpha"],
                         activation = case["activation"])
end

if isdir(joinpath(tests, "reference"))
    compared = 0
    for case in reference("coupling_d2_n3.json"), variant in case["variants"]
        c = Coupling(problem_of(case); sides = startswith(variant["variant"], "two_sided") ? :two_sided : :one_sided)
        isapprox(c.rho, vector(variant["rho"]); rtol = 1e-12) || continue     # else sharper, over what x.w can reach
        for point in variant["points"]
            xi, covariance = vector(point["xi"]), matrix(point["Cov_w_given_xi"])
            @test isapprox(score(c, xi, vector(point["E_w_given_xi"])), vector(point["score"]); atol = 1e-12)
            @test isapprox(LCC.hessian(c, covariance), matrix(point["hessian"]); atol = 1e-12)
        end
        point = last(variant["points"])
        s = sample(c, vector(point["xi"]))
        for j in 1:2
            @test abs(s.w[j].mean - point["E_w_given_xi"][j]) < 5 * s.w[j].mcse
        end
        @test score(c, vector(point["xi"])) == score(c, vector(point["xi"]), [e.mean for e in s.w])
        global compared += 1
    end
    @test compared >= 15

    # docs/papers.md, whose numbers are what the command line prints.
    page = read(joinpath(@__DIR__, "..", "..", "..", "docs", "papers.md"), String)
    lines = split.(readlines(joinpath(tests, "data", "targets", "G2.csv"))[2:end], ",")
    X, r = [parse(Float64, l[j]) for l in lines, j in 1:2], [parse(Float64, l[3]) for l in lines]
    table = shown(certify(GreedyProblem(X, r; scale = 2, alpha = 0.006); probes = 8))
    for name in ("lemma-2", "rho-two-sided")
        line = first(l for l in split(page, "\n") if startswith(l, "  $name "))
        @test occursin(line * "\n", table)
    end
    @test occursin("2.221 +- 0.314", page) && occursin("2.221 +- 0.314", certify(GreedyProblem(X, r; scale = 2, alpha = 1); probes = 8).verdict)
else
    @info "skipped: the exact values are not here (tests/reference of the checkout, or LCC_SHARED)"
end

# log p(w | xi) is the posterior's less |xi - S X w|^2/2, of several hidden units too; xi - S X w is N(0, I).
let X = [1.0 0.5; -0.3 1.0; 0.2 -0.7], y = [0.4, -0.2, 0.1]
    for (problem, units) in ((GreedyProblem(X, y; alpha = 1), 1), (JointProblem(X, y; neurons = 3), 3))
        c = Coupling(problem; sides = :two_sided)
        w, v = LCC.prior_draws(problem, 1; seed = 4)[:, 1], LCC.prior_draws(problem, 1; seed = 5)[:, 1]
        means(w) = sqrt.(c.rho) .* (X * reshape(w, 2, units))
        xi = simulate(c, w; seed = 3)
        @test size(xi) == (units == 1 ? (3,) : (3, 3))
        square(w) = sum(abs2, xi .- means(w)) / 2
        @test log_density(c, w, xi).value - log_density(c, v, xi).value ≈
              log_density(problem, w).value - square(w) - log_density(problem, v).value + square(v)
        drawn = [simulate(c, w; seed = k) .- means(w) for k in 1:400]
        z = sum(sum, drawn) / sqrt(400 * 3 * units), sum(d -> sum(abs2, d) - 3 * units, drawn) / sqrt(2 * 400 * 3 * units)
        @test all(abs.(z) .< 5)
        @test size(score(c, xi, w)) == size(xi) && size(LCC.hessian(c, zeros(2units, 2units))) == (3units, 3units)
        @test occursin("$(3units) coordinates of xi", sprint(show, c))
    end
    c = Coupling(GreedyProblem(Float32.(X), Float32.(y); alpha = 1))
    @test eltype(score(c, zeros(3), [0.1, 0.2])) === Float32
    @test_throws DimensionMismatch score(c, zeros(2), [0.1, 0.2])
    @test_throws DimensionMismatch simulate(c, zeros(3))
    @test_throws ArgumentError Coupling(GreedyProblem(X, y); sides = :both)
    @test_throws ArgumentError Coupling(DensityProblem(x -> -sum(abs2, x), 2))
    @test_throws LCCError Coupling(GreedyProblem(X, y; activation = :relu))
    @test_throws LCCError Coupling(NetworkProblem(X, y; widths = 2))
end
