/*
 * LCC: log-concave coupling. Samples the posteriors of neural networks and
 * predicts with them. Generated from the Rust sources of the C ABI: do not edit.
 *
 * Here are the conventions and what has no precision; <lcc/f64.h> is the manual of the rest; <lcc/f32.h> has the
 * same in single precision. Including this file includes them.
 *
 * CONVENTIONS
 *
 * Names       lcc_<type>_<verb>, and _f32 or _f64 for what depends on the precision. Both precisions
 *             are in one library; functions ending in _f32 compute in float alone.
 * Arguments   First the handle or the object acted on, then what it is made from, a length after its
 *             array, outputs last. Nothing is both input and output, except where it says so.
 *             What is said of an argument is its shape, unit, range and scratch; the rest goes without: options
 *             and problem say what to do and what to sample, data are the ones that the handle was made with,
 *             indices count from 0, the length behind an array is what there is or is room for, seed names the
 *             random numbers, scratch in bytes is aligned to 16, an output is not NULL.
 * Status      Fallible functions return int32_t: 0 (LCC_OK) done, positive an outcome (LCC_RUNNING,
 *             LCC_DONE), negative an error. lcc_status_message() has a sentence for each. Outputs
 *             are written only on success. @return names what is peculiar to a function; any returns as well what is
 *             wrong with its arguments: LCC_ERROR_NULL, _MISALIGNED, _STRUCT_SIZE, _HANDLE, _OVERFLOW, _EMPTY,
 *             _NOT_FINITE_X, _NOT_FINITE_Y, _INPUTS, _INDEX, _CAPACITY (an output array is too short), _MEMORY_SIZE
 *             and _MEMORY_ALIGN (memory or scratch), _DATA_CHANGED, and one for each field of options and problem.
 * Memory      The library never allocates. An object lives in one block of the caller's:
 *             lcc_<type>_size_*() says how many bytes, lcc_<type>_init_*() builds it there. The block
 *             must be aligned to 16 bytes, as malloc's are. It holds no pointers: it may be copied
 *             or moved byte by byte, and the copy used as a handle. Nothing needs to be freed.
 * Models      What is fitted writes its model, which every lcc_model_ function reads, into
 *             lcc_<type>_model_size_*() bytes of any alignment, and says how many it took.
 * Data        X and y stay the caller's and are handed in at each call, in any layout (strides).
 *             Handles remember shape and a hash of their data and refuse others.
 * Objects     lcc_sampler_*, lcc_smc_*, lcc_tempering_*, lcc_auto_*, lcc_network_*, lcc_greedy_*, lcc_relaxed_*,
 *             lcc_prequential_*, lcc_stream_*, lcc_window_*, lcc_vae_*: each has its own size, init and step (or observe,
 *             push). Whatever the type, lcc_read_progress() says where it is, lcc_checkpoint() seals it,
 *             lcc_restore() makes a handle of that, of which lcc_read_type() is the type; of the first four
 *             lcc_read_draws_*(), lcc_read_trace_*() and lcc_read_output_*() view what they have drawn. A handle
 *             of another type or precision than a function is of is refused: LCC_ERROR_HANDLE.
 * Stepping    lcc_<type>_step_*(handle, ..., budget) works until the budget is used up and returns
 *             LCC_RUNNING or LCC_DONE. The unit of the budget is one row of data visited by one chain (particle,
 *             start), of a log density of your own one evaluation; any positive budget advances.
 *             A call may overshoot by one transition of one block of chains. Each call that is handed the data
 *             also reads them once to know them again, so give it many times n. However the work is cut into
 *             steps, the results are the same bits. To cancel, stop calling.
 * Bits        The same seed gives the same bits on every machine, for every lane count, SIMD
 *             instruction set and build. The default floating-point environment is required (round
 *             to nearest, no flushing to zero).
 * Structs     Options start with struct_size, set by lcc_<type>_default_*(), which writes real default
 *             values: zero is a value, and mostly an invalid one. A library accepts structs at least as
 *             long as it knows.
 * Threads     No globals, environment, clock, I/O or errno, except that the CPU's instruction sets are looked
 *             up once. Through a pointer to const, calls may run at the same time; otherwise a
 *             handle belongs to one call at a time; distinct handles are independent. Every function is
 *             reentrant, needs no critical section, and may be called from an interrupt that does not share
 *             its handle.
 * Strings     Static, zero-terminated UTF-8, never NULL unless a function says so.
 */
