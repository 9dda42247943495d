"""Strangeness for speed or memory, with its reason: lazy imports, batched writes, process tuning."""
