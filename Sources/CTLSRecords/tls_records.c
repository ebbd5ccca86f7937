#include "tls_records.h"

#include <malloc.h>
#include <openssl/crypto.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

/* libssl takes a buffer for each record that is read or written, and gives it back: 16,584 and 16,712 bytes four times in
   an exchange. That is more than malloc keeps for a thread, so it would look for room in the arena that all
   threads share, and merge and split what is free there. */
enum { smallest = 16 << 10, size = 17 << 10, most = 4 };

static _Thread_local struct {
    size_t count;
    void *blocks[most];
    int is_known;
} shelf;

static pthread_key_t ending;

/* When a thread ends. */
static void clear(void *ignored) {
    (void)ignored;
    while (shelf.count > 0) free(shelf.blocks[--shelf.count]);
}

static void *take(size_t bytes, const char *file, int line) {
    (void)file;
    (void)line;
    if (bytes <= smallest || bytes > size) return malloc(bytes);
    if (shelf.count > 0) return shelf.blocks[--shelf.count];
    return malloc(size);
}

static void give(void *block, const char *file, int line) {
    (void)file;
    (void)line;
    if (block == NULL) return;
    size_t room = malloc_usable_size(block);
    if (room < size || room >= size + 64 || shelf.count == most) {
        free(block);
        return;
    }
    if (!shelf.is_known) shelf.is_known = pthread_setspecific(ending, &shelf) == 0;
    if (shelf.is_known) {
        shelf.blocks[shelf.count++] = block;
    } else {
        free(block);
    }
}

static void *resize(void *block, size_t bytes, const char *file, int line) {
    if (bytes > 0) return realloc(block, bytes);
    give(block, file, line);
    return NULL;
}

int pinhole_keep_record_buffers(void) {
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
    /* What is kept would hide who uses it after it was freed. */
    return 0;
#endif
#endif
    if (pthread_key_create(&ending, clear) != 0) return 0;
    return CRYPTO_set_mem_functions(take, resize, give);
}
