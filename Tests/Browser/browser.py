"""Headless Chromium, driven by its debugging pipe: no port is opened, and only names of loopback are resolved."""
import base64
import contextlib
import itertools
import json
import os
import queue
import shutil
import signal
import subprocess
import tempfile
import threading
import time

# The time after which a test gives up; the test that runs this program waits for three times as long.
PATIENCE = int(os.environ.get("PINHOLE_TEST_PATIENCE") or 300)
# The shell draws no window around its pages: a load of a page takes about a third less processor time.
PROGRAM = "chromium-headless-shell" if shutil.which("chromium-headless-shell") else "chromium"
OPTIONS = ["--headless", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
           "--disable-component-update", "--disable-sync", "--no-sandbox", "--remote-debugging-pipe", "--no-proxy-server",
           "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1", "--hide-scrollbars=false",
           # A page that is left ends, and the next one needs no process of its own.
           "--disable-features=BackForwardCache",
           # The tabs of all groups count as tabs in front.
           "--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows", "--disable-renderer-backgrounding"]
KEYS = {"Enter": 13, "Escape": 27, "ArrowDown": 40, "ArrowUp": 38, "ArrowLeft": 37, "ArrowRight": 39, "Home": 36, "End": 35,
        "PageDown": 34, "PageUp": 33, "Tab": 9, " ": 32}

# Looks until an expression is true or the time is over. A change of the document is looked at after 20 ms; other changes, such as
# those of styles or of `location`, after at most 100 ms. An element would be returned as an empty object. Between two states of the page,
# an element may be missing, and reading one of its properties throws: that counts as false until the time is over.
WAITING = """(async () => {
  let wake;
  const observer = new MutationObserver(() => { wake?.(); wake = undefined; });
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  try {
    const end = performance.now() + %d;
    for (let pause = 10; ; pause = Math.min(pause * 1.3, 100)) {
      const isLast = performance.now() > end;
      let value;
      try {
        value = await (%s);
      } catch (error) {
        if (isLast || !(error instanceof TypeError)) throw error;
      }
      if (value || isLast) return value instanceof Node || value;
      await new Promise((done) => { setTimeout(done, pause); wake = () => setTimeout(done, 20); });
    }
  } finally {
    observer.disconnect();
  }
})()"""


class Failure(Exception):
    """A condition of a test that did not come true."""


class Refused(Failure):
    """A command that the browser answered with an error."""


class Chromium:
    """The process. Its tabs share one debugging pipe.

    One thread writes the commands, and another reads the pipe and gives each message to the tab that it is for. So no tab waits for the
    pipe itself: it waits for the answer to its command, for a limited time.
    """

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        reader, self.writer = os.pipe()
        self.reader, writer = os.pipe()
        script = f'exec 3<&{reader} 4>&{writer} && exec "$@"'
        self.process = subprocess.Popen(["bash", "-c", script, "-", PROGRAM, *OPTIONS, f"--user-data-dir={self.folder.name}"],
                                        pass_fds=(reader, writer), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        start_new_session=True)
        os.close(reader)
        os.close(writer)
        self.numbers, self.outbox, self.has_ended = itertools.count(1), queue.SimpleQueue(), False
        # The inboxes of the tabs: by the number of a command whose answer is due, and by session.
        self.due, self.sessions = {}, {}
        self.threads = [threading.Thread(target=work, daemon=True) for work in (self.read, self.write)]
        for thread in self.threads:
            thread.start()

    def post(self, method, parameters, session, inbox):
        """Sends a command, whose answer goes to an inbox, and returns its number."""
        number = next(self.numbers)
        self.due[number] = inbox
        self.outbox.put({"id": number, "method": method, "params": parameters, **({"sessionId": session} if session else {})})
        if self.has_ended:
            inbox.put(None)
        return number

    def write(self):
        while message := self.outbox.get():
            data = json.dumps(message).encode() + b"\0"
            try:
                while data:
                    data = data[os.write(self.writer, data):]
            except BrokenPipeError:
                return

    def read(self):
        rest = []
        while chunk := os.read(self.reader, 1 << 20):
            *whole, last = chunk.split(b"\0")
            for part in whole:
                self.give(json.loads(b"".join([*rest, part])))
                rest = []
            rest.append(last)
        # The process has ended.
        self.has_ended = True
        for inbox in {*list(self.due.values()), *list(self.sessions.values())}:
            inbox.put(None)

    def give(self, message):
        session = message.get("sessionId")
        inbox = self.due.pop(message["id"], None) if "id" in message else self.sessions.get(session)
        if message.get("method") == "Target.attachedToTarget" and inbox:
            # The workers of a page belong to its tab.
            self.sessions[message["params"]["sessionId"]] = inbox
        if inbox:
            inbox.put(message)

    def end(self):
        # The program may be a script that starts the browser as a child.
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.outbox.put(None)
        for thread in self.threads:
            thread.join(PATIENCE)
        os.close(self.writer)
        os.close(self.reader)
        self.folder.cleanup()


