// c_examples/minimal.c in C++: the same numbers.
#include <lcc.hpp>

#include <cstdio>

int main()
{
    const std::vector<float> resistance = {32.6f, 25.4f, 19.9f, 15.7f, 12.5f, 10.0f,
                                           8.06f, 6.53f, 5.33f, 4.37f, 3.60f, 2.99f};
    const std::vector<float> celsius = {0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55};
    const lcc::data<float> data(lcc::matrix<float>::row_major(resistance.data(), 12, 1), celsius);
    lcc::network<float>::options options;
    options.neurons = 4;
    options.lanes = 1;
    options.chains = 2;
    options.draws = 250;
    options.trace_rows = 4;
    lcc::network<float> network(options, data);
    network.run(data);
    const auto model = network.model();
    const float x[] = {7.0f};
    const auto p = lcc::predictor<float>(model).predict(x);
    std::printf("%.1f kilo-ohm: %.2f degrees, between %.2f and %.2f with probability 0.9\n", double(x[0]),
                double(p.mean), double(p.lower), double(p.upper));
}
