"""The stories of users on the real program, by pointer and by keyboard alone, each with a count of its clicks.

The story of the phone is in console_connect.py, since it needs a network of its own.
"""
import json
import socket
import urllib.request

from audits import audit
from browser import PATIENCE
from console_proxy import asked, untrusted_server
from console_stage import FIRST, ROWS, expect, test
from hands import Hands
from live_stage import Echo, curl, ended, live

HOW = (True, False)
QUIET = "document.querySelector('.grid').ariaBusy === 'false'"


def shows(browser, *texts):
    """Waits until rows have these texts; the list shows no other rows."""
    browser.wait(f"{QUIET} && {ROWS}.length === {len(texts)} && {json.dumps(texts)}.every((text) => {ROWS}.some((row) => row.textContent.includes(text)))")


def row(text, browser):
    """The selector of a cell in the row with a text."""
    number = browser.wait(f"{ROWS}.find((row) => row.textContent.includes({json.dumps(text)}))?.dataset.id")
    return f".row[data-id='{number}'] .cell:nth-child(3)"


def at_row(hands, text):
    """Moves the cursor to the row with a text; the pointer needs no cursor."""
    browser = hands.browser
    hands.reach(".grid")
    browser.press("Home")
    for _ in range(browser.evaluate(f"{ROWS}.length")):
        browser.frames()
        if browser.evaluate(f"document.querySelector('.row.cursor')?.textContent.includes({json.dumps(text)}) ?? false"):
            return
        browser.press("ArrowDown")
    expect(False, f"arrows reach the row {text}")


def opens(hands, text):
    """Opens the detail of the row with a text."""
    if hands.uses_pointer:
        hands.choose(row(text, hands.browser))
    else:
        at_row(hands, text)
        hands.key("Enter")
    hands.browser.wait("document.querySelector('.detail').ariaBusy === 'false' && document.querySelector('#tab-overview')")


def shows_overview(hands):
    """Chooses the first tab of the detail."""
    if hands.uses_pointer:
        hands.choose("#tab-overview")
    else:
        hands.reach("[role=tab][aria-selected=true]")
        hands.browser.press("Home")
        hands.count += 1
    hands.browser.wait("document.querySelector('#tab-overview')?.ariaSelected === 'true'")


def from_menu(hands, text, entry):
    """Chooses an entry of New rule for the row with a text: in the menu of the row, or by the entry's name."""
    browser = hands.browser
    if not hands.uses_pointer:
        at_row(hands, text)
        return hands.command(f"New rule: {entry}")
    hands.choose(row(text, browser), button="right")
    for label in ("New rule…", entry):
        place = browser.wait(f"[...document.querySelectorAll('.menu > *')].findIndex((line) => line.textContent.startsWith({json.dumps(label)})) + 1")
        hands.choose(f".menu > :nth-child({place})")


@test
def finds_why_a_page_fails(stage):
    browser = stage.browser
    for uses_pointer in HOW:
        with Echo() as server, untrusted_server() as (_, host), socket.socket() as nobody:
            # A port that is bound and does not listen refuses every connection.
            nobody.bind(("127.0.0.1", 0))
            with live(stage, "--resolve", "*:*:127.0.0.1") as console:
                closed = f"http://127.0.0.1:{nobody.getsockname()[1]}"
                for part in (f"{server.url}/page", f"{server.url}/style.css", f"{closed}/api/cart", f"{server.url}/picture.png"):
                    ended(curl(console, part, "-H", f"Referer: {server.url}/page"))
                expect(asked(console, host) == "502", "a bad certificate is refused")
                hands = Hands(browser, uses_pointer)
                browser.wait(f"{QUIET} && {ROWS}.length === 5")
                hands.choose(".chip[data-kind=error]", key=" ")
                browser.wait(f"{QUIET} && {ROWS}.length === 2")
                causes = browser.evaluate(f"{ROWS}.map((row) => row.textContent)")
                expect(any("/api/cart" in text and "refused" in text for text in causes) and any("certificate refused" in text for text in causes),
                       f"the rows say the cause: {causes}")
                opens(hands, "/api/cart")
                detail = browser.wait("document.querySelector('.detail').innerText.includes('Check that the server') && document.querySelector('.detail').innerText")
                expect("refused" in detail, f"the detail says the cause and what to do: {detail}")
                hands.arrived("find the failing request")
                if uses_pointer:
                    audit(stage, "story-fails", widths=(1280, 1920))


@test
def mocks_an_answer_by_form(stage):
    browser = stage.browser
    for uses_pointer in HOW:
        with live(stage) as console, Echo() as server:
            expect("mocked" not in ended(curl(console, f"{server.url}/price", "-d", "5")), "the server answers")
            hands = Hands(browser, uses_pointer)
            shows(browser, "/price")
            from_menu(hands, "/price", "Mock this…")
            browser.wait("document.activeElement.closest('.rule-editor')")
            hands.write("#rule-key-body", "mocked ")
            if uses_pointer:
                audit(stage, "story-mock", widths=(1280, 1920))
                hands.choose(".rule-use")
            else:
                hands.key("Enter", 2)
            browser.wait("document.querySelector('[data-rule]') && !document.querySelector('.rule-editor')")
            hands.arrived("mock an answer")
            count = len(server.seen)
            text = ended(curl(console, f"{server.url}/price", "-d", "5"))
            expect(text.startswith("mocked ") and len(server.seen) == count, f"the next client gets the mock: {text}")


