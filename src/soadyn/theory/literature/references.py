"""The papers that docstrings cite by number, and how people cite them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from types import MappingProxyType
from typing import final


@final
@dataclass(frozen=True, slots=True)
class Reference:
    """A paper: its tag here, authors, title, where and when it appeared."""

    tag: str
    authors: str
    title: str
    published: str
    year: int

    def __str__(self) -> str:
        return f"{self.authors}, {self.title}, {self.published}, {self.year}"


REFERENCES = MappingProxyType(
    {
        paper.tag: paper
        for paper in (
            Reference(
                "000",
                "A. Jain, G. Rodriguez",
                "Diagonalized Lagrangian Robot Dynamics",
                "IEEE Transactions on Robotics and Automation 11(4)",
                1995,
            ),
            Reference(
                "001",
                "G. Rodriguez, K. Kreutz-Delgado",
                "Spatial Operator Factorization and Inversion of the Manipulator Mass Matrix",
                "IEEE Transactions on Robotics and Automation 8(1)",
                1992,
            ),
            Reference(
                "002",
                "S. K. Saha",
                "The UDU^T Decomposition of Manipulator Inertia Matrix",
                "IEEE International Conference on Robotics and Automation",
                1995,
            ),
            Reference(
                "003",
                "G. Rodriguez",
                "Random Field Estimation Approach to Robot Dynamics",
                "IEEE Transactions on Systems, Man, and Cybernetics 20(5)",
                1990,
            ),
            Reference(
                "004",
                "A. Jain, G. Rodriguez",
                "An Analysis of the Kinematics and Dynamics of Under-Actuated Manipulators",
                "IEEE Transactions on Robotics and Automation 9(4)",
                1993,
            ),
        )
    }
)


def cited_tags(text: str) -> list[str]:
    """The tags of the papers that a text cites, in the order of their first mention.

    >>> cited_tags("003 (6.1); 001 (28) Identity 1; 001 (22)")
    ['003', '001']
    """
    found = re.findall(r"\b(00\d)(?= (?:\(|[A-Z]|eqs?\.|sections?|nomenclature))", text)
    return [tag for tag in dict.fromkeys(found) if tag in REFERENCES]


def legend(text: str) -> str:
    """A line for each paper that a text cites.

    >>> print(legend("see 001 (22)"))
    001  G. Rodriguez, K. Kreutz-Delgado, Spatial Operator Factorization and Inversion of the Manipulator Mass Matrix,
         IEEE Transactions on Robotics and Automation 8(1), 1992
    """
    papers = [REFERENCES[tag] for tag in sorted(cited_tags(text))]
    return "\n".join(f"{x.tag}  {x.authors}, {x.title},\n     {x.published}, {x.year}" for x in papers)


def is_citation(text: str) -> bool:
    """Does a text start with a paper's tag, as names of `sd.papers` do?

    >>> is_citation("001 Algorithm 3"), is_citation("forward_dynamics")
    (True, False)
    """
    return text[:3] in REFERENCES and text[3:4] == " "
