"""The documentation that an installed console serves."""
import pathlib
import re
import shlex
import subprocess
import tempfile
import time

from audits import audit
from browser import PATIENCE
from console_stage import expect, test
from live_stage import live

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILT = ROOT / ".build/site"

# The features that pages of the site use: styles in a file and on an element, a script, one that reads another file.
FILES = {
    "index.html": """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Pinhole</title>
        <link rel="icon" href="icon.svg"><link rel="stylesheet" href="style.css"></head>
        <body><h1>Pinhole</h1><p style="color: rgb(1, 2, 3)">Text</p><article><a href="CA.html">CA</a></article><script src="main.js"></script></body></html>""",
    "CA.html": "<!DOCTYPE html><html lang='en'><head><meta charset='utf-8'><title>CA</title><link rel='icon' href='icon.svg'></head><body><h1>CA</h1></body></html>",
    "icon.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
    "style.css": "h1 { color: rgb(4, 5, 6); }",
    "main.js": "fetch('search/search_index.json').then((answer) => answer.json()).then((index) => { document.documentElement.dataset.found = index.docs[0]; });",
    "search/search_index.json": '{"docs": ["found"]}',
}


def visit(stage, site, use):
    """Follows the link of the console, loads the page of the site, and uses it."""
    browser = stage.browser
    with live(stage, site=site) as console:
        browser.send("Network.enable")
        browser.requests.clear()
        browser.evaluate("document.querySelector('#tools [aria-label=Help]').click()")
        browser.wait("document.querySelector('dialog[open] .help-page a[href=\"/docs/\"]')")
        browser.click("dialog[open] .help-page a[href='/docs/']")
        page = opened(browser, f"{console.base}/docs/")
        # The new tab reports no errors to this one, so this tab loads the page as well.
        browser.send("Target.closeTarget", targetId=page)
        browser.go(f"{console.base}/docs/")
        use(browser)
        expect("Pinhole" in browser.evaluate("document.title"), "the first page")
        page = browser.evaluate("[...document.querySelectorAll('article a')].find((link) => /^[A-Z-]+\\.html$/.test(link.getAttribute('href'))).href")
        expect(page.startswith(f"{console.base}/docs/"), f"a link of the page leads to {page}")
        browser.go(page)
        browser.wait(f"location.href === '{page}' && document.querySelector('h1')")
        foreign = [url for url in browser.requests if not url.startswith((console.base, "data:", "blob:"))]
        expect(browser.requests and not foreign, f"every file comes from the console: {foreign[:3]}")
        browser.send("Network.disable")
        stage.shoot("manual")


def opened(browser, url):
    """The target of the tab that shows a page."""
    session, browser.session = browser.session, None
    try:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
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
    """Searches in the real site, whose first page has the field."""
    browser.wait("document.querySelector('form.sidebar-search-container input[name=q]')")
    browser.evaluate("document.querySelector('form.sidebar-search-container input[name=q]').focus()")
    browser.type("certificate")
    browser.press("Enter")
    browser.wait("document.querySelector('#search-results li a')")
    found = browser.evaluate("document.querySelector('#search-results li a').getAttribute('href')")
    expect(found.partition("#")[0].endswith((".html", "?highlight=certificate")) or ".html?" in found, f"the search finds a page: {found}")
    browser.go(browser.evaluate("location.href").partition("search.html")[0])


def places():
    """The addresses of the documentation, as pages.js has them."""
    main = (ROOT / "Sources/CConsoleAssets/assets/js/pages.js").read_text(encoding="utf-8")
    found = re.findall(r"^  (\w+): \{ title: ", main, re.MULTILINE)
    expect(len(found) > 10, f"the pages are found: {found}")
    return ["#/"] + [f"#/{name}/1/2" if name == "diff" else f"#/{name}" for name in found]


