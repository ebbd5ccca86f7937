"""The lessons of `pinhole class`, with the real program."""
import contextlib
import os
import pathlib
import re
import subprocess
import tempfile

from audits import audit
from browser import Failure
from console_stage import expect, test
from live_stage import printed, terminate


@contextlib.contextmanager
def class_of(stage, student, language="en"):
    """A page of a running class, and its folder."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        environment = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
        environment["HOME"] = folder
        process = subprocess.Popen([stage.program, "class", "start", "--seed", student, "--language", language], cwd=folder,
                                   env=environment, stdout=subprocess.PIPE, text=True)
        try:
            url = None
            for line in printed(process):
                if found := re.search(r"console +(\S+)", line):
                    url = found[1]
                if line.startswith("Ctrl-C"):
                    break
            if not url:
                raise Failure("the class did not start")
            stage.browser.go("about:blank#")
            stage.browser.go(url)
            stage.browser.wait("document.querySelectorAll('.unit-lesson').length === 8")
            stage.browser.complaints.clear()
            yield pathlib.Path(folder, "pinhole-class")
        except Failure:
            stage.shoot("failed-class")
            raise
        finally:
            stage.browser.go("about:blank#")
            terminate(process)


def key(stage, student, number):
    printed = subprocess.run([stage.program, "class", "key", str(number), "--seed", student], capture_output=True, text=True,
                             check=True).stdout
    return dict(re.findall(r"^  (\S+): (.*)$", printed, re.MULTILINE))


@test
def plays_a_lesson_in_the_page(stage):
    browser = stage.browser
    with class_of(stage, "mia") as folder:
        answers = key(stage, "mia", 1)
        browser.evaluate("document.querySelectorAll('.unit-lesson')[0].click()")
        browser.wait("document.querySelector('.unit-body h2')?.textContent === '1. Read the wire'")
        text = browser.evaluate("document.querySelector('.unit-body').textContent")
        expect("strings -n 6 lesson-1/plain.pcapng" in text, "the commands are shown")
        # Two files are shown beside each other, and hidden again.
        for number in (0, 1):
            browser.evaluate(f"document.querySelectorAll('.unit-files button')[{number}].click()")
            browser.wait(f"document.querySelectorAll('.unit-file pre').length === {number + 1}")
        expect("GET /basket?token=" in browser.evaluate("document.querySelector('.unit-shown').textContent"), "the readable parts are shown")
        browser.click(".unit-files button")
        browser.wait("document.querySelectorAll('.unit-file pre').length === 1")
        browser.evaluate("document.querySelector('#task-token').focus()")
        browser.evaluate("document.execCommand('insertText', false, 'nonsense')")
        browser.press("Enter")
        browser.wait("document.querySelector('.unit-tasks [role=status]')?.textContent === '0 of 4 tasks are done'")
        expect("not right in your world" in browser.evaluate("document.querySelector('.unit-task.wrong .unit-message').textContent"), "a wrong answer is told")
        browser.click(".unit-task.wrong .unit-more")
        browser.wait("document.querySelector('.unit-task.wrong .unit-hint').textContent.startsWith('token (1/2)')")
        for task, answer in answers.items():
            browser.evaluate("document.querySelector('#task-%s').value = %r" % (task, answer))
        browser.click(".unit-check .primary")
        browser.wait("document.querySelector('.unit-tasks [role=status]')?.textContent === '4 of 4 tasks are done'")
        browser.wait("document.querySelector('.unit-lesson').classList.contains('done')")
        expect("The background" in browser.evaluate("document.querySelector('.unit-body').textContent"), "the explanation follows")
        # The page and the command have the same results.
        done = subprocess.run([stage.program, "class", "check", "1"], cwd=folder, capture_output=True, text=True, check=False)
        expect(done.returncode == 0, done.stdout)
        # The address names the lesson.
        browser.evaluate("document.querySelectorAll('.unit-lesson')[4].click()")
        browser.wait("location.hash === '#/classroom?lesson=5'")
        browser.reload()
        browser.wait("document.querySelector('.unit-body h2')?.textContent === '5. Pins'")
        # An experiment shows its outcome after a prediction, and says which one was made.
        outcome = "document.querySelector('.unit-trials .unit-outcome').textContent"
        expect(browser.evaluate(outcome) == "", "the outcome is hidden")
        browser.evaluate("document.querySelectorAll('.unit-trials li')[0].querySelectorAll('button')[1].click()")
        browser.wait(f"{outcome}.startsWith('It came out differently: the app accepts the stranger')")
        expect("ends at the pinned CA" in browser.evaluate(outcome), "a wrong prediction is explained")
        expect("You predicted: the app refuses the stranger" in browser.evaluate("document.querySelector('.unit-trials fieldset').textContent"),
               "the prediction stays")
        # A check leaves the outcomes on the screen, and a prediction after it stays when the lesson opens again.
        browser.click(".unit-check .primary")
        browser.wait("document.querySelector('.unit-tasks [role=status]')?.textContent.endsWith('of 7 tasks are done')")
        expect("ends at the pinned CA" in browser.evaluate(outcome), "a check leaves the outcome of an experiment")
        second = "document.querySelectorAll('.unit-trials li')[1]"
        browser.evaluate(f"{second}.querySelectorAll('button')[1].click()")
        browser.wait(f"{second}.querySelector('fieldset').textContent.includes('You predicted')")
        for number, title in ((0, "1. Read the wire"), (4, "5. Pins")):
            browser.evaluate(f"document.querySelectorAll('.unit-lesson')[{number}].click()")
            browser.wait(f"document.querySelector('.unit-body h2')?.textContent === '{title}'")
        expect("You predicted" in browser.evaluate(f"{second}.querySelector('fieldset').textContent"), "a prediction after a check stays")
        # Results that were forgotten elsewhere, as by a teacher's reset, ask for a prediction again.
        next(pathlib.Path(folder).rglob("mia.json")).unlink()
        browser.pardon(409)
        browser.evaluate(f"{second}.querySelector('button').click()")
        browser.wait(f"{second}.querySelectorAll('button').length === 2")
        expect("hidden until you predict it" in browser.evaluate(f"{second}.textContent"), "a forgotten prediction is told")


@test
def looks_like_a_unit(stage):
    browser = stage.browser
    with class_of(stage, "ben") as folder:
        audit(stage, "class-lesson", widths=(390, 1280, 1920))
        for width, height in ((1280, 720), (1920, 1080)):
            browser.size(width, height)
            for number in range(1, 9):
                browser.evaluate(f"document.querySelectorAll('.unit-lesson')[{number - 1}].click()")
                browser.wait(f"document.querySelector('.unit-body h2')?.textContent.startsWith('{number}. ')")
                browser.frames(2)
                stage.shoot(f"class-{number}-{width}")
                outside = browser.evaluate("(() => { const end = document.querySelector('.status').getBoundingClientRect().top + 1; return "
                                           "['.unit-nav', '.unit-middle', '.unit-tasks'].filter((name) => document.querySelector(name).getBoundingClientRect().bottom > end).join(); })()")
                expect(not outside, f"lesson {number} at {width}: below the window {outside}")
                wide = browser.evaluate("document.querySelector('.unit').scrollWidth > document.querySelector('.unit').clientWidth + 1")
                expect(not wide, f"lesson {number} at {width}: wider than the window")
        # Each lesson has the interception as its stage.
        browser.evaluate("document.querySelectorAll('.unit-tab')[1].click()")
        browser.wait("document.querySelector('.unit-body .lesson')?.ariaBusy === 'false'")
        audit(stage, "class-stage", widths=(1280, 1920))
        browser.size(1280, 720)
        browser.frames(2)
        stage.shoot("class-stage-projector")
        below = browser.evaluate("(() => { const end = document.querySelector('.status').getBoundingClientRect().top; return ['.switches', '.headline', '.diagram', '.pager', '.now']"
                                 ".filter((name) => document.querySelector(name).getBoundingClientRect().bottom > end).join(); })()")
        expect(not below, f"the interception at 1280 by 720: out of sight {below}")
        browser.size(1440)
        select = "document.querySelector('.unit-nav select')"
        browser.evaluate(f"{select}.value = 'de', {select}.dispatchEvent(new Event('change'))")
        browser.wait("document.querySelector('.unit-lesson b')?.textContent === '1. Mitlesen'")
        expect(browser.evaluate("document.querySelector('.unit').lang") == "de", "the language of the texts is told")
        expect(browser.evaluate("document.querySelectorAll('.unit-words dt[lang=en]').length") > 10, "the words of Traffic are told in German")
        browser.evaluate("document.querySelectorAll('.unit-tab')[1].click()")
        browser.wait("document.querySelector('.unit-body .lesson')?.ariaBusy === 'false'")
        wide = browser.evaluate("[...document.querySelectorAll('.diagram .node')].filter((node) => [...node.querySelectorAll('text')].some((text) => "
                                "text.getBBox().width > node.querySelector('rect').getBBox().width - 8)).map((node) => node.textContent).join()")
        expect(not wide, f"words of the diagram are wider than their boxes: {wide}")
        # On a phone, a chosen lesson comes into sight.
        browser.size(390, 844)
        browser.evaluate("document.querySelectorAll('.unit-lesson')[6].click()")
        browser.wait("document.querySelector('.unit-body h2')?.textContent.startsWith('7. ')")
        expect(browser.evaluate("document.querySelector('.unit-body h2').getBoundingClientRect().top < 400"), "the lesson is in sight")
        browser.size(1440)


class Served:
    """A class that a teacher serves, which can start again."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        pathlib.Path(folder, "class.csv").write_text("id,name,group\nmia,Mia Öztürk 😀,10b\nben,\"Becker, Ben\",10b\n", encoding="utf-8")
        self.start()

    def start(self):
        environment = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
        environment["HOME"] = self.folder
        # The class remembers in this home what was begun here.
        for name in ("XDG_DATA_HOME", "XDG_STATE_HOME"):
            environment.pop(name, None)
        errors = pathlib.Path(self.folder, "errors.txt")
        with errors.open("w") as file:
            self.process = subprocess.Popen([self.program, "class", "serve", "--students", "class.csv"], cwd=self.folder, env=environment,
                                            stdout=subprocess.PIPE, stderr=file, text=True)
        for line in printed(self.process):
            if found := re.search(r"page +(\S+)", line):
                self.url = found[1]
            if line.startswith("Ctrl-C"):
                break
        else:
            raise Failure(f"the class did not start: {errors.read_text()}")
        lines = pathlib.Path(self.folder, "classes/passwords.csv").read_text(encoding="utf-8").splitlines()
        self.passwords = dict(line.split(",")[:2] for line in lines)

    def stop(self):
        terminate(self.process)

    def log_in(self, browser, name, selector="form[action='/login']"):
        browser.evaluate(f"(() => {{ const form = document.querySelector({selector!r}); form.elements.name.value = {name!r};"
                         f"form.elements.password.value = {self.passwords[name]!r}; form.requestSubmit(); }})()")


