// The part of SQLite that Swift sees.
#ifndef PINHOLE_SQLITE_SHIM_H
#define PINHOLE_SQLITE_SHIM_H

#include <sqlite3.h>

// A variadic function, which Swift does not import.
static inline int pinhole_sqlite3_db_config(sqlite3 *database, int option, int value) {
    return sqlite3_db_config(database, option, value, (int *)0);
}

// Another one.
static inline int pinhole_sqlite3_config(int option, int value) {
    return sqlite3_config(option, value);
}

#endif
