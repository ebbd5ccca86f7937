// The headers of Brotli, for Swift.
#ifndef PINHOLE_BROTLI_SHIM_H
#define PINHOLE_BROTLI_SHIM_H

#include <brotli/decode.h>
#include <brotli/encode.h>

#endif
