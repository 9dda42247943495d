"""Which environment variables Deskbell and its servers inherit: a written list, everything else stays behind.

Whoever calls first starts the app, for all others too: an AI application whose entry has a GITHUB_TOKEN must
not give it to every server there is. A server that needs more has it in its own `env`; a wrapped one gets its
own host's environment.
"""

import sys

from bridge.shim import PROOF

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

# The person's name, programs and files, language, display, session bus and ssh agent,
# the way to the network and whom to trust there. In lower case; what ends with `_` begins names.
_SHARED = frozenset(
    """path home user logname shell lang language lc_ tz tmpdir term colorterm xdg_
    display wayland_display xauthority dbus_ ssh_auth_sock
    http_proxy https_proxy all_proxy no_proxy ftp_proxy
    ssl_cert_file ssl_cert_dir requests_ca_bundle curl_ca_bundle node_extra_ca_certs
    wsl_distro_name wsl_interop wslenv __cf_user_text_encoding""".split()  # noqa: SIM905
)
_WINDOWS = frozenset(
    """allusersprofile appdata commonprogramfiles commonprogramfiles(x86) commonprogramw6432 computername
    comspec homedrive homepath localappdata number_of_processors os pathext processor_ programdata
    programfiles programfiles(x86) programw6432 psmodulepath public sessionname systemdrive systemroot temp
    tmp userdomain username userprofile windir""".split()  # noqa: SIM905
)
# Only for the app: settings of Deskbell, Qt and the desktop.
_APP = frozenset(
    """deskbell_ qt_ qml_ gtk_ gdk_ kde_ gnome_ plasma_ at_spi_ pulse_ pipewire_ xmodifiers xcursor_
    session_manager desktop_session desktop_autostart_id no_at_bridge appimage appdir argv0
    owd""".split()  # noqa: SIM905
)
_FOR_SERVERS = _SHARED | _WINDOWS if sys.platform == "win32" else _SHARED


def for_servers(env: "Mapping[str, str]") -> dict[str, str]:
    """Return what a configured server inherits of our environment."""
    return _chosen(env, _FOR_SERVERS)


def for_app(env: "Mapping[str, str]") -> dict[str, str]:
    """Return the variables that the app inherits from the process that starts it."""
    chosen = _chosen(env, _FOR_SERVERS | _APP)
    chosen.pop(PROOF, None)  # set by the AI application that starts it, for itself
    return chosen


def _chosen(env: "Mapping[str, str]", allowed: frozenset[str]) -> dict[str, str]:
    return {name: value for name, value in env.items() if _is_in(name.lower(), allowed)}


def _is_in(name: str, allowed: frozenset[str]) -> bool:
    if name in allowed:
        return True
    return any(name[: at + 1] in allowed for at, char in enumerate(name) if char == "_")
