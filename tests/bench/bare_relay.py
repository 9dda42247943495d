"""The least that Python can do between a host and a stdio server: bytes to and fro, unread.

What any bridge adds is to be compared with this, on the same machine.
"""

import os
import select
import subprocess
import sys


def main(command: list[str]) -> None:
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as child:
        assert child.stdin
        assert child.stdout
        ways = {0: child.stdin.fileno(), child.stdout.fileno(): 1}
        poll = select.poll()
        for source in ways:
            poll.register(source, select.POLLIN)
        while True:
            for source, _ in poll.poll():
                data = os.read(source, 65536)
                if not data:
                    child.kill()
                    return
                left = memoryview(data)
                while left:
                    left = left[os.write(ways[source], left) :]


if __name__ == "__main__":
    main(sys.argv[1:])
