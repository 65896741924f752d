#include <zlib.h>

// inflateInit2 is a macro. 16 more than the largest window asks for the form of gzip alone.
static inline int vigil_inflate_init(z_stream *stream) { return inflateInit2(stream, 15 + 16); }
