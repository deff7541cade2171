# Any layout of the same numbers gives the same bits, and only what has no strides is copied.
Random.seed!(1)
X, y = randn(40, 3), randn(40)
run(X, y) = sample(X, y; sampler = :split_hmc, warmup = 50, draws = 50).draws
same = run(X, y)

rowmajor = PermutedDimsArray(permutedims(X), (2, 1))
turned = permutedims(X)'
wide = zeros(80, 6)
wide[1:2:end, 2:2:end] = X
strided = view(wide, 1:2:80, 2:2:6)
long = zeros(80)
long[1:2:end] = y
for (A, in_place) in ((rowmajor, true), (turned, true), (strided, true), (view(X, collect(1:40), :), false))
    @test A == X
    @test run(A, y) == same
    rows = LCC.Rows(Float64, A, y)
    @test (rows.data.x != pointer(rows.x)) == false
    @test in_place == (rows.data.x in (pointer(parent(parent(A))), pointer(X), pointer(wide, 81)))
end
@test run(X, view(long, 1:2:80)) == same
@test run(view(X, 40:-1:1, :)[end:-1:1, :], y) == same
@test LCC.Rows(Float64, X, y).data.x == pointer(X)
@test LCC.Rows(Float64, X, y).data.y == pointer(y)

# Precision by element type: single only where all are.
@test eltype(sample(Float32.(X), Float32.(y); draws = 10, warmup = 10, sampler = :hmc).draws) === Float32
@test eltype(sample(Float32.(X), y; draws = 10, warmup = 10, sampler = :hmc).draws) === Float64
@test run(round.(Int, 4X), y) == run(float(round.(Int, 4X)), y)
