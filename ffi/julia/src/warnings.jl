# What a person should know of a fit that went well.

"R-hat above which the chains of a few long ones sit in different modes."
const MIXED = 1.05
const MOST_REMARKS = 16
"Rows, by their weights, that can tell little."
const FEW = 10

"Whether the target is a real number of one density, without a hurdle."
is_real(asked) = true
is_exposed(asked) = false
is_exposed(asked::ABI.BnnOptions) = asked.exposure == 1
is_real(asked::ABI.BnnOptions) =
    name_of(:output, asked.output) in (:student_t, :gaussian, :mean_variance, :mixture, :log_normal, :gamma)

"Sentences about rows that a network would take at their word, as `lcc fit` says them."
function remarks(rows::Rows{T}, real, exposed) where {T}
    n, d = size(rows.x)
    scratch, found = Vector{T}(undef, 2n), Vector{ABI.Remark{T}}(undef, MOST_REMARKS)
    count = GC.@preserve rows size_by() do out
        ABI.data_remarks(T, Ref(rows.data), UInt32(exposed ? 2 : real), scratch, length(scratch), found, length(found), out)
    end
    return map(found[1:min(count, end)]) do own
        said, value = unsafe_string(ABI.remark_message(own.remark)), @sprintf("%g", own.value)
        kind, column = name_of(:remark, own.remark), own.column < d ? "column $(own.column + 1) of X" : "y"
        kind === :wide ? "there are $said ($d, $n)" :
        kind === :few ? "there are $said ($n)" :
        kind === :copies ? "$(own.rows) of $n rows $said" :
        kind === :totals ? "row $(Int(own.value) + 1) $said" :
        kind === :same ? "$column $said ($(own.rows) of $n)" :
        kind === :repeated ? "$column $said ($value in $(own.rows) of $n)" :
        kind === :far ? "$column $said ($(own.rows) of $n rows, $value the farthest)" :
        kind === :constant && own.value > 1 ? "$column $said, and $(Int(own.value) - 1) more such columns" :
        "$column $said"
    end
end

"Adds that chains sit in different modes, where they do."
function mixed!(found, rhat)
    rhat > MIXED || return
    push!(found, @sprintf("the chains sit in different modes: R-hat %.3f, above %g; ", rhat, MIXED) *
                 "the model averages over them: more chains cover more modes, estimator = :bnn many")
end
