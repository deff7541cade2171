# Members that hold one of the header's constants, by the family that their names are from.
const FAMILIES = Dict(:activation => :activation, :method => :method, :inner_method => :method, :prior => :prior,
                      :signs => :signs, :coupling => :coupling, :reference => :reference, :mass => :mass,
                      :form => :greedy, :ladder => :ladder, :posterior => :posterior, :output => :output,
                      :scales => :scales, :penalty => :penalty, :optimiser => :optimiser, :observed => :vae)

family(::Type, member) = get(FAMILIES, member, nothing)
family(::Type{<:ABI.RelaxedOptions}, member) = member === :method ? :relaxed : get(FAMILIES, member, nothing)
family(::Type{<:ABI.BnnOptions}, member) = member === :method ? :inference : get(FAMILIES, member, nothing)

"The code of a name: a symbol or a string, with - or _."
function code(family::Symbol, name)
    names = ABI.CODES[family]
    key = Symbol(replace(string(name), '-' => '_'))
    haskey(names, key) && return names[key]
    throw(ArgumentError("$family \"$name\" is not one of " * join(sort!(collect(keys(names))), ", ")))
end

"The name of a code."
function name_of(family::Symbol, code::Integer)
    for (name, value) in ABI.CODES[family]
        value == code && return name
    end
    return :unknown
end

member_value(S, member, value::Union{Symbol,AbstractString}) =
    family(S, member) === nothing ? throw(ArgumentError("$member must be a number")) : code(family(S, member), value)
function member_value(S, member, value::Union{Tuple,AbstractVector})
    array = fieldtype(S, member)
    array <: Tuple || throw(ArgumentError("$member must be one number"))
    length(value) <= fieldcount(array) || throw(ArgumentError("$member has at most $(fieldcount(array)) numbers"))
    return ntuple(k -> k <= length(value) ? value[begin+k-1] : 0, fieldcount(array))
end
function member_value(S, member, value::Real)
    T = fieldtype(S, member)
    T <: Tuple && return member_value(S, member, (value,))
    T <: Integer && !(isinteger(value) && typemin(T) <= value <= typemax(T)) &&
        throw(ArgumentError("$member must be a whole number from $(typemin(T)) to $(typemax(T)), not $value"))
    return value
end
member_value(S, member, value) = value

# Set by the library or by this package, not by keyword.
const HIDDEN = (:struct_size, :reserved, :posterior, :density, :densities, :context, :dim, :gradient, :network)

# One type for every set of keywords, so that nothing below is compiled anew for each.
const Keywords = Dict{Symbol,Any}

"A struct with some members replaced by keywords; a keyword that is no member is refused."
function replaced(options::S, keywords::Keywords) where {S}
    for name in keys(keywords)
        if !(name in fieldnames(S)) || name in HIDDEN
            known = filter(m -> !(m in HIDDEN), collect(fieldnames(S)))
            throw(ArgumentError("no option $name; there are " * join(known, ", ")))
        end
    end
    values = Any[haskey(keywords, name) ? member_value(S, name, keywords[name]) : getfield(options, name)
                 for name in fieldnames(S)]
    return S(values...)
end

"Refuses keywords that a method or an output does not read; `reads` and `name` are functions of the library."
function check_read(reads, name, kind, code, keywords)
    for member in keys(keywords)
        out = Ref{Int32}(0)
        check(reads(code, string(member), out))
        out[] == 0 && throw(ArgumentError("$member is not of $kind $(unsafe_string(name(code))): it would change nothing"))
    end
end

"The library's defaults, changed by keywords."
function options(defaults, ::Type{S}, keywords::Keywords) where {S}
    out = Ref{S}()
    check(defaults(out))
    return replaced(out[], keywords)
end
