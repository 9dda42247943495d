"""AI applications on this machine: what each is like (recipes), where it keeps its servers (places), what is
there (reading), and Deskbell into that file and out again.

A wish becomes a Plan (plans: the bytes before and after), and a Plan a Step (ledger: lock, copy, write, exact
undo). An entry is judged and made in entries, and put into the text by files: jsonc, toml, yaml. HostBook
(book) is the door for the command line and the windows.
"""
