# What densities of one's own need: constraints against closed forms and a law that is known, gradients that are checked,
# leave-one-out.
for T in (Float64, Float32)
    p = Parameters(:rate => :lower, :p => (:simplex, (size = 3,)), :mu => (:affine, (lower = 10, upper = 4)),
                   :q => (:interval, (lower = -1, upper = 1, size = 2)); precision = T)
    @test (p.coordinates, p.elements) == (6, 7)
    @test LCC.element_names(p) == ["rate", "p[1]", "p[2]", "p[3]", "mu", "q[1]", "q[2]"]
    y = T[2, 0.25, 0.5, 0.25, 14, 0, 0.5]
    x = unconstrain(p, y)
    @test x[1] ≈ log(T(2)) && x[4] ≈ 1 && x[5] == 0 && x[6] ≈ log(T(3))
    back, log_jacobian = constrain(p, x)
    @test back ≈ y
    @test log_jacobian ≈ log(2) + log(3) / 2 + log(0.25 * 0.5 * 0.25) + log(4) + log(0.5) + log(2 * 0.75 * 0.25)
    @test LCC.pull_back(p, x, y, zeros(T, 7))[1] == 1
    @test_throws LCCError unconstrain(p, T[-1, 0.25, 0.5, 0.25, 14, 0, 0.5])
    @test_throws DimensionMismatch constrain(p, x[1:5])
    @test_throws DimensionMismatch unconstrain(p, y[1:5])
    @test_throws DimensionMismatch LCC.pull_back(p, x, y, y[1:3])
end
@test_throws LCCError Parameters(:q => (:interval, (lower = 1, upper = 0)))
@test_throws LCCError Parameters()
@test_throws ArgumentError Parameters(:q => :nothing)
@test_throws ArgumentError Parameters(:q => (:lower, (above = 1,)))
@test occursin("2 elements", sprint(show, Parameters(:a => :free, :b => :upper)))

# Gamma(3, 2) and Dirichlet(2, 3, 5), of their elements.
law_parameters = Parameters(:rate => :lower, :p => (:simplex, (size = 3,)))
law(y) = 2 * log(y[1]) - 2 * y[1] + log(y[2]) + 2 * log(y[3]) + 4 * log(y[4])
law!(y, dy) = (dy .= [2 / y[1] - 2, 1 / y[2], 2 / y[3], 4 / y[4]]; law(y))
function moments(problem; options...)
    s = sample(problem; sampler = :hmc, seed = 3, chains = 8, warmup = 300, draws = 1000, options...)
    y = [constrain(law_parameters, s.draws[t, :, c]).y for t in 1:1000, c in 1:8]
    return [(sum(v -> v[j], y) / 8000, s) for j in 1:4]
end
problem = DensityProblem(law!, law_parameters; gradient = true)
seen = check_gradient(problem; points = 20)
@test seen.points == 20 && seen.wrong == 0 && seen.outside == 0 && seen.unequal == 0
for ((mean, _), exact, sd) in zip(moments(problem), (1.5, 0.2, 0.3, 0.5), sqrt.((0.75, 0.16 / 11, 0.21 / 11, 0.25 / 11)))
    @test abs(mean - exact) < 5 * sd / sqrt(1500)   # 8000 draws are worth more than 1500
end
# The same as generated quantities, of chains, pairs and particles: E (rate p_1) = E rate E p_1.
elements(x) = (y = constrain(law_parameters, x).y; (y = y, product = y[1] * y[2], last = x[end]))
for sampler in (:hmc, :auto, :smc)
    s = sample(problem; sampler = sampler, seed = 4, quantities = elements)
    @test keys(s.quantities) == (:y, :product, :last) && s.quantities.last.mean == s.w[end].mean
    for (e, exact) in zip([s.quantities.y; s.quantities.product], (1.5, 0.2, 0.3, 0.5, 0.3))
        @test abs(e.mean - exact) < 5 * e.mcse && e.mcse < 0.05 * e.sd
    end
end
# N(1000, 1) within 50 of its mean: where to begin has to be told.
far!(x, g) = (g[1] = 1000 - x[1]; abs(x[1] - 1000) > 50 ? -Inf : -(x[1] - 1000)^2 / 2)
@test_throws LCCError sample(DensityProblem(far!, 1; gradient = true))
for start in ([1010], [990 1010]), sampler in (:auto, :hmc)
    e = sample(DensityProblem(far!, 1; gradient = true, start = start); sampler = sampler).w[1]
    @test abs(e.mean - 1000) < 5 * e.mcse
end
@test_throws DimensionMismatch DensityProblem(far!, 1; gradient = true, start = [1, 2])
# Without a gradient the density is the same.
@test log_density(DensityProblem(law, law_parameters), zeros(3)).value ≈ log_density(problem, zeros(3)).value

wrong = DensityProblem((x, g) -> (g .= [-x[1], x[2]]; -sum(abs2, x) / 2), 2; gradient = true)
seen = check_gradient(wrong)
@test seen.wrong == 10 && seen.coordinate == 1 && isapprox(seen.relative, 2; atol = 1e-6)
@test check_gradient(wrong; x = [1, 0.5]).wrong == 1
@test_throws DimensionMismatch check_gradient(wrong; x = [1])
@test_throws LCCError check_gradient(DensityProblem(x -> -sum(abs2, x), 2))
@test_throws ErrorException check_gradient(DensityProblem((x, g) -> error("tired"), 2; gradient = true))
@test_throws ArgumentError DensityProblem(law, 2; gradient = :by_hand)

# ForwardDiff, where it is there.
have = try
    @eval using ForwardDiff
    true
catch
    false
end
if have
    for p in (DensityProblem(law, law_parameters; gradient = :forwarddiff),
              DensityProblem(x -> -sum(abs2, x) / 2 + cos(x[1]), 3; gradient = :forwarddiff))
        local seen = check_gradient(p)
        @test seen.wrong == 0 && seen.outside == 0
    end
else
    @info "skipped: ForwardDiff is not installed, so gradient = :forwarddiff is not tried"
    @test_throws ArgumentError DensityProblem(law, 2; gradient = :forwarddiff)
end

# Leave-one-out: the bits of any layout, the exact mean, and which model is better.
draws = [-abs(sin(1.7t + 2c + i)) for t in 1:100, c in 1:2, i in 1:5]
a = loo(draws)
@test length(a.rows) == 5 && a.total.rows == 5 && a.total.elpd ≈ sum(r.elpd for r in a.rows)
@test all(i -> a.rows[i].lpd ≈ log(sum(exp, draws[:, :, i]) / 200), 1:5)
@test all(r -> r.elpd < r.lpd && r.p_waic > 0 && r.mcse > 0, a.rows)
b = loo(draws .- 1)
better = LCC.compare(a, b)
@test better.difference ≈ 5 && better.standard_error < 1e-6
@test loo(Float32.(draws)).total isa LCC.ABI.Loo{Float32}
@test size(loo(draws[:, 1, :]).rows) == (5,)
@test_throws DimensionMismatch LCC.compare(a, loo(draws[:, :, 1:4]))
@test_throws LCCError loo(zeros(0, 1, 3))
@test occursin("Pareto k", sprint(show, a))

X = [sin(3i + j) for i in 1:40, j in 1:2]
y = X[:, 1] .+ 0.1 .* cos.(1:40)
model = fit(X, y; neurons = 2, chains = 2, warmup = 40, draws = 40, keep = 20, start_steps = 20)
@test loo(model, X, y).total.rows == 40
