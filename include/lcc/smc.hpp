/* Sequential Monte Carlo: particles from the prior to the posterior, and the evidence. Part of <lcc.hpp>. */
#ifndef LCC_SMC_HPP
#define LCC_SMC_HPP

#include <lcc/sampler.hpp>

namespace lcc {

namespace detail {

template <class T> struct smc_api;

#define LCC_SMC_API(T, S)                                                                                    \
    template <> struct smc_api<T> {                                                                          \
        using handle = lcc_smc_##S;                                                                          \
        using options = lcc_smc_options_##S;                                                                 \
        using problem = lcc_problem_##S;                                                                     \
        using data = lcc_data_##S;                                                                           \
        using average = lcc_average_##S;                                                                     \
        using evidence = lcc_evidence_##S;                                                                   \
        using predicted = lcc_predicted_##S;                                                                   \
        using stage = lcc_stage_##S;                                                                         \
        using ladder = span<const T>;                                                                        \
        static constexpr auto defaults = &lcc_smc_options_default_##S;                                       \
        static std::int32_t size(const options *o, const problem *p, const data *d, std::size_t *out)        \
        {                                                                                                    \
            return lcc_smc_size_##S(o, p, d, out);                                                           \
        }                                                                                                    \
        static std::int32_t size(const options *o, const problem *p, const data *d, const ladder *,          \
                                 std::size_t *out)                                                           \
        {                                                                                                    \
            return lcc_smc_size_##S(o, p, d, out);                                                           \
        }                                                                                                    \
        static std::int32_t init(std::uint8_t *memory, std::size_t bytes, const options *o, const problem *p,\
                                 const data *d, handle **out)                                                \
        {                                                                                                    \
            return lcc_smc_init_##S(memory, bytes, o, p, d, out);                                            \
        }                                                                                                    \
        static std::int32_t init(std::uint8_t *memory, std::size_t bytes, const options *o, const problem *p,\
                                 const data *d, const ladder *l, handle **out)                               \
        {                                                                                                    \
            return lcc_smc_init_given_##S(memory, bytes, o, l->data(), l->size(), p, d, out);                \
        }                                                                                                    \
        static constexpr auto step = &lcc_smc_step_##S;                                                      \
        static constexpr auto progress = &lcc_smc_climb_##S;                                                 \
        static constexpr auto read_evidence = &lcc_smc_evidence_##S;                                         \
        static constexpr auto read_predicted = &lcc_smc_predicted_##S;                                         \
        static constexpr auto read_stage = &lcc_smc_stage_##S;                                               \
        static constexpr auto draws = &lcc_read_draws_##S;                                                   \
        static constexpr auto trace = &lcc_read_trace_##S;                                                   \
        static constexpr auto output = &lcc_read_output_##S;                                                 \
        static constexpr auto read_average = &lcc_smc_average_##S;                                           \
        static constexpr auto origins = &lcc_smc_origins_##S;                                                \
        static constexpr const char *type = "lcc_smc_" #S;                                                   \
    };
LCC_SMC_API(float, f32)
LCC_SMC_API(double, f64)
#undef LCC_SMC_API

} // namespace detail

/** A mean over draws, with its error. */
template <class T> using average = typename detail::smc_api<T>::average;
/** The log evidence, with its error. */
template <class T> using evidence = typename detail::smc_api<T>::evidence;
/** One of the temperatures. */
template <class T> using stage = typename detail::smc_api<T>::stage;
/** What a row was predicted to be, of LCC_LADDER_ROWS. */
template <class T> using predicted = typename detail::smc_api<T>::predicted;

namespace detail {

/** Whose draws are not chains of their own: means come with errors that know how the draws depend. */
template <class Self, class Api, class T, class Storage>
class averaging : public sampling<Self, Api, T, Storage> {
    using base = sampling<Self, Api, T, Storage>;

public:
    /** The mean of a quantity over the draws, in scratch of two values a draw. */
    [[nodiscard]] status try_average(const lcc::draws<T> &values, span<T> scratch,
                                     lcc::average<T> &out) const noexcept
    {
        return Api::read_average(this->get(), &values, scratch.data(), scratch.size(), &out);
    }
    result<lcc::average<T>> try_average(const lcc::draws<T> &values) const noexcept
    {
        lcc::average<T> out;
        auto scratch = vector_of<T>(2 * values.chains * values.draws);
        const status s = scratch ? try_average(values, *scratch, out) : scratch.status();
        return s.ok() ? result<lcc::average<T>>(out) : s;
    }
    lcc::average<T> average(const lcc::draws<T> &values) const { return try_average(values).value(); }
    lcc::average<T> average(std::size_t coordinate) const { return average(this->draws(coordinate)); }
    lcc::average<T> output(const problem<T> &p, const data<T> &queries, std::size_t row) const
    {
        return base::output_by([&](const lcc::draws<T> &d) { return average(d); }, p, queries, row);
    }

protected:
    using base::base;
};

} // namespace detail

/** Particles that climb from the prior to the posterior. Each is a chain of one draw. */
template <class T, class Storage = owned>
class smc : public detail::averaging<smc<T, Storage>, detail::smc_api<T>, T, Storage> {
    using api = detail::smc_api<T>;
    using base = detail::averaging<smc, api, T, Storage>;
    using block = detail::object<api, Storage>;
    friend block;

public:
    using typename base::options;
    using base::try_make;
    using base::try_restore;

