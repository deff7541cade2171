"The offset and size of a struct of the library, or of one of its members."
function layout_of(name, member = C_NULL)
    offset, bytes = Ref{Csize_t}(0), Ref{Csize_t}(0)
    status = ABI.layout(name, member, offset, bytes)
    status < 0 && error("LogConcaveCoupling: the library knows no struct $name" *
                        (member === C_NULL ? "" : " with a member $member"))
    return (Int(offset[]), Int(bytes[]))
end

"Every mirror must lie in memory as the library's struct does, member by member."
check_layout() = foreach(mirror -> check_layout(string(first(mirror)), last(mirror)), ABI.MIRRORS)

function check_layout(name::String, @nospecialize(mirror::Type))
    same = layout_of(name) == (0, sizeof(mirror))
    for k in 1:fieldcount(mirror)
        here = (Int(fieldoffset(mirror, k)), sizeof(fieldtype(mirror, k)))
        same &= layout_of(name, string(fieldname(mirror, k))) == here
    end
    same || error("LogConcaveCoupling: $name does not lie in memory as the library has it")
    return nothing
end
