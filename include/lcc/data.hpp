/* Rows of data, read where they lie, and draws. Part of <lcc.hpp>. */
#ifndef LCC_DATA_HPP
#define LCC_DATA_HPP

#include <lcc/memory.hpp>

#include <algorithm>

namespace lcc {

namespace detail {

/** The C functions of a precision, by what they act on; specialised for float and double beside each class. */
template <class T> struct data_api;

#define LCC_DATA_API(T, S)                                                                                   \
    template <> struct data_api<T> {                                                                         \
        using data = lcc_data_##S;                                                                           \
        using draws = lcc_draws_##S;                                                                         \
        using summary = lcc_summary_##S;                                                                     \
        using remark = lcc_remark_##S;                                                                       \
        static constexpr auto check = &lcc_data_check_##S;                                                   \
        static constexpr auto remarks = &lcc_data_remarks_##S;                                               \
        static constexpr auto scratch = &lcc_draws_scratch_##S;                                              \
        static constexpr auto summarise = &lcc_draws_summarise_##S;                                          \
        static constexpr auto quantile = &lcc_draws_quantile_##S;                                            \
    };
LCC_DATA_API(float, f32)
LCC_DATA_API(double, f64)
#undef LCC_DATA_API

} // namespace detail

/** Something remarkable of rows, an LCC_REMARK_: lcc_remark_message has the sentence. */
template <class T> using remark = typename detail::data_api<T>::remark;

/** Rows of X and, for learning, y: a view, which is handed to each call and must be the same at each. */
template <class T> class data {
public:
    /** Inputs alone, for predictions. */
    data(matrix<T> x) noexcept
        : c_{x.data(), nullptr, x.rows(), x.columns(), x.row_stride(), x.column_stride()}
    {
    }
    /** @throws error length_mismatch */
    data(matrix<T> x, span<const T> y) : data(x)
    {
        if (y.size() != x.rows()) {
            raise(status::length_mismatch);
        }
        c_.y = y.data();
    }
    static result<data> try_make(matrix<T> x, span<const T> y) noexcept
    {
        if (y.size() != x.rows()) {
            return status(status::length_mismatch);
        }
        return data(x, y);
    }

    std::size_t rows() const noexcept { return c_.n; }
    std::size_t columns() const noexcept { return c_.d; }
    /** Whether all of it is finite; otherwise what is wrong, and where. */
    status check(std::size_t *row = nullptr, std::size_t *column = nullptr) const noexcept
    {
        return detail::data_api<T>::check(&c_, row, column);
    }
    const typename detail::data_api<T>::data *get() const noexcept { return &c_; }

    /** What a person should know of the rows before a network learns from them: the first of `found`, in scratch of 2 rows().
        `real`: y is a real number, and has no hurdle; `exposed`: the last column is an exposure. */
    [[nodiscard]] status try_remarks(bool real, span<T> scratch, span<remark<T>> out, std::size_t &found,
                                     bool exposed = false) const noexcept
    {
        return detail::data_api<T>::remarks(&c_, exposed ? 2 : real ? 1 : 0, scratch.data(), scratch.size(), out.data(), out.size(), &found);
    }
    /** All of them. @throws error, std::bad_alloc */
    std::vector<remark<T>> remarks(bool real, bool exposed = false) const
    {
        std::vector<T> scratch(2 * rows());
        std::vector<remark<T>> all(4 * columns() + 8);
        std::size_t found = 0;
        lcc::check(try_remarks(real, scratch, all, found, exposed));
        all.resize(std::min(found, all.size()));
        return all;
    }

    /** Throws where a status says that something is not finite, with its place: rows and columns count from 0. */
    void raise_with_place(status s) const
    {
#if LCC_EXCEPTIONS
        std::size_t row = 0, column = 0;
        if ((s == LCC_ERROR_NOT_FINITE_X || s == LCC_ERROR_NOT_FINITE_Y) && check(&row, &column) == s) {
            throw error(s, row, s == LCC_ERROR_NOT_FINITE_X ? &column : nullptr);
        }
#else
        (void)s;
#endif
    }

private:
    typename detail::data_api<T>::data c_;
};

/** Rows that count as often as their weights say: 2 as if they were there twice, 0 not at all. A view; data are such too. */
template <class T> class weighted {
public:
    /** Each row counts once. */
    weighted(const data<T> &d) noexcept : d_(d) {}
    /** @throws error length_mismatch */
    weighted(const data<T> &d, span<const T> weights) : d_(d), weights_(weights.data())
    {
        if (weights.size() != d.rows()) {
            raise(status::length_mismatch);
        }
    }
    static result<weighted> try_make(const data<T> &d, span<const T> weights) noexcept
    {
        if (weights.size() != d.rows()) {
            return status(status::length_mismatch);
        }
        return weighted(d, weights);
    }

    const data<T> &rows() const noexcept { return d_; }
    /** As many as rows, or NULL. */
    const T *weights() const noexcept { return weights_; }

private:
    data<T> d_;
    const T *weights_ = nullptr;
};

/** The draws of one quantity by all chains: a view into a sampler, valid until its next step. */
template <class T> using draws = typename detail::data_api<T>::draws;
/** Mean, sd, quantiles, R-hat, effective sample sizes and Monte Carlo errors. */
template <class T> using summary = typename detail::data_api<T>::summary;

/** A copy of chain c's draws, e.g. for a program of one's own. @throws std::bad_alloc */
template <class Draws> auto chain(const Draws &d, std::size_t c)
{
    std::vector<std::decay_t<decltype(*d.data)>> values;
    values.reserve(d.draws);
    for (std::size_t t = 0; t < d.draws; ++t) {
        values.push_back(d.data[c * d.chain_stride + t * d.draw_stride]);
    }
    return values;
}

/** Summarises draws, in scratch of lcc_draws_scratch_* bytes. */
[[nodiscard]] inline status try_summarise(const lcc_draws_f64 &d, bytes scratch, lcc_summary_f64 &out) noexcept
{
    return lcc_draws_summarise_f64(&d, scratch.data(), scratch.size(), &out);
}
[[nodiscard]] inline status try_summarise(const lcc_draws_f32 &d, bytes scratch, lcc_summary_f32 &out) noexcept
{
    return lcc_draws_summarise_f32(&d, scratch.data(), scratch.size(), &out);
}

namespace detail {

template <class T> result<summary<T>> summarise(const draws<T> &d) noexcept
{
    std::size_t size = 0;
    scratch memory;
    summary<T> out;
    status s = data_api<T>::scratch(d.chains, d.draws, &size);
    if (s.ok()) {
        s = memory.reserve(size);
    }
    if (s.ok()) {
        s = data_api<T>::summarise(&d, memory.data(), memory.size(), &out);
    }
    return s.ok() ? result<summary<T>>(out) : s;
}

} // namespace detail

inline result<lcc_summary_f64> try_summarise(const lcc_draws_f64 &d) noexcept { return detail::summarise<double>(d); }
inline result<lcc_summary_f32> try_summarise(const lcc_draws_f32 &d) noexcept { return detail::summarise<float>(d); }
template <class Draws> auto summarise(const Draws &d) { return try_summarise(d).value(); }

} // namespace lcc

#endif
