// Densities of one's own: constraints, derivatives of every function, checked gradients, a posterior without a gradient
// written by hand, leave-one-out.
#include "check.hpp"
#include <lcc/autodiff.hpp>

#include <cmath>

// The same function of each scalar, at points where it is defined.
#define UNARY(expression, ...)                                                                               \
    {                                                                                                        \
        auto f = [](const auto &x) { using std::exp; using std::fabs; return expression; };                  \
        for (const T x : std::initializer_list<T>{__VA_ARGS__}) {                                            \
            along(f, x, #expression);                                                                        \
        }                                                                                                    \
    }

// Both modes against differences of the plain function, extrapolated; the value is the same to the bit.
template <class T, class F> void along(const F &f, T x, const char *what)
{
    lcc::tape<T> tape;
    tape.clear();
    const lcc::reverse<T> variable(x, tape);
    const lcc::reverse<T> value = f(variable);
    const T back = tape.sweep(value.place())[variable.place()];
    const lcc::forward<T> ahead = f(lcc::forward<T>(x, 1));
    const double at = double(x), h = 1e-3;
    const auto central = [&](double step) { return (f(at + step) - f(at - step)) / (2 * step); };
    const double slope = (4 * central(h / 2) - central(h)) / 3, tolerance = sizeof(T) == 8 ? 1e-9 : 2e-5;
    const bool near = std::fabs(double(back) - slope) <= tolerance * (1 + std::fabs(slope)) &&
                      std::fabs(double(ahead.tangent()) - slope) <= tolerance * (1 + std::fabs(slope));
    if (!near || ahead.value() != value.value()) {
        std::printf("%s at %g: %.17g, %.17g, not %.17g\n", what, at, double(back), double(ahead.tangent()), slope);
        std::exit(1);
    }
    CHECK(std::fabs(double(value.value()) - f(at)) <= 10 * tolerance * (1 + std::fabs(f(at))));
}

template <class T> void functions()
{
    UNARY(exp(x), -1, 2)
    UNARY(expm1(x), -1, T(0.001))
    UNARY(log(x), T(0.5), 3)
    UNARY(log1p(x), T(-0.5), 3)
    UNARY(sqrt(x), T(0.5), 9)
    UNARY(sin(x) * cos(x), -2, 1)
    UNARY(tan(x), -1, T(0.5))
    UNARY(atan(x), -3, T(0.5))
    UNARY(sinh(x) + cosh(x / 2), -1, 2)
    UNARY(tanh(x), -1, T(0.1))
    UNARY(erf(x) - erfc(x / 2), -1, T(0.3))
    UNARY(lgamma(x), T(0.25), 1, 3, 20, T(-1.5))
    UNARY(fabs(x) * x, -2, 3)
    UNARY(pow(x, 3) + pow(2, x) + pow(x, x), T(0.5), 2)
    UNARY(pow(x, 2), -3, T(1.5))
    UNARY((x + 1) * (2 - x) / (x * x + 3) - 4 / x + -x, -2, T(0.7))
    UNARY(lcc::log1p_exp(x), -3, T(0.2), 3)
    UNARY(lcc::inv_logit(x), -3, T(0.2), 3)
    UNARY(fmax(x, 2 * x) + fmin(x, 1 - x), -2, 2)
    UNARY(lcc::log_sum_exp(x, -x * x), -1, T(0.4))
    UNARY((x > 0 ? exp(x) : 1 - x), -1, 2)

    // What is constant has no slope, even where one is infinite.
    lcc::tape<T> tape;
    tape.clear();
    const lcc::reverse<T> x(T(2), tape), zero(0);
    lcc::reverse<T> y = x;
    y += sqrt(zero) * 3;
    y *= x;
    y -= 1;
    y /= 2;
    CHECK(y.value() == T(1.5) && tape.sweep(y.place())[x.place()] == 2);
    CHECK((lcc::forward<T>(2, 1) * sqrt(lcc::forward<T>(0))).tangent() == 0);
    CHECK(x > 1 && x >= 2 && x <= 2 && 1 < x && x == 2 && x != 3 && !(x < 2));
    const T plain[3] = {1, 2, 3};
    const lcc::reverse<T> on[3] = {x, x * x, 1};
    const lcc::reverse<T> product = lcc::dot(plain, on, 3);
    CHECK(product.value() == 13 && tape.sweep(product.place())[x.place()] == 9);
    CHECK(lcc::dot(plain, plain, 3) == 14);
    const lcc::reverse<T> of_all = lcc::log_sum_exp(on, 3);
    const double weights[3] = {std::exp(2.0), std::exp(4.0), std::exp(1.0)};
    const double sum = weights[0] + weights[1] + weights[2];
    CHECK(std::fabs(double(of_all.value()) - std::log(sum)) < 1e-6);
    CHECK(std::fabs(double(tape.sweep(of_all.place())[x.place()]) - (weights[0] + 4 * weights[1]) / sum) < 1e-6);
    CHECK(lcc::log_sum_exp<double>(nullptr, 0) == -std::numeric_limits<double>::infinity());
}

// Gamma(3, 2), Dirichlet(2, 3, 5) and a normal in other units.
struct law {
    template <class S> S operator()(const S *y) const
    {
        using std::log;
        return 2 * log(y[0]) - 2 * y[0] + log(y[1]) + 2 * log(y[2]) + 4 * log(y[3]) - pow((y[4] - 10) / 4, 2) / 2;
    }
};

template <class T> lcc::parameters<T> parameters()
{
    return {{"rate", LCC_CONSTRAINT_LOWER, 1, 1, 0, 0},
            {"p", LCC_CONSTRAINT_SIMPLEX, 3, 1, 0, 0},
            {"mu", LCC_CONSTRAINT_AFFINE, 1, 1, 10, 4}};
}

template <class T> void constraints()
{
    const auto map = parameters<T>();
    CHECK(map.coordinates() == 4 && map.elements() == 5 && map.name(0) == "rate" && map.name(3) == "p[3]");
    const std::array<T, 5> y{2, T(0.25), T(0.5), T(0.25), 14};
    std::array<T, 4> x{}, dx{};
    std::array<T, 5> again{}, dy{};
    map.unconstrain(y, x);
    CHECK(std::fabs(x[0] - std::log(T(2))) < 1e-6 && std::fabs(x[3] - 1) < 1e-6);
    CHECK(std::isfinite(map.constrain(x, again)));
    for (std::size_t i = 0; i < 5; ++i) {
        CHECK(std::fabs(again[i] - y[i]) < 1e-5);
    }
    map.pull_back(x, again, dy, dx);
    CHECK(dx[0] == 1 && dx[3] == 0);
    T out = 0;
    CHECK(map.try_constrain(y, x, out) == lcc::status::length_mismatch);
    CHECK(map.try_unconstrain(x, x) == lcc::status::length_mismatch);
    CHECK(map.try_pull_back(x, again, x, dx) == lcc::status::length_mismatch);
    again[0] = -1;
    CHECK(map.try_unconstrain(again, x) == LCC_ERROR_SUPPORT);
    CHECK(throws<lcc::error>([&] { (void)map.name(5); }));
    CHECK(throws<lcc::error>([] { lcc::parameters<T>{{"s", LCC_CONSTRAINT_INTERVAL, 1, 1, 1, 0}}; }));
    CHECK(throws<lcc::error>([] { lcc::parameters<T>{}; }));

    auto density = lcc::make_density(map, lcc::differentiate<T>(5, law{}));
    const lcc::problem<T> problem(density);
    const auto seen = problem.check_gradient(20, 3);
    CHECK(seen.points == 20 && seen.wrong == 0 && seen.outside == 0 && seen.unequal == 0);
    CHECK(problem.check_gradient(x).points == 1);
    typename lcc::sampler<T>::options o;
    o.method = LCC_METHOD_SPLIT_HMC;
    o.chains = 8;
    o.warmup = 300;
    o.draws = o.stored = 1500;
    o.seed = 3;
    lcc::sampler<T> sampler(o, problem);
    sampler.run(problem);
    // The elements, and a product of two of them that are independent.
    const auto made = sampler.generate(problem, {"rate", "p1", "p2", "p3", "mu", "product"},
                                       [&](lcc::span<const T> at, lcc::span<T> values) {
                                           (void)map.constrain(at, again);
                                           std::copy(again.begin(), again.end(), values.begin());
                                           values[5] = again[0] * again[1];
                                       });
    CHECK(made.names().size() == 6 && made["mu"].chains == 8 && made["mu"].draws == 1500);
    const lcc::draws<T> x0 = sampler.draws(3), mu = made["mu"];
    CHECK(mu.data[3 * mu.chain_stride + 7 * mu.draw_stride] == 10 + 4 * x0.data[3 * x0.chain_stride + 7 * x0.draw_stride]);
    CHECK(throws<lcc::error>([&] { (void)made["nu"]; }));
    CHECK(throws<int>([&] { (void)sampler.generate(problem, {"a"}, [](auto, auto) { throw 7; }); }));
    CHECK(throws<lcc::error>([&] { (void)sampler.generate(problem, {}, [](auto, auto) {}); }));
    // E rate^2 = 3, E p_1^2 = .2 (.2 + .8/11).
    const double product = std::sqrt(3 * 0.2 * (0.2 + 0.8 / 11) - 0.09);
    const double means[6] = {1.5, 0.2, 0.3, 0.5, 10, 0.3};
    const double sds[6] = {std::sqrt(3.0) / 2, std::sqrt(0.16 / 11), std::sqrt(0.21 / 11), std::sqrt(0.25 / 11), 4, product};
    for (std::size_t j = 0; j < 6; ++j) {
        const auto s = lcc::summarise(made[made.names()[j]]);
        CHECK(std::fabs(double(s.mean) - means[j]) < 4.5 * double(s.mcse_mean));
        CHECK(std::fabs(double(s.sd) - sds[j]) < 4.5 * double(s.mcse_sd));
        CHECK(double(s.mcse_mean) < 0.05 * sds[j]);
    }
}

// A wrong gradient is named, and what a density throws comes out.
template <class T> void mistakes()
{
    auto wrong = lcc::make_density<T>(2, [](auto x, auto gradient) {
        if (!gradient.empty()) {
            gradient[0] = -x[0];
            gradient[1] = x[1];
        }
        return -(x[0] * x[0] + x[1] * x[1]) / 2;
    });
    const auto seen = lcc::problem<T>(wrong).check_gradient();
    CHECK(seen.wrong == 10 && seen.coordinate == 1 && std::fabs(seen.relative - 2) < 0.01);
    auto thrower = lcc::make_density<T>(1, [](auto, auto) -> T { throw 7; });
    CHECK(throws<int>([&] { (void)lcc::problem<T>(thrower).check_gradient(); }));
    auto constant = lcc::make_density<T>(1, lcc::differentiate<T>(1, [](const auto *x) { return 0 * x[0]; }));
    CHECK(lcc::problem<T>(constant).check_gradient().wrong == 0);
    auto plain = lcc::make_density<T>(1, lcc::differentiate<T>(1, [](const auto *) { return lcc::reverse<T>(3); }));
    CHECK(lcc::problem<T>(plain).check_gradient().wrong == 0);
}

// Several points at once: the draws are those of one by one, and the gradient is checked as theirs.
template <class T> void several_points()
{
    const auto draw = [](auto &density) {
        const lcc::problem<T> problem(density);
        CHECK(problem.check_gradient().wrong == 0);
        typename lcc::sampler<T>::options o;
        o.chains = 16;
        o.warmup = 50;
        o.draws = o.stored = 100;
        lcc::sampler<T> sampler(o, problem);
        sampler.run(problem);
        const lcc::draws<T> draws = sampler.draws(1);
        std::vector<T> out;
        for (std::size_t chain = 0; chain < draws.chains; ++chain) {
            for (std::size_t t = 0; t < draws.draws; ++t) {
                out.push_back(draws.data[chain * draws.chain_stride + t * draws.draw_stride]);
            }
        }
        return out;
    };
    std::size_t points = 0, calls = 0;
    auto one = lcc::make_density<T>(2, [&](lcc::span<const T> x, lcc::span<T> gradient) {
        ++points;
        for (std::size_t i = 0; i < gradient.size(); ++i) {
            gradient[i] = -x[i];
        }
        return -(x[0] * x[0] + x[1] * x[1]) / 2;
    });
    auto several = lcc::make_density<T>(
        2, [&](std::size_t lanes, lcc::span<const T> x, lcc::span<T> gradient, lcc::span<T> values) {
            ++calls;
            for (std::size_t i = 0; i < gradient.size(); ++i) {
                gradient[i] = -x[i];
            }
            for (std::size_t k = 0; k < lanes; ++k) {
                values[k] = -(x[k] * x[k] + x[lanes + k] * x[lanes + k]) / 2;
            }
        });
    CHECK(draw(one) == draw(several));
    CHECK(points > 4 * calls && calls > 100);
    auto thrower = lcc::make_density<T>(
        1, [](std::size_t, lcc::span<const T>, lcc::span<T>, lcc::span<T>) { throw 7; });
    CHECK(throws<int>([&] { (void)lcc::problem<T>(thrower).check_gradient(); }));
}

template <class T> void leave_one_out()
{
    std::vector<T> values(2 * 40);
    for (std::size_t k = 0; k < 40; ++k) {
        values[k] = -T(k % 7) / 7;
        values[40 + k] = -2;
    }
    const lcc::draws<T> first{values.data(), 2, 20, 20, 1};
    const auto a = lcc::make_loo<T>(first, 2, 40);
    CHECK(a.rows.size() == 2 && a.total.rows == 2 && std::fabs(a.rows[1].elpd + 2) < 1e-5);
    auto b = a;
    b.rows[0].elpd -= 1;
    b.rows[1].elpd -= 1;
    const auto difference = lcc::compare(a, b);
    CHECK(std::fabs(difference.elpd - 2) < 1e-5 && difference.standard_error < 1e-5);
    b.rows.pop_back();
    CHECK(lcc::try_compare(a, b).status() == lcc::status::length_mismatch);
    CHECK(lcc::try_loo<T>(first, 0, 40).status() == LCC_ERROR_EMPTY);
}

// Where a density is that begins far from it, and chains about that.
template <class T> void warmed_up()
{
    auto far = lcc::make_density<T>(1, [](lcc::span<const T> x, lcc::span<T> gradient) {
        const T z = (x[0] - 1000) / T(0.5);
        if (!gradient.empty()) {
            gradient[0] = -z / T(0.5);
        }
        return -z * z / 2;
    });
    lcc::problem<T> p(far);
    typename lcc::warmup<T>::options o;
    lcc::warmup<T> run(o, p);
    T frame[2] = {0, 0};
    CHECK(run.try_frame(lcc::span<T>(frame, 2)) == LCC_ERROR_NOT_DONE);
    run.run(p);
    CHECK(run.try_frame(lcc::span<T>(frame, 1)) == LCC_ERROR_CAPACITY);
    CHECK(run.try_frame(lcc::span<T>(frame, 2)).ok());
    CHECK(std::fabs(double(frame[0]) - 1000) < 0.15 && frame[1] > T(0.4) && frame[1] < T(0.6));
    const T start[1] = {1003};
    p->start = start;
    p->starts = 1;
    lcc::warmup<T> near(o, p);
    near.run(p);
    T same[2] = {0, 0};
    CHECK(near.try_frame(lcc::span<T>(same, 2)).ok() && std::fabs(double(same[0]) - 1000) < 0.15);
    p->frame = frame;
    typename lcc::sampler<T>::options chains;
    chains.antithetic = 0;
    lcc::sampler<T> sampler(chains, p);
    sampler.run(p);
    CHECK(std::fabs(double(lcc::summarise(sampler.draws(0)).mean) - 1000) < 0.05);
}

template <class T> void all()
{
    functions<T>();
    constraints<T>();
    mistakes<T>();
    several_points<T>();
    leave_one_out<T>();
    warmed_up<T>();
}

int main()
{
    all<double>();
    all<float>();
}
