"""The hints beside captured traffic: cuts, changes by rules, folded rows; and pages without a proxy."""
import os
import re
import subprocess

from audits import audit
from console_rules import status_through
from console_stage import CODE, expect, test
from live_stage import live, printed, terminate

REMARKS = "document.querySelector('.remarks').textContent"
PANEL = "document.querySelector('.panel').textContent"


@test
def says_what_is_cut_and_what_is_no_text(stage):
    browser = stage.fresh()
    stage.open("partial", "response")
    browser.wait(f"{REMARKS}.includes('captured')")
    said = browser.evaluate(REMARKS)
    expect(said == "This is the first part only: 20 B of 30 B were captured; the rest passed and was not kept.", f"of a body in part: {said}")
    stage.open("broken", "response")
    browser.wait(f"{REMARKS}.includes('This is not JSON')")
    stage.open("latin", "response")
    browser.wait(f"{REMARKS}.includes('UTF-8')")
    expect("Some bytes are no UTF-8" in browser.evaluate(REMARKS), "bytes that are no UTF-8 are told")
    stage.shoot("no-utf-8")
    stage.open("sent_so", "response")
    browser.wait(f"{CODE}.includes('that was sent')")
    expect(browser.evaluate(REMARKS) == "", "a replacement character that was sent is no mistake")


@test
def folds_what_is_long(stage):
    browser = stage.fresh()
    for width, scheme in ((1440, "light"), (390, "dark")):
        stage.open("long")
        browser.size(width, 844, scheme)
        height = "document.querySelector('.panel .folded-text').getBoundingClientRect().height"
        expect(browser.evaluate(height) < 90, "the URL has a few lines")
        stage.shoot(f"long-overview-{width}")
        expect(browser.evaluate("[...document.querySelectorAll('dt')].find((one) => one.textContent === 'Connection' || one.textContent === 'Client').getBoundingClientRect().top") < 1200, "the rest stays near")
        browser.click(".unfold")
        browser.wait("document.querySelector('.unfold').ariaExpanded === 'true' && !document.querySelector('.panel .folded-text')")
        expect(browser.evaluate("document.querySelector('.long-text').textContent").endswith("0123456789"), "all of it is there")
        browser.click(".unfold")
        browser.wait("document.querySelector('.unfold').textContent.startsWith('Show all 8')")
        browser.click("#tab-response")
        browser.wait("document.querySelector('.start-line')")
        expect(browser.evaluate("document.querySelectorAll('.fields .folded-text').length") == 1, "so is a field")
        stage.shoot(f"long-response-{width}")
        if width > 760:
            audit(stage, "long", widths=(1440,))
        browser.evaluate("document.querySelector('.detail .close').click()")
        browser.size(1440)


@test
def tells_what_rules_changed(stage):
    browser = stage.fresh()
    stage.open("ruled")
    changed = "A rule changed this on its way to the client: status 200 to 410 (gone)"
    expect(f"200 {changed}" in browser.evaluate(PANEL), f"beside the status: {browser.evaluate(PANEL)}")
    stage.shoot("ruled-overview")
    sign = browser.evaluate("(() => { const cell = document.querySelector('.row.cursor .sign'); return [cell.textContent, cell.scrollWidth, cell.clientWidth]; })()")
    expect(sign[0].startswith("★⚙") and sign[1] <= sign[2], f"both signs have room: {sign}")
    stage.open("ruled", "response")
    said = browser.evaluate("document.querySelector('.message-pane .notice').textContent")
    expect(said == "A rule changed this on its way to the client: status 200 to 410, server (gone). Below is what the server sent.", said)
    stage.shoot("ruled-response")
    stage.open("ruled", "request")
    expect(not browser.evaluate("document.querySelector('.message-pane .notice')"), "the request is told in the overview")
    stage.open("own")
    text = browser.evaluate(PANEL)
    expect("answered by Pinhole: the rule “no ads” answered with 403" in text and "answeredByProxy" not in text, f"words for people: {text}")
    expect("intercepted: TLS ends at the proxy" in text, "also for what is done with a tunnel")
    stage.open("aborted")
    expect("Outcomeaborted by the server" in browser.evaluate(PANEL), "who broke it off")


@test
def keeps_every_page_in_sight(stage):
    browser = stage.fresh()
    for width, scheme in ((400, "light"), (320, "dark")):
        browser.size(width, 844, scheme)
        browser.evaluate("location.hash = '#/events'")
        browser.wait("document.querySelector('.log')")
        browser.frames(3)
        out = browser.evaluate("[...document.querySelectorAll('.places a')].filter((one) => { const box = one.getBoundingClientRect(); return box.right > innerWidth || box.left < 0; }).map((one) => one.textContent)")
        expect(not out, f"at {width}: {out} cannot be seen")
        stage.shoot(f"places-{width}")
    browser.size(1440)


@test
def shows_a_file_without_a_proxy(stage):
    browser = stage.browser
    with live(stage) as console:
        folder = console.folder.name
        expect(status_through(console, "/gone") == 502, "something is captured")
        browser.wait("fetch('/api/state').then((answer) => answer.json()).then((state) => state.capture.exchanges > 0)")
        environment = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
        process = subprocess.Popen([stage.program, "console", "--capture", "pinhole.sqlite", "--listen", "0"], cwd=folder,
                                   env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            url = re.search(r"http://\S+", next(printed(process)))[0]
            browser.go("about:blank#")
            # A page without a token asks for it, and reports a wrong one.
            base = url.split("/?")[0]
            browser.go(f"{base}/?token=wrong")
            browser.wait("document.querySelector('[role=alert]')?.textContent.includes('not the token of this console')")
            expect(browser.evaluate("getComputedStyle(document.querySelector('h1')).fontFamily").startswith("system-ui"), "the page has its style")
            stage.shoot("token")
            browser.pardon(401)
            browser.go(url)
            browser.wait("document.querySelector('.live')?.dataset.status === 'live'")
            browser.evaluate("location.hash = '#/rules'")
            browser.wait("document.querySelector('.rules .notice')?.textContent.startsWith('No proxy runs here')")
            browser.evaluate("location.hash = '#/breakpoints'")
            browser.wait("document.querySelector('.break-rules .notice')?.textContent.startsWith('No proxy runs here')")
            expect(not browser.evaluate("document.querySelector('.break-add')"), "nothing can be held")
            stage.shoot("breakpoints-file")
            # The events report a removal.
            said = browser.evaluate("fetch('/api/traffic?filter=all', {method: 'DELETE'}).then((answer) => answer.status)")
            expect(said == 204, f"removed: {said}")
            browser.evaluate("location.hash = '#/events'")
            browser.wait("document.querySelector('.log tbody')?.textContent.includes('removed from the capture in the console: everything')")
            times = browser.evaluate("[...document.querySelectorAll('.log .when')].map((one) => one.textContent)")
            expect(re.search(r"\.\d{3}$", times[0]), f"with the time: {times}")
        finally:
            browser.go("about:blank#")
            terminate(process)
