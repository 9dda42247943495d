"""Keeps the windows' thread free: work in time slices, modules loaded one by one."""
