// The system calls for files that glibc 2.36 has no functions for. No header of the system is included here, so that the
// types of the Glibc module stay that module's own.
#ifndef PINHOLE_FILES_SHIM_H
#define PINHOLE_FILES_SHIM_H

// struct open_how, whose header is missing before Linux 5.6.
struct pinhole_open_how {
    unsigned long long flags;
    unsigned long long mode;
    unsigned long long resolve;
};

extern long syscall(long number, ...);

// openat2(2) with RESOLVE_NO_MAGICLINKS | RESOLVE_BENEATH. The number is the same on every architecture.
static inline int pinhole_open_beneath(int folder, const char *path, int flags) {
    struct pinhole_open_how how = {(unsigned int)flags, 0, 0x02 | 0x08};
    return (int)syscall(437, folder, path, &how, sizeof how);
}

// O_PATH, which <fcntl.h> defines under _GNU_SOURCE only. The number is that of x86-64 and AArch64.
static const int pinhole_names_alone = 010000000;

#endif
