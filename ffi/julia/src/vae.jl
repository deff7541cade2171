"""
    Vae

A variational auto-encoder: two networks about a few coordinates of rows. [`vae`](@ref) fits one; [`encode`](@ref),
[`decode`](@ref), `sample(v, n)` and [`bound`](@ref) use it; `write("rows.vae", v)` and `read("rows.vae", Vae)` keep it, in the
form of `lcc vae`.
"""
struct Vae{T}
    memory::Block
    shape::ABI.VaeShape{T}
end

Vae{T}(memory::Block) where {T} =
    Vae{T}(memory, GC.@preserve memory struct_by(out -> ABI.vae_shape_of(T, pointer(memory), out), ABI.VaeShape{T}))

"""
    vae(X; progress = nothing, options...) -> Vae

Fits a variational auto-encoder to rows of `X`. Options are those of the header's `lcc_vae_options`: `latent = 2`, `widths =
(32,)` (of the encoder, the decoder's backwards; `()` is probabilistic PCA), `observed = :bernoulli` for rows between 0 and
`largest`, `steps`, `batch`, `rate`, `seed`, ... .
"""
function vae(X; progress = nothing, options...)
    x = first(named_matrix(X))
    return fit_vae(check_rows(Rows(precision_of(x), x)), progress, Keywords(options))
end

function fit_vae(rows::Rows{T}, progress, keywords) where {T}
    asked = Ref(options(out -> ABI.vae_options_default(T, out), ABI.VaeOptions{T}, keywords))
    data, (n, d) = Ref(rows.data), size(rows.x)
    memory = block(size_by(bytes -> ABI.vae_size(T, asked, n, d, bytes)))
    handle = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve rows memory begin
        check(ABI.vae_init(T, memory, sizeof(memory), asked, data, handle))
        report() = progress === nothing || progress(share_of(handle[]))
        run_to_end(budget -> ABI.vae_step(T, handle[], data, budget), UInt64(64 * n), report)
    end
    return Vae{T}(memory)
end

"Calls `f(handle, data, scratch, bytes)` on rows."
function on_rows(f, v::Vae{T}, X) where {T}
    rows = check_rows(Rows(T, first(named_matrix(X))))
    scratch, memory = block(v.shape.scratch), v.memory
    return GC.@preserve rows memory f(Ptr{Cvoid}(pointer(memory)), Ref(rows.data), scratch, sizeof(scratch), size(rows.x, 1))
end

"""
    encode(v, X) -> (mean, sd)

The coordinates of each row of `X`: matrices of a row each, one column a coordinate.
"""
function encode(v::Vae{T}, X) where {T}
    return on_rows(v, X) do at, data, scratch, bytes, n
        mean, sd = zeros(T, v.shape.latent, n), zeros(T, v.shape.latent, n)
        check(ABI.vae_encode(T, at, data, mean, sd, length(mean), scratch, bytes))
        (mean = permutedims(mean), sd = permutedims(sd))
    end
end

"""
    decode(v, Z) -> Matrix

The mean of a row given its coordinates, each a row of `Z`.
"""
function decode(v::Vae{T}, Z) where {T}
    return on_rows(v, Z) do at, data, scratch, bytes, n
        out = zeros(T, v.shape.columns, n)
        check(ABI.vae_decode(T, at, data, out, length(out), scratch, bytes))
        permutedims(out)
    end
end

"""
    sample(v::Vae, n; seed = 1) -> (z, y)

`n` draws of coordinates and of rows, noise included.
"""
function sample(v::Vae{T}, n::Integer; seed::Integer = 1) where {T}
    z, y = zeros(T, v.shape.latent, n), zeros(T, v.shape.columns, n)
    scratch, memory = block(v.shape.scratch), v.memory
    GC.@preserve memory check(ABI.vae_sample(T, Ptr{Cvoid}(pointer(memory)), n, seed, z, length(z), y, length(y), scratch,
                                             sizeof(scratch)))
    return (z = permutedims(z), y = permutedims(y))
end

"""
    bound(v, X; draws = 100, seed = 1) -> (bound, error, kl)

The lower bound of ln p(row), on average over rows, its Monte Carlo error, and the divergence in it.
"""
function bound(v::Vae{T}, X; draws::Integer = 100, seed::Integer = 1) where {T}
    return on_rows(v, X) do at, data, scratch, bytes, n
        b = struct_by(out -> ABI.vae_bound_of(T, at, data, draws, seed, scratch, bytes, out), ABI.VaeBound{T})
        (bound = b.bound, error = b.error, kl = b.kl)
    end
end

function Base.write(io::IO, v::Vae)
    memory = v.memory
    GC.@preserve memory begin
        at = Ptr{Cvoid}(pointer(memory))
        sealed = zeros(UInt8, size_by(bytes -> ABI.checkpoint_size(at, bytes)))
        check(ABI.checkpoint(at, sealed, length(sealed)))
    end
    return write(io, sealed)
end

function Base.read(io::IO, ::Type{Vae})
    sealed = read(io)
    memory = block(length(sealed))
    GC.@preserve memory begin
        at = Ptr{Cvoid}(pointer(memory))
        check(ABI.restore(at, sizeof(memory), sealed, length(sealed)))
        type = unsafe_string(ABI.read_type(at))
        type in ("lcc_vae_f64", "lcc_vae_f32") || throw(ArgumentError("this is no auto-encoder but an $type"))
        return type == "lcc_vae_f64" ? Vae{Float64}(memory) : Vae{Float32}(memory)
    end
end

Base.show(io::IO, v::Vae{T}) where {T} = print(io, "Vae{", T, "}(", v.shape.columns, " columns, ", v.shape.latent,
                                               " coordinates)")
