"""The last touch to pages that Sphinx has written: where long names may break, and what only a live notebook shows."""

from __future__ import annotations

import re
from typing import Any

from sphinx.application import Sphinx

LIVE = re.compile(r'<p class="soadyn-live">.*?</p>')
TABLE = re.compile(r"<table.*?</table>", re.DOTALL)
NAME = re.compile(r'(?<=<span class="pre">)[^<]{9,}(?=</span>)')
PLACES = re.compile(r"(?<=[_.(/=])(?=[A-Za-z])|(?<=[a-z0-9])(?=[A-Z][a-z])")


def finished(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Names in tables get places to break; addresses that a view had while the site was built go."""
    if "body" in context:
        context["body"] = TABLE.sub(lambda table: NAME.sub(breakable, table[0]), LIVE.sub("", context["body"]))


def breakable(name: re.Match[str]) -> str:
    """A name of code with places to break: after a dot, an underscore, a bracket, and at humps."""
    return PLACES.sub("<wbr>", name[0])
