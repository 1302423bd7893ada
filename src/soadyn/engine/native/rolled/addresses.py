"""How steps read and write a link's values in memory, as LLVM text."""

from __future__ import annotations

from collections.abc import Callable
from typing import final

from soadyn.engine.loops.step import Key
from soadyn.engine.native.rolled.link_numbers import CONSTANT_COUNT, CONSTANT_START
from soadyn.engine.native.rolled.loop_writer import LoopWriter
from soadyn.programs.sweep.inputs import is_frame, share_of

# How many numbers of a result belong to each visible link.
LINK_NUMBERS = {"link": 16, "link vectors": 6, "link matrices": 36}


@final
class LinkValues:
    """The values of link k, of its parent and of its share of arguments and results, by key."""

    def __init__(self, text: LoopWriter, k: str) -> None:
        self.text, self.k = text, k
        w = text.w
        self.own, self.share, self.sums, self.so_far = (
            text.at("%scratch", text.entry_of(array, k)) for array in ("block", "share", "sums", "so_far")
        )
        parent = text.entry_of("parents", k)
        self.above, self.into = (text.at("%scratch", text.entry_of(array, parent)) for array in ("share", "sums"))
        self.q = text.entry_of("q_start", k)
        self.v = text.entry_of("v_start", k)
        self.row = text.entry_of("row", k)
        offset = w.set(f"mul i64 {k}, {CONSTANT_COUNT}")
        self.constants = w.set(f"getelementptr {text.vectors.scalar}, ptr %f.constants, i64 {offset}")

    def reader(self, c: int) -> Callable[[Key], str]:
        """Loads the value of a key into a register, for a link of joint class c."""
        t, w, slots = self.text, self.text.w, self.text.layout

        def read(key: Key) -> str:
            where, name, i = key
            match where:
                case "constant":
                    at = CONSTANT_START[name] + i
                    return t.spread(w.set(f"getelementptr {t.vectors.scalar}, ptr {self.constants}, i64 {at}"))
                case "own":
                    return t.load(self.own, slots.own[c][name, i])
                case "parent":
                    return t.load(self.above, slots.share[name, i])
                case "sum":
                    return t.load(self.sums, slots.sums[name, i])
                case "ground":
                    return t.load("%ground_sums", slots.sums[name, i])
                case _ if is_frame(where):
                    return t.load(f"%at_{where}", slots.share[name, i])
                case "once":
                    return t.load("%scratch", w.set(f"add i64 %f.once, {slots.once[name, i]}"))
                case "whole" if name == "gravity":
                    return t.spread(w.set(f"getelementptr {t.vectors.scalar}, ptr %f.gravity, i64 {i}"))
                case "whole":
                    return t.load("%scratch", w.set(f"add i64 %f.{name}.start, {i}"))
                case "input" if share_of(name) == "wrench":
                    return self._wrench(name, i)
                case "input":
                    return t.load("%scratch", self._input(name, i))
            raise AssertionError(key)

        return read

    def _input(self, name: str, i: int) -> str:
        w = self.text.w
        if name == "unit":
            return w.set(f"add i64 {w.set(f'add i64 %f.unit, {self.v}')}, {i}")
        match share_of(name):
            case "coordinates":
                index = self.q
            case "joint":
                index = self.v
            case _:
                index = self.k
        return w.set(f"add i64 {w.set(f'add i64 {index}, {i}')}, %f.{name}.start")

    def _wrench(self, name: str, i: int) -> str:
        """A visible link's spatial vector; zero for a hidden link, which has none."""
        t, w = self.text, self.text.w
        hidden = w.set(f"icmp slt i64 {self.row}, 0")
        row = w.set(f"select i1 {hidden}, i64 0, i64 {self.row}")
        index = w.set(f"add i64 {w.set(f'mul i64 {row}, 6')}, {i}")
        x = t.load("%scratch", w.set(f"add i64 {index}, %f.{name}.start"))
        return w.set(f"select i1 {hidden}, {t.vectors.real} zeroinitializer, {t.vectors.real} {x}")

    def writer(self, c: int, column: str) -> Callable[[Key, str], None]:
        """Stores a register under a key; `column` is the one of the joint identity that the loop is repeated for."""
        t, w, slots = self.text, self.text.w, self.text.layout

        def write(key: Key, register: str) -> None:
            where, name, i = key
            match where:
                case "own":
                    t.store(register, self.own, slots.own[c][name, i])
                case "share":
                    t.store(register, self.share, slots.share[name, i])
                case "add":
                    slot = slots.sums[name, i]
                    so_far = t.load(self.so_far, slot)
                    t.store(w.set(f"fadd {t.vectors.real} {so_far}, {register}"), self.into, slot)
                case "once":
                    t.store(register, "%scratch", w.set(f"add i64 %f.once, {slots.once[name, i]}"))
                case "out":
                    self._out(int(name), i, register, c, column)

        return write

    def _out(self, place: int, i: int, register: str, c: int, column: str) -> None:
        t, w = self.text, self.text.w
        nv = t.plan.classes[c].kind.nv
        base = f"%base.out{place}"

        def store(index: str | int) -> None:
            t.store(register, base, index)

        match t.plan.program.outputs[place].layout:
            case "whole":
                store(i)
            case "coordinates":
                store(w.set(f"add i64 {self.q}, {i}"))
            case "joint":
                store(w.set(f"add i64 {self.v}, {i}"))
            case "sum":
                so_far = t.load(base, i)
                t.store(w.set(f"fadd {t.vectors.real} {so_far}, {register}"), base, i)
            case "columns":
                row = w.set(f"mul i64 %f.nv, {i // nv}")
                store(w.set(f"add i64 {w.set(f'add i64 {row}, {self.v}')}, {i % nv}"))
            case "blocks":
                row = w.set(f"mul i64 {w.set(f'add i64 {self.v}, {i // nv}')}, %f.nv")
                store(w.set(f"add i64 {w.set(f'add i64 {row}, {self.v}')}, {i % nv}"))
            case "joint columns":
                r = w.set(f"add i64 {self.v}, {i}")
                store(w.set(f"add i64 {w.set(f'mul i64 {r}, %f.nv')}, {column}"))
            case "joint matrix":
                r = w.set(f"add i64 {self.v}, {i}")
                store(w.set(f"add i64 {w.set(f'mul i64 {r}, %f.nv')}, {column}"))
                store(w.set(f"add i64 {w.set(f'mul i64 {column}, %f.nv')}, {r}"))
            case "link" | "link vectors" | "link matrices" as layout:
                size = LINK_NUMBERS[layout]

                def visible() -> None:
                    store(w.set(f"add i64 {w.set(f'mul i64 {self.row}, {size}')}, {i}"))

                t.if_visible(self.row, visible, "shown")