@test
def serves_a_class_with_predictions(stage):
    browser = stage.browser
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        served = Served(stage.program, folder)
        try:
            browser.go("about:blank#")
            browser.go(served.url)
            served.log_in(browser, "teacher")
            browser.wait("document.querySelectorAll('#class-rows tr').length === 2")
            expect("Becker, Ben" in browser.evaluate("document.querySelector('#class-rows').textContent"), "display names are shown")
            audit(stage, "class-table", widths=(390, 1280))
            browser.click("#class-add")
            browser.wait("document.querySelector('dialog form')")
            browser.evaluate("document.querySelector('dialog form').elements.name.value = 'Zoë, die Große'")
            browser.click("dialog .primary")
            browser.wait("document.querySelector('dialog [role=status] code')?.textContent.length === 12")
            browser.press("Escape")
            browser.wait("document.querySelectorAll('#class-rows tr').length === 3")
            # The experiment for the projector, and a question to the class.
            browser.click("#class-open-stage")
            browser.wait("document.querySelector('.lesson')?.ariaBusy === 'false' && document.querySelector('.poll button')")
            browser.click(".poll button")
            browser.wait("document.querySelector('.prediction') && !document.querySelector('.headline')")
            audit(stage, "class-question", widths=(390, 1280))
            browser.evaluate("fetch('/logout', {method: 'POST'})")
            browser.go("about:blank#")
            browser.go(served.url)
            served.log_in(browser, "mia")
            browser.wait("document.querySelector('.poll-choices')")
            browser.click(".poll-choices button")
            browser.wait("document.querySelector('.poll-choices [aria-pressed=true]')")
            audit(stage, "class-vote", widths=(390, 1280))
            # A restart: the page asks for the login, and keeps what was not saved.
            browser.evaluate("document.querySelectorAll('.unit-lesson')[4].click()")
            browser.wait("document.querySelector('.unit-editor')")
            browser.evaluate("document.querySelector('.unit-editor').open = true")
            browser.wait("document.querySelector('.unit-editor textarea').value")
            for selector, text in ((".unit-editor textarea", "{}"), ("#task-blind", "kept")):
                browser.evaluate(f"(() => {{ const field = document.querySelector({selector!r}); field.value = {text!r};"
                                 "field.dispatchEvent(new Event('input')); })()")
            url = served.url
            served.stop()
            served.start()
            expect(served.url == url, f"the class starts again at {served.url}, and not at {url}")
            browser.click(".unit-check .primary")
            browser.wait("document.querySelector('dialog .log-in')")
            # The page is loaded again after the login.
            browser.evaluate("document.querySelector('#task-blind').id = 'old'")
            served.log_in(browser, "mia", "dialog .log-in")
            browser.wait("document.querySelector('#task-blind')?.value === 'kept'")
            browser.wait("document.querySelector('.unit-editor textarea')?.value === '{}'")
            expect(browser.evaluate("document.querySelector('.unit-editor textarea').value") == "{}", "the text of the file is kept")
            browser.click(".unit-check .primary")
            browser.wait("document.querySelector('.unit-tasks [role=status]')?.textContent === '0 of 7 tasks are done'")
            expect(pathlib.Path(folder, "classes/mia/lesson-5/policy.json").read_text(encoding="utf-8") == "{}", "the check saves the file first")
            # The teacher sees the prediction of the student beside its outcome.
            browser.evaluate("fetch('/api/lessons/5/try', {method: 'POST', body: JSON.stringify({trial: 'insider', prediction: 'refuses'})})"
                             ".then(() => fetch('/logout', {method: 'POST'})).then(() => { window.isOut = true; })")
            browser.wait("window.isOut")
            browser.go("about:blank#")
            browser.go(served.url)
            served.log_in(browser, "teacher")
            browser.wait("document.querySelectorAll('#class-rows tr').length === 3")
            browser.evaluate("[...document.querySelectorAll('#class-rows button')].find((one) => one.textContent.startsWith('Mia')).click()")
            browser.wait("document.querySelector('dialog details')")
            browser.evaluate("document.querySelector('dialog details').open = true")
            expect("5insiderrefusesaccepts" in browser.evaluate("document.querySelector('dialog tbody').textContent"), "the prediction is told")
            audit(stage, "class-student", widths=(390, 1280))
            browser.complaints.clear()
        except Failure:
            stage.shoot("failed-class-served")
            raise
        finally:
            browser.go("about:blank#")
            served.stop()
