"""From a quantity and its arguments to its result."""
