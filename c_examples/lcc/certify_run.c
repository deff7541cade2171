#include "certify.h"
#include "cli.h"
#include "names.h"
#include "platform.h"
#include "problem.h"
#include "stepping.h"
#include "view.h"

#include <stdlib.h>
#include <string.h>

#define IMPL "certify_impl.inc"
#include "both.inc"
