"""Make the Qt application: its names, icon, style and focus ring."""

from __future__ import annotations

from PySide6.QtCore import QLoggingCategory

from desktop.system.shutdown import Application
from desktop.theme.appearance import install
from desktop.widgets.focus_ring import FocusRing
from desktop.widgets.icons import app_icon


def make_application() -> Application:
    # Qt warns of each D-Bus service that ended at an odd moment: to a person it looks like an error.
    QLoggingCategory.setFilterRules("qt.dbus.integration.warning=false")
    Application.setOrganizationName("Deskbell")
    Application.setApplicationName("Deskbell")
    Application.setDesktopFileName("deskbell")
    app = Application(["deskbell"])
    app.setQuitOnLastWindowClosed(False)
    app.setWindowIcon(app_icon())
    install(app)
    FocusRing(app)
    return app
