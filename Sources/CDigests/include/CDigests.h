#ifndef VIGIL_CDIGESTS_H
#define VIGIL_CDIGESTS_H

#include <stddef.h>
#include <stdint.h>

// Adds blocks of 64 bytes to a state of SHA-1 or SHA-256 (FIPS 180-4), by the processor's own instructions where it
// has them.
void vigil_sha1_add(uint32_t state[5], const uint8_t *blocks, size_t count);
void vigil_sha256_add(uint32_t state[8], const uint8_t *blocks, size_t count);

// The same without those instructions, which every processor can do.
void vigil_sha1_add_plain(uint32_t state[5], const uint8_t *blocks, size_t count);
void vigil_sha256_add_plain(uint32_t state[8], const uint8_t *blocks, size_t count);

#endif
