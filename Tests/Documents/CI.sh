#: before openssl s_client
git init -q
authority ca 'Example Test CA'
leaf ca api.example.com
at 127.0.0.1 api.example.com
origin 443 --tls server-identity.pem '/ 200 text/plain x'
pinhole pins leaf.pem --format android >network_security_config.xml
#: before pinhole audit
printf '#!/bin/sh\nexec curl -s "$1"\n' >my-client
chmod +x my-client
pinhole audit --expect client.expected.json --record -- ./my-client '{url}'
