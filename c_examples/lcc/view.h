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

/* Memory of at least `bytes` bytes at a multiple of 16, as the library asks for; free *base,
 * not the result. NULL after a message. */
void *memory_aligned(size_t bytes, void **base);

/* Says that the library returned an error while `doing`; EXIT_FAILED. */
int library_failed(const char *doing, int32_t status);

#endif
