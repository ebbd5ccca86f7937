// Keys whose halves do not belong together. In C since OSSL_PARAM keeps the pointers that it is given, names
// included, and those of Swift's strings do not last.
#ifndef PINHOLE_OPENSSL_FORGERY_H
#define PINHOLE_OPENSSL_FORGERY_H

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>
#include <openssl/param_build.h>

static inline EVP_PKEY *pinhole_EVP_PKEY_of(const char *kind, OSSL_PARAM_BLD *builder) {
    OSSL_PARAM *parameters = OSSL_PARAM_BLD_to_param(builder);
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, kind, NULL);
    EVP_PKEY *key = NULL;
    if (parameters != NULL && context != NULL && EVP_PKEY_fromdata_init(context) == 1)
        EVP_PKEY_fromdata(context, &key, EVP_PKEY_KEYPAIR, parameters);
    EVP_PKEY_CTX_free(context);
    OSSL_PARAM_free(parameters);
    return key;
}

// The public half of one RSA key and the private exponent of another.
static inline EVP_PKEY *pinhole_RSA_mismatch(const EVP_PKEY *shown, const EVP_PKEY *hidden) {
    BIGNUM *n = NULL, *e = NULL, *d = NULL;
    EVP_PKEY *key = NULL;
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    if (builder != NULL && EVP_PKEY_get_bn_param(shown, OSSL_PKEY_PARAM_RSA_N, &n) == 1 &&
        EVP_PKEY_get_bn_param(shown, OSSL_PKEY_PARAM_RSA_E, &e) == 1 &&
        EVP_PKEY_get_bn_param(hidden, OSSL_PKEY_PARAM_RSA_D, &d) == 1 &&
        OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_N, n) == 1 &&
        OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_E, e) == 1 &&
        OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_D, d) == 1)
        key = pinhole_EVP_PKEY_of("RSA", builder);
    OSSL_PARAM_BLD_free(builder);
    BN_free(n);
    BN_free(e);
    BN_clear_free(d);
    return key;
}

// The public point of one EC key and the private number of another on the same named curve.
static inline EVP_PKEY *pinhole_EC_mismatch(const EVP_PKEY *shown, const EVP_PKEY *hidden) {
    char group[80];
    unsigned char point[200];
    size_t count = 0;
    BIGNUM *number = NULL;
    EVP_PKEY *key = NULL;
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    if (builder != NULL && EVP_PKEY_get_group_name(shown, group, sizeof group, NULL) == 1 &&
        EVP_PKEY_get_octet_string_param(shown, OSSL_PKEY_PARAM_PUB_KEY, point, sizeof point, &count) == 1 &&
        EVP_PKEY_get_bn_param(hidden, OSSL_PKEY_PARAM_PRIV_KEY, &number) == 1 &&
        OSSL_PARAM_BLD_push_utf8_string(builder, OSSL_PKEY_PARAM_GROUP_NAME, group, 0) == 1 &&
        OSSL_PARAM_BLD_push_octet_string(builder, OSSL_PKEY_PARAM_PUB_KEY, point, count) == 1 &&
        OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_PRIV_KEY, number) == 1)
        key = pinhole_EVP_PKEY_of("EC", builder);
    OSSL_PARAM_BLD_free(builder);
    BN_clear_free(number);
    return key;
}

static inline int pinhole_copy_number(OSSL_PARAM_BLD *builder, const EVP_PKEY *key, const char *name,
                                      BIGNUM **number) {
    return EVP_PKEY_get_bn_param(key, name, number) == 1 && OSSL_PARAM_BLD_push_BN(builder, name, *number) == 1;
}

// The public point of an EC key on the same curve with that point as its generator: the private number is 1.
static inline EVP_PKEY *pinhole_EC_own_generator(const EVP_PKEY *shown) {
    unsigned char point[200];
    size_t count = 0;
    BIGNUM *p = NULL, *a = NULL, *b = NULL, *order = NULL, *cofactor = NULL, *one = BN_new();
    EVP_PKEY *key = NULL;
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    if (builder != NULL && one != NULL && BN_one(one) == 1 &&
        EVP_PKEY_get_octet_string_param(shown, OSSL_PKEY_PARAM_PUB_KEY, point, sizeof point, &count) == 1 &&
        pinhole_copy_number(builder, shown, OSSL_PKEY_PARAM_EC_P, &p) &&
        pinhole_copy_number(builder, shown, OSSL_PKEY_PARAM_EC_A, &a) &&
        pinhole_copy_number(builder, shown, OSSL_PKEY_PARAM_EC_B, &b) &&
        pinhole_copy_number(builder, shown, OSSL_PKEY_PARAM_EC_ORDER, &order) &&
        pinhole_copy_number(builder, shown, OSSL_PKEY_PARAM_EC_COFACTOR, &cofactor) &&
        OSSL_PARAM_BLD_push_utf8_string(builder, OSSL_PKEY_PARAM_EC_FIELD_TYPE, SN_X9_62_prime_field, 0) == 1 &&
        OSSL_PARAM_BLD_push_octet_string(builder, OSSL_PKEY_PARAM_EC_GENERATOR, point, count) == 1 &&
        OSSL_PARAM_BLD_push_octet_string(builder, OSSL_PKEY_PARAM_PUB_KEY, point, count) == 1 &&
        OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_PRIV_KEY, one) == 1)
        key = pinhole_EVP_PKEY_of("EC", builder);
    OSSL_PARAM_BLD_free(builder);
    BN_free(p);
    BN_free(a);
    BN_free(b);
    BN_free(order);
    BN_free(cofactor);
    BN_free(one);
    return key;
}

#endif
