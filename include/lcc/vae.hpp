/* The variational auto-encoder. Part of <lcc.hpp>. */
#ifndef LCC_VAE_HPP
#define LCC_VAE_HPP

#include <lcc/task.hpp>

namespace lcc {

namespace detail {

template <class T> struct vae_api;

#define LCC_VAE_API(T, S)                                                                                    \
    template <> struct vae_api<T> {                                                                          \
        using handle = lcc_vae_##S;                                                                          \
        using options = lcc_vae_options_##S;                                                                 \
        using shape = lcc_vae_shape_##S;                                                                     \
        using bound = lcc_vae_bound_##S;                                                                     \
        static std::int32_t size(const options *o, const lcc_data_##S *d, std::size_t *out)                  \
        {                                                                                                    \
            return lcc_vae_size_##S(o, d->n, d->d, out);                                                     \
        }                                                                                                    \
        static constexpr auto defaults = &lcc_vae_options_default_##S;                                       \
        static constexpr auto init = &lcc_vae_init_##S;                                                      \
        static constexpr auto step = &lcc_vae_step_##S;                                                      \
        static constexpr auto progress = &lcc_read_progress;                                                 \
        static constexpr auto shape_of = &lcc_vae_shape_of_##S;                                              \
        static constexpr auto encode = &lcc_vae_encode_##S;                                                  \
        static constexpr auto decode = &lcc_vae_decode_##S;                                                  \
        static constexpr auto sample = &lcc_vae_sample_##S;                                                  \
        static constexpr auto bound_of = &lcc_vae_bound_of_##S;                                              \
        static constexpr const char *type = "lcc_vae_" #S;                                                   \
    };
LCC_VAE_API(float, f32)
LCC_VAE_API(double, f64)
#undef LCC_VAE_API

} // namespace detail

/** The bound of ln p(y), a row, its error and its KL divergence. */
template <class T> using vae_bound = typename detail::vae_api<T>::bound;

/**
 * Two networks about a few coordinates of rows. Of its data y is not read. Its checkpoint is the model: it is restored
 * with the options and data that it was made with, or, in memory of its bytes, without them.
 */
template <class T, class Storage = owned>
class vae : public detail::task<vae<T, Storage>, detail::vae_api<T>, data<T>, Storage> {
    using api = detail::vae_api<T>;
    using base = detail::task<vae, api, data<T>, Storage>;
    using block = detail::object<api, Storage>;
    friend block;

public:
    using typename base::options;

    /** @throws error */
    vae(const options &o, const data<T> &d) : vae(base::kept(base::try_make(o, d), d)) {}
    vae(bytes memory, const options &o, const data<T> &d) : vae(base::kept(base::try_make(memory, o, d), d)) {}

    /** What it is: columns, coordinates, parameters, noise. */
    typename api::shape shape() const { return detail::read(api::shape_of, this->get()); }

    /** The mean and the sd of the coordinates given each row, row by row: rows times coordinates each. */
    [[nodiscard]] status try_encode(const data<T> &rows, span<T> means, span<T> sds) const noexcept
    {
        const std::size_t least = means.size() < sds.size() ? means.size() : sds.size();
        return in_scratch([&](auto... scratch) {
            return api::encode(this->get(), rows.get(), means.data(), sds.data(), least, scratch...);
        });
    }
    void encode(const data<T> &rows, span<T> means, span<T> sds) const { check(try_encode(rows, means, sds)); }

    /** The mean of a row given each z, row by row. */
    [[nodiscard]] status try_decode(const data<T> &z, span<T> out) const noexcept
    {
        return in_scratch(
            [&](auto... scratch) { return api::decode(this->get(), z.get(), out.data(), out.size(), scratch...); });
    }
    void decode(const data<T> &z, span<T> out) const { check(try_decode(z, out)); }

    /** Draws of (z, y), noise included. */
    [[nodiscard]] status try_sample(std::size_t count, std::uint64_t seed, span<T> z, span<T> y) const noexcept
    {
        return in_scratch([&](auto... scratch) {
            return api::sample(this->get(), count, seed, z.data(), z.size(), y.data(), y.size(), scratch...);
        });
    }
    void sample(std::size_t count, std::uint64_t seed, span<T> z, span<T> y) const
    {
        check(try_sample(count, seed, z, y));
    }

    /** By so many draws of z a row, two or more. */
    [[nodiscard]] status try_bound(const data<T> &rows, std::uint32_t draws, std::uint64_t seed,
                                   vae_bound<T> &out) const noexcept
    {
        return in_scratch(
            [&](auto... scratch) { return api::bound_of(this->get(), rows.get(), draws, seed, scratch..., &out); });
    }
    vae_bound<T> bound(const data<T> &rows, std::uint32_t draws = 100, std::uint64_t seed = 1) const
    {
        vae_bound<T> out;
        check(try_bound(rows, draws, seed, out));
        return out;
    }

private:
    explicit vae(typename api::handle *h) noexcept : base(h) {}

    template <class Call> status in_scratch(Call &&call) const noexcept
    {
        typename api::shape shape;
        detail::scratch scratch;
        status s = api::shape_of(this->get(), &shape);
        if (s.ok()) {
            s = scratch.reserve(static_cast<std::size_t>(shape.scratch));
        }
        return s.ok() ? status(call(scratch.data(), scratch.size())) : s;
    }
};

} // namespace lcc

#endif
