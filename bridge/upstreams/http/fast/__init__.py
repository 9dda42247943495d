"""HTTP/1.1 on httptools, for speed: the connection, how it is dialled, and compressed bodies."""
