"""Starting the application."""

import pytest

from bridge.cli.start import refuse_foreign_package
from bridge.errors import DeskbellError


def test_a_foreign_package_called_desktop_is_told_in_words(tmp_path):
    with pytest.raises(DeskbellError, match="Another package called desktop is in the way"):
        refuse_foreign_package(own=tmp_path)


def test_our_own_desktop_is_let_pass():
    refuse_foreign_package()
