"""LLVM: which processor to compile for, and from text to an address."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
from functools import cache
from typing import Any, final
from weakref import finalize

from soadyn.errors import ArgumentError
from soadyn.fork_safe import lock_that_forks_wait_for

# Held while LLVM works: llvmlite has a lock of its own, which a child forked meanwhile would find held for ever.
llvm_lock = lock_that_forks_wait_for()

# Named processors for SOADYN_CPU: the bytes in a vector, and whether they fuse products and sums.
LEVELS = {"x86-64": (16, False), "x86-64-v2": (16, False), "x86-64-v3": (32, True), "x86-64-v4": (64, True)}


@final
@dataclass(frozen=True, slots=True)
class Processor:
    """What is compiled for: LLVM's name, features, the bytes in a vector, and whether products and sums fuse."""

    name: str
    features: str
    vector_bytes: int
    fused: bool

    @property
    def x86(self) -> bool:
        return platform.machine().lower() in ("x86_64", "amd64")

    def lanes(self, number_bytes: int) -> int:
        return self.vector_bytes // number_bytes


@cache
def llvm() -> Any:
    """llvmlite's binding, ready to use; ImportError without it."""
    with llvm_lock:
        import llvmlite.binding as binding

        binding.initialize_native_target()
        binding.initialize_native_asmprinter()
    return binding


def processor() -> Processor:
    """The host, or the lesser machine that the environment variable SOADYN_CPU names."""
    wanted = os.environ.get("SOADYN_CPU", "")
    if wanted:
        if wanted not in LEVELS:
            raise ArgumentError(f"SOADYN_CPU is {wanted!r}; expected one of {', '.join(LEVELS)}")
        lesser = Processor(wanted, "", *LEVELS[wanted])
        if lesser.vector_bytes > _host().vector_bytes or lesser.fused > _host().fused:
            raise ArgumentError(f"SOADYN_CPU is {wanted!r}, which this machine ({_host().name}) cannot run")
        return lesser
    return _host()


@cache
def _host() -> Processor:
    with llvm_lock:
        features, name = llvm().get_host_cpu_features(), llvm().get_host_cpu_name()
    width = 64 if features.get("avx512f") else 32 if features.get("avx") else 16
    # Without an instruction for it, fma would be a slow call into the C library. 64-bit ARM always has one.
    fused = bool(features.get("fma")) or platform.machine().lower() in ("aarch64", "arm64")
    return Processor(name, features.flatten(), width, fused)


@cache
def _target_machine(target: Processor) -> Any:
    machine = llvm().Target.from_default_triple()
    return machine.create_target_machine(cpu=target.name, features=target.features, opt=2)


def object_code(text: str, target: Processor, optimise: bool) -> bytes:
    """Machine code of a module given as text. Straight-line code needs no passes; loops do."""
    with llvm_lock:
        binding, machine = llvm(), _target_machine(target)
        module = binding.parse_assembly(text)
        if optimise:
            options = binding.create_pipeline_tuning_options(speed_level=2)
            options.loop_vectorization = options.slp_vectorization = options.loop_unrolling = False
            builder = binding.create_pass_builder(machine, options)
            builder.getModulePassManager().run(module, builder)
        code: bytes = machine.emit_object(module)
    return code


@final
class Loaded:
    """Machine code in memory; it lives as long as this object."""

    __slots__ = ("__weakref__", "address")

    def __init__(self, code: bytes, function: str, target: Processor) -> None:
        binding = llvm()
        with llvm_lock:
            engine = binding.create_mcjit_compiler(binding.parse_assembly(""), _new_machine(target))
            engine.add_object_file(binding.object_file.ObjectFileRef.from_data(code))
            engine.finalize_object()
            self.address: int = engine.get_function_address(function)
        finalize(self, _release, engine).atexit = False


def _release(engine: Any) -> None:
    with llvm_lock:
        engine.close()


def _new_machine(target: Processor) -> Any:
    # An engine owns its machine, so each needs one of its own.
    return llvm().Target.from_default_triple().create_target_machine(cpu=target.name, features=target.features, opt=2)
