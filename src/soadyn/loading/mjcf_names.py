"""Names for everything in an MJCF model, and where it is said: bodies and joints may have no name there."""

from __future__ import annotations

from typing import Any, final

from soadyn.loading.document import Element
from soadyn.loading.source import Source
from soadyn.model.model import GROUND, ROOT_JOINT


@final
class Names:
    """Unique names by MuJoCo's index: bodies, joints, welds (by body), links between joints (by joint), sites."""

    def __init__(self, compiled: Any, documents: list[Element], source: Source) -> None:
        self.file = source.name
        self.lines = _lines(documents)
        self.bodies, self.joints = compiled.facts["body"], compiled.facts["joint"]
        self.site = compiled.facts["site"]
        hosts = compiled.jnt_bodyid
        self.body = unique(self.bodies, [f"body{k}" for k in range(compiled.nbody)], set())
        self.joint = unique(self.joints, [f"{self.body[hosts[k]]}_joint" for k in range(compiled.njnt)], {ROOT_JOINT})
        self.weld = unique([""] * compiled.nbody, [f"{name}_weld" for name in self.body], set(self.joint))
        taken = {*self.body, *self.site}
        self.between = unique(
            [""] * compiled.njnt, [f"{self.body[hosts[k]]}/{name}" for k, name in enumerate(self.joint)], taken
        )

    def where(self, tag: str, name: str) -> str:
        """The file and line of a named element; the file alone if the name was made by MuJoCo."""
        return self.lines.get((tag, name), self.file)

    def where_body(self, body: int) -> str:
        return self.where("body", self.bodies[body])

    def where_joint(self, joint: int) -> str:
        return self.where("joint", self.joints[joint])


def _lines(documents: list[Element]) -> dict[tuple[str, str], str]:
    lines: dict[tuple[str, str], str] = {}
    for document in documents:
        for element in document.walk():
            tag = "joint" if element.tag == "freejoint" else element.tag
            if name := element.attributes.get("name"):
                lines.setdefault((tag, name), element.where)
    return lines


def unique(given: list[str], otherwise: list[str], taken: set[str]) -> list[str]:
    """The given names; where there is none the other one, numbered if it is taken."""
    taken = taken | {name for name in given if name} | {GROUND}
    names = []
    for name, fallback in zip(given, otherwise, strict=True):
        if not name:
            name, number = fallback, 2
            while name in taken:
                name, number = f"{fallback}{number}", number + 1
            taken.add(name)
        names.append(name)
    return names
