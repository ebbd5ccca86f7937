// Wrappers for libssl: macros, and constants of 64 bits, which Swift does not import.
#ifndef PINHOLE_OPENSSL_TLS_H
#define PINHOLE_OPENSSL_TLS_H

#include <openssl/bio.h>
#include <openssl/ssl.h>

static const uint64_t pinhole_SSL_OP_NO_RENEGOTIATION = SSL_OP_NO_RENEGOTIATION;
static const uint64_t pinhole_SSL_OP_NO_COMPRESSION = SSL_OP_NO_COMPRESSION;
static const uint64_t pinhole_SSL_OP_NO_TICKET = SSL_OP_NO_TICKET;
static const uint64_t pinhole_SSL_OP_PRIORITIZE_CHACHA = SSL_OP_PRIORITIZE_CHACHA;
static const uint64_t pinhole_SSL_OP_NO_ANTI_REPLAY = SSL_OP_NO_ANTI_REPLAY;
static const uint64_t pinhole_SSL_OP_CIPHER_SERVER_PREFERENCE = SSL_OP_CIPHER_SERVER_PREFERENCE;

static inline int pinhole_SSL_CTX_set_min_proto_version(SSL_CTX *context, int version) {
    return (int)SSL_CTX_set_min_proto_version(context, version);
}

static inline int pinhole_SSL_CTX_set_max_proto_version(SSL_CTX *context, int version) {
    return (int)SSL_CTX_set_max_proto_version(context, version);
}

static inline int pinhole_SSL_CTX_set1_groups_list(SSL_CTX *context, const char *groups) {
    return (int)SSL_CTX_set1_groups_list(context, groups);
}

static inline int pinhole_SSL_set1_groups_list(SSL *ssl, const char *groups) {
    return (int)SSL_set1_groups_list(ssl, groups);
}

static inline int pinhole_SSL_CTX_set1_sigalgs_list(SSL_CTX *context, const char *algorithms) {
    return (int)SSL_CTX_set1_sigalgs_list(context, algorithms);
}

static inline long pinhole_SSL_CTX_set_mode(SSL_CTX *context, long mode) {
    return SSL_CTX_set_mode(context, mode);
}

static inline long pinhole_SSL_CTX_set_session_cache_mode(SSL_CTX *context, long mode) {
    return SSL_CTX_set_session_cache_mode(context, mode);
}

static inline long pinhole_SSL_CTX_set_tlsext_status_cb(SSL_CTX *context, int (*callback)(SSL *, void *)) {
    return SSL_CTX_set_tlsext_status_cb(context, callback);
}

static inline long pinhole_SSL_set_stapled_response(SSL *ssl, void *response, long count) {
    return SSL_set_tlsext_status_ocsp_resp(ssl, (unsigned char *)response, count);
}

/// The name of the group of the key exchange; NULL without such an exchange.
static inline const char *pinhole_SSL_get_negotiated_group_name(SSL *ssl) {
    int group = (int)SSL_get_negotiated_group(ssl);
    return group == NID_undef ? NULL : SSL_group_to_name(ssl, group);
}

static inline int pinhole_SSL_set_tlsext_host_name(SSL *ssl, const char *name) {
    return (int)SSL_set_tlsext_host_name(ssl, name);
}

static inline int pinhole_SSL_add1_chain_cert(SSL *ssl, X509 *certificate) {
    return (int)SSL_add1_chain_cert(ssl, certificate);
}

static inline int pinhole_SSL_CTX_add1_chain_cert(SSL_CTX *context, X509 *certificate) {
    return (int)SSL_CTX_add1_chain_cert(context, certificate);
}

static inline int pinhole_SSL_set_app_data(SSL *ssl, void *data) {
    return SSL_set_app_data(ssl, data);
}

static inline void *pinhole_SSL_get_app_data(const SSL *ssl) {
    return SSL_get_app_data(ssl);
}

static inline void pinhole_BIO_set_retry_read(BIO *bio) {
    BIO_set_retry_read(bio);
}

static inline void pinhole_BIO_clear_retry_flags(BIO *bio) {
    BIO_clear_retry_flags(bio);
}

// The stack accessors are macros over type-checked casts.
static inline int pinhole_sk_X509_num(const STACK_OF(X509) *stack) {
    return stack == NULL ? 0 : sk_X509_num(stack);
}

static inline X509 *pinhole_sk_X509_value(const STACK_OF(X509) *stack, int index) {
    return sk_X509_value(stack, index);
}

#endif
