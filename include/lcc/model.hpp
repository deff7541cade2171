/* Models: bytes that predict. Part of <lcc.hpp>. */
#ifndef LCC_MODEL_HPP
#define LCC_MODEL_HPP

#include <lcc/data.hpp>

namespace lcc {

namespace detail {

template <class T> struct model_api;

#define LCC_MODEL_API(T, S)                                                                                  \
    template <> struct model_api<T> {                                                                        \
        using prediction = lcc_prediction_##S;                                                               \
        using score = lcc_score_##S;                                                                         \
        using evaluation = lcc_evaluation_##S;                                                               \
        using spread = lcc_spread_##S;                                                                       \
        using class_facts = lcc_class_facts_##S;                                                             \
        using class_evaluation = lcc_class_evaluation_##S;                                                   \
        using thinned = lcc_thinned_##S;                                                                     \
        static constexpr auto scratch = &lcc_model_scratch_##S;                                              \
        static constexpr auto predict = &lcc_model_predict_##S;                                              \
        static constexpr auto quantile = &lcc_model_quantile_##S;                                            \
        static constexpr auto score_rows = &lcc_model_score_##S;                                             \
        static constexpr auto evaluate = &lcc_model_evaluate_##S;                                            \
        static constexpr auto function = &lcc_model_function_##S;                                            \
        static constexpr auto draw = &lcc_model_draw_##S;                                                    \
        static constexpr auto spread_rows = &lcc_model_spread_##S;                                           \
        static constexpr auto classes = &lcc_model_classes_##S;                                              \
        static constexpr auto evaluate_classes = &lcc_model_evaluate_classes_##S;                            \
        static constexpr auto parameters = &lcc_model_parameters_##S;                                        \
        static constexpr auto log_likelihood = &lcc_model_log_likelihood_##S;                                \
        static constexpr auto units = &lcc_model_units_##S;                                                  \
        static constexpr auto thin_scratch = &lcc_model_thin_scratch_##S;                                    \
        static constexpr auto thin = &lcc_model_thin_##S;                                                    \
    };
LCC_MODEL_API(float, f32)
LCC_MODEL_API(double, f64)
#undef LCC_MODEL_API

} // namespace detail

/** Mean, sd and interval at a row. */
template <class T> using prediction = typename detail::model_api<T>::prediction;
/** Log density, probability integral transform and CRPS of a target. */
template <class T> using score = typename detail::model_api<T>::score;
/** The scores of a test set. */
template <class T> using evaluation = typename detail::model_api<T>::evaluation;
/** The aleatoric and the epistemic part of an sd. */
template <class T> using spread = typename detail::model_api<T>::spread;
/** Entropy, mutual information and largest probability of the classes at a row. */
template <class T> using class_facts = typename detail::model_api<T>::class_facts;
/** The scores of the classes of a test set. */
template <class T> using class_evaluation = typename detail::model_api<T>::class_evaluation;
/** The bytes of a model: to be written to a file, or put in flash. Either precision reads them. */
using image = std::vector<std::uint8_t>;

/**
 * Reads a model, where it lies, in precision T: it keeps a view of the bytes, and scratch of its own, so one
 * thread at a time uses it; several may share the bytes.
 */
template <class T> class predictor {
    using api = detail::model_api<T>;

public:
    /** Verifies every byte. @throws error */
    explicit predictor(const_bytes model) : predictor(try_make(model).value()) {}
    explicit predictor(lcc::image &&) = delete; // a view of a temporary would dangle

    static result<predictor> try_make(const_bytes model) noexcept
    {
        if (!abi_matches()) {
            return status(status::abi_mismatch);
        }
        if (model.empty()) {
            return status(LCC_ERROR_IMAGE_TRUNCATED);
        }
        lcc_model_info info;
        std::size_t size = 0;
        status s = lcc_model_check(model.data(), model.size(), &info);
        if (s.ok()) {
            s = api::scratch(model.data(), model.size(), &size);
        }
        if (!s.ok()) {
            return s;
        }
        predictor made(model, info);
        s = made.scratch_.reserve(size);
        return s.ok() ? result<predictor>(std::move(made)) : s;
    }

    /** Inputs, layers, draws, precision, activation, output, the length of an attachment. */
    const lcc_model_info &info() const noexcept { return info_; }

    /** One prediction a row, with the interval of probability `level`. */
    [[nodiscard]] status try_predict(const data<T> &rows, T level, span<prediction<T>> out) noexcept
    {
        return api::predict(model_.data(), model_.size(), rows.get(), level, scratch_.data(), scratch_.size(),
                            out.data(), out.size());
    }
    std::vector<prediction<T>> predict(const data<T> &rows, T level = T(0.9))
    {
        return filled<prediction<T>>(rows.rows(), [&](auto out) { return try_predict(rows, level, out); });
    }
    /** The prediction at one row of d inputs. */
    prediction<T> predict(span<const T> row, T level = T(0.9))
    {
        prediction<T> out;
        check(try_predict(data<T>(matrix<T>::row_major(row.data(), 1, row.size())), level,
                          span<prediction<T>>(&out, 1)));
        return out;
    }

    /** out[i * p.size() + k]: the p[k]-quantile at row i. */
    [[nodiscard]] status try_quantiles(const data<T> &rows, span<const T> p, span<T> out) noexcept
    {
        return api::quantile(model_.data(), model_.size(), rows.get(), p.data(), p.size(), scratch_.data(),
                             scratch_.size(), out.data(), out.size());
    }
    std::vector<T> quantiles(const data<T> &rows, span<const T> p)
    {
        return filled<T>(rows.rows() * p.size(), [&](auto out) { return try_quantiles(rows, p, out); });
    }

    /** out[i * each + k]: draw k of y at row i from the predictive law. */
    [[nodiscard]] status try_draw(const data<T> &rows, std::uint64_t seed, std::size_t each, span<T> out) noexcept
    {
        return api::draw(model_.data(), model_.size(), rows.get(), seed, each, scratch_.data(), scratch_.size(),
                         out.data(), out.size());
    }
    std::vector<T> draw(const data<T> &rows, std::uint64_t seed, std::size_t each)
    {
        return filled<T>(rows.rows() * each, [&](auto out) { return try_draw(rows, seed, each, out); });
    }

    /** out[i * draws + k]: the regression function of draw k at row i, without noise. */
    [[nodiscard]] status try_function(const data<T> &rows, span<T> out) noexcept
    {
        return api::function(model_.data(), model_.size(), rows.get(), scratch_.data(), scratch_.size(),
                             out.data(), out.size());
    }
    std::vector<T> function(const data<T> &rows)
    {
        return filled<T>(rows.rows() * info_.draws, [&](auto out) { return try_function(rows, out); });
    }

    /** out[i * draws + k]: the log density of target i under draw k, for make_loo (of one chain, rows `draws` apart). */
    [[nodiscard]] status try_log_likelihood(const data<T> &rows, span<T> out) noexcept
    {
        return api::log_likelihood(model_.data(), model_.size(), rows.get(), scratch_.data(), scratch_.size(), out.data(),
                                   out.size());
    }
    std::vector<T> log_likelihood(const data<T> &rows)
    {
        return filled<T>(rows.rows() * info_.draws, [&](auto out) { return try_log_likelihood(rows, out); });
    }

    /** The mean and the sd of each input, then of the target: a model works on (x - mean) / sd. */
    [[nodiscard]] status try_units(span<T> mean, span<T> sd) const noexcept
    {
        const std::size_t least = mean.size() < sd.size() ? mean.size() : sd.size();
        return api::units(model_.data(), model_.size(), mean.data(), sd.data(), least);
    }

    /** How each target fares under its prediction. */
    [[nodiscard]] status try_score(const data<T> &rows, span<lcc::score<T>> out) noexcept
    {
        return api::score_rows(model_.data(), model_.size(), rows.get(), scratch_.data(), scratch_.size(),
                               out.data(), out.size());
    }
    std::vector<lcc::score<T>> score(const data<T> &rows)
    {
        return filled<lcc::score<T>>(rows.rows(), [&](auto out) { return try_score(rows, out); });
    }

    /** RMSE, log likelihood, coverage and width of the intervals, and the CRPS where it is asked for. */
    [[nodiscard]] status try_evaluate(const data<T> &rows, T level, bool crps, evaluation<T> &out) noexcept
    {
        return api::evaluate(model_.data(), model_.size(), rows.get(), level, crps ? 1 : 0, scratch_.data(),
                             scratch_.size(), &out);
    }
    evaluation<T> evaluate(const data<T> &rows, T level = T(0.9), bool crps = false)
    {
        evaluation<T> out;
        check(try_evaluate(rows, level, crps, out));
        return out;
    }

    /** What the sd at each row is made of. */
    [[nodiscard]] status try_spread(const data<T> &rows, span<lcc::spread<T>> out) noexcept
    {
        return api::spread_rows(model_.data(), model_.size(), rows.get(), scratch_.data(), scratch_.size(),
                                out.data(), out.size());
    }
    std::vector<lcc::spread<T>> spread(const data<T> &rows)
    {
        return filled<lcc::spread<T>>(rows.rows(), [&](auto out) { return try_spread(rows, out); });
    }

    /** out[i * info().categories + c]: the probability of class c at row i; facts of each row, or none. */
    [[nodiscard]] status try_classes(const data<T> &rows, span<T> out, span<class_facts<T>> facts = {}) noexcept
    {
        return api::classes(model_.data(), model_.size(), rows.get(), scratch_.data(), scratch_.size(), out.data(),
                            out.size(), facts.data(), facts.size());
    }
    std::vector<T> classes(const data<T> &rows)
    {
        return filled<T>(rows.rows() * info_.categories, [&](auto out) { return try_classes(rows, out); });
    }

    /** Accuracy, log likelihood, Brier score, calibration; coverage and size of sets of probability `level`. */
    [[nodiscard]] status try_evaluate_classes(const data<T> &rows, T level, class_evaluation<T> &out) noexcept
    {
        return api::evaluate_classes(model_.data(), model_.size(), rows.get(), level, scratch_.data(),
                                     scratch_.size(), &out);
    }
    class_evaluation<T> evaluate_classes(const data<T> &rows, T level = T(0.9))
    {
        class_evaluation<T> out;
        check(try_evaluate_classes(rows, level, out));
        return out;
    }

private:
    predictor(const_bytes model, const lcc_model_info &info) noexcept : model_(model), info_(info) {}

    template <class V, class Call> static std::vector<V> filled(std::size_t size, Call &&call)
    {
        std::vector<V> out(size);
        check(call(span<V>(out)));
        return out;
    }

    const_bytes model_;
    lcc_model_info info_;
    detail::scratch scratch_;
};

/** A copy of a model with bytes of yours at its end: the last info().attachment of them. */
inline result<image> try_attach(const_bytes model, const_bytes own) noexcept
{
    auto out = detail::vector_of<std::uint8_t>(model.size() + own.size());
    if (out) {
        std::size_t length = 0;
        status s = lcc_model_attach(model.data(), model.size(), own.data(), own.size(), out->data(), out->size(),
                                    &length);
        if (!s.ok()) {
            return s;
        }
        out->resize(length);
    }
    return out;
}
inline image attach(const_bytes model, const_bytes own) { return try_attach(model, own).value(); }

/** A copy of a model of classes at a temperature: that under which held-out rows score best. */
inline result<image> try_temper(const_bytes model, double temperature) noexcept
{
    auto out = detail::vector_of<std::uint8_t>(model.size());
    if (out) {
        std::size_t length = 0;
        status s = lcc_model_temper(model.data(), model.size(), temperature, out->data(), out->size(), &length);
        if (!s.ok()) {
            return s;
        }
        out->resize(length);
    }
    return out;
}
inline image temper(const_bytes model, double temperature) { return try_temper(model, temperature).value(); }

/** A model of some of the draws, and the differences of its probabilities from those of all: rms, largest. */
template <class T> struct thinned {
    lcc::image model;
    typename detail::model_api<T>::thinned lost;
};

/** Keeps so many draws, which together predict most nearly as all do at the rows, or without rows at random ones. */
template <class T>
result<thinned<T>> try_thin(const_bytes model, std::size_t draws, const data<T> *rows = nullptr) noexcept
{
    using api = detail::model_api<T>;
    std::size_t need = 0;
    std::size_t length = 0;
    detail::scratch memory;
    status s = api::thin_scratch(model.data(), model.size(), &need);
    if (s.ok()) {
        s = memory.reserve(need);
    }
    if (!s.ok()) {
        return s;
    }
    auto out = detail::vector_of<std::uint8_t>(model.size());
    if (!out) {
        return out.status();
    }
    thinned<T> made{};
    s = api::thin(model.data(), model.size(), draws, rows == nullptr ? nullptr : rows->get(), memory.data(),
                  memory.size(), out->data(), out->size(), &length, &made.lost);
    if (!s.ok()) {
        return s;
    }
    out->resize(length);
    made.model = std::move(*out);
    return made;
}
template <class T> thinned<T> thin(const_bytes model, std::size_t draws, const data<T> &rows)
{
    return try_thin<T>(model, draws, &rows).value();
}
template <class T> thinned<T> thin(const_bytes model, std::size_t draws)
{
    return try_thin<T>(model, draws).value();
}

namespace detail {

/** The model of an object whose C functions want scratch for it. */
template <class Size, class Write> result<image> written(Size &&size, Write &&write) noexcept
{
    std::size_t most = 0;
    std::size_t need = 0;
    std::size_t length = 0;
    scratch memory;
    status s = size(&most, &need);
    if (s.ok()) {
        s = memory.reserve(need);
    }
    if (!s.ok()) {
        return s;
    }
    auto out = vector_of<std::uint8_t>(most);
    if (out) {
        s = write(memory.data(), memory.size(), out->data(), out->size(), &length);
        if (!s.ok()) {
            return s;
        }
        out->resize(length);
    }
    return out;
}

} // namespace detail
} // namespace lcc

#endif
