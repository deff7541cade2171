/* What is sampled, and what all that sample it share. Part of <lcc.hpp>. */
#ifndef LCC_PROBLEM_HPP
#define LCC_PROBLEM_HPP

#include <lcc/task.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>

namespace lcc {

namespace detail {

template <class T> struct problem_api;

#define LCC_PROBLEM_API(T, S)                                                                                \
    template <> struct problem_api<T> {                                                                      \
        using problem = lcc_problem_##S;                                                                     \
        using network = lcc_bnn_options_##S;                                                                 \
        static constexpr auto defaults = &lcc_problem_default_##S;                                           \
        static constexpr auto dim = &lcc_problem_dim_##S;                                                    \
        static constexpr auto scratch = &lcc_problem_scratch_##S;                                            \
        static constexpr auto log_density = &lcc_problem_log_density_##S;                                    \
        using gradient_check = lcc_gradient_check_##S;                                                       \
        static constexpr auto check = &lcc_density_check_##S;                                                \
        static constexpr auto model_size = &lcc_read_model_size_##S;                                         \
        static constexpr auto model = &lcc_read_model_##S;                                                   \
        static constexpr auto quantities = &lcc_read_quantities_##S;                                         \
    };
LCC_PROBLEM_API(float, f32)
LCC_PROBLEM_API(double, f64)
#undef LCC_PROBLEM_API

/** What a density threw, kept until the C frames are left; and where it was no number, for a run that cannot start. */
struct caught {
    char lost[96] = {}; // the first point
#if LCC_EXCEPTIONS
    std::exception_ptr what;
    bool any() const noexcept { return what != nullptr; }
    void rethrow()
    {
        if (what) {
            std::rethrow_exception(std::exchange(what, nullptr));
        }
    }
#else
    bool any() const noexcept { return false; }
    void rethrow() {}
#endif

