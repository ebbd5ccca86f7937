// Facts about the build that only the build knows. The Makefile passes them by the environment of `swift build`.
#pragma once

/// The commit that the program was built from, or "" if the build was not told.
const char *pinhole_build_commit(void);

/// The day of that commit as YYYY-MM-DD, or "" if the build was not told.
const char *pinhole_build_date(void);
