# The regressor learns a function, its intervals hold what they say, and models survive a round trip.
Random.seed!(5)
truth(X) = sin.(2 .* X[:, 1]) .+ 0.5 .* X[:, 2]
X, Xnew = 2 .* randn(150, 2), 2 .* randn(400, 2)
y, ynew = truth(X) .+ 0.2 .* randn(150), truth(Xnew) .+ 0.2 .* randn(400)
heard = Float64[]
model = fit(X, y; neurons = 10, warmup = 200, draws = 200, seed = 3, progress = share -> push!(heard, share))
@test issorted(heard) && heard[end] == 1 && length(heard) > 3
p = predict(model, Xnew; level = 0.9)
@test sqrt(sum(abs2, p.mean .- truth(Xnew)) / 400) < 0.3
e = evaluate(model, Xnew, ynew; level = 0.9, crps = true)
@test 0.82 < e.coverage < 0.97    # 400 rows: a standard error of .015 about .9, and what the model has to learn
@test e.rmse ≈ sqrt(sum(abs2, p.mean .- ynew) / 400)
@test e.coverage == count(p.lower .<= ynew .<= p.upper) / 400
@test 0 < e.crps < e.rmse
@test 0.1 < LCC.noise(model) < 0.3

# The same bits by seed; other seeds give others.
again = fit(X, y; neurons = 10, warmup = 200, draws = 200, seed = 3)
@test again == model && hash(again) == hash(model)
@test fit(X, y; neurons = 10, warmup = 20, draws = 20, keep = 5, seed = 4) !=
      fit(X, y; neurons = 10, warmup = 20, draws = 20, keep = 5, seed = 5)

# Round trip through a file and through bytes.
path = tempname()
write(path, model)
read_back = read(path, Model)
rm(path)
@test read_back == model && read_back.report === nothing
@test predict(read_back, Xnew).mean == p.mean
@test Model(vcat(model.bytes, zeros(UInt8, 7))) == model

# Tables, quantiles, draws.
@test p[3] == (mean = p.mean[3], sd = p.sd[3], lower = p.lower[3], upper = p.upper[3])
@test length(p) == 400 && eltype(p) <: NamedTuple && [r.mean for r in p] == p.mean
q = quantiles(model, Xnew, [0.05, 0.5, 0.95])
@test size(q) == (400, 3) && q[:, 1] ≈ p.lower && q[:, 3] ≈ p.upper && all(q[:, 2] .> q[:, 1])
f = regression_draws(model, Xnew[1:5, :])
@test size(f) == (5, 100)
@test [sum(f[i, :]) / 100 for i in 1:5] ≈ p.mean[1:5]
s = simulate(model, Xnew[1:5, :]; draws = 2000, seed = 9)
@test size(s) == (5, 2000)
@test all(i -> abs(sum(s[i, :]) / 2000 - p.mean[i]) < 5 * p.sd[i] / sqrt(2000), 1:5)

# Fewer draws.
fewer = thin(model, 8, Xnew)
@test fewer.model.info.draws == 8 && 0 < fewer.rms < fewer.largest < 0.5
@test sqrt(sum(abs2, predict(fewer.model, Xnew).mean .- p.mean) / 400) < 0.05
@test thin(model, 100).model == model && thin(model, 100).largest == 0
@test_throws LCCError thin(model, 0)

# f of a draw from its parameters.
draw, units = LCC.parameters(model, 1), LCC.units(model)
x = (Xnew[1, :] .- units.mean[1:2]) ./ units.sd[1:2]
value = draw.b0 + sum(draw.c .* x) + sum(draw.v .* tanh.(draw.b .+ draw.w * x))
@test value * units.sd[3] + units.mean[3] ≈ f[1, 1]

# Single precision: fits in it, and reads models of either.
small, double = (fit(X, y; neurons = 5, warmup = 100, draws = 100, precision = P) for P in (nothing, Float64))
@test small == fit(Float32.(X), Float32.(y); neurons = 5, warmup = 100, draws = 100)
@test small.info.precision == 32 && double.info.precision == 64
@test fit(X .+ 1e6, y; neurons = 5, warmup = 2, draws = 4, keep = 4, start_steps = 5).info.precision == 64
@test_throws ArgumentError fit(X, y; precision = Float16)
@test_throws ArgumentError fit(X, y; estimator = :greedy, precision = Float32)
p32 = predict(model, Float32.(Xnew))
@test eltype(p32.mean) === Float32
@test maximum(abs, p32.mean .- p.mean) < 1e-4
@test eltype(predict(small, Xnew).mean) === Float64

# The other estimators, and a start from a model.
@test evaluate(fit(X, y; estimator = :greedy), Xnew, ynew).rmse < 0.7
@test evaluate(fit(X, y; estimator = :relaxed), Xnew, ynew).rmse < 0.7
warm = fit(X, y .+ 0.01; neurons = 10, warmup = 30, draws = 100, from = model)
@test evaluate(warm, Xnew, ynew).rmse < 0.3

@test occursin("R-hat", shown(model)) && occursin("noise", shown(model)) && occursin("150 rows", shown(model))
@test occursin("400 predictions", shown(p)) && occursin("390 more", shown(p))
@test sprint(show, model) == "Model(2 inputs, 10 neurons, 100 draws)"

# What a person should know: rows that count themselves, codes for missing values, chains that sit in different modes.
counted = hcat(X, 1:150)
counted[[3, 50, 70], 2] .= -9999
odd = @test_logs (:warn, r"^column 2 of X has a few .* \(3 of 150 rows, -9999 the farthest\)$") (
    :warn, r"^column 3 of X grows by whole numbers") match_mode = :any fit(
    counted, y; widths = 2, output = :gaussian, chains = 8, start_steps = 20, warmup = 2, draws = 2, keep = 1, leapfrogs = 5)
@test length(odd.report.warnings) == 2 && occursin("identifier", odd.report.warnings[2])
far = copy(y)
far[7] = 1e6
told = @test_logs (:warn, r"^y has a few .* \(1 of 150 rows, 1e\+06 the farthest\)$") match_mode = :any fit(
    X, far; widths = 2, output = :gaussian, chains = 8, start_steps = 20, warmup = 2, draws = 2, keep = 1, leapfrogs = 5)
@test length(told.report.warnings) == 1
# Scales that are named stay: 32 inputs have candidates with others.
many = repeat(X, 1, 16) .+ 0.1 .* sin.((1:150) .* (1:32)')
short = (widths = 2, chains = 8, start_steps = 300, warmup = 16, draws = 2, keep = 1, leapfrogs = 60)
@test fit(many, y; scales = :inputs, short...).info.inputs == 32
@test fit(X, y; scales = :known, short...) in
      [fit(X, y; scales = :known, output, short...) for output in (:student_t, :mixture, :mean_variance)]
apart = @test_logs (:warn, r"the chains sit in different modes: R-hat") match_mode = :any fit(
    X, y; neurons = 6, starts = 1, start_steps = 5, warmup = 5, draws = 5, keep = 1, leapfrogs = 2)
@test only(apart.report.warnings) |> startswith("the chains sit in different modes")
@test isempty(fit(X, y; widths = (), output = :gaussian, method = :map).report.warnings)
