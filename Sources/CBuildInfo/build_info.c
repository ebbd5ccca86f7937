#include "build_info.h"

// A function in C and not a constant in Swift, so that a new commit compiles this file alone.
const char *pinhole_build_commit(void) { return PINHOLE_COMMIT; }

const char *pinhole_build_date(void) { return PINHOLE_COMMIT_DATE; }
