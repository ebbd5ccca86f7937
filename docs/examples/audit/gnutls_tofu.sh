#!/usr/bin/env bash
# Loads a page with gnutls-cli, which trusts the first key that it sees and no other one after that.
#
#     pinhole audit --listen 127.0.0.1:0 -- docs/examples/audit/gnutls_tofu.sh {ip} {port} {host}
#
# The keys lie in ~/.gnutls/known_hosts, by host and port; without --listen the port is another one each time.
set -euo pipefail

options=(--x509cafile "$SSL_CERT_FILE" --sni-hostname "$3" --verify-hostname "$3" --port "$2" "$1")
# The first time it asks whether the key is to be trusted.
[ -e ~/.gnutls/known_hosts ] || gnutls-cli --tofu "${options[@]}" <<<y
printf 'GET /account HTTP/1.0\r\n\r\n' | gnutls-cli --strict-tofu "${options[@]}"
