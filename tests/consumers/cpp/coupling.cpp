// Coupling and theory against exact values (tests/c/coupling_d2_n3.h), from C++.
#include "../../c/coupling_d2_n3.h"
#include "check.hpp"

#include <cmath>

template <class T> static void near(lcc::span<const T> of, const double *exact, std::size_t count)
{
    CHECK(of.size() == count);
    for (std::size_t k = 0; k < count; ++k) {
        const double tolerance = (sizeof(T) == 8 ? 1e-12 : 1e-5) * (1 + std::fabs(exact[k]));
        CHECK(std::fabs(static_cast<double>(of[k]) - exact[k]) <= tolerance);
    }
}

template <class T, std::size_t N> static std::vector<T> rounded(const double (&values)[N])
{
    std::vector<T> out;
    for (double v : values) {
        out.push_back(static_cast<T>(v));
    }
    return out;
}

template <class T> static void exact()
{
    for (const exact_case &c : exact_cases) {
        // Elsewhere rho is less than the papers', for in the ball x.w is bounded.
        if (c.prior != LCC_PRIOR_GAUSSIAN) {
            continue;
        }
        const auto x = rounded<T>(c.x), r = rounded<T>(c.r);
        lcc::problem<T> p(lcc::data<T>(lcc::matrix<T>::row_major(x.data(), 3, 2), r));
        p->activation = c.activation;
        p->scale = static_cast<T>(c.scale);
        p->alpha = static_cast<T>(c.alpha);
        for (const exact_point &e : c.points) {
            lcc::coupling<T> coupling(p, e.coupling);
            CHECK(coupling.dim() == 2 && coupling.size() == 3);
            near<T>(coupling.rho(), e.rho, 3);
            const auto xi = rounded<T>(e.xi), mean = rounded<T>(e.mean), covariance = rounded<T>(e.covariance);
            near<T>(coupling.score(xi, mean), e.score, 3);
            near<T>(coupling.hessian(covariance), e.hessian, 9);
            // log p(w | xi) is log p(w) less |xi - S X w|^2/2, which is the length of the score at E w = w.
            std::vector<T> gradient(2), plain(2);
            const double density = static_cast<double>(coupling.log_density(xi, mean, gradient));
            double expected = static_cast<double>(p.log_density(mean, plain));
            for (double s : e.score) {
                expected -= s * s / 2;
            }
            CHECK(std::fabs(density - expected) < (sizeof(T) == 8 ? 1e-12 : 1e-4) * (1 + std::fabs(expected)));
            const auto draw = coupling.draw(mean, 7);
            auto moved = std::move(coupling);
            CHECK(draw.size() == 3 && draw == moved.draw(mean, 7) && draw != moved.draw(mean, 8));
        }
    }
}

template <class T> static void refusals()
{
    const curve<T> c;
    const auto d = c.data();
    lcc::problem<T> p = lcc::problem<T>::joint(d, 3);
    lcc::coupling<T> coupling(p);
    CHECK(coupling.size() == 3 * rows && coupling.dim() == 3 * columns);
    CHECK(coupling.rho().size() == 2 * rows);
    std::vector<T> xi(3 * rows), w(3 * columns), shorter(2);
    T value = 77;
    CHECK(coupling.try_draw(shorter, 1, xi).code() == lcc::status::length_mismatch);
    CHECK(coupling.try_score(xi, w, shorter).code() == lcc::status::length_mismatch);
    CHECK(coupling.try_hessian(w, w, xi).code() == lcc::status::length_mismatch);
    CHECK(coupling.try_log_density(xi, shorter, value, w).code() == lcc::status::length_mismatch && value == 77);
    CHECK(lcc::coupling<T>::try_make(p, 2).status() == LCC_ERROR_COUPLING);
    p->activation = LCC_ACTIVATION_SOFTPLUS;
    CHECK(lcc::coupling<T>::try_make(p).status() == LCC_ERROR_NO_COUPLING);
    auto own = lcc::make_density<T>(1, [](auto, auto) { return T(0); }, false);
    CHECK(lcc::coupling<T>::try_make(lcc::problem<T>(own)).status() == LCC_ERROR_NO_COUPLING);
}

