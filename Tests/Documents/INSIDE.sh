#: before curl --http2
own
trusted localhost
mkdir www; echo hello >www/index.html
nghttpd -a 127.0.0.1 -d www 8443 leaf.key leaf.pem &
await_port 8443
proxy 8080
#: before pinhole judge
fresh
chain() { "$PYTHON" "$HERE/chains.py" "$@"; }
chain old 'Example old root' ca
chain new 'Example new root' ca
chain cross 'Example issuing CA' 'Example new root' ca
chain issuing 'Example issuing CA' 'Example old root' ca
chain leaf shop.example.test 'Example issuing CA' name=shop.example.test
cat leaf.pem issuing.pem cross.pem >chain.pem
echo '{"mechanism": "system"}' >system.json
