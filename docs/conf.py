"""How Sphinx makes the site; `make docs` runs it. Nothing is asked of the network, then or when a page is read."""

from __future__ import annotations

import sys
from pathlib import Path

from sphinx.application import Sphinx

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from site_parts import links, math_in_pages, pictures  # noqa: E402
from site_parts.command_line import write_commands  # noqa: E402
from site_parts.demo_page import write_demo  # noqa: E402
from site_parts.finishing import finished  # noqa: E402
from site_parts.gallery import with_pictures  # noqa: E402
from site_parts.notebooks import own_kernel, with_download  # noqa: E402
from site_parts.papers import with_legend  # noqa: E402
from site_parts.reference import write_reference  # noqa: E402

from soadyn.version import __version__ as release  # noqa: E402

project = "soadyn"
author = "the soadyn authors"
version = release
language = "en"
toc_object_entries_show_parents = "hide"

extensions = ["myst_nb", "sphinx_copybutton"]
source_suffix = {".md": "myst-nb", ".myst": "myst-nb", ".ipynb": "myst-nb"}
exclude_patterns = ["site_parts", "notebooks/ipynb"]
nitpicky = True

myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 3
nb_execution_mode = "force"
nb_execution_timeout = 120
nb_execution_in_temp = True  # what notebooks write does not stay among the sources
nb_execution_raise_on_error = True
nb_merge_streams = True

html_theme = "furo"
html_title = "soadyn"
html_static_path = ["static"]
html_css_files = ["soadyn.css"]
html_js_files = ["messages.js"]
html_copy_source = False
html_show_copyright = False
# Search runs from a file as well as from a server; excerpts of the pages found would need requests that files refuse.
html_show_search_summary = False
html_search_scorer = str(HERE / "site_parts" / "search_scores.js")
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
copybutton_only_copy_prompt_lines = True


def setup(app: Sphinx) -> None:
    """Pages and pictures that the build makes come first; then the pages are read."""
    app.connect("builder-inited", lambda app: write_reference(HERE / "reference" / "api"))
    app.connect("builder-inited", lambda app: pictures.draw_all(HERE / "pictures"))
    app.connect("builder-inited", lambda app: write_commands(HERE / "reference" / "api" / "command_line.myst"))
    app.connect("source-read", with_pictures)
    app.connect("source-read", links.to_pages)
    app.connect("source-read", with_legend)
    app.connect("source-read", with_download)
    app.connect("html-page-context", finished)
    app.connect("build-finished", write_demo)
    math_in_pages.vendored(app)
    own_kernel(Path(app.doctreedir) / "jupyter")
