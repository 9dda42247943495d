"""Processes: groups that end together, a reaper that outlives Deskbell, the command that starts Deskbell."""
