"""The `deskbell` command. `stdio` and `wrap`, which an AI host spawns and waits for, import only the shim.

Can also be run by path, without site-packages: `python -I -S …/bridge/__main__.py stdio`.
"""

import sys

if not __package__:  # by path
    slash = "\\" if sys.platform == "win32" else "/"
    sys.path.insert(0, __file__.rsplit(slash, 2)[0])


def main() -> int:
    if sys.argv[1:2] in (["stdio"], ["wrap"]):
        from bridge.shim import main as run
    elif sys.argv[1:] == ["reaper"]:
        from bridge.system.process.reaper import watch

        return watch(0)
    else:
        from bridge.cli import main as run
    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
