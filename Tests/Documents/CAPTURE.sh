#: before pinhole proxy
own
origin 7080 '* 200 text/plain tea\n'
#: during pinhole proxy
through 8080 http://127.0.0.1:7080/
rm pinhole.sqlite
through 8080 http://127.0.0.1:7080/
await grep -q 'HAS STOPPED' "$SESSION/served"
#: before cp live.sqlite
fresh
own
origin 7080 '* 200 text/plain tea\n'
proxy 8080 --capture live.sqlite
through 8080 http://127.0.0.1:7080/
#: before pinhole run --capture-filter
fresh
own
at 127.0.0.1 api.example.com cdn.example.net
origin 80 '/app.css 200 text/css x\n' '* 200 text/plain tea\n'
cat >app <<'END'
#!/bin/sh
for path in 1 2 3 4; do curl -s http://api.example.com/$path >tea; done
for url in api.example.com/app.css cdn.example.net/1 cdn.example.net/2 cdn.example.net/3; do curl -s http://$url >tea; done
END
chmod +x app
#: before pinhole flows list --capture copy.sqlite
pinhole flows save --into copy.sqlite all
"$PYTHON" -c 'import sqlite3; c = sqlite3.connect("copy.sqlite"); c.execute("UPDATE exchange SET scheme = ? WHERE id = 2", ("x",)); c.commit()'
#: before sqlite3 -box
fresh
own
origin 7080 '/tea 200 text/plain tea\n'
pinhole run -- curl -s http://127.0.0.1:7080/tea
#: before pinhole flows show
fresh
own
origin 7080 '/events 200 text/event-stream stream:retry: 2500\n: welcome\n\n|event: tick\nid: 0\ndata: first 0\ndata: second\n\n|event: tick\nid: 1\ndata: first 1\ndata: second\n\n'
pinhole run -- curl -s http://127.0.0.1:7080/events
#: before pinhole flows show 2 --json
#: before pinhole flows show 2
kill $ORIGIN; wait $ORIGIN
rm pinhole.sqlite*
origin 7080 '/rows 200 application/json slow:{"rows": [{"row": 0}|, {"row": 1}|, {"row": 2}|, {"row": 3}|, {"row": 4}]}'
pinhole run -- curl -s http://127.0.0.1:7080/rows
#: before pinhole flows show
fresh
own
cp "$REPOSITORY/Tests/Clients/notes.proto" .
pinhole run -- "$PYTHON" "$REPOSITORY/Tests/Clients/grpc_calls.py" localhost notes.pb
