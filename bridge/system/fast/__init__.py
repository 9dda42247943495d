"""Unusual code for speed or less memory, with its reason: lazy imports, batched writes, process tuning."""
