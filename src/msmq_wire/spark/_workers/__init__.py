"""The functions that workers run, one module per step, so that workers import only what they run."""
