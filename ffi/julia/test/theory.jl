# Bounds against their closed forms.
@testset "theory" begin
    outer, inner, g, odds = [3, -1], [1 -2; 0.5 0.25], [1 0 1; 0.5 1 2], 1 / (1 + exp(2))
    mean_square(a) = sum(abs2, a; dims = 1) ./ size(a, 1)
    @test Theory.risk(1.5, 4, 2, 100) ≈ 1.5sqrt((log(8) + 2) / 100)
    @test Theory.covering_hull(2, 7, 2) ≈ log(7)
    @test Theory.bayes_regret(0.25, 0.5) ≈ 0.5 + log(4)
    @test Theory.resolvability(1, 1, 1, 100, 50) == (neurons = 10, bound = 0.2)
    @test Theory.model_probabilities([-10, -12]) ≈ [1 - odds, odds]
    @test Theory.variation(outer, inner, 1) ≈ 9.75
    @test Theory.spectral_norm([2, -1], [3 -1; 0 0.5], 1) ≈ 8.5
    @test Theory.paths([inner, permutedims(outer)]) ≈ 9.75
    c = [1, -2, 3]
    @test Theory.subnetwork_error(c, g, 5) ≈ (6sum(mean_square(g)' .* abs.(c)) - mean_square(g * c)[1]) / 5
    counts = Theory.subnetwork(c, 5) ./ (sign.(c) .* 6 ./ 5)
    @test counts ≈ round.(counts) && sum(counts) ≈ 5
    @test Theory.gamma_xi([0, log(3)], 2) ≈ log(5)
    @test Theory.hoelder(0.2, 2, [0, log(3)]) ≈ 0.5
    @test Theory.hoelder_least(2, 0, 1, 3).order == 2
    @test_throws InexactError Theory.risk(1, -1, 2, 3)
    @test_throws DomainError Theory.risk(NaN, 1, 2, 3)
    @test_throws DomainError Theory.unit_time(-1, 2)
    @test_throws DomainError Theory.bayes_regret(1.5, 0)
    @test_throws DomainError Theory.model_probabilities([-10, NaN])
    @test_throws LCCError Theory.resolvability(-1, 1, 1, 100, 50)
    @test_throws LCCError Theory.resolvability(1, 1, 1, 100, 0)
    @test_throws LCCError Theory.paths(Matrix{Float64}[])
    @test_throws DimensionMismatch Theory.variation([1], inner, 1)
    @test_throws DimensionMismatch Theory.paths([inner, [1 2 3]])
    # Every bound of the header is here.
    for name in names(LCC.ABI; all = true)
        startswith(String(name), "theory_") && @test isdefined(Theory, Symbol(String(name)[8:end]))
    end
end
