"One condition under which p(xi), or p(w) itself, is log-concave: what it is, its value and threshold, and its status."
struct Certificate{T}
    name::String
    equation::String
    assumption::String
    status::String
    value::T
    threshold::T
    error::T
end

"""
    Certificates

What is known of a posterior's log-concavity: `c.conclusion` (`:already_log_concave`, `:proved`, `:conditional`,
`:empirical`, `:not_log_concave`, `:unknown`), `c.verdict` in words, and the `entries`, a certificate each.
"""
struct Certificates{T}
    conclusion::Symbol
    verdict::String
    entries::Vector{Certificate{T}}
    probes::Int
end

describe(kind, what) =
    text_by((text, bytes, length) -> ABI.certificate_describe(kind, code(:describe, what), text, bytes, length), 256)

"""
    certify(problem; probes = 0, from = nothing, options...) -> Certificates

Every certificate of a greedy or joint posterior that needs no draws. With `probes` at least 1, as many searches are
made for a xi at which p(xi) is not log-concave, each from two draws of w from `from` (a [`Sample`](@ref) of the same
problem; by default 8 short chains of `:auto`), and what the papers bound is estimated there. Options are those of the
header's `lcc_probe_options`. With `probes = 8` the numbers are those of `lcc certify`.
"""
function certify(problem::Problem{T}; probes::Integer = 0, from = nothing, keywords...) where {T}
    raw = Ref{ABI.Certificates{T}}()
    asked = Ref(options(ABI.probe_options_default, ABI.ProbeOptions, Keywords(keywords)))
    with_pointers(problem) do p, data
        room = block(size_by(bytes -> ABI.certificates_scratch(T, p, data, bytes)))
        check(ABI.certificates_evaluate(T, p, data, room, sizeof(room), raw))
        probes >= 1 || return nothing
        given = from === nothing ? sample(problem; chains = 8, warmup = 100, draws = 200, seed = asked[].seed) : from
        room = block(size_by(bytes -> ABI.certificates_probe_scratch(T, p, data, asked, bytes)))
        for k in 1:probes
            w, other = spread_draws(given, k, probes)
            length(w) == dimension(problem) ||
                throw(DimensionMismatch("the sample has $(length(w)) coordinates, and the problem $(dimension(problem))"))
            w, other = convert(Vector{T}, w), convert(Vector{T}, other)
            check(disable_sigint(() -> ABI.certificates_probe(T, raw, p, data, asked, w, other, k - 1, room, sizeof(room))))
            yield()
        end
    end
    return Certificates(raw[])
end

"Draw k of so many, spread over one chain after another, and of another chain that is half of all draws further on."
function spread_draws(s::Sample, k, count)
    length, _, chains = size(s.draws)
    draw = floor(Int, length * ((k - 0.5) / count))
    other = (draw + div(length, 2)) % length
    return s.draws[draw+1, :, mod1(k, chains)], s.draws[other+1, :, mod1(k + div(chains, 2), chains)]
end

function Certificates(raw::ABI.Certificates{T}) where {T}
    verdict = text_by((text, bytes, length) -> ABI.certificates_explain(T, Ref(raw), text, bytes, length), 2048)
    entries = map(raw.entries[1:Int(raw.count)]) do e
        Certificate{T}(describe(e.kind, :name), describe(e.kind, :equation), describe(e.kind, :assumption),
                       describe(e.status, :status), e.value, e.threshold, e.error)
    end
    return Certificates{T}(name_of(:conclusion, raw.conclusion), verdict, collect(entries), raw.probes)
end

Base.show(io::IO, c::Certificates) = print(io, "Certificates(", c.conclusion, ", ", length(c.entries), " entries)")

function Base.show(io::IO, ::MIME"text/plain", c::Certificates)
    @printf(io, "Certificates: %s\n  %-24s %12s %10s  status", c.conclusion, "certificate", "value", "threshold")
    for e in c.entries
        @printf(io, "\n  %-24s %12s %10.4g  %s", e.name, isfinite(e.value) ? @sprintf("%.6g", e.value) : "-", e.threshold, e.status)
        e.error > 0 && @printf(io, " (+- %.2g)", e.error)
    end
    print(io, "\n  ", c.verdict)
end
