"""The common parts of the tests of the console's pages: a mock, a tab, and frequent steps."""
import functools
import json
import threading

import mock_console
from browser import Browser, Failure
from fixture import Numbers, Recording
from live_stage import LiveConsole, served_assets

TESTS = []


def test(function):
    TESTS.append(function)
    return function


def expect(is_so, what):
    if not is_so:
        raise Failure(what)


# The groups whose pages show what the program recorded; the others that need traffic have the mock.
RECORDED = {"detail", "looks", "hints", "whole"}
# The groups share one recording.
RECORDING, recording = threading.Lock(), functools.cache(Recording)


class Stage:
    """A tab and a mock, each of which starts when a test asks for it, and the frequent steps of tests."""

    def __init__(self, items, axe, shots, program, folder, chromium, group=None):
        self.items, self.axe, self.shots, self.program, self.folder, self.chromium = items, axe, shots, program, folder, chromium
        self.is_recorded = group in RECORDED

    @functools.cached_property
    def browser(self):
        browser = Browser(self.chromium())
        browser.size(1440)
        return browser

    def begin(self):
        """Begins a test, which expects no error of the page yet."""
        if self.has_tab:
            self.browser.pardoned.clear()

    @property
    def has_tab(self):
        return "browser" in self.__dict__

    def unpardoned(self):
        return self.browser.unpardoned() if self.has_tab else []

    def complaints(self):
        """The errors of the page that the test did not expect, once the page has reported all."""
        if self.has_tab:
            self.browser.evaluate("0")
        return self.unpardoned()

    def end(self):
        if self.has_tab:
            self.browser.end()
        if "console" in self.__dict__:
            self.console.end()
        if "served" in self.__dict__:
            self.server.end(self.mock)

    @functools.cached_property
    def served(self):
        return mock_console.start(self.items, assets=served_assets(self.program, mock_console.ASSETS, self.folder / "assets"))

    @property
    def server(self):
        return self.served[0]

    @property
    def mock(self):
        return self.served[1]

    @functools.cached_property
    def recording(self):
        with RECORDING:
            return recording(self.program, self.folder / "recording")

    @functools.cached_property
    def numbers(self):
        return Numbers(self.recording, self.console)

    @functools.cached_property
    def console(self):
        """The program, with a copy of what it recorded."""
        return LiveConsole(self.program, *self.recording.options, prepare=self.recording.prepare)

    @property
    def base(self):
        if self.is_recorded:
            return self.console.base
        return f"http://127.0.0.1:{self.server.server_address[1]}"

    @property
    def names(self):
        if self.is_recorded:
            return self.numbers
        return self.mock.capture.names

    def control(self, name, **order):
        return self.mock.control(name, **order)

    def fresh(self, hash_="#/", going=(), **preferences):
        """The page as a first-time user sees it. The list has the specimens `going`, which begin when they are asked for."""
        browser, _ = self.browser, [self.names[name] for name in going]
        if not self.is_recorded:
            self.mock.token = "mock-token"
        # The storage is set when the new document begins: the old one may write into it until then.
        script = browser.send("Page.addScriptToEvaluateOnNewDocument",
                              source=f"sessionStorage.clear(); localStorage.setItem('pinhole', {json.dumps(json.dumps(preferences))})")
        browser.complaints.clear()
        browser.go(f"{self.console.url if self.is_recorded else f'{self.base}/?token={self.mock.token}'}{hash_}")
        browser.send("Page.removeScriptToEvaluateOnNewDocument", identifier=script["identifier"])
        browser.wait("document.querySelector('.grid')?.getAttribute('aria-busy') === 'false'")
        browser.wait("document.querySelector('.live')?.dataset.status === 'live'")
        return browser

    def open(self, name, tab="overview"):
        self.browser.evaluate(f"location.hash = '#/?id={self.names[name]}&tab={tab}'")
        self.browser.wait(f"document.querySelector('.detail').ariaBusy === 'false' && location.hash.includes('id={self.names[name]}&') && document.querySelector('#tab-{tab}')?.ariaSelected === 'true'"
                          f" && document.querySelector('.row.cursor:not([hidden])')?.dataset.id === '{self.names[name]}'")
        return self.browser

    def shoot(self, name):
        if self.shots and self.has_tab:
            self.browser.frames(3)
            self.browser.shoot(self.shots / f"{name}.png")


ROWS = "[...document.querySelectorAll('.viewport .row:not([hidden])')].sort((a, b) => a.ariaRowIndex - b.ariaRowIndex)"
FIRST = f"Number({ROWS}[0]?.dataset.id)"
CURSOR = "Number(document.querySelector('.row.cursor:not([hidden])')?.dataset.id)"
CODE = "[...document.querySelectorAll('.code-row:not([hidden])')].sort((a, b) => a.shown - b.shown).map((row) => row.textContent).join('\\n')"
