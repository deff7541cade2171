#include "view.h"

#include "cli.h"

#include <stdint.h>
#include <stdlib.h>

/* Both precisions from one text: REAL is the type, F its suffix. */
#define IMPL "view_impl.inc"
#include "both.inc"