template <class T> static void theory()
{
    using theory = lcc::theory<T>;
    const auto is = [](T of, double exact) { near<T>(lcc::span<const T>(&of, 1), &exact, 1); };
    is(theory::approximation(3, 9), 1);
    is(theory::risk(T(1.5), 4, 2, 100), 1.5 * std::sqrt((std::log(8.0) + 2) / 100));
    is(theory::gaussian_complexity(2, 3, 1), 2 * std::sqrt(2 * std::log(12.0)));
    is(theory::covering_hull(2, 7, 2), std::log(7.0));
    is(theory::covering_network(T(1.5), 5, 0, T(1.5)), 4 * 3.14159265358979324 * std::log(2.0) * std::log(10.0));
    is(theory::relative_entropy(3, 2, 1), 3 * std::exp(-1.0));
    is(theory::time_scale(T(0.5), 3, 2, 6), 4);
    is(theory::time_for(2, 1, 2), std::log(2.0));
    is(theory::gaussian_log_loss(2, 2), 2.8378770664093453);
    is(theory::bayes_regret(T(0.25), T(0.5)), 0.5 + std::log(4.0));
    is(theory::mean_squared_regret(T(0.25), T(0.5), 2, 10), (0.5 + std::log(4.0)) / 10);
    const auto index = theory::resolvability(1, 1, 1, 100, 50);
    CHECK(index.neurons == 10);
    is(index.bound, 0.2);
    CHECK(theory::try_resolvability(1, 1, 1, 100, 0).status() == LCC_ERROR_NEURONS);
    std::vector<T> models{-10, -12}, none{std::numeric_limits<T>::quiet_NaN()};
    CHECK(theory::model_probabilities(models) == 0);
    is(models[1], 1 / (1 + std::exp(2.0)));
    CHECK(theory::try_model_probabilities(none).status() == LCC_ERROR_NOT_FINITE_VALUE);
    const T g[] = {0, T(std::log(3.0))};
    is(lcc::gamma_xi<T>(g, 2), std::log(5.0));
    is(lcc::hoelder<T>(T(0.2), 2, g), 0.5);
    CHECK(lcc::try_gamma_xi<T>({}, 1).status() == LCC_ERROR_EMPTY);
    CHECK(lcc::try_hoelder<T>(T(0.2), 1, g).status() == LCC_ERROR_INDEX);
    const std::pair<T, std::uint32_t> best = lcc::hoelder_least<T>(2, 0, 1, 3);
    is(best.first, 18 / std::sqrt(5.0));
    CHECK(best.second == 2);
    const T amplitudes[] = {2, -1}, frequencies[] = {3, -1, 0, T(0.5)};
    is(theory::spectral_norm(amplitudes, frequencies, 1), 8.5);
    CHECK(theory::try_spectral_norm(amplitudes, frequencies, 17).status() == LCC_ERROR_INDEX);
    CHECK(theory::try_spectral_norm({}, frequencies, 1).status().code() == lcc::status::length_mismatch);
    const T outer[] = {3, -1}, inner[] = {1, -2, T(0.5), T(0.25)}, odd[] = {1, 2, 3};
    is(theory::variation(outer, inner, 1), 9.75);
    CHECK(theory::try_variation(outer, odd, 1).status().code() == lcc::status::length_mismatch);
    const T *const weights[] = {inner, outer};
    const std::size_t widths[] = {2, 2, 1};
    T scratch[4];
    is(theory::try_paths(weights, widths, scratch).value(), 9.75);
    is(scratch[0], 3.5);
    CHECK(theory::try_paths(weights, widths, {}).status() == LCC_ERROR_NULL);
    CHECK(theory::try_paths(weights, {}, scratch).status().code() == lcc::status::length_mismatch);
}

int main()
{
    exact<double>();
    exact<float>();
    refusals<double>();
    refusals<float>();
    theory<double>();
    theory<float>();
}
