"""llvmlite, started when it is first needed, and the lock under which it works."""

from __future__ import annotations

from functools import cache
from typing import Any

from soadyn.fork_safe import lock_that_forks_wait_for

# Held while LLVM works: llvmlite has a lock of its own, which a child forked meanwhile would find held for ever.
llvm_lock = lock_that_forks_wait_for()


@cache
def llvm() -> Any:
    """llvmlite's binding, ready to use; ImportError without it."""
    with llvm_lock:
        import llvmlite.binding as binding

        binding.initialize_native_target()
        binding.initialize_native_asmprinter()
    return binding
