"""Recipes for Linux: .deb, .rpm, AppImage and tar.xz, and the tree of files they have in common."""
