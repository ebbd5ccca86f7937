/** Names of the IANA registries for common values; other values are shown as numbers. */
const versions = { 0x0304: "TLS 1.3", 0x0303: "TLS 1.2", 0x0302: "TLS 1.1", 0x0301: "TLS 1.0",
  0x0300: "SSL 3.0" };
const suites = {
  0x1301: "TLS_AES_128_GCM_SHA256", 0x1302: "TLS_AES_256_GCM_SHA384", 0x1303: "TLS_CHACHA20_POLY1305_SHA256",
    0xc02b: "ECDHE_ECDSA_AES_128_GCM_SHA256",
  0xc02c: "ECDHE_ECDSA_AES_256_GCM_SHA384", 0xc02f: "ECDHE_RSA_AES_128_GCM_SHA256",
    0xc030: "ECDHE_RSA_AES_256_GCM_SHA384", 0xcca8: "ECDHE_RSA_CHACHA20_POLY1305",
  0xcca9: "ECDHE_ECDSA_CHACHA20_POLY1305", 0xccaa: "DHE_RSA_CHACHA20_POLY1305",
    0x009e: "DHE_RSA_AES_128_GCM_SHA256", 0x009f: "DHE_RSA_AES_256_GCM_SHA384",
  0xc013: "ECDHE_RSA_AES_128_CBC_SHA", 0xc014: "ECDHE_RSA_AES_256_CBC_SHA", 0x009c: "RSA_AES_128_GCM_SHA256",
    0x009d: "RSA_AES_256_GCM_SHA384", 0x002f: "RSA_AES_128_CBC_SHA",
  0x0035: "RSA_AES_256_CBC_SHA", 0x00ff: "EMPTY_RENEGOTIATION_INFO_SCSV", 0x5600: "FALLBACK_SCSV",
};
const extensions = {
  0: "server_name", 5: "status_request", 10: "supported_groups", 11: "ec_point_formats",
    13: "signature_algorithms", 16: "ALPN", 18: "signed_certificate_timestamp", 21: "padding",
  22: "encrypt_then_mac", 23: "extended_master_secret", 27: "compress_certificate", 28: "record_size_limit",
    34: "delegated_credential", 35: "session_ticket", 41: "pre_shared_key", 42: "early_data",
  43: "supported_versions", 44: "cookie", 45: "psk_key_exchange_modes", 49: "post_handshake_auth",
    50: "signature_algorithms_cert", 51: "key_share", 17513: "ALPS", 17613: "ALPS",
    65037: "encrypted_client_hello", 65281: "renegotiation_info",
};
function naming(table) {
  return (number) => table[number] ?? `0x${number.toString(16).padStart(4, "0")}`;
}

export const versionName = naming(versions);
export const suiteName = naming(suites);
export const extensionName = naming(extensions);
