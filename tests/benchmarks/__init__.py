"""How fast msmq_wire is, as ratios to hand-written code and to its peers.

1. `samples` are the packets; `hand` is the best straight-line code for each of them; `peers` are other
   libraries, one module each.  All of them give `Codec`s.
2. `agreement` compares what each codec reads and writes; nothing is timed before it agrees.
3. `timing` lets contenders take turns; `report` makes the table, the JSON and the plot.
4. `sections` says what is compared; a new section is one more function there.

Run it with ``python -m benchmarks`` in the folder `tests`, or ``nox -s bench``.
"""
