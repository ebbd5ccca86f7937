// Wrappers for the X.509, key and container parts of libcrypto.
#ifndef PINHOLE_OPENSSL_X509_H
#define PINHOLE_OPENSSL_X509_H

#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

// A macro of casts; characters beyond ASCII are printed as UTF-8 instead of escapes.
static const unsigned long pinhole_XN_FLAG_READABLE = XN_FLAG_RFC2253 & ~ASN1_STRFLGS_ESC_MSB;

// The macro goes through a variadic function.
static inline EVP_PKEY *pinhole_EVP_EC_gen(const char *curve) { return EVP_EC_gen(curve); }

// The macro goes through a variadic function.
static inline EVP_PKEY *pinhole_EVP_RSA_gen(unsigned int bits) { return EVP_RSA_gen(bits); }

// A macro that records file and line.
static inline void pinhole_OPENSSL_free(void *memory) { OPENSSL_free(memory); }

#endif
