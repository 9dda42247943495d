"""The Qt side of Deskbell: tray icon, question windows, status window. Knows the bridge only by `bridge.api`.

app.py      builds and connects, decides nothing     ending.py   every way to end
pages.py    what each page wants of the Bridge       boxes.py    when it cannot start, before it ends
signals.py  Bridge callbacks become Qt signals       single.py   one Deskbell per home
loop.py     the GUI's own coroutines (qasync)        theme.py    light and dark, as the system has it
tray.py     icon, badge, menu                        windows/    the windows that show
questions/  the windows that ask                     widgets/    small parts of both
"""

import builtins

import PySide6.QtCore  # noqa: F401 - before any other module of ours

# PySide puts an `__import__` of its own before Python's. In search of `from __feature__ import …` that reads
# the source of every module that is imported from then on, and keeps it: 11 MB, and a tenth of the start.
builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)
