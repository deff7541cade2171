/* The data of the demonstration, made into arrays by the build (data/README.md). */
#ifndef DEMO_DATA_H
#define DEMO_DATA_H

#include <stddef.h>

extern const unsigned char demo_csv[];
extern const size_t demo_csv_length;
extern const unsigned char demo_splits[];
extern const size_t demo_splits_length;

#endif
