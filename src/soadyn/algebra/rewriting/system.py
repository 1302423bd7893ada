"""The rewriting system for given formulas: the rules of the arm, and those of the inverses and roots that occur."""

from __future__ import annotations

from collections.abc import Iterable
from typing import final

from soadyn.algebra.expressions import (
    Adjoint,
    Expression,
    Identity,
    Inverse,
    Product,
    Root,
    Sum,
    Symbol,
    inv,
    is_square,
    walk,
)
from soadyn.algebra.identities import IDENTITIES
from soadyn.algebra.operators import OPERATORS
from soadyn.algebra.rewriting.alphabet import Alphabet
from soadyn.algebra.rewriting.modes import ABBREVIATING_STAGES, ARTICULATED_NAMES, TURNING, Mode
from soadyn.algebra.rewriting.multiplying import multiplied_out, without_cancelling
from soadyn.algebra.rewriting.rules import Reason, Rule, RuleSet, both_ways, completed
from soadyn.algebra.rewriting.words import (
    ONE,
    Number,
    Polynomial,
    Word,
    exact,
    letter_alone,
    mirrored,
    plus,
    ratio,
    scaled,
    times,
    total,
)
from soadyn.algebra.rewriting.work import Work
from soadyn.algebra.velocity_operators import VELOCITY_OPERATORS, Along
from soadyn.errors import SpaceError

MULTIPLIED_OUT, CANCELS = Reason("multiplied out"), Reason("an inverse cancels")
MOST_CONSEQUENCES = 24  # rules derived from those of one inverse, root or lemma

Step = tuple[Polynomial, Reason]
Terms = frozenset[tuple[Word, Number]]  # a polynomial that can be looked up


