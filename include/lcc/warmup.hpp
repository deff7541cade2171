/* Where and how wide a density of one's own is. Part of <lcc.hpp>. */
#ifndef LCC_WARMUP_HPP
#define LCC_WARMUP_HPP

#include <lcc/problem.hpp>

namespace lcc {

namespace detail {

template <class T> struct warmup_api;

#define LCC_WARMUP_API(T, S)                                                                                 \
    template <> struct warmup_api<T> {                                                                       \
        using handle = lcc_warmup_##S;                                                                       \
        using options = lcc_warmup_options_##S;                                                              \
        using problem = lcc_problem_##S;                                                                     \
        using data = lcc_data_##S;                                                                           \
        static constexpr auto defaults = &lcc_warmup_options_default_##S;                                    \
        static std::int32_t size(const options *o, const problem *p, const data *, std::size_t *out)         \
        {                                                                                                    \
            return lcc_warmup_size_##S(o, p, out);                                                           \
        }                                                                                                    \
        static std::int32_t init(std::uint8_t *memory, std::size_t bytes, const options *o, const problem *p,\
                                 const data *, handle **out)                                                 \
        {                                                                                                    \
            return lcc_warmup_init_##S(memory, bytes, o, p, out);                                            \
        }                                                                                                    \
        static std::int32_t step(handle *h, const problem *p, const data *, std::uint64_t budget)            \
        {                                                                                                    \
            return lcc_warmup_step_##S(h, p, budget);                                                        \
        }                                                                                                    \
        static constexpr auto progress = &lcc_read_progress;                                                 \
        static constexpr auto frame = &lcc_warmup_frame_##S;                                                 \
        static constexpr auto leapfrogs = &lcc_warmup_leapfrogs_##S;                                         \
        static constexpr const char *type = "lcc_warmup_" #S;                                                \
    };
LCC_WARMUP_API(float, f32)
LCC_WARMUP_API(double, f64)
#undef LCC_WARMUP_API

} // namespace detail

/** Finds N(m, LL') for a density; with its frame as `p->frame` whatever samples the problem does so about it. */
template <class T, class Storage = owned>
class warmup : public detail::task<warmup<T, Storage>, detail::warmup_api<T>, problem<T>, Storage> {
    using api = detail::warmup_api<T>;
    using base = detail::task<warmup, api, problem<T>, Storage>;
    using block = detail::object<api, Storage>;
    friend block;

public:
    using typename base::options;

    /** @throws error, or what the density throws */
    warmup(const options &o, const problem<T> &p) : warmup(base::kept(base::try_make(o, p), p)) {}
    warmup(bytes memory, const options &o, const problem<T> &p) : warmup(base::kept(base::try_make(memory, o, p), p)) {}

    /** The mean, then the factor of the covariance row by row: dim + dim (dim + 1)/2 values. */
    [[nodiscard]] status try_frame(span<T> out) const noexcept { return api::frame(this->get(), out.data(), out.size()); }

    /** The steps of a trajectory that gets somewhere in the frame. */
    [[nodiscard]] status try_leapfrogs(std::uint32_t &out) const noexcept { return api::leapfrogs(this->get(), &out); }

private:
    explicit warmup(typename api::handle *h) noexcept : base(h) {}
};

} // namespace lcc

#endif
