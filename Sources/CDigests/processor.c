#include "CDigests.h"

#if defined(__x86_64__)

#include <cpuid.h>
#include <immintrin.h>

#include "constants.h"

// Each of these instructions does what four rounds, or the words of four rounds, need.
// Source: Intel, "Intel SHA Extensions: New Instructions Supporting the Secure Hash Algorithm".
#define WITH_SHA __attribute__((target("sha,sse4.1,ssse3")))

// Bytes into words from the most significant on; SHA-1 wants the first word in the highest lane.
WITH_SHA static __m128i words_of(const uint8_t *bytes, __m128i order) {
  return _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)bytes), order);
}

// Four rounds of SHA-1 with the function of rounds 20 * FUNCTION and following.
#define SHA1_ROUNDS(INDEX, FUNCTION)                                                               \
  {                                                                                                \
    if (INDEX >= 4) {                                                                              \
      __m128i word = _mm_sha1msg1_epu32(words[INDEX & 3], words[(INDEX + 1) & 3]);                 \
      word = _mm_xor_si128(word, words[(INDEX + 2) & 3]);                                          \
      words[INDEX & 3] = _mm_sha1msg2_epu32(word, words[(INDEX + 3) & 3]);                         \
    }                                                                                              \
    __m128i added = INDEX == 0 ? _mm_add_epi32(e, words[0])                                        \
                               : _mm_sha1nexte_epu32(before, words[INDEX & 3]);                    \
    before = abcd;                                                                                 \
    abcd = _mm_sha1rnds4_epu32(abcd, added, FUNCTION);                                             \
  }

WITH_SHA static void sha1_add(uint32_t state[5], const uint8_t *blocks, size_t count) {
  const __m128i order = _mm_set_epi64x(0x0001020304050607, 0x08090a0b0c0d0e0f);
  __m128i abcd = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state), 0x1b);
  __m128i e = _mm_set_epi32((int)state[4], 0, 0, 0);
  for (; count > 0; count--, blocks += 64) {
    const __m128i first_abcd = abcd, first_e = e;
    __m128i words[4], before = abcd;
    for (int i = 0; i < 4; i++) words[i] = words_of(blocks + 16 * i, order);
    SHA1_ROUNDS(0, 0) SHA1_ROUNDS(1, 0) SHA1_ROUNDS(2, 0) SHA1_ROUNDS(3, 0) SHA1_ROUNDS(4, 0)
    SHA1_ROUNDS(5, 1) SHA1_ROUNDS(6, 1) SHA1_ROUNDS(7, 1) SHA1_ROUNDS(8, 1) SHA1_ROUNDS(9, 1)
    SHA1_ROUNDS(10, 2) SHA1_ROUNDS(11, 2) SHA1_ROUNDS(12, 2) SHA1_ROUNDS(13, 2) SHA1_ROUNDS(14, 2)
    SHA1_ROUNDS(15, 3) SHA1_ROUNDS(16, 3) SHA1_ROUNDS(17, 3) SHA1_ROUNDS(18, 3) SHA1_ROUNDS(19, 3)
    e = _mm_sha1nexte_epu32(before, first_e);
    abcd = _mm_add_epi32(abcd, first_abcd);
  }
  _mm_storeu_si128((__m128i *)state, _mm_shuffle_epi32(abcd, 0x1b));
  state[4] = (uint32_t)_mm_extract_epi32(e, 3);
}

WITH_SHA static void sha256_add(uint32_t state[8], const uint8_t *blocks, size_t count) {
  const __m128i order = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  // The instructions want the words a, b, e, f in one register and c, d, g, h in the other, the first highest.
  const __m128i badc = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state), 0xb1);
  const __m128i hgfe = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(state + 4)), 0x1b);
  __m128i abef = _mm_alignr_epi8(badc, hgfe, 8);
  __m128i cdgh = _mm_blend_epi16(hgfe, badc, 0xf0);
  for (; count > 0; count--, blocks += 64) {
    const __m128i first_abef = abef, first_cdgh = cdgh;
    __m128i words[4];
    for (int i = 0; i < 4; i++) words[i] = words_of(blocks + 16 * i, order);
#pragma clang loop unroll(full)
    for (int i = 0; i < 16; i++) {
      if (i >= 4) {
        __m128i late = words[(i + 3) & 3];
        __m128i word = _mm_sha256msg1_epu32(words[i & 3], words[(i + 1) & 3]);
        word = _mm_add_epi32(word, _mm_alignr_epi8(late, words[(i + 2) & 3], 4));
        words[i & 3] = _mm_sha256msg2_epu32(word, late);
      }
      const __m128i constants = _mm_loadu_si128((const __m128i *)(vigil_sha256_constants + 4 * i));
      const __m128i added = _mm_add_epi32(words[i & 3], constants);
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, added);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(added, 0x0e));
    }
    abef = _mm_add_epi32(abef, first_abef);
    cdgh = _mm_add_epi32(cdgh, first_cdgh);
  }
  const __m128i feba = _mm_shuffle_epi32(abef, 0x1b);
  const __m128i dchg = _mm_shuffle_epi32(cdgh, 0xb1);
  _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(feba, dchg, 0xf0));
  _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

static int has_sha;

__attribute__((constructor)) static void look_for_sha(void) {
  unsigned a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_SSSE3) || !(c & bit_SSE4_1)) return;
  has_sha = __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_SHA) != 0;
}

void vigil_sha1_add(uint32_t state[5], const uint8_t *blocks, size_t count) {
  (has_sha ? sha1_add : vigil_sha1_add_plain)(state, blocks, count);
}

void vigil_sha256_add(uint32_t state[8], const uint8_t *blocks, size_t count) {
  (has_sha ? sha256_add : vigil_sha256_add_plain)(state, blocks, count);
}

#else

void vigil_sha1_add(uint32_t state[5], const uint8_t *blocks, size_t count) {
  vigil_sha1_add_plain(state, blocks, count);
}

void vigil_sha256_add(uint32_t state[8], const uint8_t *blocks, size_t count) {
  vigil_sha256_add_plain(state, blocks, count);
}

#endif
