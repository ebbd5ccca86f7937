#: before pinhole fetch --explain --anchors-only root.pem
own
chain() { "$PYTHON" "$HERE/chains.py" "$@"; }
chain root 'Example Test Root CA' ca
chain leaf shop.example.test 'Example Test Root CA' name=shop.example.test
cp identity.pem server-identity.pem
at 127.0.0.1 shop.example.test
origin 18461 --tls server-identity.pem '/ 200 text/plain x*5120' '/basic 200 text/plain login:welcome, alice!\n'
#: before pinhole fetch --explain --proxy
origin 42707 --tls server-identity.pem '/ 200 text/plain x*5120'
proxy 18480 --upstream-ca root.pem
#: before pinhole fetch --explain --anchors-only root.pem --cert
chain alice Alice 'Example Test Root CA'
echo right >right.txt
echo wrong >wrong.txt
openssl pkcs12 -export -inkey alice.key -in alice.pem -out alice.p12 -passout pass:right
origin 18460 --tls server-identity.pem --clients root.pem '/ 200 text/plain welcome {client}\n'
#: before pinhole fetch --explain --http2
fresh
chain c 'Example CA' ca
at 127.0.0.1 a.test b.test
chain leaf a.test 'Example CA' name=a.test name=b.test
mkdir www logs; echo hello >www/index.html
cat >nginx.conf <<END
daemon off; user root; pid $PWD/pid; error_log $PWD/logs/error; master_process off;
events {}
http {
  access_log off; client_body_temp_path $PWD/logs/a; proxy_temp_path $PWD/logs/b; fastcgi_temp_path $PWD/logs/c;
  uwsgi_temp_path $PWD/logs/d; scgi_temp_path $PWD/logs/e;
  server {
    listen 127.0.0.1:18443 ssl http2; ssl_certificate $PWD/leaf.pem; ssl_certificate_key $PWD/leaf.key; root $PWD/www;
    location /go { return 302 https://b.test:18443/index.html; }
  }
}
END
nginx -c "$PWD/nginx.conf" -e "$PWD/logs/error" &
await_port 18443
#: before cat pins.json
fresh
given JUDGE pins.json
chain root 'Family p256 root' ca from=2026-01-01 until=2027-02-09
chain authority 'Family p256 authority 1' 'Family p256 root' ca from=2026-01-01 until=2027-02-09
chain leaf www.family.test 'Family p256 authority 1' name=www.family.test from=2026-01-01 until=2027-02-09
cat leaf.pem authority.pem >chain.pem
cp root.pem roots.pem
#: before cat cases.jsonl
given JUDGE cases.jsonl
