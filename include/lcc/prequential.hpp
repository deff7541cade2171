/* Prequential Greedy Bayes: each row is predicted before it is learnt. Part of <lcc.hpp>. */
#ifndef LCC_PREQUENTIAL_HPP
#define LCC_PREQUENTIAL_HPP

#include <lcc/task.hpp>

namespace lcc {

namespace detail {

template <class T> struct prequential_api;

#define LCC_PREQUENTIAL_API(T, S)                                                                            \
    template <> struct prequential_api<T> {                                                                  \
        using handle = lcc_prequential_##S;                                                                  \
        using options = lcc_prequential_options_##S;                                                         \
        using forecast = lcc_forecast_##S;                                                                   \
        using losses = lcc_losses_##S;                                                                       \
        using level = lcc_prequential_level_##S;                                                             \
        struct shape {                                                                                       \
            std::size_t rows, columns;                                                                       \
            const lcc_data_##S *units;                                                                       \
        };                                                                                                   \
        static std::int32_t size(const options *o, const shape *s, std::size_t *out)                         \
        {                                                                                                    \
            return lcc_prequential_size_##S(o, s->rows, s->columns, out);                                    \
        }                                                                                                    \
        static std::int32_t init(std::uint8_t *memory, std::size_t bytes, const options *o, const shape *s,  \
                                 handle **out)                                                               \
        {                                                                                                    \
            return lcc_prequential_init_##S(memory, bytes, o, s->rows, s->columns, s->units, out);           \
        }                                                                                                    \
        static constexpr auto defaults = &lcc_prequential_options_default_##S;                               \
        static constexpr auto scratch = &lcc_prequential_scratch_##S;                                        \
        static constexpr auto predict = &lcc_prequential_forecast_##S;                                      \
        static constexpr auto observe = &lcc_prequential_observe_##S;                                        \
        static constexpr auto step = &lcc_prequential_step_##S;                                              \
        static constexpr auto last = &lcc_prequential_last_##S;                                              \
        static constexpr auto read_losses = &lcc_prequential_losses_##S;                                     \
        static constexpr auto progress = &lcc_read_progress;                                                 \
        static constexpr auto report = &lcc_prequential_report_##S;                                          \
        static constexpr auto expectation = &lcc_prequential_expectation_##S;                                \
        static constexpr auto model_size = &lcc_prequential_model_size_##S;                                  \
        static constexpr auto write_model = &lcc_prequential_write_model_##S;                                \
        static constexpr const char *type = "lcc_prequential_" #S;                                           \
        static constexpr auto score = &lcc_forecast_score_##S;                                               \
    };
LCC_PREQUENTIAL_API(float, f32)
LCC_PREQUENTIAL_API(double, f64)
#undef LCC_PREQUENTIAL_API

} // namespace detail

/** The law of a target given the rows before it. */
template <class T> using forecast = typename detail::prequential_api<T>::forecast;
/** The losses of the forecasts so far. */
template <class T> using losses = typename detail::prequential_api<T>::losses;
/** A level of the learner, after the rows so far. */
template <class T> using prequential_level = typename detail::prequential_api<T>::level;

/** How a target fared under a forecast. */
template <class T>
[[nodiscard]] status try_score(const forecast<T> &f, T y, score<T> &out) noexcept
{
    return detail::prequential_api<T>::score(&f, y, &out);
}

/** How many rows there is room for, of how many inputs, and what standardises them. */
template <class T> struct room {
    std::size_t rows, columns;
    /** Its means and sds standardise every row; without it rows are taken as they are. Read by the constructor. */
    std::optional<data<T>> units;

    room(std::size_t most, std::size_t inputs) noexcept : rows(most), columns(inputs) {}
    /** For so many rows as these, in their units. */
    room(const data<T> &like) noexcept : room(like.rows(), like) {}
    room(std::size_t most, const data<T> &like) noexcept : rows(most), columns(like.columns()), units(like) {}
};

namespace detail {

template <class T> struct subject<room<T>> : silent<room<T>> {
    template <class Call> static auto pass(const room<T> &r, Call &&call)
    {
        const typename prequential_api<T>::shape s = {r.rows, r.columns, r.units ? r.units->get() : nullptr};
        return call(&s);
    }
};

} // namespace detail

/** Learns row by row, by prequential Greedy Bayes. */
template <class T, class Storage = owned>
class prequential
    : public detail::built_for<prequential<T, Storage>, detail::prequential_api<T>, room<T>, Storage> {
    using api = detail::prequential_api<T>;
    using base = detail::built_for<prequential, api, room<T>, Storage>;
    using block = detail::object<api, Storage>;
    friend block;

public:
    using typename base::options;

    /** @throws error */
    prequential(const options &o, const room<T> &r) : prequential(base::kept(base::try_make(o, r), r)) {}
    prequential(bytes memory, const options &o, const room<T> &r)
        : prequential(base::kept(base::try_make(memory, o, r), r))
    {
    }

    /** The law of the target at a row, in scratch of try_scratch bytes, aligned to 16. */
    [[nodiscard]] status try_forecast(span<const T> row, T level, bytes scratch, lcc::forecast<T> &out) const noexcept
    {
        return api::predict(this->get(), row.data(), row.size(), level, scratch.data(), scratch.size(), &out);
    }
    [[nodiscard]] status try_scratch(std::size_t &size) const noexcept { return api::scratch(this->get(), &size); }
    result<lcc::forecast<T>> try_forecast(span<const T> row, T level = T(0.9)) const noexcept
    {
        return in_scratch<lcc::forecast<T>>(
            [&](bytes scratch, lcc::forecast<T> &out) { return try_forecast(row, level, scratch, out); });
    }
    lcc::forecast<T> forecast(span<const T> row, T level = T(0.9)) const { return try_forecast(row, level).value(); }

    /** Takes a row, which steps then learn. One that is refused changes nothing. */
    [[nodiscard]] status try_observe(span<const T> row, T y) noexcept
    {
        return api::observe(this->get(), row.data(), row.size(), y);
    }
    /** Works until `budget` rows times particles are visited, or the row is learnt: running() or done(). */
    [[nodiscard]] status try_step(std::uint64_t budget) noexcept { return api::step(this->get(), budget); }
    status step(std::uint64_t budget) { return check(try_step(budget)); }
    /** Takes a row and learns it, and says what had been predicted: the law, with its interval of `level`. */
    lcc::forecast<T> learn(span<const T> row, T y, T level = T(0.9))
    {
        check(try_observe(row, y));
        while (step(UINT64_MAX).running()) {
        }
        return last(level);
    }
    /** Row after row of the data. */
    void learn(const data<T> &d)
    {
        learn(d, [](const lcc_progress &) {});
    }
    /** With progress(lcc_progress) after each row: what it returns, if anything, says whether to go on. */
    template <class Progress, class = std::enable_if_t<std::is_invocable_v<Progress &, const lcc_progress &>>>
    bool learn(const data<T> &d, Progress &&progress)
    {
        const auto &c = *d.get();
        if (c.y == nullptr) {
            raise(status::length_mismatch);
        }
        std::vector<T> row(c.d);
        for (std::size_t i = 0; i < c.n; ++i) {
            for (std::size_t j = 0; j < c.d; ++j) {
                row[j] = c.x[i * c.row_stride + j * c.column_stride];
            }
            learn(row, c.y[i]);
            if (!detail::goes_on(progress, this->progress())) {
                return i + 1 == c.n;
            }
        }
        return true;
    }

    /** What had predicted the last row. */
    [[nodiscard]] status try_last(T level, lcc::forecast<T> &out) const noexcept
    {
        return api::last(this->get(), level, &out);
    }
    lcc::forecast<T> last(T level = T(0.9)) const
    {
        lcc::forecast<T> out;
        check(try_last(level, out));
        return out;
    }
    /** How a target fared under a forecast: log density, probability integral transform and CRPS. */
    static lcc::score<T> score(const lcc::forecast<T> &f, T y)
    {
        lcc::score<T> out;
        check(lcc::try_score<T>(f, y, out));
        return out;
    }

    [[nodiscard]] status try_losses(lcc::losses<T> &out) const noexcept { return api::read_losses(this->get(), &out); }
    lcc::losses<T> losses() const { return detail::read(api::read_losses, this->get()); }
    /** Rows done with, of those that there is room for. */
    [[nodiscard]] status try_progress(lcc_progress &now) const noexcept { return api::progress(this->get(), &now); }
    lcc_progress progress() const { return detail::read(api::progress, this->get()); }
    [[nodiscard]] status try_report(std::size_t level, prequential_level<T> &out) const noexcept
    {
        return api::report(this->get(), level, &out);
    }
    prequential_level<T> report(std::size_t level) const { return detail::read(api::report, this->get(), level); }
    /** E[V s psi(x.w)] at a row under the posterior of a level. */
    result<T> try_expectation(std::size_t level, span<const T> row) const noexcept
    {
        return in_scratch<T>([&](bytes scratch, T &out) {
            return api::expectation(this->get(), level, row.data(), row.size(), scratch.data(), scratch.size(), &out);
        });
    }
    T expectation(std::size_t level, span<const T> row) const { return try_expectation(level, row).value(); }

    /** The model of the rows so far: an LCC_AVERAGING_ code says of which times. */
    result<lcc::image> try_model(std::int32_t averaging) const noexcept
    {
        return detail::written(
            [&](std::size_t *most, std::size_t *scratch) { return api::model_size(this->get(), most, scratch); },
            [&](auto... arguments) { return api::write_model(this->get(), averaging, arguments...); });
    }
    lcc::image model(std::int32_t averaging = LCC_AVERAGING_LAST) const { return try_model(averaging).value(); }

private:
    explicit prequential(typename api::handle *h) noexcept : base(h) {}

    template <class V, class Call> result<V> in_scratch(Call &&call) const noexcept
    {
        std::size_t size = 0;
        detail::scratch scratch;
        V out = {};
        status s = try_scratch(size);
        if (s.ok()) {
            s = scratch.reserve(size);
        }
        if (s.ok()) {
            s = call(bytes(scratch.data(), scratch.size()), out);
        }
        return s.ok() ? result<V>(out) : s;
    }
};

} // namespace lcc

#endif
