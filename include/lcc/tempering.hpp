/* Parallel tempering: chains of replicas between the prior and the posterior. Part of <lcc.hpp>. */
#ifndef LCC_TEMPERING_HPP
#define LCC_TEMPERING_HPP

#include <lcc/problem.hpp>

namespace lcc {

namespace detail {

template <class T> struct tempering_api;

#define LCC_TEMPERING_API(T, S)                                                                              \
    template <> struct tempering_api<T> {                                                                    \
        using handle = lcc_tempering_##S;                                                                    \
        using options = lcc_tempering_options_##S;                                                           \
        using problem = lcc_problem_##S;                                                                     \
        using data = lcc_data_##S;                                                                           \
        using rung = lcc_rung_##S;                                                                           \
        using ladder = span<const T>;                                                                        \
        static constexpr auto defaults = &lcc_tempering_options_default_##S;                                 \
        static std::int32_t size(const options *o, const problem *p, const data *d, std::size_t *out)        \
        {                                                                                                    \
            return lcc_tempering_size_##S(o, p, d, out);                                                     \
        }                                                                                                    \
        static std::int32_t size(const options *o, const problem *p, const data *d, const ladder *,          \
                                 std::size_t *out)                                                           \
        {                                                                                                    \
            return lcc_tempering_size_##S(o, p, d, out);                                                     \
        }                                                                                                    \
        static std::int32_t init(std::uint8_t *memory, std::size_t bytes, const options *o, const problem *p,\
                                 const data *d, const ladder *l, handle **out)                               \
        {                                                                                                    \
            return lcc_tempering_init_##S(memory, bytes, o, l->data(), l->size(), p, d, out);                \
        }                                                                                                    \
        static constexpr auto step = &lcc_tempering_step_##S;                                                \
        static constexpr auto progress = &lcc_read_progress;                                                 \
        static constexpr auto draws = &lcc_read_draws_##S;                                                   \
        static constexpr auto trace = &lcc_read_trace_##S;                                                   \
        static constexpr auto output = &lcc_read_output_##S;                                                 \
        static constexpr auto read_rung = &lcc_tempering_rung_##S;                                           \
        static constexpr auto log_evidence = &lcc_tempering_log_evidence_##S;                                \
        static constexpr auto restarts = &lcc_tempering_restarts_##S;                                        \
        static constexpr const char *type = "lcc_tempering_" #S;                                             \
    };
LCC_TEMPERING_API(float, f32)
LCC_TEMPERING_API(double, f64)
#undef LCC_TEMPERING_API

} // namespace detail

/** One temperature of one chain. */
template <class T> using rung = typename detail::tempering_api<T>::rung;

/** Ladders of replicas that swap; its draws are those at temperature 1. */
template <class T, class Storage = owned>
class tempering : public detail::chains<tempering<T, Storage>, detail::tempering_api<T>, T, Storage> {
    using api = detail::tempering_api<T>;
    using base = detail::chains<tempering, api, T, Storage>;
    using block = detail::object<api, Storage>;
    friend block;

public:
    using typename base::options;
    using base::try_restore;

    /** As many temperatures as the options say. @throws error, or what the density throws */
    tempering(const options &o, const problem<T> &p, span<const T> temperatures)
        : tempering(base::kept(try_make(o, p, temperatures), p))
    {
    }
    tempering(bytes memory, const options &o, const problem<T> &p, span<const T> temperatures)
        : tempering(base::kept(try_make(memory, o, p, temperatures), p))
    {
    }

    static result<tempering> try_make(const options &o, const problem<T> &p, span<const T> temperatures) noexcept
    {
        return base::built(o, p, &temperatures);
    }
    /** In memory of the caller's, aligned to 16 and of try_size bytes. */
    static result<tempering> try_make(bytes memory, const options &o, const problem<T> &p,
                                      span<const T> temperatures) noexcept
    {
        return base::built_in(memory, o, p, &temperatures);
    }

    /** The temperatures are those of the checkpoint. */
    static result<tempering> try_restore(const_bytes sealed, const options &o, const problem<T> &p) noexcept
    {
        auto ladder = detail::some_ladder<T>(o.temperatures);
        return ladder ? base::try_restore(sealed, o, p, span<const T>(*ladder)) : result<tempering>(ladder.status());
    }

    /** A temperature of a chain, from 0, the lowest above the prior. */
    [[nodiscard]] status try_rung(std::size_t chain, std::size_t index, lcc::rung<T> &out) const noexcept
    {
        return api::read_rung(this->get(), chain, index, &out);
    }
    lcc::rung<T> rung(std::size_t chain, std::size_t index) const
    {
        lcc::rung<T> out;
        check(try_rung(chain, index, out));
        return out;
    }

    /** The log evidence by the draws of one chain: the chains' scatter is its error. */
    [[nodiscard]] status try_log_evidence(std::size_t chain, T &out) const noexcept
    {
        return api::log_evidence(this->get(), chain, &out);
    }
    T log_evidence(std::size_t chain) const { return detail::read(api::log_evidence, this->get(), chain); }

    /** How often a chain has received a replica fresh from the prior. */
    [[nodiscard]] status try_restarts(std::size_t chain, std::uint32_t &out) const noexcept
    {
        return api::restarts(this->get(), chain, &out);
    }
    std::uint32_t restarts(std::size_t chain) const { return detail::read(api::restarts, this->get(), chain); }

private:
    explicit tempering(typename api::handle *h) noexcept : base(h) {}
};

} // namespace lcc

#endif
