#include "drift_model.table.h"

/* From `lcc fit --c-array`; the README says how. */
#include "drift_model.h"

const unsigned char *drift_model_image(size_t *length)
{
    *length = sizeof drift_model;
    return drift_model;
}
