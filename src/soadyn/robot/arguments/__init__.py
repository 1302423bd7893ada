"""The arguments of quantities: checked, and made the inputs of programs."""