    /** Notes the first point, of n coordinates `stride` apart, where value or gradient is not finite. */
    template <class T> void note(T value, std::size_t n, std::size_t stride, const T *x, const T *grad) noexcept
    {
        if (lost[0] != '\0') {
            return; // the gradient is read until then alone
        }
        bool finite = std::isfinite(value);
        for (std::size_t i = 0; finite && grad != nullptr && i < n; i++) {
            finite = std::isfinite(grad[i * stride]);
        }
        if (finite) {
            return;
        }
        constexpr std::size_t shown = 5;
        int at = std::snprintf(lost, sizeof lost, "First at (");
        for (std::size_t i = 0; i < n && i < shown; i++) {
            at += std::snprintf(lost + at, sizeof lost - std::size_t(at), i == 0 ? "%.5g" : ", %.5g", double(x[i * stride]));
        }
        (void)std::snprintf(lost + at, sizeof lost - std::size_t(at), n > shown ? ", ...)." : ").");
    }
};

} // namespace detail

/**
 * A log density of one's own: `T f(span<const T> x, span<T> gradient)` returns log p(x) up to a constant,
 * -infinity or NaN outside the support, and writes the gradient unless that span is empty. Made by make_density. Compile
 * with -ffp-contract=off what has to give the same bits everywhere. It stays where it is while it is sampled.
 *
 * One that is faster for several points at once is `void f(std::size_t lanes, span<const T> x, span<T> gradient,
 * span<T> values)`: coordinate i of point k is x[i * lanes + k], as in the C header's lcc_densities_f64.
 */
template <class T, class F> class density {
    static constexpr bool many = std::is_invocable_v<F &, std::size_t, span<const T>, span<T>, span<T>>;

public:
    density(std::size_t dim, F f, bool gradient = true) : f_(std::move(f)), dim_(dim), gradient_(gradient) {}
    density(const density &) = delete;
    density &operator=(const density &) = delete;

    std::size_t dim() const noexcept { return dim_; }

private:
    template <class> friend class problem;

    static density &self_of(void *context) noexcept { return *static_cast<density *>(context); }

    /** What `body` makes of the density, unless it has thrown or throws: then all is outside the support, at no cost. */
    template <class Body> static int guard(void *context, Body body) noexcept
    {
        auto &self = self_of(context);
#if LCC_EXCEPTIONS
        if (self.caught_.any()) {
            return 1; // the step is lost already
        }
        try {
#endif
            return body(self.f_);
#if LCC_EXCEPTIONS
        } catch (...) {
            self.caught_.what = std::current_exception();
            return 1;
        }
#endif
    }
    static int call(std::size_t n, const T *x, T *grad, T *logp, void *context) noexcept
    {
        return guard(context, [&](F &f) {
            *logp = f(span<const T>(x, n), span<T>(grad, grad == nullptr ? 0 : n));
            self_of(context).caught_.note(*logp, n, 1, x, grad);
            return *logp < std::numeric_limits<T>::lowest() ? 1 : 0;
        });
    }
    static int call_many(std::size_t n, std::size_t lanes, const T *x, T *grad, T *logp, void *context) noexcept
    {
        return guard(context, [&](F &f) {
            f(lanes, span<const T>(x, n * lanes), span<T>(grad, grad == nullptr ? 0 : n * lanes),
              span<T>(logp, lanes));
            for (std::size_t k = 0; k < lanes; k++) {
                self_of(context).caught_.note(logp[k], n, lanes, x + k, grad == nullptr ? grad : grad + k);
            }
            return 0;
        });
    }

    F f_;
    std::size_t dim_;
    bool gradient_;
    detail::caught caught_;
};

/** `gradient` says whether f writes one; without it random walk and independence are the methods. */
template <class T, class F> density<T, F> make_density(std::size_t dim, F f, bool gradient = true)
{
    return density<T, F>(dim, std::move(f), gradient);
}

/** What is sampled: a posterior of rows of data, or a density. A view of both. */
template <class T> class problem {
    using api = detail::problem_api<T>;

public:
    /** The posterior of one neuron given residuals y; alpha = 1/sqrt(n), tanh, under N(0, I), until set otherwise. */
    explicit problem(const data<T> &d) noexcept : data_(d)
    {
        (void)api::defaults(&c_, d.rows() == 0 ? 1 : d.rows());
    }
    /** The joint posterior of the inner weights of so many neurons. */
    static problem joint(const data<T> &d, std::uint32_t neurons) noexcept
    {
        problem p(d);
        p->posterior = LCC_POSTERIOR_JOINT;
        p->neurons = neurons;
        return p;
    }
    /** The posterior of every parameter of a network, as the options of lcc::bnn say what it is; they must stay
     *  where they are while it is sampled. */
    static problem network(const data<T> &d, const typename api::network &what) noexcept
    {
        problem p(d);
        p->posterior = LCC_POSTERIOR_NETWORK;
        p->network = &what;
        return p;
    }
    /** The joint posterior of the inner weights of several hidden layers: the widths of `what`, which must stay where
     *  it is; no other member of it is read. */
    static problem layers(const data<T> &d, const typename api::network &what) noexcept
    {
        problem p(d);
        p->posterior = LCC_POSTERIOR_LAYERS;
        p->network = &what;
        return p;
    }
    template <class F> explicit problem(density<T, F> &own) noexcept : caught_(&own.caught_)
    {
        (void)api::defaults(&c_, 1);
        c_.posterior = LCC_POSTERIOR_USER;
        if constexpr (density<T, F>::many) {
            c_.densities = &density<T, F>::call_many;
        } else {
            c_.density = &density<T, F>::call;
        }
        c_.context = &own;
        c_.dim = own.dim_;
        c_.gradient = own.gradient_ ? 1 : 0;
    }

    /** The settings, by their names in the C header: p->alpha = 2. */
    typename api::problem *operator->() noexcept { return &c_; }
    const typename api::problem *operator->() const noexcept { return &c_; }

    const typename api::problem *get() const noexcept { return &c_; }
    /** The data; NULL for a density. */
    const typename detail::data_api<T>::data *rows() const noexcept { return data_ ? data_->get() : nullptr; }

    /** The coordinates. */
    std::size_t dim() const
    {
        std::size_t out = 0;
        check(api::dim(&c_, rows(), &out));
        return out;
    }
    /** log p(w) up to a constant, and its gradient. */
    T log_density(span<const T> w, span<T> gradient) const
    {
        std::size_t size = 0;
        T out = 0;
        detail::scratch scratch;
        if (w.size() != dim() || gradient.size() != dim()) {
            raise(status::length_mismatch);
        }
        check(api::scratch(&c_, rows(), &size));
        check(scratch.reserve(size == 0 ? 1 : size));
        check(after(api::log_density(&c_, rows(), w.data(), scratch.data(), size, &out, gradient.data())));
        return out;
    }

    /** A density's gradient against differences, at points one after another in x, or drawn from N(0, scale^2 I). */
    typename api::gradient_check check_gradient(span<const T> x) const { return checked(x.data(), x.size() / dim(), 0); }
    typename api::gradient_check check_gradient(std::size_t points = 10, std::uint64_t seed = 1) const
    {
        return checked(nullptr, points, seed);
    }

    /** Throws on what the density threw in a try_ call that returned callback_threw. */
    void rethrow() const
    {
        if (caught_ != nullptr) {
            caught_->rethrow();
        }
    }
    /** What a call came to, now that its frames are left. */
    status after_try(status s) const noexcept
    {
        return caught_ != nullptr && caught_->any() ? status(status::callback_threw) : s;
    }
    status after(status s) const
    {
        rethrow();
#if LCC_EXCEPTIONS
        if (s == LCC_ERROR_START && caught_ != nullptr && caught_->lost[0] != '\0') {
            throw error(s, caught_->lost);
        }
#endif
        return s;
    }

private:
    typename api::gradient_check checked(const T *x, std::size_t points, std::uint64_t seed) const
    {
        std::size_t size = 0;
        typename api::gradient_check out;
        detail::scratch scratch;
        check(api::scratch(&c_, rows(), &size));
        check(scratch.reserve(size == 0 ? 1 : size));
        check(after(api::check(&c_, x, points, seed, scratch.data(), size, &out)));
        return out;
    }

    typename api::problem c_;
    std::optional<data<T>> data_;
    detail::caught *caught_ = nullptr;
};

namespace detail {
template <class Self, class Api, class T, class Storage> class sampling;
}

/** Generated quantities, by name, of every draw: what sampling::generate made of them, a copy. */
template <class T> class quantities {
public:
    const std::vector<std::string> &names() const noexcept { return names_; }
    /** Of one of them: for lcc::summarise, or an average. @throws error where there is no such name */
    lcc::draws<T> operator[](const std::string &name) const
    {
        const auto at = std::find(names_.begin(), names_.end(), name);
        if (at == names_.end()) {
            raise(LCC_ERROR_INDEX);
        }
        lcc::draws<T> out = shape_;
        out.data = values_.data() + (at - names_.begin());
        return out;
    }

private:
    template <class, class, class, class> friend class detail::sampling;
    std::vector<std::string> names_;
    std::vector<T> values_;
    lcc::draws<T> shape_{};
};

namespace detail {

/** A function of draws, and what it threw. */
template <class T, class F> struct generator {
    F &f;
    caught thrown;

    static int call(std::size_t n, const T *x, std::size_t count, T *values, void *context) noexcept
    {
        auto &self = *static_cast<generator *>(context);
#if LCC_EXCEPTIONS
        if (self.thrown.any()) {
            return 1;
        }
        try {
#endif
            self.f(span<const T>(x, n), span<T>(values, count));
            return 0;
#if LCC_EXCEPTIONS
        } catch (...) {
            self.thrown.what = std::current_exception();
            return 1;
        }
#endif
    }
};

template <class T> struct subject<problem<T>> {
    template <class Call> static auto pass(const problem<T> &p, Call &&call) { return call(p.get(), p.rows()); }
    static status after_try(const problem<T> &p, status s) noexcept { return p.after_try(s); }
    static status after(const problem<T> &p, status s) { return p.after(s); }
    /** What a density throws comes out after the step: it is kept short. */
    static std::uint64_t most(const problem<T> &p) noexcept { return p.rows() == nullptr ? 10000 : UINT64_MAX; }
};

/**
 * What samples a problem, and its draws: views into it, valid until its next step. After an exception of the
 * density it has lost its way: build it anew, or restore its last checkpoint.
 */
template <class Self, class Api, class T, class Storage>
class sampling : public task<Self, Api, problem<T>, Storage> {
    using base = task<Self, Api, problem<T>, Storage>;

public:
    /** The draws of a coordinate so far. */
    [[nodiscard]] status try_draws(std::size_t coordinate, lcc::draws<T> &out) const noexcept
    {
        return Api::draws(this->get(), coordinate, &out);
    }
    lcc::draws<T> draws(std::size_t coordinate) const { return read(Api::draws, this->get(), coordinate); }

