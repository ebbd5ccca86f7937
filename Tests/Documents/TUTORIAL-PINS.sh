#: sh
#: before pinhole run
await_port 20444
