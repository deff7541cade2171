/* Statuses, errors and results: what can go wrong, with exceptions or without. Part of <lcc.hpp>. */
#ifndef LCC_STATUS_HPP
#define LCC_STATUS_HPP

#include <lcc.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <utility>

#ifdef __cpp_exceptions
#define LCC_EXCEPTIONS 1
#else
#define LCC_EXCEPTIONS 0
#endif

namespace lcc {

/** What a call came to: a status of the C header, or one of the four that only C++ knows. */
class status {
public:
    /** Header and library are of different ABIs. */
    static constexpr std::int32_t abi_mismatch = INT32_MIN;
    /** The system has no more memory. */
    static constexpr std::int32_t no_memory = INT32_MIN + 1;
    /** A log density threw: see problem::rethrow. */
    static constexpr std::int32_t callback_threw = INT32_MIN + 2;
    /** X and y, or an output and its rows, have different lengths. */
    static constexpr std::int32_t length_mismatch = INT32_MIN + 3;

    constexpr status(std::int32_t code = LCC_OK) noexcept : code_(code) {}

    constexpr std::int32_t code() const noexcept { return code_; }
    /** Whether this is no error: done, or an outcome. */
    constexpr bool ok() const noexcept { return code_ >= 0; }
    /** There is more to do: step again. */
    constexpr bool running() const noexcept { return code_ == LCC_RUNNING; }
    /** There is nothing more to do. */
    constexpr bool done() const noexcept { return code_ == LCC_DONE; }
    /** A sentence, of static storage. */
    const char *message() const noexcept
    {
        switch (code_) {
        case abi_mismatch:
            return "The library's ABI is not that of the header that this was compiled with.";
        case no_memory:
            return "The system has no more memory.";
        case callback_threw:
            return "The log density threw an exception.";
        case length_mismatch:
            return "Two arrays that belong together have different lengths.";
        default:
            return lcc_status_message(code_);
        }
    }

    friend constexpr bool operator==(status a, status b) noexcept { return a.code_ == b.code_; }
    friend constexpr bool operator!=(status a, status b) noexcept { return a.code_ != b.code_; }

private:
    std::int32_t code_;
};

/** What the forms without `try_` throw. */
class error : public std::exception {
public:
    explicit error(lcc::status status) noexcept : status_(status) {}
    /** With where in the data: row and, unless it is NULL, column from 0. */
    error(lcc::status status, std::size_t row, const std::size_t *column) noexcept : status_(status)
    {
        if (column != nullptr) {
            (void)std::snprintf(text_, sizeof text_, "%s Row %zu, column %zu, from 0.", status.message(), row, *column);
        } else {
            (void)std::snprintf(text_, sizeof text_, "%s Row %zu, from 0.", status.message(), row);
        }
    }
    /** With where else. */
    error(lcc::status status, const char *where) noexcept : status_(status)
    {
        (void)std::snprintf(text_, sizeof text_, "%s %s", status.message(), where);
    }
    lcc::status status() const noexcept { return status_; }
    const char *what() const noexcept override { return text_[0] != '\0' ? text_ : status_.message(); }

private:
    lcc::status status_;
    char text_[160] = {};
};

/** Throws the error; without exceptions ends the program, so that there only `try_` forms are of use. */
[[noreturn]] inline void raise(status s)
{
#if LCC_EXCEPTIONS
    throw error(s);
#else
    (void)s;
    std::abort();
#endif
}

/** Passes what is no error, and raises what is one. */
inline status check(status s)
{
    if (!s.ok()) {
        raise(s);
    }
    return s;
}

/** A value, or why there is none. */
template <class T> class [[nodiscard]] result {
public:
    result(lcc::status s) noexcept : status_(s) {}
    result(T value) noexcept : value_(std::move(value)) {}

    explicit operator bool() const noexcept { return value_.has_value(); }
    lcc::status status() const noexcept { return status_; }
    /** The value, which must be there. */
    T &operator*() noexcept { return *value_; }
    T *operator->() noexcept { return &*value_; }
    /** The value; raises the error where there is none. */
    T value() &&
    {
        if (!value_) {
            raise(status_);
        }
        return std::move(*value_);
    }

private:
    lcc::status status_;
    std::optional<T> value_;
};

/** Whether the library is of the ABI that this was compiled with; every object asks before it is made. */
inline bool abi_matches() noexcept { return lcc_abi_version() == LCC_ABI_VERSION; }

} // namespace lcc

#endif
