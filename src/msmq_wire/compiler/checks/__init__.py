"""Find mistakes in definitions and rules, and emit the functions that check records (validators)."""
