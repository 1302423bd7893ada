"""The papers' mechanics as formulas: the equations of motion, citations, explicit matrices, proofs."""