def sections(page):
    """The anchors of a page of the documentation, as the site makes them of its headings."""
    text = re.sub(r"^```.*?^```", "", (ROOT / "docs" / page).read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    heads = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return [re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", head).strip().lower()) for head in heads]


def site_of_headings(folder):
    """A site made of the headings of the documentation, for a tree without `make docs`."""
    for page in (ROOT / "docs").glob("*.md"):
        heads = "".join(f"<h2 id='{section}'>{section}</h2><p>{'text ' * 400}</p>" for section in sections(page.name))
        pathlib.Path(folder, f"{page.stem}.html").write_text(
            f"<!DOCTYPE html><html lang='en'><head><meta charset='utf-8'><title>{page.stem}</title><link rel='icon' href='icon.svg'></head><body>{heads}</body></html>")
    pathlib.Path(folder, "icon.svg").write_text(FILES["icon.svg"])
    pathlib.Path(folder, "index.html").write_text(FILES["CA.html"])


@test
def each_page_leads_to_its_section(stage):
    browser = stage.fresh()
    # The mock has no lab and no lessons.
    browser.pardon(404)
    seen = {}
    for place in places():
        browser.evaluate(f"location.hash = '{place}'")
        browser.wait(f"document.querySelector('#page-{'traffic' if place == '#/' else 'other'}').checkVisibility() && document.querySelector('#page-help')?.checkVisibility()")
        href = browser.evaluate("document.querySelector('#page-help').getAttribute('href')")
        found = re.fullmatch(r"/docs/([A-Z-]+)\.html#([\w-]+)", href)
        expect(found, f"{place} leads to a section: {href}")
        expect(found[2] in sections(f"{found[1]}.md"), f"{place} leads to {href}, and docs/{found[1]}.md has no such section")
        # The key offers the same link beside the keys.
        browser.evaluate("document.activeElement.blur()")
        browser.press("?")
        browser.wait("document.querySelector('dialog[open] .help-page a')")
        expect(browser.evaluate("document.querySelector('dialog[open] .help-page a').getAttribute('href')") == href, f"{place}: the key offers the same")
        label = browser.evaluate("document.querySelector('#page-help').getAttribute('aria-label')")
        expect(label.startswith("Documentation: ") and label == browser.evaluate("document.querySelector('dialog[open] .help-page a').textContent"), f"{place}: {label}")
        browser.press("Escape")
        browser.wait("!document.querySelector('dialog[open]')")
        seen[place] = href
    own = seen.pop("#/")
    expect(own not in seen.values() and len(set(seen.values())) > 6, f"pages have sections of their own: {seen}")


@test
def sections_are_served(stage):
    with tempfile.TemporaryDirectory() as folder:
        site_of_headings(folder)
        for site in [folder] + [BUILT] * (BUILT / "index.html").exists():
            with live(stage, site=site) as console:
                browser = stage.browser
                targets = set()
                for place in places():
                    browser.evaluate(f"location.hash = '{place}'")
                    browser.wait(f"document.querySelector('#page-{'traffic' if place == '#/' else 'other'}').checkVisibility()")
                    targets.add(browser.evaluate("document.querySelector('#page-help').href"))
                for target in sorted(targets):
                    page, section = target.split("#")
                    text = console.ask(page.removeprefix(console.base))
                    expect(re.search(f"id=[\"']{section}[\"']", text), f"{target} is served")
                # The link itself opens the section in a tab of its own.
                browser.evaluate("location.hash = '#/compose'")
                browser.wait("document.querySelector('#page-help').hash === '#compose'")
                browser.click("#page-help")
                page = opened(browser, f"{console.base}/docs/CONSOLE-PAGES.html#compose")
                browser.send("Target.closeTarget", targetId=page)
                browser.pardon(404, 409, 500)


@test
def empty_pages_say_what_to_do_first(stage):
    """Each page of a console without traffic, with its commands exactly as shown."""
    browser = stage.browser
    with live(stage) as console:
        steps = {"rules": "New rule…", "breakpoints": "Hold from now on", "lab": "Press Run", "compare": "before.sqlite", "statistics": "Send a first request",
                 "timeline": "Send a first request", "exchange": "Save all as HAR", "compose": "The requests you send appear here"}
        commands = set()
        for name, text in steps.items():
            browser.evaluate(f"location.hash = '#/{name}'")
            place = ".compose-list" if name == "compose" else ".first-step"
            browser.wait(f"document.querySelector('#page-other {place}')?.textContent.includes({text!r})")
            commands |= set(browser.evaluate("[...document.querySelectorAll('#page-other .command pre')].map((one) => one.textContent)"))
            for width in (1280, 1920):
                for scheme in ("light", "dark"):
                    browser.size(width, 720 if width == 1280 else 1080, scheme)
                    stage.shoot(f"empty-{name}-{width}-{scheme}")
            audit(stage, f"empty-{name}")
        expect(any("--capture" in command for command in commands), f"commands are offered: {commands}")
        check_commands(stage.program, commands)


def check_commands(program, commands):
    """Checks that the program has the options of each command."""
    for command in sorted(commands):
        words = shlex.split(command)
        if words[0] != "pinhole":
            continue
        options = words[1:words.index("--")] if "--" in words else words[1:]
        names = [word for word in options if word.startswith("--")]
        told = subprocess.run([program, options[0], "--help"], capture_output=True, text=True, timeout=PATIENCE)
        expect(told.returncode == 0, f"{command}: no such command")
        for name in names:
            expect(re.search(rf"{name}\b", told.stdout), f"{command}: no option {name}")