    /** What is recorded beside each draw: an LCC_TRACE_ code. */
    [[nodiscard]] status try_trace(std::int32_t trace, lcc::draws<T> &out) const noexcept
    {
        return Api::trace(this->get(), trace, &out);
    }
    lcc::draws<T> trace(std::int32_t trace) const
    {
        lcc::draws<T> out;
        check(try_trace(trace, out));
        return out;
    }

    /** The output of the neuron or network at a row of `queries`, at every draw; `values` holds them. */
    [[nodiscard]] status try_output(const problem<T> &p, const data<T> &queries, std::size_t row, span<T> values,
                      lcc::draws<T> &out) const noexcept
    {
        return Api::output(this->get(), p.get(), queries.get(), row, values.data(), values.size(), &out);
    }

    /**
     * Generated quantities: `void f(span<const T> x, span<T> values)` writes a value for each name, for every draw so
     * far. @throws error, std::bad_alloc, what f throws
     */
    template <class F>
    lcc::quantities<T> generate(const problem<T> &p, std::vector<std::string> names, F &&f) const
    {
        lcc::quantities<T> out;
        const lcc::draws<T> shape = draws(0);
        std::vector<T> x(p.dim());
        out.values_.resize(names.size() * shape.chains * shape.draws);
        generator<T, std::remove_reference_t<F>> own{f, {}};
        const status s = problem_api<T>::quantities(this->get(), &own.call, &own, names.size(), x.data(), x.size(),
                                                    out.values_.data(), out.values_.size(), &out.shape_);
        own.thrown.rethrow();
        check(s);
        out.names_ = std::move(names);
        return out;
    }

