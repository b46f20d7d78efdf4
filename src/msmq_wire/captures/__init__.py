"""Captures without a cluster: what reads capture files, puts flows together and makes tables of them.

Needs the extra ``captures``.  Nothing here knows Spark; `msmq_wire.spark` runs the same functions.
"""
