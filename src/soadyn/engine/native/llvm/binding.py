"""llvmlite, started when it is first needed, and the lock under which it works."""

from __future__ import annotations

from typing import Any

from soadyn.fork_safe import made_once, making

# Held while LLVM works: llvmlite has a lock of its own, which a child forked meanwhile would find held for ever.
llvm_lock = making


@made_once
def llvm() -> Any:
    """llvmlite's binding, ready to use; ImportError without it."""
    import llvmlite.binding as binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    return binding
