// Samples a log density of one's own: density.c by a lambda, with what it captures.
#include <lcc.hpp>

#include <cstdio>

int main()
{
    const double width = 0.5;
    auto banana = lcc::make_density<double>(2, [width](lcc::span<const double> x, lcc::span<double> gradient) {
        const double bend = (x[1] - (x[0] * x[0] - 1)) / width;
        if (!gradient.empty()) {
            gradient[0] = -x[0] + 2 * x[0] * bend / width;
            gradient[1] = -bend / width;
        }
        return -0.5 * (x[0] * x[0] + bend * bend);
    });
    const lcc::problem<double> problem(banana);
    lcc::sampler<double>::options options;
    options.chains = 8;
    options.draws = options.stored = 2000;
    options.leapfrogs = 8;

    try {
        lcc::sampler<double> sampler(options, problem);
        sampler.run(problem); // what the lambda throws would come out of here
        for (std::size_t j = 0; j < problem.dim(); ++j) {
            const auto s = sampler.summary(j);
            std::printf("x%d: mean %.3f +- %.3f, sd %.3f, R-hat %.3f\n", static_cast<int>(j), s.mean, s.mcse_mean, s.sd,
                        s.rhat);
        }
    } catch (const lcc::error &e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
}
