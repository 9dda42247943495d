"""The recipe for macOS: the disk image."""
