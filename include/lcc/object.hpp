/* What every object that lives in a block of memory does: it is built, moved, stepped, sealed. Part of <lcc.hpp>. */
#ifndef LCC_OBJECT_HPP
#define LCC_OBJECT_HPP

#include <lcc/data.hpp>
#include <lcc/model.hpp>

#include <cstring>
#include <iterator>

namespace lcc {
namespace detail {

/** What a function of the C header tells of an object; throws the error. */
template <class Handle, class Out>
Out read(std::int32_t (*f)(const Handle *, Out *), const std::enable_if_t<true, Handle> *handle)
{
    Out out;
    check(f(handle, &out));
    return out;
}
template <class Handle, class Out>
Out read(std::int32_t (*f)(const Handle *, std::size_t, Out *), const std::enable_if_t<true, Handle> *handle,
         std::size_t index)
{
    Out out;
    check(f(handle, index, &out));
    return out;
}

/** A struct of options of the C header, with its default values. */
template <class Api> struct options : Api::options {
    options() noexcept { (void)Api::defaults(this); }
};

/**
 * One pointer, which is the block of memory that the object lives in; move-only. After a move the old one
 * holds nothing, and its calls return LCC_ERROR_NULL. `Api` has the C functions, `Storage` frees.
 */
template <class Api, class Storage> class object {
public:
    using handle = typename Api::handle;

    object(const object &) = delete;
    object &operator=(const object &) = delete;
    object(object &&other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    object &operator=(object &&other) noexcept
    {
        object taken(std::move(other));
        std::swap(handle_, taken.handle_);
        return *this;
    }
    ~object()
    {
        if (handle_ != nullptr) {
            Storage::free(handle_);
        }
    }

    /** For the functions of the C header. */
    handle *get() const noexcept { return handle_; }
    /** Gives the object up: the caller owns its memory, from `owned::allocate`, now. */
    handle *release() noexcept { return std::exchange(handle_, nullptr); }

    /** The object's state, sealed; restored, it goes on with the same bits. */
    result<std::vector<std::uint8_t>> try_checkpoint() const noexcept
    {
        std::size_t size = 0;
        if (status s = lcc_checkpoint_size(handle_, &size); !s.ok()) {
            return s;
        }
        auto sealed = vector_of<std::uint8_t>(size);
        if (sealed) {
            if (status s = lcc_checkpoint(handle_, sealed->data(), size); !s.ok()) {
                return s;
            }
        }
        return sealed;
    }
    std::vector<std::uint8_t> checkpoint() const { return try_checkpoint().value(); }

protected:
    explicit object(handle *h) noexcept : handle_(h) {}

    /** Builds in memory of the system's. */
    template <class... Arguments> static result<handle *> build(const Arguments *...arguments) noexcept
    {
        static_assert(std::is_same_v<Storage, owned>, "this object borrows: hand it its memory first");
        if (!abi_matches()) {
            return status(status::abi_mismatch);
        }
        std::size_t size = 0;
        if (status s = Api::size(arguments..., &size); !s.ok()) {
            return s;
        }
        void *memory = owned::allocate(size);
        if (memory == nullptr) {
            return status(status::no_memory);
        }
        auto built = build_in(bytes(static_cast<std::uint8_t *>(memory), size), arguments...);
        if (!built) {
            owned::free(memory);
        }
        return built;
    }

    /** Builds in memory of the caller's. */
    template <class... Arguments>
    static result<handle *> build_in(bytes memory, const Arguments *...arguments) noexcept
    {
        if (!abi_matches()) {
            return status(status::abi_mismatch);
        }
        handle *h = nullptr;
        if (status s = Api::init(memory.data(), memory.size(), arguments..., &h); !s.ok()) {
            return s;
        }
        return h;
    }

    /** `made` takes over what was sealed, if that was made alike. */
    template <class Object> static result<Object> resumed(result<Object> &&made, const_bytes sealed) noexcept
    {
        if (made) {
            if (status s = lcc_resume(made->get(), sealed.data(), sealed.size()); !s.ok()) {
                return s;
            }
        }
        return std::move(made);
    }

    /** Unseals a checkpoint in as much memory as its object had. */
    static result<handle *> unseal_in(bytes memory, const_bytes sealed) noexcept
    {
        if (!abi_matches()) {
            return status(status::abi_mismatch);
        }
        void *restored = memory.data();
        if (status s = lcc_restore(restored, memory.size(), sealed.data(), sealed.size()); !s.ok()) {
            return s;
        }
        // Of another type, perhaps.
        const char *type = lcc_read_type(restored);
        if (type == nullptr || std::strcmp(type, Api::type) != 0) {
            return status(LCC_ERROR_IMAGE_KIND);
        }
        return static_cast<handle *>(restored);
    }

    /**
     * Takes over the chains of parts that ran apart, in their order, and is the whole that would have run them
     * all: a std::vector, say, of objects of either storage.
     */
    template <class Parts> [[nodiscard]] status try_join(const Parts &parts) noexcept
    {
        auto handles = vector_of<const handle *>(std::size(parts));
        if (!handles) {
            return handles.status();
        }
        std::size_t i = 0;
        for (const auto &part : parts) {
            (*handles)[i++] = part.get();
        }
        return Api::join(handle_, handles->data(), handles->size());
    }
    template <class Parts> void join(const Parts &parts) { check(try_join(parts)); }

    /** `Object` of a handle, or why there is none. */
    template <class Object> static result<Object> wrap(result<handle *> h) noexcept
    {
        if (!h) {
            return h.status();
        }
        return Object(*h);
    }

private:
    handle *handle_;
};

/** Tells `progress` where the work is. Whether to go on: what it returns, or true where it returns nothing. */
template <class Progress, class Place> bool goes_on(Progress &progress, const Place &now)
{
    if constexpr (std::is_void_v<std::invoke_result_t<Progress &, const Place &>>) {
        progress(now);
        return true;
    } else {
        return static_cast<bool>(progress(now));
    }
}

/** Asks `progress` after every step; false from it ends the run, and an exception leaves it. */
template <class Object, class Step, class Progress> bool run(const Object &object, Step &&step, Progress &&progress)
{
    for (;;) {
        const bool done = step().done();
        if (!goes_on(progress, object.progress()) || done) {
            return done;
        }
    }
}

} // namespace detail
} // namespace lcc

#endif
