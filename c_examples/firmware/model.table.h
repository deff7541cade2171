/* The model in flash. */
#ifndef MODEL_TABLE_H
#define MODEL_TABLE_H

#include <stddef.h>

const unsigned char *model_image(size_t *length);

#endif
