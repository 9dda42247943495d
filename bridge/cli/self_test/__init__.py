"""`deskbell self-test`: prove that this installation works, whatever it was installed from.

Runs in a temporary home: a running Deskbell, its settings and its secrets are not touched. Windows are made
in a separate process, because Qt aborts a process in which it finds no display.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import os
import pkgutil
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from bridge import __version__
from bridge.cli.doctor import FAILED, Finding, print_finding
from bridge.cli.self_test.round_trip import RoundTrip
from bridge.cli.start import has_windows
from bridge.errors import DeskbellError
from bridge.settings import Home
from bridge.system.process.own_command import running_command

_LIMIT = 300.0  # seconds for the process that makes windows
_WINDOWS, _SERVER = "windows", "server"
# Modules that are imported when they are first needed: a bundle may lack one unnoticed.
LIBRARIES = (
    *("aiohappyeyeballs", "atproto_client", "cryptography.x509", "dns.resolver", "httptools", "httpx"),
    *("httpx2", "jsonschema", "keyring", "libipld", "mcp", "msgspec", "publicsuffixlist", "pydantic"),
    *("referencing", "regex", "ruamel.yaml", "starlette.applications", "tomlkit", "truststore", "uvicorn"),
)
LIBRARIES_OF = {"linux": ("jeepney", "secretstorage", "uvloop"), "darwin": ("uvloop",)}
_FOREIGN = {"win32": "unix", "linux": "windows", "darwin": "windows"}  # modules of other platforms begin so


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON list")
    parser.add_argument("--part", choices=(_WINDOWS, _SERVER), help=argparse.SUPPRESS)
    parser.set_defaults(run=self_test)


def self_test(arguments: argparse.Namespace, home: Home) -> int:
    """Print the findings; exit code 0 if all checks pass, else 5. `--part`: for the processes it starts."""
    if arguments.part == _SERVER:
        from bridge.cli.self_test.server import serve

        return serve()
    if arguments.part == _WINDOWS:
        checks = importlib.import_module("desktop.self_test").checks()
        print(json.dumps([_as_list(one) for one in run_checks(checks)]))
        return 0
    found = []
    for finding in examine():
        found.append(finding)
        if not arguments.json:
            print_finding(finding)
    if arguments.json:
        print(json.dumps([{"what": one.what, "ok": one.ok, "words": one.words} for one in found]))
    failed = [one.what for one in found if one.ok is False]
    if not arguments.json:
        print(f"Failed: {', '.join(failed)}" if failed else "All holds.")
    return FAILED if failed else 0


Check = tuple[str, Callable[[], str]]  # what is checked; returns words, or raises with the reason


def run_checks(checks: Sequence[Check]) -> Iterator[Finding]:
    for what, check in checks:
        try:
            yield Finding(what, True, check())
        except DeskbellError as error:
            yield Finding(what, False, str(error))
        except Exception as error:  # report what is broken, and go on with the other checks
            yield Finding(what, False, f"{type(error).__name__}: {error}")


def examine() -> Iterator[Finding]:
    folder = Path(tempfile.mkdtemp(prefix="deskbell-self-test-"))
    windows = has_windows()
    try:
        yield Finding("Deskbell", None, f"{__version__}, {sys.executable}")
        yield from run_checks([("Imports", _imports), ("Links", _links)])
        yield from run_checks([("TLS roots", _tls_roots), ("Keyring", _keyring)])
        yield from _windows(folder) if windows else _no_windows()
        with RoundTrip(folder / "home", windows=windows) as call:
            yield from run_checks(call.checks())
    finally:
        shutil.rmtree(folder, ignore_errors=True)


# ---- in this process -------------------------------------------------------------------------------------


def _imports() -> str:
    import bridge

    modules = [
        one.name for one in pkgutil.walk_packages(bridge.__path__, "bridge.") if _is_for_here(one.name)
    ]
    for name in (*modules, *LIBRARIES, *LIBRARIES_OF.get(sys.platform, ())):
        importlib.import_module(name)
    return f"{len(modules)} modules, and the libraries they need"


def _is_for_here(module: str) -> bool:
    last = module.rpartition(".")[2]
    return last != "__main__" and not last.startswith(_FOREIGN.get(sys.platform, "windows"))


def _links() -> str:
    from bridge.system.public_suffix import registrable

    if registrable("www.example.co.uk") != "example.co.uk":
        raise DeskbellError("The site of a link is not recognised", "Reinstall Deskbell.")
    return "the site of a link is recognised"


def _tls_roots() -> str:
    from bridge.http_client.proxy_and_tls import tls_context

    if sys.platform in ("win32", "darwin"):
        tls_context()
        return "the system checks certificates"
    count = tls_context().cert_store_stats()["x509_ca"]
    folder = Path("/etc/ssl/certs")  # read when a server's certificate comes, by its name
    if not count and not (folder.is_dir() and any(folder.glob("*.0"))):
        raise DeskbellError("There are no certificates", "Install your system's package ca-certificates.")
    return f"{count} authorities" if count else f"in {folder}"


def _keyring() -> str:
    import keyring

    backend = type(keyring.get_keyring())
    none = backend.__module__.startswith(("keyring.backends.fail", "keyring.backends.null"))
    return (
        "none here; secrets go into an encrypted file" if none else f"{backend.__module__}.{backend.__name__}"
    )


# ---- windows, in a process of their own ------------------------------------------------------------------


def _windows(folder: Path) -> Iterator[Finding]:
    command = (*running_command(), "self-test", "--part", _WINDOWS)
    env = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "DESKBELL_HOME": str(folder / "windows")}
    began = time.monotonic()
    try:
        done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=_LIMIT)
        rows: list[list[Any]] = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        yield Finding("Windows", False, f"no window within {_LIMIT:g} seconds")
    except ValueError:
        stderr = " ".join(done.stderr.split())[-400:] or "it printed nothing"
        yield Finding("Windows", False, f"the process ended with {done.returncode}: {stderr}")
    else:
        yield from (Finding(*row) for row in rows)
        yield Finding("Time to a window", None, f"{time.monotonic() - began:.1f} s")


def _no_windows() -> Iterator[Finding]:
    yield Finding("Windows", None, "this installation has none (deskbell-server)")


def _as_list(finding: Finding) -> list[Any]:
    return [finding.what, finding.ok, finding.words]
