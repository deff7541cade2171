# Writes src/abi/*.jl from the headers of include: constants, mirror structs and functions.
#
#     julia gen/generate.jl          writes
#     julia gen/generate.jl check    exits 1 where a file is stale

const ROOT = normpath(joinpath(@__DIR__, ".."))
const NOTE = "# Generated from the headers of include by gen/generate.jl: do not edit.\n"

"The headers' declarations, without comments and preprocessor lines other than numbers."
function declarations(header)
    text = replace(replace(header, r" */\*.*?\*/"s => ""), "extern \"C\" {" => "")
    defines = [(String(m[1]), String(m[2])) for m in eachmatch(r"^#define (LCC_\w+) (\d+)$"m, text)]
    return replace(text, r"^#.*$"m => ""), defines
end

"lcc_network_options_f64 as NetworkOptions."
camel(name) = join(uppercasefirst.(split(replace(replace(name, r"^lcc_" => ""), r"_f(64|32)$" => ""), '_')))

const SCALARS = Dict("int" => "Cint", "char" => "UInt8", "bool" => "Bool", "void" => "Cvoid", "size_t" => "Csize_t",
                     "uint8_t" => "UInt8", "uint32_t" => "UInt32", "int32_t" => "Int32", "uint64_t" => "UInt64",
                     "double" => "T", "float" => "T", "own_double" => "Cdouble", "own_float" => "Cfloat")

"What has no twin of the other precision means its numbers as they stand."
own(text, name) = occursin(r"_f(64|32)$", name) ? text : replace(text, r"\b(double|float)\b" => s"own_\1")

"A C type as a Julia one, in which T is the precision."
function julia_type(c, structs)
    c = strip(replace(c, r"\bconst\b" => ""))
    endswith(c, '*') && return "Ptr{" * julia_type(c[1:prevind(c, lastindex(c))], structs) * "}"
    haskey(SCALARS, c) && return SCALARS[c]
    occursin(r"^lcc_(densit|quantities)", c) && return "Ptr{Cvoid}"
    c in structs || return "Cvoid"   # a handle
    return camel(c) * (occursin(r"_f(64|32)$", c) ? "{T}" : "")
end

"A declaration such as `const double *x` or `lcc_rung_f64 a[16]` as a name and a Julia type."
function member(text, structs)
    m = match(r"^(.*?)(\w+)(?:\[(\d+)\])?$"s, strip(text))
    type = julia_type(m[1], structs)
    return String(m[2]), m[3] === nothing ? type : "NTuple{$(m[3]),$type}"
end

members(text, structs) = [member(f, structs) for f in split(text, ';') if !isempty(strip(f))]

twin(name) = replace(name, r"_f64$" => "_f32")

function constants_file(text, defines)
    out = NOTE * "\n"
    for (name, value) in defines
        name == "LCC_VERSION_NUMBER" && (out *= "const HEADER_VERSION = $value\n")
        name == "LCC_ABI_VERSION" && (out *= "const HEADER_ABI = $value\n")
    end
    families = Dict{String,Vector{Tuple{String,String}}}()
    order = String[]
    for (name, value) in defines
        m = match(r"^LCC_(NETWORK_TRACE|BNN_TRACE|[A-Z]+)_(\w+)$", name)
        (m === nothing || m[1] in ("VERSION", "ABI", "H", "CAPABILITY", "NO")) && continue
        family = String(m[1])
        if !haskey(families, family)
            push!(order, family)
            families[family] = Tuple{String,String}[]
        end
        push!(families[family], (lowercase(String(m[2])), value))
    end
    out *= "\n# Codes by family, named as the header's constants are: LCC_PRIOR_L1_BALL is CODES[:prior][:l1_ball].\n"
    out *= "const CODES = Dict{Symbol,Dict{Symbol,Int32}}(\n"
    for family in order
        entries = join((":$name => $value" for (name, value) in families[family]), ",\n        ")
        out *= "    :$(lowercase(family)) => Dict(\n        $entries),\n"
    end
    out *= ")\n\n# Statuses.\nconst STATUSES = Dict{Int32,Symbol}(\n"
    body = match(r"enum lcc_status \{(.*?)\};"s, text)[1]
    for m in eachmatch(r"(LCC_\w+) = (-?\d+)", body)
        out *= "    $(m[2]) => :$(m[1]),\n"
    end
    return out * ")\n"
