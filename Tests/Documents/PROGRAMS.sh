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
