"""The classroom, with the real program."""
import json

from audits import audit
from console_stage import expect, test
from live_stage import live

# Switches, and whether they let the password be stolen.
EXPERIMENTS = [
    ({}, False), ({"installsAuthority": True}, True), ({"installsAuthority": True, "pin": "key"}, False),
    ({"middle": "nobody", "pin": "leaf"}, False), ({"middle": "otherHost"}, False),
    ({"middle": "otherHost", "checksName": False}, True), ({"middle": "trustedAuthority"}, True),
    ({"middle": "trustedAuthority", "pin": "authority"}, False),
    ({"allowsInvalid": True, "checksName": False}, True), ({"allowsInvalid": True}, False),
]


@test
def teaches_an_interception(stage):
    browser = stage.browser
    with live(stage) as console:
        browser.evaluate("location.hash = '#/classroom'")
        ready = "document.querySelector('.lesson')?.ariaBusy === 'false'"
        browser.wait(ready)
        expect(browser.evaluate("document.querySelector('.headline').className").endswith("good"), "without the CA the client refuses")
        expect("unknown_ca" in browser.evaluate("document.querySelector('.classroom').textContent"), "its alert is told")
        audit(stage, "classroom-refused", widths=(390, 1440, 1920))
        # The keyboard changes the switch, and the experiment runs again.
        browser.evaluate("document.querySelector('input[name=installsAuthority]').focus()")
        browser.press(" ")
        browser.wait("document.querySelector('.headline')?.className.endsWith('bad') && " + ready)
        text = browser.evaluate("document.querySelector('.classroom').textContent")
        expect("password=open+sesame" in text and "POST /login HTTP/1.1" in text, "the password is read")
        steps = browser.evaluate("document.querySelectorAll('.steps li').length")
        for at in range(1, steps):
            browser.click(".pager .primary")
            browser.wait(f"document.querySelector('.place').textContent === 'Step {at + 1} of {steps}'")
            expect(browser.evaluate("document.querySelector('.diagram').ariaLabel.length > 20"), "the diagram is told in words")
        audit(stage, "classroom-stolen", widths=(390, 1440, 1920))
        # A projector shows a whole step.
        browser.size(1280, 720)
        for at in range(steps, 0, -1):
            browser.evaluate("document.querySelector('#page-other').scrollTop = 0")
            browser.frames(2)
            below = browser.evaluate("(() => { const end = document.querySelector('.status').getBoundingClientRect().top; return ['.switches', '.headline', '.diagram', '.pager', '.now']"
                                     ".filter((name) => document.querySelector(name).getBoundingClientRect().bottom > end).join(); })()")
            stage.shoot(f"classroom-projector-{at}")
            expect(not below, f"step {at} at 1280 by 720: out of sight {below}")
            if at > 1:
                browser.click(".pager button")
                browser.wait(f"document.querySelector('.place').textContent === 'Step {at - 1} of {steps}'")
        browser.size(1440)
        # The address names the lesson.
        browser.click(".pager .primary")
        browser.wait("location.hash === '#/classroom?installsAuthority=yes&step=2'")
        browser.reload()
        browser.wait("document.querySelector('.place')?.textContent === 'Step 2 of %d' && document.querySelector('input[name=installsAuthority]').checked" % steps)
        browser.evaluate("document.querySelector('input[name=pin][value=none]').focus()")
        browser.press("ArrowDown")
        browser.wait("document.querySelector('.headline')?.className.endsWith('good') && " + ready)
        expect("Only" not in browser.evaluate("document.querySelector('.headline').textContent") and
               "the server's certificate that it knows" in browser.evaluate("document.querySelector('.headline').textContent"), "why it refuses")


@test
def experiments_come_out_as_they_must(stage):
    browser = stage.browser
    with live(stage) as console:
        for switches, is_stolen in EXPERIMENTS:
            lesson = browser.evaluate("fetch('/api/classroom', {method: 'POST', body: %s}).then((answer) => answer.json())" % json.dumps(json.dumps(switches)))
            expect(lesson.get("isStolen") == is_stolen, f"{switches}: {lesson.get('headline')} {lesson.get('reason')} {lesson.get('detail')}")
            print(f"      {json.dumps(switches)}: {lesson['headline']} {lesson['reason']}")
