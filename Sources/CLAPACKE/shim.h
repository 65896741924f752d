#ifndef VIGIL_CLAPACKE_SHIM_H
#define VIGIL_CLAPACKE_SHIM_H

// Swift has no C complex numbers; as structures they are in nobody's way.
#define LAPACK_COMPLEX_STRUCTURE
#include <lapacke.h>

#endif
