#!/usr/bin/env bash
# Loads a page with gnutls-cli; more options of its own may follow the host.
#
#     pinhole audit --listen 127.0.0.1:0 -- docs/examples/audit/gnutls.sh {ip} {port} {host}
set -euo pipefail

ip=$1 port=$2 host=$3
shift 3
printf 'GET /account HTTP/1.0\r\n\r\n' | gnutls-cli --x509cafile "$SSL_CERT_FILE" --sni-hostname "$host" \
    --verify-hostname "$host" "$@" --port "$port" "$ip"
