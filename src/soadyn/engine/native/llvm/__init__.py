"""LLVM: text for arithmetic in vector lanes, compiling it, keeping the machine code."""
