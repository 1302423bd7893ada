"""Rules that replace a word by a smaller polynomial, sets of them, and the critical pairs of a set."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import final

from soadyn.algebra.rewriting.alphabet import Alphabet
from soadyn.algebra.rewriting.words import Polynomial, Word, mirrored, plus, ratio, total, within
from soadyn.algebra.rewriting.work import Work
from soadyn.errors import SpaceError


@final
@dataclass(frozen=True, slots=True)
class Reason:
    """Why a rule holds: the row of the identity table and its place in the papers, or something said in words."""

    name: str
    reference: str = ""

    def __str__(self) -> str:
        return f"{self.name} [{self.reference}]" if self.reference else self.name


@final
@dataclass(frozen=True, slots=True)
class Rule:
    """left -> right, every word of the right being smaller than the left."""

    left: Word
    right: Polynomial = field(hash=False)
    reason: Reason


def oriented(equation: Polynomial, reason: Reason, alphabet: Alphabet) -> Rule:
    """The rule of an equation polynomial = 0: its largest word is replaced by the rest."""
    left = alphabet.leading(equation)
    if not left:
        raise SpaceError(
            "the formula contradicts itself: by the identities of the papers an inverse in it cannot exist"
        )
    number = equation[left]
    return Rule(left, {word: ratio(-c, number) for word, c in equation.items() if word != left}, reason)


def both_ways(equation: Polynomial, reason: Reason, alphabet: Alphabet) -> list[Rule]:
    """The rules of an equation and of its adjoint."""
    rule = oriented(equation, reason, alphabet)
    other = oriented(mirrored(equation, alphabet.mirror), reason, alphabet)
    return [rule] if other.left == rule.left else [rule, other]


@final
class RuleSet:
    """Rules applied until none fits."""

    def __init__(self, rules: Sequence[Rule], work: Work | None = None) -> None:
        self.rules = tuple(rules)
        self._work = work or Work()
        self._by_first: dict[str, list[Rule]] = {}
        for rule in self.rules:
            self._by_first.setdefault(rule.left[0], []).append(rule)
        self._normal: dict[Word, Polynomial] = {}

    def normal(self, x: Polynomial) -> Polynomial:
        """The polynomial with all its words reduced."""
        for word in x:
            self._reduce(word)
        return self._collected(x)

    def _reduce(self, word: Word) -> None:
        """Find the normal form of a word, after those of the smaller words that a rule makes of it."""
        stack, steps = [word], dict[Word, Polynomial]()
        while stack:
            word = stack[-1]
            if word in self._normal:
                stack.pop()
            elif word in steps:
                self._normal[word] = self._collected(steps[word])
            else:
                step = steps[word] = self._step(word)
                if word in step:
                    self._normal[word] = step
                stack += (smaller for smaller in step if smaller not in self._normal)

    def _collected(self, x: Polynomial) -> Polynomial:
        """The polynomial of the normal forms of its words, which are known."""
        forms = [(self._normal[word], number) for word, number in x.items()]
        self._work.add(sum(len(form) for form, _ in forms))
        return total((word, number * c) for form, number in forms for word, c in form.items())

    def _step(self, word: Word) -> Polynomial:
        """The word rewritten once, or itself if no rule fits."""
        self._work.spend(len(word))
        for i, letter in enumerate(word):
            for rule in self._by_first.get(letter, ()):
                end = i + len(rule.left)
                if word[i:end] == rule.left:
                    return around(word[:i], rule.right, word[end:])
        return {word: 1}


def critical_pairs(first: Rule, second: Rule) -> Iterator[Polynomial]:
    """The differences of the two ways to rewrite a word on which both rules fit, overlapping."""
    a, b = first.left, second.left
    for n in range(1, min(len(a), len(b))):
        if a[-n:] == b[:n]:
            yield plus(around((), first.right, b[n:]), around(a[:-n], second.right, ()), -1)
    at = within(a, b) if first is not second else None
    if at is not None:
        yield plus(first.right, around(a[:at], second.right, a[at + len(b) :]), -1)


def around(before: Word, x: Polynomial, after: Word) -> Polynomial:
    return total((before + word + after, c) for word, c in x.items())


def completed(
    rules: Sequence[Rule], new: Sequence[Rule], alphabet: Alphabet, most: int, work: Work | None = None
) -> list[Rule]:
    """Rules with the consequences of new ones: their critical pairs, at most so many of them, as further rules.

    Sound in any case; confluent if it ends before the bound.
    """
    found, queue, work = list(rules), list(new), work or Work()
    added = 0
    while queue and added < most:
        queue.sort(key=lambda rule: alphabet.key(rule.left))
        rule = queue.pop(0)
        equation = RuleSet(found, work).normal(plus({rule.left: 1}, rule.right, -1))
        if not equation:
            continue
        for fresh in both_ways(equation, rule.reason, alphabet):
            found.append(fresh)
            added += 1
            known = RuleSet(found, work)
            for other in tuple(found):
                work.spend(len(fresh.left) + len(other.left))
                for pair in (*critical_pairs(fresh, other), *critical_pairs(other, fresh)):
                    left_over = known.normal(pair)
                    if left_over:
                        queue.append(oriented(left_over, rule.reason, alphabet))
    return found
