"""The items of the mock console that tests of the list name: specimens of a recording, as the control API shows them."""
import gzip

from specimens import specimens as recorded

NAMES = ("font", "ruled", "plain", "json", "xml", "html", "image", "binary", "script", "events", "error", "missing", "evil", "running", "changed")


def exchange(spec):
    """`item` overrides the keys of a line of traffic; `request` and `response` are (head, body as sent, body decoded)."""
    request, response = (parts(spec[name]) for name in ("request", "response"))
    kind = next(line[14:] for line in response[0].split("\r\n") if line.startswith("Content-Type: "))
    return {"request": request, "response": response,
            "item": {"status": int(response[0].split()[1]), "contentType": kind.split(";")[0], "requestBytes": len(request[1]), "responseBytes": len(response[1]), **spec["item"]}}


def parts(message):
    head, _, body = message.partition(b"\r\n\r\n")
    return head.decode("latin-1") + "\r\n\r\n", body, gzip.decompress(body) if b"\r\nContent-Encoding: gzip" in head else body


def specimens():
    """All specimens by name, the oldest first."""
    made = recorded()
    running = {"status": None, "outcome": None, "milliseconds": None, "responseBytes": None, "contentType": None}
    told = "The client ended the handshake with unknown_ca (48): it does not trust Pinhole's CA."
    refused = {"item": {
        "type": "flow", "host": "api.pinned.test", "path": "", "authority": "api.pinned.test:443", "treatment": "intercepted", "outcome": "handshakeFailed",
        "fault": "client", "detail": told, "status": None, "method": None, "url": None,
        "handshakeFailure": {"peer": "client", "cause": "authorityNotTrusted", "isHint": False, "endedBy": "client", "alert": "unknown_ca", "alertCode": 48,
                             "bytesAfterHandshake": 0, "milliseconds": 4.2, "detail": told}}}
    found = {"unknown_ca": refused, **{name: exchange(made[name]) for name in NAMES}}
    found["running"] = {"request": found["running"]["request"], "item": {**found["running"]["item"], **running}}
    found["events"]["item"].update(outcome=None, milliseconds=None)
    return {"standing": {**found["running"], "item": {**found["running"]["item"], "path": "/standing"}}, **found}
