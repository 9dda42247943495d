"""Servers that Deskbell starts: the child process, its pipes, process group and environment."""
