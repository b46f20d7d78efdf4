"""Answers that join packets of many connections: what became of each message, and who depends on whom."""