@test
def edits_and_releases_a_request(stage):
    browser = stage.browser
    for uses_pointer in HOW:
        with live(stage) as console, Echo() as server:
            ended(curl(console, f"{server.url}/order", "-d", "one"))
            server.seen.clear()
            hands = Hands(browser, uses_pointer)
            shows(browser, "/order")
            from_menu(hands, "/order", "Hold requests like this from now on")
            browser.wait("fetch('/api/rules').then((answer) => answer.json()).then((found) => found.rules.length === 1)")
            client = curl(console, f"{server.url}/order", "-d", "one")
            browser.wait("document.querySelector('#held-count').textContent === '1'")
            if uses_pointer:
                hands.choose(".held-link")
            else:
                hands.key("b")
            browser.wait("document.querySelector('.held-editor')?.ariaBusy === 'false'")
            hands.write("#held-body", "edited ")
            if uses_pointer:
                audit(stage, "story-break", widths=(1280, 1920))
                hands.choose(".held-continue")
            else:
                hands.key("Enter", 2)
            text = ended(client)
            hands.arrived("break, edit and release")
            expect(len(server.seen) == 1 and server.seen[0][3] == b"edited one", f"the server gets the edit: {server.seen} {text}")


@test
def compares_two_exchanges(stage):
    browser = stage.browser
    for uses_pointer in HOW:
        with live(stage) as console, Echo() as server:
            for name in ("left", "right"):
                ended(curl(console, f"{server.url}/{name}", "-d", f"body of {name}", "-H", "Content-Type: text/plain"))
            hands = Hands(browser, uses_pointer)
            shows(browser, "/left", "/right")
            for name in ("left", "right"):
                if uses_pointer:
                    hands.choose(row(f"/{name}", browser), modifiers=2)
                else:
                    at_row(hands, f"/{name}")
                    hands.key(" ")
            browser.wait("document.querySelectorAll('.row[aria-selected=true]').length === 2")
            if uses_pointer:
                hands.choose(".list-tools .primary")
            else:
                hands.key("d")
            compared = "document.querySelector('main.diff')?.textContent"
            browser.wait(f"location.hash.startsWith('#/diff/') && {compared}?.includes('body of left') && {compared}.includes('body of right')")
            hands.arrived("compare two")
            if uses_pointer:
                audit(stage, "story-compare", widths=(1280, 1920))


@test
def trusts_a_refused_certificate(stage):
    browser = stage.browser
    for uses_pointer in HOW:
        with untrusted_server() as (_, host):
            with live(stage, "--resolve", "*:*:127.0.0.1") as console:
                expect(asked(console, host) == "502", "a bad certificate is refused")
                hands = Hands(browser, uses_pointer)
                shows(browser, "certificate refused")
                opens(hands, "certificate refused")
                shows_overview(hands)
                hands.choose(".accept-certificate")
                browser.wait("document.querySelector('dialog .accept-now')")
                if uses_pointer:
                    audit(stage, "story-trust", widths=(1280, 1920))
                hands.choose(".accept-now")
                browser.wait("document.querySelector('.toast')?.textContent.includes('is accepted')")
                hands.arrived("trust a certificate")
                # The server itself answers 403 to a client without a certificate.
                expect(asked(console, host) == "403", "the next request reaches the server")


@test
def loads_the_list_with_500_exchanges(stage):
    """The time from the start of the navigation to the first rows is printed, and not judged."""
    browser = stage.browser
    with live(stage) as console, Echo() as server:
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({"http": f"http://{console.proxy}"}))
        for number in range(500):
            opener.open(f"{server.url}/part/{number}", timeout=PATIENCE).read()
        browser.wait(f"document.querySelector('.grid').ariaRowCount === '501' && {QUIET}")
        # A script of the test notes the frame that has the first row.
        noted = browser.send("Page.addScriptToEvaluateOnNewDocument", source="""
          new MutationObserver((_, watcher) => {
            if (!document.querySelector('.viewport .row[data-id]:not([hidden])')) return;
            watcher.disconnect();
            requestAnimationFrame(() => { globalThis.firstRows = performance.now(); });
          }).observe(document, { subtree: true, childList: true, attributes: true });""")["identifier"]
        took = []
        for _ in range(11):
            browser.reload()
            took.append(browser.wait("document.querySelector('.live')?.dataset.status === 'live' && globalThis.firstRows"))
        browser.send("Page.removeScriptToEvaluateOnNewDocument", identifier=noted)
        expect(browser.evaluate(f"{FIRST} > 0"), "rows are shown")
        took.sort()
        print(f"      500 exchanges: first rows after {took[0]:.0f} ms at least, {took[5]:.0f} ms in the median of 11 loads")
