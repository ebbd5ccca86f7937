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


@contextlib.contextmanager
def class_of(stage, student, language="en"):
    """A page of a running class, and its folder; `None` without a program."""
    if not stage.program:
        print("      no --pinhole was named: what needs the program was left out")
        yield None
        return
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        environment = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
        environment["HOME"] = folder
        process = subprocess.Popen([stage.program, "class", "start", "--seed", student, "--language", language], cwd=folder,
                                   env=environment, stdout=subprocess.PIPE, text=True)
        try:
            url = None
            for line in process.stdout:
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
            process.terminate()
            process.wait()


def key(stage, student, number):
    printed = subprocess.run([stage.program, "class", "key", str(number), "--seed", student], capture_output=True, text=True,
                             check=True).stdout
    return dict(re.findall(r"^  (\S+): (.*)$", printed, re.MULTILINE))


@test
def plays_a_lesson_in_the_page(stage):
    browser = stage.browser
    with class_of(stage, "mia") as folder:
        if not folder:
            return
        answers = key(stage, "mia", 1)
        browser.evaluate("document.querySelectorAll('.unit-lesson')[0].click()")
        browser.wait("document.querySelector('.unit-body h2')?.textContent === '1. Read the wire'")
        text = browser.evaluate("document.querySelector('.unit-body').textContent")
        expect("strings -n 6 lesson-1/plain.pcapng" in text, "the commands are shown")
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


@test
def looks_like_a_unit(stage):
    browser = stage.browser
    with class_of(stage, "ben") as folder:
        if not folder:
            return
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
