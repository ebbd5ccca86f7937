"""The pages as a whole: failures, computing, a million items, what is loaded."""
import base64
import json
import random
import subprocess
import time

import mock_console
from console_stage import expect, test
from live_stage import live


@test
def says_what_goes_wrong(stage):
    browser = stage.fresh()
    browser.evaluate("location.hash = '#/?id=999999999'")
    browser.wait("document.querySelector('.detail')?.textContent.includes('It is gone')")
    stage.control("expire", token="another")
    browser.press("Escape")
    browser.press("Home")
    browser.press("Enter")
    browser.wait("document.querySelector('.banner')?.textContent.includes('another token')")
    stage.shoot("token")
    stage.control("expire", token="mock-token")
    browser.pardon(404, 401)


@test
def survives_a_server_that_ends(stage):
    browser = stage.browser
    server, mock = mock_console.start(100)
    base = f"http://127.0.0.1:{server.server_address[1]}"
    browser.go(f"{base}/?token={mock.token}")
    browser.wait("document.querySelector('.live')?.dataset.status === 'live'")
    server.end(mock)
    browser.wait("document.querySelector('.banner')?.textContent.includes('does not answer')")
    browser.wait("document.querySelector('.recording').textContent === 'Not connected' && document.querySelector('.recording').disabled")
    stage.shoot("lost")
    again, mock = mock_console.start(100, server.server_address[1])
    browser.wait("document.querySelector('.live').dataset.status === 'live' && document.querySelector('.banner').hidden")
    browser.wait("document.querySelector('.recording').textContent === 'Recording' && !document.querySelector('.recording').disabled")
    # The capture has grown meanwhile, without events.
    again.end(mock)
    browser.wait("document.querySelector('.live').dataset.status === 'waiting'")
    again, mock = mock_console.start(120, server.server_address[1])
    browser.wait(f"document.querySelector('.live').dataset.status === 'live' && document.querySelector('.grid').ariaRowCount === '{len(mock.capture.ids) + 1}'")
    browser.go("about:blank#")
    again.end(mock)
    browser.complaints.clear()  # The unanswered requests.


