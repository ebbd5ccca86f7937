// What Swift sees of nghttp2.
#ifndef PINHOLE_NGHTTP2_SHIM_H
#define PINHOLE_NGHTTP2_SHIM_H

#include <nghttp2/nghttp2.h>

#endif
