# A stream follows a drift that the fitted model cannot know.
Random.seed!(6)
inputs = randn(120, 2)
model = fit(inputs, inputs[:, 1] .+ 0.1 .* randn(120); neurons = 4, warmup = 100, draws = 100)
s = stream(model; draws = 16)
squares = Float64[]
scores = Float64[]
for i in 1:300
    x = randn(2)
    y = x[1] + 2 + 0.1 * randn()
    p = predict(s, x)
    push!(squares, (p.mean - y)^2)
    push!(scores, observe!(s, x, y).log_density)
    i % 50 == 0 && GC.gc()
end
@test sum(squares[251:300]) / 50 < 0.1 < squares[1]
@test sum(scores[251:300]) > sum(scores[1:50])
@test LCC.info(s).rows == 300
@test occursin("300 rows learnt", sprint(show, s))
learnt = Model(s; spread = false)
@test abs(predict(learnt, [0.0 0.0]).mean[1] - 2) < 0.2
@test abs(predict(model, [0.0 0.0]).mean[1]) < 0.2
@test_throws LCCError observe!(s, [1.0, NaN], 1.0)
@test_throws LCCError observe!(s, [1.0], 1.0)
@test LCC.info(s).rows == 300
single = stream(model; precision = Float32, draws = 8)
@test observe!(single, Float32[0, 0], 0.1f0).pit isa Float32
