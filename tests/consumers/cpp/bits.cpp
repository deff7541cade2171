// The numbers of the C++ interface are those of the C interface, bit for bit, in both precisions.
#include "check.hpp"

#include <cmath>

// The C functions of a precision, called as a C program does.
#define C_SIDE(T, S)                                                                                         \
    static std::vector<std::uint8_t> network_by_c(const curve<T> &c)                                         \
    {                                                                                                        \
        const lcc_data_##S d = {c.x.data(), c.y.data(), rows, columns, columns, 1};                          \
        lcc_network_options_##S o = small<lcc::network<T>>();                                                \
        lcc_network_##S *network = nullptr;                                                                  \
        std::size_t size = 0;                                                                                \
        std::int32_t s = LCC_RUNNING;                                                                        \
        CHECK(lcc_network_size_##S(&o, rows, columns, &size) == LCC_OK);                                     \
        auto *memory = static_cast<std::uint8_t *>(std::malloc(size));                                       \
        CHECK(lcc_network_init_##S(memory, size, &o, &d, &network) == LCC_OK);                               \
        while (s == LCC_RUNNING) {                                                                           \
            s = lcc_network_step_##S(network, &d, 777);                                                      \
        }                                                                                                    \
        CHECK(s == LCC_DONE);                                                                                \
        std::size_t most = 0;                                                                                \
        CHECK(lcc_network_model_size_##S(network, &most) == LCC_OK);                                         \
        std::vector<std::uint8_t> model(most);                                                               \
        CHECK(lcc_network_write_model_##S(network, model.data(), most, &size) == LCC_OK);                    \
        model.resize(size);                                                                                  \
        std::free(memory);                                                                                   \
        return model;                                                                                        \
    }                                                                                                        \
    static lcc_summary_##S sampled_by_c(const curve<T> &c)                                                   \
    {                                                                                                        \
        const lcc_data_##S d = {c.x.data(), c.y.data(), rows, columns, columns, 1};                          \
        lcc_problem_##S p;                                                                                   \
        lcc_sampler_options_##S o;                                                                           \
        lcc_sampler_##S *sampler = nullptr;                                                                  \
        lcc_draws_##S draws;                                                                                 \
        lcc_summary_##S summary;                                                                             \
        std::size_t size = 0;                                                                                \
        std::size_t scratch = 0;                                                                             \
        CHECK(lcc_problem_default_##S(&p, rows) == LCC_OK);                                                  \
        p.alpha = 2;                                                                                         \
        CHECK(lcc_sampler_options_default_##S(&o) == LCC_OK);                                                \
        o.chains = 4;                                                                                        \
        o.draws = o.stored = 50;                                                                             \
        CHECK(lcc_sampler_size_##S(&o, &p, &d, &size) == LCC_OK);                                            \
        CHECK(lcc_draws_scratch_##S(4, 50, &scratch) == LCC_OK);                                             \
        auto *memory = static_cast<std::uint8_t *>(std::malloc(size));                                       \
        auto *work = static_cast<std::uint8_t *>(std::malloc(scratch));                                      \
        CHECK(lcc_sampler_init_##S(memory, size, &o, &p, &d, &sampler) == LCC_OK);                           \
        while (lcc_sampler_step_##S(sampler, &p, &d, 1000) == LCC_RUNNING) {                                 \
        }                                                                                                    \
        CHECK(lcc_read_draws_##S(sampler, 1, &draws) == LCC_OK);                                             \
        CHECK(lcc_draws_summarise_##S(&draws, work, scratch, &summary) == LCC_OK);                           \
        std::free(work);                                                                                     \
        std::free(memory);                                                                                   \
        return summary;                                                                                      \
    }                                                                                                        \
    static std::int32_t certified_by_c(const curve<T> &c, lcc_certificates_##S &out)                         \
    {                                                                                                        \
        const lcc_data_##S d = {c.x.data(), c.y.data(), rows, columns, columns, 1};                          \
        lcc_problem_##S p;                                                                                   \
        std::size_t size = 0;                                                                                \
        CHECK(lcc_problem_default_##S(&p, rows) == LCC_OK);                                                  \
        p.alpha = 2;                                                                                         \
        CHECK(lcc_certificates_scratch_##S(&p, &d, &size) == LCC_OK);                                        \
        auto *work = static_cast<std::uint8_t *>(std::malloc(size));                                         \
        out.struct_size = sizeof out;                                                                        \
        const std::int32_t s = lcc_certificates_evaluate_##S(&p, &d, work, size, &out);                      \
        std::free(work);                                                                                     \
        return s;                                                                                            \
    }
C_SIDE(float, f32)
C_SIDE(double, f64)

template <class T> static void both()
{
    const curve<T> c;
    const auto d = c.data();

    // The network: owned, borrowed, of columns, cut into other steps, sealed and restored on the way.
    const auto expected = network_by_c(c);
    const auto o = small<lcc::network<T>>();
    lcc::network<T> network(o, d);
    network.run(d);
    CHECK(network.model() == expected);
    CHECK(network.trace(LCC_NETWORK_TRACE_ENERGY).draws == 40);
    CHECK(network.diagnose().chains_used + network.diagnose().chains_dropped == 2);

    std::size_t size = 0;
    CHECK(lcc::network<T>::try_size(o, d, size).ok());
    std::vector<std::max_align_t> own(size / sizeof(std::max_align_t) + 2, std::max_align_t{});
    auto *first = reinterpret_cast<std::uint8_t *>(own.data());
    first += (16 - reinterpret_cast<std::uintptr_t>(first) % 16) % 16;
    const lcc::data<T> by_columns(lcc::matrix<T>::column_major(c.transposed.data(), rows, columns), c.y);
    lcc::network<T, lcc::borrowed> lodger(lcc::bytes(first, size), o, by_columns);
    CHECK(static_cast<void *>(lodger.get()) == first);
    // Nothing of what was in the memory before gets into a checkpoint.
    const auto clean = lodger.checkpoint();
    std::memset(first, 0xa5, size);
    CHECK((lcc::network<T, lcc::borrowed>(lcc::bytes(first, size), o, by_columns).checkpoint() == clean));
    std::memset(first, 0, size);
    lodger = lcc::network<T, lcc::borrowed>(lcc::bytes(first, size), o, by_columns);
    CHECK(lodger.checkpoint() == clean);
    std::size_t calls = 0;
    CHECK(!lodger.run(by_columns, [&](const lcc_progress &p) { return ++calls < 3 && p.done < p.total; }, 500));
    CHECK(calls == 3);
    auto resumed = lcc::network<T>::restore(lodger.checkpoint(), o, d);
    CHECK(resumed.run(d, [](const lcc_progress &) {}, 1234));
    CHECK(resumed.model() == expected);

    // Predictions, from the model where it lies.
    lcc::predictor<T> predictor(expected);
    const auto predictions = predictor.predict(d, T(0.8));
    CHECK(predictions.size() == rows && predictor.info().inputs == columns);
    const auto one = predictor.predict(lcc::span<const T>(c.x.data() + columns, columns), T(0.8));
    CHECK(one.mean == predictions[1].mean && one.upper == predictions[1].upper);
    const T levels[] = {T(0.1), T(0.9)};
    const auto q = predictor.quantiles(d, levels);
    CHECK(q[2] == predictions[1].lower && q[3] == predictions[1].upper);
    CHECK(predictor.draw(d, 5, 3).size() == 3 * rows);
    CHECK(predictor.function(d).size() == predictor.info().draws * rows);
    CHECK(predictor.score(d).size() == rows && predictor.evaluate(d).rmse > 0);

    // Leave-one-out: what a row adds to the log likelihood in sample is above what it would be told without it.
    const auto told = predictor.log_likelihood(d);
    const std::size_t kept = predictor.info().draws;
    const auto loo = lcc::make_loo<T>({told.data(), 1, kept, kept, 1}, rows, kept);
    CHECK(loo.rows.size() == rows && loo.total.elpd < T(rows) * predictor.evaluate(d).log_likelihood);
    std::vector<T> middle(columns + 1), unit(columns + 1);
    CHECK(predictor.try_units(middle, unit).ok() && unit[columns] > 0);
    CHECK(predictor.try_units(middle, {}) == LCC_ERROR_CAPACITY);

    // A sampler.
    lcc::problem<T> problem(d);
    problem->alpha = 2;
    typename lcc::sampler<T>::options so;
    so.chains = 4;
    so.draws = so.stored = 50;
    lcc::sampler<T> sampler(so, problem);
    sampler.run(problem);
    const auto mine = sampler.summary(1);
    const auto theirs = sampled_by_c(c);
    CHECK(std::memcmp(&mine, &theirs, sizeof mine) == 0);
    CHECK(lcc::chain(sampler.draws(0), 3).size() == 50 && sampler.step_size(0) > 0);
    CHECK(sampler.output(problem, d, 0).sd > 0);
    std::array<T, columns> mean{}, variance{}, gradient{};
    CHECK(sampler.try_moments(0, mean, variance).ok() && variance[0] > 0);
    CHECK(problem.dim() == columns && std::isfinite(problem.log_density(mean, gradient)));
    CHECK(gradient[0] != 0 && gradient[1] != 0);

    // A joint posterior, sealed and restored.
    auto joint = lcc::problem<T>::joint(d, 2);
    lcc::sampler<T> wide(so, joint);
    CHECK(wide.step(joint, 5000).running());
    auto again = lcc::sampler<T>::restore(wide.checkpoint(), so, joint);
    wide.run(joint);
    again.run(joint);
    CHECK(lcc::chain(wide.draws(3), 1) == lcc::chain(again.draws(3), 1));

    // Several hidden layers: coordinates under the Gaussian prior, a row of each layer after another.
    typename lcc::bnn<T>::options widths;
    widths.widths[0] = 3;
    widths.widths[1] = 2;
    CHECK(lcc::problem<T>::layers(d, widths).dim() == 3 * columns + 2 * 3);

    // Certificates.
    const lcc::certificates<T> certified(problem);
    std::conditional_t<sizeof(T) == 4, lcc_certificates_f32, lcc_certificates_f64> by_c;
    CHECK(certified_by_c(c, by_c) == LCC_OK && certified.size() == by_c.count);
    CHECK(certified.conclusion() == by_c.conclusion && certified[0].value == by_c.entries[0].value);
    CHECK(certified.explain().size() > 20);
    lcc_probe_options probing;
    CHECK(lcc_probe_options_default(&probing) == LCC_OK);
    std::vector<T> w(problem.dim(), T(0.1));
    auto probed = certified;
    probed.probe(problem, probing, w, {}, 0);
    CHECK(probed.get()->probes > 0 && certified.conclusion() == by_c.conclusion);
    CHECK(probed.try_probe(problem, probing, lcc::span<const T>(w.data(), w.size() - 1), {}, 1).code() ==
          lcc::status::length_mismatch);

    // Greedy Bayes.
    typename lcc::greedy<T>::options go;
    go.levels = 2;
    go.particles = 32;
    go.keep = 16;
    lcc::greedy<T> greedy(go, d);
    greedy.run(d);
    CHECK(greedy.levels() <= 2 && greedy.report(0).stages > 0);
    auto sealed = lcc::greedy<T>::restore(greedy.checkpoint(), go, d);
    CHECK(sealed.model() == greedy.model());

    // A stream.
    typename lcc::stream<T>::options to;
    lcc::stream<T> stream(to, expected);
    const lcc::span<const T> row(c.x.data(), columns);
    const auto before = stream.predict(row);
    CHECK(before.lower < before.upper && stream.observe(row, c.y[0]).pit > 0);
    CHECK(stream.info().rows == 1);
    auto follows = lcc::stream<T>::restore(stream.checkpoint(), to, expected);
    CHECK(follows.predict(row).mean == stream.predict(row).mean);
    CHECK(follows.model(true, 9) == stream.model(true, 9));
}

int main()
{
    both<float>();
    both<double>();
}
