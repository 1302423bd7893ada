"""Tables and text as HTML, where every word is escaped here and nowhere else; tables of plain text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

MOST_ROWS = 60


def text(x: object) -> str:
    """Anything as HTML that shows it as it is.

    >>> text("<b>&amp;")
    '&lt;b&gt;&amp;amp;'
    """
    return escape(str(x), quote=True)


def shown(*parts: str) -> str:
    """Parts of HTML as what a notebook shows; its typesetter leaves dollar signs in names alone."""
    return f'<div class="tex2jax_ignore mathjax_ignore">{"".join(parts)}</div>'


def heading(name: object, remark: object = "") -> str:
    """A name, and what is said of it in the same line."""
    return f"<p><b>{text(name)}</b> {text(remark)}</p>"


def table(head: Sequence[object], rows: Iterable[Sequence[object]]) -> str:
    """A table; beyond a number of rows the rest is counted.

    >>> print(table(["joint"], [["<elbow>"]]))
    <table><thead><tr><th>joint</th></tr></thead><tbody><tr><td>&lt;elbow&gt;</td></tr></tbody></table>
    """
    every = list(rows)
    body = "".join(f"<tr>{''.join(f'<td>{text(x)}</td>' for x in row)}</tr>" for row in every[:MOST_ROWS])
    if len(every) > MOST_ROWS:
        body += f'<tr><td colspan="{len(head)}">... and {len(every) - MOST_ROWS} more</td></tr>'
    top = "".join(f"<th>{text(x)}</th>" for x in head)
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """The rows of a table as lines of text, columns one below the other.

    >>> aligned([("H", "joint map"), ("phi", "to the next link")])
    ['H    joint map', 'phi  to the next link']
    """
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(x.ljust(n) for x, n in zip(row, wide, strict=True)).rstrip() for row in rows]


def number(x: float, digits: int = 4) -> str:
    """A figure short enough for a table; zero has no sign.

    >>> number(3.14159265), number(-2e-12), number(-0.0)
    ('3.142', '-2e-12', '0')
    """
    return f"{x + 0.0:.{digits}g}"


def numbers(x: Iterable[float], digits: int = 3) -> str:
    """Figures beside each other.

    >>> numbers([-0.0, 0.0, -9.81])
    '0 0 -9.81'
    """
    return " ".join(number(y, digits) for y in x)
