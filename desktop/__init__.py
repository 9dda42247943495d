"""The Qt side of Deskbell: tray icon, question windows, main window. Knows the bridge only by `bridge.api`.

app.py             builds and connects, decides nothing    pages/      what the main window shows
page_factory.py    makes the pages, with their services    questions/  the windows that ask
bridge_signals.py  Bridge callbacks become Qt signals      widgets/    small parts of both
qt_loop.py         the GUI's own coroutines (qasync)       alerts/     notification and sound
main_window.py     leads to the pages                      tray/       icon, badge, menu
theme/             colours, style, icons: how it looks      lazy/       work in slices, modules on demand
startup_dialogs.py when it cannot start, before it ends    system/     the desktop around us, and the end
"""

import builtins

import PySide6.QtCore  # noqa: F401 - before any other module of ours

# PySide puts an `__import__` of its own before Python's. In search of `from __feature__ import …` that reads
# the source of every module that is imported from then on, and keeps it: 11 MB, and a tenth of the start.
builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)
