#ifndef VIGIL_CLAPACKE_SHIM_H
#define VIGIL_CLAPACKE_SHIM_H

// Swift has no C complex numbers; as structures they cause no problem.
#define LAPACK_COMPLEX_STRUCTURE
#include <lapacke.h>

// Swift does not see the macro lapack_int and passes 32 bits.
_Static_assert(sizeof(lapack_int) == 4, "a LAPACKE with 32-bit integers is needed");

#endif
