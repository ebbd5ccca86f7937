#: before curl -s -x http://127.0.0.1:9000
own
origin 9005 '/never never'
proxy 9000
#: before curl -s -H "$A" 'http://127.0.0.1:9001/api/traffic?filter=running'
await eval 'curl -s -H "$A" "http://127.0.0.1:9001/api/traffic?filter=running" | grep -q never'
#: before curl -s -H "$A" http://127.0.0.1:9001/api/traffic/2
await eval 'curl -s -H "$A" http://127.0.0.1:9001/api/traffic/2 | grep -q abortedByUser'
