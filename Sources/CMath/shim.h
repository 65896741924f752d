#ifndef VIGIL_CMATH_SHIM_H
#define VIGIL_CMATH_SHIM_H

/* exp, log, lgamma and the like, without Foundation. */
#include <math.h>

#endif
