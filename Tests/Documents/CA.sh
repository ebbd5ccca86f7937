#: before pinhole proxy
own
chmod 644 ca/rootCA-key.pem
#: before pinhole ca show
fresh
pinhole ca init
#: before pinhole ca init
fresh
#: before pinhole ca uninstall
fresh
own
#: before pinhole proxy
fresh
own
authority dev-ca 'Dev CA'
leaf dev-ca api.example.test
at 127.0.0.1 api.example.test
origin 18443 --tls server-identity.pem '/ 200 text/html <title>t</title><p>Teapots here</p>\n'
#: before curl -s -H "$A" http://127.0.0.1:9001/api/browser
kill $LAST; wait $LAST
rm pinhole.sqlite*
mkdir windows
printf '#!/bin/sh\nexec %s --headless "$@"\n' "$(command -v chromium)" >windows/chromium
chmod +x windows/chromium
origin 9005 '/item.json {"item": 7}\n'
PATH=$PWD/windows:$PATH DISPLAY=:0 proxy 9000
A="Authorization: Bearer $(cat pinhole.sqlite.token)"
#: before curl -s -H "$A" 'http://127.0.0.1:9001/api/traffic
await eval 'pinhole flows list "path == /item.json & !running" | grep -q 200'
