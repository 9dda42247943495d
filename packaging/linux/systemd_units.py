"""User units: Deskbell without windows, started when the first AI application connects to its socket."""

from __future__ import annotations

from release import Release


def socket_unit(release: Release) -> str:
    return f"""[Unit]
Description={release.title}: where AI applications connect

[Socket]
ListenStream=%h/.local/share/{release.name}/{release.name}.sock
SocketMode=0600
DirectoryMode=0700

[Install]
WantedBy=sockets.target
"""


def service_unit(release: Release, program: str) -> str:
    return f"""[Unit]
Description={release.title} without windows
Documentation=man:{release.name}(1)
Requires={release.name}.socket
After={release.name}.socket

[Service]
ExecStart={program} serve
Restart=on-failure

[Install]
WantedBy=default.target
Also={release.name}.socket
"""
