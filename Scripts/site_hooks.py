"""Fits the pages to the site: MkDocs calls these functions while `make docs` runs.

The pages also have to work where the repository is shown, so they link to files outside of docs/. The site holds the
README as a page of its own. A link to any other file outside of docs/, or to a folder, becomes plain text.

Scripts within pages become files, because the web console serves the site under a policy that allows no others. The
site does without the theme's parts for searching pages in other languages than English: they are the larger half of
its scripts, and have licences of their own (debian/copyright names those of the rest).
"""

import hashlib
import re
import shutil
from pathlib import Path

from mkdocs.structure.files import File
from mkdocs.utils import get_relative_url, write_file

ROOT = Path(__file__).resolve().parent.parent
ABOUT = "about.md"
LINK = re.compile(r"\[([^\]]*)\]\(([^)\s]+)\)")


def on_files(files, config):
    # Programs are no pages; they lie beside the pages where those are installed as files.
    for file in [file for file in files if file.src_uri.startswith("examples/")]:
        files.remove(file)
    files.append(File(ABOUT, config["docs_dir"], config["site_dir"], config["use_directory_urls"]))


def on_page_read_source(page, config):
    if page.file.src_uri == ABOUT:
        text = (ROOT / "README.md").read_text(encoding="utf-8")
        return re.sub(r"(\]\(|src(?:set)?=\")docs/", r"\1", text)
    return None


def on_page_markdown(markdown, page, config, files):
    folder = ROOT if page.file.src_uri == ABOUT else ROOT / "docs"

    def site_link(match):
        text, target = match.groups()
        path = target.partition("#")[0]
        if target == "../README.md":
            return f"[{text}]({ABOUT})"
        leaves = path.startswith("../") or files.get_file_from_path(path) is None
        return text if path and leaves and (folder / path).exists() else match.group(0)

    # Code is not changed: the odd parts lie between the fences.
    parts = re.split(r"(^```.*?^```)", markdown, flags=re.MULTILINE | re.DOTALL)
    return "".join(part if index % 2 else LINK.sub(site_link, part) for index, part in enumerate(parts))


def on_post_page(output, page, config):
    def script_file(match):
        code = match.group(1).encode()
        url = f"assets/javascripts/inline-{hashlib.sha256(code).hexdigest()[:8]}.js"
        write_file(code, str(Path(config["site_dir"]) / url))
        return f'<script src="{get_relative_url(url, page.url)}"></script>'

    return re.sub(r"<script>(.*?)</script>", script_file, output, flags=re.DOTALL)


def on_post_build(config):
    shutil.rmtree(Path(config["site_dir"]) / "assets/javascripts/lunr")
