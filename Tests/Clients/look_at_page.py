#!/usr/bin/env python3
"""Looks at a page with headless Chromium as people see it: at widths, in light and dark, and on paper.

    look_at_page.py FILE EXPRESSION [WIDTH:SCHEME | print]...

Loads FILE once, evaluates the JavaScript EXPRESSION in each view and prints a JSON object with the view's name for
each. `print` is an A4 sheet across; there the page is printed, too, and has to become a PDF. Chromium is spoken
to by its debugging pipe (descriptors 3 and 4), so that no port is opened.
"""
import base64
import json
import os
import pathlib
import subprocess
import sys
import tempfile

OPTIONS = ["--headless", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
           "--disable-component-update", "--disable-sync", "--no-sandbox", "--remote-debugging-pipe"]
# The width between the margins of the page's own @page rule, at 96 dots an inch.
SHEET = round((297 - 22) / 25.4 * 96)


class Browser:
    """Chromium with one tab."""

    def __init__(self, profile):
        reader, self.writer = os.pipe()
        self.reader, writer = os.pipe()
        # A shell puts the pipes in their places, whatever numbers they have.
        script = f'exec 3<&{reader} 4>&{writer} && exec "$@"'
        self.process = subprocess.Popen(["bash", "-c", script, "-", "chromium", *OPTIONS, f"--user-data-dir={profile}"],
                                        pass_fds=(reader, writer), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(reader)
        os.close(writer)
        self.number, self.rest, self.session = 0, b"", None
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]

    def send(self, method, **parameters):
        """Sends a command and waits for its answer."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.writer, data):]
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise SystemExit(f"{method}: {answer['error']}")
                return answer["result"]

    def receive(self):
        while b"\0" not in self.rest:
            chunk = os.read(self.reader, 1 << 20)
            if not chunk:
                raise SystemExit("chromium ended by itself")
            self.rest += chunk
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def evaluate(self, expression):
        answer = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise SystemExit(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def end(self):
        self.process.kill()
        self.process.wait()


def look(browser, view, expression):
    """What the expression says in a view."""
    is_paper = view == "print"
    width, scheme = (SHEET, "light") if is_paper else view.split(":")
    browser.send("Emulation.setDeviceMetricsOverride", width=int(width), height=900, deviceScaleFactor=1, mobile=False)
    browser.send("Emulation.setEmulatedMedia", media="print" if is_paper else "screen",
                 features=[{"name": "prefers-color-scheme", "value": scheme}])
    # Two frames later the page's own script has seen the new width.
    browser.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    found = browser.evaluate(expression)
    if is_paper:
        data = browser.send("Page.printToPDF", preferCSSPageSize=True, printBackground=True)["data"]
        found["isPDF"] = base64.b64decode(data).startswith(b"%PDF-")
    return found


def main():
    file, expression, *views = sys.argv[1:]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Browser(profile)
        try:
            browser.send("Page.enable")
            browser.send("Page.navigate", url=pathlib.Path(file).resolve().as_uri())
            while not browser.evaluate("location.protocol === 'file:' && document.readyState === 'complete'"):
                pass
            for view in views:
                print(json.dumps({"view": view, **look(browser, view, expression)}))
        finally:
            browser.end()


if __name__ == "__main__":
    main()
