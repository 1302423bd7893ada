"""Pages that cite papers by tag end with what the tags stand for."""

from __future__ import annotations

from sphinx.application import Sphinx

from soadyn.theory.literature.references import REFERENCES, cited_tags


def with_legend(app: Sphinx, page: str, source: list[str]) -> None:
    """`001 (22)` is followed, at the page's end, by authors, title and year of 001."""
    if page.endswith("conventions"):  # NOTATION.md has the table itself
        return
    tags = sorted(set(cited_tags(source[0])))
    if tags:
        rows = "\n".join(f"* **{tag}**: {REFERENCES[tag]}" for tag in tags)
        source[0] += f"\n\n:::{{admonition}} Papers cited on this page\n:class: note\n\n{rows}\n:::\n"
