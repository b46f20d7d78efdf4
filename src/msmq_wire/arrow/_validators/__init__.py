"""Validates many packets by columns; only packets that the columns do not clear are validated as records.

1. `table`: the compared data: columns of packets, and the time and place of their capture.
2. `comparisons`: applies rules that are data to whole columns.
3. `functions`: column tests for rules that are functions, and for structures and names in bytes.
4. `plans`: finds a column test for each rule on the packets of a kind.
5. `clearing`: clears rows with the plans, and validates the others as records.

A packet is cleared only if no rule can be violated.  Not clearing a packet only costs time.  The tests
violate every requirement and compare both results, so that no violation is lost.
"""