@final
class System:
    """Rules in stages: first reductions and the rules of inverses, roots and lemmas, then the definitions."""

    def __init__(self, mode: Mode, work: Work | None = None) -> None:
        self.mode, self.work = mode, work or Work()
        self.alphabet = Alphabet()
        abbreviated = [self._row_rules(stage) for stage in mode.definitions[:ABBREVIATING_STAGES]]
        abbreviated[0] += [rule for joint in mode.joints for rule in self._row_rules(TURNING, joint=joint)]
        plain = RuleSet([rule for rules in abbreviated for rule in rules], self.work)
        self._definitions = abbreviated + [self._row_rules(s, plain) for s in mode.definitions[ABBREVIATING_STAGES:]]
        self._own: list[Rule] = []  # meanings of a user's abbreviations and of inverses in closed form
        if not mode.armature:
            rotors = (self.alphabet.letter(OPERATORS[name]) for name in mode.rotors)
            self._own += [Rule((letter,), {}, Reason("A_r = 0")) for letter in rotors]
        self._reductions = self._inverse_pair(OPERATORS["D_p" if mode.passive else "D"])
        self._reductions += self._row_rules(mode.reductions, plain)
        self._reductions += [rule for x in mode.joints for rule in self._row_rules(mode.directed, plain, x)]
        self._opaque: dict[Terms, str] = {}
        self._known: dict[Terms, tuple[Polynomial, Reason]] | None = None
        self._all: RuleSet | None = None
        self._groups: dict[int, dict[Reason, RuleSet]] = {}

    # Formulas to polynomials

    def polynomial(self, x: Expression) -> Polynomial:
        """A formula, multiplied out; rules for its inverses, roots and abbreviations join the system."""
        match x:
            case Identity():
                return ONE
            case Product():
                found = ONE
                for factor in without_cancelling(x.factors):
                    found = self._times(found, self.polynomial(factor))
                return found
            case Sum():
                return total((w, c * exact(n)) for n, term in x.terms for w, c in self.polynomial(term).items())
            case Inverse():
                return letter_alone(self._inverse(x))
            case Root() | Adjoint(of=Root()):
                return letter_alone(self._root(x))
            case Symbol() | Adjoint():
                return letter_alone(self._symbol(x))
        raise TypeError(f"no formula: {type(x).__name__}")

    def normal(self, x: Polynomial) -> Polynomial:
        """The normal form by all rules."""
        return self.rules.normal(x)

    @property
    def rules(self) -> RuleSet:
        if self._all is None:
            defined = [rule for stage in self._definitions for rule in stage]
            self._all = RuleSet([*self._own, *self._reductions, *defined], self.work)
        return self._all

    @property
    def stages(self) -> int:
        return len(self._definitions)

    def chain(self, x: Polynomial, stage: int) -> list[Step]:
        """The steps that rewrite a polynomial, each for one reason, with the definitions of the first stages only."""
        groups = self._groups.get(stage)
        if groups is None:
            defined = [rule for rules in self._definitions[:stage] for rule in rules]
            by_reason: dict[Reason, list[Rule]] = {}
            for rule in [*self._own, *self._reductions, *defined]:
                by_reason.setdefault(rule.reason, []).append(rule)
            groups = {reason: RuleSet(rules, self.work) for reason, rules in by_reason.items()}
            self._groups[stage] = groups
        steps: list[Step] = []
        while True:
            for reason, rules in groups.items():
                smaller = rules.normal(x)
                if smaller != x:
                    x = smaller
                    steps.append((x, reason))
                    break
            else:
                return steps

    def _times(self, x: Polynomial, y: Polynomial) -> Polynomial:
        self.work.add(len(x) * len(y))
        return times(x, y)

    def _changed(self) -> None:
        self._all, self._groups = None, {}

    def use(self, left: Expression, right: Expression, reason: Reason) -> bool:
        """Add left = right as a rule that chains try first; returns whether it follows from the other rules."""
        x, y = self.polynomial(left), self.polynomial(right)
        if x == y:
            return True
        equation = self.normal(plus(x, y, -1))
        if equation:
            self._extend(both_ways(equation, reason, self.alphabet))
        else:
            self._own[:0] = both_ways(plus(x, y, -1), reason, self.alphabet)
            self._changed()
        return not equation

    def names(self) -> list[tuple[str, Polynomial]]:
        """The operators with definitions, and the normal forms of these."""
        letters = [rule.left[0] for stage in self._definitions for rule in stage]
        return [(letter, meaning) for letter in letters if (meaning := self.normal(letter_alone(letter)))]

    # Rules

    def _row_rules(
        self, names: Iterable[str], abbreviations: RuleSet | None = None, joint: Along | None = None
    ) -> list[Rule]:
        """Rows as rules, without the operators that abbreviate others."""
        found: list[Rule] = []
        for name in names:
            left, right = self.mode.sides(name, joint)
            equation = plus(self._written(left), self._written(right), -1)
            equation = abbreviations.normal(equation) if abbreviations else equation
            found += both_ways(equation, Reason(name, IDENTITIES[name].reference), self.alphabet)
        return found

    def _written(self, x: Expression) -> Polynomial:
        """A row's side, whose inverses are letters; not counted as work, since it is the same for all formulas."""
        return multiplied_out(x, self.alphabet, Work())

    def _extend(self, rules: Iterable[Rule]) -> None:
        defined = [rule for stage in self._definitions for rule in stage]
        known = [*self._own, *self._reductions, *defined]
        self._reductions += completed(known, list(rules), self.alphabet, MOST_CONSEQUENCES, self.work)[len(known) :]
        self._changed()

    def _define(self, letter: str, meaning: Polynomial, reason: Reason) -> None:
        rule = Rule((letter,), meaning, reason)
        other = Rule((self.alphabet.adjoint(letter),), mirrored(meaning, self.alphabet.mirror), reason)
        self._own += [rule] if other.left == rule.left else [rule, other]
        self._changed()

    def _symbol(self, x: Symbol | Adjoint) -> str:
        symbol = x.of if isinstance(x, Adjoint) else x
        known = symbol in self.alphabet
        letter = self.alphabet.letter(x)
        if isinstance(symbol, Symbol) and symbol.formula is not None and not known:
            meaning = self.polynomial(symbol.formula)
            self._define(self.alphabet.letter(symbol), meaning, Reason(f"what {symbol.name} stands for"))
        return letter

    def _root(self, x: Expression) -> str:
        root = x.of if isinstance(x, Adjoint) else x
        assert isinstance(root, Root)
        if root not in self.alphabet:
            letter = self.alphabet.letter(root)
            square: Polynomial = {(letter, self.alphabet.letter(root.T)): 1}
            squared, reason = self.normal(self.polynomial(root.of)), Reason(f"{root} @ {root}.T = {root.of}")
            if not squared:
                self._define(letter, {}, reason)
            else:
                if root.of.name not in self.mode.singular:
                    self._reductions += self._inverse_pair(root)
                self._extend(both_ways(plus(square, squared, -1), reason, self.alphabet))
        return self.alphabet.letter(x)

    def _inverse_pair(self, atom: Expression) -> list[Rule]:
        """atom inv(atom) = 1 = inv(atom) atom."""
        letter, inverse = self.alphabet.letter(atom), self.alphabet.letter(inv(atom))
        found: list[Rule] = []
        for word in ((letter, inverse), (inverse, letter)):
            found += both_ways(plus({word: 1}, ONE, -1), CANCELS, self.alphabet)
        return found

    # Inverses

    def _inverse(self, x: Inverse) -> str:
        if x in self.alphabet:
            return self.alphabet.letter(x)
        meant = self.normal(self.polynomial(x.of))
        if not meant:
            raise SpaceError(f"{x}: {x.of} is zero by the identities of the papers and has no inverse")
        if isinstance(x.of, Root) or (isinstance(x.of, Adjoint) and isinstance(x.of.of, Root)):
            return self.alphabet.letter(x)  # its rules are those of the root
        number = meant[self.alphabet.leading(meant)]
        key = frozenset(scaled(meant, ratio(1, number)).items())
        if key in self.known_inverses:
            inverse, reason = self.known_inverses[key]
            return self._defined_inverse(x, scaled(inverse, ratio(1, number)), reason)
        if isinstance(x.of, Product) and all(is_square(factor) for factor in x.of.factors):
            inverse = ONE
            for factor in x.of.factors:
                inverse = self._times(self.polynomial(inv(factor)), inverse)
            return self._defined_inverse(x, inverse, Reason("the inverse of a product"))
        return self._opaque_inverse(x, meant)

    def _defined_inverse(self, x: Inverse, meaning: Polynomial, reason: Reason) -> str:
        weight = 1 + max(map(self.alphabet.weight, meaning))
        letter = self.alphabet.letter(x, weight)
        if meaning != letter_alone(letter):
            self._define(letter, meaning, reason)
        return letter

    def _opaque_inverse(self, x: Inverse, meant: Polynomial) -> str:
        """A new letter for an inverse without closed form; all that is known of it is that it cancels."""
        key = frozenset(meant.items())
        if key in self._opaque:
            letter = self._opaque[key]
            self.alphabet.same(x, letter)
            return letter
        letter = self._opaque[key] = self.alphabet.letter(x)
        if self.normal(mirrored(meant, self.alphabet.mirror)) == meant:
            self.alphabet.same(x.T, letter)
        word: Polynomial = letter_alone(letter)
        found: list[Rule] = []
        for product in (self._times(meant, word), self._times(word, meant)):
            found += both_ways(plus(product, ONE, -1), CANCELS, self.alphabet)
        self._extend(found)
        return letter

    @property
    def known_inverses(self) -> dict[Terms, tuple[Polynomial, Reason]]:
        """The normal forms of what has an inverse in closed form, scaled to one in front of the largest word."""
        if self._known is None:
            self._known = {}
            for name in self.mode.inverses:
                left, right = self.mode.sides(name)
                assert isinstance(left, Inverse)
                reason = Reason(name, IDENTITIES[name].reference)
                X, Y = (self.normal(self._written(side)) for side in (left.of, right))
                for one, other in ((X, Y), (Y, X)):
                    for x, y in ((one, other), tuple(mirrored(z, self.alphabet.mirror) for z in (one, other))):
                        number = x[self.alphabet.leading(x)]
                        self._known[frozenset(scaled(x, ratio(1, number)).items())] = scaled(y, number), reason
        return self._known


def system_for(
    formulas: Iterable[Expression], passive: bool, assume: Iterable[str] = (), work: Work | None = None
) -> System:
    """The system of the operators that occur in formulas."""
    parts = [part for formula in formulas for part in walk(formula)]
    symbols = [part for part in parts if isinstance(part, Symbol)]
    names = {symbol.name for symbol in symbols}
    joints = tuple(dict.fromkeys(symbol.along for symbol in symbols if symbol.along is not None))
    articulated = bool(names & ARTICULATED_NAMES) or any(isinstance(part, Inverse) for part in parts)
    composite = "no" if "R" not in names else "beside articulated" if articulated else "alone"
    assumed = set(assume)
    return System(
        Mode(
            passive=passive,
            armature="A_r = 0" not in assumed,
            serial="serial" in assumed,
            one_frame="one frame" in assumed,
            single="single joints" in assumed,
            rates=not passive and bool(names & VELOCITY_OPERATORS.keys()),
            crossed=not passive and "V_tilde" in names,
            joints=() if passive else joints,
            composite=composite,  # type: ignore[arg-type]
        ),
        work,
    )
