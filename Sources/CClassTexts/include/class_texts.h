#ifndef CLASS_TEXTS_H
#define CLASS_TEXTS_H

#include <stddef.h>

/* The lessons of the class, embedded in the binary: one file for each language. */

/* The bytes of the lessons in English. */
const unsigned char *pinhole_lessons_en(size_t *count);
/* The bytes of the lessons in German. */
const unsigned char *pinhole_lessons_de(size_t *count);
/* The bytes of the client with faults, for students to fix. */
const unsigned char *pinhole_client_py(size_t *count);

#endif
