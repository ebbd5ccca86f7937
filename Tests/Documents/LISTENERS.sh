#: before pinhole proxy --listen 127.0.0.1:7777
own
trusted o.test mail.test localhost
at 127.0.0.1 o.test mail.test
origin 7443 --tls server-identity.pem '* 200 text/plain hello {host}\n'
#: before curl --cacert
await true
#: before pinhole proxy --listen 127.0.0.1:7777
kill $LAST; wait $LAST
origin 7080 '* {"item": 7, "name": "pinhole"}\n'
#: before nghttpd
mkdir www; echo hello >www/index.html
#: before pinhole proxy --listen reverse:h2c
await_port 17080
#: before pinhole proxy --listen reverse:https
authority other o.test
authority o o.test
cat other.key >>o.pem; mv o.pem other.pem
#: before pinhole proxy --listen reverse:tcp
stop
origin 7443 --tls server-identity.pem '* 200 text/plain hello {host}\n'
"$PYTHON" - <<'END' &
import socketserver
class Mail(socketserver.StreamRequestHandler):
    def handle(self):
        self.wfile.write(b"220 mail.test ESMTP\r\n")
        for line in self.rfile:
            self.wfile.write(b"221 bye\r\n" if line.startswith(b"QUIT") else b"250 ok\r\n")
            if line.startswith(b"QUIT"): break
socketserver.ThreadingTCPServer(("127.0.0.1", 2525), Mail).serve_forever()
END
await_port 2525
#: before pinhole proxy --listen transparent
fresh
own
trusted o.test
ip addr add 192.0.2.10/32 dev lo
at 192.0.2.10 o.test
origin 443 --at 192.0.2.10 --tls server-identity.pem '* 200 text/plain hello {host} {path}\n'
echo '10000 19999' >/proc/sys/net/ipv4/ip_local_port_range
echo 'local-port = 20000-29999' >>.curlrc
nft -f - <<'END'
table ip pinhole {
    chain output {
        type nat hook output priority -100
        tcp sport 20000-29999 tcp dport 443 redirect to :7070
    }
}
END
#: before pinhole proxy --listen tproxy
nft delete table ip pinhole
fresh
own
pinhole() { setpriv --bounding-set=-net_admin,-net_raw "$(type -P pinhole)" "$@"; }
#: before pinhole proxy --upstream-proxy
unset -f pinhole
echo me:pass >secret
#: before curl -x
kill $LAST; wait $LAST
trusted 127.0.0.1
origin 7443 --tls server-identity.pem '* 200 text/plain x*5120'
origin 7080 '* 200 text/plain t=1 ok\n'
"$PYTHON" "$HERE/hop.py" 3128 me:pass 7443 &
await_port 3128
proxy 7777 --upstream-proxy http://me:wrong@127.0.0.1:3128
#: before pinhole proxy --listen
kill $PROXY; wait $PROXY
rm pinhole.sqlite*
#: during pinhole proxy --listen
through 7777 --cacert ca/rootCA.pem https://127.0.0.1:7443/
through 7777 http://127.0.0.1:7080/t
through 7777 -p telnet://127.0.0.1:7080
#: before pinhole proxy --listen 0.0.0.0
fresh
own
printf 'anna:{SHA}%s\n' "$(printf %s open-sesame | openssl dgst -sha1 -binary | base64)" >users
#: before pinhole proxy --proxy-users
kill $LAST; wait $LAST
cp users good
echo ben:open-sesame >>users
#: before curl -s -x
sed 's/^anna/ben/' good | cat good - >users
origin 9005 '/lesson 200 text/plain hello\n'
rm -f pinhole.sqlite*
proxy 9000 --proxy-users users
#: before pinhole flows list 'process
kill $PROXY; wait $PROXY
rm pinhole.sqlite*
kill $ORIGIN; wait $ORIGIN
origin 9005 '* 200 text/plain late:hello\n'
proxy 9000
through 9000 http://127.0.0.1:9005/
http_proxy=http://127.0.0.1:9000 "$PYTHON" -c 'import urllib.request; urllib.request.urlopen("http://127.0.0.1:9005/").read()'
await eval 'pinhole flows list "process contains python" | grep -q 200 && pinhole flows list "process == curl" | grep -q 200'
