"""How steps read and write a link's values in memory, as LLVM text."""

from __future__ import annotations

from collections.abc import Callable
from typing import final

from soadyn.engine.loops.step import Key
from soadyn.engine.native.rolled.loop_writer import LoopWriter
from soadyn.engine.native.rolled.robot_table import CONSTANT_COUNT, CONSTANT_START
from soadyn.programs.sweep.inputs import is_frame, share_of

# How many numbers of a result belong to each visible link.
LINK_NUMBERS = {"link": 16, "link vectors": 6, "link matrices": 36}


@final
class LinkValues:
    """The values of link k, of its parent and of its share of arguments and results, by key."""

    def __init__(self, text: LoopWriter, k: str) -> None:
        self.text, self.k = text, k
        w = text.w
        self.own, self.sums, self.so_far = (
            w.at("%scratch", text.entry_of(array, k)) for array in ("block", "sums", "so_far")
        )
        parent = text.entry_of("parents", k)
        self.above, self.into = (w.at("%scratch", text.entry_of(array, parent)) for array in ("block", "sums"))
        self.q = text.entry_of("q_start", k)
        self.v = text.entry_of("v_start", k)
        self.row = text.entry_of("row", k)
        self.constants = w.at("%f.constants", w.times(k, CONSTANT_COUNT), text.vectors.scalar)

    def reader(self, c: int) -> Callable[[Key], str]:
        """Loads the value of a key into a register, for a link of joint class c."""
        t, w, slots = self.text, self.text.w, self.text.layout

        def read(key: Key) -> str:
            where, name, i = key
            match where:
                case "constant":
                    return t.spread(self.constants, CONSTANT_START[name] + i)
                case "own":
                    return w.load(self.own, slots.own[c][name, i])
                case "parent":
                    return w.load(self.above, slots.share[name, i])
                case "sum":
                    return w.load(self.sums, slots.sums[name, i])
                case "ground":
                    return w.load(w.at("%scratch", t.entry_of("sums", "0")), slots.sums[name, i])
                case _ if is_frame(where):
                    return w.load(f"%at_{where}", slots.share[name, i])
                case "once":
                    return w.load("%scratch", w.plus("%f.once", slots.once[name, i]))
                case "whole" if name == "gravity":
                    return t.spread("%f.gravity", i)
                case "whole":
                    return w.load("%scratch", w.plus(f"%f.{name}.start", i))
                case "input" if share_of(name) == "wrench":
                    return self._wrench(name, i)
                case "input":
                    return w.load("%scratch", self._input(name, i))
            raise AssertionError(key)

        return read

    def _input(self, name: str, i: int) -> str:
        start = "%f.unit" if name == "unit" else f"%f.{name}.start"
        first = {"coordinates": self.q, "each": self.k}.get(share_of(name) or "joint", self.v)
        return self.text.w.plus(self.text.w.plus(start, first), i)

    def _wrench(self, name: str, i: int) -> str:
        """A visible link's spatial vector; zero for a hidden link, which has none."""
        t, w = self.text, self.text.w
        hidden = w.set(f"icmp slt i64 {self.row}, 0")
        row = w.set(f"select i1 {hidden}, i64 0, i64 {self.row}")
        x = w.load("%scratch", w.plus(t.entry(row, i, 6), f"%f.{name}.start"))
        return w.set(f"select i1 {hidden}, {t.vectors.real} zeroinitializer, {t.vectors.real} {x}")

    def writer(self, c: int, column: str) -> Callable[[Key, str], None]:
        """Stores a register under a key; `column` is the one of the joint identity that the loop is repeated for."""
        t, w, slots = self.text, self.text.w, self.text.layout

        def write(key: Key, register: str) -> None:
            where, name, i = key
            match where:
                case "own":
                    w.store(register, self.own, slots.own[c][name, i])
                case "share":
                    w.store(register, self.own, slots.share[name, i])
                case "add":
                    t.add(register, self.so_far, self.into, slots.sums[name, i])
                case "once":
                    w.store(register, "%scratch", w.plus("%f.once", slots.once[name, i]))
                case "out":
                    self._out(int(name), i, register, c, column)

        return write

    def _out(self, place: int, i: int, register: str, c: int, column: str) -> None:
        t, w, base = self.text, self.text.w, f"%base.out{place}"
        nv = t.plan.classes[c].kind.nv
        row, own_column = w.plus(self.v, i // nv), w.plus(self.v, i % nv)
        component = w.plus(self.v, i)
        match t.plan.program.outputs[place].layout:
            case "whole":
                w.store(register, base, i)
            case "coordinates":
                w.store(register, base, w.plus(self.q, i))
            case "joint":
                w.store(register, base, component)
            case "sum":
                t.add(register, base, base, i)
            case "columns":
                w.store(register, base, t.entry(i // nv, own_column))
            case "blocks":
                w.store(register, base, t.entry(row, own_column))
            case "joint columns":
                w.store(register, base, t.entry(component, column))
            case "joint matrix":
                w.store(register, base, t.entry(component, column))
                w.store(register, base, t.entry(column, component))
            case "link" | "link vectors" | "link matrices" as layout:
                size = LINK_NUMBERS[layout]
                t.when_visible(self.row, lambda: w.store(register, base, t.entry(self.row, i, size)))
