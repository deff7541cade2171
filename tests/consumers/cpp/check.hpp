// What every test here is made of: data, and CHECK, which names what failed and ends the program.
#ifndef CHECK_HPP
#define CHECK_HPP

#include <lcc.hpp>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define CHECK(what)                                                                                          \
    do {                                                                                                     \
        if (!(what)) {                                                                                       \
            std::printf("%s:%d: %s\n", __FILE__, __LINE__, #what);                                           \
            std::exit(1);                                                                                    \
        }                                                                                                    \
    } while (false)

// CHECK(Throws<E>(f)): whether f throws an E.
#if LCC_EXCEPTIONS
template <class E, class F> bool throws(F &&f)
{
    try {
        f();
    } catch (const E &) {
        return true;
    }
    return false;
}
#endif

constexpr std::size_t rows = 24, columns = 2;

// A curve of two inputs, row after row, and its transpose.
template <class T> struct curve {
    std::array<T, rows * columns> x{}, transposed{};
    std::array<T, rows> y{};

    curve()
    {
        for (std::size_t i = 0; i < rows; ++i) {
            const T a = T(i) / T(rows) - T(0.5);
            const T b = T((i * 7) % rows) / T(rows) - T(0.5);
            x[2 * i] = transposed[i] = a;
            x[2 * i + 1] = transposed[rows + i] = b;
            y[i] = a * a - b / 2;
        }
    }
    lcc::data<T> data() const { return *lcc::data<T>::try_make(inputs(), y); }
    lcc::matrix<T> inputs() const { return lcc::matrix<T>::row_major(x.data(), rows, columns); }
};

// A fit of some milliseconds.
template <class Network> typename Network::options small()
{
    typename Network::options o;
    o.neurons = 2;
    o.chains = 2;
    o.lanes = 1;
    o.warmup = 30;
    o.draws = 40;
    o.keep = 20;
    o.trace_rows = 4;
    o.starts = 1;
    return o;
}

#endif
