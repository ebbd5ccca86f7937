"""Opens a page in the system's browser by Playwright, which starts it by its path, and prints the page's text."""

import sys

from playwright.sync_api import sync_playwright

path, url = sys.argv[1:]
with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
    page = browser.new_page()
    page.goto(url)
    print(page.inner_text("body"))
    browser.close()
