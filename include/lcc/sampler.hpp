/* The chains that sample a problem. Part of <lcc.hpp>. */
#ifndef LCC_SAMPLER_HPP
#define LCC_SAMPLER_HPP

#include <lcc/problem.hpp>

namespace lcc {

namespace detail {

template <class T> struct sampler_api;

#define LCC_SAMPLER_API(T, S)                                                                                \
    template <> struct sampler_api<T> {                                                                      \
        using handle = lcc_sampler_##S;                                                                      \
        using options = lcc_sampler_options_##S;                                                             \
        using problem = lcc_problem_##S;                                                                     \
        using data = lcc_data_##S;                                                                           \
        using smc = lcc_smc_##S;                                                                             \
        static constexpr auto defaults = &lcc_sampler_options_default_##S;                                   \
        static std::int32_t size(const options *o, const problem *p, const data *d, std::size_t *out)        \
        {                                                                                                    \
            return lcc_sampler_size_##S(o, p, d, out);                                                       \
        }                                                                                                    \
        static std::int32_t size(const options *o, const problem *p, const data *d, const smc *, std::size_t *out)\
        {                                                                                                    \
            return lcc_sampler_size_##S(o, p, d, out);                                                       \
        }                                                                                                    \
        static std::int32_t init(std::uint8_t *memory, std::size_t bytes, const options *o, const problem *p,\
                                 const data *d, handle **out)                                                \
        {                                                                                                    \
            return lcc_sampler_init_##S(memory, bytes, o, p, d, out);                                        \
        }                                                                                                    \
        static std::int32_t init(std::uint8_t *memory, std::size_t bytes, const options *o, const problem *p,\
                                 const data *d, const smc *from, handle **out)                               \
        {                                                                                                    \
            return lcc_sampler_init_from_smc_##S(memory, bytes, o, p, d, from, out);                         \
        }                                                                                                    \
        static constexpr auto step = &lcc_sampler_step_##S;                                                  \
        static constexpr auto progress = &lcc_read_progress;                                                 \
        static constexpr auto draws = &lcc_read_draws_##S;                                                   \
        static constexpr auto trace = &lcc_read_trace_##S;                                                   \
        static constexpr auto moments = &lcc_sampler_moments_##S;                                            \
        static constexpr auto output = &lcc_read_output_##S;                                                 \
        static constexpr auto step_size = &lcc_sampler_step_size_##S;                                        \
        static constexpr auto join = &lcc_sampler_join_##S;                                                  \
        static constexpr const char *type = "lcc_sampler_" #S;                                               \
    };
LCC_SAMPLER_API(float, f32)
LCC_SAMPLER_API(double, f64)
#undef LCC_SAMPLER_API

} // namespace detail

template <class T, class Storage> class smc;

/** Chains that sample a problem. */
template <class T, class Storage = owned>
class sampler : public detail::chains<sampler<T, Storage>, detail::sampler_api<T>, T, Storage> {
    using api = detail::sampler_api<T>;
    using base = detail::chains<sampler, api, T, Storage>;
    using block = detail::object<api, Storage>;
    friend block;

public:
    using typename base::options;
    using base::join;
    using base::try_join;
    using base::try_make;

    /** @throws error, or what the density throws */
    sampler(const options &o, const problem<T> &p) : sampler(base::kept(try_make(o, p), p)) {}
    sampler(bytes memory, const options &o, const problem<T> &p)
        : sampler(base::kept(try_make(memory, o, p), p))
    {
    }
    /** Starts at particles of a run that is done, which may go afterwards. */
    template <class Other>
    sampler(const options &o, const problem<T> &p, const smc<T, Other> &from)
        : sampler(base::kept(try_make(o, p, from), p))
    {
    }

    /** Starts at particles of a run that is done, which may go afterwards. */
    template <class Other>
    static result<sampler> try_make(const options &o, const problem<T> &p, const smc<T, Other> &from) noexcept
    {
        return base::built(o, p, static_cast<const typename api::smc *>(from.get()));
    }
    template <class Other>
    static result<sampler> try_make(bytes memory, const options &o, const problem<T> &p,
                                    const smc<T, Other> &from) noexcept
    {
        return base::built_in(memory, o, p, static_cast<const typename api::smc *>(from.get()));
    }

    /** Mean and variance of every coordinate over all draws of a chain, stored or not. */
    [[nodiscard]] status try_moments(std::size_t chain, span<T> mean, span<T> variance) const noexcept
    {
        if (mean.size() != variance.size()) {
            return status::length_mismatch;
        }
        return api::moments(this->get(), chain, mean.data(), variance.data(), mean.size());
    }
    /** The step size that a chain has adapted. */
    [[nodiscard]] status try_step_size(std::size_t chain, T &out) const noexcept
    {
        return api::step_size(this->get(), chain, &out);
    }
    T step_size(std::size_t chain) const { return detail::read(api::step_size, this->get(), chain); }

private:
    explicit sampler(typename api::handle *h) noexcept : base(h) {}
};

} // namespace lcc

#endif
