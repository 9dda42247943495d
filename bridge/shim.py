"""What an AI host spawns: carries bytes between its stdin and stdout and the running Deskbell.

It never looks into a message, and starts Deskbell when it is not running. A host starts one for each entry
of its config and waits for it, so nothing of this package and only C modules are imported: `posix` is `os`
without its Python half (2 ms), and even `__future__` would be a file to read. Quickest from its compiled
copy: `python -I -S …/bridge/__main__.py stdio`. The way to the socket is worked out here for both its ends.
"""

import sys
import time

if sys.platform == "win32":
    import _thread
    import _winapi
    import msvcrt
    import os
else:
    import _socket
    import posix
    import select

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

CHUNK = 65536
LONGEST_PATH = 100  # bytes; sun_path holds 104 on macOS, 108 on Linux
START_LIMIT = 20.0  # seconds until an app that we started must answer
FAREWELL = 1.0  # seconds for the app's last words after the host closed our stdin

HELP = {
    "stdio": """usage: deskbell stdio [--server NAME] [--host-name NAME]

What an AI host spawns: connects its stdin and stdout to Deskbell, and starts Deskbell if it is not running.

  --server NAME     only this server, with its own tool names (default: all, named SERVER_TOOL)
  --host-name NAME  call the host by this name instead of the one it gives itself
""",
    "wrap": """usage: deskbell wrap [--name NAME] [--host-name NAME] -- COMMAND ARGS...

Puts one stdio server behind Deskbell: prefix a host's existing entry with it, and the server's questions
come to the desktop. COMMAND runs in this folder and with this environment.

  --name NAME       how questions name the server (default: taken from COMMAND)
  --host-name NAME  call the host by this name instead of the one it gives itself
""",
}


class Finished(Exception):
    """Ends the process with this exit code and, unless empty, these words."""

    def __init__(self, words: str, code: int) -> None:
        self.words = words
        self.code = code


def main(argv: list[str]) -> int:
    """`argv` begins with the verb, stdio or wrap."""
    try:
        env = _environment()
        hands = _can_hand_over()
        first = hello(argv, env, 2 if hands else 1)
        connected = _reach(home(env), env)
        if hands:
            _hand_over(connected, first)
        else:
            _copy(connected, first)
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
    return _absolute(env.get("DESKBELL_HOME") or _data_folder(env) + "/deskbell", env)


def socket_path(home: str) -> str:
    """Where the app listens. Depends on `home` alone: hosts hand on only a few environment variables."""
    if sys.platform == "win32":
        return rf"\\.\pipe\deskbell-{_digest(home.lower())}"
    else:
        path = home + "/deskbell.sock"
        if len(path.encode("utf-8", "surrogateescape")) <= LONGEST_PATH:
            return path
        return f"/tmp/deskbell-{posix.getuid()}/{_digest(home)}.sock"  # noqa: S108 - both ends check its owner


def _digest(text: str) -> str:
    from binascii import crc32

    return f"{crc32(text.encode('utf-8', 'surrogateescape')):08x}"


# ---- what was typed, and the line that tells the app -----------------------------------------------


def hello(argv: list[str], env: dict[str, str], version: int = 1) -> bytes:
    """The first line the app hears: who calls. JSON in ASCII, made by hand."""
    verb, words = argv[0], argv[1:]
    if verb == "stdio":
        options = _options(verb, words, ("--server", "--host-name"))
        if words:
            raise _usage(verb, f"does not know what to do with {words[0]!r}")
        said = {"server": _quoted(options.get("--server", ""))}
    else:
        options = _options(verb, words, ("--name", "--host-name"))
        if not words:
            raise _usage(verb, "needs the command of a server")
        said = {
            "name": _quoted(options.get("--name", "")),
            "command": _quoted(words[0]),
            "args": "[" + ",".join(map(_quoted, words[1:])) + "]",
            "cwd": _quoted(_folder_now()),
            "env": _object({name: _quoted(value) for name, value in env.items()}),
        }
    said = {"deskbell": str(version), "verb": _quoted(verb), **said}
    said["host_name"] = _quoted(options.get("--host-name", ""))
    return _object(said).encode("ascii") + b"\n"


