// The names of zlib belong to one module, whichever is loaded first.
#include "../CZlib/shim.h"
#include <minizip/unzip.h>
#include <minizip/zip.h>
