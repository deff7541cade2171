/* What objects do that are built for data or a problem: they are made, restored, stepped. Part of <lcc.hpp>. */
#ifndef LCC_TASK_HPP
#define LCC_TASK_HPP

#include <lcc/object.hpp>

namespace lcc {
namespace detail {

/** What an object is built for, as the C functions take it. */
template <class Subject> struct subject;

/** What a call came to, of a subject that calls nobody back. */
template <class Subject> struct silent {
    static status after_try(const Subject &, status s) noexcept { return s; }
    static status after(const Subject &, status s) { return s; }
    /** The budget of a step where nothing asks for less. */
    static std::uint64_t most(const Subject &) noexcept { return UINT64_MAX; }
};

template <class T> struct subject<data<T>> : silent<data<T>> {
    static status after(const data<T> &d, status s)
    {
        d.raise_with_place(s);
        return s;
    }
    template <class Call> static auto pass(const data<T> &d, Call &&call) { return call(d.get()); }
};

template <class T> struct subject<weighted<T>> : silent<weighted<T>> {
    static status after(const weighted<T> &w, status s) { return subject<data<T>>::after(w.rows(), s); }
    template <class Call> static auto pass(const weighted<T> &w, Call &&call)
    {
        return call(w.rows().get(), w.weights());
    }
};

/** Temperatures for an object that is made to take over a checkpoint, which has its own. */
template <class T> result<std::vector<T>> some_ladder(std::size_t size) noexcept
{
    auto ladder = vector_of<T>(size);
    for (std::size_t i = 0; ladder && i < size; i++) {
        (*ladder)[i] = static_cast<T>(i + 1) / static_cast<T>(size);
    }
    return ladder;
}

/** Made for a subject, by options. */
template <class Self, class Api, class Subject, class Storage> class built_for : public object<Api, Storage> {
    using on = detail::subject<Subject>;

public:
    /** The options of the C header with their default values. */
    using options = detail::options<Api>;

    /** The bytes of memory. */
    [[nodiscard]] static status try_size(const options &o, const Subject &s, std::size_t &size) noexcept
    {
        return on::pass(s, [&](auto... to) { return Api::size(&o, to..., &size); });
    }
    /** Builds in memory of the system's. */
    static result<Self> try_make(const options &o, const Subject &s) noexcept { return built(o, s); }
    /** Builds in memory of the caller's, aligned to 16 and of try_size bytes. */
    static result<Self> try_make(bytes memory, const options &o, const Subject &s) noexcept
    {
        return built_in(memory, o, s);
    }
    /**
     * Goes on from a checkpoint, with the same bits: options and subject are those that it was made with, and so is
     * what it was made from besides (a pilot, temperatures). Others are LCC_ERROR_IMAGE_SHAPE.
     */
    template <class... More>
    static result<Self> try_restore(const_bytes sealed, const options &o, const Subject &s,
                                    const More &...more) noexcept
    {
        return block::resumed(Self::try_make(o, s, more...), sealed);
    }
    /** In as much memory as it had, whatever the options that it was made with. */
    static result<Self> try_restore(bytes memory, const_bytes sealed) noexcept
    {
        return block::template wrap<Self>(block::unseal_in(memory, sealed));
    }
    template <class... More>
    static Self restore(const_bytes sealed, const options &o, const Subject &s, const More &...more)
    {
        return kept(Self::try_restore(sealed, o, s, more...), s);
    }

protected:
    using block = object<Api, Storage>;
    using block::block;

    /** `more` is what is built from besides. */
    template <class... More>
    static result<Self> built(const options &o, const Subject &s, const More *...more) noexcept
    {
        return block::template wrap<Self>(
            on::pass(s, [&](auto... to) { return block::build(&plain(o), to..., more...); }));
    }
    template <class... More>
    static result<Self> built_in(bytes memory, const options &o, const Subject &s, const More *...more) noexcept
    {
        return block::template wrap<Self>(
            on::pass(s, [&](auto... to) { return block::build_in(memory, &plain(o), to..., more...); }));
    }
    /** What was built; throws what a callback threw, or the error. */
    static Self kept(result<Self> &&made, const Subject &s)
    {
        on::after(s, made.status());
        return std::move(made).value();
    }

private:
    static const typename Api::options &plain(const options &o) noexcept { return o; }
};

/** Works on its subject, which is handed to each call and must be the same at each, step by step. */
template <class Self, class Api, class Subject, class Storage>
class task : public built_for<Self, Api, Subject, Storage> {
    using on = detail::subject<Subject>;

public:
    /** Works until `budget` rows times chains are visited, or to the end: running() or done(). */
    [[nodiscard]] status try_step(const Subject &s, std::uint64_t budget) noexcept
    {
        return on::after_try(s, stepped(s, budget));
    }
    status step(const Subject &s, std::uint64_t budget) { return check(on::after(s, stepped(s, budget))); }
    /** To the end. */
    void run(const Subject &s)
    {
        while (step(s, on::most(s)).running()) {
        }
    }
    /**
     * Steps of `budget`, with progress(this->progress()) after each: what it returns, if anything, says whether to
     * go on. Returns whether all is done.
     */
    template <class Progress> bool run(const Subject &s, Progress &&progress, std::uint64_t budget = 1000000)
    {
        return detail::run(*this, [&] { return step(s, budget); }, progress);
    }

    /** Where the work is: lcc_progress, of particles lcc_climb_*. */
    template <class Place> [[nodiscard]] status try_progress(Place &now) const noexcept
    {
        return Api::progress(this->get(), &now);
    }
    auto progress() const { return read(Api::progress, this->get()); }

protected:
    using built_for<Self, Api, Subject, Storage>::built_for;

private:
    status stepped(const Subject &s, std::uint64_t budget)
    {
        return on::pass(s, [&](auto... to) { return Api::step(this->get(), to..., budget); });
    }
};

} // namespace detail
} // namespace lcc

#endif
