#: before pinhole run -- curl
own
authority dev-ca 'Dev CA'
leaf dev-ca api.example.test
at 127.0.0.1 api.example.test
origin 8443 --tls server-identity.pem '* 404 text/plain none\n'
#: before pinhole run --upstream-ca
fresh
own
authority clients 'Client CA'
leaf clients Alice
cp server-identity.pem alice.pem
authority chain 'Bank CA'
leaf chain bank.example.test
at 127.0.0.1 bank.example.test
origin 18443 --tls server-identity.pem --clients clients.pem '* 200 text/plain welcome {client}\n'
#: before pinhole run --isolate
fresh
own
authority dev-ca 'Dev CA'
leaf dev-ca a.test
origin 45275 --tls server-identity.pem '/x 200 text/plain hello {host} {path}\n'
