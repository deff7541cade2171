/* Greedy Bayes, and greedy least squares over the same neurons. Part of <lcc.hpp>. */
#ifndef LCC_GREEDY_HPP
#define LCC_GREEDY_HPP

#include <lcc/network.hpp>

namespace lcc {

namespace detail {

template <class T> struct greedy_api;
template <class T> struct relaxed_api;

#define LCC_LEVELS_API(OBJECT, T, S)                                                                         \
    using handle = lcc_##OBJECT##_##S;                                                                       \
    using options = lcc_##OBJECT##_options_##S;                                                              \
    using level = lcc_##OBJECT##_level_##S;                                                                  \
    static std::int32_t size(const options *o, const lcc_data_##S *d, std::size_t *out)                      \
    {                                                                                                        \
        return lcc_##OBJECT##_size_##S(o, d->n, d->d, out);                                                  \
    }                                                                                                        \
    static constexpr auto defaults = &lcc_##OBJECT##_options_default_##S;                                    \
    static constexpr auto init = &lcc_##OBJECT##_init_##S;                                                   \
    static constexpr auto step = &lcc_##OBJECT##_step_##S;                                                   \
    static constexpr auto progress = &lcc_read_progress;                                                     \
    static constexpr auto report = &lcc_##OBJECT##_report_##S;                                               \
    static constexpr auto model_size = &lcc_##OBJECT##_model_size_##S;                                       \
    static constexpr auto write_model = &lcc_##OBJECT##_write_model_##S;                                     \
    static constexpr const char *type = "lcc_" #OBJECT "_" #S;
#define LCC_GREEDY_API(T, S)                                                                                 \
    template <> struct greedy_api<T> {                                                                       \
        LCC_LEVELS_API(greedy, T, S)                                                                         \
        static constexpr auto result = &lcc_greedy_result_##S;                                               \
    };                                                                                                       \
    template <> struct relaxed_api<T> {                                                                      \
        LCC_LEVELS_API(relaxed, T, S)                                                                        \
    };
LCC_GREEDY_API(float, f32)
LCC_GREEDY_API(double, f64)
#undef LCC_GREEDY_API
#undef LCC_LEVELS_API

} // namespace detail

/** What a level of Greedy Bayes came to. */
template <class T> using greedy_level = typename detail::greedy_api<T>::level;
/** A fit by greedy least squares after one level. */
template <class T> using relaxed_level = typename detail::relaxed_api<T>::level;

/** Greedy Bayes, neuron by neuron, each from its own posterior. Its model is that of a fit that is done. */
template <class T, class Storage = owned>
class greedy : public detail::regressor<greedy<T, Storage>, detail::greedy_api<T>, data<T>, Storage> {
    using api = detail::greedy_api<T>;
    using base = detail::regressor<greedy, api, data<T>, Storage>;
    using block = detail::object<api, Storage>;
    friend block;

public:
    using typename base::options;

    /** @throws error */
    greedy(const options &o, const data<T> &d) : greedy(base::kept(base::try_make(o, d), d)) {}
    greedy(bytes memory, const options &o, const data<T> &d)
        : greedy(base::kept(base::try_make(memory, o, d), d))
    {
    }

    /** How many levels the fit uses. */
    std::uint32_t levels() const
    {
        std::uint32_t count = 0;
        T noise = 0;
        check(api::result(this->get(), &count, &noise));
        return count;
    }

private:
    explicit greedy(typename api::handle *h) noexcept : base(h) {}
};

/**
 * Greedy least squares: relaxed greedy, Frank-Wolfe or orthogonal matching pursuit. A point estimate, whose model may
 * be had after any level.
 */
template <class T, class Storage = owned>
class relaxed : public detail::regressor<relaxed<T, Storage>, detail::relaxed_api<T>, data<T>, Storage> {
    using api = detail::relaxed_api<T>;
    using base = detail::regressor<relaxed, api, data<T>, Storage>;
    using block = detail::object<api, Storage>;
    friend block;

public:
    using typename base::options;

    /** @throws error */
    relaxed(const options &o, const data<T> &d) : relaxed(base::kept(base::try_make(o, d), d)) {}
    relaxed(bytes memory, const options &o, const data<T> &d)
        : relaxed(base::kept(base::try_make(memory, o, d), d))
    {
    }

private:
    explicit relaxed(typename api::handle *h) noexcept : base(h) {}
};

} // namespace lcc

#endif
