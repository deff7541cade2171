# Bayesian networks of any depth and output: numbers, classes, counts.
Random.seed!(6)
X, Xnew = randn(80, 2), randn(50, 2)
f(X) = sin.(2 .* X[:, 1]) .+ 0.5 .* X[:, 2]
y, ynew = f(X) .+ 0.2 .* randn(80), f(Xnew) .+ 0.2 .* randn(50)
short = (estimator = :bnn, chains = 8, start_steps = 300, leapfrogs = 60)
model = fit(X, y; short..., widths = (6, 4), seed = 2)
@test evaluate(model, Xnew, ynew).rmse < 0.6 && model.info.widths == (6, 4, 0, 0)
@test model == fit(X, y; short..., widths = [6, 4], seed = 2) != fit(X, y; short..., widths = (6, 4), seed = 3)
@test model.report.diagnosis.chains_used + model.report.diagnosis.chains_dropped == 8

# On any number of threads, which the chains and the short fits are dealt to.
dealt = (chains = 20, start_steps = 30, warmup = 4, leapfrogs = 60)
for (target, output) in ((y, ()), (Int.(y .> 0), (output = :bernoulli,)))
    one, three = (fit(X, target; dealt..., output..., threads = t) for t in (1, 3))
    @test one == three && three.report.diagnosis.chains_used + three.report.diagnosis.chains_dropped == 20
end
told = Float64[]
fit(X, y; dealt..., output = :gaussian, threads = 2, progress = share -> push!(told, share))
@test issorted(told) && told[end] == 1
@test_throws ErrorException("enough") fit(X, y; dealt..., threads = 2, progress = _ -> error("enough"))
@test_throws ArgumentError fit(X, y; threads = 0)
@test_throws ArgumentError("leapfrogs is not of method map: it would change nothing") fit(X, y; method = :map, leapfrogs = 3)

@test model.report.point.info.draws == 1 && evaluate(model.report.point, X, y).rmse < 0.6
s, p = spread(model, Xnew), predict(model, Xnew)
@test sqrt.(s.aleatoric .^ 2 .+ s.epistemic .^ 2) ≈ p.sd
@test length(LCC.parameters(model, 1).values) == model.info.values == 6 * 3 + 4 * 7 + 5 + 2 + 2
@test 0.05 < LCC.noise(model) < 0.5
@test occursin("6-4 tanh neurons", shown(model)) && occursin("luck", shown(model))
@test LCC.parameters(fit(X, y; short..., widths = 3), 1).nu > 0
@test isempty(model.report.modes)

# Log evidence in closed form: A is the posterior's precision, a the noise's.
known = (widths = (), output = :gaussian, scales = :known, noise = 0.3, standardise = 0, intercept_sd = 0.0, chains = 1)
a = 1 / 0.3^2
A, b = a .* X'X + [1 0; 0 1], a .* X'y
exact = -(80 * log(2pi / a) + a * sum(abs2, y) - b' * (A \ b) + log(A[1, 1] * A[2, 2] - A[1, 2]^2)) / 2
@test all(abs(only(fit(X, y; known..., method = m).report.modes).log_evidence - exact) < 1e-5 for m in (:laplace, :variational_full))

# With weights: A and b are sums over the rows, each as often as its weight says; a row of weight 0 is not there.
weights = [1.5, 0.0, 2.0, 0.25][mod1.(1:80, 4)]
A, b = a .* X' * (weights .* X) + [1 0; 0 1], a .* X' * (weights .* y)
exact = -(sum(weights) * log(2pi / a) + a * sum(weights .* y .^ 2) - b' * (A \ b) + log(A[1, 1] * A[2, 2] - A[1, 2]^2)) / 2
laplace(X, y, weights) = only(fit(X, y; known..., method = :laplace, weights = weights).report.modes).log_evidence
@test abs(laplace(X, y, weights) - exact) < 1e-5
@test laplace(X, [weights[i] == 0 ? 1e9 : y[i] for i in 1:80], weights) == laplace(X, y, weights)
@test_throws ArgumentError fit(X, y; known..., weights = -weights)
@test_throws ArgumentError fit(X, y; known..., weights = 0 .* weights)
@test_throws DimensionMismatch fit(X, y; known..., weights = weights[1:79])
@test_throws ArgumentError fit(X, y; neurons = 3, weights = weights)

# Classes.
k = Float64.((X[:, 1] .> 0) .+ (X[:, 2] .> 0))
softmax = fit(X, k; short..., widths = 5, output = :softmax, categories = 3)
c = classes(softmax, X)
@test size(c.probabilities) == (80, 3) && all(sum(c.probabilities, dims = 2) .≈ 1)
@test c.top ≈ vec(maximum(c.probabilities, dims = 2)) && all(c.mutual_information .>= 0)
e = evaluate(softmax, X, k)
@test e.accuracy > 0.8 && e.entropy ≈ sum(c.entropy) / 80
@test predict(softmax, X) == c && count(c.class .== k) / 80 == e.accuracy
@test occursin("softmax output", shown(softmax)) && !occursin("noise", shown(softmax))
@test_throws LCCError classes(model, X)
@test_throws ArgumentError LCC.noise(softmax)
@test_throws LCCError fit(X, k .+ 0.5; short..., output = :softmax, categories = 3)

# Counts with an exposure, no hidden layer, single precision.
hours = Float32.(1 .+ rand(80))
counts = Float32.(floor.(3 .* exp.(0.5 .* X[:, 1]) .* hours))
poisson = fit(hcat(Float32.(X), hours), counts; short..., widths = (), output = :poisson, exposure = 1)
rate = predict(poisson, hcat(Float32.(X), hours)).mean
@test eltype(rate) === Float32 && predict(poisson, hcat(Float32.(X), 2 .* hours)).mean ≈ 2 .* rate
@test sqrt(sum(abs2, rate .- counts) / 80) < 1.5

# Arrays among the options.
@test_throws ArgumentError fit(X, y; short..., widths = (1, 2, 3, 4, 5))
@test_throws ArgumentError fit(X, y; short..., seed = (1, 2))
@test_throws LCCError fit(X, y; short..., widths = (2, 0, 3))

# Without an estimator it is this one; classes are at the temperature that short fits of folds tell, numbers have none.
quick = (widths = 4, chains = 8, start_steps = 300, warmup = 10, draws = 4, leapfrogs = 60)
@test fit(X, y; quick...) == fit(X, y; quick..., estimator = :bnn)
noisy = Float64.(X[:, 1] .+ 2 .* randn(size(X, 1)) .> 0)
calibrated = fit(X, noisy; quick..., output = :bernoulli)
@test calibrated.info.temperature != 1

# Groups are held out as a whole; those of one row change nothing, and three are too few to tell.
grouped(groups; more...) = fit(X, noisy; quick..., output = :bernoulli, groups = groups, more...)
persons = ["person $(mod1(i, 13))" for i in 1:80]
@test grouped(1:80) == calibrated
@test !(grouped(persons).info.temperature in (1, calibrated.info.temperature))
@test grouped(cld.(1:80, 30)).info.temperature == 1
some = findall(i -> i % 5 > 0, 1:80)
@test grouped(persons; weights = [i % 5 > 0 for i in 1:80]) ==
      fit(X[some, :], noisy[some]; quick..., output = :bernoulli, groups = persons[some], weights = ones(64))
@test_throws DimensionMismatch grouped(persons[1:79])
@test_throws ArgumentError grouped([missing; persons[2:80]])
@test_throws ArgumentError fit(X, y; neurons = 3, groups = persons)
