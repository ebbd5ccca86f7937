#!/usr/bin/env bash
# Loads a page with gnutls-cli, which trusts the first key that it sees and no other one after that.
#
#     pinhole audit --listen 127.0.0.1:0 -- docs/examples/audit/gnutls_tofu.sh {ip} {port} {host}
#
# The keys lie in ~/.gnutls/known_hosts, by host and port; without --listen the port is another one each time.
set -euo pipefail

request=$'GET /account HTTP/1.0\r\n\r\n'
options=(--x509cafile "$SSL_CERT_FILE" --sni-hostname "$3" --verify-hostname "$3" --port "$2" "$1")
if [ -e ~/.gnutls/known_hosts ]; then
    printf '%s' "$request" | gnutls-cli --strict-tofu "${options[@]}"
else
    # The first line answers the question whether the key is to be trusted.
    printf 'y\n%s' "$request" | gnutls-cli --tofu "${options[@]}"
fi
