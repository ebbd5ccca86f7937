"""Writes recordings of other tools for the examples of EXCHANGE.md: recordings.py FILE…"""

import json
import sys


def entry(url, text, kind="application/json"):
    return {
        "startedDateTime": "2026-11-21T10:00:00.000Z", "time": 5,
        "request": {"method": "GET", "url": url, "httpVersion": "HTTP/1.1", "headers": [], "queryString": [],
                    "cookies": [], "headersSize": -1, "bodySize": 0},
        "response": {"status": 200, "statusText": "OK", "httpVersion": "HTTP/1.1",
                     "headers": [{"name": "Content-Type", "value": kind}], "cookies": [],
                     "content": {"size": len(text), "mimeType": kind, "text": text}, "redirectURL": "",
                     "headersSize": -1, "bodySize": len(text)},
        "cache": {}, "timings": {"send": 1, "wait": 3, "receive": 1},
    }


def archive(entries):
    """A HAR with an entry on each line."""
    return '{"log": {"version": "1.2", "creator": {"name": "test", "version": "1"}, "entries": [\n' + ",\n".join(
        map(json.dumps, entries)) + "\n]}}\n"


def flows(path):
    from mitmproxy import dns, tcp
    from mitmproxy.io import FlowWriter
    from mitmproxy.test import tflow

    with open(path, "wb") as file:
        writer = FlowWriter(file)
        for number in range(4):
            flow = tflow.tflow(resp=True)
            flow.request.path = f"/items/{number}"
            writer.add(flow)
        for flow in [tflow.ttcpflow(), tflow.tdnsflow(resp=True)]:
            writer.add(flow)


for path in sys.argv[1:]:
    if path == "flows.mitm":
        flows(path)
        continue
    with open(path, "w", encoding="utf-8") as file:
        if path == "api.har":
            file.write(archive([entry("https://api.invalid/items/7", '{"item": 7}\n'),
                                entry("https://api.invalid/items/7", '{"item": 7, "sold": true}\n')]))
        else:
            file.write(archive([entry("https://shop.test/a", "a"), entry("data:image/png;base64,AAA", "b"),
                                entry("https://shop.test/c", "c")]))
