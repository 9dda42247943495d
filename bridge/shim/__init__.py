"""The shim that an AI host spawns: connects the host's stdin and stdout to the running Deskbell.

It never parses a message, and starts Deskbell if it is not running. A host starts one shim for each entry of
its config and waits for it, so the shim imports only C modules (`posix` instead of `os` saves 2 ms) and few
files: this one and `unix` or `windows`; the others only when needed. Fastest from its compiled copy:
`python -I -S …/bridge/__main__.py stdio`.

This module parses the arguments, writes the hello line and finds the socket. `unix` passes the host's pipes
to the app by SCM_RIGHTS, `unix_copy` copies bytes where that is impossible, `windows` uses a named pipe;
`start_app` starts the app.
"""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

CHUNK = 65536
PROOF = "DESKBELL_HOST_TOKEN"  # environment variable: proves which application starts the shim
FAREWELL = 1.0  # seconds for the app's last replies after the host closed our stdin

HELP = {
    "stdio": """usage: deskbell stdio [--server NAME] [--host-name NAME]

AI apps start this: it connects their stdin and stdout to Deskbell, and starts Deskbell if it is not running.

  --server NAME     only this server, with its own tool names (default: all, named SERVER_TOOL)
  --host-name NAME  name of the AI app (default: the one it gives itself)
""",
    "wrap": """usage: deskbell wrap [--name NAME] [--host-name NAME] [--era ERA] -- COMMAND ARGS...

Runs one stdio server behind Deskbell: put this in front of the server's command in an AI app's settings, and
its questions appear on the desktop. COMMAND runs in this folder and with this environment.

  --name NAME       how questions name the server (default: taken from COMMAND)
  --host-name NAME  name of the AI app (default: the one it gives itself)
  --era ERA         legacy or modern: the generation of MCP to try with COMMAND first
""",
}


class Finished(Exception):
    """Ends the process with this exit code, after printing these words."""

    def __init__(self, words: str, code: int) -> None:
        self.words = words
        self.code = code


def digest(text: str) -> str:
    from binascii import crc32

    return f"{crc32(text.encode('utf-8', 'surrogateescape')):08x}"


if sys.platform == "win32":  # here: both modules import the names above
    from bridge.shim import windows as system
else:
    from bridge.shim import unix as system


def main(argv: list[str]) -> int:
    """Run the shim. `argv` begins with the verb, stdio or wrap."""
    try:
        env = system.environment()
        token = env.pop(PROOF, "")  # for the app alone, not for what it starts
        pipes = system.can_pass_pipes()
        first = hello(argv, env, 2 if pipes else 1, token)
        connected = _connect_or_start(home(env), env)
        if pipes:
            system.pass_pipes(connected, first)
        else:
            system.copy(connected, first)
    except Finished as finished:
        if stream := sys.stderr if finished.code else sys.stdout:  # None: closed by the host
            stream.write(finished.words)
        return finished.code
    except KeyboardInterrupt:
        return 130
    return 0


# ---- the way to the socket -------------------------------------------------------------------------


def home(env: "Mapping[str, str]") -> str:
    """The folder that holds all of Deskbell's state: DESKBELL_HOME, or where platformdirs would put it."""
    return system.absolute(env.get("DESKBELL_HOME") or system.data_folder(env) + "/deskbell", env)


def socket_path(home: str) -> str:
    """Return where the app listens. Depends on `home` alone: hosts pass on few environment variables."""
    return system.socket_path(home)


def _connect_or_start(folder: str, env: dict[str, str]) -> system.Connected:
    path = socket_path(folder)
    try:
        try:
            return system.connect(path)
        except system.ABSENT:
            from bridge.shim.start_app import start  # here: only if the app does not run

            return start(folder, path, env)
    except OSError as error:
        from bridge.shim.start_app import start_failure

        raise start_failure(f"Deskbell cannot be reached: {error}", folder, "", 2) from error


# ---- arguments, and the hello line -----------------------------------------------------------------


def hello(argv: list[str], env: dict[str, str], version: int = 1, token: str = "") -> bytes:
    """Return the first line sent to the app: who connects. ASCII JSON, written by hand to avoid `json`."""
    verb, words = argv[0], argv[1:]
    if verb == "stdio":
        options = _options(verb, words, ("--server", "--host-name"))
        if words:
            raise _usage(verb, f"does not know what to do with {words[0]!r}")
        fields = {"server": _quoted(options.get("--server", ""))}
    else:
        options = _options(verb, words, ("--name", "--host-name", "--era"))
        if not words:
            raise _usage(verb, "needs the command of a server")
        if options.get("--era", "legacy") not in ("legacy", "modern"):
            raise _usage(verb, "knows the eras legacy and modern")
        fields = {
            "name": _quoted(options.get("--name", "")),
            "era": _quoted(options.get("--era", "")),
            "command": _quoted(words[0]),
            "args": "[" + ",".join(map(_quoted, words[1:])) + "]",
            "cwd": _quoted(system.folder_now()),
            "env": _object({name: _quoted(value) for name, value in env.items()}),
        }
    fields = {"deskbell": str(version), "verb": _quoted(verb), **fields}
    fields["host_name"] = _quoted(options.get("--host-name", ""))
    fields["token"] = _quoted(token)
    return _object(fields).encode("ascii") + b"\n"


def _options(verb: str, words: list[str], known: tuple[str, ...]) -> dict[str, str]:
    """Remove and return the leading options of `words`, and the `--` that ends them."""
    options = {}
    while words and words[0].startswith("-"):
        name, equals, value = words.pop(0).partition("=")
        if name == "--":
            break
        if name in ("-h", "--help"):
            raise Finished(HELP[verb], 0)
        if name not in known:
            raise _usage(verb, f"has no option {name}")
        if not equals and not words:
            raise _usage(verb, f"needs a name after {name}")
        options[name] = value if equals else words.pop(0)
    return options


def _usage(verb: str, problem: str) -> Finished:
    return Finished(f"deskbell: {verb} {problem}; see `deskbell {verb} --help`\n", 1)


def _object(members: dict[str, str]) -> str:
    return "{" + ",".join(f"{_quoted(name)}:{value}" for name, value in members.items()) + "}"


def _quoted(text: str) -> str:
    text = text.replace("\\", "\\\\").replace('"', '\\"')
    if not (text.isascii() and text.isprintable()):
        text = "".join(c if " " <= c <= "~" else _escaped(c) for c in text)
    return f'"{text}"'


def _escaped(char: str) -> str:
    """Escape as UTF-16 code units; undecodable bytes of the environment stay lone surrogates."""
    units = char.encode("utf-16-be", "surrogatepass").hex()
    return "".join("\\u" + units[i : i + 4] for i in range(0, len(units), 4))
