"""AI applications on this machine: what each is like (recipes), where it keeps its servers (locations),
what is there (import_servers), and Deskbell into that file and out again.

A wish becomes a Plan (plan: the bytes before and after), and a Plan a Step (backups: lock, copy, write, exact
undo). An entry is judged and made in entries, and put into the text by formats. HostConfigs (host_configs) is
the door for the command line and the windows.
"""
