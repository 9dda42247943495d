"""The least that Python can do between a host on stdio and an HTTP server: a request at a time, unread.

As bare_relay.py, for the other kind of server.
"""

import os
import socket
import sys

ROOM = bytearray(4 << 20)


def answer(server: socket.socket) -> memoryview:
    """The body of what the server says."""
    room, had, end = memoryview(ROOM), 0, 0
    while not end or had < end:
        got = server.recv_into(room[had:])
        if not got:
            raise EOFError("the server closed the connection")
        had += got
        if not end and (head := ROOM.find(b"\r\n\r\n", 0, had)) >= 0:
            length = bytes(room[:head]).lower().partition(b"content-length:")[2]
            start, end = head + 4, head + 4 + int(length.partition(b"\r")[0])
    return room[start:end]


def main(port: int) -> None:
    rest = b""
    with socket.create_connection(("127.0.0.1", port)) as server:
        server.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        while data := os.read(0, 65536):
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                server.sendall(b"POST /mcp HTTP/1.1\r\nContent-Length: %d\r\n\r\n%b" % (len(line), line))
                if body := answer(server):
                    left = memoryview(bytes(body) + b"\n")
                    while left:
                        left = left[os.write(1, left) :]


if __name__ == "__main__":
    main(int(sys.argv[1]))
