"""AI applications on this machine, and their config files: recipes, locations, import of their servers, and
Deskbell's own entry.

A ChangeRequest becomes a HostFilePlan (plan: bytes before and after), which is written and recorded (backups:
lock, copy, write, exact undo). entries classifies and builds entries, formats edits the text. HostConfigs
(host_configs) is the interface for command line and windows.
"""
