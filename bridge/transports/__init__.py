"""How hosts reach Deskbell: an owner-only socket, and HTTP. Bytes become events; decisions are in
bridge/core."""
