// Wrappers for the X.509, key and container parts of libcrypto.
#ifndef PINHOLE_OPENSSL_X509_H
#define PINHOLE_OPENSSL_X509_H

#include <openssl/x509.h>

// A macro of casts; characters beyond ASCII are printed as UTF-8 instead of escapes.
static const unsigned long pinhole_XN_FLAG_READABLE = XN_FLAG_RFC2253 & ~ASN1_STRFLGS_ESC_MSB;

#endif
