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
    return svg(width, width) do io
        box(io, margin, width - margin - side, width - margin, side)
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
              "<text x=\"$margin\" y=\"12\">predicted, and ", round(100 * p.level; digits = 2), " % intervals</text>")
    end
end

"""
    chart(x, p; y = nothing, width = 480) -> Chart

Predictions `p` along one input `x`, as a curve with its interval; rows of `y` are points.
"""
function chart(x::AbstractVector, p::Predictions; y::Union{Nothing,AbstractVector} = nothing, width::Integer = 480)
    length(x) == length(p) || throw(DimensionMismatch("$(length(p)) predictions at $(length(x)) places"))
    y === nothing || length(y) == length(p) || throw(DimensionMismatch("$(length(p)) predictions and $(length(y)) values"))
    isempty(x) && throw(ArgumentError("there is nothing to show"))
    left, right = extrema(x)
    low, high = extrema(vcat(extrema(p.lower)..., extrema(p.upper)..., (y === nothing ? () : extrema(y))...))
    margin, side, height = 48, width - 64, 3 * width ÷ 4
    across(v) = margin + side * (v - left) / (right > left ? right - left : one(right))
    up(v) = height - margin - (height - 64) * (v - low) / (high > low ? high - low : one(high))
    order = sortperm(x)
    line(io, values, rows) = foreach(i -> @printf(io, "%.1f %.1f ", across(x[i]), up(values[i])), rows)
    return svg(width, height) do io
        box(io, margin, 16, height - margin, side)
        print(io, "<path d=\"M")
        line(io, p.upper, order)
        line(io, p.lower, reverse(order))
        print(io, "Z\" fill=\"#0067a3\" fill-opacity=\".2\"/><path d=\"M")
        line(io, p.mean, order)
        print(io, "\" fill=\"none\" stroke=\"#0067a3\" stroke-width=\"1.5\"/>")
        for i in (y === nothing ? () : eachindex(y))
            @printf(io, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.2\" fill=\"#333\"/>", across(x[i]), up(y[i]))
        end
        for (v, w) in ((left, low), (right, high))
            @printf(io, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.3g</text>", across(v), height - margin + 16, v)
            @printf(io, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.3g</text>", margin - 5, up(w) + 4, w)
        end
        print(io, "<text x=\"$margin\" y=\"12\">", round(100 * p.level; digits = 2), " % intervals</text>")
    end
end

"""
    chart(s, coordinate = 1; width = 480) -> Chart

The draws of each chain of a [`Sample`](@ref) by their ranks among all (Vehtari et al. 2021): level where chains agree.
Of draws one after another without autocorrelation 95 % of the bars end in the grey band.
"""
function chart(s::Sample, coordinate::Integer = 1; width::Integer = 480)
    draws = s.draws[:, coordinate, :]
    isempty(draws) && throw(ArgumentError("there is nothing to show"))
    bins, margin, tall = 20, 48, 56
    ranks = reshape(invperm(sortperm(vec(draws))), size(draws))
    bin(c) = [count(r -> 1 + (r - 1) * bins ÷ length(draws) == b, ranks[:, c]) for b in 1:bins]
    even = size(draws, 1) / bins
    away = 1.96 * sqrt(even * (1 - 1 / bins))
    bars = [bin(c) for c in axes(draws, 2)]
    most = max(maximum(maximum, bars), even + away)
    step = (width - 64) / bins
    return svg(width, 40 + tall * size(draws, 2)) do io
        print(io, "<text x=\"$margin\" y=\"14\">ranks of the draws of coordinate $coordinate</text>")
        for (c, own) in enumerate(bars)
            floor = 20 + tall * c
            up(v) = (tall - 12) * v / most
            @printf(io, "<rect x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%.1f\" fill=\"#ddd\"/>", margin, floor - up(even + away),
                    width - 64, up(even + away) - up(max(even - away, 0)))
            for (b, v) in enumerate(own)
                @printf(io, "<rect class=\"bar\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#0067a3\" fill-opacity=\".6\"/>",
                        margin + step * (b - 1), floor - up(v), step - 1, up(v))
            end
            print(io, "<text x=\"$(margin - 6)\" y=\"$floor\" text-anchor=\"end\">$c</text>")
        end
    end
end

"A chart that `draw` prints the inside of."
function svg(draw, width, height)
    io = IOBuffer()
    print(io, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 $width $height\" width=\"$width\" ",
          "font-family=\"sans-serif\" font-size=\"12\"><rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>")
    draw(io)
    print(io, "</svg>\n")
    return Chart(String(take!(io)))
end

"The axes: from the top down to the bottom, and so far to the right."
box(io, left, top, bottom, across) =
    @printf(io, "<path d=\"M%d %dV%dH%d\" fill=\"none\" stroke=\"#999\"/>", left, top, bottom, left + across)

"A figure, as SVG."
struct Chart
    svg::String
end

Base.show(io::IO, ::MIME"image/svg+xml", c::Chart) = print(io, c.svg)
Base.show(io::IO, c::Chart) = print(io, "Chart(", sizeof(c.svg), " bytes of SVG)")
Base.write(io::IO, c::Chart) = write(io, c.svg)
