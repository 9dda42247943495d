"""Opens a link in the system's browser, without a shell and without looking at what it leads to.

Whether a link may be opened at all is core/policy/url_safety.py's to say.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys

_LIMIT = 5.0  # seconds; an opener that still runs then has become the browser


def open_url(url: str) -> bool:
    """True if a browser was started, as far as the system tells."""
    if sys.platform == "win32":
        try:
            os.startfile(url)  # noqa: S606 - no shell is what is wanted
        except OSError:
            return False
        return True
    opener = shutil.which("open" if sys.platform == "darwin" else "xdg-open")
    return opener is not None and _run([opener, url])


async def open_url_async(url: str) -> bool:
    """The same without holding up the loop."""
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
