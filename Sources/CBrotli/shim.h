// What Swift sees of the Brotli decoder.
#ifndef PINHOLE_BROTLI_SHIM_H
#define PINHOLE_BROTLI_SHIM_H

#include <brotli/decode.h>

#endif
