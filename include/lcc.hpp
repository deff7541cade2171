/*
 * LCC for C++17: <lcc.h> with ownership, views, exceptions and lambdas. Header-only; every function is a call or two
 * of the C interface, whose manual is <lcc.h>.
 *
 * Handles    For float and double, one pointer, move-only: lcc::network<T>, bnn<T>, greedy<T>, relaxed<T> learn
 *            from all data, stream<T> and prequential<T> row by row, window<T> keeps the last rows; sampler<T>, smc<T>,
 *            tempering<T>, and automatic<T>, which chooses among them, sample an lcc::problem<T>; warmup<T> finds where
 *            it is. vae<T> learns coordinates of rows. They own memory from the system, or borrow the caller's:
 *            network<T, lcc::borrowed>.
 * Views      lcc::span and lcc::matrix are made from std::vector, arrays and Eigen's matrices of either storage order,
 *            without copies. Data are handed to each call and must outlive it.
 * Papers     lcc::coupling<T>, certificates<T> and theory<T>: what makes a posterior log-concave, and what is proved.
 * Errors     A function throws lcc::error; its form `try_...` is noexcept and returns a status or a result. With
 *            -fno-exceptions the throwing forms end the program; -fno-rtti changes nothing.
 * Callbacks  Log densities are lambdas: what one throws comes out of the call that sampled. Progress is a lambda too.
 *            lcc::parameters<T> are constraints; <lcc/autodiff.hpp>, which this does not include, writes gradients.
 * Threads    As in C: distinct objects are independent, const members may run at the same time.
 */
#ifndef LCC_HPP
#define LCC_HPP

#include <lcc/automatic.hpp>
#include <lcc/bnn.hpp>
#include <lcc/certificates.hpp>
#include <lcc/coupling.hpp>
#include <lcc/greedy.hpp>
#include <lcc/loo.hpp>
#include <lcc/parameters.hpp>
#include <lcc/prequential.hpp>
#include <lcc/stream.hpp>
#include <lcc/tempering.hpp>
#include <lcc/theory.hpp>
#include <lcc/vae.hpp>
#include <lcc/warmup.hpp>

#endif
