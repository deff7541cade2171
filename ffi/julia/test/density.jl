# Densities of one's own: exact moments in units of the Monte Carlo standard error, and exceptions that come through.
mean2, precision2 = [1.0, -0.5], [2.0 0.8; 0.8 1.0]
covariance = inv(precision2)
function gaussian!(x, grad)
    away = x .- mean2
    pull = precision2 * away
    grad .= .-pull
    return -sum(away .* pull) / 2
end
gaussian(x) = gaussian!(x, similar(x))

# On a Gaussian the mean of an antithetic pair is right to the error of a trajectory's steps, some 1e-4 sd, while pairs differ by less:
# the error that they claim knows nothing of it.
z(e, exact) = abs(e.mean - exact) / hypot(e.mcse, 5e-4 * e.sd)
for (problem, sampler) in ((DensityProblem(gaussian!, 2; gradient = true), :split_hmc),
                           (DensityProblem(gaussian!, 2; gradient = true), :auto),
                           (DensityProblem(gaussian!, 2; gradient = true, precision = Float32), :hmc),
                           (DensityProblem(gaussian, 2; scale = 1.5), :independence),
                           (DensityProblem(gaussian, 2), :random_walk))
    s = sample(problem; sampler = sampler, seed = 11)
    for j in 1:2
        @test z(s.w[j], mean2[j]) < 5
        # Var of (x - mean)^2 is 2 sd^4: the standard error of the variance over ESS draws.
        @test abs(s.w[j].sd^2 - covariance[j, j]) < 6 * covariance[j, j] * sqrt(2 / max(s.w[j].ess_tail, 100))
    end
end

# A mean that few draws lead has no error, and the report says so.
function cauchy!(x, grad)
    grad .= -2 .* x ./ (1 + sum(abs2, x))
    return -log1p(sum(abs2, x))
end
s = sample(DensityProblem(cauchy!, 1; gradient = true); seed = 2)
@test isnan(s.w[1].mcse) && isfinite(s.w[1].q95) && occursin("A tail of w[1] is so heavy", s.report)

# Closures keep what they close over; log_density sees what the samplers see.
calls = Ref(0)
counted(x, grad) = (calls[] += 1; gaussian!(x, grad))
problem = DensityProblem(counted, 2; gradient = true)
value, gradient = log_density(problem, [0.3, 0.4])
@test value ≈ gaussian([0.3, 0.4]) && gradient ≈ -precision2 * ([0.3, 0.4] - mean2)
@test calls[] == 1
sample(problem; sampler = :hmc, draws = 20, warmup = 20)
@test calls[] > 300

# Several points at once, the rows of matrices, have the draws of one by one.
function gaussians!(x, grad)
    calls[] += 1
    values = zeros(size(x, 1))
    for k in axes(x, 1)
        slope = zeros(2)
        values[k] = gaussian!(x[k, :], slope)
        grad[k, :] = slope
    end
    return values
end
calls[] = 0
one_by_one = sample(problem; sampler = :hmc, draws = 20, warmup = 20, chains = 16)
points = calls[]
calls[] = 0
several = DensityProblem(gaussians!, 2; gradient = true, vectorized = true)
@test sample(several; sampler = :hmc, draws = 20, warmup = 20, chains = 16).draws == one_by_one.draws
@test 6 * calls[] < points
@test Tuple(log_density(several, [0.3, 0.4])) == (value, gradient)
@test_throws DimensionMismatch sample(DensityProblem(x -> [0.0], 2; vectorized = true); sampler = :random_walk)
@test_throws ArgumentError DensityProblem(gaussian, 2; gradient = :forwarddiff, vectorized = true)

# Support: -Inf is outside. Chains start from N(0, scale^2), which must lie inside.
box = DensityProblem(x -> abs(x[1]) > 3 ? -Inf : 0.0, 1; scale = 0.5)
uniform = sample(box; sampler = :random_walk, seed = 3, draws = 4000)
@test 2.9 < maximum(abs, uniform.draws) <= 3
@test z(uniform.w[1], 0) < 5
@test isapprox(uniform.w[1].sd, sqrt(3); rtol = 0.1)
@test_throws LCCError sample(DensityProblem(x -> x[1] < 0 ? -Inf : 0.0, 1); sampler = :random_walk)

# What the density throws is thrown by sample, as it is; the sampler stops and the problem can be used again.
struct Tired <: Exception end
left = Ref(500)
tired(x, grad) = (left[] -= 1) == 0 ? throw(Tired()) : gaussian!(x, grad)
failing = DensityProblem(tired, 2; gradient = true)
@test_throws Tired sample(failing; sampler = :split_hmc)
@test left[] == 0
left[] = 10^9
@test size(sample(failing; sampler = :split_hmc, draws = 50).draws) == (50, 2, 8)
left[] = 1
@test_throws Tired log_density(failing, [0.0, 0.0])
@test_throws UndefVarError sample(DensityProblem(x -> no_such_function(x), 2); sampler = :random_walk)
@test_throws MethodError sample(DensityProblem(x -> "text", 2); sampler = :random_walk)
shrinking = DensityProblem((x, g) -> (resize!(g, 1); 0.0), 2; gradient = true)
@test_throws DimensionMismatch log_density(shrinking, [0.0, 0.0])
@test occursin("without gradient", sprint(show, DensityProblem(x -> 0.0, 3)))
