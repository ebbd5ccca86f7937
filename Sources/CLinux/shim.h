// Linux headers that the Glibc module leaves out.
#ifndef PINHOLE_LINUX_SHIM_H
#define PINHOLE_LINUX_SHIM_H

#include <linux/inet_diag.h>
#include <linux/magic.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <malloc.h>
#include <netinet/tcp.h>
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <sys/vfs.h>
#include <unistd.h>

// Declared by <sys/socket.h>, <unistd.h> and <spawn.h> under _GNU_SOURCE only, which comes too late here.
extern int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);
extern int pipe2(int ends[2], int flags);
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);

// A function with variable arguments, which Swift cannot call.
static inline int pinhole_drop_ambient_capabilities(void) {
    return prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
}

// MS_BIND is a constant of an enumeration, which Swift imports as a type.
static inline int pinhole_bind_mount(const char *file, const char *path) {
    return mount(file, path, (const char *)0, MS_BIND, (const void *)0);
}

// Swift imports the structure and the function as the same name.
static inline int pinhole_is_cgroup(int descriptor) {
    struct statfs status;
    return fstatfs(descriptor, &status) == 0 && status.f_type == CGROUP2_SUPER_MAGIC;
}

// The C library has pidfd_open(2) since 2.36 only.
static inline int pinhole_pidfd_open(int process) {
    return (int)syscall(SYS_pidfd_open, process, 0);
}

#endif
