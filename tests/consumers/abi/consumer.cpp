// C++ asks by itself, before any object is made.
#include <lcc.hpp>

#include <iostream>

int main()
{
    const double x[] = {0, 1, 2, 3}, y[] = {1, 2, 3, 5};
    const lcc::data<double> data(lcc::matrix<double>::row_major(x, 4, 1), y);
    try {
        const lcc::network<double> network({}, data);
    } catch (const lcc::error &e) {
        std::cerr << e.what() << '\n';
        return e.status().code() == lcc::status::abi_mismatch ? 3 : 1;
    }
    lcc::sampler<double>::options options;
    return lcc::sampler<double>::try_make(options, lcc::problem<double>(data)) &&
                   lcc::certificates<double>::try_make(lcc::problem<double>(data))
               ? 0
               : 1;
}
