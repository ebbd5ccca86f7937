// What Swift sees of OpenSSL. Macros and variadic functions that Swift cannot import get a
// `static inline` wrapper called `pinhole_<original>`, with the reason above it where it is not
// simply "a macro".
#ifndef PINHOLE_OPENSSL_SHIM_H
#define PINHOLE_OPENSSL_SHIM_H

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/ocsp.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include "deliberation.h"
#include "forgery.h"
#include "tls.h"
#include "x509.h"

#endif
