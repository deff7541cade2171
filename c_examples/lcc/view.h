/* Rows as the library reads them, in either precision. */
#ifndef VIEW_H
#define VIEW_H

#include "dataset.h"

#include <lcc.h>

/* A copy of the rows, and of the target where there is one. 0 or EXIT_FAILED. */
int view_f64(const dataset *data, lcc_data_f64 *view);
int view_f32(const dataset *data, lcc_data_f32 *view);
void view_free_f64(lcc_data_f64 *view);
void view_free_f32(lcc_data_f32 *view);

/* One number of what the library has drawn. */
double draw_at_f64(const lcc_draws_f64 *draws, size_t chain, size_t draw);
double draw_at_f32(const lcc_draws_f32 *draws, size_t chain, size_t draw);

#endif
