#: sh
#: before SSL_CERT_FILE=dev-ca.pem python3
await_port 20443
