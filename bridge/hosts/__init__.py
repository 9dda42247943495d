"""AI applications on this machine, and their config files: recipes, locations, import of their servers, and
Deskbell's own entry.

A wish becomes a Plan (plan: the bytes before and after), and a Plan a Step (backups: lock, copy, write, exact
undo). An entry is judged and made in entries, and put into the text by formats. HostConfigs (host_configs) is
the door for the command line and the windows.
"""
