"""The documentation that an installed console serves."""
import pathlib
import tempfile
import time

from console_stage import expect, test
from live_stage import live

BUILT = pathlib.Path(__file__).resolve().parent.parent.parent / ".build/site"

# What the pages of the site do: styles in a file and on an element, a script, a worker that loads the index of the search.
FILES = {
    "index.html": """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Pinhole</title>
        <link rel="icon" href="icon.svg"><link rel="stylesheet" href="style.css"></head>
        <body><h1>Pinhole</h1><p style="color: rgb(1, 2, 3)">Text</p><article><a href="CA.html">CA</a></article><script src="main.js"></script></body></html>""",
    "CA.html": "<!DOCTYPE html><html lang='en'><head><meta charset='utf-8'><title>CA</title><link rel='icon' href='icon.svg'></head><body><h1>CA</h1></body></html>",
    "icon.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
    "style.css": "h1 { color: rgb(4, 5, 6); }",
    "main.js": "new Worker('worker.js').onmessage = (event) => { document.documentElement.dataset.found = event.data; };",
    "worker.js": "fetch('search/search_index.json').then((answer) => answer.json()).then((index) => postMessage(index.docs[0]));",
    "search/search_index.json": '{"docs": ["found"]}',
}


def visit(stage, site, use):
    """Follows the link of the console, loads the page of the site, and uses it."""
    browser = stage.browser
    with live(stage, site=site) as console:
        if not console:
            return
        browser.requests.clear()
        browser.evaluate("document.querySelector('#tools [aria-label=Help]').click()")
        browser.wait("document.querySelector('dialog[open] .help a[href=\"/docs/\"]')")
        browser.click("dialog[open] .help a")
        page = opened(browser, f"{console.base}/docs/")
        # The new tab tells nothing to this one, so the page is loaded here as well.
        browser.send("Target.closeTarget", targetId=page)
        browser.go(f"{console.base}/docs/")
        use(browser)
        expect("Pinhole" in browser.evaluate("document.title"), "the first page")
        page = browser.evaluate("document.querySelector('article a[href=\"CA.html\"]').href")
        expect(page == f"{console.base}/docs/CA.html", f"a link of the page leads to {page}")
        browser.go(page)
        browser.wait("location.pathname === '/docs/CA.html' && document.querySelector('h1')")
        foreign = [url for url in browser.requests if not url.startswith((console.base, "data:", "blob:"))]
        expect(not foreign, f"every file comes from the console: {foreign[:3]}")
        stage.shoot("manual")


def opened(browser, url):
    """The number of the tab that shows a page."""
    session, browser.session = browser.session, None
    try:
        for _ in range(200):
            tabs = browser.send("Target.getTargets")["targetInfos"]
            found = [tab["targetId"] for tab in tabs if tab["type"] == "page" and tab["url"] == url]
            if found:
                return found[0]
            time.sleep(0.02)
    finally:
        browser.session = session
    expect(False, f"the link opens {url}: {[tab['url'] for tab in tabs]}")


@test
def shows_the_documentation(stage):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in FILES.items():
            path = pathlib.Path(folder, name)
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        visit(stage, folder, lambda browser: browser.wait("document.documentElement.dataset.found === 'found'"))


@test
def shows_the_built_site(stage):
    if not (BUILT / "index.html").exists():
        print("      `make docs` was not run: the real site was left out")
        return
    visit(stage, BUILT, search)


def search(browser):
    """Searches in the real site, whose index is read by a worker."""
    browser.wait("document.querySelector('.md-search__input')")
    browser.evaluate("document.querySelector('.md-search__input').focus()")
    browser.type("certificate")
    # The theme may begin to listen after the first letters.
    browser.wait("document.querySelector('.md-search__input').dispatchEvent(new Event('keyup')) && document.querySelector('.md-search-result__item a')")
    browser.press("Escape")
    browser.wait("document.activeElement !== document.querySelector('.md-search__input')")
