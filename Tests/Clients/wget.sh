#!/usr/bin/env bash
# Loads a URL with wget and prints status and SHA-256. Wget reads `https_proxy` in small letters only, and
# knows no variable for a CA: the PEM file is named in PINHOLE_CLIENT_CA.
set -euo pipefail

body=$(mktemp)
trap 'rm -f "$body"' EXIT
export https_proxy=${https_proxy:-$HTTPS_PROXY}
wget --quiet --tries=1 --timeout="${PINHOLE_TEST_PATIENCE:-300}" --ca-certificate="$PINHOLE_CLIENT_CA" --output-document="$body" "$1"
# Wget ends with an error for every status but success.
printf '200 %s\n' "$(sha256sum <"$body" | cut -d ' ' -f 1)"
