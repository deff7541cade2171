// Greedy least squares, the prequential learner and the window: the C interface's bits in both precisions, from
// checkpoints and in memory of the caller's too, and its errors.
#include "check.hpp"

#define C_SIDE(T, S)                                                                                         \
    static std::vector<std::uint8_t> relaxed_by_c(const curve<T> &c, lcc_relaxed_options_##S o)              \
    {                                                                                                        \
        const lcc_data_##S d = {c.x.data(), c.y.data(), rows, columns, columns, 1};                          \
        lcc_relaxed_##S *fit = nullptr;                                                                      \
        std::size_t size = 0, scratch = 0, most = 0;                                                         \
        CHECK(lcc_relaxed_size_##S(&o, rows, columns, &size) == LCC_OK);                                     \
        auto *memory = static_cast<std::uint8_t *>(std::malloc(size));                                       \
        CHECK(lcc_relaxed_init_##S(memory, size, &o, &d, &fit) == LCC_OK);                                   \
        while (lcc_relaxed_step_##S(fit, &d, 999) == LCC_RUNNING) {                                          \
        }                                                                                                    \
        CHECK(lcc_relaxed_model_size_##S(fit, &most, &scratch) == LCC_OK);                                   \
        auto *work = static_cast<std::uint8_t *>(std::malloc(scratch));                                      \
        std::vector<std::uint8_t> model(most);                                                               \
        CHECK(lcc_relaxed_write_model_##S(fit, work, scratch, model.data(), most, &size) == LCC_OK);         \
        model.resize(size);                                                                                  \
        std::free(work);                                                                                     \
        std::free(memory);                                                                                   \
        return model;                                                                                        \
    }                                                                                                        \
    static std::vector<std::uint8_t> predicted_by_c(const curve<T> &c, lcc_prequential_options_##S o,         \
                                                   lcc_losses_##S &losses, lcc_forecast_##S &next)           \
    {                                                                                                        \
        const lcc_data_##S d = {c.x.data(), c.y.data(), rows, columns, columns, 1};                          \
        lcc_prequential_##S *learner = nullptr;                                                              \
        std::size_t size = 0, scratch = 0, most = 0;                                                         \
        CHECK(lcc_prequential_size_##S(&o, rows, columns, &size) == LCC_OK);                                 \
        auto *memory = static_cast<std::uint8_t *>(std::malloc(size));                                       \
        CHECK(lcc_prequential_init_##S(memory, size, &o, rows, columns, &d, &learner) == LCC_OK);            \
        for (std::size_t i = 0; i < rows; ++i) {                                                             \
            CHECK(lcc_prequential_observe_##S(learner, c.x.data() + i * columns, columns, c.y[i]) == LCC_OK);\
            while (lcc_prequential_step_##S(learner, 321) == LCC_RUNNING) {                                  \
            }                                                                                                \
        }                                                                                                    \
        CHECK(lcc_prequential_losses_##S(learner, &losses) == LCC_OK);                                       \
        CHECK(lcc_prequential_model_size_##S(learner, &most, &scratch) == LCC_OK);                           \
        CHECK(lcc_prequential_scratch_##S(learner, &size) == LCC_OK);                                        \
        scratch = scratch > size ? scratch : size;                                                           \
        auto *work = static_cast<std::uint8_t *>(std::malloc(scratch));                                      \
        CHECK(lcc_prequential_forecast_##S(learner, c.x.data(), columns, T(0.8), work, scratch, &next) == LCC_OK);\
        std::vector<std::uint8_t> model(most);                                                               \
        CHECK(lcc_prequential_write_model_##S(learner, LCC_AVERAGING_LAST, work, scratch, model.data(), most,\
                                              &size) == LCC_OK);                                             \
        model.resize(size);                                                                                  \
        std::free(work);                                                                                     \
        std::free(memory);                                                                                   \
        return model;                                                                                        \
    }
C_SIDE(float, f32)
C_SIDE(double, f64)

template <class A> bool same(const A &a, const A &b) { return std::memcmp(&a, &b, sizeof a) == 0; }

template <class T> static void relaxed(const curve<T> &c)
{
    using relaxed = lcc::relaxed<T>;
    const auto d = c.data();
    typename relaxed::options o;
    o.levels = 5;
    o.starts = 8;
    const auto expected = relaxed_by_c(c, o);
    relaxed fit(o, d);
    CHECK(fit.try_model().status() == LCC_ERROR_NOT_DONE && throws<lcc::error>([&] { (void)fit.report(0); }));
    CHECK(!fit.run(d, [](const lcc_progress &p) { return p.done < 2; }, 500));
    CHECK(!fit.model().empty());
    auto restored = relaxed::restore(fit.checkpoint(), o, d);
    restored.run(d);
    CHECK(restored.model() == expected && restored.report(4).error < restored.report(0).error);
    CHECK(restored.progress().done == 5);

    std::size_t size = 0;
    CHECK(relaxed::try_size(o, d, size).ok());
    alignas(16) static std::uint8_t memory[1 << 16];
    CHECK(size <= sizeof memory);
    lcc::relaxed<T, lcc::borrowed> lodger(memory, o, d);
    lodger.run(d);
    CHECK(lodger.model() == expected && lcc::predictor<T>(expected).evaluate(d).rmse > 0);
    auto changed = c;
    changed.y[0] += 1;
    CHECK(lodger.try_step(changed.data(), 100) == LCC_ERROR_DATA_CHANGED);
    o.levels = 0;
    CHECK(relaxed::try_make(o, d).status() == LCC_ERROR_LEVELS && throws<lcc::error>([&] { relaxed(o, d); }));
}

template <class T> static void prequential(const curve<T> &c)
{
    using prequential = lcc::prequential<T>;
    const auto d = c.data();
    typename prequential::options o;
    o.levels = 3;
    o.particles = 32;
    o.keep = 8;
    lcc::losses<T> losses;
    lcc::forecast<T> next;
    const auto expected = predicted_by_c(c, o, losses, next);

    // All rows, of columns too; stopped, sealed and restored on the way.
    prequential learner(o, d);
    learner.learn(lcc::data<T>(lcc::matrix<T>::column_major(c.transposed.data(), rows, columns), c.y));
    CHECK(learner.model() == expected && same(learner.losses(), losses));
    const lcc::span<const T> row(c.x.data(), columns);
    CHECK(same(learner.forecast(row, T(0.8)), next));
    CHECK(prequential::score(next, c.y[0]).crps > 0 && next.lower < next.upper);
    CHECK(learner.report(2).ess > 0 && learner.expectation(2, row) != 0 && learner.progress().done == rows);
    CHECK(learner.model(LCC_AVERAGING_PRINTED) != expected);
    prequential halfway(o, lcc::room<T>(rows, d));
    CHECK(!halfway.learn(d, [](const lcc_progress &p) { return p.done < 10; }));
    auto restored = prequential::restore(halfway.checkpoint(), o, d);
    for (std::size_t i = 10; i < rows; ++i) {
        const lcc::span<const T> x(c.x.data() + i * columns, columns);
        const auto before = restored.forecast(x);
        CHECK(same(restored.learn(x, c.y[i]), before));
    }
    CHECK(restored.model() == expected && same(restored.losses(), losses));

    // Step by step in memory of the caller's, with rows as they are.
    const lcc::room<T> plain(2, columns);
    std::size_t size = 0;
    CHECK(prequential::try_size(o, plain, size).ok());
    alignas(16) static std::uint8_t memory[1 << 17], work[1 << 14];
    CHECK(size <= sizeof memory);
    lcc::prequential<T, lcc::borrowed> lodger(memory, o, plain);
    lcc::forecast<T> law;
    CHECK(lodger.try_last(T(0.9), law) == LCC_ERROR_NOT_DONE && throws<lcc::error>([&] { (void)lodger.last(); }));
    CHECK(lodger.try_observe(row, c.y[0]).ok() && lodger.try_observe(row, c.y[0]) == LCC_ERROR_NOT_DONE);
    CHECK(lodger.try_forecast(row).status() == LCC_ERROR_NOT_DONE);
    while (lodger.step(10).running()) {
    }
    CHECK(lodger.try_scratch(size).ok() && size <= sizeof work);
    CHECK(lodger.try_forecast(row, T(0.9), work, law).ok() && same(lodger.forecast(row), law));
    CHECK(lodger.try_forecast(row, T(2), work, law) == LCC_ERROR_PROBABILITY);
    CHECK(lodger.try_observe(lcc::span<const T>(c.x.data(), 1), 0) == LCC_ERROR_INPUTS);
    lodger.learn(row, c.y[0]);
    CHECK(lodger.try_observe(row, c.y[0]) == LCC_ERROR_CAPACITY);
    CHECK(throws<lcc::error>([&] { (void)prequential::score(lcc::forecast<T>(), 0); }));
    CHECK(throws<lcc::error>([&] { lodger.learn(lcc::data<T>(c.inputs())); }));
    o.levels = 0;
    CHECK(prequential::try_make(o, d).status() == LCC_ERROR_LEVELS);
}

template <class T> static void window(const curve<T> &c)
{
    lcc::window<T> last(8, columns);
    CHECK(last.try_data().status() == LCC_ERROR_EMPTY && throws<lcc::error>([&] { (void)last.data(); }));
    std::array<T, rows> seen{};
    for (std::size_t i = 0; i < rows; ++i) {
        last.push(lcc::span<const T>(c.x.data() + i * columns, columns), c.y[i]);
        CHECK(last.data().rows() == (i < 8 ? i + 1 : 8));
    }
    // The last eight rows, each with its target.
    const auto d = last.data();
    const auto &r = *d.get();
    for (std::size_t k = 0; k < r.n; ++k) {
        for (std::size_t i = rows - 8; i < rows; ++i) {
            seen[i] += r.x[k * r.row_stride] == c.x[i * columns] && r.y[k] == c.y[i] ? T(1) : T(0);
        }
    }
    for (std::size_t i = 0; i < rows; ++i) {
        CHECK(seen[i] == (i < rows - 8 ? T(0) : T(1)));
    }
    CHECK(last.try_push(lcc::span<const T>(c.x.data(), 1), 0) == LCC_ERROR_INPUTS);
    lcc::greedy<T> anew([] {
        typename lcc::greedy<T>::options o;
        o.levels = 1;
        o.particles = 32;
        o.keep = 8;
        return o;
    }(), d);
    anew.run(d);
    CHECK(!anew.model().empty());
    alignas(16) std::uint8_t memory[4096];
    lcc::window<T, lcc::borrowed> lodger(memory, 8, columns);
    lodger.push(lcc::span<const T>(c.x.data(), columns), c.y[0]);
    CHECK(lodger.data().rows() == 1 && static_cast<void *>(lodger.get()) == memory);
    CHECK((lcc::window<T, lcc::borrowed>::try_make(lcc::bytes(memory, 16), 8, columns).status() ==
           LCC_ERROR_MEMORY_SIZE));
    CHECK(lcc::window<T>::try_make(0, columns).status() == LCC_ERROR_EMPTY);
}

template <class T> static void vae(const curve<T> &c)
{
    using vae = lcc::vae<T>;
    const auto d = c.data();
    typename vae::options o;
    o.latent = 1;
    o.steps = 40;
    vae fit(o, d);
    CHECK(!fit.run(d, [](const lcc_progress &p) { return p.done < 2; }, 1));
    auto restored = vae::restore(fit.checkpoint(), o, d);
    fit.run(d), restored.run(d);
    CHECK(same(fit.bound(d, 5), restored.bound(d, 5)) && fit.shape().columns == columns && fit.shape().latent == 1);
    std::vector<T> means(rows), sds(rows), y(rows * columns), z(rows);
    fit.encode(d, means, sds);
    CHECK(sds[0] > 0 && fit.try_encode(d, means, lcc::span<T>(sds.data(), 1)) == LCC_ERROR_CAPACITY);
    fit.decode(lcc::data<T>(lcc::matrix<T>::row_major(means.data(), rows, 1)), y);
    fit.sample(rows, 3, z, y);
    CHECK(z[0] != z[1] && y[0] != y[1]);
    o.latent = 0;
    CHECK(vae::try_make(o, d).status() == LCC_ERROR_LAYERS);
}

template <class T> static void both()
{
    const curve<T> c;
    relaxed(c);
    prequential(c);
    window(c);
    vae(c);
}

int main()
{
    both<float>();
    both<double>();
}