    /** @throws error, or what the density throws */
    smc(const options &o, const problem<T> &p) : smc(base::kept(try_make(o, p), p)) {}
    smc(bytes memory, const options &o, const problem<T> &p) : smc(base::kept(try_make(memory, o, p), p)) {}
    /** On temperatures of one's own: LCC_LADDER_GIVEN, and as many as `stages`. */
    smc(const options &o, const problem<T> &p, span<const T> temperatures)
        : smc(base::kept(try_make(o, p, temperatures), p))
    {
    }
    smc(bytes memory, const options &o, const problem<T> &p, span<const T> temperatures)
        : smc(base::kept(try_make(memory, o, p, temperatures), p))
    {
    }

    static result<smc> try_make(const options &o, const problem<T> &p, span<const T> temperatures) noexcept
    {
        return base::built(o, p, &temperatures);
    }
    static result<smc> try_make(bytes memory, const options &o, const problem<T> &p,
                                span<const T> temperatures) noexcept
    {
        return base::built_in(memory, o, p, &temperatures);
    }

    /** The temperatures are those of the checkpoint. */
    static result<smc> try_restore(const_bytes sealed, const options &o, const problem<T> &p) noexcept
    {
        if (o.ladder != LCC_LADDER_GIVEN) {
            return base::template try_restore<>(sealed, o, p);
        }
        auto ladder = detail::some_ladder<T>(o.stages);
        return ladder ? base::try_restore(sealed, o, p, span<const T>(*ladder)) : result<smc>(ladder.status());
    }

    /** The evidence, once the run is done. */
    [[nodiscard]] status try_evidence(lcc::evidence<T> &out) const noexcept
    {
        return api::read_evidence(this->get(), &out);
    }
    lcc::evidence<T> evidence() const { return detail::read(api::read_evidence, this->get()); }

    /** One of the temperatures done with: how many, progress().stages says. */
    [[nodiscard]] status try_stage(std::size_t index, lcc::stage<T> &out) const noexcept
    {
        return api::read_stage(this->get(), index, &out);
    }
    lcc::stage<T> stage(std::size_t index) const { return detail::read(api::read_stage, this->get(), index); }

    /** A row of LCC_LADDER_ROWS, once it has been let in. */
    [[nodiscard]] status try_predicted(std::size_t row, lcc::predicted<T> &out) const noexcept
    {
        return api::read_predicted(this->get(), row, &out);
    }
    lcc::predicted<T> predicted(std::size_t row) const { return detail::read(api::read_predicted, this->get(), row); }

    /** For each particle, the draw from the prior that it descends from. */
    [[nodiscard]] status try_origins(span<std::uint32_t> out) const noexcept
    {
        return api::origins(this->get(), out.data(), out.size());
    }
    std::vector<std::uint32_t> origins() const
    {
        std::vector<std::uint32_t> out(this->draws(0).chains);
        check(try_origins(out));
        return out;
    }

private:
    explicit smc(typename api::handle *h) noexcept : base(h) {}
};

} // namespace lcc

#endif
