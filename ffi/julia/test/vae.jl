# Without hidden layers the auto-encoder is probabilistic PCA, whose likelihood is a formula (Tipping and Bishop 1999).
using LinearAlgebra
Random.seed!(9)
Y = randn(200) * [2.0 1.0 -1.0] .+ 0.5 .* randn(200, 3) .+ [1.0 2.0 3.0]
v = vae(Y; latent = 1, widths = (), seed = 2)
centred = Y .- sum(Y, dims = 1) ./ 200
values = eigvals(Symmetric(centred' * centred ./ 200))
noise = sum(values[1:2]) / 2
exact = -0.5 * (3 * log(2pi) + log(values[3]) + 2 * log(noise) + 3)
told = bound(v, Y; draws = 400)
@test -0.01 - 4 * told.error < told.bound - exact < 4 * told.error
@test v.shape.noise ≈ sqrt(noise) rtol = 0.02
z = encode(v, Y)
@test size(z.mean) == size(z.sd) == (200, 1) && all(z.sd .> 0)
@test sqrt(sum(abs2, decode(v, z.mean) .- Y) / 400) < 1.1 * sqrt(noise)
drawn = sample(v, 2000; seed = 4)
@test size(drawn.z) == (2000, 1) && size(drawn.y) == (2000, 3)
@test all(abs.(sum(drawn.y, dims = 1) ./ 2000 .- sum(Y, dims = 1) ./ 200) .< 0.3)

path = tempname()
write(path, v)
again = read(path, Vae)
rm(path)
@test encode(again, Y) == z && sample(again, 5) == sample(v, 5)
@test vae(Y; latent = 1, widths = (), seed = 2, steps = 50).memory == vae((a = Y[:, 1], b = Y[:, 2], c = Y[:, 3]); latent = 1,
                                                                         widths = (), seed = 2, steps = 50).memory
@test eltype(decode(vae(Float32.(Y); steps = 10), zeros(2, 2))) === Float32
@test size(encode(vae((a = Y[:, 1],); latent = 1, widths = (), steps = 10), Y[:, 1]).mean) == (200, 1)
@test_throws LCCError vae(Y; latent = 0)
@test_throws LCCError vae(Y; observed = :bernoulli, largest = 0.1)
@test_throws LCCError read(IOBuffer(zeros(UInt8, 100)), Vae)
