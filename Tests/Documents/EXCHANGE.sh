#: before pinhole flows import
own
"$PYTHON" "$HERE/recordings.py" session.har flows.mitm
#: before pinhole run --keep-packets
fresh
own
authority dev-ca 'Dev CA'
leaf dev-ca api.example.test
at 127.0.0.1 api.example.test
origin 8443 --tls server-identity.pem '/items/7 {"item": 7}\n'
#: before pinhole flows diff monday.sqlite friday.sqlite
fresh
own
at 127.0.0.1 shop.test
for day in 'monday Mon 10:01 12 18 200 stock' 'tuesday Tue 10:02 12 19 200 stock' 'friday Fri 09:30 13 31 410 stocks'; do
    set -- $day
    origin 80 "/items/7 200 application/json {\"price\": $4, \"made\": \"$2 $3\"}" "/orders/$5 $6 application/json {\"made\": \"$2 $3\"}" '* {"left": 3}'
    pinhole run --capture $1.sqlite -- curl -s http://shop.test/items/7 http://shop.test/orders/$5 http://shop.test/$7
    kill $ORIGIN; wait $ORIGIN || true
done
#: before pinhole flows redact
fresh
at 127.0.0.1 shop.test ads.test
origin 80 '/login 200 application/json {"name": "Alice", "mail": "alice@example.com", "session_token": "c0ffee-4711"}\n' '* 200 text/plain ok\n'
pinhole run -- sh -c 'curl -s -d "password=correct+horse&page=1" http://shop.test/login; curl -s http://ads.test/p?d=bWFpbD1hbGljZUBleGFtcGxlLmNvbSZ4PTE='
#: before pinhole flows save
fresh
own
origin 7080 '/ 200 text/plain tea\n' '* 503 text/plain no tea today\n'
pinhole run -- curl -s http://127.0.0.1:7080/ http://127.0.0.1:7080/sold-out
#: before pinhole replay --capture shop.sqlite --filter
fresh
own
origin 7080 '/orders 201 application/json {"order": 7, "item": 7}\n' '* {"item": 7, "name": "pinhole"}\n'
at 127.0.0.1 shop.test
pinhole run --capture shop.sqlite -- sh -c 'curl -s http://127.0.0.1:7080/items/7; curl -s -d "{}" http://127.0.0.1:7080/orders; curl -s "http://127.0.0.1:7080/items?page=1"'
origin 7081 '/orders 422 application/json {"error": "no item 7"}\n' '* {"item": 7, "name": "pinholes"}\n'
#: before pinhole flows import api.har
fresh
own
origin 443 '/items/7 {"item": 7}\n'
"$PYTHON" "$HERE/recordings.py" api.har
#: before for
await test -s ca/rootCA.pem
