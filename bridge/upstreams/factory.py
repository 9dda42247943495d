"""Make the connection to a server: built in, by HTTP, or a child process."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from bridge.core.ports import Connection, ServerPort, ServerSpec
from bridge.system.fast.write_batch import WriteBatch
from bridge.system.process.reaper import Reaper
from bridge.tools.toolbox import Toolbox
from bridge.upstreams.builtin import BuiltinConnection
from bridge.upstreams.error_masking import RedactingServerPort
from bridge.upstreams.http.connection import RemoteConnection
from bridge.upstreams.oauth.sign_in import SignIns
from bridge.upstreams.process.connection import ProcessConnection
from bridge.upstreams.process.login_path import LoginPath
from bridge.vault.service import VaultService


@dataclass(frozen=True, slots=True)
class ConnectionFactory:
    """`folders`: which files a built-in server may read; `model_access`: environment by which a child process
    finds the models it may use."""

    boxes: Mapping[str, Toolbox]
    vault: VaultService
    sign_ins: SignIns
    reaper: Reaper
    login_path: LoginPath
    folders: Callable[[str], tuple[str, ...]]
    model_access: Callable[[str], Mapping[str, str]]

    def connect(
        self, conn: int, spec: ServerSpec, back: ServerPort, host: Callable[[], str], batch: WriteBatch
    ) -> Connection:
        """Make a connection to a server; `host` returns the name of the host it is for."""
        if spec.builtin:
            folders = partial(self.folders, spec.name)
            return BuiltinConnection(conn, back, self.boxes[spec.name], host, folders)
        if self.vault.is_given_secrets(spec):
            back = RedactingServerPort(back, self.vault.mask)
        if spec.url:
            return RemoteConnection(conn, spec, back, self.vault.filled, self.sign_ins.of(spec))
        if spec.models:
            spec = replace(spec, env={**spec.env, **self.model_access(spec.name)})
        return ProcessConnection(conn, spec, back, self.reaper, self.vault.filled, self.login_path, batch)
