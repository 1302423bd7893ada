"""The numbers that choose a form of code, each with the benchmark that set it.

A number comes in if it buys 10 % on a row that people read, and goes if it no longer does. `sd.explain(..., code=True)`
shows what they chose.
"""

from __future__ import annotations

# States of a batch from which on straight-line code is worth its compiling; smaller ones take loops over the links.
# peers.py "batches": from here on calls are long beside what a call costs; growth of UR5 and Talos from 1 to 4,096.
MANY_STATES = 256

# Operations up to which a trace becomes straight-line code of a robot: what a first call may wait for the compiler.
# peers.py "start": 120,000 operations take about 5 s, and later processes find the code on disk. With parameters the
# reference is what remains, a hundred times slower. In exported C the limit is a C compiler's patience.
LONGEST_TRACE = 120_000
LONGEST_WITH_PARAMETERS = 250_000
LONGEST_EXPORTED = 250_000
# Arguments and results of a NumPy ufunc. Loops read the coefficients of closures as arguments; straight-line code has
# them folded in.
MOST_OPERANDS = 64

# A trace is given up once it has this many times the allowed operations: up to two thirds turn out unneeded (Talos'
# derivatives, where columns that climb are recorded whole).
MOST_RECORDED = 3

# Operations up to which straight-line code is one function, and those of each function of longer code. Compiling takes
# longer than in proportion to a function's length. peers.py "start": Talos; derivatives.py: Talos' full Jacobians.
ONE_FUNCTION = 15_000
PART = 1000

# Numbers of a state's results from which on they are gathered before they leave, and from which on the scratch for that
# leaves the cache: then loops over the links serve. two_trees.py: matrices of Talos and of a chain of 30.
MANY_RESULTS = 800
MOST_RESULTS = 16_000

# Bytes of gathered results from which on they are stored past the cache, which would not hold them for whoever reads
# them. two_trees.py: mass matrices of 4,096 states of Talos and of a chain of 30.
PAST_THE_CACHE = 16 * 2**20

# Bytes of a row that are turned at once on that way, which stay in the first cache. The same rows.
TURNED_AT_ONCE = 2048

# Bytes of results from which on memory is kept and used again: the system clears new memory, which takes longer than to
# fill it. two_trees.py: results of 4,096 states of Talos, 1.5 times as fast.
KEPT_RESULTS = 16 * 2**20

# Operations below which a second thread costs more than it brings (benchmarks/threads.py).
WORK_PER_THREAD = 4_000_000

# Bytes of the scratch of loops for a whole vector of states, at most; longer robots run one state at a time.
# growth.py: chains of up to 10,000 links.
MOST_SCRATCH = 64 * 2**20

# Bytes of scratch that lie on the stack, which costs nothing; more lies on the heap. peers.py: one state of UR5.
ON_STACK = 48 * 2**10

# The processor's vectors side by side in a substitution: enough that sums need not wait for one another, and few enough
# that such columns stay in the first cache up to about 100 joints. two_trees.py: forward derivatives of 64 states.
WIDEST_TILE = 4

# Operations of a single state, and of steps of one row, that may hold the interpreter's lock: some ten microseconds,
# and a tenth of a millisecond or two. benchmarks.md, one state of UR5: 911 ns, 3,056 through NumPy; steps.py.
MOST_HELD = 60_000
MOST_HELD_BY_STEPS = 500_000
