"""How hosts reach Deskbell: an owner-only socket, and HTTP. Decisions are in bridge/core."""
