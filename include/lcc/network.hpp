/* The regressors: the network, and Greedy Bayes. Part of <lcc.hpp>. */
#ifndef LCC_NETWORK_HPP
#define LCC_NETWORK_HPP

#include <lcc/object.hpp>

namespace lcc {

namespace detail {

template <class T> struct network_api;
template <class T> struct greedy_api;

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
        static constexpr auto progress = &lcc_network_progress_##S;                                          \
        static constexpr auto model_size = &lcc_network_model_size_##S;                                      \
        static constexpr auto write_model = &lcc_network_write_model_##S;                                    \
        static constexpr auto checkpoint_size = &lcc_network_checkpoint_size_##S;                            \
        static constexpr auto checkpoint = &lcc_network_checkpoint_##S;                                      \
        static constexpr auto restore = &lcc_network_restore_##S;                                            \
        static constexpr auto diagnose_scratch = &lcc_network_diagnose_scratch_##S;                          \
        static constexpr auto diagnose = &lcc_network_diagnose_##S;                                          \
        static constexpr auto trace = &lcc_network_trace_##S;                                                \
    };                                                                                                       \
    template <> struct greedy_api<T> {                                                                       \
        using handle = lcc_greedy_##S;                                                                       \
        using options = lcc_greedy_options_##S;                                                              \
        using level = lcc_greedy_level_##S;                                                                  \
        static std::int32_t size(const options *o, const lcc_data_##S *d, std::size_t *out)                  \
        {                                                                                                    \
            return lcc_greedy_size_##S(o, d->n, d->d, out);                                                  \
        }                                                                                                    \
        static constexpr auto defaults = &lcc_greedy_options_default_##S;                                    \
        static constexpr auto init = &lcc_greedy_init_##S;                                                   \
        static constexpr auto step = &lcc_greedy_step_##S;                                                   \
        static constexpr auto progress = &lcc_greedy_progress_##S;                                           \
        static constexpr auto report = &lcc_greedy_report_##S;                                               \
        static constexpr auto result = &lcc_greedy_result_##S;                                               \
        static constexpr auto model_size = &lcc_greedy_model_size_##S;                                       \
        static constexpr auto write_model = &lcc_greedy_write_model_##S;                                     \
        static constexpr auto checkpoint_size = &lcc_greedy_checkpoint_size_##S;                             \
        static constexpr auto checkpoint = &lcc_greedy_checkpoint_##S;                                       \
        static constexpr auto restore = &lcc_greedy_restore_##S;                                             \
    };
LCC_NETWORK_API(float, f32)
LCC_NETWORK_API(double, f64)
#undef LCC_NETWORK_API

/** A regressor: data in, model out. */
template <class Self, class Api, class T, class Storage> class regressor : public object<Api, Storage> {
    using base = object<Api, Storage>;

public:
    /** The options of the C header with their default values. */
    using options = detail::options<Api>;

    /** The bytes of memory for so many rows and inputs. */
    [[nodiscard]] static status try_size(const options &o, const data<T> &d, std::size_t &size) noexcept
    {
        return Api::size(&o, d.get(), &size);
    }
    /** Builds in memory of the system's. */
    static result<Self> try_make(const options &o, const data<T> &d) noexcept
    {
        return base::template wrap<Self>(base::build(static_cast<const typename Api::options *>(&o), d.get()));
    }
    /** Builds in memory of the caller's, aligned to 16 and of try_size bytes. */
    static result<Self> try_make(bytes memory, const options &o, const data<T> &d) noexcept
    {
        return base::template wrap<Self>(
            base::build_in(memory, static_cast<const typename Api::options *>(&o), d.get()));
    }
    /** Goes on where a checkpoint was sealed, with the same bits: options and data are those that it was made with. */
    static result<Self> try_restore(const_bytes sealed, const options &o, const data<T> &d) noexcept
    {
        std::size_t size = 0;
        if (status s = try_size(o, d, size); !s.ok()) {
            return s;
        }
        return base::template wrap<Self>(base::unseal(sealed, size));
    }
    static result<Self> try_restore(bytes memory, const_bytes sealed) noexcept
    {
        return base::template wrap<Self>(base::unseal_in(memory, sealed));
    }
    static Self restore(const_bytes sealed, const options &o, const data<T> &d)
    {
        return try_restore(sealed, o, d).value();
    }

    /** Works until `budget` rows times chains are visited, or to the end: running() or done(). */
    [[nodiscard]] status try_step(const data<T> &d, std::uint64_t budget) noexcept
    {
        return Api::step(this->get(), d.get(), budget);
    }
    status step(const data<T> &d, std::uint64_t budget) { return check(try_step(d, budget)); }

    /** To the end. */
    void run(const data<T> &d)
    {
        while (step(d, UINT64_MAX).running()) {
        }
    }
    /**
     * Steps of `budget`, with progress(lcc_progress) after each: what it returns, if anything, says whether to go on.
     * Returns whether all is done.
     */
    template <class Progress> bool run(const data<T> &d, Progress &&progress, std::uint64_t budget = 1000000)
    {
        return detail::run(*this, [&] { return step(d, budget); }, progress);
    }

    lcc_progress progress() const
    {
        lcc_progress now;
        check(Api::progress(this->get(), &now));
        return now;
    }
    lcc::image model() const { return static_cast<const Self *>(this)->try_model().value(); }

protected:
    using base::base;
};

} // namespace detail

/** What the chains of a network say about themselves. */
template <class T> using diagnosis = typename detail::network_api<T>::diagnosis;
/** What a level of Greedy Bayes came to. */
template <class T> using greedy_level = typename detail::greedy_api<T>::level;

/** The network regressor: draws from the posterior of all its parameters. */
template <class T, class Storage = owned>
class network : public detail::regressor<network<T, Storage>, detail::network_api<T>, T, Storage> {
    using api = detail::network_api<T>;
    using base = detail::regressor<network, api, T, Storage>;
    using block = detail::object<api, Storage>;
    friend block;

public:
    using typename base::options;

