"""A table of rates as an SVG that follows the reader's light or dark colours."""
from html import escape

WIDTH, LEFT, BAR, GAP, TITLE = 720, 110, 16, 5, 30
STYLE = """
  text { font: 13px system-ui, sans-serif; fill: #1c2330; }
  .load { font-weight: 600; }
  .bar { fill: #9aa7b8; }
  .own { fill: #0b62c4; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e4e9f0; }
    .bar { fill: #5d6b7e; }
    .own { fill: #63a8f5; }
  }
"""


def bars(loads, names, medians):
    """One group for each of `loads` (unit by name), with a bar for each of `names` that has a median in it."""
    parts, top = [], 0
    for load, unit in loads.items():
        rates = {name: medians[load][name] for name in names if medians[load].get(name)}
        top += TITLE
        parts.append(f'<text class="load" x="0" y="{top - 8}">{escape(load)}, {escape(unit)}</text>')
        for name, rate in rates.items():
            length = max(1, (WIDTH - LEFT - 90) * rate / max(rates.values()))
            kind = "bar own" if name == "pinhole" else "bar"
            parts.append(f'<text x="{LEFT - 8}" y="{top + BAR - 3}" text-anchor="end">{escape(name)}</text>'
                         f'<rect class="{kind}" x="{LEFT}" y="{top}" width="{length:.1f}" height="{BAR}" rx="2"/>'
                         f'<text x="{LEFT + length + 8:.1f}" y="{top + BAR - 3}">{rate:,.0f}</text>')
            top += BAR + GAP
    said = "; ".join(f"{load}: pinhole {medians[load]['pinhole']:,.0f} {unit}" for load, unit in loads.items()
                     if medians[load].get("pinhole"))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {top + 6}" role="img">\n'
            f'<title>Speed beside other proxies</title><desc>{escape(said)}</desc>\n<style>{STYLE}</style>\n'
            + "\n".join(parts) + "\n</svg>\n")
