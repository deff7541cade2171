# The same seed gives the same bits as in C and Rust: the runs of tests/c/bits.c against the committed hashes.
golden = joinpath(@__DIR__, "..", "..", "..", "tests", "golden", "bits.txt")

feed(hash, bytes) = foldl((h, b) -> (h ⊻ b) * 0x00000100000001b3, bytes; init = hash)
bytes_of(values) = collect(reinterpret(UInt8, vec(collect(values))))
hash_of(bytes...) = string(foldl(feed, bytes; init = 0xcbf29ce484222325); base = 16, pad = 16)

"The draws of every coordinate, chain by chain."
draws_of(s) = reduce(vcat, [bytes_of(s.draws[t, j, c] for t in 1:size(s.draws, 1), c in 1:size(s.draws, 3))
                            for j in 1:size(s.draws, 2)])

function runs(T)
    X = [T((i * 7 + j * 3) % 11) / 8 - T(0.625) for i in 0:29, j in 0:1]
    y = [T(i * 5 % 9) / 4 - 1 for i in 0:29]
    found = Dict{String,String}()
    for (method, code) in LCC.ABI.CODES[:method]
        codes = LCC.ABI.CODES[:method]
        ball = codes[:hit_and_run] <= code <= codes[:reflection] || method == :riemannian
        prior = ball ? :l1_ball : :gaussian
        s = sample(X, y; alpha = 0.5, prior = prior, sampler = method, chains = 5, warmup = 50, draws = 30)
        found[replace(string(method), '_' => '-')] = hash_of(draws_of(s))
    end
    s = sample(X, y; alpha = 4, sampler = :smc, particles = 64)
    found["smc"] = hash_of(bytes_of([s.log_evidence]), draws_of(s))
    s = sample(X, y; alpha = 4, chains = 4, pilot = 64, warmup = 20, draws = 30)
    found["auto"] = hash_of(codeunits(s.report), draws_of(s))
    m = fit(X, y; neurons = 3, warmup = 20, draws = 20, keep = 5, start_steps = 20, precision = eltype(X))
    found["network"] = hash_of(m.bytes)
    m = fit(X, y; estimator = :greedy, levels = 3, particles = 40, keep = 10, either_sign = true,
            activation = :logistic)
    found["greedy"] = hash_of(m.bytes)
    return found
end

if isfile(golden)
    lines = split.(readlines(golden))
    for (bits, T) in (("64", Float64), ("32", Float32))
        expected = Dict(line[2] => line[3] for line in lines if line[1] == bits)
        found = runs(T)
        @test length(found) == 22
        for (name, hash) in found
            @test hash == expected[name]
        end
    end
else
    @info "skipped: tests/golden/bits.txt is not beside the package"
end
