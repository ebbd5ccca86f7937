#!/usr/bin/env bash
# Loads a page with openssl s_client; more options of its own may follow the host and the port.
#
#     pinhole audit -- docs/examples/audit/s_client.sh {address} {host} {port} -verify_return_error
set -euo pipefail

proxy=$1 host=$2 port=$3
shift 3
printf 'GET /account HTTP/1.0\r\n\r\n' | openssl s_client -quiet -proxy "$proxy" -connect "$host:$port" \
    -servername "$host" -CAfile "$SSL_CERT_FILE" -verify_hostname "$host" "$@"
