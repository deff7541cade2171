/* Bayesian networks of any depth and output. Part of <lcc.hpp>. */
#ifndef LCC_BNN_HPP
#define LCC_BNN_HPP

#include <lcc/network.hpp>

namespace lcc {

namespace detail {

template <class T> struct bnn_api;

#define LCC_BNN_API(T, S)                                                                                    \
    template <> struct bnn_api<T> {                                                                          \
        using handle = lcc_bnn_##S;                                                                          \
        using options = lcc_bnn_options_##S;                                                                 \
        using diagnosis = lcc_bnn_diagnosis_##S;                                                             \
        using mode = lcc_bnn_mode_##S;                                                                       \
        using changes = lcc_bnn_changes_##S;                                                                 \
        using choice = lcc_bnn_choice_##S;                                                                   \
        static std::int32_t size(const options *o, const lcc_data_##S *d, const T *, std::size_t *out)       \
        {                                                                                                    \
            return lcc_bnn_size_##S(o, d->n, d->d, out);                                                     \
        }                                                                                                    \
        static constexpr auto defaults = &lcc_bnn_options_default_##S;                                       \
        static constexpr auto options_for = &lcc_bnn_options_for_##S;                                        \
        static constexpr auto chains = &lcc_bnn_chains_##S;                                                  \
        static constexpr auto folds = &lcc_bnn_folds_weighted_##S;                                           \
        static constexpr auto pilot = &lcc_bnn_pilot_##S;                                                    \
        static constexpr auto choose = &lcc_bnn_choose_##S;                                                  \
        static constexpr auto temperature = &lcc_bnn_temperature_##S;                                        \
        static constexpr auto init = &lcc_bnn_init_weighted_##S;                                             \
        static constexpr auto step = &lcc_bnn_step_weighted_##S;                                             \
        static constexpr auto progress = &lcc_read_progress;                                                 \
        static constexpr auto model_size = &lcc_bnn_model_size_##S;                                          \
        static constexpr auto write_model = &lcc_bnn_write_model_##S;                                        \
        static constexpr auto write_point = &lcc_bnn_write_point_##S;                                        \
        static constexpr auto write_linearised = &lcc_bnn_write_linearised_##S;                              \
        static constexpr auto join = &lcc_bnn_join_##S;                                                      \
        static constexpr const char *type = "lcc_bnn_" #S;                                                   \
        static constexpr auto diagnose_scratch = &lcc_bnn_diagnose_scratch_##S;                              \
        static constexpr auto diagnose = &lcc_bnn_diagnose_##S;                                              \
        static constexpr auto trace = &lcc_bnn_trace_##S;                                                    \
        static constexpr auto report = &lcc_bnn_report_##S;                                                  \
        static constexpr auto law = &lcc_bnn_law_##S;                                                        \
        static constexpr auto noise = &lcc_bnn_noise_##S;                                                    \
    };
LCC_BNN_API(float, f32)
LCC_BNN_API(double, f64)
#undef LCC_BNN_API

} // namespace detail

/** What an ascent to a mode came to. */
template <class T> using bnn_mode = typename detail::bnn_api<T>::mode;
/** What a chain of part of the rows aimed at. */
template <class T> using bnn_changes = typename detail::bnn_api<T>::changes;
/** Which candidate held-out rows speak for. */
template <class T> using bnn_choice = typename detail::bnn_api<T>::choice;

/** A Bayesian network: up to four hidden layers, y a real number, a class or a count; many short chains. */
template <class T, class Storage = owned>
class bnn : public detail::sampled<bnn<T, Storage>, detail::bnn_api<T>, T, Storage, weighted<T>> {
    using api = detail::bnn_api<T>;
    using base = detail::sampled<bnn, api, T, Storage, weighted<T>>;
    using block = detail::object<api, Storage>;
    friend block;

public:
    using typename base::options;

    /** @throws error */
    bnn(const options &o, const weighted<T> &d) : bnn(base::kept(base::try_make(o, d), d)) {}
    bnn(bytes memory, const options &o, const weighted<T> &d) : bnn(base::kept(base::try_make(memory, o, d), d)) {}

    /** The chains that a network has on such data: what 0 means. */
    [[nodiscard]] static status try_chains(const options &o, const data<T> &d, std::uint32_t &out) noexcept
    {
        return api::chains(&o, d.get()->n, d.get()->d, &out);
    }
    static std::uint32_t chains(const options &o, const data<T> &d)
    {
        std::uint32_t out = 0;
        check(try_chains(o, d, out));
        return out;
    }

