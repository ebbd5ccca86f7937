// Written by Scripts/console-assets from the files in assets.

#include "console_assets.h"

static const unsigned char asset_0[] = {
#embed "assets/index.html" if_empty(0)
};
static const unsigned char openapi[] = {
#embed "api/openapi.json"
};

static const struct {
    const char *name;
    const unsigned char *bytes;
    size_t size;
} assets[] = {
    {"index.html", asset_0, sizeof asset_0},
};

size_t pinhole_asset_count(void) { return sizeof assets / sizeof assets[0]; }
const char *pinhole_asset_name(size_t index) { return assets[index].name; }
const unsigned char *pinhole_asset_bytes(size_t index) { return assets[index].bytes; }
size_t pinhole_asset_size(size_t index) { return assets[index].size; }

const unsigned char *pinhole_openapi_bytes(void) { return openapi; }
size_t pinhole_openapi_size(void) { return sizeof openapi; }
