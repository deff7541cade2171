// Errors as exceptions and as statuses; what a callback throws; moves.
#include "check.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>

using network = lcc::network<double>;
using sampler = lcc::sampler<double>;

// A handle is one pointer, is moved and never copied; what only reads may be copied.
template <class H> constexpr bool handle()
{
    return sizeof(H) == sizeof(void *) && std::is_nothrow_move_constructible_v<H> &&
           std::is_nothrow_move_assignable_v<H> && !std::is_copy_constructible_v<H> &&
           !std::is_copy_assignable_v<H> && !std::is_polymorphic_v<H>;
}
static_assert(handle<network>() && handle<lcc::network<float, lcc::borrowed>>());
static_assert(handle<lcc::greedy<float>>() && handle<lcc::stream<double>>());
static_assert(handle<sampler>() && handle<lcc::sampler<float, lcc::borrowed>>());
static_assert(handle<lcc::smc<float>>() && handle<lcc::tempering<double>>() && handle<lcc::automatic<float>>());
static_assert(std::is_nothrow_move_constructible_v<lcc::coupling<double>>);
static_assert(handle<lcc::relaxed<double>>() && handle<lcc::prequential<float>>() && handle<lcc::window<double>>() && handle<lcc::vae<float>>());
static_assert(!std::is_copy_constructible_v<lcc::predictor<double>>);
static_assert(!std::is_constructible_v<lcc::predictor<double>, lcc::image>, "a view of a temporary");
static_assert(std::is_nothrow_move_constructible_v<lcc::predictor<double>>);
static_assert(std::is_trivially_copyable_v<lcc::data<float>> && std::is_trivially_copyable_v<lcc::span<float>>);
static_assert(sizeof(lcc::status) == sizeof(std::int32_t) && sizeof(lcc::data<double>) == sizeof(lcc_data_f64));
static_assert(sizeof(network::options) == sizeof(lcc_network_options_f64));

static int alive = 0;

// Counts what lives, to see that what is thrown and what throws are both destroyed.
struct counted {
    counted() { ++alive; }
    counted(const counted &) { ++alive; }
    ~counted() { --alive; }
};

struct refused : std::runtime_error {
    using std::runtime_error::runtime_error;
    counted c;
};

