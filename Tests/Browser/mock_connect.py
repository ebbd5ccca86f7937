"""The kinds of clients, as the control API lists them, with one in each state."""

CAPTURE = "pinhole run --capture /var/lib/pinhole/capture.sqlite -- "
TITLES = {"terminal": "This machine's terminal", "chromium": "Chromium, Chrome", "firefox": "Firefox", "node": "Node.js", "java": "Java",
          "python": "Python", "go": "Go", "docker": "Docker", "android": "Android", "ios": "iPhone, iPad",
          "computer": "Another computer"}

# The causes in a few words, as the program gives them.
SUMMARIES = {"authorityNotTrusted": "CA not trusted", "certificateRefused": "certificate refused", "looksPinned": "pinned",
             "serverCertificateRefused": "server certificate refused", "clientCertificateRequired": "client certificate required",
             "http3": "HTTP/3 is offered"}


def obstacle(number, authority, cause, peer, client, detail):
    return {"id": number, "authority": authority, "cause": cause, "summary": SUMMARIES[cause], "peer": peer, "isHint": cause == "looksPinned", "detail": detail, "client": client,
            **({} if cause == "http3" else {"remedy": f"Mend this: {SUMMARIES[cause]}."})}


class Ways:
    """The data of the page Connect; tests change it."""

    def __init__(self):
        self.network = {"isOpen": True, "places": ["192.168.1.5:8080", "10.8.0.2:8080"]}
        self.changes = {
            "terminal": {"light": "read", "connections": 12, "last": "2026-11-21T16:44:32Z", "client": "curl"},
            "python": {"light": "refused", "obstacles": [
                obstacle(3, "api.example.test:443", "authorityNotTrusted", "client", "python3",
                         "The client ended the handshake with unknown_ca (48): it does not trust Pinhole's CA.")]},
            "node": {"light": "read", "connections": 2, "last": "2026-11-21T16:44:33Z", "client": "node", "obstacles": [
                obstacle(4, "self.example.test:8443", "serverCertificateRefused", "server", "node",
                         "The server's certificate was refused: it is signed by itself."),
                obstacle(5, "bank.example.test:443", "clientCertificateRequired", "server", "node",
                         "The server asked for a client certificate, got none and refused the request.")]},
            "chromium": {"light": "read", "connections": 40, "last": "2026-11-21T16:44:34Z", "client": "chromium", "obstacles": [
                obstacle(6, "www.example.test:443", "http3", "client", "chromium",
                         "The server offers HTTP/3, which passes a proxy by. Pinhole removed the offer.")]},
            "android": {"light": "refused", "obstacles": [
                obstacle(7, "pay.example.test:443", "looksPinned", "client", "192.168.1.23",
                         "The client finished the handshake and closed without a request: it probably pins.")]},
            "ios": {"light": "plain", "connections": 1, "last": "2026-11-21T16:44:35Z", "client": "192.168.1.24"},
        }

    def listing(self):
        return {"ways": [{"kind": kind, "title": title, "light": "none", "connections": 0, "obstacles": [], "steps": [
            {"text": "One program and its children, with nothing installed.", "command": f"{CAPTURE}curl https://example.com/"},
            {"text": "Then make a request."}], **self.changes.get(kind, {})} for kind, title in TITLES.items()],
            "network": self.network, "asksForPassword": False}
