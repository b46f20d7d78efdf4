"""Hypothesis strategies: any record, conformant records, packets, sessions and replication histories."""
