/* Leave-one-out predictive densities. Part of <lcc.hpp>. */
#ifndef LCC_LOO_HPP
#define LCC_LOO_HPP

#include <lcc/data.hpp>

namespace lcc {

namespace detail {

template <class T> struct loo_api;

#define LCC_LOO_API(T, S)                                                                                    \
    template <> struct loo_api<T> {                                                                          \
        using row = lcc_loo_row_##S;                                                                         \
        using total = lcc_loo_##S;                                                                           \
        static constexpr auto estimate = &lcc_loo_estimate_##S;                                              \
        static constexpr auto compare = &lcc_loo_compare_##S;                                                \
    };
LCC_LOO_API(float, f32)
LCC_LOO_API(double, f64)
#undef LCC_LOO_API

} // namespace detail

/** Rows, and what they come to. */
template <class T> struct loo {
    std::vector<typename detail::loo_api<T>::row> rows;
    typename detail::loo_api<T>::total total;
};

/** From the log likelihood of `rows` rows: `first` is that of the first, the others are so many elements apart. */
template <class T> result<loo<T>> try_loo(const draws<T> &first, std::size_t rows, std::size_t row_stride) noexcept
{
    using api = detail::loo_api<T>;
    std::size_t size = 0;
    detail::scratch scratch;
    auto own = detail::vector_of<typename api::row>(rows);
    if (!own) {
        return own.status();
    }
    loo<T> out{std::move(*own), {}};
    status s = detail::data_api<T>::scratch(first.chains, first.draws, &size);
    if (s.ok()) {
        s = scratch.reserve(size == 0 ? 1 : size);
    }
    if (s.ok()) {
        s = api::estimate(&first, rows, row_stride, scratch.data(), size, out.rows.data(), rows, &out.total);
    }
    return s.ok() ? result<loo<T>>(std::move(out)) : s;
}
template <class T> loo<T> make_loo(const draws<T> &first, std::size_t rows, std::size_t row_stride)
{
    return try_loo<T>(first, rows, row_stride).value();
}

/** By how much a is better than b, and the standard error of that. */
template <class T> struct loo_difference {
    T elpd, standard_error;
};
template <class T> result<loo_difference<T>> try_compare(const loo<T> &a, const loo<T> &b) noexcept
{
    loo_difference<T> out{};
    if (a.rows.size() != b.rows.size()) {
        return status(status::length_mismatch);
    }
    const status s = detail::loo_api<T>::compare(a.rows.data(), b.rows.data(), a.rows.size(), &out.elpd,
                                                 &out.standard_error);
    return s.ok() ? result<loo_difference<T>>(out) : s;
}
template <class T> loo_difference<T> compare(const loo<T> &a, const loo<T> &b) { return try_compare(a, b).value(); }

} // namespace lcc

#endif
