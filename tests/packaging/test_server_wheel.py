"""The wheel without windows."""

import tomllib
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def server_wheel(recipe) -> ModuleType:
    return recipe("server_wheel")


@pytest.fixture
def wheel(tmp_path) -> Path:
    """A wheel as the build writes it, with the dependencies of pyproject.toml."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    needs = "".join(f"Requires-Dist: {each}\n" for each in project["dependencies"])
    path = tmp_path / "deskbell-1.2-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as made:
        made.writestr("bridge/__init__.py", "")
        made.writestr("desktop/app.py", "")
        made.writestr(
            "deskbell-1.2.dist-info/METADATA", f"Name: deskbell\nVersion: 1.2\n{needs}\nName: of the text\n"
        )
        scripts = "[console_scripts]\ndeskbell = a:b\n\n[gui_scripts]\ndeskbellw = a:b\n"
        made.writestr("deskbell-1.2.dist-info/entry_points.txt", scripts)
        made.writestr("deskbell-1.2.dist-info/RECORD", "")
    return path


def test_the_wheel_for_servers_has_neither_windows_nor_qt(server_wheel, wheel):
    with zipfile.ZipFile(server_wheel.make(wheel)) as made:
        metadata = made.read("deskbell_server-1.2.dist-info/METADATA").decode()
        scripts = made.read("deskbell_server-1.2.dist-info/entry_points.txt").decode()
        names = made.namelist()
    assert metadata.startswith("Name: deskbell-server\nVersion: 1.2\n")
    assert metadata.endswith("\n\nName: of the text\n")
    assert "Requires-Dist: httpx" in metadata
    assert not any(word in metadata for word in ("PySide6", "qasync", "shiboken6"))
    assert scripts == "[console_scripts]\ndeskbell = a:b\n\n"
    assert "desktop/app.py" not in names


def test_its_record_lists_every_file_with_its_hash(server_wheel, wheel):
    with zipfile.ZipFile(server_wheel.make(wheel)) as made:
        record = made.read("deskbell_server-1.2.dist-info/RECORD").decode().splitlines()
        assert [line.partition(",")[0] for line in record] == made.namelist()
    assert record[0] == "bridge/__init__.py,sha256=47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU,0"
