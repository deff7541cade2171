# What is wrong is said, by a specific error, and where it can be, with its place.
X, y = reshape(collect(1.0:12.0), 6, 2) ./ 6, [0.1, 0.9, -0.3, 0.4, 0.2, 0.6]

"The name of the error that `f` throws."
name_of_error(f) = try
    f()
    :none
catch e
    e isa LCCError ? e.name : rethrow()
end

bad = copy(X)
bad[4, 2] = NaN
@test name_of_error(() -> fit(bad, y)) === :LCC_ERROR_NOT_FINITE_X
message = try fit(bad, y) catch e; sprint(showerror, e) end
@test occursin("row 4, column 2", lowercase(message)) && occursin("LCC_ERROR_NOT_FINITE_X", message)
@test name_of_error(() -> fit(X, [0.1, Inf, 0, 0, 0, 0])) === :LCC_ERROR_NOT_FINITE_Y
@test name_of_error(() -> fit(zeros(0, 2), Float64[])) === :LCC_ERROR_EMPTY
@test name_of_error(() -> fit(zeros(3, 0), ones(3))) === :LCC_ERROR_EMPTY
@test name_of_error(() -> fit(X, ones(6))) === :LCC_ERROR_CONSTANT_TARGET
@test name_of_error(() -> fit(X, y; neurons = 0)) === :LCC_ERROR_NEURONS
@test name_of_error(() -> sample(X, y; sampler = :split_hmc, chains = 0)) === :LCC_ERROR_CHAINS
@test name_of_error(() -> sample(X, y; scale = -1)) === :LCC_ERROR_SCALE
@test name_of_error(() -> sample(X, y; sampler = :split_hmc, target_accept = 2)) === :LCC_ERROR_TARGET_ACCEPT
@test name_of_error(() -> sample(X, y; sampler = :hit_and_run)) === :LCC_ERROR_NEEDS_BALL
@test name_of_error(() -> sample(X, y; activation = :squared_relu, alpha = 100)) === :LCC_ERROR_IMPROPER
@test name_of_error(() -> sample(DensityProblem(x -> 0.0, 2); sampler = :split_hmc)) === :LCC_ERROR_NO_GRADIENT
@test name_of_error(() -> certify(DensityProblem(x -> 0.0, 2))) === :LCC_ERROR_POSTERIOR
for vectorized in (false, true), value in (NaN, -Inf)
    nowhere = DensityProblem((x, g) -> (g .= 0; vectorized ? fill(value, size(x, 1)) : value), 2; gradient = true, vectorized = vectorized)
    @test occursin("First at [", try sample(nowhere) catch e; sprint(showerror, e) end)
end
@test_throws DimensionMismatch fit(X, y[1:5])
@test_throws DimensionMismatch log_density(GreedyProblem(X, y), [1.0])
@test_throws ArgumentError fit(X, y; neuron = 3)
@test_throws ArgumentError fit(X, y; struct_size = 3)
@test_throws ArgumentError fit(X, y; estimator = :forest)
@test_throws ArgumentError fit(X, y; estimator = :greedy, from = nothing, neurons = 3)
@test_throws ArgumentError sample(X, y; sampler = :nuts)
@test_throws ArgumentError sample(X, y; activation = :cosine)
@test_throws ArgumentError sample(X, y; sampler = :hmc, chains = "many")
@test_throws ArgumentError sample(DensityProblem(x -> -x[1]^2, 1); queries = X, sampler = :random_walk)
@test_throws ArgumentError DensityProblem(x -> 0.0, 0)
@test_throws ArgumentError sample(X, y; sampler = :hmc, chains = -1)
@test occursin("whole number from 0", try fit(X, y; neurons = -3) catch e; sprint(showerror, e) end)
@test_throws ArgumentError fit(X, y; neurons = 2.5)

# What a progress callback throws ends the run.
@test_throws KeyError fit(X, y; progress = _ -> throw(KeyError(:stop)))

# Images that are none, or damaged.
model = fit(X, y; neurons = 2, chains = 2, warmup = 20, draws = 20, keep = 5, start_steps = 20)
@test name_of_error(() -> Model(UInt8[1, 2, 3])) === :LCC_ERROR_IMAGE_TRUNCATED
@test name_of_error(() -> Model(fill(0x00, 1000))) === :LCC_ERROR_IMAGE_MAGIC
damaged = copy(model.bytes)
damaged[end-20] ⊻= 0x10
@test name_of_error(() -> Model(damaged)) === :LCC_ERROR_IMAGE_CORRUPT
@test name_of_error(() -> predict(model, X[:, 1:1])) === :LCC_ERROR_INPUTS
@test name_of_error(() -> predict(model, X; level = 1.5)) === :LCC_ERROR_PROBABILITY
