"""
    LCCError

What the library refused: `status` (negative), `name` (e.g. `:LCC_ERROR_NOT_FINITE_X`) and its `message`.
"""
struct LCCError <: Exception
    status::Int32
    name::Symbol
    message::String
end

function LCCError(status::Integer, place = "")
    message = unsafe_string(ABI.status_message(status)) * place
    return LCCError(status, get(ABI.STATUSES, Int32(status), :unknown), message)
end

Base.showerror(io::IO, e::LCCError) = print(io, "LCCError: ", e.message, " (", e.name, ")")

"A status that is no error; an error is thrown."
check(status::Int32) = status < 0 ? throw(LCCError(status)) : status

"The library must speak the ABI that src/abi was made from."
function check_abi(theirs = ABI.abi_version())
    ours = ABI.HEADER_ABI
    ours == theirs || error("LogConcaveCoupling: $(Library.PATH[]) has ABI number $theirs, and this package is " *
                            "written for $ours: install the package that comes with that library")
    return nothing
end
