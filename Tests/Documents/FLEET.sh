#: before pinhole run
own
at 127.0.0.1 shop.test
origin 80 '/items/7 {"item": 7}\n'
"$PYTHON" "$HERE/../Clients/collector.py" --port 4318 --again >spans.jsonl &
await test -s spans.jsonl