class Browser:
    """One tab, in a context with its own storage and cookies. The list `complaints` keeps the errors of the page."""

    patience = PATIENCE

    def __init__(self, chromium=None):
        self.own = None if chromium else Chromium()
        self.chromium = chromium or self.own
        self.inbox, self.session = queue.SimpleQueue(), None
        self.complaints, self.requests, self.downloads = [], [], []
        self.pardoned = set()
        self.context = self.send("Target.createBrowserContext")["browserContextId"]
        target = self.send("Target.createTarget", url="about:blank", browserContextId=self.context)["targetId"]
        session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.chromium.sessions[session], self.session = self.inbox, session
        for domain in ("Page", "Runtime", "Log", "Inspector"):
            self.send(f"{domain}.enable")
        # Each tab has the focus, whichever window is in front.
        self.send("Emulation.setFocusEmulationEnabled", enabled=True)
        self.send("Target.setAutoAttach", autoAttach=True, waitForDebuggerOnStart=False, flatten=True)

    def send(self, method, *, within=PATIENCE, **parameters):
        """Sends a command and returns its answer."""
        number, end = self.chromium.post(method, parameters, self.session, self.inbox), time.monotonic() + within
        while True:
            try:
                message = self.inbox.get(timeout=max(0, end - time.monotonic()))
            except queue.Empty:
                raise Failure(f"{method}: no answer within {within} s") from None
            if message is None:
                raise Failure("chromium ended by itself")
            if message.get("id") == number:
                if "error" in message:
                    raise Refused(f"{method}: {message['error']}")
                return message["result"]
            self.notice(message)

    def notice(self, event):
        method, parameters = event.get("method"), event.get("params", {})
        if method == "Inspector.targetCrashed":
            # Commands to its process are never answered.
            raise Failure("the process of the page crashed")
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
        elif method == "Fetch.requestPaused":
            self.post("Fetch.continueRequest" if (answer := self.answer(parameters["request"])) is None else "Fetch.fulfillRequest",
                      requestId=parameters["requestId"], **answer or {})
        elif method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])

    def post(self, method, **parameters):
        """Sends a command whose answer nobody waits for."""
        self.chromium.post(method, parameters, self.session, self.inbox)

    @contextlib.contextmanager
    def answering(self, pattern, answer):
        """Answers requests with a part of a URL in the place of the server. `answer` gets a request, and returns a status with an object for JSON."""
        def made(request):
            if (found := answer(request)) is not None:
                return {"responseCode": found[0], "responseHeaders": [{"name": "Content-Type", "value": "application/json" if found[0] < 400 else "application/problem+json"}],
                        "body": base64.b64encode(json.dumps(found[1]).encode()).decode()}

        self.answer = made
        self.send("Fetch.enable", patterns=[{"urlPattern": f"*{pattern}"}])
        try:
            yield
        finally:
            self.send("Fetch.disable")

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
        end = time.monotonic() + seconds
        while True:
            left = end - time.monotonic()
            try:
                # The page looks by itself: a question through the pipe takes 1.5 ms of the processor.
                answer = self.send("Runtime.evaluate", within=max(left, 0) + 60, expression=WAITING % (max(left, 0) * 1000, expression),
                                   returnByValue=True, awaitPromise=True, userGesture=True)
            except Refused:
                # Another document has taken the place of the one that was looking.
                if left < 0:
                    raise
                time.sleep(0.01)
                continue
            if "exceptionDetails" in answer:
                details = answer["exceptionDetails"]
                raise Failure(f"{expression[:200]}: {details.get('exception', {}).get('description', details)}")
            if value := answer["result"].get("value"):
                return value
            raise Failure(f"not within {seconds} s: {expression}")

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
        session, self.session = self.session, None
        self.send("Target.disposeBrowserContext", browserContextId=self.context)
        self.chromium.sessions.pop(session)
        if self.own:
            self.own.end()
