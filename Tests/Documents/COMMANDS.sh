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