def _options(verb: str, words: list[str], known: tuple[str, ...]) -> dict[str, str]:
    """Takes the options off the front of `words`, with the `--` that ends them."""
    options = {}
    while words and words[0].startswith("-"):
        name, given, value = words.pop(0).partition("=")
        if name == "--":
            break
        if name in ("-h", "--help"):
            raise Finished(HELP[verb], 0)
        if name not in known:
            raise _usage(verb, f"has no option {name}")
        if not given and not words:
            raise _usage(verb, f"needs a name after {name}")
        options[name] = value if given else words.pop(0)
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
    """As UTF-16 code units; undecodable bytes of the environment are lone surrogates and stay so."""
    units = char.encode("utf-16-be", "surrogatepass").hex()
    return "".join("\\u" + units[i : i + 4] for i in range(0, len(units), 4))


# ---- the running app, or one that we start ---------------------------------------------------------


def _reach(folder: str, env: dict[str, str]) -> "Connected":
    path = socket_path(folder)
    try:
        try:
            return _connected(path)
        except _ABSENT:
            return _started(folder, path, env)
    except OSError as error:
        raise _gave_up(f"Deskbell cannot be reached: {error}", folder, "", 2) from error


def _started(folder: str, path: str, env: dict[str, str]) -> "Connected":
    """Starts the app and connects as soon as it listens. Of several that are started at once all but one
    end quietly with 0; then that one is waited for."""
    log = folder + "/deskbell.log"
    start = _size(log)
    child = _spawn(folder, log, {**env, "DESKBELL_HOME": folder} if "DESKBELL_HOME" in env else env)
    limit = time.monotonic() + START_LIMIT
    pause = 0.005
    while time.monotonic() < limit:
        _pause(pause)
        pause = min(pause * 2, 0.1)
        try:
            connected = _connected(path)
        except _ABSENT:
            if code := _ended(child):
                what, code = "Deskbell did not start", 5 if code == 5 else 2
                raise _gave_up(what, folder, _last_line(log, start), code) from None
        else:
            _disown(child)
            return connected
    what = f"Deskbell was started but did not answer within {START_LIMIT:g} seconds"
    raise _gave_up(what, folder, _last_line(log, start), 2)


def own_command(*words: str) -> tuple[list[str], str]:
    """What runs `deskbell WORDS`, and the folder to start it in ("": any)."""
    slash, suffix = ("\\", ".exe") if sys.platform == "win32" else ("/", "")
    if hasattr(sys, "frozen"):
        return [sys.executable.rpartition(slash)[0] + slash + "deskbell" + suffix, *words], ""
    root = __file__.rpartition(slash)[0].rpartition(slash)[0]
    if _size(root + slash + "pyproject.toml"):  # the source tree: -m finds the package in its folder
        return [sys.executable, "-E", "-m", "bridge", *words], root
    return [sys.executable, "-E", "-P", "-m", "bridge", *words], ""


def _gave_up(what: str, folder: str, said: str, code: int) -> Finished:
    said = f" Its last words: {said}{'' if said[-1] in '.?!' else '.'}" if said else ""
    words = f"deskbell: {what}.{said} Run `deskbell serve` to see why; its log is {folder}/deskbell.log\n"
    return Finished(words, code)


def _last_line(log: str, start: int) -> str:
    """The last line the app wrote after `start`."""
    try:
        with open(log, "rb") as file:
            file.seek(max(start, file.seek(0, 2) - 4096))
            lines = file.read().decode("utf-8", "replace").split("\n")
    except OSError:
        return ""
    return next((line.strip() for line in reversed(lines) if line.strip()), "")


def _size(path: str) -> int:
    try:
        with open(path, "rb") as file:
            return file.seek(0, 2)
    except OSError:
        return 0