end

function structs_file(text, structs)
    out = NOTE * "\n# Mirrors of the header's structs; T is the precision. Their layout is checked at load.\n"
    names = Tuple{String,String}[]
    bodies = Dict(String(m[2]) => String(m[1]) for m in eachmatch(r"typedef struct \{([^}]*)\} (lcc_\w+);", text))
    for m in eachmatch(r"typedef struct \{([^}]*)\} (lcc_\w+);", text)
        name = String(m[2])
        endswith(name, "_f32") && continue
        fields = members(own(m[1], name), structs)
        if endswith(name, "_f64")
            fields == members(bodies[twin(name)], structs) || error("$name and its twin differ")
        end
        head = camel(name) * (endswith(name, "_f64") ? "{T<:Union{Float32,Float64}}" : "")
        out *= "\nstruct $head\n" * join("    $f::$t\n" for (f, t) in fields) * "end\n"
        push!(names, (name, camel(name)))
    end
    out *= "\n# Every struct with its name in C.\nconst MIRRORS = Pair{Symbol,Type}[\n"
    for (c, julia) in names
        for (suffix, T) in (endswith(c, "_f64") ? (("_f64", "{Float64}"), ("_f32", "{Float32}")) : (("", ""),))
            out *= "    :$(replace(c, r"_f64$" => ""))$suffix => $julia$T,\n"
        end
    end
    return out * "]\n"
end

function functions_file(text, structs)
    text = replace(text, r"\{[^}]*\}"s => "{}")
    prototypes = [String.((m[1], m[2], m[3])) for m in eachmatch(r"^([\w ]+[ *])(lcc_\w+)\(([^()]*)\);"m, text)]
    types(arguments) = strip(arguments) == "void" ? "()" :
        "(" * join((last(member(a, structs)) for a in split(arguments, ',')), ", ") * ",)"
    known = Dict(name => (julia_type(ret, structs), types(own(arguments, name))) for (ret, name, arguments) in prototypes)
    out = NOTE * "\n# Every function by its name without lcc_; those of both precisions take Float32 or Float64.\n\n"
    for (_, name, _) in prototypes
        endswith(name, "_f32") && continue
        ret, arguments = known[name]
        if endswith(name, "_f64")
            known[twin(name)] == known[name] || error("$name and its twin differ")
            out *= "@twins $(replace(name[5:end], r"_f64$" => "")) $ret $arguments\n"
        else
            out *= "@plain $(name[5:end]) $ret $arguments\n"
        end
    end
    return out
end

"Every generated file with its text."
function generate(header)
    text, defines = declarations(header)
    structs = Set(String(m[1]) for m in eachmatch(r"typedef struct \{[^}]*\} (lcc_\w+);", text))
    return ["constants.jl" => constants_file(text, defines), "structs.jl" => structs_file(text, structs),
            "functions.jl" => functions_file(text, structs)]
end

function main(arguments)
    include = joinpath(ROOT, "..", "..", "include")
    header = join(read(joinpath(include, name), String) for name in ("lcc.h", "lcc/f64.h", "lcc/f32.h"))
    stale = false
    for (name, text) in generate(header)
        path = joinpath(ROOT, "src", "abi", name)
        isfile(path) && read(path, String) == text && continue
        stale = true
        arguments == ["check"] || write(path, text)
        println(arguments == ["check"] ? "stale: " : "wrote ", path)
    end
    return stale && arguments == ["check"] ? 1 : 0
end

abspath(PROGRAM_FILE) == @__FILE__() && exit(main(ARGS))
