"""From LLVM text to machine code, and from there to an address in memory."""

from __future__ import annotations

import ctypes
import hashlib
from collections.abc import Callable
from functools import cache
from typing import Any, final
from weakref import finalize

from soadyn.engine.cache.code_cache import found, keep
from soadyn.engine.native.llvm.processor import Processor, llvm
from soadyn.fork_safe import making

# Held while LLVM works: llvmlite has a lock of its own, which a child forked meanwhile would find held for ever.
llvm_lock = making


def made(
    content: str | None, text: Callable[[], str], target: Processor, optimise: bool = False, function: str = "loop"
) -> Loaded:
    """Machine code from memory, from disk, or compiled now; kept by a hash of all that its text depends on.

    Where there is no such hash, `content`, it is kept by one of the text.
    """
    written = "" if content else text()
    name = name_of(content or written, target, optimise)
    code = found(name)
    if code is not None:
        return Loaded(code, function, target, from_cache=True)
    code = object_code(written or text(), target, optimise)
    keep(name, code)
    return Loaded(code, function, target)


def name_of(content: str, target: Processor, optimise: bool) -> str:
    """The name for code that is determined by a text or a hash."""
    import llvmlite

    versions = (llvmlite.__version__, *llvm().llvm_version_info)
    parts = (content, target.name, target.features, str(optimise), repr(versions))
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def object_code(text: str, target: Processor, optimise: bool) -> bytes:
    """Machine code of a module given as text.

    Straight-line code needs no passes. Loops need values kept in registers and addresses folded; LLVM's whole second
    level takes as long again as writing the code does and makes no kernel faster.
    """
    with llvm_lock:
        binding, machine = llvm(), _shared_machine(target)
        # LLVM keeps the constants of a text as long as their context, and its global context as long as the process.
        with binding.create_context() as context, binding.parse_assembly(text, context) as module:
            if optimise:
                passes = binding.create_new_module_pass_manager()
                passes.add_sroa_pass()
                passes.add_instruction_combine_pass()
                passes.run(module, binding.create_pass_builder(machine, binding.create_pipeline_tuning_options()))
            code: bytes = machine.emit_object(module)
    return code


@final
class Loaded:
    """Machine code in memory, which is given back when this object goes.

    `address` is that of a function in it, `kept` are the numbers that stand beside it; `from_cache` says that it was
    found and not compiled.
    """

    __slots__ = ("__weakref__", "address", "from_cache", "kept")

    def __init__(self, code: bytes, function: str, target: Processor, from_cache: bool = False) -> None:
        self.from_cache = from_cache
        binding = llvm()
        with llvm_lock:
            # An engine owns its machine, so each needs one of its own.
            engine = binding.create_mcjit_compiler(binding.parse_assembly(""), _machine(target))
            engine.add_object_file(binding.object_file.ObjectFileRef.from_data(code))
            engine.finalize_object()
            self.address: int = engine.get_function_address(function)
            place = engine.get_global_value_address("kept")
            count = ctypes.c_int64.from_address(place).value if place else 0
            self.kept = tuple((ctypes.c_int64 * count).from_address(place + 8)) if count else ()
        finalize(self, _release, engine).atexit = False


def _release(engine: Any) -> None:
    with llvm_lock:
        engine.close()


def _machine(target: Processor) -> Any:
    return llvm().Target.from_default_triple().create_target_machine(cpu=target.name, features=target.features, opt=2)


_shared_machine = cache(_machine)
