// Without exceptions and run-time types: the noexcept forms alone, in static memory.
#include "check.hpp"

static_assert(LCC_EXCEPTIONS == 0, "this is built with -fno-exceptions");

alignas(16) static std::uint8_t memory[1 << 16];

int main()
{
    const curve<float> c;
    const auto d = c.data();
    using network = lcc::network<float, lcc::borrowed>;
    auto o = small<network>();
    auto made = network::try_make(memory, o, d);
    CHECK(made);
    lcc::status s = LCC_RUNNING;
    while (s.running()) {
        s = made->try_step(d, 1000);
    }
    CHECK(s.done());
    auto model = made->try_model();
    CHECK(model);
    auto predictor = lcc::predictor<float>::try_make(*model);
    CHECK(predictor);
    std::array<lcc::prediction<float>, rows> out;
    CHECK(predictor->try_predict(d, 0.9f, out) == LCC_OK && out[0].lower < out[0].upper);
    CHECK(predictor->try_predict(d, 2.0f, out) == LCC_ERROR_PROBABILITY);
    o.neurons = 0;
    CHECK(network::try_make(memory, o, d).status() == LCC_ERROR_NEURONS);

    auto density = lcc::make_density<float>(1, [](auto x, auto gradient) {
        if (!gradient.empty()) {
            gradient[0] = -x[0];
        }
        return -x[0] * x[0] / 2;
    });
    const lcc::problem<float> problem(density);
    lcc::sampler<float>::options so;
    so.chains = 2;
    so.lanes = 1;
    so.draws = so.stored = 50;
    auto sampler = lcc::sampler<float>::try_make(so, problem);
    CHECK(sampler && sampler->try_step(problem, UINT64_MAX).done());
    lcc::draws<float> draws;
    CHECK(sampler->try_draws(0, draws).ok());
    auto summary = lcc::try_summarise(draws);
    CHECK(summary && summary->sd > 0);

    // Particles, and chains from them.
    lcc::problem<float> posterior(d);
    auto coupling = lcc::coupling<float>::try_make(posterior);
    std::array<float, rows> xi, score;
    const std::array<float, columns> w{0.5f, -0.5f};
    CHECK(coupling && coupling->try_draw(w, 1, xi).ok() && coupling->try_score(xi, w, score).ok());
    CHECK(coupling->try_draw({}, 1, xi).code() == lcc::status::length_mismatch);
    CHECK(lcc::theory<float>::approximation(3, 9) == 1);
    lcc::smc<float>::options po;
    po.particles = 32;
    auto smc = lcc::smc<float, lcc::borrowed>::try_make(memory, po, posterior);
    lcc::evidence<float> evidence;
    CHECK(smc && smc->try_evidence(evidence) == LCC_ERROR_NOT_DONE);
    CHECK(smc->try_step(posterior, UINT64_MAX).done() && smc->try_evidence(evidence).ok());
    CHECK(smc->try_draws(0, draws).ok() && smc->try_average(draws)->standard_error > 0);
    auto from = lcc::sampler<float>::try_make(so, posterior, *smc);
    CHECK(from && from->try_step(posterior, UINT64_MAX).done());
    auto sealed = smc->try_checkpoint();
    CHECK(sealed && (lcc::smc<float>::try_restore(*sealed, po, posterior)));

    // Row by row.
    lcc::prequential<float>::options qo;
    qo.levels = 2;
    qo.particles = 32;
    qo.keep = 8;
    auto learner = lcc::prequential<float, lcc::borrowed>::try_make(memory, qo, d);
    const lcc::span<const float> row(c.x.data(), columns);
    CHECK(learner && learner->try_observe(row, c.y[0]).ok() && learner->try_step(UINT64_MAX).done());
    CHECK(learner->try_forecast(row) && learner->try_model(LCC_AVERAGING_LAST));
    CHECK(learner->try_forecast(row, 2).status() == LCC_ERROR_PROBABILITY);
    auto window = lcc::window<float>::try_make(4, columns);
    CHECK(window && window->try_push(row, c.y[0]).ok() && window->try_data()->rows() == 1);
}
