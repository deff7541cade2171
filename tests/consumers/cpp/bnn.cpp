// Bayesian networks: the C interface's bits in both precisions, parts and checkpoints, and models of classes.
#include "check.hpp"

#include <cmath>
#include <string>

// A fit of some milliseconds.
template <class Network> static typename Network::options short_chains()
{
    typename Network::options o;
    o.widths[0] = 3;
    o.widths[1] = 2;
    o.chains = 4;
    o.lanes = 1;
    o.start_steps = 30;
    o.warmup = 3;
    o.draws = 4;
    o.leapfrogs = 6;
    o.trace_rows = 3;
    return o;
}

#define C_SIDE(T, S)                                                                                         \
    static std::vector<std::uint8_t> bnn_by_c(const curve<T> &c)                                             \
    {                                                                                                        \
        const lcc_data_##S d = {c.x.data(), c.y.data(), rows, columns, columns, 1};                          \
        lcc_bnn_options_##S o = short_chains<lcc::bnn<T>>();                                                 \
        lcc_bnn_##S *network = nullptr;                                                                      \
        std::size_t size = 0, most = 0;                                                                      \
        CHECK(lcc_bnn_size_##S(&o, rows, columns, &size) == LCC_OK);                                         \
        auto *memory = static_cast<std::uint8_t *>(std::malloc(size));                                       \
        CHECK(lcc_bnn_init_##S(memory, size, &o, &d, &network) == LCC_OK);                                   \
        while (lcc_bnn_step_##S(network, &d, 777) == LCC_RUNNING) {                                          \
        }                                                                                                    \
        CHECK(lcc_bnn_model_size_##S(network, &most) == LCC_OK);                                             \
        std::vector<std::uint8_t> model(most);                                                               \
        CHECK(lcc_bnn_write_model_##S(network, model.data(), most, &size) == LCC_OK);                        \
        model.resize(size);                                                                                  \
        std::free(memory);                                                                                   \
        return model;                                                                                        \
    }
C_SIDE(float, f32)
C_SIDE(double, f64)

template <class T> static void numbers(const curve<T> &c)
{
    using bnn = lcc::bnn<T>;
    const auto d = c.data();
    const auto expected = bnn_by_c(c);
    auto o = short_chains<bnn>();
    CHECK(bnn::chains(o, d) == 4);
    std::uint32_t folds = 0;
    std::vector<T> ramp(40);
    std::vector<std::uint32_t> alone(40), together(40), groups(40);
    for (std::size_t i = 0; i < 40; i++) {
        ramp[i] = static_cast<T>(i);
        groups[i] = static_cast<std::uint32_t>(i / 4);
    }
    const lcc::data<T> forty(lcc::matrix<T>::row_major(ramp.data(), 40, 1), ramp);
    CHECK(bnn::try_folds(o, forty, alone, folds) == LCC_OK && folds == 4);
    CHECK(bnn::try_folds(o, forty, groups, together, folds) == LCC_OK && folds == 4 && together != alone);
    CHECK(together[0] == together[3] && together[36] == together[39]);
    groups.pop_back();
    CHECK(bnn::try_folds(o, forty, groups, together, folds) == LCC_ERROR_CAPACITY);
    bnn network(o, d);
    CHECK(network.try_model().status() == LCC_ERROR_NOT_DONE && throws<lcc::error>([&] { (void)network.point(); }));
    CHECK(throws<lcc::error>([&] { (void)network.diagnose(); }));
    CHECK(!network.run(d, [](const lcc_progress &p) { return p.done < 40; }, 1));
    auto resumed = bnn::restore(network.checkpoint(), o, d);
    network.run(d);
    resumed.run(d);
    CHECK(network.model() == expected && resumed.model() == expected);
    CHECK(network.trace(LCC_BNN_TRACE_PREDICTION, 2).chains == 4);
    lcc::draws<T> draws;
    CHECK(network.try_trace(LCC_BNN_TRACE_PREDICTION, 3, draws) == LCC_ERROR_INDEX);
    const auto diagnosis = network.diagnose();
    CHECK(diagnosis.chains_used + diagnosis.chains_dropped == 4 && diagnosis.luck_rms > 0);

    // Parts, and the point of the best start among them.
    auto part = o;
    part.chains = 2;
    std::vector<bnn> parts;
    for (part.first_chain = 0; part.first_chain < 4; part.first_chain += 2) {
        parts.emplace_back(part, d);
        parts.back().run(d);
    }
    bnn whole(o, d);
    whole.join(parts);
    CHECK(whole.model() == expected && whole.point() == network.point());
    CHECK(whole.point() == parts[0].point() || whole.point() == parts[1].point());
    CHECK(lcc::predictor<T>(expected).info().widths[1] == 2);

    // Weights: of 1 they change nothing, others do, and are other data.
    std::vector<T> ones(d.rows(), T(1)), twos(d.rows(), T(2));
    bnn same(o, lcc::weighted<T>(d, ones)), other(o, lcc::weighted<T>(d, twos));
    CHECK(other.try_step(d, 1) == LCC_ERROR_DATA_CHANGED);
    same.run(lcc::weighted<T>(d, ones));
    other.run(lcc::weighted<T>(d, twos));
    CHECK(same.model() == expected && other.model() != expected);
    CHECK(lcc::weighted<T>::try_make(d, lcc::span<const T>(ones.data(), 1)).status().code() == lcc::status::length_mismatch);
    ones[1] = T(-1);
    CHECK(bnn::try_make(o, lcc::weighted<T>(d, ones)).status() == LCC_ERROR_WEIGHTS);

    // A Gaussian about the best of the modes.
    auto about = o;
    about.method = LCC_INFERENCE_LAPLACE_DIAGONAL;
    about.keep = about.draws = 5;
    lcc::bnn_mode<T> mode{};
    CHECK(network.try_mode(0, mode) == LCC_ERROR_METHOD && throws<lcc::error>([&] { (void)network.mode(); }));
    bnn gaussian(about, d);
    CHECK(gaussian.try_mode(0, mode) == LCC_ERROR_NOT_DONE);
    gaussian.run(d);
    CHECK(gaussian.try_mode(0, mode).ok() && std::isfinite(mode.log_evidence) && gaussian.mode(3).steps >= 1);
    const auto drawn = gaussian.model();
    CHECK(lcc::predictor<T>(drawn).info().draws == 5);
    CHECK(drawn == gaussian.linearised() && drawn != gaussian.networks() && network.networks() == network.model());
    CHECK(std::string(bnn::law(about)).find("Gaussian") != std::string::npos);

    about.method = LCC_INFERENCE_PENALTY;
    about.batch = 4, about.leapfrogs = 5;
    bnn walk(about, d);
    lcc::bnn_changes<T> changes{};
    CHECK(walk.try_noise(0, changes) == LCC_ERROR_NOT_DONE);
    CHECK(network.try_noise(0, changes) == LCC_ERROR_METHOD && throws<lcc::error>([&] { (void)network.noise(); }));
    walk.run(d);
    CHECK(walk.noise(1).temperature > 1 && walk.noise().variance > 0);
    about.batch = 0;

    about.method = LCC_INFERENCE_VARIATIONAL;
    about.ascent_steps = 50;
    bnn fitted(about, d);
    std::vector<T> mean(static_cast<std::size_t>(diagnosis.coordinates)), sd(mean.size());
    CHECK(fitted.try_gaussian(0, mean, sd) == LCC_ERROR_NOT_DONE);
    CHECK(network.try_gaussian(0, mean, sd) == LCC_ERROR_METHOD);
    fitted.run(d);
    fitted.gaussian(0, mean, sd);
    CHECK(sd[0] > 0 && std::isfinite(mean[0]) && fitted.mode().error > 0);

    std::size_t size = 0;
    CHECK(bnn::try_size(o, d, size).ok());
    alignas(16) static std::uint8_t memory[1 << 18];
    CHECK(size <= sizeof memory);
    lcc::bnn<T, lcc::borrowed> lodger(memory, o, d);
    lodger.run(d);
    CHECK(lodger.model() == expected);
    o.widths[0] = 0;
    std::uint32_t chains = 7;
    CHECK(bnn::try_make(o, d).status() == LCC_ERROR_LAYERS && throws<lcc::error>([&] { bnn(o, d); }));
    CHECK(bnn::try_chains(o, d, chains) == LCC_ERROR_LAYERS && chains == 7);
    CHECK(throws<lcc::error>([&] { (void)bnn::chains(o, d); }));
}

template <class T> static void classes(const curve<T> &c)
{
    auto labelled = c;
    for (std::size_t i = 0; i < rows; ++i) {
        labelled.y[i] = c.x[2 * i] > 0 ? T(1) + T(i % 2) : T(0);
    }
    const auto d = labelled.data();
    auto o = short_chains<lcc::bnn<T>>();
    o.output = LCC_OUTPUT_SOFTMAX;
    o.categories = 3;
    lcc::bnn<T> network(o, d);
    network.run(d);
    const auto model = network.model();
    const std::uint8_t note[] = {1, 2, 3};
    const auto attached = lcc::attach(model, note);
    CHECK(attached.size() == model.size() + 3 && attached.back() == 3);
    CHECK(!lcc::try_attach(lcc::const_bytes(model.data(), 9), note));
    const auto small = lcc::thin<T>(attached, 4);
    lcc_model_info kept;
    CHECK(lcc_model_check(small.model.data(), small.model.size(), &kept) == LCC_OK);
    CHECK(kept.draws == 4 && kept.attachment == 3 && small.lost.rms > 0 && small.lost.rms <= small.lost.largest);
    CHECK(lcc::try_thin<T>(model, 0).status() == LCC_ERROR_DRAWS);
    lcc::predictor<T> predictor(attached);
    CHECK(predictor.info().attachment == 3 && predictor.info().output == LCC_OUTPUT_SOFTMAX);
    const auto p = predictor.classes(d);
    std::array<T, 3 * rows> again{};
    std::array<lcc::class_facts<T>, rows> facts{};
    CHECK(predictor.try_classes(d, again, facts).ok());
    CHECK(std::equal(p.begin(), p.end(), again.begin(), again.end()));
    CHECK(predictor.try_classes(d, lcc::span<T>(again.data(), 5)) == LCC_ERROR_CAPACITY);
    const auto spreads = predictor.spread(d);
    const auto predictions = predictor.predict(d);
    for (std::size_t i = 0; i < rows; ++i) {
        CHECK(std::abs(p[3 * i] + p[3 * i + 1] + p[3 * i + 2] - 1) < T(1e-5));
        CHECK(facts[i].top >= p[3 * i] && facts[i].entropy > 0 && facts[i].mutual_information >= 0);
        CHECK(std::abs(std::hypot(spreads[i].aleatoric, spreads[i].epistemic) - predictions[i].sd) < T(1e-4));
    }
    const auto scores = predictor.evaluate_classes(d, T(0.8));
    CHECK(scores.accuracy > T(0.3) && scores.set_size >= 1 && scores.log_likelihood < 0);
    CHECK(throws<lcc::error>([&] { (void)predictor.evaluate(d); }));
    const auto real = bnn_by_c(c);
    CHECK(lcc::predictor<T>(real).try_classes(d, again) == LCC_ERROR_OUTPUT);
    CHECK(lcc::bnn<T>::try_make(o, c.data()).status() == LCC_ERROR_TARGET);
}

template <class T> static void both()
{
    const curve<T> c;
    numbers(c);
    classes(c);
}

int main()
{
    both<float>();
    both<double>();
}