    /** The draws of a network so far as a model, which predicts. */
    result<lcc::image> try_model(const problem<T> &p) const noexcept
    {
        using api = detail::problem_api<T>;
        return detail::written(
            [&](std::size_t *most, std::size_t *scratch) {
                return api::model_size(this->get(), p.get(), p.rows(), scratch, most);
            },
            [&](std::uint8_t *scratch, std::size_t bytes, std::uint8_t *out, std::size_t size,
                std::size_t *length) {
                return api::model(this->get(), p.get(), p.rows(), scratch, bytes, out, size, length);
            });
    }
    lcc::image model(const problem<T> &p) const { return try_model(p).value(); }

protected:
    using base::base;

    /** What `summarise` makes of the output at a row. */
    template <class Summarise>
    auto output_by(Summarise &&summarise, const problem<T> &p, const data<T> &queries, std::size_t row) const
    {
        const lcc::draws<T> shape = draws(0);
        std::vector<T> values(shape.chains * shape.draws);
        lcc::draws<T> out;
        check(try_output(p, queries, row, values, out));
        return summarise(out);
    }
};

/** Whose draws are chains, which lcc::summarise takes. */
template <class Self, class Api, class T, class Storage>
class chains : public sampling<Self, Api, T, Storage> {
    using base = sampling<Self, Api, T, Storage>;

public:
    lcc::summary<T> summary(std::size_t coordinate) const { return lcc::summarise(this->draws(coordinate)); }
    lcc::summary<T> output(const problem<T> &p, const data<T> &queries, std::size_t row) const
    {
        return base::output_by([](const lcc::draws<T> &d) { return lcc::summarise(d); }, p, queries, row);
    }

protected:
    using base::base;
};

} // namespace detail
} // namespace lcc

#endif
