#include "model.table.h"

/* From `lcc fit --c-array`; the README says how. */
#include "model.h"

const unsigned char *model_image(size_t *length)
{
    *length = sizeof model;
    return model;
}