    /** @throws error */
    network(const options &o, const data<T> &d) : network(base::try_make(o, d).value()) {}
    network(bytes memory, const options &o, const data<T> &d) : network(base::try_make(memory, o, d).value()) {}

    /** The model of the draws made so far. */
    result<lcc::image> try_model() const noexcept
    {
        return detail::written(
            [&](std::size_t *most, std::size_t *scratch) {
                *scratch = 1;
                return api::model_size(this->get(), most);
            },
            [&](std::uint8_t *, std::size_t, std::uint8_t *out, std::size_t size, std::size_t *length) {
                return api::write_model(this->get(), out, size, length);
            });
    }

    result<lcc::diagnosis<T>> try_diagnose() const noexcept
    {
        std::size_t size = 0;
        detail::scratch scratch;
        lcc::diagnosis<T> out;
        status s = api::diagnose_scratch(this->get(), &size);
        if (s.ok()) {
            s = scratch.reserve(size);
        }
        if (s.ok()) {
            s = api::diagnose(this->get(), scratch.data(), scratch.size(), &out);
        }
        return s.ok() ? result<lcc::diagnosis<T>>(out) : s;
    }
    lcc::diagnosis<T> diagnose() const { return try_diagnose().value(); }

    /** One recorded quantity, an LCC_NETWORK_TRACE_ code, at every draw so far. */
    [[nodiscard]] status try_trace(std::int32_t quantity, std::size_t index, draws<T> &out) const noexcept
    {
        return api::trace(this->get(), quantity, index, &out);
    }
    draws<T> trace(std::int32_t quantity, std::size_t index = 0) const
    {
        draws<T> out;
        check(try_trace(quantity, index, out));
        return out;
    }

private:
    explicit network(typename api::handle *h) noexcept : base(h) {}
};

/** Greedy Bayes, neuron by neuron, each from its own posterior. */
template <class T, class Storage = owned>
class greedy : public detail::regressor<greedy<T, Storage>, detail::greedy_api<T>, T, Storage> {
    using api = detail::greedy_api<T>;
    using base = detail::regressor<greedy, api, T, Storage>;
    using block = detail::object<api, Storage>;
    friend block;

public:
    using typename base::options;

    /** @throws error */
    greedy(const options &o, const data<T> &d) : greedy(base::try_make(o, d).value()) {}
    greedy(bytes memory, const options &o, const data<T> &d) : greedy(base::try_make(memory, o, d).value()) {}

    /** The model of a fit that is done. */
    result<lcc::image> try_model() const noexcept
    {
        return detail::written(
            [&](std::size_t *most, std::size_t *scratch) { return api::model_size(this->get(), most, scratch); },
            [&](auto... arguments) { return api::write_model(this->get(), arguments...); });
    }

    /** A level that is done with. */
    [[nodiscard]] status try_report(std::size_t index, greedy_level<T> &out) const noexcept
    {
        return api::report(this->get(), index, &out);
    }
    greedy_level<T> report(std::size_t index) const
    {
        greedy_level<T> out;
        check(try_report(index, out));
        return out;
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

} // namespace lcc

#endif
