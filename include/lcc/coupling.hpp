/* The coupling: what makes a posterior log-concave. Part of <lcc.hpp>. */
#ifndef LCC_COUPLING_HPP
#define LCC_COUPLING_HPP

#include <lcc/problem.hpp>

namespace lcc {

namespace detail {

template <class T> struct coupling_api;

#define LCC_COUPLING_API(T, S)                                                                               \
    template <> struct coupling_api<T> {                                                                     \
        static constexpr auto rho = &lcc_coupling_rho_##S;                                                   \
        static constexpr auto draw = &lcc_coupling_draw_##S;                                                 \
        static constexpr auto log_density = &lcc_coupling_log_density_##S;                                   \
        static constexpr auto score = &lcc_coupling_score_##S;                                               \
        static constexpr auto hessian = &lcc_coupling_hessian_##S;                                           \
    };
LCC_COUPLING_API(float, f32)
LCC_COUPLING_API(double, f64)
#undef LCC_COUPLING_API

} // namespace detail

/**
 * xi_i = sqrt(rho_i) x_i.w + N(0, 1) for each row and neuron of a problem, with rho so large that w given xi is
 * log-concave. The problem's data must outlive it. A span of another
 * length than it should have is status::length_mismatch.
 */
template <class T> class coupling {
    using api = detail::coupling_api<T>;

public:
    /** `sides` is an LCC_COUPLING_ code. @throws error */
    explicit coupling(const problem<T> &p, std::int32_t sides = LCC_COUPLING_ONE_SIDED)
        : coupling(try_make(p, sides).value())
    {
    }
    static result<coupling> try_make(const problem<T> &p, std::int32_t sides = LCC_COUPLING_ONE_SIDED) noexcept
    {
        if (!abi_matches()) {
            return status(status::abi_mismatch);
        }
        coupling made(p, nullptr);
        status s = made.shape();
        if (s.ok()) {
            s = made.rho_.reserve(2 * made.rows_ * sizeof(T));
        }
        if (s.ok()) {
            s = api::rho(p.get(), p.rows(), sides, made.values(), 2 * made.rows_, &made.count_);
        }
        if (s.ok()) {
            s = made.scratch_.reserve(made.bytes_);
        }
        return s.ok() ? result<coupling>(std::move(made)) : s;
    }

    /** rho: a number for each row, or two (see lcc_coupling_rho_f64). */
    span<const T> rho() const noexcept { return span<const T>(values(), count_); }
    /** The coordinates of w. */
    std::size_t dim() const noexcept { return dim_; }
    /** The coordinates of xi: xi of row i and neuron m is number i M + m. */
    std::size_t size() const noexcept { return size_; }

    /** A draw of xi given w. */
    [[nodiscard]] status try_draw(span<const T> w, std::uint64_t seed, span<T> xi) const noexcept
    {
        if (w.size() != dim_ || xi.size() != size_) {
            return status::length_mismatch;
        }
        return call(api::draw, w.data(), seed, xi.data(), xi.size());
    }
    std::vector<T> draw(span<const T> w, std::uint64_t seed) const
    {
        std::vector<T> xi(size_);
        check(try_draw(w, seed, xi));
        return xi;
    }

    /** log p(w | xi) up to a constant, and its gradient. Not for two threads at once: it has one scratch. */
    [[nodiscard]] status try_log_density(span<const T> xi, span<const T> w, T &out, span<T> gradient) noexcept
    {
        if (xi.size() != size_ || w.size() != dim_ || gradient.size() != dim_) {
            return status::length_mismatch;
        }
        return call(api::log_density, xi.data(), w.data(), scratch_.data(), bytes_, &out, gradient.data());
    }
    T log_density(span<const T> xi, span<const T> w, span<T> gradient)
    {
        T out = 0;
        check(try_log_density(xi, w, out, gradient));
        return out;
    }

    /** grad log p(xi), from E[w | xi]. */
    [[nodiscard]] status try_score(span<const T> xi, span<const T> mean, span<T> out) const noexcept
    {
        if (xi.size() != size_ || mean.size() != dim_ || out.size() != size_) {
            return status::length_mismatch;
        }
        return call(api::score, xi.data(), mean.data(), out.data(), out.size());
    }
    std::vector<T> score(span<const T> xi, span<const T> mean) const
    {
        std::vector<T> out(size_);
        check(try_score(xi, mean, out));
        return out;
    }

    /** The Hessian of log p(xi), row by row, from Cov[w | xi], row by row; `scratch` holds dim() numbers. */
    [[nodiscard]] status try_hessian(span<const T> covariance, span<T> scratch, span<T> out) const noexcept
    {
        if (covariance.size() != dim_ * dim_ || scratch.size() != dim_ || out.size() != size_ * size_) {
            return status::length_mismatch;
        }
        return call(api::hessian, covariance.data(), scratch.data(), out.data(), out.size());
    }
    std::vector<T> hessian(span<const T> covariance) const
    {
        std::vector<T> out(size_ * size_), scratch(dim_);
        check(try_hessian(covariance, scratch, out));
        return out;
    }

private:
    coupling(const problem<T> &p, std::nullptr_t) noexcept : problem_(p) {}

    status shape() noexcept
    {
        std::size_t neurons = problem_->posterior == LCC_POSTERIOR_JOINT ? problem_->neurons : 1;
        status s = detail::problem_api<T>::dim(problem_.get(), problem_.rows(), &dim_);
        if (s.ok()) {
            s = detail::problem_api<T>::scratch(problem_.get(), problem_.rows(), &bytes_);
        }
        rows_ = problem_.rows() == nullptr ? 0 : problem_.rows()->n;
        size_ = rows_ * neurons;
        return s;
    }
    T *values() const noexcept { return reinterpret_cast<T *>(rho_.data()); }
    template <class Function, class... Arguments> status call(Function f, Arguments... arguments) const noexcept
    {
        return f(problem_.get(), problem_.rows(), values(), count_, arguments...);
    }

    problem<T> problem_;
    detail::scratch rho_, scratch_;
    std::size_t rows_ = 0, dim_ = 0, size_ = 0, count_ = 0, bytes_ = 0;
};

} // namespace lcc

#endif
