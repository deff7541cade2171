/* What is proved, assumed or only estimated of a posterior's shape. Part of <lcc.hpp>. */
#ifndef LCC_CERTIFICATES_HPP
#define LCC_CERTIFICATES_HPP

#include <lcc/problem.hpp>

#include <string>
#include <utility>

namespace lcc {

namespace detail {

template <class T> struct certificates_api;

#define LCC_CERTIFICATES_API(T, S)                                                                           \
    template <> struct certificates_api<T> {                                                                 \
        using one = lcc_certificate_##S;                                                                     \
        using all = lcc_certificates_##S;                                                                    \
        static constexpr auto scratch = &lcc_certificates_scratch_##S;                                       \
        static constexpr auto evaluate = &lcc_certificates_evaluate_##S;                                     \
        static constexpr auto explain = &lcc_certificates_explain_##S;                                       \
        static constexpr auto probe_scratch = &lcc_certificates_probe_scratch_##S;                           \
        static constexpr auto probe = &lcc_certificates_probe_##S;                                           \
        static constexpr auto gamma_xi = &lcc_gamma_xi_##S;                                                  \
        static constexpr auto hoelder = &lcc_hoelder_##S;                                                    \
        static constexpr auto hoelder_least = &lcc_hoelder_least_##S;                                        \
    };
LCC_CERTIFICATES_API(float, f32)
LCC_CERTIFICATES_API(double, f64)
#undef LCC_CERTIFICATES_API

} // namespace detail

/** One certificate: what it compares, and what came of it. */
template <class T> using certificate = typename detail::certificates_api<T>::one;

/** Every certificate of a posterior that needs no draws. A value: it may be copied. */
template <class T> class certificates {
    using api = detail::certificates_api<T>;

public:
    /** @throws error */
    explicit certificates(const problem<T> &p) : certificates(try_make(p).value()) {}
    static result<certificates> try_make(const problem<T> &p) noexcept
    {
        if (!abi_matches()) {
            return status(status::abi_mismatch);
        }
        std::size_t size = 0;
        detail::scratch scratch;
        certificates made;
        status s = api::scratch(p.get(), p.rows(), &size);
        if (s.ok()) {
            s = scratch.reserve(size);
        }
        if (s.ok()) {
            s = api::evaluate(p.get(), p.rows(), scratch.data(), scratch.size(), &made.c_);
        }
        return s.ok() ? result<certificates>(std::move(made)) : s;
    }

    /**
     * Looks for a xi at which p(xi) is not log-concave, near a draw w and on the line to another (of another chain, or none):
     * what is empirical rests on many of these. `which` numbers the calls of one seed.
     */
    [[nodiscard]] status try_probe(const problem<T> &p, const lcc_probe_options &o, span<const T> w, span<const T> other,
                                   std::uint32_t which) noexcept
    {
        std::size_t size = 0;
        std::size_t dim = 0;
        detail::scratch scratch;
        status s = detail::problem_api<T>::dim(p.get(), p.rows(), &dim);
        if (s.ok() && (w.size() != dim || (other.size() != 0 && other.size() != dim))) {
            return status(status::length_mismatch);
        }
        if (s.ok()) {
            s = api::probe_scratch(p.get(), p.rows(), &o, &size);
        }
        if (s.ok()) {
            s = scratch.reserve(size);
        }
        return s.ok() ? status(api::probe(&c_, p.get(), p.rows(), &o, w.data(), other.size() == 0 ? nullptr : other.data(), which,
                                          scratch.data(), scratch.size()))
                      : s;
    }
    void probe(const problem<T> &p, const lcc_probe_options &o, span<const T> w, span<const T> other, std::uint32_t which)
    {
        check(try_probe(p, o, w, other, which));
    }

    std::size_t size() const noexcept { return c_.count; }
    const certificate<T> &operator[](std::size_t i) const noexcept { return c_.entries[i]; }
    const certificate<T> *begin() const noexcept { return c_.entries; }
    const certificate<T> *end() const noexcept { return c_.entries + c_.count; }
    /** An LCC_CONCLUSION_ code. */
    std::int32_t conclusion() const noexcept { return c_.conclusion; }
    /** The verdict in one paragraph. */
    std::string explain() const
    {
        char text[2048];
        std::size_t length = 0;
        check(api::explain(&c_, text, sizeof text, &length));
        return std::string(text, length);
    }
    /** For the functions of the C header. */
    typename api::all *get() noexcept { return &c_; }

private:
    certificates() noexcept : c_() { c_.struct_size = sizeof c_; }

    typename api::all c_;
};

/** Gamma_xi(s) from the values of g_xi at points of equal weight under the prior. */
template <class T> result<T> try_gamma_xi(span<const T> values, T s) noexcept
{
    T gamma = 0;
    const status failed = detail::certificates_api<T>::gamma_xi(values.data(), values.size(), s, &gamma);
    return failed.ok() ? result<T>(gamma) : failed;
}
template <class T> T gamma_xi(span<const T> values, T s) { return try_gamma_xi(values, s).value(); }

/** Hoelder's bound of Var[v.w | xi], of order l, from E_0 (v.w)^(2 l) and the same values. */
template <class T> result<T> try_hoelder(T moment, T order, span<const T> values) noexcept
{
    T bound = 0;
    const status failed =
        detail::certificates_api<T>::hoelder(moment, order, values.data(), values.size(), &bound);
    return failed.ok() ? result<T>(bound) : failed;
}
template <class T> T hoelder(T moment, T order, span<const T> values) { return try_hoelder(moment, order, values).value(); }

/** The least over integer orders with the moments of the l1 ball: the bound and its order. */
template <class T> std::pair<T, std::uint32_t> hoelder_least(T lambda_max, T b2, std::size_t d, T radius)
{
    std::pair<T, std::uint32_t> out{};
    check(detail::certificates_api<T>::hoelder_least(lambda_max, b2, d, radius, &out.first, &out.second));
    return out;
}

} // namespace lcc

#endif
