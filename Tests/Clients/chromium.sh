#!/usr/bin/env bash
# Loads a page with headless Chromium through HTTPS_PROXY, and fails unless its document contains a text.
# Usage: chromium.sh URL TEXT
#
# Chromium knows no variable for a CA: the PEM file in PINHOLE_CLIENT_CA goes into an NSS database below a
# home of its own. An error page ends with code 0 too, so the text is what tells; what follows it in its element
# goes to standard error.
set -euo pipefail

home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
export HOME=$home XDG_DATA_HOME=$home/.local/share XDG_CONFIG_HOME=$home/.config XDG_CACHE_HOME=$home/.cache

# Which of the two folders is read depends on the version.
for database in "$home/.pki/nssdb" "$XDG_DATA_HOME/pki/nssdb"; do
    mkdir -p "$database"
    certutil -d "sql:$database" -N --empty-password
    certutil -d "sql:$database" -A -t C,, -n pinhole-test -i "$PINHOLE_CLIENT_CA"
done

options=(
    --headless --disable-gpu --disable-dev-shm-usage --no-first-run --disable-background-networking
    --disable-component-update --disable-sync --user-data-dir="$home/profile"
    --proxy-server="${HTTPS_PROXY}" --proxy-bypass-list='<-loopback>'
)
# Chromium's own sandbox does not work for root, nor in most containers.
options+=(--no-sandbox)

# Its log is long and mostly about services that a bare machine lacks; it is shown on failure only.
if ! document=$(timeout "${PINHOLE_TEST_PATIENCE:-300}" chromium "${options[@]}" --dump-dom "$1" 2>"$home/log"); then
    cat "$home/log" >&2
    exit 1
fi
if [[ $document != *"$2"* ]]; then
    printf 'the document does not contain “%s”:\n%s\n' "$2" "$document" >&2
    tail -n 20 "$home/log" >&2
    exit 1
fi
rest=${document#*"$2"}
printf '%s\n' "${rest%%<*}" >&2
printf '200 %s\n' "$(sha256sum <<<"$document" | cut -d ' ' -f 1)"
