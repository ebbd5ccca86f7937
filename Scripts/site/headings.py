"""The anchors of the site's headings: the same as where the repository is shown, and as the console's links have them."""

import re

from docutils import nodes


def slug(title):
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", title).strip().lower())


def name_sections(app, doctree):
    """Gives each section the anchor of its heading; the second of two alike ends with a number."""
    seen = {}
    for section in doctree.findall(nodes.section):
        name = slug(section.next_node(nodes.title).astext())
        count = seen[name] = seen.get(name, -1) + 1
        name = f"{name}_{count}" if count else name
        section["ids"] = [name] + [one for one in section["ids"] if one != name]
