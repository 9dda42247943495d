"""Keep each turn of Qt's event loop short (goal: 8 ms): work in time slices, imports one module at a time.

The reason: importing the question windows in one go blocks the GUI thread for 46 ms, the Servers page for
56 ms. One module at a time the longest import takes 6 ms, and the longest step of building a window 6.7 ms
(docs/performance.md, `tests/bench/hitches.py`). `SlicedTask.finish` is the plain way: everything at once.
"""
