# The generated files are those of the header, where the package lies in the source tree.
module Generator
Base.include(@__MODULE__, joinpath(@__DIR__, "..", "gen", "generate.jl"))
end
headers = [joinpath(@__DIR__, "..", "..", "..", "include", name) for name in ("lcc.h", "lcc/f64.h", "lcc/f32.h")]
if all(isfile, headers)
    for (name, text) in Generator.generate(join(read(path, String) for path in headers))
        @test read(joinpath(@__DIR__, "..", "src", "abi", name), String) == text
    end
else
    @info "skipped: the headers are not beside the package, so the generated files are not compared with it"
end

project = read(joinpath(@__DIR__, "..", "Project.toml"), String)
@test unsafe_string(LCC.ABI.version()) == match(r"version = \"(.*)\"", project).captures[1]
@test LCC.ABI.version_number() == LCC.ABI.HEADER_VERSION
@test length(LCC.ABI.MIRRORS) >= 68
@test LCC.check_abi() === nothing
@test_throws ErrorException LCC.check_abi(LCC.ABI.HEADER_ABI + 1)
@test_throws ErrorException LCC.Library.symbol(:lcc_no_such_function)

# A mirror that is not the library's struct is found out: a member of another size, in another order, another name.
struct Narrow
    done::UInt64
    total::UInt64
    draws::UInt64
    gradients::UInt64
    warming::UInt64
end
struct Swapped
    total::UInt64
    done::UInt64
    draws::UInt64
    gradients::UInt64
    warming::UInt32
    reserved::UInt32
end
@test LCC.check_layout("lcc_progress", LCC.ABI.Progress) === nothing
@test_throws ErrorException LCC.check_layout("lcc_progress", Narrow)
@test_throws ErrorException LCC.check_layout("lcc_progress", Swapped)
@test_throws ErrorException LCC.check_layout("lcc_progress", LCC.ABI.ModelInfo)
@test_throws ErrorException LCC.check_layout("lcc_no_such_struct", LCC.ABI.Progress)

# Names and codes are the library's.
for (name, code) in LCC.ABI.CODES[:activation]
    @test unsafe_string(LCC.ABI.activation_name(code)) == string(name)
end
for (name, code) in LCC.ABI.CODES[:method]
    @test unsafe_string(LCC.ABI.method_name(code)) == replace(string(name), '_' => '-')
end
@test all(status -> unsafe_string(LCC.ABI.status_message(first(status))) != "", LCC.ABI.STATUSES)

# A library that is none is refused before it is loaded, by name.
before = get(ENV, "LCC_LIBRARY", nothing)
for wrong in (@__FILE__, joinpath(@__DIR__, "no-such-file.so"))
    ENV["LCC_LIBRARY"] = wrong
    @test_throws ErrorException LCC.Library.load()
end
before === nothing ? delete!(ENV, "LCC_LIBRARY") : (ENV["LCC_LIBRARY"] = before)

# Everything exported has a help page.
for name in names(LogConcaveCoupling)
    page = string(Base.Docs.doc(Base.Docs.Binding(LogConcaveCoupling, name)))
    @test !occursin("No documentation found", page)
end
