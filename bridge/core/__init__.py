"""Decides about calls: takes events, returns commands. No I/O, no clock.

Read in this order: `protocol` MCP on the wire, without state; `questions` what a person is asked; `forms` a
requestedSchema as fields; `policy` who may do what; `ports`, `events` and `commands` what passes between the
core and its adapters; `status` what windows see; `routing` who gets what, from `routing/router.py` on.
"""
