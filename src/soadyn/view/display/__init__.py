"""What notebooks and pictures show: tables, formulas, matrices, curves. Names are text, whatever they contain."""
