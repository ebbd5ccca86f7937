#: sh
#: before curl
await_port 20445