    /** The defaults that suit an LCC_INFERENCE_ method and an LCC_OUTPUT_, with hidden layers or without. */
    [[nodiscard]] static status try_options_for(std::int32_t method, std::int32_t output, bool hidden, options &out) noexcept
    {
        return api::options_for(method, output, hidden ? 1 : 0, &out);
    }
    /** Deals the rows into folds for short fits before the fit: `dealt` has a number for each. */
    [[nodiscard]] static status try_folds(const options &o, const data<T> &d, span<std::uint32_t> dealt,
                                          std::uint32_t &out) noexcept
    {
        return api::folds(&o, d.get(), nullptr, nullptr, dealt.data(), dealt.size(), &out);
    }
    /** The same of rows in groups, as many as rows, numbered from 0 in the order of their first rows. */
    [[nodiscard]] static status try_folds(const options &o, const data<T> &d, span<const std::uint32_t> groups,
                                          span<std::uint32_t> dealt, std::uint32_t &out) noexcept
    {
        return groups.size() < d.get()->n ? LCC_ERROR_CAPACITY
                                          : api::folds(&o, d.get(), nullptr, groups.data(), dealt.data(), dealt.size(), &out);
    }
    /** The same of rows with weights, and in groups, or with no groups. */
    [[nodiscard]] static status try_folds(const options &o, const data<T> &d, span<const T> weights,
                                          span<const std::uint32_t> groups, span<std::uint32_t> dealt,
                                          std::uint32_t &out) noexcept
    {
        const bool some = groups.size() > 0;
        if (weights.size() < d.get()->n || (some && groups.size() < d.get()->n))
            return LCC_ERROR_CAPACITY;
        return api::folds(&o, d.get(), weights.data(), some ? groups.data() : nullptr, dealt.data(), dealt.size(), &out);
    }
    /** The options of the short fits of candidate k to these targets; LCC_ERROR_INDEX past the last. */
    [[nodiscard]] static status try_pilot(const options &o, const data<T> &d, std::size_t k, options &out) noexcept
    {
        return api::pilot(&o, d.get(), k, &out);
    }
    /** What their log scores of held-out rows of these targets come to, candidate after candidate. */
    [[nodiscard]] static status try_choose(span<const T> y, span<const T> scores, bnn_choice<T> &out) noexcept
    {
        return api::choose(y.data(), y.size(), scores.data(), y.size() == 0 ? 0 : scores.size() / y.size(), &out);
    }
    /** Of classes, for lcc::temper: by their probabilities of held-out rows of these targets, row after row. */
    [[nodiscard]] static status try_temperature(span<const T> probabilities, span<const T> y, T &out) noexcept
    {
        return api::temperature(probabilities.data(), y.size(), y.size() == 0 ? 0 : probabilities.size() / y.size(),
                                y.data(), &out);
    }

    /** The best end of a start as a model of one draw: the point fit. */
    result<lcc::image> try_point() const noexcept { return base::imaged(api::write_point); }
    lcc::image point() const { return try_point().value(); }

    /** The model of the draws made so far: of laplace and laplace-diagonal with hidden layers that of the network linearised at the
        mode, else that of the draws' own networks. */
    result<lcc::image> try_model() const noexcept
    {
        auto own = try_linearised();
        return own.status() == LCC_ERROR_METHOD ? try_networks() : std::move(own);
    }
    /** Of a Gaussian about a mode the model of the network linearised there. */
    result<lcc::image> try_linearised() const noexcept { return base::imaged(api::write_linearised); }
    lcc::image linearised() const { return try_linearised().value(); }
    /** The model of the draws' own networks, of laplace too. */
    result<lcc::image> try_networks() const noexcept { return base::imaged(api::write_model); }
    lcc::image networks() const { return try_networks().value(); }

    /** What the ascent of a chain came to: of the methods that climb to a mode. */
    [[nodiscard]] status try_mode(std::size_t chain, bnn_mode<T> &out) const noexcept
    {
        return api::report(this->get(), chain, &out);
    }
    bnn_mode<T> mode(std::size_t chain = 0) const
    {
        bnn_mode<T> out{};
        check(try_mode(chain, out));
        return out;
    }

    /** Means and sds of the coordinates under the Gaussian that a chain fitted by the evidence lower bound. */
    [[nodiscard]] status try_gaussian(std::size_t chain, span<T> mean, span<T> sd) const noexcept
    {
        const std::size_t room = mean.size() < sd.size() ? mean.size() : sd.size();
        return api::law(this->get(), chain, mean.data(), sd.data(), room);
    }
    void gaussian(std::size_t chain, span<T> mean, span<T> sd) const { check(try_gaussian(chain, mean, sd)); }

    /** What a chain of part of the rows aimed at, and how noisy its changes of the loss were. */
    [[nodiscard]] status try_noise(std::size_t chain, bnn_changes<T> &out) const noexcept
    {
        return api::noise(this->get(), chain, &out);
    }
    bnn_changes<T> noise(std::size_t chain = 0) const
    {
        bnn_changes<T> out{};
        check(try_noise(chain, out));
        return out;
    }

    /** What law the draws aim at, in a line. */
    static const char *law(const options &o) noexcept { return lcc_inference_law(o.method); }

private:
    explicit bnn(typename api::handle *h) noexcept : base(h) {}
};

} // namespace lcc

#endif
