// Wrappers for libssl.
#ifndef PINHOLE_OPENSSL_TLS_H
#define PINHOLE_OPENSSL_TLS_H

#endif
