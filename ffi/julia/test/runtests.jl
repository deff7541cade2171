# The suite. Each file is a module of its own, run in order:
#
#     LCC_LIBRARY=/full/path/of/liblcc.so julia --project=ffi/julia ffi/julia/test/runtests.jl
using LogConcaveCoupling, Test

const PREAMBLE = quote
    using LogConcaveCoupling, Random, Test
    const LCC = LogConcaveCoupling
    "The text of a value at the prompt."
    shown(x) = sprint(show, MIME("text/plain"), x)
end

@testset "LogConcaveCoupling" begin
    @testset "$name" for name in ("abi", "bits", "exact", "coupling", "prequential", "theory", "rows", "table", "errors", "density", "own", "regressor",
                                  "bnn", "stream", "vae", "memory", "interrupt")
        place = Module(Symbol("test_", name))
        Core.eval(place, PREAMBLE)
        Base.include(place, joinpath(@__DIR__, "$name.jl"))
    end
end
