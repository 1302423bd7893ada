"""Level 3: formulas as sums of words, and rewriting them to a normal form by the rows of the identity table.

A formula, multiplied out, is a polynomial: words of letters (operators, their adjoints and inverses) with numbers in
front. The rules replace a word by a smaller polynomial; for the arm's own operators they are confluent, so that two
formulas are equal by the rules if and only if their normal forms are the same.
"""
