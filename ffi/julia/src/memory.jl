# A block of 16-byte units: the alignment that the library asks for. Objects in it hold no pointers.
const Block = Vector{UInt128}

block(bytes::Integer) = zeros(UInt128, max(1, cld(bytes, 16)))

address(b::Block) = Ptr{UInt8}(pointer(b))

"What a function that writes a size says."
function size_by(f)
    bytes = Ref{Csize_t}(0)
    check(f(bytes))
    return Int(bytes[])
end

"Two sizes."
function sizes_by(f)
    first, second = Ref{Csize_t}(0), Ref{Csize_t}(0)
    check(f(first, second))
    return Int(first[]), Int(second[])
end

"The struct that a function writes."
function struct_by(f, ::Type{S}) where {S}
    out = Ref{S}()
    check(f(out))
    return out[]
end

"The text that a function writes."
function text_by(f, bytes)
    text, length = zeros(UInt8, bytes), Ref{Csize_t}(0)
    check(f(text, bytes, length))
    return String(text[1:Int(length[])])
end
