// The headers of Zstandard, for Swift.
#ifndef PINHOLE_ZSTD_SHIM_H
#define PINHOLE_ZSTD_SHIM_H

#include <zstd.h>

#endif
