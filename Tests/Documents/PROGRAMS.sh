#: before pinhole proxy --listen
own
cp "$REPOSITORY"/docs/examples/interceptors/mark.py .
origin 18099 '/item.json {"item": "teapot"}\n'
#: before pinhole proxy
fresh
cat >config.json <<'END'
{
  "programs": {"gone": {"command": ["nosuch"]}, "mark": {"command": ["sh", "-c", "kill -9 $$"]}},
  "rules": [
    {"when": "path == /a", "do": "askProgram", "program": "gone"},
    {"when": "path == /b", "do": "askProgram", "program": "mark"}
  ]
}
END
pinhole ca init
pinhole config trust
origin 18099 '* 200 text/plain tea\n'
#: during pinhole proxy
through 8080 http://127.0.0.1:18099/a
await grep -q gone "$SESSION/served"
through 8080 http://127.0.0.1:18099/b
await grep -q 'signal 9' "$SESSION/served"
#: before pinhole proxy --listen 127.0.0.1:9000
fresh
own
#: before A=
origin 9005 '/item.json {"price":7}\n'
through 9000 http://127.0.0.1:9005/item.json
through 9000 https://127.0.0.1:1/
recorded 2
#: before curl -s -H "$A" http://127.0.0.1:9001/api/hosts
recorded 2
#: before curl -s -H "$A" 'http://127.0.0.1:9001/api/export
await eval 'pinhole flows list marked | grep -q item'
#: before curl -s -H "$A" --data-binary
"$PYTHON" "$HERE/recordings.py" session.har
head -n 2 session.har >short.har && mv short.har session.har
#: before curl -s -H "$A" http://127.0.0.1:9001/api/imports/1
await eval 'curl -s -H "$A" http://127.0.0.1:9001/api/imports/1 | grep -q failed'
