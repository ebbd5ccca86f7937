// What Swift sees of the system's crypt(3).
#ifndef PINHOLE_CRYPT_SHIM_H
#define PINHOLE_CRYPT_SHIM_H

#include <crypt.h>
#include <stddef.h>

// Its fields are arrays too long for Swift, so it is handed over as memory.
static inline size_t pinhole_crypt_size(void) { return sizeof(struct crypt_data); }

static inline const char *pinhole_crypt(const char *password, const char *setting, void *scratch) {
    return crypt_r(password, setting, (struct crypt_data *)scratch);
}

#endif