if sys.platform == "win32":
    # ---- Windows: a named pipe and two threads -----------------------------------------------------

    Connected = int
    _ABSENT = (FileNotFoundError,)

    def _environment() -> dict[str, str]:
        return dict(os.environ)

    def _folder_now() -> str:
        return os.getcwd()

    def _data_folder(env: "Mapping[str, str]") -> str:
        return env.get("LOCALAPPDATA") or env.get("USERPROFILE", "") + r"\AppData\Local"

    def _absolute(folder: str, env: "Mapping[str, str]") -> str:
        return os.path.abspath(os.path.expanduser(folder))

    def _connected(path: str) -> int:
        access = _winapi.GENERIC_READ | _winapi.GENERIC_WRITE
        flags = _winapi.FILE_FLAG_OVERLAPPED | 0x110000  # SECURITY_SQOS_PRESENT | SECURITY_IDENTIFICATION
        while True:
            try:
                return _winapi.CreateFile(path, access, 0, _winapi.NULL, _winapi.OPEN_EXISTING, flags, 0)
            except OSError as error:
                if error.winerror != _winapi.ERROR_PIPE_BUSY:
                    raise
            _winapi.WaitNamedPipe(path, 1000)

    class _Startup:
        """STARTUPINFO: the log as both outputs, and no other handle of ours for the app to hold."""

        dwFlags = _winapi.STARTF_USESTDHANDLES  # noqa: N815 - Windows' own names
        wShowWindow = 0  # noqa: N815

        def __init__(self, nothing: int, log: int) -> None:
            self.hStdInput = nothing
            self.hStdOutput = self.hStdError = log
            self.lpAttributeList = {"handle_list": [nothing, log]}

    def _spawn(folder: str, log: str, env: dict[str, str]) -> int:
        os.makedirs(folder, exist_ok=True)
        files = [os.open("NUL", os.O_RDONLY), os.open(log, os.O_WRONLY | os.O_CREAT)]
        os.lseek(files[1], 0, os.SEEK_END)  # the app inherits the position; O_APPEND is the C library's alone
        handles = [msvcrt.get_osfhandle(file) for file in files]
        for handle in handles:
            os.set_handle_inheritable(handle, True)
        flags = _winapi.CREATE_NO_WINDOW | _winapi.CREATE_NEW_PROCESS_GROUP
        try:  # breaking away, or the app would end with the host's job
            return _created(flags | _winapi.CREATE_BREAKAWAY_FROM_JOB, folder, env, _Startup(*handles))
        except PermissionError:  # the job does not let go
            return _created(flags, folder, env, _Startup(*handles))
        finally:
            for file in files:
                os.close(file)

    def _created(flags: int, folder: str, env: dict[str, str], startup: _Startup) -> int:
        command, place = own_command("--for-host")
        line = '"' + '" "'.join(command) + '"'
        return _winapi.CreateProcess(None, line, None, None, True, flags, env, place or folder, startup)[0]

    def _pause(seconds: float) -> None:
        time.sleep(seconds)

    def _ended(child: int) -> int:
        running = _winapi.WaitForSingleObject(child, 0) != _winapi.WAIT_OBJECT_0
        return 0 if running else _winapi.GetExitCodeProcess(child)

    def _disown(child: int) -> None:
        _winapi.CloseHandle(child)

    def _can_hand_over() -> bool:
        return False

    def _hand_over(pipe: int, first: bytes) -> None:
        raise NotImplementedError

    def _copy(pipe: int, first: bytes) -> None:
        """Both ways, until the app or the host ends. Overlapped, because Windows would make a write wait
        for a pending read of the same handle otherwise."""
        _thread.start_new_thread(_copy_up, (pipe, first))
        try:
            while True:
                reading, _ = _winapi.ReadFile(pipe, CHUNK, overlapped=True)
                reading.GetOverlappedResult(True)
                rest = memoryview(reading.getbuffer() or b"")
                while rest:
                    rest = rest[os.write(1, rest) :]
        except OSError:
            os._exit(0)  # the other thread may wait for stdin for ever

    def _copy_up(pipe: int, first: bytes) -> None:
        chunk = first
        while chunk:
            try:
                writing, _ = _winapi.WriteFile(pipe, chunk, overlapped=True)
                writing.GetOverlappedResult(True)
            except OSError:  # the app has closed; the other thread ends with its last words
                return
            chunk = _heard()
        os._exit(0)  # a pipe has no half-close: leaving is how the app hears of it

    def _heard() -> bytes:
        try:
            return os.read(0, CHUNK)
        except OSError:
            return b""

