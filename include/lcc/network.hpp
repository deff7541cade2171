/* The network regressor, and what regressors share. Part of <lcc.hpp>. */
#ifndef LCC_NETWORK_HPP
#define LCC_NETWORK_HPP

#include <lcc/task.hpp>

namespace lcc {

namespace detail {

template <class T> struct network_api;

#define LCC_NETWORK_API(T, S)                                                                                \
    template <> struct network_api<T> {                                                                      \
        using handle = lcc_network_##S;                                                                      \
        using options = lcc_network_options_##S;                                                             \
        using diagnosis = lcc_network_diagnosis_##S;                                                         \
        static std::int32_t size(const options *o, const lcc_data_##S *d, std::size_t *out)                  \
        {                                                                                                    \
            return lcc_network_size_##S(o, d->n, d->d, out);                                                 \
        }                                                                                                    \
        static constexpr auto defaults = &lcc_network_options_default_##S;                                   \
        static constexpr auto init = &lcc_network_init_##S;                                                  \
        static constexpr auto step = &lcc_network_step_##S;                                                  \
        static constexpr auto progress = &lcc_read_progress;                                                 \
        static constexpr auto model_size = &lcc_network_model_size_##S;                                      \
        static constexpr auto write_model = &lcc_network_write_model_##S;                                    \
        static constexpr auto join = &lcc_network_join_##S;                                                  \
        static constexpr const char *type = "lcc_network_" #S;                                               \
        static constexpr auto diagnose_scratch = &lcc_network_diagnose_scratch_##S;                          \
        static constexpr auto diagnose = &lcc_network_diagnose_##S;                                          \
        static constexpr auto trace = &lcc_network_trace_##S;                                                \
    };
LCC_NETWORK_API(float, f32)
LCC_NETWORK_API(double, f64)
#undef LCC_NETWORK_API

/** A regressor: data in, model out. */
template <class Self, class Api, class Subject, class Storage> class regressor : public task<Self, Api, Subject, Storage> {
    using base = task<Self, Api, Subject, Storage>;

public:
    /** The model of what is done. */
    result<lcc::image> try_model() const noexcept
    {
        return written(
            [&](std::size_t *most, std::size_t *scratch) { return Api::model_size(this->get(), most, scratch); },
            [&](auto... arguments) { return Api::write_model(this->get(), arguments...); });
    }
    lcc::image model() const { return static_cast<const Self *>(this)->try_model().value(); }

    /** A level that is done with, of regressors that have levels. */
    template <class A = Api>
    [[nodiscard]] status try_report(std::size_t index, typename A::level &out) const noexcept
    {
        return A::report(this->get(), index, &out);
    }
    template <class A = Api> typename A::level report(std::size_t index) const
    {
        return read(A::report, this->get(), index);
    }

protected:
    using base::base;
};

/** A regressor whose chains keep draws for the model and traces for a diagnosis. */
template <class Self, class Api, class T, class Storage, class Subject = data<T>>
class sampled : public regressor<Self, Api, Subject, Storage> {
    using base = regressor<Self, Api, Subject, Storage>;

public:
    /** What its chains say about themselves. */
    using diagnosis = typename Api::diagnosis;
    using base::join;
    using base::try_join;

    /** The model of the draws made so far. */
    result<lcc::image> try_model() const noexcept { return imaged(Api::write_model); }

    result<diagnosis> try_diagnose() const noexcept
    {
        std::size_t size = 0;
        detail::scratch scratch;
        diagnosis out;
        status s = Api::diagnose_scratch(this->get(), &size);
        if (s.ok()) {
            s = scratch.reserve(size);
        }
        if (s.ok()) {
            s = Api::diagnose(this->get(), scratch.data(), scratch.size(), &out);
        }
        return s.ok() ? result<diagnosis>(out) : s;
    }
    diagnosis diagnose() const { return try_diagnose().value(); }

    /** One recorded quantity, an LCC_NETWORK_TRACE_ or LCC_BNN_TRACE_ code, at every draw so far. */
    [[nodiscard]] status try_trace(std::int32_t quantity, std::size_t index, draws<T> &out) const noexcept
    {
        return Api::trace(this->get(), quantity, index, &out);
    }
    draws<T> trace(std::int32_t quantity, std::size_t index = 0) const
    {
        draws<T> out;
        check(try_trace(quantity, index, out));
        return out;
    }

protected:
    using base::base;

    /** An image that is no longer than the model. */
    template <class Write> result<lcc::image> imaged(Write &&write) const noexcept
    {
        return detail::written(
            [&](std::size_t *most, std::size_t *scratch) {
                *scratch = 1;
                return Api::model_size(this->get(), most);
            },
            [&](std::uint8_t *, std::size_t, std::uint8_t *out, std::size_t size, std::size_t *length) {
                return write(this->get(), out, size, length);
            });
    }
};

} // namespace detail

/** What the chains of a network say about themselves. */
template <class T> using diagnosis = typename detail::network_api<T>::diagnosis;

/** The network regressor: draws from the posterior of all its parameters. */
template <class T, class Storage = owned>
class network : public detail::sampled<network<T, Storage>, detail::network_api<T>, T, Storage> {
    using api = detail::network_api<T>;
    using base = detail::sampled<network, api, T, Storage>;
    using block = detail::object<api, Storage>;
    friend block;

public:
    using typename base::options;

    /** @throws error */
    network(const options &o, const data<T> &d) : network(base::kept(base::try_make(o, d), d)) {}
    network(bytes memory, const options &o, const data<T> &d)
        : network(base::kept(base::try_make(memory, o, d), d))
    {
    }

private:
    explicit network(typename api::handle *h) noexcept : base(h) {}
};

} // namespace lcc

#endif
