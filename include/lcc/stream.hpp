/* Learning on, row by row; and the last rows. Part of <lcc.hpp>. */
#ifndef LCC_STREAM_HPP
#define LCC_STREAM_HPP

#include <lcc/task.hpp>

namespace lcc {

namespace detail {

template <class T> struct stream_api;
template <class T> struct window_api;

#define LCC_STREAM_API(T, S)                                                                                 \
    template <> struct stream_api<T> {                                                                       \
        using handle = lcc_stream_##S;                                                                       \
        using options = lcc_stream_options_##S;                                                              \
        using score = lcc_stream_score_##S;                                                                  \
        static std::int32_t size(const options *o, const const_bytes *model, std::size_t *out)               \
        {                                                                                                    \
            return lcc_stream_size_##S(o, model->data(), model->size(), out);                                \
        }                                                                                                    \
        static std::int32_t init(std::uint8_t *memory, std::size_t bytes, const options *o,                  \
                                 const const_bytes *model, handle **out)                                     \
        {                                                                                                    \
            return lcc_stream_init_##S(memory, bytes, o, model->data(), model->size(), out);                 \
        }                                                                                                    \
        static constexpr auto defaults = &lcc_stream_options_default_##S;                                    \
        static constexpr auto predict = &lcc_stream_predict_##S;                                             \
        static constexpr auto observe = &lcc_stream_observe_##S;                                             \
        static constexpr auto info = &lcc_stream_read_info_##S;                                              \
        static constexpr auto model_size = &lcc_stream_model_size_##S;                                       \
        static constexpr auto write_model = &lcc_stream_write_model_##S;                                     \
        static constexpr const char *type = "lcc_stream_" #S;                                                \
    };                                                                                                       \
    template <> struct window_api<T> {                                                                       \
        using handle = lcc_window_##S;                                                                       \
        using data = lcc_data_##S;                                                                           \
        static std::int32_t size(const std::size_t *capacity, const std::size_t *columns, std::size_t *out)  \
        {                                                                                                    \
            return lcc_window_size_##S(*capacity, *columns, out);                                            \
        }                                                                                                    \
        static std::int32_t init(std::uint8_t *memory, std::size_t bytes, const std::size_t *capacity,       \
                                 const std::size_t *columns, handle **out)                                   \
        {                                                                                                    \
            return lcc_window_init_##S(memory, bytes, *capacity, *columns, out);                             \
        }                                                                                                    \
        static constexpr auto push = &lcc_window_push_##S;                                                   \
        static constexpr auto rows = &lcc_window_data_##S;                                                   \
    };
LCC_STREAM_API(float, f32)
LCC_STREAM_API(double, f64)
#undef LCC_STREAM_API

template <> struct subject<const_bytes> : silent<const_bytes> {
    template <class Call> static auto pass(const const_bytes &model, Call &&call) { return call(&model); }
};

} // namespace detail

/** How a row's target fared under the prediction before it. */
template <class T> using stream_score = typename detail::stream_api<T>::score;

/** Follows a drift: starts from a model, which it copies, and learns a row at a time. */
template <class T, class Storage = owned>
class stream : public detail::built_for<stream<T, Storage>, detail::stream_api<T>, const_bytes, Storage> {
    using api = detail::stream_api<T>;
    using base = detail::built_for<stream, api, const_bytes, Storage>;
    using block = detail::object<api, Storage>;
    friend block;

public:
    using typename base::options;

    /** @throws error */
    stream(const options &o, const_bytes model) : stream(base::kept(base::try_make(o, model), model)) {}
    stream(bytes memory, const options &o, const_bytes model)
        : stream(base::kept(base::try_make(memory, o, model), model))
    {
    }

    /** Predicts a row before its target is known; learns nothing. */
    [[nodiscard]] status try_predict(span<const T> row, T level, prediction<T> &out) noexcept
    {
        return api::predict(this->get(), row.data(), row.size(), level, &out);
    }
    prediction<T> predict(span<const T> row, T level = T(0.9))
    {
        prediction<T> out;
        check(try_predict(row, level, out));
        return out;
    }

    /** Learns from a row. One that is refused changes nothing. */
    [[nodiscard]] status try_observe(span<const T> row, T y) noexcept
    {
        return api::observe(this->get(), row.data(), row.size(), y, nullptr);
    }
    /** And says how its target fared under the prediction before. */
    [[nodiscard]] status try_observe(span<const T> row, T y, stream_score<T> &score) noexcept
    {
        return api::observe(this->get(), row.data(), row.size(), y, &score);
    }
    stream_score<T> observe(span<const T> row, T y)
    {
        stream_score<T> score;
        check(try_observe(row, y, score));
        return score;
    }

    [[nodiscard]] status try_info(lcc_stream_info &out) const noexcept { return api::info(this->get(), &out); }
    lcc_stream_info info() const { return detail::read(api::info, this->get()); }

    /** The model as it is now; `spread` draws each head and noise from its law, else their means are taken. */
    result<lcc::image> try_model(bool spread, std::uint64_t seed) const noexcept
    {
        return detail::written(
            [&](std::size_t *most, std::size_t *scratch) { return api::model_size(this->get(), most, scratch); },
            [&](auto... arguments) { return api::write_model(this->get(), spread ? 1 : 0, seed, arguments...); });
    }
    lcc::image model(bool spread = true, std::uint64_t seed = 1) const { return try_model(spread, seed).value(); }

private:
    explicit stream(typename api::handle *h) noexcept : base(h) {}
};

/** The last rows, to fit anew: appended until it is full, then the oldest is replaced. Rows have no checkpoint. */
template <class T, class Storage = owned> class window : public detail::object<detail::window_api<T>, Storage> {
    using api = detail::window_api<T>;
    using base = detail::object<api, Storage>;
    friend base;

public:
    /** @throws error */
    window(std::size_t capacity, std::size_t inputs) : window(try_make(capacity, inputs).value()) {}
    window(bytes memory, std::size_t capacity, std::size_t inputs)
        : window(try_make(memory, capacity, inputs).value())
    {
    }

    [[nodiscard]] static status try_size(std::size_t capacity, std::size_t inputs, std::size_t &size) noexcept
    {
        return api::size(&capacity, &inputs, &size);
    }
    static result<window> try_make(std::size_t capacity, std::size_t inputs) noexcept
    {
        return base::template wrap<window>(base::build(&capacity, &inputs));
    }
    /** In memory of the caller's, aligned to 16 and of try_size bytes. */
    static result<window> try_make(bytes memory, std::size_t capacity, std::size_t inputs) noexcept
    {
        return base::template wrap<window>(base::build_in(memory, &capacity, &inputs));
    }

    /** A row that is refused changes nothing. */
    [[nodiscard]] status try_push(span<const T> row, T y) noexcept
    {
        return api::push(this->get(), row.data(), row.size(), y);
    }
    void push(span<const T> row, T y) { check(try_push(row, y)); }

    /** The rows that are there, in no particular order, where they lie: valid until the next push. */
    result<lcc::data<T>> try_data() const noexcept
    {
        typename api::data c;
        if (status s = api::rows(this->get(), &c); !s.ok()) {
            return s;
        }
        return lcc::data<T>::try_make(matrix<T>(c.x, c.n, c.d, c.row_stride, c.column_stride), {c.y, c.n});
    }
    lcc::data<T> data() const { return try_data().value(); }

private:
    explicit window(typename api::handle *h) noexcept : base(h) {}
};

} // namespace lcc

#endif
