/* The bounds of the theory, as numbers. Part of <lcc.hpp>. */
#ifndef LCC_THEORY_HPP
#define LCC_THEORY_HPP

#include <lcc/memory.hpp>

namespace lcc {

namespace detail {

template <class T> struct theory_api;

#define LCC_THEORY_API(T, S)                                                                                 \
    template <> struct theory_api<T> {                                                                       \
        static constexpr auto approximation = &lcc_theory_approximation_##S;                                 \
        static constexpr auto risk = &lcc_theory_risk_##S;                                                   \
        static constexpr auto gaussian_complexity = &lcc_theory_gaussian_complexity_##S;                     \
        static constexpr auto risk_of_neurons = &lcc_theory_risk_of_neurons_##S;                             \
        static constexpr auto covering = &lcc_theory_covering_##S;                                           \
        static constexpr auto covering_published = &lcc_theory_covering_published_##S;                       \
        static constexpr auto least_by_cover = &lcc_theory_least_by_cover_##S;                               \
        static constexpr auto least_by_cover_published = &lcc_theory_least_by_cover_published_##S;           \
        static constexpr auto yang_barron = &lcc_theory_yang_barron_##S;                                     \
        static constexpr auto renyi = &lcc_theory_renyi_##S;                                                 \
        static constexpr auto regret = &lcc_theory_regret_##S;                                               \
        static constexpr auto covering_hull = &lcc_theory_covering_hull_##S;                                 \
        static constexpr auto covering_network = &lcc_theory_covering_network_##S;                           \
        static constexpr auto relative_entropy = &lcc_theory_relative_entropy_##S;                           \
        static constexpr auto time_scale = &lcc_theory_time_scale_##S;                                       \
        static constexpr auto unit_time = &lcc_theory_unit_time_##S;                                         \
        static constexpr auto time_for = &lcc_theory_time_for_##S;                                           \
        static constexpr auto gaussian_log_loss = &lcc_theory_gaussian_log_loss_##S;                         \
        static constexpr auto bayes_regret = &lcc_theory_bayes_regret_##S;                                   \
        static constexpr auto mean_squared_regret = &lcc_theory_mean_squared_regret_##S;                     \
        static constexpr auto model_probabilities = &lcc_theory_model_probabilities_##S;                     \
        static constexpr auto resolvability = &lcc_theory_resolvability_##S;                                 \
        static constexpr auto spectral_norm = &lcc_theory_spectral_norm_##S;                                 \
        static constexpr auto variation = &lcc_theory_variation_##S;                                         \
        static constexpr auto paths = &lcc_theory_paths_##S;                                                 \
    };
LCC_THEORY_API(float, f32)
LCC_THEORY_API(double, f64)
#undef LCC_THEORY_API

} // namespace detail

/**
 * What the papers bound, for V, M, N, ... of one's own; each function is one of the C header, whose manual says what
 * the numbers are. Nothing here has a state: theory<double>::risk(V, d, L, N).
 */
template <class T> struct theory : private detail::theory_api<T> {
private:
    using api = detail::theory_api<T>;

public:
    using api::approximation;
    using api::risk;
    using api::risk_of_neurons;

    using api::covering;
    using api::covering_hull;
    using api::covering_network;
    using api::covering_published;
    using api::gaussian_complexity;
    using api::least_by_cover;
    using api::least_by_cover_published;
    using api::renyi;
    using api::yang_barron;

    using api::relative_entropy;
    using api::time_for;
    using api::time_scale;
    using api::unit_time;

    using api::bayes_regret;
    using api::gaussian_log_loss;
    using api::mean_squared_regret;
    using api::regret;

    /** M neurons, and the index of resolvability that they attain. */
    struct resolvable {
        std::size_t neurons;
        T bound;
    };
    static result<resolvable> try_resolvability(T variation, T nats, T beta, std::size_t observations,
                                                std::size_t most) noexcept
    {
        resolvable out{};
        const status s = api::resolvability(variation, nats, beta, observations, most, &out.neurons, &out.bound);
        return s.ok() ? result<resolvable>(out) : s;
    }
    static resolvable resolvability(T variation, T nats, T beta, std::size_t observations, std::size_t most)
    {
        return try_resolvability(variation, nats, beta, observations, most).value();
    }

    /** The models' probabilities in place of their log evidences; which is the likeliest. */
    static result<std::size_t> try_model_probabilities(span<T> log_evidence) noexcept
    {
        std::size_t best = 0;
        const status s = api::model_probabilities(log_evidence.data(), log_evidence.size(), &best);
        return s.ok() ? result<std::size_t>(best) : s;
    }
    static std::size_t model_probabilities(span<T> log_evidence) { return try_model_probabilities(log_evidence).value(); }

    /** sum_k |a_k| |w_k|_1^order; a row of `frequencies` for each amplitude. */
    static result<T> try_spectral_norm(span<const T> amplitudes, span<const T> frequencies, std::uint32_t order) noexcept
    {
        return weighted(api::spectral_norm, amplitudes, frequencies, order);
    }
    static T spectral_norm(span<const T> amplitudes, span<const T> frequencies, std::uint32_t order)
    {
        return try_spectral_norm(amplitudes, frequencies, order).value();
    }

    /** sum_m |c_m| |w_m|_1^degree; a row of `inner` for each outer weight. */
    static result<T> try_variation(span<const T> outer, span<const T> inner, std::uint32_t degree) noexcept
    {
        return weighted(api::variation, outer, inner, degree);
    }
    static T variation(span<const T> outer, span<const T> inner, std::uint32_t degree)
    {
        return try_variation(outer, inner, degree).value();
    }

    /** V_L of a network: weights from the input on, between `widths`, one more than there are weights. */
    static result<T> try_paths(span<const T *const> weights, span<const std::size_t> widths, span<T> scratch) noexcept
    {
        T out = 0;
        if (widths.size() != weights.size() + 1) {
            return status(status::length_mismatch);
        }
        const status s = api::paths(weights.data(), widths.data(), weights.size(), scratch.data(), scratch.size(), &out);
        return s.ok() ? result<T>(out) : s;
    }

private:
    template <class Function>
    static result<T> weighted(Function f, span<const T> one, span<const T> rows, std::uint32_t power) noexcept
    {
        T out = 0;
        if (one.empty() || rows.size() % one.size() != 0) {
            return status(status::length_mismatch);
        }
        const status s = f(one.data(), rows.data(), one.size(), rows.size() / one.size(), power, &out);
        return s.ok() ? result<T>(out) : s;
    }
};

} // namespace lcc

#endif
