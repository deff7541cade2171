// Views of Eigen's matrices are where the matrices are. With -DSTRIDED, what has to be refused by the compiler.
#include <lcc.hpp>

#include <Eigen/Core>

template <class M> bool same(const M &m)
{
    const lcc::matrix<double> v(m);
    bool all = v.data() == m.data() && v.rows() == std::size_t(m.rows()) && v.columns() == std::size_t(m.cols());
    for (std::size_t i = 0; i < v.rows(); ++i) {
        for (std::size_t j = 0; j < v.columns(); ++j) {
            all = all && &v.data()[i * v.row_stride() + j * v.column_stride()] ==
                             &m.coeffRef(Eigen::Index(i), Eigen::Index(j));
        }
    }
    return all;
}

int main()
{
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const Eigen::MatrixXd columns = Eigen::MatrixXd::Random(5, 3);
    const RowMajor rows = columns;
    const Eigen::Matrix<double, 4, 2> fixed = Eigen::Matrix<double, 4, 2>::Ones();
    const Eigen::VectorXd one = columns.col(1);
    using Every = Eigen::Map<const RowMajor, 0, Eigen::Stride<Eigen::Dynamic, 2>>;
    const Every every(rows.data(), 2, 2, Eigen::Stride<Eigen::Dynamic, 2>(6, 2));
    const Eigen::Ref<const Eigen::MatrixXd> reference(columns);
    const lcc::span<const double> y(one), column(columns.col(2)), row(rows.row(3));
#ifdef STRIDED
    const lcc::span<const double> strided(columns.row(3));
#endif
    return same(columns) && same(rows) && same(fixed) && same(every) && same(reference) && same(one) &&
                   same(columns.block(1, 1, 3, 2)) && same(rows.topRows(2)) && y.data() == one.data() &&
                   column.data() == &columns.coeffRef(0, 2) && row.data() == &rows.coeffRef(3, 0) && row.size() == 3
               ? 0
               : 1;
}