else:
    # ---- Unix: a socket and poll -------------------------------------------------------------------

    Connected = _socket.socket
    _ABSENT = (FileNotFoundError, ConnectionRefusedError)
    _OVER = select.POLLHUP | select.POLLERR | select.POLLNVAL
    _KIND, _PIPE, _SOCKET = 0o170000, 0o010000, 0o140000  # of a file, as `stat` names them
    _WANTED, _UNWANTED = b"hands\n", b"copy\n"  # as bridge/transports/hands.py answers

    def _environment() -> dict[str, str]:
        def text(value: bytes) -> str:
            return value.decode(sys.getfilesystemencoding(), "surrogateescape")

        env = {text(name): text(value) for name, value in posix.environ.items()}
        if hasattr(sys, "frozen"):  # PyInstaller points this at its own copies and keeps the old value
            env.pop("LD_LIBRARY_PATH", None)
            if "LD_LIBRARY_PATH_ORIG" in env:
                env["LD_LIBRARY_PATH"] = env.pop("LD_LIBRARY_PATH_ORIG")
        return env

    def _folder_now() -> str:
        try:
            return posix.getcwd()
        except FileNotFoundError:  # it was deleted
            return ""

    def _data_folder(env: "Mapping[str, str]") -> str:
        if sys.platform == "darwin":
            return _own_folder(env) + "/Library/Application Support"
        data = env.get("XDG_DATA_HOME", "")  # the XDG specification: ignore a relative one
        return data if data.startswith("/") else _own_folder(env) + "/.local/share"

    def _own_folder(env: "Mapping[str, str]") -> str:
        import pwd

        return env.get("HOME") or pwd.getpwuid(posix.getuid()).pw_dir

    def _absolute(folder: str, env: "Mapping[str, str]") -> str:
        if folder.startswith("~/"):  # a host's config has no shell to expand it
            folder = _own_folder(env) + folder[1:]
        return (folder if folder.startswith("/") else posix.getcwd() + "/" + folder).rstrip("/")

    def peer_uid(sock: _socket.socket) -> int:
        """Whose process is at the other end of a Unix socket; -1 where the system does not tell."""
        if sys.platform == "linux":  # struct ucred: pid, uid, gid
            ucred = sock.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, 12)
        elif sys.platform == "darwin":  # SOL_LOCAL, LOCAL_PEERCRED; struct xucred: version, uid, ...
            ucred = sock.getsockopt(0, 1, 76)
        else:
            return -1
        return int.from_bytes(ucred[4:8], sys.byteorder)

    def _connected(path: str) -> _socket.socket:
        while (
            fd := posix.open("/dev/null", posix.O_RDWR)
        ) <= 2:  # else the socket takes a closed stdin's place
            pass
        posix.close(fd)
        sock = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
        try:
            sock.connect(path)
        except OSError:
            sock.close()
            raise
        if peer_uid(sock) not in (-1, posix.getuid()):  # we are about to tell it our environment
            raise Finished(f"deskbell: {path} belongs to another user; remove it and try again\n", 5)
        sock.setblocking(False)
        return sock

    def _spawn(folder: str, log: str, env: dict[str, str]) -> int:
        from os import makedirs  # there is time now

        makedirs(folder, 0o700, exist_ok=True)
        command, place = own_command("--for-host")
        posix.chdir(place or folder)  # the host's folder would be kept busy
        _close_inherited()
        streams = [
            (posix.POSIX_SPAWN_OPEN, 0, "/dev/null", posix.O_RDONLY, 0),
            (posix.POSIX_SPAWN_OPEN, 1, log, posix.O_WRONLY | posix.O_CREAT | posix.O_APPEND, 0o600),
            (posix.POSIX_SPAWN_DUP2, 1, 2),
        ]
        return posix.posix_spawn(command[0], command, env, file_actions=streams, setsid=True)

    def _close_inherited() -> None:
        """What a host forgot to close for us must not stay open as long as the app lives."""
        for fd in map(int, posix.listdir("/dev/fd")):
            try:
                if fd > 2:
                    posix.close(fd)
            except OSError:  # the one that listed them
                continue

    def _pause(seconds: float) -> None:
        host = select.poll()
        host.register(1, 0)
        if host.poll(seconds * 1000):
            raise Finished("", 0)  # it left while we waited

    def _ended(child: int) -> int:
        """Its exit code, negative for a signal; 0 while it runs and after it ended well."""
        try:
            pid, status = posix.waitpid(child, posix.WNOHANG)
        except ChildProcessError:  # it was reported before
            return 0
        return posix.waitstatus_to_exitcode(status) if pid else 0

    def _disown(child: int) -> None:
        """From now on the system buries it: one that ends later must not stay as a zombie."""
        import _signal  # type: ignore[import-not-found]  # `signal` would bring enum along

        _signal.signal(_signal.SIGCHLD, _signal.SIG_IGN)
        _ended(child)

    # The app itself reads what the host says, and writes what it is told, where that can be: a copy of each
    # message, and a process to wake for it, less.

    def _can_hand_over() -> bool:
        """Pipes and local sockets can be, if they are two; a terminal or a file is copied."""
        try:
            ends = [posix.fstat(fd) for fd in (0, 1)]
        except OSError:
            return False
        return (ends[0].st_dev, ends[0].st_ino) != (ends[1].st_dev, ends[1].st_ino) and all(
            end.st_mode & _KIND == _PIPE or (end.st_mode & _KIND == _SOCKET and _is_local(fd))
            for fd, end in enumerate(ends)
        )

    def _is_local(fd: int) -> bool:
        sock = _socket.socket(fileno=posix.dup(fd))
        try:
            return sock.family == _socket.AF_UNIX
        finally:
            sock.close()

    def _hand_over(sock: _socket.socket, first: bytes) -> None:
        sock.setblocking(True)
        try:
            sock.sendall(first)
            heard = _first_line(sock)
            if heard == _WANTED:
                heard = _handed_over(sock)
        except OSError:  # a reset is an end like any other
            return
        if heard:  # it rather has them copied, they did not get through, or it refuses us and says why
            sock.setblocking(False)
            _copy(sock, b"", heard.removeprefix(_UNWANTED))

    def _handed_over(sock: _socket.socket) -> bytes:
        """What the app says to it, if anything, once it is done with them."""
        was_blocking = [posix.get_blocking(fd) for fd in (0, 1)]
        ends = b"".join(fd.to_bytes(4, sys.byteorder) for fd in (0, 1))
        sock.sendmsg([b"\n"], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, ends)])
        if not _app_spoke(sock):
            return b""  # what is left to say, it says without us; a write that blocks would stop all of it
        try:
            return sock.recv(CHUNK)
        finally:
            for fd, blocking in enumerate(was_blocking):  # should it have been killed
                posix.set_blocking(fd, blocking)

    def _first_line(sock: _socket.socket) -> bytes:
        """Of the app, and what came with it; less if it hung up."""
        heard = b""
        while b"\n" not in heard:
            if not _app_spoke(sock):
                raise Finished("", 0)
            more = sock.recv(CHUNK)
            if not more:
                break
            heard += more
        return heard

    def _app_spoke(sock: _socket.socket) -> bool:
        """False: the host is gone. If it only closed our stdin, the app may take a moment to answer."""
        poll = select.poll()
        poll.register(sock.fileno(), select.POLLIN)
        poll.register(0, getattr(select, "POLLRDHUP", 0))
        poll.register(1, 0)
        wait = None
        while True:
            events = dict(poll.poll(wait))
            if set(events) != {0}:
                return sock.fileno() in events
            poll.unregister(0)
            wait = FAREWELL * 1000

    def _copy(sock: _socket.socket, first: bytes, heard: bytes = b"") -> None:
        """Both ways, until the app or the host ends."""
        _own_stdout()
        was_blocking = posix.get_blocking(1)
        if not posix.isatty(1):  # a terminal is shared with others, who count on it
            posix.set_blocking(1, False)
        try:
            copying = Copying(sock, first, heard)
            while copying.step():
                pass
        finally:
            posix.set_blocking(1, was_blocking)

    def _own_stdout() -> None:
        """Opens it anew where that can be (Linux): whether a pipe blocks is the same for all who hold it, and
        we may be killed before we can put it back."""
        try:
            if posix.readlink("/proc/self/fd/1").startswith("pipe:"):
                fd = posix.open("/proc/self/fd/1", posix.O_WRONLY)
                posix.dup2(fd, 1)
                posix.close(fd)
        except OSError:
            return

    class Flow:
        """One direction. Reads only when all that it read is written, so a slow sink slows its source."""

        __slots__ = ("buffer", "rest", "sink", "source")

        def __init__(self, source: int, sink: int, first: bytes = b"") -> None:
            self.source = source
            self.sink = sink
            self.buffer = memoryview(bytearray(CHUNK))
            self.rest = memoryview(first)

        def read(self) -> bool:
            """False when the source has ended."""
            try:
                self.rest = self.buffer[: posix.readv(self.source, [self.buffer])]
            except BlockingIOError:
                return True
            except OSError:  # a reset is an end like any other
                return False
            return len(self.rest) > 0

        def write(self) -> bool:
            """Writes what the sink takes now. False when the sink is gone; what was left is dropped."""
            try:
                while self.rest:
                    self.rest = self.rest[posix.write(self.sink, self.rest) :]
            except BlockingIOError:
                return True
            except OSError:
                self.rest = self.rest[:0]
                return False
            return True

    class Copying:
        """The two flows between the host (0, 1) and the app (the socket)."""

        def __init__(self, sock: _socket.socket, first: bytes, heard: bytes) -> None:
            self.sock = sock
            self.wire = sock.fileno()
            self.up = Flow(0, self.wire, first)
            self.down = Flow(self.wire, 1, heard)
            self.listening = True  # to the host
            self.limit = 0.0  # when to leave; 0: not known yet
            self.poll = select.poll()
            self.masks: dict[int, int] = {}

        def step(self) -> bool:
            """Waits for the next thing to do, and does it. False when it is over."""
            self._watch(0, self._of_host())
            self._watch(self.wire, self._of_app())
            self._watch(1, select.POLLOUT if self.down.rest else 0)
            wait = max(0, self.limit - time.monotonic()) * 1000 if self.limit else None
            events = dict(self.poll.poll(wait))
            if not events or events.get(1, 0) & _OVER:  # time is up, or nobody is there to read
                return False
            if 0 in events:
                self._hear()
            if not self.up.write():  # the app has closed; what it said before is still to be read
                self._leave_soon(listening=False)
            app_spoke = events.get(self.wire, 0) & (select.POLLIN | _OVER)
            if app_spoke and not self.down.rest and not self.down.read():
                return False
            return self.down.write()

        def _of_host(self) -> int:
            if self.listening and not self.up.rest:
                return select.POLLIN
            return -1 if self.limit else 0  # 0: nothing but its hang-up

        def _of_app(self) -> int:
            return (0 if self.down.rest else select.POLLIN) | (select.POLLOUT if self.up.rest else 0) or -1

        def _watch(self, fd: int, mask: int) -> None:
            """-1: not at all, since poll tells of a hang-up again and again, whatever was asked."""
            if self.masks.get(fd, -1) == mask:
                return
            self.masks[fd] = mask
            if mask < 0:
                self.poll.unregister(fd)
            else:
                self.poll.register(fd, mask)

        def _hear(self) -> None:
            if self.up.rest:  # no room to read on, but the host has hung up
                self._leave_soon(listening=True)
            elif not self.up.read():
                self._leave_soon(listening=False)
                try:
                    self.sock.shutdown(_socket.SHUT_WR)
                except OSError:  # the app was faster
                    return

        def _leave_soon(self, *, listening: bool) -> None:
            self.listening = listening
            self.limit = self.limit or time.monotonic() + FAREWELL


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