@test
def computes_what_it_should(stage):
    """Computes values with modules that need no page."""
    browser = stage.fresh()
    chance = random.Random(6)
    ids, last = [], 0
    for _ in range(2000):
        last += chance.choice((1, 2, 127, 128, 300, 1 << 20, 1 << 40))
        ids.append(last)
    packed = base64.b64encode(mock_console.leb128(ids)).decode()
    turned = [*reversed(ids), *ids[::3]]
    packed_steps = base64.b64encode(mock_console.steps(turned)).decode()
    expect(browser.evaluate(f"import('/js/traffic/leb128.js').then((it) => [...it.decodeSteps(Uint8Array.from(atob('{packed_steps}'), (c) => c.charCodeAt(0)))])") == turned, "steps up and down")
    places = browser.evaluate(f"""import('/js/traffic/sorted-ids.js').then(({{ SortedIDs }}) => {{
        const ids = {json.dumps(list(reversed(ids)))};
        const sorted = new SortedIDs(Float64Array.from(ids));
        const rest = sorted.after(ids[500]);
        return [ids.every((id, place) => sorted.placeOf(id) === place && sorted.at(place) === id), sorted.last === ids[0], sorted.has(7.5),
          rest.length, rest.has(ids[499]), rest.has(ids[500]), new SortedIDs(new Float64Array()).placeOf(3)];
    }})""")
    expect(places == [True, True, False, 500, True, False, -1], f"places of sorted ids: {places}")
    expect(browser.evaluate(f"import('/js/traffic/leb128.js').then((it) => [...it.decodeDifferences(Uint8Array.from(atob('{packed}'), (c) => c.charCodeAt(0)))])") == ids, "LEB128")

    tried = browser.evaluate("""import('/js/core/api.js').then(async ({ ask }) => {
        const tried = [], real = window.fetch;
        window.fetch = (path, request) => tried.push(request.method) % 2 ? Promise.reject(new TypeError("gone")) : real(path, request);
        try {
            await ask("/api/state");
            await ask("/api/recording", { method: "PUT", body: {} }).catch(() => {});
        } finally {
            window.fetch = real;
        }
        return tried;
    })""")
    expect(tried == ["GET", "GET", "PUT"], f"what only reads is asked once more: {tried}")

    def value(depth):
        kind = chance.randrange(7 if depth < 5 else 5)
        if kind < 5:
            return chance.choice((None, True, False, chance.randrange(10**6), "a\"b\\ \n\u2028{}[],:", "", -1.5e-7))
        return [value(depth + 1) for _ in range(chance.randrange(5))] if kind == 5 else {f"k{n}": value(depth + 1) for n in range(chance.randrange(5))}

    texts = [json.dumps(value(0), ensure_ascii=chance.random() < 0.5) for _ in range(300)]
    wrong = browser.evaluate("import('/js/body/json-text.js').then((it) => %s.filter((text) => JSON.stringify(JSON.parse(it.layOutJSON(text).lines.join('\\n'))) !== JSON.stringify(JSON.parse(text))))" % json.dumps(texts))
    expect(not wrong, f"laid out JSON says the same: {wrong[:2]}")
    cut = [text[:chance.randrange(len(text) + 1)] + chance.choice(("", "]", "}}", '"', "\\", ",,")) for text in texts]
    lost = browser.evaluate("import('/js/body/json-text.js').then((it) => %s.filter((text) => it.layOutJSON(text).lines.join('').replace(/\\s/g, '') !== text.replace(/\\s/g, '')))" % json.dumps(cut))
    expect(not lost, f"what is no JSON loses nothing: {lost[:2]}")
    pairs = [[[chance.choice("abcd") for _ in range(chance.randrange(14))] for _ in range(2)] for _ in range(300)]
    wrong = browser.evaluate("import('/js/pages/line-diff.js').then((it) => %s.filter(([left, right]) => { const lines = it.diffLines(left, right);"
                             " const of = (kind) => lines.filter((line) => line.kind !== kind).map((line) => line.text).join(); return of('added') !== left.join() || of('removed') !== right.join(); }))" % json.dumps(pairs))
    expect(not wrong, f"a comparison has all lines of both: {wrong[:2]}")
    parts = browser.evaluate("import('/js/body/multipart.js').then((it) => it.partsOf(new TextEncoder().encode('preamble\\r\\n--x\\r\\nContent-Disposition: form-data; name=\"é\"; filename=\"a\\\\\"b\"\\r\\n\\r\\nbody\\r\\nmore\\r\\n--x\\r\\n\\r\\nbare\\r\\n--x--\\r\\n'), 'x')"
                             ".map((part) => [part.name, part.file, new TextDecoder().decode(part.bytes)]))")
    expect(parts == [["é", 'a"b', "body\r\nmore"], ["", "", "bare"]], f"multipart: {parts}")
    words = ["plain", "it's", "$HOME `id` \\ \"x\" !", "", "a\nb", "é", "'; touch /tmp/pwned; '"]
    quoted = browser.evaluate("import('/js/detail/shell-word.js').then((it) => %s.map(it.textWord))" % json.dumps(words))
    said = subprocess.run(["sh", "-c", "printf '%s\\0' " + " ".join(quoted)], capture_output=True, check=True).stdout.decode().split("\0")[:-1]
    expect(said == words, f"words of the shell: {said}")
    sizes = browser.evaluate("import('/js/core/format.js').then((it) => [0, 999, 1000, 9994, 999499, 999500, 1e9, 5e13].map(it.bytes))")
    expect(sizes == ["0 B", "999 B", "1.00 kB", "9.99 kB", "999 kB", "1.00 MB", "1.00 GB", "50.0 TB"], f"sizes: {sizes}")


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
        if not console:
            return
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
        expect("/js/rules/rules-page.js" in every, "the module of a page is loaded when the page is shown")
        expect("/js/core/dom.js" not in every, "no page loads a module again that is joined")