static void statuses()
{
    const curve<double> c;
    const auto d = c.data();
    auto o = small<network>();
    o.neurons = 0;
    try {
        const network n(o, d);
        CHECK(false);
    } catch (const lcc::error &e) {
        CHECK(e.status() == LCC_ERROR_NEURONS && std::string(e.what()) == lcc_status_message(LCC_ERROR_NEURONS));
    }
    CHECK(network::try_make(o, d).status() == LCC_ERROR_NEURONS);
    static_assert(noexcept(network::try_make(o, d)));
    CHECK(throws<std::exception>([&] { (void)lcc::data<double>(c.inputs(), lcc::span<const double>(c.y.data(), 3)); }));
    CHECK(lcc::data<double>::try_make(c.inputs(), {}).status().code() == lcc::status::length_mismatch);
    CHECK(std::strlen(lcc::status(lcc::status::length_mismatch).message()) > 10);

    // What is remarkable of rows.
    auto coded = c.x;
    coded[columns] = -9999;
    const lcc::data<double> remarkable(lcc::matrix<double>::row_major(coded.data(), rows, columns), c.y);
    const auto found = remarkable.remarks(true);
    CHECK(found.size() == 1 && found[0].remark == LCC_REMARK_FAR && found[0].column == 0 && found[0].value == -9999);
    CHECK(d.remarks(true).empty());
    std::size_t count = 4711;
    CHECK(d.try_remarks(true, {}, {}, count) == LCC_ERROR_CAPACITY && count == 4711);

    // Bad data, and where.
    auto bad = c;
    bad.x[7] = std::numeric_limits<double>::infinity();
    std::size_t row = 0, column = 0;
    CHECK(bad.data().check(&row, &column) == LCC_ERROR_NOT_FINITE_X && row == 3 && column == 1);

    try {
        network n(small<network>(), bad.data());
        CHECK(false);
    } catch (const lcc::error &e) {
        CHECK(e.status() == LCC_ERROR_NOT_FINITE_X && std::string(e.what()).find("Row 3, column 1") != std::string::npos);
    }

    // Other data than those it was made with.
    network n(small<network>(), d);
    auto changed = c;
    changed.y[0] += 1;
    CHECK(n.try_step(changed.data(), 100) == LCC_ERROR_DATA_CHANGED && n.step(d, 100).running());

    // A model that is not done, is no model, or is damaged.
    CHECK(n.try_model().status() == LCC_ERROR_NOT_DONE && throws<lcc::error>([&] { (void)n.model(); }));
    n.run(d);
    auto model = n.model();
    CHECK(lcc::predictor<double>::try_make({}).status() == LCC_ERROR_IMAGE_TRUNCATED);
    model[model.size() / 2] ^= 1;
    CHECK(lcc::predictor<double>::try_make(model).status() == LCC_ERROR_IMAGE_CORRUPT);
    auto sealed = n.checkpoint();
    sealed[sealed.size() / 2] ^= 1;
    CHECK(network::try_restore(sealed, small<network>(), d).status() == LCC_ERROR_IMAGE_CORRUPT);
    CHECK(throws<lcc::error>([&] { (void)lcc::greedy<double>::restore(n.checkpoint(), {}, d); }));

    // A checkpoint is restored with the options and the data of its object alone.
    sealed[sealed.size() / 2] ^= 1;
    for (std::uint32_t neurons : {1u, 40u, 0u}) {
        auto other = small<network>();
        other.seed += neurons == 0;
        other.neurons = neurons == 0 ? other.neurons : neurons;
        CHECK(network::try_restore(sealed, other, d).status() == LCC_ERROR_IMAGE_SHAPE);
        CHECK(throws<lcc::error>([&] { (void)network::restore(sealed, other, d); }));
    }
    CHECK(network::try_restore(sealed, small<network>(), changed.data()).status() == LCC_ERROR_IMAGE_SHAPE);
    auto again = network::restore(sealed, small<network>(), d);
    model[model.size() / 2] ^= 1;
    CHECK(again.model() == model);

    // Too little memory of the caller's.
    alignas(16) std::uint8_t little[64];
    CHECK((lcc::network<double, lcc::borrowed>::try_make(little, small<network>(), d).status() ==
           LCC_ERROR_MEMORY_SIZE));
}

static void moves()
{
    const curve<double> c;
    const auto d = c.data();
    network a(small<network>(), d);
    auto *where = a.get();
    network b(std::move(a));
    CHECK(b.get() == where && a.get() == nullptr);
    CHECK(a.try_step(d, 100) == LCC_ERROR_NULL && throws<lcc::error>([&] { (void)a.progress(); }));
    a = std::move(b);
    CHECK(a.get() == where && a.step(d, 100).running());
    network other(small<network>(), d);
    auto *elsewhere = other.get();
    a = std::move(other); // what a was is freed
    CHECK(a.get() == elsewhere && other.get() == nullptr);
    std::vector<network> several;
    several.push_back(std::move(a));
    several.emplace_back(small<network>(), d);
    several.erase(several.begin());
    several[0].run(d);
    auto *released = several[0].release();
    CHECK(released != nullptr && several[0].get() == nullptr);
    lcc::owned::free(released);
}

