#include "CDigests.h"
#include "constants.h"

static uint32_t left(uint32_t word, int count) { return word << count | word >> (32 - count); }

static uint32_t right(uint32_t word, int count) { return word >> count | word << (32 - count); }

static uint32_t big_endian(const uint8_t *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

void vigil_sha1_add_plain(uint32_t state[5], const uint8_t *blocks, size_t count) {
  for (; count > 0; count--, blocks += 64) {
    uint32_t words[80];
    for (int i = 0; i < 16; i++) words[i] = big_endian(blocks + 4 * i);
    for (int i = 16; i < 80; i++) {
      words[i] = left(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
    }
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
    for (int i = 0; i < 80; i++) {
      uint32_t function, constant;
      switch (i / 20) {
        case 0: function = (b & c) | (~b & d), constant = 0x5a827999; break;
        case 1: function = b ^ c ^ d, constant = 0x6ed9eba1; break;
        case 2: function = (b & c) | (b & d) | (c & d), constant = 0x8f1bbcdc; break;
        default: function = b ^ c ^ d, constant = 0xca62c1d6;
      }
      uint32_t next = left(a, 5) + function + e + constant + words[i];
      e = d, d = c, c = left(b, 30), b = a, a = next;
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d, state[4] += e;
  }
}

void vigil_sha256_add_plain(uint32_t state[8], const uint8_t *blocks, size_t count) {
  for (; count > 0; count--, blocks += 64) {
    uint32_t words[64];
    for (int i = 0; i < 16; i++) words[i] = big_endian(blocks + 4 * i);
    for (int i = 16; i < 64; i++) {
      uint32_t early = words[i - 15], late = words[i - 2];
      words[i] = words[i - 16] + words[i - 7] + (right(early, 7) ^ right(early, 18) ^ early >> 3) +
                 (right(late, 17) ^ right(late, 19) ^ late >> 10);
    }
    uint32_t v[8];
    for (int i = 0; i < 8; i++) v[i] = state[i];
    for (int i = 0; i < 64; i++) {
      uint32_t first = v[7] + (right(v[4], 6) ^ right(v[4], 11) ^ right(v[4], 25)) +
                       ((v[4] & v[5]) ^ (~v[4] & v[6])) + vigil_sha256_constants[i] + words[i];
      uint32_t second = (right(v[0], 2) ^ right(v[0], 13) ^ right(v[0], 22)) +
                        ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
      v[7] = v[6], v[6] = v[5], v[5] = v[4], v[4] = v[3] + first;
      v[3] = v[2], v[2] = v[1], v[1] = v[0], v[0] = first + second;
    }
    for (int i = 0; i < 8; i++) state[i] += v[i];
  }
}
