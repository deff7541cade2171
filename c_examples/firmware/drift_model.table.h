/* The model of 2011-2013 in flash. */
#ifndef DRIFT_MODEL_TABLE_H
#define DRIFT_MODEL_TABLE_H

#include <stddef.h>

const unsigned char *drift_model_image(size_t *length);

#endif
