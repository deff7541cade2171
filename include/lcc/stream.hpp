/* Learning on, row by row. Part of <lcc.hpp>. */
#ifndef LCC_STREAM_HPP
#define LCC_STREAM_HPP

#include <lcc/object.hpp>

namespace lcc {

namespace detail {

template <class T> struct stream_api;

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
        static constexpr auto checkpoint_size = &lcc_stream_checkpoint_size_##S;                             \
        static constexpr auto checkpoint = &lcc_stream_checkpoint_##S;                                       \
        static constexpr auto restore = &lcc_stream_restore_##S;                                             \
    };
LCC_STREAM_API(float, f32)
LCC_STREAM_API(double, f64)
#undef LCC_STREAM_API

} // namespace detail

/** How a row's target fared under the prediction before it. */
template <class T> using stream_score = typename detail::stream_api<T>::score;

/** Follows a drift: starts from a model, which it copies, and learns a row at a time. */
template <class T, class Storage = owned> class stream : public detail::object<detail::stream_api<T>, Storage> {
    using api = detail::stream_api<T>;
    using base = detail::object<api, Storage>;
    friend base;

public:
    /** The options of the C header with their default values. */
    using options = detail::options<api>;

    /** @throws error */
    stream(const options &o, const_bytes model) : stream(try_make(o, model).value()) {}
    stream(bytes memory, const options &o, const_bytes model) : stream(try_make(memory, o, model).value()) {}

    [[nodiscard]] static status try_size(const options &o, const_bytes model, std::size_t &size) noexcept
    {
        return api::size(&o, &model, &size);
    }
    static result<stream> try_make(const options &o, const_bytes model) noexcept
    {
        return base::template wrap<stream>(base::build(static_cast<const typename api::options *>(&o), &model));
    }
    /** In memory of the caller's, aligned to 16 and of try_size bytes. */
    static result<stream> try_make(bytes memory, const options &o, const_bytes model) noexcept
    {
        return base::template wrap<stream>(
            base::build_in(memory, static_cast<const typename api::options *>(&o), &model));
    }
    /** Options and model are those that it was made with. */
    static result<stream> try_restore(const_bytes sealed, const options &o, const_bytes model) noexcept
    {
        std::size_t size = 0;
        if (status s = try_size(o, model, size); !s.ok()) {
            return s;
        }
        return base::template wrap<stream>(base::unseal(sealed, size));
    }
    static result<stream> try_restore(bytes memory, const_bytes sealed) noexcept
    {
        return base::template wrap<stream>(base::unseal_in(memory, sealed));
    }
    static stream restore(const_bytes sealed, const options &o, const_bytes model)
    {
        return try_restore(sealed, o, model).value();
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

    lcc_stream_info info() const
    {
        lcc_stream_info out;
        check(api::info(this->get(), &out));
        return out;
    }

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

} // namespace lcc

#endif
