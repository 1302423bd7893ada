"""How a page looks in the window it is opened in: the scene, its charts beside or below it, its legend in a corner.

viser's client asks the page's address for a camera and for dark colours. Where the address says nothing, a script
answers: everything in sight, and dark if the page around this one, or else the reader's system, is dark.
"""

from __future__ import annotations

from soadyn.view.charts import WIDTH
from soadyn.view.framing import Framing

COLUMN = WIDTH + 20  # of charts, in pixels
BAR = 40  # height of the time bar, in pixels
WIDE = 900  # pixels from which charts stand beside the scene
SHARE = 0.55  # of a narrow window's height that the scene keeps above its charts


def script(framing: Framing, charts: bool, moves: bool) -> str:
    """What runs before viser's own script, once the window's width is known."""
    return SCRIPT.replace("SCENE", framing.told()).replace("FREE", _free_space(charts, moves))


def _free_space(charts: bool, moves: bool) -> str:
    """JavaScript for the width and height that the scene has."""
    bar = BAR if moves else 0
    if not charts:
        return f"[innerWidth, innerHeight - {bar}]"
    wide = f"[innerWidth - {COLUMN}, innerHeight - {bar}]"
    return f"innerWidth >= {WIDE} ? {wide} : [innerWidth, {SHARE} * innerHeight - {bar}]"


def style(dark: bool) -> str:
    """The style of what soadyn adds to viser's page; `dark` is for all readers."""
    colours = "--ink:#e8eaf0;--ground:#0b0e1a"
    return (
        f"<style>:root{{{colours if dark else '--ink:#222;--ground:#fff'}}}:root[data-dark]{{{colours}}}"
        f"#charts{{position:fixed;right:0;bottom:0;padding:8px;box-sizing:border-box;overflow-y:auto;color:var(--ink);"
        f"background:var(--ground);z-index:1}}#charts svg{{max-width:100%;height:auto;display:block;margin:auto}}"
        f"#legend{{position:fixed;left:12px;top:10px;max-width:calc(100% - {COLUMN}px);color:var(--ink);z-index:1;"
        "font-size:13px;line-height:1.5;pointer-events:none;display:flex;flex-flow:row wrap;gap:0 14px}"
        "#legend b{width:100%;font-size:17px}"
        "#legend i{display:inline-block;width:10px;height:10px;border-radius:2px;margin-right:3px}"
        f"@media(min-width:{WIDE}px){{#charts{{top:0;width:{COLUMN}px}}"
        f"#root:has(~#charts){{width:calc(100% - {COLUMN}px)!important}}}}"
        f"@media(max-width:{WIDE - 1}px){{#charts{{left:0;height:{100 - 100 * SHARE:g}%;display:flex;"
        "flex-wrap:wrap;justify-content:center;align-content:flex-start}#charts svg{margin:0}"
        f"#root:has(~#charts){{height:{100 * SHARE:g}%!important}}"
        "#legend{max-width:calc(100% - 24px);font-size:11px}#legend b{font-size:14px}}"
        "</style>"
    )


SCRIPT = """<script>{
const scene = SCENE;
const [width, height] = FREE;
const answers = {};
if (width > 0 && height > 0) {
  const letter = 9;  // of a label, in pixels
  let d = 0;
  for (const [a, u, t] of scene.points)
    d = Math.max(d, t + Math.max(Math.abs(u), Math.abs(a) * height / width) / scene.half);
  for (const [a, u, t, letters] of scene.labels)
    d = Math.max(d, t + Math.abs(a) * height / scene.half / Math.max(width - letter * letters, 0.6 * width));
  answers.initialCameraPosition = scene.middle.map((x, i) => x + scene.margin * d * scene.towards[i]).join(',');
}
let around = '';
try { around = parent === window ? '' : parent.document.body.dataset.theme; } catch {}
if (around === 'dark' || (around !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)) {
  answers.darkMode = '';
  document.documentElement.dataset.dark = '';
}
const get = URLSearchParams.prototype.get;
URLSearchParams.prototype.get = function (name) { return get.call(this, name) ?? answers[name] ?? null; };
}</script>"""
