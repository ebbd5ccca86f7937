#!/usr/bin/env python3
"""Loads a page with headless Firefox through HTTPS_PROXY.

    pinhole audit -- docs/examples/audit/firefox.py {url}

Firefox reads neither HTTPS_PROXY nor a variable for CAs: the proxy goes into the settings of a profile of its own, and
each CA of SSL_CERT_FILE into its database. Marionette, which browser tests use too, says when the page is loaded. Exit
codes: 0; 1 if Firefox shows an error instead.
"""
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import urlsplit


def settings(proxy):
    values = {
        "network.proxy.type": 1, "network.proxy.ssl": proxy.hostname, "network.proxy.ssl_port": proxy.port,
        "network.proxy.http": proxy.hostname, "network.proxy.http_port": proxy.port,
        "network.proxy.no_proxies_on": "", "network.proxy.allow_hijacking_localhost": True,
        "marionette.port": 0, "app.update.disabledForTesting": True,
        # Nothing but the page is asked for.
        "network.captive-portal-service.enabled": False, "network.connectivity-service.enabled": False,
        "browser.safebrowsing.malware.enabled": False, "browser.safebrowsing.phishing.enabled": False,
        "datareporting.policy.dataSubmissionEnabled": False, "services.settings.server": "data:,",
        # Nothing but the page is shown.
        "browser.startup.page": 0, "browser.newtab.preload": False, "browser.newtabpage.enabled": False,
        "dom.ipc.processPrelaunch.enabled": False,
    }
    return "".join(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in values.items())


def trust(profile, file):
    database = f"sql:{profile}"
    subprocess.run(["certutil", "-d", database, "-N", "--empty-password"], check=True)
    roots = re.findall("-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----", Path(file).read_text(), re.DOTALL)
    for number, root in enumerate(roots):
        subprocess.run(["certutil", "-d", database, "-A", "-t", "C,,", "-n", f"root {number}", "-a"],
                       input=root, text=True, check=True)


class Marionette:
    """A conversation of JSON, each message behind its length and a colon."""

    def __init__(self, port):
        self.stream = socket.create_connection(("127.0.0.1", port)).makefile("rwb")
        self.receive()

    def receive(self):
        digits = b""
        while (byte := self.stream.read(1)) not in (b":", b""):
            digits += byte
        return json.loads(self.stream.read(int(digits)))

    def ask(self, command, parameters):
        """The answer: its error or None, and its value."""
        message = json.dumps([0, 1, command, parameters]).encode()
        self.stream.write(str(len(message)).encode() + b":" + message)
        self.stream.flush()
        return self.receive()[2:]


def port(profile, firefox):
    """The port that Firefox chose; it writes it into its profile."""
    file = profile / "MarionetteActivePort"
    while firefox.poll() is None:
        if file.exists() and (text := file.read_text()):
            return int(text)
        time.sleep(0.05)
    sys.exit("Firefox ended before it was ready")


def main():
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        profile = Path(folder)
        (profile / "user.js").write_text(settings(urlsplit(os.environ["HTTPS_PROXY"])))
        trust(profile, os.environ["SSL_CERT_FILE"])
        firefox = subprocess.Popen(
            ["firefox-esr", "--headless", "--no-remote", "--marionette", "--profile", folder],
            env={**os.environ, "HOME": folder}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        browser = Marionette(port(profile, firefox))
        browser.ask("WebDriver:NewSession", {"capabilities": {"alwaysMatch": {"acceptInsecureCerts": False}}})
        failure, _ = browser.ask("WebDriver:Navigate", {"url": sys.argv[1]})
        if failure:
            print(failure.get("message", failure), file=sys.stderr)
        browser.ask("Marionette:Quit", {"flags": ["eForceQuit"]})
        firefox.wait()
        sys.exit(1 if failure else 0)


if __name__ == "__main__":
    main()
