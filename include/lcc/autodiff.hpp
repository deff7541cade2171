/*
 * Gradients without writing them, by automatic differentiation. Optional: <lcc.hpp> does not include it.
 *
 *     struct banana {
 *         template <class S> S operator()(const S *x) const { return -(x[0] * x[0] + pow(x[1] - x[0] * x[0], 2)) / 2; }
 *     };
 *     auto density = lcc::make_density<double>(2, lcc::differentiate<double>(2, banana{}));
 *
 * lcc::reverse<T> is a scalar that notes on a tape what was done to it, and whose gradient is one sweep back, some three
 * times the cost of the value; lcc::forward<T> carries one directional derivative along. Both know + - * /, comparisons
 * (of values) and exp log log1p expm1 sqrt pow sin cos tan atan sinh cosh tanh erf erfc lgamma fabs abs fmin fmax;
 * log1p_exp, inv_logit, log_sum_exp and dot are for either and for plain numbers. Values are those of plain T.
 */
#ifndef LCC_AUTODIFF_HPP
#define LCC_AUTODIFF_HPP

#include <lcc/problem.hpp>

#include <cmath>

namespace lcc {
namespace detail {

/** The derivative of lgamma: reflection, recurrence up to 10, and the asymptotic series. */
template <class T> T digamma(T x)
{
    const T pi = T(3.14159265358979323846);
    if (x != x) {
        return x;
    }
    if (!(x > 0)) {
        return digamma(1 - x) - pi / std::tan(pi * x);
    }
    T below = 0;
    for (; x < 10; x += 1) {
        below -= 1 / x;
    }
    const T z = 1 / (x * x);
    const T series = z * (T(1) / 12 - z * (T(1) / 120 - z * (T(1) / 252 - z * (T(1) / 240 - z * (T(1) / 132)))));
    return below + std::log(x) - 1 / (2 * x) - series;
}

/** Operators and functions of S, which has value() and chain(): a value with its partial derivatives. */
template <class S, class T> struct differentiable {
    friend S operator+(const S &a) { return a; }
    friend S operator-(const S &a) { return S::chain(-a.value(), a, T(-1)); }
    friend S operator+(const S &a, const S &b) { return S::chain(a.value() + b.value(), a, T(1), b, T(1)); }
    friend S operator-(const S &a, const S &b) { return S::chain(a.value() - b.value(), a, T(1), b, T(-1)); }
    friend S operator*(const S &a, const S &b) { return S::chain(a.value() * b.value(), a, b.value(), b, a.value()); }
    friend S operator/(const S &a, const S &b)
    {
        const T v = a.value() / b.value();
        return S::chain(v, a, 1 / b.value(), b, -v / b.value());
    }
    friend S &operator+=(S &a, const S &b) { return a = a + b; }
    friend S &operator-=(S &a, const S &b) { return a = a - b; }
    friend S &operator*=(S &a, const S &b) { return a = a * b; }
    friend S &operator/=(S &a, const S &b) { return a = a / b; }
    friend bool operator<(const S &a, const S &b) { return a.value() < b.value(); }
    friend bool operator>(const S &a, const S &b) { return a.value() > b.value(); }
    friend bool operator<=(const S &a, const S &b) { return a.value() <= b.value(); }
    friend bool operator>=(const S &a, const S &b) { return a.value() >= b.value(); }
    friend bool operator==(const S &a, const S &b) { return a.value() == b.value(); }
    friend bool operator!=(const S &a, const S &b) { return a.value() != b.value(); }

/** A function of x with value v = std::name(x) and this derivative. */
#define LCC_AUTODIFF(name, derivative)                                                                       \
    friend S name(const S &a)                                                                                \
    {                                                                                                        \
        const T x = a.value(), v = std::name(x);                                                             \
        return (void)x, S::chain(v, a, derivative);                                                          \
    }
    LCC_AUTODIFF(exp, v)
    LCC_AUTODIFF(expm1, v + 1)
    LCC_AUTODIFF(log, 1 / x)
    LCC_AUTODIFF(log1p, 1 / (1 + x))
    LCC_AUTODIFF(sqrt, 1 / (2 * v))
    LCC_AUTODIFF(sin, std::cos(x))
    LCC_AUTODIFF(cos, -std::sin(x))
    LCC_AUTODIFF(tan, 1 + v * v)
    LCC_AUTODIFF(atan, 1 / (1 + x * x))
    LCC_AUTODIFF(sinh, std::cosh(x))
    LCC_AUTODIFF(cosh, std::sinh(x))
    LCC_AUTODIFF(tanh, 1 - v * v)
    LCC_AUTODIFF(erf, T(1.12837916709551257390) * std::exp(-x * x))
    LCC_AUTODIFF(erfc, T(-1.12837916709551257390) * std::exp(-x * x))
    LCC_AUTODIFF(lgamma, digamma(x))
    LCC_AUTODIFF(fabs, T((x > 0) - (x < 0)))
#undef LCC_AUTODIFF
    friend S abs(const S &a) { return fabs(a); }
    friend S fmin(const S &a, const S &b) { return b < a ? b : a; }
    friend S fmax(const S &a, const S &b) { return b > a ? b : a; }
    friend S pow(const S &a, const S &b)
    {
        const T x = a.value(), y = b.value(), v = std::pow(x, y);
        return S::chain(v, a, y == 0 ? T(0) : y * std::pow(x, y - 1), b, x > 0 ? v * std::log(x) : T(0));
    }
};

} // namespace detail

/** A number and its derivative in one direction: forward<double>(x, 1) is a variable. */
template <class T> class forward : public detail::differentiable<forward<T>, T> {
public:
    constexpr forward() noexcept = default;
    template <class A, class = std::enable_if_t<std::is_arithmetic_v<A>>>
    constexpr forward(A value, T tangent = 0) noexcept : value_(T(value)), tangent_(tangent)
    {
    }
    constexpr T value() const noexcept { return value_; }
    constexpr T tangent() const noexcept { return tangent_; }

    static forward chain(T value, const forward &a, T da) { return forward(value, part(a, da)); }
    static forward chain(T value, const forward &a, T da, const forward &b, T db)
    {
        return forward(value, part(a, da) + part(b, db));
    }

private:
    /** What does not move stays out, even where the slope is infinite. */
    static T part(const forward &a, T slope) { return a.tangent_ == 0 ? T(0) : slope * a.tangent_; }

    T value_ = 0, tangent_ = 0;
};

/** What was done to reverse<T>, in memory that is used again. */
template <class T> class tape {
public:
    /** Forgets what is on it. */
    void clear()
    {
        nodes_.clear();
        nodes_.push_back({0, 0, 0, 0});
    }
    /** A value of two others: their places (0: a constant) and the derivatives by them. */
    std::size_t push(std::size_t a, T da, std::size_t b, T db)
    {
        nodes_.push_back({a, b, da, db});
        return nodes_.size() - 1;
    }
    /** The derivatives of the value at `place` by all before it, by their places. */
    const std::vector<T> &sweep(std::size_t place)
    {
        adjoint_.assign(nodes_.size(), T(0));
        adjoint_[place] = 1;
        for (std::size_t k = place; k > 0; --k) {
            const T by = adjoint_[k];
            if (by != 0) {
                const node &n = nodes_[k];
                adjoint_[n.a] += n.a == 0 ? T(0) : by * n.da;
                adjoint_[n.b] += n.b == 0 ? T(0) : by * n.db;
            }
        }
        return adjoint_;
    }

private:
    struct node {
        std::size_t a, b;
        T da, db;
    };
    std::vector<node> nodes_{1};
    std::vector<T> adjoint_;
};

/** A number that notes what is done to it. Made from plain numbers it is a constant. */
template <class T> class reverse : public detail::differentiable<reverse<T>, T> {
public:
    reverse() noexcept = default;
    template <class A, class = std::enable_if_t<std::is_arithmetic_v<A>>> reverse(A value) noexcept : value_(T(value)) {}
    /** A variable. */
    reverse(T value, tape<T> &on) : value_(value), tape_(&on), place_(on.push(0, 0, 0, 0)) {}
    T value() const noexcept { return value_; }
    std::size_t place() const noexcept { return place_; }

    static reverse chain(T value, const reverse &a, T da) { return chain(value, a, da, reverse(), T(0)); }
    static reverse chain(T value, const reverse &a, T da, const reverse &b, T db)
    {
        reverse out(value);
        out.tape_ = a.tape_ != nullptr ? a.tape_ : b.tape_;
        if (out.tape_ != nullptr) {
            out.place_ = out.tape_->push(a.place_, da, b.place_, db);
        }
        return out;
    }

private:
    T value_ = 0;
    tape<T> *tape_ = nullptr;
    std::size_t place_ = 0;
};

/** log(1 + exp(x)). */
template <class S> S log1p_exp(const S &x)
{
    using std::exp, std::log1p;
    return x > S(0) ? x + log1p(exp(-x)) : log1p(exp(x));
}

/** 1/(1 + exp(-x)). */
template <class S> S inv_logit(const S &x)
{
    using std::exp;
    if (x > S(0)) {
        return S(1) / (S(1) + exp(-x));
    }
    const S e = exp(x);
    return e / (S(1) + e);
}

/** log sum exp of `size` numbers; -infinity where all are. */
template <class S> S log_sum_exp(const S *x, std::size_t size)
{
    using std::exp, std::log;
    if (size == 0) {
        return S(-std::numeric_limits<double>::infinity());
    }
    S top = x[0], sum = S(0);
    for (std::size_t i = 1; i < size; ++i) {
        top = x[i] > top ? x[i] : top;
    }
    if (!(top - top == S(0))) {
        return top;
    }
    for (std::size_t i = 0; i < size; ++i) {
        sum += exp(x[i] - top);
    }
    return top + log(sum);
}
template <class S> S log_sum_exp(const S &a, const S &b)
{
    const S both[2] = {a, b};
    return log_sum_exp(both, 2);
}

/** sum a_i b_i, of either kind of number each. */
template <class A, class B> auto dot(const A *a, const B *b, std::size_t size)
{
    decltype(a[0] * b[0]) sum = 0;
    for (std::size_t i = 0; i < size; ++i) {
        sum += a[i] * b[i];
    }
    return sum;
}

namespace detail {

template <class T, class F> class differentiated {
public:
    differentiated(std::size_t dim, F f) : f_(std::move(f)), x_(dim) {}

    T operator()(span<const T> x, span<T> gradient)
    {
        tape_.clear();
        for (std::size_t i = 0; i < x_.size(); ++i) {
            x_[i] = reverse<T>(x[i], tape_);
        }
        const std::vector<reverse<T>> &variables = x_;
        const reverse<T> value = f_(variables.data());
        if (!gradient.empty()) {
            const std::vector<T> &slopes = tape_.sweep(value.place());
            for (std::size_t i = 0; i < x_.size(); ++i) {
                // A constant is at place 0, before all of them.
                gradient[i] = value.place() == 0 ? T(0) : slopes[x_[i].place()];
            }
        }
        return value.value();
    }

private:
    F f_;
    tape<T> tape_;
    std::vector<reverse<T>> x_;
};

} // namespace detail

/**
 * What make_density takes, of a function of `dim` numbers that is written for any scalar: `template <class S> S
 * operator()(const S *x)`, or a generic lambda `[](const auto *x)`, returns log p(x) up to a constant.
 */
template <class T, class F> detail::differentiated<T, F> differentiate(std::size_t dim, F f)
{
    return detail::differentiated<T, F>(dim, std::move(f));
}

} // namespace lcc

#endif
