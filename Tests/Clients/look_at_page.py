#!/usr/bin/env python3
"""Looks at a page with headless Chromium as people see it: at widths, in light and dark, and on paper.

    look_at_page.py FILE EXPRESSION [WIDTH:SCHEME | print]...

Loads FILE once, evaluates the JavaScript EXPRESSION in each view and prints a JSON object with the view's name for
each. `print` is an A4 sheet across; there the page is printed, too, and has to become a PDF. The browser is
that of Tests/Browser.
"""
import base64
import json
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Browser"))
from browser import Browser  # noqa: E402

# The width between the margins of the page's own @page rule, at 96 dots an inch.
SHEET = round((297 - 22) / 25.4 * 96)


def look(browser, view, expression):
    """What the expression says in a view."""
    is_paper = view == "print"
    width, scheme = (SHEET, "light") if is_paper else view.split(":")
    browser.send("Emulation.setDeviceMetricsOverride", width=int(width), height=900, deviceScaleFactor=1, mobile=False)
    browser.send("Emulation.setEmulatedMedia", media="print" if is_paper else "screen",
                 features=[{"name": "prefers-color-scheme", "value": scheme}])
    # Two frames later the page's own script has seen the new width.
    browser.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    found = browser.evaluate(expression)
    if is_paper:
        data = browser.send("Page.printToPDF", preferCSSPageSize=True, printBackground=True)["data"]
        found["isPDF"] = base64.b64decode(data).startswith(b"%PDF-")
    return found


def main():
    file, expression, *views = sys.argv[1:]
    browser = Browser()
    try:
        browser.go(pathlib.Path(file).resolve().as_uri())
        for view in views:
            print(json.dumps({"view": view, **look(browser, view, expression)}))
    finally:
        browser.end()


if __name__ == "__main__":
    main()
