// What Swift sees of the Zstandard decoder.
#ifndef PINHOLE_ZSTD_SHIM_H
#define PINHOLE_ZSTD_SHIM_H

#include <zstd.h>

#endif
