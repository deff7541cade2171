"""
    chart(p, y; width = 480) -> Chart

Predictions `p` against the measured `y`, each with its interval, as a figure that needs no other package: notebooks and
editors show it, and `write("p.svg", chart(p, y))` keeps it. For a package of plots the numbers are those of `p`:
`scatter(y, p.mean; yerror = (p.mean - p.lower, p.upper - p.mean))`.
"""
function chart(p::Predictions, y::AbstractVector; width::Integer = 480)
    length(y) == length(p) || throw(DimensionMismatch("$(length(p)) predictions and $(length(y)) values"))
    isempty(y) && throw(ArgumentError("there is nothing to show"))
    low, high = extrema(vcat(extrema(y)..., extrema(p.lower)..., extrema(p.upper)...))
    high > low || ((low, high) = (low - 1, high + 1))
    margin, side = 48, width - 64
    across(v) = margin + side * (v - low) / (high - low)
    up(v) = width - margin - side * (v - low) / (high - low)
    io = IOBuffer()
    print(io, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 $width $width\" width=\"$width\" ",
          "font-family=\"sans-serif\" font-size=\"12\"><rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>")
    @printf(io, "<path d=\"M%d %dV%dH%d\" fill=\"none\" stroke=\"#999\"/>", margin, width - margin - side,
            width - margin, margin + side)
    @printf(io, "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"#333\" stroke-dasharray=\"4 3\"/>", across(low), up(low),
            across(high), up(high))
    for i in eachindex(y)
        kept = p.lower[i] <= y[i] <= p.upper[i]
        @printf(io, "<path d=\"M%.1f %.1fV%.1f\" stroke=\"%s\" stroke-opacity=\".35\"/><circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.2\" fill=\"%s\"/>",
                across(y[i]), up(p.lower[i]), up(p.upper[i]), kept ? "#0067a3" : "#b5440a",
                across(y[i]), up(p.mean[i]), kept ? "#0067a3" : "#b5440a")
    end
    for v in (low, (low + high) / 2, high)
        @printf(io, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.3g</text>", across(v), width - margin + 16, v)
        @printf(io, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.3g</text>", margin - 5, up(v) + 4, v)
    end
    print(io, "<text x=\"$(width ÷ 2)\" y=\"$(width - 10)\" text-anchor=\"middle\">measured</text>",
          "<text x=\"$margin\" y=\"12\">predicted, and ", round(100 * p.level; digits = 2), " % intervals</text></svg>\n")
    return Chart(String(take!(io)))
end

"A figure, as SVG."
struct Chart
    svg::String
end

Base.show(io::IO, ::MIME"image/svg+xml", c::Chart) = print(io, c.svg)
Base.show(io::IO, c::Chart) = print(io, "Chart(", sizeof(c.svg), " bytes of SVG)")
Base.write(io::IO, c::Chart) = write(io, c.svg)
