"""Letters for operators, and the order of words by which every rule makes a formula smaller.

    word < word'  if it weighs less; or as much and is shorter; or as long and comes first letter by letter

Every word has finitely many below it and the order is kept by multiplication from either side, so rewriting ends.
"""

from __future__ import annotations

import sys
from typing import final

from soadyn.algebra.expressions import Adjoint, Expression, Identity, Inverse, Root, Symbol, zero
from soadyn.algebra.expressions import product as joined
from soadyn.algebra.expressions import total as summed
from soadyn.algebra.rewriting.words import Polynomial, Word
from soadyn.algebra.rewriting.work import GivenUpError
from soadyn.algebra.spaces import Space
from soadyn.algebra.velocity_operators import moving

# What is defined by others outweighs them. Of the rest phi and psi are heavy, so that rules have fewer of them on the
# right; P outweighs K D, E_phi outweighs K H, V_tilde outweighs phi X_delta. The order of the names is that of letters
# that weigh the same.
RATE_LETTERS = ("eta_delta", "lambda_dot", "Z", "N_delta", "W_omega", "X_delta")
_BY_WEIGHT: dict[int, tuple[str, ...]] = {
    22: ("V_tilde",),
    1: ("A_r", "A_rp", "A_ra", "D", "D_p", "H", "H_p", "H_a", "B", "K", "K_p", *RATE_LETTERS),
    2: ("Upsilon", "Y_delta"),
    3: ("E_phi",),
    4: ("W_delta",),
    5: ("E_psi",),
    6: ("W_s",),
    10: ("P",),
    14: ("R",),
    20: ("psi", "phi", "G", "G_p"),
    25: ("phi_tilde", "psi_tilde"),
    30: ("tau", "tau_bar", "M"),
    50: ("P_plus", "V", "alpha"),
    60: ("Omega",),
    100: ("mass", "inv(mass)"),
    150: ("f",),
    200: ("T",),
}
WEIGHTS = {name: weight for weight, names in _BY_WEIGHT.items() for name in names}
RANKS = {name: rank for rank, name in enumerate(WEIGHTS)}
ROOT_WEIGHT, INVERSE_WEIGHT, OTHER_WEIGHT = 2, 1, 1


@final
class Alphabet:
    """The letters of a rewriting system, each with the atom of formulas it stands for."""

    def __init__(self) -> None:
        self.atoms: dict[str, Expression] = {}
        self._letters: dict[Expression, str] = {}
        self._weights: dict[str, int] = {}
        self._ranks: dict[str, tuple[int, str]] = {}

    def letter(self, atom: Expression, weight: int | None = None) -> str:
        """The letter of a symbol, root or inverse, or of an adjoint of one."""
        if atom not in self._letters:
            letter = str(atom)
            while letter in self.atoms:  # another symbol of the same name
                letter += "'"
            self.atoms[letter], self._letters[atom] = atom, letter
            bare = _bare(atom)
            name = moving(bare).name if isinstance(bare, Symbol) else str(bare)
            self._weights[letter] = _weight(atom) if weight is None else weight
            self._ranks[letter] = (RANKS.get(name, len(RANKS)), letter)
        return self._letters[atom]

    def __contains__(self, atom: Expression) -> bool:
        return atom in self._letters

    def same(self, atom: Expression, letter: str) -> None:
        """A letter stands for one more atom, which is equal to its own."""
        self._letters[atom] = letter

    def adjoint(self, letter: str) -> str:
        return self.letter(self.atoms[letter].T, self._weights[letter])

    def mirror(self, word: Word) -> Word:
        """The word of the adjoint."""
        return tuple(self.adjoint(letter) for letter in reversed(word))

    def weight(self, word: Word) -> int:
        return sum(self._weights[letter] for letter in word)

    def key(self, word: Word) -> tuple[int, int, tuple[tuple[int, str], ...]]:
        """Compares words by the order."""
        return self.weight(word), len(word), tuple(self._ranks[letter] for letter in word)

    def leading(self, x: Polynomial) -> Word:
        """The largest word."""
        return max(x, key=self.key)

    def expression(self, x: Polynomial, domain: Space, codomain: Space) -> Expression:
        """A polynomial as a formula: short words first, but no minus sign in front if it can be helped."""
        if not x:
            return zero(domain, codomain)
        if not all(abs(part) <= sys.float_info.max for c in x.values() for part in (c.numerator, c.denominator)):
            raise GivenUpError("the numbers of its terms leave the range of doubles")
        terms = []
        words = sorted(x, key=lambda word: (len(word), word))
        first = next((word for word in words if x[word] > 0), words[0])
        for word in sorted(words, key=lambda word: word != first):
            formula: Expression = Identity(domain)
            for letter in reversed(word):
                formula = joined(self.atoms[letter], formula)
            terms.append((x[word], formula))
        return summed(tuple(terms))


def _bare(atom: Expression) -> Expression:
    """Without adjoint."""
    if isinstance(atom, Inverse):
        return Inverse(_bare(atom.of))
    return atom.of if isinstance(atom, Adjoint) else atom


def _weight(atom: Expression) -> int:
    match _bare(atom):
        case Symbol() as bare:
            return WEIGHTS.get(moving(bare).name, OTHER_WEIGHT)
        case Root():
            return ROOT_WEIGHT
        case Inverse(of=Root()):
            return ROOT_WEIGHT
        case bare:
            return WEIGHTS.get(str(bare), INVERSE_WEIGHT)
