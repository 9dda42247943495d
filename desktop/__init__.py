"""The Qt side of Deskbell: tray icon, question windows, status window. Knows the bridge only by `bridge.api`.

app.py      builds and connects, decides nothing     ending.py   every way to end
signals.py  Bridge callbacks become Qt signals       single.py   one Deskbell per home
loop.py     the GUI's own coroutines (qasync)        theme.py    light and dark, as the system has it
tray.py     icon, badge, menu                        windows/    the windows that show
questions/  the windows that ask                     widgets/    small parts of both
"""
