"""How hosts reach Deskbell: an owner-only socket, and HTTP. Bytes become events; nothing is decided."""
