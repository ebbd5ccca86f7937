#ifndef CONSOLE_ASSETS_H
#define CONSOLE_ASSETS_H

#include <stddef.h>

/* The files of the web console, embedded in the binary. Arrays of structs cannot be imported into Swift. */

/* How many files there are. */
size_t pinhole_asset_count(void);
/* The name of a file: its path below `assets`. */
const char *pinhole_asset_name(size_t index);
/* The bytes of a file. */
const unsigned char *pinhole_asset_bytes(size_t index);
/* How many bytes a file has. */
size_t pinhole_asset_size(size_t index);

#endif
