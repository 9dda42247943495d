"""The language of the windows: as the settings say, else the system's, else English.

Qt's own texts (Yes, No, Copy, Paste…) come with Qt. Sentences of the bridge arrive as English templates and
are translated here.
"""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from bridge.api import Words
from desktop.theme.resources import resource
from desktop.widgets.text.bidi import isolate
from desktop.widgets.text.safe_text import readable

LANGUAGES = {"en": "English", "de": "Deutsch", "ja": "日本語"}  # each by its own name
_QT = "qtbase"
_OURS = "deskbell"


def install_translators(app: QCoreApplication, language: str = "") -> str:
    """Install the translators of a language; return its code, "en" if there is no translation."""
    _set_formats(language)
    for wanted in [language] if language else QLocale.system().uiLanguages():
        translated = QLocale(wanted)
        if translated.language() in (QLocale.Language.English, QLocale.Language.C):
            return "en"
        ours = QTranslator(app)
        if ours.load(translated, _OURS, "_", resource("translations")):
            theirs = QTranslator(app)
            if theirs.load(
                translated, _QT, "_", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
            ):
                app.installTranslator(theirs)
            app.installTranslator(ours)  # the last one is asked first
            return translated.name().partition("_")[0]
    return "en"


def _set_formats(language: str) -> None:
    """Write days and numbers in the language that the person chose, if the system has another."""
    wanted, system = QLocale(language).language(), QLocale.system()
    plain = wanted is QLocale.Language.English and system.language() is QLocale.Language.C
    if language and wanted is not system.language() and not plain:
        QLocale.setDefault(QLocale(wanted, system.territory()))


def translated(text: object) -> str:
    """Translate a sentence of the bridge."""
    if not isinstance(text, Words):
        return str(text)
    values = {name: translated(value) for name, value in text.values.items()}
    return QCoreApplication.translate("bridge", text.template).format(**values)


def label_text(text: object) -> str:
    """Translate a sentence of the bridge for a Label: safe to show, names isolated (bidi.py)."""
    if not isinstance(text, Words):
        return readable(str(text))
    values = {name: _part(value) for name, value in text.values.items()}
    return QCoreApplication.translate("bridge", text.template).format(**values)


def _part(value: object) -> str:
    return label_text(value) if isinstance(value, Words) else isolate(readable(str(value)))
