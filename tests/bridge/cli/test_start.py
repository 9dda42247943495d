"""Starting the application."""

import importlib.util

import pytest

from bridge.cli.start import has_windows, refuse_foreign_package
from bridge.errors import DeskbellError


def test_a_foreign_package_called_desktop_is_told_in_words(tmp_path):
    with pytest.raises(DeskbellError, match="Another package called desktop is in the way"):
        refuse_foreign_package(own=tmp_path)


def test_our_own_desktop_is_let_pass():
    refuse_foreign_package()


def test_without_its_own_windows_it_has_none_even_if_qt_is_there(monkeypatch):
    assert has_windows()
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "desktop" else found(name))
    assert not has_windows()
