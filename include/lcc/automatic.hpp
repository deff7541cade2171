/* The sampler that chooses for itself, and says why. Part of <lcc.hpp>. */
#ifndef LCC_AUTOMATIC_HPP
#define LCC_AUTOMATIC_HPP

#include <lcc/smc.hpp>

#include <string>

namespace lcc {

namespace detail {

template <class T> struct automatic_api;

#define LCC_AUTOMATIC_API(T, S)                                                                              \
    template <> struct automatic_api<T> {                                                                    \
        using handle = lcc_auto_##S;                                                                         \
        using options = lcc_auto_options_##S;                                                                \
        using choice = lcc_choice_##S;                                                                       \
        static constexpr auto defaults = &lcc_auto_options_default_##S;                                      \
        static constexpr auto size = &lcc_auto_size_##S;                                                     \
        static constexpr auto init = &lcc_auto_init_##S;                                                     \
        static constexpr auto step = &lcc_auto_step_##S;                                                     \
        static constexpr auto progress = &lcc_read_progress;                                                 \
        static constexpr auto report = &lcc_auto_report_##S;                                                 \
        static constexpr auto explain = &lcc_auto_explain_##S;                                               \
        static constexpr auto draws = &lcc_read_draws_##S;                                                   \
        static constexpr auto trace = &lcc_read_trace_##S;                                                   \
        static constexpr auto output = &lcc_read_output_##S;                                                 \
        static constexpr auto read_average = &lcc_auto_average_##S;                                          \
        static constexpr auto step_size = &lcc_auto_step_size_##S;                                           \
        static constexpr auto stop = &lcc_auto_stop_##S;                                                     \
        static constexpr const char *type = "lcc_auto_" #S;                                                  \
    };
LCC_AUTOMATIC_API(float, f32)
LCC_AUTOMATIC_API(double, f64)
#undef LCC_AUTOMATIC_API

} // namespace detail

/** What a run found, chose, and thinks of it. */
template <class T> using choice = typename detail::automatic_api<T>::choice;

/** A pilot of particles, and the chains or particles that it leads to. */
template <class T, class Storage = owned>
class automatic : public detail::averaging<automatic<T, Storage>, detail::automatic_api<T>, T, Storage> {
    using api = detail::automatic_api<T>;
    using base = detail::averaging<automatic, api, T, Storage>;
    using block = detail::object<api, Storage>;
    friend block;

public:
    using typename base::options;

    /** @throws error, or what the density throws */
    automatic(const options &o, const problem<T> &p) : automatic(base::kept(base::try_make(o, p), p)) {}
    automatic(bytes memory, const options &o, const problem<T> &p)
        : automatic(base::kept(base::try_make(memory, o, p), p))
    {
    }

    /** Ends the run as soon as it may, with the draws that there are: lcc_auto_stop_f64. */
    [[nodiscard]] status try_stop() noexcept { return api::stop(this->get()); }
    void stop() { check(try_stop()); }

    /** What was found and chosen so far. */
    [[nodiscard]] status try_report(lcc::choice<T> &out) const noexcept { return api::report(this->get(), &out); }
    lcc::choice<T> report() const { return detail::read(api::report, this->get()); }

    /** The report in one sentence, zero-terminated in `text`: 512 bytes are enough. */
    [[nodiscard]] status try_explain(span<char> text, std::size_t &length) const noexcept
    {
        return api::explain(this->get(), text.data(), text.size(), &length);
    }
    std::string explain() const
    {
        char text[512];
        std::size_t length = 0;
        check(try_explain(text, length));
        return std::string(text, length);
    }

    /** The step size that a chain has adapted. */
    [[nodiscard]] status try_step_size(std::size_t chain, T &out) const noexcept
    {
        return api::step_size(this->get(), chain, &out);
    }
    T step_size(std::size_t chain) const { return detail::read(api::step_size, this->get(), chain); }

private:
    explicit automatic(typename api::handle *h) noexcept : base(h) {}
};

} // namespace lcc

#endif
