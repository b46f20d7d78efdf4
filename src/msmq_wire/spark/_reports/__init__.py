"""The results of a run: statistics of tasks, totals, and an HTML page."""
