"""The pages as a whole: failures, a million items, what is loaded."""
import subprocess
import time

import mock_console
from browser import PATIENCE
from console_stage import expect, test
from fixture import lines
from live_stage import LiveConsole, live, terminate
from specimens import entry


@test
def says_what_goes_wrong(stage):
    browser = stage.fresh()
    browser.evaluate("location.hash = '#/?id=999999999'")
    browser.wait("document.querySelector('.detail')?.textContent.includes('nothing has the number 999999999 (any more)')")
    cookie = browser.send("Network.getCookies", urls=[stage.base])["cookies"][0]
    change = lambda value: browser.send("Network.setCookie", name=cookie["name"], value=value, url=stage.base, httpOnly=True, sameSite="Strict")
    change("another")
    browser.press("Escape")
    browser.press("Home")
    browser.press("Enter")
    browser.wait("document.querySelector('.banner')?.textContent.includes('another token')")
    stage.shoot("token")
    change(cookie["value"])
    browser.pardon(404, 401)


@test
def survives_a_server_that_ends(stage):
    browser, console = stage.browser, LiveConsole(stage.program, prepare=stage.recording.prepare)
    try:
        browser.go(console.url)
        browser.wait("document.querySelector('.live')?.dataset.status === 'live'")
        rows = int(browser.wait("document.querySelector('.grid').ariaBusy === 'false' && document.querySelector('.grid').ariaRowCount"))
        terminate(console.process)
        browser.wait("document.querySelector('.banner')?.textContent.includes('does not answer')")
        browser.wait("document.querySelector('.recording').textContent === 'Not connected' && document.querySelector('.recording').disabled")
        stage.shoot("lost")
        console = LiveConsole(stage.program, after=console)
        browser.wait("document.querySelector('.live').dataset.status === 'live' && document.querySelector('.banner').hidden")
        browser.wait("document.querySelector('.recording').textContent === 'Recording' && !document.querySelector('.recording').disabled")
        # The capture has grown meanwhile, without events.
        terminate(console.process)
        browser.wait("document.querySelector('.live').dataset.status === 'waiting'")
        subprocess.run([stage.program, "flows", "import", "--into", f"{console.folder.name}/pinhole.sqlite", "-"], check=True, capture_output=True, timeout=PATIENCE,
                       input=lines(entry("later.example.test", f"/{number}") for number in range(20)))
        console = LiveConsole(stage.program, after=console)
        browser.wait(f"document.querySelector('.live').dataset.status === 'live' && document.querySelector('.grid').ariaRowCount === '{rows + 20}'")
    finally:
        browser.go("about:blank#")
        console.end()
        browser.complaints.clear()  # The unanswered requests.


@test
def holds_a_million(stage):
    browser = stage.browser
    server, mock = mock_console.start(1_000_000)
    base = f"http://127.0.0.1:{server.server_address[1]}"
    mock.index("")
    mock.hosts_of("")
    browser.size(1440)
    browser.go(f"{base}/?token={mock.token}")
    browser.complaints.clear()
    browser.go("about:blank#")
    browser.send("Page.addScriptToEvaluateOnNewDocument", source="""
        new MutationObserver((_, observer) => {
          if (!document.querySelector('.viewport .row:not(.waiting) .cell')?.parentElement?.dataset.id) return;
          window.__rows = performance.now();
          observer.disconnect();
        }).observe(document, {subtree: true, childList: true, attributes: true});""")
    browser.go(f"{base}/#/")
    rows = browser.wait("window.__rows")
    paint = browser.wait("performance.getEntriesByName('first-contentful-paint')[0]?.startTime")
    browser.wait(f"document.querySelector('.grid').ariaRowCount === '{len(mock.capture.ids) + 1}'")
    whole = browser.evaluate("performance.now()")
    browser.evaluate("""window.__frames = []; window.__blank = 0; (function look(now) {
        if (window.__now) window.__frames.push(now - window.__now);
        window.__now = now;
        const boxes = [...document.querySelectorAll('.viewport .row:not([hidden])')].map((row) => row.getBoundingClientRect());
        const view = document.querySelector('.viewport').getBoundingClientRect();
        if (Math.min(...boxes.map((box) => box.top)) > view.top + 1 || Math.max(...boxes.map((box) => box.bottom)) < view.bottom - 1) window.__blank += 1;
        requestAnimationFrame(look);
      })(0)""")
    for _ in range(60):
        browser.wheel([700, 500], 400)
    jumps = []
    for share in (0.1, 0.5, 0.9, 1):
        start = time.monotonic()
        browser.evaluate(f"(() => {{ const grid = document.querySelector('.grid'); grid.scrollTop = {share} * (grid.scrollHeight - grid.clientHeight); }})()")
        browser.frames(2)
        browser.wait("!document.querySelector('.viewport .row.waiting:not([hidden])')")
        jumps.append((time.monotonic() - start) * 1000)
    browser.wait("[...document.querySelectorAll('.viewport .row:not([hidden])')].some((row) => row.dataset.id === '2')")
    frames, blank = browser.evaluate("window.__frames"), browser.evaluate("window.__blank")
    frames.sort()
    print(f"      1,000,000 items: first paint {paint:.0f} ms, rows {rows:.0f} ms, all ids {whole:.0f} ms; jumps {max(jumps):.0f} ms at most; "
          f"frames {sum(frames) / len(frames):.0f} ms in the mean, {frames[int(len(frames) * 0.99)]:.0f} ms at the 99th percentile; {blank} with a gap")
    expect(blank == 0, "no frame has a gap")
    browser.go("about:blank#")
    server.end(mock)
    browser.complaints.clear()


@test
def loads_the_list_in_one_script_and_pages_when_they_are_shown(stage):
    browser = stage.browser
    with live(stage) as console:
        loaded = "performance.getEntriesByType('resource').map((one) => ({path: new URL(one.name).pathname, size: one.decodedBodySize}))"
        browser.wait("document.body.ariaBusy !== 'true'")
        first = [one for one in browser.evaluate(loaded) if not one["path"].startswith("/api/")]
        scripts = {one["path"] for one in first if one["path"].endswith(".js")}
        expect(scripts == {"/js/early.js", "/js/main.js", "/js/workbench.js"}, f"the program joins the modules: {scripts}")
        rows = browser.evaluate("performance.getEntriesByType('resource').map((one) => one.name).filter((name) => name.includes('/api/traffic?limit='))")
        expect(len(rows) == 1, f"the rows that early.js asks for are those of the list: {rows}")
        weight = sum(one["size"] for one in first)
        expect(weight < 600 * 1024, f"the page weighs less than 600 KiB: {weight} bytes")
        joined = {name for name in scripts if "export const" in console.ask(name)}
        expect(joined == {"/js/main.js", "/js/workbench.js"}, f"these are the joined ones: {joined}")
        places = browser.evaluate("[...document.querySelectorAll('#places a')].map((link) => link.hash)") + ["#/statistics", "#/settings", "#/timeline"]
        for place in [one for one in places if one != "#/"]:
            browser.evaluate(f"location.hash = {place!r}")
            browser.wait("document.querySelector('#page-other h1')")
        every = {one["path"] for one in browser.evaluate(loaded) if one["path"].endswith(".js")}
        expect("/js/pages/rules/rules-page.js" in every, "the module of a page is loaded when the page is shown")
        expect("/js/core/dom.js" not in every, "no page loads a module again that is joined")
