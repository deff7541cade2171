# As much of JSON as the reference values are written in.
module JSON

function parse(text::AbstractString)
    value, at = value_at(text, skip(text, 1))
    return value
end

skip(s, i) = (while i <= lastindex(s) && isspace(s[i]); i += 1; end; i)

function value_at(s, i)
    c = s[i]
    c == '{' && return object_at(s, i)
    c == '[' && return array_at(s, i)
    c == '"' && return string_at(s, i)
    for (word, value) in (("true", true), ("false", false), ("null", nothing))
        startswith(SubString(s, i), word) && return value, i + length(word)
    end
    last = i
    while last < lastindex(s) && s[last+1] in "+-.eE0123456789"
        last += 1
    end
    return Base.parse(Float64, SubString(s, i, last)), last + 1
end

function string_at(s, i)
    last = i + 1
    while s[last] != '"'
        last = nextind(s, s[last] == '\\' ? nextind(s, last) : last)
    end
    return String(SubString(s, i + 1, prevind(s, last))), last + 1
end

function array_at(s, i)
    out, i = Any[], skip(s, i + 1)
    while s[i] != ']'
        value, i = value_at(s, i)
        push!(out, value)
        i = skip(s, i)
        s[i] == ',' && (i = skip(s, i + 1))
    end
    return out, i + 1
end

function object_at(s, i)
    out, i = Dict{String,Any}(), skip(s, i + 1)
    while s[i] != '}'
        key, i = string_at(s, i)
        i = skip(s, skip(s, i) + 1)
        out[key], i = value_at(s, i)
        i = skip(s, i)
        s[i] == ',' && (i = skip(s, i + 1))
    end
    return out, i + 1
end

end
