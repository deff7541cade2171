# Vectors and tables for matrices: the same numbers, columns by their names, and what is not there is said.
Random.seed!(8)
X, y = randn(40, 2), randn(40)
short = (neurons = 2, chains = 2, warmup = 20, draws = 20, keep = 5, start_steps = 20)
plain = fit(X, y; short...)
table = (a = X[:, 1], b = X[:, 2])
model = fit(table, y; short...)
told(f) = try f(); "nothing" catch e; sprint(showerror, e) end
@test column_names(model) == ["a", "b"] && column_names(plain) === nothing
@test predict(model, X) == predict(plain, X) == predict(model, table) == predict(plain, table)
@test model.report.diagnosis == plain.report.diagnosis

# By name, in any order; extra ones are left out; what lacks is named.
@test predict(model, (b = X[:, 2], z = fill("word", 40), a = X[:, 1])) == predict(plain, X)
@test occursin("not there: b", told(() -> predict(model, (a = X[:, 1], c = X[:, 2]))))
@test read(IOBuffer(model.bytes), Model) == model && column_names(Model(model.bytes)) == ["a", "b"]
for (f, rest) in ((quantiles, ([0.1, 0.9],)), (simulate, ()), (regression_draws, ()), (spread, ()))
    @test f(model, (b = X[:, 2], a = X[:, 1]), rest...) == f(plain, X, rest...)
end
@test evaluate(model, (b = X[:, 2], a = X[:, 1]), y).rmse == evaluate(plain, X, y).rmse

# Rows that are named tuples, whatever has columns as properties, and a target that is a column.
rows = [(a = X[i, 1], b = X[i, 2], y = y[i]) for i in 1:40]
struct Frame
    columns::Dict{Symbol,Any}
end
Base.propertynames(f::Frame) = sort!(collect(keys(getfield(f, :columns))))
Base.getproperty(f::Frame, name::Symbol) = getfield(f, :columns)[name]
frame = Frame(Dict(:a => X[:, 1], :b => X[:, 2], :y => y))
@test fit(rows, :y; short...) == fit(frame, "y"; short...) == model
@test predict(model, rows) == predict(model, frame) == predict(plain, X)
@test occursin("no column z", told(() -> fit(rows, :z; short...)))
@test fit(Model, X, y; short...) == plain

# One column.
@test fit(X[:, 1], y; short...) == fit(X[:, 1:1], y; short...)
@test predict(fit((a = X[:, 1],), y; short...), (a = X[:, 1],)) == predict(fit(X[:, 1], y; short...), X[:, 1])
@test eltype(predict(fit(Float32.(X[:, 1]), Float32.(y); short...), Float32.(X[:, 1])).mean) === Float32

# Missing values, words, and what is no table.
gap = Matrix{Union{Missing,Float64}}(X)
@test fit(gap, y; short...) == plain
gap[3, 2] = missing
@test occursin("X has a missing value: row 3, column 2", told(() -> fit(gap, y; short...)))
@test occursin("y has a missing value: row 1", told(() -> fit(X, [missing; y[2:end]]; short...)))
@test occursin("row 3, column 2", told(() -> predict(model, (a = X[:, 1], b = gap[:, 2]))))
@test occursin("column b holds String", told(() -> fit((a = y, b = fill("x", 40)), y; short...)))
@test occursin("neither a matrix", told(() -> fit(3, y; short...)))

# The bytes are those that lcc fit attaches to a table of the same numbers.
@test LCC.attachment(["in"], reshape([2.0, 4.0, 3.0], :, 1), "y", [0.5, 1.5, 0.25]) == hex2bytes(
    "02000000010000000200696e000000000000000000084000000000000000400000000000001040" *
    "010079000000000000000000e83f000000000000d03f000000000000f83f")

# A figure without packages.
p = predict(plain, X)
path = tempname()
write(path, chart(p, y))
svg = read(path, String)
rm(path)
@test svg == sprint(show, MIME("image/svg+xml"), chart(p, y)) && startswith(svg, "<svg") && endswith(svg, "</svg>\n")
@test length(collect(eachmatch(r"<circle", svg))) == 40
@test length(collect(eachmatch(r"<circle[^>]*#b5440a", svg))) == count(.!(p.lower .<= y .<= p.upper))
@test_throws DimensionMismatch chart(p, y[1:3])
# A curve: the band there and back, the line, the points.
svg = chart(X[:, 1], p; y = y).svg
@test length(collect(eachmatch(r"<circle", svg))) == 40 && !occursin("NaN", svg)
band, curve = [length(split(m[1])) for m in eachmatch(r"<path d=\"M([0-9. -]+)Z?\" fill", svg)]
@test (band, curve) == (160, 80)
@test_throws DimensionMismatch chart(X[1:3, 1], p)
# Ranks: each chain's bars hold its draws, as high as they are many.
drawn = sample(DensityProblem((x, g) -> (g .= -x; -x[1]^2 / 2), 1; gradient = true); sampler = :split_hmc, chains = 3, draws = 400)
heights = [parse(Float64, m[1]) for m in eachmatch(r"class=\"bar\".*?height=\"([0-9.]+)\"", chart(drawn).svg)]
@test length(heights) == 60
@test all(c -> isapprox(sum(heights[20c-19:20c]), sum(heights) / 3; rtol = 0.01), 1:3)
@test_throws BoundsError chart(drawn, 2)

# Whatever is exported has a help page.
home(n) = getfield(LCC, n) isa Module ? getfield(LCC, n) : LCC
undocumented = filter(n -> !haskey(Base.Docs.meta(home(n)), Base.Docs.Binding(LCC, n)), names(LCC))
@test setdiff(undocumented, [:LogConcaveCoupling]) == []
