/* Views of the caller's arrays, and the memory that objects live in. Part of <lcc.hpp>. */
#ifndef LCC_MEMORY_HPP
#define LCC_MEMORY_HPP

#include <lcc/status.hpp>

#include <cstddef>
#include <new>
#include <type_traits>
#include <vector>

namespace lcc {

/** Elements one after another, owned by someone else: what std::span is in C++20, from which it is made too. */
template <class T> class span {
public:
    constexpr span() noexcept = default;
    constexpr span(T *data, std::size_t size) noexcept : data_(data), size_(size) {}
    template <std::size_t N> constexpr span(T (&array)[N]) noexcept : data_(array), size_(N) {}
    /** From whatever has data() and size(): std::vector, std::array, std::span, a vector of Eigen. */
    template <class C, class = std::enable_if_t<
                           std::is_convertible_v<decltype(std::declval<C &>().data()), T *> &&
                           !std::is_same_v<std::decay_t<C>, span>>>
    constexpr span(C &&container) noexcept
        : data_(container.data()), size_(static_cast<std::size_t>(container.size()))
    {
        static_assert(contiguous<std::decay_t<C>>(nullptr), "these elements do not lie one after another");
    }

    constexpr T *data() const noexcept { return data_; }
    constexpr std::size_t size() const noexcept { return size_; }
    constexpr bool empty() const noexcept { return size_ == 0; }
    constexpr T *begin() const noexcept { return data_; }
    constexpr T *end() const noexcept { return data_ + size_; }
    constexpr T &operator[](std::size_t i) const noexcept { return data_[i]; }

private:
    template <class C> static constexpr bool contiguous(std::enable_if_t<C::InnerStrideAtCompileTime != 1> *)
    {
        return false;
    }
    template <class C> static constexpr bool contiguous(const volatile void *) { return true; }

    T *data_ = nullptr;
    std::size_t size_ = 0;
};

using bytes = span<std::uint8_t>;
using const_bytes = span<const std::uint8_t>;

/** A matrix in any layout, owned by someone else. */
template <class T> class matrix {
public:
    constexpr matrix(const T *data, std::size_t rows, std::size_t columns, std::size_t row_stride,
                     std::size_t column_stride) noexcept
        : data_(data), rows_(rows), columns_(columns), row_stride_(row_stride), column_stride_(column_stride)
    {
    }
    /** From a matrix of Eigen of either storage order, or whatever has its members; a temporary must outlive the view. */
    template <class M, class = decltype(std::declval<const M &>().rowStride())>
    matrix(const M &m) noexcept
        : matrix(m.data(), static_cast<std::size_t>(m.rows()), static_cast<std::size_t>(m.cols()),
                 static_cast<std::size_t>(m.rowStride()), static_cast<std::size_t>(m.colStride()))
    {
    }
    /** Row after row, as in C. */
    static constexpr matrix row_major(const T *data, std::size_t rows, std::size_t columns) noexcept
    {
        return matrix(data, rows, columns, columns, 1);
    }
    /** Column after column, as in Fortran. */
    static constexpr matrix column_major(const T *data, std::size_t rows, std::size_t columns) noexcept
    {
        return matrix(data, rows, columns, 1, rows);
    }

    constexpr const T *data() const noexcept { return data_; }
    constexpr std::size_t rows() const noexcept { return rows_; }
    constexpr std::size_t columns() const noexcept { return columns_; }
    constexpr std::size_t row_stride() const noexcept { return row_stride_; }
    constexpr std::size_t column_stride() const noexcept { return column_stride_; }

private:
    const T *data_;
    std::size_t rows_, columns_, row_stride_, column_stride_;
};

/** Memory from the system, aligned to 16; freed with the object in it. */
struct owned {
    static void *allocate(std::size_t size) noexcept
    {
        return ::operator new(size, std::align_val_t{16}, std::nothrow);
    }
    static void free(void *memory) noexcept { ::operator delete(memory, std::align_val_t{16}); }
};

/** Memory of the caller's, which outlives the object. */
struct borrowed {
    static void free(void *) noexcept {}
};

namespace detail {

/** Scratch of the system's, aligned to 16. */
class scratch {
public:
    scratch() noexcept = default;
    scratch(scratch &&other) noexcept
        : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0))
    {
    }
    scratch &operator=(scratch &&other) noexcept
    {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        return *this;
    }
    ~scratch() { owned::free(data_); }

    /** At least so many bytes; what was there is gone. */
    status reserve(std::size_t size) noexcept
    {
        if (size > size_ || data_ == nullptr) {
            owned::free(data_);
            data_ = static_cast<std::uint8_t *>(owned::allocate(size));
            size_ = data_ == nullptr ? 0 : size;
        }
        return data_ == nullptr ? status::no_memory : LCC_OK;
    }
    std::uint8_t *data() const noexcept { return data_; }
    std::size_t size() const noexcept { return size_; }

private:
    std::uint8_t *data_ = nullptr;
    std::size_t size_ = 0;
};

/** A vector of so many, or none where there is no memory for it. */
template <class T> result<std::vector<T>> vector_of(std::size_t size) noexcept
{
#if LCC_EXCEPTIONS
    try {
        return std::vector<T>(size);
    } catch (...) {
        return status(status::no_memory);
    }
#else
    return std::vector<T>(size);
#endif
}

} // namespace detail
} // namespace lcc

#endif
