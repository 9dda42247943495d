"""Open a URL in the system's browser, without a shell.

Whether a URL may be opened is decided by core/policy/url_safety.py.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys

_LIMIT = 5.0  # seconds; an opener that still runs then is the browser itself


def open_url(url: str) -> bool:
    """Open the URL; True if the system reports success."""
    if sys.platform == "win32":
        try:
            os.startfile(url)  # noqa: S606 - no shell is what is wanted
        except OSError:
            return False
        return True
    opener = shutil.which("open" if sys.platform == "darwin" else "xdg-open")
    return opener is not None and _run([opener, url])


async def open_url_async(url: str) -> bool:
    """Open the URL in a thread; True if the system reports success."""
    return await asyncio.to_thread(open_url, url)


def _run(command: list[str]) -> bool:
    nothing = subprocess.DEVNULL
    try:
        started = subprocess.Popen(
            command, stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True
        )
        return started.wait(_LIMIT) == 0
    except subprocess.TimeoutExpired:
        return True
    except OSError:
        return False
