#: before pinhole rules check
authority dev-ca 'Dev CA'
leaf dev-ca api.test
at 127.0.0.1 api.test
json RULES 1 >config.json
pinhole ca init
#: before curl -x http://127.0.0.1:18081
origin 18082 --tls server-identity.pem '/x 200 text/plain TLS {method} {path} host={host}\n'
origin 18083 '* 200 text/plain PLAIN {method} {path} host={host}\n'
proxy 18081 --upstream-ca dev-ca.pem
#: before pinhole rules check
mkdir rules; mv config.json pinhole.sqlite* rules
kill $PROXY; wait $PROXY
json RULES 4 >config.json
#: before curl -x http://127.0.0.1:18090
origin 18099 '/json {"item": "teapot", "price": 12}\n' '/echo 200 text/plain {method} {path}\n'
pinhole config trust
proxy 18090 --capture c.sqlite
held() { curl -s -H "$A" http://127.0.0.1:18091/api/breakpoints | grep -q "\"id\":$1,"; }
#: before curl -s -H "$A" http://127.0.0.1:18091/api/breakpoints
await held 1
#: before curl -s -H "$A" -d
await held 2
#: before pinhole flows list
fresh
authority dev-ca 'Dev CA'
leaf dev-ca pass.test
at 127.0.0.1 slow.test pass.test
cat >config.json <<'END'
{"tls": {"passthrough": ["pass.test"]}, "rules": [
    {"name": "slow", "when": "path == /slow", "do": "throttle", "downKilobits": 800},
    {"name": "host", "when": "host == pass.test", "do": "throttle", "downKilobits": 800}
]}
END
pinhole ca init
pinhole config trust
origin 28080 '/slow 200 text/plain x*102400'
origin 28443 --tls server-identity.pem '/ 200 text/plain x*102400'
pinhole run -- sh -c 'curl -so 1 http://slow.test:28080/slow; curl -so 2 --cacert dev-ca.pem https://pass.test:28443/'
#: before pinhole flows show
fresh
authority dev-ca 'Dev CA'
leaf dev-ca shop.test
at 127.0.0.1 shop.test
json RULES 6 >config.json
pinhole ca init
pinhole config trust
"$PYTHON" "$HERE/chat.py" serve 8443 server-identity.pem &
await_port 8443
proxy 28090 --upstream-ca dev-ca.pem
"$PYTHON" "$HERE/chat.py" talk 28090 ca/rootCA.pem wss://shop.test:8443/chat receive text:typing 'text:{"typing": true}' \
    text:status receive text:balance receive close:bye
recorded 1
#: before pinhole flows list
"$PYTHON" "$HERE/chat.py" talk 28090 ca/rootCA.pem wss://shop.test:8443/socket receive stay &
await eval '[ "$(pinhole flows list "websocket & running" 2>/dev/null | wc -l)" -eq 1 ]'
TOKEN=$(cat pinhole.sqlite.token)
#: before pinhole flows list ruled
fresh
authority dev-ca 'Dev CA'
leaf dev-ca api.test
at 127.0.0.1 api.test
json RULES 1 >config.json
pinhole ca init
pinhole config trust
origin 18082 --tls server-identity.pem '/x 200 text/plain TLS {method} {path} host={host}\n'
origin 18083 '* 200 text/plain PLAIN {method} {path} host={host}\n'
pinhole run --upstream-ca dev-ca.pem -- sh -c 'for path in pay v2/items x; do curl -s https://api.test:18082/$path; done'
#: before pinhole rules check bad.json
cat >bad.json <<'END'
{"rules": [
  {"name": "all off", "when": "host == a.test", "do": "block"},
  {"when": "host == a.test", "do": "mapLocal", "file": "tea.txt"},
  {"when": "status == 404", "do": "redirect", "to": "/"}
]}
END
rm config.json
#: before pinhole rules check typo.json
echo '{"rules": [{"when": "~d a & stauts == 404", "do": "block"}]}' >typo.json
