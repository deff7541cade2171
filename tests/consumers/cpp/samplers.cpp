// Particles, tempering, the sampler that chooses for itself, and parts that are joined: the C interface's bits in both
// precisions, from checkpoints and in memory of the caller's too, and its errors.
#include "check.hpp"

#include <cmath>
#include <memory>
#include <string>

// So many rows of the curve: none of them zero, where no weights matter.
constexpr std::size_t some = rows / 2;

// Every draw of a coordinate, chain after chain.
template <class Draws> auto all(const Draws &d)
{
    auto values = lcc::chain(d, 0);
    for (std::size_t c = 1; c < d.chains; ++c) {
        const auto next = lcc::chain(d, c);
        values.insert(values.end(), next.begin(), next.end());
    }
    return values;
}

// Its draws of coordinate 1 by the C functions, and what else it tells. MADE and TOLD are calls of them.
#define DRAWN_BY_C(NAME, OBJECT, EXTRA, MADE, TOLD, T, S)                                                    \
    static std::vector<T> NAME(const curve<T> &c, lcc_##OBJECT##_options_##S o, EXTRA)                       \
    {                                                                                                        \
        const T ladder[] = {T(0.1), T(0.5), T(1)};                                                           \
        (void)ladder;                                                                                        \
        const lcc_data_##S d = {c.x.data(), c.y.data(), some, columns, columns, 1};                          \
        lcc_problem_##S p;                                                                                   \
        lcc_##OBJECT##_##S *run = nullptr;                                                                   \
        lcc_draws_##S draws;                                                                                 \
        std::size_t size = 0;                                                                                \
        CHECK(lcc_problem_default_##S(&p, some) == LCC_OK);                                                  \
        p.alpha = 2;                                                                                         \
        CHECK(lcc_##OBJECT##_size_##S(&o, &p, &d, &size) == LCC_OK);                                         \
        auto *memory = static_cast<std::uint8_t *>(std::malloc(size));                                       \
        CHECK(MADE == LCC_OK);                                                                               \
        while (lcc_##OBJECT##_step_##S(run, &p, &d, 5000) == LCC_RUNNING) {                                  \
        }                                                                                                    \
        CHECK(TOLD == LCC_OK);                                                                               \
        CHECK(lcc_read_draws_##S(run, 1, &draws) == LCC_OK);                                                \
        auto values = all(draws);                                                                            \
        std::free(memory);                                                                                   \
        return values;                                                                                       \
    }
#define C_SIDE(T, S)                                                                                         \
    DRAWN_BY_C(climbed, smc, lcc_evidence_##S &told, lcc_smc_init_##S(memory, size, &o, &p, &d, &run),       \
               lcc_smc_evidence_##S(run, &told), T, S)                                                       \
    DRAWN_BY_C(given, smc, lcc_evidence_##S &told,                                                           \
               lcc_smc_init_given_##S(memory, size, &o, ladder, 3, &p, &d, &run),                            \
               lcc_smc_evidence_##S(run, &told), T, S)                                                       \
    DRAWN_BY_C(started, sampler, const lcc_smc_##S *from,                                                    \
               lcc_sampler_init_from_smc_##S(memory, size, &o, &p, &d, from, &run), LCC_OK, T, S)            \
    DRAWN_BY_C(tempered, tempering, lcc_rung_##S &told,                                                      \
               lcc_tempering_init_##S(memory, size, &o, ladder, 3, &p, &d, &run),                            \
               lcc_tempering_rung_##S(run, 1, 2, &told), T, S)                                               \
    DRAWN_BY_C(chosen, auto, lcc_choice_##S &told, lcc_auto_init_##S(memory, size, &o, &p, &d, &run),        \
               lcc_auto_report_##S(run, &told), T, S)
C_SIDE(float, f32)
C_SIDE(double, f64)

// Memory of the caller's, aligned to 16.
struct block {
    explicit block(std::size_t size) : own(size + 16), memory(own.data(), size)
    {
        const auto first = reinterpret_cast<std::uintptr_t>(own.data());
        memory = lcc::bytes(own.data() + (16 - first % 16) % 16, size);
    }
    std::vector<std::uint8_t> own;
    lcc::bytes memory;
};

// Whether two structs of C hold the same bits.
template <class A> bool same(const A &a, const A &b) { return std::memcmp(&a, &b, sizeof a) == 0; }

// Stopped, sealed and restored: goes on to the same draws.
template <class Run, class T, class Expected>
static void resumes(Run &&run, const typename std::decay_t<Run>::options &o, const lcc::problem<T> &p,
                    const Expected &expected)
{
    using Kind = std::decay_t<Run>;
    std::size_t calls = 0;
    CHECK(!run.run(p, [&](const auto &) { return ++calls < 3; }, 2000) && calls == 3);
    auto restored = Kind::restore(run.checkpoint(), o, p);
    CHECK(restored.run(p, [](const auto &) {}, 3000));
    CHECK(all(restored.draws(1)) == expected);
    CHECK(throws<lcc::error>([&] { (void)restored.draws(columns); }));
    const T query[] = {1, 2};
    CHECK(restored.output(p, lcc::matrix<T>::row_major(query, 1, columns), 0).mean != 0);
    auto sealed = run.checkpoint();
    sealed[sealed.size() / 2] ^= 1;
    CHECK(Kind::try_restore(sealed, o, p).status() == LCC_ERROR_IMAGE_CORRUPT);
}

template <class T> static void particles(const curve<T> &c, const lcc::problem<T> &p)
{
    using smc = lcc::smc<T>;
    typename smc::options o;
    o.particles = 64;
    lcc::evidence<T> told;
    const auto expected = climbed(c, o, told);
    smc run(o, p);
    CHECK(run.try_draws(0, *std::make_unique<lcc::draws<T>>()) == LCC_ERROR_NOT_DONE);
    CHECK(throws<lcc::error>([&] { (void)run.evidence(); }));
    run.run(p);
    CHECK(all(run.draws(1)) == expected && same(run.evidence(), told));
    const auto climb = run.progress();
    CHECK(climb.done == 1 && run.stage(climb.stages - 1).temperature == 1);
    lcc::stage<T> beyond;
    CHECK(run.try_stage(climb.stages, beyond) == LCC_ERROR_INDEX);
    const auto mean = run.average(1);
    T sum = 0;
    for (const T x : expected) {
        sum += x / T(expected.size());
    }
    CHECK(mean.standard_error > 0 && std::abs(mean.mean - sum) < T(1e-4));
    const auto origins = run.origins();
    CHECK(origins.size() == 64);
    resumes(smc(o, p), o, p, expected);

    // On temperatures of one's own, in memory of the caller's.
    const T ladder[] = {T(0.1), T(0.5), T(1)};
    o.ladder = LCC_LADDER_GIVEN;
    o.stages = 3;
    std::size_t size = 0;
    CHECK(smc::try_size(o, p, size).ok());
    block own(size);
    lcc::smc<T, lcc::borrowed> lodger(own.memory, o, p, ladder);
    lodger.run(p);
    CHECK(all(lodger.draws(1)) == given(c, o, told) && same(lodger.evidence(), told));
    CHECK(all(smc::restore(lodger.checkpoint(), o, p).draws(1)) == all(lodger.draws(1)));
    CHECK(smc::try_make(o, p).status() == LCC_ERROR_TEMPERATURES);
    CHECK(throws<lcc::error>([&] { smc(o, p, lcc::span<const T>(ladder, 2)); }));

    // Chains that start at the particles.
    typename lcc::sampler<T>::options so;
    so.chains = 4;
    so.lanes = 1;
    so.warmup = 0; // while they still differ: they would soon meet, since their random numbers are the same
    so.draws = so.stored = 5;
    lcc::sampler<T> from(so, p, lodger), afresh(so, p);
    from.run(p);
    afresh.run(p);
    CHECK(all(from.draws(1)) == started(c, so, lodger.get()) && all(from.draws(1)) != all(afresh.draws(1)));
    auto resumed = lcc::sampler<T>::restore(from.checkpoint(), so, p, lodger);
    CHECK(all(resumed.draws(1)) == all(from.draws(1)));
    CHECK(lcc::sampler<T>::try_restore(from.checkpoint(), so, p).status() == LCC_ERROR_IMAGE_SHAPE);
    lcc::smc<T, lcc::borrowed> moved(std::move(lodger));
    CHECK(lcc::sampler<T>::try_make(so, p, lodger).status() == LCC_ERROR_NULL);
    CHECK(lcc::sampler<T>::try_make(so, p, moved));
    CHECK(lcc::sampler<T>::try_make(so, p, smc(typename smc::options(), p)).status() == LCC_ERROR_NOT_DONE);
}

template <class T> static void tempering(const curve<T> &c, const lcc::problem<T> &p)
{
    using tempering = lcc::tempering<T>;
    const T ladder[] = {T(0.1), T(0.5), T(1)};
    typename tempering::options o;
    o.chains = 2;
    o.lanes = 1;
    o.temperatures = 3;
    o.warmup = 20;
    o.draws = o.stored = 40;
    lcc::rung<T> told;
    const auto expected = tempered(c, o, told);
    tempering run(o, p, ladder);
    run.run(p);
    CHECK(all(run.draws(1)) == expected && same(run.rung(1, 2), told) && told.temperature == 1);
    CHECK(std::isfinite(run.log_evidence(0)) && run.restarts(1) <= 40 && run.summary(1).sd > 0);
    CHECK(throws<lcc::error>([&] { (void)run.rung(2, 0); }) && run.progress().done == run.progress().total);
    resumes(tempering(o, p, ladder), o, p, expected);
    CHECK(tempering::try_make(o, p, lcc::span<const T>(ladder, 2)).status() == LCC_ERROR_TEMPERATURES);
    std::size_t size = 0;
    CHECK(tempering::try_size(o, p, size).ok());
    block own(size);
    lcc::tempering<T, lcc::borrowed> lodger(own.memory, o, p, ladder);
    lodger.run(p);
    CHECK(all(lodger.draws(1)) == expected);
}

template <class T> static void automatic(const curve<T> &c, const lcc::problem<T> &p)
{
    using automatic = lcc::automatic<T>;
    typename automatic::options o;
    o.lanes = 1;
    o.pilot = 128;
    o.draws = 200;
    lcc::choice<T> told;
    const auto expected = chosen(c, o, told);
    automatic run(o, p);
    CHECK(run.report().choice == LCC_CHOICE_UNDECIDED);
    run.run(p);
    CHECK(all(run.draws(1)) == expected);
    const auto report = run.report();
    CHECK(report.choice == told.choice && report.verdict == told.verdict && report.rhat == told.rhat);
    CHECK(run.explain().size() > 20 && run.average(1).standard_error > 0 && run.step_size(0) > 0);
    CHECK(run.trace(LCC_TRACE_LOG_DENSITY).draws == run.draws(0).draws);
    char little[4];
    std::size_t length = 0;
    CHECK(run.try_explain(little, length) == LCC_ERROR_CAPACITY);
    resumes(automatic(o, p), o, p, expected);
    o.chains = 3;
    CHECK(automatic::try_make(o, p).status() == LCC_ERROR_PAIRS && throws<lcc::error>([&] { automatic(o, p); }));
}

// Parts of chains, each run alone, are the whole: of a sampler and of a network, owned or borrowed.
template <class T> static void joined(const curve<T> &c, const lcc::problem<T> &p)
{
    typename lcc::sampler<T>::options o;
    o.chains = 5;
    o.lanes = 1;
    o.warmup = 20;
    o.draws = o.stored = 40;
    lcc::sampler<T> straight(o, p), whole(o, p);
    straight.run(p);
    std::vector<lcc::sampler<T>> parts;
    for (const std::uint32_t first : {0u, 2u}) {
        auto part = o;
        part.first_chain = first;
        part.chains = first == 0 ? 2 : 3;
        parts.emplace_back(part, p);
        parts.back().run(p);
    }
    whole.join(parts);
    CHECK(all(whole.draws(1)) == all(straight.draws(1)) && whole.step_size(4) == straight.step_size(4));
    parts.pop_back();
    CHECK(whole.try_join(parts) == LCC_ERROR_PARTS && throws<lcc::error>([&] { whole.join(parts); }));

    const auto d = c.data();
    const auto no = small<lcc::network<T>>();
    lcc::network<T> once(no, d), together(no, d);
    once.run(d);
    auto half = no;
    half.chains = 1;
    std::size_t size = 0;
    CHECK(lcc::network<T>::try_size(half, d, size).ok());
    block one(size), other(size);
    std::vector<lcc::network<T, lcc::borrowed>> halves;
    halves.emplace_back(one.memory, half, d);
    half.first_chain = 1;
    halves.emplace_back(other.memory, half, d);
    for (auto &part : halves) {
        part.run(d);
    }
    together.join(halves);
    CHECK(together.model() == once.model());
}

// What a density throws comes out of each of them.
static void thrown()
{
    bool angry = false;
    auto fickle = lcc::make_density<double>(1, [&](auto x, auto gradient) {
        if (angry) {
            throw std::string("not today");
        }
        if (!gradient.empty()) {
            gradient[0] = -x[0];
        }
        return -0.5 * x[0] * x[0];
    });
    lcc::problem<double> p(fickle);
    p->prior = LCC_PRIOR_GAUSSIAN;
    lcc::automatic<double>::options o;
    o.chains = 4;
    o.lanes = 1;
    o.pilot = 64;
    o.draws = 50;
    lcc::automatic<double> run(o, p);
    angry = true;
    CHECK(throws<std::string>([&] { run.run(p); }));
    angry = false;
    lcc::smc<double>::options so;
    so.particles = 64;
    lcc::smc<double> climb(so, p);
    angry = true;
    CHECK(climb.try_step(p, UINT64_MAX).code() == lcc::status::callback_threw);
    CHECK(throws<std::string>([&] { p.rethrow(); }));
}

template <class T> static void both()
{
    const curve<T> c;
    lcc::problem<T> p(*lcc::data<T>::try_make(lcc::matrix<T>::row_major(c.x.data(), some, columns),
                                              lcc::span<const T>(c.y.data(), some)));
    p->alpha = 2;
    particles(c, p);
    tempering(c, p);
    automatic(c, p);
    joined(c, p);
}

int main()
{
    both<float>();
    both<double>();
    thrown();
}
