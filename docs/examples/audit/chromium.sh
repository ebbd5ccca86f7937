#!/usr/bin/env bash
# Loads a page with headless Chromium through HTTPS_PROXY.
#
#     pinhole audit -- docs/examples/audit/chromium.sh {url}
#
# Chromium knows no variable for CAs: each one of SSL_CERT_FILE goes into an NSS database below a home of its own.
set -euo pipefail

home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
export HOME=$home XDG_DATA_HOME=$home/.local/share XDG_CONFIG_HOME=$home/.config XDG_CACHE_HOME=$home/.cache

awk -v name="$home/root-" '/BEGIN CERTIFICATE/ { n++ } { print > (name n ".pem") }' "$SSL_CERT_FILE"
mkdir -p "$home/.pki/nssdb" "$XDG_DATA_HOME/pki"
certutil -d "sql:$home/.pki/nssdb" -N --empty-password
for root in "$home"/root-*.pem; do
    certutil -d "sql:$home/.pki/nssdb" -A -t C,, -n "$root" -i "$root"
done
# Which of the two folders is read depends on the version.
cp -r "$home/.pki/nssdb" "$XDG_DATA_HOME/pki/nssdb"

# Its own sandbox does not work for root, nor in most containers.
timeout 120 chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run \
    --disable-background-networking --disable-component-update --disable-sync \
    --user-data-dir="$home/profile" --proxy-server="$HTTPS_PROXY" --proxy-bypass-list='<-loopback>' \
    --dump-dom "$1" 2>"$home/log" || { tail -n 1 "$home/log" >&2; exit 1; }
