"""The lab, with the real program."""
from audits import audit
from console_stage import expect, test
from live_stage import live

HPKP = 'Public-Key-Pins: pin-sha256="d6qzRu9zOECb90Uez27xWltNsj0e1Md7GkYYkVoZWmM="; pin-sha256="E9CZ9INDbd+2eRQozYqqbQ2yXLVKB9+xcprMF+44U1g="; max-age=5184000'


@test
def runs_the_lab(stage):
    browser = stage.browser
    with live(stage) as console:
        browser.evaluate("location.hash = '#/lab'")
        browser.wait("document.querySelector('.lab-run .primary')?.textContent === 'Run 77 cells'")
        # The page refuses an invalid policy, and gives a valid one a row of its own.
        browser.click(".picker.own > summary")
        browser.click(".picker.own textarea")
        browser.type("this is no policy")
        browser.click(".own-row button")
        browser.wait("document.querySelector('.own-list li')")
        browser.click(".lab-run .primary")
        browser.wait("document.querySelector('.lab .notice.failed')?.textContent.includes('policy cannot be used')")
        browser.click(".own-list button")
        browser.click(".picker.own textarea")
        browser.type(HPKP)
        browser.click(".own-row button")
        browser.wait("document.querySelector('.lab-run .primary')?.textContent === 'Run 84 cells'")
        browser.click(".picker.own > summary")
        browser.pardon(422)
        browser.click(".lab-run .primary")
        browser.wait("document.querySelector('.lab-status')?.textContent.startsWith('84 cells for')")
        expect(browser.evaluate("document.querySelectorAll('.matrix td.waiting').length") == 0, "every cell is known")
        # By the keyboard: to a cell, into its evidence, and back.
        browser.evaluate("document.querySelector('.matrix td').focus()")
        browser.press("ArrowRight")
        browser.press("ArrowDown")
        browser.wait("document.activeElement.ariaLabel.startsWith('SYS in A02')")
        expect("missed" in browser.evaluate("document.activeElement.ariaLabel"), "the system's policy does not notice an installed CA")
        browser.press("Enter")
        browser.wait("document.activeElement.matches('.lab-evidence') && document.querySelectorAll('.lab-chain').length === 3")
        text = browser.evaluate("document.querySelector('.lab-evidence').textContent")
        expect("GET https://api.pinned.test" in text and "What would have caught it" in text and "By the rules" not in text, f"evidence: {text[:400]}")
        audit(stage, "lab")
        browser.press("Escape")
        browser.wait("document.querySelector('.lab-evidence').hidden && document.activeElement.matches('td')")
        browser.click("td[data-policy='SL'][data-scenario='A02']")
        browser.wait("document.querySelector('.lab-evidence .verdict.good')?.textContent.length > 0")
        expect(browser.evaluate("document.querySelector('.lab-evidence').textContent.includes('bad_certificate')"), "the alert is shown")
        browser.press("Escape")
        browser.wait("document.querySelector('.lab-evidence').hidden && document.activeElement.matches('td')")
        # The form keeps its choices for the user's return.
        browser.evaluate("location.hash = '#/events'")
        browser.wait("document.querySelector('.log')")
        browser.evaluate("location.hash = '#/lab'")
        browser.wait("document.querySelector('.lab-run .primary')?.textContent === 'Run 84 cells' && document.querySelector('.own-list li')")


@test
def cancels_a_run_and_shows_it_again(stage):
    browser = stage.browser
    with live(stage) as console:
        browser.evaluate("location.hash = '#/lab'")
        browser.wait("document.querySelector('.lab-run .primary')")
        browser.click(".picker:nth-of-type(1) > summary")
        browser.click(".picker:nth-of-type(1) .presets button:nth-child(2)")
        browser.click(".picker:nth-of-type(2) > summary")
        browser.click(".picker:nth-of-type(2) .presets button:nth-child(4)")
        stage.shoot("lab-form")
        browser.click(".lab-run .primary")
        browser.wait("document.querySelectorAll('.matrix td.sign').length > 0")
        again = browser.evaluate("fetch('/api/lab/run', {method: 'POST', body: '{}'}).then(async (answer) => [answer.status, (await answer.json()).detail])")
        expect(again[0] == 409, f"a second run at a time: {again}")
        browser.click(".lab-run button:nth-child(2)")
        browser.wait("document.querySelector('.lab-status').textContent.startsWith('Cancelled after')")
        browser.evaluate("location.hash = '#/'")
        browser.wait("document.querySelector('#page-other').hidden")
        browser.evaluate("location.hash = '#/lab'")
        browser.wait("document.querySelector('.lab-status')?.textContent.startsWith('Cancelled after') && document.querySelectorAll('.matrix td.sign').length > 0")
        browser.pardon(409)
