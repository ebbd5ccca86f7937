"""The settings of Sphinx for the documentation site."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from headings import name_sections, slug  # noqa: E402

project = "Pinhole"
html_title = "Pinhole"
author = "The authors of Pinhole"
copyright = author
extensions = ["myst_parser"]
root_doc = "index"
html_theme = "furo"
html_theme_options = {"navigation_with_keys": False}
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
# MyST reads headings as targets of links down to this level.
myst_heading_anchors = 6
# Code that is an excerpt, such as JSON with an ellipsis, is no fault of the page; newer versions do not keep the
# function below between two builds, which this one does not need.
suppress_warnings = ["misc.highlighting_failure", "config.cache"]
myst_heading_slug_func = slug


def setup(app):
    app.connect("doctree-read", name_sections, priority=1)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
