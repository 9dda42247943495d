"""A newer Deskbell over an older one in use, then removed: `sudo python3 -m tests.rigs.upgrading OLD`.

OLD is a folder with the files of an earlier release; the newer ones are in dist/. On a bare Debian 12, for
each kind of file: settings, secrets, history, the log-in entry and the entry of an AI app stay as they were,
the entry works while the old Deskbell still runs and afterwards, and after the removal nothing runs and
nothing is left.

    python -m tests.rigs.upgrading OLD [deb|rpm|appimage|tarball …] [--keep FOLDER]
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

from tests.rigs import installing
from tests.rigs.machines import roots

KINDS = ("deb", "rpm", "appimage", "tarball")
AS_PERSON = f"setpriv --reuid {roots.PERSON} --regid {roots.PERSON} --clear-groups env HOME=/home/plain"
INSTALL = {
    "deb": "apt-get install ./*.deb",
    "rpm": "rpm --upgrade --nodeps ./*.rpm",
    "appimage": "{person} sh -exc 'rm -f ~/*.AppImage; cp *.AppImage ~; chmod +x ~/*.AppImage'",
    "tarball": "{person} sh -exc 'tar -xf *.tar.xz -C ~; cd; deskbell-*/install.sh; rm -r deskbell-*'",
}
CALLED = {"appimage": "~/*.AppImage", "tarball": "~/.local/bin/deskbell"}
REMOVE = {
    "deb": "apt-get remove deskbell",
    "rpm": "rpm --erase deskbell",
    "appimage": "{person} sh -exc '~/*.AppImage uninstall --yes && rm ~/*.AppImage'",
    "tarball": "{person} ~/.local/lib/deskbell/install.sh --uninstall --yes".replace("~", "/home/plain"),
}
# A person's Deskbell. The program of its log-in entry is gone: a start with windows writes it anew.
USE = """
mkdir -p ~/.cursor ~/.config/autostart && echo '{{"mcpServers": {{}}}}' > ~/.cursor/mcp.json
cp ~/.cursor/mcp.json ~/cursor.before
printf '[Desktop Entry]\\nType=Application\\nName=Deskbell\\nExec=/gone/deskbell --at-login\\n' > {entry}
{deskbell} call desk_elicit_input message="What is your name?" > ~/said & calling=$!
until id=$({deskbell} questions --json | sed -n 's/.*"id":"\\([^"]*\\)".*/\\1/p') && [ -n "$id" ]
do kill -0 $calling; done
{deskbell} answer "$id" value=Ada
wait $calling && grep -q Ada ~/said
until ! grep -q /gone/ {entry}; do sleep 0.1; done
echo s3cret | {deskbell} secrets set rig
{deskbell} servers add rig -- /bin/false && {deskbell} servers disable rig
{deskbell} hosts connect cursor
"""
STATE = """
mkdir -p {into} && cp ~/.cursor/mcp.json ~/.local/share/deskbell/config.toml {entry} {into}
{deskbell} secrets list | grep -w rig > {into}/secrets
{deskbell} history --search 'your name' | wc -l > {into}/history
"""
# What the AI app does: starts what its settings name, and waits for the reply.
REACH = """
program=$(sed -n 's/.*"command": *"\\([^"]*\\)".*/\\1/p' ~/.cursor/mcp.json)
hello='{{"jsonrpc":"2.0","id":1,"method":"initialize","params":{{"protocolVersion":"2025-06-18","capabilities":{{}},'
hello="$hello"'"clientInfo":{{"name":"rig","version":"1"}}}}}}'
: > ~/reply
(echo "$hello"; i=0; until grep -q serverInfo ~/reply; do i=$((i+1)); test $i -lt 1200; sleep 0.1; done) |
    "$program" stdio > ~/reply
grep -q serverInfo ~/reply
test -x "$(sed -n 's/^Exec=\\([^ ]*\\).*/\\1/p' {entry})"
"""
LEFT = """
cmp ~/cursor.before ~/.cursor/mcp.json
! ls {entry} /usr/bin/deskbell /usr/lib/deskbell ~/.local/share/deskbell/bin
! ls ~/.local/bin/deskbell ~/.local/lib/deskbell
! ls -l /proc/[0-9]*/exe 2>/dev/null | grep -i deskbell
"""


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.rigs.upgrading")
    parser.add_argument("old", type=Path, help="a folder with the files of an earlier release")
    parser.add_argument("kinds", nargs="*", choices=[[], *KINDS], default=[])
    parser.add_argument("--keep", type=Path, default=Path("/var/tmp/deskbell-machines"))
    given = parser.parse_args(words)
    given.keep.mkdir(parents=True, exist_ok=True)
    passed = [attempt(kind, given.old, given.keep) for kind in given.kinds or KINDS]
    return int(not all(passed))


def attempt(kind: str, old: Path, keep: Path) -> bool:
    changes, shared = keep / f"upgrading-{kind}", keep / f"upgrading-{kind}-shared"
    log = keep / f"upgrading-{kind}.log"
    for folder in (changes, shared):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
    log.unlink(missing_ok=True)
    for name, files in (("old", old), ("new", installing.ROOT / "dist")):
        (shared / name).mkdir()
        [file] = files.glob(installing.FILES[kind])
        shutil.copy(file, shared / name)
    shared.chmod(0o755)
    machine = roots.machine("debian-12", keep, changes, shared, log)
    if kind != "deb":
        [bare] = installing.blocks(installing.PAGE.read_text("utf-8"))["bare"]
        rpm = " rpm" if kind == "rpm" else ""
        machine.run(log, "sh", "-exc", bare.removeprefix("sudo ") + rpm, uid=roots.ROOT)
    fault = machine.run(log, "sh", "-exc", script(kind), uid=roots.ROOT, env={"QT_QPA_PLATFORM": "offscreen"})
    print(f"{kind:10} {f'FAILED: see {log}' if fault else 'passed'}", flush=True)
    if not fault:
        machine.forget()
    return not fault


def script(kind: str) -> str:
    """Return all steps as one script of root: what runs at its end is ended."""

    def person(text: str, **more: str) -> str:
        words = {"deskbell": CALLED.get(kind, "deskbell"), "entry": "~/.config/autostart/deskbell.desktop"}
        return f"{AS_PERSON} sh -exc '\ncd ~\n{quoted(text.format(**words, **more))}'"

    moved = (
        person("mkdir Apps && mv ~/*.AppImage ~/Apps/bell && Apps/bell uninstall --upgrade"),
        person(REACH),
        person("mv ~/Apps/bell ~/bell.AppImage"),
    )
    install = INSTALL[kind].format(person=AS_PERSON)
    return "\n".join(
        (
            "install -d -o plain -g plain /home/plain",
            f"cd /mnt/old && {install}",
            person(USE),
            person(STATE, into="before"),
            f"cd /mnt/new && {install}",
            # A new AppImage under a name of its own is found once it was started.
            *(("echo '== the old one still runs'", person(REACH)) if kind != "appimage" else ()),
            "echo '== the new one'",
            person("{deskbell} uninstall --upgrade && {deskbell} tools > tools"),
            person(REACH),
            person(STATE, into="after"),
            person("diff -r before after && {deskbell} --version && {deskbell} status"),
            *(moved if kind == "appimage" else ()),
            f"cd / && {REMOVE[kind].format(person=AS_PERSON)}",
            person(LEFT),
        )
    )


def quoted(text: str) -> str:
    """Return the text as it is written between single quotes."""
    return text.replace("'", "'\\''")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
