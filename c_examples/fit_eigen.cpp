// Fits and predicts with matrices of Eigen, of either storage order, without copying them.
#include <lcc.hpp>

#include <Eigen/Core>
#include <cstdio>

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// A wave along the first of two inputs, and noise.
static Eigen::VectorXd targets(const Eigen::MatrixXd &x)
{
    Eigen::VectorXd y(x.rows());
    for (Eigen::Index i = 0; i < x.rows(); ++i) {
        y[i] = std::sin(3 * x(i, 0)) - x(i, 1) / 2 + 0.1 * std::sin(40.0 * double(i * i));
    }
    return y;
}

template <class Matrix> lcc::network<double> fit(const Matrix &x, const Eigen::VectorXd &y)
{
    lcc::network<double>::options options; // nothing to tune; less of it, for an example
    options.neurons = 6;
    options.warmup = 150;
    options.draws = 150;
    options.keep = 50;
    const lcc::data<double> data(x, y);
    lcc::network<double> network(options, data);
    network.run(data, [](const lcc_progress &p) {
        if (p.done == p.total) {
            std::printf("%u gradients\n", static_cast<unsigned>(p.gradients));
        }
    });
    return network;
}

int main()
{
    // Columns of a wider table, one column after another; and the same numbers row after row.
    Eigen::MatrixXd table(60, 4);
    for (Eigen::Index i = 0; i < 60; ++i) {
        table.row(i) << double(i), double(i) / 30 - 1, std::cos(double(5 * i)), 0;
    }
    const auto x = table.middleCols(1, 2);
    const RowMajor rows = x;
    const Eigen::VectorXd y = targets(x);

    const auto network = fit(x, y);
    const lcc::image model = network.model();
    const auto trust = network.diagnose();
    std::printf("R-hat %.2f, %u of 4 chains in use\n", trust.rhat_max, trust.chains_used);
    if (fit(rows, y).model() != model) {
        std::printf("the storage order changed the model\n");
        return 1;
    }

    // Predictions at every third row, by a view of rows that are not neighbours; the means as a vector of Eigen.
    const Eigen::Map<const RowMajor, 0, Eigen::OuterStride<>> some(rows.data(), 20, 2, Eigen::OuterStride<>(6));
    const auto predictions = lcc::predictor<double>(model).predict(lcc::data<double>(some), 0.9);
    constexpr Eigen::Index stride = sizeof predictions[0] / sizeof(double);
    const Eigen::Map<const Eigen::VectorXd, 0, Eigen::InnerStride<stride>> mean(&predictions[0].mean, 20);
    Eigen::Index inside = 0;
    for (Eigen::Index i = 0; i < 20; ++i) {
        const auto &p = predictions[static_cast<std::size_t>(i)];
        inside += p.lower <= y[3 * i] && y[3 * i] <= p.upper;
    }
    const Eigen::Map<const Eigen::VectorXd, 0, Eigen::InnerStride<3>> observed(y.data(), 20);
    std::printf("RMSE %.3f, %d of 20 rows in their 90 %% intervals\n", std::sqrt((mean - observed).squaredNorm() / 20),
                static_cast<int>(inside));
    return 0;
}
