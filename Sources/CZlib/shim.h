// What Swift sees of zlib.
#ifndef PINHOLE_ZLIB_SHIM_H
#define PINHOLE_ZLIB_SHIM_H

#include <zlib.h>

// A macro that passes the version and the size of z_stream.
static inline int pinhole_inflateInit2(z_stream *stream, int windowBits) {
    return inflateInit2(stream, windowBits);
}

// The same for compressing, with 8 as the usual level of memory.
static inline int pinhole_deflateInit2(z_stream *stream, int level, int windowBits) {
    return deflateInit2(stream, level, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY);
}

#endif
