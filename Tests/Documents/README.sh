#: before pinhole run
trusted example.com
at 127.0.0.1 example.com
origin 443 --tls server-identity.pem '/ 200 text/html <h1>Example Domain</h1>\n'
#: before pinhole lab --policy
authority ca 'Example Test CA'
leaf ca api.example.test
cat leaf.pem ca.pem >server.pem
openssl ecparam -name prime256v1 -genkey -noout -out backup-key.pem
openssl pkey -in backup-key.pem -pubout -out backup.pub
pinhole pins leaf.pem backup.pub --format android >network_security_config.xml
#: before pinhole proxy
kill $LAST; wait $LAST
