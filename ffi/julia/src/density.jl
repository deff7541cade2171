"""
A log density in Julia as the library calls it. It holds what the callback needs and catches what it throws: an
exception may not pass through the library's frames.
"""
mutable struct Callback{F,T}
    f::F
    writes_gradient::Bool
    vectorized::Bool
    x::Vector{T}
    gradient::Vector{T}
    start::Matrix{T}
    thrown::Any
    lost::Vector{T}    # the first point where it is not finite
end

Callback{T}(f::F, dim, writes_gradient, vectorized, start) where {F,T} =
    Callback{F,T}(f, writes_gradient, vectorized, zeros(T, dim), zeros(T, dim), start, nothing, T[])

note_lost(callback, x, value, gradient) =
    isempty(callback.lost) && !(isfinite(value) && all(isfinite, gradient)) && append!(callback.lost, x)

"The error of a status, with the point where the density was not finite if that is why a run cannot start."
function failure(callback::Callback, status)
    known = ABI.STATUSES[status] === :LCC_ERROR_START && !isempty(callback.lost)
    return LCCError(status, known ? " First at $(callback.lost)." : "")
end
failure(::Any, status) = LCCError(status)

"The function that C calls. `x` and the gradient are copied, so that the user's arrays are Julia's own."
function call_density(n::Csize_t, x::Ptr{T}, gradient::Ptr{T}, logp::Ptr{T}, callback::Callback{F,T})::Cint where {F,T}
    callback.thrown === nothing || return Cint(1)
    try
        GC.@preserve callback unsafe_copyto!(pointer(callback.x), x, n)
        value = if callback.writes_gradient
            T(callback.f(callback.x, callback.gradient))
        else
            T(callback.f(callback.x))
        end
        if gradient != C_NULL
            length(callback.gradient) == n || throw(DimensionMismatch("the gradient was resized"))
            GC.@preserve callback unsafe_copyto!(gradient, pointer(callback.gradient), n)
        end
        unsafe_store!(logp, value)
        note_lost(callback, callback.x, value, gradient == C_NULL ? () : callback.gradient)
        return value == -Inf ? Cint(1) : Cint(0)
    catch e
        callback.thrown = (e, catch_backtrace())
        return Cint(1)
    end
end

"The same of several points, which are the rows of matrices: they are copied likewise."
function call_densities(n::Csize_t, lanes::Csize_t, x::Ptr{T}, gradient::Ptr{T}, logp::Ptr{T},
                        callback::Callback{F,T})::Cint where {F,T}
    callback.thrown === nothing || return Cint(1)
    try
        points = copy(unsafe_wrap(Array, x, (lanes, n)))
        slopes = zeros(T, lanes, n)
        values = callback.writes_gradient ? callback.f(points, slopes) : callback.f(points)
        length(values) == lanes || throw(DimensionMismatch("as many values as points, $lanes, not $(length(values))"))
        copyto!(unsafe_wrap(Array, logp, lanes), values)
        gradient == C_NULL || copyto!(unsafe_wrap(Array, gradient, (lanes, n)), slopes)
        foreach(k -> note_lost(callback, view(points, k, :), values[k], view(slopes, k, :)), 1:lanes)
        return Cint(0)
    catch e
        callback.thrown = (e, catch_backtrace())
        return Cint(1)
    end
end

c_functions(::Callback{F,T}) where {F,T} =
    @cfunction(call_densities, Cint, (Csize_t, Csize_t, Ptr{T}, Ptr{T}, Ptr{T}, Ref{Callback{F,T}}))

"The address of `call_density` for one function: the callback itself travels as the context."
c_function(::Callback{F,T}) where {F,T} =
    @cfunction(call_density, Cint, (Csize_t, Ptr{T}, Ptr{T}, Ptr{T}, Ref{Callback{F,T}}))

"Throws what the density threw, caused by the same with the backtrace of its own."
function rethrow_from(callback::Callback)
    callback.thrown === nothing && return nothing
    e, backtrace = callback.thrown
    callback.thrown = nothing
    try
        throw(CapturedException(e, backtrace))
    catch
        throw(e)
    end
end

rethrow_from(::Any) = nothing
