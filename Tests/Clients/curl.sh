#!/usr/bin/env bash
# Loads a URL with curl, which finds proxy and CA (CURL_CA_BUNDLE) in the environment; prints status and SHA-256.
set -euo pipefail

body=$(mktemp)
trap 'rm -f "$body"' EXIT
status=$(curl --fail --silent --show-error --max-time "${PINHOLE_TEST_PATIENCE:-300}" --output "$body" --write-out '%{http_code}' "$1")
printf '%s %s\n' "$status" "$(sha256sum <"$body" | cut -d ' ' -f 1)"
