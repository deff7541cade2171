#include "certify.h"
#include "cli.h"
#include "names.h"
#include "platform.h"
#include "problem.h"
#include "stepping.h"
#include "view.h"

#include <stdlib.h>
#include <string.h>

#define REAL double
#define DIGITS 17
#define F(name) name##_f64
#include "certify_impl.inc"
#undef REAL
#undef DIGITS
#undef F

#define REAL float
#define DIGITS 9
#define F(name) name##_f32
#include "certify_impl.inc"
#undef REAL
#undef DIGITS
#undef F
