"""The papers: their formulas by name, how they are cited, and the numbers of their equations."""
