#ifndef VIGIL_CBLAS_SHIM_H
#define VIGIL_CBLAS_SHIM_H

#include <cblas.h>

// OpenBLAS starts threads of its own for long vectors; Vigil is parallel over blocks of persons
// instead. Weak, because the reference BLAS has no such function.
extern void openblas_set_num_threads(int) __attribute__((weak));
extern char *openblas_get_config(void) __attribute__((weak));

static inline void vigil_blas_use_one_thread(void) {
  if (openblas_set_num_threads) openblas_set_num_threads(1);
}

// Null when the library is not OpenBLAS.
static inline const char *vigil_blas_openblas_config(void) {
  return openblas_get_config ? openblas_get_config() : 0;
}

#endif