static void callbacks()
{
    sampler::options o;
    o.chains = 2;
    o.lanes = 1;
    o.draws = o.stored = 200;
    std::size_t calls = 0;
    const auto shared = std::make_shared<double>(2.0); // something that a copy would count
    {
        auto normal = lcc::make_density<double>(1, [&calls, shared](auto x, auto gradient) {
            ++calls;
            if (!gradient.empty()) {
                gradient[0] = -x[0] * *shared;
            }
            return -0.5 * *shared * x[0] * x[0];
        });
        CHECK(shared.use_count() == 2);
        const lcc::problem<double> problem(normal);
        sampler s(o, problem);
        s.run(problem);
        CHECK(calls > 400 && s.summary(0).sd > 0.5 && s.summary(0).sd < 1);
        const double at = 1;
        double gradient = 0;
        CHECK(problem.log_density(lcc::span<const double>(&at, 1), lcc::span<double>(&gradient, 1)) == -1);
        CHECK(gradient == -2);
    }
    CHECK(shared.use_count() == 1);

    // A run that cannot start says where.
    for (const double nowhere : {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
        auto none = lcc::make_density<double>(7, [&](auto, auto gradient) {
            std::fill(gradient.begin(), gradient.end(), 0.0);
            return nowhere;
        });
        auto lanes = lcc::make_density<double>(2, [&](std::size_t, auto, auto gradient, auto values) {
            std::fill(gradient.begin(), gradient.end(), 0.0);
            std::fill(values.begin(), values.end(), nowhere);
        });
        const lcc::problem<double> one(none);
        const lcc::problem<double> many(lanes);
        for (const lcc::problem<double> *problem : {&one, &many}) {
            std::string said;
            try {
                sampler s(o, *problem);
                s.run(*problem);
            } catch (const lcc::error &e) {
                said = e.status() == LCC_ERROR_START ? e.what() : "";
            }
            const auto at = said.find("First at (");
            CHECK(at != std::string::npos && said.back() == '.');
            CHECK(std::count(said.begin(), said.end(), ',') == (problem == &one ? 5 : 1));
        }
    }

    // What the density throws comes out of the step, once, and nothing leaks.
    {
        bool angry = false;
        calls = 0;
        auto fickle = lcc::make_density<double>(1, [&](auto x, auto gradient) {
            ++calls;
            if (angry) {
                throw refused("not today");
            }
            if (!gradient.empty()) {
                gradient[0] = -x[0];
            }
            return -0.5 * x[0] * x[0];
        });
        const lcc::problem<double> problem(fickle);
        sampler s(o, problem);
        CHECK(s.step(problem, 50).running());
        const auto sealed = s.checkpoint();
        angry = true;
        calls = 0;
        CHECK(throws<refused>([&] { (void)s.step(problem, 50); }) && calls == 1 && alive == 0);
        CHECK(s.try_step(problem, 50).code() == lcc::status::callback_threw && alive == 1);
        CHECK(throws<refused>([&] { problem.rethrow(); }) && alive == 0);
        problem.rethrow();
        angry = false;
        auto back = sampler::restore(sealed, o, problem);
        back.run(problem);
        sampler straight(o, problem);
        straight.run(problem);
        CHECK(lcc::chain(back.draws(0), 1) == lcc::chain(straight.draws(0), 1));
        // And from a progress callback, which may also end a run.
        sampler watched(o, problem);
        CHECK(throws<refused>([&] { watched.run(problem, [](const lcc_progress &) { throw refused("enough"); }, 10); }));
        CHECK(!watched.run(problem, [](const lcc_progress &) { return false; }, 10) && alive == 0);
        CHECK(watched.run(problem, [](const lcc_progress &p) { return p.done <= p.total; }, 10));
        CHECK(lcc::chain(watched.draws(0), 0) == lcc::chain(straight.draws(0), 0));
    }

    // No gradient, and a support that ends.
    std::size_t outside = 0;
    auto cut = lcc::make_density<float>(
        1,
        [&](auto x, auto) {
            outside += x[0] > 3.5f;
            return x[0] > 3.5f ? -std::numeric_limits<float>::infinity() : -x[0] * x[0] / 2;
        },
        false);
    const lcc::problem<float> below(cut);
    lcc::sampler<float>::options fo;
    fo.chains = 2;
    fo.lanes = 1;
    fo.draws = fo.stored = 2000;
    CHECK(lcc::sampler<float>::try_make(fo, below).status() == LCC_ERROR_NO_GRADIENT);
    fo.method = LCC_METHOD_RANDOM_WALK;
    lcc::sampler<float> walk(fo, below);
    walk.run(below);
    CHECK(outside > 0);
    for (float x : lcc::chain(walk.draws(0), 0)) {
        CHECK(x <= 3.5f);
    }
}

int main()
{
    statuses();
    moves();
    callbacks();
    CHECK(alive == 0);
}
