"""Headless Chromium, driven by its debugging pipe: no port is opened, and only names of loopback are resolved."""
import base64
import json
import os
import select
import subprocess
import tempfile
import time

# The time after which a test gives up; the test that runs this program waits for three times as long.
PATIENCE = int(os.environ.get("PINHOLE_TEST_PATIENCE") or 300)
OPTIONS = ["--headless", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
           "--disable-component-update", "--disable-sync", "--no-sandbox", "--remote-debugging-pipe", "--no-proxy-server",
           "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1", "--hide-scrollbars=false"]
KEYS = {"Enter": 13, "Escape": 27, "ArrowDown": 40, "ArrowUp": 38, "ArrowLeft": 37, "ArrowRight": 39, "Home": 36, "End": 35,
        "PageDown": 34, "PageUp": 33, "Tab": 9, " ": 32}


class Failure(Exception):
    """A condition of a test that did not come true."""


class Browser:
    """One tab. The list `complaints` keeps the errors of the page."""

    patience = PATIENCE

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        reader, self.writer = os.pipe()
        self.reader, writer = os.pipe()
        script = f'exec 3<&{reader} 4>&{writer} && exec "$@"'
        self.process = subprocess.Popen(["bash", "-c", script, "-", "chromium", *OPTIONS, f"--user-data-dir={self.folder.name}"],
                                        pass_fds=(reader, writer), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(reader)
        os.close(writer)
        self.number, self.rest, self.session = 0, b"", None
        self.complaints, self.requests, self.downloads = [], [], []
        self.pardoned = set()
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")
        self.send("Target.setAutoAttach", autoAttach=True, waitForDebuggerOnStart=False, flatten=True)

    def send(self, method, **parameters):
        """Sends a command and returns its answer."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.writer, data):]
        while True:
            answer = self.receive(self.patience)
            if answer is None:
                raise Failure(f"{method}: no answer within {self.patience} s")
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise Failure(f"{method}: {answer['error']}")
                return answer["result"]
            self.notice(answer)

    def receive(self, seconds):
        while b"\0" not in self.rest:
            if not select.select([self.reader], [], [], seconds)[0]:
                return None
            chunk = os.read(self.reader, 1 << 20)
            if not chunk:
                raise Failure("chromium ended by itself")
            self.rest += chunk
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def notice(self, event):
        method, parameters = event.get("method"), event.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
            self.complaints.append(" ".join(str(part.get("value", part.get("description"))) for part in parameters["args"]))
        elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            entry = parameters["entry"]
            # The browser looks for an icon of each document that names none.
            if not entry.get("url", "").endswith("/favicon.ico"):
                self.complaints.append(f"{entry['text']} {entry.get('url', '')}")
        elif method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])

    def pardon(self, *statuses):
        """Accepts refusals that a test causes. The browser may report them later than the page does."""
        self.pardoned |= {f"Failed to load resource: the server responded with a status of {status} " for status in statuses}

    def unpardoned(self):
        """The errors that the test did not expect."""
        return [text for text in self.complaints if not text.startswith(tuple(self.pardoned))]

    def evaluate(self, expression):
        answer = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True, userGesture=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise Failure(f"{expression[:200]}: {details.get('exception', {}).get('description', details)}")
        return answer["result"].get("value")

    def wait(self, expression, seconds=None):
        """Waits until an expression is true, and returns its value."""
        seconds = seconds or self.patience
        end, pause = time.monotonic() + seconds, 0.01
        while True:
            # An element would be returned as an empty object.
            value = self.evaluate(f"((value) => value instanceof Node || value)({expression})")
            if value:
                return value
            if time.monotonic() > end:
                raise Failure(f"not within {seconds} s: {expression}")
            # Each question takes 1.5 ms of the processor, and the pages of all groups wait at the same time.
            pause = min(pause * 1.3, 0.1)
            time.sleep(pause)

    # The console is busy until all that acts on its list is loaded.
    loaded = "document.readyState === 'complete' && document.body?.ariaBusy !== 'true'"

    def go(self, url):
        self.send("Page.navigate", url=url)
        self.wait(f"location.href !== 'about:blank' && {self.loaded}")

    def reload(self):
        self.evaluate("window.isOld = true")
        self.send("Page.reload")
        self.wait(f"!window.isOld && {self.loaded}")

    def size(self, width, height=900, scheme="light", motion="reduce"):
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.send("Emulation.setEmulatedMedia", media="screen", features=[
            {"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": motion}])

    def press(self, key, modifiers=0):
        """Presses one key, as the keyboard sends it. Modifiers: 1 Alt, 2 Ctrl, 8 Shift."""
        text = "\r" if key == "Enter" else key if len(key) == 1 and not modifiers & 2 else ""
        code = KEYS.get(key) or ord(key.upper())
        down = {"type": "keyDown" if text else "rawKeyDown", "key": key, "windowsVirtualKeyCode": code, "modifiers": modifiers}
        if text:
            down.update(text=text)
        self.send("Input.dispatchKeyEvent", **down)
        self.send("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code, modifiers=modifiers)

    def type(self, text):
        self.send("Input.insertText", text=text)

    def click(self, selector, button="left", modifiers=0, clicks=1):
        """Clicks on the middle of an element, once the element stays in place."""
        quoted = json.dumps(selector)
        middle = (f"(() => {{ const element = document.querySelector({quoted}); element?.scrollIntoView({{block: 'nearest'}});"
                  "const box = element?.getClientRects().length > 0 && element.getBoundingClientRect();"
                  "return box && [box.x + box.width / 2, box.y + box.height / 2]; })()")
        place, before = self.wait(middle), None
        while place != before:
            self.frames()
            place, before = self.wait(middle), place
        self.pointer("mousePressed", place, button, modifiers, clicks)
        self.pointer("mouseReleased", place, button, modifiers, clicks)

    def pointer(self, kind, place, button="left", modifiers=0, clicks=1):
        self.send("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button=button, clickCount=clicks, modifiers=modifiers,
                  buttons=1 if kind != "mouseReleased" else 0)

    def wheel(self, place, by):
        self.send("Input.dispatchMouseEvent", type="mouseWheel", x=place[0], y=place[1], deltaX=0, deltaY=by)

    def frames(self, count=2):
        for _ in range(count):
            self.evaluate("new Promise((done) => requestAnimationFrame(() => done(true)))")

    def shoot(self, file):
        data = self.send("Page.captureScreenshot", format="png")["data"]
        with open(file, "wb") as out:
            out.write(base64.b64decode(data))

    def end(self):
        self.process.kill()
        self.process.wait()
        os.close(self.writer)
        os.close(self.reader)
        self.folder.cleanup()
