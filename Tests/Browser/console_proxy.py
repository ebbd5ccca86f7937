"""What the proxy said, and what it runs with, with the real program."""
from console_lab import audit
from console_stage import expect, test
from live_stage import live


@test
def tells_events_and_changes_settings(stage):
    browser = stage.browser
    with live(stage) as console:
        if not console:
            return
        browser.evaluate("location.hash = '#/events'")
        browser.wait("document.querySelectorAll('.log tbody tr').length >= 2")
        text = browser.evaluate("document.querySelector('.log').textContent")
        expect("a new CA was made" in text and f"listening on {console.proxy}" in text, f"events: {text}")
        audit(stage, "events")
        browser.evaluate("location.hash = '#/settings'")
        browser.wait("document.querySelector('#passthrough-hosts')")
        browser.click("#passthrough-hosts")
        browser.type("*.bank.example\nnot a host")
        browser.click(".passthrough-use")
        browser.wait("document.querySelector('.settings .notice.failed')?.textContent.includes('not a host')")
        browser.complaints.clear()  # The 422 that was asked for.
        browser.evaluate("(() => { const hosts = document.querySelector('#passthrough-hosts'); hosts.value = '*.bank.example'; })()")
        browser.click(".passthrough-use")
        browser.wait("document.querySelector('.settings .notice.failed') === null && document.querySelector('.toast')")
        now = browser.evaluate("fetch('/api/settings').then((answer) => answer.json())")
        expect(now["passthrough"] == ["*.bank.example"], f"the proxy follows it: {now}")
        said = browser.evaluate("fetch('/api/log').then((answer) => answer.json())")
        expect("*.bank.example" in said["entries"][-1]["text"], f"the events tell of it: {said}")
        audit(stage, "proxy-settings")
