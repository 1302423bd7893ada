"""Machine code from traces of the same programs, through llvmlite; everything also works without it, slower."""
