#: before pinhole lab --policy
authority ca 'Example Test CA'
leaf ca api.example.test
cat leaf.pem ca.pem >server.pem
openssl ecparam -name prime256v1 -genkey -noout -out backup-key.pem
openssl pkey -in backup-key.pem -pubout -out backup.pub
pinhole pins leaf.pem backup.pub --format android >network_security_config.xml
#: before pinhole lab --policy
pinhole pins leaf.pem --format android >network_security_config.xml
