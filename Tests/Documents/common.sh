# Helpers of the preparations; sessions.py runs this before a page's commands.
unset XDG_DATA_HOME XDG_STATE_HOME
exec >"$SESSION/output" 2>&1 </dev/null
exec 7>&1 8>>"$SESSION/hidden"
mount -t tmpfs none /run 2>/dev/null || :
ip link set lo up
hostname vm
: >"$SESSION/hosts"
mount --bind "$SESSION/hosts" /etc/hosts

# Output of a preparation goes elsewhere.
hide() { exec >&8 2>&1; printf '\n@@ %s\n' "$1"; set -x; }
unhide() { { set +x; } 2>/dev/null; exec >&7 2>&1; }

# The output of a command lies between two lines. The second number says whether other programs run meanwhile.
mark() {
    START=$(stat -c %s "$SESSION/output")
    printf '\n@@ %s %s\n' "$1" "$(jobs -r | wc -l | sed 's/[1-9].*/1/')"
}
end() { printf '\n@= %s %s\n' "$1" "$2"; }
shown() { tail -c +"$((START + 1))" "$SESSION/output" | grep -c "$1"; }
# Asks again and again until a command succeeds, for the Nth part of the patience: poll N COMMAND…
poll() {
    local tries=0 most=$((20 * ${PINHOLE_TEST_PATIENCE:-300} / $1))
    shift
    until "$@"; do
        [ $((tries += 1)) -le "$most" ] || return 1
        sleep 0.05
    done
}
# Waits until as many lines were printed as the page shows, while another program runs that may print them. A page that
# shows more lines fails after a tenth of the patience.
settle() { poll 10 settled "$1"; }
settled() { [ -z "$(jobs -r)" ] || [ "$(shown '^[^@]')" -ge "$1" ]; }
# Waits until a proxy listens at N places, or has ended.
ready() { poll 1 is_ready "$1" "$2"; }
is_ready() { [ "$(grep -c '^listening on' "$SESSION/served")" -ge "$1" ] || ! kill -0 "$2" 2>/dev/null; }
# Prints the output of a proxy in a terminal of its own, as soon as it has N lines, M of them after “listening on”.
served() {
    await eval '[ "$(grep -c . "$SESSION/served")" -ge '"$1"' ]' >/dev/null
    await eval '[ "$(tac "$SESSION/served" | sed "/^listening on/,\$d" | grep -c .)" -ge '"$2"' ]' >/dev/null
    cat "$SESSION/served"
}
# Runs a command that reads the capture until it prints N lines and no open tunnel: a proxy writes the last exchange a
# moment later. No page shows an open tunnel.
again() {
    poll 10 has_all "$@"
    cat "$SESSION/again"
    return "$AGAIN"
}
has_all() {
    eval "$2" >"$SESSION/again" 2>&1
    AGAIN=$?
    [ -z "$(jobs -r)" ] ||
        { [ "$(grep -c . "$SESSION/again")" -ge "$1" ] && ! grep -Eq '^pinhole: nothing |^closed +not yet' "$SESSION/again"; }
}
# Waits until a command succeeds.
await() { poll 1 quietly "$@" || { echo "never: $*"; return 1; }; }
quietly() { "$@" >/dev/null 2>&1; }
# Waits until something listens at a port of 127.0.0.1.
await_port() { local port; for port; do await eval "(exec 9<>/dev/tcp/127.0.0.1/$port)"; done; }

# Ends all programs and goes to an empty folder with a home of its own.
HOMES=0
fresh() {
    stop
    HOME=$SESSION/home$((HOMES += 1))
    export HOME
    unset SSL_CERT_FILE CURL_CA_BUNDLE
    mkdir "$HOME"
    echo '127.0.0.1 localhost vm' >"$SESSION/hosts"
    cd "$HOME" || exit 1
    # A terminal would show no progress.
    echo no-progress-meter >.curlrc
}
stop() {
    local running
    running=$(jobs -p)
    [ -z "$running" ] && return
    kill -INT $running 2>/dev/null
    kill $running 2>/dev/null
    poll 10 have_ended || kill -9 $running 2>/dev/null
    wait $running 2>/dev/null
}
have_ended() { [ -z "$(jobs -r)" ]; }
# CA and capture lie in the folder.
own() {
    echo '{}' >config.json
    pinhole ca init
}
# Leads names to an address: at ADDRESS NAME…
at() { echo "$*" >>"$SESSION/hosts"; }
# Makes a CA: authority FILE 'COMMON NAME' (FILE.pem, FILE.key).
authority() {
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -keyout "$1.key" -out "$1.pem" \
        -subj "/CN=$2" -addext keyUsage=critical,keyCertSign,cRLSign
}
# Makes a server's certificate by a CA: leaf CA NAME… (leaf.pem with its key; leaf.key).
leaf() {
    local ca=$1 name=$2 names= each
    shift
    for each; do
        case $each in *[a-z]*) names+=,DNS:$each ;; *) names+=,IP:$each ;; esac
    done
    openssl req -x509 -CA "$ca.pem" -CAkey "$ca.key" -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 20 \
        -keyout leaf.key -out leaf.pem -subj "/CN=$name" -addext "subjectAltName=${names#,}" \
        -addext basicConstraints=critical,CA:FALSE -addext extendedKeyUsage=serverAuth,clientAuth
    cat leaf.pem leaf.key >server-identity.pem
}
# Starts a server: origin PORT [--tls FILE] ROUTE… ; origin.py explains routes.
origin() {
    "$PYTHON" "$HERE/origin.py" "$@" >&8 2>&1 &
    ORIGIN=$!
    local host=127.0.0.1
    [ "$2" = --at ] && host=$3
    await eval "(exec 9<>/dev/tcp/$host/$1)"
}
# Makes a server's certificate (leaf.pem, server-identity.pem) by a CA that this system trusts: trusted NAME…
trusted() {
    authority public 'Example Public CA'
    leaf public "$@"
    cat /etc/ssl/certs/ca-certificates.crt public.pem >bundle.pem
    export SSL_CERT_FILE=$PWD/bundle.pem CURL_CA_BUNDLE=$PWD/bundle.pem
}
# Writes the file that a page shows by `cat FILE`: given PAGE FILE
given() { awk -v prompt="$ cat $2" '$0 == prompt { on = 1; next } /^[$`]/ { on = 0 } on' "$REPOSITORY/docs/$1.md" >"$2"; }
# Prints the Nth JSON block of a page: json PAGE N
json() { awk -v n="$2" '/^```json$/ { i++; on = i == n; next } /^```/ { on = 0 } on' "$REPOSITORY/docs/$1.md"; }
# Starts a proxy in the background: proxy PORT OPTION…
proxy() {
    local port=$1
    shift
    : >"$SESSION/proxy"
    pinhole proxy --listen "127.0.0.1:$port" "$@" </dev/null >"$SESSION/proxy" 2>&1 &
    PROXY=$!
    await grep -q '^listening on' "$SESSION/proxy"
}
# curl without a word, through the proxy at a port: through PORT URL…
through() {
    local port=$1
    shift
    curl -s -o /dev/null --noproxy '' -x "http://127.0.0.1:$port" "$@"
}
# Waits until the capture lists N entries: recorded N OPTION…
recorded() {
    local count=$1
    shift
    await eval '[ "$(pinhole flows list '"$*"' 2>/dev/null | wc -l)" -ge '"$count"' ]'
}
trap 'stop' EXIT
fresh
