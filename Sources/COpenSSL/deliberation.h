// Wrappers for a handshake that stops until somebody outside has judged: macros of libssl.
#ifndef PINHOLE_OPENSSL_DELIBERATION_H
#define PINHOLE_OPENSSL_DELIBERATION_H

#include <openssl/ssl.h>

static inline int pinhole_SSL_set_retry_verify(SSL *ssl) {
    return SSL_set_retry_verify(ssl) ? 1 : 0;
}

static inline long pinhole_SSL_request_stapled_response(SSL *ssl) {
    return SSL_set_tlsext_status_type(ssl, TLSEXT_STATUSTYPE_ocsp);
}

// The length, or -1 where there is none; the bytes belong to the connection.
static inline long pinhole_SSL_get_stapled_response(SSL *ssl, const unsigned char **response) {
    return SSL_get_tlsext_status_ocsp_resp(ssl, response);
}

#endif
