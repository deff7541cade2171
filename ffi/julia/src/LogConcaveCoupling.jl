"""
Bayesian neural networks, and the posteriors that they come from, by log-concave coupling.

[`fit`](@ref) and [`predict`](@ref) are the regressor. [`sample`](@ref) draws from one posterior: of a neuron
([`GreedyProblem`](@ref)), of a network with fixed outer weights ([`JointProblem`](@ref)) or with all parameters free
([`NetworkProblem`](@ref)), or with a log density of your own ([`DensityProblem`](@ref)). [`certify`](@ref) says whether the coupling makes a posterior log-concave, [`Coupling`](@ref) is that coupling,
[`Theory`](@ref) what the papers bound. [`stream`](@ref) goes on learning row by row, [`prequential`](@ref) is Greedy Bayes so;
[`vae`](@ref) finds coordinates of rows.

Everything is computed by the shared library `liblcc` (`ENV["LCC_LIBRARY"]`, else the system's). The same seed gives
the same bits on every machine. Numbers are `Float32` if all arrays are, else `Float64`.
"""
module LogConcaveCoupling

import Libdl
using Printf: @printf, @sprintf

export fit, predict, quantiles, evaluate, simulate, regression_draws, classes, spread, thin, Model, Predictions
export GreedyProblem, JointProblem, NetworkProblem, DensityProblem, log_density, sample, Sample, certify, Certificates
export Coupling, score
export stream, observe!, Stream, prequential, Prequential, losses
export Vae, vae, encode, decode, bound, column_names, chart, Chart
export Theory
export Parameters, constrain, unconstrain, check_gradient, loo, Loo
export LCCError

include("library.jl")
include("abi.jl")
include("errors.jl")
include("layout.jl")
include("options.jl")
include("memory.jl")
include("rows.jl")
include("stepping.jl")
include("model.jl")
include("warnings.jl")
include("fit.jl")
include("chains.jl")
include("predict.jl")
include("density.jl")
include("problem.jl")
include("own.jl")
include("run.jl")
include("sample.jl")
include("certify.jl")
include("coupling.jl")
include("theory.jl")
include("stream.jl")
include("prequential.jl")
include("vae.jl")
include("table.jl")
include("chart.jl")

function __init__()
    Library.load()
    check_abi()
    check_layout()
end

end
