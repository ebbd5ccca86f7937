// What Swift sees of zlib.
#ifndef PINHOLE_ZLIB_SHIM_H
#define PINHOLE_ZLIB_SHIM_H

#include <zlib.h>

// A macro that passes the version and the size of z_stream.
static inline int pinhole_inflateInit2(z_stream *stream, int windowBits) {
    return inflateInit2(stream, windowBits);
}

#endif
