/* Parameters with constraints, for densities of one's own. Part of <lcc.hpp>. */
#ifndef LCC_PARAMETERS_HPP
#define LCC_PARAMETERS_HPP

#include <lcc/problem.hpp>

#include <initializer_list>
#include <string>

namespace lcc {

namespace detail {

template <class T> struct parameters_api;

#define LCC_PARAMETERS_API(T, S)                                                                             \
    template <> struct parameters_api<T> {                                                                   \
        using parameter = lcc_parameter_##S;                                                                 \
        static constexpr auto dims = &lcc_parameters_dims_##S;                                               \
        static constexpr auto constrain = &lcc_parameters_constrain_##S;                                     \
        static constexpr auto pull_back = &lcc_parameters_pull_back_##S;                                     \
        static constexpr auto unconstrain = &lcc_parameters_unconstrain_##S;                                 \
        static constexpr auto name = &lcc_parameters_name_##S;                                               \
    };
LCC_PARAMETERS_API(float, f32)
LCC_PARAMETERS_API(double, f64)
#undef LCC_PARAMETERS_API

} // namespace detail

/** One: {"sigma", LCC_CONSTRAINT_LOWER, 1, 1, 0, 0} is a number above 0. */
template <class T> using parameter = typename detail::parameters_api<T>::parameter;

/** A list of parameters, whose names stay the caller's: the map from coordinates to their elements. */
template <class T> class parameters {
    using api = detail::parameters_api<T>;

public:
    /** @throws error, std::bad_alloc */
    parameters(std::initializer_list<parameter<T>> list)
        : parameters(try_make(span<const parameter<T>>(list.begin(), list.size())).value())
    {
    }
    static result<parameters> try_make(span<const parameter<T>> list) noexcept
    {
        result<std::vector<parameter<T>>> own = detail::vector_of<parameter<T>>(list.size());
        if (!own) {
            return own.status();
        }
        std::copy(list.begin(), list.end(), own->begin());
        parameters out(std::move(*own));
        const status s = api::dims(list.data(), list.size(), &out.coordinates_, &out.elements_);
        return s.ok() ? result<parameters>(std::move(out)) : s;
    }

    /** How many x there are, and how many y. */
    std::size_t coordinates() const noexcept { return coordinates_; }
    std::size_t elements() const noexcept { return elements_; }

    /** y of x, and log |det dy/dx|: -infinity where rounding puts y on the edge of its constraint. */
    [[nodiscard]] status try_constrain(span<const T> x, span<T> y, T &log_jacobian) const noexcept
    {
        return fits(x, y) ? status(api::constrain(data(), size(), x.data(), y.data(), y.size(), &log_jacobian))
                          : status(status::length_mismatch);
    }
    T constrain(span<const T> x, span<T> y) const
    {
        T out = 0;
        check(try_constrain(x, y, out));
        return out;
    }
    /** The gradient by x of log p(y(x)) + log |det dy/dx|, from that of log p by y. */
    [[nodiscard]] status try_pull_back(span<const T> x, span<const T> y, span<const T> dy, span<T> dx) const noexcept
    {
        return fits(x, y) && fits(dx, dy)
                   ? status(api::pull_back(data(), size(), x.data(), y.data(), dy.data(), dx.data(), dx.size()))
                   : status(status::length_mismatch);
    }
    void pull_back(span<const T> x, span<const T> y, span<const T> dy, span<T> dx) const
    {
        check(try_pull_back(x, y, dy, dx));
    }
    /** x of a y that satisfies its constraints. */
    [[nodiscard]] status try_unconstrain(span<const T> y, span<T> x) const noexcept
    {
        return fits(x, y) ? status(api::unconstrain(data(), size(), y.data(), x.data(), x.size()))
                          : status(status::length_mismatch);
    }
    void unconstrain(span<const T> y, span<T> x) const { check(try_unconstrain(y, x)); }

    /** The name of an element, zero-terminated in `text`: sigma, theta[2], L[2,1]. */
    [[nodiscard]] status try_name(std::size_t element, span<char> text, std::size_t &length) const noexcept
    {
        return api::name(data(), size(), element, text.data(), text.size(), &length);
    }
    std::string name(std::size_t element) const
    {
        char text[256];
        std::size_t length = 0;
        check(try_name(element, text, length));
        return std::string(text, length);
    }

private:
    explicit parameters(std::vector<parameter<T>> &&list) noexcept : list_(std::move(list)) {}
    template <class X, class Y> bool fits(const X &x, const Y &y) const noexcept
    {
        return x.size() == coordinates_ && y.size() == elements_;
    }
    const parameter<T> *data() const noexcept { return list_.data(); }
    std::size_t size() const noexcept { return list_.size(); }

    std::vector<parameter<T>> list_;
    std::size_t coordinates_ = 0, elements_ = 0;
};

namespace detail {

/** A density of elements as one of coordinates. */
template <class T, class F> struct constrained {
    parameters<T> map;
    F f;
    bool gradient;
    std::vector<T> y = std::vector<T>(map.elements()), dy = std::vector<T>(map.elements());

    T operator()(span<const T> x, span<T> dx)
    {
        const T log_jacobian = map.constrain(x, y);
        const bool asked = !dx.empty() && gradient;
        if (!(log_jacobian > -std::numeric_limits<T>::infinity())) {
            return log_jacobian;
        }
        const T value = f(span<const T>(y), asked ? span<T>(dy) : span<T>());
        if (asked) {
            map.pull_back(x, y, dy, dx);
        }
        return value + log_jacobian;
    }
};

} // namespace detail

/** The density of coordinates that one of elements, `T f(span<const T> y, span<T> gradient)`, becomes. */
template <class T, class F> auto make_density(const parameters<T> &map, F f, bool gradient = true)
{
    return density<T, detail::constrained<T, F>>(map.coordinates(), {map, std::move(f), gradient}, gradient);
}

} // namespace lcc

#endif
