"""The two ways to use a page, by pointer and by keyboard, with a count of the choices."""
import json

from console_stage import expect

MOST = 6


class Hands:
    """A user with a pointer or a keyboard alone. A press that chooses counts; Tab, arrows and typed text do not."""

    def __init__(self, browser, uses_pointer):
        self.browser, self.uses_pointer, self.count = browser, uses_pointer, 0

    @property
    def name(self):
        return "pointer" if self.uses_pointer else "keyboard"

    def choose(self, selector, key="Enter", **press):
        """Presses an element: with the pointer, or with a key after Tab has reached it."""
        if self.uses_pointer:
            self.count += 1
            self.browser.click(selector, **press)
        else:
            self.reach(selector)
            self.key(key)

    def reach(self, selector):
        """Moves the focus with Tab."""
        quoted, steps = json.dumps(selector), 0
        self.browser.wait(f"document.querySelector({quoted})")
        while not self.browser.evaluate(f"document.activeElement.matches({quoted})"):
            self.browser.press("Tab")
            steps += 1
            expect(steps < 150, f"Tab reaches {selector}: {self.browser.evaluate('document.activeElement.outerHTML.slice(0, 200)')}")

    def key(self, key, modifiers=0):
        """A key that chooses."""
        self.count += 1
        self.browser.press(key, modifiers)

    def command(self, name):
        """A command by its name in the palette."""
        self.key("k", 2)
        self.browser.wait("document.activeElement.matches('.palette-field')")
        self.browser.type(name)
        self.key("Enter")

    def write(self, selector, text):
        """Types a text into a field, before what the field has."""
        if self.uses_pointer:
            self.count += 1
            self.browser.click(selector)
        else:
            self.reach(selector)
        self.browser.press("Home", 2)
        self.browser.type(text)

    def arrived(self, story):
        """The goal is reached."""
        print(f"      {story}, by {self.name}: {self.count} clicks")
        expect(self.count <= MOST, f"{story}, by {self.name}: at most {MOST} clicks: {self.count}")
