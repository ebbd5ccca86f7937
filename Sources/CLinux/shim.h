// Linux headers that the Glibc module leaves out.
#ifndef PINHOLE_LINUX_SHIM_H
#define PINHOLE_LINUX_SHIM_H

#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>

#endif
