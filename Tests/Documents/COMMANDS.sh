#: before pinhole run --upstream-ca
own
authority dev-ca 'Dev CA'
leaf dev-ca api.example.test ws.example.test
at 127.0.0.1 api.example.test ws.example.test
origin 8443 --tls server-identity.pem '/item/7 {"id": 7, "name": "pinhole"}\n' '* 404 application/json {"error": "there is no item"}\n'
#: before pinhole run -- curl
rm pinhole.sqlite*
proxy 8080 --upstream-ca dev-ca.pem
await test -s pinhole.sqlite.console
#: before pinhole run -- openssl
kill $PROXY; wait $PROXY
#: before pinhole proxy
rm -f pinhole.sqlite*
#: during pinhole proxy
through 8080 --cacert ca/rootCA.pem https://api.example.test:8443/item/7
through 8080 https://api.example.test:8443/item/7
#: before pinhole flows list
kill $LAST; wait $LAST
#: before pinhole flows list
kill $ORIGIN; wait $ORIGIN
mkdir chat; cd chat; cp -r ../ca .
"$PYTHON" "$HERE/chat.py" serve 8443 ../server-identity.pem & CHAT=$!
await_port 8443
proxy 8081 --upstream-ca ../dev-ca.pem
"$PYTHON" "$HERE/chat.py" talk 8081 ca/rootCA.pem wss://ws.example.test:8443/chat \
    'text:{"join": "teapots"}' receive binary:0001feff receive 'ping:still there?' 'close:bye'
recorded 1
#: before pinhole flows export --curl
cd ..
kill $CHAT; wait $CHAT
origin 8443 --tls server-identity.pem '/item/7 {"id": 7, "name": "pinhole"}\n' '* 404 application/json {"error": "there is no item"}\n'
proxy 8080 --upstream-ca dev-ca.pem
through 8080 --cacert ca/rootCA.pem https://api.example.test:8443/item/7
through 8080 --cacert ca/rootCA.pem https://api.example.test:8443/missing
recorded 3
#: before pinhole proxy
fresh
own
authority dev-ca 'Dev CA'
leaf dev-ca api.example.test
at 127.0.0.1 api.example.test
origin 18443 --tls server-identity.pem '/ 200 text/html <title>t</title><p>Teapots here</p>\n'
#: before A=
kill $LAST; wait $LAST
rm pinhole.sqlite*
mkdir windows
printf '#!/bin/sh\nexec %s --headless "$@"\n' "$(command -v chromium)" >windows/chromium
chmod +x windows/chromium
origin 9005 '/item.json {"item": 7}\n'
PATH=$PWD/windows:$PATH DISPLAY=:0 proxy 9000
#: before curl -s -H "$A" 'http://127.0.0.1:9001/api/traffic
await eval 'pinhole flows list "path == /item.json & !running" | grep -q 200'
