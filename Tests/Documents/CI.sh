#: before pinhole lab --policy
git init -q
authority ca 'Example Test CA'
leaf ca api.example.test
cat leaf.pem ca.pem >server.pem
pinhole pins leaf.pem --format android >network_security_config.xml
#: before pinhole audit
printf '#!/bin/sh\nexec curl -s "$1"\n' >my-client
chmod +x my-client
pinhole audit --expect client.expected.json --record -- ./my-client '{url}'
