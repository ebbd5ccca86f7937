#: before pinhole flows import
own
"$PYTHON" "$HERE/recordings.py" session.har flows.mitm
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
