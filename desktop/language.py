"""The language of the windows: as the settings say, else the system's, else English.

Qt's own words (Yes, No, Copy, Paste…) come with Qt. The bridge's sentences arrive in English and are said
anew here, when they are known.
"""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from bridge.api import Words
from desktop.widgets.bidi import apart
from desktop.widgets.icons import resource
from desktop.widgets.safe_text import readable

LANGUAGES = {"en": "English", "de": "Deutsch", "ja": "日本語"}  # each by its own name
_QT = "qtbase"
_OURS = "deskbell"


def speak(app: QCoreApplication, language: str = "") -> str:
    """From now on, windows speak this language; which one it is ("en" where we know no better)."""
    for wanted in [language] if language else QLocale.system().uiLanguages():
        spoken = QLocale(wanted)
        if spoken.language() in (QLocale.Language.English, QLocale.Language.C):
            return "en"
        ours = QTranslator(app)
        if ours.load(spoken, _OURS, "_", resource("translations")):
            theirs = QTranslator(app)
            if theirs.load(spoken, _QT, "_", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
                app.installTranslator(theirs)
            app.installTranslator(ours)  # last: asked first
            return spoken.name().partition("_")[0]
    return "en"


def spoken(text: object) -> str:
    """A sentence of the bridge in the language of the windows."""
    if not isinstance(text, Words):
        return str(text)
    values = {name: spoken(value) for name, value in text.values.items()}
    return QCoreApplication.translate("bridge", text.template).format(**values)


def shown(text: object) -> str:
    """The same for a Label: safe to show, and with the names in it set apart."""
    if not isinstance(text, Words):
        return readable(str(text))
    values = {name: _part(value) for name, value in text.values.items()}
    return QCoreApplication.translate("bridge", text.template).format(**values)


def _part(value: object) -> str:
    return shown(value) if isinstance(value, Words) else apart(readable(str(value)))
